//! A small language that is written in Lua and in Rhai alike, a line for a line.

use proptest::prelude::*;
use proptest::sample::select;

/// A language in which a program is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    Lua,
    Rhai,
}

/// One of the two at the table.
#[derive(Clone, Copy, Debug)]
pub struct Who(&'static str);

/// A number.
#[derive(Clone, Debug)]
pub enum Number {
    Plain(i32),
    Variable(usize),
    Amount,
    Sum(Box<[Number; 2]>),
    Difference(Box<[Number; 2]>),
    Product(Box<[Number; 2]>),
    /// A function of two numbers.
    Of(&'static str, Box<[Number; 2]>),
    Absolute(Box<Number>),
    /// A word of somebody that takes a name.
    Read(Who, &'static str, &'static str),
    /// A word of somebody that takes a name and a number.
    Write(Who, &'static str, &'static str, Box<Number>),
    Formula(&'static str, Who),
    Roll(&'static str),
    Round,
    Length,
    /// The element of the list at a place from 0, which the languages number differently; 5 if there is none.
    At(Box<Number>),
}

/// A yes or no.
#[derive(Clone, Debug)]
pub enum Truth {
    Compared(&'static str, Box<[Number; 2]>),
    Both(Box<[Truth; 2]>),
    Either(Box<[Truth; 2]>),
    Not(Box<Truth>),
    Has(Who, &'static str),
    Applied(Who, &'static str, Number, u8),
    Removed(Who, &'static str),
    Passed(Who, Number),
    Chosen(Who, &'static str),
    Allowed(Number, Who),
    Same(Who, Who),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Deed {
    Set(usize, Number),
    If(Truth, Vec<Deed>, Vec<Deed>),
    Times(u8, Vec<Deed>),
    Each(Vec<Deed>),
    Push(Number),
    Note(Who, Number),
    Tag(Who, bool),
    Shift(Who, Number),
    Damage(Who, Number),
    Modifier(Who, &'static str, Number),
    Say(Who, Number),
    Raise(Number, Who),
    Assert(Truth),
}

/// A name in a call, in quotes.
const CALLS: [(&str, &str); 6] = [
    ("stat", "might"),
    ("stat", "guard"),
    ("pool", "blood"),
    ("pool_max", "blood"),
    ("value", "dazed"),
    ("count", "blows"),
];
const WRITES: [(&str, &str); 4] =
    [("set_pool", "blood"), ("add_pool", "blood"), ("heal", "blood"), ("add_count", "blows")];

fn who() -> impl Strategy<Value = Who> {
    select(vec![Who("me"), Who("you")])
}

fn pair<T: Clone + std::fmt::Debug + 'static>(of: &BoxedStrategy<T>) -> impl Strategy<Value = Box<[T; 2]>> + use<T> {
    (of.clone(), of.clone()).prop_map(|(one, other)| Box::new([one, other]))
}

fn number() -> BoxedStrategy<Number> {
    let plain = prop_oneof![
        4 => (-9..30).prop_map(Number::Plain),
        1 => select(vec![i32::MIN, i32::MAX, 0]).prop_map(Number::Plain),
        4 => (0..3_usize).prop_map(Number::Variable),
        1 => Just(Number::Amount),
        1 => Just(Number::Round),
        1 => Just(Number::Length),
        3 => (who(), select(&CALLS[..])).prop_map(|(who, (word, name))| Number::Read(who, word, name)),
        1 => (select(vec!["blood - 1", "might * 2", "if(bearer has dazed, 1, 0)"]), who()).prop_map(|(f, w)| Number::Formula(f, w)),
        1 => select(vec!["1d6", "2d4", "1d20 + 2"]).prop_map(Number::Roll),
    ];
    plain
        .prop_recursive(2, 8, 2, |inner| {
            let inner = inner.boxed();
            prop_oneof![
                pair(&inner).prop_map(Number::Sum),
                pair(&inner).prop_map(Number::Difference),
                pair(&inner).prop_map(Number::Product),
                (select(vec!["div_floor", "div_ceil", "min", "max"]), pair(&inner))
                    .prop_map(|(f, two)| Number::Of(f, two)),
                inner.clone().prop_map(|of| Number::Absolute(Box::new(of))),
                inner.clone().prop_map(|at| Number::At(Box::new(at))),
                (who(), select(&WRITES[..]), inner.clone()).prop_map(|(who, (word, name), by)| Number::Write(
                    who,
                    word,
                    name,
                    Box::new(by)
                )),
            ]
        })
        .boxed()
}

fn truth() -> BoxedStrategy<Truth> {
    let names = || select(vec!["dazed", "fed"]);
    let plain = prop_oneof![
        4 => (select(vec!["<", "<=", "==", "!=", ">"]), pair(&number())).prop_map(|(how, two)| Truth::Compared(how, two)),
        1 => (who(), select(vec!["dazed", "fed", "marked"])).prop_map(|(who, name)| Truth::Has(who, name)),
        2 => (who(), names(), number(), 0..4_u8).prop_map(|(who, name, value, rounds)| Truth::Applied(who, name, value, rounds)),
        1 => (who(), names()).prop_map(|(who, name)| Truth::Removed(who, name)),
        1 => (who(), number()).prop_map(|(who, dc)| Truth::Passed(who, dc)),
        1 => (who(), select(vec!["one", "two"])).prop_map(|(who, one)| Truth::Chosen(who, one)),
        1 => (number(), who()).prop_map(|(amount, who)| Truth::Allowed(amount, who)),
        1 => (who(), who()).prop_map(|(one, other)| Truth::Same(one, other)),
    ];
    plain
        .prop_recursive(1, 3, 2, |inner| {
            let inner = inner.boxed();
            prop_oneof![
                pair(&inner).prop_map(Truth::Both),
                pair(&inner).prop_map(Truth::Either),
                inner.clone().prop_map(|of| Truth::Not(Box::new(of))),
            ]
        })
        .boxed()
}

fn deed() -> BoxedStrategy<Deed> {
    let plain = prop_oneof![
        4 => (0..3_usize, number()).prop_map(|(at, number)| Deed::Set(at, number)),
        2 => number().prop_map(Deed::Push),
        1 => (who(), number()).prop_map(|(who, number)| Deed::Note(who, number)),
        1 => (who(), any::<bool>()).prop_map(|(who, on)| Deed::Tag(who, on)),
        1 => (who(), number()).prop_map(|(who, by)| Deed::Shift(who, by)),
        1 => (who(), number()).prop_map(|(who, amount)| Deed::Damage(who, amount)),
        1 => (who(), select(vec!["might", "guard"]), number()).prop_map(|(who, stat, by)| Deed::Modifier(who, stat, by)),
        1 => (who(), number()).prop_map(|(who, number)| Deed::Say(who, number)),
        2 => (number(), who()).prop_map(|(amount, who)| Deed::Raise(amount, who)),
        1 => truth().prop_map(Deed::Assert),
    ];
    plain
        .prop_recursive(2, 12, 4, |inner| {
            let some = proptest::collection::vec(inner, 0..4);
            prop_oneof![
                (truth(), some.clone(), some.clone()).prop_map(|(asked, yes, no)| Deed::If(asked, yes, no)),
                (0..4_u8, some.clone()).prop_map(|(times, deeds)| Deed::Times(times, deeds)),
                some.prop_map(Deed::Each),
            ]
        })
        .boxed()
}

/// Programs of a few statements.
pub fn program() -> impl Strategy<Value = Vec<Deed>> {
    proptest::collection::vec(deed(), 1..9)
}

/// A program as the hook file of a language.
pub fn written(tongue: Tongue, program: &[Deed]) -> String {
    let mut out = tongue.head().to_owned();
    tongue.deeds(program, &mut out);
    out.push_str(tongue.tail());
    out
}

impl Tongue {
    fn pick(self, lua: &'static str, rhai: &'static str) -> &'static str {
        if self == Tongue::Lua { lua } else { rhai }
    }

    fn head(self) -> &'static str {
        self.pick(
            "local function at(l, i) return l[i + 1] or 5 end\n\
             on(\"arena.go\", { name = \"attack\" }, function(ev)\nlocal me, you = ev.actor, ev.target\n\
             local n0, n1, n2, l = 0, 1, 2, {}\n",
            "fn at(l, i) { if i >= 0 && i < l.len { l[i] } else { 5 } }\n\
             on(\"arena.go\", #{ name: \"attack\" }, |ev| {\nlet me = ev.actor; let you = ev.target;\n\
             let n0 = 0; let n1 = 1; let n2 = 2; let l = [];\n",
        )
    }

    fn tail(self) -> &'static str {
        self.pick(
            "me:set_note(\"seen\", math.clamp(n0 + n1 + n2, -99, 99))\nend)\n\
             on(\"arena.more\", { name = \"heard\" }, function(ev) ev.victim:add_count(\"blows\", ev.amount) end)\n\
             on(\"arena.may\", { name = \"odd\" }, function(ev) if ev.amount < 3 then ev:prevent(\"no\") end end)\n",
            "me.set_note(\"seen\", clamp(n0 + n1 + n2, -99, 99));\n});\n\
             on(\"arena.more\", #{ name: \"heard\" }, |ev| ev.victim.add_count(\"blows\", ev.amount));\n\
             on(\"arena.may\", #{ name: \"odd\" }, |ev| { if ev.amount < 3 { ev.prevent(\"no\"); } });\n",
        )
    }

    fn number(self, number: &Number) -> String {
        match number {
            Number::Plain(number) => format!("({number})"),
            Number::Variable(at) => format!("n{at}"),
            Number::Amount => "ev.amount".to_owned(),
            Number::Sum(two) => self.bounded(two, "+"),
            Number::Difference(two) => self.bounded(two, "-"),
            Number::Product(two) => {
                let [one, other] = two.as_ref().each_ref().map(|of| self.within(&self.number(of), 9999));
                self.within(&format!("{one} * {other}"), 9999)
            }
            Number::Of(function, two) => {
                let [one, other] = two.as_ref().each_ref().map(|of| self.number(of));
                format!("{}{function}({one}, {other})", self.pick("math.", ""))
            }
            Number::Absolute(of) => format!("{}abs({})", self.pick("math.", ""), self.within(&self.number(of), 9999)),
            Number::Read(who, word, name) => self.call(*who, word, &[quoted(name)]),
            Number::Write(who, word, name, by) => {
                self.call(*who, word, &[quoted(name), self.within(&self.number(by), 99)])
            }
            Number::Formula(formula, who) => format!("formula({}, {})", quoted(formula), who.0),
            Number::Roll(dice) => format!("roll({}).total", quoted(dice)),
            Number::Round => "round()".to_owned(),
            Number::Length => self.pick("#l", "l.len").to_owned(),
            Number::At(at) => format!("at(l, {})", self.within(&self.number(at), 2)),
        }
    }

    fn bounded(self, [one, other]: &[Number; 2], sign: &str) -> String {
        self.within(&format!("{} {sign} {}", self.number(one), self.number(other)), i32::MAX)
    }

    fn within(self, number: &str, most: i32) -> String {
        format!("{}clamp({number}, -{most}, {most})", self.pick("math.", ""))
    }

    fn call(self, who: Who, word: &str, arguments: &[String]) -> String {
        format!("{}{}{word}({})", who.0, self.pick(":", "."), arguments.join(", "))
    }

    fn truth(self, truth: &Truth) -> String {
        match truth {
            Truth::Compared(how, two) => {
                let how = if *how == "!=" { self.pick("~=", "!=") } else { how };
                format!("({} {how} {})", self.number(&two[0]), self.number(&two[1]))
            }
            Truth::Both(two) => format!("({} {} {})", self.truth(&two[0]), self.pick("and", "&&"), self.truth(&two[1])),
            Truth::Either(two) => {
                format!("({} {} {})", self.truth(&two[0]), self.pick("or", "||"), self.truth(&two[1]))
            }
            Truth::Not(of) => format!("{}({})", self.pick("not ", "!"), self.truth(of)),
            Truth::Has(who, name) => self.call(*who, "has", &[quoted(name)]),
            Truth::Applied(who, name, value, rounds) => {
                let (value, rounds) = (self.number(value), rounds.to_string());
                let options = match *name {
                    "dazed" => self.table(&[("value", &self.within(&value, 9)), ("rounds", &rounds)]),
                    _ => self.table(&[("rounds", &rounds)]),
                };
                self.call(*who, "apply", &[quoted(name), options])
            }
            Truth::Removed(who, name) => self.call(*who, "remove", &[quoted(name)]),
            Truth::Passed(who, dc) => {
                format!(
                    "({} == \"good\")",
                    self.call(*who, "check", &[quoted("grit"), self.table(&[("dc", &self.number(dc))])])
                )
            }
            Truth::Chosen(who, one) => {
                let options = self.pick("{ \"one\", \"two\" }", "[\"one\", \"two\"]");
                let words = self.table(&[("who", who.0)]);
                format!("(choose({}, \"which\", {options}, {words}) == {})", who.0, quoted(one))
            }
            Truth::Allowed(amount, who) => {
                format!("raise(\"arena.may\", {})", self.table(&[("amount", &self.number(amount)), ("victim", who.0)]))
            }
            Truth::Same(one, other) => format!("({} == {})", one.0, other.0),
        }
    }

    fn table(self, fields: &[(&str, &str)]) -> String {
        let field = |(key, value): &(&str, &str)| format!("{key}{} {value}", self.pick(" =", ":"));
        format!("{}{} }}", self.pick("{ ", "#{ "), fields.iter().map(field).collect::<Vec<_>>().join(", "))
    }

    fn deeds(self, deeds: &[Deed], out: &mut String) {
        deeds.iter().for_each(|deed| self.deed(deed, out));
    }

    fn line(self, text: &str, out: &mut String) {
        out.push_str(text);
        out.push_str(self.pick("\n", ";\n"));
    }

    fn block(self, head: [String; 2], deeds: &[Deed], out: &mut String) {
        out.push_str(&head[usize::from(self == Tongue::Rhai)]);
        out.push('\n');
        self.deeds(deeds, out);
        out.push_str(self.pick("end\n", "}\n"));
    }

    fn deed(self, deed: &Deed, out: &mut String) {
        match deed {
            Deed::Set(at, number) => self.line(&format!("n{at} = {}", self.number(number)), out),
            Deed::Push(number) => {
                let number = self.number(number);
                self.line(&self.pick("table.insert(l, X)", "l.push(X)").replace('X', &number), out);
            }
            Deed::If(asked, yes, no) => {
                let asked = self.truth(asked);
                out.push_str(&self.pick("if X then\n", "if X {\n").replace('X', &asked));
                self.deeds(yes, out);
                out.push_str(self.pick("else\n", "} else {\n"));
                self.deeds(no, out);
                out.push_str(self.pick("end\n", "}\n"));
            }
            Deed::Times(times, deeds) => {
                self.block([format!("for i = 1, {times} do"), format!("for i in 0..{times} {{")], deeds, out);
            }
            Deed::Each(deeds) => {
                // what the body adds to the list is not gone through in either language
                let heads = ["for i = 1, #l do local n0 = l[i]", "for x in l { let n0 = x;"].map(str::to_owned);
                self.block(heads, deeds, out);
            }
            Deed::Note(who, number) => {
                self.line(&self.call(*who, "set_note", &[quoted("seen"), self.number(number)]), out)
            }
            Deed::Tag(who, on) => {
                self.line(&self.call(*who, if *on { "tag" } else { "untag" }, &[quoted("marked")]), out)
            }
            Deed::Shift(who, by) => {
                self.line(&self.call(*who, "shift", &[quoted("dazed"), self.within(&self.number(by), 3)]), out);
            }
            Deed::Damage(who, amount) => {
                self.line(&self.call(*who, "damage", &[self.within(&self.number(amount), 9), quoted("sharp")]), out);
            }
            Deed::Modifier(who, stat, by) => {
                self.line(&self.call(*who, "modifier", &[quoted(stat), self.number(by)]), out);
            }
            Deed::Say(who, number) => {
                let words = self.table(&[("who", who.0), ("n", &self.number(number))]);
                self.line(&format!("say(\"numbered\", {words})"), out);
            }
            Deed::Raise(amount, who) => {
                let fields = self.table(&[("amount", &self.number(amount)), ("victim", who.0)]);
                self.line(&format!("raise(\"arena.more\", {fields})"), out);
            }
            Deed::Assert(truth) => self.line(&format!("assert({})", self.truth(truth)), out),
        }
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
