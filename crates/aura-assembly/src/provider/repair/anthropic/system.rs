//! System text.

use super::blocks::{clear_texts, into_texts};
use super::{blocks_mut, message, text_block};
use crate::provider::repair::list::{Entry, Log};
use crate::provider::tree::Tree;
use crate::provider::verify::anthropic::{Place, is_placed, takes_system, turn_scoped_fault};
use crate::provider::verify::model_of;
use crate::provider::verify::rule::{A_MIDSYS, A_SYS};

/// What stands before system text that is shown on the user's side.
const LABEL: &str = "system:";

/// Mends the system prompt, and moves system messages to it that come before everything else.
pub(super) fn top<'a>(body: &mut Tree<'a>, entries: &mut Vec<Entry<'a>>, log: &mut Log) {
    match body.get_mut("system") {
        None | Some(Tree::Text(_)) => {}
        Some(Tree::Array(blocks)) => {
            let before = blocks.len();
            blocks.retain(|block| block.is("type", "text") && block.str_of("text").is_some());
            if blocks.len() < before {
                log.note(&A_SYS, "/system", "what is no text taken out");
            }
            clear_texts(blocks, "/system", log);
        }
        Some(_) => {
            body.remove("system");
            log.note(&A_SYS, "/system", "taken out, for it is no text");
        }
    }
    let first = |entry: &Entry<'_>| entry.tree.is("role", "system");
    let count = entries.iter().take_while(|entry| first(entry)).count();
    for entry in entries.drain(..count) {
        let path = format!("/messages/{}", entry.at);
        log.note(&A_MIDSYS, path, "moved to the system prompt");
        let mut texts = into_texts(entry.tree);
        clear_texts(&mut texts, "/system", log);
        append(body, texts);
    }
}

fn append<'a>(body: &mut Tree<'a>, texts: Vec<Tree<'a>>) {
    if texts.is_empty() {
        return;
    }
    if let Some(Tree::Array(blocks)) = body.get_mut("system") {
        blocks.extend(texts);
        return;
    }
    let before = match body.get("system") {
        Some(Tree::Text(text)) if !text.is_empty() => Some(text_block(text.clone())),
        _ => None,
    };
    body.set(
        "system",
        Tree::Array(before.into_iter().chain(texts).collect()),
    );
}

/// Moves system messages behind the results they stand before; those that still stand wrong are shown on the user's side.
pub(super) fn among<'a>(body: &Tree<'a>, entries: &mut [Entry<'a>], log: &mut Log) {
    let model = model_of(body);
    if takes_system(model) {
        behind_results(entries, log);
    }
    for place in 0..entries.len() {
        let right = takes_system(model) && is_placed(entries, place) == Place::Right;
        let Some(entry) = entries.get_mut(place) else {
            continue;
        };
        if !entry.tree.is("role", "system") {
            continue;
        }
        let path = format!("/messages/{}", entry.at);
        if !right {
            let tree = std::mem::replace(&mut entry.tree, message("user", Vec::new()));
            let mut blocks = into_texts(tree);
            if !blocks.is_empty() {
                blocks.insert(0, text_block(LABEL.into()));
            }
            entry.tree = message("user", blocks);
            log.note(&A_MIDSYS, path, "shown on the user's side");
        } else if turn_scoped_fault(&entry.tree) {
            if let Some(blocks) = blocks_mut(&mut entry.tree) {
                blocks.retain_mut(|block| {
                    block.remove("cache_control");
                    block.is("type", "text")
                });
            }
            log.note(&A_MIDSYS, path, "made text alone, without cache_control");
        }
    }
}

fn behind_results(entries: &mut [Entry<'_>], log: &mut Log) {
    for place in 0..entries.len() {
        let Some([this, next]) = entries.get(place..place + 2) else {
            return;
        };
        let (at, swap) = (
            this.at,
            this.tree.is("role", "system") && next.tree.is("role", "user"),
        );
        if swap && is_placed(entries, place) == Place::InsideAPair {
            entries.swap(place, place + 1);
            log.note(
                &A_MIDSYS,
                format!("/messages/{at}"),
                "moved behind the results",
            );
        }
    }
}
