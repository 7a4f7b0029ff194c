//! The JSON forms of the vocabulary, documented by files: each value must be written as its file and read back from it.
//!
//! `UPDATE_GOLDEN=1` rewrites the files; review the difference, since hosts and stores rely on these forms.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a golden file that does not fit must stop the test"
)]

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use aura_core::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn golden<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, value: &T) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(format!("{name}.json"));
    let text = serde_json::to_string_pretty(value).unwrap() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored =
        std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is missing", path.display()));
    assert_eq!(
        stored,
        text,
        "{name} is written otherwise than {}",
        path.display()
    );
    let read: T = json::parse("golden", stored.as_bytes()).unwrap();
    assert_eq!(&read, value, "{name} is not read back as it was");
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn raw(text: &str) -> RawJson {
    RawJson::new("test", text).unwrap()
}

fn handle() -> ArtifactHandle {
    ArtifactHandle {
        tenant: TenantId::new("acme").unwrap(),
        name: "build log/42".into(),
        version: 17,
        digest: Digest::of(b"log").prefix(HANDLE_DIGITS),
    }
}

fn principal() -> Principal {
    let mut principal = Principal::of_tenant("acme")
        .unwrap()
        .with_agent("planner")
        .unwrap()
        .with_user("ana")
        .unwrap();
    principal.labels = BTreeSet::from([Label::new("finance").unwrap(), Label::new("eu").unwrap()]);
    principal
}

