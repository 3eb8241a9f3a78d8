//! Windows, where devices share nothing by descriptors.

#![expect(unsafe_code, reason = "has the types of the other systems, and asks for the file of a library")]

use std::ffi::{OsString, c_int, c_void};
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;

use quadrille::descriptors::{AsFd, BorrowedFd, OwnedFd};

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
