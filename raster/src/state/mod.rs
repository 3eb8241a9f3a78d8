//! Fixed-function state of draws, with Vulkan's terms.
//!
//! A [`DrawStateDesc`] is plain data; [`DrawState`](crate::draw_state::DrawState) is its prepared form: interfaces
//! linked, formats checked, kernels made. Errors occur during preparation; draws with a prepared state compile nothing.
//! State that changes from draw to draw without preparation is in [`Dynamic`]. The use of the state is left to `front`
//! and `tiles`.

mod blend;
mod depth_stencil;
mod dynamic;
mod rasterization;
pub(crate) mod shading_rate;
mod stages;
mod vertex_input;

use quadrille_jit::ir::StageKind;

pub use blend::{
    AdvancedBlend, AdvancedOp, BlendEquation, BlendFactor, BlendOp, BlendOverlap, BlendState, LogicOp,
};
pub use depth_stencil::{CompareOp, DepthState, StencilFace, StencilOp};
pub use dynamic::{DepthBias, DepthBiasUnit, DiscardRectangles, Dynamic, Rect, StencilDynamic, Viewport};
pub use rasterization::{ConservativeMode, CullMode, FrontFace, LineMode, LineStipple, PolygonMode};
pub use shading_rate::{RateCombiner, ShadingRate};
pub use stages::{PreRasterStage, StageInfo};
pub use vertex_input::{DomainOrigin, Topology, VertexAttribute, VertexBinding, VertexRate};

use crate::memory::format::Format;

