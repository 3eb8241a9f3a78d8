//! What the tiles take from a draw state: when depth is tested, what is merged, and the kernels for it.

use std::sync::{Arc, OnceLock};

use quadrille_jit::error::Result;

use super::depth::{DepthMode, depth_mode};
use super::merge::MergeState;
use super::merge::kernel::{Kernels, Key};
use super::merge::scalar::LateDepth;
use crate::kernels::KernelTable;
use crate::state::{DrawStateDesc, StageInfo};

/// Prepared for the tiles.
#[derive(Debug)]
pub(crate) struct TileState {
    pub desc: Arc<DrawStateDesc>,
    pub merge: MergeState,
    depth_mode: DepthMode,
    /// The fragment stage has to run.
    pub shades: bool,
    /// Word of SampleMask, with several samples.
    pub sample_mask_word: Option<u32>,
    /// The fragment stage runs for each sample.
    pub per_sample: bool,
    /// Fragments may have several pixels, if rates say so.
    pub coarse: bool,
    /// It evaluates inputs inside the covered area.
    pub centroid: bool,
    /// The fragment stage asks what its primitive covers, whether early tests leave it or not.
    pub covered_before_tests: bool,
    /// Word of the alpha that masks samples.
    pub coverage_alpha: Option<u32>,
    /// Those of the device.
    table: Arc<KernelTable<Key>>,
    /// Merge kernels by lane group size: 8, 16, 32.
    kernels: [OnceLock<Option<Arc<Kernels>>>; 3],
}

impl TileState {
    /// Prepares `desc`, without kernels.
    pub fn new(desc: &Arc<DrawStateDesc>, table: &Arc<KernelTable<Key>>) -> Result<Self> {
        let depth_mode = depth_mode(desc);
        let mut merge = MergeState::new(desc, depth_mode)?;
        // With several samples, masks are applied before merging each of them.
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
        let fine = |f: &StageInfo| desc.sample_shading_enable || shading(f);
        Ok(TileState {
            coarse: shades && desc.fragment.as_ref().is_some_and(|f| !fine(f)),
            merge,
            depth_mode,
            shades,
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
                Kernels::new(&self.table, &self.merge, lanes, early, self.late_tests())?
            };
            let _ = self.kernels[i].set(k);
        }
        Ok(())
    }

    /// What [`prepare`](Self::prepare) does for a lane group size has been done.
    pub fn is_prepared(&self, lanes: u32) -> bool {
        [8, 16, 32].iter().position(|&l| l == lanes).is_none_or(|i| self.kernels[i].get().is_some())
    }

    /// The kernels for a lane group size, if there are any.
    pub fn kernels(&self, lanes: u32) -> Option<&Kernels> {
        let i = [8, 16, 32].iter().position(|&l| l == lanes)?;
        self.kernels[i].get()?.as_deref()
    }

    /// The mask of the state is asked after early tests, which so far may have written depth and stencil.
    /// Spec: Vulkan, "Fragment Operations": PostDepthCoverage.
    pub fn masks_after_tests(&self) -> bool {
        self.desc.samples > 1 && self.desc.fragment.as_ref().is_some_and(|f| f.post_depth_coverage)
    }

    /// The sample mask lets no sample through.
    pub fn masked_out(&self) -> bool {
        let samples = (1 << self.desc.samples.clamp(1, 31)) - 1;
        self.desc.sample_mask.is_some_and(|mask| mask & samples == 0)
    }

    /// Whether depth and stencil are tested early, and then whether they are written early.
    pub fn early_tests(&self) -> Option<bool> {
        match self.depth_mode {
            DepthMode::Early => Some(self.merge.depth_write || self.merge.writes_stencil()),
            DepthMode::EarlyTest | DepthMode::Cull => Some(false),
            DepthMode::None | DepthMode::Late => None,
        }
    }

    /// What is done about depth and stencil after the fragment stage.
    pub fn late_tests(&self) -> LateDepth {
        let test = matches!(self.depth_mode, DepthMode::Late | DepthMode::Cull);
        LateDepth { test, write: self.merge.depth_write && (test || self.depth_mode == DepthMode::EarlyTest) }
    }
}
