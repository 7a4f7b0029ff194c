//! Mending a request to the OpenAI Responses API.

use std::collections::{HashMap, HashSet};

use aura_core::Provider;

use super::list::{Entry, Log, put, take};
use super::names::{fresh_id, tool_name};
use super::{GO_ON, NO_RESULT, said};
use crate::provider::tree::Tree;
use crate::provider::verify::is_tool_name;
use crate::provider::verify::responses::{
    BREAKPOINTS, answers, continues, faults, is_call, is_led_to, is_unstored, kind,
};
use crate::provider::verify::rule::{
    R_CACHE, R_COMPACT, R_NAME, R_PAIR, R_PHASE, R_REASON, R_SHAPE, R_SUMMARY,
};

/// Mends a body.
pub(super) fn mend(body: &mut Tree<'_>, log: &mut Log) {
    if body.get("input").and_then(Tree::items).is_some() {
        let (unstored, continues) = (is_unstored(body), continues(body));
        let mut entries = take(body, "input");
        entries.retain_mut(|entry| complete(entry, unstored, log));
        pairs(&mut entries, continues, log);
        reasoning(&mut entries, unstored, log);
        breakpoints(&mut entries, log);
        if entries.is_empty() && !continues {
            let tree = said(Provider::OpenaiResponses, GO_ON);
            entries.push(Entry { at: 0, tree });
            log.note(
                &R_SHAPE,
                "/input",
                "a user's message put in, for there was none",
            );
        }
        put(body, "input", entries);
    }
    let Some(Tree::Array(tools)) = body.get_mut("tools") else {
        return;
    };
    for (at, tool) in tools.iter_mut().enumerate() {
        if tool.is("type", "function") {
            name(tool, &format!("/tools/{at}/name"), log);
        }
    }
}

fn name(tree: &mut Tree<'_>, path: &str, log: &mut Log) {
    let name = tree.str_of("name").unwrap_or("");
    if !is_tool_name(name) {
        let name = tool_name(name, false);
        tree.set("name", Tree::text(name));
        log.note(&R_NAME, path, "given a name that the provider takes");
    }
}

/// Adds what can be known of an item; says whether it may stay.
fn complete(entry: &mut Entry<'_>, unstored: bool, log: &mut Log) -> bool {
    let path = format!("/input/{}", entry.at);
    let item = &mut entry.tree;
    if kind(item) == Some("function_call")
        && item.str_of("name").is_some()
        && item.str_of("arguments").is_none()
    {
        let arguments = item.given("arguments").map_or("{}".into(), Tree::to_json);
        item.set("arguments", Tree::text(arguments));
        log.note(&R_SHAPE, path.clone(), "the arguments of a call made text");
    }
    if kind(item) == Some("function_call_output")
        && !matches!(item.get("output"), Some(Tree::Text(_) | Tree::Array(_)))
    {
        let output = item.given("output").map_or(String::new(), Tree::to_json);
        item.set("output", Tree::text(output));
        log.note(&R_SHAPE, path.clone(), "the output of a call made text");
    }
    if kind(item) == Some("message") && item.is("role", "model") {
        item.set("role", Tree::text("assistant"));
        log.note(&R_SHAPE, path.clone(), "model became assistant");
    }
    for (rule, below, _) in faults(item, unstored) {
        if *rule == R_PHASE {
            item.remove("phase");
            log.note(rule, path.clone(), "the phase taken out");
        } else if *rule == R_NAME {
            name(item, &path, log);
        } else if *rule == R_SUMMARY && below.is_empty() {
            item.set("summary", Tree::Array(Vec::new()));
            log.note(rule, path.clone(), "an empty summary put in");
        } else if *rule == R_COMPACT || *rule == R_SHAPE {
            log.note(rule, path, "taken out, for it is not complete");
            return false;
        }
    }
    true
}

