//! One version for everything, and few features.

use super::Problem;
use super::members::Members;
use super::tree::Tree;

/// Features of the facade, `default` apart.
const FEATURES: usize = 8;

const FACADE: &str = "aura";

const HEADER: &str = "include/aura.h";

const CMAKE: &str = "bindings/c/CMakeLists.txt";

const GO: &str = "bindings/go/go.mod";

/// The copy of the header that the Go module carries, for a module holds nothing above its own folder.
const GO_HEADER: &str = "bindings/go/include/aura.h";

const JAVA: &str = "bindings/java/pom.xml";

const NODE: &str = "bindings/node/package.json";

/// Members, header and CMake project bear the workspace's version; the facade has few features.
pub(super) fn check(tree: &Tree, members: &Members) -> Vec<Problem> {
    let Some(version) = workspace_version(tree.text("Cargo.toml")) else {
        let what = "no [workspace.package] version";
        return vec![Problem::new("Cargo.toml", 1, "version", what)];
    };
    let mut found = of_members(tree, members, &version);
    found.extend(of_header(tree.text(HEADER), &version));
    found.extend(of_cmake(tree.text(CMAKE), &version));
    found.extend(of_go(tree, &version));
    found.extend(of_java(tree.text(JAVA), &version));
    found.extend(of_node(tree.text(NODE), &version));
    found.extend(features(members));
    found
}

fn workspace_version(manifest: &str) -> Option<String> {
    let manifest: toml::Table = manifest.parse().ok()?;
    let package = manifest.get("workspace")?.get("package")?;
    Some(package.get("version")?.as_str()?.to_owned())
}

fn of_members(tree: &Tree, members: &Members, version: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    for package in &members.packages {
        let manifest = package.manifest();
        if package.version != version || !tree.text(&manifest).contains("version.workspace = true")
        {
            let what = format!(
                "version {}: write `version.workspace = true`",
                package.version
            );
            found.push(Problem::new(&manifest, 1, "version", what));
        }
    }
    found
}

/// Every `#define AURA_VERSION…` agrees with the version or its part.
fn of_header(header: &str, version: &str) -> Vec<Problem> {
    let mut parts = version.split(['.', '-', '+']);
    let (major, minor, patch) = (parts.next(), parts.next(), parts.next());
    let mut found = Vec::new();
    for (number, line) in header.lines().enumerate() {
        let mut words = line.split_whitespace();
        if words.next() != Some("#define") {
            continue;
        }
        let wanted = match words.next() {
            Some("AURA_VERSION") => Some(version),
            Some("AURA_VERSION_MAJOR") => major,
            Some("AURA_VERSION_MINOR") => minor,
            Some("AURA_VERSION_PATCH") => patch,
            _ => continue,
        };
        let value = words.next().map(|value| value.trim_matches('"'));
        if value != wanted {
            let what = format!("the workspace is at {version}: run `cargo xtask gen`");
            found.push(Problem::new(HEADER, number + 1, "version", what));
        }
    }
    found
}

/// `project(… VERSION x …)`, where CMake is told a version at all.
fn of_cmake(text: &str, version: &str) -> Option<Problem> {
    let (before, project) = text.split_once("project(")?;
    let (inside, _) = project.split_once(')')?;
    let mut words = inside
        .split_whitespace()
        .skip_while(|word| *word != "VERSION");
    let value = words.nth(1)?;
    let line = before.lines().count() + 1;
    let what = format!("version {value}, but the workspace is at {version}");
    // A version that CMake computes is a reference to a variable.
    let differs = value != version && !value.starts_with("${");
    differs.then(|| Problem::new(CMAKE, line, "version", what))
}

/// The Go module asks for the platforms' modules of its own version, and carries the header.
fn of_go(tree: &Tree, version: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    for (number, line) in tree.text(GO).lines().enumerate() {
        let differs = line.contains("/lib/") && !line.ends_with(&format!(" v{version}"));
        if differs {
            let what = format!("the workspace is at {version}: so is this module");
            found.push(Problem::new(GO, number + 1, "version", what));
        }
    }
    if !tree.text(GO).is_empty() && tree.text(GO_HEADER) != tree.text(HEADER) {
        let what = "is not a copy of include/aura.h: run `cargo xtask gen`";
        found.push(Problem::new(GO_HEADER, 1, "version", what));
    }
    found
}

/// The first version that the project of Maven names is its own.
fn of_java(text: &str, version: &str) -> Option<Problem> {
    if text.is_empty() {
        return None;
    }
    let own = text
        .split_once("<version>")
        .and_then(|(_, rest)| rest.split_once("</version>"))
        .map(|(own, _)| own);
    let what = format!("the workspace is at {version}: so is this project");
    (own != Some(version)).then(|| Problem::new(JAVA, 1, "version", what))
}

