//! Malformed modules: real modules, truncated, or with flipped bits, or with words changed, swapped, removed or
//! repeated. Modules that the front end accepts are compiled and run briefly.

use std::sync::Arc;
use std::time::Duration;

use quadrille_jit::abi::interface_words;
use quadrille_jit::ir::{Interface, Shader, Stage, StageKind};
use quadrille_jit::{CpuLevel, Error, Tier, spirv};

use crate::lanes::{self, Buffer, Given, Job, Records, Variant, Work};
use crate::random::Random;

/// Outcome for a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The parser refused it.
    Unparsed,
    /// Lowering refused it.
    Unlowered,
    /// The code generator refused it.
    Uncompiled,
    /// It ran to its end.
    Ran,
    /// It was stopped.
    Stopped,
}

/// Changes a module slightly, in one to four places.
pub fn mutate(words: &[u32], r: &mut Random) -> Vec<u32> {
    let mut out = words.to_vec();
    for _ in 0..r.below(4) + 1 {
        if out.is_empty() {
            break;
        }
        let n = out.len();
        // Mutations rarely hit the header, which is of little interest.
        let at = if r.one_in(50) { r.below(n) } else { (5 + r.below(n)).min(n - 1) };
        match r.below(12) {
            0 | 1 => out[at] ^= 1 << r.below(32),
            2 | 3 => out[at] = r.below(n) as u32,
            4 => out[at] = r.bits() as u32,
            5 => out[at] = *r.pick(&[0, 1, u32::MAX, 0x8000_0000, 0x7fff_ffff, 64, 65535]),
            6 => out[at] = out[r.below(n)],
            7 => {
                let other = r.below(n);
                out.swap(at, other);
            }
            8 => {
                // Replaces the opcode and keeps the length.
                let op = r.below(450) as u32;
                out[at] = (out[at] & 0xffff_0000) | op;
            }
            9 => {
                let end = (at + 1 + r.below(6)).min(n);
                out.drain(at..end);
            }
            10 => {
                let end = (at + 1 + r.below(6)).min(n);
                let copy = out[at..end].to_vec();
                let to = r.below(n);
                out.splice(to..to, copy);
            }
            _ if r.one_in(4) => out.truncate(at),
            _ => out[at] = out[at].wrapping_add(if r.one_in(2) { 1 } else { u32::MAX }),
        }
    }
    out
}

/// Parses, lowers, compiles and runs a module.
///
/// # Errors
/// An internal error, such as a panic, which must not occur.
pub fn survive(words: &[u32], r: &mut Random) -> Result<Fate, String> {
    let internal = |e: &Error| matches!(e, Error::Internal(_)).then(|| e.to_string());
    let module = match spirv::Module::parse(words) {
        Ok(m) => m,
        Err(e) => return internal(&e).map_or(Ok(Fate::Unparsed), Err),
    };
    let mut fate = Fate::Unlowered;
    for entry in module.entry_points() {
        let shader = match module.lower(&entry.name, entry.stage, &[]) {
            Ok(s) => Arc::new(s),
            Err(e) => match internal(&e) {
                Some(e) => return Err(e),
                None => continue,
            },
        };
        fate = Fate::Uncompiled;
        let Some(job) = job(&shader, r) else { continue };
        let layout = lanes::layout(&job.buffers);
        let tier = if r.one_in(2) { Tier::First } else { Tier::Optimized };
        let lanes = *r.pick(&[4, 8, 16, 32]);
        for code in [Some((tier, CpuLevel::host())), None] {
            let variant = Variant { lanes, code, verifies: code.is_some() && lanes == 16 };
            let f = match lanes::build(&shader, &layout, variant) {
                Ok(f) => f,
                Err(e) => match internal(&e) {
                    Some(e) => return Err(e),
                    None => continue,
                },
            };
            match lanes::run_for(&shader, &f, &job, Duration::from_millis(200)) {
                Ok(_) => fate = Fate::Ran,
                Err(Error::DeviceLost(_)) => fate = Fate::Stopped,
                Err(e) => {
                    if let Some(e) = internal(&e) {
                        return Err(e);
                    }
                }
            }
        }
    }
    Ok(fate)
}

/// Makes a job with a buffer for each binding. Returns `None` if the shader needs images, or an unreasonable amount of
/// memory.
fn job(shader: &Shader, r: &mut Random) -> Option<Job> {
    let mut buffers = Vec::new();
    for b in &shader.bindings {
        use quadrille_jit::ir::ResourceKind::{StorageBuffer, UniformBuffer};
        if !matches!(b.kind, StorageBuffer | UniformBuffer) || b.count != 1 || b.size > 1 << 20 {
            return None;
        }
        let bytes = (0..(b.size as usize).next_multiple_of(16) + 256).map(|_| r.bits() as u8).collect();
        buffers.push(Buffer { set: b.set, binding: b.binding, bytes });
    }
    let work = match shader.stage {
        Stage::Compute => {
            let size: u64 = shader.local_size.iter().map(|n| u64::from(*n)).product();
            if size == 0 || size > 1024 || shader.shared_size > 1 << 20 {
                return None;
            }
            Work::Compute([1, 1, 1])
        }
        Stage::Vertex
        | Stage::RayGeneration
        | Stage::Intersection
        | Stage::AnyHit
        | Stage::ClosestHit
        | Stage::Miss
        | Stage::Callable => {
            let words = interface_words(&shader.inputs) as usize;
            Work::Vertex { count: 3, input: vec![vec![1; words]; 3] }
        }
        Stage::Fragment => Work::Fragment {
            width: 8,
            height: 4,
            covered: Vec::new(),
            planes: vec![[1.0, 0.5, 0.25]; shader.inputs.len()],
            inv_w: [1.0, 0.0, 0.0],
        },
        Stage::TessellationControl => {
            Work::Patches { size: 3, count: 2, vertices: records(&shader.inputs, 6) }
        }
        Stage::TessellationEvaluation => Work::Points {
            vertices: records(&shader.inputs, 3),
            patch: records(&shader.patch_inputs, 1),
            coords: (0..11).map(|i| [0.125 * i as f32, 0.5, 0.25]).collect(),
        },
        Stage::Task => Work::Tasks([2, 1, 1]),
        Stage::Mesh => Work::Meshes { groups: [2, 1, 1], payload: vec![1; shader.payload_size as usize] },
        Stage::Geometry => {
            let StageKind::Geometry(modes) = shader.kind else { return None };
            // Emitted vertices need memory.
            let words = u64::from(interface_words(&shader.outputs)) * u64::from(modes.max_vertices);
            if words * u64::from(modes.invocations) > 1 << 20 {
                return None;
            }
            Work::Primitives { count: 3, vertices: records(&shader.inputs, 3 * modes.input.vertices()) }
        }
    };
    Some(Job { buffers, descriptors: Vec::new(), push: vec![1; 128], work, given: Given::default() })
}

/// Returns `count` records for vertices, or one for a patch, in which every word is 1.0.
fn records(list: &[Interface], count: u32) -> Records {
    let n = interface_words(list) as usize;
    Records { there: vec![true; n], words: vec![vec![0x3f80_0000; n]; count as usize] }
}
