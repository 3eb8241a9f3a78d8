//! Checks the structure of the crates: one reader of files, one writer of text for people, one place for the host, no names of
//! Vulkan in the compiler. Its modules check imports, growth, dropped failures, lengths of files and functions, and the kinds
//! of objects of random programs.

#[path = "structure/failures.rs"]
mod failures;
#[path = "structure/files.rs"]
mod files;
#[path = "structure/growth.rs"]
mod growth;
#[path = "structure/kinds.rs"]
mod kinds;
#[path = "structure/lengths.rs"]
mod lengths;
#[path = "structure/rooms.rs"]
mod rooms;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Name of a file from the root of the repository on, with `/` between folders on every host.
fn name_of(file: &Path) -> String {
    file.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/")
}

/// All crates with sources of the workspace, and the separate ones.
fn crates() -> Vec<String> {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let lists = text.lines().filter(|line| line.starts_with("members = ") || line.starts_with("exclude = "));
    let names = lists.flat_map(|line| line.split('"').skip(1).step_by(2));
    names.filter(|name| root().join(name).join("src").is_dir()).map(str::to_owned).collect()
}

/// All crates except the conformance crate, which tests the others.
fn tested_crates() -> impl Iterator<Item = String> {
    crates().into_iter().filter(|name| !name.starts_with("conformance"))
}

/// Every file of tests is a program, or a module of one.
#[test]
fn every_test_is_run() {
    let mut forgotten = Vec::new();
    for name in crates() {
        let manifest = fs::read_to_string(root().join(&name).join("Cargo.toml")).unwrap();
        if !manifest.contains("\nautotests = false\n") {
            continue;
        }
        let tests = root().join(&name).join("tests");
        let programs =
            manifest.split("[[test]]\nname = \"").skip(1).map(|rest| rest.split('"').next().unwrap());
        let programs: BTreeSet<&str> = programs.collect();
        let texts =
            programs.iter().filter_map(|name| fs::read_to_string(tests.join(format!("{name}.rs"))).ok());
        let texts: String = texts.collect();
        for path in fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path()) {
            let Some(stem) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".rs") else {
                let folder = path.file_name().unwrap().to_str().unwrap();
                if path.join("main.rs").is_file() && !programs.contains(folder) {
                    forgotten.push(path.display().to_string());
                }
                continue;
            };
            if !programs.contains(stem) && !texts.contains(&format!("#[path = \"{stem}.rs\"]\nmod {stem};\n"))
            {
                forgotten.push(path.display().to_string());
            }
        }
    }
    assert!(
        forgotten.is_empty(),
        "neither programs of a manifest nor modules of one:\n{}",
        forgotten.join("\n")
    );
}

/// Objects and names of Vulkan that no code of the compiler has. Its documentation may name them.
const VULKAN: [&str; 13] = [
    "Vk",
    "VK_",
    "vkCmd",
    "CommandBuffer",
    "CommandPool",
    "DescriptorPool",
    "Framebuffer",
    "PipelineLayout",
    "QueryPool",
    "RenderPass",
    "Semaphore",
    "Submit",
    "Swapchain",
];

