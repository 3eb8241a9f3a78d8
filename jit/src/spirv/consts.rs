//! Constants and specialization constants, evaluated to the bits of their scalars.
//!
//! OpSpecConstantOp is evaluated here with the specialization of the current lowering, since array lengths and
//! workgroup sizes depend on it. Results for operands outside an operation's domain match [`crate::ir::Op`].

use std::rc::Rc;

use spirv::{Decoration, Op};

use super::grammar;
use super::heap::HEAP_DESCRIPTOR_BYTES;
use super::module::{Inst, Module, SpecConstant};
use super::newer::{CONSTANT_DATA, SPEC_CONSTANT_DATA};
use super::sizes::Types;
use super::types::{SmallFloat, Type};
use crate::error::{Error, Result};
use crate::ir::{self, Ty};

/// Maximum length of a chain of constants that depend on each other.
const MAX_CHAIN: u32 = 256;
/// Maximum number of constants that are evaluated for each other, also as the lengths of types, which bounds recursion.
const MAX_LEVELS: u32 = 2 * MAX_CHAIN;
/// Maximum number of scalars of all constants that a shader needs. An instruction of a few words can make a constant with
/// as many scalars as a type may have.
const MAX_CONST_SCALARS: usize = 1 << 24;

impl Module {
    /// Collects the specialization constants, with their defaults.
    pub(super) fn find_spec_constants(&mut self) -> Result<()> {
        let mut list = Vec::new();
        let mut consts = Types::new(self, &[]);
        for inst in &self.insts {
            if !matches!(inst.op, Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse) {
                continue;
            }
            let Some(spec_id) = self.deco(inst.id, Decoration::SpecId) else { continue };
            let ty = match self.ty(inst.ty)?.scalar() {
                Some(ty) => ty,
                None => return Err(self.invalid(inst, "type of a specialization constant is not a scalar")),
            };
            let default_bits = consts.const_scalar(inst.id)?;
            list.push(SpecConstant {
                spec_id,
                ty,
                default_bits,
                name: self.name(inst.id).to_owned(),
                id: inst.id,
            });
        }
        self.spec_constants = list;
        Ok(())
    }
}

