//! Instructions of groups (capability Groups) and atomic flags.
//!
//! In a subgroup these are the operations of the lane group. In a workgroup the invocations exchange their values in
//! workgroup memory between barriers, and each of them goes through the values in the order of the invocations, so that
//! sums of floats do not depend on the size of the lane group.

use spirv::{GroupOperation, MemorySemantics, Op as SpvOp, Scope};

use super::super::group as subgroup;
use super::super::resource::MAX_SHARED;
use super::super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::operand::Reduction;
use crate::ir::{self, AtomicOp, BuiltIn, End, GroupOp, Imm, Mem, Node, Op, Region, Ty, Value};
use crate::spirv::module::Inst;

/// Bytes of workgroup memory that an invocation exchanges at once.
const EXCHANGED: u32 = 8;

/// Returns the scope of a group instruction: a workgroup or a subgroup.
fn scope(lower: &mut Lower<'_>, id: u32) -> Result<Scope> {
    let number = lower.types.const_u32(id)?;
    match Scope::from_u32(number) {
        Some(Scope::Subgroup) => Ok(Scope::Subgroup),
        Some(Scope::Workgroup) if lower.is_kernel() => Ok(Scope::Workgroup),
        _ => Err(Error::unsupported(format!("group instruction of scope {number}"))),
    }
}

/// Checks that a scope operand is Workgroup.
pub(super) fn need_workgroup(lower: &mut Lower<'_>, id: u32) -> Result<()> {
    match scope(lower, id)? {
        Scope::Workgroup => Ok(()),
        other => Err(Error::unsupported(format!("asynchronous copies of scope {other:?}"))),
    }
}

impl Lower<'_> {
    fn local_invocation(&mut self, b: BuiltIn, component: u32) -> Value {
        self.emit(Op::BuiltIn, &[], Imm::BuiltIn(b, component), &[Ty::I32])[0]
    }

    /// Number of invocations of a workgroup.
    fn group_size(&self) -> u32 {
        self.shader.local_size.iter().product()
    }

    /// Offset of the exchanged values of the workgroup.
    fn exchange(&mut self) -> Result<u32> {
        if let Some(known) = self.kernel.exchange {
            return Ok(known);
        }
        let base = self.shader.shared_size.next_multiple_of(16);
        let end = base.checked_add(EXCHANGED * self.group_size()).filter(|&end| end <= MAX_SHARED);
        let end = end.ok_or_else(|| Error::Limit(format!("workgroup memory, at most {MAX_SHARED} bytes")))?;
        self.shader.shared_size = end;
        Ok(*self.kernel.exchange.insert(base))
    }

    /// Stores a value for the other invocations of the workgroup, and waits until all have.
    fn give(&mut self, v: Value) -> Result<()> {
        let base = self.exchange()?;
        let me = self.local_invocation(BuiltIn::LocalInvocationIndex, 0);
        let bits = match self.ty(v) {
            Ty::Bool => {
                let (one, zero) = (self.i32(1), self.i32(0));
                self.op(Op::Select, Ty::I32, &[v, one, zero])
            }
            ty => self.cast(v, ty.as_int()),
        };
        let at = self.exchanged_at(me);
        let mem = Mem { offset: base, stride: self.ty(bits).bytes(), ordered: true };
        // The values of an earlier instruction have been read.
        self.exchange_barrier();
        self.emit(Op::StoreShared, &[at, bits], Imm::Mem(mem), &[]);
        self.exchange_barrier();
        Ok(())
    }

    /// A barrier that orders workgroup memory. For checks it also orders that of the module's own variables, although
    /// instructions of groups order no memory.
    fn exchange_barrier(&mut self) {
        let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
        let scope = Scope::Workgroup as u32;
        self.note_known_order(ir::Order { execution: Some(scope), scope, semantics: semantics.bits() });
        self.workgroup_barrier();
    }

    fn exchanged_at(&mut self, invocation: Value) -> Value {
        let amount = self.i32(EXCHANGED.trailing_zeros());
        self.op(Op::Shl, Ty::I32, &[invocation, amount])
    }

    /// The value that an invocation of the workgroup gave.
    fn take(&mut self, invocation: Value, ty: Ty) -> Result<Value> {
        let base = self.exchange()?;
        let held = if ty == Ty::Bool { Ty::I32 } else { ty.as_int() };
        let at = self.exchanged_at(invocation);
        let mem = Mem { offset: base, stride: held.bytes(), ordered: true };
        let v = self.emit(Op::LoadShared, &[at], Imm::Mem(mem), &[held])[0];
        let zero = self.i32(0);
        Ok(if ty == Ty::Bool { self.op(Op::INe, Ty::Bool, &[v, zero]) } else { self.cast(v, ty) })
    }

    /// Combines the values of the invocations below `end` with `first`, in ascending order.
    fn fold_group(
        &mut self,
        first: Value,
        end: Value,
        combine: &dyn Fn(&mut Self, Value, Value) -> Value,
    ) -> Result<Value> {
        let ty = self.ty(first);
        let (sum, at) = (self.new_var(vec![ty], ""), self.new_var(vec![Ty::I32], ""));
        let (sum_imm, at_imm) = (Imm::Var { var: sum, elem: 0 }, Imm::Var { var: at, elem: 0 });
        let zero = self.i32(0);
        self.emit(Op::VarSet, &[first], sum_imm.clone(), &[]);
        self.emit(Op::VarSet, &[zero], at_imm.clone(), &[]);
        let (label, src) = (self.new_label(), self.src);
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.loop_depth += 1;
        let i = self.get_var(at, 0, Ty::I32);
        let inside = self.op(Op::ULt, Ty::Bool, &[i, end]);
        let leaves = self.breaks(label);
        self.push_if(inside, Region::default(), Region { nodes: Vec::new(), end: leaves });
        let v = self.take(i, ty)?;
        let before = self.get_var(sum, 0, ty);
        let after = combine(self, before, v);
        self.emit(Op::VarSet, &[after], sum_imm, &[]);
        let one = self.i32(1);
        let next = self.op(Op::IAdd, Ty::I32, &[i, one]);
        self.emit(Op::VarSet, &[next], at_imm, &[]);
        self.loop_depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        self.forget();
        let body = Region { nodes, end: End::Yield(Vec::new()) };
        let node = ir::Loop { label, params: Vec::new(), body, results: Vec::new(), src };
        self.cur.push(Node::Loop(Box::new(node)));
        self.work(1)?;
        Ok(self.get_var(sum, 0, ty))
    }
}

