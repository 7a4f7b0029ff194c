//! Which analysis made the terms of an index.

use std::fmt;
use std::sync::Arc;

use aura_text::Analyzer;

/// Names an analyzer with its options and version: terms are only found by the analysis that made them.
///
/// ```
/// use aura_retrieval::AnalyzerIdentity;
/// use aura_text::Analyzer;
/// let identity = AnalyzerIdentity::of(&Analyzer::english());
/// assert_eq!(identity, AnalyzerIdentity::of(&Analyzer::default()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AnalyzerIdentity(Arc<str>);

impl AnalyzerIdentity {
    /// The identity of `analyzer`.
    #[must_use]
    pub fn of(analyzer: &Analyzer) -> Self {
        let options = analyzer.options();
        let (stop, stem) = (
            if options.stop_words { "+stop" } else { "" },
            if options.stem { "+stem" } else { "" },
        );
        Self(
            format!(
                "{}{stop}{stem}/{}",
                options.language.code(),
                Analyzer::VERSION
            )
            .into(),
        )
    }

    /// Whether words are reduced to English stems.
    pub(crate) fn stems_english(&self) -> bool {
        let (language, rest) = self.0.split_once('+').unwrap_or_default();
        language == "en" && rest.contains("stem")
    }

    /// The identity as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for AnalyzerIdentity {
    fn default() -> Self {
        Self::of(&Analyzer::default())
    }
}

impl fmt::Display for AnalyzerIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
