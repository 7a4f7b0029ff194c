//! `aura repair`: mend the body of a request that breaks rules of its provider.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anstream::eprintln;
use aura::{Error, ErrorKind, Provider, RawJson, Repair};
use clap::Args;
use serde::Serialize;

use super::Common;
use super::verify::{Ruled, place, read_body};
use crate::exit::{Exit, Failure};
use crate::print::{self, Out};

/// What `aura repair --help` says at its end.
const AFTER: &str = "\
What is misplaced is moved, what is missing gets a placeholder, and what can neither be moved nor completed is
taken out. A request that breaks no rule stays as it is, byte for byte. What was done is printed on stderr, or on
stdout where the body goes to a file.

Examples:
  aura repair --provider anthropic request.json > mended.json
  aura repair --provider openai request.json -o mended.json
  aura repair --provider gemini request.json --json | jq .repairs";

/// The options of `aura repair`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct RepairArgs {
    /// Whose rules
    #[arg(long, value_name = "NAME")]
    provider: Ruled,

    /// A file that holds the JSON body of a request; `-` reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where the mended body goes, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    provider: Provider,
    repairs: &'a [Repair],
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<RawJson>,
}

/// Mends a request, writes it, and says what was done.
///
/// # Errors
/// `Invalid`, when there is nothing that could be mended; `Unavailable`, when the output cannot be written.
pub(crate) fn run(common: Common<'_>, args: &RepairArgs, out: &mut Out) -> Result<Exit, Failure> {
    let provider = args.provider.provider();
    let repaired = aura::repair(provider, &read_body(&args.file)?)?;
    if let Some(path) = &args.output {
        write_body(path, &repaired.request)?;
    }
    if common.json {
        let request = match &args.output {
            Some(_) => None,
            None => Some(RawJson::new("request", &repaired.request)?),
        };
        out.json(&Report {
            provider,
            repairs: &repaired.repairs,
            request,
        })?;
        return Ok(Exit::Ok);
    }
    let report = report(&repaired.repairs);
    if args.output.is_some() {
        write!(out, "{report}")?;
    } else {
        out.write_all(repaired.request.as_bytes())?;
        if !repaired.request.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        eprintln!("{}", report.trim_end());
    }
    Ok(Exit::Ok)
}

fn report(repairs: &[Repair]) -> String {
    if repairs.is_empty() {
        return "Nothing to mend.\n".to_owned();
    }
    let line = |repair: &Repair| {
        format!(
            "{:<12}  {}  {}\n",
            repair.rule,
            place(&repair.path),
            repair.did
        )
    };
    let count = print::plural(repairs.len() as u64, "repair");
    let lines: String = repairs.iter().map(line).collect();
    format!("{count}:\n{lines}")
}

fn write_body(path: &Path, body: &str) -> Result<(), Error> {
    std::fs::write(path, body).map_err(|error| {
        let message = format!("output: {} cannot be written", path.display());
        Error::new(ErrorKind::Unavailable, message)
            .with_field("output")
            .caused_by(error)
    })
}
