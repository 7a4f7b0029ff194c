//! How often the tools that a request needs are among those chosen for it.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use aura::tools::{OfferRequest, ToolList, ToolRegistry, Toolbox, offer};
use aura::{
    BlockRef, BuiltinCounter, ContextPolicy, Embedder, Error, Fate, Meter, RawJson, Trust, json,
};
use serde::{Deserialize, Serialize};

use super::data::rows;
use crate::print::{self, Align, Out, Table, style};

/// A line of `tools.jsonl`.
#[derive(Deserialize)]
struct ToolRow {
    tool_id: String,
    server: String,
    name: String,
    #[serde(default)]
    description: String,
    parameters: RawJson,
}

/// A line of `questions.jsonl`.
#[derive(Deserialize)]
struct QuestionRow {
    text: String,
    gold_tool_ids: Vec<String>,
    /// For each step the tools of which one is enough; without it, each tool of `gold_tool_ids` is a step of its own.
    #[serde(default)]
    gold_alternatives: Vec<Vec<String>>,
}

/// Tools, and requests with the tools that they need.
pub(crate) struct ToolData {
    toolbox: Arc<Toolbox>,
    /// The name under which a tool is offered, by its id.
    names: BTreeMap<String, String>,
    questions: Vec<QuestionRow>,
}

/// What `--json` prints; shares are in [0, 1].
#[derive(Debug, Serialize)]
pub(crate) struct ToolReport {
    /// How many tools and requests there are.
    pub(crate) tools: usize,
    pub(crate) requests: usize,
    /// The tokens of all definitions.
    pub(crate) tokens: u32,
    /// The digest of the definitions.
    pub(crate) tool_schema_version: String,
    /// What was reached.
    pub(crate) results: Vec<ToolScore>,
}

/// What is reached when `k` tools are offered.
#[derive(Debug, Serialize)]
pub(crate) struct ToolScore {
    /// `words`, or `words+meaning` with an embedding model.
    pub(crate) method: &'static str,
    pub(crate) k: u32,
    /// Requests whose every step has a tool among those offered.
    pub(crate) all: f64,
    /// The mean share of steps that have.
    pub(crate) share: f64,
    /// The mean tokens of what is offered.
    pub(crate) tokens: f64,
    /// The share of all definitions' tokens that is saved.
    pub(crate) saved: f64,
    /// The time that half of the choices took at most.
    pub(crate) median_micros: u64,
}

