//! The facts of a session as its log of changes makes them, on both time axes.

use std::collections::HashMap;

use aura_core::{
    Error, ErrorKind, EventId, Fact, FactEntry, FactId, FactOp, Result, Timestamp, TurnIndex,
};
use rustc_hash::FxBuildHasher;

#[cfg(test)]
mod tests;

/// The facts of one branch of a session, made by applying its changes in recorded order.
///
/// ```
/// use aura_memory::Ledger;
/// let ledger = Ledger::replay(&[], |_turn| true).unwrap();
/// assert!(ledger.current().is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    facts: Vec<Kept>,
    places: HashMap<FactId, usize, FxBuildHasher>,
    /// Copies of the current facts in recorded order: extractors take them as one slice for every turn.
    current: Vec<Fact>,
    /// The place of each of `current`, ascending.
    current_places: Vec<usize>,
    /// Facts that ended in favour of one that has not been added yet.
    awaiting: HashMap<FactId, Vec<usize>, FxBuildHasher>,
}

/// A fact with what the two time axes need beside it.
#[derive(Debug, Clone)]
struct Kept {
    fact: Fact,
    /// Words and number of sources it had before each revision, oldest first, with the time of the revision.
    earlier: Vec<Earlier>,
    /// The facts it replaced, by their place.
    replaces: Vec<usize>,
}

/// What a fact said before a revision.
#[derive(Debug, Clone)]
struct Earlier {
    until: Timestamp,
    text: String,
    sources: usize,
}

