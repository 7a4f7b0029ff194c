//! Mending a request to OpenAI chat completions.

use std::collections::HashMap;

use aura_core::Provider;

use super::list::{Entry, Log, drain, put, take};
use super::names::{fresh_id, speaker, tool_name};
use super::{GO_ON, NO_RESULT, said};
use crate::provider::tree::Tree;
use crate::provider::verify::chat::{ROLES, is_speaker, is_whole, parts_of};
use crate::provider::verify::is_tool_name;
use crate::provider::verify::rule::{O_CONTENT, O_NAME, O_ORPHAN, O_PAIR, O_SHAPE, O_SYS};

/// Mends a body.
pub(super) fn mend(body: &mut Tree<'_>, log: &mut Log) {
    let mut entries = take(body, "messages");
    entries.retain_mut(|entry| has_role(entry, log));
    for entry in &mut entries {
        calls(entry, log);
        name(entry, log);
    }
    contents(&mut entries, log);
    pairs(&mut entries, log);
    if entries.is_empty() {
        let tree = said(Provider::Openai, GO_ON);
        entries.push(Entry { at: 0, tree });
        log.note(
            &O_SHAPE,
            "/messages",
            "a user's message put in, for there was none",
        );
    }
    put(body, "messages", entries);
    names(body, log);
}

fn has_role(entry: &mut Entry<'_>, log: &mut Log) -> bool {
    let path = format!("/messages/{}", entry.at);
    match entry.tree.str_of("role") {
        Some(role) if ROLES.contains(&role) => true,
        Some("model") => {
            entry.tree.set("role", Tree::text("assistant"));
            log.note(&O_SHAPE, path, "model became assistant");
            true
        }
        _ => {
            log.note(
                &O_SHAPE,
                path,
                "taken out, for it is no message of a known role",
            );
            false
        }
    }
}

fn calls(entry: &mut Entry<'_>, log: &mut Log) {
    let path = format!("/messages/{}/tool_calls", entry.at);
    let assistant = entry.tree.is("role", "assistant");
    let empty = match entry.tree.get_mut("tool_calls") {
        None => return,
        Some(calls) if calls.is_null() => return,
        Some(Tree::Array(calls)) if assistant => {
            for call in calls.iter_mut() {
                complete(call, &path, log);
            }
            let before = calls.len();
            calls.retain(is_whole);
            if calls.len() < before {
                log.note(&O_SHAPE, path.clone(), "an incomplete call taken out");
            }
            calls.is_empty()
        }
        Some(_) => true,
    };
    if empty {
        entry.tree.remove("tool_calls");
        log.note(
            &O_SHAPE,
            path,
            "taken out, for there are no calls of an assistant",
        );
    }
}

/// Adds what can be known of a call.
fn complete(call: &mut Tree<'_>, path: &str, log: &mut Log) {
    if call.get("type").is_none() && call.get("function").is_some() {
        call.set("type", Tree::text("function"));
        log.note(&O_SHAPE, path, "the type of a call put in");
    }
    let Some(function) = call.get_mut("function") else {
        return;
    };
    if function.str_of("arguments").is_none() && function.str_of("name").is_some() {
        let arguments = function
            .given("arguments")
            .map_or("{}".into(), Tree::to_json);
        function.set("arguments", Tree::text(arguments));
        log.note(&O_SHAPE, path, "the arguments of a call made text");
    }
    let bad = function.str_of("name").filter(|name| !is_tool_name(name));
    if let Some(name) = bad.map(|name| tool_name(name, false)) {
        function.set("name", Tree::text(name));
        log.note(&O_NAME, path, "a tool given a name that the provider takes");
    }
}

fn name(entry: &mut Entry<'_>, log: &mut Log) {
    let path = format!("/messages/{}/name", entry.at);
    let Some(name) = entry.tree.given("name") else {
        return;
    };
    let new = match name.as_str() {
        Some(name) if is_speaker(name) => return,
        Some(name) => speaker(name),
        None => String::new(),
    };
    if new.is_empty() {
        entry.tree.remove("name");
        log.note(&O_NAME, path, "a name taken out");
    } else {
        entry.tree.set("name", Tree::text(new));
        log.note(&O_NAME, path, "given a name that the provider takes");
    }
}

/// Gives every message content that its role may have; other parts move to a user's message behind it.
fn contents<'a>(entries: &mut Vec<Entry<'a>>, log: &mut Log) {
    let mut out: Vec<Entry<'a>> = Vec::with_capacity(entries.len());
    let mut held: Vec<Entry<'a>> = Vec::new();
    for mut entry in std::mem::take(entries) {
        let at = entry.at;
        let role = entry.tree.str_of("role").unwrap_or("").to_owned();
        // What moves stands behind the whole run of results.
        if role != "tool" {
            out.append(&mut held);
        }
        let moved = content(&mut entry, &role, log);
        out.push(entry);
        if moved.is_empty() {
            continue;
        }
        let tree = Tree::object([
            ("content", Tree::Array(moved)),
            ("role", Tree::text("user")),
        ]);
        held.push(Entry { at, tree });
    }
    out.append(&mut held);
    *entries = out;
}

