//! The memory an analysis works in, kept between calls so that the hot path allocates nothing.

use super::segment::Atom;
use crate::lanes::partial_lane;

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

/// What is remembered of a folded word.
#[derive(Debug, Clone)]
pub(super) struct Stem {
    pub(super) text: Box<str>,
    pub(super) stop: bool,
}

/// A short word in lower case, zero-padded. Words hold no NUL, so equal keys are equal words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key([u64; KEY / 8]);

impl Key {
    /// The key of a word, its ASCII letters lower-cased; `None` if it is too long.
    #[inline]
    pub(super) fn lower_case(word: &[u8]) -> Option<Self> {
        if word.len() > KEY {
            return None;
        }
        let mut key = [0; KEY / 8];
        let (full, rest) = word.as_chunks::<8>();
        let mut lanes = key.iter_mut();
        for (chunk, lane) in full.iter().zip(lanes.by_ref()) {
            *lane = lower_lane(u64::from_le_bytes(*chunk));
        }
        if let Some(lane) = lanes.next() {
            *lane = lower_lane(partial_lane(rest));
        }
        Some(Self(key))
    }

    #[inline]
    fn slot(&self) -> usize {
        let [a, b, c] = self.0;
        let mix = a.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ b.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(17)
            ^ c.wrapping_mul(0x1656_67B1_9E37_79F9).rotate_left(31);
        let hash = (mix.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        hash & (SLOTS - 1)
    }
}

/// Eight bytes with their ASCII capitals in lower case.
#[inline]
const fn lower_lane(lane: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let seven = lane & (EACH * 0x7F);
    let above_z = seven + EACH * (0x7F - b'Z' as u64);
    let from_a = seven + EACH * (0x80 - b'A' as u64);
    let capitals = (from_a ^ above_z) & !lane & (EACH * 0x80);
    lane | (capitals >> 2)
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
            self.slots.resize_with(SLOTS, || None);
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
        let key = Key::lower_case(b"running").unwrap();
        assert!(cache.get(&key).is_none());
        let (text, stop) = ("run".into(), false);
        cache.put(key, Stem { text, stop });
        assert_eq!(&*cache.get(&key).unwrap().text, "run");
        cache.serve(2);
        assert!(cache.get(&key).is_none());
    }

    #[test]
    fn keys_are_lower_case_and_tell_words_apart() {
        let word = "AbcdefghijKLMNOPQRSTUVWX@[`{zZé";
        let mut seen = std::collections::HashSet::new();
        for end in 0..=24 {
            let key = Key::lower_case(&word.as_bytes()[..end]).unwrap();
            assert_eq!(
                key,
                Key::lower_case(&word.to_ascii_lowercase().as_bytes()[..end]).unwrap()
            );
            assert!(seen.insert(key.0));
        }
        assert!(Key::lower_case(&[b'a'; 25]).is_none());
        for byte in 0..=255u8 {
            let lane = lower_lane(u64::from_le_bytes([byte; 8]));
            assert_eq!(
                lane,
                u64::from_le_bytes([byte.to_ascii_lowercase(); 8]),
                "{byte}"
            );
        }
    }
}
