//! What things cost in tokens.
//!
//! The constants follow what OpenAI documents for chat models: 3 tokens around each message and one for its role's
//! name, one more beside a name, 3 that begin the answer. Where nothing is documented (tool calls, tool definitions,
//! media by reference) the formula here is Aura's own and stands in the manifest's totals.

use std::sync::{Arc, Mutex, PoisonError};

use aura_core::{ContextMessage, Digest, MessageView, Result, TokenCounter, ToolDefinition};
use rustc_hash::FxHashMap;

/// Around each message: 3 and its role's name.
pub const MESSAGE_TOKENS: u32 = 4;
/// Beside a speaker's name, whose own tokens are counted too.
pub const NAME_TOKENS: u32 = 1;
/// Around a tool call, beside its name and arguments.
pub const CALL_TOKENS: u32 = 4;
/// A media part by reference: an image of 1024 × 1024 at high detail (85 and 170 for each of four tiles).
pub const MEDIA_TOKENS: u32 = 765;
/// Bytes of sealed reasoning for a token: 4.5 bytes of text, of which base64 makes 6.
pub const SEALED_BYTES: usize = 6;
/// Around a tool definition, beside its name, description and schema.
pub const TOOL_TOKENS: u32 = 10;
/// Once a list: what begins the answer.
pub const LIST_TOKENS: u32 = 3;

/// Segment counts kept before the memory is emptied.
const KEPT: usize = 1 << 15;

/// A token counter that remembers the counts of texts that come again: system prompts, tools, facts, names.
///
/// It keeps digests, never texts. Made once by the engine and shared by all compilations.
pub struct Meter {
    counter: Arc<dyn TokenCounter>,
    additive: bool,
    known: Mutex<FxHashMap<[u8; 32], u32>>,
}

impl Meter {
    /// A meter on a counter.
    #[must_use]
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        let additive = matches!(counter.name(), "o200k_base" | "cl100k_base");
        Self {
            counter,
            additive,
            known: Mutex::default(),
        }
    }

    /// The counter, to keep.
    #[must_use]
    pub fn shared_counter(&self) -> Arc<dyn TokenCounter> {
        Arc::clone(&self.counter)
    }

    /// The counter.
    #[must_use]
    pub fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    /// Whether the count of a text is the sum of the counts of its segments, where each ends in a line feed and the next
    /// begins with a character that is neither white space nor `/`. So it is for byte pair vocabularies whose pattern ends there.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.additive
    }

    /// By how much a sum of counts may be wrong: nothing for exact vocabularies and for a host's own counter; an estimate by
    /// characters may miss up to three tokens for each that it counts.
    #[must_use]
    pub fn error_bound(&self, tokens: u32) -> u32 {
        if self.counter.name().starts_with("chars") {
            tokens.saturating_mul(3)
        } else {
            0
        }
    }

    /// How many tokens a text has that hardly comes again.
    ///
    /// # Errors
    /// Those of the counter.
    pub fn count(&self, text: &str) -> Result<u32> {
        self.counter.count(text)
    }

    /// How many tokens a text has that is likely to come again.
    ///
    /// # Errors
    /// Those of the counter.
    pub fn recurring(&self, text: &str) -> Result<u32> {
        let digest = *Digest::of(text.as_bytes()).as_bytes();
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = lock().get(&digest) {
            return Ok(*tokens);
        }
        let tokens = self.counter.count(text)?;
        let mut known = lock();
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(digest, tokens);
        Ok(tokens)
    }

    /// What a tool definition costs: its name, description and schema as text, and [`TOOL_TOKENS`].
    ///
    /// # Errors
    /// Those of the counter.
    pub fn tool(&self, tool: &ToolDefinition) -> Result<u32> {
        let name = self.recurring(&tool.name)?;
        let description = self.recurring(&tool.description)?;
        let schema = self.recurring(tool.parameters.as_str())?;
        Ok(TOOL_TOKENS
            .saturating_add(name)
            .saturating_add(description)
            .saturating_add(schema))
    }
}

/// What a message of a context costs, [`MESSAGE_TOKENS`] included: content, name, calls, media and the reasoning in its
/// native form; for a native form without any content, calls or media its JSON.
///
/// # Errors
/// Those of the counter.
pub fn message_tokens(message: &ContextMessage, counter: &dyn TokenCounter) -> Result<u32> {
    let mut tokens = MESSAGE_TOKENS.saturating_add(counter.count(&message.content)?);
    let projected = is_projected(message);
    if let Some(native) = message.native.as_ref().filter(|_| !projected) {
        tokens = tokens.saturating_add(counter.count(native.as_str())?);
    }
    if let Some(name) = &message.name {
        tokens = tokens.saturating_add(NAME_TOKENS.saturating_add(counter.count(name)?));
    }
    for call in &message.tool_calls {
        let call = counter
            .count(&call.name)?
            .saturating_add(counter.count(call.arguments.as_str())?);
        tokens = tokens.saturating_add(CALL_TOKENS.saturating_add(call));
    }
    let media = u32::try_from(message.media.len()).unwrap_or(u32::MAX);
    let reasoning = if projected {
        reasoning_tokens(message, counter)?
    } else {
        0
    };
    Ok(tokens
        .saturating_add(MEDIA_TOKENS.saturating_mul(media))
        .saturating_add(reasoning))
}

/// Whether a message shows anything beside its native form, or has none.
pub(crate) fn is_projected(message: &ContextMessage) -> bool {
    message.native.is_none()
        || !message.content.is_empty()
        || !message.tool_calls.is_empty()
        || !message.media.is_empty()
}

/// What the reasoning in a message's native form costs: the tokens of what can be read, and one for each
/// [`SEALED_BYTES`] of what is sealed.
///
/// # Errors
/// Those of the counter.
pub(crate) fn reasoning_tokens(
    message: &ContextMessage,
    counter: &dyn TokenCounter,
) -> Result<u32> {
    let Some(native) = &message.native else {
        return Ok(0);
    };
    let (texts, sealed) = crate::provider::native::reasoning_texts(native.as_str());
    let mut tokens = u32::try_from(sealed.div_ceil(SEALED_BYTES)).unwrap_or(u32::MAX);
    for text in texts {
        tokens = tokens.saturating_add(counter.count(&text)?);
    }
    Ok(tokens)
}

/// What a message costs as it stands in the log, [`MESSAGE_TOKENS`] included.
#[must_use]
pub(crate) fn native_cost(view: &MessageView) -> u32 {
    view.tokens.native.saturating_add(MESSAGE_TOKENS)
}
