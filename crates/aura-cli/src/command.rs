//! The commands, one file each.

pub(crate) mod context;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod import;
mod labels;
pub(crate) mod lasting;
pub(crate) mod manifest;
pub(crate) mod repair;
pub(crate) mod show;
mod show_facts;
mod show_log;
pub(crate) mod verify;

use std::path::Path;

use self::lasting::{care, checkpoint, delete, memory};
use crate::args::{Args, Command};
use crate::exit::{Exit, Failure};
use crate::print::Out;

/// What every command is given beside its own options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Common<'a> {
    /// The store.
    pub(crate) db: Option<&'a Path>,
    /// Whether to print JSON.
    pub(crate) json: bool,
}

/// Runs the command that `args` name.
///
/// # Errors
/// Why it stopped.
pub(crate) fn execute(args: &Args, out: &mut Out) -> Result<Exit, Failure> {
    let common = Common {
        db: args.db.as_deref(),
        json: args.json,
    };
    match &args.command {
        Command::Demo(args) => demo::run(common, args, out),
        Command::Backup(args) => care::backup(common, args, out),
        Command::Checkpoint(args) => checkpoint::run(common, args, out),
        Command::Facts(args) => facts::run(common, args, out),
        Command::Fsck(args) => care::fsck(common, args, out),
        Command::Restore(args) => care::restore(common, args, out),
        Command::Delete(args) => delete::run(common, args, out),
        Command::Import(args) => import::run(common, args, out),
        Command::Context(args) => context::run(common, args, out),
        Command::Memory(args) => memory::run(common, args, out),
        Command::Show(args) => show::run(common, args, out),
        Command::Manifest(args) => manifest::run(common, args, out),
        Command::Explain(args) => explain::run(common, args, out),
        Command::Diff(args) => diff::run(common, args, out),
        Command::Eval(args) => eval::run(common, args, out),
        Command::Verify(args) => verify::run(common, args, out),
        Command::Repair(args) => repair::run(common, args, out),
    }
}
