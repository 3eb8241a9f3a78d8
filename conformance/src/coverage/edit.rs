//! Deliberately changed modules: copies in which the instructions that use a row compute something else, as if the
//! lowering of that row were wrong.

use std::collections::{BTreeMap, BTreeSet};

use quadrille_jit::spirv::{grammar, newer};
use rspirv::spirv::{
    Decoration as D, ExecutionMode as M, GlslStd450Op as G, ImageOperands, Op, OpenclStd100Op as C,
};

use super::facts::{Fact, Table};
use super::pairs::{BUILT_INS, ORDERED, SIMILAR, SIMILAR_GLSL, SIMILAR_OPENCL};

/// Change of a row's instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Negates the result: each bit of integers, the sign of floats, the truth of bools.
    Negated,
    /// Replaces the result by zero (composites that cannot be negated).
    Lost,
    /// Swaps the first two operands.
    Swapped,
    /// Replaces the instruction by a similar one: the other signedness or order.
    Similar,
    /// Removes the effect of the instruction.
    Dropped,
    /// Changes a literal or an operand.
    Changed,
}

/// All kinds of change.
pub const HOWS: [How; 6] = [How::Negated, How::Lost, How::Swapped, How::Similar, How::Dropped, How::Changed];

/// A disassembled module.
struct Edit {
    head: Vec<u32>,
    /// Instructions, each with its original word offset.
    list: Vec<(u32, Vec<u32>)>,
    types: BTreeMap<u32, Vec<u32>>,
    values: BTreeMap<u32, u32>,
    constants: BTreeMap<u32, (u32, u32)>,
}

/// Returns the module with changed instructions of a row; `None` if this change does not apply to them.
pub fn changed(words: &[u32], sites: &[u32], fact: &Fact, how: How) -> Option<Vec<u32>> {
    let mut edit = Edit::new(words);
    let sites: BTreeSet<u32> = sites.iter().copied().collect();
    let before = edit.list.clone();
    let mut out = Vec::new();
    for (at, inst) in before.iter() {
        match sites.contains(at) {
            true => edit.apply(inst, fact, how, &mut out),
            false => out.push(Piece::Same(inst.clone())),
        }
    }
    // An instruction inserted after a phi goes after the last phi of its block.
    let mut list: Vec<Vec<u32>> = Vec::new();
    let mut late: Vec<Vec<u32>> = Vec::new();
    let mut any = false;
    for piece in out {
        match piece {
            Piece::Same(inst) => {
                let op = opcode(&inst);
                if !late.is_empty() && !matches!(op, Some(Op::Phi | Op::Line | Op::NoLine)) {
                    list.append(&mut late);
                }
                list.push(inst);
            }
            Piece::New(inst) => {
                any = true;
                if !inst.is_empty() {
                    list.push(inst);
                }
            }
            Piece::Late(inst) => late.push(inst),
        }
    }
    any.then(|| edit.head.into_iter().chain(list.into_iter().flatten()).collect())
}

enum Piece {
    Same(Vec<u32>),
    New(Vec<u32>),
    Late(Vec<u32>),
}

fn opcode(inst: &[u32]) -> Option<Op> {
    Op::from_u32(inst.first()? & 0xffff)
}

fn instruction(op: Op, operands: &[u32]) -> Vec<u32> {
    let mut out = vec![(operands.len() as u32 + 1) << 16 | op as u32];
    out.extend_from_slice(operands);
    out
}

impl Edit {
    fn new(words: &[u32]) -> Edit {
        let (head, mut rest) = words.split_at(words.len().min(5));
        let mut edit = Edit {
            head: head.to_vec(),
            list: Vec::new(),
            types: BTreeMap::new(),
            values: BTreeMap::new(),
            constants: BTreeMap::new(),
        };
        let mut at = head.len() as u32;
        while let Some(&first) = rest.first() {
            let (inst, tail) = rest.split_at(((first >> 16) as usize).clamp(1, rest.len()));
            if let Some(row) = grammar::instruction(first & 0xffff) {
                let (has_type, has_result, ..) = grammar::shape(row);
                match (has_type, has_result) {
                    (true, true) if inst.len() > 2 => {
                        edit.values.insert(inst[2], inst[1]);
                        if opcode(inst) == Some(Op::Constant) && inst.len() > 3 {
                            edit.constants.insert(inst[2], (inst[1], inst[3]));
                        }
                    }
                    (false, true) if inst.len() > 1 => {
                        edit.types.insert(inst[1], inst.to_vec());
                    }
                    _ => {}
                }
            }
            edit.list.push((at, inst.to_vec()));
            at += inst.len() as u32;
            rest = tail;
        }
        edit
    }

