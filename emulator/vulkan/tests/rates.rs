//! Fragment shading rates, and multisampled rendering to single-sampled attachments, through the driver: the values of
//! commands, pipelines, subpasses and dynamic rendering reach the device library, which has its own tests.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::triangle::FORMAT;
use crate::common::{Gpu, Mapped, Picture};
use ash::vk;

const SIZE: u32 = 16;
const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: SIZE, height: SIZE } };
const KEEP: [vk::FragmentShadingRateCombinerOpKHR; 2] = [vk::FragmentShadingRateCombinerOpKHR::KEEP; 2];
const REPLACE: [vk::FragmentShadingRateCombinerOpKHR; 2] =
    [vk::FragmentShadingRateCombinerOpKHR::KEEP, vk::FragmentShadingRateCombinerOpKHR::REPLACE];

const EXTENSIONS: &[&std::ffi::CStr] = &[
    c"VK_KHR_create_renderpass2",
    c"VK_KHR_depth_stencil_resolve",
    c"VK_KHR_dynamic_rendering",
    c"VK_KHR_fragment_shading_rate",
    c"VK_EXT_multisampled_render_to_single_sampled",
];

/// Objects to test both extensions.
struct Bench {
    gpu: Gpu,
    rendering: ash::khr::dynamic_rendering::Device,
    passes: ash::khr::create_renderpass2::Device,
    rates: ash::khr::fragment_shading_rate::Device,
    picture: Picture,
    pixels: Mapped,
}

impl Bench {
    fn new() -> Bench {
        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut rates = vk::PhysicalDeviceFragmentShadingRateFeaturesKHR::default()
            .pipeline_fragment_shading_rate(true)
            .primitive_fragment_shading_rate(true)
            .attachment_fragment_shading_rate(true);
        let mut samples = vk::PhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT::default()
            .multisampled_render_to_single_sampled(true);
        let gpu = Gpu::with(EXTENSIONS, |info| {
            info.push_next(&mut dynamic).push_next(&mut rates).push_next(&mut samples)
        });
        let gpu = gpu.unwrap();
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT
            | vk::ImageUsageFlags::TRANSFER_SRC
            | vk::ImageUsageFlags::TRANSFER_DST;
        Bench {
            rendering: ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device),
            passes: ash::khr::create_renderpass2::Device::new(&gpu.instance, &gpu.device),
            rates: ash::khr::fragment_shading_rate::Device::new(&gpu.instance, &gpu.device),
            picture: gpu.image(FORMAT, SIZE, usage),
            pixels: gpu.buffer(u64::from(SIZE * SIZE * 4), vk::BufferUsageFlags::TRANSFER_DST),
            gpu,
        }
    }
    /// Creates a pipeline for a subpass or dynamic rendering, with this shading rate or a dynamic one.
    fn pipeline(
        &self,
        pass: vk::RenderPass,
        samples: vk::SampleCountFlags,
        rate: Option<[u32; 2]>,
    ) -> (vk::Pipeline, vk::PipelineLayout) {
        let d = &self.gpu.device;
        let vertex = self.gpu.shader(include_str!("shaders/tri.vert.spvasm"));
        let fragment = self.gpu.shader(include_str!("shaders/place.frag.spvasm"));
        let stages = [(vertex, vk::ShaderStageFlags::VERTEX), (fragment, vk::ShaderStageFlags::FRAGMENT)]
            .map(|(m, s)| vk::PipelineShaderStageCreateInfo::default().module(m).stage(s).name(c"main"));
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let side = SIZE as f32;
        let viewports = [vk::Viewport { width: side, height: side, max_depth: 1.0, ..Default::default() }];
        let scissors = [AREA];
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(samples);
        let all = vk::ColorComponentFlags::RGBA;
        let attachment = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(all)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachment);
        let states: &[_] = if rate.is_some() { &[] } else { &[vk::DynamicState::FRAGMENT_SHADING_RATE_KHR] };
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(states);
        let formats = [FORMAT];
        let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
        let [width, height] = rate.unwrap_or([1; 2]);
        let mut rate = vk::PipelineFragmentShadingRateStateCreateInfoKHR::default()
            .fragment_size(vk::Extent2D { width, height })
            .combiner_ops(KEEP);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let layout = d.create_pipeline_layout(&Default::default(), None).unwrap();
            let mut info = vk::GraphicsPipelineCreateInfo::default()
                .stages(&stages)
                .vertex_input_state(&input)
                .input_assembly_state(&assembly)
                .viewport_state(&viewport)
                .rasterization_state(&raster)
                .multisample_state(&samples)
                .color_blend_state(&blend)
                .dynamic_state(&dynamic)
                .layout(layout)
                .render_pass(pass)
                .push_next(&mut rate);
            if pass == vk::RenderPass::null() {
                info = info.push_next(&mut rendering);
            }
            let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
            d.destroy_shader_module(vertex, None);
            d.destroy_shader_module(fragment, None);
            (made.unwrap()[0], layout)
        }
    }

    /// Draws in dynamic rendering, to an image cleared to black.
    fn draw(
        &self,
        samples: vk::SampleCountFlags,
        pipeline_rate: Option<[u32; 2]>,
        record: impl FnOnce(vk::CommandBuffer),
    ) -> Vec<[u8; 4]> {
        let d = &self.gpu.device;
        let (pipeline, layout) = self.pipeline(vk::RenderPass::null(), samples, pipeline_rate);
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(self.picture.view)
            .resolve_mode(vk::ResolveModeFlags::AVERAGE)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let mut many = vk::MultisampledRenderToSingleSampledInfoEXT::default()
            .multisampled_render_to_single_sampled_enable(samples != vk::SampleCountFlags::TYPE_1)
            .rasterization_samples(samples);
        let info = vk::RenderingInfo::default().render_area(AREA).layer_count(1).color_attachments(&color);
        let info = info.push_next(&mut many);
        self.gpu.run(|cmd| {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
            unsafe {
                self.rendering.cmd_begin_rendering(cmd, &info);
                d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
                record(cmd);
                d.cmd_draw(cmd, 3, 1, 0, 0);
                self.rendering.cmd_end_rendering(cmd);
                self.copy(cmd);
            }
        });
        // SAFETY: the draw is done, and the objects are not used afterwards.
        unsafe {
            d.destroy_pipeline(pipeline, None);
            d.destroy_pipeline_layout(layout, None);
        }
        self.pixels.read()
    }

    fn copy(&self, cmd: vk::CommandBuffer) {
        let (from, to) = (self.picture.image, self.pixels.buffer);
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        self.gpu.barrier(cmd);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_copy_image_to_buffer(cmd, from, layout, to, &[self.picture.region()]) }
    }

    fn destroy(self) {
        self.picture.destroy(&self.gpu);
        self.pixels.destroy(&self.gpu);
    }
}

