//! `aura show`: sessions, turns, messages and facts.

use std::io::Write as _;
use std::str::FromStr;

use aura::{
    Engine, Error, EventId, EventRange, Principal, Session, SessionId, SessionQuery, Timestamp,
};
use clap::Args;

use super::{Common, show_facts, show_log};
use crate::args::Who;
use crate::exit::{Exit, Failure};
use crate::print::{self, Align, JsonList, Out, Table};
use crate::store;

/// Sessions read at once.
const PAGE: u32 = 1000;

/// What `aura show --help` says at its end.
const AFTER: &str = "\
Without --session the sessions are listed; with it, its turns and their messages.

Examples:
  aura --db chats.db show
  aura --db chats.db show --session s1
  aura --db chats.db show --session s1 --events 210-388
  aura --db chats.db show --session s1 --turns 5-9 --full
  aura --db chats.db show --session s1 --facts --at 2025-03-01";

/// The options of `aura show`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ShowArgs {
    /// The session to show
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,

    /// Only these events, for example 12 or 210-388
    #[arg(long, value_name = "FIRST-LAST", requires = "session", conflicts_with_all = ["turns", "facts"])]
    events: Option<Range>,

    /// Only these turns, for example 3 or 5-9
    #[arg(
        long,
        value_name = "FIRST-LAST",
        requires = "session",
        conflicts_with = "facts"
    )]
    turns: Option<Range>,

    /// The facts instead of the messages, past ones too
    #[arg(long, requires = "session")]
    facts: bool,

    /// Only facts that were true at this time
    #[arg(long, value_name = "TIME", requires = "facts", value_parser = Timestamp::parse_lenient)]
    at: Option<Timestamp>,

    /// As the engine knew it at this time; by default, now
    #[arg(long, value_name = "TIME", requires = "at", value_parser = Timestamp::parse_lenient)]
    known: Option<Timestamp>,

    /// Show long messages whole on a terminal too
    #[arg(long)]
    full: bool,

    #[command(flatten)]
    who: Who,
}

/// Two numbers, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl FromStr for Range {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
        let read = |text: &str| text.trim().parse::<u64>().ok();
        match (read(first), read(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Self { first, last }),
            _ => Err(Error::invalid_field(
                "arguments",
                "range",
                "must be a number, or two numbers such as 210-388",
            )),
        }
    }
}

/// Prints what is stored.
///
/// # Errors
/// `NotFound` and `Denied` naming `session_id`; those of the store.
pub(crate) fn run(common: Common<'_>, args: &ShowArgs, out: &mut Out) -> Result<Exit, Failure> {
    let principal = args.who.principal();
    let engine = store::open_existing(common.db)?;
    match &args.session {
        None => sessions(&engine, &principal, common.json, out)?,
        Some(session_id) if args.facts => {
            let at = args.at.map(|valid| {
                let known = args.known.unwrap_or(Timestamp::MAX);
                aura::AsOf { valid, known }
            });
            show_facts::print(&engine, &principal, session_id, at, common.json, out)?;
        }
        Some(session_id) => {
            let log = show_log::Log {
                engine: &engine,
                principal: &principal,
                session: engine.session(&principal, session_id)?,
                full: args.full,
                json: common.json,
            };
            match args.events {
                Some(Range { first, last }) => {
                    log.events(EventRange::new(EventId(first), EventId(last)), out)?;
                }
                None => log.turns(args.turns, out)?,
            }
        }
    }
    // Nothing was asked to be written: what was shown is right, even if the store cannot be tidied.
    let _ = store::close(&engine);
    Ok(Exit::Ok)
}

fn sessions(
    engine: &Engine,
    principal: &Principal,
    json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let mut query = SessionQuery {
        limit: PAGE,
        ..SessionQuery::default()
    };
    let mut page = engine.sessions(principal, &query)?;
    if json {
        let mut items = JsonList::open(out)?;
        while let Some(last) = page.last() {
            for session in &page {
                items.item(out, session)?;
            }
            query.after = Some(last.session_id.clone());
            page = engine.sessions(principal, &query)?;
        }
        items.close(out)?;
        return Ok(writeln!(out)?);
    }
    if page.is_empty() {
        return Ok(writeln!(out, "No session yet.")?);
    }
    let mut table = Table::new(&[
        ("turns", Align::Right),
        ("messages", Align::Right),
        ("since", Align::Left),
        ("session", Align::Left),
    ]);
    while let Some(last) = page.last() {
        page.iter().for_each(|session| table.row(row(session)));
        query.after = Some(last.session_id.clone());
        page = engine.sessions(principal, &query)?;
    }
    Ok(table.print(out)?)
}

fn row(session: &Session) -> Vec<String> {
    let mut name = session.session_id.to_string();
    if let Some(user) = &session.user {
        name.push_str(&format!(" (user {user})"));
    }
    vec![
        print::number(session.turns.into()),
        print::number(session.last_event.0),
        session.created_at.date_minute(),
        print::one_line(&name, 120),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        let range = |text: &str| {
            text.parse::<Range>()
                .ok()
                .map(|range| (range.first, range.last))
        };
        assert_eq!(range("7"), Some((7, 7)));
        assert_eq!(range("210-388"), Some((210, 388)));
        assert_eq!(range("210–388"), Some((210, 388)));
        assert_eq!(
            [range("9-2"), range(""), range("a-b"), range("-3")],
            [None; 4]
        );
    }
}
