//! Fragment density maps through the driver: maps of render passes and of dynamic rendering, their offsets, views of
//! multiview, subsampled images, and the answers of queries. Coverage has its own tests in the device library.
//!
//! Spec: Vulkan, "Fragment Density Map Operations".

#![expect(unsafe_code, reason = "a Vulkan client")]

#[path = "density/bench.rs"]
mod bench;

use ash::vk;

use bench::{Bench, FORMAT, GENERAL, LAYERS, LayeredMaps, Layers, SIZE, TRIANGLE, area, density, layered};

/// Render passes of both versions, with views whose contents are read at any of the three times.
#[test]
fn render_passes_have_a_map() {
    use vk::ImageViewCreateFlags as F;
    let mut bench = Bench::new();
    for flags in [F::empty(), F::FRAGMENT_DENSITY_MAP_DYNAMIC_EXT, F::FRAGMENT_DENSITY_MAP_DEFERRED_EXT] {
        let map = bench.map.view(&bench.gpu, vk::Format::R8G8_UNORM, (1, 1), flags);
        for second in [false, true] {
            bench.draw_pass(second, map, Layers::One, &[]);
            // 32 pixels / 4 texels.
            bench.check(0, SIZE, 8, 1, [0; 2]);
        }
        bench.map.views.push(map);
    }
    bench.destroy();
}

/// A map that the device writes after recording has begun: the fragments have the densities of the last write.
#[test]
fn the_device_writes_maps() {
    let bench = Bench::new();
    bench.fill(|_, _, _| [255; 2]);
    bench.draw_pass(false, bench.map.views[0], Layers::One, &[]);
    let pixels = bench.pixels.read::<[f32; 4]>();
    assert_eq!((pixels[0], pixels[33]), ([0.5, 0.5, 1.0, 1.0], [1.5, 1.5, 1.0, 1.0]));
    bench.fill(density);
    bench.draw_pass(false, bench.map.views[0], Layers::One, &[]);
    bench.check(0, SIZE, 8, 0, [0; 2]);
    bench.destroy();
}

/// In dynamic rendering, the framebuffer ends where the render area does.
#[test]
fn dynamic_rendering_has_a_map() {
    let bench = Bench::new();
    let views = [bench.picture.views[0], bench.map.views[0]];
    // The least region is a pixel, and limits fragments too. Those of 31, 15 and 13 pixels end with the framebuffer.
    for (end, region) in [(SIZE, 8), (31, 8), (16, 4), (15, 4), (13, 4), (8, 2), (4, 1), (3, 1)] {
        bench.draw_dynamic(views, (0, Layers::One), end, &[]);
        bench.check(0, end, region, 0, [0; 2]);
    }
    bench.destroy();
}

/// Views of multiview have a layer of the map of their own, or share the only one.
#[test]
fn views_have_layers_of_the_map() {
    let bench = Bench::new();
    let both = bench.picture.views[2];
    bench.draw_dynamic([both, bench.map.views[2]], (0b11, Layers::One), SIZE, &[]);
    (0..LAYERS).for_each(|layer| bench.check(layer, SIZE, 8, layer, [0; 2]));
    bench.draw_dynamic([both, bench.map.views[1]], (0b11, Layers::One), SIZE, &[]);
    (0..LAYERS).for_each(|layer| bench.check(layer, SIZE, 8, 1, [0; 2]));
    bench.destroy();
}

/// Without multiview, layers have a layer of the map and an offset of their own if the scope has the flag, and share the
/// first ones otherwise. Spec: VK_VALVE_fragment_density_map_layered.
#[test]
fn layers_have_layers_of_the_map() {
    let bench = Bench::new();
    let [picture, map, second] = [bench.picture.views[2], bench.map.views[2], bench.map.views[1]];
    let offsets = [vk::Offset2D { x: 8, y: -16 }, vk::Offset2D { x: -8, y: 0 }];
    // Pictures of 32 pixels, and a render area that ends earlier.
    for (layers, maps, moves) in
        [(Layers::Own, [0, 1], [[8, -16], [-8, 0]]), (Layers::Shared, [0, 0], [[8, -16], [8, -16]])]
    {
        let check = |end, region, moves: [[i32; 2]; 2]| {
            (0..LAYERS).for_each(|i| bench.check(i, end, region, maps[i as usize], moves[i as usize]));
        };
        for second in [false, true] {
            bench.draw_pass(second, map, layers, &[]);
            check(SIZE, 8, [[0; 2]; 2]);
        }
        bench.draw_pass(true, map, layers, &offsets);
        check(SIZE, 8, moves);
        for (end, region) in [(SIZE, 8), (15, 4)] {
            bench.draw_dynamic([picture, map], (0, layers), end, &[]);
            check(end, region, [[0; 2]; 2]);
        }
        bench.draw_dynamic([picture, map], (0, layers), SIZE, &offsets);
        check(SIZE, 8, moves);
        // A view of the second layer alone: all layers use it.
        bench.draw_dynamic([picture, second], (0, layers), SIZE, &[]);
        (0..LAYERS).for_each(|layer| bench.check(layer, SIZE, 8, 1, [0; 2]));
    }
    bench.destroy();
}

