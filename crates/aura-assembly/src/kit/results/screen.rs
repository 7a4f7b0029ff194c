//! A history in which results are screened: what may not be shown is not there, and what is too long is shorter.
//!
//! It stands before the compiler, so that no mode, no fallback and no recalled excerpt sees anything else. Storage keeps
//! every byte.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use aura_core::{
    ArtifactHandle, BlockKind, BlockRef, CandidateRecord, Class, Digest, EventId, EventRange, Fact,
    Fate, HANDLE_DIGITS, History, MessageTokens, MessageView, Part, Reason, Recall, RecallRequest,
    Result, ResultContent, Scores, SessionId, Stage, StoredMessage, TenantId, TokenCounter,
    ToolResult, TurnView,
};

use super::cap::{Capped, cap};
use super::failure::{split_trace, trace_name};
use super::redact::{redact_json, redact_text};
use super::schemas::{ResultSchemas, Verdict};
use crate::excerpt;
use crate::transcript::kept_as;

/// What stands in the place of a refused result: its call keeps its answer.
const REFUSED: &str = "[refused: unapproved tool output schema]";

/// How results are screened.
#[derive(Clone, Copy)]
pub struct ScreenRules<'a> {
    /// Which output schemas are allowed; `None` allows all.
    pub schemas: Option<&'a ResultSchemas>,
    /// Events that were refused when a context was compiled that is now compiled again.
    pub refused: &'a [EventId],
    /// The most tokens of the newest results; 0 is verbatim.
    pub newest: u32,
    /// The most tokens of all others; 0 is verbatim.
    pub stale: u32,
    /// How many of the newest turns are looked at for the newest results; in older turns all are stale, so that a new
    /// turn never changes what stands before them.
    pub recent_turns: usize,
    /// Whose session it is.
    pub tenant: &'a TenantId,
    /// Which session it is.
    pub session: &'a SessionId,
    /// Counts what is left.
    pub counter: &'a dyn TokenCounter,
}

impl ScreenRules<'_> {
    /// Whether anything is screened at all.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.schemas.is_some() || !self.refused.is_empty() || self.newest > 0 || self.stale > 0
    }
}

/// A result that is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The event that has it.
    pub event: EventId,
    /// Why.
    pub verdict: Verdict,
}

impl Refusal {
    /// What the manifest says of it.
    #[must_use]
    pub fn record(&self) -> CandidateRecord {
        CandidateRecord {
            block: BlockRef::Event(self.event),
            kind: BlockKind::ToolResult,
            events: vec![EventRange::new(self.event, self.event)],
            class: Class::P3,
            scores: Scores::default(),
            tokens: 0,
            fate: Fate::Rejected,
            stage: Stage::Filter,
            reason: Reason::UnapprovedSchema,
        }
    }
}

/// A screened history.
pub struct Screen<'a> {
    history: &'a dyn History,
    rules: ScreenRules<'a>,
    /// Events whose results are the newest.
    newest: Vec<EventId>,
    refusals: RefCell<BTreeMap<EventId, Refusal>>,
}

/// The calls of a turn so far, by which a failure says what was tried.
#[derive(Default)]
struct Tried {
    calls: Vec<aura_core::ToolCall>,
    failures: BTreeMap<String, u32>,
}

impl<'a> Screen<'a> {
    /// Screens a history.
    ///
    /// # Errors
    /// Those of the history.
    pub fn new(history: &'a dyn History, rules: ScreenRules<'a>) -> Result<Self> {
        let mut newest = Vec::new();
        if rules.newest != rules.stale {
            let open = history.open_turn()?;
            newest = open.as_ref().map(newest_results).unwrap_or_default();
            let count = history.turn_count();
            for position in (count.saturating_sub(rules.recent_turns)..count).rev() {
                if !newest.is_empty() {
                    break;
                }
                newest = newest_results(&history.turn(position)?);
            }
        }
        Ok(Self {
            history,
            rules,
            newest,
            refusals: RefCell::default(),
        })
    }

