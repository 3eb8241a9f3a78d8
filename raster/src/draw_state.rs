//! Prepared draw state: interfaces linked, formats checked, kernels chosen.
//!
//! Everything that can be refused is refused here, so that drawing has nothing left to fail.

use std::sync::{Arc, OnceLock};

use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::{BuiltIn, Interface, Interpolation, Slot};

use crate::format::{Aspects, FormatFeatures};
use crate::limits::{MAX_COLOR_TARGETS, MAX_VERTEX_ATTRIBUTES, MAX_VERTEX_BINDINGS};
use crate::merge::MergeState;
use crate::merge::kernel::Kernels;
use crate::merge::scalar::LateDepth;
use crate::multisample::offered;
use crate::state::{DrawStateDesc, PolygonMode};
use crate::vertex::Fetch;

/// Where a plane of the fragment stage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Word in the vertex record; `None` gives zero.
    pub word: Option<u32>,
    /// How it is interpolated.
    pub interpolation: Interpolation,
}

/// What the vertex record says besides user-defined outputs, as word numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordLayout {
    /// Words per record.
    pub words: u32,
    /// Position, by component.
    pub position: [Option<u32>; 4],
    /// PointSize.
    pub point_size: Option<u32>,
    /// Layer.
    pub layer: Option<u32>,
    /// ViewportIndex.
    pub viewport: Option<u32>,
    /// Clip distances.
    pub clip: Vec<u32>,
    /// Cull distances.
    pub cull: Vec<u32>,
}

/// When depth is tested and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DepthMode {
    /// Neither.
    None,
    /// Both before the fragment stage.
    Early,
    /// Tested before, written after the fragment stage, which may discard.
    EarlyTest,
    /// Both after the fragment stage.
    Late,
}

/// Prepared form of a [`DrawStateDesc`].
#[derive(Debug)]
pub struct DrawState {
    pub(crate) desc: DrawStateDesc,
    pub(crate) record: RecordLayout,
    pub(crate) links: Vec<Link>,
    pub(crate) fetch: Fetch,
    pub(crate) depth_mode: DepthMode,
    pub(crate) merge: MergeState,
    /// The fragment stage has to run.
    pub(crate) shades: bool,
    /// Word of SampleMask, with several samples.
    pub(crate) sample_mask_word: Option<u32>,
    /// Word of the alpha that masks samples.
    pub(crate) coverage_alpha: Option<u32>,
    /// Merge kernels by lane group size: 8, 16, 32.
    kernels: [OnceLock<Option<Arc<Kernels>>>; 3],
}

/// Words before each scalar of an interface.
pub(crate) fn word_offsets(list: &[Interface]) -> impl Iterator<Item = (u32, &Interface)> {
    list.iter().scan(0, |at, i| {
        let word = *at;
        *at += if i.ty.bytes() == 8 { 2 } else { 1 };
        Some((word, i))
    })
}

impl DrawState {
    /// Checks and prepares `desc`. `Unsupported` names what is not offered.
    pub fn new(desc: DrawStateDesc) -> Result<Self> {
        check(&desc)?;
        let record = record_layout(&desc.vertex.outputs);
        let links = desc.fragment.as_ref().map_or(Vec::new(), |f| link(&desc.vertex.outputs, &f.inputs));
        let fetch = Fetch::new(&desc)?;
        let depth_mode = depth_mode(&desc);
        let mut merge = MergeState::new(&desc, depth_mode)?;
        // With several samples, masks are applied before merging each of them.
        let multiple = desc.samples > 1;
        let sample_mask_word = if multiple { merge.sample_mask.take() } else { None };
        let alpha = merge.alpha.filter(|_| multiple && desc.alpha_to_coverage);
        let shades = desc.fragment.as_ref().is_some_and(|f| {
            f.writes_memory
                || f.discards
                || merge.writes_color()
                || merge.sample_mask.is_some()
                || sample_mask_word.is_some()
                || alpha.is_some()
                || depth_mode == DepthMode::Late
        });
        let kernels = Default::default();
        let state = DrawState {
            desc,
            record,
            links,
            fetch,
            depth_mode,
            merge,
            shades,
            sample_mask_word,
            coverage_alpha: alpha,
            kernels,
        };
        state.prepare(if state.desc.lanes == 0 { 8 } else { state.desc.lanes })?;
        Ok(state)
    }

    /// Makes the kernels for a lane group size, so that nothing is compiled during a draw.
    pub(crate) fn prepare(&self, lanes: u32) -> Result<()> {
        let Some(i) = [8, 16, 32].iter().position(|&l| l == lanes) else { return Ok(()) };
        if self.kernels[i].get().is_none() {
            let early = self.early_depth();
            let k = if self.desc.scalar_merge {
                None
            } else {
                Kernels::new(&self.merge, lanes, early, self.late_depth())?
            };
            let _ = self.kernels[i].set(k);
        }
        Ok(())
    }

    /// The kernels for a lane group size, if there are any.
    pub(crate) fn kernels(&self, lanes: u32) -> Option<&Kernels> {
        let i = [8, 16, 32].iter().position(|&l| l == lanes)?;
        self.kernels[i].get()?.as_deref()
    }

