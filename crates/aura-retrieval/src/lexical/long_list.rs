//! A long posting list with the bounds of each window of documents.

use super::bounds::Bounds;
use super::growth::{extend_tight, push_tight};
use super::posting::Posting;

/// How many consecutive documents share one bound, and are scored together.
pub(crate) const WINDOW: u32 = 512;

/// A list gets window bounds once it has this many postings per window on average: then they cost an eighth of it.
const POSTINGS_PER_WINDOW: u32 = 16;

/// How many words of 64 bits a window has.
pub(crate) const WORDS: usize = WINDOW as usize / 64;

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
    /// One bit for each document of the window.
    pub(crate) present: [u64; WORDS],
    /// Those that have the term more than once.
    pub(crate) repeated: [u64; WORDS],
    /// How many bits of `present` come before each of its words.
    pub(crate) before: [u16; WORDS],
}

impl Places {
    /// The frequency of the document at `bit` of `word`, which must be present; `run` is the window's postings.
    #[inline]
    pub(crate) fn frequency(&self, run: &[Posting], word: usize, bit: u32) -> u32 {
        if self.repeated[word] >> bit & 1 == 0 {
            return 1;
        }
        let before = self.present[word] & ((1 << bit) - 1);
        let at = usize::from(self.before[word]) + before.count_ones() as usize;
        run.get(at).map_or(1, |posting| posting.frequency())
    }

    fn include(&mut self, posting: Posting) {
        let word = (posting.document() % WINDOW / 64) as usize;
        let bit = 1 << (posting.document() % 64);
        if let Some(bits) = self.present.get_mut(word) {
            *bits |= bit;
        }
        if posting.frequency() > 1 && let Some(bits) = self.repeated.get_mut(word) {
            *bits |= bit;
        }
        for before in self.before.iter_mut().skip(word + 1) {
            *before += 1;
        }
    }
}

/// A posting list with an allocation of its own.
#[derive(Debug, Clone)]
pub(crate) struct LongList {
    postings: Vec<Posting>,
    /// By window number from 0; empty while the list is too sparse for them to pay.
    windows: Vec<Window>,
    /// Beside `windows`, and apart from them: most windows are left after a look at their bounds.
    places: Vec<Places>,
    bounds: Bounds,
}

impl Default for LongList {
    fn default() -> Self {
        Self {
            postings: Vec::new(),
            windows: Vec::new(),
            places: Vec::new(),
            bounds: Bounds::EMPTY,
        }
    }
}

impl LongList {
    /// A list of `postings`; `codes` has the length code of every document.
    pub(crate) fn new(postings: Vec<Posting>, codes: &[u8]) -> Self {
        let mut bounds = Bounds::EMPTY;
        for &posting in &postings {
            bounds.include(posting, code_of(posting, codes));
        }
        let mut list = Self {
            postings,
            windows: Vec::new(),
            places: Vec::new(),
            bounds,
        };
        list.index_windows(codes);
        list
    }

    /// Appends a posting whose document is above all others.
    pub(crate) fn push(&mut self, posting: Posting, codes: &[u8]) {
        let code = code_of(posting, codes);
        push_tight(&mut self.postings, posting);
        self.bounds.include(posting, code);
        if self.windows.is_empty() {
            self.index_windows(codes);
        } else {
            let start = self.postings.len() - 1;
            self.include(start, posting, code);
        }
    }

    pub(crate) fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// The windows up to that of the newest posting, or nothing for a sparse list.
    pub(crate) fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Which documents each window holds, beside [`Self::windows`].
    pub(crate) fn places(&self) -> &[Places] {
        &self.places
    }

    /// Bounds of the whole list.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Builds the windows if the list has become dense enough.
    fn index_windows(&mut self, codes: &[u8]) {
        let Some(last) = self.postings.last() else {
            return;
        };
        let needed = u64::from(last.document() / WINDOW + 1) * u64::from(POSTINGS_PER_WINDOW);
        if (self.postings.len() as u64) < needed {
            return;
        }
        let postings = std::mem::take(&mut self.postings);
        for (start, &posting) in postings.iter().enumerate() {
            self.include(start, posting, code_of(posting, codes));
        }
        self.postings = postings;
    }

    /// Takes the posting at `start` into its window; windows between, without postings, are added empty.
    fn include(&mut self, start: usize, posting: Posting, code: u8) {
        let wanted = (posting.document() / WINDOW) as usize + 1;
        if let Some(missing) = wanted.checked_sub(self.windows.len()) {
            let empty = Window {
                start: start as u32,
                bounds: Bounds::EMPTY,
            };
            extend_tight(&mut self.windows, missing, empty);
            extend_tight(&mut self.places, missing, Places::default());
        }
        if let (Some(window), Some(places)) = (self.windows.last_mut(), self.places.last_mut()) {
            window.bounds.include(posting, code);
            places.include(posting);
        }
    }
}

fn code_of(posting: Posting, codes: &[u8]) -> u8 {
    codes.get(posting.document() as usize).copied().unwrap_or(0)
}
