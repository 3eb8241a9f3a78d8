//! Ray tracing stages: calls of other shaders, and the storage classes through which shaders exchange data.
//!
//! A payload, the data of a callable shader, and a hit attribute are private variables. A call passes their scalars as
//! values and sets them to the results. An incoming variable is set from inputs at the start of the shader, and its
//! scalars are outputs at the end, also of invocations that end early.

use spirv::StorageClass;

use super::interface::{List, Output, narrowing, outer};
use super::place::Root;
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{
    BuiltIn, End, HitEnd, Imm, Interface, MAX_ATTRIBUTE_WORDS, MAX_PAYLOAD_WORDS, Op, RayCall, RaySlot,
    Region, Report, Slot, Stage, Ty, Value, Var,
};
use crate::spirv::module::Inst;

/// `true` if a stage has a built-in of ray tracing. Spec: Vulkan, "Built-In Variables", execution models of each.
pub(super) fn has_builtin(stage: Stage, b: BuiltIn) -> bool {
    use BuiltIn as B;
    let hit = matches!(stage, Stage::Intersection | Stage::AnyHit | Stage::ClosestHit);
    match b {
        B::LaunchId | B::LaunchSize => true,
        B::WorldRayOrigin
        | B::WorldRayDirection
        | B::RayTmin
        | B::RayTmax
        | B::IncomingRayFlags
        | B::CullMask => hit || stage == Stage::Miss,
        B::HitKind | B::HitTriangleVertexPositions => matches!(stage, Stage::AnyHit | Stage::ClosestHit),
        b => hit && b.is_of_rays(),
    }
}

