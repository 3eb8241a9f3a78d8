//! Notes: what observers of interpreted shaders are told besides of the module that the IR was made from.
//!
//! Only lowering that is asked to ([`crate::spirv::Module::lower_noted`]) makes them, as [`Op::Note`]; they compute
//! nothing.
//!
//! [`Op::Note`]: super::Op::Note

use super::Var;

/// What a note says of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// An instruction has been computed that the specifications define for some operands only. Arguments: of each
    /// operand as many scalars as the result has, then the result.
    Partial(Partial),
    /// Nothing defines the arguments: OpUndef.
    Undef,
    /// The argument (I32) indexes something that has so many elements: an array, the columns of a matrix, the
    /// components of a vector, an array of descriptors.
    Index {
        /// Elements.
        len: u32,
    },
    /// The argument (I32) chooses a descriptor of an array and has to be the same in all invocations that do so at
    /// the same time: nothing says NonUniform.
    UniformIndex,
    /// Execution mode MaximallyReconvergesKHR.
    MaximallyReconverges,
    /// What the atomic or barrier that comes next orders.
    Order(Order),
    /// What the access that comes next says of other invocations, in modules of the Vulkan memory model.
    Operands(MemoryOperands),
    /// The invocation begins or ends a section that invocations of one place enter one after another.
    Interlock {
        /// It begins.
        begins: bool,
    },
    /// A declaration without initializer is reached again: nothing defines the variable any more.
    Fresh(Var),
    /// The variable has an initializer that is zero, all of it or where no stores come.
    Zeros(Var),
    /// Workgroup memory with an initializer, which is zero.
    SharedZeros {
        /// First byte.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// A branch, a return or OpKill that has a line of its own in the source is come to.
    Leaves,
}

/// What an atomic or barrier orders. Spec: SPIR-V, "Memory Semantics", "Scope".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Order {
    /// Control barriers: the number of their execution scope.
    pub execution: Option<u32>,
    /// Number of the memory scope.
    pub scope: u32,
    /// Bits of the memory semantics.
    pub semantics: u32,
}

/// What an instruction says of its reads and of its writes. Spec: SPIR-V, "Memory Operands", "Image Operands".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemoryOperands {
    /// NonPrivatePointer, NonPrivateTexel; MakePointerVisible, MakeTexelVisible.
    pub reads: Operands,
    /// NonPrivatePointer, NonPrivateTexel; MakePointerAvailable, MakeTexelAvailable.
    pub writes: Operands,
}

/// What is said of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Operands {
    /// Other invocations may access the memory.
    pub non_private: bool,
    /// Number of the scope that a write is made available to, or that what a read sees is made visible from.
    pub scope: Option<u32>,
}

macro_rules! partial {
    ($($name:ident $operands:literal;)*) => {
        /// Instructions that the specifications define for some operands only, by their names there.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of the specifications")]
        pub enum Partial { $($name),* }

        impl Partial {
            /// Every one.
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
