//! The engine: opened, flushed, closed, freed.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aura::{
    Analyzer, AnalyzerOptions, Bm25Backend, BuiltinCounter, EngineOptions, Language, OpenOptions,
};
use aura_core::{Durability, Result};
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::{derive_ReprC, ffi_export, repr_c};

use crate::boundary::export::c_api;
use crate::boundary::growing::{self, Growing};
use crate::boundary::guard::{attempt, on_engine};
use crate::boundary::inbound;
use crate::boundary::live::{Live, aura_kind};
use crate::boundary::outbound::{ErrorSlot, Slot};
use crate::bytes::aura_str;
use crate::error::aura_error;
use crate::status::aura_status;

/// An engine on one store. Every function that takes `const aura_engine *` may be called from any thread at any time;
/// only `aura_engine_free` needs the engine for itself.
#[derive_ReprC]
#[repr(opaque)]
pub struct aura_engine {
    pub(crate) engine: aura::Engine,
    /// The export that panicked, once one has.
    pub(crate) poison: OnceLock<&'static str>,
    _live: Live,
}

/// Where an engine keeps what it records.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_storage {
    /// In a SQLite file, which is made if it is absent.
    Sqlite = 0,
    /// In memory, gone when the engine is freed.
    Memory = 1,
}

impl aura_storage {
    fn read(number: u32) -> Result<Self> {
        match number {
            0 => Ok(Self::Sqlite),
            1 => Ok(Self::Memory),
            _ => Err(inbound::unknown("options.storage", number)),
        }
    }
}

/// What a write that has returned survives.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_durability {
    /// The death of the process and the loss of power.
    Full = 0,
    /// The death of the process.
    Normal = 1,
}

impl aura_durability {
    fn read(number: u32) -> Result<Durability> {
        match number {
            0 => Ok(Durability::Full),
            1 => Ok(Durability::Normal),
            _ => Err(inbound::unknown("options.durability", number)),
        }
    }
}

/// Options of `aura_engine_open`. Fill with `aura_engine_options_init`, then change what you need; 0 is the default.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_engine_options {
    /// sizeof(aura_engine_options) as the caller was compiled with it; set by `aura_engine_options_init`.
    pub struct_size: usize,
    /// An `aura_storage`.
    pub storage: u32,
    /// An `aura_durability`; of no effect in memory.
    pub durability: u32,
    /// Language of most sessions, by its ISO 639-1 code, for stemming and stop words; empty is `en`, and `und` none.
    pub language: aura_str,
    /// What counts tokens: `o200k_base`, `cl100k_base` or `chars/4`; empty is `o200k_base`.
    pub token_counter: aura_str,
    /// How many bytes of turns are kept in memory for reading, over all sessions; 0 is the engine's own choice.
    pub body_cache_bytes: u64,
    /// How many sessions are kept ready in memory; 0 is the engine's own choice.
    pub sessions: u64,
}

// SAFETY: C's layout, the size first, and all zeroes are its defaults.
unsafe impl Growing for aura_engine_options {
    const PARAMETER: &'static str = "options";
}

/// Writes the defaults to `options`.
/// @param struct_size sizeof(aura_engine_options)
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_engine_options_init(
    options: *mut aura_engine_options,
    struct_size: usize,
) -> aura_status {
    // SAFETY: `options` is as the header asks.
    aura_status::from(unsafe { growing::init(options, struct_size) })
}

/// Opens an engine; close it with `aura_engine_close` and free it with `aura_engine_free`.
/// @param path the SQLite file, in UTF-8; empty for an engine in memory.
/// @param path_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param options NULL for the defaults.
/// @param[out] out the engine.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_engine_open(
    path: *const c_char,
    path_len: usize,
    options: *const aura_engine_options,
    out: *mut Option<repr_c::Box<aura_engine>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: `path`, `options` and `out` are as the header asks.
        let (path, options, out) = unsafe {
            let out: Slot<aura_engine> = Slot::required(out)?;
            let path = inbound::optional("path", path.cast(), path_len)?;
            (path, growing::read(options)?, out)
        };
        // SAFETY: the texts of `options` are as the header asks.
        let parts = unsafe { parts(&options) }?;
        out.fill(aura_engine {
            engine: open(path, &options, parts)?,
            poison: OnceLock::new(),
            _live: Live::new(aura_kind::Engine),
        });
        Ok(())
    })
}

/// What the engine is made of beside its store.
///
/// # Errors
/// `Invalid` naming the field.
///
/// # Safety
/// The texts of `options` are as [`inbound::text`] asks.
unsafe fn parts(options: &aura_engine_options) -> Result<EngineOptions> {
    // SAFETY: passed on to the caller.
    let (language, counter) = unsafe {
        (
            options.language.read("options.language")?,
            options.token_counter.read("options.token_counter")?,
        )
    };
    let mut parts = EngineOptions {
        body_cache_bytes: usize::try_from(options.body_cache_bytes).unwrap_or(usize::MAX),
        sessions: usize::try_from(options.sessions).unwrap_or(usize::MAX),
        ..EngineOptions::default()
    };
    if let Some(code) = language {
        let language = Language::from_code(code).ok_or_else(|| {
            inbound::invalid("options.language", "is no language that can be stemmed")
        })?;
        let analyzer = Analyzer::new(AnalyzerOptions {
            language,
            ..AnalyzerOptions::default()
        });
        parts.lexical = Some(Arc::new(Bm25Backend::new(analyzer)));
    }
    if let Some(name) = counter {
        let counter = BuiltinCounter::from_name(name)
            .ok_or_else(|| inbound::invalid("options.token_counter", "is no built-in counter"))?;
        parts.counter = Some(Arc::new(counter));
    }
    Ok(parts)
}

fn open(
    path: Option<&str>,
    options: &aura_engine_options,
    parts: EngineOptions,
) -> Result<aura::Engine> {
    let durability = aura_durability::read(options.durability)?;
    match (aura_storage::read(options.storage)?, path) {
        (aura_storage::Sqlite, Some(path)) => aura::open_with(
            path,
            OpenOptions {
                durability,
                engine: parts,
            },
        ),
        (aura_storage::Sqlite, None) => Err(inbound::invalid("path", "is empty")),
        (aura_storage::Memory, None) => aura::in_memory_with(parts),
        (aura_storage::Memory, Some(_)) => Err(inbound::invalid(
            "path",
            "must be empty for an engine in memory",
        )),
    }
}

/// Waits until the work in the background is done (facts taken from recorded turns).
/// @param timeout_ms how long to wait at most; then `AURA_STATUS_BUSY`.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_engine_flush(
    engine: Option<&aura_engine>,
    timeout_ms: u64,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        engine.flush(Duration::from_millis(timeout_ms))
    })
}

/// Refuses new calls with `AURA_STATUS_CLOSED` and waits for those that run; closing again succeeds. What the engine
/// has given out stays valid, and the engine still has to be freed.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_engine_close(
    engine: Option<&aura_engine>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, aura::Engine::close)
}

/// Frees an engine, open or closed; NULL is allowed. No other call may be running on it.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_engine_free(engine: Option<repr_c::Box<aura_engine>>) {
    drop(engine);
}
