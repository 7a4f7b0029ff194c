//! The context policy: how a context is compiled.

mod limits;
mod ranking;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::json;

pub use limits::{Seconds, TopK};
pub use ranking::RankingWeights;

/// How the history is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyMode {
    /// Recent turns verbatim, what the question needs from further back, and facts.
    #[default]
    PrioritySelective,
    /// The whole transcript, as much as the budget holds; the oldest turns go first.
    FullHistory,
    /// The `recency_turns` newest turns and nothing else of the history.
    Windowed,
    /// The newest turns, and the facts in place of the rest; also spelt `window+summary`.
    #[serde(alias = "window+summary")]
    WindowSummary,
}

impl PolicyMode {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PrioritySelective => "priority-selective",
            Self::FullHistory => "full-history",
            Self::Windowed => "windowed",
            Self::WindowSummary => "window-summary",
        }
    }
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// The name in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

choice!(
    /// What is recalled as one item.
    RecallUnit {
        /// Single messages.
        #[default]
        Message = "message",
        /// Whole turns.
        Turn = "turn",
    }
);
choice!(
    /// How recalled items are shown.
    RecallForm {
        /// Dated, attributed excerpts in one fenced part on the user's side, before the question.
        #[default]
        Excerpts = "excerpts",
        /// Replayed as messages of their own role.
        Messages = "messages",
    }
);
choice!(
    /// Where recall looks.
    RecallScope {
        /// This session.
        #[default]
        Session = "session",
        /// All sessions of the same tenant, user and agent.
        User = "user",
    }
);
choice!(
    /// What a failure on the read path gives.
    OnFailure {
        /// The stored transcript under the budget.
        #[default]
        FullHistory = "full-history",
        /// Policy and verified blocks only.
        Restricted = "restricted",
        /// A typed error.
        Error = "error",
    }
);
choice!(
    /// What a conflict between sources gives.
    OnConflict {
        /// One attributed notice that names both sides.
        #[default]
        Surface = "surface",
        /// A context marked read-only.
        Restrict = "restrict",
        /// A typed error.
        Error = "error",
    }
);
choice!(
    /// How the prefix of successive contexts is treated.
    PrefixMode {
        /// Compiled afresh each turn.
        #[default]
        Selective = "selective",
        /// Re-sent unchanged up to a compaction point.
        AppendOnly = "append-only",
    }
);
choice!(
    /// What becomes of a provider's sealed reasoning.
    Reasoning {
        /// Kept while it is valid.
        #[default]
        Keep = "keep",
        /// Taken out everywhere.
        StripAll = "strip-all",
        /// Left to the provider to drop.
        DropBlock = "drop-block",
    }
);

/// The floor of relevance below which nothing is recalled, as measured; see `docs/retrieval.md`.
pub const DEFAULT_MIN_RELEVANCE: f32 = 0.015;

