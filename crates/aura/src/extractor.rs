//! The extractor that the environment names.

use std::sync::Arc;

use aura_core::{FactExtractor, Result};
use aura_memory::{HttpModel, HttpOptions, ModelExtractor, ModelOptions};

/// An extractor on the model that `AURA_EXTRACTOR_MODEL` (or `CONTEXT_EXTRACTOR_MODEL`) names as `provider/model`, by
/// default `groq/llama-3.1-8b-instant`. `AURA_EXTRACTOR_BASE_URL` gives another address; the key stands in
/// `AURA_EXTRACTOR_API_KEY` or in the provider's own variable.
///
/// # Errors
/// `Invalid` naming `model` for a provider that is not known.
///
/// ```no_run
/// use aura::{EngineOptions, OpenOptions};
///
/// # fn main() -> aura::Result<()> {
/// let extractor = Some(aura::extractor_from_environment()?);
/// let options = OpenOptions { engine: EngineOptions { extractor, ..EngineOptions::default() }, ..OpenOptions::default() };
/// let engine = aura::open_with("agent.db", options)?;
/// # engine.close()
/// # }
/// ```
pub fn extractor_from_environment() -> Result<Arc<dyn FactExtractor>> {
    let model = HttpModel::new(&HttpOptions::from_environment())?;
    let extractor = ModelExtractor::new(Arc::new(model), ModelOptions::default());
    Ok(Arc::new(extractor))
}
