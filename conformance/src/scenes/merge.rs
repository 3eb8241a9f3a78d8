//! Scenes of the operations after the fragment shader: depth, stencil, blending.

use ash::vk;
use vk::{BlendFactor as F, BlendOp as O, CompareOp as C, StencilOp as S};

use super::draw::{Bind, Depth, Draw, additive, blend, opaque, viewport};
use super::studio::{Made, Of, Pass, Studio, rgba};
use super::{SIZE, Steps};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("early_tests", |s| tests(s, "layout(early_fragment_tests) in;")),
    ("late_tests", |s| tests(s, "")),
    ("depth_only_greater", |s| {
        layouts(
            s,
            "layout(depth_greater) out float gl_FragDepth;",
            "gl_FragDepth = gl_FragCoord.z + .3 * v.x;",
        )
    }),
    ("depth_only_less", |s| {
        layouts(s, "layout(depth_less) out float gl_FragDepth;", "gl_FragDepth = gl_FragCoord.z - .3 * v.x;")
    }),
    ("depth_unchanged", |s| {
        layouts(s, "layout(depth_unchanged) out float gl_FragDepth;", "gl_FragDepth = gl_FragCoord.z;")
    }),
    ("depth_compare_ops", |s| {
        let pass = s.pass_with_depth(vk::Format::D32_SFLOAT)?;
        let ramp = "gl_Position = vec4(QUAD[i], floor(QUAD[i].x + 1.0) * .5, 1);";
        let flat = Draw {
            push: [0.5, 0.3, 0.3, 1.0],
            fragment: "o = p;",
            depth: depth(C::ALWAYS, true),
            ..Draw::quad()
        };
        let mut draws = vec![flat];
        for (k, op) in COMPARES.into_iter().enumerate() {
            let scissors = vec![[0, k as u32 * 8, SIZE, 7]];
            draws.push(Draw {
                vertex: ramp,
                fragment: "o = vec4(.2, .8, gl_FragCoord.z, 1);",
                depth: depth(op, false),
                scissors,
                ..Draw::quad()
            });
        }
        s.render(&pass, &draws)
    }),
    ("depth_16_bits", |s| depth_format(s, vk::Format::D16_UNORM)),
    ("depth_24_bits", |s| depth_format(s, vk::Format::X8_D24_UNORM_PACK32)),
    ("depth_32_bits", |s| depth_format(s, vk::Format::D32_SFLOAT)),
    ("stencil_compare_ops", |s| {
        let pass = s.pass_with_depth(vk::Format::D32_SFLOAT_S8_UINT)?;
        let mut draws = count_columns();
        for (k, op) in COMPARES.into_iter().enumerate() {
            let scissors = vec![[0, k as u32 * 8, SIZE, 7]];
            let stencil = Some([stencil(op, [S::KEEP; 3], 4); 2]);
            draws.push(Draw { fragment: "o = vec4(.2, .8, v.x, 1);", stencil, scissors, ..Draw::quad() });
        }
        s.render(&pass, &draws)
    }),
    ("stencil_ops", |s| stencil_ops(s, 0)),
    ("stencil_ops_depth_fails", |s| stencil_ops(s, 1)),
    ("stencil_ops_stencil_fails", |s| stencil_ops(s, 2)),
    ("stencil_both_faces", |s| {
        let pass = s.pass_with_depth(vk::Format::S8_UINT)?;
        let two = [
            stencil(C::ALWAYS, [S::KEEP, S::KEEP, S::REPLACE], 3),
            stencil(C::ALWAYS, [S::KEEP, S::KEEP, S::INVERT], 0),
        ];
        let draw = Draw { stencil: Some(two), count: [6, 1], ..Draw::default() };
        s.render(&pass, &[draw])?;
        show_stencil(s, &pass, "x * 80")
    }),
    ("stencil_masks", |s| {
        let pass = s.pass_with_depth(vk::Format::S8_UINT)?;
        let mut draws = count_columns();
        for k in 0..8 {
            let op = vk::StencilOpState {
                write_mask: 1 << k | 0x10,
                compare_mask: 0x3,
                ..stencil(C::LESS, [S::KEEP, S::KEEP, S::INVERT], 1)
            };
            draws.push(Draw { stencil: Some([op; 2]), scissors: vec![[0, k * 8, SIZE, 8]], ..Draw::quad() });
        }
        s.render(&pass, &draws)?;
        show_stencil(s, &pass, "x")
    }),
    ("blend_source_factors", |s| cells(s, 15, |k, d| d.blend = vec![blend(FACTORS[k], F::ZERO, O::ADD)])),
    ("blend_target_factors", |s| cells(s, 15, |k, d| d.blend = vec![blend(F::ZERO, FACTORS[k], O::ADD)])),
    ("blend_alpha_factors", |s| {
        cells(s, 15, |k, d| {
            // Alpha has its own blending; a second draw shows it as colour.
            d.blend = vec![
                opaque()
                    .blend_enable(true)
                    .src_color_blend_factor(F::ZERO)
                    .dst_color_blend_factor(F::ONE)
                    .src_alpha_blend_factor(FACTORS[k])
                    .dst_alpha_blend_factor(F::ONE_MINUS_CONSTANT_ALPHA),
            ];
        })?;
        let mut pass = s.pass();
        pass.colors[0].clear = None;
        let show = blend(F::DST_ALPHA, F::ZERO, O::ADD);
        s.render(&pass, &[Draw { fragment: "o = vec4(1);", blend: vec![show], ..Draw::quad() }])
    }),
    ("blend_operations", |s| {
        const OPS: [O; 5] = [O::ADD, O::SUBTRACT, O::REVERSE_SUBTRACT, O::MIN, O::MAX];
        cells(s, 5, |k, d| d.blend = vec![blend(F::CONSTANT_COLOR, F::DST_COLOR, OPS[k])])
    }),
    ("blend_advanced", |s| {
        s.need(s.client.has.extension(ash::ext::blend_operation_advanced::NAME), "advancedBlendOperations")?;
        cells(s, 15, |k, d| d.blend = vec![blend(F::ONE, F::ONE, ADVANCED[k])])
    }),
    ("blend_dual_source", |s| dual(s, F::SRC1_COLOR, F::ONE_MINUS_SRC1_COLOR)),
    ("blend_dual_source_alpha", |s| dual(s, F::ONE_MINUS_SRC1_ALPHA, F::SRC1_ALPHA)),
    ("blend_srgb", |s| blended_in(s, vk::Format::R8G8B8A8_SRGB, "o = t;")),
    ("blend_half_floats", |s| blended_in(s, vk::Format::R16G16B16A16_SFLOAT, "o = t;")),
    ("blend_floats", |s| blended_in(s, vk::Format::R32G32B32A32_SFLOAT, "o = t;")),
    ("blend_10_bits", |s| blended_in(s, vk::Format::A2B10G10R10_UNORM_PACK32, "o = t;")),
    ("blend_565", |s| blended_in(s, vk::Format::R5G6B5_UNORM_PACK16, "o = t;")),
    ("blend_11_11_10_floats", |s| blended_in(s, vk::Format::B10G11R11_UFLOAT_PACK32, "o = t;")),
    ("blend_16_bits", |s| blended_in(s, vk::Format::R16G16B16A16_UNORM, "o = t;")),
    ("logic_operations", |s| {
        s.need(s.client.has.core.logic_op != 0, "logicOp")?;
        cells(s, 16, |k, d| d.logic = Some(vk::LogicOp::from_raw(k as i32)))
    }),
    ("write_masks", |s| {
        cells(s, 16, |k, d| {
            d.blend = vec![opaque().color_write_mask(vk::ColorComponentFlags::from_raw(k as u32))]
        })
    }),
];

