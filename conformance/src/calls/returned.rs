//! Binary data that applications give back to the driver: shader binaries, pipeline binaries, data of pipeline caches. The
//! driver must refuse damaged data, or do the same as with the genuine data.
//!
//! An input selects the kind of data and changes to its bytes, or replaces them. Forged data has a matching digest, and its
//! SPIR-V may do anything: its shaders are created, but not run. `driver` owns all other calls.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;
use std::mem::transmute;
use std::ops::Deref;
use std::ptr::{null, null_mut};

use ash::prelude::VkResult;
use ash::vk;
use quadrille_jit::spirv::asm;

use crate::client::{Host, Opened, text};

/// A shader that adds 5 to the first word of a buffer, and the push constant to the second.
const SHADER: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %pushed Block
OpMemberDecorate %pushed 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c5 = OpConstant %u32 5
%array = OpTypeRuntimeArray %u32
%block = OpTypeStruct %array
%pushed = OpTypeStruct %u32
%ptr_block = OpTypePointer StorageBuffer %block
%ptr_u32 = OpTypePointer StorageBuffer %u32
%ptr_pushed = OpTypePointer PushConstant %pushed
%ptr_push = OpTypePointer PushConstant %u32
%buffer = OpVariable %ptr_block StorageBuffer
%push = OpVariable %ptr_pushed PushConstant
%main = OpFunction %void None %fn
%label = OpLabel
%p0 = OpAccessChain %ptr_u32 %buffer %c0 %c0
%v0 = OpLoad %u32 %p0
%s0 = OpIAdd %u32 %v0 %c5
OpStore %p0 %s0
%pp = OpAccessChain %ptr_push %push %c0
%vp = OpLoad %u32 %pp
%p1 = OpAccessChain %ptr_u32 %buffer %c0 %c1
%v1 = OpLoad %u32 %p1
%s1 = OpIAdd %u32 %v1 %vp
OpStore %p1 %s1
OpReturn
OpFunctionEnd
";
/// Value of the push constant.
const PUSHED: u32 = 7;
const COMPUTE: vk::ShaderStageFlags = vk::ShaderStageFlags::COMPUTE;

/// VkPipelineBinaryKeyKHR.
#[repr(C)]
#[derive(Clone, Copy)]
struct Key {
    ty: i32,
    next: *mut c_void,
    size: u32,
    key: [u8; 32],
}

/// VkPipelineBinaryDataKHR.
#[repr(C)]
struct Data {
    size: usize,
    data: *const u8,
}

/// VkPipelineBinaryKeysAndDataKHR.
#[repr(C)]
struct KeysAndData {
    n: u32,
    keys: *const Key,
    data: *const Data,
}

/// VkPipelineBinaryCreateInfoKHR.
#[repr(C)]
struct BinaryInfo {
    ty: i32,
    next: *const c_void,
    kept: *const KeysAndData,
    pipeline: vk::Pipeline,
    info: *const c_void,
}

/// VkPipelineBinaryHandlesInfoKHR and VkPipelineBinaryInfoKHR.
#[repr(C)]
struct Handles {
    ty: i32,
    next: *const c_void,
    n: u32,
    binaries: *mut u64,
}

/// VkPipelineBinaryDataInfoKHR.
#[repr(C)]
struct DataInfo {
    ty: i32,
    next: *const c_void,
    binary: u64,
}

/// Bit of the first byte of an input: forged data. The two lowest bits of that byte select the data of a shader, a pipeline
/// or a cache.
pub const FORGED: u8 = 1 << 6;
/// Bit of the first byte of an input: the rest of the input replaces the genuine data, in forged data all but the header.
pub const OTHERS: u8 = 1 << 7;
/// Size of the header of a binary, in bytes.
const HEADER: usize = 64;

type Allocator = *const c_void;
type Create = unsafe extern "system" fn(vk::Device, *const BinaryInfo, Allocator, *mut Handles) -> vk::Result;
type Destroy = unsafe extern "system" fn(vk::Device, u64, Allocator);
type GetData =
    unsafe extern "system" fn(vk::Device, *const DataInfo, *mut Key, *mut usize, *mut u8) -> vk::Result;

/// A device, the resources of the shader, and the genuine data.
pub struct Returned {
    opened: Opened,
    objects: ash::ext::shader_object::Device,
    create: Create,
    destroy: Destroy,
    resources: Resources,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    module: vk::ShaderModule,
    /// Genuine data of a shader, a pipeline and a cache.
    genuine: [Vec<u8>; 3],
    key: Key,
}

