//! What a compilation was given, kept so that it can be made again.

use std::collections::HashMap;
use std::sync::Arc;

use aura_core::{
    Block, CompilationInputs, Digest, Error, ErrorKind, EventId, InputPart, MessageTokens,
    RecallCandidate, Result, Scores, TurnIndex, json,
};
use serde::{Deserialize, Serialize};

use super::standing::Standing;
use crate::request::ContextRequest;

/// The version of the bytes.
const VERSION: u8 = 2;

/// Which part of its session a compilation saw.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// The turn whose ancestors it saw.
    pub(crate) head: Option<TurnIndex>,
    /// The turns that were open: they were not seen, whatever has become of them since.
    pub(crate) open: Vec<TurnIndex>,
    /// The open turn that the context was for, and how many messages it had.
    pub(crate) tail: Option<(TurnIndex, u32)>,
    /// Turns before the distillation watermark that were not distilled.
    pub(crate) undistilled: Vec<TurnIndex>,
    /// Turns in whose place a checkpoint was shown.
    pub(crate) covered: Vec<TurnIndex>,
}

/// What a compilation was given beside the log.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) standing: Arc<Standing>,
    pub(crate) question: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) seen: Seen,
    /// What recall gave; the tokens are not kept.
    pub(crate) pool: Vec<RecallCandidate>,
}

/// The part of the bytes that is a compilation's own.
#[derive(Serialize, Deserialize)]
struct Call {
    version: u8,
    standing: [u8; 32],
    question: String,
    blocks: Vec<[u8; 32]>,
    seen: Seen,
    pool: Vec<Pooled>,
}

/// A candidate of the pool: event, turn, position; lexical, dense, relevance, rank.
#[derive(Serialize, Deserialize)]
struct Pooled(u64, u32, u64, [Option<f32>; 4]);

impl Given {
    /// What a call is given: `blocks` are those that it was compiled from, claims settled and sources asked.
    pub(crate) fn new(
        standing: Arc<Standing>,
        request: &ContextRequest,
        blocks: Vec<Block>,
        seen: Seen,
        pool: Vec<RecallCandidate>,
    ) -> Self {
        Self {
            standing,
            question: request.question.clone(),
            blocks,
            seen,
            pool,
        }
    }

    /// As the store takes it.
    ///
    /// # Errors
    /// `Internal`, when a type of ours cannot be written, which is a defect.
    pub(crate) fn inputs(&self) -> Result<CompilationInputs> {
        let mut parts = vec![self.standing.part()?];
        for block in &self.blocks {
            parts.push(InputPart::of(json::to_string(block)?.into_bytes()));
        }
        let mut digests = parts.iter().map(|part| *part.digest.as_bytes());
        let pooled = |found: &RecallCandidate| {
            let scores = found.scores;
            Pooled(
                found.event_id.0,
                found.turn.0,
                found.position as u64,
                [scores.lexical, scores.dense, scores.relevance, scores.rank],
            )
        };
        let call = Call {
            version: VERSION,
            standing: digests.next().unwrap_or_default(),
            question: self.question.clone(),
            blocks: digests.collect(),
            seen: self.seen.clone(),
            pool: self.pool.iter().map(pooled).collect(),
        };
        let call = postcard::to_stdvec(&call).map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                "the inputs of a context cannot be written",
            )
            .caused_by(error)
        })?;
        Ok(CompilationInputs { call, parts })
    }

    /// Reads what [`Given::inputs`] gave.
    ///
    /// # Errors
    /// `Corrupt`, when the bytes are none of ours or a part is missing; `Invalid`, when another version wrote them.
    pub(crate) fn read(inputs: &CompilationInputs) -> Result<Self> {
        let damaged = || Error::new(ErrorKind::Corrupt, "the inputs of a context are damaged");
        if inputs.call.first() != Some(&VERSION) {
            return Err(Error::new(
                ErrorKind::Invalid,
                "request_id: the inputs of the context were written by another version",
            )
            .with_field("request_id"));
        }
        let call: Call =
            postcard::from_bytes(&inputs.call).map_err(|error| damaged().caused_by(error))?;
        let parts = inputs.parts.iter().map(|part| (part.digest, &part.bytes));
        let parts: HashMap<Digest, _> = parts.collect();
        let part = |digest: [u8; 32]| {
            let found = parts.get(&Digest::from_bytes(digest));
            found.copied().ok_or_else(damaged)
        };
        let block = |digest| json::parse("block", part(digest)?);
        let pooled = |Pooled(event, turn, position, [lexical, dense, relevance, rank])| {
            Ok(RecallCandidate {
                event_id: EventId(event),
                turn: TurnIndex(turn),
                position: usize::try_from(position).map_err(|_| damaged())?,
                scores: Scores {
                    lexical,
                    dense,
                    relevance,
                    rank,
                    ..Scores::default()
                },
                tokens: MessageTokens::default(),
            })
        };
        Ok(Self {
            standing: Arc::new(Standing::read(part(call.standing)?)?),
            question: call.question,
            blocks: call.blocks.into_iter().map(block).collect::<Result<_>>()?,
            seen: call.seen,
            pool: call.pool.into_iter().map(pooled).collect::<Result<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifests::standing::Standings;

    #[test]
    fn what_was_given_survives_its_bytes() {
        let mut block = Block::evidence("b", "text").unwrap();
        block.source = Some("https://example.org".to_owned());
        let request = ContextRequest {
            blocks: vec![block.clone(), Block::evidence("c", "other").unwrap()],
            system: Some("Be brief.".to_owned()),
            ..ContextRequest::ask("Who?")
        };
        let seen = Seen {
            head: Some(TurnIndex(7)),
            open: vec![TurnIndex(3)],
            tail: Some((TurnIndex(8), 2)),
            undistilled: vec![TurnIndex(1)],
            covered: vec![TurnIndex(2)],
        };
        let pool = vec![RecallCandidate {
            event_id: EventId(12),
            turn: TurnIndex(4),
            position: 3,
            scores: Scores {
                lexical: Some(0.1),
                rank: Some(f32::MIN_POSITIVE),
                ..Scores::default()
            },
            tokens: MessageTokens::default(),
        }];
        let given = Given::new(
            Standings::default().of(&request, &[]),
            &request,
            request.blocks.clone(),
            seen,
            pool,
        );
        let inputs = given.inputs().unwrap();
        assert_eq!(inputs.parts.len(), 3);
        let read = Given::read(&inputs).unwrap();
        assert_eq!(read.question, "Who?");
        assert_eq!(read.blocks, request.blocks);
        assert_eq!((&read.seen, &read.pool), (&given.seen, &given.pool));
        assert_eq!(read.standing.system, request.system);
        let mut lacking = inputs.clone();
        lacking.parts.pop();
        assert_eq!(
            Given::read(&lacking).unwrap_err().kind(),
            ErrorKind::Corrupt
        );
        let other = CompilationInputs {
            call: vec![VERSION + 1],
            parts: Vec::new(),
        };
        assert_eq!(Given::read(&other).unwrap_err().kind(), ErrorKind::Invalid);
    }
}
