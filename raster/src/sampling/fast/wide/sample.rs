//! Filtered reads, for any width. Loads and filters are left to [`super::texels`], texels along axes to [`super::axes`],
//! lods to [`super::coords`], two rounds at once to [`overlap`].
//!
//! A round has one or two halves of eight slots. With one level they hold as many lanes, if so many are left. Otherwise
//! the first half holds eight lanes at one level and, if some lanes lie between two levels, the second half or another
//! pass the same lanes at the next level. Properties of the level are looked up per slot, so lanes at different levels
//! need no further rounds.

mod overlap;

use super::super::super::state::{CompareOp, Filter};
use super::super::{LANES, Lod};
use super::axes::{Axis, Levels, ROUND, axis};
use super::coords::{self, integers, layer, levels, row};
use super::host::{Avx2, Body, F8, I8, M8, Values, Vectors, Wide, mix, vectors};
use super::seams::Filters;
use super::texels::{self, Taps, Test, components};
use super::{Address, CUBE, Call, D2, D3, FLOAT, HALF4, Plan, Routine, SHADOW, SRGB8, UNORM8};
use crate::sampling::View;

/// One level, or several levels that are not chosen by lod.
const SINGLE: u8 = 0;
/// Levels chosen by lod.
const BY_LOD: u8 = 1;
/// Levels chosen by lod, and several samples along a footprint.
const FOOTPRINT: u8 = 2;

/// Selects the routine for texels, dimensions, filter and, if levels are chosen by lod, footprints.
pub fn routine<W: Wide>(
    h: W,
    texels: u8,
    dim: u8,
    linear: bool,
    mips: bool,
    footprint: bool,
) -> Option<Routine> {
    macro_rules! pick {
        ($($t:ident $d:ident),*) => {
            match (texels, dim, linear, mips) {
                $(
                    ($t, $d, false, false) => h.entry::<Sample<$t, $d, false, SINGLE>>(),
                    ($t, $d, true, false) => h.entry::<Sample<$t, $d, true, SINGLE>>(),
                    ($t, $d, false, true) => h.entry::<Sample<$t, $d, false, BY_LOD>>(),
                    ($t, $d, true, true) => h.entry::<Sample<$t, $d, true, BY_LOD>>(),
                )*
                _ => return None,
            }
        };
    }
    if footprint {
        return match (texels, dim, linear) {
            (UNORM8, D2, true) => Some(h.entry::<Sample<UNORM8, D2, true, FOOTPRINT>>()),
            (SRGB8, D2, true) => Some(h.entry::<Sample<SRGB8, D2, true, FOOTPRINT>>()),
            (HALF4, D2, true) => Some(h.entry::<Sample<HALF4, D2, true, FOOTPRINT>>()),
            (FLOAT, D2, true) => Some(h.entry::<Sample<FLOAT, D2, true, FOOTPRINT>>()),
            _ => None,
        };
    }
    Some(pick! {
        UNORM8 D2, UNORM8 D3, UNORM8 CUBE, SRGB8 D2, SRGB8 CUBE, HALF4 D2, HALF4 D3, HALF4 CUBE, FLOAT D2, FLOAT D3,
        SHADOW D2
    })
}

/// A filtered read of texels `T` in dimensions `DIM`.
struct Sample<const T: u8, const DIM: u8, const LINEAR: bool, const LEVELS: u8>;

