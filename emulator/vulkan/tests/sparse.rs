//! Sparse buffers and images: memory comes and goes in pieces.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use ash::vk;
use common::{Gpu, Mapped};

const PAGE: u64 = 1 << 16;
const COPIES: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
    vk::BufferUsageFlags::TRANSFER_SRC.as_raw() | vk::BufferUsageFlags::TRANSFER_DST.as_raw(),
);

fn gpu() -> Gpu {
    let features = Box::leak(Box::new(vk::PhysicalDeviceFeatures {
        sparse_binding: vk::TRUE,
        sparse_residency_buffer: vk::TRUE,
        sparse_residency_image2_d: vk::TRUE,
        shader_resource_residency: vk::TRUE,
        ..Default::default()
    }));
    Gpu::with(&[], |info| info.enabled_features(features)).unwrap()
}

/// Memory that sparse resources take.
fn memory(gpu: &Gpu, need: vk::MemoryRequirements, pages: u64) -> vk::DeviceMemory {
    let info = vk::MemoryAllocateInfo::default()
        .allocation_size(pages * PAGE)
        .memory_type_index(need.memory_type_bits.trailing_zeros());
    // SAFETY: valid usage of Vulkan.
    unsafe { gpu.device.allocate_memory(&info, None) }.unwrap()
}

/// Binds and waits.
fn bind(gpu: &Gpu, info: vk::BindSparseInfo<'_>) {
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let fence = gpu.device.create_fence(&Default::default(), None).unwrap();
        gpu.device.queue_bind_sparse(gpu.queue, &[info], fence).unwrap();
        gpu.device.wait_for_fences(&[fence], true, 60_000_000_000).unwrap();
        gpu.device.destroy_fence(fence, None);
    }
}

fn piece(at: u64, memory: vk::DeviceMemory, offset: u64) -> vk::SparseMemoryBind {
    vk::SparseMemoryBind::default()
        .resource_offset(at * PAGE)
        .size(PAGE)
        .memory(memory)
        .memory_offset(offset * PAGE)
}

/// Spec: Vulkan, "Sparse Buffers": the pieces are those of the memory, wherever it is bound.
#[test]
fn a_buffer_shows_the_pieces_that_are_bound() {
    let gpu = gpu();
    let flags = vk::BufferCreateFlags::SPARSE_BINDING | vk::BufferCreateFlags::SPARSE_RESIDENCY;
    let info = vk::BufferCreateInfo::default().flags(flags).size(4 * PAGE - 100).usage(COPIES);
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let buffer = gpu.device.create_buffer(&info, None).unwrap();
        let need = gpu.device.get_buffer_memory_requirements(buffer);
        assert_eq!((need.size, need.alignment), (4 * PAGE, PAGE));
        let memory = memory(&gpu, need, 3);
        let map = |binds: &[vk::SparseMemoryBind]| {
            let buffers = [vk::SparseBufferMemoryBindInfo::default().buffer(buffer).binds(binds)];
            bind(&gpu, vk::BindSparseInfo::default().buffer_binds(&buffers));
        };
        map(&[piece(0, memory, 2), piece(3, memory, 0)]);
        let d = &gpu.device;
        gpu.run(|c| {
            d.cmd_fill_buffer(c, buffer, 0, PAGE, 1);
            d.cmd_fill_buffer(c, buffer, 3 * PAGE, PAGE - 100, 2);
        });
        let at = d.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default()).unwrap().cast::<u32>();
        let word = |page: u64| at.add((page * PAGE / 4) as usize).read();
        assert_eq!([word(0), word(1), word(2)], [2, 0, 1]);
        // The pieces change places, what they hold goes with them; the middle has none.
        map(&[piece(3, memory, 2), piece(0, memory, 0), piece(1, memory, 1)]);
        map(&[piece(1, vk::DeviceMemory::null(), 0)]);
        let out = gpu.buffer(4 * PAGE, COPIES);
        let region = [vk::BufferCopy { src_offset: 0, dst_offset: 0, size: 4 * PAGE - 100 }];
        gpu.run(|c| d.cmd_copy_buffer(c, buffer, out.buffer, &region));
        let words = out.read::<u32>();
        assert_eq!([0, 3].map(|page| words[page * PAGE as usize / 4]), [2, 1]);
        // Freed memory may still be bound.
        d.free_memory(memory, None);
        gpu.run(|c| d.cmd_fill_buffer(c, buffer, 0, 4 * PAGE - 100, 7));
        d.destroy_buffer(buffer, None);
        out.destroy(&gpu);
    }
}

const SIZE: u32 = 256;

