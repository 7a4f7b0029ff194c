//! A folder with a store, and short ways to run the command on it.

use std::path::PathBuf;
use std::process::Command;

use assert_cmd::assert::Assert;
use serde_json::{Value, json};

/// A store in a folder of its own.
pub(crate) struct Workshop {
    folder: tempfile::TempDir,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The command on the folder's store.
    pub(crate) fn command(&self) -> Command {
        let mut command = bare();
        command.arg("--db").arg(self.path("store.db"));
        command
    }

    /// Runs the command with these arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Assert {
        assert_cmd::Command::from_std(self.command())
            .args(arguments)
            .assert()
    }

    /// Runs it with `--json` and gives what it prints.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let assert = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&assert.get_output().stdout).unwrap()
    }

    /// Imports lines and gives the report and the exit code.
    pub(crate) fn import(&self, lines: &str) -> (Value, i32) {
        let path = self.file("input.jsonl", lines);
        let assert = self.run(&["import", path.to_str().unwrap(), "--json"]);
        let output = assert.get_output();
        let report = serde_json::from_slice(&output.stdout).unwrap();
        (report, output.status.code().unwrap())
    }

    /// The message ids of a session by turn, in the order stored.
    pub(crate) fn turns(&self, session: &str) -> Vec<Vec<String>> {
        let shown = self.json(&["show", "--session", session]);
        let ids = |turn: &Value| {
            let messages = turn["messages"].as_array().unwrap().iter();
            messages
                .map(|stored| {
                    let id = &stored["message"]["metadata"]["message_id"];
                    id.as_str().unwrap().to_owned()
                })
                .collect()
        };
        shown["turns"].as_array().unwrap().iter().map(ids).collect()
    }
}

/// The command without a store, deaf to the environment of whoever runs the tests.
pub(crate) fn bare() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("aura"));
    command.env_remove("AURA_DB").env_remove("NO_COLOR");
    command
}

/// A line of an import.
pub(crate) fn line(session: &str, id: &str, role: &str, text: &str) -> Value {
    json!({"session_id": session, "message_id": id, "role": role, "text": text})
}

/// Lines of an import as the text of a file.
pub(crate) fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// A session of `turns` questions and answers, with ids `q0`, `a0`, `q1` …
pub(crate) fn chat(session: &str, turns: usize) -> Vec<Value> {
    let turn = |n: usize| {
        [
            line(
                session,
                &format!("q{n}"),
                "user",
                &format!("What of item {n}, the {} one?", word(n)),
            ),
            line(
                session,
                &format!("a{n}"),
                "assistant",
                &format!("Item {n} stands on shelf {}.", n * 7),
            ),
        ]
    };
    (0..turns).flat_map(turn).collect()
}

fn word(n: usize) -> &'static str {
    const WORDS: [&str; 7] = [
        "amber", "copper", "linen", "marble", "willow", "cobalt", "ivory",
    ];
    WORDS[n % WORDS.len()]
}
