//! A result within so many tokens.

use aura_core::{Result, TokenCounter};

use super::fit::{clip, ends, largest};
use super::format::ResultFormat;
use super::{json, lines, markup, table};

/// The smallest cap that is kept, in tokens: what says how much is missing and where it is takes that much.
pub const LEAST_CAP: u32 = 64;

/// A result made smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Capped {
    /// It fits as it is.
    Whole,
    /// What stands of it, in its own form.
    Shorter(String),
    /// Not even its smallest form fits, or the cap is below [`LEAST_CAP`]: only its address stands.
    Address,
}

/// Makes a result fit into `limit` tokens: JSON stays JSON with the counts of what is missing, a table keeps its header
/// and says how many rows it has, a log keeps its errors, a diff its files and hunks, text its head and tail. No grapheme is
/// cut. `address` says where the whole is; it stands in what is left.
///
/// # Errors
/// Those of the counter.
pub fn cap(text: &str, limit: u32, address: &str, counter: &dyn TokenCounter) -> Result<Capped> {
    if counter.count(text)? <= limit {
        return Ok(Capped::Whole);
    }
    if limit < LEAST_CAP {
        return Ok(Capped::Address);
    }
    let shorter = match ResultFormat::of(text) {
        ResultFormat::Json => json::shorter(text, limit, address, counter)?,
        ResultFormat::Table(delimiter) => table::shorter(text, delimiter, limit, address, counter)?,
        ResultFormat::Markup => markup::shorter(text, limit, address, counter)?,
        ResultFormat::Diff => lines::diff(text, limit, address, counter)?,
        ResultFormat::Log => lines::log(text, limit, address, counter)?,
        ResultFormat::Text => None,
    };
    let shorter = match shorter {
        // The frame of a JSON value too large for its cap is no JSON when it is cut.
        None if ResultFormat::of(text) != ResultFormat::Json => {
            plain(text, limit, address, counter)?
        }
        shorter => shorter,
    };
    Ok(shorter.map_or(Capped::Address, Capped::Shorter))
}

/// The head and the tail of a text, with what is missing between them.
fn plain(
    text: &str,
    limit: u32,
    address: &str,
    counter: &dyn TokenCounter,
) -> Result<Option<String>> {
    // A token has a byte at least, so no more graphemes than bytes can be kept.
    largest(limit, text.len(), counter, |size| {
        let (head, tail) = ends(size);
        match clip(text, head, tail) {
            Some((head, missing, tail)) => {
                format!("{head}\n[… {missing} characters left out; whole: {address}]\n{tail}")
            }
            None => text.to_owned(),
        }
    })
}
