//! Choosing tools: the time from a question to the tools that are offered.
#![expect(clippy::expect_used, reason = "a bench stops at the first surprise")]
#![expect(clippy::indexing_slicing, reason = "within bounds by construction")]

use std::sync::Arc;

use aura_assembly::Meter;
use aura_assembly::tools::{OfferRequest, ToolList, ToolRegistry, Toolbox, offer};
use aura_core::{ContextPolicy, Trust};
use aura_testkit::zipf::ZipfCorpus as Words;
use aura_text::BuiltinCounter;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use serde_json::json;

/// Tools of a server.
const OF_SERVER: usize = 20;

/// A toolbox with as many tools as asked for: names of three words, descriptions of 20, four parameters, words as rare
/// and as common as in English.
fn toolbox(tools: usize) -> Arc<Toolbox> {
    let mut words = Words::new(7);
    let mut registry = ToolRegistry::default();
    for server in 0..tools.div_ceil(OF_SERVER) {
        let list = (0..OF_SERVER).map(|tool| {
            let parameter = |words: &mut Words| {
                (
                    words.turn(1),
                    json!({"type": "string", "description": words.turn(6)}),
                )
            };
            let parameters: serde_json::Map<_, _> = (0..4).map(|_| parameter(&mut words)).collect();
            json!({
                "name": format!("{}_{tool}", words.turn(3).replace(' ', "_")),
                "description": words.turn(20),
                "inputSchema": {"type": "object", "properties": parameters},
            })
        });
        let list = serde_json::Value::from_iter(list).to_string();
        let list = ToolList::from_json(list.as_bytes()).expect("a list of tools");
        let name = format!("server-{server}");
        registry
            .replace(&name, Trust::Untrusted, &list)
            .expect("a server");
    }
    registry.toolbox()
}

fn select(c: &mut Criterion) {
    let mut group = c.benchmark_group("tools/select");
    for tools in [1_000, 10_000] {
        let toolbox = toolbox(tools);
        let mut words = Words::new(11);
        let questions: Vec<String> = (0..64).map(|_| words.turn(18)).collect();
        let policy = ContextPolicy {
            tool_top_k: 10,
            ..ContextPolicy::default()
        };
        let meter = Meter::new(Arc::new(BuiltinCounter::O200kBase));
        let mut at = 0;
        group.bench_function(BenchmarkId::from_parameter(tools), |b| {
            b.iter(|| {
                at = (at + 1) % questions.len();
                let request = OfferRequest {
                    toolbox: &toolbox,
                    groups: &[],
                    policy: &policy,
                    question: &questions[at],
                    cosines: None,
                    plan: None,
                };
                offer(&request, &meter).expect("an offer")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, select);
criterion_main!(benches);
