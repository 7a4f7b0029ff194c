//! Retention: what is older than its layer's age goes as if somebody had asked for it, with a receipt.

use aura_core::{
    DeletionReceipt, DeletionSubject, Error, ErrorKind, EventId, EventRange, LegalHold, Principal,
    Result, Session, SessionQuery, Timestamp, TurnIndex, is_covered,
};
use serde::{Deserialize, Serialize};

use super::{DeletionRequest, delete};
use crate::engine::{Engine, key_of};
use crate::parts::Parts;

/// Sessions listed at once.
const PAGE: u32 = 1_000;
/// Turns looked at in one step.
const TURNS: usize = 1_000;

/// What a rule of retention is about. Policies are no layer: the record that authorised an action stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetentionLayer {
    /// Sessions whose last turn is older.
    Sessions,
    /// Events of turns that are older, at the beginning of sessions that go on.
    Events,
}

/// How long the things of a layer are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetentionRule {
    /// The layer.
    pub layer: RetentionLayer,
    /// What was recorded before this time goes.
    pub before: Timestamp,
}

impl Engine {
    /// Deletes what is older than `rules` allow, but for what a legal hold keeps; `None` when there is nothing. The
    /// principal must have no user.
    ///
    /// # Errors
    /// `Denied` naming `user`; those of [`Engine::delete`].
    pub fn apply_retention(
        &self,
        principal: &Principal,
        rules: &[RetentionRule],
        dry_run: bool,
    ) -> Result<Option<DeletionReceipt>> {
        let (_pass, parts, sessions) = self.enter("apply_retention")?;
        let apply = || {
            if principal.user.is_some() {
                return Err(Error::new(
                    ErrorKind::Denied,
                    "user: a principal with a user may not apply retention",
                )
                .with_field("user"));
            }
            let subjects = due(parts, principal, rules)?;
            if subjects.is_empty() {
                return Ok(None);
            }
            let request = DeletionRequest {
                subjects,
                dry_run,
                deletion_id: None,
                reason: Some("retention".to_owned()),
            };
            delete(parts, sessions, principal, request).map(Some)
        };
        apply().map_err(|error| error.during("apply_retention"))
    }
}

/// What is to go.
fn due(
    parts: &Parts,
    principal: &Principal,
    rules: &[RetentionRule],
) -> Result<Vec<DeletionSubject>> {
    let before = |layer| {
        let rules = rules.iter().filter(|rule| rule.layer == layer);
        rules.map(|rule| rule.before).max()
    };
    let (whole, events) = (
        before(RetentionLayer::Sessions),
        before(RetentionLayer::Events),
    );
    let holds = parts.storage.holds(&principal.tenant)?;
    let mut subjects = Vec::new();
    let mut query = SessionQuery {
        limit: PAGE,
        ..SessionQuery::default()
    };
    loop {
        let page = parts.storage.sessions(&principal.tenant, &query)?;
        let Some(last) = page.last() else {
            return Ok(subjects);
        };
        query.after = Some(last.session_id.clone());
        for session in &page {
            let found = match whole {
                Some(before) if last_turn(parts, principal, session)? < Some(before) => {
                    Some(DeletionSubject::Session {
                        session_id: session.session_id.clone(),
                    })
                }
                _ => match events {
                    Some(before) => old_events(parts, principal, session, before)?,
                    None => None,
                },
            };
            subjects.extend(found.filter(|subject| !is_held(&holds, subject, session)));
        }
    }
}

/// When the last turn of a session was recorded.
fn last_turn(parts: &Parts, principal: &Principal, session: &Session) -> Result<Option<Timestamp>> {
    let Some(last) = session.turns.checked_sub(1) else {
        return Ok(Some(session.created_at));
    };
    let key = key_of(principal, &session.session_id);
    let turns = parts.storage.turns(&key, TurnIndex(last), 1)?;
    Ok(turns.first().map(|turn| turn.recorded_at))
}

/// The events at the beginning of a session that belong to turns recorded before a time.
fn old_events(
    parts: &Parts,
    principal: &Principal,
    session: &Session,
    before: Timestamp,
) -> Result<Option<DeletionSubject>> {
    let key = key_of(principal, &session.session_id);
    let mut last = EventId(0);
    let mut from = TurnIndex(0);
    'all: loop {
        let turns = parts.storage.turns(&key, from, TURNS)?;
        let Some(end) = turns.last() else {
            break;
        };
        from = TurnIndex(end.index.0 + 1);
        for turn in &turns {
            if turn.recorded_at >= before {
                break 'all;
            }
            last = last.max(turn.last_event().unwrap_or_default());
        }
    }
    let range = EventRange::new(EventId(1), last);
    // Those that went before are not asked for again.
    let left = match range.is_empty() {
        true => false,
        false => !parts.storage.messages(&key, &[range])?.is_empty(),
    };
    Ok(left.then(|| DeletionSubject::Events {
        session_id: session.session_id.clone(),
        range,
    }))
}

fn is_held(holds: &[LegalHold], subject: &DeletionSubject, session: &Session) -> bool {
    holds.iter().any(|hold| match &hold.subject {
        DeletionSubject::User { user } => session.user.as_ref() == Some(user),
        held => is_covered(held, subject),
    })
}
