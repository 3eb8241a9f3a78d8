//! Linear filters across the edges of cubes on eight lanes, with the formulas of [`crate::sampling::fast::cube`],
//! operation by operation. Lanes whose filter stays on its face get the same bits as from [`super::texels::linear`].
//! Filters of whole groups on one face are left to [`super::texels`].

use std::arch::x86_64::*;

use super::super::super::super::coords::FAR;
use super::super::super::super::state::CompareOp;
use super::super::super::cube::EDGES;
use super::super::UNORM8;
use super::super::coords::{ROUND, clamp};
use super::super::texels::bytes;
use super::texels::{Values, mix, nearest, twice, weight};

/// Inputs of the filters of eight lanes, each at its level.
pub struct Filters {
    pub base: *const u8,
    /// `true` for loads by the host's gathers.
    pub gathers: bool,
    pub active: u8,
    /// Coordinates on the faces, and indices of the faces.
    pub at: [__m256; 2],
    pub face: __m256i,
    /// Width of the faces in texels.
    pub size: __m256,
    /// Byte offset of the first face, pitch of faces, and pitch of rows.
    pub offset: __m256i,
    pub face_pitch: __m256i,
    pub row_pitch: __m256i,
}

/// The two texels along an axis, one of which may be outside the face.
struct Axis {
    /// Texel coordinates clamped to the face.
    clamped: [__m256i; 2],
    /// Bits of the lanes with the texel outside.
    out: [u8; 2],
    /// Entry of [`EDGES`] for the edge that is crossed, if any.
    entry: __m256i,
    /// Weight of the second texel in 1/256.
    weight: __m256i,
}

