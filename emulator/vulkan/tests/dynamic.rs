//! Dynamic state: a value that commands set between two draws draws what a pipeline that says it draws.
//!
//! The shaders stand in `shaders/`, each under the GLSL that it is made of.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use ash::vk;
use common::Gpu;
use vk::DynamicState as S;

const SIZE: u32 = 16;
const COLOR: vk::Format = vk::Format::R8G8B8A8_UNORM;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;
const SAMPLES: vk::SampleCountFlags = vk::SampleCountFlags::TYPE_4;

/// The values of state that a pipeline can say itself.
#[derive(Clone, Copy)]
struct Values {
    raster: vk::PipelineRasterizationStateCreateInfo<'static>,
    line: vk::PipelineRasterizationLineStateCreateInfoKHR<'static>,
    provoking: vk::ProvokingVertexModeEXT,
    /// `None`: as clamping says.
    depth_clip: Option<bool>,
    negative_one: bool,
    samples: vk::PipelineMultisampleStateCreateInfo<'static>,
    mask: u32,
    locations_enable: bool,
    location: f32,
    depth: vk::PipelineDepthStencilStateCreateInfo<'static>,
    blend: vk::PipelineColorBlendAttachmentState,
    logic_op: Option<vk::LogicOp>,
    constants: [f32; 4],
    write: bool,
}

impl Values {
    /// Begins with what every case begins with.
    fn same(&mut self) {}

    /// What every case begins with.
    fn new() -> Values {
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
        }
    }
}

/// A state: what to begin with, what to change, and how commands set it.
struct Case {
    state: S,
    begin: fn(&mut Values),
    change: fn(&mut Values),
    set: fn(&Commands, vk::CommandBuffer, &Values),
}

/// Commands of extensions.
struct Commands {
    d: ash::Device,
    one: ash::ext::extended_dynamic_state::Device,
    two: ash::ext::extended_dynamic_state2::Device,
    three: ash::ext::extended_dynamic_state3::Device,
    lines: Lines,
    places: ash::ext::sample_locations::Device,
    writes: Writes,
    meshes: ash::ext::mesh_shader::Device,
    rendering: ash::khr::dynamic_rendering::Device,
}

/// Commands that the bindings have as pointers only.
struct Lines(ash::ext::line_rasterization::Device);
struct Writes(ash::ext::color_write_enable::Device);

impl Lines {
    /// # Safety
    /// Valid usage of Vulkan.
    unsafe fn cmd_set_line_stipple(&self, cmd: vk::CommandBuffer, factor: u32, pattern: u16) {
        // SAFETY: the caller's.
        unsafe { (self.0.fp().cmd_set_line_stipple_ext)(cmd, factor, pattern) };
    }
}

impl Writes {
    /// # Safety
    /// Valid usage of Vulkan.
    unsafe fn cmd_set_color_write_enable(&self, cmd: vk::CommandBuffer, enables: &[vk::Bool32]) {
        // SAFETY: the caller's.
        unsafe { (self.0.fp().cmd_set_color_write_enable_ext)(cmd, enables.len() as u32, enables.as_ptr()) };
    }
}

/// A row of [`CASES`]; commands are called by the name of the field of [`Commands`] that has them.
macro_rules! cases {
    ($($state:ident, |$v:ident| $begin:expr, $change:expr, $ext:ident.$command:ident($($arg:expr),*);)*) => {
        &[$(Case {
            state: S::$state,
            begin: |$v| $begin,
            change: |$v| $change,
            // SAFETY: valid usage of Vulkan: a command buffer that is being recorded.
            set: |c, cmd, $v| unsafe { c.$ext.$command(cmd $(, $arg)*) },
        },)*]
    };
}

/// Lines, whose state is seen where polygons are drawn as lines.
fn lines(v: &mut Values) {
    v.raster.polygon_mode = vk::PolygonMode::LINE;
}

const FACES: vk::StencilFaceFlags = vk::StencilFaceFlags::FRONT_AND_BACK;

/// The states of a draw that shows them all; numbers of samples and of viewports are tested elsewhere.
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

