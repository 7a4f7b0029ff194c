//! Retrieve: the newest turns, the pool of what might be needed from before them, and the facts.

use aura_core::{
    ContextMessage, EventId, History, PolicyMode, Recall, RecallRequest, Result, Role, Section,
    TurnView,
};

use super::filter::Visible;
use crate::facts::{FactBook, Told};
use crate::manifest::Ledger;
use crate::meter::{LIST_TOKENS, MESSAGE_TOKENS, Meter};
use crate::provider::manner::{Manner, takes_blanks};
use crate::provider::verify::is_blank;
use crate::request::{CompileRequest, POOL};
use crate::transcript::{EMPTY, Ending, Shown, ShownTurn};

/// How many turns beyond those that fit are read to find the last tool response.
const LOOK_BACK: usize = 8;

/// The open turn, or the question that will begin it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Messages of the open turn before its question.
    pub(crate) before: Vec<Shown>,
    /// The question; `None` where there is none to ask.
    pub(crate) question: Option<Shown>,
    /// The live tail.
    pub(crate) tail: ShownTail,
}

/// The live tail.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownTail {
    /// Its messages.
    pub(crate) messages: Vec<Shown>,
}

/// What the later stages choose from.
pub(crate) struct Retrieved<'a> {
    /// What was searched by.
    pub(crate) query: String,
    /// The open turn.
    pub(crate) asked: Asked,
    /// The newest turns that may be shown verbatim, oldest first.
    pub(crate) recent: Vec<ShownTurn>,
    /// The position of the first of them; recall searched below it.
    pub(crate) before: usize,
    /// Mode `full-history`: the turn that was the first to find no room.
    pub(crate) dropped: Option<ShownTurn>,
    /// The last tool response, where it stands in a turn before `recent`.
    pub(crate) response: Option<ShownTurn>,
    /// Whether the last tool response of the history stays: the tail has none of its own.
    pub(crate) wants_response: bool,
    /// The pool.
    pub(crate) recall: Recall,
    /// The facts.
    pub(crate) facts: FactBook<'a>,
    /// The events that a continued list shows, ascending.
    pub(crate) carried: Vec<EventId>,
    /// What a continued list has said of facts.
    pub(crate) told: Told,
}

/// Reads what may be needed.
pub(crate) fn run<'a>(
    request: &CompileRequest<'a>,
    history: &dyn History,
    meter: &Meter,
    visible: &Visible<'_>,
    ledger: &mut Ledger,
) -> Result<Retrieved<'a>> {
    let policy = request.policy;
    let asked = asked(request, visible.open.as_ref(), meter, ledger)?;
    let room = policy
        .input_budget()
        .saturating_sub(fixed_tokens(request, &asked, meter)?);
    let query = query(request, &asked).to_owned();
    let wanted = match policy.mode {
        PolicyMode::FullHistory => usize::MAX,
        _ => usize::try_from(policy.recency_turns).unwrap_or(usize::MAX),
    };
    let window = newest_turns(request, history, meter, visible.turns, wanted, room)?;
    let wants_response = policy.mode != PolicyMode::FullHistory && !asked.tail.has_response();
    let facts = facts(request, history, &query, ledger)?;
    let recent = window
        .turns
        .iter()
        .fold(0, |sum: u32, turn| sum.saturating_add(turn.tokens));
    let room = room
        .saturating_sub(recent)
        .min(policy.max_recall_tokens.unwrap_or(u32::MAX));
    let recall = recall(request, history, &query, window.before, room, ledger)?;
    Ok(Retrieved {
        query,
        asked,
        recent: window.turns,
        before: window.before,
        dropped: window.dropped,
        response: window.response,
        wants_response,
        recall,
        facts,
        carried: Vec::new(),
        told: Told::default(),
    })
}

impl Asked {
    /// All its messages, in order.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &Shown> {
        let open = self.before.iter().chain(&self.question);
        open.chain(&self.tail.messages)
    }

    /// The events it shows, in order.
    pub(crate) fn events(&self) -> Vec<EventId> {
        let sources = self.messages().filter_map(|shown| shown.source.as_ref());
        sources.map(|stored| stored.event_id).collect()
    }
}

impl ShownTail {
    /// Its tokens.
    pub(crate) fn tokens(&self) -> u32 {
        self.messages.iter().fold(0, |sum: u32, shown| {
            sum.saturating_add(shown.message.tokens)
        })
    }

    /// Whether a tool has answered in it.
    pub(crate) fn has_response(&self) -> bool {
        let answered = |shown: &Shown| shown.message.role == Role::Tool && shown.source.is_some();
        self.messages.iter().any(answered)
    }
}

/// The open turn as it is shown, or the question alone.
pub(crate) fn asked(
    request: &CompileRequest<'_>,
    open: Option<&TurnView>,
    meter: &Meter,
    ledger: &mut Ledger,
) -> Result<Asked> {
    let mut messages = Vec::new();
    let manner = Manner::of(request).replanned(ledger.plan.replanned.is_some());
    if let Some(open) = open {
        let turn = ShownTurn::of(open, manner, Ending::Open, meter)?;
        ledger.note_orphans(&turn.orphans);
        messages = turn.messages;
    }
    let question = messages.iter().position(Shown::is_users);
    let (before, question, tail) = match question {
        Some(at) => {
            let mut tail = messages.split_off(at);
            let question = tail.remove(0);
            (messages, Some(question), tail)
        }
        None => (Vec::new(), typed_question(request, meter)?, messages),
    };
    let section = |mut shown: Shown, section: Section| {
        shown.message.section = section;
        shown
    };
    let all = |list: Vec<Shown>| {
        list.into_iter()
            .map(|shown| section(shown, Section::Tail))
            .collect()
    };
    Ok(Asked {
        before: all(before),
        question: question.map(|shown| section(shown, Section::Question)),
        tail: ShownTail {
            messages: all(tail),
        },
    })
}

