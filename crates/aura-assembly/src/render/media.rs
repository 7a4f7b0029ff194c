//! Media as the providers take it, and as a mention where they do not.

use aura_core::{Provider, RenderedMedia};

use super::quoted;

/// Where the bytes of media are.
enum Source<'m> {
    /// An address.
    Address(&'m str),
    /// In the message itself, in base64.
    Inline(&'m str),
}

fn source(media: &RenderedMedia) -> Option<Source<'_>> {
    if let Some(rest) = media.uri.strip_prefix("data:") {
        let (head, data) = rest.split_once(',')?;
        return head.ends_with(";base64").then_some(Source::Inline(data));
    }
    let schemes = ["https://", "http://", "gs://"];
    let address = schemes.iter().any(|scheme| media.uri.starts_with(scheme));
    address.then_some(Source::Address(&media.uri))
}

/// What stands in the place of media that a provider does not take.
pub(crate) fn mention(media: &RenderedMedia) -> String {
    if media.uri.starts_with("data:") {
        format!("[{}]", media.mime)
    } else {
        format!("[{} {}]", media.mime, media.uri)
    }
}

/// Media as a part of a user's message in the form of a provider; `None` where it can only be mentioned.
pub(crate) fn part(media: &RenderedMedia, provider: Provider) -> Option<String> {
    let source = source(media)?;
    match provider {
        Provider::Openai => chat(media, &source),
        Provider::OpenaiResponses => responses(media, &source),
        Provider::Anthropic => anthropic(media, &source),
        Provider::Gemini => gemini(media, &source),
        _ => None,
    }
}

fn is_image(media: &RenderedMedia) -> bool {
    media.mime.starts_with("image/")
}

fn is_pdf(media: &RenderedMedia) -> bool {
    media.mime == "application/pdf"
}

fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

fn chat(media: &RenderedMedia, source: &Source<'_>) -> Option<String> {
    let uri = quoted(&media.uri);
    match source {
        Source::Address(address) if is_image(media) && is_web(address) => Some(format!(
            r#"{{"image_url":{{"url":{uri}}},"type":"image_url"}}"#
        )),
        Source::Inline(_) if is_image(media) => Some(format!(
            r#"{{"image_url":{{"url":{uri}}},"type":"image_url"}}"#
        )),
        Source::Inline(_) if is_pdf(media) => Some(format!(
            r#"{{"file":{{"file_data":{uri},"filename":"document.pdf"}},"type":"file"}}"#
        )),
        Source::Inline(data) => {
            let format = match media.mime.as_str() {
                "audio/wav" | "audio/x-wav" => "wav",
                "audio/mpeg" | "audio/mp3" => "mp3",
                _ => return None,
            };
            let data = quoted(data);
            Some(format!(
                r#"{{"input_audio":{{"data":{data},"format":"{format}"}},"type":"input_audio"}}"#
            ))
        }
        Source::Address(_) => None,
    }
}

fn responses(media: &RenderedMedia, source: &Source<'_>) -> Option<String> {
    let uri = quoted(&media.uri);
    let web = !matches!(source, Source::Address(address) if !is_web(address));
    if is_image(media) && web {
        return Some(format!(
            r#"{{"detail":"auto","image_url":{uri},"type":"input_image"}}"#
        ));
    }
    match source {
        Source::Address(_) if is_pdf(media) && web => {
            Some(format!(r#"{{"file_url":{uri},"type":"input_file"}}"#))
        }
        Source::Inline(_) if is_pdf(media) => Some(format!(
            r#"{{"file_data":{uri},"filename":"document.pdf","type":"input_file"}}"#
        )),
        _ => None,
    }
}

fn anthropic(media: &RenderedMedia, source: &Source<'_>) -> Option<String> {
    let images = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    let kind = if images.contains(&media.mime.as_str()) {
        "image"
    } else if is_pdf(media) {
        "document"
    } else {
        return None;
    };
    let source = match source {
        Source::Address(address) if address.starts_with("https://") => {
            format!(r#"{{"type":"url","url":{}}}"#, quoted(address))
        }
        Source::Address(_) => return None,
        Source::Inline(data) => format!(
            r#"{{"data":{},"media_type":{},"type":"base64"}}"#,
            quoted(data),
            quoted(&media.mime)
        ),
    };
    Some(format!(r#"{{"source":{source},"type":"{kind}"}}"#))
}

fn gemini(media: &RenderedMedia, source: &Source<'_>) -> Option<String> {
    let mime = quoted(&media.mime);
    match source {
        Source::Address(address) if !address.starts_with("http://") => Some(format!(
            r#"{{"fileData":{{"fileUri":{},"mimeType":{mime}}}}}"#,
            quoted(address)
        )),
        Source::Address(_) => None,
        Source::Inline(data) => Some(format!(
            r#"{{"inlineData":{{"data":{},"mimeType":{mime}}}}}"#,
            quoted(data)
        )),
    }
}
