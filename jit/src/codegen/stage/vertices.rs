//! Records of the vertices of a primitive or a patch: the inputs of tessellation and geometry stages.
//!
//! The position of an input in the record is known only when a call begins: see [`Ctx::in_words`].

use std::mem::offset_of;

use super::Env as StageEnv;
use crate::Result;
use crate::abi::{self, Ctx, NO_WORD};
use crate::codegen::Gen;
use crate::ir::{Stage, Ty, Value};
use crate::lane::{ICmp, Lane};

/// Values of stages that read vertex records.
pub(in crate::codegen) struct Env {
    /// Bytes of a record (I32).
    stride: Lane,
    /// Number of vertices of a primitive, and the last one's index.
    pub(super) count: Lane,
    last: Lane,
    /// Vertex list of the primitive, or of the first primitive.
    pub(super) list: Lane,
    /// Geometry: index of each lane's first vertex in the list.
    pub(super) first: Lane,
    /// For each word of the inputs: its address in the first record, and the test that records have the word.
    inputs: Vec<(Lane, Lane)>,
    pub made: Made,
}

/// The vertex of the last lookup; kept until the end of the region of that lookup.
#[derive(Clone, Copy, Default)]
pub(in crate::codegen) struct Made {
    vertex: Option<(Value, Vertex)>,
}

/// A vertex: byte offset of its record from the first one, and true if the primitive has it.
#[derive(Clone, Copy)]
struct Vertex {
    offset: Lane,
    inside: Lane,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env {
            stride: zero,
            count: zero,
            last: zero,
            list: zero,
            first: zero,
            inputs: Vec::new(),
            made: Made::default(),
        }
    }
}

impl Gen<'_, '_, '_> {
    pub(super) fn vertices_prologue(&mut self) {
        let records = self.load_ctx(Ty::I64, offset_of!(Ctx, in_records));
        let words = self.load_ctx(Ty::I64, offset_of!(Ctx, in_words));
        let stride = self.load_ctx(Ty::I32, offset_of!(Ctx, in_stride));
        let (four, one) = (self.b.u32(4), self.b.u32(1));
        let StageEnv { vertices: env, .. } = &mut self.env;
        env.inputs = (0..abi::interface_words(&self.shader.inputs) as i32)
            .map(|w| word_at(self.b, words, w, records))
            .collect();
        env.stride = self.b.imul(stride, four);
        env.count = self.b.load(Ty::I32, self.ctx, offset_of!(Ctx, in_vertex_count) as i32);
        env.last = self.b.isub(env.count, one);
        env.list = self.b.load(Ty::I64, self.ctx, offset_of!(Ctx, in_vertices) as i32);
    }

    /// Looks up a vertex of each lane's primitive.
    fn find_vertex(&mut self, v: Value) -> Result<Vertex> {
        if let Some((known, vertex)) = self.env.vertices.made.vertex
            && known == v
        {
            return Ok(vertex);
        }
        let index = self.val(v)?;
        let (count, last, list) = (self.env.vertices.count, self.env.vertices.last, self.env.vertices.list);
        let inside = self.b.icmp(ICmp::Ult, index, count);
        // The primitive has at least one vertex, so the last index is valid.
        let index = self.b.umin(index, last);
        let four = self.b.u32(4);
        let record = match self.shader.stage {
            Stage::TessellationEvaluation => index,
            Stage::TessellationControl => {
                let at = self.b.imul(index, four);
                self.b.gather(Ty::I32, list, at)
            }
            _ => {
                let at = self.b.iadd(self.env.vertices.first, index);
                let at = self.b.imul(at, four);
                self.b.gather(Ty::I32, list, at)
            }
        };
        let offset = self.b.imul(record, self.env.vertices.stride);
        let vertex = Vertex { offset, inside };
        // Values from before a barrier do not exist after it.
        if !self.shader.has_barrier {
            self.env.vertices.made.vertex = Some((v, vertex));
        }
        Ok(vertex)
    }

    /// An input scalar of a vertex.
    pub(super) fn vertices_input(&mut self, k: u32, vertex: Value) -> Result<Lane> {
        let ty = self.shader.inputs[k as usize].ty;
        let word = Self::word(&self.shader.inputs, k) as usize;
        let vertex = self.find_vertex(vertex)?;
        let mut load = |w: usize| {
            let (at, there) = self.env.vertices.inputs[w];
            let v = self.b.gather(Ty::I32, at, vertex.offset);
            let (ok, zero) = (self.b.and(there, vertex.inside), self.b.u32(0));
            self.b.select(ok, v, zero)
        };
        if crate::lane::is_wide(ty) {
            let (lo, hi) = (load(word), load(word + 1));
            let v = self.b.join_words(lo, hi);
            return Ok(self.b.bitcast(v, ty));
        }
        let v = load(word);
        Ok(self.b.word_to(v, ty))
    }
}

/// Address of word `k`, looked up in `table`, counted from `base`; and the test that the word exists.
pub(super) fn word_at(b: &mut crate::lane::LaneBuilder<'_>, table: Lane, k: i32, base: Lane) -> (Lane, Lane) {
    let word = b.load(Ty::I32, table, 4 * k);
    let (none, zero) = (b.u32(NO_WORD), b.u32(0));
    let there = b.icmp(ICmp::Ne, word, none);
    let word = b.select(there, word, zero);
    (b.index(base, word, 4), there)
}
