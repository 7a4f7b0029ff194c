//! Makes BM25 indexes and analyses what goes into and is looked up in them.

use std::cell::RefCell;

use aura_core::{
    AnalyzedMessage, LexicalBackend, LexicalIndex, LexicalMessage, LexicalQuery, LexicalTerm,
};
use aura_text::{Analyzer, QueryTerm, Scratch, TermKind};

use crate::lexical::identity::AnalyzerIdentity;
use crate::lexical::index::SessionIndex;
use crate::lexical::segment;
use crate::question;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
}

/// In-memory BM25 over the terms of one analyzer.
///
/// ```
/// use aura_core::{AnalyzedMessage, EventId, EventRange, LexicalBackend, LexicalMessage, LexicalRequest, RankingWeights, Role, TurnIndex};
/// use aura_retrieval::Bm25Backend;
/// use aura_text::Analyzer;
///
/// let backend = Bm25Backend::new(Analyzer::english());
/// let mut index = backend.create();
/// let mut message = AnalyzedMessage::default();
/// for (event, text) in [(1, "My cats are called Miso and Nori."), (2, "It rains in Oslo.")] {
///     let turn = TurnIndex(0);
///     let plain = LexicalMessage { event_id: EventId(event), turn, role: Role::User, speaker: "Ana", text, tokens: 12, time: None };
///     backend.analyze(&plain, &mut message);
///     index.append(&message)?;
/// }
/// let found = index.search(&LexicalRequest {
///     query: &backend.query("What is the name of my cat?"),
///     visible: &[EventRange::new(EventId(1), EventId(2))],
///     limit: 10,
///     room: None,
///     corpus: None,
///     neighbours: None,
///     weights: RankingWeights::default(),
///     dense: None,
///     reader: None,
/// });
/// assert_eq!(found.hits.len(), 1);
/// assert_eq!(found.hits[0].event_id, EventId(1));
/// # Ok::<(), aura_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Bm25Backend {
    analyzer: Analyzer,
}

impl Bm25Backend {
    /// A backend that analyses with `analyzer`.
    #[must_use]
    pub fn new(analyzer: Analyzer) -> Self {
        Self { analyzer }
    }

    /// The analyzer.
    #[must_use]
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// A new, empty index as its own type.
    #[must_use]
    pub fn new_index(&self) -> SessionIndex {
        SessionIndex::new(AnalyzerIdentity::of(&self.analyzer))
    }

    fn add_text(&self, text: &str, scratch: &mut Scratch, out: &mut AnalyzedMessage) {
        self.analyzer.for_each_term(text, scratch, |term| {
            // Offsets are four bytes; a message of four gigabytes of terms is cut.
            let Ok(end) = u32::try_from(out.terms.len() + term.text.len()) else {
                return;
            };
            out.terms.push_str(term.text);
            out.ends.push(end);
            out.length = out.length.saturating_add(u32::from(!term.stop));
        });
    }
}

impl LexicalBackend for Bm25Backend {
    fn identity(&self) -> String {
        segment::identity(&AnalyzerIdentity::of(&self.analyzer))
    }

    fn analyze(&self, message: &LexicalMessage<'_>, out: &mut AnalyzedMessage) {
        out.event_id = message.event_id;
        out.turn = message.turn;
        out.tokens = message.tokens;
        out.time = message.time;
        out.traits = question::traits_of(message.role, message.speaker, message.text);
        out.speaker.clear();
        out.speaker
            .extend(message.speaker.chars().flat_map(char::to_lowercase));
        out.length = 0;
        out.terms.clear();
        out.ends.clear();
        with_scratch(|scratch| {
            self.add_text(message.speaker, scratch, out);
            out.speaker_terms = u32::try_from(out.ends.len()).unwrap_or(u32::MAX);
            self.add_text(message.text, scratch, out);
        });
    }

    fn query(&self, text: &str) -> LexicalQuery {
        let mut date_words = String::new();
        let asked = question::read(text, &mut date_words);
        let analyze = |text| with_scratch(|scratch| self.analyzer.query_with(text, scratch));
        let query = analyze(text);
        let dated = match asked.dates.as_slice() {
            [] => Default::default(),
            _ => analyze(&date_words).terms,
        };
        let grams = query
            .terms
            .iter()
            .filter(|term| term.kind == TermKind::Gram);
        let unspaced = grams.count() * 2 > query.terms.len();
        let term = |term: QueryTerm| LexicalTerm {
            dated: dated.iter().any(|other| other.text == term.text),
            text: term.text,
            weight: term.weight,
        };
        LexicalQuery {
            only_stop_words: query.only_stop_words,
            unspaced,
            asked,
            terms: query.terms.into_iter().map(term).collect(),
        }
    }

    fn create(&self) -> Box<dyn LexicalIndex> {
        Box::new(self.new_index())
    }
}

fn with_scratch<R>(f: impl FnOnce(&mut Scratch) -> R) -> R {
    SCRATCH.with(|scratch| match scratch.try_borrow_mut() {
        Ok(mut scratch) => f(&mut scratch),
        Err(_) => f(&mut Scratch::new()),
    })
}
