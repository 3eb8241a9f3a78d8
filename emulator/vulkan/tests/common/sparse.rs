//! Sparse buffers and images, memory for them, and copies of their texels.

use ash::vk;

use super::{Gpu, Mapped, WHOLE};

/// Size of a sparse block, in bytes.
pub const PAGE: u64 = 1 << 16;
pub const COPIES: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
    vk::BufferUsageFlags::TRANSFER_SRC.as_raw() | vk::BufferUsageFlags::TRANSFER_DST.as_raw(),
);
/// Width and height of each image, in texels: two blocks.
pub const SIZE: u32 = 256;
pub const TEXELS: usize = (SIZE * SIZE) as usize;

pub fn gpu() -> Gpu {
    gpu_with(1).0
}

/// Creates a device with `n` queues of the first family, of which the first is used by `run`.
pub fn gpu_with(n: u32) -> (Gpu, Vec<vk::Queue>) {
    let features = Box::leak(Box::new(vk::PhysicalDeviceFeatures {
        sparse_binding: vk::TRUE,
        sparse_residency_buffer: vk::TRUE,
        sparse_residency_image2_d: vk::TRUE,
        sparse_residency_aliased: vk::TRUE,
        shader_resource_residency: vk::TRUE,
        ..Default::default()
    }));
    let rendering =
        Box::leak(Box::new(vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true)));
    let priorities = vec![1.0; n as usize];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&priorities)];
    let gpu = Gpu::with_queues(&queues, &[c"VK_KHR_dynamic_rendering"], |info| {
        info.enabled_features(features).push_next(rendering)
    });
    let gpu = gpu.unwrap();
    // SAFETY: the device was created with `n` queues of family 0.
    let queues = (0..n).map(|i| unsafe { gpu.device.get_device_queue(0, i) }).collect();
    (gpu, queues)
}

/// Allocates memory for sparse resources.
pub fn memory(gpu: &Gpu, need: vk::MemoryRequirements, pages: u64) -> vk::DeviceMemory {
    let info = vk::MemoryAllocateInfo::default()
        .allocation_size(pages * PAGE)
        .memory_type_index(need.memory_type_bits.trailing_zeros());
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.allocate_memory(&info, None) }.unwrap()
}

/// Binds and waits.
pub fn bind(gpu: &Gpu, info: vk::BindSparseInfo<'_>) {
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let fence = gpu.device.create_fence(&Default::default(), None).unwrap();
        gpu.device.queue_bind_sparse(gpu.queue, &[info], fence).unwrap();
        gpu.device.wait_for_fences(&[fence], true, 60_000_000_000).unwrap();
        gpu.device.destroy_fence(fence, None);
    }
}

/// Returns the bind of a page of a resource to a page of memory.
pub fn piece(at: u64, memory: vk::DeviceMemory, offset: u64) -> vk::SparseMemoryBind {
    vk::SparseMemoryBind::default()
        .resource_offset(at * PAGE)
        .size(PAGE)
        .memory(memory)
        .memory_offset(offset * PAGE)
}

pub fn bind_buffer(gpu: &Gpu, buffer: vk::Buffer, binds: &[vk::SparseMemoryBind]) {
    let buffers = [vk::SparseBufferMemoryBindInfo::default().buffer(buffer).binds(binds)];
    bind(gpu, vk::BindSparseInfo::default().buffer_binds(&buffers));
}

pub fn bind_opaque(gpu: &Gpu, image: vk::Image, binds: &[vk::SparseMemoryBind]) {
    let images = [vk::SparseImageOpaqueMemoryBindInfo::default().image(image).binds(binds)];
    bind(gpu, vk::BindSparseInfo::default().image_opaque_binds(&images));
}

/// Creates an image of two by two blocks, with a level of one block, and a mip tail.
pub fn image(gpu: &Gpu) -> vk::Image {
    image_with(gpu, vk::ImageCreateFlags::empty(), vk::Format::R32_UINT)
}

/// Creates such an image with more flags and in another format.
pub fn image_with(gpu: &Gpu, flags: vk::ImageCreateFlags, format: vk::Format) -> vk::Image {
    let usage = vk::ImageUsageFlags::TRANSFER_SRC
        | vk::ImageUsageFlags::TRANSFER_DST
        | vk::ImageUsageFlags::SAMPLED
        | vk::ImageUsageFlags::STORAGE
        | vk::ImageUsageFlags::COLOR_ATTACHMENT;
    let info = vk::ImageCreateInfo::default()
        .flags(flags | vk::ImageCreateFlags::SPARSE_BINDING | vk::ImageCreateFlags::SPARSE_RESIDENCY)
        .image_type(vk::ImageType::TYPE_2D)
        .format(format)
        .extent(vk::Extent3D { width: SIZE, height: SIZE, depth: 1 })
        .mip_levels(4)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(usage);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.create_image(&info, None) }.unwrap()
}

