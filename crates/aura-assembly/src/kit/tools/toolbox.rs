//! The toolbox: tools under names that every provider takes, in a stable order, with what selects among them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use aura_core::{
    Calibration, Digest, DigestBuilder, Embedder, RawJson, Result, ToolDefinition, Trust,
};
use aura_text::Analyzer;
use rustc_hash::FxHashMap;

use super::canonical::{self, canonical_json};
use super::fields::{Parameters, words};
use super::index::{Indexed, ToolCosines, ToolIndex, ToolRank};
use super::lead::leads;
use super::list::ListedTool;
use super::registry::Server;
use crate::meter::Meter;

/// The longest name that every provider takes.
const LONGEST: usize = 64;

/// What the vector of the name counts beside that of the whole definition.
const NAME: f32 = 0.4;

/// A tool of a toolbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldTool {
    /// The definition as it is offered.
    pub definition: ToolDefinition,
    /// The server that has it; empty for a definition that the call brought along.
    pub server: String,
    /// Its name there.
    pub name: String,
    /// The schema of its structured results.
    pub output_schema: Option<RawJson>,
    /// Whether it is shown whatever the question.
    pub always_on: bool,
}

/// Tools at one moment. Immutable; made by a registry, or from the definitions of one call.
#[derive(Debug)]
pub struct Toolbox {
    tools: Vec<HeldTool>,
    places: FxHashMap<String, u32>,
    groups: BTreeMap<String, BTreeSet<u32>>,
    version: Digest,
    index: ToolIndex,
    vectors: OnceLock<Vectors>,
    counted: OnceLock<Counted>,
}

/// The tokens of the tools by the first counter that asked.
#[derive(Debug)]
struct Counted {
    counter: String,
    tokens: Vec<OnceLock<u32>>,
}

#[derive(Debug)]
struct Vectors {
    model: String,
    calibration: Option<Calibration>,
    names: Vec<Vec<f32>>,
    texts: Vec<Vec<f32>>,
}

impl Toolbox {
    /// The definitions of one call, in their own order; none is always shown.
    #[must_use]
    pub fn of(definitions: &[ToolDefinition], analyzer: &Analyzer) -> Self {
        let held = definitions.iter().map(|definition| HeldTool {
            definition: definition.clone(),
            server: String::new(),
            name: definition.name.clone(),
            output_schema: None,
            always_on: false,
        });
        Self::new(held.collect(), &BTreeMap::new(), analyzer)
    }

    pub(super) fn of_servers(
        servers: &[Server],
        always_on: &BTreeSet<String>,
        groups: &BTreeMap<String, BTreeSet<String>>,
        analyzer: &Analyzer,
    ) -> Self {
        let mut taken: BTreeMap<String, HeldTool> = BTreeMap::new();
        for server in servers {
            let mut tools: Vec<&ListedTool> = server.tools.iter().collect();
            // Two tools of a server may want one name; which gets it does not depend on the order of the list.
            tools.sort_by(|a, b| a.name.cmp(&b.name));
            for tool in tools {
                let exposed = expose(&server.name, &tool.name, &taken);
                let held = HeldTool {
                    definition: ToolDefinition {
                        name: exposed.clone(),
                        description: described(tool),
                        parameters: canonical_schema(&tool.parameters),
                        trust: server.trust.min(Trust::Verified),
                    },
                    server: server.name.clone(),
                    name: tool.name.clone(),
                    output_schema: tool.output_schema.clone(),
                    always_on: is_member(always_on, &server.name, &tool.name),
                };
                taken.insert(exposed, held);
            }
        }
        Self::new(taken.into_values().collect(), groups, analyzer)
    }

