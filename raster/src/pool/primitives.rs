//! Primitives of the protocols between threads ([`super::job`], [`super::watched`]): those of the standard library.
//!
//! `conformance/loom` compiles the same protocols with primitives that try every order of memory accesses.

pub(super) use std::hint::spin_loop;
pub(super) use std::sync::Mutex;
pub(super) use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
pub(super) use std::thread::{Thread, current, park, yield_now};
