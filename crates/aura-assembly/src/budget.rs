//! The tokens a context may have, and those it has.

/// A budget and what was taken from it; the mandatory may take more than there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Room {
    budget: u32,
    used: u32,
}

impl Room {
    /// An untouched budget.
    pub(crate) const fn new(budget: u32) -> Self {
        Self { budget, used: 0 }
    }

    /// Takes tokens, whether there is room or not.
    pub(crate) const fn take(&mut self, tokens: u32) {
        self.used = self.used.saturating_add(tokens);
    }

    /// Takes tokens if there is room for them.
    pub(crate) const fn try_take(&mut self, tokens: u32) -> bool {
        if tokens > self.left() {
            return false;
        }
        self.take(tokens);
        true
    }

    /// Gives tokens back.
    pub(crate) const fn give_back(&mut self, tokens: u32) {
        self.used = self.used.saturating_sub(tokens);
    }

    /// What is left.
    pub(crate) const fn left(&self) -> u32 {
        self.budget.saturating_sub(self.used)
    }

    /// By how much the budget is exceeded.
    pub(crate) const fn excess(&self) -> u32 {
        self.used.saturating_sub(self.budget)
    }
}
