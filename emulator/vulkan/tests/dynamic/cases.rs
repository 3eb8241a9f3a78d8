//! The states: the value that each case changes, and the command that sets it.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use vk::DynamicState as S;

pub const SAMPLES: vk::SampleCountFlags = vk::SampleCountFlags::TYPE_4;

/// Values of the state that a pipeline can contain.
#[derive(Clone, Copy)]
pub struct Values {
    pub raster: vk::PipelineRasterizationStateCreateInfo<'static>,
    pub line: vk::PipelineRasterizationLineStateCreateInfoKHR<'static>,
    pub provoking: vk::ProvokingVertexModeEXT,
    /// `None`: the opposite of depth clamping.
    pub depth_clip: Option<bool>,
    pub negative_one: bool,
    pub samples: vk::PipelineMultisampleStateCreateInfo<'static>,
    pub mask: u32,
    pub locations_enable: bool,
    pub location: f32,
    pub depth: vk::PipelineDepthStencilStateCreateInfo<'static>,
    pub blend: vk::PipelineColorBlendAttachmentState,
    pub logic_op: Option<vk::LogicOp>,
    pub constants: [f32; 4],
    pub write: bool,
    /// The discard rectangle, if it is enabled in the pipeline.
    pub discards: bool,
    pub rect: vk::Rect2D,
    pub discard_mode: vk::DiscardRectangleModeEXT,
    pub conservative: vk::ConservativeRasterizationModeEXT,
    pub overestimation: f32,
    /// minDepthClamp and maxDepthClamp.
    pub clamp: [f32; 2],
}

impl Values {
    /// Changes no value: the case starts with the common ones.
    fn same(&mut self) {}

    /// Values that every case starts with.
    pub fn new() -> Values {
        let face = vk::StencilOpState {
            compare_op: vk::CompareOp::ALWAYS,
            compare_mask: u32::MAX,
            write_mask: u32::MAX,
            ..Default::default()
        };
        Values {
            raster: vk::PipelineRasterizationStateCreateInfo::default()
                .line_width(1.0)
                .depth_bias_constant_factor(-3000000.0),
            line: vk::PipelineRasterizationLineStateCreateInfoKHR::default()
                .line_rasterization_mode(vk::LineRasterizationModeKHR::RECTANGULAR)
                .line_stipple_factor(1)
                .line_stipple_pattern(0x5555),
            provoking: vk::ProvokingVertexModeEXT::FIRST_VERTEX,
            depth_clip: Some(true),
            negative_one: false,
            samples: vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(SAMPLES),
            mask: u32::MAX,
            locations_enable: false,
            location: 0.9375,
            depth: vk::PipelineDepthStencilStateCreateInfo::default()
                .depth_test_enable(true)
                .depth_write_enable(true)
                .depth_compare_op(vk::CompareOp::LESS)
                .front(face)
                .back(face)
                .max_depth_bounds(0.25),
            blend: vk::PipelineColorBlendAttachmentState {
                src_color_blend_factor: vk::BlendFactor::CONSTANT_COLOR,
                dst_color_blend_factor: vk::BlendFactor::ONE,
                src_alpha_blend_factor: vk::BlendFactor::ONE,
                color_write_mask: vk::ColorComponentFlags::RGBA,
                ..Default::default()
            },
            logic_op: None,
            constants: [0.5; 4],
            write: true,
            discards: false,
            rect: rect(2, 12),
            discard_mode: vk::DiscardRectangleModeEXT::INCLUSIVE,
            conservative: vk::ConservativeRasterizationModeEXT::DISABLED,
            overestimation: 0.0,
            clamp: [0.0, 1.0],
        }
    }
}

/// A state: its first and its changed value, and the command that sets it.
pub struct Case {
    pub state: S,
    pub begin: fn(&mut Values),
    pub change: fn(&mut Values),
    pub set: fn(&Commands, vk::CommandBuffer, &Values),
}

