//! `aura diff`: how two compilations differ.

use aura::{ManifestDiff, RequestId};
use clap::Args;

use super::{Common, labels};
use crate::args::Who;
use crate::exit::{Exit, Failure};
use crate::print::{self, Out};
use crate::store;

/// What `aura diff --help` says at its end.
const AFTER: &str = "\
Ids of the calls, the time and the stage times are left out: they always differ. The exit code is 0 if nothing else
differs and 1 if something does.

Examples:
  aura --db chats.db diff 0197… 0198…
  aura --db chats.db diff 0197… 0198… --json | jq '.entered[].block'";

/// The options of `aura diff`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct DiffArgs {
    /// The first compilation
    #[arg(value_name = "A")]
    before: RequestId,

    /// The second compilation
    #[arg(value_name = "B")]
    after: RequestId,

    #[command(flatten)]
    who: Who,
}

/// Prints how the second manifest differs from the first.
///
/// # Errors
/// Those of the store; `NotFound` for an unknown request.
pub(crate) fn run(common: Common<'_>, args: &DiffArgs, out: &mut Out) -> Result<Exit, Failure> {
    let principal = args.who.principal();
    let engine = store::open_existing(common.db)?;
    let before = engine.manifest(&principal, &args.before)?;
    let after = engine.manifest(&principal, &args.after)?;
    let diff = ManifestDiff::between(&before, &after);
    if common.json {
        out.json(&diff)?;
    } else {
        let mut labels = labels::of_manifest(&engine, &principal, &before);
        labels.extend(labels::of_manifest(&engine, &principal, &after));
        print::diff(out, &diff, &labels)?;
    }
    let _ = store::close(&engine);
    Ok(if diff.is_empty() { Exit::Ok } else { Exit::No })
}
