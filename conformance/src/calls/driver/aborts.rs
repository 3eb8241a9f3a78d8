//! Aborts of shaders, on devices of their own, which are lost: the message is that of an invocation that aborts.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use ash::prelude::VkResult;
use ash::vk;

use super::World;
use crate::client::{Host, Opened};
use crate::cost::PATIENCE;
use crate::tools::assemble;

/// Number of invocations of a workgroup.
const SIZE: u32 = 64;
const EXTENSIONS: [&CStr; 3] =
    [c"VK_KHR_device_fault", c"VK_KHR_shader_constant_data", c"VK_KHR_shader_abort"];

/// Structure of features whose first member is enabled.
#[repr(C)]
struct Feature {
    ty: vk::StructureType,
    next: *const c_void,
    on: [vk::Bool32; 4],
}

/// VkDeviceFaultDebugInfoKHR and VkDeviceFaultShaderAbortMessageInfoKHR, which differ in the type of the size.
#[repr(C)]
struct Data<Size> {
    ty: vk::StructureType,
    next: *mut c_void,
    size: Size,
    data: *mut u8,
}

type Debug = unsafe extern "system" fn(vk::Device, *mut Data<u32>) -> vk::Result;

/// A dispatch of which the invocations abort whose number, without the bits outside of the mask, is the value.
struct Plan {
    groups: u32,
    mask: u32,
    value: u32,
    seed: u32,
}

impl Plan {
    fn aborts(&self, id: u32) -> bool {
        id & self.mask == self.value
    }

    /// The message of an invocation: the number, the seed, and the complement of the number in 64 bits.
    fn message(&self, id: u32) -> Vec<u8> {
        let words = [id, self.seed].map(u32::to_le_bytes).concat();
        [&words[..], &u64::from(!id).to_le_bytes()].concat()
    }
}

impl World<'_> {
    /// Runs a dispatch of which some invocations may abort, and compares the message.
    pub(super) fn abort_some(&mut self) {
        let groups = 1 + self.r.below(4) as u32;
        let mask = [0x3f, 0xff, 7, 0x1ff, 0][self.r.below(5)];
        let value = self.r.bits() as u32 & mask;
        let plan = Plan { groups, mask, value, seed: self.r.bits() as u32 };
        let made = open(self.shared.client.entry.clone());
        let Some(opened) = self.judge("vkCreateDevice", made) else { return };
        let found = run(&opened, &plan);
        let some = (0..groups * SIZE).any(|id| plan.aborts(id));
        match found {
            Err(e) => drop(self.judge::<()>("dispatches that may abort", Err(e))),
            Ok(messages) => {
                let right = match &messages {
                    None => !some,
                    Some(bytes) => some && are_of(bytes, &plan),
                };
                self.tally.count(if some { "OpAbortKHR" } else { "OpAbortKHR, not reached" }, right, 1);
                if !right {
                    self.fail(format!("aborts: {messages:x?}, mask {mask:#x}, value {value:#x}"));
                }
            }
        }
    }
}

/// Creates a device for aborts.
fn open(entry: ash::Entry) -> VkResult<Opened> {
    let host = Host::new(entry, vk::API_VERSION_1_1, &[])?;
    let feature = |ty, next, on| Feature { ty: vk::StructureType::from_raw(ty), next, on: [1, 0, on, 0] };
    let constants = feature(1_000_231_000, std::ptr::null(), 0);
    let aborts = feature(1_000_233_000, (&raw const constants).cast(), 0);
    // The first and the third feature: reports, and the loss of the device.
    let faults = feature(1_000_573_000, (&raw const aborts).cast(), 1);
    let core = vk::PhysicalDeviceFeatures::default().shader_int64(true);
    let mut info = vk::DeviceCreateInfo::default().enabled_features(&core);
    info.p_next = (&raw const faults).cast();
    // SAFETY: the structures live until the call returns, and `run` returns when its work is done or lost.
    unsafe { Opened::new(host, &EXTENSIONS, info) }
}