impl Lower<'_> {
    /// Types of the scalars of a payload, data or an attribute, with the first word of each.
    pub(super) fn scalar_words(&mut self, def: &Inst, pointee: u32, most: u32) -> Result<Vec<(u32, Ty)>> {
        if self.module.initializer(def).is_some() {
            return Err(self.module.invalid(def, "a variable of this storage class has no initializer"));
        }
        let mut tys = Vec::new();
        self.types.leaf_types(pointee, &mut tys)?;
        self.work(tys.len())?;
        if tys.iter().any(|ty| !ty.is_plain()) {
            return Err(self.module.unsupported(def, "handles in a payload, callable data or hit attribute"));
        }
        let (mut list, mut words) = (Vec::with_capacity(tys.len()), 0);
        for ty in tys {
            list.push((words, ty));
            words += outer(ty).bytes().div_ceil(4);
        }
        if words > most {
            return Err(Error::Limit(format!(
                "{words} words of {}, at most {most}",
                self.module.name(def.id)
            )));
        }
        Ok(list)
    }

    /// The private variable of a payload or of callable data that the shader passes to others.
    pub(super) fn outgoing(&mut self, def: &Inst, class: StorageClass, pointee: u32) -> Result<Var> {
        let stage = self.shader.stage;
        let fits = match class {
            StorageClass::CallableDataKHR => stage.executes_callables(),
            _ => stage.traces(),
        };
        if !fits {
            return Err(self
                .module
                .invalid(def, format!("{stage:?} shaders have no variables of class {class:?}")));
        }
        let tys = self.scalar_words(def, pointee, MAX_PAYLOAD_WORDS)?;
        Ok(self.new_var(tys.into_iter().map(|(_, ty)| ty).collect(), self.module.name(def.id)))
    }

    /// The private variable of the incoming payload or callable data.
    pub(super) fn incoming(&mut self, def: &Inst, class: StorageClass, pointee: u32) -> Result<Var> {
        let stage = self.shader.stage;
        let fits = match class {
            StorageClass::IncomingCallableDataKHR => stage == Stage::Callable,
            _ => matches!(stage, Stage::AnyHit | Stage::ClosestHit | Stage::Miss),
        };
        if !fits {
            return Err(self
                .module
                .invalid(def, format!("{stage:?} shaders have no variables of class {class:?}")));
        }
        if self.io.rays.incoming.is_some() {
            return Err(self.module.invalid(def, "a second incoming payload or callable data"));
        }
        let words = self.scalar_words(def, pointee, MAX_PAYLOAD_WORDS)?;
        let var = self.from_inputs(def, &words, RaySlot::Payload)?;
        self.io.rays.incoming = Some((def.id, var));
        let leaf = |&(word, ty): &(u32, Ty)| (Interface::new(Slot::Ray(RaySlot::Payload(word)), ty), 0);
        let leaves = words.iter().map(leaf).collect();
        self.io.outputs.push(Output { var, leaves, written: vec![true] });
        Ok(var)
    }

    /// The private variable of the hit attribute.
    pub(super) fn hit_attribute(&mut self, def: &Inst, pointee: u32) -> Result<Var> {
        let stage = self.shader.stage;
        if !matches!(stage, Stage::Intersection | Stage::AnyHit | Stage::ClosestHit) {
            return Err(self.module.invalid(def, format!("{stage:?} shaders have no hit attributes")));
        }
        if self.io.rays.attribute.is_some() {
            return Err(self.module.invalid(def, "a second hit attribute"));
        }
        let words = self.scalar_words(def, pointee, MAX_ATTRIBUTE_WORDS)?;
        let var = match stage {
            Stage::Intersection => {
                self.new_var(words.into_iter().map(|(_, ty)| ty).collect(), self.module.name(def.id))
            }
            _ => self.from_inputs(def, &words, RaySlot::Attribute)?,
        };
        self.io.rays.attribute = Some((def.id, var));
        Ok(var)
    }

    /// A private variable that holds inputs from the start of the shader on.
    fn from_inputs(&mut self, def: &Inst, words: &[(u32, Ty)], slot: fn(u32) -> RaySlot) -> Result<Var> {
        let var = self.new_var(words.iter().map(|w| w.1).collect(), self.module.name(def.id));
        for (elem, &(word, ty)) in words.iter().enumerate() {
            let at = self.slot_in(List::Inputs, Interface::new(Slot::Ray(slot(word)), outer(ty)))?;
            let v = self.emit_first(Op::LoadInput, &[], Imm::Slot(at), &[outer(ty)])[0];
            let v = match (ty, narrowing(ty)) {
                (Ty::Bool, _) => {
                    let zero = self.i32(0);
                    self.emit_first(Op::INe, &[v, zero], Imm::None, &[ty])[0]
                }
                (_, Some(op)) => self.emit_first(op, &[v], Imm::None, &[ty])[0],
                (_, None) => v,
            };
            self.emit_first(Op::VarSet, &[v], Imm::Var { var, elem: elem as u32 }, &[]);
        }
        Ok(var)
    }

    /// The buffer of the data in the shader record of a ray tracing stage.
    pub(super) fn record_data(&mut self) -> Result<Value> {
        if let Some(handle) = self.io.rays.record {
            return Ok(handle);
        }
        let at = self.slot_in(List::Inputs, Interface::new(Slot::Ray(RaySlot::Record), Ty::I64))?;
        let address = self.emit_first(Op::LoadInput, &[], Imm::Slot(at), &[Ty::I64])[0];
        let parts = self.emit_first(Op::AddressBuffer, &[address], Imm::None, &[Ty::I64; 2]);
        let handle = self.emit_first(Op::BufferAt, &parts, Imm::None, &[Ty::Buffer])[0];
        self.parts.insert(handle, (parts[0], parts[1]));
        self.io.rays.record = Some(handle);
        Ok(handle)
    }

    /// The variable that holds RayTmax, if `imm` is this input of an intersection shader.
    pub(super) fn changing_t_max(&mut self, imm: &Imm) -> Option<Var> {
        let &Imm::Slot(at) = imm else { return None };
        let slot = self.shader.inputs.get(at as usize).map(|i| i.slot);
        let is_t_max = slot == Some(Slot::BuiltIn(BuiltIn::RayTmax, 0));
        (is_t_max && self.shader.stage == Stage::Intersection).then(|| self.t_max(at))
    }

    fn t_max(&mut self, at: u32) -> Var {
        if let Some(var) = self.io.rays.t_max {
            return var;
        }
        let var = self.new_var(vec![Ty::F32], "t max");
        let v = self.emit_first(Op::LoadInput, &[], Imm::Slot(at), &[Ty::F32])[0];
        self.emit_first(Op::VarSet, &[v], Imm::Var { var, elem: 0 }, &[]);
        self.io.rays.t_max = Some(var);
        var
    }

    /// Ends an any-hit invocation. Spec: SPIR-V, OpIgnoreIntersectionKHR, OpTerminateRayKHR.
    pub(super) fn end_hit(&mut self, end: HitEnd) -> Result<End> {
        if self.shader.stage != Stage::AnyHit {
            return Err(Error::invalid("only any-hit shaders end invocations this way"));
        }
        let var = match self.io.rays.end {
            Some(var) => var,
            None => {
                let var = self.new_var(vec![Ty::I32], "end");
                let leaf = (Interface::new(Slot::Ray(RaySlot::End), Ty::I32), 0);
                self.io.outputs.push(Output { var, leaves: vec![leaf], written: vec![true] });
                *self.io.rays.end.insert(var)
            }
        };
        let end = self.i32(end as u32);
        self.emit(Op::VarSet, &[end], Imm::Var { var, elem: 0 }, &[]);
        self.leave_shader()
    }

    /// Makes a call with these operands and the scalars of a variable, which it sets to the results. Returns the other
    /// results.
    pub(super) fn call_with(
        &mut self,
        call: RayCall,
        operands: &[Value],
        pointer: u32,
        classes: &[StorageClass],
    ) -> Result<Scalars> {
        self.check_call(call, operands)?;
        let place = self.place(pointer)?;
        let class = self.module.variable(pointer).map(|v| v.0);
        let var = match place.root {
            Root::Var(var) if class.as_ref().is_ok_and(|class| classes.contains(class)) => var,
            _ => {
                return Err(Error::invalid(format!("id %{pointer} is not a variable of one of {classes:?}")));
            }
        };
        let tys = self.shader.vars[var.0 as usize].elems.clone();
        let mut args: Scalars = operands.into();
        for (elem, &ty) in tys.iter().enumerate() {
            let v = self.get_var(var, elem as u32, ty);
            args.push(self.widen_plain(ty, v));
        }
        self.work(tys.len())?;
        let scalars: Vec<Ty> = tys.iter().map(|&ty| outer(ty)).collect();
        let mut results = self.emit(Op::RayCall, &args, Imm::Call(call), &call.results(&scalars));
        let values: Scalars = results.drain(call.results_before_scalars().unwrap_or(0)..).collect();
        for ((elem, &ty), v) in tys.iter().enumerate().zip(values) {
            let v = self.narrow_plain(ty, v);
            self.emit(Op::VarSet, &[v], Imm::Var { var, elem: elem as u32 }, &[]);
        }
        Ok(results)
    }

    /// Converts a scalar from the type that passes between shaders.
    pub(super) fn narrow_plain(&mut self, ty: Ty, v: Value) -> Value {
        match (ty, narrowing(ty)) {
            (Ty::Bool, _) => {
                let zero = self.i32(0);
                self.op(Op::INe, ty, &[v, zero])
            }
            (_, Some(op)) => self.op(op, ty, &[v]),
            (_, None) => v,
        }
    }

    /// Checks stage and operands of a call. Called shaders may write any memory.
    pub(super) fn check_call(&mut self, call: RayCall, operands: &[Value]) -> Result<()> {
        let stage = self.shader.stage;
        if !call.is_of(stage) {
            return Err(Error::invalid(format!("{stage:?} shaders do not have this instruction")));
        }
        if !operands.iter().map(|&v| self.ty(v)).eq(call.operands().iter().copied()) {
            return Err(Error::invalid("operands do not fit the instruction"));
        }
        self.shader.writes_memory = true;
        Ok(())
    }

    /// Converts a scalar to the type that passes between shaders.
    pub(super) fn widen_plain(&mut self, ty: Ty, v: Value) -> Value {
        self.widen(&Interface::new(Slot::Ray(RaySlot::Payload(0)), ty), v)
    }

    /// The scalars of some operands.
    pub(super) fn operand_scalars(&mut self, ids: &[u32]) -> Result<Scalars> {
        let mut out = Scalars::new();
        for &id in ids {
            out.extend(self.scalars(id)?);
        }
        Ok(out)
    }

    /// The scalars of the hit attribute that the interface of an intersection shader names.
    fn attribute_scalars(&mut self) -> Result<Scalars> {
        let m = self.module;
        for &id in m.globals() {
            let is_attribute = matches!(m.variable(id), Ok((StorageClass::HitAttributeKHR, _)));
            if self.io.rays.attribute.is_none() && is_attribute && self.io.interface.contains(&id) {
                self.place(id)?;
            }
        }
        let Some((_, var)) = self.io.rays.attribute else { return Ok(Scalars::new()) };
        let tys = self.shader.vars[var.0 as usize].elems.clone();
        let mut out = Scalars::new();
        for (elem, &ty) in tys.iter().enumerate() {
            let v = self.get_var(var, elem as u32, ty);
            out.push(self.widen_plain(ty, v));
        }
        Ok(out)
    }
}

