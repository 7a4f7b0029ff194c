//! Tool results: which of them may be shown, and how much of each.
//!
//! - `schemas`: the allow-list of output schemas, and whether a result keeps what its schema promises.
//! - `cap`: a result within so many tokens, by its `format`: `json`, `table`, `markup`, `lines` (logs, diffs, text).
//! - `failure`: what is shown of a failed call; `redact`: secrets, by key and by pattern.
//! - `screen`: a history in which all of this is done, so that no mode and no fallback sees anything else.

mod cap;
mod failure;
mod fit;
mod format;
mod json;
mod lines;
mod markup;
mod redact;
mod schemas;
mod screen;
mod table;

pub use cap::{Capped, LEAST_CAP, cap};
pub use failure::{Trace, split_trace, trace_name};
pub use format::ResultFormat;
pub use redact::{REDACTED, SECRET_KEYS, SECRET_PATTERNS, redact_json, redact_text};
pub use schemas::{ResultSchemas, Verdict};
pub use screen::{Refusal, Screen, ScreenRules};