impl Filters {
    /// The texels along `axis`, which is 0 or 1.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn axis(&self, axis: usize) -> Axis {
        // SAFETY: the caller promises the host features. Gathered entries are `face * 4 + edge` for 6 faces and 4
        // edges, so they lie inside the 24 entries of `EDGES`.
        unsafe {
            let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi32(1));
            let far = _mm256_set1_ps(FAR);
            let least = _mm256_sub_ps(_mm256_sub_ps(_mm256_setzero_ps(), self.size), far);
            let most = _mm256_add_ps(_mm256_add_ps(self.size, self.size), far);
            let u = clamp(_mm256_mul_ps(self.at[axis], self.size), least, most);
            let c = _mm256_add_ps(_mm256_mul_ps(u, _mm256_set1_ps(256.0)), _mm256_set1_ps(ROUND));
            let c = _mm256_sub_epi32(_mm256_cvttps_epi32(_mm256_floor_ps(c)), _mm256_set1_epi32(128));
            let first = _mm256_srai_epi32::<8>(c);
            let texels = [first, _mm256_add_epi32(first, one)];
            let n = _mm256_cvttps_epi32(self.size);
            let last = _mm256_sub_epi32(n, one);
            let clamped = each!(2, i in texels => _mm256_min_epi32(_mm256_max_epi32(i, zero), last));
            let out = each!(2, i in texels => _mm256_cmpge_epu32_mask(i, n));
            let edge = _mm256_set1_epi32(2 * axis as i32);
            let far = _mm256_cmpge_epi32_mask(texels[1], n);
            let edge = _mm256_mask_add_epi32(edge, far, edge, one);
            let at = _mm256_add_epi32(_mm256_slli_epi32::<2>(self.face), edge);
            let entry = _mm256_i32gather_epi32::<4>(EDGES.as_ptr().cast(), at);
            Axis { clamped, out, entry, weight: _mm256_and_si256(c, _mm256_set1_epi32(255)) }
        }
    }

    /// Byte offsets of the texels in column `i` and row `j` of the filters, across at most one edge.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn texel<const T: u8>(&self, x: &Axis, i: usize, y: &Axis, j: usize) -> __m256i {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        unsafe {
            let one = _mm256_set1_epi32(1);
            let last = _mm256_sub_epi32(_mm256_cvttps_epi32(self.size), one);
            let (ci, cj) = (x.clamped[i], y.clamped[j]);
            let entry = _mm256_mask_mov_epi32(y.entry, x.out[i], x.entry);
            let along = _mm256_mask_mov_epi32(ci, x.out[i], cj);
            let crosses = x.out[i] | y.out[j];
            let [to_x, to_y] = each!(2, place in [_mm256_srli_epi32::<8>(entry), _mm256_srli_epi32::<16>(entry)] => {
                let start = _mm256_mullo_epi32(_mm256_and_si256(place, one), last);
                let step = _mm256_and_si256(_mm256_srli_epi32::<1>(place), _mm256_set1_epi32(3));
                _mm256_add_epi32(start, _mm256_mullo_epi32(_mm256_sub_epi32(step, one), along))
            });
            let to = _mm256_and_si256(entry, _mm256_set1_epi32(7));
            let face = _mm256_mask_mov_epi32(self.face, crosses, to);
            let (column, row) =
                (_mm256_mask_mov_epi32(ci, crosses, to_x), _mm256_mask_mov_epi32(cj, crosses, to_y));
            let at = _mm256_add_epi32(self.offset, _mm256_mullo_epi32(face, self.face_pitch));
            let at = _mm256_add_epi32(at, _mm256_mullo_epi32(row, self.row_pitch));
            let shift = _mm_cvtsi32_si128(bytes(T).trailing_zeros() as i32);
            _mm256_add_epi32(at, _mm256_sll_epi32(column, shift))
        }
    }

    /// The filtered values, in the domain of filters. Returns `None` if an active lane is outside its face with both
    /// columns or both rows.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks, and the texels of all six faces must be
    /// readable.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
    pub unsafe fn linear<const T: u8>(&self) -> Option<Values> {
        // SAFETY: the caller promises the host features and readable faces. `axis` clamps texel coordinates to the
        // face, and `EDGES` leads to texels of other faces.
        unsafe {
            let (x, y) = (self.axis(0), self.axis(1));
            let corners = (x.out[0] | x.out[1]) & (y.out[0] | y.out[1]);
            if corners & (x.out[0] & x.out[1] | y.out[0] & y.out[1]) & self.active != 0 {
                return None;
            }
            // The four texels, as rows of columns.
            let mut taps = each!(2, j in [0, 1] => each!(2, i in [0, 1] => {
                let at = self.texel::<T>(&x, i, &y, j);
                nearest::<T>(self.base, at, self.gathers, CompareOp::Always, _mm256_setzero_ps())
            }));
            if corners != 0 {
                fill_corners(&x, &y, &mut taps);
            }
            let (wx, wy) = (weight(x.weight), weight(y.weight));
            Some(each!(2, k in [0, 1] => {
                let rows = each!(2, j in [0, 1] => mix(taps[j][0][k], taps[j][1][k], wx));
                let v = mix(rows[0], rows[1], wy);
                // Factor that other filters of bytes leave.
                if T == UNORM8 { _mm512_mul_ps(v, _mm512_set1_ps(256.0)) } else { v }
            }))
        }
    }
}

/// At a corner of a cube, the average of the three texels that meet there replaces the missing fourth.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn fill_corners(x: &Axis, y: &Axis, taps: &mut [[Values; 2]; 2]) {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let three = _mm512_set1_ps(3.0);
        unroll!(j in 0 1 => { unroll!(i in 0 1 => {
            let here = twice(x.out[i] & y.out[j]);
            if here != 0 {
                unroll!(k in 0 1 => {
                    let (inner, over_column) = (taps[1 - j][1 - i][k], taps[1 - j][i][k]);
                    let sum = _mm512_add_ps(_mm512_add_ps(inner, over_column), taps[j][1 - i][k]);
                    taps[j][i][k] = _mm512_mask_div_ps(taps[j][i][k], here, sum, three);
                });
            }
        }) });
    }
}
