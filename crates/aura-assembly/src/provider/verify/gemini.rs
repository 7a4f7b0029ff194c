//! The Gemini API. Source: google-genai 3.6.1, `types.py`, and the pages on function calling and thought signatures.

use super::Report;
use super::rule::{G_CACHE, G_CALL, G_EMPTY, G_END, G_NAME, G_RESP, G_ROLE, G_SHAPE, G_SIG};
use super::words::model_of;
use crate::provider::tree::Tree;

/// Both spellings of a function call's key.
pub(crate) const CALL: [&str; 2] = ["functionCall", "function_call"];
/// Both spellings of a function response's key.
pub(crate) const RESPONSE: [&str; 2] = ["functionResponse", "function_response"];
/// Both spellings of a signature's key.
pub(crate) const SIGNATURE: [&str; 2] = ["thoughtSignature", "thought_signature"];
/// Both spellings of the cached content's key.
pub(crate) const CACHED: [&str; 2] = ["cachedContent", "cached_content"];
/// What may not be sent beside cached content, in both spellings.
pub(crate) const BESIDE_CACHED: [[&str; 2]; 3] = [
    ["systemInstruction", "system_instruction"],
    ["tools", "tools"],
    ["toolConfig", "tool_config"],
];

/// Checks a body.
pub(super) fn check(body: &Tree<'_>, report: &mut Report) {
    let contents = body
        .get("contents")
        .and_then(Tree::items)
        .unwrap_or_default();
    report.add_if(
        contents.is_empty(),
        &G_SHAPE,
        || "/contents".into(),
        "there is no content",
    );
    for (at, content) in contents.iter().enumerate() {
        check_content(content, &format!("/contents/{at}"), report);
    }
    check_turns(contents, report);
    if signs(body) {
        for at in unsigned_steps(contents) {
            let part = first_call(parts_of_at(contents, at)).unwrap_or(0);
            report.add(
                &G_SIG,
                format!("/contents/{at}/parts/{part}"),
                "the first function call of a step of the current turn has no thought signature",
            );
        }
    }
    let model_ends = contents
        .last()
        .is_some_and(|last| role(last) == Some("model"));
    report.add_if(
        model_ends,
        &G_END,
        || format!("/contents/{}", contents.len().saturating_sub(1)),
        "the request ends with a model turn",
    );
    if body.either(CACHED).is_some_and(|cached| !cached.is_null()) {
        for keys in BESIDE_CACHED {
            for key in keys.iter().take(if keys[0] == keys[1] { 1 } else { 2 }) {
                report.add_if(
                    body.given(key).is_some(),
                    &G_CACHE,
                    || format!("/{key}"),
                    "the cached content carries this itself",
                );
            }
        }
    }
    check_names(body, report);
}

/// The role of a content; where none is given, the user's.
pub(crate) fn role<'t>(content: &'t Tree<'_>) -> Option<&'t str> {
    match content.given("role") {
        None => Some("user"),
        Some(role) => role
            .as_str()
            .filter(|role| matches!(*role, "user" | "model")),
    }
}

/// The parts of a content.
pub(crate) fn parts_of<'t, 'a>(content: &'t Tree<'a>) -> &'t [Tree<'a>] {
    content
        .get("parts")
        .and_then(Tree::items)
        .unwrap_or_default()
}

fn parts_of_at<'t, 'a>(contents: &'t [Tree<'a>], at: usize) -> &'t [Tree<'a>] {
    contents.get(at).map_or(&[], parts_of)
}

