//! What the verbs of the engine work with.

use std::sync::Arc;

use aura_assembly::Meter;
use aura_core::{Clock, FactExtractor, IdSource, LexicalBackend, Probe, Storage};

use aura_text::Analyzer;

use crate::background::queue::Queue;
use crate::build_context::sources::Registered;
use crate::build_context::tools::Toolboxes;
use crate::dense::Dense;
use crate::manifests::retention::Retention;
use crate::manifests::standing::Standings;
use crate::session::bodies::Bodies;

/// The collaborators of an engine, each behind its trait.
pub(crate) struct Parts {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) lexical: Arc<dyn LexicalBackend>,
    pub(crate) extractor: Arc<dyn FactExtractor>,
    /// Analyses what is no message: facts.
    pub(crate) analyzer: Analyzer,
    pub(crate) meter: Meter,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) bodies: Bodies,
    pub(crate) queue: Queue,
    /// What calls bring along unchanged.
    pub(crate) standings: Standings,
    /// How long manifests are kept.
    pub(crate) retention: Retention,
    /// Lists of tools, indexed.
    pub(crate) toolboxes: Toolboxes,
    /// Is told of the stages of compilations.
    pub(crate) probe: Option<Arc<dyn Probe>>,
    /// What makes and keeps vectors, if there is an embedder.
    pub(crate) dense: Option<Arc<Dense>>,
    /// The host's retrievers.
    pub(crate) sources: Vec<Registered>,
}
