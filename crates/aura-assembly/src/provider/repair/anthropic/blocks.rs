//! Blocks one by one.

use super::{blocks_mut, message, text_block};
use crate::provider::repair::list::{Entry, Log, drain};
use crate::provider::tree::Tree;
use crate::provider::verify::anthropic::{
    is_executed_call, is_on_users_side, is_sealed, is_thinking, may_be_result, pending,
};
use crate::provider::verify::is_blank;
use crate::provider::verify::rule::{A_EMPTY, A_MULTI, A_PAIR, A_RESULT, A_SHAPE, A_THINK};

/// Mends the blocks of all messages.
pub(super) fn mend(entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    for entry in entries.iter_mut() {
        shapes(entry, log);
        thinking(entry, log);
    }
    pending_calls(entries, log);
    media(entries, log);
    for entry in entries.iter_mut() {
        results(entry, log);
        texts(entry, log);
    }
    drop_empty(entries, log);
}

fn shapes(entry: &mut Entry<'_>, log: &mut Log) {
    let assistant = entry.tree.is("role", "assistant");
    let path = format!("/messages/{}", entry.at);
    let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") else {
        return;
    };
    blocks.retain_mut(|block| {
        let whole = match block.str_of("type") {
            None => false,
            Some("text") => block.str_of("text").is_some(),
            Some("tool_use") => assistant,
            Some("tool_result") => !assistant,
            Some(_) => true,
        };
        if !whole {
            let did = "a block taken out that is incomplete or on the wrong side";
            log.note(&A_SHAPE, path.clone(), did);
            return false;
        }
        if block.is("type", "tool_use") && !block.get("input").is_some_and(Tree::is_object) {
            let input = match block.given("input") {
                None => Tree::Object(Vec::new()),
                Some(input) => Tree::object([("value", input.clone())]),
            };
            block.set("input", input);
            log.note(
                &A_SHAPE,
                path.clone(),
                "the input of a tool_use made an object",
            );
        }
        true
    });
}

fn thinking(entry: &mut Entry<'_>, log: &mut Log) {
    let assistant = entry.tree.is("role", "assistant");
    let path = format!("/messages/{}", entry.at);
    let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") else {
        return;
    };
    let mut called = false;
    blocks.retain(|block| {
        called |= block.is("type", "tool_use");
        let kept = !is_thinking(block) || (assistant && !called && is_sealed(block));
        if !kept {
            let did = "thinking taken out that is not signed or out of its place";
            log.note(&A_THINK, path.clone(), did);
        }
        kept
    });
}

/// A call that the provider still executes gives way to what the user says beside the results.
fn pending_calls(entries: &mut [Entry<'_>], log: &mut Log) {
    for place in 0..entries.len() {
        let Some([this, next]) = entries.get_mut(place..place + 2) else {
            return;
        };
        let calls = |tree: &Tree<'_>| {
            let blocks = tree
                .get("content")
                .and_then(Tree::items)
                .unwrap_or_default();
            blocks.iter().any(|block| block.is("type", "tool_use"))
        };
        if !this.tree.is("role", "assistant") || !calls(&this.tree) || !next.tree.is("role", "user")
        {
            continue;
        }
        let others = match next.tree.get("content") {
            Some(Tree::Array(blocks)) => {
                blocks.iter().any(|block| !block.is("type", "tool_result"))
            }
            _ => true,
        };
        let waiting: Vec<usize> = pending(&this.tree).collect();
        if !others || waiting.is_empty() {
            continue;
        }
        let path = format!("/messages/{}", this.at);
        if let Some(blocks) = blocks_mut(&mut this.tree) {
            let mut at = 0;
            blocks.retain(|block| {
                let gone =
                    waiting.contains(&at) && block.str_of("type").is_some_and(is_executed_call);
                at += 1;
                !gone
            });
        }
        log.note(
            &A_PAIR,
            path,
            "a pending call of the provider's own tool taken out",
        );
    }
}

