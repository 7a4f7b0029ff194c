//! The engine: opening and closing it, recording turns, compiling contexts.

mod policies;
mod read;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aura::{
    Analyzer, AnalyzerOptions, Bm25Backend, BuiltinCounter, ContextRequest, CorrelationId,
    Durability, EngineOptions, Error, ErrorKind, Language, OpenOptions, Provider, RecordRequest,
    Result, TurnStatus,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::cancel::Cancel;
use crate::context::Context;
use crate::embedder::{Counter, Embedder};
use crate::error::{invalid, raise};
use crate::live::{Kind, Live};
use crate::policy::Policy;
use crate::principal::{self, Principal};
use crate::{context, guard, inbound, turn};

/// An engine on one store; any thread may use it at any time.
#[pyclass(frozen, module = "context_engine._native")]
pub(crate) struct Engine {
    /// Taken out only when the handle goes.
    engine: Option<aura::Engine>,
    /// The call that panicked first, if one did.
    poison: OnceLock<&'static str>,
    /// The process that opened it: the engine's threads do not survive a fork.
    process: u32,
    _live: Live,
}

impl Engine {
    /// The engine, unless it cannot be used any more.
    fn usable(&self) -> Result<&aura::Engine> {
        if let Some(operation) = self.poison.get() {
            let message = "an earlier call on this engine panicked; open another";
            return Err(Error::new(ErrorKind::Internal, message).with("panicked", operation));
        }
        if self.process != std::process::id() {
            let message = "the engine was opened before a fork; open another in this process";
            return Err(Error::new(ErrorKind::Closed, message));
        }
        let gone = || Error::new(ErrorKind::Closed, "the engine is gone");
        self.engine.as_ref().ok_or_else(gone)
    }

    /// Runs a call without the interpreter's lock; a panic poisons the engine.
    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        operation: &'static str,
        body: impl FnOnce(&aura::Engine) -> Result<T> + Send,
    ) -> PyResult<T> {
        let engine = match self.usable() {
            Ok(engine) => engine,
            Err(error) => return Err(raise(py, operation, error)),
        };
        guard::detached(py, operation, || {
            let result = guard::caught(|| body(engine));
            if let Err(error) = &result
                && error.context().iter().any(|(key, _)| *key == "panicked_at")
            {
                // The first panic is the one that is remembered.
                let _ = self.poison.set(operation);
            }
            result
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let Some(engine) = self.engine.take() else {
            return;
        };
        if self.process == std::process::id() {
            guard::release(engine);
        } else {
            // Closing would wait for threads that this process does not have.
            std::mem::forget(engine);
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (path, *, durability, language, token_counter, counter, embedder, body_cache_bytes, sessions))]
    #[expect(clippy::too_many_arguments, reason = "only Python calls it, by name")]
    fn open(
        py: Python<'_>,
        path: Option<&Bound<'_, PyString>>,
        durability: &str,
        language: Option<&str>,
        token_counter: Option<&str>,
        counter: Option<Bound<'_, PyAny>>,
        embedder: Option<Bound<'_, PyAny>>,
        body_cache_bytes: usize,
        sessions: usize,
    ) -> PyResult<Self> {
        let mut parts = guard::attached(py, "open", || {
            let mut parts = EngineOptions {
                body_cache_bytes,
                sessions,
                ..EngineOptions::default()
            };
            if let Some(code) = language {
                parts.lexical = Some(Arc::new(lexical(code)?));
            }
            if let Some(name) = token_counter {
                let counter = BuiltinCounter::from_name(name)
                    .ok_or_else(|| invalid("token_counter", "is no built-in counter"))?;
                parts.counter = Some(Arc::new(counter));
            }
            Ok(parts)
        })?;
        if let Some(counter) = counter {
            parts.counter = Some(Arc::new(Counter::new(&counter)?));
        }
        if let Some(embedder) = embedder {
            parts.embedder = Some(Arc::new(Embedder::new(&embedder)?));
        }
        let path = guard::attached(py, "open", || {
            let path = path
                .map(|path| inbound::identifier("path", path))
                .transpose()?;
            match path {
                Some(path) if path.is_empty() => Err(invalid("path", "is empty")),
                Some(path) if path.contains('\0') => Err(invalid("path", "holds a NUL")),
                path => Ok(path.map(|path| path.into_owned())),
            }
        })?;
        let durability = durability_of(durability).map_err(|error| raise(py, "open", error))?;
        let engine = guard::detached(py, "open", || match path {
            Some(path) => aura::open_with(
                path,
                OpenOptions {
                    durability,
                    engine: parts,
                },
            ),
            None => aura::in_memory_with(parts),
        })?;
        Ok(Self {
            engine: Some(engine),
            poison: OnceLock::new(),
            process: std::process::id(),
            _live: Live::new(Kind::Engine),
        })
    }

    /// Waits until the work in the background is done, so many milliseconds at most.
    fn flush(&self, py: Python<'_>, timeout_ms: u64) -> PyResult<()> {
        self.call(py, "flush", |engine| {
            engine.flush(Duration::from_millis(timeout_ms))
        })
    }

    /// Refuses new calls and waits for those that run.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, "close", aura::Engine::close)
    }

    /// Records a turn, given as JSON.
    #[pyo3(signature = (principal, session_id, turn))]
    fn record_turn<'py>(
        &self,
        py: Python<'py>,
        principal: Option<&Bound<'py, Principal>>,
        session_id: &Bound<'py, PyString>,
        turn: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (principal, session) = self.scope(py, "record_turn", principal, session_id)?;
        let recorded = self.call(py, "record_turn", |engine| {
            engine.record_turn(
                &principal,
                &session,
                RecordRequest::from_json(turn.as_bytes())?,
            )
        })?;
        turn::fields(py, &recorded)
    }

