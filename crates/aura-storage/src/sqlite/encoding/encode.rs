//! Messages to bytes.

use aura_core::{
    EventId, EventRange, MediaSource, Message, Part, Result, ResultContent, Role, ToolResult, Trust,
};

use super::{Body, VERSION, flag, tag};
use crate::large::{self, Large};

/// Messages in the form of the log, and what of them is kept outside.
#[derive(Debug)]
pub(in crate::sqlite) struct Encoded {
    bytes: Vec<u8>,
    /// Where each message begins in `bytes`.
    starts: Vec<usize>,
    /// The large parts of each message.
    large: Vec<Vec<Large>>,
}

impl Encoded {
    /// Encodes messages.
    pub(in crate::sqlite) fn new(messages: &[Message]) -> Self {
        let mut encoded = Self {
            bytes: Vec::with_capacity(messages.len() * 512),
            starts: Vec::with_capacity(messages.len()),
            large: Vec::with_capacity(messages.len()),
        };
        encoded.bytes.push(VERSION);
        let mut scratch = Vec::with_capacity(512);
        for message in messages {
            let large = large::find(message);
            scratch.clear();
            put_message(&mut scratch, message, &large);
            encoded.starts.push(encoded.bytes.len());
            put_bytes(&mut encoded.bytes, &scratch);
            encoded.large.push(large);
        }
        encoded
    }

    /// Whether something of the messages is kept outside the log.
    pub(in crate::sqlite) fn has_large(&self) -> bool {
        self.large.iter().any(|large| !large.is_empty())
    }

    /// The body that holds the messages from the place `from` on, and the large parts of all of them.
    pub(in crate::sqlite) fn split(self, from: usize) -> (Vec<u8>, Vec<Vec<Large>>) {
        let mut bytes = self.bytes;
        if let Some(start) = self.starts.get(from)
            && *start > 1
        {
            bytes.drain(1..*start);
        }
        (bytes, self.large)
    }
}

/// A body, whose first message is that of event `first`, without the messages of a range.
///
/// # Errors
/// `Corrupt`, when it is no body.
pub(in crate::sqlite) fn without(
    bytes: &[u8],
    first: EventId,
    range: EventRange,
) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    out.push(VERSION);
    let mut body = Body::open(bytes)?;
    let mut event = first;
    while let Some(message) = body.next()? {
        let kept = if range.contains(event) { &[] } else { message };
        put_bytes(&mut out, kept);
        event = event.next();
    }
    Ok(out)
}

fn put_message(out: &mut Vec<u8>, message: &Message, large: &[Large]) {
    let mut flags = match message.role {
        Role::System => 0,
        Role::User => 1,
        Role::Assistant => 2,
        Role::Tool => 3,
    };
    let given = [
        (flag::NAME, message.name.is_some()),
        (flag::TIME, message.time.is_some()),
        (flag::NATIVE, message.native.is_some()),
        (flag::METADATA, message.metadata.is_some()),
    ];
    for (flag, given) in given {
        flags |= if given { flag } else { 0 };
    }
    out.push(flags);
    if let Some(name) = &message.name {
        put_text(out, name);
    }
    if let Some(time) = message.time {
        put_signed(out, time.as_millis());
    }
    put_number(out, message.parts.len() as u64);
    let mut large = large.iter().peekable();
    for (at, part) in (0..).zip(&message.parts) {
        let moved = large.next_if(|large| large.part == at);
        put_part(out, part, moved);
    }
    if let Some(native) = &message.native {
        put_text(out, &native.format);
        put_text(out, native.json.as_str());
    }
    if let Some(metadata) = &message.metadata {
        put_text(out, metadata.as_str());
    }
}

fn put_part(out: &mut Vec<u8>, part: &Part, large: Option<&Large>) {
    match (part, large) {
        (Part::Text { .. }, Some(large)) => {
            out.push(tag::LARGE_TEXT);
            out.extend_from_slice(large.digest.as_bytes());
        }
        (Part::Text { text }, None) => {
            out.push(tag::TEXT);
            put_text(out, text);
        }
        (Part::ToolCall(call), _) => {
            out.push(tag::TOOL_CALL);
            put_text(out, call.call_id.as_str());
            put_text(out, &call.name);
            put_text(out, call.arguments.as_str());
        }
        (Part::ToolResult(result), large) => put_result(out, result, large),
        (Part::Media(media), _) => match &media.source {
            MediaSource::Uri(uri) => {
                out.push(tag::MEDIA_URI);
                put_text(out, &media.mime);
                put_text(out, uri);
            }
            MediaSource::Artifact(handle) => {
                out.push(tag::MEDIA_ARTIFACT);
                put_text(out, &media.mime);
                put_text(out, &handle.to_string());
            }
        },
        (Part::Opaque(opaque), _) => {
            out.push(tag::OPAQUE);
            put_text(out, &opaque.provider);
            put_text(out, opaque.json.as_str());
        }
        (Part::TextArtifact { handle }, _) => {
            out.push(tag::TEXT_ARTIFACT);
            put_text(out, &handle.to_string());
        }
    }
}

fn put_result(out: &mut Vec<u8>, result: &ToolResult, large: Option<&Large>) {
    out.push(match (&result.content, large) {
        (ResultContent::Text(_), Some(_)) => tag::RESULT_LARGE,
        (ResultContent::Text(_), None) => tag::RESULT_TEXT,
        (ResultContent::Artifact(_), _) => tag::RESULT_ARTIFACT,
    });
    put_text(out, result.call_id.as_str());
    put_optional(out, result.tool.as_deref());
    put_optional(out, result.output_schema.as_deref());
    let trust = match result.trust {
        Trust::Untrusted => 0,
        Trust::Verified => 1,
        Trust::Policy => 2,
    };
    out.push(trust << 1 | u8::from(result.is_error));
    match (&result.content, large) {
        (ResultContent::Text(_), Some(large)) => out.extend_from_slice(large.digest.as_bytes()),
        (ResultContent::Text(text), None) => put_text(out, text),
        (ResultContent::Artifact(handle), _) => put_text(out, &handle.to_string()),
    }
}

fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, (number << 1 ^ number >> 63).cast_unsigned());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_bytes(out, text.as_bytes());
}

fn put_optional(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => {
            out.push(1);
            put_text(out, text);
        }
        None => out.push(0),
    }
}
