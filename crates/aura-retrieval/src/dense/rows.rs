//! The vectors of a session, in event order.

use std::ops::Range;

use aura_core::{Error, ErrorKind, EventId, EventRange, Result};

use crate::dense::form::{self, Encoded};
use crate::dense::kernel::Kernel;

/// How many vectors an index holds at most.
const MAX_ROWS: usize = u32::MAX as usize;

/// What an event's vectors take the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// They stand at the end; nothing else moved.
    Appended,
    /// Rows from this one on have changed or moved.
    Moved(usize),
}

/// The vectors of a session; upper and lower halves of their numbers stand apart, since most are never read beyond the
/// upper half.
pub(super) struct Rows {
    pub(super) dimension: usize,
    /// Whose each is, ascending; a message has as many rows as vectors.
    pub(super) events: Vec<EventId>,
    pub(super) high: Vec<i8>,
    low: Vec<i8>,
    /// By what the numbers of each are multiplied; 0 where it was removed.
    pub(super) units: Vec<f32>,
    /// The length of what the upper halves leave out.
    pub(super) rests: Vec<f32>,
    messages: u64,
    removed: usize,
}

impl Rows {
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            events: Vec::new(),
            high: Vec::new(),
            low: Vec::new(),
            units: Vec::new(),
            rests: Vec::new(),
            messages: 0,
            removed: 0,
        }
    }

    /// How many there are, removed ones included.
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn messages(&self) -> u64 {
        self.messages
    }

    pub(super) fn is_removed(&self, row: usize) -> bool {
        self.units.get(row).is_none_or(|unit| *unit == 0.0)
    }

    /// The rows of a range of events.
    pub(super) fn of(&self, events: EventRange) -> Range<usize> {
        let first = self.events.partition_point(|event| *event < events.first);
        let last = self.events.partition_point(|event| *event <= events.last);
        first..last.max(first)
    }

    /// Sets the vectors of an event.
    ///
    /// # Errors
    /// `Corrupt`, `BudgetExceeded`; nothing has changed then.
    pub(super) fn set(&mut self, event: EventId, bytes: &[u8]) -> Result<Change> {
        let vectors = match bytes {
            [] => Vec::new(),
            bytes => form::decode(self.dimension, bytes)?,
        };
        if self.len() + vectors.len() > MAX_ROWS {
            return Err(Error::new(
                ErrorKind::BudgetExceeded,
                "the vector index is full",
            ));
        }
        let place = self.of(EventRange::new(event, event));
        let at_end = place.start == self.len();
        let had = self.living(place.clone());
        self.removed -= place.len() - had;
        self.messages -= u64::from(had > 0);
        self.messages += u64::from(!vectors.is_empty());
        let (mut high, mut low, mut units, mut rests) = (vec![], vec![], vec![], vec![]);
        for vector in &vectors {
            units.push(vector.unit);
            rests.push(split(vector, &mut high, &mut low));
        }
        let numbers = place.start * self.dimension..place.end * self.dimension;
        grow(&mut self.high, high.len());
        grow(&mut self.low, low.len());
        self.high.splice(numbers.clone(), high);
        self.low.splice(numbers, low);
        self.units.splice(place.clone(), units);
        self.rests.splice(place.clone(), rests);
        self.events
            .splice(place.clone(), vectors.iter().map(|_| event));
        Ok(match at_end {
            true => Change::Appended,
            false => Change::Moved(place.start),
        })
    }

    fn living(&self, rows: Range<usize>) -> usize {
        rows.filter(|row| !self.is_removed(*row)).count()
    }

    /// Blanks the rows of a range of events; says how many messages there were. They are closed up by
    /// [`Rows::compact`].
    pub(super) fn remove(&mut self, events: EventRange) -> u64 {
        let (mut count, mut last) = (0, None);
        for row in self.of(events) {
            if self.is_removed(row) {
                continue;
            }
            let event = self.events.get(row).copied();
            count += u64::from(event != last);
            last = event;
            let numbers = row * self.dimension..(row + 1) * self.dimension;
            for half in [&mut self.high, &mut self.low] {
                half.get_mut(numbers.clone()).unwrap_or_default().fill(0);
            }
            for list in [&mut self.units, &mut self.rests] {
                list.get_mut(row)
                    .into_iter()
                    .for_each(|number| *number = 0.0);
            }
            self.removed += 1;
        }
        self.messages -= count;
        count
    }

    /// Closes up removed rows once they are a quarter of all; says whether it did.
    pub(super) fn compact(&mut self) -> bool {
        if self.removed * 4 <= self.len() || self.removed == 0 {
            return false;
        }
        let keep: Vec<bool> = (0..self.len()).map(|row| !self.is_removed(row)).collect();
        for half in [&mut self.high, &mut self.low] {
            let mut left = Vec::with_capacity(half.len());
            for (row, keep) in half.chunks_exact(self.dimension).zip(&keep) {
                left.extend_from_slice(if *keep { row } else { &[] });
            }
            *half = left;
        }
        retain(&mut self.units, &keep);
        retain(&mut self.rests, &keep);
        retain(&mut self.events, &keep);
        self.removed = 0;
        true
    }

    /// The upper and lower halves of a row.
    pub(super) fn halves(&self, row: usize) -> (&[i8], &[i8]) {
        let numbers = row * self.dimension..(row + 1) * self.dimension;
        let high = self.high.get(numbers.clone()).unwrap_or_default();
        (high, self.low.get(numbers).unwrap_or_default())
    }

    /// The cosine of a row with a query.
    pub(super) fn cosine(&self, row: usize, query: &form::Query, kernel: Kernel) -> f32 {
        let (high, low) = self.halves(row);
        let unit = self.units.get(row).copied().unwrap_or_default();
        let product = kernel.whole(&query.numbers, high, low) as f64;
        let cosine = product * f64::from(unit) * f64::from(query.unit);
        (cosine as f32).clamp(-1.0, 1.0)
    }

    /// The cosine of the nearest vector of an event, if it has any.
    pub(super) fn nearest(
        &self,
        event: EventId,
        query: &form::Query,
        kernel: Kernel,
    ) -> Option<f32> {
        self.of(EventRange::new(event, event))
            .filter(|row| !self.is_removed(*row))
            .map(|row| self.cosine(row, query, kernel))
            .max_by(f32::total_cmp)
    }

    pub(super) fn memory(&self) -> usize {
        self.high.capacity() * 2
            + self.events.capacity() * size_of::<EventId>()
            + (self.units.capacity() + self.rests.capacity()) * size_of::<f32>()
    }
}

/// Splits the numbers of a vector; returns the length of what the upper halves leave out.
fn split(vector: &Encoded<'_>, high: &mut Vec<i8>, low: &mut Vec<i8>) -> f32 {
    let mut square = 0_i64;
    for number in vector.numbers() {
        let (upper, lower) = form::halves(number);
        high.push(upper);
        low.push(lower);
        square += i64::from(lower) * i64::from(lower);
    }
    (square as f64).sqrt() as f32 * vector.unit
}

/// Makes room in steps of a quarter: doubling would waste half of a large index.
fn grow(list: &mut Vec<i8>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more + list.len() / 4);
    }
}

fn retain<T: Copy>(list: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    list.retain(|_| keep.next().copied().unwrap_or_default());
}