/// Red and green of a pixel in a fragment of this size: the centre of the fragment.
fn middle(x: u32, y: u32, size: [u32; 2]) -> [u8; 2] {
    [(x, size[0]), (y, size[1])].map(|(v, size)| {
        let at = (v - v % size) as f32 + size as f32 * 0.5;
        (at / SIZE as f32 * 255.0).round_ties_even() as u8
    })
}

fn check(pixels: &[[u8; 4]], size_of: impl Fn(u32, u32) -> [u32; 2]) {
    for (i, pixel) in pixels.iter().enumerate() {
        let [x, y] = [i as u32 % SIZE, i as u32 / SIZE];
        assert_eq!(pixel[..2], middle(x, y, size_of(x, y)), "pixel {x}, {y}");
    }
}

#[test]
fn sizes_are_those_of_pipelines_and_of_commands() {
    let bench = Bench::new();
    let one = vk::SampleCountFlags::TYPE_1;
    check(&bench.draw(one, Some([2, 4]), |_| ()), |_, _| [2, 4]);
    for size in [[1, 1], [2, 1], [4, 4]] {
        let extent = vk::Extent2D { width: size[0], height: size[1] };
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        let set = |cmd| unsafe { (bench.rates.fp().cmd_set_fragment_shading_rate_khr)(cmd, &extent, &KEEP) };
        check(&bench.draw(one, None, set), |_, _| size);
        // With four samples per pixel, a fragment of 4x4 pixels would exceed the 32 samples that a fragment may have.
        let size = if size == [4, 4] { [4, 2] } else { size };
        check(&bench.draw(vk::SampleCountFlags::TYPE_4, None, set), |_, _| size);
    }
    bench.destroy();
}

