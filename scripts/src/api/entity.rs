//! What a script can say to an entity.

use super::{Arg, Binder, Of, Type, Word};
use crate::value::{ScriptValue, WordArguments};
use houserule_kernel::clock::Unit;
use houserule_kernel::ident::EntityId;
use houserule_kernel::oracle::Flow;
use houserule_kernel::resolve::{ApplyOptions, InstanceFilter};
use houserule_kernel::scene::Scene;
use houserule_kernel::script::Scalar;

const STAT: Arg = Arg::new("stat", Type::Name);
const POOL: Arg = Arg::new("pool", Type::Name);
const CONDITION: Arg = Arg::new("condition", Type::Name);
const TAG: Arg = Arg::new("tag", Type::Name);
const COUNT: Arg = Arg::new("count", Type::Name);
const NOTE: Arg = Arg::new("note", Type::Name);
const AMOUNT: Arg = Arg::new("amount", Type::Number);
const OTHER: Arg = Arg::new("other", Type::Entity);
const ITEM: Arg = Arg::new("item", Type::Name);
const NAME: Arg = Arg::new("name", Type::Name);
const SPELL: Arg = Arg::maybe(
    "options",
    Type::Options(&[
        Arg::maybe("value", Type::Number),
        Arg::maybe("rounds", Type::Number),
        Arg::maybe("minutes", Type::Number),
        Arg::maybe("hours", Type::Number),
        Arg::maybe("days", Type::Number),
        Arg::maybe("until_event", Type::Name),
        Arg::maybe("whose", Type::Entity),
        Arg::maybe("times", Type::Number),
        Arg::maybe("from", Type::Entity),
        Arg::maybe("toward", Type::Entity),
    ]),
);
const MORE: Arg = Arg::new(
    "options",
    Type::Options(&[
        Arg::maybe("rounds", Type::Number),
        Arg::maybe("minutes", Type::Number),
        Arg::maybe("hours", Type::Number),
        Arg::maybe("days", Type::Number),
        Arg::maybe("until_event", Type::Name),
        Arg::maybe("whose", Type::Entity),
        Arg::maybe("times", Type::Number),
        Arg::maybe("from", Type::Entity),
        Arg::maybe("toward", Type::Entity),
    ]),
);
const THOSE: Arg =
    Arg::maybe("options", Type::Options(&[Arg::maybe("from", Type::Entity), Arg::maybe("toward", Type::Entity)]));
const PAUSE: Arg = Arg::maybe(
    "options",
    Type::Options(&[
        Arg::maybe("stopped", Type::YesNo),
        Arg::maybe("from", Type::Entity),
        Arg::maybe("toward", Type::Entity),
    ]),
);
const TOWARD: Arg = Arg::maybe("toward", Type::Entity);
const BY: Arg = Arg::new("by", Type::Number);
const TRIAL: Arg =
    Arg::maybe("options", Type::Options(&[Arg::maybe("dc", Type::Number), Arg::maybe("target", Type::Entity)]));
const MODIFIER: Arg = Arg::maybe("options", Type::Options(&[Arg::maybe("type", Type::Name)]));

const fn of(name: &'static str, takes: &'static [Arg], gives: Type, doc: &'static str) -> Word {
    Word::new(Of::Entity, name, takes, gives, doc)
}

/// Tells a binder the words.
pub(super) fn describe(b: &mut impl Binder) {
    itself(b);
    numbers(b);
    conditions(b);
    memory(b);
    deeds(b);
}

fn itself(b: &mut impl Binder) {
    b.word(of("name", &[], Type::Text, "Its name, unlike any other at the table."), |scene, t| {
        Ok(ScriptValue::from(&*scene.name_of(t.who(0))))
    });
    b.word(of("side", &[], Type::Text, "The side it is on."), |scene, t| {
        let side = scene.state.entity(t.who(0)).map(|entity| entity.side.clone());
        Ok(ScriptValue::from(&*side.unwrap_or_default()))
    });
    b.word(of("is_same", &[OTHER], Type::YesNo, "Whether the other is the same entity; `==` says so too."), |_, t| {
        Ok(ScriptValue::from(t.who(0) == t.who(1)))
    });
    b.word(
        of("holds", &[ITEM], Type::Entity, "The first thing it holds with this tag or name.").or_nothing(),
        |scene, t| Ok(ScriptValue::entity(scene.spoken_holds(t.who(0), t.name(1))?)),
    );
    b.word(
        of("distance_to", &[OTHER], Type::Number, "Feet between the two, if both stand on the map.").or_nothing(),
        |scene, t| Ok(scene.distance_between(t.who(0), t.who(1))?.map_or(ScriptValue::NOTHING, ScriptValue::from)),
    );
}

