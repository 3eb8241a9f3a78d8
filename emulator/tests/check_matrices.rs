//! Operations on cooperative matrices: control flow, bounds, races; reads of what is write-only. Each mistake has a twin
//! without it.
#![cfg(feature = "glsl")]

use crate::checks::descriptors::World;
use crate::checks::{check, kinds};
use quadrille::DescriptorKind::StorageBuffer;
use quadrille::{Format, Resource, ShaderTest, TestImage};

/// A shader of a workgroup of 64 invocations in subgroups of 32, with matrices of 16 rows and 16 columns. The body begins in
/// line 20. `scope` is that of the matrices.
fn shader(scope: &str, body: &str) -> ShaderTest {
    let source = format!(
        "#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define A coopmat<float16_t, gl_Scope{scope}, 16, 16, gl_MatrixUseA>
#define B coopmat<float16_t, gl_Scope{scope}, 16, 16, gl_MatrixUseB>
#define C coopmat<float, gl_Scope{scope}, 16, 16, gl_MatrixUseAccumulator>
#define ROWS gl_CooperativeMatrixLayoutRowMajor
#define COLUMNS gl_CooperativeMatrixLayoutColumnMajor
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer In {{ float16_t inputs[]; }};
layout(set = 0, binding = 1) buffer Out {{ float outputs[]; }};
shared float tile[1024];
float twice(const in uint row, const in uint column, const in float e) {{ return e * 2.0; }}
void main() {{ uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, group = gl_SubgroupID;
A a = A(float16_t(1)); B b = B(float16_t(2)); C c = C(3.0); if (gl_NumWorkGroups.x > 9) outputs[0] = float(inputs[0]) + tile[0];
{body}
}}"
    );
    let test = ShaderTest::glsl(&source).unwrap_or_else(|e| panic!("{body}: {e:?}"));
    // 1024 halves and floats that are 0.
    test.bind(0, 0, &[0u32; 512]).bind(0, 1, &[0u32; 1024]).lanes(32)
}

fn found(scope: &str, body: &str) -> Vec<String> {
    kinds(&check(shader(scope, body), |t| t.dispatch([1, 1, 1])))
}

/// Operations on matrices, for each scope.
const OPERATIONS: [&str; 6] = [
    "coopMatLoad(a, inputs, 0, 16, ROWS);",
    "coopMatStore(c, outputs, group * 256, 16, ROWS);",
    "c = coopMatMulAdd(a, b, c);",
    "c = c + c;",
    "a = A(c);",
    "coopMatPerElementNV(c, c, twice);",
];

#[test]
fn operations_need_all_invocations_of_the_subgroup() {
    for operation in OPERATIONS {
        for condition in ["lane < 7", "i != 3", "(i & 1) == 1"] {
            let body = format!("if ({condition})\n{operation}");
            assert_eq!(found("Subgroup", &body), ["matrix-divergent:21"], "{body}");
        }
        let early = format!("if (lane == 31) return;\n{operation}");
        assert_eq!(found("Subgroup", &early), ["matrix-divergent:21"], "{early}");
        // Conditions that are uniform in each subgroup.
        for condition in ["group == 0", "gl_NumWorkGroups.x == 1", "i < 32"] {
            let body = format!("if ({condition})\n{operation}");
            assert_eq!(found("Subgroup", &body), [""; 0], "{body}");
        }
        let looped = format!("for (uint k = 0; k <= group; k++)\n{operation}");
        assert_eq!(found("Subgroup", &looped), [""; 0], "{looped}");
        let looped = format!("for (uint k = 0; k <= lane; k++)\n{operation}");
        assert_eq!(found("Subgroup", &looped), ["matrix-divergent:21"], "{looped}");
    }
}

#[test]
fn operations_need_all_invocations_of_the_workgroup() {
    for operation in OPERATIONS.iter().map(|o| o.replace("group * 256", "0")) {
        for condition in ["group == 0", "lane < 7", "i < 32"] {
            let body = format!("if ({condition})\n{operation}");
            assert_eq!(found("Workgroup", &body), ["matrix-divergent:21"], "{body}");
        }
        let looped = format!("for (uint k = 0; k <= group; k++)\n{operation}");
        assert_eq!(found("Workgroup", &looped), ["matrix-divergent:21"], "{looped}");
        for condition in ["true", "gl_NumWorkGroups.x == 1"] {
            let body = format!("for (uint k = 0; k < 3; k++) if ({condition})\n{operation}");
            // Iterations store to the same place, always by the same invocations.
            assert_eq!(found("Workgroup", &body), [""; 0], "{body}");
        }
    }
}

