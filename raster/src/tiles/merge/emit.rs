//! Code of the merge kernels.
//!
//! Values are rows in quad order, as the fragment stage gives them; memory is in pixel order. With
//! stamps that are two or more quads wide, a pair of quads is two rows of four pixels.

use std::mem::offset_of;
use std::sync::OnceLock;

use quadrille_jit::abi::{Stamp, stamp_size};
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::depth_stencil::{self, Tests};
use super::kernel::{Args, Job, Key, color_offset};
use super::scalar::LateDepth;
use super::{ColorMerge, MergeState};
use crate::memory::format::srgb::{DECODE_BITS, THRESHOLD_BITS};
use crate::memory::format::{Format, Numeric, lane};
use crate::memory::target::TileMemory;
use crate::state::{BlendEquation, BlendFactor, BlendOp};

/// How a format is held.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Four 8-bit components in a word; shift of each, and whether R, G and B are sRGB.
    Bytes([u8; 4], bool),
    /// One word.
    One(Numeric),
    /// Four words.
    Four(Numeric),
    /// Four 16-bit floats.
    Halves,
    /// Any other of 1, 2, 4 or 8 bytes.
    Packed(Format),
}

fn class(f: Format) -> Option<Class> {
    Some(match f {
        Format::R8G8B8A8_UNORM | Format::A8B8G8R8_UNORM_PACK32 => Class::Bytes([0, 8, 16, 24], false),
        Format::B8G8R8A8_UNORM => Class::Bytes([16, 8, 0, 24], false),
        Format::R8G8B8A8_SRGB | Format::A8B8G8R8_SRGB_PACK32 => Class::Bytes([0, 8, 16, 24], true),
        Format::B8G8R8A8_SRGB => Class::Bytes([16, 8, 0, 24], true),
        Format::R32_SFLOAT => Class::One(Numeric::Sfloat),
        Format::R32_UINT => Class::One(Numeric::Uint),
        Format::R32_SINT => Class::One(Numeric::Sint),
        Format::R32G32B32A32_SFLOAT => Class::Four(Numeric::Sfloat),
        Format::R32G32B32A32_UINT => Class::Four(Numeric::Uint),
        Format::R32G32B32A32_SINT => Class::Four(Numeric::Sint),
        Format::R16G16B16A16_SFLOAT => Class::Halves,
        _ => {
            let info = f.info();
            let encoded = matches!(info.numeric, Numeric::Srgb | Numeric::SharedExp);
            if encoded || !matches!(info.bytes, 1 | 2 | 4 | 8) || !lane::supported(info) {
                return None;
            }
            Class::Packed(f)
        }
    })
}

/// True if there is a kernel for this merge.
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

/// What the hand-written merge of plain bytes needs, if it serves this state.
#[cfg(target_arch = "x86_64")]
pub(crate) fn plain_bytes(m: &MergeState, lanes: u32, late: LateDepth) -> Option<super::wide::Bytes> {
    let [c] = &m.colors[..] else { return None };
    let Some(Class::Bytes(shifts, false)) = class(c.format) else { return None };
    let plain = lanes == 8
        && !late.test
        && (!late.write || super::wide_depth::writes(m, lanes))
        && m.sample_mask.is_none()
        && !c.alpha_to_one
        && c.plain()
        && c.blend.equations.is_none_or(|e| super::wide_blend::knows(&e));
    let blend = c.blend.equations.map(|equations| super::wide::Blended { equations, words: c.words, shifts });
    let mut order = [None; 4];
    for (word, shift) in c.words.iter().zip(shifts) {
        order[shift as usize / 8] = *word;
    }
    plain.then_some(super::wide::Bytes { words: m.words, order, target: c.target, blend, depth: late.write })
}

/// Generates the kernel of a key.
pub(crate) fn kernel(b: &mut LaneBuilder, args: Lane, key: &Key) {
    match key.job {
        Job::Early { write } => depth_stencil::early(b, args, &key.merge, write),
        Job::Late(depth) => {
            let late = Late { args, m: &key.merge, depth };
            late.emit(b);
        }
    }
}

pub(super) fn field(b: &mut LaneBuilder, args: Lane, ty: Ty, offset: usize) -> Lane {
    b.load(ty, args, offset as i32)
}

/// Where a stamp lies in an attachment.
pub(super) struct Surface {
    base: Lane,
    pitch: Lane,
}

