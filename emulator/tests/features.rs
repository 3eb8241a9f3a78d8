//! Tests of device features, one by one, with GLSL shaders (feature `glsl`).

#![cfg(feature = "glsl")]

use quadrille::{Format, Result, SamplerDesc, ShaderTest, TestRun};

/// Creates a compute shader with these declarations and this body of `main`; one workgroup of `n` invocations.
fn shader(n: u32, head: &str, body: &str) -> Result<ShaderTest> {
    ShaderTest::glsl(&format!(
        "#version 450\n{head}\nlayout(local_size_x = {n}) in;\nvoid main() {{\n{body}\n}}\n"
    ))
}

const OUT: &str = "layout(set = 1, binding = 0) buffer Out { uint o[]; };";

fn run(n: u32, head: &str, body: &str, edit: impl Fn(ShaderTest) -> ShaderTest) -> Result<TestRun> {
    let head = format!("{head}\n{OUT}");
    edit(shader(n, &head, body)?.bind_zeros::<u32>(1, 0, 64)).dispatch([1, 1, 1])
}

/// shaderUniformBufferArrayDynamicIndexing and the corresponding features of other descriptor kinds.
#[test]
fn arrays_of_descriptors() -> Result<()> {
    let head = "layout(binding = 0) uniform U { uint v; } u[3];
        layout(binding = 1) buffer B { uint v; } b[3];
        layout(binding = 2) uniform sampler2D t[3];
        layout(binding = 3, r32ui) uniform uimage2D i[2];
        layout(push_constant) uniform P { int k; };";
    let body = "for (int j = 0; j < 3; j++) { o[j] = u[j].v + b[j].v; b[j].v = j + 50; }
        o[3] = u[k].v; o[4] = b[k].v;
        o[5] = uint(texelFetch(t[k], ivec2(0), 0).r * 255.0);
        o[6] = uint(textureLod(t[k - 1], vec2(0.5), 0.0).r * 255.0);
        imageStore(i[k - 1], ivec2(0), uvec4(9));
        o[7] = imageLoad(i[k - 1], ivec2(0)).r + imageLoad(i[k - 2], ivec2(0)).r;";
    let result = run(1, head, body, |t| {
        (0..3u32)
            .fold(t, |t, i| {
                let red = [i as u8 * 10 + 1, 0, 0, 0];
                t.bind_at(0, 0, i, &[i + 10]).bind_at(0, 1, i, &[100 * i]).bind_image_at(
                    0,
                    2,
                    i,
                    Format::R8G8B8A8_UNORM,
                    (1, 1),
                    &[red],
                )
            })
            .bind_sampler(0, 2, SamplerDesc::default())
            .bind_image_at(0, 3, 0, Format::R32_UINT, (1, 1), &[3u32])
            .bind_image_at(0, 3, 1, Format::R32_UINT, (1, 1), &[4u32])
            .push(&[2u32])
    })?;
    assert_eq!(result.read::<u32>(1, 0)?[..8], [10, 111, 212, 12, 52, 21, 11, 12]);
    assert_eq!(result.read_at::<u32>(0, 1, 1)?, [51]);
    Ok(())
}