/// Commands of extensions.
pub struct Commands {
    pub d: ash::Device,
    pub one: ash::ext::extended_dynamic_state::Device,
    pub two: ash::ext::extended_dynamic_state2::Device,
    pub three: ash::ext::extended_dynamic_state3::Device,
    pub lines: Lines,
    pub places: ash::ext::sample_locations::Device,
    pub writes: Writes,
    pub meshes: ash::ext::mesh_shader::Device,
    pub rendering: ash::khr::dynamic_rendering::Device,
    pub discards: Discards,
    pub clamp: Clamp,
}

/// VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT.
const DEPTH_CLAMP_RANGE: S = S::from_raw(1_000_582_000);
/// VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT.
pub const USER_DEFINED_RANGE: i32 = 1;

/// vkCmdSetDepthClampRangeEXT, which the bindings lack.
pub struct Clamp(pub SetDepthClampRange);

/// Type of vkCmdSetDepthClampRangeEXT.
pub type SetDepthClampRange = unsafe extern "system" fn(vk::CommandBuffer, i32, *const [f32; 2]);

/// A rectangle of all rows, and of the columns from `x` to `end`.
fn rect(x: i32, end: u32) -> vk::Rect2D {
    vk::Rect2D {
        offset: vk::Offset2D { x, y: 1 },
        extent: vk::Extent2D { width: end - x as u32, height: 14 },
    }
}

/// Commands that the bindings have only as function pointers.
pub struct Lines(pub ash::ext::line_rasterization::Device);
pub struct Writes(pub ash::ext::color_write_enable::Device);
pub struct Discards(pub ash::ext::discard_rectangles::Device);

impl Discards {
    /// Records the first discard rectangle.
    ///
    /// # Safety
    /// The command buffer is being recorded, with the extension enabled.
    unsafe fn cmd_set_discard_rectangle(&self, cmd: vk::CommandBuffer, rect: vk::Rect2D) {
        // SAFETY: the caller promises a command buffer that is being recorded; the rectangle outlives the call.
        unsafe { (self.0.fp().cmd_set_discard_rectangle_ext)(cmd, 0, 1, &rect) };
    }

    /// Enables or disables discard rectangles.
    ///
    /// # Safety
    /// The command buffer is being recorded, with the extension enabled.
    unsafe fn cmd_set_discard_rectangle_enable(&self, cmd: vk::CommandBuffer, enable: bool) {
        // SAFETY: the caller promises a command buffer that is being recorded.
        unsafe { (self.0.fp().cmd_set_discard_rectangle_enable_ext)(cmd, enable.into()) };
    }

    /// Records the discard rectangle mode.
    ///
    /// # Safety
    /// The command buffer is being recorded, with the extension enabled.
    unsafe fn cmd_set_discard_rectangle_mode(
        &self,
        cmd: vk::CommandBuffer,
        mode: vk::DiscardRectangleModeEXT,
    ) {
        // SAFETY: the caller promises a command buffer that is being recorded.
        unsafe { (self.0.fp().cmd_set_discard_rectangle_mode_ext)(cmd, mode) };
    }
}

impl Lines {
    /// Records the line stipple.
    ///
    /// # Safety
    /// The command buffer is being recorded, with the feature enabled.
    unsafe fn cmd_set_line_stipple(&self, cmd: vk::CommandBuffer, factor: u32, pattern: u16) {
        // SAFETY: the caller promises a command buffer that is being recorded.
        unsafe { (self.0.fp().cmd_set_line_stipple_ext)(cmd, factor, pattern) };
    }
}

impl Writes {
    /// Records the colour write enables.
    ///
    /// # Safety
    /// The command buffer is being recorded, with the feature enabled.
    unsafe fn cmd_set_color_write_enable(&self, cmd: vk::CommandBuffer, enables: &[vk::Bool32]) {
        // SAFETY: the caller promises a command buffer that is being recorded; count and pointer belong to one slice.
        unsafe { (self.0.fp().cmd_set_color_write_enable_ext)(cmd, enables.len() as u32, enables.as_ptr()) };
    }
}

