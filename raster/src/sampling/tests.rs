//! Compares the scalar twin with values derived from the specification.

mod blocks;
mod tables;

use std::sync::Arc;

use quadrille_jit::CpuLevel;
use quadrille_jit::ir::{AtomicOp, ImageDim, ImageOp, ImageOpKind, LodMode, Ty};

use super::testing::*;
use super::*;
use crate::memory::format::{Aspects, Format};
use crate::memory::image::{ImageDesc, ImageType, Span};
use crate::sampling::{Swizzle, View, ViewDesc, ViewDim};

fn f(x: f32) -> u32 {
    x.to_bits()
}

/// A 4x4 R32F image, with texel (x, y) = 10 y + x.
fn ramp(tables: &Arc<Interner>) -> Texture {
    let t = Texture::new(tables, ImageDesc::new_2d(Format::R32_SFLOAT, 4, 4));
    for y in 0..4 {
        for x in 0..4 {
            t.put(0, 0, [x, y, 0], [f((10 * y + x) as f32), 0, 0, 0]);
        }
    }
    t
}

fn xy(x: f32, y: f32) -> [f32; 4] {
    [x / 4.0, y / 4.0, 0.0, 0.0]
}

#[test]
fn nearest_and_linear() {
    let tables = Interner::new(CpuLevel::current());
    let t = ramp(&tables);
    let near = SamplerState::nearest(AddressMode::ClampToEdge);
    let lin = SamplerState::linear(AddressMode::ClampToEdge);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let points = [xy(0.5, 0.5), xy(1.99, 3.01), xy(-3.0, 2.5), xy(2.0, 2.0)];
    let got = sample(&tables, &t.view, &near, &op, &points, |_| {});
    assert_eq!(got.iter().map(|c| c[0]).collect::<Vec<_>>(), [0.0, 31.0, 20.0, 22.0]);
    assert_eq!(got[0], [0.0, 0.0, 0.0, 1.0]);
    let got = sample(&tables, &t.view, &lin, &op, &points, |_| {});
    assert_eq!(got[3][0], 16.5);
    // The point is (1.49, 2.51) texels past the first centre, in steps of 1/256.
    assert_eq!(got[1][0], 10.0 * (2.0 + 131.0 / 256.0) + 1.0 + 125.0 / 256.0);
}

/// Spec: Vulkan, the matrix of the cubic filter (textures-texel-filtering), in exact arithmetic.
#[test]
fn cubic() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc::new_2d(Format::R32_SFLOAT, 4, 4));
    let value = |x: i32, y: i32| f64::from((x * 5 + y * 7 + x * y * 3) % 11);
    for (x, y) in (0..16).map(|i| (i % 4, i / 4)) {
        t.put(0, 0, [x as u32, y as u32, 0], [f(value(x, y) as f32), 0, 0, 0]);
    }
    const M: [[f64; 4]; 4] =
        [[0.0, 2.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [2.0, -5.0, 4.0, -1.0], [-1.0, 3.0, -3.0, 1.0]];
    let filter = |w: f64, t: [f64; 4]| {
        let powers = [1.0, w, w * w, w * w * w];
        let row = |k: usize| powers[k] * (0..4).map(|i| M[k][i] * t[i]).sum::<f64>();
        (0..4).map(row).sum::<f64>() / 2.0
    };
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    for (mode, wrap) in [
        (AddressMode::Repeat, (|i| i.rem_euclid(4)) as fn(i32) -> i32),
        (AddressMode::ClampToEdge, |i| i.clamp(0, 3)),
    ] {
        let (mag_filter, address) = (Filter::Cubic, [mode; 3]);
        let state = SamplerState { mag_filter, address, ..SamplerState::default() };
        let points: Vec<[f32; 2]> =
            (0..40).map(|i| [i as f32 / 8.0 - 0.5, i as f32 * 7.0 % 32.0 / 8.0]).collect();
        let at: Vec<_> = points.iter().map(|p| xy(p[0], p[1])).collect();
        for (p, at) in points.iter().zip(at.chunks(1)) {
            let got = sample(&tables, &t.view, &state, &op, at, |_| {})[0][0];
            let [x, y] = p.map(|v| f64::from(v) - 0.5);
            let row = |j: i32| {
                let tap = |i| value(wrap(x.floor() as i32 + i), wrap(y.floor() as i32 + j));
                filter(x - x.floor(), [-1, 0, 1, 2].map(tap))
            };
            let want = filter(y - y.floor(), [-1, 0, 1, 2].map(row));
            assert!((f64::from(got) - want).abs() < 1e-5, "{mode:?} {p:?}: {got}, {want}");
        }
    }
}

