//! Checks the structure of the crates: no cyclic imports between rooms, one reader of files, no names of Vulkan in the
//! compiler, and no lists whose length device memory decides.
//!
//! A room is a folder directly below a crate's `src`, or a single file there. Every path in a room that begins with
//! `crate::`, or with as many `super::` as lead there, is an import, outside of tests and comments. A glob import of the
//! whole crate imports the rooms and exports that its file names.

#[path = "structure/files.rs"]
mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
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

#[test]
fn folders_have_no_circles() {
    let crates = crates();
    for name in ["jit/wide", "emulator/cli", "emulator/python", "conformance"] {
        assert!(crates.iter().any(|other| other == name), "{name} is not in {crates:?}");
    }
    for name in crates {
        let rooms = Rooms::read(&root().join(&name).join("src"));
        if let Some(circle) = circle(&rooms.imports) {
            let arrows = circle.windows(2).map(|w| {
                let place = &rooms.imports[&w[0]][&w[1]];
                format!("  {} -> {}: {place}\n", w[0], w[1])
            });
            panic!("{name}: rooms with cyclic imports:\n{}", arrows.collect::<String>());
        }
    }
}

#[test]
fn circles_are_found() {
    let rooms = |list: &[(&str, &str)]| {
        let mut imports = Imports::new();
        for (from, to) in list {
            imports.entry(from.to_string()).or_default().insert(to.to_string(), "here".into());
            imports.entry(to.to_string()).or_default();
        }
        imports
    };
    assert_eq!(circle(&rooms(&[("a", "b"), ("b", "c"), ("a", "c"), ("d", "a")])), None);
    let found = circle(&rooms(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")])).unwrap();
    assert_eq!(found, ["b", "c", "d", "b"]);

    let text = "use crate::a::B;\n// crate::not\nuse crate::{c::D, e};\nfn f() { crate::g::h() }\n\
        #[cfg(test)]\nmod tests {\n    use crate::tested;\n}\nuse crate::i;\n";
    assert_eq!(imported(text, 1, &[]), ["a", "g", "i", "c", "e"]);
    let text = "use super::a::B;\nuse super::super::{c, d::E};\nuse super::super::super::f;\n";
    assert_eq!(imported(text, 1, &[]), ["a", "f", "c", "d"]);
    assert_eq!(imported(text, 2, &[]), ["f", "c", "d"]);
    assert_eq!(imported(text, 3, &[]), ["f"]);
    let all = ["a", "b", "c", "D", "E"].map(str::to_owned);
    let text = "use crate::*;\nfn f(d: D) { a::g(); x::b::g(); xD(d.c::<E>(), Eb) }\n";
    assert_eq!(imported(text, 1, &all), ["a", "D", "E"]);
    assert_eq!(imported(&text.replace("crate", "super"), 1, &all), ["a", "D", "E"]);
    assert_eq!(imported(&text.replace("crate", "super"), 2, &all), [""; 0]);
    assert_eq!(imported("use crate::{a, *};\nfn f() { b::g() }\n", 1, &all), ["a", "b"]);
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
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
}

/// Identifiers that begin with a name of Vulkan, outside of comments and strings.
fn vulkan_names(text: &str) -> Vec<String> {
    let code = code_of(text);
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut needed = BTreeSet::new();
    let mut wrong = String::new();
    for file in tested_crates().flat_map(|name| sources(&root.join(name).join("src"))) {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
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

/// Files that write to the standard streams, with the purpose. All others ask `quadrille::terminal` or the command's
/// `out`, which remove control sequences.
const WRITERS: [(&str, &str); 10] = [
    ("jit/src/terminal.rs", "standard error"),
    ("jit/src/testing.rs", "standard error as the test harness captures it"),
    ("emulator/cli/src/out.rs", "standard output"),
    ("emulator/cli/src/report.rs", "reports, made of plain text; backtraces"),
    ("emulator/cli/src/args.rs", "tests for a terminal"),
    ("emulator/cli/src/inspect.rs", "tests for a terminal"),
    ("emulator/cli/src/test.rs", "tests for a terminal"),
    ("emulator/cli/src/frames", "pictures"),
    ("emulator/cli/src/d", "the prompt of `debug`, which is plain; the protocol of `dap`"),
    ("emulator/cli/src/vulkan.rs", "the output of cargo"),
];
/// Another writer, in a library: it writes plain text in one piece.
const TRACES: &str = "emulator/src/trace/output.rs";

#[test]
fn text_for_people_goes_through_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut wrong = String::new();
    for file in tested_crates().flat_map(|name| sources(&root.join(name).join("src"))) {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        if name == TRACES || WRITERS.iter().any(|(writer, _)| name.starts_with(writer)) {
            continue;
        }
        let code = code_of(&fs::read_to_string(&file).unwrap());
        let writes = ["io::stderr()", "io::stdout()", "println!(", "print!("];
        let found = code.lines().filter(|line| writes.iter().any(|how| line.contains(how)));
        found.for_each(|line| wrong += &format!("  {name}: {}\n", line.trim()));
    }
    assert!(wrong.is_empty(), "only quadrille::terminal may write text for people:\n{wrong}");
}

#[test]
fn openings_are_found() {
    let text = "// fs::read(x)\nfn f() {\n    std::fs::read(x);\n    let y = File::open(x);\n}\n\
        #[cfg(test)]\nmod tests {\n    fs::read(x);\n}\n";
    assert_eq!(openings(text), ["std::fs::read(x);", "let y = File::open(x);"]);
}

/// Files that keep something for each item that device memory counts: whatever grows in them is reserved first. In other
/// files that holds for each function that reads device memory.
const COUNTED: [(&str, &str); 8] = [
    ("emulator/src/command/effects/draws.rs", "draws whose effects are known"),
    ("emulator/src/command/effects/elements.rs", "indices"),
    ("emulator/src/command/execute/generated.rs", "lists of sequences"),
    ("emulator/src/command/generated.rs", "sequences and their draws"),
    ("emulator/src/command/indirect_copy.rs", "copies"),
    ("emulator/src/command/kept.rs", "objects and states of lists of sequences"),
    ("emulator/src/command/observe/order.rs", "areas that draws read"),
    ("raster/src/pass/units.rs", "draws and their parts"),
];

/// Growth there with another bound than device memory: file, line, bound.
const BOUNDED: [(&str, &str, &str); 10] = [
    ("emulator/src/command/execute.rs", "self.capturing.push(", "feedback buffers, four at most"),
    ("emulator/src/command/generated.rs", "[Some(sequences), count]", "two"),
    ("emulator/src/command/generated.rs", "tokens: tokens.to_vec()", "max_indirect_commands_token_count"),
    ("emulator/src/command/generated.rs", "c.list.makers.push(", "a table, which reserves"),
    ("emulator/src/command/indirect_copy.rs", "layers.to_vec()", "the list of the caller"),
    ("emulator/src/command/kept.rs", "self.objects.push(", "a table, which reserves"),
    ("emulator/src/command/observe/order.rs", "self.push(", "a function of the file, which reserves"),
    ("emulator/src/command/observe/trace.rs", "parameters.push(", "four"),
    ("raster/src/pass/units.rs", "self.draws.push(", "UNIT_DRAWS in each of FLUSH_UNITS"),
    ("raster/src/pass/units.rs", "self.units.push(", "FLUSH_UNITS"),
];

/// Calls that make a list longer, and end the process if memory is out.
const GROWING: [&str; 9] = [
    ".push(",
    ".extend(",
    ".extend_from_slice(",
    ".append(",
    ".resize(",
    ".to_vec()",
    ".collect",
    "with_capacity(",
    "vec![",
];

#[test]
fn what_device_memory_counts_is_reserved() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut counted: BTreeSet<&(&str, &str)> = BTreeSet::new();
    let mut bounded = BTreeSet::new();
    let mut wrong = String::new();
    for file in ["emulator", "emulator/vulkan", "raster"]
        .iter()
        .flat_map(|name| sources(&root.join(name).join("src")))
    {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        let all = COUNTED.iter().find(|(counting, _)| *counting == name);
        counted.extend(all);
        for (function, line) in growths(&fs::read_to_string(&file).unwrap(), all.is_some()) {
            match BOUNDED.iter().find(|(of, how, _)| *of == name && line.contains(how)) {
                Some(row) => drop(bounded.insert(row)),
                None => wrong += &format!("  {name}, {function}: {line}\n"),
            }
        }
    }
    assert!(wrong.is_empty(), "what device memory counts is kept without quadrille_jit::reserve in\n{wrong}");
    assert_eq!(COUNTED.iter().find(|row| !counted.contains(row)), None, "no such file");
    assert_eq!(BOUNDED.iter().find(|row| !bounded.contains(row)), None, "nothing grows there");
}

/// Returns the lines that make lists longer, with the names of their functions, outside of tests and comments. A line
/// counts if its function reads device memory, or always with `all`, and has not called `reserve` before.
fn growths(text: &str, all: bool) -> Vec<(String, String)> {
    let grows = |line: &str| {
        let made = line.split("vec![").skip(1).any(|list| list.split(']').next().unwrap().contains(';'));
        made || GROWING.iter().any(|how| *how != "vec![" && line.contains(how))
    };
    let mut found = Vec::new();
    for (name, body) in functions(&code_of(text)) {
        let reads = body.iter().any(|line| line.contains(".read::<") || line.contains(".read_all::<"));
        let asks = body.iter().position(|line| line.contains("reserve::")).unwrap_or(body.len());
        if all || reads {
            let before = body[..asks].iter().filter(|line| grows(line));
            found.extend(before.map(|line| (name.clone(), line.trim().to_owned())));
        }
    }
    found
}

/// Returns the functions of formatted code with their lines. Nested functions are part of the outer one.
fn functions(code: &str) -> Vec<(String, Vec<&str>)> {
    let mut found = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split([' ', '(', '<']).filter(|w| !w.is_empty()).collect();
        let visible = |word: &str| matches!(word, "pub" | "crate)" | "super)" | "const" | "unsafe" | "async");
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
fn growths_are_found() {
    let text = "impl A {\n    pub(super) fn a(&self) {\n        let n = self.b.read::<u32>(0, 1);\n        \
        if n {\n            list.push(1);\n        }\n    }\n\n    fn b() {\n        list.push(2);\n    }\n\n    \
        fn c() {\n        b.read::<u32>();\n        reserve::grow(&mut list, n)?;\n        list.extend(n);\n    }\n}\n\n\
        fn d<T>(\n    n: u32,\n) -> u32 {\n    // list.push(3)\n    let x = b.read::<u32>();\n    let y = vec![0; x];\n    \
        let z = vec![1, 2];\n}\n\nfn e() { b.read::<u32>() }\n\nfn f() {\n    list.push(4);\n}\n\ntrait T {\n    fn g(\n        n: u32,\n    ) -> u32;\n}\n\nfn h() {\n    list.push(5);\n}\n";
    let lines = |all| {
        growths(text, all).into_iter().map(|(name, line)| format!("{name}: {line}")).collect::<Vec<_>>()
    };
    assert_eq!(lines(false), ["a: list.push(1);", "d: let y = vec![0; x];"]);
    assert_eq!(
        lines(true),
        [
            "a: list.push(1);",
            "b: list.push(2);",
            "d: let y = vec![0; x];",
            "f: list.push(4);",
            "h: list.push(5);",
        ]
    );
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
const HOST_WORDS: [&str; 14] = [
    "target_os",
    "target_arch",
    "target_env",
    "target_family",
    "cfg(unix",
    "cfg(not(unix",
    "cfg(windows",
    "cfg!(unix",
    "cfg!(windows",
    "std::os::",
    "std::arch::",
    "rustix::",
    "libc::",
    "windows_sys::",
];

/// Files and folders that know the operating system or the processor family, with the part of it that they know. They
/// are the rows of PORTING.md.
const HOST_FILES: [(&str, &str); 20] = [
    ("conformance/src/endurance/points.rs", "spare memory of the allocator"),
    ("emulator/cli/src/sys.rs", "name of the driver, programs that replace the process"),
    ("emulator/languages/src/exit.rs", "functions that run when the process ends"),
    ("emulator/languages/src/files/open.rs", "opening of files without effects"),
    ("emulator/languages/src/stack.rs", "switching of stacks"),
    ("emulator/profile/src/lib.rs", "existence of the sampler"),
    ("emulator/profile/src/samples.rs", "existence of the sampler"),
    ("emulator/profile/src/signal.rs", "timers, signals, registers of a signal's context"),
    ("emulator/src/sys", "descriptors, files in memory, events, dma-bufs, mappings of files"),
    ("emulator/vulkan/src/sys", "descriptors as numbers, file of the library"),
    ("emulator/vulkan/src/wsi", "X and Wayland"),
    ("jit/src/cpu.rs", "instructions of the processor"),
    ("jit/src/runtime/matrix", "vectors of the processor, for products of matrices"),
    ("jit/src/runtime/matrix.rs", "choice of vectors for products of matrices"),
    ("jit/src/sys", "memory, executable memory, clocks, limits, children of fork"),
    ("raster/rays/src/trace/host", "vectors of the processor, for boxes"),
    ("raster/src/bins/chunk.rs", "prefetches"),
    ("raster/src/bins/quad.rs", "vectors of the processor, for coverage"),
    ("raster/src/memory/image/memory.rs", "addresses for hand-written sampling"),
    ("raster/src/sampling/fast", "vectors of the processor, for sampling"),
];

#[test]
fn few_files_know_the_host() {
    let root = root();
    let mut found = BTreeSet::new();
    for file in crates().into_iter().flat_map(|name| sources(&root.join(name).join("src"))) {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
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

/// Number of lines from which on a function must be a table.
const LONG: usize = 80;

/// Long functions that are tables, with what has a row, an arm or a paragraph of its own.
const TABLES: [(&str, &str, &str); 14] = [
    ("conformance/src/calls/driver/queue.rs", "destroy_one", "kinds of objects"),
    ("conformance/src/coverage/classes.rs", "instruction", "instructions"),
    ("conformance/src/coverage/facts.rs", "inst", "instructions"),
    ("conformance/src/random/expression.rs", "special", "types of results"),
    ("conformance/src/random/group.rs", "group", "classes of group operations"),
    ("conformance/src/scenes/list.rs", "scenes", "scenes"),
    ("conformance/src/ulp/functions.rs", "all", "functions"),
    ("emulator/debug/src/commands.rs", "command", "commands of the prompt"),
    ("emulator/src/command/effects/mod.rs", "effects", "commands"),
    ("emulator/src/command/execute.rs", "run_command", "commands"),
    ("emulator/vulkan/src/capabilities/properties.rs", "extended_properties", "structures of Vulkan"),
    ("jit/src/interp/execute.rs", "execute", "operations with effects"),
    ("jit/src/ir/verify.rs", "free", "operations whose shape depends on the immediate operand"),
    ("jit/src/ops/mod.rs", "row", "operations"),
];

#[test]
fn long_functions_are_tables() {
    let root = root();
    let mut found = BTreeSet::new();
    for file in crates().into_iter().flat_map(|name| sources(&root.join(name).join("src"))) {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        let code = code_of(&fs::read_to_string(&file).unwrap());
        let long = functions(&code).into_iter().filter(|(_, body)| body.len() > LONG);
        found.extend(long.map(|(function, _)| (name.clone(), function)));
    }
    let tables = TABLES.map(|(file, function, _)| (file.to_owned(), function.to_owned()));
    assert_eq!(
        found,
        BTreeSet::from(tables),
        "functions of more than {LONG} lines, and the tables among them"
    );
}

/// For each room, the rooms that it imports, with the file of the import.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

/// The rooms of a crate.
struct Rooms {
    imports: Imports,
}

impl Rooms {
    fn read(src: &Path) -> Rooms {
        let lib = ["lib.rs", "main.rs"].map(|name| src.join(name)).into_iter().find(|path| path.is_file());
        let lib = lib.unwrap_or_else(|| panic!("{} has no root", src.display()));
        let entries: BTreeSet<PathBuf> = fs::read_dir(src).unwrap().map(|e| e.unwrap().path()).collect();
        let rooms = entries.iter().filter(|path| **path != lib).map(|p| stem(p));
        let rooms: BTreeSet<String> = rooms.filter(|n| n != "tests").collect();
        let exports = exports(&fs::read_to_string(lib).unwrap());
        let all: Vec<String> = rooms.iter().chain(exports.keys()).cloned().collect();
        let mut imports: Imports = rooms.iter().map(|r| (r.clone(), BTreeMap::new())).collect();
        for entry in entries.iter().filter(|p| rooms.contains(&stem(p))) {
            let room = stem(entry);
            for file in sources(entry) {
                let text = fs::read_to_string(&file).unwrap();
                let place = file.strip_prefix(src).unwrap();
                for name in imported(&text, depth(place), &all) {
                    let name = exports.get(&name).unwrap_or(&name);
                    if *name != room && rooms.contains(name) {
                        let place = place.display().to_string();
                        imports.get_mut(&room).unwrap().entry(name.clone()).or_insert(place);
                    }
                }
            }
        }
        Rooms { imports }
    }
}

/// Number of modules from the root of the crate to a file.
fn depth(file: &Path) -> usize {
    file.components().count() - usize::from(file.file_name().is_some_and(|name| name == "mod.rs"))
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

/// Maps each name that the root of a crate exports to its module.
fn exports(lib: &str) -> BTreeMap<String, String> {
    let mut map = BTreeMap::new();
    for export in code_of(lib).split("use ").skip(1) {
        let export = export.split(';').next().unwrap().replace("crate::", "");
        let Some((module, names)) = export.split_once("::") else { continue };
        for name in names.trim_matches(['{', '}']).split(',') {
            let name = name.rsplit(" as ").next().unwrap().rsplit("::").next().unwrap();
            map.insert(name.trim_matches([' ', '\n', '{', '}']).to_string(), module.to_string());
        }
    }
    map
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

/// Returns a text in which paths through `super::` that leave a room begin with `crate::`, like the others. The file is
/// `depth` modules below the root.
fn absolute(code: &str, depth: usize) -> String {
    const SUPER: &str = "super::";
    let mut text = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(SUPER) {
        text += &rest[..at];
        rest = &rest[at..];
        let mut levels = 0;
        while let Some(after) = rest.strip_prefix(SUPER) {
            (rest, levels) = (after, levels + 1);
        }
        text += if levels >= depth { "crate::" } else { "self::" };
    }
    text + rest
}

/// True if code names a room or an export: as the beginning of a path, or as a type or function.
fn names(code: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let room = name.starts_with(char::is_lowercase);
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        !before.ends_with(|c| part(c) || c == '.' || c == ':')
            && !after.starts_with(part)
            && (!room || after.starts_with("::") || after.starts_with('('))
    })
}

/// First names of paths from the root of the crate, outside of tests and comments; the names of lists come last. `all`
/// has the names that a glob import of the root brings; the file is `depth` modules below the root.
fn imported(text: &str, depth: usize, all: &[String]) -> Vec<String> {
    let code = absolute(&code_of(text), depth);
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let (mut single, mut listed) = (Vec::new(), Vec::new());
    let mut glob = false;
    for path in code.split("crate::").skip(1) {
        match path.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let mut name_follows = true;
                for (i, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => name_follows = true,
                        c if name_follows && !c.is_whitespace() => {
                            glob |= c == '*';
                            listed.push(word(&list[i..]));
                            name_follows = false;
                        }
                        _ => {}
                    }
                }
            }
            None => {
                glob |= path.starts_with('*');
                single.push(word(path));
            }
        }
    }
    single.extend(listed);
    if glob {
        single.extend(all.iter().filter(|name| names(&code, name)).cloned());
    }
    single.retain(|name| !name.is_empty());
    single
}

/// Finds a cycle; its first room is repeated at the end.
fn circle(imports: &Imports) -> Option<Vec<String>> {
    fn visit(imports: &Imports, room: &str, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        if let Some(at) = path.iter().position(|r| r == room) {
            path.drain(..at);
            path.push(room.to_string());
            return true;
        }
        if done.contains(room) {
            return false;
        }
        path.push(room.to_string());
        if imports[room].keys().any(|to| visit(imports, to, path, done)) {
            return true;
        }
        path.pop();
        done.insert(room.to_string());
        false
    }
    let (mut path, mut done) = (Vec::new(), BTreeSet::new());
    imports.keys().any(|room| visit(imports, room, &mut path, &mut done)).then_some(path)
}
