//! Vertex and fragment shaders of the random calls, as GLSL. They share the kernels' interface.

const PUSH: &str = "layout(push_constant) uniform P { uvec4 p; };\n";

/// A vertex shader that takes positions and colours from attributes, or makes them of its indices.
pub fn vertex(attributes: bool) -> String {
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
        "#version 460\n{PUSH}{inputs}layout(location = 0) out vec4 color; layout(location = 1) out vec2 uv;
         void main() {{
             uint h = (uint(gl_VertexIndex) * 7919u + uint(gl_InstanceIndex) * 104729u + p.y) * 2654435761u >> 8u;
             vec2 xy = {at};
             float w = (h & 0x1000000u) != 0u ? -0.5 : 1.0 + float(h >> 20u & 7u) / 8.0;
             gl_Position = vec4(xy, float(h >> 16u & 15u) / 12.0 - 0.1, w);
             gl_PointSize = float(h >> 12u & 7u) + 1.0; color = {color}; uv = xy;
         }}"
    )
}

/// What a fragment shader does besides writing colours.
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
}

/// All, the plain one twice.
pub const FRAGMENTS: [Fragment; 6] =
    [Fragment::Plain, Fragment::Plain, Fragment::Discard, Fragment::Depth, Fragment::Sample, Fragment::Store];

/// A fragment shader with outputs of these types: `vec4`, `uvec4` or `ivec4`.
pub fn fragment(types: &[&str], kind: Fragment) -> String {
    let mut text =
        format!("#version 460\n{PUSH}layout(location = 0) in vec4 color; layout(location = 1) in vec2 uv;\n");
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
    };
    for (i, ty) in types.iter().enumerate() {
        text += &match *ty {
            "vec4" => format!("c{i} = v;\n"),
            other => format!("c{i} = {other}(v * 200.0);\n"),
        };
    }
    text + "}\n"
}
