//! Words related to those of a question: "pet" for "dog", "vehicle" for "car".
//!
//! Half of what a question fails to find says the same in other words. So a word of the question also counts, in part,
//! where a related word stands. The table in `related/words.bin` holds stems of common English words, each with the
//! nearest others by the cosine of their GloVe vectors (Pennington, Socher and Manning 2014; the vectors are in the
//! public domain, PDDL 1.0). `examples/related_words.rs` makes it.

/// Stems and their neighbours, little endian: how many stems; where each one's text ends; where each one's neighbours
/// end; the texts, sorted; the neighbours, a number of two bytes and a cosine in 255ths each.
static TABLE: &[u8] = include_bytes!("related/words.bin");

/// The bytes of a neighbour.
const ENTRY: usize = 3;

/// The words related to a stem, the nearest first, with their cosines.
pub(crate) fn related(stem: &str) -> impl Iterator<Item = (&'static [u8], f32)> {
    let entries = find(stem).map_or(&[][..], neighbours);
    entries.chunks_exact(ENTRY).filter_map(|entry| {
        let &[low, high, cosine] = entry else {
            return None;
        };
        let other = text(usize::from(u16::from_le_bytes([low, high])))?;
        Some((other, f32::from(cosine) / 255.0))
    })
}

fn number(at: usize) -> Option<usize> {
    let bytes = TABLE.get(at * 4..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes) as usize)
}

fn count() -> usize {
    number(0).unwrap_or(0)
}

/// Where the texts begin.
fn texts() -> usize {
    4 * (1 + 2 * count())
}

/// Where something of the stem `at` begins and ends, by the ends in a column.
fn bounds(column: usize, at: usize) -> Option<(usize, usize)> {
    let ends = 1 + column * count();
    let start = match at.checked_sub(1) {
        Some(before) => number(ends + before)?,
        None => 0,
    };
    Some((start, number(ends + at)?))
}

fn text(at: usize) -> Option<&'static [u8]> {
    let (start, end) = bounds(0, at)?;
    TABLE.get(texts() + start..texts() + end)
}

fn neighbours(at: usize) -> &'static [u8] {
    let all = count().checked_sub(1).and_then(|last| bounds(0, last));
    let (Some((_, length)), Some((start, end))) = (all, bounds(1, at)) else {
        return &[];
    };
    let first = texts() + length;
    TABLE
        .get(first + start * ENTRY..first + end * ENTRY)
        .unwrap_or_default()
}

fn find(stem: &str) -> Option<usize> {
    let (mut low, mut high) = (0, count());
    while low < high {
        let middle = low.midpoint(high);
        match text(middle)?.cmp(stem.as_bytes()) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole_and_sorted() {
        assert!(count() > 10_000);
        let stems = (0..count()).map(|at| std::str::from_utf8(text(at).unwrap()));
        let stems: Vec<&str> = stems.collect::<Result<_, _>>().unwrap();
        assert!(stems.is_sorted());
        assert_eq!(text(count()), None);
        let mut entries = 0;
        for stem in &stems {
            let found: Vec<(&[u8], f32)> = related(stem).collect();
            entries += found.len();
            assert!(found.is_sorted_by(|a, b| a.1 >= b.1), "{stem}");
            assert!(
                found
                    .iter()
                    .all(|(other, cosine)| *other != stem.as_bytes() && *cosine > 0.3),
                "{stem}"
            );
        }
        let (_, length) = bounds(0, count() - 1).unwrap();
        assert_eq!(TABLE.len(), texts() + length + entries * ENTRY);
    }

    #[test]
    fn words_of_like_meaning_are_related() {
        for (stem, other) in [
            ("car", "vehicl"),
            ("dog", "puppi"),
            ("paint", "portrait"),
            ("doctor", "physician"),
        ] {
            assert!(
                related(stem).any(|(found, _)| found == other.as_bytes()),
                "{stem}"
            );
        }
        assert_eq!(related("qqqq").count(), 0);
        assert_eq!(related("").count(), 0);
    }
}
