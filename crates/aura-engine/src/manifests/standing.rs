//! What one call after the other brings along unchanged: the policy, the system prompt, the tools.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use aura_core::{ContextPolicy, InputPart, Result, ToolDefinition, json};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::request::ContextRequest;

/// How many of them are kept in mind.
const KEPT: usize = 16;

/// The standing inputs of calls.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) policy: Arc<ContextPolicy>,
    pub(crate) system: Option<String>,
    pub(crate) tools: Vec<ToolDefinition>,
    /// The same as bytes, made when they are first stored.
    part: OnceLock<InputPart>,
}

/// Their form as bytes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form<'a> {
    policy: Cow<'a, ContextPolicy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    system: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    tools: Cow<'a, [ToolDefinition]>,
}

impl Standing {
    fn of(request: &ContextRequest, tools: &[ToolDefinition]) -> Self {
        Self {
            policy: Arc::clone(&request.policy),
            system: request.system.clone(),
            tools: tools.to_vec(),
            part: OnceLock::new(),
        }
    }

    fn is_of(&self, request: &ContextRequest, tools: &[ToolDefinition]) -> bool {
        let same_policy =
            Arc::ptr_eq(&self.policy, &request.policy) || self.policy == request.policy;
        same_policy && self.system == request.system && self.tools == tools
    }

    /// As bytes, by their digest.
    ///
    /// # Errors
    /// `Internal`, when a type of ours cannot be written, which is a defect.
    pub(crate) fn part(&self) -> Result<InputPart> {
        if let Some(part) = self.part.get() {
            return Ok(part.clone());
        }
        let text = json::to_string(&Form {
            policy: Cow::Borrowed(&self.policy),
            system: self.system.as_deref().map(Cow::Borrowed),
            tools: Cow::Borrowed(&self.tools),
        })?;
        let part = InputPart::of(text.into_bytes());
        // Two threads that write the same thing write the same bytes.
        let _ = self.part.set(part.clone());
        Ok(part)
    }

    /// Reads the bytes of [`Standing::part`].
    ///
    /// # Errors
    /// `Invalid` naming the field, when another version wrote them.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let form: Form<'_> = json::parse("inputs", bytes)?;
        Ok(Self {
            policy: Arc::new(form.policy.into_owned()),
            system: form.system.map(Cow::into_owned),
            tools: form.tools.into_owned(),
            part: OnceLock::new(),
        })
    }
}

/// The standing inputs seen lately, so that nothing is copied while they stay the same.
#[derive(Default)]
pub(crate) struct Standings(Mutex<Vec<Arc<Standing>>>);

impl Standings {
    /// Those of a call, with the tools that it offers.
    pub(crate) fn of(&self, request: &ContextRequest, tools: &[ToolDefinition]) -> Arc<Standing> {
        let mut known = self.0.lock();
        if let Some(at) = known.iter().position(|one| one.is_of(request, tools)) {
            let found = known.remove(at);
            known.insert(0, Arc::clone(&found));
            return found;
        }
        let new = Arc::new(Standing::of(request, tools));
        known.truncate(KEPT - 1);
        known.insert(0, Arc::clone(&new));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_the_same_is_kept_once_and_survives_its_bytes() {
        let standings = Standings::default();
        let ask = |system: &str| ContextRequest {
            system: Some(system.to_owned()),
            ..ContextRequest::ask("x")
        };
        let first = standings.of(&ask("a"), &[]);
        assert!(Arc::ptr_eq(&first, &standings.of(&ask("a"), &[])));
        for n in 0..KEPT {
            standings.of(&ask(&n.to_string()), &[]);
        }
        assert!(!Arc::ptr_eq(&first, &standings.of(&ask("a"), &[])));
        let read = Standing::read(&first.part().unwrap().bytes).unwrap();
        assert!(read.is_of(&ask("a"), &[]) && !read.is_of(&ask("b"), &[]));
    }
}
