//! Houserule at the command line: watch a fight, roll dice, check and test a pack, and ask where a number comes from.

mod args;
mod ask;
mod capped;
mod check;
mod codes;
mod dice_text;
mod excerpt;
mod explain;
mod fs;
mod limits;
mod locale;
mod new;
mod output;
mod packs;
mod play;
mod report;
mod roll;
mod sheet;
mod stats;
mod tape;
mod test;

use args::{Args, CliCommand};
use clap::Parser;
use output::Output;
use packs::Library;
use report::CliError;
use std::io::Write;
use std::process::ExitCode;

/// What a command that ran to its end leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExitStatus {
    /// Nothing to complain about.
    Fine,
    /// Something was found that somebody should mend.
    Findings,
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(panicked));
    match Args::try_parse() {
        Ok(args) => run(&args),
        Err(usage) => teach(usage),
    }
}

/// Shows the help, or what is wrong with the command line. That cites what was
/// typed, and brings its own colours: so it is read a second time, with what was
/// typed made harmless.
fn teach(usage: clap::Error) -> ExitCode {
    let typed = std::env::args_os().map(|word| output::shown(&word.to_string_lossy()).into_owned());
    let usage = Args::try_parse_from(typed).err().unwrap_or(usage);
    // help that cannot be shown is nobody's fault
    let _ = usage.print();
    ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2))
}

/// Tells of a panic, whose message may cite what a pack says.
fn panicked(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let said = panic.payload_as_str().unwrap_or("nothing that could be told");
    let trace = std::backtrace::Backtrace::capture();
    let told = format!("the program is at fault: {said} ({place})");
    let _ = writeln!(anstream::stderr(), "{}", output::shown(&told));
    if trace.status() == std::backtrace::BacktraceStatus::Captured {
        let _ = writeln!(anstream::stderr(), "{}", output::lines(&trace.to_string()));
    }
}

fn run(args: &Args) -> ExitCode {
    let mut screen = Output::new(args.format);
    let verdict = perform(args, &mut screen).unwrap_or_else(|trouble| {
        screen.complain(&trouble.0);
        ExitStatus::Findings
    });
    match (verdict, screen.close()) {
        (ExitStatus::Fine, true) => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}

/// Does what the command line says, by the packs of a library; what goes wrong
/// is told with paths that can be opened.
fn perform(args: &Args, screen: &mut Output) -> Result<ExitStatus, CliError> {
    let first = match &args.command {
        CliCommand::Play(play) => play.hooks,
        CliCommand::Test(test) => test.hooks,
        CliCommand::New(new) => Some(new.lang),
        _ => None,
    };
    let library = Library::open(args.packs.as_deref(), first)?;
    let done = match &args.command {
        CliCommand::Play(play) => play::play(play, &library, screen),
        CliCommand::Roll(roll) => roll::roll(roll, screen),
        CliCommand::Check(check) => check::check(check, &library, screen),
        CliCommand::Test(test) => test::test(test, &library, screen),
        CliCommand::New(new) => new::new(new, &library, screen),
        CliCommand::Sheet(sheet) => sheet::sheet(sheet, &library, screen),
        CliCommand::Explain(explain) => explain::explain(explain, &library, screen),
    };
    done.map_err(|CliError(findings)| CliError(library.placed(findings)))
}
