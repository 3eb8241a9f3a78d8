//! Scenes of the task and mesh stages: outputs of workgroups, state of their draws, and the commands that launch them.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::vk;

use super::Steps;
use super::draw::{Bind, Draw, additive, blend, viewport};
use super::studio::{Image, Made, Of, Pass, RGBA8, Studio, Target, rgba};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("mesh_triangle", |s| {
        let main = "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(3, 1); put(i, vec2(i & 1, i >> 1) * 1.6 - .8, vec4(i == 0, i == 1, i == 2, 1)); if (i == 0) gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);";
        one(
            s,
            Draw {
                mesh: &mesh("triangles, max_vertices = 3, max_primitives = 1", 3, main),
                ..Draw::default()
            },
        )
    }),
    ("mesh_workgroups", |s| {
        // Squares of a draw of 4 x 3 x 2 workgroups, with those of the second layer inside the others.
        let main = "SetMeshOutputsEXT(4, 2); uvec3 n = gl_NumWorkGroups, id = gl_WorkGroupID; float inner = id.z * .12; quad(0, vec2(id.xy) * vec2(.48, .6) - .95 + inner, vec2(.42, .52) - 2.0 * inner, vec4(vec3(id) / vec3(n), 1));";
        one(s, Draw { mesh: &mesh(QUADS, 1, main), groups: [4, 3, 2], ..Draw::default() })
    }),
    ("mesh_points", |s| {
        let text = "layout(points, max_vertices = 64, max_primitives = 64) out;";
        let main = "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(64, 64); float t = i * .2; put(i, vec2(cos(t), sin(t)) * i / 72.0, vec4(i & 1, i / 63.0, .6, 1)); gl_MeshVerticesEXT[i].gl_PointSize = 1.0; gl_PrimitivePointIndicesEXT[i] = 63 - i;";
        one(s, Draw { mesh: &mesh_of(text, 64, main), ..Draw::default() })
    }),
    ("mesh_point_sizes", |s| {
        s.need(s.client.has.core.large_points != 0, "largePoints")?;
        let text = "layout(points, max_vertices = 9, max_primitives = 9) out;";
        let main = "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(9, 9); put(i, vec2(i % 3, i / 3) * .65 - .65, vec4(i / 8.0, .7, .2, 1)); gl_MeshVerticesEXT[i].gl_PointSize = 2.0 * i + 1.0; gl_PrimitivePointIndicesEXT[i] = i;";
        one(s, Draw { mesh: &mesh_of(text, 9, main), fragment: "o.rg *= gl_PointCoord;", ..Draw::default() })
    }),
    ("mesh_lines", |s| {
        let text = "layout(lines, max_vertices = 12, max_primitives = 30) out;";
        let main = "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(12, 30); if (i < 12) { float t = i * .5236; put(i, vec2(cos(t), sin(t)) * .9, vec4(i & 1, i / 11.0, .5, 1)); } if (i < 30) gl_PrimitiveLineIndicesEXT[i] = uvec2(i % 12, (i * 5 + 3) % 12);";
        one(s, Draw { mesh: &mesh_of(text, 32, main), ..Draw::default() })
    }),
    ("mesh_shared_vertices", |s| {
        // As many vertices and primitives as every device supports: a grid of 16 x 16 vertices, with every second
        // square of it.
        let main = "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(256, 224); for (uint k = i; k < 256; k += 32) { vec2 q = vec2(k % 16, k / 16) / 15.0; put(k, (q * 2.0 - 1.0) * (.8 + .15 * cos(q.x * 9.0) * sin(q.y * 7.0)), vec4(q, .5 + .5 * cos(k), 1)); }\n\
            for (uint k = i; k < 112; k += 32) { uint y = k / 7, x = 2 * (k % 7) + (y & 1), a = min(y, 14) * 16 + x; gl_PrimitiveTriangleIndicesEXT[2 * k] = uvec3(a, a + 1, a + 16); gl_PrimitiveTriangleIndicesEXT[2 * k + 1] = uvec3(a + 1, a + 17, a + 16); }";
        one(
            s,
            Draw {
                mesh: &mesh("triangles, max_vertices = 256, max_primitives = 256", 32, main),
                ..Draw::default()
            },
        )
    }),
    ("mesh_counts", |s| {
        // Workgroups that output nothing, only vertices, or fewer than the maximum.
        let main = "uint n = gl_WorkGroupID.x; SetMeshOutputsEXT(n % 5 == 0 ? 0 : 8, n % 5 == 0 || n % 5 == 1 ? 0 : n % 5 - 1); if (n % 5 == 0) return; quad(0, vec2(n % 5, n / 5) * .38 - .95, vec2(.3, .15), vec4(n / 24.0, .8, .2, 1)); quad(1, vec2(n % 5, n / 5) * .38 - vec2(.95, .78), vec2(.3, .15), vec4(n / 24.0, .2, .8, 1));";
        let text = mesh("triangles, max_vertices = 8, max_primitives = 4", 1, main);
        one(s, Draw { mesh: &text, groups: [25, 1, 1], ..Draw::default() })
    }),
    ("mesh_culled", |s| {
        let main = "SetMeshOutputsEXT(4 * 16, 2 * 16); uint n = gl_LocalInvocationIndex; quad(n, vec2(n % 4, n / 4) * .48 - .95, vec2(.44), vec4(n / 15.0, .5, 1, 1)); gl_MeshPrimitivesEXT[2 * n].gl_CullPrimitiveEXT = n % 3 == 0; gl_MeshPrimitivesEXT[2 * n + 1].gl_CullPrimitiveEXT = n % 5 == 1;";
        one(
            s,
            Draw {
                mesh: &mesh("triangles, max_vertices = 64, max_primitives = 32", 16, main),
                ..Draw::default()
            },
        )
    }),
    ("mesh_per_primitive", |s| {
        // Neighbouring triangles share vertices, but each has its own colour.
        let text = "layout(location = 0) out vec4 v[]; layout(location = 1) perprimitiveEXT out vec4 f[]; layout(location = 2) perprimitiveEXT out ivec2 n[];\n\
            layout(local_size_x = 8) in; layout(triangles, max_vertices = 9, max_primitives = 8) out;\n\
            void main() { uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(9, 8); float t = i * .7854; gl_MeshVerticesEXT[i].gl_Position = vec4(vec2(cos(t), sin(t)) * .9, 0, 1); v[i] = vec4(1); if (i == 0) { gl_MeshVerticesEXT[8].gl_Position = vec4(.1, -.2, 0, 1); v[8] = vec4(.2); }\n\
            gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, (i + 1) % 8, 8); f[i] = vec4(i & 1, i >> 1 & 1, i >> 2, 1); n[i] = ivec2(i, 7 - i); }";
        let fragment_head = "#extension GL_EXT_mesh_shader : require\nlayout(location = 1) perprimitiveEXT in vec4 f; layout(location = 2) perprimitiveEXT flat in ivec2 n;";

        let fragment = "o = v * (.2 + .8 * f) * vec4(n.x * .1 + .3, n.y * .1 + .3, 1, 1);";
        one(s, Draw { mesh: text, fragment_head, fragment, ..Draw::default() })
    }),
    ("mesh_per_primitive_clipped", |s| {
        // Triangles, lines and points that extend beyond the view volume.
        let text = "layout(location = 0) out vec4 v[]; layout(location = 1) perprimitiveEXT out vec4 f[];\n\
            layout(local_size_x = 4) in; layout(triangles, max_vertices = 12, max_primitives = 4) out;\n\
            void main() { uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(12, 4); for (uint k = 0; k < 3; k++) { float t = i * 1.57 + k * 2.1; gl_MeshVerticesEXT[3 * i + k].gl_Position = vec4(cos(t) * 1.7, sin(t) * 1.7, k - .6, k * .8 + .3); v[3 * i + k] = vec4(k == 0, k == 1, k == 2, 1); }\n\
            gl_PrimitiveTriangleIndicesEXT[i] = 3 * i + uvec3(0, 1, 2); f[i] = vec4(i & 1, i >> 1, .5, 1); }";
        one(
            s,
            Draw {
                mesh: text,
                fragment_head: FLAT_OF_PRIMITIVE,
                fragment: "o = mix(v, f, .6);",
                ..Draw::default()
            },
        )
    }),
    ("mesh_primitive_id", |s| {
        let main = "SetMeshOutputsEXT(4 * 16, 2 * 16); uint n = gl_LocalInvocationIndex; quad(n, vec2(n % 4, n / 4) * .48 - .95, vec2(.44), vec4(1)); gl_MeshPrimitivesEXT[2 * n].gl_PrimitiveID = int(n) * 7; gl_MeshPrimitivesEXT[2 * n + 1].gl_PrimitiveID = 200 - int(n);";
        let text = mesh("triangles, max_vertices = 64, max_primitives = 32", 16, main);
        let fragment = "o = vec4(gl_PrimitiveID & 7, gl_PrimitiveID >> 3 & 7, gl_PrimitiveID >> 6, 7) / 7.0;";
        one(s, Draw { mesh: &text, fragment, ..Draw::default() })
    }),
    ("mesh_layers", layers),
    ("mesh_viewports", viewports),
    ("mesh_clip_distance", |s| {
        s.need(s.client.has.core.shader_clip_distance != 0, "shaderClipDistance")?;
        distances(
            s,
            "gl_ClipDistance",
            "gl_MeshVerticesEXT[i].gl_ClipDistance[0] = q.x + q.y + .3; gl_MeshVerticesEXT[i].gl_ClipDistance[1] = .6 - q.x * q.y;",
        )
    }),
    ("mesh_cull_distance", |s| {
        s.need(s.client.has.core.shader_cull_distance != 0, "shaderCullDistance")?;
        distances(
            s,
            "gl_CullDistance",
            "gl_MeshVerticesEXT[i].gl_CullDistance[0] = q.x + q.y + .3; gl_MeshVerticesEXT[i].gl_CullDistance[1] = .6 - q.x * q.y;",
        )
    }),
    ("mesh_flat", |s| flat(s, false)),
    ("mesh_flat_last", |s| {
        s.need(s.client.has.provoking.provoking_vertex_last != 0, "provokingVertexLast")?;
        flat(s, true)
    }),
    ("mesh_faces", |s| {
        let main = "SetMeshOutputsEXT(4 * 16, 2 * 16); uint n = gl_LocalInvocationIndex; quad(n, vec2(n % 4, n / 4) * .48 - .95, vec2(.44), vec4(n / 15.0, .5, 0, 1)); if ((n & 1) == 0) gl_PrimitiveTriangleIndicesEXT[2 * n] = 4 * n + uvec3(2, 1, 0);";
        let text = mesh("triangles, max_vertices = 64, max_primitives = 32", 16, main);
        let draw = Draw { mesh: &text, ..Draw::default() };
        let at = |y| vec![viewport(0.0, y, 64.0, 32.0)];
        meshes(s)?;
        s.render(
            &s.pass(),
            &[
                Draw { cull: vk::CullModeFlags::FRONT, viewports: at(0.0), ..draw.clone() },
                Draw { fragment: "o.b = gl_FrontFacing ? 1.0 : .2;", viewports: at(32.0), ..draw },
            ],
        )
    }),
    ("mesh_polygon_lines", |s| {
        s.need(s.client.has.core.fill_mode_non_solid != 0, "fillModeNonSolid")?;
        let main = "SetMeshOutputsEXT(4 * 4, 2 * 4); uint n = gl_LocalInvocationIndex; quad(n, vec2(n % 2, n / 2) * .95 - .91, vec2(.81), vec4(n & 1, n / 3.0, 1, 1));";
        let text = mesh("triangles, max_vertices = 16, max_primitives = 8", 4, main);
        one(s, Draw { mesh: &text, polygon: vk::PolygonMode::LINE, ..Draw::default() })
    }),
    ("mesh_samples", |s| {
        meshes(s)?;
        let pass = s.pass_of(4)?;
        let main = "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(21, 7); float t = i * .3; put(i, vec2(cos(t * 4.0), sin(t * 4.0)) * (i % 3 == 0 ? .2 : .9), vec4(i & 1, i / 20.0, .5, 1)); if (i < 7) gl_PrimitiveTriangleIndicesEXT[i] = 3 * i + uvec3(0, 1, 2);";
        let text = mesh("triangles, max_vertices = 21, max_primitives = 7", 21, main);
        s.render(&pass, &[Draw { mesh: &text, samples: 4, ..Draw::default() }])
    }),
    ("mesh_shared_memory", |s| {
        // Triangles that pass a test are compacted: prefix sums over the workgroup, with barriers between steps.
        let text = format!(
            "shared uint sums[64]; shared vec2 at[64];\nlayout(triangles, max_vertices = 192, max_primitives = 64) out;\n{}",
            body(
                64,
                "uint i = gl_LocalInvocationIndex; float t = i * 2.4; at[i] = vec2(cos(t), sin(t)) * sqrt(i / 64.0) * .85; barrier(); bool keep = distance(at[i], at[63 - i]) > .7; sums[i] = uint(keep); barrier();\n\
                for (uint d = 1; d < 64; d *= 2) { uint add = i >= d ? sums[i - d] : 0; barrier(); sums[i] += add; barrier(); }\n\
                uint n = sums[63]; SetMeshOutputsEXT(3 * n, n); if (keep) { uint k = sums[i] - 1; for (uint j = 0; j < 3; j++) put(3 * k + j, at[i] + .12 * vec2(cos(j * 2.1 + t), sin(j * 2.1 + t)), vec4(k / float(n), j & 1, .6, 1)); gl_PrimitiveTriangleIndicesEXT[k] = 3 * k + uvec3(0, 1, 2); }",
            )
        );
        one(s, Draw { mesh: &text, ..Draw::default() })
    }),
    ("mesh_subgroups", |s| {
        // The same sums by subgroup, whatever their size, one after the other.
        let text = format!(
            "shared uint of_subgroup[64];\nlayout(triangles, max_vertices = 192, max_primitives = 64) out;\n{}",
            body(
                64,
                "uint i = gl_LocalInvocationIndex; float t = i * 2.4; bool keep = (i * 37 % 64) > 22; uint before = subgroupExclusiveAdd(uint(keep)); uint all = subgroupAdd(uint(keep)); if (subgroupElect()) of_subgroup[gl_SubgroupID] = all; barrier();\n\
                uint n = 0; for (uint k = 0; k < gl_NumSubgroups; k++) { if (k == gl_SubgroupID) before += n; n += of_subgroup[k]; }\n\
                SetMeshOutputsEXT(3 * n, n); if (keep) { for (uint j = 0; j < 3; j++) put(3 * before + j, vec2(cos(t), sin(t)) * sqrt(i / 64.0) * .85 + .12 * vec2(cos(j * 2.1 + t), sin(j * 2.1 + t)), vec4(before / float(n), j & 1, .3, 1)); gl_PrimitiveTriangleIndicesEXT[before] = 3 * before + uvec3(0, 1, 2); }",
            )
        );
        one(s, Draw { mesh: &text, ..Draw::default() })
    }),
    ("mesh_order", |s| {
        // Each primitive covers those before, in the order of workgroups and of primitives in them.
        let main = "SetMeshOutputsEXT(16, 8); for (uint n = 0; n < 4; n++) { uint k = gl_WorkGroupID.x * 4 + n; float t = k * .196; quad(n, vec2(cos(t), sin(t)) * .55 - .3, vec2(.6), vec4(k & 1, k / 31.0, n / 3.0, 1)); }";
        let text = mesh("triangles, max_vertices = 16, max_primitives = 8", 1, main);
        let over = blend(
            vk::BlendFactor::CONSTANT_ALPHA,
            vk::BlendFactor::ONE_MINUS_CONSTANT_ALPHA,
            vk::BlendOp::ADD,
        );
        one(
            s,
            Draw {
                mesh: &text,
                groups: [8, 1, 1],
                blend: vec![over],
                constants: [0.6; 4],
                ..Draw::default()
            },
        )
    }),
    ("mesh_buffers", |s| {
        // A mesh in buffers: workgroups read parts of its list of triangles.
        let corners: Vec<f32> = (0..49)
            .flat_map(|k| {
                let (x, y) = ((k % 7) as f32 / 3.0 - 1.0, (k / 7) as f32 / 3.0 - 1.0);
                [x * (1.0 - 0.2 * y * y), y * (0.95 - 0.25 * x * x)]
            })
            .collect();
        let list: Vec<u32> = (0..36)
            .flat_map(|k| {
                let a = k / 6 * 7 + k % 6;
                [a, a + 1, a + 7, a + 1, a + 8, a + 7]
            })
            .collect();
        let corners: Vec<u8> = corners.into_iter().flat_map(f32::to_ne_bytes).collect();
        let list: Vec<u8> = list.into_iter().flat_map(u32::to_ne_bytes).collect();
        let bind = [Bind::Buffer(s.buffer(&corners)?), Bind::Buffer(s.buffer(&list)?)];
        let text = format!(
            "layout(binding = 0) readonly buffer A {{ vec2 corner[]; }}; layout(binding = 1) readonly buffer B {{ uint list[]; }};\n\
             layout(triangles, max_vertices = 24, max_primitives = 8) out;\n{}",
            body(
                8,
                "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(24, 8); uint k = gl_WorkGroupID.x * 8 + i; for (uint j = 0; j < 3; j++) put(3 * i + j, corner[list[3 * k + j]], vec4(k % 3 / 2.0, k / 71.0, j / 2.0, 1)); gl_PrimitiveTriangleIndicesEXT[i] = 3 * i + uvec3(0, 1, 2);"
            )
        );
        one(s, Draw { mesh: &text, bind: &bind, groups: [9, 1, 1], ..Draw::default() })
    }),
    ("task_payload", |s| {
        let task = format!(
            "{PAYLOAD}layout(local_size_x = 4) in; void main() {{ uint i = gl_LocalInvocationIndex, n = gl_WorkGroupID.x; t.color[i] = vec4(n / 3.0, i / 3.0, .5, 1); if (i == 0) t.first = n * 4; EmitMeshTasksEXT(4, 1, 1); }}"
        );
        let mesh = format!(
            "{PAYLOAD}{}",
            mesh(
                QUADS,
                1,
                "uint k = gl_WorkGroupID.x, n = t.first / 4; SetMeshOutputsEXT(4, 2); quad(0, vec2(k, n) * .48 - .95, vec2(.44), t.color[k] * (t.first + k) / 15.0);"
            )
        );
        one_of_tasks(s, Draw { task: &task, mesh: &mesh, groups: [4, 1, 1], ..Draw::default() })
    }),
    ("task_counts", |s| {
        // From none to 4 x 3 x 2 mesh workgroups, by task workgroup.
        let task = format!(
            "{PAYLOAD}layout(local_size_x = 1) in; void main() {{ uint n = gl_WorkGroupID.y; t.first = n; t.color[0] = vec4(n / 4.0, 0, 0, 1); EmitMeshTasksEXT(n, n == 4 ? 3 : min(n, 2), n == 3 ? 2 : 1); }}"
        );
        let mesh = format!(
            "{PAYLOAD}{}",
            mesh(
                QUADS,
                1,
                "uvec3 id = gl_WorkGroupID, n = gl_NumWorkGroups; SetMeshOutputsEXT(4, 2); quad(0, vec2(-.95 + id.x * .4 + id.z * .05, -.95 + t.first * .45 - .4 + id.y * .13 + id.z * .03), vec2(.36, .1), t.color[0] + vec4(0, vec2(id.yz + 1) / vec2(n.yz + 1), 0));"
            )
        );
        one_of_tasks(s, Draw { task: &task, mesh: &mesh, groups: [1, 5, 1], ..Draw::default() })
    }),
    ("task_selects", |s| {
        // The task stage tests 64 parts, and lists the visible ones.
        let shared = "shared uint n;\nstruct T { uint list[64]; uint n; }; taskPayloadSharedEXT T t;\n";
        let task = format!(
            "{shared}layout(local_size_x = 64) in; void main() {{ uint i = gl_LocalInvocationIndex; if (i == 0) {{ n = 0; t.n = 0; }} barrier(); bool seen = length(vec2(i % 8, i / 8) - 3.5) < p.x; \
            t.list[i] = 99; barrier(); for (uint k = 0; k < 64; k++) {{ if (k == i && seen) {{ t.list[n] = i; n++; }} barrier(); }} if (i == 0) t.n = n; barrier(); EmitMeshTasksEXT(n, 1, 1); }}"
        );
        let mesh = format!(
            "struct T {{ uint list[64]; uint n; }}; taskPayloadSharedEXT T t;\n{}",
            mesh(
                QUADS,
                1,
                "uint k = t.list[gl_WorkGroupID.x]; SetMeshOutputsEXT(4, 2); quad(0, vec2(k % 8, k / 8) * .24 - .95, vec2(.22), vec4(gl_WorkGroupID.x / float(t.n), k / 63.0, .4, 1));"
            )
        );
        one_of_tasks(s, Draw { task: &task, mesh: &mesh, push: [3.2, 0.0, 0.0, 0.0], ..Draw::default() })
    }),
    ("task_large_payload", |s| {
        // A payload of the maximum size that every device supports, every word of which affects the picture.
        let payload = "struct T { uint word[4096]; }; taskPayloadSharedEXT T t;\n";
        let task = format!(
            "{payload}layout(local_size_x = 32) in; void main() {{ for (uint k = gl_LocalInvocationIndex; k < 4096; k += 32) t.word[k] = (k + gl_WorkGroupID.x) * 2654435761u; EmitMeshTasksEXT(8, 4, 1); }}"
        );
        let mesh = format!(
            "{payload}{}",
            mesh(
                QUADS,
                1,
                "uvec3 id = gl_WorkGroupID; uint n = id.y * 8 + id.x, x = 0; for (uint k = 0; k < 128; k++) x ^= t.word[n * 128 + k] >> (k % 7); SetMeshOutputsEXT(4, 2); quad(0, vec2(id.x, id.y) * vec2(.24, .24) - .95 + vec2(0, t.word[0] == 0 ? 0 : .96), vec2(.22), vec4(x & 255, x >> 8 & 255, x >> 16 & 255, 255) / 255.0);"
            )
        );
        one_of_tasks(s, Draw { task: &task, mesh: &mesh, groups: [2, 1, 1], ..Draw::default() })
    }),
    ("task_order", |s| {
        let task = format!(
            "{PAYLOAD}layout(local_size_x = 1) in; void main() {{ t.first = gl_WorkGroupID.x * 3; EmitMeshTasksEXT(3, 1, 1); }}"
        );
        let mesh = format!(
            "{PAYLOAD}{}",
            mesh(
                QUADS,
                1,
                "uint k = t.first + gl_WorkGroupID.x; float a = k * .29; SetMeshOutputsEXT(4, 2); quad(0, vec2(cos(a), sin(a)) * .55 - .3, vec2(.6), vec4(k & 1, k / 29.0, k % 3 / 2.0, 1));"
            )
        );
        one_of_tasks(s, Draw { task: &task, mesh: &mesh, groups: [10, 1, 1], ..Draw::default() })
    }),
    ("mesh_indirect", |s| indirect(s, None)),
    ("mesh_indirect_count", |s| indirect(s, Some(3))),
    ("task_many", |s| {
        // 64 x 1,024 mesh workgroups, added up: each must run exactly once.
        let task = format!(
            "{PAYLOAD}layout(local_size_x = 1) in; void main() {{ t.first = gl_WorkGroupID.x; EmitMeshTasksEXT(32, 32, 1); }}"
        );
        let main = "uint n = t.first; SetMeshOutputsEXT(4, 2); vec2 at = vec2(gl_WorkGroupID.xy) / 16.0 - 1.0; quad(0, at, vec2(1 / 16.0), vec4(n & 1, n >> 1 & 1, (n * 5 + gl_WorkGroupID.x) % 7 == 0, 1) * (2.0 / 255.0));";
        let mesh = format!("{PAYLOAD}{}", mesh(QUADS, 1, main));
        one_of_tasks(
            s,
            Draw { task: &task, mesh: &mesh, groups: [64, 1, 1], blend: vec![additive()], ..Draw::default() },
        )
    }),
    ("mesh_views", views),
    ("mesh_queries", queries),
];

