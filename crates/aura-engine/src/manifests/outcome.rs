//! What came of a context.

use aura_core::{OutcomeReport, Principal, RequestId, Result};

use super::find;
use crate::engine::{Engine, metrics};

impl Engine {
    /// Notes what came of a context: success, the user's correction, what tools did, what the provider counted. Gives all
    /// that is known now; a report repeated changes nothing.
    ///
    /// # Errors
    /// `Invalid` naming the field; those of [`Engine::manifest`].
    pub fn record_outcome(
        &self,
        principal: &Principal,
        request: &RequestId,
        mut report: OutcomeReport,
    ) -> Result<OutcomeReport> {
        let (_pass, parts, _) = self.enter("record_outcome")?;
        let record = || {
            report.validate()?;
            let manifest = find(parts, principal, request)?;
            metrics::reported(&manifest, &report);
            report.reported_at = Some(parts.clock.now());
            parts
                .storage
                .report_outcome(&principal.tenant, request, report)
        };
        record().map_err(|error| error.during("record_outcome"))
    }
}
