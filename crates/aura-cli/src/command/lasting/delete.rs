//! `aura delete`: removes things with every copy of them, and prints the receipt.

use std::io::Write as _;
use std::str::FromStr;

use aura::{
    AgentId, DeletionReceipt, DeletionRequest, DeletionState, DeletionSubject, Error, EventId,
    EventRange, MemoryId, Principal, SessionId, TenantId, UserId,
};
use clap::Args;

use crate::command::Common;
use crate::command::show::Range;
use crate::exit::{Exit, Failure};
use crate::print::{Align, Out, Table, number, one_line};
use crate::store;

/// What `aura delete --help` says at its end.
const AFTER: &str = "\
The receipt says layer by layer what went, and how the raw bytes of the file were searched for it. While another
process still reads an old state of the store it is `pending`, and the exit code is 1: the next opening of the store
finishes it.

Examples:
  aura --db chats.db delete --session s1 --dry-run
  aura --db chats.db delete --user ann
  aura --db chats.db delete --events s1:210-388
  aura --db chats.db delete --artifact build.log@3";

/// Columns that the ids of a layer take on a terminal.
const COLUMNS: usize = 72;

/// The options of `aura delete`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    what: What,

    /// Say what would go, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// The tenant whose things go
    #[arg(long, value_name = "ID", default_value = "default")]
    tenant: TenantId,

    /// The agent that asks
    #[arg(long, value_name = "ID", default_value = "default")]
    agent: AgentId,
}

/// What to delete.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct What {
    /// A session with all that was derived from it
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,

    /// All sessions, memories and artifacts of a user
    #[arg(long, value_name = "ID")]
    user: Option<UserId>,

    /// A memory
    #[arg(long, value_name = "ID")]
    memory: Option<MemoryId>,

    /// An artifact, one version or all
    #[arg(long, value_name = "NAME[@VERSION]")]
    artifact: Option<Artifact>,

    /// Some events of a session, for example s1:12 or s1:210-388
    #[arg(long, value_name = "SESSION:FIRST-LAST")]
    events: Option<Events>,
}

/// An artifact on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Artifact {
    name: String,
    version: Option<u32>,
}

impl FromStr for Artifact {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, version) = match text.rsplit_once('@') {
            Some((name, version)) if !name.is_empty() => match version.parse() {
                Ok(version) => (name, Some(version)),
                Err(_) => (text, None),
            },
            _ => (text, None),
        };
        Ok(Self {
            name: name.to_owned(),
            version,
        })
    }
}

/// Events on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Events {
    session_id: SessionId,
    range: EventRange,
}

impl FromStr for Events {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (session, range) = text.rsplit_once(':').ok_or_else(|| {
            Error::invalid_field(
                "arguments",
                "events",
                "must be a session and a range such as s1:210-388",
            )
        })?;
        let Range { first, last } = range.parse()?;
        Ok(Self {
            session_id: session.parse()?,
            range: EventRange::new(EventId(first), EventId(last)),
        })
    }
}

impl What {
    fn subject(&self) -> Option<DeletionSubject> {
        if let Some(session_id) = self.session.clone() {
            return Some(DeletionSubject::Session { session_id });
        }
        if let Some(user) = self.user.clone() {
            return Some(DeletionSubject::User { user });
        }
        if let Some(memory_id) = self.memory.clone() {
            return Some(DeletionSubject::Memory { memory_id });
        }
        if let Some(Artifact { name, version }) = self.artifact.clone() {
            return Some(DeletionSubject::Artifact { name, version });
        }
        let Events { session_id, range } = self.events.clone()?;
        Some(DeletionSubject::Events { session_id, range })
    }
}

/// Deletes, or says what would go.
///
/// # Errors
/// `NotFound` and `Denied` naming `session_id`; `Conflict` naming `subject` for what is held; those of the store.
pub(crate) fn run(common: Common<'_>, args: &DeleteArgs, out: &mut Out) -> Result<Exit, Failure> {
    let principal = Principal {
        tenant: args.tenant.clone(),
        agent: args.agent.clone(),
        ..Principal::default()
    };
    let subject = args.what.subject().ok_or_else(|| {
        Error::invalid_field("arguments", "subject", "name what is to be deleted")
    })?;
    let request = DeletionRequest {
        dry_run: args.dry_run,
        ..DeletionRequest::of(subject)
    };
    let engine = store::open_existing(common.db)?;
    let receipt = engine.delete(&principal, request)?;
    store::close(&engine)?;
    if common.json {
        serde_json::to_writer_pretty(&mut *out, &receipt).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        print(&receipt, out)?;
    }
    Ok(match receipt.state {
        DeletionState::DryRun | DeletionState::Complete => Exit::Ok,
        DeletionState::Erasing | DeletionState::Pending => Exit::No,
    })
}

fn print(receipt: &DeletionReceipt, out: &mut Out) -> Result<(), Failure> {
    let (done, id) = match receipt.state {
        DeletionState::DryRun => ("would go", String::new()),
        _ => ("gone", format!("Deletion {}. ", receipt.deletion_id)),
    };
    if receipt.layers.is_empty() {
        writeln!(out, "{id}Nothing to delete.")?;
    } else {
        let mut table = Table::new(&[
            (done, Align::Right),
            ("layer", Align::Left),
            ("which", Align::Left),
        ]);
        for layer in &receipt.layers {
            let name = serde_json::to_value(layer.layer).unwrap_or_default();
            table.row(vec![
                number(layer.count),
                name.as_str().unwrap_or_default().to_owned(),
                one_line(&layer.ids.join(" "), COLUMNS),
            ]);
        }
        table.print(out)?;
        writeln!(out, "{id}{}", end(receipt))?;
    }
    for remaining in &receipt.remaining {
        writeln!(
            out,
            "The same words stand in {} row(s) of `{}`, from another source.",
            number(remaining.rows),
            remaining.place
        )?;
    }
    Ok(())
}

fn end(receipt: &DeletionReceipt) -> String {
    match (&receipt.proof, receipt.state) {
        (_, DeletionState::DryRun) => "Nothing was changed.".to_owned(),
        (Some(proof), DeletionState::Complete) => format!(
            "{} pieces of it were searched for in {} bytes, and none was found.",
            number(proof.pieces),
            number(proof.bytes)
        ),
        _ => "The bytes may still stand in the file, because somebody reads an old state of it."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_versions_are_told_apart() {
        let read = |text: &str| {
            let artifact: Artifact = text.parse().unwrap();
            (artifact.name, artifact.version)
        };
        assert_eq!(read("log"), ("log".to_owned(), None));
        assert_eq!(read("log@3"), ("log".to_owned(), Some(3)));
        assert_eq!(read("me@home"), ("me@home".to_owned(), None));
        assert_eq!(read("@3"), ("@3".to_owned(), None));
    }

    #[test]
    fn events_name_their_session() {
        let events: Events = "team:agent:210-388".parse().unwrap();
        assert_eq!(events.session_id.as_str(), "team:agent");
        assert_eq!(events.range.len(), 179);
        for bad in ["s1", "s1:", ":1-2", "s1:9-2"] {
            assert!(bad.parse::<Events>().is_err(), "{bad}");
        }
    }
}
