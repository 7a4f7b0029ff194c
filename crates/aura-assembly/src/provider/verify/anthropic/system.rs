//! System text, at the top and among the messages.

use super::blocks::check_texts;
use super::blocks_of;
use crate::provider::tree::Tree;
use crate::provider::verify::Report;
use crate::provider::verify::rule::{A_MIDSYS, A_SYS};
use crate::provider::verify::words::Model;

/// Checks the system prompt and system messages.
pub(super) fn check(
    body: &Tree<'_>,
    messages: &[Tree<'_>],
    model: Option<Model<'_>>,
    report: &mut Report,
) {
    match body.given("system") {
        None | Some(Tree::Text(_)) => {}
        Some(Tree::Array(blocks)) => {
            check_texts(blocks, "/system", report);
            for (at, block) in blocks.iter().enumerate() {
                report.add_if(
                    !block.is("type", "text"),
                    &A_SYS,
                    || format!("/system/{at}"),
                    "the system prompt holds a block that is no text",
                );
            }
        }
        Some(_) => report.add(
            &A_SYS,
            "/system",
            "the system prompt is neither text nor a list of text blocks",
        ),
    }
    for (at, message) in messages.iter().enumerate() {
        if !message.is("role", "system") {
            continue;
        }
        let path = || format!("/messages/{at}");
        report.add_if(
            !takes_system(model),
            &A_MIDSYS,
            path,
            "the model takes no system messages",
        );
        report.add_if(
            is_placed(messages, at) != Place::Right,
            &A_MIDSYS,
            path,
            "the system message is first, or not between a user turn and an assistant turn or the end",
        );
        report.add_if(
            turn_scoped_fault(message),
            &A_MIDSYS,
            path,
            "a system message for one turn is text alone, without cache_control",
        );
    }
}

/// Whether a model takes system messages; where none is named, the newest do.
pub(crate) fn takes_system(model: Option<Model<'_>>) -> bool {
    model.is_none_or(|model| match model.family {
        "opus" => model.version >= (4, 8),
        "sonnet" | "haiku" | "instant" => false,
        _ => true,
    })
}

/// Where a system message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where it may.
    Right,
    /// Before everything else.
    First,
    /// Between a call and its result.
    InsideAPair,
    /// Somewhere else that is wrong.
    Wrong,
}

/// Where the system message at a place stands; adjacent ones are judged together.
pub(crate) fn is_placed<'a, T: AsRef<Tree<'a>>>(messages: &[T], at: usize) -> Place {
    let is_system = |message: &&Tree<'a>| message.is("role", "system");
    let mut before = messages.iter().take(at).rev().map(AsRef::as_ref);
    let before = before.find(|message| !is_system(message));
    let mut after = messages.iter().skip(at + 1).map(AsRef::as_ref);
    let after = after.find(|message| !is_system(message));
    let Some(before) = before else {
        return Place::First;
    };
    let calls = |message: &Tree<'_>| {
        let mut blocks = blocks_of(message).iter();
        message.is("role", "assistant") && blocks.any(|block| block.is("type", "tool_use"))
    };
    if calls(before) {
        return Place::InsideAPair;
    }
    let behind = before.is("role", "user") || ends_with_executed_result(before);
    let ahead = after.is_none_or(|after| after.is("role", "assistant"));
    if behind && ahead {
        Place::Right
    } else {
        Place::Wrong
    }
}

fn ends_with_executed_result(message: &Tree<'_>) -> bool {
    let last = blocks_of(message).last();
    let kind = last.and_then(|block| block.str_of("type"));
    message.is("role", "assistant") && kind.is_some_and(super::is_executed_result)
}

/// Whether a message that is cleared at the next user message holds more than text.
pub(crate) fn turn_scoped_fault(message: &Tree<'_>) -> bool {
    if !message.is("clear_at", "next_user_message") {
        return false;
    }
    let fault =
        |block: &Tree<'_>| !block.is("type", "text") || block.given("cache_control").is_some();
    blocks_of(message).iter().any(fault)
}
