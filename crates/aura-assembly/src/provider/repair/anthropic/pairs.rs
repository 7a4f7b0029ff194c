//! Calls and their results.

use std::collections::{HashMap, HashSet};

use super::{blocks_mut, message};
use crate::provider::repair::NO_RESULT;
use crate::provider::repair::list::{Entry, Log, drain};
use crate::provider::repair::names::{fresh_id, tool_name};
use crate::provider::tree::Tree;
use crate::provider::verify::anthropic::blocks_of;
use crate::provider::verify::rule::{A_IDS, A_PAIR};
use crate::provider::verify::{is_tool_name, is_wire_id};

/// A result and where it stood.
struct Found<'a> {
    at: usize,
    place: usize,
    leads: bool,
    block: Tree<'a>,
}

/// Puts the results of each message's calls at the head of the next message, which is made where it is missing.
pub(super) fn mend<'a>(entries: &mut Vec<Entry<'a>>, log: &mut Log) {
    let mut found = collect(entries);
    let mut ids = HashSet::new();
    let mut out: Vec<Entry<'a>> = Vec::with_capacity(entries.len());
    // The results that the next message must begin with, and where their calls stand.
    let mut due: Option<(usize, Vec<Tree<'a>>)> = None;
    for (place, mut entry) in std::mem::take(entries).into_iter().enumerate() {
        if let Some((at, results)) = due.take() {
            if entry.tree.is("role", "user") {
                if let Some(blocks) = blocks_mut(&mut entry.tree) {
                    blocks.splice(0..0, results);
                }
            } else {
                let tree = message("user", results);
                out.push(Entry { at, tree });
            }
        }
        let results = answers(&mut entry, place, &mut found, &mut ids, log);
        if !results.is_empty() {
            due = Some((entry.at, results));
        }
        out.push(entry);
    }
    if let Some((at, results)) = due {
        let tree = message("user", results);
        out.push(Entry { at, tree });
    }
    let mut orphans: Vec<usize> = found
        .into_values()
        .flatten()
        .map(|found| found.at)
        .collect();
    orphans.sort_unstable();
    for at in orphans {
        let path = format!("/messages/{at}");
        log.note(
            &A_PAIR,
            path,
            "a tool_result taken out that answers no call",
        );
    }
    *entries = out;
}

/// Takes all results out of the messages, by the id of their call, in their order.
fn collect<'a>(entries: &mut [Entry<'a>]) -> HashMap<String, Vec<Found<'a>>> {
    let mut found: HashMap<String, Vec<Found<'a>>> = HashMap::new();
    for (place, entry) in entries.iter_mut().enumerate() {
        if !entry.tree.is("role", "user") {
            continue;
        }
        let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") else {
            continue;
        };
        let mut others = false;
        let mut leads = Vec::new();
        let results = drain(blocks, |block| {
            let result = block.is("type", "tool_result");
            others |= !result;
            if result {
                leads.push(!others);
            }
            result
        });
        for ((_, block), leads) in results.into_iter().zip(leads) {
            let id = block.str_of("tool_use_id").unwrap_or("").to_owned();
            found.entry(id).or_default().push(Found {
                at: entry.at,
                place,
                leads,
                block,
            });
        }
    }
    found
}

/// The results of a message's calls, in the order of the calls.
fn answers<'a>(
    entry: &mut Entry<'a>,
    place: usize,
    found: &mut HashMap<String, Vec<Found<'a>>>,
    ids: &mut HashSet<String>,
    log: &mut Log,
) -> Vec<Tree<'a>> {
    let at = entry.at;
    let path = |block_at: usize| format!("/messages/{at}/content/{block_at}");
    let mut results = Vec::new();
    if blocks_of(&entry.tree).is_empty() || !entry.tree.is("role", "assistant") {
        return results;
    }
    let Some(blocks) = blocks_mut(&mut entry.tree) else {
        return results;
    };
    for (block_at, call) in blocks.iter_mut().enumerate() {
        if !call.is("type", "tool_use") {
            continue;
        }
        let id = call.str_of("id").unwrap_or("").to_owned();
        let queue = found.get_mut(&id);
        let behind = queue.and_then(|queue| {
            let at = queue.iter().position(|found| found.place > place)?;
            Some(queue.remove(at))
        });
        let mut result = match behind {
            Some(result) => {
                if result.place != place + 1 || !result.leads {
                    log.note(
                        &A_PAIR,
                        path(block_at),
                        "its result moved to where it belongs",
                    );
                }
                result.block
            }
            None => {
                log.note(
                    &A_PAIR,
                    path(block_at),
                    "a placeholder put in for its result",
                );
                Tree::object([
                    ("content", Tree::text(NO_RESULT)),
                    ("is_error", Tree::bare("true")),
                    ("tool_use_id", Tree::text(id.clone())),
                    ("type", Tree::text("tool_result")),
                ])
            }
        };
        let good = is_wire_id(&id) && !ids.contains(&id);
        let id = if good { id } else { fresh_id(&id, ids) };
        if !good {
            log.note(
                &A_IDS,
                path(block_at),
                "given another id, and its result too",
            );
            call.set("id", Tree::text(id.clone()));
            result.set("tool_use_id", Tree::text(id.clone()));
        }
        ids.insert(id);
        results.push(result);
    }
    results
}

/// Gives tools names that the provider takes, the same everywhere.
pub(super) fn names<'a>(body: &mut Tree<'a>, entries: &mut [Entry<'a>], log: &mut Log) {
    let mend = |tree: &mut Tree<'a>, path: String, log: &mut Log| {
        let name = tree.str_of("name").unwrap_or("");
        if !is_tool_name(name) {
            let name = tool_name(name, false);
            tree.set("name", Tree::text(name));
            log.note(&A_IDS, path, "given a name that the provider takes");
        }
    };
    for entry in entries.iter_mut() {
        let at = entry.at;
        let Some(Tree::Array(blocks)) = entry.tree.get_mut("content") else {
            continue;
        };
        let calls = blocks.iter_mut().enumerate();
        for (block_at, block) in calls.filter(|(_, block)| block.is("type", "tool_use")) {
            mend(block, format!("/messages/{at}/content/{block_at}"), log);
        }
    }
    if let Some(Tree::Array(tools)) = body.get_mut("tools") {
        for (at, tool) in tools.iter_mut().enumerate() {
            if matches!(tool.str_of("type"), None | Some("custom")) && tool.is_object() {
                mend(tool, format!("/tools/{at}"), log);
            }
        }
    }
    if let Some(choice) = body.get_mut("tool_choice")
        && choice.is("type", "tool")
    {
        mend(choice, "/tool_choice".into(), log);
    }
}
