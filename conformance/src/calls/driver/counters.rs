//! Performance queries around a dispatch whose results and counts are known. Its shader has what GLSL has no words for: a
//! barrier in two halves, and constants as data.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::prelude::VkResult;
use ash::vk;

use super::{Buf, World};
use crate::tools::assemble;

/// Number of invocations of a workgroup.
const SIZE: u32 = 64;
/// Number of words in the shader's table.
const TABLE: usize = 8;

/// Names of the counters of the queue, and the commands.
pub(super) struct Counters {
    names: Vec<String>,
    instance: ash::khr::performance_query::Instance,
}

impl Counters {
    /// Lists the counters, and takes the profiling lock until the device is destroyed.
    pub(super) fn new(
        entry: &ash::Entry,
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        device: &ash::Device,
    ) -> VkResult<Counters> {
        let commands = ash::khr::performance_query::Device::new(instance, device);
        let instance = ash::khr::performance_query::Instance::new(entry, instance);
        let list = instance.fp().enumerate_physical_device_queue_family_performance_query_counters_khr;
        let lock = vk::AcquireProfilingLockInfoKHR::default();
        let (mut n, none) = (0, std::ptr::null_mut());
        // SAFETY: the handles are live, and the array has as many elements as `n` says.
        let descriptions = unsafe {
            (commands.fp().acquire_profiling_lock_khr)(commands.device(), &lock).result()?;
            list(physical, 0, &mut n, none, std::ptr::null_mut()).result()?;
            let mut all = vec![vk::PerformanceCounterDescriptionKHR::default(); n as usize];
            list(physical, 0, &mut n, none, all.as_mut_ptr()).result()?;
            all
        };
        let name = |of: &vk::PerformanceCounterDescriptionKHR<'_>| {
            of.name_as_c_str().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        Ok(Counters { names: descriptions.iter().map(name).collect(), instance })
    }
}

/// Objects of a counted dispatch.
struct Counted {
    pool: vk::QueryPool,
    module: vk::ShaderModule,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
}

/// Shader that writes word `i` of each workgroup: the table's word `63 - i`, modulo its size, and `3 * i` and a seed.
/// Invocation `63 - i` passes the table's word to invocation `i`.
fn shader(table: [u32; TABLE]) -> Vec<u32> {
    let table = table.map(|word| word.to_string()).join(" ");
    let text = include_str!("counted.comp.spvasm").replace("TABLE", &table);
    assemble(&text, false).expect("the shader assembles")
}

