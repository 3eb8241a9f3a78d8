//! Vectors of eight slots in 256 bits, on hosts with AVX2. Operations on the bytes of texels are left to
//! [`super::texels256`].

use std::arch::x86_64::*;

use quadrille_jit::CpuLevel;
use quadrille_jit::abi::ImageArgs;

use super::super::super::super::state::CompareOp;
use super::super::{Call, Plan, Routine};
use super::{Body, Vectors};

/// Eight floats.
#[derive(Clone, Copy)]
pub struct F8(pub(super) __m256);

/// Eight integers.
#[derive(Clone, Copy)]
pub struct I8(pub(super) __m256i);

/// Eight truth values: all ones or all zeros.
#[derive(Clone, Copy)]
pub struct M8(pub(super) __m256);

operators! { F8: Add add _mm256_add_ps Sub sub _mm256_sub_ps Mul mul _mm256_mul_ps Div div _mm256_div_ps }
operators! {
    I8: Add add _mm256_add_epi32 Sub sub _mm256_sub_epi32 Mul mul _mm256_mullo_epi32
    BitAnd bitand _mm256_and_si256 BitOr bitor _mm256_or_si256
}
operators! { M8: BitAnd bitand _mm256_and_ps BitOr bitor _mm256_or_ps }

/// Proof that the host has AVX2, FMA and F16C.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// The token, if the host and the CPU level have the instructions.
    pub fn new(cpu: CpuLevel) -> Option<Avx2> {
        use std::arch::is_x86_feature_detected as has;
        (cpu.has_fma() && has!("avx2") && has!("fma") && has!("f16c")).then_some(Avx2(()))
    }

    /// The token again, in code that only the holder of a token can have entered.
    ///
    /// # Safety
    /// The host must have the features.
    #[inline(always)]
    pub(super) const unsafe fn again() -> Avx2 {
        Avx2(())
    }

    operations! { "avx2,fma,f16c";
        /// The lanes of the set bits.
        pub fn lanes_of(bits: u32) -> M8 {
            let lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let bits = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lane);
            M8(_mm256_castsi256_ps(_mm256_cmpeq_epi32(bits, lane)))
        }
        /// The numbers of the lanes.
        pub fn numbers() -> I8 {
            I8(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
        }
        /// The value of the first lane of each quad, in all its lanes.
        pub fn first_of_quads(x: F8) -> F8 {
            F8(_mm256_permute_ps::<0x00>(x.0))
        }
        /// The values of the first three lanes of each quad, each in all its lanes.
        pub fn of_quads(x: F8) -> [F8; 3] {
            [
                F8(_mm256_permute_ps::<0x00>(x.0)),
                F8(_mm256_permute_ps::<0x55>(x.0)),
                F8(_mm256_permute_ps::<0xaa>(x.0)),
            ]
        }
        /// True where `m` is true in the first lane of the quad and in the second, and in the third.
        pub fn neighbours(m: M8) -> [M8; 2] {
            let first = _mm256_permute_ps::<0x00>(m.0);
            [
                M8(_mm256_and_ps(first, _mm256_permute_ps::<0x55>(m.0))),
                M8(_mm256_and_ps(first, _mm256_permute_ps::<0xaa>(m.0))),
            ]
        }
        /// Rounds to the nearest integer, or the even one of two.
        pub fn nearest(x: F8) -> F8 {
            F8(_mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(x.0))
        }
        /// Rounds up.
        pub fn ceil(x: F8) -> F8 {
            F8(_mm256_ceil_ps(x.0))
        }
        /// The square root.
        pub fn sqrt(x: F8) -> F8 {
            F8(_mm256_sqrt_ps(x.0))
        }
        /// The magnitude.
        pub fn abs(x: F8) -> F8 {
            F8(_mm256_andnot_ps(_mm256_set1_ps(-0.0), x.0))
        }
        /// `-x`.
        pub fn opposite(x: F8) -> F8 {
            F8(_mm256_xor_ps(x.0, _mm256_set1_ps(-0.0)))
        }
        /// `-x` where `m`, else `x`.
        pub fn negate(m: M8, x: F8) -> F8 {
            F8(_mm256_xor_ps(x.0, _mm256_and_ps(m.0, _mm256_set1_ps(-0.0))))
        }
        /// `a` where `b` is false.
        pub fn and_not(a: M8, b: M8) -> M8 {
            M8(_mm256_andnot_ps(b.0, a.0))
        }
        /// The bits as integers.
        pub fn as_i(x: F8) -> I8 {
            I8(_mm256_castps_si256(x.0))
        }
        /// Converts, rounding to nearest.
        pub fn round(x: F8) -> I8 {
            I8(_mm256_cvtps_epi32(x.0))
        }
        /// Shifts right, without the sign.
        pub fn shr(x: I8, n: u32) -> I8 {
            I8(_mm256_srl_epi32(x.0, _mm_cvtsi32_si128(n as i32)))
        }
        /// `x >= y`, signed.
        pub fn ge_s(x: I8, y: I8) -> M8 {
            M8(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_max_epi32(x.0, y.0), x.0)))
        }
        /// `x` where `m`, else `y`.
        pub fn select_i(m: M8, x: I8, y: I8) -> I8 {
            I8(_mm256_blendv_epi8(y.0, x.0, _mm256_castps_si256(m.0)))
        }
        /// `x` where `m`, else 0.
        pub fn keep_i(m: M8, x: I8) -> I8 {
            I8(_mm256_and_si256(_mm256_castps_si256(m.0), x.0))
        }
        /// Adds 1 where `m`.
        pub fn increment(m: M8, x: I8) -> I8 {
            I8(_mm256_sub_epi32(x.0, _mm256_castps_si256(m.0)))
        }
        /// Converts to 16-bit floats, in the low halves of words; each NaN becomes the same one.
        pub fn to_half(x: F8) -> I8 {
            let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(x.0, x.0);
            let x = _mm256_blendv_ps(x.0, _mm256_set1_ps(f32::NAN), nan);
            I8(_mm256_cvtepu16_epi32(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x)))
        }
        /// The value of the first lane.
        pub fn first(x: I8) -> u32 {
            _mm_cvtsi128_si32(_mm256_castsi256_si128(x.0)) as u32
        }
        /// The values of the lanes, as offsets.
        pub fn offsets(x: I8) -> [usize; 8] {
            let (low, high) = (_mm256_castsi256_si128(x.0), _mm256_extracti128_si256::<1>(x.0));
            let [a, b] = [_mm_cvtsi128_si64(low) as u64, _mm_extract_epi64::<1>(low) as u64];
            let [c, d] = [_mm_cvtsi128_si64(high) as u64, _mm_extract_epi64::<1>(high) as u64];
            let mut all = [0; 8];
            // Not words, from which the compiler would make more and slower instructions.
            for (i, pair) in [a, b, c, d].into_iter().enumerate() {
                all[2 * i] = pair as u32 as usize;
                all[2 * i + 1] = (pair >> 32) as usize;
            }
            all
        }
        /// The values of the lanes.
        pub fn array(x: I8) -> [u32; 8] {
            let mut all = [0; 8];
            // SAFETY: `all` has 32 bytes, and the store is unaligned.
            unsafe { _mm256_storeu_si256(all.as_mut_ptr().cast(), x.0) }
            all
        }
        /// Loads lanes of the arguments.
        pub fn row(from: &[u32; 8]) -> F8 {
            let at: *const __m128 = from.as_ptr().cast();
            // The caller has just stored the row in halves. A load of both halves at once could not be forwarded from
            // the store buffer. The volatile loads keep the compiler from merging them.
            // SAFETY: `from` has 32 bytes. Rows and groups of eight lanes in them are aligned to 32 bytes.
            let [low, high] = unsafe { [at.read_volatile(), at.add(1).read_volatile()] };
            F8(_mm256_set_m128(high, low))
        }
        /// Stores lanes.
        pub fn put(to: &mut [u32; 8], x: F8) -> () {
            // SAFETY: `to` has 32 bytes, and the store is unaligned.
            unsafe { _mm256_storeu_ps(to.as_mut_ptr().cast(), x.0) }
        }
    }
}