/// State of a graphics pipeline, except lane functions and [`Dynamic`].
#[derive(Clone, Debug, Default)]
pub struct DrawStateDesc {
    /// The stages before rasterization, in pipeline order: the vertex stage, optional tessellation control and
    /// evaluation stages, an optional geometry stage; or an optional task stage and the mesh stage.
    pub stages: Vec<PreRasterStage>,
    /// The fragment stage.
    pub fragment: Option<StageInfo>,
    /// Vertex buffer bindings.
    pub vertex_bindings: Vec<VertexBinding>,
    /// Vertex attributes.
    pub vertex_attributes: Vec<VertexAttribute>,
    /// Strides that override those in `vertex_bindings`, by binding number.
    pub vertex_strides: Vec<Option<u32>>,
    /// `true` if ViewIndex is 0 in the vertex stage and in the fragment stage, for every view. Spec:
    /// VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT.
    pub view_index_is_zero: [bool; 2],
    /// `true` while bindings and attributes are unknown; such a state cannot be drawn with.
    pub vertex_input_later: bool,
    /// Primitive topology; ignored with a mesh stage, which defines its own.
    pub topology: Topology,
    /// Origin of the tessellation domain.
    pub domain_origin: DomainOrigin,
    /// `true` if the index with all bits set restarts primitives.
    pub primitive_restart: bool,
    /// `true` if nothing is rasterized.
    pub rasterizer_discard: bool,
    /// Stream of the last stage that is rasterized. Spec: VkPipelineRasterizationStateStreamCreateInfoEXT.
    pub rasterization_stream: u32,
    /// Culled faces.
    pub cull: CullMode,
    /// Winding of front faces.
    pub front_face: FrontFace,
    /// Rasterization mode of polygons: fill, line or point.
    pub polygon_mode: PolygonMode,
    /// Rasterization mode of lines.
    pub line_mode: LineMode,
    /// `true` if lines are stippled.
    pub line_stipple: bool,
    /// `true` if flat inputs come from the last vertex of a primitive instead of the first.
    pub provoking_last: bool,
    /// `true` if depth is clamped to the viewport's range.
    pub depth_clamp: bool,
    /// `true` if primitives are clipped to the depth range; with `None`, they are clipped unless depth is clamped.
    /// Spec: VkPipelineRasterizationDepthClipStateCreateInfoEXT.
    pub depth_clip: Option<bool>,
    /// `true` if the depth of the view volume extends from -w to w. Spec:
    /// VkPipelineViewportDepthClipControlCreateInfoEXT.
    pub negative_one_to_one: bool,
    /// Depth is clamped to the range from 0 to 1, with fixed-point formats and with float formats. Spec:
    /// VkPhysicalDeviceDepthClampZeroOneFeaturesKHR.
    pub depth_zero_one: [bool; 2],
    /// Coverage of pixels that polygons touch in part.
    pub conservative: ConservativeMode,
    /// `true` if depth bias is applied.
    pub depth_bias: bool,
    /// Depth test and write.
    pub depth: DepthState,
    /// `true` if the stencil test is enabled.
    pub stencil_test: bool,
    /// Stencil test of front and back faces.
    pub stencil: [StencilFace; 2],
    /// Blending, by colour attachment; without an entry, the source replaces the destination.
    pub blend: Vec<BlendState>,
    /// `true` for each colour attachment that is written; attachments without an entry are written.
    pub color_write_enable: Vec<bool>,
    /// `true` if the logic operation replaces blending in attachments that are neither float nor sRGB.
    pub logic_op_enable: bool,
    /// The logic operation.
    pub logic_op: LogicOp,
    /// Formats of the colour attachments; `None` for unused ones.
    pub color_formats: Vec<Option<Format>>,
    /// Location whose output each colour attachment receives: `None` receives nothing. Attachments without an entry use
    /// the location of their own number. Spec: VkRenderingAttachmentLocationInfo.
    pub color_locations: Vec<Option<u32>>,
    /// `true` if the fragment stage reads what earlier primitives wrote to depth and stencil, or to colour attachments,
    /// in API order. Spec: VK_EXT_rasterization_order_attachment_access.
    pub reads_in_order: [bool; 2],
    /// Format of the depth attachment.
    pub depth_format: Option<Format>,
    /// Format of the stencil attachment.
    pub stencil_format: Option<Format>,
    /// Number of rasterization samples; 0 counts as 1.
    pub samples: u32,
    /// `true` if each draw sets its sample locations. Spec: VkPipelineSampleLocationsStateCreateInfoEXT.
    pub sample_locations: bool,
    /// `true` if the fragment stage runs per sample.
    pub sample_shading: bool,
    /// `true` if fragments have one pixel regardless of shading rates. Spec: sampleShadingEnable.
    pub sample_shading_enable: bool,
    /// Mask of the samples that may be covered; `None` for all.
    pub sample_mask: Option<u32>,
    /// `true` if the alpha of colour 0 masks samples.
    pub alpha_to_coverage: bool,
    /// `true` if the alpha of colour 0 is replaced by one.
    pub alpha_to_one: bool,
    /// Lane group size of the fragment stage, for which kernels are prepared; 0 counts as 8.
    pub lanes: u32,
    /// `true` to merge pixel by pixel, without kernels: the slow reference for tests.
    pub scalar_merge: bool,
}

impl DrawStateDesc {
    /// The vertex stage; an empty stage if there is none.
    pub fn vertex(&self) -> &StageInfo {
        let first = self.stages.first().filter(|s| s.kind == StageKind::Vertex);
        first.map_or(const { &StageInfo::NONE }, |s| &s.info)
    }

    /// The first stage.
    pub fn first(&self) -> &StageInfo {
        self.stages.first().map_or(const { &StageInfo::NONE }, |s| &s.info)
    }

    /// True if a mesh stage emits the primitives, so that there is no vertex input and no topology.
    pub fn has_mesh(&self) -> bool {
        self.stages.last().is_some_and(|s| matches!(s.kind, StageKind::Mesh(_)))
    }

    /// The last stage before rasterization.
    pub fn last(&self) -> &StageInfo {
        self.stages.last().map_or(const { &StageInfo::NONE }, |s| &s.info)
    }

    /// True if primitives are clipped to the depth range.
    pub fn clips_depth(&self) -> bool {
        self.depth_clip.unwrap_or(!self.depth_clamp)
    }

    /// Stride of a binding in bytes.
    pub fn stride(&self, binding: &VertexBinding) -> u32 {
        let own = self.vertex_strides.get(binding.binding as usize);
        own.copied().flatten().unwrap_or(binding.stride)
    }
}
