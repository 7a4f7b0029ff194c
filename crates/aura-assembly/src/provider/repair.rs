//! Broken requests made whole: what is misplaced is moved, what is missing gets a placeholder, and only what can
//! neither be moved nor completed is taken out.

mod anthropic;
mod chat;
mod gemini;
mod list;
pub(crate) mod names;
mod responses;

use aura_core::{Provider, Result, json};
use serde::Serialize;

use crate::provider::tree::Tree;
use crate::provider::verify::{Rule, Violation, check, messages_key, read};
pub(crate) use gemini::BYPASS;
use list::Log;

/// Rounds of mending before what is still wrong is taken out: mending one thing may bring another to light.
const ROUNDS: u32 = 4;

/// What stands for the result of a call that has none.
pub(crate) const NO_RESULT: &str = "[no result]";
/// What the user says where a provider demands that the user speaks first.
pub(crate) const BEGIN: &str = "[the beginning is not shown]";
/// What the user says where a provider demands that the user speaks last.
pub(crate) const GO_ON: &str = "Continue.";

/// One thing that was done to a request. It holds no text of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// The rule that was broken.
    pub rule: &'static str,
    /// Where it was broken, as a JSON pointer; in what earlier repairs left, where those came first.
    pub path: String,
    /// What was done.
    pub did: &'static str,
}

/// A request that keeps the rules of its provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repaired {
    /// The body as JSON: the given one byte for byte where nothing was wrong with it.
    pub request: String,
    /// What was done, in order.
    pub repairs: Vec<Repair>,
}

/// Mends the body of a request so that [`verify`](crate::verify()) finds nothing, with the least loss.
///
/// Texts, arguments and results stay as they are. A result is never shown as anything else: one whose call is missing is
/// taken out.
///
/// # Errors
/// As [`verify`](crate::verify()).
///
/// ```
/// use aura_assembly::{repair, verify};
/// use aura_core::Provider;
/// let body = r#"{"messages":[{"role":"user","content":"Hi"},{"role":"tool","tool_call_id":"c1","content":"12"}]}"#;
/// let repaired = repair(Provider::Openai, body).unwrap();
/// assert_eq!(repaired.repairs[0].rule, "O-ORPHAN");
/// assert!(verify(Provider::Openai, &repaired.request).unwrap().is_empty());
/// ```
pub fn repair(provider: Provider, request_json: &str) -> Result<Repaired> {
    let text = json::mend_surrogates("request", request_json)?;
    let mut body = read(provider, &text)?;
    let mut log = Log::default();
    let mut found = check(provider, &body);
    if found.is_empty() {
        return Ok(Repaired {
            request: text.into_owned(),
            repairs: Vec::new(),
        });
    }
    for _ in 0..ROUNDS {
        match provider {
            Provider::Openai => chat::mend(&mut body, &mut log),
            Provider::OpenaiResponses => responses::mend(&mut body, &mut log),
            Provider::Anthropic => anthropic::mend(&mut body, &mut log),
            Provider::Gemini => gemini::mend(&mut body, &mut log),
            _ => {}
        }
        found = check(provider, &body);
        if found.is_empty() {
            break;
        }
    }
    while let Some(first) = found.first() {
        take_out(provider, &mut body, first, &mut log)?;
        found = check(provider, &body);
    }
    Ok(Repaired {
        request: body.to_json(),
        repairs: log.repairs,
    })
}

/// The last resort: takes out the message, tool or setting in which a rule is broken.
fn take_out(
    provider: Provider,
    body: &mut Tree<'_>,
    violation: &Violation,
    log: &mut Log,
) -> Result<()> {
    let mut steps = violation.path.split('/').skip(1);
    let (key, place) = (steps.next().unwrap_or(""), steps.next());
    let path = match place {
        Some(place) => format!("/{key}/{place}"),
        None => format!("/{key}"),
    };
    let did = match (body.get_mut(key), place.map(str::parse::<usize>)) {
        (Some(Tree::Array(items)), Some(Ok(at))) if at < items.len() => {
            items.remove(at);
            "taken out, for it could not be mended"
        }
        (Some(Tree::Array(items)), _) if key == messages_key(provider)? => {
            items.truncate(0);
            items.push(said(provider, GO_ON));
            "put a user's message in the place of what could not be mended"
        }
        _ => {
            body.remove(key);
            "taken out, for it could not be mended"
        }
    };
    log.repairs.push(Repair {
        rule: violation.rule,
        path,
        did,
    });
    Ok(())
}

/// A message in which the user says something.
pub(crate) fn said(provider: Provider, text: &'static str) -> Tree<'static> {
    if provider == Provider::Gemini {
        let part = Tree::object([("text", Tree::text(text))]);
        return Tree::object([
            ("parts", Tree::Array(vec![part])),
            ("role", Tree::text("user")),
        ]);
    }
    Tree::object([("content", Tree::text(text)), ("role", Tree::text("user"))])
}

impl Log {
    /// Notes what was done about a rule at a place.
    pub(crate) fn note(&mut self, rule: &Rule, path: impl Into<String>, did: &'static str) {
        self.repairs.push(Repair {
            rule: rule.id,
            path: path.into(),
            did,
        });
    }
}
