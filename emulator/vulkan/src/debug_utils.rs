//! Chapter "Debugging": names of objects, labels, messengers.
//!
//! Names are attached to objects for messages, and go to the device for its errors, dumps and traces. Labels go to
//! command buffers, which keep them on watched devices (see `quadrille trace`). `interface::messages` sends messages to
//! messengers. Messages that applications submit are passed on by the loader, if there is one.

use std::ffi::c_char;
use std::sync::atomic::Ordering;

use ash::vk;
use ash::vk::Handle;
use quadrille::rays::AccelerationStructure;
use quadrille::{
    Buffer, BufferView, Event, Fence, Image, ImageView, QueryPool, Sampler, Semaphore, ShaderModule,
};

use crate::command_buffer::{CommandBuffer, list};
use crate::descriptor::Set;
use crate::device::Device;
use crate::interface::chain::text;
use crate::interface::guard::commands;
use crate::interface::handle::{attached, create, destroy, get, get_mut, objects};
use crate::interface::messages;
use crate::interface::messages::LOADER;
use crate::pipeline::{Kind, Pipeline};

/// A VkDebugUtilsMessengerEXT: the number of its listener.
pub struct Messenger(u64);
objects!(Messenger => DebugUtilsMessengerEXT);

/// Types of objects whose handles the loader or a layer may have wrapped.
const FOREIGN: [vk::ObjectType; 6] = [
    vk::ObjectType::UNKNOWN,
    vk::ObjectType::INSTANCE,
    vk::ObjectType::PHYSICAL_DEVICE,
    vk::ObjectType::SURFACE_KHR,
    vk::ObjectType::DEBUG_UTILS_MESSENGER_EXT,
    vk::ObjectType::DEBUG_REPORT_CALLBACK_EXT,
];

/// Names an object.
///
/// # Safety
/// `raw` is a live object of type `ty`, and the caller synchronizes its use.
unsafe fn name(device: &Device, ty: vk::ObjectType, raw: u64, name: &str) {
    let device = &device.device;
    if raw == 0 || FOREIGN.contains(&ty) {
        return;
    }
    // SAFETY: the caller promises that the object is live; types that are not of this driver were excluded above.
    unsafe { attached(raw) }.name = (!name.is_empty()).then(|| name.into());
    macro_rules! handles {
        ($($ty:ident => $object:ty, $handle:ident;)*) => {
            match ty {
                $(vk::ObjectType::$ty => device.set_name(get::<$object>(vk::$handle::from_raw(raw)), name),)*
                vk::ObjectType::SAMPLER => {
                    device.set_name(*get::<Sampler>(vk::Sampler::from_raw(raw)), name);
                }
                vk::ObjectType::DESCRIPTOR_SET => {
                    device.set_name(get::<Set>(vk::DescriptorSet::from_raw(raw)).set(), name);
                }
                vk::ObjectType::PIPELINE => match &get::<Pipeline>(vk::Pipeline::from_raw(raw)).kind {
                    Kind::Compute(pipeline) => device.set_name(pipeline, name),
                    Kind::Graphics(pipeline) => device.set_name(pipeline, name),
                    Kind::RayTracing(pipeline) => device.set_name(pipeline, name),
                    Kind::Library(_) => {}
                },
                vk::ObjectType::COMMAND_BUFFER => {
                    get_mut::<CommandBuffer>(vk::CommandBuffer::from_raw(raw)).list.set_name(name);
                }
                _ => {}
            }
        };
    }
    // SAFETY: the caller promises that the handle is a live object of the type.
    unsafe {
        handles! {
            ACCELERATION_STRUCTURE_KHR => AccelerationStructure, AccelerationStructureKHR;
            BUFFER => Buffer, Buffer;
            BUFFER_VIEW => BufferView, BufferView;
            EVENT => Event, Event;
            FENCE => Fence, Fence;
            IMAGE => Image, Image;
            IMAGE_VIEW => ImageView, ImageView;
            QUERY_POOL => QueryPool, QueryPool;
            SEMAPHORE => Semaphore, Semaphore;
            SHADER_MODULE => ShaderModule, ShaderModule;
        }
    }
}

