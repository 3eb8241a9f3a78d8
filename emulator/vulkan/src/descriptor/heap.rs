//! Chapter "Descriptor Heaps": descriptors as bytes in heaps, push data, and the mapping of bindings to heaps.

use std::sync::Arc;

use ash::vk;
use quadrille::heaps::{DescriptorSource, Heap, HeapIndex, HeapPlace, Mapping, ResourceTypes, Source};
use quadrille::{
    BufferView, BufferViewDesc, DESCRIPTOR_BYTES, DescriptorKind, Image, ImageView, KeptSampler, Resource,
};

use crate::capabilities::format::needed;
use crate::command_buffer::CommandBuffer;
use crate::device::Device;
use crate::interface::chain::{find, slice};
use crate::interface::guard::{VkResult, code, commands, log};
use crate::interface::handle::{get, get_mut};
use crate::newer::{
    BindHeapInfoEXT, DescriptorSetAndBindingMappingEXT, DeviceAddressRangeKHR, HostAddressRangeEXT,
    ImageDescriptorInfoEXT, PushDataInfoEXT, ResourceDescriptorInfoEXT,
    ShaderDescriptorSetAndBindingMappingInfoEXT, TexelBufferDescriptorInfoEXT,
};
use crate::resource::{image, sampler};

type Bytes = [u8; DESCRIPTOR_BYTES];

fn of_memory(
    device: &Device,
    kind: DescriptorKind,
    range: DeviceAddressRangeKHR,
    format: Option<vk::Format>,
) -> VkResult<Bytes> {
    let of = |resource: Resource<'_>| device.device.descriptor_data(kind, resource).map_err(|e| code(&e));
    let (buffer, offset) = device.device.buffer_at(range.address).map_err(|e| code(&e))?;
    let range = Some(range.size);
    match format {
        Some(format) => {
            let desc = BufferViewDesc { format: needed(format)?, offset, range };
            let view = BufferView::kept(&device.device, &buffer, desc).map_err(|e| code(&e))?;
            of(Resource::TexelBuffer(&view))
        }
        None => of(Resource::Buffer { buffer: &buffer, offset, range }),
    }
}

/// Returns the descriptor of a resource.
///
/// # Safety
/// `info` and the structures it points to are valid, and its image is live.
unsafe fn resource(device: &Device, info: &ResourceDescriptorInfoEXT) -> VkResult<Bytes> {
    use DescriptorKind as K;
    let kind = crate::descriptor::kind(info.ty)?;
    let of = |resource: Resource<'_>| device.device.descriptor_data(kind, resource).map_err(|e| code(&e));
    if info.data.is_null() {
        return of(Resource::Null);
    }
    // SAFETY: the caller promises a valid structure: `ty` selects the member of the union, which points to a valid
    // structure with a live image.
    unsafe {
        match kind {
            K::SampledImage | K::StorageImage | K::InputAttachment => {
                let info = &*info.data.cast::<ImageDescriptorInfoEXT>();
                let desc = image::view_desc(&*info.p_view)?;
                let image = get::<Image>((*info.p_view).image);
                let view = ImageView::kept(&device.device, image, desc).map_err(|e| code(&e))?;
                of(Resource::Image(&view))
            }
            K::UniformTexelBuffer | K::StorageTexelBuffer => {
                let info = &*info.data.cast::<TexelBufferDescriptorInfoEXT>();
                of_memory(device, kind, info.address_range, Some(info.format))
            }
            K::AccelerationStructure => {
                let range = *info.data.cast::<DeviceAddressRangeKHR>();
                device.device.structure_descriptor_data(range.address).map_err(|e| code(&e))
            }
            K::UniformBuffer | K::StorageBuffer => {
                of_memory(device, kind, *info.data.cast::<DeviceAddressRangeKHR>(), None)
            }
            _ => Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
        }
    }
}

/// Creates a sampler that lives as long as the device, because the last use of a descriptor in a heap is unknown.
///
/// # Safety
/// The create info and its chain are valid.
pub unsafe fn kept_sampler(device: &Device, info: &vk::SamplerCreateInfo<'_>) -> VkResult<KeptSampler> {
    // SAFETY: the caller promises that the create info and its chain are valid.
    let desc = unsafe { sampler::desc(info)? };
    device.device.keep_sampler(desc).map_err(|e| code(&e))
}

/// Writes a descriptor to host memory, truncated to the range.
///
/// # Safety
/// The range is writable.
unsafe fn write(to: HostAddressRangeEXT, bytes: Bytes) {
    // SAFETY: the caller promises that `to.size` bytes at `to.address` are writable; at most that many are written.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.address.cast(), bytes.len().min(to.size)) };
}

