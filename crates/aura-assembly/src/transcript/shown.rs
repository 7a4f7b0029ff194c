//! A turn as it is shown, with what each of its messages costs and the smaller form it may take.

use std::sync::Arc;

use aura_core::{
    ArtifactHandle, BlockRef, CallId, ContextMessage, EventId, MessageView, Part, Result,
    ResultContent, Role, StoredMessage, Turn, TurnView,
};

use super::fit::fit;
use super::message::{kept_as, messages_of};
use super::pairs::{Ending, pair};
use crate::meter::{
    Meter, NAME_TOKENS, is_projected, message_tokens, native_cost, reasoning_tokens,
};
use crate::provider::manner::{Manner, is_own};
use crate::provider::native;
use crate::render::media::mention;

/// What stands in the place of a result that has no artifact to point to.
pub(crate) const LEFT_OUT: &str = "[left out for lack of room]";

/// A message as it is shown, with its tokens.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// The message.
    pub(crate) message: ContextMessage,
    /// The stored message it shows; `None` for a placeholder of the compiler.
    pub(crate) source: Option<Arc<StoredMessage>>,
    /// Whether the smaller form stands.
    pub(crate) shrunk: bool,
}

/// A turn as it is shown.
#[derive(Debug, Clone)]
pub(crate) struct ShownTurn {
    /// The turn.
    pub(crate) turn: Arc<Turn>,
    /// Its messages, calls and results whole and in order.
    pub(crate) messages: Vec<Shown>,
    /// Calls and results left out because their other half is missing.
    pub(crate) orphans: Vec<BlockRef>,
    /// The tokens of its messages.
    pub(crate) tokens: u32,
}

impl ShownTurn {
    /// Shows a turn.
    pub(crate) fn of(
        view: &TurnView,
        manner: Manner,
        ending: Ending,
        meter: &Meter,
    ) -> Result<Self> {
        let mut messages = Vec::with_capacity(view.messages.len());
        let mut paired = false;
        for message in &view.messages {
            show(message, manner, ending, meter, &mut messages)?;
        }
        for shown in &messages {
            paired |= shown.message.role == Role::Tool || !shown.message.tool_calls.is_empty();
        }
        let mut orphans = Vec::new();
        if paired {
            messages = pair(messages, manner.provider, ending, &mut orphans, meter)?;
        }
        let mut turn = Self {
            turn: view.turn.clone(),
            messages,
            orphans,
            tokens: 0,
        };
        turn.add_up();
        Ok(turn)
    }

    /// Whether a tool has answered in it.
    pub(crate) fn has_response(&self) -> bool {
        self.messages
            .iter()
            .any(|shown| shown.message.role == Role::Tool)
    }

    /// The events it shows, ascending.
    pub(crate) fn events(&self) -> Vec<EventId> {
        let sources = self
            .messages
            .iter()
            .filter_map(|shown| shown.source.as_ref());
        let mut events: Vec<EventId> = sources.map(|stored| stored.event_id).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// Makes messages smaller, the oldest first, until `excess` tokens are saved. Says how many.
    pub(crate) fn shrink(&mut self, excess: u32, meter: &Meter) -> Result<u32> {
        let count = shrink(&mut self.messages, excess, true, meter)?;
        self.add_up();
        Ok(count)
    }

    fn add_up(&mut self) {
        self.tokens = self.messages.iter().fold(0, |sum: u32, shown| {
            sum.saturating_add(shown.message.tokens)
        });
    }
}

/// Makes messages smaller until `excess` tokens are saved: tool results, the oldest first and the newest last, and where
/// `texts_too` long texts that are kept as artifacts. Says how many.
pub(crate) fn shrink(
    messages: &mut [Shown],
    excess: u32,
    texts_too: bool,
    meter: &Meter,
) -> Result<u32> {
    let newest = messages
        .iter()
        .rposition(|shown| shown.message.role == Role::Tool);
    let older = (0..messages.len()).filter(|at| Some(*at) != newest);
    let (mut saved, mut count) = (0_u32, 0);
    for at in older.chain(newest) {
        if saved >= excess {
            break;
        }
        let Some(shown) = messages.get_mut(at) else {
            continue;
        };
        let before = shown.message.tokens;
        if shown.shrink(texts_too, meter)? {
            count += 1;
            saved = saved.saturating_add(before.saturating_sub(shown.message.tokens));
        }
    }
    Ok(count)
}

impl Shown {
    /// Whether it is media that a tool gave and that its result cannot hold.
    pub(crate) fn is_beside_result(&self) -> bool {
        let tool = |stored: &Arc<StoredMessage>| stored.message.role == Role::Tool;
        self.message.role == Role::User && self.source.as_ref().is_some_and(tool)
    }