fn messages() -> Vec<Message> {
    let mut user = Message::user("Nul \0, quote \", snowman ☃, clef 𝄞")
        .with_name("Ana")
        .with_time(time("2024-05-03T10:00:00.250Z"));
    user.metadata = Some(raw(r#"{"channel":"mail"}"#));
    let call = Message {
        parts: vec![
            Part::text("I look it up."),
            Part::ToolCall(ToolCall {
                call_id: CallId::new("call-1").unwrap(),
                name: "read_log".into(),
                arguments: raw(r#"{"b":1.0,"a":12345678901234567890}"#),
            }),
        ],
        native: Some(NativeForm {
            format: "openai".into(),
            json: raw(r#"{"role":"assistant","content":"I look it up."}"#),
        }),
        ..Message::assistant("")
    };
    let result = |content, is_error| Message {
        role: Role::Tool,
        parts: vec![Part::ToolResult(ToolResult {
            call_id: CallId::new("call-1").unwrap(),
            tool: Some("read_log".into()),
            output_schema: Some("log@2".into()),
            trust: Trust::Untrusted,
            is_error,
            content,
        })],
        ..Message::user("")
    };
    let media = |source| {
        Part::Media(Media {
            mime: "image/png".into(),
            source,
        })
    };
    let shown = Message {
        parts: vec![
            media(MediaSource::Uri("https://example.org/plan.png".into())),
            media(MediaSource::Artifact(handle())),
            Part::Opaque(Opaque {
                provider: "anthropic".into(),
                json: raw(r#"{"type":"compaction"}"#),
            }),
            Part::TextArtifact { handle: handle() },
        ],
        ..Message::user("")
    };
    vec![
        user,
        call,
        result(ResultContent::Text("error: timeout".into()), true),
        result(ResultContent::Artifact(handle()), false),
        shown,
    ]
}

fn fact() -> Fact {
    Fact {
        fact_id: FactId::new("s-1/3/0").unwrap(),
        text: "lives in Oslo".into(),
        subject: "user/home".into(),
        sources: vec![EventId(3)],
        trust: Trust::Verified,
        valid_from: time("2024-05-03T10:00:00Z"),
        valid_to: Some(time("2024-06-01T00:00:00Z")),
        recorded_at: time("2024-05-03T10:00:01Z"),
        invalidated_at: Some(time("2024-06-01T09:00:00Z")),
        invalidated_by: Some(EventId(9)),
        replaced_by: Some(FactId::new("s-1/9/0").unwrap()),
    }
}

#[test]
fn principal_and_session() {
    golden("principal", &principal());
    golden("principal-default", &Principal::default());
    golden(
        "session",
        &Session {
            session_id: SessionId::new("s-1").unwrap(),
            tenant: TenantId::new("acme").unwrap(),
            user: Some(UserId::new("ana").unwrap()),
            agent: AgentId::new("planner").unwrap(),
            created_at: time("2024-05-03T10:00:00Z"),
            change_seq: 12,
            purge_seq: 7,
            head: Some(TurnIndex(4)),
            turns: 5,
            last_event: EventId(11),
            distilled: Distilled {
                next: 5,
                open: vec![TurnIndex(3)],
                commits: 2,
            },
        },
    );
}

#[test]
fn turns_messages_and_parts() {
    golden("messages", &messages());
    let turn = Turn {
        turn_id: TurnId::new("t-4").unwrap(),
        index: TurnIndex(4),
        status: TurnStatus::Open,
        parent: Some(TurnIndex(2)),
        events: vec![
            EventRange::new(EventId(8), EventId(9)),
            EventRange::new(EventId(11), EventId(11)),
        ],
        recorded_at: time("2024-05-03T10:00:00Z"),
    };
    let stored = StoredMessage {
        event_id: EventId(8),
        turn: TurnIndex(4),
        recorded_at: time("2024-05-03T10:00:00Z"),
        message: messages().remove(0),
        large_parts: vec![LargePart {
            part: 0,
            handle: handle(),
        }],
    };
    golden(
        "turn",
        &TurnRecord {
            turn,
            messages: vec![Arc::new(stored)],
        },
    );
}

#[test]
fn facts_memories_artifacts_and_packets() {
    golden("fact", &fact());
    let at = time("2024-06-01T09:00:00Z");
    let fact_id = fact().fact_id;
    let changes = vec![
        FactOp::Add { fact: fact() },
        FactOp::Revise {
            fact_id: fact_id.clone(),
            event: EventId(5),
            text: "lives in Oslo, Norway".into(),
            at,
        },
        FactOp::Invalidate {
            fact_id,
            event: EventId(9),
            replaced_by: None,
            valid_to: at,
            at,
        },
    ];
    let entries: Vec<FactEntry> = changes
        .into_iter()
        .map(|change| FactEntry {
            turn: TurnIndex(1),
            change,
        })
        .collect();
    golden("fact-changes", &entries);
    golden(
        "memory",
        &Memory {
            memory_id: MemoryId::new("m-1").unwrap(),
            tenant: TenantId::default(),
            proposal: MemoryProposal {
                kind: MemoryKind::Preference,
                text: "answers in metric units".into(),
                subject: "user/units".into(),
                source_type: SourceType::VerifiedSetting,
                source: MemorySource {
                    setting: Some("units".into()),
                    ..MemorySource::default()
                },
                user: Some(UserId::new("ann").unwrap()),
                expires_at: None,
                correction: Some(CorrectionPath::Owner),
            },
            trust: Trust::Verified,
            state: MemoryState::Active,
            refused_by: None,
            proposed: Signature {
                agent: AgentId::default(),
                user: Some(UserId::new("ann").unwrap()),
                at,
            },
            decided: None,
            replaced_by: None,
            counters: MemoryCounters::default(),
        },
    );
    golden(
        "artifact",
        &Artifact {
            handle: handle(),
            digest: Digest::of(b"log"),
            bytes: 3,
            mime: Some("text/plain".into()),
            recorded_at: at,
        },
    );
    let mut handoff = Packet::handoff(
        PacketId::new("p-1").unwrap(),
        AgentId::new("researcher").unwrap(),
        None,
        "The order is late.",
        at,
    );
    handoff.slots = vec!["ORD-7781".into()];
    let mut task = handoff.clone();
    task.payload = Some(RawJson::new("test", r#"{ "b": 1.00 }"#).unwrap());
    task.scope = Scope::of(&["repo.read"], &["staff"]).unwrap();
    task.sources = vec![PacketSource {
        handle: handle(),
        labels: task.scope.labels.clone(),
    }];
    task.body = PacketBody::Task {
        acceptance: vec!["all tests pass".into()],
        needs: ["deploy".to_owned()].into(),
        missing: ["deploy".to_owned()].into(),
        unresolved: Vec::new(),
        contract: Some(RawJson::new("test", r#"{"type": "object"}"#).unwrap()),
    };
    let mut answer = handoff.clone();
    answer.body = PacketBody::Return {
        task: task.packet_id.clone(),
        confidence: Some(0.5),
        limits: vec!["not on Windows".into()],
        changes: Vec::new(),
    };
    golden("packet", &vec![handoff, task, answer]);
}

#[test]
fn blocks_tools_and_policy() {
    let mut block = Block::evidence("doc-1", "Refunds take 14 days.").unwrap();
    block.source = Some("https://example.org/refunds".into());
    block.version = Some("17".into());
    block.subject = Some("refunds".into());
    block.authority = 3;
    block.effective_from = Some(time("2024-01-01T00:00:00Z"));
    block.expires_at = Some(time("2025-01-01T00:00:00Z"));
    block.labels = principal().labels;
    let mut by_handle = Block::evidence("doc-2", "").unwrap();
    by_handle.kind = BlockKind::Artifact;
    by_handle.payload = Payload::Artifact(handle());
    golden("blocks", &vec![block, by_handle]);
    let tool = ToolDefinition {
        name: "read_log".into(),
        description: "Reads a log.".into(),
        parameters: raw(r#"{"type":"object","properties":{"lines":{"type":"integer"}}}"#),
        trust: Trust::Verified,
    };
    golden("tool", &tool);
    golden("policy-default", &ContextPolicy::default());
    let policy = ContextPolicy {
        mode: PolicyMode::WindowSummary,
        top_k: TopK::AtMost(4),
        max_recall_tokens: Some(1024),
        on_failure: OnFailure::Restricted,
        ..ContextPolicy::default()
    };
    golden("policy", &policy);
}

#[test]
fn manifest_and_context_messages() {
    let record = |block: &str, class, fate, reason| CandidateRecord {
        block: block.parse().unwrap(),
        kind: BlockKind::Message,
        events: vec![EventRange::new(EventId(3), EventId(4))],
        class,
        scores: Scores {
            lexical: Some(2.5),
            relevance: Some(0.25),
            rank: Some(1.0),
            signals: Some(Signals {
                lexical: 0.5,
                speaker: 0.25,
                date: 0.5,
                cost: -0.25,
                ..Signals::default()
            }),
            ..Scores::default()
        },
        tokens: 21,
        fate,
        stage: Stage::Admit,
        reason,
    };
    let manifest = Manifest {
        manifest_version: MANIFEST_VERSION,
        request_id: RequestId::new("r-1").unwrap(),
        correlation_id: Some(CorrelationId::new("trace-9").unwrap()),
        compiler_version: "0.1.0".into(),
        policy_version: "dev".into(),
        tool_schema_version: Some(Digest::of(b"tools").prefix(16)),
        principal: principal(),
        session_id: SessionId::new("s-1").unwrap(),
        turn_id: TurnId::new("t-5").unwrap(),
        agent_version: Some("planner@3".into()),
        workflow_stage: None,
        provider: Provider::Openai,
        mode: PolicyMode::PrioritySelective,
        now: time("2024-06-02T08:00:00Z"),
        change_seq: 12,
        distilled: 5,
        token_counter: "o200k_base".into(),
        digest: Digest::of(b"sent"),
        outcome: Outcome::Fallback,
        read_only: true,
        over_budget: Some(3),
        stages: vec![StageTime {
            stage: Stage::Retrieve,
            micros: 41,
        }],
        totals: Totals {
            budget: 100,
            tokens: 103,
            tool_tokens: 10,
            recall_tokens: 25,
            history_tokens: 4000,
            error_bound: 0,
        },
        candidates: vec![
            record("event:3", Class::P4, Fate::Selected, Reason::Relevant),
            record("turn:1", Class::P4, Fate::Rejected, Reason::OverBudget),
        ],
        retrieval: RetrievalReceipt {
            query_digest: Some(Digest::of(b"query")),
            query_terms: 4,
            searched: 9,
            scored: 3,
            candidates: vec![EventId(3), EventId(4)],
            selected: vec![EventId(3)],
            max_lexical: 10.0,
            skipped: vec![Skipped {
                work: "dense".into(),
                reason: "no embedder".into(),
            }],
            ..RetrievalReceipt::default()
        },
        segments: vec![CacheSegment {
            name: "stable".into(),
            digest: Digest::of(b"stable"),
            tokens: 12,
            messages: 1,
        }],
        cache: CacheUse {
            prefix_mode: PrefixMode::AppendOnly,
            key: Digest::of(b"stable"),
            previous: Some(RequestId::new("r-0").unwrap()),
            hit: true,
            kept_tokens: 12,
            continues: Some(RequestId::new("r-0").unwrap()),
            compaction: Some(Compaction::Overflow),
            breakpoints: vec![0, 1],
        },
        coverage: Coverage {
            searched: 9,
            not_indexed: 0,
            skipped_for_deadline: 1,
        },
        reasoning: ReasoningState {
            choice: Reasoning::StripAll,
            tokens: 0,
        },
        plan: PlanState {
            reused: true,
            made_by: Some(RequestId::new("r-0").unwrap()),
            replanned: Some(Replan::Overflow),
            tail_messages: 2,
        },
        notices: vec![
            Notice::DroppedOldestTurns { turns: 2 },
            Notice::ShrunkNewestTurn { results: 1 },
            Notice::Conflict {
                subject: "refunds".into(),
                blocks: vec!["block:doc-1".parse().unwrap()],
            },
            Notice::OrphanLeftOut {
                block: "turn:2".parse().unwrap(),
            },
            Notice::Lost {
                what: Loss::Reasoning,
                from: "anthropic".into(),
                events: vec![EventRange::new(EventId(3), EventId(4))],
            },
            Notice::NativeRefused {
                rule: "A-THINK".into(),
                path: "/messages/1/content/0".into(),
            },
            Notice::RuleBroken {
                rule: "A-PAIR".into(),
                path: "/messages/2".into(),
            },
        ],
        failure: Some(FailureReceipt {
            stage: Stage::Retrieve,
            kind: "corrupt".into(),
            message: "an index is damaged".into(),
            rejected: vec!["event:7".parse().unwrap()],
            policy_version: "dev".into(),
            correlation_id: None,
        }),
        link: Link {
            turn_id: Some(TurnId::new("t-5").unwrap()),
            calls: vec![CallId::new("call-1").unwrap()],
            answer: Some(EventId(9)),
            outcome: Some(OutcomeReport {
                success: Some(true),
                user_correction: Some(false),
                tool_effects: vec![ToolEffect {
                    call_id: CallId::new("call-1").unwrap(),
                    effect: Effect::Undone,
                }],
                usage: Some(Usage {
                    input_tokens: 105,
                    cached_tokens: 12,
                    cache_write_tokens: 90,
                    output_tokens: 30,
                }),
                reported_at: Some(time("2024-06-02T08:01:00Z")),
            }),
        },
    };
    assert_eq!(manifest.token_error(), Some(2));
    golden("manifest", &manifest);
    let explanation = |block: &str| manifest.explain(&block.parse().unwrap(), &[]);
    golden(
        "explanations",
        &vec![
            explanation("event:3"),
            explanation("turn:1"),
            explanation("event:99"),
        ],
    );
    golden(
        "context-messages",
        &vec![
            ContextMessage {
                role: Role::Assistant,
                name: None,
                content: String::new(),
                tool_calls: vec![RenderedCall {
                    id: CallId::new("call-1").unwrap(),
                    name: "read_log".into(),
                    arguments: raw(r#"{"lines":3}"#),
                }],
                tool_call_id: None,
                is_error: false,
                media: Vec::new(),
                native: None,
                section: Section::History,
                events: vec![EventId(4)],
                tokens: 18,
            },
            ContextMessage {
                role: Role::User,
                name: Some("Ana".into()),
                content: "Why did it fail?".into(),
                tool_calls: Vec::new(),
                tool_call_id: None,
                is_error: false,
                media: vec![RenderedMedia {
                    mime: "image/png".into(),
                    uri: "https://example.org/x.png".into(),
                }],
                native: Some(raw(r#"{"role":"user"}"#)),
                section: Section::Question,
                events: Vec::new(),
                tokens: 9,
            },
        ],
    );
}