/// The stencil test compares for equality with a reference; what is there is 1.
fn equal(v: &mut Values, reference: u32, mask: u32) {
    v.depth.stencil_test_enable = 1;
    for face in [&mut v.depth.front, &mut v.depth.back] {
        face.compare_op = vk::CompareOp::EQUAL;
        face.reference = reference;
        face.compare_mask = mask;
    }
}

fn equation(b: &vk::PipelineColorBlendAttachmentState) -> vk::ColorBlendEquationEXT {
    vk::ColorBlendEquationEXT {
        src_color_blend_factor: b.src_color_blend_factor,
        dst_color_blend_factor: b.dst_color_blend_factor,
        color_blend_op: b.color_blend_op,
        src_alpha_blend_factor: b.src_alpha_blend_factor,
        dst_alpha_blend_factor: b.dst_alpha_blend_factor,
        alpha_blend_op: b.alpha_blend_op,
    }
}

fn at(place: f32) -> vk::SampleLocationEXT {
    vk::SampleLocationEXT { x: place, y: place }
}

fn locations(all: &[vk::SampleLocationEXT; 4]) -> vk::SampleLocationsInfoEXT<'_> {
    vk::SampleLocationsInfoEXT::default()
        .sample_locations_per_pixel(SAMPLES)
        .sample_location_grid_size(vk::Extent2D { width: 1, height: 1 })
        .sample_locations(all)
}

/// An image that is rendered to, with its memory and view.
fn target(
    gpu: &Gpu,
    format: vk::Format,
    samples: vk::SampleCountFlags,
    aspects: vk::ImageAspectFlags,
) -> (vk::Image, vk::DeviceMemory, vk::ImageView) {
    let usage = match format {
        DEPTH => vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        _ => vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC,
    };
    let info = vk::ImageCreateInfo::default()
        .flags(match format {
            DEPTH => vk::ImageCreateFlags::SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_EXT,
            _ => vk::ImageCreateFlags::empty(),
        })
        .image_type(vk::ImageType::TYPE_2D)
        .format(format)
        .extent(vk::Extent3D { width: SIZE, height: SIZE, depth: 1 })
        .mip_levels(1)
        .array_layers(1)
        .samples(samples)
        .usage(usage);
    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let image = d.create_image(&info, None).unwrap();
        let need = d.get_image_memory_requirements(image);
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
        let memory = d.allocate_memory(&info, None).unwrap();
        d.bind_image_memory(image, memory, 0).unwrap();
        let range = vk::ImageSubresourceRange { aspect_mask: aspects, ..common::WHOLE };
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(format)
            .subresource_range(range);
        (image, memory, d.create_image_view(&info, None).unwrap())
    }
}

/// The stages that make the triangles: a vertex or a mesh stage, with the same tables.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Vertices,
    Meshes,
}

struct Scene {
    gpu: Gpu,
    commands: Commands,
    layout: vk::PipelineLayout,
    color: (vk::Image, vk::DeviceMemory, vk::ImageView),
    depth: (vk::Image, vk::DeviceMemory, vk::ImageView),
    resolved: (vk::Image, vk::DeviceMemory, vk::ImageView),
    pixels: common::Mapped,
}

