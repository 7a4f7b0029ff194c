//! The list of messages while it is mended: each remembers where it stood.

use super::Repair;
use crate::provider::tree::Tree;

/// What was done so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// In order.
    pub(crate) repairs: Vec<Repair>,
}

/// A message and where it stood; a new one stands where the one before it stood.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    /// Where it stood.
    pub(super) at: usize,
    /// The message.
    pub(super) tree: Tree<'a>,
}

impl<'a> AsRef<Tree<'a>> for Entry<'a> {
    fn as_ref(&self) -> &Tree<'a> {
        &self.tree
    }
}

/// Takes a list out of a body.
pub(super) fn take<'a>(body: &mut Tree<'a>, key: &str) -> Vec<Entry<'a>> {
    let Some(Tree::Array(items)) = body.get_mut(key) else {
        return Vec::new();
    };
    let items = std::mem::take(items).into_iter().enumerate();
    items.map(|(at, tree)| Entry { at, tree }).collect()
}

/// Puts it back.
pub(super) fn put<'a>(body: &mut Tree<'a>, key: &'static str, entries: Vec<Entry<'a>>) {
    let items = entries.into_iter().map(|entry| entry.tree);
    body.set(key, Tree::Array(items.collect()));
}

/// Removes what a test finds, with its place in the list.
pub(super) fn drain<'a>(
    items: &mut Vec<Tree<'a>>,
    mut found: impl FnMut(&Tree<'a>) -> bool,
) -> Vec<(usize, Tree<'a>)> {
    let mut out = Vec::new();
    let all = std::mem::take(items);
    for (at, item) in all.into_iter().enumerate() {
        if found(&item) {
            out.push((at, item));
        } else {
            items.push(item);
        }
    }
    out
}
