//! What every export passes through: the export macro, the panic guard, what comes in and what goes out.

pub(crate) mod export;
pub(crate) mod growing;
pub(crate) mod guard;
pub(crate) mod inbound;
pub(crate) mod live;
pub(crate) mod outbound;

#[cfg(test)]
mod agreement;
