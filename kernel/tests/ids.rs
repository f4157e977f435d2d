//! As many names of each kind as there may be, and one more: the first is read, the second is a named error, and no
//! number wraps.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use houserule_kernel::error::{Fault, Problem};
use houserule_kernel::ident::*;
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::script::{Declaration, Guest, Language, Script};
use houserule_loader::load::LoadError;
use houserule_loader::pack::Pack;
use houserule_loader::pack::limits::*;
use std::sync::Arc;

/// The most lines of one file.
const LINES: usize = 8_000;
/// The most definitions with long lists in one file.
const DEFINITIONS: usize = 20;

/// A language whose scripts declare as many hooks as their text says.
struct Counting;

impl Language for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn extension(&self) -> &'static str {
        "n"
    }

    fn survey(&self, scripts: &[Script]) -> Result<Vec<Declaration>, Vec<Problem>> {
        let hook = |at| Declaration { event: "turn.delayed".into(), name: format!("h{at}"), ..Declaration::default() };
        Ok((0..scripts[0].text.trim().parse().unwrap()).map(hook).collect())
    }

    fn guest(&self, _: &[Script]) -> Result<Box<dyn Guest>, Fault> {
        Err(Fault::new("HR0401", "nobody plays it"))
    }
}

fn read(packs: &[Pack]) -> Result<Arc<Ruleset>, Box<LoadError>> {
    houserule_loader::load(packs, &[Arc::new(Counting)])
}

fn pack(id: &str, more: &str) -> Pack {
    Pack::new().with("pack.toml", &format!("id = \"{id}\"\nversion = \"1\"\ntitle = \"T\"\n{more}"))
}

/// Text of many lines in files of a pack, each below the same head.
fn files(
    pack: Pack,
    folder: &str,
    count: usize,
    head: impl Fn(usize) -> String,
    line: impl Fn(usize) -> String,
) -> Pack {
    (0..count.div_ceil(LINES)).fold(pack, |pack, file| {
        let lines = file * LINES..count.min((file + 1) * LINES);
        pack.with(
            &format!("{folder}a{}.toml", char::from(b'a' + u8::try_from(file).unwrap())),
            &lines.fold(head(file), |text, at| text + &line(at)),
        )
    })
}

fn definitions(count: usize, line: impl Fn(usize) -> String) -> Vec<Pack> {
    vec![files(pack("home", ""), "", count, |_| String::new(), line)]
}

/// Lists of names, so many to a definition.
fn lists(count: usize, each: usize, define: impl Fn(usize, &str) -> String) -> Vec<Pack> {
    let list =
        |at: usize| (at * each..count.min((at + 1) * each)).map(|name| format!("'x{name}',")).collect::<String>();
    let many = count.div_ceil(each);
    (0..many.div_ceil(DEFINITIONS)).fold(vec![pack("home", "")], |packs, file| {
        let text: String =
            (file * DEFINITIONS..many.min((file + 1) * DEFINITIONS)).map(|at| define(at, &list(at))).collect();
        packs.into_iter().map(|pack| pack.with(&format!("f{file}.toml"), &text)).collect()
    })
}

/// Names inside one table, which only packs upon packs can fill.
fn stacked(count: usize, head: &str, line: impl Fn(usize) -> String) -> Vec<Pack> {
    let layer = |at: usize| {
        let below = if at == 0 { String::new() } else { format!("extends = ['p{}']\n", at - 1) };
        let head = if at == 0 { format!("[{head}]\n") } else { format!("[change.{head}]\n") };
        let lines = at * LINES..count.min((at + 1) * LINES);
        pack(&format!("p{at}"), &below).with("a.toml", &lines.fold(head, |text, at| text + &line(at)))
    };
    (0..count.div_ceil(LINES)).map(layer).collect()
}

fn hooks(count: usize) -> Vec<Pack> {
    vec![pack("home", "languages = ['counting']\n").with("hooks/a.n", &count.to_string())]
}

/// Packs that name so many of a kind.
fn naming(kind: NameKind, count: usize) -> Vec<Pack> {
    let word = kind.word();
    match kind {
        NameKind::Tag => vec![
            pack("home", "")
                .with("f.toml", &(0..count).fold(String::from("[tag]\n"), |text, at| text + &format!("x{at}=''\n"))),
        ],
        NameKind::Degree => lists(count, MOST_DEGREES, |at, list| format!("[check.c{at}]\nroll=1\ndegrees=[{list}]\n")),
        NameKind::Choice => {
            lists(count, MOST_CHOICES, |at, list| format!("[option.o{at}]\nabout=''\nchoices=[{list}]\n"))
        }
        NameKind::Stage => stacked(count, "damage.stage", |at| format!("x{at}={{}}\n")),
        NameKind::Event => stacked(count, "damage.stage", |at| format!("e{at}={{}}\n")),
        NameKind::Stream => lists(count, 500, |at, list| {
            format!("[tactic.t{at}]\nx=[{}]\n", list.replace("'x", "{stream='x").replace(",", "},"))
        }),
        NameKind::Text => vec![files(pack("home", ""), "text/", count, |_| String::new(), |at| format!("x{at}='x'\n"))],
        NameKind::Hook | NameKind::Rule => hooks(count),
        _ => definitions(count, |at| format!("[{word}.x{at}]\n")),
    }
}