/// An image of two by two blocks, a level of one block, and a tail.
fn image(gpu: &Gpu) -> vk::Image {
    let usage = vk::ImageUsageFlags::TRANSFER_SRC
        | vk::ImageUsageFlags::TRANSFER_DST
        | vk::ImageUsageFlags::SAMPLED
        | vk::ImageUsageFlags::STORAGE;
    let info = vk::ImageCreateInfo::default()
        .flags(vk::ImageCreateFlags::SPARSE_BINDING | vk::ImageCreateFlags::SPARSE_RESIDENCY)
        .image_type(vk::ImageType::TYPE_2D)
        .format(vk::Format::R32_UINT)
        .extent(vk::Extent3D { width: SIZE, height: SIZE, depth: 1 })
        .mip_levels(4)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(usage);
    // SAFETY: valid usage of Vulkan.
    unsafe { gpu.device.create_image(&info, None) }.unwrap()
}

fn block(x: i32, y: i32, memory: vk::DeviceMemory, page: u64) -> vk::SparseImageMemoryBind {
    let colour =
        vk::ImageSubresource { aspect_mask: vk::ImageAspectFlags::COLOR, mip_level: 0, array_layer: 0 };
    vk::SparseImageMemoryBind::default()
        .subresource(colour)
        .offset(vk::Offset3D { x: x * 128, y: y * 128, z: 0 })
        .extent(vk::Extent3D { width: 128, height: 128, depth: 1 })
        .memory(memory)
        .memory_offset(page * PAGE)
}

fn bind_blocks(gpu: &Gpu, image: vk::Image, binds: &[vk::SparseImageMemoryBind]) {
    let images = [vk::SparseImageMemoryBindInfo::default().image(image).binds(binds)];
    bind(gpu, vk::BindSparseInfo::default().image_binds(&images));
}

fn region() -> [vk::BufferImageCopy; 1] {
    let layers = vk::ImageSubresourceLayers {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        mip_level: 0,
        base_array_layer: 0,
        layer_count: 1,
    };
    let extent = vk::Extent3D { width: SIZE, height: SIZE, depth: 1 };
    [vk::BufferImageCopy::default().image_subresource(layers).image_extent(extent)]
}

fn upload(gpu: &Gpu, from: &Mapped, to: vk::Image) {
    // SAFETY: valid usage of Vulkan.
    gpu.run(|c| unsafe {
        let layout = vk::ImageLayout::GENERAL;
        gpu.device.cmd_copy_buffer_to_image(c, from.buffer, to, layout, &region());
    });
}

fn download(gpu: &Gpu, from: vk::Image) -> Vec<u32> {
    let out = gpu.buffer(u64::from(SIZE * SIZE * 4), COPIES);
    // SAFETY: valid usage of Vulkan.
    gpu.run(|c| unsafe {
        let layout = vk::ImageLayout::GENERAL;
        gpu.device.cmd_copy_image_to_buffer(c, from, layout, out.buffer, &region());
    });
    let words = out.read();
    out.destroy(gpu);
    words
}

/// Spec: Vulkan, "Sparse Partially-Resident Images", "Standard Sparse Image Block Shapes".
#[test]
fn blocks_keep_their_texels_with_their_memory() {
    let gpu = gpu();
    let (one, two) = (image(&gpu), image(&gpu));
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let need = gpu.device.get_image_memory_requirements(one);
        let sparse = gpu.device.get_image_sparse_memory_requirements(one);
        let blocks = sparse[0].format_properties.image_granularity;
        assert_eq!((blocks.width, blocks.height, blocks.depth), (128, 128, 1));
        assert_eq!((sparse.len(), sparse[0].image_mip_tail_first_lod), (1, 2));
        assert_eq!(need.size, 5 * PAGE + sparse[0].image_mip_tail_size);
        let memory = memory(&gpu, need, 4);
        let all =
            [block(0, 0, memory, 0), block(1, 0, memory, 1), block(0, 1, memory, 2), block(1, 1, memory, 3)];
        bind_blocks(&gpu, one, &all);
        let texels: Vec<u32> = (0..SIZE * SIZE).collect();
        let from = gpu.buffer(u64::from(SIZE * SIZE * 4), COPIES);
        from.write(&texels);
        upload(&gpu, &from, one);
        assert_eq!(download(&gpu, one), texels);
        // Two blocks change places, in one batch.
        bind_blocks(&gpu, one, &[block(0, 0, memory, 3), block(1, 1, memory, 0)]);
        let swapped = download(&gpu, one);
        let at = |x: usize, y: usize| y * SIZE as usize + x;
        assert_eq!(swapped[at(5, 7)], texels[at(128 + 5, 128 + 7)]);
        assert_eq!(swapped[at(200, 255)], texels[at(72, 127)]);
        assert_eq!(swapped[at(200, 7)], texels[at(200, 7)]);
        // One goes to another image.
        bind_blocks(&gpu, one, &[block(1, 0, vk::DeviceMemory::null(), 0)]);
        bind_blocks(&gpu, two, &[block(0, 1, memory, 1)]);
        assert_eq!(download(&gpu, two)[at(3, 128 + 9)], texels[at(128 + 3, 9)]);
        from.destroy(&gpu);
        gpu.device.destroy_image(one, None);
        gpu.device.destroy_image(two, None);
        gpu.device.free_memory(memory, None);
    }
}

