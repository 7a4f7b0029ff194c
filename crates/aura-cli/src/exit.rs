//! Exit codes, and failures on their way to stderr.

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use aura::{Error, ErrorKind};

/// How the command ends, as scripts see it. The numbers are permanent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All was done.
    Ok = 0,
    /// The answer is no, or part of the input was refused.
    No = 1,
    /// The command line or the input is wrong.
    Usage = 2,
    /// What was named does not exist.
    NotFound = 3,
    /// The principal may not do or see this.
    Denied = 4,
    /// The store is unavailable, busy or damaged.
    Unavailable = 5,
    /// A defect of the program.
    Internal = 70,
}

impl Exit {
    /// The code for an error of the engine.
    #[must_use]
    pub const fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::BudgetExceeded => Self::Usage,
            ErrorKind::Cancelled => Self::No,
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::Denied => Self::Denied,
            ErrorKind::Busy | ErrorKind::Corrupt | ErrorKind::Unavailable | ErrorKind::Closed => {
                Self::Unavailable
            }
            _ => Self::Internal,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// An error of the engine, or of what it was given.
    Engine(Error),
    /// Standard output could not be written.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// The exit code; a reader that went away ("broken pipe") has what it wanted.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Engine(error) => Exit::of(error.kind()),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
            Self::Output(_) => Exit::Unavailable,
        }
    }

    /// What stderr shows, without a line end; `None` where there is nobody to tell.
    #[must_use]
    pub fn report(&self, json: bool) -> Option<String> {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            Self::Output(error) => {
                let error =
                    Error::new(ErrorKind::Unavailable, "standard output: cannot be written")
                        .caused_by(io::Error::new(error.kind(), error.to_string()));
                Some(describe(&error, json))
            }
            Self::Engine(error) => Some(describe(error, json)),
        }
    }
}

/// An error that a file named on the command line cannot be read or written; `argument` is what the user wrote.
#[must_use]
pub fn file_error(argument: &'static str, path: &std::path::Path, error: io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::PermissionDenied => ErrorKind::Unavailable,
        io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory => ErrorKind::Invalid,
        _ => ErrorKind::Unavailable,
    };
    Error::new(kind, format!("{argument}: {}: {error}", path.display())).with_field(argument)
}

fn describe(error: &Error, json: bool) -> String {
    if json {
        let value = serde_json::json!({"error": {
            "kind": error.kind().as_str(),
            "operation": error.operation(),
            "field": error.field(),
            "message": error.message(),
            "causes": causes(error),
        }});
        return value.to_string();
    }
    let mut text = error.to_string();
    if let Some(field) = error.field()
        && !field.is_empty()
        && !error.message().contains(field)
    {
        let _ = write!(text, " (field: {field})");
    }
    for cause in causes(error) {
        let _ = write!(text, "\n  because: {cause}");
    }
    if error.kind().is_retryable() {
        text.push_str("\n  Trying again later may help.");
    }
    text
}

fn causes(error: &Error) -> Vec<String> {
    let mut causes = Vec::new();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_as_documented() {
        let code = |kind| Exit::of(kind) as u8;
        let of = |kinds: &[ErrorKind]| kinds.iter().map(|kind| code(*kind)).collect::<Vec<_>>();
        use ErrorKind as K;
        assert_eq!(of(&[K::Invalid, K::Conflict, K::BudgetExceeded]), [2, 2, 2]);
        assert_eq!(of(&[K::NotFound, K::Denied, K::Cancelled]), [3, 4, 1]);
        assert_eq!(
            of(&[K::Busy, K::Unavailable, K::Corrupt, K::Closed]),
            [5; 4]
        );
        assert_eq!(of(&[K::Internal, K::Callback]), [70, 70]);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(failure.exit(), Exit::Ok);
        assert_eq!(failure.report(false), None);
    }

    #[test]
    fn the_field_is_named_once() {
        let named = Failure::from(Error::invalid_field("policy", "top_k", "must be positive"));
        assert_eq!(
            named.report(false).unwrap(),
            "policy: top_k: must be positive"
        );
        let silent = Failure::from(Error::new(ErrorKind::Denied, "no").with_field("session_id"));
        assert_eq!(silent.report(false).unwrap(), "no (field: session_id)");
        let json: serde_json::Value = serde_json::from_str(&silent.report(true).unwrap()).unwrap();
        assert_eq!(json["error"]["field"], "session_id");
    }
}
