//! Scenes of the geometry stage: its inputs, its outputs, and the stages after it.

use ash::vk;
use vk::PrimitiveTopology as T;

use super::Steps;
use super::draw::{Bind, Draw, additive, viewport};
use super::studio::{Made, Of, Pass, RGBA8, Studio, Target, rgba};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("geom_points_to_points", |s| {
        point_size(s)?;
        let main = "for (int k = 0; k < 5; k++) { v = f = vec4(a[0].rg, k / 4.0, 1); gl_PointSize = 1.0; gl_Position = gl_in[0].gl_Position; gl_Position.xy = gl_Position.xy * .8 + .15 * vec2(cos(k * 1.2566), sin(k * 1.2566)); EmitVertex(); }";
        shape(s, T::POINT_LIST, 6, "points", "points, max_vertices = 5", main)
    }),
    ("geom_points_to_lines", |s| {
        let main = "for (int k = 0; k <= 6; k++) { v = f = vec4(k & 1, a[0].gb, 1); gl_Position = gl_in[0].gl_Position * vec4(.75, .75, 1, 1); gl_Position.xy += .2 * vec2(cos(k * 1.0472), sin(k * 1.0472)); EmitVertex(); }";
        shape(s, T::POINT_LIST, 6, "points", "line_strip, max_vertices = 7", main)
    }),
    ("geom_points_to_triangles", |s| {
        let main = "for (int k = 0; k < 4; k++) { v = f = vec4(k & 1, k >> 1, a[0].r, 1); gl_Position = gl_in[0].gl_Position * vec4(.8, .8, 1, 1); gl_Position.xy += .18 * vec2(k & 1, k >> 1) - .09; EmitVertex(); }";
        shape(s, T::POINT_LIST, 6, "points", "triangle_strip, max_vertices = 4", main)
    }),
    ("geom_lines_to_points", |s| {
        point_size(s)?;
        let main = "for (int k = 0; k < 8; k++) { v = f = mix(a[0], a[1], k / 7.0); gl_PointSize = 1.0; gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, k / 7.0); EmitVertex(); }";
        shape(s, T::LINE_LIST, 6, "lines", "points, max_vertices = 8", main)
    }),
    ("geom_lines_to_triangles", |s| {
        shape(s, T::LINE_LIST, 6, "lines", "triangle_strip, max_vertices = 4", THICK)
    }),
    ("geom_line_strip_to_triangles", |s| {
        shape(s, T::LINE_STRIP, 6, "lines", "triangle_strip, max_vertices = 4", THICK)
    }),
    ("geom_triangles_to_points", |s| {
        point_size(s)?;
        let main = "for (int k = 0; k < 10; k++) { vec3 t = vec3(k * 37 % 11, k * 53 % 13, 6) / 11.0; t /= t.x + t.y + t.z; v = f = vec4(t, 1); gl_PointSize = 1.0; gl_Position = gl_in[0].gl_Position * t.x + gl_in[1].gl_Position * t.y + gl_in[2].gl_Position * t.z; EmitVertex(); }";
        shape(s, T::TRIANGLE_LIST, 6, "triangles", "points, max_vertices = 10", main)
    }),
    ("geom_triangles_to_lines", |s| {
        let main = "for (int k = 0; k < 4; k++) { v = f = a[k % 3]; gl_Position = gl_in[k % 3].gl_Position; EmitVertex(); }";
        shape(s, T::TRIANGLE_LIST, 6, "triangles", "line_strip, max_vertices = 4", main)
    }),
    ("geom_triangles_to_triangles", |s| {
        shape(s, T::TRIANGLE_LIST, 6, "triangles", "triangle_strip, max_vertices = 3", SHRINK)
    }),
    ("geom_triangle_strip", |s| {
        shape(s, T::TRIANGLE_STRIP, 6, "triangles", "triangle_strip, max_vertices = 3", SHRINK)
    }),
    ("geom_triangle_fan", |s| {
        shape(s, T::TRIANGLE_FAN, 6, "triangles", "triangle_strip, max_vertices = 3", SHRINK)
    }),
    ("geom_lines_adjacency", |s| {
        shape(s, T::LINE_LIST_WITH_ADJACENCY, 8, "lines_adjacency", "line_strip, max_vertices = 8", CURVE)
    }),
    ("geom_line_strip_adjacency", |s| {
        shape(s, T::LINE_STRIP_WITH_ADJACENCY, 6, "lines_adjacency", "line_strip, max_vertices = 8", CURVE)
    }),
    ("geom_triangles_adjacency", |s| {
        shape(s, T::TRIANGLE_LIST_WITH_ADJACENCY, 12, "triangles_adjacency", NEIGHBOURS_OUT, NEIGHBOURS)
    }),
    ("geom_triangle_strip_adjacency", |s| {
        shape(s, T::TRIANGLE_STRIP_WITH_ADJACENCY, 12, "triangles_adjacency", NEIGHBOURS_OUT, NEIGHBOURS)
    }),
    ("geom_instances", |s| {
        let main = "int n = gl_InvocationID; for (int k = 0; k < 3; k++) { v = f = vec4(n & 1, n >> 1 & 1, n >> 2, 1); gl_Position = gl_in[k].gl_Position; gl_Position.xy = gl_Position.xy * .25 + vec2(n % 3, n / 3) * .6 - .6; EmitVertex(); }";
        shape(s, T::TRIANGLE_LIST, 6, "triangles, invocations = 8", "triangle_strip, max_vertices = 3", main)
    }),
    ("geom_instances_32", |s| {
        // Each triangle covers the one before, in order.
        let main = "int n = gl_InvocationID; float t = n * .19634954; for (int k = 0; k < 3; k++) { v = f = vec4(n & 1, n / 31.0, .5, 1); gl_Position = vec4(.6 * cos(t), .6 * sin(t), 0, 1); gl_Position.xy += .35 * vec2(cos(t + k * 2.1), sin(t + k * 2.1)); EmitVertex(); }";
        shape(s, T::POINT_LIST, 1, "points, invocations = 32", "triangle_strip, max_vertices = 3", main)
    }),
    ("geom_strips_cut", |s| {
        // Strips of 3, 4 and 5 vertices, one of two, which gives no primitive, and one that the end of the shader cuts.
        let main = "int at = 0; for (int j = 0; j < 5; j++) { int n = j == 3 ? 2 : j == 4 ? 4 : 3 + j; for (int k = 0; k < n; k++, at++) { v = f = vec4(k & 1, j / 4.0, a[0].r, 1); gl_Position = vec4(gl_in[0].gl_Position.x * .15 - .85 + k * .3, -.8 + j * .36 + .25 * (k & 1), 0, 1); EmitVertex(); } if (j < 4) EndPrimitive(); }";
        shape(s, T::POINT_LIST, 1, "points", "triangle_strip, max_vertices = 18", main)
    }),
    ("geom_lines_cut", |s| {
        let main = "for (int j = 0; j < 6; j++) { for (int k = 0; k <= j; k++) { v = f = vec4(1, k / 5.0, j & 1, 1); gl_Position = vec4(-.9 + k * .33, -.8 + j * .3 + .15 * (k & 1), 0, 1); EmitVertex(); } EndPrimitive(); EndPrimitive(); }";
        shape(s, T::POINT_LIST, 1, "points", "line_strip, max_vertices = 21", main)
    }),
    ("geom_strip_faces", |s| {
        // Every second triangle of a strip is reversed before its facing is determined.
        let main = "for (int k = 0; k < 9; k++) { v = f = vec4(k / 8.0, .5, 0, 1); gl_Position = vec4(-.9 + k * .22, (k & 1) * 1.2 - .6 + .1 * k, 0, 1); EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("points", "triangle_strip, max_vertices = 9", main);
        let draw = Draw { geometry: &text, topology: T::POINT_LIST, count: [1, 1], ..Draw::default() };
        let at = |y| vec![viewport(0.0, y, 64.0, 32.0)];
        s.render(
            &s.pass(),
            &[
                Draw { cull: vk::CullModeFlags::FRONT, viewports: at(0.0), ..draw.clone() },
                Draw { fragment: "o.b = gl_FrontFacing ? 1.0 : .2;", viewports: at(32.0), ..draw },
            ],
        )
    }),
    ("geom_flat_strip", |s| flat_strip(s, false)),
    ("geom_flat_strip_last", |s| {
        s.need(s.client.has.provoking.provoking_vertex_last != 0, "provokingVertexLast")?;
        flat_strip(s, true)
    }),
    ("geom_layers", |s| {
        layers(s, "gl_Layer = (gl_InvocationID + gl_PrimitiveIDIn) % 4;", "o.b = float(gl_Layer) / 3.0;")
    }),
    ("geom_viewports", |s| viewports(s, "gl_ViewportIndex = gl_InvocationID;", "")),
    ("geom_viewport_read", |s| {
        viewports(
            s,
            "gl_ViewportIndex = 15 - gl_InvocationID;",
            "o.rg = vec2(gl_ViewportIndex % 4, gl_ViewportIndex / 4) / 3.0;",
        )
    }),
    ("geom_primitive_id", |s| {
        // The stage reads the number of the triangle and writes another one, which the fragment stage reads.
        let main = "for (int k = 0; k < 3; k++) { v = f = vec4(float(gl_PrimitiveIDIn) / 8.0, a[k].g, 0, 1); gl_PrimitiveID = 100 - gl_PrimitiveIDIn * 3; gl_Position = gl_in[k].gl_Position; EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("triangles", "triangle_strip, max_vertices = 3", main);
        let vertex =
            "int k = i / 3; gl_Position = vec4(CORNER[i % 3] * .3 + vec2(k % 3, k / 3) * .6 - .6, 0, 1);";
        let fragment = "o.b = float(100 - gl_PrimitiveID) / 24.0;";
        s.render(&s.pass(), &[Draw { vertex, fragment, geometry: &text, count: [27, 1], ..Draw::default() }])
    }),
    ("geom_primitive_id_of_instances", |s| {
        // The number restarts with every instance.
        let main = "for (int k = 0; k < 3; k++) { v = f = vec4(gl_PrimitiveIDIn == 0, gl_PrimitiveIDIn == 1, .3, 1); gl_PrimitiveID = gl_PrimitiveIDIn; gl_Position = gl_in[k].gl_Position; EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("triangles", "triangle_strip, max_vertices = 3", main);
        let vertex = "gl_Position = vec4(CORNER[i] * .3 + vec2(gl_InstanceIndex % 3, gl_InstanceIndex / 3) * .6 - .6, 0, 1);";
        s.render(&s.pass(), &[Draw { vertex, geometry: &text, count: [6, 9], ..Draw::default() }])
    }),
    ("geom_point_size", |s| {
        point_size(s)?;
        s.need(s.client.has.core.large_points != 0, "largePoints")?;
        let main = "for (int k = 0; k < 4; k++) { v = f = a[0]; gl_PointSize = gl_in[0].gl_PointSize * float(k + 1); gl_Position = gl_in[0].gl_Position * vec4(.7, .7, 1, 1); gl_Position.x += k * .15 - .2; EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("points", "points, max_vertices = 4", main);
        let vertex = "gl_Position = vec4(CORNER[i % 6] * .9, 0, 1); gl_PointSize = 1.0 + .4 * i;";
        let fragment = "o = vec4(gl_PointCoord, v.x, 1);";
        let draw = Draw { vertex, fragment, geometry: &text, topology: T::POINT_LIST, ..Draw::default() };
        s.render(&s.pass(), &[Draw { count: [6, 1], ..draw }])
    }),
    ("geom_clip_distances", |s| {
        // The stage reads the clip distances of the vertex stage by vertex, and writes changed ones.
        s.need(s.client.has.core.shader_clip_distance != 0, "shaderClipDistance")?;
        let head = "in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_in[]; out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; };";
        let main = "for (int k = 0; k < 3; k++) { v = f = a[k]; gl_Position = gl_in[k].gl_Position; gl_ClipDistance[0] = gl_in[k].gl_ClipDistance[1]; gl_ClipDistance[1] = gl_in[k].gl_ClipDistance[0]; gl_ClipDistance[2] = .5 - gl_Position.x; EmitVertex(); }";
        geometry_shader(s)?;
        let text = format!("{head}\n{}", source("triangles", "triangle_strip, max_vertices = 3", main));
        let head = "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };";
        let vertex = "gl_Position = vec4(CORNER[i], 0, 1); gl_ClipDistance[0] = .4 + gl_Position.y; gl_ClipDistance[1] = .6 - gl_Position.y;";
        let draw = Draw { head, vertex, geometry: &text, count: [6, 1], ..Draw::default() };
        s.render(&s.pass(), &[draw])
    }),
    ("geom_cull_distance", |s| {
        s.need(s.client.has.core.shader_cull_distance != 0, "shaderCullDistance")?;
        let head = "out gl_PerVertex { vec4 gl_Position; float gl_CullDistance[2]; };";
        let main = "for (int j = 0; j < 16; j++) { for (int k = 0; k < 3; k++) { v = f = vec4(j & 3, j >> 2, k, 3) / 3.0; gl_Position = vec4(gl_in[k].gl_Position.xy * .2 + vec2(j & 3, j >> 2) * .5 - .75, 0, 1); gl_CullDistance[0] = gl_Position.x + .2; gl_CullDistance[1] = .4 - gl_Position.y; EmitVertex(); } EndPrimitive(); }";
        geometry_shader(s)?;
        let text = format!("{head}\n{}", source("triangles", "triangle_strip, max_vertices = 48", main));
        s.render(&s.pass(), &[Draw { geometry: &text, ..Draw::default() }])
    }),
    ("geom_emits_nothing", |s| {
        // The first draw emits no primitives, the second every second one.
        geometry_shader(s)?;
        let none = source(
            "triangles",
            "triangle_strip, max_vertices = 3",
            "if (p.x < 5.0) return; for (int k = 0; k < 3; k++) { v = f = vec4(1); gl_Position = gl_in[k].gl_Position; EmitVertex(); }",
        );
        let half = source(
            "triangles",
            "triangle_strip, max_vertices = 3",
            "if (gl_PrimitiveIDIn % 2 == 0) return; for (int k = 0; k < 3; k++) { v = f = a[k]; gl_Position = gl_in[k].gl_Position; EmitVertex(); }",
        );
        let vertex =
            "int k = i / 3; gl_Position = vec4(CORNER[i % 3] * .3 + vec2(k % 3, k / 3) * .6 - .6, 0, 1);";
        let draw = Draw { vertex, count: [27, 1], ..Draw::default() };
        s.render(&s.pass(), &[Draw { geometry: &none, ..draw.clone() }, Draw { geometry: &half, ..draw }])
    }),
    ("geom_256_vertices", |s| {
        s.need(limits(s).max_geometry_output_vertices >= 256, "256 vertices")?;
        // No outputs except the position, which with 256 vertices is the maximum that every device supports. The text
        // avoids `location = 0`.
        let text = "// No location = 0.\nlayout(points) in; layout(triangle_strip, max_vertices = 256) out;\n\
            void main() { for (int k = 0; k < 256; k++) { float t = k / 2 * .1484, r = (k & 1) == 0 ? .003 * k : .003 * k + .18; gl_Position = vec4(r * cos(t), r * sin(t), 0, 1); EmitVertex(); } }";
        let (fragment_head, fragment) =
            ("layout(location = 0) out vec4 o;", "o = vec4(gl_FragCoord.xy / 64.0, .4, 1);");
        geometry_shader(s)?;
        let draw =
            Draw { geometry: text, fragment_head, fragment, topology: T::POINT_LIST, ..Draw::default() };
        s.render(&s.pass(), &[Draw { count: [1, 1], ..draw }])
    }),
    ("geom_1024_components", components),
    ("geom_counts_differ", |s| {
        // 49 points in a grid; each makes a star whose number of rays depends on its index, some without rays.
        let main = "int id = gl_PrimitiveIDIn, n = id * 5 % 8; vec2 c = vec2(id % 7, id / 7) * .27 - .81; for (int k = 0; k < n; k++) { float t = k * 6.2831853 / n; for (int j = 0; j < 3; j++) { v = f = vec4(n / 7.0, j == 0, 1.0 - n / 7.0, 1); gl_Position = vec4(c + (j == 0 ? vec2(0) : .12 * vec2(cos(t + j * .4), sin(t + j * .4))), 0, 1); EmitVertex(); if (j == 2 && (id & 1) == 0) EndPrimitive(); } EndPrimitive(); if (id == 20 && k == 3) return; }";
        shape(s, T::POINT_LIST, 49, "points", "triangle_strip, max_vertices = 24", main)
    }),
    ("geom_loop_diverges", |s| {
        // Vertices are emitted in one of two branches; vertices beyond the declared maximum are dropped.
        let main = "int id = gl_PrimitiveIDIn; vec2 c = vec2(id % 6, id / 6) * .32 - .8; int k = 0; while (true) { v = f = vec4(id / 35.0, k / 9.0, id % 2, 1); if ((id + k) % 3 == 0) { gl_Position = vec4(c + .1 * vec2(k & 1, k >> 1), 0, 1); EmitVertex(); } else { gl_Position = vec4(c + .15 * vec2(k >> 1, k & 1), 0, 1); EmitVertex(); if (id % 5 == 0 && k == 3) EndPrimitive(); } if (++k > 2 + id % 5) break; }";
        shape(s, T::POINT_LIST, 36, "points", "triangle_strip, max_vertices = 7", main)
    }),
    ("geom_blocks", |s| {
        let vertex = "gl_Position = vec4(CORNER[i % 6], 0, 1); w.c[0] = vec2(i & 1, .2); w.c[1] = vec2(i >> 1 & 1, .8); w.m = mat2(i, 1, 0, i) * .2; w.n = i;";
        let head = "layout(location = 2) out W { vec2 c[2]; mat2 m; flat int n; } w;";
        let main = "for (int j = 0; j < 4; j++) { int k = (j + w[0].n) % 3; v = f = vec4(w[k].c[0].x, w[k].c[1].x, w[k].m[1][1] + w[k].c[j & 1].y * .2, 1); gl_Position = gl_in[k].gl_Position * vec4(.9, .9, 1, 1); EmitVertex(); }";
        geometry_shader(s)?;
        let text = format!(
            "layout(location = 2) in W {{ vec2 c[2]; mat2 m; flat int n; }} w[];\n{}",
            source("triangles", "triangle_strip, max_vertices = 4", main)
        );
        s.render(&s.pass(), &[Draw { head, vertex, geometry: &text, count: [6, 1], ..Draw::default() }])
    }),
    ("geom_interfaces", |s| {
        // Arrays of blocks, components of a location, integers; the second block is read with another index.
        let head = "layout(location = 2) out W { vec2 c; mat2 m; float e[2]; } w[2];\n\
            layout(location = 12, component = 1) out vec2 q; layout(location = 12, component = 3) out float r; layout(location = 13) flat out ivec3 n;";
        let vertex = "gl_Position = vec4(CORNER[i % 6], 0, 1); for (int k = 0; k < 2; k++) { w[k].c = vec2(.1, .2) * float(i + k); w[k].m = mat2(.9, .1 * k, -.2, .8); w[k].e[0] = .3; w[k].e[1] = .1 * i; }\n\
            q = vec2(.25, .5); r = .75; n = ivec3(i, -i, 7);";
        let main = "for (int k = 0; k < 3; k++) { v = vec4(w[k][1].e[1] + q[k].x, r[k] + w[k][0].e[0] * .5 - .5, float(n[k].x - n[k].y + n[k].z) / 20.0, 1); f = v;\n\
            gl_Position = vec4(w[k][1].m * gl_in[k].gl_Position.xy + w[k][0].c * .3, 0, 1); EmitVertex(); }";
        geometry_shader(s)?;
        let text = format!(
            "layout(location = 2) in W {{ vec2 c; mat2 m; float e[2]; }} w[][2];\n\
             layout(location = 12, component = 1) in vec2 q[]; layout(location = 12, component = 3) in float r[]; layout(location = 13) flat in ivec3 n[];\n{}",
            source("triangles", "triangle_strip, max_vertices = 3", main)
        );
        s.render(&s.pass(), &[Draw { head, vertex, geometry: &text, count: [6, 1], ..Draw::default() }])
    }),
    ("geom_noperspective", |s| {
        let main =
            "for (int k = 0; k < 3; k++) { v = f = a[k]; gl_Position = gl_in[k].gl_Position; EmitVertex(); }";
        geometry_shader(s)?;
        let vertex = "gl_Position = vec4(CORNER[i % 6], 0, 1) * float(1 + i * 2);";
        let text = source("triangles", "triangle_strip, max_vertices = 3", main);
        let text = format!(
            "layout(location = 0) in vec4 a[]; layout(location = 0) noperspective out vec4 v; layout(location = 1) flat out vec4 f;\n{text}"
        );
        let fragment_head = "layout(location = 0) noperspective in vec4 v;";
        s.render(&s.pass(), &[Draw { vertex, fragment_head, geometry: &text, ..Draw::default() }])
    }),
    ("geom_wires", |s| {
        // Wires along edges, from distances that only this stage can compute.
        let main = "for (int k = 0; k < 3; k++) { v = vec4(k == 0, k == 1, k == 2, 1); f = a[0]; gl_Position = gl_in[k].gl_Position; EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("triangles", "triangle_strip, max_vertices = 3", main);
        let fragment = "vec3 d = v.rgb / fwidth(v.rgb); float e = min(d.x, min(d.y, d.z)); o = mix(vec4(1, .9, .4, 1), vec4(f.rgb * .4 + .1, 1), smoothstep(.5, 1.5, e));";
        let draw = Draw { fragment, geometry: &text, topology: T::TRIANGLE_STRIP, ..Draw::default() };
        s.render(&s.pass(), &[Draw { count: [6, 1], ..draw }])
    }),
    ("geom_polygon_lines", |s| {
        s.need(s.client.has.core.fill_mode_non_solid != 0, "fillModeNonSolid")?;
        let main = "for (int k = 0; k < 10; k++) { v = f = vec4(1, k / 9.0, k & 1, 1); gl_Position = vec4(-.9 + k * .2, (k & 1) * 1.1 - .6 + .05 * k, 0, 1); EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("points", "triangle_strip, max_vertices = 10", main);
        let draw = Draw {
            geometry: &text,
            topology: T::POINT_LIST,
            polygon: vk::PolygonMode::LINE,
            ..Draw::default()
        };
        s.render(&s.pass(), &[Draw { count: [1, 1], ..draw }])
    }),
    ("geom_four_samples", |s| {
        let main = "for (int k = 0; k < 12; k++) { float t = k * .58; v = f = vec4(k & 1, k / 11.0, .4, 1); gl_Position = vec4(((k & 1) == 0 ? .3 : .9) * vec2(cos(t), sin(t)), 0, 1); EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("points", "triangle_strip, max_vertices = 12", main);
        let draw = Draw { geometry: &text, topology: T::POINT_LIST, samples: 4, ..Draw::default() };
        s.render(&s.pass_of(4)?, &[Draw { count: [1, 1], ..draw }])
    }),
    ("geom_depth", |s| {
        // Intersecting quads, made of points.
        let main = "float t = gl_PrimitiveIDIn * .9; for (int k = 0; k < 4; k++) { vec2 q = vec2(k & 1, k >> 1) * 1.6 - .8; v = f = vec4(gl_PrimitiveIDIn & 1, gl_PrimitiveIDIn >> 1, .5 + .3 * q.x, 1); gl_Position = vec4(q.x * cos(t) - q.y * sin(t) * .5, q.y * .8, .5 + .4 * q.x * sin(t + .3), 1); EmitVertex(); }";
        geometry_shader(s)?;
        let text = source("points", "triangle_strip, max_vertices = 4", main);
        let depth = Some(super::draw::Depth { compare: vk::CompareOp::LESS, write: true });
        let draw = Draw { geometry: &text, topology: T::POINT_LIST, depth, ..Draw::default() };
        s.render(&s.pass_with_depth(vk::Format::D32_SFLOAT)?, &[Draw { count: [4, 1], ..draw }])
    }),
    ("geom_reads_buffer", |s| {
        let data: Vec<u8> = (0..36u32)
            .flat_map(|k| [(k * 7 % 12) as f32 / 6.0 - 0.9, (k * 5 % 13) as f32 / 7.0 - 0.9])
            .flat_map(f32::to_ne_bytes)
            .collect();
        let buffer = s.buffer(&data)?;
        let head = "layout(set = 0, binding = 0) readonly buffer B { vec2 at[]; };\n";
        let main = "for (int k = 0; k < 3; k++) { v = f = vec4(k == 0, k == 1, k == 2, 1); gl_Position = vec4(at[gl_PrimitiveIDIn * 3 + k], 0, 1); EmitVertex(); }";
        geometry_shader(s)?;
        let text = format!("{head}{}", source("points", "triangle_strip, max_vertices = 3", main));
        let fragment = "o = v * .5;";
        let draw = Draw { geometry: &text, fragment, topology: T::POINT_LIST, ..Draw::default() };
        s.render(
            &s.pass(),
            &[Draw { count: [12, 1], bind: &[Bind::Buffer(buffer)], blend: vec![additive()], ..draw }],
        )
    }),
    ("geom_restart", |s| {
        // A primitive restart index cuts the input strip.
        let list: [u16; 11] = [0, 1, 2, u16::MAX, u16::MAX, 3, 4, 5, 2, u16::MAX, 1];
        let bytes: Vec<u8> = list.iter().flat_map(|i| i.to_ne_bytes()).collect();
        let index = Some((s.buffer(&bytes)?, vk::IndexType::UINT16));
        geometry_shader(s)?;
        let text = source("triangles", "triangle_strip, max_vertices = 3", SHRINK);
        let draw =
            Draw { geometry: &text, topology: T::TRIANGLE_STRIP, index, restart: true, ..Draw::default() };
        s.render(&s.pass(), &[Draw { count: [11, 1], ..draw }])
    }),
    ("geom_views", views),
    ("geom_streams", |s| {
        // Only the first stream is rasterized.
        let has = s.client.has.feedback.geometry_streams != 0
            && s.client.has.extension(ash::ext::transform_feedback::NAME);
        s.need(has, "geometryStreams")?;
        point_size(s)?;
        geometry_shader(s)?;
        let text = "layout(points) in; layout(points, max_vertices = 12) out;\n\
            layout(stream = 0, location = 0) out vec4 v; layout(stream = 0, location = 1) flat out vec4 f; layout(stream = 1, location = 2) out vec4 w;\n\
            void main() { for (int k = 0; k < 12; k++) { float t = k * .5236; gl_PointSize = 1.0; gl_Position = vec4(.8 * cos(t), .8 * sin(t), 0, 1); v = f = vec4(1, k / 11.0, .5, 1); w = vec4(k);\n\
            if (k % 3 == 1) { EmitStreamVertex(1); EndStreamPrimitive(1); } else { EmitStreamVertex(0); EndStreamPrimitive(0); } } }";
        let draw = Draw { geometry: text, topology: T::POINT_LIST, count: [1, 1], ..Draw::default() };
        s.render(&s.pass(), &[draw])
    }),
    ("tess_geom_triangles", |s| {
        tessellated(
            s,
            "triangles, fractional_odd_spacing, ccw",
            "triangles",
            "triangle_strip, max_vertices = 3",
            SHRINK,
        )
    }),
    ("tess_geom_points", |s| {
        point_size(s)?;
        let main = "for (int k = 0; k < 3; k++) { v = f = a[0]; gl_Position = gl_in[0].gl_Position; gl_Position.xy += .04 * vec2(k == 1, k == 2); EmitVertex(); }";
        tessellated(
            s,
            "quads, equal_spacing, ccw, point_mode",
            "points",
            "triangle_strip, max_vertices = 3",
            main,
        )
    }),
    ("tess_geom_lines", |s| {
        tessellated(s, "isolines, equal_spacing", "lines", "triangle_strip, max_vertices = 4", THIN)
    }),
    ("tess_geom_instances", |s| {
        let main = "for (int k = 0; k < 3; k++) { v = f = vec4(a[k].rg, gl_InvocationID, 1); gl_PrimitiveID = gl_PrimitiveIDIn; gl_Position = gl_in[k].gl_Position * vec4(.55, .9, 1, 1); gl_Position.x += gl_InvocationID == 0 ? -.45 : .45; gl_Position.y *= gl_InvocationID == 0 ? 1.0 : -.7; EmitVertex(); }";
        tessellated(
            s,
            "quads, equal_spacing, ccw",
            "triangles, invocations = 2",
            "triangle_strip, max_vertices = 3",
            main,
        )
    }),
];

