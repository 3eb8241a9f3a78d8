//! Numbers of 32 bits that were split into bit fields and put together again, in each lane of a vector.

use cranelift_codegen::ir::{Function, Inst, InstructionData, Opcode, Value, types};

/// Maximum depth to which operands are followed.
const DEPTH: u32 = 8;

/// A number made of bits of one value: `from << up & mask`, or `from >> -up & mask` with zeros moved in. The mask has no bit that
/// is moved in.
#[derive(Clone, Copy)]
struct Slice {
    from: Value,
    up: i32,
    mask: u32,
}

/// The vector that a disjunction puts together again from all of its bits.
pub fn rejoined(f: &Function, inst: Inst) -> Option<Value> {
    let InstructionData::Binary { opcode: Opcode::Bor, .. } = f.dfg.insts[inst] else { return None };
    let result = f.dfg.first_result(inst);
    let ty = f.dfg.value_type(result);
    if !ty.is_vector() || ty.lane_type() != types::I32 {
        return None;
    }
    let s = slice(f, result, DEPTH)?;
    (s.up == 0 && s.mask == u32::MAX && f.dfg.value_type(s.from) == ty && s.from != result).then_some(s.from)
}

/// A value as a part of another. `None` if a disjunction has parts of several values.
fn slice(f: &Function, v: Value, depth: u32) -> Option<Slice> {
    let v = f.dfg.resolve_aliases(v);
    let whole = Some(Slice { from: v, up: 0, mask: u32::MAX });
    let Some(inst) = f.dfg.value_def(v).inst().filter(|_| depth > 0) else { return whole };
    let InstructionData::Binary { opcode, args: [a, b] } = f.dfg.insts[inst] else { return whole };
    let of = |v: Value| slice(f, v, depth - 1);
    match (opcode, constant(f, a), constant(f, b)) {
        (Opcode::Band, None, Some(bits)) | (Opcode::Band, Some(bits), None) => {
            let s = of(if constant(f, a).is_none() { a } else { b })?;
            Some(Slice { mask: s.mask & bits, ..s })
        }
        (Opcode::Ushr, None, Some(n @ 0..32)) => {
            let s = of(a)?;
            Some(Slice { up: s.up - n as i32, mask: s.mask >> n, ..s })
        }
        (Opcode::Ishl, None, Some(n @ 0..32)) => {
            let s = of(a)?;
            Some(Slice { up: s.up + n as i32, mask: s.mask << n, ..s })
        }
        (Opcode::Bor, None, None) => {
            let (x, y) = (of(a)?, of(b)?);
            ((x.from, x.up) == (y.from, y.up)).then_some(Slice { mask: x.mask | y.mask, ..x })
        }
        _ => whole,
    }
}

/// The number in each lane of a constant, or a scalar constant.
fn constant(f: &Function, v: Value) -> Option<u32> {
    let inst = f.dfg.value_def(f.dfg.resolve_aliases(v)).inst()?;
    match f.dfg.insts[inst] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits() as u32),
        InstructionData::Unary { opcode: Opcode::Splat, arg } => constant(f, arg),
        InstructionData::UnaryConst { opcode: Opcode::Vconst, constant_handle } => {
            let bytes = f.dfg.constants.get(constant_handle).as_slice();
            let first = bytes.first_chunk::<4>()?;
            bytes.chunks(4).all(|lane| lane == first).then_some(u32::from_le_bytes(*first))
        }
        _ => None,
    }
}
