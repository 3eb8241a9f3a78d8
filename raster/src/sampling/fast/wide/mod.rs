//! Hand-written routines for the commonest states on hosts with AVX2.
//!
//! They use vectors of 256 or 512 bits, with the host's gathers, permutations and 16-bit floats, and give the bits of
//! the scalar twin. The generated routine of the same key, which a [`Plan`] holds, runs rounds with lanes that they do
//! not support. Such lanes have texels of zero weight that affect the result, infinite coordinates on cubes or, with
//! 256 bits, filters across the edges of cubes.
//!
//! A routine is a generic function of the texels, the dimensions and the filter. The plan holds the rest of the key; a
//! generated entry of a few instructions passes it to the routine. All functions that the routine calls are inlined
//! into it, because only then are they compiled with the host's features.
//!
//! * [`self`]: supported keys, plans.
//! * [`sample`]: filtered reads; [`coords`]: lod, texels along axes, faces; [`texels`]: loads and filters.
//! * [`choice`]: samplers with different filters for magnification and minification; [`access`]: gathers, fetches,
//!   storage reads and writes.
//! * [`v4`]: filtered reads on hosts with AVX-512.
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

/// Selects the filtered read for a key of texels, dimensions, filter, and whether levels are chosen by lod. The last
/// parameter of `$sample` is `$several` if they are, else `$one`. Returns `None` for unsupported keys.
macro_rules! filtered_read {
    ($key:expr => $sample:ident, $one:expr, $several:expr) => {
        filtered_read! { $key => $sample, $one, $several;
            UNORM8, D2; UNORM8, D3; UNORM8, CUBE;
            SRGB8, D2; SRGB8, CUBE;
            HALF4, D2; HALF4, D3; HALF4, CUBE;
            FLOAT, D2; FLOAT, D3;
            SHADOW, D2;
        }
    };
    ($key:expr => $sample:ident, $one:expr, $several:expr; $($t:ident, $d:ident;)*) => {
        match $key {
            $(
                ($t, $d, false, false) => $sample::<$t, $d, false, { $one }> as Routine,
                ($t, $d, true, false) => $sample::<$t, $d, true, { $one }>,
                ($t, $d, false, true) => $sample::<$t, $d, false, { $several }>,
                ($t, $d, true, true) => $sample::<$t, $d, true, { $several }>,
            )*
            _ => return None,
        }
    };
}

mod access;
mod choice;
mod coords;
mod measure;
mod sample;
#[cfg(test)]
mod tests;
mod texels;
mod v4;

use quadrille_jit::CpuLevel;
use quadrille_jit::abi::{ImageArgs, ImageRoutine};
use quadrille_jit::ir::LodMode;
use quadrille_jit::lane::{Kernel, KernelFn, bind_kernel};

use super::super::state::{AddressMode, CompareOp, Filter, Reduction};
use super::texel::Source;
use super::{FastKey, Kind, Lod, TEXEL, row_at};
use crate::memory::format::{FormatInfo, Numeric};
use choice::Choice;

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
    /// The generated routine of the same key.
    generated: ImageRoutine,
    address: [Address; 3],
    arrayed: bool,
    /// `true` if linear filters that clamp have offsets in texels.
    offset: bool,
    /// Selection of the level, for views with several levels.
    lod: Option<Lod>,
    compare: CompareOp,
    /// Byte offset in the arguments of the result row for stored component `i`. Stored components are in the order of
    /// their position in the texel.
    rows: [usize; 4],
    /// Constant result rows, as byte offset and bits.
    constants: Vec<(usize, u32)>,
    /// For gathers: the stored component that is read.
    component: u32,
    /// For writes: the byte offset of the row for each stored component.
    sources: [usize; 4],
    /// `true` if texels are loaded by the host's gathers.
    gathers: bool,
    /// Maximum number of samples of a footprint.
    anisotropy: Option<f32>,
}

type Routine = unsafe extern "C" fn(*mut ImageArgs, *const Plan);

/// Bits of `n` lanes from `first`.
fn bits_of(first: u32, n: u32) -> u32 {
    ((1 << n) - 1) << first
}

/// True if any of `n` lanes from `first` is active.
///
/// # Safety
/// `args` must point to valid arguments.
#[inline(always)]
unsafe fn is_any(args: *const ImageArgs, first: u32, n: u32) -> bool {
    // SAFETY: the caller promises that `args` points to valid arguments.
    unsafe { (*args).mask & bits_of(first, n) != 0 }
}

/// Runs a routine for those of `lanes` that are active.
///
/// # Safety
/// The arguments must be those of an image operation that nothing else uses, with a live view of the routine's class.
unsafe fn run_for(lanes: u32, routine: ImageRoutine, args: *mut ImageArgs) {
    // SAFETY: the caller promises valid arguments with a view of the routine's class. The routine changes only the
    // results of rounds of eight lanes with active ones.
    unsafe {
        let mask = (*args).mask;
        (*args).mask = mask & lanes;
        routine(args);
        (*args).mask = mask;
    }
}

/// A wide routine, with everything that it refers to.
pub struct Wide {
    entry: Kernel,
    _refers_to: Refers,
}

/// Owners of the memory whose address the entry of a routine contains.
enum Refers {
    Plan { _plan: Box<Plan>, _generated: Kernel },
    Choice { _choice: Box<Choice> },
}

impl Wide {
    pub fn entry(&self) -> KernelFn {
        self.entry.entry()
    }
}

/// Result row that no reader uses.
const UNUSED: usize = 7;

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

