//! Extensions of images and samplers, by the texels that shaders read: blocks of three dimensions, cubic filters, views of
//! slices, least levels of views, edges of cube faces, formats of 4 bits, views of buffers, single layers.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use crate::common::Gpu;
use crate::common::sets::{Bound, Sets};
use ash::vk;
use vk::DescriptorType as D;
use vk::ImageViewType as V;

const GENERAL: vk::ImageLayout = vk::ImageLayout::GENERAL;

/// An image with its memory.
struct Texture {
    image: vk::Image,
    memory: vk::DeviceMemory,
    info: vk::ImageCreateInfo<'static>,
}

/// A 2D image with one level; callers change it.
fn plain(format: vk::Format, [width, height, depth]: [u32; 3]) -> vk::ImageCreateInfo<'static> {
    vk::ImageCreateInfo::default()
        .image_type(if depth > 1 { vk::ImageType::TYPE_3D } else { vk::ImageType::TYPE_2D })
        .format(format)
        .extent(vk::Extent3D { width, height, depth })
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST)
}

impl Texture {
    /// Creates an image with the bytes of each level, in which layers follow each other.
    fn new(gpu: &Gpu, info: vk::ImageCreateInfo<'static>, levels: &[&[u8]]) -> Texture {
        let d = &gpu.device;
        // SAFETY: valid usage of Vulkan: all objects belong to this device, and the image is bound before it is used.
        let (image, memory) = unsafe {
            let image = d.create_image(&info, None).unwrap();
            let need = d.get_image_memory_requirements(image);
            let allocate = vk::MemoryAllocateInfo::default().allocation_size(need.size);
            let memory = d.allocate_memory(&allocate, None).unwrap();
            d.bind_image_memory(image, memory, 0).unwrap();
            (image, memory)
        };
        for (mip_level, bytes) in (0..).zip(levels) {
            let from = gpu.buffer(bytes.len() as u64, vk::BufferUsageFlags::TRANSFER_SRC);
            from.write(bytes);
            let size = |v: u32| (v >> mip_level).max(1);
            let vk::Extent3D { width, height, depth } = info.extent;
            let region = vk::BufferImageCopy::default()
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: vk::ImageAspectFlags::COLOR,
                    mip_level,
                    base_array_layer: 0,
                    layer_count: info.array_layers,
                })
                .image_extent(vk::Extent3D { width: size(width), height: size(height), depth: size(depth) });
            gpu.run(|cmd| {
                // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
                unsafe { d.cmd_copy_buffer_to_image(cmd, from.buffer, image, GENERAL, &[region]) };
            });
            from.destroy(gpu);
        }
        Texture { image, memory, info }
    }

    /// Runs a compute shader with a view of all levels and with a sampler, or with a storage view; returns the words that
    /// it stores.
    fn seen<T: Copy>(&self, gpu: &Gpu, shader: &str, look: &Look, words: u64, groups: [u32; 3]) -> Vec<T> {
        let d = &gpu.device;
        let range = vk::ImageSubresourceRange {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            level_count: self.info.mip_levels,
            layer_count: self.info.array_layers,
            base_array_layer: look.slice,
            ..Default::default()
        };
        let mut view = vk::ImageViewCreateInfo::default()
            .image(self.image)
            .view_type(look.view)
            .format(self.info.format)
            .subresource_range(range);
        view.p_next = look.of_view;
        let out = gpu.buffer(words * 4, vk::BufferUsageFlags::STORAGE_BUFFER);
        let mip = vk::SamplerMipmapMode::LINEAR;
        let edge = vk::SamplerAddressMode::CLAMP_TO_EDGE;
        let sampler = vk::SamplerCreateInfo::default()
            .flags(look.flags)
            .mag_filter(look.filter)
            .min_filter(look.filter)
            .mipmap_mode(mip)
            .address_mode_u(edge)
            .address_mode_v(edge)
            .address_mode_w(edge)
            .max_lod(vk::LOD_CLAMP_NONE);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let image_view = d.create_image_view(&view, None).unwrap();
            let sampler = d.create_sampler(&sampler, None).unwrap();
            let image = [vk::DescriptorImageInfo { image_view, sampler, image_layout: GENERAL }];
            let bound = [Bound::Images(look.kind, &image), Bound::Buffers(D::STORAGE_BUFFER, &[out.buffer])];
            let sets = Sets::new(gpu, vk::ShaderStageFlags::COMPUTE, &bound);
            sets.dispatch(gpu, shader, 0, groups);
            let seen = out.read();
            sets.destroy(gpu);
            d.destroy_sampler(sampler, None);
            d.destroy_image_view(image_view, None);
            out.destroy(gpu);
            seen
        }
    }

    fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the image are done, and it is not used afterwards.
        unsafe {
            gpu.device.destroy_image(self.image, None);
            gpu.device.free_memory(self.memory, None);
        }
    }
}

