//! Locations of descriptors in the memory of sets.
//!
//! Owns the layouts that code is generated for. Left to others: the descriptors themselves ([`super`]), and handles
//! ([`crate::handle`]).

use super::{DESCRIPTOR_BYTES, MAX_COLORS};
use crate::ir::{ATTACHMENT_SET, COLOR_BINDING, DEPTH_STENCIL_BINDING};

/// Representation of a binding in set memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DescriptorForm {
    /// [`Descriptor`](super::Descriptor)s that all refer to live resources. Only the device writes this memory, and never while shaders
    /// run.
    Resolved,
    /// [Handles](crate::handle), one word each, [`DESCRIPTOR_BYTES`] apart. Applications and shaders may write the
    /// memory at any time.
    Handles,
    /// The bytes of an inline uniform block. The binding's count is the size in bytes.
    Inline,
}

/// Location of a binding's descriptors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BindingLayout {
    /// Set number.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// Byte offset of the first descriptor in set memory.
    pub offset: u32,
    /// Number of descriptors in the array; size in bytes of an inline uniform block.
    pub count: u32,
    /// Dynamic buffers: index of the first descriptor in [`Ctx::dynamic`](super::Ctx::dynamic); set memory is not read.
    pub dynamic: Option<u32>,
    /// Representation in set memory.
    pub form: DescriptorForm,
}

impl BindingLayout {
    /// Descriptors starting at byte `offset` of a set's memory, all of them valid.
    pub fn new(set: u32, binding: u32, offset: u32, count: u32) -> Self {
        BindingLayout { set, binding, offset, count, dynamic: None, form: DescriptorForm::Resolved }
    }

    /// Bindings of [`ATTACHMENT_SET`].
    pub fn attachments() -> [BindingLayout; 2] {
        let colors = MAX_COLORS as u32;
        [
            BindingLayout::new(ATTACHMENT_SET, COLOR_BINDING, 0, colors),
            BindingLayout::new(ATTACHMENT_SET, DEPTH_STENCIL_BINDING, colors * DESCRIPTOR_BYTES, 2),
        ]
    }

    /// Number of descriptors; an inline uniform block counts as one.
    pub fn descriptors(&self) -> u32 {
        if self.form == DescriptorForm::Inline { self.count.min(1) } else { self.count }
    }
}

/// Locations of all descriptors; part of the key of a shader variant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Bindings of all sets.
    pub bindings: Vec<BindingLayout>,
}

impl Layout {
    /// Returns the binding, if it exists.
    pub fn find(&self, set: u32, binding: u32) -> Option<&BindingLayout> {
        self.bindings.iter().find(|b| b.set == set && b.binding == binding)
    }
}
