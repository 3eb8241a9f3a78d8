//! Scenes of the tessellation stages: subdivision of domains, inputs and outputs of the stages, and gaps between
//! patches.

use ash::vk;
use vk::PrimitiveTopology as T;

use super::Steps;
use super::draw::{Bind, Draw, Vertices, additive, viewport};
use super::studio::{Made, Of, Pass, RGBA8, Studio};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("tess_triangles_equal", |s| levels(s, "triangles", "equal_spacing", Show::Wires)),
    ("tess_triangles_even", |s| levels(s, "triangles", "fractional_even_spacing", Show::Wires)),
    ("tess_triangles_odd", |s| levels(s, "triangles", "fractional_odd_spacing", Show::Wires)),
    ("tess_quads_equal", |s| levels(s, "quads", "equal_spacing", Show::Wires)),
    ("tess_quads_even", |s| levels(s, "quads", "fractional_even_spacing", Show::Wires)),
    ("tess_quads_odd", |s| levels(s, "quads", "fractional_odd_spacing", Show::Wires)),
    ("tess_isolines_equal", |s| levels(s, "isolines", "equal_spacing", Show::Filled)),
    ("tess_isolines_even", |s| levels(s, "isolines", "fractional_even_spacing", Show::Filled)),
    ("tess_isolines_odd", |s| levels(s, "isolines", "fractional_odd_spacing", Show::Filled)),
    ("tess_triangles_equal_points", |s| levels(s, "triangles", "equal_spacing", Show::Points)),
    ("tess_triangles_even_points", |s| levels(s, "triangles", "fractional_even_spacing", Show::Points)),
    ("tess_triangles_odd_points", |s| levels(s, "triangles", "fractional_odd_spacing", Show::Points)),
    ("tess_quads_equal_points", |s| levels(s, "quads", "equal_spacing", Show::Points)),
    ("tess_quads_even_points", |s| levels(s, "quads", "fractional_even_spacing", Show::Points)),
    ("tess_quads_odd_points", |s| levels(s, "quads", "fractional_odd_spacing", Show::Points)),
    ("tess_isolines_equal_points", |s| levels(s, "isolines", "equal_spacing", Show::Points)),
    ("tess_isolines_even_points", |s| levels(s, "isolines", "fractional_even_spacing", Show::Points)),
    ("tess_isolines_odd_points", |s| levels(s, "isolines", "fractional_odd_spacing", Show::Points)),
    ("tess_triangles_filled", |s| levels(s, "triangles", "equal_spacing", Show::Filled)),
    ("tess_quads_filled", |s| levels(s, "quads", "fractional_odd_spacing", Show::Filled)),
    ("tess_triangles_mixed", |s| mixed(s, "triangles", 3, Show::Wires)),
    ("tess_quads_mixed", |s| mixed(s, "quads", 4, Show::Wires)),
    ("tess_triangles_mixed_points", |s| mixed(s, "triangles", 3, Show::Points)),
    ("tess_quads_mixed_points", |s| mixed(s, "quads", 4, Show::Points)),
    ("tess_inner_one", |s| {
        let outer = "const float L[9] = float[](2., 3, 4, 5, 1.5, 1, 6, 7, 2.5);";
        let set = "for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = k == gl_PrimitiveID % 4 ? 1.0 : L[gl_PrimitiveID]; gl_TessLevelInner[0] = 1.0; gl_TessLevelInner[1] = gl_PrimitiveID > 4 ? 3.0 : 1.0;";
        grid(s, "quads, fractional_odd_spacing, ccw", 4, &control(4, outer, set), Show::Wires)
    }),
    ("tess_level_zero", |s| {
        // The second to the fifth patch, and the patch with a negative level, are discarded.
        let set = "for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = k == gl_PrimitiveID - 1 ? 0.0 : 4.0; if (gl_PrimitiveID == 7) gl_TessLevelOuter[2] = -3.0; gl_TessLevelInner[0] = gl_PrimitiveID == 6 ? 0.0 : 3.0; gl_TessLevelInner[1] = gl_PrimitiveID == 8 ? -1.0 : 3.0;";
        grid(s, "quads, equal_spacing, ccw", 4, &control(4, "", set), Show::Wires)
    }),
    ("tess_level_nan", |s| {
        let set = "float nan = uintBitsToFloat(0x7fc00000u); for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = k == gl_PrimitiveID - 1 ? nan : 4.0; gl_TessLevelInner[0] = gl_TessLevelInner[1] = 3.0;";
        grid(s, "triangles, equal_spacing, ccw", 3, &control(3, "", set), Show::Wires)
    }),
    ("tess_level_64", |s| {
        let set = "for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = k % 2 == 0 ? 64.0 : 63.2; gl_TessLevelInner[0] = 64.0; gl_TessLevelInner[1] = 61.7;";
        whole(s, "quads, fractional_even_spacing, ccw", &control(4, "", set), SHADED)
    }),
    ("tess_level_beyond_64", |s| {
        let set = "float big = uintBitsToFloat(0x7f800000u); for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = k % 2 == 0 ? big : 1e9; gl_TessLevelInner[0] = 65.0; gl_TessLevelInner[1] = big;";
        whole(s, "triangles, equal_spacing, ccw", &control(4, "", set), SHADED)
    }),
    ("tess_isolines_64", |s| {
        let set = "gl_TessLevelOuter[0] = 16.0; gl_TessLevelOuter[1] = 64.0;";
        let place = "vec2 t = gl_TessCoord.xy; v = vec4(t, 1.0 - t.x, 1); gl_Position = vec4(t.x * 1.8 - .9, t.y * 1.8 - .8 + .1 * sin(t.x * 12.0), 0, 1);";
        whole(s, "isolines, equal_spacing", &control(4, "", set), place)
    }),
    ("tess_order_ccw", |s| order(s, "ccw", false)),
    ("tess_order_cw", |s| order(s, "cw", false)),
    ("tess_order_lower_left", |s| order(s, "ccw", true)),
    ("tess_origin", |s| {
        let set = "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 3.0;";
        let (control, evaluation) = (control(4, "", set), evaluation("quads, equal_spacing, cw", ""));
        let draw = |lower_left, x| Draw {
            lower_left,
            viewports: vec![viewport(x, 8.0, 32.0, 48.0)],
            fragment: "if (!gl_FrontFacing) o.b = 1.0;",
            ..patches(&control, &evaluation, 4, 1)
        };
        tessellates(s)?;
        s.render(&s.pass(), &[draw(false, 0.0), draw(true, 32.0)])
    }),
    ("tess_levels_read", |s| {
        // The evaluation stage shows the levels as the control stage wrote them.
        let set = "for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = float(gl_PrimitiveID + k) + .5; gl_TessLevelInner[0] = float(gl_PrimitiveID) + 1.25; gl_TessLevelInner[1] = 3.0;";
        let place = "v = vec4(gl_TessLevelOuter[0], gl_TessLevelOuter[3], gl_TessLevelInner[0], 10) / 10.0;";
        colored(s, 4, 9, &control(4, "", set), &evaluation("quads, equal_spacing, ccw", place))
    }),
    ("tess_primitive_id", |s| {
        let set = "b[gl_InvocationID].w = float(gl_PrimitiveID); gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 3.0;";
        let (control, evaluation) = (
            control(4, "", set),
            evaluation(
                "quads, equal_spacing, ccw",
                "v = vec4(b[0].w / 9.0, float(gl_PrimitiveID) / 9.0, 0, 1);",
            ),
        );
        tessellates(s)?;
        let draw = patches(&control, &evaluation, 4, 9);
        s.render(&s.pass(), &[Draw { fragment: "o.b = float(gl_PrimitiveID % 3) / 2.0;", ..draw }])
    }),
    ("tess_patch_varyings", |s| {
        let head = "layout(location = 1) patch out vec4 c; layout(location = 2) patch out D { float e[3]; uint n; } d;";
        let set = "c = vec4(gl_PrimitiveID % 3, gl_PrimitiveID / 3, 0, 2) * .5; for (int k = 0; k < 3; k++) d.e[k] = float((gl_PrimitiveID + k) % 3) * .4; d.n = uint(gl_PrimitiveID) & 3u;\n\
            gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2.0;";
        let head_in = "layout(location = 1) patch in vec4 c; layout(location = 2) patch in D { float e[3]; uint n; } d;\n";
        let evaluation = head_in.to_owned()
            + &evaluation(
                "quads, equal_spacing, ccw",
                "v = gl_TessCoord.x < .25 ? c : vec4(d.e[d.n % 3], d.e[1], float(d.n) / 3.0, 1);",
            );
        colored(s, 4, 9, &control(4, head, set), &evaluation)
    }),
    ("tess_vertex_varyings", |s| {
        let head = "layout(location = 2) out C { vec3 c[2]; mat2 m; } c[];";
        let set = "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 4.0;";
        let each = "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; int n = gl_InvocationID; b[gl_InvocationID] = vec4(0); c[gl_InvocationID].c[0] = vec3(n == 0, n == 1, n == 2); c[gl_InvocationID].c[1] = vec3(gl_PrimitiveID) / 9.0; c[gl_InvocationID].m = mat2(n, 1, 2, gl_PrimitiveID) * .25;";
        let place = "vec3 q = vec3(0); mat2 m = mat2(0); for (int k = 0; k < 3; k++) { q += gl_TessCoord[k] * c[k].c[0] * .6 + c[k].c[1] * .1; m += gl_TessCoord[k] * c[k].m; } v = vec4(q.rg, q.b + m[0][0] * m[1][1], 1);";
        let evaluation = "layout(location = 2) in C { vec3 c[2]; mat2 m; } c[];\n".to_owned()
            + &evaluation("triangles, equal_spacing, ccw", place);
        colored(s, 3, 9, &control_of(3, head, each, set), &evaluation)
    }),
    ("tess_barrier", |s| {
        // Each invocation reads outputs of its neighbours twice, with a write in between.
        let each = "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; int n = gl_InvocationID; b[gl_InvocationID] = vec4(n == 0, n == 1, n == 2, 1); barrier(); vec4 next = b[(n + 1) % 4]; barrier(); b[gl_InvocationID] = mix(b[gl_InvocationID], next, .5); gl_out[gl_InvocationID].gl_Position.xy += .05; barrier(); vec4 across = gl_out[(n + 2) % 4].gl_Position; vec4 q = b[(n + 3) % 4]; barrier(); b[gl_InvocationID] = vec4(q.rgb, 1); gl_out[gl_InvocationID].gl_Position = mix(gl_out[gl_InvocationID].gl_Position, across, .15);";
        let set = "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 3.0;";
        colored(s, 4, 9, &control_of(4, "", each, set), &evaluation("quads, equal_spacing, ccw", ""))
    }),
    ("tess_barrier_sums", |s| {
        // A sum over the outputs of all invocations determines the levels; all read it after a barrier.
        let head = "layout(location = 1) patch out float total;";
        let each = "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; int n = gl_InvocationID; b[gl_InvocationID] = vec4(float(n * gl_PrimitiveID)); barrier(); if (n == 1) { float t = 0; for (int k = 0; k < 4; k++) t += b[k].x; total = t; gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0 + t * .1; } barrier(); gl_TessLevelOuter[n] = 1.0 + total * .1 * float(n) / 3.0;\n\
            float t = total, l = gl_TessLevelInner[0]; barrier(); b[gl_InvocationID] = vec4(t / 48.0, l / 6.0, n == 2, 1);";
        let evaluation = "layout(location = 1) patch in float total;\n".to_owned()
            + &evaluation("quads, fractional_even_spacing, ccw", "v.b = total / 48.0; v.a = 1.0;");
        tessellates(s)?;
        wires(s)?;
        let control = control_of(4, head, each, "");
        let draw = Draw { polygon: vk::PolygonMode::LINE, ..patches(&control, &evaluation, 4, 9) };
        s.render(&s.pass(), &[draw])
    }),
    ("tess_patch_of_1", |s| {
        let each = "gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position + vec4(gl_InvocationID & 1, gl_InvocationID >> 1, 0, 0) * .5; b[gl_InvocationID] = vec4(gl_InvocationID & 1, gl_InvocationID >> 1, gl_PatchVerticesIn, 1);";
        colored(s, 1, 9, &control_of(4, "", each, FOUR), &evaluation("quads, equal_spacing, ccw", ""))
    }),
    ("tess_patch_of_5", |s| {
        // Five control points in, three out: the last two move the first two.
        let each = "int n = gl_InvocationID; gl_out[gl_InvocationID].gl_Position = gl_in[n].gl_Position; if (n < 2) gl_out[gl_InvocationID].gl_Position = mix(gl_in[n].gl_Position, gl_in[n + 3].gl_Position, .3); b[gl_InvocationID] = a[gl_PatchVerticesIn - 1 - n];";
        colored(s, 5, 9, &control_of(3, "", each, FOUR), &evaluation("triangles, equal_spacing, ccw", ""))
    }),
    ("tess_patch_of_16", |s| {
        let control = control_of(16, "", PASS, SIXTEEN);
        tessellates(s)?;
        let evaluation = evaluation("quads, equal_spacing, ccw", BEZIER);
        s.render(&s.pass(), &[Draw { vertex: BICUBIC, ..patches(&control, &evaluation, 16, 1) }])
    }),
    ("tess_patch_of_16_wires", |s| {
        let control = control_of(16, "", PASS, EIGHT);
        tessellates(s)?;
        wires(s)?;
        let evaluation = evaluation("quads, equal_spacing, ccw", BEZIER);
        let draw = patches(&control, &evaluation, 16, 1);
        s.render(&s.pass(), &[Draw { vertex: BICUBIC, polygon: vk::PolygonMode::LINE, ..draw }])
    }),
    ("tess_patch_of_32", |s| {
        // A closed curve through 32 points, and rays to it.
        let vertex = "float t = float(i) / 32.0 * 6.2831853; float r = .55 + .3 * float((i * 7) % 5) / 4.0; gl_Position = vec4(cos(t) * r, sin(t) * r, 0, 1); v = vec4(i & 1, float(i) / 31.0, .5, 1);";
        let place = "float t = gl_TessCoord.x * 31.999; int k = int(t); vec4 q = mix(gl_in[k].gl_Position, gl_in[(k + 1) % gl_PatchVerticesIn].gl_Position, fract(t)); gl_Position = vec4(q.xy * (1.0 - .5 * gl_TessCoord.y), 0, 1); v = mix(b[k], b[(k + 1) % 32], fract(t));";
        let set = "gl_TessLevelOuter[0] = 3.0; gl_TessLevelOuter[1] = 64.0;";
        let (control, evaluation) =
            (control_of(32, "", PASS, set), evaluation("isolines, equal_spacing", place));
        tessellates(s)?;
        s.render(&s.pass(), &[Draw { vertex, ..patches(&control, &evaluation, 32, 1) }])
    }),
    ("tess_dynamic_index", |s| {
        // The vertex that is read differs between points and between patches.
        let each = "int n = (gl_InvocationID * 3 + gl_PrimitiveID) % gl_PatchVerticesIn; b[gl_InvocationID] = a[n]; gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;";
        let place = "int k = int(gl_TessCoord.x * 2.9) + gl_PrimitiveID & 3; v = b[k]; gl_Position = mix(gl_Position, gl_in[k].gl_Position, .1);";
        colored(s, 4, 9, &control_of(4, "", each, EIGHT), &evaluation("quads, equal_spacing, ccw", place))
    }),
    ("tess_displaced", |s| displaced(s, Show::Filled)),
    ("tess_displaced_wires", |s| displaced(s, Show::Wires)),
    ("tess_displaced_points", |s| displaced(s, Show::Points)),
    ("tess_quads_meet", |s| meet(s, "fractional_odd_spacing")),
    ("tess_quads_meet_even", |s| meet(s, "fractional_even_spacing")),
    ("tess_quads_meet_equal", |s| meet(s, "equal_spacing")),
    ("tess_triangles_meet", triangles_meet),
    ("tess_sphere", |s| sphere(s, false)),
    ("tess_sphere_wires", |s| sphere(s, true)),
    ("tess_instances", |s| {
        let (control, evaluation) = (control(3, "", FOUR), evaluation("triangles, equal_spacing, cw", ""));
        tessellates(s)?;
        let vertex = "gl_Position = vec4(CORNER[i % 3] * .3 + vec2(gl_InstanceIndex % 3, gl_InstanceIndex / 3) * .6 - .6, 0, 1); v = vec4(i % 3 == 0, i % 3 == 1, gl_InstanceIndex & 1, 1);";
        s.render(&s.pass(), &[Draw { vertex, count: [3, 9], ..patches(&control, &evaluation, 3, 1) }])
    }),
    ("tess_indexed", indexed),
    ("tess_incomplete", |s| {
        // The fourth patch lacks two vertices.
        let (control, evaluation) = (control(3, "", FOUR), evaluation("triangles, equal_spacing, cw", ""));
        tessellates(s)?;
        let draw = patches(&control, &evaluation, 3, 4);
        s.render(&s.pass(), &[Draw { count: [10, 1], ..draw }])
    }),
    ("tess_clip_distance", |s| {
        s.need(s.client.has.core.shader_clip_distance != 0, "shaderClipDistance")?;
        let place = "gl_ClipDistance[0] = .55 - length(gl_Position.xy); gl_ClipDistance[1] = gl_Position.x + gl_Position.y + .4;";
        let head = "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };\n";
        let evaluation = head.to_owned() + &evaluation("quads, equal_spacing, ccw", place);
        colored(s, 4, 1, &control(4, "", SIXTEEN), &evaluation)
    }),
    ("tess_cull_distance", |s| {
        s.need(s.client.has.core.shader_cull_distance != 0, "shaderCullDistance")?;
        let place = "gl_CullDistance[0] = .55 - length(gl_Position.xy);";
        let head = "out gl_PerVertex { vec4 gl_Position; float gl_CullDistance[1]; };\n";
        let evaluation = head.to_owned() + &evaluation("quads, equal_spacing, ccw", place);
        colored(s, 4, 1, &control(4, "", SIXTEEN), &evaluation)
    }),
    ("tess_point_size", |s| {
        let place = "v = vec4(gl_TessCoord, 1); gl_PointSize = 1.0 + 7.0 * gl_TessCoord.x;";
        point_size(s)?;
        colored(s, 4, 1, &control(4, "", FOUR), &evaluation("quads, equal_spacing, point_mode", place))
    }),
    ("tess_flat", |s| {
        // The colours of the corners show the order of the triangles, which other drivers need not match.
        let (control, evaluation) = (
            control(4, "", EIGHT),
            evaluation("quads, equal_spacing, ccw", "f = vec4(gl_TessCoord.xy, .5, 1);"),
        );
        tessellates(s)?;
        s.render(&s.pass(), &[Draw { fragment: "o = f;", ..patches(&control, &evaluation, 4, 1) }])
    }),
    ("tess_four_samples", |s| {
        let (control, evaluation) = (
            control(3, "", EIGHT),
            evaluation(
                "triangles, fractional_odd_spacing, cw",
                "gl_Position.x += .1 * sin(gl_Position.y * 9.0);",
            ),
        );
        tessellates(s)?;
        let draw = patches(&control, &evaluation, 3, 9);
        s.render(&s.pass_of(4)?, &[Draw { samples: 4, ..draw }])
    }),
    ("tess_layers_of_views", multiview),
];

