//! Accesses beyond the end of buffers and images, and of null descriptors.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::CStr;

use crate::common::Gpu;
use crate::common::sets::{Bound, Extra, Sets};
use ash::vk;
use vk::DescriptorType as D;

/// Runs the shader on a device with these extensions; an access beyond the end reads zero, and writes nothing.
fn check(gpu: &Gpu, extension: &CStr, robust: Option<&vk::PipelineRobustnessCreateInfoEXT<'_>>) {
    let usage =
        vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::TRANSFER_DST;
    let d = &gpu.device;
    let pictures = [(); 2].map(|()| gpu.image(vk::Format::R32_UINT, 4, usage));
    let nothing = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::UNIFORM_BUFFER;
    let [out, words, uniforms] = [64, 16, 16].map(|size| gpu.buffer(size, nothing));
    out.write(&[[7u32; 15].as_slice(), &[1_000_063]].concat());
    words.write(&[1u32, 2, 3, 4]);
    uniforms.write(&[5u32, 6, 7, 8]);
    gpu.run(|cmd| {
        let value = vk::ClearColorValue { uint32: [9; 4] };
        let general = vk::ImageLayout::GENERAL;
        for picture in &pictures {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { d.cmd_clear_color_image(cmd, picture.image, general, &value, &[crate::common::WHOLE]) };
        }
    });
    // SAFETY: valid usage of Vulkan: the sampler is destroyed after the commands that use it.
    let sampler = unsafe { d.create_sampler(&Default::default(), None) }.unwrap();
    let image = |image_view| {
        [vk::DescriptorImageInfo { image_view, sampler, image_layout: vk::ImageLayout::GENERAL }]
    };
    let null = extension.to_str().unwrap().contains("robustness2");
    let [images, stored] = [image(pictures[0].view), image(pictures[1].view)];
    let none = if null { image(vk::ImageView::null()) } else { images };
    let missing = if null { vk::Buffer::null() } else { uniforms.buffer };
    let bound = [
        Bound::Buffers(D::STORAGE_BUFFER, &[out.buffer]),
        Bound::Buffers(D::STORAGE_BUFFER, &[words.buffer]),
        Bound::Buffers(D::UNIFORM_BUFFER, &[uniforms.buffer]),
        Bound::Images(D::COMBINED_IMAGE_SAMPLER, &images),
        Bound::Images(D::STORAGE_IMAGE, &stored),
        Bound::Buffers(D::STORAGE_BUFFER, &[missing]),
        Bound::Images(D::COMBINED_IMAGE_SAMPLER, &none),
    ];
    let sets = Sets::new(gpu, vk::ShaderStageFlags::COMPUTE, &bound);
    let of_pipeline = robust.map_or(std::ptr::null(), |r| std::ptr::from_ref(r).cast());
    sets.dispatch_with(
        gpu,
        include_str!("shaders/robust.comp.spvasm"),
        0,
        [1; 3],
        &Extra { of_pipeline, ..Extra::default() },
    );
    let seen: Vec<u32> = out.read();
    let of_null = if null { [0, 0, 0] } else { [5, 9, 4] };
    assert_eq!(seen[..7], [4, 0, 5, 0, 9, 0, 0], "{extension:?}");
    assert_eq!(seen[7..10], of_null, "{extension:?}");
    assert_eq!(seen[10..], [81, 4, 7, 7, 7, 1_000_063], "{extension:?}");
    assert_eq!(words.read::<u32>(), [1, 2, 3, 4]);
    sets.destroy(gpu);
    // SAFETY: the commands that use the sampler are done.
    unsafe { d.destroy_sampler(sampler, None) };
    [out, words, uniforms].into_iter().for_each(|b| b.destroy(gpu));
    pictures.into_iter().for_each(|picture| picture.destroy(gpu));
}

/// Spec: Vulkan, robustBufferAccess2, robustImageAccess2, nullDescriptor.
#[test]
fn accesses_beyond_the_end_are_zero() {
    for name in [c"VK_EXT_robustness2", c"VK_KHR_robustness2"] {
        let core = vk::PhysicalDeviceFeatures::default().robust_buffer_access(true);
        let mut feature = vk::PhysicalDeviceRobustness2FeaturesEXT::default()
            .robust_buffer_access2(true)
            .robust_image_access2(true)
            .null_descriptor(true);
        let extensions = [name];
        let gpu = Gpu::with(&extensions, |info| info.enabled_features(&core).push_next(&mut feature));
        check(&gpu.unwrap(), name, None);
    }
}

/// A pipeline asks for robust accesses on a device without the feature. Spec: Vulkan, VkPipelineRobustnessCreateInfo.
#[test]
fn pipelines_are_robust_by_themselves() {
    use vk::PipelineRobustnessBufferBehaviorEXT as B;
    let mut pipelines = vk::PhysicalDevicePipelineRobustnessFeaturesEXT::default().pipeline_robustness(true);
    let mut images = vk::PhysicalDeviceImageRobustnessFeatures::default().robust_image_access(true);
    let extensions = [c"VK_EXT_pipeline_robustness", c"VK_EXT_image_robustness"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut pipelines).push_next(&mut images)).unwrap();
    let robust = vk::PipelineRobustnessCreateInfoEXT::default()
        .storage_buffers(B::ROBUST_BUFFER_ACCESS_2)
        .uniform_buffers(B::ROBUST_BUFFER_ACCESS_2)
        .vertex_inputs(B::ROBUST_BUFFER_ACCESS_2)
        .images(vk::PipelineRobustnessImageBehaviorEXT::ROBUST_IMAGE_ACCESS_2);
    check(&gpu, c"VK_EXT_pipeline_robustness", Some(&robust));
}
