//! Operations across the subgroup; a subgroup is a lane group.

use spirv::{GroupOperation, Op as SpvOp, Scope};

use super::interface::List;
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::operand::Reduction;
use crate::ir::{BuiltIn, GroupOp, Imm, Interface, Op, Slot, Stage, Ty, Value};
use crate::spirv::module::Inst;

impl Lower<'_> {
    /// One group operation.
    pub(super) fn group(&mut self, op: GroupOp, args: &[Value], tys: &[Ty]) -> Scalars {
        self.shader.observes_subgroup = true;
        self.emit(Op::Group, args, Imm::Group(op), tys)
    }

    /// Applies a group operation to each component.
    fn group_each(&mut self, op: GroupOp, list: &[Value], more: Option<Value>) -> Scalars {
        list.iter()
            .map(|&v| {
                let ty = self.ty(v);
                match more {
                    Some(m) => self.group(op, &[v, m], &[ty])[0],
                    None => self.group(op, &[v], &[ty])[0],
                }
            })
            .collect()
    }

    fn lane(&mut self, what: BuiltIn) -> Value {
        self.shader.observes_subgroup = true;
        self.emit(Op::BuiltIn, &[], Imm::BuiltIn(what, 0), &[Ty::I32])[0]
    }

    /// Checks that the scope operand is Subgroup.
    fn subgroup_scope(&mut self, operands: &[u32]) -> Result<()> {
        let scope = self.id_at(operands, 0)?;
        match self.types.const_u32(scope)? {
            s if s == Scope::Subgroup as u32 => Ok(()),
            s => Err(Error::unsupported(format!("group operation of scope {s}"))),
        }
    }
}

/// DebugPrintf: a format string, then values. Pointers and handles are omitted.
pub fn printf(lower: &mut Lower<'_>, operands: &[u32]) -> Result<()> {
    let text = lower.id_at(operands, 0)?;
    let text = match lower.module.def(text) {
        Some(def) if def.op == SpvOp::String => lower.module.string(def, 0),
        _ => return Err(Error::invalid(format!("format %{text} is not a string"))),
    };
    let values = operands.get(1..).unwrap_or_default();
    print(lower, crate::printf::unescape(&text), values, crate::printf::DEBUG_SEPARATOR)
}

/// Prints values after the invocation, with a separator between the components of vectors.
pub(super) fn print(
    lower: &mut Lower<'_>,
    text: String,
    operands: &[u32],
    separator: &'static str,
) -> Result<()> {
    let (mut args, prefix) = invocation_args(lower)?;
    let text = prefix + &text;
    lower.text_work(text.len())?;
    for &id in operands {
        for v in lower.scalars(id)? {
            if lower.ty(v).is_plain() {
                args.push(v);
            }
        }
    }
    if args.len() > MAX_PRINTED {
        return Err(Error::Limit(format!("more than {MAX_PRINTED} scalars in one print")));
    }
    let tys = args.iter().map(|&v| lower.ty(v)).collect();
    let format = std::sync::Arc::new(crate::printf::Format { text, tys, separator });
    lower.emit(Op::Printf, &args, Imm::Printf(format), &[]);
    Ok(())
}

/// The numbers that identify the invocation, and the format that prints them.
pub(super) fn invocation_args(lower: &mut Lower<'_>) -> Result<(Scalars, String)> {
    let mut args = Scalars::new();
    let (which, prefix) = invocation(lower.shader.stage);
    for &(what, component) in which {
        let ty = what.shape().0;
        if lower.shader.stage.is_of_rays() {
            let input = Interface::new(Slot::BuiltIn(what, component), ty);
            let at = lower.slot_in(List::Inputs, input)?;
            args.extend(lower.emit(Op::LoadInput, &[], Imm::Slot(at), &[ty]));
            continue;
        }
        match lower.is_kernel() {
            true => args.push(lower.launch_built_in(what, component)),
            false => args.extend(lower.emit(Op::BuiltIn, &[], Imm::BuiltIn(what, component), &[ty])),
        }
    }
    Ok((args, prefix.to_owned()))
}

