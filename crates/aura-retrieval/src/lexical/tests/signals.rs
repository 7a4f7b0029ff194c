//! What ranks beside the words: who speaks, when, what is asked, related words.

use aura_core::{
    AnalyzedMessage, EventId, EventRange, LexicalBackend, LexicalHit, LexicalIndex, LexicalMessage,
    LexicalRequest, RankingWeights, Role, Timestamp, TurnIndex,
};

use super::corpus::everything;
use crate::{Bm25Backend, SessionIndex};

const GAP: i64 = 6 * 60 * 60 * 1_000;

/// Far enough apart that no message is near another.
const FAR: u64 = 20;

struct Chat {
    backend: Bm25Backend,
    index: SessionIndex,
}

impl Chat {
    /// A chat of named people; messages are `FAR` events of small talk apart and a day each.
    fn of(messages: &[(&str, &str, &str)]) -> Self {
        let backend = Bm25Backend::default();
        let mut chat = Self {
            index: backend.new_index(),
            backend,
        };
        for (number, &(speaker, time, text)) in (0..).zip(messages) {
            chat.say(number * FAR + 1, speaker, time, text);
            for filler in 2..=FAR {
                chat.say(number * FAR + filler, "Zoe", time, "Well, well.");
            }
        }
        chat
    }

    fn say(&mut self, event: u64, speaker: &str, time: &str, text: &str) {
        let mut analyzed = AnalyzedMessage::default();
        let role = if speaker == "user" {
            Role::User
        } else {
            Role::Assistant
        };
        let message = LexicalMessage {
            event_id: EventId(event),
            turn: TurnIndex(event as u32),
            role,
            speaker,
            text,
            tokens: 20,
            time: Timestamp::parse_lenient(time).ok(),
        };
        self.backend.analyze(&message, &mut analyzed);
        self.index.append(&analyzed).unwrap();
    }

    fn ask_with(
        &self,
        question: &str,
        weights: RankingWeights,
        visible: &[EventRange],
    ) -> Vec<LexicalHit> {
        let found = self.index.search(&LexicalRequest {
            query: &self.backend.query(question),
            visible,
            limit: 200,
            room: None,
            corpus: None,
            neighbours: Some(GAP),
            weights,
            dense: None,
            reader: None,
        });
        found.hits
    }

    fn ask(&self, question: &str) -> Vec<LexicalHit> {
        self.ask_with(question, RankingWeights::default(), &everything())
    }

    /// The number of the message that comes first.
    fn best(&self, question: &str) -> u64 {
        (self.ask(question)[0].event_id.0 - 1) / FAR
    }
}

#[test]
fn the_speaker_asked_about_comes_first() {
    let chat = Chat::of(&[
        ("Ana", "2023-05-01", "The pottery class was fun."),
        ("Rui", "2023-05-02", "The pottery class was fun."),
    ]);
    assert_eq!(chat.best("What did Ana think of the pottery class?"), 0);
    assert_eq!(chat.best("What did Rui think of the pottery class?"), 1);
    let hit = chat.ask("What did Rui think of the pottery class?")[0];
    assert_eq!(hit.signals.speaker, RankingWeights::default().speaker);
    // With both named, or neither, nobody is preferred.
    for question in [
        "What did Ana and Rui think of the pottery?",
        "What of the pottery?",
    ] {
        assert!(
            chat.ask(question)
                .iter()
                .all(|hit| hit.signals.speaker == 0.0)
        );
    }
    // The bearer of a name that stands in the text does not speak there.
    let chat = Chat::of(&[
        ("Rui", "2023-05-01", "Ana, Ana, how was the class, Ana?"),
        ("Ana", "2023-05-02", "I took the pottery class."),
    ]);
    assert_eq!(chat.best("Which class did Ana take?"), 1);
    assert!(chat.ask("Ana").iter().any(|hit| hit.bm25 > 0.0));
}

#[test]
fn speakers_that_cannot_be_seen_do_not_count() {
    let chat = Chat::of(&[
        ("Ana", "2023-05-01", "The pottery class was fun."),
        ("Rui", "2023-05-02", "I drove to Ana by car."),
    ]);
    let second = [EventRange::new(EventId(FAR + 1), EventId(u64::MAX))];
    let mut without = Chat::of(&[]);
    without.say(FAR + 1, "Rui", "2023-05-02", "I drove to Ana by car.");
    for filler in 2..=FAR {
        without.say(FAR + filler, "Zoe", "2023-05-02", "Well, well.");
    }
    let question = "Did Ana see the car?";
    let weights = RankingWeights::default();
    assert_eq!(
        chat.ask_with(question, weights, &second),
        without.ask(question)
    );
}

#[test]
fn a_question_in_the_first_person_is_about_the_user() {
    let chat = Chat::of(&[
        (
            "assistant",
            "2023-05-01",
            "Your deadline for the garden plan is Friday.",
        ),
        (
            "user",
            "2023-05-02",
            "My deadline for the garden plan is Monday.",
        ),
    ]);
    assert_eq!(chat.best("When is my deadline for the garden plan?"), 1);
    assert!(
        chat.ask("When is the deadline?")
            .iter()
            .all(|hit| hit.signals.speaker == 0.0)
    );
}

