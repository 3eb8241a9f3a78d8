//! The tiles' part of a draw state: the time of depth tests, the merge state, and its kernels. The front's part is left
//! to [`crate::front`].

use std::sync::{Arc, OnceLock};

use quadrille_jit::error::Result;

use super::depth::{DepthMode, depth_mode};
use super::merge::MergeState;
use super::merge::kernel::{Kernels, Key};
use super::merge::scalar::LateDepth;
use crate::kernels::KernelTable;
use crate::state::{DrawStateDesc, StageInfo};

/// The tiles' part of a draw state.
#[derive(Debug)]
pub(crate) struct TileState {
    pub desc: Arc<DrawStateDesc>,
    pub merge: MergeState,
    depth_mode: DepthMode,
    /// `true` if the fragment stage must run.
    pub shades: bool,
    /// Output word of SampleMask, with several samples.
    pub sample_mask_word: Option<u32>,
    /// `true` if samples are counted before the fragment stage: it does not run, or its tests come first. Spec: Vulkan,
    /// "Fragment Operations": EarlyFragmentTests.
    pub counts_early: bool,
    /// `true` if the fragment stage runs once per sample.
    pub per_sample: bool,
    /// `true` if fragments may have several pixels, depending on shading rates.
    pub coarse: bool,
    /// `true` if the fragment stage has centroid inputs and there are several samples.
    pub centroid: bool,
    /// `true` if the fragment stage reads the primitive's coverage before early tests.
    pub covered_before_tests: bool,
    /// Output word of the alpha for alpha-to-coverage.
    pub coverage_alpha: Option<u32>,
    /// Kernel table of the device.
    table: Arc<KernelTable<Key>>,
    /// Merge kernels for lane groups of 8, 16 and 32 lanes.
    kernels: [OnceLock<Option<Arc<Kernels>>>; 3],
}

impl TileState {
    /// Prepares `desc`, without kernels.
    pub fn new(desc: &Arc<DrawStateDesc>, table: &Arc<KernelTable<Key>>) -> Result<Self> {
        let depth_mode = depth_mode(desc);
        let mut merge = MergeState::new(desc, depth_mode)?;
        // With several samples, SampleMask is applied before the merge of each sample.
        let multiple = desc.samples > 1;
        let sample_mask_word = if multiple { merge.sample_mask.take() } else { None };
        let alpha = merge.alpha.filter(|_| desc.alpha_to_coverage);
        let shades = desc.fragment.as_ref().is_some_and(|f| {
            f.writes_memory
                || f.always_runs
                || f.discards
                || merge.writes_color()
                || merge.sample_mask.is_some()
                || sample_mask_word.is_some()
                || alpha.is_some()
                || matches!(depth_mode, DepthMode::Late | DepthMode::Cull)
        });
        let shading = |f: &StageInfo| f.sample_shading || desc.sample_shading;
        // Reads of attachments are of one pixel. Spec: Vulkan, primsrast-fragment-shading-rate-combining.
        let reads = |f: &StageInfo| f.reads_attachments != [false; 2];
        let fine = |f: &StageInfo| desc.sample_shading_enable || shading(f) || reads(f);
        Ok(TileState {
            coarse: shades && desc.fragment.as_ref().is_some_and(|f| !fine(f)),
            merge,
            depth_mode,
            shades,
            counts_early: !shades || desc.fragment.as_ref().is_none_or(|f| f.early_fragment_tests),
            sample_mask_word,
            per_sample: multiple && shades && desc.fragment.as_ref().is_some_and(shading),
            centroid: multiple && desc.fragment.as_ref().is_some_and(|f| f.centroid),
            covered_before_tests: matches!(
                depth_mode,
                DepthMode::Early | DepthMode::EarlyTest | DepthMode::Cull
            ) && desc
                .fragment
                .as_ref()
                .is_some_and(|f| (f.sample_mask || f.centroid) && !f.post_depth_coverage),
            coverage_alpha: alpha,
            table: table.clone(),
            kernels: Default::default(),
            desc: desc.clone(),
        })
    }

    /// Makes the kernels for a lane group size, so that nothing is compiled during a draw.
    pub fn prepare(&self, lanes: u32) -> Result<()> {
        let Some(i) = [8, 16, 32].iter().position(|&l| l == lanes) else { return Ok(()) };
        if self.kernels[i].get().is_none() {
            let early = self.early_tests();
            let k = if self.desc.scalar_merge {
                None
            } else {
                let several = self.desc.samples > 1;
                Kernels::new(&self.table, &self.merge, lanes, early, self.late_tests(), several)?
            };
            let _ = self.kernels[i].set(k);
        }
        Ok(())
    }

    /// True if [`prepare`](Self::prepare) has run for a lane group size.
    pub fn is_prepared(&self, lanes: u32) -> bool {
        [8, 16, 32].iter().position(|&l| l == lanes).is_none_or(|i| self.kernels[i].get().is_some())
    }

    /// Returns the kernels for a lane group size, if there are any.
    pub fn kernels(&self, lanes: u32) -> Option<&Kernels> {
        let i = [8, 16, 32].iter().position(|&l| l == lanes)?;
        self.kernels[i].get()?.as_deref()
    }

    /// True if the state's sample mask applies after early tests, which until then may write depth and stencil. Spec:
    /// Vulkan, "Fragment Operations": PostDepthCoverage.
    pub fn masks_after_tests(&self) -> bool {
        self.desc.fragment.as_ref().is_some_and(|f| f.post_depth_coverage)
    }

    /// True if the sample mask excludes all samples.
    pub fn masked_out(&self) -> bool {
        let samples = (1 << self.desc.samples.clamp(1, 31)) - 1;
        self.desc.sample_mask.is_some_and(|mask| mask & samples == 0)
    }

    /// Returns `None` without early depth and stencil tests; otherwise `true` if the tests also write.
    pub fn early_tests(&self) -> Option<bool> {
        match self.depth_mode {
            DepthMode::Early => Some(self.merge.depth_write || self.merge.writes_stencil()),
            DepthMode::EarlyTest | DepthMode::Cull => Some(false),
            DepthMode::None | DepthMode::Late => None,
        }
    }

    /// Depth and stencil operations after the fragment stage.
    pub fn late_tests(&self) -> LateDepth {
        let test = matches!(self.depth_mode, DepthMode::Late | DepthMode::Cull);
        LateDepth { test, write: self.merge.depth_write && (test || self.depth_mode == DepthMode::EarlyTest) }
    }
}
