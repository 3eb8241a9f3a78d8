//! Merge kernels: generated functions over runs of stamps, kept by what they do.
//!
//! A kernel exists for states whose attachments are all of formats that `emit` knows; others, and
//! those that ask for it, take the scalar path. A kernel assumes that the whole tile can be read
//! and written: see [`crate::tiles::tile`] for tiles that stick out of the render area.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use quadrille_jit::abi::Stamp;
use quadrille_jit::error::Result;
use quadrille_jit::lane::Kernel;

use super::MergeState;
pub(crate) use super::args::{Args, Job, Key};
use super::emit;
use super::scalar::LateDepth;
#[cfg(target_arch = "x86_64")]
use super::{wide, wide_depth};
use crate::activity::Activity;
use crate::kernels::KernelTable;

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
        let _activity = Activity::Merge.begin();
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
        let _activity = Activity::Merge.begin();
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
        let _activity = Activity::Merge.begin();
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
