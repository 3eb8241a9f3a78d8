//! Vector loads and stores, shuffles and printf of OpenCL.std. Spec: OpenCL Extended Instruction Set, "Vector Data Load
//! and Store instructions", "Miscellaneous Vector instructions", "Misc instructions".

use spirv::{FPRoundingMode as Mode, OpenclStd100Op as C};

use super::super::convert::narrow;
use super::super::place::Place;
use super::super::{Lower, Scalars, group};
use super::{operands_of, target};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::printf::{Conversion, OPENCL_SEPARATOR};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// The place `offset * n` elements past the one that operand `p` points to.
fn vector_place(lower: &mut Lower<'_>, operands: &[u32], p: usize, offset: usize, n: u32) -> Result<Place> {
    let place = target(lower, operands, p)?;
    let offset = lower.id_at(operands, offset)?;
    let offset = lower.scalar(offset)?;
    let offset = match lower.ty(offset) {
        Ty::I64 => offset,
        Ty::I32 => lower.op(Op::UConvert, Ty::I64, &[offset]),
        _ => return Err(Error::invalid("offset is not an integer of 32 or 64 bits")),
    };
    let n = lower.constant(Ty::I64, u64::from(n));
    let elements = lower.op(Op::IMul, Ty::I64, &[offset, n]);
    lower.past(&place, elements)
}

/// The place of element `i` of an array that begins at a place.
fn nth(lower: &mut Lower<'_>, place: &Place, i: usize) -> Result<Place> {
    let i = lower.constant(Ty::I64, i as u64);
    lower.past(place, i)
}

fn load_elements(lower: &mut Lower<'_>, place: &Place, n: usize) -> Result<Scalars> {
    let mut out = Scalars::new();
    for i in 0..n {
        let at = nth(lower, place, i)?;
        out.extend(lower.load(&at)?);
    }
    Ok(out)
}

fn store_elements(lower: &mut Lower<'_>, place: &Place, list: &[Value]) -> Result<()> {
    for (i, &v) in list.iter().enumerate() {
        let at = nth(lower, place, i)?;
        if lower.types.component(at.ty)? != lower.ty(v) {
            return Err(Error::invalid("the data does not have the pointer's pointee type"));
        }
        lower.store(&at, &[v])?;
    }
    Ok(())
}

/// vloadn: n elements from `p + offset * n`.
pub fn vloadn<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let n = lower.types.leaves(inst.ty)?;
    let place = vector_place(lower, operands, 1, 0, n)?;
    load_elements(lower, &place, n as usize)
}

/// vstoren.
pub fn vstoren<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let data = lower.id_at(operands, 0)?;
    let data = lower.scalars(data)?;
    let place = vector_place(lower, operands, 2, 1, data.len() as u32)?;
    store_elements(lower, &place, &data)
}

/// Distance of vectors of f16: those of three elements are four apart if they are aligned.
fn spacing(n: u32, aligned: bool) -> u32 {
    if aligned && n == 3 { 4 } else { n }
}

fn load_half(lower: &mut Lower<'_>, inst: &Inst, operands: &[u32], aligned: bool) -> Result<Scalars> {
    let n = lower.types.leaves(inst.ty)?;
    let to = lower.types.component(inst.ty)?;
    let place = vector_place(lower, operands, 1, 0, spacing(n, aligned))?;
    let list = load_elements(lower, &place, n as usize)?;
    if !to.is_float() || lower.first_ty(&list)? != Ty::F16 {
        return Err(Error::invalid("operand does not point to floats of 16 bits"));
    }
    Ok(list.into_iter().map(|v| narrow(lower, v, to, Mode::RTE)).collect())
}

/// vload_half, vload_halfn.
pub fn vload_half<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    load_half(lower, inst, operands, false)
}

/// vloada_halfn.
pub fn vloada_half<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    load_half(lower, inst, operands, true)
}

/// vstore_half, vstore_halfn, vstorea_halfn, and the same with a rounding mode.
pub fn vstore_half<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let data = lower.id_at(operands, 0)?;
    let data = lower.scalars(data)?;
    let number = lower.module.operand(inst, 1)?;
    let which = C::from_u32(number);
    let mode = match which {
        Some(C::vstore_half_r | C::vstore_halfn_r | C::vstorea_halfn_r) => {
            let mode = lower.id_at(operands, 3)?;
            Mode::from_u32(mode).ok_or_else(|| Error::invalid("unknown rounding mode"))?
        }
        _ => Mode::RTE,
    };
    let aligned = matches!(which, Some(C::vstorea_halfn | C::vstorea_halfn_r));
    if !matches!(lower.first_ty(&data)?, Ty::F32 | Ty::F64) {
        return Err(Error::invalid("data are not floats of 32 or 64 bits"));
    }
    let place = vector_place(lower, operands, 2, 1, spacing(data.len() as u32, aligned))?;
    let halves: Scalars = data.into_iter().map(|v| narrow(lower, v, Ty::F16, mode)).collect();
    store_elements(lower, &place, &halves)
}

