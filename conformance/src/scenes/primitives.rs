//! Scenes of the pipeline before fragments, without tessellation and geometry stages: assembly, vertex input,
//! viewports, layers, views, clipping, lines.

use ash::vk;
use vk::PrimitiveTopology as T;

use super::draw::{Bind, Draw, Vertices, additive, blend, viewport};
use super::studio::{Made, Of, Pass, RGBA8, Studio, Target};
use super::{SIZE, Steps};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("lines_bresenham", |s| lines(s, vk::LineRasterizationModeEXT::BRESENHAM, 1.0, None)),
    ("lines_rectangular", |s| lines(s, vk::LineRasterizationModeEXT::RECTANGULAR, 1.0, None)),
    ("lines_smooth", |s| lines(s, vk::LineRasterizationModeEXT::RECTANGULAR_SMOOTH, 1.0, None)),
    ("lines_wide", |s| lines(s, vk::LineRasterizationModeEXT::RECTANGULAR, 3.0, None)),
    ("lines_wide_bresenham", |s| lines(s, vk::LineRasterizationModeEXT::BRESENHAM, 3.0, None)),
    ("lines_stippled", |s| {
        lines(s, vk::LineRasterizationModeEXT::BRESENHAM, 1.0, Some((2, 0b1110_0101_1100_1010)))
    }),
    ("lines_stippled_rectangular", |s| {
        lines(s, vk::LineRasterizationModeEXT::RECTANGULAR, 2.0, Some((1, 0x0f35)))
    }),
    ("line_list_adjacency", |s| adjacency(s, T::LINE_LIST_WITH_ADJACENCY, 8)),
    ("line_strip_adjacency", |s| adjacency(s, T::LINE_STRIP_WITH_ADJACENCY, 8)),
    ("triangle_list_adjacency", |s| adjacency(s, T::TRIANGLE_LIST_WITH_ADJACENCY, 12)),
    ("triangle_strip_adjacency", |s| adjacency(s, T::TRIANGLE_STRIP_WITH_ADJACENCY, 12)),
    ("restart_8_bit", |s| {
        s.need(s.client.has.index8.index_type_uint8 != 0, "indexTypeUint8")?;
        restart(s, vk::IndexType::UINT8_EXT, T::TRIANGLE_STRIP)
    }),
    ("restart_16_bit", |s| restart(s, vk::IndexType::UINT16, T::TRIANGLE_STRIP)),
    ("restart_32_bit", |s| restart(s, vk::IndexType::UINT32, T::TRIANGLE_STRIP)),
    ("restart_fan", |s| restart(s, vk::IndexType::UINT16, T::TRIANGLE_FAN)),
    ("restart_list", |s| {
        s.need(
            s.client.has.list_restart.primitive_topology_list_restart != 0,
            "primitiveTopologyListRestart",
        )?;
        restart(s, vk::IndexType::UINT16, T::TRIANGLE_LIST)
    }),
    ("provoking_first", |s| provoking(s, false)),
    ("provoking_last", |s| {
        s.need(s.client.has.provoking.provoking_vertex_last != 0, "provokingVertexLast")?;
        provoking(s, true)
    }),
    ("indexed", indexed),
    ("indirect", indirect),
    ("instance_rate", |s| instances(s, [1, 1])),
    ("instance_divisor", |s| {
        s.need(
            s.client.has.divisor.vertex_attribute_instance_rate_divisor != 0,
            "vertexAttributeInstanceRateDivisor",
        )?;
        instances(s, [2, 3])
    }),
    ("instance_divisor_zero", |s| {
        s.need(
            s.client.has.divisor.vertex_attribute_instance_rate_zero_divisor != 0,
            "vertexAttributeInstanceRateZeroDivisor",
        )?;
        instances(s, [1, 0])
    }),
    ("vertex_formats_8", |s| vertex_formats(s, &F8)),
    ("vertex_formats_16", |s| vertex_formats(s, &F16)),
    ("vertex_formats_32", |s| vertex_formats(s, &F32)),
    ("vertex_formats_packed", |s| vertex_formats(s, &PACKED)),
    ("layers", |s| layers(s, false)),
    ("slices", |s| layers(s, true)),
    ("viewport_index", viewport_index),
    ("multiview", |s| multiview(s, 0b1111)),
    ("multiview_gaps", |s| multiview(s, 0b1010)),
    ("clip_sides", |s| {
        let vertex = "gl_Position = vec4(CORNER[i % 6] * vec2(40, 9) + vec2(3, -2), .5, 1);";
        s.render(&s.pass(), &[Draw { vertex, ..Draw::default() }])
    }),
    ("clip_eight_planes", |s| {
        let head = "out float gl_ClipDistance[8];";
        let vertex = "gl_Position = vec4(QUAD[i % 4], 0, 1); v = vec4(QUAD[i % 4] * .5 + .5, 0, 1);\n\
            for (int k = 0; k < 4; k++) { vec2 n = vec2(k & 1, k >> 1) * 2 - 1; gl_ClipDistance[k] = dot(QUAD[i % 4], n) + 1.2;\n\
            gl_ClipDistance[k + 4] = (k < 2 ? gl_Position.x : gl_Position.y) * (k % 2 == 0 ? 1 : -1) + .8; }";
        s.need(s.client.has.core.shader_clip_distance != 0, "shaderClipDistance")?;
        s.render(&s.pass(), &[Draw { head, vertex, ..Draw::quad() }])
    }),
    ("cull_distance", |s| {
        s.need(s.client.has.core.shader_cull_distance != 0, "shaderCullDistance")?;
        let head = "out float gl_CullDistance[2];";
        let vertex = "vec2 c = vec2(gl_InstanceIndex % 4, gl_InstanceIndex / 4) * .5 - .75;\n\
            gl_Position = vec4(c + CORNER[i] * .25, 0, 1);\n\
            gl_CullDistance[0] = gl_Position.x + .2; gl_CullDistance[1] = .4 - gl_Position.y;";
        s.render(&s.pass(), &[Draw { head, vertex, count: [3, 16], ..Draw::default() }])
    }),
    ("depth_range", |s| depth_range(s, 0.25, 0.75, false)),
    ("depth_range_reversed", |s| depth_range(s, 1.0, 0.0, false)),
    ("depth_clamp_to_range", |s| {
        s.need(s.client.has.core.depth_clamp != 0, "depthClamp")?;
        depth_range(s, 0.25, 0.75, true)
    }),
    ("depth_not_clipped", |s| {
        s.need(s.client.has.clip.depth_clip_enable != 0, "depthClipEnable")?;
        let vertex = "gl_Position = vec4(CORNER[i % 6], float(i) * .8 - .4, 1);";
        s.render(&s.pass(), &[Draw { vertex, clip: Some(false), ..Draw::default() }])
    }),
    ("depth_from_minus_one", |s| {
        s.need(s.client.has.clip_control.depth_clip_control != 0, "depthClipControl")?;
        let vertex = "gl_Position = vec4(QUAD[i], QUAD[i].x * 1.3, 1);";
        let fragment = "o = vec4(gl_FragCoord.zzz, 1);";
        s.render(&s.pass(), &[Draw { vertex, fragment, from_minus_one: true, ..Draw::quad() }])
    }),
    ("sub_pixels", |s| {
        // The edges of 64 triangles are between samples, each a 256th of a pixel further.
        let vertex = "int k = i / 3; vec2 c = vec2(k % 8, k / 8) * 8.0 + vec2(i % 3 == 1 ? 6 : 1, i % 3 == 2 ? 6 : 1);\n\
            c += .5 + vec2(k - 32) / 256.0; gl_Position = vec4(c / 32.0 - 1.0, 0, 1);";
        s.render(&s.pass(), &[Draw { vertex, count: [192, 1], ..Draw::default() }])
    }),
    ("top_left", |s| {
        // All corners are at pixel centres. Blending is additive, so that a pixel drawn twice is twice as bright.
        let vertex = "ivec2 c = ivec2(i / 6 % 7, i / 42); int k = i % 6; ivec2 d = ivec2(k == 1 || k == 3 || k == 4, k == 2 || k > 3 && k < 6 );\n\
            if (k == 3) d = ivec2(1, 0); if (k == 4) d = ivec2(1, 1); if (k == 5) d = ivec2(0, 1);\n\
            vec2 q = (vec2(c + d) * 8.0 + 4.5) / 32.0 - 1.0; gl_Position = vec4(q, 0, 1);";
        let fragment = "o = vec4(.4, .2, .1, 1);";
        s.render(
            &s.pass(),
            &[Draw { vertex, fragment, count: [294, 1], blend: vec![additive()], ..Draw::default() }],
        )
    }),
    ("watertight", |s| {
        let vertex = "int k = i % 6; ivec2 c = ivec2(i / 6 % 9, i / 54) + ivec2(k == 1 || k == 3 || k == 5, k == 2 || k > 3);\n\
            if (k == 3) c = ivec2(i / 6 % 9, i / 54) + ivec2(1, 0); if (k == 4) c = ivec2(i / 6 % 9, i / 54) + ivec2(0, 1);\n\
            vec2 jitter = vec2((c.x * 37 + c.y * 71) % 17, (c.x * 53 + c.y * 29) % 19) / 19.0 - .5;\n\
            gl_Position = vec4((vec2(c) + jitter * .8) / 4.0 - 1.1, 0, 1);";
        let fragment = "o = vec4(.2, .4, .3, 1);";
        s.render(
            &s.pass(),
            &[Draw { vertex, fragment, count: [486, 1], blend: vec![additive()], ..Draw::default() }],
        )
    }),
    ("polygon_points", |s| {
        s.need(s.client.has.core.fill_mode_non_solid != 0, "fillModeNonSolid")?;
        let vertex = "gl_Position = vec4(CORNER[i % 6], 0, 1); gl_PointSize = 5.0;";
        s.render(
            &s.pass(),
            &[Draw { vertex, count: [6, 1], polygon: vk::PolygonMode::POINT, ..Draw::default() }],
        )
    }),
    ("wide_wireframe", |s| {
        s.need(s.client.has.core.fill_mode_non_solid != 0, "fillModeNonSolid")?;
        s.need(s.client.has.core.wide_lines != 0, "wideLines")?;
        let draw = Draw { count: [6, 1], polygon: vk::PolygonMode::LINE, line_width: 2.0, ..Draw::default() };
        s.render(&s.pass(), &[draw])
    }),
    ("large_points", |s| {
        s.need(s.client.has.core.large_points != 0, "largePoints")?;
        let vertex = "gl_Position = vec4(CORNER[i % 6] * 1.1, 0, 1); gl_PointSize = 40.0 - 6.0 * i;";
        let fragment = "if (length(gl_PointCoord - .5) > .5) discard; o = vec4(gl_PointCoord, v.x, 1);";
        let topology = T::POINT_LIST;
        s.render(&s.pass(), &[Draw { vertex, fragment, count: [6, 1], topology, ..Draw::default() }])
    }),
    ("noperspective", |s| {
        let vertex = "gl_Position = vec4(CORNER[i % 6], 0, 1) * float(1 + i * 2);";
        let fragment_head = "layout(location = 0) noperspective in vec4 v;";
        s.render(&s.pass(), &[Draw { vertex, fragment_head, ..Draw::default() }])
    }),
    ("depth_bias_slope", |s| bias(s, [0.0, 0.0, -12.0])),
    ("depth_bias_clamp", |s| {
        s.need(s.client.has.core.depth_bias_clamp != 0, "depthBiasClamp")?;
        bias(s, [0.0, -0.06, -12.0])
    }),
    ("depth_bias_constant", |s| bias(s, [-900_000.0, 0.0, 0.0])),
];

