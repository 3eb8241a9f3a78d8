//! Aborts: OpAbortKHR ends an invocation, and the work that it belongs to, with a message for the client.
//!
//! Owns the parts of a message as generated code passes them, and the abort of the work of this thread, which
//! [`LaneFn`](crate::call::LaneFn) takes as soon as its code returns. The loss of the device is left to the caller. Spec:
//! SPIR-V, SPV_KHR_abort; Vulkan, VK_KHR_shader_abort.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use crate::printf::Format;

/// Largest message in bytes. Spec: Vulkan, maxShaderAbortMessageSize.
pub const MAX_MESSAGE: u32 = 1 << 16;

/// Maximum number of scalars of one part.
pub const MAX_SCALARS: usize = 64;

/// A scalar of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Offset in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub bytes: u32,
}

/// Part of a message, since one operation has a limited number of arguments. The parts of a message follow each other
/// in the same invocations, and the last one aborts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The message with its constant bytes. No arguments.
    First(Box<[u8]>),
    /// An argument for each scalar.
    Scalars(Box<[Field]>),
    /// Aborts. The arguments are printed by the format.
    Last(Format),
}

impl Part {
    /// Number of arguments.
    pub fn arguments(&self) -> usize {
        match self {
            Part::First(_) => 0,
            Part::Scalars(fields) => fields.len(),
            Part::Last(format) => format.tys.len(),
        }
    }
}

/// An abort that has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abort {
    /// The entry point, the invocation, and the message as text.
    pub text: String,
    /// The message, laid out as its type states.
    pub message: Arc<[u8]>,
}

thread_local! {
    /// The message that the running lane function has passed so far.
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The abort that ended the lane function.
    static ABORT: RefCell<Option<Abort>> = const { RefCell::new(None) };
}

/// Takes a part from an invocation, with the bits of its arguments. Returns true for the last one.
pub fn take_part(part: &Part, values: &[u64]) -> bool {
    match part {
        Part::First(bytes) => MESSAGE.set(bytes.to_vec()),
        Part::Scalars(fields) => MESSAGE.with_borrow_mut(|message| {
            for (field, value) in fields.iter().zip(values) {
                let bytes = (field.bytes as usize).min(8);
                if let Some(place) = message.get_mut(field.offset as usize..).and_then(|m| m.get_mut(..bytes))
                {
                    place.copy_from_slice(&value.to_le_bytes()[..bytes]);
                }
            }
        }),
        Part::Last(format) => {
            ABORT.set(Some(Abort { text: format.render(values), message: MESSAGE.take().into() }));
            return true;
        }
    }
    false
}

/// The abort that ended calls of a lane function, from any thread.
#[derive(Debug, Default)]
pub struct Aborts(Mutex<Option<Abort>>);

impl Aborts {
    /// Keeps the abort of this thread, unless there is one already.
    pub fn keep(&self) {
        if let Some(abort) = ABORT.take() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(abort);
        }
    }

    /// Takes the abort.
    pub fn take(&self) -> Option<Abort> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::Ty;

    /// Scalars go to their offsets, and those past the end of the message nowhere.
    #[test]
    fn parts_make_a_message() {
        let fields =
            [Field { offset: 1, bytes: 2 }, Field { offset: 6, bytes: 4 }, Field { offset: 9, bytes: 1 }];
        assert!(!take_part(&Part::First(Box::new([9; 8])), &[]));
        assert!(!take_part(&Part::Scalars(Box::new(fields)), &[0x1234_5678, 1, 1]));
        let format = Format { text: "at %u".into(), tys: vec![Ty::I32], separator: "" };
        assert!(take_part(&Part::Last(format), &[7]));
        let aborts = Aborts::default();
        aborts.keep();
        let message = [9, 0x78, 0x56, 9, 9, 9, 9, 9].into();
        assert_eq!(aborts.take(), Some(Abort { text: "at 7".into(), message }));
        aborts.keep();
        assert_eq!(aborts.take(), None);
    }
}
