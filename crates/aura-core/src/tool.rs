//! Tool definitions as they are offered to a model.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::json::RawJson;
use crate::trust::Trust;

/// A tool offered to the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolDefinition {
    /// Its name: 1 to 64 of `A-Z a-z 0-9 _ -`, which every provider accepts.
    pub name: String,
    /// What it does, for the model.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: RawJson,
    /// How far its server may be believed.
    #[serde(default)]
    pub trust: Trust,
}

impl ToolDefinition {
    /// Checks the name and that the schema is an object.
    ///
    /// # Errors
    /// `Invalid` with the field below `prefix`.
    pub fn validate(&self, prefix: &str) -> Result<()> {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if self.name.is_empty() || self.name.len() > 64 || !self.name.bytes().all(legal) {
            return Err(Error::invalid_field(
                "tool",
                format!("{prefix}.name"),
                "must be 1 to 64 of A-Z a-z 0-9 _ -",
            ));
        }
        if !self.parameters.is_object() {
            return Err(Error::invalid_field(
                "tool",
                format!("{prefix}.parameters"),
                "must be a JSON Schema object",
            ));
        }
        Ok(())
    }
}
