//! Shader objects: draws and dispatches without pipelines, with all state set by commands.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::sets::{Bound, Sets};
use crate::common::triangle::FORMAT;
use crate::common::{Gpu, Mapped, Picture, assemble};
use ash::vk;

const SIZE: u32 = 16;
const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: SIZE, height: SIZE } };
const RED: vk::ClearValue = vk::ClearValue { color: vk::ClearColorValue { float32: [1.0, 0.0, 0.0, 1.0] } };

/// A device with shader objects, their commands, and an image to draw to.
struct Bench {
    gpu: Gpu,
    objects: ash::ext::shader_object::Device,
    rendering: ash::khr::dynamic_rendering::Device,
    picture: Picture,
    pixels: Mapped,
}

impl Bench {
    fn new() -> Bench {
        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut objects = vk::PhysicalDeviceShaderObjectFeaturesEXT::default().shader_object(true);
        let mut mapped = vk::PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR::default()
            .dynamic_rendering_local_read(true);
        // VkPhysicalDeviceMaintenance11FeaturesKHR has the members of this structure.
        let mut maintenance = vk::PhysicalDeviceShaderObjectFeaturesEXT {
            s_type: vk::StructureType::from_raw(1_000_657_000),
            ..objects
        };
        let extensions = [
            c"VK_KHR_dynamic_rendering",
            c"VK_KHR_dynamic_rendering_local_read",
            c"VK_EXT_shader_object",
            c"VK_EXT_primitive_restart_index",
            c"VK_KHR_maintenance11",
        ];
        let gpu = Gpu::with(&extensions, |info| {
            let info = info.push_next(&mut dynamic).push_next(&mut objects);
            info.push_next(&mut mapped).push_next(&mut maintenance)
        })
        .unwrap();
        let objects = ash::ext::shader_object::Device::new(&gpu.instance, &gpu.device);
        let rendering = ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device);
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
        let picture = gpu.image(FORMAT, SIZE, usage);
        let pixels = gpu.buffer(u64::from(SIZE * SIZE * 4), vk::BufferUsageFlags::TRANSFER_DST);
        Bench { gpu, objects, rendering, picture, pixels }
    }

    fn shader(&self, stage: vk::ShaderStageFlags, text: &str) -> vk::ShaderEXT {
        let words = assemble(text);
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        let info = vk::ShaderCreateInfoEXT::default().stage(stage).name(c"main").code(&bytes);
        self.make(&info.code_type(vk::ShaderCodeTypeEXT::SPIRV))
    }

    fn make(&self, info: &vk::ShaderCreateInfoEXT<'_>) -> vk::ShaderEXT {
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { self.objects.create_shaders(std::slice::from_ref(info), None) }.unwrap()[0]
    }

    /// Creates the same shader from its binary.
    fn again(&self, stage: vk::ShaderStageFlags, shader: vk::ShaderEXT) -> vk::ShaderEXT {
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        let binary = unsafe { self.objects.get_shader_binary_data(shader) }.unwrap();
        let info = vk::ShaderCreateInfoEXT::default().stage(stage).name(c"main").code(&binary);
        self.make(&info.code_type(vk::ShaderCodeTypeEXT::BINARY))
    }

    /// Records the state of a triangle in 12 columns of the image.
    fn state(&self, cmd: vk::CommandBuffer) {
        let (o, side) = (&self.objects, SIZE as f32);
        let viewport =
            vk::Viewport { x: 0.0, y: 0.0, width: side, height: side, min_depth: 0.0, max_depth: 1.0 };
        let scissor =
            vk::Rect2D { offset: Default::default(), extent: vk::Extent2D { width: 12, height: SIZE } };
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            o.cmd_set_viewport_with_count(cmd, &[viewport]);
            o.cmd_set_scissor_with_count(cmd, &[scissor]);
            o.cmd_set_vertex_input(cmd, &[], &[]);
            o.cmd_set_primitive_topology(cmd, vk::PrimitiveTopology::TRIANGLE_LIST);
            o.cmd_set_primitive_restart_enable(cmd, false);
            o.cmd_set_rasterizer_discard_enable(cmd, false);
            o.cmd_set_cull_mode(cmd, vk::CullModeFlags::NONE);
            o.cmd_set_front_face(cmd, vk::FrontFace::CLOCKWISE);
            o.cmd_set_polygon_mode(cmd, vk::PolygonMode::FILL);
            o.cmd_set_rasterization_samples(cmd, vk::SampleCountFlags::TYPE_1);
            o.cmd_set_sample_mask(cmd, vk::SampleCountFlags::TYPE_1, &[1]);
            o.cmd_set_alpha_to_coverage_enable(cmd, false);
            o.cmd_set_depth_bias_enable(cmd, false);
            o.cmd_set_depth_test_enable(cmd, false);
            o.cmd_set_depth_write_enable(cmd, false);
            o.cmd_set_stencil_test_enable(cmd, false);
            o.cmd_set_color_blend_enable(cmd, 0, &[vk::FALSE]);
            o.cmd_set_color_write_mask(cmd, 0, &[vk::ColorComponentFlags::RGBA]);
        }
    }

    /// Clears the image, records draws, and returns the pixels.
    fn draw(&self, record: impl FnOnce(vk::CommandBuffer)) -> Vec<u32> {
        self.draw_in(vk::RenderingFlags::empty(), record)
    }

    /// As [`Bench::draw`], in a scope with these flags.
    fn draw_in(&self, flags: vk::RenderingFlags, record: impl FnOnce(vk::CommandBuffer)) -> Vec<u32> {
        self.gpu.run(|cmd| {
            let color = [vk::RenderingAttachmentInfo::default()
                .image_view(self.picture.view)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(RED)];
            let info = vk::RenderingInfo::default()
                .render_area(AREA)
                .layer_count(1)
                .color_attachments(&color)
                .flags(flags);
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
            unsafe {
                self.rendering.cmd_begin_rendering(cmd, &info);
                record(cmd);
                self.rendering.cmd_end_rendering(cmd);
                self.gpu.barrier(cmd);
                let (layout, region) = (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, self.picture.region());
                let (image, to) = (self.picture.image, self.pixels.buffer);
                self.gpu.device.cmd_copy_image_to_buffer(cmd, image, layout, to, &[region]);
            }
        });
        self.pixels.read()
    }

    fn end(self, shaders: &[vk::ShaderEXT]) {
        // SAFETY: the draws are done, and the shaders are not used afterwards.
        shaders.iter().for_each(|&s| unsafe { self.objects.destroy_shader(s, None) });
        self.picture.destroy(&self.gpu);
        self.pixels.destroy(&self.gpu);
    }
}

