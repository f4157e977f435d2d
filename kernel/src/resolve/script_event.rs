//! Deeds by name: what scripts ask about the running event, roll, say and raise.

use super::script_entity::unknown;
use crate::dice::FaceStatus;
use crate::error::{Fault, nearest};
use crate::event::{EventShape, FieldType, MOST_FIELDS, NOBODY, RuleEvent, entity_field, field_entity};
use crate::formula::ExpectedType;
use crate::ident::*;
use crate::journal::{Argument, Record, SaidText};
use crate::oracle::{Answer, Flow, Interrupt, Question, QuestionKind};
use crate::question::TextArguments;
use crate::scene::Scene;
use crate::script::Scalar;
use crate::situation::{Formula, Situation, Variable};
use crate::text::Template;
use crate::variables::{Variables, name_of, number_of};
use smallvec::SmallVec;
use std::sync::Arc;

/// What a script rolled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptRoll {
    /// What it comes to.
    pub total: i32,
    /// The face of the one die that counts; 0 if several do.
    pub natural: i32,
    /// The faces that count, in the order drawn.
    pub faces: Vec<i32>,
}

/// How much work it is to read one letter of an expression.
const PARSING: usize = 4;

/// The most options that a script offers.
const MOST_OPTIONS: usize = 256;

/// Names with what they stand for, as a script writes them down.
pub type NamedValues = [(Box<str>, Scalar)];

impl Scene {
    fn shape(&self) -> Option<&EventShape> {
        self.frame().map(|frame| self.rules.events.get(frame.event.event))
    }

    /// The place and kind of a field of the running event.
    fn field_at(&self, name: &str) -> Option<(usize, FieldType)> {
        let shape = self.shape()?;
        let at = shape.fields.iter().position(|(field, _)| **field == *name)?;
        shape.fields.get(at).map(|(_, field)| (at, *field))
    }