fn content<'a>(entry: &mut Entry<'a>, role: &str, log: &mut Log) -> Vec<Tree<'a>> {
    let path = format!("/messages/{}/content", entry.at);
    let instead = ["tool_calls", "function_call", "audio", "refusal"];
    let silent = role == "function"
        || (role == "assistant" && instead.iter().any(|key| entry.tree.given(key).is_some()));
    let content = match entry.tree.get_mut("content") {
        Some(content) if !content.is_null() => content,
        _ if silent => return Vec::new(),
        _ => {
            entry.tree.set("content", Tree::text(""));
            log.note(&O_CONTENT, path, "empty content put in");
            return Vec::new();
        }
    };
    let parts = match content {
        Tree::Text(_) => return Vec::new(),
        Tree::Array(parts) => parts,
        other => {
            *other = Tree::text(other.to_json());
            log.note(&O_CONTENT, path, "content made text");
            return Vec::new();
        }
    };
    let typed = |part: &Tree<'_>| part.str_of("type").is_some();
    let before = parts.len();
    parts.retain(typed);
    if parts.len() < before {
        log.note(&O_CONTENT, path.clone(), "a part without a type taken out");
    }
    let mut moved = Vec::new();
    if let Some(allowed) = parts_of(role) {
        let legal = |part: &Tree<'_>| {
            part.str_of("type")
                .is_some_and(|kind| allowed.contains(&kind))
        };
        moved = { drain(parts, |part| !legal(part)) }
            .into_iter()
            .map(|(_, part)| part)
            .collect();
    }
    let empty = parts.is_empty();
    if !moved.is_empty() {
        let system = matches!(role, "system" | "developer");
        let rule = if system { &O_SYS } else { &O_CONTENT };
        log.note(rule, path.clone(), "a part moved to a user's message");
    }
    if empty {
        entry.tree.set("content", Tree::text(""));
        log.note(&O_CONTENT, path, "empty content put in");
    }
    moved
}

/// Puts the results of each message's calls directly behind it.
fn pairs<'a>(entries: &mut Vec<Entry<'a>>, log: &mut Log) {
    let mut results: HashMap<String, Vec<(usize, Entry<'a>)>> = HashMap::new();
    let mut rest = Vec::with_capacity(entries.len());
    for (place, entry) in std::mem::take(entries).into_iter().enumerate() {
        if entry.tree.is("role", "tool") {
            let id = entry.tree.str_of("tool_call_id").unwrap_or("").to_owned();
            results.entry(id).or_default().push((place, entry));
        } else {
            rest.push((place, entry));
        }
    }
    for (place, mut entry) in rest {
        let at = entry.at;
        let mut ids = std::collections::HashSet::new();
        let mut answers = Vec::new();
        if entry.tree.is("role", "assistant")
            && let Some(Tree::Array(calls)) = entry.tree.get_mut("tool_calls")
        {
            let count = calls.len();
            for (call_at, call) in calls.iter_mut().enumerate() {
                let path = format!("/messages/{at}/tool_calls/{call_at}");
                let id = call.str_of("id").unwrap_or("").to_owned();
                let behind = results.get_mut(&id).and_then(|queue| {
                    let found = queue.iter().position(|(stood, _)| *stood > place)?;
                    Some(queue.remove(found))
                });
                let mut answer = match behind {
                    Some((stood, answer)) => {
                        if stood > place + count {
                            log.note(&O_PAIR, path.clone(), "its result moved behind it");
                        }
                        answer
                    }
                    None => {
                        log.note(&O_PAIR, path.clone(), "a placeholder put in for its result");
                        let tree = Tree::object([
                            ("content", Tree::text(NO_RESULT)),
                            ("role", Tree::text("tool")),
                            ("tool_call_id", Tree::text(id.clone())),
                        ]);
                        Entry { at, tree }
                    }
                };
                if !ids.insert(id.clone()) {
                    let id = fresh_id(&id, &ids);
                    call.set("id", Tree::text(id.clone()));
                    answer.tree.set("tool_call_id", Tree::text(id.clone()));
                    log.note(&O_PAIR, path, "given another id, and its result too");
                    ids.insert(id);
                }
                answers.push(answer);
            }
        }
        entries.push(entry);
        entries.append(&mut answers);
    }
    let orphans = results.into_values().flatten();
    let mut orphans: Vec<usize> = orphans.map(|(_, entry)| entry.at).collect();
    orphans.sort_unstable();
    for at in orphans {
        let did = "taken out, for it answers no call before it";
        log.note(&O_ORPHAN, format!("/messages/{at}"), did);
    }
}

fn names(body: &mut Tree<'_>, log: &mut Log) {
    let Some(Tree::Array(tools)) = body.get_mut("tools") else {
        return;
    };
    for (at, tool) in tools.iter_mut().enumerate() {
        let Some(function) = tool.get_mut("function").filter(|tool| tool.is_object()) else {
            continue;
        };
        let name = function.str_of("name").unwrap_or("");
        if !is_tool_name(name) {
            let name = tool_name(name, false);
            function.set("name", Tree::text(name));
            let path = format!("/tools/{at}/function/name");
            log.note(&O_NAME, path, "given a name that the provider takes");
        }
    }
    let choice = body.get_mut("tool_choice");
    if let Some(function) = choice.and_then(|choice| choice.get_mut("function"))
        && let Some(name) = function.str_of("name").filter(|name| !is_tool_name(name))
    {
        let name = tool_name(name, false);
        function.set("name", Tree::text(name));
        log.note(
            &O_NAME,
            "/tool_choice",
            "given a name that the provider takes",
        );
    }
}
