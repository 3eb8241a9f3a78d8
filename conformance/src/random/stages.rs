//! The stages between vertices and rasterization: tessellation control and evaluation, geometry. Interfaces have random
//! types, locations, components and arrays, indexed by vertex and element. Invocations read outputs of other
//! invocations of a patch after barriers. Vertices are emitted in divergent control flow, on several streams.
//!
//! The modules have no races: an invocation writes only the outputs of its own vertex and the patch outputs that it
//! owns, and reads outputs of others between two barriers.

use quadrille_jit::ir::Stage;

use super::shape::{PATCH, Shape};
use super::{B, Exits, F, Generator, I, OTHERS, Ty, U, full};
use crate::value::{Scalar, Type};

/// A variable of the interface.
#[derive(Clone, Debug)]
struct Port {
    variable: String,
    ty: Ty,
    /// Location and component.
    place: (u32, u32),
    /// Number of elements if it is an array, otherwise 0.
    elements: u32,
    /// True for a block with one member.
    block: bool,
    /// Geometry: the stream on which it is captured.
    stream: u32,
}

/// The interface of a module.
#[derive(Default)]
pub struct Ports {
    /// Arrays by vertex.
    inputs: Vec<Port>,
    patch_inputs: Vec<Port>,
    /// Control: arrays by vertex.
    outputs: Vec<Port>,
    patch_outputs: Vec<Port>,
    /// Index of the invocation in its patch.
    invocation: String,
    /// Geometry: streams in use.
    streams: Vec<u32>,
    /// True while the entry point is written.
    entered: bool,
    /// In a pipeline: outputs of the previous stage, per vertex and per patch.
    given: [Vec<Port>; 2],
    /// Stride of the transform feedback buffer of each stream in bytes.
    pub(super) strides: [u32; 4],
}

impl Ports {
    /// Ports of the next stage of a pipeline, with this stage's outputs as input.
    pub(super) fn next(&self) -> Ports {
        let located = |list: &[Port]| list.iter().filter(|p| p.place.0 != NOWHERE).cloned().collect();
        Ports { given: [located(&self.outputs), located(&self.patch_outputs)], ..Ports::default() }
    }
}

/// Marks built-ins, which have no location.
const NOWHERE: u32 = u32::MAX;

impl Generator {
    fn stage(&self) -> Option<Stage> {
        self.shape.map(|s| s.stage)
    }

    /// Declares the interface.
    pub fn ports(&mut self, shape: Shape) {
        match shape.stage {
            Stage::Vertex => {}
            Stage::Geometry => self.m.capability("Geometry"),
            _ => self.m.capability("Tessellation"),
        }
        let declared = if shape.stage == Stage::Geometry { shape.size } else { PATCH };
        self.ports.streams = vec![0];
        if shape.stage == Stage::Geometry && self.m.has_mode("OutputPoints") && self.r.one_in(2) {
            self.m.capability("GeometryStreams");
            self.ports.streams = (0..=self.r.below(4) as u32).collect();
        }
        if shape.stage != Stage::Vertex {
            let position = self.vertex_block("Input", declared);
            self.ports.inputs.push(position);
            let inputs = match shape.linked {
                true => self.linked(0, Some(declared)),
                false => self.located("Input", Some(declared), 0, false),
            };
            self.ports.inputs.extend(inputs);
        }
        match shape.stage {
            Stage::TessellationControl => {
                let position = self.vertex_block("Output", shape.each);
                self.ports.outputs.push(position);
                let outputs = self.located("Output", Some(shape.each), 0, false);
                self.ports.outputs.extend(outputs);
                self.ports.patch_outputs = self.located("Output", None, 16, true);
                let levels = self.levels("Output");
                self.ports.patch_outputs.extend(levels);
            }
            Stage::TessellationEvaluation => {
                self.ports.patch_inputs = match shape.linked {
                    true => self.linked(1, None),
                    false => self.located("Input", None, 16, true),
                };
                let levels = self.levels("Input");
                self.ports.patch_inputs.extend(levels);
                self.ports.outputs = self.located("Output", None, 0, false);
                let position = self.position();
                self.ports.outputs.push(position);
            }
            Stage::Vertex => {
                self.ports.outputs = self.located("Output", None, 0, false);
                let position = self.position();
                self.ports.outputs.push(position);
            }
            _ => {
                self.ports.outputs = self.located("Output", None, 0, false);
                let position = self.position();
                self.ports.outputs.push(position);
                for k in 0..self.ports.outputs.len() {
                    let stream = *self.r.pick(&self.ports.streams);
                    let stream = if k + 1 == self.ports.outputs.len() { 0 } else { stream };
                    self.ports.outputs[k].stream = stream;
                    if stream > 0 {
                        let v = self.ports.outputs[k].variable.clone();
                        self.m.decorate(&format!("{v} Stream {stream}"));
                    }
                }
            }
        }
        if shape.last {
            self.capture();
        }
    }

