//! Columns that line up, also in wide scripts.

use std::io::{self, Write as _};

use unicode_width::UnicodeWidthStr as _;

use super::text::one_line;
use super::{Out, style};

/// Which side of its column a cell stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// A table: the last column is shortened to what the terminal has left.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        let owned = columns
            .iter()
            .map(|(head, align)| ((*head).to_owned(), *align));
        Self::with_columns(owned.collect())
    }

    /// A table whose columns are known at run time only.
    pub(crate) const fn with_columns(columns: Vec<(String, Align)>) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a row; it has as many cells as there are columns.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes the table, indented by two columns.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn print(&self, out: &mut Out) -> io::Result<()> {
        let widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, (head, _))| {
                let cells = self.rows.iter().filter_map(|row| row.get(at));
                cells
                    .map(|cell| cell.width())
                    .fold(head.width(), usize::max)
            })
            .collect();
        let head: Vec<String> = self.columns.iter().map(|(head, _)| head.clone()).collect();
        let dim = style::DIM;
        writeln!(
            out,
            "{dim}{}{dim:#}",
            self.line(&head, &widths, out.width())
        )?;
        for row in &self.rows {
            writeln!(out, "{}", self.line(row, &widths, out.width()))?;
        }
        Ok(())
    }

    fn line(&self, cells: &[String], widths: &[usize], screen: Option<usize>) -> String {
        let mut line = String::new();
        for (at, ((cell, (_, align)), width)) in
            cells.iter().zip(&self.columns).zip(widths).enumerate()
        {
            line.push_str("  ");
            if at + 1 == self.columns.len() && *align == Align::Left {
                let left = screen.map(|columns| columns.saturating_sub(line.width()).max(8));
                line.push_str(&left.map_or_else(|| cell.clone(), |left| one_line(cell, left)));
                break;
            }
            let space = " ".repeat(width.saturating_sub(cell.width()));
            if *align == Align::Left {
                line.push_str(cell);
                line.push_str(&space);
            } else {
                line.push_str(&space);
                line.push_str(cell);
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_width() {
        let mut table = Table::new(&[
            ("id", Align::Left),
            ("tokens", Align::Right),
            ("text", Align::Left),
        ]);
        table.row(vec![
            "言".into(),
            "7".into(),
            "long enough to be cut off somewhere here".into(),
        ]);
        table.row(vec!["abc".into(), "1,000".into(), "short".into()]);
        let wide = Out::capture(None, |out| table.print(out));
        assert_eq!(
            wide,
            "  id   tokens  text\n  言        7  long enough to be cut off somewhere here\n  abc   1,000  short\n"
        );
        let narrow = Out::capture(Some(40), |out| table.print(out));
        assert!(narrow.lines().all(|line| line.width() <= 40), "{narrow}");
        assert!(narrow.contains('…'));
    }
}
