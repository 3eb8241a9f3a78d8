//! Compares hand-written routines with the scalar twin and the generated routines, bit by bit.

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, LodMode};
use quadrille_jit::testing::{self, Requirement};
use quadrille_jit::{CpuLevel, Tier};

use super::super::super::testing::*;
use super::super::super::*;
use super::super::{Compiled, FastKey};
use super::host::{Avx2, Avx512};
use crate::kernels::tests::BUILT;
use crate::memory::format::Format;
use crate::memory::image::{ImageDesc, ImageType};
use crate::sampling::{Swizzle, ViewDim};

const FORMATS: [Format; 7] = [
    Format::R8G8B8A8_UNORM,
    Format::B8G8R8A8_UNORM,
    Format::R8G8B8A8_SRGB,
    Format::B8G8R8A8_SRGB,
    Format::R16G16B16A16_SFLOAT,
    Format::R32_SFLOAT,
    Format::D32_SFLOAT,
];

fn coordinate(r: &mut Random) -> f32 {
    match r.below(16) {
        0 => r.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, -1e-30, -0.0]),
        1..4 => r.pick(&[0.0, 0.5, 1.0, -1.0, 2.0, 0.25, 0.999_999_94]),
        4..8 => r.range(-3.0, 3.0),
        _ => r.unit(),
    }
}

/// Fills the arguments of a group with random values.
fn fill(r: &mut Random, a: &mut ImageArgs, op: &ImageOp) {
    let integers = matches!(op.kind, ImageOpKind::Fetch | ImageOpKind::Read | ImageOpKind::Write);
    let spread = r.pick(&[1.0f32, 0.02]);
    let start = r.below(8);
    for lane in 0..32 {
        for c in 0..4 {
            a.coord[c][lane] = match integers {
                // Lanes are often side by side.
                true if c == 0 && spread < 1.0 => start + lane as u32,
                true if spread < 1.0 => start,
                true => r.below(24).wrapping_sub(2),
                false => (0.3 * (1.0 - spread) + spread * coordinate(r)).to_bits(),
            };
            let x = if r.below(12) == 0 { f32::NAN } else { r.range(-1.5, 1.5) };
            a.texel[c][lane] = x.to_bits();
        }
        let lod = if r.below(20) == 0 { f32::NAN } else { r.range(-2.0, 5.0) };
        a.lod[lane] = if integers { u32::from(r.below(8) == 0) } else { lod.to_bits() };
        a.dref[lane] = r.range(-0.2, 1.2).to_bits();
        for row in &mut a.offset {
            row[lane] = r.below(16).wrapping_sub(8);
        }
    }
}

fn assert_same(op: &ImageOp, a: &ImageArgs, b: &ImageArgs, what: &str) {
    for row in 0..op.texel_results().max(4) {
        for lane in (0..a.lanes as usize).filter(|l| a.mask >> l & 1 != 0) {
            let (x, y) = (a.texel[row][lane], b.texel[row][lane]);
            let nan = [x, y].iter().all(|&v| f32::from_bits(v).is_nan());
            assert!(x == y || nan, "{what}: row {row} lane {lane}: {x:#x} is not {y:#x}");
        }
    }
}

#[expect(unsafe_code, reason = "calls a kernel")]
fn run(routine: &Compiled, a: &mut ImageArgs) {
    // SAFETY: `call` filled the arguments with a live view of the routine's class, and `a` is exclusively borrowed.
    unsafe { routine.entry()(std::ptr::from_mut(a).cast()) }
}

/// Returns the hand-written routines of a key, for each host level and both ways of loading texels.
fn by_hand(key: &FastKey) -> Vec<(String, Compiled)> {
    let mut all = Vec::new();
    for cpu in CpuLevel::ALL {
        for gathers in [true, false] {
            if let Some(w) = super::built(key, cpu, table::twin, gathers) {
                all.push((format!("{cpu:?}, gathers: {gathers}"), Compiled::ByHand(w)));
            }
        }
    }
    all
}

/// Returns a random operation on an image of a format.
fn operation(r: &mut Random, format: Format, dim: ImageDim, arrayed: bool) -> ImageOp {
    use ImageOpKind::{Fetch, Gather, Read, Sample};
    let op = ImageOp {
        kind: if dim == ImageDim::D2 {
            r.pick(&[Sample, Sample, Sample, Gather, Fetch, Read])
        } else {
            Sample
        },
        dim,
        arrayed,
        lod: r.pick(&[LodMode::Implicit, LodMode::Implicit, LodMode::Bias, LodMode::Explicit, LodMode::Zero]),
        offset: dim != ImageDim::Cube && r.below(5) == 0,
        ..sample_op()
    };
    match op.kind {
        Sample => ImageOp { dref: format.is_depth_stencil() && r.below(2) == 0, ..op },
        Gather => ImageOp { lod: LodMode::Zero, components: 1 + r.below(15) as u8, ..op },
        Read => ImageOp { lod: LodMode::Implicit, ..op },
        _ => ImageOp { lod: r.pick(&[LodMode::Explicit, LodMode::Zero]), ..op },
    }
}