/// How many of a kind may be named by packs, and what else each of them names.
fn most(kind: NameKind) -> (usize, &'static [NameKind]) {
    match kind {
        NameKind::Tag | NameKind::Stat | NameKind::Type => (MOST_IN_A_SET, &[]),
        NameKind::Stage | NameKind::Event => (MOST_OF_A_KIND, &[NameKind::Event, NameKind::Rule]),
        NameKind::Hook | NameKind::Rule => (MOST_OF_A_KIND, &[NameKind::Rule]),
        NameKind::Degree | NameKind::Choice | NameKind::Stream | NameKind::Text => (MOST_OF_A_KIND, &[]),
        _ => (MOST_DEFINITIONS, &[]),
    }
}

fn codes(packs: &[Pack]) -> Vec<String> {
    let told = read(packs).err().map(|report| report.problems).unwrap_or_default();
    told.into_iter().map(|one| format!("{} {}", one.code, one.message)).collect()
}

#[test]
fn as_many_names_of_each_kind_as_may_be_are_read_and_one_more_is_told() {
    let bare = read(&[pack("home", "")]).unwrap();
    for kind in NameKind::ALL {
        let (most, also) = most(*kind);
        let definitions = usize::from(most == MOST_DEFINITIONS);
        let known = also.iter().chain([kind]).map(|kind| bare.lexicon.count(*kind)).max().unwrap_or_default();
        let room = most - if definitions == 1 { 0 } else { known };
        let within = codes(&naming(*kind, room));
        println!("{kind:?} {room}: {} {:?}", within.len(), within.first());
        assert!(!within.iter().any(|told| told.starts_with("HR0135")), "{kind:?} {within:?}");
        let beyond = codes(&naming(*kind, room + 1));
        assert!(beyond.iter().any(|told| told.starts_with("HR0135")), "{kind:?} {beyond:?}");
    }
}

#[test]
fn sixty_five_thousand_texts_are_each_found_under_their_own_number() {
    let bare = read(&[pack("home", "")]).unwrap();
    let full = naming(NameKind::Text, MOST_OF_A_KIND - bare.lexicon.count(NameKind::Text));
    let rules = read(&full).unwrap_or_else(|report| panic!("{report}"));
    let names = rules.lexicon.names(NameKind::Text);
    assert_eq!(names.len(), MOST_OF_A_KIND);
    for (number, name) in names.iter().enumerate() {
        let id: TextId = rules.lexicon.find(name).unwrap();
        assert_eq!((usize::from(id.number()), rules.lexicon.name(id)), (number, &**name));
    }
}

fn full(count: usize) -> Lexicon {
    Lexicon::new(|_| (0..count).map(|at| format!("{at:05}").into()).collect())
}

#[test]
fn the_lists_of_every_kind_know_when_they_are_too_long() {
    let within = full(MOST_OF_A_KIND);
    assert!(within.overfull(|_| MOST_OF_A_KIND).is_none());
    assert_eq!(within.find::<RuleId>("65534").unwrap().number(), 65_534);
    let beyond = full(MOST_OF_A_KIND + 1);
    for kind in NameKind::ALL {
        let (full, name) = beyond.overfull(|one| if one == *kind { MOST_OF_A_KIND } else { usize::MAX }).unwrap();
        assert_eq!((full, name), (*kind, "65535"));
    }
}

#[test]
fn shelves_sets_and_numbers_hold_the_last_id() {
    let last = RuleId::new(65_534);
    let shelf: IdVec<RuleId, usize> = IdVec::new((0..MOST_OF_A_KIND).collect());
    assert_eq!((shelf.iter().last(), *shelf.get(last)), (Some((last, &65_534)), 65_534));
    let set: IdSet<RuleId> = shelf.iter().map(|(id, _)| id).collect();
    assert_eq!((set.iter().count(), set.iter().last()), (MOST_OF_A_KIND, Some(last)));
    let mut numbers = IdMap::default();
    numbers.put(last, 7);
    assert_eq!(numbers.iter().collect::<Vec<_>>(), [(last, 7)]);
}
