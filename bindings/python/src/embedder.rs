//! Embedders and token counters that are written in Python.

use aura::{Error, ErrorKind, Result};
use pyo3::prelude::*;

use crate::error::of_callback;
use crate::live::{Kind, Live};

/// An embedder of `context_engine.embeddings`, which has the attributes `model` and `dimension` and the methods
/// `embed_many` and `embed`.
pub(crate) struct Embedder {
    object: Py<PyAny>,
    model: String,
    dimension: usize,
    _live: Live,
}

impl Embedder {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            model: object.getattr("model")?.extract()?,
            dimension: object.getattr("dimension")?.extract()?,
            object: object.clone().unbind(),
            _live: Live::new(Kind::Callback),
        })
    }
}

impl aura::Embedder for Embedder {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        in_python("the embedder raised an exception", |py| {
            let vectors = self
                .object
                .bind(py)
                .call_method1("embed_many", (texts.to_vec(),))?;
            vectors.extract()
        })
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>> {
        in_python("the embedder raised an exception", |py| {
            self.object
                .bind(py)
                .call_method1("embed", (text,))?
                .extract()
        })
    }
}

/// A token counter: an object with the method `count_text`.
pub(crate) struct Counter {
    object: Py<PyAny>,
    name: String,
    _live: Live,
}

impl Counter {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            name: format!("python:{}", object.get_type().fully_qualified_name()?),
            object: object.clone().unbind(),
            _live: Live::new(Kind::Callback),
        })
    }
}

impl aura::TokenCounter for Counter {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&self, text: &str) -> Result<u32> {
        if text.is_empty() {
            return Ok(0);
        }
        in_python("the token counter raised an exception", |py| {
            self.object
                .bind(py)
                .call_method1("count_text", (text,))?
                .extract()
        })
    }
}

/// Takes the interpreter's lock for a callback.
fn in_python<T>(what: &'static str, body: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T> {
    let called = |py: Python<'_>| body(py).map_err(|exception| of_callback(py, what, exception));
    match Python::try_attach(called) {
        Some(result) => result,
        None => Err(Error::new(
            ErrorKind::Unavailable,
            "the interpreter is shutting down",
        )),
    }
}