/// Display of a subdivision.
#[derive(Clone, Copy, PartialEq)]
enum Show {
    /// By its lines.
    Wires,
    /// By its points.
    Points,
    /// Filled.
    Filled,
}

/// Passes a vertex on.
const PASS: &str = "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; b[gl_InvocationID] = a[gl_InvocationID];";
const FOUR: &str = "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 4.0;";
const EIGHT: &str = "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 8.0;";
const SIXTEEN: &str = "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 16.0;";
/// Shows a fine subdivision as waves, with a colour for each vertex.
const SHADED: &str = "vec3 t = gl_TessCoord; gl_Position = vec4((t.xy * 1.8 - .9) * (1.0 - .1 * sin(9.0 * t.yx)), 0, 1); v = vec4(.5 + .5 * sin(t * 25.0), 1);";
const BICUBIC: &str = "vec2 c = vec2(i & 3, i >> 2) / 1.5 - 1.0; c += vec2(sin(float(i) * 2.1), cos(float(i) * 3.7)) * .22; gl_Position = vec4(c * .9, 0, 1); v = vec4((i * 5 % 7) / 6.0, (i * 3 % 11) / 10.0, (i & 3) / 3.0, 1);";
const BEZIER: &str = "vec2 t = gl_TessCoord.xy, r = 1.0 - t; vec4 x = vec4(r.x * r.x * r.x, 3.0 * r.x * r.x * t.x, 3.0 * r.x * t.x * t.x, t.x * t.x * t.x);\n\
    vec4 y = vec4(r.y * r.y * r.y, 3.0 * r.y * r.y * t.y, 3.0 * r.y * t.y * t.y, t.y * t.y * t.y); vec4 q = vec4(0), c = vec4(0);\n\
    for (int k = 0; k < 16; k++) { q += x[k & 3] * y[k >> 2] * gl_in[k].gl_Position; c += x[k & 3] * y[k >> 2] * b[k]; } gl_Position = q; v = c;";