impl<const T: u8, const DIM: u8, const LINEAR: bool, const LEVELS: u8> Body
    for Sample<T, DIM, LINEAR, LEVELS>
{
    #[inline(always)]
    fn run<W: Wide>(h: W, call: &mut Call<'_>) {
        let mut first = 0;
        loop {
            let both = Self::lanes_of_two::<W>();
            if both != 0 && first + both <= call.args.lanes {
                let complete = match LEVELS {
                    _ if !call.is_any(first, both) => true,
                    SINGLE => {
                        Round::<W>::two_at_level0::<T, DIM, LINEAR>(h, call, first);
                        true
                    }
                    _ => Round::<W>::two_at_levels::<T, LINEAR>(h, call, first).is_some(),
                };
                if complete {
                    first += both;
                    if first >= call.args.lanes {
                        return;
                    }
                    continue;
                }
            }
            let two = W::HALVES == 2 && LEVELS == SINGLE && first + LANES < call.args.lanes;
            let lanes = if two { 2 * LANES } else { LANES };
            if call.is_any(first, lanes) {
                let complete = if two {
                    let g = Round::<W>::of_sixteen::<T, DIM>(h, call, first);
                    g.at_level0::<T, DIM, LINEAR, true>(call)
                } else {
                    let g = Round::<W>::of_eight::<T, DIM>(h, call, first);
                    match LEVELS {
                        SINGLE => g.at_level0::<T, DIM, LINEAR, false>(call),
                        BY_LOD => g.at_levels::<T, DIM, LINEAR>(call),
                        _ => g.along_footprint::<T, DIM, LINEAR>(call),
                    }
                };
                if complete.is_none() {
                    call.leave(first, lanes);
                }
            }
            first += lanes;
            if first >= call.args.lanes {
                return;
            }
        }
    }
}

impl<const T: u8, const DIM: u8, const LINEAR: bool, const LEVELS: u8> Sample<T, DIM, LINEAR, LEVELS> {
    /// Number of lanes of two rounds at once; 0 for reads that have single rounds only.
    const fn lanes_of_two<W: Wide>() -> u32 {
        match (LEVELS, DIM) {
            // Sixteen vectors of texels in each round are too many, and so are the faces of two rounds.
            (SINGLE, D3) if T == HALF4 => 0,
            (SINGLE, CUBE) => 0,
            (SINGLE, _) => 2 * LANES * W::HALVES as u32,
            (BY_LOD, D2) => 2 * LANES,
            _ => 0,
        }
    }
}

/// Inputs of eight lanes.
struct Eight {
    /// Coordinates; on faces for cubes.
    c: [F8; 3],
    /// Byte offsets of layers or faces.
    slice: I8,
    /// Indices of faces.
    face: I8,
    /// Offsets in texels.
    by: [I8; 3],
    /// Depth reference.
    reference: F8,
}

impl Eight {
    /// Loads the inputs of the lanes from `first`.
    #[inline(always)]
    fn new<const T: u8, const DIM: u8>(h: Avx2, call: &Call<'_>, first: u32) -> Eight {
        let (args, view) = (&*call.args, call.view);
        let mut c = coords::coordinates::<DIM>(h, args, first);
        let zero = h.i(0);
        let (mut slice, mut face) = (zero, zero);
        if DIM == CUBE {
            (c, face) = coords::face(h, c);
            slice = face * h.i(view.layer_pitch as i32);
        } else if DIM == D2 && call.plan.arrayed {
            slice = layer(h, args, first, view);
        }
        let mut by = [zero; 3];
        if call.plan.offset {
            by = each!(3, i in [0, 1, 2] => integers(h, &args.offset[i], first));
        }
        let reference = match T {
            SHADOW => row(h, &args.dref, first),
            _ => h.f(0.0),
        };
        Eight { c, slice, face, by, reference }
    }
}

/// The slots of a round.
pub struct Round<'a, W: Wide> {
    h: W,
    view: &'a View,
    plan: &'a Plan,
    /// The first lane.
    first: u32,
    /// Bits of the slots with active lanes.
    active: u32,
    /// Coordinates; on faces for cubes.
    c: [W::F; 3],
    /// Byte offsets of layers or faces.
    slice: W::I,
    /// Indices of faces.
    face: W::I,
    /// Offsets in texels.
    by: [W::I; 3],
    /// Depth reference of each half.
    reference: [F8; 2],
}

/// Texels of filters.
pub struct Texels<W: Wide> {
    /// Byte offset of the first texel.
    first: W::I,
    /// Differences in bytes from the first column, row and slice to the second. Few values stay in registers until it
    /// is known that texels are not neighbours.
    next: W::I,
    down: W::I,
    up: W::I,
    /// Weights of the second texel along each axis in 1/256.
    weights: [W::I; 3],
    /// Slots whose texels are not all neighbours.
    edge: u32,
    /// Slots whose filter uses a texel beyond an edge.
    crosses: W::M,
}

