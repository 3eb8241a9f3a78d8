//! Subgroup operations: the lane that an operation reads, and the report if that lane is inactive.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::{GroupOp, Inst};

use crate::kind::Kind;
use crate::place;
use crate::report::Report;

/// Returns the lane that an operation reads, if it reads a single one.
pub fn source(at: &View<'_>, inst: &Inst, op: GroupOp, lane: usize) -> Option<usize> {
    let second = inst.args.get(1).map_or(0, |&v| at.value(v, lane) as u32);
    let lane = lane as u32;
    let from = match op {
        GroupOp::Broadcast | GroupOp::Shuffle => second,
        GroupOp::ShuffleXor => lane ^ second,
        GroupOp::ShuffleUp => lane.wrapping_sub(second),
        GroupOp::ShuffleDown => lane.wrapping_add(second),
        GroupOp::BroadcastFirst => at.active().trailing_zeros(),
        GroupOp::QuadBroadcast => lane & !3 | second,
        GroupOp::QuadSwap(direction) => lane ^ (direction.min(2) + 1),
        _ => return None,
    };
    Some(from as usize)
}

/// Creates the report about an operation that reads an inactive lane.
pub fn inactive(at: &View<'_>, inst: &Inst, op: GroupOp, from: usize) -> Report {
    let name = format!("{op:?}");
    let name = name.split('(').next().unwrap_or_default();
    let message = match from < at.lanes() as usize {
        true => format!("{name} from invocation {from} of the subgroup, which is not active"),
        false => format!("{name} from outside of the subgroup of {}", at.lanes()),
    };
    let (frame, calls) = place::frames(at.shader(), inst.src, "OpGroupNonUniform");
    Report { called_from: calls, ..Report::new(Kind::SubgroupInactive, message).at(frame) }
}
