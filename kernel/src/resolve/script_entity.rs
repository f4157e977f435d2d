//! Deeds by name: what scripts ask of a scene about somebody, in the words of the packs.

use crate::change::{StateField, StateValue};
use crate::clock::{Moment, Unit};
use crate::entity::StatBlockRef;
use crate::error::Fault;
use crate::ident::*;
use crate::oracle::Flow;
use crate::resolve::{Extension, InstanceFilter, NewCondition};
use crate::scene::Scene;
use crate::situation::Situation;
use smallvec::SmallVec;

/// What a script may say of a condition that it applies.
#[derive(Clone, Debug, Default)]
pub struct ApplyOptions {
    /// Its value.
    pub value: Option<i32>,
    /// When it ends; the first that comes ends it.
    pub lasts: SmallVec<[(Unit, i32); 2]>,
    /// An event that ends it, when it happens for the so-manieth time: to
    /// somebody, or to anybody.
    pub until: Option<(Box<str>, Option<EntityId>, u32)>,
    /// Who causes it; who acts if nobody is named.
    pub from: Option<EntityId>,
    /// Whom it is borne toward.
    pub toward: Option<EntityId>,
}

/// The fault of a name that the packs do not know.
pub(crate) fn unknown(what: &str, name: &str, near: Option<&str>) -> Fault {
    let help = match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None if what == NameKind::Stream.word() => format!("; define it with `[stream.{name}]`"),
        None => String::new(),
    };
    Fault::new("HR0408", format!("there is no {what} `{name}`{help}"))
}

impl Scene {
    /// The id of a name that a script says.
    ///
    /// # Errors
    /// `HR0408` with the nearest known name.
    pub fn spoken<I: Id>(&self, name: &str) -> Flow<I> {
        let lexicon = &self.rules.lexicon;
        if let Some(found) = lexicon.find(name) {
            return Ok(found);
        }
        self.toil(lexicon.count(I::KIND) * (1 + name.len() / 4))?;
        Err(unknown(I::KIND.word(), name, lexicon.nearest::<I>(name)).into())
    }

    /// Who and what the running event is about, seen from somebody.
    #[must_use]
    pub fn regarding(&self, who: EntityId) -> Situation {
        self.frame().map_or_else(|| Situation::of(who), |frame| frame.event.about.seen_by(who))
    }

    /// The total of a stat, maybe through a view: `speed` or `speed.crawling`.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else as reading does.
    pub fn spoken_stat(&self, who: EntityId, name: &str) -> Flow<i32> {
        let (stat, view) = name.split_once('.').map_or((name, None), |(stat, view)| (stat, Some(view)));
        let (stat, view) = (self.spoken(stat)?, view.map(|view| self.spoken(view)).transpose()?);
        self.reckon(self.regarding(who)).stat(who, stat, view)
    }

    /// Sets a pool within its range, and gives back by how much it changed.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else as the pool does.
    pub fn spoken_set_pool(&mut self, who: EntityId, name: &str, to: i64) -> Flow<i32> {
        let pool = self.spoken(name)?;
        self.set_pool(who, pool, to, self.regarding(who), 0)
    }

    /// Adds to a pool within its range, and gives back by how much it changed.
    ///
    /// # Errors
    /// As [`Scene::spoken_set_pool`].
    pub fn spoken_add_pool(&mut self, who: EntityId, name: &str, amount: i32) -> Flow<i32> {
        let before = self.pool(who, self.spoken(name)?);
        self.spoken_set_pool(who, name, i64::from(before) + i64::from(amount))
    }

    /// Whether somebody has a tag or bears a condition of that name.
    ///
    /// # Errors
    /// `HR0408` if it is neither.
    pub fn spoken_has(&self, who: EntityId, name: &str) -> Flow<bool> {
        let (tag, condition) = (self.rules.lexicon.find(name), self.rules.lexicon.find(name));
        if tag.is_none() && condition.is_none() {
            let lexicon = &self.rules.lexicon;
            self.toil((lexicon.count(NameKind::Tag) + lexicon.count(NameKind::Condition)) * (1 + name.len() / 4))?;
            let near = lexicon.nearest::<TagId>(name).or_else(|| lexicon.nearest::<ConditionId>(name));
            return Err(unknown("tag or condition", name, near).into());
        }
        let tagged = tag.is_some_and(|tag| self.reckon(Situation::of(who)).has_tag(who, tag));
        let bears = |condition| self.state.entity(who).is_some_and(|entity| entity.bearing(condition).is_some());
        Ok(tagged || condition.is_some_and(bears))
    }

    /// The value of a condition that somebody bears; 0 where it is not borne.
    ///
    /// # Errors
    /// `HR0408` for an unknown name.
    pub fn spoken_value(&self, who: EntityId, name: &str) -> Flow<i32> {
        let condition = self.spoken(name)?;
        let borne = self.state.entity(who).and_then(|entity| entity.bearing(condition));
        Ok(borne.map_or(0, |borne| borne.value))
    }

