//! What people are told of an entry: every number with its parents, and nothing lost.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use houserule::Explain;
use houserule::explain::{Explanation, explain_hooks, explain_option, explain_rule};
use houserule_kernel::feed::Viewer;
use houserule_kernel::intent::{Intent, Operation};
use houserule_kernel::oracle::{FixedRoll, Oracle, taped};
use houserule_kernel::ruleset::Ruleset;
use houserule_kernel::table::{Outcome, Table};
use houserule_loader::pack::Pack;
use insta::assert_snapshot;
use std::sync::Arc;

const MANIFEST: &str = "id = \"mini\"\nversion = \"1.0.0\"\ntitle = \"Mini\"\n";

const RULES: &str = include_str!("mini.toml");

const ENGLISH: &str = "\"ask.parry\" = \"does {who} parry?\"\n\"song.spared\" = \"the dead feel nothing\"\n\"song.sung\" = \"a song is heard\"\n\"song.falls\" = \"somebody falls\"\n";
const INDONESIAN: &str = "\"explain.label.roll\" = \"lemparan\"\n\"explain.degree\" = \"{sum}: jadi {degree}\"\n\"stat.kac\" = \"pertahanan\"\n\"degree.hit\" = \"kena\"\n";

fn pack() -> Pack {
    let texts = Pack::new().with("text/en.toml", ENGLISH).with("text/id.toml", INDONESIAN);
    texts.with("pack.toml", MANIFEST).with("rules.toml", RULES)
}

fn read(packs: &[Pack]) -> Arc<Ruleset> {
    houserule_loader::load(packs, &[]).unwrap_or_else(|report| panic!("{report}"))
}

fn table() -> Table {
    let mut table = Table::new(&read(&[pack()]), 1);
    for name in ["rook", "wall", "brute", "ghost"] {
        assert!(table.seat(name, name, "").unwrap().is_done());
    }
    table
}

/// Does an intent with the faces of a tape, and reads its entry aloud.
fn told(table: &mut Table, intent: &Intent, tape: &[&str]) -> Explanation {
    let tape: Vec<FixedRoll> = tape.iter().map(|face| taped(face).unwrap()).collect();
    let deed = table.prepare(intent).unwrap();
    match table.perform_with(&deed, &mut Oracle::Tape(tape.into())).unwrap() {
        Outcome::Done(entry) => table.explain(entry, "en").unwrap(),
        other => panic!("{other:?}"),
    }
}

fn attack(target: &str) -> Intent {
    Intent::new("attack").by("rook").at(target).with("longsword")
}