/// Lines in every direction.
fn lines(
    s: &mut Studio,
    mode: vk::LineRasterizationModeEXT,
    width: f32,
    stipple: Option<(u32, u16)>,
) -> Made<()> {
    use vk::LineRasterizationModeEXT as M;
    let f = &s.client.has.lines;
    s.need(s.client.has.extension(ash::ext::line_rasterization::NAME), "VK_EXT_line_rasterization")?;
    let (shape, stippled) = match mode {
        M::BRESENHAM => (f.bresenham_lines, f.stippled_bresenham_lines),
        M::RECTANGULAR => (f.rectangular_lines, f.stippled_rectangular_lines),
        _ => (f.smooth_lines, f.stippled_smooth_lines),
    };
    s.need(shape != 0, "lines of this shape")?;
    s.need(stipple.is_none() || stippled != 0, "stipple")?;
    s.need(width == 1.0 || s.client.has.core.wide_lines != 0, "wideLines")?;
    let vertex = "int k = i / 2; float t = float(k % 8) / 7.0;\n\
        vec2 a = k < 8 ? vec2(-.93, -.91 + 1.8 * t) : vec2(-.91 + 1.8 * t, -.93);\n\
        gl_Position = vec4(i % 2 == 0 ? a : -a, 0, 1);";
    let smooth = blend(vk::BlendFactor::SRC_ALPHA, vk::BlendFactor::ONE_MINUS_SRC_ALPHA, vk::BlendOp::ADD);
    let plain = super::draw::opaque();
    s.render(
        &s.pass(),
        &[Draw {
            vertex,
            count: [if width > 1.0 { 14 } else { 32 }, 1],
            topology: T::LINE_LIST,
            lines: Some(mode),
            line_width: width,
            stipple,
            blend: vec![if mode == M::RECTANGULAR_SMOOTH { smooth } else { plain }],
            ..Draw::default()
        }],
    )
}

