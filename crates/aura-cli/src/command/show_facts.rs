//! `aura show --facts`: what is known of a session, and what was.

use std::io::Write as _;

use aura::{AsOf, Engine, Fact, Principal, SessionId};

use crate::exit::Failure;
use crate::print::{Align, JsonList, Out, Table, one_line};

/// Prints the facts of a session; those of one point in time if `at` is given.
pub(crate) fn print(
    engine: &Engine,
    principal: &Principal,
    session_id: &SessionId,
    at: Option<AsOf>,
    json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let facts = engine.facts(principal, session_id, at)?;
    if json {
        let mut items = JsonList::open(out)?;
        for fact in &facts {
            items.item(out, fact)?;
        }
        items.close(out)?;
        return Ok(writeln!(out)?);
    }
    if facts.is_empty() {
        return Ok(writeln!(out, "No facts.")?);
    }
    let mut table = Table::new(&[
        ("from", Align::Left),
        ("to", Align::Left),
        ("events", Align::Left),
        ("subject", Align::Left),
        ("fact", Align::Left),
    ]);
    for fact in &facts {
        table.row(row(fact));
    }
    Ok(table.print(out)?)
}

fn row(fact: &Fact) -> Vec<String> {
    let to = match (fact.valid_to, fact.invalidated_at) {
        (Some(to), _) => to.date_minute(),
        (None, Some(_)) => "no longer".to_owned(),
        (None, None) => "now".to_owned(),
    };
    let events: Vec<String> = fact.sources.iter().map(ToString::to_string).collect();
    vec![
        fact.valid_from.date_minute(),
        to,
        events.join(", "),
        one_line(&fact.subject, 32),
        one_line(&fact.text, 400),
    ]
}