#[test]
fn address_modes_and_borders() {
    let tables = Interner::new(CpuLevel::current());
    let t = ramp(&tables);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let points = [xy(-0.5, 0.5), xy(4.5, 0.5), xy(-5.5, 0.5), xy(9.5, 0.5)];
    let row = |mode, border| {
        let state = SamplerState { border, ..SamplerState::nearest(mode) };
        sample(&tables, &t.view, &state, &op, &points, |_| {}).iter().map(|c| c[0]).collect::<Vec<_>>()
    };
    let black = BorderColor::TransparentBlack;
    assert_eq!(row(AddressMode::Repeat, black), [3.0, 0.0, 2.0, 1.0]);
    assert_eq!(row(AddressMode::MirroredRepeat, black), [0.0, 3.0, 2.0, 1.0]);
    assert_eq!(row(AddressMode::ClampToEdge, black), [0.0, 3.0, 0.0, 3.0]);
    assert_eq!(row(AddressMode::MirrorClampToEdge, black), [0.0, 3.0, 3.0, 3.0]);
    assert_eq!(row(AddressMode::ClampToBorder, BorderColor::OpaqueWhite), [1.0; 4]);
    let custom = BorderColor::Custom([f(0.5), 0, 0, 0]);
    assert_eq!(row(AddressMode::ClampToBorder, custom), [0.5; 4]);
    // Half of the filter lies in the border.
    let lin =
        SamplerState { border: BorderColor::OpaqueWhite, ..SamplerState::linear(AddressMode::ClampToBorder) };
    let got = sample(&tables, &t.view, &lin, &op, &[xy(4.0, 0.5)], |_| {});
    assert_eq!(got[0], [2.0, 0.0, 0.0, 1.0]);
}

#[test]
fn implicit_lod_bias_and_clamps() {
    let tables = Interner::new(CpuLevel::current());
    // Level l holds the value l.
    let t = Texture::new(&tables, mipped(Format::R32_SFLOAT, 16, 16, 5));
    for level in 0..5u32 {
        let n = 16 >> level;
        for i in 0..n * n {
            t.put(level, 0, [i % n, i / n, 0], [f(level as f32), 0, 0, 0]);
        }
    }
    // Differences of 4 texels: lod 2.
    let quad = [[0.1, 0.1, 0., 0.], [0.35, 0.1, 0., 0.], [0.1, 0.2, 0., 0.], [0.35, 0.2, 0., 0.]];
    let tri = SamplerState::linear(AddressMode::Repeat);
    let value = |state: &SamplerState, op: &ImageOp, set: &dyn Fn(&mut quadrille_jit::abi::ImageArgs)| {
        sample(&tables, &t.view, state, op, &quad, |a| set(a))[3][0]
    };
    let op = sample_op();
    assert_eq!(value(&tri, &op, &|_| {}), 2.0);
    let biased = SamplerState { lod_bias: f(0.75), ..tri };
    assert_eq!(value(&biased, &op, &|_| {}), 2.75);
    assert_eq!(value(&SamplerState { mipmap_mode: Filter::Nearest, ..biased }, &op, &|_| {}), 3.0);
    assert_eq!(value(&SamplerState { max_lod: f(1.25), ..tri }, &op, &|_| {}), 1.25);
    assert_eq!(value(&SamplerState { min_lod: f(3.5), ..tri }, &op, &|_| {}), 3.5);
    let bias = ImageOp { lod: LodMode::Bias, ..op };
    assert_eq!(value(&tri, &bias, &|a| a.lod.fill(f(-1.5))), 0.5);
    let clamp = ImageOp { min_lod: true, ..op };
    assert_eq!(value(&tri, &clamp, &|a| a.min_lod.fill(f(2.5))), 2.5);
    let explicit = ImageOp { lod: LodMode::Explicit, ..op };
    assert_eq!(value(&tri, &explicit, &|a| a.lod.fill(f(9.0))), 4.0);
    assert_eq!(value(&tri, &explicit, &|a| a.lod.fill(f(f32::NAN))), 0.0);
    let grad = ImageOp { lod: LodMode::Grad, ..op };
    let got = value(&tri, &grad, &|a| {
        a.grad[0].fill(f(1.0 / 16.0));
        a.grad[3].fill(f(2.0 / 16.0));
    });
    assert_eq!(got, 1.0);
    // Lanes outside the quad mask contribute no difference.
    assert_eq!(value(&tri, &op, &|a| a.quad_mask = 0b1000), 0.0);
    let query = ImageOp { kind: ImageOpKind::QueryLod, ..op };
    let got = sample(&tables, &t.view, &SamplerState { max_lod: f(1.5), ..tri }, &query, &quad, |_| {});
    assert_eq!(got[0][..2], [1.5, 2.0]);
}