/// The levels of eight lanes.
struct Chosen<W: Wide> {
    /// With two halves, the first value has both levels of each lane; otherwise each has one, if some lane needs it.
    levels: [Levels<W>; 2],
    /// Weights of the second levels, and the lanes in which they are above 0.
    weight: F8,
    between: M8,
    /// `true` if some active lane has a weight above 0.
    two: bool,
}

impl<'a, W: Wide> Round<'a, W> {
    /// Loads eight lanes into each half.
    #[inline(always)]
    pub fn of_eight<const T: u8, const DIM: u8>(h: W, call: &Call<'a>, first: u32) -> Self {
        let e = Eight::new::<T, DIM>(h.eight(), call, first);
        Round {
            h,
            view: call.view,
            plan: call.plan,
            first,
            active: (call.args.mask >> first & 0xff) * 0x101,
            c: each!(3, v in e.c => h.spread(v)),
            slice: h.spread_i(e.slice),
            face: h.spread_i(e.face),
            by: each!(3, v in e.by => h.spread_i(v)),
            reference: [e.reference; 2],
        }
    }

    /// Loads sixteen lanes.
    #[inline(always)]
    pub fn of_sixteen<const T: u8, const DIM: u8>(h: W, call: &Call<'a>, first: u32) -> Self {
        let a = Eight::new::<T, DIM>(h.eight(), call, first);
        let b = Eight::new::<T, DIM>(h.eight(), call, first + LANES);
        Round {
            h,
            view: call.view,
            plan: call.plan,
            first,
            active: call.args.mask >> first & 0xffff,
            c: each!(3, i in [0, 1, 2] => h.join(a.c[i], b.c[i])),
            slice: h.join_i(a.slice, b.slice),
            face: h.join_i(a.face, b.face),
            by: each!(3, i in [0, 1, 2] => h.join_i(a.by[i], b.by[i])),
            reference: [a.reference, b.reference],
        }
    }

    /// Loads as many lanes as there are slots.
    #[inline(always)]
    pub fn of_lanes<const T: u8, const DIM: u8>(h: W, call: &Call<'a>, first: u32) -> Self {
        match W::HALVES {
            2 => Self::of_sixteen::<T, DIM>(h, call, first),
            _ => Self::of_eight::<T, DIM>(h, call, first),
        }
    }

    /// Coordinates of the slots.
    #[inline(always)]
    pub fn coordinates(&self) -> &[W::F; 3] {
        &self.c
    }

    /// Coordinates of the first eight lanes.
    #[inline(always)]
    fn eight(&self) -> [F8; 3] {
        each!(3, c in self.c => self.h.half(c, 0))
    }

    /// Reads from the first level; with `TWO`, for sixteen lanes. Like all methods below, returns `None` if an active
    /// lane is left to the scalar twin.
    #[inline(always)]
    fn at_level0<const T: u8, const DIM: u8, const LINEAR: bool, const TWO: bool>(
        &self,
        call: &mut Call<'_>,
    ) -> Option<()> {
        let h = self.h;
        let levels = Levels::one(h, &self.view.level[0]);
        let v = self.filtered::<T, DIM, LINEAR, TWO>(&self.c, &levels)?;
        let done = texels::finish::<W, T, LINEAR, false>(h, v[0]);
        if TWO {
            let next = texels::finish::<W, T, LINEAR, false>(h, v[1]);
            texels::store_sixteen::<W, T>(h, call.args, self.first, self.plan, [&done, &next]);
        } else {
            texels::store::<W, T>(h, call.args, self.first, self.plan, &done);
        }
        Some(())
    }

    /// Reads from the levels that the lods select.
    #[inline(always)]
    fn at_levels<const T: u8, const DIM: u8, const LINEAR: bool>(&self, call: &mut Call<'_>) -> Option<()> {
        let lod = self.plan.lod.as_ref()?;
        let h = self.h.eight();
        let lambda = coords::lambda::<DIM>(h, call.args, self.first, self.view, lod, &self.eight());
        let chosen = self.chosen(lambda, lod);
        let v = self.at_both::<T, DIM, LINEAR>(&self.c, &chosen)?;
        self.store_mixed::<T, LINEAR>(call, v, &chosen);
        Some(())
    }

