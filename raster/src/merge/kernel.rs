//! Merge kernels: generated functions over runs of stamps, interned by what they do.
//!
//! A kernel exists for states whose attachments are all of formats that `emit` knows; others, and
//! those that ask for it, take the scalar path. A kernel assumes that the whole tile can be read
//! and written: see [`crate::tile`] for tiles that stick out of the render area.

use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock};

use quadrille_jit::abi::{Plane, Stamp};
use quadrille_jit::cpu::{CpuLevel, Tier};
use quadrille_jit::error::Result;
use quadrille_jit::lane::{Kernel, build_kernel};

use super::emit;
use super::scalar::LateDepth;
#[cfg(target_arch = "x86_64")]
use super::wide;
use super::{MergeRun, MergeState};
use crate::limits::MAX_COLOR_TARGETS;
use crate::target::TileMemory;

/// What a kernel is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Job {
    /// Depth test before the fragment stage; removes stamps without lanes.
    Early {
        /// Depth is written too.
        write: bool,
    },
    /// Depth as asked for, then colours.
    Late(LateDepth),
}

/// Everything a kernel depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub lanes: u32,
    pub job: Job,
    pub merge: MergeState,
}

/// Arguments of kernels; generated code takes its offsets from here.
#[repr(C)]
pub(crate) struct Args {
    pub stamps: *mut Stamp,
    pub masks: *mut u32,
    pub output: *const u32,
    /// Stamps; early kernels leave the number that remain.
    pub count: u32,
    /// Left column of the tile.
    pub tile_x: i32,
    /// Top row of the tile.
    pub tile_y: i32,
    pub pad: u32,
    pub colors: [TileMemory; MAX_COLOR_TARGETS],
    pub depth: TileMemory,
    pub stencil: TileMemory,
    pub constants: [f32; 4],
    pub z: Plane,
    pub origin: [f32; 2],
    pub depth_range: [f32; 2],
    pub depth_bounds: [f32; 2],
    pub stencil_compare_mask: u32,
    pub stencil_write_mask: u32,
    pub stencil_reference: u32,
}

/// Offset of a colour attachment's memory in [`Args`].
pub(crate) fn color_offset(i: usize) -> i32 {
    (offset_of!(Args, colors) + i * size_of::<TileMemory>()) as i32
}

/// The kernels of a draw state for one lane group size.
#[derive(Clone, Default)]
pub(crate) struct Kernels {
    /// Of front and back faces.
    early: [Option<Kernel>; 2],
    /// Likewise.
    late: [Option<Kernel>; 2],
    /// Takes the place of `late`.
    #[cfg(target_arch = "x86_64")]
    wide: Option<wide::Bytes>,
}

impl std::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernels {{ early: {}, late: {} }}", self.early[0].is_some(), self.late[0].is_some())
    }
}

/// Every kernel made so far.
static INTERNED: OnceLock<Mutex<HashMap<Key, Kernel>>> = OnceLock::new();

fn intern(key: Key) -> Result<Kernel> {
    let table = INTERNED.get_or_init(Mutex::default);
    if let Some(k) = table.lock().ok().and_then(|t| t.get(&key).cloned()) {
        return Ok(k);
    }
    let kernel =
        build_kernel(key.lanes, CpuLevel::current(), Tier::Optimized, |b, args| emit::kernel(b, args, &key))?;
    if let Ok(mut t) = table.lock() {
        t.insert(key, kernel.clone());
    }
    Ok(kernel)
}

impl Kernels {
    /// The kernels for a state; `None` where the scalar path has to do.
    pub fn new(
        m: &MergeState,
        lanes: u32,
        early: Option<bool>,
        late: LateDepth,
    ) -> Result<Option<Arc<Kernels>>> {
        if !emit::supports(m, lanes) {
            return Ok(None);
        }
        let make = |job: Job, face: usize| {
            let mut merge = MergeState { alpha: None, ..m.clone() };
            merge.stencil = m.stencil.map(|faces| [faces[face]; 2]);
            match job {
                Job::Early { .. } => {
                    merge.colors.clear();
                    (merge.words, merge.frag_depth, merge.sample_mask) = (0, None, None);
                    merge.stencil_ref = None;
                }
                Job::Late(d) => {
                    if !d.test {
                        (merge.stencil, merge.stencil_ref, merge.depth_bounds) = (None, None, false);
                        merge.depth_test = false;
                    }
                    if !d.test && !d.write {
                        (merge.depth_format, merge.frag_depth) = (None, None);
                    }
                }
            }
            intern(Key { lanes, job, merge })
        };
        let faces = |job: Option<Job>| -> Result<[Option<Kernel>; 2]> {
            let Some(job) = job else { return Ok([None, None]) };
            let front = make(job.clone(), 0)?;
            let back = if m.stencil.is_some() { make(job, 1)? } else { front.clone() };
            Ok([Some(front), Some(back)])
        };
        #[cfg(target_arch = "x86_64")]
        let wide = emit::plain_bytes(m, lanes, late)
            .filter(|_| CpuLevel::current() >= CpuLevel::V3 && std::arch::is_x86_feature_detected!("avx2"));
        #[cfg(not(target_arch = "x86_64"))]
        let wide: Option<()> = None;
        let merges = late.test || late.write || m.writes_color() || m.sample_mask.is_some();
        Ok(Some(Arc::new(Kernels {
            early: faces(early.map(|write| Job::Early { write }))?,
            late: faces((merges && wide.is_none()).then_some(Job::Late(late)))?,
            #[cfg(target_arch = "x86_64")]
            wide,
        })))
    }

