//! Pipeline binaries: the structures and commands of VK_KHR_pipeline_binary.

use std::ffi::{CStr, c_void};
use std::mem::transmute;
use std::ptr::{null, null_mut};

use ash::vk;

use super::Gpu;

pub const CAPTURE: vk::PipelineCreateFlags2KHR = vk::PipelineCreateFlags2KHR::from_raw(1 << 31);
const NOT_ENOUGH_SPACE: vk::Result = vk::Result::from_raw(-1_000_483_000);

/// VkPipelineBinaryKeyKHR.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    pub ty: i32,
    pub next: *mut c_void,
    pub size: u32,
    pub key: [u8; 32],
}

pub const NO_KEY: Key = Key { ty: 1_000_483_003, next: null_mut(), size: 0, key: [0; 32] };

/// VkPipelineBinaryDataKHR.
#[repr(C)]
pub struct Data {
    pub size: usize,
    pub data: *const u8,
}

/// VkPipelineBinaryKeysAndDataKHR.
#[repr(C)]
pub struct KeysAndData {
    pub n: u32,
    pub keys: *const Key,
    pub data: *const Data,
}

/// VkPipelineBinaryCreateInfoKHR.
#[repr(C)]
pub struct CreateInfo {
    pub ty: i32,
    pub next: *const c_void,
    pub kept: *const KeysAndData,
    pub pipeline: vk::Pipeline,
    pub info: *const WithNext,
}

/// VkPipelineBinaryHandlesInfoKHR and VkPipelineBinaryInfoKHR.
#[repr(C)]
pub struct Handles {
    pub ty: i32,
    pub next: *const c_void,
    pub n: u32,
    pub binaries: *mut u64,
}

/// VkPipelineBinaryDataInfoKHR, VkReleaseCapturedPipelineDataInfoKHR and VkPipelineCreateInfoKHR: structures with at
/// most one member.
#[repr(C)]
pub struct WithNext {
    pub ty: i32,
    pub next: *const c_void,
    pub member: u64,
}

pub type Allocator = *const c_void;

type Function = unsafe extern "system" fn();
pub type Create =
    unsafe extern "system" fn(vk::Device, *const CreateInfo, Allocator, *mut Handles) -> vk::Result;
pub type Destroy = unsafe extern "system" fn(vk::Device, u64, Allocator);
pub type GetKey = unsafe extern "system" fn(vk::Device, *const WithNext, *mut Key) -> vk::Result;
pub type GetData =
    unsafe extern "system" fn(vk::Device, *const WithNext, *mut Key, *mut usize, *mut u8) -> vk::Result;
pub type Release = unsafe extern "system" fn(vk::Device, *const WithNext, Allocator) -> vk::Result;

/// Commands of the extension.
pub struct Binaries<'a> {
    pub gpu: &'a Gpu,
    pub create: Create,
    pub destroy: Destroy,
    pub key: GetKey,
    pub data: GetData,
    pub release: Release,
}

impl<'a> Binaries<'a> {
    pub fn new(gpu: &'a Gpu) -> Self {
        let find = |name: &CStr| {
            // SAFETY: valid usage of Vulkan: the device is live, and the name is a C string.
            let found = unsafe { gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr()) };
            found.unwrap_or_else(|| panic!("no {name:?}"))
        };
        // SAFETY: the commands have the transmuted types in the specification.
        unsafe {
            Binaries {
                gpu,
                create: transmute::<Function, Create>(find(c"vkCreatePipelineBinariesKHR")),
                destroy: transmute::<Function, Destroy>(find(c"vkDestroyPipelineBinaryKHR")),
                key: transmute::<Function, GetKey>(find(c"vkGetPipelineKeyKHR")),
                data: transmute::<Function, GetData>(find(c"vkGetPipelineBinaryDataKHR")),
                release: transmute::<Function, Release>(find(c"vkReleaseCapturedPipelineDataKHR")),
            }
        }
    }

    /// Creates at most `most` binaries; `None` only counts them.
    pub fn make(&self, info: &CreateInfo, most: Option<usize>) -> (vk::Result, u32, Vec<u64>) {
        let mut made = vec![7; most.unwrap_or(0)];
        let binaries = if most.is_some() { made.as_mut_ptr() } else { null_mut() };
        let mut out = Handles { ty: 1_000_483_009, next: null(), n: made.len() as u32, binaries };
        // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the call.
        let code = unsafe { (self.create)(self.gpu.device.handle(), info, null(), &mut out) };
        made.truncate(out.n as usize);
        (code, out.n, made)
    }

    pub fn of_pipeline(&self, pipeline: vk::Pipeline, most: Option<usize>) -> (vk::Result, u32, Vec<u64>) {
        let info = CreateInfo { ty: 1_000_483_001, next: null(), kept: null(), pipeline, info: null() };
        self.make(&info, most)
    }

    pub fn of_data(&self, keys: &[Key], data: &[Vec<u8>]) -> (vk::Result, Vec<u64>) {
        let data: Vec<_> = data.iter().map(|d| Data { size: d.len(), data: d.as_ptr() }).collect();
        let kept = KeysAndData { n: data.len() as u32, keys: keys.as_ptr(), data: data.as_ptr() };
        let pipeline = vk::Pipeline::null();
        let info = CreateInfo { ty: 1_000_483_001, next: null(), kept: &kept, pipeline, info: null() };
        let (code, _, made) = self.make(&info, Some(data.len()));
        (code, made)
    }

    pub fn data(&self, binary: u64) -> (Key, Vec<u8>) {
        let info = WithNext { ty: 1_000_483_006, next: null(), member: binary };
        let (mut key, mut size) = (NO_KEY, 0);
        let device = self.gpu.device.handle();
        // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the call.
        unsafe {
            assert_eq!((self.data)(device, &info, &mut key, &mut size, null_mut()), vk::Result::SUCCESS);
            let mut data = vec![0xaa; size];
            let (mut less, mut no_key) = (size - 1, NO_KEY);
            let short = (self.data)(device, &info, &mut no_key, &mut less, data.as_mut_ptr());
            assert_eq!((short, less), (NOT_ENOUGH_SPACE, size));
            assert!(data.iter().all(|byte| *byte == 0xaa), "nothing is written");
            let again = (self.data)(device, &info, &mut no_key, &mut less, data.as_mut_ptr());
            assert_eq!((again, less, no_key), (vk::Result::SUCCESS, size, key));
            (key, data)
        }
    }

    pub fn key_of(&self, info: *const c_void) -> Key {
        let info = WithNext { ty: 1_000_483_007, next: info, member: 0 };
        let info = if info.next.is_null() { null() } else { &raw const info };
        let mut key = NO_KEY;
        // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the call.
        let code = unsafe { (self.key)(self.gpu.device.handle(), info, &mut key) };
        assert_eq!(code, vk::Result::SUCCESS);
        assert!((1..=32).contains(&key.size));
        key
    }

    pub fn destroy(&self, binaries: &[u64]) {
        for &binary in binaries {
            // SAFETY: the binary is live and not used afterwards.
            unsafe { (self.destroy)(self.gpu.device.handle(), binary, null()) }
        }
    }
}
