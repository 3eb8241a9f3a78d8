//! The Vulkan client: runs cases on the first device of the loader, or of our own driver.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::ffi::CStr;
use std::io::Write;
use std::ops::Deref;
use std::ptr::null_mut;

use ash::vk;
use rspirv::spirv::{Capability, Op};

use super::wire::{self, Answer, Case};
use crate::client::{Host, Opened, text};

/// Runs the cases of a file from number `first` on, through the loader or on our `own` driver, and writes the answers
/// to standard output.
///
/// # Errors
/// An error in the file or of the driver.
pub fn run(file: &std::path::Path, first: usize, own: bool) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    let cases = wire::decode(&mut bytes.as_slice()).ok_or("the file ends early")?;
    let entry = match own {
        true => vk_quadrille::entry(),
        // SAFETY: loading runs the initializers of the system's `libvulkan`, which the parent process chose and trusts.
        false => unsafe { ash::Entry::load() }.map_err(|e| e.to_string())?,
    };
    let gpu = Gpu::new(entry)?;
    let mut out = std::io::stdout().lock();
    let mut say = |bytes: &[u8]| out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| e.to_string());
    say(&wire::hello(&gpu.name, gpu.lanes))?;
    for case in cases.iter().skip(first) {
        let answer = match gpu.refuses(case) {
            Some(why) => Answer::Refused(why),
            None => match gpu.execute(case) {
                Ok(buffers) => Answer::Done(buffers),
                Err(e) => Answer::Refused(format!("{e}")),
            },
        };
        say(&wire::answer(&answer))?;
    }
    Ok(())
}

/// A device with all of its features enabled.
struct Gpu {
    opened: Opened,
    pool: vk::CommandPool,
    memory_type: u32,
    name: String,
    lanes: u32,
    lacks: Vec<Capability>,
}

impl Deref for Gpu {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

/// Features of a device that cases use.
#[derive(Default)]
struct Features {
    version: u32,
    /// `true` if the device has atomic operations on floats.
    floats: bool,
    core: vk::PhysicalDeviceFeatures,
    v11: vk::PhysicalDeviceVulkan11Features<'static>,
    v12: vk::PhysicalDeviceVulkan12Features<'static>,
    v13: vk::PhysicalDeviceVulkan13Features<'static>,
    atomic: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
}

impl Features {
    /// Queries all features of the host's device.
    fn ask(host: &Host, version: u32) -> Result<Features, String> {
        // SAFETY: `host` keeps instance and physical device alive.
        let has = unsafe { host.instance.enumerate_device_extension_properties(host.physical) };
        let is_floats = |e: &vk::ExtensionProperties| e.extension_name_as_c_str() == Ok(FLOATS);
        let floats = has.map_err(text)?.iter().any(is_floats);
        let mut features = Features { version, floats, ..Features::default() };
        let mut all = features.chained();
        // SAFETY: `host` keeps instance and physical device alive; `all` and its chain are locals that outlive the call.
        unsafe { host.instance.get_physical_device_features2(host.physical, &mut all) };
        features.core = all.features;
        Ok(features)
    }

    /// The structures that the version of the device has, in a chain.
    fn chained(&mut self) -> vk::PhysicalDeviceFeatures2<'_> {
        let Features { version, floats, core, v11, v12, v13, atomic } = self;
        // An earlier chain may have ended.
        (v11.p_next, v12.p_next) = (null_mut(), null_mut());
        (v13.p_next, atomic.p_next) = (null_mut(), null_mut());
        let mut all = vk::PhysicalDeviceFeatures2::default().features(*core);
        if *version >= vk::API_VERSION_1_2 {
            all = all.push_next(v11).push_next(v12);
        }
        if *version >= vk::API_VERSION_1_3 {
            all = all.push_next(v13);
        }
        if *floats {
            all = all.push_next(atomic);
        }
        all
    }

    /// Opens a device with all of the features.
    fn open(&mut self, host: Host) -> Result<Opened, String> {
        let names: &[&CStr] = if self.floats { &[FLOATS] } else { &[] };
        let mut all = self.chained();
        let info = vk::DeviceCreateInfo::default().push_next(&mut all);
        // SAFETY: the chain has structures that the device knows, and `self` outlives the call. Each case waits for its
        // work.
        unsafe { Opened::new(host, names, info) }.map_err(text)
    }

