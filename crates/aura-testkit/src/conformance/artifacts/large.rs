//! Parts too large for the log.

use aura_core::{
    CallId, LARGE_PART_BYTES, Message, Part, ResultContent, Role, Storage, TenantId, ToolResult,
    Trust, TurnIndex, TurnStatus, TurnWrite, WriteEffect,
};

use crate::conformance::{Case, Chat, at};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("large parts are put back", large_parts_are_put_back),
    ("the limit is exact", the_limit_is_exact),
    (
        "large parts are compared as written",
        large_parts_are_compared_as_written,
    ),
    ("an extension may be large", an_extension_may_be_large),
    (
        "a refused write leaves no artifact",
        a_refused_write_leaves_no_artifact,
    ),
];

fn big(word: &str) -> String {
    word.repeat(LARGE_PART_BYTES / word.len() + 1)
}

fn message(texts: [&str; 3]) -> Message {
    let [a, b, c] = texts;
    Message {
        parts: vec![
            Part::text(a),
            Part::ToolResult(ToolResult {
                call_id: CallId::new("c1").unwrap(),
                tool: None,
                output_schema: None,
                trust: Trust::Untrusted,
                is_error: false,
                content: ResultContent::Text(b.to_owned()),
            }),
            Part::text(c),
        ],
        ..Message::text(Role::Tool, "")
    }
}

fn large_parts_are_put_back(store: &dyn Storage) {
    let chat = Chat::new(store);
    let (x, y) = (big("é\0 "), big("日本"));
    let messages = vec![message(["small", &x, &y]), message([&x, "small", "small"])];
    let write = TurnWrite {
        messages: messages.clone(),
        recorded_at: at(4),
        ..chat.write("t0", &[])
    };
    let recorded = store.record(write).unwrap();
    let read = chat.messages(&[(1, 2)]);
    assert_eq!(read, recorded.appended);
    let records = store.turn_records(&chat.key, TurnIndex(0), 1).unwrap();
    assert_eq!(records[0].messages, read);
    let tenant = TenantId::default();
    for (stored, message) in read.iter().zip(&messages) {
        assert_eq!(stored.message, *message);
        for large in &stored.large_parts {
            let artifact = store.artifact(&tenant, &large.handle).unwrap().unwrap();
            assert_eq!(
                (artifact.handle, artifact.recorded_at),
                (large.handle.clone(), at(4))
            );
            let bytes = store.read_artifact(&tenant, &large.handle).unwrap();
            let text = message.parts[large.part as usize].plain_text().unwrap();
            assert_eq!(bytes, text.as_bytes());
        }
    }
    let places = |at: usize| -> Vec<u32> {
        let parts: &Vec<aura_core::LargePart> = &read[at].large_parts;
        parts.iter().map(|large| large.part).collect()
    };
    assert_eq!((places(0), places(1)), (vec![1, 2], vec![0]));
    assert_eq!(
        read[0].large_parts[0].handle, read[1].large_parts[0].handle,
        "kept once"
    );
}

fn the_limit_is_exact(store: &dyn Storage) {
    let chat = Chat::new(store);
    let at_limit = "x".repeat(LARGE_PART_BYTES);
    let over = "x".repeat(LARGE_PART_BYTES + 1);
    let recorded = chat.record("t0", &[&at_limit, &over]).unwrap();
    assert!(recorded.appended[0].large_parts.is_empty());
    assert_eq!(recorded.appended[1].large_parts.len(), 1);
    assert_eq!(chat.messages(&[(1, 2)]), recorded.appended);
}

fn large_parts_are_compared_as_written(store: &dyn Storage) {
    let chat = Chat::new(store);
    let (x, y) = (big("x"), big("y"));
    chat.record("t0", &[&x]).unwrap();
    assert_eq!(
        chat.record("t0", &[&x]).unwrap().effect,
        WriteEffect::Unchanged
    );
    assert!(chat.record("t0", &[&y]).is_err());
}

fn an_extension_may_be_large(store: &dyn Storage) {
    let chat = Chat::new(store);
    let (x, y) = (big("x"), big("y"));
    chat.open("t0", &["small", &x]).unwrap();
    let more = chat.open("t0", &["small", &x, &y, "small"]).unwrap();
    assert_eq!(more.appended.len(), 2);
    assert_eq!(more.appended[0].message.plain_text(), y);
    assert_eq!(more.appended[0].large_parts.len(), 1);
    let texts: Vec<String> = chat
        .messages(&[(1, 4)])
        .iter()
        .map(|stored| stored.message.plain_text())
        .collect();
    assert_eq!(texts, ["small", &x, &y, "small"]);
}

fn a_refused_write_leaves_no_artifact(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["a"]).unwrap();
    let x = big("x");
    assert!(chat.record("t0", &["a", &x]).is_err());
    assert!(chat.after("nowhere", "t1", &[&x]).is_err());
    // The handle that it would have, told by a session of another tenant.
    let other = Chat {
        key: crate::conformance::key("other", "elsewhere"),
        ..chat.clone()
    };
    let recorded = other
        .with_status("t0", &[&x], TurnStatus::Complete)
        .unwrap();
    let mut handle = recorded.appended[0].large_parts[0].handle.clone();
    handle.tenant = TenantId::default();
    assert_eq!(store.artifact(&handle.tenant, &handle).unwrap(), None);
}
