//! Lines that are understood, and lines that are refused.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Entry {
    Entry::parse(3, text.as_bytes()).unwrap().unwrap()
}

fn refused(text: &str) -> Refusal {
    Entry::parse(3, text.as_bytes()).unwrap_err()
}

#[test]
fn a_whole_line_is_understood() {
    let entry = read(
        r#"{"session_id":"s","message_id":"m1","role":"user","text":"Hi","speaker":"Ana","timestamp":"2024-05-03T10:00:00","turn_id":"t1","mood": {"b":1.0, "a":2}}"#,
    );
    assert_eq!(entry.session_id.as_str(), "s");
    assert_eq!(entry.turn_id.unwrap().as_str(), "t1");
    assert_eq!(entry.message.speaker(), "Ana");
    assert_eq!(entry.message.plain_text(), "Hi");
    assert_eq!(
        entry.message.time.unwrap().to_string(),
        "2024-05-03T10:00:00.000Z"
    );
    assert_eq!(
        entry.message.metadata.unwrap().as_str(),
        r#"{"message_id":"m1","mood":{"b":1.0, "a":2}}"#
    );
}

#[test]
fn null_is_as_good_as_absent() {
    let entry = read(
        r#"{"session_id":"s","message_id":"m","role":"user","text":"Hi","speaker":null,"timestamp":null,"tool_calls":null,"tool_call_id":null,"turn_id":null}"#,
    );
    assert_eq!(
        (entry.message.name, entry.message.time, entry.turn_id),
        (None, None, None)
    );
}

#[test]
fn calls_and_results_become_parts() {
    let call = read(
        r#"{"session_id":"s","message_id":"m","role":"assistant","text":"","tool_calls":[{"id":"c","name":"f","arguments":{}}]}"#,
    );
    assert_eq!(call.message.parts.len(), 1);
    assert_eq!(call.message.calls().count(), 1);
    let result =
        read(r#"{"session_id":"s","message_id":"n","role":"tool","text":"","tool_call_id":"c"}"#);
    assert_eq!(result.message.results().next().unwrap().as_str(), "c");
    for entry in [call, result] {
        entry.message.validate("message").unwrap();
    }
}

#[test]
fn white_space_is_no_line() {
    for text in ["", "  \t", "\r"] {
        assert_eq!(Entry::parse(1, text.as_bytes()), Ok(None));
    }
}

#[test]
fn a_speaker_called_like_the_role_is_no_name() {
    let line = |speaker: &str| {
        format!(
            r#"{{"session_id":"s","message_id":"m","role":"user","text":"Hi","speaker":"{speaker}"}}"#
        )
    };
    assert_eq!(read(&line("user")).message.name, None);
    assert_eq!(read(&line("")).message.name, None);
    assert!(read(&line("assistant")).message.name.is_some());
}

#[test]
fn what_is_wrong_is_named() {
    let long = "x".repeat(257);
    for (text, field) in [
        (r#"{"message_id":"m","role":"user","text":""}"#.to_owned(), "session_id"),
        (r#"{"session_id":"","message_id":"m","role":"user","text":""}"#.to_owned(), "session_id"),
        (r#"{"session_id":7,"message_id":"m","role":"user","text":""}"#.to_owned(), "session_id"),
        (r#"{"session_id":"s","role":"user","text":""}"#.to_owned(), "message_id"),
        (format!(r#"{{"session_id":"s","message_id":"{long}","role":"user","text":""}}"#), "message_id"),
        (r#"{"session_id":"s","message_id":"m","text":""}"#.to_owned(), "role"),
        (r#"{"session_id":"s","message_id":"m","role":"bot","text":""}"#.to_owned(), "role"),
        (r#"{"session_id":"s","message_id":"m","role":"user"}"#.to_owned(), "text"),
        (r#"{"session_id":"s","message_id":"m","role":"user","text":["a"]}"#.to_owned(), "text"),
        (r#"{"session_id":"s","message_id":"m","role":"assistant","tool_calls":[]}"#.to_owned(), "text"),
        (r#"{"session_id":"s","message_id":"m","role":"user","text":"","timestamp":"soon"}"#.to_owned(), "timestamp"),
        (r#"{"session_id":"s","message_id":"m","role":"tool","text":""}"#.to_owned(), "tool_call_id"),
        (r#"{"session_id":"s","message_id":"m","role":"tool","tool_call_id":"c"}"#.to_owned(), "text"),
        (r#"{"session_id":"s","message_id":"m","role":"user","text":"","tool_call_id":"c"}"#.to_owned(), "tool_call_id"),
        (
            r#"{"session_id":"s","message_id":"m","role":"user","text":"","tool_calls":[{"id":"c","name":"f"}]}"#.to_owned(),
            "tool_calls",
        ),
        (r#"{"session_id":"s","message_id":"m\ud83d","role":"user","text":""}"#.to_owned(), "message_id"),
    ] {
        let refusal = refused(&text);
        assert_eq!(refusal.field.as_deref(), Some(field), "{text}: {refusal}");
        assert_eq!(refusal.line, 3);
        assert!(!refusal.reason.contains(field), "{refusal}");
    }
}

#[test]
fn what_is_no_object_is_refused_without_its_text() {
    for text in [
        "[1]",
        "7",
        "\"secret\"",
        "{\"a\":",
        "secret",
        "{} {}",
        "null",
    ] {
        let refusal = refused(text);
        assert_eq!(refusal.field, None, "{text}");
        assert!(!refusal.reason.contains("secret"), "{refusal}");
        assert!(!refusal.reason.contains("line 1"), "{refusal}");
    }
    let twice = refused(r#"{"role":"user","role":"user"}"#);
    assert_eq!(twice.reason, "the field `role` is given twice");
    let bytes = Entry::parse(3, b"{\"text\":\"\xff\"}").unwrap_err();
    assert_eq!(bytes.reason, "is not UTF-8: bad byte at column 10");
}

#[test]
fn lone_surrogates_are_mended_in_text() {
    let entry = read(r#"{"session_id":"s","message_id":"m","role":"user","text":"a\ud83d"}"#);
    assert_eq!(entry.message.plain_text(), "a\u{fffd}");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Entry::parse(1, &bytes);
    }

    #[test]
    fn texts_and_metadata_survive(text in any::<String>(), speaker in any::<String>(), other in any::<String>()) {
        let line = serde_json::json!({
            "session_id": "s", "message_id": "m", "role": "user", "text": text, "speaker": speaker, "other": other,
        });
        let entry = read(&line.to_string());
        prop_assert_eq!(entry.message.plain_text(), text);
        if !speaker.is_empty() && speaker != "user" {
            prop_assert_eq!(entry.message.speaker(), speaker);
        }
        let metadata = entry.message.metadata.unwrap().to_value();
        prop_assert_eq!(metadata["other"].as_str(), Some(other.as_str()));
    }
}
