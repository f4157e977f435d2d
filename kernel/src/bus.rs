//! Who hears an event, in which order, and what they may do about it.

use crate::action::Reaction;
use crate::budget::Cost;
use crate::change::{StateField, StateValue};
use crate::clock::Moment;
use crate::error::{Fault, Reach};
use crate::event::*;
use crate::ident::*;
use crate::journal::{EndReason, JournalMark, Record};
use crate::oracle::{Answer, Flow, Interrupt, Missing, Question, QuestionKind};
use crate::ruleset::{Hook, HookBody, Ruleset};
use crate::scene::{EventFrame, Scene, WrapFrame};
use crate::script::{HookCall, HookResult, Scalar};
use crate::situation::Situation;
use smallvec::SmallVec;
use std::sync::Arc;

impl Scene {
    /// Raises an event before it happens: hooks may change it or prevent it, and
    /// others may answer in its window. Gives back what became of it.
    ///
    /// # Errors
    /// As its hooks do.
    pub fn before(&mut self, event: RuleEvent) -> Flow<EventFrame> {
        let frame = EventFrame { event, prevented: None, before: true, rule: None };
        if !self.answers(event.event) {
            return Ok(frame);
        }
        self.enter(frame)?;
        let done = self.run_event(event);
        let frame = self.frames.pop().unwrap_or(frame);
        done.map(|()| frame)
    }

    /// Puts an event that has happened on the agenda, if anything may answer it.
    ///
    /// # Errors
    /// When the budget of events is used up.
    pub fn announce(&mut self, event: RuleEvent) -> Flow<()> {
        if self.answers(event.event) {
            self.pay(Cost::Event)?;
            self.agenda.push_back(event);
        }
        Ok(())
    }

    /// Whether anything in the rules or on the table answers to an event.
    #[must_use]
    pub fn answers(&self, event: EventId) -> bool {
        self.rules.heard.has(event) || self.is_awaited(event)
    }

    /// Lets the table settle and empties the agenda, first in, first out.
    ///
    /// # Errors
    /// As the hooks on the agenda do.
    pub fn catch_up(&mut self) -> Flow<()> {
        self.settle()?;
        if !self.frames.is_empty() {
            return Ok(());
        }
        while let Some(event) = self.agenda.pop_front() {
            self.happen(event)?;
            self.settle()?;
        }
        Ok(())
    }

    /// An event that happens: what is full again, what is due, what ticks,
    /// then the hooks, then the windows.
    ///
    /// # Errors
    /// As the hooks do.
    pub fn happen(&mut self, event: RuleEvent) -> Flow<()> {
        if !self.answers(event.event) {
            return Ok(());
        }
        self.enter(EventFrame { event, prevented: None, before: false, rule: None })?;
        let done = self.run_event(event);
        self.frames.pop();
        done
    }

    fn run_event(&mut self, event: RuleEvent) -> Flow<()> {
        self.refill(event)?;
        self.fire_event_timers(event)?;
        self.tick(event)?;
        self.run_hooks()?;
        self.open_window()
    }

    fn enter(&mut self, frame: EventFrame) -> Flow<()> {
        self.pay(Cost::Event)?;
        let deepest = usize::try_from(self.purse.left.depth).unwrap_or(usize::MAX);
        if self.frames.len() >= deepest {
            return Err(self.too_deep(frame.event.event).into());
        }
        self.frames.push(frame);
        Ok(())
    }

    fn too_deep(&self, event: EventId) -> Fault {
        let chain = self.frames.iter().map(|frame| self.rules.name(frame.event.event)).collect::<Vec<_>>().join(" > ");
        let event = self.rules.name(event);
        Fault::of_intent("HR0526", format!("hooks answer each other too deep: {chain} > {event}"))
    }

