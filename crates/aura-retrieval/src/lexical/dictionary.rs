//! The dictionary of an index: term text to term number.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::growth::{extend_tight, push_tight, reserve_tight};

/// Terms by text, numbered from 0 in the order of their first use.
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

    /// The number of `term`, if the dictionary has it.
    pub(crate) fn get(&self, term: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(term.as_bytes());
        self.numbers
            .find(hash, |&number| self.text_of(number) == term.as_bytes())
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
        let number = self.ends.len() as u32;
        reserve_tight(&mut self.text, term.len());
        self.text.extend_from_slice(term.as_bytes());
        push_tight(&mut self.ends, self.text.len() as u32);
        let Self { text, ends, numbers, hasher } = self;
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(slice(text, ends, number)));
        number
    }

    /// The text of a term; empty for a forgotten one.
    pub(crate) fn text_of(&self, number: u32) -> &[u8] {
        slice(&self.text, &self.ends, number)
    }
}

fn slice<'a>(text: &'a [u8], ends: &[u32], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = match number.checked_sub(1) {
        Some(before) => ends.get(before).copied().unwrap_or(0),
        None => 0,
    };
    let end = ends.get(number).copied().unwrap_or(start);
    text.get(start as usize..end as usize).unwrap_or_default()
}
