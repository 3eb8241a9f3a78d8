//! `restrict`: memory to which a second variable leads is found, and nothing else. Spec: SPIR-V, "Aliasing"; GLSL 4.60,
//! "Memory Qualifiers".
#![cfg(feature = "glsl")]

use crate::checks::descriptors::World;
use crate::checks::{self, check, kinds};
use quadrille::DescriptorKind::StorageBuffer;
use quadrille::{
    BufferUsage, ComputePipelineDesc, Format, Resource, ShaderStage, ShaderTest, Stage, TestImage, frontend,
};

const NONE: [&str; 0] = [];

/// Reports on two buffer bindings; the second begins `offset` bytes into the first.
fn buffers([a, b]: [&str; 2], offset: u64, access: &str) -> Vec<String> {
    let world = World::new(&[StorageBuffer; 2]).unwrap();
    world.write(0, 0).unwrap();
    let second = Resource::Buffer { buffer: &world.buffer, offset, range: None };
    world.set.write(1, 0, second).unwrap();
    let declared = format!(
        "layout(set = 0, binding = 0, std430) {a} buffer A {{ uint a[8]; }};
         layout(set = 0, binding = 1, std430) {b} buffer B {{ uint b[8]; }};"
    );
    world.run(&declared, access).unwrap()
}

#[test]
fn nothing_else_leads_to_a_buffer() {
    let copy = "b[0] = a[0];";
    for declared in [["restrict", "restrict"], ["restrict readonly", ""], ["", "restrict"]] {
        let found = buffers(declared, 0, copy);
        assert_eq!(found.len(), 1, "{declared:?}: {found:?}");
        let text = "restrict-aliased: `b[0]` is written here, `a[0]` leads to the same bytes and is read";
        assert!(found[0].starts_with(text), "{found:?}");
    }
    assert_eq!(buffers(["", ""], 0, copy), NONE, "nobody says so");
    // Nobody writes, or what is written is only reached in one way.
    let restrict = ["restrict", "restrict"];
    assert_eq!(buffers(restrict, 0, "result = a[0] + b[0];"), NONE);
    assert_eq!(buffers(restrict, 0, "b[1] = a[0];"), NONE);
    assert_eq!(buffers(restrict, 0, "a[0] = a[0] + 1;"), NONE);
    // Byte 16 of the one is byte 0 of the other.
    assert_eq!(buffers(restrict, 16, copy), NONE);
    assert_eq!(buffers(restrict, 16, "b[0] = a[4];").len(), 1);
    assert_eq!(buffers(restrict, 16, "b[0] = 1; atomicAdd(a[4], 1u);").len(), 1);
}

/// A binding with two variables.
#[test]
fn two_variables_of_a_binding_are_two() {
    let run = |first: &str, access: &str| {
        let source = format!(
            "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) {first} buffer A {{ uint a[8]; }};
layout(set = 0, binding = 0, std430) buffer B {{ uint b[8]; }};
void main() {{ uint i = gl_LocalInvocationIndex;
{access} }}"
        );
        let test = ShaderTest::glsl(&source).unwrap().bind(0, 0, &[1u32; 8]);
        let found = check(test, |t| t.dispatch([1, 1, 1]));
        found.iter().map(|r| format!("{}:{} {}", r.kind, r.at.line, r.count)).collect::<Vec<_>>()
    };
    assert_eq!(run("restrict", "a[i] = 1;\nb[i] += 1;"), ["restrict-aliased:6 8"]);
    assert_eq!(run("", "a[i] = 1;\nb[i] += 1;"), NONE);
    assert_eq!(run("restrict", "a[i] = 1;\na[i] += 1;"), NONE);
}

#[test]
fn nothing_else_leads_to_an_image() {
    let run = |first: &str, from: &str| {
        let source = format!(
            "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0, r32ui) {first} writeonly uniform uimage2D a;
layout(set = 0, binding = 0, r32ui) readonly uniform uimage2D b;
void main() {{ ivec2 at = ivec2(gl_LocalInvocationIndex, 0);
uvec4 v = imageLoad(b, {from});
imageStore(a, at, v); }}"
        );
        let image = TestImage::new_2d(Format::R32_UINT, (4, 4), vec![1; 64]);
        let test = ShaderTest::glsl(&source).unwrap().bind_shape(0, 0, 0, image);
        kinds(&check(test, |t| t.dispatch([1, 1, 1])))
    };
    assert_eq!(run("restrict", "at"), ["restrict-aliased:6"]);
    assert_eq!(run("", "at"), NONE);
    assert_eq!(run("restrict", "at + ivec2(0, 1)"), NONE);
}

#[test]
fn nothing_else_holds_an_address() {
    let run = |qualifier: &str, distance: u64| {
        let source = format!(
            "#version 450
             #extension GL_EXT_buffer_reference : require
             layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {{ uint w[4]; }};
             layout(push_constant) uniform P {{ Words from, to; }};
             void main() {{
                {qualifier} Words a = from;
                Words b = to;
                b.w[0] = a.w[0] + 1;
             }}"
        );
        let (session, device) = checks::device();
        let words = frontend::compile_glsl(&source, Stage::Compute, &frontend::Options::default()).unwrap();
        let stage = ShaderStage::only(&device.create_shader_module(&words).unwrap(), Stage::Compute).unwrap();
        let layout = device.create_pipeline_layout(&[], 16).unwrap();
        let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout }).unwrap();
        let buffer = device.create_buffer_with(&[7u32; 16], BufferUsage::SHADER_DEVICE_ADDRESS).unwrap();
        let from = buffer.device_address().unwrap();
        let mut c = device.create_command_buffer();
        c.bind_compute_pipeline(&pipeline).push_constants(0, &[from, from + distance]);
        c.dispatch(1, 1, 1).end().unwrap();
        device.queue().run(&c).unwrap();
        session.reports.take().iter().map(|r| r.kind.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(run("restrict", 0), ["restrict-aliased"]);
    assert_eq!(run("restrict", 4), NONE);
    assert_eq!(run("", 0), NONE);
}