/// View and sampler of an image.
struct Look {
    view: V,
    /// First layer, or first slice of a 3D image.
    slice: u32,
    of_view: *const c_void,
    kind: D,
    filter: vk::Filter,
    flags: vk::SamplerCreateFlags,
}

impl Look {
    fn new(view: V) -> Look {
        Look {
            view,
            slice: 0,
            of_view: std::ptr::null(),
            kind: D::COMBINED_IMAGE_SAMPLER,
            filter: vk::Filter::NEAREST,
            flags: vk::SamplerCreateFlags::empty(),
        }
    }
}

/// Creates a device with an extension and its feature structure.
fn gpu(extension: &'static CStr, feature: &mut impl vk::ExtendsDeviceCreateInfo) -> Gpu {
    let extensions = [extension];
    Gpu::with(&extensions, |info| info.push_next(feature)).unwrap()
}

/// VkPhysicalDeviceTextureCompressionASTC3DFeaturesEXT, which the bindings lack.
#[repr(C)]
struct Astc3d {
    ty: vk::StructureType,
    next: *const c_void,
    on: vk::Bool32,
}

/// A block of 4x4x4 texels with 2x2x2 weights of 3 bits and two colours of 8 bits per channel: R0, R1, G0, G1, B0, B1.
struct Block {
    colors: [u8; 6],
    weights: [u8; 8],
}

impl Block {
    /// Endpoints and weights that depend on the number of the block; the first colour is the darker one.
    fn new(n: u8) -> Block {
        let colors = [10 + n, 200 - n, 3 * n, 90 + n, 17, 240 - 5 * n];
        Block { colors, weights: std::array::from_fn(|i| (i as u8 * 3 + n) % 8) }
    }

    /// Spec: Khronos Data Format, "Block Encoding": block mode, one partition, endpoint mode 8 (LDR RGB, direct), colours
    /// from bit 17 on, weights from the last bit backwards.
    fn bytes(&self) -> [u8; 16] {
        let mut bits = 0b1_0011u128 | 8 << 13;
        for (i, color) in (0..).zip(self.colors) {
            bits |= u128::from(color) << (17 + 8 * i);
        }
        for (i, weight) in (0..).zip(self.weights) {
            for k in 0..3 {
                bits |= u128::from(weight >> k & 1) << (127 - 3 * i - k);
            }
        }
        bits.to_le_bytes()
    }

    /// Spec: Khronos Data Format, "Weight Unquantization", "Weight Infill" (simplices) and "Weight Application".
    fn texel(&self, at: [u32; 3]) -> [f32; 4] {
        let place = at.map(|v| (342 * v + 32) >> 6);
        let (base, f) = (place.map(|v| v >> 4), place.map(|v| v & 15));
        let weight = |at: [u32; 3]| {
            let at = at.map(|v| v.min(1));
            let w = u32::from(self.weights[(at[2] * 4 + at[1] * 2 + at[0]) as usize]);
            let six = w << 3 | w;
            if six > 32 { six + 1 } else { six }
        };
        let mut order = [0, 1, 2];
        order.sort_by_key(|&k| std::cmp::Reverse(f[k]));
        let mut corner = base;
        let mut sum = weight(corner) * (16 - f[order[0]]);
        for (i, &k) in order.iter().enumerate() {
            corner[k] += 1;
            sum += weight(corner) * (f[k] - order.get(i + 1).map_or(0, |&next| f[next]));
        }
        let weight = (sum + 8) >> 4;
        let channel = |c: usize| {
            let [a, b] = [self.colors[2 * c], self.colors[2 * c + 1]].map(|v| u32::from(v) * 257);
            ((a * (64 - weight) + b * weight + 32) / 64) as f32 / 65535.0
        };
        [channel(0), channel(1), channel(2), 1.0]
    }
}

