//! A message made such as its provider takes it.

use std::borrow::Cow;

use aura_core::{ContextMessage, Provider, RawJson, Role, StoredMessage};

use crate::provider::manner;
use crate::provider::repair::names::tool_name;
use crate::provider::verify::gemini::is_function_name;
use crate::provider::verify::{is_blank, is_tool_name};
use crate::render::media;

/// What stands for a text that says nothing, where a provider refuses such.
pub(crate) const EMPTY: &str = "[empty]";
/// What stands beside media that a tool gave and that its result cannot hold.
const FROM_TOOL: &str = "[shown by the tool]";
/// Who speaks in system text that stands among the messages of a provider that has no place for it there.
const SYSTEM: &str = "system";
/// What begins a failed result, where there is no field to say so.
const ERROR: &str = "Error: ";

/// Makes messages such as the provider takes them, and says whether their tokens changed beyond their names.
pub(super) fn fit(
    stored: &StoredMessage,
    provider: Provider,
    messages: &mut Vec<ContextMessage>,
) -> bool {
    if manner::is_own(provider) {
        return false;
    }
    let mut changed = false;
    let mut moved = Vec::new();
    for message in messages.iter_mut() {
        changed |= fit_role(message, provider);
        changed |= fit_text(message, provider);
        changed |= fit_calls(message, provider);
        let sealed = message.native.is_some();
        if message.role == Role::Tool && !sealed && !manner::takes_tool_media(provider) {
            let shown = |one: &aura_core::RenderedMedia| media::part(one, provider).is_some();
            let (out, kept): (Vec<_>, Vec<_>) = message.media.drain(..).partition(shown);
            message.media = kept;
            moved.extend(out);
        }
    }
    if !moved.is_empty() {
        messages.push(ContextMessage {
            content: FROM_TOOL.to_owned(),
            media: moved,
            events: Vec::new(),
            ..super::message::empty(stored, Role::User)
        });
        changed = true;
    }
    changed
}

/// System text among the messages is shown on the user's side, by a speaker of that name.
fn fit_role(message: &mut ContextMessage, provider: Provider) -> bool {
    if message.role != Role::System || manner::takes_system(provider) {
        return false;
    }
    message.role = Role::User;
    message.name = Some(SYSTEM.to_owned());
    true
}

fn fit_text(message: &mut ContextMessage, provider: Provider) -> bool {
    if message.role == Role::Tool && message.is_error && !manner::marks_failure(provider) {
        let said = message
            .content
            .get(..5)
            .is_some_and(|head| head.eq_ignore_ascii_case("error"));
        if !said {
            message.content.insert_str(0, ERROR);
            return true;
        }
    }
    if manner::takes_blanks(provider) || !is_blank(&message.content) {
        return false;
    }
    let silent = message.tool_calls.is_empty() && message.media.is_empty();
    let needed = silent && message.role != Role::Tool && message.native.is_none();
    let content = if needed { EMPTY } else { "" };
    let changed = message.content != content;
    content.clone_into(&mut message.content);
    changed
}

fn fit_calls(message: &mut ContextMessage, provider: Provider) -> bool {
    let mut changed = false;
    for call in &mut message.tool_calls {
        let name = wire_tool(&call.name, provider);
        if let Cow::Owned(name) = name {
            call.name = name;
            changed = true;
        }
        if !manner::takes_any_arguments(provider) && !call.arguments.is_object() {
            let text = match call.arguments.as_str() {
                "null" => "{}".to_owned(),
                other => format!(r#"{{"value":{other}}}"#),
            };
            if let Ok(arguments) = RawJson::new("arguments", &text) {
                call.arguments = arguments;
                changed = true;
            }
        }
    }
    changed
}

/// The name of a tool that was called, as the provider takes it.
fn wire_tool(name: &str, provider: Provider) -> Cow<'_, str> {
    let begins = provider == Provider::Gemini;
    if is_tool_name(name) && (!begins || is_function_name(name)) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(tool_name(name, begins))
}
