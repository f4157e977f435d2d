//! ExplainTopic may be said at the command line, and the help that teaches it.

use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const FIRST_STEPS: &str = "\
First steps:
  houserule play sf1e/dock_brawl          watch a fight; every number says where it comes from
  houserule roll '4d6kh3 + 2'             roll dice; every face is shown
  houserule explain stat hale.kac --in sf1e/dock_brawl
                                          how a number comes about, with file and line
  houserule sheet sf1e/soldier            a character, and what all their numbers are
  houserule check ./mine                  everything that is wrong with a pack of your own
  houserule test ./mine                   whether its scenarios come out as they must
  houserule new ./mine --extends sf1e     begin a pack of house rules

Packs are looked for in the folder of --packs, then in `rulesets/` and by name in the working
folder, then among those built in, then in the same places by the id that they give themselves.
A pack may always be named by its folder: `./mine`.

Exit codes: 0 fine; 1 findings, a refusal or bad input; 2 the command line cannot be read.";

const PLAY_EXAMPLES: &str = "\
Examples:
  houserule play sf1e/dock_brawl          an encounter that comes with a pack
  houserule play fights/mine.toml         one of your own
  houserule play sf1e/duel --seed 12      the same again with other dice
  houserule play sf1e/duel --tape dice.txt
                                          with dice rolled at the table
  houserule play sf1e/duel --answer all=always
                                          everybody reacts whenever they may
  houserule play srd35/goblin_ambush --lang id
                                          told in another language that the pack speaks

A tape holds one face after another, each as `stream:face` or a bare face; `#` begins a comment:
  initiative:14 initiative:9     # left, right
  attack:20

With --format json every line is one JSON object: the opening, each entry, the ending.";

const ROLL_EXAMPLES: &str = "\
Examples:
  houserule roll 3d6                      three dice
  houserule roll '4d6kh3'                 the best three of four (kl, dh and dl likewise)
  houserule roll '2d6r1 + 4'              ones are rolled again (ro1: once)
  houserule roll '5d6!'                   sixes bring another die (!>=5: fives too)
  houserule roll '8d10cs>=7cf1'           count sevens and better, less the ones
  houserule roll '2d6[fire] + 1d4[cold]'  labels keep the parts apart
  houserule roll 'd% + 4dF' --times 3     percentile and fudge dice, three times

Arithmetic is + - * / % with parentheses; / rounds down. There are min, max, abs, clamp and if.";

const CHECK_EXAMPLES: &str = "\
Examples:
  houserule check sf1e                    a pack by its id
  houserule check ./mine ./yours          folders, each for itself
  houserule check ./mine --format json    for programs
  houserule check sf1e --stats            how many rules of which kind, and how many are scripts
  houserule check ./theirs --limits       what a pack of strangers can do, and what it asks for

The rules, the hooks in every language, the encounters, the scenarios, the sheets and the coverage
are read. Keys of texts that a language lacks are warnings; warnings alone leave the exit code at 0.";

const TEST_EXAMPLES: &str = "\
Examples:
  houserule test sf1e                     every scenario of a pack
  houserule test ./mine                   a folder
  houserule test ./mine --filter grapple  those with `grapple` in their name
  houserule test ./mine --accept          keep what new and changed ones tell

A scenario passes if everything comes as it says, and if it tells the same story as the snapshot
beside it, `scenarios/NAME.snap`. Whatever fails by its own words is never kept by --accept; nor
is anything of a pack that is built in, which has no folder to keep it in. Scenarios of packs
that it extends are not played. Failed, changed and new scenarios end with exit code 1.";

const NEW_EXAMPLES: &str = "\
Examples:
  houserule new ./mine --extends sf1e               house rules with a hook in Lua
  houserule new ./mine --extends sf1e --lang rhai   the same in Rhai
  houserule test ./mine                             passes at once

The folder's name becomes the id of the pack: `my-rules` is called `my_rules`. It gets a manifest,
a rule as data, a rule as a hook, words for people, a scenario with its snapshot, and a README.
Nothing that is there already is overwritten.";

