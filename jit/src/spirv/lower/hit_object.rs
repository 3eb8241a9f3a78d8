//! Hit objects: results of traces, before the shaders for them run.
//!
//! A hit object is a value of [`HIT_WORDS`] words in a private variable, so that its words are values like all others:
//! most instructions read or set some of them. Instructions that need the structure or other shaders are calls. A
//! structure or record that the words name is looked up in each call, whatever the words are. Reordering changes
//! nothing: the lanes of a group stay where they are.

use smallvec::SmallVec;
use spirv::{Op as S, StorageClass};

use super::interface::outer;
use super::place::Place;
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{
    HIT_WORDS, HitQuery, Imm, MAX_ATTRIBUTE_WORDS, Op, RayCall, RayOp, Stage, Ty, Value, Var,
    hit_object as word,
};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// Storage classes of payloads that traces take.
const PAYLOADS: [StorageClass; 2] = [StorageClass::RayPayloadKHR, StorageClass::IncomingRayPayloadKHR];

impl Lower<'_> {
    /// The private variable of hit object attributes.
    pub(super) fn hit_object_attribute(&mut self, def: &Inst, pointee: u32) -> Result<Var> {
        let stage = self.shader.stage;
        if !stage.traces() {
            return Err(self.module.invalid(def, format!("{stage:?} shaders have no hit object attributes")));
        }
        let tys = self.scalar_words(def, pointee, MAX_ATTRIBUTE_WORDS)?;
        Ok(self.new_var(tys.into_iter().map(|(_, ty)| ty).collect(), self.module.name(def.id)))
    }

    /// The hit object that a pointer selects.
    fn hit_object(&mut self, id: u32) -> Result<Place> {
        let place = self.place(id)?;
        let fits = *self.module.ty(place.ty)? == Type::HitObject && self.shader.stage.traces();
        fits.then_some(place).ok_or_else(|| {
            Error::invalid(format!("operand %{id} is not a hit object of a stage that traces rays"))
        })
    }

    /// The words of the hit object that the first operand selects.
    fn hit_words(&mut self, operands: &[u32]) -> Result<Scalars> {
        let id = self.id_at(operands, 0)?;
        let place = self.hit_object(id)?;
        self.work(HIT_WORDS / 8)?;
        self.load(&place)
    }

    /// Sets a hit object to words from an index on, with zeros before and after.
    fn record_hit(&mut self, place: &Place, parts: &[(u32, &[Value])]) -> Result<()> {
        let zero = self.i32(0);
        let mut words = Scalars::from_elem(zero, HIT_WORDS);
        for &(at, values) in parts {
            for (i, &v) in values.iter().enumerate() {
                words[at as usize + i] = self.bits(v);
            }
        }
        self.work(HIT_WORDS / 8)?;
        self.store(place, &words)
    }

    /// The bits of a scalar of 32 bits.
    fn bits(&mut self, v: Value) -> Value {
        if self.ty(v) == Ty::F32 { self.op(Op::Bitcast, Ty::I32, &[v]) } else { v }
    }

    /// Words as the scalars of a variable of hit object attributes.
    fn set_attributes(&mut self, id: u32, words: &[Value]) -> Result<()> {
        let (var, tys) = self.attribute_variable(id)?;
        let mut words = words.iter().copied();
        let mut next = || words.next().ok_or_else(|| Error::invalid("a hit object attribute is too large"));
        for (elem, ty) in tys.into_iter().enumerate() {
            let (of, low) = (outer(ty), next()?);
            let v = match of.bytes() {
                8 => {
                    let [low, high] = [low, next()?].map(|word| self.op(Op::UConvert, Ty::I64, &[word]));
                    let bits = self.i32(32);
                    let high = self.op(Op::Shl, Ty::I64, &[high, bits]);
                    self.op(Op::Or, Ty::I64, &[low, high])
                }
                _ => low,
            };
            let v = if of == self.ty(v) { v } else { self.op(Op::Bitcast, of, &[v]) };
            let v = self.narrow_plain(ty, v);
            self.emit(Op::VarSet, &[v], Imm::Var { var, elem: elem as u32 }, &[]);
        }
        Ok(())
    }

    /// The words of a variable of hit object attributes.
    fn get_attributes(&mut self, id: u32) -> Result<Scalars> {
        let (var, tys) = self.attribute_variable(id)?;
        let mut words = Scalars::new();
        for (elem, ty) in tys.into_iter().enumerate() {
            let v = self.get_var(var, elem as u32, ty);
            let v = self.widen_plain(ty, v);
            if outer(ty).bytes() < 8 {
                words.push(self.bits(v));
                continue;
            }
            let v = if self.ty(v) == Ty::I64 { v } else { self.op(Op::Bitcast, Ty::I64, &[v]) };
            let bits = self.i32(32);
            let high = self.op(Op::ShrU, Ty::I64, &[v, bits]);
            words.extend([v, high].map(|v| self.op(Op::UConvert, Ty::I32, &[v])));
        }
        Ok(words)
    }

    /// A variable of hit object attributes, with the types of its scalars.
    fn attribute_variable(&mut self, id: u32) -> Result<(Var, Vec<Ty>)> {
        let place = self.place(id)?;
        let class = self.module.variable(id).map(|v| v.0);
        match place.root {
            super::place::Root::Var(var) if matches!(class, Ok(StorageClass::HitObjectAttributeEXT)) => {
                Ok((var, self.shader.vars[var.0 as usize].elems.clone()))
            }
            _ => Err(Error::invalid(format!("id %{id} is not a variable of hit object attributes"))),
        }
    }

    /// Checks the hint of an instruction that reorders, which only ray generation shaders may do.
    fn check_hint(&mut self, hint: &[u32]) -> Result<()> {
        if self.shader.stage != Stage::RayGeneration {
            return Err(Error::invalid(format!("{:?} shaders do not reorder", self.shader.stage)));
        }
        let words = self.operand_scalars(hint)?;
        let fits = matches!(hint.len(), 0 | 2) && words.iter().all(|&v| self.ty(v) == Ty::I32);
        fits.then_some(()).ok_or_else(|| Error::invalid("the hint is not two integers of 32 bits"))
    }

    /// Traces a ray to a hit object.
    fn hit_trace(&mut self, operands: &[u32]) -> Result<()> {
        let (object, payload) = (self.id_at(operands, 0)?, self.id_at(operands, 11)?);
        let place = self.hit_object(object)?;
        let mut args = self.operand_scalars(&operands[1..11])?;
        // A trace that does not run leaves an empty hit object.
        let zero = self.i32(0);
        args.extend(std::iter::repeat_n(zero, HIT_WORDS));
        let words = self.call_with(RayCall::HitTrace, &args, payload, &PAYLOADS)?;
        self.store(&place, &words)
    }

    /// Executes the shader of a hit object.
    fn hit_execute(&mut self, object: u32, payload: u32) -> Result<()> {
        let words = self.hit_words(&[object])?;
        self.call_with(RayCall::HitExecute, &words, payload, &PAYLOADS).map(drop)
    }
}

