//! The messages of a context in one block of memory: rows of one size, then bytes.
//!
//! A binding copies the block once and cuts its strings out of it, without a call per string.

use std::mem::offset_of;

use aura_core::{CallId, ContextMessage, Error, ErrorKind, Result, json};
use safer_ffi::prelude::{derive_ReprC, ffi_export};
use serde::Serialize;

use super::message::{aura_role, aura_section};
use crate::bytes::aura_str;

/// One message in the block of a context. Offsets count from `bytes_off` of the view; what is absent has length 0.
#[ffi_export]
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct aura_message_row {
    /// An `aura_role`.
    pub role: u32,
    /// An `aura_section`.
    pub section: u32,
    /// Its tokens, overhead included.
    pub tokens: u32,
    /// 1 when a tool message reports a failure, else 0.
    pub is_error: u32,
    /// Where the speaker's name begins.
    pub name_off: u32,
    /// Bytes of the name.
    pub name_len: u32,
    /// Where the text begins.
    pub content_off: u32,
    /// Bytes of the text.
    pub content_len: u32,
    /// Where the JSON object begins that holds what else the message has: `tool_calls`, `media`, `native`.
    pub extra_off: u32,
    /// Bytes of that JSON.
    pub extra_len: u32,
    /// Where the id of the call begins that a tool message answers.
    pub tool_call_id_off: u32,
    /// Bytes of that id.
    pub tool_call_id_len: u32,
    /// Where the event ids shown in the message begin: `uint64_t` in the machine's byte order, aligned to 8.
    pub events_off: u32,
    /// How many event ids.
    pub events_count: u32,
}

/// The rows are written as the numbers they consist of.
const NUMBERS: usize = size_of::<aura_message_row>() / size_of::<u32>();

const _: () = {
    assert!(size_of::<aura_message_row>() == NUMBERS * size_of::<u32>());
    assert!(size_of::<aura_message_row>().is_multiple_of(align_of::<u64>()));
    assert!(offset_of!(aura_message_row, events_count) == (NUMBERS - 1) * size_of::<u32>());
};

impl aura_message_row {
    fn numbers(&self) -> [u32; NUMBERS] {
        [
            self.role,
            self.section,
            self.tokens,
            self.is_error,
            self.name_off,
            self.name_len,
            self.content_off,
            self.content_len,
            self.extra_off,
            self.extra_len,
            self.tool_call_id_off,
            self.tool_call_id_len,
            self.events_off,
            self.events_count,
        ]
    }
}

/// What a message has beside its text.
#[derive(Serialize)]
struct Extra<'a> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tool_calls: &'a [aura_core::RenderedCall],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    media: &'a [aura_core::RenderedMedia],
    #[serde(skip_serializing_if = "Option::is_none")]
    native: Option<&'a aura_core::RawJson>,
}

/// The block, and where its parts are.
#[derive(Debug)]
pub(super) struct Block {
    /// Whole words, so that rows and events are aligned.
    words: Vec<u64>,
    len: usize,
    rows: Vec<aura_message_row>,
}

impl Block {
    /// Lays the messages out.
    ///
    /// # Errors
    /// `BudgetExceeded`, when they take more than 4 GiB.
    pub(super) fn new(messages: &[ContextMessage]) -> Result<Self> {
        let mut bytes = Bytes::behind(messages.len());
        let mut rows = Vec::with_capacity(messages.len());
        // The events come first, where they are aligned.
        for message in messages {
            let (events_off, events_count) = bytes.put_events(message)?;
            rows.push(aura_message_row {
                role: aura_role::of(message.role) as u32,
                section: aura_section::of(message.section) as u32,
                tokens: message.tokens,
                is_error: message.is_error.into(),
                events_off,
                events_count,
                ..aura_message_row::default()
            });
        }
        for (row, message) in rows.iter_mut().zip(messages) {
            let name = message.name.as_deref().unwrap_or_default();
            let call = message.tool_call_id.as_ref().map(CallId::as_str);
            (row.name_off, row.name_len) = bytes.put(name)?;
            (row.content_off, row.content_len) = bytes.put(&message.content)?;
            (row.tool_call_id_off, row.tool_call_id_len) = bytes.put(call.unwrap_or_default())?;
            (row.extra_off, row.extra_len) = bytes.put(&extra(message)?)?;
        }
        Ok(bytes.finish(rows))
    }

    /// The first byte.
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    /// How many bytes.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The rows.
    pub(super) fn rows(&self) -> &[aura_message_row] {
        &self.rows
    }

    /// Where the bytes behind the rows begin.
    pub(super) fn bytes_off(&self) -> usize {
        size_of_val(self.rows.as_slice())
    }

    /// Lends a text of a row; one of length 0 is absent.
    pub(super) fn text(&self, off: u32, len: u32) -> aura_str {
        if len == 0 {
            return aura_str::EMPTY;
        }
        aura_str {
            ptr: self
                .as_ptr()
                .wrapping_add(self.bytes_off() + off as usize)
                .cast(),
            len: len as usize,
        }
    }

    /// Lends the events of a row.
    pub(super) fn events(&self, row: &aura_message_row) -> *const u64 {
        let words = (self.bytes_off() + row.events_off as usize) / size_of::<u64>();
        self.words.as_ptr().wrapping_add(words)
    }
}

/// A block while it is being filled: room for the rows, then what they point to.
struct Bytes {
    bytes: Vec<u8>,
    start: usize,
}

