//! The vertex stage.

use super::super::group::lanes_of;
use super::super::machine::Group;
use super::super::memory::Host;
use super::super::place::{Place, VertexPlace};
use super::super::program::Program;
use super::{finish, narrow};
use crate::ir::BuiltIn;

/// Runs the vertices from `first` to `end`; returns false if stopped.
pub(super) fn run(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let mut group = Group::new(program, host);
    let lanes = program.lanes;
    let mut from = first - first % lanes;
    while from < end {
        if host.stopped() {
            return false;
        }
        let inside = |l: &u32| (first..end).contains(&(from + l));
        let mask = (0..lanes).filter(inside).fold(0, |m, l| m | 1 << l);
        let done = host.unit(from, 1, || {
            group.start(Place::Vertex(VertexPlace { first: from }), mask, 0);
            finish(&mut group)
        });
        if !done {
            return false;
        }
        for lane in lanes_of(mask) {
            let record = (from as usize + lane) * program.meta.n_output_words as usize;
            group.put_outputs(lane, |word| record + word);
        }
        let Some(next) = from.checked_add(lanes) else { break };
        from = next;
    }
    true
}

impl Group<'_> {
    pub(super) fn vertex_input(&self, place: &VertexPlace, input: usize, lane: usize) -> u64 {
        let ty = self.program.shader.inputs[input].ty;
        let word = self.program.input_words[input];
        let lanes = self.lanes();
        let group = (place.first / self.program.lanes) as usize;
        let row = group * self.program.meta.n_input_words as usize + word as usize;
        let read = |row: usize| u64::from(self.host.input_word(row * lanes + lane));
        let high = if ty.bytes() == 8 { read(row + 1) << 32 } else { 0 };
        narrow(ty, read(row) | high)
    }

    pub(super) fn vertex_builtin(&self, place: &VertexPlace, builtin: BuiltIn, lane: usize) -> u64 {
        let ctx = self.host.ctx();
        u64::from(match builtin {
            BuiltIn::VertexIndex => self.host.vertex_id(place.first + lane as u32),
            BuiltIn::InstanceIndex => self.host.instance_id(place.first + lane as u32),
            BuiltIn::BaseVertex => ctx.base_vertex as u32,
            BuiltIn::BaseInstance => ctx.base_instance,
            BuiltIn::DrawIndex => ctx.draw_index,
            _ => 0,
        })
    }
}