impl Surface {
    pub fn new(b: &mut LaneBuilder, args: Lane, offset: i32) -> Surface {
        let base = b.load(Ty::I64, args, offset + offset_of!(TileMemory, base) as i32);
        let pitch = b.load(Ty::I32, args, offset + offset_of!(TileMemory, pitch) as i32);
        Surface { base, pitch }
    }

    /// Addresses of the stamp's rows; `dx` and `dy` are relative to the tile.
    pub fn rows(&self, b: &mut LaneBuilder, dx: Lane, dy: Lane, texel_bytes: u32) -> Vec<Lane> {
        let down = b.imul(dy, self.pitch);
        let size = b.u32(texel_bytes);
        let across = b.imul(dx, size);
        let offset = b.iadd(down, across);
        let mut at = b.index(self.base, offset, 1);
        let (_, height) = stamp_size(b.lanes());
        let mut rows = vec![at];
        for _ in 1..height {
            at = b.index(at, self.pitch, 1);
            rows.push(at);
        }
        rows
    }
}

/// Rows of words between quad order and pixel order; the permutation is its own inverse.
pub(super) fn swap_order(b: &mut LaneBuilder, v: Lane) -> Lane {
    let pairs = b.lanes() / 8;
    let from: Vec<(u8, u8)> = (0..pairs as u8).flat_map(|p| [(2 * p, 2 * p + 1); 2]).collect();
    let picks: Vec<[u8; 4]> = (0..pairs).flat_map(|_| [[0, 1, 4, 5], [2, 3, 6, 7]]).collect();
    b.shuffle_vectors(v, v, &from, &picks)
}

/// Where vector `i` of a row in pixel order lies: row, and pixels from the stamp's left.
fn place(lanes: u32, i: u32) -> (usize, u32) {
    let (pair, lower) = (i / 2, i % 2);
    let pairs_across = stamp_size(lanes).0 / 4;
    ((pair / pairs_across * 2 + lower) as usize, pair % pairs_across * 4)
}

pub(super) fn load_words(b: &mut LaneBuilder, ty: Ty, rows: &[Lane]) -> Lane {
    let lanes = b.lanes();
    let at: Vec<Lane> = (0..lanes / 4)
        .map(|i| {
            let (row, x) = place(lanes, i);
            b.offset(rows[row], i64::from(4 * x))
        })
        .collect();
    b.load_quads(ty, &at)
}

pub(super) fn store_words(b: &mut LaneBuilder, v: Lane, rows: &[Lane]) {
    let lanes = b.lanes();
    for i in 0..lanes / 4 {
        let (row, x) = place(lanes, i);
        b.store_vector(v, i, rows[row], 4 * x as i32);
    }
}

/// Texels of one or two bytes, as words.
pub(super) fn load_narrow(b: &mut LaneBuilder, bytes: u32, rows: &[Lane]) -> Lane {
    let lanes = b.lanes();
    let at: Vec<Lane> = (0..lanes / 4)
        .map(|i| {
            let (row, x) = place(lanes, i);
            b.offset(rows[row], i64::from(bytes * x))
        })
        .collect();
    b.load_quads_narrow(bytes, &at)
}

pub(super) fn store_narrow(b: &mut LaneBuilder, bytes: u32, v: Lane, rows: &[Lane]) {
    let lanes = b.lanes();
    for i in 0..lanes / 4 {
        let (row, x) = place(lanes, i);
        b.store_vector_narrow(v, i, bytes, rows[row], (bytes * x) as i32);
    }
}

