//! Checked descriptors: accesses through unwritten descriptors are reported; null descriptors count as intended.
#![cfg(feature = "glsl")]

use crate::checks::descriptors::World;
use quadrille::DescriptorKind as K;
use quadrille::*;

/// A descriptor kind, a declaration, an access to element `at`, and the message for element 2.
const CASES: &[(K, &str, &str, &str)] = &[
    (
        K::StorageBuffer,
        "layout(set = 0, binding = 0) buffer B { uint n; } b[4];",
        "result = b[at].n;",
        "missing-descriptor: buffer `b[2]` is read, but no buffer is bound there",
    ),
    (
        K::StorageBuffer,
        "layout(set = 0, binding = 0) buffer B { uint n; } b[4];",
        "b[at].n = 3;",
        "missing-descriptor: buffer `b[2]` is written, but no buffer is bound there",
    ),
    (
        K::UniformBuffer,
        "layout(set = 0, binding = 0) uniform B { uint n; } b[4];",
        "result = b[at].n;",
        "missing-descriptor: buffer `b[2]` is read, but no buffer is bound there",
    ),
    (
        K::CombinedImageSampler,
        "layout(set = 0, binding = 0) uniform sampler2D b[4];",
        "result = uint(textureLod(b[at], vec2(0.5), 0).x);",
        "missing-descriptor: image `b[2]` is accessed, but none is bound there",
    ),
    (
        K::SampledImage,
        "layout(set = 0, binding = 0) uniform texture2D b[4];\n#extension GL_EXT_samplerless_texture_functions : require",
        "result = uint(texelFetch(b[at], ivec2(0), 0).x);",
        "missing-descriptor: image `b[2]` is accessed, but none is bound there",
    ),
    (
        K::StorageImage,
        "layout(set = 0, binding = 0, rgba8) uniform image2D b[4];",
        "imageStore(b[at], ivec2(0), vec4(1));",
        "missing-descriptor: image `b[2]` is accessed, but none is bound there",
    ),
    (
        K::UniformTexelBuffer,
        "layout(set = 0, binding = 0) uniform samplerBuffer b[4];",
        "result = uint(texelFetch(b[at], 0).x);",
        "missing-descriptor: image `b[2]` is accessed, but none is bound there",
    ),
];

#[test]
fn descriptors_are_written_before_they_are_used() {
    for &(kind, declaration, access, expected) in CASES {
        let world = World::new(&[kind]).unwrap();
        let run = |at: u32| {
            world.results.write(0, &[at]).unwrap();
            world.run(declaration, access).unwrap()
        };
        world.write(0, 1).unwrap();
        assert_eq!(run(2), [expected], "{kind:?}: never written");
        assert_eq!(run(1), [""; 0], "{kind:?}: written");
        // Unused elements may have any state.
        world.set.write(0, 2, Resource::Null).unwrap();
        assert_eq!(run(2), [""; 0], "{kind:?}: null reads zero");
        world.write(0, 2).unwrap();
        assert_eq!(run(2), [""; 0], "{kind:?}: written later");
    }
}

/// A buffer range that is too short does not count as an unwritten descriptor.
#[test]
fn ranges_are_no_missing_descriptors() {
    let world = World::new(&[K::StorageBuffer]).unwrap();
    let short = Resource::Buffer { buffer: &world.buffer, offset: 0, range: Some(4) };
    world.set.write(0, 0, short).unwrap();
    let declaration = "layout(set = 0, binding = 0) buffer B { uint n[]; } b[4];";
    let found = world.run(declaration, "result = b[at].n[1];").unwrap();
    assert_eq!(found, ["buffer-out-of-bounds: bytes 4..8 of buffer `b[0]` are read, but its size is 4"]);
}

/// A mutable descriptor that was written as one kind is missing for any other kind.
#[test]
fn mutable_descriptors_are_what_was_written() {
    let world = World::new(&[K::Mutable]).unwrap();
    let buffer = Resource::Buffer { buffer: &world.buffer, offset: 0, range: None };
    world.set.write_as(0, 0, K::StorageBuffer, buffer).unwrap();
    world.set.write_as(0, 1, K::StorageImage, Resource::Image(&world.view)).unwrap();
    let as_buffer = "layout(set = 0, binding = 0) buffer B { uint n; } b[4];";
    let as_image = "layout(set = 0, binding = 0, rgba8) uniform image2D b[4];";
    let use_buffer = |i: u32| world.run(as_buffer, &format!("result = b[{i}].n;")).unwrap();
    let use_image = |i: u32| world.run(as_image, &format!("imageStore(b[{i}], ivec2(0), vec4(1));")).unwrap();
    assert_eq!((use_buffer(0).len(), use_image(1).len()), (0, 0));
    assert_eq!(use_buffer(1), ["missing-descriptor: buffer `b[1]` is read, but no buffer is bound there"]);
    assert_eq!(use_image(0), ["missing-descriptor: image `b[0]` is accessed, but none is bound there"]);
}
