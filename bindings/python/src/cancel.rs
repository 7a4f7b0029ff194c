//! Stopping calls from another thread.

use pyo3::prelude::*;

use crate::live::{Kind, Live};

/// Stops every call that was given it; any thread may trigger it.
#[pyclass(frozen, module = "context_engine")]
pub(crate) struct Cancel {
    pub(crate) flag: aura::Cancel,
    _live: Live,
}

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Self {
        Self {
            flag: aura::Cancel::new(),
            _live: Live::new(Kind::Cancel),
        }
    }

    /// Stops the calls that carry this token, those to come too.
    fn cancel(&self) {
        self.flag.cancel();
    }

    /// Whether it was triggered.
    #[getter]
    fn cancelled(&self) -> bool {
        self.flag.is_cancelled()
    }
}
