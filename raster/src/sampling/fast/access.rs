//! Emits fetches, storage reads and writes with integer coordinates and per-lane bounds checks, and size queries.
//! Converting the texels is left to [`super::texel`].

use std::mem::offset_of;

use quadrille_jit::abi::{ImageArgs, ImageView};
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{ICmp, Lane, LaneBuilder};

use super::{COORD, FastKey, Group, TEXEL, for_each_level, is_eight_bit, row_at, texel, with_mask};
use crate::sampling::{LevelInfo, View};

const SIZES: [usize; 3] =
    [offset_of!(LevelInfo, width), offset_of!(LevelInfo, height), offset_of!(LevelInfo, depth)];

/// Byte offsets of the texels, and whether they exist; offsets of nonexistent texels are 0.
fn place(b: &mut LaneBuilder, k: &FastKey, g: &Group, level: Lane) -> (Lane, Lane) {
    let n = usize::from(k.axes);
    let mut inside: Option<Lane> = None;
    let mut offset: Option<Lane> = None;
    let mut add = |b: &mut LaneBuilder, i: Lane, size: Lane, pitch: Lane| {
        let ok = b.icmp(ICmp::Ult, i, size);
        let at = b.imul(i, pitch);
        inside = Some(inside.map_or(ok, |x| b.and(x, ok)));
        offset = Some(offset.map_or(at, |x| b.iadd(x, at)));
    };
    for (axis, &size) in SIZES.iter().enumerate().take(n) {
        let mut i = g.row(b, Ty::I32, COORD, axis);
        if k.offset {
            let o = g.row(b, Ty::I32, offset_of!(ImageArgs, offset), axis);
            i = b.iadd(i, o);
        }
        let size = b.load(Ty::I32, level, size as i32);
        let pitch = match axis {
            0 => b.u32(k.info().bytes),
            1 => b.load(Ty::I32, level, offset_of!(LevelInfo, row_pitch) as i32),
            _ => b.load(Ty::I32, level, offset_of!(LevelInfo, slice_pitch) as i32),
        };
        add(b, i, size, pitch);
    }
    if k.arrayed {
        let layer = g.row(b, Ty::I32, COORD, n);
        let size = b.load(Ty::I32, g.view, offset_of!(View, slices) as i32);
        let pitch = b.load(Ty::I32, g.view, offset_of!(View, layer_pitch) as i32);
        add(b, layer, size, pitch);
    }
    if k.samples {
        let sample = g.row(b, Ty::I32, offset_of!(ImageArgs, sample), 0);
        let size = g.view_u32(b, offset_of!(ImageView, samples));
        let pitch = b.load(Ty::I32, level, offset_of!(LevelInfo, sample_pitch) as i32);
        add(b, sample, size, pitch);
    }
    let (offset, inside) = (offset.unwrap_or_else(|| b.u32(0)), inside.unwrap_or_else(|| b.bool(true)));
    let zero = b.u32(0);
    let offset = b.select(inside, offset, zero);
    (offset, inside)
}

pub fn fetch(b: &mut LaneBuilder, k: &FastKey, g: &Group, has_level: bool) {
    if !has_level {
        let level = g.level0(b);
        read(b, k, g, level, None, None);
        return;
    }
    let lods = g.row(b, Ty::I32, offset_of!(ImageArgs, lod), 0);
    if !k.mips {
        let level = g.level0(b);
        let zero = b.u32(0);
        let there = b.icmp(ICmp::Eq, lods, zero);
        read(b, k, g, level, Some(there), None);
        return;
    }
    let n = g.levels(b);
    for_each_level(b, g, lods, |b, level, bits| {
        let there = b.icmp(ICmp::Ult, level, n);
        let one = b.u32(1);
        let last = b.isub(n, one);
        let level = b.umin(level, last);
        let level = g.level(b, level);
        read(b, k, g, level, Some(there), Some(bits));
    });
}

/// Reads from a uniform level. Lanes where `there` is false read as outside the image. Only the lanes of `bits` are
/// stored.
fn read(b: &mut LaneBuilder, k: &FastKey, g: &Group, level: Lane, there: Option<Lane>, bits: Option<Lane>) {
    let info = k.info();
    let (offset, mut inside) = place(b, k, g, level);
    if let Some(t) = there {
        let t = b.splat(t);
        inside = b.and(inside, t);
    }
    let base = g.texels(b, level);
    let words = texel::load(b, info, base, offset);
    let words = texel::replace(b, words, inside, 0);
    let used = k.used();
    let values: [Option<Lane>; 4] = std::array::from_fn(|c| {
        used[c].then(|| {
            let v = texel::component(b, info, &words, c);
            if is_eight_bit(info) { texel::normalize8(b, v, 1.0) } else { v }
        })
    });
    match bits {
        Some(bits) => with_mask(b, g, bits, |b, mask| texel::store(b, k, g, &values, mask)),
        None => texel::store(b, k, g, &values, None),
    }
}

/// Stores the extents, then the number of layers.
pub fn size(b: &mut LaneBuilder, k: &FastKey, g: &Group, has_level: bool) {
    let axes = usize::from(k.axes);
    let put = |b: &mut LaneBuilder, row: usize, v: Lane, mask: Option<Lane>| {
        let v = match mask {
            Some(m) => {
                let old = g.row(b, Ty::I32, TEXEL, row);
                b.select(m, v, old)
            }
            None => b.splat(v),
        };
        b.store_row(v, g.rows, row_at(TEXEL, row));
    };
    if k.arrayed {
        let layers = g.layers(b);
        put(b, axes, layers, None);
    }
    let extents = |b: &mut LaneBuilder, level: Lane, there: Option<Lane>, mask: Option<Lane>| {
        for (row, &at) in SIZES[..axes].iter().enumerate() {
            let v = b.load(Ty::I32, level, at as i32);
            let zero = b.u32(0);
            let v = match there {
                Some(t) => b.select(t, v, zero),
                None => v,
            };
            put(b, row, v, mask);
        }
    };
    let level0 = g.level0(b);
    if !has_level {
        return extents(b, level0, None, None);
    }
    let lods = g.row(b, Ty::I32, offset_of!(ImageArgs, lod), 0);
    if !k.mips {
        let zero = b.u32(0);
        let there = b.icmp(ICmp::Eq, lods, zero);
        return extents(b, level0, Some(there), None);
    }
    let n = g.levels(b);
    for_each_level(b, g, lods, |b, level, bits| {
        let there = b.icmp(ICmp::Ult, level, n);
        let one = b.u32(1);
        let last = b.isub(n, one);
        let level = b.umin(level, last);
        let level = g.level(b, level);
        with_mask(b, g, bits, |b, mask| extents(b, level, Some(there), mask));
    });
}

pub fn write(b: &mut LaneBuilder, k: &FastKey, g: &Group) {
    let info = k.info();
    let level = g.level0(b);
    let (offset, inside) = place(b, k, g, level);
    let active = b.mask_from_bits(g.mask);
    let mask = b.and(inside, active);
    let base = g.texels(b, level);
    let texel: [Lane; 4] =
        std::array::from_fn(
            |c| {
                if info.fields[c].bits == 0 { b.u32(0) } else { g.row(b, Ty::I32, TEXEL, c) }
            },
        );
    let words = texel::pack(b, info, &texel);
    let ty = match info.bytes {
        1 => Ty::I8,
        2 => Ty::I16,
        _ => Ty::I32,
    };
    let values: Vec<(Lane, i32)> =
        words.into_iter().enumerate().map(|(i, w)| (b.bitcast(w, ty), 4 * i as i32)).collect();
    b.scatter(&values, base, offset, mask);
}