/// Shrinks a triangle towards its middle.
const SHRINK: &str = "vec4 m = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / 3.0;\n\
    for (int k = 0; k < 3; k++) { v = f = a[k]; gl_Position = mix(m, gl_in[k].gl_Position, .7); EmitVertex(); }";
/// Draws a line as a rectangle.
const THICK: &str = "vec2 d = gl_in[1].gl_Position.xy - gl_in[0].gl_Position.xy; d = .07 * normalize(vec2(-d.y, d.x));\n\
    for (int k = 0; k < 4; k++) { v = f = a[k >> 1]; gl_Position = gl_in[k >> 1].gl_Position; gl_Position.xy += (k & 1) == 0 ? d : -d; EmitVertex(); }";
/// Draws a line as a thinner rectangle at one of its ends.
const THIN: &str = "vec2 d = gl_in[1].gl_Position.xy - gl_in[0].gl_Position.xy; d = .05 * normalize(vec2(-d.y, d.x));\n\
    for (int k = 0; k < 4; k++) { v = f = a[k >> 1]; gl_Position = gl_in[k >> 1].gl_Position; gl_Position.xy += k == 0 ? d : k == 1 ? -d : vec2(0); EmitVertex(); }";
/// Bends a line towards the vertices before and after it.
const CURVE: &str = "for (int k = 0; k < 8; k++) { float t = k / 7.0; vec4 e[4]; for (int j = 0; j < 4; j++) e[j] = gl_in[j].gl_Position; vec4 c = e[1] + (e[2] - e[0]) / 4.0, d = e[2] + (e[1] - e[3]) / 4.0; float r = 1.0 - t;\n\
    v = f = mix(a[1], a[2], t) * .8 + a[0] * .2; gl_Position = r * r * r * e[1] + 3.0 * r * r * t * c + 3.0 * r * t * t * d + t * t * t * e[2]; EmitVertex(); }";
