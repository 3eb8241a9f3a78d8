//! What a draw is made of: the fixed-function state, in Vulkan's words.
//!
//! A [`DrawStateDesc`] is data; [`DrawState`](crate::draw_state::DrawState) is its prepared form: interfaces linked, formats
//! checked, kernels made. Preparing is where things fail; drawing with a prepared state does not
//! compile anything. What changes from draw to draw without preparation is in [`Dynamic`].

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
pub use dynamic::{DepthBias, DepthBiasUnit, Dynamic, Rect, StencilDynamic, Viewport};
pub use rasterization::{CullMode, FrontFace, LineMode, LineStipple, PolygonMode};
pub use shading_rate::{RateCombiner, ShadingRate};
pub use stages::{PreRasterStage, StageInfo};
pub use vertex_input::{DomainOrigin, Topology, VertexAttribute, VertexBinding, VertexRate};

use crate::memory::format::Format;

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
    /// The fragment stage reads what earlier primitives wrote to depth and stencil, or to colour attachments,
    /// in the order of the API. Spec: VK_EXT_rasterization_order_attachment_access.
    pub reads_in_order: [bool; 2],
    /// Format of the depth attachment.
    pub depth_format: Option<Format>,
    /// Format of the stencil attachment.
    pub stencil_format: Option<Format>,
    /// Rasterization samples; 0 counts as 1.
    pub samples: u32,
    /// Samples are where each draw says. Spec: VkPipelineSampleLocationsStateCreateInfoEXT.
    pub sample_locations: bool,
    /// The fragment stage runs per sample.
    pub sample_shading: bool,
    /// Fragments have one pixel, whatever rates say. Spec: sampleShadingEnable.
    pub sample_shading_enable: bool,
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