    /// The capabilities of modules that a device with these features and operations of subgroups lacks.
    fn lacks(&self, supported: vk::SubgroupFeatureFlags) -> Vec<Capability> {
        let Features { core, v11, v12, v13, atomic, .. } = self;
        let mut lacks = Vec::new();
        for (there, capability) in [
            (core.shader_float64, Capability::Float64),
            (core.shader_int64, Capability::Int64),
            (core.shader_int16, Capability::Int16),
            (v12.shader_float16, Capability::Float16),
            (v12.shader_int8, Capability::Int8),
            (v11.storage_buffer16_bit_access, Capability::StorageBuffer16BitAccess),
            (v11.uniform_and_storage_buffer16_bit_access, Capability::UniformAndStorageBuffer16BitAccess),
            (v11.storage_push_constant16, Capability::StoragePushConstant16),
            (v12.storage_buffer8_bit_access, Capability::StorageBuffer8BitAccess),
            (v12.uniform_and_storage_buffer8_bit_access, Capability::UniformAndStorageBuffer8BitAccess),
            (v12.storage_push_constant8, Capability::StoragePushConstant8),
            (v12.shader_buffer_int64_atomics, Capability::Int64Atomics),
            (v12.vulkan_memory_model, Capability::VulkanMemoryModel),
            (v11.variable_pointers, Capability::VariablePointers),
            (v11.variable_pointers_storage_buffer, Capability::VariablePointersStorageBuffer),
            // Addresses in the buffers refer to our own process.
            (0, Capability::PhysicalStorageBufferAddresses),
            (v13.shader_integer_dot_product, Capability::DotProduct),
            (atomic.shader_buffer_float32_atomic_add, Capability::AtomicFloat32AddEXT),
            (atomic.shader_buffer_float64_atomic_add, Capability::AtomicFloat64AddEXT),
            (0, Capability::AtomicFloat32MinMaxEXT),
            (0, Capability::AtomicFloat64MinMaxEXT),
            (0, Capability::AtomicFloat16AddEXT),
            (0, Capability::AtomicFloat16MinMaxEXT),
            (0, Capability::WorkgroupMemoryExplicitLayoutKHR),
            (0, Capability::ShaderClockKHR),
            (0, Capability::GroupNonUniformRotateKHR),
            (0, Capability::GroupNonUniformPartitionedNV),
            (0, Capability::QuadControlKHR),
            (0, Capability::ReplicatedCompositesEXT),
            (0, Capability::ExpectAssumeKHR),
            (0, Capability::FMAKHR),
            (v13.shader_demote_to_helper_invocation, Capability::DemoteToHelperInvocation),
        ] {
            if there == 0 {
                lacks.push(capability);
            }
        }
        for (operations, capability) in [
            (vk::SubgroupFeatureFlags::VOTE, Capability::GroupNonUniformVote),
            (vk::SubgroupFeatureFlags::ARITHMETIC, Capability::GroupNonUniformArithmetic),
            (vk::SubgroupFeatureFlags::BALLOT, Capability::GroupNonUniformBallot),
            (vk::SubgroupFeatureFlags::SHUFFLE, Capability::GroupNonUniformShuffle),
            (vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE, Capability::GroupNonUniformShuffleRelative),
            (vk::SubgroupFeatureFlags::CLUSTERED, Capability::GroupNonUniformClustered),
            (vk::SubgroupFeatureFlags::QUAD, Capability::GroupNonUniformQuad),
        ] {
            if !supported.contains(operations) {
                lacks.push(capability);
            }
        }
        lacks
    }
}

const FLOATS: &CStr = ash::ext::shader_atomic_float::NAME;

struct Mapped {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    at: *mut u8,
    size: usize,
}

impl Gpu {
    fn new(entry: ash::Entry) -> Result<Gpu, String> {
        let host = Host::new(entry, vk::API_VERSION_1_3, &[]).map_err(text)?;
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
        // SAFETY: `host` keeps instance and physical device alive; the chain is a local that outlives the call. The
        // driver ends `device_name` with a zero byte.
        let (core, name, types) = unsafe {
            host.instance.get_physical_device_properties2(host.physical, &mut properties);
            let core = properties.properties;
            let name = CStr::from_ptr(core.device_name.as_ptr()).to_string_lossy().into_owned();
            (core, name, host.instance.get_physical_device_memory_properties(host.physical))
        };
        let mut features = Features::ask(&host, core.api_version)?;
        let opened = features.open(host)?;
        // SAFETY: the device is alive.
        let pool = unsafe { opened.device.create_command_pool(&Default::default(), None) }.map_err(text)?;
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let memory_type = types
            .memory_types_as_slice()
            .iter()
            .position(|t| t.property_flags.contains(wanted))
            .ok_or("no memory")? as u32;
        Ok(Gpu {
            opened,
            pool,
            memory_type,
            name,
            lanes: subgroup.subgroup_size,
            lacks: features.lacks(subgroup.supported_operations),
        })
    }

