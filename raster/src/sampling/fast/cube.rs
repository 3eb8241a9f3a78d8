//! Emits cube map sampling in lanes, with the formulas of [`crate::sampling::cube`].
//!
//! Filters first stay on one face. If the filter of any lane crosses an edge, which is rare, all texels are located
//! again through a table of edges, and texels at corners are computed from their neighbours. Lanes whose two texels
//! along an axis are both outside the face (for infinite and NaN coordinates) are left to the scalar twin.

use std::mem::offset_of;

use once_cell::race::OnceBox;
use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::cube::across_edge;
use super::{COORD, Cube, FastKey, Group, clamp, to_int};
use crate::sampling::{LevelInfo, View};

/// Face that each lane's direction selects.
struct Face {
    z_major: Lane,
    /// False where `z_major`.
    y_major: Lane,
    negative: Lane,
    /// Sign bit in lanes that are negative, else 0.
    sign: Lane,
}

fn select(b: &mut LaneBuilder, [x, y, z]: [Lane; 3]) -> Face {
    let [ax, ay, az] = [x, y, z].map(|v| b.fabs(v));
    let zx = b.fcmp(FCmp::OrdGe, az, ax);
    let zy = b.fcmp(FCmp::OrdGe, az, ay);
    let z_major = b.and(zx, zy);
    let y_major = b.fcmp(FCmp::OrdGe, ay, ax);
    let y_major = b.and_not(y_major, z_major);
    let major = b.select(y_major, y, x);
    let major = b.select(z_major, z, major);
    let zero = b.f32(0.0);
    let negative = b.fcmp(FCmp::OrdLt, major, zero);
    let (top, none) = (b.u32(0x8000_0000), b.u32(0));
    let sign = b.select(negative, top, none);
    Face { z_major, y_major, negative, sign }
}

/// Components (sc, tc, rc) of a vector for each lane's face.
fn project(b: &mut LaneBuilder, f: &Face, [x, y, z]: [Lane; 3]) -> [Lane; 3] {
    let signed = |b: &mut LaneBuilder, v: Lane| {
        let bits = b.bitcast(v, Ty::I32);
        let bits = b.xor(bits, f.sign);
        b.bitcast(bits, Ty::F32)
    };
    let (ny, nz) = (b.fneg(y), b.fneg(z));
    let sc = b.select(f.z_major, x, nz);
    let sc = signed(b, sc);
    let sc = b.select(f.y_major, x, sc);
    let tc = signed(b, z);
    let tc = b.select(f.y_major, tc, ny);
    let rc = b.select(f.y_major, y, x);
    let rc = b.select(f.z_major, z, rc);
    [sc, tc, signed(b, rc)]
}

/// Directions of the lanes.
pub fn direction(b: &mut LaneBuilder, g: &Group) -> [Lane; 3] {
    [0, 1, 2].map(|i| g.coord(b, i))
}

/// Returns the group with face coordinates and face offsets.
pub fn prepare(b: &mut LaneBuilder, k: &FastKey, g: &Group) -> Group {
    let v = direction(b, g);
    let f = select(b, v);
    let [sc, tc, rc] = project(b, &f, v);
    let half = b.f32(0.5);
    let scale = b.fdiv(half, rc);
    let c = [sc, tc].map(|v| {
        let v = b.fmul(v, scale);
        b.fadd(v, half)
    });
    let (zero, two, four) = (b.u32(0), b.u32(2), b.u32(4));
    let two = b.splat(two);
    let face = b.select(f.y_major, two, zero);
    let face = b.select(f.z_major, four, face);
    let negative = b.bool_to_i32(f.negative);
    let face = b.iadd(face, negative);
    let mut slice = face;
    if k.arrayed {
        let a = g.row(b, Ty::F32, COORD, 3);
        let a = b.nearest(a);
        let n = g.layers(b);
        let one = b.u32(1);
        let last = b.isub(n, one);
        let last = b.s32_to_f32(last);
        let zero = b.f32(0.0);
        let a = clamp(b, a, zero, last);
        let cube = to_int(b, a);
        let six = b.u32(6);
        let first = b.imul(cube, six);
        slice = b.iadd(slice, first);
    }
    let pitch = b.load(Ty::I32, g.view, offset_of!(View, layer_pitch) as i32);
    let slice = b.imul(slice, pitch);
    Group { cube: Some(Cube { c, face, slice }), ..*g }
}

