//! `docs/manifest.schema.json` and the types say the same.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use aura_core::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn schema() -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/manifest.schema.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn golden() -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/manifest.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The names that serde knows, taken from what it says about one that it does not.
fn known<T: DeserializeOwned>(unknown: &Value) -> BTreeSet<String> {
    let text = unknown.to_string();
    let Err(error) = serde_json::from_str::<T>(&text) else {
        panic!("{text} was taken");
    };
    let said = error.to_string();
    let (_, names) = said.split_once(", expected ").unwrap();
    let names = names.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

fn fields<T: DeserializeOwned>() -> BTreeSet<String> {
    known::<T>(&json!({"?": 0}))
}

fn variants<T: DeserializeOwned>() -> BTreeSet<String> {
    known::<T>(&json!("?"))
}

#[track_caller]
fn has_fields<T: DeserializeOwned>(schema: &Value) {
    let properties = schema["properties"].as_object().unwrap();
    let properties: BTreeSet<String> = properties.keys().cloned().collect();
    assert_eq!(properties, fields::<T>());
    assert_eq!(schema["additionalProperties"], false);
}

#[track_caller]
fn has_variants<T: DeserializeOwned>(schema: &Value) {
    let listed = schema["enum"].as_array().unwrap().iter();
    let listed: BTreeSet<String> = listed.map(|name| name.as_str().unwrap().into()).collect();
    assert_eq!(listed, variants::<T>());
}

#[test]
fn every_field_and_variant_is_described() {
    let schema = schema();
    let of = |name: &str| &schema["$defs"][name];
    has_fields::<Manifest>(&schema);
    has_fields::<Principal>(of("principal"));
    has_fields::<EventRange>(of("events"));
    has_fields::<StageTime>(of("stage_time"));
    has_fields::<Totals>(of("totals"));
    has_fields::<CandidateRecord>(of("candidate"));
    has_fields::<Scores>(of("scores"));
    has_fields::<Signals>(of("signals"));
    has_fields::<RetrievalReceipt>(of("retrieval"));
    has_fields::<Skipped>(of("skipped"));
    has_fields::<SourceReceipt>(of("source"));
    has_fields::<CacheSegment>(of("segment"));
    has_fields::<CacheUse>(of("cache"));
    has_variants::<Compaction>(of("compaction"));
    has_variants::<PrefixMode>(&of("cache")["properties"]["prefix_mode"]);
    has_fields::<Coverage>(of("coverage"));
    has_fields::<PlanState>(of("plan"));
    has_fields::<ReasoningState>(of("reasoning"));

    has_fields::<FailureReceipt>(of("failure"));
    has_fields::<Link>(of("link"));
    has_fields::<OutcomeReport>(of("reported"));
    has_fields::<ToolEffect>(of("effect"));
    has_fields::<Usage>(of("usage"));
    has_variants::<Stage>(of("stage"));
    has_variants::<Class>(of("class"));
    has_variants::<BlockKind>(of("kind"));
    has_variants::<Fate>(of("fate"));
    has_variants::<Reason>(of("reason"));
    has_variants::<Replan>(of("replan"));
    has_variants::<Loss>(of("loss"));
    has_variants::<Effect>(&of("effect")["properties"]["effect"]);
    has_variants::<Provider>(&schema["properties"]["provider"]);
    has_variants::<Outcome>(&schema["properties"]["outcome"]);
    let modes = schema["properties"]["mode"]["enum"].as_array().unwrap();
    for mode in modes {
        let read: PolicyMode = serde_json::from_value(mode.clone()).unwrap();
        assert_eq!(mode, read.as_str());
    }
    let notices = of("notice")["oneOf"].as_array().unwrap();
    let names = |notice: &Value| notice["properties"]["notice"]["const"].clone();
    let listed: BTreeSet<String> = notices
        .iter()
        .map(|notice| names(notice).as_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, known::<Notice>(&json!({"notice": "?"})));
    for notice in notices {
        let mut told = fields_of_notice(&names(notice));
        told.insert("notice".to_owned());
        let properties = notice["properties"].as_object().unwrap();
        assert_eq!(properties.keys().cloned().collect::<BTreeSet<_>>(), told);
    }
}

fn fields_of_notice(name: &Value) -> BTreeSet<String> {
    known::<Notice>(&json!({"notice": name, "?": 0}))
}

#[test]
fn a_full_manifest_is_valid_and_a_wrong_one_is_not() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let full = golden();
    let errors: Vec<String> = validator
        .iter_errors(&full)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    let wrong = |path: &str, value: Value| {
        let mut manifest = full.clone();
        *manifest.pointer_mut(path).unwrap() = value;
        assert!(!validator.is_valid(&manifest), "{path}");
    };
    wrong("/request_id", json!(""));
    wrong("/candidates/0/block", json!("memory:1"));
    wrong("/candidates/0/fate", json!("forgotten"));
    wrong("/totals/tokens", json!(-1));
    wrong(
        "/notices/0",
        json!({"notice": "dropped-oldest-turns", "turns": 1, "text": "x"}),
    );
    wrong("/now", json!("yesterday"));
    for object in [
        "",
        "/totals",
        "/link",
        "/candidates/0",
        "/candidates/0/scores",
        "/retrieval",
    ] {
        let mut manifest = full.clone();
        let at = manifest.pointer_mut(object).unwrap();
        at["payload"] = json!("the text of a message");
        assert!(!validator.is_valid(&manifest), "{object}");
    }
    let mut lacking = full.clone();
    lacking.as_object_mut().unwrap().remove("digest");
    assert!(!validator.is_valid(&lacking));
}
