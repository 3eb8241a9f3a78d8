//! Two rounds of filtered reads at once, and both levels of one round.
//!
//! The texels of both rounds, or levels, are loaded before those of either are filtered. A round alone is a chain of a
//! hundred cycles from coordinates by way of loads to results, and the next one begins too many instructions later for the
//! processor to overlap them. Single rounds are left to the parent module.

use super::super::super::LANES;
use super::super::axes::{Levels, ROUND};
use super::super::coords;
use super::super::host::{I8, Values, Wide};
use super::super::texels;
use super::super::{Call, D2, D3, FLOAT, HALF4, SHADOW};
use super::{Chosen, Round, Texels};

/// Texels of eight lanes.
#[derive(Clone, Copy)]
enum Loaded<W: Wide> {
    /// One texel of one word.
    Word(I8),
    /// One texel of two words.
    TwoWords(W::Pairs),
    /// Two texels of one word in each of two rows.
    Pairs([W::Pairs; 2]),
    /// Two texels of two words in each of two rows.
    Quads(W::Quads),
}

impl<'a, W: Wide> Round<'a, W> {
    /// Reads from the only level of two or three dimensions in two rounds. The texels of both are loaded before those of
    /// either are filtered, so that the processor computes one while it waits for the other.
    #[inline(always)]
    pub(super) fn two_at_level0<const T: u8, const DIM: u8, const LINEAR: bool>(
        h: W,
        call: &mut Call<'a>,
        first: u32,
    ) {
        let l = Levels::one(h, &call.view.level[0]);
        let [a, b] = each!(2, i in [0, 1] =>
            Self::of_lanes::<T, DIM>(h, call, first + i * LANES * W::HALVES as u32));
        let texels = each!(2, r in [&a, &b] => r.texels::<T, DIM, LINEAR>(&r.c, &l, ROUND, r.active));
        let [t, u] = &texels;
        let loaded = each!(2, r in [(&a, t), (&b, u)] => r.0.loaded::<T, LINEAR, true, false>(r.1, &l));
        let above = each!(2, i in [0, 1] => match DIM {
            D3 if LINEAR => [&a, &b][i].loaded::<T, LINEAR, true, true>(&texels[i], &l),
            _ => loaded[i],
        });
        unroll!(i in 0 1 => {
            let (r, t) = if i == 0 { (&a, t) } else { (&b, u) };
            let mut v = match T {
                FLOAT | SHADOW if LINEAR && DIM != D3 => r.words_of::<T>(t, &loaded[i]),
                _ => r.values_of::<T, LINEAR, true>(t, &loaded[i]),
            };
            if LINEAR && DIM == D3 {
                let above = r.values_of::<T, LINEAR, true>(t, &above[i]);
                unroll!(half in 0 1 => {
                    if half < W::HALVES {
                        r.between_slices::<T>(t, half, &mut v[half], &above[half]);
                    }
                });
            }
            let v = each!(2, v in v => texels::finish::<W, T, LINEAR, false>(h, v));
            match W::HALVES {
                2 => texels::store_sixteen::<W, T>(h, call.args, r.first, r.plan, [&v[0], &v[1]]),
                _ => texels::store::<W, T>(h, call.args, r.first, r.plan, &v[0]),
            }
        });
    }

    /// Reads from the levels that the lods select in two rounds of eight lanes, in two dimensions; see
    /// [`Self::two_at_level0`]. Returns `None`, without results, if the plan selects no levels.
    #[inline(always)]
    pub(super) fn two_at_levels<const T: u8, const LINEAR: bool>(
        h: W,
        call: &mut Call<'a>,
        first: u32,
    ) -> Option<()> {
        let lod = call.plan.lod.as_ref()?;
        let rounds = each!(2, first in [first, first + LANES] => Self::of_eight::<T, D2>(h, call, first));
        let [a, b] = &rounds;
        let chosen = each!(2, r in [a, b] => {
            r.chosen(coords::lambda::<D2>(h.eight(), call.args, r.first, r.view, lod, &r.eight()), lod)
        });
        let out = match chosen[0].two || chosen[1].two {
            _ if W::HALVES == 1 => each!(2, r in [(a, &chosen[0]), (b, &chosen[1])] => {
                let v = r.0.at_both::<T, D2, LINEAR>(&r.0.c, r.1)?;
                r.0.mixed_levels::<T, LINEAR>(v, r.1)
            }),
            true => Self::mixed::<T, LINEAR, true>(&rounds, &chosen),
            false => Self::mixed::<T, LINEAR, false>(&rounds, &chosen),
        };
        texels::store_sixteen::<W, T>(h, call.args, first, call.plan, [&out[0], &out[1]]);
        Some(())
    }

    /// The filtered values of eight lanes at both of their levels, in two dimensions, for vectors of eight slots. The texels of
    /// both levels are loaded before those of either are filtered.
    #[inline(always)]
    pub(super) fn at_two_levels<const T: u8, const LINEAR: bool>(
        &self,
        c: &[W::F; 3],
        levels: &[Levels<W>; 2],
    ) -> [Values<W>; 2] {
        let [fine, coarse] = levels;
        let active = self.active & 0xff;
        let texels = each!(2, l in [fine, coarse] => self.texels::<T, D2, LINEAR>(c, l, ROUND, active));
        let [t, u] = &texels;
        let loaded =
            each!(2, at in [(t, fine), (u, coarse)] => self.loaded::<T, LINEAR, false, false>(at.0, at.1));
        each!(2, at in [(t, &loaded[0]), (u, &loaded[1])] => self.values_of::<T, LINEAR, false>(at.0, at.1)[0])
    }

