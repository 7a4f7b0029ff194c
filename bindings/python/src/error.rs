//! Errors as the exceptions of `context_engine.errors`.

use std::error::Error as StdError;

use aura::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The exception for an error: its class follows the kind, and the exception of a callback is its cause.
pub(crate) fn raise(py: Python<'_>, operation: &'static str, error: Error) -> PyErr {
    let error = if error.operation().is_empty() {
        error.during(operation)
    } else {
        error
    };
    exception(py, &error).unwrap_or_else(|failure| failure)
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let make = MAKE.get_or_try_init(py, || {
        let module = PyModule::import(py, "context_engine.errors")?;
        module.getattr("_make").map(Bound::unbind)
    })?;
    let fields = PyDict::new(py);
    fields.set_item("kind", error.kind().as_str())?;
    fields.set_item("code", error.kind().code())?;
    fields.set_item("message", error.message())?;
    fields.set_item("operation", error.operation())?;
    fields.set_item("field", error.field())?;
    fields.set_item("context", error.context().to_vec())?;
    let mut causes = Vec::new();
    let mut raised = None;
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        if let Some(exception) = cause.downcast_ref::<PyErr>() {
            raised = Some(exception.clone_ref(py));
        }
        next = cause.source();
    }
    fields.set_item("causes", causes)?;
    let value = make.bind(py).call((), Some(&fields))?;
    let exception = PyErr::from_value(value);
    exception.set_cause(py, raised);
    Ok(exception)
}

/// The error for a callback that raised. The engine may keep it for long, so its traceback becomes a text: the frames
/// would hold on to the engine, which no garbage collector can see through.
pub(crate) fn of_callback(py: Python<'_>, what: &'static str, exception: PyErr) -> Error {
    let parts = (exception.value(py), exception.traceback(py));
    let detached = PyModule::import(py, "context_engine.errors")
        .and_then(|module| module.getattr("_detached")?.call1(parts));
    let exception = detached.map_or_else(|failure| failure, PyErr::from_value);
    Error::new(ErrorKind::Callback, what).caused_by(exception)
}

/// The error for an argument that is wrong.
pub(crate) fn invalid(parameter: &str, problem: impl std::fmt::Display) -> Error {
    Error::invalid_field("argument", parameter, problem)
}
