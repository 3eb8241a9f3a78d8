//! Compares the lane builder with plain Rust, at every level, tier and lane count.
#![expect(unsafe_code, reason = "calls kernels")]

mod apart;

use super::apart::{Places, Windows};
use super::*;
use crate::cpu::{CpuLevel, Tier};
use crate::sys::maths::fma_f32;
use crate::testing;

/// Runs a kernel on rows `a` and `b` in all variants; `want(lane)` is the expected result.
fn each(
    body: impl Fn(&mut LaneBuilder, Lane, Lane) -> Lane,
    a: &[u32; 32],
    b: &[u32; 32],
    want: impl Fn(usize) -> u32,
) {
    each_count(body, a, b, |_, lane| want(lane));
}

/// As [`each`], for results that depend on the number of lanes, too: `want(lanes, lane)`.
fn each_count(
    body: impl Fn(&mut LaneBuilder, Lane, Lane) -> Lane,
    a: &[u32; 32],
    b: &[u32; 32],
    want: impl Fn(usize, usize) -> u32,
) {
    for lanes in [4u32, 8, 16, 32] {
        for cpu in testing::cpu_levels() {
            for tier in [Tier::First, Tier::Optimized] {
                let k = build_kernel(lanes, cpu, tier, |l, arg| {
                    let x = l.load_row(Ty::I32, arg, 0);
                    let y = l.load_row(Ty::I32, arg, 128);
                    let r = body(l, x, y);
                    let r = l.splat(r);
                    l.store_row(r, arg, 256);
                })
                .unwrap();
                let mut mem = [[0u32; 32]; 3];
                mem[0] = *a;
                mem[1] = *b;
                // SAFETY: the kernel reads and writes 384 bytes at its argument, all of which `mem` has.
                unsafe { (k.entry())(mem.as_mut_ptr().cast()) };
                for i in 0..lanes as usize {
                    assert_eq!(mem[2][i], want(lanes as usize, i), "lane {i} of {lanes}, {cpu:?}, {tier:?}");
                }
            }
        }
    }
}

fn row(f: impl Fn(u32) -> u32) -> [u32; 32] {
    std::array::from_fn(|i| f(i as u32))
}

#[test]
fn shifts_by_lane() {
    let (a, b) = (row(|i| i.wrapping_mul(0x9e37_79b9)), row(|i| (i * 7) % 32));
    each(|l, x, y| l.shl(x, y), &a, &b, |i| a[i] << b[i]);
    each(|l, x, y| l.ushr(x, y), &a, &b, |i| a[i] >> b[i]);
    each(|l, x, y| l.sshr(x, y), &a, &b, |i| ((a[i] as i32) >> b[i]) as u32);
}

/// Quads of two rows, and the words that are picked from them: within pairs of quads, within halves, and from everywhere.
#[test]
fn words_move_between_quads() {
    let (a, b) = (row(|i| 100 + i), row(|i| 200 + i));
    type Order = fn(u8) -> (u8, u8);
    let orders: [Order; 4] = [
        |q| (q & !1, q | 1),
        |q| (q ^ 1, q ^ 1),
        |q| (7 - q, q ^ 3),
        |q| (q.wrapping_mul(5), q.wrapping_mul(3) + 2),
    ];
    let picks: [fn(u8) -> [u8; 4]; 3] = [
        |q| if q.is_multiple_of(2) { [0, 1, 4, 5] } else { [2, 3, 6, 7] },
        |q| [0, 1, 2, 3].map(|k| (k + q) % 4),
        |q| [7, 0, 5, 2].map(|k| (k + q) % 8),
    ];
    for (order, pick) in orders.iter().flat_map(|order| picks.iter().map(move |pick| (order, pick))) {
        let within = |n: u8, q| {
            let (x, y) = order(q);
            (x % n, y % n)
        };
        for same in [false, true] {
            each_count(
                |l, x, y| {
                    let n = (l.lanes() / 4) as u8;
                    let from: Vec<_> = (0..n).map(|q| within(n, q)).collect();
                    let picks: Vec<_> = (0..n).map(pick).collect();
                    l.shuffle_quads(x, if same { x } else { y }, &from, &picks)
                },
                &a,
                &b,
                |lanes, lane| {
                    let q = (lane / 4) as u8;
                    let (x, y) = within((lanes / 4) as u8, q);
                    match pick(q)[lane % 4] {
                        k @ 0..4 => a[usize::from(4 * x + k)],
                        k => (if same { &a } else { &b })[usize::from(4 * y + k - 4)],
                    }
                },
            );
        }
    }
}