    /// Averages samples along the footprint, at each level.
    #[inline(always)]
    fn along_footprint<const T: u8, const DIM: u8, const LINEAR: bool>(
        &self,
        call: &mut Call<'_>,
    ) -> Option<()> {
        let (h, w) = (self.h.eight(), self.h);
        let (lod, most) = (self.plan.lod.as_ref()?, self.plan.anisotropy?);
        let eight = self.eight();
        let f = coords::footprint(h, call.args, self.first, self.view, lod, &eight, most);
        let chosen = self.chosen(f.lambda, lod);
        let one = h.f(1.0);
        let spaces = f.samples + one;
        let wanted = h.keep(h.lanes_of(self.active), f.samples);
        let mut sums = [[w.f(0.0); 4]; 2];
        let mut i = one;
        loop {
            let counts = h.compare(CompareOp::LessOrEqual, i, wanted);
            if h.bits(counts) == 0 {
                break;
            }
            let t = i / spaces - h.f(0.5);
            let at = each!(2, a in [0, 1] => w.spread(eight[a] + f.along[a] * t));
            let v = self.at_both::<T, DIM, LINEAR>(&[at[0], at[1], at[1]], &chosen)?;
            let counts = w.spread_m(counts);
            unroll!(p in 0 1 => { unroll!(k in 0 1 2 3 => {
                if k < vectors::<W>(components(T)) {
                    sums[p][k] = w.select(counts, sums[p][k] + v[p][k], sums[p][k]);
                }
            }) });
            i = i + one;
        }
        let samples = w.spread(f.samples);
        unroll!(p in 0 1 => { unroll!(k in 0 1 2 3 => {
            if k < vectors::<W>(components(T)) {
                sums[p][k] = sums[p][k] / samples;
            }
        }) });
        self.store_mixed::<T, LINEAR>(call, sums, &chosen);
        Some(())
    }

    /// The levels of the first eight lanes.
    #[inline(always)]
    fn chosen(&self, lambda: F8, lod: &Lod) -> Chosen<W> {
        let h = self.h.eight();
        let (fine, weight) = levels(h, self.view, lambda, lod.filter);
        let between = match lod.filter {
            Filter::Linear | Filter::Cubic => h.compare(CompareOp::Greater, weight, h.f(0.0)),
            Filter::Nearest => h.none(),
        };
        let two = h.bits(between) & self.active & 0xff != 0;
        let coarse = h.min_s(fine + h.i(1), h.i(self.view.head.levels as i32 - 1));
        let mut levels = [Levels::of(self.h, self.view, fine, coarse); 2];
        if W::HALVES == 1 && two {
            levels[1] = Levels::of(self.h, self.view, coarse, coarse);
        }
        Chosen { levels, weight, between, two }
    }

    /// The filtered values of eight lanes at each of their levels, or at the first only.
    #[inline(always)]
    fn at_both<const T: u8, const DIM: u8, const LINEAR: bool>(
        &self,
        c: &[W::F; 3],
        chosen: &Chosen<W>,
    ) -> Option<[Values<W>; 2]> {
        let levels = &chosen.levels;
        if W::HALVES == 2 {
            return match chosen.two {
                true => self.filtered::<T, DIM, LINEAR, true>(c, &levels[0]),
                false => self.filtered::<T, DIM, LINEAR, false>(c, &levels[0]),
            };
        }
        if DIM == D2 && chosen.two {
            return Some(self.at_two_levels::<T, LINEAR>(c, levels));
        }
        let mut both = [[self.h.f(0.0); 4]; 2];
        unroll!(pass in 0 1 => {
            if pass == 0 || chosen.two {
                both[pass] = self.filtered::<T, DIM, LINEAR, false>(c, &levels[pass])?[0];
            }
        });
        Some(both)
    }

