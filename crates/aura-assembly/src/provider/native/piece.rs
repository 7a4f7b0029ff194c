//! The pieces of native forms: blocks, parts, items.

use std::borrow::Cow;

use aura_core::{Loss, Provider, Role};

use super::{CALL, RESPONSE};
use crate::provider::tree::Tree;
use crate::provider::verify::anthropic::{is_executed_call, is_executed_result, is_thinking};
use crate::provider::verify::gemini::SIGNATURE;
use crate::provider::verify::responses::{answers, is_call, kind};

/// By what a call or a result is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// The call's id, where there is one.
    pub(super) id: Option<String>,
    /// The tool's name, where there is one.
    pub(super) name: Option<String>,
}

/// A block, part or item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// As it was written.
    pub(super) raw: Cow<'a, str>,
    /// The calls it makes.
    pub(super) calls: Vec<Mark>,
    /// The result it gives.
    pub(super) result: Option<Mark>,
    /// Whether it is sealed reasoning.
    pub(super) is_reasoning: bool,
}

impl<'a> Piece<'a> {
    /// Looks at a piece; `None` when it is no object.
    pub(super) fn of(raw: Cow<'a, str>, provider: Provider) -> Option<Self> {
        let (calls, result, is_reasoning) = {
            let tree = Tree::parse(&raw).filter(Tree::is_object)?;
            let (calls, result) = marks(&tree, provider);
            (calls, result, is_reasoning(&tree))
        };
        Some(Self {
            raw,
            calls,
            result,
            is_reasoning,
        })
    }

    /// Whether an item of the Responses API may stand in a message of this role.
    pub(super) fn fits(&self, role: Role) -> bool {
        let Some(tree) = Tree::parse(&self.raw) else {
            return false;
        };
        match kind(&tree) {
            Some("message") => match role {
                Role::System => matches!(tree.str_of("role"), Some("system" | "developer")),
                _ => tree.is("role", role.as_str()),
            },
            Some(kind) if answers(kind).is_some() => matches!(role, Role::Tool | Role::User),
            Some(_) => role == Role::Assistant,
            None => false,
        }
    }

    /// Takes signatures out of a piece, and with `bare` its own id; says whether there was one.
    pub(super) fn unseal(&mut self, bare: bool) -> bool {
        let Some(mut tree) = Tree::parse(&self.raw) else {
            return false;
        };
        let mut changed = bare && tree.remove("id");
        for key in [
            SIGNATURE[0],
            SIGNATURE[1],
            "reasoning_content",
            "reasoning_details",
        ] {
            changed |= tree.remove(key);
        }
        if changed {
            let json = tree.to_json();
            self.raw = Cow::Owned(json);
        }
        changed
    }
}

fn marks(tree: &Tree<'_>, provider: Provider) -> (Vec<Mark>, Option<Mark>) {
    let text = |tree: &Tree<'_>, key: &str| tree.str_of(key).map(str::to_owned);
    let mark = |tree: &Tree<'_>, id: &str, name: &str| Mark {
        id: text(tree, id),
        name: text(tree, name),
    };
    match provider {
        Provider::Anthropic => match tree.str_of("type") {
            Some("tool_use") => (vec![mark(tree, "id", "name")], None),
            Some("tool_result") => (Vec::new(), Some(mark(tree, "tool_use_id", ""))),
            _ => (Vec::new(), None),
        },
        Provider::Gemini => {
            let calls = tree.either(CALL).map(|call| mark(call, "id", "name"));
            let result = tree
                .either(RESPONSE)
                .map(|result| mark(result, "id", "name"));
            (calls.into_iter().collect(), result)
        }
        Provider::OpenaiResponses => match kind(tree) {
            Some(kind) if is_call(kind) => (vec![mark(tree, "call_id", "name")], None),
            Some(kind) if answers(kind).is_some() => (Vec::new(), Some(mark(tree, "call_id", ""))),
            _ => (Vec::new(), None),
        },
        _ => {
            let calls = tree
                .get("tool_calls")
                .and_then(Tree::items)
                .unwrap_or_default();
            let call = |call: &Tree<'_>| Mark {
                id: text(call, "id"),
                name: ["function", "custom"]
                    .iter()
                    .find_map(|key| call.get(key).and_then(|call| text(call, "name"))),
            };
            let result = text(tree, "tool_call_id").map(|id| Mark {
                id: Some(id),
                name: None,
            });
            (calls.iter().map(call).collect(), result)
        }
    }
}

