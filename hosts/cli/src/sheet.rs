//! `houserule sheet`: a character from its file, with every number that follows from it.

use crate::ExitStatus;
use crate::args::SheetArgs as Wanted;
use crate::locale::Locale;
use crate::output::Output;
use crate::packs::{FoundPage, Library, SHEETS};
use crate::report::{CliError, Finding, in_file};
use houserule::Explain;
use houserule::explain::Explanation;
use houserule::kernel::entity::Entity;
use houserule::kernel::ident::{NameKind, PoolId, StatId};
use houserule::sheet::{Sheet, packs};
use houserule::{EntityId, Table};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Under which heading stats without a tag stand.
const UNTAGGED: &str = "other numbers";

/// A pool as it is.
struct PoolReport {
    name: String,
    left: i32,
    most: i32,
}

/// A stat as it is, or why it cannot be told at rest.
struct StatReport {
    name: String,
    group: String,
    account: Result<Explanation, String>,
}

/// Shows a character.
///
/// # Errors
/// Everything that is wrong with the sheet or its packs; a stat that there is
/// not.
pub fn sheet(args: &Wanted, library: &Library, screen: &mut Output) -> Result<ExitStatus, CliError> {
    let FoundPage { name, text, home } = library.page(SHEETS, &args.sheet)?;
    let words = packs(&name, &text).map_err(|problems| in_file(&problems, &text))?;
    let rules = library.load_for(home.as_ref(), &words)?;
    let sheet = Sheet::read(&rules, &name, &text).map_err(|problems| in_file(&problems, &text))?;
    let table = sheet.lay(&rules)?;
    let tongue = Locale::of(&args.lang, &rules)?;
    if let Some(stat) = &args.stat {
        let account = explained(&table, &sheet.name, stat, &tongue.language)?;
        screen.tell(account.to_text().trim_end());
        screen.give(&account);
        return Ok(ExitStatus::Fine);
    }
    let Some(who) = table.state().find(&sheet.name) else { return Err(absent(&sheet.name).into()) };
    let (pools, numbers) = (pools(&table, who)?, numbers(&table, &sheet.name, &tongue.language));
    heading(&sheet, &table, who, screen);
    tell_pools(&pools, screen);
    tell_numbers(&numbers, args.explain, screen);
    screen.give(&as_json(&sheet, &table, who, &words, &pools, &numbers));
    Ok(ExitStatus::Fine)
}

fn absent(name: &str) -> Finding {
    Finding::new("HR0908", format!("`{name}` did not come to the table"))
}

fn explained(table: &Table, who: &str, stat: &str, language: &str) -> Result<Explanation, CliError> {
    match stat.split_once('.') {
        Some((stat, view)) => Ok(table.explain_stat(who, stat, Some(view), language)?),
        None => Ok(table.explain_stat(who, stat, None, language)?),
    }
}

/// The pools that the character has: those with any room in them.
fn pools(table: &Table, who: EntityId) -> Result<Vec<PoolReport>, CliError> {
    let mut pools = Vec::new();
    let rules = table.rules();
    for name in rules.lexicon.names(NameKind::Pool).iter() {
        let of = rules.lexicon.find::<PoolId>(name).map(|pool| &rules.pools.get(pool).of);
        let has = of.is_some_and(|of| table.state().entity(who).is_some_and(|entity| entity.is_one_of(of)));
        if has {
            let (left, most) = (table.read(who, name)?, table.read(who, &format!("{name}.max"))?);
            pools.push(PoolReport { name: name.to_string(), left, most });
        }
    }
    pools.retain(|pool| pool.left != 0 || pool.most != 0);
    Ok(pools)
}

/// The stats that say anything about the character, in groups by their tags,
/// those without one last: a stat whose every term is 0 says nothing.
fn numbers(table: &Table, who: &str, language: &str) -> Vec<StatReport> {
    let rules = table.rules();
    let number = |name: &str| {
        let tags = rules.lexicon.find::<StatId>(name).map(|stat| rules.stats.get(stat).tags.iter());
        let tags: Vec<&str> = tags.into_iter().flatten().map(|tag| rules.name(tag)).collect();
        let account = table.explain_stat(who, name, None, language).map_err(|fault| fault.to_string());
        StatReport { name: name.to_owned(), group: tags.join(", "), account }
    };
    let mut numbers: Vec<StatReport> = rules.lexicon.names(NameKind::Stat).iter().map(|name| number(name)).collect();
    numbers.retain(StatReport::says_something);
    numbers.sort_by_key(|number| (number.group.is_empty(), number.group.clone()));
    numbers
}