/// Spec: VkRenderPassFragmentDensityMapOffsetEndInfoEXT.
#[test]
fn ends_of_render_passes_set_offsets() {
    let bench = Bench::new();
    let offset = |x, y| vk::Offset2D { x, y };
    bench.draw_pass(true, bench.map.views[0], Layers::One, &[offset(8, -16)]);
    bench.check(0, SIZE, 8, 0, [8, -16]);
    bench.draw_dynamic(
        [bench.picture.views[0], bench.map.views[0]],
        (0, Layers::One),
        SIZE,
        &[offset(-1024, 16)],
    );
    bench.check(0, SIZE, 8, 0, [-1024, 16]);
    let both = [bench.picture.views[2], bench.map.views[2]];
    bench.draw_dynamic(both, (0b11, Layers::One), SIZE, &[offset(0, 8), offset(-8, 0)]);
    bench.check(0, SIZE, 8, 0, [0, 8]);
    bench.check(1, SIZE, 8, 1, [-8, 0]);
    bench.destroy();
}

/// Subsampled attachments hold the fragments, and subsampled samplers read them. Spec: Vulkan,
/// VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT.
#[test]
fn subsampled_images_are_sampled() {
    let bench = Bench::new();
    let d = &bench.gpu.device;
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::SAMPLED;
    let image = layered(&bench.gpu, FORMAT, SIZE, usage, vk::ImageCreateFlags::SUBSAMPLED_EXT);
    let edge = vk::SamplerAddressMode::CLAMP_TO_EDGE;
    let info = vk::SamplerCreateInfo::default()
        .flags(
            vk::SamplerCreateFlags::SUBSAMPLED_EXT
                | vk::SamplerCreateFlags::SUBSAMPLED_COARSE_RECONSTRUCTION_EXT,
        )
        .address_mode_u(edge)
        .address_mode_v(edge);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let samplers = [d.create_sampler(&info, None).unwrap()];
        let kind = vk::DescriptorType::COMBINED_IMAGE_SAMPLER;
        let bindings = [vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(kind)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::FRAGMENT)
            .immutable_samplers(&samplers)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let sets = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let sizes = [vk::DescriptorPoolSize { ty: kind, descriptor_count: 1 }];
        let info = vk::DescriptorPoolCreateInfo::default().pool_sizes(&sizes).max_sets(1);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&sets);
        let set = d.allocate_descriptor_sets(&info).unwrap()[0];
        let seen = [vk::DescriptorImageInfo::default().image_view(image.views[0]).image_layout(GENERAL)];
        let write = vk::WriteDescriptorSet::default().dst_set(set).descriptor_type(kind).image_info(&seen);
        d.update_descriptor_sets(&[write], &[]);
        // The picture of the draw is overwritten by what the sampler reads from the subsampled image.
        bench.draw_dynamic([image.views[0], bench.map.views[0]], (0, Layers::One), SIZE, &[]);
        let null = vk::RenderPass::null();
        let pipeline =
            bench.pipeline([TRIANGLE, include_str!("shaders/sample.frag.spvasm")], layout, null, 0);
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(bench.picture.views[0])
            .image_layout(GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)];
        let info =
            vk::RenderingInfo::default().render_area(area(SIZE)).layer_count(1).color_attachments(&color);
        bench.gpu.run(|cmd| {
            let graphics = vk::PipelineBindPoint::GRAPHICS;
            bench.rendering.cmd_begin_rendering(cmd, &info);
            d.cmd_bind_pipeline(cmd, graphics, pipeline);
            d.cmd_bind_descriptor_sets(cmd, graphics, layout, 0, &[set], &[]);
            d.cmd_draw(cmd, 3, 1, 0, 0);
            bench.rendering.cmd_end_rendering(cmd);
            bench.copy(cmd);
        });
        bench.check(0, SIZE, 8, 0, [0; 2]);
        d.destroy_pipeline(pipeline, None);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(sets[0], None);
        d.destroy_sampler(samplers[0], None);
    }
    image.destroy(&bench.gpu);
    bench.destroy();
}

