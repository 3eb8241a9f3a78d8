//! Speed of the generated code (chains of fused multiply-adds, a sine polynomial, the Mandelbrot set with masks) at
//! every level and width against Cranelift at 128 bits, and compilation time.
//!
//! The benchmarks measure the CPU time of their thread, so that other programs disturb little. Throughput counts
//! elements: multiply-adds, sines, iterations of a lane. `compile` counts CLIF instructions.

#[path = "../../jit/wide/tests/support/mod.rs"]
mod support;

use std::time::Duration;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, BlockArg, ConstantData, Endianness, Function, InstBuilder, MemFlagsData, Signature, Type,
    UserFuncName, Value, types,
};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use criterion::{BenchmarkId, Criterion, Throughput};
use quadrille_wide::{Compiler, Level, Options};
use support::Code;

/// Iterations per call.
const ROUNDS: i64 = 4096;
const CHAINS: usize = 12;
/// Maximum number of iterations per point.
const DEPTH: i64 = 256;

struct Kernel<'a> {
    fb: FunctionBuilder<'a>,
    memory: Value,
    rounds: Value,
    float: Type,
    int: Type,
}

impl Kernel<'_> {
    fn splat(&mut self, x: f32) -> Value {
        let c = self
            .fb
            .func
            .dfg
            .constants
            .insert(ConstantData::from(&x.to_le_bytes().repeat(self.float.bytes() as usize / 4)[..]));
        self.fb.ins().vconst(self.float, c)
    }
    fn ints(&mut self, x: u32) -> Value {
        let c = self
            .fb
            .func
            .dfg
            .constants
            .insert(ConstantData::from(&x.to_le_bytes().repeat(self.int.bytes() as usize / 4)[..]));
        self.fb.ins().vconst(self.int, c)
    }
    fn at(&mut self, i: Value) -> Value {
        // Read the same eight vectors of memory repeatedly.
        let seven = self.fb.ins().iconst(types::I64, 7);
        let n = self.fb.ins().band(i, seven);
        let shift = self.fb.ins().iconst(types::I64, i64::from(self.float.bytes().trailing_zeros()));
        let o = self.fb.ins().ishl(n, shift);
        self.fb.ins().iadd(self.memory, o)
    }

    /// `for i in 0..rounds`, with loop-carried values.
    fn rounds(
        &mut self,
        first: &[Value],
        body: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let (head, inside, end) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        let zero = self.fb.ins().iconst(types::I64, 0);
        let mut args: Vec<BlockArg> = vec![zero.into()];
        args.extend(first.iter().map(|&v| BlockArg::from(v)));
        self.fb.ins().jump(head, &args);
        let i = self.fb.append_block_param(head, types::I64);
        let types: Vec<Type> = first.iter().map(|&v| self.fb.func.dfg.value_type(v)).collect();
        let carried: Vec<Value> = types.iter().map(|&t| self.fb.append_block_param(head, t)).collect();
        self.fb.switch_to_block(head);
        let more = self.fb.ins().icmp(IntCC::SignedLessThan, i, self.rounds);
        self.fb.ins().brif(more, inside, &[], end, &[]);
        self.fb.switch_to_block(inside);
        let next = body(self, i, &carried);
        let one = self.fb.ins().iconst(types::I64, 1);
        let mut args: Vec<BlockArg> = vec![self.fb.ins().iadd(i, one).into()];
        args.extend(next.into_iter().map(BlockArg::from));
        self.fb.ins().jump(head, &args);
        self.fb.switch_to_block(end);
        carried
    }
}

fn le() -> MemFlagsData {
    MemFlagsData::new().with_endianness(Endianness::Little)
}
fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

fn build(bits: u32, isa: &OwnedTargetIsa, body: impl FnOnce(&mut Kernel)) -> Function {
    let mut sig = Signature::new(CallConv::SystemV);
    sig.params = vec![AbiParam::new(types::I64); 3];
    sig.returns.push(AbiParam::new(types::I64));
    let mut f = Function::with_name_signature(UserFuncName::user(0, 0), sig);
    let mut ctx = FunctionBuilderContext::new();
    let mut fb = FunctionBuilder::new(&mut f, &mut ctx);
    let entry = fb.create_block();
    fb.append_block_params_for_function_params(entry);
    fb.switch_to_block(entry);
    let p = fb.block_params(entry).to_vec();
    let lanes = bits / 32;
    let by = |t: Type| t.by(lanes).expect("a vector");
    let mut k = Kernel { fb, memory: p[0], rounds: p[1], float: by(types::F32), int: by(types::I32) };
    body(&mut k);
    k.fb.ins().return_(&[p[2]]);
    k.fb.seal_all_blocks();
    k.fb.finalize(isa.frontend_config());
    f
}

