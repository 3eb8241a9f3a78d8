//! Patches of tessellation control: its invocations write the records of the patch's vertices and the patch.

use super::super::group::lanes_of;
use super::super::machine::Group;
use super::super::memory::Host;
use super::super::program::Program;
use super::{all, finish, together};
use crate::abi::interface_words;
use crate::ir::{BuiltIn, Imm, Inst, Op};

/// Where a group is.
#[derive(Clone, Copy, Debug)]
pub(in crate::interp) struct Place {
    /// Number of the patch.
    pub patch: u32,
    /// Number of the group in its patch.
    group: u32,
}

/// Runs the patches from `first` to `end`; false when stopped.
pub(super) fn run(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    (first..end).all(|patch| run_patch(program, host, patch))
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
            group.start(super::Place::Control(Place { patch, group: number }), mask, 0);
            group
        })
        .collect();
    if program.shader.has_barrier {
        return together(host, groups).is_some();
    }
    groups.into_iter().all(|mut group| finish(&mut group))
}

impl Group<'_> {
    /// Reads or stores an output of a vertex or of the patch.
    pub fn shared_output(&mut self, inst: &Inst) {
        let (super::Place::Control(place), &Imm::Slot(k)) = (self.place, &inst.imm) else { return };
        let (shader, meta) = (&self.program.shader, &self.program.meta);
        let of_patch = matches!(inst.op, Op::LoadPatchOutput | Op::StorePatchOutput);
        let list = if of_patch { &shader.patch_outputs } else { &shader.outputs };
        let ty = list[k as usize].ty;
        let word = interface_words(&list[..k as usize]);
        let vertices = if of_patch { None } else { Some(self.row(inst.args[0])) };
        // The first word of the scalar in the patch, if the vertex is there.
        let at = |l: usize| match vertices {
            None => Some(word),
            Some(v) if (v[l] as u32) < meta.output_vertices => {
                Some(meta.n_patch_words + v[l] as u32 * meta.n_output_words + word)
            }
            Some(_) => None,
        };
        if matches!(inst.op, Op::LoadOutput | Op::LoadPatchOutput) {
            let read = |s: &Self, l: usize| match at(l) {
                Some(at) => s.words(ty, |w| s.host.patch(place.patch, at + w)),
                None => 0,
            };
            let row = self.each(read);
            return self.give(inst, &row);
        }
        let value = self.row(inst.args[usize::from(!of_patch)]);
        for l in lanes_of(self.active) {
            let Some(at) = at(l) else { continue };
            self.host.put_patch(place.patch, at, value[l] as u32);
            if ty.bytes() == 8 {
                self.host.put_patch(place.patch, at + 1, (value[l] >> 32) as u32);
            }
        }
    }

    pub(super) fn control_builtin(&self, place: &Place, builtin: BuiltIn, lane: usize) -> u64 {
        u64::from(match builtin {
            BuiltIn::InvocationId => place.group * self.program.lanes + lane as u32,
            BuiltIn::PatchVertices => self.host.ctx().in_vertex_count,
            BuiltIn::PrimitiveId => self.host.primitive_id(place.patch),
            _ => 0,
        })
    }
}