const COMPARES: [C; 8] =
    [C::NEVER, C::LESS, C::EQUAL, C::LESS_OR_EQUAL, C::GREATER, C::NOT_EQUAL, C::GREATER_OR_EQUAL, C::ALWAYS];

/// Operations that every device with the extension supports.
const ADVANCED: [O; 15] = [
    O::MULTIPLY_EXT,
    O::SCREEN_EXT,
    O::OVERLAY_EXT,
    O::DARKEN_EXT,
    O::LIGHTEN_EXT,
    O::COLORDODGE_EXT,
    O::COLORBURN_EXT,
    O::HARDLIGHT_EXT,
    O::SOFTLIGHT_EXT,
    O::DIFFERENCE_EXT,
    O::EXCLUSION_EXT,
    O::HSL_HUE_EXT,
    O::HSL_SATURATION_EXT,
    O::HSL_COLOR_EXT,
    O::HSL_LUMINOSITY_EXT,
];

const FACTORS: [F; 15] = [
    F::ZERO,
    F::ONE,
    F::SRC_COLOR,
    F::ONE_MINUS_SRC_COLOR,
    F::DST_COLOR,
    F::ONE_MINUS_DST_COLOR,
    F::SRC_ALPHA,
    F::ONE_MINUS_SRC_ALPHA,
    F::DST_ALPHA,
    F::ONE_MINUS_DST_ALPHA,
    F::CONSTANT_COLOR,
    F::ONE_MINUS_CONSTANT_COLOR,
    F::CONSTANT_ALPHA,
    F::ONE_MINUS_CONSTANT_ALPHA,
    F::SRC_ALPHA_SATURATE,
];