/// OpHitObjectTraceRayEXT.
pub fn trace<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    lower.hit_trace(operands)
}

/// OpHitObjectTraceReorderExecuteEXT.
pub fn trace_execute<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    lower.check_hint(operands.get(12..).unwrap_or_default())?;
    lower.hit_trace(operands)?;
    lower.hit_execute(operands[0], operands[11])
}

/// OpHitObjectExecuteShaderEXT.
pub fn execute<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (object, payload) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    lower.hit_execute(object, payload)
}

/// OpHitObjectReorderExecuteShaderEXT.
pub fn reorder_execute<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    lower.check_hint(operands.get(2..).unwrap_or_default())?;
    execute(lower, inst, operands)
}

/// OpReorderThreadWithHintEXT.
pub fn reorder_by_hint<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    lower.check_hint(operands)
}

/// OpReorderThreadWithHitObjectEXT.
pub fn reorder<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let object = lower.id_at(operands, 0)?;
    lower.hit_object(object)?;
    lower.check_hint(&operands[1..])
}

/// OpHitObjectRecordEmptyEXT.
pub fn record_empty<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let object = lower.id_at(operands, 0)?;
    let place = lower.hit_object(object)?;
    lower.record_hit(&place, &[])
}

/// OpHitObjectRecordMissEXT.
pub fn record_miss<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let object = lower.id_at(operands, 0)?;
    let place = lower.hit_object(object)?;
    let args = lower.operand_scalars(&operands[1..])?;
    let tys: SmallVec<[Ty; 10]> = args.iter().map(|&v| lower.ty(v)).collect();
    let (i, f) = (Ty::I32, Ty::F32);
    let [flags, record, ray @ ..] = &args[..] else { return Err(Error::invalid("operand is missing")) };
    if tys[..] != [i, i, f, f, f, f, f, f, f, f] {
        return Err(Error::invalid("operands do not fit the instruction"));
    }
    let kind = lower.i32(word::MISS);
    lower.record_hit(
        &place,
        &[(word::KIND, &[kind]), (word::FLAGS, &[*flags]), (word::RECORD, &[*record]), (word::ORIGIN, ray)],
    )
}

