//! Links: from a tool with a parameter to the tools that give what it names.
//!
//! Who asks for the distance between two cities may need `city_to_zipcode` first, because the parameters of
//! `estimate_distance` are zip codes; no word of the request says so. So a tool that fits lends some of its score to tools
//! of the same server whose names say what its parameters want.

use rustc_hash::FxHashMap;

/// The smallest share of a name that must be wanted: less is a common word.
const LEAST: f32 = 0.3;

/// Which terms the names have, and which the parameters want.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// For each term the tools that have it in their names.
    named: FxHashMap<u32, Vec<u32>>,
    /// For each tool what its name weighs: the sum of its terms' idf.
    weights: Vec<f32>,
    /// For each tool the terms of its parameters.
    wanted: Vec<Vec<u32>>,
}

impl Links {
    pub(super) fn new(names: &[Vec<u32>], wanted: Vec<Vec<u32>>, idf: &[f32]) -> Self {
        let of = |term: &u32| idf.get(*term as usize).copied().unwrap_or(0.0);
        let mut named: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (tool, terms) in names.iter().enumerate() {
            for term in terms {
                let tool = u32::try_from(tool).unwrap_or(u32::MAX);
                named.entry(*term).or_default().push(tool);
            }
        }
        Self {
            named,
            weights: names
                .iter()
                .map(|terms| terms.iter().map(of).sum())
                .collect(),
            wanted,
        }
    }

    /// What the lenders lend to other tools of their server: the best offer for each, in no particular order.
    pub(super) fn lend(
        &self,
        lenders: &[u32],
        servers: &[u32],
        idf: &[f32],
        score: impl Fn(u32) -> f32,
    ) -> FxHashMap<u32, f32> {
        let mut out: FxHashMap<u32, f32> = FxHashMap::default();
        let mut shares: FxHashMap<u32, f32> = FxHashMap::default();
        for lender in lenders {
            let server = servers.get(*lender as usize);
            let score = score(*lender);
            shares.clear();
            for term in self.wanted.get(*lender as usize).into_iter().flatten() {
                let weight = idf.get(*term as usize).copied().unwrap_or(0.0);
                for tool in self.named.get(term).into_iter().flatten() {
                    if tool != lender && servers.get(*tool as usize) == server {
                        *shares.entry(*tool).or_default() += weight;
                    }
                }
            }
            for (tool, weight) in &shares {
                let name = self.weights.get(*tool as usize).copied().unwrap_or(0.0);
                let share = weight / name.max(f32::MIN_POSITIVE);
                if share >= LEAST {
                    let lent = out.entry(*tool).or_default();
                    *lent = lent.max(score * share.min(1.0));
                }
            }
        }
        out
    }
}
