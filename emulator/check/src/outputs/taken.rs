//! Determines which outputs of a stage are read by the next stage or by fixed function.

use std::sync::Arc;

use crate::events::Fixed;
use quadrille_jit::abi::interface_words;
use quadrille_jit::ir::debug::Class;
use quadrille_jit::ir::{
    BuiltIn, End, GeometryOutput, Imm, Interface, Interpolation, MAX_STREAMS, MeshOutput, Node, Op, Region,
    Shader, Slot, Stage, StageKind, TessellationDomain, TessellationModes, Value, each_inst,
};
use rustc_hash::FxHashSet;

/// Outputs of a shader that are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// True for each output that is read.
    pub outputs: Vec<bool>,
    /// True for each output of a geometry or mesh shader of which only provoking vertices of lines or triangles are read.
    pub flat: Vec<bool>,
    /// True if the last vertex of a primitive is provoking, false if the first one is; `None` if pipelines differ.
    pub provoking_last: Option<bool>,
    /// True for each patch output that is read.
    pub patch: Vec<bool>,
    /// True for each primitive output that is read.
    pub primitive: Vec<bool>,
    /// Slots that are read but that no instruction writes, for vertices, primitives and patches alike.
    pub missing: Vec<Slot>,
    /// Stage that reads the outputs.
    pub reader: Option<Stage>,
    /// Number of outer tessellation levels of the domain.
    pub outer: u32,
    /// Task shader: greatest number of mesh workgroups per axis, and in all; `None` for an unknown pipeline.
    pub mesh_groups: Option<([u32; 3], u32)>,
}

impl Taken {
    /// Returns the outputs for an unknown pipeline: all outputs of a stage whose invocations write alone. Outputs that
    /// several invocations write together are left out, because they are needed only as far as the next stage reads
    /// them.
    pub fn all(shader: &Shader) -> Taken {
        if shader.stage.writes_vertices() {
            return Taken::default();
        }
        Taken {
            outputs: vec![true; shader.outputs.len()],
            patch: vec![true; shader.patch_outputs.len()],
            primitive: vec![true; shader.primitive_outputs.len()],
            ..Taken::default()
        }
    }

    /// Returns the outputs of stage `i` that the pipeline reads.
    pub fn of(stages: &[Arc<Shader>], i: usize, fixed: &Fixed) -> Taken {
        let shader = &stages[i];
        let mut taken = Taken::default();
        match shader.stage {
            Stage::Compute => {}
            Stage::Task => taken.mesh_groups = Some(fixed.mesh_groups),
            Stage::Fragment => taken.fragment(shader, fixed),
            _ => taken.vertices(shader, stages.get(i + 1).map(|next| &**next), fixed),
        }
        taken
    }

    /// Keeps only the outputs that both pipelines read.
    pub fn and(&mut self, other: &Taken) {
        let both = |a: &mut Vec<bool>, b: &[bool]| a.iter_mut().zip(b).for_each(|(a, b)| *a &= b);
        both(&mut self.outputs, &other.outputs);
        self.flat.iter_mut().zip(&other.flat).for_each(|(a, b)| *a |= b);
        self.provoking_last = self.provoking_last.filter(|last| other.provoking_last == Some(*last));
        both(&mut self.patch, &other.patch);
        both(&mut self.primitive, &other.primitive);
        self.missing.retain(|slot| other.missing.contains(slot));
        self.outer = self.outer.min(other.outer);
    }

    /// Returns the outputs of vertices that are read: those of all vertices, and those of provoking vertices only.
    pub fn by_vertices(&self) -> [Vec<bool>; 2] {
        [false, true].map(|flat| {
            let is = |k: usize| self.flat.get(k) == Some(&true);
            self.outputs.iter().enumerate().map(|(k, &read)| read && is(k) == flat).collect()
        })
    }

    fn fragment(&mut self, shader: &Shader, fixed: &Fixed) {
        let takes = |slot| match slot {
            Slot::Location { location, component, index: 0 } => {
                fixed.colors.get(location as usize).is_some_and(|c| c >> component & 1 == 1)
            }
            Slot::BuiltIn(BuiltIn::FragDepth, _) => fixed.depth,
            Slot::BuiltIn(BuiltIn::FragStencilRef, _) => fixed.stencil,
            Slot::BuiltIn(BuiltIn::SampleMask, _) => true,
            _ => false,
        };
        self.outputs = shader.outputs.iter().map(|o| takes(o.slot)).collect();
        let variables = shader.debug.iter().flat_map(|d| &d.variables);
        let declared = variables.filter(|v| v.class == Class::Output).flat_map(|v| &v.slots);
        let written = |slot: &Slot| shader.outputs.iter().any(|o| o.slot == *slot);
        self.missing = declared.filter(|slot| takes(**slot) && !written(slot)).copied().collect();
    }

