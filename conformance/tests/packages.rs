//! Checks the packages: the changelog, one version everywhere, manifests that registries accept, licences and duplicates of
//! dependencies, and the promise that bits change only where the changelog says so.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quadrille_jit::env;
use serde_json::Value;
use toml::Table;

/// Headings of changes in the changelog.
const KINDS: [&str; 7] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Bits"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn table(path: &str) -> Table {
    read(path).parse().unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Numbers of a version.
fn numbers(version: &str) -> [u32; 3] {
    let numbers: Vec<u32> =
        version.split('.').map(|n| n.parse().unwrap_or_else(|_| panic!("{version}"))).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{version} has other than three numbers"))
}

/// An entry of the changelog: its version (`None`: unreleased), and its lines by heading.
struct Entry {
    version: Option<String>,
    changes: BTreeMap<String, Vec<String>>,
}

/// Parses the entries of a changelog, or returns its first mistake.
fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let mut found: Vec<Entry> = Vec::new();
    let mut kind: Option<String> = None;
    if !text.starts_with("# Changelog\n") {
        return Err("the first line is not `# Changelog`".into());
    }
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## [") {
            let (version, date) = title.split_once(']').ok_or_else(|| format!("`{line}` lacks `]`"))?;
            kind = None;
            let changes = BTreeMap::new();
            if version == "Unreleased" && date.is_empty() && found.is_empty() {
                found.push(Entry { version: None, changes });
                continue;
            }
            let date = date.strip_prefix(" - ").ok_or_else(|| format!("`{line}` lacks a date"))?;
            let shape: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            if shape != "0000-00-00" {
                return Err(format!("`{date}` is not a date like 2026-01-31"));
            }
            let newer = found.last().and_then(|entry| entry.version.as_deref());
            if newer.is_some_and(|newer| numbers(newer) <= numbers(version)) {
                return Err(format!("{version} is not older than the entry before it"));
            }
            found.push(Entry { version: Some(version.into()), changes });
        } else if let Some(name) = line.strip_prefix("### ") {
            let entry = found.last_mut().ok_or_else(|| format!("`{line}` is outside of an entry"))?;
            if !KINDS.contains(&name) || entry.changes.contains_key(name) {
                return Err(format!("`{line}` is unknown, or given twice"));
            }
            entry.changes.insert(name.into(), Vec::new());
            kind = Some(name.into());
        } else if let (Some(entry), Some(kind), false) = (found.last_mut(), &kind, line.is_empty()) {
            if line.starts_with('[') {
                continue;
            }
            if !line.starts_with("- ") && !line.starts_with("  ") {
                return Err(format!("`{line}` is not an item of a list"));
            }
            entry.changes.entry(kind.clone()).or_default().push(line.into());
        }
    }
    let named = |entry: &Entry| entry.version.clone().unwrap_or_else(|| "Unreleased".into());
    let link = |entry: &&Entry| !text.contains(&format!("\n[{}]: https://", named(entry)));
    found.iter().find(link).map_or(Ok(()), |entry| Err(format!("{} has no link", named(entry))))?;
    Ok(found)
}

#[test]
fn the_changelog_has_an_entry_for_the_version() {
    let entries = entries(&read("CHANGELOG.md")).unwrap();
    assert!(entries[0].version.is_none(), "the first entry is not `Unreleased`");
    let entry = entries.iter().find(|entry| entry.version.as_deref() == Some(VERSION));
    let entry = entry.unwrap_or_else(|| panic!("{VERSION} has no entry"));
    assert!(entry.changes.values().any(|lines| !lines.is_empty()), "{VERSION} has no changes");
}

#[test]
fn mistakes_of_a_changelog_are_found() {
    let good = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n\n### Added\n\n- A thing\n  of two lines.\n\n\
        [Unreleased]: https://a\n[0.2.0]: https://b\n";
    assert_eq!(entries(good).unwrap().len(), 2);
    let wrong = [
        ("# Changelog", "# Changes", "first line"),
        (" - 2026-11-23", "", "lacks a date"),
        ("2026-11-23", "today", "is not a date"),
        ("### Added", "### Other", "unknown"),
        ("- A thing", "A thing", "item of a list"),
        ("[0.2.0]: https://b", "", "0.2.0 has no link"),
        ("## [Unreleased]", "## [0.1.0] - 2026-01-01", "is not older"),
    ];
    for (from, to, message) in wrong {
        let error = entries(&good.replace(from, to)).err().unwrap_or_else(|| panic!("{to} is accepted"));
        assert!(error.contains(message), "{error}");
    }
}

/// Crates that are on no registry: this one, and the extension of Python.
const UNPUBLISHED: [&str; 2] = ["conformance", "emulator/python"];

