//! Whether two messages say nearly the same.

use aura_core::{Part, StoredMessage};

/// Whether two messages of one speaker have the same words, whatever their case, spacing and ASCII punctuation.
///
/// One differing letter tells them apart: "I live in Oslo" and "I live in Rome" are no duplicates.
pub(super) fn alike(a: &StoredMessage, b: &StoredMessage) -> bool {
    a.message.speaker() == b.message.speaker() && letters(a).eq(letters(b))
}

/// What alike messages have in common, to tell most others apart at a glance: their first letters and the speaker's.
pub(super) fn glimpse(stored: &StoredMessage) -> u64 {
    let speaker = stored.message.speaker().bytes().map(u64::from);
    let first = letters(stored).take(12).map(u64::from);
    let mix = |sum: u64, unit: u64| (sum ^ unit).wrapping_mul(0x0100_0000_01b3);
    first.chain(speaker).fold(0xcbf2_9ce4_8422_2325, mix)
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
        .filter(|c| !c.is_whitespace() && !c.is_ascii_punctuation())
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
