//! Emits filtered reads and gathers. Combining the texels is left to [`super::filter`].

use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::state::{AddressMode, CompareOp, Filter, Reduction};
use super::coords::{self, Step};
use super::filter::{Sampling, Values, both, filtered, is_packed, is_scaled, mix, reference, row_words, tap};
use super::texel::{self, Source};
use super::{FastKey, Group, Kind, TEXEL, cube, for_each_level, lod, row_at, with_mask};

pub fn emit(b: &mut LaneBuilder, k: &FastKey, g: &Group) {
    let Kind::Sample { mag, min, lod, anisotropy, reduction, address, border, compare, .. } = k.kind else {
        return;
    };
    let mut s = Sampling { filter: min, reduction, address, border, compare, footprint: None };
    let selected = lod.map(|l| (l.filter, lod::select(b, k, g, &l, anisotropy.map(f32::from_bits))));
    let lambda = selected.as_ref().map(|(f, s)| (*f, s.lambda));
    s.footprint = selected.and_then(|(_, s)| s.footprint);
    let crosses = k.cube && (mag == Filter::Linear || min == Filter::Linear);
    let g = if crosses { &cube::track_edges(b, g) } else { g };
    let g = if k.cube && s.footprint.is_none() { &cube::prepare(b, k, g) } else { g };
    match lambda {
        Some((_, l)) if mag != min => {
            let zero = b.f32(0.0);
            // Lanes whose lambda is NaN are magnified, because the sampler's clamp turns NaN into 0.
            let minified = b.fcmp(FCmp::OrdGt, l, zero);
            let bits = b.mask_bits(minified);
            let minified = b.and(bits, g.mask);
            let magnified = b.not(bits);
            let magnified = b.and(magnified, g.mask);
            let zero = b.u32(0);
            for (filter, only) in [(mag, magnified), (min, minified)] {
                s.filter = filter;
                let any = b.icmp(ICmp::Ne, only, zero);
                let part = Group { only: Some(only), ..*g };
                b.if_(any, |b| at_levels(b, k, &part, &s, lambda));
            }
        }
        _ => at_levels(b, k, g, &s, lambda),
    }
    cube::redo_edges(b, g);
}

fn at_levels(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, lambda: Option<(Filter, Lane)>) {
    let (Some((filter, lambda)), true) = (lambda, k.mips) else {
        let level = g.level0(b);
        let v = filtered(b, k, g, s, level);
        let v = v.map(|v| v.map(|v| finish(b, k, s, v)));
        match g.only {
            Some(bits) => with_mask(b, g, bits, |b, mask| store(b, k, g, s, &v, mask)),
            None => store(b, k, g, s, &v, None),
        }
        return;
    };
    let (fine, weight) = lod::levels(b, g, lambda, filter);
    for_each_level(b, g, fine, |b, level, bits| {
        let Some(weight) = weight else {
            let level = g.level(b, level);
            let v = filtered(b, k, g, s, level);
            let v = v.map(|v| v.map(|v| finish(b, k, s, v)));
            with_mask(b, g, bits, |b, mask| store(b, k, g, s, &v, mask));
            return;
        };
        two_levels(b, k, g, s, level, bits, weight);
    });
}

/// Samples the finer level and, if some lane of `bits` has a weight, the next one. A single copy of the code runs once
/// or twice.
fn two_levels(
    b: &mut LaneBuilder,
    k: &FastKey,
    g: &Group,
    s: &Sampling,
    fine: Lane,
    bits: Lane,
    weight: Lane,
) {
    let zero = b.f32(0.0);
    let between = b.fcmp(FCmp::OrdGt, weight, zero);
    let mixed_bits = b.mask_bits(between);
    let mixed_bits = b.and(mixed_bits, bits);
    let zero = b.u32(0);
    let any = b.icmp(ICmp::Ne, mixed_bits, zero);
    let one = b.u32(1);
    let more = b.bool_to_i32(any);
    let passes = b.iadd(one, more);
    let n = g.levels(b);
    let last = b.isub(n, one);
    b.for_range(zero, passes, |b, pass| {
        let level = b.iadd(fine, pass);
        let level = b.umin(level, last);
        let level = g.level(b, level);
        let v = filtered(b, k, g, s, level);
        let zero = b.u32(0);
        let is_first = b.icmp(ICmp::Eq, pass, zero);
        b.if_else(
            is_first,
            |b| {
                if !is_scaled(k, s) {
                    with_mask(b, g, bits, |b, mask| store(b, k, g, s, &v, mask));
                    return;
                }
                b.if_else(
                    any,
                    |b| with_mask(b, g, bits, |b, mask| store(b, k, g, s, &v, mask)),
                    |b| {
                        let v = v.map(|v| v.map(|v| finish(b, k, s, v)));
                        with_mask(b, g, bits, |b, mask| store(b, k, g, s, &v, mask));
                    },
                );
            },
            |b| {
                let mixed: Values = std::array::from_fn(|c| {
                    let v = v[c]?;
                    let row = raw_row(k, s, c)?;
                    let a = g.row(b, Ty::F32, TEXEL, row);
                    let m = mix(b, s, a, v, weight);
                    let m = b.select(between, m, a);
                    Some(finish(b, k, s, m))
                });
                with_mask(b, g, bits, |b, mask| store(b, k, g, s, &mixed, mask));
            },
        );
    });
}