#[test]
fn dates_are_matched_with_when_it_was_said() {
    let chat = Chat::of(&[
        ("Ana", "2023-04-11", "I went to the lake with friends."),
        ("Ana", "2023-05-20", "I went to the lake with friends."),
        ("Ana", "2023-06-02", "I went to the lake with friends."),
    ]);
    assert_eq!(chat.best("Where did Ana go in May?"), 1);
    assert_eq!(
        chat.best("Where did Ana go with friends on 2 June 2023?"),
        2
    );
    assert_eq!(chat.best("With whom was Ana at the lake on 2023-04-11?"), 0);
    let found = chat.ask("What did Ana do in April 2023?");
    assert!(
        found[0].relevance > 0.1 && found[0].event_id == EventId(1),
        "{:?}",
        found[0]
    );
    // Where nothing was said at that time, nothing is relevant.
    assert!(
        chat.ask("What did Ana do in 2019?")
            .iter()
            .all(|hit| hit.relevance == 0.0)
    );
}

#[test]
fn what_says_when_answers_when() {
    let chat = Chat::of(&[
        ("Ana", "2023-04-11", "The bike was repaired by Tom."),
        ("Ana", "2023-05-20", "The bike was repaired yesterday."),
        ("Ana", "2023-06-20", "The bike was repaired cheaply?"),
    ]);
    assert_eq!(chat.best("When was the bike repaired?"), 1);
    let hits = chat.ask("By whom was the bike repaired?");
    assert!(hits.iter().all(|hit| hit.signals.when == 0.0));
    let asking = hits
        .iter()
        .find(|hit| hit.event_id == EventId(2 * FAR + 1))
        .unwrap();
    assert_eq!(asking.signals.question, -RankingWeights::default().question);
}

#[test]
fn related_words_bring_up_what_the_same_words_do_not() {
    let chat = Chat::of(&[
        (
            "Ana",
            "2023-04-11",
            "The puppy ate my shoes, we named her Lola.",
        ),
        ("Ana", "2023-05-20", "We named the new street after a poet."),
    ]);
    let question = "How is the dog named?";
    assert_eq!(chat.best(question), 0);
    let without = RankingWeights {
        related: 0.0,
        ..RankingWeights::default()
    };
    let hits = chat.ask_with(question, without, &everything());
    assert!(hits[0].rank_score > 0.0);
    // Related words alone are no reason to recall anything.
    assert!(
        chat.ask("Which dog?")
            .iter()
            .all(|hit| hit.relevance == 0.0)
    );
}

#[test]
fn removal_takes_names_along() {
    let mut chat = Chat::of(&[
        ("Ana", "2023-04-11", "We have a cat."),
        ("Rui", "2023-05-20", "We have a cat."),
    ]);
    assert!(chat.ask("What of Ana's cat?")[0].signals.speaker > 0.0);
    chat.index.remove(EventRange::new(EventId(1), EventId(1)));
    assert!(
        chat.ask("What of Ana's cat?")
            .iter()
            .all(|hit| hit.signals.speaker == 0.0)
    );
    assert!(
        chat.index
            .speakers
            .all()
            .iter()
            .all(|speaker| speaker.name != "ana")
    );
}

#[test]
fn segments_keep_speakers_and_traits() {
    let chat = Chat::of(&[
        ("Ana", "2023-04-11", "The pottery class was fun yesterday."),
        ("Rui", "2023-05-20", "Was the pottery class fun?"),
    ]);
    let segments = [(0, FAR + 3), (FAR + 4, u64::MAX)].map(|(first, last)| {
        let mut bytes = Vec::new();
        let events = EventRange::new(EventId(first), EventId(last));
        chat.index.write_segment(events, &mut bytes);
        bytes
    });
    let [one, two] = segments.each_ref().map(Vec::as_slice);
    for steps in [vec![vec![one], vec![two]], vec![vec![one, two]]] {
        let mut restored = Chat::of(&[]);
        for step in steps {
            restored.index.append_segments(&step).unwrap();
        }
        for question in [
            "When was Ana's pottery class?",
            "What did Rui do in May?",
            "What class?",
        ] {
            assert_eq!(restored.ask(question), chat.ask(question), "{question}");
        }
    }
}

#[test]
fn nothing_is_relevant_where_the_best_says_too_little() {
    let chat = Chat::of(&[
        ("Ana", "2023-05-01", "The water in the lake was cold."),
        ("Rui", "2023-05-02", "I cooked soup."),
    ]);
    let gate = |min_best| RankingWeights {
        min_best,
        ..RankingWeights::default()
    };
    let best = |question, weights| {
        let hits = chat.ask_with(question, weights, &everything());
        hits.iter().map(|hit| hit.relevance).fold(0.0, f32::max)
    };
    let far = "What is the boiling point of water under pressure in engines?";
    let some = best(far, gate(0.0));
    assert!(some > 0.0);
    assert_eq!(best(far, gate(some)), some);
    assert_eq!(best(far, gate(some + 0.01)), 0.0);
    assert!(best("Was the water of the lake cold?", gate(some + 0.01)) > some);
    // Most pairs of such a question match nothing, so less is asked for.
    let chat = Chat::of(&[("小明", "2023-05-01", "我在湖边喝了水。")]);
    let best = |min_best| {
        let hits = chat.ask_with("湖边的水好喝吗", gate(min_best), &everything());
        hits.iter().map(|hit| hit.relevance).fold(0.0, f32::max)
    };
    let some = best(0.0);
    assert!(some > 0.0 && some < 1.0, "{some}");
    assert_eq!(best((some * 2.0).min(1.0)), some);
}
