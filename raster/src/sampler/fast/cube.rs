//! Cube maps in lanes: the formulas of [`crate::sampler::cube`].
//!
//! Filters stay on one face here. Lanes whose filter crosses an edge are noted, and done again by the
//! scalar twin at the end.

use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::coords::{clamp, to_int};
use super::{COORD, Cube, FastKey, Group};
use crate::image::{LevelInfo, View};

/// Which face each lane's direction selects.
struct Face {
    z_major: Lane,
    /// Not where `z_major`.
    y_major: Lane,
    negative: Lane,
    /// Sign bit where negative, else 0.
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

/// (sc, tc, rc) of a vector on each lane's face.
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

/// The lanes' directions.
pub fn direction(b: &mut LaneBuilder, g: &Group) -> [Lane; 3] {
    [0, 1, 2].map(|i| g.coord(b, i))
}

/// The group with face coordinates and the offsets of faces.
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
    let mut slice = b.iadd(face, negative);
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
    Group { cube: Some(Cube { c, slice }), ..*g }
}

/// The group with a place for [`note_edges`].
pub fn track_edges(b: &mut LaneBuilder, g: &Group) -> Group {
    let edges = b.stack(4);
    let zero = b.u32(0);
    b.store(zero, edges, 0);
    Group { edges: Some(edges), ..*g }
}

/// Notes lanes whose filter crosses an edge: a Bool.
pub fn note_edges(b: &mut LaneBuilder, g: &Group, out: Lane) {
    let Some(edges) = g.edges else { return };
    let out = b.mask_bits(out);
    let old = b.load(Ty::I32, edges, 0);
    let new = b.or(old, out);
    b.store(new, edges, 0);
}

/// Has the twin do the active lanes that were noted.
pub fn redo_edges(b: &mut LaneBuilder, g: &Group) {
    let Some(edges) = g.edges else { return };
    let edges = b.load(Ty::I32, edges, 0);
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

/// Lengths of changes `d` (along x and y) of the direction `v` in texels, squared.
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