const NEIGHBOURS_OUT: &str = "triangle_strip, max_vertices = 12";
/// Draws a smaller triangle, and beside each of its edges a small one towards the neighbour.
const NEIGHBOURS: &str = "vec4 m = (gl_in[0].gl_Position + gl_in[2].gl_Position + gl_in[4].gl_Position) / 3.0;\n\
    for (int k = 0; k < 6; k += 2) { v = f = a[k]; gl_Position = mix(m, gl_in[k].gl_Position, .8); EmitVertex(); } EndPrimitive();\n\
    for (int k = 1; k < 6; k += 2) { for (int j = 0; j < 3; j++) { vec4 from = j == 0 ? gl_in[k - 1].gl_Position : gl_in[(k + 1) % 6].gl_Position; v = f = vec4(1, k / 5.0, j == 2, 1); gl_Position = j == 2 ? mix(mix(gl_in[k - 1].gl_Position, gl_in[(k + 1) % 6].gl_Position, .5), gl_in[k].gl_Position, .3) : mix(m, from, .9); EmitVertex(); } EndPrimitive(); }";
/// Vertices on a wavy ribbon, alternately above and below.
const RIBBON: &str = "int q = int(p.x); gl_Position = vec4(-.85 + 1.7 * float(i) / float(max(q - 1, 1)), (i & 1) * .9 - .45 + .35 * sin(i * 1.7), 0, 1);";

