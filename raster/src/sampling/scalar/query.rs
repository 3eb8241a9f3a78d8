//! Queries of sizes, levels and samples. The lod query is left to [`super::sample`].
//!
//! Spec: Vulkan, "Image Query Instructions" (textures-queries).

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::{ImageDim, LodMode};

use super::{Call, lanes};

impl Call<'_> {
    pub(super) fn query_word(&self, args: &mut ImageArgs, word: u32) {
        for lane in lanes(args) {
            args.texel[0][lane] = word;
        }
    }

    /// Returns the extents at a level (0 beyond the last level), then the number of layers.
    pub(super) fn query_size(&self, args: &mut ImageArgs) {
        let takes_lod =
            !self.op.multisampled && self.op.dim != ImageDim::Buffer && self.op.lod == LodMode::Explicit;
        let n = match self.op.dim {
            ImageDim::D1 | ImageDim::Buffer => 1,
            ImageDim::D2 | ImageDim::SubpassData | ImageDim::Cube => 2,
            ImageDim::D3 => 3,
        };
        for lane in lanes(args) {
            let level = if takes_lod { args.lod[lane] } else { 0 };
            let known = level < self.view.head.levels;
            let l = self.level(level);
            let extent = [l.width, l.height, l.depth];
            for (row, size) in args.texel.iter_mut().zip(extent).take(n) {
                row[lane] = if known { size } else { 0 };
            }
            if self.op.arrayed {
                args.texel[n][lane] = self.view.head.layers;
            }
        }
    }
}
