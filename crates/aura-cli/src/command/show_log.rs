//! `aura show --session`: turns and messages.

use std::io::Write as _;

use aura::{Engine, EventId, EventRange, Principal, Session, TurnIndex, TurnRecord, TurnStatus};

use super::show::Range;
use crate::exit::Failure;
use crate::print::{self, JsonList, Out, style};

/// Turns read at once.
const TURNS: usize = 256;

/// Messages read at once.
const MESSAGES: u64 = 1000;

/// A session whose log is to be printed.
pub(crate) struct Log<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) principal: &'a Principal,
    pub(crate) session: Session,
    pub(crate) full: bool,
    pub(crate) json: bool,
}

impl Log<'_> {
    /// Prints the messages of a range of events.
    pub(crate) fn events(&self, range: EventRange, out: &mut Out) -> Result<(), Failure> {
        let last = range.last.min(self.session.last_event);
        let mut first = range.first.max(EventId(1));
        let mut json = if self.json {
            Some(JsonList::open(out)?)
        } else {
            None
        };
        while first <= last {
            let end = EventId(last.0.min(first.0.saturating_add(MESSAGES - 1)));
            let page = EventRange::new(first, end);
            let id = &self.session.session_id;
            for stored in self.engine.messages(self.principal, id, page)? {
                match &mut json {
                    Some(items) => items.item(out, &*stored)?,
                    None => print::stored_message(out, &stored, self.full)?,
                }
            }
            first = end.next();
        }
        if let Some(items) = json {
            items.close(out)?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Prints turns with their messages; all of them without a range.
    pub(crate) fn turns(&self, range: Option<Range>, out: &mut Out) -> Result<(), Failure> {
        let range = range.unwrap_or(Range {
            first: 0,
            last: u64::from(u32::MAX),
        });
        if self.json {
            write!(
                out,
                "{{\"session\":{},\"turns\":",
                aura::json::to_string(&self.session)?
            )?;
            let mut items = JsonList::open(out)?;
            self.each_turn(range, |record| Ok(items.item(out, record)?))?;
            items.close(out)?;
            return Ok(writeln!(out, "}}")?);
        }
        self.print_head(out)?;
        self.each_turn(range, |record| self.print_turn(record, out))
    }

    fn each_turn(
        &self,
        range: Range,
        mut each: impl FnMut(&TurnRecord) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut from = range.first;
        while from <= range.last
            && let Ok(index) = u32::try_from(from)
        {
            let id = &self.session.session_id;
            let page = self
                .engine
                .turns(self.principal, id, TurnIndex(index), TURNS)?;
            let Some(last) = page.last() else {
                break;
            };
            from = u64::from(last.turn.index.0) + 1;
            for record in &page {
                if u64::from(record.turn.index.0) <= range.last {
                    each(record)?;
                }
            }
        }
        Ok(())
    }

    fn print_head(&self, out: &mut Out) -> Result<(), Failure> {
        let head = style::HEAD;
        let Session {
            session_id,
            tenant,
            agent,
            turns,
            last_event,
            ..
        } = &self.session;
        let turns = print::plural(u64::from(*turns), "turn");
        let messages = print::plural(last_event.0, "message");
        writeln!(
            out,
            "{head}Session {session_id}{head:#}  {turns}, {messages}"
        )?;
        write!(out, "  tenant {tenant}, agent {agent}")?;
        if let Some(user) = &self.session.user {
            write!(out, ", user {user}")?;
        }
        Ok(writeln!(out)?)
    }

    fn print_turn(&self, record: &TurnRecord, out: &mut Out) -> Result<(), Failure> {
        let turn = &record.turn;
        let (head, dim, note) = (style::HEAD, style::DIM, style::NOTE);
        let events = print::ranges(&turn.events);
        write!(
            out,
            "\n{head}Turn {}{head:#}{dim} · events {events} · {}{dim:#}",
            turn.index, turn.turn_id
        )?;
        match turn.status {
            TurnStatus::Complete => {}
            status => write!(out, " {note}{}{note:#}", status.as_str())?,
        }
        // Only a branch is worth a word: by default a turn follows the one before it.
        let before = turn.index.0.checked_sub(1).map(TurnIndex);
        if turn.parent != before {
            match turn.parent {
                Some(parent) => write!(out, " {note}follows turn {parent}{note:#}")?,
                None => write!(out, " {note}follows nothing{note:#}")?,
            }
        }
        writeln!(out)?;
        for stored in &record.messages {
            print::stored_message(out, stored, self.full)?;
        }
        Ok(())
    }
}
