//! Emits the code of merge kernels: the states with a kernel, and the operations on a run of stamps.
//!
//! Left to others: loading and storing texels (`surface`), converting them (`texel`), blending (`blend`), depth and
//! stencil tests (`depth_stencil`).

use std::mem::offset_of;

use quadrille_jit::abi::Stamp;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{ICmp, Lane, LaneBuilder};

use super::args::{Args, Job, Key, color_offset};
use super::blend::blend_rows;
use super::depth_stencil::{self, Tests};
use super::scalar::LateDepth;
use super::surface::{
    Surface, field, stamp_fields, store_four, store_masked, store_masked_narrow, store_two,
};
use super::texel::{Class, Old, class, half_bits, merge_bits, pack_bytes, saturate};
use super::{ColorMerge, MergeState};
use crate::memory::format::{Numeric, lane};
use crate::state::{BlendEquation, BlendOp};

/// True if kernels support this merge.
pub(crate) fn supports(m: &MergeState, lanes: u32) -> bool {
    matches!(lanes, 8 | 16 | 32)
        && m.colors.iter().all(|c| {
            let present = c.format.info().fields.iter().enumerate().filter(|(_, f)| f.bits != 0);
            let all = present.fold(0, |mask, (i, _)| mask | 1 << i);
            let whole = c.blend.write_mask & all == all;
            let advanced = |e: [BlendEquation; 2]| e.iter().any(|e| matches!(e.op, BlendOp::Advanced(_)));
            if c.logic_op.is_some() || c.alpha_to_one || c.blend.equations.is_some_and(advanced) {
                return false;
            }
            match class(c.format) {
                Some(Class::Bytes(..) | Class::Packed(_)) => true,
                Some(_) => whole,
                None => false,
            }
        })
}

/// Emits the kernel of a key.
pub(crate) fn kernel(b: &mut LaneBuilder, args: Lane, key: &Key) {
    match key.job {
        Job::Early { write } => depth_stencil::early(b, args, &key.merge, write),
        Job::EarlyOfSample { write } => depth_stencil::early_of_sample(b, args, &key.merge, write),
        Job::Late(depth) => {
            let late = Late { args, m: &key.merge, depth };
            late.emit(b);
        }
        Job::Samples => samples(b, args, &key.merge),
    }
}

fn full_mask(b: &mut LaneBuilder) -> Lane {
    let lanes = b.lanes();
    b.u32(if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 })
}

struct Late<'a> {
    args: Lane,
    m: &'a MergeState,
    depth: LateDepth,
}

impl Late<'_> {
    fn emit(&self, b: &mut LaneBuilder) {
        let (args, m) = (self.args, self.m);
        let stamps = field(b, args, Ty::I64, offset_of!(Args, stamps));
        let masks = field(b, args, Ty::I64, offset_of!(Args, masks));
        let output = field(b, args, Ty::I64, offset_of!(Args, output));
        let count = field(b, args, Ty::I32, offset_of!(Args, count));
        let surfaces: Vec<Surface> =
            m.colors.iter().map(|c| Surface::new(b, args, color_offset(c.target))).collect();
        let acts = self.depth.test || self.depth.write;
        let tests = acts.then(|| Tests::new(b, args, m));
        let zero = b.i32(0);
        b.for_range(zero, count, |b, i| {
            let mask_at = b.index(masks, i, 4);
            let mask = b.load(Ty::I32, mask_at, 0);
            let zero = b.i32(0);
            let any = b.icmp(ICmp::Ne, mask, zero);
            b.if_(any, |b| {
                let stamp = b.index(stamps, i, size_of::<Stamp>() as u32);
                let rows_at = b.index(output, i, m.words * b.lanes() * 4);
                let (at, rel) = stamp_fields(b, args, stamp);
                let mut mask = mask;
                if let Some(w) = m.sample_mask {
                    let row = word(b, rows_at, Ty::I32, w);
                    let one = b.i32(1);
                    let covered = b.and(row, one);
                    let covered = b.icmp(ICmp::Eq, covered, one);
                    let bits = b.mask_bits(covered);
                    mask = b.and(mask, bits);
                }
                if let Some(tests) = &tests {
                    let z = m.frag_depth.map(|w| word(b, rows_at, Ty::F32, w));
                    if self.depth.test {
                        let reference = m.stencil_ref.map(|w| word(b, rows_at, Ty::I32, w));
                        mask = tests.run(b, at, rel, [z, reference], mask, true);
                    } else {
                        tests.write_depth(b, at, rel, z, mask);
                    }
                }
                if acts || m.sample_mask.is_some() {
                    b.store(mask, mask_at, 0);
                }
                for (c, surface) in m.colors.iter().zip(&surfaces) {
                    if let Some(output) = Output::load(b, args, c, rows_at) {
                        output.merge(b, surface, rel, mask);
                    }
                }
            });
        });
    }
}

