//! Asking the sources of the host: each on a thread of its own, so that a slow one can be given up.

use std::borrow::Cow;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use aura_assembly::Gathered;
use aura_core::{
    Block, BlockRef, CandidateRecord, Class, Error, ErrorKind, Fate, Principal, Reason, Result,
    Scores, SessionId, Skipped, Source, SourceReceipt, SourceRequest, Stage, Storage, Timestamp,
};

use super::claims;
use crate::cancel::{self, Cancel};

/// Calls of one source that may be under way at once; a source that hangs is not asked beyond that.
const MOST_CALLS: u32 = 16;
/// How often a caller that waits looks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(10);

/// A source of the host, and how many of its calls are under way.
pub(crate) struct Registered {
    source: Arc<dyn Source>,
    calls: Arc<AtomicU32>,
}

/// A call that is under way or was not begun.
pub(super) struct Pending {
    name: String,
    until: Instant,
    answer: Result<Receiver<Result<Vec<Block>>>, &'static str>,
}

/// What a call asks of the host's sources.
pub(super) struct Inquiry<'a> {
    pub(super) sources: &'a [Registered],
    pub(super) storage: &'a dyn Storage,
    pub(super) principal: &'a Principal,
    pub(super) session: &'a SessionId,
    pub(super) now: Timestamp,
    /// When the call began.
    pub(super) begin: Instant,
    /// How long each source is waited for at most.
    pub(super) most: Option<Duration>,
    pub(super) cancel: Option<&'a Cancel>,
    /// The calls under way, in the order registered, once they were begun.
    pub(super) asked: Option<Vec<Pending>>,
}

impl Registered {
    pub(crate) fn new(source: Arc<dyn Source>) -> Self {
        Self {
            source,
            calls: Arc::default(),
        }
    }

    /// Begins a call.
    fn ask(&self, request: SourceRequest, begin: Instant) -> Pending {
        let until = begin.checked_add(request.timeout).unwrap_or(begin);
        let pending = |answer| Pending {
            name: self.source.name().to_owned(),
            until,
            answer,
        };
        if self.calls.fetch_add(1, Ordering::AcqRel) >= MOST_CALLS {
            self.calls.fetch_sub(1, Ordering::AcqRel);
            return pending(Err("busy"));
        }
        let (sender, receiver) = sync_channel(1);
        let (source, calls) = (Arc::clone(&self.source), Arc::clone(&self.calls));
        let call = move || {
            let answer = catch_unwind(AssertUnwindSafe(|| source.retrieve(&request)));
            calls.fetch_sub(1, Ordering::AcqRel);
            let answer = answer.unwrap_or_else(|_| {
                Err(Error::new(
                    ErrorKind::Callback,
                    "a source of the host panicked",
                ))
            });
            // Nobody listens any more where the time is over.
            let _ = sender.send(answer);
        };
        match thread::Builder::new()
            .name("aura-source".to_owned())
            .spawn(call)
        {
            Ok(_) => pending(Ok(receiver)),
            Err(_) => {
                self.calls.fetch_sub(1, Ordering::AcqRel);
                pending(Err("unavailable"))
            }
        }
    }
}

impl Inquiry<'_> {
    /// Asks all sources, unless that was done.
    pub(super) fn begin(&mut self, query: &str) {
        if self.asked.is_some() || self.sources.is_empty() {
            return;
        }
        let ask = |registered: &Registered| {
            let timeout = registered.source.timeout();
            let request = SourceRequest {
                principal: self.principal.clone(),
                session_id: self.session.clone(),
                query: query.to_owned(),
                now: self.now,
                timeout: self.most.map_or(timeout, |most| timeout.min(most)),
            };
            registered.ask(request, self.begin)
        };
        self.asked = Some(self.sources.iter().map(ask).collect());
    }

    /// Waits for the answers, adds what is sound of them to the blocks of the call, and says what came of it.
    ///
    /// # Errors
    /// `Cancelled` alone: whatever else a source does is noted and passed over.
    pub(super) fn collect(&mut self, blocks: &mut Cow<'_, [Block]>) -> Result<Option<Gathered>> {
        let Some(asked) = self.asked.take() else {
            return Ok(None);
        };
        let mut gathered = Gathered::default();
        let mut ids: HashSet<_> = blocks.iter().map(|block| block.block_id.clone()).collect();
        for pending in asked {
            let name = pending.name.clone();
            let given = match pending.wait(self.cancel)? {
                Ok(given) => given,
                Err(reason) => {
                    gathered.skipped.push(Skipped {
                        work: format!("source:{name}"),
                        reason,
                    });
                    continue;
                }
            };
            let mut receipt = SourceReceipt {
                source: name,
                blocks: 0,
                refused: 0,
            };
            for block in given {
                if block.validate("block").is_err() || !ids.insert(block.block_id.clone()) {
                    receipt.refused += 1;
                    continue;
                }
                match self.admitted(&block) {
                    Some(block) => {
                        receipt.blocks += 1;
                        blocks.to_mut().push(block);
                    }
                    None => {
                        receipt.refused += 1;
                        gathered.refused.push(refused(&block));
                    }
                }
            }
            gathered.receipts.push(receipt);
        }
        Ok(Some(gathered))
    }

    /// The block of a source as it may enter: an approved policy in the place of one that claims it, no other orders.
    fn admitted(&self, block: &Block) -> Option<Block> {
        if block.claims_policy() {
            let tenant = &self.principal.tenant;
            return claims::answer(block, self.storage, tenant, self.now).ok();
        }
        (!block.kind.is_order()).then(|| block.clone())
    }
}

impl Pending {
    /// The blocks, or why there are none.
    fn wait(self, cancel: Option<&Cancel>) -> Result<Result<Vec<Block>, String>> {
        let receiver = match self.answer {
            Ok(receiver) => receiver,
            Err(reason) => return Ok(Err(reason.to_owned())),
        };
        loop {
            cancel::check(cancel)?;
            let left = self.until.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(left.min(GLANCE)) {
                Ok(Ok(blocks)) => return Ok(Ok(blocks)),
                Ok(Err(error)) => return Ok(Err(error.kind().as_str().to_owned())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Ok(Err("deadline".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Ok(Err(ErrorKind::Callback.as_str().to_owned()));
                }
            }
        }
    }
}

fn refused(block: &Block) -> CandidateRecord {
    CandidateRecord {
        block: BlockRef::Block(block.block_id.clone()),
        kind: block.kind,
        events: Vec::new(),
        class: Class::P4,
        scores: Scores::default(),
        tokens: 0,
        fate: Fate::Rejected,
        stage: Stage::Filter,
        reason: Reason::Denied,
    }
}
