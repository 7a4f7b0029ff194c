//! Gives the shared library the name by which programs ask for it at run time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    let argument = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos" | "ios") => format!("-Wl,-install_name,@rpath/libaura.{major}.dylib"),
        Ok("windows") => return,
        _ => format!("-Wl,-soname,libaura.so.{major}"),
    };
    println!("cargo::rustc-cdylib-link-arg={argument}");
}
