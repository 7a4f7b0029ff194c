//! OpenAI chat completions. Source: openai 3.57.0, `types/chat`; the error texts quoted in issues.

use super::rule::{O_CONTENT, O_NAME, O_ORPHAN, O_PAIR, O_SHAPE, O_SYS};
use super::{Report, is_tool_name};
use crate::provider::tree::Tree;

/// Roles that a message may have.
pub(crate) const ROLES: [&str; 6] = [
    "developer",
    "system",
    "user",
    "assistant",
    "tool",
    "function",
];

/// Checks a body.
pub(super) fn check(body: &Tree<'_>, report: &mut Report) {
    let messages = body
        .get("messages")
        .and_then(Tree::items)
        .unwrap_or_default();
    report.add_if(
        messages.is_empty(),
        &O_SHAPE,
        || "/messages".into(),
        "there is no message",
    );
    for (at, message) in messages.iter().enumerate() {
        let path = format!("/messages/{at}");
        match message.str_of("role") {
            Some(role) if ROLES.contains(&role) => check_message(message, role, &path, report),
            _ => report.add(&O_SHAPE, path, "this is no message of a known role"),
        }
    }
    check_pairs(messages, report);
    check_tools(body, report);
}

fn check_message(message: &Tree<'_>, role: &str, path: &str, report: &mut Report) {
    check_content(message, role, path, report);
    if let Some(name) = message.given("name") {
        let legal = name.as_str().is_some_and(is_speaker);
        report.add_if(
            !legal,
            &O_NAME,
            || format!("{path}/name"),
            "the name is empty or holds white space or one of < | \\ / >",
        );
    }
    let Some(calls) = message.given("tool_calls") else {
        return;
    };
    let path = format!("{path}/tool_calls");
    let Some(calls) = calls.items().filter(|calls| !calls.is_empty()) else {
        report.add(&O_SHAPE, path, "the list of calls is empty or no list");
        return;
    };
    report.add_if(
        role != "assistant",
        &O_SHAPE,
        || path.clone(),
        "only an assistant calls tools",
    );
    for (at, call) in calls.iter().enumerate() {
        if !is_whole(call) {
            report.add(
                &O_SHAPE,
                format!("{path}/{at}"),
                "the call lacks its id, its name or its arguments as text",
            );
        } else if let Some(name) = call
            .get("function")
            .and_then(|function| function.str_of("name"))
        {
            report.add_if(
                !is_tool_name(name),
                &O_NAME,
                || format!("{path}/{at}/function/name"),
                "the tool's name is not ^[a-zA-Z0-9_-]{1,64}$",
            );
        }
    }
}

/// Whether a call has all its fields.
pub(crate) fn is_whole(call: &Tree<'_>) -> bool {
    let id = call.str_of("id").is_some_and(|id| !id.is_empty());
    let body = match call.str_of("type") {
        Some("custom") => call.get("custom").map(|custom| (custom, "input")),
        Some("function") => call.get("function").map(|function| (function, "arguments")),
        _ => None,
    };
    id && body
        .is_some_and(|(body, input)| body.str_of("name").is_some() && body.str_of(input).is_some())
}

/// Whether a speaker's name is one that the provider takes.
pub(crate) fn is_speaker(name: &str) -> bool {
    let refused = |c: char| c.is_whitespace() || c.is_control() || "<|\\/>".contains(c);
    !name.is_empty() && name.chars().count() <= 64 && !name.contains(refused)
}

/// The types of parts that a role's content may have; `None` for any.
pub(crate) fn parts_of(role: &str) -> Option<&'static [&'static str]> {
    match role {
        "system" | "developer" | "tool" => Some(&["text"]),
        "assistant" => Some(&["text", "refusal"]),
        _ => None,
    }
}

fn check_content(message: &Tree<'_>, role: &str, path: &str, report: &mut Report) {
    let path = || format!("{path}/content");
    let system = matches!(role, "system" | "developer");
    match message.given("content") {
        None => {
            let instead = ["tool_calls", "function_call", "audio", "refusal"];
            let said =
                role == "assistant" && instead.iter().any(|key| message.given(key).is_some());
            let old = role == "function";
            report.add_if(!said && !old, &O_CONTENT, path, "content is missing");
        }
        Some(Tree::Text(_)) => {}
        Some(Tree::Array(parts)) => {
            report.add_if(
                parts.is_empty(),
                &O_CONTENT,
                path,
                "the list of parts is empty",
            );
            let allowed = parts_of(role);
            for (at, part) in parts.iter().enumerate() {
                let kind = part.str_of("type");
                let legal = match allowed {
                    Some(allowed) => kind.is_some_and(|kind| allowed.contains(&kind)),
                    None => kind.is_some(),
                };
                let rule = if system { &O_SYS } else { &O_CONTENT };
                report.add_if(
                    !legal,
                    rule,
                    || format!("{}/{at}", path()),
                    "a message of this role does not take such a part",
                );
            }
        }
        Some(_) => report.add(
            &O_CONTENT,
            path(),
            "content is neither text nor a list of parts",
        ),
    }
}

fn check_pairs(messages: &[Tree<'_>], report: &mut Report) {
    // The ids that may still be answered, each with whether it was.
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut caller = 0;
    let close = |open: &mut Vec<(&str, bool)>, caller: usize, report: &mut Report| {
        for (at, (_, answered)) in open.drain(..).enumerate() {
            report.add_if(
                !answered,
                &O_PAIR,
                || format!("/messages/{caller}/tool_calls/{at}"),
                "the call has no tool message directly behind its message",
            );
        }
    };
    for (at, message) in messages.iter().enumerate() {
        if message.is("role", "tool") {
            let id = message.str_of("tool_call_id");
            let slot = open
                .iter_mut()
                .find(|(open, answered)| Some(*open) == id && !answered);
            match slot {
                Some((_, answered)) => *answered = true,
                None => report.add(
                    &O_ORPHAN,
                    format!("/messages/{at}"),
                    "the tool message answers no call of the assistant message before it",
                ),
            }
            continue;
        }
        close(&mut open, caller, report);
        let calls = message.given("tool_calls").and_then(Tree::items);
        if message.is("role", "assistant") {
            caller = at;
            let calls = calls.unwrap_or_default().iter();
            open.extend(calls.map(|call| (call.str_of("id").unwrap_or(""), false)));
            for (at, (id, _)) in open.iter().enumerate() {
                let twice = open.iter().take(at).any(|(other, _)| other == id);
                report.add_if(
                    twice,
                    &O_PAIR,
                    || format!("/messages/{caller}/tool_calls/{at}/id"),
                    "two calls of one message have the same id",
                );
            }
        }
    }
    close(&mut open, caller, report);
}

fn check_tools(body: &Tree<'_>, report: &mut Report) {
    let tools = body.get("tools").and_then(Tree::items).unwrap_or_default();
    for (at, tool) in tools.iter().enumerate() {
        let Some(function) = tool.get("function") else {
            continue;
        };
        report.add_if(
            !function.str_of("name").is_some_and(is_tool_name),
            &O_NAME,
            || format!("/tools/{at}/function/name"),
            "the tool's name is not ^[a-zA-Z0-9_-]{1,64}$",
        );
    }
}
