//! Compiled routines for the common combinations, generated with the lane builder.
//!
//! A [`FastKey`] holds exactly the state that the code of a routine depends on. Routines process eight lanes at a time,
//! loop over the lanes of larger groups, and give the bits of [`super::scalar`].
//!
//! Supported: 1D, 2D, 3D views (and arrays) whose offsets fit in 31 bits, multisampled ones for Fetch only; formats of
//! 1, 2, 4, 8, 12 or 16 bytes with components in 32-bit words; Sample with comparison, footprints, cubes; Gather without
//! four offsets; Fetch; storage Read and Write; texel buffers; size queries. All other combinations are left to the
//! scalar twin.
//!
//! # Levels
//!
//! In views with several levels, lanes may need different levels. The code runs once for each level that occurs, with
//! that level's extents as uniform values, and keeps the lanes that asked for the level: usually a single round.
//! Between levels a round has two passes.
//!
//! * [`self`]: supported combinations, and the loop over groups.
//! * [`lod`]: lods and footprints; [`coords`]: texel coordinates, addresses; [`cube`]: faces.
//! * [`sample`], [`access`]: the operations; [`filter`]: combining the texels of a sample.
//! * [`texel`]: loads, component conversion, stores.
//! * `wide`: hand-written versions of the commonest routines, for 256 and 512 bits.

mod access;
mod coords;
mod cube;
mod filter;
mod lod;
mod sample;
mod texel;
#[cfg(target_arch = "x86_64")]
mod wide;

#[cfg(test)]
mod tests;

use std::mem::offset_of;

use quadrille_jit::abi::{ImageArgs, ImageRoutine, ImageView, MAX_LANES};
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, LodMode, Ty};
use quadrille_jit::lane::{ICmp, Kernel, KernelFn, Lane, LaneBuilder};
use quadrille_jit::{CpuLevel, Result, Tier};

use super::routine::ClassKey;
use super::state::{AddressMode, CompareOp, Filter, Reduction, SamplerState};
use crate::kernels;
use crate::memory::format::{Format, FormatInfo, Numeric, Texel};
use crate::memory::image::Span;
use crate::sampling::{LevelInfo, Swizzle, View, ViewDim};

/// Kind of kernels, for listings and dumps.
pub(super) const KIND: &str = "sampling";
/// Number of lanes per round.
const LANES: u32 = 8;

/// Operation of a routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Sample {
        /// Filter for magnification, where lambda is at most 0.
        mag: Filter,
        /// Filter for minification.
        min: Filter,
        /// Computation of the lod, if anything depends on it.
        lod: Option<Lod>,
        /// Bits of the maximum number of samples of a footprint.
        anisotropy: Option<u32>,
        reduction: Reduction,
        unnormalized: bool,
        address: [AddressMode; 3],
        /// Border texel, as the bytes of a texel; for ClampToBorder only.
        border: u128,
        compare: Option<CompareOp>,
    },
    /// Texels of a linear filter; the components are the first of the key's mapping.
    Gather {
        /// Number of components.
        count: u8,
        address: [AddressMode; 3],
        border: u128,
        compare: Option<CompareOp>,
    },
    /// Texel at integer coordinates; `level` is true if there is a lod argument.
    Fetch {
        level: bool,
    },
    Write,
    /// Extents of the view; `level` is true if there is a lod argument.
    Size {
        level: bool,
    },
}

impl Kind {
    fn address(&self) -> [AddressMode; 3] {
        match self {
            Kind::Sample { address, .. } | Kind::Gather { address, .. } => *address,
            _ => [AddressMode::ClampToEdge; 3],
        }
    }
}

/// Computation of the lod, and selection of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lod {
    /// Filter between levels.
    filter: Filter,
    mode: LodMode,
    min_lod_argument: bool,
    lod_bias: u32,
    min_lod: u32,
    max_lod: u32,
}

/// A compiled routine, with everything that its code refers to.
pub enum Compiled {
    /// Generated code.
    Generated(Kernel),
    /// Hand-written code.
    #[cfg(target_arch = "x86_64")]
    ByHand(wide::ByHand),
}

impl Compiled {
    /// True if the routine is written by hand.
    pub fn by_hand(&self) -> bool {
        !matches!(self, Compiled::Generated(_))
    }

