//! Prepared draw state: interfaces linked, formats checked, kernels chosen.
//!
//! Everything that can be refused is refused here, so that drawing has nothing left to fail.

use std::sync::{Arc, OnceLock};

use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::{BuiltIn, DepthLayout, Interface, Interpolation, Slot};

use crate::front::fetch::Fetch;
use crate::limits::{MAX_COLOR_TARGETS, MAX_VERTEX_ATTRIBUTES, MAX_VERTEX_BINDINGS};
use crate::memory::format::{Aspects, FormatFeatures};
use crate::samples::offered;
use crate::state::{CompareOp, DrawStateDesc, StageInfo, StencilFace};
use crate::tiles::merge::MergeState;
use crate::tiles::merge::kernel::Kernels;
use crate::tiles::merge::scalar::LateDepth;

/// Where a plane of the fragment stage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Word in the vertex record; `None` gives zero.
    pub word: Option<u32>,
    /// Component of PointCoord, which set-up makes.
    pub point_coord: Option<u32>,
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

/// When depth and stencil are tested and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DepthMode {
    /// Never.
    None,
    /// Before the fragment stage.
    Early,
    /// Tested before; depth is written after the fragment stage, which may discard. Stencil stays.
    EarlyTest,
    /// Tested before with the interpolated depth, which fails only where the shader's own does; and
    /// tested and written after the fragment stage.
    Cull,
    /// After the fragment stage.
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
    /// The fragment stage runs for each sample.
    pub(crate) per_sample: bool,
    /// It evaluates inputs inside the covered area.
    pub(crate) centroid: bool,
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
        let alpha = merge.alpha.filter(|_| desc.alpha_to_coverage);
        let shades = desc.fragment.as_ref().is_some_and(|f| {
            f.writes_memory
                || f.discards
                || merge.writes_color()
                || merge.sample_mask.is_some()
                || sample_mask_word.is_some()
                || alpha.is_some()
                || matches!(depth_mode, DepthMode::Late | DepthMode::Cull)
        });
        let shading = |f: &StageInfo| f.sample_shading || desc.sample_shading;
        let per_sample = multiple && shades && desc.fragment.as_ref().is_some_and(shading);
        let centroid = multiple && desc.fragment.as_ref().is_some_and(|f| f.centroid);
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
            per_sample,
            centroid,
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
            let early = self.early_tests();
            let k = if self.desc.scalar_merge {
                None
            } else {
                Kernels::new(&self.merge, lanes, early, self.late_tests())?
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

    /// Whether depth and stencil are tested early, and then whether they are written early.
    pub(crate) fn early_tests(&self) -> Option<bool> {
        match self.depth_mode {
            DepthMode::Early => Some(self.merge.depth_write || self.merge.writes_stencil()),
            DepthMode::EarlyTest | DepthMode::Cull => Some(false),
            DepthMode::None | DepthMode::Late => None,
        }
    }

    /// What is done about depth and stencil after the fragment stage.
    pub(crate) fn late_tests(&self) -> LateDepth {
        let test = matches!(self.depth_mode, DepthMode::Late | DepthMode::Cull);
        LateDepth { test, write: self.merge.depth_write && (test || self.depth_mode == DepthMode::EarlyTest) }
    }

    /// What it was made of.
    pub fn desc(&self) -> &DrawStateDesc {
        &self.desc
    }
}

fn check(d: &DrawStateDesc) -> Result<()> {
    if !offered(d.samples.max(1)) {
        return Err(Error::unsupported(format!("{} rasterization samples", d.samples)));
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
    if let Some(f) = d.stencil_format
        && !f.aspects().contains(Aspects::STENCIL)
    {
        return Err(Error::invalid(format!("format {} as stencil attachment", f.name())));
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
        let point_coord = match i.slot {
            Slot::BuiltIn(BuiltIn::PointCoord, c) => Some(c),
            _ => None,
        };
        links.push(Link { word, point_coord, interpolation });
        if wide {
            let word = source.filter(|(_, o)| o.ty.bytes() == 8).map(|(w, _)| w + 1);
            links.push(Link { word, point_coord, interpolation });
        }
    }
    links
}

fn depth_mode(d: &DrawStateDesc) -> DepthMode {
    let depth = d.depth.test && d.depth_format.is_some();
    let bounds = d.depth.bounds && d.depth_format.is_some();
    let stencil = d.stencil.filter(|_| d.stencil_format.is_some());
    if !depth && !bounds && stencil.is_none() {
        return DepthMode::None;
    }
    let Some(f) = &d.fragment else { return DepthMode::Early };
    let has = |b: BuiltIn| f.outputs.iter().any(|o| matches!(o.slot, Slot::BuiltIn(out, _) if out == b));
    let masks = d.alpha_to_coverage || has(BuiltIn::SampleMask);
    let may_drop = f.discards || masks;
    let keeps_stencil = stencil.is_none_or(|faces| faces.iter().all(StencilFace::keeps));
    if f.early_fragment_tests {
        DepthMode::Early
    } else if f.writes_memory || (stencil.is_some() && has(BuiltIn::FragStencilRef)) {
        DepthMode::Late
    } else if depth && has(BuiltIn::FragDepth) {
        // Spec: SPIR-V, DepthGreater, DepthLess and DepthUnchanged.
        let greater = matches!(f.depth_layout, DepthLayout::Greater | DepthLayout::Unchanged);
        let less = matches!(f.depth_layout, DepthLayout::Less | DepthLayout::Unchanged);
        let culls = match d.depth.compare {
            CompareOp::Less | CompareOp::LessOrEqual => greater,
            CompareOp::Greater | CompareOp::GreaterOrEqual => less,
            _ => false,
        };
        if culls && stencil.is_none() { DepthMode::Cull } else { DepthMode::Late }
    } else if !may_drop || (keeps_stencil && !(depth && d.depth.write)) {
        DepthMode::Early
    } else if keeps_stencil {
        DepthMode::EarlyTest
    } else {
        DepthMode::Late
    }
}
