//! Points of a patch's domain.

use super::super::group::lanes_of;
use super::super::machine::Group;
use super::super::memory::Host;
use super::super::place::{EvaluationPlace, Place};
use super::super::program::Program;
use super::finish;
use crate::abi::interface_words;
use crate::ir::BuiltIn;

/// Runs the points from `first` to `end`; returns false if stopped.
pub(super) fn run(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let mut group = Group::new(program, host);
    let mut from = first;
    while from < end {
        if host.stopped() {
            return false;
        }
        let mask = (0..program.lanes).filter(|l| l < &(end - from)).fold(0, |m, l| m | 1 << l);
        let done = host.unit(from, 1, || {
            group.start(Place::Evaluation(EvaluationPlace { first: from }), mask, 0);
            finish(&mut group)
        });
        if !done {
            return false;
        }
        for lane in lanes_of(mask) {
            let record = (from as usize + lane) * program.meta.n_output_words as usize;
            group.put_outputs(lane, |word| record + word);
        }
        let Some(next) = from.checked_add(program.lanes) else { break };
        from = next;
    }
    true
}

impl Group<'_> {
    /// An input scalar of the patch.
    pub fn patch_input(&self, input: usize) -> u64 {
        let list = &self.program.shader.patch_inputs;
        let first = interface_words(&list[..input]);
        self.words(list[input].ty, |w| {
            self.host.patch_word(first + w).map_or(0, |word| self.host.patch(0, word))
        })
    }

    pub(super) fn evaluation_builtin(
        &self,
        place: &EvaluationPlace,
        builtin: BuiltIn,
        c: usize,
        lane: usize,
    ) -> u64 {
        u64::from(match builtin {
            BuiltIn::TessCoord => self.host.tess_coord(c, place.first + lane as u32).to_bits(),
            BuiltIn::PatchVertices => self.host.ctx().in_vertex_count,
            BuiltIn::PrimitiveId => self.host.primitive_id(0),
            _ => 0,
        })
    }
}
