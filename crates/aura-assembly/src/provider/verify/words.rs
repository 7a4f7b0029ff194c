//! What texts, ids, names and models must look like.

use crate::provider::tree::Tree;

/// Whether a text is empty or white space alone, as the providers see it: Python counts U+001C to U+001F too.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// Whether every provider takes this as the name of a tool: `^[a-zA-Z0-9_-]{1,64}$`.
pub(crate) fn is_tool_name(name: &str) -> bool {
    name.len() <= 64 && is_wire_id(name)
}

/// Whether a call's id is `^[a-zA-Z0-9_-]+$`.
pub(crate) fn is_wire_id(id: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !id.is_empty() && id.bytes().all(legal)
}

/// A model by family and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Model<'a> {
    /// For example `opus`, `sonnet`, `gemini`.
    pub(crate) family: &'a str,
    /// Major and minor version.
    pub(crate) version: (u32, u32),
}

/// The model that a body names, if its name says family and version: `claude-opus-4-8`, `claude-3-5-sonnet-20241022`,
/// `models/gemini-2.5-flash`.
pub(crate) fn model_of<'t>(body: &'t Tree<'_>) -> Option<Model<'t>> {
    let name = body.str_of("model")?;
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.strip_prefix("claude-").unwrap_or(name);

    let mut family = None;
    let mut numbers = Vec::new();
    for piece in name.split(['-', '.', '@']) {
        match piece.parse::<u32>() {
            // Six digits and more are a date.
            Ok(number) if piece.len() < 6 => numbers.push(number),
            Ok(_) => break,
            Err(_) if family.is_none() => family = Some(piece),
            Err(_) => break,
        }
    }
    let mut numbers = numbers.into_iter();
    Some(Model {
        family: family?,
        version: (numbers.next()?, numbers.next().unwrap_or(0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_told_apart() {
        let model = |name: &str| {
            let body = Tree::object([("model", Tree::text(name.to_owned()))]);
            model_of(&body).map(|model| (model.family.to_owned(), model.version))
        };
        for (name, family, version) in [
            ("claude-opus-4-8", "opus", (4, 8)),
            ("claude-opus-4-5-20251101", "opus", (4, 5)),
            ("claude-sonnet-5", "sonnet", (5, 0)),
            ("claude-3-5-sonnet-20241022", "sonnet", (3, 5)),
            ("claude-sonnet-4@20250514", "sonnet", (4, 0)),
            ("models/gemini-2.5-flash", "gemini", (2, 5)),
            ("gemini-3-pro-preview", "gemini", (3, 0)),
        ] {
            assert_eq!(model(name), Some((family.to_owned(), version)), "{name}");
        }
        assert_eq!(model("my-own"), None);
        assert_eq!(model(""), None);
    }

    #[test]
    fn blank_is_what_shows_nothing() {
        assert!(is_blank("") && is_blank(" \n\u{a0}\u{1f}"));
        assert!(!is_blank(" .") && !is_blank("\u{200b}"));
    }
}
