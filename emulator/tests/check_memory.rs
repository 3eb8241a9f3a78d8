//! Checked memory: each kind of error is found, and similar correct code is not reported.
#![cfg(feature = "glsl")]

use quadrille::check::Kind;
use quadrille::frontend::{Options, compile_glsl};
use quadrille::{Device, DeviceOptions, ShaderTest, Stage};
use std::sync::Arc;

const HEAD: &str = "#version 450
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint s[32];
uint i = gl_LocalInvocationIndex;
uint g = gl_GlobalInvocationID.x;
";

/// Findings in a compute shader with this body of `main`: two workgroups, two buffers of 64 words.
fn found(body: &str) -> Vec<(Kind, String)> {
    with_buffers(body, &[7; 64], &[0; 64])
}

fn with_buffers(body: &str, a: &[u32], b: &[u32]) -> Vec<(Kind, String)> {
    let session = Arc::new(quadrille::check::Session::default());
    let watch = Some(quadrille::check::watching(&session));
    let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
    let source = format!("{HEAD}{body}");
    let mut test = ShaderTest::glsl(&source).unwrap().on(&device).loose();
    for (binding, name, data) in [(0, "a", a), (1, "b", b)] {
        let used = [".length", "["].iter().any(|what| body.contains(&format!("{name}{what}")));
        test = if used { test.bind(0, binding, data) } else { test };
    }
    test.dispatch([2, 1, 1]).unwrap();
    session.reports.found().into_iter().map(|r| (r.kind, r.message)).collect()
}

/// Checks that there is exactly one finding, of this kind, with these words in its message.
#[track_caller]
fn finds(kind: Kind, words: &[&str], body: &str) {
    let found = found(body);
    assert!(found.len() == 1 && found[0].0 == kind, "{body}\n{found:#?}");
    for word in words {
        assert!(found[0].1.contains(word), "{body}\n{found:#?}");
    }
}

#[track_caller]
fn silent(body: &str) {
    let found = found(body);
    assert!(found.is_empty(), "{body}\n{found:#?}");
}

#[test]
fn buffers_have_ends() {
    finds(
        Kind::BufferOutOfBounds,
        &["bytes 256..260 of buffer `A`", "read", "256"],
        "void main() { b[g] = a[g + 33]; }",
    );
    finds(Kind::BufferOutOfBounds, &["written"], "void main() { a[g * 3] = g; }");
    // Offsets of 32 bits saturate, so only the direction is known.
    finds(
        Kind::BufferOutOfBounds,
        &["buffer `A` is written before its start or past 4 GiB, but its size is 256"],
        "void main() { a[int(g) - 1] = g; }",
    );
    finds(Kind::BufferOutOfBounds, &["atomically"], "void main() { atomicAdd(a[64 + g], 1); }");
    silent("void main() { b[g] = a[63 - g]; }");
    silent("void main() { if (g + 40 < a.length()) b[g] = a[g + 40]; }");
}

/// A search through all of them at each access would take minutes.
#[test]
fn many_invocations_have_many_bad_indices() {
    let lines = "x += s[i];\n".repeat(150);
    let source = format!(
        "#version 450\nlayout(local_size_x = 1024) in;\nlayout(set = 0, binding = 0) buffer A {{ uint a[]; }};\n\
         shared uint s[32];\nvoid main() {{ uint x = 0, i = gl_LocalInvocationIndex + 32;\n{lines}\
         a[gl_LocalInvocationIndex] = x; }}"
    );
    let session = Arc::new(quadrille::check::Session::default());
    let watch = Some(quadrille::check::watching(&session));
    let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
    let test = ShaderTest::glsl(&source).unwrap().on(&device).loose().bind(0, 0, &[0u32; 1024]);
    test.dispatch([1, 1, 1]).unwrap();
    let found = session.reports.found();
    assert!(!found.is_empty() && found.iter().all(|r| r.kind == Kind::IndexOutOfRange), "{}", found.len());
}

