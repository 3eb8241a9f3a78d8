//! [`Draw`]: a draw with all of its state, which mostly has default values.

use ash::vk;
use quadrille::Stage;

use super::SIZE;

/// A resource for shaders at set 0; its index in the list is the binding.
#[derive(Clone, Copy)]
pub enum Bind {
    /// Image and sampler.
    Sampled(vk::ImageView, vk::Sampler),
    /// Image with an immutable sampler, which converts from Y'CbCr.
    Converted(vk::ImageView, vk::Sampler),
    /// Storage image.
    Image(vk::ImageView),
    /// Uniform texel buffer.
    Texels(vk::BufferView),
    /// Storage texel buffer.
    StorageTexels(vk::BufferView),
    /// Storage buffer.
    Buffer(vk::Buffer),
    /// Input attachment.
    Input(vk::ImageView),
}

impl Bind {
    pub(super) fn ty(self) -> vk::DescriptorType {
        use vk::DescriptorType as D;
        match self {
            Bind::Sampled(..) | Bind::Converted(..) => D::COMBINED_IMAGE_SAMPLER,
            Bind::Image(_) => D::STORAGE_IMAGE,
            Bind::Texels(_) => D::UNIFORM_TEXEL_BUFFER,
            Bind::StorageTexels(_) => D::STORAGE_TEXEL_BUFFER,
            Bind::Buffer(_) => D::STORAGE_BUFFER,
            Bind::Input(_) => D::INPUT_ATTACHMENT,
        }
    }
}

/// A vertex buffer.
#[derive(Clone, Copy)]
pub struct Vertices {
    /// Buffer.
    pub buffer: vk::Buffer,
    /// Distance between elements, in bytes.
    pub stride: u32,
    /// Instances per element; without, one element per vertex.
    pub divisor: Option<u32>,
}

/// Depth test.
#[derive(Clone, Copy)]
pub struct Depth {
    /// Comparison.
    pub compare: vk::CompareOp,
    /// True to write depth.
    pub write: bool,
}

/// State of a draw.
#[derive(Clone)]
pub struct Draw<'a> {
    /// Declarations of the vertex shader.
    pub head: &'a str,
    /// Body of the vertex shader: sets `gl_Position` and `v` from the vertex index `i`.
    pub vertex: &'a str,
    /// Tessellation control shader: reads `a` of each vertex, which is the `v` of the vertex stage, and sets `b`.
    pub control: &'a str,
    /// Tessellation evaluation shader: reads `b`, sets `v` and `f`.
    pub evaluation: &'a str,
    /// Geometry shader: reads `a`, which is the `v` of the stage before, and sets `v` and `f`.
    pub geometry: &'a str,
    /// Task shader, which declares its whole interface itself.
    pub task: &'a str,
    /// Mesh shader, which replaces the stages above and declares its whole interface itself.
    pub mesh: &'a str,
    /// Workgroups of the task shader or, without one, of the mesh shader.
    pub groups: [u32; 3],
    /// Vertices per patch.
    pub patch: u32,
    /// True if the origin of the tessellation domain is its lower left corner.
    pub lower_left: bool,
    /// Declarations of the fragment shader. If it declares outputs, `o` is not declared; if it declares `v` or `f`,
    /// they are not declared again.
    pub fragment_head: &'a str,
    /// Body of the fragment shader, which sets `o`.
    pub fragment: &'a str,
    /// Vertices or indices, and instances.
    pub count: [u32; 2],
    /// First vertex or index.
    pub first: u32,
    /// Value added to indices.
    pub base: i32,
    /// Push constants, named `p`.
    pub push: [f32; 4],
    /// Resources at set 0.
    pub bind: &'a [Bind],
    /// Vertex buffers.
    pub vertices: &'a [Vertices],
    /// Attributes: location, buffer, format, offset.
    pub attributes: &'a [(u32, u32, vk::Format, u32)],
    /// Index buffer.
    pub index: Option<(vk::Buffer, vk::IndexType)>,
    /// Buffer with parameters of `count[1]` indirect draws.
    pub indirect: Option<vk::Buffer>,
    /// Buffer with the number of these draws, for mesh shaders.
    pub counted: Option<vk::Buffer>,
    /// Topology.
    pub topology: vk::PrimitiveTopology,
    /// Primitive restart.
    pub restart: bool,
    /// True if the last vertex provokes.
    pub last_provokes: bool,
    /// Polygon mode.
    pub polygon: vk::PolygonMode,
    /// Culled faces.
    pub cull: vk::CullModeFlags,
    /// Depth bias: constant, clamp, slope.
    pub bias: Option<[f32; 3]>,
    /// Depth clamping.
    pub clamp: bool,
    /// Depth clipping; `None`: the opposite of clamping.
    pub clip: Option<bool>,
    /// True if the view volume reaches from -w to w.
    pub from_minus_one: bool,
    /// Line width.
    pub line_width: f32,
    /// Shape of lines.
    pub lines: Option<vk::LineRasterizationModeEXT>,
    /// Stipple factor and pattern.
    pub stipple: Option<(u32, u16)>,
    /// Samples per pixel.
    pub samples: u32,
    /// Sample mask.
    pub sample_mask: Option<u32>,
    /// Alpha to coverage.
    pub alpha_to_coverage: bool,
    /// Alpha to one.
    pub alpha_to_one: bool,
    /// Minimum fraction of the samples that are shaded separately.
    pub sample_shading: Option<f32>,
    /// Depth test.
    pub depth: Option<Depth>,
    /// Depth bounds.
    pub bounds: Option<[f32; 2]>,
    /// Stencil, front and back.
    pub stencil: Option<[vk::StencilOpState; 2]>,
    /// Blending by attachment; the last one also applies to all further attachments.
    pub blend: Vec<vk::PipelineColorBlendAttachmentState>,
    /// Blend constants.
    pub constants: [f32; 4],
    /// Logic operation.
    pub logic: Option<vk::LogicOp>,
    /// Viewports.
    pub viewports: Vec<vk::Viewport>,
    /// Scissors: x, y, width, height.
    pub scissors: Vec<[u32; 4]>,
    /// Render pass and subpass; `None` for dynamic rendering.
    pub render_pass: Option<(vk::RenderPass, u32)>,
}