/// Vertices that exist only for adjacency are in the middle, where they would be visible.
fn adjacency(s: &mut Studio, topology: T, n: u32) -> Made<()> {
    // Our driver does not need the geometry feature to ignore adjacency vertices.
    s.need(s.client.ours || s.client.has.core.geometry_shader != 0, "geometryShader")?;
    let vertex = "vec2 line = vec2(i * 7 % 12, i * i * 3 % 11) * .15 - .85; int j = i / 2;\n\
        vec2 corner = vec2(float(j / 2) * .6 - .8 + .1 * float(j & 1), float(j & 1) * 1.2 - .6);\n\
        bool beside = p.x == 0 ? i % 2 == 1 : p.x == 1 ? i % 4 == 0 || i % 4 == 3 : i == 0 || i == int(p.y);\n\
        gl_Position = vec4(beside ? vec2(.05, .9) : p.x == 0 ? corner : line, 0, 1);";
    let kind = match topology {
        T::LINE_STRIP_WITH_ADJACENCY => 2.0,
        T::LINE_LIST_WITH_ADJACENCY => 1.0,
        _ => 0.0,
    };
    let draw =
        Draw { vertex, count: [n, 1], topology, push: [kind, n as f32 - 1.0, 0.0, 0.0], ..Draw::default() };
    s.render(&s.pass(), &[draw])
}

