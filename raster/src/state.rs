//! What a draw is made of: the fixed-function state, in Vulkan's words.
//!
//! A [`DrawStateDesc`] is data; [`DrawState`] is its prepared form: interfaces linked, formats
//! checked, kernels made. Preparing is where things fail; drawing with a prepared state does not
//! compile anything. What changes from draw to draw without preparation is in [`Dynamic`].

use quadrille_jit::ir::{DepthLayout, GeometryInput, Interface, MAX_STREAMS, Shader, StageKind, Xfb};

use crate::memory::format::Format;

/// What the pipeline needs to know of a shader besides its lane function.
#[derive(Clone, Debug, Default)]
pub struct StageInfo {
    /// Name of the entry point, for messages.
    pub name: String,
    /// As `Shader::inputs`.
    pub inputs: Vec<Interface>,
    /// As `Shader::outputs`.
    pub outputs: Vec<Interface>,
    /// As `Shader::patch_inputs`.
    pub patch_inputs: Vec<Interface>,
    /// As `Shader::patch_outputs`.
    pub patch_outputs: Vec<Interface>,
    /// As `Shader::primitive_outputs`.
    pub primitive_outputs: Vec<Interface>,
    /// As `Shader::local_size`.
    pub local_size: [u32; 3],
    /// As `Shader::xfb`.
    pub xfb: Xfb,
    /// As `Shader::sample_shading`.
    pub sample_shading: bool,
    /// As `Shader::centroid`.
    pub centroid: bool,
    /// As `Shader::discards`.
    pub discards: bool,
    /// As `Shader::writes_memory`.
    pub writes_memory: bool,
    /// As `Shader::early_fragment_tests`.
    pub early_fragment_tests: bool,
    /// As `Shader::depth_layout`.
    pub depth_layout: DepthLayout,
}

impl From<&Shader> for StageInfo {
    fn from(s: &Shader) -> Self {
        StageInfo {
            name: s.name.clone(),
            inputs: s.inputs.clone(),
            outputs: s.outputs.clone(),
            patch_inputs: s.patch_inputs.clone(),
            patch_outputs: s.patch_outputs.clone(),
            primitive_outputs: s.primitive_outputs.clone(),
            local_size: s.local_size,
            xfb: s.xfb.clone(),
            sample_shading: s.sample_shading,
            centroid: s.centroid,
            discards: s.discards,
            writes_memory: s.writes_memory,
            early_fragment_tests: s.early_fragment_tests,
            depth_layout: s.depth_layout,
        }
    }
}

impl StageInfo {
    /// What stands for a stage that is not there.
    const NONE: StageInfo = StageInfo {
        name: String::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        patch_inputs: Vec::new(),
        patch_outputs: Vec::new(),
        primitive_outputs: Vec::new(),
        local_size: [0; 3],
        xfb: Xfb { outputs: Vec::new(), strides: [0; MAX_STREAMS], streams: [0; MAX_STREAMS] },
        sample_shading: false,
        centroid: false,
        discards: false,
        writes_memory: false,
        early_fragment_tests: false,
        depth_layout: DepthLayout::Any,
    };
}

/// A stage before rasterization.
#[derive(Clone, Debug, Default)]
pub struct PreRasterStage {
    /// Which, with its execution modes.
    pub kind: StageKind,
    /// Its shader.
    pub info: StageInfo,
}

impl PreRasterStage {
    /// The vertex stage.
    pub fn vertex(info: StageInfo) -> Self {
        PreRasterStage { kind: StageKind::Vertex, info }
    }
}

/// When a vertex binding advances. Spec: VkVertexInputRate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexRate {
    /// Every vertex.
    #[default]
    Vertex,
    /// Every so many instances; 0 never advances.
    Instance(u32),
}

/// Spec: VkVertexInputBindingDescription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VertexBinding {
    /// Binding number: index into the bound vertex buffers.
    pub binding: u32,
    /// Bytes between elements.
    pub stride: u32,
    /// When it advances.
    pub rate: VertexRate,
}

/// Spec: VkVertexInputAttributeDescription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexAttribute {
    /// Location of the shader input.
    pub location: u32,
    /// Binding number.
    pub binding: u32,
    /// Format in memory.
    pub format: Format,
    /// Bytes from the start of the element.
    pub offset: u32,
}

/// Spec: VkPrimitiveTopology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkPrimitiveTopology")]
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    #[default]
    TriangleList,
    TriangleStrip,
    TriangleFan,
    LineListWithAdjacency,
    LineStripWithAdjacency,
    TriangleListWithAdjacency,
    TriangleStripWithAdjacency,
    PatchList,
}