const QUADS: &str = "triangles, max_vertices = 4, max_primitives = 2";
const PAYLOAD: &str = "struct T { vec4 color[4]; uint first; }; taskPayloadSharedEXT T t;\n";
/// Head of a fragment shader that reads `f` per primitive.
const FLAT_OF_PRIMITIVE: &str =
    "#extension GL_EXT_mesh_shader : require\nlayout(location = 1) perprimitiveEXT in vec4 f;";

/// Source of a mesh shader with this output layout and workgroups of `local` invocations.
fn mesh(output: &str, local: u32, main: &str) -> String {
    mesh_of(&format!("layout({output}) out;"), local, main)
}

fn mesh_of(head: &str, local: u32, main: &str) -> String {
    format!("{head}\n{}", body(local, main))
}

/// Source after the output layout: `put` writes a vertex, `quad` four vertices and two triangles.
fn body(local: u32, main: &str) -> String {
    let quad = match main.contains("quad(") {
        true => {
            "void quad(uint n, vec2 at, vec2 size, vec4 c) { for (uint k = 0; k < 4; k++) put(4 * n + k, at + size * vec2(k & 1, k >> 1), c); gl_PrimitiveTriangleIndicesEXT[2 * n] = 4 * n + uvec3(0, 1, 2); gl_PrimitiveTriangleIndicesEXT[2 * n + 1] = 4 * n + uvec3(1, 3, 2); }\n"
        }
        false => "",
    };
    format!(
        "layout(local_size_x = {local}) in;\nlayout(location = 0) out vec4 v[];\nlayout(location = 1) flat out vec4 f[];\n\
         void put(uint i, vec2 at, vec4 c) {{ gl_MeshVerticesEXT[i].gl_Position = vec4(at, p.y, 1); v[i] = c; f[i] = c; }}\n\
         {quad}void main() {{ {main} }}"
    )
}