    /// The names of the fields of the running event.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.shape().into_iter().flat_map(|shape| shape.fields.iter().map(|(name, _)| &**name))
    }

    /// A field of the running event; `None` if it has none of that name.
    #[must_use]
    pub fn spoken_field(&self, name: &str) -> Option<Scalar> {
        let (at, field) = self.field_at(name)?;
        self.field_scalar(at, field)
    }

    fn field_scalar(&self, at: usize, field: FieldType) -> Option<Scalar> {
        let number = *self.frame()?.event.fields.get(at)?;
        Some(match field {
            FieldType::Number => Scalar::Number(number),
            FieldType::YesNo => Scalar::YesNo(number > 0),
            FieldType::Entity => field_entity(number).map_or(Scalar::Nothing, |who| Scalar::Entity(who.0)),
            FieldType::Name(kind) => name_of(&self.rules.lexicon, kind, number).map_or(Scalar::Nothing, Scalar::Name),
        })
    }

    /// The fields of the running event with these places.
    #[must_use]
    pub fn fields_at(&self, places: &[u8]) -> Vec<Scalar> {
        let kind = |place: usize| self.shape().and_then(|shape| shape.fields.get(place)).map(|(_, field)| *field);
        let read = |place: &u8| {
            let place = usize::from(*place);
            kind(place).and_then(|field| self.field_scalar(place, field)).unwrap_or(Scalar::Nothing)
        };
        places.iter().map(read).collect()
    }

    /// Changes a field of the running event; what stands there already may be
    /// written at any time.
    ///
    /// # Errors
    /// `HR0402` for what does not fit the field; `HR0408` for an unknown name;
    /// `HR0530` if the event has already happened.
    pub fn set_spoken_field(&mut self, name: &str, value: &Scalar) -> Flow<()> {
        let Some((at, field)) = self.field_at(name) else { return Err(self.no_field(name).into()) };
        let number = self.field_number(name, field, value)?;
        let stands = self.frame().and_then(|frame| frame.event.fields.get(at)) == Some(&number);
        if stands { Ok(()) } else { self.write_field(u8::try_from(at).unwrap_or(u8::MAX), number) }
    }

    /// The fault of a field that the running event does not have.
    #[must_use]
    pub fn no_field(&self, name: &str) -> Fault {
        let event = self.frame().map_or("?", |frame| self.rules.name(frame.event.event));
        let near = nearest(name, self.field_names()).map(|near| format!("; did you mean `{near}`?"));
        let known = || format!("; it has `{}`", self.field_names().collect::<Vec<_>>().join("`, `"));
        Fault::new("HR0408", format!("`{event}` has no field `{name}`{}", near.unwrap_or_else(known)))
    }

    fn field_number(&self, name: &str, field: FieldType, value: &Scalar) -> Flow<i32> {
        let number = match (field, value) {
            (FieldType::Number, Scalar::Number(number)) => Some(*number),
            (FieldType::YesNo, Scalar::YesNo(answer)) => Some(i32::from(*answer)),
            (FieldType::Entity | FieldType::Name(_), Scalar::Nothing) => Some(NOBODY),
            (FieldType::Entity, Scalar::Entity(who)) => Some(entity_field(Some(EntityId(*who)))),
            (FieldType::Name(kind), Scalar::Name(word)) => return self.name_number(kind, word),
            _ => None,
        };
        let wanted = match field {
            FieldType::Number => "a number",
            FieldType::YesNo => "a yes or no",
            FieldType::Entity => "an entity or nothing",
            FieldType::Name(_) => "a name",
        };
        number.ok_or_else(|| Fault::new("HR0402", format!("the field `{name}` holds {wanted}")).into())
    }

    /// What a hook gave for a field that it writes.
    ///
    /// # Errors
    /// `HR0402` for what does not fit the field; `HR0529` for an unknown name.
    pub fn returned_number(&self, field: u8, value: &Scalar) -> Flow<i32> {
        let place = self.shape().and_then(|shape| shape.fields.get(usize::from(field)));
        let Some((name, kind)) = place else { return Ok(NOBODY) };
        self.field_number(name, *kind, value).map_err(|stop| match stop {
            Interrupt::Fault(fault) if fault.code == "HR0408" => {
                Fault::new("HR0529", format!("`{name}` cannot be that: {}", fault.message)).into()
            }
            stop => stop,
        })
    }

    fn name_number(&self, kind: NameKind, name: &str) -> Flow<i32> {
        if let Some(number) = number_of(&self.rules.lexicon, kind, name) {
            return Ok(number);
        }
        let names = self.rules.lexicon.names(kind);
        self.toil(names.len() * (1 + name.len() / 4))?;
        let near = nearest(name, names.iter().map(AsRef::as_ref));
        Err(unknown(kind.word(), name, near).into())
    }

    /// Keeps the running event from happening.
    ///
    /// # Errors
    /// `HR0408` for an unknown text; `HR0530` if it has already happened.
    pub fn spoken_prevent(&mut self, text: &str) -> Flow<()> {
        let text = self.spoken(text)?;
        self.prevent(text)
    }

    /// Refuses the whole intent.
    ///
    /// # Errors
    /// Always: the refusal, or why there can be none.
    pub fn spoken_refuse(&mut self, text: &str) -> Flow<()> {
        let text = self.spoken(text)?;
        self.refuse(text)
    }

    /// Whether the damage that the running event tells of has a tag.
    ///
    /// # Errors
    /// `HR0408` for an unknown tag.
    pub fn spoken_damage_has(&self, tag: &str) -> Flow<bool> {
        let about = self.frame().map(|frame| frame.event.about).unwrap_or_default();
        Ok(self.read_slot(Variable::DamageTagged(self.spoken(tag)?), about)? != 0)
    }

    /// Compiles an expression over the words of the running event.
    fn compiled(&self, text: &str, want: ExpectedType) -> Flow<Formula> {
        let choices = self.rules.options.iter().map(|(_, switch)| 1 + switch.choices.len());
        self.toil(PARSING * text.len() + choices.sum::<usize>())?;
        let options = self.rules.options.iter();
        let choices: Vec<Vec<Box<str>>> = options
            .map(|(_, switch)| switch.choices.iter().map(|choice| self.rules.name(*choice).into()).collect())
            .collect();
        let locals = self.shape().map(|shape| shape.fields.as_slice()).unwrap_or_default();
        let words = Variables { lexicon: &self.rules.lexicon, locals, choices: &choices };
        let formula = Formula::compile(text, &words, want);
        let formula = if want == ExpectedType::Number {
            formula.or_else(|_| Formula::compile(text, &words, ExpectedType::YesNo))
        } else {
            formula
        };
        if formula.is_err() {
            let names = NameKind::ALL.iter().map(|kind| self.rules.lexicon.count(*kind));
            self.toil(names.sum::<usize>() * (1 + text.len() / 16))?;
        }
        formula.map_err(|mistakes| {
            let told = mistakes.first().map(|mistake| {
                let help = mistake.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
                format!("{}{help}", mistake.message)
            });
            Fault::new("HR0402", format!("`{text}` cannot be read: {}", told.unwrap_or_default())).into()
        })
    }

    fn event_numbers(&self) -> [i32; MOST_FIELDS] {
        self.frame().map_or([NOBODY; MOST_FIELDS], |frame| frame.event.fields)
    }

    /// The value of an expression for somebody; a question gives 1 or 0.
    ///
    /// # Errors
    /// `HR0402` if it cannot be read; else as reading does.
    pub fn spoken_formula(&self, text: &str, who: EntityId) -> Flow<i32> {
        let formula = self.compiled(text, ExpectedType::Number)?;
        self.reckon(self.regarding(who)).with(&self.event_numbers()).value(&formula)
    }

    /// Rolls an expression for somebody, or for who acts.
    ///
    /// # Errors
    /// `HR0402` if it cannot be read, `HR0408` for an unknown stream; else as
    /// drawing does.
    pub fn spoken_roll(&mut self, text: &str, stream: Option<&str>, who: Option<EntityId>) -> Flow<ScriptRoll> {
        let formula = self.compiled(text, ExpectedType::Roll)?;
        let stream = stream.map_or(Ok(self.rules.streams.roll), |stream| self.spoken(stream))?;
        let about = self.frame().map(|frame| frame.event.about).unwrap_or_default();
        let who = who.or(about.actor).or(about.bearer).unwrap_or(EntityId::TABLE);
        let numbers = self.event_numbers();
        let (total, natural) = self.throw(&formula, who, stream, about.seen_by(who), &numbers)?;
        let kept = self.roll.iter().flat_map(|roll| &roll.faces).filter(|face| face.fate == FaceStatus::Kept);
        Ok(ScriptRoll { total, natural, faces: kept.map(|face| face.value).collect() })
    }

    /// Raises an event of the packs. Says whether it happens: nobody prevented it.
    ///
    /// # Errors
    /// `HR0408` for unknown names, `HR0402` for what does not fit; else as hooks do.
    pub fn spoken_raise(&mut self, event: &str, fields: &NamedValues) -> Flow<bool> {
        let rules = Arc::clone(&self.rules);
        let id: EventId = self.spoken(event)?;
        if rules.is_kernels(id) {
            return Err(not_to_raise(event).into());
        }
        let shape = rules.events.get(id);
        let mut numbers = shape.blank();
        for (name, value) in fields {
            let at = shape.fields.iter().position(|(field, _)| field == name);
            let Some((at, (_, field))) = at.and_then(|at| Some((at, shape.fields.get(at)?))) else {
                let near = nearest(name, shape.fields.iter().map(|(field, _)| &**field));
                return Err(unknown(&format!("field of `{event}` named"), name, near).into());
            };
            if let Some(number) = numbers.get_mut(at) {
                *number = self.field_number(name, *field, value)?;
            }
        }
        let about = self.frame().map(|frame| frame.event.about).unwrap_or_default();
        self.raise_about(id, shape, numbers, about)
    }

    /// Raises an event of the packs; whom its fields name is whom it is about.
    /// Says whether it happens: nobody prevented it.
    ///
    /// # Errors
    /// As hooks do.
    pub(super) fn raise_about(
        &mut self,
        event: EventId,
        shape: &EventShape,
        fields: [i32; MOST_FIELDS],
        about: Situation,
    ) -> Flow<bool> {
        let hit = self.frame().map_or(0, |frame| frame.event.hit);
        let named = |word: &str| {
            let at = shape.fields.iter().position(|(name, field)| **name == *word && *field == FieldType::Entity)?;
            field_entity(*fields.get(at)?)
        };
        let about = Situation {
            bearer: named("who").or(about.bearer),
            target: named("target").or(about.target),
            item: named("item").or(about.item),
            source: named("from").or(about.source),
            ..about
        };
        let event = RuleEvent { hit, ..RuleEvent::new(event, about, &fields) };
        match shape.before {
            true => Ok(self.before(event)?.prevented.is_none()),
            false => self.announce(event).map(|()| true),
        }
    }

    /// Says a line to everybody. Whom the event is about need not be named.
    ///
    /// # Errors
    /// `HR0408` for an unknown text, or one with a place that is not filled; else
    /// when the budget is used up.
    pub fn spoken_say(&mut self, text: &str, given: &NamedValues) -> Flow<()> {
        let id = self.spoken(text)?;
        let arguments = self.arguments(text, given)?;
        self.record(Record::Said { text: id, arguments, audience: Audience::Everyone })
    }

    /// What a text is told with: what is given, and whom the event is about.
    fn arguments(&self, text: &str, given: &NamedValues) -> Flow<SmallVec<[Argument; 2]>> {
        let about = self.frame().map(|frame| frame.event.about).unwrap_or_default();
        let mut arguments = self.cast(about);
        let template = self.rules.texts.template(crate::text::FALLBACK, text);
        let places = template.map(Template::arguments).unwrap_or_default();
        let named = |name: &str| self.rules.texts.names(text, name);
        self.toil(4 + (places.len() + given.len()) * self.rules.texts.languages().count())?;
        let actor = about.actor.filter(|_| places.contains(&"actor"));
        arguments.extend(actor.map(|who| Argument { name: "actor".into(), value: SaidText::Entity(who) }));
        arguments.retain(|known| given.iter().all(|(name, _)| *name != known.name));
        let told = given.iter().filter(|(name, _)| named(name));
        arguments.extend(told.map(|(name, value)| Argument { name: name.clone(), value: said(value) }));
        let empty = |place: &&str| arguments.iter().all(|argument| *argument.name != **place);
        match places.iter().copied().find(empty) {
            Some(place) => Err(unfilled(text, place, given, &places).into()),
            None => Ok(arguments),
        }
    }

    /// Asks somebody, or the game master, about some names: to choose one or
    /// several of them, or to put them in order. Gives those that were named.
    ///
    /// # Errors
    /// The question, if nobody answers it now; `HR0408` for an unknown text;
    /// `HR0402` if there is nothing to choose from.
    pub fn spoken_choice(
        &mut self,
        who: Option<EntityId>,
        text: &str,
        options: &[Box<str>],
        kind: impl FnOnce(u32) -> QuestionKind,
        given: &NamedValues,
    ) -> Flow<Vec<Box<str>>> {
        let who = who.unwrap_or(EntityId::TABLE);
        if options.len() > MOST_OPTIONS {
            return Err(Fault::new("HR0402", format!("`{text}` offers more than {MOST_OPTIONS} options")).into());
        }
        self.toil(4 * options.len())?;
        let question = Question::about(who, self.spoken(text)?, options.to_vec(), kind);
        if let Some(lack) = too_few(question.asked, options) {
            return Err(Fault::new("HR0402", format!("`{text}` gives {lack}; name the options")).into());
        }
        let question = question.with(self.spoken_arguments(text, given)?);
        let answer = self.decide(question)?;
        Ok(answer.places().filter_map(|place| options.get(place).cloned()).collect())
    }

    /// Asks somebody, or the game master, for a number or for a yes or no.
    ///
    /// # Errors
    /// The question, if nobody answers it now; `HR0408` for an unknown text;
    /// `HR0402` if no number is between the bounds, or if the default is none
    /// of the answers.
    pub fn spoken_answer(
        &mut self,
        who: Option<EntityId>,
        text: &str,
        asked: QuestionKind,
        default: Option<i32>,
        given: &NamedValues,
    ) -> Flow<i32> {
        let question = Question::new(who.unwrap_or(EntityId::TABLE), self.spoken(text)?, asked);
        let default = default.map(Answer::One);
        let legal = match (asked, &default) {
            (_, Some(default)) => asked.settled(default).is_some(),
            (QuestionKind::Number { least, most }, None) => least <= most,
            _ => true,
        };
        if !legal {
            let told = format!("`{text}` has no such answer; its default and bounds do not fit each other");
            return Err(Fault::new("HR0402", told).into());
        }
        let question = Question { default, ..question }.with(self.spoken_arguments(text, given)?);
        Ok(self.decide(question)?.number())
    }

    fn spoken_arguments(&self, text: &str, given: &NamedValues) -> Flow<TextArguments> {
        let named = |argument: Argument| (argument.name, self.spelled(argument.value));
        Ok(self.arguments(text, given)?.into_iter().map(named).collect())
    }

    fn spelled(&self, value: SaidText) -> Box<str> {
        match value {
            SaidText::Number(number) => number.to_string().into(),
            SaidText::Entity(who) => self.name_of(who),
            SaidText::Word(word) => word,
        }
    }

    /// How a house-rule switch is set: the name of a choice, or a number.
    ///
    /// # Errors
    /// `HR0408` for an unknown name.
    pub fn spoken_option(&self, name: &str) -> Flow<Scalar> {
        let option: OptionId = self.spoken(name)?;
        let number = self.state.options.get(option);
        let choice = usize::try_from(number).ok().and_then(|at| self.rules.options.get(option).choices.get(at));
        Ok(choice.map_or(Scalar::Number(number), |choice| Scalar::Name(self.rules.name(*choice).into())))
    }
}

