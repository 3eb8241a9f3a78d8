//! The state of control flow while code is emitted: what is open, who is away, how regions end.

use crate::ir::{Label, Ty};
use crate::lane::{Block, LaneBuilder, LaneVar};

/// State of control flow.
pub(in crate::codegen) struct Flow {
    /// Active lanes; meaningful while some may be away or the group is not full.
    pub mask: LaneVar,
    /// Lanes that are not helper invocations (fragment).
    pub live: LaneVar,
    /// The group starts with all lanes active.
    pub full: bool,
    /// Some lane is known to be active.
    pub some: bool,
    /// Times that what is emitted runs at most between two looks at the stop flag.
    pub turns: u64,
    /// For each open construct, outermost first (0 is the function): lanes are away until its end.
    pub missing: Vec<bool>,
    pub(super) targets: Vec<Target>,
    pub(super) ends: Vec<RegionEnd>,
    /// Variables of open constructs that a waiting group must keep.
    pub state: Vec<LaneVar>,
    /// Where a group goes when all its lanes are done.
    pub group_end: Block,
    /// Where to go when the stop flag is set.
    pub stopped: Block,
}

/// An open Block or Loop.
pub(super) struct Target {
    pub label: Label,
    /// Index in `missing`.
    pub depth: usize,
    pub exit: Block,
    pub results: Vec<LaneVar>,
    /// Results that are a counter of the loop, and its step: kept by lane as the turns go on, so that lanes
    /// that leave need not take them.
    pub counters: Vec<Option<u32>>,
    pub leaving: Leaving,
    /// Some lane will be active behind it.
    pub some: bool,
}

/// How lanes leave a target.
#[derive(Clone)]
pub(super) enum Leaving {
    /// All that are active at once.
    Together,
    /// At different times, to nowhere else: the mask at the end is that of the start, kept here.
    Back(LaneVar),
    /// At different times: those that have left for the target's end.
    Counted(LaneVar),
}

/// What the end of the current region does.
#[derive(Clone)]
pub(super) struct RegionEnd {
    pub to: Block,
    pub kind: EndKind,
}

#[derive(Clone)]
pub(super) enum EndKind {
    /// Sets the results. `end_mask` takes the lanes that reach the end.
    Arm { results: Vec<LaneVar>, end_mask: Option<LaneVar>, merge: Merge },
    /// Innermost target.
    Body,
    /// Back edge to `to`; parameters.
    Again { params: Vec<LaneVar>, exit: Block },
    /// End of the function's body.
    Function,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Merge {
    /// Sets results.
    Set,
    /// Sets results in active lanes, keeps the others.
    Blend,
}

impl Flow {
    pub fn new(b: &mut LaneBuilder) -> Flow {
        let (group_end, stopped) = (b.block(), b.block());
        Flow {
            mask: b.declare(Ty::Bool, false),
            live: b.declare(Ty::Bool, false),
            full: true,
            some: false,
            turns: 1,
            missing: vec![false],
            targets: Vec::new(),
            ends: Vec::new(),
            state: Vec::new(),
            group_end,
            stopped,
        }
    }
}