    fn fresh(&mut self) -> u32 {
        self.head[3] += 1;
        self.head[3] - 1
    }

    /// The instruction that negates values of a type.
    fn negation(&self, ty: u32) -> Option<Op> {
        let def = self.types.get(&ty)?;
        match opcode(def)? {
            Op::TypeInt => Some(Op::Not),
            Op::TypeFloat => Some(Op::FNegate),
            Op::TypeBool => Some(Op::LogicalNot),
            Op::TypeVector | Op::TypeVectorIdEXT => self.negation(def[2]),
            _ => None,
        }
    }

    /// Inserts a negation of operand `i` before an instruction.
    fn negate_operand(&mut self, inst: &[u32], i: usize) -> Option<Vec<Vec<u32>>> {
        let id = *inst.get(i)?;
        let ty = *self.values.get(&id)?;
        let op = self.negation(ty)?;
        let new = self.fresh();
        let mut changed = inst.to_vec();
        changed[i] = new;
        Some(vec![instruction(op, &[ty, new, id]), changed])
    }

    fn apply(&mut self, inst: &[u32], fact: &Fact, how: How, out: &mut Vec<Piece>) {
        let phi = opcode(inst) == Some(Op::Phi);
        match self.mutate(inst, fact, how) {
            Some(list) => {
                let mut list = list.into_iter();
                match (phi, list.next()) {
                    // The phi gets a new name; the rest goes after all phis.
                    (true, Some(first)) => {
                        out.push(Piece::Late(list.next().unwrap_or_default()));
                        out.push(Piece::New(Vec::new()));
                        let at = out.len() - 2;
                        out.insert(at, Piece::Same(first));
                    }
                    (_, first) => {
                        out.push(Piece::New(first.unwrap_or_default()));
                        out.extend(list.map(Piece::New));
                    }
                }
            }
            None => out.push(Piece::Same(inst.to_vec())),
        }
    }

    /// Returns the instructions that replace an instruction.
    fn mutate(&mut self, inst: &[u32], fact: &Fact, how: How) -> Option<Vec<Vec<u32>>> {
        if how == How::Changed
            && let Some(row) = grammar::instruction(inst[0] & 0xffff)
        {
            match row.opcode {
                newer::CONSTANT_DATA | newer::SPEC_CONSTANT_DATA => {
                    let (head, data) = inst.split_at(3.min(inst.len()));
                    return Some(vec![
                        head.iter().copied().chain(data.iter().map(|word| word ^ 1)).collect(),
                    ]);
                }
                newer::BITCAST_EXTRACT => return self.negate_operand(inst, 3),
                newer::GET_COORDINATE => return self.negated(inst),
                newer::FDOT2_ACC32 | newer::FDOT2_ACC16 | newer::FDOT4_ACC32 => {
                    return self.negate_operand(inst, 5);
                }
                _ => {}
            }
        }
        let op = opcode(inst)?;
        match fact.table {
            Table::Instruction | Table::Glsl | Table::OpenCl => self.instruction(op, inst, fact, how),
            Table::Decoration if how == How::Changed => decoration(op, inst, fact.number),
            Table::BuiltIn if how == How::Changed => {
                let at = if op == Op::Decorate { 3 } else { 4 };
                let other = BUILT_INS.iter().find(|b| b.0 == fact.number).map(|b| b.1);
                match other {
                    Some(other) => {
                        let mut inst = inst.to_vec();
                        *inst.get_mut(at)? = other;
                        Some(vec![inst])
                    }
                    None => Some(Vec::new()),
                }
            }
            Table::Mode if how == How::Changed => match M::from_u32(fact.number)? {
                M::LocalSize => {
                    let mut inst = inst.to_vec();
                    let x = inst.get_mut(3)?;
                    *x = if *x == 1 { 2 } else { 1 };
                    Some(vec![inst])
                }
                _ => Some(Vec::new()),
            },
            Table::ImageOperand if how == How::Changed => self.image_operand(op, inst, fact.number),
            Table::Other("access" | "access dim" | "access format") if how == How::Changed => match op {
                Op::Store | Op::CopyMemory | Op::ImageWrite => Some(Vec::new()),
                _ => self.negated(inst),
            },
            Table::Other("SpecConstantOp") if how == How::Changed => {
                Some(vec![instruction(Op::ConstantNull, inst.get(1..3)?)])
            }
            Table::Other("GroupOperation") if how == How::Changed => {
                let mut inst = inst.to_vec();
                let at = inst.get_mut(4)?;
                *at = match *at {
                    0 => 1,
                    1 => 2,
                    2 => 1,
                    3 => 0,
                    6 => 7,
                    _ => 6,
                };
                if inst[4] == 0 && inst.len() == 7 {
                    inst.pop();
                    inst[0] -= 1 << 16;
                }
                Some(vec![inst])
            }
            _ => None,
        }
    }