    /// The function, which is valid as long as this value lives.
    pub fn entry(&self) -> KernelFn {
        match self {
            Compiled::Generated(k) => k.entry(),
            #[cfg(target_arch = "x86_64")]
            Compiled::ByHand(w) => w.entry(),
        }
    }
}

/// All state that the code of a routine depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FastKey {
    kind: Kind,
    format: Format,
    swizzle: [Swizzle; 4],
    /// Number of axes with texels: 1 to 3.
    axes: u8,
    arrayed: bool,
    cube: bool,
    /// `true` for multisampled views, of which the operation selects a sample.
    samples: bool,
    /// `true` if the view has several levels.
    mips: bool,
    /// `true` if the extents of all levels are powers of two, and some address mode repeats.
    pow2: bool,
    offset: bool,
}

impl FastKey {
    /// Returns the key of a combination, if it is supported.
    pub fn new(class: &ClassKey, sampler: &SamplerState, op: &ImageOp) -> Option<FastKey> {
        let axes = match (class.dim, op.dim) {
            (ViewDim::D1 | ViewDim::D1Array, ImageDim::D1) | (ViewDim::Buffer, ImageDim::Buffer) => 1,
            (ViewDim::D2 | ViewDim::D2Array, ImageDim::D2 | ImageDim::SubpassData) => 2,
            (ViewDim::D3, ImageDim::D3) => 3,
            (ViewDim::Cube | ViewDim::CubeArray, ImageDim::Cube) => 2,
            _ => return None,
        };
        let info = class.format.info();
        let samples = class.multisampled;
        if class.sparse || !class.small || op.multisampled != samples || !texel::offered(info) {
            return None;
        }
        if samples && op.kind != ImageOpKind::Fetch {
            return None;
        }
        // Other mappings of a comparison's result give constants.
        if op.dref && class.swizzle[0] != Swizzle::R {
            return None;
        }
        let integer = info.numeric.is_integer();
        let cube = op.dim == ImageDim::Cube;
        if cube && (!matches!(op.kind, ImageOpKind::Sample | ImageOpKind::QuerySize) || op.offset) {
            return None;
        }
        let query = matches!(op.kind, ImageOpKind::QuerySize);
        if op.texel == Ty::I64 && !query {
            return None;
        }
        let mut swizzle = class.swizzle;
        let kind = match op.kind {
            ImageOpKind::Sample if sampler.ycbcr.is_some() => return None,
            ImageOpKind::Sample => sample_kind(class, sampler, op, integer)?,
            ImageOpKind::Fetch | ImageOpKind::Gather if class.withheld => return None,
            ImageOpKind::Gather => {
                let mut gathered = [Swizzle::Zero; 4];
                op.gathered().zip(&mut gathered).for_each(|(c, to)| *to = swizzle[usize::from(c)]);
                swizzle = gathered;
                gather_kind(class, sampler, op, integer)?
            }
            ImageOpKind::Fetch => Kind::Fetch {
                level: !samples
                    && op.lod == LodMode::Explicit
                    && matches!(op.dim, ImageDim::D1 | ImageDim::D2 | ImageDim::D3),
            },
            ImageOpKind::Read => Kind::Fetch { level: false },
            ImageOpKind::QuerySize => {
                Kind::Size { level: op.lod == LodMode::Explicit && op.dim != ImageDim::Buffer }
            }
            ImageOpKind::Write if texel::writable(info) => Kind::Write,
            _ => return None,
        };
        let reads_swizzle = !matches!(kind, Kind::Write | Kind::Size { .. }) && !op.dref;
        Some(FastKey {
            kind,
            format: class.format,
            swizzle: if reads_swizzle { swizzle } else { [Swizzle::R; 4] },
            axes,
            arrayed: op.arrayed,
            cube,
            samples,
            mips: class.mips,
            pow2: class.pow2 && kind.address().contains(&AddressMode::Repeat),
            offset: op.offset,
        })
    }

    /// Returns the key with one filter for all lanes.
    #[cfg(target_arch = "x86_64")]
    fn with_filter(&self, filter: Filter) -> FastKey {
        let mut key = *self;
        if let Kind::Sample { mag, min, .. } = &mut key.kind {
            (*mag, *min) = (filter, filter);
        }
        key
    }

    /// True if texels with a weight of 0 do not affect the result: filtered texels with finite values.
    fn ignores_weightless(&self) -> bool {
        use Numeric::*;
        let Kind::Sample { compare, .. } = self.kind else { return false };
        compare.is_some() || matches!(self.info().numeric, Unorm | Snorm | Srgb)
    }