/// Patches of `p.y` vertices in a grid of `p.x` by `p.x` cells.
const CELLS: &str = "int n = int(p.y), c = i % n, k = i / n; vec2 cell = vec2(k % int(p.x), k / int(p.x));\n\
    vec2 at = vec2(c & 1, c >> 1) * .84 + .08; if (n == 3) at = c == 0 ? vec2(.08, .12) : c == 1 ? vec2(.93, .2) : vec2(.3, .94);\n\
    if (n == 5) at = vec2(.5) + .45 * vec2(cos(c * 1.3), sin(c * 1.3)); if (n == 1) at = vec2(.1);\n\
    gl_Position = vec4((cell + at) / p.x * 2.0 - 1.0, 0, 1); v = n == 3 || n == 5 ? vec4(c % 3 == 0, c % 3 == 1, c % 3 == 2, 1) : vec4(c & 1, c >> 1, .4, 1);";

fn tessellates(s: &Studio) -> Made<()> {
    s.need(s.client.has.core.tessellation_shader != 0, "tessellationShader")
}

fn wires(s: &Studio) -> Made<()> {
    s.need(s.client.has.core.fill_mode_non_solid != 0, "fillModeNonSolid")
}

fn point_size(s: &Studio) -> Made<()> {
    let has = s.client.has.core.shader_tessellation_and_geometry_point_size;
    s.need(has != 0, "shaderTessellationAndGeometryPointSize")
}

