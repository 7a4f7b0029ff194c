//! The index of a toolbox: how well each tool fits a request.
//!
//! Scored are, in this order: the words of a definition by field (BM25F, Robertson and Zaragoza 2009); the same for each
//! clause of the request alone, since one request often wants several tools; the tool that gives what a parameter of a
//! fitting tool names ([`links`](super::links)); and the company a tool keeps: where other tools of its server fit, it is
//! likelier. The weights were found by random search on one half of two labelled sets of tools and held on the other;
//! `docs/tools.md` has the figures.

use aura_core::{Calibration, RawJson};
use aura_text::{Analyzer, Bm25, Scratch, TermKind};
use rustc_hash::FxHashMap;

use super::ask::AskedTerms;
use super::fields::Parameters;
use super::lead::leads;
use super::links::Links;

const BM25: Bm25 = Bm25 { k1: 1.5, b: 0.75 };
const NAME: f32 = 2.0;
const SERVER: f32 = 2.0;
const DESCRIPTION: f32 = 1.0;
const LEAD: f32 = 0.3;
const PARAMETER_NAME: f32 = 0.5;
const PARAMETER_TEXT: f32 = 0.5;

/// The count at which a repeated word of a request has half its ceiling.
const SATURATION: f32 = 0.5;
/// What the best clause counts beside the whole.
const CLAUSE: f32 = 0.2;
/// What a link counts.
const LINK: f32 = 0.15;
/// What a server's best tools count for each of its tools.
const COMPANY: f32 = 0.25;
/// How many of a server's tools make its company.
const COMPANIONS: usize = 3;
/// How many of the best tools lend by their links.
const LENDERS: usize = 5;
/// What meaning counts beside words.
const DENSE: f32 = 0.5;

/// What is indexed of a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Indexed<'a> {
    /// Its server; empty where that is not known.
    pub(super) server: &'a str,
    /// Its name there.
    pub(super) name: &'a str,
    /// What it does.
    pub(super) description: &'a str,
    /// The schema of its arguments.
    pub(super) parameters: &'a RawJson,
}

/// How well a tool fits a request.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ToolRank {
    /// BM25F of its definition.
    pub lexical: f32,
    /// The cosine, where there are vectors.
    pub dense: Option<f32>,
    /// Absolute relevance in [0, 1]: 0 where no word is shared and the cosine, if any, says no more than chance.
    pub relevance: f32,
    /// What the order goes by; comparable within one request only.
    pub rank: f32,
}

/// The cosines of a question with each tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCosines {
    /// One for each tool, in the toolbox's order.
    pub cosines: Vec<f32>,
    /// What they mean; without it they order and do not count as relevance.
    pub calibration: Option<Calibration>,
}

/// An index over the definitions of a toolbox.
#[derive(Debug)]
pub(super) struct ToolIndex {
    analyzer: Analyzer,
    terms: FxHashMap<Box<str>, u32>,
    /// For each term the tools that have it, with what an occurrence in the request scores.
    postings: Vec<Vec<(u32, f32)>>,
    idf: Vec<f32>,
    /// What a term scores that no tool has.
    unknown: f32,
    servers: Vec<u32>,
    links: Links,
}