impl Deref for Returned {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

// SAFETY: inputs are checked one after the other: `check` takes the value by `&mut`.
unsafe impl Send for Returned {}

fn push_ranges() -> [vk::PushConstantRange; 1] {
    [vk::PushConstantRange::default().stage_flags(COMPUTE).size(4)]
}

impl Returned {
    /// Creates a shader, a pipeline and a cache, and keeps their data.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn new(entry: ash::Entry) -> Result<Returned, String> {
        let opened = open(Host::new(entry, vk::API_VERSION_1_3, &[]).map_err(text)?).map_err(text)?;
        // SAFETY: the parameters are valid, and the structures live until the calls return.
        unsafe {
            let (instance, device) = (&opened.instance, &opened.device);
            let find = |name: &std::ffi::CStr| {
                instance.get_device_proc_addr(device.handle(), name.as_ptr()).ok_or(format!("no {name:?}"))
            };
            type Function = unsafe extern "system" fn();
            let create = transmute::<Function, Create>(find(c"vkCreatePipelineBinariesKHR")?);
            let destroy = transmute::<Function, Destroy>(find(c"vkDestroyPipelineBinaryKHR")?);
            let data = transmute::<Function, GetData>(find(c"vkGetPipelineBinaryDataKHR")?);
            let resources = resources(&opened)?;
            let pool =
                device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None).map_err(text)?;
            let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info).map_err(text)?[0];
            let code = asm::assemble(SHADER).map_err(|e| e.to_string())?;
            let info = vk::ShaderModuleCreateInfo::default().code(&code);
            let module = device.create_shader_module(&info, None).map_err(text)?;
            let key = Key { ty: 1_000_483_003, next: null_mut(), size: 0, key: [0; 32] };
            let mut made = Returned {
                objects: ash::ext::shader_object::Device::new(instance, device),
                opened,
                create,
                destroy,
                resources,
                pool,
                commands,
                module,
                genuine: [const { Vec::new() }; 3],
                key,
            };
            made.genuine[0] = made.shader_bytes(&code)?;
            (made.genuine[1], made.key) = made.pipeline_bytes(data)?;
            made.genuine[2] = made.cache_bytes()?;
            Ok(made)
        }
    }

    /// Returns the binary data of a shader.
    ///
    /// # Safety
    /// `code` must be valid SPIR-V with the interface of `self.resources`.
    unsafe fn shader_bytes(&self, code: &[u32]) -> Result<Vec<u8>, String> {
        let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_ne_bytes()).collect();
        // SAFETY: the shader was created above, and only this function uses and destroys it.
        unsafe {
            let shader = self.shader(&bytes, vk::ShaderCodeTypeEXT::SPIRV).map_err(text)?;
            let bytes = self.objects.get_shader_binary_data(shader).map_err(text)?;
            self.objects.destroy_shader(shader, None);
            Ok(bytes)
        }
    }

    /// Returns the binary data of a pipeline, and its key.
    ///
    /// # Safety
    /// `get` must be vkGetPipelineBinaryDataKHR of the device.
    unsafe fn pipeline_bytes(&self, get: GetData) -> Result<(Vec<u8>, Key), String> {
        // SAFETY: the device is live, the commands have these types, and the structures live until the calls return.
        unsafe {
            let mut capture = vk::PipelineCreateFlags2CreateInfoKHR::default()
                .flags(vk::PipelineCreateFlags2KHR::from_raw(1 << 31));
            let info = self.pipeline_info(self.module).push_next(&mut capture);
            let pipeline = self.pipeline(vk::PipelineCache::null(), info)?;
            let info = BinaryInfo { ty: 1_000_483_001, next: null(), kept: null(), pipeline, info: null() };
            let mut binary = 0;
            let mut handles = Handles { ty: 1_000_483_009, next: null(), n: 1, binaries: &mut binary };
            let device = self.device.handle();
            (self.create)(device, &info, null(), &mut handles).result().map_err(text)?;
            let info = DataInfo { ty: 1_000_483_006, next: null(), binary };
            let (mut key, mut size) = (self.key, 0);
            get(device, &info, &mut key, &mut size, null_mut()).result().map_err(text)?;
            let mut bytes = vec![0; size];
            get(device, &info, &mut key, &mut size, bytes.as_mut_ptr()).result().map_err(text)?;
            (self.destroy)(device, binary, null());
            self.device.destroy_pipeline(pipeline, None);
            Ok((bytes, key))
        }
    }

    /// Returns the data of a pipeline cache that contains the shader.
    ///
    /// # Safety
    /// The objects of `self` must be live.
    unsafe fn cache_bytes(&self) -> Result<Vec<u8>, String> {
        // SAFETY: the device is live, and only this function uses and destroys the pipeline and the cache.
        unsafe {
            let info = vk::PipelineCacheCreateInfo::default();
            let cache = self.device.create_pipeline_cache(&info, None).map_err(text)?;
            let pipeline = self.pipeline(cache, self.pipeline_info(self.module))?;
            let bytes = self.device.get_pipeline_cache_data(cache).map_err(text)?;
            self.device.destroy_pipeline(pipeline, None);
            self.device.destroy_pipeline_cache(cache, None);
            Ok(bytes)
        }
    }

    /// Creates a shader object.
    ///
    /// # Safety
    /// SPIR-V must be valid; binary code may have any contents, because the driver must check it.
    unsafe fn shader(&self, code: &[u8], ty: vk::ShaderCodeTypeEXT) -> Result<vk::ShaderEXT, vk::Result> {
        // Vulkan requires binary code at an address that is a multiple of 16.
        let mut room = vec![0; code.len() + 15];
        let from = room.as_ptr().align_offset(16);
        room[from..from + code.len()].copy_from_slice(code);
        let code = &room[from..from + code.len()];
        let (layouts, ranges) = ([self.resources.set_layout], push_ranges());
        let info = vk::ShaderCreateInfoEXT::default()
            .stage(COMPUTE)
            .name(c"main")
            .code_type(ty)
            .code(code)
            .set_layouts(&layouts)
            .push_constant_ranges(&ranges);
        // SAFETY: all parameters are valid except for the contents of the code, which the driver must check.
        let made = unsafe { self.objects.create_shaders(&[info], None) };
        made.map(|shaders| shaders[0]).map_err(|(_, code)| code)
    }

    fn pipeline_info(&self, module: vk::ShaderModule) -> vk::ComputePipelineCreateInfo<'static> {
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(COMPUTE).name(c"main").module(module);
        vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.resources.layout)
    }

    /// Creates a compute pipeline.
    ///
    /// # Safety
    /// `cache` must be live or null; the objects in `info` and its chain must be live.
    unsafe fn pipeline(
        &self,
        cache: vk::PipelineCache,
        info: vk::ComputePipelineCreateInfo<'_>,
    ) -> Result<vk::Pipeline, String> {
        // SAFETY: the caller passes a live cache or a null handle, and a valid `info` whose chain outlives the call.
        let made = unsafe { self.device.create_compute_pipelines(cache, &[info], None) };
        made.map(|pipelines| pipelines[0]).map_err(|(_, code)| text(code))
    }

    /// Returns the size of the genuine data of a kind, in bytes.
    pub fn len_of(&self, kind: u8) -> usize {
        self.genuine[usize::from(kind & 3) % 3].len()
    }

    /// Gives changed data to the driver and runs the shader in it. Returns `true` if the driver accepted the data; it
    /// accepts any data of caches.
    ///
    /// # Errors
    /// A wrong result code, or a wrong result of the shader.
    pub fn check(&mut self, input: &[u8]) -> Result<bool, String> {
        let (&first, changes) = input.split_first().unwrap_or((&0, &[]));
        let is_forged = first & FORGED != 0;
        let genuine = &self.genuine[usize::from(first & 3) % 3];
        let mut bytes = changed(genuine, first & OTHERS != 0, is_forged, changes);
        if is_forged {
            vk_quadrille::forge_binary(&mut bytes);
        }
        // Forged data that was not changed is genuine.
        let runs = !is_forged || bytes == *genuine;
        // SAFETY: all parameters are valid except for the contents of the data, which the driver must check; each
        // object is destroyed once.
        unsafe {
            match first & 3 {
                1 => self.pipeline_binary(&bytes, runs),
                2 => {
                    let info = vk::PipelineCacheCreateInfo::default().initial_data(&bytes);
                    let cache = self.device.create_pipeline_cache(&info, None).map_err(text)?;
                    let pipeline = self.pipeline(cache, self.pipeline_info(self.module))?;
                    let done = self.run_pipeline(pipeline, true);
                    self.device.destroy_pipeline_cache(cache, None);
                    done.map(|()| true)
                }
                _ => match self.shader(&bytes, vk::ShaderCodeTypeEXT::BINARY) {
                    Ok(shader) => {
                        let bind = |_: &ash::Device, cmd| {
                            self.objects.cmd_bind_shaders(cmd, &[COMPUTE], &[shader]);
                        };
                        let done = if runs { self.run(bind) } else { Ok(()) };
                        self.objects.destroy_shader(shader, None);
                        done.map(|()| true)
                    }
                    Err(code) => refused(code, vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT),
                },
            }
        }
    }

    /// Creates a pipeline from binary data, and runs it if `runs` is set.
    ///
    /// # Safety
    /// The objects of `self` must be live, and its queue idle.
    unsafe fn pipeline_binary(&self, bytes: &[u8], runs: bool) -> Result<bool, String> {
        // SAFETY: all parameters are valid except for the contents of the data, which the driver must check; the
        // structures outlive the calls.
        unsafe {
            let data = Data { size: bytes.len(), data: bytes.as_ptr() };
            let mut key = self.key;
            if let (false, Some(digest)) = (runs, bytes.get(HEADER - key.key.len()..HEADER)) {
                key.key.copy_from_slice(digest);
            }
            let kept = KeysAndData { n: 1, keys: &key, data: &data };
            let pipeline = vk::Pipeline::null();
            let info = BinaryInfo { ty: 1_000_483_001, next: null(), kept: &kept, pipeline, info: null() };
            let mut binary = 0;
            let mut handles = Handles { ty: 1_000_483_009, next: null(), n: 1, binaries: &mut binary };
            let code = (self.create)(self.device.handle(), &info, null(), &mut handles);
            if code != vk::Result::SUCCESS {
                return refused(code, vk::Result::ERROR_INITIALIZATION_FAILED);
            }
            let named = Handles { ty: 1_000_483_002, next: null(), n: 1, binaries: &mut binary };
            let mut info = self.pipeline_info(vk::ShaderModule::null());
            info.p_next = (&raw const named).cast();
            let done = match self.pipeline(vk::PipelineCache::null(), info) {
                Ok(pipeline) => self.run_pipeline(pipeline, runs),
                // The SPIR-V may be valid, but lack the entry point.
                Err(_) if !runs => Ok(()),
                Err(e) => Err(e),
            };
            (self.destroy)(self.device.handle(), binary, null());
            done.map(|()| true)
        }
    }

    /// Runs a pipeline if `runs` is set, and destroys it.
    ///
    /// # Safety
    /// The pipeline must be live, and nothing else may use it.
    unsafe fn run_pipeline(&self, pipeline: vk::Pipeline, runs: bool) -> Result<(), String> {
        // SAFETY: the caller passes a live pipeline, which nothing uses after `run` has waited for the queue.
        unsafe {
            let bind = |d: &ash::Device, cmd| {
                d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
            };
            let done = if runs { self.run(bind) } else { Ok(()) };
            self.device.destroy_pipeline(pipeline, None);
            done
        }
    }

    /// Dispatches the shader that `bind` binds once, and compares the buffer.
    ///
    /// # Safety
    /// `bind` must bind a live compute shader with the layout of `self.resources`, and record nothing else.
    unsafe fn run(&self, bind: impl FnOnce(&ash::Device, vk::CommandBuffer)) -> Result<(), String> {
        let (d, cmd, r) = (&self.device, self.commands, &self.resources);
        // SAFETY: all objects belong to `self` and are idle: `run` waits for the queue. The host accesses the mapped
        // words only then.
        unsafe {
            r.words.write([1, 2]);
            let once = vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT;
            d.begin_command_buffer(cmd, &vk::CommandBufferBeginInfo::default().flags(once)).map_err(text)?;
            bind(d, cmd);
            let point = vk::PipelineBindPoint::COMPUTE;
            d.cmd_bind_descriptor_sets(cmd, point, r.layout, 0, &[r.set], &[]);
            d.cmd_push_constants(cmd, r.layout, COMPUTE, 0, &PUSHED.to_ne_bytes());
            d.cmd_dispatch(cmd, 1, 1, 1);
            d.end_command_buffer(cmd).map_err(text)?;
            let all = [cmd];
            let submit = [vk::SubmitInfo::default().command_buffers(&all)];
            d.queue_submit(self.queue, &submit, vk::Fence::null()).map_err(text)?;
            d.queue_wait_idle(self.queue).map_err(text)?;
            let words = r.words.read();
            if words == [1 + 5, 2 + PUSHED] { Ok(()) } else { Err(format!("the shader wrote {words:?}")) }
        }
    }
}

