//! From the command line to the exit code.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use anstream::eprintln;
use clap::Parser as _;

use crate::args::Args;
use crate::exit::{Exit, Failure};
use crate::print::{Out, style};

/// Runs the command that the process was started with.
#[must_use]
pub fn run() -> ExitCode {
    let args = Args::parse();
    let json = args.json;
    // A defect must end with its own exit code; the panic hook has printed what happened.
    let done = catch_unwind(AssertUnwindSafe(|| execute(&args)));
    let exit = match done {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            report(&failure, json);
            failure.exit()
        }
        Err(_) => Exit::Internal,
    };
    exit.into()
}

fn execute(args: &Args) -> Result<Exit, Failure> {
    let mut out = if args.json { Out::raw() } else { Out::stdout() };
    let exit = crate::command::execute(args, &mut out)?;
    out.flush()?;
    Ok(exit)
}

fn report(failure: &Failure, json: bool) {
    let Some(text) = failure.report(json) else {
        return;
    };
    if json {
        eprintln!("{text}");
    } else {
        let bad = style::BAD;
        eprintln!("{bad}error:{bad:#} {text}");
    }
}
