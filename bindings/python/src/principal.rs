//! Who is asking.

use aura::{AgentId, Label, Result, TenantId, UserId};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::guard;
use crate::inbound::identifier;

/// Who is asking: tenant, agent, user and the labels held. Immutable.
#[pyclass(frozen, eq, hash, module = "context_engine")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Principal {
    pub(crate) principal: aura::Principal,
}

#[pymethods]
impl Principal {
    #[new]
    #[pyo3(signature = (*, tenant = None, agent = None, user = None, labels = Vec::new()))]
    fn new(
        py: Python<'_>,
        tenant: Option<Bound<'_, PyString>>,
        agent: Option<Bound<'_, PyString>>,
        user: Option<Bound<'_, PyString>>,
        labels: Vec<Bound<'_, PyString>>,
    ) -> PyResult<Self> {
        guard::attached(py, "principal", || {
            let mut principal = aura::Principal::default();
            if let Some(tenant) = &tenant {
                principal.tenant = TenantId::new(identifier(TenantId::FIELD, tenant)?.as_ref())?;
            }
            if let Some(agent) = &agent {
                principal.agent = AgentId::new(identifier(AgentId::FIELD, agent)?.as_ref())?;
            }
            if let Some(user) = &user {
                principal.user = Some(UserId::new(identifier(UserId::FIELD, user)?.as_ref())?);
            }
            let labels = labels.iter();
            principal.labels = labels
                .map(|label| Label::new(identifier("labels", label)?.as_ref()))
                .collect::<Result<_>>()?;
            Ok(Self { principal })
        })
    }

    #[getter]
    fn tenant(&self) -> &str {
        self.principal.tenant.as_str()
    }

    #[getter]
    fn agent(&self) -> &str {
        self.principal.agent.as_str()
    }

    #[getter]
    fn user(&self) -> Option<&str> {
        self.principal.user.as_ref().map(|user| user.as_str())
    }

    #[getter]
    fn labels(&self) -> Vec<&str> {
        let labels = self.principal.labels.iter();
        labels.map(|label| label.as_str()).collect()
    }

    fn __repr__(&self) -> String {
        format!(
            "Principal(tenant={:?}, agent={:?}, user={:?}, labels={:?})",
            self.tenant(),
            self.agent(),
            self.user().unwrap_or("None"),
            self.labels()
        )
    }
}

/// The principal of a call; the default one where none was given.
pub(crate) fn of(given: Option<&Bound<'_, Principal>>) -> aura::Principal {
    given.map_or_else(aura::Principal::default, |given| {
        given.get().principal.clone()
    })
}
