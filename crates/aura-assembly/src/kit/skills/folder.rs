//! A skill with what lies beside its file.

use std::path::{Path, PathBuf};

use aura_core::{Digest, DigestBuilder, Error, ErrorKind, Result};

use super::front::{SKILL_FILE, read};

/// The most resources of a skill.
pub const MAX_RESOURCES: usize = 256;
/// The most bytes of a resource.
pub const MAX_RESOURCE_BYTES: u64 = 4 << 20;

/// A file beside a skill's own: a script, a template, a page to read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillResource {
    /// Where it is below the skill's folder, with `/` between names.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Their digest.
    pub digest: Digest,
}

/// A skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name, that of its folder.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Under which licence it may be used.
    pub license: Option<String>,
    /// What it needs.
    pub compatibility: Option<String>,
    /// How it is done, as it stands.
    pub body: String,
    /// What lies beside it, by path.
    pub resources: Vec<SkillResource>,
    /// The digest of all of that.
    pub digest: Digest,
}

impl Skill {
    /// Reads the skill in a folder.
    ///
    /// # Errors
    /// `Invalid` naming `<folder>/SKILL.md:<line>`, or the file that is too much; `Unavailable` when a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let name = folder
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let file = folder.join(SKILL_FILE);
        let bytes = std::fs::read(&file).map_err(|error| unreadable(&name, SKILL_FILE, error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = error.as_bytes().get(..valid).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            Error::invalid_field(
                "skill",
                format!("{name}/{SKILL_FILE}:{line}"),
                "is not UTF-8",
            )
        })?;
        let text = read(&name, &text)?;
        let mut resources = Vec::new();
        collect(&name, folder, Path::new(""), &mut resources)?;
        resources.sort_by(|a, b| a.path.cmp(&b.path));
        let mut digest = DigestBuilder::new();
        digest
            .field(text.name.as_bytes())
            .field(text.description.as_bytes())
            .field(text.body.as_bytes());
        for resource in &resources {
            digest
                .field(resource.path.as_bytes())
                .field(resource.digest.as_bytes());
        }
        Ok(Self {
            name: text.name,
            description: text.description,
            license: text.license,
            compatibility: text.compatibility,
            body: text.body,
            resources,
            digest: digest.finish(),
        })
    }
}

/// Reads what lies below a folder; hidden files and links are passed over.
fn collect(skill: &str, root: &Path, below: &Path, out: &mut Vec<SkillResource>) -> Result<()> {
    let unread = |error| unreadable(skill, &below.to_string_lossy(), error);
    for entry in std::fs::read_dir(root.join(below)).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        let name = entry.file_name();
        let path: PathBuf = below.join(&name);
        let kind = entry.file_type().map_err(unread)?;
        if name.to_string_lossy().starts_with('.')
            || kind.is_symlink()
            || path == Path::new(SKILL_FILE)
        {
            continue;
        }
        if kind.is_dir() {
            collect(skill, root, &path, out)?;
            continue;
        }
        let shown: Vec<String> = path
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let shown = shown.join("/");
        let fail = |problem| {
            Err(Error::invalid_field(
                "skill",
                format!("{skill}/{shown}"),
                problem,
            ))
        };
        if out.len() >= MAX_RESOURCES {
            return fail("is one resource more than a skill may have");
        }
        if entry.metadata().map_err(unread)?.len() > MAX_RESOURCE_BYTES {
            return fail("has more than 4 MiB");
        }
        let bytes = std::fs::read(root.join(&path)).map_err(unread)?;
        out.push(SkillResource {
            digest: Digest::of(&bytes),
            path: shown,
            bytes,
        });
    }
    Ok(())
}

pub(super) fn unreadable(skill: &str, file: &str, error: std::io::Error) -> Error {
    let field = format!("{skill}/{file}");
    Error::new(ErrorKind::Unavailable, format!("{field}: cannot be read"))
        .with_field(field)
        .caused_by(error)
}
