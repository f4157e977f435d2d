//! Stubs for editors and the reference page, made from the one list of words.

use crate::api::{Arg, Of, Type, Word, words, words_of};
use houserule_kernel::event::{FieldType, HIT_FIELDS, KERNEL_EVENTS, PHASE_FIELDS, open_fields};
use std::collections::BTreeMap;

/// Classes of handles, with what they are.
const CLASSES: [(Of, &str, &str); 3] = [
    (Of::Entity, "Entity", "A creature or a thing at the table. `==` says whether two are the same."),
    (Of::Event, "Event", "The event whose hook runs. Its fields are read by name, and written before it happens."),
    (Of::Roll, "Roll", "What was rolled."),
];

type Fields = &'static [(&'static str, FieldType)];

/// The events that the kernel raises, with their fields and whether they come before what they speak of.
fn events() -> Vec<(&'static str, Fields, bool)> {
    let mut events = KERNEL_EVENTS.to_vec();
    events.push(("damage/STAGE", HIT_FIELDS, true));
    events.push(("a phase, such as turn.start", PHASE_FIELDS, false));
    events
}

/// Every field that some event of the kernel has.
fn all_fields() -> BTreeMap<&'static str, FieldType> {
    events().into_iter().flat_map(|(_, fields, _)| fields.iter().copied()).collect()
}

/// The stub for Lua editors, in LuaCATS notes.
#[must_use]
pub fn lua() -> String {
    let mut out = String::from("---@meta\n-- Made from the one list of words; do not edit.\n");
    for (of, class, doc) in CLASSES {
        out += &format!("\n--- {doc}\n---@class {class}\n");
        let properties = words_of(of).filter(|word| word.property);
        properties.for_each(|word| out += &format!("---@field {} {} {}\n", word.name, lua_result(word), word.doc));
        if of == Of::Event {
            let known = |name: &str| words_of(of).any(|word| word.name == name);
            let fields = all_fields().into_iter().filter(|(name, _)| !known(name));
            fields.for_each(|(name, field)| out += &format!("---@field {name} {}\n", lua_field(field)));
        }
        out += &format!("local {class} = {{}}\n");
        let methods = words_of(of).filter(|word| !word.property);
        methods.for_each(|word| out += &lua_function(word, &format!("{class}:")));
    }
    words_of(Of::Free).for_each(|word| out += &lua_function(word, ""));
    words_of(Of::Library).for_each(|word| out += &lua_function(word, "math."));
    out += LUA_DECLARING;
    out
}

const LUA_DECLARING: &str = "
--- Declares a hook: `name`, and maybe `when`, `reads`, `writes`, `before`, `after`, `priority`, `because`, `bearer`, `on_error`.
---@param event string
---@param options table
---@param hook function
function on(event, options, hook) end

--- Runs around another hook; `inner()` runs that one and gives what it wrote.
---@param name string
---@param hook function
function wrap(name, hook) end

--- Silences another hook, and says why.
---@param name string
---@param options { because: string }
function mute(name, options) end
";

fn lua_function(word: &Word, before: &str) -> String {
    let mut out = format!("\n--- {} (since {})\n", word.doc, word.since);
    for arg in word.takes {
        out += &format!("---@param {}{} {}\n", arg.name, if arg.needed { "" } else { "?" }, lua_type(arg.is));
    }
    if word.gives != Type::Nothing {
        out += &format!("---@return {}\n", lua_result(word));
    }
    let takes = word.takes.iter().map(|arg| arg.name).collect::<Vec<_>>().join(", ");
    out += &format!("function {before}{}({takes}) end\n", word.name);
    out
}

fn lua_result(word: &Word) -> String {
    format!("{}{}", lua_type(word.gives), if word.maybe { "?" } else { "" })
}

fn lua_type(is: Type) -> String {
    let word = match is {
        Type::Number => "integer",
        Type::YesNo => "boolean",
        Type::Name | Type::Text => "string",
        Type::Entity => "Entity",
        Type::Event => "Event",
        Type::Roll => "Roll",
        Type::Anything => "any",
        Type::Names => "string[]",
        Type::Numbers => "integer[]",
        Type::Table => "table<string, any>",
        Type::Nothing => "nil",
        Type::Options(options) => {
            let option = |option: &Arg| format!("{}?: {}", option.name, lua_type(option.is));
            return format!("{{ {} }}", options.iter().map(option).collect::<Vec<_>>().join(", "));
        }
    };
    word.to_owned()
}

fn lua_field(field: FieldType) -> &'static str {
    match field {
        FieldType::Number => "integer?",
        FieldType::YesNo => "boolean?",
        FieldType::Entity => "Entity?",
        FieldType::Name(_) => "string?",
    }
}

/// The stub for Rhai editors.
#[must_use]
pub fn rhai() -> String {
    let mut out = String::from("// Made from the one list of words; do not edit.\nmodule static;\n");
    for word in words() {
        let subject = word.of.said_to();
        let all = subject.iter().chain(word.takes);
        let takes = all.map(|arg| format!("{}: {}", arg.name, rhai_type(arg.is))).collect::<Vec<_>>().join(", ");
        let name = if word.property { format!("get {}", word.name) } else { word.name.to_owned() };
        let options = word.takes.iter().find(|arg| !arg.needed);
        let left_out = options.map(|arg| format!(" `{}` may be left out.", arg.name)).unwrap_or_default();
        out += &format!("\n/// {} (since {}){left_out}{}\n", word.doc, word.since, rhai_options(word));
        out += &format!("fn {name}({takes}) -> {};\n", rhai_type(word.gives));
    }
    out
}