    /// True if coordinates are in texels.
    fn is_unnormalized(&self) -> bool {
        matches!(self.kind, Kind::Sample { unnormalized: true, .. })
    }

    fn info(&self) -> &'static FormatInfo {
        self.format.info()
    }

    /// Returns the hand-written routine or, if there is none, compiles one. It calls `twin` for lanes that it leaves
    /// aside.
    pub fn build(&self, cpu: CpuLevel, tier: Tier, twin: ImageRoutine) -> Result<Compiled> {
        #[cfg(target_arch = "x86_64")]
        if let Some(routine) = wide::build(self, cpu, twin) {
            return Ok(Compiled::ByHand(routine));
        }
        self.generate(cpu, tier, twin).map(Compiled::Generated)
    }

    /// Compiles the routine.
    fn generate(&self, cpu: CpuLevel, tier: Tier, twin: ImageRoutine) -> Result<Kernel> {
        kernels::build(KIND, self, LANES, cpu, tier, |b, args| emit(b, self, args, twin))
    }
}

fn sample_kind(class: &ClassKey, s: &SamplerState, op: &ImageOp, integer: bool) -> Option<Kind> {
    // If the clamp of the lod leaves no choice, one filter serves all lanes.
    let (mag, min) = if integer {
        (Filter::Nearest, Filter::Nearest)
    } else if f32::from_bits(s.max_lod) <= 0.0 {
        (s.mag_filter, s.mag_filter)
    } else if f32::from_bits(s.min_lod) > 0.0 {
        (s.min_filter, s.min_filter)
    } else {
        (s.mag_filter, s.min_filter)
    };
    // Cubic filters are left to the scalar twin.
    if [mag, min].contains(&Filter::Cubic) {
        return None;
    }
    let (address, border, compare) = addressing(class, s, op, integer)?;
    let has_footprint = matches!(op.lod, LodMode::Implicit | LodMode::Bias | LodMode::Grad) && !integer;
    let anisotropy = s.max_anisotropy().filter(|_| has_footprint).map(f32::to_bits);
    let lod = (class.mips || mag != min || anisotropy.is_some()).then_some(Lod {
        filter: if integer { Filter::Nearest } else { s.mipmap_mode },
        // Unnormalized coordinates have lod 0.
        mode: if s.unnormalized { LodMode::Zero } else { op.lod },
        min_lod_argument: op.min_lod,
        lod_bias: s.lod_bias,
        min_lod: s.min_lod,
        max_lod: s.max_lod,
    });
    let reduction = if integer { Reduction::WeightedAverage } else { s.reduction };
    let unnormalized = s.unnormalized;
    if unnormalized && op.lod == LodMode::Bias {
        return None;
    }
    Some(Kind::Sample { mag, min, lod, anisotropy, reduction, unnormalized, address, border, compare })
}

fn gather_kind(class: &ClassKey, s: &SamplerState, op: &ImageOp, integer: bool) -> Option<Kind> {
    if op.offsets4 || op.dim != ImageDim::D2 || s.unnormalized {
        return None;
    }
    let (address, border, compare) = addressing(class, s, op, integer)?;
    Some(Kind::Gather { count: op.components.count_ones() as u8, address, border, compare })
}

/// Address modes, border and comparison, if they are supported.
fn addressing(
    class: &ClassKey,
    s: &SamplerState,
    op: &ImageOp,
    integer: bool,
) -> Option<([AddressMode; 3], u128, Option<CompareOp>)> {
    let wraps = |m: &AddressMode| matches!(m, AddressMode::Repeat | AddressMode::MirroredRepeat);
    // Offsets and unnormalized coordinates may leave the range in which a single step wraps.
    if (op.dim == ImageDim::Cube && s.non_seamless)
        || ((op.offset || s.unnormalized) && s.address.iter().any(wraps))
    {
        return None;
    }
    if op.dref && (s.compare.is_none() || integer) {
        return None;
    }
    // Filters cross the edges of cubes, regardless of the sampler's address modes.
    let address = if op.dim == ImageDim::Cube { [AddressMode::ClampToEdge; 3] } else { s.address };
    let border =
        if address.contains(&AddressMode::ClampToBorder) { border_texel(class.format, s)? } else { 0 };
    Some((address, border, if op.dref { s.compare } else { None }))
}

