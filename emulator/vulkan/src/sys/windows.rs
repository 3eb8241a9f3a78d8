//! Windows, where devices share nothing by descriptors.

#![expect(
    unsafe_code,
    reason = "has the types of the other systems, and asks for the file of a library and the clock"
)]

use std::ffi::{OsString, c_int, c_void};
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;

use ash::vk;
use quadrille::descriptors::{AsFd, BorrowedFd, OwnedFd};

/// Time domain of the host's clock, from which the device's clock is computed. Its values are ticks.
pub const HOST_CLOCK: vk::TimeDomainKHR = vk::TimeDomainKHR::QUERY_PERFORMANCE_COUNTER;

/// Value of the host's clock at a time of the device.
pub fn host_time(nanoseconds: u64) -> u64 {
    let mut frequency = 0i64;
    // SAFETY: the pointer is to a live variable.
    unsafe { QueryPerformanceFrequency(&raw mut frequency) };
    ticks(nanoseconds, frequency.unsigned_abs().max(1))
}

/// Number of ticks in a time that was computed from ticks and rounded down.
fn ticks(nanoseconds: u64, frequency: u64) -> u64 {
    (u128::from(nanoseconds) * u128::from(frequency)).div_ceil(1_000_000_000) as u64
}

/// No descriptor: there are none.
///
/// # Safety
/// None needed.
pub unsafe fn borrow<'a>(_fd: c_int) -> Option<BorrowedFd<'a>> {
    None
}

/// Takes a descriptor from the application: there are none.
///
/// # Safety
/// None needed.
pub unsafe fn own(_fd: c_int) {}

/// Gives a descriptor to the application: there are none.
pub fn give(fd: OwnedFd) -> c_int {
    let _ = fd.as_fd();
    -1
}

#[link(name = "kernel32")]
unsafe extern "system" {
    fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
    fn GetModuleFileNameW(module: *mut c_void, name: *mut u16, room: u32) -> u32;
    fn QueryPerformanceFrequency(frequency: *mut i64) -> i32;
}

/// Keeps this library in memory when the loader closes it: its worker threads may still be executing then.
pub fn stay_loaded() {
    /// The module that contains the address, until the process ends.
    const PIN_FROM_ADDRESS: u32 = 4 | 1;
    let mut module = ptr::null_mut();
    let here: fn() = stay_loaded;
    // SAFETY: `module` is a live variable, and any address may be looked up.
    unsafe { GetModuleHandleExW(PIN_FROM_ADDRESS, here as *const c_void, &raw mut module) };
}

/// The file that this library was loaded from.
pub fn own_file() -> Option<PathBuf> {
    /// The module that contains the address, without a reference to it.
    const FROM_ADDRESS: u32 = 4 | 2;
    /// Longest path of the system, in units.
    const LONGEST: usize = 1 << 15;
    let (mut module, mut name) = (ptr::null_mut(), vec![0u16; LONGEST]);
    let here: fn() -> Option<PathBuf> = own_file;
    // SAFETY: `module` is a live variable, and any address may be looked up.
    if unsafe { GetModuleHandleExW(FROM_ADDRESS, here as *const c_void, &raw mut module) } == 0 {
        return None;
    }
    // SAFETY: this code runs in the module, which is therefore loaded, and `name` has room for the stated length.
    let len = unsafe { GetModuleFileNameW(module, name.as_mut_ptr(), LONGEST as u32) } as usize;
    // 0 is an error; a name that fills the room is cut off.
    (1..LONGEST).contains(&len).then(|| OsString::from_wide(&name[..len]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_survive_their_time() {
        for frequency in [10_000_000u64, 3_579_545, 24_000_000, 999_999_937] {
            for count in [0u64, 1, 2, 3, 12_345_678_901, 1 << 52] {
                let nanoseconds = (u128::from(count) * 1_000_000_000 / u128::from(frequency)) as u64;
                assert_eq!(ticks(nanoseconds, frequency), count, "{frequency}");
            }
        }
    }
}
