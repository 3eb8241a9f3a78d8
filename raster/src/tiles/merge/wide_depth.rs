//! Hand-written early depth test for the commonest states on hosts with AVX2: 32-bit float depth, an ordered
//! comparison, no stencil and no depth bounds. Also writes such depth after the fragment stage.
//!
//! Like [`super::wide`], it is selected by the feature level of generated code, and gives the same bits. It tests all
//! lanes of a stamp at once, and either keeps all stamps or removes those without lanes. Other tests are left to
//! [`super::depth_stencil`].

#![cfg(target_arch = "x86_64")]
#![expect(unsafe_code, reason = "vector instructions on raw rows")]

use std::arch::x86_64::*;

use quadrille_jit::abi::Stamp;

use super::MergeState;
use super::args::Args;
use crate::memory::format::Format;
use crate::state::CompareOp;

/// An early depth test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthTest {
    compare: CompareOp,
    write: bool,
}

/// True if depth is stored as 32-bit floats.
fn float(m: &MergeState) -> bool {
    matches!(m.depth_format, Some(Format::D32_SFLOAT | Format::D32_SFLOAT_S8_UINT))
}

/// True if [`write`] can write depth late, for a state that was tested early.
pub(crate) fn writes(m: &MergeState, lanes: u32) -> bool {
    lanes == 8 && float(m) && m.frag_depth.is_none()
}

/// Writes the depth of the lanes in the masks of `args`.
///
/// # Safety
/// The host must have AVX2. Stamps and masks of `args` must hold `count` elements. The stamps must lie inside the tile
/// of `args`, and its depth attachment must hold the whole tile.
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn write(args: &Args) {
    let plane = Depths::new(args);
    for i in 0..args.count as usize {
        // SAFETY: the caller promises that stamps and masks hold `count` elements, which `i` stays below, and that the
        // stamps lie inside the tile.
        unsafe {
            let mask = *args.masks.add(i);
            if mask != 0 {
                let s = &*args.stamps.add(i);
                store(rows(args, s), plane.at(s), in_memory(mask));
            }
        }
    }
}

impl DepthTest {
    /// Returns the early test of a state, which writes depth if `write`; `None` if the state is unsupported.
    pub fn of(m: &MergeState, lanes: u32, write: bool) -> Option<DepthTest> {
        use CompareOp::*;
        let plain = lanes == 8 && float(m) && m.depth_test && !m.depth_bounds && m.stencil.is_none();
        let ordered = matches!(m.compare, Less | LessOrEqual | Greater | GreaterOrEqual);
        (plain && ordered).then_some(DepthTest { compare: m.compare, write: write && m.depth_write })
    }

    /// Tests stamps of eight lanes and removes stamps without remaining lanes. Returns the number of remaining stamps.
    ///
    /// # Safety
    /// The host must have AVX2. The stamps must lie inside the tile of `args`, and its depth attachment must be
    /// readable and writable over the whole tile.
    pub unsafe fn stamps(self, args: &Args, stamps: &mut [Stamp]) -> usize {
        // SAFETY: the caller promises AVX2, stamps inside the tile, and a depth attachment that holds the whole tile.
        unsafe {
            match self.compare {
                CompareOp::Less => stamps_by::<_CMP_LT_OQ>(args, stamps, self.write),
                CompareOp::LessOrEqual => stamps_by::<_CMP_LE_OQ>(args, stamps, self.write),
                CompareOp::Greater => stamps_by::<_CMP_GT_OQ>(args, stamps, self.write),
                _ => stamps_by::<_CMP_GE_OQ>(args, stamps, self.write),
            }
        }
    }

    /// Tests the lanes of one sample, with a mask for each stamp of eight lanes, and clears failed lanes.
    ///
    /// # Safety
    /// As for [`DepthTest::stamps`].
    pub unsafe fn masks(self, args: &Args, stamps: &[Stamp], masks: &mut [u32]) {
        // SAFETY: the caller promises AVX2, stamps inside the tile, and a depth attachment that holds the whole tile.
        unsafe {
            match self.compare {
                CompareOp::Less => masks_by::<_CMP_LT_OQ>(args, stamps, masks, self.write),
                CompareOp::LessOrEqual => masks_by::<_CMP_LE_OQ>(args, stamps, masks, self.write),
                CompareOp::Greater => masks_by::<_CMP_GT_OQ>(args, stamps, masks, self.write),
                _ => masks_by::<_CMP_GE_OQ>(args, stamps, masks, self.write),
            }
        }
    }
}

/// Tests stamps with the comparison `OP`, and removes stamps without remaining lanes.
///
/// # Safety
/// As for [`DepthTest::stamps`].
#[target_feature(enable = "avx2")]
unsafe fn stamps_by<const OP: i32>(args: &Args, stamps: &mut [Stamp], write: bool) -> usize {
    let plane = Depths::new(args);
    let mut n = 0;
    for i in 0..stamps.len() {
        let mut s = stamps[i];
        // SAFETY: the caller promises that the stamps lie inside the tile and that the depth attachment holds the whole
        // tile.
        s.mask = unsafe { plane.test::<OP>(args, &s, s.mask, write) };
        stamps[n] = s;
        n += usize::from(s.mask != 0);
    }
    n
}

