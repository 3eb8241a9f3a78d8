//! Argument and result types of the operations whose row does not fix them: atomics, subgroup operations and images.
//! Their immediates determine the types.
//!
//! The rows of [`super::op`] list all other types; [`super::verify`] checks the other rules.

use super::operand::{GroupOp, Reduction};
use super::{AtomicOp, ImageDim, ImageOp, ImageOpKind, LodMode, Ty};

/// Success, or a description of the violation.
pub(super) type Done = Result<(), String>;

pub(super) fn ensure(holds: bool, message: impl FnOnce() -> String) -> Done {
    if holds { Ok(()) } else { Err(message()) }
}

pub(super) fn types(list: &[Ty]) -> String {
    list.iter().map(Ty::to_string).collect::<Vec<_>>().join(", ")
}

pub(super) fn misfit(args: &[Ty], results: &[Ty]) -> String {
    format!("({}) -> ({}) does not fit the operation", types(args), types(results))
}

pub(super) fn atomic(op: AtomicOp, operands: &[Ty], r: Ty) -> bool {
    let n = match op {
        AtomicOp::Load => 0,
        AtomicOp::CompareExchange => 2,
        _ => 1,
    };
    let fits = match op {
        AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => r.is_float(),
        AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange => r.bits().is_some(),
        _ => r.is_int(),
    };
    fits && operands.len() == n && operands.iter().all(|&t| t == r)
}

pub(super) fn group(op: GroupOp, args: &[Ty], results: &[Ty]) -> bool {
    let value = |t: &Ty| !matches!(t, Ty::Buffer | Ty::Image);
    let number = |how: Reduction, t: &Ty| match how {
        Reduction::FAdd | Reduction::FMul | Reduction::FMin | Reduction::FMax => t.is_float(),
        _ => t.is_int(),
    };
    match (op, args, results) {
        (GroupOp::Elect, [], [Ty::Bool])
        | (GroupOp::All | GroupOp::Any | GroupOp::Anywhere, [Ty::Bool], [Ty::Bool]) => true,
        (GroupOp::AllEqual, [v], [Ty::Bool]) => value(v),
        (
            GroupOp::Broadcast
            | GroupOp::Shuffle
            | GroupOp::ShuffleXor
            | GroupOp::ShuffleUp
            | GroupOp::ShuffleDown
            | GroupOp::QuadBroadcast,
            [v, Ty::I32],
            [r],
        ) => value(v) && v == r,
        (GroupOp::BroadcastFirst | GroupOp::QuadSwap(_), [v], [r]) => value(v) && v == r,
        (GroupOp::Ballot, [Ty::Bool], [Ty::I32, Ty::I32, Ty::I32, Ty::I32]) => true,
        (GroupOp::Reduce(how) | GroupOp::InclusiveScan(how) | GroupOp::ExclusiveScan(how), [v], [r]) => {
            number(how, v) && v == r
        }
        (GroupOp::Partition, [v], [Ty::I32]) => value(v),
        (GroupOp::Masked(how), [v, Ty::I32], [r]) => number(how, v) && v == r,
        (GroupOp::Clustered(how, size), [v], [r]) => number(how, v) && v == r && size.is_power_of_two(),
        _ => false,
    }
}

/// Argument and result types of an image operation, as [`ImageOp`] lists them.
pub(super) fn image(op: &ImageOp, writes: bool, args: &[Ty], results: &[Ty]) -> Done {
    use ImageOpKind as K;
    let mut want = vec![Ty::Image];
    let filtered = matches!(op.kind, K::Sample | K::Gather | K::QueryLod);
    let query = matches!(op.kind, K::QuerySize | K::QueryLevels | K::QuerySamples);
    let coord = if filtered { Ty::F32 } else { Ty::I32 };
    let n = op.dim.coords() as usize;
    if !query {
        want.extend(vec![coord; n + usize::from(op.arrayed)]);
    }
    if op.dref {
        want.push(Ty::F32);
    }
    let integer_lod = matches!(op.kind, K::Fetch | K::Read | K::Write | K::QuerySize);
    match op.lod {
        LodMode::Bias => want.push(Ty::F32),
        LodMode::Explicit => want.push(if integer_lod { Ty::I32 } else { Ty::F32 }),
        LodMode::Grad => want.extend(vec![Ty::F32; 2 * n]),
        LodMode::Implicit | LodMode::Zero => {}
    }
    if op.min_lod {
        want.push(Ty::F32);
    }
    if op.offsets4 {
        want.extend([Ty::I32; 8]);
    } else if op.offset {
        want.extend(vec![Ty::I32; n]);
    }
    if op.multisampled && !query && !filtered {
        want.push(Ty::I32);
    }
    let mut gives = match op.kind {
        K::Sample | K::Fetch | K::Read if op.dref => vec![op.texel],
        K::Sample | K::Fetch | K::Read | K::Gather => vec![op.texel; op.texel_results()],
        K::Write => Vec::new(),
        K::Atomic(_) => vec![op.texel],
        K::QuerySize => {
            let d = if op.dim == ImageDim::Cube { 2 } else { n };
            vec![Ty::I32; d + usize::from(op.arrayed)]
        }
        K::QueryLevels | K::QuerySamples => vec![Ty::I32],
        K::QueryLod => vec![Ty::F32; 2],
    };
    gives.extend(op.residency.then_some(Ty::I32));
    match op.kind {
        K::Write => want.extend([op.texel; 4]),
        K::Atomic(AtomicOp::Load) => {}
        K::Atomic(AtomicOp::CompareExchange) => want.extend([op.texel; 2]),
        K::Atomic(_) => want.push(op.texel),
        K::Sample | K::Gather | K::Fetch | K::Read => {}
        K::QuerySize | K::QueryLevels | K::QuerySamples | K::QueryLod => {}
    }
    let components = match op.kind {
        K::Gather if op.dref || !op.is_joinable() => op.components.is_power_of_two() && op.components < 16,
        K::Gather => (1..16).contains(&op.components),
        _ => op.components == 0,
    };
    ensure(components, || format!("components {:#b} of a gather", op.components))?;
    let reads = op.reads(results.len());
    let joined = (1..=ImageOp::MOST_JOINED).contains(&reads);
    ensure(joined, || format!("{} results of image reads", results.len()))?;
    let each = want.split_off(1).repeat(reads);
    want.extend(each);
    let gives = gives.repeat(reads);
    ensure(writes == matches!(op.kind, K::Write | K::Atomic(_)), || "wrong row for this kind".into())?;
    ensure(args == want, || format!("arguments ({}), wanted ({})", types(args), types(&want)))?;
    ensure(results == gives, || format!("results ({}), wanted ({})", types(results), types(&gives)))
}
