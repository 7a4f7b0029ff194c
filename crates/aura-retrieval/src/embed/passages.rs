//! Cutting long messages into passages that a model reads whole.

/// How many letters of a word cost as much as a word of its own.
const LONG_WORD: usize = 8;

/// The passages of a text, each of about `words` words at most: cut at the end of a paragraph, a sentence or a word,
/// in this order, as late as possible. A text without any letter or digit has none.
///
/// Scripts that put no spaces between words count by the letter.
///
/// ```
/// let text = "The first sentence is here. The second one is longer than that.";
/// assert_eq!(aura_retrieval::passages(text, 20), [text]);
/// assert_eq!(aura_retrieval::passages(text, 8), ["The first sentence is here.", "The second one is longer than that."]);
/// ```
#[must_use]
pub fn passages(text: &str, words: usize) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while rest.chars().any(char::is_alphanumeric) {
        let (passage, after) = rest.split_at(end(rest, words.max(1)));
        let passage = passage.trim();
        if passage.chars().any(char::is_alphanumeric) {
            found.push(passage);
        }
        rest = after.trim_start();
    }
    found
}

/// Where the first passage of a text ends, in bytes; never 0.
fn end(text: &str, words: usize) -> usize {
    // Tenths of a word, so that letters without spaces can count less than one.
    let (mut cost, mut letters) = (0, 0);
    let (mut paragraph, mut sentence, mut word) = (0, 0, 0);
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        let past = at + letter.len_utf8();
        if letter.is_whitespace() {
            letters = 0;
            word = at;
            match (letter, before) {
                ('\n', _) => paragraph = at,
                (_, '.' | '!' | '?' | ':' | ';') => sentence = at,
                _ => {}
            }
        } else if is_unspaced(letter) {
            cost += 7;
            letters = 0;
            word = past;
        } else {
            if letters % LONG_WORD == 0 && letter.is_alphanumeric() {
                cost += 10;
            }
            letters += usize::from(letter.is_alphanumeric());
        }
        if matches!(letter, '。' | '！' | '？' | '；') {
            sentence = past;
        }
        if cost > words * 10 {
            // A break far back would make a passage of next to nothing.
            let late = |at: &usize| *at > past / 2;
            let breaks = [paragraph, sentence, word].into_iter().find(late);
            let first = text.chars().next().map_or(1, char::len_utf8);
            return breaks.unwrap_or(at).max(first);
        }
        before = letter;
    }
    text.len()
}

/// Whether words of this letter's script follow each other without a space.
fn is_unspaced(letter: char) -> bool {
    matches!(u32::from(letter), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_break_is_chosen_by_its_strength() {
        let paragraphs = "One two three four five.\nSix seven. Eight nine ten eleven twelve.";
        assert_eq!(
            passages(paragraphs, 8),
            [
                "One two three four five.",
                "Six seven. Eight nine ten eleven twelve."
            ]
        );
        assert_eq!(passages("a b c d e f", 4), ["a b c d", "e f"]);
        assert_eq!(
            passages("一二三四五。六七八九十", 5),
            ["一二三四五。", "六七八九十"]
        );
    }

    #[test]
    fn a_text_without_words_has_no_passage() {
        for text in ["", "  \n", "…!? --", "👍"] {
            assert!(passages(text, 10).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn a_word_without_end_is_cut() {
        let long = "x".repeat(1_000);
        let found = passages(&long, 10);
        assert!(found.len() > 5 && found.concat() == long);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_or_doubled(text in "(\\PC|\\n|[a-z]{1,9} |[。. ]){0,300}", words in 1..40_usize) {
            let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
            let found = passages(&text, words);
            prop_assert_eq!(letters(&found.concat()), letters(&text));
            prop_assert!(found.iter().all(|passage| !letters(passage).is_empty()));
        }
    }
}
