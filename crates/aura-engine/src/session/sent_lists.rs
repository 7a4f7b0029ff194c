//! What calls for a session sent last: nothing is lost with it, a call then knows of none before it.

use std::sync::Arc;

use aura_assembly::SentList;
use parking_lot::Mutex;

use crate::request::ContextRequest;

/// How many pairs of agent version and workflow stage are remembered.
const PAIRS: usize = 8;

/// The last list of each agent version and workflow stage, the latest first.
#[derive(Default)]
pub(crate) struct SentLists(Mutex<Vec<Last>>);

struct Last {
    agent_version: Option<String>,
    workflow_stage: Option<String>,
    list: Arc<SentList>,
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

    /// Remembers the list of a call.
    pub(crate) fn put(&self, request: &ContextRequest, list: SentList) {
        let mut all = self.0.lock();
        all.retain(|last| !last.is_of(request));
        all.truncate(PAIRS - 1);
        let last = Last {
            agent_version: request.agent_version.clone(),
            workflow_stage: request.workflow_stage.clone(),
            list: Arc::new(list),
        };
        all.insert(0, last);
    }
}
