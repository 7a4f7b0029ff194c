//! Facts: the ledger that replays their changes, and the extractor that draws them from what users say.

mod ledger;

pub use ledger::Ledger;