/// Texels of eight blocks of three dimensions, decoded as the specification says. Spec: Khronos Data Format, "ASTC
/// Compressed Texture Image Formats".
#[test]
fn blocks_have_three_dimensions() {
    let feature =
        Astc3d { ty: vk::StructureType::from_raw(1_000_288_000), next: std::ptr::null(), on: vk::TRUE };
    let extensions = [c"VK_EXT_texture_compression_astc_3d", c"VK_EXT_astc_decode_mode"];
    let gpu = Gpu::with(&extensions, |mut info| {
        info.p_next = (&raw const feature).cast();
        info
    });
    let gpu = gpu.unwrap();
    let blocks: Vec<Block> = (0..8).map(Block::new).collect();
    let bytes: Vec<u8> = blocks.iter().flat_map(Block::bytes).collect();
    // VK_FORMAT_ASTC_4x4x4_UNORM_BLOCK_EXT.
    let format = vk::Format::from_raw(1_000_288_009);
    let texture = Texture::new(&gpu, plain(format, [8, 8, 8]), &[&bytes]);
    let shader = include_str!("shaders/fetch.comp.spvasm");
    // Texels of 16-bit floats, and of 8 bits, to which the upper 8 of 16 bits go.
    let of_bytes = vk::ImageViewASTCDecodeModeEXT::default().decode_mode(vk::Format::R8G8B8A8_UNORM);
    for (of_view, bytes) in [(std::ptr::null(), false), ((&raw const of_bytes).cast(), true)] {
        let look = Look { of_view, ..Look::new(V::TYPE_3D) };
        let seen: Vec<[f32; 4]> = texture.seen(&gpu, shader, &look, 4 * 512, [1, 1, 8]);
        for (i, seen) in (0..).zip(seen) {
            let at = [i % 8, i / 8 % 8, i / 64];
            let block = &blocks[(at[2] / 4 * 4 + at[1] / 4 * 2 + at[0] / 4) as usize];
            let expected = block.texel(at.map(|v| v % 4));
            // A device may decode with more precision than asked.
            let most = if bytes { 1.0 / 255.0 } else { 1.0 / 1000.0 };
            let near = seen.iter().zip(expected).all(|(a, b)| (a - b).abs() < most);
            assert!(near, "{at:?}: {seen:?}, not {expected:?}");
        }
    }
    texture.destroy(&gpu);
}

/// A value of each texel.
fn texel(x: i32, y: i32) -> f32 {
    ((x * 7 + y * 13) % 23) as f32
}

/// Weighted averages of 16 texels. Spec: Vulkan, "Texel Cubic Filtering".
#[test]
fn samplers_have_cubic_filters() {
    let gpu = Gpu::new(&[c"VK_EXT_filter_cubic", c"VK_IMG_filter_cubic"]);
    let texels: Vec<u8> = (0..256).flat_map(|i| texel(i % 16, i / 16).to_le_bytes()).collect();
    let texture = Texture::new(&gpu, plain(vk::Format::R32_SFLOAT, [16, 16, 1]), &[&texels]);
    let look = Look { filter: vk::Filter::CUBIC_EXT, ..Look::new(V::TYPE_2D) };
    let seen: Vec<f32> = texture.seen(&gpu, include_str!("shaders/cubic.comp.spvasm"), &look, 64, [1, 1, 1]);
    let weights = |t: f64| {
        [
            (-t + 2.0 * t * t - t * t * t) / 2.0,
            (2.0 - 5.0 * t * t + 3.0 * t * t * t) / 2.0,
            (t + 4.0 * t * t - 3.0 * t * t * t) / 2.0,
            (-t * t + t * t * t) / 2.0,
        ]
    };
    for (i, seen) in (0..).zip(seen) {
        let at = f64::from(i) / 64.0 + 1.0 / 256.0;
        let [u, v] = [at, 1.0 - at * 0.75].map(|v| v * 16.0 - 0.5);
        let clamped = |v: f64, k: i32| (v.floor() as i32 + k - 1).clamp(0, 15);
        let [along, down] = [u, v].map(|v| weights(v - v.floor()));
        let mut expected = 0.0;
        for (k, down) in (0..).zip(down) {
            for (l, along) in (0..).zip(along) {
                expected += down * along * f64::from(texel(clamped(u, l), clamped(v, k)));
            }
        }
        assert!((f64::from(seen) - expected).abs() < 0.01, "sample {i}: {seen}, not {expected}");
    }
    texture.destroy(&gpu);
}

/// A 3D image of 4x4x8 texels, whose value is their number.
fn volume(gpu: &Gpu, flags: vk::ImageCreateFlags) -> Texture {
    let texels: Vec<u8> = (0..128).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let info = plain(vk::Format::R32_SFLOAT, [4, 4, 8]).flags(flags);
    Texture::new(gpu, info.usage(info.usage | vk::ImageUsageFlags::STORAGE), &[&texels])
}

