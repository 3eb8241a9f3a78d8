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

static LAST: std::sync::Mutex<f64> = std::sync::Mutex::new(0.0);

fn layout(n: usize) -> Layout {
    let bindings = (0..n as u32)
        .map(|b| BindingLayout { set: 0, binding: b, offset: b * DESCRIPTOR_BYTES, count: 1, dynamic: None })
        .collect();
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
    let clock = std::time::Instant::now();
    // SAFETY: the context names live memory of the stated sizes.
    let r = unsafe { f.call(&mut ctx, 0, job.groups.iter().product()) };
    *LAST.lock().unwrap() = clock.elapsed().as_secs_f64();
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

#[test]
fn adhoc() {
    let Ok(dir) = std::env::var("QTEST_SPV") else { return };
    let only = std::env::var("QTEST_ONLY").unwrap_or_default();
    let mut names: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    for p in names {
        let name = p.file_name().unwrap().to_string_lossy().to_string();
        if !name.contains(&only) {
            continue;
        }
        let bytes = std::fs::read(&p).unwrap();
        let words: Vec<u32> = bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        let t = std::time::Instant::now();
        let module = Module::parse(&words).unwrap();
        if module.entry_points()[0].stage != Stage::Compute {
            let e = &module.entry_points()[0];
            let sh = match module.lower(&e.name, e.stage, &[]) {
                Ok(s) => s,
                Err(e) => {
                    println!("{name}: lower {e}");
                    continue;
                }
            };
            let t1 = t.elapsed();
            let l = Layout {
                bindings: sh
                    .bindings
                    .iter()
                    .map(|b| BindingLayout {
                        set: b.set,
                        binding: b.binding,
                        offset: 0,
                        count: 1,
                        dynamic: None,
                    })
                    .collect(),
            };
            struct Any;
            impl ImageOps for Any {
                fn intern(&self, _: &ImageOp) -> Result<u32> {
                    Ok(1)
                }
            }
            for tier in [Tier::First, Tier::Optimized] {
                let opts =
                    CompileOptions { lanes: 8, tier, layout: &l, cpu: CpuLevel::Native, image_ops: &Any };
                let t = Cpu::now();
                let mut li = Listing::default();
                let r = compile_listed(&sh, &opts, Some(&mut li));
                std::fs::write(format!("/tmp/f_{name}_{tier:?}.asm"), &li.asm).unwrap();
                std::fs::write(format!("/tmp/f_{name}.ir"), &li.ir).unwrap();
                std::fs::write(format!("/tmp/f_{name}.clif"), &li.clif).unwrap();
                match r {
                    Ok(_) => println!("{name}: lower {t1:?} compile {tier:?} {:?}", t.elapsed()),
                    Err(e) => println!("{name}: {e}"),
                }
            }
            continue;
        }
        let buffers = (0..4)
            .map(|k| (0..4096u32).map(|i| i.wrapping_mul(2654435761 + k) >> (k * 9)).collect())
            .collect();
        println!("{name}");
        if let Err(e) = module.lower("main", Stage::Compute, &[]) {
            println!("   {e}");
            continue;
        }
        check(&name, &Job { words: &words, buffers, push: vec![16, 8, 5, 3, 1, 1], groups: [2, 2, 1] });
    }
}

#[test]
fn adhoc_time() {
    let Ok(path) = std::env::var("QTEST_TIME") else { return };
    let groups: u32 = std::env::var("QTEST_GROUPS").unwrap().parse().unwrap();
    let push: Vec<u32> = std::env::var("QTEST_PUSH")
        .unwrap_or_default()
        .split(',')
        .filter(|s| !s.is_empty())
        .map(|x| if x.contains('.') { x.parse::<f32>().unwrap().to_bits() } else { x.parse().unwrap() })
        .collect();
    let words_n: usize = std::env::var("QTEST_WORDS").unwrap_or("65536".into()).parse().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let words: Vec<u32> = bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    let shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
    let layout = layout(4);
    for tier in [Tier::First, Tier::Optimized] {
        let opts =
            CompileOptions { lanes: 8, tier, layout: &layout, cpu: CpuLevel::Native, image_ops: &NoImageOps };
        let mut l = Listing::default();
        let f = compile_listed(&shader, &opts, Some(&mut l)).unwrap();
        std::fs::write(format!("/tmp/q_{tier:?}.ir"), &l.ir).unwrap();
        std::fs::write(format!("/tmp/q_{tier:?}.clif"), &l.clif).unwrap();
        std::fs::write(format!("/tmp/q_{tier:?}.asm"), &l.asm).unwrap();
        let job = Job {
            words: &words,
            buffers: vec![vec![0x3f800000; words_n]; 4],
            push: push.clone(),
            groups: [groups, 1, 1],
        };
        run(&job, &f);
        let mut best = f64::MAX;
        for _ in 0..5 {
            run(&job, &f);
            best = best.min(*LAST.lock().unwrap());
        }
        println!("{tier:?}: {:.3} us per workgroup", best * 1e6 / groups as f64);
    }
}

struct Cpu(f64);
impl Cpu {
    fn now() -> Cpu {
        let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Cpu(t.tv_sec as f64 * 1e3 + t.tv_nsec as f64 / 1e6)
    }
    fn elapsed(&self) -> f64 {
        Cpu::now().0 - self.0
    }
}
