//! Names and kinds of files that a folder may have, and a pack may not.
#![cfg(all(unix, feature = "fs"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use houserule_loader::pack::Pack;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const MANIFEST: &str = "id = \"home\"\nversion = \"1\"\ntitle = \"T\"\n";

/// A folder of a pack, made anew.
fn folder(name: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("houserule-files-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join("pack.toml"), MANIFEST).unwrap();
    root
}

fn read(root: &Path) -> Result<Pack, String> {
    let read = Pack::read_folder(root).map_err(|fault| fault.to_string());
    fs::remove_dir_all(root).unwrap();
    read
}

#[test]
fn err_names_that_are_not_utf8_are_told_and_never_collide() {
    for bytes in [&b"a\xff.toml"[..], b"a\xfe.toml", b"\xc3\x28"] {
        let root = folder("utf8");
        fs::write(root.join(OsStr::from_bytes(bytes)), "").unwrap();
        let told = read(&root).unwrap_err();
        assert!(told.contains("is not UTF-8; give the file another name [HR0137]"), "{told}");
    }
    let root = folder("hidden");
    fs::write(root.join(OsStr::from_bytes(b".a\xff")), "").unwrap();
    assert_eq!(read(&root).unwrap().files().count(), 1);
}

#[test]
fn err_names_that_some_system_cannot_keep_are_told() {
    for name in ["aux.toml", "a:b.toml", "a\\b.toml", "x.", "a\u{202e}b.toml", "b\nc.toml", "q?.lua"] {
        let root = folder("names");
        fs::write(root.join(name), "").unwrap();
        let told = read(&root).unwrap_err();
        assert!(told.contains("[HR0137]") && !told.contains(['\n', '\u{202e}']), "{told:?}");
    }
}

#[test]
fn err_names_that_are_one_on_some_systems_are_told() {
    let packs = [("a.toml", "A.toml"), ("hooks/a.lua", "Hooks/b.lua"), ("\u{e9}.toml", "e\u{301}.toml")];
    for (one, other) in packs {
        let pack = Pack::new().with("pack.toml", MANIFEST).with(one, "").with(other, "");
        let told = houserule_loader::load(&[pack], &[]).unwrap_err().to_string();
        assert!(told.contains("are one name on some systems; rename one of the two [HR0137]"), "{told}");
    }
    let pack = Pack::new().with("pack.toml", MANIFEST).with("a.toml", "").with("b/a.toml", "");
    houserule_loader::load(&[pack], &[]).unwrap();
}

#[test]
fn links_and_what_is_no_file_are_passed_over_and_named() {
    let root = folder("links");
    std::os::unix::fs::symlink("..", root.join("up")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", root.join("zero.toml")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(root.join("pipe.toml")).status();
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket.toml")).unwrap();
    let pack = read(&root).unwrap();
    assert_eq!(pack.files().count(), 1);
    let pipe = if made.is_ok_and(|made| made.success()) { vec!["pipe.toml"] } else { Vec::new() };
    let wanted: Vec<&str> = pipe.into_iter().chain(["socket.toml", "up", "zero.toml"]).collect();
    assert_eq!(pack.passed_over(), wanted);
}

#[test]
fn err_folders_too_deep_and_files_that_are_no_text_are_told() {
    let root = folder("deep");
    fs::create_dir_all(root.join("d/".repeat(20))).unwrap();
    assert!(read(&root).unwrap_err().contains("folders lie at most 16 deep in each other [HR0131]"));
    let root = folder("large");
    fs::write(root.join("a.toml"), "#".repeat(300_000)).unwrap();
    assert!(
        read(&root).unwrap_err().contains("`a.toml` has 300000 bytes; a file of a pack has at most 262144 [HR0131]")
    );
    let root = folder("bytes");
    fs::write(root.join("a.toml"), [b'a', 0xff]).unwrap();
    assert!(read(&root).unwrap_err().contains("`a.toml` is not UTF-8; a pack holds nothing but text [HR0130]"));
    let root = folder("mark");
    fs::write(root.join("a.toml"), "\u{feff}[stat.s]\r\n").unwrap();
    assert_eq!(read(&root).unwrap().file("a.toml"), Some("[stat.s]\n"));
}

#[test]
fn err_a_nul_in_rules_is_told() {
    let pack = Pack::new().with("pack.toml", MANIFEST).with("a.toml", "[stat.s]\nabout = \"a\0b\"\n");
    assert!(houserule_loader::load(&[pack], &[]).unwrap_err().to_string().contains("HR0101"));
}