    fn negated(&mut self, inst: &[u32]) -> Option<Vec<Vec<u32>>> {
        let row = grammar::instruction(inst[0] & 0xffff)?;
        let (true, true, ..) = grammar::shape(row) else { return None };
        let (ty, id) = (*inst.get(1)?, *inst.get(2)?);
        let op = self.negation(ty)?;
        let new = self.fresh();
        let mut renamed = inst.to_vec();
        renamed[2] = new;
        Some(vec![renamed, instruction(op, &[ty, id, new])])
    }

    fn instruction(&mut self, op: Op, inst: &[u32], fact: &Fact, how: How) -> Option<Vec<Vec<u32>>> {
        let constant = op.is_constant();
        match how {
            How::Negated if constant => constants(op, inst, &self.types),
            How::Negated => match op {
                Op::ReturnValue => self.negate_operand(inst, 1),
                Op::ImageTexelPointer => self.negate_operand(inst, 4),
                Op::FunctionParameter => None,
                _ => self.negated(inst),
            },
            How::Lost => self.lost(op, inst),
            How::Swapped => self.swapped(op, inst, fact),
            How::Similar => similar(op, inst, fact),
            How::Dropped => self.dropped(op, inst),
            How::Changed => match op {
                Op::BranchConditional => {
                    let mut inst = inst.to_vec();
                    inst.swap(2, 3);
                    Some(vec![inst])
                }
                Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain => self.other_index(inst),
                // The number of elements becomes the stride.
                Op::GroupAsyncCopy if inst.len() > 7 => {
                    let mut inst = inst.to_vec();
                    inst.swap(6, 7);
                    Some(vec![inst])
                }
                _ => None,
            },
        }
    }

    /// Loses the result: a composite or a cast pointer becomes undefined, a constant one null.
    fn lost(&mut self, op: Op, inst: &[u32]) -> Option<Vec<Vec<u32>>> {
        let row = grammar::instruction(inst[0] & 0xffff)?;
        let (true, true, ..) = grammar::shape(row) else { return None };
        let (ty, id) = (*inst.get(1)?, *inst.get(2)?);
        let def = self.types.get(&ty)?;
        if matches!(op, Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::GenericCastToPtrExplicit) {
            return Some(vec![instruction(Op::Undef, &[ty, id])]);
        }
        let composite = matches!(
            opcode(def)?,
            Op::TypeStruct | Op::TypeMatrix | Op::TypeArray | Op::TypeVector | Op::TypeVectorIdEXT
        );
        if op.is_constant() {
            let whole = matches!(op, Op::ConstantComposite | Op::SpecConstantComposite | Op::SpecConstantOp);
            return whole.then(|| vec![instruction(Op::ConstantNull, &[ty, id])]);
        }
        if !composite || self.negation(ty).is_some() || matches!(op, Op::Phi | Op::FunctionParameter) {
            return None;
        }
        let new = self.fresh();
        let mut renamed = inst.to_vec();
        renamed[2] = new;
        Some(vec![renamed, instruction(Op::Undef, &[ty, id])])
    }

