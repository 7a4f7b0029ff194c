//! What a context led to.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::id::{CallId, EventId, TurnId};
use crate::manifest::Manifest;
use crate::time::Timestamp;

/// How many tool effects one report may carry, and one manifest may gather.
pub const MAX_TOOL_EFFECTS: usize = 1_000;

/// What a context led to: the turn that answered it, and what the host reported of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Link {
    /// The turn recorded with this request's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// The tool calls it made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallId>,
    /// The final answer: the turn's last message of the assistant, if that one calls no tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<EventId>,
    /// What the host reported, all its reports joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeReport>,
}

/// What a host reports of what came of a context: nothing that is stored text, only verdicts and numbers.
///
/// A later report adds to what earlier ones said and overrides where both speak, so a repeated one changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutcomeReport {
    /// Whether what the user wanted was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// Whether the user corrected the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_correction: Option<bool>,
    /// What the tools that were called did to the world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_effects: Vec<ToolEffect>,
    /// What the provider counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// When the last report came; set by the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported_at: Option<Timestamp>,
}

/// What a tool call did to the world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolEffect {
    /// The call.
    pub call_id: CallId,
    /// What it did.
    pub effect: Effect,
}

/// What became of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// It was done.
    Done,
    /// It failed and changed nothing.
    Failed,
    /// It was done in part.
    Partial,
    /// It was done and taken back.
    Undone,
    /// It only read.
    None,
}

/// The tokens that a provider counted for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// All tokens of the request, those read from a cache included.
    pub input_tokens: u64,
    /// Those of them that were read from a cache.
    pub cached_tokens: u64,
    /// Those of them that were written to a cache.
    pub cache_write_tokens: u64,
    /// The tokens of the answer.
    pub output_tokens: u64,
}

impl OutcomeReport {
    /// Checks what the types cannot.
    ///
    /// # Errors
    /// `Invalid` naming the field.
    pub fn validate(&self) -> Result<()> {
        let fail =
            |field: &str, problem: &str| Err(Error::invalid_field("outcome", field, problem));
        if self.tool_effects.len() > MAX_TOOL_EFFECTS {
            return fail("tool_effects", "has too many entries");
        }
        if let Some(usage) = &self.usage {
            if usage.cached_tokens > usage.input_tokens {
                return fail("usage.cached_tokens", "is more than input_tokens");
            }
            if usage.cache_write_tokens > usage.input_tokens {
                return fail("usage.cache_write_tokens", "is more than input_tokens");
            }
        }
        Ok(())
    }

    /// Takes in a later report; the effects of calls reported first are the first to go where there are too many.
    pub fn join(&mut self, later: Self) {
        self.success = later.success.or(self.success);
        self.user_correction = later.user_correction.or(self.user_correction);
        self.usage = later.usage.or(self.usage);
        self.reported_at = later.reported_at.or(self.reported_at);
        for effect in later.tool_effects {
            let mut known = self.tool_effects.iter_mut();
            match known.find(|known| known.call_id == effect.call_id) {
                Some(known) => known.effect = effect.effect,
                None => self.tool_effects.push(effect),
            }
        }
        let excess = self.tool_effects.len().saturating_sub(MAX_TOOL_EFFECTS);
        self.tool_effects.drain(..excess);
    }
}

impl Manifest {
    /// What the host reported that the provider counted.
    #[must_use]
    pub fn usage(&self) -> Option<&Usage> {
        self.link.outcome.as_ref()?.usage.as_ref()
    }

    /// By how many tokens the provider counted more than this manifest says; negative where it counted fewer.
    #[must_use]
    pub fn token_error(&self) -> Option<i64> {
        let counted = i64::try_from(self.usage()?.input_tokens).unwrap_or(i64::MAX);
        Some(counted.saturating_sub(i64::from(self.totals.tokens)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(call: &str, effect: Effect) -> ToolEffect {
        ToolEffect {
            call_id: CallId::new(call).unwrap(),
            effect,
        }
    }

    #[test]
    fn reports_join_and_a_repeated_one_changes_nothing() {
        let mut report = OutcomeReport {
            success: Some(true),
            tool_effects: vec![effect("a", Effect::Done)],
            ..OutcomeReport::default()
        };
        let later = OutcomeReport {
            user_correction: Some(true),
            tool_effects: vec![effect("b", Effect::None), effect("a", Effect::Undone)],
            ..OutcomeReport::default()
        };
        report.join(later.clone());
        let joined = OutcomeReport {
            success: Some(true),
            user_correction: Some(true),
            tool_effects: vec![effect("a", Effect::Undone), effect("b", Effect::None)],
            ..OutcomeReport::default()
        };
        assert_eq!(report, joined);
        report.join(later);
        assert_eq!(report, joined);
    }

    #[test]
    fn effects_are_bounded() {
        let many = |from: usize| OutcomeReport {
            tool_effects: (from..from + MAX_TOOL_EFFECTS)
                .map(|at| effect(&at.to_string(), Effect::Done))
                .collect(),
            ..OutcomeReport::default()
        };
        let mut report = many(0);
        report.join(many(10));
        assert_eq!(report.tool_effects, many(10).tool_effects);
        let mut long = many(0);
        long.tool_effects.push(effect("more", Effect::Done));
        assert_eq!(long.validate().unwrap_err().field(), Some("tool_effects"));
    }

    #[test]
    fn impossible_usage_is_named() {
        let report = OutcomeReport {
            usage: Some(Usage {
                input_tokens: 10,
                cached_tokens: 11,
                ..Usage::default()
            }),
            ..OutcomeReport::default()
        };
        assert_eq!(
            report.validate().unwrap_err().field(),
            Some("usage.cached_tokens")
        );
    }
}
