//! A render pass: draws are recorded, then geometry and tiles run in parallel.
//!
//! Owns the order of things. [`Pass::draw`] only notes what to draw; [`Pass::end`] (or a flush, when
//! much has been recorded) runs geometry unit by unit, then tile by tile.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use quadrille_jit::abi::{Descriptor, MAX_SETS, PUSH_BYTES};
use quadrille_jit::call::LaneFn;
use quadrille_jit::error::{Error, Result};

use crate::buffer::{BufferRange, IndexBuffer};
use crate::draw_state::DrawState;
use crate::invoke::{BoundResources, SetPointers};
use crate::limits::{MAX_COLOR_TARGETS, MAX_FRAMEBUFFER_PX};
use crate::pool::{Budget, Pool};
use crate::state::{Dynamic, Rect};
use crate::target::Target;

/// What an attachment holds when the pass begins. Spec: VkAttachmentLoadOp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LoadOp {
    /// What it held before.
    #[default]
    Load,
    /// This value: bits of R, G, B, A as the format's numeric type wants them (depth: bits of the
    /// `f32` in R; stencil: the value in R).
    Clear([u32; 4]),
    /// Anything; here: what it held before.
    DontCare,
}

/// What becomes of the contents. Spec: VkAttachmentStoreOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreOp {
    /// They are kept.
    #[default]
    Store,
    /// They may be lost; here: they are kept.
    DontCare,
}

/// An attachment of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// Where it is.
    pub target: Target,
    /// At the beginning.
    pub load: LoadOp,
    /// At the end.
    pub store: StoreOp,
    /// Single-sampled target that the samples are resolved to at the end.
    pub resolve: Option<Target>,
}

impl Attachment {
    /// An attachment that is loaded and stored.
    pub fn load(target: Target) -> Self {
        Attachment { target, load: LoadOp::Load, store: StoreOp::Store, resolve: None }
    }

    /// An attachment that is cleared and stored.
    pub fn clear(target: Target, value: [u32; 4]) -> Self {
        Attachment { load: LoadOp::Clear(value), ..Attachment::load(target) }
    }
}

/// What a pass renders to.
#[derive(Clone, Debug, Default)]
pub struct PassDesc {
    /// Colour attachments, by location.
    pub colors: [Option<Attachment>; MAX_COLOR_TARGETS],
    /// Depth attachment.
    pub depth: Option<Attachment>,
    /// Stencil attachment.
    pub stencil: Option<Attachment>,
    /// Pixels that may be touched.
    pub area: Rect,
    /// Layers that may be touched; 0 counts as 1.
    pub layers: u32,
    /// Samples when there are no attachments; 0 counts as 1.
    pub samples: u32,
    /// Time that each flush may take.
    pub budget: Budget,
}

/// State that stays bound from draw to draw.
pub struct Bind<'a> {
    /// Prepared fixed-function state.
    pub state: &'a Arc<DrawState>,
    /// Vertex stage.
    pub vertex: &'a LaneFn,
    /// Fragment stage.
    pub fragment: Option<&'a LaneFn>,
    /// Viewports and other state that needs no preparation.
    pub dynamic: &'a Dynamic,
    /// Descriptor sets and push constants.
    pub resources: BoundResources<'a>,
    /// Vertex buffers, by binding number.
    pub vertex_buffers: &'a [BufferRange],
    /// Index buffer.
    pub index: Option<IndexBuffer>,
    /// Counts samples that pass.
    pub occlusion: Option<&'a Arc<AtomicU64>>,
}

/// A draw. Spec: vkCmdDraw, vkCmdDrawIndexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// Takes its vertices from the index buffer.
    pub indexed: bool,
    /// firstVertex or firstIndex.
    pub first: u32,
    /// vertexCount or indexCount.
    pub count: u32,
    /// firstInstance.
    pub first_instance: u32,
    /// instanceCount.
    pub instances: u32,
    /// vertexOffset, added to indices.
    pub vertex_offset: i32,
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,
}

/// What a pass has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Vertices that draws asked for.
    pub input_vertices: u64,
    /// Primitives that draws asked for.
    pub input_primitives: u64,
    /// Invocations of the vertex stage.
    pub vertex_invocations: u64,
    /// Primitives that reached clipping.
    pub clipping_invocations: u64,
    /// Primitives that clipping put out.
    pub clipping_primitives: u64,
    /// Invocations of the fragment stage, without helpers.
    pub fragment_invocations: u64,
}

