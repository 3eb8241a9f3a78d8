//! Sessions over recordings: stepping, stops, variables, expressions, in both directions.
#![cfg(feature = "glsl")]

mod common;

use std::sync::Arc;

use common::{GLSL, WGSL, five, record};
use quadrille::apps::inputs::Inputs;
use quadrille::apps::picture::{Renderer, RendererDesc};
use quadrille::frontend::{Language, Options, Stage, compile};
use quadrille::{Device, DeviceOptions, Watching};
use quadrille_debug::commands::Commands;
use quadrille_debug::{Heat, Session, Sources, Stop, Stride, Way};

fn session() -> Session {
    Session::new(Arc::new(five(GLSL, Language::Glsl)), Language::Glsl)
}

fn lines(session: &Session) -> Vec<(String, u32)> {
    session.stack().into_iter().map(|f| (f.function, f.line)).collect()
}

fn line(session: &Session) -> u32 {
    session.stack()[0].line
}

fn print(session: &mut Session, text: &str) -> String {
    let lane = session.lane();
    session.evaluate(lane, text).map_or_else(|e| format!("error: {e}"), |a| a.text)
}

#[test]
fn steps_by_lines_over_into_and_out() {
    let mut s = session();
    assert_eq!(line(&s), 11);
    let mut seen = vec![];
    while s.step(Stride::Over, Way::Forward) == Stop::Step {
        seen.push(line(&s));
    }
    assert_eq!(seen, [12, 13, 14, 15, 14, 15, 14, 15, 14, 17, 18, 20, 21, 22]);
    assert!(s.is_at_end());
    let mut back = vec![];
    while s.step(Stride::Over, Way::Backward) == Stop::Step {
        back.push(line(&s));
    }
    // The first line is where going back ends.
    assert_eq!(back.last(), Some(&11));
    back.pop();
    back.reverse();
    seen.pop();
    assert_eq!(back[..seen.len()], seen);

    let mut s = session();
    while line(&s) != 15 {
        s.step(Stride::Over, Way::Forward);
    }
    s.step(Stride::Into, Way::Forward);
    assert_eq!(lines(&s), [("twice".into(), 7), ("main".into(), 15)]);
    s.step(Stride::Out, Way::Forward);
    assert_eq!(lines(&s), [("main".into(), 15)]);
    s.step(Stride::Into, Way::Backward);
    assert_eq!(lines(&s)[0].0, "twice");
    s.step(Stride::Out, Way::Backward);
    assert_eq!(lines(&s), [("main".into(), 15)]);
}

#[test]
fn every_step_is_the_same_in_both_directions() {
    let mut s = session();
    let n = s.recording().len();
    let names = ["sum", "light.power", "id", "tile[5]", "b.list[5]"];
    let all = |s: &mut Session, step: usize| {
        s.seek(step);
        names.map(|name| print(s, name))
    };
    let forwards: Vec<_> = (0..=n).map(|step| all(&mut s, step)).collect();
    for step in (0..=n).rev() {
        assert_eq!(all(&mut s, step), forwards[step], "step {step}");
    }
    assert_eq!(forwards[n], ["-30.0", "5.0", "5", "-30.0", "12.0"].map(str::to_owned));
}

#[test]
fn breakpoints_with_conditions_hits_and_messages() {
    let mut s = session();
    let file = s.file(None).unwrap();
    assert_eq!(s.add_breakpoint(file, 16).unwrap().line, 17);
    let b = s.add_breakpoint(file, 15).unwrap();
    b.condition = Some("i == 2 && sum > 1.0".into());
    let id = b.id;
    assert_eq!(s.go(Way::Forward), Stop::Breakpoint(id));
    assert_eq!([print(&mut s, "i"), print(&mut s, "sum")], ["2", "20.0"]);
    assert_eq!(s.go(Way::Forward), Stop::Breakpoint(1));
    assert_eq!((line(&s), s.go(Way::Forward)), (17, Stop::End));
    assert_eq!((s.go(Way::Backward), line(&s)), (Stop::Breakpoint(1), 17));
    assert_eq!((s.go(Way::Backward), print(&mut s, "i")), (Stop::Breakpoint(id), "2".into()));
    assert_eq!(s.go(Way::Backward), Stop::Start);

    s.breakpoints.clear();
    let b = s.add_breakpoint(file, 7).unwrap();
    (b.from_hit, b.condition) = (2, None);
    assert!(matches!(s.go(Way::Forward), Stop::Breakpoint(_)));
    assert_eq!(print(&mut s, "x"), "10.0".replace("10", "5"));
    s.frame = 1;
    assert_eq!(print(&mut s, "i"), "1");

    s.breakpoints.clear();
    s.start();
    s.add_breakpoint(file, 15).unwrap().message = Some("round {i}: {sum}".into());
    assert_eq!(s.go(Way::Forward), Stop::End);
    assert_eq!(s.said, ["round 0: 0.0", "round 1: 10.0", "round 2: 20.0"]);

    s.breakpoints.clear();
    s.start();
    let b = s.add_breakpoint(file, 15).unwrap();
    b.condition = Some("nonsense + 1".into());
    assert!(matches!(s.go(Way::Forward), Stop::Condition(..)));
}