    /// As [`super::scalar::early_tests`], and stamps without lanes are removed.
    pub fn early(&self, run: &MergeRun<'_>, stamps: &mut Vec<Stamp>) {
        let Some(k) = &self.early[usize::from(run.back)] else { return };
        let mut args = arguments(run, stamps.as_mut_ptr(), stamps.len());
        call(k, &mut args);
        stamps.truncate(args.count as usize);
    }

    /// As [`super::scalar::merge`].
    pub fn late(&self, run: &MergeRun<'_>, stamps: &[Stamp], masks: &mut [u32], output: &[u32], words: u32) {
        assert!(masks.len() >= stamps.len(), "a mask per stamp");
        assert!(output.len() >= stamps.len() * (words * run.lanes) as usize, "a row per output");
        let mut args = arguments(run, stamps.as_ptr().cast_mut(), stamps.len());
        args.masks = masks.as_mut_ptr();
        args.output = output.as_ptr();
        #[cfg(target_arch = "x86_64")]
        if let Some(w) = &self.wide {
            // SAFETY: the host has AVX2, or there would be none; the arguments are those of a kernel.
            #[expect(unsafe_code, reason = "calls code for a host feature")]
            unsafe {
                wide::merge(&args, w);
            }
            return;
        }
        if let Some(k) = &self.late[usize::from(run.back)] {
            call(k, &mut args);
        }
    }
}

fn arguments(run: &MergeRun<'_>, stamps: *mut Stamp, count: usize) -> Args {
    Args {
        stamps,
        masks: ptr::null_mut(),
        output: ptr::null(),
        count: count as u32,
        tile_x: run.tile[0],
        tile_y: run.tile[1],
        pad: 0,
        colors: *run.memory_colors,
        depth: run.memory_depth,
        stencil: run.memory_stencil,
        constants: run.constants,
        z: run.z,
        origin: run.origin,
        depth_range: run.depth_range,
        depth_bounds: run.depth_bounds,
        stencil_compare_mask: run.stencil_dynamic.compare_mask,
        stencil_write_mask: run.stencil_dynamic.write_mask,
        stencil_reference: run.stencil_dynamic.reference,
    }
}

fn call(kernel: &Kernel, args: &mut Args) {
    // SAFETY: stamps, masks and output have the sizes that the callers checked; the attachments of a
    // run whose state has kernels hold a whole tile each, and stamps lie inside that tile.
    #[expect(unsafe_code, reason = "calls generated code")]
    unsafe {
        (kernel.entry())(ptr::from_mut(args).cast::<c_void>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::merge::ColorMerge;
    use crate::state::BlendState;

    /// Writes a kernel's code to a file named by `DUMP`.
    #[test]
    #[ignore = "writes a file"]
    fn dump() {
        let color = ColorMerge {
            target: 0,
            format: Format::R8G8B8A8_UNORM,
            words: [Some(0), Some(1), Some(2), Some(3)],
            words1: [None; 4],
            blend: BlendState::default(),
            logic_op: None,
            alpha_to_one: false,
        };
        let m = MergeState { colors: vec![color], words: 4, ..MergeState::default() };
        let key = Key { lanes: 8, job: Job::Late(LateDepth { test: false, write: false }), merge: m };
        let k = intern(key).unwrap();
        // SAFETY: the block is at least this long in its arena.
        #[expect(unsafe_code, reason = "reads code")]
        let code = unsafe { std::slice::from_raw_parts(k.entry() as *const u8, 1400) };
        std::fs::write(std::env::var("DUMP").unwrap(), code).unwrap();
    }
}
