//! Vectors to search: real ones where there are some, clustered ones otherwise.

use std::path::PathBuf;

/// How many numbers a vector has.
pub const DIMENSION: usize = 384;

/// How many topics the made-up vectors belong to; a topic has sixteen facets.
const TOPICS: u64 = 1_500;

/// Vectors of length 1, and queries like them that are not among them.
pub struct Vectors {
    /// Where they come from.
    pub source: String,
    /// The vectors, one after the other.
    pub rows: Vec<Vec<f32>>,
    /// The queries.
    pub queries: Vec<Vec<f32>>,
}

impl Vectors {
    /// `count` vectors and `queries` queries, from the file that `AURA_BENCH_VECTORS` names (numbers of 32 bits, least
    /// significant byte first, 384 a vector) if it has as many, made up otherwise.
    #[must_use]
    pub fn new(count: usize, queries: usize) -> Self {
        let file = std::env::var_os("AURA_BENCH_VECTORS").map(PathBuf::from);
        let real = file.and_then(|file| read(&file, count + queries));
        let (source, mut rows) = match real {
            Some(rows) => ("real embeddings".to_owned(), rows),
            None => (
                format!("made up, {TOPICS} topics"),
                made_up(count + queries),
            ),
        };
        Self {
            source,
            queries: rows.split_off(count),
            rows,
        }
    }
}

/// The first vectors of a file, spread over it; `None` when it has too few.
fn read(file: &PathBuf, count: usize) -> Option<Vec<Vec<f32>>> {
    let bytes = std::fs::read(file).ok()?;
    let vectors: Vec<&[u8]> = bytes.chunks_exact(4 * DIMENSION).collect();
    let (numbers, step) = (vectors.len(), vectors.len().checked_div(count)?.max(1));
    if numbers < count {
        return None;
    }
    let number = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
    let vector = |bytes: &&[u8]| unit(bytes.as_chunks().0.iter().map(number).collect());
    Some(
        vectors
            .iter()
            .step_by(step)
            .take(count)
            .map(vector)
            .collect(),
    )
}

/// Topics, facets of topics, and what is a vector's own: neighbours are near, as those of real texts are.
fn made_up(count: usize) -> Vec<Vec<f32>> {
    let mut dice = Dice(7);
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| dice.direction()).collect();
    (0..count)
        .map(|_| {
            // Some topics come up far more often than others.
            let (a, b) = (dice.roll(TOPICS), dice.roll(TOPICS));
            let topic = a * b / TOPICS;
            let facet = Dice(topic * 131 + dice.roll(16) + 1).direction();
            let own = dice.direction();
            let topic = topics.get(topic as usize).cloned().unwrap_or_default();
            let parts = topic.iter().zip(&facet).zip(&own);
            unit(
                parts
                    .map(|((topic, facet), own)| topic + 0.7 * facet + 0.8 * own)
                    .collect(),
            )
        })
        .collect()
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector
        .iter()
        .map(|number| number * number)
        .sum::<f32>()
        .sqrt();
    vector
        .into_iter()
        .map(|number| number / length.max(f32::MIN_POSITIVE))
        .collect()
}

/// Numbers, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// A vector of length 1.
    fn direction(&mut self) -> Vec<f32> {
        let number = |dice: &mut Self| -> f32 {
            (0..4)
                .map(|_| dice.roll(2_001) as f32 / 1_000.0 - 1.0)
                .sum()
        };
        unit((0..DIMENSION).map(|_| number(self)).collect())
    }
}
