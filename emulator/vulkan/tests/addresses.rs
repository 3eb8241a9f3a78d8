//! Memory accessed by device addresses: copies, and descriptors that are bytes in buffers.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use crate::common::{self, Gpu, Mapped};
use ash::vk;

const EXTENSIONS: [&CStr; 5] = [
    c"VK_KHR_buffer_device_address",
    c"VK_KHR_device_address_commands",
    c"VK_KHR_copy_memory_indirect",
    c"VK_EXT_descriptor_buffer",
    c"VK_EXT_inline_uniform_block",
];

fn gpu() -> Gpu {
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let mut buffers = vk::PhysicalDeviceDescriptorBufferFeaturesEXT::default().descriptor_buffer(true);
    let mut inline = vk::PhysicalDeviceInlineUniformBlockFeatures::default().inline_uniform_block(true);
    Gpu::with(&EXTENSIONS, |info| info.push_next(&mut address).push_next(&mut buffers).push_next(&mut inline))
        .unwrap()
}

/// Creates a buffer and returns its address.
fn buffer(gpu: &Gpu, size: u64, usage: vk::BufferUsageFlags) -> (Mapped, u64) {
    let buffer = gpu.buffer(size, usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
    let commands = ash::khr::buffer_device_address::Device::new(&gpu.instance, &gpu.device);
    let info = vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let address = unsafe { commands.get_buffer_device_address(&info) };
    (buffer, address)
}

fn command(gpu: &Gpu, name: &CStr) -> unsafe extern "system" fn() {
    // SAFETY: valid usage of Vulkan: the device is live, and the name is a C string.
    let found = unsafe { gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr()) };
    found.unwrap_or_else(|| panic!("no {name:?}"))
}

/// VkDeviceAddressRangeKHR.
#[repr(C)]
#[derive(Clone, Copy)]
struct Range {
    address: u64,
    size: u64,
}

/// VkDeviceMemoryCopyKHR.
#[repr(C)]
struct Copy {
    ty: i32,
    next: *const c_void,
    src: Range,
    src_flags: u32,
    dst: Range,
    dst_flags: u32,
}

/// VkCopyDeviceMemoryInfoKHR.
#[repr(C)]
struct CopyInfo {
    ty: i32,
    next: *const c_void,
    n: u32,
    regions: *const Copy,
}

/// VkCopyMemoryIndirectInfoKHR.
#[repr(C)]
struct IndirectInfo {
    ty: i32,
    next: *const c_void,
    flags: [u32; 2],
    n: u32,
    range: [u64; 3],
}

const TRANSFER: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
    vk::BufferUsageFlags::TRANSFER_SRC.as_raw() | vk::BufferUsageFlags::TRANSFER_DST.as_raw(),
);

/// Spec: Vulkan, vkCmdFillMemoryKHR, vkCmdUpdateMemoryKHR and vkCmdCopyMemoryKHR.
#[test]
fn memory_is_filled_and_copied_by_its_address() {
    let gpu = gpu();
    let (a, at) = buffer(&gpu, 32, TRANSFER);
    let (b, to) = buffer(&gpu, 32, TRANSFER);
    type Fill = unsafe extern "system" fn(vk::CommandBuffer, *const Range, u32, u32);
    type Update = unsafe extern "system" fn(vk::CommandBuffer, *const Range, u32, u64, *const c_void);
    type CopyMemory = unsafe extern "system" fn(vk::CommandBuffer, *const CopyInfo);
    // SAFETY: the commands have the transmuted types in the specification, and the calls are valid usage: all objects
    // are live.
    unsafe {
        let fill: Fill = std::mem::transmute(command(&gpu, c"vkCmdFillMemoryKHR"));
        let update: Update = std::mem::transmute(command(&gpu, c"vkCmdUpdateMemoryKHR"));
        let copy: CopyMemory = std::mem::transmute(command(&gpu, c"vkCmdCopyMemoryKHR"));
        gpu.run(|cmd| {
            fill(cmd, &Range { address: at, size: 32 }, 0, 7);
            gpu.barrier(cmd);
            let nine = 9u32;
            update(cmd, &Range { address: at + 8, size: 4 }, 0, 4, (&raw const nine).cast());
            gpu.barrier(cmd);
            let region = Copy {
                ty: 1_000_318_000,
                next: std::ptr::null(),
                src: Range { address: at + 4, size: 12 },
                src_flags: 0,
                dst: Range { address: to + 16, size: 12 },
                dst_flags: 0,
            };
            let info = CopyInfo { ty: 1_000_318_001, next: std::ptr::null(), n: 1, regions: &region };
            copy(cmd, &info);
        });
    }
    assert_eq!(a.read::<u32>(), [7, 7, 9, 7, 7, 7, 7, 7]);
    assert_eq!(b.read::<u32>(), [0, 0, 0, 0, 7, 9, 7, 0]);
    a.destroy(&gpu);
    b.destroy(&gpu);
}

