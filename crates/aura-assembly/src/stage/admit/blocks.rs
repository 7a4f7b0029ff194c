//! Blocks of the host as candidates of P4: in which form, and for what room.

mod choice;
mod forms;
pub(crate) mod inputs;
mod triples;

use aura_core::{
    Block, BlockKind, BlockRef, CandidateRecord, Class, Fate, Reason, Result, Scores, Trust,
};
use aura_text::Bm25Set;

use self::choice::{Choice, choose};
use self::forms::{Form, Maker, Shape};
use self::triples::{Said, repeated, triples};
use crate::evidence::{Labelled, push_label};
use crate::excerpt::write_flat;
use crate::manifest::{rejected, selected};
use crate::meter::Meter;
use crate::request::{CompileRequest, Kept};
use crate::stage::resolve::Resolved;

/// More than any block of P4 is worth.
const PACKET: f32 = 1e4;

/// A block with the forms it may take.
#[derive(Debug, Clone)]
pub(super) struct Offer<'a> {
    block: &'a Block,
    forms: Vec<Form>,
    /// The value of each form.
    values: Vec<f32>,
    /// All of it was said before.
    twin: bool,
}

/// The blocks that are offered, the most valuable first.
#[derive(Debug, Default)]
pub(super) struct Offers<'a> {
    offers: Vec<Offer<'a>>,
    /// What stands in the context whatever is chosen.
    standing: Said,
    /// How many blocks were scored that the principal may not see: none, unless the filter is broken.
    pub(super) foreign: u64,
}

/// What was chosen of the blocks.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// What stands, the most valuable first.
    pub(super) shown: Vec<Labelled>,
    /// What it takes.
    pub(super) tokens: u32,
    /// One record a block.
    pub(super) records: Vec<CandidateRecord>,
    /// Texts that a handle stands for.
    pub(super) kept: Vec<Kept>,
    /// Those shown that do not say where they come from.
    pub(super) nameless: Vec<BlockRef>,
}

/// Scores every block in every form; `standing` are the texts that stand in any case.
pub(super) fn offer<'a>(
    request: &CompileRequest<'_>,
    query: &str,
    resolved: &Resolved<'a>,
    standing: &mut dyn Iterator<Item = &str>,
    meter: &Meter,
) -> Result<Offers<'a>> {
    let mut out = Offers::default();
    if resolved.evidence.is_empty() {
        return Ok(out);
    }
    for text in standing {
        out.standing.extend(triples(text));
    }
    let mut set = Bm25Set::new(request.analyzer.clone());
    for block in &resolved.evidence {
        set.add(block.text().unwrap_or_default());
    }
    let query = request.analyzer.query(query);
    let mut maker = Maker {
        request,
        query: &query,
        set,
        meter,
    };
    for block in &resolved.evidence {
        // Counted here, where the scores are made, and not where the filter was.
        let visible = block.is_visible_to(request.principal, request.now);
        out.foreign += u64::from(!visible);
        out.offers.push(Offer {
            block,
            forms: maker.forms(block)?,
            values: Vec::new(),
            twin: false,
        });
    }
    out.value(request);
    Ok(out)
}

