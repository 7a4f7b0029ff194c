//! The bindings' tests, language by language.

use anyhow::{Result, bail};

use super::{go, java, node, python};
use crate::tally::Tally;

/// What to do about a language whose tools are not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skips {
    /// Say so and go on.
    Allowed,
    /// Fail: continuous integration tests every language.
    Refused,
}

impl Skips {
    /// Refused where the environment says that this is continuous integration.
    pub(crate) fn from_environment() -> Self {
        match std::env::var_os("CI") {
            Some(value) if !value.is_empty() && value != "0" && value != "false" => Self::Refused,
            _ => Self::Allowed,
        }
    }
}

struct Language {
    name: &'static str,
    /// Why its tests cannot run here; none when they can.
    missing: fn() -> Option<String>,
    run: fn(&mut Tally) -> Result<()>,
}

const LANGUAGES: [Language; 4] = [
    Language {
        name: "Python",
        missing: python::missing,
        run: python::run,
    },
    Language {
        name: "Node",
        missing: node::missing,
        run: node::run,
    },
    Language {
        name: "Go",
        missing: go::missing,
        run: go::run,
    },
    Language {
        name: "Java",
        missing: java::missing,
        run: java::run,
    },
];

/// Runs the tests of every language whose tools are here.
///
/// # Errors
/// A language that cannot be tested where that is refused; one whose package cannot be built.
pub(super) fn run(tally: &mut Tally, skips: Skips) -> Result<()> {
    let mut skipped = Vec::new();
    for language in &LANGUAGES {
        if let Some(reason) = (language.missing)() {
            println!("== SKIPPED THE TESTS OF {}: {reason} ==", language.name);
            skipped.push(language.name);
            continue;
        }
        println!("== {} ==", language.name);
        (language.run)(tally)?;
    }
    if skips == Skips::Refused && !skipped.is_empty() {
        bail!(
            "continuous integration tests every language, but not {}: see above why",
            skipped.join(", ")
        );
    }
    Ok(())
}

/// Runs the tests of one language.
///
/// # Errors
/// An unknown name; a language that cannot be tested here; a package that cannot be built.
pub(super) fn only(tally: &mut Tally, name: &str) -> Result<()> {
    let named = |language: &&Language| language.name.eq_ignore_ascii_case(name);
    let Some(language) = LANGUAGES.iter().find(named) else {
        let names: Vec<_> = LANGUAGES.iter().map(|language| language.name).collect();
        bail!(
            "`{name}` is none of the bindings that can be tested alone: {}",
            names.join(", ")
        );
    };
    if let Some(reason) = (language.missing)() {
        bail!("the tests of {} cannot run here: {reason}", language.name);
    }
    (language.run)(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_binding_has_its_tests() {
        let folder = crate::process::root().join("bindings");
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if !entry.path().is_dir() {
                continue;
            }
            let name = entry.file_name().to_string_lossy().to_lowercase();
            // The programs in C are run by the Rust tests.
            let known = LANGUAGES
                .iter()
                .any(|language| language.name.to_lowercase() == name);
            assert!(known || name == "c", "bindings/{name} is not tested");
        }
    }
}