    /// The results that were asked for and refused, in the order of their events.
    #[must_use]
    pub fn refusals(&self) -> Vec<Refusal> {
        self.refusals.borrow().values().cloned().collect()
    }

    fn turn_view(&self, mut view: TurnView) -> Result<TurnView> {
        let mut tried = Tried::default();
        for message in &mut view.messages {
            *message = self.message_view(message.clone(), &mut tried)?;
        }
        Ok(view)
    }

    fn message_view(&self, view: MessageView, tried: &mut Tried) -> Result<MessageView> {
        let stored = &view.stored;
        let mut changed: Option<StoredMessage> = None;
        for (at, part) in stored.message.parts.iter().enumerate() {
            match part {
                Part::ToolCall(call) => tried.calls.push(call.clone()),
                Part::ToolResult(result) => {
                    let attempt = tried.count(result);
                    if let Some((content, refused)) =
                        self.shown(stored, at, result, tried, attempt)?
                    {
                        let changed = changed.get_or_insert_with(|| (**stored).clone());
                        replace(changed, at, content, refused);
                    }
                }
                _ => {}
            }
        }
        let Some(mut changed) = changed else {
            return Ok(view);
        };
        changed.message.native = None;
        Ok(MessageView {
            tokens: excerpt::count(&changed, self.rules.counter)?,
            stored: Arc::new(changed),
        })
    }

    /// What stands in the place of a result, and whether it was refused; `None` where it stands as it is.
    fn shown(
        &self,
        stored: &StoredMessage,
        part: usize,
        result: &ToolResult,
        tried: &Tried,
        attempt: u32,
    ) -> Result<Option<(String, bool)>> {
        let event = stored.event_id;
        let verdict = match self.rules.refused.contains(&event) {
            true => Some(Verdict::Unapproved),
            false => self.rules.schemas.map(|schemas| schemas.verdict(result)),
        };
        if let Some(verdict) = verdict.filter(|verdict| *verdict != Verdict::Allowed) {
            let refusal = Refusal { event, verdict };
            self.refusals.borrow_mut().insert(event, refusal);
            return Ok(Some((REFUSED.to_owned(), true)));
        }
        let limit = match self.newest.contains(&event) {
            true => self.rules.newest,
            false => self.rules.stale,
        };
        let ResultContent::Text(text) = &result.content else {
            return Ok(None);
        };
        if limit == 0 || self.rules.counter.count(text)? <= limit {
            return Ok(None);
        }
        let handle = handle_of(stored, part);
        let address = handle
            .as_ref()
            .map_or_else(|| format!("event:{event}"), ToString::to_string);
        let failed = result
            .is_error
            .then(|| self.failed(result, text, tried, attempt))
            .flatten();
        let text = failed.as_deref().unwrap_or(text);
        Ok(match cap(text, limit, &address, self.rules.counter)? {
            Capped::Whole => failed.map(|text| (text, false)),
            Capped::Shorter(text) => Some((text, false)),
            Capped::Address => {
                let left_out = || format!("[left out; whole: {address}]");
                Some((
                    handle.map_or_else(left_out, |handle| kept_as(&handle)),
                    false,
                ))
            }
        })
    }

    /// A failure without its stack trace, which is kept as an artifact; `None` where it has none.
    fn failed(
        &self,
        result: &ToolResult,
        text: &str,
        tried: &Tried,
        attempt: u32,
    ) -> Option<String> {
        let split = split_trace(text)?;
        let handle = ArtifactHandle {
            tenant: self.rules.tenant.clone(),
            name: trace_name(self.rules.session, &result.call_id, split.trace),
            version: 1,
            digest: Digest::of(split.trace.as_bytes()).prefix(HANDLE_DIGITS),
        };
        let mut out = redact_text(&split.message).into_owned();
        out.push_str("\n[");
        if let Some(class) = split.class {
            out.push_str(&format!("{class}; "));
        }
        if let Some(call) = tried
            .calls
            .iter()
            .rev()
            .find(|call| call.call_id == result.call_id)
        {
            let arguments = redact_json(&call.arguments);
            out.push_str(&format!(
                "{}({}), attempt {attempt}; ",
                call.name,
                arguments.as_str()
            ));
        }
        let lines = split.trace.lines().count();
        out.push_str(&format!("stack trace of {lines} lines kept as {handle}]"));
        Some(out)
    }
}

