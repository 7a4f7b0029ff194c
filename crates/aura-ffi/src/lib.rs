//! The C interface of the Aura context engine.
//!
//! `include/aura.h` is made from the text of this crate by cbindgen (`cargo xtask gen`); each exported function is
//! written once, through `boundary::export`, and safer-ffi derives the same interface a second time from the types,
//! so that a test can compare the two. The Rust types bear the C names.
//!
//! Every export runs inside a panic guard, checks every pointer for NULL, every number for its range and every text
//! for UTF-8, and reports what is wrong in an `aura_error` that names the parameter.
#![allow(
    non_camel_case_types,
    reason = "the types bear the names they have in C"
)]
#![deny(improper_ctypes_definitions)]

mod boundary;
mod version;

mod bytes;
mod cancel;
mod context;
mod debug;
mod engine;
mod error;
mod manifest;
mod policy;
mod principal;
mod session;
mod status;
mod turn;

pub use boundary::live::aura_kind;
pub use bytes::{aura_buffer, aura_str};
pub use cancel::aura_cancel;
pub use context::aura_context;
pub use context::block::aura_message_row;
pub use context::message::{aura_message, aura_role, aura_section};
pub use context::options::{aura_context_options, aura_provider};
pub use context::view::{aura_context_view, aura_outcome};
pub use engine::{aura_durability, aura_engine, aura_engine_options, aura_storage};
pub use error::aura_error;
pub use policy::aura_policy;
pub use principal::aura_principal;
pub use status::aura_status;
pub use turn::{aura_effect, aura_turn, aura_turn_options, aura_turn_status, aura_turn_view};
pub use version::AURA_ABI_VERSION;
