//! XML and HTML made smaller: elements stay nested and closed, and where some are missing stands how many.
//!
//! Scripts, styles and comments go first; what is read leniently, as pages are written, is written back closed.

use aura_core::{Result, TokenCounter};

use super::fit::{clip, ends, largest};

/// Graphemes of a text for each child that is kept of an element.
const TEXT: usize = 24;
/// Elements that have no end.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// Elements whose content is no text for a reader.
const HIDDEN: [&str; 4] = ["script", "style", "noscript", "template"];
/// What is nested deeper is shown flat.
const DEEPEST: usize = 64;

/// A node of the tree.
#[derive(Debug)]
enum Node<'a> {
    /// Words.
    Text(&'a str),
    /// A declaration, as it stands.
    Head(&'a str),
    /// A tag with its attributes as they stand, and what is in it.
    Element(Element<'a>),
}

#[derive(Debug, Default)]
struct Element<'a> {
    name: &'a str,
    attributes: &'a str,
    children: Vec<Node<'a>>,
}

/// The largest form that fits.
pub(super) fn shorter(
    text: &str,
    limit: u32,
    address: &str,
    counter: &dyn TokenCounter,
) -> Result<Option<String>> {
    let root = parse(text);
    largest(limit, text.len(), counter, |size| {
        let mut out = String::new();
        children(&root.children, size, &mut out);
        out.push_str(&format!("<!-- whole: {} -->", address.replace("--", "- -")));
        out
    })
}

fn children(nodes: &[Node<'_>], size: usize, out: &mut String) {
    let (head, tail) = ends(size.max(1));
    let missing = nodes.len().saturating_sub(head + tail);
    for (at, node) in nodes.iter().enumerate() {
        if at == head && missing > 0 {
            out.push_str(&format!("<!-- {missing} nodes left out -->"));
        }
        if at < head || at >= head + missing {
            write(node, size, out);
        }
    }
}

fn write(node: &Node<'_>, size: usize, out: &mut String) {
    match node {
        Node::Head(text) => out.push_str(text),
        Node::Text(text) => {
            let (head, tail) = ends(size.saturating_mul(TEXT));
            match clip(text, head, tail) {
                Some((head, missing, tail)) => {
                    out.push_str(&format!("{head}…[{missing} characters]…{tail}"));
                }
                None => out.push_str(text),
            }
        }
        Node::Element(element) => {
            out.push('<');
            out.push_str(element.name);
            if size > 1 {
                out.push_str(element.attributes);
            }
            out.push('>');
            if element.is_void() {
                return;
            }
            match size {
                0 if !element.children.is_empty() => {
                    out.push_str(&format!(
                        "<!-- {} nodes left out -->",
                        element.children.len()
                    ));
                }
                _ => children(&element.children, size, out),
            }
            out.push_str("</");
            out.push_str(element.name);
            out.push('>');
        }
    }
}

impl Element<'_> {
    fn is_void(&self) -> bool {
        VOID.iter().any(|void| self.name.eq_ignore_ascii_case(void))
    }
}

/// Reads a page: end tags that nothing opened are passed over, and what is left open ends with the page.
fn parse(text: &str) -> Element<'_> {
    let mut open: Vec<Element<'_>> = vec![Element::default()];
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = piece(rest);
        rest = after;
        match piece {
            Piece::Text(words) if words.trim().is_empty() => {}
            Piece::Text(words) => push(&mut open, Node::Text(words)),
            Piece::Head(text) => push(&mut open, Node::Head(text)),
            Piece::Comment => {}
            Piece::Start(name, attributes, closed) => {
                let element = Element {
                    name,
                    attributes: attributes.trim_end_matches('/').trim_end(),
                    children: Vec::new(),
                };
                if HIDDEN
                    .iter()
                    .any(|hidden| name.eq_ignore_ascii_case(hidden))
                {
                    if !closed {
                        rest = past_end(rest, name);
                    }
                } else if closed || element.is_void() || open.len() > DEEPEST {
                    push(&mut open, Node::Element(element));
                } else {
                    open.push(element);
                }
            }
            Piece::End(name) => {
                let at = open
                    .iter()
                    .rposition(|element| element.name.eq_ignore_ascii_case(name));
                if let Some(at) = at.filter(|at| *at > 0) {
                    while open.len() > at {
                        close(&mut open);
                    }
                }
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().unwrap_or_default()
}

fn push<'a>(open: &mut [Element<'a>], node: Node<'a>) {
    if let Some(last) = open.last_mut() {
        last.children.push(node);
    }
}

fn close(open: &mut Vec<Element<'_>>) {
    if let Some(element) = open.pop() {
        push(open, Node::Element(element));
    }
}

