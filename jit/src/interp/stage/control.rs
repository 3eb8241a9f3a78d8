//! Patches of tessellation control: its invocations write the records of the patch and of the patch's vertices.

use super::super::machine::Group;
use super::super::memory::Host;
use super::super::place::{ControlPlace, Place};
use super::super::program::Program;
use super::{all, finish, together};
use crate::ir::BuiltIn;

/// Runs the patches from `first` to `end`; returns false if stopped.
pub(super) fn run(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let groups = program.meta.output_vertices.div_ceil(program.lanes);
    (first..end).all(|patch| host.unit(patch, groups, || run_patch(program, host, patch)))
}

fn run_patch(program: &Program, host: &Host, patch: u32) -> bool {
    if host.stopped() {
        return false;
    }
    let (meta, lanes) = (&program.meta, program.lanes);
    let n = meta.output_vertices;
    for word in 0..meta.n_patch_words + n * meta.n_output_words {
        host.put_patch(patch, word, 0);
    }
    let groups: Vec<Group> = (0..n.div_ceil(lanes))
        .map(|number| {
            let mut group = Group::new(program, host);
            let mask = all(lanes) & all((n - number * lanes).min(32));
            group.start(Place::Control(ControlPlace { patch, group: number }), mask, 0);
            group
        })
        .collect();
    if program.shader.has_barrier {
        return together(host, patch, groups).is_some();
    }
    groups.into_iter().all(|mut group| finish(&mut group))
}

impl Group<'_> {
    pub(super) fn control_builtin(&self, place: &ControlPlace, builtin: BuiltIn, lane: usize) -> u64 {
        u64::from(match builtin {
            BuiltIn::InvocationId => place.group * self.program.lanes + lane as u32,
            BuiltIn::PatchVertices => self.host.ctx().in_vertex_count,
            BuiltIn::PrimitiveId => self.host.primitive_id(place.patch),
            _ => 0,
        })
    }
}