/// Within the scissor, the left half of the image shows the triangle; the right half is cleared.
fn expected(i: usize) -> u32 {
    match i as u32 % SIZE {
        0..8 => 0xff00_ff00,
        8..12 => 0x0000_ff00,
        _ => 0xff00_00ff,
    }
}

const STAGES: [vk::ShaderStageFlags; 2] = [vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT];

/// SPIR-V and binaries draw the same image; without a fragment shader, nothing is drawn.
#[test]
fn objects_draw_without_a_pipeline() {
    let bench = Bench::new();
    let vertex = bench.shader(STAGES[0], include_str!("shaders/tri.vert.spvasm"));
    let fragment = bench.shader(STAGES[1], include_str!("shaders/tri.frag.spvasm"));
    let binaries = [bench.again(STAGES[0], vertex), bench.again(STAGES[1], fragment)];
    for bound in [[vertex, fragment], binaries, [vertex, binaries[1]], [vertex, vk::ShaderEXT::null()]] {
        let pixels = bench.draw(|cmd| {
            bench.state(cmd);
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
            unsafe {
                bench.objects.cmd_bind_shaders(cmd, &STAGES, &bound);
                bench.gpu.device.cmd_draw(cmd, 3, 1, 0, 0);
            }
        });
        for (i, &pixel) in pixels.iter().enumerate() {
            let wanted = if bound[1] == vk::ShaderEXT::null() { 0xff00_00ff } else { expected(i) };
            assert_eq!(pixel, wanted, "pixel {i} with {bound:?}");
        }
    }
    bench.end(&[vertex, fragment, binaries[0], binaries[1]]);
}