#[test]
fn the_report_counts_the_invocations() {
    let of =
        |scope: &str, body: &str| check(shader(scope, body), |t| t.dispatch([1, 1, 1]))[0].message.clone();
    let load = "coopMatLoad(a, inputs, 0, 16, ROWS);";
    let text = of("Subgroup", &format!("if (lane < 7) {load}"));
    assert!(text.starts_with("7 of 32 invocations of the subgroup reach"), "{text}");
    let text = of("Workgroup", &format!("if (group == 1) {load}"));
    assert!(text.starts_with("32 of 64 invocations of the workgroup reach"), "{text}");
}

#[test]
fn matrices_beyond_the_end_of_a_buffer() {
    let finds = |body: &str, kind: &str| assert_eq!(found("Subgroup", body), [kind], "{body}");
    // 1024 elements: the last row of 16 begins at 768 + 15 * 16 = 1008, or at 784 + 15 * 16 = 1024.
    finds("coopMatLoad(a, inputs, 784, 16, ROWS);", "buffer-out-of-bounds:20");
    finds("coopMatLoad(b, inputs, 0, 70, COLUMNS);", "buffer-out-of-bounds:20");
    finds("\ncoopMatStore(c, outputs, 769 + 256 * group, 16, ROWS);", "buffer-out-of-bounds:21");
    finds("c = c * 2.0;\n\ncoopMatLoad(c, tile, 769, 16, ROWS);", "workgroup-out-of-bounds:22");
    let silent = |body: &str| assert_eq!(found("Subgroup", body), [""; 0], "{body}");
    silent("coopMatLoad(a, inputs, 768, 16, ROWS);");
    // 15 * 67 + 15 = 1020.
    silent("coopMatLoad(b, inputs, 0, 67, COLUMNS);");
    silent("coopMatStore(c, outputs, 512 + 256 * group, 16, ROWS);");
}

#[test]
fn races_of_matrices() {
    let finds = |scope: &str, body: &str, kind: &str| assert_eq!(found(scope, body), [kind], "{body}");
    let silent = |scope: &str, body: &str| assert_eq!(found(scope, body), [""; 0], "{body}");
    let fill = "c = C(float(group));\n";
    finds("Subgroup", &format!("{fill}coopMatStore(c, outputs, 0, 16, ROWS);"), "race-buffer:21");
    finds("Subgroup", &format!("{fill}coopMatStore(c, tile, 0, 16, ROWS);"), "race-workgroup:21");
    silent("Subgroup", &format!("{fill}coopMatStore(c, outputs, 256 * group, 16, ROWS);"));
    silent("Subgroup", &format!("{fill}if (group == 0) coopMatStore(c, outputs, 0, 16, ROWS);"));
    // A matrix of the workgroup is stored once.
    silent("Workgroup", "coopMatStore(c, outputs, 0, 16, ROWS);");
    // Invocations exchange elements through workgroup memory.
    let other = "coopMatLoad(c, tile, 256 * (1 - group), 16, ROWS);";
    let store = "coopMatStore(c, tile, 256 * group, 16, ROWS);";
    finds("Subgroup", &format!("{store}\n{other}"), "race-workgroup:20");
    silent("Subgroup", &format!("{store}\nbarrier();\n{other}"));
}

/// Both variables of a race are named, if the memory has two.
#[test]
fn races_through_two_variables_name_both() {
    let of = |offset: u64| {
        let world = World::new(&[StorageBuffer; 2]).unwrap();
        world.write(0, 0).unwrap();
        world.set.write(1, 0, Resource::Buffer { buffer: &world.buffer, offset, range: None }).unwrap();
        let declared = "layout(local_size_x = 8) in;
            layout(set = 0, binding = 0, std430) buffer One { uint a[8]; };
            layout(set = 0, binding = 1, std430) buffer Two { uint b[8]; };";
        let access = "uint i = gl_LocalInvocationIndex;\na[i] = i;\nb[7 - i] = 10 * i + 1;";
        world.run(declared, access).unwrap()
    };
    let text = of(0).join("\n");
    assert!(text.starts_with("race-buffer: "), "{text}");
    assert!(text.contains("through buffer `One` here, through buffer `Two` there"), "{text}");
    assert_eq!(of(32), [""; 0], "the second half of the buffer");
}

