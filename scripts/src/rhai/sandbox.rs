//! Bears a Rhai engine that knows only what a rule needs.

use super::price::OPERATION;
use super::{api, library, lists, maps, numbers, reading, texts};
use crate::handover::Handover;
use ::rhai::{Dynamic, Engine, LexError, OptimizationLevel, Token};
use std::sync::Once;

/// Words and signs that files may not use.
const DISABLED: [&str; 18] = [
    "eval",
    "import",
    "export",
    "try",
    "catch",
    "throw",
    "print",
    "debug",
    "Fn",
    "curry",
    "this",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "<<",
    ">>",
    "<<=",
    ">>=",
];

/// Calls within calls, those of hooks within hooks counted together; bounds the stack of the thread.
const CALL_LEVELS: usize = 20;
/// Blocks and operations within each other in one hook, and in a function that has a name; with the calls it makes the
/// deepest stack, which fits into that of a browser.
const NESTED: (usize, usize) = (40, 32);

/// An engine without any pack file.
pub(super) fn bear(passage: &Handover) -> Engine {
    fix_hashes();
    let mut engine = Engine::new_raw();
    numbers::teach(&mut engine);
    texts::teach(&mut engine, &passage.account);
    lists::teach(&mut engine, &passage.account);
    maps::teach(&mut engine);
    library::teach(&mut engine, passage);
    api::teach(&mut engine, passage);
    forbid(&mut engine);
    bound(&mut engine, passage);
    engine
}

/// Names of closures and orders of hashes must not differ between processes.
fn fix_hashes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A host that used the engine before has fixed or drawn its seed already; no name of a closure is ever shown.
        let _fixed = ::rhai::config::hashing::set_hashing_seed(Some([0x486f, 0x7573, 0x6572, 0x756c]));
    });
}

#[expect(deprecated, reason = "not deprecated but volatile, says the crate; its version is pinned")]
fn forbid(engine: &mut Engine) {
    for symbol in DISABLED {
        engine.disable_symbol(symbol);
    }
    own_division(engine);
    engine.set_strict_variables(true);
    engine.set_fail_on_invalid_map_property(true);
    engine.set_optimization_level(OptimizationLevel::None);
    engine.on_parse_token(|token, _, _| match token {
        Token::FloatConstant(number) => {
            let sentence = format!("rules know whole numbers only, not `{}`; use `div_floor` or `div_ceil`", number.1);
            Token::LexError(Box::new(LexError::Runtime(sentence)))
        }
        other => other,
    });
}

/// Division rounds down. As operators of its own, the signs go past the engine's fast path, which would cut toward zero
/// whatever is registered; `/=` and `%=` cannot, and are no words of this language.
fn own_division(engine: &mut Engine) {
    for sign in ["/", "%", "/=", "%="] {
        engine.disable_symbol(sign);
    }
    for sign in ["/", "%"] {
        let known = engine.register_custom_operator(sign, AS_TIMES);
        debug_assert!(known.is_ok(), "a disabled sign may become an operator");
    }
}

/// How strongly the engine's `*` binds.
const AS_TIMES: u8 = 180;

fn bound(engine: &mut Engine, passage: &Handover) {
    let limits = *passage.account.limits();
    engine.set_max_call_levels(CALL_LEVELS.min(limits.depth as usize));
    engine.set_max_expr_depths(NESTED.0, NESTED.1);
    engine.set_max_string_size(limits.text / 2);
    engine.set_max_array_size(limits.elements);
    engine.set_max_map_size(limits.elements / 5);
    engine.set_max_variables(64);
    engine.set_max_functions(512);
    engine.set_max_modules(0);
    let account = passage.account.clone();
    engine.on_progress(move |_| account.spend(OPERATION).is_err().then_some(Dynamic::UNIT));
    reading::teach(engine, passage.account.clone());
}