impl<'a> Offers<'a> {
    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.offers.is_empty()
    }

    /// The tokens of the best form of each, and its value as a share of the highest, the most valuable first.
    pub(super) fn shares(&self, weights: inputs::Inputs) -> impl Iterator<Item = (u32, f32)> {
        let live = self.offers.iter().filter(|offer| !offer.twin);
        live.filter_map(move |offer| {
            let (form, value) = offer.best()?;
            Some((form.tokens, inputs::share(value, weights)))
        })
    }

    /// Orders the blocks by value, and takes off what repeats the more valuable.
    fn value(&mut self, request: &CompileRequest<'_>) {
        let weights = request.policy.weights;
        for offer in &mut self.offers {
            offer.value(&self.standing, weights);
        }
        self.offers.sort_by(|a, b| {
            let best = |offer: &Offer<'_>| offer.best().map_or(f32::MIN, |(_, value)| value);
            let by_id = || a.block.block_id.cmp(&b.block.block_id);
            best(b).total_cmp(&best(a)).then_with(by_id)
        });
        let mut said = self.standing.clone();
        for offer in &mut self.offers {
            offer.value(&said, weights);
            said.extend(offer.forms.first().iter().flat_map(|whole| &whole.triples));
        }
    }

    /// Chooses forms worth the most under `room` tokens, at most `most` of them.
    pub(super) fn choose(mut self, request: &CompileRequest<'_>, room: u32, most: usize) -> Chosen {
        let weights = request.policy.weights;
        let choices = |offer: &Offer<'a>| -> Vec<Choice> {
            let forms = offer.forms.iter().zip(&offer.values);
            let open = forms.filter(|_| !offer.twin);
            open.map(|(form, value)| Choice {
                tokens: form.tokens,
                value: *value,
            })
            .collect()
        };
        let groups: Vec<Vec<Choice>> = self.offers.iter().map(choices).collect();
        let mut picks = choose(&groups, room);
        let crowded = keep_best(&groups, &mut picks, most);
        self.revive(&mut picks, room, most, weights);
        self.account(&picks, &crowded)
    }

    /// Offers what was left out as said before, where what says it does not stand after all.
    fn revive(
        &mut self,
        picks: &mut [Option<usize>],
        room: u32,
        most: usize,
        weights: inputs::Inputs,
    ) {
        if !self.offers.iter().any(|offer| offer.twin) {
            return;
        }
        let mut said = self.standing.clone();
        let mut left = room;
        let mut places = most;
        for (offer, pick) in self.offers.iter().zip(picks.iter()) {
            if let Some(form) = pick.and_then(|at| offer.forms.get(at)) {
                said.extend(&form.triples);
                left = left.saturating_sub(form.tokens);
                places = places.saturating_sub(1);
            }
        }
        for (offer, pick) in self.offers.iter_mut().zip(picks) {
            if !offer.twin || places == 0 {
                continue;
            }
            offer.value(&said, weights);
            if offer.twin {
                continue;
            }
            let forms = offer.forms.iter().zip(&offer.values).enumerate();
            let fitting = forms.filter(|(_, (form, value))| form.tokens <= left && **value > 0.0);
            let best = fitting.max_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b));
            if let Some((at, (form, _))) = best {
                *pick = Some(at);
                said.extend(&form.triples);
                left -= form.tokens;
                places -= 1;
            }
        }
    }

    fn account(self, picks: &[Option<usize>], crowded: &[usize]) -> Chosen {
        let mut chosen = Chosen::default();
        for (at, (offer, pick)) in self.offers.into_iter().zip(picks).enumerate() {
            let block = BlockRef::Block(offer.block.block_id.clone());
            let kind = offer.block.kind;
            let class = if offer.is_packet() {
                Class::P3
            } else {
                Class::P4
            };
            let Some(place) = *pick else {
                let reason = offer.why_not(crowded.contains(&at));
                let form = offer.best().map(|(form, _)| form).or(offer.forms.first());
                let tokens = form.map_or(0, |form| form.tokens);
                let stage = aura_core::Stage::Admit;
                let mut record = rejected(block, kind, class, tokens, stage, reason);
                record.scores = form.map_or_else(Scores::default, scores);
                chosen.records.push(record);
                continue;
            };
            let mut forms = offer.forms;
            if place >= forms.len() {
                continue;
            }
            let by_handle = forms
                .get(place)
                .is_some_and(|form| form.shape == Shape::Handle);
            // A handle says nothing: the manifest has what the text would have been worth.
            let whole = forms.first().map(scores).unwrap_or_default();
            let form = forms.swap_remove(place);
            let reason = form.shape.reason();
            let mut record = selected(block.clone(), kind, class, form.tokens, reason);
            record.scores = if by_handle { whole } else { scores(&form) };
            if by_handle {
                record.fate = Fate::ReplacedByHandle;
            }
            chosen.records.push(record);
            chosen.tokens = chosen.tokens.saturating_add(form.tokens);
            if let (Some(handle), Some(text)) = (form.handle, offer.block.text()) {
                let text = text.to_owned();
                chosen.kept.push(Kept { handle, text });
            }
            let by_reference = offer.block.text().is_none();
            if offer.block.source.is_none() && !by_reference {
                chosen.nameless.push(block);
            }
            chosen.shown.push(form.shown);
        }
        chosen
    }
}