#[test]
fn affine_indices() {
    let z = [0; 32];
    let body = |l: &mut LaneBuilder, _, _| {
        let i = l.lane_index();
        let k = l.i32(12);
        let i = l.imul(i, k);
        let c = l.i32(100);
        let two = l.i32(1);
        let i = l.shl(i, two);
        l.isub(c, i)
    };
    each(body, &z, &z, |i| 100u32.wrapping_sub(24 * i as u32));
}

/// Encodings of f16 from the bits of f32.
fn encoded(l: &mut LaneBuilder, bits: Lane, _: Lane) -> Lane {
    let f = l.bitcast(bits, Ty::F32);
    l.f32_to_f16_bits(f)
}

#[test]
fn half_floats_round_to_nearest_even() {
    for start in (0..0x10000u32).step_by(4099).chain([0x0001, 0x03ff, 0x7bff, 0x7c00, 0x8001, 0xfc00 - 32]) {
        let h = row(|i| (start + i) & 0xffff);
        each(
            |l, x, _| {
                let f = l.f16_bits_to_f32(x);
                l.bitcast(f, Ty::I32)
            },
            &h,
            &h,
            |i| {
                let v = half::f16::from_bits(h[i] as u16).to_f32();
                if v.is_nan() {
                    0x7f80_0000 | (h[i] & 0x3ff) << 13 | (h[i] & 0x8000) << 16
                } else {
                    v.to_bits()
                }
            },
        );
    }
    let f = row(|i| (0.1f32 * 3f32.powi(i as i32 - 16)).to_bits() ^ (i & 1) << 31);
    each(encoded, &f, &f, |i| u32::from(half::f16::from_f32(f32::from_bits(f[i])).to_bits()));
}

#[test]
fn half_floats_of_nans() {
    let f = row(|i| 0x7f80_0001 | i << 13 | (i & 3) << 21 | (i & 1) << 31);
    each(encoded, &f, &f, |i| 0x7e00 | f[i] >> 16 & 0x8000);
    // The upper bits of the payload, which says nothing if it would be empty.
    let kept = |x: u32| if x >> 13 & 0x3ff == 0 { 0x200 } else { x >> 13 & 0x3ff };
    each(
        |l, x, _| {
            let x = l.bitcast(x, Ty::F32);
            l.f16_encoding(x)
        },
        &f,
        &f,
        |i| 0x7c00 | kept(f[i]) | f[i] >> 16 & 0x8000,
    );
    each(
        |l, x, _| {
            let x = l.bitcast(x, Ty::F32);
            let x = crate::ops::lower(l, crate::ir::Op::FConvert, Ty::F16, &[x]);
            let x = l.retype(x, Ty::F32);
            l.bitcast(x, Ty::I32)
        },
        &f,
        &f,
        |i| 0x7fc0_0000 | (f[i] >> 13 & 0x3ff) << 13 | f[i] & 0x8000_0000,
    );
}

#[test]
fn scatter_writes_only_active_lanes() {
    let (a, m) = (row(|i| i + 1), row(|i| i % 3));
    each(
        |l, x, y| {
            let at = l.stack(128);
            let zero = l.i32(0);
            let z = l.splat(zero);
            l.store_row(z, at, 0);
            let four = l.i32(4);
            let i = l.lane_index();
            let i = l.splat(i);
            let off = l.imul(i, four);
            let mask = l.icmp(ICmp::Ne, y, zero);
            l.scatter(&[(x, 0)], at, off, mask);
            l.load_row(Ty::I32, at, 0)
        },
        &a,
        &m,
        |i| if m[i] != 0 { a[i] } else { 0 },
    );
}

#[test]
fn masks_loops_and_selects() {
    let (a, b) = (row(|i| i), row(|i| 31 - i));
    each(
        |l, x, y| {
            let m = l.icmp(ICmp::Ult, x, y);
            let bits = l.mask_bits(m);
            let m2 = l.mask_from_bits(bits);
            let s = l.select(m2, x, y);
            let sum = l.declare(Ty::I32, false);
            l.set(&sum, s);
            let (zero, three) = (l.i32(0), l.i32(3));
            l.for_range(zero, three, |l, i| {
                let v = l.get(&sum);
                let v = l.iadd(v, i);
                l.set(&sum, v);
            });
            l.get(&sum)
        },
        &a,
        &b,
        |i| a[i].min(b[i]) + 3,
    );
}