/// The index is in effect until an index buffer is bound. Spec: Vulkan, vkCmdSetPrimitiveRestartIndexEXT.
#[test]
fn another_index_restarts_primitives() {
    type SetRestartIndex = unsafe extern "system" fn(vk::CommandBuffer, u32);
    let bench = Bench::new();
    let d = &bench.gpu.device;
    // SAFETY: the command has the transmuted type in the specification.
    let set_restart: SetRestartIndex = unsafe {
        let name = c"vkCmdSetPrimitiveRestartIndexEXT".as_ptr();
        let found = bench.gpu.instance.get_device_proc_addr(d.handle(), name);
        std::mem::transmute(found.expect("the command"))
    };
    let vertex = bench.shader(STAGES[0], include_str!("shaders/tri.vert.spvasm"));
    let fragment = bench.shader(STAGES[1], include_str!("shaders/tri.frag.spvasm"));
    let indices = bench.gpu.buffer(12, vk::BufferUsageFlags::INDEX_BUFFER);
    indices.write(&[0u32, 1, 2]);
    let draw = |restart: Option<u32>, rebind: bool| {
        let pixels = bench.draw(|cmd| {
            bench.state(cmd);
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
            unsafe {
                bench.objects.cmd_set_primitive_topology(cmd, vk::PrimitiveTopology::TRIANGLE_STRIP);
                bench.objects.cmd_set_primitive_restart_enable(cmd, true);
                bench.objects.cmd_bind_shaders(cmd, &STAGES, &[vertex, fragment]);
                d.cmd_bind_index_buffer(cmd, indices.buffer, 0, vk::IndexType::UINT32);
                if let Some(index) = restart {
                    set_restart(cmd, index);
                }
                if rebind {
                    d.cmd_bind_index_buffer(cmd, indices.buffer, 0, vk::IndexType::UINT32);
                }
                d.cmd_draw_indexed(cmd, 3, 1, 0, 0, 0);
            }
        });
        pixels.iter().enumerate().all(|(i, &p)| p == expected(i))
    };
    assert!(draw(None, false));
    assert!(!draw(Some(2), false), "a strip of two vertices");
    assert!(draw(Some(3), false));
    assert!(draw(Some(2), true));
    indices.destroy(&bench.gpu);
    bench.end(&[vertex, fragment]);
}

