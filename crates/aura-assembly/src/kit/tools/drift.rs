//! Drift: what a new list of a server changed.

use std::collections::BTreeMap;

use aura_core::Digest;
use serde::Serialize;

use super::list::ListedTool;

/// A part of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolField {
    /// The name for people.
    Title,
    /// What the model is told it does.
    Description,
    /// The schema of its arguments.
    Parameters,
    /// The schema of its results.
    OutputSchema,
    /// What the server says of its behaviour.
    Annotations,
}

/// A tool whose definition changed under the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolChange {
    /// Its name at the server.
    pub name: String,
    /// The digest of what was listed.
    pub before: Digest,
    /// The digest of what is listed now.
    pub after: Digest,
    /// What differs.
    pub fields: Vec<ToolField>,
}

/// What a new list of a server changed; all names are those at the server, in alphabetical order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// The server.
    pub server: String,
    /// The digest of its list before; `None` when it is listed for the first time.
    pub before: Option<Digest>,
    /// The digest of its list now.
    pub after: Digest,
    /// Tools that are new.
    pub added: Vec<String>,
    /// Tools that are gone.
    pub removed: Vec<String>,
    /// Tools that are not what they were.
    pub changed: Vec<ToolChange>,
}

impl Drift {
    /// Whether the list is what it was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before == Some(self.after)
    }

    /// Compares two lists of a server.
    pub(super) fn between(
        server: &str,
        before: Option<(&[ListedTool], Digest)>,
        after: (&[ListedTool], Digest),
    ) -> Self {
        let by_name = |tools: &'_ [ListedTool]| -> BTreeMap<String, ListedTool> {
            let pairs = tools.iter().map(|tool| (tool.name.clone(), tool.clone()));
            pairs.collect()
        };
        let old = by_name(before.map_or(&[], |(tools, _)| tools));
        let new = by_name(after.0);
        let missing = |from: &BTreeMap<String, ListedTool>,
                       other: &BTreeMap<String, ListedTool>| {
            let names = from.keys().filter(|name| !other.contains_key(*name));
            names.cloned().collect::<Vec<_>>()
        };
        let changed = new.values().filter_map(|tool| {
            let was = old.get(&tool.name)?;
            let fields = differences(was, tool);
            (!fields.is_empty()).then(|| ToolChange {
                name: tool.name.clone(),
                before: was.digest(),
                after: tool.digest(),
                fields,
            })
        });
        Self {
            server: server.to_owned(),
            before: before.map(|(_, digest)| digest),
            after: after.1,
            added: missing(&new, &old),
            removed: missing(&old, &new),
            changed: changed.collect(),
        }
    }
}

fn differences(was: &ListedTool, is: &ListedTool) -> Vec<ToolField> {
    let json = |raw: &Option<aura_core::RawJson>| raw.as_ref().map(super::canonical_json);
    let parameters = |tool: &ListedTool| super::canonical_json(&tool.parameters);
    let all = [
        (ToolField::Title, was.title == is.title),
        (ToolField::Description, was.description == is.description),
        (ToolField::Parameters, parameters(was) == parameters(is)),
        (
            ToolField::OutputSchema,
            json(&was.output_schema) == json(&is.output_schema),
        ),
        (
            ToolField::Annotations,
            json(&was.annotations) == json(&is.annotations),
        ),
    ];
    let differing = all.into_iter().filter(|(_, same)| !same);
    differing.map(|(field, _)| field).collect()
}
