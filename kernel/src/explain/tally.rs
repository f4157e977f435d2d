//! A number with all its reasons: what counts, what lost, and to whom.

use super::voice::{Voice, signed};
use super::{Account, Line, unknown};
use crate::budget::Toil;
use crate::error::Fault;
use crate::ident::*;
use crate::modifier::Effect;
use crate::reckon::Reckoner;
use crate::situation::Situation;
use crate::table::Table;
use crate::tally::{self, Aim, Fate, Tally};
use serde_json::{Value, json};

/// A tally that is read aloud.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// Who speaks.
    pub voice: Voice<'a>,
    /// Whose number it is.
    pub who: EntityId,
    /// Which number.
    pub stat: StatId,
    /// Through which view.
    pub view: Option<ViewId>,
    /// Its lines.
    pub tally: &'a Tally,
}

impl Reading<'_> {
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
        let counts = |line: &tally::Line| matches!(line.fate, Fate::Counts | Fate::Held { .. });
        let part =
            |counted: bool| lines().filter(move |(_, line)| counts(line) == counted).map(|(at, _)| self.term(at));
        let counted: Vec<String> = part(true).chain(self.offset()).collect();
        let lost: Vec<String> = part(false).collect();
        let counted = if counted.is_empty() { self.voice.say("explain.nothing", &[]) } else { counted.join(", ") };
        std::iter::once(counted).chain(lost).collect::<Vec<_>>().join("; ")
    }

    /// A cap, floor or mute of other lines is named by those it touched; if it
    /// touched none, or leaves the total as it is, there is nothing to say.
    fn goes_without_saying(&self, at: usize, line: &tally::Line) -> bool {
        let limits = matches!(line.effect, Effect::Cap | Effect::Floor | Effect::Mute);
        let idle = self.aim(at) != Aim::Total || (line.effect != Effect::Mute && !self.tally.bites(at));
        limits && line.fate == Fate::Counts && idle
    }

    fn aim(&self, at: usize) -> Aim {
        self.tally.limits.get(at).copied().unwrap_or(Aim::Total)
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
            Fate::Counts => plain,
            Fate::Beaten { by: other } => self.filled("explain.fate.beaten", &[("line", plain), ("by", by(other))]),
            Fate::Held { to, by: other } => {
                self.filled("explain.fate.held", &[("line", plain), ("to", to.to_string()), ("by", by(other))])
            }
            Fate::Muted { by: other } => self.filled("explain.fate.muted", &[("line", plain), ("by", by(other))]),
            Fate::Left => self.filled("explain.fate.left", &[("line", plain)]),
        }
    }

    fn plain_term(&self, at: usize, line: &tally::Line) -> String {
        let (name, value, kind) = (self.name(at), line.value.to_string(), self.voice.word(line.kind));
        let what = match self.aim(at) {
            Aim::Total => self.voice.say("explain.total", &[]),
            Aim::Type(kind) => self.voice.word(kind),
            Aim::Rule(rule) => self.voice.rule(rule),
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

    fn bare_name(&self, line: &tally::Line) -> String {
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
            Fate::Counts => ("counts", None, None),
            Fate::Beaten { by: other } => ("beaten", by(other), None),
            Fate::Held { to, by: other } => ("held", by(other), Some(to)),
            Fate::Muted { by: other } => ("muted", by(other), None),
            Fate::Left => ("left", None, None),
        };
        Some(json!({
            "name": self.name(at), "rule": rules.name(line.rule), "place": rules.place(line.rule),
            "type": rules.name(line.kind), "effect": line.effect, "value": line.value,
            "from": self.voice.maybe_who(line.from), "fate": fate, "by": by, "to": to,
        }))
    }
}

/// Whether a stat is added to rolls, so that its sign is shown.
pub fn is_bonus(voice: Voice<'_>, stat: StatId) -> bool {
    let adds =
        |choice: &crate::check::Choice| matches!(choice.figure, crate::check::Figure::Stat(_, of, _) if of == stat);
    voice.rules.checks.iter().any(|(_, check)| check.bonus.iter().any(adds))
}

/// A stat of somebody as it is now, each term with its place in the packs.
pub fn stat(table: &Table, who: &str, stat: &str, view: Option<&str>, language: &str) -> Result<Account, Fault> {
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
    let reckoner = Reckoner::new(rules, state, Situation::of(id), &toil);
    reckoner.tally(id, stat, view, &mut tally).map_err(|stop| table.fault_of(stop))?;
    let voice = Voice { rules, state: Some(state), language };
    Ok(spread(&Reading { voice, who: id, stat, view, tally: &tally }))
}

/// A tally with a line for each term.
fn spread(reading: &Reading<'_>) -> Account {
    let (voice, who) = (reading.voice, reading.voice.who(reading.who));
    let title = voice
        .say("explain.title.stat", &[("who", &who), ("number", &reading.label(false, is_bonus(voice, reading.stat)))]);
    let term = |(at, line): (usize, &tally::Line)| {
        let place = voice.rules.place(line.rule);
        let written = voice.say("explain.written", &[("rule", voice.rules.name(line.rule)), ("place", &place)]);
        Line::new("term", reading.term(at), written, reading.term_facts(at).unwrap_or_default())
    };
    let mut lines: Vec<Line> = reading.tally.lines.iter().enumerate().map(term).collect();
    lines.extend(reading.view.zip(reading.offset()).map(|(view, offset)| offset_line(voice, view, offset)));
    Account { title: Line::new("tally", String::new(), title, reading.facts()), lines }
}

fn offset_line(voice: Voice<'_>, view: ViewId, label: String) -> Line {
    let rule = format!("view.{}", voice.rules.name(view));
    let place = voice.rules.lexicon.find::<RuleId>(&rule).map(|rule| voice.rules.place(rule)).unwrap_or_default();
    let written = voice.say("explain.written", &[("rule", &rule), ("place", &place)]);
    Line::new(
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