fn geometry_shader(s: &Studio) -> Made<()> {
    s.need(s.client.has.core.geometry_shader != 0, "geometryShader")
}

fn point_size(s: &Studio) -> Made<()> {
    let has = s.client.has.core.shader_tessellation_and_geometry_point_size;
    s.need(has != 0, "shaderTessellationAndGeometryPointSize")
}

/// Limits of the device.
fn limits(s: &Studio) -> vk::PhysicalDeviceLimits {
    s.client.limits()
}

fn source(input: &str, output: &str, main: &str) -> String {
    format!("layout({input}) in;\nlayout({output}) out;\nvoid main() {{\n{main}\n}}")
}

/// Draws vertices of a topology, with a geometry shader.
fn shape(s: &Studio, topology: T, vertices: u32, input: &str, output: &str, main: &str) -> Made<()> {
    geometry_shader(s)?;
    let text = source(input, output, main);
    let adjacent = vertices == 8 || vertices == 12 || topology == T::LINE_STRIP_WITH_ADJACENCY;
    let vertex = if adjacent { RIBBON } else { "gl_Position = vec4(CORNER[i % 6], 0, 1);" };
    let push = [vertices as f32, 0.0, 0.0, 0.0];
    let draw = Draw { vertex, geometry: &text, topology, push, ..Draw::default() };
    s.render(&s.pass(), &[Draw { count: [vertices, 1], ..draw }])
}

