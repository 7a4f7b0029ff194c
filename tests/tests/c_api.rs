//! The programs of `bindings/c`: built by plain `cc` under the sanitizers, and by CMake as a package.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

// The library must be built before it is linked.
use aura_ffi as _;
use aura_tests::c;

fn binding(name: &str) -> PathBuf {
    c::root().join("bindings/c").join(name)
}

/// Compiles a program and links it as a user would: header and library by their paths.
fn build(folder: &Path, source: &Path, options: &[&str]) -> PathBuf {
    let is_cpp = source.extension().is_some_and(|ending| ending == "cpp");
    let standard = if is_cpp { "-std=c++11" } else { "-std=c99" };
    c::lay_out(folder);
    let program = folder.join("program");
    c::must(
        c::compiler(source)
            .arg(standard)
            .args(c::WARNINGS)
            .args(options)
            .arg("-I")
            .arg(c::root().join("include"))
            .arg(source)
            .arg("-L")
            .arg(folder)
            .args(["-laura", "-pthread"])
            .arg(format!("-Wl,-rpath,{}", folder.display()))
            .arg("-o")
            .arg(&program),
    );
    program
}

/// Builds a program under the sanitizers, tells it an empty folder, and gives what it printed.
fn sanitized(name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), &binding(name), &c::SANITIZERS);
    let leaks = u8::from(c::leaks_are_seen());
    let mut command = Command::new(program);
    command.env("ASAN_OPTIONS", format!("detect_leaks={leaks}"));
    command.env("UBSAN_OPTIONS", "print_stacktrace=1");
    if name == "tests/lifecycle.c" || name == "tests/cpp.cpp" {
        command.arg(folder.path());
    }
    c::must(&mut command)
}

#[test]
fn arguments() {
    sanitized("tests/arguments.c");
}

#[test]
fn lifecycle() {
    sanitized("tests/lifecycle.c");
}

#[test]
fn sessions() {
    sanitized("tests/sessions.c");
}

#[test]
fn contexts() {
    sanitized("tests/contexts.c");
}

#[test]
fn threads() {
    sanitized("tests/threads.c");
}

#[test]
fn cpp() {
    sanitized("tests/cpp.cpp");
}

/// An example answers the question it asks, within its budget, and says why.
fn answers(printed: &str) {
    let wanted = [
        "Berlin",
        "Miso",
        "Nori",
        "Where do I live now",
        "tokens of a budget of 600",
        "stands in the context",
    ];
    for wanted in wanted {
        assert!(printed.contains(wanted), "{wanted} is missing:\n{printed}");
    }
}

#[test]
fn example_in_c() {
    answers(&sanitized("examples/example.c"));
}

#[test]
fn example_in_cpp() {
    answers(&sanitized("examples/example.cpp"));
}

/// The sanitizers see through the library: its memory is watched too.
#[test]
fn a_fault_does_not_pass_the_sanitizers() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("fault.c");
    let text = "#include \"aura.h\"\nint main(void) {\n  aura_policy *policy = NULL;\n  \
                aura_policy_new(NULL, 0, &policy, NULL);\n  aura_policy_free(policy);\n  \
                aura_policy_free(policy);\n  return 0;\n}\n";
    std::fs::write(&source, text).unwrap();
    let program = build(folder.path(), &source, &c::SANITIZERS);
    let output = c::run(&mut Command::new(program));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("AddressSanitizer"),
        "{said}"
    );
}

#[test]
fn the_library_prints_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), &binding("tests/lifecycle.c"), &[]);
    let mut command = Command::new(program);
    let output = c::run(command.arg(folder.path()).env("RUST_BACKTRACE", "1"));
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "", "a caught panic is silent");
}

fn cmake(source: &Path, build: &Path, settings: &[String]) {
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(source).arg("-B").arg(build);
    c::must(configure.arg("-DCMAKE_BUILD_TYPE=Debug").args(settings));
    c::must(Command::new("cmake").arg("--build").arg(build));
}

#[test]
fn the_package_is_built_tested_installed_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let build = folder.path().join("build");
    let settings = [
        format!("-DAURA_LIBRARY_DIR={}", c::built().display()),
        "-DCMAKE_INSTALL_LIBDIR=lib".to_owned(),
    ];
    cmake(&binding(""), &build, &settings);
    let mut tests = Command::new("ctest");
    c::must(tests.arg("--output-on-failure").current_dir(&build));
    let prefix = folder.path().join("installed");
    let mut install = Command::new("cmake");
    c::must(
        install
            .arg("--install")
            .arg(&build)
            .arg("--prefix")
            .arg(&prefix),
    );

    // What is installed is found when it was moved elsewhere, and does not need the build.
    let moved = folder.path().join("moved");
    std::fs::rename(&prefix, &moved).unwrap();
    std::fs::remove_dir_all(&build).unwrap();
    let package = format!("-DCMAKE_PREFIX_PATH={}", moved.display());
    let header = format!("-DAURA_INCLUDE_DIR={}", moved.join("include").display());
    let library = moved.join("lib").join(link_name());
    let roads = [
        vec![package.clone()],
        vec![package, "-DAURA_LINK_STATIC=ON".to_owned()],
        vec![header, format!("-DAURA_LIBRARY={}", library.display())],
    ];
    for (number, settings) in roads.iter().enumerate() {
        let user = folder.path().join(format!("user{number}"));
        cmake(&binding("examples"), &user, settings);
        for program in ["example", "example_cpp"] {
            answers(&c::must(&mut Command::new(user.join(program))));
        }
    }
    by_pkg_config(folder.path(), &moved);
}

fn link_name() -> &'static str {
    if cfg!(target_os = "macos") {
        "libaura.dylib"
    } else {
        "libaura.so"
    }
}

/// By `pkg-config`, where the system has it: nothing else here needs it.
fn by_pkg_config(folder: &Path, prefix: &Path) {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let Ok(output) = command.args(["--cflags", "--libs", "aura"]).output() else {
        c::announce("NO pkg-config HERE: aura.pc WAS NOT TRIED");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let flags = String::from_utf8(output.stdout).unwrap();
    let source = binding("examples/example.c");
    let program = folder.join("by_pkg_config");
    c::must(
        c::compiler(&source)
            .arg(&source)
            .args(flags.split_whitespace())
            .arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()))
            .arg("-o")
            .arg(&program),
    );
    answers(&c::must(&mut Command::new(program)));
}

/// The programs of the README, by their language.
fn shown(language: &str) -> String {
    let text = std::fs::read_to_string(binding("README.md")).unwrap();
    let (_, begun) = text.split_once(&format!("```{language}\n")).unwrap();
    begun.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_programs_of_the_readme_run() {
    for (language, name, wanted) in [
        ("c", "readme.c", "Where do I live?"),
        ("cpp", "readme.cpp", "user: Where do I live?"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join(name);
        std::fs::write(&source, shown(language)).unwrap();
        let program = build(folder.path(), &source, &c::SANITIZERS);
        let printed = c::must(Command::new(program).current_dir(folder.path()));
        assert!(printed.contains(wanted), "{printed}");
        assert!(printed.contains("I just moved to Berlin."), "{printed}");
    }
}
