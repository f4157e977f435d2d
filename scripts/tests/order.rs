//! Nothing of an address, of a hash or of the room that the machine keeps reaches what a Lua hook gives.
#![cfg(any(feature = "luau", feature = "lua54"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod common;

use common::{Lua, run};
use houserule_kernel::script::Scalar;
use houserule_scripts::ScriptErrorKind::{self, Runtime, Syntax, Value};

fn gives(body: &str) -> Result<Scalar, ScriptErrorKind> {
    run::<Lua>(body).map_err(|error| error.kind)
}

fn number(body: &str) -> i32 {
    match gives(body) {
        Ok(Scalar::Number(number)) => number,
        other => panic!("{body}: {other:?}"),
    }
}

/// However a list came to hold what it holds, its length is the same, and both machines give the same.
#[test]
fn the_length_of_a_list_goes_by_what_stands_in_it() {
    for (body, length) in [
        ("local t = {}", 0),
        ("local t = {1}", 1),
        ("local t = {1, 2}", 2),
        ("local t = {1, 2, 3}", 3),
        ("local t = {1, 2, 3, 4}", 4),
        ("local t = {1, 2, 3, 4, 5}", 5),
        ("local t = {} for i = 1, 7 do t[i] = i end", 7),
        ("local t = {} for i = 1, 8 do t[#t + 1] = i end", 8),
        ("local t = {} for i = 1000, 1, -1 do t[i] = i end", 1000),
        ("local t = {nil, 2}", 0),
        ("local t = {nil, nil, 3}", 0),
        ("local t = {1, nil, 3}", 1),
        ("local t = {1, 2, nil, 4}", 4),
        ("local t = {1, 2, 3, 4} t[3] = nil", 4),
        ("local t = {} t[4] = 4 t[2] = 2 t[1] = 1", 4),
        ("local t = {} t[1] = 1 t[2] = 2 t[4] = 4", 4),
        ("local t = {1, nil, nil, 4}", 1),
        ("local t = {n = 1} t[1] = 1 t.n = nil t.m = 2 t[2] = 2 t[4] = 4", 4),
        ("local t = {} for i = 1, 100 do t[i] = i end for i = 1, 99 do t[i] = nil end", 0),
        ("local t = {} for i = 1, 100 do t[i] = i end for i = 3, 99 do t[i] = nil end", 2),
        (
            "local t = {} for i = 1, 100 do t['k' .. i] = i t[i] = i end for i = 1, 50 do t['k' .. i] = nil t[2 * i - 1] = nil end",
            0,
        ),
        (
            "local t = {} for i = 1, 100 do t['k' .. i] = i t[i] = i end for i = 1, 49 do t['k' .. i] = nil t[2 * i + 1] = nil end",
            100,
        ),
        ("local t = {1, 2, 3} t[1 / 0] = 1 t[2 ^ 53] = 1", 3),
        ("local t = frozen{1, 2, 3}", 3),
    ] {
        let body = body.replace("2 ^ 53", "9007199254740992");
        assert_eq!(number(&format!("{body} return #t")), length, "{body}");
        assert_eq!(number(&format!("{body} local u = t return #u + #t * 0 + 0 * #'é'")), length, "{body}");
    }
    for (body, length) in [("''", 0), ("'abc'", 3), ("'a' .. 'b'", 2), ("('x'):rep(100)", 100)] {
        assert_eq!(number(&format!("local s = {body} return #s")), length);
        assert_eq!(number(&format!("return #({body})")), length);
    }
    assert_eq!(gives("return #nil"), Err(Runtime));
    assert_eq!(gives("local n = 1 return #n"), Err(Runtime));
}

/// Powers of two that stand far apart end the search for a length by its own bound.
#[test]
fn a_length_ends_whatever_stands_in_the_list() {
    let far =
        "local t, i = {}, 1 while i < 9007199254740992 do t[i] = 1 i = i * 2 end t[1 / 0] = 1 return #t > 0 and 1 or 0";
    assert_eq!(number(far), 1);
}

/// The library goes by the same length, and a sort by an order that is none gives one and the same.
#[test]
fn lists_with_holes_are_one_thing_everywhere() {
    for (body, given) in [
        ("local t = {1, nil, 3} table.insert(t, 9) return t[2]", 9),
        ("local t = {1, 2, 3, 4} t[2] = nil return table.remove(t)", 1),
        ("local t = {1, nil, 3} table.sort(t) return t[3]", 3),
        ("local t = {3, 1, 2} table.sort(t, function() return true end) return t[1] * 100 + t[2] * 10 + t[3]", 213),
        ("local t = {3, 1, 2} table.sort(t, function() return false end) return t[1] * 100 + t[2] * 10 + t[3]", 312),
        (
            "local t = {3, 1, 2} local n = 0 table.sort(t, function() n = n + 1 return n % 2 == 0 end) return t[1] * 100 + t[2] * 10 + t[3]",
            231,
        ),
        ("local n = 0 for i in ipairs({1, 2, nil, 4}) do n = i end return n", 2),
        ("local n = 0 for k, v in pairs({5, nil, 7, x = 1, [0] = 2}) do n = n * 10 + v end return n", 2571),
        (
            "local t = {b = 2, a = 1} t.b = nil t.c = 3 t.b = 4 local n = 0 for k, v in pairs(t) do n = n * 10 + v end return n",
            143,
        ),
    ] {
        assert_eq!(number(body), given, "{body}");
    }
}

