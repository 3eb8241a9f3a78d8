//! Reads of attachments within the rendering that writes them: colour, depth and stencil, with one and four samples, as
//! input attachments and as tile images.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use crate::common::{self, Gpu, Mapped, Picture};
use ash::vk;

const SIZE: u32 = 16;
const COLOR: vk::Format = vk::Format::R32_SFLOAT;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;
const LAYOUT: vk::ImageLayout = vk::ImageLayout::RENDERING_LOCAL_READ_KHR;
/// Clear values of the attachments: colour, depth, stencil.
const CLEAR: [f32; 3] = [-1.0, 1.0, 3.0];
/// Value that the stencil operation writes.
const STENCIL: u32 = 7;
/// The triangle of `local.vert`: x, y and z in clip coordinates.
const TRIANGLE: [[f64; 3]; 3] = [[-0.83, -0.91, 0.1], [0.87, -0.33, 0.9], [-0.41, 0.79, 0.5]];

/// Attachments that a draw writes.
#[derive(Clone, Copy, PartialEq)]
enum Writes {
    /// Colour, depth and stencil of nearer fragments.
    Nearer,
    /// Colour, depth and stencil of fragments that are not farther.
    NotFarther,
    /// No attachment.
    Nothing,
    /// The attachment that a custom resolve writes.
    Resolved,
}

/// Format of the attachment that a custom resolve writes.
const RESOLVED: vk::Format = vk::Format::R32G32_SFLOAT;

/// VkPhysicalDeviceCustomResolveFeaturesEXT, which the bindings lack.
#[repr(C)]
struct CustomResolveFeatures {
    ty: vk::StructureType,
    next: *const c_void,
    custom_resolve: u32,
}

/// VkCustomResolveCreateInfoEXT, which the bindings lack.
#[repr(C)]
struct CustomResolve {
    ty: vk::StructureType,
    next: *const c_void,
    custom_resolve: u32,
    color_count: u32,
    colors: *const vk::Format,
    depth: vk::Format,
    stencil: vk::Format,
}

/// Number of VK_EXT_custom_resolve's structure types.
fn custom_type(offset: i32) -> vk::StructureType {
    vk::StructureType::from_raw(1_000_628_000 + offset)
}

/// A fragment shader, the attachments that it writes, and the first vertex and the number of instances of its draw.
type Drawn<'a> = (&'a str, Writes, u32, u32);

/// Shaders that read input attachments and tile images.
const ONE: &str = include_str!("shaders/local_one.frag.spvasm");
const FOUR: &str = include_str!("shaders/local_four.frag.spvasm");
const TILE_ONE: &str = include_str!("shaders/tile_one.frag.spvasm");
const TILE_FOUR: &str = include_str!("shaders/tile_four.frag.spvasm");

/// Creates a device with dynamic rendering local read and tile images.
fn device() -> Gpu {
    let features = vk::PhysicalDeviceFeatures::default().fragment_stores_and_atomics(true);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let mut local =
        vk::PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR::default().dynamic_rendering_local_read(true);
    let mut tile = vk::PhysicalDeviceShaderTileImageFeaturesEXT::default()
        .shader_tile_image_color_read_access(true)
        .shader_tile_image_depth_read_access(true)
        .shader_tile_image_stencil_read_access(true);
    let extensions = [
        c"VK_KHR_dynamic_rendering",
        c"VK_KHR_dynamic_rendering_local_read",
        c"VK_EXT_shader_tile_image",
        c"VK_EXT_custom_resolve",
    ];
    let custom =
        CustomResolveFeatures { ty: custom_type(0), next: std::ptr::null(), custom_resolve: vk::TRUE };
    tile.p_next = (&raw const custom).cast_mut().cast();
    Gpu::with(&extensions, |info| {
        info.enabled_features(&features).push_next(&mut rendering).push_next(&mut local).push_next(&mut tile)
    })
    .unwrap()
}

