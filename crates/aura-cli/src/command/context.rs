//! `aura context`: compile the context for a question.

use std::io::{Read as _, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aura::{
    CompiledContext, ContextPolicy, ContextRequest, CorrelationId, Error, Provider, RawJson,
    SessionId, ToolDefinition, TurnId,
};
use clap::Args;
use serde::Serialize;

use super::{Common, labels};
use crate::args::Who;
use crate::exit::{Exit, Failure, file_error};
use crate::print::{self, Out, style};
use crate::store;

/// What `aura context --help` says at its end.
const AFTER: &str = "\
The context is compiled as an agent would get it, and its manifest is stored: `aura explain` reads it.
A session that does not exist gives a context of just the question.

Examples:
  aura --db chats.db context --session s1 --question \"Where do I live now?\"
  aura --db chats.db context --session s1 --question \"And the deadline?\" --budget 1000
  aura --db chats.db context --session s1 --question \"…\" --policy '{\"mode\":\"windowed\",\"recency_turns\":4}'
  aura --db chats.db context --session s1 --question \"…\" --provider anthropic --json | jq .request";

/// The options of `aura context`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ContextArgs {
    /// The session to ask
    #[arg(long, value_name = "ID")]
    session: SessionId,

    /// The question; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    question: String,

    /// The policy: a file of JSON, or the JSON itself
    #[arg(long, value_name = "FILE|JSON")]
    policy: Option<String>,

    /// Tokens that the context may have; stands above the policy's `token_budget`
    #[arg(long, value_name = "N")]
    budget: Option<NonZeroU32>,

    /// The form of the messages
    #[arg(long, value_name = "NAME", default_value = "generic")]
    provider: Provider,

    /// A file that holds the system prompt
    #[arg(long, value_name = "FILE")]
    system: Option<PathBuf>,

    /// A file that holds a JSON list of tools, each with name, description and parameters
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,

    /// The open turn that the context is for
    #[arg(long, value_name = "ID")]
    turn: Option<TurnId>,

    /// The turn whose ancestors are seen, instead of the session's head
    #[arg(long, value_name = "ID")]
    head: Option<TurnId>,

    /// Milliseconds after which optional work is skipped
    #[arg(long, value_name = "MS")]
    deadline: Option<u64>,

    /// What joins the manifest with logs of your own
    #[arg(long, value_name = "ID")]
    correlation_id: Option<CorrelationId>,

    /// Show long messages whole on a terminal too
    #[arg(long)]
    full: bool,

    #[command(flatten)]
    who: Who,
}

/// Compiles a context and prints it.
///
/// # Errors
/// Wrong options, by field; those of the store and the engine.
pub(crate) fn run(common: Common<'_>, args: &ContextArgs, out: &mut Out) -> Result<Exit, Failure> {
    let request = request(args)?;
    let principal = args.who.principal();
    let engine = store::open_existing(common.db)?;
    let context = engine.build_context(&principal, &args.session, &request)?;
    if common.json {
        out.json(&Form::of(&context)?)?;
    } else {
        let labels = labels::of_manifest(&engine, &principal, &context.manifest);
        human(out, &context, &labels, args.full)?;
    }
    store::close(&engine)?;
    Ok(Exit::Ok)
}

fn request(args: &ContextArgs) -> Result<ContextRequest, Error> {
    let mut policy = match &args.policy {
        Some(given) => read_policy(given)?,
        None => ContextPolicy::default(),
    };
    if let Some(budget) = args.budget {
        policy.token_budget = budget.get();
        policy.validate()?;
    }
    let tools: Vec<ToolDefinition> = match &args.tools {
        Some(path) => aura::json::parse("tools", &read_file("tools", path)?)?,
        None => Vec::new(),
    };
    let system = match &args.system {
        Some(path) => Some(utf8("system", read_file("system", path)?)?),
        None => None,
    };
    let question = if args.question == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| file_error("question", Path::new("-"), error))?;
        utf8("question", bytes)?.trim().to_owned()
    } else {
        args.question.clone()
    };
    Ok(ContextRequest {
        question,
        turn_id: args.turn.clone(),
        head: args.head.clone(),
        policy: Arc::new(policy),
        system,
        tools,
        provider: args.provider,
        deadline: args.deadline.map(Duration::from_millis),
        correlation_id: args.correlation_id.clone(),
        ..ContextRequest::default()
    })
}

/// JSON begins with a brace; no other policy does, and hardly a file's name.
fn read_policy(given: &str) -> Result<ContextPolicy, Error> {
    if given.trim_start().starts_with('{') {
        return ContextPolicy::from_json(given.as_bytes());
    }
    ContextPolicy::from_json(&read_file("policy", Path::new(given))?)
}

/// Reads a file that an argument names.
///
/// # Errors
/// When it cannot be read; the error names the argument.
pub(super) fn read_file(argument: &'static str, path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| file_error(argument, path, error))
}

fn utf8(argument: &'static str, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let problem = format_args!("is not UTF-8: bad byte at offset {at}");
        Error::invalid_field("arguments", argument, problem)
    })
}

/// What `--json` prints: messages and tools in the provider's form, and for a real provider the body of the request.
#[derive(Serialize)]
pub(crate) struct Form<'a> {
    messages: RawJson,
    tools: RawJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<RawJson>,
    manifest: &'a aura::Manifest,
}

impl<'a> Form<'a> {
    /// The JSON form of a context.
    pub(crate) fn of(context: &'a CompiledContext) -> Result<Self, Error> {
        let request = match context.provider {
            Provider::Generic => None,
            _ => Some(RawJson::new("request", &aura::request_json(context)?)?),
        };
        Ok(Self {
            request,
            messages: RawJson::new("messages", &aura::messages_json(context)?)?,
            tools: RawJson::new("tools", &aura::tools_json(context)?)?,
            manifest: &context.manifest,
        })
    }
}

fn human(
    out: &mut Out,
    context: &CompiledContext,
    labels: &print::Labels,
    full: bool,
) -> Result<(), Failure> {
    let (head, dim) = (style::HEAD, style::DIM);
    let manifest = &context.manifest;
    print::context(out, context, full)?;
    writeln!(
        out,
        "\n{head}Tokens{head:#} {}",
        print::token_line(&manifest.totals)
    )?;
    if let Some(over) = manifest.over_budget {
        let note = style::NOTE;
        let over = print::plural(over.into(), "token");
        writeln!(out, "{note}Over the budget by {over}.{note:#}")?;
    }
    writeln!(out, "\n{head}Why{head:#}")?;
    print::selected(out, manifest, labels)?;
    writeln!(out, "\n{dim}request {}{dim:#}", manifest.request_id)?;
    Ok(())
}
