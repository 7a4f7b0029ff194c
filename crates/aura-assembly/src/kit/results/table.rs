//! Tables made smaller: the header stays, with the first and last rows and the number of the others.

use aura_core::{Result, TokenCounter};

use super::fit::{ends, largest};

/// The largest form that fits; `None` where not even the header does.
pub(super) fn shorter(
    text: &str,
    delimiter: char,
    limit: u32,
    address: &str,
    counter: &dyn TokenCounter,
) -> Result<Option<String>> {
    let rows = rows(text);
    let Some((header, rows)) = rows.split_first() else {
        return Ok(None);
    };
    let columns = cells(header, delimiter);
    let total = rows.len();
    let form = |size: usize| {
        let (head, tail) = ends(size);
        let missing = total.saturating_sub(head + tail);
        if missing == 0 {
            return text.to_owned();
        }
        let mut out = format!("{header}\n");
        let mut push = |row: &&str| {
            out.push_str(row);
            out.push('\n');
        };
        rows.iter().take(head).for_each(&mut push);
        out.push_str(&format!(
            "[… {missing} of {total} rows of {columns} columns left out; whole: {address}]\n"
        ));
        let mut push = |row: &&str| {
            out.push_str(row);
            out.push('\n');
        };
        rows.iter().skip(total - tail).for_each(&mut push);
        out
    };
    largest(limit, total, counter, form)
}

/// The rows; a line end within quotation marks ends none.
fn rows(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut quoted, mut start) = (false, 0);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '\n' if !quoted => {
                out.push(
                    text.get(start..at)
                        .unwrap_or_default()
                        .trim_end_matches('\r'),
                );
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(text.get(start..).unwrap_or_default());
    out.retain(|row| !row.trim().is_empty());
    out
}

/// How many cells a row has.
fn cells(row: &str, delimiter: char) -> usize {
    let mut quoted = false;
    let count = row.chars().filter(|c| {
        quoted ^= *c == '"';
        *c == delimiter && !quoted
    });
    count.count() + 1
}

#[cfg(test)]
mod tests {
    use aura_text::BuiltinCounter;

    use super::super::cap::{Capped, cap};
    use super::*;

    #[test]
    fn the_header_and_the_number_of_rows_stay() {
        let mut text = String::from("id,name,\"note, if any\"\n");
        for n in 0..500 {
            text.push_str(&format!("{n},person {n},\"likes\nrow {n}, mostly\"\n"));
        }
        let counter = BuiltinCounter::O200kBase;
        // Quoted line ends hide the form from a look at the lines alone, so it is asked for by name.
        let small = shorter(&text, ',', 120, "event:3", &counter)
            .unwrap()
            .unwrap();
        assert!(counter.count(&small).unwrap() <= 120);
        assert!(small.starts_with("id,name,\"note, if any\"\n0,person 0,"));
        let missing: usize = small
            .split("[… ")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(rows(&small).len() - 2 + missing, 500);
        assert!(small.contains("of 500 rows of 3 columns left out; whole: event:3]"));
        assert!(small.trim_end().ends_with("row 499, mostly\""));
        let plain: String = (0..300).map(|n| format!("{n}\ta{n}\tb{n}\n")).collect();
        let Capped::Shorter(small) = cap(&plain, 80, "event:3", &counter).unwrap() else {
            panic!("it does not fit whole");
        };
        assert!(small.contains("of 299 rows of 3 columns"), "{small}");
    }
}
