//! Random turns whose words follow Zipf's law, for benches and tests that need long sessions.
//!
//! The words are invented (syllables, short ones for frequent ranks), so the text is of no language and no
//! stop-word list applies to it. The same seed gives the same text on every machine.

/// How many distinct words the vocabulary holds.
pub const VOCABULARY: usize = 50_000;

const ONSETS: [&str; 20] = [
    "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "t", "v", "z", "br", "dr", "gr", "kl",
    "pl", "tr",
];
const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "ou", "ea"];

/// A generator of turns and questions over one Zipf-distributed vocabulary (exponent 1).
///
/// ```
/// use aura_testkit::zipf::ZipfCorpus;
/// let turns = ZipfCorpus::new(7).turns(3, 60);
/// assert_eq!(turns.len(), 3);
/// assert_eq!(turns, ZipfCorpus::new(7).turns(3, 60));
/// ```
#[derive(Debug, Clone)]
pub struct ZipfCorpus {
    words: Vec<String>,
    cumulative: Vec<f64>,
    state: u64,
}

impl ZipfCorpus {
    /// A generator that starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let words: Vec<String> = (0..VOCABULARY).map(word).collect();
        let mut total = 0.0;
        let cumulative = (1..=VOCABULARY)
            .map(|rank| {
                total += 1.0 / rank as f64;
                total
            })
            .collect();
        Self {
            words,
            cumulative,
            state: seed,
        }
    }

    /// The next `count` turns, each of half to one and a half times `words` words and `words` on average.
    pub fn turns(&mut self, count: usize, words: usize) -> Vec<String> {
        (0..count).map(|_| self.turn(words)).collect()
    }

    /// The next turn, of half to one and a half times `words` words.
    pub fn turn(&mut self, words: usize) -> String {
        let spread = self.below(words as u64 + 1) as usize;
        let length = (words.div_ceil(2) + spread).max(1);
        let mut text = String::with_capacity(length * 8);
        for place in 0..length {
            if place > 0 {
                text.push_str(if place.is_multiple_of(12) { ". " } else { " " });
            }
            text.push_str(self.word());
        }
        text
    }

    /// `count` questions of `words` words, drawn like the words of the turns.
    pub fn questions(&mut self, count: usize, words: usize) -> Vec<String> {
        (0..count)
            .map(|_| {
                let ranks: Vec<usize> = (0..words).map(|_| self.rank()).collect();
                let words: Vec<&str> = ranks.iter().map(|&rank| self.at(rank)).collect();
                words.join(" ")
            })
            .collect()
    }

    fn word(&mut self) -> &str {
        let rank = self.rank();
        self.at(rank)
    }

    fn at(&self, rank: usize) -> &str {
        self.words.get(rank).map_or("", String::as_str)
    }

    fn rank(&mut self) -> usize {
        let total = self.cumulative.last().copied().unwrap_or(1.0);
        let point = self.unit() * total;
        self.cumulative
            .partition_point(|&sum| sum <= point)
            .min(VOCABULARY - 1)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): tiny, seedable with any value, and good enough for text.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// The word of a rank: its digits in base 160 (onset × vowel), least significant first, closed by a consonant
/// that depends on the rank, so that all words differ and frequent words are short.
fn word(rank: usize) -> String {
    let base = ONSETS.len() * VOWELS.len();
    let mut text = String::new();
    let mut rest = rank;
    loop {
        let digit = rest % base;
        text.push_str(ONSETS.get(digit / VOWELS.len()).copied().unwrap_or("x"));
        text.push_str(VOWELS.get(digit % VOWELS.len()).copied().unwrap_or("y"));
        rest /= base;
        if rest == 0 {
            break;
        }
        rest -= 1;
    }
    text.push(if rank.is_multiple_of(2) { 'n' } else { 'k' });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_vocabulary_has_no_word_twice() {
        let words: HashSet<String> = (0..VOCABULARY).map(word).collect();
        assert_eq!(words.len(), VOCABULARY);
    }

    #[test]
    fn turns_have_the_length_asked_for_on_average() {
        let turns = ZipfCorpus::new(1).turns(2_000, 60);
        let words: usize = turns.iter().map(|turn| turn.split(' ').count()).sum();
        let mean = words as f64 / turns.len() as f64;
        assert!((58.0..62.0).contains(&mean), "{mean}");
    }

    #[test]
    fn frequencies_follow_zipf() {
        let mut corpus = ZipfCorpus::new(2);
        let mut counts = [0u32; 4];
        for _ in 0..200_000 {
            let rank = corpus.rank();
            if let Some(count) = counts.get_mut(rank) {
                *count += 1;
            }
        }
        for (rank, &count) in counts.iter().enumerate() {
            let share = f64::from(counts[0]) / f64::from(count);
            assert!(
                (share - (rank + 1) as f64).abs() < 0.2,
                "rank {rank}: {share}"
            );
        }
    }

    #[test]
    fn questions_have_exactly_the_words_asked_for() {
        let questions = ZipfCorpus::new(3).questions(10, 8);
        assert!(
            questions
                .iter()
                .all(|question| question.split(' ').count() == 8)
        );
        assert_ne!(questions[0], questions[1]);
    }
}
