//! Products of vectors of whole numbers, with the widest instructions the machine has.
//!
//! All sums are exact, so that every machine gives the same.

use pulp::Arch;

/// Picks the instructions once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernel(Arch);

impl Kernel {
    pub(super) fn new() -> Self {
        Self(Arch::new())
    }

    /// The product of `query` with each row of `rows`, as many as `out` has places.
    ///
    /// No sum may exceed 31 bits: [`super::form::Query`] sees to it.
    pub(super) fn dots(self, query: &[i16], rows: &[i8], out: &mut [i32]) {
        self.0.dispatch(
            #[inline(always)]
            || {
                for (row, out) in rows.chunks_exact(query.len().max(1)).zip(out) {
                    *out = dot(query, row);
                }
            },
        );
    }

    /// The product of `query` with a vector of 16 bits whose upper and lower halves stand apart.
    pub(super) fn whole(self, query: &[i16], high: &[i8], low: &[i8]) -> i64 {
        self.0.dispatch(
            #[inline(always)]
            || i64::from(dot(query, high)) * 256 + i64::from(dot(query, low)),
        )
    }

    /// The product of two vectors of length 1 in 15 bits a number: no partial sum exceeds the product of the lengths.
    #[cfg(feature = "hnsw")]
    pub(super) fn unit(self, a: &[i16], b: &[i16]) -> i32 {
        self.0.dispatch(
            #[inline(always)]
            || {
                a.iter().zip(b).fold(0_i32, |sum, (a, b)| {
                    sum.wrapping_add(i32::from(*a) * i32::from(*b))
                })
            },
        )
    }
}

/// Wrapping, because a check in each step would keep the compiler from doing many at once.
#[inline(always)]
fn dot(query: &[i16], row: &[i8]) -> i32 {
    query.iter().zip(row).fold(0_i32, |sum, (a, b)| {
        sum.wrapping_add(i32::from(*a) * i32::from(i16::from(*b)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_exact_for_every_length() {
        let kernel = Kernel::new();
        for length in [1, 7, 16, 31, 384, 1000] {
            let query: Vec<i16> = (0..length).map(|n| (n * 37 % 4001) as i16 - 2000).collect();
            let high: Vec<i8> = (0..3 * length)
                .map(|n| (n * 91 % 256) as u8 as i8)
                .collect();
            let low: Vec<i8> = high.iter().map(|x| x.wrapping_mul(3)).collect();
            let mut out = vec![0; 3];
            kernel.dots(&query, &high, &mut out);
            for (at, out) in out.iter().enumerate() {
                let row = at * length..(at + 1) * length;
                let product = |half: &[i8]| -> i64 {
                    let terms = query.iter().zip(&half[row.clone()]);
                    terms.map(|(a, b)| i64::from(*a) * i64::from(*b)).sum()
                };
                assert_eq!(i64::from(*out), product(&high));
                assert_eq!(
                    kernel.whole(&query, &high[row.clone()], &low[row.clone()]),
                    product(&high) * 256 + product(&low)
                );
            }
        }
    }
}