/// Element `index` of a list, modulo the length, which is a power of two.
fn pick(lower: &mut Lower<'_>, list: &[Value], index: Value) -> Result<Value> {
    let (ty, index_ty) = (lower.first_ty(list)?, lower.ty(index));
    let n = list.len().next_power_of_two();
    let mask = lower.constant(index_ty, n as u64 - 1);
    let index = lower.op(Op::And, index_ty, &[index, mask]);
    let mut out = lower.constant(ty, 0);
    for (i, &v) in list.iter().enumerate() {
        let i = lower.constant(index_ty, i as u64);
        let hit = lower.op(Op::IEq, Ty::Bool, &[index, i]);
        out = lower.op(Op::Select, ty, &[hit, v, out]);
    }
    Ok(out)
}

/// shuffle: components of a vector, selected by a vector of integers.
pub fn shuffle<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [list, mask] = operands_of(lower, operands)?;
    shuffled(lower, &list, &mask)
}

/// shuffle2: components of two vectors.
pub fn shuffle2<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [x, y, mask] = operands_of(lower, operands)?;
    let list: Scalars = x.into_iter().chain(y).collect();
    shuffled(lower, &list, &mask)
}

fn shuffled(lower: &mut Lower<'_>, list: &[Value], mask: &[Value]) -> Result<Scalars> {
    if !lower.first_ty(mask)?.is_int() {
        return Err(Error::invalid("mask is not of integers"));
    }
    lower.work(list.len() * mask.len())?;
    mask.iter().map(|&index| pick(lower, list, index)).collect()
}

/// The text of a string constant that a pointer leads to.
fn text_of(lower: &mut Lower<'_>, id: u32) -> Result<String> {
    use spirv::Op as S;
    let m = lower.module;
    let mut at = id;
    for _ in 0..16 {
        let Some(def) = m.def(at) else { break };
        let operands = m.operands(def);
        let first = operands.first().copied().unwrap_or(0);
        match def.op {
            S::Variable => {
                let Some(initializer) = m.initializer(def) else { break };
                let bits = lower.types.const_bits(initializer)?;
                let bytes: Vec<u8> = bits.iter().map(|&b| b as u8).take_while(|&b| b != 0).collect();
                return Ok(String::from_utf8_lossy(&bytes).into_owned());
            }
            S::AccessChain | S::InBoundsAccessChain | S::PtrAccessChain | S::InBoundsPtrAccessChain => {
                for &index in &operands[1..] {
                    if lower.types.const_scalar(index)? != 0 {
                        return Err(Error::unsupported("printf of a part of a string"));
                    }
                }
                at = first;
            }
            S::Bitcast | S::CopyObject | S::PtrCastToGeneric | S::GenericCastToPtr => at = first,
            _ => break,
        }
    }
    Err(Error::unsupported("printf of a string that is not a constant"))
}

/// printf: the format, with the strings among the values inserted. The result is 0.
pub fn printf<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let format = lower.id_at(operands, 0)?;
    let format = text_of(lower, format)?;
    let (mut text, mut values) = (String::new(), Vec::new());
    // Each print is a line: its end stands for one newline.
    let mut rest = format.strip_suffix('\n').unwrap_or(&format);
    let mut next = operands[1..].iter().copied();
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            text.push_str("%%");
            rest = after;
            continue;
        }
        let read = Conversion::read(after);
        let (conversion, others) =
            read.ok_or_else(|| Error::invalid(format!("conversion of printf in '%{after}'")))?;
        let written = &after[..after.len() - others.len()];
        rest = others;
        let id = next.next().ok_or_else(|| Error::invalid("printf with fewer values than conversions"))?;
        match conversion.kind {
            's' => text.push_str(&conversion.string(&text_of(lower, id)?).replace('%', "%%")),
            'p' if !matches!(lower.module.ty(lower.module.type_of(id)?)?, Type::Address { .. }) => {
                return Err(Error::invalid(format!(
                    "conversion %{written} of something else than a pointer"
                )));
            }
            _ if conversion.is_of_value() => {
                let n = lower.scalars(id)?.len();
                if conversion.components != n {
                    return Err(Error::invalid(format!("conversion %{written} of {n} components")));
                }
                text.push('%');
                text.push_str(written);
                values.push(id);
            }
            other => return Err(Error::unsupported(format!("conversion %{other} of printf"))),
        }
    }
    text.push_str(rest);
    group::print(lower, text, &values, OPENCL_SEPARATOR)?;
    let ty = lower.types.scalar(inst.ty)?;
    Ok(Lower::one(lower.constant(ty, 0)))
}
