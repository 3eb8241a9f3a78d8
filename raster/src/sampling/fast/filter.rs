//! Emits filters in lanes, which combine the texels of a sample. The coordinates are left to [`super::coords`].

use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::state::{AddressMode, CompareOp, Filter, Reduction};
use super::coords::{self, Axis, Step};
use super::lod::Footprint;
use super::{COORD, FastKey, Group, cube, is_eight_bit, texel};
use crate::memory::format::Numeric;

/// The sampling part of a key, for one of its two filters.
pub(super) struct Sampling {
    pub filter: Filter,
    pub reduction: Reduction,
    pub address: [AddressMode; 3],
    pub border: u128,
    pub compare: Option<CompareOp>,
    /// Footprints, for anisotropic filters.
    pub footprint: Option<Footprint>,
}

/// Values of the four components in the domain of filters; `None` for unused components.
pub(super) type Values = [Option<Lane>; 4];

/// True if filtered values are in units of 1/255.
pub(super) fn is_scaled(k: &FastKey, s: &Sampling) -> bool {
    is_eight_bit(k.info()) && s.compare.is_none()
}

/// True for linear filters of four 8-bit components, which process two components in each 32-bit lane.
pub(super) fn is_packed(k: &FastKey, s: &Sampling) -> bool {
    s.reduction == Reduction::WeightedAverage
        && is_scaled(k, s)
        && k.axes >= 2
        && s.filter == Filter::Linear
        && k.info().is_rgba8()
}

/// Like [`filtered`], for [`is_packed`]. Filters along x in 16-bit halves of words, which is exact; values are in units
/// of 1/(255 * 256).
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
    // Filters a row of texels along x, as the even and the odd bytes.
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
    // Filters two rows along y, and returns the components.
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

