//! Scenes of several samples per pixel: sample counts, interpolation positions of inputs, masks, resolves.

use ash::vk;
use vk::ResolveModeFlags as M;

use super::draw::{Bind, Depth, Draw, blend, opaque};
use super::studio::{Made, Of, Pass, RGBA8, Studio, Target, aspects, rgba, zs};
use super::{SIZE, Steps};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("two_samples", |s| samples(s, 2)),
    ("eight_samples", |s| samples(s, 8)),
    ("sixteen_samples", |s| samples(s, 16)),
    ("each_of_two_samples", |s| each(s, 2)),
    ("each_of_four_samples", |s| each(s, 4)),
    ("each_of_eight_samples", |s| each(s, 8)),
    ("each_of_sixteen_samples", |s| each(s, 16)),
    ("depth_of_samples", |s| {
        // Two intersecting planes: the line between them is smooth.
        let vertex = "gl_Position = vec4(QUAD[i], p.x * QUAD[i].x + .3 * p.x * QUAD[i].y + .5, 1);";
        let depth = Some(Depth { compare: vk::CompareOp::LESS, write: true });
        let draw = |x: f32, c: f32| Draw {
            vertex,
            fragment: "o = vec4(p.y, .6, 1.0 - p.y, 1);",
            push: [x, c, 0.0, 0.0],
            samples: 4,
            depth,
            ..Draw::quad()
        };
        s.render(&s.pass_of(4)?, &[draw(0.3, 0.9), draw(-0.2, 0.1)])
    }),
    ("inputs_at_centres", |s| inputs(s, "layout(location = 0) in vec4 v;", "o = v;", None)),
    ("inputs_at_centroids", |s| inputs(s, "layout(location = 0) centroid in vec4 v;", "o = v;", None)),
    ("inputs_at_samples", |s| inputs(s, "layout(location = 0) sample in vec4 v;", "o = v;", None)),
    ("interpolate_at_centroid", |s| inputs(s, "", "o = interpolateAtCentroid(v);", None)),
    ("interpolate_at_sample", |s| {
        inputs(s, "", "o = interpolateAtSample(v, int(gl_FragCoord.x) % 4);", None)
    }),
    ("interpolate_at_offset", |s| {
        inputs(
            s,
            "",
            "o = interpolateAtOffset(v, vec2(int(gl_FragCoord.x) % 4, int(gl_FragCoord.y) % 4) / 4.0 - .5);",
            None,
        )
    }),
    ("interpolate_at_offset_perspective", |s| {
        let vertex = "gl_Position = vec4(CORNER[i % 6], 0, 1) * float(1 + i * 2);";
        let fragment = "o = interpolateAtOffset(v, vec2(.4375, -.5));";
        s.need(s.client.has.core.sample_rate_shading != 0, "sampleRateShading")?;
        s.render(&s.pass(), &[Draw { vertex, fragment, ..Draw::default() }])
    }),
    ("fragment_coordinates_of_samples", |s| {
        inputs(s, "", "o = vec4(fract(gl_FragCoord.xy), gl_FragCoord.x / 64.0, 1);", Some(1.0))
    }),
    ("sample_mask_in", |s| {
        inputs(s, "", "o = vec4(vec3(bitCount(gl_SampleMaskIn[0] & 15)) / 4.0, 1);", None)
    }),
    ("sample_mask_in_before_tests", sample_mask_in_before_tests),
    ("sample_mask_state", |s| {
        s.render(
            &s.pass_of(4)?,
            &[Draw { count: [6, 1], samples: 4, sample_mask: Some(0b0110), ..Draw::default() }],
        )
    }),
    ("alpha_to_one", |s| {
        s.need(s.client.has.core.alpha_to_one != 0, "alphaToOne")?;
        let over = blend(vk::BlendFactor::SRC_ALPHA, vk::BlendFactor::ONE_MINUS_SRC_ALPHA, vk::BlendOp::ADD);
        let fragment = "o = vec4(v.rgb, .25);";
        let half = |alpha_to_one, scissors| Draw {
            fragment,
            count: [6, 1],
            samples: 4,
            alpha_to_one,
            blend: vec![over],
            scissors: vec![scissors],
            ..Draw::default()
        };
        s.render(&s.pass_of(4)?, &[half(true, [0, 0, 64, 32]), half(false, [0, 32, 64, 32])])
    }),
    ("alpha_to_coverage_extremes", |s| {
        // Covers all samples or none; anything in between is implementation-dependent.
        let fragment = "o = vec4(v.rg, .5, v.x < .5 ? 0.0 : 1.0);";
        s.render(&s.pass_of(4)?, &[Draw { fragment, samples: 4, alpha_to_coverage: true, ..Draw::quad() }])
    }),
    ("resolve_command", |s| {
        let image = s.image(Of { samples: 4, ..Of::target(RGBA8) })?;
        let pass = Pass { colors: vec![s.target(&image)?], ..s.pass() };
        s.render(&pass, &[Draw { count: [6, 1], samples: 4, ..Draw::default() }])?;
        resolve(s, &image)
    }),
    ("resolve_integers", |s| {
        let format = vk::Format::R8G8B8A8_UINT;
        let several = s.image(Of { samples: 4, ..Of::target(format) })?;
        let one = s.image(Of::target(format))?;
        let clear = Some(vk::ClearValue { color: vk::ClearColorValue { uint32: [10, 20, 30, 255] } });
        let view = s.view(&one)?;
        let target = Target { view: s.view(&several)?, format, clear, resolve: Some((M::SAMPLE_ZERO, view)) };
        let pass = Pass { colors: vec![target], ..s.pass() };
        let draw = Draw {
            fragment_head: "layout(location = 0) out uvec4 o;",
            fragment: "o = uvec4(v * 200.0 + 20.0);",
            count: [6, 1],
            samples: 4,
            ..Draw::default()
        };
        s.render(&pass, &[draw])?;
        let sampler = s.sampler(|i| i)?;
        s.paint(
            "layout(binding = 0) uniform usampler2D t;",
            "o = vec4(texelFetch(t, px, 0)) / 255.0;",
            &[Bind::Sampled(view, sampler)],
        )
    }),
    ("resolve_depth_first", |s| resolve_depth(s, M::SAMPLE_ZERO, M::NONE)),
    ("resolve_depth_average", |s| resolve_depth(s, M::AVERAGE, M::NONE)),
    ("resolve_depth_min", |s| resolve_depth(s, M::MIN, M::NONE)),
    ("resolve_depth_max", |s| resolve_depth(s, M::MAX, M::NONE)),
    ("resolve_stencil_first", |s| resolve_depth(s, M::NONE, M::SAMPLE_ZERO)),
    ("resolve_stencil_min", |s| resolve_depth(s, M::NONE, M::MIN)),
    ("resolve_stencil_max", |s| resolve_depth(s, M::NONE, M::MAX)),
    ("resolve_both", |s| resolve_depth(s, M::SAMPLE_ZERO, M::SAMPLE_ZERO)),
];