    fn vertices(&mut self, shader: &Shader, next: Option<&Shader>, fixed: &Fixed) {
        let last = next.is_none_or(|n| n.stage == Stage::Fragment);
        let reader = next.filter(|_| !last || fixed.rasterized);
        self.reader = reader.map(|n| n.stage);
        let (inputs, patch_inputs) = reader.map(used).unwrap_or_default();
        let reads = |list: &[Slot], slot| list.contains(&slot);
        let rasterized = last && fixed.rasterized;
        let captured = captured(shader, last && fixed.captured);
        let number = reader.is_some_and(|r| uses(r, BuiltIn::PrimitiveId));
        let takes = |o: &Interface| match o.slot {
            // Fragment shaders do not read these from the previous stage.
            Slot::BuiltIn(BuiltIn::PointSize, _) if last => false,
            Slot::BuiltIn(BuiltIn::PrimitiveId, _) if last => number && o.stream == fixed.stream,
            Slot::BuiltIn(..) if last => rasterized,
            slot => reads(&inputs, slot) && (!last || o.stream == fixed.stream),
        };
        let flat = |(o, c): (&Interface, &bool)| !c && reader.is_some_and(|r| is_flat(shader, r, o.slot));
        self.flat = shader.outputs.iter().zip(&captured).map(flat).collect();
        self.provoking_last = Some(fixed.provoking_last);
        self.outputs = shader.outputs.iter().zip(captured).map(|(o, c)| c || takes(o)).collect();
        self.primitive = shader.primitive_outputs.iter().map(takes).collect();
        let levels =
            if shader.stage == Stage::TessellationControl { levels(shader, next) } else { Vec::new() };
        self.outer =
            levels.iter().filter(|l| matches!(l, Slot::BuiltIn(BuiltIn::TessLevelOuter, _))).count() as u32;
        let of_patch = |o: &Interface| levels.contains(&o.slot) || reads(&patch_inputs, o.slot);
        self.patch = shader.patch_outputs.iter().map(of_patch).collect();

        let mut missing = levels;
        match rasterized {
            true => missing.extend((0..4).map(|c| Slot::BuiltIn(BuiltIn::Position, c))),
            false if last => {}
            false => missing.extend(inputs.iter().copied().filter(of_vertex)),
        }
        if let (StageKind::Mesh(modes), true) = (shader.kind, rasterized) {
            let indices = modes.output.indices();
            missing.extend((0..indices.shape().1).map(|c| Slot::BuiltIn(indices, c)));
        }
        let written = [&shader.outputs, &shader.patch_outputs, &shader.primitive_outputs];
        missing.retain(|&slot| !written.iter().any(|list| list.iter().any(|o| o.slot == slot)));
        self.missing = missing;
    }

    /// Explains why an output is needed, as a clause after "but".
    pub fn why(&self, stage: Stage, slot: Slot) -> String {
        use BuiltIn as B;
        match (slot, self.reader) {
            (Slot::Location { .. }, _) if stage == Stage::Fragment => "an attachment uses it".into(),
            (Slot::BuiltIn(B::FragDepth, _), _) => "depth is tested or written".into(),
            (Slot::BuiltIn(B::FragStencilRef, _), _) => "the stencil test uses it".into(),
            (Slot::BuiltIn(B::SampleMask, _), _) => "the coverage depends on it".into(),
            (Slot::BuiltIn(b, _), _) if b.is_of_patch() => "tessellation uses it".into(),
            (Slot::BuiltIn(b, _), _) if b.is_indices() => "the mesh contains the primitive".into(),
            (Slot::BuiltIn(b, _), None | Some(Stage::Fragment)) if b != B::PrimitiveId => {
                "primitives are rasterized".into()
            }
            (_, Some(reader)) => format!("the {} shader reads it", reader.name()),
            (_, None) => "the last stage outputs it".into(),
        }
    }
}