/// A secondary command buffer inherits the locations of attachments. An attachment without a location is not written. Spec:
/// Vulkan, VkRenderingAttachmentLocationInfo, vkCmdExecuteCommands.
#[test]
fn secondary_command_buffers_inherit_locations() {
    let bench = Bench::new();
    let d = &bench.gpu.device;
    let mapping = ash::khr::dynamic_rendering_local_read::Device::new(&bench.gpu.instance, d);
    let vertex = bench.shader(STAGES[0], include_str!("shaders/tri.vert.spvasm"));
    let fragment = bench.shader(STAGES[1], include_str!("shaders/tri.frag.spvasm"));
    // SAFETY: valid usage of Vulkan: the create info is live during the call.
    let pool = unsafe { d.create_command_pool(&vk::CommandPoolCreateInfo::default(), None) }.unwrap();
    for location in [Some(0), None] {
        let locations = [location.unwrap_or(vk::ATTACHMENT_UNUSED)];
        let map = vk::RenderingAttachmentLocationInfoKHR::default().color_attachment_locations(&locations);
        let (mut inherited, mut map_inherited) = (
            vk::CommandBufferInheritanceRenderingInfo::default()
                .color_attachment_formats(&[FORMAT])
                .rasterization_samples(vk::SampleCountFlags::TYPE_1),
            map,
        );
        let inheritance = vk::CommandBufferInheritanceInfo::default()
            .push_next(&mut inherited)
            .push_next(&mut map_inherited);
        let begin = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::RENDER_PASS_CONTINUE)
            .inheritance_info(&inheritance);
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::SECONDARY)
            .command_buffer_count(1);
        // SAFETY: valid usage of Vulkan: all objects in the commands are live until the commands are done.
        let second = unsafe {
            let second = d.allocate_command_buffers(&info).unwrap()[0];
            d.begin_command_buffer(second, &begin).unwrap();
            bench.state(second);
            bench.objects.cmd_bind_shaders(second, &STAGES, &[vertex, fragment]);
            d.cmd_draw(second, 3, 1, 0, 0);
            d.end_command_buffer(second).unwrap();
            second
        };
        let pixels = bench.draw_in(vk::RenderingFlags::CONTENTS_SECONDARY_COMMAND_BUFFERS, |cmd| {
            // SAFETY: valid usage of Vulkan: the second command buffer was recorded for this scope.
            unsafe {
                mapping.cmd_set_rendering_attachment_locations(cmd, &map);
                d.cmd_execute_commands(cmd, &[second]);
            }
        });
        for (i, &pixel) in pixels.iter().enumerate() {
            assert_eq!(
                pixel,
                if location.is_some() { expected(i) } else { 0xff00_00ff },
                "pixel {i}, {location:?}"
            );
        }
    }
    // SAFETY: the commands are done.
    unsafe { d.destroy_command_pool(pool, None) };
    bench.end(&[vertex, fragment]);
}

/// Shaders know only some of the sets of the pipeline layout, if all of them and the layout have independent sets. Spec:
/// Vulkan, VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR, `maintenance11`.
#[test]
fn objects_have_independent_sets() {
    let bench = Bench::new();
    let (gpu, d) = (&bench.gpu, &bench.gpu.device);
    let shade = [1.0f32, 0.0, 1.0, 1.0];
    let buffer = gpu.buffer(16, vk::BufferUsageFlags::STORAGE_BUFFER);
    buffer.write(&shade);
    let bound = [Bound::Buffers(vk::DescriptorType::STORAGE_BUFFER, &[buffer.buffer])];
    let sets = Sets::new(gpu, STAGES[1], &bound);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let empty = d.create_descriptor_set_layout(&Default::default(), None).unwrap();
        let layouts = [empty, sets.layouts[0]];
        // VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR.
        let flags = vk::PipelineLayoutCreateFlags::INDEPENDENT_SETS_EXT;
        let info = vk::PipelineLayoutCreateInfo::default().flags(flags).set_layouts(&layouts);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let texts = [include_str!("shaders/tri.vert.spvasm"), include_str!("shaders/set_one.frag.spvasm")];
        let shaders = [0, 1].map(|i| {
            let words = assemble(texts[i]);
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
            let info = vk::ShaderCreateInfoEXT::default()
                .flags(vk::ShaderCreateFlagsEXT::from_raw(1 << 18))
                .stage(STAGES[i])
                .name(c"main")
                .code(&bytes)
                .code_type(vk::ShaderCodeTypeEXT::SPIRV);
            // The vertex shader knows the first set, the fragment shader both.
            bench.make(&info.set_layouts(&layouts[..=i]))
        });
        let point = vk::PipelineBindPoint::GRAPHICS;
        let pixels = bench.draw(|cmd| {
            bench.state(cmd);
            bench.objects.cmd_bind_shaders(cmd, &STAGES, &shaders);
            d.cmd_bind_descriptor_sets(cmd, point, layout, 1, &sets.sets, &[]);
            d.cmd_draw(cmd, 3, 1, 0, 0);
        });
        for (i, &pixel) in pixels.iter().enumerate() {
            let expected = if i as u32 % SIZE < 12 { 0xffff_00ff } else { 0xff00_00ff };
            assert_eq!(pixel, expected, "pixel {i}");
        }
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(empty, None);
        sets.destroy(gpu);
        buffer.destroy(gpu);
        bench.end(&shaders);
    }
}