#[test]
fn stops_where_a_variable_changes() {
    let mut s = session();
    while line(&s) != 14 {
        s.step(Stride::Over, Way::Forward);
    }
    let id = s.add_watchpoint("sum").unwrap().id;
    let changed = |old: &str, new: &str| Stop::Changed(id, "sum".into(), old.into(), new.into());
    assert_eq!(s.go(Way::Forward), changed("0.0", "10.0"));
    assert_eq!(print(&mut s, "sum"), "10.0");
    assert_eq!(s.go(Way::Forward), changed("10.0", "20.0"));
    assert_eq!(s.go(Way::Backward), changed("10.0", "20.0"));
    assert_eq!(print(&mut s, "sum"), "10.0");
    s.watchpoints[0].condition = Some("sum < 0.0".into());
    assert_eq!(s.go(Way::Forward), changed("30.0", "-30.0"));
    // The change was on line 18; it stands behind it.
    assert_eq!(line(&s), 20);
    let part = s.evaluate(5, "sum").unwrap().part.unwrap();
    let values: Vec<String> = s.history(&part, 10).into_iter().map(|(_, _, v)| v).collect();
    assert_eq!(values, ["10.0", "20.0", "30.0", "-30.0"]);
}

#[test]
fn lanes_beside_each_other() {
    let mut s = session();
    assert_eq!(s.lane(), 5);
    while line(&s) != 18 {
        s.step(Stride::Over, Way::Forward);
    }
    assert_eq!(s.active(), 0b1110_0000);
    let sums: Vec<String> = (0..8).map(|l| s.evaluate(l, "sum").unwrap().text).collect();
    assert_eq!(sums, ["0.0", "6.0", "12.0", "18.0", "24.0", "30.0", "36.0", "42.0"]);
    assert!(s.follow(2));
    // It is not there: line 18 is not its.
    let mut seen = vec![];
    s.start();
    while s.step(Stride::Over, Way::Forward) == Stop::Step {
        seen.push(line(&s));
    }
    assert!(!seen.contains(&18) && seen.ends_with(&[17, 20, 21, 22]), "{seen:?}");
    assert!(!s.follow(8));
}

#[test]
fn expressions_in_glsl() {
    let mut s = session();
    let end = s.recording().len();
    s.seek(end);
    for (text, expected) in [
        ("sum", "-30.0"),
        ("light", "{color: vec3(1.0, 0.5, 0.25), power: 5.0}"),
        ("light.color.g", "0.5"),
        ("light.color.zyx * 2.0", "vec3(0.5, 1.0, 2.0)"),
        ("mix(sum, 1.0, 0.5) + float(id)", "-9.5"),
        ("id > 4u && !isnan(sum)", "true"),
        ("tile[id]", "-30.0"),
        ("tile[7u - id] + 1.0", "13.0"),
        ("b.list[id]", "12.0"),
        ("gl_LocalInvocationID.x + 1u", "6"),
        ("1 + 2 * 3", "7"),
        ("mat2(1.0) * vec2(sum, 1.0)", "vec2(-30.0, 1.0)"),
        ("b.list[0]", "-42.0"),
        ("b.n", "not accessed"),
    ] {
        assert_eq!(print(&mut s, text), expected, "{text}");
    }
    for (text, part) in [
        ("b.n + 1u", "not known"),
        ("light + 1", "cannot compute"),
        ("tile[8]", "no element 8"),
        ("tile[", "not closed"),
        ("nothing + 1", "nothing"),
        ("", "nothing to evaluate"),
        ("sum); } void f() {", ""),
    ] {
        let text_ = print(&mut s, text);
        assert!(text_.starts_with("error: ") && text_.contains(part), "{text}: {text_}");
    }
}