/// Returns the inputs and patch inputs whose values are used. Shaders load whole vectors, so a load alone does not
/// count.
pub fn used(shader: &Shader) -> (Vec<Slot>, Vec<Slot>) {
    let mut values = FxHashSet::default();
    used_values(&shader.body, &mut values);
    let (mut inputs, mut of_patch) = (Vec::new(), Vec::new());
    each_inst(&shader.body, &mut |inst| {
        let used = inst.results.iter().any(|v| values.contains(v));
        match (inst.op, &inst.imm) {
            (Op::LoadInput, &Imm::Slot(k)) if used => inputs.push(shader.inputs[k as usize].slot),
            (Op::LoadPatchInput, &Imm::Slot(k)) if used => {
                of_patch.push(shader.patch_inputs[k as usize].slot)
            }
            (_, &Imm::Interp(k, _)) if used => inputs.push(shader.inputs[k as usize].slot),
            _ => {}
        }
    });
    for list in [&mut inputs, &mut of_patch] {
        list.sort_unstable();
        list.dedup();
    }
    (inputs, of_patch)
}

/// True if a shader uses the value of a built-in that is not among its inputs.
fn uses(shader: &Shader, builtin: BuiltIn) -> bool {
    let mut values = FxHashSet::default();
    used_values(&shader.body, &mut values);
    let mut found = false;
    each_inst(&shader.body, &mut |inst| {
        let reads = matches!(inst.imm, Imm::BuiltIn(b, _) if b == builtin);
        found |= reads && inst.results.iter().any(|v| values.contains(v));
    });
    found
}

/// Collects the values that instructions use.
fn used_values(region: &Region, out: &mut FxHashSet<Value>) {
    for node in &region.nodes {
        match node {
            Node::Inst(inst) => out.extend(inst.args.iter().copied()),
            Node::If(node) => {
                out.insert(node.cond);
                used_values(&node.then, out);
                used_values(&node.els, out);
            }
            Node::Block(node) => used_values(&node.body, out),
            Node::Loop(node) => {
                out.extend(node.params.iter().map(|p| p.1));
                used_values(&node.body, out);
            }
        }
    }
    if let End::Yield(values) | End::Break(_, values) = &region.end {
        out.extend(values.iter().copied());
    }
}

/// True if a shader emits lines or triangles, and the fragment shader reads an output of one vertex of each.
fn is_flat(shader: &Shader, reader: &Shader, slot: Slot) -> bool {
    let several = match shader.kind {
        StageKind::Geometry(modes) => {
            matches!(modes.output, GeometryOutput::LineStrip | GeometryOutput::TriangleStrip)
        }
        StageKind::Mesh(modes) => matches!(modes.output, MeshOutput::Lines | MeshOutput::Triangles),
        _ => return false,
    };
    let of_one = |i: &Interface| i.interpolation == Interpolation::Flat && i.vertex.is_none();
    let is_number = matches!(slot, Slot::BuiltIn(BuiltIn::PrimitiveId, _));
    several && (is_number || reader.inputs.iter().any(|i| i.slot == slot && of_one(i)))
}

fn of_vertex(slot: &Slot) -> bool {
    matches!(slot, Slot::BuiltIn(b, _) if b.is_of_vertex())
}

/// Returns for each output whether transform feedback captures it.
fn captured(shader: &Shader, captures: bool) -> Vec<bool> {
    let mut out = vec![false; shader.outputs.len()];
    for stream in 0..MAX_STREAMS as u32 {
        let mut word = 0;
        for (k, output) in shader.outputs.iter().enumerate().filter(|(_, o)| o.stream == stream) {
            let words = word..word + interface_words(std::slice::from_ref(output));
            word = words.end;
            let of_stream = |buffer: u32| shader.xfb.streams.get(buffer as usize) == Some(&stream);
            out[k] =
                captures && shader.xfb.outputs.iter().any(|x| words.contains(&x.word) && of_stream(x.buffer));
        }
    }
    out
}

/// Returns the tessellation levels of the domain.
fn levels(control: &Shader, evaluation: Option<&Shader>) -> Vec<Slot> {
    let modes = |shader: &Shader| match shader.kind {
        StageKind::TessellationControl(modes) | StageKind::TessellationEvaluation(modes) => modes,
        _ => TessellationModes::default(),
    };
    let modes = modes(control).merge(evaluation.map(modes).unwrap_or_default());
    let (outer, inner) = match modes.domain.unwrap_or_default() {
        TessellationDomain::Triangles => (3, 1),
        TessellationDomain::Quads => (4, 2),
        TessellationDomain::Isolines => (2, 0),
    };
    let of = |builtin, n: u32| (0..n).map(move |c| Slot::BuiltIn(builtin, c));
    of(BuiltIn::TessLevelOuter, outer).chain(of(BuiltIn::TessLevelInner, inner)).collect()
}
