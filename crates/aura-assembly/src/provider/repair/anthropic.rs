//! Mending a request to the Anthropic Messages API.

mod blocks;
mod limits;
mod pairs;
mod system;

use aura_core::Provider;

use super::list::{Entry, Log, put, take};
use super::{BEGIN, GO_ON, said};
use crate::provider::tree::Tree;
use crate::provider::verify::anthropic::{
    MESSAGES, begins_with_compaction, blocks_of, ends_in_space, summarises, takes_prefill,
    wants_thinking,
};
use crate::provider::verify::rule::{A_ALT, A_COMPACT, A_PREFILL, A_SHAPE, A_THINK};
use crate::provider::verify::{is_blank, model_of};

/// Mends a body.
pub(super) fn mend(body: &mut Tree<'_>, log: &mut Log) {
    let mut entries = take(body, "messages");
    roles(&mut entries, log);
    system::top(body, &mut entries, log);
    compaction(&mut entries, log);
    blocks::mend(&mut entries, log);
    system::among(body, &mut entries, log);
    pairs::names(body, &mut entries, log);
    pairs::mend(&mut entries, log);
    blocks::drop_empty(&mut entries, log);
    ends(body, &mut entries, log);
    put(body, "messages", entries);
    limits::mend(body, log);
    let unthought = {
        let messages = body
            .get("messages")
            .and_then(Tree::items)
            .unwrap_or_default();
        wants_thinking(body, messages)
    };
    if unthought && body.remove("thinking") {
        log.note(
            &A_THINK,
            "/thinking",
            "switched off, for the tool loop began without it",
        );
    }
}

/// The blocks of a message as a list that may be changed; a text becomes a block.
fn blocks_mut<'t, 'a>(message: &'t mut Tree<'a>) -> Option<&'t mut Vec<Tree<'a>>> {
    let content = message.get_mut("content")?;
    if let Tree::Text(text) = content {
        let block = text_block(std::mem::take(text));
        *content = Tree::Array(vec![block]);
    }
    match content {
        Tree::Array(blocks) => Some(blocks),
        _ => None,
    }
}

fn text_block<'a>(text: std::borrow::Cow<'a, str>) -> Tree<'a> {
    Tree::object([("text", Tree::Text(text)), ("type", Tree::text("text"))])
}

/// A message of blocks.
fn message<'a>(role: &'static str, blocks: Vec<Tree<'a>>) -> Tree<'a> {
    Tree::object([("content", Tree::Array(blocks)), ("role", Tree::text(role))])
}

/// Gives every message a role the provider knows, and takes out what is no message.
fn roles(entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    entries.retain_mut(|entry| {
        let path = || format!("/messages/{}", entry.at);
        let known = match entry.tree.str_of("role") {
            Some("user" | "assistant" | "system") => true,
            Some("developer") => {
                log.note(&A_ALT, path(), "developer became system");
                entry.tree.set("role", Tree::text("system"));
                true
            }
            Some("model") => {
                log.note(&A_ALT, path(), "model became assistant");
                entry.tree.set("role", Tree::text("assistant"));
                true
            }
            _ => {
                log.note(&A_ALT, path(), "taken out, for its role is not known");
                false
            }
        };
        if !known {
            return false;
        }
        let said = matches!(
            entry.tree.get("content"),
            Some(Tree::Text(_) | Tree::Array(_))
        );
        if !said {
            log.note(&A_SHAPE, path(), "taken out, for it has no content");
        }
        said
    });
}

/// Keeps the last summary alone, and lets a signed one come first: what stands before it, it stands for.
fn compaction(entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    for entry in entries.iter_mut() {
        let at = entry.at;
        if let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") {
            blocks.retain(|block| {
                let empty =
                    block.is("type", "compaction") && block.str_of("content").is_some_and(is_blank);
                if empty {
                    log.note(
                        &A_COMPACT,
                        format!("/messages/{at}"),
                        "an empty block taken out",
                    );
                }
                !empty
            });
        }
    }
    let signed = |entry: &Entry<'_>| {
        blocks_of(&entry.tree)
            .iter()
            .rposition(|block| block.is("type", "compaction") && block.given("signature").is_some())
    };
    let found = entries.iter().enumerate().rev();
    let Some((place, block_at)) =
        { found }.find_map(|(place, entry)| signed(entry).map(|block_at| (place, block_at)))
    else {
        return;
    };
    if place > 0 || block_at > 0 {
        let path = entries.get(place).map_or(0, |entry| entry.at);
        let path = format!("/messages/{path}/content/{block_at}");
        log.note(&A_COMPACT, path, "what stands before the summary taken out");
        entries.drain(..place);
        if let Some(Tree::Array(blocks)) = entries
            .first_mut()
            .and_then(|entry| entry.tree.get_mut("content"))
        {
            blocks.drain(..block_at);
        }
    }
    for (place, entry) in entries.iter_mut().enumerate() {
        let at = entry.at;
        if let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") {
            let mut first = place == 0;
            blocks.retain(|block| {
                let kept = std::mem::take(&mut first) || !summarises(block);
                if !kept {
                    log.note(
                        &A_COMPACT,
                        format!("/messages/{at}"),
                        "another summary taken out",
                    );
                }
                kept
            });
        }
    }
}

/// Lets the user speak first and last, and keeps the list within its limit.
fn ends(body: &Tree<'_>, entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    // One place is kept free for each end.
    if entries.len() > MESSAGES {
        let least = entries.len() + 2 - MESSAGES;
        let begins = |entry: &Entry<'_>| {
            let mut blocks = blocks_of(&entry.tree).iter();
            entry.tree.is("role", "user") && !blocks.any(|block| block.is("type", "tool_result"))
        };
        let cut = entries.iter().skip(least).position(begins);
        entries.drain(..cut.map_or(entries.len(), |cut| least + cut));
        log.note(&A_ALT, "/messages", "the oldest turns taken out");
    }
    if let Some(first) = entries.first()
        && first.tree.is("role", "assistant")
        && !begins_with_compaction(&first.tree)
    {
        let at = first.at;
        log.note(
            &A_ALT,
            format!("/messages/{at}"),
            "a user's turn put before it",
        );
        let tree = said(Provider::Anthropic, BEGIN);
        entries.insert(0, Entry { at, tree });
    }
    let Some(last) = entries.last_mut() else {
        let tree = said(Provider::Anthropic, GO_ON);
        entries.push(Entry { at: 0, tree });
        log.note(
            &A_SHAPE,
            "/messages",
            "a user's turn put in, for there was none",
        );
        return;
    };
    if !last.tree.is("role", "assistant") {
        return;
    }
    let at = last.at;
    if !takes_prefill(model_of(body)) {
        log.note(
            &A_PREFILL,
            format!("/messages/{at}"),
            "a user's turn put behind it",
        );
        let tree = said(Provider::Anthropic, GO_ON);
        entries.push(Entry { at, tree });
    } else if ends_in_space(&last.tree) {
        log.note(
            &A_PREFILL,
            format!("/messages/{at}"),
            "white space at its end taken off",
        );
        trim_end(&mut last.tree);
    }
}

fn trim_end(message: &mut Tree<'_>) {
    let text = match message.get_mut("content") {
        Some(Tree::Array(blocks)) => blocks.last_mut().and_then(|block| block.get_mut("text")),
        content => content,
    };
    if let Some(Tree::Text(text)) = text {
        *text = text.trim_end().to_owned().into();
    }
}
