//! The heaviest packs within the caps are loaded or refused in a process of their
//! own, within 256 MiB; what grows past the caps is told, and what does not loads.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use houserule_loader::pack::Pack;
use houserule_loader::pack::limits::*;
use std::fmt::Write;
use std::process::Command;

/// The most memory, in KiB, that a process may have used to read packs.
const MOST_KIB: u64 = 256 * 1024;
/// Names the case that a child process reads.
const CASE: &str = "HOUSERULE_HEAVY_CASE";

fn manifest(id: &str, more: &str) -> String {
    format!("id = \"{id}\"\nversion = \"1\"\ntitle = \"T\"\n{more}")
}

/// A pack of files of rules, each with the same text, which may say `FILE` where
/// the number of the file goes.
fn files(count: usize, text: &str) -> Vec<Pack> {
    vec![(0..count).fold(Pack::new().with("pack.toml", &manifest("home", "")), |pack, at| {
        pack.with(&format!("f{at}.toml"), &text.replace("FILE", &at.to_string()))
    })]
}

/// The same line for each number, in as many files as need be.
fn lines(count: usize, line: impl Fn(usize) -> String) -> Vec<Pack> {
    let mut pack = Pack::new().with("pack.toml", &manifest("home", ""));
    let (mut text, mut file) = (String::new(), 0);
    for at in 0..count {
        let more = line(at);
        if text.len() + more.len() > MOST_BYTES_IN_FILE || at % 1_500 == 1_499 {
            pack = pack.with(&format!("f{file}.toml"), &text);
            (text, file) = (String::new(), file + 1);
        }
        text += &more;
    }
    vec![pack.with("last.toml", &text)]
}

fn and(packs: Vec<Pack>, name: &str, text: &str) -> Vec<Pack> {
    packs.into_iter().map(|pack| pack.with(name, text)).collect()
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut list, at| {
        let _ = write!(list, "{},", item(at));
        list
    })
}

/// A name, packs, and the code that is told of them; nothing if they load.
type Case = (&'static str, fn() -> Vec<Pack>, &'static str);

