//! Reading sessions, turns, messages, facts and manifests, all as JSON.

use aura::{
    AgentId, AsOf, BlockRef, EventId, EventRange, ManifestQuery, RequestId, SessionId,
    SessionQuery, Timestamp, TurnIndex, UserId, json,
};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde::Deserialize;

use crate::engine::Engine;
use crate::principal::{self, Principal};
use crate::{guard, inbound};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct SessionsForm {
    user: Option<UserId>,
    agent: Option<AgentId>,
    after: Option<SessionId>,
    limit: u32,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ManifestsForm {
    session_id: Option<SessionId>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    limit: u32,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct AsOfForm {
    valid: Option<Timestamp>,
    known: Option<Timestamp>,
}

type Asker<'a, 'py> = Option<&'a Bound<'py, Principal>>;

#[pymethods]
impl Engine {
    #[pyo3(signature = (principal, query))]
    fn sessions(&self, py: Python<'_>, principal: Asker<'_, '_>, query: &str) -> PyResult<String> {
        let principal = principal::of(principal);
        self.call(py, "sessions", |engine| {
            let form: SessionsForm = inbound::parse("query", Some(query))?;
            let query = SessionQuery {
                user: form.user,
                agent: form.agent,
                after: form.after,
                limit: form.limit,
            };
            json::to_string(&engine.sessions(&principal, &query)?)
        })
    }

    #[pyo3(signature = (principal, session_id))]
    fn session(
        &self,
        py: Python<'_>,
        principal: Asker<'_, '_>,
        session_id: &Bound<'_, PyString>,
    ) -> PyResult<String> {
        let (principal, session) = self.scope(py, "session", principal, session_id)?;
        self.call(py, "session", |engine| {
            json::to_string(&engine.session(&principal, &session)?)
        })
    }

    #[pyo3(signature = (principal, session_id, first, limit))]
    fn turns(
        &self,
        py: Python<'_>,
        principal: Asker<'_, '_>,
        session_id: &Bound<'_, PyString>,
        first: u32,
        limit: usize,
    ) -> PyResult<String> {
        let (principal, session) = self.scope(py, "turns", principal, session_id)?;
        self.call(py, "turns", |engine| {
            json::to_string(&engine.turns(&principal, &session, TurnIndex(first), limit)?)
        })
    }

    #[pyo3(signature = (principal, session_id, first_event, last_event))]
    fn messages(
        &self,
        py: Python<'_>,
        principal: Asker<'_, '_>,
        session_id: &Bound<'_, PyString>,
        first_event: u64,
        last_event: u64,
    ) -> PyResult<String> {
        let (principal, session) = self.scope(py, "messages", principal, session_id)?;
        let range = EventRange::new(EventId(first_event), EventId(last_event));
        self.call(py, "messages", |engine| {
            json::to_string(&engine.messages(&principal, &session, range)?)
        })
    }

    #[pyo3(signature = (principal, session_id, as_of))]
    fn facts(
        &self,
        py: Python<'_>,
        principal: Asker<'_, '_>,
        session_id: &Bound<'_, PyString>,
        as_of: &str,
    ) -> PyResult<String> {
        let (principal, session) = self.scope(py, "facts", principal, session_id)?;
        self.call(py, "facts", |engine| {
            let form: AsOfForm = inbound::parse("as_of", Some(as_of))?;
            let as_of = form.valid.or(form.known).map(|valid| AsOf {
                valid,
                known: form.known.unwrap_or(valid),
            });
            json::to_string(&engine.facts(&principal, &session, as_of)?)
        })
    }

    #[pyo3(signature = (principal, request_id))]
    fn manifest(
        &self,
        py: Python<'_>,
        principal: Asker<'_, '_>,
        request_id: &Bound<'_, PyString>,
    ) -> PyResult<String> {
        let principal = principal::of(principal);
        let request = guard::attached(py, "manifest", || request(request_id))?;
        self.call(py, "manifest", |engine| {
            json::to_string(&*engine.manifest(&principal, &request)?)
        })
    }

    #[pyo3(signature = (principal, query))]
    fn manifests(&self, py: Python<'_>, principal: Asker<'_, '_>, query: &str) -> PyResult<String> {
        let principal = principal::of(principal);
        self.call(py, "manifests", |engine| {
            let form: ManifestsForm = inbound::parse("query", Some(query))?;
            let query = ManifestQuery {
                session_id: form.session_id,
                since: form.since,
                until: form.until,
                limit: form.limit,
            };
            json::to_string(&engine.manifests(&principal, &query)?)
        })
    }

    #[pyo3(signature = (principal, request_id, block))]
    fn explain(
        &self,
        py: Python<'_>,
        principal: Asker<'_, '_>,
        request_id: &Bound<'_, PyString>,
        block: &str,
    ) -> PyResult<String> {
        let principal = principal::of(principal);
        let request = guard::attached(py, "explain", || request(request_id))?;
        self.call(py, "explain", |engine| {
            let block: BlockRef = block.parse()?;
            json::to_string(&engine.explain(&principal, &request, &block)?)
        })
    }
}

fn request(id: &Bound<'_, PyString>) -> aura::Result<RequestId> {
    RequestId::new(inbound::identifier(RequestId::FIELD, id)?.as_ref())
}