impl Topology {
    /// What a geometry stage takes that gets its primitives as they are; `None` for patches.
    pub fn primitive(self) -> Option<GeometryInput> {
        Some(match self {
            Topology::PointList => GeometryInput::Points,
            Topology::LineList | Topology::LineStrip => GeometryInput::Lines,
            Topology::TriangleList | Topology::TriangleStrip | Topology::TriangleFan => {
                GeometryInput::Triangles
            }
            Topology::LineListWithAdjacency | Topology::LineStripWithAdjacency => {
                GeometryInput::LinesAdjacency
            }
            Topology::TriangleListWithAdjacency | Topology::TriangleStripWithAdjacency => {
                GeometryInput::TrianglesAdjacency
            }
            Topology::PatchList => return None,
        })
    }
}

/// Where v is 0 in the domain of tessellation: it says which order of vertices is clockwise.
/// Spec: VkTessellationDomainOrigin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkTessellationDomainOrigin")]
pub enum DomainOrigin {
    #[default]
    UpperLeft,
    LowerLeft,
}

/// Spec: VkLineRasterizationMode; the default mode is that of rectangular lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkLineRasterizationMode")]
pub enum LineMode {
    #[default]
    Rectangular,
    Bresenham,
    RectangularSmooth,
}

/// Spec: vkCmdSetLineStipple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineStipple {
    /// Times that each bit is repeated, 1 to 256.
    pub factor: u32,
    /// Bits, the lowest first.
    pub pattern: u16,
}

impl Default for LineStipple {
    fn default() -> Self {
        LineStipple { factor: 1, pattern: 0xffff }
    }
}

/// Spec: VkCullModeFlags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CullMode {
    /// Front-facing triangles are dropped.
    pub front: bool,
    /// Back-facing triangles are dropped.
    pub back: bool,
}

/// Spec: VkFrontFace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkFrontFace")]
pub enum FrontFace {
    #[default]
    CounterClockwise,
    Clockwise,
}

/// Spec: VkPolygonMode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkPolygonMode")]
pub enum PolygonMode {
    #[default]
    Fill,
    Line,
    Point,
}

/// Spec: VkCompareOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkCompareOp")]
pub enum CompareOp {
    Never,
    Less,
    Equal,
    LessOrEqual,
    Greater,
    NotEqual,
    GreaterOrEqual,
    #[default]
    Always,
}

impl CompareOp {
    /// True when `a op b`; comparisons with NaN hold for `NotEqual` and `Always` only.
    #[inline]
    pub fn test<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            CompareOp::Never => false,
            CompareOp::Less => a < b,
            CompareOp::Equal => a == b,
            CompareOp::LessOrEqual => a <= b,
            CompareOp::Greater => a > b,
            CompareOp::NotEqual => a != b,
            CompareOp::GreaterOrEqual => a >= b,
            CompareOp::Always => true,
        }
    }
}

/// Depth test and write. Spec: VkPipelineDepthStencilStateCreateInfo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DepthState {
    /// depthTestEnable; without it, depth is not written either.
    pub test: bool,
    /// depthWriteEnable.
    pub write: bool,
    /// depthCompareOp.
    pub compare: CompareOp,
    /// depthBoundsTestEnable.
    pub bounds: bool,
}

/// Spec: VkStencilOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkStencilOp")]
pub enum StencilOp {
    #[default]
    Keep,
    Zero,
    Replace,
    IncrementAndClamp,
    DecrementAndClamp,
    Invert,
    IncrementAndWrap,
    DecrementAndWrap,
}

impl StencilOp {
    /// The value that becomes of an 8-bit `old` one.
    #[inline]
    pub fn apply(self, old: u32, reference: u32) -> u32 {
        match self {
            StencilOp::Keep => old,
            StencilOp::Zero => 0,
            StencilOp::Replace => reference & 255,
            StencilOp::IncrementAndClamp => (old + 1).min(255),
            StencilOp::DecrementAndClamp => old.saturating_sub(1),
            StencilOp::Invert => !old & 255,
            StencilOp::IncrementAndWrap => (old + 1) & 255,
            StencilOp::DecrementAndWrap => old.wrapping_sub(1) & 255,
        }
    }
}

/// Spec: VkStencilOpState, without the masks and the reference, which are dynamic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StencilFace {
    /// failOp.
    pub fail: StencilOp,
    /// passOp.
    pub pass: StencilOp,
    /// depthFailOp.
    pub depth_fail: StencilOp,
    /// compareOp.
    pub compare: CompareOp,
}

