//! Who speaks in a session, and which words are their names.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use smallvec::SmallVec;

/// The speaker of a document that has none of its own: unnamed ones, and those past [`MAX_SPEAKERS`].
pub(crate) const NO_SPEAKER: u16 = u16::MAX;

/// Speakers that are told apart.
const MAX_SPEAKERS: usize = 4096;

/// A speaker with a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Speaker {
    /// In lower case; empty when all that they said has been removed.
    pub(crate) name: String,
    /// The term numbers of the name.
    pub(crate) terms: SmallVec<[u32; 2]>,
    /// Their first document.
    pub(crate) first: u32,
    /// How many documents are theirs.
    pub(crate) documents: u32,
}

/// The speakers of an index, numbered in the order they first spoke.
#[derive(Debug, Clone, Default)]
pub(crate) struct Speakers {
    all: Vec<Speaker>,
    numbers: HashMap<String, u16, RandomState>,
    /// Speakers by a term of their name.
    by_term: HashMap<u32, SmallVec<[u16; 2]>, RandomState>,
}

impl Speakers {
    /// Notes that `name`, whose terms are these, speaks in `document`.
    pub(crate) fn note(&mut self, name: &str, terms: &[u32], document: u32) -> u16 {
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => match self.add(name, terms, document) {
                Some(number) => number,
                None => return NO_SPEAKER,
            },
        };
        if let Some(speaker) = self.all.get_mut(usize::from(number)) {
            speaker.documents += 1;
        }
        number
    }

    fn add(&mut self, name: &str, terms: &[u32], document: u32) -> Option<u16> {
        if self.all.len() >= MAX_SPEAKERS {
            return None;
        }
        let number = u16::try_from(self.all.len()).ok()?;
        self.numbers.insert(name.to_owned(), number);
        let mut terms = SmallVec::from_slice(terms);
        terms.sort_unstable();
        terms.dedup();
        for &term in &terms {
            self.by_term.entry(term).or_default().push(number);
        }
        self.all.push(Speaker {
            name: name.to_owned(),
            terms,
            first: document,
            documents: 0,
        });
        Some(number)
    }

    /// Notes that a document of this speaker has been removed; the last one takes the name with it.
    pub(crate) fn forget(&mut self, number: u16) {
        let Some(speaker) = self.all.get_mut(usize::from(number)) else {
            return;
        };
        speaker.documents = speaker.documents.saturating_sub(1);
        if speaker.documents > 0 {
            return;
        }
        let gone = std::mem::take(speaker);
        self.numbers.remove(&gone.name);
        for term in gone.terms {
            if let Some(numbers) = self.by_term.get_mut(&term) {
                numbers.retain(|&mut other| other != number);
            }
        }
    }

    /// The speakers that have this term in their name.
    pub(crate) fn called(&self, term: u32) -> &[u16] {
        self.by_term.get(&term).map_or(&[], |numbers| numbers)
    }

    /// All of them, in the order of their numbers.
    pub(crate) fn all(&self) -> &[Speaker] {
        &self.all
    }

    pub(crate) fn memory(&self) -> usize {
        let names: usize = self
            .all
            .iter()
            .map(|speaker| 2 * speaker.name.capacity())
            .sum();
        names
            + self.all.capacity() * size_of::<Speaker>()
            + self.numbers.allocation_size()
            + self.by_term.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speakers_are_found_by_the_terms_of_their_names() {
        let mut speakers = Speakers::default();
        assert_eq!(speakers.note("ana lima", &[1, 2], 0), 0);
        assert_eq!(speakers.note("rui lima", &[3, 2], 1), 1);
        assert_eq!(speakers.note("ana lima", &[1, 2], 2), 0);
        assert_eq!(speakers.called(2), [0, 1]);
        assert_eq!(speakers.called(1), [0]);
        assert_eq!(speakers.all()[0].documents, 2);
        speakers.forget(0);
        speakers.forget(0);
        assert_eq!(speakers.all()[0], Speaker::default());
        assert_eq!(
            (speakers.called(1), speakers.called(2)),
            (&[][..], &[1][..])
        );
        assert_eq!(speakers.note("ana lima", &[1, 2], 3), 2);
        speakers.forget(NO_SPEAKER);
    }

    #[test]
    fn there_are_only_so_many() {
        let mut speakers = Speakers::default();
        for n in 0..MAX_SPEAKERS as u32 {
            assert_eq!(u32::from(speakers.note(&format!("s{n}"), &[n], n)), n);
        }
        assert_eq!(speakers.note("one more", &[1], 9), NO_SPEAKER);
    }
}