/// Independent chains of `a = a * x + y`.
fn fma(k: &mut Kernel) {
    let first: Vec<Value> =
        (0..CHAINS).map(|i| k.fb.ins().load(k.float, flags(), k.memory, 4 * i as i32)).collect();
    let (x, y) =
        (k.fb.ins().load(k.float, flags(), k.memory, 64), k.fb.ins().load(k.float, flags(), k.memory, 128));
    let last = k.rounds(&first, |k, _, a| a.iter().map(|&a| k.fb.ins().fma(a, x, y)).collect());
    for (i, v) in last.into_iter().enumerate() {
        k.fb.ins().store(flags(), v, k.memory, 1024 + 64 * i as i32);
    }
}

/// `sin` by a two-part range reduction and a polynomial.
fn sine(k: &mut Kernel) {
    k.rounds(&[], |k, i, _| {
        let p = k.at(i);
        let x = k.fb.ins().load(k.float, flags(), p, 0);
        let inverse = k.splat(std::f32::consts::FRAC_1_PI);
        let q = k.fb.ins().fmul(x, inverse);
        let q = k.fb.ins().nearest(q);
        let (a, b) = (k.splat(-3.140_625), k.splat(-9.676_536e-4));
        let r = k.fb.ins().fma(q, a, x);
        let r = k.fb.ins().fma(q, b, r);
        let s = k.fb.ins().fmul(r, r);
        let mut y = k.splat(2.601_903e-6);
        for c in [-1.980_741e-4, 8.333_025e-3, -0.166_666_58] {
            let c = k.splat(c);
            y = k.fb.ins().fma(y, s, c);
        }
        let t = k.fb.ins().fmul(s, r);
        let y = k.fb.ins().fma(y, t, r);
        let n = k.fb.ins().x86_cvtt2dq(k.int, q);
        let shift = k.fb.ins().iconst(types::I32, 31);
        let n = k.fb.ins().ishl(n, shift);
        let bits = k.fb.ins().bitcast(k.int, le(), y);
        let y = k.fb.ins().bxor(bits, n);
        k.fb.ins().store(flags(), y, p, 1024);
        vec![]
    });
}

/// Iterates until all points have escaped.
fn mandelbrot(k: &mut Kernel) {
    k.rounds(&[], |k, i, _| {
        let p = k.at(i);
        let (cx, cy) = (k.fb.ins().load(k.float, flags(), p, 0), k.fb.ins().load(k.float, flags(), p, 512));
        // The coordinates are so small that no point escapes: every lane iterates to the end.
        let tenth = k.splat(0.1);
        let (cx, cy) = (k.fb.ins().fmul(cx, tenth), k.fb.ins().fmul(cy, tenth));
        let (float, int) = (k.float, k.int);
        let (zero, count) = (k.splat(0.0), k.ints(0));
        let active = k.fb.ins().fcmp(FloatCC::Equal, cx, cx);
        let (head, inside, end) = (k.fb.create_block(), k.fb.create_block(), k.fb.create_block());
        let left = k.fb.ins().iconst(types::I64, DEPTH);
        k.fb.ins().jump(head, &[zero.into(), zero.into(), count.into(), active.into(), left.into()]);
        let [x, y] = [0; 2].map(|_| k.fb.append_block_param(head, float));
        let [count, active] = [0; 2].map(|_| k.fb.append_block_param(head, int));
        let left = k.fb.append_block_param(head, types::I64);
        k.fb.switch_to_block(head);
        let (xx, yy) = (k.fb.ins().fmul(x, x), k.fb.ins().fmul(y, y));
        let m = k.fb.ins().fadd(xx, yy);
        let four = k.splat(4.0);
        let small = k.fb.ins().fcmp(FloatCC::LessThan, m, four);
        let active = k.fb.ins().band(active, small);
        let any = k.fb.ins().vany_true(active);
        k.fb.ins().brif(any, inside, &[], end, &[]);
        k.fb.switch_to_block(inside);
        let one = k.ints(1);
        let more = k.fb.ins().iadd(count, one);
        let count2 = k.fb.ins().bitselect(active, more, count);
        let d = k.fb.ins().fsub(xx, yy);
        let x2 = k.fb.ins().fadd(d, cx);
        let t = k.fb.ins().fadd(x, x);
        let y2 = k.fb.ins().fma(t, y, cy);
        let mask = k.fb.ins().bitcast(float, le(), active);
        let x2 = k.fb.ins().bitselect(mask, x2, x);
        let y2 = k.fb.ins().bitselect(mask, y2, y);
        let one = k.fb.ins().iconst(types::I64, 1);
        let left = k.fb.ins().isub(left, one);
        k.fb.ins().brif(
            left,
            head,
            &[x2.into(), y2.into(), count2.into(), active.into(), left.into()],
            end,
            &[],
        );
        k.fb.switch_to_block(end);
        k.fb.ins().store(flags(), count, p, 1024);
        vec![]
    });
}