impl ToolData {
    /// Reads a folder.
    ///
    /// # Errors
    /// `Invalid` with the file's line and field; files that cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let rows: Vec<ToolRow> = all(&folder.join("tools.jsonl"))?;
        let questions: Vec<QuestionRow> = all(&folder.join("questions.jsonl"))?;
        let mut servers: Vec<(&str, Vec<serde_json::Value>)> = Vec::new();
        for row in &rows {
            let entry = serde_json::json!({
                "name": row.name, "description": row.description, "inputSchema": row.parameters,
            });
            match servers.iter_mut().find(|(server, _)| *server == row.server) {
                Some((_, tools)) => tools.push(entry),
                None => servers.push((&row.server, vec![entry])),
            }
        }
        let mut registry = ToolRegistry::default();
        for (server, tools) in servers {
            let list = ToolList::from_json(json::to_string(&tools)?.as_bytes())?;
            registry.replace(server, Trust::Untrusted, &list)?;
        }
        let toolbox = registry.toolbox();
        let exposed: BTreeMap<(&str, &str), &str> = toolbox
            .tools()
            .iter()
            .map(|tool| {
                let name = tool.definition.name.as_str();
                ((tool.server.as_str(), tool.name.as_str()), name)
            })
            .collect();
        let names = rows.iter().filter_map(|row| {
            let name = exposed.get(&(row.server.as_str(), row.name.as_str()))?;
            Some((row.tool_id.clone(), (*name).to_owned()))
        });
        Ok(Self {
            names: names.collect(),
            toolbox,
            questions,
        })
    }

    /// Chooses tools for each request, by words and, with an embedder, also by meaning.
    ///
    /// # Errors
    /// Those of the embedder and of the choice.
    pub(crate) fn measure(
        &self,
        ks: &[u32],
        embedder: Option<&dyn Embedder>,
    ) -> Result<ToolReport, Error> {
        let meter = Meter::new(Arc::new(BuiltinCounter::O200kBase));
        let mut tokens = 0;
        for tool in self.toolbox.tools() {
            tokens += meter.tool(&tool.definition)?;
        }
        let mut results = Vec::new();
        for k in ks {
            results.push(self.row("words", *k, &meter, tokens, None)?);
        }
        if let Some(embedder) = embedder {
            self.toolbox.embed(embedder)?;
            for k in ks {
                results.push(self.row("words+meaning", *k, &meter, tokens, Some(embedder))?);
            }
        }
        Ok(ToolReport {
            tools: self.toolbox.tools().len(),
            requests: self.questions.len(),
            tokens,
            tool_schema_version: self.toolbox.version().to_string(),
            results,
        })
    }

    fn row(
        &self,
        method: &'static str,
        k: u32,
        meter: &Meter,
        whole: u32,
        embedder: Option<&dyn Embedder>,
    ) -> Result<ToolScore, Error> {
        let policy = ContextPolicy {
            tool_top_k: k,
            ..ContextPolicy::default()
        };
        let (mut all, mut share, mut shown) = (0.0, 0.0, 0.0);
        let mut micros = Vec::with_capacity(self.questions.len());
        for question in &self.questions {
            let cosines = match embedder {
                Some(embedder) => {
                    let vector = embedder.embed_query(&question.text)?;
                    self.toolbox.cosines(embedder.model(), &vector)
                }
                None => None,
            };
            let began = Instant::now();
            let request = OfferRequest {
                toolbox: &self.toolbox,
                groups: &[],
                policy: &policy,
                question: &question.text,
                cosines: cosines.as_ref(),
                plan: None,
            };
            let chosen = offer(&request, meter)?;
            micros.push(u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX));
            let selected = chosen
                .records
                .iter()
                .filter(|record| record.fate == Fate::Selected);
            let mut names = Vec::new();
            for record in selected {
                shown += f64::from(record.tokens);
                if let BlockRef::Tool(name) = &record.block {
                    names.push(name.as_str());
                }
            }
            let found = self.found(question, &names);
            all += f64::from(u8::from(found >= 1.0));
            share += found;
        }
        micros.sort_unstable();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52 requests")]
        let count = self.questions.len().max(1) as f64;
        Ok(ToolScore {
            method,
            k,
            all: all / count,
            share: share / count,
            tokens: shown / count,
            saved: 1.0 - shown / count / f64::from(whole.max(1)),
            median_micros: micros.get(micros.len() / 2).copied().unwrap_or(0),
        })
    }

    /// The share of a request's steps for which a tool is among `names`.
    fn found(&self, question: &QuestionRow, names: &[&str]) -> f64 {
        let offered = |id: &String| {
            let name = self.names.get(id);
            name.is_some_and(|name| names.contains(&name.as_str()))
        };
        let (hits, steps) = if question.gold_alternatives.is_empty() {
            let hits = question.gold_tool_ids.iter().filter(|id| offered(id));
            (hits.count(), question.gold_tool_ids.len())
        } else {
            let steps = &question.gold_alternatives;
            let hits = steps.iter().filter(|step| step.iter().any(offered));
            (hits.count(), steps.len())
        };
        #[expect(clippy::cast_precision_loss, reason = "a few steps")]
        let share = hits as f64 / steps.max(1) as f64;
        share
    }
}

fn all<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    Ok(rows(path)?.into_iter().map(|(_, row)| row).collect())
}

/// Writes the report as a table.
///
/// # Errors
/// Those of the output.
pub(crate) fn print_tools(out: &mut Out, report: &ToolReport) -> io::Result<()> {
    let head = style::HEAD;
    writeln!(
        out,
        "{head}{}{head:#} of {}, whose definitions have {}",
        print::plural(report.requests as u64, "request"),
        print::plural(report.tools as u64, "tool"),
        print::plural(report.tokens.into(), "token"),
    )?;
    let mut table = Table::new(&[
        ("method", Align::Left),
        ("tools", Align::Right),
        ("all%", Align::Right),
        ("share%", Align::Right),
        ("tokens", Align::Right),
        ("saved%", Align::Right),
        ("median us", Align::Right),
    ]);
    for row in &report.results {
        table.row(vec![
            row.method.to_owned(),
            row.k.to_string(),
            format!("{:.1}", row.all * 100.0),
            format!("{:.1}", row.share * 100.0),
            format!("{:.0}", row.tokens),
            format!("{:.1}", row.saved * 100.0),
            row.median_micros.to_string(),
        ]);
    }
    table.print(out)
}