impl StencilFace {
    /// True if nothing is ever written.
    pub fn keeps(&self) -> bool {
        [self.fail, self.pass, self.depth_fail] == [StencilOp::Keep; 3]
    }
}

/// Spec: VkBlendFactor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkBlendFactor")]
pub enum BlendFactor {
    #[default]
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstantColor,
    OneMinusConstantColor,
    ConstantAlpha,
    OneMinusConstantAlpha,
    SrcAlphaSaturate,
    Src1Color,
    OneMinusSrc1Color,
    Src1Alpha,
    OneMinusSrc1Alpha,
}

/// Spec: VkBlendOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkBlendOp")]
pub enum BlendOp {
    #[default]
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
    /// Colour and alpha together: in the equations of both, whose factors do not count.
    Advanced(AdvancedBlend),
}

/// How an advanced operation mixes. Spec: VkPipelineColorBlendAdvancedStateCreateInfoEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AdvancedBlend {
    /// The operation.
    pub op: AdvancedOp,
    /// The source's colour has been multiplied by its alpha.
    pub src_premultiplied: bool,
    /// The destination's likewise.
    pub dst_premultiplied: bool,
    /// How the areas of both overlap.
    pub overlap: BlendOverlap,
}

/// Spec: VkBlendOverlapEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkBlendOverlapEXT")]
pub enum BlendOverlap {
    Uncorrelated,
    Disjoint,
    Conjoint,
}

macro_rules! advanced_ops {
    ($($op:ident),* $(,)?) => {
        /// Spec: VkBlendOp, advanced ones.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of VkBlendOp")]
        pub enum AdvancedOp { $($op),* }

        impl AdvancedOp {
            /// All, in the order of their numbers from `VK_BLEND_OP_ZERO_EXT` on.
            pub const ALL: &[AdvancedOp] = &[$(AdvancedOp::$op),*];
        }
    };
}

advanced_ops! {
    Zero, Src, Dst, SrcOver, DstOver, SrcIn, DstIn, SrcOut, DstOut, SrcAtop, DstAtop, Xor, Multiply, Screen,
    Overlay, Darken, Lighten, ColorDodge, ColorBurn, HardLight, SoftLight, Difference, Exclusion, Invert,
    InvertRgb, LinearDodge, LinearBurn, VividLight, LinearLight, PinLight, HardMix, HslHue, HslSaturation,
    HslColor, HslLuminosity, Plus, PlusClamped, PlusClampedAlpha, PlusDarker, Minus, MinusClamped, Contrast,
    InvertOvg, Red, Green, Blue,
}

/// Factors and operation of colour or of alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlendEquation {
    /// Multiplies the source.
    pub src: BlendFactor,
    /// Multiplies the destination.
    pub dst: BlendFactor,
    /// Combines the products; minimum and maximum ignore the factors.
    pub op: BlendOp,
}

/// Blending of one attachment. Spec: VkPipelineColorBlendAttachmentState.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlendState {
    /// Blending is done; without, the source replaces what is there.
    pub enable: bool,
    /// Colour and alpha equations.
    pub equations: [BlendEquation; 2],
    /// Components written: bits 0 to 3 for R, G, B, A.
    pub write_mask: u8,
}

macro_rules! logic_ops {
    ($($name:ident)*) => {
        /// Spec: VkLogicOp.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of VkLogicOp")]
        pub enum LogicOp { $($name),* }

        impl LogicOp {
            /// From the number of a `VkLogicOp`.
            pub fn from_vk(v: u32) -> Option<LogicOp> {
                [$(LogicOp::$name),*].get(v as usize).copied()
            }
        }
    };
}

logic_ops! {
    Clear And AndReverse Copy AndInverted NoOp Xor Or
    Nor Equivalent Invert OrReverse CopyInverted OrInverted Nand Set
}

impl Default for LogicOp {
    /// The source replaces what is there.
    fn default() -> Self {
        LogicOp::Copy
    }
}

impl LogicOp {
    /// The operation on bits of the source and of what is there.
    #[inline]
    pub fn apply(self, s: u128, d: u128) -> u128 {
        match self {
            LogicOp::Clear => 0,
            LogicOp::And => s & d,
            LogicOp::AndReverse => s & !d,
            LogicOp::Copy => s,
            LogicOp::AndInverted => !s & d,
            LogicOp::NoOp => d,
            LogicOp::Xor => s ^ d,
            LogicOp::Or => s | d,
            LogicOp::Nor => !(s | d),
            LogicOp::Equivalent => !(s ^ d),
            LogicOp::Invert => !d,
            LogicOp::OrReverse => s | !d,
            LogicOp::CopyInverted => !s,
            LogicOp::OrInverted => !s | d,
            LogicOp::Nand => !(s & d),
            LogicOp::Set => !0,
        }
    }
}

