//! Barriers of memory ranges, which are newer than the bindings.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use ash::vk;
use vk::BufferUsageFlags as U;

use super::{COPIED, FILL, Half, Lab, N};

/// VkMemoryRangeBarriersInfoKHR.
#[repr(C)]
struct RangeBarriers {
    ty: i32,
    next: *const c_void,
    n: u32,
    barriers: *const RangeBarrier,
}

/// VkMemoryRangeBarrierKHR, with stages and accesses of each half side by side.
#[repr(C)]
struct RangeBarrier {
    ty: i32,
    next: *const c_void,
    halves: [[u64; 2]; 2],
    families: [u32; 2],
    range: [u64; 2],
    flags: u32,
}

impl Lab {
    /// Records a fill of the first of two new buffers and a copy of it to the second, with a barrier of the memory range
    /// of buffer `of` in between.
    pub fn copy_behind_range(&self, of: usize) {
        let (d, size) = (&self.gpu.device, u64::from(N) * 4);
        let usage = U::TRANSFER_SRC | U::TRANSFER_DST | U::SHADER_DEVICE_ADDRESS;
        let buffers = [(); 2].map(|()| self.gpu.buffer(size, usage).buffer);
        let addresses = ash::khr::buffer_device_address::Device::new(&self.gpu.instance, d);
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffers[of]);
        // SAFETY: valid usage of Vulkan: the buffer is live and bound to memory.
        let address = unsafe { addresses.get_buffer_device_address(&info) };
        let half = |(stages, accesses): Half| [stages.as_raw().into(), accesses.as_raw().into()];
        let barrier = RangeBarrier {
            ty: 1_000_318_005,
            next: std::ptr::null(),
            halves: [half(FILL), half(COPIED)],
            families: [vk::QUEUE_FAMILY_IGNORED; 2],
            range: [address, size],
            flags: 0,
        };
        let barriers =
            RangeBarriers { ty: 1_000_318_004, next: std::ptr::null(), n: 1, barriers: &raw const barrier };
        let info = vk::DependencyInfo { p_next: (&raw const barriers).cast(), ..Default::default() };
        let region = [vk::BufferCopy { size, ..Default::default() }];
        // SAFETY: valid usage of Vulkan: recording has begun, all objects in the commands are live, and the chain has
        // live structures.
        self.run(|c| unsafe {
            d.cmd_fill_buffer(c, buffers[0], 0, vk::WHOLE_SIZE, 0);
            self.sync2.cmd_pipeline_barrier2(c, &info);
            d.cmd_copy_buffer(c, buffers[0], buffers[1], &region);
        });
    }
}
