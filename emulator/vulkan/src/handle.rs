//! Handles: how objects of the driver become numbers and pointers, and back.
//!
//! An object lives in a box behind a word for the loader and what applications have attached to it; its handle is the box's
//! address. All handles, dispatchable or not, have this one shape, so that `unsafe` has one too.

use std::cell::UnsafeCell;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use ash::vk;
use ash::vk::Handle;
use quadrille::reserve::{Room, carry};

use crate::hand;

/// What the loader expects in the first word of a dispatchable object before it puts its own
/// pointer there.
pub const LOADER_MAGIC: usize = 0x01CD_C0DE;

/// An object with a handle.
pub trait Object: Sized + Send + Sync + 'static {
    /// Type of its handle.
    type Handle: Handle + Copy;
}

/// Says which handle belongs to which object.
macro_rules! objects {
    ($($object:ty => $handle:ident),* $(,)?) => {
        $(impl $crate::handle::Object for $object { type Handle = ash::vk::$handle; })*
    };
}
pub(crate) use objects;

/// What applications attach to an object. It ends with the object.
#[derive(Default)]
pub struct Attached {
    /// Private data: numbers, by what stands for their slots.
    pub data: Vec<(Weak<()>, u64)>,
    /// What messages call it.
    pub name: Option<Box<str>>,
}

/// What boxes of all types begin with.
#[repr(C)]
struct Header {
    /// Belongs to the loader.
    loader: UnsafeCell<usize>,
    attached: Mutex<Attached>,
}

/// The box a handle points to.
#[repr(C)]
struct Slot<T> {
    header: Header,
    object: T,
}

/// Memory of the host that must be left for an object, and for what comes with it in small pieces.
pub const ROOM: usize = 1 << 20;

/// Moves an object behind a new handle. Where memory is out, the error goes to the guard of the command.
pub fn create<T: Object>(object: T) -> T::Handle {
    let _room = carry(Room::quick(ROOM));
    let header = Header { loader: UnsafeCell::new(LOADER_MAGIC), attached: Mutex::default() };
    let slot = Box::new(Slot { header, object });
    T::Handle::from_raw(Box::into_raw(slot) as usize as u64)
}

/// The object behind a handle.
///
/// # Safety
/// `handle` came from [`create`] for this `T` and is not destroyed while the reference is used.
pub unsafe fn get<'a, T: Object>(handle: T::Handle) -> &'a T {
    hand::take(T::Handle::TYPE, handle.as_raw());
    // SAFETY: the caller vouches that `create` made the handle for `T`; its box stays until `destroy`.
    unsafe { &(*(handle.as_raw() as usize as *const Slot<T>)).object }
}

/// What is attached to the object behind a handle of any type.
///
/// # Safety
/// `raw` came from [`create`] and is not destroyed while the reference is used.
pub unsafe fn attached<'a>(raw: u64) -> MutexGuard<'a, Attached> {
    // SAFETY: the caller vouches that `create` made the handle; boxes of all types begin with a header.
    unsafe { &(*(raw as usize as *const Header)).attached }.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The objects that the command of this thread has used last, with their names.
pub fn in_hand() -> impl Iterator<Item = (hand::Held, Option<Box<str>>)> {
    // SAFETY: `get` had them in hand, whose callers vouch for them, while the command runs that still does; those that it
    // has destroyed are forgotten.
    hand::objects().into_iter().map(|held| (held, unsafe { attached(held.1) }.name.clone()))
}

/// The object behind a handle, `None` for VK_NULL_HANDLE.
///
/// # Safety
/// As for [`get`], or null.
pub unsafe fn get_opt<'a, T: Object>(handle: T::Handle) -> Option<&'a T> {
    if handle.is_null() {
        return None;
    }
    // SAFETY: not null, so the caller vouches that `create` made the handle for `T`.
    Some(unsafe { get(handle) })
}

/// The object behind a handle that the command's caller synchronizes externally.
///
/// # Safety
/// As for [`get`], and no other reference to the object is in use.
pub unsafe fn get_mut<'a, T: Object>(handle: T::Handle) -> &'a mut T {
    hand::take(T::Handle::TYPE, handle.as_raw());
    // SAFETY: the caller vouches that `create` made the handle for `T`, and that no other reference is in
    // use.
    unsafe { &mut (*(handle.as_raw() as usize as *mut Slot<T>)).object }
}

/// Takes the object back; `None` for VK_NULL_HANDLE.
///
/// # Safety
/// `handle` is null or came from [`create`] for this `T`, and is not used again.
pub unsafe fn destroy<T: Object>(handle: T::Handle) -> Option<T> {
    if handle.is_null() {
        return None;
    }
    hand::forget(handle.as_raw());
    // SAFETY: `create` made the box, and the caller gives up the handle.
    let slot = unsafe { Box::from_raw(handle.as_raw() as usize as *mut Slot<T>) };
    Some(slot.object)
}

/// Creates `handles.len()` objects; on failure destroys those made, nulls all handles, returns the code.
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
            // SAFETY: `out` has room for `n`.
            Ok(object) => unsafe { out.add(i).write(create(object)) },
            Err(code) => {
                for j in 0..n {
                    // SAFETY: the first `i` were written above; none was given to the caller.
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
        // SAFETY: the handle is alive until it is destroyed.
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
        // SAFETY: `out` has room for three.
        let result = unsafe {
            create_many(out.as_mut_ptr(), 3, |i| if i < 2 { Ok(Thing(kept.clone())) } else { Err(fail) })
        };
        assert!(result.is_err() && out.iter().all(|e| e.is_null()));
        assert_eq!(std::sync::Arc::strong_count(&kept), 1);
    }
}
