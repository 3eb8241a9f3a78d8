//! Linux and macOS.

#![expect(unsafe_code, reason = "descriptors as numbers, and the file of a library")]

use std::ffi::{CStr, OsStr, c_int};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, FromRawFd, IntoRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use ash::vk;

/// Time domain of the host's clock, which is the device's clock, too.
pub const HOST_CLOCK: vk::TimeDomainKHR = vk::TimeDomainKHR::CLOCK_MONOTONIC;

/// Value of the host's clock at a time of the device.
pub fn host_time(nanoseconds: u64) -> u64 {
    nanoseconds
}

/// A descriptor that stays the application's; `None` if the number is negative.
///
/// # Safety
/// The number is negative or that of an open descriptor, which stays open while the result is used.
pub unsafe fn borrow<'a>(fd: c_int) -> Option<BorrowedFd<'a>> {
    // SAFETY: the number is not negative, and the caller promises the rest.
    (fd >= 0).then(|| unsafe { BorrowedFd::borrow_raw(fd) })
}

/// Takes a descriptor from the application.
///
/// # Safety
/// The number is negative or that of an open descriptor, which nothing else owns.
pub unsafe fn own(fd: c_int) {
    if fd >= 0 {
        // SAFETY: promised by the caller.
        drop(unsafe { OwnedFd::from_raw_fd(fd) });
    }
}

/// Gives a descriptor to the application, as a number.
pub fn give(fd: OwnedFd) -> c_int {
    fd.into_raw_fd()
}

/// Keeps this library in memory when the loader closes it: `build.rs` links it so.
pub fn stay_loaded() {}

/// The file that this library was loaded from, under the name by which it was opened.
pub fn own_file() -> Option<PathBuf> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    let here: fn() -> Option<PathBuf> = own_file;
    // SAFETY: `info` has room for the result, and any address may be looked up.
    if unsafe { libc::dladdr(here as *const libc::c_void, info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: zeros are a valid `Dl_info`, and `dladdr` succeeded.
    let name = unsafe { info.assume_init() }.dli_fname;
    if name.is_null() {
        return None;
    }
    // SAFETY: the loader owns this string, which lives as long as this library is loaded.
    let name = unsafe { CStr::from_ptr(name) };
    Some(OsStr::from_bytes(name.to_bytes()).into())
}
