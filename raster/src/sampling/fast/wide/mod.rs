//! Hand-written routines for the commonest states on hosts with AVX2 or AVX-512.
//!
//! They use vectors of 256 or 512 bits, with the host's gathers, permutations and 16-bit floats, and give the bits of
//! the scalar twin. The twin, which a [`Plan`] holds, runs the rounds that they do not support: those with infinite
//! coordinates on cubes.
//!
//! A routine is a function of the texels, the dimensions and the filter, generic over the width. The plan holds the
//! rest of the key; a generated entry of a few instructions passes it to the routine. All functions that the routine
//! calls are inlined into it, because only then are they compiled with the host's features.
//!
//! * [`self`]: supported keys, plans, calls. [`host`]: vectors and their operations, for each width.
//! * [`sample`]: filtered reads; [`coords`]: lods, faces; [`axes`]: levels, texels along axes; [`texels`]: loads and
//!   filters; [`seams`]: filters across the edges of cubes.
//! * [`choice`]: samplers with different filters for magnification and minification; [`access`]: gathers, fetches,
//!   storage reads and writes.
//! * [`measure`]: whether gathers or single loads are faster on this host.
//!
//! All other keys are left to the generated routines of the parent module.

#![cfg(target_arch = "x86_64")]
#![expect(unsafe_code, reason = "vector instructions on rows and texels")]

/// Evaluates an expression for each element of an array of 2 to 4 elements, and returns the results as an array. A
/// closure would not be inlined, because the code that calls closures lacks the features of its caller.
macro_rules! each {
    (2, $x:pat in $from:expr => $e:expr) => {{
        let [a, b] = $from;
        let a = { let $x = a; $e };
        let b = { let $x = b; $e };
        [a, b]
    }};
    (3, $x:pat in $from:expr => $e:expr) => {{
        let [a, b, c] = $from;
        let [a, b] = each!(2, $x in [a, b] => $e);
        let c = { let $x = c; $e };
        [a, b, c]
    }};
    (4, $x:pat in $from:expr => $e:expr) => {{
        let [a, b, c, d] = $from;
        let [a, b] = each!(2, $x in [a, b] => $e);
        let [c, d] = each!(2, $x in [c, d] => $e);
        [a, b, c, d]
    }};
}

/// Repeats the statements for each of the constants: a loop that is certainly unrolled.
macro_rules! unroll {
    ($i:ident in $($n:literal)* => $body:block) => {{ $({ let $i: usize = $n; $body })* }};
}

mod access;
mod axes;
mod choice;
mod coords;
mod host;
mod measure;
mod sample;
mod seams;
#[cfg(test)]
mod tests;
mod texels;

use quadrille_jit::CpuLevel;
use quadrille_jit::abi::{ImageArgs, ImageRoutine, MAX_LANES};
use quadrille_jit::ir::LodMode;
use quadrille_jit::lane::{Kernel, KernelFn, bind_kernel};
use smallvec::SmallVec;

use super::super::state::{AddressMode, CompareOp, Filter, Reduction};
use super::texel::Source;
use super::{FastKey, Kind, Lod};
use crate::memory::format::{FormatInfo, Numeric};
use crate::sampling::View;
use access::{Fetch, Gather, Write};
use choice::Choice;
use host::{Avx2, Avx512, Wide};

/// Four 8-bit UNORM components in a word.
const UNORM8: u8 = 0;
/// Four 8-bit components in a word, three of them sRGB, the last one linear alpha.
const SRGB8: u8 = 1;
/// Four 16-bit floats.
const HALF4: u8 = 2;
/// One 32-bit float.
const FLOAT: u8 = 3;
/// One 32-bit float, compared with a reference.
const SHADOW: u8 = 4;

/// Two dimensions.
const D2: u8 = 2;
/// Three dimensions.
const D3: u8 = 3;
/// Cube maps.
const CUBE: u8 = 6;

/// Wrapping of coordinates outside the image; see [`super::coords`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Address {
    /// Repeat, for sizes that are powers of two.
    RepeatPow2,
    Repeat,
    /// ClampToEdge, for texels whose value does not matter at weight 0.
    ClampWeightless,
    /// ClampToEdge for other texels; only for filters that stay inside.
    ClampInside,
    Clamp,
}

