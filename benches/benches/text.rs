//! Analysing and counting turns of 60 words, each against a peer on the same text: tantivy's English tokenizer chain, and
//! the `tiktoken` crate, the fastest counter there is.
//!
//! `AURA_DATA` may name a folder of recorded conversations; their messages are then measured beside the Zipf corpus.
#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use std::hint::black_box;

use aura_testkit::zipf::ZipfCorpus;
use aura_text::{Analyzer, BuiltinCounter, Scratch};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tantivy::tokenizer::{
    Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
};

const TURNS: usize = 1_000;
const WORDS: usize = 60;

/// The corpora by name; each text is one element of throughput.
fn corpora() -> Vec<(String, Vec<String>)> {
    let mut corpora = vec![("zipf".to_owned(), ZipfCorpus::new(1).turns(TURNS, WORDS))];
    let Some(data) = std::env::var_os("AURA_DATA") else {
        eprintln!("AURA_DATA is not set: only the Zipf corpus is measured");
        return corpora;
    };
    for folder in std::fs::read_dir(data).unwrap() {
        let folder = folder.unwrap();
        let Ok(lines) = std::fs::read_to_string(folder.path().join("messages.jsonl")) else {
            continue;
        };
        let texts = lines.lines().take(TURNS).map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).unwrap();
            message
                .get("text")
                .and_then(|text| text.as_str())
                .unwrap()
                .to_owned()
        });
        corpora.push((
            folder.file_name().to_string_lossy().into_owned(),
            texts.collect(),
        ));
    }
    corpora
}

fn analysis(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("analyse 1,000 texts");
    let analyzer = Analyzer::english();
    let mut scratch = Scratch::new();
    let mut tantivy = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(40))
        .filter(LowerCaser)
        .filter(StopWordFilter::new(Language::English).unwrap())
        .filter(Stemmer::new(Language::English))
        .build();
    for (name, texts) in corpora() {
        group.throughput(Throughput::Elements(texts.len() as u64));
        group.bench_function(BenchmarkId::new("aura", &name), |bencher| {
            bencher.iter(|| {
                let mut bytes = 0;
                for text in &texts {
                    analyzer.for_each_term(text, &mut scratch, |term| {
                        bytes += black_box(term.text).len()
                    });
                }
                bytes
            });
        });
        group.bench_function(BenchmarkId::new("tantivy", &name), |bencher| {
            bencher.iter(|| {
                let mut bytes = 0;
                for text in &texts {
                    let mut stream = tantivy.token_stream(text);
                    stream.process(&mut |token| bytes += black_box(token.text.as_str()).len());
                }
                bytes
            });
        });
    }
    group.finish();
}

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("count the tokens of 1,000 texts");
    for (name, texts) in corpora() {
        group.throughput(Throughput::Elements(texts.len() as u64));
        for counter in [BuiltinCounter::O200kBase, BuiltinCounter::Cl100kBase] {
            let vocabulary = counter.as_str();
            let peer = tiktoken::get_encoding(vocabulary).unwrap();
            for text in &texts {
                assert_eq!(counter.tokens(text) as usize, peer.count(text));
            }
            group.bench_function(
                BenchmarkId::new(format!("aura {vocabulary}"), &name),
                |bencher| {
                    bencher.iter(|| {
                        texts
                            .iter()
                            .map(|t| u64::from(counter.tokens(t)))
                            .sum::<u64>()
                    });
                },
            );
            group.bench_function(
                BenchmarkId::new(format!("tiktoken {vocabulary}"), &name),
                |bencher| {
                    bencher.iter(|| texts.iter().map(|t| peer.count(t) as u64).sum::<u64>());
                },
            );
        }
    }
    group.finish();
}

criterion_group!(benches, analysis, counting);
criterion_main!(benches);
