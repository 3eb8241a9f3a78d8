//! Samplers with different filters for magnification and minification: runs the routine of each filter for its lanes.
//!
//! Usually all lanes of a call need the same filter, and only its routine runs. The routines are left to
//! [`super::sample`].

use quadrille_jit::abi::{ImageArgs, Row};
use quadrille_jit::ir::LodMode;

use super::super::super::state::CompareOp;
use super::super::{FastKey, Kind, LANES, Lod};
use super::coords::{coordinates, lambda};
use super::host::{Avx2, Body, Vectors, Wide};
use super::{ByHand, CUBE, Call, D2, D3, Routine};
use crate::sampling::View;
use crate::sampling::routine::routine_of;

/// The two routines of a sampler.
pub struct Choice {
    /// Computation of the lod, which determines the lanes that magnify.
    lod: Lod,
    magnified: ByHand,
    minified: ByHand,
}

/// Returns the choice for a key with two filters between the routines of each filter, and the routine that chooses.
pub fn between<W: Wide>(h: W, k: &FastKey, magnified: ByHand, minified: ByHand) -> Option<(Choice, Routine)> {
    let Kind::Sample { lod, anisotropy: None, .. } = k.kind else { return None };
    let lod = lod.filter(|l| !l.min_lod_argument && l.mode != LodMode::Grad)?;
    let routine = match (k.cube, k.axes) {
        (true, _) => h.entry::<Choose<CUBE>>(),
        (false, 2) => h.entry::<Choose<D2>>(),
        (false, 3) => h.entry::<Choose<D3>>(),
        _ => return None,
    };
    Some((Choice { lod, magnified, minified }, routine))
}

/// Runs both routines, each for its lanes.
struct Choose<const DIM: u8>;

impl<const DIM: u8> Body for Choose<DIM> {
    #[inline(always)]
    fn run<W: Wide>(w: W, call: &mut Call<'_>) {
        let Some(choice) = &call.plan.choice else { return };
        let [magnified, minified] =
            [&choice.magnified, &choice.minified].map(|routine| routine_of(routine.entry()));
        let mask = call.args.mask;
        let lanes = lanes_magnified::<DIM>(w.eight(), call.args, call.view, &choice.lod) & mask;
        if lanes == 0 {
            // SAFETY: `between` got routines of the plan's key with one filter, which are for the same class.
            return unsafe { call.run_for(mask, minified) };
        }
        // SAFETY: `between` got this routine of the plan's key with one filter, which is for the same class.
        unsafe { call.run_for(lanes, magnified) };
        if lanes == mask {
            return;
        }
        let first: [Row; 4] = std::array::from_fn(|row| call.args.texel[row]);
        // SAFETY: `between` got this routine of the plan's key with one filter, which is for the same class.
        unsafe { call.run_for(!lanes, minified) };
        for (row, first) in first.iter().enumerate() {
            for (lane, &bits) in first.iter().enumerate() {
                let to = &mut call.args.texel[row][lane];
                *to = if lanes >> lane & 1 != 0 { bits } else { *to };
            }
        }
    }
}

/// Lanes that magnify: those whose lambda is not above 0.
#[inline(always)]
fn lanes_magnified<const DIM: u8>(h: Avx2, args: &ImageArgs, view: &View, lod: &Lod) -> u32 {
    let mut lanes = 0;
    let mut first = 0;
    while first < args.lanes {
        if args.mask >> first & 0xff != 0 {
            let c = coordinates::<DIM>(h, args, first);
            let l = lambda::<DIM>(h, args, first, view, lod, &c);
            let above = h.compare(CompareOp::Greater, l, h.f(0.0));
            lanes |= (!h.bits(above) & 0xff) << first;
        }
        first += LANES;
    }
    lanes
}