    /// Records a question and its answer as a complete turn.
    #[pyo3(signature = (principal, session_id, user, assistant))]
    fn record_exchange<'py>(
        &self,
        py: Python<'py>,
        principal: Option<&Bound<'py, Principal>>,
        session_id: &Bound<'py, PyString>,
        user: &Bound<'py, PyString>,
        assistant: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (principal, session) = self.scope(py, "record_exchange", principal, session_id)?;
        let (user, assistant) = (inbound::content(user)?, inbound::content(assistant)?);
        let recorded = self.call(py, "record_exchange", |engine| {
            engine.record_exchange(&principal, &session, &user, &assistant)
        })?;
        turn::fields(py, &recorded)
    }

    /// Moves an open turn to `complete` or `failed`.
    #[pyo3(signature = (principal, session_id, turn_id, status))]
    fn finish_turn<'py>(
        &self,
        py: Python<'py>,
        principal: Option<&Bound<'py, Principal>>,
        session_id: &Bound<'py, PyString>,
        turn_id: &Bound<'py, PyString>,
        status: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (principal, session) = self.scope(py, "finish_turn", principal, session_id)?;
        let (turn, status) = guard::attached(py, "finish_turn", || {
            let status = match status {
                "complete" => TurnStatus::Complete,
                "failed" => TurnStatus::Failed,
                _ => return Err(invalid("status", "must be complete or failed")),
            };
            Ok((inbound::turn(turn_id)?, status))
        })?;
        let recorded = self.call(py, "finish_turn", |engine| {
            engine.finish_turn(&principal, &session, &turn, status)
        })?;
        turn::fields(py, &recorded)
    }

    /// Makes a turn the head of its session.
    #[pyo3(signature = (principal, session_id, turn_id))]
    fn set_head(
        &self,
        py: Python<'_>,
        principal: Option<&Bound<'_, Principal>>,
        session_id: &Bound<'_, PyString>,
        turn_id: &Bound<'_, PyString>,
    ) -> PyResult<()> {
        let (principal, session) = self.scope(py, "set_head", principal, session_id)?;
        let turn = guard::attached(py, "set_head", || inbound::turn(turn_id))?;
        self.call(py, "set_head", |engine| {
            engine.set_head(&principal, &session, &turn).map(drop)
        })
    }

    /// Compiles the context for a question.
    #[pyo3(signature = (principal, session_id, question, policy, *, turn_id = None, head = None, system = None, tools = None, blocks = None, provider = None, deadline_ms = None, correlation_id = None, agent_version = None, workflow_stage = None, cancel = None))]
    #[expect(clippy::too_many_arguments, reason = "only Python calls it, by name")]
    fn compile_context(
        &self,
        py: Python<'_>,
        principal: Option<&Bound<'_, Principal>>,
        session_id: &Bound<'_, PyString>,
        question: &Bound<'_, PyString>,
        policy: Option<&Bound<'_, Policy>>,
        turn_id: Option<&Bound<'_, PyString>>,
        head: Option<&Bound<'_, PyString>>,
        system: Option<&Bound<'_, PyString>>,
        tools: Option<&str>,
        blocks: Option<&str>,
        provider: Option<&str>,
        deadline_ms: Option<u64>,
        correlation_id: Option<&Bound<'_, PyString>>,
        agent_version: Option<&Bound<'_, PyString>>,
        workflow_stage: Option<&Bound<'_, PyString>>,
        cancel: Option<&Bound<'_, Cancel>>,
    ) -> PyResult<Context> {
        let (principal, session) = self.scope(py, "build_context", principal, session_id)?;
        let text = |text: Option<&Bound<'_, PyString>>| {
            let text = text.map(|text| inbound::content(text).map(|text| text.into_owned()));
            text.transpose()
        };
        let (question, system) = (inbound::content(question)?.into_owned(), text(system)?);
        let (agent_version, workflow_stage) = (text(agent_version)?, text(workflow_stage)?);
        let request = guard::attached(py, "build_context", || {
            let correlation_id = correlation_id.map(|id| inbound::identifier("correlation_id", id));
            let correlation_id = correlation_id.transpose()?;
            Ok(ContextRequest {
                question,
                turn_id: turn_id.map(inbound::turn).transpose()?,
                head: head.map(inbound::turn).transpose()?,
                policy: policy
                    .map(|policy| Arc::clone(&policy.get().policy))
                    .unwrap_or_default(),
                system: system.filter(|system| !system.is_empty()),
                tools: inbound::parse("tools", tools)?,
                blocks: inbound::parse("blocks", blocks)?,
                provider: provider.map_or(Ok(Provider::Generic), str::parse)?,
                deadline: deadline_ms.map(Duration::from_millis),
                correlation_id: correlation_id
                    .as_deref()
                    .map(CorrelationId::new)
                    .transpose()?,
                agent_version,
                workflow_stage,
                cancel: cancel.map(|cancel| cancel.get().flag.clone()),
                ..ContextRequest::default()
            })
        })?;
        let compiled = self.call(py, "build_context", |engine| {
            engine.build_context(&principal, &session, &request)
        })?;
        Ok(Context::new(compiled))
    }

    /// The same with nothing but what most calls give, as the list of messages.
    #[pyo3(signature = (session_id, question, policy, system))]
    fn build_context<'py>(
        &self,
        py: Python<'py>,
        session_id: &Bound<'py, PyString>,
        question: &Bound<'py, PyString>,
        policy: Option<&Bound<'py, Policy>>,
        system: Option<&Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (principal, session) = self.scope(py, "build_context", None, session_id)?;
        let system =
            system.map(|system| inbound::content(system).map(|system| system.into_owned()));
        let request = ContextRequest {
            question: inbound::content(question)?.into_owned(),
            policy: policy
                .map(|policy| Arc::clone(&policy.get().policy))
                .unwrap_or_default(),
            system: system.transpose()?.filter(|system| !system.is_empty()),
            ..ContextRequest::default()
        };
        let compiled = self.call(py, "build_context", |engine| {
            engine.build_context(&principal, &session, &request)
        })?;
        context::messages(py, &compiled)
    }

    /// Panics inside on purpose, so that a test can show that the process survives.
    fn debug_panic(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, "debug_panic", |_| {
            #[expect(clippy::panic, reason = "this is what it is for")]
            {
                panic!("asked for")
            }
        })
    }
}

impl Engine {
    /// Who asks, and about which session.
    pub(crate) fn scope(
        &self,
        py: Python<'_>,
        operation: &'static str,
        principal: Option<&Bound<'_, Principal>>,
        session_id: &Bound<'_, PyString>,
    ) -> PyResult<(aura::Principal, aura::SessionId)> {
        let session = inbound::session(session_id).map_err(|error| raise(py, operation, error))?;
        Ok((principal::of(principal), session))
    }
}

fn durability_of(name: &str) -> Result<Durability> {
    match name {
        "full" => Ok(Durability::Full),
        "normal" => Ok(Durability::Normal),
        _ => Err(invalid("durability", "must be full or normal")),
    }
}

/// An index of words for a language.
fn lexical(code: &str) -> Result<Bm25Backend> {
    let language = Language::from_code(code)
        .ok_or_else(|| invalid("language", "is no language that can be stemmed"))?;
    let options = AnalyzerOptions {
        language,
        ..AnalyzerOptions::default()
    };
    Ok(Bm25Backend::new(Analyzer::new(options)))
}
