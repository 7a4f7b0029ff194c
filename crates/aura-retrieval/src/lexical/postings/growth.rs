//! Vectors that grow by an eighth: an index is kept for long, so slack costs more than copying.

/// Makes room for `more` elements, growing by an eighth at least.
pub(crate) fn reserve_tight<T>(vector: &mut Vec<T>, more: usize) {
    if vector.capacity() - vector.len() < more {
        vector.reserve_exact(more.max(vector.len() / 8));
    }
}

/// Appends one element.
#[inline]
pub(crate) fn push_tight<T>(vector: &mut Vec<T>, value: T) {
    reserve_tight(vector, 1);
    vector.push(value);
}

/// Appends `count` copies of `value`.
pub(crate) fn extend_tight<T: Clone>(vector: &mut Vec<T>, count: usize, value: T) {
    reserve_tight(vector, count);
    vector.resize(vector.len() + count, value);
}
