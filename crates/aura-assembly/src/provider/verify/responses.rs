//! The OpenAI Responses API. Source: openai 3.57.0, `types/responses`; the error texts quoted in issues.

use std::collections::HashMap;

use super::rule::{R_CACHE, R_COMPACT, R_NAME, R_PAIR, R_PHASE, R_REASON, R_SHAPE, R_SUMMARY};
use super::{Report, is_tool_name};
use crate::provider::tree::Tree;

/// How many explicit cache breakpoints a request may have.
pub(crate) const BREAKPOINTS: usize = 4;

/// Checks a body.
pub(super) fn check(body: &Tree<'_>, report: &mut Report) {
    if let Some(items) = body.get("input").and_then(Tree::items) {
        report.add_if(
            items.is_empty() && !continues(body),
            &R_SHAPE,
            || "/input".into(),
            "there is no item",
        );
        let unstored = is_unstored(body);
        for (at, item) in items.iter().enumerate() {
            check_item(item, &format!("/input/{at}"), unstored, report);
        }
        check_pairs(items, continues(body), report);
        check_reasoning(items, report);
        check_breakpoints(items, report);
    }
    let tools = body.get("tools").and_then(Tree::items).unwrap_or_default();
    for (at, tool) in tools.iter().enumerate() {
        report.add_if(
            tool.is("type", "function") && !tool.str_of("name").is_some_and(is_tool_name),
            &R_NAME,
            || format!("/tools/{at}/name"),
            "the tool's name is not ^[a-zA-Z0-9_-]{1,64}$",
        );
    }
}

/// Whether calls may stand in what the provider keeps.
pub(crate) fn continues(body: &Tree<'_>) -> bool {
    body.given("previous_response_id").is_some() || body.given("conversation").is_some()
}

/// Whether the provider keeps nothing.
pub(crate) fn is_unstored(body: &Tree<'_>) -> bool {
    matches!(body.get("store"), Some(Tree::Bare(value)) if value == "false")
}

/// What an item is.
pub(crate) fn kind<'t>(item: &'t Tree<'_>) -> Option<&'t str> {
    match item.given("type") {
        Some(kind) => kind.as_str(),
        None => item.str_of("role").map(|_| "message"),
    }
}

/// The kind of calls that an output answers; `None` for what is no output.
pub(crate) fn answers(kind: &str) -> Option<&str> {
    kind.strip_suffix("_output").filter(|call| is_call(call))
}

/// Whether an item of this kind is a call that the caller executes.
pub(crate) fn is_call(kind: &str) -> bool {
    matches!(
        kind,
        "function_call" | "custom_tool_call" | "computer_call" | "shell_call" | "apply_patch_call"
    )
}

/// What is wrong with an item on its own, beside its pair: its rule, where below it, and what.
pub(crate) fn faults(
    item: &Tree<'_>,
    unstored: bool,
) -> Vec<(&'static super::Rule, &'static str, &'static str)> {
    let mut found = Vec::new();
    let text = |key: &str| item.str_of(key).is_some_and(|text| !text.is_empty());
    match kind(item) {
        Some("message") => {
            let role = item.str_of("role");
            let known = matches!(role, Some("user" | "assistant" | "system" | "developer"));
            if !known {
                found.push((&R_SHAPE, "", "the message has no known role"));
            }
            let said = matches!(item.get("content"), Some(Tree::Text(_) | Tree::Array(_)));
            if !said {
                found.push((&R_SHAPE, "", "the message has no content"));
            }
            if let Some(phase) = item.given("phase") {
                let legal = matches!(phase.as_str(), Some("commentary" | "final_answer"));
                if !legal || role != Some("assistant") {
                    let what = "phase is neither commentary nor final_answer of an assistant";
                    found.push((&R_PHASE, "/phase", what));
                }
            }
        }
        Some("function_call") => {
            if !text("call_id")
                || item.str_of("name").is_none()
                || item.str_of("arguments").is_none()
            {
                let what = "the call lacks its id, its name or its arguments as text";
                found.push((&R_SHAPE, "", what));
            } else if !item.str_of("name").is_some_and(is_tool_name) {
                let what = "the tool's name is not ^[a-zA-Z0-9_-]{1,64}$";
                found.push((&R_NAME, "/name", what));
            }
        }
        Some("function_call_output") => {
            let given = matches!(item.get("output"), Some(Tree::Text(_) | Tree::Array(_)));
            if !text("call_id") || !given {
                found.push((&R_SHAPE, "", "the output lacks its call's id or the output"));
            }
        }
        Some("reasoning") => {
            if item.get("summary").and_then(Tree::items).is_none() {
                found.push((&R_SUMMARY, "", "the summary is missing, which may be empty"));
            }
            if unstored && !text("encrypted_content") {
                let what = "without storage the reasoning needs its encrypted content";
                found.push((&R_SUMMARY, "/encrypted_content", what));
            }
        }
        Some("compaction") => {
            if !text("encrypted_content") {
                let what = "the compaction lacks its encrypted content";
                found.push((&R_COMPACT, "", what));
            }
        }
        Some(call) if is_call(call) || answers(call).is_some() => {
            if !text("call_id") {
                found.push((&R_SHAPE, "", "the item lacks its call's id"));
            }
        }
        Some(_) => {}
        None => found.push((&R_SHAPE, "", "the item has neither a type nor a role")),
    }
    found
}