fn meshes(s: &Studio) -> Made<()> {
    s.need(s.client.has.mesh.mesh_shader != 0, "meshShader")
}

/// One draw over the picture.
fn one(s: &Studio, draw: Draw) -> Made<()> {
    meshes(s)?;
    s.render(&s.pass(), &[draw])
}

fn one_of_tasks(s: &Studio, draw: Draw) -> Made<()> {
    s.need(s.client.has.mesh.task_shader != 0, "taskShader")?;
    one(s, draw)
}

/// Triangles with clip or cull distances at their vertices.
fn distances(s: &Studio, name: &str, set: &str) -> Made<()> {
    let main = format!(
        "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(25, 32); if (i < 25) {{ vec2 q = vec2(i % 5, i / 5) * .45 - .9; put(i, q, vec4(q * .5 + .5, .4, 1)); {set} }} if (i < 32) {{ uint k = i / 2, a = k / 4 * 5 + k % 4; gl_PrimitiveTriangleIndicesEXT[i] = (i & 1) == 0 ? uvec3(a, a + 1, a + 5) : uvec3(a + 1, a + 6, a + 5); }}"
    );
    let head = format!(
        "out gl_MeshPerVertexEXT {{ vec4 gl_Position; float {name}[2]; }} gl_MeshVerticesEXT[];\nlayout(triangles, max_vertices = 25, max_primitives = 32) out;"
    );
    one(s, Draw { mesh: &mesh_of(&head, 32, &main), ..Draw::default() })
}

