//! Composites: construction, extraction, insertion, shuffles, selection.

use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{Imm, Op, Ty, Value, Var};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// OpCompositeConstruct: concatenates the scalars of its operands, since vectors may be made of vectors. The constituent of
/// a cooperative matrix is the value of all its elements.
pub fn construct<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let n = lower.types.leaves(inst.ty)? as usize;
    let mut out = Scalars::with_capacity(n);
    for &id in operands {
        out.extend(lower.leaves_of(id)?);
        if out.len() > n {
            return Err(Error::invalid("too many constituents"));
        }
    }
    lower.work(n)?;
    if let (Type::CooperativeMatrix(_), &[one]) = (lower.module.ty(inst.ty)?, &out[..]) {
        out.resize(n, one);
    }
    Ok(out)
}

/// OpCompositeConstructReplicateEXT: every constituent is the same value.
pub fn replicate<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let n = lower.types.leaves(inst.ty)? as usize;
    let id = lower.id_at(operands, 0)?;
    let one = lower.leaves_of(id)?;
    if one.is_empty() || !n.is_multiple_of(one.len()) {
        return Err(Error::invalid("constituent does not fit the composite"));
    }
    lower.work(n)?;
    Ok(one.iter().copied().cycle().take(n).collect())
}

/// OpExpectKHR: returns the value; the expected value has no effect.
pub fn expect<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let scalars = lower.leaves_of(id)?;
    lower.kept(scalars.len())?;
    Ok(scalars)
}

/// OpCompositeExtract.
pub fn extract<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let (at, ty) = lower.types.walk(lower.module.type_of(id)?, &operands[1..])?;
    let n = lower.types.leaves(ty)?;
    if let Val::Memory(p) = lower.val(id)? {
        let part = lower.part(p, &operands[1..])?;
        return lower.load(&part);
    }
    let whole = lower.leaves_of(id)?;
    lower.work(n as usize)?;
    match whole.get(at as usize..(at + n) as usize) {
        Some(part) if ty != inst.ty && part.iter().any(|&v| lower.ty(v) == Ty::Image) => {
            Err(Error::invalid("result type is not that of the images or samplers"))
        }
        Some(part) => Ok(part.into()),
        None => Err(Error::invalid("index is out of range")),
    }
}

/// OpCompositeInsert.
pub fn insert<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (object, whole) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (at, ty) = lower.types.walk(lower.module.type_of(whole)?, &operands[2..])?;
    let n = lower.types.leaves(ty)?;
    let object = lower.leaves_of(object)?;
    let mut out = lower.leaves_of(whole)?;
    lower.work(out.len())?;
    match out.get_mut(at as usize..(at + n) as usize) {
        Some(part) if part.len() == object.len() => part.copy_from_slice(&object),
        _ => return Err(Error::invalid("object does not fit")),
    }
    Ok(out)
}

/// OpVectorShuffle; component 0xffffffff is undefined in SPIR-V, and 0 here.
pub fn shuffle<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (a, b) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let mut both = lower.scalars(a)?;
    both.extend(lower.scalars(b)?);
    let ty = lower.first_ty(&both)?;
    operands[2..]
        .iter()
        .map(|&i| match both.get(i as usize) {
            Some(&v) => Ok(v),
            None if i == u32::MAX => Ok(lower.constant(ty, 0)),
            None => Err(Error::invalid(format!("component {i} does not exist"))),
        })
        .collect()
}

/// Maximum number of components among which a dynamic index chooses by comparisons. Longer vectors are variables while
/// they are indexed.
const MAX_COMPARED: usize = 16;

/// The index (I32) of a component, of which observers take note.
fn component_index(lower: &mut Lower<'_>, id: u32, n: usize) -> Result<Value> {
    let signed = lower.types.is_signed(lower.module.type_of(id)?);
    let index = lower.scalar(id)?;
    let index = lower.i32_of(index, signed)?;
    lower.note_index(index, n as u32);
    Ok(index)
}