/// OpHitObjectRecordFromQueryEXT: the committed intersection; without one, an empty hit object.
pub fn record_from_query<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let [object, query, record, attribute] = [0, 1, 2, 3].map(|i| lower.id_at(operands, i));
    let (place, query) = (lower.hit_object(object?)?, lower.query(query?)?);
    let own = lower.get_attributes(attribute?)?;
    let (record, hit_kind) =
        (lower.scalar(record?)?, operands.get(4).map(|&id| lower.scalar(id)).transpose()?);
    let hit_kind = hit_kind.unwrap_or_else(|| lower.i32(0));
    if [record, hit_kind].iter().any(|&v| lower.ty(v) != Ty::I32) {
        return Err(Error::invalid("operands do not fit the instruction"));
    }
    let (zero, one) = (lower.i32(0), lower.i32(1));
    let known = lower.ray(RayOp::HitObject, &[query, one]);
    let [low, high, mask, ty, t, instance, geometry, primitive, slot, front, first, second] = known[..]
    else {
        return Err(Error::Internal("results of a ray query are missing".into()));
    };
    // Spec: SPIR-V, Ray Query Committed Intersection Type: none, triangle, generated.
    let is_hit = lower.op(Op::INe, Ty::Bool, &[ty, zero]);
    let is_triangle = lower.op(Op::IEq, Ty::Bool, &[ty, one]);
    let next = lower.op(Op::IAdd, Ty::I32, &[ty, one]);
    let kind = lower.op(Op::Select, Ty::I32, &[is_hit, next, zero]);
    // Spec: Vulkan, "HitKindKHR".
    let (front_kind, back_kind) = (lower.i32(0xfe), lower.i32(0xff));
    let is_front = lower.op(Op::INe, Ty::Bool, &[front, zero]);
    let face = lower.op(Op::Select, Ty::I32, &[is_front, front_kind, back_kind]);
    let hit_kind = lower.op(Op::Select, Ty::I32, &[is_triangle, face, hit_kind]);
    let weights = [first, second];
    let mut attributes = Scalars::new();
    for i in 0..own.len().max(2) {
        let [a, b] = [weights.get(i), own.get(i)].map(|word| word.copied().unwrap_or(zero));
        attributes.push(lower.op(Op::Select, Ty::I32, &[is_triangle, a, b]));
    }
    let [flags, t_min] = [RayOp::Flags, RayOp::TMin].map(|op| lower.ray(op, &[query])[0]);
    let [origin, direction] = [RayOp::WorldOrigin, RayOp::WorldDirection].map(|op| lower.ray(op, &[query]));
    lower.record_hit(
        &place,
        &[
            (word::KIND, &[kind]),
            (word::STRUCTURE, &[low, high]),
            (word::FLAGS, &[flags, mask]),
            (word::ORIGIN, &origin),
            (word::T_MIN, &[t_min]),
            (word::DIRECTION, &direction),
            (word::T_MAX, &[t, instance, geometry, primitive, slot, hit_kind, record]),
            (word::ATTRIBUTE, &attributes),
        ],
    )
}

/// OpHitObjectSetShaderBindingTableRecordIndexEXT.
pub fn set_record<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (object, record) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let record = lower.scalar(record)?;
    if lower.ty(record) != Ty::I32 {
        return Err(Error::invalid("operands do not fit the instruction"));
    }
    let place = lower.hit_object(object)?;
    let mut words = lower.load(&place)?;
    words[word::RECORD as usize] = record;
    lower.store(&place, &words)
}