/// Puts outputs behind their calls, and gives calls without one a placeholder where there is such a thing.
fn pairs<'a>(entries: &mut Vec<Entry<'a>>, continues: bool, log: &mut Log) {
    let mut outputs: HashMap<String, Vec<(usize, Entry<'a>)>> = HashMap::new();
    let mut ids = HashSet::new();
    for entry in entries.iter() {
        if kind(&entry.tree).is_some_and(is_call) {
            ids.extend(entry.tree.str_of("call_id").map(str::to_owned));
        }
    }
    let mut rest = Vec::with_capacity(entries.len());
    for (place, entry) in std::mem::take(entries).into_iter().enumerate() {
        let answered = kind(&entry.tree).and_then(answers);
        let id =
            answered.map(|call| format!("{call} {}", entry.tree.str_of("call_id").unwrap_or("")));
        match id {
            Some(id) => outputs.entry(id).or_default().push((place, entry)),
            None => rest.push((place, entry)),
        }
    }
    // Where each item goes: outputs keep their place, unless that is before their call.
    let mut placed: Vec<(usize, usize, Entry<'a>)> = Vec::with_capacity(rest.len());
    let mut seen = HashSet::new();
    let mut end_of_run = 0;
    for (number, (place, mut entry)) in rest
        .iter()
        .map(|(place, entry)| (*place, entry.clone()))
        .enumerate()
    {
        let path = format!("/input/{}", entry.at);
        let call = kind(&entry.tree)
            .filter(|kind| is_call(kind))
            .map(str::to_owned);
        let Some(call) = call else {
            placed.push((place, 0, entry));
            continue;
        };
        // Placeholders stand behind the whole run of calls.
        end_of_run = end_of_run.max(place);
        let run = rest
            .iter()
            .skip(number + 1)
            .take_while(|(_, next)| kind(&next.tree).is_some_and(is_call));
        end_of_run = run.last().map_or(end_of_run, |(place, _)| *place);
        let id = entry.tree.str_of("call_id").unwrap_or("").to_owned();
        let queue = outputs.get_mut(&format!("{call} {id}"));
        let found = queue
            .filter(|queue| !queue.is_empty())
            .map(|queue| queue.remove(0));
        let (stood, mut output) = match found {
            Some((stood, output)) if stood > place => (stood, output),
            Some((_, output)) => {
                log.note(&R_PAIR, path.clone(), "its output moved behind it");
                (end_of_run, output)
            }
            None if matches!(call.as_str(), "function_call" | "custom_tool_call") => {
                log.note(&R_PAIR, path.clone(), "a placeholder put in for its output");
                (end_of_run, placeholder(&call, &id, entry.at))
            }
            None => {
                log.note(&R_PAIR, path, "taken out, for it has no output");
                continue;
            }
        };
        if !seen.insert(id.clone()) {
            let id = fresh_id(&id, &ids);
            entry.tree.set("call_id", Tree::text(id.clone()));
            output.tree.set("call_id", Tree::text(id.clone()));
            log.note(&R_PAIR, path, "given another id, and its output too");
            ids.insert(id);
        }
        placed.push((place, 0, entry));
        placed.push((stood, number + 1, output));
    }
    let mut orphans: Vec<(usize, Entry<'a>)> = outputs.into_values().flatten().collect();
    orphans.sort_unstable_by_key(|(place, _)| *place);
    for (place, entry) in orphans {
        let answered = entry
            .tree
            .str_of("call_id")
            .is_some_and(|id| seen.contains(id));
        if continues && !answered {
            placed.push((place, 0, entry));
        } else {
            let path = format!("/input/{}", entry.at);
            log.note(&R_PAIR, path, "taken out, for it has no call before it");
        }
    }
    placed.sort_by_key(|(place, number, _)| (*place, *number));
    entries.extend(placed.into_iter().map(|(.., entry)| entry));
}

fn placeholder<'a>(call: &str, id: &str, at: usize) -> Entry<'a> {
    let tree = Tree::object([
        ("call_id", Tree::text(id.to_owned())),
        ("output", Tree::text(NO_RESULT)),
        ("type", Tree::text(format!("{call}_output"))),
    ]);
    Entry { at, tree }
}

/// Takes out reasoning that cannot go back; what it led to is then sent by value, without its id.
fn reasoning(entries: &mut Vec<Entry<'_>>, unstored: bool, log: &mut Log) {
    let sealed = |item: &Tree<'_>| {
        let content = item.str_of("encrypted_content");
        content.is_some_and(|content| !content.is_empty())
    };
    let mut led = false;
    for place in (0..entries.len()).rev() {
        let Some(entry) = entries.get(place) else {
            continue;
        };
        let at = entry.at;
        if kind(&entry.tree) != Some("reasoning") {
            led = is_led_to(&entry.tree);
            continue;
        }
        let rule = if !led {
            &R_REASON
        } else if unstored && !sealed(&entry.tree) {
            &R_SUMMARY
        } else {
            continue;
        };
        log.note(
            rule,
            format!("/input/{at}"),
            "reasoning taken out that cannot go back",
        );
        entries.remove(place);
        let followers = entries.iter_mut().skip(place);
        for follower in followers.take_while(|entry| is_led_to(&entry.tree)) {
            if kind(&follower.tree) == Some("reasoning") {
                break;
            }
            follower.tree.remove("id");
        }
    }
}

fn breakpoints(entries: &mut [Entry<'_>], log: &mut Log) {
    let mut left = BREAKPOINTS;
    // What is newest is worth the most.
    for entry in entries.iter_mut().rev() {
        let path = format!("/input/{}", entry.at);
        for key in ["output", "content"] {
            let Some(Tree::Array(parts)) = entry.tree.get_mut(key) else {
                continue;
            };
            let marked = parts.iter_mut().rev();
            for part in marked.filter(|part| part.given("prompt_cache_breakpoint").is_some()) {
                if left > 0 {
                    left -= 1;
                    continue;
                }
                part.remove("prompt_cache_breakpoint");
                log.note(
                    &R_CACHE,
                    path.clone(),
                    "a cache breakpoint too many taken out",
                );
            }
        }
    }
}
