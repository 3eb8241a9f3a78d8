//! Ray queries and references of acceleration structures.
//!
//! A query is a number: that of its variable, plus its index in an array of queries. Its state lies outside of the
//! variables that a shader can read ([`crate::ir::Op::RayStep`]). An acceleration structure is its device address, which
//! its descriptor refers to as a buffer refers to its bytes; the device looks the address up when a query starts.

use super::place::{Place, Root};
use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{Imm, Mem, Op, RayOp, Ty, Value};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// Maximum number of ray queries that an invocation has at a time.
pub const MAX_QUERIES: u32 = 64;

/// Queries of the variables of functions and of what functions load, each as the number of the first one and their count.
#[derive(Default)]
pub(super) struct Locals {
    /// Those of functions whose calls are being lowered.
    alive: Vec<(u32, u32)>,
    /// Those of calls that have been lowered; others may take them.
    ended: Vec<(u32, u32)>,
}

impl Locals {
    /// Number of variables and loads before a call.
    pub(super) fn mark(&self) -> usize {
        self.alive.len()
    }

    /// Ends the variables and loads since a mark: functions do not return queries.
    pub(super) fn end(&mut self, mark: usize) {
        self.ended.extend(self.alive.drain(mark..));
    }

    /// Takes as many queries as a variable or a load had whose call has ended.
    fn take(&mut self, count: u32) -> Option<u32> {
        let at = self.ended.iter().position(|&(_, n)| n == count)?;
        Some(self.ended.swap_remove(at).0)
    }
}

impl Lower<'_> {
    /// Returns the place of a new variable of the module if it holds ray queries.
    pub(super) fn global_query(&mut self, pointee: u32) -> Result<Option<Place>> {
        let Some(count) = self.count_queries(pointee)? else { return Ok(None) };
        let first = self.new_queries(count)?;
        Ok(Some(Place::new(Root::Query(first), pointee)))
    }

    /// Returns the place of a new variable of a function if it holds ray queries.
    pub(super) fn local_query(&mut self, pointee: u32) -> Result<Option<Place>> {
        let Some(count) = self.count_queries(pointee)? else { return Ok(None) };
        let (first, used) = self.queries_of_call(count)?;
        if used {
            // A new variable has no ray.
            let none = self.i32(u32::MAX);
            for number in first..first + count {
                let number = self.i32(number);
                self.ray(RayOp::Copy, &[number, none]);
            }
        }
        Ok(Some(Place::new(Root::Query(first), pointee)))
    }

    /// The first of `count` queries for a variable or a load of a function, and `true` if they have been used. As each call has
    /// queries of its own, those past the maximum are queries of calls that have ended.
    fn queries_of_call(&mut self, count: u32) -> Result<(u32, bool)> {
        let (first, used) = match self.new_queries(count) {
            Ok(first) => (first, false),
            Err(limit) => (self.local_queries.take(count).ok_or(limit)?, true),
        };
        self.local_queries.alive.push((first, count));
        Ok((first, used))
    }

    /// Number of the queries of a type that is a query or an array of queries.
    fn count_queries(&mut self, pointee: u32) -> Result<Option<u32>> {
        let mut ty = pointee;
        while let Type::Array { elem, .. } = self.module.ty(ty)? {
            ty = *elem;
        }
        match self.module.ty(ty)? {
            Type::RayQuery => self.types.leaves(pointee).map(Some),
            _ => Ok(None),
        }
    }

    /// Number of the first of `count` new queries.
    fn new_queries(&mut self, count: u32) -> Result<u32> {
        let first = self.shader.ray_queries;
        let end = first.checked_add(count).filter(|&end| end <= MAX_QUERIES);
        self.shader.ray_queries =
            end.ok_or_else(|| Error::Limit(format!("more than {MAX_QUERIES} ray queries")))?;
        Ok(first)
    }

    /// Loads a query: its value is the number of a query of its own, to which the state is copied.
    pub(super) fn load_query(&mut self, place: &Place) -> Result<Value> {
        let from =
            self.query_at(place)?.ok_or_else(|| Error::unsupported("load of an array of ray queries"))?;
        let (number, _) = self.queries_of_call(1)?;
        let number = self.i32(number);
        self.ray(RayOp::Copy, &[number, from]);
        Ok(number)
    }

    /// Stores a loaded query.
    pub(super) fn store_query(&mut self, place: &Place, value: &[Value]) -> Result<()> {
        let to =
            self.query_at(place)?.ok_or_else(|| Error::unsupported("store of an array of ray queries"))?;
        let &[from] = value else { return Err(Error::invalid("the value is not a ray query")) };
        self.ray(RayOp::Copy, &[to, from]);
        Ok(())
    }

    /// The number of the query that a pointer selects.
    pub(super) fn query(&mut self, id: u32) -> Result<Value> {
        let place = self.place(id)?;
        let number = self.query_at(&place)?;
        number.ok_or_else(|| Error::invalid(format!("operand %{id} is not a pointer to a ray query")))
    }

    /// The number of the query at a place; `None` if the place has something else.
    fn query_at(&mut self, place: &Place) -> Result<Option<Value>> {
        let (&Root::Query(first), Type::RayQuery) = (&place.root, self.module.ty(place.ty)?) else {
            return Ok(None);
        };
        let number = self.i32(first + place.offset);
        Ok(Some(match self.dynamic_index(place) {
            None => number,
            // An index past the array must not reach the queries of another variable.
            Some(index) => {
                let limit = self.i32(place.end.saturating_sub(place.offset));
                let inside = self.op(Op::ULt, Ty::Bool, &[index, limit]);
                let number = self.op(Op::IAdd, Ty::I32, &[number, index]);
                let none = self.i32(u32::MAX);
                self.op(Op::Select, Ty::I32, &[inside, number, none])
            }
        }))
    }

    pub(super) fn ray(&mut self, op: RayOp, args: &[Value]) -> Scalars {
        let results: Vec<Ty> = op.results().collect();
        let row = if op.is_step() { Op::RayStep } else { Op::RayGet };
        self.emit(row, args, Imm::Ray(op), &results)
    }

    /// Loads the reference of an acceleration structure from its descriptor.
    pub(super) fn load_structure(&mut self, descriptor: Value) -> Value {
        let at = self.i32(0);
        let mem = Mem { offset: 0, stride: 8, ordered: false };
        self.emit(Op::LoadBuffer, &[descriptor, at], Imm::Mem(mem), &[Ty::I64])[0]
    }
}

