//! A compiled context as the JSON that is sent.
//!
//! Keys stand in alphabetical order, and the same context gives the same bytes. Native forms of the same provider go back
//! as they came; where several messages become one, block by block.

mod anthropic;
mod gemini;
mod generic;
pub(crate) mod media;
mod openai;
mod responses;

use aura_core::{CompiledContext, ContextMessage, Provider, Result, Role, Section, ToolDefinition};

pub(crate) use anthropic::{call_block, text_block};
pub(crate) use gemini::{call_part, text_part};
pub(crate) use responses::{call_item, text_item};

/// All that a context puts into the body of a request, as a JSON object in the form of its provider: messages, tools, and
/// where the provider wants it apart, system text. Model and settings are the caller's to add.
///
/// | provider | keys |
/// | --- | --- |
/// | `generic`, `openai` | `messages`, `tools` |
/// | `openai-responses` | `input`, `tools` |
/// | `anthropic` | `messages`, `system`, `tools` |
/// | `gemini` | `contents`, `systemInstruction`, `tools` |
///
/// What is empty is left out, but for the messages.
///
/// # Errors
/// `Internal`, when a message cannot be written, which is a defect; `Invalid` for a provider this version cannot write.
pub fn request_json(context: &CompiledContext) -> Result<String> {
    let marks = &context.manifest.cache.breakpoints;
    marked_body(context.provider, &context.messages, &context.tools, marks)
}

/// The messages as a JSON array in the form of the context's provider. For `anthropic` and `gemini` the system prompt is
/// not among them: it stands in [`request_json`].
///
/// # Errors
/// As [`request_json`].
pub fn messages_json(context: &CompiledContext) -> Result<String> {
    let marks = &context.manifest.cache.breakpoints;
    messages(context.provider, &context.messages, marks)
}

/// The tools as a JSON array in the form of the context's provider.
///
/// # Errors
/// As [`request_json`].
pub fn tools_json(context: &CompiledContext) -> Result<String> {
    let marks = &context.manifest.cache.breakpoints;
    tools(context.provider, &context.tools, marks)
}

/// The body of a request.
pub(crate) fn body(
    provider: Provider,
    list: &[ContextMessage],
    offered: &[ToolDefinition],
) -> Result<String> {
    marked_body(provider, list, offered, &[])
}

/// The same with cache breakpoints, where the provider has such: each behind so many messages of the list.
fn marked_body(
    provider: Provider,
    list: &[ContextMessage],
    offered: &[ToolDefinition],
    marks: &[u32],
) -> Result<String> {
    let mut pairs = Vec::with_capacity(3);
    let (key, system_key) = match provider {
        Provider::OpenaiResponses => ("input", None),
        Provider::Anthropic => ("messages", Some("system")),
        Provider::Gemini => ("contents", Some("systemInstruction")),
        _ => ("messages", None),
    };
    pairs.push(format!(r#""{key}":{}"#, messages(provider, list, marks)?));
    if let (Some(key), Some(text)) = (system_key, system_text(list)) {
        let system = match provider {
            Provider::Gemini => format!(r#"{{"parts":[{}]}}"#, text_part(&text)),
            _ => format!("[{}]", anthropic::system(&text, list, marks)),
        };
        pairs.push(format!(r#""{key}":{system}"#));
    }
    if !offered.is_empty() {
        pairs.push(format!(r#""tools":{}"#, tools(provider, offered, marks)?));
    }
    Ok(format!("{{{}}}", pairs.join(",")))
}

fn messages(provider: Provider, list: &[ContextMessage], marks: &[u32]) -> Result<String> {
    match provider {
        Provider::Generic => generic::messages(list),
        Provider::Openai => openai::messages(list),
        Provider::OpenaiResponses => Ok(responses::items(list)),
        Provider::Anthropic => Ok(anthropic::messages(list, marks)),
        Provider::Gemini => Ok(gemini::contents(list)),
        _ => Err(unknown()),
    }
}

fn tools(provider: Provider, offered: &[ToolDefinition], marks: &[u32]) -> Result<String> {
    match provider {
        Provider::Generic => generic::tools(offered),
        Provider::Openai => openai::tools(offered),
        Provider::OpenaiResponses => Ok(responses::tools(offered)),
        Provider::Anthropic => Ok(anthropic::tools(offered, marks)),
        Provider::Gemini => Ok(gemini::tools(offered)),
        _ => Err(unknown()),
    }
}

fn unknown() -> aura_core::Error {
    aura_core::Error::invalid_field("options", "provider", "cannot be written by this version")
}

/// Whether a message is the system prompt, which some providers want apart.
fn is_prompt(message: &ContextMessage) -> bool {
    message.section == Section::System && message.role == Role::System
}

/// The system prompt.
fn system_text(list: &[ContextMessage]) -> Option<String> {
    let texts: Vec<&str> = list
        .iter()
        .filter(|message| is_prompt(message))
        .map(|message| message.content.as_str())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    crate::provider::tree::push_string(&mut out, text);
    out
}

/// What stands before the words of a named speaker, where the provider has no field for names.
fn label(message: &ContextMessage) -> Option<String> {
    message.name.as_ref().map(|name| format!("{name}:"))
}

/// A list of JSON values.
fn array(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}
