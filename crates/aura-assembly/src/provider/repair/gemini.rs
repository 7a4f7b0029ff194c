//! Mending a request to the Gemini API.

mod pairs;

use aura_core::Provider;

use super::list::{Entry, Log, drain, put, take};
use super::names::tool_name;
use super::{BEGIN, GO_ON, said};
use crate::provider::tree::Tree;
use crate::provider::verify::gemini::{
    BESIDE_CACHED, CACHED, CALL, RESPONSE, SIGNATURE, count, first_call, is_empty_text,
    is_function_name, is_part, parts_of, role, signs, unsigned_steps,
};
use crate::provider::verify::rule::{
    G_CACHE, G_CALL, G_EMPTY, G_END, G_NAME, G_RESP, G_ROLE, G_SHAPE, G_SIG,
};

/// The signature by which a call of foreign history passes: documented beside thought signatures.
pub(crate) const BYPASS: &str = "skip_thought_signature_validator";

/// Mends a body.
pub(super) fn mend(body: &mut Tree<'_>, log: &mut Log) {
    cached(body, log);
    let mut entries = take(body, "contents");
    roles(body, &mut entries, log);
    for entry in &mut entries {
        parts(entry, log);
        sides(entry, log);
    }
    drop_empty(&mut entries, log);
    merge(&mut entries, log);
    pairs::mend(&mut entries, log);
    drop_empty(&mut entries, log);
    merge(&mut entries, log);
    ends(&mut entries, log);
    let sign = signs(body);
    put(body, "contents", entries);
    if sign {
        signatures(body, log);
    }
    declarations(body, log);
}

fn parts_mut<'t, 'a>(content: &'t mut Tree<'a>) -> Option<&'t mut Vec<Tree<'a>>> {
    match content.get_mut("parts") {
        Some(Tree::Array(parts)) => Some(parts),
        _ => None,
    }
}

fn text_part<'a>(text: std::borrow::Cow<'a, str>) -> Tree<'a> {
    Tree::object([("text", Tree::Text(text))])
}

fn content<'a>(role: &'static str, parts: Vec<Tree<'a>>) -> Tree<'a> {
    Tree::object([("parts", Tree::Array(parts)), ("role", Tree::text(role))])
}

fn cached(body: &mut Tree<'_>, log: &mut Log) {
    if body.either(CACHED).is_none_or(Tree::is_null) {
        return;
    }
    for key in BESIDE_CACHED.into_iter().flatten() {
        if body.given(key).is_some() {
            body.remove(key);
            let did = "taken out, for the cached content carries it";
            log.note(&G_CACHE, format!("/{key}"), did);
        }
    }
}

/// Gives every content a role the provider knows; system text that comes first moves to where it belongs.
fn roles<'a>(body: &mut Tree<'a>, entries: &mut Vec<Entry<'a>>, log: &mut Log) {
    let mut first = true;
    let mut system = Vec::new();
    entries.retain_mut(|entry| {
        let path = || format!("/contents/{}", entry.at);
        if !entry.tree.is_object() || entry.tree.get("parts").and_then(Tree::items).is_none() {
            log.note(&G_SHAPE, path(), "taken out, for it has no list of parts");
            return false;
        }
        if role(&entry.tree).is_some() {
            first = false;
            return true;
        }
        let (new, did) = match entry.tree.str_of("role") {
            Some("assistant") => ("model", "assistant became model"),
            Some("system" | "developer") if first => {
                log.note(&G_ROLE, path(), "moved to system_instruction");
                if let Some(parts) = parts_mut(&mut entry.tree) {
                    let text =
                        |part: &Tree<'_>| part.str_of("text").is_some_and(|text| !text.is_empty());
                    system.extend(drain(parts, text).into_iter().map(|(_, part)| part));
                }
                return false;
            }
            Some("system" | "developer") => {
                if let Some(parts) = parts_mut(&mut entry.tree) {
                    parts.insert(0, text_part("system:".into()));
                }
                ("user", "shown on the user's side")
            }
            _ => ("user", "its role became user"),
        };
        log.note(&G_ROLE, path(), did);
        entry.tree.set("role", Tree::text(new));
        first = false;
        true
    });
    if system.is_empty() || body.either(CACHED).is_some_and(|cached| !cached.is_null()) {
        return;
    }
    let [camel, snake] = ["systemInstruction", "system_instruction"];
    let key = if body.get(snake).is_some() {
        snake
    } else {
        camel
    };
    match body.get_mut(key).and_then(parts_mut) {
        Some(parts) => parts.extend(system),
        None => body.set(key, Tree::object([("parts", Tree::Array(system))])),
    }
}

/// Takes out parts that are none or say nothing, and completes functions.
fn parts(entry: &mut Entry<'_>, log: &mut Log) {
    let path = format!("/contents/{}", entry.at);
    let Some(parts) = parts_mut(&mut entry.tree) else {
        return;
    };
    parts.retain_mut(|part| {
        if !is_part(part) {
            log.note(&G_SHAPE, path.clone(), "what is no part taken out");
            return false;
        }
        if is_empty_text(part) {
            log.note(&G_EMPTY, path.clone(), "a text taken out that says nothing");
            return false;
        }
        for keys in [CALL, RESPONSE] {
            let Some(function) = part.either_mut(keys) else {
                continue;
            };
            let name = function.str_of("name").unwrap_or("");
            if !is_function_name(name) {
                let name = tool_name(name, true);
                function.set("name", Tree::text(name));
                log.note(
                    &G_NAME,
                    path.clone(),
                    "given a name that the provider takes",
                );
            }
        }
        if let Some(response) = part.either_mut(RESPONSE)
            && !response.get("response").is_some_and(Tree::is_object)
        {
            let output = match response.given("response") {
                Some(output) => Tree::object([("output", output.clone())]),
                None => Tree::Object(Vec::new()),
            };
            response.set("response", output);
            log.note(&G_RESP, path.clone(), "a response made an object");
        }
        true
    });
}