/// shaderInt64.
#[test]
fn int64() -> Result<()> {
    let head = "#extension GL_ARB_gpu_shader_int64 : require
        layout(binding = 0) buffer I { int64_t a[4]; uint64_t b[4]; };";
    let body = "uint i = gl_LocalInvocationID.x;
        int64_t x = a[i]; uint64_t y = b[i];
        a[i] = x * 3l - (x >> 5) / 7l + x % 5l + int64_t(i);
        b[i] = (y << 3) ^ (y >> 60) | uint64_t(x < 0l);
        o[i] = uint(y > uint64_t(x)) + uint(float(x) < 0.0) * 2u;";
    let a = [-5_000_000_000i64, 7, i64::MAX, -1];
    let b = [u64::MAX, 1 << 60, 12345678901234567, 0];
    let both: Vec<u64> = a.iter().map(|v| *v as u64).chain(b).collect();
    let result = run(4, head, body, |t| t.bind(0, 0, &both))?;
    let out = result.read::<u64>(0, 0)?;
    for i in 0..4 {
        let (x, y) = (a[i], b[i]);
        let want = x.wrapping_mul(3).wrapping_sub((x >> 5) / 7).wrapping_add(x % 5).wrapping_add(i as i64);
        if x >= 0 {
            assert_eq!(out[i] as i64, want);
        } else {
            // GLSL leaves the remainder of negative numbers undefined.
            let rest = (out[i] as i64).wrapping_sub(want).unsigned_abs();
            assert!(rest == 0 || rest == 5, "{i}: {} {want}", out[i] as i64);
        }
        assert_eq!(out[i + 4], (y << 3) ^ (y >> 60) | u64::from(x < 0));
        let flags = u32::from(y > x as u64) + u32::from((x as f32) < 0.0) * 2;
        assert_eq!(result.read::<u32>(1, 0)?[i], flags);
    }
    Ok(())
}

/// shaderFloat64.
#[test]
fn float64() -> Result<()> {
    let head = "layout(binding = 0) buffer D { double d[4]; dmat2 m; };";
    let body = "uint i = gl_LocalInvocationID.x;
        double x = d[i];
        d[i] = sqrt(abs(x)) * 3.0lf - x / 7.0lf + floor(x) + min(x, 2.0lf);
        o[i] = uint(x > 1.0lf) + uint(int(x)) * 2u;";
    let d = [1.25f64, -1e10, 3.0, 0.1];
    let all: Vec<f64> = d.iter().copied().chain([0.0; 4]).collect();
    let result = run(4, head, body, |t| t.bind(0, 0, &all))?;
    let out = result.read::<f64>(0, 0)?;
    for i in 0..4 {
        let x = d[i];
        assert_eq!(out[i], x.abs().sqrt() * 3.0 - x / 7.0 + x.floor() + x.min(2.0), "{i}");
    }
    Ok(())
}

/// shaderInt16, shaderInt8, shaderFloat16 and 8- and 16-bit storage.
#[test]
fn small_types() -> Result<()> {
    let head = "#extension GL_EXT_shader_explicit_arithmetic_types : require
        #extension GL_EXT_shader_16bit_storage : require
        #extension GL_EXT_shader_8bit_storage : require
        layout(binding = 0) buffer S { int16_t s[4]; uint8_t c[4]; float16_t h[4]; };";
    let body = "uint i = gl_LocalInvocationID.x;
        s[i] = s[i] * 3s + int16_t(i);
        c[i] = c[i] + uint8_t(200);
        h[i] = h[i] * float16_t(1.5) + float16_t(i);
        o[i] = uint(s[i] < 0s);";
    let mut bytes: Vec<u8> = Vec::new();
    let s = [1i16, -2, 30000, 7];
    let c = [1u8, 100, 255, 0];
    s.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    bytes.extend(c);
    // 1.0, 2.0, -0.5, 1000.0
    [0x3c00u16, 0x4000, 0xb800, 0x63d0].iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    let result = run(4, head, body, |t| t.bind(0, 0, &bytes))?;
    let out = result.read::<u8>(0, 0)?;
    for i in 0..4 {
        let got = i16::from_le_bytes([out[2 * i], out[2 * i + 1]]);
        assert_eq!(got, s[i].wrapping_mul(3).wrapping_add(i as i16));
        assert_eq!(out[8 + i], c[i].wrapping_add(200));
    }
    // 1.5, 4.0, 1.25, 1503.0
    let want = [0x3e00u16, 0x4400, 0x3d00, 0x65df];
    let got: Vec<u16> = out[12..20].chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
    assert_eq!(got, want);
    Ok(())
}

