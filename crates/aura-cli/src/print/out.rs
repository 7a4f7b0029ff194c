//! Standard output, and whether a person looks at it.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use anstream::AutoStream;
use serde::Serialize;

/// The narrowest terminal that texts are fitted to, in columns.
const NARROWEST: usize = 40;

/// The widest lines of running text, in columns: longer ones are hard to read.
const WIDEST: usize = 120;

/// Where a command writes to.
pub(crate) struct Out {
    writer: Box<dyn Write>,
    width: Option<usize>,
}

impl Out {
    /// Standard output: colours on a terminal that wants them, texts fitted to its width.
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let width = stdout.is_terminal().then(|| {
            let columns = terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into());
            columns.clamp(NARROWEST, WIDEST)
        });
        Self {
            writer: Box::new(BufWriter::new(AutoStream::auto(stdout))),
            width,
        }
    }

    /// Standard output as it is: JSON passes through no filter.
    pub(crate) fn raw() -> Self {
        Self {
            writer: Box::new(BufWriter::new(io::stdout())),
            width: None,
        }
    }

    /// How many columns texts are fitted to; `None` where no terminal is, and texts stay whole.
    pub(crate) const fn width(&self) -> Option<usize> {
        self.width
    }

    /// Writes a value as one line of JSON.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        serde_json::to_writer(&mut *self, value).map_err(io::Error::from)?;
        self.write_all(b"\n")
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
impl Out {
    /// What `print` writes, on a terminal of `width` columns if given, without colours.
    pub(crate) fn capture(
        width: Option<usize>,
        print: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> String {
        use std::sync::{Arc, Mutex};

        struct Shared(Arc<Mutex<Vec<u8>>>);
        impl Write for Shared {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().write(bytes)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let stream =
            anstream::StripStream::new(Box::new(Shared(Arc::clone(&bytes))) as Box<dyn Write>);
        let mut out = Self {
            writer: Box::new(stream),
            width,
        };
        print(&mut out).unwrap();
        out.flush().unwrap();
        let bytes = bytes.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }
}
