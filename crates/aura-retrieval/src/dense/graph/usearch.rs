//! The graph of USearch.

use aura_core::{Error, ErrorKind, Result};
use parking_lot::RwLock;
use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

use super::Graph;

/// Neighbours of a vector.
const NEIGHBOURS: usize = 16;
/// How many candidates are looked at when a vector is entered.
const BUILD_WIDTH: usize = 128;
/// Room is made for this many vectors at least.
const FIRST_ROOM: usize = 4_096;

/// Searches share the lock; making room needs it alone.
pub(super) struct UsearchGraph(RwLock<Index>);

impl UsearchGraph {
    pub(super) fn new(dimension: usize) -> Result<Self> {
        let options = IndexOptions {
            dimensions: dimension,
            metric: MetricKind::IP,
            quantization: ScalarKind::BF16,
            connectivity: NEIGHBOURS,
            expansion_add: BUILD_WIDTH,
            expansion_search: 64,
            multi: false,
        };
        let index = Index::new(&options).map_err(failed)?;
        Ok(Self(RwLock::new(index)))
    }
}

impl Graph for UsearchGraph {
    fn insert(&self, row: usize, vector: &[i16]) -> Result<()> {
        {
            let index = self.0.write();
            if index.size() + 1 >= index.capacity() {
                let room = (index.capacity() * 3 / 2).max(FIRST_ROOM);
                index.reserve(room).map_err(failed)?;
            }
        }
        self.0
            .read()
            .add(row as u64, &floats(vector))
            .map_err(failed)
    }

    fn search(&self, query: &[i16], count: usize, width: usize) -> Result<Vec<usize>> {
        let index = self.0.read();
        if index.expansion_search() < width {
            index.change_expansion_search(width);
        }
        let found = index.search(&floats(query), count).map_err(failed)?;
        let rows = found
            .keys
            .into_iter()
            .map(|key| usize::try_from(key).unwrap_or(usize::MAX));
        Ok(rows.collect())
    }

    fn memory(&self) -> usize {
        self.0.read().memory_usage()
    }
}

fn floats(vector: &[i16]) -> Vec<f32> {
    vector
        .iter()
        .map(|number| f32::from(*number) / f32::from(i16::MAX))
        .collect()
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::new(ErrorKind::Unavailable, "USearch failed").caused_by(error)
}