impl Default for BlendState {
    fn default() -> Self {
        BlendState { enable: false, equations: Default::default(), write_mask: 0xf }
    }
}

impl BlendState {
    /// `src * src.a + dst * (1 - src.a)`, alpha accumulated likewise with factor one.
    pub fn source_over() -> Self {
        let color = BlendEquation {
            src: BlendFactor::SrcAlpha,
            dst: BlendFactor::OneMinusSrcAlpha,
            op: BlendOp::Add,
        };
        BlendState {
            enable: true,
            equations: [color, BlendEquation { src: BlendFactor::One, ..color }],
            write_mask: 0xf,
        }
    }
}

/// Everything of a graphics pipeline that is not a lane function and not in [`Dynamic`].
#[derive(Clone, Debug, Default)]
pub struct DrawStateDesc {
    /// The stages before rasterization, in pipeline order: the vertex stage, then maybe tessellation control
    /// and evaluation, then maybe geometry; or the mesh stage, maybe after the task stage.
    pub stages: Vec<PreRasterStage>,
    /// The fragment stage.
    pub fragment: Option<StageInfo>,
    /// Vertex buffer bindings.
    pub vertex_bindings: Vec<VertexBinding>,
    /// Vertex attributes.
    pub vertex_attributes: Vec<VertexAttribute>,
    /// Strides that take the place of those in `vertex_bindings`, by binding number.
    pub vertex_strides: Vec<Option<u32>>,
    /// ViewIndex is 0 in the vertex and in the fragment stage, whatever the view.
    /// Spec: VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT.
    pub view_index_is_zero: [bool; 2],
    /// Bindings and attributes are not known yet: nothing can be drawn.
    pub vertex_input_later: bool,
    /// How vertices make primitives; the mesh stage says it itself.
    pub topology: Topology,
    /// Where the domain of tessellation begins.
    pub domain_origin: DomainOrigin,
    /// The index with all bits set begins a new strip or fan.
    pub primitive_restart: bool,
    /// Nothing is rasterized.
    pub rasterizer_discard: bool,
    /// The stream of the last stage that is rasterized. Spec: VkPipelineRasterizationStateStreamCreateInfoEXT.
    pub rasterization_stream: u32,
    /// Faces dropped.
    pub cull: CullMode,
    /// Which winding is front.
    pub front_face: FrontFace,
    /// Fill, line or point.
    pub polygon_mode: PolygonMode,
    /// How lines are rasterized.
    pub line_mode: LineMode,
    /// Lines are stippled.
    pub line_stipple: bool,
    /// Flat inputs come from the last vertex of a primitive, not the first.
    pub provoking_last: bool,
    /// Depth is clamped to the viewport's range.
    pub depth_clamp: bool,
    /// Primitives are clipped to the depth range; `None`: unless depth is clamped.
    /// Spec: VkPipelineRasterizationDepthClipStateCreateInfoEXT.
    pub depth_clip: Option<bool>,
    /// The view volume reaches from -w to w. Spec: VkPipelineViewportDepthClipControlCreateInfoEXT.
    pub negative_one_to_one: bool,
    /// Depth bias is applied.
    pub depth_bias: bool,
    /// Depth test and write.
    pub depth: DepthState,
    /// The stencil test is done.
    pub stencil_test: bool,
    /// Stencil test of front and back faces.
    pub stencil: [StencilFace; 2],
    /// Blending, by colour attachment; missing ones replace.
    pub blend: Vec<BlendState>,
    /// Whether each colour attachment is written; missing ones are.
    pub color_write_enable: Vec<bool>,
    /// The logic operation takes the place of blending in attachments that are neither float nor sRGB.
    pub logic_op_enable: bool,
    /// The logic operation.
    pub logic_op: LogicOp,
    /// Formats of the colour attachments; `None` is unused.
    pub color_formats: Vec<Option<Format>>,
    /// Location whose outputs each colour attachment takes: `None` takes nothing; those past the end have
    /// their own number. Spec: VkRenderingAttachmentLocationInfo.
    pub color_locations: Vec<Option<u32>>,
    /// Format of the depth attachment.
    pub depth_format: Option<Format>,
    /// Format of the stencil attachment.
    pub stencil_format: Option<Format>,
    /// Rasterization samples; 0 counts as 1.
    pub samples: u32,
    /// The fragment stage runs per sample.
    pub sample_shading: bool,
    /// Samples that may be covered; `None`: all.
    pub sample_mask: Option<u32>,
    /// Alpha of colour 0 masks samples.
    pub alpha_to_coverage: bool,
    /// The alpha of all colours becomes one.
    pub alpha_to_one: bool,
    /// Lane group size of the fragment stage, for which kernels are prepared; 0 counts as 8.
    pub lanes: u32,
    /// Merges pixel by pixel, without kernels: the slow twin, for tests.
    pub scalar_merge: bool,
}