    /// Swaps two operands of the same type.
    fn swapped(&self, op: Op, inst: &[u32], fact: &Fact) -> Option<Vec<Vec<u32>>> {
        let (a, b) = match op {
            Op::ExtInst => match G::from_u32(fact.number)? {
                G::Pow | G::Atan2 | G::Step | G::Reflect => (5, 6),
                _ => return None,
            },
            _ if ORDERED.contains(&op) => (3, 4),
            Op::Select => (4, 5),
            _ => return None,
        };
        let ty = |i: usize| inst.get(i).and_then(|id| self.values.get(id));
        (ty(a).is_some() && ty(a) == ty(b)).then(|| {
            let mut inst = inst.to_vec();
            inst.swap(a, b);
            vec![inst]
        })
    }

    /// Leaves an effect out.
    fn dropped(&self, op: Op, inst: &[u32]) -> Option<Vec<Vec<u32>>> {
        match op {
            Op::Store
            | Op::CopyMemory
            | Op::AtomicStore
            | Op::ImageWrite
            | Op::ControlBarrier
            | Op::EmitVertex
            | Op::EndPrimitive
            | Op::EmitStreamVertex
            | Op::EndStreamPrimitive
            | Op::SetMeshOutputsEXT
            | Op::CooperativeMatrixStoreKHR
            | Op::CooperativeMatrixStoreTensorNV
            | Op::DemoteToHelperInvocation => Some(Vec::new()),
            // The result is the operand that the instruction changes.
            Op::TensorLayoutSetBlockSizeNV
            | Op::TensorLayoutSetDimensionNV
            | Op::TensorLayoutSetStrideNV
            | Op::TensorLayoutSliceNV
            | Op::TensorLayoutSetClampValueNV
            | Op::TensorViewSetDimensionNV
            | Op::TensorViewSetStrideNV
            | Op::TensorViewSetClipNV
            | Op::CooperativeMatrixPerElementOpNV => Some(vec![instruction(Op::CopyObject, inst.get(1..4)?)]),
            Op::Kill | Op::TerminateInvocation | Op::EmitMeshTasksEXT => {
                Some(vec![instruction(Op::Return, &[])])
            }
            Op::Switch => Some(vec![instruction(Op::Switch, inst.get(1..3)?)]),
            Op::Variable if inst.len() > 4 => Some(vec![instruction(Op::Variable, &inst[1..4])]),
            Op::FunctionCall => {
                let void = self.types.get(inst.get(1)?).and_then(|t| opcode(t)) == Some(Op::TypeVoid);
                void.then(Vec::new)
            }
            _ => None,
        }
    }

    /// Replaces the last index of an access chain by another constant, or negates it.
    fn other_index(&mut self, inst: &[u32]) -> Option<Vec<Vec<u32>>> {
        let at = inst.len() - 1;
        if at < 4 {
            return None;
        }
        let Some(&(ty, value)) = self.constants.get(&inst[at]) else {
            return self.negate_operand(inst, at);
        };
        let wanted = if value == 0 { 1 } else { value - 1 };
        let other = self.constants.iter().find(|(_, v)| **v == (ty, wanted)).map(|c| *c.0)?;
        let mut inst = inst.to_vec();
        inst[at] = other;
        Some(vec![inst])
    }