fn numbers(b: &mut impl Binder) {
    b.word(
        of("stat", &[STAT], Type::Number, "The total of a stat; `speed.crawling` looks through a view."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_stat(t.who(0), t.name(1))?)),
    );
    b.word(of("pool", &[POOL], Type::Number, "What is left in a pool."), |scene, t| {
        Ok(ScriptValue::from(scene.pool(t.who(0), scene.spoken(t.name(1))?)))
    });
    b.word(of("pool_max", &[POOL], Type::Number, "The most a pool holds."), |scene, t| {
        Ok(ScriptValue::from(scene.pool_max(t.who(0), scene.spoken(t.name(1))?)?))
    });
    b.word(
        of("set_pool", &[POOL, AMOUNT], Type::Number, "Sets a pool within its range; gives by how much it changed."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_set_pool(t.who(0), t.name(1), t.number(2).into())?)),
    );
    b.word(
        of("add_pool", &[POOL, AMOUNT], Type::Number, "Adds to a pool within its range; gives by how much it changed."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_add_pool(t.who(0), t.name(1), t.number(2))?)),
    );
}

fn conditions(b: &mut impl Binder) {
    let has = const { &[NAME, TOWARD] };
    b.word(
        of("has", has, Type::YesNo, "Whether it has a tag or bears a condition, maybe toward somebody."),
        |scene, t| {
            let (who, name) = (t.who(0), t.name(1));
            let toward = t.maybe_who(2).map(|toward| scene.spoken_has_toward(who, name, toward));
            Ok(ScriptValue::from(toward.unwrap_or_else(|| scene.spoken_has(who, name))?))
        },
    );
    b.word(
        of("value", &[CONDITION], Type::Number, "The value of a condition; 0 where it is not borne."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_value(t.who(0), t.name(1))?)),
    );
    b.word(
        of("apply", &[CONDITION, SPELL], Type::YesNo, "Puts a condition on it; says whether it took hold."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_apply(t.who(0), t.name(1), &spell(t))?)),
    );
    b.word(
        of("remove", const { &[CONDITION, THOSE] }, Type::YesNo, "Ends a condition; says whether it was borne."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_remove(t.who(0), t.name(1), those(t, 2))?)),
    );
    changes_of_conditions(b);
    b.word(of("tag", &[TAG], Type::Nothing, "Gives it a tag."), |scene, t| tagged(scene, t, true));
    b.word(of("untag", &[TAG], Type::Nothing, "Takes a tag away."), |scene, t| tagged(scene, t, false));
}

fn changes_of_conditions(b: &mut impl Binder) {
    let shift = const { &[CONDITION, BY, THOSE] };
    b.word(
        of("shift", shift, Type::Nothing, "Raises the value of a condition, or lowers it by less than 0."),
        |scene, t| {
            scene.spoken_shift(t.who(0), t.name(1), t.number(2), those(t, 3))?;
            Ok(ScriptValue::NOTHING)
        },
    );
    let suspend = const { &[CONDITION, PAUSE] };
    b.word(
        of("suspend", suspend, Type::Nothing, "Keeps a condition from doing anything; its time may be stopped."),
        |scene, t| {
            let stopped = t.option(2, "stopped") == Some(&Scalar::YesNo(true));
            scene.spoken_suspend(t.who(0), t.name(1), stopped, those(t, 2))?;
            Ok(ScriptValue::NOTHING)
        },
    );
    b.word(
        of("resume", const { &[CONDITION, THOSE] }, Type::Nothing, "Lets a suspended condition go on."),
        |scene, t| {
            scene.spoken_resume(t.who(0), t.name(1), those(t, 2))?;
            Ok(ScriptValue::NOTHING)
        },
    );
    b.word(
        of("extend", const { &[CONDITION, MORE] }, Type::Nothing, "Lets a condition last longer, or less long."),
        |scene, t| {
            scene.spoken_extend(t.who(0), t.name(1), &spell(t))?;
            Ok(ScriptValue::NOTHING)
        },
    );
    b.word(
        of("sustain", &[CONDITION], Type::Nothing, "Keeps up a condition that it caused, whoever bears it."),
        |scene, t| {
            scene.spoken_sustain(t.who(0), t.name(1))?;
            Ok(ScriptValue::NOTHING)
        },
    );
}

