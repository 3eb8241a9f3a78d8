//! GLSL shaders for draws of the random calls, with the interface of the kernels.

use quadrille::Topology;

use crate::random::Random;

const PUSH: &str = "layout(push_constant) uniform P { uvec4 p; };\n";

/// Optional stages of a pipeline between the vertex shader and rasterization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Later {
    /// Domain, spacing and vertex order of tessellation.
    pub tessellation: Option<[&'static str; 3]>,
    /// `true` if tessellation generates points instead of lines or triangles.
    pub point_mode: bool,
    /// Input and output primitives of the geometry stage.
    pub geometry: Option<[&'static str; 2]>,
    /// `true` if transform feedback captures outputs of the last stage: colour and coordinates in buffer 0, positions
    /// in buffer 1, and with streams a word in buffer 2.
    pub captures: bool,
    /// Output primitives of a mesh stage, and `true` for a task stage before it. A mesh stage replaces the vertex stage
    /// and all stages above.
    pub mesh: Option<(&'static str, bool)>,
}

impl Later {
    /// Size of a captured vertex in each transform feedback buffer, in bytes.
    pub const STRIDES: [u32; 3] = [24, 16, 8];

    /// Returns random stages, and the topology that they require.
    pub fn random(r: &mut Random) -> (Later, Topology) {
        let mut later = Later { captures: r.one_in(2), ..Later::default() };
        let (tessellated, geometry) =
            [(true, false), (false, true), (true, true), (false, false)][r.below(4)];
        let topology = *r.pick(&[
            Topology::PointList,
            Topology::LineList,
            Topology::LineStrip,
            Topology::TriangleList,
            Topology::TriangleStrip,
            Topology::TriangleFan,
            Topology::LineListWithAdjacency,
            Topology::LineStripWithAdjacency,
            Topology::TriangleListWithAdjacency,
            Topology::TriangleStripWithAdjacency,
        ]);
        let mut input = match topology {
            Topology::PointList => "points",
            Topology::LineList | Topology::LineStrip => "lines",
            Topology::TriangleList | Topology::TriangleStrip | Topology::TriangleFan => "triangles",
            Topology::LineListWithAdjacency | Topology::LineStripWithAdjacency => "lines_adjacency",
            _ => "triangles_adjacency",
        };
        if tessellated {
            let domain = *r.pick(&["triangles", "quads", "isolines"]);
            let spacing = *r.pick(&["equal_spacing", "fractional_even_spacing", "fractional_odd_spacing"]);
            later.tessellation = Some([domain, spacing, *r.pick(&["cw", "ccw"])]);
            later.point_mode = r.one_in(4);
            input = match domain {
                _ if later.point_mode => "points",
                "isolines" => "lines",
                _ => "triangles",
            };
        }
        if geometry {
            later.geometry = Some([input, *r.pick(&["points", "line_strip", "triangle_strip"])]);
        }
        (later, if tessellated { Topology::PatchList } else { topology })
    }

    /// Returns a random mesh stage.
    pub fn random_mesh(r: &mut Random) -> Later {
        let output = *r.pick(&["points", "lines", "triangles"]);
        Later { mesh: Some((output, r.one_in(2))), ..Later::default() }
    }

    /// Returns the task stage, which launches zero to seven mesh workgroups.
    pub fn task(&self) -> String {
        format!(
            "#version 460\n#extension GL_EXT_mesh_shader : require\n{PUSH}
             taskPayloadSharedEXT uint seed[4];
             layout(local_size_x = 4) in;
             void main() {{
                 seed[gl_LocalInvocationIndex] = gl_WorkGroupID.x * 31u + gl_LocalInvocationIndex + p.y;
                 EmitMeshTasksEXT((gl_WorkGroupID.x + p.y) % 8u, 1u, 1u);
             }}"
        )
    }

    /// Returns the mesh stage. Some of its primitives are culled, and some workgroups output none.
    pub fn mesh(&self) -> String {
        let (output, task) = self.mesh.unwrap_or_default();
        let (payload, seed) = match task {
            true => ("taskPayloadSharedEXT uint seed[4];\n", "seed[k % 4u]"),
            false => ("", "p.y"),
        };
        let indices = match output {
            "points" => "gl_PrimitivePointIndicesEXT[k] = k;",
            "lines" => "gl_PrimitiveLineIndicesEXT[k] = uvec2(k, (k + 1u) % n);",
            _ => "gl_PrimitiveTriangleIndicesEXT[k] = uvec3(k, (k + 1u) % n, (k + 3u) % n);",
        };
        format!(
            "#version 460\n#extension GL_EXT_mesh_shader : require\n{PUSH}{payload}
             layout(local_size_x = 8) in;
             layout({output}, max_vertices = 24, max_primitives = 24) out;
             layout(location = 0) out vec4 color[]; layout(location = 1) out vec2 uv[];
             void main() {{
                 uint n = (gl_WorkGroupID.x * 5u + p.y) % 25u;
                 SetMeshOutputsEXT(n, n);
                 for (uint k = gl_LocalInvocationIndex; k < n; k += 8u) {{
                     uint h = ((gl_WorkGroupID.x + {seed}) * 7919u + k * 104729u) * 2654435761u >> 8u;
                     vec2 xy = vec2(h & 255u, h >> 8u & 255u) / 100.0 - 1.3;
                     float w = (h & 0x700000u) != 0u ? 1.0 + float(h >> 20u & 7u) / 8.0 : -0.5;
                     gl_MeshVerticesEXT[k].gl_Position = vec4(xy, float(h >> 16u & 15u) / 12.0 - 0.1, w);
                     gl_MeshVerticesEXT[k].gl_PointSize = float(h >> 12u & 7u) + 1.0;
                     color[k] = vec4(h & 3u, h >> 2u & 3u, h >> 4u & 3u, 3u) / 3.0; uv[k] = xy;
                     {indices}
                     gl_MeshPrimitivesEXT[k].gl_CullPrimitiveEXT = h % 5u == 0u;
                 }}
             }}"
        )
    }

    /// Returns `true` if transform feedback captures vertices on a second stream, too.
    pub fn streams(&self) -> bool {
        self.captures && self.geometry.is_some_and(|[_, out]| out == "points")
    }

    /// Declares the inputs of the rasterizer; `last` stages declare them as captured where `captures` is set.
    fn outputs(&self, last: bool) -> String {
        if !(last && self.captures) {
            return "layout(location = 0) out vec4 color; layout(location = 1) out vec2 uv;\n".into();
        }
        let [a, b, c] = Later::STRIDES;
        let mut text = format!(
            "layout(xfb_buffer = 0, xfb_stride = {a}) out; layout(xfb_buffer = 1, xfb_stride = {b}) out;
             layout(location = 0, xfb_buffer = 0, xfb_offset = 0) out vec4 color;
             layout(location = 1, xfb_buffer = 0, xfb_offset = 16) out vec2 uv;
             layout(xfb_buffer = 1) out gl_PerVertex {{ layout(xfb_offset = 0) vec4 gl_Position; float gl_PointSize; }};\n"
        );
        if self.streams() {
            text += &format!(
                "layout(stream = 1, xfb_buffer = 2, xfb_stride = {c}) out;
                 layout(stream = 1, location = 2, xfb_buffer = 2, xfb_offset = 4) flat out uint word;\n"
            );
        }
        text
    }

    /// Returns the tessellation control stage, whose levels include zero, NaN and 20.
    pub fn control(&self) -> String {
        format!(
            "#version 460\n{PUSH}layout(vertices = 4) out;
             layout(location = 0) in vec4 c[]; layout(location = 1) in vec2 u[];
             layout(location = 0) out vec4 color[]; layout(location = 1) out vec2 uv[];
             layout(location = 2) patch out float bend;
             float level(uint h) {{
                 return h % 61u == 0u ? 20.0 : h % 67u == 0u ? uintBitsToFloat(0x7fc00000u) : float(h & 15u) / 2.0 - 0.25;
             }}
             void main() {{
                 int i = gl_InvocationID, k = i % gl_PatchVerticesIn;
                 gl_out[gl_InvocationID].gl_Position = gl_in[k].gl_Position;
                 gl_out[gl_InvocationID].gl_PointSize = gl_in[k].gl_PointSize;
                 color[gl_InvocationID] = c[k];
                 uv[gl_InvocationID] = u[k];
                 barrier();
                 uint h = (uint(gl_PrimitiveID) * 7919u + p.y) * 2654435761u;
                 gl_TessLevelOuter[i] = level(h >> (5 + i));
                 if (i < 2) gl_TessLevelInner[i] = level(h >> (11 + i));
                 if (i == 3) bend = gl_out[0].gl_Position.x * 0.25 + uv[1].y * 0.125;
             }}"
        )
    }

    /// Returns the tessellation evaluation stage.
    pub fn evaluation(&self) -> String {
        let [domain, spacing, order] = self.tessellation.unwrap_or_default();
        let points = if self.point_mode { ", point_mode" } else { "" };
        let outputs = self.outputs(self.geometry.is_none());
        let weights = match domain {
            "triangles" => "vec4(t, 0.0)",
            _ => "vec4((1.0 - t.x) * (1.0 - t.y), t.x * (1.0 - t.y), (1.0 - t.x) * t.y, t.x * t.y)",
        };
        format!(
            "#version 460\n{PUSH}layout({domain}, {spacing}, {order}{points}) in;
             layout(location = 0) in vec4 c[]; layout(location = 1) in vec2 u[];
             layout(location = 2) patch in float bend;\n{outputs}
             void main() {{
                 vec3 t = gl_TessCoord;
                 vec4 w = {weights};
                 vec4 at = vec4(0.0), tint = vec4(0.0);
                 for (int i = 0; i < gl_PatchVerticesIn; i++) {{
                     at += gl_in[i].gl_Position * w[i];
                     tint += c[i] * w[i];
                 }}
                 gl_Position = at + vec4(0.0, bend * t.x, 0.0, 0.0);
                 gl_PointSize = gl_in[0].gl_PointSize;
                 color = tint;
                 uv = u[0] * t.x + u[1] * t.y + vec2(gl_TessLevelOuter[1], gl_TessLevelInner[0]) * 0.0625;
             }}"
        )
    }

    /// Returns the geometry stage.
    pub fn geometry(&self) -> String {
        let [input, output] = self.geometry.unwrap_or_default();
        let outputs = self.outputs(true);
        let emit = match self.streams() {
            true => "EmitStreamVertex(0); if ((h & 1u) != 0u) { word = h; EmitStreamVertex(1); }",
            false => "EmitVertex(); if (k == 3) EndPrimitive();",
        };
        format!(
            "#version 460\n{PUSH}layout({input}, invocations = 2) in; layout({output}, max_vertices = 12) out;
             layout(location = 0) in vec4 c[]; layout(location = 1) in vec2 u[];\n{outputs}
             void main() {{
                 uint h = (uint(gl_PrimitiveIDIn) * 7919u + uint(gl_InvocationID) + p.y) * 2654435761u >> 7u;
                 int n = int(h % 7u);
                 for (int k = 0; k < n; k++) {{
                     int v = k % gl_in.length();
                     gl_Position = gl_in[v].gl_Position + vec4(float(k) * 0.125, float(gl_InvocationID) * 0.25, 0.0, 0.0);
                     gl_PointSize = gl_in[v].gl_PointSize;
                     color = c[v]; uv = u[v] + float(k);
                     h = h * 1664525u + 1013904223u;
                     {emit}
                 }}
             }}"
        )
    }
}

/// Returns a vertex shader with positions and colours from attributes, or computed from the vertex index.
pub fn vertex(attributes: bool, later: &Later) -> String {
    let outputs = later.outputs(later.tessellation.is_none() && later.geometry.is_none());
    let (inputs, at, color) = if attributes {
        ("layout(location = 0) in vec2 at; layout(location = 1) in vec4 c;\n", "at", "c")
    } else {
        (
            "",
            "vec2(h & 255u, h >> 8u & 255u) / 100.0 - 1.3",
            "vec4(h & 3u, h >> 2u & 3u, h >> 4u & 3u, 3u) / 3.0",
        )
    };
    format!(
        "#version 460\n{PUSH}{inputs}{outputs}
         void main() {{
             uint h = (uint(gl_VertexIndex) * 7919u + uint(gl_InstanceIndex) * 104729u + p.y) * 2654435761u >> 8u;
             vec2 xy = {at};
             float w = (h & 0x1000000u) != 0u ? -0.5 : 1.0 + float(h >> 20u & 7u) / 8.0;
             gl_Position = vec4(xy, float(h >> 16u & 15u) / 12.0 - 0.1, w);
             gl_PointSize = float(h >> 12u & 7u) + 1.0; color = {color}; uv = xy;
         }}"
    )
}

/// Effect of a fragment shader besides its colour outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// Nothing.
    Plain,
    /// Discards some fragments.
    Discard,
    /// Writes depth.
    Depth,
    /// Samples the combined image.
    Sample,
    /// Counts with atomics in storage buffer 0.
    Store,
    /// Reads the size of the fragment, which density maps set.
    Size,
}

/// All kinds of fragment shaders, the plain one twice.
pub const FRAGMENTS: [Fragment; 7] = [
    Fragment::Plain,
    Fragment::Plain,
    Fragment::Discard,
    Fragment::Depth,
    Fragment::Sample,
    Fragment::Store,
    Fragment::Size,
];

/// Returns a fragment shader with outputs of these types: `vec4`, `uvec4` or `ivec4`.
pub fn fragment(types: &[&str], kind: Fragment) -> String {
    let mut text = String::from("#version 460\n");
    if kind == Fragment::Size {
        text += "#extension GL_EXT_fragment_invocation_density : require\n";
    }
    text += PUSH;
    text += "layout(location = 0) in vec4 color; layout(location = 1) in vec2 uv;\n";
    text += "layout(set = 0, binding = 0) buffer Out { uint w[]; } o;\n";
    text += "layout(set = 0, binding = 6) uniform sampler2D tex;\n";
    for (i, ty) in types.iter().enumerate() {
        text += &format!("layout(location = {i}) out {ty} c{i};\n");
    }
    text += "void main() { vec4 v = color;\n";
    text += match kind {
        Fragment::Plain => "",
        Fragment::Discard => "if ((int(gl_FragCoord.x) ^ int(gl_FragCoord.y)) % 3 == 0) discard;\n",
        Fragment::Depth => "gl_FragDepth = fract(uv.x * 3.0);\n",
        Fragment::Sample => "v = texture(tex, uv) + v * 0.25;\n",
        Fragment::Store => "atomicAdd(o.w[uint(gl_FragCoord.x) + p.z], 1u);\n",
        Fragment::Size => {
            "v *= vec3(1.0 / vec2(gl_FragSizeEXT), 1.0 / float(gl_FragInvocationCountEXT)).xyzz;\n"
        }
    };
    for (i, ty) in types.iter().enumerate() {
        text += &match *ty {
            "vec4" => format!("c{i} = v;\n"),
            other => format!("c{i} = {other}(v * 200.0);\n"),
        };
    }
    text + "}\n"
}