#[test]
fn workgroup_memory_is_written_first() {
    finds(
        Kind::UninitializedWorkgroup,
        &["`s["],
        "void main() { if (i > 0) s[i] = i; barrier(); b[g] = s[i]; }",
    );
    finds(
        Kind::UninitializedWorkgroup,
        &["`n`"],
        "shared uint n; void main() { atomicAdd(n, 1); barrier(); b[g] = n; }",
    );
    silent(
        "shared uint n; void main() { if (i == 0) n = 0; barrier(); atomicAdd(n, 1); barrier(); b[g] = n; }",
    );
}

#[test]
fn workgroup_memory_is_raced_for() {
    finds(Kind::RaceWorkgroup, &["`s[", "read", "written"], "void main() { s[i] = i; b[g] = s[i ^ 1]; }");
    // A memory barrier does not synchronize execution.
    finds(
        Kind::RaceWorkgroup,
        &[],
        "void main() { s[i] = i; memoryBarrierShared(); b[g] = s[(i + 8) % 16]; }",
    );
    // A classic error: a reduction without a barrier at its end.
    finds(
        Kind::RaceWorkgroup,
        &[],
        "void main() { s[i] = a[g]; barrier(); for (uint n = 8; n > 0; n /= 2) { if (i < n) s[i] += s[i + n]; }
         barrier(); if (i == 0) b[g] = s[0]; }",
    );
    finds(Kind::RaceWorkgroup, &[], "void main() { if (i < 2) s[0] = i; barrier(); b[g] = s[0]; }");
    finds(
        Kind::RaceWorkgroup,
        &[],
        "void main() { s[i] = i; barrier(); uint x = s[15 - i]; s[i] = x + 1; barrier(); b[g] = s[i]; }",
    );
    silent("void main() { s[i] = i; barrier(); b[g] = s[i ^ 1]; }");
    silent(
        "void main() { s[i] = a[g]; barrier(); for (uint n = 8; n > 0; n /= 2) { if (i < n) s[i] += s[i + n];
         barrier(); } if (i == 0) b[g] = s[0]; }",
    );
    silent("void main() { s[i] = i; subgroupBarrier(); b[g] = s[i ^ 1]; }");
    // Reports of concurrent writes of the same value are off by default.
    silent("void main() { s[0] = 5; barrier(); b[g] = s[0]; }");
    silent(
        "void main() { s[i] = i; barrier(); uint x = s[15 - i]; barrier(); s[i] = x; barrier(); b[g] = s[i]; }",
    );
}

