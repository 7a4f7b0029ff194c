//! The registry: what each server lists, which tools are always shown, and which belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use aura_core::{Digest, DigestBuilder, Error, ErrorKind, Result, Trust};
use aura_text::Analyzer;

use super::drift::Drift;
use super::list::{ListedTool, ToolList};
use super::toolbox::Toolbox;

/// The tools of all servers.
///
/// Listing a server again replaces what it listed before. Servers keep the order in which they were first listed, so that
/// one that comes later never renames the tools of another. What a server says of its own tools decides nothing here:
/// trust is given by the host, and a server cannot make its tools always shown.
///
/// ```
/// use aura_assembly::tools::{ToolList, ToolRegistry};
/// use aura_core::Trust;
/// let list = ToolList::from_json(br#"[{"name":"read","inputSchema":{"type":"object"}}]"#).unwrap();
/// let mut registry = ToolRegistry::default();
/// assert_eq!(registry.replace("files", Trust::Untrusted, &list).unwrap().added, ["read"]);
/// assert!(registry.replace("files", Trust::Untrusted, &list).unwrap().is_empty());
/// assert_eq!(registry.toolbox().tools().len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ToolRegistry {
    servers: Vec<Server>,
    always_on: BTreeSet<String>,
    groups: BTreeMap<String, BTreeSet<String>>,
    analyzer: Analyzer,
    toolbox: OnceLock<Arc<Toolbox>>,
}

#[derive(Debug, Clone)]
pub(super) struct Server {
    pub(super) name: String,
    pub(super) trust: Trust,
    pub(super) tools: Vec<ListedTool>,
    digest: Digest,
}

impl ToolRegistry {
    /// An empty registry whose definitions are searched by an analyzer's words.
    #[must_use]
    pub fn with_analyzer(analyzer: Analyzer) -> Self {
        Self {
            analyzer,
            ..Self::default()
        }
    }

    /// Takes a server's list in place of the one before, and says what changed.
    ///
    /// # Errors
    /// `Invalid` naming `server` or, when the list is not whole, `nextCursor`; `Denied` when the server is said to be policy.
    pub fn replace(&mut self, server: &str, trust: Trust, list: &ToolList) -> Result<Drift> {
        let bad = server.is_empty()
            || server.len() > aura_core::MAX_ID_BYTES
            || server.contains('/')
            || server.chars().any(char::is_control);
        if bad {
            let problem = "must have 1 to 256 bytes without / and control characters";
            return Err(Error::invalid_field("tools", "server", problem));
        }
        if trust == Trust::Policy {
            return Err(
                Error::new(ErrorKind::Denied, "trust: no server is policy").with_field("trust")
            );
        }
        if list.next_cursor().is_some() {
            let problem = "leads to a page that was not read";
            return Err(Error::invalid_field("tools", "nextCursor", problem));
        }
        let digest = digest_of(list.tools());
        let known = self.servers.iter_mut().find(|known| known.name == server);
        let before = known
            .as_ref()
            .map(|known| (known.tools.as_slice(), known.digest));
        let drift = Drift::between(server, before, (list.tools(), digest));
        let fresh = Server {
            name: server.to_owned(),
            trust,
            tools: list.tools().to_vec(),
            digest,
        };
        match known {
            Some(known) if drift.is_empty() && known.trust == trust => return Ok(drift),
            Some(known) => *known = fresh,
            None => self.servers.push(fresh),
        }
        self.toolbox = OnceLock::new();
        Ok(drift)
    }

    /// Forgets a server and its tools; whether there was one.
    pub fn remove(&mut self, server: &str) -> bool {
        let before = self.servers.len();
        self.servers.retain(|known| known.name != server);
        self.toolbox = OnceLock::new();
        before != self.servers.len()
    }

    /// Which tools are shown whatever the question: `server/tool`, or `server/*` for all of a server. They do not count
    /// against `tool_top_k`.
    pub fn set_always_on<'a>(&mut self, members: impl IntoIterator<Item = &'a str>) {
        self.always_on = members.into_iter().map(str::to_owned).collect();
        self.toolbox = OnceLock::new();
    }

    /// Which tools make a group: `server/tool`, or `server/*`. A group that is set again is replaced; one without members
    /// is forgotten.
    pub fn set_group<'a>(&mut self, group: &str, members: impl IntoIterator<Item = &'a str>) {
        let members: BTreeSet<String> = members.into_iter().map(str::to_owned).collect();
        if members.is_empty() {
            self.groups.remove(group);
        } else {
            self.groups.insert(group.to_owned(), members);
        }
        self.toolbox = OnceLock::new();
    }

    /// The tools as they are now, ready to be offered; made once after each change.
    #[must_use]
    pub fn toolbox(&self) -> Arc<Toolbox> {
        let made = self.toolbox.get_or_init(|| {
            Arc::new(Toolbox::of_servers(
                &self.servers,
                &self.always_on,
                &self.groups,
                &self.analyzer,
            ))
        });
        Arc::clone(made)
    }
}

/// The digest of a list, whatever the order in which it came.
fn digest_of(tools: &[ListedTool]) -> Digest {
    let mut digests: Vec<Digest> = tools.iter().map(ListedTool::digest).collect();
    digests.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    let mut all = DigestBuilder::new();
    for digest in &digests {
        all.field(digest.as_bytes());
    }
    all.finish()
}
