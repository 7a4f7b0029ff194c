//! Models behind the interfaces of their providers: OpenAI-compatible ones, Anthropic and Gemini.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aura_core::{Error, ErrorKind, Result};
use serde_json::{Value, json};

use super::Model;

/// The variable that names the model, as `provider/model`.
pub const MODEL_VARIABLES: [&str; 2] = ["AURA_EXTRACTOR_MODEL", "CONTEXT_EXTRACTOR_MODEL"];
/// The model where no variable names one.
pub const DEFAULT_EXTRACTOR_MODEL: &str = "groq/llama-3.1-8b-instant";
/// The variable with another address of the provider.
const URL_VARIABLE: &str = "AURA_EXTRACTOR_BASE_URL";
/// The variable with the key; without it, the provider's own.
const KEY_VARIABLE: &str = "AURA_EXTRACTOR_API_KEY";

/// Bytes of an answer at most.
const LONGEST: u64 = 1 << 20;
/// Tokens of an answer at most.
const TOKENS: u32 = 1_024;

/// How a provider is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Chat,
    Anthropic,
    Gemini,
}

/// Providers: name, manner, address, variable of the key.
const PROVIDERS: [(&str, Manner, &str, &str); 5] = [
    (
        "groq",
        Manner::Chat,
        "https://api.groq.com/openai/v1",
        "GROQ_API_KEY",
    ),
    (
        "openai",
        Manner::Chat,
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
    ),
    ("ollama", Manner::Chat, "http://localhost:11434/v1", ""),
    (
        "anthropic",
        Manner::Anthropic,
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
    ),
    (
        "gemini",
        Manner::Gemini,
        "https://generativelanguage.googleapis.com/v1beta",
        "GEMINI_API_KEY",
    ),
];

/// Where a model is and how it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpOptions {
    /// The model as `provider/model`; the provider is `groq`, `openai` (any compatible one), `ollama`, `anthropic` or
    /// `gemini`.
    pub model: String,
    /// The address in place of the provider's own.
    pub base_url: Option<String>,
    /// The key.
    pub api_key: Option<String>,
    /// How long an answer is waited for.
    pub timeout: Duration,
    /// How many calls may be under way at once.
    pub concurrency: usize,
}

