//! Scenes of sampling: dimensions, views, levels, addresses, borders, comparison, gathers, Y'CbCr.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::vk;
use vk::{Filter, SamplerAddressMode as A, SamplerCreateInfo as Info};

use super::draw::{Bind, Draw};
use super::studio::{Image, Made, Of, RGBA8, Studio, whole};
use super::{SIZE, Steps};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("texture_1d", |s| {
        let image = filled(s, Of { ty: vk::ImageType::TYPE_1D, size: [16, 1, 1], ..texture() })?;
        show(s, &image, "sampler1D", "o = texture(t, v.x * 1.2 - .1 + v.y * .2);", linear)
    }),
    ("texture_1d_array", |s| {
        let image = filled(s, Of { ty: vk::ImageType::TYPE_1D, size: [16, 1, 1], layers: 5, ..texture() })?;
        show(s, &image, "sampler1DArray", "o = texture(t, vec2(v.x, v.y * 6.0 - .7));", linear)
    }),
    ("texture_2d_array", |s| {
        let image = filled(s, Of { layers: 4, ..texture() })?;
        show(
            s,
            &image,
            "sampler2DArray",
            "o = texture(t, vec3(fract(v.xy * 2.0), dot(floor(v.xy * 2.0), vec2(1, 2))));",
            linear,
        )
    }),
    ("texture_layers_round", |s| {
        let image = filled(s, Of { layers: 4, ..texture() })?;
        show(s, &image, "sampler2DArray", "o = texture(t, vec3(v.y, .3, v.x * 6.0 - 1.0));", nearest)
    }),
    ("texture_3d", |s| {
        let image = filled(s, Of { ty: vk::ImageType::TYPE_3D, size: [8, 8, 8], ..texture() })?;
        show(s, &image, "sampler3D", "o = texture(t, vec3(v.x, v.y, v.x * .7 + v.y * .3));", linear)
    }),
    ("texture_3d_levels", |s| {
        let image = filled(s, Of { ty: vk::ImageType::TYPE_3D, size: [16, 8, 4], levels: 5, ..texture() })?;
        show(s, &image, "sampler3D", "o = textureLod(t, vec3(v.xy, .4), floor(v.x * 5.0));", linear)
    }),
    ("texture_cube", |s| cube(s, "o = textureLod(t, d, 0.0);", 16, nearest)),
    ("texture_cube_seams", |s| cube(s, "o = texture(t, d);", 4, linear)),
    ("texture_cube_levels", |s| {
        cube(s, "o = textureLod(t, d, v.x * 3.0);", 16, |i| {
            linear(i).mipmap_mode(vk::SamplerMipmapMode::LINEAR)
        })
    }),
    ("texture_cube_array", |s| {
        s.need(s.client.has.core.image_cube_array != 0, "imageCubeArray")?;
        let flags = vk::ImageCreateFlags::CUBE_COMPATIBLE;
        let image = filled(s, Of { flags, layers: 12, ..texture() })?;
        let body = "vec2 q = fract(v.xy * vec2(1, 2)) * 4.0 - 2.0; o = texture(t, vec4(q, sin(q.x) + .3, floor(v.y * 2.0)));";
        show(s, &image, "samplerCubeArray", &body.replace("sin(q.x)", "q.x * .4"), linear)
    }),
    ("texel_buffers", texel_buffers),
    ("storage_texel_buffer", |s| {
        s.need(s.client.has.core.fragment_stores_and_atomics != 0, "fragmentStoresAndAtomics")?;
        let buffer = s.buffer(&[0; 4096 * 4])?;
        let view = s.buffer_view(buffer, vk::Format::R32_UINT)?;
        let bind = [Bind::StorageTexels(view)];
        let head = "layout(binding = 0, r32ui) uniform uimageBuffer t;";
        let into = Draw {
            fragment_head: head,
            fragment: "ivec2 q = ivec2(gl_FragCoord.xy); imageAtomicAdd(t, q.y * 64 + q.x, uint(q.x + q.y + 1));",
            bind: &bind,
            count: [6, 1],
            ..Draw::default()
        };
        s.render(&s.pass(), &[into])?;
        s.paint(head, "uint x = imageLoad(t, px.y * 64 + px.x).r; o = vec4(x & 63, x >> 1 & 63, x >> 2 & 63, 63) / 63.0;", &bind)
    }),
    ("view_of_level_and_layer", |s| {
        let image = filled(s, Of { layers: 4, levels: 3, ..texture() })?;
        let view = s.view_as(&image, |info| {
            info.subresource_range(vk::ImageSubresourceRange {
                base_mip_level: 1,
                level_count: 1,
                base_array_layer: 2,
                layer_count: 1,
                ..whole(vk::ImageAspectFlags::COLOR)
            })
        })?;
        let sampler = s.sampler(linear)?;
        s.paint(
            "layout(binding = 0) uniform sampler2D t;",
            "o = texture(t, v.xy);",
            &[Bind::Sampled(view, sampler)],
        )
    }),
    ("view_swizzle", |s| {
        use vk::ComponentSwizzle as W;
        let image = filled(s, texture())?;
        let sampler = s.sampler(nearest)?;
        let all = [
            [W::B, W::R, W::G, W::ONE],
            [W::ZERO, W::IDENTITY, W::ONE, W::R],
            [W::A, W::A, W::R, W::R],
            [W::G, W::G, W::G, W::ZERO],
        ];
        for (k, [r, g, b, a]) in (0..).zip(all) {
            let view = s.view_as(&image, |info| info.components(vk::ComponentMapping { r, g, b, a }))?;
            s.paint_in(
                [k % 2 * 32, k / 2 * 32, 32, 32],
                "layout(binding = 0) uniform sampler2D t;",
                "o = texture(t, v.xy); if (v.y > .8) o = o.aaaa;",
                &[Bind::Sampled(view, sampler)],
            )?;
        }
        Ok(())
    }),
    ("view_of_other_format", |s| {
        let image = filled(s, Of { flags: vk::ImageCreateFlags::MUTABLE_FORMAT, ..texture() })?;
        let sampler = s.sampler(nearest)?;
        let as_srgb = s.view_as(&image, |info| info.format(vk::Format::R8G8B8A8_SRGB))?;
        let as_words = s.view_as(&image, |info| info.format(vk::Format::R32_UINT))?;
        s.paint_in(
            [0, 0, 32, 64],
            "layout(binding = 0) uniform sampler2D t;",
            "o = texture(t, v.xy);",
            &[Bind::Sampled(as_srgb, sampler)],
        )?;
        s.paint_in(
            [32, 0, 32, 64],
            "layout(binding = 0) uniform usampler2D t;",
            "uint x = texture(t, v.xy).r; o = vec4(x >> 16 & 255, x & 255, x >> 8 & 255, 255) / 255.0;",
            &[Bind::Sampled(as_words, sampler)],
        )
    }),
    ("lod_bias_of_sampler", |s| {
        let image = filled(s, Of { levels: 5, ..texture() })?;
        let body = "o = texture(t, v.xy * 4.0);";
        show(s, &image, "sampler2D", body, |i| {
            linear(i)
                .mip_lod_bias(1.5)
                .mipmap_mode(vk::SamplerMipmapMode::LINEAR)
                .address_mode_u(A::REPEAT)
                .address_mode_v(A::REPEAT)
        })
    }),
    ("lod_bias_of_shader", |s| {
        let image = filled(s, Of { levels: 5, ..texture() })?;
        show(s, &image, "sampler2D", "o = texture(t, v.xy * 4.0, floor(v.x * 4.0) - 2.0);", repeated)
    }),
    ("lod_clamps", |s| {
        let image = filled(s, Of { levels: 5, ..texture() })?;
        show(s, &image, "sampler2D", "o = textureLod(t, v.xy, v.x * 4.0);", |i| {
            nearest(i).min_lod(1.0).max_lod(2.5)
        })
    }),
    ("lod_query", |s| {
        let image = filled(s, Of { levels: 5, ..texture() })?;
        // The colours show levels from 0 to 4.
        show(
            s,
            &image,
            "sampler2D",
            "vec2 d = textureQueryLod(t, vec2(v.x * v.x * 30.0, v.y * 8.0)); o = vec4(d.x / 4.0, d.y / 4.0, 0, 1);",
            repeated,
        )
    }),
    ("mirror_clamp_to_edge", |s| {
        s.need(
            s.client.has.extension(ash::khr::sampler_mirror_clamp_to_edge::NAME),
            "samplerMirrorClampToEdge",
        )?;
        address(s, A::MIRROR_CLAMP_TO_EDGE, vk::BorderColor::default())
    }),
    ("border_transparent", |s| address(s, A::CLAMP_TO_BORDER, vk::BorderColor::FLOAT_TRANSPARENT_BLACK)),
    ("border_black", |s| address(s, A::CLAMP_TO_BORDER, vk::BorderColor::FLOAT_OPAQUE_BLACK)),
    ("border_integers", |s| {
        for (k, color) in (0..).zip([
            vk::BorderColor::INT_TRANSPARENT_BLACK,
            vk::BorderColor::INT_OPAQUE_BLACK,
            vk::BorderColor::INT_OPAQUE_WHITE,
        ]) {
            let image = filled(s, Of { format: vk::Format::R8G8B8A8_UINT, ..texture() })?;
            let sampler = s.sampler(|i| {
                i.border_color(color).address_mode_u(A::CLAMP_TO_BORDER).address_mode_v(A::CLAMP_TO_BORDER)
            })?;
            let body = "uvec4 c = texture(t, v.xy * 3.0 - .993); o = vec4(c.rgb == uvec3(1) ? vec3(1, 0, .5) : vec3(c.rgb) / 255.0, 1); if (px.x < 3) o = vec4(vec3(c.a), 1);";
            s.paint_in(
                [k * 21, 0, 21, SIZE],
                "layout(binding = 0) uniform usampler2D t;",
                body,
                &[Bind::Sampled(s.view(&image)?, sampler)],
            )?;
        }
        Ok(())
    }),
    ("border_custom", |s| custom_border(s, RGBA8)),
    ("border_custom_integers", |s| custom_border(s, vk::Format::R8G8B8A8_UINT)),
    ("compare_operations", |s| {
        use vk::CompareOp as C;
        let image = ramp(s)?;
        for (k, op) in (0..).zip([
            C::NEVER,
            C::LESS,
            C::EQUAL,
            C::LESS_OR_EQUAL,
            C::GREATER,
            C::NOT_EQUAL,
            C::GREATER_OR_EQUAL,
            C::ALWAYS,
        ]) {
            let sampler = s.sampler(|i| i.compare_enable(true).compare_op(op))?;
            s.paint_in(
                [0, k * 8, SIZE, 7],
                "layout(binding = 0) uniform sampler2DShadow t;",
                "o = vec4(texture(t, vec3(v.xy * .97, .5)), v.x, .2, 1);",
                &[Bind::Sampled(s.view(&image)?, sampler)],
            )?;
        }
        Ok(())
    }),
    ("compare_filtered", |s| {
        let image = ramp(s)?;
        let edit = |i: Info<'static>| linear(i).compare_enable(true).compare_op(vk::CompareOp::LESS);
        show(s, &image, "sampler2DShadow", "o = vec4(texture(t, vec3(v.xy, v.y * .8 + .1)), 0, .2, 1);", edit)
    }),
    ("compare_gathered", |s| {
        let image = ramp(s)?;
        let edit = |i: Info<'static>| i.compare_enable(true).compare_op(vk::CompareOp::LESS);
        show(s, &image, "sampler2DShadow", "o = textureGather(t, v.xy, v.y);", edit)
    }),
    ("compare_array", |s| {
        let image = s.image(Of { layers: 3, ..Of::texture(vk::Format::D32_SFLOAT, 16, 16) })?;
        s.upload(&image, 0, &depths(3))?;
        let edit = |i: Info<'static>| linear(i).compare_enable(true).compare_op(vk::CompareOp::GREATER);
        let body = "o = vec4(texture(t, vec4(v.xy, floor(v.y * 3.0), v.y * .8 + .1)), 0, .2, 1);";
        show(s, &image, "sampler2DArrayShadow", body, edit)
    }),
    ("compare_cube", |s| {
        let flags = vk::ImageCreateFlags::CUBE_COMPATIBLE;
        let image = s.image(Of { layers: 6, flags, ..Of::texture(vk::Format::D32_SFLOAT, 16, 16) })?;
        s.upload(&image, 0, &depths(6))?;
        let edit = |i: Info<'static>| i.compare_enable(true).compare_op(vk::CompareOp::LESS_OR_EQUAL);
        let body = "vec2 q = v.xy * 6.0 - vec2(2.987, 3.021); vec3 d = vec3(q, 1.7 - abs(q.x) * .8 - abs(q.y) * .9);\n\
            o = vec4(texture(t, vec4(d, v.x)), v.xy, 1);";
        show(s, &image, "samplerCubeShadow", body, edit)
    }),
    ("gather_cube", |s| {
        let flags = vk::ImageCreateFlags::CUBE_COMPATIBLE;
        let image = filled(s, Of { flags, layers: 6, ..texture() })?;
        let body = "vec2 q = v.xy * 6.0 - vec2(2.987, 3.021); vec3 d = vec3(q, 1.7 - abs(q.x) * .8 - abs(q.y) * .9);\n\
            o = vec4(textureGather(t, d, 1).rgb, 1);";
        show(s, &image, "samplerCube", body, nearest)
    }),
    ("anisotropy_16", |s| {
        s.need(s.client.has.core.sampler_anisotropy != 0, "samplerAnisotropy")?;
        let image = filled(s, Of { size: [64, 64, 1], levels: 7, ..texture() })?;
        // The footprint grows from 1 to 16 texels in one direction only.
        let body = "o = textureGrad(t, v.xy, vec2(1.0 / 64.0, 0), vec2(0, exp2(floor(v.x * 5.0)) / 64.0));";
        show(s, &image, "sampler2D", body, |i| {
            linear(i).mipmap_mode(vk::SamplerMipmapMode::LINEAR).anisotropy_enable(true).max_anisotropy(16.0)
        })
    }),
    ("unnormalized", |s| {
        let image = filled(s, texture())?;
        show(s, &image, "sampler2D", "o = textureLod(t, v.xy * 20.0 - 2.0, 0.0);", |i| {
            linear(i).unnormalized_coordinates(true).max_lod(0.0)
        })
    }),
    ("projective", |s| {
        let image = filled(s, texture())?;
        show(s, &image, "sampler2D", "o = textureProj(t, vec3(v.xy * 2.0, 1.0 + v.x * 2.0));", nearest)
    }),
    ("texel_offsets", |s| {
        let image = filled(s, texture())?;
        show(
            s,
            &image,
            "sampler2D",
            "o = v.x < .5 ? textureOffset(t, v.xy * 2.0, ivec2(-8, 3)) : texelFetchOffset(t, ivec2(v.xy * 8.0), 0, ivec2(2, 7));",
            repeated,
        )
    }),
    ("gather_components", |s| {
        let image = filled(s, texture())?;
        let body = "vec2 w = fract(v.xy * 2.0); if (v.y < .5) o = v.x < .5 ? textureGather(t, w, 0) : textureGather(t, w, 1);\n\
            else o = v.x < .5 ? textureGather(t, w, 2) : textureGather(t, w, 3);";
        show(s, &image, "sampler2D", body, nearest)
    }),
    ("gather_offsets", |s| {
        s.need(s.client.has.core.shader_image_gather_extended != 0, "shaderImageGatherExtended")?;
        let image = filled(s, texture())?;
        let body = "const ivec2 O[4] = ivec2[](ivec2(0, 0), ivec2(-8, 7), ivec2(3, -5), ivec2(7, 1)); o = textureGatherOffsets(t, v.xy, O, 0);";
        show(s, &image, "sampler2D", body, repeated)
    }),
    ("gather_varying_offset", |s| {
        s.need(s.client.has.core.shader_image_gather_extended != 0, "shaderImageGatherExtended")?;
        let image = filled(s, texture())?;
        show(
            s,
            &image,
            "sampler2D",
            "o = textureGatherOffset(t, v.xy, ivec2(px.x % 16 - 8, px.y % 5), 1);",
            repeated,
        )
    }),
    ("reduction_min", |s| reduction(s, vk::SamplerReductionMode::MIN)),
    ("reduction_max", |s| reduction(s, vk::SamplerReductionMode::MAX)),
    ("ycbcr_three_planes", |s| ycbcr(s, vk::Format::G8_B8_R8_3PLANE_420_UNORM, |c| c)),
    ("ycbcr_two_planes", |s| ycbcr(s, vk::Format::G8_B8R8_2PLANE_420_UNORM, |c| c)),
    ("ycbcr_422", |s| ycbcr(s, vk::Format::G8B8G8R8_422_UNORM, |c| c)),
    ("ycbcr_709_narrow", |s| {
        ycbcr(s, vk::Format::G8_B8R8_2PLANE_420_UNORM, |c| {
            c.ycbcr_model(vk::SamplerYcbcrModelConversion::YCBCR_709)
                .ycbcr_range(vk::SamplerYcbcrRange::ITU_NARROW)
        })
    }),
    ("ycbcr_2020", |s| {
        ycbcr(s, vk::Format::G8_B8_R8_3PLANE_420_UNORM, |c| {
            c.ycbcr_model(vk::SamplerYcbcrModelConversion::YCBCR_2020)
        })
    }),
    ("ycbcr_identity", |s| {
        ycbcr(s, vk::Format::G8_B8_R8_3PLANE_420_UNORM, |c| {
            c.ycbcr_model(vk::SamplerYcbcrModelConversion::YCBCR_IDENTITY)
        })
    }),
    ("ycbcr_linear_chroma", |s| {
        ycbcr(s, vk::Format::G8_B8R8_2PLANE_420_UNORM, |c| {
            c.chroma_filter(Filter::LINEAR)
                .x_chroma_offset(vk::ChromaLocation::MIDPOINT)
                .y_chroma_offset(vk::ChromaLocation::MIDPOINT)
        })
    }),
    ("ycbcr_cosited_chroma", |s| {
        ycbcr(s, vk::Format::G8_B8R8_2PLANE_420_UNORM, |c| c.chroma_filter(Filter::LINEAR))
    }),
];