#[test]
fn the_compiler_knows_no_vulkan() {
    let root = root();
    let mut found = Vec::new();
    for path in ["jit/src", "jit/wide/src"].iter().flat_map(|folder| sources(&root.join(folder))) {
        let text = fs::read_to_string(&path).unwrap();
        for name in vulkan_names(&text) {
            found.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(found.is_empty(), "the compiler names Vulkan:\n{}", found.join("\n"));
}

#[test]
fn names_of_vulkan_are_found() {
    let text = "// VkImage\nfn f(a: VkImage, b: &SubmitInfo) { g(\"VK_ERROR\", Resubmit) }\n";
    assert_eq!(vulkan_names(text), ["VkImage", "SubmitInfo"]);
    let text = "fn f(c: char) {\n    if c == '\"' {\n        g(VkImage, \"VK_\\\"VK_\", b'\\\\', VkBuffer)\n    }\n}\n";
    assert_eq!(vulkan_names(text), ["VkImage", "VkBuffer"]);
}

/// Identifiers that begin with a name of Vulkan, outside of comments and strings.
fn vulkan_names(text: &str) -> Vec<String> {
    // Quotes that neither open nor close a string would turn code into strings.
    let code = code_of(text).replace(r"\\", "").replace("\\\"", "").replace("'\"'", "");
    let unquoted: String = code.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let words = unquoted.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| VULKAN.iter().any(|name| word.starts_with(name))).map(str::to_owned).collect()
}

/// Files and folders that open files to read them, with the purpose. All others ask `quadrille::files`, which knows the
/// files that data may name.
const READERS: [(&str, &str); 7] = [
    ("emulator/languages/src/files", "the reader"),
    ("emulator/debug/src/page", "random numbers of the system"),
    (
        "emulator/profile/src/lcov.rs",
        "the tracefile of the command line; the crate knows nothing of the device",
    ),
    ("emulator/src/trace/output.rs", "new files, to write them"),
    ("emulator/suite/src/journal.rs", "the journal of the command line, to add to it"),
    ("jit/src/sys/linux.rs", "a setting of the system"),
    ("jit/src/testing.rs", "the list of skipped tests, to add to it"),
];

/// Calls that open a file to read it.
const OPENING: [&str; 7] = [
    "fs::read(",
    "fs::read_to_string(",
    "File::open(",
    "OpenOptions::new(",
    "image::open(",
    "Reader::open(",
    "from_file(",
];

#[test]
fn files_are_read_in_one_place() {
    let root = root();
    let mut needed = BTreeSet::new();
    let mut wrong = String::new();
    for file in tested_crates().flat_map(|name| sources(&root.join(name).join("src"))) {
        let name = name_of(&file);
        let opening = openings(&fs::read_to_string(&file).unwrap());
        let reader = READERS.iter().find(|(reader, _)| name.starts_with(reader));
        match reader {
            Some((reader, _)) if !opening.is_empty() => drop(needed.insert(*reader)),
            Some(_) => {}
            None => opening.iter().for_each(|line| wrong += &format!("  {name}: {line}\n")),
        }
    }
    assert!(wrong.is_empty(), "only quadrille::files may read files:\n{wrong}");
    let useless = READERS.iter().find(|(reader, _)| !needed.contains(reader));
    assert_eq!(useless, None, "this reader reads no file");
}

/// Lines that open files to read them, outside of tests and comments.
fn openings(text: &str) -> Vec<String> {
    let code = code_of(text);
    let opens = |line: &&str| OPENING.iter().any(|how| line.contains(how));
    code.lines().filter(opens).map(|line| line.trim().to_owned()).collect()
}

/// Types that wait for the thread that locked or began them. A child of `fork` may not have this thread.
const WAITING: [&str; 6] = ["Condvar", "LazyLock", "Mutex", "Once", "OnceLock", "RwLock"];

/// A value that is the same in all processes is in a cell of `once_cell::race`, and all else in a `PerProcess`.
#[test]
fn statics_do_not_wait() {
    let mut wrong = String::new();
    for file in tested_crates().flat_map(|name| sources(&root().join(name).join("src"))) {
        let waiting = waiting_statics(&fs::read_to_string(&file).unwrap());
        waiting.iter().for_each(|line| wrong += &format!("  {}: {line}\n", file.display()));
    }
    assert!(wrong.is_empty(), "statics that a child of `fork` may wait for forever:\n{wrong}");
}

/// Names and types of the statics that wait, outside of tests and comments.
fn waiting_statics(text: &str) -> Vec<String> {
    let code = code_of(text);
    let statics = code.match_indices("static ").filter_map(|(at, word)| {
        let begins = code[..at].chars().next_back().is_none_or(char::is_whitespace);
        let declared = code[at + word.len()..].split(['=', ';', '{']).next().unwrap_or_default();
        declared.split_once(": ").filter(|_| begins)
    });
    let waits = |ty: &str| {
        let mut words = ty.split(|c: char| !c.is_alphanumeric());
        !ty.starts_with("PerProcess<") && words.any(|word| WAITING.contains(&word))
    };
    let waiting = statics.filter(|(_, ty)| waits(ty));
    waiting.map(|(name, ty)| format!("{name}: {}", ty.trim())).collect()
}

#[test]
fn waiting_statics_are_found() {
    let text = "pub static A: std::sync::OnceLock<u8> = x;\nstatic B: PerProcess<Mutex<u8>> = x;\nfn f() {\n    \
        static C: Vec<\n        Mutex<u8>,\n    > = x;\n    let d: &'static Mutex<u8> = y;\n}\n\
        static E: OnceBox<u8> = x;\n";
    let found = waiting_statics(text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], "A: std::sync::OnceLock<u8>");
    assert!(found[1].starts_with("C: Vec<"), "{found:?}");
}

