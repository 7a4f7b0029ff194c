//! A call of the compiler with everything that may be set.

use std::cell::Cell;
use std::sync::Arc;

use aura_assembly::{
    CompileRequest, Compiled, Failure, FrozenPlan, Meter, Timer, compile, fallback,
};
use aura_core::{
    Block, ContextMessage, ContextPolicy, CorrelationId, Principal, Provider, RequestId, Result,
    Section, SessionId, Timestamp, ToolDefinition, TurnId,
};
use aura_text::Analyzer;

use crate::world::{World, at};

/// Counts its own calls as microseconds.
#[derive(Clone, Default)]
pub struct Ticks {
    pub now: Cell<u64>,
    /// The deadline, in calls.
    pub late_after: Option<u64>,
    pub cancelled: bool,
}

impl Timer for Ticks {
    fn micros(&self) -> u64 {
        self.now.set(self.now.get() + 1);
        self.now.get()
    }

    fn is_late(&self) -> bool {
        self.late_after.is_some_and(|calls| self.now.get() >= calls)
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled
    }
}

#[derive(Clone)]
pub struct Ask {
    pub principal: Principal,
    pub policy: ContextPolicy,
    pub question: String,
    pub system: Option<String>,
    pub tools: Vec<ToolDefinition>,
    pub tool_records: Vec<aura_core::CandidateRecord>,
    pub blocks: Vec<Block>,
    pub provider: Provider,
    pub now: Timestamp,
    pub plan: Option<FrozenPlan>,
    pub earlier: Vec<Arc<FrozenPlan>>,
    pub timer: Ticks,
    pub analyzer: Analyzer,
}

impl Ask {
    pub fn new(question: &str) -> Self {
        Self {
            principal: Principal::default(),
            policy: ContextPolicy::default(),
            question: question.into(),
            system: None,
            tools: Vec::new(),
            tool_records: Vec::new(),
            blocks: Vec::new(),
            provider: Provider::Generic,
            now: at("2024-05-05T09:00:00Z"),
            plan: None,
            earlier: Vec::new(),
            timer: Ticks::default(),
            analyzer: Analyzer::english(),
        }
    }

    pub fn budget(mut self, tokens: u32) -> Self {
        self.policy.token_budget = tokens;
        self
    }

    pub fn recency(mut self, turns: u32) -> Self {
        self.policy.recency_turns = turns;
        self
    }

    pub fn with<T>(&self, work: impl FnOnce(&CompileRequest<'_>) -> T) -> T {
        let session_id = SessionId::new("s").unwrap();
        let turn_id = TurnId::new("now").unwrap();
        let request_id = RequestId::new("r").unwrap();
        let correlation_id = CorrelationId::new("c").unwrap();
        let timer = self.timer.clone();
        work(&CompileRequest {
            principal: &self.principal,
            session_id: &session_id,
            turn_id: &turn_id,
            request_id: &request_id,
            correlation_id: Some(&correlation_id),
            agent_version: Some("agent-1"),
            workflow_stage: None,
            policy: &self.policy,
            question: &self.question,
            system: self.system.as_deref(),
            tools: &self.tools,
            tool_records: &self.tool_records,
            blocks: &self.blocks,
            gathered: None,
            provider: self.provider,
            now: self.now,
            change_seq: 7,
            distilled: 3,
            analyzer: &self.analyzer,
            facts: None,
            replanned: None,
            earlier: &self.earlier,
            previous: None,
            plan: self.plan.as_ref(),
            timer: &timer,
        })
    }

    pub fn try_compile(&self, world: &World) -> Result<Compiled, Failure> {
        let meter = Meter::new(Arc::new(world.counter));
        self.with(|request| compile(request, world, &meter))
    }

    pub fn compile(&self, world: &World) -> Compiled {
        self.try_compile(world).unwrap()
    }

    /// Compiles, and answers a failure as the engine does.
    pub fn answer(&self, world: &World) -> Result<Compiled> {
        let meter = Meter::new(Arc::new(world.counter));
        self.with(|request| {
            compile(request, world, &meter)
                .or_else(|failure| fallback::recover(request, world, &meter, failure))
        })
    }
}

/// The messages of one part of a context.
pub fn section(compiled: &Compiled, section: Section) -> Vec<&ContextMessage> {
    let messages = compiled.context.messages.iter();
    messages
        .filter(|message| message.section == section)
        .collect()
}

/// The content of the fenced message, or nothing.
pub fn evidence(compiled: &Compiled) -> String {
    let mut messages = section(compiled, Section::Evidence).into_iter();
    let fenced = |message: &&ContextMessage| message.content.starts_with("Reference data");
    messages
        .find(fenced)
        .map_or_else(String::new, |message| message.content.clone())
}

/// All that is said in a context.
pub fn all_text(compiled: &Compiled) -> String {
    let messages = compiled.context.messages.iter();
    let contents: Vec<&str> = messages.map(|message| message.content.as_str()).collect();
    contents.join("\n")
}

impl std::fmt::Debug for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask")
            .field("question", &self.question)
            .field("policy", &self.policy)
            .field("provider", &self.provider)
            .field("system", &self.system)
            .field("tools", &self.tools.len())
            .field("blocks", &self.blocks.len())
            .finish()
    }
}
