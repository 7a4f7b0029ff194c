//! Facts by a model: asked in the background, waited for by nobody.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use aura_core::{Principal, Result};
use aura_engine::{ContextRequest, Engine, EngineOptions};
use aura_memory::{Model, ModelExtractor, ModelOptions};
use aura_storage::MemoryStorage;

use crate::setup::{Ticking, all_text, session};

const LONG: Duration = Duration::from_secs(30);

/// Answers once its gate is open.
#[derive(Default)]
struct Gated {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gated {
    fn release(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

impl Model for Gated {
    fn name(&self) -> &str {
        "gated"
    }

    fn complete(&self, _prompt: &str) -> Result<String> {
        let closed = self.open.lock().unwrap();
        let (_open, waited) = self
            .opened
            .wait_timeout_while(closed, LONG, |open| !*open)
            .unwrap();
        assert!(!waited.timed_out(), "nobody opened the gate");
        let add = r#"{"op":"add","text":"Keeps bees on the roof","subject":"user/bees"}"#;
        Ok(format!("[{add}]"))
    }
}

fn engine(model: &Arc<Gated>) -> Engine {
    let model: Arc<dyn Model> = model.clone();
    let options = EngineOptions {
        clock: Some(Arc::new(Ticking::default())),
        extractor: Some(Arc::new(ModelExtractor::new(
            model,
            ModelOptions::default(),
        ))),
        ..EngineOptions::default()
    };
    Engine::new(Arc::new(MemoryStorage::new()), options).unwrap()
}

#[test]
fn the_model_adds_facts_in_the_background() {
    let model = Arc::new(Gated::default());
    model.release();
    let engine = engine(&model);
    let (me, s) = (Principal::default(), session("s"));
    let said = "There is a hum above us, for we keep bees on the roof.";
    engine.record_exchange(&me, &s, said, "Lovely!").unwrap();
    engine.flush(LONG).unwrap();
    let facts = engine.facts(&me, &s, None).unwrap();
    assert!(
        facts
            .iter()
            .any(|fact| fact.text == "Keeps bees on the roof"),
        "{facts:?}"
    );
}

#[test]
fn no_read_and_no_write_waits_for_the_model() {
    let model = Arc::new(Gated::default());
    let engine = engine(&model);
    let (me, s) = (Principal::default(), session("s"));
    for n in 0..3 {
        let said = format!("I live in Oslo and I have a cat called Miso{n}.");
        engine.record_exchange(&me, &s, &said, "Lovely!").unwrap();
        let request = ContextRequest::ask("Where do I live?");
        let context = engine.build_context(&me, &s, &request).unwrap();
        assert!(all_text(&context).contains("Oslo"));
        assert!(!engine.facts(&me, &s, None).unwrap().is_empty());
    }
    // All of that was done while the model, if it was asked, had not answered.
    model.release();
    engine.close().unwrap();
}
