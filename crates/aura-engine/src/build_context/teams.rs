//! Contexts of agents that work in a team.

use aura_core::{
    AgentId, BlockRef, CompiledContext, Fate, PacketId, Principal, Result, TenantId, TurnId,
};
use aura_teams::{InboxRequest, Team};

use crate::engine::Engine;
use crate::request::ContextRequest;

/// A context of a team's member, and what became of the packets that wait for it.
#[derive(Debug, Clone)]
pub struct TeamContext {
    /// The context; its manifest names the turn, which acknowledges the packets when it is recorded complete.
    pub context: CompiledContext,
    /// Packets that stand in it.
    pub shown: Vec<PacketId>,
    /// Packets that found no room; they wait.
    pub left_out: Vec<PacketId>,
    /// Packets that have too little to do with the question; they wait.
    pub gated: Vec<PacketId>,
    /// Packets that another turn of the agent is showing.
    pub elsewhere: Vec<PacketId>,
}

impl Engine {
    /// A team on this engine's store, without members yet.
    ///
    /// # Errors
    /// `Invalid` naming `team`; `Closed`.
    pub fn team(&self, tenant: &TenantId, name: &str) -> Result<Team> {
        let (_pass, parts, _) = self.enter("team")?;
        Team::new(
            parts.storage.clone(),
            parts.clock.clone(),
            parts.ids.clone(),
            tenant.clone(),
            name,
        )
        .map_err(|error| error.during("team"))
    }

    /// Compiles the context of a team's member in its own session, with the packets that wait for it: as data of whoever
    /// sent them, never as words of its own and never as orders. `under` is the packet on whose account it works; it then
    /// sees no more than that grants.
    ///
    /// Only packets that really stand in the context are leased to its turn. They are acknowledged when that turn is
    /// recorded complete; after a failure they come again.
    ///
    /// # Errors
    /// Those of [`Team::inbox`] and of [`Engine::build_context`].
    pub fn build_team_context(
        &self,
        team: &Team,
        agent: &AgentId,
        under: Option<&PacketId>,
        mut request: ContextRequest,
    ) -> Result<TeamContext> {
        let principal: Principal = team.principal(agent, under)?;
        let session = team.session(agent)?;
        let (turn, counter) = {
            let (_pass, parts, _) = self.enter("build_team_context")?;
            let turn = match request.turn_id.take() {
                Some(turn) => turn,
                None => TurnId::new(parts.ids.next_id(parts.clock.now()))?,
            };
            (turn, parts.meter.shared_counter())
        };
        let inbox = team.inbox(
            agent,
            &InboxRequest {
                turn: &turn,
                question: &request.question,
                policy: &request.policy,
                counter: &*counter,
            },
        )?;
        request.turn_id = Some(turn.clone());
        request.blocks.extend(inbox.blocks);
        let built = self.build_context(&principal, &session, &request);
        let context = match built {
            Ok(context) => context,
            Err(error) => {
                // No call of a model comes of it.
                team.release(agent, &turn, &inbox.leased)?;
                return Err(error.during("build_team_context"));
            }
        };
        let stands = |packet: &PacketId| {
            let id = format!("packet:{packet}");
            context.manifest.candidates.iter().any(|record| {
                record.fate == Fate::Selected
                    && matches!(&record.block, BlockRef::Block(block) if block.as_str() == id)
            })
        };
        let (shown, left_out): (Vec<PacketId>, Vec<PacketId>) =
            inbox.leased.into_iter().partition(stands);
        team.release(agent, &turn, &left_out)?;
        Ok(TeamContext {
            shown,
            left_out,
            gated: inbox.gated,
            elsewhere: inbox.elsewhere,
            context,
        })
    }
}
