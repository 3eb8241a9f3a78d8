//! Descriptor heaps: bindings mapped to heaps, and heaps that shaders access directly.

#![expect(unsafe_code, reason = "a Vulkan client")]

#[path = "heaps/binaries.rs"]
mod binaries;
#[path = "heaps/records.rs"]
mod records;

use std::ffi::{CStr, c_void};

use crate::common::{self, Gpu, Mapped};
use ash::vk;

const EXTENSIONS: [&CStr; 10] = [
    c"VK_KHR_deferred_host_operations",
    c"VK_KHR_acceleration_structure",
    c"VK_KHR_ray_query",
    c"VK_KHR_ray_tracing_pipeline",
    c"VK_KHR_buffer_device_address",
    c"VK_KHR_maintenance5",
    c"VK_KHR_shader_untyped_pointers",
    c"VK_EXT_descriptor_heap",
    c"VK_KHR_dynamic_rendering",
    c"VK_EXT_shader_object",
];

/// VkPhysicalDeviceDescriptorHeapFeaturesEXT.
#[repr(C)]
struct Features {
    ty: i32,
    next: *mut c_void,
    features: [u32; 2],
}

/// VkDeviceAddressRangeKHR.
#[repr(C)]
#[derive(Clone, Copy)]
struct Range {
    address: u64,
    size: u64,
}

/// VkHostAddressRangeEXT.
#[repr(C)]
struct HostRange {
    address: *mut c_void,
    size: usize,
}

/// VkResourceDescriptorInfoEXT.
#[repr(C)]
struct ResourceInfo {
    ty: i32,
    next: *const c_void,
    kind: vk::DescriptorType,
    data: *const c_void,
}

/// VkImageDescriptorInfoEXT.
#[repr(C)]
struct ImageInfo {
    ty: i32,
    next: *const c_void,
    view: *const c_void,
    layout: vk::ImageLayout,
}

/// VkBindHeapInfoEXT.
#[repr(C)]
struct BindInfo {
    ty: i32,
    next: *const c_void,
    range: Range,
    reserved: [u64; 2],
}

/// VkPushDataInfoEXT.
#[repr(C)]
struct PushInfo {
    ty: i32,
    next: *const c_void,
    offset: u32,
    data: HostRange,
}

/// VkDescriptorSetAndBindingMappingEXT.
#[repr(C)]
struct Mapping {
    ty: i32,
    next: *const c_void,
    set: u32,
    first: u32,
    count: u32,
    mask: u32,
    source: u32,
    data: [u64; 7],
}

impl Mapping {
    /// The mapping of a binding of set 0, for resources of all types.
    fn of(first: u32, source: u32, data: &[u64]) -> Mapping {
        Mapping {
            ty: 1_000_135_005,
            next: std::ptr::null(),
            set: 0,
            first,
            count: 1,
            mask: 0x7fff_ffff,
            source,
            data: std::array::from_fn(|i| data.get(i).copied().unwrap_or(0)),
        }
    }
}

/// VkShaderDescriptorSetAndBindingMappingInfoEXT.
#[repr(C)]
struct Mappings {
    ty: i32,
    next: *const c_void,
    n: u32,
    all: *const Mapping,
}

type WriteResources =
    unsafe extern "system" fn(vk::Device, u32, *const ResourceInfo, *const HostRange) -> vk::Result;
type WriteSamplers =
    unsafe extern "system" fn(vk::Device, u32, *const c_void, *const HostRange) -> vk::Result;
type Bind = unsafe extern "system" fn(vk::CommandBuffer, *const BindInfo);
/// A command of any type.
type Command = unsafe extern "system" fn();
type Push = unsafe extern "system" fn(vk::CommandBuffer, *const PushInfo);

/// A device with the commands of descriptor heaps.
struct Heaps {
    gpu: Gpu,
    write_resources: WriteResources,
    write_samplers: WriteSamplers,
    bind_resources: Bind,
    bind_samplers: Bind,
    push: Push,
}