/// Reads of what the shader declares as write-only; `variable` is decorated and read by `access`.
fn reads(decorated: &str, declared: &str, access: &str) -> ShaderTest {
    let text = format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %variable DescriptorSet 0
OpDecorate %variable Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
{decorated}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%pair = OpTypeVector %uint 2
%four = OpTypeVector %uint 4
%corner = OpConstantComposite %pair %zero %zero
%block = OpTypeStruct %four %uint
%puint = OpTypePointer StorageBuffer %uint
%pfour = OpTypePointer StorageBuffer %four
{declared}
%main = OpFunction %void None %fn
%entry = OpLabel
{access}
OpReturn
OpFunctionEnd
"
    );
    ShaderTest::spirv_text(&text).unwrap_or_else(|e| panic!("{e:?}"))
}

#[test]
fn buffers_that_are_not_readable_are_not_read() {
    let declared =
        "%pblock = OpTypePointer StorageBuffer %block\n%variable = OpVariable %pblock StorageBuffer";
    let found = |decorated: &str, access: &str| {
        let test = reads(decorated, declared, access).bind(0, 0, &[1u32; 8]);
        let list = check(test, |t| t.dispatch([1, 1, 1]));
        list.iter().map(|r| format!("{} {}", r.kind, r.count)).collect::<Vec<_>>()
    };
    let add = "%at = OpAccessChain %puint %variable %one\n%v = OpLoad %uint %at\n%w = OpIAdd %uint %v %one\nOpStore %at %w";
    let atomic = "%at = OpAccessChain %puint %variable %one\n%v = OpAtomicIAdd %uint %at %one %zero %one";
    for access in [add, atomic] {
        assert_eq!(found("", access), [""; 0]);
        assert_eq!(found("OpMemberDecorate %block 0 NonReadable", access), [""; 0]);
        assert_eq!(found("OpMemberDecorate %block 1 NonReadable", access), ["writeonly-read 1"]);
        assert_eq!(found("OpDecorate %variable NonReadable", access), ["writeonly-read 1"]);
    }
    // A component of a vector is written by reading the vector and writing it back.
    let component = "%at = OpAccessChain %pfour %variable %zero\n%v = OpLoad %four %at\n\
                     %w = OpCompositeInsert %four %one %v 1\nOpStore %at %w";
    assert_eq!(found("OpDecorate %variable NonReadable", component), [""; 0]);
    let store = "%at = OpAccessChain %puint %variable %one\nOpStore %at %one";
    assert_eq!(found("OpDecorate %variable NonReadable", store), [""; 0]);
}

#[test]
fn images_that_are_not_readable_are_not_read() {
    let declared = "%image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%pimage = OpTypePointer UniformConstant %image
%variable = OpVariable %pimage UniformConstant
%ptexel = OpTypePointer Image %uint";
    let found = |decorated: &str, access: &str| {
        let image = TestImage::new_2d(Format::R32_UINT, (4, 4), vec![1; 64]);
        let test = reads(decorated, declared, access).bind_shape(0, 0, 0, image);
        let list = check(test, |t| t.dispatch([1, 1, 1]));
        list.iter().map(|r| format!("{} {}", r.kind, r.count)).collect::<Vec<_>>()
    };
    let read =
        "%of = OpLoad %image %variable\n%v = OpImageRead %four %of %corner\nOpImageWrite %of %corner %v";
    let atomic = "%at = OpImageTexelPointer %ptexel %variable %corner %zero\n\
                  %v = OpAtomicIAdd %uint %at %one %zero %one";
    for access in [read, atomic] {
        assert_eq!(found("", access), [""; 0]);
        assert_eq!(found("OpDecorate %variable NonReadable", access), ["writeonly-read 1"]);
    }
    let write = "%of = OpLoad %image %variable\n%v = OpCompositeConstruct %four %one %one %one %one\n\
                 OpImageWrite %of %corner %v";
    assert_eq!(found("OpDecorate %variable NonReadable", write), [""; 0]);
}