/// An address without a buffer is skipped. Spec: Vulkan, vkCmdCopyMemoryIndirectKHR.
#[test]
fn copies_read_their_parameters_from_memory() {
    let gpu = gpu();
    let (a, at) = buffer(&gpu, 32, TRANSFER);
    let (parameters, from) = buffer(&gpu, 96, vk::BufferUsageFlags::INDIRECT_BUFFER);
    a.write(&[1u32, 2, 3, 4, 0, 0, 0, 0]);
    // Each copy: source, destination and size, then a padding word.
    parameters.write(&[at, at + 16, 8, 0, 1 << 60, at + 24, 4, 0, at + 12, at + 28, 4, 0]);
    type Indirect = unsafe extern "system" fn(vk::CommandBuffer, *const IndirectInfo);
    // SAFETY: the command has the transmuted type in the specification. One address is invalid, which the driver
    // checks; all else is valid usage.
    unsafe {
        let copy: Indirect = std::mem::transmute(command(&gpu, c"vkCmdCopyMemoryIndirectKHR"));
        let info = IndirectInfo {
            ty: 1_000_549_002,
            next: std::ptr::null(),
            flags: [0; 2],
            n: 3,
            range: [from, 96, 32],
        };
        gpu.run(|cmd| copy(cmd, &info));
    }
    assert_eq!(a.read::<u32>(), [1, 2, 3, 4, 1, 2, 0, 4]);
    a.destroy(&gpu);
    parameters.destroy(&gpu);
}

/// VkCopyMemoryToImageIndirectInfoKHR.
#[repr(C)]
struct ImageIndirectInfo {
    ty: i32,
    next: *const c_void,
    flags: u32,
    n: u32,
    range: [u64; 3],
    image: vk::Image,
    layout: vk::ImageLayout,
    subresources: *const vk::ImageSubresourceLayers,
}

/// First layer and number of layers, `imageOffset.z`, `imageExtent.depth`, and the four slices afterwards.
const SLICES: [([u32; 2], i32, u32, [u32; 4]); 8] = [
    ([2, 1], 2, 1, [0, 0, 1, 0]),
    ([2, 1], 0, 1, [0, 0, 1, 0]),
    ([1, 2], 0, 1, [0, 1, 2, 0]),
    ([1, 3], 1, 3, [0, 1, 2, 3]),
    ([0, 1], 2, 1, [1, 0, 0, 0]),
    ([0, 1], 0, 3, [1, 0, 0, 0]),
    ([1, vk::REMAINING_ARRAY_LAYERS], 0, 1, [0, 1, 2, 3]),
    // Outside the image: nothing is copied.
    ([3, 2], 0, 1, [0; 4]),
];

/// In copies to 3D images, the layers select the slices; `z` and `depth` in the parameters, which shaders may write,
/// are ignored. Spec: Vulkan, vkCmdCopyMemoryToImageIndirectKHR.
#[test]
fn layers_name_the_slices_that_are_copied_to() {
    let gpu = gpu();
    let d = &gpu.device;
    let (from, address) = buffer(&gpu, 16, TRANSFER);
    let (parameters, at) = buffer(&gpu, 56, vk::BufferUsageFlags::INDIRECT_BUFFER);
    let out = gpu.buffer(16, vk::BufferUsageFlags::TRANSFER_DST);
    from.write(&[1u32, 2, 3, 4]);
    let extent = vk::Extent3D { width: 1, height: 1, depth: 4 };
    let info = vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_3D)
        .format(vk::Format::R32_UINT)
        .extent(extent)
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST);
    type Indirect = unsafe extern "system" fn(vk::CommandBuffer, *const ImageIndirectInfo);
    // SAFETY: the command has the transmuted type in the specification. Some layers are invalid, which the driver
    // checks; all else is valid usage.
    unsafe {
        let copy: Indirect = std::mem::transmute(command(&gpu, c"vkCmdCopyMemoryToImageIndirectKHR"));
        let image = d.create_image(&info, None).unwrap();
        let need = d.get_image_memory_requirements(image);
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
        let memory = d.allocate_memory(&info, None).unwrap();
        d.bind_image_memory(image, memory, 0).unwrap();
        let layout = vk::ImageLayout::GENERAL;
        let color = |base_array_layer, layer_count| vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer,
            layer_count,
        };
        for ([layer, layers], z, depth, expected) in SLICES {
            let subresource = color(layer, layers);
            let [low, high] = [address as u32, (address >> 32) as u32];
            parameters.write(&[low, high, 0, 0, 1, 0, layer, layers, 0, 0, z as u32, 1, 1, depth]);
            let info = ImageIndirectInfo {
                ty: 1_000_549_003,
                next: std::ptr::null(),
                flags: 0,
                n: 1,
                range: [at, 56, 56],
                image,
                layout,
                subresources: &subresource,
            };
            let region = vk::BufferImageCopy::default().image_subresource(color(0, 1)).image_extent(extent);
            gpu.run(|c| {
                d.cmd_clear_color_image(c, image, layout, &Default::default(), &[common::WHOLE]);
                gpu.barrier(c);
                copy(c, &info);
                gpu.barrier(c);
                d.cmd_copy_image_to_buffer(c, image, layout, out.buffer, &[region]);
            });
            assert_eq!(out.read::<u32>(), expected, "layer {layer}, {layers} of them, z {z}, depth {depth}");
        }
        d.destroy_image(image, None);
        d.free_memory(memory, None);
    }
    [from, parameters, out].into_iter().for_each(|buffer| buffer.destroy(&gpu));
}

