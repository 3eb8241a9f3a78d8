//! Checks the documents against the repository. The links, paths, commands and variables that they name must exist, and
//! the tables between `<!-- derived: NAME -->` and `<!-- end -->` must match the code (`QUADRILLE_BLESS=1` writes them
//! anew).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quadrille_jit::env;

/// Documents whose paths are relative to the repository's root.
const PAGES: [&str; 4] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "PORTING.md", "SECURITY.md"];
/// Folders of the crates.
const CRATES: [&str; 16] = [
    "jit",
    "jit/wide",
    "raster",
    "raster/rays",
    "emulator",
    "emulator/amber",
    "emulator/check",
    "emulator/cli",
    "emulator/debug",
    "emulator/languages",
    "emulator/profile",
    "emulator/python",
    "emulator/scene",
    "emulator/suite",
    "emulator/vulkan",
    "conformance",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Files of the repository with one of these name endings, as sorted paths from its root.
fn files(ends: &[&str]) -> Vec<String> {
    fn walk(folder: &Path, of: &str, ends: &[&str], found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap()) {
            let name = entry.file_name().into_string().unwrap();
            let path = format!("{of}{name}");
            // Hidden folders, build folders and output of fuzzers are not part of the repository.
            let other = name.starts_with('.')
                || ["target", "corpus", "artifacts", "out", "node_modules"].contains(&&*name);
            if entry.file_type().unwrap().is_dir() {
                if !other {
                    walk(&entry.path(), &format!("{path}/"), ends, found);
                }
            } else if ends.iter().any(|end| name.ends_with(end)) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), "", ends, &mut found);
    found.sort();
    found
}

/// Returns the texts in backticks, and the lines of code blocks.
fn code(text: &str) -> Vec<String> {
    let (mut inside, mut found, mut prose) = (false, Vec::new(), String::new());
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            found.push(line.trim().to_owned());
        } else {
            prose += line;
            prose.push('\n');
        }
    }
    found.extend(prose.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")));
    found
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in files(&[".md"]) {
        let folder = root().join(&page).parent().unwrap().to_owned();
        for link in read(&page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap();
            if !target.is_empty() && !target.contains("://") && !folder.join(target).exists() {
                wrong.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(wrong.is_empty(), "no such file:\n{}", wrong.join("\n"));
}

/// Rows of the README's table of coverage, each the sum of rows of COVERAGE.md.
const COVERAGE: [(&str, &[&str]); 19] = [
    ("instructions of SPIR-V 1.4", &["spirv_instructions.csv"]),
    ("later and extension instructions", &["spirv_instructions_not_in_seed.csv"]),
    ("GLSL.std.450", &["glsl_std_450.csv"]),
    ("OpenCL.std", &["opencl_std.csv"]),
    ("capabilities", &["spirv_capabilities.csv"]),
    ("decorations", &["spirv_decorations.csv"]),
    ("built-in variables", &["spirv_builtins.csv"]),
    ("execution modes", &["spirv_execution_modes.csv"]),
    ("storage classes", &["spirv_storage_classes.csv"]),
    ("image formats", &["spirv_image_formats.csv"]),
    ("image operands", &["spirv_image_operands.csv"]),
    ("dimensions of images", &["spirv_dims.csv"]),
    ("other enumerants", &["spirv_enums_other.csv"]),
    ("instructions, by type (width, signedness, vector size)", &["instructions by type"]),
    ("functions of GLSL, by signature", &["glsl_builtin_functions.csv, by signature"]),
    ("variables and constants of GLSL, by stage", &["glsl_builtin_variables.csv, by stage"]),
    ("features of the language GLSL", &["glsl_language_features.csv"]),
    (
        "WGSL of January 2021: features; functions and variables",
        &["wgsl_2021_features.csv", "wgsl_2021_builtins.csv"],
    ),
    ("AGSL: features; functions", &["agsl_features.md", "agsl_functions.csv"]),
];

/// The README states the counts of COVERAGE.md.
#[test]
fn counts_of_coverage_agree() {
    let counts = |page: &str, row: &str| -> Vec<u32> {
        let text = read(page);
        let line = text.lines().find(|line| line.starts_with(&format!("| {row} |")));
        let line = line.unwrap_or_else(|| panic!("{page} has no row {row}"));
        let cells = line.split('|').skip(2).map(|cell| cell.trim().replace(',', ""));
        cells.filter(|cell| !cell.is_empty()).map(|cell| cell.parse().unwrap()).collect()
    };
    for (row, of) in COVERAGE {
        let mut sums = vec![0; 3];
        for part in of {
            let part = counts("conformance/COVERAGE.md", part);
            sums.iter_mut().zip(part).for_each(|(sum, n)| *sum += n);
        }
        assert_eq!(counts("README.md", row), sums, "{row}");
    }
}

#[test]
fn paths_exist() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for page in PAGES {
        for span in code(&read(page)) {
            let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c));
            // `FAMILY/NAME.test` is a placeholder.
            let example = span.split(['/', '.']).any(|part| ["FAMILY", "NAME", "FILE"].contains(&part));
            if !plain || example || !span.contains('/') || span.starts_with(['/', '-']) {
                continue;
            }
            seen += 1;
            if !root().join(&span).exists() {
                wrong.push(format!("{page}: {span}"));
            }
        }
    }
    assert!(wrong.is_empty(), "no such file or folder:\n{}", wrong.join("\n"));
    assert!(seen > 80, "{seen} paths were found");
}