/// Two runs of vertices, with the restart index in between.
fn restart(s: &mut Studio, ty: vk::IndexType, topology: T) -> Made<()> {
    const NONE: u32 = u32::MAX;
    let list: &[u32] = match topology {
        T::TRIANGLE_LIST => &[0, 1, NONE, 2, 3, 1, NONE, 4, 5, 3, 0, NONE],
        T::TRIANGLE_FAN => &[0, 1, 3, 2, NONE, 4, 5, 3, 0],
        _ => &[0, 1, 2, NONE, NONE, 3, 4, 5, 2, NONE, 1],
    };
    let bytes: Vec<u8> = match ty {
        vk::IndexType::UINT16 => list.iter().flat_map(|&i| (i as u16).to_ne_bytes()).collect(),
        vk::IndexType::UINT32 => list.iter().flat_map(|&i| i.to_ne_bytes()).collect(),
        _ => list.iter().map(|&i| i as u8).collect(),
    };
    let index = Some((s.buffer(&bytes)?, ty));
    let draw = Draw { count: [list.len() as u32, 1], topology, index, restart: true, ..Draw::default() };
    s.render(&s.pass(), &[draw])
}

/// Flat inputs of strips, fans and lines.
fn provoking(s: &mut Studio, last_provokes: bool) -> Made<()> {
    let fragment = "o = vec4(f.rgb * .8 + .1, 1);";
    let half = |x: f32, y: f32| vec![viewport(x, y, 32.0, 32.0)];
    let draws: Vec<_> = [
        (T::TRIANGLE_STRIP, half(0.0, 0.0)),
        (T::TRIANGLE_FAN, half(32.0, 0.0)),
        (T::TRIANGLE_LIST, half(0.0, 32.0)),
        (T::LINE_STRIP, half(32.0, 32.0)),
    ]
    .into_iter()
    .map(|(topology, viewports)| Draw {
        fragment,
        count: [6, 1],
        topology,
        last_provokes,
        viewports,
        ..Draw::default()
    })
    .collect();
    s.render(&s.pass(), &draws)
}