fn cases() -> Vec<Case> {
    vec![
        ("nothing", || files(1, ""), ""),
        ("text_in_comments", || files(1_900, &"# words\n".repeat(1_080)), ""),
        ("empty_lines", || files(63, &"\n".repeat(260_000)), ""),
        ("long_words", || lines(64, |at| format!("[stat.s{at}]\nabout = \"{}\"\n", "w ".repeat(125_000))), ""),
        ("tiny_tables", || files(60, &format!("x = [{}]", "{},".repeat(80_000))), "HR0135"),
        (
            "tiny_tables_within",
            || {
                lines(150_000, |at| match at % 30_000 {
                    0 => format!("[chart.c{at}]\nrows=[[0,1]]\n"),
                    _ => String::new(),
                })
            },
            "",
        ),
        ("nested_tables", || files(60, &"a={a={a={a={a={a={a={}}}}}}}\n".repeat(8_000)), "HR0135"),
        ("tables_of_one", || lines(30_000, |at| format!("[tactic.t{at}]\nx={{y={{z={{w={{}}}}}}}}\n")), "HR0135"),
        (
            "tables_of_one_within",
            || lines(18_000, |at| format!("[tactic.t{at}]\nx={{y={{z={{w={{}}}}}}}}\n")),
            "HR0201",
        ),
        (
            "dotted_keys",
            || lines(4_000, |at| format!("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.k{at} = 1\n")),
            "HR0135",
        ),
        ("many_stats", || lines(5_000, |at| format!("[stat.s{at}]\n")), "HR0135"),
        ("stats_within", || lines(4_000, |at| format!("[stat.s{at}]\npart.p = {{ value = \"1\" }}\n")), ""),
        ("many_conditions", || lines(19_000, |at| format!("[condition.c{at}]\n")), ""),
        (
            "conditions_with_high_tags",
            || {
                let tags =
                    lines(15_000, |at| format!("[condition.c{at}]\ntags=\"t\"\nof=\"t\"\nforbids=\"t\"\nonly=\"t\"\n"));
                and(
                    tags,
                    "t.toml",
                    &format!(
                        "[tag]\nt=''\n{}",
                        (0..4_000).fold(String::new(), |text, at| text + &format!("s{at}=''\n"))
                    ),
                )
            },
            "",
        ),
        (
            "tags_that_imply_the_next",
            || lines(4_000, |at| format!("[tag.t{at}]\nimplies=\"t{}\"\n", (at + 1).min(3_999))),
            "HR0206",
        ),
        ("many_actions", || lines(19_000, |at| format!("[action.a{at}]\n")), ""),
        ("many_checks", || lines(19_000, |at| format!("[check.a{at}]\nroll=1\ndegrees=['x']\n")), ""),
        ("many_events", || lines(19_000, |at| format!("[event.a{at}]\n")), ""),
        ("many_hooks_on_one_event", || lines(19_000, |at| format!("[hook.a{at}]\non=\"turn.delayed\"\n")), ""),
        (
            "hooks_in_a_row",
            || {
                lines(19_000, |at| {
                    format!("[hook.a{at:05}]\non=\"turn.delayed\"\nafter=\"a{:05}\"\n", (at + 1).min(18_999))
                })
            },
            "",
        ),
        (
            "reactions",
            || {
                let many =
                    lines(9_000, |at| format!("[event.e{at}]\n[reaction.a{at}]\nwindow=\"e{at}\"\ntext=\"t.x\"\n"));
                and(many, "text/en.toml", "\"t.x\" = \"x\"")
            },
            "",
        ),
        ("many_definitions", || lines(70_000, |at| format!("[note.n{at}]\n")), "HR0135"),
        (
            "many_texts",
            || {
                let text =
                    |from: usize| (from..from + 16_000).fold(String::new(), |text, at| text + &format!("k{at}='x'\n"));
                (0..5).fold(files(1, ""), |packs, at| {
                    and(packs, &format!("text/{}.toml", ["en", "de", "fr", "id", "it"][at]), &text(at * 16_000))
                })
            },
            "HR0135",
        ),
        (
            "texts_of_many_languages",
            || {
                let text = (0..900).fold(String::new(), |text, at| text + &format!("k{at}='{}'\n", "x".repeat(200)));
                (0..70).fold(files(1, ""), |packs, at| {
                    and(
                        packs,
                        &format!("text/a{}{}.toml", char::from(b'a' + at / 26), char::from(b'a' + at % 26)),
                        &text,
                    )
                })
            },
            "",
        ),
        (
            "texts_of_holes",
            || and(files(1, ""), "text/en.toml", &format!("k = \"{}\"", "{a}".repeat(80_000))),
            "HR0135",
        ),
        (
            "texts_of_long_keys",
            || {
                let head = format!("[{}]\n", vec!["k".repeat(900); 28].join("."));
                let keys = (0..9_000).fold(head, |text, at| text + &format!("k{at}='x'\n"));
                and(files(1, ""), "text/en.toml", &keys)
            },
            "HR0135",
        ),
        (
            "changes_of_long_keys",
            || {
                let path = vec!["k".repeat(900); 28].join(".");
                let keys = (0..9_000)
                    .fold(format!("[stat.s]\n[change.stat.s.{path}]\n"), |text, at| text + &format!("k{at}=1\n"));
                files(1, &keys)
            },
            "HR0135",
        ),
        ("long_key", || files(60, &format!("[stat.s]\n\"{}\" = 1\n", "k".repeat(260_000))), "HR0107"),
        ("long_names", || lines(19_000, |at| format!("[stat.{}{at}]\n", "n".repeat(800))), "HR0121"),
        (
            "formulas",
            || lines(4_000, |at| format!("[count.x{at}]\n[pool.p{at}]\nmax=\"{}\"\n", "round+".repeat(600) + "1")),
            "HR0135",
        ),
        ("formulas_within", || lines(240, |at| format!("[pool.p{at}]\nmax=\"{}\"\n", "round+".repeat(680) + "1")), ""),
        (
            "dice_within",
            || lines(1_000, |at| format!("[check.c{at}]\ndegrees=['x']\nroll=\"{}\"\n", "1d1+".repeat(250) + "1")),
            "",
        ),
        (
            "family",
            || {
                files(
                    1,
                    &format!(
                        "[family.f]\nK=[{}]\n[family.f.stat.sK]\nabout=\"{}\"\n",
                        list(200, |at| format!("'{at:090}'")),
                        "K ".repeat(80_000)
                    ),
                )
            },
            "HR0135",
        ),
        (
            "family_of_words_in_words",
            || {
                let words = |name: &str, next: &str| {
                    format!("{name}=[{}]\n", list(200, |_| format!("'{}'", format!("{next} ").repeat(30))))
                };
                files(
                    1,
                    &format!(
                        "[family.f]\n{}{}{}{}[family.f.condition.c]\nabout=\"A\"\n",
                        words("A", "B"),
                        words("B", "C"),
                        words("C", "D"),
                        words("D", "x")
                    ),
                )
            },
            "HR0122",
        ),
        (
            "families",
            || {
                files(
                    60,
                    &format!(
                        "[family.f]\nK=[{}]\n{}",
                        list(200, |at| format!("'a{at}'")),
                        list(900, |at| format!("\n[family.f.condition.K_FILE_{at}]\n").replace(',', ""))
                            .replace(',', "")
                    )
                    .replace("[family.f.condition.K_FILE", "#\n[family.f.condition.K_FILE"),
                )
            },
            "HR0135",
        ),
        (
            "like_one_with_many",
            || {
                let base = (0..2_000).fold("[stat.s]\n[item.base]\n".to_owned(), |text, at| {
                    text + &format!("modifier.m{at} = {{ to='s', value=1 }}\n")
                });
                and(lines(10_000, |at| format!("[item.i{at}]\nlike='base'\n")), "base.toml", &base)
            },
            "HR0135",
        ),
        (
            "modifiers_for_all",
            || {
                let stats =
                    lines(3_000, |at| format!("[stat.s{at}]\ntags='t'\n[modifier.m{at}]\nto='tag:t'\nvalue=1\n"));
                and(stats, "t.toml", "[tag]\nt=''")
            },
            "HR0135",
        ),
        (
            "modifiers_that_limit",
            || {
                let stats = lines(3_000, |at| {
                    format!(
                        "[stat.s{at}]\ntags='t'\npart.p.value=1\n[modifier.m{at}]\nto='tag:t'\nvalue=1\neffect='cap'\nlimits='p'\n"
                    )
                });
                and(stats, "t.toml", "[tag]\nt=''")
            },
            "HR0135",
        ),
        (
            "holds",
            || {
                lines(3, |at| format!("[item.i{at}]\nholds=[{}]\n", list(60, |_| format!("'i{}'", at + 1))))
                    .into_iter()
                    .map(|pack| pack.with("z.toml", "[item.i3]"))
                    .collect()
            },
            "HR0208",
        ),
        (
            "degrees",
            || files(1, &format!("[check.c]\nroll=1\ndegrees=[{}]\n", list(30_000, |at| format!("'d{at}'")))),
            "HR0205",
        ),
        (
            "choices",
            || {
                files(
                    1,
                    &format!(
                        "[option.o]\nabout=''\nchoices=[{}]\n[profile.p]\n{}",
                        list(15_000, |at| format!("'d{at}'")),
                        (0..10_000).fold(String::new(), |text, at| text + &format!("x{at}='x'\n"))
                    ),
                )
            },
            "HR0205",
        ),
        ("charts", || lines(12, |at| format!("[chart.c{at}]\nrows=[{}]\n", list(800, |at| format!("[{at},1]")))), ""),
        (
            "options_in_profiles",
            || {
                let options = lines(6_000, |at| format!("[option.o{at}]\nabout=''\nchoices=['a','b']\n"));
                and(
                    options,
                    "p.toml",
                    &(0..6_000).fold("[profile.p]\n".to_owned(), |text, at| text + &format!("o{at}='b'\n")),
                )
            },
            "",
        ),
        (
            "unknown_names",
            || {
                let stats = lines(4_000, |at| format!("[stat.{}{at}]\n", "abcdefgh".repeat(6)));
                let items = lines(15_000, |at| format!("[item.i{at}]\nstats.{}x{at}=1\n", "abcdefgh".repeat(6)));
                items[0]
                    .files()
                    .filter(|(name, _)| *name != "pack.toml")
                    .fold(stats, |packs, (name, text)| and(packs, &format!("p{name}"), text))
            },
            "HR0134",
        ),
        (
            "unknown_words",
            || {
                lines(3_000, |at| {
                    format!(
                        "[pool.{}{at}]\nmax=\"{}1\"\n",
                        "abcdefgh".repeat(5),
                        format!("{}y{at} + ", "abcdefgh".repeat(5)).repeat(6)
                    )
                })
            },
            "HR0134",
        ),
        (
            "unknown_kinds",
            || files(40, &(0..15_000).fold(String::new(), |text, at| text + &format!("[stta{at}.x]\n"))),
            "HR0134",
        ),
        (
            "unknown_fields",
            || files(4, &(0..30_000).fold("[stat.sFILE]\n".to_owned(), |text, at| text + &format!("x{at}=1\n"))),
            "HR0134",
        ),
        ("syntax", || files(60, &"= 1\n".repeat(30_000)), "HR0134"),
        ("twice", || files(60, &"a = 1\n".repeat(30_000)), "HR0134"),
        ("open_quotes", || files(60, &"a = \"\n".repeat(30_000)), "HR0134"),
        ("floats", || files(60, &format!("x=[{}]", "1.5,".repeat(15_000))), "HR0134"),
        ("long_digits", || files(60, &format!("x={}", "9".repeat(260_000))), "HR0103"),
        ("headers", || files(60, &"[[a]]\n".repeat(10_000)), "HR0135"),
        (
            "sub_headers",
            || files(60, &(0..8_000).fold(String::new(), |text, at| text + &format!("[stat.a{at}.b.c]\n"))),
            "HR0135",
        ),
        ("removals", || files(30, &format!("remove.stat=[{}]", list(30_000, |at| format!("'x{at}'")))), "HR0135"),
        ("removals_within", || files(4, &format!("remove.stat=[{}]", list(30_000, |at| format!("'x{at}'")))), "HR0134"),
        (
            "stacked",
            || {
                (0..60)
                    .map(|at: usize| {
                        let below = if at == 0 { String::new() } else { format!("extends = ['p{:02}']\n", at - 1) };
                        let rules = if at == 0 { "[stat.s]\n".to_owned() } else { String::new() };
                        let change = (0..1_000).fold(rules + "[change.stat.s.part]\n", |text, part| {
                            text + &format!("p{part}.value={at}\n")
                        });
                        Pack::new().with("pack.toml", &manifest(&format!("p{at:02}"), &below)).with("a.toml", &change)
                    })
                    .collect()
            },
            "HR0135",
        ),
        (
            "stacked_within",
            || {
                (0..60)
                    .map(|at: usize| {
                        let below = if at == 0 { String::new() } else { format!("extends = ['p{:02}']\n", at - 1) };
                        let change = (0..500).fold("[stat.s]\n[change.stat.s.part]\n".to_owned(), |text, part| {
                            text + &format!("p{part}.value={at}\n")
                        });
                        let change = if at == 0 { change } else { change.replace("[stat.s]\n", "") };
                        Pack::new().with("pack.toml", &manifest(&format!("p{at:02}"), &below)).with("a.toml", &change)
                    })
                    .collect()
            },
            "",
        ),
        (
            "too_many_packs",
            || {
                (0..5_000)
                    .map(|at: usize| {
                        Pack::new().with("pack.toml", &manifest(&format!("p{at}"), &format!("extends=['p{}']", at + 1)))
                    })
                    .collect()
            },
            "HR0131",
        ),
        ("scripts", || and(files(1, ""), "hooks/a.lua", "x"), ""),
    ]
}