#[test]
fn eight_bit_filter_is_exact() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 2, 1));
    t.put(0, 0, [0, 0, 0], [0, f(1.0), f(51.0 / 255.0), 0]);
    t.put(0, 0, [1, 0, 0], [f(1.0), f(1.0), f(51.0 / 255.0), 0]);
    let lin = SamplerState::linear(AddressMode::ClampToEdge);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let got = sample(&tables, &t.view, &lin, &op, &[[0.5, 0.5, 0., 0.], [0.3, 0.9, 0., 0.]], |_| {});
    assert_eq!(got[0], [0.5, 1.0, 51.0 / 255.0, 0.0]);
    // u = 0.6: 0.1 of a texel past the first centre, 26/256 after rounding.
    assert_eq!(got[1][0], coords::normalize8(255.0 * 26.0 / 256.0));
}

#[test]
fn srgb_is_decoded_before_filtering() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc::new_2d(Format::R8G8B8A8_SRGB, 2, 1));
    t.put(0, 0, [1, 0, 0], [f(1.0); 4]);
    let lin = SamplerState::linear(AddressMode::ClampToEdge);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    assert_eq!(sample(&tables, &t.view, &lin, &op, &[[0.5, 0.5, 0., 0.]], |_| {})[0], [0.5; 4]);
}

#[test]
fn fetch_read_write_and_atomics() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc::new_2d(Format::R32_UINT, 4, 4));
    let int = ImageOp { texel: Ty::I32, lod: LodMode::Explicit, ..sample_op() };
    let run = |kind, x: [i32; 4], words: [u32; 4]| {
        let mut a = args(4);
        for (lane, (&x, w)) in x.iter().zip(words).enumerate() {
            a.coord[0][lane] = x as u32;
            a.coord[1][lane] = 1;
            a.texel[0][lane] = w;
            a.texel[1][lane] = 7;
        }
        let op = tables.op(&ImageOp { kind, ..int }).unwrap();
        call(&t.view, 0, op, &mut a);
        [a.texel[0], a.texel[3]].map(|r| [r[0], r[1], r[2], r[3]])
    };
    run(ImageOpKind::Write, [0, 1, -1, 4], [7, 8, 9, 10]);
    assert_eq!(run(ImageOpKind::Read, [0, 1, 2, 4], [0; 4]), [[7, 8, 0, 0], [1, 1, 1, 1]]);
    assert_eq!(run(ImageOpKind::Fetch, [0, 1, -5, i32::MAX], [0; 4])[0], [7, 8, 0, 0]);
    // Lanes run in ascending order; the last lane's texel is outside.
    let add = ImageOpKind::Atomic(AtomicOp::IAdd);
    assert_eq!(run(add, [0, 0, 1, 9], [1, 1, 1, 1])[0], [7, 8, 8, 0]);
    assert_eq!(run(ImageOpKind::Atomic(AtomicOp::CompareExchange), [0, 1, 2, 3], [3; 4])[0], [9, 9, 0, 0]);
    assert_eq!(run(ImageOpKind::Read, [0, 1, 2, 3], [0; 4])[0], [9, 9, 0, 0]);
    let float = ImageOp { texel: Ty::F32, ..int };
    assert!(tables.op(&ImageOp { kind: ImageOpKind::Atomic(AtomicOp::FAdd), ..float }).is_ok());
}

