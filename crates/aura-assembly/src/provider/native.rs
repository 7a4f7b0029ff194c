//! Native forms: a provider's own JSON of a message, spliced back piece by piece without being read.

mod compose;
mod piece;

use std::borrow::Cow;

use aura_core::{ContextMessage, Loss, Provider, RawJson, Role, StoredMessage};
use serde_json::value::RawValue;

use piece::{Piece, pieces_of};
pub(crate) use piece::{has_reasoning, loss_of, reasoning_texts};

use crate::provider::tree::Tree;
use crate::provider::verify::gemini::{CALL, RESPONSE};

/// Puts the native form of a stored message, or one made from its opaque parts, on the messages that show it; without
/// its reasoning where that is asked for.
///
/// A form that does not say what the parts say (other roles, calls or results) is left out: the parts are what the rest
/// of the list relies on.
pub(crate) fn attach(
    stored: &StoredMessage,
    provider: Provider,
    strip: bool,
    shown: &mut Vec<ContextMessage>,
) {
    let own = stored.message.native.as_ref();
    let own = own.filter(|native| native.format == provider.as_str());
    let form = match own {
        Some(native) => Form::read(native.json.as_str(), provider),
        None => compose::compose(stored, provider),
    };
    let Some(mut form) = form.filter(|form| form.fits(stored.message.role, provider)) else {
        return;
    };
    if strip {
        form.strip(provider);
    }
    if form.pieces.is_empty() || !form.says(shown) {
        return;
    }
    match shown.as_mut_slice() {
        [] => shown.push(ContextMessage {
            native: form.json(provider),
            ..crate::transcript::empty(stored, stored.message.role)
        }),
        [only] => only.native = form.json(provider),
        _ => form.split(provider, shown),
    }
}

/// A native form under way.
struct Form<'a> {
    /// The role as the provider has it, where it has one.
    role: Option<Cow<'a, str>>,
    pieces: Vec<Piece<'a>>,
    /// The form as it came, while nothing was taken from it.
    whole: Option<&'a str>,
}

impl<'a> Form<'a> {
    fn read(json: &'a str, provider: Provider) -> Option<Self> {
        let tree = Tree::parse(json)?;
        let role = tree.str_of("role").map(|role| Cow::Owned(role.to_owned()));
        let (raw, whole) = match provider {
            Provider::Anthropic => (anthropic_blocks(json)?, exactly(&tree, ["content", "role"])),
            Provider::Gemini => (gemini_parts(json)?, exactly(&tree, ["parts", "role"])),
            Provider::OpenaiResponses => (items(json)?, tree.items().is_some()),
            Provider::Openai => (vec![json.to_owned()], true),
            _ => return None,
        };
        let pieces = raw
            .into_iter()
            .map(|raw| Piece::of(Cow::Owned(raw), provider));
        Some(Self {
            role,
            pieces: pieces.collect::<Option<_>>()?,
            whole: whole.then_some(json),
        })
    }

    /// Whether the form is that of a message of this role.
    fn fits(&self, role: Role, provider: Provider) -> bool {
        let given = self.role.as_deref();
        match provider {
            Provider::Anthropic => {
                given
                    == Some(if role == Role::Assistant {
                        "assistant"
                    } else {
                        "user"
                    })
            }
            Provider::Gemini => {
                given
                    == Some(if role == Role::Assistant {
                        "model"
                    } else {
                        "user"
                    })
            }
            Provider::Openai => match role {
                Role::System => matches!(given, Some("system" | "developer")),
                _ => given == Some(role.as_str()),
            },
            _ => self.pieces.iter().all(|piece| piece.fits(role)),
        }
    }

    fn strip(&mut self, provider: Provider) {
        let before = self.pieces.len();
        self.pieces.retain(|piece| !piece.is_reasoning);
        let mut changed = self.pieces.len() < before;
        let bare = changed && provider == Provider::OpenaiResponses;
        for piece in &mut self.pieces {
            changed |= piece.unseal(bare);
        }
        if changed {
            self.whole = None;
        }
    }