/// Built-ins that identify an invocation of a stage, and the format that prints them.
fn invocation(stage: Stage) -> (&'static [(BuiltIn, u32)], &'static str) {
    use BuiltIn::{FragCoord, GlobalInvocationId, InstanceIndex, LaunchId, PrimitiveId, VertexIndex};
    match stage {
        Stage::Compute | Stage::Task | Stage::Mesh => {
            (&[(GlobalInvocationId, 0), (GlobalInvocationId, 1), (GlobalInvocationId, 2)], "[%u, %u, %u] ")
        }
        Stage::Fragment => (&[(FragCoord, 0), (FragCoord, 1)], "[%g, %g] "),
        Stage::Vertex => (&[(VertexIndex, 0), (InstanceIndex, 0)], "[vertex %u, instance %u] "),
        Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry => {
            (&[(PrimitiveId, 0)], "[primitive %u] ")
        }
        Stage::RayGeneration
        | Stage::Intersection
        | Stage::AnyHit
        | Stage::ClosestHit
        | Stage::Miss
        | Stage::Callable => (&[(LaunchId, 0), (LaunchId, 1), (LaunchId, 2)], "[launch %u, %u, %u] "),
    }
}

/// Maximum number of scalars of one print.
const MAX_PRINTED: usize = 64;

/// OpGroupNonUniformElect.
pub fn elect<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    Ok(lower.group(GroupOp::Elect, &[], &[Ty::Bool]))
}

/// OpGroupNonUniformAll, OpGroupNonUniformAny.
pub fn vote<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let predicate = lower.id_at(operands, 1)?;
    let predicate = lower.scalar(predicate)?;
    let op = if inst.op == SpvOp::GroupNonUniformAll { GroupOp::All } else { GroupOp::Any };
    Ok(lower.group(op, &[predicate], &[Ty::Bool]))
}

fn equal(lower: &mut Lower<'_>, list: &[Value]) -> Result<Scalars> {
    let mut all: Option<Value> = None;
    for &v in list {
        let same = lower.group(GroupOp::AllEqual, &[v], &[Ty::Bool])[0];
        all = Some(match all {
            Some(a) => lower.op(Op::And, Ty::Bool, &[a, same]),
            None => same,
        });
    }
    all.map(Lower::one).ok_or_else(|| Error::invalid("operand has no scalars"))
}

/// OpGroupNonUniformAllEqual.
pub fn all_equal<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let value = lower.id_at(operands, 1)?;
    let list = lower.scalars(value)?;
    equal(lower, &list)
}

/// Broadcast, shuffles, quad broadcast: a value, and an index, mask or delta.
pub fn with_index<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let op = match inst.op {
        SpvOp::GroupNonUniformBroadcast => GroupOp::Broadcast,
        SpvOp::GroupNonUniformShuffle => GroupOp::Shuffle,
        SpvOp::GroupNonUniformShuffleXor => GroupOp::ShuffleXor,
        SpvOp::GroupNonUniformShuffleUp => GroupOp::ShuffleUp,
        SpvOp::GroupNonUniformShuffleDown => GroupOp::ShuffleDown,
        _ => {
            lower.quad_group();
            GroupOp::QuadBroadcast
        }
    };
    let (value, index) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let (list, index) = (lower.scalars(value)?, lower.scalar(index)?);
    let index = lower.i32_of(index, false)?;
    Ok(lower.group_each(op, &list, Some(index)))
}

impl Lower<'_> {
    /// Quad operations in fragment shaders need the helper invocations.
    fn quad_group(&mut self) {
        self.shader.needs_quads |= self.shader.stage == Stage::Fragment;
    }
}

/// OpGroupNonUniformBroadcastFirst.
pub fn broadcast_first<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let value = lower.id_at(operands, 1)?;
    let list = lower.scalars(value)?;
    Ok(lower.group_each(GroupOp::BroadcastFirst, &list, None))
}

