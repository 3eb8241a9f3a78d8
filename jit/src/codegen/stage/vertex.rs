//! Vertex shaders, and stages with the same loop over invocations: tessellation evaluation and those of ray tracing.

use std::mem::offset_of;

use crate::Result;
use crate::abi::{self, Ctx};
use crate::codegen::{Gen, Level};
use crate::ir::{BuiltIn, Op, Shader, Ty};
use crate::lane::{ICmp, Lane};

/// Values of vertex shaders.
pub(super) struct Env {
    pub input: Lane,
}

impl<'s> Gen<'_, '_, 's> {
    pub(super) fn vertex_prologue(&mut self) {
        self.env.vertex.input = self.load_ctx(Ty::I64, offset_of!(Ctx, input));
    }

    pub(super) fn vertex(&mut self) -> Result<()> {
        let s = self.b.lanes();
        self.scratch += self.frame_bytes as usize;
        // Lanes behind the last invocation may run as well, where this has no visible effect and ends. Every lane of a ray
        // tracing stage stands for a ray, and calls shaders for it. Operations across the group see which lanes are active.
        let tells = [Op::Printf, Op::Abort, Op::Alarm].into_iter().any(|op| self.insts.contain(op));
        let quiet = !self.shader.writes_memory && !self.shader.observes_subgroup && !tells;
        let ends = self.ranges.idle_lanes_end(&self.shader.body, &self.uniformity, false, 1);
        self.flow.full = quiet && ends && !self.shader.stage.is_of_rays();
        self.emit_level(Level::Call)?;
        let (first, end) = (self.env.first, self.env.end);
        let (var, head, done) = self.open_units(first, end);
        self.poll_stop();
        self.env.unit = self.b.get(&var);
        if !self.flow.full {
            let lane = self.b.lane_index();
            let i = self.b.iadd(self.env.unit, lane);
            let i = self.b.splat(i);
            let m = self.b.icmp(ICmp::Ult, i, end);
            self.set_mask(m);
        }
        self.zero_frame();
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        self.close_units(&var, head, s);
        self.finish_function(done);
        Ok(())
    }

    pub(super) fn vertex_input(&mut self, k: u32) -> Lane {
        let s = self.b.lanes();
        let n_words = abi::interface_words(&self.shader.inputs);
        let ty = self.shader.inputs[k as usize].ty;
        let word = Self::word(&self.shader.inputs, k);
        // The unit is a multiple of S: the group's rows begin at unit * n_words words.
        let at = self.b.index(self.env.vertex.input, self.env.unit, 4 * n_words);
        let off = (word * s * 4) as i32;
        if crate::lane::is_wide(ty) {
            let lo = self.b.load_row(Ty::I32, at, off);
            let hi = self.b.load_row(Ty::I32, at, off + 4 * s as i32);
            let v = self.b.join_words(lo, hi);
            return self.b.bitcast(v, ty);
        }
        let v = self.b.load_row(Ty::I32, at, off);
        self.b.word_to(v, ty)
    }

    /// Writes the records of a group; the words of each vertex are consecutive.
    pub(super) fn store_vertices(&mut self, words: &[Lane]) {
        let n = words.len() as u32;
        let at = self.b.index(self.env.output, self.env.unit, n * 4);
        self.b.store_records(words, at, n * 4);
    }

    pub(super) fn vertex_builtin(&mut self, b: BuiltIn) -> Result<Lane> {
        use BuiltIn::*;
        Ok(match b {
            VertexIndex | InstanceIndex => {
                let o = if b == VertexIndex {
                    offset_of!(Ctx, vertex_ids)
                } else {
                    offset_of!(Ctx, instance_ids)
                };
                let ids = self.load_ctx(Ty::I64, o);
                let at = self.b.index(ids, self.env.unit, 4);
                self.b.load_row(Ty::I32, at, 0)
            }
            BaseVertex => self.load_ctx(Ty::I32, offset_of!(Ctx, base_vertex)),
            BaseInstance => self.load_ctx(Ty::I32, offset_of!(Ctx, base_instance)),
            DrawIndex => self.load_ctx(Ty::I32, offset_of!(Ctx, draw_index)),
            other => return self.no_builtin(other),
        })
    }
}
