//! Compares compiled routines with the scalar twin, bit by bit.

use quadrille_jit::abi::TEXEL_ROWS;
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, LodMode, Ty};
use quadrille_jit::{CpuLevel, Tier};

use super::super::testing::*;
use super::super::*;
use super::FastKey;
use crate::memory::format::{self as formats, Aspects, Format, FormatFeatures, FormatInfo, convert, lane};
use crate::memory::image::{ImageDesc, ImageType};
use crate::sampling::Swizzle;

/// Every format that routines can read and whose images can be sampled.
fn sampled_formats() -> Vec<Format> {
    let sampled = |r: &&FormatInfo| r.format.image_features().contains(FormatFeatures::SAMPLED_IMAGE);
    let read = |r: &&FormatInfo| r.aspects != Aspects::STENCIL && super::texel::offered(r);
    formats::FORMATS.iter().filter(sampled).filter(read).map(|r| r.format).collect()
}

const MODES: [AddressMode; 5] = [
    AddressMode::Repeat,
    AddressMode::MirroredRepeat,
    AddressMode::ClampToEdge,
    AddressMode::ClampToBorder,
    AddressMode::MirrorClampToEdge,
];

fn random_coordinate(r: &mut Random) -> u32 {
    let x = match r.below(20) {
        0 => r.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, -1e-30, -0.0]),
        1..4 => r.pick(&[0.0, 0.5, 1.0, -1.0, 2.0, 0.25, 0.999_999_94]),
        4..8 => r.range(-3.0, 3.0),
        _ => r.unit(),
    };
    x.to_bits()
}

/// Runs the table's final routine and the twin on the same arguments.
fn compare(
    tables: &std::sync::Arc<Interner>,
    t: &Texture,
    s: u32,
    o: u32,
    a: &mut quadrille_jit::abi::ImageArgs,
) {
    let op = *tables.image_op(o).unwrap();
    let mut twin = args(a.lanes);
    twin.clone_from_args(a);
    call(&t.view, s, o, a);
    scalar::run(&t.view, &t.view.class_key(), &op, &tables.sampler_state(s).unwrap(), &mut twin);
    let float = !t.view.format().is_integer();
    for row in 0..op.texel_results().max(4) {
        for lane in (0..a.lanes as usize).filter(|l| a.mask >> l & 1 != 0) {
            let (x, y) = (a.texel[row][lane], twin.texel[row][lane]);
            let nan = float && f32::from_bits(x).is_nan() && f32::from_bits(y).is_nan();
            assert!(
                x == y || nan,
                "row {row} lane {lane}: {x:#x} ({}) is not {y:#x} ({})\n{op:?}\n{:?}\n{} {:?}, coordinates {:?}",
                f32::from_bits(x),
                f32::from_bits(y),
                tables.sampler_state(s),
                t.view.format().name(),
                t.layout.desc(),
                [0, 1, 2].map(|c| f32::from_bits(a.coord[c][lane])),
            );
        }
    }
}

