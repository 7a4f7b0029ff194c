//! The `aura` command as its users run it.

mod context;
mod crash;
mod demo;
mod explain;
mod general;
mod import;
mod regrown;
mod show;
mod workshop;