fn rhai_options(word: &Word) -> String {
    let known = word.takes.iter().find_map(|arg| match arg.is {
        Type::Options(options) => Some(options),
        _ => None,
    });
    let names = |options: &[Arg]| options.iter().map(|option| option.name).collect::<Vec<_>>().join("`, `");
    known.map(|options| format!(" Options: `{}`.", names(options))).unwrap_or_default()
}

fn rhai_type(is: Type) -> &'static str {
    match is {
        Type::Number => "int",
        Type::YesNo => "bool",
        Type::Name | Type::Text => "String",
        Type::Entity => "entity",
        Type::Event => "event",
        Type::Roll => "roll",
        Type::Anything => "?",
        Type::Names | Type::Numbers => "Array",
        Type::Table | Type::Options(_) => "Map",
        Type::Nothing => "()",
    }
}

const INTRODUCTION: &str = "# What scripts can say

Hooks in Lua (`hooks/NAME.lua`) and Rhai (`hooks/NAME.rhai`) say the same words; this page is made from the list that
both languages are bound by. Examples are Lua: Rhai writes `who.apply(\"x\", #{ value: 1 })` for
`who:apply(\"x\", { value = 1 })`, and an absent value is `()` instead of `nil`. A name that the packs do not know is an
error with the nearest known one. Numbers are whole and fit 32 bits.

## Declaring

```lua
on(\"pool.emptied\", { name = \"empty.begin\", pool = \"breath\", when = \"not own_turn\" }, function(ev)
  ev.who:apply(\"spent\")
end)
on(\"check.total\", { name = \"luck\", reads = { \"total\", \"natural\" }, writes = { \"total\" } }, function(total, natural)
  return total + 1
end)
wrap(\"empty.begin\", function(ev, inner) inner() end)
wrap(\"luck\", function(inner, total, natural) return inner() + 1 end)
mute(\"luck\", { because = \"nobody is lucky here\" })
```

A hook has a `name`, and maybe `when` (a question), `before` and `after` (names of hooks), `priority` (higher first),
`because`, `bearer = \"everybody\"` (it runs once for each who is present, as `ev.bearer`), `on_error = \"skip\"`
(a failing hook is undone and left out), and filters: fields of the event that hold
names. With `reads` it is called with those values and gives one value for each name in `writes`; giving nothing
changes nothing. Without `reads` it is called with the event. `inner()` runs the wrapped hook and gives what it wrote.
At file level stand constants, functions and declarations only: scripts remember nothing between calls.
";

/// The reference page, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut out = String::from(INTRODUCTION);
    for (of, class, doc) in CLASSES {
        out += &format!("\n## {class}\n\n{doc}\n\n{TABLE_HEAD}");
        words_of(of).for_each(|word| out += &row(word, ""));
    }
    out += &format!("\n## Free functions\n\n{TABLE_HEAD}");
    words_of(Of::Free).for_each(|word| out += &row(word, ""));
    out += &format!("\n## Sums\n\nIn Lua they are in `math`; in Rhai they stand by themselves.\n\n{TABLE_HEAD}");
    words_of(Of::Library).for_each(|word| out += &row(word, "math."));
    out += &event_table();
    out
}

const TABLE_HEAD: &str = "| write | gives | meaning | since |\n|---|---|---|---|\n";

fn row(word: &Word, before: &str) -> String {
    let options = rhai_options(word);
    format!("| `{before}{}` | {} | {}{options} | {} |\n", word.usage(), gives(word), word.doc, word.since)
}

fn gives(word: &Word) -> String {
    format!("{}{}", word.gives.described(), if word.maybe { " or nothing" } else { "" })
}

fn event_table() -> String {
    let mut out = String::from(
        "\n## Events of the kernel\n\nAn event *before* can be prevented, and those of its fields written that are named. ",
    );
    out += "Packs declare more with `[event.NAME]`; every field of theirs may be written.\n\n";
    out += "| event | when | fields | a hook may write |\n|---|---|---|---|\n";
    for (name, fields, before) in events() {
        let field = |(name, field): &(&str, FieldType)| format!("`{name}` {}", field_kind(*field));
        let fields = fields.iter().map(field).collect::<Vec<_>>().join(", ");
        let open = open_fields(if name == "damage/STAGE" { "damage/" } else { name });
        let named = fields.split(", ").zip(0_u32..).filter(|(_, at)| before && open >> at & 1 == 1);
        let open = named.filter_map(|(field, _)| field.split(' ').next()).collect::<Vec<_>>().join(", ");
        let name = if name.contains(' ') { name.to_owned() } else { format!("`{name}`") };
        out += &format!("| {name} | {} | {fields} | {open} |\n", if before { "before" } else { "after" });
    }
    out
}

fn field_kind(field: FieldType) -> String {
    match field {
        FieldType::Number => "number".to_owned(),
        FieldType::YesNo => "yes or no".to_owned(),
        FieldType::Entity => "entity".to_owned(),
        FieldType::Name(kind) => format!("name of a {}", kind.word()),
    }
}