/// An attachment that shaders read, with one view per aspect.
struct Attachment {
    picture: Picture,
    views: Vec<vk::ImageView>,
}

impl Attachment {
    fn new(gpu: &Gpu, format: vk::Format, samples: vk::SampleCountFlags) -> Attachment {
        let depth = format == DEPTH;
        let usage = match depth {
            true => vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
            false => vk::ImageUsageFlags::COLOR_ATTACHMENT,
        };
        let extent = vk::Extent3D { width: SIZE, height: SIZE, depth: 1 };
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(extent)
            .mip_levels(1)
            .array_layers(1)
            .samples(samples)
            .usage(usage | vk::ImageUsageFlags::INPUT_ATTACHMENT);
        let (d, whole) = (&gpu.device, common::WHOLE);
        // SAFETY: valid usage of Vulkan: all objects belong to this device, and the image is bound before it is used.
        unsafe {
            let image = d.create_image(&info, None).unwrap();
            let need = d.get_image_memory_requirements(image);
            let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
            let memory = d.allocate_memory(&info, None).unwrap();
            d.bind_image_memory(image, memory, 0).unwrap();
            let view = |aspect_mask| {
                let info = vk::ImageViewCreateInfo::default()
                    .image(image)
                    .view_type(vk::ImageViewType::TYPE_2D)
                    .format(format)
                    .subresource_range(vk::ImageSubresourceRange { aspect_mask, ..whole });
                d.create_image_view(&info, None).unwrap()
            };
            let (z, stencil) = (vk::ImageAspectFlags::DEPTH, vk::ImageAspectFlags::STENCIL);
            let (attached, views) = match depth {
                true => (view(z | stencil), vec![view(z), view(stencil)]),
                false => (view(vk::ImageAspectFlags::COLOR), vec![view(vk::ImageAspectFlags::COLOR)]),
            };
            Attachment { picture: Picture { image, memory, view: attached, extent }, views }
        }
    }

    fn target(&self, clear: vk::ClearValue) -> vk::RenderingAttachmentInfo<'_> {
        vk::RenderingAttachmentInfo::default()
            .image_view(self.picture.view)
            .image_layout(LAYOUT)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear)
    }

    fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the views are done, and these are not used afterwards.
        self.views.iter().for_each(|&view| unsafe { gpu.device.destroy_image_view(view, None) });
        self.picture.destroy(gpu);
    }
}

/// Input attachment index of each attachment: colour 0, depth 1, stencil 2.
const INPUTS: ([u32; 1], u32, u32) = ([0], 1, 2);

fn inputs() -> vk::RenderingInputAttachmentIndexInfoKHR<'static> {
    vk::RenderingInputAttachmentIndexInfoKHR::default()
        .color_attachment_input_indices(&INPUTS.0)
        .depth_input_attachment_index(&INPUTS.1)
        .stencil_input_attachment_index(&INPUTS.2)
}

