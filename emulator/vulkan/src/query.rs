//! Chapter "Queries": pools, and results on the host. Commands are in `commands::sync`.

use ash::vk;
use quadrille::{QueryKind, QueryPool};

use crate::counters::selected;
use crate::device::Device;
use crate::interface::chain::{enumerate, find, slice};
use crate::interface::guard::{VkResult, check_lost, commands, device_code, heap_code};
use crate::interface::handle::{create, destroy, get, objects};
use crate::sync::not_yet;
use crate::sys;

objects!(QueryPool => QueryPool);

/// Time domains of timestamps: the device's clock is that of the host.
const TIME_DOMAINS: [vk::TimeDomainKHR; 2] = [vk::TimeDomainKHR::DEVICE, sys::HOST_CLOCK];

/// Converts a query type; `statistics` are those of pipeline statistics queries.
pub fn kind(ty: vk::QueryType, statistics: vk::QueryPipelineStatisticFlags) -> VkResult<QueryKind> {
    use vk::QueryType as T;
    Ok(match ty {
        T::OCCLUSION => QueryKind::Occlusion,
        T::TIMESTAMP => QueryKind::Timestamp,
        T::PIPELINE_STATISTICS => QueryKind::PipelineStatistics(statistics.as_raw()),
        T::TRANSFORM_FEEDBACK_STREAM_EXT => QueryKind::TransformFeedbackStream,
        T::PRIMITIVES_GENERATED_EXT => QueryKind::PrimitivesGenerated,
        T::MESH_PRIMITIVES_GENERATED_EXT => QueryKind::MeshPrimitivesGenerated,
        T::ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR | T::MICROMAP_COMPACTED_SIZE_EXT => {
            QueryKind::AccelerationStructureCompactedSize
        }
        T::ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR | T::MICROMAP_SERIALIZATION_SIZE_EXT => {
            QueryKind::AccelerationStructureSerializationSize
        }
        T::ACCELERATION_STRUCTURE_SIZE_KHR => QueryKind::AccelerationStructureSize,
        T::ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR => {
            QueryKind::AccelerationStructureSerializationBottomLevelPointers
        }
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

commands! {
    fn create_query_pool(
        device: vk::Device,
        info: *const vk::QueryPoolCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::QueryPool,
    ) -> vk::Result {
        let (info, device) = (&*info, get::<Device>(device));
        let counters = find::<vk::QueryPoolPerformanceCreateInfoKHR<'_>>(info.p_next);
        let counters = counters.filter(|_| info.query_type == vk::QueryType::PERFORMANCE_QUERY_KHR);
        let (kind, places) = match counters {
            Some(counters) => {
                let (mask, places) = selected(counters)?;
                (QueryKind::Counters(mask), Some(places))
            }
            None => (kind(info.query_type, info.pipeline_statistics)?, None),
        };
        let pool = device.device.create_query_pool(kind, info.query_count).map_err(|e| heap_code(&e))?;
        *out = create(pool);
        if let Some(places) = places {
            device.counters.enter(*out, places);
        }
        Ok(())
    }

    fn get_physical_device_calibrateable_time_domains(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::TimeDomainKHR,
    ) -> vk::Result {
        enumerate(&TIME_DOMAINS, count, out)
    }

    /// All domains are one clock, which is read once.
    fn get_calibrated_timestamps(
        _d: vk::Device,
        n: u32,
        infos: *const vk::CalibratedTimestampInfoKHR<'_>,
        out: *mut u64,
        deviation: *mut u64,
    ) -> vk::Result {
        let now = quadrille::query::now();
        for (i, info) in slice(infos, n).iter().enumerate() {
            out.add(i).write(if info.time_domain == sys::HOST_CLOCK { sys::host_time(now) } else { now });
        }
        // One unit, a nanosecond, is the smallest deviation that can be reported.
        *deviation = 1;
        Ok(())
    }

    fn destroy_query_pool(
        device: vk::Device,
        pool: vk::QueryPool,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        get::<Device>(device).counters.leave(pool);
        drop(destroy::<QueryPool>(pool));
    }

    fn reset_query_pool(_d: vk::Device, pool: vk::QueryPool, first: u32, count: u32) {
        get::<QueryPool>(pool).reset(first, count);
    }

    fn get_query_pool_results(
        device: vk::Device,
        handle: vk::QueryPool,
        first: u32,
        count: u32,
        size: usize,
        out: *mut std::ffi::c_void,
        stride: u64,
        flags: vk::QueryResultFlags,
    ) -> vk::Result {
        let (device, pool) = (get::<Device>(device), get::<QueryPool>(handle));
        // A host that asks until a query is available must learn that it never will be.
        check_lost(&device.device)?;
        let places = device.counters.places(handle);
        if flags.contains(vk::QueryResultFlags::WAIT) {
            pool.wait(first, count, None).map_err(|e| device_code(&device.device, &e))?;
        }
        let wide = flags.contains(vk::QueryResultFlags::TYPE_64) || places.is_some();
        let word = if wide { 8 } else { 4 };
        let out = out.cast::<u8>();
        let put = |offset: u64, value: u64| {
            let bytes = value.to_ne_bytes();
            if offset + word <= size as u64 {
                // Little-endian: the low half comes first.
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.add(offset as usize), word as usize);
            }
        };
        let mut missing = false;
        for i in 0..count {
            let offset = u64::from(i) * stride;
            let result = pool.results(first + i);
            let available = result.is_some();
            let partial = flags.contains(vk::QueryResultFlags::PARTIAL);
            let values = result.or_else(|| partial.then(|| pool.partial(first + i)));
            let values = values.as_deref().unwrap_or_default();
            match &places {
                Some(places) => {
                    let counters = places.iter().map(|&place| values.get(place));
                    let known = (0..).zip(counters).filter_map(|(slot, value)| Some((slot, *value?)));
                    known.for_each(|(slot, value): (u64, u64)| put(offset + slot * word, value));
                }
                None => (0..).zip(values).for_each(|(slot, value): (u64, _)| put(offset + slot * word, *value)),
            }
            missing |= !available;
            if flags.contains(vk::QueryResultFlags::WITH_AVAILABILITY) {
                put(offset + pool.kind().values() as u64 * word, available.into());
            }
        }
        if missing { Err(not_yet(vk::Result::NOT_READY)) } else { Ok(()) }
    }
}
