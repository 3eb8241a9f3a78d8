//! The source of the kernels, for vectors of any width.

/// Defines the kernels in a module that provides the vector types `F`, `I` and `M` (floats, integers, truth values),
/// `LANES`, and their operations.
macro_rules! kernels {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn loadf(a: &[u32], i: usize) -> F {
            float(load(a, i))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn storef(b: &mut [u32], i: usize, x: F) {
            store(b, i, bits(x));
        }

        /// `i, i + 1, i + 2, ...`
        #[inline]
        #[target_feature(enable = $features)]
        fn index(i: usize) -> I {
            iadd(isplat(i as i32), lanes())
        }

        #[target_feature(enable = $features)]
        pub fn saxpy(a: &A, b: &mut B) {
            let k = splat(2.5);
            for i in (0..N).step_by(LANES) {
                let x = add(mul(k, loadf(a, i)), loadf(b, i));
                storef(b, i, x);
            }
        }

        #[target_feature(enable = $features)]
        pub fn fma(a: &A, b: &mut B) {
            let (k, c) = (splat(0.999), splat(0.001));
            let start = [0.0, 0.1, 0.2, 0.3];
            for i in (0..N).step_by(2 * LANES) {
                // Eight independent chains of operations.
                let (x, y) = (loadf(a, i), loadf(a, i + LANES));
                let mut x: [F; 4] = start.map(|s| add(x, splat(s)));
                let mut y: [F; 4] = start.map(|s| add(y, splat(s)));
                for _ in 0..128 {
                    x = x.map(|x| fused(x, k, c));
                    y = y.map(|y| fused(y, k, c));
                }
                for (i, x) in [(i, x), (i + LANES, y)] {
                    storef(b, i, add(add(add(x[0], x[1]), x[2]), x[3]));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub fn mandelbrot(_: &A, b: &mut B) {
            let (two, four, scale) = (splat(2.0), splat(4.0), splat(1.0 / 128.0));
            for i in (0..N).step_by(2 * LANES) {
                let at: [I; 2] = from_fn(|v| index(i + LANES * v));
                let cx = at.map(|i| sub(mul(to_float(and(i, isplat(255))), scale), splat(1.5)));
                let cy = at.map(|i| sub(mul(to_float(shr::<8>(i)), scale), splat(1.0)));
                let (mut x, mut y) = ([splat(0.0); 2], [splat(0.0); 2]);
                let mut n = [isplat(0); 2];
                let mut live = [all(); 2];
                for _ in 0..128 {
                    for v in 0..2 {
                        let (xx, yy) = (mul(x[v], x[v]), mul(y[v], y[v]));
                        // A lane that has left the circle stays inactive.
                        live[v] = less_and(live[v], add(xx, yy), four);
                        n[v] = count(n[v], live[v]);
                        y[v] = add(mul(mul(two, x[v]), y[v]), cy[v]);
                        x[v] = add(sub(xx, yy), cx[v]);
                    }
                    if none(live) {
                        break;
                    }
                }
                for v in 0..2 {
                    storef(b, i + LANES * v, to_float(n[v]));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub fn gather(a: &A, b: &mut B) {
            for i in (0..N).step_by(LANES) {
                let k = imul(index(i), isplat(2_654_435_761_u32 as i32));
                let k = and(shr::<8>(k), isplat(0xffff));
                store(b, i, gathered(a, k));
            }
        }

        #[target_feature(enable = $features)]
        pub fn stencil(a: &A, b: &mut B) {
            let f = |i: usize| f32::from_bits(a[i]);
            for i in 0..256 {
                let sum = f(i) + f(i.max(1) - 1) + f(i + 1) + f(0) + f(i + 256);
                b[i] = (0.2 * sum).to_bits();
            }
            let k = splat(0.2);
            for i in (256..N).step_by(LANES) {
                let sum = add(loadf(a, i), loadf(a, i - 1));
                let sum = add(sum, loadf(a, i + 1));
                let sum = add(sum, loadf(a, i - 256));
                let sum = add(sum, loadf(a, i + 256));
                storef(b, i, mul(k, sum));
            }
        }

        #[target_feature(enable = $features)]
        pub fn hash(a: &A, b: &mut B) {
            let (p, q) = (isplat(0x7feb_352d), isplat(0x846c_a68b_u32 as i32));
            for i in (0..N).step_by(2 * LANES) {
                let mut x: [I; 2] = from_fn(|v| xor(load(a, i + LANES * v), index(i + LANES * v)));
                for _ in 0..32 {
                    x = x.map(|x| imul(xor(x, shr::<16>(x)), p));
                    x = x.map(|x| imul(xor(x, shr::<15>(x)), q));
                }
                store(b, i, x[0]);
                store(b, i + LANES, x[1]);
            }
        }

        #[target_feature(enable = $features)]
        pub fn collatz(_: &A, b: &mut B) {
            let one = isplat(1);
            for i in (0..N).step_by(2 * LANES) {
                let mut x: [I; 2] = from_fn(|v| index(i + LANES * v + 1));
                let mut n = [isplat(0); 2];
                let mut live = [all(); 2];
                for _ in 0..200 {
                    for v in 0..2 {
                        // A lane that has reached 1 stays inactive.
                        live[v] = differ_and(live[v], x[v], one);
                        n[v] = count(n[v], live[v]);
                        let half = shr::<1>(x[v]);
                        let triple = iadd(iadd(x[v], x[v]), iadd(x[v], one));
                        x[v] = if_odd(x[v], triple, half);
                    }
                    if none(live) {
                        break;
                    }
                }
                store(b, i, n[0]);
                store(b, i + LANES, n[1]);
            }
        }

        #[target_feature(enable = $features)]
        pub fn reduce(a: &A, b: &mut B) {
            for g in 0..N / 64 {
                // Reduces 64 values to 32, 16, ... down to one vector, all in registers.
                let mut s: [F; 64 / LANES] = from_fn(|k| loadf(a, 64 * g + LANES * k));
                let mut n = 64 / LANES / 2;
                while n > 0 {
                    for k in 0..n {
                        s[k] = add(s[k], s[k + n]);
                    }
                    n /= 2;
                }
                b[g] = folded(s[0]).to_bits();
            }
        }

        #[target_feature(enable = $features)]
        pub fn histogram(a: &A, b: &mut B) {
            for g in 0..N / 64 {
                let mut s = [0u32; 64];
                for &x in &a[64 * g..64 * g + 64] {
                    s[(x & 63) as usize] += 1;
                }
                // Every workgroup adds to b[0..64]: one thread needs no atomics.
                for k in (0..64).step_by(LANES) {
                    let sum = iadd(load(b, k), load(&s, k));
                    store(b, k, sum);
                }
            }
        }

        /// `((c[n-1] * x + c[n-2]) * x + ...) + c[0]`.
        #[inline]
        #[target_feature(enable = $features)]
        fn horner<const K: usize>(x: F, c: [f32; K]) -> F {
            let mut sum = splat(c[K - 1]);
            for &k in c[..K - 1].iter().rev() {
                sum = fused(sum, x, splat(k));
            }
            sum
        }

        // The formulas of the shader maths in `quadrille_jit`, see its module `ops::approx`.

        #[inline]
        #[target_feature(enable = $features)]
        fn sin(x: F) -> F {
            let round = splat(ROUND);
            let n = fused(x, splat(std::f32::consts::FRAC_1_PI), round);
            let k = sub(n, round);
            let r = fused(k, splat(-std::f32::consts::PI), x);
            let r = fused(k, splat(8.742_278e-8), r);
            let limit = std::f32::consts::FRAC_PI_2 + 0.02;
            let r = min(max(splat(-limit), r), splat(limit));
            let z = mul(r, r);
            let q = horner(z, [-0.166_666_6, 8.333_046e-3, -1.980_716_3e-4, 2.599_041_6e-6]);
            let s = fused(mul(r, z), q, r);
            float(xor(bits(s), shl::<31>(bits(n))))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn exp2(x: F) -> F {
            let x = min(max(splat(-127.0), x), splat(128.0));
            let k = floor(x);
            let p = horner(sub(x, k), EXP2);
            let n = bits(add(k, splat(ROUND + 127.0)));
            mul(p, float(shl::<23>(n)))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn log2(x: F) -> F {
            let root_half = isplat(0x3f35_04f3);
            let moved = isub(bits(x), root_half);
            let e = to_float(sar::<23>(moved));
            let significand = iadd(and(moved, isplat(0x007f_ffff)), root_half);
            let f = sub(float(significand), splat(1.0));
            let r = fused(f, horner(f, LOG2), e);
            // Infinity, NaN, negative numbers and zero.
            let special = greater(iadd(bits(x), isplat(0x7f80_0000)), isplat(-0x0100_0001));
            if none([special; 2]) {
                return r;
            }
            let outside = select(less(x, splat(0.0)), splat(f32::NAN), splat(f32::NEG_INFINITY));
            select(special, select(less(x, splat(f32::MIN_POSITIVE)), outside, x), r)
        }

        #[target_feature(enable = $features)]
        pub fn transcendental(a: &A, b: &mut B) {
            for i in (0..N).step_by(LANES) {
                let x = loadf(a, i);
                let abs = float(and(bits(x), isplat(i32::MAX)));
                let pow = exp2(mul(splat(1.7), log2(add(abs, splat(0.5)))));
                let sum = add(sin(x), exp2(float(xor(bits(abs), isplat(i32::MIN)))));
                let sum = add(sum, log2(add(abs, splat(1.0))));
                storef(b, i, add(sum, pow));
            }
        }

        /// All kernels, in the order of the rows.
        pub const ALL: [Kernel; 10] =
            [saxpy, fma, mandelbrot, transcendental, gather, stencil, hash, collatz, reduce, histogram];
    };
}
