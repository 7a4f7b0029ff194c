//! Every byte of every text survives.

use aura_core::{Message, NativeForm, RawJson, Storage, TurnWrite, UserId, WriteEffect};
use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRunner};

use super::{Case, Chat, turn_id};
use crate::generators::{self, AWKWARD_JSON, AWKWARD_TEXTS};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("awkward texts survive", awkward_texts_survive),
    ("awkward ids survive", awkward_ids_survive),
    (
        "raw JSON survives byte for byte",
        raw_json_survives_byte_for_byte,
    ),
    ("random messages survive", random_messages_survive),
];

fn awkward_texts_survive(store: &dyn Storage) {
    let chat = Chat::new(store);
    let named = |text: &&str| Message::assistant(*text).with_name(*text);
    let messages: Vec<Message> = AWKWARD_TEXTS.iter().map(named).collect();
    check(&chat, "t0", &messages);
}

fn awkward_ids_survive(store: &dyn Storage) {
    for text in AWKWARD_TEXTS.iter().filter(|text| !text.is_empty()) {
        let chat = Chat {
            user: Some(UserId::new(text).unwrap()),
            ..Chat::named(store, text)
        };
        chat.record(text, &["x"]).unwrap();
        chat.record("018f2a3b-7c4d-7e5f-8a9b-0c1d2e3f4a5b", &["x"])
            .unwrap();
        chat.record("018F2A3B-7C4D-7E5F-8A9B-0C1D2E3F4A5B", &["x"])
            .unwrap();
        let session = chat.session();
        assert_eq!(session.session_id.as_str(), *text);
        assert_eq!(session.user.as_ref().unwrap().as_str(), *text);
        let turn = store.turn(&chat.key, &turn_id(text)).unwrap().unwrap();
        assert_eq!((turn.turn_id.as_str(), turn.index.0), (*text, 0));
        assert_eq!(session.turns, 3);
    }
}

fn raw_json_survives_byte_for_byte(store: &dyn Storage) {
    let chat = Chat::new(store);
    let message = |json: &&str| {
        let raw: RawJson = serde_json::from_str(json).unwrap();
        Message {
            native: Some(NativeForm {
                format: "openai".to_owned(),
                json: raw,
            }),
            ..Message::user("x")
        }
    };
    let messages: Vec<Message> = AWKWARD_JSON.iter().map(message).collect();
    check(&chat, "t0", &messages);
    for (stored, json) in chat.messages(&[(1, 99)]).iter().zip(AWKWARD_JSON) {
        assert_eq!(stored.message.native.as_ref().unwrap().json.as_str(), json);
    }
}

fn random_messages_survive(store: &dyn Storage) {
    let chat = Chat::new(store);
    let mut runner = TestRunner::new(Config::default());
    for n in 0..64 {
        let messages = vec(generators::message(), 1..5).new_tree(&mut runner);
        check(&chat, &format!("t{n}"), &messages.unwrap().current());
    }
}

fn check(chat: &Chat<'_>, turn: &str, messages: &[Message]) {
    let write = TurnWrite {
        messages: messages.to_vec(),
        ..chat.write(turn, &[])
    };
    let recorded = chat.store.record(write.clone()).unwrap();
    let stored = chat
        .store
        .messages(&chat.key, &recorded.turn.events)
        .unwrap();
    let read: Vec<&Message> = stored.iter().map(|stored| &stored.message).collect();
    assert_eq!(read, messages.iter().collect::<Vec<_>>());
    assert_eq!(stored, recorded.appended);
    let again = chat.store.record(write).unwrap();
    assert_eq!(again.effect, WriteEffect::Unchanged);
}
