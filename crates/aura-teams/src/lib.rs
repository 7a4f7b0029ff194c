//! Teams of agents: each has a session of its own, and state passes between them as packets only.
//!
//! - [`Team`] knows its members and what each may do; `send` writes packets, `distil` shortens what they say.
//! - `deliver` hands them out: leased to the turn that shows them, acknowledged when that turn is complete, and again
//!   there when it failed. What stands in the store decides, so nothing is lost with a process.
//! - `show` is what a receiver reads: data with a name on it, never words of its own and never an order.
//! - `verify` checks a return packet without the callee's trace.
#![forbid(unsafe_code)]

mod deliver;
mod distil;
mod send;
mod show;
mod slots;
mod team;
mod verify;

pub use deliver::{Inbox, InboxRequest, LEASE};
pub use distil::distil;
pub use send::{Outgoing, Reply, Sent, Task};
pub use show::shown;
pub use slots::slots;
pub use team::Team;
pub use verify::{SourceCheck, Verification};