/// Provoking vertex in triangles of a strip that the stage emits.
fn flat_strip(s: &mut Studio, last_provokes: bool) -> Made<()> {
    let main = "for (int k = 0; k < 9; k++) { v = vec4(1); f = vec4(k / 8.0, k & 1, 1.0 - k / 8.0, 1); gl_Position = vec4(-.9 + k * .22, (k & 1) * 1.2 - .6 + .1 * (k & 3), 0, 1); EmitVertex(); if (k == 4) EndPrimitive(); }";
    geometry_shader(s)?;
    let text = source("points", "triangle_strip, max_vertices = 9", main);
    let lines = source("points", "line_strip, max_vertices = 9", &main.replace("* 1.2 - .6", "* .2 - .9"));
    let draw =
        Draw { last_provokes, fragment: "o = f;", topology: T::POINT_LIST, count: [1, 1], ..Draw::default() };
    s.render(&s.pass(), &[Draw { geometry: &text, ..draw.clone() }, Draw { geometry: &lines, ..draw }])
}

/// Four layers, side by side.
fn layers(s: &mut Studio, choose: &str, fragment: &str) -> Made<()> {
    geometry_shader(s)?;
    let image = s.image(Of { layers: 4, ..Of::new(RGBA8, 32, 32, Of::target(RGBA8).usage) })?;
    let clear = Some(rgba([0.2, 0.1, 0.1, 1.0]));
    let target = Target { view: s.view(&image)?, format: RGBA8, clear, resolve: None };
    let pass = Pass { colors: vec![target], layers: 4, size: [32; 2], ..s.pass() };
    let main = format!(
        "for (int k = 0; k < 3; k++) {{ v = f = a[k] * (gl_InvocationID == 2 ? .6 : 1.0); gl_Position = gl_in[k].gl_Position; gl_Position.xy *= 1.0 - .2 * gl_InvocationID; {choose} EmitVertex(); }}"
    );
    let text = source("triangles, invocations = 4", "triangle_strip, max_vertices = 3", &main);
    let viewports = vec![viewport(0.0, 0.0, 32.0, 32.0)];
    s.render(&pass, &[Draw { geometry: &text, fragment, viewports, ..Draw::default() }])?;
    quarters(s, &image)
}