#[test]
fn texels_have_places() {
    let image = |body: &str| {
        let session = Arc::new(quadrille::check::Session::default());
        let watch = Some(quadrille::check::watching(&session));
        let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
        let source = format!(
            "#version 450
             layout(local_size_x = 4, local_size_y = 4) in;
             layout(set = 0, binding = 0, rgba8) uniform image2D image;
             layout(set = 0, binding = 1) uniform sampler2D picture;
             ivec2 p = ivec2(gl_GlobalInvocationID.xy);
             {body}"
        );
        let format = quadrille::Format::R8G8B8A8_UNORM;
        let test = ShaderTest::glsl(&source).unwrap().on(&device).loose();
        // Sixteen texels fill their row of memory.
        let (width, bytes) =
            if body.contains("16") { (16, vec![0u8; 6 * 16 * 4]) } else { (6, vec![0; 144]) };
        let test = test.bind_image(0, 0, format, (width, 6), &bytes);
        let test = match body.contains("picture") {
            true => test.bind_image(0, 1, format, (6, 6), &[9u8; 144]),
            false => test,
        };
        test.dispatch([2, 2, 1]).unwrap();
        session.reports.found().into_iter().map(|r| (r.kind, r.message)).collect::<Vec<_>>()
    };
    let kinds = |body: &str| image(body).into_iter().map(|f| f.0).collect::<Vec<_>>();
    let outside = image("void main() { imageStore(image, p, vec4(1)); }");
    assert_eq!(outside.len(), 1);
    assert_eq!(outside[0].0, Kind::TexelOutOfBounds);
    assert!(outside[0].1.contains("texel (0, 6)") && outside[0].1.contains("6 x 6"), "{outside:?}");
    assert_eq!(kinds("void main() { if (p.x < 6 && p.y < 6) imageStore(image, p, vec4(1)); }"), []);
    let fetch = |at: &str| {
        kinds(&format!(
            "void main() {{ vec4 c = texelFetch(picture, {at}); if (p.x < 6 && p.y < 6) imageStore(image, p, c); }}"
        ))
    };
    assert_eq!(fetch("p - 1, 0"), [Kind::TexelOutOfBounds]);
    assert_eq!(fetch("min(p, 5), 1"), [Kind::LevelOutOfRange]);
    assert_eq!(fetch("min(p, 5), 0"), []);
    let raced = image("void main() { imageStore(image, p / 4 + 1, vec4(p, 0, 0) / 8); }");
    assert_eq!((raced.len(), raced[0].0), (1, Kind::RaceImage));
    let place = "texel (1, 1) of image `image` is written here and written by another invocation";
    assert!(raced[0].1.starts_with(place), "{raced:?}");
    assert_eq!(kinds("void main() { if (p.x == 0) imageStore(image, ivec2(0, p.y % 6), vec4(1)); }"), []);
    // A read past the end of a row is none of the next row's first texel.
    let beside = kinds(
        "void main() { vec4 c = imageLoad(image, p + ivec2(16, 0)); if (p.y < 6) imageStore(image, p, c); }",
    );
    assert_eq!(beside, [Kind::TexelOutOfBounds]);
}

#[test]
fn reports_say_where_and_who() {
    let session = Arc::new(quadrille::check::Session::default());
    let watch = Some(quadrille::check::watching(&session));
    let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
    let source = format!("{HEAD}void main() {{\n  s[i] = i;\n  b[g] = s[(i + 9) % 16];\n}}");
    let test = ShaderTest::glsl(&source).unwrap().on(&device).bind(0, 1, &[0u32; 64]);
    test.dispatch([2, 1, 1]).unwrap();
    let found = session.reports.found();
    assert_eq!(found.len(), 1);
    let first = HEAD.lines().count() as u32;
    assert_eq!((found[0].at.line, found[0].others[0].at.line), (first + 2, first + 3));
    // Each of 16 invocations reads data that another invocation writes.
    assert_eq!(found[0].count, 32);
    let who = |i: &quadrille::check::Invocation| i.ids.clone();
    let ids = |local: u32| vec![("workgroup", vec![0, 0, 0]), ("local invocation", vec![local, 0, 0])];
    let at = found[0].invocation.as_ref().map(who).unwrap();
    let (writer, reader) = (at[1].1[0], (at[1].1[0] + 7) % 16);
    assert_eq!(at, ids(writer));
    assert_eq!(found[0].others[0].invocation.as_ref().map(who), Some(ids(reader)));
}

#[test]
fn dispatches_want_barriers() {
    // Dispatches of different submissions are ordered, so that the second may read data that the first writes.
    let session = Arc::new(quadrille::check::Session::default());
    let watch = Some(quadrille::check::watching(&session));
    let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
    let source = format!("{HEAD}void main() {{ b[g] += g; }}");
    for _ in 0..2 {
        let test = ShaderTest::glsl(&source).unwrap().on(&device).bind(0, 1, &[0u32; 64]);
        test.dispatch([2, 1, 1]).unwrap();
    }
    assert!(session.reports.found().is_empty());
}

