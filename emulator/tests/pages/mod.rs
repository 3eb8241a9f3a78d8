//! What tests of sparse resources share: a device, binding of memory, and the memory that the host gives.

use quadrille::*;

pub fn device() -> Result<Device> {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })
}

/// Binds memory to a part, or none, and waits.
pub fn bind(device: &Device, part: SparsePart<'_>, memory: Option<(&Memory, u64)>) -> Result<()> {
    let binds = [(part, memory)];
    device.queue().bind_sparse(&[SparseSubmit { binds: &binds, ..SparseSubmit::default() }], None)?;
    device.queue().wait_idle()
}

/// The most memory that this process has had, in bytes.
#[cfg(target_os = "linux")]
pub fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}
