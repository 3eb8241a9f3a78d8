//! Scenes of commands outside of passes: copies, blits, clears; and of clears within passes.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::vk;
use vk::{Filter, Format as F, ImageAspectFlags as A};

use super::draw::{Bind, Depth, Draw};
use super::studio::{Image, Made, Of, Pass, RGBA8, Studio, rgba, whole, zs};
use super::{SIZE, Steps};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("blit_larger_nearest", |s| blit_picture(s, [0, 0, 16, 16], [3, 5, 61, 60], Filter::NEAREST)),
    ("blit_larger_linear", |s| blit_picture(s, [0, 0, 16, 16], [3, 5, 61, 60], Filter::LINEAR)),
    ("blit_smaller_linear", |s| blit_picture(s, [0, 0, 64, 64], [7, 9, 40, 33], Filter::LINEAR)),
    ("blit_flipped", |s| blit_picture(s, [1, 2, 15, 14], [60, 4, 4, 60], Filter::NEAREST)),
    ("blit_flipped_linear", |s| blit_picture(s, [15, 14, 1, 2], [4, 60, 60, 4], Filter::LINEAR)),
    ("blit_to_565", |s| convert(s, F::R5G6B5_UNORM_PACK16, Filter::NEAREST)),
    ("blit_to_srgb", |s| convert(s, F::R8G8B8A8_SRGB, Filter::LINEAR)),
    ("blit_to_bgra", |s| convert(s, F::B8G8R8A8_UNORM, Filter::NEAREST)),
    ("blit_to_10_bits", |s| convert(s, F::A2B10G10R10_UNORM_PACK32, Filter::LINEAR)),
    ("blit_to_half_floats", |s| convert(s, F::R16G16B16A16_SFLOAT, Filter::LINEAR)),
    ("blit_integers", blit_integers),
    ("blit_slices", blit_slices),
    ("mip_generation", mip_generation),
    ("mip_generation_srgb", |s| mips(s, F::R8G8B8A8_SRGB)),
    ("copy_image_parts", copy_parts),
    ("copy_between_formats", copy_between_formats),
    ("copy_slices_to_layers", copy_slices),
    ("copy_depth_and_stencil", copy_depth),
    ("copy_blocks", copy_blocks),
    ("copy_planes", copy_planes),
    ("copy_rows_apart", copy_rows),
    ("clear_levels_and_layers", clear_levels),
    ("clear_depth_and_stencil", clear_depth),
    ("clear_attachments", clear_attachments),
    ("clear_stencil_attachment", clear_stencil),
    ("fill_and_update_buffers", fill),
];

const GENERAL: vk::ImageLayout = vk::ImageLayout::GENERAL;

fn layers(
    aspect_mask: A,
    mip_level: u32,
    base_array_layer: u32,
    layer_count: u32,
) -> vk::ImageSubresourceLayers {
    vk::ImageSubresourceLayers { aspect_mask, mip_level, base_array_layer, layer_count }
}

fn offset(x: i32, y: i32, z: i32) -> vk::Offset3D {
    vk::Offset3D { x, y, z }
}

fn extent(width: u32, height: u32, depth: u32) -> vk::Extent3D {
    vk::Extent3D { width, height, depth }
}

/// An image with a smooth pattern and a checkerboard.
fn pattern(s: &Studio, size: u32, of: Of) -> Made<Image> {
    let image = s.image(of)?;
    let bytes: Vec<u8> = (0..size * size)
        .flat_map(|i| {
            let (x, y) = (i % size, i / size);
            [
                (x * 255 / (size - 1)) as u8,
                (y * 255 / (size - 1)) as u8,
                if (x ^ y) & 2 == 0 { 200 } else { 50 },
                255,
            ]
        })
        .collect();
    s.upload(&image, 0, &bytes)?;
    Ok(image)
}

fn blit(s: &Studio, from: &Image, to: &Image, regions: &[vk::ImageBlit], filter: Filter) {
    s.barrier();
    let (d, c) = (&s.client.device, s.commands);
    // SAFETY: both images belong to the studio, are in the general layout and contain the regions; the commands are
    // outside of a pass.
    unsafe { d.cmd_blit_image(c, from.image, GENERAL, to.image, GENERAL, regions, filter) };
    s.barrier();
}

