//! One offer to the budget: its costs, what it corrects, and the verdict.

use aura_core::{CandidateRecord, EventId, EventRange, Fate, Reason, RecallForm, Result};

use super::likeness::{alike, glimpse, says};
use super::{
    Form, Group, Item, Picker, frame_tokens, group_tokens, intro_tokens, ranges, selected,
};
use crate::facts::FactLine;

impl Picker<'_> {
    /// Whether an item may stand; if so its tokens are taken, and so are those of the facts that correct it.
    pub(super) fn offer(&mut self, item: &Item) -> Result<Result<(), Reason>> {
        if item.tokens == 0 {
            return Ok(Err(Reason::Empty));
        }
        if item.events().any(|event| self.shown.contains(&event)) {
            return Ok(Err(Reason::AlreadyShown));
        }
        let recall = self.recall.saturating_add(item.recall);
        let cap = self.request.policy.max_recall_tokens;
        if cap.is_some_and(|cap| recall > cap) {
            return Ok(Err(Reason::OverRecallBudget));
        }
        let cost = item.tokens.saturating_add(self.frame_for(item)?);
        if cost > self.room.left() {
            return Ok(Err(Reason::OverBudget));
        }
        if self.says_it_already(item) {
            return Ok(Err(Reason::NearDuplicate));
        }
        let (facts, more) = match self.corrected(item)? {
            Ok(corrected) => corrected,
            Err(reason) => return Ok(Err(reason)),
        };
        if !self.room.try_take(cost.saturating_add(more)) {
            return Ok(Err(Reason::OverBudget));
        }
        self.recall = recall;
        self.facts = facts.unwrap_or_else(|| std::mem::take(&mut self.facts));
        Ok(Ok(()))
    }

    /// Notes what became of an item, and keeps it if it stands.
    pub(super) fn settle(&mut self, item: Item, verdict: Result<(), Reason>, why: Reason) {
        let mut record: CandidateRecord = selected(
            item.block.clone(),
            item.kind,
            item.class,
            item.tokens,
            verdict.err().unwrap_or(why),
        );
        record.scores = item.scores;
        match verdict {
            Ok(()) => {
                record.events = match item.sources.as_slice() {
                    [only] => vec![EventRange::new(only.event_id, only.event_id)],
                    _ => {
                        let mut events: Vec<EventId> = item.events().collect();
                        events.sort_unstable();
                        ranges(events)
                    }
                };
                for stored in &item.sources {
                    self.remember(stored);
                }
                self.items.push(item);
            }
            Err(_) => record.fate = Fate::Rejected,
        }
        self.records.push(record);
    }

    /// Whether the message of facts, recalled items and evidence exists already.
    pub(super) fn has_message(&self) -> bool {
        let excerpt = |item: &Item| matches!(item.form, Form::Excerpts(_));
        !self.facts.is_empty() || !self.blocks.is_empty() || self.items.iter().any(excerpt)
    }

    /// What surrounds an item, if it is the first of its kind.
    fn frame_for(&self, item: &Item) -> Result<u32> {
        if self.request.policy.recall_form == RecallForm::Messages
            && matches!(item.form, Form::Messages(_))
        {
            return Ok(0);
        }
        let excerpt = |item: &Item| matches!(item.form, Form::Excerpts(_));
        if self.items.iter().any(excerpt) {
            return Ok(0);
        }
        let message = if self.has_message() {
            0
        } else {
            intro_tokens(self.meter)?
        };
        Ok(message.saturating_add(group_tokens(Group::Recalled, self.meter)?))
    }

    fn says_it_already(&self, item: &Item) -> bool {
        let [only] = item.sources.as_slice() else {
            return false;
        };
        let glimpse = glimpse(only);
        let mut said = self.said.get(&glimpse).into_iter().flatten();
        let same_question = |(other, text): &(u64, String)| *other == glimpse && says(only, text);
        said.any(|shown| alike(shown, only)) || self.question.as_ref().is_some_and(same_question)
    }

    /// The facts as they must be once an item is shown, and what they cost more; nothing, where it says nothing that
    /// has been superseded.
    #[expect(
        clippy::type_complexity,
        reason = "a verdict with what it was reached by"
    )]
    fn corrected(&self, item: &Item) -> Result<Result<(Option<Vec<FactLine>>, u32), Reason>> {
        let events = item.events();
        let mut corrections = events
            .flat_map(|event| self.book.corrections(event))
            .peekable();
        if corrections.peek().is_none() {
            return Ok(Ok((None, 0)));
        }
        let most = usize::try_from(self.request.policy.max_facts).unwrap_or(usize::MAX);
        let mut facts = self.facts.clone();
        for (target, past) in corrections {
            let line = |corrects| FactLine::of(&self.book.facts, target, corrects, self.meter);
            if let Some(shown) = facts.iter_mut().find(|line| line.at == target) {
                if !shown.corrects.contains(&past) {
                    let mut corrects = shown.corrects.clone();
                    corrects.push(past);
                    *shown = line(corrects)?;
                }
                continue;
            }
            if facts.len() >= most {
                let Some(weakest) = facts.iter().rposition(|line| !line.is_correction()) else {
                    return Ok(Err(Reason::Superseded));
                };
                facts.remove(weakest);
            }
            let place = facts.iter().take_while(|line| line.is_correction()).count();
            facts.insert(place, line(vec![past])?);
        }
        let sum = |facts: &[FactLine]| {
            facts
                .iter()
                .fold(0_u32, |sum, line| sum.saturating_add(line.tokens))
        };
        let mut more = sum(&facts).saturating_sub(sum(&self.facts));
        if self.facts.is_empty() {
            more = more.saturating_add(frame_tokens(self.request.now, self.meter)?);
        }
        Ok(Ok((Some(facts), more)))
    }
}