    /// Declares inputs for some outputs of the previous stage, per vertex or per patch.
    fn linked(&mut self, of_patch: usize, vertices: Option<u32>) -> Vec<Port> {
        let mut list = Vec::new();
        for from in self.ports.given[of_patch].clone() {
            // A stage reads only stream 0, and need not read everything.
            if from.stream == 0 && !self.r.one_in(4) {
                let (ty, elements) = (from.ty, from.elements);
                list.push(self.at_location("Input", ty, elements, vertices, from.place, of_patch == 1));
            }
        }
        list
    }

    /// Captures the outputs of each stream in a separate buffer, up to the maximum stride.
    fn capture(&mut self) {
        const MOST: u32 = 512;
        let mut captured = Vec::new();
        let mut strides = [0u32; 4];
        for port in &self.ports.outputs {
            let bytes = port.ty.0.bits() / 8;
            let end = &mut strides[port.stream as usize];
            let offset = end.next_multiple_of(bytes);
            let size = port.elements.max(1) * port.ty.1 * bytes;
            if offset + size <= MOST {
                captured.push((port.variable.clone(), port.stream, offset));
                *end = offset + size;
            }
        }
        self.ports.strides = strides.map(|s| s.next_multiple_of(8));
        for (variable, stream, offset) in captured {
            let stride = self.ports.strides[stream as usize];
            for what in
                [format!("XfbBuffer {stream}"), format!("XfbStride {stride}"), format!("Offset {offset}")]
            {
                self.m.decorate(&format!("{variable} {what}"));
            }
        }
        self.m.capability("TransformFeedback");
        self.m.mode("Xfb");
    }

    /// Declares an array of blocks with a position.
    fn vertex_block(&mut self, class: &str, vertices: u32) -> Port {
        let vector = self.m.ty(&Type::Vector(F, 4));
        let block = self.m.unique(&format!("OpTypeStruct {vector}"));
        self.m.decorate(&format!("{block} Block"));
        self.m.decorate_member(&format!("{block} 0 BuiltIn Position"));
        let n = self.m.u32(vertices);
        let array = self.m.unique(&format!("OpTypeArray {block} {n}"));
        let variable = self.m.interface(class, &array);
        Port { variable, ty: (F, 4), place: (NOWHERE, 0), elements: 0, block: true, stream: 0 }
    }

    fn position(&mut self) -> Port {
        let vector = self.m.ty(&Type::Vector(F, 4));
        let variable = self.m.interface("Output", &vector);
        self.m.decorate(&format!("{variable} BuiltIn Position"));
        Port { variable, ty: (F, 4), place: (NOWHERE, 0), elements: 0, block: false, stream: 0 }
    }

