//! `aura eval`: how much of the evidence stands in the contexts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use aura::{ContextPolicy, Error};
use clap::Args;
use serde_json::Value;

use super::Common;
use super::context::read_file;
use crate::eval::{self, Cut, Data, Kept, Plan, Report, Scores, ToolData, print_tools};
use crate::exit::{Exit, Failure, file_error};
use crate::print::Out;

/// What `aura eval --help` says at its end.
const AFTER: &str = "\
DIR holds JSON lines:
  messages.jsonl   conversation_id, session_id?, message_id, speaker?, role, text, timestamp?, tokens?
  questions.jsonl  question_id, conversation_id, category?, text, gold_message_ids, asked_at?
  queries.jsonl    the same without labels, read where there is no questions.jsonl

Each conversation is recorded as one session, turn by turn, with its speakers as names and its times; for each
question and budget a context is compiled as an agent would get it, at the time the question is asked. The
budget is `max_recall_tokens`: per message the tokens of `speaker: text` plus 4. So that only recall is
measured, no turn is shown for being new, no facts are shown, and `token_budget` is out of the way; --policy
changes fields of that. A message counts when its full text stands in the compiled messages; a choice that
costs more than the budget counts as empty.

all%    questions whose every labelled message is in the context
share%  the mean share of a question's labelled messages
any%    questions with at least one of them
prec%   labelled messages among those chosen

With --tools, DIR holds tools.jsonl (tool_id, server, name, description, parameters) and questions.jsonl (text,
gold_tool_ids, gold_alternatives?): how often every tool that a request needs is among those chosen for it, by
words and, with --model, by words and meaning.

Examples:
  aura eval --data conversations
  aura eval --data conversations --model all-MiniLM-L6-v2 --vectors vectors.bin
  aura eval --tools toolset --json
  aura eval --data conversations --budgets 1024 --ks '' --run run.jsonl
  aura eval --data conversations --policy '{\"min_relevance\":0.2}' --json";

/// The options of `aura eval`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct EvalArgs {
    /// The folder with conversations and questions
    #[arg(long, value_name = "DIR", required_unless_present = "tools")]
    data: Option<PathBuf>,

    /// The folder with tools, and requests with the tools they need: measure how tools are chosen
    #[arg(long, value_name = "DIR", conflicts_with = "data")]
    tools: Option<PathBuf>,

    /// Budgets of recalled content, in tokens
    #[arg(long, value_name = "N,…", default_value = "512,1024,2048,4096")]
    budgets: String,

    /// Numbers of messages, or of tools; empty measures none  [default: 5,10,20, of tools 5,10]
    #[arg(long, value_name = "N,…")]
    ks: Option<String>,

    /// Fields of the policy to change: a file of JSON, or the JSON itself
    #[arg(long, value_name = "FILE|JSON")]
    policy: Option<String>,

    /// Categories of questions that do not count
    #[arg(long, value_name = "NAME,…", default_value = "adversarial")]
    exclude: String,

    /// The folder of an embedding model, so that vectors take part
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,

    /// Keep the model's vectors in this file for the next run
    #[arg(long, value_name = "FILE", requires = "model")]
    vectors: Option<PathBuf>,

    /// Measure the contexts alone, without baselines
    #[arg(long)]
    no_baselines: bool,

    /// Write what was chosen to this file, a JSON line per question and budget
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,

    /// Draw evidence by budget into this file, as SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
}

/// Measures and prints.
///
/// # Errors
/// Wrong options and data, by field; those of the engine; files that cannot be written.
pub(crate) fn run(common: Common<'_>, args: &EvalArgs, out: &mut Out) -> Result<Exit, Failure> {
    if let Some(folder) = &args.tools {
        let ks = numbers("ks", args.ks.as_deref().unwrap_or("5,10"))?;
        let embedder = embedder(args)?;
        let kept = embedder.as_deref().map(|kept| kept as &dyn aura::Embedder);
        let report = ToolData::read(folder)?.measure(&ks, kept)?;
        if let Some(embedder) = &embedder {
            embedder.save()?;
        }
        if common.json {
            out.json(&report)?;
        } else {
            print_tools(out, &report)?;
        }
        return Ok(Exit::Ok);
    }
    let Some(folder) = &args.data else {
        return Err(Error::invalid_field("arguments", "data", "is missing").into());
    };
    let began = Instant::now();
    let budgets = numbers("budgets", &args.budgets)?
        .into_iter()
        .map(Cut::Tokens);
    let ks = numbers("ks", args.ks.as_deref().unwrap_or("5,10,20"))?
        .into_iter()
        .map(Cut::Messages);
    let plan = Plan {
        policy: policy(args.policy.as_deref())?,
        cuts: budgets.chain(ks).collect(),
        baselines: !args.no_baselines,
        embedder: embedder(args)?,
    };
    let excluded: BTreeSet<String> = names(&args.exclude).map(str::to_owned).collect();
    let data = Data::read(folder)?;
    let answers = eval::run_all(&data, &plan)?;
    if let Some(embedder) = &plan.embedder {
        embedder.save()?;
    }
    let scores = Scores::of(&data, &plan.cuts, &answers, &excluded);
    let seconds = began.elapsed().as_secs_f64();
    let report = Report::of(&data, &plan.policy, &plan.cuts, &scores, seconds);
    if let Some(path) = &args.run {
        eval::write_run(path, &data, &plan.cuts, &answers)?;
    }
    if let Some(path) = &args.chart {
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        let title = format!(
            "Questions with all their evidence in the context: {}",
            name.to_string_lossy()
        );
        let svg = eval::chart(&title, &plan.cuts, &scores);
        std::fs::write(path, svg).map_err(|error| file_error("chart", path, error))?;
    }
    if common.json {
        out.json(&report)?;
    } else {
        eval::print_report(out, &report, &plan.cuts, &scores)?;
    }
    Ok(Exit::Ok)
}

/// The model that was asked for.
fn embedder(args: &EvalArgs) -> Result<Option<Arc<Kept>>, Error> {
    let Some(folder) = &args.model else {
        return Ok(None);
    };
    let model = aura::embedder_from_folder(folder)?;
    Ok(Some(Arc::new(Kept::new(model, args.vectors.as_deref()))))
}

/// The policy of evaluations with the fields that were given in place of its own.
fn policy(given: Option<&str>) -> Result<ContextPolicy, Error> {
    let base = eval::base_policy();
    let Some(given) = given else {
        return Ok(base);
    };
    let bytes = if given.trim_start().starts_with('{') {
        given.as_bytes().to_vec()
    } else {
        read_file("policy", Path::new(given))?
    };
    let given: serde_json::Map<String, Value> = aura::json::parse("policy", &bytes)?;
    let mut merged = serde_json::to_value(base).unwrap_or_default();
    if let Some(fields) = merged.as_object_mut() {
        fields.extend(given);
    }
    ContextPolicy::from_json(merged.to_string().as_bytes())
}

fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

fn numbers(argument: &'static str, list: &str) -> Result<Vec<u32>, Error> {
    let number = |text: &str| match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(Error::invalid_field(
            "arguments",
            argument,
            "must be whole numbers above 0, with commas between",
        )),
    };
    names(list).map(number).collect()
}