impl StatReport {
    fn total(&self) -> Option<i64> {
        self.account.as_ref().ok().and_then(|account| account.title.facts.get("total")?.as_i64())
    }

    fn says_something(&self) -> bool {
        let is_zero = |facts: &Value, key: &str| facts.get(key).and_then(Value::as_i64) == Some(0);
        let adds = |account: &Explanation| account.lines.iter().any(|line| !is_zero(&line.facts, "value"));
        self.account.as_ref().map_or(true, |account| adds(account) || !is_zero(&account.title.facts, "total"))
    }
}

fn heading(sheet: &Sheet, table: &Table, who: EntityId, screen: &mut Output) {
    let title = if sheet.title.is_empty() { String::new() } else { format!(", {}", sheet.title) };
    screen.say(&format!("{}{title}", sheet.name));
    for (word, names) in [("is", tags(table, who)), ("holds", holds(table, who))] {
        if !names.is_empty() {
            screen.say(&format!("{word} {}", names.iter().map(|name| spoken(name)).collect::<Vec<_>>().join(", ")));
        }
    }
    sheet.notes.iter().for_each(|note| screen.say(&format!("note: {note}")));
}

fn entity(table: &Table, who: EntityId) -> Option<&Entity> {
    table.state().entity(who)
}

fn tags(table: &Table, who: EntityId) -> Vec<String> {
    let tags = entity(table, who).into_iter().flat_map(|entity| entity.tags.iter());
    tags.map(|tag| table.rules().name(tag).to_owned()).collect()
}

/// What the character holds, each thing by its page.
fn holds(table: &Table, who: EntityId) -> Vec<String> {
    use houserule::kernel::entity::StatBlockRef;
    let things = entity(table, who).into_iter().flat_map(|entity| entity.holds.iter().copied());
    let page = |thing: EntityId| match entity(table, thing)?.origin {
        StatBlockRef::Item(item) => Some(table.rules().name(item).to_owned()),
        _ => None,
    };
    things.filter_map(page).collect()
}

/// A name as people say it.
fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

fn tell_pools(pools: &[PoolReport], screen: &mut Output) {
    let widest = pools.iter().map(|pool| pool.name.chars().count()).max().unwrap_or(0);
    if !pools.is_empty() {
        screen.tell("\npools");
    }
    for PoolReport { name, left, most } in pools {
        screen.say(&format!("  {:<widest$}  {left} of {most}", spoken(name)));
    }
}

fn tell_numbers(numbers: &[StatReport], explain: bool, screen: &mut Output) {
    let widest = numbers.iter().map(|number| number.name.chars().count()).max().unwrap_or(0);
    let mut group = None;
    for number in numbers {
        if group != Some(&number.group) {
            let heading = if number.group.is_empty() { UNTAGGED } else { &number.group };
            screen.say("");
            screen.say(&spoken(heading));
            group = Some(&number.group);
        }
        let name = spoken(&number.name);
        match (&number.account, number.total()) {
            (Ok(account), Some(_)) if explain => screen.tell(&indented(&account.to_text())),
            (Ok(_), total) => screen.say(&format!("  {name:<widest$}  {}", total.unwrap_or_default())),
            (Err(why), _) => screen.say(&format!("  {name:<widest$}  –  {why}")),
        }
    }
}

fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn as_json(
    sheet: &Sheet,
    table: &Table,
    who: EntityId,
    packs: &[String],
    pools: &[PoolReport],
    numbers: &[StatReport],
) -> Value {
    let pools: BTreeMap<&str, Value> =
        pools.iter().map(|pool| (&*pool.name, json!({ "left": pool.left, "max": pool.most }))).collect();
    let stat = |number: &StatReport| {
        let account = number.account.as_ref().ok().map(|account| &account.title.facts);
        json!({ "tally": account, "total": number.total(), "why_not": number.account.as_ref().err() })
    };
    let stats: BTreeMap<&str, Value> = numbers.iter().map(|number| (&*number.name, stat(number))).collect();
    json!({
        "name": sheet.name, "title": sheet.title, "packs": packs, "notes": sheet.notes,
        "side": sheet.member.seat.side, "tags": tags(table, who), "holds": holds(table, who),
        "pools": pools, "stats": stats,
    })
}