/// Source of a control shader that passes its vertices on; the first invocation sets the levels.
fn control(vertices: u32, head: &str, set: &str) -> String {
    control_of(vertices, head, PASS, set)
}

/// Source of a control shader, from the code of each invocation and of the first.
fn control_of(vertices: u32, head: &str, each: &str, first: &str) -> String {
    format!(
        "layout(vertices = {vertices}) out;\n{head}\nvoid main() {{\n{each}\nif (gl_InvocationID == 0) {{ {first} }}\n}}"
    )
}

/// Source of an evaluation shader that places its points between the patch's corners, with more code.
fn evaluation(layout: &str, more: &str) -> String {
    let mix = |of: &str| match layout.starts_with("triangles") {
        true => format!("{of}0] * gl_TessCoord.x + {of}1] * gl_TessCoord.y + {of}2] * gl_TessCoord.z"),
        false => format!(
            "mix(mix({of}0], {of}1], gl_TessCoord.x), mix({of}2], {of}3], gl_TessCoord.x), gl_TessCoord.y)"
        ),
    };
    let [place, color] = ["gl_in[", "b["].map(mix);
    let place = place.replace(']', "].gl_Position");
    format!("layout({layout}) in;\nvoid main() {{ gl_Position = {place}; v = f = {color};\n{more}\n}}")
}