    /// Mixes the values of two levels, and stores the results.
    #[inline(always)]
    fn store_mixed<const T: u8, const LINEAR: bool>(
        &self,
        call: &mut Call<'_>,
        v: [Values<W>; 2],
        chosen: &Chosen<W>,
    ) {
        let out = self.mixed_levels::<T, LINEAR>(v, chosen);
        texels::store::<W, T>(self.h, call.args, self.first, self.plan, &out);
    }

    /// The results of mixing the values of two levels.
    #[inline(always)]
    fn mixed_levels<const T: u8, const LINEAR: bool>(
        &self,
        v: [Values<W>; 2],
        chosen: &Chosen<W>,
    ) -> Values<W> {
        let h = self.h;
        let (weight, between) = (h.spread(chosen.weight), h.spread_m(chosen.between));
        let mut out = v[0];
        unroll!(k in 0 1 2 3 => {
            if k < vectors::<W>(components(T)) {
                out[k] = h.select(between, mix(v[0][k], v[1][k], weight), v[0][k]);
            }
        });
        texels::finish::<W, T, LINEAR, true>(h, out)
    }

    /// The filters of one half of the slots, on faces of cubes.
    #[inline(always)]
    fn over_edges(&self, c: &[W::F; 3], l: &Levels<W>, half: usize) -> Filters {
        let h = self.h;
        Filters {
            base: self.view.memory.base().cast_const(),
            gathers: self.plan.gathers,
            active: self.active >> (8 * half) & 0xff,
            at: [h.half(c[0], half), h.half(c[1], half)],
            face: h.half_i(self.face, half),
            size: h.half(l.width, half),
            offset: h.half_i(l.offset, half),
            face_pitch: h.eight().i(self.view.layer_pitch as i32),
            row_pitch: h.half_i(l.row_pitch, half),
        }
    }

    /// The filtered values of the slots, in the domain of filters. Without `TWO`, the second half is 0.
    #[inline(always)]
    fn filtered<const T: u8, const DIM: u8, const LINEAR: bool, const TWO: bool>(
        &self,
        c: &[W::F; 3],
        l: &Levels<W>,
    ) -> Option<[Values<W>; 2]> {
        let h = self.h;
        let active = self.active & if TWO { 0xffff } else { 0xff };
        let texels = self.texels::<T, DIM, LINEAR>(c, l, ROUND, active);
        let crosses = if LINEAR && DIM == CUBE { h.bits(texels.crosses) & active } else { 0 };
        let mut out = [[h.f(0.0); 4]; 2];
        unroll!(half in 0 1 => {
            if half == 0 || TWO {
                out[half] = if !LINEAR {
                    self.nearest::<T>(h.half_i(texels.first, half), half)
                } else if DIM == CUBE && crosses >> (8 * half) & 0xff != 0 {
                    self.over_edges(c, l, half).linear::<W, T>(h)?
                } else {
                    self.linear::<T, DIM>(&texels, l, half)
                };
            }
        });
        Some(out)
    }

    /// The texels of the filters of the slots. `round` is that of [`axis`].
    #[inline(always)]
    pub fn texels<const T: u8, const DIM: u8, const LINEAR: bool>(
        &self,
        c: &[W::F; 3],
        l: &Levels<W>,
        round: f32,
        active: u32,
    ) -> Texels<W> {
        let (h, address) = (self.h, &self.plan.address);
        let x = axis::<W, LINEAR>(h, address[0], c[0], l.width, round, self.by[0], active);
        let y = axis::<W, LINEAR>(h, address[1], c[1], l.height, round, self.by[1], active);
        let mut edge = apart(h, address[0], &x) | y.edge;
        let [x0, x1] = each!(2, i in [x.first, x.second] => h.shl(i, texels::shift(T)));
        let mut start = l.offset;
        if DIM == CUBE || DIM == D2 && self.plan.arrayed {
            start = start + self.slice;
        }
        let (mut wz, mut up) = (h.i(0), h.i(0));
        if DIM == D3 {
            let z = axis::<W, LINEAR>(h, address[2], c[2], l.depth, round, self.by[2], active);
            (edge, wz) = (edge | z.edge, z.weight);
            let [z0, z1] = each!(2, i in [z.first, z.second] => i * l.slice_pitch);
            start = start + z0;
            up = z1 - z0;
        }
        Texels {
            first: y.first * l.row_pitch + start + x0,
            next: x1 - x0,
            down: (y.second - y.first) * l.row_pitch,
            up,
            weights: [x.weight, y.weight, wz],
            edge: if LINEAR { h.bits(edge) } else { 0 },
            crosses: x.crosses | y.crosses,
        }
    }

