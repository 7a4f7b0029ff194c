//! The rules of the providers: each is broken by one request and held by another, and repair mends what breaks it.

mod anthropic;
mod broken;
mod chat;
mod gemini;
mod mended;
mod rendered;
mod responses;

use std::collections::BTreeSet;

use aura_assembly::{Violation, repair, rules, verify};
use aura_core::{ErrorKind, Provider};

/// A rule, a request that breaks it at a place, and one beside it that holds it.
struct Case {
    rule: &'static str,
    path: &'static str,
    broken: String,
    held: String,
}

fn case(rule: &'static str, path: &'static str, broken: &str, held: &str) -> Case {
    Case {
        rule,
        path,
        broken: broken.to_owned(),
        held: held.to_owned(),
    }
}

fn all() -> Vec<(Provider, Vec<Case>)> {
    vec![
        (Provider::Openai, chat::cases()),
        (Provider::OpenaiResponses, responses::cases()),
        (Provider::Anthropic, anthropic::cases()),
        (Provider::Gemini, gemini::cases()),
    ]
}

fn found(provider: Provider, json: &str) -> Vec<Violation> {
    verify(provider, json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn every_rule_has_a_request_that_breaks_it() {
    for (provider, cases) in all() {
        let tested: BTreeSet<&str> = cases.iter().map(|case| case.rule).collect();
        let known: BTreeSet<&str> = rules(provider).iter().map(|rule| rule.id).collect();
        assert_eq!(tested, known);
        assert!(rules(provider).iter().all(|rule| !rule.demands.is_empty()));
    }
}

#[test]
fn what_breaks_a_rule_is_found_where_it_is_and_what_holds_it_is_clean() {
    for (provider, cases) in all() {
        for case in cases {
            let found = found(provider, &case.broken);
            let here = |one: &Violation| one.rule == case.rule && one.path == case.path;
            assert!(
                found.iter().any(here),
                "{} {found:?}\n{}",
                case.rule,
                case.broken
            );
            let held = self::found(provider, &case.held);
            assert_eq!(held, [], "{}\n{}", case.rule, case.held);
        }
    }
}

#[test]
fn repair_mends_what_is_broken_and_leaves_alone_what_is_not() {
    for (provider, cases) in all() {
        for case in cases {
            let mended = repair(provider, &case.broken).unwrap();
            assert_eq!(found(provider, &mended.request), [], "{}", mended.request);
            let did = |rule: &str| mended.repairs.iter().any(|repair| repair.rule == rule);
            assert!(did(case.rule), "{} {:?}", case.rule, mended.repairs);
            let resort =
                |repair: &aura_assembly::Repair| repair.did.contains("could not be mended");
            assert!(
                !mended.repairs.iter().any(resort),
                "{} {mended:?}",
                case.rule
            );
            let held = repair(provider, &case.held).unwrap();
            assert_eq!((held.request, held.repairs), (case.held, vec![]));
        }
    }
}

#[test]
fn what_cannot_be_checked_is_refused_by_field() {
    for (provider, json, field) in [
        (Provider::Anthropic, "", ""),
        (Provider::Anthropic, "[]", ""),
        (Provider::Anthropic, "{}", "messages"),
        (Provider::Anthropic, r#"{"messages":"Hi"}"#, "messages"),
        (Provider::Openai, r#"{"input":[]}"#, "messages"),
        (Provider::OpenaiResponses, r#"{"messages":[]}"#, "input"),
        (Provider::Gemini, r#"{"contents":{}}"#, "contents"),
        (Provider::Generic, r#"{"messages":[]}"#, "provider"),
        (
            Provider::Openai,
            r#"{"messages":[{"role":"user","id":"\ud800"}]}"#,
            "id",
        ),
    ] {
        let error = verify(provider, json).unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Invalid, Some(field)),
            "{json}"
        );
        assert_eq!(repair(provider, json).unwrap_err().field(), Some(field));
    }
    assert_eq!(found(Provider::OpenaiResponses, r#"{"input":"Hi"}"#), []);
}

/// `docs/provider-rules.md` has every rule with its words; set `UPDATE_GOLDEN` to write its tables anew.
#[test]
fn the_rules_are_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/provider-rules.md");
    let mut text = std::fs::read_to_string(path).unwrap();
    for (provider, _) in all() {
        let name = provider.as_str();
        let begin = format!("<!-- rules of {name} -->\n");
        let mut table = String::from("| rule | demands |\n| --- | --- |\n");
        for rule in rules(provider) {
            let demands = rule.demands.replace('|', "\\|");
            table.push_str(&format!("| **{}** | {demands} |\n", rule.id));
        }
        let at = text.find(&begin).unwrap() + begin.len();
        let end = at + text[at..].find("<!-- end -->").unwrap();
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            text.replace_range(at..end, &table);
            std::fs::write(path, &text).unwrap();
        } else {
            assert_eq!(text[at..end], table, "{path} differs on {name}");
        }
    }
}