/// A draw of `count` patches.
fn patches<'a>(control: &'a str, evaluation: &'a str, vertices: u32, count: u32) -> Draw<'a> {
    let cells = if count == 1 { 1.0 } else { 3.0 };
    Draw {
        vertex: CELLS,
        control,
        evaluation,
        patch: vertices,
        push: [cells, vertices as f32, 0.0, 0.0],
        topology: T::PATCH_LIST,
        count: [vertices * count, 1],
        ..Draw::default()
    }
}

/// Patches with colours from the evaluation stage.
fn colored(s: &Studio, vertices: u32, count: u32, control: &str, evaluation: &str) -> Made<()> {
    tessellates(s)?;
    s.render(&s.pass(), &[patches(control, evaluation, vertices, count)])
}

/// Nine patches.
fn grid(s: &Studio, layout: &str, vertices: u32, control: &str, show: Show) -> Made<()> {
    tessellates(s)?;
    let mut layout = layout.to_owned();
    let mut more = "";
    let mut polygon = vk::PolygonMode::FILL;
    match show {
        Show::Wires => {
            wires(s)?;
            polygon = vk::PolygonMode::LINE;
        }
        Show::Points => {
            point_size(s)?;
            layout += ", point_mode";
            more = "v = vec4(1, gl_TessCoord.xy, 1); gl_PointSize = 1.0;";
        }
        Show::Filled => {}
    }
    let evaluation = evaluation(&layout, more);
    s.render(&s.pass(), &[Draw { polygon, ..patches(control, &evaluation, vertices, 9) }])
}