#[test]
fn only_what_has_an_order_can_be_a_key() {
    for body in [
        "local t, k = {}, {} t[k] = 1",
        "local t, k = {}, function() end t[k] = 1",
        "local t, k = {}, on t[k] = 1",
        "local t, k = {}, table t[k] = 1",
        "local t, k = {}, { {} } t[k[1]] = 1",
        "local t, k = {}, { {} } t = { [k[1]] = 1 }",
        "local t, k = {}, {} local u = { [1] = { [k] = 1 } }",
        "local t = {} local function f() return {} end t[f()] = 1",
        "local t = {} local function f(...) t[...] = 1 end f({})",
        "local t, k = {}, {} t[a and k] = 1",
        "local t, k = {}, {} t[(k)] = 1",
        "local t, k = { {} }, {} t[1][k] = 1",
        "local t, k = {}, {} t.x, t[k] = 1, 2",
        "local t, k = {}, {} t[1], t[k] = 1",
        "local k = {} local f = { [k] = a }",
        "local t, k = {}, frozen{} t[k] = 1",
    ] {
        assert_eq!(gives(body), Err(Runtime), "{body}");
    }
    for (body, given) in [
        ("local t, k = {}, 'x' t[k] = 1 return t.x", 1),
        ("local t, k = {}, a t[k] = 1 return t[7]", 1),
        ("local t, k = {}, a == 7 t[k] = 1 return t[true]", 1),
        ("local t, k = { x = { 5 } }, 'x' t[k][1] = 2 return t.x[1]", 2),
        ("local t, k = {}, {} return t[k] == nil and 1 or 0", 1),
        ("local k = 'x' local t = { [k] = 3, [k .. 'y'] = 4 } return t.x + t.xy", 7),
        ("local t = { 1, 2 } local i, j = 1, 2 t[i], t[j] = t[j], t[i] return t[1]", 2),
    ] {
        assert_eq!(number(body), given, "{body}");
    }
    assert_eq!(gives("local t, k = {} t[k] = 1"), Err(Runtime), "nothing is no key");
}

#[cfg(feature = "luau")]
#[test]
fn a_change_in_place_is_held_to_the_same_keys() {
    assert_eq!(gives("local t, k = {}, {} t[k] += 1"), Err(Runtime));
    assert_eq!(number("local t, k = { x = 1 }, 'x' t[k] += 1 return t.x"), 2);
}

/// What the guards are called cannot be said, shadowed or defined.
#[test]
fn names_of_the_guards_belong_to_the_language() {
    for body in [
        "local __length = 1",
        "local function __key(k) return k end",
        "for __key = 1, 2 do end",
        "for _, __key in pairs({}) do end",
        "local f = function(__length) end",
        "return __length({})",
        "__key = 1",
        "function __key() end",
    ] {
        assert_eq!(gives(body), Err(Syntax), "{body}");
    }
    assert_eq!(number("local t = { __length = 1, _x = 2 } local _ = t.__length return _"), 1);
}

/// Strings stand in the order of their bytes, whatever the locale of the host is.
#[test]
fn strings_are_compared_by_their_bytes() {
    for body in [
        "'Z' < 'a'",
        "'a' < 'é'",
        "'z' < 'é'",
        "'' < 'a'",
        "'a' < 'aa'",
        "'a-b' < 'aa'",
        "'a' <= 'a'",
        "'b' >= 'a'",
        "'é' > 'z'",
    ] {
        let named = body.split_once(' ').unwrap();
        let (sign, right) = named.1.split_once(' ').unwrap();
        let body = format!("local x, y = {}, {right} return x {sign} y and 1 or 0", named.0);
        assert_eq!(number(&body), 1, "{body}");
    }
    assert_eq!(number("local t = {'é', 'a', 'Z', 'z'} table.sort(t) return t[1] == 'Z' and t[4] == 'é' and 1 or 0"), 1);
    assert_eq!(gives("local x, y = 1, 'a' return x < y"), Err(Runtime));
    assert_eq!(gives("local x, y = {}, {} return x < y"), Err(Runtime));
}

/// What is told of a value that has an address is its kind.
#[test]
fn no_address_is_told() {
    for value in ["{}", "function() end", "on", "table"] {
        for body in ["local s = tostring(v) return s", "local s = 'x' .. tostring(v) return s"] {
            let body = body.replace('v', value);
            let given = gives(&body).unwrap();
            assert!(matches!(&given, Scalar::Name(name) if !name.contains("0x")), "{given:?}");
        }
        for body in [
            "error(v)",
            "local s = 'x' .. v",
            "local n = v + 1",
            "local n = v < v",
            "return v",
            "local n = -v",
            "local f = {} f[v] = 1",
            "local f = 1 f(v)",
            "table.concat({ v })",
            "string.len(v)",
            "assert(false, v)",
            "local s = string s[v]()",
        ] {
            let body = format!("local w = {value} {}", body.replace('v', "w"));
            let error = run::<Lua>(&body).unwrap_err();
            assert!(!error.message.contains("0x"), "{error:?}");
            assert!([Runtime, Value].contains(&error.kind), "{error:?}");
        }
    }
}
