//! A native form made from a message's parts, where some of them only the provider understands.

use std::borrow::Cow;

use aura_core::{Part, Provider, RenderedMedia, ResultContent, Role, StoredMessage, ToolResult};

use super::Form;
use super::piece::Piece;
use crate::provider::verify::is_blank;
use crate::render::{self, media};

/// The form of a message that holds opaque parts of this provider; `None` where there are none, or where the provider has
/// no place for them among other parts.
pub(super) fn compose(stored: &StoredMessage, provider: Provider) -> Option<Form<'_>> {
    let message = &stored.message;
    let opaque =
        |part: &Part| matches!(part, Part::Opaque(opaque) if opaque.provider == provider.as_str());
    if !message.parts.iter().any(opaque) || provider == Provider::Openai {
        return None;
    }
    let role = match (provider, message.role) {
        (Provider::Gemini, Role::Assistant) => "model",
        (_, Role::Assistant) => "assistant",
        _ => "user",
    };
    let mut pieces = Vec::with_capacity(message.parts.len());
    for part in &message.parts {
        let raw = match part {
            Part::Opaque(one) if one.provider == provider.as_str() => {
                Some(Cow::Borrowed(one.json.as_str()))
            }
            part => piece(part, message.role, provider)?.map(Cow::Owned),
        };
        if let Some(raw) = raw {
            pieces.push(Piece::of(raw, provider)?);
        }
    }
    Some(Form {
        role: Some(Cow::Borrowed(role)),
        pieces,
        whole: None,
    })
}

/// A part in the form of the provider: `None` where it cannot be said there, `Some(None)` where there is nothing to say.
#[expect(
    clippy::option_option,
    reason = "nothing to say is not the same as unsayable"
)]
fn piece(part: &Part, role: Role, provider: Provider) -> Option<Option<String>> {
    let text = |text: &str| match provider {
        _ if is_blank(text) => None,
        Provider::Anthropic => Some(render::text_block(text)),
        Provider::Gemini => Some(render::text_part(text)),
        _ => Some(render::text_item(role, text)),
    };
    Some(match part {
        Part::Text { text: words } => text(words),
        Part::TextArtifact { handle } => text(&crate::transcript::kept_as(handle)),
        Part::ToolCall(call) => {
            let framed = crate::provider::manner::is_framed(provider);
            if framed && !call.arguments.is_object() {
                return None;
            }
            let write = match provider {
                Provider::Anthropic => render::call_block,
                Provider::Gemini => render::call_part,
                _ => render::call_item,
            };
            Some(write(&call.call_id, &call.name, &call.arguments))
        }
        Part::Media(one) => {
            let one = RenderedMedia::from(one);
            let shown = media::part(&one, provider).filter(|_| role == Role::User);
            match provider {
                Provider::OpenaiResponses => text(&media::mention(&one)),
                _ => shown.or_else(|| text(&media::mention(&one))),
            }
        }
        Part::ToolResult(ToolResult {
            content: ResultContent::Text(_) | ResultContent::Artifact(_),
            ..
        }) => {
            return None;
        }
        Part::Opaque(_) => None,
    })
}