impl World<'_> {
    /// Counts a dispatch by a random choice of counters, and compares its results and its counts.
    pub(super) fn count_a_dispatch(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        let of = self.buffers[i];
        let most = of.range.size / (4 * SIZE as usize);
        if most == 0 {
            return;
        }
        self.wait_all();
        let groups = 1 + self.r.below(most.min(5)) as u32;
        let table: [u32; TABLE] = std::array::from_fn(|_| self.r.bits() as u32);
        let seed = self.r.bits() as u32;
        let n = self.shared.client.counters.names.len();
        let chosen: Vec<u32> = (0..1 + self.r.below(6)).map(|_| self.r.below(n) as u32).collect();
        if let Some(counted) = self.counted(table, &chosen) {
            self.run_counted(&counted, &of, groups, seed);
            self.expect_counts(counted.pool, &chosen, groups);
            self.destroy_counted(&counted);
            let words = (0..groups * SIZE).map(|i| {
                let i = i % SIZE;
                table[(SIZE - 1 - i) as usize % TABLE].wrapping_add(3 * i).wrapping_add(seed)
            });
            let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            self.model[of.range.memory].set(of.range.at, &bytes);
        }
    }

    fn counted(&mut self, table: [u32; TABLE], chosen: &[u32]) -> Option<Counted> {
        let (d, client) = (self.device(), &self.shared.client);
        let mut of = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(chosen);
        let mut passes = 0;
        // SAFETY: the structure and its array are live, and the indices are those of counters.
        unsafe {
            let ask =
                client.counters.instance.fp().get_physical_device_queue_family_performance_query_passes_khr;
            ask(client.physical, &of, &mut passes);
        }
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::PERFORMANCE_QUERY_KHR)
            .query_count(1)
            .push_next(&mut of);
        // SAFETY: the device is live and has the counters.
        let pool = unsafe { d.create_query_pool(&info, None) };
        let pool = self.judge("vkCreateQueryPool", pool)?;
        if passes != 1 {
            self.fail(format!("{passes} passes for counters {chosen:?}"));
        }
        let words = shader(table);
        let push = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(16)];
        // SAFETY: the device is live, the words are valid SPIR-V, and the range is below the limit.
        let (module, layout) = unsafe {
            let module = d.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&words), None);
            let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
            (module, d.create_pipeline_layout(&info, None))
        };
        let module = self.judge("vkCreateShaderModule", module)?;
        let layout = self.judge("vkCreatePipelineLayout", layout)?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        // SAFETY: the module and the layout are live, and match.
        let made = unsafe { d.create_compute_pipelines(vk::PipelineCache::null(), &info, None) };
        let made = self.judge("vkCreateComputePipelines", made.map_err(|(_, code)| code))?;
        Some(Counted { pool, module, layout, pipeline: made[0] })
    }

    fn run_counted(&mut self, of: &Counted, buf: &Buf, groups: u32, seed: u32) {
        let [low, high] = [buf.address as u32, (buf.address >> 32) as u32];
        let push: Vec<u8> = [low, high, seed, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        let stage = vk::ShaderStageFlags::COMPUTE;
        // A pool must not be reset in the command buffer that begins its queries.
        // SAFETY: recording has begun, and the pool is live.
        self.run_once(|d, c| unsafe { d.cmd_reset_query_pool(c, of.pool, 0, 1) });
        // SAFETY: recording has begun; the objects are live, and the buffer has room for what the workgroups write.
        self.run_once(|d, c| unsafe {
            d.cmd_bind_pipeline(c, vk::PipelineBindPoint::COMPUTE, of.pipeline);
            d.cmd_push_constants(c, of.layout, stage, 0, &push);
            d.cmd_begin_query(c, of.pool, 0, vk::QueryControlFlags::empty());
            d.cmd_dispatch(c, groups, 1, 1);
            d.cmd_end_query(c, of.pool, 0);
        });
        self.tally.count("vkCmdBeginQuery", true, 1);
    }

    fn expect_counts(&mut self, pool: vk::QueryPool, chosen: &[u32], groups: u32) {
        let mut values = vec![u64::MAX; chosen.len()];
        let size = size_of_val(&values[..]);
        let d = self.device();
        // SAFETY: the pool has one query, whose counters have 8 bytes each.
        let got = unsafe {
            let get = d.fp_v1_0().get_query_pool_results;
            let (at, stride) = (values.as_mut_ptr().cast(), size as u64);
            get(d.handle(), pool, 0, 1, size, at, stride, vk::QueryResultFlags::empty()).result()
        };
        self.judge("vkGetQueryPoolResults", got);
        for (&counter, value) in chosen.iter().zip(values) {
            let name = &self.shared.client.counters.names[counter as usize];
            let right = match &**name {
                "compute invocations" => value == u64::from(groups * SIZE),
                "CPU time" | "reference cycles" => 0 < value && value < u64::MAX,
                _ => value == 0,
            };
            if !right {
                self.fail(format!("`{name}` of {groups} workgroups: {value}"));
            }
        }
    }

    fn destroy_counted(&mut self, of: &Counted) {
        let d = self.device();
        // SAFETY: the dispatch has completed.
        unsafe {
            d.destroy_pipeline(of.pipeline, None);
            d.destroy_pipeline_layout(of.layout, None);
            d.destroy_shader_module(of.module, None);
            d.destroy_query_pool(of.pool, None);
        }
        self.tally.count("vkDestroyQueryPool", true, 1);
        self.tally.count("vkDestroyPipeline", true, 1);
    }
}
