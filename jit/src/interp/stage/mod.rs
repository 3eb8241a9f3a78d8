//! The stages: groups that a call runs, sources of inputs and built-ins, destinations of outputs.
//!
//! This file has the parts common to all stages. The file of a stage has its loop over units, and its own inputs and
//! built-ins.
//!
//! * `compute`: workgroups
//! * `mesh`: outputs of the workgroups of task and mesh shaders
//! * `records`: outputs of several vertices or primitives, shared by invocations
//! * `vertex`: vertices, and the invocations of ray tracing stages
//! * `vertices`: vertex records that the stages after it read
//! * `control`: patches
//! * `evaluation`: points of a patch's domain
//! * `geometry`: invocations of primitives
//! * `fragment`: stamps of a primitive

mod compute;
mod control;
mod evaluation;
mod fragment;
mod geometry;
mod mesh;
mod records;
mod vertex;
mod vertices;

use super::machine::{Group, Step};
use super::memory::Host;
use super::place::Place;
use super::program::Program;
use crate::abi::{DONE, STOPPED};
use crate::ir::{BuiltIn, Stage, Ty};

/// Runs `count` units, starting at `first`.
pub(super) fn run(program: &Program, host: &Host, first: u32, count: u32) -> u32 {
    let end = first.saturating_add(count);
    let done = match program.shader.stage {
        Stage::Vertex
        | Stage::RayGeneration
        | Stage::Intersection
        | Stage::AnyHit
        | Stage::ClosestHit
        | Stage::Miss
        | Stage::Callable => vertex::run(program, host, first, end),
        Stage::Fragment => fragment::run(program, host, first, end),
        Stage::Compute | Stage::Task | Stage::Mesh => compute::run(program, host, first, end),
        Stage::TessellationControl => control::run(program, host, first, end),
        Stage::TessellationEvaluation => evaluation::run(program, host, first, end),
        Stage::Geometry => geometry::run(program, host, first, end),
    };
    if done { DONE } else { STOPPED }
}

/// Mask of all lanes.
fn all(lanes: u32) -> u32 {
    u32::MAX >> (32 - lanes)
}

/// Runs a group that waits for no other to its end; returns false if stopped.
fn finish(group: &mut Group) -> bool {
    loop {
        match group.run() {
            Step::Done => return true,
            Step::Stopped => return false,
            Step::Barrier => {}
        }
    }
}

/// Runs groups that wait for each other, each to its next barrier in turn, until all have ended. Returns `None` if
/// stopped.
fn together<'a>(host: &Host, unit: u32, groups: Vec<Group<'a>>) -> Option<Vec<Group<'a>>> {
    let (mut waiting, mut ended) = (groups, Vec::new());
    while !waiting.is_empty() {
        let mut still = Vec::new();
        for mut group in waiting {
            match group.run() {
                Step::Done => ended.push(group),
                Step::Stopped => return None,
                Step::Barrier => still.push(group),
            }
        }
        waiting = still;
        if !waiting.is_empty() {
            host.tell(|o| o.released(unit));
        }
        if host.stopped() {
            return None;
        }
    }
    Some(ended)
}

impl Group<'_> {
    /// Stores the outputs of a lane; `index` maps a word to its position in memory.
    fn put_outputs(&self, lane: usize, index: impl Fn(usize) -> usize) {
        let n = self.lanes();
        for (i, output) in self.program.shader.outputs.iter().enumerate() {
            let bits = self.outputs[i * n + lane];
            let word = self.program.output_words[i] as usize;
            self.host.put_output(index(word), bits as u32);
            if output.ty.bytes() == 8 {
                self.host.put_output(index(word + 1), (bits >> 32) as u32);
            }
        }
    }

    /// An input scalar; `vertex` selects a vertex in stages that read several.
    pub fn input(&self, input: usize, lane: usize, vertex: u32) -> u64 {
        match &self.place {
            Place::Vertex(place) => self.vertex_input(place, input, lane),
            Place::Fragment(place) => self.fragment_input(place, input, lane),
            Place::Control(place) => {
                self.vertices_input(input, vertex, |v| self.host.record_of(place.patch, v))
            }
            Place::Evaluation(_) => self.vertices_input(input, vertex, |v| v),
            Place::Geometry(place) => {
                self.vertices_input(input, vertex, |v| self.host.record_of(place.primitive(self, lane), v))
            }
            Place::Compute(_) | Place::None => 0,
        }
    }

    /// Assembles a scalar of this type from its one or two words.
    fn words(&self, ty: Ty, read: impl Fn(u32) -> u32) -> u64 {
        let high = if ty.bytes() == 8 { u64::from(read(1)) << 32 } else { 0 };
        narrow(ty, u64::from(read(0)) | high)
    }

    /// Component of a built-in input; 0 for those that the stage does not have.
    pub fn builtin(&self, builtin: BuiltIn, component: u32, lane: usize) -> u64 {
        let lanes = self.program.lanes;
        let c = component as usize;
        // Lane masks have four words; the first one holds all lanes.
        let mask = |m: u64| if c == 0 { m & u64::from(all(lanes)) } else { 0 };
        match (builtin, &self.place) {
            (BuiltIn::SubgroupSize, _) => u64::from(lanes),
            (BuiltIn::SubgroupLocalInvocationId, _) => lane as u64,
            (BuiltIn::SubgroupEqMask, _) => mask(1 << lane),
            (BuiltIn::SubgroupGeMask, _) => mask(u64::MAX << lane),
            (BuiltIn::SubgroupGtMask, _) => mask(u64::MAX << lane << 1),
            (BuiltIn::SubgroupLeMask, _) => mask((2 << lane) - 1),
            (BuiltIn::SubgroupLtMask, _) => mask((1 << lane) - 1),
            (BuiltIn::DeviceIndex, _) => 0,
            (BuiltIn::ViewIndex, _) => u64::from(self.host.ctx().view_index),
            (_, Place::Compute(place)) => self.compute_builtin(place, builtin, c, lane),
            (_, Place::Vertex(place)) => self.vertex_builtin(place, builtin, lane),
            (_, Place::Control(place)) => self.control_builtin(place, builtin, lane),
            (_, Place::Evaluation(place)) => self.evaluation_builtin(place, builtin, c, lane),
            (_, Place::Geometry(place)) => self.geometry_builtin(place, builtin, lane),
            (_, Place::Fragment(place)) => self.fragment_builtin(place, builtin, c, lane),
            (_, Place::None) => 0,
        }
    }
}

/// The bits of an interface word that belong to the type.
fn narrow(ty: Ty, bits: u64) -> u64 {
    match ty {
        // Interfaces hold truth values as words.
        Ty::Bool => u64::from(bits != 0),
        ty => crate::ops::value::wrap(ty, bits),
    }
}
