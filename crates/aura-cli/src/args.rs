//! The command line: what all commands share, and the list of commands.

use std::path::PathBuf;

use aura::{AgentId, Label, Principal, TenantId, UserId};
use clap::{Args as ClapArgs, Parser, Subcommand};

use crate::command::lasting::{care, checkpoint, delete, memory};
use crate::command::{
    context, demo, diff, eval, explain, facts, import, manifest, repair, show, verify,
};

/// What `aura --help` says at its end.
const AFTER: &str = "\
Exit codes:
  0   all was done
  1   the answer is no, or part of the input was refused
  2   the command line or the input is wrong
  3   what was named does not exist
  4   the principal may not do or see this
  5   the store is unavailable, busy or damaged
  70  a defect of the program

Colours are shown on a terminal only, and not at all where NO_COLOR is set.

Examples:
  aura demo
  aura --db chats.db import chats.jsonl
  aura --db chats.db show
  aura --db chats.db context --session s1 --question \"Where do I live now?\"
  aura --db chats.db explain --request 0197…";

/// Records conversations durably and compiles, for each question, a budgeted context that holds what it needs.
#[derive(Debug, Parser)]
#[command(name = "aura", version, after_help = AFTER, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Args {
    /// The store, an SQLite file; `import` and `demo` create it
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "AURA_DB",
        hide_env_values = true
    )]
    pub(crate) db: Option<PathBuf>,

    /// Print JSON for machines; errors are JSON on stderr then
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands, one file each.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Record a sample conversation and ask it questions
    Demo(demo::DemoArgs),
    /// Record conversations from JSON lines
    Import(import::ImportArgs),
    /// Compile the context for a question
    Context(context::ContextArgs),
    /// Show sessions, turns, messages and facts
    Show(show::ShowArgs),
    /// Show what went into a context and what stayed out, or compile it again
    Manifest(manifest::ManifestArgs),
    /// Say why something is in a context or not
    Explain(explain::ExplainArgs),
    /// Compare two contexts
    Diff(diff::DiffArgs),
    /// Show what is known of a session, at any time
    Facts(facts::FactsArgs),
    /// Make, list and restore checkpoints
    Checkpoint(checkpoint::CheckpointArgs),
    /// Delete something with every copy of it, and print the receipt
    Delete(delete::DeleteArgs),
    /// Show, propose and decide what is remembered across sessions
    Memory(memory::MemoryArgs),
    /// Check that all of the store is sound
    Fsck(care::FsckArgs),
    /// Copy the store while it is used
    Backup(care::BackupArgs),
    /// Make a store from a copy
    Restore(care::RestoreArgs),
    /// Measure how much of the evidence the contexts hold
    Eval(eval::EvalArgs),
    /// Check the body of a request against the rules of its provider
    Verify(verify::VerifyArgs),
    /// Mend the body of a request that breaks rules of its provider
    Repair(repair::RepairArgs),
}

/// Who is asking.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Principal")]
pub(crate) struct Who {
    /// The tenant that owns the sessions
    #[arg(long, value_name = "ID", default_value = "default")]
    tenant: TenantId,

    /// The agent that asks
    #[arg(long, value_name = "ID", default_value = "default")]
    agent: AgentId,

    /// The user on whose behalf it asks
    #[arg(long, value_name = "ID")]
    user: Option<UserId>,

    /// A label held; may be given several times
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<Label>,
}

impl Who {
    /// The principal these options name.
    pub(crate) fn principal(&self) -> Principal {
        Principal {
            tenant: self.tenant.clone(),
            agent: self.agent.clone(),
            user: self.user.clone(),
            labels: self.labels.iter().cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
