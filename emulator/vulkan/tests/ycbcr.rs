//! Images of several planes, by the colours that samplers with a conversion show: two planes of full size, and layers.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use crate::common::sets::{Bound, Sets};
use ash::vk;
use vk::DescriptorType as D;

const GENERAL: vk::ImageLayout = vk::ImageLayout::GENERAL;
const SIDE: u32 = 4;
const TEXELS: usize = (SIDE * SIDE) as usize;

/// Creates a device with a feature, whose structure names it.
fn gpu(extension: &'static std::ffi::CStr, feature: &mut impl vk::ExtendsDeviceCreateInfo) -> Gpu {
    let mut conversion =
        vk::PhysicalDeviceSamplerYcbcrConversionFeatures::default().sampler_ycbcr_conversion(true);
    let extensions = [extension];
    Gpu::with(&extensions, |info| info.push_next(&mut conversion).push_next(feature)).unwrap()
}

/// An image of 4x4 texels, with its conversion.
struct Planes {
    image: vk::Image,
    memory: vk::DeviceMemory,
    view: vk::ImageView,
    conversion: vk::SamplerYcbcrConversion,
    sampler: vk::Sampler,
    layers: u32,
}

/// Description of an image with this number of layers.
fn of(format: vk::Format, layers: u32) -> vk::ImageCreateInfo<'static> {
    vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(format)
        .extent(vk::Extent3D { width: SIDE, height: SIDE, depth: 1 })
        .mip_levels(1)
        .array_layers(layers)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST)
}

impl Planes {
    fn new(gpu: &Gpu, format: vk::Format, layers: u32, model: vk::SamplerYcbcrModelConversion) -> Planes {
        let d = &gpu.device;
        let info = vk::SamplerYcbcrConversionCreateInfo::default()
            .format(format)
            .ycbcr_model(model)
            .ycbcr_range(vk::SamplerYcbcrRange::ITU_FULL)
            .chroma_filter(vk::Filter::NEAREST);
        // SAFETY: valid usage of Vulkan: all objects belong to this device, and the image is bound before it is used.
        unsafe {
            let conversion = d.create_sampler_ycbcr_conversion(&info, None).unwrap();
            let mut by = vk::SamplerYcbcrConversionInfo::default().conversion(conversion);
            let edge = vk::SamplerAddressMode::CLAMP_TO_EDGE;
            let info = vk::SamplerCreateInfo::default().address_mode_u(edge).address_mode_v(edge);
            let info = info.address_mode_w(edge).push_next(&mut by);
            let sampler = d.create_sampler(&info, None).unwrap();
            let image = d.create_image(&of(format, layers), None).unwrap();
            let need = d.get_image_memory_requirements(image);
            let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
            let memory = d.allocate_memory(&info, None).unwrap();
            d.bind_image_memory(image, memory, 0).unwrap();
            let mut by = vk::SamplerYcbcrConversionInfo::default().conversion(conversion);
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D_ARRAY)
                .format(format)
                .subresource_range(vk::ImageSubresourceRange {
                    aspect_mask: vk::ImageAspectFlags::COLOR,
                    level_count: 1,
                    layer_count: layers,
                    ..Default::default()
                })
                .push_next(&mut by);
            let view = d.create_image_view(&info, None).unwrap();
            Planes { image, memory, view, conversion, sampler, layers }
        }
    }

    /// Fills a plane of a layer, whose sides are divided by `part`.
    fn fill(&self, gpu: &Gpu, aspect_mask: vk::ImageAspectFlags, layer: u32, part: u32, bytes: &[u8]) {
        let from = gpu.buffer(bytes.len() as u64, vk::BufferUsageFlags::TRANSFER_SRC);
        from.write(bytes);
        let region = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask,
                mip_level: 0,
                base_array_layer: layer,
                layer_count: 1,
            })
            .image_extent(vk::Extent3D { width: SIDE / part, height: SIDE / part, depth: 1 });
        gpu.run(|cmd| {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { gpu.device.cmd_copy_buffer_to_image(cmd, from.buffer, self.image, GENERAL, &[region]) };
        });
        from.destroy(gpu);
    }

    /// Colours that the sampler shows at the centres of all texels, layer by layer.
    fn seen(&self, gpu: &Gpu) -> Vec<[f32; 4]> {
        let out =
            gpu.buffer(u64::from(self.layers) * TEXELS as u64 * 16, vk::BufferUsageFlags::STORAGE_BUFFER);
        let image =
            [vk::DescriptorImageInfo { image_view: self.view, sampler: self.sampler, image_layout: GENERAL }];
        let bound = [Bound::Sampled(&image), Bound::Buffers(D::STORAGE_BUFFER, &[out.buffer])];
        let sets = Sets::new(gpu, vk::ShaderStageFlags::COMPUTE, &bound);
        sets.dispatch(gpu, include_str!("shaders/planes.comp.spvasm"), 0, [1, 1, self.layers]);
        let seen = out.read();
        sets.destroy(gpu);
        out.destroy(gpu);
        seen
    }

    fn destroy(self, gpu: &Gpu) {
        let d = &gpu.device;
        // SAFETY: the commands that use the image are done, and the objects are not used afterwards.
        unsafe {
            d.destroy_image_view(self.view, None);
            d.destroy_image(self.image, None);
            d.free_memory(self.memory, None);
            d.destroy_sampler(self.sampler, None);
            d.destroy_sampler_ycbcr_conversion(self.conversion, None);
        }
    }
}

fn check(seen: &[[f32; 4]], expected: &[[f32; 4]], case: &str) {
    assert_eq!(seen.len(), expected.len());
    for (i, (seen, expected)) in seen.iter().zip(expected).enumerate() {
        let near = seen.iter().zip(expected).all(|(a, b)| (a - b).abs() < 2e-3);
        assert!(near, "{case}, texel {i}: {seen:?}, not {expected:?}");
    }
}

