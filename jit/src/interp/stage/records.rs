//! Outputs in memory that the invocations of a patch or a workgroup share.

use super::super::group::lanes_of;
use super::super::machine::Group;
use super::super::place::Place;
use super::mesh;
use crate::abi::interface_words;
use crate::ir::{Imm, Inst, Op};

impl Group<'_> {
    /// Loads or stores an output of a vertex, of a primitive or of the patch.
    pub fn shared_output(&mut self, inst: &Inst) {
        let &Imm::Slot(k) = &inst.imm else { return };
        let (shader, meta) = (&self.program.shader, &self.program.meta);
        let of_patch = matches!(inst.op, Op::LoadPatchOutput | Op::StorePatchOutput);
        let list = match inst.op {
            Op::LoadPatchOutput | Op::StorePatchOutput => &shader.patch_outputs,
            Op::LoadPrimitiveOutput | Op::StorePrimitiveOutput => &shader.primitive_outputs,
            _ => &shader.outputs,
        };
        let ty = list[k as usize].ty;
        let word = interface_words(&list[..k as usize]);
        let (first, words, count) = match self.place {
            Place::Control(_) if of_patch => (0, 0, 1),
            Place::Control(_) => (meta.n_patch_words, meta.n_output_words, meta.output_vertices),
            _ => mesh::outputs(self.program, inst.op),
        };
        let index = if of_patch { [0; crate::abi::MAX_LANES] } else { self.row(inst.args[0]) };
        // First word of the scalar, if the record exists.
        let at = |l: usize| ((index[l] as u32) < count).then(|| first + index[l] as u32 * words + word);
        if matches!(inst.op, Op::LoadOutput | Op::LoadPatchOutput | Op::LoadPrimitiveOutput) {
            let row = self.each(|s, l| match at(l) {
                Some(at) => s.words(ty, |w| s.output_word(at + w)),
                None => 0,
            });
            return self.give(inst, &row);
        }
        let value = self.row(inst.args[usize::from(!of_patch)]);
        for l in lanes_of(self.active) {
            let Some(at) = at(l) else { continue };
            self.put_output_word(at, value[l] as u32);
            if ty.bytes() == 8 {
                self.put_output_word(at + 1, (value[l] >> 32) as u32);
            }
        }
    }

    /// A word of the outputs of the patch or workgroup.
    fn output_word(&self, word: u32) -> u32 {
        match self.place {
            Place::Control(place) => self.host.patch(place.patch, word),
            Place::Compute(place) => self.host.mesh(place.index, word),
            _ => 0,
        }
    }

    fn put_output_word(&self, word: u32, bits: u32) {
        match self.place {
            Place::Control(place) => self.host.put_patch(place.patch, word, bits),
            Place::Compute(place) => self.host.put_mesh(place.index, word, bits),
            _ => {}
        }
    }
}
