//! The model: what the contract says, in the plainest form.

use std::collections::BTreeMap;

use aura_core::{ErrorKind, Session, TurnStatus, WriteEffect};

use super::Outcome;
use super::operation::{Operation, Who, script};

/// All sessions, and the versions of the two artifacts.
#[derive(Default)]
pub(super) struct Reference {
    sessions: BTreeMap<u8, Chat>,
    artifacts: BTreeMap<bool, Vec<u8>>,
}

#[derive(Default)]
struct Chat {
    other_tenant: bool,
    ana: bool,
    turns: Vec<Turn>,
    log: Vec<String>,
    head: Option<usize>,
    changes: u64,
    commits: u64,
}

struct Turn {
    name: u8,
    status: TurnStatus,
    parent: Option<usize>,
    events: Vec<u64>,
}

/// What the model knows of a session.
pub(super) fn tell(session: &Session) -> String {
    format!(
        "{} {} {:?} {} {}",
        session.turns,
        session.last_event,
        session.head.map(|head| head.0),
        session.change_seq,
        session.distilled.commits
    )
}

fn refuse(kind: ErrorKind, field: &str) -> Outcome {
    Err((kind, Some(field.to_owned())))
}

impl Reference {
    /// What a store must answer.
    pub(super) fn apply(&mut self, operation: &Operation) -> Outcome {
        match operation {
            Operation::Record { .. } => self.record(operation),
            Operation::SetStatus(session, turn, status) => {
                self.chat(*session)?.set_status(*turn, *status)
            }
            Operation::SetHead(session, turn) => self.chat(*session)?.set_head(*turn),
            Operation::Facts(session, expected) => self.chat(*session)?.commit(*expected),
            Operation::Snapshot(session, _) => self.chat(*session).map(|_| String::new()),
            Operation::Compile(session, ..) => match self.sessions.get(session) {
                Some(chat) if chat.other_tenant => refuse(ErrorKind::Denied, "session_id"),
                _ => Ok(String::new()),
            },
            Operation::Forget(..) => Ok(String::new()),
            Operation::Artifact(name, n) => {
                let versions = self.artifacts.entry(*name).or_default();
                if versions.last() != Some(n) {
                    versions.push(*n);
                }
                Ok(versions.len().to_string())
            }
        }
    }

    /// The tenant that owns a session, or would.
    pub(super) fn tenant(&self, session: u8) -> &'static str {
        match self.sessions.get(&session) {
            Some(chat) if chat.other_tenant => "other",
            _ => "default",
        }
    }

    /// What [`tell`] must give; `None` if the session does not exist.
    pub(super) fn tell(&self, session: u8) -> Option<String> {
        self.sessions.get(&session).map(Chat::tell)
    }

    pub(super) fn texts(&self, session: u8) -> Vec<String> {
        self.sessions
            .get(&session)
            .map(|chat| chat.log.clone())
            .unwrap_or_default()
    }

    fn chat(&mut self, session: u8) -> Result<&mut Chat, (ErrorKind, Option<String>)> {
        match self.sessions.get_mut(&session) {
            Some(chat) if chat.other_tenant => {
                Err((ErrorKind::Denied, Some("session_id".to_owned())))
            }
            Some(chat) => Ok(chat),
            None => Err((ErrorKind::NotFound, Some("session_id".to_owned()))),
        }
    }

    fn record(&mut self, operation: &Operation) -> Outcome {
        let Operation::Record {
            session,
            turn,
            count,
            differs,
            status,
            parent,
            by,
            ..
        } = operation
        else {
            return Ok(String::new());
        };
        let mut texts: Vec<String> = (0..*count).map(|at| script(*session, *turn, at)).collect();
        if let Some(last) = texts.last_mut().filter(|_| *differs) {
            *last = "other".to_owned();
        }
        let foreign = *by == Who::AnotherTenant;
        let new = Chat {
            other_tenant: foreign,
            ana: *by == Who::Ana,
            ..Chat::default()
        };
        let known = self.sessions.get_mut(session);
        let is_new = known.is_none();
        let mut fresh = new;
        let chat = known.unwrap_or(&mut fresh);
        if chat.other_tenant != foreign || (chat.ana && *by != Who::Ana) {
            return refuse(ErrorKind::Denied, "session_id");
        }
        let done = match chat.find(*turn) {
            Some(at) => chat.extend(at, &texts, *status),
            None => chat.create(*turn, &texts, *status, *parent),
        };
        if is_new && done.is_ok() {
            self.sessions.insert(*session, fresh);
        }
        done
    }
}