    /// Puts a condition on somebody. Says whether it took hold.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else as its steps and hooks do.
    pub fn spoken_apply(&mut self, who: EntityId, name: &str, spell: &ApplyOptions) -> Flow<bool> {
        let condition = self.spoken(name)?;
        let about = self.regarding(who);
        let source = spell.from.or(about.actor).or(about.source);
        if spell.lasts.iter().any(|(_, count)| *count < 1) {
            return self.resist(who, condition).map(|()| false);
        }
        let mut until: SmallVec<[Moment; 2]> =
            spell.lasts.iter().map(|(unit, count)| self.from_now(*unit, *count)).collect();
        if let Some((event, who, left)) = &spell.until {
            until.push(Moment::Event { event: self.spoken(event)?, who: *who, left: *left });
        }
        let onset =
            NewCondition { value: spell.value, source, toward: spell.toward, until, ..NewCondition::of(condition) };
        self.apply(who, onset)
    }

    /// Ends a condition of somebody. Says whether it was borne.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else as its steps and hooks do.
    pub fn spoken_remove(&mut self, who: EntityId, name: &str, those: InstanceFilter) -> Flow<bool> {
        let condition = self.spoken(name)?;
        let borne = !self.instances(who, condition, those).is_empty();
        self.remove(who, condition, those)?;
        Ok(borne)
    }

    /// Raises the value of a condition, or lowers it if `by` is negative.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else as [`Scene::shift`].
    pub fn spoken_shift(&mut self, who: EntityId, name: &str, by: i32, those: InstanceFilter) -> Flow<()> {
        self.shift(who, self.spoken(name)?, by, those)
    }

    /// Keeps a condition from doing anything, and maybe stops its time.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else when the budget is used up.
    pub fn spoken_suspend(&mut self, who: EntityId, name: &str, stopped: bool, those: InstanceFilter) -> Flow<()> {
        self.suspend_all(who, self.spoken(name)?, stopped, those)
    }

    /// Lets a condition go on.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else when the budget is used up.
    pub fn spoken_resume(&mut self, who: EntityId, name: &str, those: InstanceFilter) -> Flow<()> {
        self.resume(who, self.spoken(name)?, those)
    }

    /// Lets a condition last longer, by what the spell says of time.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else when the budget is used up.
    pub fn spoken_extend(&mut self, who: EntityId, name: &str, spell: &ApplyOptions) -> Flow<()> {
        let condition = self.spoken(name)?;
        let round = self.rules.turn.seconds;
        let mut more: SmallVec<[Extension; 2]> =
            spell.lasts.iter().map(|(unit, count)| Extension::Seconds(unit.seconds(*count, round))).collect();
        if let Some((event, whose, times)) = &spell.until {
            more.push(Extension::Times(self.spoken(event)?, *whose, *times));
        }
        self.extend_all(who, condition, &more, InstanceFilter { from: spell.from, toward: spell.toward })
    }

    /// Somebody keeps up a condition that they caused, whoever bears it.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else when the budget is used up.
    pub fn spoken_sustain(&mut self, who: EntityId, name: &str) -> Flow<()> {
        self.sustain(who, self.spoken(name)?)
    }

    /// Whether somebody bears a condition toward another.
    ///
    /// # Errors
    /// `HR0408` for an unknown name.
    pub fn spoken_has_toward(&self, who: EntityId, name: &str, toward: EntityId) -> Flow<bool> {
        Ok(self.reckon(Situation::of(who)).bears_toward(who, self.spoken(name)?, toward))
    }

    /// The bearer and the number of the condition that the running event is about.
    fn running_condition(&self) -> Flow<(EntityId, Serial)> {
        let about = self.frame().map(|frame| frame.event.about).unwrap_or_default();
        let nothing = || Fault::new("HR0528", "no condition runs here whose notes could be read or written");
        about.bearer.zip(about.instance).ok_or_else(|| nothing().into())
    }

    /// A note of the running condition; 0 if nothing was noted.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; `HR0528` if no condition runs.
    pub fn spoken_kept(&self, name: &str) -> Flow<i32> {
        let (note, (who, serial)) = (self.spoken::<NoteId>(name)?, self.running_condition()?);
        let ended = self.ended.iter().find(|ended| ended.serial == serial);
        let instance = self.state.entity(who).and_then(|entity| entity.instance(serial)).or(ended);
        let kept = instance.and_then(|instance| instance.notes.iter().find(|(kept, _)| *kept == note));
        Ok(kept.map_or(0, |(_, number)| *number))
    }

    /// Keeps a number with the running condition.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; `HR0528` if no condition runs, or it has
    /// ended.
    pub fn spoken_keep(&mut self, name: &str, number: i32) -> Flow<()> {
        let (note, (who, serial)) = (self.spoken(name)?, self.running_condition()?);
        if self.state.entity(who).and_then(|entity| entity.instance(serial)).is_none() {
            return Err(Fault::new("HR0528", "the running condition has ended and keeps nothing any more").into());
        }
        self.keep_note(who, note, number, Situation { instance: Some(serial), ..Situation::of(who) })
    }

