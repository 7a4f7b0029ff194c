//! Counting tokens.

use crate::error::Result;

/// Counts the tokens of a text for one vocabulary.
///
/// Contract: the same text gives the same count; an empty text gives 0; any text is counted as ordinary text, also
/// where it looks like a special token.
pub trait TokenCounter: Send + Sync {
    /// The vocabulary's name, for example `o200k_base`; recorded in manifests.
    fn name(&self) -> &str;

    /// How many tokens `text` has.
    ///
    /// # Errors
    /// `Callback` from a host's counter; built-in counters never fail.
    fn count(&self, text: &str) -> Result<u32>;
}
