//! The rules of the providers, checked on the JSON body of a request before it is sent.
//!
//! What a rule says, and whose it is, stands in [`rules`]; what only the provider can tell (whether a signature is valid
//! for the prefix it stands behind) is not checked.

pub(crate) mod anthropic;
pub(crate) mod chat;
pub(crate) mod gemini;
mod report;
pub(crate) mod responses;
pub(crate) mod rule;
mod words;

use aura_core::{Error, Provider, Result, json};
use serde::Serialize;

pub use rule::{Rule, rules};

pub(crate) use report::Report;
pub(crate) use words::{is_blank, is_tool_name, is_wire_id, model_of};

use crate::provider::tree::Tree;

/// A place where a request breaks a rule of its provider. It holds no text of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule's permanent id, for example `A-PAIR`.
    pub rule: &'static str,
    /// Where, as a JSON pointer.
    pub path: String,
    /// What is wrong there.
    pub meaning: &'static str,
}

/// Checks the body of a request against the rules of its provider; nothing found is an empty list.
///
/// What stands in the body beside messages, system text and tools may be absent. Where the body names a `model`, rules
/// that hold for some models only are checked for that one, else for the newest.
///
/// # Errors
/// `Invalid`, when it cannot be checked: no JSON, no object, no list of messages, or `generic`, which has no rules.
///
/// ```
/// use aura_assembly::verify;
/// use aura_core::Provider;
/// let body = r#"{"messages":[{"role":"tool","tool_call_id":"c1","content":"12"}]}"#;
/// let found = verify(Provider::Openai, body).unwrap();
/// assert_eq!((found[0].rule, found[0].path.as_str()), ("O-ORPHAN", "/messages/0"));
/// ```
pub fn verify(provider: Provider, request_json: &str) -> Result<Vec<Violation>> {
    let text = json::mend_surrogates("request", request_json)?;
    let body = read(provider, &text)?;
    Ok(check(provider, &body))
}

/// Reads a body and sees that it can be checked at all.
pub(crate) fn read(provider: Provider, text: &str) -> Result<Tree<'_>> {
    let body =
        Tree::parse(text).ok_or_else(|| Error::invalid_field("request", "", "is not JSON"))?;
    if !body.is_object() {
        return Err(Error::invalid_field("request", "", "is not a JSON object"));
    }
    let key = messages_key(provider)?;
    match body.get(key) {
        Some(Tree::Array(_)) => Ok(body),
        Some(Tree::Text(_)) if provider == Provider::OpenaiResponses => Ok(body),
        _ => Err(Error::invalid_field("request", key, "is not a list")),
    }
}

/// The key of the messages in a body.
pub(crate) fn messages_key(provider: Provider) -> Result<&'static str> {
    match provider {
        Provider::Openai | Provider::Anthropic => Ok("messages"),
        Provider::OpenaiResponses => Ok("input"),
        Provider::Gemini => Ok("contents"),
        _ => Err(Error::invalid_field(
            "request",
            "provider",
            "has no rules to check",
        )),
    }
}

/// Checks a body that can be checked.
pub(crate) fn check(provider: Provider, body: &Tree<'_>) -> Vec<Violation> {
    let mut report = Report::default();
    match provider {
        Provider::Openai => chat::check(body, &mut report),
        Provider::OpenaiResponses => responses::check(body, &mut report),
        Provider::Anthropic => anthropic::check(body, &mut report),
        Provider::Gemini => gemini::check(body, &mut report),
        _ => {}
    }
    report.violations
}
