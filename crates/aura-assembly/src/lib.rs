//! The context compiler of the Aura context engine: filter, retrieve, resolve, admit, order, serialize.
#![forbid(unsafe_code)]
