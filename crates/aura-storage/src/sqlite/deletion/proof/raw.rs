//! The bytes of files as they stand on the disk.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use aura_core::{Error, ErrorKind, Result};

use crate::needles::{Hash, Search};

/// How much is read at once.
const CHUNK: usize = 1 << 20;

/// The write-ahead log of a database.
fn log_of(path: &Path) -> OsString {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name
}

/// Searches a database and its write-ahead log; gives how many bytes they have.
pub(super) fn scan(path: &Path, search: &Search<'_>, mut found: impl FnMut(Hash)) -> Result<u64> {
    let database = kept::open(path).map_err(unreadable)?;
    let bytes = scan_file(database, search, &mut found)?;
    // SQLite keeps its locks in other files than this one.
    match File::open(log_of(path)) {
        Ok(log) => Ok(bytes + scan_file(log, search, &mut found)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(bytes),
        Err(error) => Err(unreadable(error)),
    }
}

fn scan_file(
    mut input: impl Read,
    search: &Search<'_>,
    mut found: impl FnMut(Hash),
) -> Result<u64> {
    let mut buffer = Vec::with_capacity(CHUNK + Search::OVERLAP);
    let mut bytes = 0;
    loop {
        let chunk = CHUNK as u64;
        let read = (&mut input).take(chunk).read_to_end(&mut buffer);
        let read = read.map_err(unreadable)? as u64;
        bytes += read;
        search.scan(&buffer, &mut found);
        if read < chunk {
            return Ok(bytes);
        }
        // What straddles the border is seen with the next chunk.
        buffer.drain(..buffer.len().saturating_sub(Search::OVERLAP));
    }
}

fn unreadable(error: io::Error) -> Error {
    Error::new(
        ErrorKind::Unavailable,
        "path: the file could not be searched",
    )
    .with_field("path")
    .caused_by(error)
}

/// A file from its beginning on.
struct Reader {
    file: kept::Handle,
    at: u64,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = kept::read_at(&self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Closing any handle of a file lets go of all locks that the process has on it (POSIX `fcntl`), those of SQLite too.
/// So a handle once opened stays open for as long as the process lives.
#[cfg(unix)]
mod kept {
    use std::collections::BTreeMap;
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::{FileExt, MetadataExt};
    use std::path::Path;
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::Reader;

    pub(super) type Handle = Arc<File>;

    static OPEN: Mutex<BTreeMap<(u64, u64), Handle>> = Mutex::new(BTreeMap::new());

    pub(super) fn open(path: &Path) -> io::Result<Reader> {
        let found = path.metadata()?;
        let mut open = OPEN.lock();
        let file = match open.get(&(found.dev(), found.ino())) {
            Some(file) => Arc::clone(file),
            None => {
                let file = Arc::new(File::open(path)?);
                let found = file.metadata()?;
                open.insert((found.dev(), found.ino()), Arc::clone(&file));
                file
            }
        };
        Ok(Reader { file, at: 0 })
    }

    pub(super) fn read_at(file: &Handle, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        file.read_at(buffer, at)
    }
}

#[cfg(not(unix))]
mod kept {
    use std::fs::File;
    use std::io::{self, Read, Seek, SeekFrom};
    use std::path::Path;

    use super::Reader;

    pub(super) type Handle = File;

    pub(super) fn open(path: &Path) -> io::Result<Reader> {
        Ok(Reader {
            file: File::open(path)?,
            at: 0,
        })
    }

    pub(super) fn read_at(file: &Handle, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let mut file = file;
        file.seek(SeekFrom::Start(at))?;
        file.read(buffer)
    }
}