    /// Declares the outer and inner tessellation levels.
    fn levels(&mut self, class: &str) -> Vec<Port> {
        let float = self.m.scalar(F);
        [("TessLevelOuter", 4), ("TessLevelInner", 2)]
            .map(|(name, elements)| {
                let n = self.m.u32(elements);
                let array = self.m.global(&format!("OpTypeArray {float} {n}"));
                let variable = self.m.interface(class, &array);
                self.m.decorate(&format!("{variable} BuiltIn {name}"));
                self.m.decorate(&format!("{variable} Patch"));
                Port { variable, ty: (F, 1), place: (NOWHERE, 0), elements, block: false, stream: 0 }
            })
            .into()
    }

    /// Declares variables with locations from `first` on; with `vertices`, they are arrays by vertex.
    fn located(&mut self, class: &str, vertices: Option<u32>, first: u32, patch: bool) -> Vec<Port> {
        let mut list = Vec::new();
        let mut location = first;
        for _ in 0..self.r.below(4) + 1 {
            location += self.r.below(2) as u32;
            let ty = self.interface_ty();
            let words = ty.1 * (ty.0.bits() / 32);
            let elements = if self.r.one_in(3) { self.r.below(3) as u32 + 2 } else { 0 };
            list.push(self.at_location(class, ty, elements, vertices, (location, 0), patch));
            // Variables that fit side by side may share a location; arrays do not.
            let mut component = words;
            while elements == 0 && component + words <= 4 && self.r.one_in(2) {
                list.push(self.at_location(class, ty, elements, vertices, (location, component), patch));
                component += words;
            }
            location += elements.max(1) * words.div_ceil(4);
        }
        list
    }

    fn interface_ty(&mut self) -> Ty {
        let wide = OTHERS.into_iter().filter(|s| s.bits() == 64 && self.scalars.contains(s));
        let list: Vec<Scalar> = [F, F, F, U, U, I].into_iter().chain(wide).collect();
        (*self.r.pick(&list), *self.r.pick(&[1, 1, 2, 3, 4]))
    }

    fn at_location(
        &mut self,
        class: &str,
        ty: Ty,
        elements: u32,
        vertices: Option<u32>,
        (location, component): (u32, u32),
        patch: bool,
    ) -> Port {
        let mut id = self.m.ty(&full(ty));
        for n in [elements, vertices.unwrap_or(0)] {
            if n > 0 {
                let n = self.m.u32(n);
                id = self.m.global(&format!("OpTypeArray {id} {n}"));
            }
        }
        let variable = self.m.interface(class, &id);
        self.m.decorate(&format!("{variable} Location {location}"));
        if component > 0 {
            self.m.decorate(&format!("{variable} Component {component}"));
        }
        if patch {
            self.m.decorate(&format!("{variable} Patch"));
        }
        Port { variable, ty, place: (location, component), elements, block: false, stream: 0 }
    }

    /// Begins the entry point with the index of the invocation.
    pub fn stage_entry(&mut self, shape: Shape) {
        let word = self.m.scalar(U);
        let load = |g: &mut Generator, name: &str| {
            let v = g.m.builtin(name, &Type::Scalar(U));
            g.m.push(&format!("OpLoad {word} {v}"))
        };
        self.ports.entered = true;
        if shape.stage == Stage::Vertex {
            for name in ["VertexIndex", "InstanceIndex"] {
                let v = load(self, name);
                self.values.push((v, (U, 1)));
            }
        } else if shape.stage == Stage::TessellationEvaluation {
            let v = self.m.builtin("TessCoord", &Type::Vector(F, 3));
            let (float, vector) = (self.m.scalar(F), self.m.ty(&Type::Vector(F, 3)));
            let v = self.m.push(&format!("OpLoad {vector} {v}"));
            let x = self.m.push(&format!("OpCompositeExtract {float} {v} 0"));
            self.id = self.m.push(&format!("OpConvertFToU {word} {x}"));
            self.values.push((v, (F, 3)));
        } else {
            let (primitive, each) = (load(self, "PrimitiveId"), self.m.u32(shape.each));
            let invocation = load(self, "InvocationId");
            let first = self.m.push(&format!("OpIMul {word} {primitive} {each}"));
            self.id = self.m.push(&format!("OpIAdd {word} {first} {invocation}"));
            self.values.push((primitive, (U, 1)));
            self.values.push((invocation.clone(), (U, 1)));
            self.ports.invocation = invocation;
        }
        if !matches!(shape.stage, Stage::Geometry | Stage::Vertex) {
            let vertices = load(self, "PatchVertices");
            self.values.push((vertices, (U, 1)));
        }
        if shape.linked {
            self.id.clear();
        }
        // Initializes the outputs, so that no unwritten output is read.
        for port in self.ports.outputs.clone() {
            self.fill(&port);
        }
        if shape.stage == Stage::TessellationControl {
            for k in 0..self.ports.patch_outputs.len() {
                self.by_owner(k, |g, port| g.fill(&port));
            }
            self.stage_barrier();
        }
    }

