//! The simple scenes: shaders in GLSL, and the pipeline state that differs from the default.

use ash::vk;

/// A texture with a sampler at set 0, binding 0.
#[derive(Clone, Copy)]
pub struct Texture {
    /// Format of the texture, which has 16x16 texels and all levels.
    pub format: vk::Format,
    /// Filter within a level.
    pub filter: vk::Filter,
    /// Filter between levels.
    pub mip: vk::SamplerMipmapMode,
    /// Address mode of both axes.
    pub address: vk::SamplerAddressMode,
    /// Maximum number of samples of a footprint.
    pub anisotropy: f32,
    /// Comparison.
    pub compare: Option<vk::CompareOp>,
}

/// State of a draw.
#[derive(Clone, Copy)]
pub struct Draw {
    /// Vertices and instances.
    pub count: [u32; 2],
    /// Push constants.
    pub push: [f32; 4],
    /// Topology.
    pub topology: vk::PrimitiveTopology,
    /// Polygon mode.
    pub polygon: vk::PolygonMode,
    /// Culled faces.
    pub cull: vk::CullModeFlags,
    /// Depth test and write.
    pub depth: Option<(vk::CompareOp, bool)>,
    /// Depth bias: constant, slope.
    pub bias: Option<[f32; 2]>,
    /// True to clamp depth.
    pub depth_clamp: bool,
    /// Depth bounds.
    pub bounds: Option<[f32; 2]>,
    /// Stencil, front and back.
    pub stencil: Option<vk::StencilOpState>,
    /// Blending.
    pub blend: Option<(vk::BlendFactor, vk::BlendFactor, vk::BlendOp)>,
    /// Logic operation.
    pub logic: Option<vk::LogicOp>,
    /// Color write mask.
    pub mask: vk::ColorComponentFlags,
    /// Alpha to coverage.
    pub alpha_to_coverage: bool,
    /// Minimum fraction of the samples that are shaded separately.
    pub sample_shading: Option<f32>,
    /// Scissor: x, y, width, height.
    pub scissor: [u32; 4],
    /// True for a negative viewport height.
    pub flip: bool,
}

const DRAW: Draw = Draw {
    count: [3, 1],
    push: [0.0; 4],
    topology: vk::PrimitiveTopology::TRIANGLE_LIST,
    polygon: vk::PolygonMode::FILL,
    cull: vk::CullModeFlags::NONE,
    depth: None,
    bias: None,
    depth_clamp: false,
    bounds: None,
    stencil: None,
    blend: None,
    logic: None,
    mask: vk::ColorComponentFlags::RGBA,
    alpha_to_coverage: false,
    sample_shading: None,
    scissor: [0, 0, super::SIZE, super::SIZE],
    flip: false,
};

/// A scene.
pub struct Scene {
    /// Name of the scene and of its golden.
    pub name: &'static str,
    /// Body of the vertex shader, which sets `gl_Position` and `v`.
    pub vertex: &'static str,
    /// Body of the fragment shader, which sets `o` from `v`.
    pub fragment: &'static str,
    /// Samples per pixel.
    pub samples: u32,
    /// Texture, if the fragment shader reads `t`.
    pub texture: Option<Texture>,
    /// Draws, in order.
    pub draws: Vec<Draw>,
}

impl Scene {
    /// GLSL sources of both stages.
    pub fn shaders(&self) -> [String; 2] {
        let kind = match self.texture {
            Some(Texture { compare: Some(_), .. }) => "sampler2DShadow",
            _ => "sampler2D",
        };
        [
            format!(
                "#version 450\nlayout(push_constant) uniform P {{ vec4 p; }};\n\
                 layout(location = 0) out vec4 v;\nlayout(location = 1) flat out vec4 f;\n\
                 out float gl_ClipDistance[1];\n\
                 const vec2 CORNER[6] = vec2[](vec2(-.8, -.7), vec2(.9, -.5), vec2(-.2, .85), vec2(.6, .8), vec2(-.9, .3), vec2(.1, -.9));\n\
                 const vec2 QUAD[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));\n\
                 void main() {{\n gl_PointSize = 1.0; gl_ClipDistance[0] = 1.0; int i = gl_VertexIndex; v = f = vec4(i & 1, i >> 1 & 1, i >> 2 & 1, 1);\n{}\n}}\n",
                self.vertex
            ),
            format!(
                "#version 450\nlayout(push_constant) uniform P {{ vec4 p; }};\nlayout(location = 0) in vec4 v;\n\
                 layout(location = 1) flat in vec4 f;\nlayout(location = 0) out vec4 o;\n\
                 layout(set = 0, binding = 0) uniform {kind} t;\nvoid main() {{\n o = v;\n{}\n}}\n",
                self.fragment
            ),
        ]
    }
}

