//! What the objects of the API have in common: each belongs to one device, and those of different devices
//! do not mix. Every call that takes two objects asks [`same_device`].

use std::any::Any;
use std::sync::Weak;

use crate::error::{Result, ensure};

/// An object that a number in a table is of; the tables do not ask which.
pub(crate) type Owner = Weak<dyn Any + Send + Sync>;

/// Something that a device made.
pub(crate) trait Object {
    /// What messages call it.
    const NAME: &'static str;

    /// Number of its device; `None` for what serves every device (memory of the host).
    fn device_id(&self) -> Option<u64>;
}

/// An object whose clones are the same object.
pub(crate) trait Shared: Object + Clone {
    /// What tells it from others as long as a clone, or what [`Shared::weak`] gives, lives.
    fn address(&self) -> usize;

    /// Keeps its address from being another's, but not itself alive.
    fn weak(&self) -> Weak<dyn Any + Send + Sync>;
}

/// `Invalid` unless both belong to the same device.
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

/// Objects that are an `Arc` and nothing else.
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
