//! Sessions over recordings: memory, and watchpoints in it.
#![cfg(feature = "glsl")]

mod common;

use std::sync::Arc;

use common::five;
use quadrille::frontend::Language;
use quadrille_debug::{Session, Stop, Stride, Way};

fn session(source: &str) -> Session {
    Session::new(Arc::new(five(source, Language::Glsl)), Language::Glsl)
}

fn print(session: &mut Session, text: &str) -> String {
    let lane = session.lane();
    session.evaluate(lane, text).map_or_else(|e| format!("error: {e}"), |a| a.text)
}

/// The time of a watchpoint depends on the elements that are accessed, not on those that are declared.
#[test]
fn an_element_of_a_large_array_is_watched() {
    let source = "#version 450
layout(local_size_x = 8) in;
struct Row { uint d[16777216]; };
layout(std430, binding = 0) buffer B { uint n; Row rows[]; } b;
void main() {
    b.rows[0].d[3] = 7u;
    b.n = 2u;
}
";
    let mut s = session(source);
    for text in ["b.rows", "b.rows[0]", "b.rows[0].d"] {
        s.seek(0);
        let id = s.add_watchpoint(text).unwrap().id;
        match s.go(Way::Forward) {
            Stop::Changed(changed, path, ..) => assert_eq!((changed, path.as_str()), (id, text)),
            other => panic!("{text}: {other:?}"),
        }
        assert_eq!(print(&mut s, "b.rows[0].d[3]"), "7", "{text}");
        assert!(s.remove(id));
    }
}

/// 65536 slots are watched, one more is too many.
#[test]
fn the_largest_part_is_watched() {
    for (n, is_watched) in [(65536, true), (65537, false)] {
        let source = format!(
            "#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B {{ uint n; }} b;
uint list[{n}];
void main() {{
    list[b.n] = 7u;
    b.n = list[b.n + 1u];
}}
"
        );
        let mut s = session(&source);
        assert_eq!(s.add_watchpoint("list").is_ok(), is_watched, "{n}");
        assert_eq!(matches!(s.go(Way::Forward), Stop::Changed(..)), is_watched, "{n}");
    }
}

/// Memory has what atomics make of it, whichever invocation did.
#[test]
fn atomics_change_memory() {
    let source = "#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint swapped, kept, sum; int least; uint last; } b;
shared uint s;
void main() {
    s = 5u;
    b.swapped = 7u;
    b.kept = 7u;
    atomicCompSwap(b.swapped, 7u, 9u);
    atomicCompSwap(b.kept, 6u, 9u);
    atomicCompSwap(s, 5u, 6u);
    atomicAdd(b.sum, 2u);
    atomicMin(b.least, -int(gl_LocalInvocationIndex));
    atomicExchange(b.last, gl_LocalInvocationIndex);
}
";
    let mut s = session(source);
    let end = s.recording().len();
    s.seek(end);
    for (name, value) in
        [("b.swapped", "9"), ("b.kept", "7"), ("s", "6"), ("b.sum", "16"), ("b.least", "-7"), ("b.last", "7")]
    {
        assert_eq!(print(&mut s, name), value, "{name}");
    }
}

/// Bytes of memory are one thing whatever the width of accesses to them.
#[test]
fn widths_of_accesses_do_not_matter() {
    let source = "#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer Words { uint list[]; } w;
layout(binding = 0) buffer Bytes { uint8_t list[]; } b;
layout(binding = 0) buffer Halves { uint16_t list[]; } h;
void main() {
    if (gl_LocalInvocationIndex == 5u) {
        w.list[1] = 0x01020304u;
        b.list[5] = uint8_t(0xff);
        h.list[0] = uint16_t(7);
    }
}
";
    let mut s = session(source);
    while s.stack()[0].line != 11 {
        s.step(Stride::Over, Way::Forward);
    }
    let all = ["w.list[1]", "b.list[4]", "b.list[5]", "h.list[3]", "w.list[0]", "b.list"];
    let before = all.map(|name| print(&mut s, name));
    assert_eq!(before, ["16909060", "4", "3", "258", "not accessed", "[[4]: 4, [5]: 3, [6]: 2, [7]: 1]"]);
    s.add_watchpoint("w.list[1]").unwrap();
    assert!(matches!(s.go(Way::Forward), Stop::Changed(..)));
    assert_eq!(s.stack()[0].line, 12);
    assert_eq!(print(&mut s, "w.list[1]"), 0x0102_ff04.to_string());
    let end = s.recording().len();
    s.seek(end);
    assert_eq!(print(&mut s, "h.list"), "[[0]: 7, [2]: 65284, [3]: 258]");
    // Half of the word is unknown.
    assert_eq!(print(&mut s, "w.list[0]"), "not accessed");
    assert_eq!(print(&mut s, "b.list[1]"), "0");
}
