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
        Job::Late(depth) => {
            let late = Late { args, m: &key.merge, depth };
            late.emit(b);
        }
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
                    color(b, args, c, surface, rel, rows_at, mask);
                }
            });
        });
    }
}

/// Loads the row of an output word.
fn word(b: &mut LaneBuilder, rows_at: Lane, ty: Ty, w: u32) -> Lane {
    let offset = (w * b.lanes() * 4) as i32;
    b.load_row(ty, rows_at, offset)
}

/// Blends, converts and writes one attachment.
fn color(
    b: &mut LaneBuilder,
    args: Lane,
    c: &ColorMerge,
    surface: &Surface,
    [dx, dy]: [Lane; 2],
    rows_at: Lane,
    mask: Lane,
) {
    let Some(class) = class(c.format) else { return };
    let rows = surface.rows(b, dx, dy, c.format.bytes());
    let blend = c.blend.equations.filter(|_| !c.format.is_integer());
    let integer = c.format.is_integer();
    let ty = if integer { Ty::I32 } else { Ty::F32 };
    let source = |b: &mut LaneBuilder, words: &[Option<u32>; 4]| {
        words.map(|w| match w {
            Some(w) => word(b, rows_at, ty, w),
            None => b.bits(ty, 0),
        })
    };
    let src = source(b, &c.words);
    let full = full_mask(b);
    let whole = b.icmp(ICmp::Eq, mask, full);
    // Old texels are needed unless all bits are replaced.
    let old = Old::load(b, class, &rows, blend.is_some() || c.blend.write_mask != 0xf);
    let out = match blend {
        None => src,
        Some(e) => {
            let src1 = source(b, &c.words1);
            let constants = [0, 4, 8, 12].map(|o| field(b, args, Ty::F32, offset_of!(Args, constants) + o));
            let numeric = c.format.info().numeric;
            let [src, src1, constants] = [src, src1, constants].map(|v| v.map(|x| clamp_to(b, numeric, x)));
            let dst = old.components(b, class);
            blend_rows(b, &e, src, src1, dst, constants)
        }
    };
    store_texels(b, c, class, &old, out, &rows, (mask, whole));
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

/// Converts colours to the format of an attachment and stores them. Components that the write mask excludes keep their
/// old bits. `whole` is `true` (uniform) if `mask` has all lanes.
fn store_texels(
    b: &mut LaneBuilder,
    c: &ColorMerge,
    class: Class,
    old: &Old,
    out: [Lane; 4],
    rows: &[Lane],
    (mask, whole): (Lane, Lane),
) {
    match class {
        Class::Bytes(shifts, srgb) => {
            let mut texel = pack_bytes(b, out, shifts, srgb);
            if c.blend.write_mask != 0xf {
                let written = (0..4).filter(|i| c.blend.write_mask >> i & 1 != 0);
                let keep = !written.fold(0u32, |m, i| m | 0xff << shifts[i]);
                texel = merge_bits(b, texel, old.words[0], keep);
            }
            store_masked(b, texel, rows, mask, whole);
        }
        Class::One(_) => {
            let texel = b.bitcast(out[0], Ty::I32);
            let texel = b.splat(texel);
            store_masked(b, texel, rows, mask, whole);
        }
        Class::Four(_) => {
            let out = out.map(|v| {
                let v = b.splat(v);
                b.bitcast(v, Ty::I32)
            });
            store_four(b, out, rows, mask, whole);
        }
        Class::Packed(f) => {
            let info = f.info();
            let mut words = lane::pack(b, info, &out);
            for (i, word) in words.iter_mut().enumerate() {
                let mut keep = 0u128;
                for (n, field) in info.fields.iter().enumerate() {
                    if c.blend.write_mask >> n & 1 == 0 {
                        keep |= ((1u128 << field.bits) - 1) << field.shift;
                    }
                }
                let keep = (keep >> (32 * i)) as u32;
                if keep != 0 {
                    *word = merge_bits(b, *word, old.words[i], keep);
                }
                *word = b.splat(*word);
            }
            match (info.bytes, &words[..]) {
                (8, &[low, high]) => store_two(b, [low, high], rows, mask, whole),
                (4, &[texel]) => store_masked(b, texel, rows, mask, whole),
                (bytes, _) => store_masked_narrow(b, bytes, words[0], rows, mask, whole),
            }
        }
        Class::Halves => {
            let h = out.map(|v| half_bits(b, v));
            let sixteen = b.i32(16);
            let pair = |b: &mut LaneBuilder, low: Lane, high: Lane| {
                let high = b.shl(high, sixteen);
                b.or(low, high)
            };
            let words = [pair(b, h[0], h[1]), pair(b, h[2], h[3])];
            store_two(b, words, rows, mask, whole);
        }
    }
}
