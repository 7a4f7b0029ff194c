//! A compiled context.

use std::io::{self, Write as _};

use aura::{CompiledContext, Totals};

use super::message::compiled;
use super::text::{number, visible};
use super::{Out, style};

/// Writes the messages and the names of the tools.
///
/// # Errors
/// Those of the output.
pub(crate) fn context(out: &mut Out, context: &CompiledContext, full: bool) -> io::Result<()> {
    for message in &context.messages {
        compiled(out, message, full)?;
    }
    if !context.tools.is_empty() {
        let dim = style::DIM;
        let names: Vec<&str> = context
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        writeln!(out, "{dim}tools: {}{dim:#}", visible(&names.join(", ")))?;
    }
    Ok(())
}

/// The tokens of a context beside those of the full history.
pub(crate) fn token_line(totals: &Totals) -> String {
    let tokens = u64::from(totals.tokens);
    let mut line = format!(
        "{} of {} tokens; full history {}",
        number(tokens),
        number(totals.budget.into()),
        number(totals.history_tokens),
    );
    if tokens > 0 && totals.history_tokens > tokens {
        let share = totals.history_tokens as f64 / tokens as f64;
        line.push_str(&format!(", {share:.1} times as many"));
    }
    line
}
