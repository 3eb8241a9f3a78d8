//! The lane builder against plain Rust, at every level, tier and lane count.
#![expect(unsafe_code, reason = "calls kernels")]

use super::*;
use crate::cpu::{CpuLevel, Tier};

/// Runs a kernel over rows `a` and `b`, for all variants; `check(lanes, out)`.
fn each(
    body: impl Fn(&mut LaneBuilder, Lane, Lane) -> Lane,
    a: &[u32; 32],
    b: &[u32; 32],
    want: impl Fn(usize) -> u32,
) {
    for lanes in [4u32, 8, 16, 32] {
        for cpu in CpuLevel::ALL {
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
                // SAFETY: the kernel reads and writes 384 bytes at its argument.
                unsafe { (k.entry())(mem.as_mut_ptr().cast()) };
                for i in 0..lanes as usize {
                    assert_eq!(mem[2][i], want(i), "lane {i} of {lanes}, {cpu:?}, {tier:?}");
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
    each(
        |l, x, _| {
            let x = l.bitcast(x, Ty::F32);
            l.f32_to_f16_bits(x)
        },
        &f,
        &f,
        |i| u32::from(half::f16::from_f32(f32::from_bits(f[i])).to_bits()),
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
        |i| f(a[i]).mul_add(f(b[i]), f(a[i])).to_bits(),
    );
}