/// Output of `quadrille-conformance` for these arguments.
fn help(arguments: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_quadrille-conformance")).args(arguments).output().unwrap();
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Name and description of a package, and the crates of this repository on which it depends.
fn package(folder: &str) -> (String, String, Vec<String>) {
    let manifest = read(&format!("{folder}/Cargo.toml"));
    let value = |key: &str| {
        let line = manifest.lines().find_map(|l| l.strip_prefix(&format!("{key} = ")));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    let uses = manifest.split("\n[dependencies]").nth(1).unwrap_or_default();
    let uses = uses.split("\n[").next().unwrap().lines();
    let uses = uses.filter_map(|l| l.split(['.', ' ']).next().filter(|name| name.starts_with("quadrille")));
    (value("name"), value("description"), uses.map(str::to_owned).collect())
}

/// Source of a test program of a crate.
fn target(folder: &str, name: &str) -> Option<String> {
    let manifest = read(&format!("{folder}/Cargo.toml"));
    let named = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
    let found = named || !manifest.contains("\nautotests = false\n");
    let path = root().join(format!("{folder}/tests/{name}.rs"));
    found.then(|| fs::read_to_string(path).ok()).flatten()
}

/// Number of filters that a command line gives to `cargo test` itself, which takes one.
fn test_filters(words: &[&str]) -> usize {
    let Some(at) = words.windows(2).position(|pair| pair == ["cargo", "test"]) else { return 0 };
    let own = words[at + 2..].iter().take_while(|word| !["--", "|", "&&", ">"].contains(word));
    let mut takes_value = false;
    own.filter(|word| {
        let is_value = std::mem::replace(&mut takes_value, false);
        takes_value =
            ["-p", "--test", "--features", "--exclude", "--bench", "--example", "--profile"].contains(word);
        !is_value && !word.starts_with('-')
    })
    .count()
}

/// Commands of cargo and of our programs in all documents exist.
#[test]
fn commands_exist() {
    let packages: BTreeSet<String> = CRATES.iter().map(|c| package(c).0).collect();
    let proofs = help(&["help"]);
    let command = read("emulator/cli/src/lib.rs");
    let mut helps = BTreeMap::new();
    let (mut seen, mut wrong) = (0, Vec::new());
    for page in files(&[".md"]) {
        for line in code(&read(&page)) {
            let line = line.split(" #").next().unwrap();
            let words: Vec<&str> = line.split_whitespace().collect();
            let mut check = |ok: bool, what: &str| {
                seen += 1;
                if !ok {
                    wrong.push(format!("{page}: {what} in `{line}`"));
                }
            };
            check(test_filters(&words) <= 1, "filters of tests after the first, which stand after `--`,");
            for pair in words.windows(2) {
                let exists = |path: String| root().join(path).is_file();
                match pair {
                    ["-p", name] => check(packages.contains(*name), name),
                    ["--test", name] => {
                        // Files of tests that the words after the name select.
                        let rest = words.iter().skip_while(|w| w != &name);
                        let parts: Vec<&str> = rest.filter_map(|w| w.strip_suffix("::")).collect();
                        let of = |c: &&str| {
                            let modules = target(c, name);
                            modules.is_some_and(|all| {
                                parts.iter().all(|part| all.contains(&format!("\nmod {part};")))
                            })
                        };
                        check(CRATES.iter().any(of), name);
                    }
                    ["--bench", name] => {
                        let of = |path: &&str| exists(format!("conformance/benches/{name}{path}"));
                        check([".rs", "/main.rs"].iter().any(of), name);
                    }
                    ["--example", name] => {
                        let of = |c: &&str| exists(format!("{c}/examples/{name}.rs"));
                        check(exists(format!("examples/{name}.rs")) || CRATES.iter().any(of), name);
                    }
                    ["quadrille", name] if name.chars().all(|c| c.is_ascii_lowercase()) => {
                        check(*name == "help" || command.contains(&format!("mod {name};")), name);
                    }
                    _ => {}
                }
            }
            if words.first() == Some(&"cargo") && words.get(1) != Some(&"run") {
                continue;
            }
            let Some(at) = words.iter().position(|w| *w == "quadrille-conformance") else { continue };
            let rest = words[at + 1..].iter().skip_while(|w| **w != "--" && line.contains(" -- "));
            let mut rest = rest.filter(|w| **w != "--");
            let Some(name) = rest.next().filter(|w| w.chars().all(|c| c.is_ascii_lowercase())) else {
                continue;
            };
            let listed = proofs.lines().any(|l| l.split_whitespace().next() == Some(name));
            check(listed, name);
            if listed && *name != "help" {
                let text = helps.entry(name.to_string()).or_insert_with(|| help(&[name, "--help"]));
                for option in rest.filter_map(|w| w.trim_matches(['[', ']', '.']).strip_prefix("--")) {
                    check(text.contains(&format!("--{option}")), option);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these do not exist:\n{}", wrong.join("\n"));
    assert!(seen > 40, "{seen} commands were found");
}

/// Every name in the style of our environment variables is a row of the tables.
#[test]
fn variables_are_rows() {
    let rows: BTreeSet<&str> = env::VARIABLES.iter().chain(env::TEST_VARIABLES).map(|v| v.name()).collect();
    let mut wrong = BTreeSet::new();
    for path in files(&[".rs", ".md", ".sh", ".toml"]) {
        for rest in read(&path).split("QUADRILLE_").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
            let name = format!("QUADRILLE_{}", rest[..end].trim_end_matches('_'));
            if end > 0 && !rows.contains(&*name) {
                wrong.insert(format!("{path}: {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not in `jit/src/env.rs`: {wrong:#?}");
}

/// Converts documentation to plain Markdown: links to Rust items become code.
fn plain(doc: &str) -> String {
    let mut text = String::new();
    let mut rest = doc;
    while let Some(at) = rest.find("[`") {
        text += &rest[..at];
        let end = rest[at..].find("`]").map_or(rest.len(), |e| at + e);
        let name = &rest[at + 2..end];
        text += &format!("`{}`", name.strip_prefix("crate::").unwrap_or(name));
        rest = rest.get(end + 2..).unwrap_or_default();
        if let Some(target) = rest.strip_prefix('(') {
            rest = target.split_once(')').map_or("", |(_, behind)| behind);
        }
    }
    text + rest
}

/// Returns the first sentence of a module's documentation.
fn first_sentence(path: &str) -> String {
    let text = read(path);
    let doc = text.lines().map_while(|l| l.strip_prefix("//!")).take_while(|l| !l.trim().is_empty());
    let doc = doc.map(str::trim).collect::<Vec<_>>().join(" ");
    let end = doc.find(". ").map_or(doc.len(), |e| e + 1);
    assert!(end > 0, "{path} does not open with what it owns");
    plain(&doc[..end])
}

#[test]
fn all_members_are_described() {
    let manifest = read("Cargo.toml");
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = ")).expect("members");
    let members: BTreeSet<&str> = members.split('"').skip(1).step_by(2).collect();
    assert_eq!(members, BTreeSet::from(CRATES), "Cargo.toml has the members on the left");
}

fn crates() -> String {
    let mut table = "| folder | crate | what it is | uses |\n|---|---|---|---|\n".to_owned();
    for folder in CRATES {
        let (name, description, uses) = package(folder);
        let uses: Vec<String> = uses.iter().map(|u| format!("`{u}`")).collect();
        table += &format!("| `{folder}` | `{name}` | {description} | {} |\n", uses.join(", "));
    }
    table
}

fn folders() -> String {
    let mut table = "| folder | owns |\n|---|---|\n".to_owned();
    for of in CRATES {
        let src = root().join(of).join("src");
        let mut names: Vec<String> = fs::read_dir(&src)
            .unwrap()
            .map(|e| e.unwrap())
            .filter(|e| e.file_type().unwrap().is_dir())
            .map(|e| e.file_name().into_string().unwrap())
            .collect();
        names.sort();
        for name in names {
            let folder = format!("{of}/src/{name}");
            let beside = format!("{folder}.rs");
            let file = if root().join(&beside).is_file() { beside } else { format!("{folder}/mod.rs") };
            if root().join(&file).is_file() {
                table += &format!("| `{folder}` | {} |\n", first_sentence(&file).replace('|', "\\|"));
            }
        }
    }
    table
}

fn test_variables() -> String {
    let rows = env::TEST_VARIABLES.iter();
    let rows = rows.map(|v| format!("| `{}` | {} | {} |\n", v.name(), v.values(), v.meaning()));
    format!("| variable | values | meaning |\n|---|---|---|\n{}", rows.collect::<String>())
}

#[test]
fn tables_are_what_the_code_says() {
    let tables = [("crates", crates()), ("folders", folders()), ("test variables", test_variables())];
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = read(page);
        let mut new = String::new();
        let mut rest = &*text;
        while let Some((before, behind)) = rest.split_once("<!-- derived: ") {
            let (name, behind) = behind.split_once(" -->\n").expect("a name");
            let (_, behind) = behind.split_once("<!-- end -->").expect("an end");
            let table = tables.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("{page}: {name}"));
            new += &format!("{before}<!-- derived: {name} -->\n{}<!-- end -->", table.1);
            rest = behind;
        }
        new += rest;
        assert!(new.contains("<!-- derived: "), "{page} has no tables");
        if env::bless() && new != text {
            fs::write(root().join(page), &new).unwrap();
        } else {
            assert!(new == text, "{page} does not match the code; QUADRILLE_BLESS=1 writes it anew");
        }
    }
}

/// Collects the crate's modules that the files of a folder (or all other files) name.
fn imports(of: &str, inside: impl Fn(&str) -> bool) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for path in files(&[".rs"]).into_iter().filter(|p| p.starts_with(of) && inside(p)) {
        let text = read(&path);
        let code = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        for rest in code.split("crate::").skip(1) {
            let mut names = vec![rest];
            if let Some(list) = rest.strip_prefix('{') {
                // Lists inside of the list bring more names, which are not modules of the root.
                let end = list.find(';').unwrap_or(list.len());
                names = list[..end].split([',', '{', '}']).map(str::trim).collect();
            }
            for name in names {
                let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
                found.insert((path.clone(), name[..end].to_owned()));
            }
        }
    }
    found
}

/// README has the CPU time of a command, and that of a command in a test, as the sources have them.
#[test]
fn budgets_are_what_the_readme_says() {
    let seconds = |path: &str, before: &str| -> u64 {
        let source = read(path);
        let (_, rest) = source.split_once(before).unwrap_or_else(|| panic!("{path}: {before}"));
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        number.parse().unwrap_or_else(|e| panic!("{path}: {e}"))
    };
    let command = seconds("emulator/src/device.rs", "env::budget().unwrap_or(Duration::from_secs(");
    let test =
        seconds("emulator/src/shader_test/devices.rs", "const BUDGET: Duration = Duration::from_secs(");
    let said = format!("has {command} s of CPU time ({test} s in tests)");
    assert!(read("README.md").contains(&said), "README does not say: {said}");
    let default = format!("default: {command})");
    let book = format!("may use {command} seconds of CPU time");
    assert!(env::BUDGET.meaning.ends_with(&default), "{}", env::BUDGET.meaning);
    assert!(read("book/src/hosts.md").contains(&book), "the book does not say: {book}");
    let of_search = |name: &str| {
        let before = format!("const {name}: Duration = Duration::from_secs(");
        seconds("emulator/cli/src/endless.rs", &before)
    };
    let (again, most) = (of_search("BUDGET"), of_search("PATIENCE"));
    let said = format!("run the command again for {again} s of CPU time at most, and give up after {most} s");
    assert!(read("README.md").contains(&said), "README does not say: {said}");
    let book = format!("for at most {again} seconds of CPU time, and give up after {most} seconds");
    assert!(read("book/src/hosts.md").contains(&book), "the book does not say: {book}");
}

#[test]
fn the_device_knows_no_application() {
    let apps = imports("emulator/src/", |p| !p.starts_with("emulator/src/apps/"));
    let wrong: Vec<_> = apps.iter().filter(|(_, name)| name == "apps").collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A SAFETY comment can be checked on the spot: none refers to another comment.
#[test]
fn reasons_do_not_point_elsewhere() {
    let mut wrong = Vec::new();
    for path in files(&[".rs"]) {
        let text = read(&path);
        for line in text.lines().filter(|l| l.trim_start().starts_with("// SAFETY: as ")) {
            if !line.contains("as the caller") {
                wrong.push(format!("{path}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words that documents and comments must not contain, from the table in CONTRIBUTING.md, section "English".
struct Pattern {
    /// The words. Words with a capital are denied at the beginning of a sentence, others everywhere.
    words: String,
    /// Longer phrases that contain the words and are allowed.
    allowed: Vec<String>,
}

impl Pattern {
    /// Returns true if the sentence contains the words outside of the allowed phrases.
    fn matches(&self, sentence: &str) -> bool {
        let (lower, words) = (sentence.to_ascii_lowercase(), self.words.to_ascii_lowercase());
        let opens = words != self.words;
        let is_allowed = |at: usize| {
            self.allowed.iter().any(|phrase| {
                let start = phrase.find(&words).and_then(|before| at.checked_sub(before));
                start.and_then(|start| lower.get(start..)).is_some_and(|rest| rest.starts_with(&**phrase))
            })
        };
        let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        lower.match_indices(&words).any(|(at, _)| {
            (!opens || sentence.starts_with(&self.words) && at == 0)
                && !inside(lower[..at].chars().next_back())
                && !inside(lower[at + words.len()..].chars().next())
                && !is_allowed(at)
        })
    }
}

/// Reads the denied patterns from the table in CONTRIBUTING.md. The cells of a row: denied, allowed, better words.
fn patterns() -> Vec<Pattern> {
    let text = read("CONTRIBUTING.md");
    let section = text.split("\n## English\n").nth(1).expect("a section \"English\"");
    let section = section.split("\n## ").next().unwrap();
    let spans = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut found = Vec::new();
    for row in section.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        found.extend(spans(cells[1]).into_iter().map(|words| Pattern { words, allowed: spans(cells[2]) }));
    }
    assert!(found.len() > 20, "CONTRIBUTING.md denies only {} patterns", found.len());
    found
}

/// Splits the comments of a Rust file into sentences, each with the number of its first line. Leaves out code blocks,
/// tables and headings.
fn sentences(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    // `open`: the last sentence continues on this line. `last`: marker of the previous line.
    let (mut open, mut in_code, mut last) = (false, false, "");
    for (i, line) in source.lines().enumerate() {
        let line = line.trim_start();
        let marker = ["///", "//!", "//"].into_iter().find(|m| line.starts_with(m)).unwrap_or_default();
        let text = line[marker.len()..].trim();
        let fence = text.starts_with("```");
        in_code = !marker.is_empty() && in_code != fence;
        open &= marker == last;
        last = marker;
        if marker.is_empty() || in_code || fence || text.is_empty() || text.starts_with(['|', '#']) {
            open = false;
            continue;
        }
        let item = ["- ", "* "].iter().find_map(|bullet| text.strip_prefix(bullet));
        open &= item.is_none();
        for word in item.unwrap_or(text).split_whitespace() {
            match found.last_mut().filter(|_| open) {
                Some((_, sentence)) => *sentence += &format!(" {word}"),
                None => found.push((i + 1, word.to_owned())),
            }
            open = !word.trim_end_matches(['"', ')', '`']).ends_with(['.', '!', '?']);
        }
    }
    found
}

/// Lists the sentences of a file's comments that match a pattern. Questions are allowed.
fn bad_english(path: &str, source: &str, patterns: &[Pattern]) -> Vec<String> {
    let statements = sentences(source).into_iter().filter(|(_, sentence)| !sentence.ends_with('?'));
    let denied = statements.filter_map(|(line, sentence)| {
        let pattern = patterns.iter().find(|p| p.matches(&sentence))?;
        Some(format!("{path}:{line}: `{}`: {sentence}", pattern.words))
    });
    denied.collect()
}

/// Returns a document as comments of Rust code, line by line, without code blocks.
fn as_comments(document: &str) -> String {
    let mut in_code = false;
    let comment = |line: &str| {
        let fence = line.trim_start().starts_with("```");
        in_code = in_code != fence;
        if in_code || fence { "\n".to_owned() } else { format!("// {}\n", line.trim()) }
    };
    document.lines().map(comment).collect()
}

/// Documents and comments follow the rules of CONTRIBUTING.md, section "English".
#[test]
fn documents_and_comments_are_plain_english() {
    let patterns = patterns();
    let mut bad = Vec::new();
    for path in files(&[".rs", ".md"]) {
        let text = read(&path);
        let comments = if path.ends_with(".md") { as_comments(&text) } else { text };
        bad.extend(bad_english(&path, &comments, &patterns));
    }
    assert!(bad.is_empty(), "see CONTRIBUTING.md, \"English\":\n{}", bad.join("\n"));
}

#[test]
fn the_lint_of_english_finds_bad_sentences_only() {
    let patterns = patterns();
    let find = |source: &str| bad_english("a.rs", source, &patterns);
    let bad =
        "fn f() {}\n    /// Size in bytes. What the\n    /// caller asks for.\nconst A: u8 = 0; // What\n";
    assert_eq!(find(bad), ["a.rs:2: `What`: What the caller asks for."]);
    assert_eq!(find("//! - Whether it runs.\n").len(), 1);
    assert_eq!(find("// The list is\n// no file.\n"), ["a.rs:1: `is no`: The list is no file."]);
    let good = [
        "/// Returns what the caller asks for. Whatever remains is kept.\n",
        "// What if the list is empty?\n",
        "// There is no file. The list is no longer in use.\n",
        "/// ```\n/// What is in code blocks.\n/// ```\n",
        "let text = \"What\"; // A name of `is_none` or `What`.\n",
        "/// Table:\n///\n/// | What | it is |\n",
    ];
    for source in good {
        assert!(find(source).is_empty(), "{:?}", find(source));
    }
    let document = "# The list is no file.\n\n```\nThe list is no file.\n```\n- The list is\n  no file.\n";
    assert_eq!(find(&as_comments(document)), ["a.rs:6: `is no`: The list is no file."]);
}
