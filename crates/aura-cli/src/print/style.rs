//! Colours, few and always the same; `anstream` leaves them out where they do not belong.

use anstyle::{AnsiColor, Style};

/// Headings.
pub(crate) const HEAD: Style = Style::new().bold();
/// What stands beside the matter.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Who speaks.
pub(crate) const ROLE: Style = AnsiColor::Cyan.on_default().bold();
/// What is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What is not.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// What deserves a look.
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();
