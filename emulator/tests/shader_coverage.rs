//! Coverage and profiles with known counts.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use quadrille::coverage::{Coverage, lcov};
use quadrille::*;
use quadrille_profile::{Profile, Recorder};

/// Source under test; its first line is line 1.
const LOOPS: &str = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
fn unused(x: u32) -> u32 {
    return x * 2u;
}
fn twice(x: u32) -> u32 {
    return x * 2u;
}
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    for (var i = 0u; i < 10u; i++) {
        sum += twice(i) * id.x;
    }
    if (id.x > 100u) {
        sum = unused(sum);
    }
    if ((id.x & 1u) == 0u) {
        sum += 1u;
    }
    data[id.x] = sum;
}";

fn watched(recorder: &Arc<Recorder>) -> Device {
    let watch = Some(Watching::new(recorder.clone()));
    Device::new(DeviceOptions { threads: 2, lanes: 8, watch, ..DeviceOptions::default() }).unwrap()
}

/// Runs 16 invocations of `LOOPS`.
fn loops(recorder: &Arc<Recorder>) -> Vec<u32> {
    let device = watched(recorder);
    let test = ShaderTest::wgsl(LOOPS).unwrap().on(&device).bind_zeros::<u32>(0, 0, 16);
    test.dispatch([2, 1, 1]).unwrap().read::<u32>(0, 0).unwrap()
}

fn only(coverage: &Coverage) -> &coverage::FileCoverage {
    assert_eq!(coverage.files.len(), 1, "{:?}", coverage.files.keys());
    coverage.files.values().next().unwrap()
}

#[test]
fn lines_functions_and_branches_are_counted() {
    let recorder = Arc::new(Recorder::new());
    let expected: Vec<u32> = (0..16).map(|id| 90 * id + u32::from(id % 2 == 0)).collect();
    assert_eq!(loops(&recorder), expected);
    let coverage = recorder.coverage();
    let file = only(&coverage);
    let lines = |n: u32| file.lines.get(&n).copied();
    // 16 invocations; the loop has 10 iterations and evaluates its condition 11 times.
    assert_eq!(lines(6), Some(160), "{file:?}");
    assert_eq!(lines(10), Some(176), "{file:?}");
    assert_eq!(lines(11), Some(160));
    assert_eq!(lines(13), Some(16));
    assert_eq!((lines(14), lines(3)), (Some(0), Some(0)));
    assert_eq!((lines(16), lines(17), lines(19)), (Some(16), Some(8), Some(16)));
    assert_eq!((lines(1), lines(7), lines(20)), (None, None, None));
    let function = |name: &str| {
        let found = file.functions.iter().find(|((_, of), _)| of.starts_with(name));
        found.map(|(_, hits)| *hits)
    };
    assert_eq!((function("main"), function("twice"), function("unused")), (Some(16), Some(160), Some(0)));
    let taken = |line: u32| -> Vec<u64> {
        file.branches.iter().filter(|(b, _)| b.line == line).map(|(_, n)| *n).collect()
    };
    assert_eq!((taken(13), taken(16)), (vec![0, 16], vec![8, 8]));
    let mut rounds = taken(10);
    rounds.sort_unstable();
    assert_eq!(rounds, [16, 160]);
    // The counts of a second run are added.
    loops(&recorder);
    assert_eq!(only(&recorder.coverage()).lines[&11], 320);
    // Taking the coverage resets it.
    let mut taken = Coverage::default();
    recorder.take_coverage().iter().for_each(|of_shader| taken.add(of_shader));
    assert_eq!(only(&taken).lines[&11], 320);
    assert!(recorder.coverage().files.values().all(|f| f.lines.values().all(|n| *n == 0)));
    let text = lcov::write(&coverage);
    assert!(text.contains("DA:11,160\n") && text.contains("DA:14,0\n") && text.contains("BRDA:13,0,0,0\n"));
    assert_eq!(lcov::read(&text).unwrap().files.values().next().unwrap().lines, file.lines);
}