pub(super) fn stamp_fields(b: &mut LaneBuilder, args: Lane, stamp: Lane) -> ([Lane; 2], [Lane; 2]) {
    let x = b.load(Ty::I32, stamp, offset_of!(Stamp, x) as i32);
    let y = b.load(Ty::I32, stamp, offset_of!(Stamp, y) as i32);
    let tx = field(b, args, Ty::I32, offset_of!(Args, tile_x));
    let ty = field(b, args, Ty::I32, offset_of!(Args, tile_y));
    ([x, y], [b.isub(x, tx), b.isub(y, ty)])
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

/// Row of an output word.
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
    // Old texels are needed wherever not everything is replaced.
    let old = Old::load(b, class, &rows, blend.is_some() || c.blend.write_mask != 0xf);
    let out = match blend {
        None => src,
        Some(e) => {
            let src1 = source(b, &c.words1);
            let constants = [0, 4, 8, 12].map(|o| field(b, args, Ty::F32, offset_of!(Args, constants) + o));
            let mut clamp = |x: Lane| match c.format.info().numeric {
                Numeric::Unorm | Numeric::Srgb => saturate(b, x),
                Numeric::Snorm => {
                    let (least, one) = (b.f32(-1.0), b.f32(1.0));
                    let x = b.fmax(x, least);
                    b.fmin(x, one)
                }
                _ => x,
            };
            let [src, src1, constants] = [src, src1, constants].map(|v| v.map(&mut clamp));
            let dst = old.components(b, class);
            blend_rows(b, &e, src, src1, dst, constants)
        }
    };
    match class {
        Class::Bytes(shifts, srgb) => {
            let mut texel = pack_bytes(b, out, shifts, srgb);
            if c.blend.write_mask != 0xf {
                let written = (0..4).filter(|i| c.blend.write_mask >> i & 1 != 0);
                let keep = !written.fold(0u32, |m, i| m | 0xff << shifts[i]);
                texel = merge_bits(b, texel, old.words[0], keep);
            }
            store_masked(b, texel, &rows, mask, whole);
        }
        Class::One(_) => {
            let texel = b.bitcast(out[0], Ty::I32);
            let texel = b.splat(texel);
            store_masked(b, texel, &rows, mask, whole);
        }
        Class::Four(_) => {
            let out = out.map(|v| {
                let v = b.splat(v);
                b.bitcast(v, Ty::I32)
            });
            store_four(b, out, &rows, mask, whole);
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
                (8, &[low, high]) => store_two(b, [low, high], &rows, mask, whole),
                (4, &[texel]) => store_masked(b, texel, &rows, mask, whole),
                (bytes, _) => store_masked_narrow(b, bytes, words[0], &rows, mask, whole),
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
            store_two(b, words, &rows, mask, whole);
        }
    }
}

/// `(new & !keep) | (old & keep)`.
fn merge_bits(b: &mut LaneBuilder, new: Lane, old: Lane, keep: u32) -> Lane {
    let (keep, write) = (b.u32(keep), b.u32(!keep));
    let (new, old) = (b.and(new, write), b.and(old, keep));
    b.or(new, old)
}

/// To [0, 1]; NaN gives 0.
pub(super) fn saturate(b: &mut LaneBuilder, x: Lane) -> Lane {
    let (zero, one) = (b.f32(0.0), b.f32(1.0));
    let x = b.fmax(x, zero);
    b.fmin(x, one)
}

/// 0 to 255, in the low bits of a number with known high bits: adding 2^23 rounds to nearest even.
pub(super) const MAGIC: f32 = 8388608.0;

fn pack_bytes(b: &mut LaneBuilder, out: [Lane; 4], shifts: [u8; 4], srgb: bool) -> Lane {
    let mut sum = None;
    let mut excess = 0u32;
    for (i, x) in out.into_iter().enumerate() {
        let x = saturate(b, x);
        let code = if srgb && i < 3 {
            encode_srgb(b, x)
        } else {
            let (scale, magic) = (b.f32(255.0), b.f32(MAGIC));
            let x = b.fmul(x, scale);
            let x = b.fadd(x, magic);
            excess = excess.wrapping_add(MAGIC.to_bits().wrapping_shl(u32::from(shifts[i])));
            b.bitcast(x, Ty::I32)
        };
        let shift = b.i32(i32::from(shifts[i]));
        let code = if shifts[i] == 0 { code } else { b.shl(code, shift) };
        sum = Some(match sum {
            None => code,
            Some(s) => b.iadd(s, code),
        });
    }
    let excess = b.u32(excess);
    let sum = sum.unwrap_or(excess);
    let packed = b.isub(sum, excess);
    b.splat(packed)
}

/// 1/255 in two parts: 8-bit numbers times the first are exact, and the sum of both products rounds
/// to the nearest quotient (tested for all of them).
pub(super) fn inverse_255() -> (f32, f32) {
    let high = f32::from_bits((1.0f32 / 255.0).to_bits() & !0xff);
    let low = (1.0 / 255.0 - f64::from(high)) as f32;
    (high, low)
}

/// Texels before merging, in quad order.
struct Old {
    words: Vec<Lane>,
}

impl Old {
    fn load(b: &mut LaneBuilder, class: Class, rows: &[Lane], wanted: bool) -> Old {
        if !wanted {
            return Old { words: Vec::new() };
        }
        let words = match class {
            Class::Bytes(..) => {
                let v = load_words(b, Ty::I32, rows);
                vec![swap_order(b, v)]
            }
            Class::One(_) => {
                let v = load_words(b, Ty::F32, rows);
                vec![swap_order(b, v)]
            }
            Class::Four(_) => load_four(b, rows),
            Class::Halves => load_two(b, rows),
            Class::Packed(f) => match f.bytes() {
                8 => load_two(b, rows),
                4 => {
                    let v = load_words(b, Ty::I32, rows);
                    vec![swap_order(b, v)]
                }
                bytes => {
                    let v = load_narrow(b, bytes, rows);
                    vec![swap_order(b, v)]
                }
            },
        };
        Old { words }
    }