impl Bytes {
    fn behind(rows: usize) -> Self {
        let start = rows * size_of::<aura_message_row>();
        Self {
            bytes: vec![0; start],
            start,
        }
    }

    fn put(&mut self, text: &str) -> Result<(u32, u32)> {
        let off = self.bytes.len() - self.start;
        self.bytes.extend_from_slice(text.as_bytes());
        Ok((number(off)?, number(text.len())?))
    }

    fn put_events(&mut self, message: &ContextMessage) -> Result<(u32, u32)> {
        let off = self.bytes.len() - self.start;
        for event in &message.events {
            self.bytes.extend_from_slice(&event.0.to_ne_bytes());
        }
        Ok((number(off)?, number(message.events.len())?))
    }

    fn finish(mut self, rows: Vec<aura_message_row>) -> Block {
        let places = self.bytes.chunks_exact_mut(size_of::<aura_message_row>());
        for (place, row) in places.zip(&rows) {
            let cells = place.chunks_exact_mut(size_of::<u32>());
            for (cell, number) in cells.zip(row.numbers()) {
                cell.copy_from_slice(&number.to_ne_bytes());
            }
        }
        let len = self.bytes.len();
        let mut words = vec![0u64; len.div_ceil(size_of::<u64>())];
        // SAFETY: `words` has room for `len` bytes, any bytes are whole numbers, and the two do not overlap.
        unsafe {
            self.bytes
                .as_ptr()
                .copy_to_nonoverlapping(words.as_mut_ptr().cast::<u8>(), len);
        }
        Block { words, len, rows }
    }
}

fn number(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| {
        let message = "the messages of the context take more than 4 GiB";
        Error::new(ErrorKind::BudgetExceeded, message)
    })
}

fn extra(message: &ContextMessage) -> Result<String> {
    let extra = Extra {
        tool_calls: &message.tool_calls,
        media: &message.media,
        native: message.native.as_ref(),
    };
    if extra.tool_calls.is_empty() && extra.media.is_empty() && extra.native.is_none() {
        return Ok(String::new());
    }
    json::to_string(&extra)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aura_core::{EventId, RawJson, RenderedCall, Role, Section};

    fn message(role: Role, content: &str, events: &[u64]) -> ContextMessage {
        ContextMessage {
            role,
            name: None,
            content: content.to_owned(),
            tool_calls: Vec::new(),
            tool_call_id: None,
            is_error: false,
            media: Vec::new(),
            native: None,
            section: Section::History,
            events: events.iter().copied().map(EventId).collect(),
            tokens: 7,
        }
    }

    fn text(block: &Block, off: u32, len: u32) -> String {
        let lent = block.text(off, len);
        // SAFETY: the block lives and lends its own bytes.
        let lent = unsafe { lent.read("text") }.unwrap();
        lent.unwrap_or_default().to_owned()
    }

    #[test]
    fn every_part_of_a_message_is_found_again() {
        let mut call = message(Role::Assistant, "", &[]);
        call.tool_calls = vec![RenderedCall {
            id: CallId::new("c1").unwrap(),
            name: "search".to_owned(),
            arguments: RawJson::new("arguments", r#"{"q": 1.0}"#).unwrap(),
        }];
        let mut result = message(Role::Tool, "nothing\0found 😀", &[4, u64::MAX]);
        result.tool_call_id = Some(CallId::new("c1").unwrap());
        result.is_error = true;
        let mut named = message(Role::User, "hi", &[1, 2, 3]);
        named.name = Some("Ana".to_owned());
        let block = Block::new(&[named, call, result]).unwrap();
        let [user, assistant, tool] = block.rows() else {
            panic!("{} rows", block.rows().len());
        };
        assert_eq!(user.role, aura_role::User as u32);
        assert_eq!(user.section, aura_section::History as u32);
        assert_eq!(text(&block, user.name_off, user.name_len), "Ana");
        assert_eq!(text(&block, user.content_off, user.content_len), "hi");
        assert_eq!(
            text(&block, assistant.extra_off, assistant.extra_len),
            r#"{"tool_calls":[{"id":"c1","name":"search","arguments":{"q": 1.0}}]}"#
        );
        assert_eq!(
            text(&block, tool.content_off, tool.content_len),
            "nothing\0found 😀"
        );
        assert_eq!(
            text(&block, tool.tool_call_id_off, tool.tool_call_id_len),
            "c1"
        );
        assert_eq!((tool.is_error, tool.extra_len), (1, 0));
        let at = block.events(tool);
        assert!(at.is_aligned());
        // SAFETY: the row says how many events there are.
        let events = unsafe { std::slice::from_raw_parts(at, tool.events_count as usize) };
        assert_eq!(events, [4, u64::MAX]);
    }

    #[test]
    fn the_rows_stand_at_the_front_of_the_block() {
        let messages: Vec<_> = (0..5)
            .map(|n| message(Role::User, &"x".repeat(n), &[n as u64]))
            .collect();
        let block = Block::new(&messages).unwrap();
        let rows = block.as_ptr().cast::<aura_message_row>();
        for (at, row) in block.rows().iter().enumerate() {
            // SAFETY: the block begins with its rows, aligned.
            assert_eq!(unsafe { &*rows.add(at) }, row);
        }
        assert_eq!(block.len(), block.bytes_off() + 5 * 8 + 10);
    }

    #[test]
    fn no_message_is_an_empty_block() {
        let block = Block::new(&[]).unwrap();
        assert_eq!((block.len(), block.bytes_off()), (0, 0));
    }
}