impl Tried {
    /// How often the tool of a result has failed in a row, this time included; 0 where it has not.
    fn count(&mut self, result: &ToolResult) -> u32 {
        let call = self
            .calls
            .iter()
            .rev()
            .find(|call| call.call_id == result.call_id);
        let name = call
            .map(|call| call.name.clone())
            .or_else(|| result.tool.clone());
        let count = self.failures.entry(name.unwrap_or_default()).or_default();
        *count = if result.is_error { *count + 1 } else { 0 };
        *count
    }
}

/// The events with the results of the last calls of a turn, all of one group.
fn newest_results(view: &TurnView) -> Vec<EventId> {
    let messages = &view.messages;
    let last = messages
        .iter()
        .rposition(|view| view.stored.message.results().next().is_some());
    let Some(last) = last else {
        return Vec::new();
    };
    let before = messages.get(..last).unwrap_or_default();
    let call = before
        .iter()
        .rposition(|view| view.stored.message.calls().next().is_some());
    let group = messages
        .get(call.map_or(last, |at| at + 1)..=last)
        .unwrap_or_default();
    group.iter().map(|view| view.stored.event_id).collect()
}

fn handle_of(stored: &StoredMessage, part: usize) -> Option<ArtifactHandle> {
    let mut large = stored.large_parts.iter();
    let found = large.find(|large| usize::try_from(large.part) == Ok(part))?;
    Some(found.handle.clone())
}

fn replace(stored: &mut StoredMessage, at: usize, content: String, refused: bool) {
    if let Some(Part::ToolResult(result)) = stored.message.parts.get_mut(at) {
        result.content = ResultContent::Text(content);
    }
    if refused {
        // Its handle would lead to what may not be shown.
        stored
            .large_parts
            .retain(|large| usize::try_from(large.part) != Ok(at));
    }
}

impl History for Screen<'_> {
    fn turn_count(&self) -> usize {
        self.history.turn_count()
    }

    fn turn(&self, position: usize) -> Result<TurnView> {
        self.turn_view(self.history.turn(position)?)
    }

    fn message(&self, event: EventId) -> Result<MessageView> {
        self.message_view(self.history.message(event)?, &mut Tried::default())
    }

    fn prefetch(&self, events: &[EventId]) {
        self.history.prefetch(events);
    }

    fn history_tokens(&self, overhead: u32) -> Result<u64> {
        self.history.history_tokens(overhead)
    }

    fn recall(&self, request: &RecallRequest<'_>) -> Result<Recall> {
        let mut recall = self.history.recall(request)?;
        let events: Vec<EventId> = recall.candidates.iter().map(|one| one.event_id).collect();
        self.history.prefetch(&events);
        let mut kept = Vec::with_capacity(recall.candidates.len());
        for mut candidate in recall.candidates {
            let tokens: MessageTokens = self.message(candidate.event_id)?.tokens;
            if self.refusals.borrow().contains_key(&candidate.event_id) {
                continue;
            }
            candidate.tokens = tokens;
            kept.push(candidate);
        }
        recall.candidates = kept;
        Ok(recall)
    }

    fn facts(&self) -> Result<Arc<Vec<Fact>>> {
        self.history.facts()
    }

    fn open_turn(&self) -> Result<Option<TurnView>> {
        let open = self.history.open_turn()?;
        open.map(|open| self.turn_view(open)).transpose()
    }
}
