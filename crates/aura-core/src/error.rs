//! The one error type of the engine: a coarse kind that says what to do next, and where it happened.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

/// What went wrong, coarse enough that each kind calls for one reaction of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument is wrong; the error names the field. Correct the call.
    Invalid,
    /// What was asked for does not exist (any more).
    NotFound,
    /// The call contradicts what is stored, for example another turn under the same id.
    Conflict,
    /// The principal may not do or see this.
    Denied,
    /// Somebody else holds a lock for longer than the time-out. Retry.
    Busy,
    /// The engine or store has been closed.
    Closed,
    /// Stored bytes are damaged or of an unknown format.
    Corrupt,
    /// The environment failed (disk full, file unreadable). Mend it and retry.
    Unavailable,
    /// A hard limit cannot be kept.
    BudgetExceeded,
    /// The caller cancelled, or the deadline passed before anything valid existed.
    Cancelled,
    /// A callback of the host failed; the source holds its cause.
    Callback,
    /// A defect of the engine.
    Internal,
}

impl ErrorKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 12] = [
        Self::Invalid,
        Self::NotFound,
        Self::Conflict,
        Self::Denied,
        Self::Busy,
        Self::Closed,
        Self::Corrupt,
        Self::Unavailable,
        Self::BudgetExceeded,
        Self::Cancelled,
        Self::Callback,
        Self::Internal,
    ];

    /// The permanent number of this kind in the C interface (0 is success and no error).
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Invalid => 1,
            Self::NotFound => 2,
            Self::Conflict => 3,
            Self::Denied => 4,
            Self::Busy => 5,
            Self::Closed => 6,
            Self::Corrupt => 7,
            Self::Unavailable => 8,
            Self::BudgetExceeded => 9,
            Self::Cancelled => 10,
            Self::Callback => 11,
            Self::Internal => 12,
        }
    }

    /// The kind's name in JSON and messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotFound => "not-found",
            Self::Conflict => "conflict",
            Self::Denied => "denied",
            Self::Busy => "busy",
            Self::Closed => "closed",
            Self::Corrupt => "corrupt",
            Self::Unavailable => "unavailable",
            Self::BudgetExceeded => "budget-exceeded",
            Self::Cancelled => "cancelled",
            Self::Callback => "callback",
            Self::Internal => "internal",
        }
    }

    /// Whether the same call may succeed later without being changed.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::Busy | Self::Unavailable)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The result of every fallible operation of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

struct Inner {
    kind: ErrorKind,
    operation: Cow<'static, str>,
    message: Cow<'static, str>,
    context: Vec<(&'static str, String)>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// An error with its kind, the operation that failed, a message without stored text, and its cause.
///
/// ```
/// use aura_core::{Error, ErrorKind};
/// let error = Error::invalid_field("policy", "token_budget", "must be at least 1").during("build_context");
/// assert_eq!(error.kind(), ErrorKind::Invalid);
/// assert_eq!(error.field(), Some("token_budget"));
/// ```
pub struct Error(Box<Inner>);

impl Error {
    /// An error of `kind` with a message; the message must not contain stored text.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            operation: Cow::Borrowed(""),
            message: message.into(),
            context: Vec::new(),
            source: None,
        }))
    }

    /// A wrong argument: `object` is what was given, `field` the wrong place in it, `problem` what is wrong.
    pub fn invalid_field(
        object: &'static str,
        field: impl Into<String>,
        problem: impl fmt::Display,
    ) -> Self {
        let field = field.into();
        Self::new(ErrorKind::Invalid, format!("{object}: {field}: {problem}"))
            .with("object", object)
            .with("field", field)
    }

    /// The operation that failed; the outermost caller's word wins.
    #[must_use]
    pub fn during(mut self, operation: impl Into<Cow<'static, str>>) -> Self {
        self.0.operation = operation.into();
        self
    }

    /// Adds a key and value of context; neither may be stored text.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.0.context.push((key, value.to_string()));
        self
    }

    /// Names the field that was wrong.
    #[must_use]
    pub fn with_field(self, field: impl fmt::Display) -> Self {
        self.with("field", field)
    }

    /// Keeps the cause.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// The kind, by which callers decide.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The operation that failed, or an empty string.
    #[must_use]
    pub fn operation(&self) -> &str {
        &self.0.operation
    }

    /// What went wrong, in words for a person.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Keys and values that say more.
    #[must_use]
    pub fn context(&self) -> &[(&'static str, String)] {
        &self.0.context
    }

    /// The field that was wrong, where there is one (the innermost that was named).
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.0
            .context
            .iter()
            .find(|(key, _)| *key == "field")
            .map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.operation.is_empty() {
            write!(f, "{}: ", self.0.operation)?;
        }
        write!(f, "{}", self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("operation", &self.0.operation)
            .field("message", &self.0.message)
            .field("context", &self.0.context)
            .field("source", &self.0.source)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_permanent() {
        let codes: Vec<i32> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes, (1..=12).collect::<Vec<_>>());
    }

    #[test]
    fn display_carries_operation_and_field() {
        let error = Error::invalid_field("policy", "top_k", "must be positive").during("open");
        assert_eq!(error.to_string(), "open: policy: top_k: must be positive");
        assert_eq!(error.field(), Some("top_k"));
    }
}