/// Two modules that give different texts one name, which is that of no file.
#[test]
fn texts_of_one_name_are_apart() {
    let folder = std::env::temp_dir().join(format!("quadrille-coverage-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let counting = coverage::Counting::new(folder.join("all.lcov"));
    let watch = Some(counting.watching());
    let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
    for blanks in ["", "\n\n"] {
        let source = format!(
            "@group(0) @binding(0) var<storage, read_write> v: array<f32>;\n{blanks}@compute @workgroup_size(4)\n\
             fn main(@builtin(global_invocation_id) id: vec3u) {{\n    v[id.x] = 1.0;\n}}\n"
        );
        let words = frontend::compile_wgsl(&source, &frontend::Options::named("no/file.wgsl")).unwrap();
        let test = ShaderTest::spirv(&words).on(&device).bind_zeros::<f32>(0, 0, 4);
        test.dispatch([1, 1, 1]).unwrap();
    }
    let all = counting.write().unwrap();
    let mut lines: Vec<_> =
        all.files.values().map(|f| [4, 6].map(|line| f.lines.get(&line).copied())).collect();
    lines.sort();
    assert_eq!(lines, [[None, Some(4)], [Some(4), None]], "{:?}", all.files.keys());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Coverage of the only file of a GLSL compute shader, run with 4 invocations on zeros.
#[cfg(feature = "glsl")]
fn covered(source: &str) -> coverage::FileCoverage {
    let recorder = Arc::new(Recorder::new());
    let device = watched(&recorder);
    let words = frontend::compile_glsl(source, Stage::Compute, &frontend::Options::named("a.comp")).unwrap();
    let test = ShaderTest::spirv(&words).on(&device).bind_zeros::<f32>(0, 0, 4);
    test.dispatch([1, 1, 1]).unwrap();
    only(&recorder.coverage()).clone()
}

/// A returned value counts at the call, and not on the line of the function's last return.
#[cfg(feature = "glsl")]
#[test]
fn a_return_behind_one_that_is_taken_has_not_run() {
    let file = covered(
        "#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Values { float v[]; };
float early(float x) {
    if (x < 10.0) {
        return 1.0;
    }
    return 2.0;
}
vec2 late(float x) {
    if (x > 10.0) return vec2(x);
    if (x > 20.0) {
        return vec2(1.0);
    }
    return
        vec2(2.0, x);
}
void main() {
    uint i = gl_LocalInvocationIndex;
    v[i] = early(v[i])
        + late(v[i]).x;
    if (i < 9) return;
    v[i] = 2.0;
}",
    );
    let expected = [(5, 4), (6, 4), (8, 0), (11, 4), (12, 4), (13, 0), (20, 4), (22, 4), (23, 0)];
    for (line, hits) in expected {
        assert_eq!(file.lines.get(&line), Some(&hits), "line {line}: {file:?}");
    }
    assert!(file.lines.iter().any(|(line, hits)| (15..=16).contains(line) && *hits == 4), "{file:?}");
}

/// `&&` and `||` have two branches, whether or not the compiler emits a branch: one on which the right operand decides,
/// and one on which it is not evaluated.
#[cfg(feature = "glsl")]
#[test]
fn choices_within_expressions_are_branches() {
    let file = covered(
        "#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Values { float v[]; };
float twice(float x) { return x * 2.0; }
void main() {
    uint i = gl_LocalInvocationIndex;
    bool a = i > 0u && i < 2u;
    bool b = i > 2u || v[i] > 1.0;
    bool c = i > 9u || twice(v[i]) > 1.0;
    float d = i == 3u ? 1.0 : 2.0;
    float e = i > 5u ? twice(v[i]) : v[0];
    vec3 f = i != 3u ? vec3(1.0) : vec3(d);
    vec2 g = mix(vec2(1), vec2(2), bvec2(a, b));
    if (a && b && c) {
        e = 3.0;
    }
    v[i] = d + e + f.x + g.x;
}",
    );
    let ways = |line: u32| -> Vec<(u32, u64)> {
        file.branches.iter().filter(|(b, _)| b.line == line).map(|(b, n)| (b.block, *n)).collect()
    };
    assert_eq!(ways(7), [(0, 3), (0, 1)], "{file:?}");
    assert_eq!(ways(8), [(0, 3), (0, 1)], "{file:?}");
    assert_eq!(ways(9), [(0, 4), (0, 0)], "{file:?}");
    assert_eq!(ways(10), [(0, 1), (0, 3)], "{file:?}");
    assert_eq!(ways(11), [(0, 0), (0, 4)], "{file:?}");
    assert_eq!(ways(12), [(0, 3), (0, 1)], "{file:?}");
    assert_eq!(ways(13), [], "{file:?}");
    // `a` is true in one invocation, in which `b` is false, so the branch is never taken.
    assert_eq!(ways(14), [(0, 1), (0, 3), (1, 0), (1, 4), (2, 0), (2, 4)], "{file:?}");
}

/// Entry points that are compiled but never run have lines with a count of 0.
#[test]
fn what_never_runs_counts_as_nothing() {
    let recorder = Arc::new(Recorder::new());
    let device = watched(&recorder);
    let words = frontend::compile_wgsl(LOOPS, &frontend::Options::named("never.wgsl")).unwrap();
    let module = device.create_shader_module(&words).unwrap();
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let set = device.create_descriptor_set_layout(&[binding]).unwrap();
    let layout = device.create_pipeline_layout(&[set], 0).unwrap();
    let stage = ShaderStage::new(&module, "main");
    let _pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout }).unwrap();
    let coverage = recorder.coverage();
    let file = only(&coverage);
    assert!(file.lines.contains_key(&11) && file.lines.values().all(|n| *n == 0), "{file:?}");
    assert_eq!(file.function_counts(), (0, 3));
    assert!(lcov::write(&coverage).contains("BRDA:13,0,0,-\n"));
}

fn cost(profile: &Profile, line: u32) -> quadrille_profile::LineCost {
    let found = profile.lines.iter().find(|((_, of), _)| *of == line);
    *found.unwrap_or_else(|| panic!("line {line}: {:?}", profile.lines.keys())).1
}

/// Number of IR instructions of a line; inlined functions count once per call.
fn instructions(line: u32) -> u64 {
    let recorder = Arc::new(Recorder::new());
    let device = watched(&recorder);
    let words = frontend::compile_wgsl(LOOPS, &frontend::Options::default()).unwrap();
    let module = device.create_shader_module(&words).unwrap();
    let shader = device.reflect(&ShaderStage::new(&module, "main"), Stage::Compute).unwrap();
    fn count(region: &ir::Region, line: u32) -> u64 {
        let each = region.nodes.iter().map(|node| match node {
            ir::Node::Inst(i) => u64::from(i.src.line == line && i.op != ir::Op::Note),
            ir::Node::If(node) => count(&node.then, line) + count(&node.els, line),
            ir::Node::Block(node) => count(&node.body, line),
            ir::Node::Loop(node) => count(&node.body, line),
        });
        each.sum()
    }
    count(&shader.body, line)
}

#[test]
fn operations_lanes_and_bytes_are_exact() {
    let recorder = Arc::new(Recorder::new());
    loops(&recorder);
    let profile = recorder.profile();
    assert_eq!(profile.invocations, 16);
    // Two lane groups of 8 lanes, 10 iterations each.
    let line = cost(&profile, 11);
    let n = instructions(11);
    assert!(n >= 2, "a product and a sum");
    assert_eq!((line.operations, line.instructions, line.lanes), (160 * n, 20 * n, 160 * n));
    assert_eq!(line.utilization(), 1.0);
    // Half of the lanes are active.
    let (line, n) = (cost(&profile, 17), instructions(17));
    assert!(n >= 1);
    assert_eq!((line.operations, line.instructions, line.lanes), (8 * n, 2 * n, 16 * n));
    assert_eq!(line.utilization(), 0.5);
    // Each invocation writes one word.
    let line = cost(&profile, 19);
    assert_eq!((line.buffer_read, line.buffer_written), (0, 64));
    assert_eq!(cost(&profile, 14).operations, 0);
    let total = profile.total();
    #[cfg(feature = "json")]
    assert_eq!(profile.json()["total"]["operations"], total.operations);
    assert!(total.operations > 0);
    assert!(profile.table(3).contains("operations of 16 invocations"));
}

/// Sources that are embedded in programs have the name of their language.
#[test]
fn texts_of_one_name_have_their_own_costs() {
    let recorder = Arc::new(Recorder::new());
    let device = watched(&recorder);
    let short = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(1) fn main() {
    data[0] = 1u;
}";
    for source in [short, &short.replace("1u;", "2u;"), short] {
        let test = ShaderTest::wgsl(source).unwrap().on(&device).bind_zeros::<u32>(0, 0, 1);
        test.dispatch([1, 1, 1]).unwrap();
    }
    let profile = recorder.profile();
    let mut invocations: Vec<u64> = profile.shaders.values().map(|shader| shader.invocations).collect();
    invocations.sort_unstable();
    assert_eq!(invocations, [1, 2]);
    for (name, text) in &profile.texts {
        let twice = text.contains("data[0] = 1u;");
        assert_eq!(profile.lines[&(name.clone(), 3)].buffer_written, if twice { 8 } else { 4 });
    }
    assert_eq!(profile.texts.len(), 2);
}

/// The cost of a pixel is proportional to its work.
#[test]
fn pixels_have_their_cost() {
    let source = "@group(0) @binding(0) var<uniform> bound: u32;
    @fragment fn main(@builtin(position) at: vec4f) -> @location(0) vec4f {
        var sum = 0.0;
        for (var i = 0u; i < u32(at.x); i++) { sum += 0.5 * f32(bound); }
        return vec4f(sum);
    }";
    let recorder = Arc::new(Recorder::with_heat());
    let device = watched(&recorder);
    ShaderTest::wgsl(source).unwrap().on(&device).bind(0, 0, &[1u32]).draw(16, 8).unwrap();
    let heat = recorder.heat();
    assert_eq!(heat.size(), (16, 8));
    let step = heat.at(1, 0) - heat.at(0, 0);
    assert!(step > 0);
    for y in 0..8 {
        for x in 0..16 {
            assert_eq!(heat.at(x, y), heat.at(0, 0) + step * x as u64, "({x}, {y})");
        }
    }
    assert_eq!(heat.most(), heat.at(15, 0));
    let picture = heat.picture(16, 8);
    assert!(picture.get_pixel(15, 3).0[0] > picture.get_pixel(0, 3).0[0]);
    // Plus the three vertices that cover the image, which have no source.
    assert_eq!(recorder.profile().invocations, 128 + 3);
}

/// Lines of AGSL refer to the program, not to its translation.
#[test]
fn lines_are_those_of_the_author() {
    let source = "half4 main(float2 at) {
        float x = at.x * 0.25;
        if (at.x > 100.0) {
            x = sin(x);
        }
        return half4(half(x));
    }";
    let recorder = Arc::new(Recorder::new());
    let device = watched(&recorder);
    ShaderTest::agsl(source).unwrap().on(&device).draw(4, 4).unwrap();
    let coverage = recorder.coverage();
    let file = only(&coverage);
    assert_eq!((file.lines.get(&2), file.lines.get(&4)), (Some(&16), Some(&0)), "{file:?}");
}

