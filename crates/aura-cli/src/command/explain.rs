//! `aura explain`: why something is in a context or not.

use aura::{BlockRef, Explanation, Fate, RequestId};
use clap::Args;

use super::Common;
use super::manifest::{self, Which};
use crate::args::Who;
use crate::exit::{Exit, Failure};
use crate::print::{self, Out};
use crate::store;

/// What `aura explain --help` says at its end.
const AFTER: &str = "\
Without --request the newest compilations are listed. With --block the exit code is 0 if the block stands in
the context, and 1 if it does not.

Blocks: system, question, tail, event:12, turn:3, fact:ID, tool:NAME, packet:ID, block:ID.

Examples:
  aura --db chats.db explain
  aura --db chats.db explain --request 0197…
  aura --db chats.db explain --request 0197… --block event:12";

/// The options of `aura explain`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ExplainArgs {
    /// The compilation, as `aura context` and the manifest name it
    #[arg(long, value_name = "ID")]
    request: Option<RequestId>,

    /// One block of it, for example event:12
    #[arg(long, value_name = "BLOCK", requires = "request")]
    block: Option<BlockRef>,

    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    who: Who,
}

/// Prints a manifest, what it says of a block, or which manifests there are.
///
/// # Errors
/// Those of the store; `NotFound` for an unknown request.
pub(crate) fn run(common: Common<'_>, args: &ExplainArgs, out: &mut Out) -> Result<Exit, Failure> {
    let principal = args.who.principal();
    let engine = store::open_existing(common.db)?;
    let exit = match (&args.request, &args.block) {
        (None, _) => {
            manifest::list(&engine, &principal, &args.which, common.json, out)?;
            Exit::Ok
        }
        (Some(request), None) => {
            manifest::show(&engine, &principal, request, common.json, out)?;
            Exit::Ok
        }
        (Some(request), Some(block)) => {
            let explanation = engine.explain(&principal, request, block)?;
            if common.json {
                out.json(&explanation)?;
            } else {
                print::explanation(out, &explanation)?;
            }
            answer(&explanation)
        }
    };
    // Nothing was asked to be written: what was shown is right, even if the store cannot be tidied.
    let _ = store::close(&engine);
    Ok(exit)
}

/// Whether the block stands in the context.
fn answer(explanation: &Explanation) -> Exit {
    match explanation {
        Explanation::Candidate { record, .. } if record.fate != Fate::Rejected => Exit::Ok,
        _ => Exit::No,
    }
}
