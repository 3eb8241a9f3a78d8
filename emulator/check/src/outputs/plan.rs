//! Sources of a shader's outputs. Outputs of an invocation are scalars of variables, which are copied when the
//! invocation ends or emits a vertex.

use std::sync::{Arc, OnceLock};

use quadrille_jit::ir::{Imm, Inst, Op, Shader, Slot, Src, Value, Var, each_inst};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interface::Scalar;

/// A scalar of a variable.
pub type Home = (Var, u32);

/// Sources of a shader's outputs.
#[derive(Debug, Default)]
pub struct Plan {
    /// Variable scalar of each output; `None` if the output is always written.
    pub homes: Vec<Option<Home>>,
    /// Outputs of each instruction that emits a vertex, by its address.
    pub emitted: FxHashMap<usize, Vec<(usize, Home)>>,
    /// Values that are read from variables only to be written to outputs.
    pub copies: FxHashSet<Value>,
    names: OnceLock<Vec<Scalar>>,
}

impl Plan {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Plan {
        let mut plan = Plan { homes: vec![None; shader.outputs.len()], ..Plan::default() };
        if shader.stage.writes_vertices() {
            return plan;
        }
        let mut read: FxHashMap<Value, (Home, Value, Src)> = FxHashMap::default();
        each_inst(&shader.body, &mut |inst| match (inst.op, &inst.imm) {
            (Op::VarGet, &Imm::Var { var, elem }) => {
                read.insert(inst.results[0], ((var, elem), inst.results[0], inst.src));
            }
            // Conversions to the type in which values pass between stages.
            (Op::FConvert | Op::UConvert | Op::SConvert | Op::Select, _) => {
                if let Some(&of) = read.get(&inst.args[0]) {
                    read.insert(inst.results[0], of);
                }
            }
            (Op::StoreOutput, &Imm::Slot(output)) => {
                plan.homes[output as usize] = plan.copy(&read, inst, 0);
            }
            (Op::EmitVertex, &Imm::Stream(stream)) => {
                let of_stream = (0..shader.outputs.len()).filter(|&k| shader.outputs[k].stream == stream);
                let list = of_stream.enumerate();
                let list = list.filter_map(|(i, k)| Some((k, plan.copy(&read, inst, i)?))).collect();
                plan.emitted.insert(std::ptr::from_ref(inst).addr(), list);
            }
            _ => {}
        });
        plan
    }

    /// Returns the scalar that an argument is a copy of.
    fn copy(
        &mut self,
        read: &FxHashMap<Value, (Home, Value, Src)>,
        inst: &Inst,
        argument: usize,
    ) -> Option<Home> {
        let &(home, value, src) = read.get(inst.args.get(argument)?)?;
        // A copy that the author wrote concerns another variable.
        if src != inst.src {
            return None;
        }
        self.copies.insert(value);
        Some(home)
    }

    /// Returns the name of an output; numbers beyond the outputs are `missing` slots.
    pub fn name(&self, shader: &Arc<Shader>, missing: &[Slot], output: usize) -> Scalar {
        let names = self
            .names
            .get_or_init(|| shader.outputs.iter().map(|o| Scalar::of(shader, true, o.slot)).collect());
        match names.get(output) {
            Some(name) => name.clone(),
            None => Scalar::of(shader, true, missing[output - names.len()]),
        }
    }
}