impl Heaps {
    fn new() -> Heaps {
        let mut address =
            vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
        let mut five = vk::PhysicalDeviceMaintenance5FeaturesKHR::default().maintenance5(true);
        let mut queries = vk::PhysicalDeviceRayQueryFeaturesKHR::default().ray_query(true);
        let mut structures =
            vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default().acceleration_structure(true);
        let mut pipelines =
            vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::default().ray_tracing_pipeline(true);
        let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut objects = vk::PhysicalDeviceShaderObjectFeaturesEXT::default().shader_object(true);
        objects.p_next = (&raw mut rendering).cast();
        pipelines.p_next = (&raw mut objects).cast();
        queries.p_next = (&raw mut pipelines).cast();
        structures.p_next = (&raw mut queries).cast();
        let next = (&raw mut structures).cast();
        let features = Features { ty: 1_000_135_009, next, features: [1, 0] };
        five.p_next = (&raw const features).cast_mut().cast();
        address.p_next = (&raw mut five).cast();
        let gpu = Gpu::with(&EXTENSIONS, |mut info| {
            info.p_next = (&raw const address).cast();
            info
        })
        .unwrap();
        // SAFETY: the commands have the transmuted types in the specification.
        unsafe {
            let command = |name: &CStr| {
                let found = gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr());
                found.unwrap_or_else(|| panic!("no {name:?}"))
            };
            Heaps {
                write_resources: std::mem::transmute::<Command, WriteResources>(command(
                    c"vkWriteResourceDescriptorsEXT",
                )),
                write_samplers: std::mem::transmute::<Command, WriteSamplers>(command(
                    c"vkWriteSamplerDescriptorsEXT",
                )),
                bind_resources: std::mem::transmute::<Command, Bind>(command(c"vkCmdBindResourceHeapEXT")),
                bind_samplers: std::mem::transmute::<Command, Bind>(command(c"vkCmdBindSamplerHeapEXT")),
                push: std::mem::transmute::<Command, Push>(command(c"vkCmdPushDataEXT")),
                gpu,
            }
        }
    }

    /// Creates a buffer and returns its address.
    fn buffer(&self, size: u64, usage: u32) -> (Mapped, u64) {
        let usage = vk::BufferUsageFlags::from_raw(usage) | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let buffer = self.gpu.buffer(size, usage);
        let commands = ash::khr::buffer_device_address::Device::new(&self.gpu.instance, &self.gpu.device);
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer);
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        let address = unsafe { commands.get_buffer_device_address(&info) };
        (buffer, address)
    }

    /// Returns the bytes of a descriptor.
    fn descriptor(&self, kind: vk::DescriptorType, data: *const c_void) -> [u8; 16] {
        let mut bytes = [0; 16];
        let info = ResourceInfo { ty: 1_000_135_002, next: std::ptr::null(), kind, data };
        let to = HostRange { address: bytes.as_mut_ptr().cast(), size: 16 };
        // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the call.
        let done = unsafe { (self.write_resources)(self.gpu.device.handle(), 1, &info, &to) };
        assert_eq!(done, vk::Result::SUCCESS);
        bytes
    }

    fn sampler(&self, info: &vk::SamplerCreateInfo<'_>) -> [u8; 16] {
        let mut bytes = [0; 16];
        let to = HostRange { address: bytes.as_mut_ptr().cast(), size: 16 };
        let info = (&raw const *info).cast();
        // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the call.
        let done = unsafe { (self.write_samplers)(self.gpu.device.handle(), 1, info, &to) };
        assert_eq!(done, vk::Result::SUCCESS);
        bytes
    }

    /// Runs a pipeline for one workgroup with the resource heap at an address and push data, then destroys it.
    fn dispatch(&self, pipeline: vk::Pipeline, heap: u64, push: &[u64]) {
        let d = &self.gpu.device;
        let info = BindInfo {
            ty: 1_000_135_003,
            next: std::ptr::null(),
            range: Range { address: heap, size: 4096 },
            reserved: [0; 2],
        };
        let data = HostRange { address: push.as_ptr().cast_mut().cast(), size: size_of_val(push) };
        let push = PushInfo { ty: 1_000_135_004, next: std::ptr::null(), offset: 0, data };
        // SAFETY: valid usage of Vulkan, except for descriptors beyond the heap, which this driver reads as null. The
        // pipeline is this device's; no command uses it after `run`, which waits.
        unsafe {
            self.gpu.run(|cmd| {
                d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
                (self.bind_resources)(cmd, &info);
                (self.push)(cmd, &push);
                d.cmd_dispatch(cmd, 1, 1, 1);
            });
            d.destroy_pipeline(pipeline, None);
        }
    }

    /// Creates a compute pipeline with heaps.
    fn pipeline(&self, text: &str, mappings: &[Mapping], constant: u32) -> vk::Pipeline {
        self.try_pipeline(text, mappings, constant).unwrap()
    }

    fn try_pipeline(
        &self,
        text: &str,
        mappings: &[Mapping],
        constant: u32,
    ) -> Result<vk::Pipeline, vk::Result> {
        let all = mappings.as_ptr();
        let mappings = Mappings { ty: 1_000_135_006, next: std::ptr::null(), n: mappings.len() as u32, all };
        let entry = [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];
        let constant = constant.to_ne_bytes();
        let constants = vk::SpecializationInfo::default().map_entries(&entry).data(&constant);
        let module = self.gpu.shader(text);
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main")
            .specialization_info(&constants);
        stage.p_next = (&raw const mappings).cast();
        let mut flags = vk::PipelineCreateFlags2CreateInfoKHR::default()
            .flags(vk::PipelineCreateFlags2KHR::from_raw(1 << 36));
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).push_next(&mut flags)];
        let d = &self.gpu.device;
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let made = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
            d.destroy_shader_module(module, None);
            made.map(|all| all[0]).map_err(|(_, code)| code)
        }
    }
}