/// A result row that receives component `c`.
fn raw_row(k: &FastKey, s: &Sampling, c: usize) -> Option<usize> {
    if s.compare.is_some() {
        return (c == 0).then_some(0);
    }
    (0..4).find(|&row| k.source(row) == Source::Component(c))
}

/// Converts from the domain of filters to results.
fn finish(b: &mut LaneBuilder, k: &FastKey, s: &Sampling, v: Lane) -> Lane {
    if !is_scaled(k, s) {
        return v;
    }
    // The packed filter leaves a factor of 256.
    let scale = if is_packed(k, s) { 1.0 / 256.0 } else { 1.0 };
    texel::normalize8(b, v, scale)
}

fn store(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, v: &Values, mask: Option<Lane>) {
    if s.compare.is_none() {
        texel::store(b, k, g, v, mask);
        return;
    }
    let Some(v) = v[0] else { return };
    let v = match mask {
        Some(m) => {
            let old = g.row(b, Ty::F32, TEXEL, 0);
            b.select(m, v, old)
        }
        None => b.splat(v),
    };
    b.store_row(v, g.rows, row_at(TEXEL, 0));
}

/// Gathers the four texels that a linear filter of level 0 would use, in the specification's order: (0, 1), (1, 1), (1,
/// 0), (0, 0). Stores `count` components.
pub fn gather(
    b: &mut LaneBuilder,
    k: &FastKey,
    g: &Group,
    count: u8,
    (address, border, compare): ([AddressMode; 3], u128, Option<CompareOp>),
) {
    let s = Sampling {
        filter: Filter::Linear,
        reduction: Reduction::WeightedAverage,
        address,
        border,
        compare,
        footprint: None,
    };
    let level = g.level0(b);
    let [x, y] = [0, 1].map(|i| coords::axis(b, k, g, level, i, address[i], Filter::Linear));
    let base = g.texels(b, level);
    let layer = coords::slice(b, k, g).unwrap_or_else(|| b.u32(0));
    let dref = compare.map(|_| reference(b, k, g));
    let source = |i| if compare.is_some() { Source::Component(0) } else { k.source(i) };
    let sources: Vec<_> = (0..count.into()).map(source).collect();
    let used = std::array::from_fn(|c| sources.contains(&Source::Component(c)));
    let mut texels = [[[None; 4]; 2]; 2];
    if used != [false; 4] {
        for (step, row) in y.steps.iter().zip(&mut texels) {
            let at = both(b, *step, Step { offset: layer, inside: None });
            for (words, texel) in row_words(b, k, &s, &x, base, at).iter().zip(row) {
                *texel = tap(b, k, &s, words, dref, &used, false);
            }
        }
    }
    for (n, source) in sources.into_iter().enumerate() {
        for (row, (i, j)) in [(0, 1), (1, 1), (1, 0), (0, 0)].into_iter().enumerate() {
            let value = match source {
                Source::Component(c) => texels[j][i][c],
                Source::One => Some(b.u32(k.info().one())),
                Source::Zero => None,
            };
            let v = match value {
                Some(v) if is_scaled(k, &s) && source != Source::One => texel::normalize8(b, v, 1.0),
                Some(v) => v,
                None => b.u32(0),
            };
            let v = b.splat(v);
            b.store_row(v, g.rows, row_at(TEXEL, 4 * n + row));
        }
    }
}
