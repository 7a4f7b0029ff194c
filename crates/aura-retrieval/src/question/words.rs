//! Words and numbers of a text, for patterns of a few words.

/// A run of ASCII letters, a number, or one other letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// As it stands in the text.
    pub(super) text: &'a str,
    /// Its value, if it is a number of at most four digits.
    pub(super) number: Option<u16>,
    /// What stands right before it, if that is one character and no space.
    pub(super) joint: Option<char>,
}

impl Word<'_> {
    /// Whether it is this word, whatever its case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for_each(text, |word| words.push(word));
    words
}

/// Hands over each word of a text.
pub(super) fn for_each<'a>(text: &'a str, mut f: impl FnMut(Word<'a>)) {
    let mut rest = text;
    let mut gap = 0;
    let mut joint = None;
    while let Some(first) = rest.chars().next() {
        let size = if first.is_ascii_digit() {
            rest.bytes().take_while(u8::is_ascii_digit).count()
        } else if first.is_ascii_alphabetic() {
            rest.bytes().take_while(u8::is_ascii_alphabetic).count()
        } else {
            first.len_utf8()
        };
        let (text, after) = rest.split_at(size);
        rest = after;
        if first.is_alphanumeric() {
            let number = if size <= 4 { text.parse().ok() } else { None };
            let joint = joint.filter(|_| gap == 1);
            f(Word {
                text,
                number,
                joint,
            });
            gap = 0;
        } else {
            gap += 1;
        }
        joint = Some(first).filter(|c| !c.is_alphanumeric() && !c.is_whitespace());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_told_apart() {
        let words = words("On 7th May, 2024-05-03年 x12345");
        let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
        assert_eq!(
            texts,
            [
                "On", "7", "th", "May", "2024", "05", "03", "年", "x", "12345"
            ]
        );
        let numbers: Vec<Option<u16>> = words.iter().map(|word| word.number).collect();
        assert_eq!(numbers[1], Some(7));
        assert_eq!(numbers[4..8], [Some(2024), Some(5), Some(3), None]);
        assert_eq!(numbers[9], None);
        let joints: Vec<Option<char>> = words.iter().map(|word| word.joint).collect();
        assert_eq!(joints[4..7], [None, Some('-'), Some('-')]);
    }
}
