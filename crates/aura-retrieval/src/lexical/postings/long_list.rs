//! A long posting list with the bounds of each window of documents.

use std::ops::Range;

use crate::lexical::postings::bounds::Bounds;
use crate::lexical::postings::growth::{extend_tight, push_tight, reserve_tight};
use crate::lexical::postings::posting::Posting;
use crate::lexical::search::window::{WINDOW, WORDS};

/// A list gets windows once it has this many postings for each on average. They take 152 bytes a window, so 2.4 times
/// the postings of the sparsest such list, but over all lists of a corpus about a third of the postings.
const POSTINGS_PER_WINDOW: u64 = 16;

/// Where a list's run of one window starts, and what it can score at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// The run ends where the next one starts.
    pub(crate) start: u32,
    pub(crate) bounds: Bounds,
}

/// Which documents of a window are in a list: finds a posting without searching.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Places {
    words: [Word; WORDS],
    /// How many documents come before each of the words that has any.
    before: [u16; WORDS],
}

/// 64 documents of a window; what a look-up asks of them stands side by side, in one cache line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Word {
    /// One bit for each document that is in the list.
    present: u64,
    /// Those that have the term more than once: for the others, most, no posting need be read.
    repeated: u64,
}

impl Places {
    /// The frequency of the document at `bit` of `word`, if it is in the list; `run` is the window's postings.
    #[inline]
    pub(crate) fn frequency(&self, run: &[Posting], word: usize, bit: u32) -> Option<u32> {
        let bits = self.words.get(word)?;
        if bits.present >> bit & 1 == 0 {
            return None;
        }
        if bits.repeated >> bit & 1 == 0 {
            return Some(1);
        }
        run.get(self.rank(word, bit)?)
            .map(|posting| posting.frequency())
    }

    /// How many documents of the list come before `bit` of `word`, which has any, in the window.
    #[inline]
    fn rank(&self, word: usize, bit: u32) -> Option<usize> {
        let before = self.words.get(word)?.present & ((1 << bit) - 1);
        Some(usize::from(*self.before.get(word)?) + before.count_ones() as usize)
    }

    /// The documents of `word` within `bits` and their frequencies; `start` is the first document of the word.
    #[inline]
    fn for_each(
        &self,
        run: &[Posting],
        word: usize,
        bits: u64,
        start: u32,
        f: &mut impl FnMut(u32, u32),
    ) {
        let Some(&Word { present, repeated }) = self.words.get(word) else {
            return;
        };
        let mut left = present & bits;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let frequency = if repeated >> bit & 1 == 0 {
                1
            } else {
                let place = self.rank(word, bit).and_then(|rank| run.get(rank));
                place.map_or(1, |posting| posting.frequency())
            };
            f(start + bit, frequency);
        }
    }

    /// The places of a run, which is all of its window.
    #[expect(
        clippy::indexing_slicing,
        reason = "a place is taken modulo the window"
    )]
    fn of(run: &[Posting]) -> Self {
        let mut places = Self::default();
        for posting in run {
            let word = &mut places.words[(posting.document() % WINDOW / 64) as usize];
            let bit = posting.document() % 64;
            word.present |= 1 << bit;
            word.repeated |= u64::from(posting.frequency() > 1) << bit;
        }
        let mut before = 0;
        for (word, count) in places.words.iter().zip(&mut places.before) {
            if word.present != 0 {
                *count = before;
                before += word.present.count_ones() as u16;
            }
        }
        places
    }

    /// Takes in a document with `before` others of its window before it.
    fn include(&mut self, posting: Posting, before: usize) {
        let word = (posting.document() % WINDOW / 64) as usize;
        let bit = 1 << (posting.document() % 64);
        if let (Some(bits), Some(count)) = (self.words.get_mut(word), self.before.get_mut(word)) {
            if bits.present == 0 {
                *count = before as u16;
            }
            bits.present |= bit;
            if posting.frequency() > 1 {
                bits.repeated |= bit;
            }
        }
    }
}

/// A posting list with an allocation of its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct LongList {
    postings: Vec<Posting>,
    /// By window number from 0 to that of the newest posting; empty while the list is too sparse for them to pay.
    windows: Vec<Window>,
    /// Beside `windows`, and apart from them: most windows are left after a look at their bounds.
    places: Vec<Places>,
}

impl LongList {
    /// A list of `postings`, oldest first; `codes` has the length code of every document.
    pub(crate) fn new(postings: Vec<Posting>, codes: &[u8]) -> Self {
        let mut list = Self {
            postings,
            ..Self::default()
        };
        list.index_windows(codes);
        list
    }

    /// Appends a posting whose document is above all others.
    pub(crate) fn push(&mut self, posting: Posting, codes: &[u8]) {
        push_tight(&mut self.postings, posting);
        if self.windows.is_empty() {
            self.index_windows(codes);
        } else {
            self.include(self.postings.len() - 1, &[posting], codes);
        }
    }

    /// Appends postings, oldest first, whose documents are above all others.
    pub(crate) fn extend(&mut self, postings: &[Posting], codes: &[u8]) {
        let start = self.postings.len();
        reserve_tight(&mut self.postings, postings.len());
        self.postings.extend_from_slice(postings);
        if self.windows.is_empty() {
            self.index_windows(codes);
        } else {
            self.include_all(start, postings, codes);
        }
    }

    pub(crate) fn postings(&self) -> &[Posting] {
        &self.postings
    }

    pub(crate) fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Which documents each window holds, beside [`Self::windows`].
    pub(crate) fn places(&self) -> &[Places] {
        &self.places
    }

