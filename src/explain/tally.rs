//! A number with all its reasons: what counts, what lost, and to whom.

use super::voice::{Wording, signed};
use super::{Explanation, ExplanationLine, unknown};
use houserule_kernel::budget::Toil;
use houserule_kernel::error::Fault;
use houserule_kernel::eval::Evaluator;
use houserule_kernel::ident::*;
use houserule_kernel::modifier::Effect;
use houserule_kernel::modifier::LimitTarget;
use houserule_kernel::situation::Situation;
use houserule_kernel::table::Table;
use houserule_kernel::tally::{self, Tally, TermStatus};
use serde_json::{Value, json};

/// A tally that is read aloud.
#[derive(Clone, Copy)]
pub struct TallyExplainer<'a> {
    /// Who speaks.
    pub voice: Wording<'a>,
    /// Whose number it is.
    pub who: EntityId,
    /// Which number.
    pub stat: StatId,
    /// Through which view.
    pub view: Option<ViewId>,
    /// Its lines.
    pub tally: &'a Tally,
}

impl TallyExplainer<'_> {
    /// What the number is and comes to, such as `attack +7`: whose it is if
    /// that must be said, and with its sign if it is added to a roll.
    pub fn label(&self, whose: bool, bonus: bool) -> String {
        let total = self.tally.total;
        let total = if bonus { signed(total) } else { total.to_string() };
        let mut name = self.voice.word(self.stat);
        if let Some(view) = self.view {
            name = self.voice.say("explain.seen", &[("stat", &name), ("view", &self.voice.word(view))]);
        }
        if whose {
            name = self.voice.of(self.who, &name);
        }
        self.voice.say("explain.number", &[("name", &name), ("total", &total)])
    }

    /// The lines in one sentence: what takes part, then what lost.
    pub fn sentence(&self) -> String {
        let lines = || self.tally.lines.iter().enumerate().filter(|(at, line)| !self.goes_without_saying(*at, line));
        let counts = |line: &tally::TallyLine| matches!(line.fate, TermStatus::Counts | TermStatus::Held { .. });
        let part =
            |counted: bool| lines().filter(move |(_, line)| counts(line) == counted).map(|(at, _)| self.term(at));
        let counted: Vec<String> = part(true).chain(self.offset()).collect();
        let lost: Vec<String> = part(false).collect();
        let counted = if counted.is_empty() { self.voice.say("explain.nothing", &[]) } else { counted.join(", ") };
        std::iter::once(counted).chain(lost).collect::<Vec<_>>().join("; ")
    }

    /// A cap, floor or mute of other lines is named by those it touched; if it
    /// touched none, or leaves the total as it is, there is nothing to say.
    fn goes_without_saying(&self, at: usize, line: &tally::TallyLine) -> bool {
        let limits = matches!(line.effect, Effect::Cap | Effect::Floor | Effect::Mute);
        let idle = self.aim(at) != LimitTarget::Total || (line.effect != Effect::Mute && !self.tally.bites(at));
        limits && line.fate == TermStatus::Counts && idle
    }

    fn aim(&self, at: usize) -> LimitTarget {
        self.tally.limits.get(at).copied().unwrap_or(LimitTarget::Total)
    }

    /// What a view adds.
    fn offset(&self) -> Option<String> {
        let view = self.view?;
        let offset = self.voice.rules.views.get(view).offset;
        let named = || [("name", self.voice.word(view)), ("value", offset.to_string())];
        (offset != 0).then(|| self.filled("explain.term.add", &named()))
    }

    fn filled(&self, key: &str, arguments: &[(&str, String)]) -> String {
        let arguments: Vec<(&str, &str)> = arguments.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.voice.say(key, &arguments)
    }

    /// One line and what became of it, such as `blessing 1 (morale) lost to luck`.
    pub fn term(&self, at: usize) -> String {
        let Some(line) = self.tally.lines.get(at) else { return String::new() };
        let plain = self.plain_term(at, line);
        let by = |by: u16| self.name(usize::from(by));
        match line.fate {
            TermStatus::Counts => plain,
            TermStatus::Beaten { by: other } => {
                self.filled("explain.fate.beaten", &[("line", plain), ("by", by(other))])
            }
            TermStatus::Held { to, by: other } => {
                self.filled("explain.fate.held", &[("line", plain), ("to", to.to_string()), ("by", by(other))])
            }
            TermStatus::Muted { by: other } => self.filled("explain.fate.muted", &[("line", plain), ("by", by(other))]),
            TermStatus::Left => self.filled("explain.fate.left", &[("line", plain)]),
        }
    }

    fn plain_term(&self, at: usize, line: &tally::TallyLine) -> String {
        let (name, value, kind) = (self.name(at), line.value.to_string(), self.voice.word(line.kind));
        let what = match self.aim(at) {
            LimitTarget::Total => self.voice.say("explain.total", &[]),
            LimitTarget::Type(kind) => self.voice.word(kind),
            LimitTarget::Rule(rule) => self.voice.rule(rule),
        };
        let typed = line.kind != self.voice.rules.untyped && kind != name;
        let key = match line.effect {
            Effect::Add if typed => "explain.term.typed",
            Effect::Add => "explain.term.add",
            Effect::Set => "explain.term.set",
            Effect::Cap => "explain.term.cap",
            Effect::Floor => "explain.term.floor",
            Effect::Multiply => "explain.term.multiply",
            Effect::Mute => "explain.term.mute",
        };
        self.filled(key, &[("name", name), ("value", value), ("type", kind), ("what", what)])
    }

    /// The name of a line; of two with one name, the item or the cause as well.
    fn name(&self, at: usize) -> String {
        let Some(line) = self.tally.lines.get(at) else { return String::new() };
        let name = self.bare_name(line);
        let shared = self.tally.lines.iter().filter(|other| self.bare_name(other) == name).count() > 1;
        match line.from.filter(|_| shared) {
            Some(item) if self.voice.is_item(item) => self.voice.who(item),
            Some(from) => self.filled("explain.from", &[("name", name), ("from", self.voice.who(from))]),
            None => name,
        }
    }

    fn bare_name(&self, line: &tally::TallyLine) -> String {
        let given = line.rule == self.voice.rules.stats.get(self.stat).rule;
        if given { self.voice.say("explain.given", &[]) } else { self.voice.rule(line.rule) }
    }

    /// The tally for programs.
    pub fn facts(&self) -> Value {
        let rules = self.voice.rules;
        let terms: Vec<Value> = (0..self.tally.lines.len()).filter_map(|at| self.term_facts(at)).collect();
        let offset = self.view.map(|view| rules.views.get(view).offset);
        json!({
            "who": self.voice.who(self.who), "stat": rules.name(self.stat), "view": self.view.map(|view| rules.name(view)),
            "total": self.tally.total, "offset": offset, "terms": terms,
        })
    }

    fn term_facts(&self, at: usize) -> Option<Value> {
        let (rules, line) = (self.voice.rules, self.tally.lines.get(at)?);
        let by = |by: u16| self.tally.lines.get(usize::from(by)).map(|line| rules.name(line.rule));
        let (fate, by, to) = match line.fate {
            TermStatus::Counts => ("counts", None, None),
            TermStatus::Beaten { by: other } => ("beaten", by(other), None),
            TermStatus::Held { to, by: other } => ("held", by(other), Some(to)),
            TermStatus::Muted { by: other } => ("muted", by(other), None),
            TermStatus::Left => ("left", None, None),
        };
        Some(json!({
            "name": self.name(at), "rule": rules.name(line.rule), "place": rules.place(line.rule),
            "type": rules.name(line.kind), "effect": line.effect, "value": line.value,
            "from": self.voice.maybe_who(line.from), "fate": fate, "by": by, "to": to,
        }))
    }
}