/// Operation of an instruction, except for the kinds of intersections that have an operand of their own.
fn operation(op: spirv::Op) -> Result<RayOp> {
    use spirv::Op as S;
    Ok(match op {
        S::RayQueryInitializeKHR => RayOp::Initialize,
        S::RayQueryProceedKHR => RayOp::Proceed,
        S::RayQueryTerminateKHR => RayOp::Terminate,
        S::RayQueryConfirmIntersectionKHR => RayOp::Confirm,
        S::RayQueryGenerateIntersectionKHR => RayOp::Generate,
        S::RayQueryGetRayTMinKHR => RayOp::TMin,
        S::RayQueryGetRayFlagsKHR => RayOp::Flags,
        S::RayQueryGetWorldRayDirectionKHR => RayOp::WorldDirection,
        S::RayQueryGetWorldRayOriginKHR => RayOp::WorldOrigin,
        S::RayQueryGetIntersectionCandidateAABBOpaqueKHR => RayOp::CandidateAabbOpaque,
        S::RayQueryGetIntersectionTypeKHR => RayOp::Type,
        S::RayQueryGetIntersectionTKHR => RayOp::T,
        S::RayQueryGetIntersectionInstanceCustomIndexKHR => RayOp::CustomIndex,
        S::RayQueryGetIntersectionInstanceIdKHR => RayOp::InstanceId,
        S::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR => RayOp::RecordOffset,
        S::RayQueryGetIntersectionGeometryIndexKHR => RayOp::GeometryIndex,
        S::RayQueryGetIntersectionPrimitiveIndexKHR => RayOp::PrimitiveIndex,
        S::RayQueryGetIntersectionBarycentricsKHR => RayOp::Barycentrics,
        S::RayQueryGetIntersectionFrontFaceKHR => RayOp::FrontFace,
        S::RayQueryGetIntersectionObjectRayDirectionKHR => RayOp::ObjectDirection,
        S::RayQueryGetIntersectionObjectRayOriginKHR => RayOp::ObjectOrigin,
        S::RayQueryGetIntersectionObjectToWorldKHR => RayOp::ObjectToWorld,
        S::RayQueryGetIntersectionWorldToObjectKHR => RayOp::WorldToObject,
        S::RayQueryGetIntersectionTriangleVertexPositionsKHR => RayOp::Positions,
        _ => return Err(Error::Internal("not an instruction of ray queries".into())),
    })
}

/// OpRayQuery*: the operands after the query are those of the row of [`RayOp`], in its order.
fn lower_query<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let op = operation(inst.op)?;
    let id = lower.id_at(operands, 0)?;
    let mut args: Scalars = [lower.query(id)?].into_iter().collect();
    for &id in &operands[1..] {
        args.extend(lower.scalars(id)?);
    }
    if !op.args().eq(args[1..].iter().map(|&v| lower.ty(v))) {
        return Err(Error::invalid("operands do not fit the instruction"));
    }
    if let (false, Some(&intersection)) = (op.is_step(), operands.get(1)) {
        let number = lower.types.const_u32(intersection)?;
        if number > 1 {
            return Err(Error::invalid(format!("Ray Query Intersection {number}")));
        }
    }
    Ok(lower.ray(op, &args))
}

/// Instructions of ray queries without a result.
pub fn step<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    lower_query(lower, inst, operands).map(drop)
}

/// Instructions of ray queries with a result.
pub fn value<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower_query(lower, inst, operands)
}

/// OpConvertUToAccelerationStructureKHR: from a 64-bit address, or from its low and high words.
pub fn from_address<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let id = lower.id_at(operands, 0)?;
    let scalars = lower.scalars(id)?;
    let tys: Vec<Ty> = scalars.iter().map(|&v| lower.ty(v)).collect();
    let address = match tys[..] {
        [Ty::I64] => scalars[0],
        [Ty::I32, Ty::I32] => {
            let [low, high] = [0, 1].map(|k| lower.op(Op::UConvert, Ty::I64, &[scalars[k]]));
            let bits = lower.i32(32);
            let high = lower.op(Op::Shl, Ty::I64, &[high, bits]);
            lower.op(Op::Or, Ty::I64, &[low, high])
        }
        _ => return Err(Error::invalid("operand is not an address")),
    };
    if *lower.module.ty(inst.ty)? != Type::AccelerationStructure {
        return Err(Error::invalid("result type is not an acceleration structure"));
    }
    lower.bind(inst.id, Val::Scalars(Lower::one(address)));
    Ok(())
}
