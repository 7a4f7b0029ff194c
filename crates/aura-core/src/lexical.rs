//! Lexical search over the messages of one session.

mod asked;

use std::ops::AddAssign;

use crate::candidate::Signals;
use crate::embed::Calibration;
use crate::error::Result;
use crate::id::{EventId, EventRange, TurnIndex};
use crate::message::Role;
use crate::policy::RankingWeights;
use crate::storage::SessionKey;
use crate::time::Timestamp;

use crate::vector::VectorHit;
pub use asked::{Asked, AskedDate, MessageTraits};

/// A message as a lexical index takes it in.
#[derive(Debug, Clone, Copy)]
pub struct LexicalMessage<'a> {
    /// Its event; above every event appended before.
    pub event_id: EventId,
    /// Its turn.
    pub turn: TurnIndex,
    /// In which role it is said.
    pub role: Role,
    /// Who speaks, by name or else by role; indexed in front of the text. Empty for nobody in particular.
    pub speaker: &'a str,
    /// What is searched.
    pub text: &'a str,
    /// What it costs to show, in tokens.
    pub tokens: u32,
    /// When it was said, if that is known.
    pub time: Option<Timestamp>,
}

/// A message after analysis: what [`LexicalIndex::append`] needs, made without holding the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnalyzedMessage {
    /// Its event.
    pub event_id: EventId,
    /// Its turn.
    pub turn: TurnIndex,
    /// What it costs to show, in tokens.
    pub tokens: u32,
    /// When it was said.
    pub time: Option<Timestamp>,
    /// What is known of it beside its words.
    pub traits: MessageTraits,
    /// Who speaks, in lower case.
    pub speaker: String,
    /// How many of its terms are the speaker's name; they come first.
    pub speaker_terms: u32,
    /// How many content terms it has, repetitions counted.
    pub length: u32,
    /// Its terms one after the other, repetitions and stop words included.
    pub terms: String,
    /// Where each term ends in `terms`.
    pub ends: Vec<u32>,
}

/// One distinct term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalTerm {
    /// The term as the index stores it.
    pub text: String,
    /// What it counts; a word that is asked for twice counts double.
    pub weight: f32,
    /// It is part of a date that [`Asked::dates`] has.
    pub dated: bool,
}

/// A query after analysis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LexicalQuery {
    /// The distinct terms. Stop words are left out unless there is nothing else.
    pub terms: Vec<LexicalTerm>,
    /// The query has no content word, so its stop words are the terms.
    pub only_stop_words: bool,
    /// Most of its terms are characters and pairs of a script without spaces: more terms than words, of which fewer match.
    pub unspaced: bool,
    /// What it asks for beside its words.
    pub asked: Asked,
}

/// What BM25 needs to know of a corpus: whole numbers, so that the statistics of several indexes simply add up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusStatistics {
    /// How many messages are visible.
    pub documents: u64,
    /// How many content terms they have together.
    pub words: u64,
    /// How many of them contain each term of the query, in the query's order.
    pub frequencies: Vec<u64>,
}

impl AddAssign<&Self> for CorpusStatistics {
    fn add_assign(&mut self, other: &Self) {
        self.documents += other.documents;
        self.words += other.words;
        if self.frequencies.len() < other.frequencies.len() {
            self.frequencies.resize(other.frequencies.len(), 0);
        }
        for (mine, theirs) in self.frequencies.iter_mut().zip(&other.frequencies) {
            *mine += theirs;
        }
    }
}

/// What dense search knows, for ranking by words and vectors together.
#[derive(Clone, Copy)]
pub struct DensePool<'a> {
    /// The nearest messages; they are ranked along with those that share words with the query.
    pub hits: &'a [VectorHit],
    /// The cosine of each message with the query; `None` for those without vectors.
    pub cosines: &'a dyn Fn(&[EventId]) -> Vec<Option<f32>>,
    /// What a cosine means.
    pub calibration: Calibration,
}

impl std::fmt::Debug for DensePool<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DensePool")
            .field("hits", &self.hits)
            .field("calibration", &self.calibration)
            .finish_non_exhaustive()
    }
}

/// What to search for and where.
#[derive(Debug, Clone, Copy)]
pub struct LexicalRequest<'a> {
    /// The query.
    pub query: &'a LexicalQuery,
    /// The events that may be found and that count in the statistics: ascending, without overlap. Nearly always one
    /// range; more where branches were left behind.
    pub visible: &'a [EventRange],
    /// How many messages to find at most.
    pub limit: usize,
    /// Tokens that the messages found may be shown in: with neighbours, those ranked below twice as much are left out,
    /// since nothing could make room for them.
    pub room: Option<u32>,
    /// Statistics of a larger corpus that this index is a part of; without, those of its own visible messages.
    pub corpus: Option<&'a CorpusStatistics>,
    /// Rank by the message and its neighbours rather than by the message alone; the value is the longest pause within
    /// a sitting, in milliseconds, which neighbours do not cross.
    pub neighbours: Option<i64>,
    /// What each signal counts then.
    pub weights: RankingWeights,
    /// What dense search knows; it takes part only where neighbours do.
    pub dense: Option<DensePool<'a>>,
    /// Who asks: the session that it may read. With it, messages scored in an index of another owner are counted.
    pub reader: Option<&'a SessionKey>,
}

