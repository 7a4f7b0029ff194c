//! Bytes to messages.

use aura_core::{
    ArtifactHandle, CallId, Digest, Error, ErrorKind, Media, MediaSource, Message, NativeForm,
    Opaque, Part, RawJson, Result, ResultContent, Role, Timestamp, ToolCall, ToolResult, Trust,
};

use super::{VERSION, flag, tag};
use crate::large::Large;

/// Goes through the messages of a body.
pub(in crate::sqlite) struct Body<'a> {
    input: Input<'a>,
}

impl<'a> Body<'a> {
    /// Opens a body.
    ///
    /// # Errors
    /// `Corrupt`, when it is of a version that is not known.
    pub(in crate::sqlite) fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut input = Input { rest: bytes };
        if input.byte()? != VERSION {
            return Err(damaged());
        }
        Ok(Self { input })
    }

    /// The bytes of the next message, empty where it was deleted; `None` at the end.
    ///
    /// # Errors
    /// `Corrupt`, when the body ends inside a message.
    pub(in crate::sqlite) fn next(&mut self) -> Result<Option<&'a [u8]>> {
        if self.input.rest.is_empty() {
            return Ok(None);
        }
        self.input.bytes().map(Some)
    }
}

/// A message with the parts that stand outside the log.
type Decoded = (Message, Vec<Large>);

/// Decodes a message; `fetch` reads the text of a large part.
///
/// # Errors
/// `Corrupt`, when the bytes are no message; what `fetch` gives.
pub(in crate::sqlite) fn decode(
    bytes: &[u8],
    fetch: &mut dyn FnMut(&Digest) -> Result<String>,
) -> Result<Decoded> {
    let mut input = Input { rest: bytes };
    let mut large = Vec::new();
    let flags = input.byte()?;
    let name = input.when(flags & flag::NAME != 0, Input::text)?;
    let time = input.when(flags & flag::TIME != 0, Input::signed)?;
    let count = input.number()?;
    // Every part takes a byte at least: a damaged count cannot ask for more memory than there are bytes.
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut parts = Vec::with_capacity(count.min(input.rest.len()));
    for at in 0..count {
        let part = u32::try_from(at).map_err(|_| damaged())?;
        let mut fetch = |digest: Digest| {
            large.push(Large { part, digest });
            fetch(&digest)
        };
        parts.push(input.part(&mut fetch)?);
    }
    let native = input.when(flags & flag::NATIVE != 0, |input| {
        Ok(NativeForm {
            format: input.text()?,
            json: input.json()?,
        })
    })?;
    let metadata = input.when(flags & flag::METADATA != 0, Input::json)?;
    if !input.rest.is_empty() {
        return Err(damaged());
    }
    let role = match flags & flag::ROLE {
        0 => Role::System,
        1 => Role::User,
        2 => Role::Assistant,
        _ => Role::Tool,
    };
    let message = Message {
        role,
        name,
        time: time.map(Timestamp::from_millis_clamped),
        parts,
        native,
        metadata,
    };
    Ok((message, large))
}

fn damaged() -> Error {
    Error::new(ErrorKind::Corrupt, "a stored message is damaged")
}

/// Bytes still to be read.
struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        let (first, rest) = self.rest.split_first().ok_or_else(damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    fn signed(&mut self) -> Result<i64> {
        let number = self.number()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let count = usize::try_from(self.number()?).map_err(|_| damaged())?;
        self.take(count)
    }

    fn text(&mut self) -> Result<String> {
        let bytes = self.bytes()?;
        let text = std::str::from_utf8(bytes).map_err(|_| damaged())?;
        Ok(text.to_owned())
    }

    fn json(&mut self) -> Result<RawJson> {
        // Not through `RawJson::new`, which mends what a host sent: what is stored stays as it is.
        serde_json::from_slice(self.bytes()?).map_err(|_| damaged())
    }

    fn optional(&mut self) -> Result<Option<String>> {
        let given = self.byte()? != 0;
        self.when(given, Self::text)
    }

    fn digest(&mut self) -> Result<Digest> {
        let bytes = self.take(32)?.try_into().map_err(|_| damaged())?;
        Ok(Digest::from_bytes(bytes))
    }

    fn handle(&mut self) -> Result<ArtifactHandle> {
        self.text()?.parse().map_err(|_| damaged())
    }

    fn call_id(&mut self) -> Result<CallId> {
        CallId::new(self.text()?).map_err(|_| damaged())
    }

    fn when<T>(
        &mut self,
        given: bool,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        if given {
            read(self).map(Some)
        } else {
            Ok(None)
        }
    }

    fn part(&mut self, fetch: &mut dyn FnMut(Digest) -> Result<String>) -> Result<Part> {
        Ok(match self.byte()? {
            tag::TEXT => Part::Text { text: self.text()? },
            tag::LARGE_TEXT => Part::Text {
                text: fetch(self.digest()?)?,
            },
            tag::TOOL_CALL => Part::ToolCall(ToolCall {
                call_id: self.call_id()?,
                name: self.text()?,
                arguments: self.json()?,
            }),
            tag @ (tag::RESULT_TEXT | tag::RESULT_LARGE | tag::RESULT_ARTIFACT) => {
                Part::ToolResult(self.result(tag, fetch)?)
            }
            tag::MEDIA_URI => Part::Media(Media {
                mime: self.text()?,
                source: MediaSource::Uri(self.text()?),
            }),
            tag::MEDIA_ARTIFACT => Part::Media(Media {
                mime: self.text()?,
                source: MediaSource::Artifact(self.handle()?),
            }),
            tag::OPAQUE => Part::Opaque(Opaque {
                provider: self.text()?,
                json: self.json()?,
            }),
            tag::TEXT_ARTIFACT => Part::TextArtifact {
                handle: self.handle()?,
            },
            _ => return Err(damaged()),
        })
    }

    fn result(
        &mut self,
        tag: u8,
        fetch: &mut dyn FnMut(Digest) -> Result<String>,
    ) -> Result<ToolResult> {
        let call_id = self.call_id()?;
        let tool = self.optional()?;
        let output_schema = self.optional()?;
        let flags = self.byte()?;
        let trust = match flags >> 1 {
            0 => Trust::Untrusted,
            1 => Trust::Verified,
            2 => Trust::Policy,
            _ => return Err(damaged()),
        };
        let content = match tag {
            tag::RESULT_TEXT => ResultContent::Text(self.text()?),
            tag::RESULT_LARGE => ResultContent::Text(fetch(self.digest()?)?),
            _ => ResultContent::Artifact(self.handle()?),
        };
        Ok(ToolResult {
            call_id,
            tool,
            output_schema,
            trust,
            is_error: flags & 1 != 0,
            content,
        })
    }
}