/// Straight-line code: many live values, arithmetic, comparisons and selections.
fn straight(k: &mut Kernel) {
    let mut live: Vec<Value> = (0..8).map(|i| k.fb.ins().load(k.float, flags(), k.memory, 64 * i)).collect();
    for i in 0..60 {
        let (a, b, c) = (live[i % 8], live[(i + 3) % 8], live[(i + 5) % 8]);
        let x = k.fb.ins().fma(a, b, c);
        let y = k.fb.ins().fmul(x, b);
        let m = k.fb.ins().fcmp(FloatCC::LessThan, x, y);
        let m = k.fb.ins().bitcast(k.float, le(), m);
        let z = k.fb.ins().bitselect(m, x, c);
        let one = k.splat(i as f32);
        live[i % 8] = k.fb.ins().fadd(z, one);
    }
    for (i, v) in live.into_iter().enumerate() {
        k.fb.ins().store(flags(), v, k.memory, 1024 + 64 * i as i32);
    }
}

/// CPU time of `n` runs.
fn on_processor<T>(n: u64, mut f: impl FnMut() -> T) -> Duration {
    let now = || {
        let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
    };
    let start = now();
    for _ in 0..n {
        std::hint::black_box(f());
    }
    now() - start
}

/// Variants of wide code to compile.
fn ways() -> Vec<(String, u32, Options)> {
    let mut all = Vec::new();
    let row = |level, bits, name: &str| (name.to_owned(), bits, Options { level, vnni: false, check: false });
    let levels = support::levels();
    if levels.contains(&Level::Avx2) {
        all.push(row(Level::Avx2, 256, "256 avx2"));
    }
    if levels.contains(&Level::Avx512) {
        all.push(row(Level::Avx512, 256, "256 avx512"));
        all.push(row(Level::Avx512, 512, "512"));
    }
    all
}

fn memory() -> Vec<u8> {
    (0..512).flat_map(|i: u32| (f32::sin(i as f32) * 1.2 - 0.3).to_le_bytes()).chain([0; 4096]).collect()
}

fn speed(c: &mut Criterion, name: &str, work: u64, kernel: fn(&mut Kernel)) {
    let isa = support::cranelift();
    let mut group = c.benchmark_group(name);
    let mut run = |way: &str, bits: u32, code: &[u8]| {
        let code = Code::new(code);
        let mut m = memory();
        group.throughput(Throughput::Elements(work * u64::from(bits / 32) * ROUNDS as u64));
        group.bench_function(BenchmarkId::from_parameter(way), |b| {
            b.iter_custom(|n| on_processor(n, || code.call(&mut m, ROUNDS, 0)))
        });
    };
    run("128 cranelift", 128, &support::by_cranelift(&isa, build(128, &isa, kernel)));
    for (way, bits, options) in ways() {
        let code = Compiler::new().compile(&build(bits, &isa, kernel), &options).expect("code");
        if std::env::args().any(|a| a == "--list-code") {
            println!("{name} {way}\n{}", support::listing(&code));
        }
        run(&way, bits, &code.bytes);
    }
    group.finish();
}

fn compile(c: &mut Criterion) {
    let isa = support::cranelift();
    let mut group = c.benchmark_group("compile");
    for (way, bits, options) in ways() {
        let f = build(bits, &isa, straight);
        group.throughput(Throughput::Elements(f.dfg.num_insts() as u64));
        let mut compiler = Compiler::new();
        let times = (0..50)
            .map(|_| compiler.compile(&f, &options).expect("code").times)
            .min_by_key(|t| t.select + t.allocate + t.emit);
        println!("{way}: {times:?}");
        group.bench_function(BenchmarkId::from_parameter(&way), |b| {
            b.iter_custom(|n| on_processor(n, || compiler.compile(&f, &options).expect("code").bytes.len()))
        });
    }
    let f = build(128, &isa, straight);
    group.throughput(Throughput::Elements(f.dfg.num_insts() as u64));
    group.bench_function("128 cranelift", |b| {
        b.iter_custom(|n| on_processor(n, || support::by_cranelift(&isa, f.clone()).len()))
    });
    group.finish();
}

fn main() {
    let mut c = Criterion::default().configure_from_args();
    speed(&mut c, "fma", CHAINS as u64, fma);
    speed(&mut c, "sine", 1, sine);
    speed(&mut c, "mandelbrot", DEPTH as u64, mandelbrot);
    compile(&mut c);
    c.final_summary();
}