/// A grid with shared vertices, with a first index and a base vertex.
fn indexed(s: &mut Studio) -> Made<()> {
    let mut list: Vec<u16> = vec![7; 5];
    for y in 0..4u16 {
        for x in 0..4 {
            let at = y * 5 + x;
            list.extend([at, at + 1, at + 5, at + 5, at + 1, at + 6]);
        }
    }
    let points: Vec<u8> = (0..28u32)
        .flat_map(|k| {
            let k = k.saturating_sub(3);
            let (x, y) = (k % 5, k / 5);
            [x as f32 * 0.4 - 0.8 + (y & 1) as f32 * 0.1, y as f32 * 0.4 - 0.8 + (x * x % 3) as f32 * 0.07]
        })
        .flat_map(f32::to_ne_bytes)
        .collect();
    let bytes: Vec<u8> = list.iter().flat_map(|i| i.to_ne_bytes()).collect();
    s.render(
        &s.pass(),
        &[Draw {
            head: "layout(location = 0) in vec2 a;",
            vertex: "gl_Position = vec4(a, 0, 1);",
            vertices: &[Vertices { buffer: s.buffer(&points)?, stride: 8, divisor: None }],
            attributes: &[(0, 0, vk::Format::R32G32_SFLOAT, 0)],
            index: Some((s.buffer(&bytes)?, vk::IndexType::UINT16)),
            count: [96, 1],
            first: 5,
            base: 3,
            ..Draw::default()
        }],
    )
}

/// Two indirect draws with different counts and first vertices.
fn indirect(s: &mut Studio) -> Made<()> {
    s.need(s.client.has.core.multi_draw_indirect != 0, "multiDrawIndirect")?;
    let words: [u32; 8] = [3, 2, 1, 0, 4, 1, 2, 0];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
    let vertex = "gl_Position = vec4(CORNER[i % 6] * (gl_InstanceIndex == 0 ? 1.0 : .4), 0, 1);";
    let indirect = Some(s.buffer(&bytes)?);
    s.render(
        &s.pass(),
        &[Draw { vertex, indirect, count: [0, 2], topology: T::TRIANGLE_STRIP, ..Draw::default() }],
    )
}

/// Position and colour come from buffers that advance once per several instances.
fn instances(s: &mut Studio, [place, color]: [u32; 2]) -> Made<()> {
    let places: Vec<u8> = (0..12u32)
        .flat_map(|k| [(k % 3) as f32 * 0.6 - 0.6, (k / 3) as f32 * 0.45 - 0.65])
        .flat_map(f32::to_ne_bytes)
        .collect();
    let colors: Vec<u8> = (0..12u8).flat_map(|k| [k * 20 + 30, 255 - k * 20, (k % 3) * 100, 255]).collect();
    s.render(
        &s.pass(),
        &[Draw {
            head: "layout(location = 0) in vec2 a; layout(location = 1) in vec4 c;",
            vertex: "gl_Position = vec4(a + CORNER[i] * .25 + float(gl_InstanceIndex) * .008, 0, 1); v = c;",
            vertices: &[
                Vertices { buffer: s.buffer(&places)?, stride: 8, divisor: Some(place) },
                Vertices { buffer: s.buffer(&colors)?, stride: 4, divisor: Some(color) },
            ],
            attributes: &[(0, 0, vk::Format::R32G32_SFLOAT, 0), (1, 1, RGBA8, 0)],
            count: [3, 12],
            ..Draw::default()
        }],
    )
}

/// A vertex format with its GLSL type and its conversion to a colour.
type VertexFormat = (vk::Format, &'static str, &'static str);

macro_rules! vertex_formats {
    ($($name:ident $ty:literal $show:literal)*) => { [$((vk::Format::$name, $ty, $show)),*] };
}

