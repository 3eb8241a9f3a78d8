//! Windows, where devices share nothing by descriptors, and SwiftShader's place in a browser has another file name.

#![expect(unsafe_code, reason = "has the types of the other systems")]

use std::ffi::c_int;
use std::path::PathBuf;

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

/// The file that this library was loaded from. The driver needs it only to stand in for SwiftShader.
pub fn own_file() -> Option<PathBuf> {
    None
}