/// Published crates of the workspace.
fn published() -> Vec<String> {
    let members = table("Cargo.toml")["workspace"]["members"].clone();
    let members = members.as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned());
    members.filter(|folder| !UNPUBLISHED.contains(&&**folder)).collect()
}

#[test]
fn all_packages_have_one_version() {
    let workspace = table("Cargo.toml");
    let required = workspace["workspace"]["dependencies"].as_table().unwrap();
    let ours = required.iter().filter(|(name, _)| name.starts_with("quadrille"));
    for (name, requirement) in ours {
        assert_eq!(requirement["version"].as_str(), Some(&*format!("={VERSION}")), "{name} in Cargo.toml");
    }
    for path in ["emulator/npm/package.json", "emulator/npm/package-lock.json"] {
        let json: Value = serde_json::from_str(&read(path)).unwrap();
        assert_eq!(json["version"].as_str(), Some(VERSION), "{path}");
    }
    let recipe = read("packaging/conda/recipe.yaml");
    assert!(recipe.contains(&format!("version: \"{VERSION}\"")), "packaging/conda/recipe.yaml");
}

/// Separate workspaces have lock files of their own, which must know what our crates depend on. Crates that were never
/// downloaded here are another error, which may hide this one.
#[test]
fn lock_files_of_other_workspaces_are_current() {
    for workspace in ["conformance/clients", "conformance/fuzz", "conformance/loom"] {
        let manifest = root().join(workspace).join("Cargo.toml");
        let mut cargo = cargo();
        cargo
            .args(["metadata", "--locked", "--offline", "--format-version=1", "--manifest-path"])
            .arg(manifest);
        let output = cargo.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("lock file"), "run cargo in {workspace}: {said}");
    }
}

#[test]
fn manifests_are_complete() {
    for folder in published() {
        let manifest = table(&format!("{folder}/Cargo.toml"));
        let package = manifest["package"].as_table().unwrap();
        for key in [
            "version",
            "edition",
            "rust-version",
            "license",
            "repository",
            "keywords",
            "categories",
            "include",
        ] {
            let inherited = package.get(key).and_then(|value| value.get("workspace"));
            assert_eq!(inherited.and_then(toml::Value::as_bool), Some(true), "{folder}: {key}");
        }
        assert!(!package.contains_key("publish"), "{folder} is not published");
        let description = package["description"].as_str().unwrap();
        assert!((10..200).contains(&description.len()), "{folder}: {description}");
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert_eq!(read(&format!("{folder}/{name}")), read(name), "{folder}: {name}");
        }
    }
    for folder in ["emulator/npm", "emulator/python"] {
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert_eq!(read(&format!("{folder}/{name}")), read(name), "{folder}: {name}");
        }
    }
    let workspace = table("Cargo.toml");
    let shared = workspace["workspace"]["package"].as_table().unwrap();
    let words = |key: &str| shared[key].as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned());
    // Limits of crates.io.
    assert!(words("keywords").count() <= 5 && words("keywords").all(|word| word.len() <= 20));
    assert!(words("categories").count() <= 5);
}