fn samples(s: &mut Studio, samples: u32) -> Made<()> {
    s.render(&s.pass_of(samples)?, &[Draw { count: [6, 1], samples, ..Draw::default() }])
}

/// Shows each sample in its own part of the picture, fetched from a multisampled image: edges differ between samples.
fn each(s: &mut Studio, samples: u32) -> Made<()> {
    let size = 16;
    let image = s.image(Of { size: [size, size, 1], samples, ..Of::target(RGBA8) })?;
    let pass = Pass { colors: vec![s.target(&image)?], size: [size; 2], ..s.pass() };
    let viewports = vec![super::draw::viewport(0.0, 0.0, size as f32, size as f32)];
    let vertex = "gl_Position = vec4(CORNER[i % 6], 0, 1);";
    s.render(&pass, &[Draw { vertex, count: [6, 1], samples, viewports, ..Draw::default() }])?;
    let (view, sampler) = (s.view(&image)?, s.sampler(|i| i)?);
    let body = format!(
        "int k = px.x / 16 + px.y / 16 * 4; if (k >= {samples}) discard; o = texelFetch(t, px % 16, k);"
    );
    s.paint("layout(binding = 0) uniform sampler2DMS t;", &body, &[Bind::Sampled(view, sampler)])
}

/// Thin triangles that rarely cover pixel centres show where inputs are evaluated.
fn inputs(s: &mut Studio, fragment_head: &str, fragment: &str, sample_shading: Option<f32>) -> Made<()> {
    let shaded =
        sample_shading.is_some() || fragment_head.contains("sample in") || fragment.contains("interpolateAt");
    s.need(!shaded || s.client.has.core.sample_rate_shading != 0, "sampleRateShading")?;
    let vertex = "int k = i / 3; vec2 a = vec2(k % 4, k / 4) * .5 - 1.0 + vec2(.03, .05);\n\
        vec2 d = i % 3 == 0 ? vec2(0) : i % 3 == 1 ? vec2(.42, .03 + .04 * k) : vec2(.4, .4 - .02 * k);\n\
        gl_Position = vec4(a + d, 0, 1); v = vec4(i % 3 == 0, i % 3 == 1, float(i % 3 == 2), 1);";
    let draw = Draw {
        vertex,
        fragment_head,
        fragment,
        count: [48, 1],
        samples: 4,
        sample_shading,
        blend: vec![opaque()],
        ..Draw::default()
    };
    s.render(&s.pass_of(4)?, &[draw])
}

