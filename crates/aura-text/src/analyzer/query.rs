//! The terms of a question.

use smallvec::SmallVec;

use super::{Analyzer, Scratch, Term, TermKind};

/// One distinct term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// The folded and stemmed form, as an index stores it.
    pub text: String,
    /// What the term counts: 1 for each occurrence as a word, less for the parts of something joined.
    pub weight: f32,
    /// How it first came out of the query.
    pub kind: TermKind,
}

/// What to look up for a question: its distinct terms, in the order in which they first occur.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryTerms {
    /// The distinct terms. Stop words are left out unless there is nothing else.
    pub terms: SmallVec<[QueryTerm; 8]>,
    /// The query has no content word, so its stop words are the terms.
    pub only_stop_words: bool,
}

impl QueryTerms {
    /// Whether there is nothing to look up (no letter and no digit).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The term texts, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|t| t.text.as_str())
    }

    fn add(&mut self, term: &Term<'_>) {
        if let Some(known) = self.terms.iter_mut().find(|t| t.text == term.text) {
            known.weight += term.weight;
        } else {
            self.terms.push(QueryTerm {
                text: term.text.to_owned(),
                weight: term.weight,
                kind: term.kind,
            });
        }
    }
}

impl Analyzer {
    /// The terms of a question, with this thread's own scratch space.
    ///
    /// ```
    /// use aura_text::Analyzer;
    /// let query = Analyzer::english().query("Where do the cats live?");
    /// assert_eq!(query.texts().collect::<Vec<_>>(), ["cat", "live"]);
    /// assert!(Analyzer::english().query("Who are you?").only_stop_words);
    /// ```
    #[must_use]
    pub fn query(&self, text: &str) -> QueryTerms {
        with_scratch(|scratch| self.query_with(text, scratch))
    }

    /// The terms of a question, in a given scratch space.
    #[must_use]
    pub fn query_with(&self, text: &str, scratch: &mut Scratch) -> QueryTerms {
        let mut query = QueryTerms::default();
        self.for_each_term(text, scratch, |term| {
            if !term.stop {
                query.add(&term);
            }
        });
        if query.is_empty() {
            self.for_each_term(text, scratch, |term| query.add(&term));
            query.only_stop_words = !query.is_empty();
        }
        query
    }

    /// The content terms of a text in order, duplicates included, with this thread's own scratch space: for short texts
    /// and tests; [`Analyzer::for_each_term`] is the one without allocations.
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        with_scratch(|scratch| {
            self.for_each_term(text, scratch, |term| {
                if !term.stop {
                    terms.push(term.text.to_owned());
                }
            });
        });
        terms
    }
}

/// Runs `f` with this thread's scratch space, or with a new one where `f` runs inside itself.
fn with_scratch<R>(f: impl FnOnce(&mut Scratch) -> R) -> R {
    thread_local! {
        static SCRATCH: std::cell::Cell<Option<Box<Scratch>>> = const { std::cell::Cell::new(None) };
    }
    let mut scratch = SCRATCH.take().unwrap_or_default();
    let result = f(&mut scratch);
    SCRATCH.set(Some(scratch));
    result
}