/// Which instances of a condition the options mean.
fn those(t: &WordArguments, at: usize) -> InstanceFilter {
    InstanceFilter { from: t.who_option(at, "from"), toward: t.who_option(at, "toward") }
}

fn tagged(scene: &mut Scene, t: &WordArguments, on: bool) -> Flow<ScriptValue> {
    scene.spoken_tag(t.who(0), t.name(1), on)?;
    Ok(ScriptValue::NOTHING)
}

fn spell(t: &WordArguments) -> ApplyOptions {
    let lasts = Unit::WORDS.iter().filter_map(|(word, unit)| Some((*unit, t.number_option(2, word)?)));
    let times = t.number_option(2, "times").and_then(|times| u32::try_from(times).ok()).unwrap_or(1).max(1);
    ApplyOptions {
        value: t.number_option(2, "value"),
        lasts: lasts.collect(),
        until: t.name_option(2, "until_event").map(|event| (event.into(), t.who_option(2, "whose"), times)),
        from: t.who_option(2, "from"),
        toward: t.who_option(2, "toward"),
    }
}

fn memory(b: &mut impl Binder) {
    b.word(of("count", &[COUNT], Type::Number, "A count."), |scene, t| {
        Ok(ScriptValue::from(scene.spoken_count(t.who(0), t.name(1))?))
    });
    b.word(of("add_count", &[COUNT, AMOUNT], Type::Number, "Adds to a count; gives what it is now."), |scene, t| {
        Ok(ScriptValue::from(scene.spoken_add_count(t.who(0), t.name(1), t.number(2))?))
    });
    b.word(of("note", &[NOTE], Type::Number, "A note it keeps; 0 if nothing was noted."), |scene, t| {
        Ok(ScriptValue::from(scene.spoken_note(t.who(0), t.name(1))?))
    });
    b.word(of("set_note", &[NOTE, AMOUNT], Type::Nothing, "Notes a number."), |scene, t| {
        scene.spoken_set_note(t.who(0), t.name(1), t.number(2))?;
        Ok(ScriptValue::NOTHING)
    });
}

fn deeds(b: &mut impl Binder) {
    let kind = const { &[AMOUNT, Arg::new("type", Type::Name)] };
    b.word(of("damage", kind, Type::Nothing, "Deals it damage of a type, through all stages."), |scene, t| {
        scene.spoken_damage(t.who(0), t.number(1), t.name(2))?;
        Ok(ScriptValue::NOTHING)
    });
    b.word(
        of("heal", &[POOL, AMOUNT], Type::Number, "Raises a pool up to its maximum; gives by how much."),
        |scene, t| Ok(ScriptValue::from(scene.spoken_heal(t.who(0), t.name(1), t.number(2))?)),
    );
    let check = const { &[Arg::new("check", Type::Name), TRIAL] };
    b.word(of("check", check, Type::Name, "Makes a check; gives its degree."), |scene, t| {
        let (dc, target) = (t.number_option(2, "dc"), t.who_option(2, "target"));
        Ok(ScriptValue::from(&*scene.spoken_check(t.who(0), t.name(1), dc, target)?))
    });
    let modifier = const { &[STAT, AMOUNT, MODIFIER] };
    b.word(
        of("modifier", modifier, Type::Nothing, "Gives it a modifier on a stat, untyped if no type is said."),
        |s, t| {
            s.spoken_modifier(t.who(0), t.name(1), t.number(2), t.name_option(3, "type"))?;
            Ok(ScriptValue::NOTHING)
        },
    );
}

/// An entity as a scalar.
pub(super) fn somebody(who: Option<EntityId>) -> Flow<ScriptValue> {
    Ok(ScriptValue::One(who.map_or(Scalar::Nothing, |who| Scalar::Entity(who.0))))
}
