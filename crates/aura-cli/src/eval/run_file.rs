//! What was chosen, one line per question and budget, for another program to score.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use aura::Error;
use serde::Serialize;

use super::data::Data;
use super::outcome::Cut;
use super::work::Answers;
use crate::exit::file_error;

#[derive(Serialize)]
struct Line<'a> {
    question_id: &'a str,
    selected_message_ids: Vec<&'a str>,
    tokens: u32,
    budget: u32,
}

/// Writes the lines of the contexts that were compiled.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write_run(
    path: &Path,
    data: &Data,
    cuts: &[Cut],
    answers: &[Answers],
) -> Result<(), Error> {
    let write = || -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        for (conversation, answers) in data.conversations.iter().zip(answers) {
            for (question, methods) in conversation.questions.iter().zip(answers) {
                let compiled = methods.first().into_iter().flatten();
                for (cut, answer) in cuts.iter().zip(compiled) {
                    let Cut::Tokens(budget) = *cut else { continue };
                    let chosen = answer.chosen.iter();
                    let messages = chosen.filter_map(|&place| conversation.messages.get(place));
                    let line = Line {
                        question_id: &question.id,
                        selected_message_ids: messages.map(|said| said.id.as_str()).collect(),
                        tokens: answer.tokens,
                        budget,
                    };
                    serde_json::to_writer(&mut file, &line)?;
                    file.write_all(b"\n")?;
                }
            }
        }
        file.flush()
    };
    write().map_err(|error| file_error("run", path, error))
}
