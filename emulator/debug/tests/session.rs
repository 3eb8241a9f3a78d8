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
use quadrille_debug::{Breakpoint, Heat, MAX_BYTES, Recorder, Session, Sources, Stop, Stride, Target, Way};

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
    assert_eq!(seen, [12, 13, 14, 15, 14, 15, 14, 15, 14, 17, 18, 20, 21, 22, 23]);
    assert!(s.is_at_end());
    let mut back = vec![];
    while s.step(Stride::Over, Way::Backward) == Stop::Step {
        back.push(line(&s));
    }
    // Going back ends at the first line.
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

/// From the middle of a line, its breakpoint is behind.
#[test]
fn going_back_stops_at_the_start_of_the_line() {
    let mut s = session();
    let file = s.file(None).unwrap();
    let id = s.add_breakpoint(file, 18).unwrap().id;
    assert_eq!(s.go(Way::Forward), Stop::Breakpoint(id));
    let start = s.step_number();
    assert_eq!((s.step_instruction(Way::Forward), line(&s)), (Stop::Step, 18));
    assert_eq!((s.go(Way::Backward), s.step_number()), (Stop::Breakpoint(id), start));
    assert_eq!(s.go(Way::Backward), Stop::Start);
}

#[test]
fn breakpoints_on_heads_of_functions_stop_in_them() {
    let mut s = session();
    let file = s.file(None).unwrap();
    // Compilers attribute the variables of a function to its head, which has no executed code.
    assert_eq!(s.add_breakpoint(file, 6).unwrap().line, 7);
    assert_eq!(s.go(Way::Forward), Stop::Breakpoint(1));
    assert_eq!(lines(&s)[0], ("twice".into(), 7));
    assert_eq!(s.add_breakpoint(file, 10).unwrap().line, 11);
    assert_eq!(s.break_in_function("twice").unwrap().line, 7);
    assert!(s.break_in_function("thrice").is_none());
    s.remove(1);
    s.remove(3);
    assert_eq!((s.go(Way::Backward), line(&s)), (Stop::Breakpoint(2), 11));
    assert!(s.add_breakpoint(file, 24).is_none());
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
    // The change was on line 18; the session stops after it.
    assert_eq!(line(&s), 20);
    let part = s.evaluate(5, "sum").unwrap().part.unwrap();
    let values: Vec<String> = s.history(&part, 10).into_iter().map(|(_, _, v)| v).collect();
    assert_eq!(values, ["10.0", "20.0", "30.0", "-30.0"]);
}

