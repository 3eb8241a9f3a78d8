//! What vectors need and CLIF has no instruction for: calls of these names are expanded in place.
//!
//! A call names `UserExternalName { namespace: NAMESPACE, index }`; its signature says the types. `T` is any
//! vector, `M` a vector of integers with as many lanes of the same bits that are all ones or zeros, `k` an
//! `iconst`. To Cranelift's mid-end these are calls: it neither merges nor moves them.

use cranelift_codegen::ir::{ExternalName, Function, Inst, InstructionData, UserExternalName};

/// The namespace of intrinsics: "wide".
pub const NAMESPACE: u32 = 0x7769_6465;

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A named function that is expanded in place.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum Intrinsic { $($(#[$doc])* $name,)* }

        impl Intrinsic {
            /// All of them, by index.
            pub const ALL: &[Intrinsic] = &[$(Intrinsic::$name,)*];
        }
    };
}

intrinsics! {
    /// `(a: T, n: T) -> T`, lanes of 32 or 64 bits: each lane left by its own amount; 0 from the width on.
    ShlLanes,
    /// Likewise right, zeros in.
    UshrLanes,
    /// Likewise right, copies of the sign in.
    SshrLanes,
    /// `(base: i64, index: i32xN, k: i32, mask: M, other: T) -> T`, lanes of 32 or 64 bits: lane i from
    /// `base + (sign-extended index[i] << k)` where the mask holds, else from `other`. No other address is touched.
    Gather,
    /// Likewise with zero-extended indexes.
    GatherUnsigned,
    /// `(base: i64, index: i32xN, k: i32, mask: M, value: T)`, AVX-512: stores the lanes where the mask holds, in
    /// ascending order, at `base + (zero-extended index[i] << k)`.
    ScatterUnsigned,
    /// `(p: i64, mask: M, other: T) -> T`: consecutive lanes where the mask holds, else those of `other`. No other
    /// lane is touched.
    LoadMasked,
    /// `(p: i64, mask: M, value: T)`: stores the lanes where the mask holds.
    StoreMasked,
    /// `(a: T, k: i32) -> T`, lanes of 32 bits: in each four lanes, lane i takes lane `k >> 2i & 3`.
    SwizzleQuads,
    /// `(a: T, b: T, k: i32) -> T`, lanes of 32 bits: in each four lanes, lane i takes that with the number
    /// `k >> 4i & 7` among the four of `a` and, from 4 on, those of `b`.
    ShuffleQuads,
    /// `(a: T, index: IxN) -> T`: lane i takes lane `index[i]` modulo the number of lanes.
    Permute,
    /// `(a: T, b: T, index: IxN) -> T`, lanes of 32 bits: of the lanes of `a` and behind them those of `b`, modulo
    /// twice the number of lanes.
    Permute2,
    /// `(a: T, k: i32) -> U`: the k-th part of 128 or 256 bits.
    Part,
    /// `(a: T, b: U, k: i32) -> T`: with the k-th part replaced.
    WithPart,
    /// `(a: i16xL) -> f32xN`, N at most L: from half precision, exact. NaNs become quiet.
    F16ToF32,
    /// `(a: f32xN) -> i16xL`: to half precision, to nearest, ties to even; lanes from N on are zero.
    F32ToF16,
    /// `(a: i32xN) -> i16xL or i8xL`: the low bits of each lane; lanes from N on are zero.
    Truncate,
    /// `(a: T) -> U`: the first lanes, zero-extended to those of U.
    WidenUnsigned,
    /// Likewise, sign-extended.
    WidenSigned,
    /// `(a: f32xL) -> f64xN`: the first lanes.
    Promote,
    /// `(a: f64xN) -> f32xL`: rounded to nearest; lanes from N on are zero.
    Demote,
    /// `(a: i32xL) -> f64xN`: the first lanes, exact.
    F64FromI32,
    /// `(bits: i32) -> i32xN`: the mask whose lane i is ones where bit i is set; N at most 32.
    MaskFromBits,
    /// `(low: i64xN, high: i64xN) -> i32x2N`: masks side by side, half as wide.
    MaskNarrow,
    /// `(m: i32x2N) -> i64xN`: the first half of a mask, twice as wide.
    MaskLow,
    /// Likewise the second half.
    MaskHigh,
}

impl Intrinsic {
    /// The name to call.
    pub fn name(self) -> UserExternalName {
        UserExternalName::new(NAMESPACE, self as u32)
    }

    /// The intrinsic of a name.
    pub fn of(name: &UserExternalName) -> Option<Intrinsic> {
        (name.namespace == NAMESPACE).then(|| Intrinsic::ALL.get(name.index as usize).copied()).flatten()
    }

    /// The intrinsic that an instruction calls.
    pub(crate) fn called(f: &Function, inst: Inst) -> Option<Intrinsic> {
        let InstructionData::Call { func_ref, .. } = f.dfg.insts[inst] else { return None };
        match &f.dfg.ext_funcs[func_ref].name {
            ExternalName::User(name) => f.params.user_named_funcs().get(*name).and_then(Intrinsic::of),
            _ => None,
        }
    }

    /// Whether it may go when nobody wants its result.
    pub fn is_pure(self) -> bool {
        !matches!(self, Intrinsic::StoreMasked | Intrinsic::ScatterUnsigned)
    }

    /// Whether its result is a mask.
    pub(crate) fn gives_mask(self) -> bool {
        use Intrinsic::*;
        matches!(self, MaskFromBits | MaskNarrow | MaskLow | MaskHigh)
    }
}
