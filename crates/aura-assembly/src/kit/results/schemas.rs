//! The allow-list of output schemas: what a result may claim to be, and whether it is.

use std::collections::BTreeMap;

use aura_core::{Digest, DigestBuilder, Error, RawJson, Result, ResultContent, ToolResult};
use jsonschema::Validator;

use crate::kit::tools::{Toolbox, canonical_json};

/// Which output schemas results may follow. A result that claims another is not shown, and neither is one that claims an
/// allowed schema and breaks it. Failures are no output: they may be shown whatever they claim.
///
/// ```
/// use aura_assembly::results::ResultSchemas;
/// use aura_core::RawJson;
/// let schema = RawJson::new("schema", r#"{"type":"object","required":["price"]}"#).unwrap();
/// let mut schemas = ResultSchemas::default();
/// schemas.allow_valid("quote@1", &schema).unwrap();
/// schemas.allow("text");
/// ```
#[derive(Debug, Default)]
pub struct ResultSchemas {
    allowed: BTreeMap<String, Allowed>,
    named_only: bool,
}

#[derive(Debug)]
struct Allowed {
    digest: Option<Digest>,
    validator: Option<Validator>,
}

/// What may become of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may be shown.
    Allowed,
    /// It claims a schema that is not on the list, or none where one is needed.
    Unapproved,
    /// It breaks the schema that it claims: where, as a JSON pointer; empty where it is no JSON at all or wrong as a whole.
    Broken(String),
}

impl ResultSchemas {
    /// Allows results that claim this schema, unchecked.
    pub fn allow(&mut self, name: &str) {
        let unchecked = Allowed {
            digest: None,
            validator: None,
        };
        self.allowed.insert(name.to_owned(), unchecked);
    }

    /// Allows results that claim this schema and keep it. References to other documents are not followed.
    ///
    /// # Errors
    /// `Invalid` naming `output_schema`, when it is no JSON Schema of drafts 4 to 2020-12 or refers to another document.
    pub fn allow_valid(&mut self, name: &str, schema: &RawJson) -> Result<()> {
        let validator = jsonschema::validator_for(&schema.to_value()).map_err(|_| {
            let problem = "is no JSON Schema that stands by itself";
            Error::invalid_field("results", "output_schema", problem)
        })?;
        let allowed = Allowed {
            digest: Some(Digest::of(canonical_json(schema).as_bytes())),
            validator: Some(validator),
        };
        self.allowed.insert(name.to_owned(), allowed);
        Ok(())
    }

    /// Allows what the tools of a toolbox promise, each under the name it is offered by.
    ///
    /// # Errors
    /// As [`allow_valid`](Self::allow_valid).
    pub fn allow_tools(&mut self, toolbox: &Toolbox) -> Result<()> {
        for tool in toolbox.tools() {
            if let Some(schema) = &tool.output_schema {
                self.allow_valid(&tool.definition.name, schema)?;
            }
        }
        Ok(())
    }

    /// Whether results that claim no schema are refused too; by default they may be shown.
    pub fn require_names(&mut self, required: bool) {
        self.named_only = required;
    }

    /// The digest of the list, in all that decides.
    #[must_use]
    pub fn version(&self) -> Digest {
        let mut digest = DigestBuilder::new();
        digest.field(&[u8::from(self.named_only)]);
        for (name, allowed) in &self.allowed {
            digest.field(name.as_bytes());
            digest.optional(
                allowed
                    .digest
                    .as_ref()
                    .map(|digest| digest.as_bytes().as_slice()),
            );
        }
        digest.finish()
    }

    /// Whether a result may be shown.
    #[must_use]
    pub fn verdict(&self, result: &ToolResult) -> Verdict {
        if result.is_error {
            return Verdict::Allowed;
        }
        let Some(name) = &result.output_schema else {
            return match self.named_only {
                true => Verdict::Unapproved,
                false => Verdict::Allowed,
            };
        };
        let Some(allowed) = self.allowed.get(name) else {
            return Verdict::Unapproved;
        };
        match (&allowed.validator, &result.content) {
            (Some(validator), ResultContent::Text(text)) => broken(validator, text),
            // What lies in an artifact is not shown, only its handle is.
            _ => Verdict::Allowed,
        }
    }
}

fn broken(validator: &Validator, text: &str) -> Verdict {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return Verdict::Broken(String::new());
    };
    match validator.validate(&value) {
        Ok(()) => Verdict::Allowed,
        Err(error) => Verdict::Broken(error.instance_path().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use aura_core::{CallId, Trust};

    use super::*;

    fn result(schema: Option<&str>, text: &str) -> ToolResult {
        ToolResult {
            call_id: CallId::new("c").unwrap(),
            tool: Some("quote".to_owned()),
            output_schema: schema.map(str::to_owned),
            trust: Trust::Untrusted,
            is_error: false,
            content: ResultContent::Text(text.to_owned()),
        }
    }

    #[test]
    fn only_what_is_allowed_and_kept_passes() {
        let raw = |text: &str| RawJson::new("schema", text).unwrap();
        let mut schemas = ResultSchemas::default();
        let price = raw(
            r#"{"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}"#,
        );
        schemas.allow_valid("quote@1", &price).unwrap();
        schemas.allow("note");
        let verdict = |schema, text: &str| schemas.verdict(&result(schema, text));
        assert_eq!(
            verdict(Some("quote@1"), r#"{"price": 7}"#),
            Verdict::Allowed
        );
        assert_eq!(
            verdict(Some("quote@1"), r#"{"price": "7"}"#),
            Verdict::Broken("/price".into())
        );
        assert_eq!(
            verdict(Some("quote@1"), "seven"),
            Verdict::Broken(String::new())
        );
        assert_eq!(verdict(Some("quote@2"), "{}"), Verdict::Unapproved);
        assert_eq!(verdict(Some("note"), "anything"), Verdict::Allowed);
        assert_eq!(verdict(None, "anything"), Verdict::Allowed);
        let failed = ToolResult {
            is_error: true,
            ..result(Some("quote@2"), "timeout")
        };
        assert_eq!(schemas.verdict(&failed), Verdict::Allowed);
        let before = schemas.version();
        schemas.require_names(true);
        assert_eq!(schemas.verdict(&result(None, "x")), Verdict::Unapproved);
        assert_ne!(schemas.version(), before);
        for bad in [
            r#"{"type": 7}"#,
            r#"{"$ref": "https://example.org/schema.json"}"#,
        ] {
            let error = schemas.allow_valid("bad", &raw(bad)).unwrap_err();
            assert_eq!(error.field(), Some("output_schema"), "{bad}");
        }
    }
}