#[test]
fn sampling_agrees_with_the_twin() {
    let mut r = Random(1);
    let mut compiled = 0;
    let formats = sampled_formats();
    let rounds = 12 * formats.len();
    for round in 0..rounds {
        let tables = Interner::new(CpuLevel::current());
        let format = formats[round % formats.len()];
        let kind = r.pick(&[0, 1, 1, 1, 1, 2, 3]);
        let dim = [ImageDim::D1, ImageDim::D2, ImageDim::D3, ImageDim::Cube][kind];
        let [w, h, d] = [1 + r.below(20), 1 + r.below(20), 1 + r.below(6)];
        let image_type = [ImageType::D1, ImageType::D2, ImageType::D3, ImageType::D2][kind];
        let extent = [[w, 1, 1], [w, h, 1], [w, h, d], [w, w, 1]][kind];
        let cube = kind == 3;
        let arrayed = kind != 2 && r.below(3) == 0;
        let full = 32 - extent.iter().max().unwrap().leading_zeros();
        let desc = ImageDesc {
            image_type,
            extent,
            levels: if r.below(2) == 0 { 1 } else { 1 + r.below(full) },
            layers: if arrayed { 1 + r.below(3) } else { 1 } * if cube { 6 } else { 1 },
            ..ImageDesc::new_2d(format, 1, 1)
        };
        let swizzle = if r.below(3) == 0 {
            std::array::from_fn(|_| Swizzle::from_vk(r.below(7)).unwrap())
        } else {
            [Swizzle::Identity; 4]
        };
        let dim_view = [
            [ViewDim::D1, ViewDim::D1Array],
            [ViewDim::D2, ViewDim::D2Array],
            [ViewDim::D3; 2],
            [ViewDim::Cube, ViewDim::CubeArray],
        ][kind][usize::from(arrayed)];
        let t = Texture::with(&tables, desc, |v| {
            v.swizzle = swizzle;
            v.dim = dim_view;
            v.min_lod = if r.below(4) == 0 { 0.75 } else { 0.0 };
        });
        t.randomize(&mut r);
        let depth = format.is_depth_stencil();
        let filter = r.pick(&[Filter::Nearest, Filter::Linear, Filter::Linear]);
        let op = ImageOp {
            kind: r.pick(&[
                ImageOpKind::Sample,
                ImageOpKind::Sample,
                ImageOpKind::Sample,
                ImageOpKind::Fetch,
                ImageOpKind::Gather,
                ImageOpKind::QuerySize,
            ]),
            dim,
            arrayed,
            dref: depth && r.below(2) == 0,
            lod: r.pick(&[LodMode::Implicit, LodMode::Bias, LodMode::Explicit, LodMode::Grad, LodMode::Zero]),
            min_lod: r.below(4) == 0,
            offset: r.below(4) == 0,
            texel: if format.is_integer() { Ty::I32 } else { Ty::F32 },
            ..sample_op()
        };
        let op = if cube {
            let kind = r.pick(&[ImageOpKind::Sample, ImageOpKind::Sample, ImageOpKind::QuerySize]);
            ImageOp { kind, offset: false, ..op }
        } else if op.kind == ImageOpKind::Gather {
            let components = if op.dref { 1 } else { 1 + r.below(15) as u8 };
            ImageOp { lod: LodMode::Zero, min_lod: false, components, ..op }
        } else {
            op
        };
        let op = if matches!(op.kind, ImageOpKind::Fetch | ImageOpKind::QuerySize) {
            let lod = r.pick(&[LodMode::Explicit, LodMode::Zero]);
            ImageOp { dref: false, min_lod: false, lod, ..op }
        } else {
            op
        };
        let modes = if op.offset { &MODES[2..] } else { &MODES[..] };
        let state = SamplerState {
            mag_filter: filter,
            min_filter: if r.below(6) == 0 { Filter::Nearest } else { filter },
            mipmap_mode: r.pick(&[Filter::Nearest, Filter::Linear]),
            address: std::array::from_fn(|_| r.pick(modes)),
            lod_bias: if r.below(3) == 0 { r.range(-2.0, 2.0).to_bits() } else { 0 },
            min_lod: if r.below(4) == 0 { 0.5f32.to_bits() } else { 0 },
            max_lod: r.pick(&[1000.0f32, 1000.0, 0.0, 0.25, 2.5]).to_bits(),
            compare: if op.dref {
                Some(r.pick(&[CompareOp::Less, CompareOp::GreaterOrEqual, CompareOp::NotEqual]))
            } else {
                None
            },
            anisotropy: r.pick(&[None, None, Some(16.0f32), Some(3.0), Some(2.5)]).map(f32::to_bits),
            reduction: r.pick(&[
                Reduction::WeightedAverage,
                Reduction::WeightedAverage,
                Reduction::WeightedAverage,
                Reduction::Min,
                Reduction::Max,
            ]),
            border: r.pick(&[
                BorderColor::TransparentBlack,
                BorderColor::OpaqueBlack,
                BorderColor::OpaqueWhite,
            ]),
            ..Default::default()
        };
        let unnormalized = kind < 2 && !arrayed && modes.len() == 3 && r.below(4) == 0;
        let state = if unnormalized && op.lod != LodMode::Bias {
            SamplerState { unnormalized, anisotropy: None, ..state }
        } else {
            state
        };
        let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
        compiled += usize::from(FastKey::new(&t.view.class_key(), &state, &op).is_some());
        tables.prepare(&t.view, s, o);
        for _ in 0..12 {
            let mut a = args(r.pick(&[4, 8, 8, 16, 32]));
            if r.below(3) == 0 {
                a.mask &= r.next();
                a.quad_mask &= r.next();
            }
            let fetch = matches!(op.kind, ImageOpKind::Fetch | ImageOpKind::QuerySize);
            let spread = r.pick(&[1.0f32, 0.02]);
            for lane in 0..32 {
                for c in 0..4 {
                    a.coord[c][lane] = if fetch {
                        r.below(24).wrapping_sub(2)
                    } else {
                        let x = f32::from_bits(random_coordinate(&mut r));
                        // Small differences within quads, so that the lod varies.
                        if spread < 1.0 { (0.3 + spread * x).to_bits() } else { x.to_bits() }
                    };
                }
                if arrayed && !fetch {
                    a.coord[kind.min(2) + usize::from(!cube) + usize::from(cube)][lane] =
                        r.range(-1.0, 4.0).to_bits();
                }
                for g in &mut a.grad {
                    g[lane] = r.range(-0.3, 0.3).to_bits();
                }
                a.lod[lane] = if fetch { r.below(5).wrapping_sub(1) } else { r.range(-2.0, 5.0).to_bits() };
                a.min_lod[lane] = r.range(0.0, 3.0).to_bits();
                a.dref[lane] = r.range(-0.2, 1.2).to_bits();
                for c in 0..3 {
                    a.offset[c][lane] = r.below(16).wrapping_sub(8);
                }
            }
            compare(&tables, &t, s, o, &mut a);
        }
    }
    assert!(
        compiled * 320 > 290 * rounds,
        "only {compiled} of {rounds} combinations have a compiled routine"
    );
}

