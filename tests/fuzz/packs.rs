//! Packs made at random of the words of the data language: they load, or are told with file and line, and stay within
//! the caps either way.

use crate::near::{all_told, edited, edits};
use crate::{cases, every_word};
use houserule::kernel::ident::NameKind;
use houserule::loader::pack::limits::{MOST_DEFINITIONS, MOST_IN_A_SET, MOST_OF_A_KIND};
use houserule::loader::problems::MOST_IN_ALL;
use houserule::{Pack, Ruleset, Table, load_with, shipped};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// Edits of one file, as `near` makes them.
type Edits = Vec<(Index, usize, usize)>;

/// What the data language is made of, taken from the pack that says every word.
struct Language {
    headers: Vec<String>,
    keys: Vec<String>,
    values: Vec<String>,
}

fn language() -> &'static Language {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    LANGUAGE.get_or_init(|| {
        let pack = every_word();
        let lines = || pack.files().filter(|(name, _)| name.ends_with(".toml")).flat_map(|(_, text)| text.lines());
        let headers: BTreeSet<&str> = lines().filter_map(|line| line.strip_prefix('[')?.split(']').next()).collect();
        let fields = || lines().filter_map(|line| line.split_once(" = "));
        let keys: BTreeSet<&str> = fields().map(|(key, _)| key).collect();
        let values: BTreeSet<&str> = fields().map(|(_, value)| value).collect();
        let owned = |words: BTreeSet<&str>| words.into_iter().map(str::to_owned).collect();
        Language { headers: owned(headers), keys: owned(keys), values: owned(values) }
    })
}

/// Names, few enough to meet again, and some that are none.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(vec!["a", "b", "K", "a_K", "might", "blood", "strike", "rank", "guard", "untyped", "x/y", "turn.start"])
            .prop_map(str::to_owned),
        1 => select(vec!["", "A", "é", "a-b", "9", "\u{202e}", "K.K", "extends", "family", "remove"]).prop_map(|name| format!("\"{name}\"")),
        1 => (90..110usize).prop_map(|length| "n".repeat(length)),
    ]
}

/// Values of every type, sound or not.
fn value() -> impl Strategy<Value = String> {
    let known = select(language().values.clone());
    let plain = select(vec![
        "0",
        "-1",
        "1",
        "2147483648",
        "-9223372036854775808",
        "1.5",
        "nan",
        "true",
        "1979-05-27",
        "\"\"",
        "\"K\"",
        "[]",
        "{}",
        "\"a\"",
        "\"tag:a\"",
        "\"1d6 + a\"",
        "\"a_K + b\"",
        "[\"a\", \"b\", \"a\"]",
        "\"{a} {b|c}\"",
        "''' '''",
    ]);
    let leaf = prop_oneof![
        6 => known,
        4 => plain.prop_map(str::to_owned),
        1 => (1..3_000usize).prop_map(|length| format!("\"{}\"", "a + ".repeat(length))),
        1 => (1..40usize).prop_map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth))),
        1 => (1..40usize).prop_map(|depth| format!("\"{}1{}\"", "(".repeat(depth), ")".repeat(depth))),
    ];
    leaf.prop_recursive(4, 12, 4, |inner| {
        let field =
            (select(language().keys.clone()), inner.clone()).prop_map(|(key, value)| format!("{key} = {value}"));
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            proptest::collection::vec(field, 0..4).prop_map(|fields| format!("{{ {} }}", fields.join(", "))),
        ]
    })
}

/// A list of the words that a family stands for.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(name(), 0..4).prop_map(|words| format!("K = {words:?}\n")),
        (0..220usize)
            .prop_map(|count| format!("K = {:?}\n", (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>())),
        select(vec!["K = 1\n", "K = [\"K\"]\nJ = [\"a\", \"b\"]\n", ""]).prop_map(str::to_owned),
    ]
}

/// A table, as it is, under another name, in a family, as a change, or in a family in a family.
fn block() -> impl Strategy<Value = String> {
    let header =
        (select(language().headers.clone()), proptest::option::of(name())).prop_map(|(header, name)| match name {
            Some(name) => format!("{}.{name}", header.rsplit_once('.').map_or(header.as_str(), |(front, _)| front)),
            None => header,
        });
    let key = prop_oneof![6 => select(language().keys.clone()), 1 => name()];
    let fields = proptest::collection::vec((key, value()), 0..5)
        .prop_map(|fields| fields.iter().map(|(key, value)| format!("{key} = {value}\n")).collect::<String>());
    (header, fields, words(), 0..10u8).prop_map(|(header, fields, words, form)| match form {
        0 => format!("[family.f]\n{words}[family.f.{header}]\n{fields}"),
        1 => format!("[family.f]\n{words}[family.f.family.g]\n{words}[family.f.family.g.{header}]\n{fields}"),
        2 => format!("[change.{header}]\n{fields}"),
        3 => format!("[remove]\n{fields}"),
        4 => format!("[[{header}]]\n{fields}"),
        _ => format!("[{header}]\n{fields}"),
    })
}

