//! A real embedding model, alone and in an engine. The tests that need one name their reason to be ignored;
//! `cargo xtask test` runs them where there is a model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aura::{
    CompiledContext, ContextPolicy, ContextRequest, Embedder, Engine, EngineOptions, ErrorKind,
    Fastembed, FastembedOptions, OpenOptions, Outcome, Pooling, Principal, Section, SessionId,
};

#[test]
fn a_folder_without_a_model_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let load = |path: &Path| Fastembed::load(&FastembedOptions::new(path)).unwrap_err();
    for path in [folder.path(), &folder.path().join("none")] {
        let error = load(path);
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::NotFound, Some("folder"))
        );
    }
    std::fs::write(folder.path().join("model.onnx"), b"no model").unwrap();
    assert_eq!(load(folder.path()).field(), Some("folder"));
    std::fs::write(folder.path().join("tokenizer.json"), b"{}").unwrap();
    let error = load(folder.path());
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Invalid, Some("pooling"))
    );
    std::fs::write(
        folder.path().join("aura-model.json"),
        b"{\"pooling\": \"best\"}",
    )
    .unwrap();
    assert_eq!(load(folder.path()).kind(), ErrorKind::Corrupt);
}

#[test]
fn an_absent_runtime_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.onnx"), b"no model").unwrap();
    std::fs::write(folder.path().join("tokenizer.json"), b"{}").unwrap();
    for library in [
        folder.path().join("libnone.so"),
        folder.path().join("model.onnx"),
    ] {
        let options = FastembedOptions::new(folder.path())
            .pooling(Pooling::Mean)
            .library(library);
        let error = Fastembed::load(&options).unwrap_err();
        // Where another test of this process was first, the library is there already, and the model is what is wrong.
        assert!(
            matches!(error.field(), Some("library" | "folder")),
            "{error:?}"
        );
    }
}

/// What needs a real model.
mod with_model {
    use super::*;

    const LONG: Duration = Duration::from_secs(120);

    fn folder() -> PathBuf {
        let folder = std::env::var_os(aura::MODEL_VARIABLE);
        folder
            .expect("AURA_EMBED_MODEL_DIR names the folder of a model")
            .into()
    }

    fn model() -> Fastembed {
        Fastembed::load(&FastembedOptions::new(folder())).unwrap()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        product(a, b) / (product(a, a) * product(b, b)).sqrt()
    }

    #[test]
    #[ignore = "needs the model of `cargo xtask fetch-model` in AURA_EMBED_MODEL_DIR"]
    fn a_text_has_the_same_vector_alone_and_among_others() {
        let model = model();
        let texts = [
            "My cat sleeps.",
            "",
            "A much longer text about the weather in Oslo, which is wet.",
            "猫",
            "👍",
        ];
        let together = model.embed(&texts).unwrap();
        for (text, vector) in texts.iter().zip(&together) {
            assert_eq!(vector.len(), model.dimension());
            assert!(vector.iter().all(|number| number.is_finite()));
            assert_eq!(&model.embed(&[text]).unwrap()[0], vector, "{text:?}");
            assert_eq!(&model.embed_query(text).unwrap(), vector, "{text:?}");
        }
        assert!(model.embed(&[]).unwrap().is_empty());
    }

    #[test]
    #[ignore = "needs the model of `cargo xtask fetch-model` in AURA_EMBED_MODEL_DIR"]
    fn what_means_the_same_is_near() {
        let model = model();
        assert!(
            model.model().starts_with("all-MiniLM-L6-v2-int8@"),
            "{}",
            model.model()
        );
        let question = model.embed_query("What are my hobbies?").unwrap();
        let vectors = model
            .embed(&[
                "I go fishing every weekend.",
                "The invoice is due on Friday.",
            ])
            .unwrap();
        assert!(cosine(&question, &vectors[0]) > cosine(&question, &vectors[1]) + 0.1);
        let calibration = model.calibration().unwrap();
        assert!(
            calibration.unrelated() > 0.0 && calibration.related < 1.0,
            "{calibration:?}"
        );
        assert!(cosine(&question, &vectors[1]) < calibration.unrelated());
    }

