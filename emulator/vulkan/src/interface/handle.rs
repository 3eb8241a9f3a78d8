//! Handles: conversion of driver objects to numbers and pointers, and back.
//!
//! An object is stored in a box, after a word for the loader and data that applications attach; its handle is the
//! address of the box. All handles, dispatchable or not, have this form, so that all `unsafe` code for them is here.
//! `objects!` in the other modules assigns handles to types.

use std::cell::UnsafeCell;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use ash::vk;
use ash::vk::Handle;
use quadrille::reserve::{Room, carry};

use super::hand;

/// Value that the loader expects in the first word of a dispatchable object, where it then stores its own pointer.
pub const LOADER_MAGIC: usize = 0x01CD_C0DE;

/// An object with a handle.
pub trait Object: Sized + Send + Sync + 'static {
    /// Type of the object's handle.
    type Handle: Handle + Copy;
}

/// Assigns a handle type to each object type.
macro_rules! objects {
    ($($object:ty => $handle:ident),* $(,)?) => {
        $(impl $crate::interface::handle::Object for $object { type Handle = ash::vk::$handle; })*
    };
}
pub(crate) use objects;

/// Data that applications attach to an object; it is dropped with the object.
#[derive(Default)]
pub struct Attached {
    /// Private data: values, by the token of their slot.
    pub data: Vec<(Weak<()>, u64)>,
    /// Name of the object in messages.
    pub name: Option<Box<str>>,
}

/// Common first member of the boxes of all types.
#[repr(C)]
struct Header {
    /// Written by the loader.
    loader: UnsafeCell<usize>,
    attached: Mutex<Attached>,
}

/// The box that a handle points to.
#[repr(C)]
struct Slot<T> {
    header: Header,
    object: T,
}

/// Host memory that must be left for an object and its small allocations, in bytes.
pub const ROOM: usize = 1 << 20;

/// Moves an object behind a new handle. If memory is exhausted, the error unwinds to the guard of the command.
pub fn create<T: Object>(object: T) -> T::Handle {
    let _room = carry(Room::quick(ROOM));
    let header = Header { loader: UnsafeCell::new(LOADER_MAGIC), attached: Mutex::default() };
    let slot = Box::new(Slot { header, object });
    T::Handle::from_raw(Box::into_raw(slot) as usize as u64)
}

/// Returns the object behind a handle.
///
/// # Safety
/// `handle` came from [`create`] for this `T` and is not destroyed while the reference is used.
pub unsafe fn get<'a, T: Object>(handle: T::Handle) -> &'a T {
    hand::take(T::Handle::TYPE, handle.as_raw());
    // SAFETY: the caller promises that `create` made the handle for `T`; the box lives until `destroy`.
    unsafe { &(*(handle.as_raw() as usize as *const Slot<T>)).object }
}

/// Returns the data attached to the object behind a handle of any type.
///
/// # Safety
/// `raw` came from [`create`] and is not destroyed while the reference is used.
pub unsafe fn attached<'a>(raw: u64) -> MutexGuard<'a, Attached> {
    // SAFETY: the caller promises that `create` made the handle; boxes of all types begin with a header.
    unsafe { &(*(raw as usize as *const Header)).attached }.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the objects that the running command of this thread used last, with their names.
pub fn in_hand() -> impl Iterator<Item = (hand::Held, Option<Box<str>>)> {
    // SAFETY: `get` and `get_mut` recorded the handles, whose callers promised that the objects live during the
    // command, which is still running. `destroy` removed the handles of destroyed objects.
    hand::objects().into_iter().map(|held| (held, unsafe { attached(held.1) }.name.clone()))
}

/// Returns the object behind a handle, `None` for VK_NULL_HANDLE.
///
/// # Safety
/// `handle` is null, or the conditions of [`get`] hold.
pub unsafe fn get_opt<'a, T: Object>(handle: T::Handle) -> Option<&'a T> {
    if handle.is_null() {
        return None;
    }
    // SAFETY: the handle is not null, so the caller promises the conditions of `get`.
    Some(unsafe { get(handle) })
}

/// Returns the object behind a handle to which the command has exclusive access (external synchronization).
///
/// # Safety
/// The conditions of [`get`] hold, and no other reference to the object is in use.
pub unsafe fn get_mut<'a, T: Object>(handle: T::Handle) -> &'a mut T {
    hand::take(T::Handle::TYPE, handle.as_raw());
    // SAFETY: the caller promises that `create` made the handle for `T`, and that no other reference is in use.
    unsafe { &mut (*(handle.as_raw() as usize as *mut Slot<T>)).object }
}

/// Destroys a handle and returns its object; `None` for VK_NULL_HANDLE.
///
/// # Safety
/// `handle` is null or came from [`create`] for this `T`, and is not used again.
pub unsafe fn destroy<T: Object>(handle: T::Handle) -> Option<T> {
    if handle.is_null() {
        return None;
    }
    hand::forget(handle.as_raw());
    // SAFETY: the handle is not null, so the caller promises that `create` made the box for `T`, and gives up the
    // handle.
    let slot = unsafe { Box::from_raw(handle.as_raw() as usize as *mut Slot<T>) };
    Some(slot.object)
}

/// Creates `n` objects. On failure it destroys those made, sets all handles to null, and returns the code.
///
/// # Safety
/// `out` has room for `n` handles.
pub unsafe fn create_many<T: Object>(
    out: *mut T::Handle,
    n: usize,
    mut make: impl FnMut(usize) -> Result<T, vk::Result>,
) -> Result<(), vk::Result> {
    for i in 0..n {
        match make(i) {
            // SAFETY: `i` is less than `n`, and the caller promises room for `n` handles.
            Ok(object) => unsafe { out.add(i).write(create(object)) },
            Err(code) => {
                for j in 0..n {
                    // SAFETY: `j` is less than `n`. The first `i` handles were written above, and the caller has not
                    // seen them yet.
                    unsafe {
                        if j < i {
                            drop(destroy::<T>(out.add(j).read()));
                        }
                        out.add(j).write(T::Handle::from_raw(0));
                    }
                }
                return Err(code);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(std::sync::Arc<()>);
    objects!(Thing => Event);

    #[test]
    fn handles_own_their_objects() {
        let kept = std::sync::Arc::new(());
        let handle = create(Thing(kept.clone()));
        // SAFETY: the handle is live until `destroy`.
        unsafe {
            assert_eq!(*(handle.as_raw() as usize as *const usize), LOADER_MAGIC);
            assert!(std::sync::Arc::ptr_eq(&get::<Thing>(handle).0, &kept));
            drop(destroy::<Thing>(handle));
            assert!(get_opt::<Thing>(vk::Event::null()).is_none());
        }
        assert_eq!(std::sync::Arc::strong_count(&kept), 1);
    }

    #[test]
    fn creation_of_many_is_all_or_nothing() {
        let kept = std::sync::Arc::new(());
        let mut out = [vk::Event::from_raw(1); 3];
        let fail = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        // SAFETY: `out` has room for three handles.
        let result = unsafe {
            create_many(out.as_mut_ptr(), 3, |i| if i < 2 { Ok(Thing(kept.clone())) } else { Err(fail) })
        };
        assert!(result.is_err() && out.iter().all(|e| e.is_null()));
        assert_eq!(std::sync::Arc::strong_count(&kept), 1);
    }
}
