//! Rooms of a crate import each other one way.
//!
//! A room is a folder directly below a crate's `src`, or a single file there. Every path in a room that begins with
//! `crate::`, or with as many `super::` as lead there, is an import, outside of tests and comments. A glob import of the
//! whole crate imports the rooms and exports that its file names.

use super::*;

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

/// For each room, the rooms that it imports, with the file of the import.
pub type Imports = BTreeMap<String, BTreeMap<String, String>>;

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
pub fn circle(imports: &Imports) -> Option<Vec<String>> {
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