const STORAGE: u32 = 0x20;
const UNIFORM: u32 = 0x10;
const HEAP: u32 = 1 << 28;

/// Combines two words to a 64-bit member.
fn words(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Each mapping source leads to a uniform block, and one to null. Spec: Vulkan, "Descriptor Heaps", Shader Bindings.
#[test]
fn bindings_are_mapped_to_heaps() {
    let push_index = |stride| vec![words(992, 4), words(stride, 0)];
    mapped(&[
        // Constant offset; the binding is the second of the mapping.
        (0, vec![words(1008, 16)], 9),
        // Index in the push data; the index is 2.
        (1, push_index(16), 9),
        (1, push_index(24), 0),
        // Index in memory; the index is 3.
        (2, vec![words(976, 8), words(4, 16), words(16, 0)], 9),
        // Index of each element in memory; the index is 3.
        (3, vec![words(976, 8), words(0, 16)], 9),
        // Data in the heap, in the push data, and in memory.
        (4, vec![words(512, 28)], 21),
        (5, vec![words(24, 0)], 22),
        (6, vec![words(16, 0)], 9),
        (7, vec![words(8, 8)], 9),
    ]);
}

/// Descriptors beyond the end of a heap read as null.
#[test]
fn nothing_is_past_a_heap() {
    mapped(&[(0, vec![words(8192, 0)], 0)]);
}

/// Checks the contents of a uniform block for each source of mappings and its data.
fn mapped(cases: &[(u32, Vec<u64>, u32)]) {
    let h = Heaps::new();
    let (heap, heap_at) = h.buffer(4096, HEAP);
    let (out, out_at) = h.buffer(256, STORAGE);
    let (uniform, uniform_at) = h.buffer(256, UNIFORM);
    let (memory, memory_at) = h.buffer(256, 0);
    // The block begins inside of its buffer.
    uniform.write(&[1u32, 2, 3, 4, 9, 5]);
    let uniform_at = uniform_at + 16;
    let mut bytes = vec![0u8; 4096];
    let mut put = |at: usize, descriptor: [u8; 16]| bytes[at..at + 16].copy_from_slice(&descriptor);
    let range = |address, size| Range { address, size };
    let block = |r: &Range| h.descriptor(vk::DescriptorType::UNIFORM_BUFFER, (&raw const *r).cast());
    let storage = range(out_at, 256);
    put(64, h.descriptor(vk::DescriptorType::STORAGE_BUFFER, (&raw const storage).cast()));
    put(1024, block(&range(uniform_at, 4)));
    put(1040, h.descriptor(vk::DescriptorType::UNIFORM_BUFFER, std::ptr::null()));
    put(512, 21u128.to_ne_bytes());
    heap.write(&bytes);
    // An index, and the address of the block.
    memory.write(&[words(0, 3), uniform_at]);
    let push = [words(1, 2), memory_at, uniform_at, words(22, 0)];
    for (source, data, expected) in cases {
        let mapping = |first, count, source, data: &[u64]| Mapping {
            count,
            mask: if first == 1 { 0x20 } else { 0x7fff_ffff },
            ..Mapping::of(first, source, data)
        };
        // For sources with several bindings, the storage buffer is the first; the mask excludes it.
        let mut of_block = mapping(1, 1, *source, data);
        if matches!(source, 0 | 3) {
            (of_block.first, of_block.count, of_block.mask) = (0, 2, 0x20);
        }
        let of_out = mapping(0, 1, 0, &[words(64, 0)]);
        let pipeline = h.pipeline(include_str!("shaders/branch.comp.spvasm"), &[of_block, of_out], 0);
        out.write(&[0u32]);
        h.dispatch(pipeline, heap_at, &push);
        assert_eq!(out.read::<u32>()[0], *expected, "source {source}, {data:?}");
    }
    [heap, out, uniform, memory].into_iter().for_each(|b| b.destroy(&h.gpu));
}

/// Builds a structure of one geometry; returns it with its memory and its address.
fn structure(
    h: &Heaps,
    ty: vk::AccelerationStructureTypeKHR,
    geometry: vk::AccelerationStructureGeometryKHR<'_>,
) -> (vk::AccelerationStructureKHR, Mapped, u64) {
    let rays = ash::khr::acceleration_structure::Device::new(&h.gpu.instance, &h.gpu.device);
    let geometry = [geometry];
    let info = vk::AccelerationStructureBuildGeometryInfoKHR::default().ty(ty).geometries(&geometry);
    let device = vk::AccelerationStructureBuildTypeKHR::DEVICE;
    let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        rays.get_acceleration_structure_build_sizes(device, &info, &[1], &mut sizes);
        let size = sizes.acceleration_structure_size;
        let (storage, _) = h.buffer(size, 0x10_0000);
        let (scratch, scratch_at) = h.buffer(sizes.build_scratch_size, STORAGE);
        let create =
            vk::AccelerationStructureCreateInfoKHR::default().buffer(storage.buffer).size(size).ty(ty);
        let made = rays.create_acceleration_structure(&create, None).unwrap();
        let scratch_data = vk::DeviceOrHostAddressKHR { device_address: scratch_at };
        let info = info.dst_acceleration_structure(made).scratch_data(scratch_data);
        let range = vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(1);
        h.gpu.run(|cmd| rays.cmd_build_acceleration_structures(cmd, &[info], &[&[range]]));
        scratch.destroy(&h.gpu);
        let of = vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(made);
        (made, storage, rays.get_acceleration_structure_device_address(&of))
    }
}

