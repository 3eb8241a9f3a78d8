//! Chapter "Queries", performance queries: the counters, and pools of them.
//!
//! Counters are the pipeline statistics and those of [`quadrille::Counter`], which the device counts in one pass. All but
//! CPU time and cycles are exact, and do not depend on the number of threads. `device::counter_pools` keeps the places of a pool's
//! counters among the values of its queries. Any number of programs may hold the profiling lock.
//!
//! Nothing is counted per texel unless a query that asks for it is active. Cycles are the CPU time in cycles of the time stamp
//! counter: the system gives a thread its CPU time, but not the cycles of its processor, whose clock varies. Processors
//! without such a counter have no counter of cycles.

use ash::vk;
use quadrille::Counter as Count;

use crate::capabilities::properties::counter_uuid;
use crate::device::queue::families;
use crate::interface::chain::{enumerate_with, fixed, slice};
use crate::interface::guard::{VkResult, commands, log};

/// A counter.
struct Counter {
    /// Its bit in the device's mask of counters.
    bit: u32,
    unit: vk::PerformanceCounterUnitKHR,
    flags: vk::PerformanceCounterDescriptionFlagsKHR,
    name: &'static str,
    category: &'static str,
    description: &'static str,
}

/// Category of the counters that queue families without graphics lack.
const GRAPHICS: &str = "graphics";

/// A counter of something that is counted anyway.
const fn counter(bit: u32, category: &'static str, name: &'static str, description: &'static str) -> Counter {
    let (unit, flags) =
        (vk::PerformanceCounterUnitKHR::GENERIC, vk::PerformanceCounterDescriptionFlagsKHR::empty());
    Counter { bit, unit, flags, name, category, description }
}

/// A counter that slows down the commands that it counts.
const fn impacting(counter: Counter) -> Counter {
    Counter { flags: vk::PerformanceCounterDescriptionFlagsKHR::PERFORMANCE_IMPACTING, ..counter }
}

/// A counter of nanoseconds.
const fn nanoseconds(counter: Counter) -> Counter {
    Counter { unit: vk::PerformanceCounterUnitKHR::NANOSECONDS, ..counter }
}

/// A counter of cycles.
const fn cycles(counter: Counter) -> Counter {
    Counter { unit: vk::PerformanceCounterUnitKHR::CYCLES, ..counter }
}

/// A pipeline statistic as a counter.
const fn statistic(
    statistic: vk::QueryPipelineStatisticFlags,
    category: &'static str,
    name: &'static str,
    description: &'static str,
) -> Counter {
    counter(statistic.as_raw(), category, name, description)
}

use vk::QueryPipelineStatisticFlags as S;

/// All counters. Those that every queue family has come first.
#[rustfmt::skip]
const COUNTERS: &[Counter] = &[
    statistic(S::COMPUTE_SHADER_INVOCATIONS, "compute", "compute invocations", "invocations of compute shaders"),
    impacting(counter(Count::Lookups.bit(), "texels", "texel lookups", "operations that sample, gather, fetch or read texels, once for each shader invocation that runs them, whatever the filter; without helper invocations and null descriptors")),
    impacting(counter(Count::Stores.bit(), "texels", "texel stores", "operations that write texels of images and texel buffers, and atomics on them, once for each shader invocation that runs them")),
    nanoseconds(counter(Count::CpuTime.bit(), "time", "CPU time", "CPU time of the driver's threads that execute commands")),
    cycles(counter(Count::Cycles.bit(), "time", "reference cycles", "CPU time of the driver's threads that execute commands, in cycles of the processor's time stamp counter, whose rate is constant")),
    statistic(S::INPUT_ASSEMBLY_VERTICES, GRAPHICS, "vertices", "vertices that input assembly processes"),
    statistic(S::INPUT_ASSEMBLY_PRIMITIVES, GRAPHICS, "primitives", "primitives that input assembly processes"),
    statistic(S::VERTEX_SHADER_INVOCATIONS, GRAPHICS, "vertex invocations", "invocations of vertex shaders"),
    statistic(S::TESSELLATION_CONTROL_SHADER_PATCHES, GRAPHICS, "patches", "patches that tessellation control shaders process"),
    statistic(S::TESSELLATION_EVALUATION_SHADER_INVOCATIONS, GRAPHICS, "tessellation evaluation invocations", "invocations of tessellation evaluation shaders"),
    statistic(S::GEOMETRY_SHADER_INVOCATIONS, GRAPHICS, "geometry invocations", "invocations of geometry shaders"),
    statistic(S::GEOMETRY_SHADER_PRIMITIVES, GRAPHICS, "geometry primitives", "primitives that geometry shaders output"),
    statistic(S::TASK_SHADER_INVOCATIONS_EXT, GRAPHICS, "task invocations", "invocations of task shaders"),
    statistic(S::MESH_SHADER_INVOCATIONS_EXT, GRAPHICS, "mesh invocations", "invocations of mesh shaders"),
    statistic(S::CLIPPING_INVOCATIONS, GRAPHICS, "primitives before clipping", "primitives that reach clipping"),
    statistic(S::CLIPPING_PRIMITIVES, GRAPHICS, "primitives after clipping", "primitives that clipping outputs"),
    statistic(S::FRAGMENT_SHADER_INVOCATIONS, GRAPHICS, "fragment invocations", "invocations of fragment shaders, without helper invocations"),
    counter(Count::Tiles.bit(), GRAPHICS, "tiles", "tiles of 64x64 pixels of a layer that draws reach, once for each batch of draws that runs together"),
    impacting(counter(Count::Samples.bit(), GRAPHICS, "samples", "samples that pass all tests and are written to the attachments; with one sample per pixel, texels of each attachment")),
];