#[test]
fn indices_have_limits() {
    let sum = "void main() { uint t[4] = uint[4](1, 2, 3, 4); b[g] = t[i & 7]; }";
    finds(Kind::IndexOutOfRange, &["index 4 of 4 elements"], sum);
    finds(
        Kind::IndexOutOfRange,
        &["index -1"],
        "void main() { uint t[2] = uint[2](1, 2); b[g] = t[int(i & 1) - 1]; }",
    );
    finds(
        Kind::IndexOutOfRange,
        &["32"],
        "void main() { s[i] = i; s[i + 16] = i; barrier(); b[g] = s[i * 3]; }",
    );
    finds(
        Kind::IndexOutOfRange,
        &["of 3 elements"],
        "void main() { vec3 v = vec3(g); b[g] = uint(v[i & 3]); }",
    );
    silent("void main() { uint t[4] = uint[4](1, 2, 3, 4); b[g] = t[i & 3]; }");
    silent(
        "void main() { uint t[4][2]; for (int k = 0; k < 8; k++) t[k / 2][k % 2] = k; b[g] = t[i & 3][i & 1]; }",
    );
}

#[test]
fn variables_are_written_first() {
    finds(
        Kind::UninitializedVariable,
        &["`sum`"],
        "void main() { uint sum; for (int k = 0; k < 4; k++) sum += a[k]; b[g] = sum; }",
    );
    finds(Kind::UninitializedVariable, &["`x`"], "void main() { uint x; if (i < 8) x = 1; b[g] = x; }");
    finds(Kind::UninitializedVariable, &["`t"], "void main() { uint t[4]; t[i & 1] = 1; b[g] = t[i & 3]; }");
    finds(Kind::UninitializedVariable, &["`p`"], "uint p; void main() { if (p > 3) b[g] = 1; }");
    silent("void main() { uint x; if (i < 8) x = 1; else x = 2; b[g] = x; }");
    // Copying an uninitialized value does not count as a use.
    silent(
        "struct P { uint x, y; }; P f(P p) { p.x += 1; return p; } void main() { P p; p.x = 1; p = f(p); b[g] = p.x; }",
    );
    silent("void main() { vec4 v; v.xy = vec2(1); vec3 w = v.xyz; b[g] = uint(w.x); }");
    silent("void main() { uint x; b[g] = i < 99 ? 5 : x; }");
    silent("void main() { for (int k = 0; k < 3; k++) { uint last; if (k >= 0) last = k; b[g] = last; } }");
}

#[test]
fn buffers_are_raced_for() {
    finds(Kind::RaceBuffer, &["`b[0]`"], "void main() { b[i] = g; }");
    finds(Kind::RaceBuffer, &[], "void main() { a[g] = g; b[g] = a[g ^ 16]; }");
    // Only one of the two accesses is atomic.
    finds(Kind::RaceBuffer, &[], "void main() { atomicAdd(b[0], 1); if (g == 20) a[3] = b[0]; }");
    // A workgroup barrier orders workgroup memory, but not buffers.
    finds(Kind::RaceBuffer, &[], "void main() { a[g] = g; barrier(); b[g] = a[g ^ 1]; }");
    // A fence alone orders nothing, also behind an earlier barrier.
    finds(Kind::RaceBuffer, &[], "void main() { a[g] = g; memoryBarrierBuffer(); b[g] = a[g ^ 1]; }");
    finds(
        Kind::RaceBuffer,
        &[],
        "void main() { barrier(); a[g] = g; memoryBarrierBuffer(); b[g] = a[g ^ 1]; }",
    );
    // A histogram without atomics.
    let found = found("void main() { b[a[g] % 8] += g; }");
    assert!(!found.is_empty() && found.iter().all(|f| f.0 == Kind::RaceBuffer), "{found:#?}");
    silent("void main() { b[g] = g; }");
    silent("void main() { atomicAdd(b[a[g] % 8], 1); }");
    silent("void main() { a[g] = g; memoryBarrierBuffer(); barrier(); b[g] = a[g ^ 1]; }");
    silent("void main() { a[g] = g; barrier(); memoryBarrierBuffer(); b[g] = a[g ^ 1]; }");
    silent(
        "void main() { a[g] = g; controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
         gl_SemanticsAcquireRelease); b[g] = a[g ^ 1]; }",
    );
}

