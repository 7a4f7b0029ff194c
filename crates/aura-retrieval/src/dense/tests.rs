mod corpus;
#[cfg(any(feature = "hnsw", feature = "usearch"))]
mod graph;
mod index;
