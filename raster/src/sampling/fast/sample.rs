//! Filtered reads.

use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::state::{AddressMode, CompareOp, Filter, Reduction};
use super::coords::{self, Axis, Footprint, Step};
use super::texel::{self, Source};
use super::{COORD, FastKey, Group, Kind, TEXEL, cube, for_each_level, is_eight_bit, row_at, with_mask};
use crate::memory::format::Numeric;

/// The sampling part of a key, for one of the two filters.
struct Sampling {
    filter: Filter,
    reduction: Reduction,
    address: [AddressMode; 3],
    border: u128,
    compare: Option<CompareOp>,
    /// Footprints of anisotropic filters.
    footprint: Option<Footprint>,
}

/// Values of the four components in the domain of filters; `None` for those that nobody reads.
type Values = [Option<Lane>; 4];

pub fn emit(b: &mut LaneBuilder, k: &FastKey, g: &Group) {
    let Kind::Sample { mag, min, lod, anisotropy, reduction, address, border, compare, .. } = k.kind else {
        return;
    };
    let mut s = Sampling { filter: min, reduction, address, border, compare, footprint: None };
    let selected = lod.map(|l| (l.filter, coords::select(b, k, g, &l, anisotropy.map(f32::from_bits))));
    let lambda = selected.as_ref().map(|(f, s)| (*f, s.lambda));
    s.footprint = selected.and_then(|(_, s)| s.footprint);
    let crosses = k.cube && (mag == Filter::Linear || min == Filter::Linear);
    let g = if crosses { &cube::track_edges(b, g) } else { g };
    let g = if k.cube && s.footprint.is_none() { &cube::prepare(b, k, g) } else { g };
    match lambda {
        Some((_, l)) if mag != min => {
            let zero = b.f32(0.0);
            let magnified = b.fcmp(FCmp::OrdLe, l, zero);
            let bits = b.mask_bits(magnified);
            let magnified = b.and(bits, g.mask);
            let minified = b.not(bits);
            let minified = b.and(minified, g.mask);
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
    let (fine, weight) = coords::levels(b, g, lambda, filter);
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

/// The finer level, then, if some lane of `bits` has a weight, the next: one piece of code run once or
/// twice.
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

/// A result row that holds component `c`.
fn raw_row(k: &FastKey, s: &Sampling, c: usize) -> Option<usize> {
    if s.compare.is_some() {
        return (c == 0).then_some(0);
    }
    (0..4).find(|&row| k.source(row) == Source::Component(c))
}

/// Filtered values are in units of 1/255.
fn is_scaled(k: &FastKey, s: &Sampling) -> bool {
    is_eight_bit(k.info()) && s.compare.is_none()
}

/// From the domain of filters to results.
fn finish(b: &mut LaneBuilder, k: &FastKey, s: &Sampling, v: Lane) -> Lane {
    if !is_scaled(k, s) {
        return v;
    }
    // The packed filter leaves a factor of 256.
    let scale = if is_packed(k, s) { 1.0 / 256.0 } else { 1.0 };
    texel::normalize8(b, v, scale)
}

/// Linear filters of four 8-bit components work on two components in each 32-bit lane.
fn is_packed(k: &FastKey, s: &Sampling) -> bool {
    s.reduction == Reduction::WeightedAverage
        && is_scaled(k, s)
        && k.axes >= 2
        && s.filter == Filter::Linear
        && k.info().is_rgba8()
}

/// [`filtered`] for [`is_packed`]: along x in 16-bit halves of words, which is exact; values are in
/// units of 1/(255 * 256).
fn packed(
    b: &mut LaneBuilder,
    k: &FastKey,
    s: &Sampling,
    axes: &[Axis],
    base: Lane,
    layer: Option<Lane>,
) -> Values {
    let info = k.info();
    let used = k.used();
    let (Some(wx), Some(wy)) = (axes[0].weight_fixed, axes[1].weight) else { return [None; 4] };
    let one = b.u32(256);
    let wx0 = b.isub(one, wx);
    let in_half = |c: usize, half: u8| used[c] && info.fields[c].shift % 16 == 8 * half;
    let needed = [0, 1].map(|half| (0..4).any(|c| in_half(c, half)));
    // A row of texels as the even and the odd bytes, filtered along x.
    let row = |b: &mut LaneBuilder, at: Step| -> [Option<Lane>; 2] {
        let taps = row_words(b, k, s, &axes[0], base, at);
        [0, 1].map(|half| {
            needed[half].then(|| {
                let (mask, eight) = (b.u32(0x00ff_00ff), b.u32(8));
                let [x0, x1] = [0, 1].map(|i| {
                    let w = if half == 0 { taps[i][0] } else { b.ushr(taps[i][0], eight) };
                    b.and(w, mask)
                });
                let (x0, x1) = (b.imul(x0, wx0), b.imul(x1, wx));
                b.iadd(x0, x1)
            })
        })
    };
    // Two rows, filtered along y: the components.
    let slice = |b: &mut LaneBuilder, at: Step| -> Values {
        let rows: Vec<[Option<Lane>; 2]> = axes[1]
            .steps
            .iter()
            .map(|y| {
                let at = both(b, at, *y);
                row(b, at)
            })
            .collect();
        std::array::from_fn(|c| {
            let f = info.fields[c];
            if !used[c] || f.bits == 0 {
                return None;
            }
            let mut value = |row: &[Option<Lane>; 2]| {
                let v = row[usize::from(f.shift / 8 % 2)]?;
                let v = if f.shift < 16 {
                    let low = b.u32(0xffff);
                    b.and(v, low)
                } else {
                    let n = b.u32(16);
                    b.ushr(v, n)
                };
                Some(b.s32_to_f32(v))
            };
            let (y0, y1) = (value(&rows[0])?, value(&rows[1])?);
            Some(mix(b, s, y0, y1, wy))
        })
    };
    let start = Step { offset: layer.unwrap_or_else(|| b.u32(0)), inside: None };
    let Some(z) = axes.get(2) else { return slice(b, start) };
    let Some(wz) = z.weight else { return [None; 4] };
    let [z0, z1] = [0, 1].map(|i| {
        let at = both(b, start, z.steps[i]);
        slice(b, at)
    });
    std::array::from_fn(|c| Some(mix(b, s, z0[c]?, z1[c]?, wz)))
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

/// `a + (b - a) * w`, or the extreme of those with weights above 0.
fn mix(b: &mut LaneBuilder, s: &Sampling, x: Lane, y: Lane, w: Lane) -> Lane {
    if s.reduction != Reduction::WeightedAverage {
        let zero = b.f32(0.0);
        let counts = b.fcmp(FCmp::OrdGt, w, zero);
        let v = extreme(b, s.reduction, x, y);
        return b.select(counts, v, x);
    }
    let d = b.fsub(y, x);
    let d = b.fmul(d, w);
    b.fadd(x, d)
}

/// The lesser or the greater; a NaN is given only if both are.
fn extreme(b: &mut LaneBuilder, r: Reduction, x: Lane, y: Lane) -> Lane {
    let beyond = b.fcmp(if r == Reduction::Max { FCmp::OrdGt } else { FCmp::OrdLt }, y, x);
    let odd = b.fcmp(FCmp::Unordered, x, x);
    let second = b.or(beyond, odd);
    b.select(second, y, x)
}

/// The filtered value at a uniform level: for anisotropic filters, of all samples of the footprint.
fn filtered(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, level: Lane) -> Values {
    let Some(f) = &s.footprint else { return one_sample(b, k, g, s, level) };
    let wanted = match g.only {
        Some(only) => b.and(g.mask, only),
        None => g.mask,
    };
    let wanted = b.mask_from_bits(wanted);
    let (zero, one, half) = (b.f32(0.0), b.f32(1.0), b.f32(0.5));
    let n = b.select(wanted, f.samples, zero);
    let spaces = b.fadd(f.samples, one);
    let used = if s.compare.is_some() { [true, false, false, false] } else { k.present() };
    let sums = used.map(|u| {
        u.then(|| {
            let v = b.declare(Ty::F32, false);
            b.set(&v, zero);
            v
        })
    });
    let number = b.declare(Ty::F32, true);
    b.set(&number, one);
    let now = number.clone();
    b.while_loop(
        |b| {
            let i = b.get(&now);
            let more = b.fcmp(FCmp::OrdLe, i, n);
            b.any(more)
        },
        |b| {
            let i = b.get(&number);
            let t = b.fdiv(i, spaces);
            let t = b.fsub(t, half);
            let mut at = [zero; 3];
            for (axis, (at, &d)) in at.iter_mut().zip(&f.along).enumerate() {
                let c = g.row(b, Ty::F32, COORD, axis);
                let shift = b.fmul(d, t);
                *at = b.fadd(c, shift);
            }
            let g = Group { coords: Some(at), ..*g };
            let g = if k.cube { cube::prepare(b, k, &g) } else { g };
            let v = one_sample(b, k, &g, s, level);
            let counts = b.fcmp(FCmp::OrdLe, i, n);
            let first = b.fcmp(FCmp::OrdEq, i, one);
            for (sum, v) in sums.iter().zip(v) {
                let (Some(var), Some(v)) = (sum, v) else { continue };
                let old = b.get(var);
                let new = match s.reduction {
                    Reduction::WeightedAverage => b.fadd(old, v),
                    r => {
                        let e = extreme(b, r, old, v);
                        b.select(first, v, e)
                    }
                };
                let new = b.select(counts, new, old);
                b.set(var, new);
            }
            let next = b.fadd(i, one);
            b.set(&number, next);
        },
    );
    sums.map(|v| {
        let sum = b.get(&v?);
        Some(if s.reduction == Reduction::WeightedAverage { b.fdiv(sum, f.samples) } else { sum })
    })
}

/// One sample at a uniform level.
fn one_sample(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, level: Lane) -> Values {
    if !k.cube || s.filter != Filter::Linear {
        return on_one_face(b, k, g, s, level);
    }
    cube::clear_edges(b, g);
    let values = on_one_face(b, k, g, s, level);
    let Some(bits) = cube::noted(b, g) else { return values };
    let vars = values.map(|v| {
        let v = v?;
        let var = b.declare(Ty::F32, false);
        b.set(&var, v);
        Some(var)
    });
    let zero = b.u32(0);
    let any = b.icmp(ICmp::Ne, bits, zero);
    b.if_(any, |b| {
        let crossing = b.mask_from_bits(bits);
        let across = over_edges(b, k, g, s, level);
        for (var, v) in vars.iter().zip(across) {
            if let (Some(var), Some(v)) = (var, v) {
                let old = b.get(var);
                let v = b.select(crossing, v, old);
                b.set(var, v);
            }
        }
    });
    std::array::from_fn(|c| vars[c].as_ref().map(|v| b.get(v)))
}

/// A linear filter whose texels may lie on two faces of a cube.
fn over_edges(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, level: Lane) -> Values {
    let base = g.texels(b, level);
    let [(i, wx), (j, wy)] = [0, 1].map(|n| coords::cube_axis(b, g, level, n));
    let one = b.u32(1);
    let (is, js) = ([i, b.iadd(i, one)], [j, b.iadd(j, one)]);
    let dref = s.compare.map(|_| reference(b, k, g));
    let used = if s.compare.is_some() { [true, false, false, false] } else { k.used() };
    let rows = js.map(|j| {
        let [x, y] = is.map(|i| {
            let at = cube::texel_across(b, k, g, level, [i, j]);
            let words = texel::load(b, k.info(), base, at);
            tap(b, k, s, &words, dref, &used, false)
        });
        std::array::from_fn(|c| Some(mix(b, s, x[c]?, y[c]?, wx)))
    });
    let [x, y]: [Values; 2] = rows;
    std::array::from_fn(|c| {
        let v = mix(b, s, x[c]?, y[c]?, wy);
        // See `finish`.
        let scale = b.f32(256.0);
        Some(if is_packed(k, s) { b.fmul(v, scale) } else { v })
    })
}

/// One sample at a uniform level, of cubes with the filter clamped to the face.
fn on_one_face(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, level: Lane) -> Values {
    let n = usize::from(k.axes);
    let axes: Vec<Axis> = (0..n).map(|i| coords::axis(b, k, g, level, i, s.address[i], s.filter)).collect();
    let layer = coords::slice(b, k, g);
    let base = g.texels(b, level);
    if is_packed(k, s) {
        return packed(b, k, s, &axes, base, layer);
    }
    let dref = s.compare.map(|_| reference(b, k, g));
    let used = if s.compare.is_some() { [true, false, false, false] } else { k.used() };
    let start = Step { offset: layer.unwrap_or_else(|| b.u32(0)), inside: None };
    let mut taps = Vec::new();
    load_taps(b, k, s, &axes, base, start, &mut taps);
    if !texel::is_half(k.info()) || dref.is_some() {
        return combine(b, k, s, &axes, &mut taps.iter(), dref, &used, false);
    }
    let special = texel::may_be_special(b, &taps);
    let vars = k.present().map(|p| p.then(|| b.declare(Ty::F32, false)));
    let set = |b: &mut LaneBuilder, finite: bool| {
        let values = combine(b, k, s, &axes, &mut taps.iter(), None, &used, finite);
        for (var, v) in vars.iter().zip(values) {
            if let (Some(var), Some(v)) = (var, v) {
                b.set(var, v);
            }
        }
    };
    b.if_else(special, |b| set(b, false), |b| set(b, true));
    std::array::from_fn(|c| vars[c].as_ref().map(|v| b.get(v)))
}

/// Depth reference, clamped for fixed-point depth.
fn reference(b: &mut LaneBuilder, k: &FastKey, g: &Group) -> Lane {
    let d = g.row(b, Ty::F32, offset_of!(ImageArgs, dref), 0);
    if k.info().numeric != Numeric::Unorm {
        return d;
    }
    let (zero, one) = (b.f32(0.0), b.f32(1.0));
    let d = b.fmax(d, zero);
    b.fmin(d, one)
}

/// Words of all texels of a filter: x runs fastest.
fn load_taps(
    b: &mut LaneBuilder,
    k: &FastKey,
    s: &Sampling,
    axes: &[Axis],
    base: Lane,
    at: Step,
    out: &mut Vec<Vec<Lane>>,
) {
    let Some((axis, rest)) = axes.split_last() else { return };
    if rest.is_empty() {
        out.extend(row_words(b, k, s, axis, base, at));
        return;
    }
    for step in &axis.steps {
        let at = both(b, at, *step);
        load_taps(b, k, s, rest, base, at, out);
    }
}

/// Filters along the last of `axes`, each step along the others. `finite`: see [`texel::finite_half`].
#[expect(clippy::too_many_arguments, reason = "recursion")]
fn combine<'a>(
    b: &mut LaneBuilder,
    k: &FastKey,
    s: &Sampling,
    axes: &[Axis],
    taps: &mut impl Iterator<Item = &'a Vec<Lane>>,
    dref: Option<Lane>,
    used: &[bool; 4],
    finite: bool,
) -> Values {
    let Some((axis, rest)) = axes.split_last() else {
        return taps.next().map_or([None; 4], |words| tap(b, k, s, words, dref, used, finite));
    };
    let first = combine(b, k, s, rest, taps, dref, used, finite);
    let Some(w) = axis.weight else { return first };
    let second = combine(b, k, s, rest, taps, dref, used, finite);
    std::array::from_fn(|c| Some(mix(b, s, first[c]?, second[c]?, w)))
}

/// Sum of two steps.
fn both(b: &mut LaneBuilder, x: Step, y: Step) -> Step {
    let inside = match (x.inside, y.inside) {
        (Some(x), Some(y)) => Some(b.and(x, y)),
        (x, y) => x.or(y),
    };
    let offset = match (b.as_const(x.offset), b.as_const(y.offset)) {
        (Some(0), _) => y.offset,
        (_, Some(0)) => x.offset,
        _ => b.iadd(x.offset, y.offset),
    };
    Step { offset, inside }
}

/// Words of the one or two texels along x in a row.
fn row_words(
    b: &mut LaneBuilder,
    k: &FastKey,
    s: &Sampling,
    axis: &Axis,
    base: Lane,
    row: Step,
) -> Vec<Vec<Lane>> {
    let info = k.info();
    let steps: Vec<Step> = axis.steps.iter().map(|x| both(b, row, *x)).collect();
    let taps = match axis.apart {
        Some(apart) => {
            let (first, second) = texel::load_two(b, info, base, steps[0].offset);
            let vars: Vec<_> = second
                .iter()
                .map(|&w| {
                    let var = b.declare(Ty::I32, false);
                    b.set(&var, w);
                    var
                })
                .collect();
            b.if_any(apart, |b| {
                let others = texel::load(b, info, base, steps[1].offset);
                for ((var, w), other) in vars.iter().zip(&second).zip(others) {
                    let w = b.select(apart, other, *w);
                    b.set(var, w);
                }
            });
            vec![first, vars.iter().map(|v| b.get(v)).collect()]
        }
        None => steps.iter().map(|step| texel::load(b, info, base, step.offset)).collect(),
    };
    let border = |b: &mut LaneBuilder, (words, step): (Vec<Lane>, Step)| match step.inside {
        Some(inside) => texel::replace(b, words, inside, s.border),
        None => words,
    };
    taps.into_iter().zip(steps).map(|t| border(b, t)).collect()
}

/// Values of one texel.
fn tap(
    b: &mut LaneBuilder,
    k: &FastKey,
    s: &Sampling,
    words: &[Lane],
    dref: Option<Lane>,
    used: &[bool; 4],
    finite: bool,
) -> Values {
    let info = k.info();
    let mut values = [None; 4];
    for c in 0..4 {
        if used[c] && info.fields[c].bits != 0 {
            values[c] = Some(if finite {
                texel::finite_half(b, info, words, c)
            } else {
                texel::component(b, info, words, c)
            });
        }
    }
    if let (Some(op), Some(dref), Some(depth)) = (s.compare, dref, values[0]) {
        let holds = coords::compare(b, op, dref, depth);
        let (one, zero) = (b.f32(1.0), b.f32(0.0));
        let (one, zero) = (b.splat(one), b.splat(zero));
        values[0] = Some(b.select(holds, one, zero));
    }
    values
}

/// The four texels that a linear filter of level 0 would take, in the order of the specification: (0, 1),
/// (1, 1), (1, 0), (0, 0).
pub fn gather(
    b: &mut LaneBuilder,
    k: &FastKey,
    g: &Group,
    address: [AddressMode; 3],
    border: u128,
    compare: Option<CompareOp>,
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
    let component = if compare.is_some() { Source::Component(0) } else { k.source(0) };
    let mut texels = [[None; 2]; 2];
    if let Source::Component(c) = component {
        let used = std::array::from_fn(|i| i == c);
        for (step, row) in y.steps.iter().zip(&mut texels) {
            let at = both(b, *step, Step { offset: layer, inside: None });
            for (words, value) in row_words(b, k, &s, &x, base, at).iter().zip(row) {
                let v = tap(b, k, &s, words, dref, &used, false)[c];
                *value = v.map(|v| if is_scaled(k, &s) { texel::normalize8(b, v, 1.0) } else { v });
            }
        }
    }
    for (row, (i, j)) in [(0, 1), (1, 1), (1, 0), (0, 0)].into_iter().enumerate() {
        let v = match texels[j][i] {
            Some(v) => v,
            None if component == Source::One => b.u32(k.info().one()),
            None => b.u32(0),
        };
        let v = b.splat(v);
        b.store_row(v, g.rows, row_at(TEXEL, row));
    }
}
