//! Sheets: one file, one character, from which every number follows.

use crate::encounter::named_packs;
use crate::members::Member;
use crate::{Diagnostic, Fault, Operation, Outcome, Problem, Problems, Ruleset, Sources, Span, Table};
use houserule_kernel::error::nearest;
use houserule_loader::pack::{FieldReader, NodeKind, Spanned, TomlNode, read_toml};
use std::sync::Arc;

/// A character as its file says it.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The name.
    pub name: String,
    /// In a few words who that is.
    pub title: String,
    /// What people want to remember; no rule reads it.
    pub notes: Vec<String>,
    /// All that an encounter may say of a member.
    pub member: Member,
    /// Its file, to say where something stands.
    pub sources: Sources,
}

/// The packs that a sheet names, without reading the rest.
///
/// # Errors
/// What is wrong with the file.
pub fn packs(name: &str, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    named_packs("the sheet", name, text)
}

impl Sheet {
    /// Reads a sheet by the names of a ruleset.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(rules: &Ruleset, file: &str, text: &str) -> Result<Sheet, Vec<Diagnostic>> {
        let (mut sources, mut problems) = (Sources::default(), Problems::default());
        let number = sources.add(file, text);
        let body = NodeKind::Table(read_toml(text, number, &mut problems));
        let node = TomlNode { span: Span { file: number, start: 0, end: 0 }, body };
        let sheet = Sheet::read_fields(rules, FieldReader::open(&node, "the sheet", &mut problems));
        match sheet {
            Some(sheet) if problems.is_empty() => Ok(Sheet { sources, ..sheet }),
            _ => Err(problems.told(&sources)),
        }
    }

    fn read_fields(rules: &Ruleset, mut f: FieldReader<'_, '_>) -> Option<Sheet> {
        let word = |phrase: Option<&Spanned>| phrase.map(|phrase| phrase.text.clone()).unwrap_or_default();
        let (name, title) = (word(f.required_text("name")), word(f.text("title")));
        f.texts("pack");
        let notes = f.texts("notes").into_iter().map(|note| note.text.clone()).collect();
        let member = Member::read_fields(rules, &name, None, &mut f);
        f.close();
        Some(Sheet { name, title, notes, member: member?, sources: Sources::default() })
    }

    /// The pools that did not begin as the sheet says, since they have bounds; of
    /// the table that was laid for it.
    #[must_use]
    pub fn clamped(&self, table: &Table) -> Vec<Diagnostic> {
        self.member.clamped(table).into_iter().collect::<Problems>().told(&self.sources)
    }

    /// A table at which nobody but this character sits.
    ///
    /// # Errors
    /// A fault of the rules, or the refusal of the seat as a fault.
    pub fn lay(&self, rules: &Arc<Ruleset>) -> Result<Table, Fault> {
        let mut table = Table::new(rules, 0);
        match table.perform(&Operation::Seat(Box::new(self.member.seat.clone())))? {
            Outcome::Done(_) => Ok(table),
            Outcome::Refused(refusal) => Err(Fault::new(&refusal.code, crate::outcome_text::told(&table, &refusal))),
            Outcome::Asking(_) => Err(Fault::new("HR0528", "a question was asked while the table was laid")),
        }
    }
}