/// Sizes are listed in descending order. Spec: Vulkan, vkGetPhysicalDeviceFragmentShadingRatesKHR.
#[test]
fn sizes_are_offered_in_order() {
    let bench = Bench::new();
    let rates = ash::khr::fragment_shading_rate::Instance::new(&vk_quadrille::entry(), &bench.gpu.instance);
    let get = rates.fp().get_physical_device_fragment_shading_rates_khr;
    let (mut count, mut all) = (0, Vec::new());
    // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the call.
    unsafe {
        assert_eq!(get(bench.gpu.physical, &mut count, std::ptr::null_mut()), vk::Result::SUCCESS);
        all.resize(count as usize, vk::PhysicalDeviceFragmentShadingRateKHR::default());
        assert_eq!(get(bench.gpu.physical, &mut count, all.as_mut_ptr()), vk::Result::SUCCESS);
    }
    let sizes: Vec<_> = all.iter().map(|r| [r.fragment_size.width, r.fragment_size.height]).collect();
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    let mut own = vk::PhysicalDeviceFragmentShadingRatePropertiesKHR::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut own);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    unsafe { bench.gpu.instance.get_physical_device_properties2(bench.gpu.physical, &mut properties) };
    // Each bit of a SampleMask is a sample.
    let words = properties.properties.limits.max_sample_mask_words;
    assert_eq!(own.fragment_shading_rate_with_shader_sample_mask, vk::TRUE);
    assert!(own.max_fragment_shading_rate_coverage_samples <= 32 * words);
    for rate in all.iter().filter(|r| r.fragment_size.width * r.fragment_size.height > 1) {
        let samples = 1 << rate.sample_counts.as_raw().ilog2();
        assert!(samples <= own.max_fragment_shading_rate_rasterization_samples.as_raw(), "{rate:?}");
        let all = rate.fragment_size.width * rate.fragment_size.height * samples;
        assert!(all <= own.max_fragment_shading_rate_coverage_samples, "{rate:?}");
    }
    for (size, samples) in [([2, 2], 0b111), ([2, 1], 0b111), ([1, 1], u32::MAX)] {
        let rate = all.iter().find(|r| [r.fragment_size.width, r.fragment_size.height] == size).unwrap();
        assert_eq!(rate.sample_counts.as_raw() & samples, samples, "{size:?}");
    }
    bench.destroy();
}

/// A subpass whose attachment sets 4x2 for the left half and 1x4 for the right half.
#[test]
fn subpasses_have_shading_rate_attachments() {
    let bench = Bench::new();
    let d = &bench.gpu.device;
    let usage = vk::ImageUsageFlags::FRAGMENT_SHADING_RATE_ATTACHMENT_KHR | vk::ImageUsageFlags::TRANSFER_DST;
    let rate = bench.gpu.image(vk::Format::R8_UINT, 2, usage);
    let texels = bench.gpu.buffer(4, vk::BufferUsageFlags::TRANSFER_SRC);
    texels.write(&[0b1001u8, 0b0010, 0b1001, 0b0010]);
    let one = vk::SampleCountFlags::TYPE_1;
    let attachments = [
        vk::AttachmentDescription2::default()
            .format(FORMAT)
            .samples(one)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL),
        vk::AttachmentDescription2::default()
            .format(vk::Format::R8_UINT)
            .samples(one)
            .load_op(vk::AttachmentLoadOp::LOAD)
            .initial_layout(vk::ImageLayout::GENERAL)
            .final_layout(vk::ImageLayout::GENERAL),
    ];
    let reference = |attachment| {
        vk::AttachmentReference2::default().attachment(attachment).layout(vk::ImageLayout::GENERAL)
    };
    let (colors, rates) = ([reference(0)], reference(1));
    let mut by_texel = vk::FragmentShadingRateAttachmentInfoKHR::default()
        .fragment_shading_rate_attachment(&rates)
        .shading_rate_attachment_texel_size(vk::Extent2D { width: 8, height: 8 });
    let subpasses = [vk::SubpassDescription2::default().color_attachments(&colors).push_next(&mut by_texel)];
    let info = vk::RenderPassCreateInfo2::default().attachments(&attachments).subpasses(&subpasses);
    let views = [bench.picture.view, rate.view];
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let pass = bench.passes.create_render_pass2(&info, None).unwrap();
        let info = vk::FramebufferCreateInfo::default().render_pass(pass).attachments(&views);
        let framebuffer = d.create_framebuffer(&info.width(SIZE).height(SIZE).layers(1), None).unwrap();
        let (pipeline, layout) = bench.pipeline(pass, one, None);
        bench.gpu.run(|cmd| {
            let general = vk::ImageLayout::GENERAL;
            d.cmd_copy_buffer_to_image(cmd, texels.buffer, rate.image, general, &[rate.region()]);
            bench.gpu.barrier(cmd);
            let clears = [vk::ClearValue::default()];
            let info = vk::RenderPassBeginInfo::default()
                .render_pass(pass)
                .framebuffer(framebuffer)
                .render_area(AREA)
                .clear_values(&clears);
            d.cmd_begin_render_pass(cmd, &info, vk::SubpassContents::INLINE);
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
            let pixel = vk::Extent2D { width: 1, height: 1 };
            (bench.rates.fp().cmd_set_fragment_shading_rate_khr)(cmd, &pixel, &REPLACE);
            d.cmd_draw(cmd, 3, 1, 0, 0);
            d.cmd_end_render_pass(cmd);
            bench.copy(cmd);
        });
        check(&bench.pixels.read::<[u8; 4]>(), |x, _| if x < 8 { [4, 2] } else { [1, 4] });
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_framebuffer(framebuffer, None);
        d.destroy_render_pass(pass, None);
    }
    rate.destroy(&bench.gpu);
    texels.destroy(&bench.gpu);
    bench.destroy();
}