impl Types<'_> {
    /// Bits of each scalar of a constant.
    pub fn const_bits(&mut self, id: u32) -> Result<Rc<[u64]>> {
        self.const_at(id, MAX_CHAIN)
    }

    /// Bits of a scalar constant, zero-extended.
    pub fn const_scalar(&mut self, id: u32) -> Result<u64> {
        match *self.const_bits(id)? {
            [bits] => Ok(bits),
            _ => Err(Error::invalid(format!("id %{id} is not a scalar constant"))),
        }
    }

    /// A scalar constant as `u32`.
    pub fn const_u32(&mut self, id: u32) -> Result<u32> {
        let bits = self.const_scalar(id)?;
        u32::try_from(bits).map_err(|_| Error::invalid(format!("constant %{id} is too large: {bits}")))
    }

    fn const_at(&mut self, id: u32, left: u32) -> Result<Rc<[u64]>> {
        if let Some(bits) = self.consts.get(&id) {
            return Ok(bits.clone());
        }
        if left == 0 || self.levels == MAX_LEVELS {
            return Err(Error::Limit(format!("more than {MAX_CHAIN} constants depend on each other")));
        }
        let m = self.module;
        let inst = match m.def(id) {
            Some(inst) if self.is_address(inst) => *inst,
            Some(inst) if grammar::is_constant(inst.op) || inst.op == Op::Undef => *inst,
            _ => return Err(Error::invalid(format!("id %{id} is not a constant"))),
        };
        self.levels += 1;
        let bits = self.const_inst(&inst, left).and_then(|bits| Ok((self.leaves(inst.ty)?, bits)));
        self.levels -= 1;
        let (leaves, bits) = bits.map_err(|e| match e {
            Error::Invalid { message, place } if place.word.is_none() => m.invalid(&inst, message),
            Error::Unsupported { what, place } if place.word.is_none() => m.unsupported(&inst, what),
            e => e,
        })?;
        if bits.len() != leaves as usize {
            return Err(m.invalid(&inst, "constant does not fit its type"));
        }
        self.const_scalars += bits.len();
        crate::budget::work(bits.len())?;
        if self.const_scalars > MAX_CONST_SCALARS {
            return Err(Error::Limit(format!("constants have more than {MAX_CONST_SCALARS} scalars")));
        }
        self.consts.insert(id, bits.clone());
        Ok(bits)
    }

    fn const_inst(&mut self, inst: &Inst, left: u32) -> Result<Rc<[u64]>> {
        let m = self.module;
        let given =
            m.deco(inst.id, Decoration::SpecId).and_then(|spec_id| self.spec.get(&spec_id)?.last().copied());
        let bits = match inst.op {
            _ if self.is_address(inst) => self.const_address(inst, left)?,
            Op::ConstantTrue => 1,
            Op::ConstantFalse => 0,
            Op::SpecConstantTrue => u64::from(given.is_none_or(|v| v & 0xffff_ffff != 0)),
            Op::SpecConstantFalse => u64::from(given.is_some_and(|v| v & 0xffff_ffff != 0)),
            Op::Constant | Op::SpecConstant => {
                let ty = self.scalar(inst.ty)?;
                let literal = u64::from(m.operand(inst, 0)?)
                    | if ty.bytes() == 8 { u64::from(m.operand(inst, 1)?) << 32 } else { 0 };
                let bits =
                    mask(ty, if inst.op == Op::SpecConstant { given.unwrap_or(literal) } else { literal });
                match self.small_float(inst.ty) {
                    Some(small) => bits & ((1 << small.bits()) - 1),
                    None => bits,
                }
            }
            CONSTANT_DATA | SPEC_CONSTANT_DATA => return self.constant_data(inst),
            Op::ConstantNull | Op::Undef => {
                let n = self.leaves(inst.ty)?;
                return Ok(vec![0; n as usize].into());
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let total = self.leaves(inst.ty)? as usize;
                let mut all = Vec::with_capacity(total);
                for &part in m.operands(inst) {
                    all.extend_from_slice(&self.before(part, inst, left)?);
                    if all.len() > total {
                        return Err(Error::invalid("too many constituents"));
                    }
                }
                // The constituent of a cooperative matrix is the value of all its elements.
                if let (Type::CooperativeMatrix(_), &[one]) = (m.ty(inst.ty)?, &all[..]) {
                    all.resize(total, one);
                }
                return Ok(all.into());
            }
            Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
                let total = self.leaves(inst.ty)? as usize;
                let part = self.before(m.operand(inst, 0)?, inst, left)?;
                if part.is_empty() || !total.is_multiple_of(part.len()) {
                    return Err(Error::invalid("constituent does not fit the composite"));
                }
                return Ok(part.repeat(total / part.len()).into());
            }
            Op::SpecConstantOp => return self.const_op(inst, left),
            Op::ConstantSizeOfEXT => match m.ty(m.operand(inst, 0)?)? {
                Type::Image(_) | Type::Sampler | Type::BufferDescriptor => u64::from(HEAP_DESCRIPTOR_BYTES),
                _ => return Err(Error::invalid("size of a type that is not a descriptor")),
            },
            _ => return Err(Error::unsupported("this kind of constant")),
        };
        Ok(Rc::new([bits]))
    }

    /// Evaluates a constant that `inst` refers to; its definition must precede `inst`.
    pub(super) fn before(&mut self, id: u32, inst: &Inst, left: u32) -> Result<Rc<[u64]>> {
        match self.module.def(id) {
            Some(def) if def.at < inst.at => self.const_at(id, left - 1),
            _ => Err(Error::invalid(format!("constituent %{id} is not defined before"))),
        }
    }

    /// Elements of an array of data, which the words of the instruction hold without gaps. Given data replaces the words
    /// of a specialization constant; missing data is zero. Spec: SPV_KHR_constant_data.
    fn constant_data(&mut self, inst: &Inst) -> Result<Rc<[u64]>> {
        let m = self.module;
        let Type::Array { elem: element, .. } = *m.ty(inst.ty)? else {
            return Err(Error::invalid("data of a type that is not an array"));
        };
        if !matches!(m.ty(element)?, Type::Int { .. }) {
            return Err(Error::invalid("data of an array whose elements are not integers"));
        }
        if m.deco(inst.ty, Decoration::ArrayStride).is_some() {
            return Err(Error::invalid("data of an array with ArrayStride"));
        }
        let (n, each) = (self.array_len(inst.ty)? as usize, self.scalar(element)?.bytes() as usize);
        let given = m.deco(inst.id, Decoration::SpecId).and_then(|spec_id| self.spec.get(&spec_id));
        let bytes: Vec<u8> = match given.filter(|_| inst.op == SPEC_CONSTANT_DATA) {
            Some(words) => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
            None => m.operands(inst).iter().flat_map(|word| word.to_le_bytes()).collect(),
        };
        if inst.op == CONSTANT_DATA && bytes.len() != (n * each).next_multiple_of(4) {
            return Err(Error::invalid(format!(
                "{} bytes of data for {n} elements of {each} bytes",
                bytes.len()
            )));
        }
        let element = |i: usize| {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(bytes.iter().skip(i * each).take(each)) {
                *to = *from;
            }
            u64::from_le_bytes(word)
        };
        Ok((0..n).map(element).collect())
    }

    fn const_op(&mut self, inst: &Inst, left: u32) -> Result<Rc<[u64]>> {
        let m = self.module;
        let number = m.operand(inst, 0)?;
        let Some(op) = Op::from_u32(number) else {
            return Err(Error::invalid(format!("unknown opcode {number}")));
        };
        let operands = m.operands_from(inst, 1);
        let need =
            |n: usize| if operands.len() < n { Err(Error::invalid("operands are missing")) } else { Ok(()) };
        match op {
            Op::CompositeExtract => {
                need(2)?;
                let whole = self.before(operands[0], inst, left)?;
                let (at, ty) = self.walk(m.type_of(operands[0])?, &operands[1..])?;
                let n = self.leaves(ty)?;
                slice(&whole, at, n)
            }
            Op::CompositeInsert => {
                need(3)?;
                let part = self.before(operands[0], inst, left)?;
                let mut whole = self.before(operands[1], inst, left)?.to_vec();
                let (at, _) = self.walk(m.type_of(operands[1])?, &operands[2..])?;
                match whole.get_mut(at as usize..at as usize + part.len()) {
                    Some(place) => place.copy_from_slice(&part),
                    None => return Err(Error::invalid("object does not fit")),
                }
                Ok(whole.into())
            }
            Op::VectorShuffle => {
                need(2)?;
                let mut both = self.before(operands[0], inst, left)?.to_vec();
                both.extend_from_slice(&self.before(operands[1], inst, left)?);
                Ok(operands[2..].iter().map(|&i| both.get(i as usize).copied().unwrap_or(0)).collect())
            }
            Op::CooperativeMatrixLengthKHR => {
                need(1)?;
                if m.def(operands[0]).is_none_or(|d| d.at >= inst.at) {
                    return Err(Error::invalid("type is not defined before"));
                }
                Ok(Rc::new([u64::from(self.cooperative(operands[0])?.scalars)]))
            }
            _ => {
                need(1)?;
                self.number_op(inst, op, operands, left)
            }
        }
    }

    /// The operations that work on each scalar alone, and bitcasts.
    fn number_op(&mut self, inst: &Inst, op: Op, operands: &[u32], left: u32) -> Result<Rc<[u64]>> {
        let m = self.module;
        let mut args = Vec::new();
        for &id in operands.iter().take(3) {
            args.push(self.before(id, inst, left)?);
        }
        let from = self.component(m.type_of(operands[0])?)?;
        let to = self.component(inst.ty)?;
        let n = self.leaves(inst.ty)? as usize;
        if op == Op::Bitcast && m.has_kernels() {
            if [m.type_of(operands[0])?, inst.ty].iter().any(|&ty| m.is_of_part_bytes(ty)) {
                return Err(Error::unsupported("OpSpecConstantOp Bitcast of floats of 4 or 6 bits"));
            }
            return bitcast(&args[0], from, to, n);
        }
        if op == Op::FConvert
            && let Some(converted) = self.small_floats(inst.ty, operands[0], &args[0])?
        {
            return Ok(converted);
        }
        let of_kernels = kernel_op(op).filter(|_| m.has_kernels());
        let mut all = Vec::with_capacity(n);
        for i in 0..n {
            let arg = |k: usize| -> Result<u64> {
                match args.get(k).map(|a| &**a) {
                    Some([one]) => Ok(*one),
                    Some(many) => many.get(i).copied().ok_or_else(|| Error::invalid("operand sizes differ")),
                    None => Err(Error::invalid("operands are missing")),
                }
            };
            let bits = match of_kernels {
                Some(op) => {
                    let bits = (0..args.len()).map(arg).collect::<Result<Vec<_>>>()?;
                    crate::ops::eval(op, &vec![from; bits.len()], to, &bits)
                }
                None => scalar_op(op, from, to, arg)?,
            };
            all.push(mask(to, bits));
        }
        Ok(all.into())
    }

    /// Converts scalars from or to small floats; `None` if neither type is of these.
    fn small_floats(&mut self, ty: u32, operand: u32, scalars: &[u64]) -> Result<Option<Rc<[u64]>>> {
        let types = [self.module.type_of(operand)?, ty];
        let small = types.map(|ty| self.small_float(ty));
        if small == [None; 2] {
            return Ok(None);
        }
        let held = [self.component(types[0])?, self.component(types[1])?];
        scalars.iter().map(|&bits| convert_small(bits, small, held)).collect::<Result<_>>().map(Some)
    }

    /// Follows literal indices into a composite type. Returns the leaf offset and the type of the part.
    pub fn walk(&mut self, ty: u32, indices: &[u32]) -> Result<(u32, u32)> {
        let m = self.module;
        let (mut at, mut ty) = (0, ty);
        for &i in indices {
            let out = || Error::invalid(format!("index {i} is outside of type %{ty}"));
            let (step, inner) = match m.ty(ty)? {
                Type::Vector { elem, .. } if i < self.leaves(ty)? => (i, *elem),
                Type::Matrix { column, rows, columns, .. } if i < *columns => (i * rows, *column),
                Type::CooperativeMatrix(matrix) if i < self.leaves(ty)? => (i, matrix.elem),
                Type::Array { elem, .. } if i < self.array_len(ty)? => (i * self.leaves(*elem)?, *elem),
                Type::Struct { members } => {
                    let inner = *members.get(i as usize).ok_or_else(out)?;
                    (self.member_offset(ty, i, super::types::Units::Leaves)?, inner)
                }
                _ => return Err(out()),
            };
            at += step;
            ty = inner;
        }
        Ok((at, ty))
    }
}

