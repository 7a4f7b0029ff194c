//! Whether two messages say nearly the same.

use aura_core::{Part, StoredMessage};

/// Whether two messages of one speaker have the same words, whatever their case, spacing and ASCII punctuation.
///
/// One differing letter tells them apart: "I live in Oslo" and "I live in Rome" are no duplicates.
pub(super) fn alike(a: &StoredMessage, b: &StoredMessage) -> bool {
    a.message.speaker() == b.message.speaker() && letters(a).eq(letters(b))
}

/// Letters that a glimpse takes in.
const GLIMPSE: u32 = 12;

/// What alike messages have in common, to tell most others apart at a glance: their first letters, up to the first that
/// is not of ASCII.
pub(super) fn glimpse(stored: &StoredMessage) -> u64 {
    glimpse_of(stored.message.parts.iter().filter_map(Part::plain_text))
}

/// The glimpse of texts one after the other.
pub(super) fn glimpse_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    let (mut sum, mut letters) = (0xcbf2_9ce4_8422_2325_u64, 0);
    for text in texts {
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() {
                let letter = u64::from(byte.to_ascii_lowercase());
                sum = (sum ^ letter).wrapping_mul(0x0100_0000_01b3);
                letters += 1;
            }
            if letters == GLIMPSE || !byte.is_ascii() {
                return sum;
            }
        }
    }
    sum
}

/// Whether a message says what a text says.
pub(super) fn says(stored: &StoredMessage, text: &str) -> bool {
    letters(stored).eq(bare(text))
}

fn letters(stored: &StoredMessage) -> impl Iterator<Item = char> + '_ {
    let texts = stored.message.parts.iter().filter_map(Part::plain_text);
    texts.flat_map(bare)
}

fn bare(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|c| !c.is_whitespace() && !c.is_ascii_punctuation() && !c.is_ascii_control())
        .flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use aura_core::{EventId, Message, Timestamp, TurnIndex};

    use super::*;

    fn stored(text: &str) -> StoredMessage {
        StoredMessage {
            event_id: EventId(1),
            turn: TurnIndex(0),
            recorded_at: Timestamp::from_millis_clamped(0),
            message: Message::user(text),
            large_parts: Vec::new(),
        }
    }

    #[test]
    fn likeness_ignores_form_and_not_content() {
        assert!(alike(
            &stored("I live in Oslo."),
            &stored("i live  in OSLO")
        ));
        assert!(!alike(&stored("I live in Oslo"), &stored("I live in Rome")));
        assert_eq!(
            glimpse(&stored("I live in Oslo.")),
            glimpse(&stored("i live  in OSLO"))
        );
        let mut other = stored("Yes");
        other.message.name = Some("Ana".into());
        assert!(!alike(&stored("Yes"), &other));
        assert!(says(&stored("Why?"), "why"));
    }
}
