//! Aborts of shaders: the message reaches the caller, and the device is lost. Spec: SPIR-V, SPV_KHR_abort.

#![cfg(feature = "glsl")]

use std::time::Duration;

use quadrille::*;

const COMPUTE: &str = r#"#version 450
#extension GL_EXT_abort : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint words[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (words[i] > 90u) {
        abortEXT("%u is above %d", words[i], -90);
    }
    words[i] = 1u;
}"#;

/// Every way in which a device runs shaders.
fn devices() -> impl Iterator<Item = Device> {
    let lanes = [4, 8, 16, 32].map(|lanes| DeviceOptions { lanes, ..Default::default() });
    let interp = [true].map(|interp| DeviceOptions { interp, ..Default::default() });
    let tiers = [Opt::None, Opt::Speed].map(|opt| DeviceOptions { opt, ..Default::default() });
    let all = lanes.into_iter().chain(interp).chain(tiers);
    all.map(|options| {
        Device::new(DeviceOptions { budget: Duration::from_secs(60), threads: 2, ..options }).unwrap()
    })
}

fn aborted(run: Result<TestRun>) -> (String, Vec<u8>) {
    match run.map(drop).unwrap_err() {
        Error::Aborted { text, message } => (text, message.to_vec()),
        e => panic!("{e}"),
    }
}

/// One invocation of many aborts; the text names it and its line, and the message has the text and the numbers.
#[test]
fn an_invocation_aborts() {
    for device in devices() {
        let mut words = vec![7u32; 6400];
        words[70] = 91;
        let test = ShaderTest::source("above.comp", COMPUTE).unwrap().on(&device).bind(0, 0, &words);
        let (text, message) = aborted(test.dispatch([100, 1, 1]));
        assert!(text.starts_with("entry point `main` aborted: [70, 0, 0] 91 is above -90"), "{text}");
        assert!(text.contains("above.comp:8"), "{text}");
        // The compiler lays the text out in pieces of whole words: nothing, "%u", " is above " and "%d".
        assert_eq!(&message[..24], b"\0\0\0\0%u\0\0 is above \0\0%d\0\0");
        let numbers: Vec<i32> =
            message[24..].chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!(numbers, [91, -90]);
        // The device is lost for all later work.
        let e = ShaderTest::source("above.comp", COMPUTE).unwrap().on(&device).bind(0, 0, &[0u32; 64]);
        assert_eq!(aborted(e.dispatch([1, 1, 1])).0, text);
    }
}

/// A shader whose invocations do not abort runs as without the abort.
#[test]
fn nobody_aborts() {
    for device in devices() {
        let test = ShaderTest::source("above.comp", COMPUTE).unwrap().on(&device).bind(0, 0, &[90u32; 64]);
        assert_eq!(test.dispatch([1, 1, 1]).unwrap().read::<u32>(0, 0).unwrap(), [1; 64]);
    }
}

/// An abort in a function that is called in a loop, beside an endless loop of the same workgroup: other invocations end
/// in finite time.
#[test]
fn others_end_too() {
    let source = r#"#version 450
#extension GL_EXT_abort : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint words[]; };
void check(uint i) {
    if (i == 5u) abortEXT("five");
}
void main() {
    for (uint i = 0; i < 9u; i++) check(i * gl_LocalInvocationID.x);
    while (words[gl_LocalInvocationID.x] == 0u) {}
}"#;
    for device in devices() {
        let test = ShaderTest::source("five.comp", source).unwrap().on(&device).bind(0, 0, &[0u32; 32]);
        let (text, _) = aborted(test.dispatch([1, 1, 1]));
        assert!(text.contains("[1, 0, 0] five") || text.contains("[5, 0, 0] five"), "{text}");
    }
}

/// The fragment of one pixel aborts; its text names the pixel.
#[test]
fn a_fragment_aborts() {
    let vertex = "#version 450
void main() { gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1); }";
    let fragment = r#"#version 450
#extension GL_EXT_abort : require
layout(location = 0) out vec4 color;
void main() {
    color = vec4(1);
    if (ivec2(gl_FragCoord.xy) == ivec2(9, 5)) abortEXT("here");
}"#;
    for device in devices() {
        let test = ShaderTest::glsl_fragment(fragment).unwrap().vertex_glsl(vertex, 3).unwrap().on(&device);
        let (text, _) = aborted(test.draw(16, 16));
        assert!(text.contains("[9.5, 5.5] here"), "{text}");
    }
}
