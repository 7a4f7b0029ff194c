//! `cargo xtask test`: every test of the workspace, whatever its language.

mod go;
mod java;
mod languages;
mod node;
mod python;

use anyhow::{Context, Result};

pub(crate) use languages::Skips;

use crate::tally::Tally;
use crate::{fetch_model, process, tools};

/// Runs the Rust tests, documentation examples included, some of which build and run the C and C++ programs; then those
/// of the bindings.
pub(crate) fn run(skips: Skips) -> Result<Tally> {
    tools::require(&tools::OF_TESTS)?;
    let mut tally = Tally::default();
    rust(&mut tally, Manner::default())?;
    graphs(&mut tally)?;
    with_model(&mut tally)?;
    languages::run(&mut tally, skips)?;
    Ok(tally)
}

/// Runs the tests of the dense index with the graphs, which the build of the workspace leaves out: the C library would
/// take in what they are made of.
fn graphs(tally: &mut Tally) -> Result<()> {
    let failed = tally.failed;
    let status = process::tee(
        process::cargo()
            .args([
                "test",
                "--package",
                "aura-retrieval",
                "--features",
                "hnsw,usearch",
            ])
            .args(["--lib", "--no-fail-fast", "--", "dense::tests::graph"]),
        |line| tally.see_cargo(line),
    )?;
    tally.end_cargo(status, failed);
    Ok(())
}

/// Runs the tests of one binding.
///
/// # Errors
/// A language that no binding has, or that cannot be tested here.
pub(crate) fn language(name: &str) -> Result<Tally> {
    let mut tally = Tally::default();
    languages::only(&mut tally, name)?;
    Ok(tally)
}

/// Runs the tests that need an embedding model, which the run before has counted as ignored.
fn with_model(tally: &mut Tally) -> Result<()> {
    let Some(folder) = fetch_model::at_hand()? else {
        println!(
            "== SKIPPED THE TESTS OF A REAL EMBEDDING MODEL: run `cargo xtask fetch-model DIR` and set {}=DIR ==",
            fetch_model::VARIABLE
        );
        return Ok(());
    };
    let (ran, failed) = (tally.passed + tally.failed, tally.failed);
    let status = process::tee(
        process::cargo()
            .args([
                "test",
                "--workspace",
                "--test",
                "embedding",
                "--no-fail-fast",
            ])
            .args(["--", "--ignored"])
            .env(fetch_model::VARIABLE, folder),
        |line| tally.see_cargo(line),
    )?;
    tally.end_cargo(status, failed);
    tally.ignored = tally
        .ignored
        .saturating_sub(tally.passed + tally.failed - ran);
    Ok(())
}

/// How the Rust tests are run.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Manner<'a> {
    pub(crate) cargo_args: &'a [&'a str],
    pub(crate) harness_args: &'a [&'a str],
    pub(crate) environment: &'a [(&'a str, &'a str)],
}

/// Builds and runs the Rust tests.
///
/// # Errors
/// A build that fails. A test that fails is only counted.
pub(crate) fn rust(tally: &mut Tally, manner: Manner<'_>) -> Result<()> {
    let cargo = || {
        let mut command = process::cargo();
        command.args(["test", "--workspace"]);
        command.args(manner.cargo_args);
        command.envs(manner.environment.iter().copied());
        command
    };
    process::run(cargo().arg("--no-run")).context("THE BUILD FAILED, no test ran")?;
    let failed_before = tally.failed;
    let status = process::tee(
        cargo()
            .args(["--no-fail-fast", "--"])
            .args(manner.harness_args),
        |line| tally.see_cargo(line),
    )?;
    tally.end_cargo(status, failed_before);
    Ok(())
}