/// Encodes the border as a texel of the format, if that is possible.
fn border_texel(format: Format, s: &SamplerState) -> Option<u128> {
    use super::state::BorderColor::*;
    let info = format.info();
    let one = info.one();
    let words: Texel = match s.border {
        TransparentBlack => [0; 4],
        OpaqueBlack => [0, 0, 0, one],
        OpaqueWhite => [one; 4],
        Custom(_) => return None,
    };
    Some(info.pack_word(words))
}

/// Values of a round: uniform ones, and some per lane.
#[derive(Clone, Copy)]
struct Group {
    /// Address of the arguments.
    args: Lane,
    /// Address of the arguments, advanced to the eight lanes of the round.
    rows: Lane,
    view: Lane,
    /// Address of the view's memory.
    memory: Lane,
    /// Active lanes of the round.
    mask: Lane,
    /// First lane of the round.
    first: Lane,
    /// Address of the scalar twin.
    twin: Lane,
    /// Bits of the lanes that the current code serves, if they can be fewer than the active ones.
    only: Option<Lane>,
    /// Coordinates that replace those of the arguments.
    coords: Option<[Lane; 3]>,
    /// For cubes: address of two words of lane bits, for filters that cross an edge and for lanes left to the twin.
    edges: Option<Lane>,
    /// For cubes: positions of the lanes on their faces.
    cube: Option<Cube>,
}

/// Positions of lanes on the faces of cubes.
#[derive(Clone, Copy)]
struct Cube {
    /// Normalized coordinates on the face.
    c: [Lane; 2],
    /// Face index in its cube.
    face: Lane,
    /// Byte offset of the face.
    slice: Lane,
}

fn emit(b: &mut LaneBuilder, k: &FastKey, args: Lane, twin: ImageRoutine) {
    // Routines with gathers store only to their arguments, so gathered memory does not change.
    b.gather_steady();
    let twin = b.ptr(twin as *const ());
    let view = b.load(Ty::I64, args, offset_of!(ImageArgs, view) as i32);
    let memory = b.load(Ty::I64, view, (offset_of!(View, memory) + Span::BASE_OFFSET) as i32);
    let mask = b.load(Ty::I32, args, offset_of!(ImageArgs, mask) as i32);
    let lanes = b.load(Ty::I32, args, offset_of!(ImageArgs, lanes) as i32);
    let limit = b.u32(MAX_LANES as u32);
    let lanes = b.umin(lanes, limit);
    let (seven, three, zero) = (b.u32(LANES - 1), b.u32(3), b.u32(0));
    let rounds = b.iadd(lanes, seven);
    let rounds = b.ushr(rounds, three);
    b.for_range(zero, rounds, |b, i| {
        let three = b.u32(3);
        let first = b.shl(i, three);
        let rows = b.index(args, first, 4);
        let low = b.u32(0xff);
        let bits = b.ushr(mask, first);
        let bits = b.and(bits, low);
        let g = Group {
            args,
            rows,
            view,
            memory,
            mask: bits,
            first,
            twin,
            only: None,
            coords: None,
            edges: None,
            cube: None,
        };
        let zero = b.u32(0);
        let any = b.icmp(ICmp::Ne, bits, zero);
        b.if_(any, |b| match k.kind {
            Kind::Sample { .. } => sample::emit(b, k, &g),
            Kind::Gather { count, address, border, compare } => {
                sample::gather(b, k, &g, count, (address, border, compare));
            }
            Kind::Fetch { level } => access::fetch(b, k, &g, level),
            Kind::Write => access::write(b, k, &g),
            Kind::Size { level } => access::size(b, k, &g, level),
        });
    });
}

/// Offset of row `i` of an array of rows of [`ImageArgs`].
fn row_at(field: usize, i: usize) -> i32 {
    (field + i * 4 * MAX_LANES) as i32
}

const COORD: usize = offset_of!(ImageArgs, coord);
const TEXEL: usize = offset_of!(ImageArgs, texel);

