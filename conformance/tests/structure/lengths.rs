//! Files and functions are short enough to be read at once, unless they are tables.

use super::*;

/// Number of lines that a file may have.
const FILE_LINES: usize = 600;

/// Longer files, with the reason.
const LONG_FILES: [(&str, &str); 3] = [
    ("emulator/src/limits/features.rs", "one table, with a row for each feature"),
    ("emulator/vulkan/src/newer/generated.rs", "written by `quadrille-conformance registry`"),
    ("jit/src/spirv/ops.rs", "one table, with a row for each instruction"),
];

#[test]
fn long_files_are_tables() {
    let root = root();
    let folders = crates().into_iter().chain(["examples".to_owned()]);
    let files: BTreeSet<PathBuf> = folders.flat_map(|name| rust_files(&root.join(name))).collect();
    let lengths = files.iter().map(|file| (name_of(file), fs::read_to_string(file).unwrap().lines().count()));
    let wrong = misfits(lengths, FILE_LINES, &LONG_FILES.map(|(file, _)| file.to_owned()));
    assert!(wrong.is_empty(), "files and their table:\n{}", wrong.join("\n"));
}

/// All Rust files of a folder, those of tests, benchmarks and examples too, without what Cargo has built.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut list = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let (path, name) = (entry.path(), entry.file_name());
        let built = name == "target" || name.to_string_lossy().starts_with('.');
        if entry.file_type().unwrap().is_dir() {
            if !built {
                list.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            list.push(path);
        }
    }
    list
}

/// Complaints about what has more lines than `limit` and no row of `table`, and about rows that nothing needs.
fn misfits<T>(lengths: impl IntoIterator<Item = (T, usize)>, limit: usize, table: &[T]) -> Vec<String>
where
    T: PartialEq + std::fmt::Debug,
{
    let long: Vec<(T, usize)> = lengths.into_iter().filter(|(_, lines)| *lines > limit).collect();
    let without_row = long.iter().filter(|(name, _)| !table.contains(name));
    let mut wrong: Vec<String> =
        without_row.map(|(name, lines)| format!("{name:?} has {lines} lines; {limit} are allowed")).collect();
    let needless = table.iter().filter(|row| !long.iter().any(|(name, _)| name == *row));
    wrong.extend(needless.map(|row| format!("{row:?} needs no row")));
    wrong
}

#[test]
fn what_is_long_without_a_row_is_found() {
    let lengths = [("at the limit", 3), ("long", 4), ("table", 5), ("short table", 3)];
    assert_eq!(
        misfits(lengths, 3, &["table", "short table", "gone"]),
        [r#""long" has 4 lines; 3 are allowed"#, r#""short table" needs no row"#, r#""gone" needs no row"#]
    );
    assert_eq!(misfits(lengths, 3, &["table", "long"]), [""; 0]);
}

/// Number of lines that a function may have.
const FUNCTION_LINES: usize = 72;

/// Longer functions: tables, with what has a row, an arm or a paragraph of its own.
const TABLES: [(&str, &str, &str); 17] = [
    ("conformance/src/calls/driver/queue.rs", "destroy", "kinds of objects"),
    ("conformance/src/coverage/classes.rs", "instruction", "instructions"),
    ("conformance/src/coverage/facts.rs", "inst", "instructions"),
    ("conformance/src/random/expression.rs", "special", "types of results"),
    ("conformance/src/random/group.rs", "group", "classes of group operations"),
    ("conformance/src/scenes/drawing.rs", "pipeline", "states of a pipeline"),
    ("conformance/src/scenes/list.rs", "scenes", "scenes"),
    ("conformance/src/ulp/functions.rs", "all", "functions"),
    ("emulator/debug/src/commands.rs", "command", "commands of the prompt"),
    ("emulator/src/command/effects/mod.rs", "effects", "commands"),
    ("emulator/src/command/execute.rs", "run_command", "commands"),
    ("emulator/src/command/observe/places.rs", "name", "commands"),
    ("emulator/vulkan/src/capabilities/properties.rs", "extended_properties", "structures of Vulkan"),
    ("emulator/vulkan/src/descriptor/heap.rs", "source", "sources of a mapping"),
    ("jit/src/interp/execute.rs", "execute", "operations with effects"),
    ("jit/src/ir/verify.rs", "free", "operations whose shape depends on the immediate operand"),
    ("jit/src/ops/mod.rs", "row", "operations"),
];

#[test]
fn long_functions_are_tables() {
    let root = root();
    let mut lengths = Vec::new();
    for file in crates().into_iter().flat_map(|name| sources(&root.join(name).join("src"))) {
        let name = name_of(&file);
        let code = code_of(&fs::read_to_string(&file).unwrap());
        let all = functions(&code).into_iter();
        lengths.extend(all.map(|(function, body)| ((name.clone(), function), body.len())));
    }
    let tables = TABLES.map(|(file, function, _)| (file.to_owned(), function.to_owned()));
    let wrong = misfits(lengths, FUNCTION_LINES, &tables);
    assert!(wrong.is_empty(), "functions and their table:\n{}", wrong.join("\n"));
}
