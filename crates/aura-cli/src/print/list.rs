//! A long JSON array, written item by item.

use std::io::{self, Write as _};

use serde::Serialize;

use super::Out;

/// An array that is never in memory as a whole.
#[derive(Debug)]
pub(crate) struct JsonList {
    any: bool,
}

impl JsonList {
    /// Opens the array.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn open(out: &mut Out) -> io::Result<Self> {
        out.write_all(b"[")?;
        Ok(Self { any: false })
    }

    /// Writes one item.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn item<T: Serialize + ?Sized>(
        &mut self,
        out: &mut Out,
        item: &T,
    ) -> io::Result<()> {
        out.write_all(if self.any { b",\n" } else { b"\n" })?;
        self.any = true;
        serde_json::to_writer(out, item).map_err(io::Error::from)
    }

    /// Closes the array.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn close(self, out: &mut Out) -> io::Result<()> {
        out.write_all(if self.any { b"\n]" } else { b"]" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_items_is_an_array() {
        for count in 0..3 {
            let text = Out::capture(None, |out| {
                let mut list = JsonList::open(out)?;
                for item in 0..count {
                    list.item(out, &item)?;
                }
                list.close(out)
            });
            let read: Vec<u32> = serde_json::from_str(&text).unwrap();
            assert_eq!(read, (0..count).collect::<Vec<_>>());
        }
    }
}
