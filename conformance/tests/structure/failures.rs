//! Nobody takes missing memory for something else: an error of a request for memory is returned or carried, not dropped.

use super::*;

/// Calls that request memory whose size comes from outside. Parameters of a few words are read by calls that request none:
/// `Buffer::read_into`, `Buffer::read_array`.
const REQUESTS: [&str; 7] = [
    "reserve::",
    "Room::new(",
    "Room::quick(",
    ".read::<",
    ".read_all::<",
    ".read_within::<",
    ".read_within(",
];

/// Code that drops the error of such a call. It stands on the same line, before the call or after its closing parenthesis.
const DROPS_BEFORE: [&str; 2] = ["let Ok(", "let _ ="];
const DROPS_AFTER: [&str; 8] =
    [".ok()", ".is_ok()", ".is_err()", ".is_ok_and(", ".map_or(", ".map_or_else(", ".unwrap_or", ".or_else("];

/// Requests that may fail without an error: file, line, reason.
const OPTIONAL: [(&str, &str, &str); 5] = [
    ("emulator/debug/src/page/http.rs", "reserve::thread(", "browsers ask again for what has no answer"),
    ("raster/src/pool/crew.rs", "reserve::thread(", "fewer threads do the same work"),
    ("raster/src/sampling/table.rs", "reserve::thread(", "routines stay as they are"),
    ("raster/src/front/fetch/mod.rs", "buffer.read::<", "an array, which requests no memory"),
    ("raster/src/memory/buffer.rs", "self.range.read::<", "an array, which requests no memory"),
];

#[test]
fn failed_requests_are_not_dropped() {
    let mut used = BTreeSet::new();
    let mut wrong = String::new();
    for file in tested_crates().flat_map(|name| sources(&root().join(name).join("src"))) {
        let name = name_of(&file);
        for line in drops(&fs::read_to_string(&file).unwrap()) {
            match OPTIONAL.iter().find(|(of, how, _)| *of == name && line.contains(how)) {
                Some(row) => drop(used.insert(row)),
                None => wrong += &format!("  {name}: {line}\n"),
            }
        }
    }
    assert!(wrong.is_empty(), "errors of missing memory are dropped in\n{wrong}");
    assert_eq!(OPTIONAL.iter().find(|row| !used.contains(row)), None, "nothing is dropped there");
}

/// Returns the lines that drop the error of a request, outside of tests and comments. A line continues on those that begin
/// with a method call.
fn drops(text: &str) -> Vec<String> {
    let mut code = String::new();
    for line in code_of(text).lines() {
        if !line.trim_start().starts_with('.') {
            code.push('\n');
        }
        code += line.trim();
    }
    let dropped = |line: &&str| {
        REQUESTS.iter().flat_map(|request| line.match_indices(*request)).any(|(at, request)| {
            let (before, after) = (&line[..at], &line[at + request.len()..]);
            // `jit/src/reserve.rs` has more to say: the error of a panic, the file of a cache.
            let asks =
                !["guard(", "caught(", "write_file(", "BoundedFile"].iter().any(|n| after.starts_with(n));
            let rest = after_call(after, request.ends_with('('));
            asks && (DROPS_BEFORE.iter().any(|how| before.contains(how))
                || DROPS_AFTER.iter().any(|how| rest.starts_with(how)))
        })
    };
    code.lines().filter(dropped).map(str::to_owned).collect()
}

/// Returns the text after the arguments of a call, which may be `open` already.
fn after_call(text: &str, open: bool) -> &str {
    let mut depth = u32::from(open);
    for (i, c) in text.char_indices() {
        if c == ')' && depth == 1 {
            return &text[i + 1..];
        }
        depth = (depth + u32::from(c == '(')).saturating_sub(u32::from(c == ')'));
    }
    ""
}

#[test]
fn drops_are_found() {
    let found = |text: &str| drops(text).len();
    let text = "let Ok(n) = buffer.read::<u32>(at, 1) else { return };";
    assert_eq!(found(text), 1);
    assert_eq!(found("// let Ok(n) = buffer.read::<u32>(at, 1) else { return };"), 0);
    assert_eq!(found("let n = buffer\n    .read::<u32>(f(at), 1)\n    .map_or(0, |n| n[0]);"), 1);
    assert_eq!(found("let n = buffer.read_within(f(at), n).unwrap_or_default();"), 1);
    assert_eq!(found("let n = buffer.read_within(at, n)?.unwrap_or_default();"), 0);
    assert_eq!(found("let n = reserve::with_room(usize::try_from(n).unwrap_or(0))?;"), 0);
    assert_eq!(found("let n = reserve::with_room(n).ok();"), 1);
    assert_eq!(found("let _ = reserve::write_file(path, bytes);"), 0);
    assert_eq!(found("let n = a.read::<u32>(at, 1)?.max(b.read::<u32>(at, 1).unwrap_or_default());"), 1);
}
