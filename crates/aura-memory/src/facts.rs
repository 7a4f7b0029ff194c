//! Facts: the ledger that replays their changes, and the extractor that draws them from what users say.

mod heuristic;
mod ledger;

pub use heuristic::HeuristicExtractor;
pub use ledger::Ledger;