/// The part of a key that a routine reads at run time.
struct Plan {
    /// The scalar twin.
    twin: ImageRoutine,
    address: [Address; 3],
    arrayed: bool,
    /// `true` if linear filters that clamp have offsets in texels.
    offset: bool,
    /// Selection of the level, for views with several levels.
    lod: Option<Lod>,
    compare: CompareOp,
    /// Result row for stored component `i`. Stored components are in the order of their position in the texel.
    rows: [ResultRow; 4],
    /// Constant result rows, and their bits.
    constants: Vec<(ResultRow, u32)>,
    /// For gathers: the stored components that are read.
    components: SmallVec<[u32; 4]>,
    /// For writes: the row for each stored component.
    sources: [usize; 4],
    /// `true` if texels are loaded by the host's gathers.
    gathers: bool,
    /// Maximum number of samples of a footprint.
    anisotropy: Option<f32>,
    /// For samplers with two filters: the routines of both.
    choice: Option<Choice>,
}

type Routine = unsafe extern "C" fn(*mut ImageArgs, *const Plan);

/// A call of a routine.
struct Call<'a> {
    args: &'a mut ImageArgs,
    view: &'a View,
    plan: &'a Plan,
}

impl Call<'_> {
    /// A call with the arguments of an entry.
    ///
    /// # Safety
    /// The arguments must be those of an image operation that nothing else uses, with a live view of the plan's class.
    /// The plan must be valid.
    #[inline(always)]
    unsafe fn new<'a>(args: *mut ImageArgs, plan: *const Plan) -> Call<'a> {
        // SAFETY: the caller promises valid arguments that nothing else uses, the head of a live `View`, which is not
        // part of them, and a valid plan.
        unsafe { Call { view: &*(*args).view.cast::<View>(), args: &mut *args, plan: &*plan } }
    }

    /// True if any of `n` lanes from `first` is active.
    #[inline(always)]
    fn is_any(&self, first: u32, n: u32) -> bool {
        self.args.mask & bits_of(first, n) != 0
    }

    /// Leaves `n` lanes from `first` to the scalar twin.
    #[inline(always)]
    fn leave(&mut self, first: u32, n: u32) {
        // SAFETY: the twin performs every operation on every view.
        unsafe { self.run_for(bits_of(first, n), self.plan.twin) }
    }

    /// Runs a routine for those of `lanes` that are active. A routine of this module may change the results of all other
    /// lanes, the twin only those of groups of eight lanes with active ones.
    ///
    /// # Safety
    /// The routine must be one for the class of the plan.
    #[inline(always)]
    unsafe fn run_for(&mut self, lanes: u32, routine: ImageRoutine) {
        // SAFETY: `new` got valid arguments with a live view of the plan's class, for which the caller promises that
        // the routine is.
        unsafe { run_for(self.args, lanes, routine) }
    }
}

/// Runs a routine for those of `lanes` that are active; see [`Call::run_for`], whose fields thus stay in registers.
///
/// # Safety
/// The arguments must be valid for the routine.
#[cold]
#[inline(never)]
unsafe fn run_for(args: &mut ImageArgs, lanes: u32, routine: ImageRoutine) {
    let mask = args.mask;
    args.mask = mask & lanes;
    // SAFETY: the caller promises arguments that are valid for the routine.
    unsafe { routine(args) }
    args.mask = mask;
}

/// Bits of `n` lanes from `first`; at least one.
fn bits_of(first: u32, n: u32) -> u32 {
    (u32::MAX >> (32 - n)) << first
}

/// A hand-written routine, with the plan whose address its entry contains.
pub struct ByHand {
    entry: Kernel,
    _plan: Box<Plan>,
}

impl ByHand {
    pub fn entry(&self) -> KernelFn {
        self.entry.entry()
    }
}

/// Result row that no reader uses.
const UNUSED: usize = 7;

/// A row of texels in the arguments, by the number of words before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum ResultRow {
    First = 0,
    Second = 32,
    Third = 64,
    Fourth = 96,
    Unused = 224,
}