/// Creates a buffer to which memory is bound in pieces.
pub fn sparse_buffer(gpu: &Gpu, size: u64, flags: vk::BufferCreateFlags) -> vk::Buffer {
    sparse_buffer_with(gpu, size, flags, vk::BufferUsageFlags::STORAGE_BUFFER)
}

/// Creates such a buffer with this usage and copies.
pub fn sparse_buffer_with(
    gpu: &Gpu,
    size: u64,
    flags: vk::BufferCreateFlags,
    usage: vk::BufferUsageFlags,
) -> vk::Buffer {
    let flags = flags | vk::BufferCreateFlags::SPARSE_BINDING | vk::BufferCreateFlags::SPARSE_RESIDENCY;
    let usage = COPIES | usage;
    let info = vk::BufferCreateInfo::default().flags(flags).size(size).usage(usage);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.create_buffer(&info, None) }.unwrap()
}

/// Returns the bind of a block of level 0, at block coordinates, to a page of memory.
pub fn block(x: i32, y: i32, memory: vk::DeviceMemory, page: u64) -> vk::SparseImageMemoryBind {
    block_of(0, x, y, memory, page)
}

/// Returns the bind of a block of any level.
pub fn block_of(
    mip_level: u32,
    x: i32,
    y: i32,
    memory: vk::DeviceMemory,
    page: u64,
) -> vk::SparseImageMemoryBind {
    let colour = vk::ImageSubresource { aspect_mask: vk::ImageAspectFlags::COLOR, mip_level, array_layer: 0 };
    vk::SparseImageMemoryBind::default()
        .subresource(colour)
        .offset(vk::Offset3D { x: x * 128, y: y * 128, z: 0 })
        .extent(vk::Extent3D { width: 128, height: 128, depth: 1 })
        .memory(memory)
        .memory_offset(page * PAGE)
}

pub fn bind_blocks(gpu: &Gpu, image: vk::Image, binds: &[vk::SparseImageMemoryBind]) {
    let images = [vk::SparseImageMemoryBindInfo::default().image(image).binds(binds)];
    bind(gpu, vk::BindSparseInfo::default().image_binds(&images));
}

pub fn layers(mip_level: u32) -> vk::ImageSubresourceLayers {
    let aspect_mask = vk::ImageAspectFlags::COLOR;
    vk::ImageSubresourceLayers { aspect_mask, mip_level, base_array_layer: 0, layer_count: 1 }
}

pub fn extent(level: u32) -> vk::Extent3D {
    vk::Extent3D { width: SIZE >> level, height: SIZE >> level, depth: 1 }
}

fn region(level: u32) -> [vk::BufferImageCopy; 1] {
    [vk::BufferImageCopy::default().image_subresource(layers(level)).image_extent(extent(level))]
}

/// Records a copy of all texels of a level from a buffer.
pub fn cmd_upload(gpu: &Gpu, cmd: vk::CommandBuffer, from: &Mapped, to: vk::Image, level: u32) {
    let layout = vk::ImageLayout::GENERAL;
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
    unsafe { gpu.device.cmd_copy_buffer_to_image(cmd, from.buffer, to, layout, &region(level)) };
}

/// Records a copy of all texels of a level to a buffer.
pub fn cmd_download(gpu: &Gpu, cmd: vk::CommandBuffer, from: vk::Image, to: vk::Buffer, level: u32) {
    let layout = vk::ImageLayout::GENERAL;
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
    unsafe { gpu.device.cmd_copy_image_to_buffer(cmd, from, layout, to, &region(level)) };
}

pub fn upload(gpu: &Gpu, from: &Mapped, to: vk::Image) {
    gpu.run(|c| cmd_upload(gpu, c, from, to, 0));
}

pub fn download(gpu: &Gpu, from: vk::Image) -> Vec<u32> {
    download_level(gpu, from, 0)
}

pub fn download_level(gpu: &Gpu, from: vk::Image, level: u32) -> Vec<u32> {
    let out = gpu.buffer((TEXELS * 4) as u64 >> (2 * level), COPIES);
    gpu.run(|c| cmd_download(gpu, c, from, out.buffer, level));
    let words = out.read();
    out.destroy(gpu);
    words
}

/// Creates a buffer with a value for each texel of level 0.
pub fn texels(gpu: &Gpu, value: impl Fn(u32) -> u32) -> Mapped {
    let usage = COPIES | vk::BufferUsageFlags::STORAGE_BUFFER;
    let buffer = gpu.buffer((TEXELS * 4) as u64, usage);
    buffer.write(&(0..TEXELS as u32).map(value).collect::<Vec<_>>());
    buffer
}

