//! Houserule at the command line: watch a fight, roll dice, check and test a pack, and ask where a number comes from.

mod args;
mod ask;
mod check;
mod codes;
mod explain;
mod faces;
mod new;
mod packs;
mod play;
mod report;
mod roll;
mod screen;
mod sheet;
mod stats;
mod tape;
mod test;
mod tongue;
mod write;

use args::{Args, Command};
use clap::Parser;
use packs::Library;
use report::Trouble;
use screen::Screen;
use std::process::ExitCode;

/// What a command that ran to its end leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Nothing to complain about.
    Fine,
    /// Something was found that somebody should mend.
    Findings,
}

fn main() -> ExitCode {
    match Args::try_parse() {
        Ok(args) => run(&args),
        Err(usage) => {
            // help that cannot be shown is nobody's fault
            let _ = usage.print();
            ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2))
        }
    }
}

fn run(args: &Args) -> ExitCode {
    let mut screen = Screen::new(args.format);
    let verdict = perform(args, &mut screen).unwrap_or_else(|trouble| {
        screen.complain(&trouble.0);
        Verdict::Findings
    });
    match (verdict, screen.close()) {
        (Verdict::Fine, true) => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}

/// Does what the command line says, by the packs of a library; what goes wrong
/// is told with paths that can be opened.
fn perform(args: &Args, screen: &mut Screen) -> Result<Verdict, Trouble> {
    let first = match &args.command {
        Command::Play(play) => play.hooks,
        Command::Test(test) => test.hooks,
        Command::New(new) => Some(new.lang),
        _ => None,
    };
    let library = Library::open(args.packs.as_deref(), first)?;
    let done = match &args.command {
        Command::Play(play) => play::play(play, &library, screen),
        Command::Roll(roll) => roll::roll(roll, screen),
        Command::Check(check) => check::check(check, &library, screen),
        Command::Test(test) => test::test(test, &library, screen),
        Command::New(new) => new::new(new, &library, screen),
        Command::Sheet(sheet) => sheet::sheet(sheet, &library, screen),
        Command::Explain(explain) => explain::explain(explain, &library, screen),
    };
    done.map_err(|Trouble(findings)| Trouble(library.placed(findings)))
}