/// The question as the call gives it.
fn typed_question(request: &CompileRequest<'_>, meter: &Meter) -> Result<Option<Shown>> {
    if request.question.is_empty() {
        return Ok(None);
    }
    let refused = !takes_blanks(request.provider) && is_blank(request.question);
    let question = if refused { EMPTY } else { request.question };
    let tokens = meter.count(question)?;
    Ok(Some(Shown {
        message: plain(
            Role::User,
            Section::Question,
            question.to_owned(),
            tokens.saturating_add(MESSAGE_TOKENS),
        ),
        source: None,
        shrunk: false,
    }))
}

/// A message of text alone.
pub(crate) fn plain(role: Role, section: Section, content: String, tokens: u32) -> ContextMessage {
    ContextMessage {
        role,
        name: None,
        content,
        tool_calls: Vec::new(),
        tool_call_id: None,
        is_error: false,
        media: Vec::new(),
        native: None,
        section,
        events: Vec::new(),
        tokens,
    }
}

/// What is there whatever else is admitted: list, system text, tools, the open turn.
pub(crate) fn fixed_tokens(
    request: &CompileRequest<'_>,
    asked: &Asked,
    meter: &Meter,
) -> Result<u32> {
    let mut sum = LIST_TOKENS;
    if let Some(system) = system_text(request) {
        sum = sum.saturating_add(meter.recurring(system)?.saturating_add(MESSAGE_TOKENS));
    }
    for tool in request.tools {
        sum = sum.saturating_add(meter.tool(tool)?);
    }
    for shown in asked.messages() {
        sum = sum.saturating_add(shown.message.tokens);
    }
    Ok(sum)
}

/// The system prompt, unless it says nothing.
pub(crate) fn system_text<'a>(request: &CompileRequest<'a>) -> Option<&'a str> {
    request.system.filter(|system| !is_blank(system))
}

/// What to search by: the question of the call, or that of the open turn.
fn query<'q>(request: &CompileRequest<'q>, asked: &'q Asked) -> &'q str {
    match &asked.question {
        Some(shown) if request.question.is_empty() => &shown.message.content,
        _ => request.question,
    }
}

struct Window {
    turns: Vec<ShownTurn>,
    before: usize,
    dropped: Option<ShownTurn>,
    response: Option<ShownTurn>,
}

/// The newest turns, at most `wanted`, as long as `room` may hold them; the newest in any case.
fn newest_turns(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
    count: usize,
    wanted: usize,
    room: u32,
) -> Result<Window> {
    let mut window = Window {
        turns: Vec::new(),
        before: count,
        dropped: None,
        response: None,
    };
    let (mut left, mut full, mut answered) = (room, false, false);
    for back in 1..=count.min(wanted) {
        let position = count - back;
        let turn = ShownTurn::of(
            &history.turn(position)?,
            Manner::of(request),
            Ending::Closed,
            meter,
        )?;
        let has_response = turn.has_response();
        full |= turn.tokens > left && !window.turns.is_empty();
        if full {
            if wanted == usize::MAX {
                window.dropped = Some(turn);
                break;
            }
            if has_response && !answered {
                window.response = Some(turn);
                break;
            }
            window.dropped.get_or_insert(turn);
            if answered || back > window.turns.len() + LOOK_BACK {
                break;
            }
        } else {
            answered |= has_response;
            left = left.saturating_sub(turn.tokens);
            window.turns.push(turn);
            window.before = position;
        }
    }
    window.turns.reverse();
    Ok(window)
}

fn facts<'a>(
    request: &CompileRequest<'a>,
    history: &dyn History,
    query: &str,
    ledger: &mut Ledger,
) -> Result<FactBook<'a>> {
    let policy = request.policy;
    let shown = policy.facts_enabled && policy.max_facts > 0;
    if !shown || policy.mode == PolicyMode::Windowed {
        return Ok(FactBook::closed());
    }
    if request.timer.is_late_for("facts") {
        ledger.skip("facts");
        return Ok(FactBook::closed());
    }
    Ok(FactBook::open(
        history.facts()?,
        request.facts,
        request.analyzer,
        query,
        usize::try_from(policy.max_facts).unwrap_or(usize::MAX),
    ))
}

fn recall(
    request: &CompileRequest<'_>,
    history: &dyn History,
    query: &str,
    before: usize,
    room: u32,
    ledger: &mut Ledger,
) -> Result<Recall> {
    let policy = request.policy;
    let wanted = policy.retrieval_enabled && policy.mode == PolicyMode::PrioritySelective;
    if !wanted || before == 0 || query.is_empty() {
        return Ok(Recall::default());
    }
    if request.timer.is_late_for("recall") {
        ledger.skip("recall");
        return Ok(Recall::default());
    }
    history.recall(&RecallRequest {
        query,
        pool: POOL,
        room,
        before,
        sitting_gap: policy.sitting_gap.as_millis(),
        weights: policy.ranking,
        now: request.now,
    })
}