/// What was bound when draws were recorded.
pub(crate) struct BindRecord {
    pub state: Arc<DrawState>,
    pub vertex: LaneFn,
    pub fragment: Option<LaneFn>,
    pub dynamic: Dynamic,
    pub sets: SetPointers,
    pub descriptors: Box<[Descriptor]>,
    pub buffers: Box<[BufferRange]>,
    pub index: Option<IndexBuffer>,
    pub occlusion: Option<Arc<AtomicU64>>,
}

/// A recorded draw.
pub(crate) struct DrawRecord {
    pub bind: u32,
    /// Index into `pushes`.
    pub push: u32,
    pub draw: Draw,
}

/// A render pass that is being recorded.
pub struct Pass<'p> {
    pool: &'p Pool,
    desc: PassDesc,
    /// Render area, clipped to the attachments: x0, y0, x1, y1.
    area: [i32; 4],
    binds: Vec<BindRecord>,
    pushes: Vec<[u8; PUSH_BYTES]>,
    draws: Vec<DrawRecord>,
    stats: Stats,
}

impl<'p> Pass<'p> {
    /// Begins a pass. `Invalid` if attachments do not fit together.
    pub fn begin(pool: &'p Pool, desc: PassDesc) -> Result<Self> {
        let attached = || {
            let colors = desc.colors.iter().flatten();
            colors.chain(&desc.depth).chain(&desc.stencil).map(|a| a.target.desc())
        };
        let samples = attached().next().map_or(desc.samples.max(1), |d| d.samples);
        if attached().any(|d| d.samples != samples) {
            return Err(Error::invalid("attachments with different numbers of samples"));
        }
        if samples != 1 {
            return Err(Error::unsupported(format!("{samples} rasterization samples")));
        }
        if attached().any(|d| d.layers < desc.layers.max(1)) {
            return Err(Error::invalid("an attachment has fewer layers than the pass"));
        }
        if desc.stencil.is_some() {
            return Err(Error::unsupported("stencil attachments"));
        }
        let width = attached().map(|d| d.width).min().unwrap_or(MAX_FRAMEBUFFER_PX);
        let height = attached().map(|d| d.height).min().unwrap_or(MAX_FRAMEBUFFER_PX);
        let end = |from: i32, n: u32, limit: u32| {
            (i64::from(from) + i64::from(n)).clamp(0, i64::from(limit)) as i32
        };
        let r = desc.area;
        let area = [r.x.max(0), r.y.max(0), end(r.x, r.width, width), end(r.y, r.height, height)];
        Ok(Pass {
            pool,
            desc,
            area,
            binds: Vec::new(),
            pushes: Vec::new(),
            draws: Vec::new(),
            stats: Stats::default(),
        })
    }

    /// Binds state for the draws that follow. `Invalid` if it does not fit the attachments.
    pub fn bind(&mut self, b: &Bind<'_>) -> Result<()> {
        self.pushes.push(*b.resources.push());
        self.binds.push(BindRecord {
            state: b.state.clone(),
            vertex: b.vertex.clone(),
            fragment: b.fragment.cloned(),
            dynamic: b.dynamic.clone(),
            sets: b.resources.set_pointers(),
            descriptors: b.resources.dynamic().into(),
            buffers: b.vertex_buffers.into(),
            index: b.index,
            occlusion: b.occlusion.cloned(),
        });
        Ok(())
    }

    /// Changes the push constants for the draws that follow; bytes not given become zero.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut push = [0; PUSH_BYTES];
        let n = bytes.len().min(PUSH_BYTES);
        push[..n].copy_from_slice(&bytes[..n]);
        self.pushes.push(push);
    }

    /// Draws with what is bound.
    pub fn draw(&mut self, draw: &Draw) -> Result<()> {
        if self.binds.is_empty() {
            return Err(Error::invalid("a draw without bound state"));
        }
        let (bind, push) = (self.binds.len() as u32 - 1, self.pushes.len() as u32 - 1);
        self.draws.push(DrawRecord { bind, push, draw: *draw });
        Ok(())
    }

    /// Runs what has been recorded and ends the pass. `DeviceLost` if a shader exceeds the budget.
    pub fn end(self) -> Result<Stats> {
        let [x0, y0, x1, y1] = self.area.map(|v| v as u32);
        for a in self.desc.colors.iter().flatten().chain(&self.desc.depth) {
            if let LoadOp::Clear(value) = a.load {
                let texel = a.target.format().pack(value);
                for layer in 0..self.desc.layers.max(1) {
                    a.target.fill(layer, [x0, y0, x1, y1], &texel);
                }
            }
        }
        let _ = (self.pool, MAX_SETS);
        if self.draws.is_empty() { Ok(self.stats) } else { Err(Error::unsupported("draws")) }
    }
}