/// Flat inputs of points, lines and triangles come from the provoking vertex.
fn flat(s: &Studio, last_provokes: bool) -> Made<()> {
    meshes(s)?;
    let main = |index: &str| {
        format!(
            "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(8, 5); float t = i * .8; put(i, vec2(cos(t), sin(t)) * .9, vec4(i & 1, i >> 1 & 1, i >> 2, 1)); if (i < 5) {index}"
        )
    };
    let triangles = mesh(
        "triangles, max_vertices = 8, max_primitives = 5",
        8,
        &main("gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, (i + 2) % 8, (i + 3) % 8);"),
    );
    let lines = mesh(
        "lines, max_vertices = 8, max_primitives = 5",
        8,
        &main("gl_PrimitiveLineIndicesEXT[i] = uvec2(i, (i + 3) % 8);"),
    );
    let at = |x| vec![viewport(x, 0.0, 32.0, 64.0)];
    let draw = Draw { fragment: "o = f;", last_provokes, ..Draw::default() };
    s.render(
        &s.pass(),
        &[
            Draw { mesh: &triangles, viewports: at(0.0), ..draw.clone() },
            Draw { mesh: &lines, viewports: at(32.0), ..draw },
        ],
    )
}

/// Primitives select their layers.
fn layers(s: &mut Studio) -> Made<()> {
    meshes(s)?;
    let image = s.image(Of { layers: 4, ..Of::new(RGBA8, 32, 32, Of::target(RGBA8).usage) })?;
    let clear = Some(rgba([0.2, 0.1, 0.1, 1.0]));
    let target = Target { view: s.view(&image)?, format: RGBA8, clear, resolve: None };
    let pass = Pass { colors: vec![target], layers: 4, size: [32; 2], ..s.pass() };
    let main = "SetMeshOutputsEXT(4 * 16, 2 * 16); uint n = gl_LocalInvocationIndex; quad(n, vec2(n % 4, n / 4) * .48 - .95, vec2(.44), vec4(n / 15.0, .5, 0, 1)); gl_MeshPrimitivesEXT[2 * n].gl_Layer = int(n) % 4; gl_MeshPrimitivesEXT[2 * n + 1].gl_Layer = int(n / 4);";
    let text = mesh("triangles, max_vertices = 64, max_primitives = 32", 16, main);
    let viewports = vec![viewport(0.0, 0.0, 32.0, 32.0)];
    let fragment = "o.b = float(gl_Layer) / 3.0;";
    s.render(&pass, &[Draw { mesh: &text, fragment, viewports, ..Draw::default() }])?;
    quarters(s, &image)
}

