//! GLSL.std.450 packing. NaN packs to 0; rounding is to nearest even.

use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

/// Packs `n` floats, clamped to `low..=1` and scaled, into fields of `bits` bits.
fn pack(lower: &mut Lower<'_>, operands: &[u32], n: usize, low: f64, scale: f64) -> Result<Scalars> {
    let bits = 32 / n as u32;
    let list = vector(lower, operands, n)?;
    let (low, high) = (lower.float(Ty::F32, low), lower.float(Ty::F32, 1.0));
    let scale = lower.float(Ty::F32, scale);
    let mut fields = Vec::new();
    for v in list {
        let v = lower.op(Op::FMax, Ty::F32, &[v, low]);
        let v = lower.op(Op::FMin, Ty::F32, &[v, high]);
        let v = lower.op(Op::FMul, Ty::F32, &[v, scale]);
        let v = lower.op(Op::FRound, Ty::F32, &[v]);
        fields.push(lower.op(Op::FToS, Ty::I32, &[v]));
    }
    Ok(Lower::one(join(lower, &fields, bits)))
}

fn vector(lower: &mut Lower<'_>, operands: &[u32], n: usize) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let list = lower.scalars(id)?;
    if list.len() == n {
        Ok(list)
    } else {
        Err(Error::invalid(format!("operand does not have {n} components")))
    }
}

/// Joins fields of `bits` bits into a word; the first field takes the lowest bits.
fn join(lower: &mut Lower<'_>, fields: &[Value], bits: u32) -> Value {
    let mask = lower.i32((1 << bits) - 1);
    let mut all = None;
    for (i, &v) in fields.iter().enumerate() {
        let mut v = lower.op(Op::And, Ty::I32, &[v, mask]);
        if i > 0 {
            let amount = lower.i32(bits * i as u32);
            v = lower.op(Op::Shl, Ty::I32, &[v, amount]);
        }
        all = Some(match all {
            Some(a) => lower.op(Op::Or, Ty::I32, &[a, v]),
            None => v,
        });
    }
    all.unwrap_or(mask)
}

/// Splits a word into `n` fields of `32 / n` bits.
fn split(lower: &mut Lower<'_>, operands: &[u32], n: usize, signed: bool) -> Result<Scalars> {
    let word = vector(lower, operands, 1)?[0];
    let bits = lower.i32(32 / n as u32);
    let op = if signed { Op::BitFieldSExtract } else { Op::BitFieldUExtract };
    Ok((0..n as u32)
        .map(|i| {
            let at = lower.i32(32 / n as u32 * i);
            lower.op(op, Ty::I32, &[word, at, bits])
        })
        .collect())
}

fn unpack_snorm(lower: &mut Lower<'_>, operands: &[u32], n: usize, scale: f64) -> Result<Scalars> {
    let (scale, low) = (lower.float(Ty::F32, scale), lower.float(Ty::F32, -1.0));
    let fields = split(lower, operands, n, true)?;
    Ok(fields
        .into_iter()
        .map(|v| {
            let v = lower.op(Op::SToF, Ty::F32, &[v]);
            let v = lower.op(Op::FDiv, Ty::F32, &[v, scale]);
            lower.op(Op::FMax, Ty::F32, &[v, low])
        })
        .collect())
}

fn unpack_unorm(lower: &mut Lower<'_>, operands: &[u32], n: usize, scale: f64) -> Result<Scalars> {
    let scale = lower.float(Ty::F32, scale);
    let fields = split(lower, operands, n, false)?;
    Ok(fields
        .into_iter()
        .map(|v| {
            let v = lower.op(Op::UToF, Ty::F32, &[v]);
            lower.op(Op::FDiv, Ty::F32, &[v, scale])
        })
        .collect())
}

/// PackSnorm4x8.
pub fn pack_snorm4x8<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pack(lower, operands, 4, -1.0, 127.0)
}

/// PackUnorm4x8.
pub fn pack_unorm4x8<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pack(lower, operands, 4, 0.0, 255.0)
}

/// PackSnorm2x16.
pub fn pack_snorm2x16<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pack(lower, operands, 2, -1.0, 32767.0)
}

/// PackUnorm2x16.
pub fn pack_unorm2x16<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pack(lower, operands, 2, 0.0, 65535.0)
}

/// PackHalf2x16.
pub fn pack_half2x16<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let list = vector(lower, operands, 2)?;
    let fields: Vec<Value> = list
        .into_iter()
        .map(|v| {
            let v = lower.op(Op::FConvert, Ty::F16, &[v]);
            let v = lower.op(Op::Bitcast, Ty::I16, &[v]);
            lower.op(Op::UConvert, Ty::I32, &[v])
        })
        .collect();
    Ok(Lower::one(join(lower, &fields, 16)))
}

/// UnpackSnorm4x8.
pub fn unpack_snorm4x8<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    unpack_snorm(lower, operands, 4, 127.0)
}

/// UnpackUnorm4x8.
pub fn unpack_unorm4x8<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    unpack_unorm(lower, operands, 4, 255.0)
}

/// UnpackSnorm2x16.
pub fn unpack_snorm2x16<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    unpack_snorm(lower, operands, 2, 32767.0)
}

/// UnpackUnorm2x16.
pub fn unpack_unorm2x16<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    unpack_unorm(lower, operands, 2, 65535.0)
}

/// UnpackHalf2x16.
pub fn unpack_half2x16<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let fields = split(lower, operands, 2, false)?;
    Ok(fields
        .into_iter()
        .map(|v| {
            let v = lower.op(Op::UConvert, Ty::I16, &[v]);
            let v = lower.op(Op::Bitcast, Ty::F16, &[v]);
            lower.op(Op::FConvert, Ty::F32, &[v])
        })
        .collect())
}