/// Whether a stat is added to rolls, so that its sign is shown.
pub fn is_bonus(voice: Wording<'_>, stat: StatId) -> bool {
    let adds = |choice: &houserule_kernel::check::Alternative| matches!(choice.figure, houserule_kernel::check::Operand::Stat(_, of, _) if of == stat);
    voice.rules.checks.iter().any(|(_, check)| check.bonus.iter().any(adds))
}

/// A stat of somebody as it is now, each term with its place in the packs.
pub fn stat(table: &Table, who: &str, stat: &str, view: Option<&str>, language: &str) -> Result<Explanation, Fault> {
    let (rules, state) = (table.rules(), table.state());
    let id = state.find(who).ok_or_else(|| unknown("entity", who, state.present().map(|(_, known)| &*known.name)))?;
    let stat: StatId = find(&rules.lexicon, stat)?;
    let view: Option<ViewId> = view.map(|view| find(&rules.lexicon, view)).transpose()?;
    if let Some(view) = view.filter(|view| !rules.views.get(*view).of.has(stat)) {
        let (view, stat) = (rules.name(view), rules.name(stat));
        return Err(Fault::new(
            "HR0541",
            format!("the view `{view}` does not look at `{stat}`; add it to `of` of the view"),
        ));
    }
    let mut tally = Tally::default();
    let toil = Toil::new(table.budget().work);
    let reckoner = Evaluator::new(rules, state, Situation::of(id), &toil);
    reckoner.tally(id, stat, view, &mut tally).map_err(|stop| table.fault_of(stop))?;
    let voice = Wording { rules, state: Some(state), language };
    Ok(spread(&TallyExplainer { voice, who: id, stat, view, tally: &tally }))
}

/// A tally with a line for each term.
fn spread(reading: &TallyExplainer<'_>) -> Explanation {
    let (voice, who) = (reading.voice, reading.voice.who(reading.who));
    let title = voice
        .say("explain.title.stat", &[("who", &who), ("number", &reading.label(false, is_bonus(voice, reading.stat)))]);
    let term = |(at, line): (usize, &tally::TallyLine)| {
        let place = voice.rules.place(line.rule);
        let written = voice.say("explain.written", &[("rule", voice.rules.name(line.rule)), ("place", &place)]);
        ExplanationLine::new("term", reading.term(at), written, reading.term_facts(at).unwrap_or_default())
    };
    let mut lines: Vec<ExplanationLine> = reading.tally.lines.iter().enumerate().map(term).collect();
    lines.extend(reading.view.zip(reading.offset()).map(|(view, offset)| offset_line(voice, view, offset)));
    Explanation { title: ExplanationLine::new("tally", String::new(), title, reading.facts()), lines }
}

fn offset_line(voice: Wording<'_>, view: ViewId, label: String) -> ExplanationLine {
    let rule = format!("view.{}", voice.rules.name(view));
    let place = voice.rules.lexicon.find::<RuleId>(&rule).map(|rule| voice.rules.place(rule)).unwrap_or_default();
    let written = voice.say("explain.written", &[("rule", &rule), ("place", &place)]);
    ExplanationLine::new(
        "term",
        label,
        written,
        json!({ "rule": rule, "place": place, "offset": voice.rules.views.get(view).offset }),
    )
}

/// The id of a name.
pub fn find<I: Id>(lexicon: &Lexicon, name: &str) -> Result<I, Fault> {
    let known = lexicon.names(I::KIND);
    lexicon.find(name).ok_or_else(|| unknown(I::KIND.word(), name, known.iter().map(AsRef::as_ref)))
}
