mod common;
use common::*;
use houserule_kernel::intent::*;
use houserule_kernel::table::Outcome;
use houserule_kernel::oracle::*;
const B: &str = "[creature.one]\n[count.a]\n[count.b]\n[pool.hp]\nmax=\"20\"\n[damage]\npools=[\"hp\"]\n[turn]\nseconds=6\nstart=[\"turn.start\"]\nend=[\"turn.end\"]\n";
#[test] fn p1_tick_at_before_event() {
    let mut g = Game::new(&format!("{B}[condition.c.tick.t]\nat=\"damage.begin\"\ndo=[{{count=\"a\",add=\"1\"}}]"), &["r"]);
    g.run("r", r#"{apply="c"},{damage="1",to="bearer"}"#);
    println!("tick at damage.begin: {}", g.read("r","count.a"));
}
#[test] fn p2_until_before_event() {
    let mut g = Game::new(&format!("{B}[condition.c]\n"), &["r"]);
    g.run("r", r#"{apply="c",until="damage.begin"},{damage="1",to="bearer"}"#);
    println!("until damage.begin still: {}", g.bears("r","c"));
}
#[test] fn p3_add_without_value() {
    let mut g = Game::new(&format!("{B}[condition.c]\nvalue={{min=\"1\"}}\nagain={{value=\"add\"}}"), &["r"]);
    g.run("r", r#"{apply="c"},{apply="c"}"#);
    println!("add twice: {}", g.read("r","condition.c"));
}
#[test] fn p4_implied_ticks_twice() {
    let mut g = Game::new(&format!("{B}[condition.c.tick.t]\nat=\"turn.start\"\ndo=[{{count=\"a\",add=\"1\"}}]\n[condition.d]\nimplies=[\"c\"]\n[check.i]\nroll=\"1d20\"\ndegrees=[\"x\"]\n[initiative]\ncheck=\"i\""), &["r"]);
    g.run("r", r#"{apply="c"},{apply="d"}"#);
    g.begin(&["r"], &["4"]);
    println!("ticks: {}", g.read("r","count.a"));
}
#[test] fn p5_fact_in_begin() {
    let mut g = Game::new(&format!("{B}[fact.f]\nabout=\"x\"\n[check.i]\nroll=\"1d20\"\nbonus=\"fact.f\"\ndegrees=[\"x\"]\n[initiative]\ncheck=\"i\""), &["r"]);
    let w = vec![g.who("r")];
    let mut o = g.table.perform(&Deed::Begin{who:w.clone(),aware:w}).unwrap();
    for _ in 0..3 { println!("fact: {}", matches!(o, Outcome::Asking(_))); o = g.table.answer(3, &mut Oracle::Seeded).unwrap(); }
    println!("{o:?}");
}
#[test] fn p6_late_tie() {
    let mut g = Game::new(&format!("{B}[check.i]\nroll=\"1d20\"\ndegrees=[\"x\"]\n[initiative]\ncheck=\"i\"\nties=[\"roll_off\"]"), &["r","p"]);
    g.begin(&["r"], &["10"]);
    let p = g.who("p");
    let mut t = tape(&["10","tie:20","tie:1"]);
    let o = g.table.perform_with(&Deed::Join(p), &mut t);
    println!("late tie: {o:?} {:?} left {}", g.order(), matches!(&t, Oracle::Tape(l) if l.is_empty()));
}
#[test] fn p7_restate_no_parts() {
    let mut g = Game::new("[creature.one]\n[pool.hp]\nmax=\"20\"\n[damage]\npools=[\"hp\"]\nmultiply=\"reroll\"\norder=[\"m\"]\n[damage.stage.m]\nwhen=\"amount<1\"\namount=\"1\"", &["r"]);
    g.run("r", r#"{damage="1d6",times="0",to="bearer"}"#);
    println!("times 0: {}", g.read("r","hp"));
}
#[test] fn p8_forbid_reaction() {
    let t = format!("{B}[tag]\nreaction=\"r\"\n[condition.c]\nforbids=[\"reaction\"]\n[reaction.x]\nwindow=\"damage.begin\"\ntext=\"ask\"\ndo=[]");
    let mut g = Game::new(&t, &["r","p"]);
    g.run("p", r#"{apply="c"}"#);
    let d = g.ruling("r", Some("r"), r#"{damage="1"}"#);
    println!("forbid reaction: {:?}", match g.table.perform(&d).unwrap() { Outcome::Asking(q) => g.name(q.who), o => format!("{o:?}") });
    println!("then {:?}", match g.table.answer(0,&mut Oracle::Seeded).unwrap() { Outcome::Asking(q) => g.name(q.who), o => format!("{o:?}") });
}
#[test] fn p9_become_wrong_degree() {
    let mut g = Game::new(&format!("{B}[check.i]\nroll=\"1d20\"\ndegrees=[\"x\",\"y\"]\n[check.j]\nroll=\"1d20\"\ndegrees=[\"z\"]\n[hook.h]\non=\"check.degree\"\ncheck=\"i\"\ndo=[{{become=\"z\"}}]"), &["r"]);
    println!("become: {}", g.check("r", None, "i", None, &["3"]));
}
#[test] fn p10_cap_of_pool_falls() {
    let mut g = Game::new("[creature.one]\n[stat.con]\nstart=10\n[condition.weak.modifier.m]\nto=[\"con\"]\nvalue=\"-5\"\n[pool.hp]\nmax=\"con\"", &["r"]);
    g.run("r", r#"{apply="weak"}"#);
    println!("hp {} of {}", g.read("r","hp"), g.read("r","hp.max"));
}
#[test] fn p11_undo_seat_named() {
    let mut g = Game::new(B, &["r"]);
    g.run("r", r#"{ note = "zz", set = "1" }"#.replace("note = \"zz\"", "count = \"a\"").as_str());
    assert!(g.table.undo(false));
}
#[test] fn p12_end_self_on_turn() {
    let mut g = Game::new(&format!("{B}[check.i]\nroll=\"1d20\"\ndegrees=[\"x\"]\n[initiative]\ncheck=\"i\""), &["r","p"]);
    g.begin(&["r","p"], &["14","10"]);
    let d = g.ruling("r", None, "{end=true}"); g.perform(&d);
    println!("{:?}", g.turn()); g.next(); println!("{:?}", g.turn());
}