#[test]
fn arrays_volumes_offsets_and_swizzles() {
    let tables = Interner::new(CpuLevel::current());
    let desc = ImageDesc { layers: 3, ..ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 2, 2) };
    let t = Texture::with(&tables, desc, |v| {
        v.base_layer = 1;
        v.layers = 2;
        v.swizzle = [Swizzle::B, Swizzle::One, Swizzle::Identity, Swizzle::Zero];
    });
    for layer in 0..3 {
        for i in 0..4 {
            t.put(0, layer, [i % 2, i / 2, 0], [0, 0, f((layer * 4 + i) as f32 / 255.0), 0]);
        }
    }
    let near = SamplerState::nearest(AddressMode::Repeat);
    let op = ImageOp { arrayed: true, offset: true, lod: LodMode::Explicit, ..sample_op() };
    let points = [[0.1, 0.1, 0.5, 0.], [0.1, 0.1, 9.0, 0.], [0.1, 0.1, -1.0, 0.], [0.1, 0.1, 0.6, 0.]];
    let got = sample(&tables, &t.view, &near, &op, &points, |a| a.offset[0].fill(1));
    let blue: Vec<_> = got.iter().map(|c| (c[0] * 255.0).round()).collect();
    assert_eq!(blue, [5.0, 9.0, 5.0, 9.0]);
    assert_eq!(got[0][1..], [1.0, got[0][0], 0.0]);

    let volume = ImageDesc { image_type: ImageType::D3, extent: [1, 1, 4], ..desc };
    let v = Texture::new(&tables, ImageDesc { layers: 1, format: Format::R32_SFLOAT, ..volume });
    for z in 0..4 {
        v.put(0, 0, [0, 0, z], [f(z as f32), 0, 0, 0]);
    }
    let lin = SamplerState::linear(AddressMode::ClampToEdge);
    let op = ImageOp { dim: ImageDim::D3, lod: LodMode::Explicit, ..sample_op() };
    let got = sample(&tables, &v.view, &lin, &op, &[[0.5, 0.5, 0.5, 0.], [0.5, 0.5, 2.75 / 4.0, 0.]], |_| {});
    assert_eq!([got[0][0], got[1][0]], [1.5, 2.25]);
}

#[test]
fn depth_comparison_and_gather() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc::new_2d(Format::D32_SFLOAT, 2, 2));
    for i in 0..4 {
        t.put(0, 0, [i % 2, i / 2, 0], [f(0.25 * i as f32), 0, 0, 0]);
    }
    let state = SamplerState {
        compare: Some(CompareOp::LessOrEqual),
        ..SamplerState::linear(AddressMode::ClampToEdge)
    };
    let op = ImageOp { dref: true, lod: LodMode::Explicit, ..sample_op() };
    let mid = [[0.5, 0.5, 0., 0.]];
    // Depths 0, .25, .5, .75: two are at least 0.4.
    assert_eq!(sample(&tables, &t.view, &state, &op, &mid, |a| a.dref.fill(f(0.4)))[0][0], 0.5);
    let gather = ImageOp { kind: ImageOpKind::Gather, lod: LodMode::Zero, components: 1, ..sample_op() };
    let plain = SamplerState { compare: None, ..state };
    assert_eq!(sample(&tables, &t.view, &plain, &gather, &mid, |_| {})[0], [0.5, 0.75, 0.25, 0.0]);
    let both = ImageOp { dref: true, ..gather };
    assert_eq!(sample(&tables, &t.view, &state, &both, &mid, |a| a.dref.fill(f(0.4)))[0], [1., 1., 0., 0.]);
}

/// Spec: Vulkan, "Texel Gathering": values are zero if level 0 is below the integer part of the view's minimum lod.
#[test]
fn gathers_below_the_least_lod_are_zero() {
    let tables = Interner::new(CpuLevel::current());
    for (least, expected) in [(0.9, [0.5; 4]), (1.1, [0.0; 4])] {
        let desc = ImageDesc { levels: 3, ..ImageDesc::new_2d(Format::R32_SFLOAT, 8, 8) };
        let t = Texture::with(&tables, desc, |v| v.min_lod = least);
        for i in 0..64 {
            t.put(0, 0, [i % 8, i / 8, 0], [f(0.5), 0, 0, 0]);
        }
        let state = SamplerState::linear(AddressMode::ClampToEdge);
        let gather = ImageOp { kind: ImageOpKind::Gather, lod: LodMode::Zero, components: 1, ..sample_op() };
        assert_eq!(sample(&tables, &t.view, &state, &gather, &[[0.5, 0.5, 0., 0.]], |_| {})[0], expected);
        let alpha = ImageOp { components: 1 << 3, ..gather };
        let one = if least < 1.0 { 1.0 } else { 0.0 };
        assert_eq!(sample(&tables, &t.view, &state, &alpha, &[[0.5, 0.5, 0., 0.]], |_| {})[0], [one; 4]);
    }
}