/// Elements of arrays of unknown length, and values that nobody stores.
#[test]
fn whatever_changes_is_watched() {
    let mut s = session();
    let all = "[[0]: -42.0, [1]: -36.0, [2]: -30.0, [3]: 24.0, [4]: 18.0, [5]: 12.0, [6]: 6.0, [7]: 0.0]";
    let id = s.add_watchpoint("b.list").unwrap().id;
    assert_eq!(s.go(Way::Forward), Stop::Changed(id, "b.list".into(), "[]".into(), all.into()));
    let part = s.evaluate(5, "b.list").unwrap().part.unwrap();
    let values: Vec<String> = s.history(&part, 10).into_iter().map(|(_, _, v)| v).collect();
    assert_eq!((values, s.go(Way::Forward)), (vec![all.to_owned()], Stop::End));
    for never in ["gl_LocalInvocationID", "b.n"] {
        assert!(s.add_watchpoint(never).unwrap_err().contains("never changes"), "{never}");
    }

    let mut s = Session::new(Arc::new(five(WGSL, Language::Wgsl)), Language::Wgsl);
    let doubled = (0..s.recording().len()).find(|&step| {
        s.seek(step);
        lines(&s).first().is_some_and(|f| f.0 == "twice") && print(&mut s, "y") == "10.0"
    });
    s.seek(doubled.unwrap());
    let id = s.add_watchpoint("y").unwrap().id;
    // A value with a name is a variable, which is 0 when its call begins.
    let changed = Stop::Changed(id, "y".into(), "0.0".into(), "10.0".into());
    assert_eq!(s.go(Way::Backward), changed);
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
    // This lane does not execute line 18.
    let mut seen = vec![];
    s.start();
    while s.step(Stride::Over, Way::Forward) == Stop::Step {
        seen.push(line(&s));
    }
    assert!(!seen.contains(&18) && seen.ends_with(&[17, 20, 21, 22, 23]), "{seen:?}");
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
        ("light + 1", "wrong operand types"),
        ("b.list + 1.0", "do not support"),
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

/// A shader with declarations: a macro, a constant, a structure, functions, a module-scope variable.
const DECLARES: &str = "#version 450
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer B { uint n; float list[]; } b;
#define SQUARE(x) ((x) * (x))
const float STEPS[3] = float[3](0.5, 1.0, 2.0);
struct Light { vec3 color; float power; };
float scale = 3.0;
/* not this: float shade(Light l) { return 0.0; } */
float shade(Light l, float weights[3]) {
    float sum = 0.0;
    for (int i = 0; i < 3; i++) sum += l.power * weights[i] * STEPS[i];
    return sum * scale;
}
void main() {
    uint id = gl_LocalInvocationID.x;
    Light lights[2] = Light[2](Light(vec3(1.0), 2.0), Light(vec3(0.5), float(id)));
    float weights[3] = float[3](1.0, 10.0, 100.0);
    mat2x3 m = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    double d = 0.5lf;
    float power = 7.0;
    b.list[id] = shade(lights[1], weights) + SQUARE(float(d)) + m[1].z + power;
}
";

#[test]
fn functions_arrays_and_structures_in_expressions() {
    let mut sources = Sources::default();
    sources.give("sums.comp", DECLARES);
    let mut s = Session::new(Arc::new(five(DECLARES, Language::Glsl)), Language::Glsl);
    s.give(sources.clone());
    let end = s.recording().len();
    s.seek(end);
    for (text, expected) in [
        ("shade(lights[1], weights)", "3157.5"),
        ("shade(lights[0], weights) + 1.0", "1264.0"),
        ("shade(Light(vec3(0.0), 1.0), float[3](1.0, 0.0, 0.0))", "1.5"),
        ("STEPS[2] + SQUARE(power)", "51.0"),
        ("lights[1].color.zyx * 2.0", "vec3(1.0, 1.0, 1.0)"),
        ("weights[0] + weights[id - 3u]", "101.0"),
        ("weights.length()", "3"),
        ("lights[1] == lights[0]", "false"),
        ("lights[1] == Light(vec3(0.5), float(id))", "true"),
        ("m * vec2(1.0, 0.0)", "vec3(1.0, 2.0, 3.0)"),
        ("transpose(m)", "mat3x2(vec2(1.0, 4.0), vec2(2.0, 5.0), vec2(3.0, 6.0))"),
        ("d * 4.0lf", "2.0"),
        ("double(m[1].z) + d", "6.5"),
        ("dot(lights[1].color, vec3(2.0))", "3.0"),
        ("clamp(length(vec2(3.0, 4.0)), 0.0, float(id)) >= 5.0", "true"),
        ("id > 3u ? mix(weights[0], weights[1], 0.5) : 0.0", "5.5"),
        ("bvec2(true, id == 5u)", "bvec2(true, true)"),
    ] {
        assert_eq!(print(&mut s, text), expected, "{text}");
    }
    assert!(print(&mut s, "shade(lights[1])").starts_with("error: "));
    // Conditions can use them, too.
    let file = s.file(None).unwrap();
    s.start();
    let b = s.add_breakpoint(file, 21).unwrap();
    b.condition = Some("shade(lights[0], weights) > 1000.0".into());
    let id = b.id;
    assert_eq!(s.go(Way::Forward), Stop::Breakpoint(id));
    s.breakpoints[0].condition = Some("shade(lights[0], weights) > 2000.0".into());
    s.start();
    assert_eq!(s.go(Way::Forward), Stop::End);
    // Without the text, the types are still available.
    let mut s = Session::new(Arc::new(five(DECLARES, Language::Glsl)), Language::Glsl);
    s.seek(end);
    assert_eq!(print(&mut s, "lights[1] == lights[0]"), "false");
}

#[test]
fn functions_of_wgsl_in_expressions() {
    let source = "struct B { n: u32, list: array<f32> }
struct Light { color: vec3<f32>, power: f32 }
@group(0) @binding(0) var<storage, read_write> b: B;
const STEPS = array<f32, 3>(0.5, 1.0, 2.0);
var<private> scale: f32 = 3.0;
fn shade(l: Light, i: u32) -> f32 {
    return l.power * STEPS[i] * scale;
}
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) id: u32) {
    var light = Light(vec3<f32>(1.0, 0.5, 0.25), f32(id));
    var weights = array<f32, 2>(1.0, 10.0);
    weights[1] = shade(light, 2u);
    b.list[id] = weights[1] + light.color.y;
}
";
    let mut sources = Sources::default();
    sources.give("sums.wgsl", source);
    let mut s = Session::new(Arc::new(five(source, Language::Wgsl)), Language::Wgsl);
    s.give(sources);
    let end = s.recording().len();
    s.seek(end);
    for (text, expected) in [
        ("shade(light, 2u)", "30.0"),
        ("shade(Light(vec3f(0.0), 1.0), 0u) + STEPS[1]", "2.5"),
        ("light.color.zyx", "vec3(0.25, 0.5, 1.0)"),
        ("dot(light.color, vec3f(2.0))", "3.5"),
        ("all(light.color > vec3f(0.1))", "true"),
        ("weights[0] + weights[1]", "31.0"),
        ("mat2x2f(1.0, 2.0, 3.0, 4.0) * vec2f(1.0, 0.0)", "vec2(1.0, 2.0)"),
    ] {
        assert_eq!(print(&mut s, text), expected, "{text}");
    }
}