fn bind(buffer: &mut CommandBuffer, heap: Heap, info: &BindHeapInfoEXT) {
    let bound = buffer.heaps.bind(&mut buffer.list, heap, info);
    buffer.fail(bound.map_err(|e| code(&e)));
}

/// Returns the mapping of the resource variables of a shader to heaps.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn mappings(device: &Device, next: *const std::ffi::c_void) -> VkResult<Arc<[Mapping]>> {
    // SAFETY: the caller promises a valid chain, and with it valid create infos of the embedded samplers.
    unsafe {
        let all = find::<ShaderDescriptorSetAndBindingMappingInfoEXT>(next);
        let all = all.map_or(&[][..], |m| slice(m.p_mappings, m.mapping_count));
        let of = |m: &DescriptorSetAndBindingMappingEXT| {
            let sampler = embedded(m).as_ref().map(|info| kept_sampler(device, info)).transpose()?;
            mapping(m, sampler.map(|s| s.number()))
        };
        all.iter().map(of).collect()
    }
}

/// Returns the pointer to the create info of a mapping's embedded sampler, null if there is none. It is not
/// dereferenced.
fn embedded(m: &DescriptorSetAndBindingMappingEXT) -> *const vk::SamplerCreateInfo<'_> {
    let data = &m.source_data;
    // SAFETY: every member of the union consists of numbers and pointers, for which all bits are valid.
    unsafe {
        match m.source {
            0 => data.constant_offset.p_embedded_sampler,
            1 => data.push_index.p_embedded_sampler,
            2 => data.indirect_index.p_embedded_sampler,
            3 => data.indirect_index_array.p_embedded_sampler,
            8 => data.shader_record_index.p_embedded_sampler,
            _ => std::ptr::null(),
        }
    }
}

/// Converts a mapping; `embedded` is the number of its embedded sampler, if it has one. Pointers in the mapping are not
/// read.
pub fn mapping(m: &DescriptorSetAndBindingMappingEXT, embedded: Option<u32>) -> VkResult<Mapping> {
    Ok(Mapping {
        set: m.descriptor_set,
        first_binding: m.first_binding,
        binding_count: m.binding_count,
        resources: ResourceTypes(m.resource_mask),
        source: source(m, embedded)?,
    })
}

/// Converts the source of a mapping's variables.
fn source(m: &DescriptorSetAndBindingMappingEXT, embedded: Option<u32>) -> VkResult<Source> {
    use HeapIndex::{Indirect, None, Push, Record};
    let place = |offset, index, [index_stride, array_stride]: [u32; 2]| HeapPlace {
        offset,
        index,
        index_stride,
        array_stride,
    };
    // A descriptor in a heap. The second place is that of the sampler of a combined image sampler.
    let in_heap = |[place, sampler]: [HeapPlace; 2], combined_index: vk::Bool32| {
        let combined_index = combined_index != 0;
        Ok(Source::Descriptor(DescriptorSource { place, sampler, combined_index, embedded }))
    };
    let data = &m.source_data;
    // SAFETY: every member of the union consists of numbers and pointers, for which all bits are valid.
    unsafe {
        match m.source {
            0 => {
                let d = data.constant_offset;
                let image = place(d.heap_offset, None, [0, d.heap_array_stride]);
                let sampler = place(d.sampler_heap_offset, None, [0, d.sampler_heap_array_stride]);
                in_heap([image, sampler], 0)
            }
            1 => {
                let d = data.push_index;
                let strides = [d.heap_index_stride, d.heap_array_stride];
                let image = place(d.heap_offset, Push(d.push_offset), strides);
                let strides = [d.sampler_heap_index_stride, d.sampler_heap_array_stride];
                let sampler = place(d.sampler_heap_offset, Push(d.sampler_push_offset), strides);
                in_heap([image, sampler], d.use_combined_image_sampler_index)
            }
            2 => {
                let d = data.indirect_index;
                let index = |push, offset| Indirect { push, offset, each: false };
                let strides = [d.heap_index_stride, d.heap_array_stride];
                let image = place(d.heap_offset, index(d.push_offset, d.address_offset), strides);
                let strides = [d.sampler_heap_index_stride, d.sampler_heap_array_stride];
                let index = index(d.sampler_push_offset, d.sampler_address_offset);
                let sampler = place(d.sampler_heap_offset, index, strides);
                in_heap([image, sampler], d.use_combined_image_sampler_index)
            }
            3 => {
                let d = data.indirect_index_array;
                let index = |push, offset| Indirect { push, offset, each: true };
                let strides = [d.heap_index_stride, 0];
                let image = place(d.heap_offset, index(d.push_offset, d.address_offset), strides);
                let strides = [d.sampler_heap_index_stride, 0];
                let index = index(d.sampler_push_offset, d.sampler_address_offset);
                let sampler = place(d.sampler_heap_offset, index, strides);
                in_heap([image, sampler], d.use_combined_image_sampler_index)
            }
            4 => {
                let d = data.heap_data;
                Ok(Source::HeapData { offset: d.heap_offset, push: d.push_offset })
            }
            5 => Ok(Source::PushData(data.push_data_offset)),
            6 => Ok(Source::PushAddress(data.push_address_offset)),
            7 => {
                let d = data.indirect_address;
                Ok(Source::IndirectAddress { push: d.push_offset, offset: d.address_offset })
            }
            8 => {
                let d = data.shader_record_index;
                let strides = [d.heap_index_stride, d.heap_array_stride];
                let image = place(d.heap_offset, Record(d.shader_record_offset), strides);
                let strides = [d.sampler_heap_index_stride, d.sampler_heap_array_stride];
                let sampler = place(d.sampler_heap_offset, Record(d.sampler_shader_record_offset), strides);
                in_heap([image, sampler], d.use_combined_image_sampler_index)
            }
            9 => Ok(Source::RecordData(data.shader_record_data_offset)),
            10 => Ok(Source::RecordAddress(data.shader_record_address_offset)),
            _ => Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
        }
    }
}