/// A message that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    /// Its event.
    pub event_id: EventId,
    /// Its turn.
    pub turn: TurnIndex,
    /// What it costs to show, in tokens.
    pub tokens: u32,
    /// BM25 of the message alone; 0 for a neighbour that shares no term with the query.
    pub bm25: f32,
    /// What orders, in no particular unit: comparable within one answer only.
    pub rank_score: f32,
    /// Its cosine with the query, if dense search took part and it has a vector.
    pub cosine: Option<f32>,
    /// The share `l` of the query's maximum, in [0, 1], joined with the relevance `d` of the cosine as `1 - (1 - l)(1 - d)`;
    /// 0 only if neither the message nor a neighbour taken into account shares a term with the query, and its cosine is
    /// that of unrelated texts.
    pub relevance: f32,
    /// What the rank is the sum of; all 0 without neighbours.
    pub signals: Signals,
}

/// What a search had to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LexicalWork {
    /// How many messages were visible.
    pub searched: u64,
    /// How many messages were scored to the end.
    pub scored: u64,
    /// How many of these stood in an index that is not the reader's, or are not visible; counted where they are scored,
    /// those not visible in builds with debug assertions alone. 0, unless a filter before the search is broken.
    pub foreign: u64,
    /// How many postings were read.
    pub postings: u64,
    /// How many windows of messages there were.
    pub windows: u64,
    /// How many of these were left after a look at their bounds.
    pub windows_skipped: u64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LexicalHits {
    /// The messages, best rank first, ties by the newer event.
    pub hits: Vec<LexicalHit>,
    /// The BM25 that no message can exceed for this query: the sum of what each term gives to a message that consists
    /// of it. Terms that occur nowhere count, since a question about unknown things has no good answer.
    pub maximum: f32,
    /// What it took.
    pub work: LexicalWork,
}

/// An index of the messages of one session.
///
/// Contract:
/// - A message is found by every search that starts after `append` returned.
/// - Statistics count exactly the messages of the request's `visible` ranges that are neither hidden nor removed: other
///   messages change no score by a bit.
/// - The same messages and request give the same hits, whatever was hidden and shown again in between.
/// - Losing an index loses no data; it is rebuilt from the log.
pub trait LexicalIndex: Send + Sync {
    /// Says whose messages it holds; kept beside the messages and in no snapshot.
    fn set_owner(&mut self, owner: &SessionKey);

    /// Appends a message.
    ///
    /// # Errors
    /// `Conflict`, when its event is not above the last one; `BudgetExceeded`, when the index is full.
    fn append(&mut self, message: &AnalyzedMessage) -> Result<()>;

    /// Hides the messages of these events: they keep their place but are neither found nor counted. For turns that are
    /// open or failed.
    fn hide(&mut self, events: EventRange);

    /// Shows hidden messages again.
    fn show(&mut self, events: EventRange);

    /// Removes the messages of these events for good, with every trace of their words.
    fn remove(&mut self, events: EventRange);

    /// The last event appended.
    fn last_event(&self) -> Option<EventId>;

    /// How many messages are neither hidden nor removed.
    fn len(&self) -> u64;

    /// Whether no message can be found.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of those who speak, in lower case; who is called by the role alone is not among them.
    fn speakers(&self) -> Vec<&str>;

    /// The statistics of this index for a query, to be added up over several.
    fn statistics(&self, query: &LexicalQuery, visible: &[EventRange]) -> CorpusStatistics;

    /// The best messages for a query.
    fn search(&self, request: &LexicalRequest<'_>) -> LexicalHits;

    /// Appends a copy of the messages of these events to `out`, hidden ones like all others, without the words of those
    /// removed. It holds no digest: whoever keeps it sees to it that it is not damaged.
    fn write_segment(&self, events: EventRange, out: &mut Vec<u8>);

    /// Appends the messages of segments, in this order: all segments of an index give the same index, all messages
    /// shown. The index is of no use after a failure.
    ///
    /// # Errors
    /// `Corrupt`, when the bytes are damaged, of another version or of another analyzer (field `analyzer`); `Conflict`,
    /// when an event is not above the last one; `BudgetExceeded`, when the index is full.
    fn append_segments(&mut self, segments: &[&[u8]]) -> Result<()>;

    /// How much memory the index takes, in bytes, about.
    fn memory(&self) -> usize;
}

/// Makes lexical indexes of one kind, and analyses what goes into and is looked up in them.
///
/// Analysis needs no index, so that the time an index is locked for writing stays short.
pub trait LexicalBackend: Send + Sync {
    /// Names the kind of index and what made its terms: segments of another identity are of no use.
    fn identity(&self) -> String;

    /// Analyses a message into `out`, whose memory is used again.
    fn analyze(&self, message: &LexicalMessage<'_>, out: &mut AnalyzedMessage);

    /// Analyses a query.
    fn query(&self, text: &str) -> LexicalQuery;

    /// A new, empty index.
    fn create(&self) -> Box<dyn LexicalIndex>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_add_up() {
        let mut sum = CorpusStatistics::default();
        for frequencies in [vec![1, 2], vec![10, 20]] {
            sum += &CorpusStatistics {
                documents: 3,
                words: 50,
                frequencies,
            };
        }
        assert_eq!(
            (sum.documents, sum.words, sum.frequencies),
            (6, 100, vec![11, 22])
        );
    }
}