/// OpGroupNonUniformBallot.
pub fn ballot<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let predicate = lower.id_at(operands, 1)?;
    let predicate = lower.scalar(predicate)?;
    Ok(lower.group(GroupOp::Ballot, &[predicate], &[Ty::I32; 4]))
}

/// Bit `index` of a ballot, as Bool.
fn bit(lower: &mut Lower<'_>, words: &[Value], index: Value) -> Result<Value> {
    let five = lower.i32(5);
    let at = lower.op(Op::ShrU, Ty::I32, &[index, five]);
    let mut word = lower.i32(0);
    for (i, &w) in words.iter().enumerate() {
        let i = lower.i32(i as u32);
        let hit = lower.op(Op::IEq, Ty::Bool, &[at, i]);
        word = lower.op(Op::Select, Ty::I32, &[hit, w, word]);
    }
    let word = lower.op(Op::ShrU, Ty::I32, &[word, index]);
    let (one, zero) = (lower.i32(1), lower.i32(0));
    let low = lower.op(Op::And, Ty::I32, &[word, one]);
    Ok(lower.op(Op::INe, Ty::Bool, &[low, zero]))
}

/// OpGroupNonUniformInverseBallot.
pub fn inverse_ballot<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let value = lower.id_at(operands, 1)?;
    let words = lower.scalars(value)?;
    let lane = lower.lane(BuiltIn::SubgroupLocalInvocationId);
    Ok(Lower::one(bit(lower, &words, lane)?))
}

/// OpGroupNonUniformBallotBitExtract.
pub fn ballot_bit_extract<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let (value, index) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let (words, index) = (lower.scalars(value)?, lower.scalar(index)?);
    let index = lower.i32_of(index, false)?;
    Ok(Lower::one(bit(lower, &words, index)?))
}

/// The bits of a ballot that belong to the group: one word, since a lane group has at most 32 lanes.
fn group_bits(lower: &mut Lower<'_>, id: u32) -> Result<Value> {
    let words = lower.scalars(id)?;
    let word = lower.first(&words)?;
    let zero = lower.i32(0);
    let size = lower.lane(BuiltIn::SubgroupSize);
    Ok(lower.op(Op::BitFieldUExtract, Ty::I32, &[word, zero, size]))
}

/// OpGroupNonUniformBallotBitCount.
pub fn ballot_bit_count<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let (how, value) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let mut bits = group_bits(lower, value)?;
    let mask = match GroupOperation::from_u32(how) {
        Some(GroupOperation::Reduce) => None,
        Some(GroupOperation::InclusiveScan) => Some(BuiltIn::SubgroupLeMask),
        Some(GroupOperation::ExclusiveScan) => Some(BuiltIn::SubgroupLtMask),
        _ => return Err(Error::invalid(format!("group operation {how} of a bit count"))),
    };
    if let Some(mask) = mask {
        let mask = lower.lane(mask);
        bits = lower.op(Op::And, Ty::I32, &[bits, mask]);
    }
    Ok(Lower::one(lower.op(Op::BitCount, Ty::I32, &[bits])))
}

/// OpGroupNonUniformBallotFindLSB, OpGroupNonUniformBallotFindMSB.
pub fn ballot_find<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let value = lower.id_at(operands, 1)?;
    let bits = group_bits(lower, value)?;
    let op = if inst.op == SpvOp::GroupNonUniformBallotFindLSB { Op::FindILsb } else { Op::FindUMsb };
    Ok(Lower::one(lower.op(op, Ty::I32, &[bits])))
}

