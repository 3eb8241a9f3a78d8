//! Structures and commands of VK_EXT_device_generated_commands, which the bindings lack, and wrappers to call them.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};
use std::mem::transmute;
use std::ptr::null;

use ash::vk;

use crate::common::{Gpu, Mapped};

pub const EXECUTION_SET: i32 = 0;
pub const PUSH_CONSTANT: i32 = 1;
pub const SEQUENCE_INDEX: i32 = 2;
pub const INDEX_BUFFER: i32 = 3;
pub const VERTEX_BUFFER: i32 = 4;
pub const DRAW_INDEXED: i32 = 5;
pub const DRAW: i32 = 6;
pub const DRAW_COUNT: i32 = 8;
pub const DISPATCH: i32 = 9;
pub const DRAW_MESH_TASKS: i32 = 1_000_328_000;
#[allow(dead_code, reason = "each test uses a part")]
pub const TRACE_RAYS2: i32 = 1_000_386_004;

/// VkIndirectCommandsLayoutTokenEXT.
#[repr(C)]
pub struct TokenInfo {
    pub ty: i32,
    pub next: *const c_void,
    pub token: i32,
    pub data: *const c_void,
    pub offset: u32,
}

/// VkIndirectCommandsLayoutCreateInfoEXT.
#[repr(C)]
pub struct LayoutInfo {
    pub ty: i32,
    pub next: *const c_void,
    pub flags: u32,
    pub stages: vk::ShaderStageFlags,
    pub stride: u32,
    pub layout: vk::PipelineLayout,
    pub n: u32,
    pub tokens: *const TokenInfo,
}

/// VkIndirectExecutionSetCreateInfoEXT.
#[repr(C)]
pub struct SetInfo {
    pub ty: i32,
    pub next: *const c_void,
    pub kind: i32,
    pub info: *const c_void,
}

/// VkIndirectExecutionSetShaderInfoEXT.
#[repr(C)]
pub struct ShadersInfo {
    pub ty: i32,
    pub next: *const c_void,
    pub n: u32,
    pub first: *const vk::ShaderEXT,
    pub layouts: *const c_void,
    pub most: u32,
    pub n_ranges: u32,
    pub ranges: *const vk::PushConstantRange,
}

/// VkWriteIndirectExecutionSetShaderEXT.
#[repr(C)]
pub struct WriteShader {
    pub ty: i32,
    pub next: *const c_void,
    pub index: u32,
    pub shader: vk::ShaderEXT,
}

/// VkIndirectExecutionSetPipelineInfoEXT.
#[repr(C)]
pub struct PipelinesInfo {
    pub ty: i32,
    pub next: *const c_void,
    pub first: vk::Pipeline,
    pub most: u32,
}

/// VkWriteIndirectExecutionSetPipelineEXT.
#[repr(C)]
pub struct Write {
    pub ty: i32,
    pub next: *const c_void,
    pub index: u32,
    pub pipeline: vk::Pipeline,
}

/// VkGeneratedCommandsInfoEXT.
#[repr(C)]
pub struct Info {
    pub ty: i32,
    pub next: *const c_void,
    pub stages: vk::ShaderStageFlags,
    pub set: u64,
    pub layout: u64,
    pub address: u64,
    pub size: u64,
    pub preprocess: [u64; 2],
    pub most: u32,
    pub count: u64,
    pub most_draws: u32,
}

/// VkGeneratedCommandsMemoryRequirementsInfoEXT.
#[repr(C)]
pub struct MemoryInfo {
    pub ty: i32,
    pub next: *const c_void,
    pub set: u64,
    pub layout: u64,
    pub most: u32,
    pub most_draws: u32,
}

pub type Allocator = *const c_void;

pub fn find(gpu: &Gpu, name: &CStr) -> unsafe extern "system" fn() {
    // SAFETY: valid usage of Vulkan: the device is live, and the name is a C string.
    let found = unsafe { gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr()) };
    found.unwrap_or_else(|| panic!("no {name:?}"))
}

/// Data of a token in its layout.
#[derive(Clone, Copy)]
pub enum With {
    Nothing,
    /// Execution set of shader objects instead of pipelines.
    Shaders,
    /// A number.
    Number(u32),
    /// First byte and size.
    Range(u32, u32),
}

