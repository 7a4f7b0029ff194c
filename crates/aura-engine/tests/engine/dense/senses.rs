//! An embedder that knows a few synonyms, and does whatever else it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aura_core::{
    Calibration, CompiledContext, ContextPolicy, Embedder, Error, ErrorKind, Principal, Result,
    Storage,
};
use aura_engine::{ContextRequest, Engine, EngineOptions};
use parking_lot::{Condvar, Mutex};

use crate::setup::session;

/// Words that mean the same.
const SENSES: [&[&str]; 4] = [
    &["car", "automobile", "vehicle"],
    &["cat", "kitten", "feline"],
    &["sea", "ocean"],
    &["poison"],
];

/// How it behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mood {
    #[default]
    Well,
    /// Waits until it is told to be in another mood.
    Hangs,
    Fails(ErrorKind),
    Panics,
}

#[derive(Default)]
struct Moods {
    messages: Mood,
    questions: Mood,
}

/// Vectors of a number a sense, and one for all other words.
pub(super) struct Senses {
    model: String,
    moods: Mutex<Moods>,
    changed: Condvar,
    pub(super) messages: AtomicUsize,
    pub(super) questions: AtomicUsize,
}

impl Senses {
    pub(super) fn new(model: &str) -> Arc<Self> {
        Arc::new(Self {
            model: model.to_owned(),
            moods: Mutex::default(),
            changed: Condvar::new(),
            messages: AtomicUsize::new(0),
            questions: AtomicUsize::new(0),
        })
    }

    pub(super) fn set(&self, messages: Mood, questions: Mood) {
        *self.moods.lock() = Moods {
            messages,
            questions,
        };
        self.changed.notify_all();
    }

    fn obey(&self, mood: fn(&Moods) -> Mood) -> Result<()> {
        let mut moods = self.moods.lock();
        while mood(&moods) == Mood::Hangs {
            self.changed.wait(&mut moods);
        }
        match mood(&moods) {
            Mood::Fails(kind) => Err(Error::new(kind, "the host's embedder failed")),
            Mood::Panics => {
                drop(moods);
                panic!("the host's embedder panics, as the test wants it to")
            }
            Mood::Well | Mood::Hangs => Ok(()),
        }
    }

    fn vector(text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; SENSES.len() + 1];
        for word in text
            .to_lowercase()
            .split(|letter: char| !letter.is_alphabetic())
        {
            let sense = SENSES.iter().position(|words| words.contains(&word));
            vector[sense.unwrap_or(SENSES.len())] += if sense.is_some() { 3.0 } else { 0.1 };
        }
        vector
    }
}

impl Embedder for Senses {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimension(&self) -> usize {
        SENSES.len() + 1
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.obey(|moods| moods.messages)?;
        if texts.iter().any(|text| text.contains("poison")) {
            return Err(Error::new(
                ErrorKind::Invalid,
                "one of the texts is no text",
            ));
        }
        self.messages.fetch_add(texts.len(), Ordering::SeqCst);
        Ok(texts.iter().map(|text| Self::vector(text)).collect())
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        self.obey(|moods| moods.questions)?;
        Ok(Self::vector(text))
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(Calibration {
            mean: 0.1,
            deviation: 0.1,
            related: 0.95,
        })
    }
}

/// An engine with this embedder.
pub(super) fn engine(storage: Arc<dyn Storage>, embedder: &Arc<Senses>) -> Engine {
    engine_with(storage, embedder, |_| {})
}

/// The same with more options.
pub(super) fn engine_with(
    storage: Arc<dyn Storage>,
    embedder: &Arc<Senses>,
    more: impl FnOnce(&mut EngineOptions),
) -> Engine {
    let mut options = EngineOptions {
        embedder: Some(Arc::clone(embedder) as _),
        ..EngineOptions::default()
    };
    more(&mut options);
    Engine::new(storage, options).unwrap()
}

/// Something about a car and a kitten, and then enough of nothing to leave the window.
pub(super) fn conversation(engine: &Engine) {
    say(engine, "I bought a red car in Turin.", "It suits you.");
    say(engine, "Our kitten sleeps on the stove.", "How sweet.");
    for at in 0..6 {
        say(
            engine,
            &format!("Filler number {at} about nothing."),
            "Right.",
        );
    }
}

pub(super) fn say(engine: &Engine, user: &str, assistant: &str) {
    let me = Principal::default();
    engine
        .record_exchange(&me, &session("chat"), user, assistant)
        .unwrap();
}

pub(super) fn ask(engine: &Engine, question: &str) -> CompiledContext {
    ask_within(engine, question, None)
}

pub(super) fn ask_within(
    engine: &Engine,
    question: &str,
    deadline: Option<Duration>,
) -> CompiledContext {
    let policy = ContextPolicy {
        // Facts say it too.
        facts_enabled: false,
        ..ContextPolicy::default()
    };
    let request = ContextRequest {
        deadline,
        ..ContextRequest::ask(question).with_policy(policy)
    };
    engine
        .build_context(&Principal::default(), &session("chat"), &request)
        .unwrap()
}

pub(super) const LONG: Duration = Duration::from_secs(60);
