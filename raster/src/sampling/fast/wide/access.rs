//! Gathers, fetches, storage reads and writes, for any width. Filtered reads are left to [`super::sample`].

use quadrille_jit::abi::ImageArgs;

use super::super::super::state::CompareOp;
use super::super::LANES;
use super::axes::{CUT, Levels};
use super::coords::{integers, lanes_mut, row, sixteen_mut};
use super::host::{Avx2, Body, I8, M8, Values, Vectors, Wide, clamp};
use super::sample::Round;
use super::texels::{self, Test};
use super::{Call, D2, FLOAT, HALF4, UNORM8};
use crate::sampling::LevelInfo;

/// Byte offsets of texels at integer coordinates, and whether they exist; offsets of nonexistent texels are 0.
#[inline(always)]
fn place<const T: u8>(h: Avx2, args: &ImageArgs, first: u32, level: &LevelInfo) -> (I8, M8) {
    let (x, y) = (integers(h, &args.coord[0], first), integers(h, &args.coord[1], first));
    let outside = h.ge_u(x, h.i(level.width as i32)) | h.ge_u(y, h.i(level.height as i32));
    let at = h.shl(x, texels::shift(T)) + y * h.i(level.row_pitch as i32);
    (h.clear_i(outside, at), h.and_not(h.lanes_of(0xff), outside))
}

/// The first offset, if the texels of all lanes are contiguous in memory.
#[inline(always)]
fn in_a_row<const T: u8>(h: Avx2, at: I8) -> Option<usize> {
    let first = h.first(at);
    let expected = h.i(first as i32) + h.shl(h.numbers(), texels::shift(T));
    (h.bits(h.eq(at, expected)) == 0xff).then_some(first as usize)
}

/// Reads texels at integer coordinates. With `LOD`, there is a lod argument, and the view has a single level.
pub struct Fetch<const T: u8, const LOD: bool>;

impl<const T: u8, const LOD: bool> Fetch<T, LOD> {
    /// The results of eight lanes.
    #[inline(always)]
    fn eight<W: Wide>(w: W, call: &Call<'_>, first: u32) -> Values<W> {
        let h = w.eight();
        let (gathers, level) = (call.plan.gathers, &call.view.level[0]);
        let base = call.view.memory.base().wrapping_add(level.offset as usize).cast_const();
        let test = Test { op: CompareOp::Always, reference: h.f(0.0) };
        let (mut at, mut inside) = place::<T>(h, call.args, first, level);
        if LOD {
            inside = inside & h.eq(integers(h, &call.args.lod, first), h.i(0));
            at = h.keep_i(inside, at);
        }
        let contiguous = in_a_row::<T>(h, at);
        // SAFETY: `place` gives offsets of texels inside the level, or 0, where a texel exists because the class requires
        // texels. Contiguous offsets are those of eight existing texels.
        let v = unsafe {
            if T == HALF4 {
                let texels = match contiguous {
                    Some(at) => w.load_row_of_pairs(base.add(at)),
                    None => w.load_pairs(base, at, gathers),
                };
                w.halves(w.keep_pairs(inside, texels))
            } else {
                let texels = match contiguous {
                    Some(at) => h.load_row(base.add(at)),
                    None => h.load(base, at, gathers),
                };
                texels::values::<W, T>(w, h.keep_i(inside, texels), gathers, test)
            }
        };
        texels::finish::<W, T, false, false>(w, v)
    }
}

impl<const T: u8, const LOD: bool> Body for Fetch<T, LOD> {
    #[inline(always)]
    fn run<W: Wide>(w: W, call: &mut Call<'_>) {
        let mut first = 0;
        while first < call.args.lanes {
            if W::HALVES == 2 && first + LANES < call.args.lanes {
                let [a, b] = each!(2, first in [first, first + LANES] => Self::eight(w, call, first));
                texels::store_sixteen::<W, T>(w, call.args, first, call.plan, [&a, &b]);
                first += 2 * LANES;
            } else {
                let v = Self::eight(w, call, first);
                texels::store::<W, T>(w, call.args, first, call.plan, &v);
                first += LANES;
            }
        }
    }
}

/// Writes texels at integer coordinates.
pub struct Write<const T: u8>;

impl<const T: u8> Write<T> {
    /// The words of the texels.
    #[inline(always)]
    fn encoded(h: Avx2, args: &ImageArgs, first: u32, sources: &[usize; 4]) -> [I8; 2] {
        match T {
            UNORM8 => {
                let [a, b, c, d] = each!(4, i in *sources => {
                    let x = row(h, &args.texel[i & 7], first);
                    h.round(clamp(h, x, h.f(0.0), h.f(1.0)) * h.f(255.0))
                });
                [a | h.shl(b, 8) | (h.shl(c, 16) | h.shl(d, 24)), h.i(0)]
            }
            HALF4 => {
                let [a, b, c, d] = each!(4, i in *sources => h.to_half(row(h, &args.texel[i & 7], first)));
                [a | h.shl(b, 16), c | h.shl(d, 16)]
            }
            _ => [integers(h, &args.texel[sources[0] & 7], first), h.i(0)],
        }
    }
}

