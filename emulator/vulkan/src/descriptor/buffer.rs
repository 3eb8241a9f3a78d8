//! Chapter "Descriptor Buffers": descriptors as bytes, and ranges of buffers as sets.

use std::ffi::c_void;

use ash::vk;
use quadrille::{
    BindPoint, Buffer, BufferView, BufferViewDesc, DESCRIPTOR_BYTES, DescriptorKind, DescriptorSet,
    DescriptorSetLayout, ImageView, PipelineLayout, Resource, Sampler,
};

use super::update::points;
use crate::capabilities::format::needed;
use crate::command_buffer::{CommandBuffer, list};
use crate::device::Device;
use crate::interface::chain::slice;
use crate::interface::convert::bind_point;
use crate::interface::guard::{VkResult, code, commands, report};
use crate::interface::handle::{get, get_mut, get_opt};

type Bytes = [u8; DESCRIPTOR_BYTES];

/// Returns the descriptor of a buffer range at an address; a null descriptor for a null pointer or address.
///
/// # Safety
/// `info` is null or valid.
unsafe fn of_memory(
    device: &Device,
    kind: DescriptorKind,
    info: *const vk::DescriptorAddressInfoEXT<'_>,
) -> VkResult<Bytes> {
    let of = |resource: Resource<'_>| device.device.descriptor_data(kind, resource).map_err(|e| code(&e));
    // SAFETY: the caller promises that `info` is null or valid.
    let Some(info) = (unsafe { info.as_ref() }).filter(|i| i.address != 0) else { return of(Resource::Null) };
    let (buffer, offset) = device.device.buffer_at(info.address).map_err(|e| code(&e))?;
    let range = (info.range != vk::WHOLE_SIZE).then_some(info.range);
    match kind {
        DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
            let desc = BufferViewDesc { format: needed(info.format)?, offset, range };
            let view = BufferView::kept(&device.device, &buffer, desc).map_err(|e| code(&e))?;
            of(Resource::TexelBuffer(&view))
        }
        _ => of(Resource::Buffer { buffer: &buffer, offset, range }),
    }
}

/// Returns the descriptor that a get info describes.
///
/// # Safety
/// `info` is valid, and its handles are live or null.
unsafe fn descriptor(device: &Device, info: &vk::DescriptorGetInfoEXT<'_>) -> VkResult<Bytes> {
    use DescriptorKind as K;
    let kind = crate::descriptor::kind(info.ty)?;
    let of = |resource: Resource<'_>| device.device.descriptor_data(kind, resource).map_err(|e| code(&e));
    // SAFETY: the caller promises a valid structure: `ty` selects the member of the union, whose handles are live or
    // null.
    unsafe {
        match kind {
            K::Sampler => of(Resource::Sampler(get::<Sampler>(*info.data.p_sampler))),
            K::CombinedImageSampler => {
                let info = &*info.data.p_combined_image_sampler;
                let sampler = get::<Sampler>(info.sampler);
                match get_opt::<ImageView>(info.image_view) {
                    Some(view) => of(Resource::Combined(view, sampler)),
                    None => of(Resource::Sampler(sampler)),
                }
            }
            K::SampledImage | K::StorageImage | K::InputAttachment => {
                let info = info.data.p_sampled_image.as_ref();
                let view = info.and_then(|i| get_opt::<ImageView>(i.image_view));
                of(view.map_or(Resource::Null, Resource::Image))
            }
            K::AccelerationStructure => {
                let address = info.data.acceleration_structure;
                device.device.structure_descriptor_data(address).map_err(|e| code(&e))
            }
            _ => of_memory(device, kind, info.data.p_uniform_buffer),
        }
    }
}

/// Records ranges of the bound descriptor buffers as sets.
///
/// # Safety
/// The handles are live, and recording is externally synchronized.
unsafe fn set_offsets(
    buffer: vk::CommandBuffer,
    point: BindPoint,
    layout: vk::PipelineLayout,
    first: u32,
    places: impl Iterator<Item = (u32, u64)>,
) {
    // SAFETY: the caller promises live handles and externally synchronized recording.
    unsafe {
        let (recording, layout) = (list(buffer), get::<PipelineLayout>(layout));
        let buffer = &mut *recording.0;
        for (i, (index, offset)) in places.enumerate() {
            let Some((of, at)) = buffer.descriptor_buffers.get(index as usize) else {
                return buffer.fail(Err(vk::Result::ERROR_UNKNOWN));
            };
            buffer.list.bind_set_in_buffer(point, layout, first + i as u32, (of, at + offset));
        }
    }
}