    fn new(
        tools: Vec<HeldTool>,
        groups: &BTreeMap<String, BTreeSet<String>>,
        analyzer: &Analyzer,
    ) -> Self {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let places = tools.iter().enumerate();
        let places = places.map(|(at, tool)| (tool.definition.name.clone(), place(at)));
        let members = |members: &BTreeSet<String>| {
            let all = tools.iter().enumerate();
            let within = all.filter(|(_, tool)| is_member(members, &tool.server, &tool.name));
            within.map(|(at, _)| place(at)).collect::<BTreeSet<u32>>()
        };
        let groups = groups
            .iter()
            .map(|(group, names)| (group.clone(), members(names)));
        let indexed: Vec<Indexed<'_>> = tools
            .iter()
            .map(|tool| Indexed {
                server: &tool.server,
                name: &tool.name,
                description: &tool.definition.description,
                parameters: &tool.definition.parameters,
            })
            .collect();
        Self {
            index: ToolIndex::new(&indexed, analyzer),
            places: places.collect(),
            groups: groups.collect(),
            version: version(tools.iter().map(|tool| &tool.definition)),
            vectors: OnceLock::new(),
            counted: OnceLock::new(),
            tools,
        }
    }

    /// The tools, in the order in which they are offered.
    #[must_use]
    pub fn tools(&self) -> &[HeldTool] {
        &self.tools
    }

    /// The tool that is offered under a name: whose it is, and what it is called there.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&HeldTool> {
        self.tools.get(usize::try_from(self.place(name)?).ok()?)
    }

    /// The place of the tool that is offered under a name.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<u32> {
        self.places.get(name).copied()
    }

    /// What the definition at a place costs.
    pub(super) fn tokens(&self, at: usize, meter: &Meter) -> Result<u32> {
        let Some(tool) = self.tools.get(at) else {
            return Ok(0);
        };
        let counter = meter.counter().name();
        let counted = self.counted.get_or_init(|| Counted {
            counter: counter.to_owned(),
            tokens: self.tools.iter().map(|_| OnceLock::new()).collect(),
        });
        let slot = counted
            .tokens
            .get(at)
            .filter(|_| counted.counter == counter);
        if let Some(known) = slot.and_then(OnceLock::get) {
            return Ok(*known);
        }
        let tokens = meter.tool(&tool.definition)?;
        if let Some(slot) = slot {
            // Whoever was faster has counted the same.
            let _ = slot.set(tokens);
        }
        Ok(tokens)
    }

    /// The digest of all definitions in their order, whatever the spelling of their schemas.
    #[must_use]
    pub fn version(&self) -> Digest {
        self.version
    }

    /// The members of a group, by their places; `None` when there is no such group.
    #[must_use]
    pub fn group(&self, name: &str) -> Option<&BTreeSet<u32>> {
        self.groups.get(name)
    }

    /// How well each tool fits a question, by its words and, where `cosines` are given, by meaning.
    #[must_use]
    pub fn rank(&self, question: &str, cosines: Option<&ToolCosines>) -> Vec<ToolRank> {
        self.index.rank(question, cosines)
    }

    /// Makes the vectors of the tools, once for each toolbox; the first model stays.
    ///
    /// # Errors
    /// Those of the embedder; the toolbox then stays as it was.
    pub fn embed(&self, embedder: &dyn Embedder) -> Result<()> {
        if self.vectors.get().is_some() {
            return Ok(());
        }
        let (names, texts): (Vec<String>, Vec<String>) = self.meanings().into_iter().unzip();
        let embed = |texts: &[String]| -> Result<Vec<Vec<f32>>> {
            let mut rows = Vec::with_capacity(texts.len());
            for batch in texts.chunks(embedder.batch().max(1)) {
                let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
                rows.extend(embedder.embed(&batch)?);
            }
            rows.iter_mut().for_each(|row| scale(row));
            Ok(rows)
        };
        let made = Vectors {
            model: embedder.model().to_owned(),
            calibration: embedder.calibration(),
            names: embed(&names)?,
            texts: embed(&texts)?,
        };
        // Another thread may have been faster; its vectors are the same.
        let _ = self.vectors.set(made);
        Ok(())
    }

    /// Whether there are vectors of that model.
    #[must_use]
    pub fn has_vectors(&self, model: &str) -> bool {
        self.vectors.get().is_some_and(|made| made.model == model)
    }

    /// How near a question's vector comes to each tool; `None` without vectors of that model.
    #[must_use]
    pub fn cosines(&self, model: &str, question: &[f32]) -> Option<ToolCosines> {
        let vectors = self.vectors.get().filter(|made| made.model == model)?;
        let mut question = question.to_vec();
        scale(&mut question);
        let dot = |row: &Vec<f32>| row.iter().zip(&question).map(|(a, b)| a * b).sum::<f32>();
        let both = vectors.names.iter().zip(&vectors.texts);
        let mixed = both.map(|(name, text)| NAME * dot(name) + (1.0 - NAME) * dot(text));
        Some(ToolCosines {
            cosines: mixed.collect(),
            calibration: vectors.calibration,
        })
    }

    /// What each tool means, for an embedder: its name in words; and whose it is, its name, what it does and what it wants.
    fn meanings(&self) -> Vec<(String, String)> {
        let described = |tool: &'_ HeldTool| tool.definition.description.clone();
        let descriptions: Vec<String> = self.tools.iter().map(described).collect();
        let of = self.tools.iter().zip(&descriptions);
        let pairs: Vec<(&str, &str)> = of
            .map(|(tool, description)| (tool.server.as_str(), description.as_str()))
            .collect();
        let all = self.tools.iter().zip(leads(&pairs));
        all.map(|(tool, lead)| meaning(tool, lead)).collect()
    }
}