#[test]
fn functions_of_agsl_in_expressions() {
    let source = "const half LEVEL = 0.25;
half3 bright(half3 c, float by) {
    return saturate(c * by);
}
half4 main(float2 at) {
    half3 c = half3(0.25, 0.5, LEVEL);
    float x = at.x * 2.0;
    return half4(bright(c, x), 1.0);
}
";
    let options = Options { named_values: true, ..Options::named("bright.agsl") };
    let words = compile(source.as_bytes(), Language::Agsl, Stage::Fragment, &options).unwrap();
    let recorder = Recorder::new(Target::Pixel([3, 1]), MAX_BYTES);
    let watch = Some(Watching::new(recorder.watch()));
    let device = Device::new(DeviceOptions { threads: 1, watch, ..Default::default() }).unwrap();
    let desc = RendererDesc { words: &words, width: 8, height: 4, ..RendererDesc::default() };
    Renderer::new(&device, &desc).unwrap().render(&Inputs::new(8, 4, 0.0, 0)).unwrap();
    let recording = recorder.take().remove(0);
    let mut sources = Sources::default();
    sources.give("bright.agsl", source);
    let mut s = Session::new(Arc::new(recording), Language::Agsl);
    s.give(sources);
    while line(&s) != 7 {
        assert_eq!(s.step(Stride::Over, Way::Forward), Stop::Step);
    }
    for (text, expected) in [
        ("at.x", "3.5"),
        ("bright(c, at.x)", "vec3(0.875, 1.0, 0.875)"),
        ("bright(half3(0.1, 0.5, LEVEL), 2.0).y", "1.0"),
        ("saturate(at.x)", "1.0"),
        ("unpremul(half4(0.25, 0.5, 0.0, 0.5))", "vec4(0.5, 1.0, 0.0, 0.5)"),
        ("toLinearSrgb(float3(1.0, 0.0, -1.0))", "vec3(1.0, 0.0, -1.0)"),
        ("float2x2(1.0, 2.0, 3.0, 4.0)[1]", "vec2(3.0, 4.0)"),
    ] {
        assert_eq!(print(&mut s, text), expected, "{text}");
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
    // Values that `let` declares.
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
    let watch = Some(Watching::new(heat.watch()));
    let device = Device::new(DeviceOptions { watch, ..Default::default() }).unwrap();
    let desc = RendererDesc { words: &words, width: 16, height: 8, ..RendererDesc::default() };
    Renderer::new(&device, &desc).unwrap().render(&Inputs::new(16, 8, 0.0, 0)).unwrap();
    let (left, right) = (heat.of(1, 1), heat.of(14, 6));
    // Nine iterations with at least a comparison and two sums each.
    assert!(left > 0 && right >= left + 27, "{left}, {right}");
    for x in 0..16 {
        assert_eq!(heat.of(x, 3), if x < 8 { left } else { right }, "{x}");
    }
    assert_eq!(heat.of(16, 0), 0);
    let picture = image::load_from_memory(&heat.png(false)).unwrap().into_rgb8();
    assert_eq!((picture.dimensions(), picture.get_pixel(15, 0).0), ((16, 8), [255; 3]));
}

/// A line is marked if its own file has a breakpoint there.
#[test]
fn breakpoints_of_other_files_are_not_listed() {
    let mut s = session();
    let file = s.file(None).unwrap();
    s.add_breakpoint(file, 15).unwrap();
    s.breakpoints.push(Breakpoint { id: 9, file: file + 1, line: 13, ..Breakpoint::default() });
    let mut sources = Sources::default();
    sources.give("sums.comp", GLSL);
    let mut out = Vec::new();
    Commands::new(vec![s], &sources).run(&mut &b"list\nquit\n"[..], &mut out, true).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains(" *  15  ") && out.contains("    13  ") && !out.contains("*  13"), "{out}");
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
        ">*  15  ",
        "1: sum * 2.0 = ",
        "breakpoint 1: sums.comp:15 if i == 1",
        "2  invocation (2, 0, 0)",
        "step ",
        "word ",
        "the invocation has ended",
        "b = {n: not accessed",
        "`frobnicate` is not a command",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}

