//! Which names the files of a pack may have: such as every system can keep, apart
//! from each other, and people can read.

use super::limits::{DEEPEST_FOLDER, LONGEST_FILE_NAME};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// Names that mean devices on one system or another, whatever ending they have.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
/// The same with a digit behind them.
const NUMBERED: [&str; 2] = ["com", "lpt"];

/// What is wrong with the name of a file by itself, if anything is.
pub(super) fn wrong(name: &str) -> Option<String> {
    if name.len() > LONGEST_FILE_NAME {
        return Some(format!("the name `{name}` is longer than {LONGEST_FILE_NAME} bytes; shorten it"));
    }
    let parts = || name.split('/');
    let bad = name.chars().find(|sign| !may_stand(*sign));
    let shown = name.escape_debug();
    match () {
        () if bad.is_some() => {
            let sign = bad.map(|sign| sign.escape_unicode().to_string()).unwrap_or_default();
            Some(format!("the name `{shown}` has a sign that not every system knows or shows, `{sign}`; take it out"))
        }
        () if parts().any(|part| part.is_empty() || part.ends_with(['.', ' ']) || part.starts_with(['.', ' '])) => {
            Some(format!("a part of the name `{shown}` is empty, or begins or ends with a blank or a dot; rename it"))
        }
        () if parts().count() > DEEPEST_FOLDER + 1 => {
            Some(format!("the name `{shown}` lies more than {DEEPEST_FOLDER} folders deep; put it into fewer"))
        }
        () if parts().any(is_device) => {
            Some(format!("the name `{shown}` means a device on some systems; give it another"))
        }
        () => None,
    }
}

/// Two names that are one on some system, if there are such.
pub(super) fn clash<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for name in names {
        for (end, _) in name.match_indices('/').chain([(name.len(), "")]) {
            let part = name.get(..end).unwrap_or(name);
            match known.insert(folded(part), part) {
                Some(other) if other != part => {
                    return Some(format!("`{other}` and `{part}` are one name on some systems; rename one of the two"));
                }
                _ => {}
            }
        }
    }
    None
}

/// A name as systems keep it that do not tell large letters from small ones, or
/// accents from letters with accents.
fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    let is_numbered = |name: &str| {
        stem.strip_prefix(name).is_some_and(|rest| rest.chars().count() == 1 && rest.chars().all(char::is_numeric))
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED.iter().any(|name| is_numbered(name))
}

/// Whether a sign may stand in a name: no sign that some system keeps for itself,
/// and none that is not seen or turns the line round.
fn may_stand(sign: char) -> bool {
    let unseen = matches!(sign,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e0fff}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    !unseen && !sign.is_control() && !matches!(sign, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn err_names_that_some_system_cannot_keep_are_told() {
        let bad = [
            "CON",
            "aux.toml",
            "a/NUL.txt/b.toml",
            "com1",
            "LPT9.lua",
            "com\u{b9}.toml",
            "a.",
            ".",
            "..",
            "../a.toml",
            "a/../../b.toml",
            "./a.toml",
            "a/./b.toml",
            ".git/config",
            "hooks/.a.lua",
            "...",
            "/etc/passwd",
            "//host/share",
            "C:/a.toml",
            "~/..",
            "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/a.toml",
            "a./b.toml",
            "b ",
            " b",
            "x//y",
            "/x",
            "x/",
            "a:b",
            "what?.toml",
            "a*b",
            "a<b",
            "a|b",
            "a\"b",
            "a\\b",
            "a`b",
            "a\nb",
            "a\u{1b}[31m",
            "a\u{0}",
            "a\u{202e}lmot",
            "a\u{200b}",
            "a\u{feff}",
            "a\u{e0041}",
            "",
        ];
        for name in bad {
            assert!(wrong(name).is_some(), "{name:?}");
        }
        assert!(wrong(&"a/".repeat(101)).is_some_and(|told| told.contains("longer than 200 bytes")));
    }

    #[test]
    fn names_that_every_system_keeps_pass() {
        let good = [
            "pack.toml",
            "hooks/über.lua",
            "text/pt-br.toml",
            "console.toml",
            "com.toml",
            "com10.toml",
            "auxiliary/a b.toml",
            "規則/攻撃.toml",
            "a..b",
            "~a.toml",
            "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/a.toml",
            "it's (new) [1].toml",
        ];
        for name in good {
            assert_eq!(wrong(name), None);
        }
        assert_eq!(clash(good.into_iter().chain(good)), None);
    }

    #[test]
    fn err_names_that_are_one_on_some_system_are_told() {
        for (one, other) in [
            ("a.toml", "A.toml"),
            ("hooks/a.lua", "Hooks/b.lua"),
            ("\u{e9}.toml", "e\u{301}.toml"),
            ("\u{c5}.toml", "\u{212b}.toml"),
            ("stra\u{df}e/A", "STRA\u{1e9e}E/b"),
            ("a/b/c", "a/B"),
        ] {
            assert!(clash([one, other].into_iter()).is_some_and(|told| told.contains("are one name")), "{one} {other}");
        }
        assert_eq!(clash(["a/b", "a/c", "ab", "a b"].into_iter()), None);
    }

    proptest! {
        #[test]
        fn any_name_is_judged_and_told_without_signs_that_cannot_be_seen(name in "\\PC{0,40}|[\\x00-\\x20a./]{0,20}") {
            if let Some(told) = wrong(&name) {
                prop_assert!(!told.chars().any(char::is_control), "{}", told);
            }
        }
    }
}
