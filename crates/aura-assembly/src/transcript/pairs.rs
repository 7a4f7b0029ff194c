//! Tool calls and their results, kept together.

use aura_core::{BlockRef, ContextMessage, Provider, RenderedCall, Result, Role, Section};

use super::shown::Shown;
use crate::meter::{Meter, NAME_TOKENS, message_tokens};
use crate::provider::manner::names_results;

/// What stands for the result of a call that is still waited for.
pub(crate) const WAITING: &str = "[no result yet]";

/// What becomes of a call without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The turn has ended: the call is left out.
    Closed,
    /// The turn goes on: the call stays, and a placeholder keeps the pair.
    Open,
}

/// Puts the results of each call right behind it, in the order of the calls, and leaves out what has no other half.
///
/// A result answers the latest call of its id before it that has none yet.
pub(crate) fn pair(
    messages: Vec<Shown>,
    provider: Provider,
    ending: Ending,
    orphans: &mut Vec<BlockRef>,
    meter: &Meter,
) -> Result<Vec<Shown>> {
    let mut slots: Vec<Option<Shown>> = messages.into_iter().map(Some).collect();
    let mut out = Vec::with_capacity(slots.len());
    for at in 0..slots.len() {
        let is_answer = |shown: &Shown| shown.message.role == Role::Tool;
        let Some(shown) = slots
            .get_mut(at)
            .and_then(|slot| slot.take_if(|s| !is_answer(s)))
        else {
            continue;
        };
        if shown.message.tool_calls.is_empty() {
            out.push(shown);
        } else {
            join(shown, at, &mut slots, ending, &mut out, orphans, meter)?;
        }
    }
    let left = slots.into_iter().flatten();
    let left: Vec<BlockRef> = left.filter_map(|shown| reference(&shown)).collect();
    // What a tool shows beside its result goes with the result.
    out.retain(|shown| {
        !shown.is_beside_result() || reference(shown).is_none_or(|event| !left.contains(&event))
    });
    orphans.extend(left);
    if names_results(provider) {
        name_results(&mut out, meter)?;
    }
    Ok(out)
}

/// Gives each result the name of its call's tool.
fn name_results(messages: &mut [Shown], meter: &Meter) -> Result<()> {
    let mut names: std::vec::IntoIter<String> = Vec::new().into_iter();
    for shown in messages {
        let message = &mut shown.message;
        if message.role != Role::Tool {
            let calls = message.tool_calls.iter().map(|call| call.name.clone());
            names = calls.collect::<Vec<_>>().into_iter();
        } else if let Some(name) = names.next() {
            let more = NAME_TOKENS.saturating_add(meter.recurring(&name)?);
            message.tokens = message.tokens.saturating_add(more);
            message.name = Some(name);
        }
    }
    Ok(())
}

/// Appends a message with calls and its results.
fn join(
    mut shown: Shown,
    at: usize,
    slots: &mut [Option<Shown>],
    ending: Ending,
    out: &mut Vec<Shown>,
    orphans: &mut Vec<BlockRef>,
    meter: &Meter,
) -> Result<()> {
    let calls = std::mem::take(&mut shown.message.tool_calls);
    let all = calls.len();
    let mut results = Vec::with_capacity(all);
    for call in calls {
        match take_answer(&call, at, slots) {
            Some(result) => results.push(result),
            None if ending == Ending::Open => results.push(waiting(&call, meter)?),
            None => continue,
        }
        shown.message.tool_calls.push(call);
    }
    if shown.message.tool_calls.len() < all {
        orphans.extend(reference(&shown));
        shown.message.native = None;
        shown.message.tokens = message_tokens(&shown.message, meter.counter())?;
    }
    let message = &shown.message;
    if !message.tool_calls.is_empty() || !message.content.is_empty() || !message.media.is_empty() {
        out.push(shown);
        out.extend(results);
    }
    Ok(())
}

/// The first answer to a call behind it, unless the same id is called again before.
fn take_answer(call: &RenderedCall, at: usize, slots: &mut [Option<Shown>]) -> Option<Shown> {
    let behind = slots.iter_mut().skip(at + 1);
    for slot in behind {
        let Some(shown) = slot else { continue };
        let message = &shown.message;
        if message.tool_calls.iter().any(|later| later.id == call.id) {
            return None;
        }
        if message.role == Role::Tool && message.tool_call_id.as_ref() == Some(&call.id) {
            return slot.take();
        }
    }
    None
}

fn waiting(call: &RenderedCall, meter: &Meter) -> Result<Shown> {
    let mut message = ContextMessage {
        role: Role::Tool,
        name: None,
        content: WAITING.to_owned(),
        tool_calls: Vec::new(),
        tool_call_id: Some(call.id.clone()),
        is_error: false,
        media: Vec::new(),
        native: None,
        section: Section::Tail,
        events: Vec::new(),
        tokens: 0,
    };
    message.tokens = message_tokens(&message, meter.counter())?;
    Ok(Shown {
        message,
        source: None,
        shrunk: false,
    })
}

fn reference(shown: &Shown) -> Option<BlockRef> {
    let source = shown.source.as_ref()?;
    Some(BlockRef::Event(source.event_id))
}