/// The second plane has a blue and a red component for every texel of the first. Spec: Vulkan, "Compatible Formats of
/// Planes of Multi-Planar Formats", "Sampler Y'CBCR Conversion".
#[test]
fn two_planes_have_all_texels() {
    let mut feature =
        vk::PhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT::default().ycbcr2plane444_formats(true);
    let gpu = gpu(c"VK_EXT_ycbcr_2plane_444_formats", &mut feature);
    use vk::Format as F;
    use vk::SamplerYcbcrModelConversion as M;
    // Formats with the number of bits of a component, which are the upper ones of a word of 16 bits, or a byte.
    let formats = [
        (F::G8_B8R8_2PLANE_444_UNORM, 8),
        (F::G10X6_B10X6R10X6_2PLANE_444_UNORM_3PACK16, 10),
        (F::G12X4_B12X4R12X4_2PLANE_444_UNORM_3PACK16, 12),
        (F::G16_B16R16_2PLANE_444_UNORM, 16),
    ];
    for (format, bits) in formats {
        let most = (1u32 << bits) - 1;
        // Components near the middle, so that no converted colour leaves the range.
        let value = |i: usize, k: usize| most / 8 * 3 + (i * 7 + k * 5) as u32 * (most / 31) % (most / 4);
        let bytes = |components: &[usize]| -> Vec<u8> {
            let all = (0..TEXELS).flat_map(|i| components.iter().map(move |&k| value(i, k)));
            match bits {
                8 => all.map(|v| v as u8).collect(),
                _ => all.flat_map(|v| ((v << (16 - bits)) as u16).to_le_bytes()).collect(),
            }
        };
        for model in [M::RGB_IDENTITY, M::YCBCR_709] {
            let planes = Planes::new(&gpu, format, 1, model);
            planes.fill(&gpu, vk::ImageAspectFlags::PLANE_0, 0, 1, &bytes(&[0]));
            planes.fill(&gpu, vk::ImageAspectFlags::PLANE_1, 0, 1, &bytes(&[1, 2]));
            let expected: Vec<[f32; 4]> = (0..TEXELS)
                .map(|i| {
                    let [y, b, r] = [0, 1, 2].map(|k| f64::from(value(i, k)) / f64::from(most));
                    if model == M::RGB_IDENTITY {
                        return [r, y, b, 1.0].map(|v| v as f32);
                    }
                    // Spec: Vulkan, "Sampler Y'CBCR Range Expansion" and "Sampler Y'CBCR Model Conversion".
                    let half = f64::from(1u32 << (bits - 1)) / f64::from(most);
                    let [b, r] = [b - half, r - half];
                    let green = y - 0.13397432 / 0.7152 * b - 0.33480248 / 0.7152 * r;
                    [y + 1.5748 * r, green, y + 1.8556 * b, 1.0].map(|v| v as f32)
                })
                .collect();
            check(&planes.seen(&gpu), &expected, &format!("{format:?}, {model:?}"));
            planes.destroy(&gpu);
        }
    }
}

/// Each layer has planes of its own. Spec: Vulkan, `ycbcrImageArrays`.
#[test]
fn layers_have_planes_of_their_own() {
    const LAYERS: u32 = 3;
    let mut feature = vk::PhysicalDeviceYcbcrImageArraysFeaturesEXT::default().ycbcr_image_arrays(true);
    let gpu = gpu(c"VK_EXT_ycbcr_image_arrays", &mut feature);
    for format in [vk::Format::G8_B8_R8_3PLANE_420_UNORM, vk::Format::G8_B8R8_2PLANE_420_UNORM] {
        let info = of(format, LAYERS);
        // SAFETY: the instance is live.
        let limits = unsafe {
            gpu.instance.get_physical_device_image_format_properties(
                gpu.physical,
                format,
                info.image_type,
                info.tiling,
                info.usage,
                info.flags,
            )
        };
        assert!(limits.unwrap().max_array_layers >= 256, "the least limit of images");
        let planes = Planes::new(&gpu, format, LAYERS, vk::SamplerYcbcrModelConversion::RGB_IDENTITY);
        // A blue and a red for each layer, and a green for each texel.
        let [green, blue, red] = [
            |layer: u32, i: u32| (layer * 50 + i * 9) as u8,
            |layer, _| (200 - layer * 30) as u8,
            |layer, _| (20 + layer * 90) as u8,
        ];
        for layer in 0..LAYERS {
            use vk::ImageAspectFlags as A;
            let first: Vec<u8> = (0..TEXELS as u32).map(|i| green(layer, i)).collect();
            planes.fill(&gpu, A::PLANE_0, layer, 1, &first);
            let [blue, red] = [blue(layer, 0), red(layer, 0)];
            if format == vk::Format::G8_B8_R8_3PLANE_420_UNORM {
                planes.fill(&gpu, A::PLANE_1, layer, 2, &[blue; TEXELS / 4]);
                planes.fill(&gpu, A::PLANE_2, layer, 2, &[red; TEXELS / 4]);
            } else {
                planes.fill(&gpu, A::PLANE_1, layer, 2, &[blue, red].repeat(TEXELS / 4));
            }
        }
        let expected: Vec<[f32; 4]> = (0..LAYERS)
            .flat_map(|layer| (0..TEXELS as u32).map(move |i| (layer, i)))
            .map(|(layer, i)| {
                [red(layer, i), green(layer, i), blue(layer, i), 255].map(|v| f32::from(v) / 255.0)
            })
            .collect();
        check(&planes.seen(&gpu), &expected, &format!("{format:?}"));
        planes.destroy(&gpu);
    }
}
