//! The engine's types for a person to read.

mod context;
mod diff;
mod explanation;
mod list;
mod manifest;
mod message;
mod out;
mod reason;
pub(crate) mod style;
mod table;
mod text;

pub(crate) use context::{context, token_line};
pub(crate) use diff::diff;
pub(crate) use explanation::explanation;
pub(crate) use list::JsonList;
pub(crate) use manifest::{Labels, manifest, selected};
pub(crate) use message::stored_message;
pub(crate) use out::Out;
pub(crate) use table::{Align, Table};
pub(crate) use text::{number, one_line, plural, ranges};