/// How a context is compiled. Unknown fields and values out of range are rejected by name.
///
/// ```
/// use aura_core::ContextPolicy;
/// let policy = ContextPolicy::from_json(br#"{"token_budget": 2000, "mode": "window+summary"}"#).unwrap();
/// assert_eq!(policy.token_budget, 2000);
/// let error = ContextPolicy::from_json(br#"{"token_budget": 0}"#).unwrap_err();
/// assert_eq!(error.field(), Some("token_budget"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContextPolicy {
    /// How the history is chosen.
    pub mode: PolicyMode,
    /// Input tokens for the whole rendered list: system text, tools, skills, messages and their overhead.
    pub token_budget: u32,
    /// Tokens taken off the budget first.
    pub response_reserve: u32,
    /// Cap on bare recalled content: per message the tokens of `speaker: text` plus 4.
    pub max_recall_tokens: Option<u32>,
    /// How many of the newest turns are shown verbatim (P2).
    pub recency_turns: u32,
    /// Whether facts are shown.
    pub facts_enabled: bool,
    /// Whether older messages are recalled.
    pub retrieval_enabled: bool,
    /// Ceiling on recalled items (P4), never a quota.
    pub top_k: TopK,
    /// What is recalled as one item.
    pub recall_unit: RecallUnit,
    /// How recalled items are shown.
    pub recall_form: RecallForm,
    /// Where recall looks.
    pub recall_scope: RecallScope,
    /// A longer pause starts a new sitting, which neighbour windows do not cross.
    pub sitting_gap: Seconds,
    /// Absolute floor of relevance in [0, 1] below which nothing is recalled.
    pub min_relevance: f32,
    /// What each signal counts when candidates are ranked.
    pub ranking: RankingWeights,
    /// At most this many facts are shown.
    pub max_facts: u32,
    /// Whether the remaining turns are offered as P5.
    pub include_unselected: bool,
    /// 0 shows every tool; k admits the k most relevant.
    pub tool_top_k: u32,
    /// Floor of relevance for tools in [0, 1].
    pub min_tool_relevance: f32,
    /// Cap on the newest tool results, in tokens; 0 is verbatim.
    pub max_result_tokens: u32,
    /// Cap on older tool results, in tokens; 0 is verbatim.
    pub stale_result_tokens: u32,
    /// 0 shows all skill bodies; k shows k manifests, bodies on demand.
    pub skill_top_k: u32,
    /// Floor of relevance for skills in [0, 1].
    pub min_skill_relevance: f32,
    /// Cap on a skill body, in tokens; 0 is verbatim.
    pub max_skill_body_tokens: u32,
    /// Display gate for packets in [0, 1].
    pub min_handoff_relevance: f32,
    /// Cap on a packet, in tokens.
    pub max_handoff_tokens: u32,
    /// What a failure on the read path gives.
    pub on_failure: OnFailure,
    /// What a conflict between sources gives.
    pub on_conflict: OnConflict,
    /// How the prefix of successive contexts is treated.
    pub prefix_mode: PrefixMode,
    /// What becomes of a provider's sealed reasoning.
    pub reasoning: Reasoning,
    /// Recorded in every manifest, part of the cache key.
    pub policy_version: String,
    /// Weights of R, A, F, I, D, C in admission, each 0 to 100.
    pub weights: [f32; 6],
}

impl Default for ContextPolicy {
    fn default() -> Self {
        Self {
            mode: PolicyMode::default(),
            token_budget: 4096,
            response_reserve: 0,
            max_recall_tokens: None,
            recency_turns: 2,
            facts_enabled: true,
            retrieval_enabled: true,
            top_k: TopK::Auto,
            recall_unit: RecallUnit::default(),
            recall_form: RecallForm::default(),
            recall_scope: RecallScope::default(),
            sitting_gap: Seconds(6 * 60 * 60),
            min_relevance: DEFAULT_MIN_RELEVANCE,
            ranking: RankingWeights::default(),
            max_facts: 12,
            include_unselected: false,
            tool_top_k: 0,
            min_tool_relevance: 0.0,
            max_result_tokens: 0,
            stale_result_tokens: 0,
            skill_top_k: 0,
            min_skill_relevance: 0.0,
            max_skill_body_tokens: 0,
            min_handoff_relevance: 0.0,
            max_handoff_tokens: 256,
            on_failure: OnFailure::default(),
            on_conflict: OnConflict::default(),
            prefix_mode: PrefixMode::default(),
            reasoning: Reasoning::default(),
            policy_version: "dev".to_owned(),
            weights: [2.0, 2.0, 1.0, 1.0, 1.0, 1.0],
        }
    }
}

