//! The host system, as far as devices share memory and events with other devices, processes and drivers: descriptors,
//! files in memory, events, dma-bufs, and mappings of files.
//!
//! The only room of the device library that knows how an operating system provides these; everything else that it
//! needs of a host is in [`quadrille_jit::sys`]. Rights, sizes and lifetimes are left to the callers.

#![expect(unsafe_code, reason = "calls of the operating system")]

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as host;

#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "macos")]
use macos as host;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as host;

#[cfg(unix)]
mod unix;

pub use host::{AsFd, BorrowedFd, OwnedFd};
pub(crate) use host::{dma_buf, event, file, mapping};