/// Directions near the corners of cubes, and anywhere on small faces.
#[test]
fn corners_of_cubes_agree_with_the_twin() {
    let mut r = Random(4);
    for n in [1, 2, 3] {
        let tables = Interner::new(CpuLevel::current());
        let desc = ImageDesc { layers: 6, ..ImageDesc::new_2d(Format::R32_SFLOAT, n, n) };
        let t = Texture::with(&tables, desc, |v| v.dim = ViewDim::Cube);
        for (face, y, x) in (0..6).flat_map(|f| (0..n).flat_map(move |y| (0..n).map(move |x| (f, y, x)))) {
            let v = ((1 << (2 * face)) + x + 100 * y) as f32;
            t.put(0, face, [x, y, 0], [v.to_bits(), 0, 0, 0]);
        }
        let op = ImageOp { dim: ImageDim::Cube, lod: LodMode::Zero, ..sample_op() };
        let state = SamplerState::linear(AddressMode::ClampToEdge);
        let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
        tables.prepare(&t.view, s, o);
        for _ in 0..200 {
            let mut a = args(8);
            for lane in 0..8 {
                for c in 0..3 {
                    let sign = if r.below(2) == 0 { -1.0 } else { 1.0 };
                    a.coord[c][lane] = (sign * r.range(0.7, 1.0)).to_bits();
                }
            }
            compare(&tables, &t, s, o, &mut a);
        }
    }
}

