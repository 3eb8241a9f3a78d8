//! Operations that read other invocations of the lane group: derivatives, ballots, shuffles, reductions. Inactive lanes
//! read as zero. Scans visit the active lanes in ascending order. Reductions first combine the lanes at the same
//! position of all quads, in ascending order; then the remaining four: (0, 1) and (2, 3), then both pairs.

use smallvec::SmallVec;

use crate::abi::MAX_LANES;
use crate::ir::operand::Reduction;
use crate::ir::{GroupOp, Op, Ty};
use crate::ops;

/// One value across the lane group.
pub(super) type Row = [u64; MAX_LANES];

/// Results of one instruction.
pub(super) type Rows = SmallVec<[Row; 4]>;

/// The lanes of a mask, ascending.
pub fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane as usize)
    })
}

/// The value of a lane if it is active, otherwise 0.
fn at(row: &Row, active: u32, lane: usize) -> u64 {
    if lane < MAX_LANES && active >> lane & 1 == 1 { row[lane] } else { 0 }
}

/// Derivatives. Spec: SPIR-V, "Derivative Instructions".
pub(super) fn eval_derivative(op: Op, ty: Ty, active: u32, x: &Row) -> Row {
    let mut result = [0; MAX_LANES];
    for lane in lanes_of(active) {
        let quad = lane & !3;
        let (from, to) = match op {
            Op::DdxFine => (quad | lane & 2, quad | lane & 2 | 1),
            Op::DdyFine => (quad | lane & 1, quad | lane & 1 | 2),
            Op::DdxCoarse => (quad, quad | 1),
            _ => (quad, quad | 2),
        };
        let both = active >> from & active >> to & 1 == 1;
        if both {
            result[lane] = ops::eval(Op::FSub, &[ty, ty], ty, &[x[to], x[from]]);
        }
    }
    result
}

/// Combines two values.
fn combine(reduction: Reduction, ty: Ty, a: u64, b: u64) -> u64 {
    ops::eval(reduction.op(), &[ty, ty], ty, &[a, b])
}

/// The identity of a reduction.
fn identity(reduction: Reduction, ty: Ty) -> u64 {
    let float = |x: f32| ops::value::from_f32(ty, x);
    let ones = ops::value::wrap(ty, u64::MAX);
    match reduction {
        Reduction::IAdd | Reduction::Or | Reduction::Xor | Reduction::UMax => 0,
        Reduction::IMul => 1,
        Reduction::FAdd => float(0.0),
        Reduction::FMul => float(1.0),
        Reduction::FMin => float(f32::INFINITY),
        Reduction::FMax => float(f32::NEG_INFINITY),
        Reduction::UMin | Reduction::And => ones,
        Reduction::SMin => ones >> 1,
        Reduction::SMax => ones ^ (ones >> 1),
    }
}

/// Reduces the lanes of `mask` in order, from the identity. The order matters for signed zeros and NaNs.
fn reduce(reduction: Reduction, ty: Ty, mask: u32, x: &Row) -> u64 {
    lanes_of(mask).fold(identity(reduction, ty), |a, l| combine(reduction, ty, a, x[l]))
}

/// Reduces the lanes of `mask` in a cluster of `size` lanes; other lanes count as the identity.
fn reduce_quads(reduction: Reduction, ty: Ty, mask: u32, start: usize, size: usize, x: &Row) -> u64 {
    let one = identity(reduction, ty);
    let column = |k: usize| {
        let lanes = (start + k..(start + size).min(MAX_LANES)).step_by(4);
        lanes.fold(one, |a, l| combine(reduction, ty, a, if mask >> l & 1 == 1 { x[l] } else { one }))
    };
    let pair = |k: usize| combine(reduction, ty, column(k), column(k + 1));
    match size {
        1 => column(0),
        2 => pair(0),
        _ => combine(reduction, ty, pair(0), pair(2)),
    }
}

/// Mask of the lanes below `lane`.
fn below(lane: usize) -> u32 {
    (1u32 << lane) - 1
}

