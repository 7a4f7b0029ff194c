//! `aura memory`: what is remembered across sessions, and what waits for a decision.

use std::io::Write as _;

use aura::{Error, Memory, MemoryId, MemoryProposal, MemoryQuery, MemoryState, Timestamp, json};
use clap::{Args, Subcommand};

use crate::args::Who;
use crate::command::Common;
use crate::exit::{Exit, Failure};
use crate::print::{Align, JsonList, Out, Table, number, one_line};
use crate::store;

/// What `aura memory --help` says at its end.
const AFTER: &str = "\
A proposal that may not become memory by itself is kept as a candidate; the error names the rule and the exit code is 4.

Examples:
  aura --db chats.db memory list --user ann
  aura --db chats.db memory candidates --user ann
  aura --db chats.db memory propose --user ann proposal.json
  aura --db chats.db memory approve --user ann 0197…
  aura --db chats.db memory correct --user ann 0197… \"Wears shoes of size 43\"";

/// The options of `aura memory`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    verb: Verb,

    #[command(flatten)]
    who: Who,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Verb {
    /// List memories, past ones too
    List,
    /// List what waits for a decision
    Candidates,
    /// List what never entered a context and may expire
    Review {
        /// Only what was proposed before this time; by default, all
        #[arg(long, value_name = "TIME", value_parser = Timestamp::parse_lenient)]
        before: Option<Timestamp>,
    },
    /// Propose a memory, given as a JSON file
    Propose {
        /// The file
        file: std::path::PathBuf,
    },
    /// Approve a candidate
    Approve {
        /// The candidate
        id: MemoryId,
    },
    /// Turn a candidate down
    Reject {
        /// The candidate
        id: MemoryId,
    },
    /// Put a memory right
    Correct {
        /// The memory
        id: MemoryId,
        /// What it should say
        text: String,
    },
    /// End a memory before its time
    Expire {
        /// The memory
        id: MemoryId,
    },
}

/// Lists or decides.
///
/// # Errors
/// `Denied` with the rule's name; `NotFound` naming `memory_id`; `Conflict` naming `state`; those of the store.
pub(crate) fn run(common: Common<'_>, args: &MemoryArgs, out: &mut Out) -> Result<Exit, Failure> {
    let principal = args.who.principal();
    let engine = store::open_existing(common.db)?;
    let found = match &args.verb {
        Verb::List => engine.memories(&principal, &MemoryQuery::default())?,
        Verb::Candidates => engine.list_candidates(&principal)?,
        Verb::Review { before } => {
            engine.review_memories(&principal, before.unwrap_or(Timestamp::MAX))?
        }
        Verb::Propose { file } => vec![engine.propose_memory(&principal, read(file)?)?],
        Verb::Approve { id } => vec![engine.approve_memory(&principal, id)?],
        Verb::Reject { id } => vec![engine.reject_memory(&principal, id)?],
        Verb::Correct { id, text } => vec![engine.correct_memory(&principal, id, text)?],
        Verb::Expire { id } => vec![engine.expire_memory(&principal, id)?],
    };
    store::close(&engine)?;
    print(&found, common.json, out)?;
    Ok(Exit::Ok)
}

fn read(file: &std::path::Path) -> Result<MemoryProposal, Error> {
    let text = std::fs::read(file).map_err(|error| crate::exit::file_error("file", file, error))?;
    json::parse("memory proposal", &text)
}

fn print(memories: &[Memory], as_json: bool, out: &mut Out) -> Result<(), Failure> {
    if as_json {
        let mut items = JsonList::open(out)?;
        for memory in memories {
            items.item(out, memory)?;
        }
        items.close(out)?;
        return Ok(writeln!(out)?);
    }
    if memories.is_empty() {
        return Ok(writeln!(out, "None.")?);
    }
    let mut table = Table::new(&[
        ("state", Align::Left),
        ("shown", Align::Right),
        ("id", Align::Left),
        ("subject", Align::Left),
        ("memory", Align::Left),
    ]);
    for memory in memories {
        table.row(row(memory));
    }
    Ok(table.print(out)?)
}

fn row(memory: &Memory) -> Vec<String> {
    let state = match (memory.state, &memory.refused_by) {
        (MemoryState::Active, _) => "counts".to_owned(),
        (MemoryState::Candidate, Some(rule)) => format!("waits ({rule})"),
        (MemoryState::Candidate, None) => "waits".to_owned(),
        (MemoryState::Rejected, _) => "rejected".to_owned(),
        (MemoryState::Corrected, _) => "corrected".to_owned(),
        (MemoryState::Expired, _) => "ended".to_owned(),
    };
    vec![
        state,
        number(memory.counters.selected),
        memory.memory_id.to_string(),
        one_line(&memory.proposal.subject, 32),
        one_line(&memory.proposal.text, 200),
    ]
}
