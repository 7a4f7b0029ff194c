//! Calls and their results, their ids and names.

use super::blocks::{is_executed_call, is_executed_result};
use super::blocks_of;
use crate::provider::tree::Tree;
use crate::provider::verify::rule::{A_IDS, A_PAIR};
use crate::provider::verify::{Report, is_tool_name, is_wire_id};

/// Checks that each call is answered in the next message, and each result answers one of the message before.
pub(super) fn check(messages: &[Tree<'_>], report: &mut Report) {
    let nothing = Tree::Array(Vec::new());
    for at in 0..=messages.len() {
        let before = match at.checked_sub(1).and_then(|at| messages.get(at)) {
            Some(message) if message.is("role", "assistant") => message,
            _ => &nothing,
        };
        let here = messages
            .get(at)
            .filter(|message| message.is("role", "user"));
        check_step(before, here.unwrap_or(&nothing), at, report);
    }
}

fn check_step(before: &Tree<'_>, here: &Tree<'_>, at: usize, report: &mut Report) {
    let mut open: Vec<(usize, &str, bool)> = Vec::new();
    for (block_at, block) in blocks_of(before).iter().enumerate() {
        if block.is("type", "tool_use") {
            open.push((block_at, block.str_of("id").unwrap_or(""), false));
        }
    }
    let (mut others, calls) = (false, !open.is_empty());
    let waits = calls && pending(before).next().is_some();
    for (block_at, block) in blocks_of(here).iter().enumerate() {
        let path = || format!("/messages/{at}/content/{block_at}");
        if !block.is("type", "tool_result") {
            others = true;
            report.add_if(
                waits,
                &A_PAIR,
                path,
                "while a server tool is pending, the message may hold only tool_result blocks",
            );
            continue;
        }
        report.add_if(
            others && calls,
            &A_PAIR,
            path,
            "the tool_result stands behind other content of its message",
        );
        let id = block.str_of("tool_use_id");
        let slot = open
            .iter_mut()
            .find(|(_, open, done)| Some(*open) == id && !done);
        match slot {
            Some((.., done)) => *done = true,
            None => report.add(
                &A_PAIR,
                path(),
                "the tool_result answers no tool_use of the message before it",
            ),
        }
    }
    for (block_at, _, done) in open {
        report.add_if(
            !done,
            &A_PAIR,
            || format!("/messages/{}/content/{block_at}", at.saturating_sub(1)),
            "the tool_use has no tool_result in the next message",
        );
    }
}

/// The places of calls that the provider executes and that have no result yet.
pub(crate) fn pending<'t>(message: &'t Tree<'_>) -> impl Iterator<Item = usize> + 't {
    let blocks = blocks_of(message);
    let done = |id: Option<&str>| {
        blocks.iter().any(|block| {
            block.str_of("type").is_some_and(is_executed_result)
                && block.str_of("tool_use_id") == id
        })
    };
    let calls = blocks.iter().enumerate();
    calls
        .filter(move |(_, block)| {
            block.str_of("type").is_some_and(is_executed_call) && !done(block.str_of("id"))
        })
        .map(|(at, _)| at)
}

/// Checks ids of calls and names of tools.
pub(super) fn check_names(body: &Tree<'_>, messages: &[Tree<'_>], report: &mut Report) {
    let mut seen = std::collections::HashSet::new();
    for (at, message) in messages.iter().enumerate() {
        for (block_at, block) in blocks_of(message).iter().enumerate() {
            let path = || format!("/messages/{at}/content/{block_at}");
            if block.is("type", "tool_use") {
                let id = block.str_of("id").unwrap_or("");
                report.add_if(
                    !is_wire_id(id),
                    &A_IDS,
                    || path() + "/id",
                    "the id is not ^[a-zA-Z0-9_-]+$",
                );
                report.add_if(
                    !seen.insert(id),
                    &A_IDS,
                    || path() + "/id",
                    "the id is that of an earlier tool_use",
                );
                report.add_if(
                    !block.str_of("name").is_some_and(is_tool_name),
                    &A_IDS,
                    || path() + "/name",
                    "the tool's name is not ^[a-zA-Z0-9_-]{1,64}$",
                );
            }
        }
    }
    let tools = body.get("tools").and_then(Tree::items).unwrap_or_default();
    for (at, tool) in tools.iter().enumerate() {
        let own = matches!(tool.str_of("type"), None | Some("custom"));
        report.add_if(
            own && !tool.str_of("name").is_some_and(is_tool_name),
            &A_IDS,
            || format!("/tools/{at}/name"),
            "the tool's name is not ^[a-zA-Z0-9_-]{1,64}$",
        );
    }
}