const SHEET_EXAMPLES: &str = "\
Examples:
  houserule sheet sf1e/soldier            a sheet that comes with a pack
  houserule sheet people/rook.toml        one of your own
  houserule sheet sf1e/soldier --explain  every number with all its terms, and where they stand
  houserule sheet sf1e/soldier --stat kac
  houserule sheet sf1e/soldier --stat kac.against_maneuver
                                          one number, or one through a view

Shown are the stats that have any term or are not zero, in groups by their tags, and the pools. A
number that depends on what is done, with what or to whom is shown as it is at rest.";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  houserule explain HR0203                what an error code means
  houserule explain stat hale.kac --in sf1e/dock_brawl
  houserule explain stat hale.kac.against_maneuver --in sf1e/dock_brawl
                                          the same through a view
  houserule explain hooks pool.emptied --in sf1e
  houserule explain option ties --in sf1e
  houserule explain rule check.attack --in ./mine";

/// A rules kernel for tabletop games, at the command line
#[derive(Debug, Parser)]
#[command(name = "houserule", bin_name = "houserule", version, after_help = FIRST_STEPS, max_term_width = 100)]
pub struct Args {
    /// ExplainTopic is to be done
    #[command(subcommand)]
    pub command: CliCommand,
    /// How results and diagnostics are written
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    pub format: Format,
    /// A folder of packs that is searched first
    #[arg(long, global = true, value_name = "DIR")]
    pub packs: Option<PathBuf>,
}

/// How results and diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
}

/// A script language, by preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// Hooks in Lua
    Lua,
    /// Hooks in Rhai
    Rhai,
}

impl Lang {
    /// The name of the language in packs.
    pub fn name(self) -> &'static str {
        match self {
            Lang::Lua => "lua",
            Lang::Rhai => "rhai",
        }
    }
}

/// ExplainTopic is to be done.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// PlayArgs an encounter to its end and tell what happens
    Play(PlayArgs),
    /// RollArgs dice and show every face
    Roll(RollArgs),
    /// Find everything that is wrong with packs
    Check(CheckArgs),
    /// PlayArgs the scenarios of a pack and tell which do not come out as they must
    Test(TestArgs),
    /// Begin a pack of house rules over another
    New(NewArgs),
    /// Show a character: pools and stats, and how each number comes about
    Sheet(SheetArgs),
    /// Say where a number, a rule or an error comes from
    Explain(ExplainArgs),
}

/// `houserule play`
#[derive(Debug, clap::Args)]
#[command(after_help = PLAY_EXAMPLES)]
pub struct PlayArgs {
    /// A file, or PACK/NAME for an encounter that comes with a pack
    pub encounter: String,
    /// The seed of all dice; else the encounter's own, else one taken from the system
    #[arg(long, value_name = "N", value_parser = seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// A file with the faces of the dice, instead of a seed
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub tape: Option<PathBuf>,
    /// Ask at the terminal what the rules leave to the players
    #[arg(long)]
    pub ask: bool,
    /// Who answers a question: KEY is its text, `fact.NAME` or `all`; POLICY is ask, always, never,
    /// default, or an expression about who is asked
    #[arg(long = "answer", value_name = "KEY=POLICY", value_parser = policy)]
    pub answers: Vec<(String, String)>,
    /// Say at the end where the rules come from
    #[arg(long)]
    pub credits: bool,
    /// Allow one intent as much as the packs ask for in `[limits]`
    #[arg(long)]
    pub allow_limits: bool,
    /// The language in which the fight is told
    #[arg(long, value_name = "LANG", default_value = "en")]
    pub lang: String,
    /// The script language that is used where a pack has its hooks in several
    #[arg(long, value_enum, value_name = "SCRIPT", ignore_case = true)]
    pub hooks: Option<Lang>,
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

fn policy(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').map(|(key, policy)| (key.trim().to_owned(), policy.trim().to_owned()));
    parts.ok_or_else(|| "write `KEY=POLICY`, such as `all=default`".to_owned())
}

/// `houserule roll`
#[derive(Debug, clap::Args)]
#[command(after_help = ROLL_EXAMPLES)]
pub struct RollArgs {
    /// The dice, such as `2d6 + 3`
    #[arg(allow_hyphen_values = true)]
    pub expression: String,
    /// The seed of the dice; else one taken from the system
    #[arg(long, value_name = "N", value_parser = seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// How often
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub times: u32,
}

/// `houserule check`
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Packs by id or folder
    #[arg(required = true, value_name = "PACK")]
    pub wanted: Vec<String>,
    /// Count the rules of each kind, and how many of them are hooks in scripts
    #[arg(long)]
    pub stats: bool,
    /// Show how much each pack asks to be allowed, and what it can do beyond data
    #[arg(long)]
    pub limits: bool,
}