/// The digest of definitions in their order, whatever the spelling of their schemas.
pub(crate) fn version<'a>(definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Digest {
    let mut digest = DigestBuilder::new();
    for tool in definitions {
        digest
            .field(tool.name.as_bytes())
            .field(tool.description.as_bytes())
            .field(canonical::digest(&tool.parameters.to_value()).as_bytes());
    }
    digest.finish()
}

/// The schema in its one spelling, so that a server that shuffles its keys does not move the prefix.
fn canonical_schema(schema: &RawJson) -> RawJson {
    RawJson::new("tools", &canonical_json(schema)).unwrap_or_else(|_| schema.clone())
}

/// What the model reads of a tool: where a server describes nothing, its title.
fn described(tool: &ListedTool) -> String {
    match (&tool.title, tool.description.is_empty()) {
        (Some(title), true) => title.clone(),
        _ => tool.description.clone(),
    }
}

fn meaning(tool: &HeldTool, lead: usize) -> (String, String) {
    let (mut name, mut text) = (String::new(), String::new());
    words(&tool.name, &mut name);
    words(&tool.server, &mut text);
    if !text.is_empty() {
        text.push_str(", ");
    }
    text.push_str(&name);
    text.push_str(": ");
    text.push_str(tool.definition.description.get(lead..).unwrap_or_default());
    let parameters = Parameters::of(&tool.definition.parameters);
    let mut wanted = String::new();
    for parameter in parameters.names.lines() {
        wanted.push_str(if wanted.is_empty() { " (" } else { ", " });
        words(parameter, &mut wanted);
    }
    if !wanted.is_empty() {
        text.push_str(&wanted);
        text.push(')');
    }
    (name, text)
}

fn scale(row: &mut [f32]) {
    let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        row.iter_mut().for_each(|x| *x /= length);
    }
}

fn is_member(members: &BTreeSet<String>, server: &str, tool: &str) -> bool {
    members.iter().any(|member| match member.split_once('/') {
        Some((of, name)) => of == server && (name == "*" || name == tool),
        None => false,
    })
}

/// A name that every provider takes and that is free: the tool's own, with its server's before it where that is taken.
fn expose(server: &str, name: &str, taken: &BTreeMap<String, HeldTool>) -> String {
    let own = legal(name);
    if !taken.contains_key(&own) {
        return own;
    }
    let full = format!("{server}__{name}");
    let with_server = legal(&full);
    if !taken.contains_key(&with_server) {
        return with_server;
    }
    marked(&full)
}

/// A name in the characters that every provider takes; one that is too long ends in its digest.
fn legal(name: &str) -> String {
    let plain = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
        _ => '_',
    };
    let out: String = name.chars().map(plain).collect();
    // Names of other scripts would all become the same run of underscores.
    let nameless = !out.bytes().any(|byte| byte.is_ascii_alphanumeric());
    if out.len() > LONGEST || nameless {
        return marked(name);
    }
    out
}

fn marked(name: &str) -> String {
    let plain = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_');
    let digest = Digest::of(name.as_bytes()).prefix(12);
    let mut out: String = plain.take(LONGEST - 13).collect();
    out.push('_');
    out.push_str(&digest);
    out
}