/// Group operations. `args` and `results` are rows; `ty` is the type of the first argument.
pub(super) fn eval_group(op: GroupOp, ty: Ty, active: u32, args: &[Row]) -> Rows {
    let zero = [0; MAX_LANES];
    let x = args.first().unwrap_or(&zero);
    let second = args.get(1).unwrap_or(&zero);
    let each = |f: &dyn Fn(usize) -> u64| {
        let mut row = [0; MAX_LANES];
        for lane in lanes_of(active) {
            row[lane] = f(lane);
        }
        row
    };
    let first = active.trailing_zeros() as usize;
    let from = |lane: usize| at(x, active, lane);
    let row = match op {
        GroupOp::Elect => each(&|l| u64::from(l == first)),
        GroupOp::All => {
            let all = lanes_of(active).all(|l| x[l] & 1 == 1);
            each(&|_| u64::from(all))
        }
        GroupOp::Any | GroupOp::Anywhere => {
            let any = lanes_of(active).any(|l| x[l] & 1 == 1);
            each(&|_| u64::from(any))
        }
        GroupOp::AllEqual => {
            let equal = if ty.is_float() { Op::FOrdEq } else { Op::IEq };
            let all = lanes_of(active).all(|l| ops::eval(equal, &[ty, ty], Ty::Bool, &[x[l], x[first]]) == 1);
            each(&|_| u64::from(all))
        }
        GroupOp::Broadcast | GroupOp::Shuffle => each(&|l| from(second[l] as usize)),
        GroupOp::BroadcastFirst => each(&|_| from(first)),
        GroupOp::Ballot => {
            let bits = lanes_of(active).filter(|&l| x[l] & 1 == 1).fold(0u64, |b, l| b | 1 << l);
            let mut rows = Rows::from_elem(zero, 4);
            rows[0] = each(&|_| bits);
            return rows;
        }
        GroupOp::ShuffleXor => each(&|l| from(l ^ second[l] as usize)),
        // The sum and the difference wrap: undefined in SPIR-V, and the same as in generated code.
        GroupOp::ShuffleUp => each(&|l| from((l as u32).wrapping_sub(second[l] as u32) as usize)),
        GroupOp::ShuffleDown => each(&|l| from((l as u32).wrapping_add(second[l] as u32) as usize)),
        GroupOp::Reduce(r) => {
            let all = reduce_quads(r, ty, active, 0, MAX_LANES, x);
            each(&|_| all)
        }
        GroupOp::InclusiveScan(r) => each(&|l| reduce(r, ty, active & (below(l) | 1 << l), x)),
        GroupOp::ExclusiveScan(r) => each(&|l| reduce(r, ty, active & below(l), x)),
        GroupOp::Clustered(r, size) => each(&|l| {
            let size = (size.max(1) as usize).min(MAX_LANES);
            reduce_quads(r, ty, active, l / size * size, size, x)
        }),
        GroupOp::QuadBroadcast => each(&|l| from((l & !3) | (second[l] as usize & 3))),
        GroupOp::Partition => {
            let equal = if ty.is_float() { Op::FOrdEq } else { Op::IEq };
            let same =
                |l: usize, k: usize| k == l || ops::eval(equal, &[ty, ty], Ty::Bool, &[x[l], x[k]]) == 1;
            each(&|l| lanes_of(active).filter(|&k| same(l, k)).fold(0, |m, k| m | 1 << k))
        }
        GroupOp::Masked(r) => each(&|l| reduce(r, ty, active & second[l] as u32, x)),
        GroupOp::QuadSwap(direction) => each(&|l| from(l ^ (direction.min(2) as usize + 1))),
    };
    Rows::from_elem(row, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(f: impl Fn(usize) -> u64) -> Row {
        std::array::from_fn(f)
    }

    #[test]
    fn derivatives_need_both_partners() {
        let x = row(|l| u64::from(((l * l) as f32).to_bits()));
        let bits = |v: f32| u64::from(v.to_bits());
        let r = eval_derivative(Op::DdxFine, Ty::F32, 0xf, &x);
        assert_eq!(r[..4], [bits(1.0), bits(1.0), bits(5.0), bits(5.0)]);
        let r = eval_derivative(Op::DdyCoarse, Ty::F32, 0xf, &x);
        assert_eq!(r[..4], [bits(4.0); 4]);
        let r = eval_derivative(Op::DdxFine, Ty::F32, 0xd, &x);
        assert_eq!(r[..4], [0, 0, bits(5.0), bits(5.0)]);
    }

    #[test]
    fn reductions_see_active_lanes_only() {
        let x = row(|l| l as u64 + 1);
        let run = |op, active| eval_group(op, Ty::I32, active, &[x])[0];
        assert_eq!(run(GroupOp::Reduce(Reduction::IAdd), 0b1011)[0], 1 + 2 + 4);
        assert_eq!(run(GroupOp::ExclusiveScan(Reduction::IAdd), 0b1011)[..4], [0, 1, 0, 3]);
        assert_eq!(run(GroupOp::InclusiveScan(Reduction::IMul), 0b1111)[..4], [1, 2, 6, 24]);
        assert_eq!(run(GroupOp::ExclusiveScan(Reduction::SMin), 1)[0], 0x7fff_ffff);
        assert_eq!(run(GroupOp::Clustered(Reduction::IAdd, 4), 0xff)[4], 5 + 6 + 7 + 8);
        assert_eq!(run(GroupOp::QuadSwap(1), 0xff)[..4], [3, 4, 1, 2]);
        assert_eq!(run(GroupOp::Elect, 0b1100)[..4], [0, 0, 1, 0]);
    }

    #[test]
    fn shuffles_from_nowhere_give_zero() {
        let x = row(|l| l as u64 + 10);
        let run = |op, second: u64| eval_group(op, Ty::I32, 0xff, &[x, row(|_| second)])[0];
        assert_eq!(run(GroupOp::ShuffleUp, 1)[..3], [0, 10, 11]);
        assert_eq!(run(GroupOp::ShuffleDown, 1)[6..9], [17, 0, 0]);
        assert_eq!(run(GroupOp::Shuffle, 0xffff_ffff)[0], 0);
        assert_eq!(run(GroupOp::Broadcast, 3)[0], 13);
    }
}
