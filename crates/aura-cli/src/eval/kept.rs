//! An embedder that keeps what it made in a file, so that the next evaluation of the same texts need not wait for it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use aura::{Calibration, Digest, Embedder, Error, ErrorKind, Result};

/// Vectors by the digest of their text.
type Vectors = HashMap<[u8; 32], Vec<f32>>;

/// A model, and the vectors it made before.
pub(crate) struct Kept {
    model: Arc<dyn Embedder>,
    file: Option<PathBuf>,
    vectors: Mutex<Vectors>,
}

impl Kept {
    /// A model whose vectors are kept in `file`, if one is given; what another model left there is passed over.
    pub(crate) fn new(model: Arc<dyn Embedder>, file: Option<&Path>) -> Self {
        let bytes = file.and_then(|file| std::fs::read(file).ok());
        let vectors = bytes.and_then(|bytes| read(&bytes, model.model(), model.dimension()));
        Self {
            model,
            file: file.map(Path::to_path_buf),
            vectors: Mutex::new(vectors.unwrap_or_default()),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// `Unavailable` naming `vectors`, when it cannot be written.
    pub(crate) fn save(&self) -> Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut out = Digest::of(self.model().as_bytes()).as_bytes().to_vec();
        for (digest, vector) in self.vectors.lock().map_err(lost)?.iter() {
            out.extend_from_slice(digest);
            out.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
        }
        std::fs::write(file, out).map_err(|error| {
            Error::new(
                ErrorKind::Unavailable,
                "vectors: the file cannot be written",
            )
            .with_field("vectors")
            .caused_by(error)
        })
    }

    fn find(&self, kind: &[u8], text: &str) -> Result<([u8; 32], Option<Vec<f32>>)> {
        let digest = *Digest::of(&[kind, text.as_bytes()].concat()).as_bytes();
        let vectors = self.vectors.lock().map_err(lost)?;
        Ok((digest, vectors.get(&digest).cloned()))
    }

    fn keep(&self, digest: [u8; 32], vector: &[f32]) -> Result<()> {
        let mut vectors = self.vectors.lock().map_err(lost)?;
        vectors.insert(digest, vector.to_vec());
        Ok(())
    }
}

fn lost<T>(_: T) -> Error {
    Error::new(ErrorKind::Internal, "an evaluation thread was lost")
}

fn read(bytes: &[u8], model: &str, dimension: usize) -> Option<Vectors> {
    let (head, rest) = bytes.split_first_chunk::<32>()?;
    if head != Digest::of(model.as_bytes()).as_bytes() {
        return None;
    }
    let entries = rest.chunks_exact(32 + 4 * dimension).map(|entry| {
        let (digest, numbers) = entry.split_first_chunk::<32>()?;
        let numbers = numbers.as_chunks::<4>().0.iter();
        Some((
            *digest,
            numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        ))
    });
    entries.collect()
}

impl Embedder for Kept {
    fn model(&self) -> &str {
        self.model.model()
    }

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let found = texts.iter().map(|text| self.find(b"m", text));
        let mut found = found.collect::<Result<Vec<_>>>()?;
        let absent = found
            .iter()
            .zip(texts)
            .filter(|((_, vector), _)| vector.is_none());
        let absent: Vec<&str> = absent.map(|(_, text)| *text).collect();
        let mut made = self.model.embed(&absent)?.into_iter();
        for (digest, place) in found.iter_mut().filter(|(_, vector)| vector.is_none()) {
            *place = made.next();
            if let Some(vector) = place {
                self.keep(*digest, vector)?;
            }
        }
        Ok(found.into_iter().filter_map(|(_, vector)| vector).collect())
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>> {
        let (digest, found) = self.find(b"q", text)?;
        if let Some(vector) = found {
            return Ok(vector);
        }
        let vector = self.model.embed_query(text)?;
        self.keep(digest, &vector)?;
        Ok(vector)
    }

    fn batch(&self) -> usize {
        self.model.batch()
    }

    fn words(&self) -> usize {
        self.model.words()
    }

    fn calibration(&self) -> Option<Calibration> {
        self.model.calibration()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The length of a text and 1, and how many texts were embedded.
    struct Lengths(AtomicUsize);

    impl Embedder for Lengths {
        fn model(&self) -> &str {
            "lengths"
        }

        fn dimension(&self) -> usize {
            2
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
            self.0.fetch_add(texts.len(), Ordering::SeqCst);
            Ok(texts
                .iter()
                .map(|text| vec![text.len() as f32, 1.0])
                .collect())
        }
    }

    #[test]
    fn what_was_made_is_not_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vectors");
        let model = Arc::new(Lengths(AtomicUsize::new(0)));
        let texts = ["a", "bb", "a", "ccc"];
        let first = Kept::new(Arc::clone(&model) as _, Some(&file));
        let vectors = first.embed(&texts).unwrap();
        assert_eq!(vectors[1], [2.0, 1.0]);
        first.embed_query("a").unwrap();
        first.save().unwrap();
        let made = model.0.load(Ordering::SeqCst);
        let second = Kept::new(Arc::clone(&model) as _, Some(&file));
        assert_eq!(second.embed(&texts).unwrap(), vectors);
        assert_eq!(second.embed_query("a").unwrap(), vectors[0]);
        assert_eq!(model.0.load(Ordering::SeqCst), made);
        assert_eq!(
            second.embed(&["bb", "dddd"]).unwrap(),
            [[2.0, 1.0], [4.0, 1.0]]
        );
    }
}
