//! How two manifests differ.

use std::io::{self, Write as _};

use aura::{Change, Fate, ManifestDiff, Standing};

use super::manifest::Labels;
use super::reason::words;
use super::text::number;
use super::{Align, Out, Table, style};

/// Writes what differs, group by group.
///
/// # Errors
/// Those of the output.
pub(crate) fn diff(out: &mut Out, diff: &ManifestDiff, labels: &Labels) -> io::Result<()> {
    if diff.is_empty() {
        return writeln!(out, "Both contexts are the same.");
    }
    let head = style::HEAD;
    let bytes = if diff.same_bytes {
        "the same messages, byte for byte"
    } else {
        "other messages"
    };
    let (before, after) = (u64::from(diff.before.tokens), u64::from(diff.after.tokens));
    writeln!(
        out,
        "{head}Tokens{head:#} {} → {}; {bytes}",
        number(before),
        number(after)
    )?;
    if !diff.fields.is_empty() {
        writeln!(out, "\n{head}Settings{head:#}")?;
        let mut table = Table::new(&[
            ("field", Align::Left),
            ("before", Align::Left),
            ("after", Align::Left),
        ]);
        for change in &diff.fields {
            let shown = |value: &str| super::one_line(value, 48);
            table.row(vec![
                change.field.clone(),
                shown(&change.before),
                shown(&change.after),
            ]);
        }
        table.print(out)?;
    }
    for (title, changes) in [
        ("Entered", &diff.entered),
        ("Left", &diff.left),
        ("Changed", &diff.changed),
    ] {
        if !changes.is_empty() {
            writeln!(out, "\n{head}{title}{head:#}")?;
            changed(out, changes, labels)?;
        }
    }
    Ok(())
}

fn changed(out: &mut Out, changes: &[Change], labels: &Labels) -> io::Result<()> {
    let mut table = Table::new(&[
        ("item", Align::Left),
        ("before", Align::Left),
        ("after", Align::Left),
        ("", Align::Left),
    ]);
    for change in changes {
        table.row(vec![
            super::one_line(&change.block.to_string(), 32),
            standing(change.before),
            standing(change.after),
            labels.get(&change.block).cloned().unwrap_or_default(),
        ]);
    }
    table.print(out)
}

fn standing(standing: Option<Standing>) -> String {
    let Some(standing) = standing else {
        return "no candidate".to_owned();
    };
    let tokens = number(standing.tokens.into());
    let words = words(standing.reason);
    match standing.fate {
        Fate::Rejected => format!("out: {words}"),
        Fate::Selected => format!("in, {tokens} tokens: {words}"),
        Fate::ReplacedByHandle => format!("by its handle, {tokens} tokens: {words}"),
    }
}
