//! What is handed to users: the installed C interface, and the archive that the other bindings link.

pub(crate) mod archive;
pub(crate) mod c_install;