impl Vectors for Avx2 {
    type F = F8;
    type I = I8;
    type M = M8;

    const HALVES: usize = 1;

    #[inline(always)]
    fn eight(self) -> Avx2 {
        self
    }

    fn entry<B: Body>(self) -> Routine {
        enter::<B>
    }

    #[inline(always)]
    fn spread(self, x: F8) -> F8 {
        x
    }
    #[inline(always)]
    fn spread_i(self, x: I8) -> I8 {
        x
    }
    #[inline(always)]
    fn spread_m(self, m: M8) -> M8 {
        m
    }
    #[inline(always)]
    fn join(self, a: F8, _: F8) -> F8 {
        a
    }
    #[inline(always)]
    fn join_i(self, a: I8, _: I8) -> I8 {
        a
    }
    #[inline(always)]
    fn half(self, x: F8, _: usize) -> F8 {
        x
    }
    #[inline(always)]
    fn half_i(self, x: I8, _: usize) -> I8 {
        x
    }

    operations! { "avx2,fma,f16c";
        fn f(x: f32) -> F8 {
            F8(_mm256_set1_ps(x))
        }
        fn i(x: i32) -> I8 {
            I8(_mm256_set1_epi32(x))
        }
        fn none() -> M8 {
            M8(_mm256_setzero_ps())
        }
        fn as_f(x: I8) -> F8 {
            F8(_mm256_castsi256_ps(x.0))
        }
        fn trunc(x: F8) -> I8 {
            I8(_mm256_cvttps_epi32(x.0))
        }
        fn float(x: I8) -> F8 {
            F8(_mm256_cvtepi32_ps(x.0))
        }
        fn floor(x: F8) -> F8 {
            F8(_mm256_floor_ps(x.0))
        }
        fn min(x: F8, y: F8) -> F8 {
            F8(_mm256_min_ps(x.0, y.0))
        }
        fn max(x: F8, y: F8) -> F8 {
            F8(_mm256_max_ps(x.0, y.0))
        }
        fn fused(x: F8, y: F8, z: F8) -> F8 {
            F8(_mm256_fmadd_ps(x.0, y.0, z.0))
        }
        fn min_s(x: I8, y: I8) -> I8 {
            I8(_mm256_min_epi32(x.0, y.0))
        }
        fn max_s(x: I8, y: I8) -> I8 {
            I8(_mm256_max_epi32(x.0, y.0))
        }
        fn min_u(x: I8, y: I8) -> I8 {
            I8(_mm256_min_epu32(x.0, y.0))
        }
        fn shl(x: I8, n: u32) -> I8 {
            I8(_mm256_sll_epi32(x.0, _mm_cvtsi32_si128(n as i32)))
        }
        fn sar(x: I8, n: u32) -> I8 {
            I8(_mm256_sra_epi32(x.0, _mm_cvtsi32_si128(n as i32)))
        }
        fn compare(op: CompareOp, x: F8, y: F8) -> M8 {
            M8(match op {
                CompareOp::Never => _mm256_setzero_ps(),
                CompareOp::Always => _mm256_castsi256_ps(_mm256_set1_epi32(-1)),
                CompareOp::Less => _mm256_cmp_ps::<_CMP_LT_OQ>(x.0, y.0),
                CompareOp::Equal => _mm256_cmp_ps::<_CMP_EQ_OQ>(x.0, y.0),
                CompareOp::LessOrEqual => _mm256_cmp_ps::<_CMP_LE_OQ>(x.0, y.0),
                CompareOp::Greater => _mm256_cmp_ps::<_CMP_GT_OQ>(x.0, y.0),
                CompareOp::NotEqual => _mm256_cmp_ps::<_CMP_NEQ_UQ>(x.0, y.0),
                CompareOp::GreaterOrEqual => _mm256_cmp_ps::<_CMP_GE_OQ>(x.0, y.0),
            })
        }
        fn not_ge(x: F8, y: F8) -> M8 {
            M8(_mm256_cmp_ps::<_CMP_NGE_UQ>(x.0, y.0))
        }
        fn eq(x: I8, y: I8) -> M8 {
            M8(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x.0, y.0)))
        }
        fn ge_u(x: I8, y: I8) -> M8 {
            M8(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_max_epu32(x.0, y.0), x.0)))
        }
        fn bits(m: M8) -> u32 {
            _mm256_movemask_ps(m.0) as u32
        }
        fn select(m: M8, x: F8, y: F8) -> F8 {
            F8(_mm256_blendv_ps(y.0, x.0, m.0))
        }
        fn keep(m: M8, x: F8) -> F8 {
            F8(_mm256_and_ps(m.0, x.0))
        }
        fn clear_i(m: M8, x: I8) -> I8 {
            I8(_mm256_andnot_si256(_mm256_castps_si256(m.0), x.0))
        }
        fn look_up(table: &[u32; 16], at: I8) -> I8 {
            let t: *const __m256i = table.as_ptr().cast();
            // SAFETY: the table has 64 bytes, and the loads are unaligned.
            let [low, high] = unsafe { [_mm256_loadu_si256(t), _mm256_loadu_si256(t.add(1))] };
            let low = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, at.0));
            let high = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, at.0));
            // The fourth bit as a sign.
            let above = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(at.0));
            I8(_mm256_castps_si256(_mm256_blendv_ps(low, high, above)))
        }
    }
}

/// Runs a routine.
///
/// # Safety
/// The host must have the features, and the arguments must be as [`Call::new`] requires.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe extern "C" fn enter<B: Body>(args: *mut ImageArgs, plan: *const Plan) {
    // SAFETY: the caller promises the features, and arguments as required.
    let (host, mut call) = unsafe { (Avx2::again(), Call::new(args, plan)) };
    B::run(host, &mut call);
}