impl Scene {
    fn new() -> Scene {
        let features = vk::PhysicalDeviceFeatures::default()
            .fill_mode_non_solid(true)
            .depth_clamp(true)
            .depth_bounds(true)
            .wide_lines(true)
            .logic_op(true)
            .alpha_to_one(true);
        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut one =
            vk::PhysicalDeviceExtendedDynamicStateFeaturesEXT::default().extended_dynamic_state(true);
        let mut two = vk::PhysicalDeviceExtendedDynamicState2FeaturesEXT::default()
            .extended_dynamic_state2(true)
            .extended_dynamic_state2_logic_op(true);
        let mut three = vk::PhysicalDeviceExtendedDynamicState3FeaturesEXT::default()
            .extended_dynamic_state3_depth_clamp_enable(true)
            .extended_dynamic_state3_polygon_mode(true)
            .extended_dynamic_state3_sample_mask(true)
            .extended_dynamic_state3_alpha_to_coverage_enable(true)
            .extended_dynamic_state3_alpha_to_one_enable(true)
            .extended_dynamic_state3_logic_op_enable(true)
            .extended_dynamic_state3_color_blend_enable(true)
            .extended_dynamic_state3_color_blend_equation(true)
            .extended_dynamic_state3_color_write_mask(true)
            .extended_dynamic_state3_depth_clip_enable(true)
            .extended_dynamic_state3_depth_clip_negative_one_to_one(true)
            .extended_dynamic_state3_sample_locations_enable(true)
            .extended_dynamic_state3_provoking_vertex_mode(true)
            .extended_dynamic_state3_line_rasterization_mode(true)
            .extended_dynamic_state3_line_stipple_enable(true);
        let mut lines = vk::PhysicalDeviceLineRasterizationFeaturesKHR::default()
            .rectangular_lines(true)
            .bresenham_lines(true)
            .stippled_rectangular_lines(true);
        let mut provoking =
            vk::PhysicalDeviceProvokingVertexFeaturesEXT::default().provoking_vertex_last(true);
        let mut clip = vk::PhysicalDeviceDepthClipEnableFeaturesEXT::default().depth_clip_enable(true);
        let mut control = vk::PhysicalDeviceDepthClipControlFeaturesEXT::default().depth_clip_control(true);
        let mut writes = vk::PhysicalDeviceColorWriteEnableFeaturesEXT::default().color_write_enable(true);
        let mut meshes = vk::PhysicalDeviceMeshShaderFeaturesEXT::default().mesh_shader(true);
        let extensions = [
            c"VK_KHR_depth_stencil_resolve",
            c"VK_KHR_create_renderpass2",
            c"VK_KHR_dynamic_rendering",
            c"VK_EXT_extended_dynamic_state",
            c"VK_EXT_extended_dynamic_state2",
            c"VK_EXT_extended_dynamic_state3",
            c"VK_EXT_line_rasterization",
            c"VK_EXT_provoking_vertex",
            c"VK_EXT_depth_clip_enable",
            c"VK_EXT_depth_clip_control",
            c"VK_EXT_color_write_enable",
            c"VK_EXT_sample_locations",
            c"VK_KHR_shader_float_controls",
            c"VK_KHR_spirv_1_4",
            c"VK_EXT_mesh_shader",
        ];
        let gpu = Gpu::with(&extensions, |info| {
            info.enabled_features(&features)
                .push_next(&mut dynamic)
                .push_next(&mut one)
                .push_next(&mut two)
                .push_next(&mut three)
                .push_next(&mut lines)
                .push_next(&mut provoking)
                .push_next(&mut clip)
                .push_next(&mut control)
                .push_next(&mut writes)
                .push_next(&mut meshes)
        })
        .unwrap();
        let (i, d) = (&gpu.instance, &gpu.device);
        let commands = Commands {
            d: d.clone(),
            one: ash::ext::extended_dynamic_state::Device::new(i, d),
            two: ash::ext::extended_dynamic_state2::Device::new(i, d),
            three: ash::ext::extended_dynamic_state3::Device::new(i, d),
            lines: Lines(ash::ext::line_rasterization::Device::new(i, d)),
            places: ash::ext::sample_locations::Device::new(i, d),
            writes: Writes(ash::ext::color_write_enable::Device::new(i, d)),
            meshes: ash::ext::mesh_shader::Device::new(i, d),
            rendering: ash::khr::dynamic_rendering::Device::new(i, d),
        };
        // SAFETY: valid usage of Vulkan.
        let layout = unsafe { d.create_pipeline_layout(&Default::default(), None) }.unwrap();
        let aspects = vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL;
        Scene {
            layout,
            color: target(&gpu, COLOR, SAMPLES, vk::ImageAspectFlags::COLOR),
            depth: target(&gpu, DEPTH, SAMPLES, aspects),
            resolved: target(&gpu, COLOR, vk::SampleCountFlags::TYPE_1, vk::ImageAspectFlags::COLOR),
            pixels: gpu.buffer(u64::from(SIZE * SIZE * 4), vk::BufferUsageFlags::TRANSFER_DST),
            commands,
            gpu,
        }
    }