const F8: [VertexFormat; 15] = vertex_formats! {
    R8_UNORM "vec4" "a" R8_SNORM "vec4" "a * .5 + .5" R8_UINT "uvec4" "vec4(a) / 255" R8_SINT "ivec4" "vec4(a) / 256 + .5"
    R8G8_UNORM "vec4" "a" R8G8_SNORM "vec4" "a * .5 + .5" R8G8_UINT "uvec4" "vec4(a) / 255" R8G8_SINT "ivec4" "vec4(a) / 256 + .5"
    R8G8B8A8_UNORM "vec4" "a" R8G8B8A8_SNORM "vec4" "a * .5 + .5" R8G8B8A8_UINT "uvec4" "vec4(a) / 255"
    R8G8B8A8_SINT "ivec4" "vec4(a) / 256 + .5" B8G8R8A8_UNORM "vec4" "a" A8B8G8R8_UNORM_PACK32 "vec4" "a"
    A8B8G8R8_SNORM_PACK32 "vec4" "a * .5 + .5"
};
const F16: [VertexFormat; 15] = vertex_formats! {
    R16_UNORM "vec4" "a" R16_SNORM "vec4" "a * .5 + .5" R16_UINT "uvec4" "vec4(a) / 65535" R16_SINT "ivec4" "vec4(a) / 65536 + .5"
    R16_SFLOAT "vec4" "fract(a)"
    R16G16_UNORM "vec4" "a" R16G16_SNORM "vec4" "a * .5 + .5" R16G16_UINT "uvec4" "vec4(a) / 65535" R16G16_SINT "ivec4" "vec4(a) / 65536 + .5"
    R16G16_SFLOAT "vec4" "fract(a)"
    R16G16B16A16_UNORM "vec4" "a" R16G16B16A16_SNORM "vec4" "a * .5 + .5" R16G16B16A16_UINT "uvec4" "vec4(a) / 65535"
    R16G16B16A16_SINT "ivec4" "vec4(a) / 65536 + .5" R16G16B16A16_SFLOAT "vec4" "fract(a)"
};
const F32: [VertexFormat; 12] = vertex_formats! {
    R32_UINT "uvec4" "vec4(a >> 24) / 255" R32_SINT "ivec4" "vec4(a >> 24) / 256 + .5" R32_SFLOAT "vec4" "fract(a)"
    R32G32_UINT "uvec4" "vec4(a >> 24) / 255" R32G32_SINT "ivec4" "vec4(a >> 24) / 256 + .5" R32G32_SFLOAT "vec4" "fract(a)"
    R32G32B32_UINT "uvec4" "vec4(a >> 24) / 255" R32G32B32_SINT "ivec4" "vec4(a >> 24) / 256 + .5" R32G32B32_SFLOAT "vec4" "fract(a)"
    R32G32B32A32_UINT "uvec4" "vec4(a >> 24) / 255" R32G32B32A32_SINT "ivec4" "vec4(a >> 24) / 256 + .5"
    R32G32B32A32_SFLOAT "vec4" "fract(a)"
};
/// Vertex formats that few devices offer. Formats that a device lacks are omitted from the picture; our driver has all
/// of them.
const PACKED: [VertexFormat; 14] = vertex_formats! {
    A2B10G10R10_UNORM_PACK32 "vec4" "a" A2B10G10R10_SNORM_PACK32 "vec4" "a * .5 + .5" A2R10G10B10_UNORM_PACK32 "vec4" "a"
    A2R10G10B10_SNORM_PACK32 "vec4" "a * .5 + .5" A2B10G10R10_USCALED_PACK32 "vec4" "a / 1023" A2B10G10R10_SSCALED_PACK32 "vec4" "a / 1024 + .5"
    R8G8B8_UNORM "vec4" "a" R8G8B8_SNORM "vec4" "a * .5 + .5" R16G16B16_UNORM "vec4" "a" R16G16B16_SFLOAT "vec4" "fract(a)"
    R8G8B8A8_USCALED "vec4" "a / 255" R8G8B8A8_SSCALED "vec4" "a / 256 + .5" R16G16_USCALED "vec4" "a / 65535" R16G16_SSCALED "vec4" "a / 65536 + .5"
};