/// Four layers of an image, side by side.
fn quarters(s: &mut Studio, image: &super::studio::Image) -> Made<()> {
    let (sampler, view) = (s.sampler(|i| i)?, s.view(image)?);
    let body = "ivec2 q = ivec2(v.xy * 2.0); o = texture(t, vec3(fract(v.xy * 2.0), float(q.y * 2 + q.x)));";
    s.paint("layout(binding = 0) uniform sampler2DArray t;", body, &[Bind::Sampled(view, sampler)])
}

/// Sixteen viewports, each with its own scissor.
fn viewports(s: &mut Studio, choose: &str, fragment: &str) -> Made<()> {
    geometry_shader(s)?;
    s.need(s.client.has.core.multi_viewport != 0, "multiViewport")?;
    let at = |i: u32| (i % 4 * 16, i / 4 * 16);
    let main = format!(
        "for (int k = 0; k < 3; k++) {{ v = f = a[(k + gl_InvocationID) % 3]; float t = gl_InvocationID * .4; gl_Position = gl_in[k].gl_Position; gl_Position.xy = mat2(cos(t), sin(t), -sin(t), cos(t)) * gl_Position.xy; {choose} EmitVertex(); }}"
    );
    let text = source("triangles, invocations = 16", "triangle_strip, max_vertices = 3", &main);
    let draw = Draw {
        geometry: &text,
        fragment,
        viewports: (0..16).map(|i| viewport(at(i).0 as f32, at(i).1 as f32, 16.0, 16.0)).collect(),
        scissors: (0..16).map(|i| [at(i).0 + i % 3, at(i).1, 16 - i % 5, 15]).collect(),
        ..Draw::default()
    };
    s.render(&s.pass(), &[draw])
}