/// Moves images and documents from the assistant's side to the next message of the user.
fn media<'a>(entries: &mut Vec<Entry<'a>>, log: &mut Log) {
    let mut place = 0;
    while let Some(entry) = entries.get_mut(place) {
        place += 1;
        if !entry.tree.is("role", "assistant") {
            continue;
        }
        let at = entry.at;
        let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") else {
            continue;
        };
        let moved = drain(blocks, |block| {
            block.str_of("type").is_some_and(is_on_users_side)
        });
        if moved.is_empty() {
            continue;
        }
        log.note(
            &A_MULTI,
            format!("/messages/{at}"),
            "moved to the user's side",
        );
        let moved = moved.into_iter().map(|(_, block)| block);
        let next = entries.iter_mut().skip(place);
        let next = { next }.find(|entry| entry.tree.is("role", "user"));
        match next.and_then(|entry| blocks_mut(&mut entry.tree)) {
            Some(blocks) => blocks.extend(moved),
            None => {
                let tree = message("user", moved.collect());
                entries.push(Entry { at, tree });
            }
        }
    }
}

/// Makes what a tool_result holds something it may hold.
fn results(entry: &mut Entry<'_>, log: &mut Log) {
    let path = format!("/messages/{}", entry.at);
    let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") else {
        return;
    };
    for block in blocks
        .iter_mut()
        .filter(|block| block.is("type", "tool_result"))
    {
        match block.get_mut("content") {
            None | Some(Tree::Text(_)) => {}
            Some(Tree::Array(inner)) => {
                let before = inner.len();
                inner.retain(|block| {
                    let text = !block.is("type", "text") || block.str_of("text").is_some();
                    text && block.str_of("type").is_some_and(may_be_result)
                });
                if inner.len() < before {
                    log.note(
                        &A_RESULT,
                        path.clone(),
                        "a block taken out of a tool_result",
                    );
                }
                clear_texts(inner, &path, log);
            }
            Some(other) if other.is_null() => {}
            Some(other) => {
                *other = Tree::Text(other.to_json().into());
                log.note(&A_RESULT, path.clone(), "a result made text");
            }
        }
    }
}

fn texts(entry: &mut Entry<'_>, log: &mut Log) {
    let path = format!("/messages/{}", entry.at);
    if let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") {
        clear_texts(blocks, &path, log);
    }
}

/// Takes out texts that say nothing.
pub(super) fn clear_texts(blocks: &mut Vec<Tree<'_>>, path: &str, log: &mut Log) {
    let alone = blocks.len() == 1;
    let empty = |block: &Tree<'_>, alone: bool| {
        let text = block.str_of("text").filter(|_| block.is("type", "text"));
        text.is_some_and(|text| text.is_empty() || (alone && is_blank(text)))
    };
    let before = blocks.len();
    blocks.retain(|block| !empty(block, alone));
    let alone = blocks.len() == 1;
    blocks.retain(|block| !empty(block, alone));
    if blocks.len() < before {
        log.note(&A_EMPTY, path, "a text taken out that says nothing");
    }
}

/// Takes out messages that hold nothing.
pub(super) fn drop_empty(entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    let count = entries.len();
    let mut place = 0;
    entries.retain(|entry| {
        place += 1;
        let last = place == count && entry.tree.is("role", "assistant");
        let kept = last
            || match entry.tree.get("content") {
                Some(Tree::Array(blocks)) => !blocks.is_empty(),
                Some(Tree::Text(text)) => !is_blank(text),
                _ => false,
            };
        if !kept {
            log.note(
                &A_EMPTY,
                format!("/messages/{}", entry.at),
                "taken out, for it is empty",
            );
        }
        kept
    });
}

/// The text of a message as blocks.
pub(super) fn into_texts(tree: Tree<'_>) -> Vec<Tree<'_>> {
    let Tree::Object(pairs) = tree else {
        return Vec::new();
    };
    let content = { pairs.into_iter() }.find(|(key, _)| key == "content");
    match content {
        Some((_, Tree::Text(text))) if !is_blank(&text) => vec![text_block(text)],
        Some((_, Tree::Array(mut blocks))) => {
            blocks.retain(|block| block.is("type", "text"));
            blocks
        }
        _ => Vec::new(),
    }
}
