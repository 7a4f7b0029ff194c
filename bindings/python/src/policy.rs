//! A policy, read and checked once.

use std::sync::Arc;

use aura::{ContextPolicy, json};
use pyo3::prelude::*;

use crate::guard;
use crate::live::{Kind, Live};

/// A checked policy.
#[pyclass(frozen, module = "context_engine._native")]
pub(crate) struct Policy {
    pub(crate) policy: Arc<ContextPolicy>,
    _live: Live,
}

#[pymethods]
impl Policy {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        guard::attached(py, "policy", || {
            Ok(Self {
                policy: Arc::new(ContextPolicy::from_json(text.as_bytes())?),
                _live: Live::new(Kind::Policy),
            })
        })
    }

    /// The whole policy, defaults included.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        guard::attached(py, "policy", || json::to_string(&*self.policy))
    }
}