/// `houserule test`
#[derive(Debug, clap::Args)]
#[command(after_help = TEST_EXAMPLES)]
pub struct TestArgs {
    /// The pack, by id or folder
    pub pack: String,
    /// Keep what new and changed scenarios tell
    #[arg(long)]
    pub accept: bool,
    /// Allow one intent as much as the packs ask for in `[limits]`
    #[arg(long)]
    pub allow_limits: bool,
    /// Only scenarios with this in their name
    #[arg(long, value_name = "NAME")]
    pub filter: Option<String>,
    /// The script language that is used where the pack has its hooks in several
    #[arg(long, value_enum, value_name = "SCRIPT", ignore_case = true)]
    pub hooks: Option<Lang>,
}

/// `houserule new`
#[derive(Debug, clap::Args)]
#[command(after_help = NEW_EXAMPLES)]
pub struct NewArgs {
    /// The folder that is made
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// The pack that it builds on, by id
    #[arg(long, value_name = "PACK")]
    pub extends: String,
    /// The language of its hook
    #[arg(long, value_enum, value_name = "LANG", ignore_case = true, default_value_t = Lang::Lua)]
    pub lang: Lang,
}

/// `houserule sheet`
#[derive(Debug, clap::Args)]
#[command(after_help = SHEET_EXAMPLES)]
pub struct SheetArgs {
    /// A file, or PACK/NAME for a sheet that comes with a pack
    pub sheet: String,
    /// ExplainArgs this number alone: STAT, or STAT.VIEW
    #[arg(long, value_name = "STAT")]
    pub stat: Option<String>,
    /// ExplainArgs every number, each term with its file and line
    #[arg(long)]
    pub explain: bool,
    /// The language in which numbers are explained
    #[arg(long, value_name = "LANG", default_value = "en")]
    pub lang: String,
}

/// `houserule explain`
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES, arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub struct ExplainArgs {
    /// An error code, such as HR0203
    pub code: Option<String>,
    /// ExplainTopic else is explained
    #[command(subcommand)]
    pub what: Option<ExplainTopic>,
}

/// ExplainTopic is explained besides codes.
#[derive(Debug, Subcommand)]
pub enum ExplainTopic {
    /// A number of somebody: every term with its file and line, and who lost to whom
    Stat {
        /// WHO.STAT, or WHO.STAT.VIEW
        #[arg(value_name = "WHO.STAT")]
        number: String,
        /// The encounter in which they are seated
        #[arg(long = "in", value_name = "ENCOUNTER")]
        encounter: String,
    },
    /// Who answers an event, in which order
    Hooks {
        /// The event, such as `check.rolled`
        event: String,
        /// The pack, by id or folder
        #[arg(long = "in", value_name = "PACK")]
        pack: String,
    },
    /// ExplainTopic a house-rule switch is and changes
    Option {
        /// Its name
        name: String,
        /// The pack, by id or folder
        #[arg(long = "in", value_name = "PACK")]
        pack: String,
    },
    /// Where a rule was written, and which packs changed it
    Rule {
        /// Its full name, such as `check.attack`
        name: String,
        /// The pack, by id or folder
        #[arg(long = "in", value_name = "PACK")]
        pack: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }
}
