//! The harness of shader tests: concurrent tests, refused calls, and error messages.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use quadrille::{Device, DeviceOptions, Error, Format, Picture, ShaderTest, TestImage, ViewDim};

fn doubling() -> ShaderTest {
    let source = "
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }";
    ShaderTest::wgsl(source).unwrap()
}

/// An endless shader, on a device that no other test uses. The other test runs before the endless one starts, at the same
/// time, and once more after it has failed.
#[test]
fn a_shader_that_hangs_fails_its_own_test_only() {
    let budget = Duration::from_millis(300);
    let device = Device::new(DeviceOptions { budget, ..DeviceOptions::default() }).unwrap();
    let hangs = "
        @group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main() { loop { v[0] += 1u; } }";
    let hanging = ShaderTest::source("forever.wgsl", hangs).unwrap().on(&device).bind(0, 0, &[0u32]);
    let failed = AtomicBool::new(false);
    let (passed, other) = channel();
    let (e, runs) = std::thread::scope(|threads| {
        let runs = threads.spawn(|| {
            let mut runs = 0;
            loop {
                // Read before the run, so that the last run starts after the failure.
                let last = failed.load(Ordering::SeqCst);
                let run = doubling().bind(0, 0, &[1.0f32; 4]).dispatch([1, 1, 1]).unwrap();
                assert_eq!(run.read::<f32>(0, 0).unwrap(), [2.0; 4]);
                runs += 1;
                let _ = passed.send(());
                if last {
                    return runs;
                }
            }
        });
        other.recv().expect("the other test passes before the hang");
        let result = hanging.dispatch([1, 1, 1]);
        failed.store(true, Ordering::SeqCst);
        (result.map(drop).unwrap_err(), runs.join().unwrap())
    });
    assert!(matches!(&e, Error::DeviceLost(text) if text.contains("forever.wgsl")), "{e}");
    assert!(runs >= 2, "one run before the hang and one after it");
    // The device of the endless shader is lost for every later test on it.
    let e = doubling().on(&device).bind(0, 0, &[1.0f32; 4]).dispatch([1, 1, 1]).map(drop).unwrap_err();
    assert!(matches!(&e, Error::DeviceLost(_)), "{e}");
}

