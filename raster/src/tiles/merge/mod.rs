//! Output merge: depth and stencil tests, blending, conversion and writing of the fragment stage's outputs.
//!
//! [`MergeState`] describes the merge of a draw state. `scalar` is the reference, which merges pixel by pixel and
//! supports every format. `kernel` compiles functions for whole runs of stamps and the most important formats. Both give
//! the same bits. Running the fragment stage is left to [`super::tile`].

mod advanced;
mod args;
mod blend;
mod depth_stencil;
mod emit;
pub(crate) mod kernel;
pub(crate) mod scalar;
mod surface;
mod texel;

use quadrille_jit::abi::Plane;
use quadrille_jit::error::Result;
use quadrille_jit::ir::{BuiltIn, Interface, Slot};

use super::depth::DepthMode;
use crate::interface::word_offsets;
use crate::limits::MAX_COLOR_TARGETS;
use crate::memory::format::Format;
use crate::memory::target::TileView;
use crate::state::{BlendEquation, CompareOp, DrawStateDesc, LogicOp, StencilDynamic, StencilFace};

/// Combination of source and destination in a colour attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Blend {
    /// Colour and alpha equations; with `None`, the source replaces the destination.
    pub equations: Option<[BlendEquation; 2]>,
    /// Components written: bits 0 to 3 for R, G, B, A.
    pub write_mask: u8,
}

/// Merge of one colour attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ColorMerge {
    /// Number of the attachment.
    pub target: usize,
    /// Its format.
    pub format: Format,
    /// Output word of each component.
    pub words: [Option<u32>; 4],
    /// Output word of each component of the second source.
    pub words1: [Option<u32>; 4],
    /// Blending, without equations if the format does not support it.
    pub blend: Blend,
    /// Logic operation, if the format supports it.
    pub logic_op: Option<LogicOp>,
    /// `true` if the alpha of the first source is replaced by one.
    pub alpha_to_one: bool,
}

impl ColorMerge {
    /// True if the destination does not affect the result, apart from blending.
    pub fn plain(&self) -> bool {
        self.blend.write_mask == 0xf && self.logic_op.is_none()
    }
}

/// Merge part of a draw state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MergeState {
    /// Colour attachments that are written.
    pub colors: Vec<ColorMerge>,
    /// Words per stamp of the fragment stage's output.
    pub words: u32,
    /// Depth format, if depth or depth bounds are tested.
    pub depth_format: Option<Format>,
    /// `true` if depth is tested.
    pub depth_test: bool,
    /// `true` if depth bounds are tested.
    pub depth_bounds: bool,
    /// Compare operation of the depth test.
    pub compare: CompareOp,
    /// `true` if depth is written.
    pub depth_write: bool,
    /// Stencil test of front and back faces.
    pub stencil: Option<[StencilFace; 2]>,
    /// Output word of FragStencilRef.
    pub stencil_ref: Option<u32>,
    /// Output word of FragDepth.
    pub frag_depth: Option<u32>,
    /// Output word of SampleMask.
    pub sample_mask: Option<u32>,
    /// Output word of the alpha of colour 0, unless that colour is of integers.
    pub alpha: Option<u32>,
}

/// Arguments of the scalar merge for a run of stamps.
pub(crate) struct MergeRun<'a> {
    /// Number of lanes per stamp.
    pub lanes: u32,
    /// Depth plane of the primitive.
    pub z: Plane,
    /// Origin of the depth plane.
    pub origin: [f32; 2],
    /// Range to which depth is clamped.
    pub depth_range: [f32; 2],
    /// Depth bounds.
    pub depth_bounds: [f32; 2],
    /// `true` if the primitive is back-facing.
    pub back: bool,
    /// Stencil masks and reference of the primitive's face.
    pub stencil_dynamic: StencilDynamic,
    /// Blend constants.
    pub constants: [f32; 4],
    /// Colour attachments in this tile.
    pub colors: &'a [Option<TileView>; MAX_COLOR_TARGETS],
    /// Depth attachment in this tile.
    pub depth: Option<&'a TileView>,
    /// Stencil attachment in this tile.
    pub stencil: Option<&'a TileView>,
}