/// Adds a bound to each lane six times, in a loop that computes it anew for each addition.
fn bound_in_a_loop(l: &mut LaneBuilder, x: Lane) -> Lane {
    let zero = l.u32(0);
    let first = l.extract_dynamic(x, zero);
    let sum = l.declare(Ty::I32, false);
    l.set(&sum, x);
    let three = l.u32(3);
    l.for_range(zero, three, |l, _| {
        for _ in 0..2 {
            let (five, most) = (l.u32(5), l.u32(100));
            let bound = l.iadd(first, five);
            let bound = l.umin(bound, most);
            let v = l.get(&sum);
            let v = l.iadd(v, bound);
            l.set(&sum, v);
        }
    });
    l.get(&sum)
}

#[test]
fn vectors_that_stay_the_same_leave_loops() {
    for first in [1, 98] {
        let a = row(|i| first + i);
        each(|l, x, _| bound_in_a_loop(l, x), &a, &a, |i| a[i] + 6 * (first + 5).min(100));
    }
    let splats = |tier| {
        let mut listing = KernelListing::default();
        build_kernel_listed(16, CpuLevel::host(), tier, Some(&mut listing), |l, arg| {
            let x = l.load_row(Ty::I32, arg, 0);
            let sum = bound_in_a_loop(l, x);
            l.store_row(sum, arg, 0);
        })
        .unwrap();
        let clif = listing.clif.unwrap();
        let (before, after) = clif.split_once("brif").unwrap();
        [before, after].map(|part| part.matches("splat").count())
    };
    assert_eq!(splats(Tier::First), [0, 2], "one for each addition");
    assert_eq!(splats(Tier::Optimized), [1, 0], "both additions share one");
}

/// The number of these CLIF instructions before the first branch, in both tiers.
fn before_branch(name: &str, body: impl Fn(&mut LaneBuilder, Lane) -> Lane) -> [usize; 2] {
    [Tier::First, Tier::Optimized].map(|tier| {
        let mut listing = KernelListing::default();
        build_kernel_listed(16, CpuLevel::host(), tier, Some(&mut listing), |l, arg| {
            let x = l.load_row(Ty::I32, arg, 0);
            let result = body(l, x);
            l.store_row(result, arg, 0);
        })
        .unwrap();
        let clif = listing.clif.unwrap();
        clif.split_once("brif").map_or(&clif[..], |(before, _)| before).matches(name).count()
    })
}

/// Adds a product of the lanes, and its square, in two places that are rarely reached: if the first lane is odd.
fn rare_product(l: &mut LaneBuilder, x: Lane) -> Lane {
    let product = l.imul(x, x);
    let square = l.imul(product, product);
    let sum = l.declare(Ty::I32, false);
    l.set(&sum, x);
    let one = l.u32(1);
    let odd = {
        let first = l.extract(x, 0);
        let bit = l.and(first, one);
        l.icmp(ICmp::Eq, bit, one)
    };
    for more in [product, square] {
        let (rare, done) = (l.block(), l.block());
        l.branch(odd, rare, done);
        l.set_cold(rare);
        l.start_sealed(rare);
        let v = l.get(&sum);
        let v = l.iadd(v, more);
        let v = l.iadd(v, product);
        l.set(&sum, v);
        l.jump(done);
        l.start_sealed(done);
    }
    l.get(&sum)
}

#[test]
fn rare_code_computes_its_own_values() {
    for first in [1, 98] {
        let a = row(|i| first + i);
        let rare =
            |p: u32| if first % 2 == 1 { p.wrapping_mul(3).wrapping_add(p.wrapping_mul(p)) } else { 0 };
        each(|l, x, _| rare_product(l, x), &a, &a, |i| a[i].wrapping_add(rare(a[i].wrapping_mul(a[i]))));
    }
    assert_eq!(before_branch(" imul", rare_product)[1], 0);
    assert!(before_branch(" imul", rare_product)[0] >= 2);
}

#[test]
fn a_value_is_computed_once() {
    let body = |l: &mut LaneBuilder, x: Lane| {
        let sums = [0; 8].map(|_| l.iadd(x, x));
        sums[1..].iter().fold(sums[0], |sum, &more| l.xor(sum, more))
    };
    let a = row(|i| 3 * i + 1);
    each(|l, x, _| body(l, x), &a, &a, |_| 0);
    // Eight sums of four vectors, and one sum of at most four.
    let [first, optimized] = before_branch(" iadd ", body);
    assert!(first == 32 && optimized <= 4, "{first} {optimized}");
}

