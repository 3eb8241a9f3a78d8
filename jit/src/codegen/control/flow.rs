//! State of control flow during emission: open constructs, missing lanes, ends of regions.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::ir::{Label, Ty, Value};
use crate::lane::{Block, Lane, LaneBuilder, LaneVar};

/// State of control flow.
pub(in crate::codegen) struct Flow {
    /// Active lanes; meaningful only while lanes may be missing or the group is not full.
    pub mask: LaneVar,
    /// Lanes that are not helper invocations (fragment).
    pub live: LaneVar,
    /// True if the group starts with all lanes active.
    pub full: bool,
    /// True if at least one lane is known to be active.
    pub some: bool,
    /// Ends of arms that a path without active lanes leads to.
    pub(super) empty_ends: Vec<Block>,
    /// Upper bound of the number of times that the current code runs between two polls of the stop flag.
    pub turns: u64,
    /// Number of open loops.
    pub loops: u32,
    /// True if the outermost of them waits at barriers.
    pub phased: bool,
    /// Bases and indices of the lines that loads have requested ahead.
    pub requested: FxHashSet<(Lane, SmallVec<[Value; 4]>)>,
    /// For each open construct, outermost first (0 is the function): true if lanes may be missing until its end.
    pub missing: Vec<bool>,
    pub(super) targets: Vec<Target>,
    pub(super) ends: Vec<RegionEnd>,
    /// Variables of open constructs that a waiting group must keep.
    pub state: Vec<LaneVar>,
    /// Block that a group jumps to when all its lanes are done.
    pub group_end: Block,
    /// Block to jump to when the stop flag is set.
    pub stopped: Block,
}

/// An open Block or Loop.
pub(super) struct Target {
    pub label: Label,
    /// Index in `missing`.
    pub depth: usize,
    pub exit: Block,
    pub results: Vec<LaneVar>,
    /// For each result that is a counter of the loop: its step. Counters are stepped per lane in each iteration, so
    /// that lanes that leave need not copy them.
    pub counters: Vec<Option<u32>>,
    pub leaving: Leaving,
    /// True if at least one lane is known to be active after the construct.
    pub some: bool,
}

/// Manner in which lanes leave a target.
#[derive(Clone)]
pub(super) enum Leaving {
    /// All active lanes leave together.
    Together,
    /// Lanes leave at different times, but only to the end of this target. The mask after it is the one before it, kept
    /// in this variable.
    Back(LaneVar),
    /// Lanes leave at different times. The variable holds the lanes that have left for the end of this target.
    Counted(LaneVar),
}

/// End of the current region.
#[derive(Clone)]
pub(super) struct RegionEnd {
    pub to: Block,
    pub kind: EndKind,
}

#[derive(Clone)]
pub(super) enum EndKind {
    /// Sets the results. `end_mask` receives the lanes that reach the end.
    Arm { results: Vec<LaneVar>, end_mask: Option<LaneVar>, merge: Merge },
    /// Goes to the end of the innermost target.
    Body,
    /// Takes the back edge to `to`, with new parameters.
    Again { params: Vec<LaneVar>, exit: Block },
    /// Ends the body of the function.
    Function,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Merge {
    /// Sets the results in all lanes.
    Set,
    /// Sets the results in active lanes; keeps the other lanes.
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
            empty_ends: Vec::new(),
            turns: 1,
            loops: 0,
            phased: false,
            requested: FxHashSet::default(),
            missing: vec![false],
            targets: Vec::new(),
            ends: Vec::new(),
            state: Vec::new(),
            group_end,
            stopped,
        }
    }
}
