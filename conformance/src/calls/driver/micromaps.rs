//! Micromaps of random scenes, by VK_KHR_opacity_micromap: their random contents, and the structures that describe them.
//!
//! `rays` owns their memory, and builds them together with the bottom levels that have them.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;

use crate::random::Random;

/// Extensions that micromaps need, besides those of acceleration structures.
pub(super) const EXTENSIONS: [&CStr; 4] = [
    c"VK_KHR_synchronization2",
    c"VK_EXT_extended_dynamic_state",
    c"VK_KHR_device_address_commands",
    c"VK_KHR_opacity_micromap",
];

/// VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR.
pub(super) const MICROMAP: vk::AccelerationStructureTypeKHR =
    vk::AccelerationStructureTypeKHR::from_raw(1_000_623_000);

/// VkPhysicalDeviceOpacityMicromapFeaturesKHR.
#[repr(C)]
pub(super) struct Features {
    ty: i32,
    next: *const c_void,
    micromap: vk::Bool32,
}

/// VkAccelerationStructureGeometryMicromapDataKHR.
#[repr(C)]
pub(super) struct Data {
    ty: i32,
    next: *const c_void,
    n_usages: u32,
    usages: *const [u32; 3],
    pointers: *const *const [u32; 3],
    data: u64,
    triangles: u64,
    stride: u64,
}

/// VkAccelerationStructureTrianglesOpacityMicromapKHR.
#[repr(C)]
pub(super) struct Opacity {
    ty: i32,
    next: *const c_void,
    index_type: vk::IndexType,
    indices: u64,
    stride: u64,
    base: u32,
    micromap: vk::AccelerationStructureKHR,
}

/// VkAccelerationStructureCreateInfo2KHR.
#[repr(C)]
struct CreateInfo {
    ty: i32,
    next: *const c_void,
    flags: vk::AccelerationStructureCreateFlagsKHR,
    range: [u64; 2],
    address_flags: u32,
    kind: vk::AccelerationStructureTypeKHR,
}

type Create = unsafe extern "system" fn(
    vk::Device,
    *const CreateInfo,
    *const c_void,
    *mut vk::AccelerationStructureKHR,
) -> vk::Result;

/// Random contents: bytes of states, of records of triangles, and of indices of the triangles of a scene.
pub(super) struct Contents {
    pub bytes: [Vec<u8>; 3],
    /// Number of triangles, level of subdivision and format, for each triangle.
    usages: Vec<[u32; 3]>,
}

/// A micromap, with the addresses of its contents.
pub(super) struct Micromap {
    /// The structure; null before it is created.
    pub handle: vk::AccelerationStructureKHR,
    usages: Vec<[u32; 3]>,
    addresses: [u64; 3],
}

/// The features that micromaps need.
pub(super) fn features() -> Features {
    Features { ty: MICROMAP.as_raw(), next: ptr::null(), micromap: vk::TRUE }
}

/// Makes up a micromap for so many triangles. A third of the indices are special.
pub(super) fn random(r: &mut Random, count: u32) -> Contents {
    let (mut states, mut records, mut usages) = (Vec::new(), Vec::new(), Vec::new());
    let n = 1 + r.below(4);
    for _ in 0..n {
        let (level, format) = (r.below(4) as u32, 1 + r.below(2) as u32);
        records.extend((states.len() as u32).to_le_bytes());
        records.extend((level | format << 16).to_le_bytes());
        let bits = format << (2 * level);
        states.extend((0..bits.div_ceil(8)).map(|_| r.bits() as u8));
        usages.push([1, level, format]);
    }
    let index = |_| match r.one_in(3) {
        true => -1 - r.below(4) as i32,
        false => r.below(n) as i32,
    };
    let indices = (0..count).map(index).flat_map(i32::to_le_bytes).collect();
    Contents { bytes: [states, records, indices], usages }
}

impl Micromap {
    /// A micromap whose contents have these addresses.
    pub(super) fn new(contents: Contents, addresses: [u64; 3]) -> Micromap {
        Micromap { handle: vk::AccelerationStructureKHR::null(), usages: contents.usages, addresses }
    }

    /// Data of its build.
    pub(super) fn data(&self) -> Data {
        Data {
            ty: MICROMAP.as_raw() + 2,
            next: ptr::null(),
            n_usages: self.usages.len() as u32,
            usages: self.usages.as_ptr(),
            pointers: ptr::null(),
            data: self.addresses[0],
            triangles: self.addresses[1],
            stride: 8,
        }
    }

    /// The geometry of its build.
    pub(super) fn geometry(data: &Data) -> vk::AccelerationStructureGeometryKHR<'_> {
        let ty = vk::GeometryTypeKHR::from_raw(MICROMAP.as_raw());
        let mut geometry = vk::AccelerationStructureGeometryKHR::default().geometry_type(ty);
        geometry.p_next = ptr::from_ref(data).cast();
        geometry
    }

    /// The opacities of triangles.
    pub(super) fn opacity(&self) -> Opacity {
        Opacity {
            ty: MICROMAP.as_raw() + 3,
            next: ptr::null(),
            index_type: vk::IndexType::UINT32,
            indices: self.addresses[2],
            stride: 4,
            base: 0,
            micromap: self.handle,
        }
    }

    /// Creates the structure at an address of a buffer.
    pub(super) fn create(
        instance: &ash::Instance,
        device: vk::Device,
        range: [u64; 2],
    ) -> Result<vk::AccelerationStructureKHR, vk::Result> {
        let ty = 1_000_318_015;
        let flags = vk::AccelerationStructureCreateFlagsKHR::empty();
        let info = CreateInfo { ty, next: ptr::null(), flags, range, address_flags: 0, kind: MICROMAP };
        let mut out = vk::AccelerationStructureKHR::null();
        // SAFETY: the command has the transmuted type; the range is that of a live buffer.
        unsafe {
            let name = c"vkCreateAccelerationStructure2KHR";
            let found = instance.get_device_proc_addr(device, name.as_ptr());
            let found = found.ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)?;
            let create = std::mem::transmute::<unsafe extern "system" fn(), Create>(found);
            create(device, &info, ptr::null(), &mut out).result()?;
        }
        Ok(out)
    }
}
