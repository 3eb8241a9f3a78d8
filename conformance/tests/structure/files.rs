//! Files of a crate import each other one way.
//!
//! A path that begins with `crate::`, `super::` or the name of a child module imports the deepest module that it names.
//! Paths to a parent do not count as imports: children see the names of their parents.

use super::rooms::{Imports, circle};
use super::*;

/// Module path of a file below `src`; empty for the root of the crate.
fn module(place: &Path) -> Vec<String> {
    let mut path: Vec<String> =
        place.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
        path.pop();
    }
    path
}

/// All paths of a text as lists of names, with the lists of braces expanded.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("::") {
        let first = rest[..at].rfind(|c: char| !is_part(c)).map_or(0, |i| i + 1);
        rest = tree(&rest[first..], &[], &mut found);
    }
    found
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Collects the paths with which a text begins, behind those names; returns the text after them.
fn tree<'a>(text: &'a str, before: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    if let Some(mut list) = text.strip_prefix('{') {
        loop {
            list = list.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            match list.chars().next() {
                None => return list,
                Some('}') => return &list[1..],
                // A name after `as`, or `*`.
                Some(c) if c != '{' && !is_part(c) => list = &list[c.len_utf8()..],
                Some(_) => list = tree(list, before, found),
            }
        }
    }
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let names: Vec<String> = before.iter().cloned().chain([text[..end].to_owned()]).collect();
    match text[end..].strip_prefix("::") {
        Some(after) => tree(after, &names, found),
        None => {
            found.push(names);
            &text[end..]
        }
    }
}

/// The module that a path names from a module of the crate, if it is one of `all`; the deepest one.
fn target(path: &[String], from: &[String], all: &BTreeMap<Vec<String>, PathBuf>) -> Option<Vec<String>> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let (mut at, names) = match path.first().map(String::as_str)? {
        "crate" => (Vec::new(), &path[1..]),
        "super" => (from[..from.len().checked_sub(ups)?].to_vec(), &path[ups..]),
        "self" => (from.to_vec(), &path[1..]),
        _ => (from.to_vec(), path),
    };
    let start = at.len();
    for name in names {
        at.push(name.trim().to_owned());
        if !all.contains_key(&at) {
            at.pop();
            break;
        }
    }
    // Other names belong to the module in which the search began.
    let explicit = ["crate", "super"].contains(&path[0].as_str());
    (at.len() > start || explicit).then_some(at)
}

fn imports(src: &Path) -> Imports {
    let files = sources(src);
    let all: BTreeMap<Vec<String>, PathBuf> =
        files.iter().map(|file| (module(file.strip_prefix(src).unwrap()), file.clone())).collect();
    let name = |module: &[String]| all[module].strip_prefix(src).unwrap().display().to_string();
    let mut imports: Imports = all.keys().map(|m| (name(m), BTreeMap::new())).collect();
    for (from, file) in &all {
        for path in paths(&code_of(&fs::read_to_string(file).unwrap())) {
            let Some(to) = target(&path, from, &all).filter(|to| all.contains_key(to)) else { continue };
            if !from.starts_with(&to) {
                imports.get_mut(&name(from)).unwrap().insert(name(&to), path.join("::"));
            }
        }
    }
    imports
}

#[test]
fn files_have_no_circles() {
    let mut found = Vec::new();
    for name in crates() {
        let imports = imports(&root().join(&name).join("src"));
        if let Some(circle) = circle(&imports) {
            let arrows =
                circle.windows(2).map(|w| format!("\n  {} -> {}: {}", w[0], w[1], imports[&w[0]][&w[1]]));
            found.push(format!("{name}:{}", arrows.collect::<String>()));
        }
    }
    assert!(found.is_empty(), "files with cyclic imports:\n{}", found.join("\n"));
}

#[test]
fn paths_lead_to_files() {
    let text = "use crate::a::{B, c::{self, D}};\nfn f() { super::e::g(h::i) }";
    let all = paths(text).iter().map(|path| path.join("::")).collect::<Vec<_>>();
    for path in ["crate::a::B", "crate::a::c::D", "super::e::g", "h::i"] {
        assert!(all.iter().any(|found| found == path), "{path} in {all:?}");
    }
    let strings = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let files: BTreeMap<Vec<String>, PathBuf> =
        [&[][..], &["a"], &["a", "c"], &["e"]].map(|m| (strings(m), PathBuf::new())).into();
    let to = |path: &[&str], from: &[&str]| target(&strings(path), &strings(from), &files);
    assert_eq!(to(&["crate", "a", "c", "D"], &["e"]), Some(strings(&["a", "c"])));
    assert_eq!(to(&["super", "e", "g"], &["a"]), Some(strings(&["e"])));
    assert_eq!(to(&["c", "D"], &["a"]), Some(strings(&["a", "c"])));
    assert_eq!(to(&["Vec", "new"], &["a"]), None);
}