/// Shows the number of samples in the fragment stage's SampleMask where a depth plane leaves only some. Late tests do
/// not affect it, early ones only with PostDepthCoverage.
fn sample_mask_in_before_tests(s: &mut Studio) -> Made<()> {
    s.need(s.client.has.extension(ash::ext::post_depth_coverage::NAME), "VK_EXT_post_depth_coverage")?;
    const EARLY: &str = "layout(early_fragment_tests) in;\n";
    const POST: &str = "#extension GL_ARB_post_depth_coverage : require\n\
        layout(early_fragment_tests, post_depth_coverage) in;\n";
    let vertex = "gl_Position = vec4(QUAD[i], p.x * QUAD[i].x + .3 * p.x * QUAD[i].y + .5, 1);";
    let plane = |x| Draw {
        vertex,
        fragment: "o = vec4(0, 0, .3, 1);",
        push: [x, 0.0, 0.0, 0.0],
        samples: 4,
        depth: Some(Depth { compare: vk::CompareOp::LESS, write: true }),
        blend: vec![opaque()],
        ..Draw::quad()
    };
    let mut draws = vec![plane(0.3)];
    for (band, fragment_head) in ["", EARLY, POST].into_iter().enumerate() {
        draws.push(Draw {
            fragment_head,
            fragment: "o = vec4(vec3(bitCount(gl_SampleMaskIn[0] & 15)) / 4.0, 1);",
            scissors: vec![[0, band as u32 * 22, SIZE, 20]],
            ..plane(-0.2)
        });
    }
    s.render(&s.pass_of(4)?, &draws)
}

/// Resolves a part of an image into the picture by a command.
#[expect(unsafe_code, reason = "calls Vulkan commands")]
fn resolve(s: &Studio, from: &super::studio::Image) -> Made<()> {
    let layers = vk::ImageSubresourceLayers {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        mip_level: 0,
        base_array_layer: 0,
        layer_count: 1,
    };
    let region = vk::ImageResolve::default()
        .src_subresource(layers)
        .src_offset(vk::Offset3D { x: 4, y: 8, z: 0 })
        .dst_subresource(layers)
        .dst_offset(vk::Offset3D { x: 8, y: 2, z: 0 })
        .extent(vk::Extent3D { width: 50, height: 54, depth: 1 });
    s.barrier();
    let general = vk::ImageLayout::GENERAL;
    let (from, to) = (from.image, s.picture.image);
    // SAFETY: both images belong to the studio, are in the general layout and contain the region; the commands are
    // outside of a pass.
    unsafe { s.client.device.cmd_resolve_image(s.commands, from, general, to, general, &[region]) };
    s.barrier();
    Ok(())
}

