//! The same inputs give the same bytes in another process, and on any number of threads.

use std::process::Command;
use std::sync::Arc;

use aura_assembly::render;
use aura_core::{Block, ContextPolicy, Digest, PolicyMode, Principal, Provider, RecallForm};
use aura_engine::{ContextRequest, Engine};
use aura_storage::MemoryStorage;

use crate::setup::{options, session};

/// Tells a process of how many threads it compiles on.
const THREADS: &str = "AURA_TEST_THREADS";
/// What stands before each line of its answer.
const MARK: &str = "same-bytes ";

const PROVIDERS: [Provider; 5] = [
    Provider::Generic,
    Provider::Openai,
    Provider::OpenaiResponses,
    Provider::Anthropic,
    Provider::Gemini,
];
const MODES: [PolicyMode; 4] = [
    PolicyMode::PrioritySelective,
    PolicyMode::FullHistory,
    PolicyMode::Windowed,
    PolicyMode::WindowSummary,
];
const QUESTIONS: [&str; 3] = [
    "Where do I live now?",
    "Which lamp is in room 2, and who bought lamp 7?",
    "船は赤い?",
];

fn engine() -> Engine {
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options()).unwrap();
    for at in 0..60 {
        let text = match at {
            3 => "I live in Oslo and I have two cats, Miso and Nori.".to_owned(),
            20 => "船は赤い。 Привет, мир.".to_owned(),
            41 => "I just moved to Berlin.".to_owned(),
            _ => format!("Lamp {at} stands in room {}; Dalia bought it.", at % 5),
        };
        engine
            .record_exchange(&Principal::default(), &session("chat"), &text, "Noted.")
            .unwrap();
    }
    engine
}

fn requests() -> Vec<ContextRequest> {
    let mut out = Vec::new();
    for provider in PROVIDERS {
        for mode in MODES {
            for (at, question) in QUESTIONS.into_iter().enumerate() {
                let forms = [RecallForm::Excerpts, RecallForm::Messages];
                out.push(ContextRequest {
                    provider,
                    system: Some("Be brief.".to_owned()),
                    blocks: vec![
                        Block::evidence("a", "Lamp 7 was bought in Lisbon.").unwrap(),
                        Block::evidence("b", "Room 2 has no lamp.").unwrap(),
                    ],
                    ..ContextRequest::ask(question).with_policy(ContextPolicy {
                        mode,
                        token_budget: [300, 700, 4096][at],
                        recall_form: forms[at % 2],
                        ..ContextPolicy::default()
                    })
                });
            }
        }
    }
    out
}

/// The digest of each request's bytes, in order, compiled on so many threads at once.
fn compile_all(threads: usize) -> Vec<String> {
    let (engine, requests) = (engine(), requests());
    let one = |request: &ContextRequest| {
        let context = engine
            .build_context(&Principal::default(), &session("chat"), request)
            .unwrap();
        let body = render::request_json(&context).unwrap();
        format!(
            "{} {}",
            Digest::of(body.as_bytes()),
            context.manifest.digest
        )
    };
    let share = |nth: usize| {
        let own = requests.iter().enumerate().skip(nth).step_by(threads);
        own.map(|(at, request)| (at, one(request)))
            .collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, String)> = std::thread::scope(|scope| {
        let share = &share;
        let running: Vec<_> = (0..threads)
            .map(|nth| scope.spawn(move || share(nth)))
            .collect();
        let done = running.into_iter();
        done.flat_map(|thread| thread.join().unwrap()).collect()
    });
    all.sort();
    all.into_iter().map(|(_, digests)| digests).collect()
}

#[test]
#[ignore = "run by the other test, in a process of its own"]
fn child() {
    let threads = std::env::var(THREADS).unwrap().parse().unwrap();
    for line in compile_all(threads) {
        println!("{MARK}{line}");
    }
}

#[test]
fn processes_and_threads_make_no_difference() {
    let here = compile_all(1);
    assert_eq!(here.len(), requests().len());
    for threads in [1, 8] {
        let answer = Command::new(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "--nocapture",
                "concurrency::same_bytes::child",
            ])
            .env(THREADS, threads.to_string())
            .output()
            .unwrap();
        assert!(answer.status.success(), "{answer:?}");
        let said = String::from_utf8(answer.stdout).unwrap();
        let there: Vec<&str> = said
            .lines()
            .filter_map(|line| line.split_once(MARK).map(|(_, digests)| digests))
            .collect();
        assert_eq!(there, here, "{threads} threads");
    }
}