/// OpGroupAll, OpGroupAny.
pub fn all_or_any<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (within, predicate) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let predicate = lower.scalar(predicate)?;
    let all = inst.op == SpvOp::GroupAll;
    if scope(lower, within)? == Scope::Subgroup {
        let op = if all { GroupOp::All } else { GroupOp::Any };
        return Ok(lower.group(op, &[predicate], &[Ty::Bool]));
    }
    lower.give(predicate)?;
    let first = lower.constant(Ty::Bool, u64::from(all));
    let end = lower.i32(lower.group_size());
    let op = if all { Op::And } else { Op::Or };
    let out = lower.fold_group(first, end, &|lower, a, b| lower.op(op, Ty::Bool, &[a, b]))?;
    Ok(Lower::one(out))
}

/// OpGroupBroadcast: the value of the invocation with a local id, which may be a vector.
pub fn broadcast<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (within, value, id) =
        (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let (list, ids) = (lower.scalars(value)?, lower.scalars(id)?);
    let within = scope(lower, within)?;
    if ids.is_empty() || ids.len() > 3 {
        return Err(Error::invalid("local id with other than 1 to 3 components"));
    }
    let mut index = lower.i32(0);
    let mut scale = 1u32;
    for (c, &v) in ids.iter().enumerate() {
        let v = lower.i32_of(v, false)?;
        let by = lower.i32(scale);
        let part = lower.op(Op::IMul, Ty::I32, &[v, by]);
        index = lower.op(Op::IAdd, Ty::I32, &[index, part]);
        scale = scale.saturating_mul(lower.shader.local_size[c]);
    }
    let mut out = Scalars::new();
    for v in list {
        let ty = lower.ty(v);
        out.push(match within {
            Scope::Subgroup => lower.group(GroupOp::Broadcast, &[v, index], &[ty])[0],
            _ => {
                lower.give(v)?;
                lower.take(index, ty)?
            }
        });
    }
    Ok(out)
}