/// Converts an object type of VK_EXT_debug_report, for objects that have names here. Values up to command pools, and
/// those of Vulkan 1.1, are the same in both enumerations.
fn reported(ty: vk::DebugReportObjectTypeEXT) -> vk::ObjectType {
    use vk::DebugReportObjectTypeEXT as T;
    match ty {
        T::SWAPCHAIN_KHR => vk::ObjectType::SWAPCHAIN_KHR,
        T::DESCRIPTOR_UPDATE_TEMPLATE | T::SAMPLER_YCBCR_CONVERSION => vk::ObjectType::from_raw(ty.as_raw()),
        _ if ty.as_raw() <= T::COMMAND_POOL.as_raw() => vk::ObjectType::from_raw(ty.as_raw()),
        _ => vk::ObjectType::UNKNOWN,
    }
}

/// Records the beginning of a label.
///
/// # Safety
/// `label` is null or ends with a zero byte; the command buffer is live and recording is externally synchronized.
unsafe fn begin_label(buffer: vk::CommandBuffer, label: *const c_char) {
    // SAFETY: the caller promises the conditions of `list` and `text`.
    unsafe { list(buffer).begin_label(text(label)) };
}

commands! {
    fn set_debug_utils_object_name(
        device: vk::Device,
        info: *const vk::DebugUtilsObjectNameInfoEXT<'_>,
    ) -> vk::Result {
        let info = &*info;
        name(get::<Device>(device), info.object_type, info.object_handle, text(info.p_object_name));
        Ok(())
    }

    /// No effect: tags are for layers, which intercept the calls.
    fn set_debug_utils_object_tag(
        _d: vk::Device,
        _info: *const vk::DebugUtilsObjectTagInfoEXT<'_>,
    ) -> vk::Result {
        Ok(())
    }

    fn cmd_begin_debug_utils_label(
        buffer: vk::CommandBuffer,
        info: *const vk::DebugUtilsLabelEXT<'_>,
    ) {
        begin_label(buffer, (*info).p_label_name);
    }

    fn cmd_end_debug_utils_label(buffer: vk::CommandBuffer) {
        list(buffer).end_label();
    }

    fn cmd_insert_debug_utils_label(
        buffer: vk::CommandBuffer,
        info: *const vk::DebugUtilsLabelEXT<'_>,
    ) {
        list(buffer).insert_label(text((*info).p_label_name));
    }

    /// No effect: labels of queues are for layers, which intercept the calls.
    fn queue_begin_debug_utils_label(_q: vk::Queue, _info: *const vk::DebugUtilsLabelEXT<'_>) {}

    fn queue_end_debug_utils_label(_q: vk::Queue) {}

    fn queue_insert_debug_utils_label(_q: vk::Queue, _info: *const vk::DebugUtilsLabelEXT<'_>) {}

    fn create_debug_utils_messenger(
        _i: vk::Instance,
        info: *const vk::DebugUtilsMessengerCreateInfoEXT<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DebugUtilsMessengerEXT,
    ) -> vk::Result {
        *out = create(Messenger(messages::add(&*info)));
        Ok(())
    }

    fn destroy_debug_utils_messenger(
        _i: vk::Instance,
        messenger: vk::DebugUtilsMessengerEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        if let Some(Messenger(number)) = destroy::<Messenger>(messenger) {
            messages::remove(number);
        }
    }

    fn submit_debug_utils_message(
        _i: vk::Instance,
        severity: vk::DebugUtilsMessageSeverityFlagsEXT,
        types: vk::DebugUtilsMessageTypeFlagsEXT,
        data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    ) {
        if !LOADER.load(Ordering::Relaxed) && !data.is_null() {
            messages::tell(severity, types, data);
        }
    }

    fn debug_marker_set_object_tag(
        _d: vk::Device,
        _info: *const vk::DebugMarkerObjectTagInfoEXT<'_>,
    ) -> vk::Result {
        Ok(())
    }

    fn debug_marker_set_object_name(
        device: vk::Device,
        info: *const vk::DebugMarkerObjectNameInfoEXT<'_>,
    ) -> vk::Result {
        let info = &*info;
        name(get::<Device>(device), reported(info.object_type), info.object, text(info.p_object_name));
        Ok(())
    }

    fn cmd_debug_marker_begin(
        buffer: vk::CommandBuffer,
        info: *const vk::DebugMarkerMarkerInfoEXT<'_>,
    ) {
        begin_label(buffer, (*info).p_marker_name);
    }

    fn cmd_debug_marker_end(buffer: vk::CommandBuffer) {
        list(buffer).end_label();
    }

    fn cmd_debug_marker_insert(
        buffer: vk::CommandBuffer,
        info: *const vk::DebugMarkerMarkerInfoEXT<'_>,
    ) {
        list(buffer).insert_label(text((*info).p_marker_name));
    }
}