/// Texel offsets that carry coordinates beyond the range of 32 bits, which a shader may compute for gathers.
#[test]
fn huge_offsets_agree_with_the_twin() {
    let mut r = Random(31);
    for mode in [AddressMode::ClampToEdge, AddressMode::ClampToBorder, AddressMode::MirrorClampToEdge] {
        for kind in [ImageOpKind::Sample, ImageOpKind::Gather] {
            let tables = Interner::new(CpuLevel::current());
            let t = Texture::new(&tables, ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 9, 7));
            t.randomize(&mut r);
            let components = u8::from(kind == ImageOpKind::Gather);
            let op = ImageOp { kind, lod: LodMode::Zero, offset: true, components, ..sample_op() };
            let state = SamplerState::linear(mode);
            let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
            assert!(FastKey::new(&t.view.class_key(), &state, &op).is_some());
            tables.prepare(&t.view, s, o);
            for _ in 0..20 {
                let mut a = args(8);
                for lane in 0..8 {
                    for c in 0..2 {
                        a.coord[c][lane] = r.range(-0.5, 1.5).to_bits();
                        a.offset[c][lane] = r.pick(&[i32::MAX, i32::MAX - 3, i32::MIN, i32::MIN + 3]) as u32;
                    }
                }
                compare(&tables, &t, s, o, &mut a);
            }
        }
    }
}

/// Without the first lane of a quad there are no differences, whatever direction that lane holds.
#[test]
fn missing_lanes_have_no_direction() {
    for anisotropy in [None, Some(4.0f32.to_bits())] {
        let tables = Interner::new(CpuLevel::current());
        let desc = ImageDesc { layers: 6, ..mipped(Format::R8G8B8A8_UNORM, 8, 8, 4) };
        let t = Texture::with(&tables, desc, |v| v.dim = ViewDim::Cube);
        let white = [1.0f32.to_bits(); 4];
        (0..6 * 64).for_each(|i| t.put(0, i / 64, [i % 8, i / 8 % 8, 0], white));
        let op = ImageOp { dim: ImageDim::Cube, ..sample_op() };
        let state = SamplerState { anisotropy, ..SamplerState::linear(AddressMode::ClampToEdge) };
        let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
        tables.prepare(&t.view, s, o);
        for missing in [0.0, 1.0, f32::NAN, f32::INFINITY] {
            let mut a = args(8);
            (a.mask, a.quad_mask) = (0xee, 0xee);
            for lane in 0..8 {
                let v = if lane % 4 == 0 { [missing; 3] } else { [0.25, -0.5, 1.0] };
                (0..3).for_each(|c| a.coord[c][lane] = v[c].to_bits());
            }
            compare(&tables, &t, s, o, &mut a);
            // Only the first level is white.
            for lane in [1, 2, 3, 5, 6, 7] {
                assert_eq!(a.texel[0][lane], white[0], "lane {lane}, {missing} is missing");
            }
        }
    }
}

/// The result of a comparison replaces the depth, and is mapped like it.
#[test]
fn comparisons_are_mapped() {
    use Swizzle::{A, B, G, Identity, One, R, Zero};
    let half = 0.5f32.to_bits();
    for (red, want) in [
        (Identity, [1.0, 0.0]),
        (R, [1.0, 0.0]),
        (G, [0.0; 2]),
        (B, [0.0; 2]),
        (A, [1.0; 2]),
        (Zero, [0.0; 2]),
        (One, [1.0; 2]),
    ] {
        for (kind, rows) in [(ImageOpKind::Sample, 1), (ImageOpKind::Gather, 4)] {
            let tables = Interner::new(CpuLevel::current());
            let desc = ImageDesc::new_2d(Format::D32_SFLOAT, 2, 2);
            let t = Texture::with(&tables, desc, |v| v.swizzle[0] = red);
            (0..4).for_each(|i| t.put(0, 0, [i % 2, i / 2, 0], [half, 0, 0, 0]));
            let components = u8::from(kind == ImageOpKind::Gather);
            let op = ImageOp { kind, dref: true, lod: LodMode::Zero, components, ..sample_op() };
            let state = SamplerState { compare: Some(CompareOp::Less), ..Default::default() };
            let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
            tables.prepare(&t.view, s, o);
            let mut a = args(4);
            (a.coord[0], a.coord[1]) = ([half; 32], [half; 32]);
            (a.dref[0], a.dref[1]) = (0.25f32.to_bits(), 0.75f32.to_bits());
            compare(&tables, &t, s, o, &mut a);
            for row in &a.texel[..rows] {
                assert_eq!([row[0], row[1]], want.map(f32::to_bits), "{kind:?} {red:?}");
            }
        }
    }
}

