//! Chapter "Command Buffers": submission.

use std::ffi::c_void;

use ash::vk;
use quadrille::{CommandBuffer as List, Fence, Semaphore, Submit, SubmitStages};

use super::CommandBuffer;
use crate::device::queue::Queue;
use crate::interface::chain::{find, slice};
use crate::interface::guard::{VkResult, commands, device_code};
use crate::interface::handle::{get, get_opt};

/// A converted batch, with references instead of handles.
struct Batch<'a> {
    waits: Vec<(&'a Semaphore, u64)>,
    commands: Vec<&'a List>,
    signals: Vec<(&'a Semaphore, u64)>,
    /// Waiting stages, and completed stages.
    stages: [Vec<u64>; 2],
}

/// Returns semaphores with their values; binary ones need no value.
///
/// # Safety
/// The handles are live semaphores.
pub unsafe fn semaphores<'a>(list: &[vk::Semaphore], values: &[u64]) -> Vec<(&'a Semaphore, u64)> {
    let value = |i: usize| values.get(i).copied().unwrap_or(0);
    // SAFETY: the caller promises that the handles are live.
    list.iter().enumerate().map(|(i, &s)| (unsafe { get::<Semaphore>(s) }, value(i))).collect()
}

/// Returns the waiting stages, by semaphore.
///
/// # Safety
/// The structure is valid.
unsafe fn stages(info: &vk::SubmitInfo<'_>) -> Vec<u64> {
    // SAFETY: the caller promises a valid structure, which has a mask for each wait semaphore.
    let masks = unsafe { slice(info.p_wait_dst_stage_mask, info.wait_semaphore_count) };
    masks.iter().map(|s| s.as_raw().into()).collect()
}

/// Converts a batch of the first version of the command.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live.
unsafe fn from_v1<'a>(info: &vk::SubmitInfo<'_>) -> Batch<'a> {
    // SAFETY: the caller promises a valid structure with live handles.
    unsafe {
        let values = find::<vk::TimelineSemaphoreSubmitInfo>(info.p_next);
        let of = |f: fn(&vk::TimelineSemaphoreSubmitInfo<'_>) -> (*const u64, u32)| {
            values.map_or(&[][..], |v| {
                let (list, n) = f(v);
                slice(list, n)
            })
        };
        let wait_values = of(|v| (v.p_wait_semaphore_values, v.wait_semaphore_value_count));
        let signal_values = of(|v| (v.p_signal_semaphore_values, v.signal_semaphore_value_count));
        let waits = slice(info.p_wait_semaphores, info.wait_semaphore_count);
        let signals = slice(info.p_signal_semaphores, info.signal_semaphore_count);
        let commands = slice(info.p_command_buffers, info.command_buffer_count);
        Batch {
            waits: semaphores(waits, wait_values),
            commands: commands.iter().map(|&c| &get::<CommandBuffer>(c).list).collect(),
            signals: semaphores(signals, signal_values),
            stages: [stages(info), Vec::new()],
        }
    }
}

/// Converts a batch of the second version of the command.
///
/// # Safety
/// `info` is valid, and its handles are live.
unsafe fn from_v2<'a>(info: &vk::SubmitInfo2<'_>) -> Batch<'a> {
    // SAFETY: the caller promises a valid structure with live handles.
    unsafe {
        let semaphores = |list: *const vk::SemaphoreSubmitInfo<'_>, n| {
            slice(list, n).iter().map(|s| (get::<Semaphore>(s.semaphore), s.value)).collect()
        };
        let stages = |list: *const vk::SemaphoreSubmitInfo<'_>, n| -> Vec<u64> {
            slice(list, n).iter().map(|s| s.stage_mask.as_raw()).collect()
        };
        let commands = slice(info.p_command_buffer_infos, info.command_buffer_info_count);
        Batch {
            waits: semaphores(info.p_wait_semaphore_infos, info.wait_semaphore_info_count),
            commands: commands.iter().map(|c| &get::<CommandBuffer>(c.command_buffer).list).collect(),
            signals: semaphores(info.p_signal_semaphore_infos, info.signal_semaphore_info_count),
            stages: [
                stages(info.p_wait_semaphore_infos, info.wait_semaphore_info_count),
                stages(info.p_signal_semaphore_infos, info.signal_semaphore_info_count),
            ],
        }
    }
}

/// Submits converted batches.
///
/// # Safety
/// The queue is live, and the fence is live or null.
unsafe fn submit(queue: vk::Queue, batches: &[Batch<'_>], fence: vk::Fence) -> VkResult {
    let submits: Vec<Submit<'_>> = batches
        .iter()
        .map(|b| Submit { waits: &b.waits, commands: &b.commands, signals: &b.signals })
        .collect();
    // SAFETY: the caller promises that the queue is live and the fence live or null.
    let (queue, fence) = unsafe { (get::<Queue>(queue), get_opt::<Fence>(fence)) };
    let stages: Vec<_> =
        batches.iter().map(|b| SubmitStages { waits: &b.stages[0], signals: &b.stages[1] }).collect();
    queue.queue.submit_staged(&submits, &stages, fence).map_err(|e| device_code(queue.queue.device(), &e))
}

/// `true` if a batch of the chain is the last one of its frame.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn ends_frame(next: *const c_void) -> bool {
    // SAFETY: the caller promises a valid chain.
    let boundary = unsafe { find::<vk::FrameBoundaryEXT<'_>>(next) };
    boundary.is_some_and(|b| b.flags.contains(vk::FrameBoundaryFlagsEXT::FRAME_END))
}

/// Ends the frame of traces, if one of the submitted batches is the last one of its frame.
///
/// # Safety
/// The queue is live.
pub unsafe fn end_frame(queue: vk::Queue, mut ends: impl Iterator<Item = bool>) {
    if ends.any(|end| end) {
        // SAFETY: the caller promises a live queue.
        unsafe { get::<Queue>(queue) }.queue.device().end_frame();
    }
}

commands! {
    fn queue_submit(
        queue: vk::Queue,
        n: u32,
        submits: *const vk::SubmitInfo<'_>,
        fence: vk::Fence,
    ) -> vk::Result {
        let submits = slice(submits, n);
        let batches: Vec<_> = submits.iter().map(|s| from_v1(s)).collect();
        submit(queue, &batches, fence)?;
        end_frame(queue, submits.iter().map(|s| ends_frame(s.p_next)));
        Ok(())
    }

    fn queue_submit2(
        queue: vk::Queue,
        n: u32,
        submits: *const vk::SubmitInfo2<'_>,
        fence: vk::Fence,
    ) -> vk::Result {
        let submits = slice(submits, n);
        let batches: Vec<_> = submits.iter().map(|s| from_v2(s)).collect();
        submit(queue, &batches, fence)?;
        end_frame(queue, submits.iter().map(|s| ends_frame(s.p_next)));
        Ok(())
    }
}
