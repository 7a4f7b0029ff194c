//! What the contexts are measured against: orders of messages that need no engine, cut at the same budget.

use std::sync::Arc;

use aura::{
    AnalyzedMessage, Analyzer, AnalyzerOptions, Bm25Backend, Embedder as _, Error, EventId,
    EventRange, Language, LexicalBackend as _, LexicalIndex, LexicalMessage, LexicalRequest,
    RankingWeights, TurnIndex,
};

use super::data::{Conversation, Question};
use super::kept::Kept;
use super::outcome::{Answer, Cut};

/// An order of the messages of one conversation.
pub(crate) trait Baseline {
    /// Places of messages, best first; what is left out is never chosen.
    fn order(&self, question: &Question) -> Vec<usize>;
}

/// The newest messages first.
#[derive(Debug)]
pub(crate) struct Recency {
    messages: usize,
}

/// Messages by BM25 of their own words.
pub(crate) struct Bm25Alone {
    backend: Bm25Backend,
    index: Box<dyn LexicalIndex>,
    messages: usize,
}

/// Messages by the cosine of their text with the question.
pub(crate) struct DenseAlone {
    embedder: Arc<Kept>,
    vectors: Vec<Vec<f32>>,
}

/// Takes messages in order as long as they fit; one that does not is passed over.
pub(crate) fn fill(conversation: &Conversation, order: &[usize], cut: Cut) -> Answer {
    let (mut chosen, mut tokens) = (Vec::new(), 0_u32);
    for &place in order {
        let Some(said) = conversation.messages.get(place) else {
            continue;
        };
        let sum = tokens.saturating_add(said.tokens);
        match cut {
            Cut::Tokens(budget) if sum > budget => continue,
            Cut::Messages(most) if chosen.len() >= most as usize => break,
            _ => {}
        }
        tokens = sum;
        chosen.push(place);
    }
    chosen.sort_unstable();
    Answer {
        chosen,
        tokens,
        cut_short: 0,
        micros: 0,
    }
}

impl Recency {
    /// The order of a conversation.
    pub(crate) fn of(conversation: &Conversation) -> Self {
        Self {
            messages: conversation.messages.len(),
        }
    }
}

impl Baseline for Recency {
    fn order(&self, _: &Question) -> Vec<usize> {
        (0..self.messages).rev().collect()
    }
}

impl DenseAlone {
    /// The texts as they are, one vector each.
    ///
    /// # Errors
    /// Those of the embedder.
    pub(crate) fn of(conversation: &Conversation, embedder: Arc<Kept>) -> Result<Self, Error> {
        let texts: Vec<&str> = conversation
            .messages
            .iter()
            .map(|said| said.text.as_str())
            .collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in texts.chunks(embedder.batch().max(1)) {
            vectors.extend(embedder.embed(texts)?);
        }
        Ok(Self { embedder, vectors })
    }
}

impl Baseline for DenseAlone {
    fn order(&self, question: &Question) -> Vec<usize> {
        let Ok(asked) = self.embedder.embed_query(&question.text) else {
            return Vec::new();
        };
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let cosine = |vector: &Vec<f32>| product(vector, &asked) / product(vector, vector).sqrt();
        let mut order: Vec<(f32, usize)> = self.vectors.iter().map(cosine).zip(0..).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        order.into_iter().map(|(_, place)| place).collect()
    }
}

impl Bm25Alone {
    /// `speaker: text` by the engine's own analyzer: stems and stop words.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn stemmed(conversation: &Conversation) -> Result<Self, Error> {
        Self::of(conversation, Analyzer::default(), true)
    }

    /// The words of the text as they are.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn plain(conversation: &Conversation) -> Result<Self, Error> {
        let options = AnalyzerOptions {
            language: Language::Neutral,
            stop_words: false,
            stem: false,
        };
        Self::of(conversation, Analyzer::new(options), false)
    }

    fn of(conversation: &Conversation, analyzer: Analyzer, speakers: bool) -> Result<Self, Error> {
        let backend = Bm25Backend::new(analyzer);
        let mut index = backend.create();
        let mut analyzed = AnalyzedMessage::default();
        for (event, said) in (1..).zip(&conversation.messages) {
            let message = LexicalMessage {
                event_id: EventId(event),
                turn: TurnIndex(0),
                role: said.message.role,
                speaker: if speakers { said.message.speaker() } else { "" },
                text: &said.text,
                tokens: said.tokens,
                time: said.message.time,
            };
            backend.analyze(&message, &mut analyzed);
            index.append(&analyzed)?;
        }
        Ok(Self {
            backend,
            index,
            messages: conversation.messages.len(),
        })
    }
}

impl Baseline for Bm25Alone {
    fn order(&self, question: &Question) -> Vec<usize> {
        let found = self.index.search(&LexicalRequest {
            query: &self.backend.query(&question.text),
            visible: &[EventRange::new(EventId(1), EventId(u64::MAX))],
            limit: self.messages,
            room: None,
            corpus: None,
            neighbours: None,
            weights: RankingWeights::default(),
            dense: None,
            reader: None,
        });
        let events = found
            .hits
            .iter()
            .map(|hit| hit.event_id.0.saturating_sub(1));
        events
            .filter_map(|place| usize::try_from(place).ok())
            .collect()
    }
}
