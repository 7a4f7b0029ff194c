//! `aura facts`: what is known of a session, on both time axes.

use aura::{AsOf, SessionId, Timestamp};
use clap::Args;

use super::{Common, show_facts};
use crate::args::Who;
use crate::exit::{Exit, Failure};
use crate::print::Out;
use crate::store;

/// What `aura facts --help` says at its end.
const AFTER: &str = "\
Without a time all facts are listed, past ones too.

Examples:
  aura --db chats.db facts s1
  aura --db chats.db facts s1 --at 2025-03-01
  aura --db chats.db facts s1 --at 2025-03-01 --known 2025-04-01";

/// The options of `aura facts`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct FactsArgs {
    /// The session
    session: SessionId,

    /// Only what was true at this time
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse_lenient)]
    at: Option<Timestamp>,

    /// As the engine knew it at this time; by default, now
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse_lenient)]
    known: Option<Timestamp>,

    #[command(flatten)]
    who: Who,
}

/// Prints the facts.
///
/// # Errors
/// `NotFound` and `Denied` naming `session_id`; those of the store.
pub(crate) fn run(common: Common<'_>, args: &FactsArgs, out: &mut Out) -> Result<Exit, Failure> {
    let engine = store::open_existing(common.db)?;
    let as_of = match (args.at, args.known) {
        (None, None) => None,
        (at, known) => Some(AsOf {
            valid: at.unwrap_or(Timestamp::MAX),
            known: known.unwrap_or(Timestamp::MAX),
        }),
    };
    let principal = args.who.principal();
    show_facts::print(&engine, &principal, &args.session, as_of, common.json, out)?;
    store::close(&engine)?;
    Ok(Exit::Ok)
}