fn copy(s: &Studio, from: &Image, to: &Image, regions: &[vk::ImageCopy]) {
    s.barrier();
    let (d, c) = (&s.client.device, s.commands);
    // SAFETY: both images belong to the studio, are in the general layout and contain the regions; the commands are
    // outside of a pass.
    unsafe { d.cmd_copy_image(c, from.image, GENERAL, to.image, GENERAL, regions) };
    s.barrier();
}

fn region([a, b, c, d]: [i32; 4], [e, f, g, h]: [i32; 4]) -> vk::ImageBlit {
    vk::ImageBlit::default()
        .src_subresource(layers(A::COLOR, 0, 0, 1))
        .src_offsets([offset(a, b, 0), offset(c, d, 1)])
        .dst_subresource(layers(A::COLOR, 0, 0, 1))
        .dst_offsets([offset(e, f, 0), offset(g, h, 1)])
}

fn blit_picture(s: &mut Studio, from: [i32; 4], to: [i32; 4], filter: Filter) -> Made<()> {
    let size = from.into_iter().max().unwrap_or(16).max(16) as u32;
    let image = pattern(s, size, Of::texture(RGBA8, size, size))?;
    blit(s, &image, &s.picture, &[region(from, to)], filter);
    Ok(())
}

/// Blits to a smaller image of another format, and back to a larger one.
fn convert(s: &mut Studio, format: F, filter: Filter) -> Made<()> {
    use vk::FormatFeatureFlags as X;
    s.need(s.offers(format, X::BLIT_SRC | X::BLIT_DST), "blit of the format")?;
    let (from, to) = (pattern(s, 64, Of::texture(RGBA8, 64, 64))?, s.image(Of::texture(format, 32, 32))?);
    blit(s, &from, &to, &[region([0, 0, 64, 64], [0, 0, 32, 32])], filter);
    blit(s, &to, &s.picture, &[region([0, 0, 32, 32], [0, 0, 64, 64])], Filter::NEAREST);
    Ok(())
}

/// Blits integers to integers of other widths: values are clamped.
fn blit_integers(s: &mut Studio) -> Made<()> {
    let from = pattern(s, 16, Of::texture(F::R8G8B8A8_UINT, 16, 16))?;
    let wide = s.image(Of::texture(F::R16G16B16A16_UINT, 32, 32))?;
    let to = s.image(Of::texture(F::R8G8_UINT, 64, 64))?;
    blit(s, &from, &wide, &[region([0, 0, 16, 16], [32, 0, 0, 32])], Filter::NEAREST);
    blit(s, &wide, &to, &[region([0, 0, 32, 32], [0, 0, 64, 64])], Filter::NEAREST);
    let sampler = s.sampler(|i| i)?;
    s.paint(
        "layout(binding = 0) uniform usampler2D t;",
        "o = vec4(vec4(texelFetch(t, px, 0)).rg / 255.0, 0, 1);",
        &[Bind::Sampled(s.view(&to)?, sampler)],
    )
}

/// Blits a 3D image to a smaller one, with filtering in three directions.
fn blit_slices(s: &mut Studio) -> Made<()> {
    let ty = vk::ImageType::TYPE_3D;
    let from = s.image(Of { ty, size: [8, 8, 8], ..Of::texture(RGBA8, 8, 8) })?;
    let bytes: Vec<u8> = (0..512u32)
        .flat_map(|i| [(i % 8 * 36) as u8, (i / 8 % 8 * 36) as u8, (i / 64 * 36) as u8, 255])
        .collect();
    s.upload(&from, 0, &bytes)?;
    let to = s.image(Of { ty, size: [32, 32, 4], ..Of::texture(RGBA8, 32, 32) })?;
    let one = layers(A::COLOR, 0, 0, 1);
    let region = vk::ImageBlit::default()
        .src_subresource(one)
        .src_offsets([offset(0, 0, 0), offset(8, 8, 8)])
        .dst_subresource(one)
        .dst_offsets([offset(0, 0, 4), offset(32, 32, 0)]);
    blit(s, &from, &to, &[region], Filter::LINEAR);
    let sampler = s.sampler(|i| i)?;
    s.paint(
        "layout(binding = 0) uniform sampler3D t;",
        "o = texelFetch(t, ivec3(px % 32, px.x / 32 + px.y / 32 * 2), 0);",
        &[Bind::Sampled(s.view(&to)?, sampler)],
    )
}

fn mip_generation(s: &mut Studio) -> Made<()> {
    mips(s, RGBA8)
}