/// The sheet that a line names, among those of the packs.
///
/// # Errors
/// That there is none, or the first thing that is wrong with it.
pub fn find(rules: &Ruleset, file: &Spanned) -> Result<Sheet, Problem> {
    let Some(text) = rules.sheets.get(&file.text) else {
        let near = nearest(file, rules.sheets.keys().map(String::as_str));
        let help = near.map_or_else(
            || "put it into the folder `sheets` of the pack, and name it as `sheets/rook.toml`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(Problem::new("HR0203", file.span, format!("there is no sheet `{}`", file.text)).help(help));
    };
    Sheet::read(rules, file, text).map_err(|problems| {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        Problem::new("HR0205", file.span, format!("the sheet is wrong: {first}"))
            .help("`houserule sheet` shows everything that is wrong with it")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pack;
    use crate::scenario::Scenario;

    const RULES: &str = "[tag]\nstrong = \"strong\"\n[stat.might]\nstart = 3\n[pool.breath]\nmax = \"might\"\n[creature.ox]\n[item.yoke]\n";
    const SHEET: &str = "pack = \"farm\"\nname = \"Bess\"\ntitle = \"an old ox\"\nnotes = [\"likes clover\"]\nlike = \"ox\"\nside = \"farm\"\nstats = { might = 5 }\npools = { breath = 2 }\ntags = [\"strong\"]\nholds = [\"yoke\"]\n";

    fn rules(sheet: &str) -> Arc<Ruleset> {
        let pack = Pack::new()
            .with("pack.toml", "id = \"farm\"\nversion = \"1\"\ntitle = \"Farm\"\n")
            .with("rules.toml", RULES)
            .with("sheets/bess.toml", sheet);
        houserule_loader::load(&[pack], &[]).unwrap()
    }

    #[test]
    fn every_number_follows_from_the_sheet() {
        let rules = rules(SHEET);
        let sheet = Sheet::read(&rules, "bess.toml", SHEET).unwrap();
        let table = sheet.lay(&rules).unwrap();
        let bess = table.state().find("Bess").unwrap();
        let numbers =
            ["might", "breath", "breath.max", "bearer has strong"].map(|what| table.read(bess, what).unwrap());
        assert_eq!((numbers, sheet.notes.as_slice()), ([5, 2, 5, 1], ["likes clover".to_owned()].as_slice()));
        assert_eq!(packs("bess.toml", SHEET).unwrap(), ["farm"]);
    }

    /// What comes of a scenario with one member.
    fn story(sheet: &str, member: &str, after: &str) -> Result<Vec<String>, String> {
        let rules = rules(sheet);
        let text = format!("about = \"x\"\n[given]\n{member}\n[[act]]\nafter = {{ {after} }}\n");
        let story = Scenario::read(&rules, "x.toml", &text);
        let story = story.map_err(|found| found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        Ok(story.play(&rules, &mut |_| Ok(())).failures)
    }

    #[test]
    fn a_member_has_all_of_a_sheet_and_its_own_lines_over_it() {
        let member = "ann = { sheet = \"sheets/bess.toml\", pools = { breath = 1 } }";
        assert_eq!(story(SHEET, member, "\"ann.might\" = 5, \"ann.breath\" = 1").unwrap(), [""; 0]);
    }

    #[test]
    fn err_a_sheet_that_is_not_there_is_told_with_the_one_that_is() {
        let told = story(SHEET, "ann = { sheet = \"sheets/bes.toml\", stats = { migth = 1 } }", "").unwrap_err();
        assert!(
            told.contains("there is no sheet `sheets/bes.toml` [HR0203]; did you mean `sheets/bess.toml`?"),
            "{told}"
        );
        assert!(told.contains("there is no stat `migth`"), "the other lines are read all the same: {told}");
    }

    #[test]
    fn err_a_sheet_that_is_wrong_is_told_where_it_is_named() {
        let told = story(&SHEET.replace("yoke", "yok"), "ann = { sheet = \"sheets/bess.toml\" }", "").unwrap_err();
        assert!(
            told.starts_with("x.toml:3:18: the sheet is wrong: sheets/bess.toml:10:11: there is no item `yok`"),
            "{told}"
        );
    }

    #[test]
    fn err_a_sheet_and_a_creature_are_one_too_many() {
        let told = story(SHEET, "ann = { sheet = \"sheets/bess.toml\", like = \"ox\" }", "").unwrap_err();
        assert!(told.contains("`ann` has a sheet, which says already what they are like"), "{told}");
    }

    #[test]
    fn err_everything_that_is_wrong_with_a_sheet_is_told_at_once() {
        let text = "title = 3\nlikes = \"ox\"\nstats = { might = \"5\" }\n";
        let told = Sheet::read(&rules(SHEET), "bad.toml", text).unwrap_err();
        let told: Vec<String> = told.iter().map(|problem| format!("{} {}", problem.line, problem.code)).collect();
        assert_eq!(told, ["1 HR0202", "1 HR0202", "1 HR0203", "2 HR0201", "3 HR0203"]);
        let nobody = packs("bad.toml", text).unwrap_err();
        assert_eq!(nobody[0].message, "the sheet does not say its pack");
    }
}
