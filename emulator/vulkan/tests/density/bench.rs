//! A device with a picture and a density map of two layers, and draws to them.

use std::ffi::c_void;

use crate::common::{Gpu, Mapped};
use ash::vk;

/// A vertex shader whose triangle covers everything.
pub const TRIANGLE: &str = include_str!("../shaders/tri.vert.spvasm");
pub const SIZE: u32 = 32;
pub const FORMAT: vk::Format = vk::Format::R32G32B32A32_SFLOAT;
/// Width and height of maps in texels.
pub const MAP: u32 = 4;
/// Number of layers of pictures and maps.
pub const LAYERS: u32 = 2;
pub const GENERAL: vk::ImageLayout = vk::ImageLayout::GENERAL;
const MAP_LAYOUT: vk::ImageLayout = vk::ImageLayout::FRAGMENT_DENSITY_MAP_OPTIMAL_EXT;

/// Stages and accesses before which the layouts of the attachments change: implicit dependencies do not name reads of
/// density maps.
const READS: (vk::PipelineStageFlags, vk::AccessFlags) = (
    vk::PipelineStageFlags::from_raw(
        vk::PipelineStageFlags::FRAGMENT_DENSITY_PROCESS_EXT.as_raw()
            | vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT.as_raw(),
    ),
    vk::AccessFlags::from_raw(
        vk::AccessFlags::FRAGMENT_DENSITY_MAP_READ_EXT.as_raw()
            | vk::AccessFlags::COLOR_ATTACHMENT_WRITE.as_raw(),
    ),
);

const EXTENSIONS: &[&std::ffi::CStr] = &[
    c"VK_KHR_create_renderpass2",
    c"VK_KHR_depth_stencil_resolve",
    c"VK_KHR_dynamic_rendering",
    c"VK_EXT_fragment_density_map",
    c"VK_EXT_fragment_density_map2",
    c"VK_EXT_fragment_density_map_offset",
    c"VK_EXT_shader_viewport_index_layer",
    c"VK_KHR_maintenance5",
    c"VK_VALVE_fragment_density_map_layered",
];

/// VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE.
const RENDERING_BY_LAYER: vk::RenderingFlags = vk::RenderingFlags::from_raw(1 << 5);
/// VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE.
const PASS_BY_LAYER: vk::RenderPassCreateFlags = vk::RenderPassCreateFlags::from_raw(1 << 2);

/// Layers that a draw without multiview renders to.
#[derive(Clone, Copy, PartialEq)]
pub enum Layers {
    /// The first layer.
    One,
    /// All layers, with one layer of the map.
    Shared,
    /// All layers, each with its own layer of the map.
    Own,
}

impl Layers {
    fn count(self) -> u32 {
        if self == Layers::One { 1 } else { LAYERS }
    }
}

/// VkPhysicalDeviceFragmentDensityMapLayeredFeaturesVALVE, and the structure of properties with the next number, which the
/// bindings lack.
#[repr(C)]
pub struct LayeredMaps {
    pub ty: i32,
    pub next: *const c_void,
    pub value: u32,
}

impl LayeredMaps {
    pub fn new(number: i32, value: u32) -> LayeredMaps {
        LayeredMaps { ty: 1_000_611_000 + number, next: std::ptr::null(), value }
    }
}

/// VkRenderingEndInfoEXT, which the bindings lack.
#[repr(C)]
struct RenderingEndInfo {
    ty: i32,
    next: *const c_void,
}

type EndRendering2 = unsafe extern "system" fn(vk::CommandBuffer, *const RenderingEndInfo);

/// Densities of a texel: the sizes that they allow are 1, 2 and 4; 0 is undefined, which this device takes for 1.
pub fn density(layer: u32, x: u32, y: u32) -> [u8; 2] {
    const ALL: [u8; 5] = [255, 127, 63, 128, 0];
    [ALL[((x + y + layer) % 5) as usize], ALL[((2 * x + y + 3 * layer) % 5) as usize]]
}

fn size([x, y]: [u8; 2]) -> [u32; 2] {
    [x, y].map(|d| match d {
        0 => 1,
        d => [4, 2, 1].into_iter().find(|size| size * u32::from(d) <= 255).unwrap(),
    })
}

pub fn area(size: u32) -> vk::Rect2D {
    vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: size, height: size } }
}

/// An image with its memory and views.
pub struct Layered {
    image: vk::Image,
    memory: vk::DeviceMemory,
    pub views: Vec<vk::ImageView>,
}

