//! The six inputs of admission and what they are worth together: `2R + 2A + F + I − D − C`, each of 0 to 5, with the
//! weights of the policy.
//!
//! - **R**, relevance: 5 × the share of the question's highest BM25 that the text shown reaches, by the statistics of the
//!   blocks that the principal may see.
//! - **A**, authority: as the block has it.
//! - **F**, freshness: 5 for what was seen or came into force just now, half as much every 30 days; 2.5 where neither time
//!   is known.
//! - **I**, importance: as the block has it; else 5 for an order or a failed call, 3 for evidence, memories, packets and
//!   checkpoints, 2 for other results of tools and all else. A handle carries nothing: 0.
//! - **D**, duplication: 5 × the share of the text's word triples that were said before: by what stands in the context
//!   anyway, by a block of higher value, or by the text itself.
//! - **C**, cost: in steps of the token budget; 0 up to a 128th of it, 1 up to a 32nd, 2 up to a 16th, 3 up to an eighth,
//!   4 up to a quarter, 5 above.

use aura_core::{Block, BlockKind, Timestamp};

/// The highest value of each input.
const HIGHEST: f32 = 5.0;
/// Where nothing is known.
const MIDDLE: f32 = 2.5;
/// A block is half as fresh after this many days.
const HALF_LIFE_DAYS: f32 = 30.0;
/// Up to which part of the budget a cost of 0, 1, 2, 3, 4 goes.
const COST_STEPS: [u64; 5] = [128, 32, 16, 8, 4];

/// R, A, F, I, D, C, as manifests list them.
pub(crate) type Inputs = [f32; 6];

/// Which of the inputs count against a block.
const SIGNS: Inputs = [1.0, 1.0, 1.0, 1.0, -1.0, -1.0];

/// The weighted sum.
pub(crate) fn value(inputs: Inputs, weights: Inputs) -> f32 {
    let terms = inputs.into_iter().zip(weights).zip(SIGNS);
    terms.fold(0.0, |sum, ((input, weight), sign)| {
        sum + sign * weight * input
    })
}

/// A value as a share of the highest that the weights allow.
pub(crate) fn share(value: f32, weights: Inputs) -> f32 {
    let gains = weights
        .into_iter()
        .zip(SIGNS)
        .filter(|(_, sign)| *sign > 0.0);
    let highest = gains.fold(0.0, |sum, (weight, _)| sum + weight * HIGHEST);
    if highest > 0.0 {
        value / highest
    } else {
        value
    }
}

/// R of a relevance in [0, 1].
pub(crate) fn relevance(relevance: f32) -> f32 {
    HIGHEST * relevance
}

/// A of a block.
pub(crate) fn authority(block: &Block) -> f32 {
    f32::from(block.authority)
}

/// F of a block.
pub(crate) fn freshness(block: &Block, now: Timestamp) -> f32 {
    let Some(seen) = block.observed_at.max(block.effective_from) else {
        return MIDDLE;
    };
    let days = now.millis_since(seen).max(0) as f32 / 86_400_000.0;
    HIGHEST * (-days / HALF_LIFE_DAYS).exp2()
}

/// I of a block.
pub(crate) fn importance(block: &Block) -> f32 {
    use BlockKind::{Checkpoint, Evidence, Memory, Packet};
    if let Some(importance) = block.importance {
        return f32::from(importance);
    }
    match block.kind {
        kind if kind.is_order() || block.is_failure() => HIGHEST,
        Evidence | Memory | Packet | Checkpoint => 3.0,
        _ => 2.0,
    }
}

/// D of a share of repetitions.
pub(crate) fn duplication(repeated: f32) -> f32 {
    HIGHEST * repeated
}

/// C of a number of tokens.
pub(crate) fn cost(tokens: u32, budget: u32) -> f32 {
    let exceeds = |part: &&u64| u64::from(tokens) * **part > u64::from(budget);
    COST_STEPS.iter().take_while(exceeds).count() as f32
}

