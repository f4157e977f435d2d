//! The program in a process of its own, with what it cost.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::{ResourceUsage, Wait4};

/// A child that is not done by then is killed. No result depends on it.
const PATIENCE: Duration = Duration::from_secs(120);

/// What protects the machine from the program: address space in KiB, seconds of CPU, blocks of a file.
const FENCE: &str = "ulimit -v 8388608; ulimit -t 30; ulimit -f 1048576; exec \"$0\" \"$@\"";

/// What a process came to.
pub struct Ran {
    /// Its exit code; nothing if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote on the standard output.
    pub out: String,
    /// What it wrote on the standard error.
    pub err: String,
    /// CPU time, its own and that spent in the system for it.
    pub cpu: Duration,
    /// The most memory it held, in bytes.
    pub memory: u64,
}

/// Runs the program with a folder of its own to work in; what it writes is kept beside that folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Ran {
    let (out, err) = (folder.with_extension("out"), folder.with_extension("err"));
    let child = Command::new("sh")
        .args(["-c", FENCE, env!("CARGO_BIN_EXE_houserule")])
        .args(arguments)
        .current_dir(folder)
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(File::create(&err).unwrap())
        .spawn()
        .unwrap();
    let (code, used) = awaited(child);
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    Ran { code, out: text(&out), err: text(&err), cpu: used.utime + used.stime, memory: used.maxrss }
}

fn awaited(mut child: std::process::Child) -> (Option<i32>, ResourceUsage) {
    let started = Instant::now();
    loop {
        if let Some(ended) = child.try_wait4().unwrap() {
            return (ended.status.code(), ended.rusage);
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}