/// Merges the colours of several samples of each stamp.
fn samples(b: &mut LaneBuilder, args: Lane, m: &MergeState) {
    let stamps = field(b, args, Ty::I64, offset_of!(Args, stamps));
    let output = field(b, args, Ty::I64, offset_of!(Args, output));
    let count = field(b, args, Ty::I32, offset_of!(Args, count));
    let samples = field(b, args, Ty::I32, offset_of!(Args, samples));
    let zero = b.i32(0);
    b.for_range(zero, count, |b, i| {
        let stamp = b.index(stamps, i, size_of::<Stamp>() as u32);
        let rows_at = b.index(output, i, m.words * b.lanes() * 4);
        let (_, rel) = stamp_fields(b, args, stamp);
        let outputs: Vec<Output<'_>> =
            m.colors.iter().filter_map(|c| Output::load(b, args, c, rows_at)).collect();
        let zero = b.i32(0);
        b.for_range(zero, samples, |b, sample| {
            let own = b.index(args, sample, size_of::<Args>() as u32);
            let masks = field(b, own, Ty::I64, offset_of!(Args, masks));
            let mask_at = b.index(masks, i, 4);
            let mask = b.load(Ty::I32, mask_at, 0);
            let zero = b.i32(0);
            let any = b.icmp(ICmp::Ne, mask, zero);
            b.if_(any, |b| {
                for output in &outputs {
                    let surface = Surface::new(b, own, color_offset(output.color.target));
                    output.merge(b, &surface, rel, mask);
                }
            });
        });
    });
}

/// Loads the row of an output word.
fn word(b: &mut LaneBuilder, rows_at: Lane, ty: Ty, w: u32) -> Lane {
    let offset = (w * b.lanes() * 4) as i32;
    b.load_row(ty, rows_at, offset)
}

/// The fragment stage's output for one attachment, prepared as far as it does not depend on the texels there.
struct Output<'a> {
    color: &'a ColorMerge,
    class: Class,
    prepared: Prepared,
}

enum Prepared {
    /// Words of the new texels, before the write mask.
    Words(Vec<Lane>),
    /// Both sources and the constants of blending, clamped to the format's range.
    Blended { equations: [BlendEquation; 2], src: [Lane; 4], src1: [Lane; 4], constants: [Lane; 4] },
}

impl<'a> Output<'a> {
    /// Loads the output of a stamp; `None` if the format has no kernel.
    fn load(b: &mut LaneBuilder, args: Lane, color: &'a ColorMerge, rows_at: Lane) -> Option<Self> {
        let class = class(color.format)?;
        let integer = color.format.is_integer();
        let ty = if integer { Ty::I32 } else { Ty::F32 };
        let source = |b: &mut LaneBuilder, words: &[Option<u32>; 4]| {
            words.map(|w| match w {
                Some(w) => word(b, rows_at, ty, w),
                None => b.bits(ty, 0),
            })
        };
        let src = source(b, &color.words);
        let prepared = match color.blend.equations.filter(|_| !integer) {
            None => Prepared::Words(convert(b, class, src)),
            Some(equations) => {
                let src1 = source(b, &color.words1);
                let constants =
                    [0, 4, 8, 12].map(|o| field(b, args, Ty::F32, offset_of!(Args, constants) + o));
                let numeric = color.format.info().numeric;
                let [src, src1, constants] =
                    [src, src1, constants].map(|v| v.map(|x| clamp_to(b, numeric, x)));
                Prepared::Blended { equations, src, src1, constants }
            }
        };
        Some(Output { color, class, prepared })
    }

