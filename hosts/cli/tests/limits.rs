//! What packs ask to be allowed, what they can do, and how that is told and granted.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use common::{Desk, json_lines};

const RULES: &str = "[note]\nsum = \"what was reckoned\"\n[creature.ox]\n[stat.wit]\n[check.wit]\nroll = \"1d6\"\nbonus = \"wit\"\ndegrees = [\"a\", \"b\"]\ncase.b.when = \"total > 3\"\n[turn]\nseconds = 6\nstart = [\"turn.start\"]\n[initiative]\ncheck = \"wit\"\n";
const STORY: &str = "about = \"a turn begins\"\ngiven.ox = { like = \"ox\" }\n[[act]]\nbegin = true\n";
const FIGHT: &str = "title = \"A turn\"\npack = \"sums\"\nseed = 1\n[who.ox]\nlike = \"ox\"\nside = \"a\"\n[who.cow]\nlike = \"ox\"\nside = \"b\"\n[end]\nrounds = 1\n";

/// A pack whose hook reckons so long.
fn laid(desk: &Desk, limits: &str, turns: u32) {
    desk.put("sums/pack.toml", &format!("id = \"sums\"\nversion = \"1\"\ntitle = \"Sums\"\n{limits}"));
    desk.put("sums/rules.toml", RULES);
    let hook = "on(\"turn.start\", { name = \"sum\" }, function(ev)\n  local x = 0\n  for i = 1, TURNS do x = (x + i) % 7 end\n  ev.bearer:set_note(\"sum\", x)\nend)\n";
    let hook = hook.replace("TURNS", &turns.to_string());
    desk.put("sums/hooks/sum.lua", &hook);
    desk.put("sums/scenarios/turn.toml", STORY);
    desk.put("sums/encounters/turn.toml", FIGHT);
}

const ASKS: &str = "[limits]\nfuel = 9_000_000\nbecause = \"long sums\"\n";
const FEW: u32 = 1_000;
const MANY: u32 = 1_000_000;

#[test]
fn check_shows_what_a_pack_asks_for_and_can_do() {
    let desk = Desk::new("limits-shown");
    laid(&desk, ASKS, FEW);
    std::fs::remove_dir_all(desk.0.join("sums/encounters")).unwrap();
    insta::assert_snapshot!(desk.told_inside(&["check", "./sums", "--limits"]));
    let path = desk.path("sums");
    let limits = &json_lines(&["check", &path, "--limits", "--format", "json"])[0]["packs"][0]["limits"];
    let fuel = limits["counts"].as_array().unwrap().iter().find(|row| row["name"] == "fuel").unwrap();
    assert_eq!((fuel["asked"]["sums"].as_u64(), fuel["default"].as_u64()), (Some(9_000_000), Some(2_000_000)));
    let sums = &limits["packs"][0];
    assert_eq!((sums["because"].as_str(), sums["hooks"]["lua"].as_u64()), (Some("long sums"), Some(1)));
    assert_eq!(sums["words"]["change the table"], serde_json::json!(["set_note"]));
    assert!(json_lines(&["check", &path, "--format", "json"])[0]["packs"][0].get("limits").is_none());
}

#[test]
fn check_shows_what_a_pack_does_to_others() {
    let desk = Desk::new("limits-others");
    desk.put("mine/pack.toml", "id = \"mine\"\nversion = \"1\"\ntitle = \"Mine\"\nextends = [\"sf1e\"]\n");
    desk.put("mine/rules.toml", "[change.stat.kac.part.base]\nvalue = \"11\"\n");
    desk.put("mine/hooks/a.lua", "wrap(\"dying.slips_away\", function(ev, inner)\n  if roll(\"1d20\", { who = ev.who }).total < 10 then inner() end\nend)\n");
    let told = desk.told_inside(&["check", "./mine", "--limits"]);
    let mine = told.split("  `mine`\n").nth(1).unwrap();
    for line in [
        "wraps          dying.slips_away",
        "changes        stat.kac",
        "scripts may    roll dice (roll)",
        "hooks          1 in lua",
    ] {
        assert!(mine.contains(line), "{line}: {told}");
    }
    assert!(!mine.contains("asks for more") && !mine.contains("mutes"), "{mine}");
}

#[test]
fn err_asking_changes_nothing_until_the_host_allows_it() {
    let desk = Desk::new("limits-stop");
    laid(&desk, ASKS, MANY);
    let wish = "`sums` asks to be allowed more: fuel 9000000 (long sums); `--allow-limits` allows it";
    for command in [&["test", "./sums"][..], &["play", "./sums/encounters/turn.toml"]] {
        let stopped = desk.told_inside(command);
        assert!(stopped.contains("HR0404") && stopped.contains(wish) && stopped.ends_with("exit 1"), "{stopped}");
        let allowed = desk.told_inside(&[command, &["--allow-limits"]].concat());
        assert!(!allowed.contains("HR0404") && !allowed.contains("asks to be allowed"), "{allowed}");
    }
    let kept = desk.told_inside(&["test", "./sums", "--allow-limits", "--accept"]);
    assert!(kept.ends_with("exit 0"), "{kept}");
}

#[test]
fn err_who_asks_for_nothing_or_not_enough_is_told_nothing() {
    let desk = Desk::new("limits-none");
    laid(&desk, "", MANY);
    for more in [&[][..], &["--allow-limits"]] {
        let told = desk.told_inside(&[&["test", "./sums"], more].concat());
        assert!(told.contains("HR0404") && !told.contains("asks to be allowed"), "{told}");
    }
    laid(&desk, &ASKS.replace("9_000_000", "20_000_001"), FEW);
    let told = desk.told_inside(&["check", "./sums", "--limits"]);
    assert!(told.contains("a number lies here between `1` and `20000000`"), "{told}");
}
