//! Cases of GPU-assisted validation of the Vulkan validation layers, applied to `quadrille check`. The shaders are
//! original, with the same errors, under the case names of the layers.
//!
//! Left to `gpu_av_resources`: descriptors, addresses, indices, attributes and indirect parameters. Not covered:
//! features that the device does not support (cooperative matrices and vectors, long vectors, ray tracing), cases
//! without shaders (copies, timelines of semaphores), and repetitions through another front end, in a pipeline library,
//! or as a shader object.
#![cfg(feature = "glsl")]

use crate::checks;
use quadrille::{Format, ShaderTest, TestImage, ViewDim};

/// A case: name, expected findings, invocations per workgroup, buffer sizes in bytes from binding 0 on, and the shader.
/// Kinds that are off by default are on.
type Case = (&'static str, &'static [&'static str], u32, &'static [usize], &'static str);

const RACE: &[&str] = &["race-workgroup"];
/// Off by default, since all devices agree on the result.
const SAME: &[&str] = &["race-same-value"];
const OUT: &[&str] = &["buffer-out-of-bounds"];
const NONE: &[&str] = &[];

/// Races in workgroup memory.
const RACES: &[Case] = &[
    ("SingleScalar", SAME, 2, &[], "shared uint t; void main() { t = 0; }"),
    ("SingleElementArray", SAME, 3, &[], "shared uint t[1]; void main() { t[0] = 0; }"),
    ("SelfRaceSameInstruction", SAME, 2, &[], "shared uint t; void main() { t = 7; }"),
    (
        "TwoThreadsShareValuesThroughArray",
        RACE,
        2,
        &[],
        "shared uint t[2]; void main() { t[i] = 0; uint x = t[i ^ 1]; }",
    ),
    (
        "TwoDimensionalArray",
        RACE,
        3,
        &[],
        "shared uint t[3][2]; void main() { t[i][1] = 0; uint x = t[(i + 1) % 3][1]; }",
    ),
    (
        "BasicStruct",
        RACE,
        2,
        &[],
        "struct S { uint a, b; }; shared S t;
         void main() { if (i == 0) t.a = 1; else t.b = 1; if (i == 0) t.b = 2; else t.a = 2; }",
    ),
    (
        "StructVsScalar",
        RACE,
        2,
        &[],
        "struct S { uint a, b; }; shared S t;
         void main() { if (i == 0) t = S(1, 2); if (i == 1) { uint b = t.b; } }",
    ),
    (
        "VectorVsScalar",
        RACE,
        2,
        &[],
        "shared uvec4 t; void main() { if (i == 0) t = uvec4(1); if (i == 1) { uint b = t.z; } }",
    ),
    (
        "TwoVariables",
        RACE,
        2,
        &[],
        "shared uint a, b; void main() { if (i == 0) a = 1; else b = 1; if (i == 1) a = 2; else b = 2; }",
    ),
    (
        "TwoVectors",
        RACE,
        2,
        &[],
        "shared uvec4 a, b;
         void main() { if (i == 0) a = uvec4(1); else b = uvec4(1); if (i == 1) a = uvec4(2); else b = uvec4(2); }",
    ),
    (
        "VectorArray",
        RACE,
        4,
        &[],
        "shared uvec4 t[4];
         void main() { t[i] = uvec4(i); uvec4 sum = uvec4(0); for (uint k = 0; k < 4; k++) sum += t[k]; }",
    ),
    (
        "SpecConstantArray",
        RACE,
        2,
        &[],
        "layout(constant_id = 0) const uint N = 2; shared uint t[N]; void main() { t[i] = 0; uint x = t[i ^ 1]; }",
    ),
    (
        "AtomicStoreAndStore",
        RACE,
        2,
        &[],
        "shared uint t;
         void main() { if (i == 0) atomicStore(t, 1u, gl_ScopeWorkgroup, 0, 0); else t = 2; }",
    ),
    (
        "AtomicAddAndLoad",
        &["race-workgroup", "uninitialized-workgroup"],
        2,
        &[],
        "shared uint t; void main() { if (i == 0) atomicAdd(t, 1); else t = 0; }",
    ),
    (
        "OffenderIsOpLoadFromMultipleLoaders",
        RACE,
        16,
        &[64],
        "layout(set = 0, binding = 0) buffer B { uint b[]; }; shared uint t;
         void main() { if (i > 0) b[i] = t; if (i == 0) t = 42; }",
    ),
    (
        "MultipleFunction",
        SAME,
        4,
        &[],
        "shared uint t[4]; void f() { if (i == 0) t[1] = 1; } void g() { t[2] = 2; }
         void h() { if (i == 1) t[3] = 3; g(); } void main() { if (i == 2) t[0] = 0; f(); h(); }",
    ),
    (
        "RaceAcrossFunctions",
        RACE,
        2,
        &[],
        "shared uint t; void f() { if (i == 1) t = 1; } void main() { if (i == 0) t = 0; f(); }",
    ),
    (
        "SlangNestedStruct",
        RACE,
        2,
        &[8],
        "layout(set = 0, binding = 0) buffer B { uint b[]; };
         struct A { uint b, c; }; struct S { uint x, y; A z[2]; }; shared S t;
         void main() { t.z[i].b = 5; b[i] = t.z[1 - i].b; }",
    ),
    // Correct code without findings.
    ("positive SingleElementAccess", NONE, 2, &[], "shared uint t[2]; void main() { t[i] = 0; }"),
    (
        "positive SingleScalar",
        NONE,
        2,
        &[],
        "shared uint t; void main() { atomicStore(t, 0u, gl_ScopeWorkgroup, 0, 0); }",
    ),
    (
        "positive TwoThreadsShareValuesThroughArray",
        NONE,
        2,
        &[],
        "shared uint t[2]; void main() { t[i] = 0; barrier(); uint x = t[i ^ 1]; }",
    ),
    (
        "positive TwoDimensionalArray",
        NONE,
        3,
        &[],
        "shared uint t[3][2]; void main() { t[i][0] = 0; uint x = t[(i + 1) % 3][1]; }",
    ),
    (
        "positive TwoDimensionalArrayBarrier",
        NONE,
        3,
        &[],
        "shared uint t[3][2]; void main() { t[i][1] = 0; barrier(); uint x = t[(i + 1) % 3][1]; }",
    ),
    (
        "positive BasicStructBarrier",
        NONE,
        2,
        &[],
        "struct S { uint a, b; }; shared S t;
         void main() { if (i == 0) t.a = 1; else t.b = 1; barrier(); if (i == 0) t.b = 2; else t.a = 2; }",
    ),
    (
        "positive StructVsScalarBarrier",
        NONE,
        2,
        &[],
        "struct S { uint a, b; }; shared S t;
         void main() { if (i == 0) t = S(1, 2); barrier(); if (i == 1) { uint b = t.b; } }",
    ),
    (
        "positive VectorVsScalarBarrier",
        NONE,
        2,
        &[],
        "shared uvec4 t; void main() { if (i == 0) t = uvec4(1); barrier(); if (i == 1) { uint b = t.z; } }",
    ),
    (
        "positive TwoVariablesBarrier",
        NONE,
        2,
        &[],
        "shared uint a, b;
         void main() { if (i == 0) a = 1; else b = 1; barrier(); if (i == 1) a = 2; else b = 2; }",
    ),
    (
        "positive MultiLoad",
        NONE,
        2,
        &[],
        "shared uint t[2]; void main() { uint a = t[i]; uint b = t[i ^ 1]; uint c = t[i]; }",
    ),
    (
        "positive FirstLoadThenSameInvocationStore",
        NONE,
        2,
        &[8],
        "layout(set = 0, binding = 0) buffer B { uint b[]; }; shared uint t[2];
         void main() { t[i] = i; barrier(); uint x = t[i]; t[i] = x + 1; b[i] = t[i]; }",
    ),
    (
        "positive VectorArrayBarrier",
        NONE,
        4,
        &[],
        "shared uvec4 t[4];
         void main() { t[i] = uvec4(i); barrier(); uvec4 sum = uvec4(0); for (uint k = 0; k < 4; k++) sum += t[k]; }",
    ),
    ("positive NoLocalSize", NONE, 1, &[], "shared uint t; void main() { t = 0u; }"),
    (
        "positive SlangIssue12415",
        NONE,
        64,
        &[256],
        "layout(set = 0, binding = 0) buffer B { uint b[]; }; shared uint t[64];
         void main() { t[i] = i; barrier();
         if ((i & 1) == 0) { uint x = t[i], y = t[i + 1]; t[i] = x + y; } barrier(); b[i] = t[i]; }",
    ),
];

/// Buffers that are too small.
const BUFFERS: &[Case] = &[
    (
        "Basic",
        OUT,
        1,
        &[16, 16],
        "layout(set = 0, binding = 0) uniform I { uint at[1]; }; layout(set = 0, binding = 1) buffer B { uint b[]; };
         void main() { b[at[0] + 8] = 7; }",
    ),
    (
        "UniformBufferTooSmall",
        OUT,
        1,
        &[4, 16],
        "layout(set = 0, binding = 0) uniform U { int x, y; }; layout(set = 0, binding = 1) buffer B { vec4 b; };
         void main() { b = vec4(x, y, 0, 1); }",
    ),
    (
        "StorageBufferTooSmall",
        OUT,
        1,
        &[4, 16],
        "layout(set = 0, binding = 0) readonly buffer U { int x, y; }; layout(set = 0, binding = 1) buffer B { vec4 b; };
         void main() { b = vec4(x, y, 0, 1); }",
    ),
    (
        "UniformBufferTooSmallArray",
        OUT,
        1,
        &[64, 4],
        "layout(set = 0, binding = 0) uniform U { int x[17]; }; layout(set = 0, binding = 1) buffer B { int b; };
         void main() { int y = 0; for (int k = 0; k < 17; k++) y += x[k]; b = y; }",
    ),
    (
        "UniformBufferTooSmallNestedStruct",
        OUT,
        1,
        &[8, 16],
        "struct S { int x, y; }; layout(set = 0, binding = 0) uniform U { int a; S s; };
         layout(set = 0, binding = 1) buffer B { vec4 b; }; void main() { b = vec4(a, s.x, s.y, 1); }",
    ),
    (
        "Vector",
        OUT,
        1,
        &[20],
        "layout(set = 0, binding = 0, std430) buffer B { int a; vec3 b; }; void main() { b.y = 0.0; }",
    ),
    (
        "Matrix",
        OUT,
        1,
        &[28],
        "layout(set = 0, binding = 0, std430) buffer B { int a; mat3x2 b; }; void main() { b[2][1] = 0.0; }",
    ),
    (
        "SpecConstant",
        OUT,
        1,
        &[8],
        "layout(constant_id = 0) const int AT = 2; layout(set = 0, binding = 0) buffer B { uint a[8]; };
         void main() { a[AT] = 44; }",
    ),
    (
        "PartialBoundDescriptorSSBO",
        OUT,
        1,
        &[32],
        "layout(set = 0, binding = 0) buffer B { vec4 a, b, c, d; }; void main() { a = c; }",
    ),
    (
        "PartialBoundDescriptorCopy",
        OUT,
        1,
        &[64],
        "layout(set = 0, binding = 0) buffer B { vec4 a; vec4 b[4]; }; void main() { a = b[3]; }",
    ),
    (
        "VectorArray",
        OUT,
        1,
        &[52],
        "layout(set = 0, binding = 0) buffer B { uvec4 a[8]; }; void main() { a[3].y = 44; }",
    ),
    (
        "ArrayCopyGLSL",
        OUT,
        1,
        &[32],
        "layout(set = 0, binding = 0, std430) buffer B { uvec4 a; uint pad; uint b[4]; uint c; };
         void main() { uint d[4] = {4, 5, 6, 7}; b = d; }",
    ),
    (
        "ArrayCopyTwoBindingsGLSL",
        OUT,
        1,
        &[32, 20],
        "layout(set = 0, binding = 0, std430) buffer A { uvec4 a; uint pad; uint b[4]; uint c; };
         layout(set = 0, binding = 1, std430) buffer B { uint d; uint e[4]; uvec2 f; }; void main() { b = e; }",
    ),
    (
        "StructCopyGLSL",
        OUT,
        1,
        &[32],
        "struct S { uint x, y; uint z[2]; };
         layout(set = 0, binding = 0, std430) buffer B { uvec4 a; uint pad; S b; uint c; };
         void main() { S s = S(1, 2, uint[2](3, 4)); b = s; }",
    ),
    (
        "AtomicStore",
        OUT,
        1,
        &[16],
        "layout(set = 0, binding = 0, std430) buffer B { uvec4 a; uint b; };
         void main() { atomicStore(b, 0u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease); }",
    ),
    (
        "AtomicLoad",
        OUT,
        1,
        &[16],
        "layout(set = 0, binding = 0, std430) buffer B { uvec4 a, b; };
         void main() { a.x = atomicLoad(b.x, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire); }",
    ),
    (
        "AtomicExchange",
        OUT,
        1,
        &[16],
        "layout(set = 0, binding = 0, std430) buffer B { uvec4 a; uint b; }; void main() { atomicExchange(b, a.x); }",
    ),
    (
        "AtomicAdd",
        OUT,
        1,
        &[16],
        "layout(set = 0, binding = 0, std430) buffer B { uvec4 a; uint b; }; void main() { atomicAdd(b, 1u); }",
    ),
    (
        "Loops",
        OUT,
        1,
        &[256],
        "layout(set = 0, binding = 0) buffer B { uint sum; uint data[64]; };
         void main() { uint x = 0; for (uint k = 0; k < 64; k++) x += data[k]; sum = x; }",
    ),
    (
        "LoopsNested",
        OUT,
        1,
        &[256],
        "layout(set = 0, binding = 0) buffer B { uint sum; uint data[64]; };
         void main() { uint x = 0; for (uint j = 0; j < 8; j++) for (uint k = 0; k < 8; k++) x += data[j * 8 + k];
         sum = x; }",
    ),
    (
        "LoopsHoistable",
        OUT,
        1,
        &[256],
        "layout(set = 0, binding = 0) buffer B { uint sum; uint data[64]; };
         void main() { uint x = 0; for (uint k = 0; k < 4; k++) x += data[63] + k; sum = x; }",
    ),
    (
        "LoopsWithBranch",
        OUT,
        1,
        &[256],
        "layout(set = 0, binding = 0) buffer B { uint sum; uint data[64]; };
         void main() { uint x = 0; for (uint k = 1; k < 64; k++) { if (k / 2 == 0) x += data[k - 1]; else x += data[k]; }
         sum = x; }",
    ),
    (
        "positive Loops",
        NONE,
        1,
        &[260],
        "layout(set = 0, binding = 0) buffer B { uint sum; uint data[64]; };
         void main() { uint x = 0; for (uint k = 0; k < 64; k++) x += data[k]; sum = x; }",
    ),
    (
        "positive Vector",
        NONE,
        1,
        &[28],
        "layout(set = 0, binding = 0, std430) buffer B { int a; vec3 b; }; void main() { b.y = 0.0; }",
    ),
];

/// Operations that are undefined for their operands: all buffers contain zeros.
const SANITIZER: &[Case] = &[
    (
        "DivideByZeroUDivScalar",
        &["division-by-zero"],
        1,
        &[8],
        "layout(set = 0, binding = 0) buffer B { uint x, y; }; void main() { y = 5 / x; }",
    ),
    (
        "DivideByZeroSDivVector",
        &["division-by-zero"],
        1,
        &[16],
        "layout(set = 0, binding = 0) buffer B { ivec2 x, y; }; void main() { y = ivec2(5) / x; }",
    ),
    (
        "DivideByZeroUMod",
        &["division-by-zero"],
        1,
        &[8],
        "layout(set = 0, binding = 0) buffer B { uint x, y; }; void main() { y = 5 % x; }",
    ),
    (
        "DivideByZeroFModScalar",
        &["remainder-by-zero"],
        1,
        &[8],
        "layout(set = 0, binding = 0) buffer B { float x, y; }; void main() { y = mod(y, x); }",
    ),
    (
        "DivideByZeroFModVector",
        &["remainder-by-zero"],
        1,
        &[16],
        "layout(set = 0, binding = 0) buffer B { vec2 x, y; }; void main() { x.x = 1.0; y = mod(y, x); }",
    ),
    (
        "PowScalarZero",
        &["pow-domain"],
        1,
        &[12],
        "layout(set = 0, binding = 0) buffer B { float x, y, z; }; void main() { z = pow(x, y - 1.0); }",
    ),
    (
        "PowVectorNegative",
        &["pow-domain"],
        1,
        &[48],
        "layout(set = 0, binding = 0) buffer B { vec4 x, y, z; }; void main() { z = pow(x - 1.0, y + 1.0); }",
    ),
    (
        "Atan2Scalar",
        &["atan2-zero"],
        1,
        &[12],
        "layout(set = 0, binding = 0) buffer B { float x, y, z; }; void main() { z = atan(x, y); }",
    ),
    (
        "positive Atan2Vector",
        NONE,
        1,
        &[24],
        "layout(set = 0, binding = 0) buffer B { vec2 x, y, z; }; void main() { z = atan(x + 1.0, y); }",
    ),
    (
        "positive DivideByOne",
        NONE,
        1,
        &[8],
        "layout(set = 0, binding = 0) buffer B { uint x, y; }; void main() { y = x == 0 ? 0 : 5 / (x | 1); }",
    ),
];

fn kinds(test: ShaderTest) -> Vec<&'static str> {
    let found = checks::check(test, |t| t.dispatch([1, 1, 1]));
    let mut kinds: Vec<_> = found.iter().map(|r| r.kind.id()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[test]
fn cases_are_found_and_no_more() {
    let mut wrong = Vec::new();
    let all = [RACES, BUFFERS, SANITIZER].concat();
    for (name, finds, invocations, buffers, body) in all {
        let source = format!(
            "#version 450\n#extension GL_KHR_memory_scope_semantics : enable
             layout(local_size_x = {invocations}) in;\nuint i = gl_LocalInvocationIndex;\n{body}"
        );
        let mut test = ShaderTest::glsl(&source).unwrap_or_else(|e| panic!("{name}: {e}")).loose();
        for (binding, &bytes) in (0..).zip(buffers) {
            test = test.bind(0, binding, &vec![0u8; bytes]);
        }
        let found = kinds(test);
        if found != finds {
            wrong.push(format!("{name}: {found:?}, not {finds:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn texels_of_buffers_have_an_end() {
    let bodies = [
        ("TexelFetch", "uniform samplerBuffer t; void main() { b = texelFetch(t, AT); }"),
        ("ImageLoad", "uniform imageBuffer t; void main() { b = imageLoad(t, AT); }"),
        ("ImageStore", "uniform imageBuffer t; void main() { b = vec4(0); imageStore(t, AT, vec4(1)); }"),
    ];
    for (name, body) in bodies {
        for (at, finds) in [("3", NONE), ("4", &["texel-out-of-bounds"] as &[&str])] {
            let format = if body.contains("imageBuffer") { ", r32f" } else { "" };
            let source = format!(
                "#version 450\nlayout(set = 0, binding = 0) buffer B {{ vec4 b; }};
                 layout(set = 0, binding = 1{format}) {}",
                body.replace("AT", at)
            );
            let texels = TestImage {
                dim: ViewDim::Buffer,
                ..TestImage::new_2d(Format::R32_SFLOAT, (4, 1), vec![0; 16])
            };
            let test = ShaderTest::glsl(&source).unwrap().loose().bind(0, 0, &[0u8; 16]);
            assert_eq!(kinds(test.bind_shape(0, 1, 0, texels)), finds, "{name} {at}");
        }
    }
}
