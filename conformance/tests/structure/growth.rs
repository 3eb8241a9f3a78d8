//! Lists whose length device memory decides grow only after a call of `quadrille_jit::reserve`.

use super::*;

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
const BOUNDED: [(&str, &str, &str); 11] = [
    ("emulator/src/command/execute.rs", "self.capturing.push(", "feedback buffers, four at most"),
    ("emulator/src/command/generated.rs", "[Some(sequences), count]", "two"),
    ("emulator/src/command/generated.rs", "tokens: tokens.to_vec()", "max_indirect_commands_token_count"),
    ("emulator/src/command/generated.rs", "c.list.makers.push(", "a table, which reserves"),
    ("emulator/src/command/indirect_copy.rs", "layers.to_vec()", "the list of the caller"),
    ("emulator/src/command/kept.rs", "self.objects.push(", "a table, which reserves"),
    ("emulator/src/command/observe/order.rs", "self.push(", "a function of the file, which reserves"),
    ("emulator/src/command/observe/trace.rs", "parameters.push(", "four"),
    ("emulator/src/command/parameters.rs", "smallvec![0; self.kind.words()]", "five words in place"),
    ("raster/src/pass/units.rs", "self.draws.push(", "UNIT_DRAWS in each of FLUSH_UNITS"),
    ("raster/src/pass/units.rs", "self.units.push(", "FLUSH_UNITS"),
];

/// Calls that make a list longer, and end the process if memory is out.
const GROWING: [&str; 13] = [
    ".push(",
    ".push_back(",
    ".push_str(",
    ".extend(",
    ".extend_from_slice(",
    ".extend_from_within(",
    ".append(",
    ".resize(",
    ".resize_with(",
    ".to_vec()",
    ".collect",
    "with_capacity(",
    "vec![",
];

/// Calls that read device memory.
const READING: [&str; 8] = [
    ".read::<",
    ".read_all::<",
    ".read_array::<",
    ".read_array(",
    ".read_into(",
    ".read_within::<",
    ".read_within(",
    "indirect.parameters(",
];

#[test]
fn what_device_memory_counts_is_reserved() {
    let root = root();
    let mut counted: BTreeSet<&(&str, &str)> = BTreeSet::new();
    let mut bounded = BTreeSet::new();
    let mut wrong = String::new();
    for file in
        ["emulator", "emulator/check", "emulator/debug", "emulator/profile", "emulator/vulkan", "raster"]
            .iter()
            .flat_map(|name| sources(&root.join(name).join("src")))
    {
        let name = name_of(&file);
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
        let reads = body.iter().any(|line| READING.iter().any(|how| line.contains(how)));
        let asks = body.iter().position(|line| line.contains("reserve::")).unwrap_or(body.len());
        if all || reads {
            let before = body[..asks].iter().filter(|line| grows(line));
            found.extend(before.map(|line| (name.clone(), line.trim().to_owned())));
        }
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