/// A 2D view of a 3D image shows one slice to samplers. Spec: Vulkan, "image2DViewOf3D", "sampler2DViewOf3D".
#[test]
fn views_of_two_dimensions_show_a_slice() {
    let mut feature = vk::PhysicalDeviceImage2DViewOf3DFeaturesEXT::default()
        .image2_d_view_of3_d(true)
        .sampler2_d_view_of3_d(true);
    let gpu = gpu(c"VK_EXT_image_2d_view_of_3d", &mut feature);
    let texture = volume(&gpu, vk::ImageCreateFlags::TYPE_2D_VIEW_COMPATIBLE_EXT);
    for slice in [0, 5, 7] {
        let look = Look { slice, ..Look::new(V::TYPE_2D) };
        let shader = include_str!("shaders/fetch_2d.comp.spvasm");
        let seen: Vec<[f32; 4]> = texture.seen(&gpu, shader, &look, 64, [1, 1, 1]);
        let expected = (0..16).map(|i| [(slice * 16 + i) as f32, 0.0, 0.0, 1.0]);
        assert_eq!(seen, expected.collect::<Vec<_>>(), "slice {slice}");
    }
    texture.destroy(&gpu);
}

/// A view of some slices of a 3D image has their number as its depth. Spec: Vulkan, VkImageViewSlicedCreateInfoEXT.
#[test]
fn views_have_some_slices() {
    let mut feature =
        vk::PhysicalDeviceImageSlicedViewOf3DFeaturesEXT::default().image_sliced_view_of3_d(true);
    let gpu = gpu(c"VK_EXT_image_sliced_view_of_3d", &mut feature);
    let texture = volume(&gpu, vk::ImageCreateFlags::empty());
    for (first, count, depth) in [(2, 3, 3), (0, 8, 8), (6, vk::REMAINING_3D_SLICES_EXT, 2)] {
        let slices = vk::ImageViewSlicedCreateInfoEXT::default().slice_offset(first).slice_count(count);
        let of_view = (&raw const slices).cast();
        let look = Look { of_view, kind: D::STORAGE_IMAGE, ..Look::new(V::TYPE_3D) };
        let words = 4 + 16 * depth;
        let shader = include_str!("shaders/slices.comp.spvasm");
        let seen: Vec<u32> = texture.seen(&gpu, shader, &look, u64::from(words), [1, 1, depth]);
        assert_eq!(seen[..4], [4, 4, depth, 0]);
        let expected = (0..16 * depth).map(|i| ((first * 16 + i) as f32).to_bits());
        assert_eq!(seen[4..], expected.collect::<Vec<_>>(), "{count} slices from {first}");
    }
    texture.destroy(&gpu);
}

/// Levels below the least one of a view are not sampled. Spec: Vulkan, VkImageViewMinLodCreateInfoEXT, "Image Level(s)
/// Selection".
#[test]
fn views_have_a_least_level() {
    let mut feature = vk::PhysicalDeviceImageViewMinLodFeaturesEXT::default().min_lod(true);
    let gpu = gpu(c"VK_EXT_image_view_min_lod", &mut feature);
    let levels: Vec<Vec<u8>> =
        (0..4u32).map(|level| (1.0f32 + level as f32).to_le_bytes().repeat(64 >> (2 * level))).collect();
    let levels: Vec<&[u8]> = levels.iter().map(|l| &l[..]).collect();
    let info = plain(vk::Format::R32_SFLOAT, [8, 8, 1]).mip_levels(4);
    let texture = Texture::new(&gpu, info, &levels);
    for least in [0.0, 1.0, 1.5] {
        let min_lod = vk::ImageViewMinLodCreateInfoEXT::default().min_lod(least);
        let look = Look { of_view: (&raw const min_lod).cast(), ..Look::new(V::TYPE_2D) };
        let shader = include_str!("shaders/levels.comp.spvasm");
        let seen: Vec<f32> = texture.seen(&gpu, shader, &look, 8, [1, 1, 1]);
        let expected = (0..8).map(|i| (i as f32 * 0.5).clamp(least, 3.0) + 1.0);
        assert_eq!(seen, expected.collect::<Vec<_>>(), "least level {least}");
    }
    texture.destroy(&gpu);
}