/// Writes all components without blending.
pub fn opaque() -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA)
}

/// Blends colour and alpha in the same way.
pub fn blend(
    source: vk::BlendFactor,
    target: vk::BlendFactor,
    op: vk::BlendOp,
) -> vk::PipelineColorBlendAttachmentState {
    opaque()
        .blend_enable(true)
        .src_color_blend_factor(source)
        .dst_color_blend_factor(target)
        .color_blend_op(op)
        .src_alpha_blend_factor(source)
        .dst_alpha_blend_factor(target)
        .alpha_blend_op(op)
}

/// Adds to the attachment.
pub fn additive() -> vk::PipelineColorBlendAttachmentState {
    blend(vk::BlendFactor::ONE, vk::BlendFactor::ONE, vk::BlendOp::ADD)
}

/// A viewport with the depth range 0 to 1.
pub fn viewport(x: f32, y: f32, width: f32, height: f32) -> vk::Viewport {
    vk::Viewport { x, y, width, height, min_depth: 0.0, max_depth: 1.0 }
}

impl Default for Draw<'_> {
    fn default() -> Self {
        let size = SIZE as f32;
        Draw {
            head: "",
            vertex: "gl_Position = vec4(CORNER[i % 6], p.x, 1);",
            control: "",
            evaluation: "",
            geometry: "",
            task: "",
            mesh: "",
            groups: [1; 3],
            patch: 0,
            lower_left: false,
            fragment_head: "",
            fragment: "",
            count: [3, 1],
            first: 0,
            base: 0,
            push: [0.0; 4],
            bind: &[],
            vertices: &[],
            attributes: &[],
            index: None,
            indirect: None,
            counted: None,
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            restart: false,
            last_provokes: false,
            polygon: vk::PolygonMode::FILL,
            cull: vk::CullModeFlags::NONE,
            bias: None,
            clamp: false,
            clip: None,
            from_minus_one: false,
            line_width: 1.0,
            lines: None,
            stipple: None,
            samples: 1,
            sample_mask: None,
            alpha_to_coverage: false,
            alpha_to_one: false,
            sample_shading: None,
            depth: None,
            bounds: None,
            stencil: None,
            blend: vec![opaque()],
            constants: [0.0; 4],
            logic: None,
            viewports: vec![viewport(0.0, 0.0, size, size)],
            scissors: vec![[0, 0, SIZE, SIZE]],
            render_pass: None,
        }
    }
}

