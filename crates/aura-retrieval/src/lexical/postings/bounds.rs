//! What a run of postings can score at most, whatever the average length becomes.

use crate::lexical::norms::LengthTable;
use crate::lexical::postings::posting::Posting;

/// The least length code among postings of frequency 1, of 2 and of 3 or more, and the largest frequency.
///
/// BM25 grows with frequency and falls with length, so these four bytes bound a run for every average length.
/// Keeping the lengths of frequency 1 and 2 apart matters: one long message that repeats a word would
/// otherwise lend its frequency to the shortest message of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    once: u8,
    twice: u8,
    more: u8,
    /// 0 while the run is empty.
    most: u8,
}

impl Bounds {
    pub(crate) const EMPTY: Self = Self {
        once: u8::MAX,
        twice: u8::MAX,
        more: u8::MAX,
        most: 0,
    };

    /// The bounds of a run; `codes` has the length code of every document.
    #[expect(clippy::indexing_slicing, reason = "the place is at most 3")]
    pub(crate) fn of(run: &[Posting], codes: &[u8]) -> Self {
        let mut least = [u8::MAX; 4];
        let mut most = 0;
        for posting in run {
            let code = codes.get(posting.document() as usize).copied().unwrap_or(0);
            let place = &mut least[posting.frequency().min(3) as usize];
            *place = (*place).min(code);
            most = most.max(posting.frequency());
        }
        let [_, once, twice, more] = least;
        Self {
            once,
            twice,
            more,
            most: most as u8,
        }
    }

    #[inline]
    pub(crate) fn include(&mut self, posting: Posting, code: u8) {
        let frequency = posting.frequency();
        let least = match frequency {
            0 | 1 => &mut self.once,
            2 => &mut self.twice,
            _ => &mut self.more,
        };
        *least = (*least).min(code);
        self.most = self.most.max(frequency as u8);
    }

    /// The largest share any posting of the run can have.
    #[inline]
    pub(crate) fn share(self, table: &LengthTable, weight: f32) -> i32 {
        match self.most {
            0 => 0,
            1 => table.share(weight, 1, self.once),
            2 => table
                .share(weight, 1, self.once)
                .max(table.share(weight, 2, self.twice)),
            most => table
                .share(weight, 1, self.once)
                .max(table.share(weight, 2, self.twice))
                .max(table.share(weight, u32::from(most), self.more)),
        }
    }
}
