//! What blocks are worth together, and that what may not be seen changes none of it.

use std::collections::BTreeSet;

use aura_assembly::Compiled;
use aura_core::{Block, ContextPolicy, Fate, Label, Reason};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::ask::Ask;
use crate::world::{World, at};

/// A block of words that nothing else holds, so that it repeats nothing.
fn block(id: usize, words: usize, asked: bool) -> Block {
    let mut text = if asked {
        String::from("The lamp stands here.")
    } else {
        String::from("Nothing of the kind.")
    };
    for word in 0..words {
        text.push_str(&format!(" w{id}x{word}"));
    }
    let mut block = Block::evidence(&format!("b{id}"), text).unwrap();
    block.source = Some("https://example.org".into());
    block
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let one = (5..28_usize, any::<bool>(), 0..6_u8, 0..6_u8, 0..200_i64);
    prop::collection::vec(one, 6..13).prop_map(|all| {
        all.into_iter()
            .enumerate()
            .map(|(id, (words, asked, authority, importance, days))| {
                let mut block = block(id, words, asked);
                block.authority = authority;
                block.importance = Some(importance);
                let now = at("2024-05-05T09:00:00Z").as_millis();
                block.observed_at = Some(aura_core::Timestamp::from_millis_clamped(
                    now - days * 86_400_000,
                ));
                block
            })
            .collect()
    })
}

/// A question with so long a system prompt that a part of the blocks finds room; every block is cheap, so that it is
/// offered whole or not at all.
fn tight(blocks: Vec<Block>, room: u32) -> Ask {
    let mut ask = Ask::new("Where does the lamp stand?").budget(4096);
    let filler = 4096_u32.saturating_sub(room + 60);
    ask.system = Some("so ".repeat(usize::try_from(filler).unwrap()));
    ask.blocks = blocks;
    ask
}

/// The blocks of a context: tokens, value by the weights of the policy, and whether it stands.
fn offers(compiled: &Compiled, policy: &ContextPolicy) -> Vec<(u32, f32, bool)> {
    let records = compiled.context.manifest.candidates.iter();
    let scored = records.filter_map(|record| {
        let inputs = record.scores.admission?;
        assert_ne!(record.fate, Fate::ReplacedByHandle);
        let signs = [1.0, 1.0, 1.0, 1.0, -1.0, -1.0];
        let terms = inputs.iter().zip(policy.weights).zip(signs);
        let value = terms
            .map(|((input, weight), sign)| input * weight * sign)
            .sum();
        Some((record.tokens, value, record.fate == Fate::Selected))
    });
    scored.collect()
}

/// The most that any choice within `room` is worth: every choice, tried.
fn exact(offers: &[(u32, f32, bool)], room: u32) -> f32 {
    (0_u32..1 << offers.len()).fold(0.0, |best, choice| {
        let taken = offers.iter().enumerate();
        let taken = taken.filter(|(at, _)| choice >> at & 1 == 1);
        let (tokens, value) = taken.fold((0, 0.0), |(tokens, value), (_, offer)| {
            (tokens + offer.0, value + offer.1)
        });
        if tokens <= room && value > best {
            value
        } else {
            best
        }
    })
}

#[test]
fn what_stands_is_worth_nearly_what_any_choice_could_be() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = (blocks(), 150..700_u32);
    let (mut sum, mut cases, mut left_out) = (0.0, 0.0, 0);
    while cases < 120.0 {
        let (blocks, room) = strategy.new_tree(&mut runner).unwrap().current();
        let ask = tight(blocks, room);
        let compiled = ask.compile(&World::new());
        let totals = compiled.context.manifest.totals;
        assert!(compiled.context.manifest.over_budget.is_none());
        let offers = offers(&compiled, &ask.policy);
        let stands = offers.iter().filter(|offer| offer.2);
        let (tokens, value) = stands.fold((0, 0.0), |(tokens, value), offer| {
            (tokens + offer.0, value + offer.1)
        });
        if value <= 0.0 {
            continue;
        }
        // What blocks took, and what is left over.
        let best = exact(&offers, tokens + totals.budget - totals.tokens);
        assert!(value <= best * 1.0001, "{value} {best}");
        sum += value / best;
        cases += 1.0;
        left_out += usize::from(offers.iter().any(|offer| !offer.2 && offer.1 > 0.0));
    }
    assert!(sum / cases >= 0.98, "{}", sum / cases);
    assert!(left_out > 60, "the room is too large to tell: {left_out}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: crate::cases(64),
        ..ProptestConfig::default()
    })]

    #[test]
    fn blocks_that_may_not_be_seen_change_no_score_by_a_bit(
        mine in blocks(),
        theirs in blocks(),
        places in prop::collection::vec(any::<prop::sample::Index>(), 13),
        room in 150..1500_u32,
    ) {
        let alone = tight(mine.clone(), room);
        let mut crowded = tight(mine, room);
        for (at, (mut block, place)) in theirs.into_iter().zip(places).enumerate() {
            block.block_id = format!("x{at}").parse().unwrap();
            if at % 2 == 0 {
                block.labels = BTreeSet::from([Label::new("staff").unwrap()]);
            } else {
                block.expires_at = Some(crowded.now);
            }
            let place = place.index(crowded.blocks.len() + 1);
            crowded.blocks.insert(place, block);
        }
        let (a, b) = (alone.compile(&World::new()), crowded.compile(&World::new()));
        prop_assert_eq!(&a.context.messages, &b.context.messages);
        let seen = |compiled: &Compiled| -> Vec<_> {
            let records = compiled.context.manifest.candidates.iter();
            let passed = records.filter(|record| {
                !matches!(record.reason, Reason::Expired | Reason::LabelNotHeld)
            });
            passed.cloned().collect()
        };
        prop_assert_eq!(seen(&a), seen(&b));
    }
}
