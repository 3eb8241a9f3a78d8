//! Records of the vertices of a primitive or a patch: the inputs of tessellation and geometry stages.

use super::super::machine::Group;

impl Group<'_> {
    /// An input scalar of a vertex; `record` returns the record of a vertex that the primitive has.
    pub(super) fn vertices_input(&self, input: usize, vertex: u32, record: impl Fn(u32) -> u32) -> u64 {
        if vertex >= self.host.ctx().in_vertex_count {
            return 0;
        }
        let record = record(vertex);
        let first = self.program.input_words[input];
        self.words(self.program.shader.inputs[input].ty, |w| {
            self.host.in_word(first + w).map_or(0, |word| self.host.record_word(record, word))
        })
    }
}
