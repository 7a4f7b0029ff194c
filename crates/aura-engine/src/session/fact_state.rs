//! The facts of a session in memory: the log of changes, and what it makes of them for the branch of the head.

use std::sync::Arc;

use aura_assembly::FactIndex;
use aura_core::{
    Distilled, ErrorKind, Fact, FactCommit, FactEntry, Result, Session, SessionKey, Storage,
    TurnIndex, TurnStatus,
};
use aura_memory::Ledger;

use crate::parts::Parts;
use crate::session::branch::Branch;
use crate::session::data::SessionData;
use crate::session::entry::SessionEntry;

/// Distilled turns without any fact that may wait before the store is told; they would only be read again.
const LAZY_TURNS: u32 = 64;

/// The facts that a branch sees, past ones too, and the index over them.
#[derive(Clone)]
pub(crate) struct Facts {
    pub(crate) list: Arc<Vec<Fact>>,
    pub(crate) index: Arc<FactIndex>,
}

/// The ledger of the head's branch, kept up as the branch grows.
#[derive(Default)]
struct Head {
    /// The visible turns that the ledger was made for: how many, and the last.
    turns: usize,
    last: Option<TurnIndex>,
    ledger: Ledger,
    /// What readers get; absent where the ledger has moved on, with its index kept to be brought into step.
    facts: Option<Facts>,
    index: Option<Arc<FactIndex>>,
}

/// The facts of a session.
#[derive(Default)]
pub(crate) struct FactState {
    loaded: bool,
    entries: Vec<FactEntry>,
    /// The greatest turn that any of the entries is of.
    newest: Option<TurnIndex>,
    /// How many of the entries are stored.
    stored: usize,
    /// How far facts are distilled here; `commits` is what the store had when it was last in step.
    distilled: Distilled,
    stored_next: u32,
    /// What `commits` will be when the commit under way succeeds.
    committing: Option<u64>,
    head: Option<Head>,
}

impl FactState {
    /// Starts anew from the store.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The index of the first turn that is not distilled.
    pub(crate) fn next(&self) -> u32 {
        self.distilled.next
    }