impl HttpOptions {
    /// A model with the provider's own address, without a key, 20 s of patience and two calls at once.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            base_url: None,
            api_key: None,
            timeout: Duration::from_secs(20),
            concurrency: 2,
        }
    }

    /// What the environment names: `AURA_EXTRACTOR_MODEL` (or `CONTEXT_EXTRACTOR_MODEL`), `AURA_EXTRACTOR_BASE_URL`, and
    /// the key in `AURA_EXTRACTOR_API_KEY` or the provider's own variable.
    #[must_use]
    pub fn from_environment() -> Self {
        Self::from(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn from(value: impl Fn(&str) -> Option<String>) -> Self {
        let named = MODEL_VARIABLES.iter().find_map(|name| value(name));
        let mut options = Self::new(named.unwrap_or_else(|| DEFAULT_EXTRACTOR_MODEL.to_owned()));
        let own = provider(&options.model).map(|(_, _, _, key)| key);
        options.base_url = value(URL_VARIABLE);
        options.api_key =
            value(KEY_VARIABLE).or_else(|| value(own.filter(|name| !name.is_empty())?));
        options
    }
}

fn provider(model: &str) -> Option<(&'static str, Manner, &'static str, &'static str)> {
    let (name, _) = model.split_once('/')?;
    PROVIDERS.into_iter().find(|(known, ..)| *known == name)
}

/// A model behind HTTP. It is asked one prompt at a time and keeps nothing.
#[derive(Debug)]
pub struct HttpModel {
    name: String,
    model: String,
    manner: Manner,
    url: String,
    key: Option<String>,
    agent: ureq::Agent,
    concurrency: usize,
    under_way: AtomicUsize,
}

impl HttpModel {
    /// A model; nothing is called yet.
    ///
    /// # Errors
    /// `Invalid` naming `model` for a provider that is not known, and `concurrency` for 0.
    pub fn new(options: &HttpOptions) -> Result<Self> {
        let unknown = || {
            Error::invalid_field(
                "extractor",
                "model",
                "must be groq/…, openai/…, ollama/…, anthropic/… or gemini/…",
            )
        };
        let (provider, manner, address, _) = provider(&options.model).ok_or_else(unknown)?;
        let model = options.model.get(provider.len() + 1..).unwrap_or_default();
        if model.is_empty() {
            return Err(unknown());
        }
        if options.concurrency == 0 {
            return Err(Error::invalid_field(
                "extractor",
                "concurrency",
                "must be at least 1",
            ));
        }
        let base = options.base_url.as_deref().unwrap_or(address);
        let base = base.trim_end_matches('/');
        let url = match manner {
            Manner::Chat => format!("{base}/chat/completions"),
            Manner::Anthropic => format!("{base}/messages"),
            Manner::Gemini => format!("{base}/models/{model}:generateContent"),
        };
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(options.timeout))
            .http_status_as_error(false)
            .build();
        Ok(Self {
            name: options.model.clone(),
            model: model.to_owned(),
            manner,
            url,
            key: options.api_key.clone(),
            agent: config.into(),
            concurrency: options.concurrency,
            under_way: AtomicUsize::new(0),
        })
    }

    fn body(&self, prompt: &str) -> Value {
        let messages = json!([{"role": "user", "content": prompt}]);
        match self.manner {
            Manner::Chat => json!({
                "model": self.model, "messages": messages, "temperature": 0, "max_tokens": TOKENS,
            }),
            Manner::Anthropic => json!({
                "model": self.model, "messages": messages, "max_tokens": TOKENS,
            }),
            Manner::Gemini => json!({
                "contents": [{"role": "user", "parts": [{"text": prompt}]}],
                "generationConfig": {"temperature": 0, "maxOutputTokens": TOKENS},
            }),
        }
    }

    fn call(&self, prompt: &str) -> Result<String> {
        let mut request = self
            .agent
            .post(&self.url)
            .header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = match self.manner {
                Manner::Chat => request.header("authorization", format!("Bearer {key}")),
                Manner::Anthropic => request.header("x-api-key", key),
                Manner::Gemini => request.header("x-goog-api-key", key),
            };
        }
        if self.manner == Manner::Anthropic {
            request = request.header("anthropic-version", "2023-06-01");
        }
        let sent = request.send(self.body(prompt).to_string());
        let mut response = sent.map_err(unreachable_model)?;
        match response.status().as_u16() {
            200..=299 => {}
            408 | 425 | 429 | 500..=599 => {
                return Err(failed(ErrorKind::Unavailable, "is not available just now"));
            }
            401 | 403 => return Err(failed(ErrorKind::Denied, "refused the key")),
            _ => return Err(failed(ErrorKind::Callback, "refused the request")),
        }
        let body = response.body_mut().with_config().limit(LONGEST);
        let text = body.read_to_string().map_err(unreachable_model)?;
        let answer = serde_json::from_str::<Value>(&text).ok();
        // What was cut off, or is no JSON, is passed on: there may be something in it.
        Ok(answer.and_then(|answer| self.said(&answer)).unwrap_or(text))
    }

    /// What the model said in a provider's answer.
    fn said(&self, answer: &Value) -> Option<String> {
        let place = match self.manner {
            Manner::Chat => "/choices/0/message/content",
            Manner::Anthropic => "/content/0/text",
            Manner::Gemini => "/candidates/0/content/parts/0/text",
        };
        answer.pointer(place)?.as_str().map(str::to_owned)
    }
}

impl Model for HttpModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete(&self, prompt: &str) -> Result<String> {
        if self.under_way.fetch_add(1, Ordering::AcqRel) >= self.concurrency {
            self.under_way.fetch_sub(1, Ordering::AcqRel);
            return Err(failed(ErrorKind::Busy, "has as many calls as it may"));
        }
        let answer = self.call(prompt);
        self.under_way.fetch_sub(1, Ordering::AcqRel);
        answer.map_err(|error| error.during("extract"))
    }
}

fn failed(kind: ErrorKind, problem: &str) -> Error {
    Error::new(kind, format!("model: the model {problem}")).with_field("model")
}

fn unreachable_model(error: ureq::Error) -> Error {
    failed(ErrorKind::Unavailable, "cannot be reached").caused_by(error)
}

#[cfg(test)]
mod tests;