fn is_reasoning(tree: &Tree<'_>) -> bool {
    let thought = matches!(tree.get("thought"), Some(Tree::Bare(value)) if value == "true");
    is_thinking(tree) || tree.is("type", "reasoning") || (thought && tree.either(CALL).is_none())
}

/// The pieces of a form of whatever origin, without their own text: its list of blocks, parts or items, or the one.
pub(crate) fn pieces_of(json: &str) -> Vec<Tree<'_>> {
    let Some(tree) = Tree::parse(json) else {
        return Vec::new();
    };
    match tree {
        Tree::Array(items) => items,
        Tree::Object(mut pairs) => {
            let list = ["content", "parts", "output"].iter().find_map(|key| {
                pairs
                    .iter()
                    .position(|(name, value)| name == key && value.items().is_some())
            });
            match list.map(|at| pairs.swap_remove(at).1) {
                Some(Tree::Array(mut items)) => {
                    // What stands beside the list may be reasoning too.
                    items.push(Tree::Object(pairs));
                    items
                }
                _ => vec![Tree::Object(pairs)],
            }
        }
        _ => Vec::new(),
    }
}

/// What is lost with a piece.
pub(crate) fn loss_of(piece: &Tree<'_>) -> Option<Loss> {
    let sealed = ["reasoning_content", "reasoning_details"];
    if is_reasoning(piece)
        || piece.either(SIGNATURE).is_some()
        || sealed.iter().any(|key| piece.given(key).is_some())
    {
        return Some(Loss::Reasoning);
    }
    let executed = [
        "executableCode",
        "executable_code",
        "codeExecutionResult",
        "code_execution_result",
        "toolCall",
        "toolResponse",
    ];
    if executed.iter().any(|key| piece.get(key).is_some()) {
        return Some(Loss::ProviderTool);
    }
    match piece.str_of("type")? {
        "compaction" => Some(Loss::Compaction),
        kind if is_executed_call(kind) || is_executed_result(kind) => Some(Loss::ProviderTool),
        kind if is_call(kind) || answers(kind).is_some() => None,
        kind if kind.ends_with("_call") || kind.starts_with("mcp_") => Some(Loss::ProviderTool),
        _ => None,
    }
}

/// Whether a form holds reasoning or signatures.
pub(crate) fn has_reasoning(json: &str) -> bool {
    may_reason(json)
        && pieces_of(json)
            .iter()
            .any(|piece| loss_of(piece) == Some(Loss::Reasoning))
}

/// Whether a look is worth it.
fn may_reason(json: &str) -> bool {
    let words: [&[u8]; 4] = [b"thinking\"", b"reasoning", b"thought", b"thoughtSignature"];
    let json = json.as_bytes();
    words
        .iter()
        .any(|word| memchr::memmem::find(json, word).is_some())
}

/// The reasoning in a form: texts that can be read, and the bytes of what is sealed.
pub(crate) fn reasoning_texts(json: &str) -> (Vec<String>, usize) {
    let (mut texts, mut sealed) = (Vec::new(), 0);
    if !may_reason(json) {
        return (texts, sealed);
    }
    for piece in pieces_of(json) {
        let mut text = |key: &str| texts.extend(piece.str_of(key).map(str::to_owned));
        match piece.str_of("type") {
            Some("thinking") => text("thinking"),
            Some("redacted_thinking") => sealed += piece.str_of("data").map_or(0, str::len),
            Some("reasoning") => {
                sealed += piece.str_of("encrypted_content").map_or(0, str::len);
            }
            _ if is_reasoning(&piece) => text("text"),
            _ => text("reasoning_content"),
        }
    }
    (texts, sealed)
}
