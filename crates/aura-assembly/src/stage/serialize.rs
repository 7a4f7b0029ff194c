//! Serialize: the list as it is sent, and what it has in tokens.

use aura_core::{ContextMessage, History, Result, Role, Section, ToolDefinition, Totals};

use super::admit::Admitted;
use super::order::Ordered;
use super::retrieve::plain;
use crate::evidence;
use crate::manifest::Sums;
use crate::meter::{LIST_TOKENS, MESSAGE_TOKENS, Meter, reasoning_tokens};
use crate::plan::continued::Continued;
use crate::provider::sent::{self, Losses, Sent};
use crate::request::CompileRequest;
use crate::transcript::Shown;

pub(crate) mod cache;

/// The finished list.
#[derive(Debug, Clone)]
pub(crate) struct Serialized {
    /// The messages.
    pub(crate) messages: Vec<ContextMessage>,
    /// The tokens of messages, tools and what begins the answer.
    pub(crate) tokens: u32,
    /// The tokens of the tools among them.
    pub(crate) tool_tokens: u32,
    /// What the list got so that its provider takes it.
    pub(crate) sent: Sent,
    /// How many of the messages, from the first on, a continued list took over.
    pub(crate) continued: usize,
}

/// Writes the messages in their order; they are moved out of `admitted`.
pub(crate) fn run(
    request: &CompileRequest<'_>,
    meter: &Meter,
    admitted: &mut Admitted,
    ordered: Ordered,
    before: Option<&Continued>,
) -> Result<Serialized> {
    let provider = request.provider;
    let (mut messages, mut losses) = match before {
        Some(before) => (before.messages.clone(), before.losses.clone()),
        None => (Vec::new(), Losses::default()),
    };
    let continued = messages.len();
    let mut push_all = |shown: Vec<Shown>, section: Section, out: &mut Vec<ContextMessage>| {
        for shown in &shown {
            losses.note(shown, provider);
        }
        push_all(shown, section, out);
    };
    messages.extend(admitted.system.take());
    messages.extend(admitted.constraints.take());
    for turn in &mut admitted.history {
        push_all(
            std::mem::take(&mut turn.messages),
            Section::History,
            &mut messages,
        );
    }
    push_all(ordered.replayed, Section::Evidence, &mut messages);
    let beside = messages
        .iter()
        .chain(admitted.asked.messages().map(|shown| &shown.message));
    let untrusted = beside.filter(|message| message.role != Role::System);
    let mut others = untrusted.map(|message| message.content.as_str());
    let fenced = evidence::render(&ordered.pieces, &mut others, meter)?;
    drop(others);
    if let Some(fenced) = fenced {
        let tokens = fenced.tokens.saturating_add(MESSAGE_TOKENS);
        let mut message = plain(Role::User, Section::Evidence, fenced.content, tokens);
        message.events = ordered.excerpted;
        messages.push(message);
    }
    let asked = &mut admitted.asked;
    push_all(
        std::mem::take(&mut asked.before),
        Section::Tail,
        &mut messages,
    );
    let question = asked.question.take().into_iter().collect();
    push_all(question, Section::Question, &mut messages);
    let tail = std::mem::take(&mut asked.tail.messages);
    push_all(tail, Section::Tail, &mut messages);
    finish(request, meter, messages, losses, continued)
}

/// Makes the list one that its provider takes, and counts it.
pub(crate) fn finish(
    request: &CompileRequest<'_>,
    meter: &Meter,
    mut messages: Vec<ContextMessage>,
    losses: Losses,
    continued: usize,
) -> Result<Serialized> {
    let mut sent = sent::settle(&mut messages, request.provider, request.tools, meter)?;
    sent.notices.extend(losses.notices());
    let tool_tokens = tool_tokens(request.tools, meter)?;
    Ok(Serialized {
        tokens: list_tokens(&messages, tool_tokens),
        messages,
        tool_tokens,
        continued: match continued {
            0 => 0,
            // A placeholder stands before the first message of the turns.
            count => count + usize::from(sent.frame.first.is_some()),
        },
        sent,
    })
}

/// The tokens of a whole list.
fn list_tokens(messages: &[ContextMessage], tool_tokens: u32) -> u32 {
    let around = LIST_TOKENS.saturating_add(tool_tokens);
    messages
        .iter()
        .fold(around, |sum, message| sum.saturating_add(message.tokens))
}

/// The tokens of the tools.
fn tool_tokens(tools: &[ToolDefinition], meter: &Meter) -> Result<u32> {
    let mut sum = 0_u32;
    for tool in tools {
        sum = sum.saturating_add(meter.tool(tool)?);
    }
    Ok(sum)
}

/// Totals and cache segments of a finished list.
pub(crate) fn sums(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
    list: &Serialized,
    recall_tokens: u32,
    after_failure: bool,
) -> Result<Sums> {
    let of = |wanted: fn(Section) -> bool| {
        let messages = list.messages.iter();
        messages
            .filter(move |message| wanted(message.section))
            .fold(0_u64, |sum, message| sum + u64::from(message.tokens))
    };
    let asked =
        of(|section| matches!(section, Section::System | Section::Question | Section::Tail));
    // After a failure the transcript is worth more than the account of what all of it would cost.
    let whole = match history.history_tokens(MESSAGE_TOKENS) {
        Err(_) if after_failure => 0,
        answer => answer?,
    };
    let whole = whole
        .saturating_add(asked)
        .saturating_add(u64::from(list.tool_tokens.saturating_add(LIST_TOKENS)));
    let mut reasoning = 0_u32;
    for message in &list.messages {
        reasoning = reasoning.saturating_add(reasoning_tokens(message, meter.counter())?);
    }
    Ok(Sums {
        reasoning,
        totals: Totals {
            budget: request.policy.input_budget(),
            tokens: list.tokens,
            tool_tokens: list.tool_tokens,
            recall_tokens,
            history_tokens: whole,
            error_bound: meter.error_bound(list.tokens),
        },
        cached: cache::account(request, list),
    })
}

fn push_all(shown: Vec<Shown>, section: Section, out: &mut Vec<ContextMessage>) {
    out.extend(shown.into_iter().map(|shown| ContextMessage {
        section,
        ..shown.message
    }));
}
