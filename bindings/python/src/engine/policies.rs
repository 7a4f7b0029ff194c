//! Versions of the tenant's policies, and artifacts.

use aura::{ArtifactHandle, Error, PolicyProposal, PolicyQuery, json};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serde::Deserialize;

use crate::engine::Engine;
use crate::principal::{self, Principal};
use crate::{guard, inbound};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct VersionsForm {
    subject: Option<String>,
    approved_only: bool,
    skip: u32,
    limit: u32,
}

#[pymethods]
impl Engine {
    #[pyo3(signature = (principal, proposal))]
    fn propose_policy(
        &self,
        py: Python<'_>,
        principal: Option<&Bound<'_, Principal>>,
        proposal: &str,
    ) -> PyResult<String> {
        let principal = principal::of(principal);
        self.call(py, "propose_policy", |engine| {
            let proposal = PolicyProposal::from_json(proposal.as_bytes())
                .map_err(|error| inbound::under("proposal", error))?;
            json::to_string(&engine.propose_policy(&principal, proposal)?)
        })
    }

    #[pyo3(signature = (principal, subject, version))]
    fn approve_policy(
        &self,
        py: Python<'_>,
        principal: Option<&Bound<'_, Principal>>,
        subject: &Bound<'_, PyString>,
        version: &Bound<'_, PyString>,
    ) -> PyResult<String> {
        let principal = principal::of(principal);
        let (subject, version) = guard::attached(py, "approve_policy", || {
            Ok((
                inbound::identifier("subject", subject)?.into_owned(),
                inbound::identifier("version", version)?.into_owned(),
            ))
        })?;
        self.call(py, "approve_policy", |engine| {
            json::to_string(&engine.approve_policy(&principal, &subject, &version)?)
        })
    }

    #[pyo3(signature = (principal, query))]
    fn policy_versions(
        &self,
        py: Python<'_>,
        principal: Option<&Bound<'_, Principal>>,
        query: &str,
    ) -> PyResult<String> {
        let principal = principal::of(principal);
        self.call(py, "policies", |engine| {
            let form: VersionsForm = inbound::parse("query", Some(query))?;
            let query = PolicyQuery {
                subject: form.subject,
                approved_only: form.approved_only,
                skip: form.skip,
                limit: form.limit,
            };
            json::to_string(&engine.policies(&principal, &query)?)
        })
    }

    #[pyo3(signature = (principal, handle))]
    fn read_artifact<'py>(
        &self,
        py: Python<'py>,
        principal: Option<&Bound<'py, Principal>>,
        handle: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let principal = principal::of(principal);
        let handle: ArtifactHandle = guard::attached(py, "read_artifact", || {
            let handle = inbound::identifier("handle", handle)?;
            handle
                .parse()
                .map_err(|error: Error| error.with_field("handle"))
        })?;
        let bytes = self.call(py, "read_artifact", |engine| {
            engine.read_artifact(&principal, &handle)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}
