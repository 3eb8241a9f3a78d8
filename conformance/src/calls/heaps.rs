//! Commands and structures of VK_EXT_descriptor_heap for clients of the driver; `ash` lacks them.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};
use std::mem::transmute;
use std::ptr::null;

use ash::vk;

/// Size of a descriptor in a heap, in bytes.
pub const DESCRIPTOR: u64 = 16;
/// Usage of buffers as heaps.
pub const HEAP_USAGE: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(1 << 28);
/// Pipeline creation flag for the use of heaps.
pub const HEAP_PIPELINE: vk::PipelineCreateFlags2KHR = vk::PipelineCreateFlags2KHR::from_raw(1 << 36);
/// Device extensions that heaps require.
pub const EXTENSIONS: [&CStr; 3] =
    [c"VK_KHR_maintenance5", c"VK_KHR_shader_untyped_pointers", c"VK_EXT_descriptor_heap"];

/// VkPhysicalDeviceDescriptorHeapFeaturesEXT.
#[repr(C)]
pub struct Features {
    ty: i32,
    /// Next structure of the chain.
    pub next: *mut c_void,
    features: [u32; 2],
}

impl Features {
    /// Enables heaps.
    pub fn new() -> Features {
        Features { ty: 1_000_135_009, next: std::ptr::null_mut(), features: [1, 0] }
    }
}

impl Default for Features {
    fn default() -> Features {
        Features::new()
    }
}

/// VkDeviceAddressRangeKHR.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Address of the first byte.
    pub address: u64,
    /// Size in bytes.
    pub size: u64,
}

/// VkTexelBufferDescriptorInfoEXT.
#[repr(C)]
struct Texels {
    ty: i32,
    next: *const c_void,
    format: vk::Format,
    range: Range,
}

/// VkImageDescriptorInfoEXT.
#[repr(C)]
struct Image {
    ty: i32,
    next: *const c_void,
    view: *const c_void,
    layout: vk::ImageLayout,
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
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
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
    /// Maps one binding of set 0, of any kind, to the mapping source `source` with these words of source data.
    pub fn new(binding: u32, source: u32, words: &[u32]) -> Mapping {
        let word = |i: usize| u64::from(words.get(i).copied().unwrap_or(0));
        let data = std::array::from_fn(|i| word(2 * i) | word(2 * i + 1) << 32);
        let (ty, next) = (1_000_135_005, null());
        Mapping { ty, next, set: 0, first: binding, count: 1, mask: 0x7fff_ffff, source, data }
    }
}

/// VkShaderDescriptorSetAndBindingMappingInfoEXT.
#[repr(C)]
pub struct Mappings {
    ty: i32,
    next: *const c_void,
    n: u32,
    all: *const Mapping,
}

impl Mappings {
    /// Creates the structure for the `pNext` chain of a shader stage. The mappings must outlive it.
    pub fn new(all: &[Mapping]) -> Mappings {
        Mappings { ty: 1_000_135_006, next: null(), n: all.len() as u32, all: all.as_ptr() }
    }
}

/// Resource that a descriptor in the resource heap refers to.
#[derive(Clone, Copy, Debug)]
pub enum Resource {
    /// A null descriptor.
    Null,
    /// A range of a buffer.
    Buffer(Range),
    /// A range of a buffer as texels.
    Texels(Range, vk::Format),
    /// An image in the general layout.
    Image {
        /// The image.
        image: vk::Image,
        /// A view of the whole image, for descriptor buffers.
        view: vk::ImageView,
        /// Format of the view.
        format: vk::Format,
    },
}

/// Kind of descriptor heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heap {
    /// The heap of buffers and images.
    Resources,
    /// The heap of samplers.
    Samplers,
}

/// A Vulkan command of unspecified type.
type Function = unsafe extern "system" fn();
type WriteResources =
    unsafe extern "system" fn(vk::Device, u32, *const ResourceInfo, *const HostRange) -> vk::Result;
type WriteSamplers = unsafe extern "system" fn(
    vk::Device,
    u32,
    *const vk::SamplerCreateInfo<'_>,
    *const HostRange,
) -> vk::Result;
type Bind = unsafe extern "system" fn(vk::CommandBuffer, *const BindInfo);
type Push = unsafe extern "system" fn(vk::CommandBuffer, *const PushInfo);

/// Commands of VK_EXT_descriptor_heap for one device.
pub struct Heaps {
    device: vk::Device,
    write_resources: WriteResources,
    write_samplers: WriteSamplers,
    bind_resources: Bind,
    bind_samplers: Bind,
    push: Push,
}