/// Records a set that consists only of immutable samplers.
///
/// # Safety
/// The handles are live, and recording is externally synchronized.
unsafe fn bind_samplers(
    buffer: vk::CommandBuffer,
    point: BindPoint,
    layout: vk::PipelineLayout,
    number: u32,
) {
    // SAFETY: the caller promises live handles and externally synchronized recording. The set holds no resources to
    // keep alive, only the samplers of its layout.
    unsafe {
        let (recording, layout) = (list(buffer), get::<PipelineLayout>(layout));
        let buffer = &mut *recording.0;
        let Some(of) = layout.sets().get(number as usize) else { return };
        let set = DescriptorSet::pushed(of, None);
        buffer.list.bind_descriptor_sets(point, layout, number, &[&set], &[]);
    }
}

commands! {
    fn get_descriptor_set_layout_size(
        _d: vk::Device,
        layout: vk::DescriptorSetLayout,
        out: *mut vk::DeviceSize,
    ) {
        *out = get::<DescriptorSetLayout>(layout).bytes();
    }

    fn get_descriptor_set_layout_binding_offset(
        _d: vk::Device,
        layout: vk::DescriptorSetLayout,
        binding: u32,
        out: *mut vk::DeviceSize,
    ) {
        *out = get::<DescriptorSetLayout>(layout).binding_offset(binding).unwrap_or(0);
    }

    fn get_descriptor(
        device: vk::Device,
        info: *const vk::DescriptorGetInfoEXT<'_>,
        size: usize,
        out: *mut c_void,
    ) {
        let device = get::<Device>(device);
        match descriptor(device, &*info) {
            Ok(bytes) => std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast(), bytes.len().min(size)),
            Err(code) => report(Err(code)),
        }
    }

    fn cmd_bind_descriptor_buffers(
        buffer: vk::CommandBuffer,
        n: u32,
        infos: *const vk::DescriptorBufferBindingInfoEXT<'_>,
    ) {
        let buffer = get_mut::<CommandBuffer>(buffer);
        let found: Result<Vec<(Buffer, u64)>, _> =
            slice(infos, n).iter().map(|i| buffer.list.buffer_at(i.address)).collect();
        match found {
            Ok(found) => buffer.descriptor_buffers = found,
            Err(e) => buffer.fail(Err(code(&e))),
        }
    }

    fn cmd_set_descriptor_buffer_offsets(
        buffer: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        first: u32,
        n: u32,
        indices: *const u32,
        offsets: *const vk::DeviceSize,
    ) {
        let places = slice(indices, n).iter().copied().zip(slice(offsets, n).iter().copied());
        set_offsets(buffer, bind_point(point), layout, first, places);
    }

    fn cmd_set_descriptor_buffer_offsets2(
        buffer: vk::CommandBuffer,
        info: *const vk::SetDescriptorBufferOffsetsInfoEXT<'_>,
    ) {
        let info = &*info;
        let indices = slice(info.p_buffer_indices, info.set_count).iter().copied();
        let places = indices.zip(slice(info.p_offsets, info.set_count).iter().copied());
        for point in points(info.stage_flags) {
            set_offsets(buffer, point, info.layout, info.first_set, places.clone());
        }
    }

    fn cmd_bind_descriptor_buffer_embedded_samplers(
        buffer: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        set: u32,
    ) {
        bind_samplers(buffer, bind_point(point), layout, set);
    }

    fn cmd_bind_descriptor_buffer_embedded_samplers2(
        buffer: vk::CommandBuffer,
        info: *const vk::BindDescriptorBufferEmbeddedSamplersInfoEXT<'_>,
    ) {
        let info = &*info;
        for point in points(info.stage_flags) {
            bind_samplers(buffer, point, info.layout, info.set);
        }
    }

    /// This command and the next: capture and replay are not supported.
    fn get_buffer_opaque_capture_descriptor_data(
        _d: vk::Device,
        _info: *const vk::BufferCaptureDescriptorDataInfoEXT<'_>,
        _out: *mut c_void,
    ) -> vk::Result {
        Err(vk::Result::ERROR_FEATURE_NOT_PRESENT)
    }

    fn get_image_opaque_capture_descriptor_data(
        _d: vk::Device,
        _info: *const vk::ImageCaptureDescriptorDataInfoEXT<'_>,
        _out: *mut c_void,
    ) -> vk::Result {
        Err(vk::Result::ERROR_FEATURE_NOT_PRESENT)
    }

    fn get_image_view_opaque_capture_descriptor_data(
        _d: vk::Device,
        _info: *const vk::ImageViewCaptureDescriptorDataInfoEXT<'_>,
        _out: *mut c_void,
    ) -> vk::Result {
        Err(vk::Result::ERROR_FEATURE_NOT_PRESENT)
    }

    fn get_sampler_opaque_capture_descriptor_data(
        _d: vk::Device,
        _info: *const vk::SamplerCaptureDescriptorDataInfoEXT<'_>,
        _out: *mut c_void,
    ) -> vk::Result {
        Err(vk::Result::ERROR_FEATURE_NOT_PRESENT)
    }
}