/// Makes each level from the one above, and shows all of them.
fn mips(s: &mut Studio, format: F) -> Made<()> {
    let image = pattern(s, 64, Of { levels: 7, ..Of::texture(format, 64, 64) })?;
    for level in 1..7 {
        let size = |l: u32| offset((64 >> l).max(1), (64 >> l).max(1), 1);
        let region = vk::ImageBlit::default()
            .src_subresource(layers(A::COLOR, level - 1, 0, 1))
            .src_offsets([offset(0, 0, 0), size(level - 1)])
            .dst_subresource(layers(A::COLOR, level, 0, 1))
            .dst_offsets([offset(0, 0, 0), size(level)]);
        blit(s, &image, &image, &[region], Filter::LINEAR);
    }
    let sampler = s.sampler(|i| i)?;
    let body = "int l = clamp(px.x / 9, 0, 6); o = texelFetch(t, (px >> l) % max(64 >> l, 1), l);";
    s.paint("layout(binding = 0) uniform sampler2D t;", body, &[Bind::Sampled(s.view(&image)?, sampler)])
}

fn copy_parts(s: &mut Studio) -> Made<()> {
    let image = pattern(s, 32, Of::texture(RGBA8, 32, 32))?;
    let one = layers(A::COLOR, 0, 0, 1);
    let regions: Vec<_> = (0..9)
        .map(|k| {
            vk::ImageCopy::default()
                .src_subresource(one)
                .src_offset(offset(k * 2, 16 - k * 2, 0))
                .dst_subresource(one)
                .dst_offset(offset(k % 3 * 21, k / 3 * 21, 0))
                .extent(extent(15 - k as u32, 16, 1))
        })
        .collect();
    copy(s, &image, &s.picture, &regions);
    Ok(())
}

/// Copies preserve bits, whatever the formats.
fn copy_between_formats(s: &mut Studio) -> Made<()> {
    let image = pattern(s, 64, Of::texture(RGBA8, 64, 64))?;
    let words = s.image(Of::texture(F::R32_UINT, 64, 64))?;
    let halves = s.image(Of::texture(F::R16G16_SINT, 64, 64))?;
    let one = layers(A::COLOR, 0, 0, 1);
    let all = vk::ImageCopy::default().src_subresource(one).dst_subresource(one).extent(extent(64, 64, 1));
    copy(s, &image, &words, &[all]);
    copy(s, &words, &halves, &[all]);
    copy(s, &halves, &s.picture, &[all]);
    Ok(())
}

fn copy_slices(s: &mut Studio) -> Made<()> {
    let from = s.image(Of { ty: vk::ImageType::TYPE_3D, size: [16, 16, 4], ..Of::texture(RGBA8, 16, 16) })?;
    let bytes: Vec<u8> = (0..1024u32)
        .flat_map(|i| [(i % 16 * 16) as u8, (i / 16 % 16 * 16) as u8, (i / 256 * 80) as u8, 255])
        .collect();
    s.upload(&from, 0, &bytes)?;
    let to = s.image(Of { layers: 5, ..Of::texture(RGBA8, 16, 16) })?;
    s.clear(&to, [0.2, 0.2, 0.2, 1.0]);
    let region = vk::ImageCopy::default()
        .src_subresource(layers(A::COLOR, 0, 0, 1))
        .src_offset(offset(2, 0, 1))
        .dst_subresource(layers(A::COLOR, 0, 1, 3))
        .extent(extent(14, 12, 3));
    copy(s, &from, &to, &[region]);
    let sampler = s.sampler(|i| i)?;
    s.paint(
        "layout(binding = 0) uniform sampler2DArray t;",
        "o = texelFetch(t, ivec3(px % 16, min(px.x / 16 + px.y / 32, 4)), 0);",
        &[Bind::Sampled(s.view(&to)?, sampler)],
    )
}