fn depth(compare: C, write: bool) -> Option<Depth> {
    Some(Depth { compare, write })
}

/// Stencil operations: stencil fails, depth fails, pass.
fn stencil(compare_op: C, ops: [S; 3], reference: u32) -> vk::StencilOpState {
    let [fail_op, depth_fail_op, pass_op] = ops;
    vk::StencilOpState {
        fail_op,
        pass_op,
        depth_fail_op,
        compare_op,
        compare_mask: 0xff,
        write_mask: 0xff,
        reference,
    }
}

/// Draws that set the stencil to 0 to 7, in columns.
fn count_columns() -> Vec<Draw<'static>> {
    (0..8)
        .map(|k| Draw {
            stencil: Some([stencil(C::ALWAYS, [S::KEEP, S::KEEP, S::REPLACE], k); 2]),
            scissors: vec![[k * 8, 0, 8, SIZE]],
            fragment: "o = vec4(.3, .1, .1, 1);",
            ..Draw::quad()
        })
        .collect()
}

/// Shows the stencil of a pass as grey, by an expression of x.
fn show_stencil(s: &Studio, pass: &Pass, shown: &str) -> Made<()> {
    let Some(target) = pass.stencil else { return Ok(()) };
    let body = format!("uint x = texelFetch(t, px, 0).r; o = vec4(vec3(float({shown})) / 255.0, 1);");
    // Views of a format with both aspects cannot be sampled; these passes only have a stencil.
    let sampler = s.sampler(|i| i)?;
    s.paint("layout(binding = 0) uniform usampler2D t;", &body, &[Bind::Sampled(target.view, sampler)])
}

/// Counts shader invocations before or after the depth test.
fn tests(s: &mut Studio, layout: &str) -> Made<()> {
    s.need(s.client.has.core.fragment_stores_and_atomics != 0, "fragmentStoresAndAtomics")?;
    let counts = s.buffer(&[0; 64 * 64 * 4])?;
    let head = format!("{layout}\nlayout(set = 0, binding = 0) buffer B {{ uint n[]; }};");
    let body = "ivec2 q = ivec2(gl_FragCoord.xy); atomicAdd(n[q.y * 64 + q.x], 1); o = vec4(v.rgb, 1);";
    let vertex = "gl_Position = vec4(CORNER[i % 6], .2 + .3 * float(i / 3), 1);";
    let draw = |k: i32| Draw {
        vertex: if k == 0 { "gl_Position = vec4(CORNER[i % 6], .3, 1);" } else { vertex },
        fragment_head: &head,
        fragment: body,
        count: [6, 1],
        bind: &[],
        depth: depth(C::LESS, true),
        ..Draw::default()
    };
    let bind = [Bind::Buffer(counts)];
    let pass = s.pass_with_depth(vk::Format::D32_SFLOAT)?;
    s.render(&pass, &[Draw { bind: &bind, ..draw(0) }, Draw { bind: &bind, ..draw(1) }])?;
    s.paint(
        "layout(set = 0, binding = 0) buffer B { uint n[]; };",
        "o = vec4(vec3(n[px.y * 64 + px.x]) / 4.0, 1);",
        &bind,
    )
}

