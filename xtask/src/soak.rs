//! `cargo xtask soak`: the long runs, for before a release or overnight.

use anyhow::Result;

use crate::fetch_model;
use crate::tally::Tally;
use crate::test::{self, Manner};
use crate::tools;

/// Random cases per property, against the 256 that proptest tries by itself.
const PROPERTY_CASES: &str = "20000";

/// Runs every Rust test in a release build, the ignored ones too, with `AURA_SOAK=1` (tests then
/// kill more, write more and take larger inputs) and many more random cases.
pub(crate) fn run() -> Result<Tally> {
    tools::require(&tools::OF_TESTS)?;
    fetch_model::for_tests()?;
    let model = fetch_model::at_hand()?;
    let mut harness_args = vec!["--include-ignored"];
    if model.is_none() {
        harness_args.extend(["--skip", "with_model::"]);
    }
    let model = model.unwrap_or_default();
    let mut tally = Tally::default();
    let manner = Manner {
        cargo_args: &["--release"],
        harness_args: &harness_args,
        environment: &[
            ("AURA_SOAK", "1"),
            ("PROPTEST_CASES", PROPERTY_CASES),
            (fetch_model::VARIABLE, &model.to_string_lossy()),
        ],
    };
    test::rust(&mut tally, manner)?;
    Ok(tally)
}
