//! Folding: the spelling differences a search should not see.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::language::Language;
use super::script::is_ignorable;

/// Appends `word` in lower case with compatibility forms (full-width letters, half-width kana, ligatures) made plain.
///
/// Diacritics stay, because stemmers need them; [`strip_marks`] removes them afterwards.
pub(super) fn fold_case(word: &str, language: Language, out: &mut String) {
    for c in word.nfkc() {
        match c {
            _ if is_ignorable(c) => {}
            'I' if matches!(language, Language::Turkish) => out.push('ı'),
            'İ' => out.push('i'),
            'ß' | 'ẞ' => out.push_str("ss"),
            'ς' => out.push('σ'),
            _ => match decimal(c) {
                Some(digit) => out.push(digit),
                None if c.is_alphanumeric() || is_combining_mark(c) => {
                    out.extend(c.to_lowercase().map(|l| if l == 'ς' { 'σ' } else { l }));
                }
                None => {}
            },
        }
    }
}

/// Appends `word`, as left by [`fold_case`], without the marks that writers leave out: accents of Latin and Greek letters,
/// stress marks of Cyrillic ones, points of Hebrew and Arabic. Marks that are vowels or letters of their script
/// (Devanagari, Thai, kana, Cyrillic й) stay.
pub(super) fn strip_marks(word: &str, out: &mut String) {
    let mut base_takes_marks = false;
    for c in word.chars() {
        match u32::from(c) {
            0..=0x7F => {
                base_takes_marks = true;
                out.push(c);
            }
            0x80..=0x24F | 0x1E00..=0x1EFF | 0x370..=0x3FF | 0x1F00..=0x1FFF => {
                base_takes_marks = true;
                plain_letter(c, out);
            }
            0x300..=0x36F => {
                if !base_takes_marks {
                    out.push(c);
                }
            }
            0x400..=0x52F => {
                base_takes_marks = true;
                out.push(if c == 'ё' { 'е' } else { c });
            }
            // Hebrew points and cantillation, Arabic vowel signs, tatweel.
            0x591..=0x5BD | 0x5BF | 0x5C1 | 0x5C2 | 0x5C4 | 0x5C5 | 0x5C7 => {}
            0x610..=0x61A | 0x640 | 0x64B..=0x65F | 0x670 | 0x6D6..=0x6DC => {}
            0x622 | 0x623 | 0x625 | 0x671 => out.push('ا'),
            0x649 | 0x6CC => out.push('ي'),
            0x629 => out.push('ه'),
            0x6A9 => out.push('ك'),
            _ => {
                base_takes_marks = false;
                out.push(c);
            }
        }
    }
}

/// Whether [`strip_marks`] can change the word.
pub(super) fn has_marks(word: &str) -> bool {
    !word.is_ascii()
}

/// A Latin or Greek letter without its marks.
fn plain_letter(c: char, out: &mut String) {
    match c {
        'ø' => out.push('o'),
        'đ' | 'ð' => out.push('d'),
        'ł' => out.push('l'),
        'ħ' => out.push('h'),
        'ŧ' => out.push('t'),
        'ı' => out.push('i'),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        _ => decompose_canonical(c, |d| {
            if !is_combining_mark(d) {
                out.push(d);
            }
        }),
    }
}

/// The ASCII digit of a decimal digit of another script.
fn decimal(c: char) -> Option<char> {
    let code = u32::from(c);
    let zero = match code {
        0x660..=0x669 => 0x660,
        0x6F0..=0x6F9 => 0x6F0,
        0x966..=0x96F => 0x966,
        0x9E6..=0x9EF => 0x9E6,
        0xA66..=0xA6F => 0xA66,
        0xAE6..=0xAEF => 0xAE6,
        0xBE6..=0xBEF => 0xBE6,
        0xC66..=0xC6F => 0xC66,
        0xCE6..=0xCEF => 0xCE6,
        0xD66..=0xD6F => 0xD66,
        0xE50..=0xE59 => 0xE50,
        0xED0..=0xED9 => 0xED0,
        0x1040..=0x1049 => 0x1040,
        0x17E0..=0x17E9 => 0x17E0,
        _ => return None,
    };
    char::from_digit(code - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let (mut lower, mut plain) = (String::new(), String::new());
        fold_case(word, Language::English, &mut lower);
        strip_marks(&lower, &mut plain);
        plain
    }

    #[test]
    fn spelling_differences_disappear() {
        for (from, to) in [
            ("Café", "cafe"),
            ("CAFE\u{301}", "cafe"),
            ("Ｍｉｓｏ７", "miso7"),
            ("ﬁnal", "final"),
            ("Straße", "strasse"),
            ("Łódź", "lodz"),
            ("Ærø", "aero"),
            ("İstanbul", "istanbul"),
            ("Ὀδυσσεύς", "οδυσσευσ"),
            ("Τρίτη", "τριτη"),
            ("Ёлка", "елка"),
            ("Đặng", "dang"),
            ("مُحَمَّد", "محمد"),
            ("أحمد", "احمد"),
            ("שָׁלוֹם", "שלום"),
            ("٢٠٢٤", "2024"),
            ("ﾊﾟﾝ", "パン"),
            ("co\u{ad}operate", "cooperate"),
        ] {
            assert_eq!(folded(from), to, "{from}");
        }
    }

    #[test]
    fn marks_that_carry_the_word_stay() {
        for word in ["हिन्दी", "ไปเที่ยว", "が", "йога", "їжак", "தமிழ்", "한국어"]
        {
            assert_eq!(folded(word), word.nfkc().collect::<String>(), "{word}");
        }
    }
}