    /// Reason why this device cannot run the case.
    fn refuses(&self, case: &Case) -> Option<String> {
        if case.lanes != 0 && case.lanes != self.lanes {
            return Some(format!("subgroups of {}", self.lanes));
        }
        let mut at = 5;
        while let Some(&word) = case.words.get(at) {
            let (op, n) = (word & 0xffff, (word >> 16).max(1) as usize);
            if op == Op::Capability as u32 {
                let c = case.words.get(at + 1).and_then(|c| Capability::from_u32(*c));
                if let Some(c) = c
                    && self.lacks.contains(&c)
                {
                    return Some(format!("{c:?}"));
                }
            }
            at += n;
        }
        None
    }

    fn buffer(&self, bytes: &[u8]) -> Result<Mapped, vk::Result> {
        let size = bytes.len().max(4).next_multiple_of(16);
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::UNIFORM_BUFFER;
        let info = vk::BufferCreateInfo::default().size(size as u64).usage(usage);
        // SAFETY: all handles are made right here from the live device. The memory is at least as large as the buffer,
        // whose `size` is at least `bytes.len()`, and stays mapped while it lives.
        unsafe {
            let buffer = self.device.create_buffer(&info, None)?;
            let need = self.device.get_buffer_memory_requirements(buffer);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(need.size)
                .memory_type_index(self.memory_type);
            let memory = self.device.allocate_memory(&info, None)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let at = self.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?.cast::<u8>();
            std::ptr::write_bytes(at, 0, size);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len());
            Ok(Mapped { buffer, memory, at, size: bytes.len() })
        }
    }

    /// Creates the pipeline of a case.
    ///
    /// # Safety
    /// Module and layout belong to the device and fit each other.
    unsafe fn pipeline(
        &self,
        case: &Case,
        module: vk::ShaderModule,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline, vk::Result> {
        let mut data = Vec::new();
        let mut entries = Vec::new();
        for (id, bits, size) in &case.constants {
            entries.push(vk::SpecializationMapEntry {
                constant_id: *id,
                offset: data.len() as u32,
                size: *size as usize,
            });
            data.extend(&bits.to_le_bytes()[..*size as usize]);
        }
        let special = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main")
            .specialization_info(&special);
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        // SAFETY: the caller passes live objects; the structures are locals that outlive the call.
        let made = unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &info, None) };
        Ok(made.map_err(|(_, e)| e)?[0])
    }

    /// Records the dispatch of a case, and a barrier for the host.
    ///
    /// # Safety
    /// Pipeline, layout and sets belong to the device and fit each other; they live until the commands are freed.
    unsafe fn record(
        &self,
        case: &Case,
        pipeline: vk::Pipeline,
        layout: vk::PipelineLayout,
        handles: &[vk::DescriptorSet],
    ) -> Result<Vec<vk::CommandBuffer>, vk::Result> {
        let d = &self.device;
        // SAFETY: the commands are allocated right here from the pool of the device; the caller passes live objects.
        unsafe {
            let info =
                vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
            let cmd = d.allocate_command_buffers(&info)?;
            d.begin_command_buffer(cmd[0], &Default::default())?;
            let point = vk::PipelineBindPoint::COMPUTE;
            d.cmd_bind_pipeline(cmd[0], point, pipeline);
            if !handles.is_empty() {
                d.cmd_bind_descriptor_sets(cmd[0], point, layout, 0, handles, &[]);
            }
            if !case.push.is_empty() {
                let mut bytes = case.push.clone();
                bytes.resize(bytes.len().next_multiple_of(4), 0);
                d.cmd_push_constants(cmd[0], layout, vk::ShaderStageFlags::COMPUTE, 0, &bytes);
            }
            let [x, y, z] = case.groups;
            d.cmd_dispatch(cmd[0], x, y, z);
            let barrier = vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::SHADER_WRITE)
                .dst_access_mask(vk::AccessFlags::HOST_READ);
            let (from, to) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
            d.cmd_pipeline_barrier(cmd[0], from, to, Default::default(), &[barrier], &[], &[]);
            d.end_command_buffer(cmd[0])?;
            Ok(cmd)
        }
    }

    fn execute(&self, case: &Case) -> Result<Vec<Vec<u8>>, vk::Result> {
        let d = &self.device;
        let buffers =
            case.buffers.iter().map(|(b, _)| self.buffer(&b.bytes)).collect::<Result<Vec<_>, _>>()?;
        let bindings = bindings(case);
        // SAFETY: all handles are made right here from the live device, and destroyed after the fence is signaled. The
        // module of the case is valid: it passed our validator. Each mapping has `size` bytes and is read after the
        // fence.
        unsafe {
            let info = vk::ShaderModuleCreateInfo::default().code(&case.words);
            let module = d.create_shader_module(&info, None)?;
            let layout_of = |list: &Vec<vk::DescriptorSetLayoutBinding<'_>>| {
                let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(list);
                d.create_descriptor_set_layout(&info, None)
            };
            let layouts = bindings.iter().map(layout_of).collect::<Result<Vec<_>, _>>()?;
            let push = [vk::PushConstantRange::default()
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
                .size(case.push.len().next_multiple_of(4) as u32)];
            let info = vk::PipelineLayoutCreateInfo::default()
                .set_layouts(&layouts)
                .push_constant_ranges(if case.push.is_empty() { &[] } else { &push });
            let layout = d.create_pipeline_layout(&info, None)?;
            let pipeline = self.pipeline(case, module, layout)?;
            let sizes = [vk::DescriptorType::STORAGE_BUFFER, vk::DescriptorType::UNIFORM_BUFFER]
                .map(|ty| vk::DescriptorPoolSize::default().ty(ty).descriptor_count(64));
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(8).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None)?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let handles = if layouts.is_empty() { Vec::new() } else { d.allocate_descriptor_sets(&info)? };
            for ((b, uniform), m) in case.buffers.iter().zip(&buffers) {
                let info = [vk::DescriptorBufferInfo::default().buffer(m.buffer).range(m.size.max(4) as u64)];
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(handles[b.set as usize])
                    .dst_binding(b.binding)
                    .descriptor_type(descriptor(*uniform))
                    .buffer_info(&info);
                d.update_descriptor_sets(&[write], &[]);
            }
            let cmd = self.record(case, pipeline, layout, &handles)?;
            let fence = d.create_fence(&Default::default(), None)?;
            let submit = vk::SubmitInfo::default().command_buffers(&cmd);
            d.queue_submit(self.queue, &[submit], fence)?;
            let waited = d.wait_for_fences(&[fence], true, 20_000_000_000);
            if waited.is_err() {
                // The dispatch may still be running, so nothing can be destroyed.
                std::process::exit(3);
            }
            let out = buffers.iter().map(|m| std::slice::from_raw_parts(m.at, m.size).to_vec()).collect();
            d.destroy_fence(fence, None);
            d.free_command_buffers(self.pool, &cmd);
            d.destroy_descriptor_pool(pool, None);
            d.destroy_pipeline(pipeline, None);
            d.destroy_pipeline_layout(layout, None);
            layouts.into_iter().for_each(|l| d.destroy_descriptor_set_layout(l, None));
            d.destroy_shader_module(module, None);
            for m in buffers {
                d.destroy_buffer(m.buffer, None);
                d.free_memory(m.memory, None);
            }
            Ok(out)
        }
    }
}

fn descriptor(uniform: bool) -> vk::DescriptorType {
    match uniform {
        true => vk::DescriptorType::UNIFORM_BUFFER,
        false => vk::DescriptorType::STORAGE_BUFFER,
    }
}

/// Bindings of a case by set.
fn bindings(case: &Case) -> Vec<Vec<vk::DescriptorSetLayoutBinding<'static>>> {
    let count = case.buffers.iter().map(|(b, _)| b.set as usize + 1).max().unwrap_or(0);
    let mut sets = vec![Vec::new(); count];
    for (b, uniform) in &case.buffers {
        sets[b.set as usize].push(
            vk::DescriptorSetLayoutBinding::default()
                .binding(b.binding)
                .descriptor_type(descriptor(*uniform))
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE),
        );
    }
    sets
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: `execute` waited for its work and destroyed its objects; `self` owns the pool.
        unsafe {
            self.device.destroy_command_pool(self.pool, None);
        }
    }
}