impl MergeRun<'_> {
    /// Depth at a pixel's centre, clamped.
    #[inline]
    pub fn depth_at(&self, x: i32, y: i32) -> f32 {
        let (dx, dy) = (x as f32 + 0.5 - self.origin[0], y as f32 + 0.5 - self.origin[1]);
        self.clamp_depth(self.z.a0 + self.z.dadx * dx + self.z.dady * dy)
    }

    /// Clamps a depth value to the range; NaN gives the minimum.
    #[inline]
    pub fn clamp_depth(&self, z: f32) -> f32 {
        let [low, high] = self.depth_range;
        let z = if z > low { z } else { low };
        if z < high { z } else { high }
    }
}

impl MergeState {
    /// Returns the merge part of a draw state.
    pub fn new(d: &DrawStateDesc, mode: DepthMode) -> Result<Self> {
        let depth_test = d.depth.test && d.depth_format.is_some() && mode != DepthMode::None;
        let mut m = MergeState {
            depth_format: d.depth_format.filter(|_| depth_test || d.depth.bounds),
            depth_test,
            depth_bounds: d.depth.bounds && d.depth_format.is_some(),
            compare: d.depth.compare,
            depth_write: d.depth.write && depth_test,
            stencil: (d.stencil_test && d.stencil_format.is_some()).then_some(d.stencil),
            ..MergeState::default()
        };
        let Some(f) = &d.fragment else { return Ok(m) };
        m.words = quadrille_jit::abi::interface_words(&f.outputs);
        let mut words = [[[None; 4]; 2]; MAX_COLOR_TARGETS];
        for (word, i) in word_offsets(&f.outputs) {
            match i.slot {
                Slot::Location { location, component, index } => {
                    if let Some(w) = words.get_mut(location as usize) {
                        w[index as usize & 1][component as usize & 3] = Some(word);
                    }
                }
                Slot::BuiltIn(BuiltIn::FragDepth, _) => m.frag_depth = Some(word),
                Slot::BuiltIn(BuiltIn::FragStencilRef, _) => m.stencil_ref = Some(word),
                Slot::BuiltIn(BuiltIn::SampleMask, 0) => m.sample_mask = Some(word),
                _ => {}
            }
        }
        // Spec: Vulkan, "Multisample Coverage": operations on alpha concern only the output at location 0 and index 0,
        // and are skipped if it is of integers.
        let integer = |o: &Interface| {
            matches!(o.slot, Slot::Location { location: 0, index: 0, .. }) && !o.ty.is_float()
        };
        let has_alpha = !f.outputs.iter().any(integer);
        m.alpha = words[0][0][3].filter(|_| has_alpha);
        for (target, format) in d.color_formats.iter().enumerate() {
            let location = d.color_locations.get(target).copied().unwrap_or(Some(target as u32));
            let outputs = location.and_then(|l| words.get(l as usize));
            let [words, words1] = outputs.copied().unwrap_or([[None; 4]; 2]);
            let blend = d.blend.get(target).copied().unwrap_or_default();
            let written = d.color_write_enable.get(target).copied().unwrap_or(true);
            let write_mask = if written { blend.write_mask & 0xf } else { 0 };
            // Attachments without a shader output keep their contents.
            if let Some(format) = *format
                && write_mask != 0
                && words != [None; 4]
            {
                // Spec: Vulkan, "Logical Operations": logic operations disable blending for every attachment.
                let blends = blend.enable && !format.is_integer() && !d.logic_op_enable;
                m.colors.push(ColorMerge {
                    target,
                    format,
                    words,
                    words1,
                    blend: Blend { equations: blends.then_some(blend.equations), write_mask },
                    logic_op: (d.logic_op_enable && format.has_logic_ops() && d.logic_op != LogicOp::Copy)
                        .then_some(d.logic_op),
                    alpha_to_one: d.alpha_to_one && has_alpha && location == Some(0),
                });
            }
        }
        Ok(m)
    }

    /// True if the stencil test may change the attachment.
    pub fn writes_stencil(&self) -> bool {
        self.stencil.is_some_and(|faces| !faces.iter().all(StencilFace::keeps))
    }

    /// True if some colour attachment is written.
    pub fn writes_color(&self) -> bool {
        !self.colors.is_empty()
    }
}

/// Number of lanes in masks, most of which equal `full`.
pub(crate) fn count_lanes(masks: impl Iterator<Item = u32>, full: u32) -> u32 {
    // Fast path for full masks: the baseline host has no instruction that counts bits.
    let lanes = full.count_ones();
    masks.map(|m| if m == full { lanes } else { m.count_ones() }).sum()
}
