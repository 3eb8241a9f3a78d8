//! Workgroups of task and mesh shaders: their outputs, and the payload between them. For the rest, see `compute`.

use super::super::group::lanes_of;
use super::super::machine::Group;
use super::super::memory::{Buffer, Host};
use super::super::place::Place;
use super::super::program::Program;
use crate::ir::{Inst, MeshModes, Op, Stage, StageKind};

fn modes(program: &Program) -> MeshModes {
    match program.shader.kind {
        StageKind::Mesh(modes) => modes,
        _ => MeshModes::default(),
    }
}

/// Starts workgroup `k` of the call with empty outputs and a zeroed payload.
pub(super) fn start(program: &Program, host: &Host, k: u32) {
    host.said.set(false);
    match program.shader.stage {
        Stage::Task => {
            (0..3).for_each(|c| host.put_task_groups(k, c, 0));
            host.zero(payload(program, host, k));
        }
        Stage::Mesh => {
            let meta = &program.meta;
            let words = modes(program).output_words(meta.n_output_words, meta.n_primitive_words);
            (0..words).for_each(|word| host.put_mesh(k, word, 0));
        }
        _ => {}
    }
}

/// The payload of workgroup `k` of a call of task shaders, or the one payload of a call of mesh shaders.
fn payload(program: &Program, host: &Host, k: u32) -> Buffer {
    let k = if program.shader.stage == Stage::Task { k } else { 0 };
    host.payload(k, program.shader.payload_size)
}

/// The records that an output operation accesses: first word, words per record, number of records.
pub(super) fn outputs(program: &Program, op: Op) -> (u32, u32, u32) {
    let (meta, modes) = (&program.meta, modes(program));
    match op {
        Op::StorePrimitiveOutput | Op::LoadPrimitiveOutput => {
            (modes.primitives_at(meta.n_output_words), meta.n_primitive_words, modes.max_primitives)
        }
        _ => (MeshModes::HEAD, meta.n_output_words, modes.max_vertices),
    }
}

impl Group<'_> {
    /// The payload of the current workgroup.
    pub fn payload(&self) -> Buffer {
        match &self.place {
            Place::Compute(place) => payload(self.program, self.host, place.index),
            _ => Buffer::default(),
        }
    }

    /// SetMeshOutputs and EmitMeshTasks: declares the outputs of the workgroup; only the first one takes effect.
    pub fn say_outputs(&mut self, inst: &Inst) {
        let Place::Compute(place) = self.place else { return };
        let Some(first) = lanes_of(self.active).next() else { return };
        if self.host.said.replace(true) {
            return;
        }
        let modes = modes(self.program);
        for (k, &v) in inst.args.iter().enumerate() {
            let n = self.row(v)[first] as u32;
            match (inst.op, k) {
                (Op::EmitMeshTasks, _) => self.host.put_task_groups(place.index, k as u32, n),
                (_, 0) => self.host.put_mesh(place.index, 0, n.min(modes.max_vertices)),
                _ => self.host.put_mesh(place.index, 1, n.min(modes.max_primitives)),
            }
        }
    }
}