/// An acceleration structure by a descriptor in the heap, and by its address in the push data and in memory. Spec:
/// Vulkan, VkDescriptorMappingSourceEXT.
#[test]
fn acceleration_structures_are_mapped_to_heaps() {
    use vk::{AccelerationStructureTypeKHR as Type, GeometryTypeKHR as Kind};
    let h = Heaps::new();
    let d = &h.gpu.device;
    // A box below the rays, which the shader hits at 0.75.
    let (boxes, at) = h.buffer(24, 0x8_0000);
    boxes.write(&[0.0f32, 0.0, 0.0, 1.0, 1.0, 0.5]);
    let data = vk::DeviceOrHostAddressConstKHR { device_address: at };
    let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR::default().data(data).stride(24);
    let geometry = vk::AccelerationStructureGeometryDataKHR { aabbs };
    let geometry = vk::AccelerationStructureGeometryKHR::default().geometry(geometry);
    let (bottom, bottom_storage, bottom_at) =
        structure(&h, Type::BOTTOM_LEVEL, geometry.geometry_type(Kind::AABBS));
    let one = 1.0f32.to_bits();
    let (instances, at) = h.buffer(64, 0x8_0000);
    let [low, high] = [bottom_at as u32, (bottom_at >> 32) as u32];
    instances.write(&[one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, 0, 5 | 0xff << 24, 0, low, high]);
    let data = vk::DeviceOrHostAddressConstKHR { device_address: at };
    let list = vk::AccelerationStructureGeometryInstancesDataKHR::default().data(data);
    let geometry = vk::AccelerationStructureGeometryDataKHR { instances: list };
    let geometry = vk::AccelerationStructureGeometryKHR::default().geometry(geometry);
    let (top, top_storage, top_at) = structure(&h, Type::TOP_LEVEL, geometry.geometry_type(Kind::INSTANCES));

    let (heap, heap_at) = h.buffer(4096, HEAP);
    let (out, out_at) = h.buffer(2048, STORAGE);
    let (memory, memory_at) = h.buffer(256, 0);
    memory.write(&[0, top_at]);
    let mut bytes = vec![0u8; 4096];
    let range = |address, size| Range { address, size };
    let (storage, scene) = (range(out_at, 2048), range(top_at, 0));
    let mut put = |at: usize, kind, of: &Range| {
        bytes[at..at + 16].copy_from_slice(&h.descriptor(kind, (&raw const *of).cast()));
    };
    put(64, vk::DescriptorType::STORAGE_BUFFER, &storage);
    put(1024, vk::DescriptorType::ACCELERATION_STRUCTURE_KHR, &scene);
    heap.write(&bytes);
    let push = [top_at, memory_at];
    for (source, data) in [(0, words(1024, 0)), (6, words(0, 0)), (7, words(8, 8))] {
        let mapping = |first, mask, source, data| Mapping { mask, ..Mapping::of(first, source, &[data]) };
        let mappings = [mapping(0, 0x100, source, data), mapping(1, 0x80, 0, words(64, 0))];
        let pipeline = h.pipeline(include_str!("shaders/rays.comp.spvasm"), &mappings, 0);
        out.write(&[0u8; 2048]);
        h.dispatch(pipeline, heap_at, &push);
        let seen = out.read::<[f32; 8]>();
        assert_eq!(seen, [[0.75, 0.0, 5.0, 0.0, -1.0, -1.0, -1.0, -1.0]; 64], "source {source}");
    }
    let rays = ash::khr::acceleration_structure::Device::new(&h.gpu.instance, d);
    for structure in [top, bottom] {
        // SAFETY: the commands that use the structures are done, and they are not used afterwards.
        unsafe { rays.destroy_acceleration_structure(structure, None) };
    }
    let all = [boxes, instances, heap, out, memory, top_storage, bottom_storage];
    all.into_iter().for_each(|b| b.destroy(&h.gpu));
}

