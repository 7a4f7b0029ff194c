//! Stages of a compilation that fail when they are told to.

use aura_core::{Error, ErrorKind, Probe, Result, Stage};
use parking_lot::Mutex;

use super::Times;

/// Makes the chosen stages of compilations fail as they begin; given to an engine as its probe.
///
/// ```
/// use aura_core::{ErrorKind, Probe, Stage};
/// use aura_testkit::fault::{FaultStages, Times};
/// let stages = FaultStages::default();
/// stages.fail(Stage::Order, ErrorKind::Internal, Times::Next(1));
/// assert!(stages.begins(Stage::Admit).is_ok());
/// assert!(stages.begins(Stage::Order).is_err());
/// assert!(stages.begins(Stage::Order).is_ok());
/// ```
#[derive(Default)]
pub struct FaultStages {
    faults: Mutex<Vec<Fault>>,
    begun: Mutex<Vec<Stage>>,
}

struct Fault {
    stage: Stage,
    kind: ErrorKind,
    times: Times,
}

impl FaultStages {
    /// Has a stage fail.
    pub fn fail(&self, stage: Stage, kind: ErrorKind, times: Times) {
        self.faults.lock().push(Fault { stage, kind, times });
    }

    /// Forgets all faults.
    pub fn heal(&self) {
        self.faults.lock().clear();
    }

    /// The stages that have begun since this was last asked, in order.
    pub fn begun(&self) -> Vec<Stage> {
        std::mem::take(&mut *self.begun.lock())
    }
}

impl Probe for FaultStages {
    fn begins(&self, stage: Stage) -> Result<()> {
        self.begun.lock().push(stage);
        let mut faults = self.faults.lock();
        let Some(fault) = faults.iter_mut().find(|fault| fault.stage == stage) else {
            return Ok(());
        };
        let kind = fault.kind;
        if let Times::Next(left) = &mut fault.times {
            *left = left.saturating_sub(1);
        }
        faults.retain(|fault| fault.times != Times::Next(0));
        Err(Error::new(kind, "a fault that a test asked for"))
    }
}