/// Nine patches, each with its levels.
fn levels(s: &Studio, domain: &str, spacing: &str, show: Show) -> Made<()> {
    let head = "const float L[9] = float[](1., 2, 3, 4, 5, 6, 7, 2.4, 4.7);";
    let set = "for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = L[gl_PrimitiveID];\n\
        gl_TessLevelInner[0] = L[(gl_PrimitiveID * 4 + 1) % 9]; gl_TessLevelInner[1] = L[(gl_PrimitiveID * 2 + 2) % 9];";
    let lines =
        "gl_TessLevelOuter[0] = L[(gl_PrimitiveID * 4 + 1) % 9]; gl_TessLevelOuter[1] = L[gl_PrimitiveID];";
    let vertices = if domain == "triangles" { 3 } else { 4 };
    let set = if domain == "isolines" { lines } else { set };
    grid(s, &format!("{domain}, {spacing}, cw"), vertices, &control(vertices, head, set), show)
}

/// Each edge of a patch has its own level.
fn mixed(s: &Studio, domain: &str, vertices: u32, show: Show) -> Made<()> {
    let set = "for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = 1.0 + float((gl_PrimitiveID * 3 + k * 5) % 7);\n\
        gl_TessLevelInner[0] = 1.5 + float(gl_PrimitiveID % 4); gl_TessLevelInner[1] = 5.5 - float(gl_PrimitiveID % 5);";
    let layout = format!("{domain}, fractional_odd_spacing, cw");
    grid(s, &layout, vertices, &control(vertices, "", set), show)
}

/// One patch over the whole picture.
fn whole(s: &Studio, layout: &str, control: &str, place: &str) -> Made<()> {
    colored(s, 4, 1, control, &evaluation(layout, place))
}

/// Triangles and quads with back-face culling: all or none are visible, depending on the vertex order.
fn order(s: &Studio, order: &str, lower_left: bool) -> Made<()> {
    tessellates(s)?;
    let [triangles, quads] = [3, 4].map(|n| control(n, "", FOUR));
    let triangle = evaluation(&format!("triangles, equal_spacing, {order}"), "");
    let quad = evaluation(&format!("quads, equal_spacing, {order}"), "");
    let draw = |control, evaluation, n, x, cull| Draw {
        viewports: vec![viewport(x, 0.0, 32.0, 64.0)],
        lower_left,
        cull,
        fragment: "o.b = gl_FrontFacing ? 1.0 : 0.0;",
        ..patches(control, evaluation, n, 4)
    };
    s.render(
        &s.pass(),
        &[
            draw(&triangles, &triangle, 3, 0.0, vk::CullModeFlags::NONE),
            draw(&quads, &quad, 4, 32.0, vk::CullModeFlags::BACK),
        ],
    )
}

/// Sets levels of a quad's edges that depend only on the edges' corners.
const BY_EDGE: &str = "const ivec2 E[4] = ivec2[](ivec2(0, 2), ivec2(0, 1), ivec2(1, 3), ivec2(2, 3));\n\
    for (int k = 0; k < 4; k++) { vec2 m = gl_in[E[k].x].gl_Position.xy + gl_in[E[k].y].gl_Position.xy; gl_TessLevelOuter[k] = 1.0 + 2.7 * length(m - vec2(.4, -.3)); }\n\
    gl_TessLevelInner[0] = .5 * (gl_TessLevelOuter[1] + gl_TessLevelOuter[3]); gl_TessLevelInner[1] = .5 * (gl_TessLevelOuter[0] + gl_TessLevelOuter[2]);";