/// Lines of GLSL with functions.
#[cfg(feature = "glsl")]
#[test]
fn lines_of_glsl() {
    let source = "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
uint next(uint x) {
    return x + 1u;
}
void main() {
    uint at = gl_GlobalInvocationID.x;
    switch (at) {
        case 0u: data[at] = next(5u); break;
        case 1u: data[at] = 7u; break;
        case 9u: data[at] = next(9u); break;
    }
}";
    let recorder = Arc::new(Recorder::new());
    let device = watched(&recorder);
    let test = ShaderTest::glsl(source).unwrap().on(&device).bind_zeros::<u32>(0, 0, 4);
    assert_eq!(test.dispatch([1, 1, 1]).unwrap().read::<u32>(0, 0).unwrap(), [6, 7, 0, 0]);
    let coverage = recorder.coverage();
    let file = only(&coverage);
    let lines = |n: u32| file.lines.get(&n).copied();
    assert_eq!((lines(5), lines(10), lines(11), lines(12)), (Some(1), Some(1), Some(1), Some(0)), "{file:?}");
    let function =
        |name: &str| file.functions.iter().find(|((_, of), _)| of.starts_with(name)).map(|(_, n)| *n);
    assert_eq!((function("main"), function("next")), (Some(4), Some(1)));
}

