//! Whom a question is about.

use aura_core::Asked;
use smallvec::SmallVec;

use crate::lexical::documents::Documents;
use crate::lexical::ranges::Ranges;
use crate::lexical::speakers::Speakers;

/// Whose messages a question points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// Nobody's in particular.
    Anyone,
    /// Those of one speaker.
    Speaker(u16),
    /// The user's, whoever that is.
    User,
}

/// What a question says of speakers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// Whose messages it points at.
    pub(crate) about: About,
    /// Terms that are speakers' names. Names stand everywhere in a chat ("Thanks, Ana!"), and least where their bearer
    /// speaks, so they are not searched for.
    pub(crate) names: SmallVec<[u32; 4]>,
}

impl Named {
    /// No speaker.
    pub(crate) fn nobody() -> Self {
        Self {
            about: About::Anyone,
            names: SmallVec::new(),
        }
    }

    /// Reads the terms of a question, by their numbers where the index has them.
    ///
    /// Only speakers of visible messages count. A name is searched for after all where the question has nothing else.
    pub(crate) fn of(
        speakers: &Speakers,
        documents: &Documents,
        visible: &Ranges,
        terms: &[Option<u32>],
        asked: &Asked,
    ) -> Self {
        let mut named: SmallVec<[u16; 4]> = SmallVec::new();
        let mut names: SmallVec<[u32; 4]> = SmallVec::new();
        for &term in terms.iter().flatten() {
            let called = speakers.called(term).iter().copied();
            let mut called =
                called.filter(|&speaker| speaks(speakers, documents, visible, speaker));
            let Some(speaker) = called.next() else {
                continue;
            };
            names.push(term);
            // A family name says little of who of the family is meant.
            if called.next().is_none() && !named.contains(&speaker) {
                named.push(speaker);
            }
        }
        if names.len() == terms.len() {
            names.clear();
        }
        let about = match named.as_slice() {
            [] if asked.first_person => About::User,
            [speaker] => About::Speaker(*speaker),
            _ => About::Anyone,
        };
        Self { about, names }
    }
}

/// Whether a speaker has a visible message.
fn speaks(speakers: &Speakers, documents: &Documents, visible: &Ranges, speaker: u16) -> bool {
    let Some(known) = speakers.all().get(usize::from(speaker)) else {
        return false;
    };
    // Nearly always the first message shows it already.
    visible.contains(known.first)
        || visible
            .as_slice()
            .iter()
            .cloned()
            .flatten()
            .any(|document| {
                let traits = documents.traits(document);
                traits.is_some_and(|traits| traits.speaker == speaker)
            })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::documents::Document;
    use aura_core::MessageTraits;

    fn chat() -> (Speakers, Documents) {
        let (mut speakers, mut documents) = (Speakers::default(), Documents::default());
        for (n, (name, terms)) in [
            ("ana lima", [1, 2]),
            ("rui lima", [3, 2]),
            ("eva", [4, 4]),
            ("ana lima", [1, 2]),
        ]
        .into_iter()
        .enumerate()
        {
            let speaker = speakers.note(name, &terms, n as u32);
            documents.push(Document {
                event: n as u64,
                turn: 0,
                tokens: 1,
                time: 0,
                length: 1,
                speaker,
                traits: MessageTraits::default(),
            });
        }
        (speakers, documents)
    }

    fn visible(documents: std::ops::Range<u32>) -> Ranges {
        let mut visible = Ranges::default();
        visible.insert(documents);
        visible
    }

    #[test]
    fn one_speaker_named_is_whom_it_is_about() {
        let (speakers, documents) = chat();
        let of = |terms: &[Option<u32>], seen, first_person| {
            let asked = Asked {
                first_person,
                ..Asked::default()
            };
            Named::of(&speakers, &documents, &visible(seen), terms, &asked)
        };
        let named = of(&[Some(1), Some(9), None], 0..4, false);
        assert_eq!(
            (named.about, named.names.as_slice()),
            (About::Speaker(0), &[1][..])
        );
        assert_eq!(
            of(&[Some(1), Some(2), None], 0..4, false).about,
            About::Speaker(0)
        );
        // Two of them, or a name they share, or one who has not spoken here.
        assert_eq!(
            of(&[Some(1), Some(3), None], 0..4, true).about,
            About::Anyone
        );
        let shared = of(&[Some(2), None], 0..4, false);
        assert_eq!(
            (shared.about, shared.names.as_slice()),
            (About::Anyone, &[2][..])
        );
        assert_eq!(of(&[Some(3), None], 2..4, false).about, About::Anyone);
        // The second message of somebody whose first is not visible.
        assert_eq!(of(&[Some(2), None], 2..4, false).about, About::Speaker(0));
        assert_eq!(of(&[Some(9)], 0..4, true).about, About::User);
        // Nothing but names: they are searched for.
        assert!(of(&[Some(1), Some(2)], 0..4, false).names.is_empty());
    }
}
