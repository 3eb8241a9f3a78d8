//! Images through the full API: sampled, storage and queried, in compute and fragment shaders; rendering to every
//! format, and to single slices.

use quadrille::{
    AddressMode, Aspects, Device, DeviceOptions, FORMATS, Filter, Format, FormatFeatures, ImageDesc,
    ImageType, ImageUsage, ImageViewDesc, Numeric, Rect, RenderingAttachment, RenderingInfo, Result,
    SamplerDesc, ShaderTest,
};

fn linear() -> SamplerDesc {
    SamplerDesc { mag_filter: Filter::Linear, min_filter: Filter::Linear, ..SamplerDesc::default() }
}

/// 4x4 texels with red = 64 x and green = 64 y.
fn ramp() -> Vec<[u8; 4]> {
    (0..16).map(|i| [64 * (i % 4), 64 * (i / 4), 0, 255]).collect()
}

#[test]
fn explicit_levels_fetches_gathers_and_sizes() -> Result<()> {
    let source = "
        @group(0) @binding(0) var image: texture_2d<f32>;
        @group(0) @binding(1) var point: sampler;
        @group(0) @binding(2) var smooth_: sampler;
        @group(0) @binding(3) var<storage, read_write> out: array<vec4<f32>>;
        @compute @workgroup_size(16)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            let at = vec2<i32>(i32(id.x % 4u), i32(id.x / 4u));
            let uv = (vec2<f32>(at) + 0.5) / 4.0;
            out[id.x] = textureLoad(image, at, 0);
            out[16u + id.x] = textureSampleLevel(image, point, uv, 0.0);
            out[32u + id.x] = textureSampleLevel(image, smooth_, uv + 0.125, 0.0);
            out[48u + id.x] = textureGather(0, image, smooth_, uv + 0.125);
            out[64u + id.x] = vec4<f32>(vec2<f32>(textureDimensions(image)), f32(textureNumLevels(image)), 0.0);
            out[80u + id.x] = textureLoad(image, at + 3, 0);
        }";
    let run = ShaderTest::wgsl(source)?
        .bind_image(0, 0, Format::R8G8B8A8_UNORM, (4, 4), &ramp())
        .bind_sampler(0, 1, SamplerDesc::default())
        .bind_sampler(0, 2, linear())
        .bind_zeros::<[f32; 4]>(0, 3, 96)
        .dispatch([1, 1, 1])?;
    let out: Vec<[f32; 4]> = run.read(0, 3)?;
    for i in 0..16 {
        let (x, y) = (i % 4, i / 4);
        let texel =
            |x: usize, y: usize| [64.0 * (x % 4) as f32 / 255.0, 64.0 * (y % 4) as f32 / 255.0, 0.0, 1.0];
        assert_eq!(out[i], texel(x, y));
        assert_eq!(out[16 + i], texel(x, y));
        // The mean of four texels, sampled at their common corner; the default address mode repeats.
        let mean = (texel(x, y)[0] + texel(x + 1, y)[0]) / 2.0;
        assert!((out[32 + i][0] - mean).abs() < 1e-6);
        let [a, b] = [texel(x, y)[0], texel(x + 1, y)[0]];
        assert_eq!(out[48 + i], [a, b, b, a]);
        assert_eq!(out[64 + i], [4.0, 4.0, 1.0, 0.0]);
        let outside = x > 0 || y > 0;
        assert_eq!(out[80 + i], if outside { [0.0; 4] } else { texel(3, 3) });
    }
    Ok(())
}

#[test]
fn storage_images_are_read_and_written() -> Result<()> {
    let source = "
        @group(0) @binding(0) var from_: texture_2d<f32>;
        @group(0) @binding(1) var to: texture_storage_2d<rgba8unorm, write>;
        @group(0) @binding(2) var count: texture_storage_2d<r32uint, read_write>;
        @compute @workgroup_size(8, 8)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            let at = vec2<i32>(id.xy);
            textureStore(to, at, textureLoad(from_, at, 0).yxzw);
            textureStore(count, at, textureLoad(count, at) + vec4<u32>(id.x + 10u * id.y));
        }";
    let counts: Vec<u32> = (0..16).map(|i| 1000 * i).collect();
    let run = ShaderTest::wgsl(source)?
        .bind_image(0, 0, Format::R8G8B8A8_UNORM, (4, 4), &ramp())
        .bind_image(0, 1, Format::R8G8B8A8_UNORM, (4, 4), &[[0u8; 4]; 16])
        .bind_image(0, 2, Format::R32_UINT, (4, 4), &counts)
        .dispatch([1, 1, 1])?;
    let texels: Vec<[u8; 4]> = run.read_image(0, 1)?;
    let counts: Vec<u32> = run.read_image(0, 2)?;
    for (i, t) in ramp().into_iter().enumerate() {
        assert_eq!(texels[i], [t[1], t[0], t[2], t[3]]);
        assert_eq!(counts[i] as usize, 1000 * i + i % 4 + 10 * (i / 4));
    }
    Ok(())
}

