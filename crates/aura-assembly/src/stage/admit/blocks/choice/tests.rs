use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::*;

/// Every combination of forms, tried.
fn exact(groups: &[Vec<Choice>], room: u32) -> f32 {
    let Some((forms, rest)) = groups.split_first() else {
        return 0.0;
    };
    let fitting = forms.iter().filter(|form| form.tokens <= room);
    fitting.fold(exact(rest, room), |best, form| {
        best.max(form.value + exact(rest, room - form.tokens))
    })
}

fn some_groups(tokens: u32) -> impl Strategy<Value = Vec<Vec<Choice>>> {
    let form = (1..tokens, -5.0_f32..30.0).prop_map(|(tokens, value)| Choice { tokens, value });
    prop::collection::vec(prop::collection::vec(form, 1..4), 1..9)
}

/// The average share of the optimum over many cases of one scale, and that of the greedy walk.
fn shares(scale: u32) -> (f32, f32, f32) {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut sum, mut worst, mut walk, mut cases) = (0.0, 1.0_f32, 0.0, 0.0);
    while cases < 400.0 {
        let strategy = (some_groups(scale), scale..scale * 3);
        let (groups, room) = strategy.new_tree(&mut runner).unwrap().current();
        let best = exact(&groups, room);
        if best <= 0.0 {
            continue;
        }
        let chosen = choose(&groups, room);
        assert!(tokens(&groups, &chosen) <= u64::from(room));
        let share = worth(&groups, &chosen) / best;
        sum += share;
        worst = worst.min(share);
        walk += worth(&groups, &super::walk(&groups, room)) / best;
        cases += 1.0;
    }
    (sum / cases, worst, walk / cases)
}

#[test]
fn small_cases_reach_the_optimum() {
    let (average, worst, walk) = shares(600);
    assert!(average > 0.9999 && worst > 0.999, "{average} {worst}");
    assert!(walk < 0.98, "the cases are too easy to tell: {walk}");
}

#[test]
fn large_rooms_come_near_it() {
    let (average, worst, _) = shares(90_000);
    assert!(average > 0.99 && worst > 0.9, "{average} {worst}");
}

#[test]
fn what_is_worth_nothing_is_not_chosen() {
    let form = |tokens, value| Choice { tokens, value };
    let groups = vec![
        vec![form(1, 0.0), form(1, -1.0)],
        vec![form(9, 3.0), form(4, 3.0), form(2, 1.0)],
        vec![],
    ];
    assert_eq!(choose(&groups, 100), [None, Some(1), None]);
    assert_eq!(choose(&groups, 3), [None, Some(2), None]);
    assert_eq!(choose(&groups, 0), [None, None, None]);
    assert_eq!(choose(&[], 10), Vec::<Option<usize>>::new());
}

#[test]
fn many_blocks_take_coarser_steps() {
    let form = |tokens, value| Choice { tokens, value };
    let groups: Vec<Vec<Choice>> = (0..5_000)
        .map(|at| vec![form(20 + at % 50, 1.0 + (at % 7) as f32)])
        .collect();
    let chosen = choose(&groups, 10_000);
    assert!(tokens(&groups, &chosen) <= 10_000);
    // What could be reached if the last of them could be cut.
    let mut dense: Vec<Choice> = groups.iter().flatten().copied().collect();
    dense.sort_by(|a, b| (b.value / b.tokens as f32).total_cmp(&(a.value / a.tokens as f32)));
    let (mut left, mut bound) = (10_000.0_f32, 0.0);
    for form in dense {
        let part = (left / form.tokens as f32).min(1.0);
        bound += part * form.value;
        left -= part * form.tokens as f32;
    }
    assert!(worth(&groups, &chosen) >= 0.98 * bound);
}
