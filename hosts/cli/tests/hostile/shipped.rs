//! The shipped packs, twice in each language, each time in a fresh process: every scenario must come to the same digests.

use crate::common::Desk;
use crate::process::run;
use crate::report::head;

#[test]
fn shipped_packs_come_out_the_same_in_every_process_and_language() {
    let packs = houserule::shipped::ids();
    let languages = ["lua", "lua", "rhai", "rhai"];
    let runs: Vec<(&str, usize)> = packs.iter().flat_map(|pack| (0..languages.len()).map(|at| (*pack, at))).collect();
    let told = crate::in_parallel(&runs, |(pack, at)| {
        let desk = Desk::new(&format!("shipped-{pack}-{at}"));
        std::fs::create_dir_all(desk.0.join("work")).unwrap();
        let ran = run(&desk.0.join("work"), &["test", pack, "--hooks", languages[*at], "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{pack}: {} {}", head(&ran.out), head(&ran.err));
        ran.out
    });
    for (pack, same) in packs.iter().zip(told.chunks(languages.len())) {
        assert!(same.iter().all(|told| *told == same[0] && told.contains("digests")), "{pack}");
    }
}
