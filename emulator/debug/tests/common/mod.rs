//! Compute shaders that the tests record.

use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::frontend::{Language, Options, Stage, compile};
use quadrille::{Device, DeviceOptions, Watching};
use quadrille_debug::{MAX_BYTES, Recorder, Recording, Target};

/// Sums that lanes exchange. The tests depend on the line numbers.
#[allow(dead_code, reason = "not every test uses it")]
pub const GLSL: &str = "#version 450
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer B { uint n; float list[]; } b;
shared float tile[8];
struct Light { vec3 color; float power; };
float twice(float x) {
    float y = x * 2.0;
    return y;
}
void main() {
    uint id = gl_LocalInvocationID.x;
    Light light = Light(vec3(1.0, 0.5, 0.25), float(id));
    float sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += twice(light.power);
    }
    if (id > 4u) {
        sum = -sum;
    }
    tile[id] = sum;
    barrier();
    b.list[id] = tile[7u - id];
}
";

/// The same shader in WGSL.
#[allow(dead_code, reason = "not every test uses it")]
pub const WGSL: &str = "struct B { n: u32, list: array<f32> }
@group(0) @binding(0) var<storage, read_write> b: B;
var<workgroup> tile: array<f32, 8>;
fn twice(x: f32) -> f32 {
    let y = x * 2.0;
    let z = y + 0.0;
    return z;
}
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) id: u32) {
    var sum = 0.0;
    for (var i = 0; i < 3; i++) {
        sum += twice(f32(id));
    }
    tile[id] = sum;
    workgroupBarrier();
    b.list[id] = tile[7u - id];
}
";

/// Runs a compute shader of one workgroup, with 64 bytes of zeros at set 0, binding 0, and records an invocation.
pub fn record(source: &str, language: Language, id: u32, max_bytes: usize) -> Vec<Recording> {
    let extension = if language == Language::Wgsl { "wgsl" } else { "comp" };
    let options = Options { named_values: true, ..Options::named(format!("sums.{extension}")) };
    let words = compile(source.as_bytes(), language, Stage::Compute, &options).unwrap();
    let recorder = Recorder::new(Target::Invocation([id, 0, 0]), max_bytes);
    let watch = Some(Watching::new(recorder.watch()));
    let device = Device::new(DeviceOptions { threads: 1, lanes: 8, watch, ..Default::default() }).unwrap();
    let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
    let mut compute = Compute::new(&device, &desc).unwrap();
    compute.bind_at(0, 0, 0, &[0; 64]).unwrap();
    let done = compute.dispatch([1, 1, 1]);
    // A full recorder stops the shader.
    assert!(done.is_ok() || recorder.is_full(), "{done:?}");
    recorder.take()
}

/// Returns the recording of invocation 5.
#[allow(dead_code, reason = "not every test uses it")]
pub fn five(source: &str, language: Language) -> Recording {
    let mut all = record(source, language, 5, MAX_BYTES);
    assert_eq!(all.len(), 1);
    all.remove(0)
}
