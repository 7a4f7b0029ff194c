//! Writes turns with several threads until it is killed, and reports each call that returned on its standard output.
//!
//! `crash_writer FILE full|normal ROUND THREADS TURNS`; a line is `THREAD N first|all`. It ends by itself after `TURNS` turns
//! a thread. With a fourth kind of line, `failed THREAD N KIND FIELD`, it reports calls that gave an error, and tries again.
#![forbid(unsafe_code)]

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use aura_core::Durability;
use aura_storage::{SqliteOptions, SqliteStorage};
use aura_tests::script::{Part, Script};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, durability, round, threads, turns] = &arguments[..] else {
        bail!("crash_writer FILE full|normal ROUND THREADS TURNS");
    };
    let durability = match durability.as_str() {
        "full" => Durability::Full,
        "normal" => Durability::Normal,
        other => bail!("no durability: {other}"),
    };
    let store = SqliteStorage::open(file, SqliteOptions::new().durability(durability))?;
    let (threads, turns): (u64, u64) = (threads.parse()?, turns.parse()?);
    say("open")?;
    std::thread::scope(|scope| {
        let run = |thread| write(&store, round, thread, turns);
        let running: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || run(thread)))
            .collect();
        for thread in running {
            let result = thread.join().ok().context("a thread panicked")?;
            result?;
        }
        anyhow::Ok(())
    })?;
    Ok(())
}

fn write(store: &SqliteStorage, round: &str, thread: u64, turns: u64) -> Result<()> {
    let script = Script::new("shared", &format!("{round}.{thread}"))?;
    for n in 0..turns {
        let parts = match Script::grows(n) {
            true => &[Part::First, Part::All][..],
            false => &[Part::All],
        };
        for part in parts {
            while let Err(error) = script.record(store, n, *part) {
                let (kind, field) = (error.kind(), error.field().unwrap_or("-"));
                say(&format!("failed {thread} {n} {kind} {field}"))?;
                std::thread::sleep(Duration::from_millis(2));
            }
            let part = match part {
                Part::First => "first",
                Part::All => "all",
            };
            say(&format!("{thread} {n} {part}"))?;
        }
    }
    Ok(())
}

/// One line, whole or not at all: a single write of less than a pipe's buffer.
fn say(line: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()?;
    Ok(())
}