/// Tests masks with the comparison `OP`, and clears failed lanes.
///
/// # Safety
/// As for [`DepthTest::stamps`].
#[target_feature(enable = "avx2")]
unsafe fn masks_by<const OP: i32>(args: &Args, stamps: &[Stamp], masks: &mut [u32], write: bool) {
    let plane = Depths::new(args);
    for (s, mask) in stamps.iter().zip(masks) {
        if *mask != 0 {
            // SAFETY: the caller promises that the stamps lie inside the tile and that the depth attachment holds the
            // whole tile.
            *mask = unsafe { plane.test::<OP>(args, s, *mask, write) };
        }
    }
}

/// The depth plane of a primitive for eight lanes, in memory order: two rows of four.
struct Depths {
    a0: __m256,
    dadx: __m256,
    dady: __m256,
    origin: [__m256; 2],
    range: [__m256; 2],
}

impl Depths {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn new(args: &Args) -> Depths {
        Depths {
            a0: _mm256_set1_ps(args.z.a0),
            dadx: _mm256_set1_ps(args.z.dadx),
            dady: _mm256_set1_ps(args.z.dady),
            origin: [_mm256_set1_ps(args.origin[0]), _mm256_set1_ps(args.origin[1])],
            range: [_mm256_set1_ps(args.depth_range[0]), _mm256_set1_ps(args.depth_range[1])],
        }
    }

    /// Depth of the lanes of a stamp, in memory order.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn at(&self, s: &Stamp) -> __m256 {
        let half = _mm256_set1_ps(0.5);
        let x = _mm256_add_epi32(_mm256_set1_epi32(s.x), _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3));
        let y = _mm256_add_epi32(_mm256_set1_epi32(s.y), _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
        let dx = _mm256_sub_ps(_mm256_add_ps(_mm256_cvtepi32_ps(x), half), self.origin[0]);
        let dy = _mm256_sub_ps(_mm256_add_ps(_mm256_cvtepi32_ps(y), half), self.origin[1]);
        let z = _mm256_add_ps(self.a0, _mm256_mul_ps(self.dadx, dx));
        let z = _mm256_add_ps(z, _mm256_mul_ps(self.dady, dy));
        // Both instructions return their second operand if the first is NaN, so NaN becomes the minimum.
        _mm256_min_ps(_mm256_max_ps(z, self.range[0]), self.range[1])
    }

    /// Returns the lanes in `mask` that pass; with `write`, also writes their depth.
    ///
    /// # Safety
    /// As for [`DepthTest::stamps`].
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn test<const OP: i32>(&self, args: &Args, s: &Stamp, mask: u32, write: bool) -> u32 {
        let z = self.at(s);
        // SAFETY: the caller promises that the stamp lies inside the tile, so its two rows of four texels are readable
        // and writable.
        unsafe {
            let [upper, lower] = rows(args, s);
            let old = _mm256_set_m128(_mm_loadu_ps(lower), _mm_loadu_ps(upper));
            let passed = _mm256_movemask_ps(_mm256_cmp_ps::<OP>(z, old)) as u32 & in_memory(mask);
            if write && passed != 0 {
                store([upper, lower], z, passed);
            }
            in_memory(passed)
        }
    }
}

/// Addresses of the two rows of a stamp's depth.
///
/// # Safety
/// The stamp must lie inside the tile of `args`, and the depth attachment must hold the whole tile.
#[inline]
unsafe fn rows(args: &Args, s: &Stamp) -> [*mut f32; 2] {
    let (left, top) = ((s.x - args.tile_x) as usize, (s.y - args.tile_y) as usize);
    // SAFETY: the caller promises that the stamp lies inside the tile, so both offsets stay inside the attachment's
    // memory.
    unsafe {
        let upper = args.depth.base.add(top * args.depth.pitch as usize + left * 4);
        [upper.cast(), upper.add(args.depth.pitch as usize).cast()]
    }
}

/// Writes the lanes in a mask, which is in memory order.
///
/// # Safety
/// The host must have AVX2, and both rows must be readable and writable.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn store([upper, lower]: [*mut f32; 2], z: __m256, mask: u32) {
    let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let lanes = _mm256_and_si256(_mm256_set1_epi32(mask as i32), bit);
    let lanes = _mm256_castsi256_ps(_mm256_cmpeq_epi32(lanes, bit));
    // SAFETY: the caller promises that both rows of 16 bytes are readable and writable. The accesses are unaligned.
    unsafe {
        let old = _mm256_set_m128(_mm_loadu_ps(lower), _mm_loadu_ps(upper));
        let new = _mm256_blendv_ps(old, z, lanes);
        _mm_storeu_ps(upper, _mm256_castps256_ps128(new));
        _mm_storeu_ps(lower, _mm256_extractf128_ps(new, 1));
    }
}

/// Converts masks between quad order and memory order: lanes 0, 1, 4, 5 form the upper row.
#[inline]
fn in_memory(mask: u32) -> u32 {
    (mask & 0xc3) | (mask >> 2 & 0x0c) | (mask << 2 & 0x30)
}