/// `a + (b - a) * w`, or the minimum or maximum of the operands with positive weight.
pub(super) fn mix(b: &mut LaneBuilder, s: &Sampling, x: Lane, y: Lane, w: Lane) -> Lane {
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

/// The minimum or the maximum; NaN only if both are NaN.
fn extreme(b: &mut LaneBuilder, r: Reduction, x: Lane, y: Lane) -> Lane {
    let beyond = b.fcmp(if r == Reduction::Max { FCmp::OrdGt } else { FCmp::OrdLt }, y, x);
    let odd = b.fcmp(FCmp::Unordered, x, x);
    let second = b.or(beyond, odd);
    b.select(second, y, x)
}

/// The filtered value at a uniform level; for anisotropic filters, combined over all samples of the footprint.
pub(super) fn filtered(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, level: Lane) -> Values {
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

/// Filters one sample at a uniform level.
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

/// Applies a linear filter whose texels may lie on two faces of a cube.
fn over_edges(b: &mut LaneBuilder, k: &FastKey, g: &Group, s: &Sampling, level: Lane) -> Values {
    let base = g.texels(b, level);
    let [(i, wx), (j, wy)] = [0, 1].map(|n| coords::cube_axis(b, g, level, n));
    let one = b.u32(1);
    let (is, js) = ([i, b.iadd(i, one)], [j, b.iadd(j, one)]);
    let dref = s.compare.map(|_| reference(b, k, g));
    let used = if s.compare.is_some() { [true, false, false, false] } else { k.used() };
    let mut taps = js.map(|j| {
        is.map(|i| {
            let at = cube::texel_across(b, k, g, level, [i, j]);
            let words = texel::load(b, k.info(), base, at);
            tap(b, k, s, &words, dref, &used, false)
        })
    });
    let out = [is, js].map(|two| two.map(|v| cube::is_outside(b, level, v)));
    fill_corner(b, g, s, out, &mut taps);
    let rows = taps.map(|[x, y]| std::array::from_fn(|c| Some(mix(b, s, x[c]?, y[c]?, wx))));
    let [x, y]: [Values; 2] = rows;
    std::array::from_fn(|c| {
        let v = mix(b, s, x[c]?, y[c]?, wy);
        // `finish` expects this factor of packed values.
        let scale = b.f32(256.0);
        Some(if is_packed(k, s) { b.fmul(v, scale) } else { v })
    })
}

/// Replaces the missing texel at a corner of a cube by the average of the three that meet there. `out` holds Bools for
/// two columns and two rows: true outside the face. `taps` are rows of columns.
fn fill_corner(
    b: &mut LaneBuilder,
    g: &Group,
    s: &Sampling,
    out: [[Lane; 2]; 2],
    taps: &mut [[Values; 2]; 2],
) {
    let [[left, right], [top, bottom]] = out;
    let across = b.or(left, right);
    let down = b.or(top, bottom);
    let corner = b.and(across, down);
    // If both columns or both rows are outside, no tap is a texel of this face.
    let columns = b.and(left, right);
    let rows = b.and(top, bottom);
    let far = b.or(columns, rows);
    let far = b.and(far, corner);
    cube::leave(b, g, far);
    let three = b.f32(3.0);
    for c in 0..4 {
        let [[Some(v00), Some(v01)], [Some(v10), Some(v11)]] = taps.map(|row| row.map(|v| v[c])) else {
            continue;
        };
        // Selects the texel of this face, and those across its two edges.
        let pick = |b: &mut LaneBuilder, [above, below]: [[Lane; 2]; 2]| {
            let [above, below] = [above, below].map(|[r, l]| b.select(right, r, l));
            b.select(bottom, below, above)
        };
        let inner = pick(b, [[v10, v11], [v00, v01]]);
        let over_column = pick(b, [[v11, v10], [v01, v00]]);
        let over_row = pick(b, [[v00, v01], [v10, v11]]);
        let mean = match s.reduction {
            Reduction::WeightedAverage => {
                let sum = b.fadd(inner, over_column);
                let sum = b.fadd(sum, over_row);
                b.fdiv(sum, three)
            }
            r => {
                let two = extreme(b, r, inner, over_column);
                extreme(b, r, two, over_row)
            }
        };
        for (y, row) in taps.iter_mut().enumerate() {
            for (x, v) in row.iter_mut().enumerate() {
                let Some(old) = v[c] else { continue };
                let here = b.and(out[0][x], out[1][y]);
                let here = b.and(here, corner);
                v[c] = Some(b.select(here, mean, old));
            }
        }
    }
}

/// Filters one sample at a uniform level; for cubes, with the filter clamped to the face.
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

/// Depth reference, clamped to [0, 1] for fixed-point depth.
pub(super) fn reference(b: &mut LaneBuilder, k: &FastKey, g: &Group) -> Lane {
    let d = g.row(b, Ty::F32, offset_of!(ImageArgs, dref), 0);
    if k.info().numeric != Numeric::Unorm {
        return d;
    }
    let (zero, one) = (b.f32(0.0), b.f32(1.0));
    let d = b.fmax(d, zero);
    b.fmin(d, one)
}

/// Loads the words of all texels of a filter, in an order with x fastest.
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

/// Filters along the last of `axes`, after filtering each of its steps along the others. For `finite`, see
/// [`texel::finite_half`].
#[expect(clippy::too_many_arguments, reason = "the recursion passes its whole state")]
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
pub(super) fn both(b: &mut LaneBuilder, x: Step, y: Step) -> Step {
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

/// Loads the words of the one or two texels along x in a row.
pub(super) fn row_words(
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

/// Decodes one texel, and compares it if there is a reference.
pub(super) fn tap(
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
        let holds = compare(b, op, dref, depth);
        let (one, zero) = (b.f32(1.0), b.f32(0.0));
        let (one, zero) = (b.splat(one), b.splat(zero));
        values[0] = Some(b.select(holds, one, zero));
    }
    values
}

/// `dref op depth` as a Bool; comparisons with NaN are true for NotEqual and Always only.
fn compare(b: &mut LaneBuilder, op: CompareOp, dref: Lane, depth: Lane) -> Lane {
    use CompareOp as C;
    let cc = match op {
        C::Never => return b.bool(false),
        C::Always => return b.bool(true),
        C::Less => FCmp::OrdLt,
        C::Equal => FCmp::OrdEq,
        C::LessOrEqual => FCmp::OrdLe,
        C::Greater => FCmp::OrdGt,
        C::NotEqual => FCmp::UnordNe,
        C::GreaterOrEqual => FCmp::OrdGe,
    };
    b.fcmp(cc, dref, depth)
}