    /// Components as floats; missing ones 0, 0, 1.
    fn components(&self, b: &mut LaneBuilder, class: Class) -> [Lane; 4] {
        match class {
            Class::Bytes(shifts, srgb) => std::array::from_fn(|i| {
                let shift = b.i32(i32::from(shifts[i]));
                let v = if shifts[i] == 0 { self.words[0] } else { b.ushr(self.words[0], shift) };
                let low = b.i32(255);
                let v = if shifts[i] == 24 { v } else { b.and(v, low) };
                if srgb && i < 3 {
                    let table = b.ptr(DECODE_BITS.as_ptr());
                    let four = b.i32(2);
                    let at = b.shl(v, four);
                    return b.gather(Ty::F32, table, at);
                }
                let x = b.s32_to_f32(v);
                let (high, low) = inverse_255();
                let (high, low) = (b.f32(high), b.f32(low));
                let (p, q) = (b.fmul(x, high), b.fmul(x, low));
                b.fadd(p, q)
            }),
            Class::One(_) => [self.words[0], b.f32(0.0), b.f32(0.0), b.f32(1.0)],
            Class::Packed(f) => lane::components(b, f.info(), &self.words),
            Class::Four(_) => std::array::from_fn(|i| b.bitcast(self.words[i], Ty::F32)),
            Class::Halves => std::array::from_fn(|i| {
                let w = self.words[i / 2];
                let (sixteen, low) = (b.i32(16), b.i32(0xffff));
                let h = if i % 2 == 0 { b.and(w, low) } else { b.ushr(w, sixteen) };
                b.f16_bits_to_f32(h)
            }),
        }
    }
}

fn blend_rows(
    b: &mut LaneBuilder,
    e: &[BlendEquation; 2],
    src: [Lane; 4],
    src1: [Lane; 4],
    dst: [Lane; 4],
    constants: [Lane; 4],
) -> [Lane; 4] {
    std::array::from_fn(|i| {
        let e = &e[usize::from(i == 3)];
        let (s, d) = (src[i], dst[i]);
        if matches!(e.op, BlendOp::Min | BlendOp::Max) {
            return if e.op == BlendOp::Min { b.fmin(s, d) } else { b.fmax(s, d) };
        }
        let mut product = |v: Lane, f: BlendFactor| match f {
            BlendFactor::Zero => b.f32(0.0),
            BlendFactor::One => v,
            _ => {
                let f = factor(b, f, i, src, src1, dst, constants);
                b.fmul(v, f)
            }
        };
        let (s, d) = (product(s, e.src), product(d, e.dst));
        match e.op {
            BlendOp::Subtract => b.fsub(s, d),
            BlendOp::ReverseSubtract => b.fsub(d, s),
            _ => b.fadd(s, d),
        }
    })
}

fn factor(
    b: &mut LaneBuilder,
    f: BlendFactor,
    i: usize,
    src: [Lane; 4],
    src1: [Lane; 4],
    dst: [Lane; 4],
    constants: [Lane; 4],
) -> Lane {
    use BlendFactor::*;
    let one = b.f32(1.0);
    match f {
        Zero => b.f32(0.0),
        One => one,
        SrcColor => src[i],
        OneMinusSrcColor => b.fsub(one, src[i]),
        DstColor => dst[i],
        OneMinusDstColor => b.fsub(one, dst[i]),
        SrcAlpha => src[3],
        OneMinusSrcAlpha => b.fsub(one, src[3]),
        DstAlpha => dst[3],
        OneMinusDstAlpha => b.fsub(one, dst[3]),
        ConstantColor => constants[i],
        OneMinusConstantColor => b.fsub(one, constants[i]),
        ConstantAlpha => constants[3],
        OneMinusConstantAlpha => b.fsub(one, constants[3]),
        SrcAlphaSaturate if i == 3 => one,
        SrcAlphaSaturate => {
            let room = b.fsub(one, dst[3]);
            b.fmin(src[3], room)
        }
        Src1Color => src1[i],
        OneMinusSrc1Color => b.fsub(one, src1[i]),
        Src1Alpha => src1[3],
        OneMinusSrc1Alpha => b.fsub(one, src1[3]),
    }
}

