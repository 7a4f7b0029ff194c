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

    /// How many tokens `text` has in each of `frames`, a prefix and a suffix each: the counts of the three joined.
    ///
    /// The same message is shown in several forms. A counter that splits a text into pieces can do better than this
    /// default, which counts every form whole.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn count_framed(&self, text: &str, frames: &[(&str, &str)]) -> Result<Vec<u32>> {
        let forms = frames.iter();
        forms
            .map(|(prefix, suffix)| self.count(&[prefix, text, suffix].concat()))
            .collect()
    }
}