    /// Whether the user said it.
    pub(crate) fn is_users(&self) -> bool {
        let user = |stored: &Arc<StoredMessage>| stored.message.role == Role::User;
        self.message.role == Role::User && self.source.as_ref().is_none_or(user)
    }

    /// Puts the smaller form in place, if there is one: a handle or a placeholder for a tool result, and for a long
    /// text that is kept as an artifact its handle. Says whether it did.
    fn shrink(&mut self, texts_too: bool, meter: &Meter) -> Result<bool> {
        let Some(stored) = self.source.clone() else {
            return Ok(false);
        };
        let mut small = self.message.clone();
        small.native = None;
        if small.role == Role::Tool {
            let handle = result_handle(&stored, small.tool_call_id.as_ref());
            small.content = handle.map_or_else(|| LEFT_OUT.to_owned(), |handle| kept_as(&handle));
            small.media.clear();
        } else if self.is_beside_result() {
            let mentions: Vec<String> = small.media.drain(..).map(|one| mention(&one)).collect();
            small.content = format!("{} {}", small.content, mentions.join(" "));
        } else if texts_too && !stored.large_parts.is_empty() {
            small.content = with_handles(&stored);
        } else {
            return Ok(false);
        }
        small.tokens = message_tokens(&small, meter.counter())?;
        if small.tokens >= self.message.tokens {
            return Ok(false);
        }
        self.message = small;
        self.shrunk = true;
        Ok(true)
    }
}

/// The artifact that holds the result of a call, or of the first call that the message answers.
pub(crate) fn result_handle(
    stored: &StoredMessage,
    call: Option<&CallId>,
) -> Option<ArtifactHandle> {
    let mut parts = stored.message.parts.iter().enumerate();
    let (at, result) = parts.find_map(|(at, part)| match part {
        Part::ToolResult(result) if call.is_none_or(|call| result.call_id == *call) => {
            Some((at, result))
        }
        _ => None,
    })?;
    if let ResultContent::Artifact(handle) = &result.content {
        return Some(handle.clone());
    }
    large_part(stored, at)
}

fn large_part(stored: &StoredMessage, at: usize) -> Option<ArtifactHandle> {
    let mut large = stored.large_parts.iter();
    large
        .find(|large| usize::try_from(large.part) == Ok(at))
        .map(|large| large.handle.clone())
}

/// The text of a message with its large parts by handle.
fn with_handles(stored: &StoredMessage) -> String {
    let mut texts = Vec::new();
    for (at, part) in stored.message.parts.iter().enumerate() {
        match part {
            Part::Text { text } => texts.push(
                large_part(stored, at).map_or_else(|| text.clone(), |handle| kept_as(&handle)),
            ),
            Part::TextArtifact { handle } => texts.push(kept_as(handle)),
            _ => {}
        }
    }
    texts.join("\n")
}

/// Shows one stored message; its tokens come from when it was written, where they can.
fn show(
    view: &MessageView,
    manner: Manner,
    ending: Ending,
    meter: &Meter,
    out: &mut Vec<Shown>,
) -> Result<()> {
    let (stored, provider) = (&*view.stored, manner.provider);
    let mut messages = messages_of(stored, provider);
    let mut changed = false;
    if !is_own(provider) {
        native::attach(stored, provider, manner.strips(ending), &mut messages);
        changed = fit(stored, provider, &mut messages);
    }
    match messages.as_mut_slice() {
        [only] if !stored.message.parts.is_empty() && !changed && is_projected(only) => {
            only.tokens = native_cost(view);
            let (wire, own) = (only.name.as_deref(), stored.message.name.as_deref());
            if let Some(own) = own.filter(|own| wire != Some(own) && !own.is_empty())
                && stored.message.results().next().is_none()
            {
                let saved = NAME_TOKENS.saturating_add(meter.recurring(own)?);
                let spent = match wire {
                    Some(wire) => NAME_TOKENS.saturating_add(meter.recurring(wire)?),
                    None => 0,
                };
                only.tokens = only.tokens.saturating_add(spent).saturating_sub(saved);
            }
            let reasoning = reasoning_tokens(only, meter.counter())?;
            only.tokens = only.tokens.saturating_add(reasoning);
        }
        _ => {
            for message in &mut messages {
                message.tokens = message_tokens(message, meter.counter())?;
            }
        }
    }
    out.extend(messages.into_iter().map(|message| Shown {
        message,
        source: Some(view.stored.clone()),
        shrunk: false,
    }));
    Ok(())
}
