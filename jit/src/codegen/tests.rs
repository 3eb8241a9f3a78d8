//! Generated code against the interpreter, on whole modules.
#![expect(unsafe_code, reason = "calls lane functions")]

use std::sync::Arc;

use super::*;
use crate::abi::{BindingLayout, Ctx, DESCRIPTOR_BYTES, Descriptor, PUSH_BYTES};
use crate::spirv::Module;

/// A dispatch: buffers at set 0, binding 0 on.
struct Job<'a> {
    words: &'a [u32],
    buffers: Vec<Vec<u32>>,
    push: Vec<u32>,
    groups: [u32; 3],
}

fn layout(n: usize) -> Layout {
    let bindings = (0..n as u32).map(|b| BindingLayout::new(0, b, b * DESCRIPTOR_BYTES, 1)).collect();
    Layout { bindings }
}

fn run(job: &Job, f: &LaneFn) -> Vec<Vec<u32>> {
    let mut buffers: Vec<Vec<u32>> = job.buffers.clone();
    let sizes: Vec<u64> = buffers.iter().map(|b| 4 * b.len() as u64).collect();
    buffers.iter_mut().for_each(|b| b.resize(b.len() + 16, 0));
    let set: Vec<Descriptor> = buffers
        .iter_mut()
        .zip(&sizes)
        .map(|(b, &size)| Descriptor { ptr: b.as_mut_ptr() as u64, size })
        .collect();
    let mut push = [0u32; PUSH_BYTES / 4];
    push[..job.push.len()].copy_from_slice(&job.push);
    let stop = 0u32;
    let meta = f.meta();
    let mut scratch = vec![[0u128; 4]; meta.scratch_bytes / 64 + 1];
    let mut shared = vec![[0u128; 4]; meta.shared_bytes / 64 + 1];
    let align = |v: &mut Vec<[u128; 4]>| v.as_mut_ptr().cast::<u8>();
    // SAFETY: all zero is valid for the fields that compute does not use.
    let mut ctx: Ctx = unsafe { std::mem::zeroed() };
    ctx.sets = [set.as_ptr().cast(); 8];
    ctx.push = push.as_ptr().cast();
    ctx.stop = &stop;
    ctx.scratch = align(&mut scratch);
    ctx.shared = align(&mut shared);
    ctx.num_workgroups = job.groups;
    // SAFETY: the context names live memory of the stated sizes.
    let r = unsafe { f.call(&mut ctx, 0, job.groups.iter().product()) };
    assert_eq!(r, abi::DONE);
    buffers.iter_mut().zip(&sizes).for_each(|(b, s)| b.truncate(*s as usize / 4));
    buffers
}

/// All variants against the interpreter.
fn check(name: &str, job: &Job) {
    let module = Module::parse(job.words).unwrap();
    let shader = module.lower("main", Stage::Compute, &[]).unwrap();
    let layout = layout(job.buffers.len());
    for lanes in [8, 4, 16, 32] {
        if lanes != 8 && shader.observes_subgroup {
            continue;
        }
        let slow = crate::interp::build(Arc::new(shader.clone()), &layout, lanes, &NoImageOps).unwrap();
        let want = run(job, &slow);
        for tier in [Tier::First, Tier::Optimized] {
            for cpu in CpuLevel::ALL {
                let opts = CompileOptions { lanes, tier, layout: &layout, cpu, image_ops: &NoImageOps };
                let f = compile(&shader, &opts).unwrap_or_else(|e| panic!("{name}: {e}"));
                let got = run(job, &f);
                for (k, (g, w)) in got.iter().zip(&want).enumerate() {
                    if let Some(i) = (0..g.len()).find(|&i| g[i] != w[i]) {
                        panic!(
                            "{name}: buffer {k}, word {i}: {:#x}, interpreter {:#x} (S = {lanes}, {tier:?}, {cpu:?})",
                            g[i], w[i]
                        );
                    }
                }
            }
        }
    }
}

/// Runs a module of `testdata` on some numbers.
fn check_text(name: &str, text: &str) {
    let words = crate::spirv::asm::assemble(text).unwrap();
    let buffers = vec![(0..256u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect(), vec![0; 256]];
    check(name, &Job { words: &words, buffers, push: Vec::new(), groups: [3, 1, 1] });
}

#[test]
fn divergent_control_flow() {
    check_text("divergent.comp", include_str!("testdata/divergent.spvasm"));
}

#[test]
fn barriers_in_a_loop() {
    check_text("barrier.comp", include_str!("testdata/barrier.spvasm"));
}