/// Makes rows of [`CASES`]. The field of [`Commands`] that has a command precedes the command's name.
macro_rules! cases {
    ($($state:ident, |$v:ident| $begin:expr, $change:expr, $ext:ident.$command:ident($($arg:expr),*);)*) => {
        &[$(Case {
            state: S::$state,
            begin: |$v| $begin,
            change: |$v| $change,
            // SAFETY: valid usage of Vulkan: `cmd` is being recorded, and the values outlive the call.
            set: |c, cmd, $v| unsafe { c.$ext.$command(cmd $(, $arg)*) },
        },)*]
    };
}

/// Draws polygons as lines, so that line state is visible.
pub fn lines(v: &mut Values) {
    v.raster.polygon_mode = vk::PolygonMode::LINE;
}

pub const FACES: vk::StencilFaceFlags = vk::StencilFaceFlags::FRONT_AND_BACK;

/// The states of a draw in which all of them are visible. Sample counts and viewport counts are tested elsewhere.
const CASES: &[Case] = cases! {
    CULL_MODE_EXT, |v| v.same(), v.raster.cull_mode = vk::CullModeFlags::BACK,
        one.cmd_set_cull_mode(v.raster.cull_mode);
    FRONT_FACE_EXT, |v| v.raster.cull_mode = vk::CullModeFlags::BACK,
        v.raster.front_face = vk::FrontFace::CLOCKWISE, one.cmd_set_front_face(v.raster.front_face);
    RASTERIZER_DISCARD_ENABLE_EXT, |v| v.same(), v.raster.rasterizer_discard_enable = 1,
        two.cmd_set_rasterizer_discard_enable(v.raster.rasterizer_discard_enable != 0);
    POLYGON_MODE_EXT, |v| v.same(), v.raster.polygon_mode = vk::PolygonMode::LINE,
        three.cmd_set_polygon_mode(v.raster.polygon_mode);
    DEPTH_CLAMP_ENABLE_EXT, |v| v.depth_clip = None, v.raster.depth_clamp_enable = 1,
        three.cmd_set_depth_clamp_enable(v.raster.depth_clamp_enable != 0);
    DEPTH_CLIP_ENABLE_EXT, |v| v.raster.depth_clamp_enable = 1, v.depth_clip = Some(false),
        three.cmd_set_depth_clip_enable(v.depth_clip == Some(true));
    DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, |v| v.same(), v.negative_one = true,
        three.cmd_set_depth_clip_negative_one_to_one(v.negative_one);
    DEPTH_BIAS_ENABLE_EXT, |v| v.same(), v.raster.depth_bias_enable = 1,
        two.cmd_set_depth_bias_enable(v.raster.depth_bias_enable != 0);
    DEPTH_BIAS, |v| v.raster.depth_bias_enable = 1, v.raster.depth_bias_constant_factor = 3000000.0,
        d.cmd_set_depth_bias(v.raster.depth_bias_constant_factor, 0.0, 0.0);
    LINE_WIDTH, |v| lines(v), v.raster.line_width = 3.0, d.cmd_set_line_width(v.raster.line_width);
    LINE_STIPPLE_EXT, |v| { lines(v); v.line.stippled_line_enable = 1 }, v.line.line_stipple_pattern = 0x00ff,
        lines.cmd_set_line_stipple(v.line.line_stipple_factor, v.line.line_stipple_pattern);
    LINE_RASTERIZATION_MODE_EXT, |v| lines(v),
        v.line.line_rasterization_mode = vk::LineRasterizationModeKHR::BRESENHAM,
        three.cmd_set_line_rasterization_mode(v.line.line_rasterization_mode);
    LINE_STIPPLE_ENABLE_EXT, |v| lines(v), v.line.stippled_line_enable = 1,
        three.cmd_set_line_stipple_enable(v.line.stippled_line_enable != 0);
    PROVOKING_VERTEX_MODE_EXT, |v| v.same(), v.provoking = vk::ProvokingVertexModeEXT::LAST_VERTEX,
        three.cmd_set_provoking_vertex_mode(v.provoking);
    DISCARD_RECTANGLE_EXT, |v| v.discards = true, v.rect = rect(5, 10),
        discards.cmd_set_discard_rectangle(v.rect);
    DISCARD_RECTANGLE_ENABLE_EXT, |v| v.same(), v.discards = true,
        discards.cmd_set_discard_rectangle_enable(v.discards);
    DISCARD_RECTANGLE_MODE_EXT, |v| v.discards = true, v.discard_mode = vk::DiscardRectangleModeEXT::EXCLUSIVE,
        discards.cmd_set_discard_rectangle_mode(v.discard_mode);
    CONSERVATIVE_RASTERIZATION_MODE_EXT, |v| v.same(),
        v.conservative = vk::ConservativeRasterizationModeEXT::OVERESTIMATE,
        three.cmd_set_conservative_rasterization_mode(v.conservative);
    EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT,
        |v| v.conservative = vk::ConservativeRasterizationModeEXT::OVERESTIMATE, v.overestimation = 0.75,
        three.cmd_set_extra_primitive_overestimation_size(v.overestimation);
    DEPTH_TEST_ENABLE_EXT, |v| v.same(), v.depth.depth_test_enable = 0,
        one.cmd_set_depth_test_enable(v.depth.depth_test_enable != 0);
    DEPTH_WRITE_ENABLE_EXT, |v| v.same(), v.depth.depth_write_enable = 0,
        one.cmd_set_depth_write_enable(v.depth.depth_write_enable != 0);
    DEPTH_COMPARE_OP_EXT, |v| v.same(), v.depth.depth_compare_op = vk::CompareOp::GREATER,
        one.cmd_set_depth_compare_op(v.depth.depth_compare_op);
    DEPTH_BOUNDS_TEST_ENABLE_EXT, |v| v.same(), v.depth.depth_bounds_test_enable = 1,
        one.cmd_set_depth_bounds_test_enable(v.depth.depth_bounds_test_enable != 0);
    DEPTH_BOUNDS, |v| v.depth.depth_bounds_test_enable = 1, v.depth.max_depth_bounds = 1.0,
        d.cmd_set_depth_bounds(0.0, v.depth.max_depth_bounds);
    STENCIL_TEST_ENABLE_EXT, |v| v.depth.front.compare_op = vk::CompareOp::NEVER, v.depth.stencil_test_enable = 1,
        one.cmd_set_stencil_test_enable(v.depth.stencil_test_enable != 0);
    STENCIL_OP_EXT, |v| v.depth.stencil_test_enable = 1, v.depth.front.compare_op = vk::CompareOp::NEVER,
        one.cmd_set_stencil_op(vk::StencilFaceFlags::FRONT, v.depth.front.fail_op, v.depth.front.pass_op,
            v.depth.front.depth_fail_op, v.depth.front.compare_op);
    STENCIL_COMPARE_MASK, |v| equal(v, 3, 1), v.depth.front.compare_mask = 2,
        d.cmd_set_stencil_compare_mask(FACES, v.depth.front.compare_mask);
    STENCIL_REFERENCE, |v| equal(v, 3, 3), v.depth.front.reference = 1,
        d.cmd_set_stencil_reference(FACES, v.depth.front.reference);
    STENCIL_WRITE_MASK, |v| {
            equal(v, 1, 1);
            v.depth.front.pass_op = vk::StencilOp::INVERT;
            v.depth.back.pass_op = vk::StencilOp::INVERT;
        }, v.depth.front.write_mask = 0,
        d.cmd_set_stencil_write_mask(FACES, v.depth.front.write_mask);
    LOGIC_OP_EXT, |v| v.logic_op = Some(vk::LogicOp::COPY), v.logic_op = Some(vk::LogicOp::INVERT),
        two.cmd_set_logic_op(v.logic_op.unwrap());
    LOGIC_OP_ENABLE_EXT, |v| v.same(), v.logic_op = Some(vk::LogicOp::XOR),
        three.cmd_set_logic_op_enable(v.logic_op.is_some());
    COLOR_BLEND_ENABLE_EXT, |v| v.same(), v.blend.blend_enable = 1,
        three.cmd_set_color_blend_enable(0, &[v.blend.blend_enable]);
    COLOR_BLEND_EQUATION_EXT, |v| v.blend.blend_enable = 1,
        v.blend.color_blend_op = vk::BlendOp::REVERSE_SUBTRACT,
        three.cmd_set_color_blend_equation(0, &[equation(&v.blend)]);
    COLOR_WRITE_MASK_EXT, |v| v.same(), v.blend.color_write_mask = vk::ColorComponentFlags::G,
        three.cmd_set_color_write_mask(0, &[v.blend.color_write_mask]);
    COLOR_WRITE_ENABLE_EXT, |v| v.same(), v.write = false, writes.cmd_set_color_write_enable(&[v.write.into()]);
    BLEND_CONSTANTS, |v| v.blend.blend_enable = 1, v.constants = [0.25; 4],
        d.cmd_set_blend_constants(&v.constants);
    SAMPLE_LOCATIONS_EXT, |v| v.locations_enable = true, v.location = 0.0,
        places.cmd_set_sample_locations(&locations(&[at(v.location); 4]));
    SAMPLE_LOCATIONS_ENABLE_EXT, |v| v.same(), v.locations_enable = true,
        three.cmd_set_sample_locations_enable(v.locations_enable);
    SAMPLE_MASK_EXT, |v| v.same(), v.mask = 5, three.cmd_set_sample_mask(SAMPLES, &[v.mask]);
    ALPHA_TO_COVERAGE_ENABLE_EXT, |v| v.same(), v.samples.alpha_to_coverage_enable = 1,
        three.cmd_set_alpha_to_coverage_enable(v.samples.alpha_to_coverage_enable != 0);
    ALPHA_TO_ONE_ENABLE_EXT, |v| v.same(), v.samples.alpha_to_one_enable = 1,
        three.cmd_set_alpha_to_one_enable(v.samples.alpha_to_one_enable != 0);
};