/// Packs that may lie on each other, on the pack of every word, or in a circle.
fn packs() -> impl Strategy<Value = Vec<Pack>> {
    let file = proptest::collection::vec(block(), 0..8).prop_map(|blocks| blocks.concat());
    let below = select(vec![
        "",
        "extends = \"every_word\"\n",
        "extends = [\"p0\"]\n",
        "extends = [\"p1\", \"every_word\"]\n",
        "extends = 1\n",
    ]);
    let one = (below, proptest::collection::vec(file, 1..4)).prop_map(|(below, files)| (below, files));
    (proptest::collection::vec(one, 1..4), any::<bool>()).prop_map(|(packs, grounded)| {
        let made = packs.into_iter().enumerate().map(|(at, (below, files))| {
            let manifest = format!("id = \"p{}\"\nversion = \"1\"\ntitle = \"T\"\n{below}", at % 3);
            let named =
                |(at, text): (usize, &String)| (format!("{}{at}.toml", ["", "text/e", "spell/"][at % 3]), text.clone());
            let pack = Pack::new().with("pack.toml", &manifest);
            files.iter().enumerate().map(named).fold(pack, |pack, (name, text)| pack.with(&name, &text))
        });
        grounded.then(every_word).into_iter().chain(made).collect()
    })
}

fn within_caps(rules: &Arc<Ruleset>) {
    for kind in NameKind::ALL {
        let most = if matches!(kind, NameKind::Tag | NameKind::Stat | NameKind::Type) {
            MOST_IN_A_SET
        } else {
            MOST_OF_A_KIND
        };
        assert!(rules.lexicon.count(*kind) <= most, "{kind:?}");
    }
    assert!(rules.rules.len() <= MOST_OF_A_KIND && rules.conditions.len() <= MOST_DEFINITIONS);
    let table = Table::new(rules, 1);
    let saved = table.save().unwrap();
    assert_eq!(Table::load(rules, &saved).unwrap().digest().unwrap(), table.digest().unwrap());
}

fn loaded_or_told(packs: Vec<Pack>) {
    match load_with(packs, &[], &houserule_scripts::languages()) {
        Ok(rules) => within_caps(&rules),
        Err(report) => {
            all_told(&report.problems);
            let files = report.sources.files().count();
            assert!(report.problems.len() <= MOST_IN_ALL + files, "{}", report.problems.len());
        }
    }
}

/// A shipped pack with some of its files changed by hand.
fn changed(id: &str, changes: &[(Index, Edits)]) -> Pack {
    changes.iter().fold(shipped::pack(id).unwrap(), |pack, (file, edits)| {
        let names: Vec<String> = pack.core().map(|(name, _)| name.to_owned()).collect();
        let name = &names[file.index(names.len())];
        let text = edited(pack.file(name).unwrap(), edits);
        pack.with(name, &text)
    })
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn packs_at_random_are_loaded_or_told(packs in packs()) {
        loaded_or_told(packs);
    }

    #[test]
    fn names_of_files_at_random_are_kept_or_told(names in proptest::collection::vec("[a.A/\\\\~: \u{202e}]{0,12}(\\.toml)?", 1..6)) {
        let pack = Pack::new().with("pack.toml", "id = \"p\"\nversion = \"1\"\ntitle = \"T\"\n");
        let pack = names.iter().fold(pack, |pack, name| pack.with(name, ""));
        for (name, _) in pack.files() {
            prop_assert!(name.split('/').all(|part| !part.is_empty() && !part.starts_with('.')) && !name.contains(['\\', ':']));
        }
        loaded_or_told(vec![pack]);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn shipped_packs_with_changes_are_loaded_or_told(
        id in select(shipped::ids()),
        changes in proptest::collection::vec((any::<Index>(), edits()), 1..4),
    ) {
        loaded_or_told(vec![changed(id, &changes)]);
    }
}