/// A square for each format, with fixed bytes at its corners.
fn vertex_formats(s: &mut Studio, formats: &[VertexFormat]) -> Made<()> {
    let mut n = 11u32;
    // Bytes below 0x78, so that 16-bit and 32-bit floats are numbers.
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        n = n.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (n >> 16) as u8 % 0x3f + if n >> 24 & 1 == 1 { 0x80 } else { 0 }
    })
    .take(64)
    .collect();
    let buffer = s.buffer(&bytes)?;
    for (i, &(format, ty, show)) in (0..).zip(formats) {
        s.need(s.offers_buffer(format, vk::FormatFeatureFlags::VERTEX_BUFFER), "vertex format")?;
        let (head, vertex) = (
            format!("layout(location = 0) in {ty} a;"),
            format!(
                "gl_Position = vec4(QUAD[i % 4], 0, 1); v = vec4(({show}).rgb, 1);\nif (i == 3) v = ({show}).aaaa;"
            ),
        );
        let (x, y) = (i % 4 * 16, i / 4 * 16);
        let mut pass = s.pass();
        pass.colors[0].clear = None;
        let draw = Draw {
            head: &head,
            vertex: &vertex,
            vertices: &[Vertices { buffer, stride: 16, divisor: None }],
            attributes: &[(0, 0, format, 0)],
            viewports: vec![viewport(x as f32, y as f32, 15.0, 15.0)],
            scissors: vec![[x, y, 15, 15]],
            ..Draw::quad()
        };
        s.render(&pass, &[draw])?;
    }
    Ok(())
}

/// Four pictures side by side.
const QUARTERS: &str =
    "ivec2 q = ivec2(v.xy * 2.0); vec2 w = fract(v.xy * 2.0); float k = float(q.y * 2 + q.x);";

/// The vertex stage selects the layer, or the slice of a 3D image.
fn layers(s: &mut Studio, slices: bool) -> Made<()> {
    s.need(s.client.has.extension(ash::ext::shader_viewport_index_layer::NAME), "shaderOutputLayer")?;
    let flat = Of::new(RGBA8, 32, 32, Of::target(RGBA8).usage);
    let image = s.image(if slices {
        let flags = vk::ImageCreateFlags::TYPE_2D_ARRAY_COMPATIBLE;
        Of { size: [32, 32, 4], ty: vk::ImageType::TYPE_3D, flags, ..flat }
    } else {
        Of { layers: 4, ..flat }
    })?;
    let array = s.view_as(&image, |info| info.view_type(vk::ImageViewType::TYPE_2D_ARRAY))?;
    let clear = Some(super::studio::rgba([0.2, 0.1, 0.1, 1.0]));
    let target = Target { view: array, format: RGBA8, clear, resolve: None };
    let pass = Pass { colors: vec![target], layers: 4, size: [32; 2], ..s.pass() };
    s.render(
        &pass,
        &[Draw {
            head: "#extension GL_ARB_shader_viewport_layer_array : require",
            vertex: "gl_Layer = 3 - gl_InstanceIndex; gl_Position = vec4(CORNER[i + gl_InstanceIndex], 0, 1);",
            fragment: "o.b = float(gl_FragCoord.x) / 32.0;",
            count: [3, 4],
            viewports: vec![viewport(0.0, 0.0, 32.0, 32.0)],
            ..Draw::default()
        }],
    )?;
    let sampler = s.sampler(|i| i)?;
    let view = s.view(&image)?;
    let (head, body) = match slices {
        true => ("layout(binding = 0) uniform sampler3D t;", "o = texture(t, vec3(w, (k + .5) / 4.0));"),
        false => ("layout(binding = 0) uniform sampler2DArray t;", "o = texture(t, vec3(w, k));"),
    };
    s.paint(head, &format!("{QUARTERS}{body}"), &[Bind::Sampled(view, sampler)])
}