/// Records a barrier between all earlier and all later commands, for all accesses.
pub fn barrier(gpu: &Gpu, cmd: vk::CommandBuffer) {
    let (all, access) =
        (vk::PipelineStageFlags::ALL_COMMANDS, vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE);
    let barrier = [vk::MemoryBarrier::default().src_access_mask(access).dst_access_mask(access)];
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
    unsafe {
        gpu.device.cmd_pipeline_barrier(cmd, all, all, vk::DependencyFlags::empty(), &barrier, &[], &[]);
    }
}

/// A compute pipeline with texels and a buffer.
pub struct Kernel {
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
    set: vk::DescriptorSet,
    module: vk::ShaderModule,
    set_layout: vk::DescriptorSetLayout,
    sets: vk::DescriptorPool,
    view: Option<vk::ImageView>,
}

impl Kernel {
    /// Creates the pipeline of a shader with texels at binding 0 and a storage buffer at binding 1.
    pub fn new(
        gpu: &Gpu,
        shader: &str,
        kind: vk::DescriptorType,
        image: vk::Image,
        buffer: vk::Buffer,
    ) -> Kernel {
        Kernel::of(gpu, shader, (kind, Some(image)), buffer)
    }

    /// Creates the pipeline of a shader with only a storage buffer at binding 1.
    pub fn of_buffer(gpu: &Gpu, shader: &str, buffer: vk::Buffer) -> Kernel {
        Kernel::of(gpu, shader, (vk::DescriptorType::STORAGE_IMAGE, None), buffer)
    }

    fn of(
        gpu: &Gpu,
        shader: &str,
        (kind, image): (vk::DescriptorType, Option<vk::Image>),
        buffer: vk::Buffer,
    ) -> Kernel {
        let d = &gpu.device;
        let kinds = [(0, kind), (1, vk::DescriptorType::STORAGE_BUFFER)];
        let bindings = kinds.map(|(i, ty)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(i)
                .descriptor_type(ty)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        });
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            let layout = d.create_pipeline_layout(&info, None).unwrap();
            let module = gpu.shader(shader);
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .module(module)
                .stage(vk::ShaderStageFlags::COMPUTE)
                .name(c"main");
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
            let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None).unwrap()[0];
            let sizes =
                bindings.map(|b| vk::DescriptorPoolSize { ty: b.descriptor_type, descriptor_count: 1 });
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let sets = d.create_descriptor_pool(&info, None).unwrap();
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(sets).set_layouts(&layouts);
            let set = d.allocate_descriptor_sets(&info).unwrap()[0];
            let write = |i| vk::WriteDescriptorSet::default().dst_set(set).dst_binding(i);
            let view = image.map(|image| view(gpu, image, vk::Format::R32_UINT));
            if let Some(view) = view {
                let images = [vk::DescriptorImageInfo::default()
                    .image_view(view)
                    .image_layout(vk::ImageLayout::GENERAL)];
                d.update_descriptor_sets(&[write(0).descriptor_type(kind).image_info(&images)], &[]);
            }
            let buffers = [vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE)];
            let kind = vk::DescriptorType::STORAGE_BUFFER;
            d.update_descriptor_sets(&[write(1).descriptor_type(kind).buffer_info(&buffers)], &[]);
            Kernel { layout, pipeline, set, module, set_layout: layouts[0], sets, view }
        }
    }

    pub fn destroy(self, gpu: &Gpu) {
        let d = &gpu.device;
        // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
        unsafe {
            d.destroy_pipeline(self.pipeline, None);
            d.destroy_shader_module(self.module, None);
            d.destroy_pipeline_layout(self.layout, None);
            d.destroy_descriptor_pool(self.sets, None);
            d.destroy_descriptor_set_layout(self.set_layout, None);
            self.view.into_iter().for_each(|view| d.destroy_image_view(view, None));
        }
    }

    /// Records a dispatch of `x` by `y` workgroups.
    pub fn dispatch(&self, gpu: &Gpu, cmd: vk::CommandBuffer, [x, y]: [u32; 2]) {
        let (d, point) = (&gpu.device, vk::PipelineBindPoint::COMPUTE);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_bind_pipeline(cmd, point, self.pipeline);
            d.cmd_bind_descriptor_sets(cmd, point, self.layout, 0, &[self.set], &[]);
            d.cmd_dispatch(cmd, x, y, 1);
        }
    }
}

/// Creates a view of level 0 of an image.
pub fn view(gpu: &Gpu, image: vk::Image, format: vk::Format) -> vk::ImageView {
    let info = vk::ImageViewCreateInfo::default()
        .image(image)
        .view_type(vk::ImageViewType::TYPE_2D)
        .format(format)
        .subresource_range(WHOLE);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.create_image_view(&info, None) }.unwrap()
}
