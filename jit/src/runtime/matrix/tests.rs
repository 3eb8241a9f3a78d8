//! The routines of every host level against the loops.

use super::*;

type Routine<T> = unsafe extern "C" fn(*const T, *const T, *mut T, u64);

const SIDES: [u8; 3] = [8, 16, 32];

fn shapes() -> impl Iterator<Item = [u8; 3]> {
    let all = SIDES.into_iter().flat_map(|m| SIDES.into_iter().map(move |n| (m, n)));
    all.flat_map(|(m, n)| SIDES.into_iter().map(move |k| [m, n, k]))
}

/// Numbers from a seed.
fn numbers(n: usize, mut seed: u32) -> Vec<u32> {
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed ^ seed >> 13
    };
    (0..n).map(|_| next()).collect()
}

/// Runs a routine on matrices of these elements, and returns C.
fn run<T: Copy>(routine: *const u8, make: impl Fn(u32) -> T, shape: [u8; 3]) -> Vec<T> {
    let [m, n, k] = shape.map(usize::from);
    let [a, b, mut c] = [(m * k, 1), (k * n, 2), (m * n, 3)]
        .map(|(n, seed)| numbers(n, seed).into_iter().map(&make).collect::<Vec<T>>());
    // SAFETY: the callers pass routines of this signature; the matrices have the sizes of the shape, and the host has
    // the level of the routine.
    unsafe {
        let routine = std::mem::transmute::<*const u8, Routine<T>>(routine);
        routine(a.as_ptr(), b.as_ptr(), c.as_mut_ptr(), packed(shape));
    }
    c
}

#[test]
fn products_are_the_same_at_every_level() {
    // Numbers of many magnitudes, so that each rounding counts.
    let float = |x: u32| f32::from_bits(x & 0x80ff_ffff | (120 + (x >> 24) % 12) << 23);
    for shape in shapes() {
        let floats = run(plain::multiply_floats::<false> as *const u8, float, shape);
        let rounded = run(plain::multiply_floats::<true> as *const u8, float, shape);
        assert_ne!(floats, rounded);
        let integers = run(plain::multiply_integers as *const u8, |x| x as i32, shape);
        for cpu in crate::testing::cpu_levels() {
            let same = |(x, y): (&f32, &f32)| x.to_bits() == y.to_bits();
            for (rounds, expected) in [(false, &floats), (true, &rounded)] {
                let found = run(multiply_floats(cpu, rounds), float, shape);
                assert!(found.iter().zip(expected).all(same), "{cpu:?} {shape:?} {rounds}");
            }
            assert_eq!(run(multiply_integers(cpu), |x| x as i32, shape), integers, "{cpu:?} {shape:?}");
            // Processors with the dot products of VNNI also have the routine without them.
            #[cfg(target_arch = "x86_64")]
            if cpu == CpuLevel::V4 {
                let routine = host::integers_avx512 as *const u8;
                assert_eq!(run(routine, |x| x as i32, shape), integers, "{shape:?} without VNNI");
            }
        }
    }
}

#[test]
fn products_of_bytes_are_the_same_as_the_loops() {
    for shape in shapes() {
        let [m, n, k] = shape.map(usize::from);
        let [a, b] = [(m * k, 1), (k * n, 2)]
            .map(|(n, seed)| numbers(n, seed).into_iter().map(|x| (x >> 7) as u8).collect::<Vec<_>>());
        let c: Vec<i32> = numbers(m * n, 3).into_iter().map(|x| x as i32).collect();
        let mut all = Vec::new();
        for signs in [[false, false], [false, true], [true, false], [true, true]] {
            let mut expected = c.clone();
            // SAFETY: the matrices have the sizes of the shape.
            unsafe {
                plain::multiply_bytes(a.as_ptr(), b.as_ptr(), expected.as_mut_ptr(), packed(shape), signs);
            }
            for cpu in crate::testing::cpu_levels() {
                let Some(routine) = multiply_bytes(cpu, shape, signs) else { continue };
                let mut found = c.clone();
                // SAFETY: the routine has this signature; the matrices have the sizes of the shape, and the host has the
                // level of the routine.
                unsafe {
                    let routine = std::mem::transmute::<
                        *const u8,
                        unsafe extern "C" fn(*const u8, *const u8, *mut i32),
                    >(routine);
                    routine(a.as_ptr(), b.as_ptr(), found.as_mut_ptr());
                }
                assert_eq!(found, expected, "{cpu:?} {shape:?} {signs:?}");
            }
            all.push(expected);
        }
        assert!((0..4).all(|i| !all[i + 1..].contains(&all[i])), "kinds of bytes are told apart");
    }
}