    fn run_hooks(&mut self) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let Some(event) = self.frame().map(|frame| frame.event.event) else { return Ok(()) };
        for (number, hook) in rules.hooks.get(event).iter().enumerate() {
            if hook.everybody {
                self.run_for_everybody(&rules, hook, number)?;
            } else {
                self.run_if_listening(&rules, hook, number)?;
            }
        }
        Ok(())
    }

    /// Runs a hook once for everybody present, as bearer of the event.
    fn run_for_everybody(&mut self, rules: &Ruleset, hook: &Hook, number: usize) -> Flow<()> {
        let bearer = self.frame().and_then(|frame| frame.event.about.bearer);
        self.toil_over_all()?;
        for who in self.everybody() {
            self.seat_bearer(Some(who));
            self.run_if_listening(rules, hook, number)?;
        }
        self.seat_bearer(bearer);
        Ok(())
    }

    fn seat_bearer(&mut self, who: Option<EntityId>) {
        self.frames.last_mut().into_iter().for_each(|frame| frame.event.about.bearer = who);
    }

    fn everybody(&self) -> SmallVec<[EntityId; 8]> {
        self.state.present().map(|(who, _)| who).collect()
    }

    fn run_if_listening(&mut self, rules: &Ruleset, hook: &Hook, number: usize) -> Flow<()> {
        let goes_on = self.frame().is_some_and(|frame| frame.prevented.is_none());
        if goes_on && self.listens(hook)? { self.run_hook(rules, hook, number) } else { Ok(()) }
    }

    /// Runs one hook of an event alone, as if the event had happened. Its `when`
    /// is asked; one that is muted leaves a line instead.
    ///
    /// # Errors
    /// As the hook does.
    pub fn run_named(&mut self, event: RuleEvent, number: usize) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let Some(hook) = rules.hooks.get(event.event).get(number) else { return Ok(()) };
        if hook.muted.is_some() {
            let (rule, text) = (hook.rule, rules.words.muted);
            let arguments = self.cast(event.about);
            return self.record(Record::Stopped { rule, text, arguments });
        }
        if !hook.everybody {
            return self.run_alone(&rules, hook, number, event);
        }
        self.toil_over_all()?;
        self.everybody().into_iter().try_for_each(|who| self.run_alone(&rules, hook, number, event.borne_by(who)))
    }

    fn run_alone(&mut self, rules: &Ruleset, hook: &Hook, number: usize, event: RuleEvent) -> Flow<()> {
        if !self.reckon(event.about).with(&event.fields).holds(hook.when.as_ref())? {
            return Ok(());
        }
        self.enter(EventFrame { event, prevented: None, before: false, rule: None })?;
        let done = self.run_hook(rules, hook, number);
        self.frames.pop();
        done
    }

    /// Whether a hook or a reaction would hear an event if it were raised now.
    ///
    /// # Errors
    /// As their questions do.
    pub fn is_heard(&self, event: RuleEvent) -> Flow<bool> {
        for hook in self.rules.hooks.get(event.event) {
            if self.anybody_listens(hook, event)? {
                return Ok(true);
            }
        }
        Ok(!self.offers(self.rules.windows.get(event.event), event)?.is_empty())
    }

    fn anybody_listens(&self, hook: &Hook, event: RuleEvent) -> Flow<bool> {
        if !hook.everybody {
            return self.would_listen(hook, event);
        }
        self.toil_over_all()?;
        for who in self.everybody() {
            if self.would_listen(hook, event.borne_by(who))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn listens(&self, hook: &Hook) -> Flow<bool> {
        self.frame().map_or(Ok(false), |frame| self.would_listen(hook, frame.event))
    }

    fn would_listen(&self, hook: &Hook, event: RuleEvent) -> Flow<bool> {
        let fields = event.fields;
        let fits = |(field, number): &(u8, i32)| fields.get(usize::from(*field)) == Some(number);
        if hook.muted.is_some() || !hook.filters.iter().all(fits) {
            return Ok(false);
        }
        match self.reckon(event.about).with(&fields).holds(hook.when.as_ref()) {
            // of everybody there are some who have not what is asked about, such as a place on the map
            Err(Interrupt::Lacks(Missing::Who(_))) if hook.everybody => Ok(false),
            holds => holds,
        }
    }

    fn run_hook(&mut self, rules: &Ruleset, hook: &Hook, number: usize) -> Flow<()> {
        self.pay(Cost::Deed)?;
        let mark = self.journal.mark();
        let before = (self.agenda.len(), self.frame().copied(), self.checks.last().copied());
        if let Some(frame) = self.frames.last_mut() {
            frame.rule = Some(hook.rule);
        }
        self.record(Record::Hooked { rule: hook.rule })?;
        match self.citing(Some(hook.rule), |scene| scene.run_body(rules, &hook.body, number, 0)) {
            Err(stop) if hook.skip && may_be_skipped(&stop) => self.skip_hook(hook.rule, mark, before),
            done => self.blaming(hook.rule, done),
        }
    }

    /// Does something in the name of a rule, or of none: what it writes cites that
    /// rule, and what comes after cites what was cited before.
    pub(crate) fn citing<T>(&mut self, rule: Option<RuleId>, run: impl FnOnce(&mut Scene) -> T) -> T {
        let outer = std::mem::replace(&mut self.rule, rule);
        let done = run(self);
        self.rule = outer;
        done
    }

    /// A fault tells which rules were running, each once, and where they stand;
    /// a tape that does not fit is no rule's fault.
    pub(crate) fn blaming(&self, rule: RuleId, done: Flow<()>) -> Flow<()> {
        match done {
            Err(Interrupt::Fault(mut fault)) => {
                let cited = self.cited(rule);
                if fault.code != "HR0702" && !fault.trail.contains(&cited) {
                    fault.pass(cited);
                }
                Err(Interrupt::Fault(fault))
            }
            done => done,
        }
    }

    fn cited(&self, rule: RuleId) -> String {
        format!("`{}` ({})", self.rules.name(rule), self.rules.place(rule))
    }

    fn run_body(&mut self, rules: &Ruleset, body: &HookBody, number: usize, depth: usize) -> Flow<()> {
        let Some(event) = self.frame().map(|frame| frame.event) else { return Ok(()) };
        match body {
            HookBody::Steps(steps) => self.perform(steps, event.about, &event.fields),
            HookBody::Script { language, hook: function, reads, writes, inner } => {
                let call = match reads {
                    None => HookCall::Event,
                    Some(reads) => HookCall::Words(self.words(reads, event)?),
                };
                if inner.is_some() {
                    self.wrapped.push(WrapFrame { event: event.event, hook: number, depth: depth + 1 });
                }
                let returned = self.enter_script(rules, *language, *function, call);
                if inner.is_some() {
                    self.wrapped.pop();
                }
                self.write_back(writes, &returned?)
            }
        }
    }

    /// Runs the hook that the running wrapper stands around.
    ///
    /// # Errors
    /// As that hook does.
    pub fn run_wrapped(&mut self) -> Flow<()> {
        let Some(wrapped) = self.wrapped.last().copied() else {
            return Err(Fault::new("HR0528", "`inner` lives only while its wrapper runs").into());
        };
        let rules = Arc::clone(&self.rules);
        let Some(hook) = rules.hooks.get(wrapped.event).get(wrapped.hook) else { return Ok(()) };
        let mut body = &hook.body;
        for _ in 0..wrapped.depth {
            match body {
                HookBody::Script { inner: Some(inner), .. } => body = inner,
                _ => return Ok(()),
            }
        }
        self.run_body(&rules, body, wrapped.hook, wrapped.depth)
    }

    fn words(&self, reads: &[crate::situation::Formula], event: RuleEvent) -> Flow<SmallVec<[Scalar; 8]>> {
        let reckoner = self.reckon(event.about).with(&event.fields);
        let read = |formula| Ok(Scalar::Number(reckoner.value(formula)?));
        reads.iter().map(read).collect()
    }

    /// Enters the guest of a language with the scene and takes it out again.
    fn enter_script(&mut self, rules: &Ruleset, language: usize, hook: usize, call: HookCall) -> Flow<HookResult> {
        let guest = crate::guest::of(rules, language)?;
        let (lent, returned) = guest.call(self.lent(), hook, call);
        *self = Scene::returned(lent);
        match self.stop.take() {
            Some(stop) => Err(stop),
            None => Ok(returned?),
        }
    }

    fn write_back(&mut self, writes: &[u8], returned: &HookResult) -> Flow<()> {
        for (field, value) in writes.iter().zip(returned).filter(|(_, value)| **value != Scalar::Nothing) {
            let number = self.returned_number(*field, value)?;
            self.write_field(*field, number)?;
        }
        Ok(())
    }

    /// Changes a field of the running event.
    ///
    /// # Errors
    /// `HR0530` if the event has already happened; `HR0528` if the field can only
    /// be read.
    pub fn write_field(&mut self, field: u8, number: i32) -> Flow<()> {
        let Some(frame) = self.frame() else { return Ok(()) };
        let (event, rule) = (frame.event.event, frame.rule);
        if !frame.before || !self.rules.events.get(event).is_open(field) {
            return Err(self.not_open(frame, field).into());
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let Some(slot) = frame.event.fields.get_mut(usize::from(field)) else { return Ok(()) };
        let before = std::mem::replace(slot, number);
        match rule.filter(|_| before != number) {
            Some(rule) => self.record(Record::Wrote { rule, event, field, before, after: number }),
            None => Ok(()),
        }
    }

    fn not_open(&self, frame: &EventFrame, field: u8) -> Fault {
        let name = self.rules.name(frame.event.event);
        if !frame.before {
            return Fault::new("HR0530", format!("`{name}` has happened; its fields cannot be changed any more"));
        }
        let shape = self.rules.events.get(frame.event.event);
        let word = shape.fields.get(usize::from(field)).map_or("?", |(word, _)| word);
        let open = shape.open_names().collect::<Vec<_>>().join("`, `");
        let help = if open.is_empty() { String::new() } else { format!("; a hook may write `{open}` there") };
        Fault::new("HR0528", format!("`{word}` of `{name}` can be read, not written{help}"))
    }

    /// Keeps the running event from happening.
    ///
    /// # Errors
    /// `HR0530` if it has already happened; `HR0528` in a window of a check.
    pub fn prevent(&mut self, text: TextId) -> Flow<()> {
        let rule = self.rule;
        let Some(frame) = self.frame() else { return Ok(()) };
        let name = self.rules.name(frame.event.event);
        if !frame.before {
            return Err(Fault::new("HR0530", format!("`{name}` has happened and cannot be prevented")).into());
        }
        if self.rules.known.check_windows().contains(&frame.event.event) {
            let told = format!("`{name}` is a window of a check, which goes on; decide it with `become` instead");
            return Err(Fault::new("HR0528", told).into());
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.prevented = Some(text);
        let about = frame.event.about;
        match rule {
            Some(rule) => {
                let arguments = self.cast(about);
                self.record(Record::Stopped { rule, text, arguments })
            }
            None => Ok(()),
        }
    }

    /// A failing hook that may be skipped is undone; its draws stay spent, and a
    /// line says so. What it changed settles again.
    fn skip_hook(&mut self, rule: RuleId, mark: JournalMark, (waiting, frame, check): Before) -> Flow<()> {
        let play: &mut crate::scene::Play = self;
        play.agenda.truncate(waiting);
        play.frames.iter_mut().next_back().zip(frame).into_iter().for_each(|(now, then)| *now = then);
        play.checks.iter_mut().next_back().zip(check).into_iter().for_each(|(now, then)| *now = then);
        play.touch_since(mark);
        play.journal.revert(&mut play.state, mark, true);
        let text = self.rules.words.skipped;
        self.record(Record::Stopped { rule, text, arguments: SmallVec::new() })
    }

    /// Lets those who may answer the running event do so, in the order of acting.
    fn open_window(&mut self) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let Some(frame) = self.frame().copied() else { return Ok(()) };
        let reactions = rules.windows.get(frame.event.event);
        if reactions.is_empty() || frame.prevented.is_some() {
            return Ok(());
        }
        for (who, reaction) in self.offers(reactions, frame.event)? {
            let Some(frame) = self.frame().copied() else { return Ok(()) };
            let about = if frame.prevented.is_some() { None } else { self.may_react(who, reaction, frame.event)? };
            let Some(about) = about else {
                let (rule, text) = (rules.reactions.get(reaction).rule, rules.words.dropped);
                let arguments = self.cast(Situation::of(who));
                self.record(Record::Stopped { rule, text, arguments })?;
                continue;
            };
            if self.agrees(who, reaction, about)? {
                self.react(who, reaction, about, frame.event)?;
            }
        }
        Ok(())
    }

    fn offers(&self, reactions: &[ReactionId], event: RuleEvent) -> Flow<SmallVec<[(EntityId, ReactionId); 8]>> {
        let mut offers = SmallVec::new();
        self.toil_over_all()?;
        for who in self.order_from_acting() {
            for reaction in reactions {
                if self.may_react(who, *reaction, event)?.is_some() {
                    offers.push((who, *reaction));
                }
            }
        }
        Ok(offers)
    }

    /// Everybody in the order of acting, beginning with the acting creature.
    fn order_from_acting(&self) -> SmallVec<[EntityId; 8]> {
        let order = &self.state.order;
        if !order.running {
            return self.everybody();
        }
        let mut members: SmallVec<[EntityId; 8]> = order.members().collect();
        let acting = members.iter().position(|who| Some(*who) == order.acting()).unwrap_or(0);
        members.rotate_left(acting);
        members
    }

    /// The situation in which somebody may react, if they may: with the item it
    /// is done with, if it needs one.
    fn may_react(&self, who: EntityId, reaction: ReactionId, event: RuleEvent) -> Flow<Option<Situation>> {
        let reaction = self.rules.reactions.get(reaction);
        let about = Situation { bearer: Some(who), ..event.about };
        let (bears, holds) = self.state.entity(who).map_or((0, 0), |entity| (entity.bears.len(), entity.holds.len()));
        self.toil(1 + bears + holds)?;
        if self.what_forbids(who, &reaction.tags).is_some() || self.can_pay(about, &reaction.cost)?.is_some() {
            return Ok(None);
        }
        let Some(tag) = reaction.item else {
            return Ok(self.would_react(reaction, about, event)?.then_some(about));
        };
        for item in self.state.entity(who).into_iter().flat_map(|entity| &entity.holds) {
            let about = Situation { item: Some(*item), other: about.item, ..about };
            if self.reckon(about).has_tag(*item, tag) && self.would_react(reaction, about, event)? {
                return Ok(Some(about));
            }
        }
        Ok(None)
    }

    fn would_react(&self, reaction: &Reaction, about: Situation, event: RuleEvent) -> Flow<bool> {
        match self.reckon(about).with(&event.fields).holds(reaction.when.as_ref()) {
            Err(Interrupt::Lacks(Missing::Who(_))) => Ok(false),
            holds => holds,
        }
    }

    /// Whether somebody wants to react; the question may name who reacts, who
    /// acts upon whom, and with what the reaction is done.
    fn agrees(&mut self, who: EntityId, reaction: ReactionId, about: Situation) -> Flow<bool> {
        let text = self.rules.reactions.get(reaction).text;
        let mut names = self.cast_names(about);
        names.extend(about.actor.map(|actor| ("actor".into(), self.name_of(actor))));
        let question = Question::new(who, text, QuestionKind::YesNo).with(names).or(false);
        Ok(self.decide(question)? == Answer::from(true))
    }

    fn react(&mut self, who: EntityId, reaction: ReactionId, about: Situation, event: RuleEvent) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        let reaction = rules.reactions.get(reaction);
        self.record(Record::Hooked { rule: reaction.rule })?;
        self.citing(Some(reaction.rule), |scene| scene.carry_out_reaction(reaction, who, about, event))
    }

    fn carry_out_reaction(
        &mut self,
        reaction: &Reaction,
        who: EntityId,
        about: Situation,
        event: RuleEvent,
    ) -> Flow<()> {
        self.spend(about, &reaction.cost)?;
        let (actor, target) = (Some(who), event.about.actor);
        let about = Situation { actor, target, action: reaction.action, ..about };
        // what the targets of the other's action share is none of this
        let shared = std::mem::take(&mut self.shared);
        let done = self.perform(&reaction.steps, about, &event.fields);
        self.shared = shared;
        done
    }

    /// Fills pools and clears counts that begin anew with an event.
    fn refill(&mut self, event: RuleEvent) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        if !rules.refilling.has(event.event) {
            return Ok(());
        }
        self.toil_over_all()?;
        for who in self.concerned(event) {
            self.refill_one(&rules, event.event, who)?;
        }
        Ok(())
    }

    /// Whom an event is about: its bearer, or everybody if it has none.
    fn concerned(&self, event: RuleEvent) -> SmallVec<[EntityId; 8]> {
        match event.about.bearer {
            Some(who) => SmallVec::from_slice(&[who]),
            None => self.everybody(),
        }
    }

    fn refill_one(&mut self, rules: &Ruleset, event: EventId, who: EntityId) -> Flow<()> {
        self.toil(rules.counts.len() + rules.pools.len())?;
        for (count, _) in rules.counts.iter().filter(|(_, count)| count.resets == Some(event)) {
            if self.state.entity(who).is_some_and(|entity| entity.counts.get(count) != 0) {
                self.change(StateField::Count(who, count), StateValue::Number(0))?;
            }
        }
        for (pool, _) in rules.pools.iter().filter(|(_, pool)| pool.resets == Some(event)) {
            let most = self.reckon(Situation::of(who)).most(who, pool)?;
            if self.state.entity(who).is_some_and(|entity| entity.pools.get(pool) != most) {
                self.change(StateField::Pool(who, pool), StateValue::Number(most))?;
            }
        }
        Ok(())
    }

    fn fire_event_timers(&mut self, event: RuleEvent) -> Flow<()> {
        let due = |timer: &&crate::state::Timer| matches!(timer.due, Moment::Event { event: due, who, .. } if due == event.event && (who.is_none() || event.about.bearer.is_none() || who == event.about.bearer));
        self.toil(self.state.timers.len())?;
        let timers: SmallVec<[crate::state::Timer; 4]> = self.state.timers.iter().filter(due).copied().collect();
        for timer in timers {
            self.count_down(timer)?;
        }
        Ok(())
    }

    fn count_down(&mut self, timer: crate::state::Timer) -> Flow<()> {
        match timer.due {
            Moment::Event { event, who, left } if left > 1 => {
                let due = Moment::Event { event, who, left: left - 1 };
                self.change(StateField::Timer(timer.serial), StateValue::Timer(crate::state::Timer { due, ..timer }))
            }
            _ => self.end_instance(timer.bearer, timer.instance, EndReason::Time),
        }
    }

    /// Runs what the conditions of everybody do at this event.
    fn tick(&mut self, event: RuleEvent) -> Flow<()> {
        let rules = Arc::clone(&self.rules);
        if !rules.ticking.has(event.event) {
            return Ok(());
        }
        let who = event.about.bearer;
        self.toil_over_all()?;
        for bearer in self.everybody() {
            let bears = self.state.entity(bearer).map_or(0, |entity| entity.bears.len());
            self.toil(bears + bears * bears / 16)?;
            let per_source = |condition| rules.conditions.get(condition).each_counts();
            let borne = self.state.entity(bearer).map(|entity| entity.counting(per_source));
            let borne: SmallVec<[(Serial, ConditionId, Option<EntityId>); 4]> =
                borne.into_iter().flatten().map(|borne| (borne.serial, borne.condition, borne.source)).collect();
            for (serial, condition, source) in borne {
                for tick in &rules.conditions.get(condition).ticks {
                    let whose = if tick.source { source } else { Some(bearer) };
                    if tick.at == event.event && (who.is_none() || whose == who) {
                        self.run_tick(tick, bearer, serial, source)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn run_tick(
        &mut self,
        tick: &crate::condition::Tick,
        bearer: EntityId,
        serial: Serial,
        source: Option<EntityId>,
    ) -> Flow<()> {
        let Some(value) = self.state.entity(bearer).and_then(|entity| entity.instance(serial)).map(|borne| borne.value)
        else {
            return Ok(());
        };
        let about = Situation { source, instance: Some(serial), ..Situation::of(bearer) };
        if !self.reckon(about).with(&[value]).holds(tick.when.as_ref())? {
            return Ok(());
        }
        self.record(Record::Hooked { rule: tick.rule })?;
        let done = self.citing(Some(tick.rule), |scene| scene.perform(&tick.steps, about, &[value]));
        self.blaming(tick.rule, done)
    }
}

/// What a hook may change besides the state: how many events wait, and the
/// running event and check.
type Before = (usize, Option<EventFrame>, Option<crate::scene::CheckFrame>);

/// Whether a hook that ends so may be passed over: only for a mistake of its own.
fn may_be_skipped(stop: &Interrupt) -> bool {
    match stop {
        Interrupt::Fault(fault) => fault.reach == Reach::Rule,
        Interrupt::Lacks(Missing::Who(_)) => true,
        Interrupt::Lacks(Missing::Fact(_)) | Interrupt::Ask(_) | Interrupt::Refuse(_) | Interrupt::Disrupt => false,
    }
}
