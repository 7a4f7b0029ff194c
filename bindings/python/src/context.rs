//! A compiled context.

use aura::{BlockRef, CompiledContext, ContextMessage, Outcome, Provider, json};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};

use crate::guard;
use crate::live::{Kind, Live};

static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The messages and tools for one model call, and the manifest that accounts for them. Immutable; outlives its engine.
#[pyclass(frozen, module = "context_engine")]
pub(crate) struct Context {
    compiled: CompiledContext,
    _live: Live,
}

impl Context {
    pub(crate) fn new(compiled: CompiledContext) -> Self {
        Self {
            compiled,
            _live: Live::new(Kind::Context),
        }
    }
}

#[pymethods]
impl Context {
    /// The messages in the form of the provider, ready to be sent.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        messages(py, &self.compiled)
    }

    /// The same as JSON, byte for byte what every other language gets.
    fn messages_json(&self, py: Python<'_>) -> PyResult<String> {
        guard::attached(py, "messages_json", || aura::messages_json(&self.compiled))
    }

    /// All that the context puts into the body of a request, as JSON.
    fn request_json(&self, py: Python<'_>) -> PyResult<String> {
        guard::attached(py, "request_json", || aura::request_json(&self.compiled))
    }

    /// The body of a request but for the model and your settings.
    #[getter]
    fn request<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.request_json(py)?)
    }

    /// The admitted tools in the form of the provider, as JSON.
    fn tools_json(&self, py: Python<'_>) -> PyResult<String> {
        guard::attached(py, "tools_json", || aura::tools_json(&self.compiled))
    }

    /// The admitted tools in the form of the provider.
    #[getter]
    fn tools<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.tools_json(py)?)
    }

    /// What went in, what stayed out and why, as JSON.
    fn manifest_json(&self, py: Python<'_>) -> PyResult<String> {
        guard::attached(py, "manifest_json", || {
            json::to_string(&*self.compiled.manifest)
        })
    }

    /// What went in, what stayed out and why.
    #[getter]
    fn manifest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.manifest_json(py)?)
    }

    /// Whether a block (`event:12`, `turn:3`, `question`) was a candidate, lost, or won and was cut.
    fn explain<'py>(&self, py: Python<'py>, block: &str) -> PyResult<Bound<'py, PyAny>> {
        let text = guard::attached(py, "explain", || {
            let block: BlockRef = block.parse()?;
            json::to_string(&self.compiled.manifest.explain(&block, &[]))
        })?;
        loads(py, &text)
    }

    /// The section of each message, its tokens and the event ids shown in it, in the order of `messages` of the generic form.
    #[getter]
    fn rows(&self) -> Vec<(&'static str, &'static str, u32, Vec<u64>)> {
        let rows = self.compiled.messages.iter();
        rows.map(|message| {
            let events = message.events.iter().map(|event| event.0).collect();
            (
                message.role.as_str(),
                section(message),
                message.tokens,
                events,
            )
        })
        .collect()
    }

    #[getter]
    fn request_id(&self) -> &str {
        self.compiled.manifest.request_id.as_str()
    }

    #[getter]
    fn turn_id(&self) -> &str {
        self.compiled.manifest.turn_id.as_str()
    }

    #[getter]
    fn tokens(&self) -> u32 {
        self.compiled.manifest.totals.tokens
    }

    #[getter]
    fn budget(&self) -> u32 {
        self.compiled.manifest.totals.budget
    }

    /// By how many tokens the budget is exceeded; 0 when it is not.
    #[getter]
    fn over_budget(&self) -> u32 {
        self.compiled.manifest.over_budget.unwrap_or_default()
    }

    #[getter]
    fn tool_tokens(&self) -> u32 {
        self.compiled.manifest.totals.tool_tokens
    }

    /// What the whole visible history with the same question would take.
    #[getter]
    fn history_tokens(&self) -> u64 {
        self.compiled.manifest.totals.history_tokens
    }

    #[getter]
    fn outcome(&self) -> &'static str {
        match self.compiled.manifest.outcome {
            Outcome::Complete => "complete",
            Outcome::Degraded => "degraded",
            Outcome::Restricted => "restricted",
            Outcome::Fallback => "fallback",
        }
    }

    /// Whether the model should take no action on it.
    #[getter]
    fn read_only(&self) -> bool {
        self.compiled.manifest.read_only
    }

    #[getter]
    fn provider(&self) -> &'static str {
        self.compiled.provider.as_str()
    }

    fn __len__(&self) -> usize {
        self.compiled.messages.len()
    }
}

fn section(message: &ContextMessage) -> &'static str {
    match message.section {
        aura::Section::System => "system",
        aura::Section::History => "history",
        aura::Section::Evidence => "evidence",
        aura::Section::Question => "question",
        aura::Section::Tail => "tail",
    }
}

/// The messages in the form of the provider. The plain ones of the generic form need no JSON in between.
pub(crate) fn messages<'py>(
    py: Python<'py>,
    compiled: &CompiledContext,
) -> PyResult<Bound<'py, PyAny>> {
    if compiled.provider != Provider::Generic || !compiled.messages.iter().all(is_plain) {
        let text = guard::attached(py, "messages", || aura::messages_json(compiled))?;
        return loads(py, &text);
    }
    let list = PyList::empty(py);
    for message in &compiled.messages {
        let entry = PyDict::new(py);
        entry.set_item(intern!(py, "role"), role(py, message))?;
        entry.set_item(intern!(py, "content"), message.content.as_str())?;
        if let Some(name) = &message.name {
            entry.set_item(intern!(py, "name"), name)?;
        }
        list.append(entry)?;
    }
    Ok(list.into_any())
}

fn role<'py>(py: Python<'py>, message: &ContextMessage) -> &'py Bound<'py, pyo3::types::PyString> {
    match message.role {
        aura::Role::System => intern!(py, "system"),
        aura::Role::User => intern!(py, "user"),
        aura::Role::Assistant => intern!(py, "assistant"),
        aura::Role::Tool => intern!(py, "tool"),
    }
}

fn is_plain(message: &ContextMessage) -> bool {
    message.tool_calls.is_empty()
        && message.tool_call_id.is_none()
        && message.media.is_empty()
        && message.native.is_none()
        && !message.is_error
}

/// Parses JSON that the engine wrote.
pub(crate) fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let loads = LOADS.get_or_try_init(py, || {
        PyModule::import(py, "json")?
            .getattr("loads")
            .map(Bound::unbind)
    })?;
    loads.bind(py).call1((text,))
}
