//! The tests of the C binding: built by CMake against the library, under the address and
//! undefined-behaviour sanitizers, and run by CTest.

use anyhow::Result;

use crate::tally::Tally;
use crate::{process, tools};

/// Builds `aura-ffi`, then configures, builds and runs what stands in `bindings/c`.
pub(crate) fn run(tally: &mut Tally) -> Result<()> {
    let source = process::root().join("bindings/c");
    if !source.join("CMakeLists.txt").exists() {
        println!("== bindings/c HAS NO CMakeLists.txt: NO C TEST RAN ==");
        return Ok(());
    }
    tools::require(&[tools::CC, tools::CXX, tools::CMAKE, tools::MAKE])?;
    process::run(process::cargo().args(["build", "--package", "aura-ffi"]))?;
    let target = process::target_dir()?;
    let build = target.join("c-tests");
    process::run(
        process::command("cmake")
            .arg("-S")
            .arg(&source)
            .arg("-B")
            .arg(&build)
            .args(["-DCMAKE_BUILD_TYPE=Debug", "-DAURA_SANITIZE=ON"])
            .arg(format!(
                "-DAURA_LIBRARY_DIR={}",
                target.join("debug").display()
            )),
    )?;
    process::run(process::command("cmake").arg("--build").arg(&build))?;
    let failed_before = tally.failed;
    let status = process::tee(
        process::command("ctest")
            .arg("--test-dir")
            .arg(&build)
            .arg("--output-on-failure"),
        |line| tally.see_ctest(line),
    )?;
    if !status.success() && tally.failed == failed_before {
        tally.failed += 1;
    }
    Ok(())
}
