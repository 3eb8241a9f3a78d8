//! Where the outputs of a shader come from: those of an invocation are scalars of variables, which are copied when the
//! invocation ends, or emits a vertex.

use std::sync::{Arc, OnceLock};

use quadrille_jit::ir::{Imm, Inst, Op, Shader, Slot, Src, Value, Var, each_inst};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interface::Scalar;

/// A scalar of a variable.
pub type Home = (Var, u32);

/// See the module.
#[derive(Debug, Default)]
pub struct Plan {
    /// By output; `None`: it is always written.
    pub homes: Vec<Option<Home>>,
    /// By address of the instruction that emits a vertex, its outputs.
    pub emitted: FxHashMap<usize, Vec<(usize, Home)>>,
    /// What is read of variables to be put out, and for nothing else.
    pub copies: FxHashSet<Value>,
    names: OnceLock<Vec<Scalar>>,
}

impl Plan {
    /// Of a shader.
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
            // As it passes between stages.
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

    /// The scalar that an argument is a copy of.
    fn copy(
        &mut self,
        read: &FxHashMap<Value, (Home, Value, Src)>,
        inst: &Inst,
        argument: usize,
    ) -> Option<Home> {
        let &(home, value, src) = read.get(inst.args.get(argument)?)?;
        // What the author reads and puts out is another variable's affair.
        if src != inst.src {
            return None;
        }
        self.copies.insert(value);
        Some(home)
    }

    /// What outputs are called, and behind them what is `missing`.
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