#[test]
fn cubes_are_seamless() {
    let tables = Interner::new(CpuLevel::current());
    let desc = ImageDesc { layers: 6, ..ImageDesc::new_2d(Format::R32_SFLOAT, 4, 4) };
    let t = Texture::with(&tables, desc, |v| v.dim = ViewDim::Cube);
    for face in 0..6 {
        for i in 0..16 {
            t.put(0, face, [i % 4, i / 4, 0], [f(face as f32), 0, 0, 0]);
        }
    }
    let op = ImageOp { dim: ImageDim::Cube, lod: LodMode::Explicit, ..sample_op() };
    let lin = SamplerState::linear(AddressMode::Repeat);
    let near = SamplerState::nearest(AddressMode::Repeat);
    let axes = [[2., 0., 0., 0.], [-2., 0.1, 0., 0.], [0., 3., 0., 0.], [0., -3., 0., 0.]];
    let got = sample(&tables, &t.view, &near, &op, &axes, |_| {});
    assert_eq!(got.iter().map(|c| c[0]).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    // On the edge between +x and +z, half of each; at the corner of +x, +y, +z, a third of each.
    let got = sample(&tables, &t.view, &lin, &op, &[[1., 0., 1., 0.], [1., 1., 1., 0.]], |_| {});
    assert_eq!(got[0][0], 2.0);
    assert!((got[1][0] - 2.0).abs() < 1e-5, "{}", got[1][0]);
    let query = ImageOp { kind: ImageOpKind::QuerySize, dim: ImageDim::Cube, ..sample_op() };
    let mut a = args(4);
    call(&t.view, 0, tables.op(&query).unwrap(), &mut a);
    assert_eq!([a.texel[0][0], a.texel[1][0]], [4, 4]);
}

#[test]
fn queries_buffers_and_null() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc { layers: 5, ..mipped(Format::R8_UNORM, 12, 10, 3) });
    let op = ImageOp { kind: ImageOpKind::QuerySize, arrayed: true, lod: LodMode::Explicit, ..sample_op() };
    let mut a = args(4);
    a.lod[..4].copy_from_slice(&[0, 1, 2, 3]);
    call(&t.view, 0, tables.op(&op).unwrap(), &mut a);
    assert_eq!(a.texel[0][..4], [12, 6, 3, 0]);
    assert_eq!(a.texel[1][..4], [10, 5, 2, 0]);
    assert_eq!(a.texel[2][..4], [5; 4]);
    let levels = ImageOp { kind: ImageOpKind::QueryLevels, ..op };
    call(&t.view, 0, tables.op(&levels).unwrap(), &mut a);
    assert_eq!(a.texel[0][0], 3);

    let fetch = ImageOp {
        kind: ImageOpKind::Fetch,
        dim: ImageDim::Buffer,
        lod: LodMode::Zero,
        texel: Ty::F32,
        ..sample_op()
    };
    let fetch_op = tables.op(&fetch).unwrap();
    let b = View::buffer(&tables, t.memory.sub(0, 11).unwrap(), Format::R16_UINT).unwrap();
    assert_eq!(b.head.width, 5);
    assert!(t.memory.write(0, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    let mut a = args(4);
    a.coord[0][..4].copy_from_slice(&[0, 4, 5, u32::MAX]);
    call(&b, 0, fetch_op, &mut a);
    assert_eq!(a.texel[0][..4], [0x0201, 0x0a09, 0, 0]);
    assert!(View::buffer(&tables, t.memory, Format::BC7_UNORM_BLOCK).is_err());

    let mut a = args(4);
    a.texel[0].fill(9);
    call(View::null(), 5, fetch_op, &mut a);
    assert_eq!(a.texel[0][..4], [0; 4]);
    // The lanes of other descriptors keep what they store.
    a.texel[0].fill(9);
    a.mask = 0b0101;
    call(View::null(), 5, fetch_op, &mut a);
    assert_eq!(a.texel[0][..4], [0, 9, 0, 9]);
    a.mask = 0b1111;
    let empty = View::buffer(&tables, Span::empty(), Format::R32_UINT).unwrap();
    call(&empty, 0, fetch_op, &mut a);
    assert_eq!(a.texel[0][..4], [0; 4]);
}

#[test]
fn samples_are_planes() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc { samples: 4, ..ImageDesc::new_2d(Format::R8_UINT, 2, 2) });
    let s = t.layout.subresource(Aspects::COLOR, 0, 0).unwrap();
    for i in 0..4 {
        t.memory.write_texel(s.offset + i * s.sample_pitch + s.row_pitch + 1, 1, 10 + u128::from(i));
    }
    let op = ImageOp { kind: ImageOpKind::Fetch, multisampled: true, texel: Ty::I32, ..sample_op() };
    let mut a = args(8);
    for c in &mut a.coord {
        c.fill(1);
    }
    a.sample[..8].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7]);
    call(&t.view, 0, tables.op(&op).unwrap(), &mut a);
    assert_eq!(a.texel[0][..8], [10, 11, 12, 13, 0, 0, 0, 0]);
}