/// Spec: Vulkan, "Limits", and the formats that must support density maps.
#[test]
fn limits_and_formats_are_those_required() {
    let bench = Bench::new();
    let (instance, physical) = (&bench.gpu.instance, bench.gpu.physical);
    let mut maps = vk::PhysicalDeviceFragmentDensityMapPropertiesEXT::default();
    let mut maps2 = vk::PhysicalDeviceFragmentDensityMap2PropertiesEXT::default();
    let mut offset = vk::PhysicalDeviceFragmentDensityMapOffsetPropertiesQCOM::default();
    let (mut feature, mut layers) = (LayeredMaps::new(0, vk::FALSE), LayeredMaps::new(1, 0));
    let mut features =
        vk::PhysicalDeviceFeatures2 { p_next: (&raw mut feature).cast(), ..Default::default() };
    offset.p_next = (&raw mut layers).cast();
    let mut all = vk::PhysicalDeviceProperties2::default()
        .push_next(&mut maps)
        .push_next(&mut maps2)
        .push_next(&mut offset);
    use vk::{FormatFeatureFlags as F, ImageCreateFlags as C, ImageUsageFlags as U};
    // SAFETY: valid usage of Vulkan: the handles are live, and the structures outlive the calls.
    unsafe {
        instance.get_physical_device_properties2(physical, &mut all);
        instance.get_physical_device_features2(physical, &mut features);
        assert!(feature.value == vk::TRUE && layers.value >= 2, "{} layers", layers.value);
        let [least, most] = [maps.min_fragment_density_texel_size, maps.max_fragment_density_texel_size];
        assert!(least.width >= 1 && least.height >= 1 && most.width >= least.width);
        assert!(most.height >= least.height);
        assert_eq!(maps.fragment_density_invocations, vk::FALSE);
        assert!(maps2.max_subsampled_array_layers >= 2 && maps2.max_descriptor_set_subsampled_samplers >= 1);
        let granularity = offset.fragment_density_offset_granularity;
        assert!((1..=1024).contains(&granularity.width) && (1..=1024).contains(&granularity.height));
        let of = |format| instance.get_physical_device_format_properties(physical, format);
        assert!(of(vk::Format::R8G8_UNORM).optimal_tiling_features.contains(F::FRAGMENT_DENSITY_MAP_EXT));
        assert!(!of(FORMAT).optimal_tiling_features.contains(F::FRAGMENT_DENSITY_MAP_EXT));
        let image = |format, tiling, usage, flags| {
            let ty = vk::ImageType::TYPE_2D;
            instance.get_physical_device_image_format_properties(physical, format, ty, tiling, usage, flags)
        };
        let (optimal, linear) = (vk::ImageTiling::OPTIMAL, vk::ImageTiling::LINEAR);
        let map = U::FRAGMENT_DENSITY_MAP_EXT;
        let found = image(vk::Format::R8G8_UNORM, optimal, map, C::empty()).unwrap();
        assert_eq!(found.sample_counts, vk::SampleCountFlags::TYPE_1);
        assert!(image(FORMAT, optimal, map, C::empty()).is_err());
        let drawn = U::COLOR_ATTACHMENT | U::SAMPLED;
        let found = image(FORMAT, optimal, drawn, C::SUBSAMPLED_EXT).unwrap();
        assert_eq!(found.max_mip_levels, 1);
        assert!(found.max_array_layers >= 2);
        assert!(image(FORMAT, linear, drawn, C::SUBSAMPLED_EXT).is_err());
        assert!(image(FORMAT, optimal, drawn, C::SUBSAMPLED_EXT | C::CUBE_COMPATIBLE).is_err());
    }
    bench.destroy();
}
