//! Words that cross shaders of a ray tracing pipeline: payloads, callable data and hit attributes.
//!
//! This file knows the instructions of a shader that pass words to other shaders or take words from them; `frames` the
//! calls of shaders by shaders that run on a thread, and the words that nobody wrote.

pub mod frames;

use quadrille_jit::ir::{Imm, Inst, Op, RayCall, RaySlot, Shader, Slot, Value, Var, each_inst};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::outputs::Home;

/// Kind of a variable that crosses shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crosses {
    /// A payload or callable data.
    Payload,
    /// A hit attribute of a shader that runs for a hit.
    Attribute,
}

/// Ways of words into a shader and out of it.
#[derive(Debug, Default)]
pub struct Crossing {
    /// Instructions that set a scalar of a variable to a word of another shader, by address, with the value that the
    /// word arrived as.
    sources: FxHashMap<usize, Value>,
    /// Scalars that each call passes, by the address of its instruction; `None` for values of other origin.
    calls: FxHashMap<usize, Vec<Option<Home>>>,
    /// Values that are read from variables only to be passed.
    passes: FxHashSet<Value>,
    variables: FxHashMap<Var, Crosses>,
}

impl Crossing {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Crossing {
        let mut crossing = Crossing::default();
        if !shader.stage.is_of_rays() {
            return crossing;
        }
        // Values that are words of other shaders, maybe converted, and values that are read from variables.
        let mut arrived: FxHashMap<Value, (Value, Crosses)> = FxHashMap::default();
        let mut read: FxHashMap<Value, (Home, Value)> = FxHashMap::default();
        each_inst(&shader.body, &mut |inst| match (inst.op, &inst.imm) {
            (Op::LoadInput, &Imm::Slot(input)) => {
                let crosses = match shader.inputs[input as usize].slot {
                    Slot::Ray(RaySlot::Payload(_)) => Crosses::Payload,
                    Slot::Ray(RaySlot::Attribute(_)) => Crosses::Attribute,
                    _ => return,
                };
                arrived.insert(inst.results[0], (inst.results[0], crosses));
            }
            (Op::RayCall, &Imm::Call(call)) => {
                if let Some(before) = call.results_before_scalars() {
                    arrived.extend(inst.results[before..].iter().map(|&v| (v, (v, Crosses::Payload))));
                }
                crossing.call(&read, inst, call);
            }
            (Op::VarGet, &Imm::Var { var, elem }) => {
                read.insert(inst.results[0], ((var, elem), inst.results[0]));
            }
            (Op::VarSet, &Imm::Var { var, .. }) => {
                if let Some(&(source, crosses)) = arrived.get(&inst.args[0]) {
                    crossing.sources.insert(std::ptr::from_ref(inst).addr(), source);
                    crossing.variables.insert(var, crosses);
                }
            }
            // Conversions between the type of a scalar and the one in which it passes between shaders.
            (Op::FConvert | Op::UConvert | Op::SConvert | Op::Select | Op::INe, _) => {
                let Some(&result) = inst.results.first() else { return };
                if let Some(&of) = arrived.get(&inst.args[0]) {
                    arrived.insert(result, of);
                }
                if let Some(&of) = read.get(&inst.args[0]) {
                    read.insert(result, of);
                }
            }
            // Other instructions give no scalar of their operand's value.
            _ => {}
        });
        crossing
    }

    fn call(&mut self, read: &FxHashMap<Value, (Home, Value)>, inst: &Inst, call: RayCall) {
        let scalars = &inst.args[call.operands().len()..];
        let homes = scalars.iter().map(|v| {
            let &(home, value) = read.get(v)?;
            self.passes.insert(value);
            Some(home)
        });
        let homes = homes.collect();
        self.calls.insert(std::ptr::from_ref(inst).addr(), homes);
    }

    /// The value that a word of another shader arrived as, if an instruction sets a variable to it.
    pub fn source(&self, inst: &Inst) -> Option<Value> {
        self.sources.get(&std::ptr::from_ref(inst).addr()).copied()
    }

    /// The variable scalar that a call passes as its scalar `i`.
    pub fn passed(&self, inst: &Inst, i: usize) -> Option<Home> {
        *self.calls.get(&std::ptr::from_ref(inst).addr())?.get(i)?
    }

    /// True if a value is read from a variable only to be passed.
    pub fn passes(&self, v: Value) -> bool {
        self.passes.contains(&v)
    }

    /// Kind of a variable that is set to words of other shaders.
    pub fn crosses(&self, var: Var) -> Option<Crosses> {
        self.variables.get(&var).copied()
    }
}