/// Returns a random sampler for an operation.
fn sampler(r: &mut Random, op: &ImageOp) -> SamplerState {
    let filter = r.pick(&[Filter::Nearest, Filter::Linear, Filter::Linear]);
    let mag_filter = if r.below(3) == 0 { r.pick(&[Filter::Nearest, Filter::Linear]) } else { filter };
    use CompareOp::{Always, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Never, NotEqual};
    let ops = [Always, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Never, NotEqual];
    SamplerState {
        mag_filter,
        min_filter: filter,
        mipmap_mode: r.pick(&[Filter::Nearest, Filter::Linear]),
        // Offsets with repetition are left to the twin.
        address: std::array::from_fn(|_| match op.offset {
            true => AddressMode::ClampToEdge,
            false => r.pick(&[AddressMode::Repeat, AddressMode::ClampToEdge]),
        }),
        lod_bias: if r.below(3) == 0 { r.range(-2.0, 2.0).to_bits() } else { 0 },
        min_lod: if r.below(4) == 0 { 0.5f32.to_bits() } else { 0 },
        max_lod: r.pick(&[1000.0f32, 1000.0, 0.25, 2.5]).to_bits(),
        compare: op.dref.then(|| r.pick(&ops)),
        anisotropy: (r.below(4) == 0).then(|| r.pick(&[2.0f32, 5.5, 16.0]).to_bits()),
        ..Default::default()
    }
}

/// True if the host has the features of the routines; reports the tests as skipped otherwise.
fn able() -> bool {
    let host = CpuLevel::host();
    if Avx2::new(host).is_none() {
        testing::skipped(Requirement::Avx2, "the CPU lacks AVX2, FMA or F16C");
    } else if Avx512::new(host).is_none() {
        testing::skipped(Requirement::Avx512, "the CPU lacks AVX-512 with VBMI");
    }
    Avx2::new(host).is_some()
}

/// Runs random reads with all hand-written routines, and checks that all kinds occurred.
#[test]
fn reads_agree_with_the_twin() {
    if !able() {
        return;
    }
    let mut r = Random(31);
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..1500 {
        let tables = Interner::new(CpuLevel::current());
        let format = FORMATS[round % FORMATS.len()];
        let kind = r.pick(&[0, 0, 0, 1, 2]);
        let dim = [ImageDim::D2, ImageDim::D3, ImageDim::Cube][kind];
        let n = if r.below(2) == 0 { 1 << r.below(5) } else { 1 + r.below(20) };
        let m = if r.below(2) == 0 { 1 << r.below(5) } else { 1 + r.below(20) };
        let arrayed = kind == 0 && r.below(4) == 0;
        let desc = ImageDesc {
            image_type: if kind == 1 { ImageType::D3 } else { ImageType::D2 },
            extent: [[n, m, 1], [n, m, 1 + r.below(6)], [n, n, 1]][kind],
            levels: if r.below(2) == 0 { 1 } else { 32 - n.leading_zeros() },
            layers: [if arrayed { 3 } else { 1 }, 1, 6][kind],
            ..ImageDesc::new_2d(format, 1, 1)
        };
        let op = operation(&mut r, format, dim, arrayed);
        let swizzle = r.pick(&[
            [Swizzle::Identity; 4],
            [if op.dref { Swizzle::R } else { Swizzle::B }, Swizzle::G, Swizzle::R, Swizzle::One],
            [if op.dref { Swizzle::R } else { Swizzle::A }, Swizzle::Zero, Swizzle::R, Swizzle::One],
        ]);
        let t = Texture::with(&tables, desc, |v| {
            v.swizzle = swizzle;
            v.dim = [if arrayed { ViewDim::D2Array } else { ViewDim::D2 }, ViewDim::D3, ViewDim::Cube][kind];
            v.min_lod = if r.below(6) == 0 { 0.75 } else { 0.0 };
        });
        t.randomize(&mut r);
        let state = sampler(&mut r, &op);
        let filter = state.min_filter;
        let Some(key) = FastKey::new(&t.view.class_key(), &state, &op) else { continue };
        let narrow = Compiled::Generated(key.generate(CpuLevel::V2, Tier::First, table::twin).unwrap());
        let wide = by_hand(&key);
        let Some((level, _)) = wide.first() else { continue };
        let footprint = if state.anisotropy.is_some() { "footprint" } else { "" };
        let filters = if state.mag_filter == filter { "" } else { "or another" };
        seen.insert(format!(
            "{level} {} {:?} {dim:?} {filter:?} {filters} {} {footprint} {} {}",
            format.name(),
            op.kind,
            desc.levels > 1,
            if op.offset { "offset" } else { "" },
            if op.components == 15 { "all" } else { "" },
        ));
        let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
        let what = format!("{op:?} {state:?} {} {desc:?}", format.name());
        for _ in 0..10 {
            let mut a = args(r.pick(&[4, 8, 8, 16, 24, 32]));
            fill(&mut r, &mut a, &op);
            if r.below(3) == 0 {
                a.mask &= r.next();
                a.quad_mask &= r.next();
            }
            let (mut b, mut twin) = (args(8), args(8));
            // Sets the view, the sampler and the operation.
            call(&t.view, s, o, &mut a);
            b.clone_from_args(&a);
            twin.clone_from_args(&a);
            run(&narrow, &mut b);
            scalar::run(&t.view, &t.view.class_key(), &op, &state, &mut twin);
            assert_same(&op, &b, &twin, &what);
            for (level, wide) in &wide {
                let mut c = args(8);
                c.clone_from_args(&a);
                run(wide, &mut c);
                assert_same(&op, &c, &twin, &format!("{level}: {what}"));
            }
        }
    }
    assert!(seen.len() > 75, "{}: {seen:#?}", seen.len());
    let wanted: [[&str; 3]; 7] = [
        ["Sample Cube Linear", "", "true"],
        ["Sample Cube Linear", "or another", "true"],
        ["Sample D2 Linear", "or another", "false"],
        ["Sample D3 Nearest", "or another", ""],
        ["Sample D2 Linear", "", "offset"],
        ["Gather D2", "", "offset"],
        ["Gather D2", "all", ""],
    ];
    for parts in wanted {
        assert!(seen.iter().any(|s| parts.iter().all(|p| s.contains(p))), "{parts:?}: {seen:#?}");
    }
    assert!(seen.iter().any(|s| s.contains("footprint")), "{seen:#?}");
}