impl ResultRow {
    /// The rows of a texel's components.
    const ALL: [ResultRow; 4] = [ResultRow::First, ResultRow::Second, ResultRow::Third, ResultRow::Fourth];
}

const _: () = assert!(MAX_LANES == 32 && ResultRow::Unused as usize == UNUSED * MAX_LANES);

fn layout(info: &FormatInfo) -> Option<u8> {
    let bits = info.fields.map(|f| f.bits);
    match info.numeric {
        Numeric::Unorm if info.bytes == 4 && bits == [8; 4] => Some(UNORM8),
        Numeric::Srgb if info.bytes == 4 && bits == [8; 4] && info.fields[3].shift == 24 => Some(SRGB8),
        Numeric::Sfloat if info.bytes == 8 && bits == [16; 4] => Some(HALF4),
        Numeric::Sfloat if info.bytes == 4 && bits == [32, 0, 0, 0] => Some(FLOAT),
        _ => None,
    }
}

/// Returns the hand-written routine of a key, if the key is supported; `twin` is the scalar twin.
pub fn build(k: &FastKey, cpu: CpuLevel, twin: ImageRoutine) -> Option<ByHand> {
    built(k, cpu, twin, measure::gathers_pay(Avx2::new(cpu)?))
}

fn built(k: &FastKey, cpu: CpuLevel, twin: ImageRoutine, gathers: bool) -> Option<ByHand> {
    match Avx512::new(cpu) {
        Some(host) => for_host(k, host, twin, gathers),
        None => for_host(k, Avx2::new(cpu)?, twin, gathers),
    }
}

fn for_host<W: Wide>(k: &FastKey, host: W, twin: ImageRoutine, gathers: bool) -> Option<ByHand> {
    if k.info().block.is_some() {
        return None;
    }
    let mut plan = Plan::new(k, twin, gathers);
    let routine = match k.kind {
        Kind::Sample { mag, min, .. } if mag != min => {
            let of = |filter| for_host(&k.with_filter(filter), host, twin, gathers);
            let (choice, routine) = choice::between(host, k, of(mag)?, of(min)?)?;
            plan.choice = Some(choice);
            routine
        }
        _ => plan.routine(k, host)?,
    };
    let plan = Box::new(plan);
    let entry = bind_kernel(routine as *const (), (&raw const *plan).cast());
    Some(ByHand { entry: entry.ok()?, _plan: plan })
}

/// Position of component `c` among the stored components of a texel.
fn stored(k: &FastKey, c: usize) -> usize {
    let f = k.info().fields[c];
    usize::from(f.shift / f.bits.max(1))
}

impl Plan {
    fn new(k: &FastKey, twin: ImageRoutine, gathers: bool) -> Plan {
        Plan {
            twin,
            address: [Address::Clamp; 3],
            arrayed: k.arrayed,
            offset: k.offset,
            lod: None,
            compare: CompareOp::Always,
            rows: [ResultRow::Unused; 4],
            constants: Vec::new(),
            components: SmallVec::new(),
            sources: [UNUSED; 4],
            gathers,
            anisotropy: None,
            choice: None,
        }
    }