/// As many components as every device supports.
fn components(s: &mut Studio) -> Made<()> {
    geometry_shader(s)?;
    let limits = limits(s);
    s.need(limits.max_geometry_total_output_components >= 1024, "1,024 components")?;
    // 32 vertices of 32 components: position, `v`, `f` and five more.
    let head = "layout(location = 2) out vec4 c[5];\n";
    let main = "for (int k = 0; k < 32; k++) { float t = k * .37; v = vec4(k & 1, k / 31.0, .3, 1); f = vec4(t); for (int j = 0; j < 5; j++) c[j] = vec4(j == k % 5, .2 * j, k / 31.0, 1) * .5;\n\
        gl_Position = vec4(((k & 1) == 0 ? .35 : .9) * vec2(cos(t * .5), sin(t * .5)), 0, 1); EmitVertex(); }";
    let text = format!("{head}{}", source("points", "triangle_strip, max_vertices = 32", main));
    let fragment_head = "layout(location = 2) in vec4 c[5];";
    let fragment = "o = vec4(0); for (int j = 0; j < 5; j++) o += c[j]; o = mix(o, v, .4);";
    let draw = Draw { geometry: &text, fragment_head, fragment, topology: T::POINT_LIST, ..Draw::default() };
    s.render(&s.pass(), &[Draw { count: [1, 1], ..draw }])
}

