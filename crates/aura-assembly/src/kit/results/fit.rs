//! Finding the most that fits.

use aura_core::{Result, TokenCounter};
use unicode_segmentation::UnicodeSegmentation as _;

/// The largest form that has at most `limit` tokens, of forms that grow with a number from 0 on up to `whole`.
///
/// Forms are made from the smallest up, doubling, so that a long text costs no more than a few times what is kept of it.
pub(super) fn largest(
    limit: u32,
    whole: usize,
    counter: &dyn TokenCounter,
    form: impl Fn(usize) -> String,
) -> Result<Option<String>> {
    let fits = |size: usize| -> Result<Option<String>> {
        let text = form(size);
        // No vocabulary has a token of so many bytes that this refuses what would fit.
        if text.len() / 256 > limit as usize {
            return Ok(None);
        }
        Ok((counter.count(&text)? <= limit).then_some(text))
    };
    let Some(mut best) = fits(0)? else {
        return Ok(None);
    };
    let (mut low, mut high) = (0, 1);
    while high < whole {
        match fits(high)? {
            Some(text) => best = text,
            None => break,
        }
        low = high;
        high = high.saturating_mul(2);
    }
    high = high.min(whole.saturating_add(1));
    while low + 1 < high {
        let middle = low.midpoint(high);
        match fits(middle)? {
            Some(text) => (best, low) = (text, middle),
            None => high = middle,
        }
    }
    Ok(Some(best))
}

/// How many of `size` are kept at the head and at the tail: two thirds and one.
pub(super) fn ends(size: usize) -> (usize, usize) {
    let tail = size / 3;
    (size - tail, tail)
}

/// The first `head` and the last `tail` graphemes of a text, and how many are between; `None` where none are.
pub(super) fn clip(text: &str, head: usize, tail: usize) -> Option<(&str, usize, &str)> {
    if text.len() <= head + tail {
        return None;
    }
    let start = text.grapheme_indices(true).nth(head)?.0;
    let end = match tail {
        0 => text.len(),
        _ => text.grapheme_indices(true).rev().nth(tail - 1)?.0,
    };
    let between = text.get(start..end).filter(|between| !between.is_empty())?;
    let count = between.graphemes(true).count();
    Some((text.get(..start)?, count, text.get(end..)?))
}
