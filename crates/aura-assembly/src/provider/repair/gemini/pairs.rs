//! Function calls and their responses.

use super::{content, parts_mut};
use crate::provider::repair::NO_RESULT;
use crate::provider::repair::list::{Entry, Log, drain};
use crate::provider::tree::Tree;
use crate::provider::verify::gemini::{CALL, RESPONSE, count, echoes, parts_of, role};
use crate::provider::verify::rule::{G_CALL, G_RESP};

/// A response and where it stood.
struct Found<'a> {
    at: usize,
    place: usize,
    part: Tree<'a>,
}

/// Puts the responses of each content's calls directly behind it; those that answer nothing are taken out.
pub(super) fn mend<'a>(entries: &mut Vec<Entry<'a>>, log: &mut Log) {
    let mut found = collect(entries);
    let mut out: Vec<Entry<'a>> = Vec::with_capacity(entries.len());
    for (place, entry) in std::mem::take(entries).into_iter().enumerate() {
        let at = entry.at;
        let results = if role(&entry.tree) == Some("model") {
            answers(&entry, place, &mut found, log)
        } else {
            Vec::new()
        };
        // A user must stand between two steps of calls.
        let after_model = out
            .last()
            .is_some_and(|last| role(&last.tree) == Some("model"));
        if after_model && !results.is_empty() && count(parts_of(&entry.tree), CALL) > 0 {
            log.note(
                &G_CALL,
                format!("/contents/{at}"),
                "a user's turn put before it",
            );
            let tree = crate::provider::repair::said(
                aura_core::Provider::Gemini,
                crate::provider::repair::GO_ON,
            );
            out.push(Entry { at, tree });
        }
        out.push(entry);
        if !results.is_empty() {
            let tree = content("user", results);
            out.push(Entry { at, tree });
        }
    }
    for orphan in found {
        let path = format!("/contents/{}", orphan.at);
        log.note(
            &G_RESP,
            path,
            "a function response taken out that answers no call",
        );
    }
    // What held responses alone was emptied above, without a word: they stand elsewhere now.
    out.retain(|entry| !parts_of(&entry.tree).is_empty());
    *entries = out;
}

/// Takes all responses out of the contents, in their order.
fn collect<'a>(entries: &mut [Entry<'a>]) -> Vec<Found<'a>> {
    let mut found = Vec::new();
    for (place, entry) in entries.iter_mut().enumerate() {
        let at = entry.at;
        let Some(parts) = parts_mut(&mut entry.tree) else {
            continue;
        };
        let responses = drain(parts, |part| part.either(RESPONSE).is_some());
        let responses = responses.into_iter();
        found.extend(responses.map(|(_, part)| Found { at, place, part }));
    }
    found
}

/// The responses to a content's calls, in the order of the calls.
fn answers<'a>(
    entry: &Entry<'a>,
    place: usize,
    found: &mut Vec<Found<'a>>,
    log: &mut Log,
) -> Vec<Tree<'a>> {
    let path = format!("/contents/{}", entry.at);
    let mut results = Vec::new();
    for call in parts_of(&entry.tree)
        .iter()
        .filter_map(|part| part.either(CALL))
    {
        let (id, name) = (call.str_of("id"), call.str_of("name"));
        let behind = |found: &Found<'_>| found.place > place;
        let answers = |found: &Found<'_>, key: &str, wanted: Option<&str>| {
            let response = found.part.either(RESPONSE);
            wanted.is_some() && response.and_then(|response| response.str_of(key)) == wanted
        };
        // By its id, by its name, or as the next one of the content directly behind.
        let at = { found.iter() }
            .position(|found| behind(found) && answers(found, "id", id))
            .or_else(|| {
                let mut all = found.iter();
                all.position(|found| {
                    let free = id.is_none() || !has_id(found);
                    behind(found) && free && answers(found, "name", name)
                })
            })
            .or_else(|| {
                found
                    .iter()
                    .position(|found| found.place == place + 1 && !has_id(found))
            });
        let mut part = match at.map(|at| found.remove(at)) {
            Some(found) => {
                if found.place > place + 1 {
                    log.note(&G_RESP, path.clone(), "a response moved behind its call");
                }
                found.part
            }
            None => {
                log.note(&G_RESP, path.clone(), "a placeholder put in for a response");
                let error = Tree::object([("error", Tree::text(NO_RESULT))]);
                Tree::object([(
                    "functionResponse",
                    Tree::object([("name", Tree::text("")), ("response", error)]),
                )])
            }
        };
        echo(&mut part, call, &path, log);
        results.push(part);
    }
    results
}

fn has_id(found: &Found<'_>) -> bool {
    let response = found.part.either(RESPONSE);
    response.is_some_and(|response| response.str_of("id").is_some())
}

/// Gives a response the name and id of its call.
fn echo<'a>(part: &mut Tree<'a>, call: &Tree<'a>, path: &str, log: &mut Log) {
    let is_echo = {
        let call = Tree::Object(vec![("functionCall".into(), call.clone())]);
        echoes(&[call], std::slice::from_ref(part))
    };
    let Some(response) = part.either_mut(RESPONSE) else {
        return;
    };
    if is_echo {
        return;
    }
    // A placeholder comes without a name, and that was noted already.
    if response.str_of("name") != Some("") {
        log.note(
            &G_RESP,
            path,
            "a response given the name and id of its call",
        );
    }
    if let Some(name) = call.get("name") {
        response.set("name", name.clone());
    }
    if let Some(id) = call.given("id") {
        response.set("id", id.clone());
    }
}
