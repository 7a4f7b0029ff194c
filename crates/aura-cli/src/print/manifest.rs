//! A manifest: what went into a context, what stayed out, and why.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use aura::{BlockRef, CandidateRecord, Fate, Manifest, Notice, Outcome};

use super::reason::{class, reason};
use super::text::{block, number, plural, ranges};
use super::{Align, Out, Table, style, token_line};

/// A few words of what a block holds, where they can still be had: manifests themselves hold no text.
pub(crate) type Labels = BTreeMap<BlockRef, String>;

/// Writes the items that stand in the context, with the reason of each.
///
/// # Errors
/// Those of the output.
pub(crate) fn selected(out: &mut Out, manifest: &Manifest, labels: &Labels) -> io::Result<()> {
    let is_in = |record: &&CandidateRecord| record.fate != Fate::Rejected;
    candidates(out, manifest.candidates.iter().filter(is_in), labels)
}

fn rejected(out: &mut Out, manifest: &Manifest, labels: &Labels) -> io::Result<()> {
    let is_out = |record: &&CandidateRecord| record.fate == Fate::Rejected;
    candidates(out, manifest.candidates.iter().filter(is_out), labels)
}

fn candidates<'a>(
    out: &mut Out,
    records: impl Iterator<Item = &'a CandidateRecord>,
    labels: &Labels,
) -> io::Result<()> {
    let mut records: Vec<&CandidateRecord> = records.collect();
    records.sort_by_key(|record| record.class);
    let mut table = Table::new(&[
        ("item", Align::Left),
        ("class", Align::Left),
        ("tokens", Align::Right),
        ("why", Align::Left),
        ("", Align::Left),
    ]);
    for record in records {
        let item = super::one_line(&record.block.to_string(), 32);
        table.row(vec![
            item,
            class(record.class).to_owned(),
            number(record.tokens.into()),
            reason(record),
            labels.get(&record.block).cloned().unwrap_or_default(),
        ]);
    }
    table.print(out)
}

/// Writes the whole manifest.
///
/// # Errors
/// Those of the output.
pub(crate) fn manifest(out: &mut Out, manifest: &Manifest, labels: &Labels) -> io::Result<()> {
    let head = style::HEAD;
    writeln!(out, "{head}Request {}{head:#}", manifest.request_id)?;
    summary(out, manifest)?;
    for notice in &manifest.notices {
        let note = style::NOTE;
        writeln!(out, "{note}Notice:{note:#} {}", notice_text(notice))?;
    }
    if let Some(failure) = &manifest.failure {
        let bad = style::BAD;
        let (stage, kind) = (failure.stage.as_str(), &failure.kind);
        writeln!(
            out,
            "{bad}Failed in {stage}:{bad:#} {kind}: {}",
            failure.message
        )?;
    }
    let rejections = manifest
        .candidates
        .iter()
        .filter(|record| record.fate == Fate::Rejected)
        .count();
    writeln!(out, "\n{head}In the context{head:#}")?;
    selected(out, manifest, labels)?;
    if rejections > 0 {
        writeln!(out, "\n{head}Not in the context{head:#}")?;
        rejected(out, manifest, labels)?;
    }
    Ok(())
}

fn summary(out: &mut Out, manifest: &Manifest) -> io::Result<()> {
    let stages: Vec<String> = manifest
        .stages
        .iter()
        .map(|time| format!("{} {} µs", time.stage.as_str(), number(time.micros)))
        .collect();
    let searched = plural(manifest.coverage.searched, "message");
    let mut lines = vec![
        ("Session", manifest.session_id.to_string()),
        ("Turn", manifest.turn_id.to_string()),
        (
            "Compiled",
            format!("{} by compiler {}", manifest.now, manifest.compiler_version),
        ),
        (
            "Policy",
            format!(
                "{}, mode {}",
                manifest.policy_version,
                manifest.mode.as_str()
            ),
        ),
        ("Outcome", outcome(manifest)),
        (
            "Tokens",
            format!(
                "{} ({})",
                token_line(&manifest.totals),
                manifest.token_counter
            ),
        ),
        (
            "Searched",
            format!("{searched}, {} scored", number(manifest.retrieval.scored)),
        ),
        ("Stages", stages.join(", ")),
    ];
    lines.extend(led_to(manifest).map(|words| ("Led to", words)));
    for skipped in &manifest.retrieval.skipped {
        lines.push(("Skipped", format!("{}: {}", skipped.work, skipped.reason)));
    }
    for (name, value) in lines {
        block(out, &format!("{name:<9} {value}"), "  ", true)?;
    }
    Ok(())
}

/// What the context led to, in a line; nothing where nobody has said.
fn led_to(manifest: &Manifest) -> Option<String> {
    let link = &manifest.link;
    let mut words = Vec::new();
    if let Some(turn) = &link.turn_id {
        words.push(format!("turn {turn}"));
    }
    if !link.calls.is_empty() {
        words.push(plural(link.calls.len() as u64, "tool call"));
    }
    if let Some(answer) = link.answer {
        words.push(format!("answer event:{answer}"));
    }
    if let Some(report) = &link.outcome {
        let said = [
            report
                .success
                .map(|yes| if yes { "success" } else { "failure" }),
            report
                .user_correction
                .filter(|yes| *yes)
                .map(|_| "corrected by the user"),
        ];
        words.extend(said.into_iter().flatten().map(str::to_owned));
        if let Some(usage) = &report.usage {
            let counted = number(usage.input_tokens);
            let cached = number(usage.cached_tokens);
            words.push(format!("{counted} tokens counted, {cached} from a cache"));
        }
    }
    (!words.is_empty()).then(|| words.join(", "))
}

fn outcome(manifest: &Manifest) -> String {
    let mut text = match manifest.outcome {
        Outcome::Complete => "complete",
        Outcome::Degraded => "degraded: optional work was skipped",
        Outcome::Restricted => "restricted: policy and verified blocks only",
        Outcome::Fallback => "fallback: the transcript, after a failure",
    }
    .to_owned();
    if manifest.read_only {
        text.push_str("; the model should take no action on it");
    }
    if let Some(over) = manifest.over_budget {
        text.push_str(&format!(
            "; over the budget by {}",
            plural(over.into(), "token")
        ));
    }
    text
}

fn notice_text(notice: &Notice) -> String {
    match notice {
        Notice::DroppedOldestTurns { turns } => {
            format!("the {} oldest turns are left out", number((*turns).into()))
        }
        Notice::ShrunkNewestTurn { results } => {
            let results = plural((*results).into(), "tool result");
            format!("the newest turn stands in its smallest form, {results} shortened")
        }
        Notice::Conflict { subject, blocks } => {
            let blocks: Vec<String> = blocks.iter().map(ToString::to_string).collect();
            format!("sources disagree about {subject}: {}", blocks.join(", "))
        }
        Notice::MissingProvenance { blocks } => {
            let blocks: Vec<String> = blocks.iter().map(ToString::to_string).collect();
            format!("shown without a source: {}", blocks.join(", "))
        }
        Notice::OrphanLeftOut { block } => {
            format!("half of a tool call is left out of {block}")
        }
        Notice::Lost { what, from, events } => {
            let what = what.as_str().replace('-', " ");
            format!("{what} of {from} is left out of events {}", ranges(events))
        }
        Notice::NativeRefused { rule, path } => {
            format!("native forms are shown by their parts: they broke {rule} at {path}")
        }
        Notice::RuleBroken { rule, path } => {
            format!("the request breaks {rule} at {path} and will be refused")
        }
    }
}