#[test]
fn a_case_in_a_process_of_its_own() {
    let Ok(name) = std::env::var(CASE) else { return };
    let (_, packs, _) = cases().into_iter().find(|(known, ..)| *known == name).unwrap();
    let packs = packs();
    let before = status("VmHWM");
    let read = houserule_loader::load(&packs, &[]);
    let told = read.as_ref().err().map(|report| report.problems.clone()).unwrap_or_default();
    assert!(told.len() <= 1_000 + MOST_FILES, "{}", told.len());
    let bytes: usize = told.iter().map(|one| one.to_string().len()).sum();
    assert!(bytes < 2_000_000, "{bytes}");
    let codes: std::collections::BTreeSet<&str> = told.iter().map(|one| one.code.as_str()).collect();
    let first = told.first().map(ToString::to_string).unwrap_or_default();
    let last = told.last().map(ToString::to_string).unwrap_or_default();
    println!("HEAVY {} {} {} {codes:?} {} {first} … {last}", before, status("VmHWM"), cpu(), told.len());
}

/// A line of what the system knows of this process, in KiB.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The hundredths of seconds that this process has worked.
fn cpu() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    text.rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .nth(11)
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

#[test]
fn every_heavy_pack_is_read_or_refused_within_its_memory() {
    let program = std::env::current_exe().unwrap();
    let mut failed = Vec::new();
    for (name, _, wanted) in cases() {
        let mut child = Command::new(&program);
        child.args(["--exact", "a_case_in_a_process_of_its_own", "--nocapture"]).env(CASE, name);
        let output = child.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|line| line.contains("HEAVY ")).unwrap_or_else(|| panic!("{name}: {output:?}"));
        println!("{name}: {}", line.chars().take(600).collect::<String>());
        let peak: u64 = line.split("HEAVY ").nth(1).unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let right = if wanted.is_empty() { line.contains("{} 0") } else { line.contains(wanted) };
        if peak > MOST_KIB || !right {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