#[test]
fn atomics_order_what_they_release_and_acquire() {
    // The last workgroup sums the values that all workgroups have written.
    let last = |fences: [&str; 2]| {
        format!(
            "shared bool last;
             void main() {{
               a[g] = g; {} barrier();
               if (i == 0) last = atomicAdd(b[0], 1) == 1;
               barrier(); {}
               if (last) b[8 + g] = a[g ^ 16];
             }}",
            fences[0], fences[1]
        )
    };
    silent(&last(["memoryBarrier();", "memoryBarrier();"]));
    finds(Kind::RaceBuffer, &[], &last(["", ""]));
    finds(Kind::RaceBuffer, &[], &last(["memoryBarrier();", ""]));
    // Atomics with explicit semantics, between invocations of a workgroup.
    let flag = |storage: &str, release: &str, acquire: &str| {
        format!(
            "shared uint flag;
             void main() {{
               if (i == 0) flag = 0;
               barrier();
               if (i == 3) {{ s[0] = 5; atomicStore(flag, 1u, gl_ScopeWorkgroup, {storage}, {release}); }}
               if (i == 12 && atomicLoad(flag, gl_ScopeWorkgroup, {storage}, {acquire}) == 1) b[g] = s[0];
             }}"
        )
    };
    silent(&flag("gl_StorageSemanticsShared", "gl_SemanticsRelease", "gl_SemanticsAcquire"));
    finds(Kind::RaceWorkgroup, &[], &flag("0", "0", "0"));
}

/// Kinds and numbers of the findings in a shader of eight invocations with one buffer, in order.
fn counted(source: &str, debug: bool) -> Vec<(Kind, u64)> {
    let session = Arc::new(quadrille::check::Session::default());
    let watch = Some(quadrille::check::watching(&session));
    let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
    let options = Options { debug, ..Options::named("counted.comp") };
    let words = compile_glsl(source, Stage::Compute, &options).unwrap();
    ShaderTest::spirv(&words).on(&device).bind(0, 0, &[1f32; 8]).dispatch([1, 1, 1]).unwrap();
    let reports = session.reports.found();
    let mut found: Vec<(Kind, u64)> = reports.into_iter().map(|r| (r.kind, r.count)).collect();
    found.sort_unstable();
    found
}

/// An index out of bounds explains the access that uses it, and no other one: with lines, and in modules without.
#[test]
fn bad_indices_explain_one_access() {
    let source = "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) buffer Values { float v[]; };
shared float s[4];
void main() {
    uint i = gl_LocalInvocationIndex;
    float a[4] = float[](1, 2, 3, 4);
    v[i] = a[i];
    if (i > 5) v[i + 100] = 1.0;
    s[i] = v[i];
    v[i] = s[i];
}";
    let of_index = (Kind::IndexOutOfRange, 4);
    let mut expected = [of_index, of_index, of_index, (Kind::BufferOutOfBounds, 2)];
    expected.sort_unstable();
    for debug in [true, false] {
        assert_eq!(counted(source, debug), expected, "debug: {debug}");
    }
}

/// Two stores of one shader are two places, although they have neither lines nor results.
#[test]
fn stores_without_lines_are_told_apart() {
    let source = "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) buffer Values { float v[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    v[i + 100] = 1.0;
    if (i > 3) v[i + 200] = 2.0;
}";
    for debug in [true, false] {
        let expected = [(Kind::BufferOutOfBounds, 4), (Kind::BufferOutOfBounds, 8)];
        assert_eq!(counted(source, debug), expected, "debug: {debug}");
    }
}
