//! Thinking blocks, as far as they can be judged without their provider.

use super::{blocks_of, thinks_by_hand};
use crate::provider::tree::Tree;
use crate::provider::verify::Report;
use crate::provider::verify::rule::A_THINK;

/// Checks the thinking of all messages.
pub(super) fn check(body: &Tree<'_>, messages: &[Tree<'_>], report: &mut Report) {
    for (at, message) in messages.iter().enumerate() {
        let assistant = message.is("role", "assistant");
        let mut called = false;
        for (block_at, block) in blocks_of(message).iter().enumerate() {
            let path = || format!("/messages/{at}/content/{block_at}");
            called |= block.is("type", "tool_use");
            if !is_thinking(block) {
                continue;
            }
            report.add_if(
                !is_sealed(block),
                &A_THINK,
                path,
                "the thinking has no signature, or the redacted thinking no data",
            );
            report.add_if(
                !assistant,
                &A_THINK,
                path,
                "thinking stands on the user's side",
            );
            report.add_if(
                called,
                &A_THINK,
                path,
                "thinking stands behind the tool_use of its turn",
            );
        }
    }
    report.add_if(
        wants_thinking(body, messages),
        &A_THINK,
        || format!("/messages/{}", loop_start(messages)),
        "manual thinking is on, and the tool loop begins without its thinking",
    );
}

/// Whether a block is thinking, readable or not.
pub(crate) fn is_thinking(block: &Tree<'_>) -> bool {
    matches!(block.str_of("type"), Some("thinking" | "redacted_thinking"))
}

/// Whether a block of thinking has what it must go back with.
pub(crate) fn is_sealed(block: &Tree<'_>) -> bool {
    let full = |key: &str| block.str_of(key).is_some_and(|text| !text.is_empty());
    if block.is("type", "thinking") {
        full("signature") && block.str_of("thinking").is_some()
    } else {
        full("data")
    }
}

/// Whether the last message carries results of tools, so that the assistant's turn goes on.
fn is_unfinished(messages: &[Tree<'_>]) -> bool {
    messages.last().is_some_and(holds_results)
}

fn holds_results(message: &Tree<'_>) -> bool {
    let mut blocks = blocks_of(message).iter();
    message.is("role", "user") && blocks.any(|block| block.is("type", "tool_result"))
}

/// The place of the message that the assistant's unfinished turn begins with.
fn loop_start(messages: &[Tree<'_>]) -> usize {
    let is_user = |message: &Tree<'_>| message.is("role", "user") && !holds_results(message);
    messages.iter().rposition(is_user).map_or(0, |at| at + 1)
}

/// Whether an unfinished tool loop lacks the thinking that manual thinking demands.
pub(crate) fn wants_thinking(body: &Tree<'_>, messages: &[Tree<'_>]) -> bool {
    if !thinks_by_hand(body) || !is_unfinished(messages) {
        return false;
    }
    let turn = messages.iter().skip(loop_start(messages));
    let mut said = turn.filter(|message| message.is("role", "assistant"));
    let thought = |message: &Tree<'_>| blocks_of(message).first().is_some_and(is_thinking);
    !said.any(thought)
}
