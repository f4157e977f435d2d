//! The words that a file may say once: `on`, `wrap` and `mute`.

use super::RhaiResult;
use crate::declaration::{Options, RawOption, word};
use crate::scalar::whole;
use ::rhai::{Dynamic, Engine, FnPtr, ImmutableString, Map, NativeCallContext};
use houserule_kernel::script::{Declared, Scalar};
use std::cell::RefCell;
use std::rc::Rc;

/// One call of a word, not yet checked.
#[derive(Debug)]
pub(super) struct RhaiDeclaration {
    pub(super) deed: Declared,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) first: String,
    pub(super) options: Result<Options, String>,
    pub(super) function: Option<FnPtr>,
}

/// What the files said so far.
#[derive(Debug, Default)]
pub(super) struct RhaiDeclarations {
    pub(super) calls: Vec<RhaiDeclaration>,
    /// No more is heard.
    pub(super) closed: bool,
}

/// Teaches an engine the words.
pub(super) fn teach(engine: &mut Engine) -> Rc<RefCell<RhaiDeclarations>> {
    let heard = Rc::new(RefCell::new(RhaiDeclarations::default()));
    let ear = || Ear(Rc::clone(&heard));
    let on = ear();
    engine.register_fn("on", move |call: NativeCallContext<'_>, event: ImmutableString, said: Map, hook: FnPtr| {
        on.hear(&call, Declared::On, &event, Some(&said), Some(hook))
    });
    let wrap = ear();
    engine.register_fn("wrap", move |call: NativeCallContext<'_>, name: ImmutableString, said: Map, hook: FnPtr| {
        wrap.hear(&call, Declared::Wrap, &name, Some(&said), Some(hook))
    });
    let wrap = ear();
    engine.register_fn("wrap", move |call: NativeCallContext<'_>, name: ImmutableString, hook: FnPtr| {
        wrap.hear(&call, Declared::Wrap, &name, None, Some(hook))
    });
    let mute = ear();
    engine.register_fn("mute", move |call: NativeCallContext<'_>, name: ImmutableString, said: Map| {
        mute.hear(&call, Declared::Mute, &name, Some(&said), None)
    });
    let mute = ear();
    engine.register_fn("mute", move |call: NativeCallContext<'_>, name: ImmutableString| {
        mute.hear(&call, Declared::Mute, &name, None, None)
    });
    heard
}

struct Ear(Rc<RefCell<RhaiDeclarations>>);

impl Ear {
    fn hear(
        &self,
        call: &NativeCallContext<'_>,
        deed: Declared,
        first: &str,
        said: Option<&Map>,
        function: Option<FnPtr>,
    ) -> RhaiResult<()> {
        let mut heard = self.0.borrow_mut();
        if heard.closed {
            return Err(format!("`{}` belongs at file level, not into a hook", word(deed)).into());
        }
        let place = call.call_position();
        let count = |number: Option<usize>| number.and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
        heard.calls.push(RhaiDeclaration {
            deed,
            file: call.call_source().unwrap_or("").to_owned(),
            line: count(place.line()),
            column: count(place.position()),
            first: first.to_owned(),
            options: said.map_or_else(|| Ok(Options::new()), options),
            function: function.map(without_memory),
        });
        Ok(())
    }
}

/// What a closure captured is copied, so that no call leaves anything behind for the next.
fn without_memory(mut function: FnPtr) -> FnPtr {
    let captured: Vec<Dynamic> = function.iter_curry().map(Dynamic::flatten_clone).collect();
    function.set_curry(captured);
    function
}

/// How a word is written, for one that was called in another way.
pub(super) fn usage(word: &str) -> Option<&'static str> {
    match word {
        "on" => Some("write `on(\"event\", #{ name: \"…\" }, |…| { … })`"),
        "wrap" => Some("write `wrap(\"hook\", |inner, …| { … })`"),
        "mute" => Some("write `mute(\"hook\", #{ because: \"…\" })`"),
        _ => None,
    }
}

fn options(map: &Map) -> Result<Options, String> {
    map.iter().map(|(key, value)| Ok((key.to_string(), said(value)?))).collect()
}

fn said(value: &Dynamic) -> Result<RawOption, String> {
    if let Ok(number) = value.as_int() {
        let number = whole(number).map_err(|wrong| wrong.message().to_owned())?;
        return Ok(match number {
            Scalar::Number(number) => RawOption::Number(number),
            _ => RawOption::Other("number"),
        });
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(RawOption::Text(text.to_string()));
    }
    if let Ok(list) = value.as_array_ref() {
        let names: Result<Vec<String>, _> = list.iter().map(|name| name.clone().into_string()).collect();
        return Ok(names.map_or(RawOption::Other("list of other things"), RawOption::List));
    }
    Ok(RawOption::Other(if value.is_map() { "map" } else { "value of another type" }))
}
