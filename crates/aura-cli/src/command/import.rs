//! `aura import`: record conversations from JSON lines.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aura::{Error, SessionId};
use clap::Args;
use serde::Serialize;

use super::Common;
use crate::args::Who;
use crate::exit::{Exit, Failure, file_error};
use crate::import::{
    Entry, Grouper, Limits, Line, Lines, MAX_LINE_BYTES, Progress, Refusal, Refusals, Seen, Sight,
    Tally, Writer,
};
use crate::print::{self, Out, style};
use crate::store;

/// Refusals that are printed; all of them go to `--refused`.
const SHOWN_REFUSALS: usize = 50;

/// How the input is read, in bytes at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// What `aura import --help` says at its end.
const AFTER: &str = "\
One JSON object a line:
  {\"session_id\", \"message_id\", \"role\", \"text\", \"speaker\"?, \"timestamp\"?, \"tool_calls\"?, \"tool_call_id\"?, \"turn_id\"?}

role          system, user, assistant or tool
timestamp     RFC 3339; without a zone it is UTC
tool_calls    [{\"id\", \"name\", \"arguments\": {…}}], or [{\"id\", \"type\", \"function\": {\"name\", \"arguments\": \"…\"}}]
tool_call_id  the call that a tool message answers
turn_id       consecutive messages of a session with the same turn_id are a turn; without one, a turn begins
              at each user message
Other fields are kept as metadata. A message_id is unique in its session.

Importing a file again adds nothing, so an import that was interrupted is resumed by starting it again. If a
file has grown, the new messages are added; those that belong to a turn recorded before become a turn of their
own behind it, because a closed turn never changes. Very long turns (1,000 messages or 16 MiB) are cut.

A line that cannot be used is refused with its number and the reason, the others are imported, and the exit
code is 1. Messages are safe from a crash of the program at once, and from a loss of power at the end.

Examples:
  aura --db chats.db import chats.jsonl
  zcat chats.jsonl.gz | aura --db chats.db import - --refused refused.jsonl";

/// The options of `aura import`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct ImportArgs {
    /// The file of JSON lines; `-` is standard input
    file: PathBuf,

    /// Write every refused line's number and reason to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    refused: Option<PathBuf>,

    /// How many sessions are recorded at the same time
    #[arg(long, value_name = "N", default_value = "16")]
    jobs: NonZeroUsize,

    #[command(flatten)]
    who: Who,
}

/// Imports a file.
///
/// # Errors
/// Those of reading it and of the store; refused lines are not errors.
pub(crate) fn run(common: Common<'_>, args: &ImportArgs, out: &mut Out) -> Result<Exit, Failure> {
    let (reader, length) = open(&args.file)?;
    let refusals = match &args.refused {
        Some(path) => {
            let file = File::create(path).map_err(|error| file_error("refused", path, error))?;
            Refusals::new(SHOWN_REFUSALS, Some(Box::new(BufWriter::new(file))))
        }
        None => Refusals::new(SHOWN_REFUSALS, None),
    };
    let engine = store::open_for_import(common.db)?;
    let began = Instant::now();
    let writer = Writer::start(&engine, &args.who.principal(), args.jobs, refusals)?;
    let progress = Progress::new(length);
    let read = feed(reader, &writer, &progress);
    let (recorded, mut refusals, failure) = writer.finish();
    progress.clear();
    let closed = store::close(&engine);

    let mut tally = recorded;
    let read = read.map(|read| tally.add(&read));
    tally.refused = refusals.total();
    let written = refusals.finish();
    let report = Report {
        tally,
        seconds: began.elapsed().as_secs_f64(),
        refusals: refusals.first(),
    };
    print_report(common, &report, out)?;
    if let Some(error) = failure {
        return Err(error.during("import").into());
    }
    read.map_err(|error| file_error("FILE", &args.file, error))?;
    closed?;
    if let (Some(path), Err(error)) = (&args.refused, written) {
        return Err(file_error("refused", path, error).into());
    }
    Ok(if tally.refused > 0 {
        Exit::No
    } else {
        Exit::Ok
    })
}

/// The input, and how long it is where that is known.
fn open(path: &Path) -> Result<(Box<dyn BufRead>, Option<u64>), Error> {
    if path == Path::new("-") {
        let stdin = io::stdin().lock();
        return Ok((
            Box::new(BufReader::with_capacity(BUFFER_BYTES, stdin)),
            None,
        ));
    }
    let file = File::open(path).map_err(|error| file_error("FILE", path, error))?;
    let found = file
        .metadata()
        .map_err(|error| file_error("FILE", path, error))?;
    if found.is_dir() {
        return Err(Error::invalid_field("arguments", "FILE", "is a folder"));
    }
    let length = found.is_file().then_some(found.len());
    Ok((
        Box::new(BufReader::with_capacity(BUFFER_BYTES, file)),
        length,
    ))
}

/// Reads all lines and hands their turns over; stops early when recording has failed.
fn feed(reader: impl BufRead, writer: &Writer, progress: &Progress) -> io::Result<Tally> {
    let mut lines = Lines::new(reader, MAX_LINE_BYTES);
    let mut grouper = Grouper::new(Limits::default());
    let mut seen = Seen::default();
    let mut sessions: HashSet<SessionId> = HashSet::new();
    let mut tally = Tally::default();
    let mut goes_on = true;
    let mut looked = Instant::now();
    while goes_on && let Some((number, line)) = lines.next_line()? {
        tally.lines = number;
        let parsed = match line {
            Line::Bytes(bytes) => Entry::parse(number, bytes),
            Line::TooLong { bytes } => {
                let reason = format!("is {bytes} bytes long, at most {MAX_LINE_BYTES} are read");
                Err(Refusal::of_line(number, reason))
            }
        };
        match parsed {
            Ok(None) => {}
            Err(refusal) => writer.refuse(refusal),
            Ok(Some(entry)) => match seen.note(&entry) {
                Sight::Repeated => tally.messages_repeated += 1,
                Sight::Contradicts => {
                    let reason = "has come up before with other content";
                    writer.refuse(Refusal::of_field(number, "message_id", reason));
                }
                Sight::New => {
                    if !sessions.contains(&entry.session_id) {
                        sessions.insert(entry.session_id.clone());
                    }
                    grouper.push(entry, |group| goes_on = writer.send(group) && goes_on);
                }
            },
        }
        if looked.elapsed() > Duration::from_millis(100) {
            looked = Instant::now();
            progress.set(lines.consumed(), writer.refused());
        }
    }
    if goes_on {
        grouper.finish(|group| {
            writer.send(group);
        });
    }
    tally.bytes = lines.consumed();
    tally.sessions = sessions.len() as u64;
    Ok(tally)
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    tally: Tally,
    seconds: f64,
    /// The first ones by line.
    refusals: &'a [Refusal],
}

fn print_report(common: Common<'_>, report: &Report<'_>, out: &mut Out) -> Result<(), Failure> {
    if common.json {
        return Ok(out.json(report)?);
    }
    let tally = &report.tally;
    let (bad, head) = (style::BAD, style::HEAD);
    let mut stderr = anstream::stderr().lock();
    for refusal in report.refusals {
        // Whether stderr can be written says nothing about the import.
        let _ = writeln!(stderr, "{bad}refused:{bad:#} {refusal}");
    }
    let more = tally.refused.saturating_sub(report.refusals.len() as u64);
    if more > 0 {
        let more = print::number(more);
        let _ = writeln!(
            stderr,
            "{bad}refused:{bad:#} {more} more; --refused FILE lists them all"
        );
    }
    drop(stderr);
    write!(
        out,
        "{head}{}{head:#} recorded in {} of {}",
        print::plural(tally.messages_recorded, "message"),
        print::plural(tally.turns_recorded, "turn"),
        print::plural(tally.sessions, "session"),
    )?;
    let rate = tally.messages_recorded as f64 / report.seconds.max(1e-9);
    match tally.messages_recorded {
        0 => writeln!(out, " ({:.1} s)", report.seconds)?,
        _ => writeln!(
            out,
            " ({:.1} s, {} a second)",
            report.seconds,
            print::number(rate as u64)
        )?,
    }
    for (count, what) in [
        (tally.messages_known, "were in the store before"),
        (tally.messages_repeated, "repeat a line of the input"),
        (tally.refused, "were refused"),
    ] {
        if count > 0 {
            writeln!(out, "  {} {what}", print::number(count))?;
        }
    }
    if tally.continuations > 0 {
        let turns = print::plural(tally.continuations, "turn");
        writeln!(out, "  {turns} hold what came after a turn had been closed")?;
    }
    Ok(())
}