fn slice(all: &[u64], at: u32, n: u32) -> Result<Rc<[u64]>> {
    all.get(at as usize..(at + n) as usize).map(Rc::from).ok_or_else(|| Error::invalid("index out of range"))
}

/// Masks `bits` to the width of a type.
pub fn mask(ty: Ty, bits: u64) -> u64 {
    match ty {
        Ty::Bool => bits & 1,
        _ => match ty.bits() {
            Some(n @ 1..64) => bits & ((1 << n) - 1),
            _ => bits,
        },
    }
}

/// Sign-extends a value of the given type to 64 bits.
fn signed(ty: Ty, bits: u64) -> i64 {
    let shift = 64 - ty.bits().unwrap_or(64);
    ((bits << shift) as i64) >> shift
}

/// The scalars of a constant with other types: the low parts come first.
fn bitcast(scalars: &[u64], from: Ty, to: Ty, n: usize) -> Result<Rc<[u64]>> {
    let size = |ty: Ty| ty.bytes() as usize;
    let bytes: Vec<u8> = scalars.iter().flat_map(|s| s.to_le_bytes().into_iter().take(size(from))).collect();
    if bytes.len() != n * size(to) || from == Ty::Bool || to == Ty::Bool {
        return Err(Error::invalid("OpSpecConstantOp Bitcast between types of different sizes"));
    }
    let scalar = |part: &[u8]| part.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    Ok(bytes.chunks_exact(size(to)).map(scalar).collect())
}