/// Creates a pipeline of a fragment shader.
fn pipeline(
    gpu: &Gpu,
    layout: vk::PipelineLayout,
    fragment: &str,
    samples: vk::SampleCountFlags,
    writes: Writes,
) -> vk::Pipeline {
    let compare = match writes {
        Writes::NotFarther => vk::CompareOp::LESS_OR_EQUAL,
        Writes::Nearer | Writes::Nothing | Writes::Resolved => vk::CompareOp::LESS,
    };
    let resolved = writes == Writes::Resolved;
    let colored = writes != Writes::Nothing;
    let writes = colored && !resolved;
    let d = &gpu.device;
    let modules = [gpu.shader(include_str!("shaders/local.vert.spvasm")), gpu.shader(fragment)];
    let stages = [(modules[0], vk::ShaderStageFlags::VERTEX), (modules[1], vk::ShaderStageFlags::FRAGMENT)]
        .map(|(m, s)| vk::PipelineShaderStageCreateInfo::default().module(m).stage(s).name(c"main"));
    let vertices = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let side = SIZE as f32;
    let viewports =
        [vk::Viewport { x: 0.0, y: 0.0, width: side, height: side, min_depth: 0.0, max_depth: 1.0 }];
    let scissors = [AREA];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
    let multisample = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(samples);
    let mask = if colored { vk::ColorComponentFlags::RGBA } else { vk::ColorComponentFlags::empty() };
    let attachments = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(mask)];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachments);
    let replace = vk::StencilOpState {
        pass_op: vk::StencilOp::REPLACE,
        compare_op: vk::CompareOp::ALWAYS,
        write_mask: 0xff,
        reference: STENCIL,
        ..Default::default()
    };
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(writes)
        .depth_write_enable(writes)
        .depth_compare_op(compare)
        .stencil_test_enable(writes)
        .front(replace)
        .back(replace);
    let formats = [COLOR];
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&formats)
        .depth_attachment_format(DEPTH)
        .stencil_attachment_format(DEPTH);
    let custom = CustomResolve {
        ty: custom_type(2),
        next: std::ptr::null(),
        custom_resolve: u32::from(resolved),
        color_count: 1,
        colors: &RESOLVED,
        depth: vk::Format::UNDEFINED,
        stencil: vk::Format::UNDEFINED,
    };
    let mut inputs = inputs();
    inputs.p_next = (&raw const custom).cast();
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&vertices)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .layout(layout)
        .push_next(&mut rendering)
        .push_next(&mut inputs);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None).unwrap()[0];
        modules.iter().for_each(|&m| d.destroy_shader_module(m, None));
        made
    }
}

const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: SIZE, height: SIZE } };

/// Descriptors of the attachments and of the buffer that the second draw writes.
struct Descriptors {
    layouts: [vk::DescriptorSetLayout; 1],
    pool: vk::DescriptorPool,
    sets: Vec<vk::DescriptorSet>,
    pipelines: vk::PipelineLayout,
}

impl Descriptors {
    fn new(gpu: &Gpu, color: &Attachment, depth: &Attachment, seen: &Mapped) -> Descriptors {
        let (d, kinds) =
            (&gpu.device, [vk::DescriptorType::INPUT_ATTACHMENT, vk::DescriptorType::STORAGE_BUFFER]);
        let kind = |binding| kinds[usize::from(binding == 3)];
        let bindings = [0, 1, 2, 3].map(|binding| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(kind(binding))
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::FRAGMENT)
        });
        let sizes = kinds.map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 3 });
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            let pipelines = d.create_pipeline_layout(&info, None).unwrap();
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None).unwrap();
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let sets = d.allocate_descriptor_sets(&info).unwrap();
            let to = |binding| {
                let write = vk::WriteDescriptorSet::default().dst_set(sets[0]).dst_binding(binding);
                write.descriptor_type(kind(binding))
            };
            let views = [color.views[0], depth.views[0], depth.views[1]];
            for (binding, image_view) in (0..).zip(views) {
                let image =
                    [vk::DescriptorImageInfo { image_view, image_layout: LAYOUT, ..Default::default() }];
                d.update_descriptor_sets(&[to(binding).image_info(&image)], &[]);
            }
            let buffer = [vk::DescriptorBufferInfo::default().buffer(seen.buffer).range(vk::WHOLE_SIZE)];
            d.update_descriptor_sets(&[to(3).buffer_info(&buffer)], &[]);
            Descriptors { layouts, pool, sets, pipelines }
        }
    }

    fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the objects are done, and these are not used afterwards.
        unsafe {
            gpu.device.destroy_descriptor_pool(self.pool, None);
            gpu.device.destroy_pipeline_layout(self.pipelines, None);
            gpu.device.destroy_descriptor_set_layout(self.layouts[0], None);
        }
    }
}

/// Draws the triangle, and returns the values that a second draw of all pixels reads from the attachments, by sample.
fn seen(samples: vk::SampleCountFlags, reader: &str) -> Vec<[f32; 4]> {
    let writer = include_str!("shaders/local.frag.spvasm");
    drawn(samples, [(writer, Writes::Nearer, 0, 1), (reader, Writes::Nothing, 3, 1)])
}