enum Piece<'a> {
    Text(&'a str),
    Head(&'a str),
    Comment,
    Start(&'a str, &'a str, bool),
    End(&'a str),
}

/// The next piece of a text that is not empty, and what follows it.
fn piece(text: &str) -> (Piece<'_>, &str) {
    let split = |end: usize| text.split_at_checked(end).unwrap_or((text, ""));
    let to = |mark: &str| text.find(mark).map_or(text.len(), |at| at + mark.len());
    if !text.starts_with('<') {
        let (words, rest) = split(text.find('<').unwrap_or(text.len()));
        return (Piece::Text(words), rest);
    }
    if text.starts_with("<!--") {
        return (Piece::Comment, split(to("-->")).1);
    }
    if text.starts_with("<![CDATA[") {
        let (whole, rest) = split(to("]]>"));
        return (Piece::Head(whole), rest);
    }
    if text.starts_with("<!") || text.starts_with("<?") {
        let (whole, rest) = split(to(">"));
        return (Piece::Head(whole), rest);
    }
    let Some(inside) = tag(text) else {
        // A lone `<` is a word like any other.
        let next = text.get(1..).and_then(|rest| rest.find('<'));
        let (words, rest) = split(next.map_or(text.len(), |at| at + 1));
        return (Piece::Text(words), rest);
    };
    let rest = split(inside.len() + 2).1;
    if let Some(name) = inside.strip_prefix('/') {
        return (Piece::End(name.trim()), rest);
    }
    let end = inside
        .find(|c: char| c.is_whitespace() || c == '/')
        .unwrap_or(inside.len());
    let (name, attributes) = inside.split_at_checked(end).unwrap_or((inside, ""));
    (Piece::Start(name, attributes, inside.ends_with('/')), rest)
}

/// What stands inside a tag; a `>` within quotation marks does not end it.
fn tag(text: &str) -> Option<&str> {
    let inside = text.get(1..)?;
    if !inside.starts_with(|c: char| c.is_alphabetic() || c == '/' || c == '_') {
        return None;
    }
    let mut quote = None;
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            (Some(mark), c) if c == mark => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return inside.get(..at),
            _ => {}
        }
    }
    None
}

/// What follows the end tag of a hidden element.
fn past_end<'a>(text: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("</")) {
        let end = from + at + 2;
        let rest = text.get(end..).unwrap_or_default();
        let same = rest
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name));
        if same {
            return rest
                .find('>')
                .and_then(|at| rest.get(at + 1..))
                .unwrap_or_default();
        }
        from = end;
    }
    ""
}

#[cfg(test)]
mod tests {
    use aura_text::BuiltinCounter;

    use super::super::cap::{Capped, cap};
    use super::*;

    /// Whether every tag that opens closes in its order.
    fn is_closed(text: &str) -> bool {
        let mut open = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (next, after) = piece(rest);
            rest = after;
            match next {
                Piece::Start(name, _, false) if !VOID.contains(&name) => open.push(name),
                Piece::End(name) if open.pop() != Some(name) => return false,
                _ => {}
            }
        }
        open.is_empty()
    }

    #[test]
    fn a_page_stays_closed_and_loses_its_scripts() {
        let rows: String = (0..300)
            .map(|n| format!("<li class='row > x'>Item {n}<br>"))
            .collect();
        let page = format!(
            "<!DOCTYPE html><html><head><script>if (a < b) {{ x(); }}</script><style>p {{}}</style><title>Shop</title></head>\
             <body><h1>Our goods</h1><ul>{rows}</ul><p>The end & all < that</p></body></html>"
        );
        let counter = BuiltinCounter::O200kBase;
        for limit in [64, 120, 300, 900] {
            let Capped::Shorter(small) = cap(&page, limit, "event:4", &counter).unwrap() else {
                panic!("it does not fit whole");
            };
            assert!(counter.count(&small).unwrap() <= limit);
            assert!(is_closed(&small), "{small}");
            assert!(
                !small.contains("x();") && small.contains("<!-- whole: event:4 -->"),
                "{small}"
            );
            if limit >= 300 {
                assert!(
                    small.contains("Our goods") && small.contains("nodes left out"),
                    "{small}"
                );
            }
        }
    }

    #[test]
    fn broken_markup_is_read_as_it_comes() {
        for text in [
            "<",
            "<a",
            "</b>",
            "<a><b></a>",
            "<a b='",
            "<!--",
            "<script>",
            "x<y<z",
            "<é>",
            "<a/><b>c",
        ] {
            let root = parse(text);
            let mut out = String::new();
            children(&root.children, 9, &mut out);
            assert!(is_closed(&out) || !out.contains("</"), "{text}: {out}");
        }
    }
}
