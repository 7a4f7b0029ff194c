//! Counting tokens as a model's tokenizer does.
//!
//! Counts are exact and cover ordinary text only: what looks like a special token (`<|endoftext|>`) counts as the
//! characters it is written with.
//!
//! # Adding counts up
//! The count of a text is the sum of the counts of its segments when every segment but the last ends with a line feed and
//! every segment but the first begins with a character that is neither white space nor `/`. Both vocabularies split a
//! text into pieces before they look at bytes; no piece reaches over a line feed except into more white space or, in
//! `o200k_base`, from punctuation into a `/` (`".\n/"` is one token). A property test holds the engine to it.
//!
//! # Why this is not a call into a tokenizer crate
//! The vocabularies come from the `tiktoken` crate at build time and tests compare every count with it. At run time
//! its set-up (decompressing the vocabulary, compiling a regular expression) takes longer than opening a store may, so
//! the counting itself is here: a table that is ready in a few milliseconds, and merging.

mod framed;
mod memo;
mod merge;
mod pieces;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::sync::LazyLock;

use aura_core::{Result, TokenCounter};

use pieces::Rules;
use vocabulary::Vocabulary;

static O200K: LazyLock<Vocabulary> = LazyLock::new(|| {
    let data = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base"));
    Vocabulary::load(data, 199_998, Rules::O200k)
});

static CL100K: LazyLock<Vocabulary> = LazyLock::new(|| {
    let data = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base"));
    Vocabulary::load(data, 100_256, Rules::Cl100k)
});

/// The counters built into the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BuiltinCounter {
    /// `o200k_base`, the vocabulary of OpenAI's models since GPT-4o (the default).
    #[default]
    O200kBase,
    /// `cl100k_base`, the vocabulary of GPT-4 and GPT-3.5.
    Cl100kBase,
    /// A quarter of the number of characters, rounded up: an estimate for models without a published vocabulary.
    CharsDiv4,
}

impl BuiltinCounter {
    /// All built-in counters.
    pub const ALL: [Self; 3] = [Self::O200kBase, Self::Cl100kBase, Self::CharsDiv4];

    /// The counter of this name, as [`TokenCounter::name`] gives it.
    ///
    /// ```
    /// use aura_text::BuiltinCounter;
    /// assert_eq!(BuiltinCounter::from_name("cl100k_base"), Some(BuiltinCounter::Cl100kBase));
    /// assert_eq!(BuiltinCounter::from_name("unknown"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.as_str() == name)
    }

    /// The counter's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
            Self::CharsDiv4 => "chars/4",
        }
    }

    /// How many tokens `text` has; 4,294,967,295 if there are more.
    ///
    /// ```
    /// use aura_text::BuiltinCounter;
    /// assert_eq!(BuiltinCounter::O200kBase.tokens("Two cats, Miso and Nori."), 9);
    /// ```
    #[must_use]
    pub fn tokens(self, text: &str) -> u32 {
        let count = match self {
            Self::O200kBase => O200K.count(text),
            Self::Cl100kBase => CL100K.count(text),
            Self::CharsDiv4 => text.chars().count().div_ceil(4),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Makes the vocabulary ready, which the first count would do otherwise: a few milliseconds, once in a process, on a
    /// thread that has time.
    pub fn warm(self) {
        match self {
            Self::O200kBase => drop(LazyLock::force(&O200K)),
            Self::Cl100kBase => drop(LazyLock::force(&CL100K)),
            Self::CharsDiv4 => {}
        }
    }
}

impl TokenCounter for BuiltinCounter {
    fn name(&self) -> &str {
        self.as_str()
    }

    fn count(&self, text: &str) -> Result<u32> {
        Ok(self.tokens(text))
    }

    fn count_framed(&self, text: &str, frames: &[(&str, &str)]) -> Result<Vec<u32>> {
        let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let framed = match self {
            Self::O200kBase => O200K.count_framed(text, frames),
            Self::Cl100kBase => CL100K.count_framed(text, frames),
            Self::CharsDiv4 => {
                let chars = |text: &str| text.chars().count();
                let inside = chars(text);
                let frames = frames.iter();
                frames
                    .map(|(prefix, suffix)| (chars(prefix) + inside + chars(suffix)).div_ceil(4))
                    .collect()
            }
        };
        Ok(framed.into_iter().map(narrow).collect())
    }
}
