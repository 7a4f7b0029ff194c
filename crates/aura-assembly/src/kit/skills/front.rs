//! The file of a skill: YAML front matter between two lines of `---`, and a body in Markdown.

use aura_core::{Error, Result};
use serde::Deserialize;

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// The longest name, in characters.
const NAME: usize = 64;
/// The longest description, in characters.
const DESCRIPTION: usize = 1024;

/// What the front matter says. Fields beyond these are left alone: hosts have their own.
#[derive(Debug, Deserialize)]
struct Front {
    name: String,
    description: String,
    #[serde(default)]
    license: Option<String>,
    #[serde(default)]
    compatibility: Option<String>,
}

/// A file read and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SkillText {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) license: Option<String>,
    pub(super) compatibility: Option<String>,
    /// Everything after the front matter, as it stands.
    pub(super) body: String,
}

/// Reads the file of the skill in `folder`.
///
/// # Errors
/// `Invalid` naming `<folder>/SKILL.md:<line>`.
pub(super) fn read(folder: &str, text: &str) -> Result<SkillText> {
    let fail = |line: usize, problem: String| -> Error {
        Error::invalid_field("skill", format!("{folder}/{SKILL_FILE}:{line}"), problem)
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let is_mark = |line: &str| line.trim_end() == "---";
    let first = lines.next().unwrap_or_default();
    if !is_mark(first) {
        return Err(fail(1, "must begin with a line of three dashes".to_owned()));
    }
    let mut end = first.len();
    let mut closed = None;
    for line in lines {
        if is_mark(line) {
            closed = Some(end + line.len());
            break;
        }
        end += line.len();
    }
    let Some(body) = closed else {
        let last = text.lines().count();
        return Err(fail(last, "ends before the front matter does".to_owned()));
    };
    let yaml = text.get(first.len()..end).unwrap_or_default();
    let front: Front = serde_saphyr::from_str(yaml).map_err(|error| {
        let line = error
            .location()
            .map_or(1, |at| usize::try_from(at.line()).unwrap_or(1));
        // The front matter begins on the second line. The parser's own words quote the text, which errors never do.
        fail(line + 1, problem(yaml))
    })?;
    let line_of = |key: &str| {
        let at = yaml.lines().position(|line| line.starts_with(key));
        at.map_or(1, |at| at + 2)
    };
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let dashes =
        front.name.starts_with('-') || front.name.ends_with('-') || front.name.contains("--");
    if front.name.is_empty() || front.name.len() > NAME || !front.name.chars().all(legal) || dashes
    {
        let problem = "name must be 1 to 64 of a-z, 0-9 and single dashes within";
        return Err(fail(line_of("name"), problem.to_owned()));
    }
    if front.name != folder {
        return Err(fail(
            line_of("name"),
            "name must be that of its folder".to_owned(),
        ));
    }
    let length = front.description.trim().chars().count();
    if length == 0 || length > DESCRIPTION {
        let problem = "description must have 1 to 1024 characters";
        return Err(fail(line_of("description"), problem.to_owned()));
    }
    Ok(SkillText {
        name: front.name,
        description: front.description.trim().to_owned(),
        license: front.license,
        compatibility: front.compatibility,
        body: text.get(body..).unwrap_or_default().to_owned(),
    })
}

/// What is wrong with front matter that cannot be read.
fn problem(yaml: &str) -> String {
    let has = |key: &str| {
        yaml.lines()
            .any(|line| line.starts_with(key) && line.contains(':'))
    };
    let missing = ["name", "description"].into_iter().find(|key| !has(key));
    match missing {
        Some(key) => format!("the front matter has no {key}"),
        None => "is no YAML that the front matter may hold".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_with_its_body_as_it_stands() {
        let text = "---\nname: pdf-forms\ndescription: >\n  Fills forms\n  in PDF files\nmetadata:\n  by: ana\n---\n# How\r\n\n---\nmore\n";
        let read = read("pdf-forms", text).unwrap();
        assert_eq!(read.description, "Fills forms in PDF files");
        assert_eq!(read.body, "# How\r\n\n---\nmore\n");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line) in [
            ("name: a\n", 1),
            ("---\nname: a\n", 2),
            ("---\ndescription: x\nname: B C\n---\n", 3),
            ("---\ndescription: x\nname: other\n---\n", 3),
            ("---\nname: skill\ndescription: \"\"\n---\n", 3),
            ("---\nname: skill\ndescription: [a\n---\n", 3),
        ] {
            let error = read("skill", text).unwrap_err();
            let field = error.field().unwrap();
            let found: usize = field
                .strip_prefix("skill/SKILL.md:")
                .unwrap()
                .parse()
                .unwrap();
            // A parser may notice an open bracket where the text ends.
            assert!(
                found == line || (text.contains("[a") && found == line + 1),
                "{text}: {error}"
            );
        }
        let error = read("skill", "---\nname: skill\n---\n").unwrap_err();
        assert!(error.message().contains("no description"), "{error}");
    }
}