/// Images, samplers and a buffer by offsets in the heaps, different for each invocation; the last two are null and
/// unwritten. Spec: SPV_EXT_descriptor_heap.
#[test]
fn shaders_read_heaps() {
    read_heaps(&Heaps::new());
}

/// Every sampler that a heap can hold may differ from all others, and none of them ends. Spec: Vulkan,
/// VkPhysicalDeviceDescriptorHeapPropertiesEXT, maxSamplerHeapSize.
#[test]
fn samplers_in_heaps_are_many() {
    let h = Heaps::new();
    let biased = |i: u16| h.sampler(&vk::SamplerCreateInfo::default().mip_lod_bias(f32::from(i) / 1024.0));
    let all: std::collections::HashSet<[u8; 16]> = (0..4500).map(biased).collect();
    assert_eq!(all.len(), 4500);
    read_heaps(&h);
}

fn read_heaps(h: &Heaps) {
    let d = &h.gpu.device;
    let (resources, resources_at) = h.buffer(4096, HEAP);
    let (samplers, samplers_at) = h.buffer(4096, HEAP);
    let (out, out_at) = h.buffer(64, STORAGE);
    let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
    let format = vk::Format::R32G32B32A32_SFLOAT;
    let pictures = [h.gpu.image(format, 4, usage), h.gpu.image(format, 4, usage)];
    let mut bytes = vec![0u8; 4096];
    for (i, picture) in pictures.iter().enumerate() {
        let view = vk::ImageViewCreateInfo::default()
            .image(picture.image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(format)
            .subresource_range(common::WHOLE);
        let info = ImageInfo {
            ty: 1_000_135_001,
            next: std::ptr::null(),
            view: (&raw const view).cast(),
            layout: vk::ImageLayout::GENERAL,
        };
        let sampled = |data| h.descriptor(vk::DescriptorType::SAMPLED_IMAGE, data);
        let descriptor = sampled((&raw const info).cast());
        assert_eq!(descriptor, sampled((&raw const info).cast()));
        bytes[16 * i..][..16].copy_from_slice(&descriptor);
        bytes[32..48].copy_from_slice(&sampled(std::ptr::null()));
    }
    let storage = Range { address: out_at, size: 64 };
    let storage = h.descriptor(vk::DescriptorType::STORAGE_BUFFER, (&raw const storage).cast());
    bytes[256..272].copy_from_slice(&storage);
    resources.write(&bytes);
    // The first sampler clamps to the edge, the others to a white border.
    let edge = vk::SamplerCreateInfo::default()
        .address_mode_u(vk::SamplerAddressMode::CLAMP_TO_EDGE)
        .address_mode_v(vk::SamplerAddressMode::CLAMP_TO_EDGE);
    let border = vk::SamplerCreateInfo::default()
        .address_mode_u(vk::SamplerAddressMode::CLAMP_TO_BORDER)
        .address_mode_v(vk::SamplerAddressMode::CLAMP_TO_BORDER)
        .border_color(vk::BorderColor::FLOAT_OPAQUE_WHITE);
    let border = h.sampler(&border);
    samplers.write(&[h.sampler(&edge), border, border, border].concat());
    let pipeline = h.pipeline(include_str!("shaders/heaps.comp.spvasm"), &[], 256);
    // SAFETY: valid usage of Vulkan, except for an unwritten descriptor, which this driver reads as null.
    unsafe {
        h.gpu.run(|cmd| {
            for picture in &pictures {
                let color = vk::ClearColorValue { float32: [0.25, 0.5, 0.75, 1.0] };
                let general = vk::ImageLayout::GENERAL;
                d.cmd_clear_color_image(cmd, picture.image, general, &color, &[common::WHOLE]);
            }
            h.gpu.barrier(cmd);
            let info = |address| BindInfo {
                ty: 1_000_135_003,
                next: std::ptr::null(),
                range: Range { address, size: 4096 },
                reserved: [0; 2],
            };
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
            (h.bind_samplers)(cmd, &info(samplers_at));
            (h.bind_resources)(cmd, &info(resources_at));
            d.cmd_dispatch(cmd, 1, 1, 1);
        });
        d.destroy_pipeline(pipeline, None);
    }
    let texels: Vec<f32> = out.read();
    assert_eq!(texels[..8], [0.25, 0.5, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(texels[8..], [0.0; 8]);
    pictures.into_iter().for_each(|p| p.destroy(&h.gpu));
    [resources, samplers, out].into_iter().for_each(|b| b.destroy(&h.gpu));
}
