//! Filter: who may see what. What is refused here reaches no later stage.

use aura_core::{Block, BlockRef, Class, History, Payload, Reason, Result, Stage, TurnView};

use crate::manifest::{Ledger, rejected};
use crate::request::CompileRequest;

/// What the principal may see.
#[derive(Debug, Clone)]
pub(crate) struct Visible<'a> {
    /// The blocks, in the order given.
    pub(crate) blocks: Vec<&'a Block>,
    /// The open turn that the context is for.
    pub(crate) open: Option<TurnView>,
    /// How many complete turns there are.
    pub(crate) turns: usize,
}

/// Refuses blocks that have expired or whose labels are not held, and opens the history that the principal may see.
pub(crate) fn run<'a>(
    request: &CompileRequest<'a>,
    history: &dyn History,
    ledger: &mut Ledger,
) -> Result<Visible<'a>> {
    let blocks = permitted(request, ledger);
    if let Some(gathered) = request.gathered {
        ledger.take_gathered(gathered);
    }
    Ok(Visible {
        blocks,
        open: history.open_turn()?,
        turns: history.turn_count(),
    })
}

/// Whether a block stands for bytes of another tenant.
fn is_foreign(block: &Block, request: &CompileRequest<'_>) -> bool {
    matches!(&block.payload, Payload::Artifact(handle) if handle.tenant != request.principal.tenant)
}

/// The blocks that the principal may see.
pub(crate) fn permitted<'a>(request: &CompileRequest<'a>, ledger: &mut Ledger) -> Vec<&'a Block> {
    let mut blocks = Vec::with_capacity(request.blocks.len());
    for block in request.blocks {
        let reason = if is_foreign(block, request) {
            Reason::ForeignTenant
        } else if !request.principal.holds(&block.labels) {
            Reason::LabelNotHeld
        } else if block.is_expired(request.now) {
            Reason::Expired
        } else {
            blocks.push(block);
            continue;
        };
        ledger.candidates.push(rejected(
            BlockRef::Block(block.block_id.clone()),
            block.kind,
            if block.kind.is_order() {
                Class::P1
            } else {
                Class::P4
            },
            block.tokens.unwrap_or(0),
            Stage::Filter,
            reason,
        ));
    }
    blocks
}