/// Returns the counters of a queue family that the host has.
fn counters(family: u32) -> Vec<&'static Counter> {
    let flags = families().get(family as usize).map(|f| f.queue_flags).unwrap_or_default();
    let n = match flags.contains(vk::QueueFlags::GRAPHICS) {
        true => COUNTERS.len(),
        false => COUNTERS.iter().take_while(|c| c.category != GRAPHICS).count(),
    };
    COUNTERS[..n].iter().filter(|c| c.bit != Count::Cycles.bit() || Count::Cycles.is_offered()).collect()
}

/// Returns the mask of a pool's counters, for [`quadrille::QueryKind::Counters`], and the place of each counter among the
/// values of a query.
///
/// # Safety
/// `info` is valid.
pub unsafe fn selected(info: &vk::QueryPoolPerformanceCreateInfoKHR<'_>) -> VkResult<(u32, Box<[usize]>)> {
    // SAFETY: the caller promises a valid structure.
    let indices = unsafe { slice(info.p_counter_indices, info.counter_index_count) };
    let all = counters(info.queue_family_index);
    let found: Option<Vec<u32>> = indices.iter().map(|&i| Some(all.get(i as usize)?.bit)).collect();
    let Some(found) = found else {
        log(&format!("queue family {} has {} counters", info.queue_family_index, all.len()));
        return Err(vk::Result::ERROR_UNKNOWN);
    };
    let mask = found.iter().fold(0, |mask, bit| mask | bit);
    let places = found.iter().map(|bit| (mask & (bit - 1)).count_ones() as usize).collect();
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
                p.flags = all[i].flags;
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
            p.unit = all[i].unit;
            p.scope = vk::PerformanceCounterScopeKHR::COMMAND;
            p.storage = vk::PerformanceCounterStorageKHR::UINT64;
            p.uuid = counter_uuid(all[i].bit.trailing_zeros());
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

    /// Indices of counters, by name.
    fn index(name: &str) -> u32 {
        counters(0).iter().position(|c| c.name == name).unwrap() as u32
    }

    /// The values of a query are in the order of their bits; its counters are in any order, and may repeat.
    #[test]
    fn counters_have_places_among_the_values() {
        let indices =
            ["tiles", "compute invocations", "vertex invocations", "compute invocations"].map(index);
        let info = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(&indices);
        // SAFETY: the structure and its array are live.
        let (mask, places) = unsafe { selected(&info) }.unwrap();
        assert_eq!((mask, &*places), (1 << 2 | 1 << 10 | 1 << 13, &[2, 1, 0, 1][..]));
        let beyond = [COUNTERS.len() as u32];
        let info = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(&beyond);
        // SAFETY: the structure and its array are live.
        assert!(unsafe { selected(&info) }.is_err());
    }

    /// Each counter is another bit, and texts fit their arrays, with a zero at the end.
    #[test]
    fn counters_differ_and_have_room() {
        let all = COUNTERS.iter().fold(0, |all, c| all | c.bit);
        assert_eq!((all, all.count_ones()), (0x7ffff, COUNTERS.len() as u32));
        for c in COUNTERS {
            let longest = [c.name, c.category, c.description].iter().map(|s| s.len()).max().unwrap();
            assert!(longest < vk::MAX_DESCRIPTION_SIZE, "{}: {longest}", c.name);
        }
        let rest = COUNTERS.iter().skip_while(|c| c.category != GRAPHICS);
        assert!(rest.into_iter().all(|c| c.category == GRAPHICS), "a prefix is for all queue families");
    }
}