/// Formats whose images can be fetched from, or with `STORAGE_IMAGE` written to.
fn image_formats(feature: FormatFeatures) -> impl Iterator<Item = &'static FormatInfo> {
    let offered = move |r: &&FormatInfo| r.format.image_features().contains(feature);
    let read = |r: &&FormatInfo| r.aspects == Aspects::COLOR && lane::supported(r);
    formats::FORMATS.iter().filter(offered).filter(read)
}

/// Every value of components up to 16 bits, and many values of wider ones, in all components at once.
#[test]
fn fetches_of_every_value_agree_with_the_scalar_conversion() {
    let mut r = Random(21);
    let mut formats = 0;
    for info in image_formats(FormatFeatures::SAMPLED_IMAGE) {
        let tables = Interner::new(CpuLevel::current());
        let bits = info.fields.iter().map(|f| u32::from(f.bits)).max().unwrap();
        let n = 1u32 << if bits > 16 { 12 } else { bits.max(5) };
        let t = Texture::new(&tables, ImageDesc::new_2d(info.format, 32, n / 32));
        let s = t.layout.subresource(Aspects::COLOR, 0, 0).unwrap();
        let mut words = Vec::new();
        for i in 0..n {
            let mut word = 0u128;
            for (c, f) in info.fields.iter().enumerate().filter(|(_, f)| f.bits != 0) {
                // Odd factors permute the values.
                let v = if f.bits > 16 { r.next() } else { i.wrapping_mul(2 * c as u32 * 97 + 1) };
                word |= u128::from(v & convert::max_uint(f.bits.into())) << f.shift;
            }
            let at = s.offset + u64::from(i / 32) * s.row_pitch + u64::from(i % 32 * info.bytes);
            t.memory.write_texel(at, info.bytes, word);
            words.push(word);
        }
        let integer = info.numeric.is_integer();
        let texel = if integer { Ty::I32 } else { Ty::F32 };
        let op = ImageOp { kind: ImageOpKind::Fetch, lod: LodMode::Zero, texel, ..sample_op() };
        let o = tables.op(&op).unwrap();
        assert!(FastKey::new(&t.view.class_key(), &SamplerState::default(), &op).is_some(), "{}", info.name);
        tables.prepare(&t.view, 0, o);
        let mut a = args(32);
        for (y, row) in words.chunks_exact(32).enumerate() {
            for x in 0..32 {
                (a.coord[0][x], a.coord[1][x]) = (x as u32, y as u32);
            }
            call(&t.view, 0, o, &mut a);
            for (x, &word) in row.iter().enumerate() {
                let want = info.unpack_word(word);
                let got = [0, 1, 2, 3].map(|c| a.texel[c][x]);
                let same = |c: usize| {
                    let nan = !integer && [got[c], want[c]].iter().all(|&v| f32::from_bits(v).is_nan());
                    got[c] == want[c] || nan
                };
                assert!((0..4).all(same), "{} {word:#x}: {got:x?} is not {want:x?}", info.name);
            }
        }
        formats += 1;
    }
    assert!(formats > 60, "{formats}");
}