impl ToolIndex {
    pub(super) fn new(tools: &[Indexed<'_>], analyzer: &Analyzer) -> Self {
        let mut build = Build::new(analyzer);
        let described: Vec<(&str, &str)> = tools
            .iter()
            .map(|tool| (tool.server, tool.description))
            .collect();
        let leads = leads(&described);
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        let mut servers = Vec::with_capacity(tools.len());
        for (tool, lead) in tools.iter().zip(leads) {
            build.add(tool, lead);
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            servers.push(*known.entry(tool.server).or_insert(next));
        }
        build.finish(servers)
    }

    /// How well each tool fits, in the order of the toolbox.
    pub(super) fn rank(&self, question: &str, cosines: Option<&ToolCosines>) -> Vec<ToolRank> {
        let asked = AskedTerms::of(question, &self.analyzer, SATURATION);
        let count = self.servers.len();
        let terms: Vec<Option<usize>> = asked
            .terms
            .iter()
            .map(|term| self.find(&term.text))
            .collect();
        let mut scores = vec![0.0_f32; count];
        let mut full = 0.0;
        for (term, number) in asked.terms.iter().zip(&terms) {
            full += term.weight * number.map_or(self.unknown, |number| self.idf_of(number));
            self.add(*number, term.weight, &mut scores);
        }
        let best = scores.iter().copied().fold(0.0, f32::max);
        let mut ranks = vec![0.0; count];
        if best > 0.0 {
            self.by_words(&asked, &terms, &scores, best, &mut ranks);
        }
        if let Some(dense) = cosines.filter(|dense| dense.cosines.len() == count) {
            by_meaning(&dense.cosines, &mut ranks);
        }
        let all = scores.iter().zip(&ranks).enumerate();
        all.map(|(at, (score, rank))| {
            let lexical = Bm25::relevance(*score, full);
            let cosine = cosines.and_then(|dense| dense.cosines.get(at).copied());
            let calibration = cosines.and_then(|dense| dense.calibration);
            let near = cosine.zip(calibration);
            let near = near.map_or(0.0, |(cosine, calibration)| calibration.relevance(cosine));
            ToolRank {
                lexical: *score,
                dense: cosine,
                relevance: 1.0 - (1.0 - lexical) * (1.0 - near),
                rank: *rank,
            }
        })
        .collect()
    }

    fn find(&self, term: &str) -> Option<usize> {
        usize::try_from(*self.terms.get(term)?).ok()
    }

    fn idf_of(&self, number: usize) -> f32 {
        self.idf.get(number).copied().unwrap_or(self.unknown)
    }

    fn add(&self, number: Option<usize>, weight: f32, scores: &mut [f32]) {
        let list = number.and_then(|number| self.postings.get(number));
        for (tool, impact) in list.into_iter().flatten() {
            if let Some(score) = scores.get_mut(*tool as usize) {
                *score += weight * impact;
            }
        }
    }

    fn by_words(
        &self,
        asked: &AskedTerms,
        terms: &[Option<usize>],
        scores: &[f32],
        best: f32,
        ranks: &mut [f32],
    ) {
        let mut clause_best = vec![0.0_f32; scores.len()];
        let mut within = vec![0.0_f32; scores.len()];
        for clause in &asked.clauses {
            within.fill(0.0);
            for (at, weight) in clause {
                self.add(terms.get(*at).copied().flatten(), *weight, &mut within);
            }
            // A clause that fits nothing well says little.
            let scale = within.iter().copied().fold(0.0, f32::max) + best;
            for (kept, score) in clause_best.iter_mut().zip(&within) {
                *kept = kept.max(score / scale);
            }
        }
        let all = ranks.iter_mut().zip(scores).zip(&clause_best);
        for ((rank, score), clause) in all {
            *rank = score / best + CLAUSE * clause;
        }
        let company = self.company(ranks);
        let lenders = lenders(ranks);
        let lent = self.links.lend(&lenders, &self.servers, &self.idf, |tool| {
            scores.get(tool as usize).map_or(0.0, |score| score / best)
        });
        for (rank, server) in ranks.iter_mut().zip(&self.servers) {
            *rank += COMPANY * company.get(*server as usize).copied().unwrap_or(0.0);
        }
        for (tool, share) in lent {
            if let Some(rank) = ranks.get_mut(tool as usize) {
                *rank += LINK * share;
            }
        }
        let most = 1.0 + CLAUSE + LINK + COMPANY;
        ranks.iter_mut().for_each(|rank| *rank /= most);
    }

    /// For each server the mean of its best tools; a server of fewer tools has less company.
    fn company(&self, ranks: &[f32]) -> Vec<f32> {
        let servers = self
            .servers
            .iter()
            .max()
            .map_or(0, |last| *last as usize + 1);
        let mut best = vec![[0.0_f32; COMPANIONS]; servers];
        for (rank, server) in ranks.iter().zip(&self.servers) {
            let Some(best) = best.get_mut(*server as usize) else {
                continue;
            };
            let mut rank = *rank;
            for slot in best {
                if rank > *slot {
                    std::mem::swap(&mut rank, slot);
                }
            }
        }
        let mean = |best: [f32; COMPANIONS]| best.iter().sum::<f32>() / COMPANIONS as f32;
        best.into_iter().map(mean).collect()
    }
}

/// The best few tools, the best first.
fn lenders(ranks: &[f32]) -> Vec<u32> {
    let mut best: Vec<(f32, u32)> = Vec::with_capacity(LENDERS + 1);
    for (at, rank) in ranks.iter().enumerate() {
        let full = best.len() == LENDERS;
        if *rank <= 0.0 || (full && best.last().is_some_and(|(last, _)| rank <= last)) {
            continue;
        }
        let place = best.partition_point(|(other, _)| other >= rank);
        best.insert(place, (*rank, u32::try_from(at).unwrap_or(u32::MAX)));
        best.truncate(LENDERS);
    }
    best.into_iter().map(|(_, at)| at).collect()
}

/// Mixes the cosines in, scaled over the tools.
fn by_meaning(cosines: &[f32], ranks: &mut [f32]) {
    let low = cosines.iter().copied().fold(f32::MAX, f32::min);
    let high = cosines.iter().copied().fold(f32::MIN, f32::max);
    let span = (high - low).max(f32::MIN_POSITIVE);
    for (rank, cosine) in ranks.iter_mut().zip(cosines) {
        *rank = (1.0 - DENSE) * *rank + DENSE * (cosine - low) / span;
    }
}

/// An index under construction.
struct Build<'a> {
    analyzer: &'a Analyzer,
    scratch: Scratch,
    terms: FxHashMap<Box<str>, u32>,
    frequencies: Vec<Vec<(u32, f32)>>,
    lengths: Vec<f32>,
    names: Vec<Vec<u32>>,
    parameters: Vec<Vec<u32>>,
}

