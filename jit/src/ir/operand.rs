//! Static operands of operations: kinds of atomic, group and image operations.
//!
//! The rows of [`super::op`] state which operation has which operand; [`super::Imm`] holds it.

use super::{Op, Ty};

/// Atomic read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the SPIR-V specification")]
pub enum AtomicOp {
    Load,
    Store,
    Exchange,
    CompareExchange,
    IAdd,
    ISub,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    FAdd,
    FMin,
    FMax,
}

/// Operations across the invocations of a group. The value comes first, then the operation's other arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOp {
    /// () -> Bool: true for the lowest active lane.
    Elect,
    /// (Bool) -> Bool: true if it is true in all active lanes.
    All,
    /// (Bool) -> Bool: true if it is true in any active lane.
    Any,
    /// (Bool) -> Bool: as `Any`, where results do not depend on it: passes choose between equal ways with it, so that a
    /// shader does not observe its lane groups by it.
    Anywhere,
    /// (any) -> Bool: true if all active lanes have the same value.
    AllEqual,
    /// (any, I32 lane) -> any; inactive lane: 0.
    Broadcast,
    /// (any) -> any: value of the lowest active lane.
    BroadcastFirst,
    /// (Bool) -> 4 x I32: one bit per active lane in which it is true.
    Ballot,
    /// (any, I32 lane) -> any; inactive or out of range: 0.
    Shuffle,
    /// (any, I32 mask) -> any.
    ShuffleXor,
    /// (any, I32 delta) -> any.
    ShuffleUp,
    /// (any, I32 delta) -> any.
    ShuffleDown,
    /// (number) -> number over all active lanes.
    Reduce(Reduction),
    /// (number) -> number over active lanes up to and including this one.
    InclusiveScan(Reduction),
    /// (number) -> number over active lanes before this one; identity for the first.
    ExclusiveScan(Reduction),
    /// (number) -> number over the active lanes of each cluster of this size.
    Clustered(Reduction, u32),
    /// (any, I32 index) -> any: lane of the quad, modulo 4.
    QuadBroadcast,
    /// (any) -> any: swap in x (0), y (1) or both (2).
    QuadSwap(u32),
    /// (any) -> I32: one bit per active lane with the same value, always including this lane.
    Partition,
    /// (number, I32 lanes) -> number over the active lanes whose bits are set in this lane's mask.
    Masked(Reduction),
}

/// Associative operations of reductions and scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the SPIR-V specification")]
pub enum Reduction {
    IAdd,
    FAdd,
    IMul,
    FMul,
    SMin,
    UMin,
    FMin,
    SMax,
    UMax,
    FMax,
    And,
    Or,
    Xor,
}

impl Reduction {
    /// Every reduction, in the order of their numbers.
    pub const ALL: [Reduction; 13] = [
        Reduction::IAdd,
        Reduction::FAdd,
        Reduction::IMul,
        Reduction::FMul,
        Reduction::SMin,
        Reduction::UMin,
        Reduction::FMin,
        Reduction::SMax,
        Reduction::UMax,
        Reduction::FMax,
        Reduction::And,
        Reduction::Or,
        Reduction::Xor,
    ];

    /// The operation that combines two values.
    pub fn op(self) -> Op {
        match self {
            Reduction::IAdd => Op::IAdd,
            Reduction::FAdd => Op::FAdd,
            Reduction::IMul => Op::IMul,
            Reduction::FMul => Op::FMul,
            Reduction::SMin => Op::SMin,
            Reduction::UMin => Op::UMin,
            Reduction::FMin => Op::NMin,
            Reduction::SMax => Op::SMax,
            Reduction::UMax => Op::UMax,
            Reduction::FMax => Op::NMax,
            Reduction::And => Op::And,
            Reduction::Or => Op::Or,
            Reduction::Xor => Op::Xor,
        }
    }
}

/// Dimensionality of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the SPIR-V specification")]
pub enum ImageDim {
    D1,
    D2,
    D3,
    Cube,
    Buffer,
    SubpassData,
}

impl ImageDim {
    /// Coordinates without the array layer.
    pub fn coords(self) -> u32 {
        match self {
            ImageDim::D1 | ImageDim::Buffer => 1,
            ImageDim::D2 | ImageDim::SubpassData => 2,
            ImageDim::D3 | ImageDim::Cube => 3,
        }
    }
}

/// Source of a sampling operation's level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LodMode {
    /// From the differences of the coordinates in the quad.
    Implicit,
    /// Implicit plus a bias argument.
    Bias,
    /// Given by an argument.
    Explicit,
    /// From given gradients.
    Grad,
    /// Level 0 (fetch and gather without a lod operand).
    Zero,
}

