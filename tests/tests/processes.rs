//! Two processes write one session of one file at once.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};
use aura_tests::audit::{Report, audit};
use aura_tests::script::Part;

/// Turns of each process.
const TURNS: u64 = 5_000;
/// How often each asks for the other's newest turn.
const EXCHANGES: u64 = 200;
const NAMES: [&str; 2] = ["left", "right"];

struct Process {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Process {
    fn start(file: &Path, name: &str) -> Result<Self> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_process_writer"))
            .arg(file)
            .args([name, &TURNS.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let to = child.stdin.take().context("no input")?;
        let from = BufReader::new(child.stdout.take().context("no output")?);
        Ok(Self { child, to, from })
    }

    fn tell(&mut self, order: &str) -> Result<()> {
        self.to.write_all(format!("{order}\n").as_bytes())?;
        Ok(self.to.flush()?)
    }

    fn hear(&mut self) -> Result<String> {
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    fn end(mut self) -> Result<()> {
        drop(self.to);
        let status = self.child.wait()?;
        ensure!(status.success(), "it ended with {status}");
        Ok(())
    }
}

#[test]
fn two_processes_lose_and_double_nothing() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("test.db");
    // Both make the file at once, too.
    let mut processes = Vec::new();
    for name in NAMES {
        processes.push(Process::start(&file, name)?);
    }
    for process in &mut processes {
        ensure!(
            process.hear()? == "ready",
            "a process could not open the file"
        );
        process.tell("go")?;
    }
    for process in &mut processes {
        ensure!(process.hear()? == "done", "a process could not write");
    }
    let mut reports: Vec<Report> = Vec::new();
    for name in NAMES {
        for thread in 0..2 {
            let writer = format!("{name}.{thread}");
            reports.extend((0..TURNS / 2).map(|n| (writer.clone(), n, Part::All)));
        }
    }
    for process in processes {
        process.end()?;
    }
    let audited = audit(&file, &reports)?;
    ensure!(audited.lost.is_empty(), "lost {:?}", audited.lost);
    ensure!(
        audited.turns == reports.len(),
        "{} turns of {}",
        audited.turns,
        reports.len()
    );
    Ok(())
}

#[test]
fn each_process_reads_the_others_newest_turn_at_once() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("test.db");
    let mut writer = Process::start(&file, NAMES[0])?;
    let mut reader = Process::start(&file, NAMES[1])?;
    ensure!(
        writer.hear()? == "ready" && reader.hear()? == "ready",
        "no file"
    );
    let mut last = 0;
    for n in 0..2 * EXCHANGES {
        let name = NAMES[(n % 2) as usize];
        writer.tell(&format!("one {n}"))?;
        let said = writer.hear()?;
        let event = said
            .strip_prefix(&format!("wrote {n} "))
            .context(said.clone())?;
        let event: u64 = event.parse()?;
        ensure!(event > last, "event ids run forwards");
        last = event;
        reader.tell(&format!("read {name}.one {n}"))?;
        ensure!(reader.hear()? == "found", "{name}'s turn {n} was not seen");
        std::mem::swap(&mut writer, &mut reader);
    }
    writer.end()?;
    reader.end()?;
    Ok(())
}