/// Reductions and scans.
pub fn reduce<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    use SpvOp as S;
    lower.subgroup_scope(operands)?;
    let reduction = match inst.op {
        S::GroupNonUniformIAdd => Reduction::IAdd,
        S::GroupNonUniformFAdd => Reduction::FAdd,
        S::GroupNonUniformIMul => Reduction::IMul,
        S::GroupNonUniformFMul => Reduction::FMul,
        S::GroupNonUniformSMin => Reduction::SMin,
        S::GroupNonUniformUMin => Reduction::UMin,
        S::GroupNonUniformFMin => Reduction::FMin,
        S::GroupNonUniformSMax => Reduction::SMax,
        S::GroupNonUniformUMax => Reduction::UMax,
        S::GroupNonUniformFMax => Reduction::FMax,
        S::GroupNonUniformBitwiseAnd | S::GroupNonUniformLogicalAnd => Reduction::And,
        S::GroupNonUniformBitwiseOr | S::GroupNonUniformLogicalOr => Reduction::Or,
        _ => Reduction::Xor,
    };
    let (operation, value) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let op = match GroupOperation::from_u32(operation) {
        Some(GroupOperation::Reduce) => GroupOp::Reduce(reduction),
        Some(GroupOperation::InclusiveScan) => GroupOp::InclusiveScan(reduction),
        Some(GroupOperation::ExclusiveScan) => GroupOp::ExclusiveScan(reduction),
        Some(
            how @ (GroupOperation::PartitionedReduceEXT
            | GroupOperation::PartitionedInclusiveScanEXT
            | GroupOperation::PartitionedExclusiveScanEXT),
        ) => {
            let ballot = lower.id_at(operands, 3)?;
            return partitioned(lower, reduction, how, value, ballot);
        }
        Some(GroupOperation::ClusteredReduce) => {
            let size = lower.id_at(operands, 3)?;
            let size = lower.types.const_u32(size)?;
            if !size.is_power_of_two() {
                return Err(Error::invalid(format!("cluster size {size} is not a power of two")));
            }
            GroupOp::Clustered(reduction, size)
        }
        _ => return Err(Error::unsupported(format!("group operation {operation}"))),
    };
    let list = lower.scalars(value)?;
    Ok(reduce_each(lower, op, &list, None))
}

/// Applies a reduction to each component; Bools are reduced as integers.
pub(super) fn reduce_each(
    lower: &mut Lower<'_>,
    op: GroupOp,
    list: &[Value],
    more: Option<Value>,
) -> Scalars {
    let (one, zero) = (lower.i32(1), lower.i32(0));
    list.iter()
        .map(|&v| match lower.ty(v) {
            Ty::Bool => {
                let v = lower.op(Op::Select, Ty::I32, &[v, one, zero]);
                let v = lower.group_each(op, &[v], more)[0];
                lower.op(Op::INe, Ty::Bool, &[v, zero])
            }
            _ => lower.group_each(op, &[v], more)[0],
        })
        .collect()
}

/// Reductions and scans over the subset that the ballot operand of each invocation names. Spec: SPIR-V,
/// SPV_NV_shader_subgroup_partitioned.
fn partitioned(
    lower: &mut Lower<'_>,
    reduction: Reduction,
    how: GroupOperation,
    value: u32,
    ballot: u32,
) -> Result<Scalars> {
    let (list, words) = (lower.scalars(value)?, lower.scalars(ballot)?);
    let mut lanes = lower.first(&words)?;
    let mask = match how {
        GroupOperation::PartitionedInclusiveScanEXT => Some(BuiltIn::SubgroupLeMask),
        GroupOperation::PartitionedExclusiveScanEXT => Some(BuiltIn::SubgroupLtMask),
        _ => None,
    };
    if let Some(mask) = mask {
        let mask = lower.lane(mask);
        lanes = lower.op(Op::And, Ty::I32, &[lanes, mask]);
    }
    Ok(reduce_each(lower, GroupOp::Masked(reduction), &list, Some(lanes)))
}

/// OpGroupNonUniformPartitionEXT.
pub fn partition<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let value = lower.id_at(operands, 0)?;
    let list = lower.scalars(value)?;
    let mut all: Option<Value> = None;
    for v in list {
        let same = lower.group(GroupOp::Partition, &[v], &[Ty::I32])[0];
        all = Some(match all {
            Some(a) => lower.op(Op::And, Ty::I32, &[a, same]),
            None => same,
        });
    }
    let first = all.ok_or_else(|| Error::invalid("operand has no scalars"))?;
    let zero = lower.i32(0);
    Ok([first, zero, zero, zero].into_iter().collect())
}