    /// A pipeline that says these values, of which one may be dynamic.
    fn pipeline(&self, by: By, v: &Values, dynamic: Option<S>) -> vk::Pipeline {
        let first = match by {
            By::Vertices => (vk::ShaderStageFlags::VERTEX, include_str!("shaders/states.vert.spvasm")),
            By::Meshes => (vk::ShaderStageFlags::MESH_EXT, include_str!("shaders/states.mesh.spvasm")),
        };
        let shaders = [first, (vk::ShaderStageFlags::FRAGMENT, include_str!("shaders/flat.frag.spvasm"))];
        let modules = shaders.map(|(stage, text)| (stage, self.gpu.shader(text)));
        let stages = modules.map(|(stage, module)| {
            vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main")
        });
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let mut control =
            vk::PipelineViewportDepthClipControlCreateInfoEXT::default().negative_one_to_one(v.negative_one);
        let viewports =
            [vk::Viewport { width: SIZE as f32, height: SIZE as f32, max_depth: 1.0, ..Default::default() }];
        let viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewports(&viewports)
            .scissor_count(1)
            .push_next(&mut control);
        let mut line = v.line;
        let mut provoking = vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT::default()
            .provoking_vertex_mode(v.provoking);
        let mut clip = vk::PipelineRasterizationDepthClipStateCreateInfoEXT::default()
            .depth_clip_enable(v.depth_clip == Some(true));
        let mut raster = v.raster.push_next(&mut line).push_next(&mut provoking);
        if v.depth_clip.is_some() {
            raster = raster.push_next(&mut clip);
        }
        let (places, mask) = ([at(v.location); 4], [v.mask]);
        let mut moved = vk::PipelineSampleLocationsStateCreateInfoEXT::default()
            .sample_locations_enable(v.locations_enable)
            .sample_locations_info(locations(&places));
        let samples = v.samples.sample_mask(&mask).push_next(&mut moved);
        let (attachments, enables) = ([v.blend], [v.write.into()]);
        let mut writes = vk::PipelineColorWriteCreateInfoEXT::default().color_write_enables(&enables);
        let blend = vk::PipelineColorBlendStateCreateInfo::default()
            .attachments(&attachments)
            .logic_op_enable(v.logic_op.is_some())
            .logic_op(v.logic_op.unwrap_or(vk::LogicOp::XOR))
            .blend_constants(v.constants)
            .push_next(&mut writes);
        let states: Vec<_> = [S::SCISSOR].into_iter().chain(dynamic).collect();
        let states = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
        let formats = [COLOR];
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&formats)
            .depth_attachment_format(DEPTH)
            .stencil_attachment_format(DEPTH);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&v.depth)
            .color_blend_state(&blend)
            .dynamic_state(&states)
            .layout(self.layout)
            .push_next(&mut rendering);
        let d = &self.gpu.device;
        // SAFETY: valid usage of Vulkan.
        unsafe {
            let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None).unwrap();
            modules.iter().for_each(|&(_, module)| d.destroy_shader_module(module, None));
            made[0]
        }
    }

    /// Draws the left half of the picture, then the right one, each after what is recorded before it.
    fn draw(&self, by: By, pipeline: vk::Pipeline, before: [&dyn Fn(vk::CommandBuffer); 2]) -> Vec<[u8; 4]> {
        let (d, c) = (&self.gpu.device, &self.commands);
        let whole = vk::Extent2D { width: SIZE, height: SIZE };
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(self.color.2)
            .image_layout(vk::ImageLayout::GENERAL)
            .resolve_mode(vk::ResolveModeFlags::AVERAGE)
            .resolve_image_view(self.resolved.2)
            .resolve_image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .clear_value(vk::ClearValue { color: vk::ClearColorValue { float32: [0.75, 0.25, 1.0, 0.0] } })];
        let depth = vk::RenderingAttachmentInfo::default()
            .image_view(self.depth.2)
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .clear_value(vk::ClearValue {
                depth_stencil: vk::ClearDepthStencilValue { depth: 0.5, stencil: 1 },
            });
        let info = vk::RenderingInfo::default()
            .render_area(whole.into())
            .layer_count(1)
            .color_attachments(&color)
            .depth_attachment(&depth)
            .stencil_attachment(&depth);
        let region = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                layer_count: 1,
                ..Default::default()
            })
            .image_extent(whole.into());
        // SAFETY: valid usage of Vulkan.
        self.gpu.run(|cmd| unsafe {
            c.rendering.cmd_begin_rendering(cmd, &info);
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
            for (half, before) in before.iter().enumerate() {
                let offset = vk::Offset2D { x: half as i32 * 8, y: 0 };
                let extent = vk::Extent2D { width: 8, height: SIZE };
                d.cmd_set_scissor(cmd, 0, &[vk::Rect2D { offset, extent }]);
                before(cmd);
                match by {
                    By::Vertices => d.cmd_draw(cmd, 12, 1, 0, 0),
                    By::Meshes => c.meshes.cmd_draw_mesh_tasks(cmd, 1, 1, 1),
                }
            }
            c.rendering.cmd_end_rendering(cmd);
            self.gpu.barrier(cmd);
            let layout = vk::ImageLayout::GENERAL;
            d.cmd_copy_image_to_buffer(cmd, self.resolved.0, layout, self.pixels.buffer, &[region]);
        });
        // SAFETY: not used any more.
        unsafe { d.destroy_pipeline(pipeline, None) };
        self.pixels.read()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let d = &self.gpu.device;
        // SAFETY: nothing runs.
        unsafe {
            d.destroy_pipeline_layout(self.layout, None);
            for (image, memory, view) in [self.color, self.depth, self.resolved] {
                d.destroy_image_view(view, None);
                d.destroy_image(image, None);
                d.free_memory(memory, None);
            }
            d.destroy_buffer(self.pixels.buffer, None);
            d.free_memory(self.pixels.memory, None);
        }
    }
}

