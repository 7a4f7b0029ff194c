//! The dictionary of an index: from a term's text to its number.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::lexical::postings::growth::{push_tight, reserve_tight};

/// Terms by text, numbered from 0 in the order in which they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dictionary {
    text: Vec<u8>,
    /// Where each term's text ends; it starts where the one before ends.
    ends: Vec<u32>,
    numbers: HashTable<u32>,
    // Seeded per process: term text comes from outside and must not be able to choose its bucket.
    hasher: RandomState,
}

impl Dictionary {
    /// How many terms there are, forgotten ones included.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether `bytes` more of text can be addressed.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        self.text.len().saturating_add(bytes) < u32::MAX as usize
    }

    /// The number of `term`, if the dictionary has it.
    pub(crate) fn get(&self, term: &str) -> Option<u32> {
        self.get_bytes(term.as_bytes())
    }

    /// The same for a text of which nobody has checked that it is one.
    pub(crate) fn get_bytes(&self, term: &[u8]) -> Option<u32> {
        let hash = self.hasher.hash_one(term);
        self.numbers
            .find(hash, |&number| self.text_of(number) == term)
            .copied()
    }

    /// The number of `term`, which is added if the dictionary lacks it.
    pub(crate) fn get_or_add(&mut self, term: &str) -> u32 {
        let hash = self.hasher.hash_one(term.as_bytes());
        let found = self
            .numbers
            .find(hash, |&number| self.text_of(number) == term.as_bytes());
        if let Some(&number) = found {
            return number;
        }
        let number = self.push_text(term.as_bytes());
        self.link(hash, number);
        number
    }

    /// Adds a term that the dictionary is known to lack.
    pub(crate) fn add(&mut self, term: &str) {
        let hash = self.hasher.hash_one(term.as_bytes());
        let number = self.push_text(term.as_bytes());
        self.link(hash, number);
    }

    /// Makes room for a known number of terms.
    pub(crate) fn reserve(&mut self, terms: usize) {
        self.ends.reserve_exact(terms);
        let Self {
            text,
            ends,
            numbers,
            hasher,
        } = self;
        numbers.reserve(terms, |&number| hasher.hash_one(slice(text, ends, number)));
    }

    /// Wipes a term's text and no longer finds it; its number stays taken.
    pub(crate) fn forget(&mut self, number: u32) {
        let hash = self.hasher.hash_one(self.text_of(number));
        if let Ok(entry) = self.numbers.find_entry(hash, |&other| other == number) {
            entry.remove();
        }
        let range = range(&self.ends, number);
        self.text.get_mut(range).unwrap_or_default().fill(0);
    }

    /// The text of a term; NULs, which no term holds, for a forgotten one.
    pub(crate) fn text_of(&self, number: u32) -> &[u8] {
        slice(&self.text, &self.ends, number)
    }

    pub(crate) fn memory(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<u32>()
            + self.numbers.allocation_size()
    }

    fn push_text(&mut self, term: &[u8]) -> u32 {
        let number = self.ends.len() as u32;
        reserve_tight(&mut self.text, term.len());
        self.text.extend_from_slice(term);
        push_tight(&mut self.ends, self.text.len() as u32);
        number
    }

    fn link(&mut self, hash: u64, number: u32) {
        let Self {
            text,
            ends,
            numbers,
            hasher,
        } = self;
        numbers.insert_unique(hash, number, |&number| {
            hasher.hash_one(slice(text, ends, number))
        });
    }
}

fn range(ends: &[u32], number: u32) -> std::ops::Range<usize> {
    let number = number as usize;
    let start = match number.checked_sub(1) {
        Some(before) => ends.get(before).copied().unwrap_or(0),
        None => 0,
    };
    let end = ends.get(number).copied().unwrap_or(start);
    start as usize..end as usize
}

fn slice<'a>(text: &'a [u8], ends: &[u32], number: u32) -> &'a [u8] {
    text.get(range(ends, number)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_order_of_first_use() {
        let mut dictionary = Dictionary::default();
        let words: Vec<String> = (0..5_000).map(|n| format!("word{n}")).collect();
        for round in 0..2 {
            for (number, word) in words.iter().enumerate() {
                assert_eq!(dictionary.get_or_add(word), number as u32, "round {round}");
            }
        }
        assert_eq!(dictionary.len(), words.len());
        assert_eq!(dictionary.text_of(77), b"word77");
        assert_eq!(dictionary.get("word"), None);
    }

    #[test]
    fn a_forgotten_term_leaves_no_text() {
        let mut dictionary = Dictionary::default();
        for word in ["keep", "secret", "keep2"] {
            dictionary.get_or_add(word);
        }
        dictionary.forget(1);
        assert_eq!(dictionary.get("secret"), None);
        assert_eq!(dictionary.get("keep2"), Some(2));
        assert!(!dictionary.text.windows(6).any(|part| part == b"secret"));
        assert_eq!(dictionary.get_or_add("secret"), 3);
    }
}
