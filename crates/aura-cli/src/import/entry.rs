//! One line of an import, understood.

use aura::{
    CallId, Message, Part, RawJson, ResultContent, Role, SessionId, Timestamp, ToolResult, TurnId,
    check_id, json,
};

use super::calls;
use super::fields::Fields;
use super::refusal::Refusal;

/// A message with the names that place it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line it stood on.
    pub line: u64,
    /// The session it belongs to.
    pub session_id: SessionId,
    /// Its own id, unique in its session.
    pub message_id: String,
    /// The turn it belongs to, where the line says so.
    pub turn_id: Option<TurnId>,
    /// The message; its metadata hold the message id and all fields that are not ours.
    pub message: Message,
}

impl Entry {
    /// Reads line number `line`; `None` for one that holds nothing but white space.
    ///
    /// # Errors
    /// Why the line is refused.
    pub fn parse(line: u64, bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to() + 1;
            Refusal::of_line(line, format!("is not UTF-8: bad byte at column {at}"))
        })?;
        let text =
            json::mend_surrogates("line", text).map_err(|error| Refusal::of_error(line, &error))?;
        Self::read(Fields::parse(line, &text)?, line).map(Some)
    }

    fn read(mut fields: Fields<'_>, line: u64) -> Result<Self, Refusal> {
        let wrong = |field: &'static str| {
            move |error: aura::Error| Refusal {
                field: Some(field.to_owned()),
                ..Refusal::of_error(line, &error)
            }
        };
        let session_id =
            SessionId::new(fields.needed_text("session_id")?).map_err(wrong("session_id"))?;
        let message_id = fields.needed_text("message_id")?;
        check_id("message_id", &message_id).map_err(wrong("message_id"))?;
        let role: Role = fields.needed_text("role")?.parse().map_err(wrong("role"))?;
        let turn_id = fields
            .text("turn_id")?
            .map(TurnId::new)
            .transpose()
            .map_err(wrong("turn_id"))?;
        let time = fields
            .text("timestamp")?
            .map(|text| Timestamp::parse_lenient(&text))
            .transpose()
            .map_err(wrong("timestamp"))?;
        // A speaker called like the role says nothing that the role does not.
        let name = fields
            .text("speaker")?
            .filter(|speaker| !speaker.is_empty() && speaker != role.as_str());
        let parts = parts(&mut fields, line, role)?;
        let metadata = RawJson::new("metadata", &fields.rest(&message_id))
            .map_err(|error| Refusal::of_error(line, &error))?;
        Ok(Self {
            line,
            session_id,
            message_id,
            turn_id,
            message: Message {
                role,
                name,
                time,
                parts,
                native: None,
                metadata: Some(metadata),
            },
        })
    }

    /// Roughly how many bytes it holds in memory.
    #[must_use]
    pub fn size(&self) -> usize {
        let parts = self.message.parts.iter().map(|part| match part {
            Part::Text { text } => text.len(),
            Part::ToolCall(call) => call.name.len() + call.arguments.as_str().len(),
            Part::ToolResult(ToolResult {
                content: ResultContent::Text(text),
                ..
            }) => text.len(),
            _ => 0,
        });
        let metadata = self.message.metadata.as_ref();
        256 + parts.sum::<usize>() + metadata.map_or(0, |json| json.as_str().len())
    }
}

/// Text, tool calls and tool result, as far as the role may carry them.
fn parts(fields: &mut Fields<'_>, line: u64, role: Role) -> Result<Vec<Part>, Refusal> {
    let text = fields.text("text")?;
    let answers = fields.text("tool_call_id")?;
    let calls = match fields.raw("tool_calls") {
        Some(raw) => calls::parse(line, raw)?,
        None => Vec::new(),
    };
    if !calls.is_empty() && role != Role::Assistant {
        return Err(fields.refuse("tool_calls", "only an assistant calls tools"));
    }
    match (role, answers) {
        (Role::Tool, None) => Err(fields.refuse("tool_call_id", "is missing")),
        (Role::Tool, Some(call_id)) => {
            let text = text.ok_or_else(|| fields.refuse("text", "is missing"))?;
            let call_id = CallId::new(call_id).map_err(|error| Refusal {
                field: Some("tool_call_id".to_owned()),
                ..Refusal::of_error(line, &error)
            })?;
            Ok(vec![Part::ToolResult(ToolResult {
                call_id,
                tool: None,
                output_schema: None,
                trust: aura::Trust::default(),
                is_error: false,
                content: ResultContent::Text(text),
            })])
        }
        (_, Some(_)) => Err(fields.refuse("tool_call_id", "only a tool message answers a call")),
        (_, None) => {
            // Whoever only calls tools says nothing; an empty text beside calls is that and no more.
            let text = text.filter(|text| !text.is_empty() || calls.is_empty());
            if text.is_none() && calls.is_empty() {
                return Err(fields.refuse("text", "is missing"));
            }
            let calls = calls.into_iter().map(Part::ToolCall);
            Ok(text.map(Part::text).into_iter().chain(calls).collect())
        }
    }
}

#[cfg(test)]
mod tests;
