//! Rust structs, compared with the blocks that shaders of every language declare.
#![cfg(feature = "glsl")]

use quadrille::{Error, HostStruct, ShaderTest, host_struct};

/// A compute shader that reads from a std140 block.
fn uniform(members: &str, read: &str) -> ShaderTest {
    let source = format!(
        "#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std140) uniform Block {{ {members} }} block;
layout(set = 0, binding = 1, std430) buffer Out {{ float sums[]; }};
void main() {{ sums[0] = {read}; }}"
    );
    ShaderTest::glsl(&source).unwrap()
}

#[track_caller]
fn refused(test: &ShaderTest, host: &HostStruct, says: &[&str]) {
    let error = test.check_layout(0, 0, host).unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
    for part in says {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
}

/// Contiguous floats, while std140 aligns each element to 16 bytes.
#[test]
fn arrays_of_floats() {
    #[repr(C)]
    struct Kernel {
        weights: [f32; 4],
    }
    #[repr(C)]
    struct Spread {
        weights: [[f32; 4]; 4],
    }
    let test = uniform("float weights[4];", "block.weights[1]");
    refused(&test, &host_struct!(Kernel { weights }), &["elements of `weights` are 4 bytes apart here, 16"]);
    let spread = host_struct!(Spread { weights });
    test.check_layout(0, 0, &spread).unwrap();
}

/// A vec3 and the member after it.
#[test]
fn three_components() {
    #[repr(C)]
    struct Tight {
        a: [f32; 3],
        b: [f32; 3],
    }
    #[repr(C)]
    struct Padded {
        a: [f32; 3],
        _pad: f32,
        b: [f32; 3],
        c: f32,
    }
    let test = uniform("vec3 a; vec3 b; float c;", "block.a.x + block.b.x + block.c");
    let tight = host_struct!(Tight { a, b });
    refused(&test, &tight, &["`b` is at byte 12 here, at 16 in the shader", "has `c` (float) at byte 28"]);
    test.check_layout(0, 0, &host_struct!(Padded { a, _pad, b, c })).unwrap();
}

#[test]
fn matrices_and_flags() {
    #[repr(C)]
    struct Camera {
        view: [[f32; 4]; 4],
        normal: [[f32; 3]; 3],
        on: bool,
    }
    #[repr(C)]
    struct Mended {
        view: [f32; 16],
        normal: [[f32; 4]; 3],
        on: u32,
    }
    let test =
        uniform("mat4 view; mat3 normal; bool on;", "block.view[1].x + block.normal[1].x + float(block.on)");
    let camera = host_struct!(Camera { view, normal, on });
    refused(
        &test,
        &camera,
        &["columns of `normal` are 12 bytes apart here, 16", "`on` is at byte 100 here, at 112"],
    );
    test.check_layout(0, 0, &host_struct!(Mended { view, normal, on })).unwrap();
}

/// Types of other crates are compared by size.
#[test]
fn vectors_of_libraries() {
    #[repr(C)]
    struct Vec3 {
        xyz: [f32; 3],
    }
    #[repr(C)]
    struct Mat4 {
        columns: [[f32; 4]; 4],
    }
    #[repr(C)]
    struct Instance {
        model: Mat4,
        tint: Vec3,
        power: f32,
    }
    let columns = [[0.0; 4]; 4];
    let one = Instance { model: Mat4 { columns }, tint: Vec3 { xyz: [0.0; 3] }, power: 0.0 };
    assert_eq!((one.model.columns.len(), one.tint.xyz.len()), (4, 3));
    let test =
        uniform("mat4 model; vec3 tint; float power;", "block.model[0].x + block.tint.x + block.power");
    test.check_layout(0, 0, &host_struct!(Instance { model, tint, power })).unwrap();
    let short =
        uniform("mat4 model; vec4 tint; float power;", "block.model[0].x + block.tint.x + block.power");
    let host = host_struct!(Instance { model, tint, power });
    refused(
        &short,
        &host,
        &["`power` is at byte 76 here, at 80", "`tint` has 12 bytes here, 16 in the shader"],
    );
}
