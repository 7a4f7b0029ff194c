//! How far an import is, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on stderr; nothing where stderr is no terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over `total` bytes, or a spinner where their number is not known.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let (bar, template) = match total {
            Some(total) => (
                ProgressBar::new(total),
                "{wide_bar} {percent:>3}%  {bytes}/{total_bytes}  {msg}  {eta} left",
            ),
            None => (
                ProgressBar::new_spinner(),
                "{spinner} {bytes} read  {msg}  {elapsed}",
            ),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// Sets how many bytes were read and lines refused.
    pub(crate) fn set(&self, bytes: u64, refused: u64) {
        self.bar.set_position(bytes);
        if refused > 0 {
            self.bar.set_message(format!("{refused} refused"));
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