/// Adjoining cells.
const CLOSE: &str = "int c = i % 4, k = i / 4; vec2 at = vec2(k % 4 + (c & 1), k / 4 + (c >> 1)); gl_Position = vec4(at * .46 - .92, 0, 1); v = vec4(.4, .3, .1, 1);";
/// Moves a vertex depending only on its position.
const WARP: &str = "precise vec2 q = gl_Position.xy; precise vec2 d = q.yx * q.yx * (1.0 - q * q) * .25; gl_Position.xy = q + d;";

/// A surface with heights from the evaluation stage and levels by distance.
fn displaced(s: &mut Studio, show: Show) -> Made<()> {
    let point = match show {
        Show::Points => "gl_PointSize = 1.0;",
        _ => "",
    };
    let place = format!(
        "vec2 g = gl_Position.xy; float h = .18 * sin(g.x * 5.0) * cos(g.y * 4.0) + .05 * sin(g.x * 13.0 + g.y * 9.0); float z = 1.35 - g.y;\n\
        gl_Position = vec4(g.x * 1.6, .55 - h * 2.0 + g.y * .55, z - .3, z); v = vec4(.5 + h * 2.0, .6 - g.y * .3, .4 - h, 1); {point}"
    );
    tessellates(s)?;
    let mut layout = "quads, fractional_odd_spacing, ccw".to_owned();
    let mut polygon = vk::PolygonMode::FILL;
    match show {
        Show::Wires => {
            wires(s)?;
            polygon = vk::PolygonMode::LINE;
        }
        Show::Points => {
            point_size(s)?;
            layout += ", point_mode";
        }
        Show::Filled => {}
    }
    let set = "const ivec2 E[4] = ivec2[](ivec2(0, 2), ivec2(0, 1), ivec2(1, 3), ivec2(2, 3));\n\
        for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = 4.0 + 2.5 * (gl_in[E[k].x].gl_Position.y + gl_in[E[k].y].gl_Position.y);\n\
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = max(gl_TessLevelOuter[1], gl_TessLevelOuter[3]);";
    let (control, evaluation) = (control(4, "", set), evaluation(&layout, &place));
    let depth = Some(super::draw::Depth { compare: vk::CompareOp::LESS, write: true });
    let draw =
        Draw { vertex: CLOSE, count: [64, 1], polygon, depth, ..patches(&control, &evaluation, 4, 16) };
    s.render(&s.pass_with_depth(vk::Format::D32_SFLOAT)?, &[draw])
}

/// Patches with shared edges and additive light: a crack would be dark, an overlap bright.
fn meet(s: &mut Studio, spacing: &str) -> Made<()> {
    tessellates(s)?;
    let (control, evaluation) =
        (control(4, "", BY_EDGE), evaluation(&format!("quads, {spacing}, ccw"), WARP));
    let draw = patches(&control, &evaluation, 4, 16);
    s.render(
        &s.pass(),
        &[Draw {
            vertex: CLOSE,
            count: [64, 1],
            fragment: "o = vec4(.4, .3, .1, 1);",
            blend: vec![additive()],
            ..draw
        }],
    )
}

/// A fan of triangles, each with another first vertex, so that shared edges run in both directions.
fn triangles_meet(s: &mut Studio) -> Made<()> {
    tessellates(s)?;
    let vertex = "int k = i / 3, c = (i + k * (k & 1)) % 3; if ((k & 2) != 0) c = 2 - c; float t = float(c == 1 ? k : k + 1) * .69813170; gl_Position = c == 0 ? vec4(.1, -.05, 0, 1) : vec4(cos(t) * .9, sin(t) * .9, 0, 1);\n\
        if (c != 0 && k + (c == 2 ? 1 : 0) == 9) gl_Position.xy = vec2(.9, 0); v = vec4(.4);";
    let set = "for (int k = 0; k < 3; k++) { vec2 m = gl_in[(k + 1) % 3].gl_Position.xy + gl_in[(k + 2) % 3].gl_Position.xy; gl_TessLevelOuter[k] = 2.0 + 3.0 * length(m - .3); } gl_TessLevelInner[0] = 4.5;";
    let evaluation = "layout(triangles, fractional_odd_spacing, ccw) in;\n\
        void main() { vec3 t = gl_TessCoord; precise vec2 q = gl_in[0].gl_Position.xy * t.x + gl_in[1].gl_Position.xy * t.y + gl_in[2].gl_Position.xy * t.z;\n\
        precise vec2 d = q.yx * q.yx * (1.0 - q * q) * .25; gl_Position = vec4(q + d, 0, 1); v = f = vec4(.1, .3, .4, 1); }";
    let control = control(3, "", set);
    let draw = patches(&control, evaluation, 3, 9);
    s.render(&s.pass(), &[Draw { vertex, count: [27, 1], blend: vec![additive()], ..draw }])
}

