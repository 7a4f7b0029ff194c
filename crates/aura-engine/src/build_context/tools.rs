//! The tools of a context: what the call brings along, and what is chosen from a toolbox.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::Arc;

use aura_assembly::FrozenPlan;
use aura_assembly::tools::{Offer, OfferRequest, ToolCosines, Toolbox, offer};
use aura_core::{
    Calibration, CandidateRecord, Digest, DigestBuilder, Embedder, Error, Result, Skipped,
    ToolDefinition,
};
use lru::LruCache;
use parking_lot::Mutex;

use crate::dense::model::Model;
use crate::engine::Engine;
use crate::parts::Parts;
use crate::request::ContextRequest;
use crate::session::history_view::HistoryView;

/// How many lists of definitions are kept indexed: an agent has a few.
const KEPT: NonZeroUsize = NonZeroUsize::new(16).expect("not zero");

/// The toolboxes of lists that calls brought along, by the digest of their bytes.
pub(crate) struct Toolboxes(Mutex<LruCache<Digest, Arc<Toolbox>>>);

impl Default for Toolboxes {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(KEPT)))
    }
}

impl Toolboxes {
    fn of(&self, definitions: &[ToolDefinition], parts: &Parts) -> Arc<Toolbox> {
        let mut digest = DigestBuilder::new();
        for tool in definitions {
            digest
                .field(tool.name.as_bytes())
                .field(tool.description.as_bytes())
                .field(tool.parameters.as_str().as_bytes())
                .field(tool.trust.as_str().as_bytes());
        }
        let digest = digest.finish();
        if let Some(known) = self.0.lock().get(&digest) {
            return Arc::clone(known);
        }
        let made = Arc::new(Toolbox::of(definitions, &parts.analyzer));
        self.0.lock().put(digest, Arc::clone(&made));
        made
    }
}

/// The tools that a context offers, and what became of the others.
pub(crate) struct Offered<'a> {
    pub(crate) tools: Cow<'a, [ToolDefinition]>,
    pub(crate) records: Vec<CandidateRecord>,
    /// Why meaning took no part in the choice, where it should have.
    pub(crate) skipped: Option<Skipped>,
}

impl Engine {
    /// Makes the vectors of a toolbox, so that contexts choose its tools by meaning too; until then they go by words.
    /// Takes as long as the model needs for two texts a tool, once for each toolbox.
    ///
    /// # Errors
    /// `Invalid` naming `embedder` where the engine has none; those of the embedder; `Closed`.
    pub fn embed_tools(&self, toolbox: &Toolbox) -> Result<()> {
        let (_pass, parts, _) = self.enter("embed_tools")?;
        let model = parts.dense.as_ref().and_then(|dense| dense.models.first());
        let Some(model) = model else {
            let problem = "is needed to make vectors";
            return Err(Error::invalid_field("engine", "embedder", problem).during("embed_tools"));
        };
        toolbox
            .embed(&Guarded(model))
            .map_err(|error| error.during("embed_tools"))
    }
}

/// A guarded model as an embedder.
struct Guarded<'a>(&'a Model);

impl Embedder for Guarded<'_> {
    fn model(&self) -> &str {
        &self.0.id
    }

    fn dimension(&self) -> usize {
        self.0.dimension
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.0.embed(texts)
    }

    fn batch(&self) -> usize {
        // The model makes its own batches.
        usize::MAX
    }

    fn calibration(&self) -> Option<Calibration> {
        self.0.calibration()
    }
}

/// Chooses the tools of a context.
pub(crate) fn offered<'a>(
    request: &'a ContextRequest,
    view: &HistoryView<'_>,
    parts: &Parts,
    plan: Option<&FrozenPlan>,
) -> Result<Offered<'a>> {
    let policy = &request.policy;
    let selects = policy.tool_top_k > 0 || policy.min_tool_relevance > 0.0;
    let (toolbox, given) = match &request.toolbox {
        Some(toolbox) => (Arc::clone(toolbox), request.tools.as_slice()),
        None if selects && !request.tools.is_empty() => {
            (parts.toolboxes.of(&request.tools, parts), &[][..])
        }
        None => {
            return Ok(Offered {
                tools: Cow::Borrowed(&request.tools),
                records: Vec::new(),
                skipped: None,
            });
        }
    };
    if let Some(at) = given
        .iter()
        .position(|tool| toolbox.get(&tool.name).is_some())
    {
        let field = format!("tools[{at}].name");
        let problem = "is the name of a tool in the toolbox";
        return Err(Error::invalid_field("context request", field, problem));
    }
    let question = super::asked_text(request, view)?;
    let near = selects.then(|| near(&toolbox, &question, view, parts));
    let (cosines, skipped) = match near {
        Some(Ok(cosines)) => (cosines, None),
        Some(Err(reason)) => (None, Some(reason)),
        None => (None, None),
    };
    let chosen = offer(
        &OfferRequest {
            toolbox: &toolbox,
            groups: &request.tool_groups,
            policy,
            question: &question,
            cosines: cosines.as_ref(),
            plan,
        },
        &parts.meter,
    )?;
    let Offer { tools, records } = if given.is_empty() {
        chosen
    } else {
        let first = aura_assembly::tools::all_of(given, &parts.meter)?;
        first.followed_by(chosen)
    };
    Ok(Offered {
        tools: Cow::Owned(tools),
        records,
        skipped: skipped.map(|reason| Skipped {
            work: "dense-tools".to_owned(),
            reason: reason.to_owned(),
        }),
    })
}

/// How near the question comes to each tool; `None` without vectors, and why where there should have been.
fn near(
    toolbox: &Toolbox,
    question: &str,
    view: &HistoryView<'_>,
    parts: &Parts,
) -> Result<Option<ToolCosines>, &'static str> {
    let dense = parts.dense.as_ref();
    let Some((dense, model)) = dense.and_then(|dense| Some((dense, dense.models.first()?))) else {
        return Ok(None);
    };
    if question.is_empty() || !toolbox.has_vectors(&model.id) {
        return Ok(None);
    }
    let mut asked = view.asked.borrow_mut();
    let same =
        |asked: &crate::dense::queries::Asked| asked.model.id == model.id && asked.text == question;
    let asked = match &mut *asked {
        Some(asked) if same(asked) => asked,
        other => other.insert(dense.queries.ask(model, question)),
    };
    let vector = asked.wait(view.limits.until, view.limits.by_deadline);
    let vector = vector.map_err(crate::dense::queries::NoVector::reason)?;
    Ok(toolbox.cosines(&model.id, &vector))
}