/// Sixteen viewports, each with a scissor that cuts a corner.
fn viewport_index(s: &mut Studio) -> Made<()> {
    s.need(s.client.has.extension(ash::ext::shader_viewport_index_layer::NAME), "shaderOutputViewportIndex")?;
    s.need(s.client.has.core.multi_viewport != 0, "multiViewport")?;
    let at = |i: u32| (i % 4 * 16, i / 4 * 16);
    let draw = Draw {
        head: "#extension GL_ARB_shader_viewport_layer_array : require",
        vertex: "gl_ViewportIndex = gl_InstanceIndex; gl_Position = vec4(CORNER[(i + gl_InstanceIndex) % 6], 0, 1);",
        count: [3, 16],
        viewports: (0..16).map(|i| viewport(at(i).0 as f32, at(i).1 as f32, 16.0, 16.0)).collect(),
        scissors: (0..16).map(|i| [at(i).0 + i % 3, at(i).1, 16 - i % 5, 15]).collect(),
        ..Draw::default()
    };
    s.render(&s.pass(), &[draw])
}

/// A pass with several views.
fn multiview(s: &mut Studio, views: u32) -> Made<()> {
    s.need(s.client.has.multiview.multiview != 0, "multiview")?;
    let flat = Of::new(RGBA8, 32, 32, Of::target(RGBA8).usage);
    let image = s.image(Of { layers: 4, ..flat })?;
    s.clear(&image, [0.4, 0.4, 0.0, 1.0]);
    let pass = Pass { colors: vec![s.target(&image)?], views, size: [32; 2], ..s.pass() };
    let extension = "#extension GL_EXT_multiview : require";
    s.render(
        &pass,
        &[Draw {
            head: extension,
            vertex: "gl_Position = vec4(CORNER[i + gl_ViewIndex], 0, 1);",
            fragment_head: extension,
            fragment: "o.b = float(gl_ViewIndex) / 3.0;",
            viewports: vec![viewport(0.0, 0.0, 32.0, 32.0)],
            ..Draw::default()
        }],
    )?;
    let (sampler, view) = (s.sampler(|i| i)?, s.view(&image)?);
    let body = format!("{QUARTERS}o = texture(t, vec3(w, k));");
    s.paint("layout(binding = 0) uniform sampler2DArray t;", &body, &[Bind::Sampled(view, sampler)])
}

/// Depths of fragments with a depth range other than 0 to 1.
fn depth_range(s: &mut Studio, min_depth: f32, max_depth: f32, clamp: bool) -> Made<()> {
    let size = SIZE as f32;
    let at = vk::Viewport { min_depth, max_depth, ..viewport(0.0, 0.0, size, size) };
    let vertex = if clamp {
        "gl_Position = vec4(QUAD[i], QUAD[i].x * 1.4 + .5, 1);"
    } else {
        "gl_Position = vec4(QUAD[i], QUAD[i].x * .5 + .5, 1);"
    };
    // The attachment shows the fragment's depth, which is clamped.
    let mut pass = s.pass_with_depth(vk::Format::D32_SFLOAT)?;
    let depth = s.image(Of::depth(vk::Format::D32_SFLOAT))?;
    let view = s.view(&depth)?;
    pass.depth = pass.depth.map(|d| Target { view, ..d });
    let depth_state = Some(super::draw::Depth { compare: vk::CompareOp::ALWAYS, write: true });
    s.render(&pass, &[Draw { vertex, clamp, depth: depth_state, viewports: vec![at], ..Draw::quad() }])?;
    let sampler = s.sampler(|i| i)?;
    s.paint(
        "layout(binding = 0) uniform sampler2D t;",
        "o = vec4(texture(t, v.xy).rrr, 1);",
        &[Bind::Sampled(view, sampler)],
    )
}

/// Strips of different slope against one of constant depth: the nearer ones are visible.
fn bias(s: &mut Studio, bias: [f32; 3]) -> Made<()> {
    let test = |write| Some(super::draw::Depth { compare: vk::CompareOp::LESS, write });
    let pass = s.pass_with_depth(vk::Format::D32_SFLOAT)?;
    let sloped = "int k = gl_InstanceIndex; vec2 q = QUAD[i] * .5 + .5; gl_Position = vec4((k + q.x * .8) / 4.0 - 1.0, QUAD[i].y * .9, .5 + (q.y - .3) * .05 * k, 1);";
    s.render(
        &pass,
        &[
            Draw { push: [0.5, 0.2, 0.2, 0.4], fragment: "o = p;", depth: test(true), ..Draw::quad() },
            Draw { vertex: sloped, count: [4, 8], bias: Some(bias), depth: test(true), ..Draw::quad() },
        ],
    )
}
