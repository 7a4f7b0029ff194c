//! The Gemini API: contents of parts, the responses of one step in a content of their own.

use std::collections::HashSet;

use aura_core::{CallId, ContextMessage, Provider, RawJson, Role, ToolDefinition};

use super::{array, is_prompt, label, media, quoted};
use crate::provider::native;
use crate::provider::repair::BYPASS;
use crate::provider::tree::Tree;
use crate::provider::verify::gemini::{CALL, SIGNATURE};

/// Which content a message belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    User,
    Model,
    Responses,
}

/// A content under way.
struct Content {
    side: Side,
    parts: Vec<String>,
    /// The whole content as it came, while nothing was added to it.
    whole: Option<String>,
}

/// The messages as a JSON array of contents, system prompt apart.
pub(super) fn contents(list: &[ContextMessage]) -> String {
    let mut contents: Vec<Content> = Vec::with_capacity(list.len());
    // Calls that came without an id, whose responses have none either.
    let mut nameless: HashSet<&CallId> = HashSet::new();
    for message in list.iter().filter(|message| !is_prompt(message)) {
        if let Some(native) = &message.native
            && native::lacks_ids(native.as_str())
        {
            nameless.extend(message.tool_calls.iter().map(|call| &call.id));
        }
        let side = side(message);
        let parts = parts(message, &nameless);
        match contents.last_mut() {
            Some(last) if last.side == side => {
                last.parts.extend(parts);
                last.whole = None;
            }
            _ => contents.push(Content {
                side,
                parts,
                whole: message
                    .native
                    .as_ref()
                    .map(|native| native.as_str().to_owned()),
            }),
        }
    }
    sign(&mut contents);
    array(&contents.iter().map(write).collect::<Vec<_>>())
}

fn side(message: &ContextMessage) -> Side {
    match message.role {
        Role::Assistant => Side::Model,
        Role::Tool => Side::Responses,
        Role::User | Role::System => Side::User,
    }
}

fn write(content: &Content) -> String {
    if let Some(whole) = &content.whole {
        return whole.clone();
    }
    let role = match content.side {
        Side::Model => "model",
        Side::User | Side::Responses => "user",
    };
    format!(r#"{{"parts":{},"role":"{role}"}}"#, array(&content.parts))
}

/// Lets calls of the current turn pass that were made elsewhere: the first of each step must be signed.
fn sign(contents: &mut [Content]) {
    let begin = contents
        .iter()
        .rposition(|content| content.side == Side::User);
    let begin = begin.map_or(0, |at| at + 1);
    let steps = contents.iter_mut().skip(begin);
    for content in steps.filter(|content| content.side == Side::Model) {
        for part in &mut content.parts {
            let Some(mut tree) = Tree::parse(part).filter(|tree| tree.either(CALL).is_some())
            else {
                continue;
            };
            if tree.either(SIGNATURE).is_none() {
                tree.set("thoughtSignature", Tree::text(BYPASS));
                *part = tree.to_json();
                content.whole = None;
            }
            break;
        }
    }
}

fn parts(message: &ContextMessage, nameless: &HashSet<&CallId>) -> Vec<String> {
    if let Some(native) = &message.native {
        return native::gemini_parts(native.as_str()).unwrap_or_default();
    }
    if let Some(id) = &message.tool_call_id {
        let id = (!nameless.contains(id)).then_some(id);
        return vec![response_part(message, id)];
    }
    let mut out = Vec::new();
    if message.role == Role::User {
        out.extend(label(message).map(|label| text_part(&label)));
    }
    if !message.content.is_empty() {
        out.push(text_part(&message.content));
    }
    out.extend(message.media.iter().map(|one| {
        let part = media::part(one, Provider::Gemini).filter(|_| message.role == Role::User);
        part.unwrap_or_else(|| text_part(&media::mention(one)))
    }));
    let calls = message.tool_calls.iter();
    out.extend(calls.map(|call| call_part(&call.id, &call.name, &call.arguments)));
    out
}

fn response_part(message: &ContextMessage, id: Option<&CallId>) -> String {
    let words = Some(message.content.clone()).filter(|content| !content.is_empty());
    let mentions = message.media.iter().map(media::mention);
    let text = words
        .into_iter()
        .chain(mentions)
        .collect::<Vec<_>>()
        .join("\n");
    let key = if message.is_error { "error" } else { "output" };
    let id = id.map_or_else(String::new, |id| {
        format!(r#""id":{},"#, quoted(id.as_str()))
    });
    let name = quoted(message.name.as_deref().unwrap_or_default());
    let text = quoted(&text);
    format!(r#"{{"functionResponse":{{{id}"name":{name},"response":{{"{key}":{text}}}}}}}"#)
}

/// A text.
pub(crate) fn text_part(text: &str) -> String {
    format!(r#"{{"text":{}}}"#, quoted(text))
}

/// A call.
pub(crate) fn call_part(id: &CallId, name: &str, arguments: &RawJson) -> String {
    format!(
        r#"{{"functionCall":{{"args":{},"id":{},"name":{}}}}}"#,
        arguments.as_str(),
        quoted(id.as_str()),
        quoted(name)
    )
}

/// The tools as a JSON array of one tool that declares them all.
pub(super) fn tools(offered: &[ToolDefinition]) -> String {
    if offered.is_empty() {
        return "[]".to_owned();
    }
    let tool = |tool: &ToolDefinition| {
        format!(
            r#"{{"description":{},"name":{},"parametersJsonSchema":{}}}"#,
            quoted(&tool.description),
            quoted(&tool.name),
            tool.parameters.as_str()
        )
    };
    let all = array(&offered.iter().map(tool).collect::<Vec<_>>());
    format!(r#"[{{"functionDeclarations":{all}}}]"#)
}