    /// Makes a pointer to an element.
    fn pointer_to(&mut self, class: &str, port: &Port, vertex: Option<String>, element: &str) -> String {
        let id = self.ty(port.ty);
        let pointer = self.m.pointer(class, &id);
        let zero = self.m.u32(0);
        let member = port.block.then_some(zero);
        let element = (port.elements > 0).then(|| element.to_string());
        let path: Vec<String> = [vertex, member, element].into_iter().flatten().collect();
        match path.is_empty() {
            true => port.variable.clone(),
            false => self.m.push(&format!("OpAccessChain {pointer} {} {}", port.variable, path.join(" "))),
        }
    }

    /// Index of the invocation's own vertex, if outputs are per vertex.
    fn own_vertex(&self, port: &Port) -> Option<String> {
        let of_patch = self.ports.patch_outputs.iter().any(|p| p.variable == port.variable);
        let control = self.stage() == Some(Stage::TessellationControl);
        (control && !of_patch).then(|| self.ports.invocation.clone())
    }

    /// Makes a value for an output: no NaN and, in pipelines, levels that produce few vertices.
    fn stored(&mut self, port: &Port, depth: u32) -> String {
        let e = self.expression(port.ty, depth);
        let level = port.place.0 == NOWHERE && port.elements > 0;
        if !level || !self.shape.is_some_and(|s| s.linked) {
            return self.without_nan(&e, port.ty);
        }
        let (float, most) = (self.m.scalar(F), self.m.constant(F, u64::from(6.5f32.to_bits())));
        self.m.push(&format!("OpExtInst {float} {} NMin {e} {most}", crate::text::GLSL))
    }

    /// Stores to every element of an output.
    fn fill(&mut self, port: &Port) {
        for k in 0..port.elements.max(1) {
            let k = self.m.u32(k);
            let e = self.stored(port, 2);
            let vertex = self.own_vertex(port);
            let p = self.pointer_to("Output", port, vertex, &k);
            self.m.push_only(&format!("OpStore {p} {e}"));
        }
    }

    /// Stores to an element of an output.
    fn store_to(&mut self, port: &Port) {
        let element = self.index(port.elements.max(1), 1);
        let e = self.stored(port, 0);
        let vertex = self.own_vertex(port);
        let p = self.pointer_to("Output", port, vertex, &element);
        self.m.push_only(&format!("OpStore {p} {e}"));
    }

    /// Makes code for the owner of patch output `k`, which the other invocations skip.
    fn by_owner(&mut self, k: usize, work: impl FnOnce(&mut Generator, Port)) {
        let port = self.ports.patch_outputs[k].clone();
        let owner = k as u32 % self.shape.map_or(1, |s| s.each);
        let (b, owner) = (self.m.scalar(B), self.m.u32(owner));
        let invocation = self.ports.invocation.clone();
        let mine = self.m.push(&format!("OpIEqual {b} {invocation} {owner}"));
        let (then, merge) = (self.m.fresh(), self.m.fresh());
        self.m.push_only(&format!("OpSelectionMerge {merge} None"));
        self.m.push_only(&format!("OpBranchConditional {mine} {then} {merge}"));
        self.label(&then);
        let known = self.values.len();
        work(self, port);
        self.values.truncate(known);
        self.m.push_only(&format!("OpBranch {merge}"));
        self.label(&merge);
    }