/// Fetches every sample of every layer, and samples and layers out of range.
#[test]
fn fetches_of_samples_agree_with_the_twin() {
    let mut r = Random(22);
    for info in image_formats(FormatFeatures::COLOR_ATTACHMENT) {
        for (samples, layers) in [(2, 1), (4, 3), (16, 1)] {
            let tables = Interner::new(CpuLevel::current());
            let desc = ImageDesc { samples, layers, ..ImageDesc::new_2d(info.format, 9, 5) };
            let t = Texture::new(&tables, desc);
            for at in (0..t.layout.size / u64::from(info.bytes)).map(|i| i * u64::from(info.bytes)) {
                let word = info.pack_word(std::array::from_fn(|_| r.range(0.0, 1.0).to_bits()));
                t.memory.write_texel(at, info.bytes, word);
            }
            let texel = if info.numeric.is_integer() { Ty::I32 } else { Ty::F32 };
            let arrayed = layers > 1;
            let op = ImageOp {
                kind: ImageOpKind::Fetch,
                lod: LodMode::Zero,
                multisampled: true,
                arrayed,
                texel,
                ..sample_op()
            };
            let o = tables.op(&op).unwrap();
            assert!(
                FastKey::new(&t.view.class_key(), &SamplerState::default(), &op).is_some(),
                "{}",
                info.name
            );
            let single = ImageOp { multisampled: false, ..op };
            assert!(FastKey::new(&t.view.class_key(), &SamplerState::default(), &single).is_none());
            tables.prepare(&t.view, 0, o);
            let mut seen = [0u32; 2];
            for _ in 0..40 {
                let mut a = args(r.pick(&[4, 8, 16, 32]));
                a.mask &= r.next() | r.next();
                for lane in 0..a.lanes as usize {
                    let place = [r.below(10), r.below(6), r.below(layers + 1), r.below(samples + 1)];
                    (a.coord[0][lane], a.coord[1][lane]) = (place[0], place[1]);
                    (a.coord[2][lane], a.sample[lane]) = (place[2], place[3]);
                    let outside = place[0] > 8
                        || place[1] > 4
                        || place[3] >= samples
                        || (arrayed && place[2] >= layers);
                    seen[usize::from(outside)] += 1;
                }
                compare(&tables, &t, 0, o, &mut a);
            }
            assert!(seen.iter().all(|n| *n > 50), "{seen:?}");
        }
    }
}

/// Stores dense samples, and the values on both sides of every step of small formats.
#[test]
fn stores_agree_with_the_scalar_conversion() {
    let mut r = Random(22);
    let mut formats = 0;
    for info in image_formats(FormatFeatures::STORAGE_IMAGE) {
        let tables = Interner::new(CpuLevel::current());
        let t = Texture::new(&tables, ImageDesc::new_2d(info.format, 32, 1));
        let s = t.layout.subresource(Aspects::COLOR, 0, 0).unwrap();
        let integer = info.numeric.is_integer();
        let texel = if integer { Ty::I32 } else { Ty::F32 };
        let op = ImageOp { kind: ImageOpKind::Write, texel, ..sample_op() };
        let o = tables.op(&op).unwrap();
        assert!(FastKey::new(&t.view.class_key(), &SamplerState::default(), &op).is_some(), "{}", info.name);
        tables.prepare(&t.view, 0, o);
        let bits = info.fields.iter().map(|f| u32::from(f.bits)).max().unwrap().min(11);
        let steps = ((1u32 << bits) - 1) as f32;
        let mut a = args(32);
        for round in 0..1u32 << 9 {
            for x in 0..32 {
                a.coord[0][x] = x as u32;
                for c in 0..4 {
                    let i = round * 32 + x as u32;
                    // Values midway between two codes, and one unit in the last place to either side.
                    let half = ((i % (1 << bits)) as f32 + 0.5) / steps * if i & 1 != 0 { -1.0 } else { 1.0 };
                    a.texel[c][x] = match (integer, r.below(4)) {
                        (true, _) => r.next() >> r.below(32),
                        (_, 0) => r.next(),
                        (_, 1) => r.range(-1.5, 1.5).to_bits(),
                        (_, 2) => half.to_bits() - 1 + r.below(3),
                        _ => (half * 65536.0).to_bits() - 1 + r.below(3),
                    };
                }
            }
            call(&t.view, 0, o, &mut a);
            for x in 0..32 {
                let texel = [0, 1, 2, 3].map(|c| a.texel[c][x]);
                let want = info.pack_word(texel);
                let got = t.memory.read_texel(s.offset + (x as u64) * u64::from(info.bytes), info.bytes);
                let values = texel.map(f32::from_bits);
                assert!(got == want, "{} {values:?} {texel:x?}: {got:#x} is not {want:#x}", info.name);
            }
        }
        formats += 1;
    }
    assert!(formats > 40, "{formats}");
}