/// Runs the dispatch; returns the messages if it lost the device.
fn run(opened: &Opened, plan: &Plan) -> VkResult<Option<Vec<u8>>> {
    let d = &opened.device;
    let words = assemble(include_str!("aborts.comp.spvasm"), false).expect("the shader assembles");
    let stage = vk::ShaderStageFlags::COMPUTE;
    let push = [vk::PushConstantRange::default().stage_flags(stage).size(12)];
    let constants: Vec<u8> =
        [plan.mask, plan.value, plan.seed].iter().flat_map(|w| w.to_le_bytes()).collect();
    // SAFETY: the device is live, all parameters are valid, and the objects are destroyed when the work is done or lost.
    unsafe {
        let module = d.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&words), None)?;
        let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
        let layout = d.create_pipeline_layout(&info, None)?;
        let of_stage = vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(of_stage).layout(layout)];
        let made = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
        let pipeline = made.map_err(|(_, code)| code)?[0];
        let pool = d.create_command_pool(&vk::CommandPoolCreateInfo::default(), None)?;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        let commands = d.allocate_command_buffers(&info)?;
        let c = commands[0];
        d.begin_command_buffer(c, &vk::CommandBufferBeginInfo::default())?;
        d.cmd_bind_pipeline(c, vk::PipelineBindPoint::COMPUTE, pipeline);
        d.cmd_push_constants(c, layout, stage, 0, &constants);
        d.cmd_dispatch(c, plan.groups, 1, 1);
        d.end_command_buffer(c)?;
        let fence = d.create_fence(&vk::FenceCreateInfo::default(), None)?;
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        let done = d.queue_submit(opened.queue, &submit, fence).and_then(|()| {
            let over =
                PATIENCE.wait(|time| match d.wait_for_fences(&[fence], true, time.as_nanos() as u64) {
                    Err(vk::Result::TIMEOUT) => Ok(false),
                    other => other.map(|()| true),
                });
            over.and_then(|over| if over { Ok(()) } else { Err(vk::Result::TIMEOUT) })
        });
        let found = match done {
            Ok(()) => Ok(None),
            // A device without a message was lost for another reason.
            Err(vk::Result::ERROR_DEVICE_LOST) => match messages(opened)? {
                none if none.is_empty() => Err(vk::Result::ERROR_DEVICE_LOST),
                some => Ok(Some(some)),
            },
            Err(e) => Err(e),
        };
        d.destroy_fence(fence, None);
        d.destroy_command_pool(pool, None);
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_shader_module(module, None);
        found
    }
}

/// The messages of a lost device.
fn messages(opened: &Opened) -> VkResult<Vec<u8>> {
    let device = opened.device.handle();
    // SAFETY: the device has the extension, whose command has this type.
    let get = unsafe {
        let found = opened.instance.get_device_proc_addr(device, c"vkGetDeviceFaultDebugInfoKHR".as_ptr());
        let found = found.ok_or(vk::Result::ERROR_EXTENSION_NOT_PRESENT)?;
        std::mem::transmute::<unsafe extern "system" fn(), Debug>(found)
    };
    let mut bytes = Vec::new();
    let ask = |bytes: &mut Vec<u8>| {
        let data = if bytes.is_empty() { std::ptr::null_mut() } else { bytes.as_mut_ptr() };
        let ty = vk::StructureType::from_raw;
        let (next, size) = (std::ptr::null_mut(), bytes.len() as u64);
        let mut info = Data { ty: ty(1_000_233_001), next, size, data };
        let next = (&raw mut info).cast();
        let mut out = Data { ty: ty(1_000_573_003), next, size: 0_u32, data: std::ptr::null_mut() };
        // SAFETY: the device is live, and the data has as many bytes as the size says.
        let code = unsafe { get(device, &mut out) };
        code.result().map(|()| info.size as usize)
    };
    let size = ask(&mut bytes)?;
    bytes.resize(size, 0);
    if size > 0 {
        ask(&mut bytes)?;
    }
    Ok(bytes)
}

/// `true` if the bytes are messages, each with its size, of invocations that abort; at least one.
fn are_of(mut bytes: &[u8], plan: &Plan) -> bool {
    let ids: Vec<u32> = (0..plan.groups * SIZE).filter(|&id| plan.aborts(id)).collect();
    let mut count = 0;
    while let Some((size, rest)) = bytes.split_first_chunk() {
        let size = u64::from_le_bytes(*size) as usize;
        let Some(message) = rest.get(..size) else { return false };
        if !ids.iter().any(|&id| plan.message(id) == message) {
            return false;
        }
        bytes = &rest[size.next_multiple_of(8).min(rest.len())..];
        count += 1;
    }
    count > 0 && bytes.is_empty()
}