    fn stage_barrier(&mut self) {
        let (workgroup, invocation, none) = (self.m.u32(2), self.m.u32(4), self.m.u32(0));
        self.m.push_only(&format!("OpControlBarrier {workgroup} {invocation} {none}"));
    }

    fn load_from(&mut self, class: &str, port: &Port, vertex: Option<String>) {
        let element = self.index(port.elements.max(1), 1);
        let id = self.ty(port.ty);
        let p = self.pointer_to(class, port, vertex, &element);
        let v = self.m.push(&format!("OpLoad {id} {p}"));
        self.values.push((v, port.ty));
    }

    /// Control: in uniform control flow, each invocation writes, and after a barrier each reads the output of another.
    pub fn exchange_outputs(&mut self) {
        if self.r.one_in(3) {
            let k = self.r.below(self.ports.patch_outputs.len());
            self.by_owner(k, |g, port| g.store_to(&port));
            self.stage_barrier();
            let port = self.ports.patch_outputs[k].clone();
            self.load_from("Output", &port, None);
        } else {
            let port = self.r.pick(&self.ports.outputs).clone();
            self.store_to(&port);
            self.stage_barrier();
            let vertex = self.index(self.shape.map_or(1, |s| s.each), 1);
            self.load_from("Output", &port, Some(vertex));
        }
        self.stage_barrier();
    }

    /// Makes a statement that only these stages have. Called functions do not know the invocation.
    pub fn stage_statement(&mut self, exits: &Exits) {
        let Some(shape) = self.shape.filter(|_| self.ports.entered) else { return };
        match (self.r.below(5), shape.stage) {
            (0, _) if shape.stage != Stage::Vertex => {
                let port = self.r.pick(&self.ports.inputs).clone();
                let vertex = self.index(shape.size, 1);
                self.load_from("Input", &port, Some(vertex));
            }
            (1, Stage::TessellationControl) if exits.uniform => self.exchange_outputs(),
            (1, Stage::TessellationControl) => {
                let k = self.r.below(self.ports.patch_outputs.len());
                self.by_owner(k, |g, port| g.store_to(&port));
            }
            (1, Stage::TessellationEvaluation) => {
                let port = self.r.pick(&self.ports.patch_inputs).clone();
                self.load_from("Input", &port, None);
            }
            (1 | 2, Stage::Geometry) => self.emit(),
            (3, _) => {
                let port = self.r.pick(&self.ports.outputs).clone();
                let vertex = self.own_vertex(&port);
                self.load_from("Output", &port, vertex);
            }
            _ => {
                let port = self.r.pick(&self.ports.outputs).clone();
                self.store_to(&port);
            }
        }
    }

    /// Emits a vertex, or ends a primitive. Afterwards outputs are undefined, so they are written again.
    fn emit(&mut self) {
        let stream = *self.r.pick(&self.ports.streams);
        let several = self.ports.streams.len() > 1;
        let number = self.m.u32(stream);
        if self.r.one_in(4) {
            return match several {
                true => self.m.push_only(&format!("OpEndStreamPrimitive {number}")),
                false => self.m.push_only("OpEndPrimitive"),
            };
        }
        for port in self.ports.outputs.clone().into_iter().filter(|p| p.stream == stream) {
            if self.r.one_in(2) {
                self.store_to(&port);
            }
        }
        match several {
            true => self.m.push_only(&format!("OpEmitStreamVertex {number}")),
            false => self.m.push_only("OpEmitVertex"),
        }
        for port in self.ports.outputs.clone() {
            self.fill(&port);
        }
    }

    /// Writes the computed values to the outputs before the end.
    pub fn stage_results(&mut self) {
        for port in self.ports.outputs.clone() {
            self.store_to(&port);
        }
        if self.stage() == Some(Stage::Geometry) {
            self.emit();
        }
    }
}