    /// The results of eight lanes in each of two rounds, with `TWO` from two levels.
    #[inline(always)]
    fn mixed<const T: u8, const LINEAR: bool, const TWO: bool>(
        [a, b]: &[Self; 2],
        chosen: &[Chosen<W>; 2],
    ) -> [Values<W>; 2] {
        let active = if TWO { 0xffff } else { 0xff };
        let [c, d] = chosen;
        let texels = each!(2, r in [(a, c), (b, d)] =>
            r.0.texels::<T, D2, LINEAR>(&r.0.c, &r.1.levels[0], ROUND, r.0.active & active));
        let [t, u] = &texels;
        let loaded =
            each!(2, r in [(a, t, c), (b, u, d)] => r.0.loaded::<T, LINEAR, TWO, false>(r.1, &r.2.levels[0]));
        each!(2, r in [(a, t, &loaded[0], c), (b, u, &loaded[1], d)] => {
            let v = r.0.values_of::<T, LINEAR, TWO>(r.1, r.2);
            r.0.mixed_levels::<T, LINEAR>(v, r.3)
        })
    }

    /// Loads the texels of filters, for each half; without `TWO`, those of the first for both. With `ABOVE`, they are those
    /// of linear filters in the second slice.
    #[inline(always)]
    fn loaded<const T: u8, const LINEAR: bool, const TWO: bool, const ABOVE: bool>(
        &self,
        t: &Texels<W>,
        l: &Levels<W>,
    ) -> [Loaded<W>; 2] {
        let (h, base, gathers) = (self.h, self.view.memory.base().cast_const(), self.plan.gathers);
        each!(2, half in [0, if TWO { W::HALVES - 1 } else { 0 }] => {
            let mut taps = self.taps(t, l, half);
            if ABOVE {
                taps = self.taps_above(taps, t, l, half);
            }
            let at = h.half_i(t.first, half);
            // SAFETY: `axis` gives texels inside the level, and layers and faces are clamped, so all offsets are inside the
            // view's memory. The texel after the last one is in the next row or the image's padding.
            unsafe {
                match (T, LINEAR) {
                    (HALF4, false) => Loaded::TwoWords(h.load_pairs(base, at, gathers)),
                    (_, false) => Loaded::Word(h.eight().load(base, at, gathers)),
                    (HALF4, true) => Loaded::Quads(texels::quads(h, &taps)),
                    (_, true) => Loaded::Pairs(texels::pairs(h, &taps)),
                }
            }
        })
    }

    /// Loads pairs of words in both rows of linear filters, for each half; without `TWO`, those of the first for both.
    #[inline(always)]
    pub fn pairs<const TWO: bool>(&self, t: &Texels<W>, l: &Levels<W>) -> [[W::Pairs; 2]; 2] {
        each!(2, half in [0, if TWO { W::HALVES - 1 } else { 0 }] => {
            // SAFETY: `axis` gives texels inside the level, and layers are clamped, so all offsets are inside the view's
            // memory. The texel after the last one is in the next row or the image's padding.
            unsafe { texels::pairs(self.h, &self.taps(t, l, half)) }
        })
    }

    /// Like [`Self::values_of`] with `TWO`, for linear filters of one component at one level: filters the texels of both
    /// halves at once.
    #[inline(always)]
    fn words_of<const T: u8>(&self, t: &Texels<W>, loaded: &[Loaded<W>; 2]) -> [Values<W>; 2] {
        let h = self.h;
        let &[Loaded::Pairs(a), Loaded::Pairs(b)] = loaded else {
            return self.values_of::<T, true, true>(t, loaded);
        };
        let [wx, wy] = each!(2, i in [0, 1] => h.float(t.weights[i]) * h.f(1.0 / 256.0));
        let reference = h.join(self.reference[0], self.reference[1]);
        let test = (T == SHADOW).then_some((self.plan.compare, reference));
        let v = h.linear_words_of_lanes([a, b], wx, wy, test);
        let zero = h.f(0.0);
        [[v, zero, zero, zero], [h.spread(h.half(v, W::HALVES - 1)), zero, zero, zero]]
    }

    /// The filtered values of the slots, from loaded texels. Without `TWO`, the second half is 0.
    #[inline(always)]
    fn values_of<const T: u8, const LINEAR: bool, const TWO: bool>(
        &self,
        t: &Texels<W>,
        loaded: &[Loaded<W>; 2],
    ) -> [Values<W>; 2] {
        let (h, gathers) = (self.h, self.plan.gathers);
        let mut out = [[h.f(0.0); 4]; 2];
        unroll!(half in 0 1 => {
            if half == 0 || TWO && W::HALVES == 2 {
                let weights = [h.half_i(t.weights[0], half), h.half_i(t.weights[1], half)];
                out[half] = match loaded[half] {
                    Loaded::Word(words) => texels::values::<W, T>(h, words, gathers, self.test(half)),
                    Loaded::TwoWords(pairs) => h.halves(pairs),
                    Loaded::Pairs(rows) => {
                        texels::linear_pairs::<W, T>(h, rows, weights, gathers, self.test(half))
                    }
                    Loaded::Quads(rows) => texels::linear_quads(h, rows, weights),
                };
            }
        });
        out
    }
}
