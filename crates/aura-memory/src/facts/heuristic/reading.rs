//! Which parts of a message are read: prose, up to a limit, without code, citations and quoted documents.

/// How much of the beginning and of the end of a long message is read, in bytes: people state facts before or after what
/// they paste.
const HEAD: usize = 6 * 1024;
const TAIL: usize = 3 * 1024;

/// The passages of a message that may hold statements of its author.
pub(super) fn passages(text: &str) -> impl Iterator<Item = &str> {
    let (head, tail) = ends(text);
    head.split("```")
        .step_by(2)
        .chain(std::iter::once(tail))
        .filter(|passage| !passage.trim().is_empty())
}

fn ends(text: &str) -> (&str, &str) {
    if text.len() <= HEAD + TAIL {
        return (text, "");
    }
    let head = text.floor_char_boundary(HEAD);
    let tail = text.ceil_char_boundary(text.len() - TAIL);
    // The passages begin and end with whole lines or sentences, and the tail outside of code.
    let head = text
        .get(..head)
        .and_then(|head| {
            head.rfind(['\n', '.', '!', '?', '。'])
                .map(|end| head.get(..=end).unwrap_or(head))
        })
        .unwrap_or_default();
    let tail = text.get(tail..).unwrap_or_default();
    let tail = tail
        .rfind("```")
        .map_or(tail, |end| tail.get(end + 3..).unwrap_or_default());
    let tail = tail
        .find(['\n', '.', '!', '?', '。'])
        .and_then(|start| tail.get(start..))
        .unwrap_or_default();
    (head, tail)
}

/// Whether a line is no prose of the author: a citation, code, an address.
pub(super) fn is_foreign_line(line: &str) -> bool {
    line.starts_with('>')
        || line.ends_with(['{', '}', ')']) && line.contains("();")
        || !line.contains(' ') && line.contains("://")
}
