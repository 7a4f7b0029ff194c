//! From a text to the terms an index stores and a query looks up.
//!
//! Words are those of UAX #29, in lower case, with full-width and other compatibility forms made plain and diacritics
//! removed; English words are stemmed by Snowball (Porter 2), other languages by their own algorithm when chosen.
//! Things that are written joined are found joined and by their parts: `order_id`, `orderId`, `ORD-7781`,
//! `2024-05-03`, addresses, paths. Chinese and Japanese become characters and pairs, Thai and its like pairs of grapheme
//! clusters, Korean words also give the pairs inside them.

mod compound;
mod emit;
mod fold;
mod language;
mod query;
mod scratch;
mod script;
mod segment;
mod stop;
mod term;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use snowball_stemmers_rs::Stemmer;

pub use language::Language;
pub use query::{QueryTerm, QueryTerms};
pub use scratch::Scratch;
pub use term::{MAX_TERM_BYTES, Term, TermKind};

use emit::Emitter;
use stop::StopWords;

/// How text is analysed. An index records these, since its terms are only found by the same analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnalyzerOptions {
    /// Whose stemmer and stop words to use.
    pub language: Language,
    /// Flag stop words.
    pub stop_words: bool,
    /// Reduce words to their stems.
    pub stem: bool,
}

impl Default for AnalyzerOptions {
    /// English with stop words and stemming.
    fn default() -> Self {
        Self {
            language: Language::English,
            stop_words: true,
            stem: true,
        }
    }
}

/// Splits text into terms. Immutable, shared between threads, cheap to clone.
///
/// ```
/// use aura_text::{Analyzer, Scratch};
/// let analyzer = Analyzer::english();
/// let mut scratch = Scratch::new();
/// let mut terms = Vec::new();
/// analyzer.for_each_term("Miso's cats were running to order_id.", &mut scratch, |term| {
///     if !term.stop {
///         terms.push(term.text.to_owned());
///     }
/// });
/// assert_eq!(terms, ["miso", "cat", "run", "orderid", "order", "id"]);
/// ```
#[derive(Clone)]
pub struct Analyzer {
    settings: Arc<Settings>,
}

/// What every call shares.
struct Settings {
    options: AnalyzerOptions,
    language: Language,
    stop: StopWords,
    stemmer: Option<Stemmer>,
}

impl Analyzer {
    /// Version of the analysis, for whoever keeps its terms: it rises whenever the same text may give other terms.
    pub const VERSION: u32 = 1;

    /// An analyzer with these options.
    #[must_use]
    pub fn new(options: AnalyzerOptions) -> Self {
        let language = options.language;
        Self {
            settings: Arc::new(Settings {
                options,
                language,
                stop: if options.stop_words {
                    StopWords::of(language)
                } else {
                    StopWords::default()
                },
                stemmer: language
                    .algorithm()
                    .filter(|_| options.stem)
                    .map(Stemmer::create),
            }),
        }
    }

    /// The default analyzer: English, with stop words and stemming.
    #[must_use]
    pub fn english() -> Self {
        Self::new(AnalyzerOptions::default())
    }

    /// The options this analyzer was made with.
    #[must_use]
    pub fn options(&self) -> AnalyzerOptions {
        self.settings.options
    }

    /// Hands every term of `text` to `f`, in the order of the text; a whole comes before its parts.
    ///
    /// Stop words come too, flagged. Takes time linear in the text and allocates nothing once `scratch` is warm, except for
    /// words that it sees for the first time.
    pub fn for_each_term(&self, text: &str, scratch: &mut Scratch, f: impl FnMut(Term<'_>)) {
        scratch.cache.serve(self.settings.key());
        let mut emitter = Emitter::new(text, &self.settings, scratch, f);
        segment::atoms(text, |atom| emitter.push(atom));
        emitter.finish();
    }
}

impl Default for Analyzer {
    fn default() -> Self {
        Self::english()
    }
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Analyzer").field(&self.options()).finish()
    }
}

impl Settings {
    /// Tells apart the settings whose stems may share a cache.
    fn key(&self) -> u16 {
        let flags = u16::from(self.options.stop_words) | u16::from(self.options.stem) << 1;
        (self.language as u16) << 2 | flags
    }

    /// Whether words keep their diacritics until they are stemmed.
    fn stems_marked_words(&self) -> bool {
        self.stemmer.is_some() && self.language != Language::English
    }

    /// Writes the stem of a folded word to `out`, without marks.
    fn stem(&self, word: &str, out: &mut String) {
        out.clear();
        let english = self.language == Language::English;
        let stemmable = if english {
            word.bytes().all(|b| b.is_ascii_lowercase())
        } else {
            word.chars().all(|c| !c.is_numeric())
        };
        match &self.stemmer {
            Some(stemmer) if stemmable && word.len() <= MAX_TERM_BYTES => {
                let stem = stemmer.stem(word);
                fold::strip_marks(if stem.is_empty() { word } else { &stem }, out);
            }
            _ => fold::strip_marks(word, out),
        }
    }

    /// Whether two spellings of a word have different stems.
    fn stem_differs(&self, one: &str, other: &str, scratch: &mut Scratch) -> bool {
        let (mut a, mut b) = (
            std::mem::take(&mut scratch.plain),
            std::mem::take(&mut scratch.whole),
        );
        self.stem(one, &mut a);
        self.stem(other, &mut b);
        let differs = a != b;
        (scratch.plain, scratch.whole) = (a, b);
        differs
    }
}