/// Four layers of an image, side by side.
fn quarters(s: &Studio, image: &Image) -> Made<()> {
    let (sampler, view) = (s.sampler(|i| i)?, s.view(image)?);
    let body = "ivec2 q = ivec2(v.xy * 2.0); o = texture(t, vec3(fract(v.xy * 2.0), float(q.y * 2 + q.x)));";
    s.paint("layout(binding = 0) uniform sampler2DArray t;", body, &[Bind::Sampled(view, sampler)])
}

/// Primitives select one of sixteen viewports, each with its own scissor.
fn viewports(s: &mut Studio) -> Made<()> {
    meshes(s)?;
    s.need(s.client.has.core.multi_viewport != 0, "multiViewport")?;
    let at = |i: u32| (i % 4 * 16, i / 4 * 16);
    // Triangles that share the same three vertices.
    let main = "uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(3, 16); if (i < 3) put(i, vec2(cos(i * 2.1), sin(i * 2.1)) * .9, vec4(i == 0, i == 1, i == 2, 1)); gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1, i + 2) % 3; gl_MeshPrimitivesEXT[i].gl_ViewportIndex = int(i * 5 % 16);";
    let text = mesh("triangles, max_vertices = 3, max_primitives = 16", 16, main);
    let draw = Draw {
        mesh: &text,
        viewports: (0..16).map(|i| viewport(at(i).0 as f32, at(i).1 as f32, 16.0, 16.0)).collect(),
        scissors: (0..16).map(|i| [at(i).0 + i % 3, at(i).1, 16 - i % 5, 15]).collect(),
        ..Draw::default()
    };
    s.render(&s.pass(), &[draw])
}

