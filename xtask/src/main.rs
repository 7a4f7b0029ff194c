//! The one task runner of the workspace: what continuous integration runs is what a developer runs.
#![forbid(unsafe_code)]

mod bench;
mod check;
mod ci;
mod deny;
mod dist;
mod features;
mod fetch_model;
mod header;
mod process;
mod soak;
mod tally;
mod test;
mod tidy;
mod tools;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;

const HELP: &str = "\
cargo xtask COMMAND

  test [LANGUAGE]   run every test, whatever its language (or of one binding, such as `python`); the
                    last line is `N passed, N failed`
  ci                format, tidy, header, lints, features, docs, then test: what a change must pass
  tidy              check the house rules (layers, lengths, names, links, versions ...)
  gen               write include/aura.h from crates/aura-ffi
  gen --baseline    and take it for the baseline of the interface, at a release
  check             compare include/aura.h with what gen would write, and the interface with its
                    baseline: a change must be named in CHANGELOG.md
  soak              the long runs: release build, more cases, more kills, larger inputs
  bench [FILTER]    run the benchmarks and print medians beside their peers, as Markdown
  bench --show      print the table of the last run again
  eval ARGS         `aura eval ARGS` in a release build: evidence in the contexts, by token budget
  c-install DIR     build libaura and install it, its headers and packages below DIR
  fetch-model DIR   fetch an embedding model and ONNX Runtime into DIR, which tests with
                    AURA_EMBED_MODEL_DIR=DIR then use
  deny [--install]  run cargo-deny; with --install fetch it first if it is absent
  help              this text
";

fn main() -> ExitCode {
    match dispatch() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command named on the command line; false when it found something wrong.
fn dispatch() -> Result<bool> {
    let mut args = lexopt::Parser::from_env();
    let Some(first) = args.next()? else {
        print!("{HELP}");
        return Ok(false);
    };
    let command = match first {
        Value(name) => name.string()?,
        Short('h') | Long("help") => "help".to_owned(),
        other => return Err(other.unexpected().into()),
    };
    if command == "eval" {
        return evaluate(args.raw_args()?).map(|()| true);
    }
    let mut show = false;
    let mut release = false;
    let mut install = false;
    let mut filter = None;
    let mut prefix = None;
    while let Some(arg) = args.next()? {
        match arg {
            Long("show") if command == "bench" => show = true,
            Long("baseline") if command == "gen" => release = true,
            Value(value) if matches!(command.as_str(), "bench" | "test") && filter.is_none() => {
                filter = Some(value.string()?);
            }
            Long("install") if command == "deny" => install = true,
            Value(value)
                if (command == "c-install" || command == "fetch-model") && prefix.is_none() =>
            {
                prefix = Some(PathBuf::from(value));
            }
            other => return Err(other.unexpected().into()),
        }
    }
    match command.as_str() {
        "test" => match filter {
            Some(language) => test::language(&language),
            None => test::run(test::Skips::from_environment()),
        }
        .map(|tally| tally.close()),
        "ci" => ci::run().map(|tally| tally.close()),
        "soak" => soak::run().map(|tally| tally.close()),
        "tidy" => tidy::run(),
        "gen" => {
            header::write()?;
            if release {
                header::baseline::write()?;
            }
            Ok(true)
        }
        "check" => check::run(),
        "bench" => bench::run(show, filter.as_deref()).map(|()| true),
        "c-install" => {
            let prefix = prefix.context("c-install needs the folder to install below")?;
            dist::c_install::run(&prefix).map(|()| true)
        }
        "fetch-model" => {
            let folder = prefix.context("fetch-model needs the folder to fetch into")?;
            fetch_model::run(&folder).map(|()| true)
        }
        "deny" => deny::run(install).map(|()| true),
        "help" => {
            print!("{HELP}");
            Ok(true)
        }
        other => bail!("unknown command `{other}`; `cargo xtask help` lists them"),
    }
}

/// Builds the `aura` command with optimisation and runs `aura eval` with the arguments as they are.
fn evaluate(arguments: impl Iterator<Item = OsString>) -> Result<()> {
    let arguments: Vec<OsString> = arguments.collect();
    let is_model = |argument: &OsString| argument.to_string_lossy().starts_with("--model");
    let mut cargo = process::cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "aura-cli"]);
    if arguments.iter().any(is_model) {
        cargo.args(["--features", "fastembed"]);
    }
    process::run(cargo.args(["--", "eval"]).args(arguments))
}
