//! What callers ask of the engine.

use std::sync::Arc;
use std::time::Duration;

use aura_assembly::results::ResultSchemas;
use aura_assembly::tools::Toolbox;
use aura_core::{
    Block, CheckpointId, ContextPolicy, CorrelationId, Message, Provider, RequestId, Result,
    ToolDefinition, Turn, TurnId, TurnStatus, WriteEffect, json,
};
use serde::Deserialize;

use crate::build_context::skills::SkillSet;
use crate::cancel::Cancel;

/// Messages to record as a turn. JSON has the same fields, all but `messages` optional.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordRequest {
    /// The turn's id, so that a repeated call is recognised; `None` makes one.
    #[serde(default)]
    pub turn_id: Option<TurnId>,
    /// The turn it follows; `None` is the head at commit.
    #[serde(default)]
    pub parent: Option<TurnId>,
    /// The status it shall have.
    #[serde(default)]
    pub status: TurnStatus,
    /// All its messages from the first on.
    pub messages: Vec<Message>,
    /// The compilations it answers.
    #[serde(default)]
    pub requests: Vec<RequestId>,
}

impl RecordRequest {
    /// A complete turn of these messages.
    #[must_use]
    pub fn of(messages: Vec<Message>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }

    /// Reads a request from JSON.
    ///
    /// # Errors
    /// `Invalid` with the field's path.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        json::parse("turn", text)
    }

    /// The same for the turn with this id.
    #[must_use]
    pub fn with_turn_id(mut self, turn_id: TurnId) -> Self {
        self.turn_id = Some(turn_id);
        self
    }

    /// The same with this status.
    #[must_use]
    pub fn with_status(mut self, status: TurnStatus) -> Self {
        self.status = status;
        self
    }
}

/// What recording a turn gave.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedTurn {
    /// The turn as stored.
    pub turn: Turn,
    /// What the call did.
    pub effect: WriteEffect,
    /// The session's `change_seq` after it.
    pub change_seq: u64,
}

/// A question, and what else a context is compiled from.
#[derive(Debug, Clone, Default)]
pub struct ContextRequest {
    /// The question; with an open turn, only what to search by.
    pub question: String,
    /// The turn the context is for; `None` makes one.
    pub turn_id: Option<TurnId>,
    /// The turn whose ancestors, itself included, are visible; `None` is the session's head.
    pub head: Option<TurnId>,
    /// How to compile.
    pub policy: Arc<ContextPolicy>,
    /// The host's system prompt.
    pub system: Option<String>,
    /// The tools to offer.
    pub tools: Vec<ToolDefinition>,
    /// The tools to choose from; `tools` then stand before them and are always shown.
    pub toolbox: Option<Arc<Toolbox>>,
    /// Only these groups of the toolbox are looked at, beside its tools that are always shown; empty is all.
    pub tool_groups: Vec<String>,
    /// Which output schemas of tool results may be shown; `None` allows all.
    pub schemas: Option<Arc<ResultSchemas>>,
    /// The skills to show.
    pub skills: Option<Arc<SkillSet>>,
    /// Skills whose bodies are shown whatever the question: those that were loaded.
    pub active_skills: Vec<String>,
    /// More blocks of the host.
    pub blocks: Vec<Block>,
    /// Checkpoints of the session to stand on: they are shown in place of the turns they cover.
    pub checkpoints: Vec<CheckpointId>,
    /// The form of the output.
    pub provider: Provider,
    /// How long the call may take; past it optional work is skipped.
    pub deadline: Option<Duration>,
    /// What joins the manifest with the host's logs.
    pub correlation_id: Option<CorrelationId>,
    /// The host's agent version.
    pub agent_version: Option<String>,
    /// The host's workflow stage.
    pub workflow_stage: Option<String>,
    /// Ends the call from another thread.
    pub cancel: Option<Cancel>,
}

/// The JSON twin of [`ContextRequest`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContextForm {
    question: String,
    #[serde(default)]
    turn_id: Option<TurnId>,
    #[serde(default)]
    head: Option<TurnId>,
    #[serde(default)]
    policy: ContextPolicy,
    #[serde(default)]
    system: Option<String>,
    #[serde(default)]
    tools: Vec<ToolDefinition>,
    #[serde(default)]
    tool_groups: Vec<String>,
    #[serde(default)]
    active_skills: Vec<String>,
    #[serde(default)]
    blocks: Vec<Block>,
    #[serde(default)]
    checkpoints: Vec<CheckpointId>,
    #[serde(default)]
    provider: Provider,
    #[serde(default)]
    deadline_ms: Option<u64>,
    #[serde(default)]
    correlation_id: Option<CorrelationId>,
    #[serde(default)]
    agent_version: Option<String>,
    #[serde(default)]
    workflow_stage: Option<String>,
}

impl ContextRequest {
    /// A question under the default policy.
    pub fn ask(question: impl Into<String>) -> Self {
        Self {
            question: question.into(),
            ..Self::default()
        }
    }

    /// The same under a policy.
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<Arc<ContextPolicy>>) -> Self {
        self.policy = policy.into();
        self
    }

    /// Reads a request from JSON; the deadline is `deadline_ms`.
    ///
    /// # Errors
    /// `Invalid` with the field's path.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        let form: ContextForm = json::parse("context request", text)?;
        form.policy.validate()?;
        Ok(Self {
            question: form.question,
            turn_id: form.turn_id,
            head: form.head,
            policy: Arc::new(form.policy),
            system: form.system,
            tools: form.tools,
            toolbox: None,
            schemas: None,
            skills: None,
            active_skills: form.active_skills,
            tool_groups: form.tool_groups,
            blocks: form.blocks,
            checkpoints: form.checkpoints,
            provider: form.provider,
            deadline: form.deadline_ms.map(Duration::from_millis),
            correlation_id: form.correlation_id,
            agent_version: form.agent_version,
            workflow_stage: form.workflow_stage,
            cancel: None,
        })
    }

    /// Checks what the types cannot.
    pub(crate) fn validate(&self) -> Result<()> {
        self.policy.validate()?;
        for (at, tool) in self.tools.iter().enumerate() {
            tool.validate(&format!("tools[{at}]"))?;
        }
        let mut names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        names.sort_unstable();
        if let Some([name, _]) = names.array_windows().find(|[a, b]| a == b) {
            let problem = format_args!("has the name of another tool ({name})").to_string();
            return Err(aura_core::Error::invalid_field(
                "context request",
                "tools",
                problem,
            ));
        }
        if self.toolbox.is_none() && !self.tool_groups.is_empty() {
            let problem = "needs a toolbox";
            return Err(aura_core::Error::invalid_field(
                "context request",
                "tool_groups",
                problem,
            ));
        }
        let mut ids = std::collections::HashSet::new();
        for (at, block) in self.blocks.iter().enumerate() {
            block.validate(&format!("blocks[{at}]"))?;
            if !ids.insert(&block.block_id) {
                return Err(aura_core::Error::invalid_field(
                    "context request",
                    format!("blocks[{at}].block_id"),
                    "is the id of an earlier block",
                ));
            }
        }
        Ok(())
    }
}