/// The package of Node.js and the packages of its platforms.
fn of_node(text: &str, version: &str) -> Option<Problem> {
    if text.is_empty() {
        return None;
    }
    let manifest: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let platforms = manifest
        .get("optionalDependencies")
        .and_then(|found| found.as_object());
    let platforms = platforms.into_iter().flatten().map(|(_, value)| value);
    let differs = manifest
        .get("version")
        .into_iter()
        .chain(platforms)
        .any(|value| value.as_str() != Some(version));
    let what =
        format!("the workspace is at {version}: so are this package and its optionalDependencies");
    (differs || manifest.get("version").is_none()).then(|| Problem::new(NODE, 1, "version", what))
}

fn features(members: &Members) -> Option<Problem> {
    let facade = members
        .packages
        .iter()
        .find(|package| package.name == FACADE)?;
    let count = facade.features.len();
    let what = format!("{count} features, over {FEATURES}: join some, or make one the rule");
    (count > FEATURES).then(|| Problem::new(&facade.manifest(), 1, "features", what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::members::Package;

    const WORKSPACE: &str = "[workspace.package]\nversion = \"1.2.3\"\n";

    fn rules(files: &[(&str, &str)], package: Package) -> Vec<&'static str> {
        let mut files = files.to_vec();
        files.push(("Cargo.toml", WORKSPACE));
        let members = Members {
            packages: vec![package],
        };
        let found = check(&Tree::of(&files), &members);
        found.iter().map(|problem| problem.rule).collect()
    }

    fn package(version: &str, features: usize) -> Package {
        Package {
            name: "aura".into(),
            version: version.into(),
            folder: "crates/aura".into(),
            features: (0..features).map(|n| n.to_string()).collect(),
            ..Package::default()
        }
    }

    const MANIFEST: (&str, &str) = ("crates/aura/Cargo.toml", "version.workspace = true\n");

    #[test]
    fn members_share_the_version() {
        assert_eq!(rules(&[MANIFEST], package("1.2.3", 8)), [""; 0]);
        assert_eq!(rules(&[MANIFEST], package("1.2.4", 8)), ["version"]);
        let own = ("crates/aura/Cargo.toml", "version = \"1.2.3\"\n");
        assert_eq!(rules(&[own], package("1.2.3", 8)), ["version"]);
    }

    #[test]
    fn features_are_few() {
        assert_eq!(rules(&[MANIFEST], package("1.2.3", 9)), ["features"]);
    }

    #[test]
    fn the_module_of_go_agrees() {
        let of = |module: &str, copy: &str| {
            let files = [MANIFEST, (GO, module), (GO_HEADER, copy), (HEADER, "a\n")];
            rules(&files, package("1.2.3", 0))
        };
        let good = "module x\n\nrequire x/lib/linux-amd64 v1.2.3\n";
        assert_eq!(of(good, "a\n"), [""; 0]);
        assert_eq!(of(&good.replace("1.2.3", "1.2.4"), "a\n"), ["version"]);
        assert_eq!(of(good, "b\n"), ["version"]);
    }

    #[test]
    fn the_project_of_java_agrees() {
        let of = |text: &str| rules(&[MANIFEST, (JAVA, text)], package("1.2.3", 0));
        assert_eq!(of("<version>1.2.3</version><version>9</version>"), [""; 0]);
        assert_eq!(of("<version>9</version>"), ["version"]);
    }

    #[test]
    fn the_package_of_node_agrees() {
        let of = |text: &str| rules(&[MANIFEST, (NODE, text)], package("1.2.3", 0));
        let good =
            r#"{"version":"1.2.3","optionalDependencies":{"@libaura/linux-x64-gnu":"1.2.3"}}"#;
        assert_eq!(of(good), [""; 0]);
        assert_eq!(of(&good.replacen("1.2.3", "1.2.4", 1)), ["version"]);
        assert_eq!(
            of(&good.replace("gnu\":\"1.2.3", "gnu\":\"1.2.2")),
            ["version"]
        );
        assert_eq!(of("{}"), ["version"]);
    }

    #[test]
    fn header_and_cmake_agree() {
        let of = |header: &str, cmake: &str| {
            let files = [MANIFEST, (HEADER, header), (CMAKE, cmake)];
            rules(&files, package("1.2.3", 0))
        };
        let good = "#define AURA_VERSION \"1.2.3\"\n#define AURA_VERSION_MINOR 2\n";
        assert_eq!(of(good, "project(aura VERSION 1.2.3 LANGUAGES C)"), [""; 0]);
        assert_eq!(of("#define AURA_VERSION \"1.2.0\"\n", ""), ["version"]);
        assert_eq!(of("#define AURA_VERSION_PATCH 4\n", ""), ["version"]);
        assert_eq!(
            of(good, "project(aura VERSION 1.0.0 LANGUAGES C)"),
            ["version"]
        );
    }
}
