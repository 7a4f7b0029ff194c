//! The store that `--db` names.

use std::path::{Path, PathBuf};

use aura::{Durability, Engine, Error, ErrorKind, OpenOptions};

/// Opens a store that must exist.
///
/// # Errors
/// `Invalid` naming `db` without a file name, `NotFound` when there is no such file, and those of opening.
pub(crate) fn open_existing(db: Option<&Path>) -> Result<Engine, Error> {
    let path = named(db)?;
    match path.metadata() {
        Ok(found) if found.is_dir() => Err(Error::invalid_field("arguments", "db", "is a folder")),
        Ok(_) => open(path, Durability::Full),
        Err(error) => Err(crate::exit::file_error("db", path, error)),
    }
}

/// Opens a store, or creates it, for writing much at once: what was recorded survives the death of the process, and
/// with [`close`] at the end also a loss of power.
///
/// # Errors
/// `Invalid` naming `db` without a file name, and those of opening.
pub(crate) fn open_for_import(db: Option<&Path>) -> Result<Engine, Error> {
    open(named(db)?, Durability::Normal)
}

/// Makes a store in a place where nothing is yet: `db`, or else a new folder among the temporary files.
///
/// # Errors
/// `Invalid` naming `db` when something is there; those of opening.
pub(crate) fn create(db: Option<&Path>) -> Result<(Engine, PathBuf), Error> {
    let path = match db {
        Some(path) => {
            if path
                .metadata()
                .is_ok_and(|found| found.is_dir() || found.len() > 0)
            {
                let problem = format_args!("{} exists and is not empty", path.display());
                return Err(Error::invalid_field("arguments", "db", problem));
            }
            path.to_owned()
        }
        None => {
            let folder = tempfile::Builder::new().prefix("aura-demo-").tempdir();
            let folder = folder.map_err(|error| {
                Error::new(ErrorKind::Unavailable, "no temporary folder could be made")
                    .caused_by(error)
            })?;
            // It is left in place, so that the other commands can be tried on it.
            folder.keep().join("demo.db")
        }
    };
    Ok((open(&path, Durability::Full)?, path))
}

/// Closes the store; what is left to do in the background is done before that, or goes on at the next opening.
///
/// # Errors
/// Those of the store.
pub(crate) fn close(engine: &Engine) -> Result<(), Error> {
    engine.close()
}

/// Opens a store; an error names `db`, which is what the user wrote.
fn open(path: &Path, durability: Durability) -> Result<Engine, Error> {
    let options = OpenOptions {
        durability,
        ..OpenOptions::default()
    };
    aura::open_with(path, options).map_err(|error| {
        let message = format!("db: {} cannot be opened", path.display());
        Error::new(error.kind(), message)
            .with_field("db")
            .caused_by(error)
    })
}

fn named(db: Option<&Path>) -> Result<&Path, Error> {
    db.ok_or_else(|| {
        Error::invalid_field(
            "arguments",
            "db",
            "name the store with --db FILE or AURA_DB",
        )
    })
}