    /// The taps of the linear filters of one half of the slots.
    #[inline(always)]
    pub fn taps(&self, t: &Texels<W>, l: &Levels<W>, half: usize) -> Taps {
        let h = self.h;
        let first = h.half_i(t.first, half);
        let mut taps = Taps {
            base: self.view.memory.base().cast_const(),
            at: [first; 4],
            near: l.uniform && t.edge >> (8 * half) & 0xff == 0,
            gathers: self.plan.gathers,
            row_pitch: l.row_pitches[half],
            weights: [h.half_i(t.weights[0], half), h.half_i(t.weights[1], half)],
        };
        if !taps.near {
            let [next, down] = each!(2, by in [t.next, t.down] => h.half_i(by, half));
            taps.at = [first, first + next, first + down, first + down + next];
        }
        taps
    }

    /// The comparison of one half of the slots.
    #[inline(always)]
    fn test(&self, half: usize) -> Test {
        Test { op: self.plan.compare, reference: self.reference[half] }
    }

    /// The texels of one half of the slots, at byte offsets from [`Self::filtered`].
    #[inline(always)]
    fn nearest<const T: u8>(&self, at: I8, half: usize) -> Values<W> {
        let base = self.view.memory.base().cast_const();
        // SAFETY: `axis` gives texels inside the levels of the view, and layers and faces are clamped, so all offsets
        // are inside the view's memory.
        unsafe { texels::nearest::<W, T>(self.h, base, at, self.plan.gathers, self.test(half)) }
    }

    /// Applies the linear filters of one half of the slots, whose texels are from [`Self::texels`].
    #[inline(always)]
    fn linear<const T: u8, const DIM: u8>(&self, t: &Texels<W>, l: &Levels<W>, half: usize) -> Values<W> {
        let h = self.h;
        let mut taps = self.taps(t, l, half);
        // SAFETY: `axis` gives texels inside the levels of the view, and layers and faces are clamped, so all offsets
        // are inside the view's memory. The texel after the last one is in the next row or the image's padding.
        let mut v = unsafe { texels::linear::<W, T>(h, &taps, self.test(half)) };
        if DIM != D3 {
            return v;
        }
        taps = self.taps_above(taps, t, l, half);
        // SAFETY: `axis` keeps the second slice inside the level, too, so all offsets are inside the view's memory.
        let second = unsafe { texels::linear::<W, T>(h, &taps, self.test(half)) };
        self.between_slices::<T>(t, half, &mut v, &second);
        v
    }

    /// The taps in the second slice, from those in the first.
    #[inline(always)]
    fn taps_above(&self, mut taps: Taps, t: &Texels<W>, l: &Levels<W>, half: usize) -> Taps {
        if taps.near {
            taps.base = taps.base.wrapping_add(l.slice_pitches[half]);
        } else {
            let up = self.h.half_i(t.up, half);
            taps.at = each!(4, a in taps.at => a + up);
        }
        taps
    }

    /// Filters between the values of two slices.
    #[inline(always)]
    fn between_slices<const T: u8>(&self, t: &Texels<W>, half: usize, v: &mut Values<W>, above: &Values<W>) {
        let w = texels::weight(self.h, self.h.half_i(t.weights[2], half));
        unroll!(k in 0 1 2 3 => {
            if k < vectors::<W>(components(T)) {
                v[k] = mix(v[k], above[k], w);
            }
        });
    }
}

/// Slots whose second texel in a row must not be the neighbour after the first. If texels at weight 0 do not matter,
/// the neighbour may take the place of any second texel.
#[inline(always)]
fn apart<W: Vectors>(h: W, address: Address, x: &Axis<W>) -> W::M {
    match address {
        Address::ClampWeightless => h.none(),
        _ => x.edge,
    }
}
