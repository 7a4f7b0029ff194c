//! What the providers take: their manners and rules, native forms, and the check and mending of requests.

pub(crate) mod manner;
pub(crate) mod native;
pub(crate) mod repair;
pub(crate) mod sent;
pub(crate) mod tree;
pub(crate) mod verify;
