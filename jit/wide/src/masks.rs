//! Analysis of boolean vectors: vectors whose every lane is all ones or all zeros. With AVX-512, they live in mask
//! registers.
//!
//! The analysis is an optimistic fixpoint: block parameters start as boolean, and lose the property as soon as another
//! kind of value is passed to them. Constants with boolean lanes count as either kind, whichever their users need.

use cranelift_codegen::ir::{Block, Function, InstructionData, Opcode, Type, Value, ValueDef};

use crate::intrinsics::Intrinsic;

/// Maximum number of rounds of the fixpoint. A change propagates through the whole function in a round, except around
/// loops. In functions that need more rounds, no parameter counts as boolean.
const MOST_ROUNDS: u32 = 16;

/// Boolean property of each value of a function.
pub(crate) struct Truths {
    is: Vec<bool>,
}

impl Truths {
    pub fn of(f: &Function, order: &[Block]) -> Truths {
        let mut t = Truths { is: vec![false; f.dfg.num_values()] };
        for &b in order {
            for &p in f.dfg.block_params(b) {
                t.is[p.as_u32() as usize] =
                    f.layout.entry_block() != Some(b) && integer_lanes(f.dfg.value_type(p));
            }
        }
        // Results follow their operands; parameters only change from boolean to not boolean.
        for round in 0.. {
            let mut changed = false;
            if round == MOST_ROUNDS {
                let params = order.iter().flat_map(|&b| f.dfg.block_params(b));
                params.for_each(|p| t.is[p.as_u32() as usize] = false);
            }
            for &b in order {
                for inst in f.layout.block_insts(b) {
                    if let [r] = *f.dfg.inst_results(inst) {
                        let now = t.result(f, r);
                        t.is[r.as_u32() as usize] = now;
                    }
                }
                let Some(last) = f.layout.last_inst(b) else { continue };
                for call in f.dfg.insts[last].branch_destination(&f.dfg.jump_tables, &f.dfg.exception_tables)
                {
                    let params = f.dfg.block_params(call.block(&f.dfg.value_lists));
                    for (&p, arg) in params.iter().zip(call.args(&f.dfg.value_lists)) {
                        let holds = arg.as_value().is_some_and(|a| t.get(f, a) || truth_constant(f, a));
                        if t.is[p.as_u32() as usize] && !holds {
                            t.is[p.as_u32() as usize] = false;
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        t
    }

    /// `true` if a value is known to be a boolean vector.
    pub fn get(&self, f: &Function, v: Value) -> bool {
        self.is[f.dfg.resolve_aliases(v).as_u32() as usize]
    }

    fn result(&self, f: &Function, r: Value) -> bool {
        let ty = f.dfg.value_type(r);
        if !ty.is_vector() {
            return false;
        }
        let ValueDef::Result(inst, _) = f.dfg.value_def(r) else { return false };
        let holds = |v: Value| self.get(f, v) || truth_constant(f, v);
        match f.dfg.insts[inst] {
            InstructionData::IntCompare { .. } | InstructionData::FloatCompare { .. } => true,
            InstructionData::Binary { opcode: Opcode::Band | Opcode::Bor | Opcode::Bxor, args } => {
                // An operation on constants alone gains nothing in a mask register.
                ty.lane_type().is_int()
                    && args.iter().all(|&a| holds(a))
                    && args.iter().any(|&a| self.get(f, a))
            }
            InstructionData::Unary { opcode: Opcode::Bnot, arg } => self.get(f, arg),
            InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } => {
                f.dfg.value_type(arg).lane_count() == ty.lane_count() && self.get(f, arg)
            }
            InstructionData::Ternary { opcode: Opcode::Bitselect | Opcode::Blendv, args } => {
                ty.lane_type().is_int() && self.get(f, args[0]) && holds(args[1]) && holds(args[2])
            }
            InstructionData::Call { .. } => Intrinsic::called(f, inst).is_some_and(|i| i.gives_mask()),
            _ => false,
        }
    }
}

fn integer_lanes(ty: Type) -> bool {
    ty.is_vector() && ty.lane_type().is_int()
}

/// `true` if a value is a constant whose lanes are all ones or all zeros.
pub(crate) fn truth_constant(f: &Function, v: Value) -> bool {
    let v = f.dfg.resolve_aliases(v);
    let lane = f.dfg.value_type(v).lane_type();
    let ValueDef::Result(inst, _) = f.dfg.value_def(v) else { return false };
    match f.dfg.insts[inst] {
        InstructionData::UnaryConst { opcode: Opcode::Vconst, constant_handle } => {
            let bytes = f.dfg.constants.get(constant_handle).as_slice();
            lane.is_int()
                && bytes
                    .chunks(lane.bytes() as usize)
                    .all(|l| l.iter().all(|&b| b == l[0] && (b == 0 || b == 255)))
        }
        InstructionData::Unary { opcode: Opcode::Splat, arg } => {
            let ValueDef::Result(inst, _) = f.dfg.value_def(f.dfg.resolve_aliases(arg)) else { return false };
            match f.dfg.insts[inst] {
                InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => {
                    let k = imm.bits() << (64 - lane.bits());
                    k == 0 || k >> (64 - lane.bits()) == -1
                }
                _ => false,
            }
        }
        _ => false,
    }
}
