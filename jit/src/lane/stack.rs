//! Stack space of the function under construction: slots of its own, temporaries that are used again, and one space that
//! belongs to the whole function.

use cranelift_codegen::ir::{self as cl, InstBuilder, types};

use super::{Lane, LaneBuilder, Parts};
use crate::ir::Ty;

/// Stack space that several callers use.
#[derive(Default)]
pub(super) struct Stack {
    /// Reusable space, and the number of its bytes in use.
    temporaries: Option<cl::StackSlot>,
    temporary_bytes: u32,
    /// Space of the whole function; see [`LaneBuilder::reserved`].
    reserved: Option<cl::StackSlot>,
}

impl LaneBuilder<'_> {
    /// Allocates stack space, aligned to a vector, and returns its address. Keep it small.
    pub fn stack(&mut self, bytes: u32) -> Lane {
        let align = self.vector_bytes().trailing_zeros() as u8;
        let data = cl::StackSlotData::new(cl::StackSlotKind::ExplicitSlot, bytes, align);
        let slot = self.fb.create_sized_stack_slot(data);
        let a = self.fb.ins().stack_addr(types::I64, slot, 0);
        self.push(Ty::I64, Parts::Uniform(a))
    }

    /// Temporary stack space, aligned to a vector; valid until an earlier mark is released.
    pub(crate) fn temporary(&mut self, bytes: u32) -> Lane {
        let align = self.vector_bytes().trailing_zeros() as u8;
        let data = cl::StackSlotData::new(cl::StackSlotKind::ExplicitSlot, 0, align);
        let slot = *self.stack.temporaries.get_or_insert_with(|| self.fb.create_sized_stack_slot(data));
        let at = self.stack.temporary_bytes;
        self.stack.temporary_bytes += bytes.next_multiple_of(self.vector_bytes());
        let size = &mut self.fb.func.sized_stack_slots[slot].size;
        *size = (*size).max(self.stack.temporary_bytes);
        let a = self.fb.ins().stack_addr(types::I64, slot, at as i32);
        self.push(Ty::I64, Parts::Uniform(a))
    }

    /// Address `at` in a stack space of `bytes` that belongs to the whole function, aligned to a vector. All calls pass
    /// the same size.
    pub(crate) fn reserved(&mut self, bytes: u32, at: u32) -> Lane {
        let align = self.vector_bytes().trailing_zeros() as u8;
        let data = cl::StackSlotData::new(cl::StackSlotKind::ExplicitSlot, bytes, align);
        let slot = *self.stack.reserved.get_or_insert_with(|| self.fb.create_sized_stack_slot(data));
        let a = self.fb.ins().stack_addr(types::I64, slot, at as i32);
        self.push(Ty::I64, Parts::Uniform(a))
    }

    /// A mark of the temporary stack space in use.
    pub(crate) fn mark_temporaries(&self) -> u32 {
        self.stack.temporary_bytes
    }

    /// Releases the temporary stack space allocated since the mark.
    pub(crate) fn release_temporaries(&mut self, mark: u32) {
        self.stack.temporary_bytes = mark;
    }
}