/// Each view has its own geometry.
fn views(s: &mut Studio) -> Made<()> {
    geometry_shader(s)?;
    s.need(s.client.has.multiview.multiview_geometry_shader != 0, "multiviewGeometryShader")?;
    let image = s.image(Of { layers: 4, ..Of::new(RGBA8, 32, 32, Of::target(RGBA8).usage) })?;
    let pass = Pass { colors: vec![s.target(&image)?], views: 0b1111, size: [32; 2], ..s.pass() };
    let main = "for (int n = 0; n <= gl_ViewIndex; n++) { for (int k = 0; k < 3; k++) { v = f = vec4(n, gl_ViewIndex, k, 3) / 3.0; gl_Position = gl_in[k].gl_Position; gl_Position.xy *= 1.0 - .25 * n; EmitVertex(); } EndPrimitive(); }";
    let text = source("triangles", "triangle_strip, max_vertices = 12", main);
    let text = format!("#extension GL_EXT_multiview : require\n{text}");
    let viewports = vec![viewport(0.0, 0.0, 32.0, 32.0)];
    s.render(&pass, &[Draw { geometry: &text, viewports, ..Draw::default() }])?;
    quarters(s, &image)
}

/// Four patches, whose primitives the geometry stage processes.
fn tessellated(s: &Studio, layout: &str, input: &str, output: &str, main: &str) -> Made<()> {
    geometry_shader(s)?;
    s.need(s.client.has.core.tessellation_shader != 0, "tessellationShader")?;
    let control = "layout(vertices = 4) out; void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; b[gl_InvocationID] = a[gl_InvocationID];\n\
        if (gl_InvocationID == 0) { for (int k = 0; k < 4; k++) gl_TessLevelOuter[k] = float(gl_PrimitiveID + 2); gl_TessLevelInner[0] = gl_TessLevelInner[1] = float(gl_PrimitiveID + 1); } }";
    let place = match layout.starts_with("triangles") {
        true => {
            "vec3 t = gl_TessCoord; vec4 q = gl_in[0].gl_Position * t.x + gl_in[1].gl_Position * t.y + gl_in[2].gl_Position * t.z;"
        }
        false => {
            "vec2 t = gl_TessCoord.xy; vec4 q = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x), mix(gl_in[2].gl_Position, gl_in[3].gl_Position, t.x), t.y);"
        }
    };
    let evaluation = format!(
        "layout({layout}) in;\nvoid main() {{ {place} gl_Position = q; v = f = vec4(gl_TessCoord.xy, float(gl_PrimitiveID) / 3.0, 1); }}"
    );
    let vertex = "int c = i % 4, k = i / 4; vec2 at = vec2(c & 1, c >> 1) * .8 + .1; gl_Position = vec4(vec2(k & 1, k >> 1) + at - 1.0, 0, 1);";
    let text = source(input, output, main);
    s.render(
        &s.pass(),
        &[Draw {
            vertex,
            control,
            evaluation: &evaluation,
            geometry: &text,
            patch: 4,
            topology: T::PATCH_LIST,
            count: [16, 1],
            ..Draw::default()
        }],
    )
}