/// Creates a layout of sequences.
pub fn layout(
    gpu: &Gpu,
    stages: vk::ShaderStageFlags,
    stride: u32,
    tokens: &[(i32, With, u32)],
) -> (vk::Result, u64) {
    let data: Vec<[u32; 3]> = tokens
        .iter()
        .map(|(_, with, _)| match *with {
            With::Nothing => [0, stages.as_raw(), 0],
            With::Shaders => [1, stages.as_raw(), 0],
            With::Number(number) => [number, 0, 0],
            With::Range(first, size) => [stages.as_raw(), first, size],
        })
        .collect();
    let tokens: Vec<_> = tokens
        .iter()
        .zip(&data)
        .map(|(&(token, _, offset), data)| TokenInfo {
            ty: 1_000_572_007,
            next: null(),
            token,
            data: data.as_ptr().cast(),
            offset,
        })
        .collect();
    let (n, tokens) = (tokens.len() as u32, tokens.as_ptr());
    let layout = vk::PipelineLayout::null();
    let info = LayoutInfo { ty: 1_000_572_006, next: null(), flags: 0, stages, stride, layout, n, tokens };
    let mut out = 0;
    type Create = unsafe extern "system" fn(vk::Device, *const LayoutInfo, Allocator, *mut u64) -> vk::Result;
    // SAFETY: the commands have the transmuted types, all handles are live, and the structures outlive the calls.
    let code = unsafe {
        let create: Create = transmute(find(gpu, c"vkCreateIndirectCommandsLayoutEXT"));
        create(gpu.device.handle(), &info, null(), &mut out)
    };
    (code, out)
}

/// Creates an execution set of pipelines, some of which are missing.
pub fn set(gpu: &Gpu, pipelines: &[Option<vk::Pipeline>]) -> u64 {
    let first = pipelines[0].unwrap();
    let info = PipelinesInfo { ty: 1_000_572_010, next: null(), first, most: pipelines.len() as u32 };
    let info = SetInfo { ty: 1_000_572_003, next: null(), kind: 0, info: (&raw const info).cast() };
    let writes: Vec<_> = (0..)
        .zip(pipelines)
        .filter_map(|(index, pipeline)| {
            pipeline.map(|pipeline| Write { ty: 1_000_572_008, next: null(), index, pipeline })
        })
        .collect();
    type Create = unsafe extern "system" fn(vk::Device, *const SetInfo, Allocator, *mut u64) -> vk::Result;
    type Update = unsafe extern "system" fn(vk::Device, u64, u32, *const Write);
    let mut out = 0;
    // SAFETY: the commands have the transmuted types, all handles are live, and the structures outlive the calls.
    unsafe {
        let create: Create = transmute(find(gpu, c"vkCreateIndirectExecutionSetEXT"));
        let update: Update = transmute(find(gpu, c"vkUpdateIndirectExecutionSetPipelineEXT"));
        assert_eq!(create(gpu.device.handle(), &info, null(), &mut out), vk::Result::SUCCESS);
        update(gpu.device.handle(), out, writes.len() as u32, writes.as_ptr());
    }
    out
}

pub fn destroy(gpu: &Gpu, command: &CStr, object: u64) {
    type Destroy = unsafe extern "system" fn(vk::Device, u64, Allocator);
    // SAFETY: the commands have the transmuted types, all handles are live, and the structures outlive the calls.
    unsafe {
        let destroy: Destroy = transmute(find(gpu, command));
        destroy(gpu.device.handle(), object, null());
    }
}

/// Creates a buffer for sequences, parameters or results, and returns its address.
pub fn buffer<T: Copy>(gpu: &Gpu, data: &[T]) -> (Mapped, u64) {
    use vk::BufferUsageFlags as Usage;
    let usage =
        Usage::INDIRECT_BUFFER | Usage::VERTEX_BUFFER | Usage::INDEX_BUFFER | Usage::SHADER_DEVICE_ADDRESS;
    let buffer = gpu.buffer(size_of_val(data).max(4) as u64, usage);
    buffer.write(data);
    let commands = ash::khr::buffer_device_address::Device::new(&gpu.instance, &gpu.device);
    let info = vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let address = unsafe { commands.get_buffer_device_address(&info) };
    (buffer, address)
}

/// Sequences to execute: a layout, and at most `most` sequences at an address.
#[derive(Clone, Copy)]
pub struct Sequences {
    pub set: u64,
    pub layout: u64,
    pub address: u64,
    pub most: u32,
    /// Address of the sequence count, or 0.
    pub count: u64,
    pub most_draws: u32,
}

pub fn execute(gpu: &Gpu, cmd: vk::CommandBuffer, of: Sequences) {
    let info = Info {
        ty: 1_000_572_004,
        next: null(),
        stages: vk::ShaderStageFlags::empty(),
        set: of.set,
        layout: of.layout,
        address: of.address,
        size: 0,
        preprocess: [0; 2],
        most: of.most,
        count: of.count,
        most_draws: of.most_draws,
    };
    type Execute = unsafe extern "system" fn(vk::CommandBuffer, vk::Bool32, *const Info);
    type Preprocess = unsafe extern "system" fn(vk::CommandBuffer, *const Info, vk::CommandBuffer);
    // SAFETY: the commands have the transmuted types, all handles are live, and the structures outlive the calls.
    unsafe {
        let preprocess: Preprocess = transmute(find(gpu, c"vkCmdPreprocessGeneratedCommandsEXT"));
        let execute: Execute = transmute(find(gpu, c"vkCmdExecuteGeneratedCommandsEXT"));
        preprocess(cmd, &info, cmd);
        execute(cmd, vk::FALSE, &info);
    }
}