/// A shader reads its storage buffer and its uniform block through descriptors that are bytes in a buffer. The uniform
/// block is a buffer, bytes beside the descriptor, or null. Spec: Vulkan, "Descriptor Buffers".
#[test]
fn descriptors_are_bytes_in_a_buffer() {
    let gpu = gpu();
    let d = &gpu.device;
    let commands = ash::ext::descriptor_buffer::Device::new(&gpu.instance, d);
    let usage = vk::BufferUsageFlags::from_raw(1 << 22);
    let (records, records_at) = buffer(&gpu, 4096, usage);
    let (out, out_at) = buffer(&gpu, 256, vk::BufferUsageFlags::STORAGE_BUFFER);
    let (uniform, uniform_at) = buffer(&gpu, 256, vk::BufferUsageFlags::UNIFORM_BUFFER);
    uniform.write(&[9u32]);
    let compute = vk::ShaderStageFlags::COMPUTE;
    let (storage, block, inline) = (
        vk::DescriptorType::STORAGE_BUFFER,
        vk::DescriptorType::UNIFORM_BUFFER,
        vk::DescriptorType::INLINE_UNIFORM_BLOCK,
    );
    // SAFETY: valid usage of Vulkan: all objects are live, and `records` is mapped.
    unsafe {
        let module = gpu.shader(include_str!("shaders/branch.comp.spvasm"));
        let run = |ty: vk::DescriptorType, address: u64, base: u64| {
            let binding = |number, ty, n| {
                let binding = vk::DescriptorSetLayoutBinding::default().binding(number).descriptor_type(ty);
                binding.descriptor_count(n).stage_flags(compute)
            };
            let bindings = [binding(0, storage, 1), binding(1, ty, if ty == inline { 16 } else { 1 })];
            let info = vk::DescriptorSetLayoutCreateInfo::default()
                .flags(vk::DescriptorSetLayoutCreateFlags::DESCRIPTOR_BUFFER_EXT)
                .bindings(&bindings);
            let sets = [d.create_descriptor_set_layout(&info, None).unwrap()];
            assert!(commands.get_descriptor_set_layout_size(sets[0]) >= 32);
            let place = |number| commands.get_descriptor_set_layout_binding_offset(sets[0], number) + base;
            let mut bytes = records.read::<u8>();
            let mut put = |number, ty, address, size| {
                let info = vk::DescriptorAddressInfoEXT::default().address(address).range(size);
                let data = vk::DescriptorDataEXT { p_storage_buffer: &info };
                let info = vk::DescriptorGetInfoEXT { ty, data, ..Default::default() };
                let at = place(number) as usize;
                commands.get_descriptor(&info, &mut bytes[at..at + 16]);
            };
            put(0, storage, out_at, 256);
            if ty == inline {
                let at = place(1) as usize;
                bytes[at..at + 4].copy_from_slice(&11u32.to_ne_bytes());
            } else {
                put(1, ty, address, if address == 0 { vk::WHOLE_SIZE } else { 4 });
            }
            records.write(&bytes);
            let push = [vk::PushConstantRange::default().stage_flags(compute).size(4)];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
            let layout = d.create_pipeline_layout(&info, None).unwrap();
            let stage =
                vk::PipelineShaderStageCreateInfo::default().stage(compute).module(module).name(c"main");
            let info = [vk::ComputePipelineCreateInfo::default()
                .flags(vk::PipelineCreateFlags::DESCRIPTOR_BUFFER_EXT)
                .stage(stage)
                .layout(layout)];
            let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
            out.write(&[0u32]);
            gpu.run(|cmd| {
                let point = vk::PipelineBindPoint::COMPUTE;
                let info = vk::DescriptorBufferBindingInfoEXT::default().address(records_at).usage(usage);
                d.cmd_bind_pipeline(cmd, point, pipeline);
                commands.cmd_bind_descriptor_buffers(cmd, &[info]);
                commands.cmd_set_descriptor_buffer_offsets(cmd, point, layout, 0, &[0], &[base]);
                d.cmd_push_constants(cmd, layout, compute, 0, &1u32.to_ne_bytes());
                d.cmd_dispatch(cmd, 1, 1, 1);
            });
            d.destroy_pipeline(pipeline, None);
            d.destroy_pipeline_layout(layout, None);
            d.destroy_descriptor_set_layout(sets[0], None);
            out.read::<u32>()[0]
        };
        assert_eq!(run(block, uniform_at, 0), 9);
        assert_eq!(run(block, uniform_at, 1024), 9);
        assert_eq!(run(inline, 0, 512), 11);
        assert_eq!(run(block, 0, 256), 0);
        d.destroy_shader_module(module, None);
    }
    records.destroy(&gpu);
    out.destroy(&gpu);
    uniform.destroy(&gpu);
}
