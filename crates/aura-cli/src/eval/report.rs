//! The result for a person and for a machine.

use std::io::{self, Write as _};

use serde::Serialize;

use super::data::Data;
use super::outcome::Cut;
use super::score::{Group, Scores, Sums};
use crate::print::{self, Align, Out, Table, style};

/// What `--json` prints; shares are in [0, 1].
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// How many conversations, messages and questions there are.
    pub(crate) conversations: usize,
    pub(crate) messages: usize,
    pub(crate) questions: usize,
    /// Questions with labels whose category is not excluded.
    pub(crate) scored: u32,
    /// The policy in force, without budget and `top_k`.
    pub(crate) policy: aura::ContextPolicy,
    /// How long all of it took.
    pub(crate) seconds: f64,
    /// The time that half of the compilations took at most.
    pub(crate) median_micros: u64,
    /// Messages that a manifest lists and that do not stand whole in the context.
    pub(crate) cut_short: usize,
    /// What each method reaches.
    pub(crate) results: Vec<Row>,
}

/// What one method reaches over one group of questions, up to one cut.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    #[serde(flatten)]
    sums: Sums,
}

impl Report {
    /// The report of these scores.
    pub(crate) fn of(
        data: &Data,
        policy: &aura::ContextPolicy,
        cuts: &[Cut],
        scores: &Scores,
        seconds: f64,
    ) -> Self {
        let mut results = Vec::new();
        for (number, method) in scores.methods() {
            for group in scores.groups() {
                for &cut in cuts {
                    let Some(sums) = scores.get(number, &group, cut) else {
                        continue;
                    };
                    let (category, language) = match &group {
                        Group::All => (None, None),
                        Group::Category(name) => (Some(name.clone()), None),
                        Group::Language(code) => (None, Some(code.clone())),
                    };
                    let (budget, k) = match cut {
                        Cut::Tokens(budget) => (Some(budget), None),
                        Cut::Messages(k) => (None, Some(k)),
                    };
                    results.push(Row {
                        method,
                        category,
                        language,
                        budget,
                        k,
                        sums: *sums,
                    });
                }
            }
        }
        let first = cuts
            .first()
            .and_then(|&cut| scores.get(0, &Group::All, cut));
        Self {
            conversations: data.conversations.len(),
            messages: data.conversations.iter().map(|c| c.messages.len()).sum(),
            questions: data.conversations.iter().map(|c| c.questions.len()).sum(),
            scored: first.map_or(0, |sums| sums.questions),
            policy: policy.clone(),
            seconds,
            median_micros: scores.median_micros(),
            cut_short: scores.cut_short,
            results,
        }
    }
}

/// Writes the report as tables.
///
/// # Errors
/// Those of the output.
pub(crate) fn print_report(
    out: &mut Out,
    report: &Report,
    cuts: &[Cut],
    scores: &Scores,
) -> io::Result<()> {
    let (head, dim, note) = (style::HEAD, style::DIM, style::NOTE);
    writeln!(
        out,
        "{head}{}{head:#} of {} in {}, {} scored ({:.1} s; half of the contexts took at most {} µs)",
        print::plural(report.questions as u64, "question"),
        print::plural(report.messages as u64, "message"),
        print::plural(report.conversations as u64, "conversation"),
        print::number(report.scored.into()),
        report.seconds,
        print::number(report.median_micros),
    )?;
    if report.cut_short > 0 {
        writeln!(
            out,
            "{note}{} listed by a manifest but not whole in the context: not counted.{note:#}",
            print::plural(report.cut_short as u64, "message")
        )?;
    }
    if report.scored == 0 {
        return writeln!(out, "{dim}No question has labels: nothing to score.{dim:#}");
    }
    for (budgets, title) in [
        (true, "By budget, in tokens"),
        (false, "By number of messages"),
    ] {
        let cuts: Vec<Cut> = cuts
            .iter()
            .copied()
            .filter(|cut| matches!(cut, Cut::Tokens(_)) == budgets)
            .collect();
        if cuts.is_empty() {
            continue;
        }
        writeln!(out, "\n{head}{title}{head:#}")?;
        methods(out, &cuts, scores)?;
        writeln!(
            out,
            "\n{head}{title}, by kind of question{head:#} {dim}(all% share%){dim:#}"
        )?;
        groups(out, &cuts, scores)?;
    }
    Ok(())
}

fn methods(out: &mut Out, cuts: &[Cut], scores: &Scores) -> io::Result<()> {
    let mut table = Table::new(&[
        ("method", Align::Left),
        ("up to", Align::Right),
        ("all%", Align::Right),
        ("share%", Align::Right),
        ("any%", Align::Right),
        ("prec%", Align::Right),
        ("tokens", Align::Right),
        ("over", Align::Right),
    ]);
    for (number, method) in scores.methods() {
        for &cut in cuts {
            let Some(sums) = scores.get(number, &Group::All, cut) else {
                continue;
            };
            table.row(vec![
                method.to_owned(),
                label(cut),
                percent(sums.all),
                percent(sums.share),
                percent(sums.any),
                percent(sums.precision),
                format!("{:.0}", sums.tokens),
                sums.over.to_string(),
            ]);
        }
    }
    table.print(out)
}

/// One row a group, for the contexts alone.
fn groups(out: &mut Out, cuts: &[Cut], scores: &Scores) -> io::Result<()> {
    let mut columns = vec![
        ("group".to_owned(), Align::Left),
        ("n".to_owned(), Align::Right),
    ];
    columns.extend(cuts.iter().map(|&cut| (label(cut), Align::Right)));
    let mut table = Table::with_columns(columns);
    for group in scores.groups() {
        let all: Vec<&Sums> = cuts
            .iter()
            .filter_map(|&cut| scores.get(0, &group, cut))
            .collect();
        let Some(first) = all.first() else { continue };
        let name = match &group {
            Group::All => "all".to_owned(),
            Group::Category(name) if name.is_empty() => "category not given".to_owned(),
            Group::Category(name) => name.clone(),
            Group::Language(code) => format!("language {code}"),
        };
        let mut row = vec![name, first.questions.to_string()];
        row.extend(
            all.iter()
                .map(|sums| format!("{} {:>5}", percent(sums.all), percent(sums.share))),
        );
        table.row(row);
    }
    table.print(out)
}

/// How a cut is called.
pub(crate) fn label(cut: Cut) -> String {
    match cut {
        Cut::Tokens(number) | Cut::Messages(number) => print::number(number.into()),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