/// Converts one scalar from or to a small float. Every number of any type that has a constant here is an f64.
fn convert_small(bits: u64, [small, into]: [Option<SmallFloat>; 2], [from, to]: [Ty; 2]) -> Result<u64> {
    let number = match small {
        Some(small) => small.number(bits),
        None => float_number(from, bits)?,
    };
    match into {
        Some(into) => into.encoding(number).ok_or_else(|| Error::invalid(into.no_result())),
        None => float_bits(to, number),
    }
}

/// The number of a float.
fn float_number(ty: Ty, bits: u64) -> Result<f64> {
    match ty {
        Ty::F64 => Ok(f64::from_bits(bits)),
        Ty::F32 => Ok(f64::from(f32::from_bits(bits as u32))),
        Ty::F16 => Ok(half::f16::from_bits(bits as u16).to_f64()),
        _ => Err(Error::invalid("operand is not a float")),
    }
}

/// The bits of the float next to a number.
fn float_bits(ty: Ty, number: f64) -> Result<u64> {
    match ty {
        Ty::F64 => Ok(number.to_bits()),
        Ty::F32 => Ok(u64::from((number as f32).to_bits())),
        Ty::F16 => Ok(crate::ops::value::from_f64(Ty::F16, number)),
        _ => Err(Error::invalid("result is not a float")),
    }
}

