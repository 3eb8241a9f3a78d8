//! Analyzes the effects of a shader on memory that other workgroups see.

use quadrille_jit::ir;

/// Atomic operations that workgroups or fragments may perform on the same memory.
pub(crate) struct Meetings {
    /// True if the shader has atomics.
    pub any: bool,
    /// True if results can depend on the execution order: the result of an atomic is used, or operations that do not
    /// commute occur. This is conservative, because bindings are not distinguished.
    pub ordered: bool,
}

/// Analyzes a shader. Atomics on payloads do not count, because a payload belongs to one workgroup.
pub(crate) fn meetings(shader: &ir::Shader) -> Meetings {
    let mut seen = Atomics::default();
    // Most shaders have no atomics, so check for them first.
    seen.region(&shader.body);
    if !seen.ops.is_empty() {
        seen = Atomics { used: vec![false; shader.values.len()], ..Default::default() };
        seen.uses(&shader.body);
        seen.region(&shader.body);
    }
    Meetings { any: !seen.ops.is_empty(), ordered: seen.ordered || seen.ops.len() > 1 }
}

#[derive(Default)]
struct Atomics {
    used: Vec<bool>,
    ops: Vec<ir::AtomicOp>,
    payloads: Vec<ir::Value>,
    ordered: bool,
}

impl Atomics {
    fn mark(&mut self, values: &[ir::Value]) {
        for v in values {
            if let Some(used) = self.used.get_mut(v.0 as usize) {
                *used = true;
            }
        }
    }

    fn uses(&mut self, region: &ir::Region) {
        for node in &region.nodes {
            match node {
                ir::Node::Inst(i) => self.mark(&i.args),
                ir::Node::If(n) => {
                    self.mark(&[n.cond]);
                    self.uses(&n.then);
                    self.uses(&n.els);
                }
                ir::Node::Block(n) => self.uses(&n.body),
                ir::Node::Loop(n) => {
                    n.params.iter().for_each(|(_, init)| self.mark(&[*init]));
                    self.uses(&n.body);
                }
            }
        }
        if let ir::End::Yield(values) | ir::End::Break(_, values) = &region.end {
            self.mark(values);
        }
    }

    fn region(&mut self, region: &ir::Region) {
        for node in &region.nodes {
            match node {
                ir::Node::Inst(i) => self.inst(i),
                ir::Node::If(n) => {
                    self.region(&n.then);
                    self.region(&n.els);
                }
                ir::Node::Block(n) => self.region(&n.body),
                ir::Node::Loop(n) => self.region(&n.body),
            }
        }
    }

    fn inst(&mut self, inst: &ir::Inst) {
        let op = match (&inst.op, &inst.imm) {
            (ir::Op::Payload, _) => return self.payloads.extend(&inst.results),
            (ir::Op::AtomicBuffer, _) if inst.args.first().is_some_and(|b| self.payloads.contains(b)) => {
                return;
            }
            (ir::Op::AtomicBuffer, ir::Imm::Atomic(op, _)) => *op,
            (ir::Op::ImageWrite, ir::Imm::Image(image)) => match image.kind {
                ir::ImageOpKind::Atomic(op) => op,
                _ => return,
            },
            _ => return,
        };
        use ir::AtomicOp as A;
        let result_used = inst.results.iter().any(|r| self.used.get(r.0 as usize) == Some(&true));
        let commutes = !matches!(op, A::Load | A::Store | A::Exchange | A::CompareExchange | A::FAdd);
        // An atomic load alone imposes no order.
        if op != A::Load && (result_used || !commutes) {
            self.ordered = true;
        }
        // Additions and subtractions commute with each other.
        let op = if op == A::ISub { A::IAdd } else { op };
        if !self.ops.contains(&op) {
            self.ops.push(op);
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_jit::ir::Stage;
    use quadrille_jit::spirv::{Module, asm};

    use super::meetings;

    /// True if atomics at this pointer make a task shader depend on the execution order.
    fn counts_at(pointer: &str) -> bool {
        let text = format!(
            "OpCapability MeshShadingEXT
            OpExtension \"SPV_EXT_mesh_shader\"
            OpMemoryModel Logical GLSL450
            OpEntryPoint TaskEXT %main \"main\" %buffer %payload
            OpExecutionMode %main LocalSize 32 1 1
            OpDecorate %block Block
            OpMemberDecorate %block 0 Offset 0
            OpDecorate %buffer DescriptorSet 0
            OpDecorate %buffer Binding 0
            %void = OpTypeVoid
            %fn = OpTypeFunction %void
            %uint = OpTypeInt 32 0
            %zero = OpConstant %uint 0
            %one = OpConstant %uint 1
            %block = OpTypeStruct %uint
            %pb = OpTypePointer StorageBuffer %block
            %pu = OpTypePointer StorageBuffer %uint
            %pp = OpTypePointer TaskPayloadWorkgroupEXT %uint
            %buffer = OpVariable %pb StorageBuffer
            %payload = OpVariable %pp TaskPayloadWorkgroupEXT
            %main = OpFunction %void None %fn
            %label = OpLabel
            %member = OpAccessChain %pu %buffer %zero
            %n = OpAtomicIAdd %uint {pointer} %one %zero %one
            OpEmitMeshTasksEXT %n %one %one %payload
            OpFunctionEnd"
        );
        let words = asm::assemble(&text).unwrap();
        meetings(&Module::parse(&words).unwrap().lower("main", Stage::Task, &[]).unwrap()).ordered
    }

    #[test]
    fn payloads_are_nobody_elses() {
        assert!(counts_at("%member"));
        assert!(!counts_at("%payload"));
    }
}
