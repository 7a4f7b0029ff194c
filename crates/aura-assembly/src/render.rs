//! A compiled context as the JSON that is sent.

mod generic;
mod openai;

use aura_core::{CompiledContext, Provider, Result};

/// The messages as a JSON array in the form of the context's provider.
///
/// # Errors
/// `Internal`, when a message cannot be written, which is a defect; `Invalid` for a provider this version cannot write.
pub fn messages_json(context: &CompiledContext) -> Result<String> {
    match context.provider {
        Provider::Generic => generic::messages(&context.messages),
        Provider::Openai => openai::messages(&context.messages),
        _ => Err(unknown()),
    }
}

/// The tools as a JSON array in the form of the context's provider.
///
/// # Errors
/// As [`messages_json`].
pub fn tools_json(context: &CompiledContext) -> Result<String> {
    match context.provider {
        Provider::Generic => generic::tools(&context.tools),
        Provider::Openai => openai::tools(&context.tools),
        _ => Err(unknown()),
    }
}

fn unknown() -> aura_core::Error {
    aura_core::Error::invalid_field("options", "provider", "cannot be written by this version")
}
