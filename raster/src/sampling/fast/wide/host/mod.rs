//! Vectors of the host: a type for each level of instructions whose values prove that the host has them.
//!
//! A token, [`Avx2`] or [`Avx512`], exists only if its `new` found the instructions, and vectors come from tokens only.
//! Operations are therefore safe. Each computes in a safe function with the features enabled, in which the compiler
//! rejects intrinsics that access memory; the call of this function is the single unsafe block of all operations.
//!
//! [`Vectors`] has the operations on slots, of which the vectors of [`Avx2`] have eight and those of [`Avx512`] two
//! halves of eight; [`Wide`] adds operations on texels. A routine is a [`Body`], generic over the token, and
//! [`Vectors::entry`] compiles it. Everything that an entry calls is inlined into it, because only there are the
//! features enabled.
//!
//! * [`avx2`], [`avx512`]: tokens, vectors, plain operations.
//! * `texels256`, `texels512`: operations on texels, whose bytes each width takes apart in its own way.
//!
//! Addresses are left to the callers: operations that load texels are unsafe functions.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Sub};

use super::super::super::coords::{NORM8_HI, NORM8_LO};
use super::super::super::state::CompareOp;
use super::{Call, Routine};

/// Defines methods of a token whose bodies may use the features.
macro_rules! operations {
    ($features:literal; $(
        $(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty $body:block
    )*) => { $(
        $(#[$doc])*
        #[inline(always)]
        $vis fn $name(self, $($arg: $ty),*) -> $ret {
            #[inline]
            #[target_feature(enable = $features)]
            fn inner($($arg: $ty),*) -> $ret $body
            // SAFETY: `self` is a token, which exists only on hosts with the features.
            unsafe { inner($($arg),*) }
        }
    )* };
}

/// Defines operators of a vector type, each one intrinsic.
macro_rules! operators {
    ($t:ident: $($trait:ident $f:ident $intrinsic:ident)*) => { $(
        impl std::ops::$trait for $t {
            type Output = $t;
            #[inline(always)]
            fn $f(self, other: $t) -> $t {
                // SAFETY: vectors come from tokens, which exist only on hosts with the features.
                unsafe { $t($intrinsic(self.0, other.0)) }
            }
        }
    )* };
}

mod avx2;
mod avx512;
mod texels256;
mod texels512;

pub use avx2::{Avx2, F8, I8, M8};
pub use avx512::Avx512;

/// A routine, for any width.
pub trait Body {
    /// Runs the routine.
    fn run<W: Wide>(host: W, call: &mut Call<'_>);
}

/// A rare part of a routine, for any width.
pub trait Rare {
    /// The result.
    type Output<W: Wide>;
    /// Runs the part.
    fn run<W: Wide>(self, host: W) -> Self::Output<W>;
}

/// A token, with the plain operations on its vectors. Arithmetic is that of IEEE 754 with one rounding per operation.
pub trait Vectors: Copy {
    /// Floats.
    type F: Copy
        + Add<Output = Self::F>
        + Sub<Output = Self::F>
        + Mul<Output = Self::F>
        + Div<Output = Self::F>;
    /// 32-bit integers, whose arithmetic wraps.
    type I: Copy
        + Add<Output = Self::I>
        + Sub<Output = Self::I>
        + Mul<Output = Self::I>
        + BitAnd<Output = Self::I>
        + BitOr<Output = Self::I>;
    /// A truth value for each slot.
    type M: Copy + BitAnd<Output = Self::M> + BitOr<Output = Self::M>;

    /// Number of halves of eight slots.
    const HALVES: usize;

    /// The token of vectors with eight slots.
    fn eight(self) -> Avx2;
    /// The function that runs `B`. It requires what [`Call::new`] requires.
    fn entry<B: Body>(self) -> Routine;

    /// A float in all slots.
    fn f(self, x: f32) -> Self::F;
    /// An integer in all slots.
    fn i(self, x: i32) -> Self::I;
    /// No slot.
    fn none(self) -> Self::M;
    /// Eight lanes in each half.
    fn spread(self, x: F8) -> Self::F;
    /// Eight lanes in each half.
    fn spread_i(self, x: I8) -> Self::I;
    /// Eight lanes in each half.
    fn spread_m(self, m: M8) -> Self::M;
    /// Two groups of eight lanes; with one half, the first.
    fn join(self, a: F8, b: F8) -> Self::F;
    /// Two groups of eight lanes; with one half, the first.
    fn join_i(self, a: I8, b: I8) -> Self::I;
    /// A half, which must be below [`Self::HALVES`].
    fn half(self, x: Self::F, h: usize) -> F8;
    /// A half, which must be below [`Self::HALVES`].
    fn half_i(self, x: Self::I, h: usize) -> I8;

    /// The bits as floats.
    fn as_f(self, x: Self::I) -> Self::F;
    /// Converts, rounding towards zero; NaN and values out of range give the least integer.
    fn trunc(self, x: Self::F) -> Self::I;
    /// Converts, rounding to nearest.
    fn float(self, x: Self::I) -> Self::F;
    /// Rounds down.
    fn floor(self, x: Self::F) -> Self::F;
    /// The smaller operand; the second if one is NaN.
    fn min(self, x: Self::F, y: Self::F) -> Self::F;
    /// The larger operand; the second if one is NaN.
    fn max(self, x: Self::F, y: Self::F) -> Self::F;
    /// `x * y + z`, rounded once.
    fn fused(self, x: Self::F, y: Self::F, z: Self::F) -> Self::F;
    /// The smaller signed integer.
    fn min_s(self, x: Self::I, y: Self::I) -> Self::I;
    /// The larger signed integer.
    fn max_s(self, x: Self::I, y: Self::I) -> Self::I;
    /// The smaller unsigned integer.
    fn min_u(self, x: Self::I, y: Self::I) -> Self::I;
    /// Shifts left.
    fn shl(self, x: Self::I, n: u32) -> Self::I;
    /// Shifts right, with the sign.
    fn sar(self, x: Self::I, n: u32) -> Self::I;

    /// `x op y`; comparisons with NaN are true for NotEqual and Always only.
    fn compare(self, op: CompareOp, x: Self::F, y: Self::F) -> Self::M;
    /// True unless `x >= y`; so, too, for NaN.
    fn not_ge(self, x: Self::F, y: Self::F) -> Self::M;
    /// Equality of integers.
    fn eq(self, x: Self::I, y: Self::I) -> Self::M;
    /// `x >= y`, unsigned.
    fn ge_u(self, x: Self::I, y: Self::I) -> Self::M;
    /// One bit per slot.
    fn bits(self, m: Self::M) -> u32;
    /// `x` where `m`, else `y`.
    fn select(self, m: Self::M, x: Self::F, y: Self::F) -> Self::F;
    /// `x` where `m`, else 0.
    fn keep(self, m: Self::M, x: Self::F) -> Self::F;
    /// 0 where `m`, else `x`.
    fn clear_i(self, m: Self::M, x: Self::I) -> Self::I;
    /// Looks up words by the low four bits of integers.
    fn look_up(self, table: &[u32; 16], at: Self::I) -> Self::I;
}

/// A token, with all operations.
pub trait Wide: Vectors {
    /// Two words side by side for each of eight lanes.
    type Pairs: Copy;
    /// Four words side by side in each of two rows, for each of eight lanes.
    type Quads: Copy;

    /// Factor by which [`Self::linear_bytes`] leaves values too large, a power of two.
    const BYTE_FACTOR: f32;

    /// Calls a rare part of a routine, instead of inlining it.
    fn rarely<R: Rare>(self, part: R) -> R::Output<Self>;

    /// Component `c` of the values; see [`Values`].
    fn component(self, v: &Values<Self>, c: usize) -> F8;
    /// Stores component `c` of eight lanes, then that of the next eight.
    fn put_sixteen(self, to: &mut [u32; 16], v: [&Values<Self>; 2], c: usize);
    /// Decodes texels of four 8-bit components to integers as floats.
    fn bytes(self, texels: I8) -> Values<Self>;
    /// Decodes texels of three sRGB components and linear alpha; `gathers` selects the loads from tables.
    fn srgb(self, texels: I8, gathers: bool) -> Values<Self>;
    /// Decodes texels of four 16-bit floats.
    fn halves(self, texels: Self::Pairs) -> Values<Self>;
    /// Texels of one float.
    fn words(self, texels: I8) -> Values<Self>;
    /// 0 in the lanes outside of `m`.
    fn keep_pairs(self, m: M8, pairs: Self::Pairs) -> Self::Pairs;

    /// Pairs of words.
    fn pairs_of(self, first: I8, second: I8) -> Self::Pairs;
    /// The first and the second words, as components 0 and 1.
    fn split(self, pairs: Self::Pairs) -> Values<Self>;
    /// Byte `c` of both words, as [`normalized`] integers in components 0 and 1.
    fn unorm_of(self, pairs: Self::Pairs, c: u32) -> Values<Self>;
    /// Filters bytes along x by weights in 1/256, then along y. Exact; values are [`Self::BYTE_FACTOR`] too large.
    fn linear_bytes(self, rows: [Self::Pairs; 2], wx: I8, wy: I8) -> Values<Self>;
    /// Filters texels as [`Self::srgb`] decodes them.
    fn linear_srgb(self, rows: [Self::Pairs; 2], wx: Self::F, wy: Self::F, gathers: bool) -> Values<Self>;
    /// Filters texels of one float or, with an operation, the results of comparing a reference with them.
    fn linear_words(
        self,
        rows: [Self::Pairs; 2],
        wx: Self::F,
        wy: Self::F,
        test: Option<(CompareOp, F8)>,
    ) -> Values<Self>;
    /// Like [`Self::linear_words`], for as many lanes as there are slots: rows of each half, and a value for each slot.
    fn linear_words_of_lanes(
        self,
        halves: [[Self::Pairs; 2]; 2],
        wx: Self::F,
        wy: Self::F,
        test: Option<(CompareOp, Self::F)>,
    ) -> Self::F;
    /// Filters texels of four 16-bit floats.
    fn linear_halves(self, quads: Self::Quads, wx: Self::F, wy: Self::F) -> Values<Self>;

    /// Loads eight bytes at each byte offset: with `gathers` by the host's gathers, else one by one.
    ///
    /// # Safety
    /// The bytes must be readable.
    unsafe fn load_pairs(self, base: *const u8, at: I8, gathers: bool) -> Self::Pairs;
    /// Loads eight contiguous pairs.
    ///
    /// # Safety
    /// The 64 bytes must be readable.
    unsafe fn load_row_of_pairs(self, at: *const u8) -> Self::Pairs;
    /// Loads sixteen bytes at each byte offset, and sixteen bytes that are `pitch` after them.
    ///
    /// # Safety
    /// The bytes must be readable.
    unsafe fn load_quads(self, base: *const u8, pitch: usize, at: I8, gathers: bool) -> Self::Quads;
    /// Loads eight bytes at each of the byte offsets (0, 0), (1, 0), (0, 1), (1, 1).
    ///
    /// # Safety
    /// The bytes must be readable.
    unsafe fn load_far_quads(self, base: *const u8, at: &[I8; 4]) -> Self::Quads;
}

/// Components of eight lanes in the order of their position in the texel, as many to a vector as it has halves. Vectors
/// that are left over are 0.
pub type Values<W> = [<W as Vectors>::F; 4];

/// Number of vectors for a number of components.
#[inline(always)]
pub const fn vectors<W: Vectors>(components: usize) -> usize {
    components.div_ceil(W::HALVES)
}

/// Clamps `x`; NaN gives `lo`.
#[inline(always)]
pub fn clamp<W: Vectors>(h: W, x: W::F, lo: W::F, hi: W::F) -> W::F {
    h.min(h.max(x, lo), hi)
}

/// `a + (b - a) * w`.
#[inline(always)]
pub fn mix<F: Copy + Add<Output = F> + Sub<Output = F> + Mul<Output = F>>(a: F, b: F, w: F) -> F {
    a + (b - a) * w
}

/// Like [`crate::sampling::coords::normalize8`], for integers up to 255, whose product with the high part is exact.
#[inline(always)]
pub fn normalized<W: Vectors>(h: W, x: W::F) -> W::F {
    h.fused(x, h.f(NORM8_HI), x * h.f(NORM8_LO))
}
