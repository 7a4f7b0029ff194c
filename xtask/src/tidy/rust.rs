//! The tokens of a Rust file, flat, with what the rules ask of each: its line, whether it stands in
//! an attribute, and whether it is compiled for tests only.

use std::ops::RangeInclusive;
use std::str::FromStr;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// One Rust file taken apart.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) tokens: Vec<Token>,
    /// The lines of each item under `#[cfg(test)]`, its attributes included.
    pub(super) test_items: Vec<RangeInclusive<usize>>,
    /// Why the file could not be read as Rust.
    pub(super) fault: Option<String>,
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: usize,
    pub(super) in_attribute: bool,
    pub(super) in_test: bool,
}

/// What a token is. Comments are none; documentation comes as an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Word(String),
    /// A literal as written, quotes included.
    Literal(String),
    Sign(char),
    Open(char),
    Close(char),
}

impl Kind {
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self, Kind::Word(text) if text == word)
    }
}

impl Scan {
    /// Takes a file apart. What is no Rust gives no tokens and a fault.
    pub(super) fn of(text: &str) -> Self {
        let mut scan = Self::default();
        match TokenStream::from_str(text) {
            Ok(stream) => scan.flatten(stream, false, false),
            Err(error) => scan.fault = Some(error.to_string()),
        }
        scan
    }

    /// The tokens that are neither in attributes nor compiled for tests only.
    pub(super) fn code(&self) -> impl Iterator<Item = &Token> {
        self.tokens
            .iter()
            .filter(|token| !token.in_attribute && !token.in_test)
    }

    fn flatten(&mut self, stream: TokenStream, in_attribute: bool, in_test: bool) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut test_item: Option<usize> = None;
        let mut after_sign = false;
        for (place, tree) in trees.iter().enumerate() {
            let begins = tree.span().start().line;
            let ends = tree.span().end().line;
            let attribute = after_sign
                && matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
            if attribute && test_item.is_none() && !in_test && is_cfg_test(tree) {
                let hash = place.checked_sub(1).and_then(|place| trees.get(place));
                test_item = Some(hash.map_or(begins, |hash| hash.span().start().line));
            }
            let tested = in_test || test_item.is_some();
            self.push(tree, in_attribute || attribute, tested);
            after_sign = match tree {
                TokenTree::Punct(sign) => {
                    sign.as_char() == '#' || (after_sign && sign.as_char() == '!')
                }
                _ => false,
            };
            let item_ends = match tree {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(sign) => sign.as_char() == ';' && sign.spacing() == Spacing::Alone,
                _ => false,
            };
            if item_ends && let Some(first) = test_item.take() {
                self.test_items.push(first..=ends);
            }
        }
    }

    fn push(&mut self, tree: &TokenTree, in_attribute: bool, in_test: bool) {
        let mut add = |kind, line| {
            self.tokens.push(Token {
                kind,
                line,
                in_attribute,
                in_test,
            });
        };
        let line = tree.span().start().line;
        match tree {
            TokenTree::Ident(word) => add(Kind::Word(word.to_string()), line),
            TokenTree::Literal(literal) => add(Kind::Literal(literal.to_string()), line),
            TokenTree::Punct(sign) => add(Kind::Sign(sign.as_char()), line),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::None => (' ', ' '),
                };
                add(Kind::Open(open), line);
                self.flatten(group.stream(), in_attribute, in_test);
                self.tokens.push(Token {
                    kind: Kind::Close(close),
                    line: tree.span().end().line,
                    in_attribute,
                    in_test,
                });
            }
        }
    }
}

/// Whether the bracket of an attribute says `cfg(test)` or `cfg(all(test, …))`.
fn is_cfg_test(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else {
        return false;
    };
    let text = group.stream().to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_tests_attributes_and_lines() {
        let scan = Scan::of(
            "//! Doc.\nfn a() {}\n\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n",
        );
        let code: Vec<&Kind> = scan.code().map(|token| &token.kind).collect();
        assert!(code.contains(&&Kind::Word("a".into())) && code.contains(&&Kind::Word("c".into())));
        assert!(
            !code.contains(&&Kind::Word("b".into())) && !code.contains(&&Kind::Word("doc".into()))
        );
        assert_eq!(scan.test_items, [4..=8]);
        let c = scan.tokens.iter().find(|token| token.kind.is_word("c"));
        assert_eq!(c.map(|token| token.line), Some(9));
    }

    #[test]
    fn a_test_item_may_end_with_a_semicolon_and_not_test_is_no_test() {
        let scan = Scan::of("#[cfg(test)]\nmod tests;\n#[cfg(not(test))]\nfn a() {}\n");
        assert_eq!(scan.test_items, [1..=2]);
        assert!(scan.code().any(|token| token.kind.is_word("a")));
    }

    #[test]
    fn what_is_no_rust_is_a_fault() {
        assert!(Scan::of("fn a( {").fault.is_some());
    }
}
