//! Types of scalar values.

/// Type of a scalar value. Signedness belongs to operations, not to types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Truth value.
    Bool,
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// IEEE-754 binary16.
    F16,
    /// IEEE-754 binary32.
    F32,
    /// IEEE-754 binary64.
    F64,
    /// A buffer: base address and size in bytes. Produced by [`Op::BufferDescriptor`](crate::ir::Op::BufferDescriptor)
    /// and related operations.
    Buffer,
    /// An image view and, for combined descriptors, its sampler.
    Image,
}

impl Ty {
    /// Width in bits in memory and in bitcasts; `None` for handles and bool.
    pub fn bits(self) -> Option<u32> {
        match self {
            Ty::I8 => Some(8),
            Ty::I16 | Ty::F16 => Some(16),
            Ty::I32 | Ty::F32 => Some(32),
            Ty::I64 | Ty::F64 => Some(64),
            Ty::Bool | Ty::Buffer | Ty::Image => None,
        }
    }
    /// Size in bytes in memory; 0 for handles and bool.
    pub fn bytes(self) -> u32 {
        self.bits().unwrap_or(0) / 8
    }
    /// True for the floating-point types.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F16 | Ty::F32 | Ty::F64)
    }
    /// `true` for bools and numbers; `false` for handles.
    pub fn is_plain(&self) -> bool {
        *self == Ty::Bool || self.is_float() || self.is_int()
    }
    /// True for the integer types.
    pub fn is_int(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }
    /// The integer type of the same width (integer and float types only).
    pub fn as_int(self) -> Ty {
        match self {
            Ty::F16 => Ty::I16,
            Ty::F32 => Ty::I32,
            Ty::F64 => Ty::I64,
            t => t,
        }
    }
}
