//! The Anthropic Messages API: turns of blocks, results first.

use aura_core::{CallId, ContextMessage, Provider, RawJson, Role, ToolDefinition};

use super::{array, is_prompt, label, media, quoted};
use crate::provider::native;

/// The messages as a JSON array, system prompt apart; runs of one side become one message. `marks` are cache breakpoints,
/// each behind so many messages of the list.
pub(super) fn messages(list: &[ContextMessage], marks: &[u32]) -> String {
    let marked = |at: usize| marks.iter().any(|mark| *mark as usize == at + 1);
    let shown: Vec<Marked<'_>> = list
        .iter()
        .enumerate()
        .filter(|(_, message)| !is_prompt(message))
        .map(|(at, message)| Marked {
            message,
            marked: marked(at),
        })
        .collect();
    let mut out = Vec::with_capacity(shown.len());
    for run in shown.chunk_by(|a, b| is_assistant(a.message) == is_assistant(b.message)) {
        out.push(turn(run));
    }
    array(&out)
}

/// A message, and whether a breakpoint stands behind it.
struct Marked<'m> {
    message: &'m ContextMessage,
    marked: bool,
}

fn is_assistant(message: &ContextMessage) -> bool {
    message.role == Role::Assistant
}

fn turn(run: &[Marked<'_>]) -> String {
    let assistant = run.first().is_some_and(|first| is_assistant(first.message));
    if let [
        Marked {
            message: only,
            marked: false,
        },
    ] = run
    {
        if let Some(native) = &only.native {
            return native.as_str().to_owned();
        }
        let plain = only.role != Role::Tool
            && only.tool_calls.is_empty()
            && only.media.is_empty()
            && (only.name.is_none() || assistant);
        if plain {
            return wrap(assistant, &quoted(&only.content));
        }
    }
    let (mut results, mut others) = (Vec::new(), Vec::new());
    for Marked { message, marked } in run {
        let mut blocks = blocks(message);
        if let Some(last) = blocks
            .last_mut()
            .filter(|_| *marked && message.native.is_none())
        {
            *last = kept(last);
        }
        for block in blocks {
            let first = !assistant && native::is_result_block(&block);
            if first { &mut results } else { &mut others }.push(block);
        }
    }
    results.append(&mut others);
    wrap(assistant, &array(&results))
}

/// The same object with a breakpoint; its key is the first by the alphabet.
fn kept(object: &str) -> String {
    match object.strip_prefix('{') {
        Some(rest) => format!(r#"{{"cache_control":{{"type":"ephemeral"}},{rest}"#),
        None => object.to_owned(),
    }
}

/// The system prompt as a block, with a breakpoint where one stands behind the last message of it.
pub(super) fn system(text: &str, list: &[ContextMessage], marks: &[u32]) -> String {
    let last = list.iter().rposition(is_prompt);
    let marked = last.is_some_and(|at| marks.iter().any(|mark| *mark as usize == at + 1));
    let block = text_block(text);
    if marked { kept(&block) } else { block }
}

fn wrap(assistant: bool, content: &str) -> String {
    let role = if assistant { "assistant" } else { "user" };
    format!(r#"{{"content":{content},"role":"{role}"}}"#)
}

/// The blocks of a message.
fn blocks(message: &ContextMessage) -> Vec<String> {
    if let Some(native) = &message.native {
        return native::anthropic_blocks(native.as_str()).unwrap_or_default();
    }
    if let Some(id) = &message.tool_call_id {
        return vec![result_block(message, id)];
    }
    let mut out = Vec::new();
    if message.role == Role::User {
        out.extend(label(message).map(|label| text_block(&label)));
    }
    if !message.content.is_empty() {
        out.push(text_block(&message.content));
    }
    out.extend(message.media.iter().map(|one| {
        let part = media::part(one, Provider::Anthropic).filter(|_| message.role == Role::User);
        part.unwrap_or_else(|| text_block(&media::mention(one)))
    }));
    let calls = message.tool_calls.iter();
    out.extend(calls.map(|call| call_block(&call.id, &call.name, &call.arguments)));
    out
}

fn result_block(message: &ContextMessage, id: &CallId) -> String {
    let mut inner = Vec::new();
    if !message.content.is_empty() {
        inner.push(text_block(&message.content));
    }
    inner.extend(message.media.iter().map(|one| {
        media::part(one, Provider::Anthropic).unwrap_or_else(|| text_block(&media::mention(one)))
    }));
    let content = if message.media.is_empty() && !message.content.is_empty() {
        format!(r#""content":{},"#, quoted(&message.content))
    } else if inner.is_empty() {
        String::new()
    } else {
        format!(r#""content":{},"#, array(&inner))
    };
    let failed = if message.is_error {
        r#""is_error":true,"#
    } else {
        ""
    };
    let id = quoted(id.as_str());
    format!(r#"{{{content}{failed}"tool_use_id":{id},"type":"tool_result"}}"#)
}

/// A text.
pub(crate) fn text_block(text: &str) -> String {
    format!(r#"{{"text":{},"type":"text"}}"#, quoted(text))
}

/// A call.
pub(crate) fn call_block(id: &CallId, name: &str, arguments: &RawJson) -> String {
    format!(
        r#"{{"id":{},"input":{},"name":{},"type":"tool_use"}}"#,
        quoted(id.as_str()),
        arguments.as_str(),
        quoted(name)
    )
}

/// The tools as a JSON array, the last with a breakpoint where one stands before all messages.
pub(super) fn tools(offered: &[ToolDefinition], marks: &[u32]) -> String {
    let tool = |tool: &ToolDefinition| {
        format!(
            r#"{{"description":{},"input_schema":{},"name":{}}}"#,
            quoted(&tool.description),
            tool.parameters.as_str(),
            quoted(&tool.name)
        )
    };
    let mut tools: Vec<String> = offered.iter().map(tool).collect();
    if let Some(last) = tools.last_mut().filter(|_| marks.contains(&0)) {
        *last = kept(last);
    }
    array(&tools)
}