impl ContextPolicy {
    /// Reads and checks a policy.
    ///
    /// # Errors
    /// `Invalid` with the field's name for unknown fields, wrong types and values out of range.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        let policy: Self = json::parse("policy", text)?;
        policy.validate()?;
        Ok(policy)
    }

    /// Checks every value; called by the engine on every policy it is given.
    ///
    /// # Errors
    /// `Invalid` with the field's name.
    pub fn validate(&self) -> Result<()> {
        let fail = |field: &str, problem: &str| Err(Error::invalid_field("policy", field, problem));
        if self.token_budget == 0 {
            return fail("token_budget", "must be at least 1");
        }
        if self.response_reserve >= self.token_budget {
            return fail("response_reserve", "must be smaller than token_budget");
        }
        if self.max_recall_tokens == Some(0) {
            return fail(
                "max_recall_tokens",
                "must be at least 1; switch retrieval_enabled off to recall nothing",
            );
        }
        if self.top_k == TopK::AtMost(0) {
            return fail(
                "top_k",
                "must be \"auto\" or at least 1; switch retrieval_enabled off to recall nothing",
            );
        }
        let shares = [
            ("min_relevance", self.min_relevance),
            ("min_tool_relevance", self.min_tool_relevance),
            ("min_skill_relevance", self.min_skill_relevance),
            ("min_handoff_relevance", self.min_handoff_relevance),
        ];
        for (field, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return fail(field, "must be between 0 and 1");
            }
        }
        self.ranking.validate()?;
        if self.sitting_gap.0 == 0 {
            return fail("sitting_gap", "must be longer than 0");
        }
        for (at, weight) in self.weights.iter().enumerate() {
            if !(0.0..=100.0).contains(weight) {
                return fail(&format!("weights[{at}]"), "must be between 0 and 100");
            }
        }
        if self.policy_version.is_empty() || self.policy_version.len() > crate::id::MAX_ID_BYTES {
            return fail("policy_version", "must have 1 to 256 bytes");
        }
        Ok(())
    }

    /// Tokens that the rendered list may have.
    #[must_use]
    pub const fn input_budget(&self) -> u32 {
        self.token_budget.saturating_sub(self.response_reserve)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_survive_json() {
        let policy = ContextPolicy::default();
        policy.validate().unwrap();
        let json = serde_json::to_vec(&policy).unwrap();
        assert_eq!(ContextPolicy::from_json(&json).unwrap(), policy);
        assert_eq!(ContextPolicy::from_json(b"{}").unwrap(), policy);
    }

    #[test]
    fn wrong_values_are_named() {
        for (json, field) in [
            (r#"{"budget":1}"#, "budget"),
            (r#"{"token_budget":0}"#, "token_budget"),
            (r#"{"token_budget":-1}"#, "token_budget"),
            (
                r#"{"token_budget":10,"response_reserve":10}"#,
                "response_reserve",
            ),
            (r#"{"top_k":0}"#, "top_k"),
            (r#"{"top_k":"many"}"#, "top_k"),
            (r#"{"min_relevance":1.5}"#, "min_relevance"),
            (r#"{"ranking":{"date":-1}}"#, "ranking.date"),
            (r#"{"ranking":{"related":2}}"#, "ranking.related"),
            (r#"{"ranking":{"free_tokens":0}}"#, "ranking.free_tokens"),
            (r#"{"ranking":{"luck":1}}"#, "ranking.luck"),
            (r#"{"mode":"clever"}"#, "mode"),
            (r#"{"sitting_gap":"soon"}"#, "sitting_gap"),
            (r#"{"weights":[1,2,3]}"#, "weights"),
            (r#"{"weights":[1,2,3,4,5,-6]}"#, "weights[5]"),
            (r#"{"policy_version":""}"#, "policy_version"),
        ] {
            let error = ContextPolicy::from_json(json.as_bytes()).unwrap_err();
            assert_eq!(error.field(), Some(field), "{json}: {error}");
        }
    }

    #[test]
    fn other_spellings_are_read() {
        let policy =
            ContextPolicy::from_json(br#"{"mode":"window+summary","sitting_gap":"90m","top_k":4}"#)
                .unwrap();
        assert_eq!(policy.mode, PolicyMode::WindowSummary);
        assert_eq!(policy.sitting_gap, Seconds(5400));
        assert_eq!(policy.top_k, TopK::AtMost(4));
    }
}