/// The cargo that runs this test.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `cargo metadata` of the workspace.
fn metadata() -> Value {
    let mut cargo = cargo();
    cargo.args(["metadata", "--locked", "--offline", "--format-version", "1"]);
    let out =
        cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]).current_dir(root()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// Packages that cargo compiles for the selected members of the workspace, with their features.
fn compiled(members: &[&str], edges: &str) -> BTreeSet<String> {
    let mut cargo = cargo();
    cargo.args(["tree", "--locked", "--offline", "--prefix", "none", "--no-dedupe"]).args(members);
    cargo.args(["--format", "{p} [{f}]", "--edges", edges]);
    let out = cargo.current_dir(root()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Actions by others are pinned by the hash of a commit, which nobody can move.
#[test]
fn actions_are_pinned() {
    let mut used = 0;
    for entry in fs::read_dir(root().join(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for action in
            text.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("uses: "))
        {
            used += 1;
            let version = action.split_once('@').map_or("", |(_, version)| version);
            let hash = version.split(' ').next().unwrap();
            let pinned = hash.len() == 40 && hash.bytes().all(|b| b.is_ascii_hexdigit());
            assert!(pinned || action.starts_with("./"), "{}: {action} is not pinned", path.display());
        }
    }
    assert!(used > 10, "{used} actions are used");
}

/// Most crates by others that a user of the library without features compiles.
const CRATES: usize = 60;

#[test]
fn the_library_stays_small() {
    let all = compiled(&["--package", "quadrille"], "normal");
    let (ours, others): (Vec<_>, Vec<_>) = all.iter().partition(|package| package.starts_with("quadrille"));
    assert!(others.len() <= CRATES, "{} crates: {others:#?}", others.len());
    let page = read("packaging/README.md");
    let told = format!("compiles {} crates by others and {} of ours", others.len(), ours.len());
    assert!(page.contains(&told), "packaging/README.md does not say that the library {told}");
}

/// `cargo run --bin quadrille`, `cargo test` and the Python package share what cargo has built: dependencies of tests enable no
/// features of packages that the command needs.
#[test]
fn tests_and_the_command_share_artifacts() {
    let of = |edges| compiled(&["--workspace"], edges);
    let (command, tests) = (of("normal,build"), of("normal,build,dev"));
    let again: Vec<_> = command.difference(&tests).collect();
    assert!(again.is_empty(), "tests compile these packages with other features: {again:#?}");
}

/// packaging/README.md has the number of crates that a user of the library compiles.
#[test]
fn crates_of_the_library_are_counted() {
    let all = compiled(&["--package", "quadrille"], "normal");
    let (ours, others): (Vec<_>, Vec<_>) = all.iter().partition(|line| line.starts_with("quadrille"));
    let text = format!("compiles {} crates by others and {} of ours", others.len(), ours.len());
    assert!(read("packaging/README.md").contains(&text), "packaging/README.md lacks `{text}`: {others:#?}");
}

/// Files that build the driver for others.
const BUILDS: [&str; 4] = [
    "emulator/npm/build.js",
    "examples/ci/Dockerfile",
    "packaging/conda/recipe.yaml",
    "packaging/release.sh",
];

/// Built by itself, the driver has no C++ front end. Cargo would give it the one of the command if both were built at once.
#[test]
fn the_driver_is_built_by_itself() {
    let crates = compiled(&["--package", "quadrille-vulkan"], "normal");
    let front_end: Vec<_> = crates.iter().filter(|package| package.starts_with("glslang")).collect();
    assert!(front_end.is_empty(), "{front_end:?}");
    for path in BUILDS {
        let text = read(path);
        let names = |command: &&str| command.contains("build") && command.contains("quadrille-vulkan");
        let builds: Vec<_> = text.lines().flat_map(|line| line.split("&&")).filter(names).collect();
        assert!(!builds.is_empty(), "{path} does not build the driver");
        let named = |b: &&str| b.matches(" -p ").count() + b.matches("'-p'").count();
        assert!(builds.iter().all(|b| named(b) == 1), "{path} builds other crates, too: {builds:?}");
    }
}

/// Returns true if the allowed licences satisfy an SPDX expression. Alternatives are `OR` or `/`; `AND` binds more tightly.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let flat = expression.replace(['(', ')'], "");
    // The one form with parentheses is `(A OR B) AND C`.
    if expression.starts_with('(') && expression.contains(") AND ") {
        let (first, rest) = expression[1..].split_once(") AND ").unwrap();
        return is_allowed(first, allowed) && is_allowed(rest, allowed);
    }
    let mut alternatives = flat.split(" OR ").flat_map(|part| part.split('/'));
    alternatives.any(|part| part.split(" AND ").all(|one| allowed.contains(one.trim())))
}

#[test]
fn licences_of_dependencies_are_allowed() {
    let rules = table("deny.toml");
    let allowed: BTreeSet<String> = rules["licenses"]["allow"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l.as_str().unwrap().to_owned())
        .collect();
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let mut used = BTreeSet::new();
    for package in packages {
        let (name, licence) = (&package["name"], package["license"].as_str().unwrap_or_default());
        assert!(
            is_allowed(licence, &allowed),
            "{name} has the licence `{licence}`, which deny.toml does not allow"
        );
        used.extend(allowed.iter().filter(|one| licence.contains(&***one)).cloned());
    }
    assert_eq!(used, allowed, "deny.toml allows licences that no dependency has");
    assert!(is_allowed("(MIT OR GPL-3.0) AND Zlib", &["MIT", "Zlib"].map(str::to_owned).into()));
    assert!(!is_allowed("(MIT OR GPL-3.0) AND Zlib", &["MIT".to_owned()].into()));
    assert!(!is_allowed("MIT AND GPL-3.0", &["MIT".to_owned()].into()));
}

/// Crates that the workspace contains in several versions are rows of deny.toml.
#[test]
fn duplicates_are_known() {
    let rules = table("deny.toml");
    let rows = rules["bans"]["skip"].as_array().unwrap();
    let known: BTreeSet<String> = rows.iter().map(|row| row["crate"].as_str().unwrap().to_owned()).collect();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let metadata = metadata();
    // Packages of other platforms have no node.
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let nodes: BTreeSet<&str> = nodes.iter().map(|node| node["id"].as_str().unwrap()).collect();
    for package in metadata["packages"].as_array().unwrap() {
        if nodes.contains(package["id"].as_str().unwrap()) {
            let [name, version] = ["name", "version"].map(|key| package[key].as_str().unwrap().to_owned());
            versions.entry(name).or_default().insert(version);
        }
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    let older: BTreeSet<String> = several
        .flat_map(|(name, all)| {
            let older = all_but_the_newest(all).into_iter();
            older.map(move |version| format!("{name}@{version}"))
        })
        .collect();
    assert_eq!(older, known, "left: several versions of crates; right: rows of deny.toml");
}

/// Versions of a crate without the newest one. A release is newer than the versions before it, such as `1.0.0-rc.1`.
fn all_but_the_newest(versions: &BTreeSet<String>) -> Vec<&str> {
    let age = |version: &str| {
        let precedence = version.split('+').next().unwrap();
        let (release, before) = precedence.split_once('-').unwrap_or((precedence, ""));
        (numbers(release), before.is_empty(), before.to_owned())
    };
    let mut versions: Vec<&str> = versions.iter().map(String::as_str).collect();
    versions.sort_by_cached_key(|version| age(version));
    versions.pop();
    versions
}

#[test]
fn versions_have_an_order() {
    let older = |versions: &[&str]| {
        let versions = versions.iter().map(|version| version.to_string()).collect();
        all_but_the_newest(&versions).join(" ")
    };
    assert_eq!(older(&["0.10.0", "0.9.2", "0.9.10"]), "0.9.2 0.9.10");
    assert_eq!(older(&["1.0.0", "1.0.0-rc.1", "0.9.10+date.1"]), "0.9.10+date.1 1.0.0-rc.1");
}

/// FNV-1a of a picture's size and texels.
fn digest(path: &Path) -> String {
    let picture = image::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let size = [picture.width(), picture.height()].map(u32::to_le_bytes).concat();
    let bytes = size.iter().chain(picture.as_bytes());
    format!(
        "{:016x}",
        bytes.fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
    )
}

/// Digests of all expected pictures, by path.
fn digests() -> BTreeMap<String, String> {
    fn walk(folder: &Path, of: &str, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap()) {
            let path = format!("{of}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &format!("{path}/"), found);
            } else if path.ends_with(".png") {
                found.insert(path.trim_end_matches(".png").into(), digest(&entry.path()));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&root().join("conformance/goldens"), "", &mut found);
    found
}

/// Returns the pictures of a release that have other bits now, and that no text names in backticks.
fn unnamed(before: &str, now: &BTreeMap<String, String>, named: &str) -> Vec<String> {
    let rows = before.lines().filter_map(|line| line.split_once(' '));
    // A picture that was removed or renamed has no bits to compare.
    let changed = rows.filter(|(digest, name)| now.get(*name).is_some_and(|new| new != digest));
    let changed = changed.filter(|(_, name)| !named.contains(&format!("`{name}`")));
    changed.map(|(_, name)| name.to_owned()).collect()
}

/// Every release has a list of digests of its pictures, in `conformance/releases`; later commits do not change it. Pictures
/// that differ from those of the last release are named in the section `Bits` of a later entry of the changelog.
#[test]
fn bits_change_where_the_changelog_says_so() {
    let now = digests();
    let list = |version: &str| root().join(format!("conformance/releases/{version}.txt"));
    if env::bless() && !list(VERSION).exists() {
        fs::create_dir_all(list(VERSION).parent().unwrap()).unwrap();
        let rows: String = now.iter().map(|(name, digest)| format!("{digest} {name}\n")).collect();
        fs::write(list(VERSION), rows).unwrap();
    }
    let mut named = String::new();
    for entry in entries(&read("CHANGELOG.md")).unwrap() {
        // A version without a list is not released yet.
        let Some(version) = entry.version.filter(|v| v != VERSION || list(v).exists()) else {
            named += &entry.changes.get("Bits").map(|lines| lines.join("\n")).unwrap_or_default();
            continue;
        };
        let before =
            fs::read_to_string(list(&version)).unwrap_or_else(|e| panic!("pictures of {version}: {e}"));
        assert!(before.lines().count() > 400, "{version} has few pictures");
        let changed = unnamed(&before, &now, &named);
        assert!(
            changed.is_empty(),
            "since {version} these changed, and the changelog has no row: {changed:#?}"
        );
        return;
    }
    panic!("no release has a list of its pictures");
}

#[test]
fn changed_pictures_are_found() {
    let now = [("a", "2"), ("b", "1"), ("c", "3")]
        .map(|(name, digest)| (name.to_owned(), digest.to_owned()))
        .into();
    assert_eq!(unnamed("1 a\n1 b\n1 c\n1 gone\n", &now, "- Sampling: `c`"), ["a"]);
}