#[test]
fn storage_writes_agree_with_the_twin() {
    let mut r = Random(7);
    for format in sampled_formats().into_iter().filter(|f| super::texel::writable(f.info())) {
        let tables = Interner::new(CpuLevel::current());
        let desc = ImageDesc { layers: 2, ..ImageDesc::new_2d(format, 9, 7) };
        let (fast, slow) = (Texture::new(&tables, desc), Texture::new(&tables, desc));
        let op = ImageOp {
            kind: ImageOpKind::Write,
            arrayed: true,
            texel: if format.is_integer() { Ty::I32 } else { Ty::F32 },
            ..sample_op()
        };
        let o = tables.op(&op).unwrap();
        assert!(FastKey::new(&fast.view.class_key(), &SamplerState::default(), &op).is_some());
        tables.prepare(&fast.view, 0, o);
        for _ in 0..20 {
            let mut a = args(r.pick(&[4, 8, 16]));
            a.mask &= r.next();
            for lane in 0..32 {
                for (c, n) in [12, 9, 4].into_iter().enumerate() {
                    a.coord[c][lane] = r.below(n).wrapping_sub(1);
                }
                for c in 0..4 {
                    let x = if r.below(12) == 0 { f32::NAN } else { r.range(-1.5, 1.5) };
                    a.texel[c][lane] =
                        if format.is_integer() { r.next() >> r.below(32) } else { x.to_bits() };
                }
            }
            call(&fast.view, 0, o, &mut a);
            scalar::run(&slow.view, &slow.view.class_key(), &op, &SamplerState::default(), &mut a);
        }
        let bytes = |t: &Texture| {
            let mut out = vec![0; t.layout.size as usize];
            assert!(t.memory.read(0, &mut out));
            out
        };
        let (x, y) = (bytes(&fast), bytes(&slow));
        let differ = x.iter().zip(&y).position(|(a, b)| a != b);
        // The sign of a NaN is unspecified for 16-bit floats.
        let half = format.info().numeric == crate::memory::format::Numeric::Sfloat;
        assert!(differ.is_none() || half, "{}: byte {differ:?}", format.name());
    }
}

/// Every host level and tier gives the twin's bits.
#[test]
fn routines_agree_at_every_level() {
    let mut r = Random(11);
    for format in [
        Format::R8G8B8A8_UNORM,
        Format::R8G8B8A8_SRGB,
        Format::R32G32B32A32_SFLOAT,
        Format::R32_SFLOAT,
        Format::R16G16B16A16_SFLOAT,
        Format::R32_UINT,
    ] {
        let tables = Interner::new(CpuLevel::current());
        let t = Texture::new(&tables, mipped(format, 16, 16, 5));
        t.randomize(&mut r);
        let state = SamplerState::linear(AddressMode::Repeat);
        let op = ImageOp { texel: if format.is_integer() { Ty::I32 } else { Ty::F32 }, ..sample_op() };
        let key = FastKey::new(&t.view.class_key(), &state, &op).unwrap();
        // Routines do not look whether texels are there.
        assert!(FastKey::new(&ClassKey { sparse: true, ..t.view.class_key() }, &state, &op).is_none());
        let mut a = args(16);
        for lane in 0..16 {
            for c in 0..2 {
                a.coord[c][lane] = r.range(0.0, 0.5).to_bits();
            }
        }
        let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
        call(&t.view, s, o, &mut a);
        let want = a.texel;
        for cpu in quadrille_jit::testing::cpu_levels() {
            for tier in [Tier::First, Tier::Optimized] {
                let kernel = key.build(cpu, tier, table::twin).unwrap();
                a.texel = [[0; 32]; TEXEL_ROWS];
                // SAFETY: `call` filled the arguments with a live view and valid numbers.
                #[expect(unsafe_code, reason = "calls a kernel")]
                unsafe {
                    kernel.entry()(std::ptr::from_mut(&mut *a).cast());
                }
                for row in 0..4 {
                    assert_eq!(a.texel[row][..16], want[row][..16], "{} {cpu:?} {tier:?}", format.name());
                }
            }
        }
    }
}