    /// Selects the routine for texels and dimensions, and stores its parameters in the plan.
    fn routine<W: Wide>(&mut self, k: &FastKey, h: W) -> Option<Routine> {
        let texels = layout(k.info())?;
        let dim = match (k.cube, k.axes) {
            (true, _) => CUBE,
            (false, 2) => D2,
            (false, 3) => D3,
            _ => return None,
        };
        Some(match &k.kind {
            Kind::Sample { .. } => self.sample(k, texels, dim, h)?,
            Kind::Gather { count, address, compare: None, .. } if dim == D2 => {
                self.set_address(k, address, Filter::Linear)?;
                for row in 0..usize::from(*count) {
                    let Source::Component(c) = k.source(row) else { return None };
                    self.components.push(stored(k, c) as u32);
                }
                match texels {
                    UNORM8 => h.entry::<Gather<UNORM8>>(),
                    FLOAT => h.entry::<Gather<FLOAT>>(),
                    _ => return None,
                }
            }
            Kind::Fetch { level } if !k.offset && !k.mips && !k.arrayed && !k.samples && dim == D2 => {
                self.set_rows(k)?;
                match (texels, *level) {
                    (UNORM8, false) => h.entry::<Fetch<UNORM8, false>>(),
                    (UNORM8, true) => h.entry::<Fetch<UNORM8, true>>(),
                    (SRGB8, false) => h.entry::<Fetch<SRGB8, false>>(),
                    (SRGB8, true) => h.entry::<Fetch<SRGB8, true>>(),
                    (HALF4, false) => h.entry::<Fetch<HALF4, false>>(),
                    (HALF4, true) => h.entry::<Fetch<HALF4, true>>(),
                    (FLOAT, false) => h.entry::<Fetch<FLOAT, false>>(),
                    (FLOAT, true) => h.entry::<Fetch<FLOAT, true>>(),
                    _ => return None,
                }
            }
            Kind::Write if !k.offset && !k.arrayed && dim == D2 => {
                for c in 0..4 {
                    if k.info().fields[c].bits != 0 {
                        self.sources[stored(k, c)] = c;
                    }
                }
                match texels {
                    UNORM8 => h.entry::<Write<UNORM8>>(),
                    HALF4 => h.entry::<Write<HALF4>>(),
                    FLOAT => h.entry::<Write<FLOAT>>(),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn sample<W: Wide>(&mut self, k: &FastKey, texels: u8, dim: u8, h: W) -> Option<Routine> {
        let Kind::Sample { mag, min, lod, anisotropy, reduction, unnormalized, address, compare, .. } =
            &k.kind
        else {
            return None;
        };
        let footprint = anisotropy.is_some();
        if mag != min
            || *reduction != Reduction::WeightedAverage
            || footprint && !k.mips
            || *unnormalized
            || k.cube && k.arrayed
        {
            return None;
        }
        let texels = match compare {
            Some(op) if texels == FLOAT => {
                self.compare = *op;
                self.rows[0] = ResultRow::First;
                SHADOW
            }
            Some(_) => return None,
            None => {
                self.set_rows(k)?;
                texels
            }
        };
        self.set_address(k, address, *mag)?;
        if k.mips {
            let lod = (*lod)?;
            if lod.min_lod_argument || lod.mode == LodMode::Grad {
                return None;
            }
            self.lod = Some(lod);
            self.anisotropy = anisotropy.map(f32::from_bits);
        }
        let linear = *mag == Filter::Linear;
        sample::routine(h, texels, dim, linear, k.mips, footprint)
    }

    /// Sets the result rows of the components and constants. Returns `None` if several rows show the same component.
    fn set_rows(&mut self, k: &FastKey) -> Option<()> {
        for (row, at) in ResultRow::ALL.into_iter().enumerate() {
            match k.source(row) {
                Source::Component(c) => {
                    let place = &mut self.rows[stored(k, c)];
                    if *place != ResultRow::Unused {
                        return None;
                    }
                    *place = at;
                }
                Source::Zero => self.constants.push((at, 0)),
                Source::One => self.constants.push((at, k.info().one())),
            }
        }
        Some(())
    }

    fn set_address(&mut self, k: &FastKey, modes: &[AddressMode; 3], filter: Filter) -> Option<()> {
        for (to, mode) in self.address.iter_mut().zip(modes).take(k.axes.into()) {
            *to = match mode {
                // Modes that wrap have no offsets.
                AddressMode::ClampToEdge if k.offset && filter == Filter::Linear => Address::Clamp,
                _ if k.offset => return None,
                AddressMode::Repeat if k.pow2 => Address::RepeatPow2,
                AddressMode::Repeat => Address::Repeat,
                AddressMode::ClampToEdge if filter == Filter::Nearest || k.ignores_weightless() => {
                    Address::ClampWeightless
                }
                AddressMode::ClampToEdge if matches!(k.kind, Kind::Sample { .. }) => Address::ClampInside,
                AddressMode::ClampToEdge => Address::Clamp,
                _ => return None,
            };
        }
        Some(())
    }
}
