//! `aura explain`: why something is in a context or not.

use std::io::Write as _;

use aura::{
    BlockRef, Engine, Explanation, Fate, Manifest, ManifestQuery, Principal, RequestId, SessionId,
};
use clap::Args;

use super::{Common, labels};
use crate::args::Who;
use crate::exit::{Exit, Failure};
use crate::print::{self, Align, JsonList, Out, Table};
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

    /// List the compilations of this session only
    #[arg(long, value_name = "ID", conflicts_with = "request")]
    session: Option<SessionId>,

    /// How many compilations to list
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        conflicts_with = "request"
    )]
    limit: u32,

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
        (None, _) => list(&engine, &principal, args, common.json, out)?,
        (Some(request), None) => {
            let manifest = engine.manifest(&principal, request)?;
            if common.json {
                out.json(&*manifest)?;
            } else {
                let labels = labels::of_manifest(&engine, &principal, &manifest);
                print::manifest(out, &manifest, &labels)?;
            }
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

fn list(
    engine: &Engine,
    principal: &Principal,
    args: &ExplainArgs,
    json: bool,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let query = ManifestQuery {
        session_id: args.session.clone(),
        limit: args.limit,
        ..ManifestQuery::default()
    };
    let manifests: Vec<Manifest> = engine.manifests(principal, &query)?;
    if json {
        let mut items = JsonList::open(out)?;
        for manifest in &manifests {
            items.item(out, manifest)?;
        }
        items.close(out)?;
        writeln!(out)?;
        return Ok(Exit::Ok);
    }
    if manifests.is_empty() {
        writeln!(out, "No context has been compiled yet.")?;
        return Ok(Exit::Ok);
    }
    let mut table = Table::new(&[
        ("request", Align::Left),
        ("compiled", Align::Left),
        ("tokens", Align::Right),
        ("of", Align::Right),
        ("session", Align::Left),
    ]);
    for manifest in &manifests {
        table.row(vec![
            manifest.request_id.to_string(),
            manifest.now.date_minute(),
            print::number(manifest.totals.tokens.into()),
            print::number(manifest.totals.history_tokens),
            print::one_line(manifest.session_id.as_str(), 80),
        ]);
    }
    table.print(out)?;
    Ok(Exit::Ok)
}