    /// Takes in what other processes committed.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) fn sync(
        &mut self,
        session: &Session,
        key: &SessionKey,
        storage: &dyn Storage,
    ) -> Result<()> {
        let mut distilled = session.distilled.clone();
        let ours = |commits| commits == self.distilled.commits || Some(commits) == self.committing;
        // Less than what we committed ourselves comes from a session read before that commit.
        if self.loaded && (ours(distilled.commits) || distilled.commits < self.distilled.commits) {
            return Ok(());
        }
        loop {
            let entries = storage.facts(key, 0)?;
            let Some(now) = storage.session(key)? else {
                return Ok(());
            };
            if now.distilled.commits == distilled.commits {
                *self = Self {
                    loaded: true,
                    stored: entries.len(),
                    newest: entries.iter().map(|entry| entry.turn).max(),
                    entries,
                    stored_next: distilled.next,
                    distilled,
                    ..Self::default()
                };
                return Ok(());
            }
            distilled = now.distilled;
        }
    }

    /// Whether turns wait to be distilled.
    pub(crate) fn is_behind(&self, data: &SessionData) -> bool {
        let closed = |index: &TurnIndex| !data.open.contains(index);
        (self.distilled.next as usize) < data.turns.len() || self.distilled.open.iter().any(closed)
    }

    /// The complete turn that is distilled next, if one waits.
    pub(crate) fn next_complete(&self, data: &SessionData) -> Option<TurnIndex> {
        let closed = |index: &&TurnIndex| !data.open.contains(index);
        let next = match self.distilled.open.iter().find(closed) {
            Some(index) => *index,
            None => TurnIndex(self.distilled.next),
        };
        let turn = data.turns.get(next.0 as usize)?;
        (turn.status == TurnStatus::Complete).then_some(next)
    }

    /// Distils the next turn that waits; `false` when none did. The caller holds the state for one turn at a time, so
    /// that a long backlog blocks nobody for long.
    ///
    /// # Errors
    /// Those of the extractor and the store; the turn then still waits.
    pub(crate) fn distil_one(
        &mut self,
        data: &SessionData,
        entry: &SessionEntry,
        parts: &Parts,
    ) -> Result<bool> {
        if let Some(at) = self
            .distilled
            .open
            .iter()
            .position(|index| !data.open.contains(index))
        {
            let Some(index) = self.distilled.open.get(at).copied() else {
                return Ok(false);
            };
            self.distil(index, data, entry, parts)?;
            self.distilled.open.remove(at);
            return Ok(true);
        }
        let index = TurnIndex(self.distilled.next);
        let Some(turn) = data.turns.get(index.0 as usize) else {
            return Ok(false);
        };
        match turn.status {
            TurnStatus::Open => self.distilled.open.push(index),
            TurnStatus::Complete | TurnStatus::Failed => self.distil(index, data, entry, parts)?,
        }
        self.distilled.next += 1;
        Ok(true)
    }

    fn distil(
        &mut self,
        index: TurnIndex,
        data: &SessionData,
        entry: &SessionEntry,
        parts: &Parts,
    ) -> Result<()> {
        if data
            .turns
            .get(index.0 as usize)
            .is_none_or(|turn| turn.status != TurnStatus::Complete)
        {
            return Ok(());
        }
        let record = match entry.body(index, parts) {
            Ok(record) => record,
            // Deleted since; there is nothing left to distil.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let session = entry.key.session_id.as_str();
        let on_head = data.branch.position(index).is_some();
        if on_head {
            self.follow(data)?;
        }
        // A turn knows the facts of its ancestors, and not those of a turn after it that was closed and distilled first:
        // the head may go back to where these are not seen.
        let is_newest = self.newest.is_none_or(|newest| newest <= index);
        let changes = if on_head && is_newest {
            let current = self
                .head
                .as_ref()
                .map(|head| head.ledger.current())
                .unwrap_or_default();
            parts.extractor.extract(session, &record, current)?
        } else {
            let branch = Branch::of(Some(index), &data.turns);
            let ledger = Ledger::replay(&self.entries, |turn| branch.position(turn).is_some())?;
            parts
                .extractor
                .extract(session, &record, ledger.current())?
        };
        if changes.is_empty() {
            return Ok(());
        }
        let entries: Vec<FactEntry> = changes
            .into_iter()
            .map(|change| FactEntry {
                turn: index,
                change,
            })
            .collect();
        if let Some(head) = self.head.as_mut().filter(|_| on_head) {
            head.ledger.apply_all(&entries)?;
            head.refresh();
        }
        self.entries.extend(entries);
        self.newest = self.newest.max(Some(index));
        Ok(())
    }

    /// Whether any of the turns, ascending, was distilled already.
    fn has_entries_of(&self, turns: &[TurnIndex]) -> bool {
        let known = turns.iter().take_while(|turn| Some(**turn) <= self.newest);
        let known: Vec<TurnIndex> = known.copied().collect();
        let of = |entry: &FactEntry| known.binary_search(&entry.turn).is_ok();
        !known.is_empty() && self.entries.iter().any(of)
    }

    /// Brings the ledger of the head in step with the branch. A turn that joins it is distilled later, but for one that was
    /// distilled while the head stood elsewhere.
    fn follow(&mut self, data: &SessionData) -> Result<()> {
        let turns = &data.branch.turns;
        let head = match self.head.take() {
            Some(mut head)
                if (head.turns == 0 || turns.get(head.turns - 1).copied() == head.last)
                    && !self.has_entries_of(turns.get(head.turns..).unwrap_or_default()) =>
            {
                head.turns = turns.len();
                head.last = turns.last().copied();
                head
            }
            _ => {
                let ledger =
                    Ledger::replay(&self.entries, |turn| data.branch.position(turn).is_some())?;
                let mut head = Head {
                    turns: turns.len(),
                    last: turns.last().copied(),
                    ledger,
                    ..Head::default()
                };
                head.refresh();
                head
            }
        };
        self.head = Some(head);
        Ok(())
    }

    /// The facts that a branch sees.
    ///
    /// # Errors
    /// `Corrupt`, when the log of changes does not fit together.
    pub(crate) fn of(
        &mut self,
        branch: &Branch,
        data: &SessionData,
        parts: &Parts,
    ) -> Result<Facts> {
        if branch.head == data.branch.head {
            self.follow(data)?;
            if let Some(head) = &mut self.head {
                return Ok(head.facts(parts));
            }
        }
        let ledger = Ledger::replay(&self.entries, |turn| branch.position(turn).is_some())?;
        Ok(Facts::of(&ledger, None, parts))
    }

    /// The ledger that a branch sees.
    ///
    /// # Errors
    /// `Corrupt`, when the log of changes does not fit together.
    pub(crate) fn ledger(&self, branch: &Branch) -> Result<Ledger> {
        Ledger::replay(&self.entries, |turn| branch.position(turn).is_some())
    }

    /// The ledger that a branch saw when only those turns were distilled.
    ///
    /// # Errors
    /// `Corrupt`, when the log of changes does not fit together.
    pub(crate) fn ledger_of(
        &self,
        branch: &Branch,
        distilled: impl Fn(TurnIndex) -> bool,
    ) -> Result<Ledger> {
        let seen = |turn| branch.position(turn).is_some() && distilled(turn);
        Ledger::replay(&self.entries, seen)
    }

    /// The turns before [`FactState::next`] that are not distilled.
    pub(crate) fn waiting(&self) -> &[TurnIndex] {
        &self.distilled.open
    }

    /// Whether there is something that the store does not know.
    pub(crate) fn has_changes(&self) -> bool {
        self.entries.len() > self.stored
    }

    /// What is to be stored, if anything; the caller then says how it went with [`FactState::committed`].
    pub(crate) fn take_commit(&mut self, key: &SessionKey, all: bool) -> Option<FactCommit> {
        let entries = self.entries.get(self.stored..).unwrap_or_default();
        let turns = self.distilled.next.saturating_sub(self.stored_next);
        if self.committing.is_some()
            || (entries.is_empty() && (turns == 0 || (turns < LAZY_TURNS && !all)))
        {
            return None;
        }
        self.committing = Some(self.distilled.commits + 1);
        Some(FactCommit {
            key: key.clone(),
            expected: self.distilled.commits,
            entries: entries.to_vec(),
            distilled: self.distilled.clone(),
        })
    }

    /// Takes in that a commit succeeded, or that it did not and the store must be read anew.
    pub(crate) fn committed(&mut self, commit: &FactCommit, succeeded: bool) {
        self.committing = None;
        if !succeeded {
            self.loaded = false;
        } else if self.distilled.commits == commit.expected {
            self.distilled.commits += 1;
            self.stored += commit.entries.len();
            self.stored_next = commit.distilled.next;
        }
    }
}

impl Head {
    fn refresh(&mut self) {
        if let Some(facts) = self.facts.take() {
            self.index = Some(facts.index);
        }
    }

    fn facts(&mut self, parts: &Parts) -> Facts {
        if let Some(facts) = &self.facts {
            return facts.clone();
        }
        let facts = Facts::of(&self.ledger, self.index.take(), parts);
        self.facts = Some(facts.clone());
        facts
    }
}

impl Facts {
    /// The facts of a ledger; an index of an earlier state of it serves again if nobody reads it just now.
    pub(crate) fn of(ledger: &Ledger, index: Option<Arc<FactIndex>>, parts: &Parts) -> Self {
        let list: Vec<Fact> = ledger.facts().cloned().collect();
        let index = index.and_then(|index| Arc::try_unwrap(index).ok());
        let mut index = index.unwrap_or_else(|| FactIndex::new(parts.analyzer.clone()));
        index.sync(&list);
        Self {
            list: Arc::new(list),
            index: Arc::new(index),
        }
    }
}
