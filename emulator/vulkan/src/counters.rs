//! Chapter "Queries", performance queries: the counters, and pools of them.
//!
//! Counters are the pipeline statistics, which the device counts exactly and in one pass. A pool of counters is a pool of
//! these statistics; `device::counter_pools` keeps the places of its counters among them. Any number of programs may hold
//! the profiling lock.

use ash::vk;

use crate::capabilities::properties::counter_uuid;
use crate::device::queue::families;
use crate::interface::chain::{enumerate_with, fixed, slice};
use crate::interface::guard::{VkResult, commands, log};

/// A counter.
struct Counter {
    /// The statistic that it counts.
    statistic: vk::QueryPipelineStatisticFlags,
    name: &'static str,
    category: &'static str,
    description: &'static str,
}

macro_rules! counters {
    ($($statistic:ident $category:literal $name:literal $description:literal;)*) => {
        /// All counters. Queue families without graphics have those of category "compute".
        const COUNTERS: &[Counter] = &[$(Counter {
            statistic: vk::QueryPipelineStatisticFlags::$statistic,
            name: $name,
            category: $category,
            description: $description,
        },)*];
    };
}

counters! {
    COMPUTE_SHADER_INVOCATIONS "compute" "compute invocations" "invocations of compute shaders";
    INPUT_ASSEMBLY_VERTICES "graphics" "vertices" "vertices that input assembly processes";
    INPUT_ASSEMBLY_PRIMITIVES "graphics" "primitives" "primitives that input assembly processes";
    VERTEX_SHADER_INVOCATIONS "graphics" "vertex invocations" "invocations of vertex shaders";
    TESSELLATION_CONTROL_SHADER_PATCHES "graphics" "patches" "patches that tessellation control shaders process";
    TESSELLATION_EVALUATION_SHADER_INVOCATIONS "graphics" "tessellation evaluation invocations" "invocations of tessellation evaluation shaders";
    GEOMETRY_SHADER_INVOCATIONS "graphics" "geometry invocations" "invocations of geometry shaders";
    GEOMETRY_SHADER_PRIMITIVES "graphics" "geometry primitives" "primitives that geometry shaders output";
    TASK_SHADER_INVOCATIONS_EXT "graphics" "task invocations" "invocations of task shaders";
    MESH_SHADER_INVOCATIONS_EXT "graphics" "mesh invocations" "invocations of mesh shaders";
    CLIPPING_INVOCATIONS "graphics" "primitives before clipping" "primitives that reach clipping";
    CLIPPING_PRIMITIVES "graphics" "primitives after clipping" "primitives that clipping outputs";
    FRAGMENT_SHADER_INVOCATIONS "graphics" "fragment invocations" "invocations of fragment shaders, without helper invocations";
}

/// Returns the counters of a queue family.
fn counters(family: u32) -> &'static [Counter] {
    let flags = families().get(family as usize).map(|f| f.queue_flags).unwrap_or_default();
    let n = match flags.contains(vk::QueueFlags::GRAPHICS) {
        true => COUNTERS.len(),
        false => COUNTERS.iter().take_while(|c| c.category == "compute").count(),
    };
    &COUNTERS[..n]
}

/// Returns the statistics that a pool of counters counts, and the place of each counter among them.
///
/// # Safety
/// `info` is valid.
pub unsafe fn statistics(
    info: &vk::QueryPoolPerformanceCreateInfoKHR<'_>,
) -> VkResult<(vk::QueryPipelineStatisticFlags, Box<[usize]>)> {
    // SAFETY: the caller promises a valid structure.
    let indices = unsafe { slice(info.p_counter_indices, info.counter_index_count) };
    let all = counters(info.queue_family_index);
    let found: Option<Vec<_>> = indices.iter().map(|&i| Some(all.get(i as usize)?.statistic)).collect();
    let Some(found) = found else {
        log(&format!("queue family {} has {} counters", info.queue_family_index, all.len()));
        return Err(vk::Result::ERROR_UNKNOWN);
    };
    let mask = found.iter().fold(vk::QueryPipelineStatisticFlags::empty(), |mask, s| mask | *s);
    let place =
        |s: &vk::QueryPipelineStatisticFlags| (mask.as_raw() & (s.as_raw() - 1)).count_ones() as usize;
    let places = found.iter().map(place).collect();
    Ok((mask, places))
}

commands! {
    fn enumerate_physical_device_queue_family_performance_query_counters(
        _d: vk::PhysicalDevice,
        family: u32,
        count: *mut u32,
        out: *mut vk::PerformanceCounterKHR<'_>,
        descriptions: *mut vk::PerformanceCounterDescriptionKHR<'_>,
    ) -> vk::Result {
        let all = counters(family);
        let mut room = *count;
        if !descriptions.is_null() {
            let described = enumerate_with(all.len(), &mut room, descriptions, |i, p| {
                p.flags = vk::PerformanceCounterDescriptionFlagsKHR::empty();
                p.name = fixed(all[i].name);
                p.category = fixed(all[i].category);
                p.description = fixed(all[i].description);
            });
            // Both arrays have the same number of elements, so that the answer for the counters is that for both.
            if out.is_null() {
                *count = room;
                return described;
            }
        }
        enumerate_with(all.len(), count, out, |i, p| {
            p.unit = vk::PerformanceCounterUnitKHR::GENERIC;
            p.scope = vk::PerformanceCounterScopeKHR::COMMAND;
            p.storage = vk::PerformanceCounterStorageKHR::UINT64;
            p.uuid = counter_uuid(i as u32);
        })
    }

    /// One pass suffices for any counters.
    fn get_physical_device_queue_family_performance_query_passes(
        _d: vk::PhysicalDevice,
        _info: *const vk::QueryPoolPerformanceCreateInfoKHR<'_>,
        out: *mut u32,
    ) {
        *out = 1;
    }

    fn acquire_profiling_lock(
        _d: vk::Device,
        _info: *const vk::AcquireProfilingLockInfoKHR<'_>,
    ) -> vk::Result {
        Ok(())
    }

    fn release_profiling_lock(_d: vk::Device) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statistics of a pool are in the order of their bits; its counters are in any order, and may repeat.
    #[test]
    fn counters_have_places_among_the_statistics() {
        let indices = [12, 0, 3, 0];
        let info = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(&indices);
        // SAFETY: the structure and its array are live.
        let (mask, places) = unsafe { statistics(&info) }.unwrap();
        use vk::QueryPipelineStatisticFlags as S;
        let expected =
            S::FRAGMENT_SHADER_INVOCATIONS | S::COMPUTE_SHADER_INVOCATIONS | S::VERTEX_SHADER_INVOCATIONS;
        assert_eq!((mask, &*places), (expected, &[1, 2, 0, 2][..]));
        let beyond = [COUNTERS.len() as u32];
        let info = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(&beyond);
        // SAFETY: the structure and its array are live.
        assert!(unsafe { statistics(&info) }.is_err());
    }
}
