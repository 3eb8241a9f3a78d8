//! Vectors of sixteen slots in 512 bits, on hosts with AVX-512 and its byte permutations. Operations on the bytes of
//! texels are left to [`super::texels512`].

use std::arch::x86_64::*;

use quadrille_jit::CpuLevel;
use quadrille_jit::abi::ImageArgs;

use super::super::super::super::state::CompareOp;
use super::super::{Call, Plan, Routine};
use super::avx2::{Avx2, F8, I8, M8};
use super::{Body, Vectors};

/// Sixteen floats.
#[derive(Clone, Copy)]
pub struct F16(pub(super) __m512);

/// Sixteen integers.
#[derive(Clone, Copy)]
pub struct I16(pub(super) __m512i);

operators! { F16: Add add _mm512_add_ps Sub sub _mm512_sub_ps Mul mul _mm512_mul_ps Div div _mm512_div_ps }
operators! {
    I16: Add add _mm512_add_epi32 Sub sub _mm512_sub_epi32 Mul mul _mm512_mullo_epi32
    BitAnd bitand _mm512_and_si512 BitOr bitor _mm512_or_si512
}

/// Proof that the host has AVX-512 with instructions for bytes, words and shorter vectors, permutations of bytes, and
/// all that [`Avx2`] proves.
#[derive(Clone, Copy)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// The token, if the host and the CPU level have the instructions.
    pub fn new(cpu: CpuLevel) -> Option<Avx512> {
        use std::arch::is_x86_feature_detected as has;
        let able = cpu >= CpuLevel::V4
            && has!("avx512f")
            && has!("avx512bw")
            && has!("avx512dq")
            && has!("avx512vl")
            && has!("avx512vbmi");
        Avx2::new(cpu).filter(|_| able).map(Avx512)
    }
}

impl Vectors for Avx512 {
    type F = F16;
    type I = I16;
    type M = u16;

    const HALVES: usize = 2;

    #[inline(always)]
    fn eight(self) -> Avx2 {
        self.0
    }

    fn entry<B: Body>(self) -> Routine {
        enter::<B>
    }

    #[inline(always)]
    fn none(self) -> u16 {
        0
    }
    #[inline(always)]
    fn spread_m(self, m: M8) -> u16 {
        self.0.bits(m) as u16 * 0x101
    }
    #[inline(always)]
    fn bits(self, m: u16) -> u32 {
        m.into()
    }

    operations! { "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c";
        fn spread(x: F8) -> F16 {
            F16(_mm512_broadcast_f32x8(x.0))
        }
        fn spread_i(x: I8) -> I16 {
            I16(_mm512_broadcast_i32x8(x.0))
        }
        fn join(a: F8, b: F8) -> F16 {
            F16(_mm512_insertf32x8::<1>(_mm512_castps256_ps512(a.0), b.0))
        }
        fn join_i(a: I8, b: I8) -> I16 {
            I16(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(a.0), b.0))
        }
        fn half(x: F16, h: usize) -> F8 {
            F8(if h == 0 { _mm512_castps512_ps256(x.0) } else { _mm512_extractf32x8_ps::<1>(x.0) })
        }
        fn half_i(x: I16, h: usize) -> I8 {
            I8(if h == 0 { _mm512_castsi512_si256(x.0) } else { _mm512_extracti64x4_epi64::<1>(x.0) })
        }
        fn f(x: f32) -> F16 {
            F16(_mm512_set1_ps(x))
        }
        fn i(x: i32) -> I16 {
            I16(_mm512_set1_epi32(x))
        }
        fn as_f(x: I16) -> F16 {
            F16(_mm512_castsi512_ps(x.0))
        }
        fn trunc(x: F16) -> I16 {
            I16(_mm512_cvttps_epi32(x.0))
        }
        fn float(x: I16) -> F16 {
            F16(_mm512_cvtepi32_ps(x.0))
        }
        fn floor(x: F16) -> F16 {
            F16(_mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x.0))
        }
        fn min(x: F16, y: F16) -> F16 {
            F16(_mm512_min_ps(x.0, y.0))
        }
        fn max(x: F16, y: F16) -> F16 {
            F16(_mm512_max_ps(x.0, y.0))
        }
        fn fused(x: F16, y: F16, z: F16) -> F16 {
            F16(_mm512_fmadd_ps(x.0, y.0, z.0))
        }
        fn min_s(x: I16, y: I16) -> I16 {
            I16(_mm512_min_epi32(x.0, y.0))
        }
        fn max_s(x: I16, y: I16) -> I16 {
            I16(_mm512_max_epi32(x.0, y.0))
        }
        fn min_u(x: I16, y: I16) -> I16 {
            I16(_mm512_min_epu32(x.0, y.0))
        }
        fn shl(x: I16, n: u32) -> I16 {
            I16(_mm512_sll_epi32(x.0, _mm_cvtsi32_si128(n as i32)))
        }
        fn sar(x: I16, n: u32) -> I16 {
            I16(_mm512_sra_epi32(x.0, _mm_cvtsi32_si128(n as i32)))
        }
        fn compare(op: CompareOp, x: F16, y: F16) -> u16 {
            match op {
                CompareOp::Never => 0,
                CompareOp::Always => 0xffff,
                CompareOp::Less => _mm512_cmp_ps_mask::<_CMP_LT_OQ>(x.0, y.0),
                CompareOp::Equal => _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(x.0, y.0),
                CompareOp::LessOrEqual => _mm512_cmp_ps_mask::<_CMP_LE_OQ>(x.0, y.0),
                CompareOp::Greater => _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x.0, y.0),
                CompareOp::NotEqual => _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(x.0, y.0),
                CompareOp::GreaterOrEqual => _mm512_cmp_ps_mask::<_CMP_GE_OQ>(x.0, y.0),
            }
        }
        fn not_ge(x: F16, y: F16) -> u16 {
            _mm512_cmp_ps_mask::<_CMP_NGE_UQ>(x.0, y.0)
        }
        fn eq(x: I16, y: I16) -> u16 {
            _mm512_cmpeq_epi32_mask(x.0, y.0)
        }
        fn ge_u(x: I16, y: I16) -> u16 {
            _mm512_cmpge_epu32_mask(x.0, y.0)
        }
        fn select(m: u16, x: F16, y: F16) -> F16 {
            F16(_mm512_mask_mov_ps(y.0, m, x.0))
        }
        fn keep(m: u16, x: F16) -> F16 {
            F16(_mm512_maskz_mov_ps(m, x.0))
        }
        fn clear_i(m: u16, x: I16) -> I16 {
            I16(_mm512_maskz_mov_epi32(!m, x.0))
        }
        fn look_up(table: &[u32; 16], at: I16) -> I16 {
            // SAFETY: the table has 64 bytes, and the load is unaligned.
            let table = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
            I16(_mm512_permutexvar_epi32(at.0, table))
        }
    }
}

/// Runs a routine.
///
/// # Safety
/// The host must have the features, and the arguments must be as [`Call::new`] requires.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
unsafe extern "C" fn enter<B: Body>(args: *mut ImageArgs, plan: *const Plan) {
    // SAFETY: the caller promises the features, and arguments as required.
    let (host, mut call) = unsafe { (Avx512(Avx2::again()), Call::new(args, plan)) };
    B::run(host, &mut call);
}