/// One row of sixteen columns, alternating between 0 and 16 in pairs.
fn stripes(tables: &Arc<Interner>) -> Texture {
    let t = Texture::new(tables, ImageDesc::new_2d(Format::R32_SFLOAT, 16, 1));
    for x in 0..16 {
        t.put(0, 0, [x, 0, 0], [f((x / 2 % 2 * 16) as f32), 0, 0, 0]);
    }
    t
}

/// Spec: Vulkan, "Texel Anisotropic Filtering" (textures-texel-anisotropic-filtering).
#[test]
fn anisotropic_filters_average_along_the_longer_gradient() {
    let tables = Interner::new(CpuLevel::current());
    let t = stripes(&tables);
    let grad = ImageOp { lod: LodMode::Grad, ..sample_op() };
    let state = SamplerState { anisotropy: Some(f(16.0)), ..SamplerState::nearest(AddressMode::ClampToEdge) };
    // Five texels along x to one along y: samples at -2/6, -1/6, 0, 1/6 and 2/6 of the footprint.
    let at = |x: f32| [x / 16.0, 0.5, 0.0, 0.0];
    let value = |state: &SamplerState, x: f32, dx: f32, dy: f32| {
        sample(&tables, &t.view, state, &grad, &[at(x)], |a| {
            a.grad[0].fill(f(dx / 16.0));
            a.grad[3].fill(f(dy));
        })[0][0]
    };
    let expected = |x: f32| {
        let texel = |u: f32| ((u as u32) / 2 % 2 * 16) as f32;
        (1..=5).map(|i| texel(x + 5.0 * (i as f32 / 6.0 - 0.5))).sum::<f32>() / 5.0
    };
    for x in [4.1, 5.2, 6.3, 7.6, 9.9] {
        assert_eq!(value(&state, x, 5.0, 1.0), expected(x), "{x}");
        // One sample if anisotropy is off or the footprint is round.
        assert_eq!(value(&state, x, 1.0, 1.0), ((x as u32) / 2 % 2 * 16) as f32);
        let off = SamplerState { anisotropy: None, ..state };
        assert_eq!(value(&off, x, 5.0, 1.0), ((x as u32) / 2 % 2 * 16) as f32);
        // Minimum and maximum of the same samples.
        let most = SamplerState { reduction: Reduction::Max, ..state };
        assert_eq!(value(&most, x, 5.0, 1.0), if expected(x) > 0.0 { 16.0 } else { 0.0 });
    }
    // The lod follows the footprint's width.
    let query = ImageOp { kind: ImageOpKind::QueryLod, lod: LodMode::Implicit, ..grad };
    let quad = [[0.0, 0.0, 0., 0.], [8.0 / 16.0, 0.0, 0., 0.], [0.0, 4.0, 0., 0.], [0.5, 4.0, 0., 0.]];
    let lod = |a: f32| {
        let state = SamplerState { anisotropy: Some(f(a)), ..state };
        sample(&tables, &t.view, &state, &query, &quad, |_| {})[0][1]
    };
    assert_eq!([lod(1.0), lod(2.0), lod(16.0)], [3.0, 2.0, 2.0]);
}

/// Spec: Vulkan, "Texel Filtering" (textures-texel-filtering): only texels with weights above 0 count.
#[test]
fn reductions_take_extremes() {
    let tables = Interner::new(CpuLevel::current());
    let t = ramp(&tables);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let value = |reduction, x, y| {
        let state = SamplerState { reduction, ..SamplerState::linear(AddressMode::ClampToEdge) };
        sample(&tables, &t.view, &state, &op, &[xy(x, y)], |_| {})[0][0]
    };
    assert_eq!([value(Reduction::Min, 2.0, 2.0), value(Reduction::Max, 2.0, 2.0)], [11.0, 22.0]);
    assert_eq!([value(Reduction::Min, 1.5, 2.0), value(Reduction::Max, 1.5, 2.0)], [11.0, 21.0]);
    assert_eq!([value(Reduction::Min, 1.5, 2.5), value(Reduction::Max, 1.5, 2.5)], [21.0, 21.0]);
    assert_eq!(value(Reduction::WeightedAverage, 2.0, 2.0), 16.5);
}