/// Files that write to the standard streams, with the purpose. All others ask `quadrille::terminal` or the command's
/// `out`, which remove control sequences.
const WRITERS: [(&str, &str); 11] = [
    ("jit/src/terminal.rs", "standard error"),
    ("jit/src/testing.rs", "standard error as the test harness captures it"),
    ("emulator/cli/src/out.rs", "standard output"),
    ("emulator/cli/src/report.rs", "reports, made of plain text; backtraces"),
    ("emulator/cli/src/args.rs", "tests for a terminal"),
    ("emulator/cli/src/inspect.rs", "tests for a terminal"),
    ("emulator/cli/src/test.rs", "tests for a terminal"),
    ("emulator/cli/src/frames", "pictures"),
    ("emulator/cli/src/dap.rs", "the protocol"),
    ("emulator/cli/src/debug.rs", "the prompt, which is plain"),
    ("emulator/src/trace/output.rs", "plain text in one piece"),
];

#[test]
fn text_for_people_goes_through_one_place() {
    let root = root();
    let mut needed = BTreeSet::new();
    let mut wrong = String::new();
    for file in tested_crates().flat_map(|name| sources(&root.join(name).join("src"))) {
        let place = file.strip_prefix(&root).unwrap();
        let code = code_of(&fs::read_to_string(&file).unwrap());
        let writes = ["io::stderr()", "io::stdout()", "println!(", "print!("];
        let writer = WRITERS.iter().find(|(writer, _)| place.starts_with(writer));
        for line in code.lines().filter(|line| writes.iter().any(|how| line.contains(how))) {
            match writer {
                Some((writer, _)) => _ = needed.insert(*writer),
                None => wrong += &format!("  {}: {}\n", place.display(), line.trim()),
            }
        }
    }
    assert!(wrong.is_empty(), "only quadrille::terminal may write text for people:\n{wrong}");
    let useless = WRITERS.iter().find(|(writer, _)| !needed.contains(writer));
    assert_eq!(useless, None, "this writer writes nothing");
}

#[test]
fn openings_are_found() {
    let text = "// fs::read(x)\nfn f() {\n    std::fs::read(x);\n    let y = File::open(x);\n}\n\
        #[cfg(test)]\nmod tests {\n    fs::read(x);\n}\n";
    assert_eq!(openings(text), ["std::fs::read(x);", "let y = File::open(x);"]);
}

/// Returns the functions of formatted code with their lines. Nested functions are part of the outer one.
fn functions(code: &str) -> Vec<(String, Vec<&str>)> {
    let mut found = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split([' ', '(', '<']).filter(|w| !w.is_empty()).collect();
        // `pub(in crate::part) unsafe extern "C" fn name`.
        let visible = |word: &str| {
            matches!(word, "pub" | "in" | "const" | "unsafe" | "async" | "extern")
                || word.ends_with(')')
                || word.starts_with('"')
        };
        let Some(at) = words.iter().position(|word| *word == "fn") else { continue };
        if !words[..at].iter().all(|word| visible(word)) || line.ends_with([';', ',']) {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let mut body = vec![line];
        let mut is_open = line.ends_with(['{', '}']);
        // In macros, more may follow the last brace.
        while !if body.len() == 1 { line.ends_with('}') } else { body[body.len() - 1].starts_with(&end) } {
            let Some(line) = lines.next() else { break };
            body.push(line);
            is_open |= line.ends_with(['{', '}']);
            if !is_open && line.ends_with(';') {
                break;
            }
        }
        // A declaration has no body.
        if !is_open {
            continue;
        }
        found.push((words.get(at + 1).unwrap_or(&"").to_string(), body));
    }
    found
}

