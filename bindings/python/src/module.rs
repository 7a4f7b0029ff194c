//! What the extension module holds.

use pyo3::prelude::*;

/// The native part of `context_engine`; use that.
#[pymodule]
mod _native {
    use super::*;

    #[pymodule_export]
    use crate::cancel::Cancel;
    #[pymodule_export]
    use crate::context::Context;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::live::debug_live;
    #[pymodule_export]
    use crate::policy::Policy;
    #[pymodule_export]
    use crate::principal::Principal;
    #[pymodule_export]
    use crate::request::{repair, verify};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::guard::install();
        module.add("VERSION", aura::VERSION)
    }
}
