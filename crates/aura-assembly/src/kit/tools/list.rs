//! What a server lists: MCP `tools/list`, and the forms in which providers take definitions.

use aura_core::{Digest, Error, RawJson, Result, json};
use serde::Deserialize;
use serde_json::Value;

use super::canonical;

/// The longest name of a tool that is taken, in characters; MCP 2026-07-28 recommends 1 to 128.
const LONGEST_NAME: usize = 256;

/// A tool as its server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTool {
    /// Its name at the server.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: RawJson,
    /// The JSON Schema of its structured results.
    pub output_schema: Option<RawJson>,
    /// What the server says of its behaviour. Hints only: nothing is decided by them.
    pub annotations: Option<RawJson>,
}

impl ListedTool {
    /// The digest of all that is listed of it, whatever the spelling.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let json = |raw: &Option<RawJson>| raw.as_ref().map_or(Value::Null, RawJson::to_value);
        canonical::digest(&Value::Array(vec![
            Value::from(self.name.as_str()),
            Value::from(self.title.as_deref()),
            Value::from(self.description.as_str()),
            self.parameters.to_value(),
            json(&self.output_schema),
            json(&self.annotations),
        ]))
    }
}

/// The tools of one server, page by page.
///
/// Read are an MCP `tools/list` result of revision 2026-07-28 or older (bare, or in its JSON-RPC envelope), or a JSON
/// array of definitions in the forms of MCP (`inputSchema`), OpenAI chat completions (`function`), OpenAI Responses
/// (`parameters`), Anthropic (`input_schema`) and Gemini (`functionDeclarations`).
///
/// ```
/// use aura_assembly::tools::ToolList;
/// let page = br#"{"resultType":"complete","ttlMs":0,"cacheScope":"public",
///     "tools":[{"name":"get_weather","description":"The weather of a city","inputSchema":{"type":"object"}}]}"#;
/// let list = ToolList::from_json(page).unwrap();
/// assert_eq!(list.tools()[0].name, "get_weather");
/// assert!(list.next_cursor().is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolList {
    tools: Vec<ListedTool>,
    cursor: Option<String>,
    ttl_ms: Option<u64>,
}

/// The result of MCP `tools/list`. Fields that this version does not know are left alone, as the protocol wants it.
#[derive(Deserialize)]
struct Page {
    #[serde(default, rename = "resultType")]
    result_type: Option<String>,
    tools: Vec<RawJson>,
    #[serde(default, rename = "nextCursor")]
    next_cursor: Option<String>,
    #[serde(default, rename = "ttlMs")]
    ttl_ms: Option<f64>,
}

#[derive(Deserialize)]
struct Envelope {
    result: Page,
}

/// A definition in any of the forms.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default, rename = "inputSchema", alias = "input_schema")]
    input_schema: Option<RawJson>,
    #[serde(default, alias = "parametersJsonSchema")]
    parameters: Option<RawJson>,
    #[serde(default, rename = "outputSchema")]
    output_schema: Option<RawJson>,
    #[serde(default)]
    annotations: Option<RawJson>,
    #[serde(default)]
    function: Option<Box<Entry>>,
    #[serde(
        default,
        rename = "functionDeclarations",
        alias = "function_declarations"
    )]
    declarations: Option<Vec<Entry>>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

