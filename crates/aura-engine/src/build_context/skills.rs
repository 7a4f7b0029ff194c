//! The skills of a context.

use std::collections::BTreeMap;
use std::sync::Arc;

use aura_assembly::skills::{SkillRegistry, SkillRequest, skill_blocks};
use aura_core::{ArtifactHandle, ArtifactWrite, Block, Error, Principal, Result};

use crate::engine::Engine;
use crate::parts::Parts;
use crate::request::ContextRequest;
use crate::session::history_view::HistoryView;

/// Skills with their resources kept as artifacts.
#[derive(Debug, Clone)]
pub struct SkillSet {
    registry: Arc<SkillRegistry>,
    resources: BTreeMap<String, ArtifactHandle>,
}

impl SkillSet {
    /// The skills.
    #[must_use]
    pub fn registry(&self) -> &SkillRegistry {
        &self.registry
    }

    /// Where a resource of a skill is kept.
    #[must_use]
    pub fn resource(&self, skill: &str, path: &str) -> Option<&ArtifactHandle> {
        self.resources.get(&format!("{skill}/{path}"))
    }
}

impl Engine {
    /// Keeps the resources of skills as artifacts of the principal's tenant, `skill/<name>/<path>`: the same bytes are kept
    /// once, changed ones as a new version. Call it again after a reload that changed something.
    ///
    /// # Errors
    /// `Closed`; those of the store.
    pub fn keep_skills(&self, principal: &Principal, registry: SkillRegistry) -> Result<SkillSet> {
        let (_pass, parts, _) = self.enter("keep_skills")?;
        let mut resources = BTreeMap::new();
        for skill in registry.skills() {
            for resource in &skill.resources {
                let place = format!("{}/{}", skill.name, resource.path);
                let write = ArtifactWrite {
                    tenant: principal.tenant.clone(),
                    name: format!("skill/{place}"),
                    mime: None,
                    user: None,
                    session_id: None,
                    bytes: resource.bytes.clone(),
                    recorded_at: parts.clock.now(),
                };
                let kept = parts.storage.put_artifact(write);
                let kept = kept.map_err(|error| error.during("keep_skills"))?;
                resources.insert(place, kept.handle);
            }
        }
        Ok(SkillSet {
            registry: Arc::new(registry),
            resources,
        })
    }
}

/// The blocks of the skills that a context shows.
///
/// # Errors
/// `Invalid` naming `active_skills`; those of the counter and of the history.
pub(super) fn shown(
    request: &ContextRequest,
    view: &HistoryView<'_>,
    parts: &Parts,
) -> Result<Vec<Block>> {
    let Some(skills) = &request.skills else {
        if request.active_skills.is_empty() {
            return Ok(Vec::new());
        }
        let problem = "needs skills";
        return Err(Error::invalid_field(
            "context request",
            "active_skills",
            problem,
        ));
    };
    let question = super::asked_text(request, view)?;
    skill_blocks(&SkillRequest {
        registry: &skills.registry,
        active: &request.active_skills,
        policy: &request.policy,
        question: &question,
        analyzer: &parts.analyzer,
        counter: parts.meter.counter(),
        resources: &skills.resources,
    })
}
