//! Reuse of constants and casts in the first tier: one instruction per block for each, regardless of the number of
//! uses.
//!
//! Emitting and compiling an instruction takes longer than finding an existing one. In the optimized tier they are
//! emitted at each use, and the register allocator decides what to keep in registers between uses.

use cranelift_codegen::ir::{Block, Constant, InstBuilder, Type, Value, types};
use rustc_hash::FxHashMap;

use super::LaneBuilder;
use super::shape::le;
use crate::cpu::Tier;

/// The value that an instruction defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Bits {
    Int(i64),
    Float(u32),
    Vector(Constant),
    Cast(Value),
    Extend(Value),
}

/// The instructions of the current block.
pub(super) struct Known {
    on: bool,
    block: Option<Block>,
    values: FxHashMap<(Bits, Type), Value>,
}

impl Known {
    pub fn new(tier: Tier) -> Known {
        Known { on: tier == Tier::First, block: None, values: FxHashMap::default() }
    }
}

impl LaneBuilder<'_> {
    /// Returns true if a small number of instructions matters more than their quality: in the first tier.
    pub(super) fn spares_instructions(&self) -> bool {
        self.known.on
    }

    fn known(&mut self, bits: Bits, ty: Type, make: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.known.on {
            return make(self);
        }
        let block = self.fb.current_block();
        if self.known.block != block {
            self.known.block = block;
            self.known.values.clear();
        }
        if let Some(&v) = self.known.values.get(&(bits, ty)) {
            return v;
        }
        let v = make(self);
        self.known.values.insert((bits, ty), v);
        v
    }

    /// An integer constant. For types of 32 bits or less, the higher bits must be zero, as CLIF requires.
    pub(super) fn int_known(&mut self, ty: Type, v: i64) -> Value {
        self.known(Bits::Int(v), ty, |b| b.fb.ins().iconst(ty, v))
    }

    pub(super) fn f32_known(&mut self, v: f32) -> Value {
        self.known(Bits::Float(v.to_bits()), types::F32, |b| b.fb.ins().f32const(v))
    }

    /// The bits of a value as another type.
    pub(super) fn cast_known(&mut self, ty: Type, v: Value) -> Value {
        self.known(Bits::Cast(v), ty, |b| b.fb.ins().bitcast(ty, le(), v))
    }

    /// Zero-extends a 32-bit integer to 64 bits.
    pub(super) fn extend_known(&mut self, v: Value) -> Value {
        self.known(Bits::Extend(v), types::I64, |b| b.fb.ins().uextend(types::I64, v))
    }

    pub(super) fn vector_known(&mut self, ty: Type, c: Constant) -> Value {
        self.known(Bits::Vector(c), ty, |b| b.fb.ins().vconst(ty, c))
    }
}
