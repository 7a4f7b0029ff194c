//! The Anthropic Messages API. Source: anthropic 2.14.0, `types/message_create_params.py` and the blocks it names, and
//! the documentation of the platform.

mod blocks;
mod cache;
mod pairs;
mod system;
mod thinking;

use super::rule::{A_ALT, A_COMPACT, A_PREFILL, A_SHAPE, A_TOOLCHOICE};
use super::words::Model;
use super::{Report, is_blank, model_of};
use crate::provider::tree::Tree;

pub(crate) use blocks::{is_executed_call, is_executed_result, is_on_users_side, may_be_result};
pub(crate) use cache::{BREAKPOINTS, Breakpoint, Step, breakpoints, is_late_long};
pub(crate) use pairs::pending;
pub(crate) use system::{Place, is_placed, takes_system, turn_scoped_fault};
pub(crate) use thinking::{is_sealed, is_thinking, wants_thinking};

/// How many messages a request may have.
pub(crate) const MESSAGES: usize = 100_000;

/// Checks a body.
pub(super) fn check(body: &Tree<'_>, report: &mut Report) {
    let messages = body
        .get("messages")
        .and_then(Tree::items)
        .unwrap_or_default();
    let model = model_of(body);
    check_list(messages, model, report);
    for (at, message) in messages.iter().enumerate() {
        let path = format!("/messages/{at}");
        let is_last = at + 1 == messages.len();
        blocks::check(message, &path, is_last, report);
    }
    pairs::check(messages, report);
    pairs::check_names(body, messages, report);
    thinking::check(body, messages, report);
    system::check(body, messages, model, report);
    cache::check(body, report);
    check_compaction(messages, report);
    report.add_if(
        is_forced_wrongly(body),
        &A_TOOLCHOICE,
        || "/tool_choice".into(),
        "a tool is forced, which this model or manual thinking does not allow",
    );
}

/// The blocks of a message whose content is a list.
pub(crate) fn blocks_of<'t, 'a>(message: &'t Tree<'a>) -> &'t [Tree<'a>] {
    message
        .get("content")
        .and_then(Tree::items)
        .unwrap_or_default()
}

fn check_list(messages: &[Tree<'_>], model: Option<Model<'_>>, report: &mut Report) {
    let Some(first) = messages.first() else {
        report.add(&A_SHAPE, "/messages", "there is no message");
        return;
    };
    report.add_if(
        messages.len() > MESSAGES,
        &A_ALT,
        || "/messages".into(),
        "there are more than 100,000 messages",
    );
    for (at, message) in messages.iter().enumerate() {
        let known = matches!(
            message.str_of("role"),
            Some("user" | "assistant" | "system")
        );
        report.add_if(
            !known,
            &A_ALT,
            || format!("/messages/{at}"),
            "the role is neither user nor assistant",
        );
    }
    report.add_if(
        first.is("role", "assistant") && !begins_with_compaction(first),
        &A_ALT,
        || "/messages/0".into(),
        "the first turn is the assistant's",
    );
    let Some(last) = messages.last().filter(|last| last.is("role", "assistant")) else {
        return;
    };
    let path = || format!("/messages/{}", messages.len() - 1);
    if !takes_prefill(model) {
        report.add(
            &A_PREFILL,
            path(),
            "the request ends with the assistant's turn",
        );
    } else if ends_in_space(last) {
        report.add(&A_PREFILL, path(), "the prefill ends in white space");
    }
}

/// Whether a model goes on from a last assistant message; where none is named, the newest do not.
pub(crate) fn takes_prefill(model: Option<Model<'_>>) -> bool {
    let known = ["opus", "sonnet", "haiku", "instant"];
    model.is_some_and(|model| known.contains(&model.family) && model.version < (4, 6))
}

/// Whether the text that a message ends with ends in white space.
pub(crate) fn ends_in_space(message: &Tree<'_>) -> bool {
    let text = match message.get("content") {
        Some(Tree::Text(text)) => Some(text.as_ref()),
        Some(Tree::Array(blocks)) => blocks.last().and_then(|block| block.str_of("text")),
        _ => None,
    };
    text.is_some_and(|text| text.chars().next_back().is_some_and(char::is_whitespace))
}

/// Whether a message begins with a compaction block.
pub(crate) fn begins_with_compaction(message: &Tree<'_>) -> bool {
    let first = blocks_of(message).first();
    first.is_some_and(|block| block.is("type", "compaction"))
}

/// Whether a compaction block summarises anything.
pub(crate) fn summarises(block: &Tree<'_>) -> bool {
    block.is("type", "compaction") && block.given("content").is_some()
}

fn check_compaction(messages: &[Tree<'_>], report: &mut Report) {
    let all = || {
        messages.iter().enumerate().flat_map(|(at, message)| {
            let blocks = blocks_of(message).iter().enumerate();
            blocks.map(move |(block_at, block)| (at, block_at, block))
        })
    };
    let summaries = all().filter(|(.., block)| summarises(block)).count();
    for (at, block_at, block) in all().filter(|(.., block)| block.is("type", "compaction")) {
        let path = || format!("/messages/{at}/content/{block_at}");
        report.add_if(
            block.str_of("content").is_some_and(is_blank),
            &A_COMPACT,
            path,
            "the compaction block is empty",
        );
        if block.given("signature").is_some() {
            report.add_if(
                at > 0 || block_at > 0,
                &A_COMPACT,
                path,
                "the signed compaction block is not the first block",
            );
            report.add_if(
                summaries > 1,
                &A_COMPACT,
                path,
                "there is another compaction block beside the signed one",
            );
        }
    }
}

/// Whether thinking is switched on by hand.
pub(crate) fn thinks_by_hand(body: &Tree<'_>) -> bool {
    body.get("thinking")
        .is_some_and(|thinking| thinking.is("type", "enabled"))
}

/// Whether a tool is forced where that is not allowed.
pub(crate) fn is_forced_wrongly(body: &Tree<'_>) -> bool {
    let choice = body
        .get("tool_choice")
        .and_then(|choice| choice.str_of("type"));
    if !matches!(choice, Some("any" | "tool")) {
        return false;
    }
    let model = model_of(body);
    let refuses = model
        .is_some_and(|model| matches!(model.family, "fable" | "mythos") && model.version >= (5, 1));
    refuses || thinks_by_hand(body)
}