    fn image_operand(&mut self, op: Op, inst: &[u32], bit: u32) -> Option<Vec<Vec<u32>>> {
        let name = format!("{op:?}");
        let at = match op {
            Op::ImageWrite => 4,
            _ if name.contains("Dref") || name.contains("Gather") => 6,
            _ => 5,
        };
        let mask = *inst.get(at)?;
        if mask & bit == 0 {
            return None;
        }
        // Ids of the image operands before this one.
        let ids = |bits: u32| {
            let bits = ImageOperands::from_bits_truncate(bits);
            bits.iter().filter_map(quadrille_jit::spirv::tables::image_operand).sum::<usize>()
        };
        let first = at + 1 + ids(mask & (bit - 1));
        let own = ids(bit);
        match ImageOperands::from_bits_truncate(bit) {
            ImageOperands::LOD | ImageOperands::BIAS | ImageOperands::SAMPLE => {
                self.negate_operand(inst, first)
            }
            ImageOperands::GRAD => {
                // Zero gradients select the largest level.
                let mut changed = inst.to_vec();
                let mut out = Vec::new();
                for i in [first, first + 1] {
                    let id = *inst.get(i)?;
                    let (ty, new) = (*self.values.get(&id)?, self.fresh());
                    out.push(instruction(Op::FSub, &[ty, new, id, id]));
                    changed[i] = new;
                }
                out.push(changed);
                Some(out)
            }
            _ => {
                let mut changed = inst.to_vec();
                changed[at] &= !bit;
                changed.drain(first..first + own);
                changed[0] = (changed.len() as u32) << 16 | op as u32;
                Some(vec![changed])
            }
        }
    }
}

/// Replaces an instruction by a similar one.
fn similar(op: Op, inst: &[u32], fact: &Fact) -> Option<Vec<Vec<u32>>> {
    let mut inst = inst.to_vec();
    if op == Op::ExtInst {
        if fact.table == Table::OpenCl {
            let c = C::from_u32(fact.number)?;
            let other = SIMILAR_OPENCL.iter().find(|p| p.0 == c || p.1 == c)?;
            inst[4] = if other.0 == c { other.1 } else { other.0 } as u32;
            return Some(vec![inst]);
        }
        let g = G::from_u32(fact.number)?;
        let other = SIMILAR_GLSL.iter().find(|p| p.0 == g || p.1 == g)?;
        inst[4] = if other.0 == g { other.1 } else { other.0 } as u32;
        return Some(vec![inst]);
    }
    let other = SIMILAR.iter().find(|p| p.0 == op || p.1 == op)?;
    let other = if other.0 == op { other.1 } else { other.0 };
    if matches!(op, Op::UConvert | Op::SConvert) && narrows(&fact.class) {
        return None;
    }
    inst[0] = inst[0] & 0xffff_0000 | other as u32;
    Some(vec![inst])
}

/// True for a conversion such as `u32>u8` to fewer bits, which does not depend on signedness.
fn narrows(class: &str) -> bool {
    let bits =
        |t: &str| t.trim_start_matches(['u', 'i']).split('x').next().and_then(|n| n.parse::<u32>().ok());
    class.split_once('>').is_some_and(|(from, to)| bits(from) > bits(to))
}

fn constants(op: Op, inst: &[u32], types: &BTreeMap<u32, Vec<u32>>) -> Option<Vec<Vec<u32>>> {
    let mut inst = inst.to_vec();
    let turned = match op {
        Op::ConstantTrue => Op::ConstantFalse,
        Op::ConstantFalse => Op::ConstantTrue,
        Op::SpecConstantTrue => Op::SpecConstantFalse,
        Op::SpecConstantFalse => Op::SpecConstantTrue,
        Op::Constant | Op::SpecConstant => {
            let def = types.get(&inst[1])?;
            match (opcode(def)?, *def.get(2)?) {
                (Op::TypeFloat, bits @ 0..32) => inst[3] ^= 1 << (bits.max(1) - 1),
                (Op::TypeFloat, _) => *inst.last_mut()? ^= 1 << 31,
                _ => inst[3] ^= 1,
            }
            return Some(vec![inst]);
        }
        _ => return None,
    };
    inst[0] = inst[0] & 0xffff_0000 | turned as u32;
    Some(vec![inst])
}

fn decoration(op: Op, inst: &[u32], number: u32) -> Option<Vec<Vec<u32>>> {
    let literal = match op {
        Op::Decorate => 3,
        Op::MemberDecorate => 4,
        _ => return Some(Vec::new()),
    };
    if inst.len() <= literal {
        return Some(Vec::new());
    }
    let mut inst = inst.to_vec();
    let v = &mut inst[literal];
    *v = match D::from_u32(number)? {
        D::Offset => *v + 4,
        D::ArrayStride | D::MatrixStride => *v * 2,
        D::FPRoundingMode => *v ^ 1,
        _ => *v + 1,
    };
    Some(vec![inst])
}