#[test]
fn packed_factors_have_the_product_of_the_low_halves() {
    for [m, n, k] in shapes() {
        let shape = [m, n, k];
        let [m, n, k] = shape.map(usize::from);
        let [mut a, mut b] = [(m * k, 1), (k * n, 2)]
            .map(|(n, seed)| numbers(n, seed).into_iter().map(|x| x as i32).collect::<Vec<_>>());
        let product = |at: usize| {
            let term = |i: usize| i64::from(a[at / n * k + i] as i16) * i64::from(b[i * n + at % n] as i16);
            (0..k).map(term).sum::<i64>() as i32
        };
        let expected: Vec<i32> = (0..m * n).map(product).collect();
        let mut c = vec![0; m * n];
        // SAFETY: the matrices have the sizes of the shapes.
        unsafe {
            pack_rows(a.as_mut_ptr(), packed([shape[0], shape[2], 0]));
            pack_columns(b.as_mut_ptr(), packed([shape[2], shape[1], 0]));
            plain::multiply_integers(a.as_ptr(), b.as_ptr(), c.as_mut_ptr(), packed(shape));
        }
        assert_eq!(c, expected, "{shape:?}");
    }
}

#[test]
fn transposed_matrices_are_the_same_at_every_level() {
    for (m, n) in SIDES.into_iter().flat_map(|m| SIDES.into_iter().map(move |n| (m, n))) {
        let from = numbers(usize::from(m) * usize::from(n), 4);
        for cpu in crate::testing::cpu_levels() {
            let mut to = vec![0; from.len()];
            // SAFETY: `transpose` returns routines of this signature; both matrices have the size of the shape.
            unsafe {
                let routine = std::mem::transmute::<*const u8, unsafe extern "C" fn(*const u32, *mut u32, u64)>(
                    transpose(cpu),
                );
                routine(from.as_ptr(), to.as_mut_ptr(), packed([m, n, 0]));
            }
            let (m, n) = (usize::from(m), usize::from(n));
            assert!((0..m * n).all(|i| to[i % n * m + i / n] == from[i]), "{cpu:?} {m}x{n}");
        }
    }
}

#[test]
fn half_floats_are_loaded_the_same_at_every_level() {
    // All encodings, with gaps between rows, of which the loads are not aligned.
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(|h| h.wrapping_mul(40_503).to_le_bytes()).collect();
    type Load = unsafe extern "C" fn(*const u8, *mut f32, u64, u64);
    let of = |h: u16| half::f16::from_bits(h).to_f32().to_bits();
    for (rows, columns) in SIDES.into_iter().flat_map(|m| SIDES.into_iter().map(move |n| (m, n))) {
        let (m, n) = (usize::from(rows), usize::from(columns));
        for (transposed, cpu) in [false, true]
            .into_iter()
            .flat_map(|t| crate::testing::cpu_levels().into_iter().map(move |cpu| (t, cpu)))
        {
            let stride = 2 * n + 6;
            for start in (1..bytes.len() - m * stride).step_by(m * stride) {
                let mut found = vec![0f32; m * n];
                // SAFETY: the routine has this signature; the matrix of the shape lies in `bytes`, `found` has as many
                // elements, and the host has the level.
                unsafe {
                    let load = std::mem::transmute::<*const u8, Load>(load_halves(cpu, transposed));
                    load(
                        bytes.as_ptr().add(start),
                        found.as_mut_ptr(),
                        packed([rows, columns, 0]),
                        stride as u64,
                    );
                }
                for (r, c) in (0..m).flat_map(|r| (0..n).map(move |c| (r, c))) {
                    let at = start + r * stride + 2 * c;
                    let place = if transposed { c * m + r } else { r * n + c };
                    let half = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
                    assert_eq!(found[place].to_bits(), of(half), "{half:#x} {cpu:?} {transposed} {m} {n}");
                }
            }
        }
    }
}
