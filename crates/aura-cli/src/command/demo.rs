//! `aura demo`: a sample conversation, and questions whose evidence is known.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use aura::{
    CompiledContext, ContextPolicy, ContextRequest, Engine, Error, ErrorKind, EventId, Principal,
    Provider, SessionId, TurnIndex,
};
use clap::Args;
use serde::Serialize;

use super::context::Form;
use super::{Common, labels};
use crate::exit::{Exit, Failure};
use crate::import::{Entry, Grouper, Limits, Refusals, Writer};
use crate::print::{self, JsonList, Out, style};
use crate::sample::{self, Question};
use crate::store;

/// What `aura demo --help` says at its end.
const AFTER: &str = "\
The conversation is about furnishing a flat: nine weeks, three speakers and an assistant, corrections of all
kinds, tool calls, five languages and one very long document. For each question the compiled messages are
shown, their tokens beside those of the full history, why each item came in, and whether the messages that
hold the answer are among them. The exit code is 1 if any is missing.

Examples:
  aura demo
  aura demo --budget 600 --full
  aura --db demo.db demo
  aura --db demo.db show --session lindenhof-27 --facts";

/// The options of `aura demo`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct DemoArgs {
    /// Tokens that each context may have
    #[arg(long, value_name = "N", default_value = "1000")]
    budget: NonZeroU32,

    /// The form of the messages
    #[arg(long, value_name = "NAME", default_value = "generic")]
    provider: Provider,

    /// Show long messages whole on a terminal too
    #[arg(long)]
    full: bool,
}

/// A question with its context, and which messages it should hold.
struct Asked {
    question: Question,
    context: CompiledContext,
    /// The messages expected, by id, and whether they are in the context.
    evidence: Vec<(String, EventId, bool)>,
}

/// Records the sample and asks its questions.
///
/// # Errors
/// `Invalid` naming `db` when something is there already; those of the store and the engine.
pub(crate) fn run(common: Common<'_>, args: &DemoArgs, out: &mut Out) -> Result<Exit, Failure> {
    let principal = Principal::default();
    let session_id = SessionId::new(sample::SESSION)?;
    let policy = Arc::new(ContextPolicy {
        token_budget: args.budget.get(),
        ..ContextPolicy::default()
    });
    let (engine, path) = store::create(common.db)?;
    record(&engine, &principal)?;
    let events = event_ids(&engine, &principal, &session_id)?;
    let mut complete = true;
    let questions = sample::questions()?;
    let mut json = None;
    if common.json {
        let path = serde_json::Value::from(path.to_string_lossy());
        write!(
            out,
            "{{\"db\":{path},\"session_id\":\"{session_id}\",\"questions\":"
        )?;
        json = Some(JsonList::open(out)?);
    } else {
        writeln!(
            out,
            "Recorded {} of the session {session_id} in {}",
            print::plural(events.len() as u64, "message"),
            path.display(),
        )?;
    }
    let count = questions.len();
    let mut tokens = (0, 0);
    for (number, question) in (1..).zip(questions) {
        let request = ContextRequest {
            question: question.question.clone(),
            policy: Arc::clone(&policy),
            provider: args.provider,
            ..ContextRequest::default()
        };
        let context = engine.build_context(&principal, &session_id, &request)?;
        let asked = Asked::new(question, context, &events)?;
        complete &= asked.is_complete();
        let totals = &asked.context.manifest.totals;
        tokens = (
            tokens.0 + u64::from(totals.tokens),
            tokens.1 + totals.history_tokens,
        );
        match &mut json {
            Some(items) => items.item(out, &asked.form()?)?,
            None => {
                let labels = labels::of_manifest(&engine, &principal, &asked.context.manifest);
                asked.print(out, (number, count), &labels, args.full)?;
            }
        }
    }
    match json {
        Some(items) => {
            items.close(out)?;
            writeln!(out, ",\"complete\":{complete}}}")?;
        }
        None => closing(out, tokens, count as u64, &path, complete)?,
    }
    store::close(&engine)?;
    Ok(if complete { Exit::Ok } else { Exit::No })
}

/// Records the sample like any other file.
fn record(engine: &Engine, principal: &Principal) -> Result<(), Error> {
    let writer = Writer::start(engine, principal, NonZeroUsize::MIN, Refusals::new(1, None))?;
    let mut grouper = Grouper::new(Limits::default());
    for (line, text) in (1..).zip(sample::MESSAGES.lines()) {
        match Entry::parse(line, text.as_bytes()) {
            Ok(Some(entry)) => grouper.push(entry, |group| {
                writer.send(group);
            }),
            Ok(None) => {}
            Err(refusal) => writer.refuse(refusal),
        }
    }
    grouper.finish(|group| {
        writer.send(group);
    });
    let (_, refusals, failure) = writer.finish();
    if let Some(error) = failure {
        return Err(error);
    }
    match refusals.first() {
        [] => Ok(()),
        [refusal, ..] => Err(damaged(&refusal.to_string())),
    }
}