/// Writes rows of words in quad order where the mask has lanes.
fn store_masked(b: &mut LaneBuilder, texel: Lane, rows: &[Lane], mask: Lane, whole: Lane) {
    let texel = swap_order(b, texel);
    b.if_else(
        whole,
        |b| store_words(b, texel, rows),
        |b| {
            let old = load_words(b, Ty::I32, rows);
            let lanes = b.mask_from_bits(mask);
            let lanes = swap_order(b, lanes);
            let new = b.select(lanes, texel, old);
            store_words(b, new, rows);
        },
    );
}

/// [`store_masked`] of texels of one or two bytes.
fn store_masked_narrow(b: &mut LaneBuilder, bytes: u32, texel: Lane, rows: &[Lane], mask: Lane, whole: Lane) {
    let texel = swap_order(b, texel);
    b.if_else(
        whole,
        |b| store_narrow(b, bytes, texel, rows),
        |b| {
            let old = load_narrow(b, bytes, rows);
            let lanes = b.mask_from_bits(mask);
            let lanes = swap_order(b, lanes);
            let new = b.select(lanes, texel, old);
            store_narrow(b, bytes, new, rows);
        },
    );
}

/// Address of pixel `k` of each quad, of `bytes` bytes per texel.
fn quad_pixels(b: &mut LaneBuilder, rows: &[Lane], k: u32, bytes: u32) -> Vec<Lane> {
    let lanes = b.lanes();
    (0..lanes / 4)
        .map(|q| {
            let (x, y) = quadrille_jit::abi::stamp_lane(lanes, 4 * q + k);
            b.offset(rows[y as usize], i64::from(x * bytes))
        })
        .collect()
}

fn shuffle(b: &mut LaneBuilder, x: Lane, y: Lane, pick: [u8; 4]) -> Lane {
    let n = (b.lanes() / 4) as u8;
    let from: Vec<(u8, u8)> = (0..n).map(|q| (q, q)).collect();
    b.shuffle_vectors(x, y, &from, &vec![pick; n as usize])
}

/// In each quad, four rows become the four words of each pixel, and back.
fn transpose(b: &mut LaneBuilder, v: [Lane; 4]) -> [Lane; 4] {
    let low = [0, 4, 1, 5];
    let high = [2, 6, 3, 7];
    let (rg0, ba0) = (shuffle(b, v[0], v[1], low), shuffle(b, v[2], v[3], low));
    let (rg1, ba1) = (shuffle(b, v[0], v[1], high), shuffle(b, v[2], v[3], high));
    let (first, second) = ([0, 1, 4, 5], [2, 3, 6, 7]);
    [
        shuffle(b, rg0, ba0, first),
        shuffle(b, rg0, ba0, second),
        shuffle(b, rg1, ba1, first),
        shuffle(b, rg1, ba1, second),
    ]
}

fn load_four(b: &mut LaneBuilder, rows: &[Lane]) -> Vec<Lane> {
    let pixels: [Lane; 4] = std::array::from_fn(|k| {
        let at = quad_pixels(b, rows, k as u32, 16);
        b.load_quads(Ty::I32, &at)
    });
    transpose(b, pixels).to_vec()
}

fn store_four(b: &mut LaneBuilder, words: [Lane; 4], rows: &[Lane], mask: Lane, whole: Lane) {
    let pixels = transpose(b, words);
    let put = |b: &mut LaneBuilder, lanes: Option<Lane>| {
        for (k, &pixel) in pixels.iter().enumerate() {
            let at = quad_pixels(b, rows, k as u32, 16);
            let new = match lanes {
                None => pixel,
                Some(lanes) => {
                    let old = b.load_quads(Ty::I32, &at);
                    let mine = b.quad_swizzle(lanes, [k as u8; 4]);
                    b.select(mine, pixel, old)
                }
            };
            for (q, &a) in at.iter().enumerate() {
                b.store_vector(new, q as u32, a, 0);
            }
        }
    };
    b.if_else(
        whole,
        |b| put(b, None),
        |b| {
            let lanes = b.mask_from_bits(mask);
            put(b, Some(lanes));
        },
    );
}

/// Texels of two words: the upper and the lower pair of pixels of each quad.
fn load_two(b: &mut LaneBuilder, rows: &[Lane]) -> Vec<Lane> {
    let pairs = [0, 2].map(|k| {
        let at = quad_pixels(b, rows, k, 8);
        b.load_quads(Ty::I32, &at)
    });
    vec![shuffle(b, pairs[0], pairs[1], [0, 2, 4, 6]), shuffle(b, pairs[0], pairs[1], [1, 3, 5, 7])]
}

