//! Deletions and what compilations were made from.

use aura_core::{Layer, Storage};

use super::{delete, events, session};
use crate::conformance::Chat;
use crate::conformance::compilations::inputs::{inputs_of, parts_of, put_inputs};

pub(super) fn inputs_go_with_what_was_said(store: &dyn Storage) {
    let (chat, other) = (Chat::new(store), Chat::named(store, "other"));
    for chat in [&chat, &other] {
        chat.record("t0", &["one", "two"]).unwrap();
    }
    put_inputs(store, "r1", 1, &chat.key, &[b"own", b"shared"]);
    put_inputs(store, "r2", 1, &other.key, &[b"shared"]);
    let receipt = delete(store, events("chat", 1, 1));
    assert_eq!(receipt.count(Layer::Inputs), 1);
    assert_eq!(receipt.count(Layer::Manifests), 0);
    assert_eq!(inputs_of(store, "r1"), None);
    assert_eq!(parts_of(store, "r2"), [b"shared"]);
    let order = super::order("d2", session("other"));
    let receipt = super::carry_out(store, order).unwrap();
    assert_eq!(receipt.count(Layer::Inputs), 1);
    assert_eq!(receipt.count(Layer::Manifests), 1);
    assert_eq!(inputs_of(store, "r2"), None);
}
