//! Runs a compute shader in every variant: the interpreter, and generated code of both tiers at every lane count.

#![expect(unsafe_code, reason = "calls lane functions")]
#![allow(dead_code, reason = "each test uses only part of this module")]

pub mod parts;

use std::sync::Arc;

use quadrille_jit::abi::{BASE_BYTES, BindingLayout, Ctx, DESCRIPTOR_BYTES, DONE, Descriptor, Layout};
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{self, CompileOptions, NoImageOps};
use quadrille_jit::guarded::Guarded;
use quadrille_jit::ir::{Shader, Stage};
use quadrille_jit::spirv::{Module, asm};
use quadrille_jit::{CpuLevel, Tier, interp};

pub fn module(text: &str) -> Module {
    let words = asm::assemble(text).unwrap_or_else(|e| panic!("{e}"));
    Module::parse(&words).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs one workgroup with storage buffers at set 0, bindings 0, 1, ... Each ends at an inaccessible page, except that it
/// has at least [`BASE_BYTES`].
fn run(f: &LaneFn, buffers: &mut [Vec<u32>]) {
    let memory: Vec<Guarded> = buffers
        .iter()
        .map(|b| {
            let size = size_of_val(b.as_slice());
            let memory =
                Guarded::new(size, BASE_BYTES.saturating_sub(size), 16).expect("memory is available");
            // SAFETY: the memory is new and has the size of the buffer.
            unsafe { memory.as_ptr().cast::<u32>().copy_from_nonoverlapping(b.as_ptr(), b.len()) };
            memory
        })
        .collect();
    let set: Vec<Descriptor> = memory
        .iter()
        .zip(&*buffers)
        .map(|(m, b)| Descriptor { ptr: m.as_ptr() as u64, size: b.len() as u64 * 4 })
        .collect();
    let mut shared = vec![0u64; f.meta().shared_bytes / 8 + 8];
    let mut scratch = vec![0u128; f.meta().scratch_bytes / 16 + 8];
    let push = [0u128; 16];
    let stop = 0u32;
    // SAFETY: `Ctx` consists of integers, floats and raw pointers, for which all zeros is a valid value.
    let mut ctx: Ctx = unsafe { std::mem::zeroed() };
    let align = |p: *mut u8| p.wrapping_add(p.align_offset(64));
    scratch.resize(scratch.len() + 8, 0);
    shared.resize(shared.len() + 16, 0);
    ctx.sets[0] = set.as_ptr().cast();
    ctx.push = push.as_ptr().cast();
    ctx.shared = align(shared.as_mut_ptr().cast());
    ctx.scratch = align(scratch.as_mut_ptr().cast());
    ctx.stop = &raw const stop;
    ctx.num_workgroups = [1; 3];
    // SAFETY: buffers, set, scratch and workgroup memory live until the call returns and have the sizes in `f.meta()`.
    let done = unsafe { f.call(&mut ctx, 0, 1) };
    assert_eq!(done, DONE);
    for (m, b) in memory.iter().zip(buffers) {
        // SAFETY: the memory has the size of the buffer, and the call has returned.
        unsafe { b.as_mut_ptr().copy_from_nonoverlapping(m.as_ptr().cast(), b.len()) };
    }
}

/// Runs a shader in every variant; all variants must leave the same contents in the buffers.
pub fn run_all(shader: Shader, buffers: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let binding = |b| BindingLayout::new(0, b, b * DESCRIPTOR_BYTES, 1);
    let layout = Layout { bindings: (0..buffers.len() as u32).map(binding).collect() };
    let shader = Arc::new(shader);
    let mut first: Option<Vec<Vec<u32>>> = None;
    for lanes in [4, 8, 16, 32] {
        let mut ways =
            vec![("interpreter", interp::build(shader.clone(), &layout, lanes, &NoImageOps).unwrap())];
        for (name, tier) in [("first tier", Tier::First), ("second tier", Tier::Optimized)] {
            let opts = CompileOptions {
                lanes,
                tier,
                layout: &layout,
                cpu: CpuLevel::current(),
                image_ops: &NoImageOps,
                missing: false,
            };
            ways.push((name, codegen::compile(&shader, &opts).unwrap_or_else(|e| panic!("{e}"))));
        }
        for (name, f) in ways {
            let mut out = buffers.to_vec();
            run(&f, &mut out);
            match &first {
                None => first = Some(out),
                Some(want) => assert_eq!(want, &out, "{name}, {lanes} lanes\n{shader}"),
            }
        }
    }
    first.unwrap()
}

/// Runs a module's `main`, see [`run_all`].
pub fn compute(text: &str, spec: &[(u32, u64)], buffers: &[Vec<u32>]) -> Vec<Vec<u32>> {
    run_all(module(text).lower("main", Stage::Compute, spec).unwrap_or_else(|e| panic!("{e}")), buffers)
}