fn refused(run: Result<quadrille::TestRun, Error>, says: &[&str]) {
    let e = run.err().unwrap_or_else(|| panic!("accepted; {says:?}"));
    assert!(matches!(e, Error::Invalid { .. }), "{e}");
    for part in says {
        assert!(e.to_string().contains(part), "{e}: {part}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let v = [1.0f32; 4];
    refused(
        doubling().bind(0, 0, &v).push(&[1u32]).dispatch([1; 3]),
        &["4 bytes of push constants", "has 0"],
    );
    refused(doubling().bind(0, 0, &v).spec(7, 1).dispatch([1; 3]), &["no specialization constant has id 7"]);
    let block = "
        @group(0) @binding(0) var<uniform> u: array<vec4f, 2>;
        @group(0) @binding(1) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(1) fn main() { v[0] = u[1].x; }";
    let test = ShaderTest::wgsl(block).unwrap().bind(0, 1, &v);
    refused(test.clone().bind(0, 0, &[1.0f32]).dispatch([1; 3]), &["4 bytes", "uniform buffer", "has 32"]);
    // With `loose`, the binding is accepted: reads out of range return zero.
    let run = test.loose().bind(0, 0, &[1.0f32]).dispatch([1; 3]).unwrap();
    assert_eq!(run.read::<f32>(0, 1).unwrap()[0], 0.0);
    let e = run.read::<[f32; 3]>(0, 1).unwrap_err();
    assert!(e.to_string().contains("not a whole number"), "{e}");
    assert!(run.read::<f64>(0, 0).is_err());
}

/// A shader that stores specialization constant 3 in a buffer, with the declaration of its type and its size in words.
fn storing_a_constant(declaration: &str, default: &str, capability: &str, words: u32) -> ShaderTest {
    let source = format!(
        "
        OpCapability Shader
        {capability}
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %n SpecId 3
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %out DescriptorSet 0
        OpDecorate %out Binding 0
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        {declaration}
        %stored = {}
        %n = {default}
        %zero = OpConstant %uint 0
        %block = OpTypeStruct %stored
        %to_block = OpTypePointer StorageBuffer %block
        %to_stored = OpTypePointer StorageBuffer %stored
        %out = OpVariable %to_block StorageBuffer
        %function = OpTypeFunction %void
        %main = OpFunction %void None %function
        %entry = OpLabel
        %at = OpAccessChain %to_stored %out %zero
        %bits = OpBitcast %stored %n
        OpStore %at %bits
        OpReturn
        OpFunctionEnd",
        if words == 1 { "OpTypeInt 32 1" } else { "OpTypeVector %uint 2" }
    );
    ShaderTest::spirv_text(&source).unwrap().bind_zeros::<u32>(0, 0, words as usize)
}

/// The value is in the low bits; for types below 64 bits, the high bits are zero or repeat the sign.
#[test]
fn specialization_constants_have_the_bits_of_their_type() {
    let read = |test: &ShaderTest, bits: u64| {
        test.clone().spec(3, bits).dispatch([1; 3]).unwrap().read::<u32>(0, 0).unwrap()
    };
    let word = storing_a_constant("", "OpSpecConstant %uint 1", "", 1);
    assert_eq!(word.clone().dispatch([1; 3]).unwrap().read::<u32>(0, 0).unwrap(), [1]);
    for (bits, stored) in
        [(0, 0), (0x8000_0001, 0x8000_0001), (0xffff_ffff, u32::MAX), (-2i64 as u64, u32::MAX - 1)]
    {
        assert_eq!(read(&word, bits), [stored], "{bits:#x}");
    }
    refused(word.spec(3, 1 << 32).dispatch([1; 3]), &["specialization constant 3"]);
    let float = storing_a_constant("%type = OpTypeFloat 32", "OpSpecConstant %type 1.0", "", 1);
    for value in [0.15625f32, -0.0, f32::MAX] {
        assert_eq!(read(&float, u64::from(value.to_bits())), [value.to_bits()], "{value}");
    }
    let long =
        storing_a_constant("%type = OpTypeInt 64 0", "OpSpecConstant %type 1", "OpCapability Int64", 2);
    for bits in [1, 1 << 32, 0x0123_4567_89ab_cdef, u64::MAX] {
        assert_eq!(read(&long, bits), [bits as u32, (bits >> 32) as u32], "{bits:#x}");
    }
}

#[test]
fn images_fit_the_types_that_shaders_declare() {
    let source = |ty: &str, at: &str| {
        format!(
            "@group(0) @binding(0) var t: {ty};
            @group(0) @binding(1) var<storage, read_write> v: array<f32>;
            @compute @workgroup_size(1) fn main() {{ v[0] = f32(textureLoad(t, {at}, 0).x); }}"
        )
    };
    let flat = |format| TestImage::new_2d(format, (1, 1), vec![0; 4]);
    let run = |ty: &str, at: &str, image: TestImage| {
        let test = ShaderTest::wgsl(&source(ty, at)).unwrap().bind(0, 1, &[0.0f32]);
        test.bind_shape(0, 0, 0, image).dispatch([1; 3])
    };
    let (float, integer) = (Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UINT);
    run("texture_2d<f32>", "vec2u()", flat(float)).unwrap();
    run("texture_2d<u32>", "vec2u()", flat(integer)).unwrap();
    refused(run("texture_2d<f32>", "vec2u()", flat(integer)), &["R8G8B8A8_UINT", "texels are floats"]);
    refused(run("texture_2d<i32>", "vec2u()", flat(integer)), &["texels are signed integers"]);
    let deep = TestImage { dim: ViewDim::D3, ..flat(float) };
    refused(run("texture_2d<f32>", "vec2u()", deep.clone()), &["a 3D view", "a 2D one"]);
    run("texture_3d<f32>", "vec3u()", deep).unwrap();
    let storage = "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;
        @compute @workgroup_size(1) fn main() { textureStore(t, vec2u(), vec4f()); }";
    let bound =
        |format| ShaderTest::wgsl(storage).unwrap().bind_shape(0, 0, 0, flat(format)).dispatch([1; 3]);
    bound(float).unwrap();
    refused(bound(Format::R32_SFLOAT), &["R32_SFLOAT", "declared as R8G8B8A8_UNORM"]);
}

#[test]
fn errors_show_every_message_with_its_line() {
    let source = "@compute @workgroup_size(1)\nfn main() {\n    let x = nothing;\n}\n";
    let e = ShaderTest::source("shaders/wrong.wgsl", source).unwrap_err();
    assert!(e.to_string().contains("shaders/wrong.wgsl:3:13"), "{e}");
    let shown = format!("{e:?}");
    for part in [
        "shaders/wrong.wgsl is not valid WGSL",
        "--> shaders/wrong.wgsl:3:13",
        "3 |     let x = nothing;",
        "^",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
    assert!(!shown.contains("Invalid {"), "{shown}");
}

#[cfg(feature = "glsl")]
#[test]
fn errors_of_glsl_show_lines() {
    let source = "#version 450\nvoid main() {\n  float a = x;\n  int b = y;\n}\n";
    let shown = format!("{:?}", ShaderTest::source("wrong.comp", source).unwrap_err());
    assert!(
        shown.contains("wrong.comp is not valid GLSL") && shown.contains("3 |   float a = x;"),
        "{shown}"
    );
}

#[test]
fn shaders_in_files_keep_their_names() {
    let test = quadrille::shader_test!("shaders/doubled.wgsl").unwrap();
    let v: Vec<f32> = test.bind(0, 0, &[3.0f32]).dispatch([1; 3]).unwrap().read(0, 0).unwrap();
    assert_eq!(v, [6.0]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders/doubled.wgsl");
    let e = ShaderTest::file(path).unwrap().dispatch([1; 3]).unwrap_err();
    assert!(e.to_string().contains("nothing is bound at set 0, binding 0 (v)"), "{e}");
    assert!(ShaderTest::file("no/such.wgsl").is_err());
    assert!(ShaderTest::source("shader.txt", "").is_err());
}

#[test]
fn assertions_name_line_and_invocation() {
    let source = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    v[id.x] = id.x * id.x;
    quadrille_assert(id, v[id.x] < 9u);
}";
    let test = ShaderTest::source("squares.wgsl", source).unwrap();
    test.clone().bind(0, 0, &[0u32; 3]).dispatch([1; 3]).unwrap();
    let e = test.bind(0, 0, &[0u32; 8]).dispatch([2, 1, 1]).unwrap_err();
    let shown = format!("{e:?}");
    for part in [
        "failed in 5 invocations",
        "squares.wgsl:5:",
        "quadrille_assert(id,",
        "(3, 0, 0), (4, 0, 0)",
        "1 more",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[cfg(feature = "glsl")]
#[test]
fn assertions_in_glsl_of_every_stage() {
    let compute = "#version 450
#include \"quadrille/assert.glsl\"
layout(local_size_x = 2, local_size_y = 2) in;
void main() {
    ASSERT(gl_GlobalInvocationID.x + gl_GlobalInvocationID.y < 2);
    ASSERT_NEAR(vec2(1.0), vec2(1.0, 1.001), 0.01);
}";
    let e = ShaderTest::source("sum.comp", compute).unwrap().dispatch([1; 3]).unwrap_err();
    assert!(e.to_string().contains("1 invocation: invocation (1, 1, 0), from sum.comp:5"), "{e}");
    let fragment = "#version 450
#include \"quadrille/assert.glsl\"
layout(location = 0) out vec4 color;
void main() { color = vec4(1); ASSERT(gl_FragCoord.x < 3.0); }";
    let e = ShaderTest::source("edge.frag", fragment).unwrap().draw(4, 2).unwrap_err();
    assert!(e.to_string().contains("2 invocations: invocations (3, 0, 0), (3, 1, 0)"), "{e}");
}

#[cfg(feature = "glsl")]
#[test]
fn prints_belong_to_their_test() {
    let source = |word: &str| {
        format!(
            "#version 450
            #extension GL_EXT_debug_printf : require
            layout(local_size_x = 64) in;
            void main() {{ debugPrintfEXT(\"{word} %u\", gl_GlobalInvocationID.x); }}"
        )
    };
    let run = |word: &'static str| {
        let text = source(word);
        move || ShaderTest::glsl(&text).unwrap().quiet().dispatch([64, 1, 1]).unwrap().printed().to_vec()
    };
    let threads = ["one", "two"].map(|word| (word, std::thread::spawn(run(word))));
    for (word, thread) in threads {
        let lines = thread.join().unwrap();
        let expected: Vec<String> = (0..4096).map(|i| format!("[{i}, 0, 0] {word} {i}")).collect();
        assert!(lines == expected, "{} lines, the first {:?}", lines.len(), lines.first());
    }
}

/// The lanes of a group behind the last vertex are not invocations.
#[cfg(feature = "glsl")]
#[test]
fn only_vertices_of_the_draw_print() {
    let vertex = "#version 450
        #extension GL_EXT_debug_printf : require
        void main() {
            debugPrintfEXT(\"number %d\", gl_VertexIndex);
            gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let fragment = "#version 450
        layout(location = 0) out vec4 color;
        void main() { color = vec4(1); }";
    let test = ShaderTest::glsl_fragment(fragment).unwrap().vertex_glsl(vertex, 3).unwrap();
    let run = test.quiet().draw(4, 4).unwrap();
    let expected: Vec<String> = (0..3).map(|i| format!("[vertex {i}, instance 0] number {i}")).collect();
    assert_eq!(run.printed(), expected);
}

#[test]
fn pictures_say_how_they_differ() {
    let of = |value| Picture::filled(1, 1, [value; 4]).unwrap();
    let (a, b) = (of(0), of(9));
    let e = a.compare(&b, quadrille::Tolerance::EXACT, None).unwrap_err();
    assert_eq!(format!("{e:?}"), "1 pixels differ, by up to 9, the first at (0, 0)");
}