/// OpHitObjectGetAttributesEXT.
pub fn attributes<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let words = lower.hit_words(operands)?;
    let variable = lower.id_at(operands, 1)?;
    lower.set_attributes(variable, &words[word::ATTRIBUTE as usize..])
}

/// OpHitObjectIsEmptyEXT, OpHitObjectIsHitEXT, OpHitObjectIsMissEXT.
pub fn is<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let kind = lower.hit_words(operands)?[word::KIND as usize];
    let (op, than) = match inst.op {
        S::HitObjectIsEmptyEXT => (Op::IEq, word::EMPTY),
        S::HitObjectIsMissEXT => (Op::IEq, word::MISS),
        _ => (Op::ULt, word::MISS),
    };
    let than = lower.i32(than);
    Ok(Lower::one(lower.op(op, Ty::Bool, &[than, kind])))
}

/// Instructions whose result is some words of the hit object.
pub fn word<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (at, count, ty) = match inst.op {
        S::HitObjectGetRayTMinEXT => (word::T_MIN, 1, Ty::F32),
        S::HitObjectGetRayTMaxEXT => (word::T_MAX, 1, Ty::F32),
        S::HitObjectGetRayFlagsEXT => (word::FLAGS, 1, Ty::I32),
        S::HitObjectGetWorldRayOriginEXT => (word::ORIGIN, 3, Ty::F32),
        S::HitObjectGetWorldRayDirectionEXT => (word::DIRECTION, 3, Ty::F32),
        S::HitObjectGetInstanceIdEXT => (word::INSTANCE, 1, Ty::I32),
        S::HitObjectGetGeometryIndexEXT => (word::GEOMETRY, 1, Ty::I32),
        S::HitObjectGetPrimitiveIndexEXT => (word::PRIMITIVE, 1, Ty::I32),
        S::HitObjectGetHitKindEXT => (word::HIT_KIND, 1, Ty::I32),
        S::HitObjectGetShaderBindingTableRecordIndexEXT => (word::RECORD, 1, Ty::I32),
        _ => return Err(Error::Internal("not an instruction that reads words of hit objects".into())),
    };
    let words = lower.hit_words(operands)?;
    Ok(lower.typed(&words[at as usize..][..count], ty))
}

/// Instructions whose result the owner of structures knows.
pub fn query<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (of, count, ty) = match inst.op {
        S::HitObjectGetInstanceCustomIndexEXT => (HitQuery::CustomIndex, 1, Ty::I32),
        S::HitObjectGetObjectRayOriginEXT => (HitQuery::ObjectOrigin, 3, Ty::F32),
        S::HitObjectGetObjectRayDirectionEXT => (HitQuery::ObjectDirection, 3, Ty::F32),
        S::HitObjectGetObjectToWorldEXT => (HitQuery::ObjectToWorld, 12, Ty::F32),
        S::HitObjectGetWorldToObjectEXT => (HitQuery::WorldToObject, 12, Ty::F32),
        S::HitObjectGetIntersectionTriangleVertexPositionsEXT => (HitQuery::Positions, 9, Ty::F32),
        S::HitObjectGetShaderRecordBufferHandleEXT => (HitQuery::RecordData, 2, Ty::I32),
        _ => return Err(Error::Internal("not an instruction that asks about hit objects".into())),
    };
    let mut args = Lower::one(lower.i32(of as u32));
    args.extend(lower.hit_words(operands)?);
    lower.check_call(RayCall::HitGet, &args)?;
    let results = lower.emit(Op::RayCall, &args, Imm::Call(RayCall::HitGet), &RayCall::HitGet.results(&[]));
    Ok(lower.typed(&results[..count], ty))
}

impl Lower<'_> {
    /// Words as values of a type of 32 bits.
    fn typed(&mut self, words: &[Value], ty: Ty) -> Scalars {
        let one = |&v: &Value| if ty == Ty::F32 { self.op(Op::Bitcast, ty, &[v]) } else { v };
        words.iter().map(one).collect()
    }
}
