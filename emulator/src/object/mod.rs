//! Traits and names of the objects of the API. Each object belongs to one device, and objects of different devices do
//! not mix: every call that takes two objects checks [`same_device`].
//!
//! `names` holds the names of objects, for errors, traces and reports of checks; `create::naming` enters them.

pub(crate) mod names;

use std::any::Any;
use std::sync::Weak;

use crate::error::{Result, ensure};

/// The object that a table entry belongs to, of any type.
pub(crate) type Owner = Weak<dyn Any + Send + Sync>;

/// An object that a device created.
pub(crate) trait Object {
    /// Name of the type in messages.
    const NAME: &'static str;

    /// Number of the object's device; `None` for objects that serve every device (host memory).
    fn device_id(&self) -> Option<u64>;
}

/// An object whose clones are the same object.
pub(crate) trait Shared: Object + Clone {
    /// Address that identifies the object as long as a clone, or a result of [`Shared::weak`], lives.
    fn address(&self) -> usize;

    /// Weak reference that keeps the object's address from being reused, but does not keep the object alive.
    fn weak(&self) -> Weak<dyn Any + Send + Sync>;
}

/// Returns `Invalid` unless both objects belong to the same device.
pub(crate) fn same_device<A: Object, B: Object>(a: &A, b: &B) -> Result<()> {
    let same = match (a.device_id(), b.device_id()) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    ensure(same, || format!("the {} and the {} belong to different devices", A::NAME, B::NAME))
}

macro_rules! objects {
    ($($object:ty: $name:literal = |$this:ident| $id:expr;)*) => {$(
        impl $crate::object::Object for $object {
            const NAME: &'static str = $name;
            fn device_id(&self) -> Option<u64> {
                let $this = self;
                $id
            }
        }
    )*};
}
pub(crate) use objects;

/// Implements [`Shared`] for types that consist of one `Arc`.
macro_rules! shared {
    ($($object:ty),*) => {$(
        impl $crate::object::Shared for $object {
            fn address(&self) -> usize {
                std::sync::Arc::as_ptr(&self.0) as usize
            }
            fn weak(&self) -> std::sync::Weak<dyn std::any::Any + Send + Sync> {
                let weak = std::sync::Arc::downgrade(&self.0);
                weak
            }
        }
    )*};
}
pub(crate) use shared;
