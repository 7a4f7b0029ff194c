//! The list as its provider takes it: ids that are legal and unique, a user who speaks first and last, and the rules of
//! the provider checked on the bytes that are sent.

use std::collections::{BTreeMap, HashSet};

use aura_core::{
    CallId, ContextMessage, EventId, Loss, Notice, Provider, RawJson, Result, Role, Section,
    ToolDefinition,
};

use crate::manifest::ranges;
use crate::meter::{Meter, message_tokens};
use crate::provider::manner::{checks_ids, is_framed, is_own};
use crate::provider::native;
use crate::provider::repair::names::call_id;
use crate::provider::repair::{BEGIN, GO_ON};
use crate::provider::verify::{Violation, is_wire_id, verify};
use crate::render;
use crate::transcript::{EMPTY, Shown};

/// The longest id of a call that all providers take.
const ID_BYTES: usize = 64;
/// Notices about broken rules before the rest is left unsaid.
const NOTICES: usize = 8;

/// What the list got so that its provider takes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent {
    /// Messages that were put in: the first, the last.
    pub(crate) frame: Frame,
    /// What the reader of the manifest should know.
    pub(crate) notices: Vec<Notice>,
}

/// Whether placeholders stand at the ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Whether the user's first message is a placeholder, and where it stands.
    pub(crate) first: Option<usize>,
    /// Whether the last message is a placeholder.
    pub(crate) last: bool,
}

/// Makes a finished list one that its provider takes.
pub(crate) fn settle(
    messages: &mut Vec<ContextMessage>,
    provider: Provider,
    tools: &[ToolDefinition],
    meter: &Meter,
) -> Result<Sent> {
    let mut sent = Sent::default();
    if is_own(provider) {
        return Ok(sent);
    }
    if checks_ids(provider) {
        settle_ids(messages, meter)?;
    }
    sent.frame = frame(messages, provider, meter)?;
    let found = refuse_natives(messages, provider, tools, meter, &mut sent)?;
    let left = notices(&found, |rule, path| Notice::RuleBroken { rule, path });
    sent.notices.extend(left);
    Ok(sent)
}

/// Shows messages by their parts whose native form breaks a rule, and gives what is broken all the same.
fn refuse_natives(
    messages: &mut [ContextMessage],
    provider: Provider,
    tools: &[ToolDefinition],
    meter: &Meter,
    sent: &mut Sent,
) -> Result<Vec<Violation>> {
    loop {
        let body = render::body(provider, messages, tools)?;
        let found = verify(provider, &body)?;
        let natives = || {
            messages
                .iter()
                .filter_map(|message| message.native.as_ref())
        };
        if found.is_empty() || natives().next().is_none() {
            return Ok(found);
        }
        let left = NOTICES.saturating_sub(sent.notices.len());
        let refused = notices(&found, |rule, path| Notice::NativeRefused { rule, path });
        sent.notices.extend(refused.take(left));
        // Those that stand where a rule is broken; if that is elsewhere, all of them.
        let places: Vec<String> = found
            .iter()
            .filter_map(|one| native::element_at(&body, &one.path))
            .collect();
        let guilty = |native: &RawJson| native::stands_in(native.as_str(), provider, &places);
        let all = !natives().any(guilty);
        for message in messages.iter_mut() {
            if message
                .native
                .as_ref()
                .is_some_and(|native| all || guilty(native))
            {
                drop_native(message, meter)?;
            }
        }
        if checks_ids(provider) {
            settle_ids(messages, meter)?;
        }
    }
}

fn notices(
    found: &[Violation],
    notice: fn(String, String) -> Notice,
) -> impl Iterator<Item = Notice> {
    let first = found.iter().take(NOTICES);
    first.map(move |one| notice(one.rule.to_owned(), one.path.clone()))
}

/// Shows a message by its parts.
fn drop_native(message: &mut ContextMessage, meter: &Meter) -> Result<()> {
    if message.native.take().is_none() {
        return Ok(());
    }
    let silent =
        message.content.is_empty() && message.tool_calls.is_empty() && message.media.is_empty();
    if silent && message.role != Role::Tool {
        EMPTY.clone_into(&mut message.content);
    }
    message.tokens = message_tokens(message, meter.counter())?;
    Ok(())
}

