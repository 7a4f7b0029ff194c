//! What a provider's form has a place for, and what it refuses.

use aura_core::{Provider, Reasoning};

use crate::request::CompileRequest;
use crate::transcript::Ending;

/// How messages are shown to a provider.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    /// The provider.
    pub(crate) provider: Provider,
    reasoning: Reasoning,
    continued: bool,
    replanned: bool,
}

impl Manner {
    /// How a call wants them shown.
    pub(crate) const fn of(request: &CompileRequest<'_>) -> Self {
        Self {
            provider: request.provider,
            reasoning: request.policy.reasoning,
            continued: false,
            replanned: false,
        }
    }

    /// The same for turns whose prefix is kept as it was when they were made.
    pub(crate) const fn continued(mut self) -> Self {
        self.continued = true;
        self
    }

    /// The same for a turn whose prefix is not what it was.
    pub(crate) const fn replanned(mut self, replanned: bool) -> Self {
        self.replanned = replanned;
        self
    }

    /// Whether native forms lose their reasoning: where the policy says so, and where a provider binds it to a prefix
    /// that is not kept (rule A-BIND).
    pub(crate) fn strips(self, ending: Ending) -> bool {
        match self.reasoning {
            Reasoning::StripAll => true,
            Reasoning::DropBlock => false,
            Reasoning::Keep => {
                let moves = ending == Ending::Closed && !self.continued;
                self.provider == Provider::Anthropic && (moves || self.replanned)
            }
        }
    }
}

/// Whether messages stand as they are: Aura's own form has a place for everything.
pub(crate) fn is_own(provider: Provider) -> bool {
    provider == Provider::Generic
}

/// Whether system messages may stand among the others.
pub(crate) fn takes_system(provider: Provider) -> bool {
    !is_framed(provider)
}

/// Whether a text of white space is taken.
pub(crate) fn takes_blanks(provider: Provider) -> bool {
    !is_framed(provider)
}

/// Whether arguments of a call may be any JSON.
pub(crate) fn takes_any_arguments(provider: Provider) -> bool {
    !is_framed(provider)
}

/// Whether a tool's result may hold media.
pub(crate) fn takes_tool_media(provider: Provider) -> bool {
    !matches!(provider, Provider::Openai | Provider::Gemini)
}

/// Whether a result has a field for failure.
pub(crate) fn marks_failure(provider: Provider) -> bool {
    !matches!(provider, Provider::Openai | Provider::OpenaiResponses)
}

/// Whether a result names its tool.
pub(crate) fn names_results(provider: Provider) -> bool {
    provider == Provider::Gemini
}

/// Whether ids of calls must be `^[a-zA-Z0-9_-]{1,64}$` and unique in the list.
pub(crate) fn checks_ids(provider: Provider) -> bool {
    !matches!(provider, Provider::Generic | Provider::Openai)
}

/// Whether the user must speak first and last.
pub(crate) fn is_framed(provider: Provider) -> bool {
    matches!(provider, Provider::Anthropic | Provider::Gemini)
}