impl<'a> Build<'a> {
    fn new(analyzer: &'a Analyzer) -> Self {
        Self {
            analyzer,
            scratch: Scratch::new(),
            terms: FxHashMap::default(),
            frequencies: Vec::new(),
            lengths: Vec::new(),
            names: Vec::new(),
            parameters: Vec::new(),
        }
    }

    fn add(&mut self, tool: &Indexed<'_>, lead: usize) {
        let parameters = Parameters::of(tool.parameters);
        let (lead, rest) = tool
            .description
            .split_at_checked(lead)
            .unwrap_or(("", tool.description));
        let mut names = self.field(tool.name, NAME, |kind| kind != TermKind::Whole);
        if names.is_empty() {
            names = self.field(tool.name, 0.0, |_| true);
        }
        self.field(tool.server, SERVER, |_| false);
        self.field(rest, DESCRIPTION, |_| false);
        self.field(lead, LEAD, |_| false);
        let mut wanted = self.field(&parameters.names, PARAMETER_NAME, |_| true);
        wanted.extend(self.field(&parameters.texts, PARAMETER_TEXT, |_| true));
        for list in [&mut names, &mut wanted] {
            list.sort_unstable();
            list.dedup();
        }
        self.lengths.resize(self.names.len() + 1, 0.0);
        self.names.push(names);
        self.parameters.push(wanted);
    }

    /// Adds the words of a field of the tool under way; gives the terms of the kinds asked for.
    fn field(&mut self, text: &str, weight: f32, wanted: impl Fn(TermKind) -> bool) -> Vec<u32> {
        let tool = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let (terms, frequencies) = (&mut self.terms, &mut self.frequencies);
        let mut out = Vec::new();
        let mut length = 0.0;
        self.analyzer
            .for_each_term(text, &mut self.scratch, |term| {
                if term.stop {
                    return;
                }
                let number = match terms.get(term.text) {
                    Some(number) => *number,
                    None => {
                        let number = u32::try_from(frequencies.len()).unwrap_or(u32::MAX);
                        terms.insert(term.text.into(), number);
                        frequencies.push(Vec::new());
                        number
                    }
                };
                if wanted(term.kind) {
                    out.push(number);
                }
                length += weight;
                if let Some(list) = frequencies
                    .get_mut(number as usize)
                    .filter(|_| weight > 0.0)
                {
                    match list.last_mut() {
                        Some((last, frequency)) if *last == tool => *frequency += weight,
                        _ => list.push((tool, weight)),
                    }
                }
            });
        match self.lengths.get_mut(tool as usize) {
            Some(known) => *known += length,
            None => self.lengths.push(length),
        }
        out
    }

    fn finish(self, servers: Vec<u32>) -> ToolIndex {
        let count = self.lengths.len();
        let average = self.lengths.iter().sum::<f32>() / count.max(1) as f32;
        let norms: Vec<f32> = self
            .lengths
            .iter()
            .map(|length| BM25.norm(*length, average))
            .collect();
        let mut postings = self.frequencies;
        let mut idf = Vec::with_capacity(postings.len());
        for list in &mut postings {
            let rarity = Bm25::idf(count as u64, list.len() as u64);
            for (tool, impact) in list.iter_mut() {
                let norm = norms.get(*tool as usize).copied().unwrap_or(BM25.k1);
                *impact = rarity * BM25.tf(*impact, norm);
            }
            idf.push(rarity);
        }
        ToolIndex {
            analyzer: self.analyzer.clone(),
            terms: self.terms,
            links: Links::new(&self.names, self.parameters, &idf),
            postings,
            idf,
            unknown: Bm25::idf(count as u64, 0),
            servers,
        }
    }
}
