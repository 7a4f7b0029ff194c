//! Which writing system a character belongs to, as far as splitting text depends on it.

/// How text of a script is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Written with spaces or other separators: UAX #29 finds the words.
    Spaced,
    /// Korean syllables: spaced words that carry particles, so pairs inside them are terms too.
    Hangul,
    /// Chinese characters and Japanese kana: written without spaces, one unit a character.
    Cjk,
    /// Thai, Lao, Khmer, Burmese and their like: written without spaces, one unit a grapheme cluster.
    Unspaced,
}

impl Script {
    /// The script of a character; marks and punctuation shared by scripts count as [`Script::Spaced`].
    pub(super) fn of(c: char) -> Self {
        match u32::from(c) {
            0..=0x0E00 => Self::Spaced,
            0x0E01..=0x0E3A
            | 0x0E40..=0x0E4E
            | 0x0E81..=0x0ECE
            | 0x0EDC..=0x0EDF
            | 0x1000..=0x103F
            | 0x1050..=0x109F
            | 0x1780..=0x17D3
            | 0x17D7
            | 0x17DC
            | 0x1950..=0x19CF
            | 0x1A20..=0x1A7C
            | 0x1B00..=0x1B4C
            | 0xA980..=0xA9C0
            | 0xA9E0..=0xA9EF
            | 0xA9FA..=0xA9FE
            | 0xAA60..=0xAA76
            | 0xAA7A..=0xAADF => Self::Unspaced,
            0x1100..=0x11FF
            | 0x3131..=0x318E
            | 0xA960..=0xA97F
            | 0xAC00..=0xD7FF
            | 0xFFA0..=0xFFDC => Self::Hangul,
            0x3005..=0x3007
            | 0x3021..=0x3029
            | 0x3031..=0x3035
            | 0x3041..=0x309A
            | 0x309D..=0x309F
            | 0x30A1..=0x30FA
            | 0x30FC..=0x312F
            | 0x31A0..=0x31BF
            | 0x31F0..=0x31FF
            | 0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF
            | 0xFF66..=0xFF9F
            | 0x1B000..=0x1B16F
            | 0x20000..=0x3FFFF => Self::Cjk,
            _ => Self::Spaced,
        }
    }

    /// Whether `c` continues a run of this unspaced script, variation selectors and joiners included.
    pub(super) fn continues(self, c: char) -> bool {
        Self::of(c) == self || is_ignorable(c)
    }
}

/// Whether one character says something by itself: Chinese characters do, kana do not.
pub(super) const fn is_ideograph(c: char) -> bool {
    matches!(c as u32, 0x3005 | 0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Characters without a meaning for search: joiners, soft hyphens, variation selectors, direction marks.
pub(super) const fn is_ignorable(c: char) -> bool {
    matches!(
        c as u32,
        0x00AD | 0x034F | 0x061C | 0x180B..=0x180F | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F
            | 0xFE00..=0xFE0F | 0xFEFF | 0xE0000..=0xE0FFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_apart() {
        for (c, script) in [
            ('a', Script::Spaced),
            ('é', Script::Spaced),
            ('ж', Script::Spaced),
            ('ह', Script::Spaced),
            ('א', Script::Spaced),
            ('中', Script::Cjk),
            ('か', Script::Cjk),
            ('カ', Script::Cjk),
            ('ﾊ', Script::Cjk),
            ('ー', Script::Cjk),
            ('、', Script::Spaced),
            ('・', Script::Spaced),
            ('한', Script::Hangul),
            ('ไ', Script::Unspaced),
            ('ລ', Script::Unspaced),
            ('ខ', Script::Unspaced),
            ('မ', Script::Unspaced),
        ] {
            assert_eq!(Script::of(c), script, "{c}");
        }
        assert!(is_ideograph('中') && !is_ideograph('か'));
    }
}