/// Indirect draws with workgroup counts in a buffer: `count` draws, or all five.
fn indirect(s: &mut Studio, count: Option<u32>) -> Made<()> {
    s.need(s.client.has.core.multi_draw_indirect != 0, "multiDrawIndirect")?;
    let groups: [[u32; 3]; 5] = [[5, 1, 1], [2, 2, 1], [0, 3, 3], [3, 1, 1], [1, 1, 4]];
    let bytes: Vec<u8> = groups.as_flattened().iter().flat_map(|n| n.to_ne_bytes()).collect();
    let buffer = s.buffer(&bytes)?;
    let counted = count.map(|n| s.buffer(&n.to_ne_bytes())).transpose()?;
    let main = "uvec3 id = gl_WorkGroupID; SetMeshOutputsEXT(4, 2); quad(0, vec2(id.x, gl_DrawID) * .38 - .95 + vec2(0, .17 * id.y) + .07 * id.z, vec2(.33, .13), vec4(gl_DrawID / 4.0, id.x / 4.0, .3 + .2 * id.z, 1));";
    let text = mesh(QUADS, 1, main);
    one(s, Draw { mesh: &text, indirect: Some(buffer), counted, count: [0, 5], ..Draw::default() })
}

/// The workgroups of each view do different work.
fn views(s: &mut Studio) -> Made<()> {
    meshes(s)?;
    s.need(s.client.has.mesh.multiview_mesh_shader != 0, "multiviewMeshShader")?;
    let image = s.image(Of { layers: 4, ..Of::new(RGBA8, 32, 32, Of::target(RGBA8).usage) })?;
    let pass = Pass { colors: vec![s.target(&image)?], views: 0b1111, size: [32; 2], ..s.pass() };
    let main = "uint i = gl_LocalInvocationIndex, n = gl_ViewIndex + 3; SetMeshOutputsEXT(n, n - 2); if (i < n) { float t = i * 6.2832 / n; put(i, vec2(cos(t), sin(t)) * .9, vec4(i / 6.0, gl_ViewIndex / 3.0, .5, 1)); } if (i < n - 2) gl_PrimitiveTriangleIndicesEXT[i] = uvec3(0, i + 1, i + 2);";
    let text = mesh("triangles, max_vertices = 6, max_primitives = 4", 6, main);
    let viewports = vec![viewport(0.0, 0.0, 32.0, 32.0)];
    s.render(&pass, &[Draw { mesh: &text, viewports, ..Draw::default() }])?;
    quarters(s, &image)
}