/// The value of a recalled message as a share of the highest, comparable with that of a block: what is not known of
/// messages counts as middling.
pub(crate) fn message_share(relevance: f32, weights: Inputs) -> f32 {
    let inputs = [HIGHEST * relevance, MIDDLE, MIDDLE, MIDDLE, 0.0, 0.0];
    share(value(inputs, weights), weights)
}

#[cfg(test)]
mod tests {
    use aura_core::{ContextPolicy, Payload, ToolOutput, Trust};

    use super::*;

    fn block() -> Block {
        Block::evidence("b", "x").unwrap()
    }

    #[test]
    fn the_worked_values_come_out() {
        let weights = ContextPolicy::default().weights;
        for (inputs, worth) in [
            ([5, 5, 5, 5, 0, 1], 29),
            ([5, 5, 4, 4, 0, 2], 26),
            ([4, 4, 5, 5, 1, 1], 24),
            ([1, 3, 1, 1, 4, 5], 1),
            ([2, 2, 2, 1, 5, 2], 4),
        ] {
            let inputs = inputs.map(|input| input as f32);
            assert_eq!(value(inputs, weights), worth as f32, "{inputs:?}");
        }
        assert_eq!(value([1.0; 6], [0.0, 0.0, 0.0, 0.0, 3.0, 4.0]), -7.0);
        assert_eq!(share(30.0, weights), 1.0);
        assert_eq!(share(-2.0, [0.0; 6]), -2.0);
    }

    #[test]
    fn freshness_halves_in_thirty_days() {
        let days = |days: i64| Some(Timestamp::from_millis_clamped(days * 86_400_000));
        let now = days(100).unwrap();
        let mut block = block();
        assert_eq!(freshness(&block, now), 2.5, "nothing is known");
        for (seen, fresh) in [(100, 5.0), (70, 2.5), (40, 1.25), (130, 5.0)] {
            block.observed_at = days(seen);
            assert!((freshness(&block, now) - fresh).abs() < 1e-4, "day {seen}");
        }
        block.observed_at = days(40);
        block.effective_from = days(70);
        assert!(
            (freshness(&block, now) - 2.5).abs() < 1e-4,
            "the later counts"
        );
    }

    #[test]
    fn importance_goes_by_kind_unless_it_is_given() {
        let mut block = block();
        for (kind, expected) in [
            (BlockKind::Evidence, 3.0),
            (BlockKind::Memory, 3.0),
            (BlockKind::ToolResult, 2.0),
            (BlockKind::Artifact, 2.0),
            (BlockKind::UserConstraint, 5.0),
        ] {
            block.kind = kind;
            assert_eq!(importance(&block), expected, "{kind}");
        }
        block.kind = BlockKind::ToolResult;
        block.payload = Payload::ToolResult(ToolOutput {
            tool: "t".into(),
            is_error: true,
            text: "x".into(),
        });
        assert_eq!(importance(&block), 5.0, "a failed call");
        block.importance = Some(1);
        assert_eq!(importance(&block), 1.0);
        block.trust = Trust::Verified;
        block.authority = 4;
        assert_eq!(authority(&block), 4.0);
    }

    #[test]
    fn cost_goes_by_steps_of_the_budget() {
        for (tokens, expected) in [
            (0, 0.0),
            (32, 0.0),
            (33, 1.0),
            (128, 1.0),
            (129, 2.0),
            (256, 2.0),
            (257, 3.0),
            (512, 3.0),
            (1024, 4.0),
            (1025, 5.0),
            (u32::MAX, 5.0),
        ] {
            assert_eq!(cost(tokens, 4096), expected, "{tokens}");
        }
        assert_eq!((cost(1, 0), cost(u32::MAX, u32::MAX)), (5.0, 5.0));
        assert_eq!((relevance(0.5), duplication(0.2)), (2.5, 1.0));
    }
}
