//! Bodies of requests: the rules of their providers checked, and what breaks them mended.

use aura::{Provider, json};
use pyo3::prelude::*;

use crate::error::invalid;
use crate::{guard, inbound};

/// Checks the JSON body of a request; gives a JSON array of what breaks a rule.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, provider: &str, request: &str) -> PyResult<String> {
    guard::detached(py, "verify", || {
        let provider = ruled(provider)?;
        let violations =
            aura::verify(provider, request).map_err(|error| inbound::under("request", error))?;
        json::to_string(&violations)
    })
}

/// Mends the JSON body of a request; gives it and a JSON array of what was done.
#[pyfunction]
pub(crate) fn repair(py: Python<'_>, provider: &str, request: &str) -> PyResult<(String, String)> {
    guard::detached(py, "repair", || {
        let provider = ruled(provider)?;
        let repaired =
            aura::repair(provider, request).map_err(|error| inbound::under("request", error))?;
        Ok((repaired.request, json::to_string(&repaired.repairs)?))
    })
}

/// A provider that has rules.
fn ruled(name: &str) -> aura::Result<Provider> {
    match name.parse()? {
        Provider::Generic => Err(invalid("provider", "has no rules to check")),
        provider => Ok(provider),
    }
}
