//! Verifying a return packet, without the trace of whoever sent it.

use aura_core::{Error, ErrorKind, PacketBody, PacketId, PacketSource, Result};

use crate::send::keeps;
use crate::team::Team;

/// What became of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceCheck {
    /// The source.
    pub source: PacketSource,
    /// Whether its artifact is there with the bytes that its handle was made from.
    pub holds: bool,
}

/// What can be said of a return packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Whether it answers a task that was sent to its sender by its receiver.
    pub answers: bool,
    /// Whether its payload keeps the contract of the task; `None` where there is none.
    pub keeps_contract: Option<bool>,
    /// Each of its sources.
    pub sources: Vec<SourceCheck>,
    /// Whether all its labels are among those the task gave.
    pub within_scope: bool,
}

impl Verification {
    /// Whether nothing speaks against it.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.answers
            && self.within_scope
            && self.keeps_contract.unwrap_or(true)
            && self.sources.iter().all(|check| check.holds)
    }
}

impl Team {
    /// Checks a return packet by its task and its handles alone.
    ///
    /// # Errors
    /// `NotFound` naming `packet_id`; `Invalid` naming it when it is no return; those of the store.
    pub fn verify(&self, packet_id: &PacketId) -> Result<Verification> {
        let packet = self
            .storage
            .packet(&self.tenant, packet_id)?
            .ok_or_else(|| {
                Error::new(ErrorKind::NotFound, "packet_id: there is no such packet")
                    .with_field("packet_id")
            })?;
        let PacketBody::Return { task, .. } = &packet.body else {
            return Err(Error::invalid_field("packet", "packet_id", "is no return"));
        };
        let asked = self.received(&packet.from, task).ok();
        let contract = asked.as_ref().and_then(|asked| match &asked.body {
            PacketBody::Task { contract, .. } => contract.clone(),
            _ => None,
        });
        let mut sources = Vec::with_capacity(packet.sources.len());
        for source in &packet.sources {
            sources.push(SourceCheck {
                holds: self.is_there(source)?,
                source: source.clone(),
            });
        }
        let labels = packet.sources.iter().flat_map(|source| &source.labels);
        let mut labels = labels.chain(&packet.labels);
        let within = asked.as_ref().map(|asked| &asked.scope.labels);
        Ok(Verification {
            answers: asked
                .as_ref()
                .is_some_and(|asked| Some(&asked.from) == packet.to.as_ref()),
            keeps_contract: contract
                .map(|contract| keeps(&contract, packet.payload.as_ref()).is_ok()),
            within_scope: within.is_some_and(|within| labels.all(|label| within.contains(label))),
            sources,
        })
    }

    fn is_there(&self, source: &PacketSource) -> Result<bool> {
        let found = self.storage.artifact(&self.tenant, &source.handle);
        match found {
            Ok(found) => Ok(found.is_some_and(|artifact| source.handle.matches(&artifact.digest))),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Denied) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}