/// A number that is none is refused; without a number, `delete` and `undisplay` are for all.
#[test]
fn commands_take_only_numbers() {
    let mut sources = Sources::default();
    sources.give("sums.comp", GLSL);
    let mut commands = Commands::new(vec![session()], &sources);
    let mut ask = |line: &str| commands.command(line).unwrap_or_default();
    assert_eq!(ask("break 15"), "breakpoint 1 at line 15\n");
    ask("continue");
    let at = ask("where");
    for (line, answer) in [
        ("watch sum if i > 1", "watch 2: sum\n"),
        ("delete x", "there is no breakpoint or watchpoint x\n"),
        ("delete -1", "there is no breakpoint or watchpoint -1\n"),
        ("undisplay 1", "there is no display 1\n"),
        ("display", ""),
        ("step x", "N: give a number from 1 on\n"),
        ("rnext 0", "N: give a number from 1 on\n"),
        ("continue -1", "N: give a number from 1 on\n"),
        ("", ""),
        ("list x", "list LINE: give a number\n"),
    ] {
        assert_eq!(ask(line), answer, "{line}");
    }
    assert_eq!(ask("where"), at);
    let info = ask("info");
    assert!(info.contains("breakpoint 1: ") && info.contains("watch 2: sum if i > 1\n"), "{info}");
    assert_eq!(ask("delete"), "");
    assert!(!ask("info").contains("watch"));
}

/// Buffers of WGSL are what the source says, without the structures that the front end adds around them.
#[test]
fn buffers_of_wgsl_are_not_wrapped() {
    let source = "@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
    list[i] = 2u * i;
}";
    let mut s = Session::new(Arc::new(five(source, Language::Wgsl)), Language::Wgsl);
    s.seek(s.recording().len());
    for (text, expected) in [
        ("list[5]", "10"),
        ("list[i - 1u] + 1u", "9"),
        ("list", "[[0]: 0, [1]: 2, [2]: 4, [3]: 6, [4]: 8, [5]: 10, [6]: 12, [7]: 14]"),
    ] {
        assert_eq!(print(&mut s, text), expected, "{text}");
    }
    s.seek(0);
    let id = s.add_watchpoint("list[5]").unwrap().id;
    let changed = Stop::Changed(id, "list[5]".into(), "not accessed".into(), "10".into());
    assert_eq!(s.go(Way::Forward), changed);
    let source = source.replace("array<u32>", "vec4<u32>").replace("list[i] = 2u", "list.y = 3u + 0u");
    let mut s = Session::new(Arc::new(five(&source, Language::Wgsl)), Language::Wgsl);
    s.seek(s.recording().len());
    assert_eq!(print(&mut s, "list.y + 1u"), "4");
}

/// Messages are about the expression, not about the shader around it.
#[test]
fn mistakes_in_expressions_are_named() {
    let mut s = session();
    let no_value = "error: the value is not a scalar, a vector or a matrix";
    assert_eq!(print(&mut s, "float[](1.0, 2.0)"), no_value);
    assert_eq!(print(&mut s, "barrier()"), no_value);
    let mut s = Session::new(Arc::new(five(WGSL, Language::Wgsl)), Language::Wgsl);
    assert_eq!(print(&mut s, "array<f32, 2>(1.0, 2.0)"), no_value);
    let mixed = print(&mut s, "1u + 2.5");
    assert!(mixed.starts_with("error: ") && mixed != no_value && !mixed.contains("`x`"), "{mixed}");
}