impl Lower<'_> {
    /// Compares the index with each component number: `index == i`.
    fn hits(&mut self, index: Value, n: usize) -> Vec<Value> {
        (0..n as u32)
            .map(|i| {
                let i = self.i32(i);
                self.op(Op::IEq, Ty::Bool, &[index, i])
            })
            .collect()
    }

    /// A new variable that holds the components of a vector.
    fn indexed(&mut self, vector: &[Value], ty: Ty) -> Var {
        let var = self.new_var(vec![ty; vector.len()], "");
        for (elem, &v) in (0..).zip(vector) {
            self.emit(Op::VarSet, &[v], Imm::Var { var, elem }, &[]);
        }
        var
    }
}

/// OpVectorExtractDynamic; an index out of range returns 0.
pub fn extract_dynamic<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (vector, index) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let vector = lower.scalars(vector)?;
    let ty = lower.first_ty(&vector)?;
    let index = component_index(lower, index, vector.len())?;
    if vector.len() > MAX_COMPARED {
        let var = lower.indexed(&vector, ty);
        return Ok(lower.emit(Op::VarGetDyn, &[index], Imm::Var { var, elem: 0 }, &[ty]));
    }
    let hits = lower.hits(index, vector.len());
    let mut out = lower.constant(ty, 0);
    for (hit, v) in hits.into_iter().zip(vector) {
        out = lower.op(Op::Select, ty, &[hit, v, out]);
    }
    Ok(Lower::one(out))
}

/// OpVectorInsertDynamic; an index out of range changes nothing.
pub fn insert_dynamic<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let vector = lower.id_at(operands, 0)?;
    let (component, index) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let vector = lower.scalars(vector)?;
    let component = lower.scalar(component)?;
    let index = component_index(lower, index, vector.len())?;
    let ty = lower.ty(component);
    if vector.len() > MAX_COMPARED {
        if lower.first_ty(&vector)? != ty {
            return Err(Error::invalid("component is not of the vector's type"));
        }
        let var = lower.indexed(&vector, ty);
        lower.emit(Op::VarSetDyn, &[index, component], Imm::Var { var, elem: 0 }, &[]);
        return Ok((0..vector.len() as u32).map(|elem| lower.get_var(var, elem, ty)).collect());
    }
    let hits = lower.hits(index, vector.len());
    Ok(hits.into_iter().zip(vector).map(|(hit, v)| lower.op(Op::Select, ty, &[hit, component, v])).collect())
}

/// OpSelect: the condition is a single Bool, or one Bool per component.
pub fn select<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let cond = lower.id_at(operands, 0)?;
    let (yes, no) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let (cond, yes, no) = (lower.scalars(cond)?, lower.scalars(yes)?, lower.scalars(no)?);
    if yes.len() != no.len() || (cond.len() != 1 && cond.len() != yes.len()) {
        return Err(Error::invalid("operands do not fit each other"));
    }
    lower.work(yes.len())?;
    Ok((0..yes.len())
        .map(|i| {
            let c = if cond.len() == 1 { cond[0] } else { cond[i] };
            let ty = lower.ty(yes[i]);
            lower.op(Op::Select, ty, &[c, yes[i], no[i]])
        })
        .collect())
}

/// OpCopyLogical: the types differ in decorations only. Shipped modules also copy between blocks of integers and
/// structs of Bool; those are converted.
pub fn copy_logical<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let list = lower.scalars(id)?;
    let mut tys = Vec::new();
    lower.types.leaf_types(inst.ty, &mut tys)?;
    if tys.len() != list.len() {
        return Err(Error::invalid("operand does not fit the result type"));
    }
    let (zero, one) = (lower.i32(0), lower.i32(1));
    Ok(list
        .into_iter()
        .zip(tys)
        .map(|(v, ty)| match (lower.ty(v), ty) {
            (Ty::I32, Ty::Bool) => lower.op(Op::INe, Ty::Bool, &[v, zero]),
            (Ty::Bool, Ty::I32) => lower.op(Op::Select, Ty::I32, &[v, one, zero]),
            _ => v,
        })
        .collect())
}