fn damaged(problem: &str) -> Error {
    Error::new(
        ErrorKind::Internal,
        format!("the shipped sample is damaged: {problem}"),
    )
}

/// The event id of each message id of the sample.
fn event_ids(
    engine: &Engine,
    principal: &Principal,
    session_id: &SessionId,
) -> Result<BTreeMap<String, EventId>, Error> {
    let mut events = BTreeMap::new();
    let session = engine.session(principal, session_id)?;
    let turns = usize::try_from(session.turns).unwrap_or(usize::MAX);
    for record in engine.turns(principal, session_id, TurnIndex(0), turns)? {
        for stored in &record.messages {
            let metadata = stored
                .message
                .metadata
                .as_ref()
                .map(aura::RawJson::to_value);
            let id = metadata
                .as_ref()
                .and_then(|metadata| metadata.get("message_id")?.as_str());
            if let Some(id) = id {
                events.insert(id.to_owned(), stored.event_id);
            }
        }
    }
    Ok(events)
}

impl Asked {
    fn new(
        question: Question,
        context: CompiledContext,
        events: &BTreeMap<String, EventId>,
    ) -> Result<Self, Error> {
        let shown: BTreeSet<EventId> = context
            .messages
            .iter()
            .flat_map(|message| message.events.iter().copied())
            .collect();
        let place = |id: &String| {
            let event = events
                .get(id)
                .ok_or_else(|| damaged("a question expects a message that is not there"))?;
            Ok((id.clone(), *event, shown.contains(event)))
        };
        let evidence = question
            .expect
            .iter()
            .map(place)
            .collect::<Result<_, Error>>()?;
        Ok(Self {
            question,
            context,
            evidence,
        })
    }

    fn is_complete(&self) -> bool {
        self.evidence.iter().all(|(_, _, shown)| *shown)
    }

    fn form(&self) -> Result<AskedForm<'_>, Error> {
        Ok(AskedForm {
            question: &self.question.question,
            answer: &self.question.answer,
            evidence: self
                .evidence
                .iter()
                .map(|(message_id, event_id, shown)| EvidenceForm {
                    message_id,
                    event_id: *event_id,
                    shown: *shown,
                })
                .collect(),
            context: Form::of(&self.context)?,
        })
    }

    fn print(
        &self,
        out: &mut Out,
        (number, count): (usize, usize),
        labels: &print::Labels,
        full: bool,
    ) -> Result<(), Failure> {
        let (head, dim, good, bad) = (style::HEAD, style::DIM, style::GOOD, style::BAD);
        writeln!(
            out,
            "\n{head}{number}/{count}  {}{head:#}",
            self.question.question
        )?;
        writeln!(out, "{dim}The answer is: {}{dim:#}\n", self.question.answer)?;
        print::context(out, &self.context, full)?;
        let totals = &self.context.manifest.totals;
        writeln!(
            out,
            "\n{head}Tokens{head:#}    {}",
            print::token_line(totals)
        )?;
        write!(out, "{head}Evidence{head:#} ")?;
        for (message_id, event, shown) in &self.evidence {
            let (style, word) = if *shown {
                (good, "is in")
            } else {
                (bad, "is MISSING")
            };
            write!(out, " {style}{message_id} (event {event}) {word}{style:#}")?;
        }
        writeln!(out, "\n{head}Why{head:#}")?;
        print::selected(out, &self.context.manifest, labels)?;
        writeln!(
            out,
            "{dim}request {}{dim:#}",
            self.context.manifest.request_id
        )?;
        Ok(())
    }
}

#[derive(Serialize)]
struct AskedForm<'a> {
    question: &'a str,
    answer: &'a str,
    evidence: Vec<EvidenceForm<'a>>,
    context: Form<'a>,
}

#[derive(Serialize)]
struct EvidenceForm<'a> {
    message_id: &'a str,
    event_id: EventId,
    shown: bool,
}

fn closing(
    out: &mut Out,
    (tokens, history): (u64, u64),
    count: u64,
    path: &std::path::Path,
    complete: bool,
) -> Result<(), Failure> {
    let (head, good, bad) = (style::HEAD, style::GOOD, style::BAD);
    let count = count.max(1);
    let share = history as f64 / tokens.max(1) as f64;
    writeln!(
        out,
        "\n{head}On average{head:#} {} tokens instead of {}: {share:.1} times fewer.",
        print::number(tokens / count),
        print::number(history / count),
    )?;
    if complete {
        writeln!(
            out,
            "{good}Every context holds the evidence for its question.{good:#}"
        )?;
    } else {
        writeln!(
            out,
            "{bad}Some contexts lack evidence for their question.{bad:#}"
        )?;
    }
    let path = path.display();
    writeln!(out, "\nTry next:")?;
    writeln!(out, "  aura --db {path} show --session {}", sample::SESSION)?;
    writeln!(
        out,
        "  aura --db {path} show --session {} --facts",
        sample::SESSION
    )?;
    writeln!(out, "  aura --db {path} explain")?;
    Ok(())
}
