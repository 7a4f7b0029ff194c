//! Checkpoints of sessions.

use aura_core::{Checkpoint, CheckpointId, CheckpointStorage, Result, SessionId, TenantId, json};

use crate::refusal::known_checkpoint;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::Json;
use crate::sqlite::statements::checkpoints;
use crate::sqlite::store::SqliteStorage;

impl CheckpointStorage for SqliteStorage {
    fn put_checkpoint(&self, checkpoint: Checkpoint) -> Result<()> {
        self.write("put_checkpoint", move |writer| {
            writer.guard()?;
            let params = (
                checkpoint.tenant.as_str(),
                checkpoint.checkpoint_id.as_str(),
                checkpoint.session_id.as_str(),
                json::to_string(&checkpoint)?,
            );
            match run(writer.conn(), checkpoints::PUT, params)? {
                0 => Err(known_checkpoint()),
                _ => Ok(()),
            }
        })
    }

    fn checkpoint(&self, tenant: &TenantId, id: &CheckpointId) -> Result<Option<Checkpoint>> {
        self.read("checkpoint", |conn| {
            let params = (tenant.as_str(), id.as_str());
            one(conn, checkpoints::GET, params, |row| {
                Ok(row.get::<_, Json<Checkpoint>>(0)?.0)
            })
        })
    }

    fn checkpoints(&self, tenant: &TenantId, session_id: &SessionId) -> Result<Vec<Checkpoint>> {
        self.read("checkpoints", |conn| {
            let params = (tenant.as_str(), session_id.as_str());
            all(conn, checkpoints::LIST, params, |row| {
                Ok(Ok(row.get::<_, Json<Checkpoint>>(0)?.0))
            })
        })
    }
}
