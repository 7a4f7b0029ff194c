//! What SQLite reports, in the engine's own kinds.

use aura_core::{Error, ErrorKind};
use rusqlite::ErrorCode;

/// The engine's error for one of SQLite's; the medium is named by the field `path`.
pub(in crate::sqlite) fn medium(error: rusqlite::Error) -> Error {
    let (kind, problem) = match error.sqlite_error().map(|error| error.code) {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            (ErrorKind::Busy, "somebody else holds the lock")
        }
        Some(ErrorCode::FileLockingProtocolFailed) => (
            ErrorKind::Busy,
            "the locks of the file changed hands too often",
        ),
        Some(ErrorCode::DiskFull) => (ErrorKind::Unavailable, "the disk is full"),
        Some(
            ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::AuthorizationForStatementDenied,
        ) => (
            ErrorKind::Unavailable,
            "the file or its folder may not be written",
        ),
        Some(ErrorCode::CannotOpen) => (
            ErrorKind::Unavailable,
            "the file cannot be opened: is there such a folder, and may it be written?",
        ),
        Some(ErrorCode::SystemIoFailure) => (
            ErrorKind::Unavailable,
            "the file could not be read or written",
        ),
        Some(ErrorCode::OutOfMemory) => (ErrorKind::Unavailable, "there is not enough memory"),
        Some(ErrorCode::DatabaseCorrupt) => (ErrorKind::Corrupt, "the database is damaged"),
        Some(ErrorCode::NotADatabase) => (ErrorKind::Corrupt, "the file is not a SQLite database"),
        Some(ErrorCode::TooBig) => (
            ErrorKind::Invalid,
            "a value is larger than the database can hold",
        ),
        _ => match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..) => (
                ErrorKind::Corrupt,
                "the database holds a value of the wrong type",
            ),
            _ => (ErrorKind::Internal, "the database refused a statement"),
        },
    };
    Error::new(kind, format!("path: {problem}"))
        .with_field("path")
        .caused_by(error)
}

/// An error like `error`, for the other calls that share its fate.
pub(in crate::sqlite) fn again(error: &Error) -> Error {
    let copy = Error::new(error.kind(), error.message().to_owned());
    error
        .context()
        .iter()
        .fold(copy, |copy, (key, value)| copy.with(key, value))
}

/// The error for stored bytes that cannot be what the store wrote.
pub(in crate::sqlite) fn damaged(what: &'static str) -> Error {
    Error::new(ErrorKind::Corrupt, format!("path: {what} is damaged")).with_field("path")
}
