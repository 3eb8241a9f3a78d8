//! Vector operations without a CLIF instruction: calls of these names are expanded in place.
//!
//! A call names `UserExternalName { namespace: NAMESPACE, index }`; its signature gives the types. `T` is any vector,
//! `M` an integer vector with as many lanes of the same width, each all ones or all zeros, and `k` an `iconst`.
//! Cranelift's mid-end sees ordinary calls: it neither merges nor moves them.

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
            /// All intrinsics, by index.
            pub const ALL: &[Intrinsic] = &[$(Intrinsic::$name,)*];
        }
    };
}

intrinsics! {
    /// `(a: T, n: T) -> T`, lanes of 32 or 64 bits: shifts each lane left by its own amount; 0 for amounts from the
    /// width on.
    ShlLanes,
    /// Like `ShlLanes`, but a logical shift right.
    UshrLanes,
    /// Like `ShlLanes`, but an arithmetic shift right.
    SshrLanes,
    /// `(base: i64, index: i32xN, k: i32, mask: M, other: T) -> T`, lanes of 32 or 64 bits: loads lane i from `base +
    /// (sign-extended index[i] << k)` if its mask lane is set; otherwise the lane comes from `other`. No other address
    /// is accessed.
    Gather,
    /// Like `Gather`, with zero-extended indices.
    GatherUnsigned,
    /// `(base: i64, index: i32xN, k: i32, mask: M, value: T)`, AVX-512: stores the lanes whose mask lane is set, in
    /// ascending order, at `base + (zero-extended index[i] << k)`.
    ScatterUnsigned,
    /// `(p: i64, mask: M, other: T) -> T`: loads consecutive lanes whose mask lane is set; the others come from
    /// `other`. The memory of the other lanes is not accessed.
    LoadMasked,
    /// `(p: i64, mask: M, value: T)`: stores the lanes whose mask lane is set.
    StoreMasked,
    /// `(a: T, k: i32) -> T`, lanes of 32 bits: in each group of four lanes, lane i takes lane `k >> 2i & 3`.
    SwizzleQuads,
    /// `(a: T, b: T, k: i32) -> T`, lanes of 32 bits: in each group of four lanes, lane i takes lane `k >> 4i & 7` of
    /// the group in `a` (0..4) and `b` (4..8).
    ShuffleQuads,
    /// `(a: T, index: U) -> T`: in each group of 16 bytes, byte i takes byte `index[i] & 15` of the group in `a`; 0 if the sign
    /// bit of `index[i]` is set.
    ShuffleBytes,
    /// `(a: T, index: IxN) -> T`: lane i takes lane `index[i]` modulo the number of lanes.
    Permute,
    /// `(a: T, b: T, index: IxN) -> T`, lanes of 32 bits, with AVX-512 also of 16: lane i takes lane `index[i]` of `a` followed
    /// by `b`, modulo twice the number of lanes.
    Permute2,
    /// `(a: T, k: i32) -> U`: the k-th part, 128 or 256 bits wide.
    Part,
    /// `(a: T, b: U, k: i32) -> T`: `a` with the k-th part replaced by `b`.
    WithPart,
    /// `(a: i16xL) -> f32xN`, N at most L: converts from half precision, exactly. NaNs become quiet.
    F16ToF32,
    /// `(a: f32xN) -> i16xL`: converts to half precision, to nearest, ties to even; lanes from N on are zero.
    F32ToF16,
    /// `(a: i32xN) -> i16xL or i8xL`: the low bits of each lane; lanes from N on are zero.
    Truncate,
    /// `(a: T) -> U`: the first lanes, zero-extended to the lanes of U.
    WidenUnsigned,
    /// Like `WidenUnsigned`, sign-extended.
    WidenSigned,
    /// `(a: f32xL) -> f64xN`: converts the first lanes.
    Promote,
    /// `(a: f64xN) -> f32xL`: rounded to nearest; lanes from N on are zero.
    Demote,
    /// `(a: i32xL) -> f64xN`: converts the first lanes, exactly.
    F64FromI32,
    /// `(a: i32xN, b: i32xN) -> i32xN`: in each lane the sum of the products of the four signed bytes of both.
    DotBytes,
    /// `(bits: i32) -> i32xN`: the mask whose lane i is all ones if bit i is set; N at most 32.
    MaskFromBits,
    /// `(low: i64xN, high: i64xN) -> i32x2N`: concatenates two masks, with lanes half as wide.
    MaskNarrow,
    /// `(m: i32x2N) -> i64xN`: the first half of a mask, with lanes twice as wide.
    MaskLow,
    /// Like `MaskLow`, for the second half.
    MaskHigh,
    /// `(p: i64)`: asks for the cache line at an address, of which nothing need be there.
    Prefetch,
}

impl Intrinsic {
    /// External name of the intrinsic.
    pub fn name(self) -> UserExternalName {
        UserExternalName::new(NAMESPACE, self as u32)
    }

    /// Returns the intrinsic with an external name.
    pub fn of(name: &UserExternalName) -> Option<Intrinsic> {
        (name.namespace == NAMESPACE).then(|| Intrinsic::ALL.get(name.index as usize).copied()).flatten()
    }

    /// Returns the intrinsic that an instruction calls.
    pub fn called(f: &Function, inst: Inst) -> Option<Intrinsic> {
        let InstructionData::Call { func_ref, .. } = f.dfg.insts[inst] else { return None };
        match &f.dfg.ext_funcs[func_ref].name {
            ExternalName::User(name) => f.params.user_named_funcs().get(*name).and_then(Intrinsic::of),
            _ => None,
        }
    }

    /// `true` if the call may be removed when its result is unused.
    pub fn is_pure(self) -> bool {
        !matches!(self, Intrinsic::StoreMasked | Intrinsic::ScatterUnsigned | Intrinsic::Prefetch)
    }

    /// `true` if the result is a mask.
    pub(crate) fn gives_mask(self) -> bool {
        use Intrinsic::*;
        matches!(self, MaskFromBits | MaskNarrow | MaskLow | MaskHigh)
    }
}