#[test]
fn fma_rounds_once() {
    let a = row(|i| (1.0 + i as f32 * 1e-7).to_bits());
    let b = row(|i| (-1.0 - i as f32 * 3e-7).to_bits());
    let f = |x: u32| f32::from_bits(x);
    each(
        |l, x, y| {
            let (x, y) = (l.bitcast(x, Ty::F32), l.bitcast(y, Ty::F32));
            let r = l.fma(x, y, x);
            l.bitcast(r, Ty::I32)
        },
        &a,
        &b,
        |i| fma_f32(f(a[i]), f(b[i]), f(a[i])).to_bits(),
    );
}

#[test]
fn sixty_four_bits_beside_thirty_two() {
    let (a, b) = (row(|i| i.wrapping_mul(0x9e37_79b9)), row(|i| (i * 0x0101_0107) ^ 0x8000_0001));
    let both = |i: usize| (i64::from(a[i] as i32), i64::from(b[i]));
    let wide = |l: &mut LaneBuilder, x, y| (l.i32_to_i64(x, true), l.i32_to_i64(y, false));
    each(
        |l, x, y| {
            let (x, y) = wide(l, x, y);
            let p = l.imul(x, y);
            l.high_word(p)
        },
        &a,
        &b,
        |i| (both(i).0.wrapping_mul(both(i).1) >> 32) as u32,
    );
    each(
        |l, x, y| {
            let (p, q) = wide(l, x, y);
            let less = l.icmp(ICmp::Slt, p, q);
            let least = l.select(less, p, q);
            let low = l.low_word(least);
            let one = l.bool_to_i32(less);
            l.iadd(low, one)
        },
        &a,
        &b,
        |i| {
            let (p, q) = both(i);
            (p.min(q) as u32).wrapping_add(u32::from(p < q))
        },
    );
    each(
        |l, x, y| {
            let (x, y) = (l.i32_to_f64(x, true), l.i32_to_f64(y, false));
            let q = l.fdiv(x, y);
            let q = l.f64_to_f32(q);
            let d = l.f32_to_f64(q);
            let d = l.fadd(d, x);
            let f = l.f64_to_f32(d);
            l.bitcast(f, Ty::I32)
        },
        &a,
        &b,
        |i| {
            let (x, y) = (f64::from(a[i] as i32), f64::from(b[i]));
            ((f64::from((x / y) as f32) + x) as f32).to_bits()
        },
    );
    each(
        |l, x, y| l.mul_high(x, y, true),
        &a,
        &b,
        |i| ((i64::from(a[i] as i32) * i64::from(b[i] as i32)) >> 32) as u32,
    );
    each(|l, x, y| l.idiv(x, y, false), &a, &b, |i| a[i] / b[i]);
}

/// Runs a kernel on memory in all variants, and compares all of the memory.
fn each_memory(
    body: impl Fn(&mut LaneBuilder, Lane),
    mem: &[u32; 512],
    want: impl Fn(usize, &mut [u32; 512]),
) {
    for lanes in [4u32, 8, 16, 32] {
        for cpu in testing::cpu_levels() {
            for tier in [Tier::First, Tier::Optimized] {
                let k = build_kernel(lanes, cpu, tier, &body).unwrap();
                let (mut got, mut wanted) = (*mem, *mem);
                want(lanes as usize, &mut wanted);
                // SAFETY: the kernel reads and writes 2048 bytes at its argument, all of which `got` has.
                unsafe { (k.entry())(got.as_mut_ptr().cast()) };
                assert_eq!(got, wanted, "{lanes} lanes, {cpu:?}, {tier:?}");
            }
        }
    }
}

/// Words 0 to 31 are byte offsets of words from 64 on; the rest is arbitrary.
fn memory() -> [u32; 512] {
    std::array::from_fn(|i| match i {
        0..32 => 256 + 4 * ((i as u32 * 11) % 32),
        _ => (i as u32).wrapping_mul(0x9e37_79b9),
    })
}

#[test]
fn gathers_and_records() {
    each_memory(
        |l, at| {
            let offset = l.load_row(Ty::I32, at, 0);
            let words = l.gather(Ty::I32, at, offset);
            let (first, second) = l.gather_pairs(at, offset);
            let four = l.gather_quads(at, offset);
            let doubles = l.gather(Ty::I64, at, offset);
            let doubles = l.high_word(doubles);
            for (k, v) in [words, first, second, four[2], four[3], doubles].into_iter().enumerate() {
                l.store_row(v, at, 1024 + 128 * k as i32);
            }
        },
        &memory(),
        |lanes, m| {
            for i in 0..lanes {
                let from = m[i] as usize / 4;
                for (k, word) in [0, 0, 1, 2, 3, 1].into_iter().enumerate() {
                    m[256 + 32 * k + i] = m[from + word];
                }
            }
        },
    );
    for n in 1..=4u32 {
        each_memory(
            |l, at| {
                let from = l.offset(at, 256);
                let words = l.load_records(Ty::I32, from, 4 * n + 4, n);
                let to = l.offset(at, 1024);
                l.store_records(&words, to, 4 * n);
            },
            &memory(),
            |lanes, m| {
                let n = n as usize;
                for (i, k) in (0..lanes).flat_map(|i| (0..n).map(move |k| (i, k))) {
                    m[256 + i * n + k] = m[64 + i * (n + 1) + k];
                }
            },
        );
    }
}

