//! The posting lists of all terms, each in the cheapest of three homes: in the term's own entry (one or two
//! postings, which is most terms), in the shared arena, or in an allocation of its own.

pub(in crate::lexical) mod bounds;
pub(in crate::lexical) mod chunks;
pub(in crate::lexical) mod entry;
pub(in crate::lexical) mod growth;
pub(in crate::lexical) mod long_list;
pub(crate) mod posting;

use std::ops::Range;

use crate::lexical::postings::chunks::Chunks;
use crate::lexical::postings::entry::{Entry, Home};
use crate::lexical::postings::growth::push_tight;
use crate::lexical::postings::long_list::LongList;
use crate::lexical::postings::posting::{Posting, within};

/// A term's postings as the search reads them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum List<'a> {
    Short(&'a [Posting]),
    Long(&'a LongList),
}

impl<'a> List<'a> {
    pub(crate) fn postings(self) -> &'a [Posting] {
        match self {
            Self::Short(postings) => postings,
            Self::Long(list) => list.postings(),
        }
    }
}

/// Posting lists by term number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Postings {
    entries: Vec<Entry>,
    chunks: Chunks,
    long: Vec<LongList>,
    free_long: Vec<u32>,
}

impl Postings {
    /// Adds a term with these postings, oldest first, and returns its number.
    ///
    /// `codes` has the length code of every document.
    pub(crate) fn add_term(&mut self, postings: &[Posting], codes: &[u8]) -> u32 {
        let term = self.entries.len() as u32;
        let entry = self.entry_for(postings, codes);
        push_tight(&mut self.entries, entry);
        term
    }

    /// Appends a posting whose document is above all others of `term`; the next unused number adds a term.
    pub(crate) fn push(&mut self, term: u32, posting: Posting, codes: &[u8]) {
        let Some(entry) = self.entries.get_mut(term as usize) else {
            self.add_term(&[posting], codes);
            return;
        };
        let count = match entry.home() {
            Home::Inline(count) => {
                if let Some(slot) = entry.slots_mut().get_mut(count) {
                    *slot = posting;
                    return;
                }
                count
            }
            Home::Chunk(chunk, count) => {
                if let Some(slot) = self.chunks.slice_mut(chunk).get_mut(count) {
                    *slot = posting;
                    *entry = Entry::chunk(chunk, count + 1);
                    return;
                }
                count
            }
            Home::Long(number) => {
                if let Some(list) = self.long.get_mut(number as usize) {
                    list.push(posting, codes);
                }
                return;
            }
        };
        let mut postings = Vec::with_capacity(count + 1);
        postings.extend_from_slice(self.list(term).postings());
        postings.push(posting);
        self.replace(term, &postings, codes);
    }

    /// Appends postings, oldest first, whose documents are above all others of `term`; the next unused number adds a term.
    pub(crate) fn extend(&mut self, term: u32, postings: &[Posting], codes: &[u8]) {
        let Some(entry) = self.entries.get(term as usize) else {
            self.add_term(postings, codes);
            return;
        };
        if let Home::Long(number) = entry.home() {
            if let Some(list) = self.long.get_mut(number as usize) {
                list.extend(postings, codes);
            }
            return;
        }
        let all = [self.list(term).postings(), postings].concat();
        self.replace(term, &all, codes);
    }

    /// Removes the postings of these documents; returns the terms that have none left.
    pub(crate) fn remove(&mut self, documents: &Range<u32>, codes: &[u8]) -> Vec<u32> {
        let mut emptied = Vec::new();
        for term in 0..self.entries.len() as u32 {
            let postings = self.list(term).postings();
            let gone = within(postings, documents);
            if gone.is_empty() {
                continue;
            }
            let (before, after) = (postings.get(..gone.start), postings.get(gone.end..));
            let left = [before.unwrap_or_default(), after.unwrap_or_default()].concat();
            self.replace(term, &left, codes);
            if left.is_empty() {
                emptied.push(term);
            }
        }
        emptied
    }

    /// Gives `term` these postings in place of its own.
    fn replace(&mut self, term: u32, postings: &[Posting], codes: &[u8]) {
        let Some(entry) = self.entries.get(term as usize) else {
            return;
        };
        match entry.home() {
            Home::Inline(_) => {}
            Home::Chunk(chunk, _) => self.chunks.release(chunk),
            Home::Long(number) => {
                if let Some(list) = self.long.get_mut(number as usize) {
                    *list = LongList::default();
                    self.free_long.push(number);
                }
            }
        }
        let replacement = self.entry_for(postings, codes);
        if let Some(entry) = self.entries.get_mut(term as usize) {
            *entry = replacement;
        }
    }

    /// The postings of `term`.
    #[inline]
    pub(crate) fn list(&self, term: u32) -> List<'_> {
        let Some(entry) = self.entries.get(term as usize) else {
            return List::Short(&[]);
        };
        let short = match entry.home() {
            Home::Inline(count) => entry.slots().get(..count),
            Home::Chunk(chunk, count) => self.chunks.slice(chunk).get(..count),
            Home::Long(number) => match self.long.get(number as usize) {
                Some(list) => return List::Long(list),
                None => None,
            },
        };
        List::Short(short.unwrap_or_default())
    }

    pub(crate) fn memory(&self) -> usize {
        let long: usize = self.long.iter().map(LongList::memory).sum();
        self.entries.capacity() * size_of::<Entry>()
            + self.chunks.memory()
            + self.long.capacity() * size_of::<LongList>()
            + long
    }

    /// Makes room for a known number of terms, and more than enough for so many postings in the arena, until
    /// [`Postings::tighten`]: memory that is not written to costs nothing.
    pub(crate) fn reserve(&mut self, terms: usize, postings: usize) {
        self.entries.reserve_exact(terms);
        self.chunks.reserve(postings);
    }

    /// Gives back the room that was made and not used.
    pub(crate) fn tighten(&mut self) {
        self.chunks.tighten();
    }

    fn entry_for(&mut self, postings: &[Posting], codes: &[u8]) -> Entry {
        if postings.len() <= 2 {
            return Entry::inline(postings);
        }
        if let Some(chunk) = self.chunks.allocate(postings.len()) {
            for (slot, &posting) in self.chunks.slice_mut(chunk).iter_mut().zip(postings) {
                *slot = posting;
            }
            return Entry::chunk(chunk, postings.len());
        }
        let list = LongList::new(postings.to_vec(), codes);
        match self.free_long.pop() {
            Some(number) => {
                if let Some(place) = self.long.get_mut(number as usize) {
                    *place = list;
                }
                Entry::long(number)
            }
            None => {
                push_tight(&mut self.long, list);
                Entry::long(self.long.len() as u32 - 1)
            }
        }
    }
}