/// A reduction, its operation on two values, and the bits of its identity.
fn reduction(op: SpvOp, ty: Ty) -> Result<(Reduction, Op, u64)> {
    let bits = ty.bits().ok_or_else(|| Error::invalid("reduction of values that are not numbers"))?;
    let ones = u64::MAX >> (64 - bits);
    let top = 1u64 << (bits - 1);
    // Spec: SPIR-V OpGroupFMin, OpGroupFMax: the identities are +INF and -INF.
    let infinity = match ty {
        Ty::F16 => 0x7c00,
        Ty::F32 => 0x7f80_0000,
        _ => 0x7ff0_0000_0000_0000,
    };
    Ok(match op {
        SpvOp::GroupIAdd => (Reduction::IAdd, Op::IAdd, 0),
        SpvOp::GroupFAdd => (Reduction::FAdd, Op::FAdd, 0),
        SpvOp::GroupFMin => (Reduction::FMin, Op::NMin, infinity),
        SpvOp::GroupUMin => (Reduction::UMin, Op::UMin, ones),
        SpvOp::GroupSMin => (Reduction::SMin, Op::SMin, ones & !top),
        SpvOp::GroupFMax => (Reduction::FMax, Op::NMax, infinity | top),
        SpvOp::GroupUMax => (Reduction::UMax, Op::UMax, 0),
        SpvOp::GroupSMax => (Reduction::SMax, Op::SMax, top),
        other => return Err(Error::unsupported(format!("instruction Op{other:?}"))),
    })
}

/// OpGroupIAdd and the other reductions and scans.
pub fn reduce<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (within, how, value) =
        (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let list = lower.scalars(value)?;
    let within = scope(lower, within)?;
    let mut out = Scalars::new();
    for v in list {
        let ty = lower.ty(v);
        let (reduction, op, identity) = reduction(inst.op, ty)?;
        let float = matches!(inst.op, SpvOp::GroupFAdd | SpvOp::GroupFMin | SpvOp::GroupFMax);
        if float != ty.is_float() {
            return Err(Error::invalid("operand type does not fit the reduction"));
        }
        let how = GroupOperation::from_u32(how);
        if within == Scope::Subgroup {
            let group = match how {
                Some(GroupOperation::Reduce) => GroupOp::Reduce(reduction),
                Some(GroupOperation::InclusiveScan) => GroupOp::InclusiveScan(reduction),
                Some(GroupOperation::ExclusiveScan) => GroupOp::ExclusiveScan(reduction),
                _ => return Err(Error::unsupported(format!("group operation {how:?}"))),
            };
            out.extend(subgroup::reduce_each(lower, group, &[v], None));
            continue;
        }
        lower.give(v)?;
        let me = lower.local_invocation(BuiltIn::LocalInvocationIndex, 0);
        let end = match how {
            Some(GroupOperation::Reduce) => lower.i32(lower.group_size()),
            Some(GroupOperation::ExclusiveScan) => me,
            Some(GroupOperation::InclusiveScan) => {
                let one = lower.i32(1);
                lower.op(Op::IAdd, Ty::I32, &[me, one])
            }
            _ => return Err(Error::unsupported(format!("group operation {how:?}"))),
        };
        let first = lower.constant(ty, identity);
        out.push(lower.fold_group(first, end, &|lower, a, b| lower.op(op, ty, &[a, b]))?);
    }
    Ok(out)
}

/// OpAtomicFlagTestAndSet: sets the flag to 1; true if it was set.
pub fn flag_test_and_set<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let pointer = lower.id_at(operands, 0)?;
    lower.note_order(None, &operands[1..]);
    let (one, zero) = (lower.i32(1), lower.i32(0));
    let old = super::super::atomic::atomic(lower, pointer, AtomicOp::Exchange, Ty::I32, &[one])?;
    Ok(Lower::one(lower.op(Op::INe, Ty::Bool, &[old, zero])))
}

/// OpAtomicFlagClear: sets the flag to 0.
pub fn flag_clear<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let pointer = lower.id_at(operands, 0)?;
    lower.note_order(None, &operands[1..]);
    let zero = lower.i32(0);
    super::super::atomic::atomic(lower, pointer, AtomicOp::Store, Ty::I32, &[zero])?;
    Ok(())
}
