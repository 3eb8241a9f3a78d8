//! Prepared draw state: interfaces linked, formats checked, kernels chosen.
//!
//! All invalid or unsupported state is rejected here, so that draws cannot fail on it. The halves for the front and the
//! tiles are left to `front` and `tiles`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quadrille_jit::cpu::CpuLevel;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::{GeometryInput, MAX_STREAMS, StageKind, TessellationDomain};

use crate::front::state::FrontState;
use crate::kernels::{KernelInfo, KernelTable};
use crate::limits::{MAX_COLOR_TARGETS, MAX_VERTEX_ATTRIBUTES, MAX_VERTEX_BINDINGS};
use crate::memory::format::{Aspects, FormatFeatures};
use crate::samples::offered;
use crate::state::{DrawStateDesc, Topology};
use crate::tiles::state::TileState;
use crate::{front, tiles};

/// Kernels for a device's draws: vertex fetch and output merge.
#[derive(Clone, Debug)]
pub struct DrawKernels {
    fetch: Arc<KernelTable<front::fetch::Key>>,
    merge: Arc<KernelTable<tiles::merge::kernel::Key>>,
}

impl DrawKernels {
    /// Returns empty tables, whose kernels will use host instructions of this level.
    pub fn new(cpu: CpuLevel) -> Self {
        DrawKernels {
            fetch: KernelTable::new("vertex fetch", cpu),
            merge: KernelTable::new("output merge", cpu),
        }
    }

    /// Appends the kernels made so far to a list.
    pub fn list(&self, list: &mut Vec<KernelInfo>) {
        self.fetch.list(list);
        self.merge.list(list);
    }
}

/// Prepared form of a [`DrawStateDesc`].
#[derive(Debug)]
pub struct DrawState {
    desc: Arc<DrawStateDesc>,
    pub(crate) front: Arc<FrontState>,
    pub(crate) tiles: Arc<TileState>,
    /// `true` once a thread has begun to make merge kernels for another lane group size.
    begun: AtomicBool,
}

impl DrawState {
    /// Checks and prepares `desc`. The error `Unsupported` names the unsupported feature.
    pub fn new(desc: DrawStateDesc, kernels: &DrawKernels) -> Result<Self> {
        check(&desc)?;
        check_stages(&desc)?;
        let desc = Arc::new(desc);
        let tiles = TileState::new(&desc, &kernels.merge)?;
        let front = FrontState::new(&desc, tiles.merge.depth_format, &kernels.fetch)?;
        tiles.prepare(if desc.lanes == 0 { 8 } else { desc.lanes })?;
        let begun = AtomicBool::new(false);
        Ok(DrawState { desc, front: Arc::new(front), tiles: Arc::new(tiles), begun })
    }

    /// True if the merge kernels for a lane group size exist, or are known not to be available.
    pub fn is_prepared(&self, lanes: u32) -> bool {
        self.tiles.is_prepared(lanes)
    }

    /// Makes the merge kernels for a lane group size.
    pub fn prepare(&self, lanes: u32) -> Result<()> {
        self.tiles.prepare(lanes)
    }

    /// Claims the [`prepare`](Self::prepare) call for a further lane group size; returns false if another caller has
    /// already claimed it.
    pub fn begin_preparing(&self) -> bool {
        !self.begun.swap(true, Ordering::Relaxed)
    }

    /// The description that this state was made from.
    pub fn desc(&self) -> &DrawStateDesc {
        &self.desc
    }
}

/// Checks that the stages form a pipeline, and that tessellation stages and patch topology come together.
fn check_stages(d: &DrawStateDesc) -> Result<()> {
    use StageKind::{Geometry, Mesh, Task, TessellationControl, TessellationEvaluation, Vertex};
    let kinds: Vec<StageKind> = d.stages.iter().map(|s| s.kind).collect();
    let tessellated = match kinds[..] {
        [Vertex] | [Vertex, Geometry(_)] => false,
        [Vertex, TessellationControl(_), TessellationEvaluation(_)]
        | [Vertex, TessellationControl(_), TessellationEvaluation(_), Geometry(_)] => true,
        [Mesh(_)] | [Task, Mesh(_)] => return Ok(()),
        _ => return Err(Error::invalid("the pre-rasterization stages do not form a pipeline")),
    };
    if tessellated != (d.topology == Topology::PatchList) {
        return Err(Error::invalid("patches without tessellation, or tessellation without patches"));
    }
    if let Some(Geometry(modes)) = kinds.last()
        && Some(modes.input) != geometry_input(&kinds, d.topology)
    {
        return Err(Error::invalid(format!(
            "a geometry stage that takes {:?} with topology {:?}",
            modes.input, d.topology
        )));
    }
    Ok(())
}

/// Input primitive of the geometry stage.
fn geometry_input(kinds: &[StageKind], topology: Topology) -> Option<GeometryInput> {
    let Some(StageKind::TessellationEvaluation(modes)) = kinds.get(2) else { return topology.primitive() };
    Some(match modes.domain {
        _ if modes.point_mode => GeometryInput::Points,
        Some(TessellationDomain::Isolines) => GeometryInput::Lines,
        _ => GeometryInput::Triangles,
    })
}

fn check(d: &DrawStateDesc) -> Result<()> {
    if d.rasterization_stream as usize >= MAX_STREAMS {
        return Err(Error::invalid(format!("rasterization of stream {}", d.rasterization_stream)));
    }
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
