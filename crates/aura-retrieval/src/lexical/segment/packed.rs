//! A posting list in blocks, each posting in as many bits as the widest of its block needs: reading it has no branch
//! that depends on the numbers.

use std::ops::Range;

use aura_core::Result;

use crate::lexical::postings::posting::Posting;
use crate::lexical::varint::{Reader, corrupt, put};

/// Postings of a block. Larger blocks have a wider widest posting, smaller ones more headers.
const BLOCK: usize = 32;

/// The most bits that a gap between documents takes, and a frequency less one.
const MOST_BITS: (u32, u32) = (26, 6);

/// Room for a whole block, and for reading eight bytes from its last one on.
const BUFFER: usize = BLOCK * 4 + 8;

/// Appends `postings`, oldest first, none of which is of a document before `start`.
pub(super) fn put_postings(out: &mut Vec<u8>, postings: &[Posting], start: u32) {
    put(out, postings.len() as u64);
    let mut next = start;
    for block in postings.chunks(BLOCK) {
        let mut values = [(0, 0); BLOCK];
        let (mut gaps, mut frequencies) = (0, 0);
        for (value, posting) in values.iter_mut().zip(block) {
            *value = (posting.document() - next, posting.frequency() - 1);
            next = posting.document() + 1;
            gaps |= value.0;
            frequencies |= value.1;
        }
        let bits = (
            u32::BITS - gaps.leading_zeros(),
            u32::BITS - frequencies.leading_zeros(),
        );
        out.push((bits.0 | bits.1 << 5) as u8);
        let (mut held, mut count) = (0u64, 0);
        for (gap, frequency) in values.into_iter().take(block.len()) {
            held |= u64::from(gap | frequency << bits.0) << count;
            count += bits.0 + bits.1;
            while count >= 8 {
                out.push(held as u8);
                held >>= 8;
                count -= 8;
            }
        }
        if count > 0 {
            out.push(held as u8);
        }
    }
}

/// Reads a list and appends its postings to `out`; all are of documents in `documents`.
pub(super) fn read_postings(
    documents: &Range<u32>,
    reader: &mut Reader<'_>,
    out: &mut Vec<Posting>,
) -> Result<()> {
    let count = reader.number()?;
    if count > documents.len() as u64 {
        return Err(corrupt("has more postings than documents"));
    }
    let mut left = count as usize;
    out.reserve(left);
    let mut next = documents.start;
    while left > 0 {
        let size = left.min(BLOCK);
        left -= size;
        let header = reader.byte()?;
        let bits = (u32::from(header & 31), u32::from(header >> 5));
        if bits.0 > MOST_BITS.0 || bits.1 > MOST_BITS.1 {
            return Err(corrupt("has a posting that is too wide"));
        }
        let bytes = (size * (bits.0 + bits.1) as usize).div_ceil(8);
        let rest = reader.rest();
        let packed = reader.take(bytes)?;
        match rest.get(..bytes + 8) {
            Some(packed) => next = unpack(packed, size, bits, next, out),
            // The last block of all has no eight bytes after it.
            None => {
                let mut buffer = [0; BUFFER];
                if let Some(place) = buffer.get_mut(..bytes) {
                    place.copy_from_slice(packed);
                }
                next = unpack(&buffer, size, bits, next, out);
            }
        }
        // A block of the widest gaps cannot pass the end of the numbers.
        if next > documents.end {
            return Err(corrupt("has a posting of no document"));
        }
    }
    Ok(())
}

/// Unpacks a block, behind which eight bytes more can be read; returns the document after the last one.
#[inline]
fn unpack(
    packed: &[u8],
    size: usize,
    bits: (u32, u32),
    mut next: u32,
    out: &mut Vec<Posting>,
) -> u32 {
    let width = (bits.0 + bits.1) as usize;
    let (mask, gap_mask) = ((1u64 << width) - 1, (1u32 << bits.0) - 1);
    out.extend((0..size).map(|at| {
        let bit = at * width;
        let bytes = packed.get(bit / 8..).and_then(|rest| rest.first_chunk());
        let word = bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let value = (word >> (bit % 8) & mask) as u32;
        let document = next + (value & gap_mask);
        next = document + 1;
        Posting::new(document, (value >> bits.0) + 1)
    }));
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::postings::posting::{MAX_DOCUMENTS, MAX_FREQUENCY};
    use proptest::prelude::*;

    fn survives(postings: &[Posting], documents: Range<u32>) {
        for behind in [0, 20] {
            let mut bytes = Vec::new();
            put_postings(&mut bytes, postings, documents.start);
            bytes.resize(bytes.len() + behind, 0xFF);
            let mut reader = Reader::new(&bytes);
            let mut read = Vec::new();
            read_postings(&documents, &mut reader, &mut read).unwrap();
            assert_eq!(read, postings);
            assert_eq!(reader.rest().len(), behind);
        }
    }

    proptest! {
        #[test]
        fn lists_survive(
            gaps in prop::collection::vec((0u32..6, any::<u32>(), 1u32..70), 0..200),
            start in 0u32..1_000,
        ) {
            let mut next = start;
            let mut postings = Vec::new();
            for (shift, gap, frequency) in gaps {
                next += gap % (1 << (shift * 3));
                postings.push(Posting::new(next, frequency));
                next += 1;
            }
            survives(&postings, start..next);
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..300), end in 0u32..MAX_DOCUMENTS) {
            let mut read = Vec::new();
            if read_postings(&(0..end), &mut Reader::new(&bytes), &mut read).is_ok() {
                assert!(read.is_sorted_by_key(|posting| posting.document()));
                assert!(read.last().is_none_or(|last| last.document() < end));
            }
        }
    }

    #[test]
    fn the_widest_postings_survive() {
        let last = MAX_DOCUMENTS - 1;
        survives(&[Posting::new(last, MAX_FREQUENCY)], 0..MAX_DOCUMENTS);
        survives(
            &[Posting::new(0, 1), Posting::new(last, MAX_FREQUENCY)],
            0..MAX_DOCUMENTS,
        );
        survives(
            &(0..100)
                .map(|document| Posting::new(document, 1))
                .collect::<Vec<_>>(),
            0..100,
        );
    }
}
