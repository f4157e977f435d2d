//! What is built in: every dependency has a licence that fits, and the script engines have the versions that the docs name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use serde_json::Value;
use spdx::{Expression, LicenseReq};
use std::process::Command;

/// Licences under which a dependency may be used. What is under `MPL-2.0` is named in `NOTICE.md`.
const ALLOWED: [&str; 9] =
    ["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "Unicode-3.0", "Zlib"];

/// The crates that are or hold a script engine.
const ENGINES: [&str; 7] = ["mlua", "mlua-sys", "luau0-src", "lua-src", "rhai", "rhai_codegen", "full_moon"];

/// Every package that is built into this host's programs and tests, as cargo tells them without the network.
fn packages() -> Vec<Value> {
    let told = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", "host-tuple"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    told["packages"].as_array().unwrap().clone()
}

fn text<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

fn is_called(requirement: &LicenseReq, name: &str) -> bool {
    requirement.addition.is_none() && requirement.license.id().is_some_and(|id| id.name == name)
}

/// What speaks against a licence expression: it cannot be read, or asks for something that is on no list.
fn against(expression: &str, allowed: &[&str]) -> Option<String> {
    // crates of long ago write `MIT/Apache-2.0`
    let expression = expression.replace('/', " OR ");
    let read = match Expression::parse(&expression) {
        Ok(read) => read,
        Err(error) => return Some(format!("`{expression}` is no licence expression: {}", error.reason)),
    };
    let fits = read.evaluate(|requirement| allowed.iter().any(|name| is_called(requirement, name)));
    (!fits).then(|| format!("`{expression}` is not allowed"))
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let packages = packages();
    let wrong: Vec<String> = packages
        .iter()
        .filter_map(|package| {
            Some(format!("{}: {}", text(package, "name"), against(text(package, "license"), &ALLOWED)?))
        })
        .collect();
    assert!(packages.len() > 50 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_can_be_had_under_the_mpl_alone_is_named_in_the_notice() {
    let free: Vec<&str> = ALLOWED.into_iter().filter(|name| *name != "MPL-2.0").collect();
    let notice = include_str!("../NOTICE.md");
    let packages = packages();
    let alone: Vec<&str> = packages
        .iter()
        .filter(|package| against(text(package, "license"), &free).is_some())
        .map(|package| text(package, "name"))
        .collect();
    for name in &alone {
        assert!(notice.contains(&format!("`{name}`")), "NOTICE.md does not name `{name}`, which is under the MPL-2.0");
    }
    assert!(!alone.is_empty(), "NOTICE.md speaks of parts under the MPL-2.0, and there are none");
}

#[test]
fn err_a_licence_that_is_missing_unknown_or_not_allowed() {
    for wrong in [
        "",
        "GPL-3.0-only",
        "MIT AND AGPL-3.0-only",
        "Proprietary",
        "MIT OR",
        "GPL-2.0-only WITH Classpath-exception-2.0",
    ] {
        assert!(against(wrong, &ALLOWED).is_some(), "{wrong}");
    }
    for right in ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert_eq!(against(right, &ALLOWED), None, "{right}");
    }
}

#[test]
fn the_docs_name_the_versions_of_the_engines() {
    let lock = include_str!("../Cargo.lock").parse::<toml::Table>().unwrap();
    let docs = include_str!("../docs/ARCHITECTURE.md");
    for engine in ENGINES {
        let locked =
            lock["package"].as_array().unwrap().iter().find(|package| package["name"].as_str() == Some(engine));
        let Some(locked) = locked else { panic!("`{engine}` is not in Cargo.lock") };
        let row = format!("| `{engine}` | {} |", locked["version"].as_str().unwrap());
        assert!(docs.contains(&row), "docs/ARCHITECTURE.md has no row {row}");
    }
}
