//! Sessions in memory: numbers about every turn and message, the lexical index, facts, and bodies while they are used.

pub(crate) mod bodies;
pub(crate) mod branch;
pub(crate) mod data;
pub(crate) mod entry;
pub(crate) mod fact_state;
pub(crate) mod history_tokens;
pub(crate) mod history_view;
pub(crate) mod map;
pub(crate) mod segment;
pub(crate) mod sent_lists;
pub(crate) mod snapshot;
pub(crate) mod turn_meta;
pub(crate) mod vectors;
