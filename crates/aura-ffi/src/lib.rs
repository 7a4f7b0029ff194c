//! The C interface of the Aura context engine.