    #[test]
    #[ignore = "needs the model of `cargo xtask fetch-model` in AURA_EMBED_MODEL_DIR"]
    fn another_setting_is_another_model() {
        let plain = model();
        let other = FastembedOptions::new(folder())
            .prefixes("query: ", "passage: ")
            .max_tokens(64);
        let other = Fastembed::load(&other).unwrap();
        assert_ne!(plain.model(), other.model());
        let text = "The boat is painted vermilion.";
        assert_ne!(plain.embed(&[text]).unwrap(), other.embed(&[text]).unwrap());
        assert_ne!(
            other.embed(&[text]).unwrap()[0],
            other.embed_query(text).unwrap()
        );
    }

    #[test]
    #[ignore = "needs the model of `cargo xtask fetch-model` in AURA_EMBED_MODEL_DIR"]
    fn a_question_does_not_wait_for_a_long_batch() {
        let model = Arc::new(model());
        let long = "The weather in Oslo is wet and the buses are late. ".repeat(20);
        let (begun, has_begun) = std::sync::mpsc::channel();
        let worker = std::thread::spawn({
            let model = Arc::clone(&model);
            move || {
                begun.send(()).unwrap();
                let begin = Instant::now();
                model.embed(&vec![long.as_str(); 32]).unwrap();
                begin.elapsed()
            }
        });
        has_begun.recv().unwrap();
        let begin = Instant::now();
        for _ in 0..3 {
            model.embed_query("Where is the bus?").unwrap();
        }
        let question = begin.elapsed() / 3;
        let batch = worker.join().unwrap();
        assert!(question < batch / 3, "{question:?} of {batch:?}");
    }

    fn engine(path: &Path) -> Engine {
        let options = OpenOptions {
            engine: EngineOptions {
                embedder: aura::embedder_from_environment().unwrap(),
                ..EngineOptions::default()
            },
            ..OpenOptions::default()
        };
        aura::open_with(path, options).unwrap()
    }

    fn ask(engine: &Engine, question: &str) -> CompiledContext {
        let policy = ContextPolicy {
            facts_enabled: false,
            ..ContextPolicy::default()
        };
        let request = ContextRequest::ask(question).with_policy(policy);
        let chat = SessionId::new("chat").unwrap();
        engine
            .build_context(&Principal::default(), &chat, &request)
            .unwrap()
    }

    fn evidence(context: &CompiledContext) -> String {
        let messages = context.messages.iter();
        let evidence = messages.filter(|message| message.section == Section::Evidence);
        evidence.map(|message| message.content.as_str()).collect()
    }

    #[test]
    #[ignore = "needs the model of `cargo xtask fetch-model` in AURA_EMBED_MODEL_DIR"]
    fn an_engine_recalls_what_is_said_in_other_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let (me, chat) = (Principal::default(), SessionId::new("chat").unwrap());
        let first = engine(&path);
        for (user, assistant) in [
            ("On Sundays I go angling at the lake.", "Sounds peaceful."),
            ("The invoice of the plumber came today.", "Shall I file it?"),
            ("Our daughter starts school in autumn.", "How exciting!"),
            ("I cannot stand the smell of coffee.", "Noted."),
            ("Good morning!", "Good morning!"),
            ("Thanks.", "You are welcome."),
        ] {
            first.record_exchange(&me, &chat, user, assistant).unwrap();
        }
        first.flush(LONG).unwrap();
        for (question, answer) in [
            ("What are my hobbies?", "angling"),
            ("Which drink should nobody offer me?", "coffee"),
        ] {
            let context = ask(&first, question);
            assert!(
                evidence(&context).contains(answer),
                "{question} {}",
                evidence(&context)
            );
            assert_eq!(context.manifest.outcome, Outcome::Complete);
        }
        assert_eq!(
            evidence(&ask(&first, "How do quasars emit radio waves?")),
            ""
        );
        let before = ask(&first, "What are my hobbies?");
        first.close().unwrap();
        let second = engine(&path);
        let after = ask(&second, "What are my hobbies?");
        assert_eq!(after.manifest.candidates, before.manifest.candidates);
        second.close().unwrap();
    }
}