pub struct Bench {
    pub gpu: Gpu,
    pub rendering: ash::khr::dynamic_rendering::Device,
    passes: ash::khr::create_renderpass2::Device,
    end_rendering2: EndRendering2,
    pub picture: Layered,
    pub map: Layered,
    pub pixels: Mapped,
    layout: vk::PipelineLayout,
}

impl Bench {
    pub fn new() -> Bench {
        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut views = vk::PhysicalDeviceMultiviewFeatures::default().multiview(true);
        let mut maps = vk::PhysicalDeviceFragmentDensityMapFeaturesEXT::default()
            .fragment_density_map(true)
            .fragment_density_map_dynamic(true)
            .fragment_density_map_non_subsampled_images(true);
        let mut deferred =
            vk::PhysicalDeviceFragmentDensityMap2FeaturesEXT::default().fragment_density_map_deferred(true);
        let mut offset = vk::PhysicalDeviceFragmentDensityMapOffsetFeaturesQCOM::default()
            .fragment_density_map_offset(true);
        let layers = LayeredMaps::new(0, vk::TRUE);
        let gpu = Gpu::with(EXTENSIONS, |mut info| {
            info.p_next = std::ptr::from_ref(&layers).cast();
            info.push_next(&mut dynamic)
                .push_next(&mut views)
                .push_next(&mut maps)
                .push_next(&mut deferred)
                .push_next(&mut offset)
        });
        let gpu = gpu.unwrap();
        // SAFETY: the device is live, the command has this type, and the layout is destroyed with the bench.
        let (end_rendering2, layout) = unsafe {
            let name = c"vkCmdEndRendering2EXT";
            let get = gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr());
            let end = std::mem::transmute::<unsafe extern "system" fn(), EndRendering2>(get.unwrap());
            (end, gpu.device.create_pipeline_layout(&Default::default(), None).unwrap())
        };
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
        let bench = Bench {
            rendering: ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device),
            passes: ash::khr::create_renderpass2::Device::new(&gpu.instance, &gpu.device),
            end_rendering2,
            picture: layered(
                &gpu,
                FORMAT,
                SIZE,
                usage,
                vk::ImageCreateFlags::FRAGMENT_DENSITY_MAP_OFFSET_QCOM,
            ),
            map: density_map(&gpu),
            pixels: gpu.buffer(u64::from(SIZE * SIZE * 16 * LAYERS), vk::BufferUsageFlags::TRANSFER_DST),
            layout,
            gpu,
        };
        bench.fill(density);
        bench
    }

    /// Writes the densities of all texels.
    pub fn fill(&self, of: impl Fn(u32, u32, u32) -> [u8; 2]) {
        let n = MAP * MAP;
        let texels: Vec<u8> = (0..LAYERS * n).flat_map(|i| of(i / n, i % MAP, i % n / MAP)).collect();
        let from = self.gpu.buffer(texels.len() as u64, vk::BufferUsageFlags::TRANSFER_SRC);
        from.write(&texels);
        self.gpu.run(|cmd| {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe {
                let d = &self.gpu.device;
                d.cmd_copy_buffer_to_image(cmd, from.buffer, self.map.image, GENERAL, &[region(MAP)]);
            }
        });
        from.destroy(&self.gpu);
    }

    pub fn pipeline(
        &self,
        [vertex, fragment]: [&str; 2],
        layout: vk::PipelineLayout,
        pass: vk::RenderPass,
        view_mask: u32,
    ) -> vk::Pipeline {
        let d = &self.gpu.device;
        let vertex = self.gpu.shader(vertex);
        let fragment = self.gpu.shader(fragment);
        let stages = [(vertex, vk::ShaderStageFlags::VERTEX), (fragment, vk::ShaderStageFlags::FRAGMENT)]
            .map(|(m, s)| vk::PipelineShaderStageCreateInfo::default().module(m).stage(s).name(c"main"));
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let side = SIZE as f32;
        let viewports = [vk::Viewport { width: side, height: side, max_depth: 1.0, ..Default::default() }];
        let scissors = [area(SIZE)];
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let attachment =
            [vk::PipelineColorBlendAttachmentState::default()
                .color_write_mask(vk::ColorComponentFlags::RGBA)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachment);
        let formats = [FORMAT];
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&formats)
            .view_mask(view_mask);
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .color_blend_state(&blend)
            .layout(layout)
            .render_pass(pass);
        if pass == vk::RenderPass::null() {
            let attached = vk::PipelineCreateFlags::RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_EXT;
            info = info.push_next(&mut rendering).flags(attached);
        }
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live during the calls.
        unsafe {
            let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
            d.destroy_shader_module(vertex, None);
            d.destroy_shader_module(fragment, None);
            made.unwrap()[0]
        }
    }

    /// A pipeline that writes the place and the size of fragments.
    fn places(&self, pass: vk::RenderPass, view_mask: u32, layers: Layers) -> vk::Pipeline {
        let vertex = match layers {
            Layers::One => TRIANGLE,
            Layers::Shared | Layers::Own => include_str!("../shaders/tri_layers.vert.spvasm"),
        };
        let shaders = [vertex, include_str!("../shaders/density.frag.spvasm")];
        self.pipeline(shaders, self.layout, pass, view_mask)
    }

    /// Copies all layers of the picture to the buffer.
    pub fn copy(&self, cmd: vk::CommandBuffer) {
        self.gpu.barrier(cmd);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe {
            let (from, to) = (self.picture.image, self.pixels.buffer);
            self.gpu.device.cmd_copy_image_to_buffer(cmd, from, GENERAL, to, &[region(SIZE)]);
        }
    }

    /// Checks a layer of the picture up to `end`: places and sizes of fragments, with regions of `region` pixels. Sizes in
    /// the last region divide the pixels that it has left.
    pub fn check(&self, layer: u32, end: u32, region: i32, map_layer: u32, offset: [i32; 2]) {
        let pixels = &self.pixels.read::<[f32; 4]>()[(layer * SIZE * SIZE) as usize..];
        for [x, y] in (0..end * end).map(|i| [i % end, i / end]) {
            let texel =
                |k: usize, v: u32| (v as i32 - offset[k]).div_euclid(region).clamp(0, MAP as i32 - 1) as u32;
            let left = [x, y].map(|v| (end - v / region as u32 * region as u32).min(region as u32));
            let allowed = size(density(map_layer, texel(0, x), texel(1, y)));
            let size = [0, 1].map(|k| {
                if left[k].is_multiple_of(allowed[k]) { allowed[k] } else { 1 << left[k].trailing_zeros() }
            });
            let middle = |v: u32, size: u32| (v - v % size) as f32 + size as f32 / 2.0;
            let expected = [middle(x, size[0]), middle(y, size[1]), size[0] as f32, size[1] as f32];
            assert_eq!(pixels[(y * SIZE + x) as usize], expected, "pixel {x}, {y} of layer {layer}");
        }
    }

    /// Draws in a render pass of the first or the second version, whose map is seen by `map`.
    pub fn draw_pass(&self, second: bool, map: vk::ImageView, layers: Layers, offsets: &[vk::Offset2D]) {
        let d = &self.gpu.device;
        let flags = if layers == Layers::Own { PASS_BY_LAYER } else { Default::default() };
        let pass = if second { self.pass2(flags) } else { self.pass1(flags) };
        let views = [self.picture.views[if layers == Layers::One { 0 } else { 2 }], map];
        let size = vk::Extent3D { width: SIZE, height: SIZE, depth: layers.count() };
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let info = vk::FramebufferCreateInfo::default().render_pass(pass).attachments(&views);
            let info = info.width(size.width).height(size.height).layers(size.depth);
            let framebuffer = d.create_framebuffer(&info, None).unwrap();
            let pipeline = self.places(pass, 0, layers);
            self.gpu.run(|cmd| {
                let clears = [vk::ClearValue::default()];
                let info = vk::RenderPassBeginInfo::default()
                    .render_pass(pass)
                    .framebuffer(framebuffer)
                    .render_area(area(SIZE))
                    .clear_values(&clears);
                let contents = vk::SubpassContents::INLINE;
                d.cmd_begin_render_pass(cmd, &info, contents);
                d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
                d.cmd_draw(cmd, 3, layers.count(), 0, 0);
                if second {
                    let mut moved = vk::SubpassFragmentDensityMapOffsetEndInfoQCOM::default()
                        .fragment_density_offsets(offsets);
                    let end = vk::SubpassEndInfo::default().push_next(&mut moved);
                    self.passes.cmd_end_render_pass2(cmd, &end);
                } else {
                    d.cmd_end_render_pass(cmd);
                }
                self.copy(cmd);
            });
            d.destroy_pipeline(pipeline, None);
            d.destroy_framebuffer(framebuffer, None);
            d.destroy_render_pass(pass, None);
        }
    }

    fn pass1(&self, flags: vk::RenderPassCreateFlags) -> vk::RenderPass {
        let one = vk::SampleCountFlags::TYPE_1;
        let description = vk::AttachmentDescription::default().samples(one).final_layout(GENERAL);
        let attachments = [
            description.format(FORMAT).load_op(vk::AttachmentLoadOp::CLEAR),
            description
                .format(vk::Format::R8G8_UNORM)
                .load_op(vk::AttachmentLoadOp::LOAD)
                .store_op(vk::AttachmentStoreOp::DONT_CARE)
                .initial_layout(GENERAL),
        ];
        let colors = [vk::AttachmentReference { attachment: 0, layout: GENERAL }];
        let subpasses = [vk::SubpassDescription::default().color_attachments(&colors)];
        let map = vk::AttachmentReference { attachment: 1, layout: MAP_LAYOUT };
        let mut map =
            vk::RenderPassFragmentDensityMapCreateInfoEXT::default().fragment_density_map_attachment(map);
        let dependencies = [vk::SubpassDependency {
            src_subpass: vk::SUBPASS_EXTERNAL,
            dst_subpass: 0,
            src_stage_mask: vk::PipelineStageFlags::ALL_COMMANDS,
            dst_stage_mask: READS.0,
            src_access_mask: vk::AccessFlags::MEMORY_WRITE,
            dst_access_mask: READS.1,
            dependency_flags: vk::DependencyFlags::empty(),
        }];
        let info = vk::RenderPassCreateInfo::default()
            .flags(flags)
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&dependencies);
        // SAFETY: valid usage of Vulkan: the device is live, and the structures outlive the call.
        unsafe { self.gpu.device.create_render_pass(&info.push_next(&mut map), None).unwrap() }
    }

    fn pass2(&self, flags: vk::RenderPassCreateFlags) -> vk::RenderPass {
        let one = vk::SampleCountFlags::TYPE_1;
        let description = vk::AttachmentDescription2::default().samples(one).final_layout(GENERAL);
        let attachments = [
            description.format(FORMAT).load_op(vk::AttachmentLoadOp::CLEAR),
            description
                .format(vk::Format::R8G8_UNORM)
                .load_op(vk::AttachmentLoadOp::LOAD)
                .store_op(vk::AttachmentStoreOp::DONT_CARE)
                .initial_layout(GENERAL),
        ];
        let colors = [vk::AttachmentReference2::default().attachment(0).layout(GENERAL)];
        let subpasses = [vk::SubpassDescription2::default().color_attachments(&colors)];
        let map = vk::AttachmentReference { attachment: 1, layout: MAP_LAYOUT };
        let mut map =
            vk::RenderPassFragmentDensityMapCreateInfoEXT::default().fragment_density_map_attachment(map);
        let dependencies = [vk::SubpassDependency2::default()
            .src_subpass(vk::SUBPASS_EXTERNAL)
            .src_stage_mask(vk::PipelineStageFlags::ALL_COMMANDS)
            .dst_stage_mask(READS.0)
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(READS.1)];
        let info = vk::RenderPassCreateInfo2::default()
            .flags(flags)
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&dependencies);
        // SAFETY: valid usage of Vulkan: the device is live, and the structures outlive the call.
        unsafe { self.passes.create_render_pass2(&info.push_next(&mut map), None).unwrap() }
    }

    /// Draws in dynamic rendering to views of the picture and of the map.
    pub fn draw_dynamic(
        &self,
        [picture, map]: [vk::ImageView; 2],
        (view_mask, layers): (u32, Layers),
        end: u32,
        offsets: &[vk::Offset2D],
    ) {
        let d = &self.gpu.device;
        let flags = if layers == Layers::Own { RENDERING_BY_LAYER } else { Default::default() };
        let pipeline = self.places(vk::RenderPass::null(), view_mask, layers);
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(picture)
            .image_layout(GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let mut map =
            vk::RenderingFragmentDensityMapAttachmentInfoEXT::default().image_view(map).image_layout(GENERAL);
        let info = vk::RenderingInfo::default()
            .flags(flags)
            .render_area(area(end))
            .layer_count(layers.count())
            .view_mask(view_mask)
            .color_attachments(&color)
            .push_next(&mut map);
        let moved =
            vk::SubpassFragmentDensityMapOffsetEndInfoQCOM::default().fragment_density_offsets(offsets);
        let done = RenderingEndInfo { ty: 1_000_619_003, next: std::ptr::from_ref(&moved).cast() };
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live until the work is
        // done.
        unsafe {
            self.gpu.run(|cmd| {
                self.rendering.cmd_begin_rendering(cmd, &info);
                d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
                d.cmd_draw(cmd, 3, layers.count(), 0, 0);
                match offsets {
                    [] => self.rendering.cmd_end_rendering(cmd),
                    _ => (self.end_rendering2)(cmd, &done),
                }
                self.copy(cmd);
            });
            d.destroy_pipeline(pipeline, None);
        }
    }

    pub fn destroy(self) {
        self.picture.destroy(&self.gpu);
        self.map.destroy(&self.gpu);
        self.pixels.destroy(&self.gpu);
        // SAFETY: the commands that use the layout are done.
        unsafe { self.gpu.device.destroy_pipeline_layout(self.layout, None) };
    }
}