    /// The sample mask lets no sample through.
    pub(crate) fn masked_out(&self) -> bool {
        let samples = (1 << self.desc.samples.clamp(1, 31)) - 1;
        self.desc.sample_mask != 0 && self.desc.sample_mask & samples == 0
    }

    /// Whether depth is tested early, and then whether it is written early.
    pub(crate) fn early_depth(&self) -> Option<bool> {
        match self.depth_mode {
            DepthMode::Early => Some(self.merge.depth_write),
            DepthMode::EarlyTest => Some(false),
            DepthMode::None | DepthMode::Late => None,
        }
    }

    /// What is done about depth after the fragment stage.
    pub(crate) fn late_depth(&self) -> LateDepth {
        LateDepth {
            test: self.depth_mode == DepthMode::Late,
            write: self.merge.depth_write
                && matches!(self.depth_mode, DepthMode::Late | DepthMode::EarlyTest),
        }
    }

    /// What it was made of.
    pub fn desc(&self) -> &DrawStateDesc {
        &self.desc
    }
}

fn check(d: &DrawStateDesc) -> Result<()> {
    let unsupported = |what: &str| Err(Error::unsupported(what));
    if !offered(d.samples.max(1)) {
        return Err(Error::unsupported(format!("{} rasterization samples", d.samples)));
    }
    if d.sample_shading {
        return unsupported("sample shading");
    }
    if d.stencil.is_some() || d.stencil_format.is_some() {
        return unsupported("stencil test");
    }
    if d.polygon_mode != PolygonMode::Fill {
        return unsupported("polygon modes other than fill");
    }
    if d.depth.test && d.depth.bounds {
        return unsupported("depth bounds test");
    }
    if d.color_formats.len() > MAX_COLOR_TARGETS {
        return Err(Error::Limit(format!("more than {MAX_COLOR_TARGETS} colour attachments")));
    }
    if d.vertex_bindings.len() > MAX_VERTEX_BINDINGS || d.vertex_attributes.len() > MAX_VERTEX_ATTRIBUTES {
        return Err(Error::Limit("vertex bindings or attributes".into()));
    }
    for f in d.color_formats.iter().flatten() {
        if !f.features().contains(FormatFeatures::COLOR_ATTACHMENT) {
            return Err(Error::unsupported(format!("colour attachments of format {}", f.name())));
        }
    }
    if let Some(f) = d.depth_format
        && !f.aspects().contains(Aspects::DEPTH)
    {
        return Err(Error::invalid(format!("format {} as depth attachment", f.name())));
    }
    Ok(())
}

fn record_layout(outputs: &[Interface]) -> RecordLayout {
    let mut r = RecordLayout { words: quadrille_jit::abi::interface_words(outputs), ..Default::default() };
    for (word, i) in word_offsets(outputs) {
        match i.slot {
            Slot::BuiltIn(BuiltIn::Position, c) => r.position[c as usize & 3] = Some(word),
            Slot::BuiltIn(BuiltIn::PointSize, _) => r.point_size = Some(word),
            Slot::BuiltIn(BuiltIn::Layer, _) => r.layer = Some(word),
            Slot::BuiltIn(BuiltIn::ViewportIndex, _) => r.viewport = Some(word),
            Slot::BuiltIn(BuiltIn::ClipDistance, _) => r.clip.push(word),
            Slot::BuiltIn(BuiltIn::CullDistance, _) => r.cull.push(word),
            _ => {}
        }
    }
    r
}

/// One link per plane of the fragment stage, in its order; 64-bit scalars have two.
fn link(outputs: &[Interface], inputs: &[Interface]) -> Vec<Link> {
    let mut links = Vec::with_capacity(inputs.len());
    for i in inputs {
        let source = word_offsets(outputs).find(|(_, o)| o.slot == i.slot);
        let word = source.map(|(w, _)| w);
        let wide = i.ty.bytes() == 8;
        let interpolation = if wide || !i.ty.is_float() { Interpolation::Flat } else { i.interpolation };
        links.push(Link { word, interpolation });
        if wide {
            let word = source.filter(|(_, o)| o.ty.bytes() == 8).map(|(w, _)| w + 1);
            links.push(Link { word, interpolation });
        }
    }
    links
}

fn depth_mode(d: &DrawStateDesc) -> DepthMode {
    if !d.depth.test || d.depth_format.is_none() {
        return DepthMode::None;
    }
    let Some(f) = &d.fragment else { return DepthMode::Early };
    let masks = d.alpha_to_coverage
        || f.outputs.iter().any(|o| matches!(o.slot, Slot::BuiltIn(BuiltIn::SampleMask, _)));
    let replaces = f.outputs.iter().any(|o| matches!(o.slot, Slot::BuiltIn(BuiltIn::FragDepth, _)));
    if f.early_fragment_tests {
        DepthMode::Early
    } else if replaces || f.writes_memory {
        DepthMode::Late
    } else if (f.discards || masks) && d.depth.write {
        DepthMode::EarlyTest
    } else {
        DepthMode::Early
    }
}
