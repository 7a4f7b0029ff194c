//! Which skills a context shows: what they are for, and of some how it is done.

use std::collections::BTreeMap;

use aura_core::{
    ArtifactHandle, Block, BlockId, BlockKind, ContextPolicy, Error, Payload, RawJson, Result,
    TokenCounter, ToolDefinition, Trust,
};
use aura_text::{Analyzer, Bm25Set};

use super::folder::Skill;
use super::registry::SkillRegistry;
use crate::kit::results::{Capped, LEAST_CAP, cap};

/// The tool by which a model asks for a skill's body.
pub const LOAD_SKILL: &str = "load_skill";

/// What is shown from.
#[derive(Clone, Copy)]
pub struct SkillRequest<'a> {
    /// The skills there are.
    pub registry: &'a SkillRegistry,
    /// Skills whose bodies are shown whatever the question: those that were loaded.
    pub active: &'a [String],
    /// `skill_top_k`, `min_skill_relevance` and `max_skill_body_tokens`.
    pub policy: &'a ContextPolicy,
    /// What they are wanted for.
    pub question: &'a str,
    /// By whose words they are compared with it.
    pub analyzer: &'a Analyzer,
    /// Counts bodies.
    pub counter: &'a dyn TokenCounter,
    /// Where resources are kept, by skill and path (`name/path`).
    pub resources: &'a BTreeMap<String, ArtifactHandle>,
}

/// The blocks of the skills that a context shows: one that lists what they are for, and one for each body.
///
/// With `skill_top_k` 0 every skill is listed and has its body shown; with k the k that have most to do with the question
/// are listed, and bodies are shown of active skills only. Active skills are always listed.
///
/// # Errors
/// `Invalid` naming `active_skills` for a skill that does not exist; those of the counter.
pub fn skill_blocks(request: &SkillRequest<'_>) -> Result<Vec<Block>> {
    let registry = request.registry;
    for (at, name) in request.active.iter().enumerate() {
        if registry.get(name).is_none() {
            let field = format!("active_skills[{at}]");
            return Err(Error::invalid_field(
                "skills",
                field,
                "is no skill of the registry",
            ));
        }
    }
    let skills: Vec<&Skill> = registry.skills().map(|skill| &**skill).collect();
    let is_active = |skill: &Skill| request.active.contains(&skill.name);
    let chosen = chosen(request, &skills);
    let listed = skills
        .iter()
        .zip(&chosen)
        .filter(|(skill, chosen)| **chosen || is_active(skill));
    let listed: Vec<&Skill> = listed.map(|(skill, _)| *skill).collect();
    let mut out = Vec::new();
    if !listed.is_empty() {
        let mut text = String::from("Skills:\n");
        for skill in &listed {
            text.push_str(&format!("- {}: {}\n", skill.name, flat(&skill.description)));
        }
        let with_bodies = request.policy.skill_top_k == 0;
        if !with_bodies {
            text.push_str(&format!(
                "Call {LOAD_SKILL} with a name to read how it is done.\n"
            ));
        }
        out.push(block("skills", BlockKind::Skill, registry.trust(), text)?);
    }
    for skill in listed {
        if request.policy.skill_top_k == 0 || is_active(skill) {
            let id = format!("skill:{}", skill.name);
            let mut body = block(
                &id,
                BlockKind::SkillBody,
                registry.trust(),
                body(skill, request)?,
            )?;
            body.importance = is_active(skill).then_some(Block::MAX_IMPORTANCE);
            out.push(body);
        }
    }
    Ok(out)
}

/// The tool that loads a skill, to offer beside the others: a host that gets its call adds the name to the active skills.
///
/// # Errors
/// `Internal`, when the schema cannot be written, which is a defect.
pub fn load_skill_tool(registry: &SkillRegistry) -> Result<ToolDefinition> {
    let names: Vec<&str> = registry.skills().map(|skill| skill.name.as_str()).collect();
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"name": {"type": "string", "enum": names, "description": "The skill to read"}},
        "required": ["name"],
    });
    Ok(ToolDefinition {
        name: LOAD_SKILL.to_owned(),
        description: "Reads how a skill is done.".to_owned(),
        parameters: RawJson::of(&schema)?,
        trust: Trust::Verified,
    })
}

/// Which skills have enough to do with the question.
fn chosen(request: &SkillRequest<'_>, skills: &[&Skill]) -> Vec<bool> {
    let policy = request.policy;
    if policy.skill_top_k == 0 && policy.min_skill_relevance <= 0.0 {
        return vec![true; skills.len()];
    }
    let mut set = Bm25Set::new(request.analyzer.clone());
    for skill in skills {
        set.add_fields([
            (skill.name.as_str(), 2.0),
            (skill.description.as_str(), 1.0),
        ]);
    }
    let ranked = set.rank(&request.analyzer.query(request.question));
    let most = match policy.skill_top_k {
        0 => usize::MAX,
        k => usize::try_from(k).unwrap_or(usize::MAX),
    };
    let mut out = vec![false; skills.len()];
    let fit = ranked
        .iter()
        .filter(|hit| hit.relevance >= policy.min_skill_relevance);
    let mut taken = 0;
    for hit in fit.take(most) {
        if let Some(chosen) = out.get_mut(hit.index) {
            *chosen = true;
            taken += 1;
        }
    }
    // Where no word is shared and no floor is set, the first stand in for the rest.
    if policy.min_skill_relevance <= 0.0 {
        for chosen in out
            .iter_mut()
            .filter(|chosen| !**chosen)
            .take(most.saturating_sub(taken))
        {
            *chosen = true;
        }
    }
    out
}

/// The body as it is shown, with the handles of what lies beside it.
fn body(skill: &Skill, request: &SkillRequest<'_>) -> Result<String> {
    let limit = request.policy.max_skill_body_tokens;
    let mut text = skill.body.clone();
    if limit > 0 {
        let address = format!("skill:{}", skill.name);
        text = match cap(&text, limit.max(LEAST_CAP), &address, request.counter)? {
            Capped::Whole => text,
            Capped::Shorter(short) => short,
            Capped::Address => format!("[left out; whole: {address}]"),
        };
    }
    for resource in &skill.resources {
        if let Some(handle) = request
            .resources
            .get(&format!("{}/{}", skill.name, resource.path))
        {
            text.push_str(&format!("\n{}: {handle}", resource.path));
        }
    }
    Ok(text)
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn block(id: &str, kind: BlockKind, trust: Trust, text: String) -> Result<Block> {
    Ok(Block {
        block_id: BlockId::new(id)?,
        kind,
        trust,
        source: Some("skills".to_owned()),
        payload: Payload::Text(text),
        ..Block::evidence(id, "")?
    })
}
