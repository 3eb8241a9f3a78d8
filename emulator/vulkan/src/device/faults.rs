//! Faults of a device: the reason of its loss, and the mistakes of shaders that checks report while they run
//! (`QUADRILLE_CHECK=1`). Spec: Vulkan, VK_KHR_device_fault and VK_EXT_device_fault.
//!
//! Faults have no addresses, because accesses are bounds-checked: a report of the checks has the line, the invocation and
//! the values in its text.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ash::vk;
use quadrille::check::{Report, ReportSink};

use super::Device;
use crate::capabilities::limits::MAX_FAULTS;
use crate::interface::chain::{each, fixed, write_whole};
use crate::interface::guard::{VkResult, commands};
use crate::interface::handle::get;
use crate::interface::messages;
use crate::newer::{DeviceFaultDebugInfoKHR, DeviceFaultInfoKHR, DeviceFaultShaderAbortMessageInfoKHR};

/// Interval at which waits look for the loss of the device.
const POLL: Duration = Duration::from_millis(2);

/// VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR.
const LOST: u32 = 1;
/// VK_DEVICE_FAULT_FLAG_VENDOR_KHR.
const VENDOR: u32 = 1 << 3;
/// VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR.
const TIMEOUT: u32 = 1 << 4;
/// VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR.
const OVERFLOW: u32 = 1 << 5;

/// A fault that has not been read yet.
#[derive(Clone)]
struct Fault {
    flags: u32,
    group: u64,
    text: String,
    /// Kind of the mistake; empty for the loss of the device.
    kind: &'static str,
    /// Number of times that the mistake occurred.
    count: u64,
}

#[derive(Default)]
struct Log {
    faults: VecDeque<Fault>,
    last_group: u64,
    has_told_loss: bool,
}

impl Log {
    fn push(&mut self, flags: u32, text: String, kind: &'static str, count: u64) {
        self.last_group += 1;
        self.faults.push_back(Fault { flags, group: self.last_group, text, kind, count });
        if self.faults.len() > MAX_FAULTS as usize {
            self.faults.pop_front();
            if let Some(oldest) = self.faults.front_mut() {
                oldest.flags |= OVERFLOW;
            }
        }
    }
}

/// The faults of a device.
#[derive(Clone, Default)]
pub struct Faults(Arc<(Mutex<Log>, Condvar)>);

impl Faults {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a sink that sends reports of checks to messengers, and keeps them as faults if `kept`.
    pub fn sink(&self, kept: bool) -> ReportSink {
        let ReportSink(tell) = messages::report_sink();
        if !kept {
            return ReportSink(tell);
        }
        let faults = self.clone();
        ReportSink(Arc::new(move |report: &Report, text: &str| {
            tell(report, text);
            faults.log().push(VENDOR, text.to_owned(), report.kind.id(), report.count);
            faults.0.1.notify_all();
        }))
    }

    /// Adds the loss of the device, once.
    fn look_for_loss(&self, device: &quadrille::Device) {
        let Err(why) = device.check_lost() else { return };
        let mut log = self.log();
        if !log.has_told_loss {
            log.has_told_loss = true;
            let why = why.to_string();
            let ran_long = why.contains("budget") || why.contains(device.options().budget_set_by);
            log.push(LOST | if ran_long { TIMEOUT } else { 0 }, why, "", 1);
        }
    }

    /// Waits until there is a fault, or the time is over. Returns `false` if there is none.
    fn wait(&self, device: &quadrille::Device, timeout: Duration) -> bool {
        let end = Instant::now().checked_add(timeout);
        loop {
            self.look_for_loss(device);
            let log = self.log();
            if !log.faults.is_empty() {
                return true;
            }
            let left = end.map_or(POLL, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return false;
            }
            // Another thread may push a fault, and the loss of the device is seen at the next look.
            let _ = self.0.1.wait_timeout(log, left.min(POLL));
        }
    }

    /// Takes up to `n` faults, oldest first; `true` if more are left.
    fn take(&self, n: usize) -> (Vec<Fault>, bool) {
        let mut log = self.log();
        let n = n.min(log.faults.len());
        let taken = log.faults.drain(..n).collect();
        (taken, !log.faults.is_empty())
    }
}

