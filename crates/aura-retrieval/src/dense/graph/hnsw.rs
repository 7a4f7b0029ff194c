//! The graph of `hnsw_rs`.

use aura_core::Result;
use hnsw_rs::anndists::dist::Distance;
use hnsw_rs::hnsw::Hnsw;

use super::Graph;
use crate::dense::kernel::Kernel;

/// Neighbours of a vector in the lowest layer are twice as many.
const NEIGHBOURS: usize = 16;
/// How many candidates are looked at when a vector is entered.
const BUILD_WIDTH: usize = 128;
const LAYERS: usize = 16;
/// Only sizes the first tables.
const EXPECTED: usize = 100_000;
/// What the library keeps of a vector beside its numbers: lists of neighbours in every layer, as measured.
const OVERHEAD: usize = 2_600;

/// Distances come from exact products, clamped: the library's own distance for unit vectors panics on rounding.
#[derive(Clone, Copy)]
struct UnitProduct(Kernel);

impl Distance<i16> for UnitProduct {
    fn eval(&self, a: &[i16], b: &[i16]) -> f32 {
        let product = self.0.unit(a, b) as f32;
        (1.0 - product / (f32::from(i16::MAX) * f32::from(i16::MAX))).max(0.0)
    }
}

pub(super) struct HnswGraph {
    graph: Hnsw<'static, i16, UnitProduct>,
    dimension: usize,
}

impl HnswGraph {
    pub(super) fn new(dimension: usize) -> Self {
        let distance = UnitProduct(Kernel::new());
        let graph = Hnsw::new(NEIGHBOURS, EXPECTED, LAYERS, BUILD_WIDTH, distance);
        Self { graph, dimension }
    }
}

impl Graph for HnswGraph {
    fn insert(&self, row: usize, vector: &[i16]) -> Result<()> {
        self.graph.insert((vector, row));
        Ok(())
    }

    fn search(&self, query: &[i16], count: usize, width: usize) -> Result<Vec<usize>> {
        let found = self.graph.search(query, count, width);
        Ok(found.into_iter().map(|neighbour| neighbour.d_id).collect())
    }

    fn memory(&self) -> usize {
        self.graph.get_nb_point() * (2 * self.dimension + OVERHEAD)
    }
}