/// Compares the result code of a refusal with the expected one; codes for exhausted memory also pass.
fn refused(code: vk::Result, by: vk::Result) -> Result<bool, String> {
    let memory = [vk::Result::ERROR_OUT_OF_HOST_MEMORY, vk::Result::ERROR_OUT_OF_DEVICE_MEMORY];
    if code == by || memory.contains(&code) { Ok(false) } else { Err(format!("refused with {code}")) }
}

/// Returns the genuine data with changes: other bytes instead, or for each three bytes of the input an offset and bits to
/// flip there; without bits the data ends there. Forged data keeps the header.
fn changed(genuine: &[u8], is_other: bool, is_forged: bool, changes: &[u8]) -> Vec<u8> {
    let kept = if is_forged { HEADER.min(genuine.len()) } else { 0 };
    if is_other {
        return [&genuine[..kept], changes].concat();
    }
    let mut bytes = genuine.to_vec();
    for change in changes.chunks_exact(3) {
        let room = bytes.len() - kept;
        let at = kept + usize::from(u16::from_le_bytes([change[0], change[1]])) % room.max(1);
        match (change[2], bytes.get_mut(at)) {
            (0, _) => bytes.truncate(at),
            (bits, Some(byte)) => *byte ^= bits,
            (_, None) => {}
        }
    }
    bytes
}