/// Gives calls whose id the provider refuses, or that has been used before, another one, and their results too. Which,
/// depends on the id and the event alone, not on what else is shown.
fn settle_ids(messages: &mut [ContextMessage], meter: &Meter) -> Result<()> {
    let mut seen: HashSet<CallId> = HashSet::new();
    for at in 0..messages.len() {
        let Some(message) = messages.get_mut(at) else {
            continue;
        };
        let event = message.events.first().map_or(0, |event| event.0);
        let mut renamed = Vec::new();
        for (place, call) in message.tool_calls.iter_mut().enumerate() {
            let id = call.id.as_str();
            let legal = is_wire_id(id) && id.len() <= ID_BYTES;
            if !legal || seen.contains(&call.id) {
                let mut id = CallId::new(call_id(id, &event.to_string()))?;
                while seen.contains(&id) {
                    id = CallId::new(call_id(id.as_str(), ""))?;
                }
                call.id = id.clone();
                renamed.push((place, id));
            }
            seen.insert(call.id.clone());
        }
        if renamed.is_empty() {
            continue;
        }
        drop_native(message, meter)?;
        for (place, id) in renamed {
            // Results stand behind their message, in the order of the calls.
            if let Some(result) = messages.get_mut(at + 1 + place) {
                result.tool_call_id = Some(id);
                drop_native(result, meter)?;
            }
        }
    }
    Ok(())
}

/// Lets the user speak first and last where the provider demands it, and lets nobody send an empty list.
fn frame(messages: &mut Vec<ContextMessage>, provider: Provider, meter: &Meter) -> Result<Frame> {
    let mut frame = Frame::default();
    let put = |at: usize, content: &str, section: Section, messages: &mut Vec<ContextMessage>| {
        let mut message = ContextMessage {
            role: Role::User,
            name: None,
            content: content.to_owned(),
            tool_calls: Vec::new(),
            tool_call_id: None,
            is_error: false,
            media: Vec::new(),
            native: None,
            section,
            events: Vec::new(),
            tokens: 0,
        };
        message.tokens = message_tokens(&message, meter.counter())?;
        messages.insert(at, message);
        Ok::<(), aura_core::Error>(())
    };
    let prompt = |message: &ContextMessage| {
        message.section == Section::System && message.role == Role::System
    };
    let begin = messages.iter().position(|message| !prompt(message));
    let empty = match is_framed(provider) {
        true => begin.is_none(),
        false => messages.is_empty(),
    };
    if let Some(begin) = begin
        && is_framed(provider)
        && let Some(first) = messages
            .get(begin)
            .filter(|first| first.role == Role::Assistant)
    {
        let section = first.section;
        put(begin, BEGIN, section, messages)?;
        frame.first = Some(begin);
    }
    let ends = messages
        .last()
        .is_some_and(|last| last.role == Role::Assistant);
    if empty || (is_framed(provider) && ends) {
        put(messages.len(), GO_ON, Section::Tail, messages)?;
        frame.last = true;
    }
    Ok(frame)
}

/// What messages lost on their way to the provider.
#[derive(Debug, Clone, Default)]
pub(crate) struct Losses(BTreeMap<(Loss, String), Vec<EventId>>);

impl Losses {
    /// Notes what a message lost.
    pub(crate) fn note(&mut self, shown: &Shown, provider: Provider) {
        let Some(stored) = &shown.source else {
            return;
        };
        if shown.is_beside_result() || shown.shrunk {
            return;
        }
        for loss in native::losses(stored, &shown.message, provider) {
            self.0.entry(loss).or_default().push(stored.event_id);
        }
    }

    /// The notices for the manifest.
    pub(crate) fn notices(self) -> impl Iterator<Item = Notice> {
        self.0.into_iter().map(|((what, from), mut events)| {
            events.sort_unstable();
            events.dedup();
            Notice::Lost {
                what,
                from,
                events: ranges(events),
            }
        })
    }
}
