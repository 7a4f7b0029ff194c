//! `cargo xtask bench`: runs the benchmarks and sets each result beside its peers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;

/// Runs the benchmarks whose name holds `filter` (unless only `show`n) and prints the table.
pub(crate) fn run(show: bool, filter: Option<&str>) -> Result<()> {
    let begin = SystemTime::now();
    if !show {
        process::run(
            process::cargo()
                .args([
                    "bench",
                    "--package",
                    "aura-benches",
                    "--features",
                    "graphs",
                    "--",
                ])
                .args(filter),
        )?;
    }
    let folder = process::target_dir()?.join("criterion");
    let since = if show { SystemTime::UNIX_EPOCH } else { begin };
    let mut results = Vec::new();
    collect(&folder, since, &mut results)?;
    if results.is_empty() {
        bail!("no results under {}", folder.display());
    }
    print!("{}", table(&results));
    Ok(())
}

/// The median of one benchmark.
#[derive(Debug, Clone, PartialEq)]
struct Outcome {
    group: String,
    function: String,
    input: String,
    nanoseconds: f64,
}

/// Reads every `new/estimates.json` under `folder` that was written at or after `since`.
fn collect(folder: &Path, since: SystemTime, results: &mut Vec<Outcome>) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    for path in folders {
        let estimates = path.join("estimates.json");
        if path.file_name().is_some_and(|name| name == "new") && estimates.exists() {
            if estimates.metadata()?.modified()? >= since {
                let about = read(&path.join("benchmark.json"))?;
                let outcome = outcome(&about, &read(&estimates)?);
                results.push(outcome.with_context(|| format!("cannot read {}", path.display()))?);
            }
        } else {
            collect(&path, since, results)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Value> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))
}

/// Joins Criterion's description of a benchmark with its estimates.
fn outcome(about: &Value, estimates: &Value) -> Option<Outcome> {
    let text = |name: &str| {
        let value = about.get(name).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    Some(Outcome {
        group: text("group_id"),
        function: text("function_id"),
        input: text("value_str"),
        nanoseconds: estimates.pointer("/median/point_estimate")?.as_f64()?,
    })
}

/// One table per Criterion group: per input the first function whose name begins with `aura`, and
/// each peer with how many times slower (or faster, below 1) it is.
fn table(results: &[Outcome]) -> String {
    let mut groups: BTreeMap<&str, BTreeMap<Input<'_>, Vec<&Outcome>>> = BTreeMap::new();
    for result in results {
        let inputs = groups.entry(&result.group).or_default();
        inputs
            .entry(Input::of(&result.input))
            .or_default()
            .push(result);
    }
    let mut text = String::new();
    for (group, inputs) in groups {
        text += &format!(
            "\n### {group}\n\n| input | benchmark | median | against aura |\n| --- | --- | ---: | ---: |\n"
        );
        for (input, mut rows) in inputs {
            rows.sort_by(|a, b| {
                let rank = |row: &Outcome| !row.function.starts_with("aura");
                (rank(a), &a.function).cmp(&(rank(b), &b.function))
            });
            let ours = rows
                .first()
                .filter(|row| row.function.starts_with("aura"))
                .map(|row| (row.function.as_str(), row.nanoseconds));
            for row in rows {
                let ratio = match ours {
                    Some((name, _)) if name == row.function => "1".to_owned(),
                    Some((_, median)) if median > 0.0 => {
                        format!("{:.2}x", row.nanoseconds / median)
                    }
                    _ => String::new(),
                };
                let median = duration(row.nanoseconds);
                let name = &row.function;
                text += &format!("| {} | {name} | {median} | {ratio} |\n", input.text);
            }
        }
    }
    text
}

/// An input as Criterion names it; numbers sort as numbers.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Input<'a> {
    number: Option<u64>,
    text: &'a str,
}

impl<'a> Input<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            number: text.parse().ok(),
            text,
        }
    }
}

/// Nanoseconds with a unit a person reads easily.
fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(function: &str, input: &str, nanoseconds: f64) -> Outcome {
        let about = serde_json::json!({
            "group_id": "query", "function_id": function, "value_str": input,
        });
        let estimates = serde_json::json!({ "median": { "point_estimate": nanoseconds } });
        outcome(&about, &estimates).unwrap()
    }

    #[test]
    fn sets_peers_beside_ours_and_sorts_inputs_as_numbers() {
        let rows = [
            row("tantivy", "10000", 128_000.0),
            row("aura", "10000", 64_000.0),
            row("aura", "1000", 900.0),
            row("fts5", "1000", 1_100_000.0),
        ];
        let expected = "\n### query\n\n\
            | input | benchmark | median | against aura |\n\
            | --- | --- | ---: | ---: |\n\
            | 1000 | aura | 900 ns | 1 |\n\
            | 1000 | fts5 | 1.10 ms | 1222.22x |\n\
            | 10000 | aura | 64.0 µs | 1 |\n\
            | 10000 | tantivy | 128.0 µs | 2.00x |\n";
        assert_eq!(table(&rows), expected);
    }

    #[test]
    fn a_group_without_ours_has_no_ratio() {
        assert!(table(&[row("tantivy", "", 5.0)]).contains("| tantivy | 5 ns |  |"));
    }

    #[test]
    fn reads_the_folders_criterion_writes() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("query/aura/1000/new");
        std::fs::create_dir_all(&new).unwrap();
        let about = r#"{"group_id":"query","function_id":"aura","value_str":"1000"}"#;
        std::fs::write(new.join("benchmark.json"), about).unwrap();
        let estimates = r#"{"median":{"point_estimate":12.5}}"#;
        std::fs::write(new.join("estimates.json"), estimates).unwrap();
        let mut found = Vec::new();
        collect(folder.path(), SystemTime::UNIX_EPOCH, &mut found).unwrap();
        assert_eq!(found, [row("aura", "1000", 12.5)]);
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        found.clear();
        collect(folder.path(), later, &mut found).unwrap();
        assert!(found.is_empty());
    }
}