impl Chat {
    fn find(&self, name: u8) -> Option<usize> {
        self.turns.iter().position(|turn| turn.name == name)
    }

    fn tell(&self) -> String {
        let (turns, events) = (self.turns.len(), self.log.len());
        format!(
            "{turns} {events} {:?} {} {}",
            self.head, self.changes, self.commits
        )
    }

    fn append(&mut self, at: usize, texts: &[String]) {
        for text in texts {
            self.log.push(text.clone());
            self.turns[at].events.push(self.log.len() as u64);
        }
    }

    fn answer(&self, at: usize, effect: WriteEffect, count: usize) -> Outcome {
        let turn = &self.turns[at];
        let (status, events) = (turn.status, &turn.events);
        Ok(format!(
            "{effect:?} {count} {status:?} {events:?} {}",
            self.tell()
        ))
    }

    fn create(
        &mut self,
        name: u8,
        texts: &[String],
        status: TurnStatus,
        parent: Option<u8>,
    ) -> Outcome {
        if texts.is_empty() {
            return refuse(ErrorKind::Invalid, "messages");
        }
        let parent = match parent {
            Some(parent) => match self.find(parent) {
                Some(parent) => Some(parent),
                None => return refuse(ErrorKind::NotFound, "parent"),
            },
            None => self.head,
        };
        let at = self.turns.len();
        self.turns.push(Turn {
            name,
            status,
            parent,
            events: Vec::new(),
        });
        self.append(at, texts);
        if status != TurnStatus::Failed {
            self.head = Some(at);
        }
        self.changes += 1;
        self.answer(at, WriteEffect::Created, texts.len())
    }

    fn extend(&mut self, at: usize, texts: &[String], status: TurnStatus) -> Outcome {
        let turn = &self.turns[at];
        let stored: Vec<&String> = turn
            .events
            .iter()
            .map(|event| &self.log[*event as usize - 1])
            .collect();
        if stored
            .iter()
            .zip(texts)
            .any(|(stored, given)| *stored != given)
        {
            return refuse(ErrorKind::Conflict, "messages");
        }
        let (count, open) = (stored.len(), turn.status == TurnStatus::Open);
        let closes = status != TurnStatus::Open;
        if texts.len() < count || (texts.len() == count && !(open && closes)) {
            let other = closes && !open && status != turn.status && texts.len() == count;
            return match other {
                true => refuse(ErrorKind::Conflict, "status"),
                false => self.answer(at, WriteEffect::Unchanged, 0),
            };
        }
        if !open {
            return refuse(ErrorKind::Conflict, "turn_id");
        }
        self.append(at, &texts[count..]);
        self.close(at, status);
        self.changes += 1;
        self.answer(at, WriteEffect::Extended, texts.len() - count)
    }

    fn close(&mut self, at: usize, status: TurnStatus) {
        self.turns[at].status = status;
        if status == TurnStatus::Failed && self.head == Some(at) {
            while let Some(head) = self.head {
                if self.turns[head].status != TurnStatus::Failed {
                    break;
                }
                self.head = self.turns[head].parent;
            }
        }
    }

    fn set_status(&mut self, name: u8, status: TurnStatus) -> Outcome {
        let Some(at) = self.find(name) else {
            return refuse(ErrorKind::NotFound, "turn_id");
        };
        let current = self.turns[at].status;
        if current == status {
            return Ok(format!("{:?} {}", WriteEffect::Unchanged, self.tell()));
        }
        if current != TurnStatus::Open {
            return refuse(ErrorKind::Conflict, "status");
        }
        self.close(at, status);
        self.changes += 1;
        Ok(format!("{:?} {}", WriteEffect::Extended, self.tell()))
    }

    fn set_head(&mut self, name: u8) -> Outcome {
        let Some(at) = self.find(name) else {
            return refuse(ErrorKind::NotFound, "turn_id");
        };
        if self.turns[at].status == TurnStatus::Failed {
            return refuse(ErrorKind::Conflict, "turn_id");
        }
        if self.head != Some(at) {
            self.head = Some(at);
            self.changes += 1;
        }
        Ok(self.tell())
    }

    fn commit(&mut self, expected: u64) -> Outcome {
        if self.commits != expected {
            return refuse(ErrorKind::Conflict, "expected");
        }
        self.commits += 1;
        self.changes += 1;
        Ok(self.tell())
    }
}