    /// Blends the output and writes it to the lanes in `mask`.
    fn merge(&self, b: &mut LaneBuilder, surface: &Surface, [dx, dy]: [Lane; 2], mask: Lane) {
        let Output { color, class, prepared } = self;
        let rows = surface.rows(b, dx, dy, color.format.bytes());
        let full = full_mask(b);
        let whole = b.icmp(ICmp::Eq, mask, full);
        // Old texels are needed unless all bits are replaced.
        let blends = matches!(prepared, Prepared::Blended { .. });
        let old = Old::load(b, *class, &rows, blends || color.blend.write_mask != 0xf);
        let words = match prepared {
            Prepared::Words(words) => words.clone(),
            Prepared::Blended { equations, src, src1, constants } => {
                let dst = old.components(b, *class);
                let blended = blend_rows(b, equations, *src, *src1, dst, *constants);
                convert(b, *class, blended)
            }
        };
        let words = keep_unwritten(b, color, *class, &old, words);
        store(b, *class, &words, &rows, (mask, whole));
    }
}

/// Clamps an operand of blending to the range of a format.
fn clamp_to(b: &mut LaneBuilder, numeric: Numeric, x: Lane) -> Lane {
    match numeric {
        Numeric::Unorm | Numeric::Srgb => saturate(b, x),
        Numeric::Snorm => {
            let (least, one) = (b.f32(-1.0), b.f32(1.0));
            let x = b.fmax(x, least);
            b.fmin(x, one)
        }
        _ => x,
    }
}

/// Converts colours to the words of texels.
fn convert(b: &mut LaneBuilder, class: Class, out: [Lane; 4]) -> Vec<Lane> {
    match class {
        Class::Bytes(shifts, srgb) => vec![pack_bytes(b, out, shifts, srgb)],
        Class::One(_) => {
            let texel = b.bitcast(out[0], Ty::I32);
            vec![b.splat(texel)]
        }
        Class::Four(_) => out
            .map(|v| {
                let v = b.splat(v);
                b.bitcast(v, Ty::I32)
            })
            .to_vec(),
        Class::Packed(f) => lane::pack(b, f.info(), &out),
        Class::Halves => {
            let h = out.map(|v| half_bits(b, v));
            let sixteen = b.i32(16);
            let pair = |b: &mut LaneBuilder, low: Lane, high: Lane| {
                let high = b.shl(high, sixteen);
                b.or(low, high)
            };
            vec![pair(b, h[0], h[1]), pair(b, h[2], h[3])]
        }
    }
}

/// Replaces the bits of components that the write mask excludes by the old ones.
fn keep_unwritten(
    b: &mut LaneBuilder,
    c: &ColorMerge,
    class: Class,
    old: &Old,
    mut words: Vec<Lane>,
) -> Vec<Lane> {
    let written = |component: usize| c.blend.write_mask >> component & 1 != 0;
    match class {
        Class::Bytes(shifts, _) if c.blend.write_mask != 0xf => {
            let keep = !(0..4).filter(|&i| written(i)).fold(0u32, |m, i| m | 0xff << shifts[i]);
            words[0] = merge_bits(b, words[0], old.words[0], keep);
        }
        Class::Packed(f) => {
            let fields = f.info().fields.iter().enumerate().filter(|(n, _)| !written(*n));
            let keep = fields.fold(0u128, |keep, (_, f)| keep | ((1u128 << f.bits) - 1) << f.shift);
            for (i, word) in words.iter_mut().enumerate() {
                let keep = (keep >> (32 * i)) as u32;
                if keep != 0 {
                    *word = merge_bits(b, *word, old.words[i], keep);
                }
                *word = b.splat(*word);
            }
        }
        // `supports` admits the others only with all components written.
        Class::Bytes(..) | Class::One(_) | Class::Four(_) | Class::Halves => {}
    }
    words
}

/// Stores the words of texels. `whole` is `true` (uniform) if `mask` has all lanes.
fn store(b: &mut LaneBuilder, class: Class, words: &[Lane], rows: &[Lane], (mask, whole): (Lane, Lane)) {
    match (class, words) {
        (Class::Four(_), &[x, y, z, w]) => store_four(b, [x, y, z, w], rows, mask, whole),
        (_, &[low, high]) => store_two(b, [low, high], rows, mask, whole),
        (Class::Packed(f), &[texel]) if f.bytes() < 4 => {
            store_masked_narrow(b, f.bytes(), texel, rows, mask, whole);
        }
        (_, words) => store_masked(b, words[0], rows, mask, whole),
    }
}
