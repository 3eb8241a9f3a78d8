//! Samplers with different filters for magnification and minification: runs the routine of each filter for its lanes.
//!
//! Usually all lanes of a call need the same filter, and only its routine runs. The routines are left to
//! [`super::sample`] and [`super::v4`].

use std::arch::x86_64::*;

use quadrille_jit::abi::{ImageArgs, Row};
use quadrille_jit::ir::LodMode;
use quadrille_jit::lane::bind_kernel;

use super::super::{COORD, FastKey, Kind, LANES, Lod};
use super::coords::{coordinates, lambda, row};
use super::{CUBE, D2, D3, Refers, Wide, is_any, run_for};
use crate::sampling::View;
use crate::sampling::routine::routine_of;

/// The two routines of a sampler.
pub struct Choice {
    /// Computation of the lod, which determines the lanes that magnify.
    lod: Lod,
    magnified: Wide,
    minified: Wide,
}

/// Returns the routine of a key with two filters, made from the routines of each filter. The generated routine that
/// they fall back to is the one for `k`.
pub fn between(k: &FastKey, magnified: Wide, minified: Wide) -> Option<Wide> {
    let Kind::Sample { lod, anisotropy: None, .. } = k.kind else { return None };
    let lod = lod.filter(|l| !l.min_lod_argument && l.mode != LodMode::Grad)?;
    let routine = match (k.cube, k.axes) {
        (true, _) => choose::<CUBE>,
        (false, 2) => choose::<D2>,
        (false, 3) => choose::<D3>,
        _ => return None,
    };
    let choice = Box::new(Choice { lod, magnified, minified });
    let entry = bind_kernel(routine as *const (), (&raw const *choice).cast()).ok()?;
    Some(Wide { entry, _refers_to: Refers::Choice { _choice: choice } })
}

/// Runs both routines, each for its lanes.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks. The arguments must be those of an image operation
/// that nothing else uses, with a live view of the class of both routines. `choice` must be valid.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe extern "C" fn choose<const DIM: u8>(args: *mut ImageArgs, choice: *const Choice) {
    // SAFETY: the caller promises the host features, valid arguments with a view of the routines' class, and a valid
    // `choice`.
    unsafe {
        let choice = &*choice;
        let [magnified, minified] = [&choice.magnified, &choice.minified].map(|w| routine_of(w.entry()));
        let lanes = lanes_magnified::<DIM>(args, &choice.lod) & (*args).mask;
        if lanes == 0 {
            return minified(args);
        }
        run_for(lanes, magnified, args);
        if lanes == (*args).mask {
            return;
        }
        let first: [Row; 4] = std::array::from_fn(|row| (*args).texel[row]);
        run_for(!lanes, minified, args);
        for (row, first) in first.iter().enumerate() {
            for (lane, &bits) in first.iter().enumerate() {
                let to = &mut (*args).texel[row][lane];
                *to = if lanes >> lane & 1 != 0 { bits } else { *to };
            }
        }
    }
}

/// Lanes that magnify: those whose lambda is not above 0.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks. The arguments must be those of an image operation,
/// with a live view.
#[inline(always)]
unsafe fn lanes_magnified<const DIM: u8>(args: *const ImageArgs, lod: &Lod) -> u32 {
    // SAFETY: the caller promises the host features and valid arguments with a live view. Rounds start at multiples of
    // eight lanes, as `row` requires.
    unsafe {
        let view = &*(*args).view.cast::<View>();
        let mut lanes = 0;
        let mut first = 0;
        while first < (*args).lanes {
            if is_any(args, first, LANES) {
                let rows = args.byte_add(4 * first as usize);
                let mut c = [_mm256_setzero_ps(); 3];
                for i in 0..coordinates(DIM) {
                    c[i] = row(rows, COORD, i);
                }
                let l = lambda::<DIM>(rows, (*args).quad_mask >> first, view, lod, &c);
                let not_above = _mm256_cmp_ps::<_CMP_NGT_UQ>(l, _mm256_setzero_ps());
                lanes |= (_mm256_movemask_ps(not_above) as u32) << first;
            }
            first += LANES;
        }
        lanes
    }
}