impl Ledger {
    /// A ledger without facts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The ledger after those `entries` whose turn is `visible`, in order: a branch sees only the changes of its own
    /// turns, so what a turn of another branch invalidated is still current here.
    ///
    /// # Errors
    /// Those of [`Ledger::apply`].
    pub fn replay<'a>(
        entries: impl IntoIterator<Item = &'a FactEntry>,
        visible: impl Fn(TurnIndex) -> bool,
    ) -> Result<Self> {
        let mut ledger = Self::new();
        for entry in entries {
            if visible(entry.turn) {
                ledger.apply(entry)?;
            }
        }
        Ok(ledger)
    }

    /// Applies one more change, which must come after all those applied so far.
    ///
    /// Invalidating a fact a second time changes nothing: the first end stands.
    ///
    /// # Errors
    /// `Corrupt` with the field `fact_id` when the change names a fact that is not in this ledger, or adds one that is;
    /// the ledger is then unchanged.
    pub fn apply(&mut self, entry: &FactEntry) -> Result<()> {
        match &entry.change {
            FactOp::Add { fact } => self.add(fact),
            FactOp::Revise {
                fact_id,
                event,
                text,
                at,
            } => self.revise(fact_id, *event, text, *at),
            FactOp::Invalidate {
                fact_id,
                event,
                replaced_by,
                valid_to,
                at,
            } => self.invalidate(fact_id, *event, replaced_by.as_ref(), *valid_to, *at),
        }
        .map_err(|error| error.with("turn", entry.turn.0).during("apply_fact"))
    }

    /// Applies the changes of a turn, all or none.
    ///
    /// # Errors
    /// Those of [`Ledger::apply`]; the ledger is then unchanged.
    pub fn apply_all(&mut self, entries: &[FactEntry]) -> Result<()> {
        let mut added: Vec<&FactId> = Vec::new();
        for entry in entries {
            let fact_id = entry.change.fact_id();
            let known = self.places.contains_key(fact_id) || added.contains(&fact_id);
            let adds = matches!(entry.change, FactOp::Add { .. });
            if adds == known {
                let error = if adds { twice() } else { unknown() };
                return Err(error.with("turn", entry.turn.0).during("apply_fact"));
            }
            if adds {
                added.push(fact_id);
            }
        }
        entries.iter().try_for_each(|entry| self.apply(entry))
    }

    fn add(&mut self, fact: &Fact) -> Result<()> {
        let place = self.facts.len();
        if self.places.contains_key(&fact.fact_id) {
            return Err(twice());
        }
        self.places.insert(fact.fact_id.clone(), place);
        self.facts.push(Kept {
            fact: fact.clone(),
            earlier: Vec::new(),
            // An extractor may end the old fact before or after it adds the new one.
            replaces: self.awaiting.remove(&fact.fact_id).unwrap_or_default(),
        });
        if fact.is_current() {
            self.current.push(fact.clone());
            self.current_places.push(place);
        }
        Ok(())
    }

    fn revise(
        &mut self,
        fact_id: &FactId,
        event: EventId,
        text: &str,
        at: Timestamp,
    ) -> Result<()> {
        let place = self.place(fact_id)?;
        let Some(kept) = self.facts.get_mut(place) else {
            return Err(unknown());
        };
        kept.earlier.push(Earlier {
            until: at,
            text: std::mem::replace(&mut kept.fact.text, text.to_owned()),
            sources: kept.fact.sources.len(),
        });
        if !kept.fact.sources.contains(&event) {
            kept.fact.sources.push(event);
        }
        if let Ok(at) = self.current_places.binary_search(&place)
            && let Some(current) = self.current.get_mut(at)
        {
            current.clone_from(&kept.fact);
        }
        Ok(())
    }

    fn invalidate(
        &mut self,
        fact_id: &FactId,
        event: EventId,
        replaced_by: Option<&FactId>,
        valid_to: Timestamp,
        at: Timestamp,
    ) -> Result<()> {
        let place = self.place(fact_id)?;
        let Some(kept) = self.facts.get_mut(place) else {
            return Err(unknown());
        };
        if !kept.fact.is_current() {
            return Ok(());
        }
        kept.fact.valid_to = Some(valid_to);
        kept.fact.invalidated_at = Some(at);
        kept.fact.invalidated_by = Some(event);
        kept.fact.replaced_by = replaced_by.cloned();
        if let Ok(at) = self.current_places.binary_search(&place) {
            self.current_places.remove(at);
            self.current.remove(at);
        }
        if let Some(new) = replaced_by {
            match self.places.get(new).copied() {
                Some(new) => {
                    if let Some(kept) = self.facts.get_mut(new) {
                        kept.replaces.push(place);
                    }
                }
                None => self.awaiting.entry(new.clone()).or_default().push(place),
            }
        }
        Ok(())
    }

    fn place(&self, fact_id: &FactId) -> Result<usize> {
        self.places.get(fact_id).copied().ok_or_else(unknown)
    }

    fn fact_at(&self, place: usize) -> Option<&Fact> {
        self.facts.get(place).map(|kept| &kept.fact)
    }

    /// How many facts there are, past ones too.
    #[must_use]
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there is no fact.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// A fact by its id, current or past.
    #[must_use]
    pub fn get(&self, fact_id: &FactId) -> Option<&Fact> {
        self.fact_at(*self.places.get(fact_id)?)
    }

    /// All facts, past ones too, in recorded order.
    pub fn facts(&self) -> impl ExactSizeIterator<Item = &Fact> {
        self.facts.iter().map(|kept| &kept.fact)
    }

    /// The facts that have not been invalidated, in recorded order.
    #[must_use]
    pub fn current(&self) -> &[Fact] {
        &self.current
    }

    /// The facts that a current or past one took the place of, in the order in which they ended.
    pub fn replaced_by(&self, fact_id: &FactId) -> impl Iterator<Item = &Fact> {
        self.places
            .get(fact_id)
            .and_then(|place| self.facts.get(*place))
            .map_or(&[][..], |kept| kept.replaces.as_slice())
            .iter()
            .filter_map(|old| self.fact_at(*old))
    }

    /// The facts that were true at `valid` as far as the engine knew at `known`, in recorded order, each as it was known
    /// then: later revisions and invalidations have not happened.
    #[must_use]
    pub fn as_of(&self, valid: Timestamp, known: Timestamp) -> Vec<Fact> {
        self.facts
            .iter()
            .filter(|kept| kept.fact.holds(valid, known))
            .map(|kept| kept.known_at(known))
            .collect()
    }
}

impl Kept {
    fn known_at(&self, known: Timestamp) -> Fact {
        let mut fact = self.fact.clone();
        if let Some(earlier) = self.earlier.iter().find(|earlier| earlier.until > known) {
            fact.text.clone_from(&earlier.text);
            fact.sources.truncate(earlier.sources);
        }
        if fact.invalidated_at.is_some_and(|at| at > known) {
            fact.valid_to = None;
            fact.invalidated_at = None;
            fact.invalidated_by = None;
            fact.replaced_by = None;
        }
        fact
    }
}

fn twice() -> Error {
    corrupt("is added twice")
}

fn unknown() -> Error {
    corrupt("is changed and was never added")
}

fn corrupt(problem: &'static str) -> Error {
    Error::new(
        ErrorKind::Corrupt,
        format!("fact_id: a fact of the session {problem}"),
    )
    .with_field("fact_id")
}