/// Makes the draws, and returns the values that the last of them stores for each sample.
fn drawn(samples: vk::SampleCountFlags, draws: [Drawn<'_>; 2]) -> Vec<[f32; 4]> {
    let gpu = device();
    let (color, depth) = (Attachment::new(&gpu, COLOR, samples), Attachment::new(&gpu, DEPTH, samples));
    let count = u64::from(SIZE * SIZE * samples.as_raw());
    let seen = gpu.buffer(count * 16, vk::BufferUsageFlags::STORAGE_BUFFER);
    let descriptors = Descriptors::new(&gpu, &color, &depth, &seen);
    let draws = draws.map(|(text, writes, first, instances)| {
        (pipeline(&gpu, descriptors.pipelines, text, samples, writes), first, instances)
    });
    let local = ash::khr::dynamic_rendering_local_read::Device::new(&gpu.instance, &gpu.device);
    let rendering = ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device);
    let d = &gpu.device;
    gpu.run(|cmd| {
        let stencil = CLEAR[2] as u32;
        let colors = [color.target(vk::ClearValue { color: vk::ClearColorValue { float32: [CLEAR[0]; 4] } })];
        let clear = vk::ClearDepthStencilValue { depth: CLEAR[1], stencil };
        let z = depth.target(vk::ClearValue { depth_stencil: clear });
        let info = vk::RenderingInfo::default()
            .render_area(AREA)
            .layer_count(1)
            .color_attachments(&colors)
            .depth_attachment(&z)
            .stencil_attachment(&z);
        let write = vk::AccessFlags::COLOR_ATTACHMENT_WRITE | vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE;
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(write)
            .dst_access_mask(vk::AccessFlags::INPUT_ATTACHMENT_READ);
        let stages = vk::PipelineStageFlags::ALL_GRAPHICS;
        let region = vk::DependencyFlags::BY_REGION;
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            rendering.cmd_begin_rendering(cmd, &info);
            (local.fp().cmd_set_rendering_input_attachment_indices_khr)(cmd, &inputs());
            d.cmd_bind_descriptor_sets(cmd, graphics, descriptors.pipelines, 0, &descriptors.sets, &[]);
            for (pipeline, first, instances) in draws {
                d.cmd_bind_pipeline(cmd, graphics, pipeline);
                d.cmd_draw(cmd, 3, instances, first, 0);
                d.cmd_pipeline_barrier(cmd, stages, stages, region, &[barrier], &[], &[]);
            }
            rendering.cmd_end_rendering(cmd);
        }
    });
    let values = seen.read();
    // SAFETY: the draws are done, and the pipelines are not used afterwards.
    draws.iter().for_each(|&(pipeline, ..)| unsafe { d.destroy_pipeline(pipeline, None) });
    descriptors.destroy(&gpu);
    [color, depth].into_iter().for_each(|a| a.destroy(&gpu));
    seen.destroy(&gpu);
    values
}

/// Returns the depth of the triangle at a position in the image, if it covers the position.
fn covered(x: f64, y: f64) -> Option<f64> {
    let side = f64::from(SIZE);
    let [a, b, c] = TRIANGLE.map(|[x, y, z]| [(x + 1.0) / 2.0 * side, (y + 1.0) / 2.0 * side, z]);
    let area = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    let weights = [area(b, c), area(c, a), area(a, b)];
    let sum: f64 = weights.iter().sum();
    let depth = (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]) / sum;
    let edge = weights.iter().map(|w| (w / sum).abs()).fold(1.0, f64::min);
    assert!(edge > 1e-4, "no sample is at an edge of the triangle: {x}, {y}");
    weights.iter().all(|w| w / sum > 0.0).then_some(depth)
}