/// The ways of a switch are what it selects: falling through to a case is not one of them.
#[cfg(feature = "glsl")]
#[test]
fn ways_of_a_switch_are_what_it_selects() {
    let source = "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
    uint at = gl_GlobalInvocationID.x;
    switch (at) {
        case 1u: data[at] = 7u;
        case 2u: data[at] += 1u; break;
        case 9u: data[at] += 2u;
        default: data[at] += 3u;
    }
}";
    let recorder = Arc::new(Recorder::new());
    let device = watched(&recorder);
    let test = ShaderTest::glsl(source).unwrap().on(&device).bind_zeros::<u32>(0, 0, 4);
    assert_eq!(test.dispatch([1, 1, 1]).unwrap().read::<u32>(0, 0).unwrap(), [3, 8, 1, 3]);
    let coverage = recorder.coverage();
    let file = only(&coverage);
    let ways: Vec<u64> = file.branches.iter().filter(|(b, _)| b.line == 6).map(|(_, n)| *n).collect();
    assert_eq!(ways, [1, 1, 0, 2], "{file:?}");
    assert_eq!(file.lines.get(&8), Some(&2), "{file:?}");
}

/// The coverage of the processes of a test run is added up.
#[test]
fn processes_add_up() {
    const CHILD: &str = "QUADRILLE_TEST_CHILD";
    let run = || {
        let test = ShaderTest::wgsl(LOOPS).unwrap().bind_zeros::<u32>(0, 0, 8);
        test.dispatch([1, 1, 1]).unwrap();
    };
    if std::env::var_os(CHILD).is_some() {
        return run();
    }
    let file: PathBuf = std::env::temp_dir().join(format!("quadrille-coverage-{}.lcov", std::process::id()));
    let children: Vec<_> = (0..2)
        .map(|_| {
            let mut child = Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", "processes_add_up"]).env(CHILD, "1").env("QUADRILLE_COVERAGE", &file);
            child.stdout(std::process::Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let out = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success() && text.contains("running 1 test\n"), "{}: {text}", out.status);
    }
    let coverage = lcov::read(&std::fs::read_to_string(&file).unwrap()).unwrap();
    // A source embedded in a program is written to a file.
    let named = coverage.files.keys().next().unwrap();
    assert_eq!(std::fs::read_to_string(named).unwrap().lines().next(), LOOPS.lines().next());
    std::fs::remove_dir_all(std::path::Path::new(named).parent().unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    let _ = std::fs::remove_file(
        file.with_file_name(format!(".{}.lock", file.file_name().unwrap().to_string_lossy())),
    );
    assert_eq!(only(&coverage).lines[&11], 2 * 80);
}

#[test]
fn texels_are_counted_where_images_are_read_and_written() {
    let recorder = recorder(false);
    let watch = Some(Watching::new(recorder.clone()));
    let options = DeviceOptions { threads: 1, lanes: 8, watch, ..DeviceOptions::default() };
    let source = "@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var target_image: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
    let a = textureLoad(source, vec2u(id.x, 0u), 0);
    textureStore(target_image, vec2u(id.x, 3u), a);
}";
    let device = Device::new(options).unwrap();
    let texels = vec![[1u8, 2, 3, 4]; 8 * 4];
    let test = ShaderTest::wgsl(source).unwrap().on(&device);
    let format = Format::R8G8B8A8_UNORM;
    let test = test.bind_image(0, 0, format, (8, 4), &texels).bind_image(0, 1, format, (8, 4), &texels);
    test.dispatch([1, 1, 1]).unwrap();
    let profile = recorder.profile();
    let images = |line| {
        let cost = cost(&profile, line);
        (cost.image_operations, cost.image_read, cost.image_written)
    };
    assert_eq!((images(4), images(5)), ((8, 32, 0), (8, 0, 32)));
    let total = profile.total();
    assert_eq!((total.image_read, total.image_written), (32, 32));
    assert!(profile.table(9).contains("32/0"));
    #[cfg(feature = "json")]
    assert_eq!(profile.json()["total"]["image_read"], 32);
}