/// The state that the bindings lack.
const CLAMP: Case = Case {
    state: DEPTH_CLAMP_RANGE,
    begin: |v| (v.depth_clip, v.raster.depth_clamp_enable) = (None, 1),
    change: |v| v.clamp = [0.75, 1.0],
    // SAFETY: valid usage of Vulkan: the command buffer is being recorded, and the range outlives the call.
    set: |c, cmd, v| unsafe { (c.clamp.0)(cmd, USER_DEFINED_RANGE, &v.clamp) },
};

/// All cases.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    CASES.iter().chain([&CLAMP])
}

/// Sets a stencil test for equality with a reference; the stencil attachment holds 1.
pub fn equal(v: &mut Values, reference: u32, mask: u32) {
    v.depth.stencil_test_enable = 1;
    for face in [&mut v.depth.front, &mut v.depth.back] {
        face.compare_op = vk::CompareOp::EQUAL;
        face.reference = reference;
        face.compare_mask = mask;
    }
}

pub fn equation(b: &vk::PipelineColorBlendAttachmentState) -> vk::ColorBlendEquationEXT {
    vk::ColorBlendEquationEXT {
        src_color_blend_factor: b.src_color_blend_factor,
        dst_color_blend_factor: b.dst_color_blend_factor,
        color_blend_op: b.color_blend_op,
        src_alpha_blend_factor: b.src_alpha_blend_factor,
        dst_alpha_blend_factor: b.dst_alpha_blend_factor,
        alpha_blend_op: b.alpha_blend_op,
    }
}

pub fn at(place: f32) -> vk::SampleLocationEXT {
    vk::SampleLocationEXT { x: place, y: place }
}

pub fn locations(all: &[vk::SampleLocationEXT; 4]) -> vk::SampleLocationsInfoEXT<'_> {
    vk::SampleLocationsInfoEXT::default()
        .sample_locations_per_pixel(SAMPLES)
        .sample_location_grid_size(vk::Extent2D { width: 1, height: 1 })
        .sample_locations(all)
}