#[test]
fn fragments_sample_with_implicit_lod() -> Result<()> {
    let source = "
        @group(0) @binding(0) var image: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment
        fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            return textureSample(image, s, p.xy / 64.0);
        }";
    let address = AddressMode::ClampToEdge;
    let sampler = SamplerDesc { address: [address; 3], ..linear() };
    let draw = |lanes| {
        ShaderTest::wgsl(source)?
            .lanes(lanes)
            .bind_image(0, 0, Format::R8G8B8A8_UNORM, (4, 4), &ramp())
            .bind_sampler(0, 1, sampler)
            .draw(64, 64)?
            .picture()
    };
    let picture = draw(8)?;
    for lanes in [4, 16, 32] {
        assert_eq!(draw(lanes)?.bytes(), picture.bytes(), "{lanes} lanes");
    }
    for (x, y) in [(0, 0), (63, 63), (8, 8), (24, 40), (33, 17)] {
        let at = |p: u32| ((p as f32 + 0.5) / 16.0 - 0.5).clamp(0.0, 3.0) * 64.0;
        let got = picture.pixel(x, y);
        assert!((f32::from(got[0]) - at(x)).abs() <= 1.0, "{x} {y}: {got:?}");
        assert!((f32::from(got[1]) - at(y)).abs() <= 1.0, "{x} {y}: {got:?}");
        assert_eq!(got[3], 255);
    }
    Ok(())
}

/// Every format with the colour attachment feature can be drawn to, and reads back as drawn.
#[test]
fn every_attachment_format_is_drawn_to() -> Result<()> {
    let source = |ty: &str, value: &str| {
        format!("@fragment fn main() -> @location(0) vec4<{ty}> {{ return vec4<{ty}>({value}); }}")
    };
    for info in FORMATS {
        let format = info.format;
        if !format.features().contains(FormatFeatures::COLOR_ATTACHMENT) {
            continue;
        }
        let (words, shader) = match info.numeric {
            Numeric::Uint => ([1, 2, 3, 1], source("u32", "1, 2, 3, 1")),
            Numeric::Sint => ([1, -1i32 as u32, 1, 0], source("i32", "1, -1, 1, 0")),
            _ => ([1.0f32, 0.5, 0.25, 1.0].map(f32::to_bits), source("f32", "1, 0.5, 0.25, 1")),
        };
        let run = ShaderTest::wgsl(&shader)?.target(format).draw(5, 3)?;
        let bytes: Vec<u8> = run.read_target()?;
        let texel = format.pack(words);
        let n = format.bytes() as usize;
        assert_eq!(bytes.len(), 15 * n, "{}", format.name());
        for got in bytes.chunks(n) {
            assert_eq!(got, &texel[..n], "{}", format.name());
        }
    }
    Ok(())
}

/// Every format with the sampled feature returns the texels that were written; linear filters preserve equal texels.
#[test]
fn every_sampled_format_is_read() -> Result<()> {
    let source = |ty: &str, load: &str| {
        format!(
            "@group(0) @binding(0) var image: texture_2d<{ty}>;
            @group(0) @binding(1) var s: sampler;
            @group(0) @binding(2) var<storage, read_write> out: array<vec4<{ty}>, 2>;
            @compute @workgroup_size(1) fn main() {{
                out[0] = textureLoad(image, vec2<i32>(1, 1), 0);
                {load}
            }}"
        )
    };
    for info in FORMATS {
        let format = info.format;
        let shown = format.features().contains(FormatFeatures::SAMPLED_IMAGE);
        if !shown || format.is_depth_stencil() || format.is_compressed() || format.is_multi_planar() {
            continue;
        }
        let filtered = "out[1] = textureSampleLevel(image, s, vec2<f32>(0.4, 0.7), 0.0);";
        let (words, shader) = match info.numeric {
            Numeric::Uint => ([1, 2, 3, 1], source("u32", "out[1] = out[0];")),
            Numeric::Sint => ([1, -1i32 as u32, 1, 0], source("i32", "out[1] = out[0];")),
            _ => ([1.0f32, 0.5, 0.25, 1.0].map(f32::to_bits), source("f32", filtered)),
        };
        let n = format.bytes() as usize;
        let texel = format.pack(words);
        let bytes: Vec<u8> = (0..9).flat_map(|_| texel[..n].to_vec()).collect();
        let test = ShaderTest::wgsl(&shader)?
            .bind_image(0, 0, format, (3, 3), &bytes)
            .bind_zeros::<[u32; 4]>(0, 2, 2);
        let test = if format.is_integer() { test } else { test.bind_sampler(0, 1, linear()) };
        let run = test.dispatch([1, 1, 1])?;
        let out: Vec<[u32; 4]> = run.read(0, 2)?;
        assert_eq!(out, [format.unpack(&texel); 2], "{}", format.name());
    }
    Ok(())
}

/// A view of one slice of a 3D depth image is an attachment, and the other slices are unchanged. Spec:
/// VkImageCreateFlagBits, `VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT`.
#[test]
fn slices_of_depth_are_attachments() -> Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    let format = Format::D32_SFLOAT;
    let image = device.create_image(ImageDesc {
        image_type: ImageType::D3,
        extent: [4, 4, 3],
        ..ImageDesc::new_2d(format, 4, 4, ImageUsage::DEPTH_STENCIL_ATTACHMENT | ImageUsage::TRANSFER_SRC)
    })?;
    image.bind(&device.allocate(image.requirements().size)?, 0)?;
    let mut commands = device.create_command_buffer();
    for (slice, depth) in [(0, 0.25), (2, 0.75), (1, 0.5)] {
        let desc = ImageViewDesc { base_layer: slice, ..ImageViewDesc::new_2d(format) };
        let view = device.create_image_view(&image, desc)?;
        let info = RenderingInfo {
            area: Rect::of_size(4, 4),
            depth: Some(RenderingAttachment::clear_depth(&view, depth)),
            ..RenderingInfo::default()
        };
        commands.begin_rendering(&info).end_rendering();
    }
    commands.end()?;
    device.queue().run(&commands)?;
    let depth: Vec<f32> = bytemuck::pod_collect_to_vec(&image.read_level(Aspects::DEPTH, 0)?);
    let expected = [0.25, 0.5, 0.75].map(|z| [z; 16]).concat();
    assert_eq!(depth, expected);
    Ok(())
}