/// Region of a copy of all layers of an image of this width and height.
fn region(size: u32) -> vk::BufferImageCopy {
    let layers = vk::ImageSubresourceLayers {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        mip_level: 0,
        base_array_layer: 0,
        layer_count: LAYERS,
    };
    vk::BufferImageCopy::default().image_subresource(layers).image_extent(vk::Extent3D {
        width: size,
        height: size,
        depth: 1,
    })
}

/// Creates an image of two layers, with a view of each layer and one of both.
pub fn layered(
    gpu: &Gpu,
    format: vk::Format,
    size: u32,
    usage: vk::ImageUsageFlags,
    flags: vk::ImageCreateFlags,
) -> Layered {
    let d = &gpu.device;
    let info = vk::ImageCreateInfo::default()
        .flags(flags)
        .image_type(vk::ImageType::TYPE_2D)
        .format(format)
        .extent(vk::Extent3D { width: size, height: size, depth: 1 })
        .mip_levels(1)
        .array_layers(LAYERS)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(usage);
    // SAFETY: valid usage of Vulkan: all objects belong to this device, and the image is bound before it is used.
    unsafe {
        let image = d.create_image(&info, None).unwrap();
        let need = d.get_image_memory_requirements(image);
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
        let memory = d.allocate_memory(&info, None).unwrap();
        d.bind_image_memory(image, memory, 0).unwrap();
        gpu.run(|cmd| {
            let range = vk::ImageSubresourceRange { layer_count: LAYERS, ..crate::common::WHOLE };
            let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
            let barrier = vk::ImageMemoryBarrier::default()
                .image(image)
                .subresource_range(range)
                .dst_access_mask(access)
                .new_layout(GENERAL);
            let all = vk::PipelineStageFlags::ALL_COMMANDS;
            d.cmd_pipeline_barrier(cmd, all, all, Default::default(), &[], &[], &[barrier]);
        });
        let of = Layered { image, memory, views: Vec::new() };
        let flags = vk::ImageViewCreateFlags::empty();
        let views = [(0, 1), (1, 1), (0, 2)].map(|layers| of.view(gpu, format, layers, flags));
        Layered { views: views.to_vec(), ..of }
    }
}