/// Linear filters mix faces at the edge of a cube, unless the sampler keeps to one face. Spec: Vulkan, "Cube Map Edge
/// Handling", VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT.
#[test]
fn samplers_keep_to_a_face() {
    let mut feature = vk::PhysicalDeviceNonSeamlessCubeMapFeaturesEXT::default().non_seamless_cube_map(true);
    let gpu = gpu(c"VK_EXT_non_seamless_cube_map", &mut feature);
    // Face +X is 1, face -Z is 3, the others are 0.
    let faces: Vec<u8> =
        [1.0f32, 0.0, 0.0, 0.0, 0.0, 3.0].iter().flat_map(|v| v.to_le_bytes().repeat(16)).collect();
    let info =
        plain(vk::Format::R32_SFLOAT, [4, 4, 1]).array_layers(6).flags(vk::ImageCreateFlags::CUBE_COMPATIBLE);
    let texture = Texture::new(&gpu, info, &[&faces]);
    for flags in [vk::SamplerCreateFlags::empty(), vk::SamplerCreateFlags::NON_SEAMLESS_CUBE_MAP_EXT] {
        let look = Look { filter: vk::Filter::LINEAR, flags, ..Look::new(V::CUBE) };
        let shader = include_str!("shaders/cube.comp.spvasm");
        let seen: Vec<f32> = texture.seen(&gpu, shader, &look, 8, [1, 1, 1]);
        let expected = (0..8).map(|i| {
            // Distance beyond the centre of the last texel, in texels: the next one is on the other face.
            let beyond = ((f64::from(i) + 0.5) / 8.0 + 1.0) * 2.0 - 3.5;
            if flags.is_empty() { 1.0 + 2.0 * beyond.max(0.0) as f32 } else { 1.0 }
        });
        assert_eq!(seen, expected.collect::<Vec<_>>(), "{flags:?}");
    }
    texture.destroy(&gpu);
}

/// Components of 4 bits, in both orders. Spec: Vulkan, VkFormat.
#[test]
fn components_have_4_bits() {
    let mut feature =
        vk::PhysicalDevice4444FormatsFeaturesEXT::default().format_a4r4g4b4(true).format_a4b4g4r4(true);
    let gpu = gpu(c"VK_EXT_4444_formats", &mut feature);
    let words: Vec<u16> = (0..16u16).map(|i| i.wrapping_mul(0x1b57)).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    // First bits of red, green, blue and alpha.
    for (format, shifts) in [
        (vk::Format::A4R4G4B4_UNORM_PACK16, [8, 4, 0, 12]),
        (vk::Format::A4B4G4R4_UNORM_PACK16, [0, 4, 8, 12]),
    ] {
        let texture = Texture::new(&gpu, plain(format, [4, 4, 1]), &[&bytes]);
        let shader = include_str!("shaders/fetch_2d.comp.spvasm");
        let seen: Vec<[f32; 4]> = texture.seen(&gpu, shader, &Look::new(V::TYPE_2D), 64, [1, 1, 1]);
        for (word, seen) in words.iter().zip(seen) {
            let expected = shifts.map(|s| f32::from(word >> s & 15) / 15.0);
            let near = seen.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(near, "{format:?} {word:#x}: {seen:?}, not {expected:?}");
        }
        texture.destroy(&gpu);
    }
}