impl Offer<'_> {
    /// Whether it comes from another agent.
    fn is_packet(&self) -> bool {
        self.block.kind == BlockKind::Packet
    }

    /// The form of the highest value, the first of equals.
    fn best(&self) -> Option<(&Form, f32)> {
        let forms = self.forms.iter().zip(&self.values);
        forms.fold(
            None,
            |best: Option<(&Form, f32)>, (form, value)| match best {
                Some((_, highest)) if highest >= *value => best,
                _ => Some((form, *value)),
            },
        )
    }

    /// Takes into account what was said before.
    fn value(&mut self, said: &Said, weights: inputs::Inputs) {
        self.values.clear();
        self.twin = false;
        let packet = self.is_packet();
        for (at, form) in self.forms.iter_mut().enumerate() {
            let (share, by_others) = repeated(&form.triples, said);
            self.twin |= at == 0 && by_others && !packet;
            if let Some(slot) = form.inputs.get_mut(4) {
                *slot = inputs::duplication(share);
            }
            // Packets are P3: before all that is recalled, among themselves by worth.
            let class = if packet { PACKET } else { 0.0 };
            self.values
                .push(class + inputs::value(form.inputs, weights));
        }
    }

    fn why_not(&self, crowded: bool) -> Reason {
        if self.forms.is_empty() {
            Reason::Empty
        } else if self.twin {
            Reason::NearDuplicate
        } else if crowded {
            Reason::BeyondTopK
        } else if self.values.iter().all(|value| *value <= 0.0) {
            Reason::LowValue
        } else {
            Reason::OverBudget
        }
    }
}

/// Gives up the least valuable picks beyond `most`; says which.
fn keep_best(groups: &[Vec<Choice>], picks: &mut [Option<usize>], most: usize) -> Vec<usize> {
    let value = |group: usize, at: usize| {
        let form = groups.get(group).and_then(|forms| forms.get(at));
        form.map_or(0.0, |form| form.value)
    };
    let picked = picks.iter().enumerate();
    let mut picked: Vec<(usize, f32)> = picked
        .filter_map(|(group, pick)| Some((group, value(group, (*pick)?))))
        .collect();
    picked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let beyond: Vec<usize> = picked.iter().skip(most).map(|(group, _)| *group).collect();
    for group in &beyond {
        if let Some(pick) = picks.get_mut(*group) {
            *pick = None;
        }
    }
    beyond
}

fn scores(form: &Form) -> Scores {
    Scores {
        admission: Some(form.inputs),
        lexical: (form.fit.score > 0.0).then_some(form.fit.score),
        relevance: Some(form.fit.relevance),
        ..Scores::default()
    }
}

/// An approved policy as it opens the system message.
pub(super) fn policy_text(block: &Block) -> String {
    let mut text = String::from("Policy on ");
    write_flat(&mut text, block.subject.as_deref().unwrap_or("all"));
    if let Some(version) = &block.version {
        text.push_str(", version ");
        write_flat(&mut text, version);
    }
    text.push_str(":\n");
    text.push_str(block.text().unwrap_or_default());
    text
}

/// One remark for each conflict, which names the sources.
pub(super) fn remarks(resolved: &Resolved<'_>) -> Vec<Labelled> {
    let remark = |(subject, sources): &(String, Vec<&Block>)| {
        let mut labels = String::new();
        push_label(&mut labels, "kind", "conflict");
        push_label(&mut labels, "subject", subject);
        push_label(&mut labels, "trust", Trust::Untrusted.as_str());
        let mut text = String::from("These sources disagree, and none of them is settled:");
        for block in sources {
            text.push_str("\n- ");
            write_flat(&mut text, block.block_id.as_str());
            if let Some(source) = &block.source {
                text.push_str(", ");
                write_flat(&mut text, source);
            }
        }
        Labelled { labels, text }
    };
    resolved.conflicts.iter().map(remark).collect()
}