impl ToolList {
    /// Reads a list, or its first page.
    ///
    /// # Errors
    /// `Invalid` with the field: no list of tools, a definition without a name or schema, a name twice, a tool that the
    /// provider runs itself and that has no schema.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        let mut list = Self::default();
        list.read(text)?;
        Ok(list)
    }

    /// Adds the page that [`next_cursor`](Self::next_cursor) led to.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json); `Invalid` naming `nextCursor` where no further page was announced.
    pub fn add_page(&mut self, text: &[u8]) -> Result<()> {
        if self.cursor.is_none() {
            return refuse("nextCursor", "announced no further page");
        }
        self.read(text)
    }

    /// The tools read so far, in the order listed.
    #[must_use]
    pub fn tools(&self) -> &[ListedTool] {
        &self.tools
    }

    /// What to ask the server for next; `None` when the list is whole.
    #[must_use]
    pub fn next_cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// How long the server holds the list to be fresh, in milliseconds, where it says so: the shortest of its pages.
    #[must_use]
    pub fn ttl_ms(&self) -> Option<u64> {
        self.ttl_ms
    }

    fn read(&mut self, text: &[u8]) -> Result<()> {
        let (entries, cursor) = match text.trim_ascii_start().first() {
            Some(b'[') => (json::parse::<Vec<RawJson>>("tools", text)?, None),
            _ => {
                let page = page(text)?;
                if page.result_type.is_some_and(|kind| kind != "complete") {
                    return refuse("resultType", "must be complete");
                }
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "saturates, and a negative time is none"
                )]
                let ttl = page.ttl_ms.map(|ms| ms as u64);
                self.ttl_ms = match (self.ttl_ms, ttl) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                };
                (page.tools, page.next_cursor)
            }
        };
        let mut read = Vec::with_capacity(entries.len());
        for (at, raw) in entries.iter().enumerate() {
            let path = format!("tools[{}]", self.tools.len() + at);
            let entry: Entry = json::parse("tools", raw.as_str().as_bytes()).map_err(|error| {
                let inner = error.field().unwrap_or_default().to_owned();
                Error::new(error.kind(), error.message().to_owned())
                    .with_field(format_args!("{path}.{inner}"))
            })?;
            take(entry, &path, &mut read)?;
        }
        self.tools.extend(read);
        self.cursor = cursor.filter(|cursor| !cursor.is_empty());
        let mut names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        names.sort_unstable();
        if names
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a == b))
        {
            return refuse("tools", "lists a name twice");
        }
        Ok(())
    }
}

fn page(text: &[u8]) -> Result<Page> {
    #[derive(Deserialize)]
    struct Shape {
        #[serde(default)]
        result: Option<serde::de::IgnoredAny>,
    }
    let shape: Shape = json::parse("tools", text)?;
    match shape.result {
        Some(_) => Ok(json::parse::<Envelope>("tools", text)?.result),
        None => json::parse("tools", text),
    }
}

/// Adds the tools of one entry: one, or all that a Gemini tool declares.
fn take(entry: Entry, path: &str, out: &mut Vec<ListedTool>) -> Result<()> {
    if let Some(declarations) = entry.declarations {
        for (at, declared) in declarations.into_iter().enumerate() {
            take(declared, &format!("{path}.functionDeclarations[{at}]"), out)?;
        }
        return Ok(());
    }
    if let Some(function) = entry.function {
        return take(*function, &format!("{path}.function"), out);
    }
    let named = |field: &str| format!("{path}.{field}");
    let Some(name) = entry.name else {
        return refuse(&named("name"), "is missing");
    };
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control)
    {
        return refuse(
            &named("name"),
            "must be 1 to 256 characters, none of them a control",
        );
    }
    let own = !matches!(entry.kind.as_deref(), None | Some("function" | "custom"));
    let parameters = match entry.input_schema.or(entry.parameters) {
        Some(schema) => schema,
        None if own => {
            return refuse(
                &named("type"),
                "is a tool of the provider's own: give it to the provider beside the context",
            );
        }
        // A function without parameters may leave them out in the forms of OpenAI and Gemini.
        None => RawJson::new("tools", r#"{"properties":{},"type":"object"}"#)?,
    };
    if !parameters.is_object() {
        return refuse(&named("inputSchema"), "must be a JSON Schema object");
    }
    out.push(ListedTool {
        name,
        title: entry.title.filter(|title| !title.is_empty()),
        description: entry.description.unwrap_or_default(),
        parameters,
        output_schema: entry.output_schema,
        annotations: entry.annotations,
    });
    Ok(())
}

fn refuse<T>(field: &str, problem: &'static str) -> Result<T> {
    Err(Error::invalid_field("tools", field, problem))
}
