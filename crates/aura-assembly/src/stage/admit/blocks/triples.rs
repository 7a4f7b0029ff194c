//! How much of a text was said before: its words three by three.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::{FxBuildHasher, FxHashSet, FxHasher};

/// Word triples that were said.
pub(crate) type Said = FxHashSet<u64>;

/// The word triples of a text as hashes, in order. Fewer than three words make one; without any word there is none.
///
/// A word is a run of letters and digits, whatever its case; where a script has no spaces every character is one.
pub(crate) fn triples(text: &str) -> Vec<u64> {
    let words = words(text);
    if words.len() < 3 {
        return words
            .split_first()
            .map(|_| hash(&words))
            .into_iter()
            .collect();
    }
    words.windows(3).map(hash).collect()
}

/// The share of a text's triples that were said, by others or by itself, and whether others said them all.
pub(crate) fn repeated(triples: &[u64], said: &Said) -> (f32, bool) {
    if triples.is_empty() {
        return (0.0, false);
    }
    let mut own = Said::with_capacity_and_hasher(triples.len(), FxBuildHasher);
    let (mut by_others, mut again) = (0_usize, 0_usize);
    for triple in triples {
        let fresh = own.insert(*triple);
        let known = said.contains(triple);
        by_others += usize::from(known);
        again += usize::from(known || !fresh);
    }
    let share = again as f32 / triples.len() as f32;
    (share, by_others == triples.len())
}

fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::with_capacity(text.len() / 6);
    let mut word: Option<FxHasher> = None;
    for c in text.chars() {
        if !c.is_alphanumeric() {
            words.extend(word.take().map(|word| word.finish()));
            continue;
        }
        let begun = word.get_or_insert_with(|| FxBuildHasher.build_hasher());
        c.to_lowercase().for_each(|c| c.hash(begun));
        if is_unspaced(c) {
            words.extend(word.take().map(|word| word.finish()));
        }
    }
    words.extend(word.map(|word| word.finish()));
    words
}

/// Whether a character is of a script that puts no spaces between words: from the Kangxi radicals to the compatibility
/// ideographs (but for Hangul), the supplementary ideographs, and Thai, Lao, Myanmar and Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn hash(words: &[u64]) -> u64 {
    FxBuildHasher.hash_one(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Said {
        triples(text).into_iter().collect()
    }

    #[test]
    fn form_does_not_matter_and_one_letter_does() {
        let first = said("The refund period is 30 days.");
        let (share, all) = repeated(&triples("the REFUND period\nis 30 days"), &first);
        assert_eq!((share, all), (1.0, true));
        let (share, all) = repeated(&triples("The refund period is 60 days."), &first);
        assert_eq!((share, all), (0.5, false));
        let long = "word ".repeat(3) + "a b c d e f g h i j k l m n o p q";
        let changed = long.replace('h', "H2");
        assert!(!repeated(&triples(&changed), &said(&long)).1);
        assert!(repeated(&triples("period is 30"), &first).1, "a part of it");
    }

    #[test]
    fn a_text_repeats_itself() {
        let none = Said::default();
        let log = "GET /health 200 ok\n".repeat(50);
        let (share, all) = repeated(&triples(&log), &none);
        assert!(share > 0.95 && !all, "{share}");
        assert_eq!(
            repeated(&triples("one two three four"), &none),
            (0.0, false)
        );
        for (text, count) in [
            ("", 0),
            ("…", 0),
            ("one", 1),
            ("one two", 1),
            ("a b c d", 2),
        ] {
            assert_eq!(triples(text).len(), count, "{text}");
        }
        assert_eq!(triples("退款期限").len(), 2, "every character is a word");
        assert_eq!(repeated(&[], &none), (0.0, false));
    }
}