    /// Whether the form makes the calls and gives the results that the messages do, in their order.
    fn says(&self, shown: &[ContextMessage]) -> bool {
        let calls = shown.iter().flat_map(|message| &message.tool_calls);
        let mut calls = calls.map(|call| (call.id.as_str(), call.name.as_str()));
        let mut made = self.pieces.iter().flat_map(|piece| &piece.calls);
        let same = |(id, name): (&str, &str), made: &piece::Mark| {
            made.id.as_deref().is_none_or(|made| made == id)
                && made.name.as_deref().is_none_or(|made| made == name)
        };
        let calls = loop {
            match (calls.next(), made.next()) {
                (None, None) => break true,
                (Some(call), Some(made)) if same(call, made) => {}
                _ => break false,
            }
        };
        let ids = shown
            .iter()
            .filter_map(|message| message.tool_call_id.as_ref());
        let mut ids = ids.map(|id| id.as_str());
        let mut given = self.pieces.iter().filter_map(|piece| piece.result.as_ref());
        calls
            && loop {
                match (ids.next(), given.next()) {
                    (None, None) => break true,
                    (Some(id), Some(given))
                        if given.id.as_deref().is_none_or(|given| given == id) => {}
                    _ => break false,
                }
            }
    }

    /// The form as JSON.
    fn json(&self, provider: Provider) -> Option<RawJson> {
        let text = match self.whole {
            Some(whole) => Cow::Borrowed(whole),
            None => Cow::Owned(self.wrap(provider, self.pieces.iter())?),
        };
        RawJson::new("native", &text).ok()
    }