/// The eight sides of an octahedron, projected onto a sphere.
fn sphere(s: &mut Studio, lines: bool) -> Made<()> {
    tessellates(s)?;
    let mut polygon = vk::PolygonMode::FILL;
    if lines {
        wires(s)?;
        polygon = vk::PolygonMode::LINE;
    }
    let vertex = "int k = i / 3, c = i % 3; vec3 q = vec3(0); q[c] = (k >> c & 1) == 0 ? 1.0 : -1.0; gl_Position = vec4(q, 1); v = vec4(q, 1);";
    let place = "precise vec3 q = normalize(gl_Position.xyz); q.yz = mat2(.8, .6, -.6, .8) * q.yz; q.xz = mat2(.9, .43589, -.43589, .9) * q.xz;\n\
        float z = 3.0 - q.z; gl_Position = vec4(q.xy * 2.6, z - 1.5, z); v = vec4(q * .5 + .5, 1);";
    let (control, evaluation) =
        (control(3, "", FOUR), evaluation("triangles, fractional_even_spacing, ccw", place));
    let depth = Some(super::draw::Depth { compare: vk::CompareOp::LESS, write: true });
    let draw = patches(&control, &evaluation, 3, 8);
    let draw = Draw { vertex, count: [24, 1], depth, polygon, ..draw };
    s.render(&s.pass_with_depth(vk::Format::D32_SFLOAT)?, &[draw])
}

/// Patches from a vertex and an index buffer, with a first index and a base vertex.
fn indexed(s: &mut Studio) -> Made<()> {
    tessellates(s)?;
    let points: Vec<u8> = (0..18u32)
        .flat_map(|k| {
            let k = k.saturating_sub(2);
            let (x, y) = (k % 4, k / 4);
            [
                x as f32 * 0.58 - 0.86 + (y & 1) as f32 * 0.06,
                y as f32 * 0.58 - 0.86 + (x * x % 3) as f32 * 0.05,
            ]
        })
        .flat_map(f32::to_ne_bytes)
        .collect();
    let mut list: Vec<u16> = vec![9; 3];
    for k in 0..9u16 {
        let at = k / 3 * 4 + k % 3;
        list.extend([at, at + 1, at + 4, at + 5]);
    }
    let bytes: Vec<u8> = list.iter().flat_map(|i| i.to_ne_bytes()).collect();
    let (control, evaluation) = (
        control(4, "", FOUR),
        evaluation("quads, equal_spacing, ccw", "v.b = fract(float(gl_PrimitiveID) * .4);"),
    );
    s.render(
        &s.pass(),
        &[Draw {
            head: "layout(location = 0) in vec2 x;",
            vertex: "gl_Position = vec4(x, 0, 1); v = vec4(x * .5 + .5, 0, 1);",
            vertices: &[Vertices { buffer: s.buffer(&points)?, stride: 8, divisor: None }],
            attributes: &[(0, 0, vk::Format::R32G32_SFLOAT, 0)],
            index: Some((s.buffer(&bytes)?, vk::IndexType::UINT16)),
            count: [36, 1],
            first: 3,
            base: 2,
            ..patches(&control, &evaluation, 4, 9)
        }],
    )
}

/// Each view has its own tessellation levels.
fn multiview(s: &mut Studio) -> Made<()> {
    tessellates(s)?;
    wires(s)?;
    s.need(s.client.has.multiview.multiview_tessellation_shader != 0, "multiviewTessellationShader")?;
    let flat = Of::new(RGBA8, 32, 32, Of::target(RGBA8).usage);
    let image = s.image(Of { layers: 4, ..flat })?;
    let pass = Pass { colors: vec![s.target(&image)?], views: 0b1111, size: [32; 2], ..s.pass() };
    let extension = "#extension GL_EXT_multiview : require\n";
    let set = "for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = float(gl_ViewIndex + k) + 1.0; gl_TessLevelInner[0] = gl_TessLevelInner[1] = float(gl_ViewIndex) + 1.0;";
    let control = format!("{extension}{}", control(4, "", set));
    let place = "v.b = float(gl_ViewIndex) / 3.0;";
    let evaluation = format!("{extension}{}", evaluation("quads, equal_spacing, ccw", place));
    let draw = Draw {
        polygon: vk::PolygonMode::LINE,
        viewports: vec![viewport(0.0, 0.0, 32.0, 32.0)],
        ..patches(&control, &evaluation, 4, 1)
    };
    s.render(&pass, &[draw])?;
    let (sampler, view) = (s.sampler(|i| i)?, s.view(&image)?);
    let body = "ivec2 q = ivec2(v.xy * 2.0); o = texture(t, vec3(fract(v.xy * 2.0), float(q.y * 2 + q.x)));";
    s.paint("layout(binding = 0) uniform sampler2DArray t;", body, &[Bind::Sampled(view, sampler)])
}
