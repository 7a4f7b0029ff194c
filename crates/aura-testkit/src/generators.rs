//! Random values for property tests: texts of every script, messages of every shape.

use aura_core::{
    ArtifactHandle, CallId, Digest, HANDLE_DIGITS, LARGE_PART_BYTES, Media, MediaSource, Message,
    NativeForm, Opaque, Part, RawJson, ResultContent, Role, TenantId, Timestamp, ToolCall,
    ToolResult, Trust,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Texts that break careless code: scripts, directions, combining marks, emoji sequences, NUL, quotes, escapes.
pub const AWKWARD_TEXTS: [&str; 14] = [
    "",
    "\0",
    "nul\0 inside",
    "Zażółć gęślą jaźń; Größe; İstanbul",
    "今日は良い天気です。明日も晴れるでしょう",
    "안녕하세요 세계",
    "مرحبا بالعالم ١٢٣",
    "שלום עולם",
    "नमस्ते दुनिया",
    "👩‍👩‍👧‍👦🇳🇴👍🏽 e\u{301}\u{323}",
    "\u{feff}\u{200b}\u{202e}reversed\u{202c}\u{fffd}\u{10ffff}",
    "\"quoted\" \\back\\slashed\\ '; DROP TABLE log; --",
    "line\r\nbreak\ttab\u{b}\u{1b}[31m",
    "\u{2028}\u{2029}\u{85}\u{7f}",
];

/// JSON texts whose bytes a careless store would change.
pub const AWKWARD_JSON: [&str; 8] = [
    "{}",
    "[ ]",
    "{ \"b\" : 1.0,  \"a\":1e400, \"a\": -0 }",
    "\"\\u0000\\ud83d\\ude00\\/\"",
    "\"lone \\ud83d surrogate\"",
    "123456789012345678901234567890.000",
    "{\"nested\":[[[{\"x\":null}]]],\"\\u006bey\":\"é\"}",
    "null",
];

/// Any text of up to some dozens of characters, awkward ones often.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,9}( [a-z]{1,9}){0,11}",
        2 => proptest::sample::select(&AWKWARD_TEXTS[..]).prop_map(str::to_owned),
        1 => vec(any::<char>(), 0..24).prop_map(String::from_iter),
    ]
}

/// A text that cannot be empty and is short enough for an identifier.
pub fn id_text() -> impl Strategy<Value = String> {
    text().prop_map(|text| {
        let mut id: String = text.chars().take(60).collect();
        if id.is_empty() {
            id.push('x');
        }
        id
    })
}

/// A JSON value with its own bytes.
pub fn raw_json() -> impl Strategy<Value = RawJson> {
    let awkward = proptest::sample::select(&AWKWARD_JSON[..]).prop_map(raw);
    let object = (text(), text()).prop_map(|(key, value)| {
        let json = aura_core::json::to_string(&[(key, value)]).unwrap_or_default();
        raw(&json)
    });
    prop_oneof![awkward, object]
}

/// JSON as it is, lone surrogates too; `null` where it is none.
fn raw(json: &str) -> RawJson {
    serde_json::from_str(json).unwrap_or_else(|_| raw("null"))
}

/// A text over the size at which parts leave the log.
pub fn large_text() -> impl Strategy<Value = String> {
    (text(), 1..3_usize).prop_map(|(seed, times)| {
        let seed = if seed.is_empty() { "large" } else { &seed };
        seed.repeat(times * LARGE_PART_BYTES / seed.len() + 1)
    })
}

/// A part that an assistant's message may hold; one in twenty is large.
pub fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        12 => text().prop_map(Part::text),
        1 => large_text().prop_map(Part::text),
        3 => tool_call(),
        2 => media(),
        1 => (id_text(), raw_json())
            .prop_map(|(provider, json)| Part::Opaque(Opaque { provider, json })),
        1 => handle().prop_map(|handle| Part::TextArtifact { handle }),
    ]
}

fn call_id() -> impl Strategy<Value = CallId> {
    id_text().prop_filter_map("an id", |id| CallId::new(id).ok())
}

fn tool_call() -> impl Strategy<Value = Part> {
    (call_id(), id_text(), raw_json()).prop_map(|(call_id, name, arguments)| {
        Part::ToolCall(ToolCall {
            call_id,
            name,
            arguments,
        })
    })
}

fn media() -> impl Strategy<Value = Part> {
    let source = prop_oneof![
        text().prop_map(MediaSource::Uri),
        handle().prop_map(MediaSource::Artifact),
    ];
    (text(), source).prop_map(|(mime, source)| Part::Media(Media { mime, source }))
}

/// A tool result.
pub fn tool_result() -> impl Strategy<Value = Part> {
    let content = prop_oneof![
        6 => text().prop_map(ResultContent::Text),
        1 => large_text().prop_map(ResultContent::Text),
        1 => handle().prop_map(ResultContent::Artifact),
    ];
    let trust = proptest::sample::select(vec![Trust::Untrusted, Trust::Verified]);
    let names = (option::of(text()), option::of(text()));
    (call_id(), names, trust, any::<bool>(), content).prop_map(
        |(call_id, (tool, output_schema), trust, is_error, content)| {
            Part::ToolResult(ToolResult {
                call_id,
                tool,
                output_schema,
                trust,
                is_error,
                content,
            })
        },
    )
}

/// A well-formed handle, of an artifact that need not exist.
pub fn handle() -> impl Strategy<Value = ArtifactHandle> {
    (id_text(), id_text(), 1..100_u32).prop_filter_map("an id", |(tenant, name, version)| {
        Some(ArtifactHandle {
            tenant: TenantId::new(tenant).ok()?,
            digest: Digest::of(name.as_bytes()).prefix(HANDLE_DIGITS),
            name,
            version,
        })
    })
}

/// A valid message of any role and shape.
pub fn message() -> impl Strategy<Value = Message> {
    let spoken = |role| vec(text().prop_map(Part::text), 1..3).prop_map(move |p| (role, p));
    let shape = prop_oneof![
        4 => spoken(Role::User),
        1 => spoken(Role::System),
        4 => vec(part(), 1..4).prop_map(|parts| (Role::Assistant, parts)),
        2 => vec(tool_result(), 1..3).prop_map(|parts| (Role::Tool, parts)),
    ];
    let time = (Timestamp::MIN.as_millis()..=Timestamp::MAX.as_millis())
        .prop_map(Timestamp::from_millis_clamped);
    let native = (id_text(), raw_json()).prop_map(|(format, json)| NativeForm { format, json });
    let metadata = (text(), text()).prop_map(|(key, value)| {
        let map = std::collections::BTreeMap::from([(key, value)]);
        raw(&aura_core::json::to_string(&map).unwrap_or_default())
    });
    let beside = (
        option::of(text()),
        option::of(time),
        option::weighted(0.2, native),
        option::weighted(0.2, metadata),
    );
    (shape, beside).prop_map(|((role, parts), (name, time, native, metadata))| Message {
        role,
        name,
        time,
        parts,
        native,
        metadata,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest! {
        #[test]
        fn messages_are_valid_and_survive_json(message in message()) {
            message.validate("message").unwrap();
            let json = serde_json::to_string(&message).unwrap();
            prop_assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message);
        }
    }

    #[test]
    fn awkward_json_is_json() {
        for json in AWKWARD_JSON {
            assert_eq!(raw(json).as_str(), json);
        }
    }
}
