//! `aura verify`: check the body of a request against the rules of its provider.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use aura::{Error, Provider, Violation};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Common;
use crate::exit::{Exit, Failure};
use crate::print::{self, Align, Out, Table, style};

/// What `aura verify --help` says at its end.
const AFTER: &str = "\
The exit code is 0 if the request breaks no rule, 1 if it breaks one, and 2 if it cannot be checked. Where the
body names a model, rules that hold for some models only are checked for that one, else for the newest.

Examples:
  aura verify --provider anthropic request.json
  jq .body log.json | aura verify --provider openai -
  aura verify --provider gemini request.json --json | jq .violations";

/// The providers whose rules are known.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Ruled {
    /// OpenAI chat completions
    Openai,
    /// The OpenAI Responses API
    OpenaiResponses,
    /// The Anthropic Messages API
    Anthropic,
    /// The Gemini API
    Gemini,
}

impl Ruled {
    /// The provider.
    pub(crate) const fn provider(self) -> Provider {
        match self {
            Self::Openai => Provider::Openai,
            Self::OpenaiResponses => Provider::OpenaiResponses,
            Self::Anthropic => Provider::Anthropic,
            Self::Gemini => Provider::Gemini,
        }
    }
}

/// The options of `aura verify`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct VerifyArgs {
    /// Whose rules
    #[arg(long, value_name = "NAME")]
    provider: Ruled,

    /// A file that holds the JSON body of a request; `-` reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    provider: Provider,
    clean: bool,
    violations: &'a [Violation],
}

/// Checks a request and prints what is wrong with it.
///
/// # Errors
/// `Invalid`, when there is nothing that could be checked.
pub(crate) fn run(common: Common<'_>, args: &VerifyArgs, out: &mut Out) -> Result<Exit, Failure> {
    let provider = args.provider.provider();
    let violations = aura::verify(provider, &read_body(&args.file)?)?;
    let clean = violations.is_empty();
    if common.json {
        out.json(&Report {
            provider,
            clean,
            violations: &violations,
        })?;
    } else if clean {
        let rules = print::plural(aura::rules(provider).len() as u64, "rule");
        writeln!(out, "Clean: {rules} of {} hold.", provider.as_str())?;
    } else {
        let bad = style::BAD;
        let count = print::plural(violations.len() as u64, "violation");
        writeln!(
            out,
            "{bad}{count}{bad:#} of the rules of {}",
            provider.as_str()
        )?;
        let mut table = Table::new(&[
            ("rule", Align::Left),
            ("place", Align::Left),
            ("meaning", Align::Left),
        ]);
        for violation in &violations {
            table.row(vec![
                violation.rule.to_owned(),
                place(&violation.path),
                violation.meaning.to_owned(),
            ]);
        }
        table.print(out)?;
    }
    Ok(if clean { Exit::Ok } else { Exit::No })
}

/// A place for people: the pointer of the whole body is empty.
pub(crate) fn place(path: &str) -> String {
    if path.is_empty() {
        return "/".to_owned();
    }
    print::one_line(path, 64)
}

/// The text of a file, or of standard input. Whatever is wrong with it, it is the input that cannot be used.
///
/// # Errors
/// `Invalid` naming `file`.
pub(crate) fn read_body(path: &Path) -> Result<String, Error> {
    let read = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    read.map_err(|error| {
        let problem = format_args!("{}: {error}", path.display()).to_string();
        Error::invalid_field("arguments", "file", problem)
    })
}
