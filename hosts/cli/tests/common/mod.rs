//! The program as its tests start it.

#![allow(dead_code, reason = "not every test file needs all of it")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program in the folder of fixtures, with a line on its standard input.
pub fn run(arguments: &[&str], input: &str) -> Output {
    run_in(&fixtures(), arguments, input)
}

/// The folder of fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The program in a folder, not yet started.
pub fn program(folder: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_houserule"));
    program.current_dir(folder).env_remove("CLICOLOR_FORCE").env_remove("RUST_BACKTRACE");
    program
}

/// The same in any folder.
pub fn run_in(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = program(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // a program that does not read its input may be gone already
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What a run looks like: the command, both outputs, the exit code.
pub fn told(arguments: &[&str]) -> String {
    told_with(arguments, "")
}

/// The same, with lines on its standard input.
pub fn told_with(arguments: &[&str], input: &str) -> String {
    shown(arguments, &run(arguments, input))
}

fn shown(arguments: &[&str], output: &Output) -> String {
    let mut told = format!("$ houserule {}\n", arguments.join(" "));
    told.push_str(&String::from_utf8_lossy(&output.stdout));
    let complaints = String::from_utf8_lossy(&output.stderr);
    if !complaints.is_empty() {
        let _ = write!(told, "--- stderr\n{complaints}");
    }
    let _ = write!(told, "--- exit {}", output.status.code().unwrap());
    told
}

/// What a run gives to programs, line by line.
pub fn json_lines(arguments: &[&str]) -> Vec<serde_json::Value> {
    let output = run(arguments, "");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A folder of its own that is gone when the test is over.
pub struct Desk(pub std::path::PathBuf);

impl Desk {
    /// Lays the folder out, empty.
    pub fn new(name: &str) -> Desk {
        let folder = std::env::temp_dir().join(format!("houserule-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Desk(folder)
    }

    /// The path of something in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Puts a file into it.
    pub fn put(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The text of a file in it.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// What a run in the folder says.
    pub fn told_inside(&self, arguments: &[&str]) -> String {
        shown(arguments, &run_in(&self.0, arguments, ""))
    }

    /// What a run says, with the folder called `DESK`.
    pub fn told(&self, arguments: &[&str]) -> String {
        told(arguments).replace(self.0.to_str().unwrap(), "DESK")
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