#[test]
fn expressions_in_wgsl() {
    let mut s = Session::new(Arc::new(five(WGSL, Language::Wgsl)), Language::Wgsl);
    let end = s.recording().len();
    assert_eq!(lines(&s)[0].0, "main");
    s.seek(end);
    for (text, expected) in [
        ("sum", "30.0"),
        ("sum * 2.0 + f32(id)", "65.0"),
        ("vec3f(sum, 1.0, 2.0).xy", "vec2(30.0, 1.0)"),
        ("tile[7u - id]", "12.0"),
        ("select(1, 2, sum > 1.0)", "2"),
        ("b.list[5]", "12.0"),
    ] {
        assert_eq!(print(&mut s, text), expected, "{text}");
    }
    assert!(print(&mut s, "sum + 1u").starts_with("error: "));
    // What `let` names.
    let steps = 0..s.recording().len();
    let inside = steps.filter(|&step| {
        s.seek(step);
        lines(&s).first().is_some_and(|f| f.0 == "twice") && print(&mut s, "y") == "10.0"
    });
    let inside: Vec<usize> = inside.collect();
    assert!(!inside.is_empty());
    s.seek(inside[0]);
    assert_eq!(print(&mut s, "x"), "5.0");
}

#[test]
fn a_recording_that_is_too_long_says_so() {
    let whole = five(GLSL, Language::Glsl).len();
    let mut lengths = vec![];
    for bytes in [1 << 10, 8 << 10] {
        let all = record(GLSL, Language::Glsl, 5, bytes);
        assert!(all[0].cut.as_ref().unwrap().contains("limit"), "{:?}", all[0].cut);
        lengths.push(all[0].len());
    }
    assert!(lengths[0] < lengths[1] && lengths[1] < whole, "{lengths:?} of {whole}");
    assert!(record(GLSL, Language::Glsl, 99, 1 << 20).is_empty());
}

#[test]
fn what_pixels_cost() {
    let source = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() {\n  float s = 0.0;\n\
                  if (gl_FragCoord.x > 8.0) for (int i = 0; i < 9; i++) s += 0.1;\n  c = vec4(s);\n}\n";
    let options = Options::named("cost.frag");
    let words = compile(source.as_bytes(), Language::Glsl, Stage::Fragment, &options).unwrap();
    let heat = Heat::new((16, 8));
    let watch = Some(Watching(heat.watch()));
    let device = Device::new(DeviceOptions { watch, ..Default::default() }).unwrap();
    let desc = RendererDesc { words: &words, width: 16, height: 8, ..RendererDesc::default() };
    Renderer::new(&device, &desc).unwrap().render(&Inputs::new(16, 8, 0.0, 0)).unwrap();
    let (left, right) = (heat.of(1, 1), heat.of(14, 6));
    // Nine rounds of at least a comparison and two sums.
    assert!(left > 0 && right >= left + 27, "{left}, {right}");
    for x in 0..16 {
        assert_eq!(heat.of(x, 3), if x < 8 { left } else { right }, "{x}");
    }
    assert_eq!(heat.of(16, 0), 0);
    let picture = image::load_from_memory(&heat.png(false)).unwrap().into_rgb8();
    assert_eq!((picture.dimensions(), picture.get_pixel(15, 0).0), ((16, 8), [255; 3]));
}

/// A whole session at the prompt.
#[test]
fn commands() {
    let mut sources = Sources::default();
    sources.give("sums.comp", GLSL);
    let mut commands = Commands::new(vec![session()], &sources);
    let script = "break 15 if i == 1\ncontinue\nprint sum\nprint @lanes light.power\nstep\nwhere\nlocals\nfinish\n\
                  watch sum\nc\nrc\nrnext\nlist\ndisplay sum * 2.0\nnext\ninfo\nlanes\nlane 2\nhistory sum\ndisas\nstepi\n\
                  delete\nc\nglobals\nfrobnicate\nquit\n";
    let mut out = Vec::new();
    commands.run(&mut script.as_bytes(), &mut out, true).unwrap();
    let out = String::from_utf8(out).unwrap();
    for part in [
        "invocation (5, 0, 0): lane 5 of 8",
        "main sums.comp:11\n   11      uint id = gl_LocalInvocationID.x;",
        "breakpoint 1 at line 15",
        "(quadrille) continue\nbreakpoint 1\nmain sums.comp:15",
        "sum = 10.0",
        "*  7  7.0",
        "twice sums.comp:7",
        ">#0 twice sums.comp:7\n #1 main sums.comp:15",
        "x = 5.0",
        "watch 2: sum: 10.0 -> 20.0",
        " *  15  ",
        "1: sum * 2.0 = ",
        "breakpoint 1: sums.comp:15 if i == 1",
        "2  invocation (2, 0, 0)",
        "step ",
        "word ",
        "the invocation has ended",
        "b = {n: not accessed",
        "`frobnicate` is no command",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}
