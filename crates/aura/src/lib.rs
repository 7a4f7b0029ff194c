//! Aura: a context engine for LLM agents.
#![forbid(unsafe_code)]