/// Copies depth and stencil to and from buffers one by one, and between images both at once.
fn copy_depth(s: &mut Studio) -> Made<()> {
    let format = F::D32_SFLOAT_S8_UINT;
    let (a, b) = (s.image(Of::depth(format))?, s.image(Of::depth(format))?);
    let depths: Vec<u8> = (0..4096u32).flat_map(|i| ((i % 64) as f32 / 63.0).to_ne_bytes()).collect();
    let stencils: Vec<u8> = (0..4096u32).map(|i| (i / 64 * 4) as u8).collect();
    s.upload_aspect(&a, 0, A::DEPTH, &depths)?;
    s.upload_aspect(&a, 0, A::STENCIL, &stencils)?;
    let both = layers(A::DEPTH | A::STENCIL, 0, 0, 1);
    let all = vk::ImageCopy::default().src_subresource(both).dst_subresource(both).extent(extent(64, 64, 1));
    copy(s, &a, &b, &[all]);
    // To buffers: depths as bits of floats, stencils as bytes.
    let (z, x) = (s.buffer(&vec![0; 4096 * 4])?, s.buffer(&vec![0; 4096])?);
    s.copy_out(&b, A::DEPTH, 0, z);
    s.copy_out(&b, A::STENCIL, 0, x);
    s.barrier();
    let bind = [Bind::Buffer(z), Bind::Buffer(x)];
    let head = "layout(binding = 0) buffer Z { float z[]; }; layout(binding = 1) buffer X { uint x[]; };";
    s.paint(
        head,
        "int i = px.y * 64 + px.x; o = vec4(z[i], float(x[i / 4] >> (i % 4 * 8) & 255) / 255.0, .3, 1);",
        &bind,
    )
}

/// Copies words to compressed blocks, and parts of compressed images.
fn copy_blocks(s: &mut Studio) -> Made<()> {
    s.need(s.client.has.core.texture_compression_bc != 0, "textureCompressionBC")?;
    let format = F::BC1_RGB_UNORM_BLOCK;
    let words = s.image(Of::texture(F::R32G32_UINT, 16, 16))?;
    let mut x = 5u32;
    let bytes: Vec<u8> = (0..2048)
        .map(|_| {
            x = x.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (x >> 16) as u8
        })
        .collect();
    s.upload(&words, 0, &bytes)?;
    let (a, b) = (s.image(Of::texture(format, 64, 64))?, s.image(Of::texture(format, 64, 64))?);
    let one = layers(A::COLOR, 0, 0, 1);
    let all = vk::ImageCopy::default().src_subresource(one).dst_subresource(one).extent(extent(16, 16, 1));
    copy(s, &words, &a, &[all]);
    let rest = vk::ImageCopy::default().src_subresource(one).dst_subresource(one).extent(extent(64, 64, 1));
    copy(s, &a, &b, &[rest]);
    let part = rest.src_offset(offset(0, 0, 0)).dst_offset(offset(16, 32, 0)).extent(extent(40, 20, 1));
    copy(s, &a, &b, &[part]);
    let sampler = s.sampler(|i| i)?;
    s.paint(
        "layout(binding = 0) uniform sampler2D t;",
        "o = texelFetch(t, px, 0);",
        &[Bind::Sampled(s.view(&b)?, sampler)],
    )
}

/// Copies planes to buffers and to colour images.
fn copy_planes(s: &mut Studio) -> Made<()> {
    let format = F::G8_B8R8_2PLANE_420_UNORM;
    s.need(s.client.has.ycbcr.sampler_ycbcr_conversion != 0, "samplerYcbcrConversion")?;
    s.need(s.offers(format, vk::FormatFeatureFlags::SAMPLED_IMAGE), "format")?;
    let image = s.image(Of::texture(format, 32, 32))?;
    let luma: Vec<u8> = (0..1024u32).map(|i| (i % 32 * 8) as u8).collect();
    let chroma: Vec<u8> = (0..256u32).flat_map(|i| [(i % 16 * 16) as u8, (i / 16 * 16) as u8]).collect();
    s.upload_aspect(&image, 0, A::PLANE_0, &luma)?;
    s.upload_aspect(&image, 0, A::PLANE_1, &chroma)?;
    let (y, c) = (s.image(Of::texture(F::R8_UNORM, 32, 32))?, s.image(Of::texture(F::R8G8_UNORM, 16, 16))?);
    let out = |plane, n| {
        vk::ImageCopy::default()
            .src_subresource(layers(plane, 0, 0, 1))
            .dst_subresource(layers(A::COLOR, 0, 0, 1))
            .extent(extent(n, n, 1))
    };
    copy(s, &image, &y, &[out(A::PLANE_0, 32)]);
    copy(s, &image, &c, &[out(A::PLANE_1, 16)]);
    let sampler = s.sampler(|i| i)?;
    let bind = [Bind::Sampled(s.view(&y)?, sampler), Bind::Sampled(s.view(&c)?, sampler)];
    s.paint(
        "layout(binding = 0) uniform sampler2D y; layout(binding = 1) uniform sampler2D c;",
        "o = vec4(texelFetch(c, px / 4, 0).rg, texelFetch(y, px / 2, 0).r, 1);",
        &bind,
    )
}