/// Spec: SPIR-V, OpImageSparseFetch and OpImageSparseTexelsResident.
#[test]
fn shaders_are_told_which_texels_are_there() {
    let gpu = gpu();
    let d = &gpu.device;
    let image = image(&gpu);
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let need = d.get_image_memory_requirements(image);
        let memory = memory(&gpu, need, 1);
        bind_blocks(&gpu, image, &[block(1, 0, memory, 0)]);
        let from = gpu.buffer(u64::from(SIZE * SIZE * 4), COPIES);
        from.write(&vec![9u32; (SIZE * SIZE) as usize]);
        // What is written where nothing is bound is not seen.
        upload(&gpu, &from, image);
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(vk::Format::R32_UINT)
            .subresource_range(common::WHOLE);
        let view = d.create_image_view(&info, None).unwrap();
        let bindings = [(0, vk::DescriptorType::SAMPLED_IMAGE), (1, vk::DescriptorType::STORAGE_BUFFER)].map(
            |(i, ty)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(i)
                    .descriptor_type(ty)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            },
        );
        let layouts = [d
            .create_descriptor_set_layout(
                &vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings),
                None,
            )
            .unwrap()];
        let layout = d
            .create_pipeline_layout(&vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts), None)
            .unwrap();
        let module = gpu.shader(include_str!("shaders/residency.comp.spvasm"));
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .module(module)
            .stage(vk::ShaderStageFlags::COMPUTE)
            .name(c"main");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None).unwrap()[0];
        let sizes = bindings.map(|b| vk::DescriptorPoolSize { ty: b.descriptor_type, descriptor_count: 1 });
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let sets = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(sets).set_layouts(&layouts);
        let set = d.allocate_descriptor_sets(&info).unwrap();
        let out = gpu.buffer(u64::from(SIZE) * 8, vk::BufferUsageFlags::STORAGE_BUFFER);
        let images =
            [vk::DescriptorImageInfo::default().image_view(view).image_layout(vk::ImageLayout::GENERAL)];
        let buffers = [vk::DescriptorBufferInfo::default().buffer(out.buffer).range(vk::WHOLE_SIZE)];
        let write = |i| vk::WriteDescriptorSet::default().dst_set(set[0]).dst_binding(i);
        d.update_descriptor_sets(
            &[
                write(0).descriptor_type(vk::DescriptorType::SAMPLED_IMAGE).image_info(&images),
                write(1).descriptor_type(vk::DescriptorType::STORAGE_BUFFER).buffer_info(&buffers),
            ],
            &[],
        );
        gpu.run(|c| {
            d.cmd_bind_pipeline(c, vk::PipelineBindPoint::COMPUTE, pipeline);
            d.cmd_bind_descriptor_sets(c, vk::PipelineBindPoint::COMPUTE, layout, 0, &set, &[]);
            d.cmd_dispatch(c, SIZE / 8, 1, 1);
        });
        // Of row 0: whether a texel is there, and what it is.
        let words = out.read::<[u32; 2]>();
        for (x, told) in words.iter().enumerate() {
            assert_eq!(*told, if x >= 128 { [1, 9] } else { [0, 0] }, "texel {x}");
        }
        d.destroy_pipeline(pipeline, None);
        d.destroy_shader_module(module, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_pool(sets, None);
        d.destroy_descriptor_set_layout(layouts[0], None);
        d.destroy_image_view(view, None);
        d.destroy_image(image, None);
        d.free_memory(memory, None);
        from.destroy(&gpu);
        out.destroy(&gpu);
    }
}

/// What is no piece, or of other memory, is refused when it is submitted.
#[test]
fn pieces_that_do_not_fit_are_refused() {
    let gpu = gpu();
    let flags = vk::BufferCreateFlags::SPARSE_BINDING;
    let info = vk::BufferCreateInfo::default().flags(flags).size(2 * PAGE).usage(COPIES);
    // SAFETY: the calls are wrong in ways that the driver checks.
    unsafe {
        let buffer = gpu.device.create_buffer(&info, None).unwrap();
        let need = gpu.device.get_buffer_memory_requirements(buffer);
        let memory = memory(&gpu, need, 1);
        let ordinary = vk::MemoryAllocateInfo::default().allocation_size(PAGE);
        let ordinary = gpu.device.allocate_memory(&ordinary, None).unwrap();
        for wrong in
            [piece(2, memory, 0), piece(0, memory, 1), piece(0, ordinary, 0), piece(0, memory, 0).size(0)]
        {
            let list = [wrong];
            let buffers = [vk::SparseBufferMemoryBindInfo::default().buffer(buffer).binds(&list)];
            let info = vk::BindSparseInfo::default().buffer_binds(&buffers);
            assert!(gpu.device.queue_bind_sparse(gpu.queue, &[info], vk::Fence::null()).is_err());
        }
        gpu.device.destroy_buffer(buffer, None);
        gpu.device.free_memory(memory, None);
        gpu.device.free_memory(ordinary, None);
    }
}
