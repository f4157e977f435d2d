//! A terminal of its own for the program, and an eye for what must not reach one.

use std::io::Read as _;
use std::process::{Command, Stdio};

/// A text that does what strangers' texts may try: titles, clearing, colours,
/// moving, hiding, turning the reading direction, other lines, piled up marks.
pub const POISON: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}[35;5;7m\u{9b}31m\u{90}q\u{9c}\r\u{8}\u{7f}\u{0b}\u{202e}\u{2066}\u{200f}\u{61c}\u{200b}\u{feff}\u{ad}\u{e0041}\u{2028}\u{2029}\u{85}\u{3164}\nforged: line\t\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}X";

/// Runs a program in a terminal and gives what the terminal was sent.
#[cfg(unix)]
pub fn in_terminal(mut program: Command) -> String {
    use rustix::fs::{Mode, OFlags, open};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let host = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&host).unwrap();
    unlockpt(&host).unwrap();
    let name = ptsname(&host, Vec::new()).unwrap();
    let side = || Stdio::from(open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap());
    program.stdin(Stdio::null()).stdout(side()).stderr(side());
    program.env("TERM", "xterm-256color").env_remove("NO_COLOR").env_remove("CI");
    let mut child = program.spawn().unwrap();
    drop(program);
    let (mut sent, mut host) = (Vec::new(), std::fs::File::from(host));
    // the last one to close its side ends the reading with an error
    let _ = host.read_to_end(&mut sent);
    child.wait().unwrap();
    String::from_utf8(sent).unwrap().replace("\r\n", "\n")
}

/// Runs a program through pipes and gives both of its outputs.
pub fn in_pipes(mut program: Command) -> String {
    let output = program.stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap() + String::from_utf8(output.stderr).unwrap().as_str()
}

/// What of a text a terminal must not be sent. Colours of the program's own are
/// left out if they may be there; none of them is one of [`POISON`].
pub fn harm(sent: &str, coloured: bool) -> Option<String> {
    let bare = if coloured { without_colours(sent) } else { sent.to_owned() };
    let mut marks = 0;
    for (at, sign) in bare.char_indices() {
        marks = if matches!(sign, '\u{300}'..='\u{36f}') { marks + 1 } else { 0 };
        if acts(sign) || marks > 4 || bare[at..].starts_with("\nforged") {
            let near: String = bare[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
            return Some(format!("{sign:?} behind {near:?}"));
        }
    }
    None
}

/// Written down here once more, from the tables of Unicode: what acts or hides.
fn acts(sign: char) -> bool {
    match sign {
        '\n' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' => true,
        '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

fn without_colours(sent: &str) -> String {
    let mut parts = sent.split("\u{1b}[");
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|sign: char| !sign.is_ascii_digit() && sign != ';').unwrap_or(part.len());
        let own = part[end..].starts_with('m') && !part.starts_with("35;5;7");
        bare.push_str(if own { &part[end + 1..] } else { "\u{1b}" });
    }
    bare
}