fn store_two(b: &mut LaneBuilder, words: [Lane; 2], rows: &[Lane], mask: Lane, whole: Lane) {
    let words = words.map(|w| b.splat(w));
    let pairs = [shuffle(b, words[0], words[1], [0, 4, 1, 5]), shuffle(b, words[0], words[1], [2, 6, 3, 7])];
    let put = |b: &mut LaneBuilder, lanes: Option<Lane>| {
        for (i, &pair) in pairs.iter().enumerate() {
            let at = quad_pixels(b, rows, 2 * i as u32, 8);
            let new = match lanes {
                None => pair,
                Some(lanes) => {
                    let old = b.load_quads(Ty::I32, &at);
                    let k = 2 * i as u8;
                    let mine = b.quad_swizzle(lanes, [k, k, k + 1, k + 1]);
                    b.select(mine, pair, old)
                }
            };
            for (q, &a) in at.iter().enumerate() {
                b.store_vector(new, q as u32, a, 0);
            }
        }
    };
    b.if_else(
        whole,
        |b| put(b, None),
        |b| {
            let lanes = b.mask_from_bits(mask);
            put(b, Some(lanes));
        },
    );
}

/// Encodings of 16-bit floats; NaN gives 0x7e00.
fn half_bits(b: &mut LaneBuilder, v: Lane) -> Lane {
    let v = b.splat(v);
    let h = b.f32_to_f16_bits(v);
    let nan = b.fcmp(FCmp::Unordered, v, v);
    let quiet = b.i32(0x7e00);
    b.select(nan, quiet, h)
}

/// Least number whose code is not zero for sure: below it lies no threshold.
const SRGB_FIRST: u32 = 0x3900_0000;
const SRGB_BUCKETS: usize = ((0x3f80_0000 - SRGB_FIRST) >> 16) as usize + 1;

/// For each range of numbers with the same upper 16 bits: the code at its start in bits 20 and up,
/// and the lower 16 bits from which on the next code holds (2^16 if it does not).
fn srgb_buckets() -> &'static [u32] {
    static TABLE: OnceLock<Vec<u32>> = OnceLock::new();
    TABLE.get_or_init(|| {
        (0..SRGB_BUCKETS as u32)
            .map(|i| {
                let start = SRGB_FIRST + (i << 16);
                let reached = THRESHOLD_BITS.partition_point(|&t| t <= start);
                let next = THRESHOLD_BITS.get(reached).map_or(1 << 16, |t| (t - start).min(1 << 16));
                (reached as u32 - 1) << 20 | next
            })
            .collect()
    })
}

/// sRGB codes of numbers in [0, 1].
fn encode_srgb(b: &mut LaneBuilder, x: Lane) -> Lane {
    let table = b.ptr(srgb_buckets().as_ptr());
    let first = b.bits(Ty::F32, u64::from(SRGB_FIRST));
    let x = b.fmax(x, first);
    let bits = b.bitcast(x, Ty::I32);
    let base = b.u32(SRGB_FIRST);
    let rel = b.isub(bits, base);
    let (fourteen, mask) = (b.i32(14), b.u32(!3));
    let at = b.ushr(rel, fourteen);
    let at = b.and(at, mask);
    let entry = b.gather(Ty::I32, table, at);
    let (twenty, low, next) = (b.i32(20), b.i32(0xffff), b.i32(0x1_ffff));
    let code = b.ushr(entry, twenty);
    let (bits, next) = (b.and(bits, low), b.and(entry, next));
    let reached = b.icmp(ICmp::Sge, bits, next);
    let one = b.bool_to_i32(reached);
    b.iadd(code, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_by_255_are_exact() {
        let (high, low) = inverse_255();
        for v in 0..256u32 {
            let v = v as f32;
            assert_eq!(v * high + v * low, v / 255.0);
        }
    }

    #[test]
    fn srgb_buckets_have_one_threshold_at_most() {
        for i in 0..SRGB_BUCKETS as u32 {
            let start = SRGB_FIRST + (i << 16);
            let inside = THRESHOLD_BITS.iter().filter(|&&t| t > start && t < start + 0x1_0000).count();
            assert!(inside <= 1, "bucket {i}");
        }
        assert!(THRESHOLD_BITS[1] > SRGB_FIRST);
    }
}
