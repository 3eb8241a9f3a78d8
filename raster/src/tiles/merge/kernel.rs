//! Merge kernels: generated functions over runs of stamps, cached by key.
//!
//! Kernels exist for states whose attachment formats `emit` supports. All other states, and those with `scalar_merge`,
//! use the scalar merge. A kernel requires that the whole tile can be read and written: [`crate::memory::target`]
//! provides copies of tiles that extend beyond the render area. The code of kernels is left to [`super::emit`].

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
use crate::activity::Activity;
use crate::kernels::KernelTable;

/// The kernels of a draw state for one lane group size.
#[derive(Clone, Default)]
pub(crate) struct Kernels {
    /// Early tests of front and back faces; with several samples, for the masks of one of them.
    early: [Option<Kernel>; 2],
    /// True if pixels have several samples.
    several: bool,
    /// Late tests and merge of front and back faces.
    late: [Option<Kernel>; 2],
    /// Merge of all samples at once, without tests; replaces `late`.
    samples: Option<Kernel>,
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
    /// Returns the kernels for a state, with `several` samples or one; `None` if only the scalar merge supports it.
    pub fn new(
        table: &KernelTable<Key>,
        m: &MergeState,
        lanes: u32,
        early: Option<bool>,
        late: LateDepth,
        several: bool,
    ) -> Result<Option<Arc<Kernels>>> {
        if !emit::supports(m, lanes) {
            return Ok(None);
        }
        let key = |job: Job, face: usize| {
            let mut merge = MergeState { alpha: None, ..m.clone() };
            merge.stencil = m.stencil.map(|faces| [faces[face]; 2]);
            match job {
                Job::Early { .. } | Job::EarlyOfSample { .. } => {
                    merge.colors.clear();
                    (merge.words, merge.frag_depth, merge.sample_mask) = (0, None, None);
                    merge.stencil_ref = None;
                }
                Job::Samples => {
                    (merge.stencil, merge.stencil_ref, merge.depth_bounds) = (None, None, false);
                    (merge.depth_test, merge.depth_format, merge.frag_depth) = (false, None, None);
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
        let merges = late.test || late.write || m.writes_color() || m.sample_mask.is_some();
        let at_once = several && !late.test && !late.write && m.sample_mask.is_none();
        let test = |write| if several { Job::EarlyOfSample { write } } else { Job::Early { write } };
        Ok(Some(Arc::new(Kernels {
            early: faces(early.map(test))?,
            several,
            late: faces((merges && !at_once).then_some(Job::Late(late)))?,
            samples: if merges && at_once { Some(make(Job::Samples, 0)?) } else { None },
        })))
    }

    /// True if the kernels are made for several samples per pixel.
    pub fn several(&self) -> bool {
        self.several
    }

    /// Like [`super::scalar::early_tests`], for stamps from number `first` on; removes stamps without lanes. Pixels have one
    /// sample.
    pub fn early(&self, args: &mut Args, back: bool, stamps: &mut Vec<Stamp>, first: usize) {
        let _activity = Activity::Merge.begin();
        assert!(!self.several, "the kernel tests masks of samples");
        let Some(k) = &self.early[usize::from(back)] else { return };
        let run = &mut stamps[first..];
        (args.stamps, args.count) = (run.as_mut_ptr(), run.len() as u32);
        call(k, args);
        stamps.truncate(first + args.count as usize);
    }

    /// Like [`super::scalar::early_tests`], for the masks of one of several samples. Stamps without lanes stay.
    pub fn early_of_sample(&self, args: &mut Args, back: bool, stamps: &[Stamp], masks: &mut [u32]) {
        let _activity = Activity::Merge.begin();
        assert!(self.several, "the kernel tests stamps");
        assert!(masks.len() >= stamps.len(), "each stamp needs a mask");
        let Some(k) = &self.early[usize::from(back)] else { return };
        (args.stamps, args.count) = (stamps.as_ptr().cast_mut(), stamps.len() as u32);
        args.masks = masks.as_mut_ptr();
        call(k, args);
    }

    /// Like [`super::scalar::merge`], with separate arguments and masks for each sample. The output of a stamp has
    /// `words` rows of `lanes` words.
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
        assert!(output.len() >= stamps.len() * (words * lanes) as usize, "each output needs a row");
        assert!(args.len() == masks.len(), "each sample needs masks");
        for (args, masks) in args.iter_mut().zip(masks) {
            let masks = masks.as_mut();
            assert!(masks.len() >= stamps.len(), "each stamp needs a mask");
            (args.stamps, args.count) = (stamps.as_ptr().cast_mut(), stamps.len() as u32);
            args.masks = masks.as_mut_ptr();
            args.output = output.as_ptr();
        }
        if let Some(k) = &self.samples {
            call_samples(k, args);
        } else if let Some(k) = &self.late[usize::from(back)] {
            args.iter_mut().for_each(|args| call(k, args));
        }
    }
}

fn call(kernel: &Kernel, args: &mut Args) {
    // SAFETY: `early`, `early_of_sample` and `late` pointed `args` to stamps, masks and output of sizes that they checked. `TileRun::bind`
    // uses kernels only if there is a view of every attachment. A view is a whole tile: `Target::tile` copies those that
    // the edge of the target cuts. Coverage (`tiles::coverage`, `bins::block`) emits only stamps inside the tile.
    #[expect(unsafe_code, reason = "calls generated code")]
    unsafe {
        (kernel.entry())(ptr::from_mut(args).cast::<c_void>());
    }
}

/// Calls a kernel of [`Job::Samples`].
fn call_samples(kernel: &Kernel, args: &mut [Args]) {
    let samples = args.len() as u32;
    let Some(first) = args.first_mut() else { return };
    first.samples = samples;
    // SAFETY: `late` pointed each of `args` to stamps, masks and output of sizes that it checked, and `samples` is their
    // number. `TileRun::bind` uses kernels only if there is a view of every attachment. A view is a whole tile: `Target::tile` copies
    // those that the edge of the target cuts. Coverage (`tiles::coverage`, `bins::block`) emits only stamps inside the tile.
    #[expect(unsafe_code, reason = "calls generated code")]
    unsafe {
        (kernel.entry())(args.as_mut_ptr().cast::<c_void>());
    }
}