/// Copies from a buffer whose rows and images are longer than the copied region.
fn copy_rows(s: &mut Studio) -> Made<()> {
    let bytes: Vec<u8> = (0..8192u32)
        .flat_map(|i| [(i * 7 % 256) as u8, (i / 80 * 2) as u8, (i % 80 * 3) as u8, 255])
        .collect();
    let buffer = s.buffer(&bytes)?;
    let copy = vk::BufferImageCopy::default()
        .buffer_offset(4 * 13)
        .buffer_row_length(80)
        .buffer_image_height(70)
        .image_subresource(layers(A::COLOR, 0, 0, 1))
        .image_offset(offset(3, 6, 0))
        .image_extent(extent(57, 50, 1));
    s.barrier();
    // SAFETY: buffer and picture belong to the studio and contain the regions; the commands are outside of a pass.
    unsafe {
        s.client.device.cmd_copy_buffer_to_image(s.commands, buffer, s.picture.image, GENERAL, &[copy])
    };
    Ok(())
}

fn clear_levels(s: &mut Studio) -> Made<()> {
    let image = s.image(Of { levels: 3, layers: 4, ..Of::texture(RGBA8, 16, 16) })?;
    s.clear(&image, [0.0, 0.0, 0.0, 1.0]);
    for k in 0..6u32 {
        let (base_mip_level, base_array_layer) = (k % 3, k / 2);
        let range = vk::ImageSubresourceRange {
            base_mip_level,
            level_count: 1,
            base_array_layer,
            layer_count: 4 - base_array_layer,
            ..whole(A::COLOR)
        };
        let value = vk::ClearColorValue {
            float32: [0.1 + 0.15 * k as f32, 1.0 - 0.2 * k as f32, 0.4 * (k % 3) as f32, 1.0],
        };
        // SAFETY: the image belongs to the studio, is in the general layout and has the range; the commands are outside
        // of a pass.
        unsafe { s.client.device.cmd_clear_color_image(s.commands, image.image, GENERAL, &value, &[range]) };
        s.barrier();
    }
    let sampler = s.sampler(|i| i)?;
    s.paint(
        "layout(binding = 0) uniform sampler2DArray t;",
        "o = texelFetch(t, ivec3(0, 0, px.x / 16), min(px.y / 21, 2));",
        &[Bind::Sampled(s.view(&image)?, sampler)],
    )
}

fn clear_depth(s: &mut Studio) -> Made<()> {
    let image = s.image(Of { layers: 2, ..Of::depth(F::D32_SFLOAT_S8_UINT) })?;
    let clear = |aspect, layer, depth, stencil| {
        let range = vk::ImageSubresourceRange { base_array_layer: layer, layer_count: 1, ..whole(aspect) };
        let value = vk::ClearDepthStencilValue { depth, stencil };
        s.barrier();
        // SAFETY: the image belongs to the studio, is in the general layout and has the range; the commands are outside
        // of a pass.
        unsafe {
            s.client.device.cmd_clear_depth_stencil_image(s.commands, image.image, GENERAL, &value, &[range])
        };
    };
    clear(A::DEPTH | A::STENCIL, 0, 0.25, 100);
    clear(A::DEPTH | A::STENCIL, 1, 0.75, 200);
    clear(A::DEPTH, 1, 0.5, 7);
    clear(A::STENCIL, 0, 0.1, 30);
    s.barrier();
    let sampler = s.sampler(|i| i)?;
    let array = |aspect| {
        s.view_as(&image, |i| i.view_type(vk::ImageViewType::TYPE_2D_ARRAY).subresource_range(whole(aspect)))
    };
    let bind = [Bind::Sampled(array(A::DEPTH)?, sampler), Bind::Sampled(array(A::STENCIL)?, sampler)];
    let head = "layout(binding = 0) uniform sampler2DArray z; layout(binding = 1) uniform usampler2DArray x;";
    s.paint(head, "ivec3 q = ivec3(px, px.x / 32); o = vec4(texelFetch(z, q, 0).r, float(texelFetch(x, q, 0).r) / 255.0, 0, 1);", &bind)
}