/// Returns the wide routine of a key, if the key is supported; `generated` is the generated routine of the key.
pub fn build(k: &FastKey, cpu: CpuLevel, generated: &Kernel) -> Option<Wide> {
    built(k, cpu, generated, is_able(cpu) && measure::gathers_pay())
}

fn built(k: &FastKey, cpu: CpuLevel, generated: &Kernel, gathers: bool) -> Option<Wide> {
    if !is_able(cpu) || k.info().block.is_some() {
        return None;
    }
    if let Kind::Sample { mag, min, .. } = k.kind
        && mag != min
    {
        let of = |filter| built(&k.with_filter(filter), cpu, generated, gathers);
        return choice::between(k, of(mag)?, of(min)?);
    }
    let texels = layout(k.info())?;
    let dim = match (k.cube, k.axes) {
        (true, _) => CUBE,
        (false, 2) => D2,
        (false, 3) => D3,
        _ => return None,
    };
    let mut plan = Plan::new(k, generated, gathers);
    let routine = plan.routine(k, texels, dim, v4::is_able(cpu))?;
    let plan = Box::new(plan);
    let entry = bind_kernel(routine as *const (), (&raw const *plan).cast());
    let refers = Refers::Plan { _plan: plan, _generated: generated.clone() };
    Some(Wide { entry: entry.ok()?, _refers_to: refers })
}

fn is_able(cpu: CpuLevel) -> bool {
    cpu.has_fma() && std::arch::is_x86_feature_detected!("f16c")
}

/// Position of component `c` among the stored components of a texel.
fn stored(k: &FastKey, c: usize) -> usize {
    let f = k.info().fields[c];
    usize::from(f.shift / f.bits.max(1))
}

impl Plan {
    fn new(k: &FastKey, generated: &Kernel, gathers: bool) -> Plan {
        Plan {
            generated: crate::sampling::routine::routine_of(generated.entry()),
            address: [Address::Clamp; 3],
            arrayed: k.arrayed,
            offset: k.offset,
            lod: None,
            compare: CompareOp::Always,
            rows: [row_at(TEXEL, UNUSED) as usize; 4],
            constants: Vec::new(),
            component: 0,
            sources: [row_at(TEXEL, UNUSED) as usize; 4],
            gathers,
            anisotropy: None,
        }
    }

    /// Selects the routine for texels and dimensions, and stores its parameters in the plan.
    fn routine(&mut self, k: &FastKey, texels: u8, dim: u8, v4: bool) -> Option<Routine> {
        Some(match &k.kind {
            Kind::Sample { .. } => self.sample(k, texels, dim, v4)?,
            Kind::Gather { address, compare: None, .. } if dim == D2 => {
                self.set_address(k, address, Filter::Linear)?;
                let Source::Component(c) = k.source(0) else { return None };
                self.component = stored(k, c) as u32;
                match (texels, v4) {
                    (UNORM8, false) => access::gather::<UNORM8>,
                    (FLOAT, false) => access::gather::<FLOAT>,
                    (UNORM8, true) if k.offset => v4::access::gather::<UNORM8, true>,
                    (UNORM8, true) => v4::access::gather::<UNORM8, false>,
                    (FLOAT, true) if k.offset => v4::access::gather::<FLOAT, true>,
                    (FLOAT, true) => v4::access::gather::<FLOAT, false>,
                    _ => return None,
                }
            }
            Kind::Fetch { level } if !k.offset && !k.mips && !k.arrayed && !k.samples && dim == D2 => {
                self.set_rows(k)?;
                macro_rules! pick {
                    ($($t:ident)*) => {
                        match (texels, *level, v4) {
                            $(
                                ($t, false, false) => access::fetch::<$t, false>,
                                ($t, true, false) => access::fetch::<$t, true>,
                                ($t, false, true) => v4::access::fetch::<$t, false>,
                                ($t, true, true) => v4::access::fetch::<$t, true>,
                            )*
                            _ => return None,
                        }
                    };
                }
                pick! { UNORM8 SRGB8 HALF4 FLOAT }
            }
            Kind::Write if !k.offset && !k.arrayed && dim == D2 => {
                for c in 0..4 {
                    if k.info().fields[c].bits != 0 {
                        self.sources[stored(k, c)] = row_at(TEXEL, c) as usize;
                    }
                }
                match texels {
                    UNORM8 => access::write::<UNORM8>,
                    HALF4 => access::write::<HALF4>,
                    FLOAT => access::write::<FLOAT>,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn sample(&mut self, k: &FastKey, texels: u8, dim: u8, v4: bool) -> Option<Routine> {
        let Kind::Sample { mag, min, lod, anisotropy, reduction, unnormalized, address, compare, .. } =
            &k.kind
        else {
            return None;
        };
        let footprint = anisotropy.is_some();
        if mag != min
            || *reduction != Reduction::WeightedAverage
            || footprint && !(v4 && k.mips)
            || *unnormalized
            || k.cube && k.arrayed
        {
            return None;
        }
        let texels = match compare {
            Some(op) if texels == FLOAT => {
                self.compare = *op;
                self.rows[0] = row_at(TEXEL, 0) as usize;
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
        match v4 {
            true => v4::routine(texels, dim, linear, k.mips, footprint),
            false => sample::routine(texels, dim, linear, k.mips),
        }
    }

    /// Sets the result rows of the components and constants. Returns `None` if several rows show the same component.
    fn set_rows(&mut self, k: &FastKey) -> Option<()> {
        for row in 0..4 {
            let at = row_at(TEXEL, row) as usize;
            match k.source(row) {
                Source::Component(c) => {
                    let place = &mut self.rows[stored(k, c)];
                    if *place != row_at(TEXEL, UNUSED) as usize {
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