/// Fragments that change their depth in one direction only.
fn layouts(s: &mut Studio, fragment_head: &str, change: &str) -> Made<()> {
    let head = format!("{fragment_head}\nlayout(location = 0) out vec4 o;");
    let fragment = format!("{change}\no = vec4(v.xy, p.y, 1);");
    let pass = s.pass_with_depth(vk::Format::D32_SFLOAT)?;
    let sloped = "gl_Position = vec4(QUAD[i], .5 + p.x * QUAD[i].y, 1); v = vec4(QUAD[i] * .5 + .5, 0, 1);";
    let draw = |x: f32, scissors| Draw {
        vertex: sloped,
        fragment_head: &head,
        fragment: &fragment,
        push: [x, x + 0.5, 0.0, 0.0],
        depth: depth(C::LESS, true),
        scissors: vec![scissors],
        ..Draw::quad()
    };
    s.render(
        &pass,
        &[
            Draw {
                push: [0.5, 0.0, 0.4, 1.0],
                fragment: "o = p;",
                depth: depth(C::LESS, true),
                ..Draw::quad()
            },
            draw(0.3, [4, 4, 56, 56]),
            draw(-0.3, [16, 0, 32, 64]),
        ],
    )
}

/// Precision of a depth format: steps that are too fine to see are magnified.
fn depth_format(s: &mut Studio, format: vk::Format) -> Made<()> {
    let pass = s.pass_with_depth(format)?;
    let vertex = "vec2 q = QUAD[i] * .5 + .5; gl_Position = vec4(QUAD[i], .4 + q.x * .00007 + q.y * .3, 1);";
    s.render(&pass, &[Draw { vertex, depth: depth(C::LESS, true), ..Draw::quad() }])?;
    let Some(target) = pass.depth else { return Ok(()) };
    let sampler = s.sampler(|i| i)?;
    let body = "float z = texelFetch(t, px, 0).r; o = vec4(z, floor((z - .4 - v.y * .3) * 65535.0 + .5) / 8.0, z == floor(z * 65535.0 + .5) / 65535.0, 1);";
    let body = if format == vk::Format::D16_UNORM { body } else { "o = vec4(texelFetch(t, px, 0).rrr, 1);" };
    s.paint("layout(binding = 0) uniform sampler2D t;", body, &[Bind::Sampled(target.view, sampler)])
}

/// All operations on 0 to 7 and 0xfe, in columns, for passing fragments (0), or fragments that fail the depth test (1)
/// or the stencil test (2).
fn stencil_ops(s: &mut Studio, when: usize) -> Made<()> {
    const OPS: [S; 8] = [
        S::KEEP,
        S::ZERO,
        S::REPLACE,
        S::INCREMENT_AND_CLAMP,
        S::DECREMENT_AND_CLAMP,
        S::INVERT,
        S::INCREMENT_AND_WRAP,
        S::DECREMENT_AND_WRAP,
    ];
    let pass = s.pass_with_depth(vk::Format::D32_SFLOAT_S8_UINT)?;
    let mut draws: Vec<_> = (0..8u32)
        .map(|k| Draw {
            stencil: Some(
                [stencil(
                    C::ALWAYS,
                    [S::KEEP, S::KEEP, S::REPLACE],
                    [0, 1, 2, 0x7f, 0x80, 0xfd, 0xfe, 0xff][k as usize],
                ); 2],
            ),
            scissors: vec![[k * 8, 0, 8, SIZE]],
            fragment: "o = vec4(.3, .1, .1, 1);",
            ..Draw::quad()
        })
        .collect();
    for (k, op) in OPS.into_iter().enumerate() {
        let mut ops = [S::ZERO; 3];
        ops[2 - when] = op;
        let compare = if when == 2 { C::NEVER } else { C::ALWAYS };
        draws.push(Draw {
            stencil: Some([stencil(compare, ops, 0x55); 2]),
            depth: depth(if when == 1 { C::NEVER } else { C::ALWAYS }, false),
            scissors: vec![[0, k as u32 * 8, SIZE, 8]],
            ..Draw::quad()
        });
    }
    // One draw shows each bit of the value, because not every device can sample formats with both aspects.
    for bit in 0..8 {
        let equal = vk::StencilOpState { compare_mask: 1 << bit, ..stencil(C::EQUAL, [S::KEEP; 3], 0xff) };
        let weight = (1 << bit) as f32 / 255.0;
        let zero = Draw { fragment: "o = vec4(0, 0, 0, 1);", ..Draw::quad() };
        if bit == 0 {
            draws.push(zero);
        }
        draws.push(Draw {
            fragment: "o = p;",
            push: [weight, weight, weight, 0.0],
            stencil: Some([equal; 2]),
            blend: vec![additive()],
            ..Draw::quad()
        });
    }
    for d in &mut draws {
        // Push constants would move the quad, so this vertex shader ignores them.
        d.vertex = "gl_Position = vec4(QUAD[i % 4], .5, 1); v = vec4(QUAD[i % 4] * .5 + .5, 0, 1);";
    }
    s.render(&pass, &draws)
}

