//! Processes killed while they write, disks that forget what was not synced, disks without room.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use aura_tests::audit::{Audit, Report, audit};
use aura_tests::dice::Dice;
use aura_tests::script::Part;
use aura_tests::unsynced::{Disk, Loss};

const THREADS: u64 = 4;
/// More turns than any writer reaches.
const ENDLESS: u64 = 1_000_000;
/// After so many kills the file is replaced, so that checking it stays quick.
const KILLS_A_FILE: u64 = 20;
/// For what must happen soon.
const PATIENCE: Duration = Duration::from_secs(60);

fn soak() -> bool {
    std::env::var_os("AURA_SOAK").is_some()
}

/// A writer and what it said.
struct Writer {
    child: Child,
    round: String,
    lines: Receiver<String>,
    listener: JoinHandle<()>,
    reports: Vec<Report>,
    failures: Vec<String>,
}

impl Writer {
    fn start(
        file: &Path,
        durability: &str,
        round: u64,
        turns: u64,
        disk: Option<&Disk>,
    ) -> Result<Self> {
        let round = round.to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_crash_writer"));
        command.arg(file).args([durability, &round]);
        command.args([THREADS.to_string(), turns.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        if let Some(disk) = disk {
            disk.watch(&mut command);
        }
        let mut child = command.spawn()?;
        let out = child.stdout.take().context("no output")?;
        let (say, lines) = channel();
        let listener = std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            let mut line = String::new();
            // What the kill cut short was not reported.
            while matches!(out.read_line(&mut line), Ok(1..)) && line.ends_with('\n') {
                if say.send(line.trim_end().to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Ok(Self {
            child,
            round,
            lines,
            listener,
            reports: Vec::new(),
            failures: Vec::new(),
        })
    }

    /// Waits until `enough` holds of what was said.
    fn until(&mut self, enough: impl Fn(&Self) -> bool) -> Result<()> {
        let start = Instant::now();
        while !enough(self) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let line = self.lines.recv_timeout(left);
            self.hear(&line.context("the writer said nothing more")?)?;
        }
        Ok(())
    }

    fn hear(&mut self, line: &str) -> Result<()> {
        let words: Vec<&str> = line.split(' ').collect();
        match &words[..] {
            ["open"] => {}
            ["failed", _, _, kind, field] => self.failures.push(format!("{kind} {field}")),
            [thread, n, part] => {
                let part = if *part == "all" {
                    Part::All
                } else {
                    Part::First
                };
                let writer = format!("{}.{thread}", self.round);
                self.reports.push((writer, n.parse()?, part));
            }
            _ => anyhow::bail!("not understood: {line}"),
        }
        Ok(())
    }

    fn opened(&mut self) -> Result<()> {
        let line = self.lines.recv_timeout(PATIENCE)?;
        ensure!(line == "open", "{line}");
        Ok(())
    }

    /// Kills it without warning; what it had reported by then.
    fn kill(mut self) -> Result<Vec<Report>> {
        self.child.kill()?;
        self.child.wait()?;
        self.hear_out()?;
        ensure!(
            self.failures.is_empty(),
            "calls failed: {:?}",
            self.failures
        );
        Ok(self.reports)
    }

    /// Waits for its end; what it reported.
    fn finish(mut self) -> Result<(Vec<Report>, Vec<String>)> {
        let status = self.child.wait()?;
        ensure!(status.success(), "the writer ended with {status}");
        self.hear_out()?;
        Ok((self.reports, self.failures))
    }

    fn hear_out(&mut self) -> Result<()> {
        while let Ok(line) = self.lines.recv() {
            self.hear(&line)?;
        }
        let nobody = std::thread::spawn(|| {});
        let listener = std::mem::replace(&mut self.listener, nobody);
        listener.join().ok().context("the listener panicked")
    }
}

/// Starts a writer and kills it at a random moment; now and then before it could open the file.
fn killed_once(
    file: &Path,
    durability: &str,
    round: u64,
    disk: Option<&Disk>,
    dice: &mut Dice,
) -> Result<Vec<Report>> {
    let mut writer = Writer::start(file, durability, round, ENDLESS, disk)?;
    if dice.roll(10) > 0 {
        writer.opened()?;
    }
    std::thread::sleep(Duration::from_micros(dice.roll(100_000)));
    writer.kill()
}

#[test]
fn killed_writers_lose_nothing_that_returned() -> Result<()> {
    let kills = if soak() { 1_000 } else { 200 };
    let mut dice = Dice::new("killed_writers_lose_nothing_that_returned");
    let folder = tempfile::tempdir()?;
    let mut reports = Vec::new();
    let mut turns = 0;
    for kill in 0..kills {
        let file = folder.path().join(format!("{}.db", kill / KILLS_A_FILE));
        if kill % KILLS_A_FILE == 0 {
            reports.clear();
        }
        let durability = ["full", "normal"][(kill % 2) as usize];
        reports.extend(killed_once(&file, durability, kill, None, &mut dice)?);
        let Audit { lost, turns: held } =
            audit(&file, &reports).with_context(|| format!("kill {kill}"))?;
        ensure!(lost.is_empty(), "kill {kill}: {durability} lost {lost:?}");
        if kill % KILLS_A_FILE == KILLS_A_FILE - 1 {
            turns += held;
            std::fs::remove_file(file)?;
        }
    }
    println!("{kills} kills, {turns} turns");
    ensure!(turns as u64 > kills, "the writers wrote next to nothing");
    Ok(())
}

/// The power fails while a writer writes; how many reported turns are gone. The file must be whole all the same.
fn lost_with_the_power(durability: &str, failures: u64, dice: &mut Dice) -> Result<usize> {
    let (folder, workshop) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let disk = Disk::new(folder.path(), workshop.path())?;
    let mut gone = 0;
    let mut reports = Vec::new();
    let mut taken_back = 0;
    for failure in 0..failures {
        let file = disk.folder().join(format!("{}.db", failure / KILLS_A_FILE));
        if failure % KILLS_A_FILE == 0 {
            reports.clear();
        }
        reports.extend(killed_once(&file, durability, failure, Some(&disk), dice)?);
        let loss = if failure.is_multiple_of(2) {
            Loss::All
        } else {
            Loss::Some
        };
        taken_back += disk.lose(loss, dice)?;
        let Audit { lost, .. } = audit(&file, &reports)
            .with_context(|| format!("{durability}, power failure {failure}, {loss:?}"))?;
        gone += lost.len();
        reports.retain(|report| !lost.contains(report));
    }
    ensure!(
        taken_back > 0,
        "no write was ever unsynced: the disk forgets nothing"
    );
    Ok(gone)
}

#[test]
fn full_durability_survives_the_loss_of_power() -> Result<()> {
    let failures = if soak() { 300 } else { 30 };
    let mut dice = Dice::new("full_durability_survives_the_loss_of_power");
    let lost = lost_with_the_power("full", failures, &mut dice)?;
    ensure!(lost == 0, "{lost} turns were lost");
    Ok(())
}

/// What makes the test before this one worth its time: the same disk takes turns from a store that does not sync them.
#[test]
fn normal_durability_loses_turns_with_the_power_and_stays_whole() -> Result<()> {
    let failures = if soak() { 100 } else { 10 };
    let mut dice = Dice::new("normal_durability_loses_turns_with_the_power_and_stays_whole");
    let lost = lost_with_the_power("normal", failures, &mut dice)?;
    ensure!(lost > 0, "nothing was lost: the disk forgets nothing");
    Ok(())
}

/// A disk that fails for a while: calls give the typed error, and afterwards everything goes on.
fn fails_for_a_while(steer: impl Fn(&Disk, bool) -> Result<()>) -> Result<()> {
    const TURNS: u64 = 400;
    let (folder, workshop) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let disk = Disk::new(folder.path(), workshop.path())?;
    let file = disk.folder().join("test.db");
    let mut writer = Writer::start(&file, "full", 0, TURNS, Some(&disk))?;
    writer.until(|writer| writer.reports.len() > 100)?;
    steer(&disk, true)?;
    writer.until(|writer| writer.failures.len() > 20)?;
    let before = writer.reports.len() as u64;
    ensure!(before < TURNS * THREADS, "nothing was left to fail");
    steer(&disk, false)?;
    let (reports, failures) = writer.finish()?;
    ensure!(
        failures.iter().all(|failure| failure == "unavailable path"),
        "{failures:?}"
    );
    disk.lose(Loss::All, &mut Dice::new("fails_for_a_while"))?;
    let Audit { lost, turns } = audit(&file, &reports)?;
    ensure!(lost.is_empty(), "lost {lost:?}");
    ensure!(
        turns as u64 == TURNS * THREADS,
        "{turns} turns, none twice and none missing"
    );
    Ok(())
}

#[test]
fn a_full_disk_is_reported_and_loses_nothing() -> Result<()> {
    fails_for_a_while(Disk::set_full)
}

#[test]
fn a_failed_sync_is_reported_and_loses_nothing() -> Result<()> {
    fails_for_a_while(Disk::set_broken)
}