const TRIANGLE: &str = "gl_Position = vec4(CORNER[i % 6], p.x, 1);";
/// Two triangles with opposite facing.
const BOTH_WAYS: &str = "gl_Position = vec4(CORNER[i < 3 ? i : 8 - i], p.x, 1);";
const QUAD: &str = "gl_Position = vec4(QUAD[i % 4], p.x, 1); v = vec4(QUAD[i % 4] * .5 + .5, 0, 1);";
/// A floor that recedes.
const FLOOR: &str = "vec2 q = QUAD[i % 4]; float w = q.y < 0 ? 8.0 : 1.0; gl_Position = vec4(q.x * w, q.y * w, 0, w); v = vec4(q.x * 4.0, w * 2.0, 0, 1);";

const TEXTURE: Texture = Texture {
    format: vk::Format::R8G8B8A8_UNORM,
    filter: vk::Filter::LINEAR,
    mip: vk::SamplerMipmapMode::NEAREST,
    address: vk::SamplerAddressMode::REPEAT,
    anisotropy: 1.0,
    compare: None,
};

/// All scenes.
pub fn scenes() -> Vec<Scene> {
    use vk::{BlendFactor as F, BlendOp, CompareOp as C, PrimitiveTopology as T, StencilOp as S};
    let plain =
        |name, vertex, fragment, draws| Scene { name, vertex, fragment, samples: 1, texture: None, draws };
    let textured = |name, vertex, fragment, texture| Scene {
        name,
        vertex,
        fragment,
        samples: 1,
        texture: Some(texture),
        draws: vec![Draw { count: [4, 1], topology: T::TRIANGLE_STRIP, ..DRAW }],
    };
    let of = |topology, n| Draw { topology, count: [n, 1], ..DRAW };
    let quad = Draw { count: [4, 1], topology: T::TRIANGLE_STRIP, ..DRAW };
    let stencil = |compare_op, pass_op, reference| {
        Some(vk::StencilOpState {
            fail_op: S::KEEP,
            pass_op,
            depth_fail_op: S::KEEP,
            compare_op,
            compare_mask: 0xff,
            write_mask: 0xff,
            reference,
        })
    };
    let over = Some((F::SRC_ALPHA, F::ONE_MINUS_SRC_ALPHA, BlendOp::ADD));
    let samples = |mut scene: Scene, n| {
        scene.samples = n;
        scene
    };
    let address = |address| Texture { address, ..TEXTURE };
    let wide = "o = texture(t, v.xy * 3.0 - 1.0);";
    vec![
        plain("triangle", TRIANGLE, "", vec![DRAW]),
        plain("triangle_strip", TRIANGLE, "", vec![of(T::TRIANGLE_STRIP, 5)]),
        plain("triangle_fan", TRIANGLE, "", vec![of(T::TRIANGLE_FAN, 5)]),
        plain("lines", TRIANGLE, "", vec![of(T::LINE_LIST, 6)]),
        plain("line_strip", TRIANGLE, "", vec![of(T::LINE_STRIP, 6)]),
        plain(
            "points",
            "gl_Position = vec4(CORNER[i % 6] * .9, 0, 1); gl_PointSize = 1.0 + 3.0 * i;",
            "o = vec4(gl_PointCoord, v.x, 1);",
            vec![of(T::POINT_LIST, 6)],
        ),
        plain(
            "wireframe",
            TRIANGLE,
            "",
            vec![Draw { polygon: vk::PolygonMode::LINE, count: [6, 1], ..DRAW }],
        ),
        plain(
            "cull_back",
            BOTH_WAYS,
            "",
            vec![Draw { cull: vk::CullModeFlags::BACK, count: [6, 1], ..DRAW }],
        ),
        plain(
            "cull_front",
            TRIANGLE,
            "",
            vec![Draw { cull: vk::CullModeFlags::FRONT, count: [6, 1], ..DRAW }],
        ),
        plain(
            "front_facing",
            TRIANGLE,
            "o = gl_FrontFacing ? v : vec4(0, .5, 1, 1);",
            vec![Draw { count: [6, 1], ..DRAW }],
        ),
        plain("flat", TRIANGLE, "o = f;", vec![of(T::TRIANGLE_STRIP, 6)]),
        plain("perspective", "gl_Position = vec4(CORNER[i % 6], 0, 1) * float(1 + i * 2);", "", vec![DRAW]),
        plain("clip_near_far", "gl_Position = vec4(CORNER[i % 6], float(i) * .8 - .4, 1);", "", vec![DRAW]),
        plain(
            "depth_clamp",
            "gl_Position = vec4(CORNER[i % 6], float(i) * .8 - .4, 1);",
            "o = vec4(gl_FragCoord.zzz, 1);",
            vec![Draw { depth_clamp: true, ..DRAW }],
        ),
        plain(
            "clip_distance",
            "gl_Position = vec4(CORNER[i % 6], 0, 1); gl_ClipDistance[0] = gl_Position.x + .2;",
            "",
            vec![DRAW],
        ),
        plain("behind_the_eye", "gl_Position = vec4(CORNER[i % 6], 0, i == 2 ? -.5 : 1.0);", "", vec![DRAW]),
        plain("scissor", QUAD, "", vec![Draw { scissor: [10, 20, 30, 17], ..quad }]),
        plain("negative_viewport", TRIANGLE, "", vec![Draw { flip: true, ..DRAW }]),
        plain(
            "instances",
            "gl_Position = vec4(CORNER[i % 6] * .3 + vec2(gl_InstanceIndex % 3, gl_InstanceIndex / 3) * .6 - .6, 0, 1);",
            "",
            vec![Draw { count: [3, 9], ..DRAW }],
        ),
        plain(
            "depth_less",
            "gl_Position = vec4(CORNER[i % 6], .2 + .3 * float(i % 3), 1);",
            "",
            vec![Draw { count: [6, 1], depth: Some((C::LESS, true)), ..DRAW }],
        ),
        plain(
            "depth_equal",
            QUAD,
            "o = p;",
            vec![
                Draw { depth: Some((C::LESS, true)), push: [0.5, 0.2, 0.2, 1.0], ..quad },
                Draw {
                    depth: Some((C::EQUAL, false)),
                    push: [0.5, 0.9, 0.1, 1.0],
                    scissor: [0, 0, 32, 64],
                    ..quad
                },
                Draw {
                    depth: Some((C::EQUAL, false)),
                    push: [0.25, 0.0, 0.9, 1.0],
                    scissor: [16, 16, 40, 40],
                    ..quad
                },
            ],
        ),
        plain(
            "depth_bias",
            "gl_Position = vec4(QUAD[i % 4], .3 + .2 * QUAD[i % 4].x, 1);",
            "o = p;",
            vec![
                Draw { depth: Some((C::LESS, true)), push: [0.1, 0.3, 0.6, 1.0], ..quad },
                Draw {
                    depth: Some((C::LESS, true)),
                    bias: Some([-4.0, -1.0]),
                    push: [0.9, 0.5, 0.1, 1.0],
                    scissor: [16, 16, 32, 32],
                    ..quad
                },
            ],
        ),
        plain(
            "fragment_depth",
            QUAD,
            "gl_FragDepth = v.x < .5 ? .9 : v.y;",
            vec![
                Draw { depth: Some((C::LESS, true)), ..quad },
                Draw { depth: Some((C::LESS, true)), scissor: [8, 8, 48, 48], push: [0.0; 4], ..quad },
            ],
        ),
        plain(
            "depth_bounds",
            "gl_Position = vec4(QUAD[i % 4], .5 + .5 * QUAD[i % 4].x, 1);",
            "o = p;",
            vec![
                Draw { depth: Some((C::ALWAYS, true)), push: [0.1, 0.3, 0.6, 1.0], ..quad },
                Draw { bounds: Some([0.25, 0.75]), push: [0.9, 0.5, 0.1, 1.0], ..quad },
            ],
        ),
        plain(
            "stencil_mask",
            TRIANGLE,
            "",
            vec![
                Draw {
                    stencil: stencil(C::ALWAYS, S::REPLACE, 1),
                    mask: vk::ColorComponentFlags::empty(),
                    ..DRAW
                },
                Draw { stencil: stencil(C::EQUAL, S::KEEP, 1), count: [6, 1], ..DRAW },
            ],
        ),
        plain(
            "stencil_count",
            TRIANGLE,
            "o = p;",
            vec![
                Draw {
                    stencil: stencil(C::ALWAYS, S::INCREMENT_AND_CLAMP, 0),
                    count: [6, 1],
                    push: [0.0, 0.0, 0.3, 1.0],
                    ..DRAW
                },
                Draw {
                    stencil: stencil(C::EQUAL, S::KEEP, 2),
                    count: [6, 1],
                    push: [0.0, 1.0, 0.5, 1.0],
                    ..DRAW
                },
            ],
        ),
        plain(
            "blend_over",
            TRIANGLE,
            "o = vec4(v.rgb, .4);",
            vec![Draw { blend: over, count: [6, 1], ..DRAW }],
        ),
        plain(
            "blend_min",
            TRIANGLE,
            "o = vec4(v.rgb, 1);",
            vec![DRAW, Draw { blend: Some((F::ONE, F::ONE, BlendOp::MIN)), count: [6, 1], ..DRAW }],
        ),
        plain(
            "blend_subtract",
            TRIANGLE,
            "o = v * .7;",
            vec![
                quad,
                Draw {
                    blend: Some((F::DST_COLOR, F::ONE, BlendOp::REVERSE_SUBTRACT)),
                    count: [6, 1],
                    ..DRAW
                },
            ],
        ),
        plain(
            "logic_xor",
            TRIANGLE,
            "",
            vec![quad, Draw { logic: Some(vk::LogicOp::XOR), count: [6, 1], ..DRAW }],
        ),
        plain(
            "write_mask",
            TRIANGLE,
            "",
            vec![Draw {
                mask: vk::ColorComponentFlags::R | vk::ColorComponentFlags::A,
                count: [6, 1],
                ..DRAW
            }],
        ),
        plain(
            "discard",
            QUAD,
            "if ((int(gl_FragCoord.x) ^ int(gl_FragCoord.y)) % 3 == 0) discard;",
            vec![quad],
        ),
        plain(
            "derivatives",
            QUAD,
            "vec2 c = v.xy * v.xy; o = vec4(abs(dFdx(c)) * 30.0, abs(dFdy(c)).y * 30.0, 1);",
            vec![quad],
        ),
        samples(plain("four_samples", TRIANGLE, "", vec![Draw { count: [6, 1], ..DRAW }]), 4),
        samples(
            plain(
                "alpha_to_coverage",
                QUAD,
                "o = vec4(1, .5, .2, v.x);",
                vec![Draw { alpha_to_coverage: true, ..quad }],
            ),
            4,
        ),
        samples(
            plain(
                "sample_shading",
                QUAD,
                "o = vec4(gl_SampleID == int(v.x * 4.0), step(gl_SamplePosition, v.xy), 1);",
                vec![Draw { sample_shading: Some(1.0), ..quad }],
            ),
            4,
        ),
        samples(
            plain("sample_mask", QUAD, "gl_SampleMask[0] = 1 << (int(gl_FragCoord.x) % 4);", vec![quad]),
            4,
        ),
        textured(
            "nearest",
            QUAD,
            "o = texture(t, v.xy);",
            Texture { filter: vk::Filter::NEAREST, ..TEXTURE },
        ),
        textured("bilinear", QUAD, "o = texture(t, v.xy * .3);", TEXTURE),
        textured("mip_nearest", FLOOR, "o = texture(t, v.xy);", TEXTURE),
        textured(
            "trilinear",
            FLOOR,
            "o = texture(t, v.xy);",
            Texture { mip: vk::SamplerMipmapMode::LINEAR, ..TEXTURE },
        ),
        textured(
            "anisotropic",
            FLOOR,
            "o = texture(t, v.xy);",
            Texture { mip: vk::SamplerMipmapMode::LINEAR, anisotropy: 8.0, ..TEXTURE },
        ),
        textured("mirrored_repeat", QUAD, wide, address(vk::SamplerAddressMode::MIRRORED_REPEAT)),
        textured("clamp_to_edge", QUAD, wide, address(vk::SamplerAddressMode::CLAMP_TO_EDGE)),
        textured("clamp_to_border", QUAD, wide, address(vk::SamplerAddressMode::CLAMP_TO_BORDER)),
        textured(
            "srgb",
            QUAD,
            "o = texture(t, v.xy * .5);",
            Texture { format: vk::Format::R8G8B8A8_SRGB, ..TEXTURE },
        ),
        textured(
            "half_float",
            QUAD,
            "o = texture(t, v.xy * .5);",
            Texture { format: vk::Format::R16G16B16A16_SFLOAT, ..TEXTURE },
        ),
        textured("gather", QUAD, "o = textureGather(t, v.xy, 1);", TEXTURE),
        textured(
            "explicit_gradient",
            QUAD,
            "o = textureGrad(t, v.xy * 2.0, vec2(.1, 0), vec2(0, .3));",
            Texture { mip: vk::SamplerMipmapMode::LINEAR, ..TEXTURE },
        ),
        textured(
            "explicit_lod",
            QUAD,
            "o = textureLod(t, v.xy * 2.0, v.x * 4.0);",
            Texture { mip: vk::SamplerMipmapMode::LINEAR, ..TEXTURE },
        ),
        textured("texel_fetch", QUAD, "o = texelFetch(t, ivec2(v.xy * 16.0), 0);", TEXTURE),
        textured(
            "shadow",
            QUAD,
            "o = vec4(texture(t, vec3(v.xy, v.x)));",
            Texture { format: vk::Format::D32_SFLOAT, compare: Some(C::LESS_OR_EQUAL), ..TEXTURE },
        ),
    ]
}