impl<const T: u8> Body for Write<T> {
    #[inline(always)]
    fn run<W: Wide>(w: W, call: &mut Call<'_>) {
        let h = w.eight();
        let level = &call.view.level[0];
        let base = call.view.memory.base().wrapping_add(level.offset as usize);
        let mut first = 0;
        while first < call.args.lanes {
            let (at, inside) = place::<T>(h, call.args, first, level);
            let mask = h.bits(inside) & call.args.mask >> first & 0xff;
            let words = Self::encoded(h, call.args, first, &call.plan.sources);
            first += LANES;
            if T != HALF4
                && mask == 0xff
                && let Some(at) = in_a_row::<T>(h, at)
            {
                // SAFETY: all eight lanes are inside the level and contiguous.
                unsafe { h.store_row(base.add(at), words[0]) }
                continue;
            }
            let (at, words) = (h.array(at), words.map(|w| h.array(w)));
            let mut rest = mask;
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize & 7;
                rest &= rest - 1;
                // SAFETY: only lanes that `place` found inside the level are stored, with the bytes of a texel.
                unsafe {
                    let to = base.add(at[lane] as usize).cast::<u32>();
                    to.write_unaligned(words[0][lane]);
                    if T == HALF4 {
                        to.add(1).write_unaligned(words[1][lane]);
                    }
                }
            }
        }
    }
}

/// Gathers components of the four texels of a linear filter, in the order (0, 1), (1, 1), (1, 0), (0, 0).
pub struct Gather<const T: u8>;

impl<const T: u8> Gather<T> {
    /// Loads the texels of one half of the slots or, with `TWO`, of both, as rows of pairs.
    #[inline(always)]
    fn loaded<W: Wide, const TWO: bool>(r: &Round<'_, W>, l: &Levels<W>) -> [[W::Pairs; 2]; 2] {
        let t = r.texels::<T, D2, true>(r.coordinates(), l, CUT, 0xffff);
        r.pairs::<TWO>(&t, l)
    }

    /// Stores the results of one half of the slots or, with `TWO`, of both.
    #[inline(always)]
    fn store<W: Wide, const TWO: bool>(
        w: W,
        call: &mut Call<'_>,
        first: u32,
        [here, there]: [[W::Pairs; 2]; 2],
    ) {
        for (n, &component) in call.plan.components.iter().enumerate() {
            unroll!(i in 0 1 => {
                let [here, there] = each!(2, pairs in [here[i], there[i]] => match T {
                    FLOAT => w.split(pairs),
                    _ => w.unorm_of(pairs, component),
                });
                unroll!(k in 0 1 => {
                    let row = &mut call.args.texel[[[3, 2], [0, 1]][i][k] | (n & 3) << 2];
                    match TWO {
                        true => w.put_sixteen(sixteen_mut(row, first), [&here, &there], k),
                        false => w.eight().put(lanes_mut(row, first), w.component(&here, k)),
                    }
                });
            });
        }
    }
}

impl<const T: u8> Body for Gather<T> {
    #[inline(always)]
    fn run<W: Wide>(w: W, call: &mut Call<'_>) {
        let l = Levels::one(w, &call.view.level[0]);
        let whole = LANES * W::HALVES as u32;
        let mut first = 0;
        while first + 2 * whole <= call.args.lanes {
            let rounds =
                each!(2, first in [first, first + whole] => Round::of_lanes::<T, D2>(w, call, first));
            let [a, b] = each!(2, i in [0, 1] => Self::loaded::<W, true>(&rounds[i], &l));
            match W::HALVES {
                2 => {
                    Self::store::<W, true>(w, call, first, a);
                    Self::store::<W, true>(w, call, first + whole, b);
                }
                _ => {
                    Self::store::<W, false>(w, call, first, a);
                    Self::store::<W, false>(w, call, first + whole, b);
                }
            }
            first += 2 * whole;
        }
        while first < call.args.lanes {
            if W::HALVES == 2 && first + LANES < call.args.lanes {
                let loaded = Self::loaded::<W, true>(&Round::of_sixteen::<T, D2>(w, call, first), &l);
                Self::store::<W, true>(w, call, first, loaded);
                first += 2 * LANES;
            } else {
                let loaded = Self::loaded::<W, false>(&Round::of_eight::<T, D2>(w, call, first), &l);
                Self::store::<W, false>(w, call, first, loaded);
                first += LANES;
            }
        }
    }
}