/// Subresource range of an image with one level and one layer.
pub const WHOLE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

impl Heaps {
    /// Looks up the commands of a device.
    ///
    /// # Errors
    /// Name of a missing command.
    pub fn new(instance: &ash::Instance, device: vk::Device) -> Result<Heaps, String> {
        // SAFETY: the instance and the device are live, and each command has the type that its name has in Vulkan.
        unsafe {
            let find = |name: &CStr| {
                instance.get_device_proc_addr(device, name.as_ptr()).ok_or(format!("no {name:?}"))
            };
            Ok(Heaps {
                device,
                write_resources: transmute::<Function, WriteResources>(find(
                    c"vkWriteResourceDescriptorsEXT",
                )?),
                write_samplers: transmute::<Function, WriteSamplers>(find(c"vkWriteSamplerDescriptorsEXT")?),
                bind_resources: transmute::<Function, Bind>(find(c"vkCmdBindResourceHeapEXT")?),
                bind_samplers: transmute::<Function, Bind>(find(c"vkCmdBindSamplerHeapEXT")?),
                push: transmute::<Function, Push>(find(c"vkCmdPushDataEXT")?),
            })
        }
    }

    /// Returns the bytes of a descriptor.
    ///
    /// # Safety
    /// The resource must be live and belong to the device.
    pub unsafe fn descriptor(
        &self,
        kind: vk::DescriptorType,
        resource: Resource,
    ) -> Result<[u8; DESCRIPTOR as usize], vk::Result> {
        let (mut view, texels, image);
        let data: *const c_void = match &resource {
            Resource::Null => null(),
            Resource::Buffer(range) => (&raw const *range).cast(),
            Resource::Texels(range, format) => {
                texels = Texels { ty: 1_000_135_000, next: null(), format: *format, range: *range };
                (&raw const texels).cast()
            }
            Resource::Image { image: of, format, .. } => {
                view = vk::ImageViewCreateInfo::default().image(*of).format(*format);
                view = view.view_type(vk::ImageViewType::TYPE_2D).subresource_range(WHOLE);
                let layout = vk::ImageLayout::GENERAL;
                image = Image { ty: 1_000_135_001, next: null(), view: (&raw const view).cast(), layout };
                (&raw const image).cast()
            }
        };
        let mut bytes = [0; DESCRIPTOR as usize];
        let info = ResourceInfo { ty: 1_000_135_002, next: null(), kind, data };
        let to = HostRange { address: bytes.as_mut_ptr().cast(), size: bytes.len() };
        // SAFETY: the caller promises a live resource; `bytes` has the size of a descriptor, and the structures outlive
        // the call.
        unsafe { (self.write_resources)(self.device, 1, &info, &to) }.result_with_success(bytes)
    }

    /// Returns the bytes of a sampler.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn sampler(&self, info: &vk::SamplerCreateInfo<'_>) -> Result<[u8; DESCRIPTOR as usize], vk::Result> {
        let mut bytes = [0; DESCRIPTOR as usize];
        let to = HostRange { address: bytes.as_mut_ptr().cast(), size: bytes.len() };
        // SAFETY: `info` is a valid structure, and `bytes` has the size of a descriptor.
        unsafe { (self.write_samplers)(self.device, 1, info, &to) }.result_with_success(bytes)
    }

    /// Binds a heap.
    ///
    /// # Safety
    /// The command buffer must be recording, and the range must satisfy the valid usage of the bind commands.
    pub unsafe fn bind(&self, commands: vk::CommandBuffer, heap: Heap, range: Range) {
        let info = BindInfo { ty: 1_000_135_003, next: null(), range, reserved: [0; 2] };
        let bind = if heap == Heap::Resources { self.bind_resources } else { self.bind_samplers };
        // SAFETY: the caller promises a recording command buffer and a valid range; `info` outlives the call.
        unsafe { bind(commands, &info) };
    }

    /// Writes push data from byte 0 on.
    ///
    /// # Safety
    /// The command buffer must be recording, and the words must fit the device's push data.
    pub unsafe fn push(&self, commands: vk::CommandBuffer, words: &[u32]) {
        let data = HostRange { address: words.as_ptr().cast_mut().cast(), size: size_of_val(words) };
        let info = PushInfo { ty: 1_000_135_004, next: null(), offset: 0, data };
        // SAFETY: the caller promises a recording command buffer and a fitting size; `words` outlives the call.
        unsafe { (self.push)(commands, &info) };
    }
}