/// shaderImageGatherExtended, and storage images with extended formats and without a format.
#[test]
fn images() -> Result<()> {
    let head = "#extension GL_EXT_shader_image_load_formatted : require
        layout(binding = 0) uniform sampler2D t;
        layout(binding = 1, rg16f) uniform image2D a;
        layout(binding = 2) uniform image2D any;
        layout(binding = 3) writeonly uniform image2D none;";
    let body = "const ivec2 at[4] = ivec2[](ivec2(0), ivec2(1, 0), ivec2(0, 1), ivec2(2, 2));
        vec4 g = textureGatherOffsets(t, vec2(0.25), at, 0);
        vec4 h = textureGatherOffset(t, vec2(0.25), ivec2(1, 1), 1);
        for (int i = 0; i < 4; i++) { o[i] = uint(g[i] * 255.0 + 0.5); o[i + 4] = uint(h[i] * 255.0 + 0.5); }
        vec4 v = imageLoad(a, ivec2(1, 0));
        imageStore(a, ivec2(0), vec4(v.g, v.r + 1.0, 0, 0));
        o[8] = floatBitsToUint(imageLoad(any, ivec2(1, 1)).b);
        imageStore(none, ivec2(0, 1), vec4(0.5, 0.25, 1.0, 0.0));";
    let texels: Vec<[u8; 4]> = (0..16u8).map(|i| [i, i + 100, 0, 0]).collect();
    let result = run(1, head, body, |t| {
        t.bind_image(0, 0, Format::R8G8B8A8_UNORM, (4, 4), &texels)
            .bind_image(0, 1, Format::R16G16_SFLOAT, (2, 1), &[[0u16; 2], [0x3c00, 0x4000]])
            .bind_image(0, 2, Format::R32G32B32A32_SFLOAT, (2, 2), &[[0.0f32, 1.0, 7.5, 0.0]; 4])
            .bind_image(0, 3, Format::R8G8B8A8_UNORM, (1, 2), &[[0u8; 4]; 2])
    })?;
    let out = result.read::<u32>(1, 0)?;
    // After the offset, the footprint at (0.25, 0.25) in 4x4 texels has its lower left texel at (0, 0).
    assert_eq!(out[..4], [0, 1, 4, 10]);
    assert_eq!(out[4..8], [109, 110, 106, 105]);
    assert_eq!(f32::from_bits(out[8]), 7.5);
    assert_eq!(result.read_image::<[u16; 2]>(0, 1)?[0], [0x4000, 0x4000]);
    assert_eq!(result.read_image::<[u8; 4]>(0, 3)?[1], [128, 64, 255, 0]);
    Ok(())
}

/// shaderClipDistance and shaderCullDistance.
#[test]
fn clip_and_cull_distances() -> Result<()> {
    let vertex = "#version 450
        out float gl_ClipDistance[2];
        void main() {
            vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
            gl_Position = vec4(p, 0, 1);
            gl_ClipDistance[0] = p.x;
            gl_ClipDistance[1] = 0.5 - p.y;
        }";
    let fragment = "#version 450
        layout(location = 0) out vec4 c;
        void main() { c = vec4(1); }";
    let picture = ShaderTest::glsl_fragment(fragment)?.vertex_glsl(vertex, 3)?.draw(16, 16)?.picture()?;
    for y in 0..16 {
        for x in 0..16 {
            let inside = x >= 8 && y < 12;
            assert_eq!(picture.pixel(x, y)[0], if inside { 255 } else { 0 }, "({x}, {y})");
        }
    }
    let read = "#version 450
        in float gl_ClipDistance[2];
        layout(location = 0) out vec4 c;
        void main() { c = vec4(gl_ClipDistance[0], gl_ClipDistance[1], 0, 1); }";
    let picture = ShaderTest::glsl_fragment(read)?.vertex_glsl(vertex, 3)?.draw(16, 16)?.picture()?;
    // p.x at (10.5, 5.5) is 0.3125, 0.5 - p.y is 0.8125.
    assert_eq!(picture.pixel(10, 5), [80, 207, 0, 255]);
    let culled = vertex.replace("gl_ClipDistance", "gl_CullDistance").replace("= p.x", "= -0.1 - p.x * 0.0");
    let picture = ShaderTest::glsl_fragment(fragment)?.vertex_glsl(&culled, 3)?.draw(16, 16)?.picture()?;
    assert!(picture.pixels.iter().all(|p| p[0] == 0));
    Ok(())
}
