//! Writing an artifact piece by piece.

use std::io::{self, Write};

use aura_core::{Artifact, ArtifactHandle, Error, Principal, Result, UPLOAD_PREFIX};

use super::write_of;
use crate::engine::Engine;

/// How many bytes are stored at once, and kept once whatever they are part of.
const PIECE: usize = 1 << 20;

/// Takes the bytes of an artifact as they come, a megabyte in memory at most. It is there once
/// [`ArtifactWriter::finish`] has returned; what was begun and not finished leaves pieces named `upload:…` that go with
/// the principal's user.
#[derive(Debug)]
pub struct ArtifactWriter {
    engine: Engine,
    principal: Principal,
    name: String,
    mime: Option<String>,
    /// The name of the pieces.
    upload: String,
    buffer: Vec<u8>,
    pieces: Vec<ArtifactHandle>,
}

impl ArtifactWriter {
    pub(super) fn new(
        engine: Engine,
        principal: Principal,
        name: &str,
        mime: Option<&str>,
        upload: &str,
    ) -> Self {
        Self {
            engine,
            principal,
            name: name.to_owned(),
            mime: mime.map(str::to_owned),
            upload: format!("{UPLOAD_PREFIX}{upload}"),
            buffer: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// Makes the artifact of what was written.
    ///
    /// # Errors
    /// Those of the store.
    pub fn finish(mut self) -> Result<Artifact> {
        if !self.buffer.is_empty() || self.pieces.is_empty() {
            self.store()?;
        }
        let (_pass, parts, _) = self.engine.enter("finish_artifact")?;
        let mime = self.mime.as_deref();
        let write = write_of(parts, &self.principal, &self.name, mime, Vec::new());
        let composed = parts.storage.compose_artifact(write, &self.pieces);
        composed.map_err(|error| error.during("finish_artifact"))
    }

    fn store(&mut self) -> Result<()> {
        let (_pass, parts, _) = self.engine.enter("write_artifact")?;
        let bytes = std::mem::take(&mut self.buffer);
        let write = write_of(parts, &self.principal, &self.upload, None, bytes);
        let piece = parts.storage.put_artifact(write);
        let piece = piece.map_err(|error| error.during("write_artifact"))?;
        self.pieces.push(piece.handle);
        Ok(())
    }
}

impl Write for ArtifactWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = PIECE.saturating_sub(self.buffer.len());
        let taken = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        self.buffer.extend_from_slice(taken);
        let count = taken.len();
        if self.buffer.len() >= PIECE {
            self.store()
                .map_err(|error: Error| io::Error::other(error))?;
        }
        Ok(count)
    }

    /// Does nothing: pieces are stored as they fill, and the rest with [`ArtifactWriter::finish`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