    /// Gives somebody a tag or takes it away.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else when the budget is used up.
    pub fn spoken_tag(&mut self, who: EntityId, name: &str, on: bool) -> Flow<()> {
        let tag = self.spoken(name)?;
        self.change(StateField::Tag(who, tag), StateValue::YesNo(on))
    }

    /// A count of somebody.
    ///
    /// # Errors
    /// `HR0408` for an unknown name.
    pub fn spoken_count(&self, who: EntityId, name: &str) -> Flow<i32> {
        let count = self.spoken(name)?;
        Ok(self.state.entity(who).map_or(0, |entity| entity.counts.get(count)))
    }

    /// Adds to a count of somebody, and gives back what it is now.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; `HR0501` beyond the range of numbers.
    pub fn spoken_add_count(&mut self, who: EntityId, name: &str, amount: i32) -> Flow<i32> {
        let beyond = || Fault::new("HR0501", format!("the count `{name}` leaves the range of numbers"));
        let now = self.spoken_count(who, name)?.checked_add(amount).ok_or_else(beyond)?;
        let count = self.spoken(name)?;
        self.change(StateField::Count(who, count), StateValue::Number(now))?;
        Ok(now)
    }

    /// A note that somebody keeps; 0 if nothing was noted.
    ///
    /// # Errors
    /// `HR0408` for an unknown name.
    pub fn spoken_note(&self, who: EntityId, name: &str) -> Flow<i32> {
        let note = self.spoken(name)?;
        Ok(self.state.entity(who).map_or(0, |entity| entity.notes.get(note)))
    }

    /// Notes a number with somebody.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else when the budget is used up.
    pub fn spoken_set_note(&mut self, who: EntityId, name: &str, number: i32) -> Flow<()> {
        let note = self.spoken(name)?;
        self.change(StateField::Note(who, note), StateValue::Number(number))
    }

    /// Deals a plain amount of one type, through all stages.
    ///
    /// # Errors
    /// `HR0408` for an unknown type; else as hooks do.
    pub fn spoken_damage(&mut self, who: EntityId, amount: i32, kind: &str) -> Flow<()> {
        let kind = self.spoken(kind)?;
        self.deal_plain(amount, Some(kind), who, self.regarding(who))
    }

    /// Raises a pool, never above its maximum, and gives back by how much.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else as the pool does.
    pub fn spoken_heal(&mut self, who: EntityId, name: &str, amount: i32) -> Flow<i32> {
        let pool = self.spoken(name)?;
        self.heal(who, pool, amount, self.regarding(who))
    }

    /// Decides a check of somebody and names its degree.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else as reading, drawing and hooks do.
    pub fn spoken_check(
        &mut self,
        who: EntityId,
        name: &str,
        dc: Option<i32>,
        target: Option<EntityId>,
    ) -> Flow<String> {
        let check = self.spoken(name)?;
        let about = Situation { actor: Some(who), target, ..self.regarding(who) };
        let verdict = self.check(check, who, dc, about)?;
        Ok(self.rules.name(verdict.degree).to_owned())
    }

    /// Gives somebody a modifier on one stat, of a type or untyped.
    ///
    /// # Errors
    /// `HR0408` for an unknown name; else when the budget is used up.
    pub fn spoken_modifier(&mut self, who: EntityId, stat: &str, value: i32, kind: Option<&str>) -> Flow<()> {
        let stat = self.spoken(stat)?;
        let kind = kind.map_or(Ok(self.rules.untyped), |kind| self.spoken(kind))?;
        let source = self.regarding(who).actor;
        self.give_modifier(who, stat, kind, value, source).map(drop)
    }

    /// The first thing that somebody holds with this tag, of this page, or of
    /// this name.
    ///
    /// # Errors
    /// `HR0408` if nothing of the kind is known anywhere.
    pub fn spoken_holds(&self, who: EntityId, name: &str) -> Flow<Option<EntityId>> {
        let lexicon = &self.rules.lexicon;
        let (tag, page): (Option<TagId>, Option<ItemId>) = (lexicon.find(name), lexicon.find(name));
        self.toil_over_all()?;
        if tag.is_none() && page.is_none() && self.state.find(name).is_none() {
            self.toil((lexicon.count(NameKind::Tag) + lexicon.count(NameKind::Item)) * (1 + name.len() / 4))?;
            let near = lexicon.nearest::<TagId>(name).or_else(|| lexicon.nearest::<ItemId>(name));
            return Err(unknown("tag or item", name, near).into());
        }
        let fits = |held: &&EntityId| {
            let Some(item) = self.state.entity(**held).filter(|item| !item.gone) else { return false };
            let paged = page.is_some_and(|page| item.origin == StatBlockRef::Item(page));
            paged || &*item.name == name || tag.is_some_and(|tag| item.tags.has(tag))
        };
        Ok(self.state.entity(who).and_then(|entity| entity.holds.iter().find(fits).copied()))
    }

    /// The distance between two in feet, if both stand somewhere.
    ///
    /// # Errors
    /// As the stat of their size does.
    pub fn distance_between(&self, one: EntityId, other: EntityId) -> Flow<Option<i32>> {
        self.reckon(Situation { target: Some(other), ..Situation::of(one) }).distance()
    }
}
