//! What maps can do. Their entries stand in the order of their names.

use super::lists::{asking, count, equal};
use ::rhai::{Array, Dynamic, Engine, FuncRegistration, ImmutableString, Map};

/// Teaches an engine the functions.
pub(super) fn teach(engine: &mut Engine) {
    asking!(engine, "len", |map: &mut Map| count(map.len()));
    asking!(engine, "is_empty", |map: &mut Map| map.is_empty());
    asking!(engine, "contains", |map: &mut Map, key: ImmutableString| map.contains_key(key.as_str()));
    asking!(engine, "get", |map: &mut Map, key: ImmutableString| map.get(key.as_str()).cloned().unwrap_or_default());
    asking!(engine, "keys", |map: &mut Map| map.keys().map(|key| Dynamic::from(key.to_string())).collect::<Array>());
    asking!(engine, "values", |map: &mut Map| map.values().cloned().collect::<Array>());
    asking!(engine, "==", |one: &mut Map, other: Map| equal(&Dynamic::from_map(one.clone()), &other.into()));
    asking!(engine, "!=", |one: &mut Map, other: Map| !equal(&Dynamic::from_map(one.clone()), &other.into()));
    engine.register_fn("set", |map: &mut Map, key: ImmutableString, value: Dynamic| {
        map.insert(key.as_str().into(), value);
    });
    engine.register_fn("remove", |map: &mut Map, key: ImmutableString| map.remove(key.as_str()).unwrap_or_default());
    engine.register_fn("clear", |map: &mut Map| map.clear());
    for name in ["mixin", "+="] {
        engine.register_fn(name, |map: &mut Map, other: Map| map.extend(other));
    }
    engine.register_fn("+", |mut map: Map, other: Map| {
        map.extend(other);
        map
    });
    engine.register_fn("fill_with", |map: &mut Map, other: Map| {
        for (key, value) in other {
            map.entry(key).or_insert(value);
        }
    });
}
