//! Merge kernels: generated functions over runs of stamps, kept by what they do.
//!
//! A kernel exists for states whose attachments are all of formats that `emit` knows; others, and
//! those that ask for it, take the scalar path. A kernel assumes that the whole tile can be read
//! and written: see [`crate::tiles::tile`] for tiles that stick out of the render area.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::sync::Arc;

use quadrille_jit::abi::{Plane, Stamp};
use quadrille_jit::error::Result;
use quadrille_jit::lane::Kernel;

use super::MergeState;
use super::emit;
use super::scalar::LateDepth;
#[cfg(target_arch = "x86_64")]
use super::{wide, wide_depth};
use crate::kernels::KernelTable;
use crate::limits::MAX_COLOR_TARGETS;
use crate::memory::target::TileMemory;
use crate::state::StencilDynamic;

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

impl Args {
    /// Arguments without attachments, on the tile at `tile`.
    pub fn new([tile_x, tile_y]: [i32; 2]) -> Args {
        Args {
            stamps: ptr::null_mut(),
            masks: ptr::null_mut(),
            output: ptr::null(),
            count: 0,
            tile_x,
            tile_y,
            pad: 0,
            colors: [TileMemory::NONE; MAX_COLOR_TARGETS],
            depth: TileMemory::NONE,
            stencil: TileMemory::NONE,
            constants: [0.0; 4],
            z: Plane::default(),
            origin: [0.0; 2],
            depth_range: [f32::NEG_INFINITY, f32::INFINITY],
            depth_bounds: [0.0, 1.0],
            stencil_compare_mask: 0,
            stencil_write_mask: 0,
            stencil_reference: 0,
        }
    }

    /// Takes over stencil masks and reference of a face.
    pub fn face(&mut self, d: &StencilDynamic) {
        self.stencil_compare_mask = d.compare_mask;
        self.stencil_write_mask = d.write_mask;
        self.stencil_reference = d.reference;
    }
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
    /// Takes the place of `early`.
    #[cfg(target_arch = "x86_64")]
    wide_early: Option<wide_depth::DepthTest>,
}

impl std::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernels {{ early: {}, late: {} }}", self.early[0].is_some(), self.late[0].is_some())
    }
}

fn intern(table: &KernelTable<Key>, key: Key) -> Result<Kernel> {
    let lanes = key.lanes;
    table.get(key, lanes, emit::kernel)
}

impl Kernels {
    /// The kernels for a state; `None` where the scalar path has to do.
    pub fn new(
        table: &KernelTable<Key>,
        m: &MergeState,
        lanes: u32,
        early: Option<bool>,
        late: LateDepth,
    ) -> Result<Option<Arc<Kernels>>> {
        if !emit::supports(m, lanes) {
            return Ok(None);
        }
        let key = |job: Job, face: usize| {
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
            Key { lanes, job, merge }
        };
        let make = |job: Job, face: usize| intern(table, key(job, face));
        let faces = |job: Option<Job>| -> Result<[Option<Kernel>; 2]> {
            let Some(job) = job else { return Ok([None, None]) };
            let front = make(job.clone(), 0)?;
            let back = if m.stencil.is_some() { make(job, 1)? } else { front.clone() };
            Ok([Some(front), Some(back)])
        };
        #[cfg(target_arch = "x86_64")]
        let avx2 = table.cpu().has_fma();
        #[cfg(target_arch = "x86_64")]
        let wide = emit::plain_bytes(m, lanes, late).filter(|_| avx2);
        #[cfg(target_arch = "x86_64")]
        let wide_early = early.and_then(|write| wide_depth::DepthTest::of(m, lanes, write)).filter(|_| avx2);
        #[cfg(target_arch = "x86_64")]
        {
            let late = wide.is_some().then_some(Job::Late(late));
            let early = early.filter(|_| wide_early.is_some()).map(|write| Job::Early { write });
            late.into_iter().chain(early).for_each(|job| table.note_by_hand(key(job, 0)));
        }
        #[cfg(not(target_arch = "x86_64"))]
        let wide: Option<()> = None;
        let merges = late.test || late.write || m.writes_color() || m.sample_mask.is_some();
        Ok(Some(Arc::new(Kernels {
            early: faces(early.map(|write| Job::Early { write }))?,
            late: faces((merges && wide.is_none()).then_some(Job::Late(late)))?,
            #[cfg(target_arch = "x86_64")]
            wide,
            #[cfg(target_arch = "x86_64")]
            wide_early,
        })))
    }

    /// As [`super::scalar::early_tests`] for stamps from number `first` on, and those without lanes are
    /// removed.
    pub fn early(&self, args: &mut Args, back: bool, stamps: &mut Vec<Stamp>, first: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(d) = &self.wide_early {
            // SAFETY: the host has AVX2, or there would be none; the arguments are those of a kernel.
            #[expect(unsafe_code, reason = "calls code for a host feature")]
            let n = unsafe { d.stamps(args, &mut stamps[first..]) };
            stamps.truncate(first + n);
            return;
        }
        let Some(k) = &self.early[usize::from(back)] else { return };
        let run = &mut stamps[first..];
        (args.stamps, args.count) = (run.as_mut_ptr(), run.len() as u32);
        call(k, args);
        stamps.truncate(first + args.count as usize);
    }

    /// The same for samples with arguments and masks each: lanes that fail are taken from the masks, stamps
    /// stay. False if it has to be done sample by sample.
    pub fn early_samples(
        &self,
        args: &mut [Args],
        stamps: &[Stamp],
        masks: &mut [impl AsMut<[u32]>],
    ) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Some(d) = &self.wide_early {
            for (args, masks) in args.iter().zip(masks) {
                // SAFETY: the host has AVX2, or there would be none; the arguments are those of a kernel.
                #[expect(unsafe_code, reason = "calls code for a host feature")]
                unsafe {
                    d.masks(args, stamps, masks.as_mut());
                }
            }
            return true;
        }
        let _ = (args, stamps, masks);
        false
    }

    /// As [`super::scalar::merge`], for samples with arguments and masks each; `words` rows of `lanes`
    /// words are the output of a stamp.
    pub fn late(
        &self,
        args: &mut [Args],
        back: bool,
        stamps: &[Stamp],
        masks: &mut [impl AsMut<[u32]>],
        output: &[u32],
        (words, lanes): (u32, u32),
    ) {
        assert!(output.len() >= stamps.len() * (words * lanes) as usize, "a row per output");
        assert!(args.len() == masks.len(), "masks per sample");
        for (args, masks) in args.iter_mut().zip(masks) {
            let masks = masks.as_mut();
            assert!(masks.len() >= stamps.len(), "a mask per stamp");
            (args.stamps, args.count) = (stamps.as_ptr().cast_mut(), stamps.len() as u32);
            args.masks = masks.as_mut_ptr();
            args.output = output.as_ptr();
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(w) = &self.wide {
            // SAFETY: the host has AVX2, or there would be none; the arguments are those of a kernel.
            #[expect(unsafe_code, reason = "calls code for a host feature")]
            unsafe {
                wide::merge(args, w);
            }
            return;
        }
        if let Some(k) = &self.late[usize::from(back)] {
            args.iter_mut().for_each(|args| call(k, args));
        }
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