/// OpGroupNonUniformRotateKHR: a shuffle from the invocation `delta` further in the cluster.
pub fn rotate<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    let (value, delta) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let (list, delta) = (lower.scalars(value)?, lower.scalar(delta)?);
    let delta = lower.i32_of(delta, false)?;
    let size = lower.lane(BuiltIn::SubgroupSize);
    let size = match operands.get(3) {
        Some(&id) => {
            let cluster = lower.types.const_u32(id)?;
            if !cluster.is_power_of_two() {
                return Err(Error::invalid(format!("cluster size {cluster} is not a power of two")));
            }
            let cluster = lower.i32(cluster);
            lower.op(Op::UMin, Ty::I32, &[cluster, size])
        }
        None => size,
    };
    let one = lower.i32(1);
    let low = lower.op(Op::ISub, Ty::I32, &[size, one]);
    let high = lower.op(Op::Not, Ty::I32, &[low]);
    let id = lower.lane(BuiltIn::SubgroupLocalInvocationId);
    let moved = lower.op(Op::IAdd, Ty::I32, &[id, delta]);
    let moved = lower.op(Op::And, Ty::I32, &[moved, low]);
    let start = lower.op(Op::And, Ty::I32, &[id, high]);
    let from = lower.op(Op::Or, Ty::I32, &[start, moved]);
    Ok(lower.group_each(GroupOp::Shuffle, &list, Some(from)))
}

/// OpGroupNonUniformQuadAllKHR, OpGroupNonUniformQuadAnyKHR. Inactive invocations of the quad contribute false to the
/// swaps.
pub fn quad_vote<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.quad_group();
    let predicate = lower.id_at(operands, 0)?;
    let predicate = lower.scalar(predicate)?;
    let all = inst.op == SpvOp::GroupNonUniformQuadAllKHR;
    let not = |lower: &mut Lower<'_>, v| if all { lower.op(Op::Not, Ty::Bool, &[v]) } else { v };
    let own = not(lower, predicate);
    let mut any = own;
    for direction in 0..3 {
        let other = lower.group(GroupOp::QuadSwap(direction), &[own], &[Ty::Bool])[0];
        any = lower.op(Op::Or, Ty::Bool, &[any, other]);
    }
    Ok(Lower::one(not(lower, any)))
}

/// OpGroupNonUniformQuadSwap.
pub fn quad_swap<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.subgroup_scope(operands)?;
    lower.quad_group();
    let (value, direction) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let direction = lower.types.const_u32(direction)?;
    if direction > 2 {
        return Err(Error::invalid(format!("quad swap direction {direction}")));
    }
    let list = lower.scalars(value)?;
    Ok(lower.group_each(GroupOp::QuadSwap(direction), &list, None))
}

/// OpSubgroupAllKHR, OpSubgroupAnyKHR, OpSubgroupAllEqualKHR.
pub fn vote_khr<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let predicate = lower.id_at(operands, 0)?;
    let predicate = lower.scalar(predicate)?;
    let op = match inst.op {
        SpvOp::SubgroupAllKHR => GroupOp::All,
        SpvOp::SubgroupAnyKHR => GroupOp::Any,
        _ => GroupOp::AllEqual,
    };
    Ok(lower.group(op, &[predicate], &[Ty::Bool]))
}

/// OpSubgroupBallotKHR.
pub fn ballot_khr<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let predicate = lower.id_at(operands, 0)?;
    let predicate = lower.scalar(predicate)?;
    Ok(lower.group(GroupOp::Ballot, &[predicate], &[Ty::I32; 4]))
}

/// OpSubgroupFirstInvocationKHR.
pub fn first_khr<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let value = lower.id_at(operands, 0)?;
    let list = lower.scalars(value)?;
    Ok(lower.group_each(GroupOp::BroadcastFirst, &list, None))
}

/// OpSubgroupReadInvocationKHR.
pub fn read_khr<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (value, index) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (list, index) = (lower.scalars(value)?, lower.scalar(index)?);
    let index = lower.i32_of(index, false)?;
    Ok(lower.group_each(GroupOp::Broadcast, &list, Some(index)))
}