fn texture() -> Of {
    Of::texture(RGBA8, 16, 16)
}

fn nearest(info: Info<'static>) -> Info<'static> {
    info
}

fn linear(info: Info<'static>) -> Info<'static> {
    info.mag_filter(Filter::LINEAR).min_filter(Filter::LINEAR)
}

fn repeated(info: Info<'static>) -> Info<'static> {
    linear(info).address_mode_u(A::REPEAT).address_mode_v(A::REPEAT).address_mode_w(A::REPEAT)
}

/// An image of four bytes per texel whose pattern differs in every texel, level and layer.
fn filled(s: &Studio, of: Of) -> Made<Image> {
    let image = s.image(of)?;
    for level in 0..of.levels {
        let [w, h, d] = of.size.map(|n| (n >> level).max(1));
        let bytes: Vec<u8> = (0..w * h * d * of.layers)
            .flat_map(|i| {
                let (x, y, z) = (i % w, i / w % h, i / (w * h));
                let ramp = |v: u32, n: u32| v * 255 / n.max(2).saturating_sub(1);
                let blue = if (x ^ y ^ z) & 2 == 0 { 230 } else { 40 } - level * 8;
                [
                    ramp(x, w) as u8,
                    ramp(y, h) as u8 / 2 + (z * 40 % 128) as u8,
                    blue as u8,
                    (255 - ramp(x, w) / 4 - level * 10) as u8,
                ]
            })
            .collect();
        s.upload(&image, level, &bytes)?;
    }
    Ok(image)
}

/// Shows a sampled image.
fn show(
    s: &Studio,
    image: &Image,
    kind: &str,
    body: &str,
    edit: impl FnOnce(Info<'static>) -> Info<'static>,
) -> Made<()> {
    let bind = [Bind::Sampled(s.view(image)?, s.sampler(edit)?)];
    s.paint(&format!("layout(binding = 0) uniform {kind} t;"), body, &bind)
}

/// Shows a cube map; `d` is a direction, over all faces.
fn cube(s: &Studio, body: &str, size: u32, edit: impl FnOnce(Info<'static>) -> Info<'static>) -> Made<()> {
    let levels = if size > 4 { 5 } else { 1 };
    let flags = vk::ImageCreateFlags::CUBE_COMPATIBLE;
    let image = filled(s, Of { flags, layers: 6, levels, size: [size, size, 1], ..texture() })?;
    let body = format!(
        "vec2 q = v.xy * 6.0 - vec2(2.987, 3.021); vec3 d = vec3(q, 1.7 - abs(q.x) * .8 - abs(q.y) * .9);\n{body}"
    );
    show(s, &image, "samplerCube", &body, edit)
}

fn texel_buffers(s: &mut Studio) -> Made<()> {
    let bytes: Vec<u8> = (0..1024u32).map(|i| (i * 37 % 61) as u8).collect();
    let buffer = s.buffer(&bytes)?;
    let formats = [
        (vk::Format::R8_UNORM, "", "c"),
        (vk::Format::R8G8B8A8_UNORM, "", "c"),
        (vk::Format::R8G8B8A8_SNORM, "", "c * .5 + .5"),
        (vk::Format::R8G8_UINT, "u", "c / 64.0"),
        (vk::Format::R16G16_SFLOAT, "", "fract(c)"),
        (vk::Format::R16G16B16A16_SINT, "i", "c / 16000.0"),
        (vk::Format::R32_SFLOAT, "", "fract(c * 30.0)"),
        (vk::Format::A2B10G10R10_UNORM_PACK32, "", "c"),
    ];
    for (k, (format, letter, shown)) in (0..).zip(formats) {
        s.need(
            s.offers_buffer(format, vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER),
            "format of texel buffers",
        )?;
        let head = format!("layout(binding = 0) uniform {letter}samplerBuffer t;");
        let body = format!("vec4 c = vec4(texelFetch(t, px.x + px.y % 4)); o = vec4(({shown}).rgb, 1);");
        s.paint_in([0, k * 8, SIZE, 7], &head, &body, &[Bind::Texels(s.buffer_view(buffer, format)?)])?;
    }
    Ok(())
}

fn address(s: &mut Studio, mode: A, border: vk::BorderColor) -> Made<()> {
    let image = filled(s, texture())?;
    let body = "o = texture(t, v.xy * 3.0 - 1.0); o.rgb = mix(vec3(0, 1, 0), o.rgb, o.a);";
    show(s, &image, "sampler2D", body, |i| {
        linear(i).address_mode_u(mode).address_mode_v(mode).border_color(border)
    })
}

fn custom_border(s: &mut Studio, format: vk::Format) -> Made<()> {
    s.need(s.client.has.border.custom_border_colors != 0, "customBorderColors")?;
    let image = filled(s, Of { format, ..texture() })?;
    let whole_numbers = format != RGBA8;
    let (color, ty) = match whole_numbers {
        true => (vk::ClearColorValue { uint32: [10, 200, 130, 255] }, vk::BorderColor::INT_CUSTOM_EXT),
        false => (vk::ClearColorValue { float32: [0.9, 0.2, 0.6, 1.0] }, vk::BorderColor::FLOAT_CUSTOM_EXT),
    };
    let mut custom =
        vk::SamplerCustomBorderColorCreateInfoEXT::default().custom_border_color(color).format(format);
    let sampler = s.sampler_with(&mut custom, |i| {
        i.address_mode_u(A::CLAMP_TO_BORDER).address_mode_v(A::CLAMP_TO_BORDER).border_color(ty)
    })?;
    let (head, body) = match whole_numbers {
        true => {
            ("layout(binding = 0) uniform usampler2D t;", "o = vec4(texture(t, v.xy * 2.0 - .5)) / 255.0;")
        }
        false => ("layout(binding = 0) uniform sampler2D t;", "o = texture(t, v.xy * 2.0 - .5);"),
    };
    s.paint(head, body, &[Bind::Sampled(s.view(&image)?, sampler)])
}

/// Depths of layers of 16x16 texels, which increase to the right and slightly downwards.
fn depths(layers: u32) -> Vec<u8> {
    let depth = |i: u32| (i % 16 + i / 64 % 4) as f32 / 16.0;
    (0..256 * layers).flat_map(|i| depth(i + i / 256).min(1.0).to_ne_bytes()).collect()
}

/// An image of depths.
fn ramp(s: &Studio) -> Made<Image> {
    let image = s.image(Of::texture(vk::Format::D32_SFLOAT, 16, 16))?;
    s.upload(&image, 0, &depths(1))?;
    Ok(image)
}

fn reduction(s: &mut Studio, mode: vk::SamplerReductionMode) -> Made<()> {
    s.need(s.client.has.extension(ash::ext::sampler_filter_minmax::NAME), "samplerFilterMinmax")?;
    let format = vk::Format::R8_UNORM;
    s.need(s.offers(format, vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_MINMAX), "reduction of the format")?;
    let image = s.image(Of::texture(format, 8, 8))?;
    let bytes: Vec<u8> = (0..64u32).map(|i| (i * 97 % 251) as u8).collect();
    s.upload(&image, 0, &bytes)?;
    let mut info = vk::SamplerReductionModeCreateInfo::default().reduction_mode(mode);
    let sampler = s.sampler_with(&mut info, |i| i.mag_filter(Filter::LINEAR).min_filter(Filter::LINEAR))?;
    s.paint(
        "layout(binding = 0) uniform sampler2D t;",
        "o = vec4(texture(t, v.xy).r, v.xy, 1);",
        &[Bind::Sampled(s.view(&image)?, sampler)],
    )
}

/// Uploads luma and chroma to a multi-planar image of 16 times 16 texels, or to one with pairs of texels.
fn upload_planes(s: &Studio, image: &Image) -> Made<()> {
    use vk::ImageAspectFlags as P;
    let luma: Vec<u8> = (0..256u32).map(|i| (40 + i % 16 * 8 + i / 16 * 5) as u8).collect();
    let blue: Vec<u8> = (0..64u32).map(|i| (60 + i % 8 * 20) as u8).collect();
    let red: Vec<u8> = (0..64u32).map(|i| (200 - i / 8 * 20) as u8).collect();
    match image.of.format {
        vk::Format::G8_B8_R8_3PLANE_420_UNORM => {
            s.upload_aspect(image, 0, P::PLANE_0, &luma)?;
            s.upload_aspect(image, 0, P::PLANE_1, &blue)?;
            s.upload_aspect(image, 0, P::PLANE_2, &red)
        }
        vk::Format::G8_B8R8_2PLANE_420_UNORM => {
            let both: Vec<u8> = blue.iter().zip(&red).flat_map(|(b, r)| [*b, *r]).collect();
            s.upload_aspect(image, 0, P::PLANE_0, &luma)?;
            s.upload_aspect(image, 0, P::PLANE_1, &both)
        }
        _ => {
            let pairs: Vec<u8> = (0..128usize)
                .flat_map(|i| {
                    let at = i / 16 * 8 + i % 8;
                    [luma[2 * i], blue[at], luma[2 * i + 1], red[at]]
                })
                .collect();
            s.upload(image, 0, &pairs)
        }
    }
}

/// A multi-planar image with a sampler that converts it: BT.601, full range, cosited chroma.
fn ycbcr(
    s: &mut Studio,
    format: vk::Format,
    edit: impl FnOnce(
        vk::SamplerYcbcrConversionCreateInfo<'static>,
    ) -> vk::SamplerYcbcrConversionCreateInfo<'static>,
) -> Made<()> {
    s.need(s.client.has.ycbcr.sampler_ycbcr_conversion != 0, "samplerYcbcrConversion")?;
    s.need(s.offers(format, vk::FormatFeatureFlags::SAMPLED_IMAGE), "format")?;
    let image = s.image(Of::texture(format, 16, 16))?;
    upload_planes(s, &image)?;
    let info = edit(
        vk::SamplerYcbcrConversionCreateInfo::default()
            .format(format)
            .ycbcr_model(vk::SamplerYcbcrModelConversion::YCBCR_601)
            .ycbcr_range(vk::SamplerYcbcrRange::ITU_FULL)
            .x_chroma_offset(vk::ChromaLocation::COSITED_EVEN)
            .y_chroma_offset(vk::ChromaLocation::COSITED_EVEN)
            .chroma_filter(Filter::NEAREST),
    );
    use vk::FormatFeatureFlags as F;
    let cosited = info.x_chroma_offset == vk::ChromaLocation::COSITED_EVEN;
    s.need(
        s.offers(format, if cosited { F::COSITED_CHROMA_SAMPLES } else { F::MIDPOINT_CHROMA_SAMPLES }),
        "place of chroma",
    )?;
    let filtered = info.chroma_filter == Filter::LINEAR;
    s.need(
        !filtered || s.offers(format, F::SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER),
        "linear filter of chroma",
    )?;
    // SAFETY: the device is alive and offers the conversion, which the caller checked; `info` outlives the call.
    let conversion = unsafe { s.client.device.create_sampler_ycbcr_conversion(&info, None)? };
    let mut chained = vk::SamplerYcbcrConversionInfo::default().conversion(conversion);
    let luma_filter = if filtered { Filter::LINEAR } else { Filter::NEAREST };
    let sampler = s.sampler_with(&mut chained, |i| i.mag_filter(luma_filter).min_filter(luma_filter))?;
    let mut chained = vk::SamplerYcbcrConversionInfo::default().conversion(conversion);
    let info = vk::ImageViewCreateInfo::default()
        .image(image.image)
        .view_type(vk::ImageViewType::TYPE_2D)
        .format(format)
        .subresource_range(whole(vk::ImageAspectFlags::COLOR))
        .push_next(&mut chained);
    // SAFETY: image and conversion belong to this device; `info` and its chain outlive the call.
    let view = unsafe { s.client.device.create_image_view(&info, None)? };
    s.paint(
        "layout(binding = 0) uniform sampler2D t;",
        "o = vec4(texture(t, v.xy).rgb, 1);",
        &[Bind::Converted(view, sampler)],
    )
}