/// Checks that each sample, at its standard location, has the values that the triangle left.
fn check(seen: &[[f32; 4]], places: &[[f64; 2]]) {
    let (mut inside, mut parts) = (0, 0);
    for (pixel, samples) in seen.chunks(places.len()).enumerate() {
        let (x, y) = (pixel as u32 % SIZE, pixel as u32 / SIZE);
        let mut of_pixel = 0;
        for (s, (got, at)) in samples.iter().zip(places).enumerate() {
            let depth = covered(f64::from(x) + at[0], f64::from(y) + at[1]);
            let color = (x as f32 + 0.5) * 100.0 + y as f32 + 0.5;
            let [c, z, stencil] = match depth {
                Some(depth) => [color, depth as f32, STENCIL as f32],
                None => CLEAR,
            };
            of_pixel += usize::from(depth.is_some());
            assert_eq!([got[0], got[2], got[3]], [c, stencil, 1.0], "pixel {x}, {y}, sample {s}: {got:?}");
            assert!((got[1] - z).abs() < 1e-4, "pixel {x}, {y}, sample {s}: depth {} for {z}", got[1]);
        }
        inside += of_pixel;
        parts += usize::from(0 < of_pixel && of_pixel < places.len());
    }
    assert!(inside > 0 && inside < seen.len(), "the triangle covers a part: {inside}");
    assert!(places.len() == 1 || parts > 0, "some pixels are covered in part");
}

#[test]
fn of_one_sample() {
    for reader in [ONE, TILE_ONE] {
        check(&seen(vk::SampleCountFlags::TYPE_1, reader), &[[0.5, 0.5]]);
    }
}

/// Sample locations. Spec: Vulkan, Multisampling, Standard sample locations.
#[test]
fn of_four_samples() {
    for reader in [FOUR, TILE_FOUR] {
        let places = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];
        check(&seen(vk::SampleCountFlags::TYPE_4, reader), &places);
    }
}

/// Each of five triangles, which cover all pixels in one draw without barriers, reads colour, depth and stencil as the
/// previous one left them. From a colour of -1, the first makes 2 * -1 + 1 * 3, and the others, at depth 0, double it.
/// Spec: SPV_EXT_shader_tile_image, OpColorAttachmentReadEXT ("in rasterization order").
#[test]
fn of_primitives_of_one_draw_in_order() {
    let blend = include_str!("shaders/tile_blend.frag.spvasm");
    for (samples, reader) in
        [(vk::SampleCountFlags::TYPE_1, TILE_ONE), (vk::SampleCountFlags::TYPE_4, TILE_FOUR)]
    {
        let got = drawn(samples, [(blend, Writes::NotFarther, 3, 5), (reader, Writes::Nothing, 3, 1)]);
        assert!(got.iter().all(|v| *v == [16.0, 0.0, STENCIL as f32, 1.0]), "{samples:?}: {:?}", got[0]);
    }
}