    fn wrap<'p>(
        &self,
        provider: Provider,
        pieces: impl Iterator<Item = &'p Piece<'a>>,
    ) -> Option<String>
    where
        'a: 'p,
    {
        let list: Vec<&str> = pieces.map(|piece| piece.raw.as_ref()).collect();
        let list = list.join(",");
        let role = crate::render::quoted(self.role.as_deref().unwrap_or_default());
        match provider {
            Provider::Anthropic => Some(format!(r#"{{"content":[{list}],"role":{role}}}"#)),
            Provider::Gemini => Some(format!(r#"{{"parts":[{list}],"role":{role}}}"#)),
            Provider::OpenaiResponses => Some(format!("[{list}]")),
            _ => self
                .pieces
                .first()
                .map(|piece| piece.raw.clone().into_owned()),
        }
    }

    /// Gives each result its piece, and the rest to the message that shows the rest.
    fn split(&self, provider: Provider, shown: &mut [ContextMessage]) {
        let is_result = |message: &ContextMessage| message.tool_call_id.is_some();
        let (results, rest): (Vec<_>, Vec<_>) =
            self.pieces.iter().partition(|piece| piece.result.is_some());
        let others = shown.iter().filter(|message| !is_result(message)).count();
        if provider == Provider::Openai || others != usize::from(!rest.is_empty()) {
            return;
        }
        let json = |pieces: &[&Piece<'a>]| {
            let text = self.wrap(provider, pieces.iter().copied())?;
            RawJson::new("native", &text).ok()
        };
        let mut results = results.into_iter();
        for message in shown.iter_mut() {
            message.native = if is_result(message) {
                results.next().and_then(|piece| json(&[piece]))
            } else {
                json(&rest)
            };
        }
    }
}

fn exactly(tree: &Tree<'_>, keys: [&str; 2]) -> bool {
    let Tree::Object(pairs) = tree else {
        return false;
    };
    pairs.len() == 2 && keys.iter().all(|key| tree.get(key).is_some())
}

/// The elements of a JSON array, each as it was written.
fn elements(json: &str) -> Option<Vec<String>> {
    let raw: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Some(raw.into_iter().map(|raw| raw.get().to_owned()).collect())
}

/// The value of a key of a JSON object, as it was written.
fn member<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let map: std::collections::HashMap<Cow<'a, str>, &'a RawValue> =
        serde_json::from_str(json).ok()?;
    map.get(key).map(|raw| raw.get())
}

/// The blocks of an Anthropic message, each as it was written; a text becomes a block.
pub(crate) fn anthropic_blocks(json: &str) -> Option<Vec<String>> {
    let content = member(json, "content")?;
    if content.starts_with('"') {
        return Some(vec![format!(r#"{{"text":{content},"type":"text"}}"#)]);
    }
    elements(content)
}

/// The parts of a Gemini content, each as it was written.
pub(crate) fn gemini_parts(json: &str) -> Option<Vec<String>> {
    elements(member(json, "parts")?)
}

/// The items of a Responses message, each as it was written: of a list, of a response, or the one.
pub(crate) fn items(json: &str) -> Option<Vec<String>> {
    if json.trim_start().starts_with('[') {
        return elements(json);
    }
    match member(json, "output") {
        Some(output) if output.starts_with('[') => elements(output),
        _ => Some(vec![json.to_owned()]),
    }
}

/// The message of a body in which a JSON pointer ends, as it was written.
pub(crate) fn element_at(body: &str, path: &str) -> Option<String> {
    let mut steps = path.split('/').skip(1);
    let list = member(body, steps.next()?)?;
    let at: usize = steps.next()?.parse().ok()?;
    elements(list)?.into_iter().nth(at)
}

/// Whether something of a native form stands in one of these messages.
pub(crate) fn stands_in(json: &str, provider: Provider, places: &[String]) -> bool {
    let pieces = match provider {
        Provider::Anthropic => anthropic_blocks(json),
        Provider::Gemini => gemini_parts(json),
        Provider::OpenaiResponses => items(json),
        _ => Some(vec![json.to_owned()]),
    };
    let pieces = pieces.unwrap_or_default();
    let found = |piece: &String| places.iter().any(|place| place.contains(piece.as_str()));
    pieces.iter().any(found) || places.iter().any(|place| place == json)
}

/// Whether a block is a tool's result.
pub(crate) fn is_result_block(block: &str) -> bool {
    Tree::parse(block).is_some_and(|block| block.is("type", "tool_result"))
}

/// Whether a Gemini content makes calls without ids.
pub(crate) fn lacks_ids(json: &str) -> bool {
    let Some(tree) = Tree::parse(json) else {
        return false;
    };
    let parts = tree.get("parts").and_then(Tree::items).unwrap_or_default();
    let mut calls = parts.iter().filter_map(|part| part.either(CALL));
    calls.any(|call| call.str_of("id").is_none())
}

/// What of a stored message is not in the message that shows it, by whose form it stood in.
pub(crate) fn losses(
    stored: &StoredMessage,
    shown: &ContextMessage,
    provider: Provider,
) -> Vec<(Loss, String)> {
    let mut out = Vec::new();
    if provider == Provider::Generic {
        return out;
    }
    let mut add = |what: Loss, from: &str| {
        if !out
            .iter()
            .any(|(other, whose)| *other == what && whose == from)
        {
            out.push((what, from.to_owned()));
        }
    };
    let kept = shown.native.as_ref();
    if let Some(native) = &stored.message.native {
        let lost = pieces_of(native.json.as_str());
        for what in lost.iter().filter_map(loss_of) {
            let stripped =
                what == Loss::Reasoning && kept.is_some_and(|kept| !has_reasoning(kept.as_str()));
            if kept.is_none() || stripped {
                add(what, &native.format);
            }
        }
    }
    for part in &stored.message.parts {
        if let aura_core::Part::Opaque(opaque) = part
            && (kept.is_none() || opaque.provider != provider.as_str())
        {
            let pieces = pieces_of(opaque.json.as_str());
            let what = pieces.iter().find_map(loss_of).unwrap_or(Loss::Opaque);
            add(what, &opaque.provider);
        }
    }
    let unnamed = shown.role == Role::Assistant && shown.name.is_none() && kept.is_none();
    if unnamed
        && stored
            .message
            .name
            .as_ref()
            .is_some_and(|name| !name.is_empty())
    {
        add(Loss::Name, "aura");
    }
    out
}

#[cfg(test)]
mod tests;