/// Clears rectangles of an attachment in between draws.
fn clear_attachments(s: &mut Studio) -> Made<()> {
    let pass = s.pass_with_depth(F::D32_SFLOAT)?;
    let test = Some(Depth { compare: vk::CompareOp::LESS, write: true });
    s.begin(&pass);
    s.draw(&pass, &Draw { count: [6, 1], push: [0.3, 0.0, 0.0, 0.0], depth: test, ..Draw::default() })?;
    let rect = |x, y, width, height| vk::ClearRect {
        rect: vk::Rect2D { offset: vk::Offset2D { x, y }, extent: vk::Extent2D { width, height } },
        base_array_layer: 0,
        layer_count: 1,
    };
    let color = vk::ClearAttachment {
        aspect_mask: A::COLOR,
        color_attachment: 0,
        clear_value: rgba([0.6, 0.4, 0.0, 1.0]),
    };
    let depth = vk::ClearAttachment { aspect_mask: A::DEPTH, color_attachment: 0, clear_value: zs(0.9, 0) };
    let (d, c) = (&s.client.device, s.commands);
    // SAFETY: the pass with these attachments is active, and contains the rectangles.
    unsafe {
        d.cmd_clear_attachments(c, &[color], &[rect(5, 5, 20, 13), rect(40, 33, 11, 25)]);
        d.cmd_clear_attachments(c, &[depth], &[rect(0, 30, 64, 17)]);
    }
    s.draw(
        &pass,
        &Draw {
            push: [0.5, 0.3, 0.5, 0.2],
            fragment: "o = vec4(p.yzw, 1);",
            depth: test,
            scissors: vec![[8, 0, 48, SIZE]],
            ..Draw::quad()
        },
    )?;
    s.end();
    Ok(())
}

fn clear_stencil(s: &mut Studio) -> Made<()> {
    let pass: Pass = s.pass_with_depth(F::S8_UINT)?;
    s.begin(&pass);
    s.draw(&pass, &Draw { count: [6, 1], ..Draw::default() })?;
    let clear = |stencil| vk::ClearAttachment {
        aspect_mask: A::STENCIL,
        color_attachment: 0,
        clear_value: zs(0.0, stencil),
    };
    for k in 0..4u32 {
        let rect = vk::ClearRect {
            rect: vk::Rect2D {
                offset: vk::Offset2D { x: 5 + 9 * k as i32, y: 7 * k as i32 },
                extent: vk::Extent2D { width: 20, height: 30 },
            },
            base_array_layer: 0,
            layer_count: 1,
        };
        // SAFETY: the pass with this attachment is active, and contains the rectangle.
        unsafe { s.client.device.cmd_clear_attachments(s.commands, &[clear(60 * k + 40)], &[rect]) };
    }
    s.end();
    let Some(stencil) = pass.stencil else { return Ok(()) };
    let sampler = s.sampler(|i| i)?;
    s.paint(
        "layout(binding = 0) uniform usampler2D t;",
        "uint x = texelFetch(t, px, 0).r; if (x == 0) discard; o = vec4(vec3(x) / 255.0, 1);",
        &[Bind::Sampled(stencil.view, sampler)],
    )
}

fn fill(s: &mut Studio) -> Made<()> {
    let buffer = s.buffer(&vec![0x11; 4096])?;
    let other = s.buffer(&vec![0; 4096])?;
    let (d, c) = (&s.client.device, s.commands);
    let bytes: Vec<u8> = (0..512u32).map(|i| (i * 5 % 256) as u8).collect();
    // SAFETY: the buffer belongs to the studio and contains the aligned ranges; the commands are outside of a pass.
    unsafe {
        d.cmd_fill_buffer(c, buffer, 256, 1024, 0x80c0_4020);
        s.barrier();
        d.cmd_update_buffer(c, buffer, 768, &bytes);
        s.barrier();
        let regions = [
            vk::BufferCopy { src_offset: 128, dst_offset: 0, size: 1501 },
            vk::BufferCopy { src_offset: 700, dst_offset: 2003, size: 1999 },
        ];
        d.cmd_copy_buffer(c, buffer, other, &regions);
        s.barrier();
    }
    let head = "layout(binding = 0) buffer X { uint x[]; };";
    s.paint(head, "int i = px.y * 64 + px.x; uint b = x[i / 4] >> (i % 4 * 8) & 255; o = vec4(b & 15, b >> 4, b >> 2 & 15, 15) / 15.0;", &[Bind::Buffer(other)])
}
