//! How much of the evidence that questions need stands in the contexts compiled for them.
//!
//! [`Data`] reads conversations and questions, `bench` records one conversation in an engine and asks it, `baseline`
//! chooses messages without the engine, and [`Scores`] adds up what each answer is worth.

mod baseline;
mod bench;
mod chart;
mod data;
mod kept;
mod language;
mod outcome;
mod report;
mod run_file;
mod score;
mod tools;
mod work;

pub(crate) use bench::base_policy;
pub(crate) use chart::chart;
pub(crate) use data::Data;
pub(crate) use kept::Kept;
pub(crate) use outcome::Cut;
pub(crate) use report::{Report, print_report};
pub(crate) use run_file::write_run;
pub(crate) use score::Scores;
pub(crate) use tools::{ToolData, print_tools};
pub(crate) use work::{Plan, run_all};