fn fill(fault: &Fault, out: &mut DeviceFaultInfoKHR) {
    out.flags = fault.flags;
    out.group_id = fault.group;
    out.description = fixed(&fault.text);
    out.vendor_info.description = fixed(fault.kind);
    (out.vendor_info.vendor_fault_code, out.vendor_info.vendor_fault_data) = (0, fault.count);
}

/// The message by which a shader lost the device, as a pair of its size and its bytes; empty if none did. Spec: Vulkan,
/// "Shader Abort Messages".
fn abort_messages(device: &quadrille::Device) -> Vec<u8> {
    let Err(quadrille::Error::Aborted { message, .. }) = device.check_lost() else { return Vec::new() };
    [&(message.len() as u64).to_le_bytes(), &message[..]].concat()
}

/// Answers vkGetDeviceFaultReportsKHR once there are faults.
///
/// # Safety
/// `count` is valid, and `out` is null or has `*count` valid structures.
unsafe fn reports(faults: &Faults, count: *mut u32, out: *mut DeviceFaultInfoKHR) -> VkResult {
    // SAFETY: the caller promises valid pointers.
    unsafe {
        if out.is_null() {
            *count = faults.log().faults.len() as u32;
            return Ok(());
        }
        let (taken, more) = faults.take(*count as usize);
        for (i, fault) in taken.iter().enumerate() {
            fill(fault, &mut *out.add(i));
        }
        *count = taken.len() as u32;
        if more { Err(vk::Result::INCOMPLETE) } else { Ok(()) }
    }
}

commands! {
    fn get_device_fault_reports(
        device: vk::Device,
        timeout: u64,
        count: *mut u32,
        out: *mut DeviceFaultInfoKHR,
    ) -> vk::Result {
        let device = get::<Device>(device);
        if !device.faults.wait(&device.device, Duration::from_nanos(timeout)) {
            *count = 0;
            return Err(vk::Result::TIMEOUT);
        }
        reports(&device.faults, count, out)
    }

    /// Reports the message of an abort. There is no crash dump.
    fn get_device_fault_debug_info(device: vk::Device, out: *mut DeviceFaultDebugInfoKHR) -> vk::Result {
        (*out).vendor_binary_size = 0;
        let messages = abort_messages(&get::<Device>(device).device);
        let mut result = Ok(());
        each((*out).p_next, |link| {
            if let Some(info) = link.get::<DeviceFaultShaderAbortMessageInfoKHR>() {
                let mut size = usize::try_from(info.message_data_size).unwrap_or(usize::MAX);
                result = write_whole(&messages, &mut size, info.p_message_data);
                info.message_data_size = size as u64;
            }
        });
        result
    }

    /// Reports the reason of the device's loss, such as the entry point that exceeded the budget.
    fn get_device_fault_info(
        device: vk::Device,
        counts: *mut vk::DeviceFaultCountsEXT<'_>,
        out: *mut vk::DeviceFaultInfoEXT<'_>,
    ) -> vk::Result {
        ((*counts).address_info_count, (*counts).vendor_info_count) = (0, 0);
        (*counts).vendor_binary_size = 0;
        if let Some(out) = out.as_mut() {
            let why = get::<Device>(device).device.check_lost().err().map(|e| e.to_string());
            out.description = fixed(&why.unwrap_or_default());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oldest faults are dropped, and the next one says so. Spec: Vulkan, maxDeviceFaultCount.
    #[test]
    fn old_faults_are_dropped() {
        let faults = Faults::default();
        for i in 0..MAX_FAULTS + 2 {
            faults.log().push(VENDOR, format!("{i}"), "race", 1);
        }
        let (taken, more) = faults.take(2);
        let found: Vec<_> = taken.iter().map(|f| (f.flags, f.group, &*f.text)).collect();
        assert_eq!((found, more), (vec![(VENDOR | OVERFLOW, 3, "2"), (VENDOR, 4, "3")], true));
        let (taken, more) = faults.take(usize::MAX);
        assert_eq!((taken.len() as u32, more), (MAX_FAULTS - 2, false));
    }
}
