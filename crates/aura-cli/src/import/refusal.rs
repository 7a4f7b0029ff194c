//! What an import refused, by line.

use std::fmt;
use std::io::{self, Write};

use aura::Error;
use serde::Serialize;

/// Why a line was refused. The reason never repeats the line's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The line's number, from 1.
    pub line: u64,
    /// The field that is wrong, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong.
    pub reason: String,
}

impl Refusal {
    /// A refusal of a whole line.
    pub fn of_line(line: u64, reason: impl Into<String>) -> Self {
        Self {
            line,
            field: None,
            reason: reason.into(),
        }
    }

    /// A refusal for one field.
    pub fn of_field(line: u64, field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            line,
            field: Some(field.into()),
            reason: reason.into(),
        }
    }

    /// A refusal for what the engine says of a line.
    #[must_use]
    pub fn of_error(line: u64, error: &Error) -> Self {
        let field = error.field().filter(|field| !field.is_empty());
        // The object and field are told apart already; what follows them is the reason.
        let reason = match field {
            Some(field) => error
                .message()
                .rsplit_once(&format!("{field}: "))
                .map_or(error.message(), |(_, reason)| reason),
            None => error.message(),
        };
        Self {
            line,
            field: field.map(str::to_owned),
            reason: reason.to_owned(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// All refusals of an import: the first ones in memory, every one in a file if there is one.
pub struct Refusals {
    total: u64,
    kept: Vec<Refusal>,
    most: usize,
    file: Option<Box<dyn Write + Send>>,
    failed: Option<io::Error>,
}

impl Refusals {
    /// Keeps the first `most` by line number and writes every one, as JSON lines, to `file`.
    #[must_use]
    pub fn new(most: usize, file: Option<Box<dyn Write + Send>>) -> Self {
        Self {
            total: 0,
            kept: Vec::new(),
            most,
            file,
            failed: None,
        }
    }

    /// Adds one.
    pub fn add(&mut self, refusal: Refusal) {
        self.total += 1;
        if self.failed.is_none()
            && let Some(file) = &mut self.file
        {
            let written = serde_json::to_writer(&mut *file, &refusal)
                .map_err(io::Error::from)
                .and_then(|()| file.write_all(b"\n"));
            self.failed = written.err();
        }
        // Threads report out of order: the smallest line numbers are the ones to keep.
        let at = self.kept.partition_point(|kept| kept.line <= refusal.line);
        if at < self.most {
            self.kept.insert(at, refusal);
            self.kept.truncate(self.most);
        }
    }

    /// How many there were.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Those with the smallest line numbers, ascending.
    #[must_use]
    pub fn first(&self) -> &[Refusal] {
        &self.kept
    }

    /// Writes out what the file still holds back.
    ///
    /// # Errors
    /// The first error that writing to the file gave.
    pub fn finish(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_lines_are_kept() {
        let mut refusals = Refusals::new(2, None);
        for line in [9, 4, 7, 1] {
            refusals.add(Refusal::of_line(line, "no"));
        }
        let lines: Vec<u64> = refusals.first().iter().map(|kept| kept.line).collect();
        assert_eq!((lines.as_slice(), refusals.total()), (&[1, 4][..], 4));
    }

    #[test]
    fn an_error_becomes_field_and_reason() {
        let error = Error::invalid_field("message", "role", "must be user");
        assert_eq!(
            Refusal::of_error(3, &error).to_string(),
            "line 3: role: must be user"
        );
    }
}
