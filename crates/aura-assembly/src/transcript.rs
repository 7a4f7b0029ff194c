//! Turns as messages of their own roles.

mod fit;
mod message;
mod pairs;
mod shown;

pub(crate) use fit::EMPTY;
pub(crate) use message::{empty, kept_as, messages_of};
pub(crate) use pairs::Ending;
pub(crate) use shown::{LEFT_OUT, Shown, ShownTurn, result_handle, shrink};
