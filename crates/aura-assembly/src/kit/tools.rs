//! Tools: where definitions come from, and which of them a context offers.
//!
//! - `list`: what a server lists, in any of the usual forms; `canonical`: its JSON in one spelling, for digests.
//! - `registry`: the lists of all servers; `drift`: what a new list of a server changed.
//! - `toolbox`: the tools of a registry at one moment, under names that every provider takes.
//! - `index` (`fields`, `lead`, `links`): which tools have to do with a question (`ask`); `offer`: which of them are shown.

mod ask;
mod canonical;
mod drift;
mod fields;
mod index;
mod lead;
mod links;
mod list;
mod offer;
mod registry;
mod toolbox;

pub use canonical::canonical_json;
pub use drift::{Drift, ToolChange, ToolField};
pub use index::{ToolCosines, ToolRank};
pub use list::{ListedTool, ToolList};
pub use offer::{Offer, OfferRequest, all_of, offer};
pub use registry::ToolRegistry;
pub use toolbox::{HeldTool, Toolbox};

pub(crate) use toolbox::version;
