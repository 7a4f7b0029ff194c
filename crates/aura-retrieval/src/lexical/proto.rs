#![allow(missing_docs, reason = "prototype")]
use super::dictionary::Dictionary;
use super::documents::{Document, Documents};
use super::norms::LengthTable;
use super::posting::Posting;
use super::postings::Postings;
use super::ranges::Ranges;
use super::search::{Search, Term};
use super::top::Top;
#[derive(Default, Debug)]
pub struct Proto { dict: Dictionary, postings: Postings, docs: Documents, ids: Vec<u32>, hidden: Ranges }
impl Proto {
    pub fn add(&mut self, text: &str) {
        self.ids.clear();
        for w in text.split_ascii_whitespace() { self.ids.push(self.dict.get_or_add(w.trim_end_matches('.'))); }
        let length = self.ids.len() as u32;
        self.ids.sort_unstable();
        let n = u64::from(self.docs.len());
        let d = self.docs.push(Document { event: n + 1, turn: n as u32, tokens: 80, time: 0, length });
        for run in self.ids.chunk_by(|a, b| a == b) {
            let p = Posting::new(d, run.len() as u32);
            if run[0] as usize >= self.postings.len() { self.postings.add_term(&[p], self.docs.codes()); }
            else { self.postings.push(run[0], p, self.docs.codes()); }
        }
    }
    pub fn search(&self, q: &str, k: usize, prune: bool, floor: f32) -> (Vec<(f32, u32)>, [u64; 8]) {
        let n = self.docs.len();
        let mut visible = Ranges::default();
        visible.set_difference(std::iter::once(0..n), &self.hidden);
        let avg = self.docs.words_between(0, n) as f32 / n as f32;
        let table = LengthTable::new(avg);
        let mut terms: smallvec::SmallVec<[Term<'_>; 16]> = smallvec::SmallVec::new();
        let mut max: f32 = 0.0;
        for w in q.split_ascii_whitespace() {
            if let Some(t) = self.dict.get(w) {
                let list = self.postings.list(t);
                let df = list.postings().len() as f32;
                let weight = (1.0 + (n as f32 - df + 0.5) / (df + 0.5)).ln() * 2.2;
                max = max.max(weight);
                terms.push(Term { list, weight });
            }
        }
        let scale = (((1 << 22) - 1) as f32 / max).log2().floor().exp2();
        for t in &mut terms { t.weight *= scale; }
        let mut top = Top::new(k); top.floor = (floor * scale) as i32 - 1;
        let mut s = Search::new(&self.docs, &visible, &table, &terms, prune);
        s.run(&mut top);
        let w = s.work;
        (top.into_sorted().map(|(s, d)| (s as f32 / scale, d)).collect(), [w.postings, w.windows, w.skipped, w.scored, w.sparse, w.looked, w.candidates, w.fulls])
    }
}
