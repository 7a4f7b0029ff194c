//! A disk that forgets what was not synced: a child process runs with `unsynced.c` preloaded, and when it is dead the
//! changes that no sync covered are taken back. Linux, with a C compiler.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::dice::Dice;

const SOURCE: &str = include_str!("unsynced.c");

/// The disk below one folder.
pub struct Disk {
    folder: PathBuf,
    library: PathBuf,
    log: PathBuf,
}

/// What becomes of unsynced changes when the power fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// None of them reached the disk.
    All,
    /// Some did, in no order.
    Some,
}

/// A change that no sync covers yet.
struct Change {
    kind: u8,
    offset: u64,
    old_size: u64,
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Disk {
    /// Compiles the library into `workshop` and watches `folder`; neither may lie in the other.
    ///
    /// # Errors
    /// Where the compiler or the file system fails.
    pub fn new(folder: &Path, workshop: &Path) -> Result<Self> {
        let source = workshop.join("unsynced.c");
        let library = workshop.join("unsynced.so");
        std::fs::write(&source, SOURCE)?;
        let compiled = Command::new("cc")
            .args([
                "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o",
            ])
            .args([&library, &source])
            .args(["-ldl", "-lpthread"])
            .output()
            .context("cc does not run")?;
        let said = String::from_utf8_lossy(&compiled.stderr);
        ensure!(compiled.status.success(), "cc refuses unsynced.c:\n{said}");
        Ok(Self {
            folder: folder.canonicalize()?,
            library,
            log: workshop.canonicalize()?.join("unsynced.log"),
        })
    }

    /// The folder that is watched.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Has a child's changes noted.
    pub fn watch(&self, child: &mut Command) {
        child.env("LD_PRELOAD", &self.library);
        child.env("AURA_UNSYNCED_FOLDER", &self.folder);
        child.env("AURA_UNSYNCED_LOG", &self.log);
    }

    /// Fills the disk, or makes room again.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn set_full(&self, full: bool) -> Result<()> {
        self.steer("full", full)
    }

    /// Has syncs fail, or work again.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn set_broken(&self, broken: bool) -> Result<()> {
        self.steer("broken", broken)
    }

    fn steer(&self, what: &str, on: bool) -> Result<()> {
        let mut name = self.log.clone().into_os_string();
        name.push(".");
        name.push(what);
        if on {
            File::create(name)?;
        } else {
            std::fs::remove_file(name)?;
        }
        Ok(())
    }

    /// Pulls the plug: takes back what dead children changed and did not sync, and begins a new log. Returns how many
    /// changes were taken back.
    ///
    /// # Errors
    /// Where the log cannot be understood or a file not be written.
    pub fn lose(&self, loss: Loss, dice: &mut Dice) -> Result<usize> {
        let log = std::fs::read(&self.log)?;
        let mut lost = 0;
        for (path, changes) in pending(&log)? {
            lost += take_back(&path, &changes, loss, dice)?;
        }
        std::fs::remove_file(&self.log)?;
        // The index of the write-ahead log is shared memory, and gone with the power.
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.as_os_str().as_bytes().ends_with(b"-shm") {
                std::fs::remove_file(path)?;
            }
        }
        Ok(lost)
    }
}

/// By file, the changes after its last sync. A record that the kill cut short is of a change that did not happen.
fn pending(mut log: &[u8]) -> Result<BTreeMap<PathBuf, Vec<Change>>> {
    let mut pending: BTreeMap<PathBuf, Vec<Change>> = BTreeMap::new();
    while let Some((path, change)) = next(&mut log) {
        match change.kind {
            b'W' | b'T' | b'C' => pending.entry(path).or_default().push(change),
            // The sync of a file does not cover its name in the folder.
            b'S' => {
                if let Some(changes) = pending.get_mut(&path) {
                    changes.retain(|change| change.kind == b'C');
                }
            }
            b'D' => {
                for changes in pending.values_mut() {
                    changes.retain(|change| change.kind != b'C');
                }
            }
            kind => bail!("no kind of record: {kind}"),
        }
    }
    Ok(pending)
}

fn next(log: &mut &[u8]) -> Option<(PathBuf, Change)> {
    let mut rest = *log;
    let mut take = |count: usize| -> Option<&[u8]> {
        let (taken, after) = rest.split_at_checked(count)?;
        rest = after;
        Some(taken)
    };
    let kind = *take(1)?.first()?;
    let length = u32::from_ne_bytes(take(4)?.try_into().ok()?) as usize;
    let mut number = || Some(u64::from_ne_bytes(take(8)?.try_into().ok()?));
    let (offset, old_size) = (number()?, number()?);
    let (old_count, new_count) = (number()? as usize, number()? as usize);
    let path = PathBuf::from(OsStr::from_bytes(take(length)?));
    let change = Change {
        kind,
        offset,
        old_size,
        old: take(old_count)?.to_vec(),
        new: take(new_count)?.to_vec(),
    };
    *log = rest;
    Some((path, change))
}

fn take_back(path: &Path, changes: &[Change], loss: Loss, dice: &mut Dice) -> Result<usize> {
    if changes.is_empty() || !path.exists() {
        return Ok(0);
    }
    let file = OpenOptions::new().write(true).open(path)?;
    for change in changes.iter().rev().filter(|change| change.kind != b'C') {
        file.write_all_at(&change.old, change.offset)?;
        file.set_len(change.old_size)?;
    }
    let mut lost = 0;
    for change in changes {
        let reached = loss == Loss::Some && dice.roll(2) == 0;
        match change.kind {
            _ if !reached => lost += 1,
            b'W' => file.write_all_at(&change.new, change.offset)?,
            b'T' => file.set_len(change.offset)?,
            _ => {}
        }
        if change.kind == b'C' && !reached {
            // Without its name in the folder the file is gone, whatever was written to it.
            std::fs::remove_file(path)?;
            return Ok(changes.len());
        }
    }
    Ok(lost)
}
