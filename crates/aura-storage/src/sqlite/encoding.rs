//! How messages stand in the log: a compact form of our own, so that every byte of raw JSON survives and reading needs
//! no parsing of text.
//!
//! A body is a version byte and then the messages, each behind its length. A message of length 0 was deleted. Numbers
//! are LEB128, signed ones in zigzag; texts stand behind their length.

mod decode;
mod encode;

pub(super) use decode::{Body, decode};
pub(super) use encode::{Encoded, without};

/// The version of the form that is written.
const VERSION: u8 = 1;

mod flag {
    pub(super) const ROLE: u8 = 0b0000_0011;
    pub(super) const NAME: u8 = 0b0000_0100;
    pub(super) const TIME: u8 = 0b0000_1000;
    pub(super) const NATIVE: u8 = 0b0001_0000;
    pub(super) const METADATA: u8 = 0b0010_0000;
}

mod tag {
    pub(super) const TEXT: u8 = 1;
    pub(super) const LARGE_TEXT: u8 = 2;
    pub(super) const TOOL_CALL: u8 = 3;
    pub(super) const RESULT_TEXT: u8 = 4;
    pub(super) const RESULT_LARGE: u8 = 5;
    pub(super) const RESULT_ARTIFACT: u8 = 6;
    pub(super) const MEDIA_URI: u8 = 7;
    pub(super) const MEDIA_ARTIFACT: u8 = 8;
    pub(super) const OPAQUE: u8 = 9;
    pub(super) const TEXT_ARTIFACT: u8 = 10;
}

#[cfg(test)]
mod tests;
