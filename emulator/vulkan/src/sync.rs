//! Chapter "Synchronization and Cache Control": fences, semaphores, events. Barriers are in `commands::sync`.

use std::cell::Cell;
use std::time::Duration;

use ash::vk;
use quadrille::{Event, Fence, Semaphore};

use crate::capabilities::sharing;
use crate::device::Device;
use crate::interface::chain::{find, slice};
use crate::interface::guard::{VkResult, check_lost, code, commands, device_code};
use crate::interface::handle::{create, destroy, get, objects};

objects!(Fence => Fence, Semaphore => Semaphore, Event => Event);

/// Converts a timeout in nanoseconds; `u64::MAX` means forever.
pub fn timeout(ns: u64) -> Option<Duration> {
    (ns != u64::MAX).then(|| Duration::from_nanos(ns))
}

/// Converts the result of a wait that may time out.
fn waited(device: &quadrille::Device, result: quadrille::Result<bool>) -> VkResult {
    match result {
        Ok(true) => Ok(()),
        Ok(false) => Err(vk::Result::TIMEOUT),
        Err(e) => Err(device_code(device, &e)),
    }
}

/// Longest wait in the status of a fence. A host that asks in a loop then leaves its processor to the device, and one that asks
/// once per frame loses less than a hundredth of it.
const PATIENCE: Duration = Duration::from_micros(100);

thread_local! {
    /// Address of the fence that this thread was last told is not signaled; 0 for none.
    static LAST_UNSIGNALED: Cell<usize> = const { Cell::new(0) };
}

/// Status of a fence. The host works on the processors of the device, and a thread that asks for one fence again and again would
/// keep one of them: the second question in a row waits for the fence for [`PATIENCE`].
fn fence_status(fence: &Fence) -> quadrille::Result<bool> {
    let this = std::ptr::from_ref(fence).addr();
    let patience = if LAST_UNSIGNALED.get() == this { PATIENCE } else { Duration::ZERO };
    let signaled = fence.status_within(patience)?;
    LAST_UNSIGNALED.set(if signaled { 0 } else { this });
    Ok(signaled)
}

/// The answer to a host that asks again and again until the device is done. The host's thread gives up its turn first, as the
/// device works on the same processors.
pub fn not_yet(answer: vk::Result) -> vk::Result {
    std::thread::yield_now();
    answer
}

commands! {
    fn create_fence(
        device: vk::Device,
        info: *const vk::FenceCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Fence,
    ) -> vk::Result {
        let signaled = (*info).flags.contains(vk::FenceCreateFlags::SIGNALED);
        let device = &get::<Device>(device).device;
        let export = find::<vk::ExportFenceCreateInfo>((*info).p_next);
        *out = create(match export.and_then(|e| sharing::fence_sharing(e.handle_types)) {
            Some(sharing) => device.create_shared_fence(signaled, sharing).map_err(|e| code(&e))?,
            None => device.create_fence(signaled),
        });
        Ok(())
    }

    fn destroy_fence(_d: vk::Device, fence: vk::Fence, _allocator: *const vk::AllocationCallbacks<'_>) {
        drop(destroy::<Fence>(fence));
    }

    fn reset_fences(_d: vk::Device, n: u32, fences: *const vk::Fence) -> vk::Result {
        for &fence in slice(fences, n) {
            get::<Fence>(fence).reset();
        }
        Ok(())
    }

    fn get_fence_status(device: vk::Device, fence: vk::Fence) -> vk::Result {
        let device = &get::<Device>(device).device;
        check_lost(device)?;
        match fence_status(get::<Fence>(fence)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(not_yet(vk::Result::NOT_READY)),
            Err(e) => Err(device_code(device, &e)),
        }
    }

    fn wait_for_fences(
        device: vk::Device,
        n: u32,
        fences: *const vk::Fence,
        all: vk::Bool32,
        ns: u64,
    ) -> vk::Result {
        let device = &get::<Device>(device).device;
        check_lost(device)?;
        let fences: Vec<&Fence> = slice(fences, n).iter().map(|&f| get::<Fence>(f)).collect();
        waited(device, Fence::wait_many(device, &fences, all != 0, timeout(ns)))
    }

    fn create_semaphore(
        device: vk::Device,
        info: *const vk::SemaphoreCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Semaphore,
    ) -> vk::Result {
        let device = &get::<Device>(device).device;
        let kind = find::<vk::SemaphoreTypeCreateInfo>((*info).p_next);
        let kind = kind.filter(|k| k.semaphore_type == vk::SemaphoreType::TIMELINE);
        let start = kind.map(|k| k.initial_value);
        let export = find::<vk::ExportSemaphoreCreateInfo>((*info).p_next);
        let sharing = export.and_then(|e| sharing::semaphore_sharing(e.handle_types));
        *out = create(match (sharing, start) {
            (Some(sharing), _) => device.create_shared_semaphore(start, sharing).map_err(|e| code(&e))?,
            (None, Some(start)) => device.create_timeline_semaphore(start),
            (None, None) => device.create_semaphore(),
        });
        Ok(())
    }

    fn destroy_semaphore(
        _d: vk::Device,
        semaphore: vk::Semaphore,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Semaphore>(semaphore));
    }

    fn get_semaphore_counter_value(
        device: vk::Device,
        semaphore: vk::Semaphore,
        value: *mut u64,
    ) -> vk::Result {
        let device = &get::<Device>(device).device;
        *value = get::<Semaphore>(semaphore).value().map_err(|e| device_code(device, &e))?;
        Ok(())
    }

    fn wait_semaphores(
        device: vk::Device,
        info: *const vk::SemaphoreWaitInfo<'_>,
        ns: u64,
    ) -> vk::Result {
        let (info, device) = (&*info, &get::<Device>(device).device);
        check_lost(device)?;
        let values = slice(info.p_values, info.semaphore_count);
        let waits: Vec<(&Semaphore, u64)> = slice(info.p_semaphores, info.semaphore_count)
            .iter()
            .zip(values)
            .map(|(&semaphore, &value)| (get::<Semaphore>(semaphore), value))
            .collect();
        let all = !info.flags.contains(vk::SemaphoreWaitFlags::ANY);
        waited(device, Semaphore::wait_many(device, &waits, all, timeout(ns)))
    }

    fn signal_semaphore(_d: vk::Device, info: *const vk::SemaphoreSignalInfo<'_>) -> vk::Result {
        get::<Semaphore>((*info).semaphore).signal((*info).value);
        Ok(())
    }

    fn create_event(
        device: vk::Device,
        _info: *const vk::EventCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Event,
    ) -> vk::Result {
        *out = create(get::<Device>(device).device.create_event());
        Ok(())
    }

    fn destroy_event(_d: vk::Device, event: vk::Event, _allocator: *const vk::AllocationCallbacks<'_>) {
        drop(destroy::<Event>(event));
    }

    fn get_event_status(device: vk::Device, event: vk::Event) -> vk::Result {
        match get::<Event>(event).status() {
            Ok(true) => Err(vk::Result::EVENT_SET),
            Ok(false) => Err(not_yet(vk::Result::EVENT_RESET)),
            Err(e) => Err(device_code(&get::<Device>(device).device, &e)),
        }
    }

    fn set_event(_d: vk::Device, event: vk::Event) -> vk::Result {
        get::<Event>(event).set();
        Ok(())
    }

    fn reset_event(_d: vk::Device, event: vk::Event) -> vk::Result {
        get::<Event>(event).reset();
        Ok(())
    }
}