/// The place of the first function call among parts.
pub(crate) fn first_call(parts: &[Tree<'_>]) -> Option<usize> {
    parts.iter().position(|part| part.either(CALL).is_some())
}

/// How many of the parts have one of these keys.
pub(crate) fn count(parts: &[Tree<'_>], keys: [&str; 2]) -> usize {
    parts
        .iter()
        .filter(|part| part.either(keys).is_some())
        .count()
}

/// Whether a text part says nothing and carries no signature.
pub(crate) fn is_empty_text(part: &Tree<'_>) -> bool {
    part.str_of("text").is_some_and(str::is_empty) && part.either(SIGNATURE).is_none()
}

fn check_content(content: &Tree<'_>, path: &str, report: &mut Report) {
    report.add_if(
        role(content).is_none(),
        &G_ROLE,
        || path.to_owned(),
        "the role is neither user nor model",
    );
    let Some(parts) = content.get("parts").and_then(Tree::items) else {
        report.add(&G_SHAPE, path, "the content has no list of parts");
        return;
    };
    report.add_if(
        parts.is_empty(),
        &G_EMPTY,
        || format!("{path}/parts"),
        "the content has no part",
    );
    for (at, part) in parts.iter().enumerate() {
        let path = || format!("{path}/parts/{at}");
        report.add_if(
            !is_part(part),
            &G_SHAPE,
            path,
            "this is no part of a content",
        );
        report.add_if(
            is_empty_text(part),
            &G_EMPTY,
            path,
            "the text part is empty",
        );
        for keys in [CALL, RESPONSE] {
            let Some(function) = part.either(keys) else {
                continue;
            };
            report.add_if(
                !function.str_of("name").is_some_and(is_function_name),
                &G_NAME,
                path,
                "the function's name does not begin with a letter or _, or has other characters",
            );
        }
        if let Some(response) = part.either(RESPONSE) {
            report.add_if(
                !response.get("response").is_some_and(Tree::is_object),
                &G_RESP,
                path,
                "the response is no object",
            );
        }
    }
}

/// Whether this is an object that holds something.
pub(crate) fn is_part(part: &Tree<'_>) -> bool {
    let Tree::Object(pairs) = part else {
        return false;
    };
    let text = part.get("text").is_none_or(|text| text.as_str().is_some());
    let functions = [CALL, RESPONSE].into_iter();
    let mut functions = functions.filter_map(|keys| part.either(keys));
    !pairs.is_empty() && text && functions.all(Tree::is_object)
}

/// Whether a function may have this name: a letter or `_`, then letters, digits, `_ . : -`, at most 128.
pub(crate) fn is_function_name(name: &str) -> bool {
    let first = name.bytes().next();
    let begins = first.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    begins && name.len() <= 128 && name.bytes().all(legal)
}

fn check_turns(contents: &[Tree<'_>], report: &mut Report) {
    for (at, content) in contents.iter().enumerate() {
        let parts = parts_of(content);
        let before = at.checked_sub(1).and_then(|at| contents.get(at));
        let model = role(content) == Some("model");
        let calls = if model { count(parts, CALL) } else { 0 };
        if !model {
            report.add_if(
                count(parts, CALL) > 0,
                &G_CALL,
                || format!("/contents/{at}"),
                "a function call stands on the user's side",
            );
        }
        if calls > 0 {
            let placed = before.is_some_and(|before| role(before) == Some("user"));
            report.add_if(
                !placed,
                &G_CALL,
                || format!("/contents/{at}"),
                "the function call does not come directly after a user turn or function responses",
            );
            let next = parts_of_at(contents, at + 1);
            let next_is_user = contents
                .get(at + 1)
                .is_some_and(|next| role(next) == Some("user"));
            let answered = if next_is_user {
                count(next, RESPONSE)
            } else {
                0
            };
            report.add_if(
                answered != calls,
                &G_RESP,
                || format!("/contents/{at}"),
                "the next content has not as many function responses as this has calls",
            );
        }
        let responses = count(parts, RESPONSE);
        if responses == 0 {
            continue;
        }
        let called = before
            .filter(|before| role(before) == Some("model"))
            .map_or(&[][..], parts_of);
        report.add_if(
            model || count(called, CALL) == 0,
            &G_RESP,
            || format!("/contents/{at}"),
            "the function responses do not come directly after their calls",
        );
        report.add_if(
            count(called, CALL) == responses && !echoes(called, parts),
            &G_RESP,
            || format!("/contents/{at}"),
            "a function response has not the name and id of its call",
        );
    }
}

/// Whether each response has the name and the id of a call: by id where the calls have one, else in their order.
pub(crate) fn echoes(calls: &[Tree<'_>], responses: &[Tree<'_>]) -> bool {
    let calls: Vec<&Tree<'_>> = calls.iter().filter_map(|part| part.either(CALL)).collect();
    let mut open: Vec<&Tree<'_>> = calls;
    let responses = responses.iter().filter_map(|part| part.either(RESPONSE));
    for response in responses {
        let same = |call: &&Tree<'_>| {
            let id = call.str_of("id");
            call.str_of("name") == response.str_of("name")
                && (id.is_none() || id == response.str_of("id"))
        };
        let Some(at) = open.iter().position(same) else {
            return false;
        };
        open.remove(at);
    }
    true
}

/// Whether the model signs its thoughts: Gemini 3 and later; so do those that are not named.
pub(crate) fn signs(body: &Tree<'_>) -> bool {
    model_of(body).is_none_or(|model| model.family != "gemini" || model.version >= (3, 0))
}

/// The contents of the current turn whose first function call is not signed.
pub(crate) fn unsigned_steps(contents: &[Tree<'_>]) -> Vec<usize> {
    let asks = |content: &Tree<'_>| {
        let parts = parts_of(content);
        role(content) == Some("user") && count(parts, RESPONSE) == 0
    };
    let begin = contents.iter().rposition(asks).map_or(0, |at| at + 1);
    let steps = contents.iter().enumerate().skip(begin);
    let unsigned = steps.filter(|(_, content)| {
        let parts = parts_of(content);
        let first = first_call(parts).and_then(|at| parts.get(at));
        let signed = |part: &Tree<'_>| {
            let signature = part.either(SIGNATURE).and_then(Tree::as_str);
            signature.is_some_and(|signature| !signature.is_empty())
        };
        first.is_some_and(|part| !signed(part))
    });
    unsigned.map(|(at, _)| at).collect()
}

fn check_names(body: &Tree<'_>, report: &mut Report) {
    let tools = body.get("tools").and_then(Tree::items).unwrap_or_default();
    for (at, tool) in tools.iter().enumerate() {
        for key in ["functionDeclarations", "function_declarations"] {
            let functions = tool.get(key).and_then(Tree::items).unwrap_or_default();
            for (function_at, function) in functions.iter().enumerate() {
                report.add_if(
                    !function.str_of("name").is_some_and(is_function_name),
                    &G_NAME,
                    || format!("/tools/{at}/{key}/{function_at}/name"),
                    "the function's name does not begin with a letter or _, or has other characters",
                );
            }
        }
    }
}