#[test]
fn functions_of_every_kind_are_found() {
    let text = "pub(in crate::a) fn a() {\n    fn inner() {}\n}\npub(super) unsafe extern \"C\" fn b(\n    n: u32,\n) {\n}\n\
        const fn c() {}\ntype D = unsafe extern \"C\" fn(u32);\nstruct E {\n    f: extern \"C\" fn(u32),\n}\n";
    let names: Vec<String> = functions(text).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn clients_of_vulkan_are_opened_in_one_place() {
    let src = root().join("conformance/src");
    let calls = [".create_instance(", ".create_device("];
    let opens =
        |file: &PathBuf| calls.iter().any(|c| code_of(&fs::read_to_string(file).unwrap()).contains(c));
    let files: Vec<PathBuf> = sources(&src).into_iter().filter(opens).collect();
    assert_eq!(files, [src.join("client.rs")], "conformance/src/client.rs opens instances and devices");
}

/// Words of code that knows the host.
const HOST_WORDS: [&str; 24] = [
    "target_os",
    "target_arch",
    "target_env",
    "target_family",
    "target_feature",
    "cfg(unix",
    "cfg(any(unix",
    "cfg(all(unix",
    "cfg(not(unix",
    "cfg(not(any(unix",
    "cfg(windows",
    "cfg(any(windows",
    "cfg(all(windows",
    "cfg(not(windows",
    "cfg!(unix",
    "cfg!(windows",
    "std::os::",
    "std::arch::",
    "core::arch::",
    "is_x86_feature_detected",
    "asm!(",
    "rustix::",
    "libc::",
    "windows_sys::",
];

/// Files and folders that know the operating system or the processor family, with the part of it that they know. They
/// are the rows of PORTING.md.
const HOST_FILES: [(&str, &str); 22] = [
    ("conformance/src/endurance/points.rs", "spare memory of the allocator"),
    ("emulator/cli/src/sys", "name of the driver and its registration, programs that replace the process"),
    ("emulator/languages/src/exit.rs", "functions that run when the process ends"),
    ("emulator/languages/src/files/open.rs", "opening of files without effects"),
    ("emulator/languages/src/stack.rs", "switching of stacks"),
    ("emulator/profile/src/lib.rs", "existence of the sampler"),
    ("emulator/profile/src/samples.rs", "existence of the sampler"),
    ("emulator/profile/src/signal.rs", "timers, signals, registers of a signal's context"),
    ("emulator/src/sys", "descriptors, files in memory, events, dma-bufs, mappings of files"),
    ("emulator/vulkan/src/sys", "descriptors as numbers, file of the library"),
    ("emulator/vulkan/src/wsi", "X, Wayland, windows of Windows"),
    ("jit/src/cpu.rs", "instructions of the processor"),
    ("jit/src/runtime/matrix", "vectors of the processor, for products of matrices"),
    ("jit/src/runtime/matrix.rs", "choice of vectors for products of matrices"),
    ("jit/src/runtime/preserving", "registers of the processor, for calls that preserve them"),
    ("jit/src/sys", "memory, executable memory, clocks, limits, sums rounded once, children of fork"),
    ("raster/rays/src/memory.rs", "huge pages for large lists"),
    ("raster/rays/src/trace/host", "vectors of the processor, for boxes"),
    ("raster/src/bins/chunk.rs", "prefetches"),
    ("raster/src/level", "vectors of the processor, for set-up and coverage; choice of instructions"),
    ("raster/src/memory/image/memory.rs", "addresses for hand-written sampling"),
    ("raster/src/sampling/fast", "vectors of the processor, for sampling"),
];

#[test]
fn few_files_know_the_host() {
    let root = root();
    let mut found = BTreeSet::new();
    for file in crates().into_iter().flat_map(|name| sources(&root.join(name).join("src"))) {
        let name = name_of(&file);
        let code = code_of(&fs::read_to_string(&file).unwrap());
        if HOST_WORDS.iter().any(|word| code.contains(word)) {
            let row = HOST_FILES.iter().find(|(place, _)| Path::new(&name).starts_with(place));
            found.insert(
                row.map_or_else(|| format!("{name} is not in the table"), |(place, _)| place.to_string()),
            );
        }
    }
    assert_eq!(found, HOST_FILES.iter().map(|(place, _)| place.to_string()).collect());
    let page = fs::read_to_string(root.join("PORTING.md")).unwrap();
    for (place, part) in HOST_FILES {
        assert!(
            page.contains(&format!("| `{place}` | {part} |")),
            "PORTING.md has no row for {place}: {part}"
        );
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Source files of a room, without those that are compiled only for tests.
fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let parent = fs::read_to_string(path.join("mod.rs"));
    let parent = parent.or_else(|_| fs::read_to_string(path.with_extension("rs"))).unwrap_or_default();
    let for_tests = |name: &str| {
        ["", "pub ", "pub(crate) "].iter().any(|v| parent.contains(&format!("#[cfg(test)]\n{v}mod {name};")))
    };
    let mut list = Vec::new();
    for entry in fs::read_dir(path).unwrap().map(|e| e.unwrap().path()) {
        let rust = entry.extension().is_some_and(|e| e == "rs");
        if !for_tests(&stem(&entry)) && (rust || entry.is_dir()) {
            list.extend(sources(&entry));
        }
    }
    list.sort();
    list
}

/// Removes tests and comments from a text.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let in_test =
            line == "#[cfg(test)]" && lines.peek().is_some_and(|l| l.starts_with("mod ") && l.ends_with('{'));
        if in_test {
            lines.by_ref().find(|l| *l == "}");
        } else {
            code += line.split("//").next().unwrap();
            code.push('\n');
        }
    }
    code
}