/// OpTraceRayKHR.
pub fn trace<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let payload = lower.id_at(operands, 10)?;
    let args = lower.operand_scalars(&operands[..10])?;
    let classes = [StorageClass::RayPayloadKHR, StorageClass::IncomingRayPayloadKHR];
    lower.call_with(RayCall::Trace, &args, payload, &classes).map(drop)
}

/// OpExecuteCallableKHR.
pub fn execute<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let data = lower.id_at(operands, 1)?;
    let args = lower.operand_scalars(&operands[..1])?;
    let classes = [StorageClass::CallableDataKHR, StorageClass::IncomingCallableDataKHR];
    lower.call_with(RayCall::Execute, &args, data, &classes).map(drop)
}

/// OpReportIntersectionKHR. The invocation ends here if the ray ends.
pub fn report<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.id_at(operands, 1)?;
    let mut args = lower.operand_scalars(operands)?;
    lower.check_call(RayCall::Report, &args)?;
    args.extend(lower.attribute_scalars()?);
    let results = lower.emit(Op::RayCall, &args, Imm::Call(RayCall::Report), &[Ty::I32, Ty::F32]);
    let at = lower.slot_in(List::Inputs, Interface::new(Slot::BuiltIn(BuiltIn::RayTmax, 0), Ty::F32))?;
    let var = lower.t_max(at);
    lower.emit(Op::VarSet, &[results[1]], Imm::Var { var, elem: 0 }, &[]);
    let (ignored, ended) = (lower.i32(Report::Ignored as u32), lower.i32(Report::Ended as u32));
    let ends = lower.op(Op::IEq, Ty::Bool, &[results[0], ended]);
    let end = lower.leave_shader()?;
    lower.push_if(ends, Region { nodes: Vec::new(), end }, Region::default());
    Ok(Lower::one(lower.op(Op::INe, Ty::Bool, &[results[0], ignored])))
}
