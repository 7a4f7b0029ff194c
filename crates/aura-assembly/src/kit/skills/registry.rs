//! The skills of a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aura_core::{Digest, DigestBuilder, Error, ErrorKind, Result, Trust};

use super::folder::{Skill, unreadable};
use super::front::SKILL_FILE;

/// The skills in the folders below a root, each with a `SKILL.md`.
///
/// A folder with something wrong in it is left out and reported; it takes no other skill with it.
#[derive(Debug, Clone)]
pub struct SkillRegistry {
    root: PathBuf,
    trust: Trust,
    skills: BTreeMap<String, Arc<Skill>>,
}

/// What a look at the folder has changed; names in alphabetical order.
#[derive(Debug, Default)]
pub struct SkillChanges {
    /// Skills that are new.
    pub added: Vec<String>,
    /// Skills that are gone.
    pub removed: Vec<String>,
    /// Skills that are not what they were.
    pub changed: Vec<String>,
    /// What is wrong, by file and line.
    pub problems: Vec<Error>,
}

impl SkillChanges {
    /// Whether everything is as it was, and nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.changed.is_empty()
            && self.problems.is_empty()
    }
}

impl SkillRegistry {
    /// Reads the skills below a folder. `trust` is how far whoever wrote them may be believed: what is verified stands with
    /// the system prompt, all else as data.
    ///
    /// # Errors
    /// `Denied` naming `trust` for policy; `Unavailable` when the folder itself cannot be read.
    pub fn load(root: &Path, trust: Trust) -> Result<(Self, SkillChanges)> {
        if trust == Trust::Policy {
            return Err(
                Error::new(ErrorKind::Denied, "trust: no skill is policy").with_field("trust")
            );
        }
        let mut registry = Self {
            root: root.to_owned(),
            trust,
            skills: BTreeMap::new(),
        };
        let changes = registry.reload()?;
        Ok((registry, changes))
    }

    /// Reads the folder again, and says what changed. A skill with something wrong in it now is gone.
    ///
    /// # Errors
    /// `Unavailable` when the folder itself cannot be read; everything then stays as it was.
    pub fn reload(&mut self) -> Result<SkillChanges> {
        let unread = |error| unreadable("skills", "", error);
        let mut folders = Vec::new();
        for entry in std::fs::read_dir(&self.root).map_err(unread)? {
            let path = entry.map_err(unread)?.path();
            if path.join(SKILL_FILE).is_file() {
                folders.push(path);
            }
        }
        folders.sort_unstable();
        let mut changes = SkillChanges::default();
        let mut fresh = BTreeMap::new();
        for folder in folders {
            match Skill::read(&folder) {
                Ok(skill) => {
                    fresh.insert(skill.name.clone(), Arc::new(skill));
                }
                Err(error) => changes.problems.push(error),
            }
        }
        for (name, skill) in &fresh {
            match self.skills.get(name) {
                None => changes.added.push(name.clone()),
                Some(known) if known.digest != skill.digest => changes.changed.push(name.clone()),
                Some(_) => {}
            }
        }
        let gone = self.skills.keys().filter(|name| !fresh.contains_key(*name));
        changes.removed = gone.cloned().collect();
        self.skills = fresh;
        Ok(changes)
    }

    /// The skills, by name.
    pub fn skills(&self) -> impl Iterator<Item = &Arc<Skill>> {
        self.skills.values()
    }

    /// The skill of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Skill>> {
        self.skills.get(name)
    }

    /// How far they may be believed.
    #[must_use]
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// The digest of all of them.
    #[must_use]
    pub fn version(&self) -> Digest {
        let mut digest = DigestBuilder::new();
        for skill in self.skills() {
            digest.field(skill.digest.as_bytes());
        }
        digest.finish()
    }
}