/// Kind of an image operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageOpKind {
    /// Filtered read with float coordinates.
    Sample,
    /// Four texels of one component that a linear filter would use.
    Gather,
    /// One texel at integer coordinates.
    Fetch,
    /// One texel of a storage image.
    Read,
    /// Store a texel (op [`Op::ImageWrite`]).
    Write,
    /// Atomic on a texel (op [`Op::ImageWrite`], one result).
    Atomic(AtomicOp),
    /// Width, height, depth and layers at a level (argument I32 lod unless buffer or multisampled): as many I32 results
    /// as the image has dimensions, layers last.
    QuerySize,
    /// Number of levels: one I32.
    QueryLevels,
    /// Number of samples: one I32.
    QuerySamples,
    /// Level that would be accessed, and the computed lod: two F32.
    QueryLod,
}

/// Static part of an image operation. Devices intern operations by this key, so it does not depend on the image's
/// format or the sampler's state.
///
/// Arguments of the instruction, in this order, each present as the fields state: Image; coordinates (`dim.coords()`
/// scalars, then the layer if `arrayed`; F32 for Sample, Gather and QueryLod, else I32; already divided by a projective
/// divisor); the reference if `dref` (F32); bias or lod (F32, or I32 for Fetch and QuerySize); gradients dx then dy
/// (`dim.coords()` F32 each); minimum lod if `min_lod` (F32); offsets if `offset` (I32 each, `dim.coords()` of them;
/// for Gather with `offsets4`, 4 times 2); sample index if `multisampled` (I32); texel to store (4 scalars of `texel`),
/// or the operands of an atomic. The components of a Gather are not arguments, but `components`.
///
/// Results: 4 scalars of `texel`, or 1 if `dref` (except Gather: 4 for each component), an atomic or a query as above.
///
/// Up to [`ImageOp::MOST_JOINED`] reads of one image may be one instruction ([`ImageOp::is_joinable`]): the arguments
/// after the image, and the results, then occur once per read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageOp {
    /// Kind of the operation.
    pub kind: ImageOpKind,
    /// Image dimensionality.
    pub dim: ImageDim,
    /// True if the image has layers.
    pub arrayed: bool,
    /// True if the image is multisampled.
    pub multisampled: bool,
    /// True for depth comparison.
    pub dref: bool,
    /// Source of the level of detail.
    pub lod: LodMode,
    /// True if there is a minimum lod argument.
    pub min_lod: bool,
    /// True if there are offset arguments.
    pub offset: bool,
    /// True if there are four gather offsets.
    pub offsets4: bool,
    /// Gather: the components, as a mask of bits 0 to 3. Results are in ascending order of the components. With `dref`,
    /// there is one.
    pub components: u8,
    /// Type of the texel's scalars: F32, I32 (see `signed`), I64, F16.
    pub texel: Ty,
    /// True if integer texels are signed.
    pub signed: bool,
    /// True if the last result is a residency code: 0 if all texels that were read are resident.
    pub residency: bool,
}

impl ImageOp {
    /// Maximum number of reads in one instruction.
    pub const MOST_JOINED: usize = 4;

    /// Returns true if several such operations may be one instruction: it only reads texels of at most 32 bits per
    /// component.
    pub fn is_joinable(&self) -> bool {
        use ImageOpKind::{Fetch, Gather, Read, Sample};
        matches!(self.kind, Sample | Gather | Fetch | Read) && self.texel != Ty::I64 && !self.residency
    }

    /// Number of results of each read of texels.
    pub fn texel_results(&self) -> usize {
        match self.kind {
            ImageOpKind::Gather => 4 * self.components.count_ones() as usize,
            _ if self.dref => 1,
            _ => 4,
        }
    }

    /// Returns true if this is a gather of component `c`, perhaps among others.
    pub fn gathers(&self, c: u8) -> bool {
        self.components >> c & 1 != 0
    }

    /// Components of a gather, in ascending order.
    pub fn gathered(self) -> impl Iterator<Item = u8> {
        (0..4).filter(move |&c| self.gathers(c))
    }

    /// Returns true if this is a gather to which components can be added.
    pub fn gathers_more(&self) -> bool {
        self.kind == ImageOpKind::Gather && !self.dref && self.is_joinable() && self.components != 0xf
    }

    /// Returns true if the operations differ in nothing but the components that they gather.
    fn is_but_for_components(&self, other: &ImageOp) -> bool {
        ImageOp { components: self.components, ..*other } == *self
    }

    /// Returns true if `other` gathers other components of the same texels, so that one gather can read them all.
    pub fn gathers_beside(&self, other: &ImageOp) -> bool {
        self.gathers_more() && self.is_but_for_components(other) && self.components & other.components == 0
    }

    /// Components that both gathers have if they become one instruction: those of either one, if they differ in nothing
    /// but some components that the other lacks.
    pub fn gathered_with(&self, other: &ImageOp) -> Option<u8> {
        let all = self.components | other.components;
        let either = [self.components, other.components].contains(&all);
        (either && self.is_but_for_components(other)).then_some(all)
    }

    /// Number of reads of an instruction with `results` results.
    pub fn reads(&self, results: usize) -> usize {
        if self.is_joinable() { results / self.texel_results() } else { 1 }
    }
}
