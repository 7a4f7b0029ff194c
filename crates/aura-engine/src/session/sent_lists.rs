//! What calls for a session sent last: nothing is lost with it, a call then knows of none before it.

use std::sync::Arc;

use aura_assembly::{FrozenPlan, SentList};
use aura_core::PrefixMode;
use parking_lot::Mutex;

use crate::request::ContextRequest;

/// How many pairs of agent version and workflow stage are remembered.
const PAIRS: usize = 8;

/// How many plans are remembered: a question may be asked again, or in other words, before it is answered.
const PLANS: usize = 4;

/// The last list of each agent version and workflow stage, the latest first.
#[derive(Default)]
pub(crate) struct SentLists(Mutex<Vec<Last>>);

struct Last {
    agent_version: Option<String>,
    workflow_stage: Option<String>,
    list: Arc<SentList>,
    /// The lists that the next turn may continue, the newest first.
    plans: Vec<Arc<FrozenPlan>>,
}

impl Last {
    fn is_of(&self, request: &ContextRequest) -> bool {
        self.agent_version == request.agent_version && self.workflow_stage == request.workflow_stage
    }
}

impl SentLists {
    /// The last list of a call's agent version and workflow stage.
    pub(crate) fn before(&self, request: &ContextRequest) -> Option<Arc<SentList>> {
        let all = self.0.lock();
        let last = all.iter().find(|last| last.is_of(request));
        last.map(|last| Arc::clone(&last.list))
    }

    /// The lists that a call may continue; `None` where nothing is remembered.
    pub(crate) fn plans(&self, request: &ContextRequest) -> Option<Vec<Arc<FrozenPlan>>> {
        let all = self.0.lock();
        let last = all.iter().find(|last| last.is_of(request));
        last.map(|last| last.plans.clone())
    }

    /// Remembers the list of a call, and its plan where later turns may continue it.
    pub(crate) fn put(&self, request: &ContextRequest, list: SentList, plan: Option<&FrozenPlan>) {
        let mut all = self.0.lock();
        let known = all.iter().position(|last| last.is_of(request));
        let mut plans = known.map(|at| all.remove(at).plans).unwrap_or_default();
        let continued = request.policy.prefix_mode == PrefixMode::AppendOnly;
        if let Some(plan) = plan.filter(|_| continued) {
            plans.insert(0, Arc::new(plan.clone()));
            plans.truncate(PLANS);
        }
        all.truncate(PAIRS - 1);
        let last = Last {
            agent_version: request.agent_version.clone(),
            workflow_stage: request.workflow_stage.clone(),
            list: Arc::new(list),
            plans,
        };
        all.insert(0, last);
    }
}