/// Offset of the word with the lanes that are left to the twin.
const LEFT: i32 = 4;

/// Returns the group with stack memory for [`note_edges`] and [`leave`].
pub fn track_edges(b: &mut LaneBuilder, g: &Group) -> Group {
    let edges = b.stack(8);
    let zero = b.u32(0);
    b.store(zero, edges, LEFT);
    Group { edges: Some(edges), ..*g }
}

/// Clears the lanes that [`note_edges`] recorded.
pub fn clear_edges(b: &mut LaneBuilder, g: &Group) {
    let Some(edges) = g.edges else { return };
    let zero = b.u32(0);
    b.store(zero, edges, 0);
}

/// Records lanes whose filter crosses an edge, given as a Bool.
pub fn note_edges(b: &mut LaneBuilder, g: &Group, out: Lane) {
    let Some(edges) = g.edges else { return };
    note(b, edges, 0, out);
}

/// Bits of the active lanes that were recorded.
pub fn noted(b: &mut LaneBuilder, g: &Group) -> Option<Lane> {
    let bits = b.load(Ty::I32, g.edges?, 0);
    Some(b.and(bits, g.mask))
}

/// Leaves lanes, given as a Bool, to the twin.
pub fn leave(b: &mut LaneBuilder, g: &Group, lanes: Lane) {
    let Some(edges) = g.edges else { return };
    note(b, edges, LEFT, lanes);
}

/// Bool: a row or column of a level is outside its face.
pub fn is_outside(b: &mut LaneBuilder, level: Lane, at: Lane) -> Lane {
    let n = b.load(Ty::I32, level, offset_of!(LevelInfo, width) as i32);
    let n = b.splat(n);
    b.icmp(ICmp::Uge, at, n)
}

fn note(b: &mut LaneBuilder, edges: Lane, at: i32, lanes: Lane) {
    let bits = b.mask_bits(lanes);
    let old = b.load(Ty::I32, edges, at);
    let new = b.or(old, bits);
    b.store(new, edges, at);
}

/// Texels beyond the edges of faces, indexed by `face * 4 + edge` (left, right, top, bottom). An entry holds the
/// neighbouring face, then for x and for y a bit that is set if the coordinate starts at the last texel, and its step
/// along the edge plus 1.
pub fn edges() -> &'static [u32; 24] {
    static EDGES: OnceBox<[u32; 24]> = OnceBox::new();
    let entry = |e: usize| {
        const N: i32 = 8;
        let face = e as u32 / 4;
        let beyond = |k: i32| {
            let (i, j) = [(-1, k), (N, k), (k, -1), (k, N)][e % 4];
            across_edge(face, i, j, N)
        };
        let ((to, x0, y0), (_, x1, y1)) = (beyond(0), beyond(1));
        let axis = |from: i32, to: i32| u32::from(from != 0) | ((to - from + 1) as u32) << 1;
        to | axis(x0, x1) << 8 | axis(y0, y1) << 16
    };
    EDGES.get_or_init(|| Box::new(std::array::from_fn(entry)))
}