impl DrawStateDesc {
    /// The vertex stage; one without inputs and outputs where there is none.
    pub fn vertex(&self) -> &StageInfo {
        let first = self.stages.first().filter(|s| s.kind == StageKind::Vertex);
        first.map_or(const { &StageInfo::NONE }, |s| &s.info)
    }

    /// The first stage.
    pub fn first(&self) -> &StageInfo {
        self.stages.first().map_or(const { &StageInfo::NONE }, |s| &s.info)
    }

    /// The mesh stage puts out the primitives, with no vertex input and no topology.
    pub fn has_mesh(&self) -> bool {
        self.stages.last().is_some_and(|s| matches!(s.kind, StageKind::Mesh(_)))
    }

    /// The last stage before rasterization.
    pub fn last(&self) -> &StageInfo {
        self.stages.last().map_or(const { &StageInfo::NONE }, |s| &s.info)
    }

    /// Primitives are clipped to the depth range.
    pub fn clips_depth(&self) -> bool {
        self.depth_clip.unwrap_or(!self.depth_clamp)
    }

    /// Bytes between the elements of a binding.
    pub fn stride(&self, binding: &VertexBinding) -> u32 {
        let own = self.vertex_strides.get(binding.binding as usize);
        own.copied().flatten().unwrap_or(binding.stride)
    }
}

/// A viewport. Spec: VkViewport; height may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewport {
    /// Left.
    pub x: f32,
    /// Top.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// Depth of z = 0.
    pub min_depth: f32,
    /// Depth of z = w.
    pub max_depth: f32,
}

impl Viewport {
    /// A whole picture, depth from 0 to 1.
    pub fn of_size(width: u32, height: u32) -> Self {
        Viewport { width: width as f32, height: height as f32, max_depth: 1.0, ..Viewport::default() }
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl Rect {
    /// A whole picture.
    pub fn of_size(width: u32, height: u32) -> Self {
        Rect { x: 0, y: 0, width, height }
    }
}

/// Unit of the constant factor of the depth bias. Spec: VkDepthBiasRepresentationEXT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthBiasUnit {
    /// The least difference that the format resolves.
    #[default]
    Format,
    /// Likewise, with floats as 24-bit numbers.
    ForceUnorm,
    /// One.
    Float,
}

/// Spec: vkCmdSetDepthBias.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DepthBias {
    /// depthBiasConstantFactor.
    pub constant: f32,
    /// depthBiasClamp.
    pub clamp: f32,
    /// depthBiasSlopeFactor.
    pub slope: f32,
    /// What the constant factor multiplies.
    pub unit: DepthBiasUnit,
}

/// Dynamic parts of a stencil face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StencilDynamic {
    /// Bits compared.
    pub compare_mask: u32,
    /// Bits written.
    pub write_mask: u32,
    /// Reference value.
    pub reference: u32,
}

/// State that needs no preparation.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamic {
    /// Viewports, by number.
    pub viewports: Vec<Viewport>,
    /// Scissors, by viewport number.
    pub scissors: Vec<Rect>,
    /// Vertices of a patch.
    pub patch_control_points: u32,
    /// Blend constants.
    pub blend_constants: [f32; 4],
    /// Depth bias factors.
    pub depth_bias: DepthBias,
    /// Width of lines in pixels.
    pub line_width: f32,
    /// Stipple of lines.
    pub line_stipple: LineStipple,
    /// Depth bounds.
    pub depth_bounds: [f32; 2],
    /// Stencil masks and references of front and back faces.
    pub stencil: [StencilDynamic; 2],
}

impl Default for Dynamic {
    fn default() -> Self {
        Dynamic {
            viewports: Vec::new(),
            scissors: Vec::new(),
            patch_control_points: 1,
            blend_constants: [0.0; 4],
            depth_bias: DepthBias::default(),
            line_width: 1.0,
            line_stipple: LineStipple::default(),
            depth_bounds: [0.0, 1.0],
            stencil: Default::default(),
        }
    }
}

impl Dynamic {
    /// One viewport and scissor over a whole picture.
    pub fn of_size(width: u32, height: u32) -> Self {
        Dynamic {
            viewports: vec![Viewport::of_size(width, height)],
            scissors: vec![Rect::of_size(width, height)],
            ..Dynamic::default()
        }
    }
}