#[test]
fn seams_of_cubes() {
    let tables = Interner::new(CpuLevel::current());
    // Face i holds the value i.
    let t =
        Texture::with(&tables, ImageDesc { layers: 6, ..ImageDesc::new_2d(Format::R32_SFLOAT, 4, 4) }, |v| {
            v.dim = ViewDim::Cube
        });
    for face in 0..6 {
        for i in 0..16 {
            t.put(0, face, [i % 4, i / 4, 0], [f(face as f32), 0, 0, 0]);
        }
    }
    let op = ImageOp { dim: ImageDim::Cube, lod: LodMode::Explicit, ..sample_op() };
    let seamless = SamplerState::linear(AddressMode::ClampToEdge);
    let apart = SamplerState { non_seamless: true, ..seamless };
    let border = SamplerState {
        address: [AddressMode::ClampToBorder; 3],
        border: BorderColor::Custom([f(9.0), 0, 0, 0]),
        ..apart
    };
    // The edge between +x (0) and +z (4), on the side of +z; the corner of 0, 2 and 4.
    let points = [[1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0]];
    let values = |state: &SamplerState| -> Vec<f32> {
        sample(&tables, &t.view, state, &op, &points, |_| {}).iter().map(|v| v[0]).collect()
    };
    assert_eq!(values(&seamless), [2.0, 2.0]);
    assert_eq!(values(&apart), [4.0, 4.0]);
    assert_eq!(values(&border), [6.5, 7.75]);
}

/// Spec: Vulkan, "Chroma Reconstruction" and "Sampler Y'CBCR Conversion".
#[test]
fn ycbcr_is_reconstructed_and_converted() {
    let tables = Interner::new(CpuLevel::current());
    // Luma 16 x in all rows; blue difference 64 x, red difference 64 y of a 2x1 plane.
    let desc = ImageDesc::new_2d(Format::G8_B8R8_2PLANE_420_UNORM, 4, 2);
    let t = Texture::with(&tables, desc, |v| v.aspect = Aspects::COLOR);
    let [luma, chroma] = [0, 1].map(|i| t.layout.subresource(Aspects::PLANES[i], 0, 0).unwrap());
    for y in 0..2u64 {
        for x in 0..4u64 {
            t.memory.write_texel(luma.offset + y * luma.row_pitch + x, 1, 16 * u128::from(x));
        }
    }
    for x in 0..2u64 {
        t.memory.write_texel(chroma.offset + 2 * x, 2, (64 * u128::from(x)) | (200 << 8));
    }
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let value = |c: YcbcrConversion, filter: Filter, x: f32| {
        let state = SamplerState {
            mag_filter: filter,
            address: [AddressMode::ClampToEdge; 3],
            ycbcr: Some(c),
            ..Default::default()
        };
        let got = sample(&tables, &t.view, &state, &op, &[[x / 4.0, 0.25, 0.0, 0.0]], |_| {})[0];
        got.map(|v| v * 255.0)
    };
    let near = |a: [f32; 4], b: [f32; 4]| {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3), "{a:?} is not {b:?}");
    };
    let identity = YcbcrConversion::new(Format::G8_B8R8_2PLANE_420_UNORM, YcbcrModel::RgbIdentity);
    let linear = YcbcrConversion { chroma_filter: Filter::Linear, ..identity };
    let cosited = YcbcrConversion { chroma_location: [ChromaLocation::CositedEven; 2], ..linear };
    near(value(identity, Filter::Nearest, 1.5), [200.0, 16.0, 0.0, 255.0]);
    near(value(identity, Filter::Nearest, 2.5), [200.0, 32.0, 64.0, 255.0]);
    // Texel 1 lies a quarter of the way, or half way, from the first chroma sample to the second.
    near(value(linear, Filter::Nearest, 1.5), [200.0, 16.0, 16.0, 255.0]);
    near(value(cosited, Filter::Nearest, 1.5), [200.0, 16.0, 32.0, 255.0]);
    for c in [linear, cosited] {
        // At the centre of luma texels, both kinds of reconstruction agree.
        let explicit = YcbcrConversion { force_explicit: true, ..c };
        for x in [0.5, 1.5, 2.5, 3.5] {
            near(value(explicit, Filter::Linear, x), value(c, Filter::Linear, x));
        }
    }
    let swapped =
        YcbcrConversion { swizzle: [Swizzle::B, Swizzle::Identity, Swizzle::R, Swizzle::One], ..identity };
    near(value(swapped, Filter::Nearest, 2.5), [64.0, 32.0, 200.0, 255.0]);
    // BT.601, full and narrow: y = 32, cb = 64 - 128, cr = 200 - 128.
    let full = YcbcrConversion { model: YcbcrModel::Bt601, ..identity };
    let rgb = |y: f32, cb: f32, cr: f32| {
        [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb, 255.0]
    };
    near(value(full, Filter::Nearest, 2.5), rgb(32.0, -64.0, 72.0));
    let narrow = YcbcrConversion { narrow: true, ..full };
    let (y, c) = (255.0 / 219.0, 255.0 / 224.0);
    near(value(narrow, Filter::Nearest, 2.5), rgb(16.0 * y, -64.0 * c, 72.0 * c));
}