/// Views of buffers begin at multiples of the alignment. Spec: Vulkan, VkPhysicalDeviceTexelBufferAlignmentProperties.
#[test]
fn views_of_buffers_begin_at_multiples_of_the_alignment() {
    let mut feature =
        vk::PhysicalDeviceTexelBufferAlignmentFeaturesEXT::default().texel_buffer_alignment(true);
    let gpu = gpu(c"VK_EXT_texel_buffer_alignment", &mut feature);
    let mut alignments = vk::PhysicalDeviceTexelBufferAlignmentProperties::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut alignments);
    // SAFETY: the instance is live, and the structures outlive the call.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    let least = alignments.uniform_texel_buffer_offset_alignment_bytes;
    let stored = alignments.storage_texel_buffer_offset_alignment_bytes;
    assert!([least, stored].iter().all(|a| a.is_power_of_two() && *a <= 256), "{least}, {stored}");
    let (d, format) = (&gpu.device, vk::Format::R8G8B8A8_UNORM);
    let size = 16 + 4 * least.max(stored);
    let usage = vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER;
    let [from, to] = [(); 2].map(|()| gpu.buffer(size, usage));
    let out = gpu.buffer(80, vk::BufferUsageFlags::STORAGE_BUFFER);
    let bytes: Vec<u8> = (0..size).map(|i| (i * 7 % 251) as u8).collect();
    for times in 0..=4u64 {
        from.write(&bytes);
        to.write(&vec![0xaa_u8; size as usize]);
        let [at, into] = [least * times, stored * (4 - times)];
        let view = |buffer, offset| {
            let info = vk::BufferViewCreateInfo::default().buffer(buffer).format(format);
            // SAFETY: valid usage of Vulkan: the buffer is live, and has the range.
            unsafe { d.create_buffer_view(&info.offset(offset).range(16), None) }.unwrap()
        };
        let views = [view(from.buffer, at), view(to.buffer, into)];
        let bound = [
            Bound::Texels(D::UNIFORM_TEXEL_BUFFER, &views[..1]),
            Bound::Texels(D::STORAGE_TEXEL_BUFFER, &views[1..]),
            Bound::Buffers(D::STORAGE_BUFFER, &[out.buffer]),
        ];
        let sets = Sets::new(&gpu, vk::ShaderStageFlags::COMPUTE, &bound);
        sets.dispatch(&gpu, include_str!("shaders/texel_buffers.comp.spvasm"), 0, [1, 1, 1]);
        let read = &bytes[at as usize..][..16];
        let texels = read.chunks(4).map(|c| [0, 1, 2, 3].map(|k| f32::from(c[k]) / 255.0));
        let expected: Vec<[f32; 4]> = texels.chain([[4.0, 4.0, 0.0, 0.0]]).collect();
        assert_eq!(out.read::<[f32; 4]>(), expected, "from byte {at}");
        let mut written = vec![0xaa; size as usize];
        let reversed = read.chunks(4).rev().flatten().copied().collect::<Vec<u8>>();
        written[into as usize..][..16].copy_from_slice(&reversed);
        assert!(to.read::<u8>() == written, "to byte {into}");
        sets.destroy(&gpu);
        // SAFETY: the dispatch is done.
        views.iter().for_each(|&view| unsafe { d.destroy_buffer_view(view, None) });
    }
    [from, to, out].into_iter().for_each(|buffer| buffer.destroy(&gpu));
}

/// VkPhysicalDeviceMaintenance11FeaturesKHR, which the bindings lack.
#[repr(C)]
struct Maintenance11 {
    ty: vk::StructureType,
    next: *const c_void,
    on: vk::Bool32,
}

/// A view of one layer is read by shaders with and without arrays, whatever the type of the view. Spec: Vulkan,
/// VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR.
#[test]
fn single_layers_are_read_with_and_without_arrays() {
    let feature = Maintenance11 {
        ty: vk::StructureType::from_raw(1_000_657_000),
        next: std::ptr::null(),
        on: vk::TRUE,
    };
    let gpu = Gpu::with(&[c"VK_KHR_maintenance11"], |mut info| {
        info.p_next = (&raw const feature).cast();
        info
    });
    let gpu = gpu.unwrap();
    let texels: Vec<u8> = (0..48).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let alias = vk::ImageCreateFlags::from_raw(1 << 22);
    let info = plain(vk::Format::R32_SFLOAT, [4, 4, 1]).array_layers(3).flags(alias);
    let mut texture = Texture::new(&gpu, info, &[&texels]);
    texture.info.array_layers = 1;
    for (slice, view) in [(0, V::TYPE_2D), (2, V::TYPE_2D), (1, V::TYPE_2D_ARRAY), (2, V::TYPE_2D_ARRAY)] {
        let look = Look { slice, ..Look::new(view) };
        let value = |i: u32| (slice * 16 + i) as f32;
        let shader = include_str!("shaders/layers.comp.spvasm");
        let seen: Vec<[f32; 4]> = texture.seen(&gpu, shader, &look, 64, [1, 1, 1]);
        let expected: Vec<_> = (0..16).map(|i| [value(i), 4.0, 4.0, 1.0]).collect();
        assert_eq!(seen, expected, "with arrays: layer {slice}, {view:?}");
        let shader = include_str!("shaders/fetch_2d.comp.spvasm");
        let seen: Vec<[f32; 4]> = texture.seen(&gpu, shader, &look, 64, [1, 1, 1]);
        let expected: Vec<_> = (0..16).map(|i| [value(i), 0.0, 0.0, 1.0]).collect();
        assert_eq!(seen, expected, "without arrays: layer {slice}, {view:?}");
    }
    texture.destroy(&gpu);
}
