use aura_text::BuiltinCounter;
use proptest::prelude::*;

use super::super::cap::{Capped, LEAST_CAP, cap};
use super::*;

const ADDRESS: &str = "event:12";

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        "[a-z ]{0,80}".prop_map(Value::from),
        "\\PC{0,40}".prop_map(Value::from),
        "(👩‍👩‍👧‍👦|e\u{301}|🇦🇹|ผู้|\r\n){0,30}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 160, 24, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..24).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,12}", inner, 0..16)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Checks that `small` is `whole` but for what it says is missing. `top` has the address.
fn counts_are_right(whole: &Value, small: &Value, top: bool) -> Result<(), TestCaseError> {
    match (whole, small) {
        (Value::Array(whole), Value::Array(small)) => {
            let end = small.len() - usize::from(top);
            let small = &small[..end];
            let at = small
                .iter()
                .position(|item| item.get(ITEMS).is_some() && item.as_object().unwrap().len() == 1);
            let Some(at) = at else {
                prop_assert_eq!(whole.len(), small.len());
                for (whole, small) in whole.iter().zip(small) {
                    counts_are_right(whole, small, false)?;
                }
                return Ok(());
            };
            let missing = small[at][ITEMS].as_u64().unwrap() as usize;
            prop_assert_eq!(small.len() - 1 + missing, whole.len());
            let (head, tail) = (&small[..at], &small[at + 1..]);
            for (whole, small) in whole.iter().zip(head) {
                counts_are_right(whole, small, false)?;
            }
            for (whole, small) in whole.iter().rev().zip(tail.iter().rev()) {
                counts_are_right(whole, small, false)?;
            }
        }
        (Value::Object(whole), Value::Object(small)) => {
            let mut small = small.clone();
            if top {
                prop_assert_eq!(small.remove(WHOLE), Some(Value::from(ADDRESS)));
            }
            let missing = small
                .remove(FIELDS)
                .map_or(0, |n| n.as_u64().unwrap() as usize);
            prop_assert_eq!(small.len() + missing, whole.len());
            for (key, small) in &small {
                counts_are_right(&whole[key], small, false)?;
            }
        }
        (Value::String(whole), Value::String(small)) => {
            let small = match top {
                true => small.strip_suffix(&format!(" [whole: {ADDRESS}]")).unwrap(),
                false => small,
            };
            if small == whole {
                return Ok(());
            }
            let marks = small.match_indices("…[").filter_map(|(at, mark)| {
                let (count, tail) = small[at + mark.len()..].split_once(" characters]…")?;
                Some((&small[..at], count.parse::<usize>().ok()?, tail))
            });
            let (head, missing, tail) = marks.last().unwrap();
            use unicode_segmentation::UnicodeSegmentation as _;
            let all: Vec<&str> = whole.graphemes(true).collect();
            let of = |text: &str| text.graphemes(true).count();
            // The parts stand at grapheme boundaries of the whole, so their graphemes add up.
            let (first, last) = (of(head), of(tail));
            prop_assert_eq!(first + missing + last, all.len());
            prop_assert_eq!(all[..first].concat(), head);
            prop_assert_eq!(all[all.len() - last..].concat(), tail);
        }
        (whole, small) => prop_assert_eq!(whole, small),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn any_value_fits_stays_json_and_says_what_is_missing(value in value(), limit in LEAST_CAP..400) {
        use aura_core::TokenCounter as _;
        let counter = BuiltinCounter::O200kBase;
        let text = value.to_string();
        match cap(&text, limit, ADDRESS, &counter).unwrap() {
            Capped::Whole => prop_assert!(counter.count(&text).unwrap() <= limit),
            Capped::Shorter(small) => {
                prop_assert!(counter.count(&small).unwrap() <= limit);
                let small: Value = serde_json::from_str(&small).unwrap();
                counts_are_right(&value, &small, true)?;
            }
            Capped::Address => prop_assert!(false, "at this cap something of any value stands"),
        }
        prop_assert_eq!(
            cap(&text, 1, ADDRESS, &counter).unwrap() == Capped::Whole,
            counter.count(&text).unwrap() <= 1
        );
    }
}

#[test]
fn a_list_keeps_its_ends() {
    let value: Value = (0..1000)
        .map(|n| Value::from(format!("item {n}")))
        .collect();
    let counter = BuiltinCounter::O200kBase;
    let Capped::Shorter(small) = cap(&value.to_string(), 100, ADDRESS, &counter).unwrap() else {
        panic!("it does not fit whole");
    };
    let small: Value = serde_json::from_str(&small).unwrap();
    assert_eq!(small[0], "item 0");
    let items = small.as_array().unwrap();
    assert_eq!(items[items.len() - 2], "item 999");
    assert!(items.len() > 10, "{small}");
}