/// Counts the fragments that pass the depth test.
const COUNT: vk::StencilOpState = vk::StencilOpState {
    fail_op: vk::StencilOp::KEEP,
    pass_op: vk::StencilOp::INCREMENT_AND_CLAMP,
    depth_fail_op: vk::StencilOp::KEEP,
    compare_op: vk::CompareOp::ALWAYS,
    compare_mask: 0xff,
    write_mask: 0xff,
    reference: 0,
};

/// Overlapping triangles at different depths that count in the stencil; the resolved depth and stencil are shown.
fn resolve_depth(s: &mut Studio, depth_mode: M, stencil_mode: M) -> Made<()> {
    use vk::ImageAspectFlags as A;
    let has = &s.client.has.resolve;
    s.need(
        depth_mode.is_empty() || has.supported_depth_resolve_modes.contains(depth_mode),
        "mode of depth resolve",
    )?;
    s.need(
        stencil_mode.is_empty() || has.supported_stencil_resolve_modes.contains(stencil_mode),
        "mode of stencil resolve",
    )?;
    let both = !depth_mode.is_empty() && !stencil_mode.is_empty();
    let format = match (both, stencil_mode.is_empty()) {
        (true, _) => vk::Format::D32_SFLOAT_S8_UINT,
        (false, true) => vk::Format::D32_SFLOAT,
        (false, false) => vk::Format::S8_UINT,
    };
    let several = s.image(Of {
        samples: 4,
        usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        ..Of::depth(format)
    })?;
    let one = s.image(Of::depth(format))?;
    let (view, to) = (s.view(&several)?, s.view(&one)?);
    let target = |mode: M| Target {
        view,
        format,
        clear: Some(zs(1.0, 0)),
        resolve: (!mode.is_empty()).then_some((mode, to)),
    };
    let color = s.image(Of { samples: 4, ..Of::target(RGBA8) })?;
    let mut pass = Pass { colors: vec![s.target(&color)?], ..s.pass() };
    pass.colors[0].clear = Some(rgba([0.0; 4]));
    pass.depth = aspects(format).contains(A::DEPTH).then(|| target(depth_mode));
    pass.stencil = aspects(format).contains(A::STENCIL).then(|| target(stencil_mode));
    let vertex = "gl_Position = vec4(CORNER[i % 6], .2 + .3 * float(i / 3), 1);";
    let draw = Draw {
        vertex,
        count: [6, 1],
        samples: 4,
        depth: Some(Depth { compare: vk::CompareOp::LESS, write: true }),
        stencil: Some([COUNT; 2]),
        ..Draw::default()
    };
    s.render(&pass, &[draw])?;
    let sampler = s.sampler(|i| i)?;
    if !depth_mode.is_empty() {
        let bind = [Bind::Sampled(s.aspect(&one, A::DEPTH)?, sampler)];
        s.paint("layout(binding = 0) uniform sampler2D t;", "o = vec4(texelFetch(t, px, 0).rrr, 1);", &bind)?;
    }
    if !stencil_mode.is_empty() {
        let bind = [Bind::Sampled(s.aspect(&one, A::STENCIL)?, sampler)];
        let at = if both { [0, 0, SIZE / 2, SIZE] } else { [0, 0, SIZE, SIZE] };
        s.paint_in(
            at,
            "layout(binding = 0) uniform usampler2D t;",
            "o = vec4(vec3(texelFetch(t, px, 0).r) / 2.0, 1);",
            &bind,
        )?;
    }
    Ok(())
}