/// Byte offsets, from the view's first texel, of the texels at (i, j) of the lanes' faces, across at most one edge.
/// Lanes with both coordinates outside get an arbitrary texel.
pub fn texel_across(b: &mut LaneBuilder, k: &FastKey, g: &Group, level: Lane, [i, j]: [Lane; 2]) -> Lane {
    let Some(cube) = g.cube else { return i };
    let n = b.load(Ty::I32, level, offset_of!(LevelInfo, width) as i32);
    let (zero, one, two, three) = (b.u32(0), b.u32(1), b.u32(2), b.u32(3));
    let last = b.isub(n, one);
    let n = b.splat(n);
    let [out_i, out_j] = [i, j].map(|v| is_outside(b, level, v));
    let inside = |b: &mut LaneBuilder, v: Lane| {
        let v = b.smax(v, zero);
        b.smin(v, last)
    };
    let (ci, cj) = (inside(b, i), inside(b, j));
    // Selects the edge by the axis that is outside, and the side.
    let [far_i, far_j] = [i, j].map(|v| {
        let far = b.icmp(ICmp::Sge, v, n);
        b.bool_to_i32(far)
    });
    let edge_j = b.iadd(two, far_j);
    let edge = b.select(out_i, far_i, edge_j);
    let at = b.shl(cube.face, two);
    let at = b.iadd(at, edge);
    let at = b.shl(at, two);
    let table = b.ptr(edges().as_ptr());
    let entry = b.gather(Ty::I32, table, at);
    let along = b.select(out_i, cj, ci);
    let axis = |b: &mut LaneBuilder, shift: u32| {
        let (shift, step_shift) = (b.u32(shift), b.u32(shift + 1));
        let start = b.ushr(entry, shift);
        let start = b.and(start, one);
        let start = b.imul(start, last);
        let step = b.ushr(entry, step_shift);
        let step = b.and(step, three);
        let step = b.isub(step, one);
        let way = b.imul(step, along);
        b.iadd(start, way)
    };
    let (x, y) = (axis(b, 8), axis(b, 16));
    let low = b.u32(7);
    let face = b.and(entry, low);
    let crosses = b.or(out_i, out_j);
    let x = b.select(crosses, x, ci);
    let y = b.select(crosses, y, cj);
    let face = b.select(crosses, face, cube.face);
    let pitch = b.load(Ty::I32, g.view, offset_of!(View, layer_pitch) as i32);
    let row = b.load(Ty::I32, level, offset_of!(LevelInfo, row_pitch) as i32);
    let face = b.isub(face, cube.face);
    let face = b.imul(face, pitch);
    let y = b.imul(y, row);
    let bytes = b.u32(k.info().bytes);
    let x = b.imul(x, bytes);
    let at = b.iadd(cube.slice, face);
    let at = b.iadd(at, y);
    b.iadd(at, x)
}

/// Calls the twin for the active lanes that were left to it.
pub fn redo_edges(b: &mut LaneBuilder, g: &Group) {
    let Some(edges) = g.edges else { return };
    let edges = b.load(Ty::I32, edges, LEFT);
    let edges = b.and(edges, g.mask);
    let zero = b.u32(0);
    let any = b.icmp(ICmp::Ne, edges, zero);
    b.if_(any, |b| {
        let at = offset_of!(ImageArgs, mask) as i32;
        let mask = b.load(Ty::I32, g.args, at);
        let these = b.shl(edges, g.first);
        b.store(these, g.args, at);
        b.call(g.twin, g.args);
        b.store(mask, g.args, at);
    });
}

/// Squared lengths, in texels, of changes `d` (along x and y) of the direction `v`.
pub fn lengths(b: &mut LaneBuilder, g: &Group, v: [Lane; 3], d: &[Vec<Lane>; 2]) -> [Lane; 2] {
    let f = select(b, v);
    let [sc, tc, rc] = project(b, &f, v);
    let half = b.f32(0.5);
    let square = b.fmul(rc, rc);
    let scale = b.fdiv(half, square);
    let level = g.level0(b);
    let size = b.load(Ty::F32, level, offset_of!(LevelInfo, width_f) as i32);
    [0, 1].map(|i| {
        let [dsc, dtc, drc] = project(b, &f, [d[i][0], d[i][1], d[i][2]]);
        let squares = [(sc, dsc), (tc, dtc)].map(|(c, dc)| {
            let (p, q) = (b.fmul(rc, dc), b.fmul(c, drc));
            let v = b.fsub(p, q);
            let v = b.fmul(v, scale);
            let v = b.fmul(v, size);
            b.fmul(v, v)
        });
        b.fadd(squares[0], squares[1])
    })
}