impl Group {
    fn row(&self, b: &mut LaneBuilder, ty: Ty, field: usize, i: usize) -> Lane {
        b.load_row(ty, self.rows, row_at(field, i))
    }
    /// A coordinate other than the layer.
    fn coord(&self, b: &mut LaneBuilder, axis: usize) -> Lane {
        match self.coords {
            Some(c) => c[axis],
            None => self.row(b, Ty::F32, COORD, axis),
        }
    }
    fn view_u32(&self, b: &mut LaneBuilder, field: usize) -> Lane {
        b.load(Ty::I32, self.view, (offset_of!(View, head) + field) as i32)
    }
    /// Number of layers; number of cubes for cube arrays.
    fn layers(&self, b: &mut LaneBuilder) -> Lane {
        self.view_u32(b, offset_of!(ImageView, layers))
    }
    /// Number of levels.
    fn levels(&self, b: &mut LaneBuilder) -> Lane {
        self.view_u32(b, offset_of!(ImageView, levels))
    }
    /// Address of the first level's [`LevelInfo`].
    fn level0(&self, b: &mut LaneBuilder) -> Lane {
        b.offset(self.view, offset_of!(View, level) as i64)
    }
    /// Address of the [`LevelInfo`] of a uniform level, which must be below the number of levels.
    fn level(&self, b: &mut LaneBuilder, level: Lane) -> Lane {
        let a = self.level0(b);
        b.index(a, level, size_of::<LevelInfo>() as u32)
    }
    /// Address of a level's first texel.
    fn texels(&self, b: &mut LaneBuilder, level: Lane) -> Lane {
        let offset = b.load(Ty::I64, level, offset_of!(LevelInfo, offset) as i32);
        b.iadd(self.memory, offset)
    }
}

/// Runs `f` for each value of `levels` (I32 lanes) that occurs in an active lane, with the value (uniform) and the bits
/// of the lanes that have it.
fn for_each_level(
    b: &mut LaneBuilder,
    g: &Group,
    levels: Lane,
    f: impl FnOnce(&mut LaneBuilder, Lane, Lane),
) {
    let spilled = b.spill(levels);
    // Starts with the level of lane 0, active or not, because usually all lanes agree.
    let level = b.declare(Ty::I32, true);
    let first = b.extract(levels, 0);
    b.set(&level, first);
    let rest = b.declare(Ty::I32, true);
    let wanted = match g.only {
        Some(only) => b.and(g.mask, only),
        None => g.mask,
    };
    b.set(&rest, wanted);
    let r = rest.clone();
    b.while_loop(
        |b| {
            let (bits, zero) = (b.get(&r), b.u32(0));
            b.icmp(ICmp::Ne, bits, zero)
        },
        |b| {
            let now = b.get(&level);
            let same = b.icmp(ICmp::Eq, levels, now);
            let same = b.mask_bits(same);
            let same = match g.only {
                Some(only) => b.and(same, only),
                None => same,
            };
            f(b, now, same);
            let bits = b.get(&rest);
            let left = b.not(same);
            let left = b.and(bits, left);
            b.set(&rest, left);
            let zero = b.u32(0);
            let more = b.icmp(ICmp::Ne, left, zero);
            b.if_(more, |b| {
                let lane = b.lowest_bit(left);
                let at = b.index(spilled, lane, 4);
                let next = b.load(Ty::I32, at, 0);
                b.set(&level, next);
            });
        },
    );
}

/// Calls `f` without a mask if the lanes of `bits` include all active ones, else with their mask.
fn with_mask(b: &mut LaneBuilder, g: &Group, bits: Lane, f: impl Fn(&mut LaneBuilder, Option<Lane>)) {
    let others = b.not(bits);
    let others = b.and(others, g.mask);
    let zero = b.u32(0);
    let partial = b.icmp(ICmp::Ne, others, zero);
    b.if_else(
        partial,
        |b| {
            let mask = b.mask_from_bits(bits);
            f(b, Some(mask));
        },
        |b| f(b, None),
    );
}

/// True for formats that filters treat as integers 0..255.
fn is_eight_bit(info: &FormatInfo) -> bool {
    info.numeric == Numeric::Unorm && info.fields.iter().all(|f| f.bits == 0 || f.bits == 8)
}

/// Clamps `x`; NaN gives `lo`.
fn clamp(b: &mut LaneBuilder, x: Lane, lo: Lane, hi: Lane) -> Lane {
    let x = b.fmax(x, lo);
    b.fmin(x, hi)
}

/// Converts a float, which is an integer in range, to I32.
fn to_int(b: &mut LaneBuilder, x: Lane) -> Lane {
    let x = b.splat(x);
    b.f32_to_s32_in_range(x)
}
