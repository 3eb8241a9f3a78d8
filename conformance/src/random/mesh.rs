//! Task and mesh modules: their outputs. The rest of their code is like that of compute modules.

use quadrille_jit::ir::Stage;

use super::{B, Generator, U};
use crate::text::Module;

/// Output variables.
#[derive(Default)]
pub struct Outputs {
    /// Mesh: a word for each vertex and for each primitive. Task: the payload, with a word for each invocation and a
    /// number.
    vertices: String,
    primitives: String,
}

/// Starts a module with workgroups of `local` invocations, which output as many points.
pub fn module(stage: Stage, local: u32) -> Module {
    let size = format!("LocalSize {local} 1 1");
    let mut m = match stage {
        Stage::Task => Module::stage("TaskEXT", vec![size]),
        _ => {
            let most = [format!("OutputVertices {local}"), format!("OutputPrimitivesEXT {local}")];
            let modes = [size, "OutputPoints".into()].into_iter().chain(most);
            Module::stage("MeshEXT", modes.collect())
        }
    };
    m.capability("MeshShadingEXT");
    m.extension("SPV_EXT_mesh_shader");
    m
}

impl Generator {
    /// Declares the outputs and their counts, which equal the number of invocations.
    pub fn declare_outputs(&mut self, stage: Stage) {
        let (word, n) = (self.m.scalar(U), self.local);
        let class = if stage == Stage::Task { "TaskPayloadWorkgroupEXT" } else { "Output" };
        let count = self.m.u32(n + u32::from(stage == Stage::Task));
        let array = self.m.global(&format!("OpTypeArray {word} {count}"));
        let pointer = self.m.pointer(class, &array);
        let mut variable = || self.m.unique(&format!("OpVariable {pointer} {class}"));
        if stage == Stage::Task {
            self.outputs.vertices = variable();
            return;
        }
        let (vertices, primitives) = (variable(), variable());
        self.m.decorate(&format!("{vertices} Location 0"));
        self.m.decorate(&format!("{primitives} Location 1"));
        self.m.decorate(&format!("{primitives} PerPrimitiveEXT"));
        self.m.push_only(&format!("OpSetMeshOutputsEXT {count} {count}"));
        self.outputs = Outputs { vertices, primitives };
    }

    /// Returns a word that depends on variables of the module.
    fn mixed(&mut self) -> String {
        let word = self.m.scalar(U);
        let mut mixed = self.id.clone();
        for (v, ty, _) in self.variables.iter().take(3).cloned().collect::<Vec<_>>() {
            let (id, scalar) = (self.ty(ty), self.m.scalar(ty.0));
            let value = self.m.push(&format!("OpLoad {id} {v}"));
            let part = match ty.1 {
                1 => value,
                _ => self.m.push(&format!("OpCompositeExtract {scalar} {value} 0")),
            };
            let one = self.to_word(&part, ty.0);
            mixed = self.m.push(&format!("OpBitwiseXor {word} {mixed} {one}"));
        }
        mixed
    }

    /// Writes the outputs from the invocation's current values. `again`: a second time, perhaps not in all invocations.
    pub fn put_out(&mut self, stage: Stage, again: bool) {
        let (word, index) = (self.m.scalar(U), self.local_index.clone());
        let class = if stage == Stage::Task { "TaskPayloadWorkgroupEXT" } else { "Output" };
        let pointer = self.m.pointer(class, &word);
        let Outputs { vertices, primitives } = &self.outputs;
        let (vertices, primitives) = (vertices.clone(), primitives.clone());
        let mixed = self.mixed();
        let own = self.m.push(&format!("OpAccessChain {pointer} {vertices} {index}"));
        if !again {
            self.m.push_only(&format!("OpStore {own} {mixed}"));
            if stage == Stage::Task {
                let (seven, one) = (self.m.u32(7), self.m.u32(1));
                let few = self.m.push(&format!("OpBitwiseAnd {word} {mixed} {seven}"));
                self.m.end = format!("OpEmitMeshTasksEXT {few} {one} {one} {vertices}");
            }
            return;
        }
        // Payloads may be read, but outputs of mesh shaders may not.
        let old = match stage {
            Stage::Task => self.m.push(&format!("OpLoad {word} {own}")),
            _ => index.clone(),
        };
        let odd = self.m.u32(0x9e37_79b1);
        let old = self.m.push(&format!("OpIMul {word} {old} {odd}"));
        let new = self.m.push(&format!("OpBitwiseXor {word} {old} {mixed}"));
        if stage == Stage::Task {
            self.m.push_only(&format!("OpStore {own} {new}"));
            let last = self.m.u32(self.local);
            let (workgroup, relaxed, one) = (self.m.u32(2), self.m.u32(0), self.m.u32(1));
            let last = self.m.push(&format!("OpAccessChain {pointer} {vertices} {last}"));
            self.m.push(&format!("OpAtomicIAdd {word} {last} {workgroup} {relaxed} {one}"));
            return;
        }
        let place = self.m.push(&format!("OpAccessChain {pointer} {primitives} {index}"));
        self.m.push_only(&format!("OpStore {place} {new}"));
        let boolean = self.m.scalar(B);
        let more = self.m.push(&format!("OpULessThan {boolean} {old} {new}"));
        let chosen = self.m.push(&format!("OpSelect {word} {more} {mixed} {new}"));
        self.m.push_only(&format!("OpStore {own} {chosen}"));
    }
}