/// The left half of one picture and the right half of another.
fn halves(left: &[[u8; 4]], right: &[[u8; 4]]) -> Vec<[u8; 4]> {
    let half = |i: usize| if i % SIZE as usize >= 8 { right } else { left };
    (0..left.len()).map(|i| half(i)[i]).collect()
}

fn states_between_draws(by: By) {
    let scene = Scene::new();
    for case in CASES {
        let mut begin = Values::new();
        (case.begin)(&mut begin);
        let mut changed = begin;
        (case.change)(&mut changed);
        // Commands set masks and references of both faces.
        let (front, back) = (changed.depth.front, &mut changed.depth.back);
        if case.state != S::STENCIL_OP_EXT {
            back.compare_mask = front.compare_mask;
            (back.write_mask, back.reference) = (front.write_mask, front.reference);
        }
        let fixed = [begin, changed].map(|v| {
            let nothing = |_: vk::CommandBuffer| ();
            scene.draw(by, scene.pipeline(by, &v, None), [&nothing, &nothing])
        });
        for half in [0, 8] {
            let seen = |i: &usize| i % SIZE as usize / 8 * 8 == half;
            let differs = (0..fixed[0].len()).filter(seen).any(|i| fixed[0][i] != fixed[1][i]);
            assert!(differs, "{:?} changes nothing at {half}", case.state);
        }
        // Whatever the pipeline says does not count.
        for said in [begin, changed] {
            for order in [[0, 1], [1, 0]] {
                let values = order.map(|i| [begin, changed][i]);
                let set = values.map(|v| {
                    let commands = &scene.commands;
                    move |cmd: vk::CommandBuffer| (case.set)(commands, cmd, &v)
                });
                let pipeline = scene.pipeline(by, &said, Some(case.state));
                let drawn = scene.draw(by, pipeline, [&set[0], &set[1]]);
                let expected = halves(&fixed[order[0]], &fixed[order[1]]);
                assert_eq!(drawn, expected, "{:?}, in the order {order:?}", case.state);
            }
        }
    }
}

#[test]
fn states_between_draws_of_vertices() {
    states_between_draws(By::Vertices);
}

#[test]
fn states_between_draws_of_meshes() {
    states_between_draws(By::Meshes);
}

/// A mesh stage that makes the same vertices draws the same.
#[test]
fn meshes_draw_as_vertices_do() {
    let scene = Scene::new();
    for case in CASES {
        let mut values = Values::new();
        (case.begin)(&mut values);
        (case.change)(&mut values);
        let nothing = |_: vk::CommandBuffer| ();
        let [vertices, meshes] = [By::Vertices, By::Meshes]
            .map(|by| scene.draw(by, scene.pipeline(by, &values, None), [&nothing, &nothing]));
        assert_eq!(vertices, meshes, "{:?}", case.state);
    }
}