/// Opens a device with the extensions and features that the checks use.
fn open(host: Host) -> VkResult<Opened> {
    let names = [c"VK_EXT_shader_object", c"VK_KHR_maintenance5", c"VK_KHR_pipeline_binary"];
    let mut core = vk::PhysicalDeviceVulkan13Features::default().dynamic_rendering(true);
    let mut objects = vk::PhysicalDeviceShaderObjectFeaturesEXT::default().shader_object(true);
    let info = vk::DeviceCreateInfo::default().push_next(&mut core).push_next(&mut objects);
    // SAFETY: the structures of the chain outlive the call. Each check waits for its work.
    unsafe { Opened::new(host, &names, info) }
}

/// Layouts, and a set with a mapped buffer of two words.
struct Resources {
    set_layout: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    pool: vk::DescriptorPool,
    set: vk::DescriptorSet,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    words: *mut [u32; 2],
}

/// Creates the layouts, and the set with its buffer.
///
/// # Safety
/// The caller destroys the objects before the device is dropped.
unsafe fn resources(opened: &Opened) -> Result<Resources, String> {
    let d = &opened.device;
    // SAFETY: the device is live, and the structures live until the calls return.
    unsafe {
        let ty = vk::DescriptorType::STORAGE_BUFFER;
        let bindings = [vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(ty)
            .descriptor_count(1)
            .stage_flags(COMPUTE)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let set_layout = d.create_descriptor_set_layout(&info, None).map_err(text)?;
        let (layouts, ranges) = ([set_layout], push_ranges());
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&ranges);
        let layout = d.create_pipeline_layout(&info, None).map_err(text)?;
        let sizes = [vk::DescriptorPoolSize { ty, descriptor_count: 1 }];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).map_err(text)?;
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let set = d.allocate_descriptor_sets(&info).map_err(text)?[0];
        let info = vk::BufferCreateInfo::default().size(8).usage(vk::BufferUsageFlags::STORAGE_BUFFER);
        let buffer = d.create_buffer(&info, None).map_err(text)?;
        let need = d.get_buffer_memory_requirements(buffer);
        let kinds = opened.instance.get_physical_device_memory_properties(opened.physical);
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let fits = |i: &u32| {
            need.memory_type_bits >> i & 1 != 0
                && kinds.memory_types[*i as usize].property_flags.contains(wanted)
        };
        let kind = (0..kinds.memory_type_count).find(fits).ok_or("no memory that can be mapped")?;
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size).memory_type_index(kind);
        let memory = d.allocate_memory(&info, None).map_err(text)?;
        d.bind_buffer_memory(buffer, memory, 0).map_err(text)?;
        let words = d.map_memory(memory, 0, 8, vk::MemoryMapFlags::empty()).map_err(text)?;
        let buffers = [vk::DescriptorBufferInfo { buffer, offset: 0, range: 8 }];
        let write = vk::WriteDescriptorSet::default().dst_set(set).descriptor_type(ty).buffer_info(&buffers);
        d.update_descriptor_sets(&[write], &[]);
        Ok(Resources { set_layout, layout, pool, set, buffer, memory, words: words.cast() })
    }
}

impl Drop for Returned {
    fn drop(&mut self) {
        let (d, r) = (&self.opened.device, &self.resources);
        // SAFETY: nothing is in flight, and all other objects were destroyed above.
        unsafe {
            d.destroy_shader_module(self.module, None);
            d.destroy_command_pool(self.pool, None);
            d.destroy_descriptor_pool(r.pool, None);
            d.destroy_pipeline_layout(r.layout, None);
            d.destroy_descriptor_set_layout(r.set_layout, None);
            d.destroy_buffer(r.buffer, None);
            d.free_memory(r.memory, None);
        }
    }
}
