//! Blocks one by one: shape, emptiness, side, contents of results.

use crate::provider::tree::Tree;
use crate::provider::verify::rule::{A_EMPTY, A_MULTI, A_RESULT, A_SHAPE};
use crate::provider::verify::{Report, is_blank};

/// Checks the content of a message.
pub(super) fn check(message: &Tree<'_>, path: &str, is_last: bool, report: &mut Report) {
    let assistant = message.is("role", "assistant");
    let content = || format!("{path}/content");
    match message.get("content") {
        Some(Tree::Text(text)) => {
            let may_be_empty = is_last && assistant;
            report.add_if(
                is_blank(text) && !may_be_empty,
                &A_EMPTY,
                content,
                "the text is empty or white space alone",
            );
        }
        Some(Tree::Array(blocks)) => {
            report.add_if(
                blocks.is_empty() && !(is_last && assistant),
                &A_EMPTY,
                content,
                "the message is empty",
            );
            check_texts(blocks, &content(), report);
            for (at, block) in blocks.iter().enumerate() {
                check_block(block, assistant, &format!("{path}/content/{at}"), report);
            }
        }
        _ => report.add(
            &A_SHAPE,
            path,
            "the content is neither text nor a list of blocks",
        ),
    }
}

/// Checks that the texts among blocks say something.
pub(super) fn check_texts(blocks: &[Tree<'_>], path: &str, report: &mut Report) {
    for (at, block) in blocks.iter().enumerate() {
        if !block.is("type", "text") {
            continue;
        }
        let Some(text) = block.str_of("text") else {
            report.add(
                &A_SHAPE,
                format!("{path}/{at}"),
                "the text block has no text",
            );
            continue;
        };
        let alone = blocks.len() == 1;
        report.add_if(
            text.is_empty() || (alone && is_blank(text)),
            &A_EMPTY,
            || format!("{path}/{at}"),
            "the text is empty, or white space alone",
        );
    }
}

fn check_block(block: &Tree<'_>, assistant: bool, path: &str, report: &mut Report) {
    match block.str_of("type") {
        None => report.add(&A_SHAPE, path, "the block has no type"),
        Some("tool_use") => {
            let whole = block.get("input").is_some_and(Tree::is_object);
            report.add_if(
                !assistant || !whole,
                &A_SHAPE,
                || path.to_owned(),
                "the tool_use has no object as input, or is not the assistant's",
            );
        }
        Some("tool_result") => {
            report.add_if(
                assistant,
                &A_SHAPE,
                || path.to_owned(),
                "the tool_result stands on the assistant's side",
            );
            check_result(block, path, report);
        }
        Some(kind) => report.add_if(
            assistant && is_on_users_side(kind),
            &A_MULTI,
            || path.to_owned(),
            "an image or document stands on the assistant's side",
        ),
    }
}

fn check_result(block: &Tree<'_>, path: &str, report: &mut Report) {
    let path = || format!("{path}/content");
    match block.given("content") {
        None | Some(Tree::Text(_)) => {}
        Some(Tree::Array(blocks)) => {
            check_texts(blocks, &path(), report);
            for (at, block) in blocks.iter().enumerate() {
                report.add_if(
                    !block.str_of("type").is_some_and(may_be_result),
                    &A_RESULT,
                    || format!("{}/{at}", path()),
                    "a tool_result does not take such a block",
                );
            }
        }
        Some(_) => report.add(
            &A_RESULT,
            path(),
            "the result is neither text nor a list of blocks",
        ),
    }
}

/// Whether a tool_result may hold a block of this type.
pub(crate) fn may_be_result(kind: &str) -> bool {
    matches!(
        kind,
        "text" | "image" | "document" | "search_result" | "tool_reference" | "browser_state"
    )
}

/// Whether a block of this type belongs to the user's side.
pub(crate) fn is_on_users_side(kind: &str) -> bool {
    matches!(kind, "image" | "document" | "search_result")
}

/// Whether a block of this type is a call that the provider executes.
pub(crate) fn is_executed_call(kind: &str) -> bool {
    kind != "tool_use" && kind.ends_with("_tool_use")
}

/// Whether a block of this type is the result of a call that the provider executed.
pub(crate) fn is_executed_result(kind: &str) -> bool {
    kind != "tool_result" && kind.ends_with("_tool_result")
}
