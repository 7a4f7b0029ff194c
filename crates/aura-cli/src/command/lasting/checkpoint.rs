//! `aura checkpoint`: what ranges of a session came to, and what they cover brought back.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use aura::{
    CheckpointContent, CheckpointId, CheckpointStatus, Error, EventId, EventRange, Restore,
    SessionId, StoredMessage, json,
};
use clap::{Args, Subcommand};

use crate::args::Who;
use crate::command::Common;
use crate::command::show::Range;
use crate::exit::{Exit, Failure};
use crate::print::{JsonList, Out};
use crate::store;

/// What `aura checkpoint --help` says at its end.
const AFTER: &str = "\
Without a file, the checkpoint is the engine's own digest of the range. The range stays in the log.

Examples:
  aura --db chats.db checkpoint create --session s1 --events 210-388
  aura --db chats.db checkpoint list --session s1
  aura --db chats.db checkpoint restore 0197… --event 247
  aura --db chats.db checkpoint restore 0197… --query \"Why did the migration fail?\"";

/// The options of `aura checkpoint`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct CheckpointArgs {
    #[command(subcommand)]
    verb: Verb,

    #[command(flatten)]
    who: Who,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Verb {
    /// Make a checkpoint of a range of events
    Create {
        /// The session
        #[arg(long, value_name = "ID")]
        session: SessionId,
        /// The events it covers
        #[arg(long, value_name = "FIRST-LAST")]
        events: Range,
        /// What they came to, as a JSON file; every claim names its events
        #[arg(long, value_name = "FILE")]
        content: Option<PathBuf>,
    },
    /// List the checkpoints of a session
    List {
        /// The session
        #[arg(long, value_name = "ID")]
        session: SessionId,
    },
    /// Show a checkpoint
    Show {
        /// The checkpoint
        id: CheckpointId,
    },
    /// Bring messages back that a checkpoint covers
    Restore {
        /// The checkpoint
        id: CheckpointId,
        /// This event
        #[arg(
            long,
            value_name = "EVENT",
            required_unless_present = "query",
            conflicts_with = "query"
        )]
        event: Option<u64>,
        /// What bears most on a question
        #[arg(long, value_name = "QUESTION")]
        query: Option<String>,
    },
}

/// Makes, lists or restores.
///
/// # Errors
/// `NotFound` naming `session_id`, `checkpoint_id` or `event`; `Invalid` naming `range` or a field of the content;
/// `Denied`; those of the store.
pub(crate) fn run(
    common: Common<'_>,
    args: &CheckpointArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let principal = args.who.principal();
    let engine = store::open_existing(common.db)?;
    match &args.verb {
        Verb::Create {
            session,
            events,
            content,
        } => {
            let content = content.as_deref().map(read).transpose()?;
            let range = EventRange::new(EventId(events.first), EventId(events.last));
            let made = engine.checkpoint(&principal, session, range, content)?;
            let status = engine.checkpoint_status(&principal, &made.checkpoint_id)?;
            print(&[status], common.json, out)?;
        }
        Verb::List { session } => {
            print(&engine.checkpoints(&principal, session)?, common.json, out)?;
        }
        Verb::Show { id } => {
            print(
                &[engine.checkpoint_status(&principal, id)?],
                common.json,
                out,
            )?;
        }
        Verb::Restore { id, event, query } => {
            let what = match (event, query) {
                (Some(event), _) => Restore::Event(EventId(*event)),
                (None, query) => Restore::Query(query.clone().unwrap_or_default()),
            };
            for stored in engine.restore(&principal, id, &what)? {
                print_message(&stored, common.json, out)?;
            }
        }
    }
    store::close(&engine)?;
    Ok(Exit::Ok)
}

fn read(file: &Path) -> Result<CheckpointContent, Error> {
    let text =
        std::fs::read(file).map_err(|error| crate::exit::file_error("content", file, error))?;
    json::parse("checkpoint", &text)
}

fn print(found: &[CheckpointStatus], as_json: bool, out: &mut Out) -> Result<(), Failure> {
    if as_json {
        let mut items = JsonList::open(out)?;
        for status in found {
            items.item(out, status)?;
        }
        items.close(out)?;
        return Ok(writeln!(out)?);
    }
    if found.is_empty() {
        return Ok(writeln!(out, "No checkpoint.")?);
    }
    for status in found {
        let checkpoint = &status.checkpoint;
        let whole = if status.restorable {
            "can be restored"
        } else {
            "something it covers has changed or is gone"
        };
        writeln!(out, "{} ({whole})", checkpoint.checkpoint_id)?;
        writeln!(out, "{}\n", checkpoint.text())?;
    }
    Ok(())
}

/// One message, whole: as JSON one a line.
fn print_message(stored: &StoredMessage, as_json: bool, out: &mut Out) -> Result<(), Failure> {
    if as_json {
        let text = json::to_string(stored)?;
        return Ok(writeln!(out, "{text}")?);
    }
    let message = &stored.message;
    writeln!(
        out,
        "event {} {} {}:\n{}\n",
        stored.event_id,
        stored.time(),
        message.speaker(),
        message.plain_text()
    )?;
    Ok(())
}
