//! Filtered reads with 256 bits. Loads and filters are left to [`super::texels`], coordinates to [`super::coords`].

use std::arch::x86_64::*;
use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;

use super::super::super::state::Filter;
use super::super::{COORD, LANES};
use super::coords::{self, ROUND, is_cube, mix, row};
use super::texels::{self, Taps, Values};
use super::{
    Address, CUBE, D2, D3, FLOAT, HALF4, Plan, Routine, SHADOW, SRGB8, UNORM8, bits_of, is_any, run_for,
};
use crate::sampling::{LevelInfo, View};

/// Selects the function for texels, dimensions and filter.
pub fn routine(texels: u8, dim: u8, linear: bool, mips: bool) -> Option<Routine> {
    Some(filtered_read! { (texels, dim, linear, mips) => sample, false, true })
}

/// The lanes of a round.
struct Eight<'a> {
    /// The arguments, advanced to the lanes of the round; only for access to rows.
    rows: *mut ImageArgs,
    view: &'a View,
    plan: &'a Plan,
    /// Bits of the active lanes.
    mask: u32,
    /// Bits of the lanes that take part in derivatives.
    quads: u32,
    /// Coordinates; on faces for cubes.
    c: [__m256; 3],
    /// Byte offsets of layers or faces.
    slice: __m256i,
    /// Offsets in texels.
    offset: [__m256i; 3],
    /// Depth reference.
    dref: __m256,
}

/// Runs a filtered read.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks. The arguments must be those of an image operation
/// that nothing else uses, with a live view of the plan's class. The plan must be valid.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe extern "C" fn sample<const T: u8, const DIM: u8, const LINEAR: bool, const MIPS: bool>(
    args: *mut ImageArgs,
    plan: *const Plan,
) {
    // SAFETY: the caller promises the host features, valid arguments, a live view of the plan's class and a valid plan.
    // `axis` keeps texel coordinates inside the level, so all loads are inside the view's memory.
    unsafe {
        let (plan, view) = (&*plan, &*(*args).view.cast::<View>());
        let mut first = 0;
        loop {
            if is_any(args, first, LANES) {
                let g = Eight::<'_>::new::<T, DIM>(args, view, plan, first);
                let complete =
                    if MIPS { g.at_levels::<T, DIM, LINEAR>() } else { g.at_level0::<T, DIM, LINEAR>() };
                if !complete {
                    run_for(bits_of(first, LANES), plan.generated, args);
                }
            }
            first += LANES;
            if first >= (*args).lanes {
                return;
            }
        }
    }
}

