//! How often a lexical search brings all evidence into a token budget.
//!
//! `cargo run --release -p aura-retrieval --example evidence -- DIR [POOL]`, where DIR holds `messages.jsonl` and
//! `questions.jsonl` with labelled evidence: one row of shares for BM25 alone and one for ranking by neighbours.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use aura_core::{
    AnalyzedMessage, EventId, EventRange, LexicalBackend, LexicalIndex, LexicalMessage,
    LexicalRequest, Timestamp, TurnIndex,
};
use aura_retrieval::Bm25Backend;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const BUDGETS: [u32; 4] = [512, 1024, 2048, 4096];
const SITTING_GAP: i64 = 6 * 60 * 60 * 1_000;

struct Conversation {
    index: Box<dyn LexicalIndex>,
    messages: Vec<String>,
    tokens: Vec<u32>,
}

fn rows(path: &Path) -> Result<Vec<Value>, Failure> {
    let lines = BufReader::new(File::open(path)?).lines();
    lines
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect()
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn load(directory: &Path, backend: &Bm25Backend) -> Result<HashMap<String, Conversation>, Failure> {
    let mut conversations: HashMap<String, Conversation> = HashMap::new();
    let mut analyzed = AnalyzedMessage::default();
    for row in rows(&directory.join("messages.jsonl"))? {
        let conversation = conversations
            .entry(text(&row, "conversation_id").to_owned())
            .or_insert_with(|| Conversation {
                index: backend.create(),
                messages: Vec::new(),
                tokens: Vec::new(),
            });
        conversation
            .messages
            .push(text(&row, "message_id").to_owned());
        let event = conversation.messages.len();
        let tokens = row.get("tokens").and_then(Value::as_u64).unwrap_or(0) as u32;
        conversation.tokens.push(tokens);
        let message = LexicalMessage {
            event_id: EventId(event as u64),
            turn: TurnIndex(event as u32),
            speaker: text(&row, "speaker"),
            text: text(&row, "text"),
            tokens,
            time: Timestamp::parse_lenient(text(&row, "timestamp")).ok(),
        };
        backend.analyze(&message, &mut analyzed);
        conversation.index.append(&analyzed)?;
    }
    Ok(conversations)
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let Some(directory) = arguments.next() else {
        return Err("usage: evidence DIR [POOL]".into());
    };
    let pool = arguments.next().map_or(Ok(64), |pool| pool.parse())?;
    let backend = Bm25Backend::default();
    let directory = Path::new(&directory);
    let conversations = load(directory, &backend)?;
    let questions = rows(&directory.join("questions.jsonl"))?;
    let visible = [EventRange::new(EventId(1), EventId(u64::MAX))];
    println!("{:24} all@{BUDGETS:?}, share@{BUDGETS:?}", "");
    for (name, neighbours) in [
        ("message alone", None),
        ("with neighbours", Some(SITTING_GAP)),
    ] {
        let (mut asked, mut all, mut share) = (0.0, [0.0; 4], [0.0; 4]);
        for question in questions
            .iter()
            .filter(|row| text(row, "category") != "adversarial")
        {
            let Some(conversation) = conversations.get(text(question, "conversation_id")) else {
                continue;
            };
            let gold: Vec<&str> = question
                .get("gold_message_ids")
                .and_then(Value::as_array)
                .map(|ids| ids.iter().filter_map(Value::as_str).collect())
                .unwrap_or_default();
            if gold.is_empty() {
                continue;
            }
            let found = conversation.index.search(&LexicalRequest {
                query: &backend.query(text(question, "text")),
                visible: &visible,
                limit: pool,
                room: None,
                corpus: None,
                neighbours,
                dense: None,
            });
            asked += 1.0;
            for (column, &budget) in BUDGETS.iter().enumerate() {
                let (mut used, mut hits) = (0, 0);
                for hit in &found.hits {
                    let place = hit.event_id.0 as usize - 1;
                    let cost = conversation.tokens.get(place).copied().unwrap_or(0);
                    if used + cost <= budget {
                        used += cost;
                        let id = conversation.messages.get(place).map_or("", String::as_str);
                        hits += usize::from(gold.contains(&id));
                    }
                }
                if let (Some(all), Some(share)) = (all.get_mut(column), share.get_mut(column)) {
                    *all += f64::from(u8::from(hits == gold.len()));
                    *share += hits as f64 / gold.len() as f64;
                }
            }
        }
        let percent = |sums: [f64; 4]| {
            sums.map(|sum| format!("{:.1}", 100.0 * sum / asked))
                .join(" ")
        };
        println!("{name:24} {} | {}", percent(all), percent(share));
    }
    Ok(())
}