/// The operation of the IR that is equal to one on numbers that OpSpecConstantOp allows under the Kernel capability.
fn kernel_op(op: Op) -> Option<ir::Op> {
    Some(match op {
        Op::ConvertFToS => ir::Op::FToS,
        Op::ConvertFToU => ir::Op::FToU,
        Op::ConvertSToF => ir::Op::SToF,
        Op::ConvertUToF => ir::Op::UToF,
        Op::FNegate => ir::Op::FNeg,
        Op::FAdd => ir::Op::FAdd,
        Op::FSub => ir::Op::FSub,
        Op::FMul => ir::Op::FMul,
        Op::FDiv => ir::Op::FDiv,
        Op::FRem => ir::Op::FRem,
        Op::FMod => ir::Op::FMod,
        _ => return None,
    })
}

/// Evaluates one scalar of an operation that OpSpecConstantOp allows under the Shader capability.
fn scalar_op(op: Op, from: Ty, to: Ty, arg: impl Fn(usize) -> Result<u64>) -> Result<u64> {
    let a = arg(0)?;
    let (sa, width) = (signed(from, a), u64::from(from.bits().unwrap_or(1)));
    let b = |f: &dyn Fn(u64) -> u64| arg(1).map(f);
    let s = |f: &dyn Fn(i64) -> i64| arg(1).map(|b| f(signed(from, b)) as u64);
    let float = |f: &dyn Fn(f64) -> f64| float_bits(to, f(float_number(from, a)?));
    match op {
        Op::SNegate => Ok(sa.wrapping_neg() as u64),
        Op::Not => Ok(!a),
        Op::IAdd => b(&|b| a.wrapping_add(b)),
        Op::ISub => b(&|b| a.wrapping_sub(b)),
        Op::IMul => b(&|b| a.wrapping_mul(b)),
        Op::UDiv => b(&|b| a.checked_div(b).unwrap_or(0)),
        Op::UMod => b(&|b| a.checked_rem(b).unwrap_or(0)),
        Op::SDiv => s(&|b| if b == 0 { 0 } else { sa.wrapping_div(b) }),
        Op::SRem => s(&|b| if b == 0 { 0 } else { sa.wrapping_rem(b) }),
        Op::SMod => s(&|b| match b {
            0 => 0,
            _ => {
                let r = sa.wrapping_rem(b);
                if r != 0 && (r < 0) != (b < 0) { r.wrapping_add(b) } else { r }
            }
        }),
        Op::ShiftLeftLogical => b(&|b| a << (b % width)),
        Op::ShiftRightLogical => b(&|b| a >> (b % width)),
        Op::ShiftRightArithmetic => b(&|b| (sa >> (b % width)) as u64),
        Op::BitwiseOr | Op::LogicalOr => b(&|b| a | b),
        Op::BitwiseXor | Op::LogicalNotEqual => b(&|b| a ^ b),
        Op::BitwiseAnd | Op::LogicalAnd => b(&|b| a & b),
        Op::LogicalNot => Ok(a ^ 1),
        Op::LogicalEqual | Op::IEqual => b(&|b| u64::from(a == b)),
        Op::INotEqual => b(&|b| u64::from(a != b)),
        Op::ULessThan => b(&|b| u64::from(a < b)),
        Op::ULessThanEqual => b(&|b| u64::from(a <= b)),
        Op::UGreaterThan => b(&|b| u64::from(a > b)),
        Op::UGreaterThanEqual => b(&|b| u64::from(a >= b)),
        Op::SLessThan => s(&|b| i64::from(sa < b)),
        Op::SLessThanEqual => s(&|b| i64::from(sa <= b)),
        Op::SGreaterThan => s(&|b| i64::from(sa > b)),
        Op::SGreaterThanEqual => s(&|b| i64::from(sa >= b)),
        Op::Select => Ok(if a != 0 { arg(1)? } else { arg(2)? }),
        Op::UConvert => Ok(a),
        Op::SConvert => Ok(sa as u64),
        Op::FConvert => float(&|x| x),
        Op::QuantizeToF16 => {
            float_number(from, a)?;
            Ok(crate::ops::eval(ir::Op::QuantizeToF16, &[from], to, &[a]))
        }
        _ => Err(Error::unsupported(format!("OpSpecConstantOp {op:?}"))),
    }
}