fn check_item(item: &Tree<'_>, path: &str, unstored: bool, report: &mut Report) {
    for (rule, below, meaning) in faults(item, unstored) {
        report.add(rule, format!("{path}{below}"), meaning);
    }
}

fn check_pairs(items: &[Tree<'_>], continues: bool, report: &mut Report) {
    // By the call's id: its kind, its place, whether it is answered.
    let mut calls: HashMap<&str, (&str, usize, bool)> = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        let (Some(kind), Some(id)) = (kind(item), item.str_of("call_id")) else {
            continue;
        };
        if is_call(kind) {
            if calls.contains_key(id) {
                let path = format!("/input/{at}/call_id");
                report.add(&R_PAIR, path, "two calls have the same id");
            } else {
                calls.insert(id, (kind, at, false));
            }
        } else if let Some(answered) = answers(kind) {
            let call = calls
                .get_mut(id)
                .filter(|(kind, _, done)| *kind == answered && !*done);
            match call {
                Some((.., done)) => *done = true,
                None if continues => {}
                None => report.add(
                    &R_PAIR,
                    format!("/input/{at}"),
                    "the output has no call before it",
                ),
            }
        }
    }
    let mut waiting: Vec<usize> = calls
        .into_values()
        .filter_map(|(_, at, done)| (!done).then_some(at))
        .collect();
    waiting.sort_unstable();
    for at in waiting {
        report.add(
            &R_PAIR,
            format!("/input/{at}"),
            "the call has no output behind it",
        );
    }
}

/// Whether reasoning may lead to this item.
pub(crate) fn is_led_to(item: &Tree<'_>) -> bool {
    match kind(item) {
        Some("message") => item.is("role", "assistant"),
        Some("reasoning") => true,
        Some(kind) => kind.ends_with("_call") || matches!(kind, "program" | "mcp_approval_request"),
        None => false,
    }
}

fn check_reasoning(items: &[Tree<'_>], report: &mut Report) {
    for (at, item) in items.iter().enumerate() {
        let alone = kind(item) == Some("reasoning") && !items.get(at + 1).is_some_and(is_led_to);
        report.add_if(
            alone,
            &R_REASON,
            || format!("/input/{at}"),
            "the reasoning is not followed by the item it led to",
        );
    }
}

fn check_breakpoints(items: &[Tree<'_>], report: &mut Report) {
    let mut count = 0;
    for (at, item) in items.iter().enumerate() {
        for key in ["content", "output"] {
            let parts = item.get(key).and_then(Tree::items).unwrap_or_default();
            for (part_at, part) in parts.iter().enumerate() {
                count += usize::from(part.given("prompt_cache_breakpoint").is_some());
                report.add_if(
                    part.given("prompt_cache_breakpoint").is_some() && count == BREAKPOINTS + 1,
                    &R_CACHE,
                    || format!("/input/{at}/{key}/{part_at}/prompt_cache_breakpoint"),
                    "this is the fifth explicit cache breakpoint",
                );
            }
        }
    }
}
