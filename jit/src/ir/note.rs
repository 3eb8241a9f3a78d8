//! Notes: information about the original module for observers of interpreted shaders.
//!
//! Only lowering on request ([`crate::spirv::Module::lower_noted`]) creates notes, as [`Op::Note`]; they compute
//! nothing.
//!
//! [`Op::Note`]: super::Op::Note

use super::Var;

/// Information about the arguments of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// An instruction was computed that the specifications define only for some operands. Arguments: for each operand
    /// as many scalars as the result has, then the result.
    Partial(Partial),
    /// The arguments are undefined: OpUndef.
    Undef,
    /// The argument (I32) indexes an array, the columns of a matrix, the components of a vector, or an array of
    /// descriptors.
    Index {
        /// Number of elements.
        len: u32,
        /// `true` for vertices of the patch that a tessellation stage takes, which may have fewer than `len`.
        of_patch: bool,
    },
    /// The argument (I32) selects a descriptor of an array. It must be the same in all invocations that do so at the
    /// same time, because the access has no NonUniform decoration.
    UniformIndex,
    /// Execution mode MaximallyReconvergesKHR.
    MaximallyReconverges,
    /// Memory order of the next atomic or barrier.
    Order(Order),
    /// Memory operands of the next access, in modules with the Vulkan memory model.
    Operands(MemoryOperands),
    /// The invocation begins or ends a critical section, which invocations of overlapping fragments enter one after
    /// another.
    Interlock {
        /// True if the section begins.
        begins: bool,
    },
    /// A declaration without initializer is executed again: the variable is undefined from here on.
    Fresh(Var),
    /// The variable has an initializer, which is zero at least in the scalars that no store initializes.
    Zeros(Var),
    /// Workgroup memory has a zero initializer.
    SharedZeros {
        /// Offset of the first byte.
        offset: u32,
        /// Number of bytes.
        size: u32,
    },
    /// Alignment in bytes that the next access of a kernel states: less than the size of its scalars.
    Aligned(u32),
    /// The workgroup begins an asynchronous copy. Arguments: its event (I32), destination, source, number of elements and
    /// stride (I64).
    GroupCopy,
    /// The workgroup waits for the event of a copy, the argument (I32).
    GroupWait,
    /// The arguments are parts of an object that is copied as a whole. Some may be padding, so that all count as defined.
    Copied,
    /// Bytes of the private memory of a kernel, from a static offset plus an offset that is an argument (I32).
    Private {
        /// Static offset of the first byte.
        offset: u32,
        /// Number of bytes.
        bytes: u32,
        /// Effect on the bytes. A load has the loaded value as a second argument, a store the stored one.
        access: PrivateAccess,
    },
    /// An instruction on a cooperative matrix, which all invocations of its scope execute together, or none of them.
    Cooperates {
        /// `true` if the workgroup shares the matrix, `false` if the subgroup does.
        of_workgroup: bool,
    },
    /// The invocation reaches a branch, a return or an OpKill that has its own line in the source.
    Leaves,
}

/// Effect on bytes of private memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrivateAccess {
    /// The bytes are undefined from here on: a variable begins.
    Fresh,
    /// A scalar was loaded.
    Load,
    /// A scalar is stored.
    Store,
}

/// Memory order of an atomic or barrier. Spec: SPIR-V, "Memory Semantics", "Scope".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Order {
    /// Number of the execution scope (control barriers).
    pub execution: Option<u32>,
    /// Number of the memory scope.
    pub scope: u32,
    /// Bits of the memory semantics.
    pub semantics: u32,
}

/// Memory operands of an instruction, for its reads and its writes. Spec: SPIR-V, "Memory Operands", "Image Operands".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemoryOperands {
    /// NonPrivatePointer, NonPrivateTexel; MakePointerVisible, MakeTexelVisible.
    pub reads: Operands,
    /// NonPrivatePointer, NonPrivateTexel; MakePointerAvailable, MakeTexelAvailable.
    pub writes: Operands,
}

/// Memory operands of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Operands {
    /// True if other invocations may access the memory.
    pub non_private: bool,
    /// Number of the scope to which a write is made available, or from which memory is made visible to a read.
    pub scope: Option<u32>,
}

macro_rules! partial {
    ($($name:ident $operands:literal;)*) => {
        /// Instructions that the specifications define only for some operands, by the names that they have there.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of the specifications")]
        pub enum Partial { $($name),* }

        impl Partial {
            /// All of them.
            pub const ALL: &'static [Partial] = &[$(Partial::$name),*];
            /// Number of operands.
            pub fn operands(self) -> usize { match self { $(Partial::$name => $operands),* } }
        }
    };
}

partial! {
    UDiv 2;
    SDiv 2;
    UMod 2;
    SRem 2;
    SMod 2;
    FRem 2;
    FMod 2;
    ShiftLeftLogical 2;
    ShiftRightLogical 2;
    ShiftRightArithmetic 2;
    BitFieldInsert 4;
    BitFieldSExtract 3;
    BitFieldUExtract 3;
    ConvertFToU 1;
    ConvertFToS 1;

    Asin 1;
    Acos 1;
    Acosh 1;
    Atanh 1;
    Atan2 2;
    Pow 2;
    Log 1;
    Log2 1;
    Sqrt 1;
    InverseSqrt 1;
    MatrixInverse 1;
    FMin 2;
    FMax 2;
    FClamp 3;
    NClamp 3;
    UClamp 3;
    SClamp 3;
    SmoothStep 3;
    Frexp 1;
    FrexpStruct 1;
    Ldexp 2;
    Normalize 1;
}
