//! Cache breakpoints.

use super::blocks_of;
use crate::provider::tree::Tree;
use crate::provider::verify::Report;
use crate::provider::verify::rule::A_CACHE;

/// How many breakpoints a request may have; automatic caching takes one of them.
pub(crate) const BREAKPOINTS: usize = 4;

/// A breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breakpoint {
    /// The object that carries it, as the keys and places that lead to it.
    pub(crate) at: Vec<Step>,
    /// Whether it lives for an hour.
    pub(crate) long: bool,
}

/// A key or a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A key of an object.
    Key(&'static str),
    /// A place in an array.
    At(usize),
}

impl Breakpoint {
    /// The JSON pointer of the object.
    pub(crate) fn path(&self) -> String {
        let step = |step: &Step| match step {
            Step::Key(key) => format!("/{key}"),
            Step::At(at) => format!("/{at}"),
        };
        self.at.iter().map(step).collect()
    }
}

/// The breakpoints in the order in which the provider reads them: tools, system, messages, and the automatic one.
pub(crate) fn breakpoints(body: &Tree<'_>) -> Vec<Breakpoint> {
    let mut found = Vec::new();
    let mut see = |tree: &Tree<'_>, at: &[Step]| {
        if let Some(control) = tree.given("cache_control") {
            found.push(Breakpoint {
                at: at.to_vec(),
                long: control.is("ttl", "1h"),
            });
        }
    };
    for key in ["tools", "system"] {
        let items = body.get(key).and_then(Tree::items).unwrap_or_default();
        for (at, item) in items.iter().enumerate() {
            see(item, &[Step::Key(key), Step::At(at)]);
        }
    }
    let messages = body
        .get("messages")
        .and_then(Tree::items)
        .unwrap_or_default();
    for (at, message) in messages.iter().enumerate() {
        for (block_at, block) in blocks_of(message).iter().enumerate() {
            let path = [
                Step::Key("messages"),
                Step::At(at),
                Step::Key("content"),
                Step::At(block_at),
            ];
            see(block, &path);
            for (inner_at, inner) in blocks_of(block).iter().enumerate() {
                let mut path = path.to_vec();
                path.extend([Step::Key("content"), Step::At(inner_at)]);
                see(inner, &path);
            }
        }
    }
    see(body, &[]);
    found
}

/// Whether a breakpoint that lives for an hour stands behind a shorter one; the automatic one stands anywhere.
pub(crate) fn is_late_long(all: &[Breakpoint], at: usize) -> bool {
    let Some(this) = all.get(at) else {
        return false;
    };
    let mut earlier = all.iter().take(at);
    this.long && !this.at.is_empty() && earlier.any(|other| !other.long)
}

/// Checks the breakpoints.
pub(super) fn check(body: &Tree<'_>, report: &mut Report) {
    let all = breakpoints(body);
    for (at, breakpoint) in all.iter().enumerate() {
        report.add_if(
            at == BREAKPOINTS,
            &A_CACHE,
            || breakpoint.path(),
            "this is the fifth cache breakpoint",
        );
        report.add_if(
            is_late_long(&all, at),
            &A_CACHE,
            || breakpoint.path(),
            "a cache breakpoint of an hour stands behind a shorter one",
        );
    }
}