/// Queries of the invocations of both stages and of primitives, as rows of bits with the lowest bit at the left.
fn queries(s: &mut Studio) -> Made<()> {
    use vk::QueryPipelineStatisticFlags as P;
    meshes(s)?;
    s.need(s.client.has.mesh.mesh_shader_queries != 0, "meshShaderQueries")?;
    let task = format!(
        "{PAYLOAD}layout(local_size_x = 3) in; void main() {{ t.first = gl_WorkGroupID.x; EmitMeshTasksEXT(gl_WorkGroupID.x + 2, 1, 1); }}"
    );
    let mesh = format!(
        "{PAYLOAD}{}",
        mesh(
            QUADS,
            5,
            "SetMeshOutputsEXT(4, 2); if (gl_LocalInvocationIndex == 0) quad(0, vec2(t.first, gl_WorkGroupID.x) * .2 - .9, vec2(.15), vec4(1));"
        )
    );
    let draw = Draw { task: &task, mesh: &mesh, groups: [7, 1, 1], ..Draw::default() };
    let buffer = s.buffer(&[0; 24])?;
    let d = &s.client.device;
    let statistics = P::TASK_SHADER_INVOCATIONS_EXT | P::MESH_SHADER_INVOCATIONS_EXT;
    let types = [vk::QueryType::PIPELINE_STATISTICS, vk::QueryType::MESH_PRIMITIVES_GENERATED_EXT];
    // SAFETY: the pools are made right here and reset outside of the pass; the queries begin and end within it, and
    // their results fit into the buffer, which belongs to the studio.
    unsafe {
        let pools = types.map(|ty| {
            let info = vk::QueryPoolCreateInfo::default().query_type(ty).query_count(1);
            let counts = ty == vk::QueryType::PIPELINE_STATISTICS;
            d.create_query_pool(&if counts { info.pipeline_statistics(statistics) } else { info }, None)
        });
        let pools = [pools[0]?, pools[1]?];
        pools.iter().for_each(|pool| d.cmd_reset_query_pool(s.commands, *pool, 0, 1));
        let pass = s.pass();
        s.begin(&pass);
        let none = vk::QueryControlFlags::empty();
        pools.iter().for_each(|pool| d.cmd_begin_query(s.commands, *pool, 0, none));
        s.draw(&pass, &draw)?;
        pools.iter().for_each(|pool| d.cmd_end_query(s.commands, *pool, 0));
        s.end();
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        d.cmd_copy_query_pool_results(s.commands, pools[0], 0, 1, buffer, 0, 16, flags);
        d.cmd_copy_query_pool_results(s.commands, pools[1], 0, 1, buffer, 16, 8, flags);
        s.barrier();
    }
    let body = "uint x = n[2 * (px.y / 22)]; o = vec4(vec3((x >> (px.x / 4)) & 1) * .8 + .1, 1); if (px.y % 22 == 0) o = vec4(.1, .1, .4, 1);";
    s.paint("layout(set = 0, binding = 0) buffer B { uint n[]; };", body, &[Bind::Buffer(buffer)])
}
