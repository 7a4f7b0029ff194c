//! What was found.

use super::{Rule, Violation};

/// Violations in the order found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The violations.
    pub(crate) violations: Vec<Violation>,
}

impl Report {
    /// Notes that a rule is broken at a place.
    pub(crate) fn add(&mut self, rule: &Rule, path: impl Into<String>, meaning: &'static str) {
        self.violations.push(Violation {
            rule: rule.id,
            path: path.into(),
            meaning,
        });
    }

    /// Notes it if it is so.
    pub(crate) fn add_if(
        &mut self,
        broken: bool,
        rule: &Rule,
        path: impl FnOnce() -> String,
        meaning: &'static str,
    ) {
        if broken {
            self.add(rule, path(), meaning);
        }
    }
}