/// Takes calls off the user's side, and puts responses on it.
fn sides(entry: &mut Entry<'_>, log: &mut Log) {
    let path = format!("/contents/{}", entry.at);
    let model = role(&entry.tree) == Some("model");
    let parts = parts_of(&entry.tree);
    let (calls, responses) = (count(parts, CALL), count(parts, RESPONSE));
    if model && responses > 0 && responses == parts.len() {
        entry.tree.set("role", Tree::text("user"));
        log.note(&G_RESP, path, "its role became user");
        return;
    }
    let wrong = if model { RESPONSE } else { CALL };
    if (model && responses > 0) || (!model && calls > 0) {
        if let Some(parts) = parts_mut(&mut entry.tree) {
            parts.retain(|part| part.either(wrong).is_none());
        }
        let rule = if model { &G_RESP } else { &G_CALL };
        log.note(rule, path, "what stands on the wrong side taken out");
    }
}

fn drop_empty(entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    entries.retain(|entry| {
        let kept = !parts_of(&entry.tree).is_empty();
        if !kept {
            log.note(
                &G_EMPTY,
                format!("/contents/{}", entry.at),
                "taken out, for it is empty",
            );
        }
        kept
    });
}

/// Joins calls to the model's turn that they follow directly.
fn merge(entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    let mut out: Vec<Entry<'_>> = Vec::with_capacity(entries.len());
    for mut entry in std::mem::take(entries) {
        let calls = |entry: &Entry<'_>| first_call(parts_of(&entry.tree)).is_some();
        let model = |entry: &Entry<'_>| role(&entry.tree) == Some("model");
        match out.last_mut() {
            Some(last) if model(last) && model(&entry) && calls(&entry) && !calls(last) => {
                let path = format!("/contents/{}", entry.at);
                log.note(&G_CALL, path, "joined to the model's turn before it");
                let parts = parts_mut(&mut entry.tree)
                    .map(std::mem::take)
                    .unwrap_or_default();
                if let Some(before) = parts_mut(&mut last.tree) {
                    before.extend(parts);
                }
            }
            _ => out.push(entry),
        }
    }
    *entries = out;
}

/// Lets the user speak before the first call, and last.
fn ends(entries: &mut Vec<Entry<'_>>, log: &mut Log) {
    if let Some(first) = entries.first()
        && first_call(parts_of(&first.tree)).is_some()
    {
        let at = first.at;
        log.note(
            &G_CALL,
            format!("/contents/{at}"),
            "a user's turn put before it",
        );
        let tree = said(Provider::Gemini, BEGIN);
        entries.insert(0, Entry { at, tree });
    }
    match entries.last() {
        None => {
            let tree = said(Provider::Gemini, GO_ON);
            entries.push(Entry { at: 0, tree });
            log.note(
                &G_SHAPE,
                "/contents",
                "a user's turn put in, for there was none",
            );
        }
        Some(last) if role(&last.tree) == Some("model") => {
            let at = last.at;
            log.note(
                &G_END,
                format!("/contents/{at}"),
                "a user's turn put behind it",
            );
            let tree = said(Provider::Gemini, GO_ON);
            entries.push(Entry { at, tree });
        }
        Some(_) => {}
    }
}

fn signatures(body: &mut Tree<'_>, log: &mut Log) {
    let Some(Tree::Array(contents)) = body.get_mut("contents") else {
        return;
    };
    for at in unsigned_steps(contents) {
        let parts = contents.get_mut(at).and_then(parts_mut);
        let part = parts.and_then(|parts| {
            let first = first_call(parts)?;
            parts.get_mut(first)
        });
        let Some(part) = part else {
            continue;
        };
        for key in SIGNATURE {
            part.remove(key);
        }
        part.set("thoughtSignature", Tree::text(BYPASS));
        let path = format!("/contents/{at}");
        log.note(
            &G_SIG,
            path,
            "signed with the value that passes foreign history",
        );
    }
}

fn declarations(body: &mut Tree<'_>, log: &mut Log) {
    let Some(Tree::Array(tools)) = body.get_mut("tools") else {
        return;
    };
    for (at, tool) in tools.iter_mut().enumerate() {
        for key in ["functionDeclarations", "function_declarations"] {
            let Some(Tree::Array(functions)) = tool.get_mut(key) else {
                continue;
            };
            for function in functions.iter_mut().filter(|function| function.is_object()) {
                let name = function.str_of("name").unwrap_or("");
                if !is_function_name(name) {
                    let name = tool_name(name, true);
                    function.set("name", Tree::text(name));
                    log.note(
                        &G_NAME,
                        format!("/tools/{at}"),
                        "given a name that the provider takes",
                    );
                }
            }
        }
    }
}
