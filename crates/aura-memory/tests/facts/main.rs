//! Facts from what users say: the examples of the design, paraphrases, look-alikes, and properties.

#[cfg(test)]
mod corrections;
#[cfg(test)]
mod everyday;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod talk;
