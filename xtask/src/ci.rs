//! `cargo xtask ci`: all that a change must pass, the quick checks first.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::tally::Tally;
use crate::{check, features, fetch_model, process, test, tidy};

/// Runs every step and stops at the first that fails; the tests come last.
pub(crate) fn run() -> Result<Tally> {
    let mut clock = Clock::default();
    clock.time("format", || {
        process::run(process::cargo().args(["fmt", "--all", "--check"]))
    })?;
    clock.time("tidy", || must(tidy::run()?, "tidy"))?;
    clock.time("header", || must(check::run()?, "the header check"))?;
    clock.time("lints", || {
        process::run(process::cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    })?;
    clock.time("features", features::run)?;
    clock.time("docs", || {
        process::run(
            process::cargo()
                .args(["doc", "--workspace", "--no-deps"])
                .env("RUSTDOCFLAGS", "-D warnings"),
        )
    })?;
    clock.time("model", fetch_model::for_tests)?;
    let tally = clock.time("test", || test::run(test::Skips::Refused))?;
    clock.report();
    Ok(tally)
}

fn must(good: bool, what: &str) -> Result<()> {
    if !good {
        bail!("{what} found something to mend");
    }
    Ok(())
}

/// How long each step took.
#[derive(Default)]
struct Clock {
    steps: Vec<(&'static str, f64)>,
}

impl Clock {
    fn time<T>(&mut self, name: &'static str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("== {name} ==");
        let begin = Instant::now();
        let result = step();
        self.steps.push((name, begin.elapsed().as_secs_f64()));
        if result.is_err() {
            println!("== {name} FAILED ==");
            self.report();
        }
        result
    }

    fn report(&self) {
        for (name, seconds) in &self.steps {
            println!("{name:>8} {seconds:>8.1} s");
        }
    }
}
