//! The choice of facts: corrections of what is shown, the most relevant, the newest.

use std::sync::Arc;

use aura_core::{BlockRef, EventId, Fact, FactId, Result};
use aura_text::Analyzer;
use serde::{Deserialize, Serialize};

use super::index::{FactIndex, Found};
use super::line::FactLine;
use crate::meter::Meter;

/// Links followed from a past fact to what holds now; a longer chain can only be a cycle.
const LONGEST_CHAIN: usize = 1000;

/// Facts found that are kept at least: those beyond the ones shown stand in the manifest.
const LEAST_FOUND: usize = 50;

/// What a list that is continued has said of facts already.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Told {
    /// The facts that it shows.
    pub(crate) shown: Vec<FactId>,
    /// The past facts that it corrects.
    pub(crate) corrected: Vec<FactId>,
}

/// The facts of the branch with their index, as one compilation sees them.
pub(crate) struct FactBook<'a> {
    /// The facts, in the order they were recorded.
    pub(crate) facts: Arc<Vec<Fact>>,
    index: Held<'a>,
    /// What the question found among the current ones, best first.
    pub(crate) found: Vec<Found>,
}

enum Held<'a> {
    Given(&'a FactIndex),
    Made(Box<FactIndex>),
    None,
}

impl<'a> FactBook<'a> {
    /// The facts with the caller's index, or with one made for the call.
    pub(crate) fn open(
        facts: Arc<Vec<Fact>>,
        given: Option<&'a FactIndex>,
        analyzer: &Analyzer,
        question: &str,
        most: usize,
    ) -> Self {
        if facts.is_empty() {
            return Self::closed();
        }
        let index = match given {
            Some(index) if index.is_in_step(&facts) => Held::Given(index),
            _ => {
                let mut index = FactIndex::new(analyzer.clone());
                index.sync(&facts);
                Held::Made(Box::new(index))
            }
        };
        let mut book = Self {
            facts,
            index,
            found: Vec::new(),
        };
        if let Some(index) = book.index() {
            let kept = most.saturating_mul(2).max(LEAST_FOUND);
            book.found = index.find(question, kept, |at| book.is_current(at));
        }
        book
    }

    /// No facts at all.
    pub(crate) fn closed() -> Self {
        Self {
            facts: Arc::default(),
            index: Held::None,
            found: Vec::new(),
        }
    }

    /// Which line corrects what an event says: pairs of the fact to show and the past one it corrects.
    pub(crate) fn corrections(&self, event: EventId) -> impl Iterator<Item = (usize, usize)> + '_ {
        let taken = self.index().into_iter();
        let past = taken
            .flat_map(move |index| index.taken_from(event))
            .filter(|at| !self.is_current(*at));
        past.filter_map(|at| Some((self.what_holds_now(at)?, at)))
    }

    /// The candidates, the strongest first: corrections of what is shown, then the most relevant, with a third of
    /// `most` kept for the newest.
    pub(crate) fn candidates(
        &self,
        shown: &[EventId],
        told: &Told,
        most: usize,
        meter: &Meter,
    ) -> Result<Vec<FactLine>> {
        let (told, corrected) = (self.places(&told.shown), self.places(&told.corrected));
        let mut corrections: Vec<(usize, Vec<usize>)> = Vec::new();
        let said = shown.iter().flat_map(|event| self.corrections(*event));
        let ended = told.iter().filter(|at| !self.is_current(**at));
        let ended = ended.filter_map(|at| Some((self.what_holds_now(*at)?, *at)));
        for (target, past) in said.chain(ended) {
            if !corrected.contains(&past) {
                add_correction(&mut corrections, target, past);
            }
        }
        let left = most.saturating_sub(corrections.len());
        let newest = (most / 3).min(left);
        let mut places: Vec<usize> = Vec::with_capacity(left);
        let fresh = |places: &[usize], at: usize| {
            !places.contains(&at)
                && !told.contains(&at)
                && !corrections.iter().any(|(target, _)| *target == at)
        };
        let unshown =
            |at: usize| !self.is_shown_by(at, |event| shown.binary_search(&event).is_ok());
        for found in &self.found {
            if places.len() + newest >= left {
                break;
            }
            if fresh(&places, found.at) && unshown(found.at) {
                places.push(found.at);
            }
        }
        for at in (0..self.facts.len()).rev() {
            if places.len() >= left {
                break;
            }
            if self.is_current(at) && fresh(&places, at) && unshown(at) {
                places.push(at);
            }
        }
        let lines = corrections
            .into_iter()
            .chain(places.into_iter().map(|at| (at, Vec::new())));
        lines
            .map(|(at, corrects)| FactLine::of(&self.facts, at, corrects, meter))
            .collect()
    }

    fn places(&self, ids: &[FactId]) -> Vec<usize> {
        let index = self.index();
        ids.iter().filter_map(|id| index?.place(id)).collect()
    }

    /// Whether all events that a fact was taken from are shown.
    pub(crate) fn is_shown_by(&self, at: usize, shown: impl Fn(EventId) -> bool) -> bool {
        let sources = self.facts.get(at).map_or(&[][..], |fact| &fact.sources);
        !sources.is_empty() && sources.iter().all(|event| shown(*event))
    }

    /// What the question found of a fact.
    pub(crate) fn found(&self, at: usize) -> Option<Found> {
        self.found.iter().copied().find(|found| found.at == at)
    }

    /// The place of a fact named in a manifest.
    pub(crate) fn place_of(&self, block: &BlockRef) -> Option<usize> {
        match block {
            BlockRef::Fact(id) => self.index()?.place(id),
            _ => None,
        }
    }

    fn index(&self) -> Option<&FactIndex> {
        match &self.index {
            Held::Given(index) => Some(index),
            Held::Made(index) => Some(index),
            Held::None => None,
        }
    }

    fn is_current(&self, at: usize) -> bool {
        self.facts.get(at).is_some_and(Fact::is_current)
    }

    /// What holds in the place of a past fact: its latest successor, or itself where it ended without one.
    fn what_holds_now(&self, at: usize) -> Option<usize> {
        let mut place = at;
        for _ in 0..LONGEST_CHAIN {
            let fact = self.facts.get(place)?;
            let next = fact
                .replaced_by
                .as_ref()
                .filter(|_| !fact.is_current())
                .and_then(|id| self.index()?.place(id));
            match next {
                Some(next) => place = next,
                None => break,
            }
        }
        if self.is_current(place) {
            Some(place)
        } else {
            Some(at)
        }
    }
}

/// Joins a correction with those of the same fact.
pub(crate) fn add_correction(
    corrections: &mut Vec<(usize, Vec<usize>)>,
    target: usize,
    past: usize,
) {
    match corrections.iter_mut().find(|(at, _)| *at == target) {
        Some((_, all)) if !all.contains(&past) => all.push(past),
        Some(_) => {}
        None => corrections.push((target, vec![past])),
    }
}