impl Draw<'_> {
    /// A rectangle over the whole viewport, with `v` from 0 to 1.
    pub fn quad() -> Draw<'static> {
        Draw {
            vertex: "gl_Position = vec4(QUAD[i % 4], p.x, 1); v = vec4(QUAD[i % 4] * .5 + .5, 0, 1);",
            count: [4, 1],
            topology: vk::PrimitiveTopology::TRIANGLE_STRIP,
            ..Draw::default()
        }
    }

    /// Stages of the draw.
    pub(super) fn stages(&self) -> vk::ShaderStageFlags {
        use vk::ShaderStageFlags as S;
        let later = [
            (self.control, S::TESSELLATION_CONTROL),
            (self.evaluation, S::TESSELLATION_EVALUATION),
            (self.geometry, S::GEOMETRY),
        ];
        let later = later.into_iter().filter(|(text, _)| !text.is_empty());
        match (self.mesh, self.task) {
            ("", _) => later.fold(S::VERTEX | S::FRAGMENT, |all, (_, stage)| all | stage),
            (_, "") => S::MESH_EXT | S::FRAGMENT,
            _ => S::TASK_EXT | S::MESH_EXT | S::FRAGMENT,
        }
    }

    /// Sources of the stages between the vertex and the fragment stage.
    pub(super) fn later(&self) -> Vec<(Stage, String)> {
        const CONTROL: &str = "layout(location = 0) in vec4 a[];\nlayout(location = 0) out vec4 b[];\n";
        const OUT: &str = "layout(location = 0) out vec4 v;\nlayout(location = 1) flat out vec4 f;\n";
        let inputs = |name: &str| format!("layout(location = 0) in vec4 {name}[];\n{OUT}");
        let stages = [
            (Stage::TessellationControl, self.control, CONTROL.to_owned()),
            (Stage::TessellationEvaluation, self.evaluation, inputs("b")),
            (Stage::Geometry, self.geometry, inputs("a")),
        ];
        let present = stages.into_iter().filter(|(_, text, _)| !text.is_empty());
        let present = present.map(|(stage, text, interface)| (stage, later_source(text, &interface)));
        let meshes = [(Stage::Task, self.task), (Stage::Mesh, self.mesh)];
        let meshes = meshes.into_iter().filter(|(_, text)| !text.is_empty());
        present.chain(meshes.map(|(stage, text)| (stage, mesh_source(text)))).collect()
    }

    pub(super) fn sources(&self) -> [String; 2] {
        let input = match self.fragment_head.contains("in vec4 v;") {
            true => "",
            false => "layout(location = 0) in vec4 v;\n",
        };
        let flat = match self.fragment_head.contains("in vec4 f;") {
            true => "",
            false => "layout(location = 1) flat in vec4 f;\n",
        };
        let output = match self.fragment_head.contains(" out ")
            || self.fragment.is_empty() && self.fragment_head == "none"
        {
            true => ["", ""],
            false => ["layout(location = 0) out vec4 o;\n", "o = v;"],
        };
        [
            format!(
                "#version 450\n{}\nlayout(push_constant) uniform P {{ vec4 p; }};\n\
                 layout(location = 0) out vec4 v;\nlayout(location = 1) flat out vec4 f;\n\
                 const vec2 CORNER[6] = vec2[](vec2(-.8, -.7), vec2(.9, -.5), vec2(-.2, .85), vec2(.6, .8), vec2(-.9, .3), vec2(.1, -.9));\n\
                 const vec2 QUAD[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));\n\
                 void main() {{\n gl_PointSize = 1.0; int i = gl_VertexIndex; v = f = vec4(i & 1, i >> 1 & 1, i >> 2 & 1, 1);\n{}\n}}\n",
                self.head, self.vertex
            ),
            format!(
                "#version 450\n{}\nlayout(push_constant) uniform P {{ vec4 p; }};\n{input}\
                 {flat}{}void main() {{\n{}\n{}\n}}\n",
                self.fragment_head, output[0], output[1], self.fragment
            ),
        ]
    }
}

/// Source of a shader between vertex and fragment stage. A text with its own locations declares its whole interface.
fn later_source(text: &str, interface: &str) -> String {
    let interface = if text.contains("location = 0") { "" } else { interface };
    let (extension, text) = match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("#extension") => (first, rest),
        _ => ("", text),
    };
    format!("#version 450\n{extension}\nlayout(push_constant) uniform P {{ vec4 p; }};\n{interface}{text}\n")
}

/// Source of a task or mesh shader.
fn mesh_source(text: &str) -> String {
    let extensions =
        ["GL_EXT_mesh_shader", "GL_KHR_shader_subgroup_arithmetic", "GL_KHR_shader_subgroup_ballot"];
    let extensions: String = extensions.iter().map(|e| format!("#extension {e} : enable\n")).collect();
    format!(
        "#version 460\n{extensions}#extension GL_EXT_multiview : enable\n\
         layout(push_constant) uniform P {{ vec4 p; }};\n{text}\n"
    )
}
