//! Workgroups of task and mesh shaders: their outputs, and the payload between them. For the rest, see `compute`.

use std::mem::offset_of;

use super::records::Records;
use crate::Result;
use crate::abi::{Ctx, interface_words};
use crate::codegen::{Buffer, Gen};
use crate::ir::{Inst, MeshModes, Op, Stage, StageKind, Ty};
use crate::lane::{ICmp, Lane, LaneVar};

/// Values of task and mesh shaders.
pub(super) struct Env {
    /// Payload of the workgroup.
    payload: Lane,
    /// Task: address of the mesh workgroup counts that the workgroup writes. Mesh: address of its record.
    record: Lane,
    /// Nonzero once the workgroup has declared its outputs.
    said: Option<LaneVar>,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env { payload: zero, record: zero, said: None }
    }
}

impl Gen<'_, '_, '_> {
    fn mesh_modes(&self) -> MeshModes {
        match self.shader.kind {
            StageKind::Mesh(modes) => modes,
            _ => MeshModes::default(),
        }
    }

    pub(super) fn mesh_prologue(&mut self) {
        if self.shader.stage == Stage::Mesh {
            self.env.mesh.payload = self.load_ctx(Ty::I64, offset_of!(Ctx, payload));
        }
    }

    /// Starts workgroup `k` of the call, with empty outputs.
    pub(super) fn start_mesh(&mut self, k: Lane) {
        let said = match &self.env.mesh.said {
            Some(var) => var.clone(),
            None => self.b.declare(Ty::I32, true),
        };
        let zero = self.b.u32(0);
        self.b.set(&said, zero);
        self.env.mesh.said = Some(said);
        match self.shader.stage {
            Stage::Task => {
                let groups = self.load_ctx(Ty::I64, offset_of!(Ctx, task_groups));
                self.env.mesh.record = self.b.index(groups, k, 12);
                self.zero(self.env.mesh.record, 12);
                let payload = self.load_ctx(Ty::I64, offset_of!(Ctx, payload));
                let stride = self.load_ctx(Ty::I32, offset_of!(Ctx, payload_stride));
                let [wide, stride] = [k, stride].map(|v| self.b.i32_to_i64(v, false));
                let bytes = self.b.imul(wide, stride);
                self.env.mesh.payload = self.b.iadd(payload, bytes);
                self.zero(self.env.mesh.payload, self.shader.payload_size);
            }
            Stage::Mesh => {
                let records = self.load_ctx(Ty::I64, offset_of!(Ctx, mesh_records));
                let stride = self.load_ctx(Ty::I32, offset_of!(Ctx, mesh_stride));
                let [wide, stride] = [k, stride].map(|v| self.b.i32_to_i64(v, false));
                let words = self.b.imul(wide, stride);
                let four = self.b.i64(4);
                let bytes = self.b.imul(words, four);
                self.env.mesh.record = self.b.iadd(records, bytes);
                let vertex = interface_words(&self.shader.outputs);
                let primitive = interface_words(&self.shader.primitive_outputs);
                let words = self.mesh_modes().output_words(vertex, primitive);
                self.zero(self.env.mesh.record, 4 * words);
            }
            _ => {}
        }
    }

    /// Zeroes `bytes` bytes.
    fn zero(&mut self, at: Lane, bytes: u32) {
        if bytes > 0 {
            let f = self.b.ptr(crate::runtime::zero_bytes as *const u8);
            let n = self.b.i64(i64::from(bytes));
            self.b.call_values(f, &[at, n], None);
        }
    }

    /// The payload as a buffer.
    pub(in crate::codegen) fn payload(&mut self) -> Buffer {
        let size = self.b.i64(i64::from(self.shader.payload_size));
        Buffer { base: self.env.mesh.payload, size }
    }

    /// Records of the workgroup's vertices or primitives.
    pub(super) fn mesh_outputs(&mut self, op: Op) -> Records {
        let modes = self.mesh_modes();
        let [vertex, primitive] =
            [&self.shader.outputs, &self.shader.primitive_outputs].map(|list| interface_words(list));
        let (before, words, count) = match op {
            Op::StorePrimitiveOutput | Op::LoadPrimitiveOutput => {
                (modes.primitives_at(vertex), primitive, modes.max_primitives)
            }
            _ => (MeshModes::HEAD, vertex, modes.max_vertices),
        };
        let base = self.b.offset(self.env.mesh.record, 4 * i64::from(before));
        Records { base, words, count }
    }

    /// SetMeshOutputs and EmitMeshTasks: declares the outputs of the workgroup; only the first one takes effect.
    pub(super) fn say_outputs(&mut self, i: &Inst) -> Result<()> {
        let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
        let Some(said) = self.env.mesh.said.clone() else {
            return Err(crate::Error::Internal(format!("{} outside of a workgroup", i.op.name())));
        };
        let (mask, before, zero) = (self.mask(), self.b.get(&said), self.b.u32(0));
        let first = self.b.icmp(ICmp::Eq, before, zero);
        let any = self.b.any(mask);
        let first = self.b.and(first, any);
        let (say, next) = (self.block(), self.block());
        self.branch(first, say, next);
        self.start_sealed(say);
        let mark = self.b.mark_temporaries();
        let (modes, bits) = (self.mesh_modes(), self.b.mask_bits(mask));
        for (k, v) in args.into_iter().enumerate() {
            let v = self.first_active(v, bits);
            let v = match (i.op, k) {
                (Op::SetMeshOutputs, 0) => self.at_most(v, modes.max_vertices),
                (Op::SetMeshOutputs, _) => self.at_most(v, modes.max_primitives),
                _ => v,
            };
            self.b.store(v, self.env.mesh.record, 4 * k as i32);
        }
        self.b.release_temporaries(mark);
        let one = self.b.u32(1);
        self.b.set(&said, one);
        self.jump(next);
        self.start_sealed(next);
        Ok(())
    }

    fn at_most(&mut self, v: Lane, most: u32) -> Lane {
        let most = self.b.u32(most);
        self.b.umin(v, most)
    }
}
