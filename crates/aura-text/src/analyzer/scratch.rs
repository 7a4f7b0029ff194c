//! The memory an analysis works in, kept between calls so that the hot path allocates nothing.

use rustc_hash::FxHasher;
use std::hash::Hasher;

use super::segment::Atom;

/// Longest word and stem the cache holds; longer words are rare and stemmed each time.
const KEY: usize = 24;
/// Direct-mapped slots (a power of two): about 200 kB, and enough for the words of daily use.
const SLOTS: usize = 4096;

/// Working memory of an [`Analyzer`](super::Analyzer): buffers, and a cache of stems.
///
/// One per thread; any analyzer may use it, and using it with several in turn only costs cache misses.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Atoms of the compound being read.
    pub(super) group: Vec<Atom>,
    /// The joined form of a compound.
    pub(super) whole: String,
    /// A folded word, marks included.
    pub(super) lower: String,
    /// A folded word without marks, or what a stemmer made of one.
    pub(super) plain: String,
    /// A term that must outlive the buffers above.
    pub(super) term: String,
    pub(super) cache: StemCache,
}

impl Scratch {
    /// An empty scratch space. The cache's memory is taken at the first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// What is remembered of a folded ASCII word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stem {
    bytes: [u8; KEY],
    len: u8,
    pub(super) stop: bool,
}

impl Stem {
    /// A stem to remember, if it is short enough.
    pub(super) fn new(text: &str, stop: bool) -> Option<Self> {
        let mut bytes = [0; KEY];
        bytes
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        Some(Self {
            bytes,
            len: u8::try_from(text.len()).ok()?,
            stop,
        })
    }

    #[inline]
    pub(super) fn text(&self) -> &str {
        self.bytes
            .get(..usize::from(self.len))
            .and_then(|b| std::str::from_utf8(b).ok())
            .unwrap_or("")
    }
}

/// A folded ASCII word, zero-padded. Words hold no NUL, so equal keys are equal words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key([u8; KEY]);

impl Key {
    #[inline]
    pub(super) fn new(word: &[u8]) -> Option<Self> {
        let mut key = [0; KEY];
        key.get_mut(..word.len())?.copy_from_slice(word);
        Some(Self(key))
    }

    #[inline]
    fn slot(&self) -> usize {
        let mut hasher = FxHasher::default();
        for word in self.0.as_chunks::<8>().0 {
            hasher.write_u64(u64::from_le_bytes(*word));
        }
        #[expect(clippy::cast_possible_truncation, reason = "any bits serve as a slot")]
        let hash = hasher.finish() as usize;
        hash & (SLOTS - 1)
    }
}

/// Stems of words seen lately, direct-mapped: a new word takes the place of the old one in its slot.
#[derive(Debug, Default)]
pub(super) struct StemCache {
    slots: Vec<Option<(Key, Stem)>>,
    /// The settings the stems were made with.
    settings: u16,
}

impl StemCache {
    /// Makes the cache ready for an analyzer with these settings.
    #[inline]
    pub(super) fn serve(&mut self, settings: u16) {
        if self.slots.is_empty() || self.settings != settings {
            self.slots.clear();
            self.slots.resize(SLOTS, None);
            self.settings = settings;
        }
    }

    #[inline]
    pub(super) fn get(&self, key: &Key) -> Option<&Stem> {
        match self.slots.get(key.slot()) {
            Some(Some((held, stem))) if held == key => Some(stem),
            _ => None,
        }
    }

    pub(super) fn put(&mut self, key: Key, stem: Stem) {
        if let Some(slot) = self.slots.get_mut(key.slot()) {
            *slot = Some((key, stem));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_until_the_settings_change() {
        let mut cache = StemCache::default();
        cache.serve(1);
        let key = Key::new(b"running").unwrap();
        assert!(cache.get(&key).is_none());
        cache.put(key, Stem::new("run", false).unwrap());
        assert_eq!(cache.get(&key).unwrap().text(), "run");
        cache.serve(2);
        assert!(cache.get(&key).is_none());
        assert!(Key::new(&[b'a'; 25]).is_none());
        assert!(Stem::new(&"a".repeat(25), false).is_none());
    }
}
