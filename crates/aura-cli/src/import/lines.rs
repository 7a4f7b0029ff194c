//! A stream cut into lines, of which at most one is held in memory.

use std::io::{self, BufRead, Read as _};

/// The longest line that is read, in bytes; a longer one is skipped and reported.
pub const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// The mark that some programs put at the beginning of a file.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Its bytes.
    Bytes(&'a [u8]),
    /// It is longer than the limit and was skipped.
    TooLong {
        /// How long it is, in bytes.
        bytes: u64,
    },
}

/// The lines of a stream, numbered from 1. `\n` and `\r\n` end a line; a byte order mark at the beginning is left out.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    limit: usize,
    number: u64,
    consumed: u64,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most `limit` bytes.
    pub fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            limit,
            number: 0,
            consumed: 0,
        }
    }

    /// The next line and its number, or `None` at the end.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn next_line(&mut self) -> io::Result<Option<(u64, Line<'_>)>> {
        // A single huge line must not keep its memory for the rest of the file.
        if self.buffer.capacity() > 1024 * 1024 {
            self.buffer = Vec::new();
        }
        self.buffer.clear();
        let most = (self.limit as u64).saturating_add(2);
        let read = self
            .reader
            .by_ref()
            .take(most)
            .read_until(b'\n', &mut self.buffer)? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.consumed += read;
        let ended = self.buffer.last() == Some(&b'\n');
        if !ended && read == most {
            let rest = self.reader.skip_until(b'\n')? as u64;
            self.consumed += rest;
            return Ok(Some((self.number, Line::TooLong { bytes: read + rest })));
        }
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = match line.strip_prefix(BOM) {
            Some(rest) if self.number == 1 => rest,
            _ => line,
        };
        if line.len() > self.limit {
            return Ok(Some((self.number, Line::TooLong { bytes: read })));
        }
        Ok(Some((self.number, Line::Bytes(line))))
    }

    /// How many bytes have been read of the stream.
    pub const fn consumed(&self) -> u64 {
        self.consumed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], limit: usize) -> Vec<(u64, Result<Vec<u8>, u64>)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(3, text), limit);
        let mut found = Vec::new();
        while let Some((number, line)) = lines.next_line().unwrap() {
            found.push((
                number,
                match line {
                    Line::Bytes(bytes) => Ok(bytes.to_vec()),
                    Line::TooLong { bytes } => Err(bytes),
                },
            ));
        }
        assert_eq!(lines.consumed(), text.len() as u64);
        found
    }

    #[test]
    fn ends_and_marks_are_left_out() {
        let lines = all(b"\xEF\xBB\xBFa\r\nb\n\n\xEF\xBB\xBFc", 9);
        let texts: Vec<_> = lines.into_iter().map(|(_, line)| line.unwrap()).collect();
        assert_eq!(texts, [&b"a"[..], b"b", b"", b"\xEF\xBB\xBFc"]);
    }

    #[test]
    fn a_long_line_is_skipped_and_the_next_is_read() {
        let lines = all(b"12345\n123456789\n123456\r\n12345\r\n123456", 5);
        assert_eq!(
            lines,
            [
                (1, Ok(b"12345".to_vec())),
                (2, Err(10)),
                (3, Err(8)),
                (4, Ok(b"12345".to_vec())),
                (5, Err(6)),
            ]
        );
    }

    #[test]
    fn nothing_has_no_lines() {
        assert!(all(b"", 5).is_empty());
        assert_eq!(all(b"\n", 5).len(), 1);
    }
}