/// The fault of an event that happens when the kernel says so.
pub(super) fn not_to_raise(event: &str) -> Fault {
    let told = format!(
        "`{event}` is raised by the kernel alone, when it happens; raise an event of your own, `[event.NAME]`, or do \
         what brings it about"
    );
    Fault::new("HR0534", told)
}

/// What is wrong with the options of a question, if anything is.
fn too_few(asked: QuestionKind, options: &[Box<str>]) -> Option<&'static str> {
    match asked {
        QuestionKind::Several { of, least, most } if least > most || least > of => Some("too little to choose from"),
        QuestionKind::Several { .. } => None,
        _ => options.is_empty().then_some("nothing to choose from"),
    }
}

/// The fault of a place in a text that nothing fills.
fn unfilled(text: &str, place: &str, given: &NamedValues, places: &[&str]) -> Fault {
    let wrong = given.iter().map(|(name, _)| &**name).filter(|name| !places.contains(name));
    match wrong.into_iter().find(|wrong| nearest(wrong, [place]).is_some()) {
        Some(wrong) => unknown(&format!("place in `{text}` named"), wrong, Some(place)),
        None => Fault::new("HR0408", format!("`{text}` has a place for `{place}`, but nothing is said for it")),
    }
}

fn said(value: &Scalar) -> SaidText {
    match value {
        Scalar::Nothing => SaidText::Word(Box::default()),
        Scalar::Number(number) => SaidText::Number(*number),
        Scalar::YesNo(answer) => SaidText::Word(if *answer { "yes" } else { "no" }.into()),
        Scalar::Name(name) => SaidText::Word(name.clone()),
        Scalar::Entity(who) => SaidText::Entity(EntityId(*who)),
    }
}