#[test]
fn narrow_rows_and_masks() {
    each_memory(
        |l, at| {
            let bytes = l.load_row_narrow(1, at, 256);
            let halves = l.load_row_narrow(2, at, 256);
            let less = l.icmp(ICmp::Ult, bytes, halves);
            let spilled = l.spill(less);
            let again = l.load_row(Ty::Bool, spilled, 0);
            let v = l.select(again, bytes, halves);
            let swapped = l.quad_swizzle(v, [3, 1, 0, 0]);
            let mask = l.quad_swizzle(again, [1, 0, 3, 2]);
            let v = l.select(mask, swapped, v);
            l.store_row(v, at, 1024);
        },
        &memory(),
        |lanes, m| {
            let byte = |i: usize| m[64 + i / 4] >> (8 * (i % 4)) & 0xff;
            let half = |i: usize| m[64 + i / 2] >> (16 * (i % 2)) & 0xffff;
            let v = |i: usize| byte(i).min(half(i));
            let out: Vec<u32> = (0..lanes)
                .map(|i| {
                    let other = i ^ 1;
                    let swapped = v(i / 4 * 4 + [3, 1, 0, 0][i % 4]);
                    if byte(other) < half(other) { swapped } else { v(i) }
                })
                .collect();
            m[256..256 + lanes].copy_from_slice(&out);
        },
    );
}

#[test]
fn wide_levels_have_wide_vectors() {
    for (cpu, of_eight, of_sixteen) in [(CpuLevel::V3, "ymm", "ymm"), (CpuLevel::V4, "ymm", "zmm")] {
        // Other processors than x86-64 have vectors of 128 bits at every level.
        if !testing::cpu_levels().contains(&cpu) || cpu.wide().is_none() {
            continue;
        }
        for (lanes, registers) in [(8, of_eight), (16, of_sixteen)] {
            let mut listing = KernelListing::default();
            build_kernel_listed(lanes, cpu, Tier::Optimized, Some(&mut listing), |l, arg| {
                let x = l.load_row(Ty::F32, arg, 0);
                let y = l.fmul(x, x);
                l.store_row(y, arg, 0);
            })
            .unwrap();
            let asm = listing.asm.unwrap();
            assert!(asm.contains(registers), "{lanes} lanes, {cpu:?}:\n{asm}");
        }
    }
}

/// Weighs its arguments by their places, and uses much of the stack and of the registers.
extern "C" fn weighed(a: u64, b: f64, c: u64, d: u64, e: f64, f: u64, g: u64) -> u64 {
    let mut sums = [0u64; 1024];
    for (i, sum) in sums.iter_mut().enumerate() {
        let own =
            [a, b as u64, c, d, e as u64, f, g].iter().zip(1u64..).map(|(x, place)| x * place).sum::<u64>();
        *sum = std::hint::black_box(own.wrapping_mul(i as u64 & 1));
    }
    sums[511]
}

/// Calls pass arguments as `extern "C"` does, and values of the caller survive them.
#[test]
fn calls_follow_the_convention_of_the_host() {
    let (a, b) = (row(|i| i.wrapping_mul(0x9e37_79b9)), row(|i| i * 7));
    each(
        |l, x, y| {
            let f = l.i64(weighed as *const () as i64);
            let [p, q] = [2.0f64, 5.0].map(|v| l.i64(v.to_bits() as i64)).map(|v| l.bitcast(v, Ty::F64));
            let [c, d, g, h, k] = [1, 3, 4, 6, 7].map(|v| l.i64(v));
            let sum = l.call_values(f, &[c, p, d, g, q, h, k], Some(Ty::I64)).unwrap();
            let sum = l.i64_to_i32(sum);
            let own = l.iadd(x, y);
            l.iadd(own, sum)
        },
        &a,
        &b,
        // The sum of the squares from 1 to 7.
        |i| a[i].wrapping_add(b[i]).wrapping_add(140),
    );
}