/// Number of bytes that an operation of one lane on an image reads and writes.
fn bytes(
    tables: &Arc<Interner>,
    t: &Texture,
    state: &SamplerState,
    op: &ImageOp,
    [x, y]: [u32; 2],
    lod: f32,
) -> [u64; 2] {
    let mut a = args(4);
    a.mask = 1;
    (a.coord[0][0], a.coord[1][0]) = (x, y);
    a.lod[0] = f(lod);
    tables.op(op).unwrap();
    scalar::traffic(&t.view, &t.view.class_key(), op, state, &a)
}

#[test]
fn traffic_is_that_of_the_texels_that_filters_take() {
    let tables = Interner::new(CpuLevel::current());
    let t = ramp(&tables);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let near = SamplerState::nearest(AddressMode::ClampToEdge);
    let linear = SamplerState::linear(AddressMode::ClampToEdge);
    let middle = [f(0.5), f(0.5)];
    assert_eq!(bytes(&tables, &t, &near, &op, middle, 0.0), [4, 0]);
    assert_eq!(bytes(&tables, &t, &linear, &op, middle, 0.0), [16, 0]);
    // Border texels are not read.
    let border = SamplerState::linear(AddressMode::ClampToBorder);
    assert_eq!(bytes(&tables, &t, &border, &op, [0, 0], 0.0), [4, 0]);
    assert_eq!(bytes(&tables, &t, &border, &op, [f(9.0), 0], 0.0), [0, 0]);
    // Between two levels.
    let levels = Texture::new(&tables, mipped(Format::R8G8B8A8_UNORM, 8, 8, 4));
    let trilinear = SamplerState { max_lod: f(9.0), ..linear };
    assert_eq!(bytes(&tables, &levels, &trilinear, &op, middle, 1.5), [2 * 4 * 4, 0]);
    assert_eq!(bytes(&tables, &levels, &trilinear, &op, middle, 2.0), [4 * 4, 0]);
    // Single texels, inside and outside.
    let of = |kind| ImageOp { kind, lod: LodMode::Zero, ..sample_op() };
    for (kind, there) in [
        (ImageOpKind::Fetch, [4, 0]),
        (ImageOpKind::Read, [4, 0]),
        (ImageOpKind::Write, [0, 4]),
        (ImageOpKind::QuerySize, [0, 0]),
    ] {
        assert_eq!(bytes(&tables, &t, &near, &of(kind), [3, 3], 0.0), there, "{kind:?}");
        assert_eq!(bytes(&tables, &t, &near, &of(kind), [4, 3], 0.0), [0, 0], "{kind:?}");
    }
    let words = Texture::new(&tables, ImageDesc::new_2d(Format::R32_UINT, 4, 4));
    let atomic = ImageOp { texel: Ty::I32, ..of(ImageOpKind::Atomic(AtomicOp::IAdd)) };
    assert_eq!(bytes(&tables, &words, &near, &atomic, [1, 1], 0.0), [4, 4]);
    let before = words.memory.read_texel(0, 4);
    assert_eq!(before, 0, "nothing was written");
}