#[test]
fn no_kernel_is_compiled_where_a_routine_by_hand_replaces_it() {
    if !able() {
        return;
    }
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc::new_2d(FORMATS[0], 8, 8));
    let key = FastKey::new(&t.view.class_key(), &SamplerState::default(), &sample_op()).unwrap();
    // By-hand, and number of compiled kernels.
    let made = |cpu| {
        let before = BUILT.get();
        let routine = key.build(cpu, Tier::First, table::twin).unwrap();
        (routine.by_hand(), BUILT.get() - before)
    };
    assert_eq!(made(CpuLevel::V2), (false, 1));
    assert_eq!(made(CpuLevel::host()), (true, 0));
}

#[test]
fn writes_agree_with_the_twin() {
    if !able() {
        return;
    }
    let mut r = Random(32);
    for format in [FORMATS[0], FORMATS[1], FORMATS[4], FORMATS[5]] {
        let tables = Interner::new(CpuLevel::current());
        let [fast, slow] = [0, 1].map(|_| Texture::new(&tables, ImageDesc::new_2d(format, 30, 17)));
        let op = ImageOp { kind: ImageOpKind::Write, ..sample_op() };
        let key = FastKey::new(&fast.view.class_key(), &SamplerState::default(), &op).unwrap();
        let (_, wide) = by_hand(&key).pop().unwrap();
        let o = tables.op(&op).unwrap();
        for _ in 0..60 {
            let mut a = args(r.pick(&[4, 8, 8, 16, 24, 32]));
            fill(&mut r, &mut a, &op);
            if r.below(3) == 0 {
                a.mask &= r.next();
            }
            call(&fast.view, 0, o, &mut a);
            run(&wide, &mut a);
            scalar::run(&slow.view, &slow.view.class_key(), &op, &SamplerState::default(), &mut a);
        }
        let bytes = |t: &Texture| {
            let mut out = vec![0; t.layout.size as usize];
            assert!(t.memory.read(0, &mut out));
            out
        };
        let (x, y) = (bytes(&fast), bytes(&slow));
        // The sign and the payload of a float's NaN are unspecified.
        let float = format.info().numeric == crate::memory::format::Numeric::Sfloat;
        let words = x.chunks_exact(2).zip(y.chunks_exact(2));
        let differ = words.filter(|(a, b)| a != b && !(float && a[1] & 0x7c == 0x7c)).count();
        assert_eq!(differ, 0, "{}", format.name());
    }
}
