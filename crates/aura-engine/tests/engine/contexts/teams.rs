//! Contexts of agents that work in a team.

use aura_assembly::render::request_json;
use aura_core::{
    AgentId, Block, BlockId, ContextPolicy, Label, Message, Provider, Scope, TenantId, TurnStatus,
};
use aura_engine::{ContextRequest, DeletionRequest, Engine, RecordRequest};
use aura_teams::{Outgoing, Team};
use serde_json::Value;

use crate::setup::memory_engine;

const WORDS: &str = "The kumquat ledger is balanced, I have paid ORD-7781.";

fn agent(id: &str) -> AgentId {
    AgentId::new(id).unwrap()
}

fn office(engine: &Engine) -> Team {
    let scope = |labels: &[&str]| Scope::of(&["pay"], labels).unwrap();
    let team = engine.team(&TenantId::default(), "office").unwrap();
    team.with_member(agent("clerk"), scope(&["books"]))
        .with_member(agent("boss"), scope(&["books"]))
}

fn say(text: &str) -> Outgoing {
    Outgoing {
        to: Some(agent("boss")),
        text: text.to_owned(),
        ..Outgoing::default()
    }
}

fn finish(engine: &Engine, team: &Team, id: &aura_core::TurnId, status: TurnStatus) {
    let boss = team.principal(&agent("boss"), None).unwrap();
    let session = team.session(&agent("boss")).unwrap();
    let messages = vec![Message::user("Is it paid?"), Message::assistant("It is.")];
    let request = RecordRequest::of(messages)
        .with_turn_id(id.clone())
        .with_status(status);
    engine.record_turn(&boss, &session, request).unwrap();
}

/// All strings below the messages of these roles.
fn said_by(value: &Value, roles: &[&str], out: &mut String) {
    match value {
        Value::Object(fields) => {
            let role = fields.get("role").and_then(Value::as_str);
            if role.is_some_and(|role| roles.contains(&role)) {
                out.push_str(&value.to_string());
            }
            for (key, value) in fields {
                if matches!(
                    key.as_str(),
                    "system" | "systemInstruction" | "instructions"
                ) {
                    out.push_str(&value.to_string());
                }
                said_by(value, roles, out);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| said_by(item, roles, out)),
        _ => {}
    }
}

#[test]
fn words_of_others_are_never_the_agents_own_nor_orders() {
    for provider in [
        Provider::Generic,
        Provider::Openai,
        Provider::OpenaiResponses,
        Provider::Anthropic,
        Provider::Gemini,
    ] {
        let engine = memory_engine();
        let team = office(&engine);
        team.send(&agent("clerk"), say(WORDS)).unwrap();
        let mut request = ContextRequest::ask("Is the kumquat ledger balanced?");
        request.system = Some("You are the boss.".to_owned());
        request.provider = provider;
        let built = engine
            .build_team_context(&team, &agent("boss"), None, request)
            .unwrap();
        assert_eq!(built.shown.len(), 1, "{provider:?}");
        let body = request_json(&built.context).unwrap();
        assert!(body.contains("clerk reported") && body.contains("ORD-7781"));
        let body: Value = serde_json::from_str(&body).unwrap();
        let mut own = String::new();
        said_by(
            &body,
            &["assistant", "model", "system", "developer", "tool"],
            &mut own,
        );
        assert!(own.contains("You are the boss"));
        assert!(
            !own.contains("kumquat") && !own.contains("ORD-7781"),
            "{provider:?}: {own}"
        );
    }
}

#[test]
fn only_what_stands_is_leased_and_a_complete_turn_acknowledges_it() {
    let engine = memory_engine();
    let team = office(&engine);
    team.send(&agent("clerk"), say(WORDS)).unwrap();
    let long = format!("{} end", "balance sheet ".repeat(600));
    let mut heavy = say(&long);
    heavy.verbatim = true;
    team.send(&agent("clerk"), heavy).unwrap();
    let policy = ContextPolicy {
        token_budget: 400,
        max_handoff_tokens: 0,
        ..ContextPolicy::default()
    };
    let ask = || ContextRequest::ask("Is it paid?").with_policy(policy.clone());
    let boss = agent("boss");
    let build = |request| {
        engine
            .build_team_context(&team, &boss, None, request)
            .unwrap()
    };
    let first = build(ask());
    assert_eq!((first.shown.len(), first.left_out.len()), (1, 1));
    let records = first.context.manifest.candidates.iter();
    let packets = records.filter(|record| record.kind == aura_core::BlockKind::Packet);
    assert!(
        packets.clone().count() == 2
            && packets.clone().all(|one| one.class == aura_core::Class::P3)
    );
    // A failed call gets it again.
    finish(
        &engine,
        &team,
        &first.context.manifest.turn_id,
        TurnStatus::Failed,
    );
    let second = build(ask());
    assert_eq!(second.shown, first.shown);
    // The tool loop of the same turn too, by its plan.
    let mut again = ask();
    again.turn_id = Some(second.context.manifest.turn_id.clone());
    let third = build(again);
    assert_eq!(third.shown, first.shown);
    assert_eq!(third.context.messages, second.context.messages);
    finish(
        &engine,
        &team,
        &second.context.manifest.turn_id,
        TurnStatus::Complete,
    );
    let fourth = build(ask());
    assert!(fourth.shown.is_empty() && fourth.left_out.len() == 1);
    assert_eq!(team.waiting(&agent("boss")).unwrap().len(), 1);
}

#[test]
fn a_packet_narrows_what_its_receiver_sees() {
    let engine = memory_engine();
    let team = office(&engine);
    let mut outgoing = say("Look into it.");
    outgoing.grant = Some(Scope::default());
    let packet = team
        .send(&agent("clerk"), outgoing)
        .unwrap()
        .packet
        .packet_id;
    let mut request = ContextRequest::ask("What do the books say?");
    let mut block = Block::evidence("books", "The books say kumquat.").unwrap();
    block.block_id = BlockId::new("books").unwrap();
    block.labels.insert(Label::new("books").unwrap());
    request.blocks.push(block);
    let text = |under| {
        let built = engine.build_team_context(&team, &agent("boss"), under, request.clone());
        crate::setup::all_text(&built.unwrap().context)
    };
    assert!(text(None).contains("kumquat"));
    assert!(!text(Some(&packet)).contains("kumquat"));
}

#[test]
fn what_an_agent_sent_goes_with_its_session() {
    let engine = memory_engine();
    let team = office(&engine);
    team.send(&agent("clerk"), say(WORDS)).unwrap();
    let clerk = team.principal(&agent("clerk"), None).unwrap();
    let session_id = team.session(&agent("clerk")).unwrap();
    engine
        .record_exchange(&clerk, &session_id, "Pay it.", "Paid.")
        .unwrap();
    let subject = aura_core::DeletionSubject::Session { session_id };
    let receipt = engine.delete(&clerk, DeletionRequest::of(subject)).unwrap();
    assert!(
        team.waiting(&agent("boss")).unwrap().is_empty(),
        "{receipt:?}"
    );
}