fn density_map(gpu: &Gpu) -> Layered {
    let usage = vk::ImageUsageFlags::FRAGMENT_DENSITY_MAP_EXT | vk::ImageUsageFlags::TRANSFER_DST;
    let flags = vk::ImageCreateFlags::FRAGMENT_DENSITY_MAP_OFFSET_QCOM;
    layered(gpu, vk::Format::R8G8_UNORM, MAP, usage, flags)
}

impl Layered {
    /// Creates a view of layers, given by the first and the number.
    pub fn view(
        &self,
        gpu: &Gpu,
        format: vk::Format,
        (first, n): (u32, u32),
        flags: vk::ImageViewCreateFlags,
    ) -> vk::ImageView {
        let range =
            vk::ImageSubresourceRange { base_array_layer: first, layer_count: n, ..crate::common::WHOLE };
        let ty = if n == 1 { vk::ImageViewType::TYPE_2D } else { vk::ImageViewType::TYPE_2D_ARRAY };
        let info = vk::ImageViewCreateInfo::default()
            .flags(flags)
            .image(self.image)
            .view_type(ty)
            .format(format)
            .subresource_range(range);
        // SAFETY: valid usage of Vulkan: the image is bound and belongs to the device.
        unsafe { gpu.device.create_image_view(&info, None).unwrap() }
    }

    pub fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the image are done, and it is not used afterwards.
        unsafe {
            self.views.iter().for_each(|&view| gpu.device.destroy_image_view(view, None));
            gpu.device.destroy_image(self.image, None);
            gpu.device.free_memory(self.memory, None);
        }
    }
}
