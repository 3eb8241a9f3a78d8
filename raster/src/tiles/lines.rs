//! Coverage specific to lines: stipple and smooth edges.
//!
//! Both use planes that set-up ([`crate::front`]) appends to those of the inputs.
//!
//! Spec: Vulkan, "Line Segments" (primsrast-lines).

use quadrille_jit::abi::{MAX_LANES, Plane, Stamp, stamp_lane};

use super::merge::MergeState;
use crate::bins::{Outline, Prim, StampShape, kind};
use crate::limits::SUBPIXELS;
use crate::state::LineStipple;

const PX: f32 = 1.0 / SUBPIXELS as f32;

/// The stipple of a line.
pub(crate) struct Stippled<'a> {
    along: &'a Plane,
    prim: &'a Prim,
    stipple: LineStipple,
    lanes: u32,
}

impl<'a> Stippled<'a> {
    /// Stipple of a primitive, if it has one. `extra` are the planes behind those of its inputs.
    pub fn of(
        outline: &Outline,
        prim: &'a Prim,
        extra: &'a [Plane],
        stipple: LineStipple,
        shape: &StampShape,
    ) -> Option<Self> {
        let along = extra.first().filter(|_| outline.kind & kind::STIPPLE != 0)?;
        Some(Stippled { along, prim, stipple, lanes: shape.full.count_ones().min(MAX_LANES as u32) })
    }

    /// Removes the lanes of a stamp in gaps of the stipple, evaluated at an offset from pixel centres.
    pub fn keep(&self, s: &mut Stamp, offset_fx8: [i32; 2]) {
        let factor = self.stipple.factor.clamp(1, 256) as f32;
        let place = offset_fx8.map(|o| 0.5 + o as f32 * PX);
        let covered = s.mask;
        for lane in (0..self.lanes).filter(|l| covered >> l & 1 != 0) {
            let (x, y) = stamp_lane(self.lanes, lane);
            let p = [(s.x + x as i32) as f32 + place[0], (s.y + y as i32) as f32 + place[1]];
            let bit = (value(self.along, self.prim, p).max(0.0) / factor).floor() as u32 % 16;
            if self.stipple.pattern >> bit & 1 == 0 {
                s.mask &= !(1 << lane);
            }
        }
    }
}

/// Value of a plane at a point.
fn value(plane: &Plane, prim: &Prim, [x, y]: [f32; 2]) -> f32 {
    let [ox, oy] = prim.fragment.origin;
    plane.a0 + plane.dadx * (x - ox) + plane.dady * (y - oy)
}

/// Multiplies the alpha of colour 0 by the smooth line's coverage of each pixel, from stamp `first` on.
///
/// Spec: Vulkan, "Smooth Lines" (primsrast-lines-smooth) and "Multisample Coverage" (fragops-covg).
pub(crate) fn smooth(
    outline: &Outline,
    prim: &Prim,
    extra: &[Plane],
    m: &MergeState,
    lanes: u32,
    stamps: &[Stamp],
    first: usize,
    output: &mut [u32],
) {
    let extra = if outline.kind & kind::STIPPLE != 0 { extra.get(1..).unwrap_or_default() } else { extra };
    let ([across, along, size], Some(word)) = (extra, m.alpha) else { return };
    let (half, length) = (size.a0, size.dadx);
    for (i, s) in stamps.iter().enumerate().skip(first) {
        for lane in 0..lanes {
            let (x, y) = stamp_lane(lanes, lane);
            let p = [(s.x + x as i32) as f32 + 0.5, (s.y + y as i32) as f32 + 0.5];
            let (a, t) = (value(across, prim, p), value(along, prim, p));
            let unit = |v: f32| v.clamp(0.0, 1.0);
            let covered = unit(half + 0.5 - a.abs()) * unit(t.min(length - t) + 0.5);
            let at = (i * m.words as usize + word as usize) * lanes as usize + lane as usize;
            output[at] = (f32::from_bits(output[at]) * covered).to_bits();
        }
    }
}