/// A custom resolve reads samples of the attachments of the scope, and writes an image of another format and one sample.
/// Spec: Vulkan, vkCmdBeginCustomResolveEXT.
#[test]
fn of_a_custom_resolve() {
    let (gpu, samples) = (device(), vk::SampleCountFlags::TYPE_4);
    let (color, depth) = (Attachment::new(&gpu, COLOR, samples), Attachment::new(&gpu, DEPTH, samples));
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
    let (to, seen) = (
        gpu.image(RESOLVED, SIZE, usage),
        gpu.buffer(u64::from(SIZE * SIZE) * 8, vk::BufferUsageFlags::TRANSFER_DST),
    );
    let unused = gpu.buffer(16, vk::BufferUsageFlags::STORAGE_BUFFER);
    let descriptors = Descriptors::new(&gpu, &color, &depth, &unused);
    let made = |text, samples, writes| pipeline(&gpu, descriptors.pipelines, text, samples, writes);
    let draw = made(include_str!("shaders/local.frag.spvasm"), samples, Writes::Nearer);
    let resolve =
        made(include_str!("shaders/resolve.frag.spvasm"), vk::SampleCountFlags::TYPE_1, Writes::Resolved);
    let rendering = ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device);
    let d = &gpu.device;
    // SAFETY: the device is live, and the command has this type in the registry.
    let begin_resolve = unsafe {
        let name = c"vkCmdBeginCustomResolveEXT";
        let found = gpu.instance.get_device_proc_addr(d.handle(), name.as_ptr()).unwrap();
        std::mem::transmute::<
            unsafe extern "system" fn(),
            unsafe extern "system" fn(vk::CommandBuffer, *const c_void),
        >(found)
    };
    gpu.run(|cmd| {
        let clear = vk::ClearDepthStencilValue { depth: CLEAR[1], stencil: CLEAR[2] as u32 };
        // VK_RESOLVE_MODE_CUSTOM_BIT_EXT; the samples are not stored.
        let colors = [color
            .target(vk::ClearValue { color: vk::ClearColorValue { float32: [CLEAR[0]; 4] } })
            .store_op(vk::AttachmentStoreOp::DONT_CARE)
            .resolve_mode(vk::ResolveModeFlags::from_raw(0x20))
            .resolve_image_view(to.view)
            .resolve_image_layout(vk::ImageLayout::GENERAL)];
        let z = depth.target(vk::ClearValue { depth_stencil: clear });
        // VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT
        let info = vk::RenderingInfo::default()
            .flags(vk::RenderingFlags::from_raw(0x80))
            .render_area(AREA)
            .layer_count(1)
            .color_attachments(&colors)
            .depth_attachment(&z)
            .stencil_attachment(&z);
        let write = vk::AccessFlags::COLOR_ATTACHMENT_WRITE | vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE;
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(write)
            .dst_access_mask(vk::AccessFlags::INPUT_ATTACHMENT_READ);
        let stages = vk::PipelineStageFlags::ALL_GRAPHICS;
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            rendering.cmd_begin_rendering(cmd, &info);
            d.cmd_bind_descriptor_sets(cmd, graphics, descriptors.pipelines, 0, &descriptors.sets, &[]);
            d.cmd_bind_pipeline(cmd, graphics, draw);
            d.cmd_draw(cmd, 3, 1, 0, 0);
            d.cmd_pipeline_barrier(cmd, stages, stages, vk::DependencyFlags::BY_REGION, &[barrier], &[], &[]);
            begin_resolve(cmd, std::ptr::null());
            d.cmd_bind_pipeline(cmd, graphics, resolve);
            d.cmd_draw(cmd, 3, 1, 3, 0);
            rendering.cmd_end_rendering(cmd);
            gpu.barrier(cmd);
            d.cmd_copy_image_to_buffer(cmd, to.image, vk::ImageLayout::GENERAL, seen.buffer, &[to.region()]);
        }
    });
    let got: Vec<[f32; 2]> = seen.read();
    for (pixel, got) in got.iter().enumerate() {
        let (x, y) = (pixel as u32 % SIZE, pixel as u32 / SIZE);
        let sample = |at: [f64; 2]| match covered(f64::from(x) + at[0], f64::from(y) + at[1]) {
            Some(_) => [(x as f32 + 0.5) * 100.0 + y as f32 + 0.5, STENCIL as f32],
            None => [CLEAR[0], CLEAR[2]],
        };
        let (first, last) = (sample([0.375, 0.125]), sample([0.625, 0.875]));
        assert_eq!(*got, [0, 1].map(|i| first[i] + 0.5 * last[i]), "pixel {x}, {y}");
    }
    // SAFETY: the draws are done, and the pipelines are not used afterwards.
    [draw, resolve].into_iter().for_each(|p| unsafe { d.destroy_pipeline(p, None) });
    descriptors.destroy(&gpu);
    [color, depth].into_iter().for_each(|a| a.destroy(&gpu));
    [seen, unused].into_iter().for_each(|b| b.destroy(&gpu));
    to.destroy(&gpu);
}
