//! Devices, one after the other and many at once; each does some work.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::prelude::VkResult;
use ash::vk;

use super::client::{Host, MEMORY, Stock};
use super::points::Points;

/// Number of devices that are alive at once.
const TOGETHER: u64 = 50;

/// Fills the buffer with a word, and checks that the memory contains it.
fn work(stock: &Stock<'_>, word: u32) -> VkResult<bool> {
    let d = &stock.device;
    let info = vk::CommandBufferAllocateInfo::default().command_pool(stock.commands).command_buffer_count(1);
    // SAFETY: all handles belong to `stock`; the queue is idle when the memory is read, and all `MEMORY` bytes of it
    // are mapped.
    unsafe {
        let buffers = d.allocate_command_buffers(&info)?;
        d.begin_command_buffer(buffers[0], &Default::default())?;
        d.cmd_fill_buffer(buffers[0], stock.buffer, 0, vk::WHOLE_SIZE, word);
        d.end_command_buffer(buffers[0])?;
        let submit = vk::SubmitInfo::default().command_buffers(&buffers);
        d.queue_submit(stock.queue, &[submit], vk::Fence::null())?;
        d.queue_wait_idle(stock.queue)?;
        let at = d.map_memory(stock.memory, 0, MEMORY, Default::default())?.cast::<u32>();
        Ok(at.read() == word && at.add(63).read() == word && at.add(64).read() == 0)
    }
}

fn worked(stock: &Stock<'_>, word: u32) -> Result<(), String> {
    match work(stock, word) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("device {word}: the memory does not contain the filled word")),
        Err(e) => Err(format!("device {word}: {e}")),
    }
}

/// Creates `count` devices, one after the other.
///
/// # Errors
/// An error of the driver, a wrong result, or growing memory.
pub fn one_by_one(host: &Host, count: u64, margin: i64) -> Result<String, String> {
    let mut points = Points::new(&format!("{count} devices, one by one"));
    for i in 1..=count {
        let stock = Stock::new(host, 1).map_err(|e| format!("device {i}: {e}"))?;
        worked(&stock, i as u32)?;
        drop(stock);
        points.step(i, count);
    }
    points.check(margin)
}

/// Creates `count` devices, of which many are alive at once.
///
/// # Errors
/// An error of the driver, a wrong result, or growing memory.
pub fn together(host: &Host, count: u64, margin: i64) -> Result<String, String> {
    let rounds = count.div_ceil(TOGETHER).max(super::points::POINTS);
    let mut points = Points::new(&format!("{} devices, {TOGETHER} at once", rounds * TOGETHER));
    for round in 1..=rounds {
        let all: VkResult<Vec<_>> = (0..TOGETHER).map(|_| Stock::new(host, 1)).collect();
        let mut all = all.map_err(|e| format!("round {round}: {e}"))?;
        for i in (0..all.len()).chain((0..all.len()).rev()) {
            worked(&all[i], i as u32 + 1)?;
        }
        while !all.is_empty() {
            drop(all.swap_remove(all.len() / 2));
        }
        points.step(round, rounds);
    }
    points.check(margin)
}
