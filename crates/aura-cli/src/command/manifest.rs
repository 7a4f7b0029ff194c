//! `aura manifest`: the record of a compilation, and the context it was made for.

use std::io::Write as _;

use aura::{Engine, ManifestQuery, Principal, RequestId, SessionId, Timestamp};
use clap::Args;

use super::context::Form;
use super::{Common, labels};
use crate::args::Who;
use crate::exit::{Exit, Failure};
use crate::print::{self, Align, JsonList, Out, Table};
use crate::store;

/// What `aura manifest --help` says at its end.
const AFTER: &str = "\
Without REQUEST the newest compilations are listed. The JSON form is described by docs/manifest.schema.json.
With --replay the context is compiled again from the inputs kept beside its manifest and comes out byte for byte;
if something it was made from has been deleted, the exit code is 3 and the error names it.

Examples:
  aura --db chats.db manifest
  aura --db chats.db manifest --session s1 --since 2025-03-01
  aura --db chats.db manifest 0197…
  aura --db chats.db manifest 0197… --json | jq .totals
  aura --db chats.db manifest 0197… --replay --json | jq .messages";

/// The options of `aura manifest`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ManifestArgs {
    /// The compilation, as `aura context` and the manifest name it
    #[arg(value_name = "REQUEST")]
    request: Option<RequestId>,

    /// Compile the context again and print it
    #[arg(long, requires = "request")]
    replay: bool,

    /// Show long messages whole on a terminal too
    #[arg(long, requires = "replay")]
    full: bool,

    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    who: Who,
}

/// Which compilations to list.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// List the compilations of this session only
    #[arg(long, value_name = "ID", conflicts_with = "request")]
    session: Option<SessionId>,

    /// List only those made at this time or later
    #[arg(long, value_name = "TIME", conflicts_with = "request", value_parser = Timestamp::parse_lenient)]
    since: Option<Timestamp>,

    /// List only those made before this time
    #[arg(long, value_name = "TIME", conflicts_with = "request", value_parser = Timestamp::parse_lenient)]
    until: Option<Timestamp>,

    /// How many compilations to list
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        conflicts_with = "request"
    )]
    limit: u32,
}

/// Prints a manifest, the context it was made for, or which manifests there are.
///
/// # Errors
/// Those of the store; `NotFound` for an unknown request and for one that can no longer be compiled.
pub(crate) fn run(common: Common<'_>, args: &ManifestArgs, out: &mut Out) -> Result<Exit, Failure> {
    let principal = args.who.principal();
    let engine = store::open_existing(common.db)?;
    match &args.request {
        None => list(&engine, &principal, &args.which, common.json, out)?,
        Some(request) if args.replay => {
            let context = engine.replay(&principal, request)?;
            if common.json {
                out.json(&Form::of(&context)?)?;
            } else {
                print::context(out, &context, args.full)?;
            }
        }
        Some(request) => show(&engine, &principal, request, common.json, out)?,
    }
    // Nothing was asked to be written: what was shown is right, even if the store cannot be tidied.
    let _ = store::close(&engine);
    Ok(Exit::Ok)
}

/// Prints a manifest.
///
/// # Errors
/// Those of the store; `NotFound` for an unknown request.
pub(crate) fn show(
    engine: &Engine,
    principal: &Principal,
    request: &RequestId,
    json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let manifest = engine.manifest(principal, request)?;
    if json {
        return Ok(out.json(&*manifest)?);
    }
    let labels = labels::of_manifest(engine, principal, &manifest);
    Ok(print::manifest(out, &manifest, &labels)?)
}

/// Lists compilations, the newest first.
///
/// # Errors
/// Those of the store.
pub(crate) fn list(
    engine: &Engine,
    principal: &Principal,
    which: &Which,
    json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let query = ManifestQuery {
        session_id: which.session.clone(),
        since: which.since,
        until: which.until,
        limit: which.limit,
    };
    let manifests = engine.manifests(principal, &query)?;
    if json {
        let mut items = JsonList::open(out)?;
        for manifest in &manifests {
            items.item(out, manifest)?;
        }
        items.close(out)?;
        return Ok(writeln!(out)?);
    }
    if manifests.is_empty() {
        return Ok(writeln!(out, "No context has been compiled yet.")?);
    }
    let mut table = Table::new(&[
        ("request", Align::Left),
        ("compiled", Align::Left),
        ("outcome", Align::Left),
        ("tokens", Align::Right),
        ("of", Align::Right),
        ("session", Align::Left),
    ]);
    for manifest in &manifests {
        table.row(vec![
            manifest.request_id.to_string(),
            manifest.now.date_minute(),
            manifest.outcome.as_str().to_owned(),
            print::number(manifest.totals.tokens.into()),
            print::number(manifest.totals.history_tokens),
            print::one_line(manifest.session_id.as_str(), 80),
        ]);
    }
    Ok(table.print(out)?)
}