/// Squares of a ramp drawn over another ramp, each with changed state.
fn cells(s: &mut Studio, n: usize, edit: impl Fn(usize, &mut Draw)) -> Made<()> {
    let mut pass = s.pass();
    pass.colors[0].clear = Some(rgba([0.0, 0.0, 0.0, 1.0]));
    // Colours are multiples of a 15th, so that results do not depend on rounding.
    let ramp = "o = vec4(floor(v.x * 15.99), floor(v.y * 15.99), 6, 9) / 15.0;";
    let mut draws = vec![Draw { fragment: ramp, ..Draw::quad() }];
    for k in 0..n {
        let (x, y) = ((k % 4 * 16) as u32, (k / 4 * 16) as u32);
        let mut draw = Draw {
            fragment: "o = vec4(10, floor(v.x * 15.99), floor(v.y * 15.99), 12) / 15.0;",
            viewports: vec![viewport(x as f32, y as f32, 15.0, 15.0)],
            scissors: vec![[x, y, 15, 15]],
            constants: [0.2, 0.6, 0.4, 0.8],
            ..Draw::quad()
        };
        edit(k, &mut draw);
        draws.push(draw);
    }
    s.render(&pass, &draws)
}

/// A second colour of the fragment as a blend factor.
fn dual(s: &mut Studio, source: F, target: F) -> Made<()> {
    s.need(s.client.has.core.dual_src_blend != 0, "dualSrcBlend")?;
    let draw = Draw {
        fragment_head: "layout(location = 0, index = 0) out vec4 o; layout(location = 0, index = 1) out vec4 w;",
        fragment: "o = vec4(1, .6, .2, 1); w = vec4(v.xyx, v.y);",
        blend: vec![blend(source, target, O::ADD)],
        ..Draw::quad()
    };
    let under = Draw { fragment: "o = vec4(0, v.x, 1, 1);", ..Draw::quad() };
    s.render(&s.pass(), &[under, draw])
}

/// Blends in another format, and shows the result.
fn blended_in(s: &mut Studio, format: vk::Format, show: &str) -> Made<()> {
    s.need(s.offers(format, vk::FormatFeatureFlags::COLOR_ATTACHMENT_BLEND), "blending in the format")?;
    let image = s.image(Of::target(format))?;
    let pass = Pass { colors: vec![s.target(&image)?], ..s.pass() };
    let over = blend(F::SRC_ALPHA, F::ONE_MINUS_SRC_ALPHA, O::ADD);
    let draw = Draw { fragment: "o = vec4(v.rgb, .4);", count: [6, 1], blend: vec![over], ..Draw::default() };
    s.render(&pass, &[draw])?;
    let (view, sampler) = (s.view(&image)?, s.sampler(|i| i)?);
    let body = format!("vec4 t = texelFetch(t, px, 0);\n{show}");
    s.paint("layout(binding = 0) uniform sampler2D t;", &body, &[Bind::Sampled(view, sampler)])
}
