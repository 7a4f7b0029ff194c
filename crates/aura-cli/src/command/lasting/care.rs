//! `aura fsck`, `aura backup` and `aura restore`: looking after a store.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use aura::{Error, SqliteOptions, SqliteStorage, Storage as _};
use clap::Args;

use crate::command::Common;
use crate::exit::{Exit, Failure};
use crate::print::{Align, Out, Table, number, one_line};

/// What `aura fsck --help` says at its end.
const AFTER_FSCK: &str = "\
Every message is read, and every artifact and large part is compared with its digest. The exit code is 1 where something
is wrong. The store may be in use meanwhile.";

/// What `aura backup --help` says at its end.
const AFTER_BACKUP: &str = "\
The copy is of one moment, whoever writes meanwhile, and holds nothing that was deleted. What is deleted later stays in
it: delete it there too, or the whole copy.

Examples:
  aura --db chats.db backup chats-2025-03-01.db
  aura --db new.db restore chats-2025-03-01.db";

/// The options of `aura fsck`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_FSCK)]
pub(crate) struct FsckArgs {}

/// The options of `aura backup`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_BACKUP)]
pub(crate) struct BackupArgs {
    /// Where the copy goes; nothing may be there
    to: PathBuf,
}

/// The options of `aura restore`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_BACKUP)]
pub(crate) struct RestoreArgs {
    /// The copy to make a store from
    from: PathBuf,
}

/// Checks the store.
///
/// # Errors
/// Those of the store.
pub(crate) fn fsck(common: Common<'_>, _: &FsckArgs, out: &mut Out) -> Result<Exit, Failure> {
    let storage = open("db", named(common.db)?)?;
    let found = storage.fsck()?;
    storage.close()?;
    if common.json {
        serde_json::to_writer_pretty(&mut *out, &found).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let mut table = Table::new(&[
            ("place", Align::Left),
            ("which", Align::Left),
            ("problem", Align::Left),
        ]);
        for problem in &found.problems {
            table.row(vec![
                problem.place.to_owned(),
                one_line(&problem.id, 64),
                problem.problem.clone(),
            ]);
        }
        if !found.is_sound() {
            table.print(out)?;
        }
        writeln!(
            out,
            "{} sessions, {} messages, {} artifacts of {} bytes: {}.",
            number(found.sessions),
            number(found.messages),
            number(found.artifacts),
            number(found.bytes),
            match found.problems.len() {
                0 => "sound".to_owned(),
                count => format!("{} problems", number(count as u64)),
            }
        )?;
    }
    Ok(if found.is_sound() { Exit::Ok } else { Exit::No })
}

/// Copies the store.
///
/// # Errors
/// `Invalid` naming `to`, when something is there; those of the store.
pub(crate) fn backup(
    common: Common<'_>,
    args: &BackupArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let storage = open("db", named(common.db)?)?;
    let bytes = storage.backup(&args.to)?;
    storage.close()?;
    tell(common.json, &args.to, bytes, out)
}

/// Makes a store from a copy.
///
/// # Errors
/// `Invalid` naming `to`, when the store exists; `Corrupt`, when the copy is not sound; those of the store.
pub(crate) fn restore(
    common: Common<'_>,
    args: &RestoreArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let to = named(common.db)?;
    let storage = open("from", &args.from)?;
    let bytes = storage.backup(to)?;
    storage.close()?;
    tell(common.json, to, bytes, out)
}

fn tell(json: bool, path: &Path, bytes: u64, out: &mut Out) -> Result<Exit, Failure> {
    if json {
        let value = serde_json::json!({"path": path.display().to_string(), "bytes": bytes});
        writeln!(out, "{value}")?;
    } else {
        writeln!(out, "{}: {} bytes.", path.display(), number(bytes))?;
    }
    Ok(Exit::Ok)
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

/// Opens a store that must exist.
fn open(argument: &'static str, path: &Path) -> Result<SqliteStorage, Error> {
    if let Err(error) = path.metadata() {
        return Err(crate::exit::file_error(argument, path, error));
    }
    SqliteStorage::open(path, SqliteOptions::new())
}