impl<'a> Eight<'a> {
    /// Loads the lanes of the round that starts at lane `first`, a multiple of eight.
    ///
    /// # Safety
    /// As for [`sample`].
    #[inline(always)]
    unsafe fn new<const T: u8, const DIM: u8>(
        args: *mut ImageArgs,
        view: &'a View,
        plan: &'a Plan,
        first: u32,
    ) -> Eight<'a> {
        // SAFETY: the caller promises the host features and valid arguments. `first` is a multiple of eight, as `row`
        // requires.
        unsafe {
            let rows = args.byte_add(4 * first as usize);
            let mut c = [_mm256_setzero_ps(); 3];
            for i in 0..coords::coordinates(DIM) {
                c[i] = row(rows, COORD, i);
            }
            let mut slice = _mm256_setzero_si256();
            if is_cube(DIM) {
                let face;
                (c, face) = coords::face(&c);
                slice = _mm256_mullo_epi32(face, _mm256_set1_epi32(view.layer_pitch as i32));
            } else if DIM == D2 && plan.arrayed {
                slice = coords::layer(rows, view, 2);
            }
            let mut offset = [_mm256_setzero_si256(); 3];
            if plan.offset {
                offset = each!(3, i in [0, 1, 2] => coords::offset(rows, i));
            }
            let dref = match T {
                SHADOW => row(rows, offset_of!(ImageArgs, dref), 0),
                _ => _mm256_setzero_ps(),
            };
            let (mask, quads) = (((*args).mask >> first) & 0xff, (*args).quad_mask >> first);
            Eight { rows, view, plan, mask, quads, c, slice, offset, dref }
        }
    }

    /// Reads from the first level. Returns false if an active lane is left to the generated routine.
    ///
    /// # Safety
    /// As for [`sample`], whose arguments `self` holds.
    #[inline(always)]
    unsafe fn at_level0<const T: u8, const DIM: u8, const LINEAR: bool>(&self) -> bool {
        // SAFETY: the caller promises the host features, and that `self` was made from valid arguments and a live view.
        unsafe {
            let Some(v) = self.filtered::<T, DIM, LINEAR>(&self.view.level[0]) else { return false };
            let v = texels::finish::<T, LINEAR, false>(v);
            texels::store::<T>(self.rows, self.plan, &v);
            true
        }
    }

    /// Reads from the levels that the lods select. Returns false if an active lane is left to the generated routine.
    ///
    /// # Safety
    /// As for [`sample`], whose arguments `self` holds.
    #[inline(always)]
    unsafe fn at_levels<const T: u8, const DIM: u8, const LINEAR: bool>(&self) -> bool {
        // SAFETY: the caller promises the host features, and that `self` was made from valid arguments and a live view.
        // Levels are clamped to those of the view.
        unsafe {
            let Some(lod) = &self.plan.lod else { return false };
            let lambda = coords::lambda::<DIM>(self.rows, self.quads, self.view, lod, &self.c);
            let (fine, weight) = coords::levels(self.view, lambda, lod.filter);
            let between = _mm256_cmp_ps::<_CMP_GT_OQ>(weight, _mm256_setzero_ps());
            let between_bits = match lod.filter {
                Filter::Linear => _mm256_movemask_ps(between) as u32,
                Filter::Nearest => 0,
            };
            let mut each = [0u32; 8];
            _mm256_storeu_si256(each.as_mut_ptr().cast(), fine);
            let last = self.view.head.levels as usize - 1;
            let mut rest = self.mask;
            let mut out = [_mm256_setzero_ps(); 4];
            while rest != 0 {
                let level = each[rest.trailing_zeros() as usize & 7] as usize;
                let same = _mm256_cmpeq_epi32(fine, _mm256_set1_epi32(level as i32));
                let same = _mm256_castsi256_ps(same);
                let bits = _mm256_movemask_ps(same) as u32;
                // Samples the finer level and, if some lane has a weight, the next.
                let passes = if bits & between_bits & self.mask != 0 { 2 } else { 1 };
                let mut v = [_mm256_setzero_ps(); 4];
                for pass in 0..passes {
                    let at = &self.view.level[(level + pass).min(last)];
                    let Some(new) = self.filtered::<T, DIM, LINEAR>(at) else { return false };
                    for i in 0..4 {
                        v[i] = match pass {
                            0 => new[i],
                            _ => _mm256_blendv_ps(v[i], mix(v[i], new[i], weight), between),
                        };
                    }
                }
                let v = texels::finish::<T, LINEAR, true>(v);
                unroll!(i in 0 1 2 3 => { out[i] = _mm256_blendv_ps(out[i], v[i], same); });
                rest &= !bits;
            }
            texels::store::<T>(self.rows, self.plan, &out);
            true
        }
    }

    /// True if any active lane is set in `lanes`.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn is_any(&self, lanes: __m256i) -> bool {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as u32 & self.mask != 0 }
    }

    /// The filtered value at a level, in the domain of filters. Returns `None` if an active lane is left to the
    /// generated routine.
    ///
    /// # Safety
    /// As for [`sample`], whose arguments `self` holds. `level` must be a level of the view.
    #[inline(always)]
    unsafe fn filtered<const T: u8, const DIM: u8, const LINEAR: bool>(
        &self,
        level: &LevelInfo,
    ) -> Option<Values> {
        // SAFETY: the caller promises the host features, a live view, and a level of that view. `axis` gives texels
        // inside the level, and layers and faces are clamped, so all offsets are inside the view's memory. The texel
        // after the last one is in the next row or the image's padding.
        unsafe {
            let address = &self.plan.address;
            let bytes = texels::bytes(T);
            let x = coords::axis::<LINEAR>(
                address[0],
                self.c[0],
                level.width_f,
                level.width,
                ROUND,
                Some(self.offset[0]),
            );
            let y = coords::axis::<LINEAR>(
                address[1],
                self.c[1],
                level.height_f,
                level.height,
                ROUND,
                Some(self.offset[1]),
            );
            if LINEAR && (is_cube(DIM) || matches!(T, HALF4 | FLOAT)) {
                let crosses = _mm256_or_si256(x.crosses, y.crosses);
                if self.is_any(crosses) {
                    return None;
                }
            }
            let shift = _mm_cvtsi32_si128(bytes.trailing_zeros() as i32);
            let pitch = _mm256_set1_epi32(level.row_pitch as i32);
            let xs = each!(2, i in [x.first, x.second] => _mm256_sll_epi32(i, shift));
            let mut ys = each!(2, i in [y.first, y.second] => _mm256_mullo_epi32(i, pitch));
            if is_cube(DIM) || DIM == D2 && self.plan.arrayed {
                ys = each!(2, y in ys => _mm256_add_epi32(y, self.slice));
            }
            let base = self.view.memory.base().add(level.offset as usize).cast_const();
            let (op, dref) = (self.plan.compare, self.dref);
            let mut zs = [_mm256_setzero_si256(); 2];
            let mut wz = _mm256_setzero_ps();
            if DIM == D3 {
                let z = coords::axis::<LINEAR>(
                    address[2],
                    self.c[2],
                    level.depth_f,
                    level.depth,
                    ROUND,
                    Some(self.offset[2]),
                );
                if LINEAR && matches!(T, HALF4 | FLOAT) && self.is_any(z.crosses) {
                    return None;
                }
                let pitch = _mm256_set1_epi32(level.slice_pitch as i32);
                zs = each!(2, i in [z.first, z.second] => _mm256_mullo_epi32(i, pitch));
                wz = texels::weight(z.weight);
                ys = each!(2, y in ys => _mm256_add_epi32(y, zs[0]));
            }
            let at = _mm256_add_epi32(ys[0], xs[0]);
            if !LINEAR {
                return Some(texels::nearest::<T>(base, at, self.plan.gathers, op, dref));
            }
            // If texels at weight 0 do not matter, the neighbour of the last texel in a row may take its place.
            let apart = match address[0] {
                Address::ClampWeightless | Address::ClampInside => 0,
                _ => !steps(xs, bytes) & self.mask,
            };
            let mut near = apart == 0 && steps(ys, level.row_pitch) == 0xff;
            if DIM == D3 {
                near = near && steps(zs, level.slice_pitch as u32) == 0xff;
            }
            let weights = [x.weight, y.weight];
            let pitch = near.then_some(level.row_pitch as usize);
            let mut taps = Taps { xs, ys, weights, apart, pitch, at, gathers: self.plan.gathers };
            let first = texels::linear::<T>(base, &taps, op, dref);
            if DIM != D3 {
                return Some(first);
            }
            let between = _mm256_sub_epi32(zs[1], zs[0]);
            taps.ys = each!(2, y in taps.ys => _mm256_add_epi32(y, between));
            let base = if near { base.add(level.slice_pitch as usize) } else { base };
            let second = texels::linear::<T>(base, &taps, op, dref);
            let mut v = first;
            unroll!(i in 0 1 2 3 => { v[i] = mix(first[i], second[i], wz); });
            Some(v)
        }
    }
}

/// Bits of the lanes whose second offset is `bytes` above the first.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn steps(offsets: [__m256i; 2], bytes: u32) -> u32 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let next = _mm256_add_epi32(offsets[0], _mm256_set1_epi32(bytes as i32));
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(next, offsets[1]))) as u32
    }
}

const _: () = assert!(LANES == 8);