    /// Hands over each document of a short range that is in the list, and its frequency; for a list that has windows.
    #[inline]
    pub(crate) fn for_each_within(&self, range: &Range<u32>, mut f: impl FnMut(u32, u32)) {
        let mut start = range.start;
        while start < range.end {
            let window = (start / WINDOW) as usize;
            let (Some(here), Some(places)) = (self.windows.get(window), self.places.get(window))
            else {
                return;
            };
            let word_start = start & !63;
            let end = range.end.min(word_start + 64);
            // Bits from `start` to before `end`.
            let bits = (u64::MAX << (start % 64)) & (u64::MAX >> (word_start + 64 - end));
            let run = self.postings.get(here.start as usize..).unwrap_or_default();
            let word = (start % WINDOW / 64) as usize;
            places.for_each(run, word, bits, word_start, &mut f);
            start = end;
        }
    }

    pub(crate) fn memory(&self) -> usize {
        self.postings.capacity() * size_of::<Posting>()
            + self.windows.capacity() * size_of::<Window>()
            + self.places.capacity() * size_of::<Places>()
    }

    /// Builds the windows if the list is dense enough.
    fn index_windows(&mut self, codes: &[u8]) {
        let Some(last) = self.postings.last() else {
            return;
        };
        let needed = u64::from(last.document() / WINDOW + 1) * POSTINGS_PER_WINDOW;
        if (self.postings.len() as u64) < needed {
            return;
        }
        let windows = (last.document() / WINDOW) as usize + 1;
        self.windows.reserve_exact(windows);
        self.places.reserve_exact(windows);
        let postings = std::mem::take(&mut self.postings);
        self.include_all(0, &postings, codes);
        self.postings = postings;
    }

    /// Takes the postings from `start` on into their windows.
    fn include_all(&mut self, mut start: usize, postings: &[Posting], codes: &[u8]) {
        for run in postings.chunk_by(|a, b| a.document() / WINDOW == b.document() / WINDOW) {
            let window = run.first().map_or(0, |first| first.document() / WINDOW) as usize;
            if window < self.windows.len() {
                self.include(start, run, codes);
            } else {
                self.add_windows(start, window);
                let bounds = Bounds::of(run, codes);
                let start = start as u32;
                push_tight(&mut self.windows, Window { start, bounds });
                push_tight(&mut self.places, Places::of(run));
            }
            start += run.len();
        }
    }

    /// Adds windows without postings until there are so many; `start` is where the next posting will be.
    fn add_windows(&mut self, start: usize, wanted: usize) {
        let missing = wanted.saturating_sub(self.windows.len());
        let empty = Window {
            start: start as u32,
            bounds: Bounds::EMPTY,
        };
        extend_tight(&mut self.windows, missing, empty);
        extend_tight(&mut self.places, missing, Places::default());
    }

    /// Takes the postings from `start` on into the window they share; windows between, without postings, are added empty.
    fn include(&mut self, start: usize, run: &[Posting], codes: &[u8]) {
        let Some(first) = run.first() else { return };
        self.add_windows(start, (first.document() / WINDOW) as usize + 1);
        let (Some(window), Some(places)) = (self.windows.last_mut(), self.places.last_mut()) else {
            return;
        };
        let before = start - window.start as usize;
        for (&posting, before) in run.iter().zip(before..) {
            let code = codes.get(posting.document() as usize).copied().unwrap_or(0);
            window.bounds.include(posting, code);
            places.include(posting, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn windows_and_places_describe_the_postings(
            documents in prop::collection::btree_map(0u32..3_000, 1u32..6, 1..1_500),
            seed in any::<u8>(),
            size in 1usize..900,
        ) {
            let codes: Vec<u8> = (0..3_072u32).map(|n| (n % 251) as u8 ^ seed).collect();
            let postings: Vec<Posting> = documents.iter().map(|(&d, &f)| Posting::new(d, f)).collect();
            let whole = LongList::new(postings.clone(), &codes);
            let mut pushed = LongList::default();
            postings.iter().for_each(|&posting| pushed.push(posting, &codes));
            let mut extended = LongList::default();
            postings.chunks(size).for_each(|run| extended.extend(run, &codes));
            for grown in [pushed, extended] {
                prop_assert_eq!(whole.postings(), grown.postings());
                if !whole.windows.is_empty() {
                    prop_assert_eq!(&whole.windows, &grown.windows);
                    prop_assert_eq!(&whole.places, &grown.places);
                }
                check(&grown, &documents, &codes);
            }
        }
    }

    fn check(list: &LongList, documents: &BTreeMap<u32, u32>, codes: &[u8]) {
        if !list.windows.is_empty() {
            for start in (0..3_100).step_by(23) {
                let range = start..start + start % 140;
                let mut found = Vec::new();
                list.for_each_within(&range, |document, frequency| {
                    found.push((document, frequency))
                });
                let expected = documents.range(range).map(|(&d, &f)| (d, f));
                assert!(found.into_iter().eq(expected));
            }
        }
        let table = crate::lexical::norms::LengthTable::new(9.0);
        for (number, window) in list.windows.iter().enumerate() {
            let range = number as u32 * WINDOW..(number as u32 + 1) * WINDOW;
            let end = list
                .windows
                .get(number + 1)
                .map_or(list.postings.len(), |next| next.start as usize);
            let run = &list.postings[window.start as usize..end];
            assert!(
                run.iter()
                    .all(|posting| range.contains(&posting.document()))
            );
            for document in range {
                let place = document % WINDOW;
                let frequency =
                    list.places[number].frequency(run, (place / 64) as usize, place % 64);
                assert_eq!(frequency, documents.get(&document).copied());
            }
            let bound = window.bounds.share(&table, 1e6);
            let shares = run
                .iter()
                .map(|p| table.share(1e6, p.frequency(), codes[p.document() as usize]));
            assert!(shares.max().unwrap_or(0) <= bound);
        }
    }
}
