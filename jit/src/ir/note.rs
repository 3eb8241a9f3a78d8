//! Notes: what observers of interpreted shaders are told besides of the module that the IR was made from.
//!
//! Only lowering that is asked to ([`crate::spirv::Module::lower_noted`]) makes them, as [`Op::Note`]; they compute
//! nothing.
//!
//! [`Op::Note`]: super::Op::Note

/// What a note says of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// An instruction has been computed that the specifications define for some operands only. Arguments: of each
    /// operand as many scalars as the result has, then the result.
    Partial(Partial),
    /// Nothing defines the arguments: OpUndef.
    Undef,
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
