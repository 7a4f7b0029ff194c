//! JSON lines to turns: reading, checking, grouping and recording, one step a file.
//!
//! [`Lines`] cuts a stream into lines without ever holding more than one, [`Entry`] is one line understood, [`Seen`]
//! finds message ids that come up again, [`Grouper`] makes turns of messages, and the writer records them.

mod calls;
mod entry;
mod fields;
mod gate;
mod grouper;
mod lines;
mod progress;
mod recorder;
mod refusal;
mod seen;
mod tally;
mod writer;

pub use entry::Entry;
pub use grouper::{Group, Grouper, Item, Limits};
pub use lines::{Line, Lines, MAX_LINE_BYTES};
pub(crate) use progress::Progress;
pub use refusal::{Refusal, Refusals};
pub use seen::{Seen, Sight};
pub use tally::Tally;
pub(crate) use writer::Writer;
