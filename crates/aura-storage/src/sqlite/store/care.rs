//! Looking after a file: whether all of it is sound, and copying it while it is used.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use aura_core::{Digest, Error, ErrorKind, Result, TenantId};
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use super::SqliteStorage;
use crate::large;
use crate::sqlite::artifacts;
use crate::sqlite::connections::{checkpointer, quick_check};
use crate::sqlite::encoding::{Body, decode};
use crate::sqlite::failure::{damaged, medium};
use crate::sqlite::position;
use crate::sqlite::query::{all, together};
use crate::sqlite::sessions::Id;
use crate::sqlite::statements::{artifacts as artifact_statements, care, log};

/// What a check of a file found; no stored text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Fsck {
    /// How many sessions were looked at.
    pub sessions: u64,
    /// How many messages were read.
    pub messages: u64,
    /// How many versions of artifacts were compared with their digests.
    pub artifacts: u64,
    /// How many bytes these have.
    pub bytes: u64,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Something that is wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where: `database`, `message`, `artifact` or `bytes`.
    pub place: &'static str,
    /// Which, for example `session:12` or `name@3`.
    pub id: String,
    /// What is wrong.
    pub problem: String,
}

/// How often large parts are held, by tenant and digest.
type Holders = BTreeMap<(String, Digest), i64>;

impl SqliteStorage {
    /// Reads everything and compares it: pages and indexes with each other, the log with its numbers, artifacts with
    /// their digests and with who holds them. Others may read and write meanwhile.
    ///
    /// # Errors
    /// Those of the medium that keep it from going on; what is wrong in the file stands in the answer.
    pub fn fsck(&self) -> Result<Fsck> {
        self.read("fsck", |conn| {
            let mut found = Fsck::default();
            if let Err(error) = quick_check(conn) {
                found.note("database", String::new(), &error)?;
            }
            let mut holders = Holders::new();
            for (no, tenant, session) in sessions(conn)? {
                found.sessions += 1;
                found.session(conn, no, &tenant, &session, &mut holders)?;
            }
            found.artifacts(conn, &holders)?;
            let orphans: Vec<String> = all(conn, artifact_statements::ORPHANS, [], |row| {
                row.get(0).map(Ok)
            })?;
            for id in orphans {
                found.say("bytes", id, "nothing refers to them");
            }
            Ok(found)
        })
    }

    /// Copies the store as it is at one moment into a new file, while others read and write. What was deleted is not in
    /// the copy. Gives the bytes of the copy.
    ///
    /// # Errors
    /// `Invalid` naming `to`, when something is there; `Corrupt`, when the copy is not sound; those of the medium.
    pub fn backup(&self, to: impl AsRef<Path>) -> Result<u64> {
        self.copy(to.as_ref())
            .map_err(|error| error.during("backup"))
    }

    fn copy(&self, to: &Path) -> Result<u64> {
        let there = to
            .metadata()
            .is_ok_and(|found| found.is_dir() || found.len() > 0);
        let name = to.to_str().ok_or_else(|| refuse("is no path in UTF-8"))?;
        if there {
            return Err(refuse("exists and is not empty"));
        }
        let (path, options) = self.place();
        let conn = checkpointer(path, options)?;
        let copied = conn.execute(care::COPY, [name]).map_err(medium);
        if let Err(error) = copied {
            // What was begun is of no use to anybody.
            let _ = std::fs::remove_file(to);
            return Err(error);
        }
        let file = File::open(to).map_err(unreadable)?;
        file.sync_all().map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        drop(file);
        let copy = Connection::open_with_flags(to, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let copy = copy.map_err(medium)?;
        together(&copy, || quick_check(&copy))?;
        Ok(bytes)
    }
}

fn refuse(problem: &str) -> Error {
    Error::invalid_field("backup", "to", problem)
}

fn unreadable(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Unavailable, "to: the copy cannot be read")
        .with_field("to")
        .caused_by(error)
}

fn sessions(conn: &Connection) -> Result<Vec<(i64, TenantId, String)>> {
    all(conn, care::SESSIONS, [], |row| {
        let tenant = row.get::<_, Id<TenantId>>(1)?.0;
        Ok(Ok((row.get(0)?, tenant, row.get(2)?)))
    })
}

impl Fsck {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    fn say(&mut self, place: &'static str, id: String, problem: &str) {
        self.problems.push(Problem {
            place,
            id,
            problem: problem.to_owned(),
        });
    }

    /// Notes what is damaged; whatever else went wrong ends the check.
    fn note(&mut self, place: &'static str, id: String, error: &Error) -> Result<()> {
        if error.kind() != ErrorKind::Corrupt {
            return Err(Error::new(error.kind(), error.message().to_owned()));
        }
        self.say(place, id, error.message());
        Ok(())
    }

    fn session(
        &mut self,
        conn: &Connection,
        no: i64,
        tenant: &TenantId,
        session: &str,
        holders: &mut Holders,
    ) -> Result<()> {
        let span = position::all_of(no);
        let mut next = 1;
        all(conn, log::BODIES, (span.start(), span.end()), |row| {
            let first = position::event(row.get(0)?).0;
            let count = u64::from(row.get::<_, u32>(1)?);
            let body = row.get_ref(4)?.as_blob()?;
            let id = format!("{session}:{first}");
            if first != next {
                self.say("message", id.clone(), "events before it are missing");
            }
            next = first + count;
            let read = read_body(body, |digest| {
                let held = (tenant.to_string(), *digest);
                *holders.entry(held).or_default() += 1;
                artifacts::text(conn, tenant, digest)
            });
            Ok(match read {
                Ok(messages) if messages == count => {
                    self.messages += messages;
                    Ok(())
                }
                Ok(_) => self.note("message", id, &damaged("a row of the log")),
                Err(error) => self.note("message", id, &error),
            })
        })?;
        Ok(())
    }

    fn artifacts(&mut self, conn: &Connection, holders: &Holders) -> Result<()> {
        let rows = all(conn, artifact_statements::ALL, [], |row| {
            let tenant = row.get::<_, Id<TenantId>>(0)?.0;
            let name: String = row.get(1)?;
            let version: u32 = row.get(2)?;
            let digest = Digest::from_bytes(row.get(3)?);
            let length: i64 = row.get(4)?;
            let refs: i64 = row.get(5)?;
            Ok(Ok((tenant, name, version, digest, length, refs)))
        })?;
        for (tenant, name, version, digest, length, refs) in rows {
            let id = format!("{name}@{version}");
            self.artifacts += 1;
            match artifacts::checked(conn, &tenant, &digest) {
                Ok(bytes) => {
                    self.bytes += bytes.len() as u64;
                    if bytes.len() as u64 != length.cast_unsigned() {
                        self.say("artifact", id.clone(), "has another length than it says");
                    }
                }
                Err(error) => self.note("artifact", id.clone(), &error)?,
            }
            let held = holders.get(&(tenant.to_string(), digest));
            if large::is_part(&name) && held.copied().unwrap_or_default() != refs {
                self.say(
                    "artifact",
                    id,
                    "is held by more or fewer messages than it says",
                );
            }
        }
        Ok(())
    }
}

/// Reads all messages of a body; gives how many places it has, empty ones included.
fn read_body(body: &[u8], mut fetch: impl FnMut(&Digest) -> Result<String>) -> Result<u64> {
    let mut count = 0;
    let mut body = Body::open(body)?;
    while let Some(bytes) = body.next()? {
        if !bytes.is_empty() {
            decode(bytes, &mut fetch)?;
        }
        count += 1;
    }
    Ok(count)
}