#[test]
fn an_attack_is_told_in_a_few_lines() {
    let told = told(&mut table(), &attack("wall"), &["attack:17", "damage:5"]);
    assert_snapshot!(told.to_text(), @r"
    rook: attack wall with longsword
      attack +7   bab 3, strength 4
      kac 13      base 10, armor 3
      roll        1d20 [17] + 7 = 24 against 13: hit
      damage +4   strength 4
      damage      1d8 [5] + 4 = 9 slashing
      wall        stamina 3 → 0, hp 6 → 0
      wall        is dying
      hook        fall
                  somebody falls
    ");
}

#[test]
fn the_last_blow_says_who_falls() {
    let mut table = table();
    told(&mut table, &attack("wall"), &["attack:17", "damage:4"]);
    let told = told(&mut table, &attack("wall"), &["attack:17", "damage:8"]);
    assert_snapshot!(told.to_text(), @r"
    rook: attack wall with longsword
      attack +7   bab 3, strength 4
      kac 13      base 10, armor 3
      roll        1d20 [17] + 7 = 24 against 13: hit
      damage +4   strength 4
      damage      1d8 [8] + 4 = 12 slashing
      wall        hp 1 → 0, 11 left over
      wall        is dying
      hook        fall
                  somebody falls
    ");
}

#[test]
fn a_loser_says_to_whom_it_lost() {
    let mut table = table();
    let sung = told(&mut table, &Intent::new("sing").by("rook"), &[]);
    assert_snapshot!(sung.to_text(), @r"
    rook: sing
      rook   is blessed
      rook   is war song
             a song is heard
    ");
    let missed = told(&mut table, &attack("wall"), &["attack:1"]);
    assert_snapshot!(missed.to_text(), @r"
    rook: attack wall with longsword
      attack +8   bab 3, strength 4, blessed 1 (morale); war song 1 (morale) lost to blessed
      kac 13      base 10, armor 3
      roll        1d20 [1] + 8 = 9 against 13: miss
    ");
}

#[test]
fn a_critical_shows_every_die_and_names_the_bonus_once() {
    let told = told(&mut table(), &attack("brute"), &["attack:20", "damage:5", "damage:2"]);
    assert_snapshot!(told.to_text(), @r"
    rook: attack brute with longsword
      attack +7      bab 3, strength 4
      kac 15         base 10, agility 3 held to 2 by bulk, brute's plate 3 (armor); brute's buckler 1 (armor) lost to brute's plate
      roll           1d20 [20] + 7 = 27 against 15: critical
      damage +4      strength 4
      damage         1d8 [5] + 4 = 9 slashing
      damage         1d8 [2] + 4 = 6 slashing
        resistance   15 → 12 slashing
      brute          takes 12, stamina 9 → 0, hp 6 → 3
    ");
}

#[test]
fn damage_that_comes_to_nothing_is_told_too() {
    let mut table = table();
    let mut seat = table.new_seat("weakling", "rook", "").unwrap();
    seat.stats = vec![(table.rules().lexicon.find("strength").unwrap(), 0)];
    assert!(table.perform(&Operation::Seat(Box::new(seat))).unwrap().is_done());
    let hit = Intent::new("attack").by("weakling").at("brute").with("longsword");
    let told = told(&mut table, &hit, &["attack:19", "damage:2"]);
    assert_snapshot!(told.to_text(), @r"
    weakling: attack brute with longsword
      attack +3      bab 3
      kac 15         base 10, agility 3 held to 2 by bulk, brute's plate 3 (armor); brute's buckler 1 (armor) lost to brute's plate
      roll           1d20 [19] + 3 = 22 against 15: hit
      damage         1d8 [2] slashing
        resistance   2 → 0 slashing
      brute          takes nothing
    ");
}

#[test]
fn rules_that_change_a_check_are_named() {
    let mut table = table();
    let shifted = told(&mut table, &attack("wall"), &["attack:13"]);
    assert_snapshot!(shifted.to_text(), @r"
    rook: attack wall with longsword
      attack +7   bab 3, strength 4
      kac 13      base 10, armor 3
        degree    hit → miss by unlucky
      roll        1d20 [13] + 7 = 20 against 13: miss instead of hit
    ");
    let became = told(&mut table, &attack("brute"), &["attack:7", "damage:1"]);
    assert_snapshot!(became.to_text(), @r"
    rook: attack brute with longsword
      attack +7      bab 3, strength 4
      kac 15         base 10, agility 3 held to 2 by bulk, brute's plate 3 (armor); brute's buckler 1 (armor) lost to brute's plate
      roll           1d20 [7] + 7 = 14 against 15: miss
      hook           reckless
        degree       miss → hit by reckless
      damage +4      strength 4
      damage         1d8 [1] + 4 = 5 slashing
        resistance   5 → 2 slashing
      brute          takes 2, stamina 9 → 7
    ");
    let rerolled = told(&mut table, &attack("wall"), &["attack:2", "attack:3"]);
    assert_snapshot!(rerolled.to_text(), @r"
    rook: attack wall with longsword
      attack +7   bab 3, strength 4
      kac 13      base 10, armor 3
      attack      1d20 [2]
      hook        second try
        roll      2 → 3 by second try
      roll        1d20 [3] + 7 = 10 against 13: miss
    ");
    let helped = told(&mut table, &attack("brute"), &["attack:9", "damage:1"]);
    assert_snapshot!(helped.to_text(), @r"
    rook: attack brute with longsword
      attack +7      bab 3, strength 4
      kac 15         base 10, agility 3 held to 2 by bulk, brute's plate 3 (armor); brute's buckler 1 (armor) lost to brute's plate
      hook           help
        total        +2 by help
      roll           1d20 [9] + 7 + 2 = 18 against 15: hit
      damage +4      strength 4
      damage         1d8 [1] + 4 = 5 slashing
        resistance   5 → 2 slashing
      brute          takes 2, stamina 7 → 5
    ");
}

#[test]
fn conditions_begin_again_end_and_are_resisted() {
    let mut table = table();
    let frighten = |who: &str, at: &str| Intent::new("frighten").by(who).at(at);
    let began = told(&mut table, &frighten("brute", "rook"), &["roll:3", "save:4", "save:9"]);
    assert_snapshot!(began.to_text(), @r"
    brute: frighten rook
      hook           ward
      roll           1d6 [3] makes 4
      rook will +0   nothing
      rook will      2d20 [(4), 9] = 9 against 12: failure
      rook           is shaken 2
    ");
    let again = told(&mut table, &frighten("brute", "rook"), &["roll:3", "save:4", "save:9"]);
    assert_snapshot!(again.to_text(), @r"
    brute: frighten rook
      hook           ward
      roll           1d6 [3] makes 4
      rook will +0   nothing
      rook will      2d20 [(4), 9] = 9 against 12: failure
      rook           shaken 2 → 4
    ");
    let ended = told(&mut table, &Intent::new("stop").by("rook"), &[]);
    assert_snapshot!(ended.to_text(), @r"
    rook: stop
      rook   is no longer shaken: stop ended it
    ");
    let resisted = told(&mut table, &frighten("brute", "ghost"), &["roll:3", "save:4", "save:9"]);
    assert_snapshot!(resisted.to_text(), @r"
    brute: frighten ghost
      hook            ward
      roll            1d6 [3] makes 4
      ghost will +0   nothing
      ghost will      2d20 [(4), 9] = 9 against 12: failure
      ghost           does not become shaken
    ");
}

#[test]
fn what_is_prevented_says_why() {
    let told = told(&mut table(), &attack("ghost"), &["attack:15", "damage:6"]);
    assert_snapshot!(told.to_text(), @r"
    rook: attack ghost with longsword
      attack +7   bab 3, strength 4
      kac 10      base 10
      roll        1d20 [15] + 7 = 22 against 10: hit
      damage +4   strength 4
      damage      1d8 [6] + 4 = 10 slashing
      hook        spared
      stopped     the dead feel nothing (spared)
    ");
}

#[test]
fn a_bonus_in_the_last_window_still_counts() {
    let told = told(&mut table(), &attack("wall"), &["attack:4", "damage:3"]);
    assert_snapshot!(told.to_text(), @r"
    rook: attack wall with longsword
      attack +7   bab 3, strength 4
      kac 13      base 10, armor 3
      hook        guide
        total     +3 by guide
      roll        1d20 [4] + 7 + 3 = 14 against 13: hit
      damage +4   strength 4
      damage      1d8 [3] + 4 = 7 slashing
      wall        stamina 3 → 0, hp 6 → 2
    ");
}

#[test]
fn what_is_silenced_says_by_whom() {
    let mut table = table();
    let who = table.state().find("rook").unwrap();
    let steps = "do = [{ apply = \"dazzled\" }, { apply = \"shaken\", value = \"1\" }, { tag = \"undead\" }]";
    let ruling = Operation::Rule { who, target: None, steps: steps.into() };
    let Outcome::Done(entry) = table.perform(&ruling).unwrap() else { panic!("not done") };
    assert_snapshot!(table.explain(entry, "en").unwrap().to_text(), @r"
    rook: ruling of the game master
      rook   is dazzled
      rook   is shaken 1
      rook   is now undead
    ");
    assert_snapshot!(table.explain_stat("rook", "attack", None, "en").unwrap().to_text(), @r"
    rook: attack +2
      bab 3                            stat.attack.part.bab at mini/rules.toml:24
      strength 4 silenced by dazzled   stat.attack.part.strength at mini/rules.toml:26
      dazzled silences strength        condition.dazzled.modifier.attack at mini/rules.toml:93
      shaken -1                        condition.shaken.modifier.attack at mini/rules.toml:90
    ");
}

#[test]
fn what_sets_or_caps_a_total_says_so() {
    let mut table = table();
    assert!(table.seat("giant", "giant", "").unwrap().is_done());
    assert_snapshot!(table.explain_stat("giant", "attack", None, "en").unwrap().to_text(), @r"
    giant: attack +11
      strength 20 silenced by girdle   stat.attack.part.strength at mini/rules.toml:26
      girdle sets it to 12             item.girdle.modifier.might at mini/rules.toml:238
      rage ring caps the total at 11   item.rage_ring.modifier.might at mini/rules.toml:242
    ");
}

#[test]
fn a_choice_is_told_with_its_question() {
    let mut table = table();
    let deed = table.prepare(&Intent::new("frighten").by("rook").at("brute")).unwrap();
    let tape = ["roll:1", "roll:5", "save:4", "save:9"].map(|face| taped(face).unwrap());
    let mut oracle = Oracle::Tape(tape.to_vec().into());
    assert!(matches!(table.perform_with(&deed, &mut oracle).unwrap(), Outcome::Asking(_)));
    let mut oracle = Oracle::Tape(tape.to_vec().split_off(2).into());
    let Outcome::Done(entry) = table.answer(1, &mut oracle).unwrap() else { panic!("not done") };
    assert_snapshot!(table.explain(entry, "en").unwrap().to_text(), @r"
    rook: frighten brute
      hook            ward
      roll            1d6 [1→5] makes 6
      hook            second ward
      brute           does brute parry? yes
      hook            parry
      brute           is blessed
      brute will +3   wits 3
      brute will      2d20 [(4), 9] + 3 = 12 against 12: success
    ");
}

#[test]
fn turns_and_time_are_told() {
    let mut table = table();
    let [rook, wall] = ["rook", "wall"].map(|name| table.state().find(name).unwrap());
    let begin = Operation::Begin { who: vec![rook, wall], aware: vec![rook, wall] };
    let tape = ["initiative:9", "initiative:12"].map(|face| taped(face).unwrap());
    assert!(table.perform_with(&begin, &mut Oracle::Tape(tape.to_vec().into())).unwrap().is_done());
    for deed in [Operation::Next, Operation::End, Operation::Wait { seconds: 1 }] {
        assert!(table.perform(&deed).unwrap().is_done());
    }
    let told: Vec<String> = (4..8).map(|entry| table.explain(entry, "en").unwrap().to_text()).collect();
    assert_snapshot!(told.concat(), @r"
    an encounter begins: rook, wall
      rook wits +0      given 0
      rook initiative   1d20 [9]
      wall wits +0      given 0
      wall initiative   1d20 [12]
      turn              round 1: wall
    the turn ends
      turn   round 1: rook
    the encounter ends
    1 second passes
    ");
}

#[test]
fn a_secret_check_is_hidden_from_the_others() {
    let mut table = table();
    let rook = table.state().find("rook").unwrap();
    let told = told(&mut table, &Intent::new("look").by("rook"), &["notice:11"]);
    assert_snapshot!(told.to_text(), @r"
    rook: look
      wits +0   given 0
      roll      1d20 [11]
    ");
    assert_eq!(told.seen_by(Viewer::GameMaster).unwrap(), told);
    assert_snapshot!(told.seen_by(Viewer::Player(rook)).unwrap().to_text(), @"rook: look");
    let check = table.rules().lexicon.find("notice").unwrap();
    let deed = Operation::Check { who: rook, target: None, check, dc: None, facts: Default::default() };
    let Outcome::Done(entry) = table.perform(&deed).unwrap() else { panic!("not done") };
    assert_eq!(table.explain(entry, "en").unwrap().seen_by(Viewer::Player(rook)), None);
}

#[test]
fn who_comes_to_the_table_and_with_what() {
    let table = table();
    assert_snapshot!(table.explain(0, "en").unwrap().to_text(), @r"
    rook comes to the table: rook
      rook's longsword   is held by rook
      rook               hp 0 → 6, stamina 0 → 4
    ");
}

#[test]
fn another_language_puts_its_own_words() {
    let mut table = table();
    told(&mut table, &attack("wall"), &["attack:17", "damage:5"]);
    let entry = table.journal().done().len() - 1;
    assert_snapshot!(table.explain(entry, "id").unwrap().to_text(), @r"
    rook: attack wall dengan longsword
      attack +7       bab 3, strength 4
      pertahanan 13   base 10, armor 3
      lemparan        1d20 [17] + 7 = 24 melawan 13: jadi kena
      damage +4       strength 4
      kerusakan       1d8 [5] + 4 = 9 slashing
      wall            stamina 3 → 0, hp 6 → 0
      wall            menjadi dying
      aturan          fall
                      somebody falls
    ");
    assert_eq!(table.explain(entry, "xx"), table.explain(entry, "en"));
}

#[test]
fn programs_read_facts_also_of_bookkeeping() {
    let told = told(&mut table(), &attack("wall"), &["attack:1"]);
    let text = serde_json::to_string_pretty(&told).unwrap();
    assert_snapshot!("facts_of_a_miss", text);
    assert_eq!(told.lines.iter().filter(|line| line.topic == "bookkeeping").count(), 7);
}

#[test]
fn an_entry_that_is_not_there_is_refused() {
    let mut table = table();
    assert_snapshot!(table.explain(9, "en").unwrap_err().to_string(), @"the journal has no entry 9; it has 0 to 3 [HR0541]");
    table.undo(false);
    assert_snapshot!(table.explain(3, "en").unwrap_err().to_string(), @"the journal has no entry 3; it has 0 to 2 [HR0541]");
    let empty = Table::new(table.rules(), 1);
    assert_snapshot!(empty.explain(0, "en").unwrap_err().to_string(), @"the journal has no entry 0; it is empty [HR0541]");
}

#[test]
fn a_stat_shows_the_place_of_every_term() {
    let table = table();
    assert_snapshot!(table.explain_stat("wall", "kac", None, "en").unwrap().to_text(), @r"
    wall: kac 13
      base 10                  stat.kac.part.base at mini/rules.toml:32
      armor 3                  stat.kac.part.armor at mini/rules.toml:36
      bulk caps agility at 2   stat.kac.part.bulk at mini/rules.toml:40
    ");
    assert_snapshot!(table.explain_stat("brute", "kac", None, "en").unwrap().to_text(), @r"
    brute: kac 15
      base 10                                           stat.kac.part.base at mini/rules.toml:32
      agility 3 held to 2 by bulk                       stat.kac.part.agility at mini/rules.toml:34
      brute's plate 3 (armor)                           stat.kac.part.armor at mini/rules.toml:36
      brute's buckler 1 (armor) lost to brute's plate   stat.kac.part.armor at mini/rules.toml:36
      bulk caps agility at 2                            stat.kac.part.bulk at mini/rules.toml:40
    ");
    assert_snapshot!(table.explain_stat("brute", "kac", Some("flat_footed"), "en").unwrap().to_text(), @r"
    brute: kac flat footed 12
      base 10                                           stat.kac.part.base at mini/rules.toml:32
      agility 3 left out                                stat.kac.part.agility at mini/rules.toml:34
      brute's plate 3 (armor)                           stat.kac.part.armor at mini/rules.toml:36
      brute's buckler 1 (armor) lost to brute's plate   stat.kac.part.armor at mini/rules.toml:36
      bulk caps agility at 2                            stat.kac.part.bulk at mini/rules.toml:40
      flat footed -1                                    view.flat_footed at mini/rules.toml:48
    ");
    assert_snapshot!(table.explain_stat("rook", "bab", None, "en").unwrap().to_text(), @r"
    rook: bab 3
      given 3   stat.bab at mini/rules.toml:20
    ");
}

#[test]
fn a_stat_that_is_not_there_names_the_nearest() {
    let table = table();
    let wrong = |who, stat, view| table.explain_stat(who, stat, view, "en").unwrap_err().to_string();
    assert_snapshot!(wrong("rok", "kac", None), @"there is no entity `rok`; did you mean `rook`? [HR0541]");
    assert_snapshot!(wrong("rook", "atack", None), @"there is no stat `atack`; did you mean `attack`? [HR0541]");
    assert_snapshot!(wrong("rook", "kac", Some("flatfooted")), @"there is no view `flatfooted`; did you mean `flat_footed`? [HR0541]");
    assert_snapshot!(wrong("rook", "attack", Some("flat_footed")), @"the view `flat_footed` does not look at `attack`; add it to `of` of the view [HR0541]");
    assert_snapshot!(wrong("rook", "quux", None), @"there is no stat `quux` [HR0541]");
}

#[test]
fn hooks_are_told_in_the_order_in_which_they_run() {
    let rules = read(&[pack()]);
    assert_snapshot!(explain_hooks(&rules, "check.begin", "en").unwrap().to_text(), @r"
    check.begin, before it happens
      hook.ward          mini/rules.toml:202, check = will
      hook.second_ward   mini/rules.toml:208, check = will, asks first
      reaction.parry     mini/rules.toml:193, asks first
    ");
    assert_snapshot!(explain_hooks(&rules, "pool.emptied", "en").unwrap().to_text(), @r"
    pool.emptied, after it happened
      hook.fall   mini/rules.toml:198, pool = hp
    ");
    assert_snapshot!(explain_hooks(&rules, "moved", "en").unwrap().to_text(), @r"
    moved, after it happened
         nothing answers it
    ");
    assert_snapshot!(explain_hooks(&rules, "check.began", "en").unwrap_err().to_string(), @"there is no event `check.began`; did you mean `check.begin`? [HR0541]");
}

#[test]
fn an_option_tells_what_it_changes() {
    let rules = read(&[pack()]);
    assert_snapshot!(explain_option(&rules, "bless", "en").unwrap().to_text(), @r"
    option bless
      about     whether a song blesses
      choices   always, in battle
      default   in battle
      profile   calm sets it to always
      changes   action.sing at mini/rules.toml:155
      changes   condition.blessed at mini/rules.toml:78
    ");
    assert_snapshot!(explain_option(&rules, "bles", "en").unwrap_err().to_string(), @"there is no option `bles`; did you mean `bless`? [HR0541]");
}

#[test]
fn a_rule_tells_which_packs_made_it() {
    let house = Pack::new()
        .with("pack.toml", "id = \"house\"\nversion = \"1.0.0\"\ntitle = \"House\"\nextends = [\"mini\"]\n")
        .with(
            "rules.toml",
            "[change.stat.kac.part.base]\nvalue = \"11\"\n[change.option.bless]\nabout = \"as at our table\"\n",
        );
    let rules = read(&[house, pack()]);
    assert_snapshot!(explain_rule(&rules, "stat.kac.part.base", "en").unwrap().to_text(), @r"
    stat.kac.part.base at mini/rules.toml:32
      mini    defined at mini/rules.toml:30
      house   changed `part.base.value` at house/rules.toml:2
    ");
    assert_snapshot!(explain_rule(&rules, "stat.kac", "en").unwrap().to_text(), @r"
    stat.kac at mini/rules.toml:30
      mini    defined at mini/rules.toml:30
      house   changed `part.base.value` at house/rules.toml:2
    ");
    assert_snapshot!(explain_rule(&rules, "stat.kac.part.armor", "en").unwrap().to_text(), @r"
    stat.kac.part.armor at mini/rules.toml:36
      mini   defined at mini/rules.toml:30
    ");
    assert_snapshot!(explain_rule(&rules, "condition.blessed", "en").unwrap().to_text(), @r"
    condition.blessed at mini/rules.toml:78
      mini     defined at mini/rules.toml:78
      option   bless changes it
    ");
    assert_snapshot!(explain_rule(&rules, "option.bless", "en").unwrap().to_text(), @r"
    option.bless at mini/rules.toml:214
      about   as at our table
      mini    defined at mini/rules.toml:214
      house   changed `about` at house/rules.toml:4
    ");
    assert_snapshot!(explain_rule(&rules, "damage.stage.resistance", "en").unwrap().to_text(), @r"
    damage.stage.resistance at mini/rules.toml:138
      mini   defined at mini/rules.toml:134
    ");
    assert_snapshot!(explain_rule(&rules, "stat.kac.part.armour", "en").unwrap_err().to_string(), @"there is no rule `stat.kac.part.armour`; did you mean `stat.kac.part.armor`? [HR0541]");
}