commands! {
    fn get_physical_device_descriptor_size(
        _p: vk::PhysicalDevice,
        _type: vk::DescriptorType,
    ) -> vk::DeviceSize {
        DESCRIPTOR_BYTES as u64
    }

    fn write_sampler_descriptors(
        device: vk::Device,
        n: u32,
        infos: *const vk::SamplerCreateInfo<'_>,
        to: *const HostAddressRangeEXT,
    ) -> vk::Result {
        let device = get::<Device>(device);
        for (info, to) in slice(infos, n).iter().zip(slice(to, n)) {
            let sampler = kept_sampler(device, info)?;
            write(*to, device.device.sampler_descriptor_data(sampler));
        }
        Ok(())
    }

    fn write_resource_descriptors(
        device: vk::Device,
        n: u32,
        infos: *const ResourceDescriptorInfoEXT,
        to: *const HostAddressRangeEXT,
    ) -> vk::Result {
        let device = get::<Device>(device);
        for (info, to) in slice(infos, n).iter().zip(slice(to, n)) {
            let bytes = resource(device, info);
            if let Err(code) = bytes {
                log(&format!("no descriptor is written: {code:?}"));
            }
            write(*to, bytes?);
        }
        Ok(())
    }

    /// Capture and replay are not supported.
    fn get_image_opaque_capture_data(
        _d: vk::Device,
        _n: u32,
        _images: *const vk::Image,
        _out: *mut HostAddressRangeEXT,
    ) -> vk::Result {
        Err(vk::Result::ERROR_FEATURE_NOT_PRESENT)
    }

    fn cmd_bind_sampler_heap(buffer: vk::CommandBuffer, info: *const BindHeapInfoEXT) {
        bind(get_mut::<CommandBuffer>(buffer), Heap::Sampler, &*info);
    }

    fn cmd_bind_resource_heap(buffer: vk::CommandBuffer, info: *const BindHeapInfoEXT) {
        bind(get_mut::<CommandBuffer>(buffer), Heap::Resource, &*info);
    }

    fn cmd_push_data(buffer: vk::CommandBuffer, info: *const PushDataInfoEXT) {
        let info = &*info;
        let data = slice(info.data.address.cast::<u8>(), info.data.size as u32);
        crate::command_buffer::list(buffer).push_constants(info.offset, data);
    }

    fn register_custom_border_color(
        device: vk::Device,
        _color: *const vk::SamplerCustomBorderColorCreateInfoEXT<'_>,
        asked: vk::Bool32,
        index: *mut u32,
    ) -> vk::Result {
        let wanted = (asked != 0).then(|| *index);
        *index = get::<Device>(device).border_colors.register(wanted)?;
        Ok(())
    }

    fn unregister_custom_border_color(device: vk::Device, index: u32) {
        get::<Device>(device).border_colors.unregister(index);
    }
}
