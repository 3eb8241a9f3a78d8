//! Tests of tables: accepted states and operations, numbering, lifetime and compilation.

use super::*;

#[test]
fn bad_views_and_samplers_are_refused() {
    let tables = Interner::new(CpuLevel::current());
    let t = Texture::new(&tables, ImageDesc { layers: 6, ..mipped(Format::R8G8B8A8_UNORM, 8, 4, 2) });
    let good = ViewDesc::new_2d(Format::R8G8B8A8_UNORM);
    let make = |v| View::image(&tables, &t.layout, t.memory, &v).map(|_| ());
    make(good).unwrap();
    make(ViewDesc { format: Format::R32_UINT, ..good }).unwrap();
    for bad in [
        ViewDesc { format: Format::R8_UNORM, ..good },
        ViewDesc { aspect: Aspects::DEPTH, ..good },
        ViewDesc { levels: 3, ..good },
        ViewDesc { base_layer: u32::MAX, ..good },
        ViewDesc { layers: 2, ..good },
        ViewDesc { dim: ViewDim::Cube, layers: 6, ..good },
        ViewDesc { dim: ViewDim::D3, ..good },
        ViewDesc { levels: 0, ..good },
    ] {
        assert!(make(bad).is_err(), "{bad:?}");
    }
    assert!(View::image(&tables, &t.layout, t.memory.sub(0, 64).unwrap(), &good).is_err());
    let n = tables.sampler(&SamplerState::default()).unwrap();
    assert_eq!(tables.sampler(&SamplerState::default()).unwrap(), n);
    assert!(n > 0);
}

#[test]
fn released_sampler_numbers_serve_again() {
    let max = quadrille_jit::abi::SAMPLER_ROWS as u32 + 100;
    let tables = Interner::with_samplers(CpuLevel::current(), max);
    let state = |i: u32| SamplerState { lod_bias: f(i as f32), ..Default::default() };
    for i in 1..max {
        assert_eq!(tables.sampler(&state(i)).unwrap(), i);
    }
    assert!(tables.sampler(&state(max)).is_err());
    // Used twice and released once, so still in use.
    assert_eq!(tables.sampler(&state(7)).unwrap(), 7);
    tables.release_sampler(7);
    assert!(tables.sampler(&state(max)).is_err());
    let t = ramp(&tables);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let border = |words| SamplerState {
        border: BorderColor::Custom(words),
        ..SamplerState::nearest(AddressMode::ClampToBorder)
    };
    tables.release_sampler(7);
    for (i, v) in [1.0f32, 2.0, 3.0].into_iter().enumerate() {
        // Each of these states gets number 7 in turn, with its own border.
        let got = sample(&tables, &t.view, &border([f(v), 0, 0, 0]), &op, &[xy(-1.0, 0.0)], |_| {});
        assert_eq!(got[0][0], v, "{i}");
        tables.release_sampler(7);
    }
    assert!(tables.sampler_state(7) == Some(border([f(3.0), 0, 0, 0])));
}

/// Samplers without rows of their own give the same results as others, and leave the routines of the others alone.
#[test]
fn more_samplers_than_rows_differ() {
    let tables = Interner::new(CpuLevel::current());
    let rows = quadrille_jit::abi::SAMPLER_ROWS as u32;
    let border = |v: f32| SamplerState {
        border: BorderColor::Custom([f(v), 0, 0, 0]),
        ..SamplerState::nearest(AddressMode::ClampToBorder)
    };
    for i in 1..=rows + 100 {
        assert_eq!(tables.sampler(&border(i as f32)).unwrap(), i);
    }
    let t = ramp(&tables);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    for _ in 0..60 {
        for i in [1, rows - 2, rows - 1, rows, rows + 100] {
            let got = sample(&tables, &t.view, &border(i as f32), &op, &[xy(-1.0, 0.0)], |_| {});
            assert_eq!(got[0][0], i as f32);
        }
    }
    // The last number with a row serves again before there are more numbers without one.
    for _ in 0..=60 {
        tables.release_sampler(rows - 2);
    }
    assert_eq!(tables.sampler(&border(0.5)).unwrap(), rows - 2);
    assert_eq!(tables.sampler(&border(0.25)).unwrap(), rows + 101);
}

#[test]
fn classes_go_with_their_views() {
    let tables = Interner::new(CpuLevel::current());
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let read =
        |t: &Texture| sample(&tables, &t.view, &SamplerState::default(), &op, &[xy(0.0, 0.0)], |_| {})[0];
    let swizzled = |n: u32| {
        let swizzle = [0, 1, 2, 3].map(|i| Swizzle::from_vk(n / 7u32.pow(i) % 7).unwrap());
        let t =
            Texture::with(&tables, ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 1, 1), |v| v.swizzle = swizzle);
        t.memory.write_texel(0, 4, 0xff00_00ff);
        t
    };
    // Mapping of alpha, one, zero, red, for opaque red.
    let kept = swizzled(6 + 2 * 7 + 7 * 7 + 3 * 7 * 7 * 7);
    assert_eq!(read(&kept), [1.0, 1.0, 0.0, 1.0]);
    for n in 0..7u32.pow(4) {
        read(&swizzled(n));
        let (classes, rows) = tables.sizes();
        assert!(classes <= 64 && rows <= 64, "{classes} classes, {rows} rows");
    }
    assert_eq!(read(&kept), [1.0, 1.0, 0.0, 1.0]);
}

#[test]
fn routines_are_compiled_beside_the_calls() {
    let tables = Interner::new(CpuLevel::current());
    let t = ramp(&tables);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let state = SamplerState::linear(AddressMode::ClampToEdge);
    let (s, o) = (tables.sampler(&state).unwrap(), tables.op(&op).unwrap());
    #[expect(unsafe_code, reason = "reads the table as generated code does")]
    // SAFETY: tables have an entry for every number below their sizes, and `view` is live.
    let routine = || unsafe { *(*t.view.head.table.add(s as usize)).add(o as usize) as usize };
    let first = routine();
    let value = || sample(&tables, &t.view, &state, &op, &[xy(2.0, 2.0)], |_| {})[0][0];
    for _ in 0..100 {
        assert_eq!(value(), 16.5);
    }
    for _ in 0..10_000 {
        if routine() != first {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(routine() != first, "no routine was compiled");
    assert_eq!(value(), 16.5);
}
