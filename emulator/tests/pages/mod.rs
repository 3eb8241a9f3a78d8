//! Helpers of the tests of sparse resources: a device, binding of memory, and the peak memory of the host.

use quadrille::*;

pub fn device() -> Result<Device> {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })
}

/// Binds memory to a part of a resource, or unbinds it, and waits.
pub fn bind(device: &Device, part: SparsePart<'_>, memory: Option<(&Memory, u64)>) -> Result<()> {
    let binds = [(part, memory)];
    device.queue().bind_sparse(&[SparseSubmit { binds: &binds, ..SparseSubmit::default() }], None)?;
    device.queue().wait_idle()
}

/// Peak memory of this process, in bytes.
#[cfg(target_os = "linux")]
pub fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}
