//! What a question asks for beside its words.

/// A day, month or year that a question names; what it leaves open is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AskedDate {
    /// The year.
    pub year: Option<i16>,
    /// The month, 1 to 12.
    pub month: Option<u8>,
    /// The day of the month, 1 to 31.
    pub day: Option<u8>,
}

/// What a question asks for beside its words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asked {
    /// It asks about the person who asks: "Where did I …?".
    pub first_person: bool,
    /// It asks for a time: "When did …?", "How long …?".
    pub when: bool,
    /// The dates it names.
    pub dates: Vec<AskedDate>,
}

/// What is known of a message beside its words, found once when it is analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MessageTraits(u8);

impl MessageTraits {
    /// The user's own.
    pub const BY_USER: Self = Self(1);
    /// It ends in a question.
    pub const ASKS: Self = Self(2);
    /// It says when something was or will be: "yesterday", "last May", "two weeks ago".
    pub const TEMPORAL: Self = Self(4);
    /// Its speaker is called by a name and not by the role.
    pub const NAMED: Self = Self(8);

    /// Both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These if `on`, else none.
    #[must_use]
    pub const fn when(self, on: bool) -> Self {
        if on { self } else { Self(0) }
    }

    /// Whether all of `other` hold.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// As a number for an index to keep.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// From such a number; `None` when it has bits of no trait.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits < 16 { Some(Self(bits)) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_are_a_set() {
        let both = MessageTraits::ASKS.with(MessageTraits::BY_USER.when(true));
        assert!(both.has(MessageTraits::ASKS) && both.has(MessageTraits::BY_USER));
        assert!(!both.has(MessageTraits::NAMED.when(true)));
        assert!(both.has(MessageTraits::TEMPORAL.when(false)));
        assert_eq!(MessageTraits::from_bits(both.bits()), Some(both));
        assert_eq!(MessageTraits::from_bits(16), None);
    }
}
