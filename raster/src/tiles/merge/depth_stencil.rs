//! Emits the code of the depth bounds, stencil and depth tests in merge kernels.
//!
//! Depth is compared in its storage format: floats as floats, and normalized numbers as integers, which have the same
//! order. A kernel serves one face; the choice is left to [`super::kernel`].

use std::mem::offset_of;

use quadrille_jit::abi::{Stamp, stamp_lane};
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::MergeState;
use super::args::Args;
use super::surface::{
    Surface, field, load_narrow, load_words, stamp_fields, store_narrow, store_words, to_pixels, to_quads,
};
use super::texel::{MAGIC, saturate};
use crate::memory::format::Format;
use crate::state::{CompareOp, StencilFace, StencilOp};

/// Storage format of depth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    Float,
    Unorm16,
    /// 24 bits in the low bits of a word.
    Unorm24,
}

impl Code {
    fn of(f: Format) -> Code {
        match f {
            Format::D16_UNORM | Format::D16_UNORM_S8_UINT => Code::Unorm16,
            Format::X8_D24_UNORM_PACK32 | Format::D24_UNORM_S8_UINT => Code::Unorm24,
            _ => Code::Float,
        }
    }

    fn bytes(self) -> u32 {
        if self == Code::Unorm16 { 2 } else { 4 }
    }

    /// Loads texels in quad order, as words.
    fn load(self, b: &mut LaneBuilder, rows: &[Lane]) -> Lane {
        let v = match self {
            Code::Unorm16 => load_narrow(b, 2, rows),
            _ => load_words(b, Ty::I32, rows),
        };
        to_quads(b, v)
    }

    fn store(self, b: &mut LaneBuilder, texels: Lane, rows: &[Lane]) {
        let v = to_pixels(b, texels);
        match self {
            Code::Unorm16 => store_narrow(b, 2, v, rows),
            _ => store_words(b, v, rows),
        }
    }

    /// Encodes a depth value.
    fn encode(self, b: &mut LaneBuilder, z: Lane) -> Lane {
        let z = b.splat(z);
        match self {
            Code::Float => b.bitcast(z, Ty::I32),
            Code::Unorm16 => {
                let z = saturate(b, z);
                let (scale, magic, base) = (b.f32(65535.0), b.f32(MAGIC), b.u32(MAGIC.to_bits()));
                let z = b.fmul(z, scale);
                let z = b.fadd(z, magic);
                let z = b.bitcast(z, Ty::I32);
                b.isub(z, base)
            }
            Code::Unorm24 => {
                // The product is exact; adding 2^52 rounds it to nearest even, into the low word.
                let z = saturate(b, z);
                let z = b.f32_to_f64(z);
                let scale = b.bits(Ty::F64, 16777215f64.to_bits());
                let magic = b.bits(Ty::F64, 2f64.powi(52).to_bits());
                let z = b.fmul(z, scale);
                let z = b.fadd(z, magic);
                let z = b.bitcast(z, Ty::I64);
                b.low_word(z)
            }
        }
    }

    /// The bits of a texel that hold depth.
    fn significant(self, b: &mut LaneBuilder, texel: Lane) -> Lane {
        if self != Code::Unorm24 {
            return texel;
        }
        let mask = b.u32(0xff_ffff);
        b.and(texel, mask)
    }

    /// Decodes a depth value from its bits.
    fn decode(self, b: &mut LaneBuilder, code: Lane) -> Lane {
        match self {
            Code::Float => b.bitcast(code, Ty::F32),
            Code::Unorm16 => {
                let (v, scale) = (b.s32_to_f32(code), b.f32(65535.0));
                b.fdiv(v, scale)
            }
            Code::Unorm24 => {
                let v = b.i32_to_f64(code, true);
                let scale = b.bits(Ty::F64, 16777215f64.to_bits());
                let v = b.fdiv(v, scale);
                b.f64_to_f32(v)
            }
        }
    }

    /// Mask of the lanes where `new op old`.
    fn compare(self, b: &mut LaneBuilder, op: CompareOp, new: Lane, old: Lane) -> Lane {
        if self != Code::Float {
            return compare_words(b, op, new, old);
        }
        let cc = match op {
            CompareOp::Never => return never(b),
            CompareOp::Always => return always(b),
            CompareOp::Less => FCmp::OrdLt,
            CompareOp::Equal => FCmp::OrdEq,
            CompareOp::LessOrEqual => FCmp::OrdLe,
            CompareOp::Greater => FCmp::OrdGt,
            CompareOp::NotEqual => FCmp::UnordNe,
            CompareOp::GreaterOrEqual => FCmp::OrdGe,
        };
        let (new, old) = (b.bitcast(new, Ty::F32), b.bitcast(old, Ty::F32));
        b.fcmp(cc, new, old)
    }
}

fn never(b: &mut LaneBuilder) -> Lane {
    let no = b.bool(false);
    b.splat(no)
}

fn always(b: &mut LaneBuilder) -> Lane {
    let yes = b.bool(true);
    b.splat(yes)
}

fn compare_words(b: &mut LaneBuilder, op: CompareOp, new: Lane, old: Lane) -> Lane {
    let cc = match op {
        CompareOp::Never => return never(b),
        CompareOp::Always => return always(b),
        CompareOp::Less => ICmp::Slt,
        CompareOp::Equal => ICmp::Eq,
        CompareOp::LessOrEqual => ICmp::Sle,
        CompareOp::Greater => ICmp::Sgt,
        CompareOp::NotEqual => ICmp::Ne,
        CompareOp::GreaterOrEqual => ICmp::Sge,
    };
    let hit = b.icmp(cc, new, old);
    b.splat(hit)
}

/// Depth plane and range, loaded once per kernel call.
struct Depth {
    surface: Surface,
    code: Code,
    plane: [Lane; 3],
    origin: [Lane; 2],
    range: [Lane; 2],
    bounds: Option<[Lane; 2]>,
    /// Offset of each lane's pixel centre from the stamp's corner.
    centers: [Lane; 2],
}

impl Depth {
    fn new(b: &mut LaneBuilder, args: Lane, format: Format, bounds: bool) -> Depth {
        let surface = Surface::new(b, args, offset_of!(Args, depth) as i32);
        let mut load = |at: usize| field(b, args, Ty::F32, at);
        let (z, o, r) = (offset_of!(Args, z), offset_of!(Args, origin), offset_of!(Args, depth_range));
        let plane = [load(z), load(z + 4), load(z + 8)];
        let origin = [load(o), load(o + 4)];
        let range = [load(r), load(r + 4)];
        let at = offset_of!(Args, depth_bounds);
        let bounds = bounds.then(|| [load(at), load(at + 4)]);
        let lanes = b.lanes();
        let center = |b: &mut LaneBuilder, c: usize| {
            let words: Vec<u32> = (0..lanes)
                .map(|l| {
                    let (x, y) = stamp_lane(lanes, l);
                    ([x, y][c] as f32 + 0.5).to_bits()
                })
                .collect();
            b.row_const(Ty::F32, &words)
        };
        let centers = [center(b, 0), center(b, 1)];
        Depth { surface, code: Code::of(format), plane, origin, range, bounds, centers }
    }

    /// Depth of each lane of the stamp at (x, y), clamped.
    fn at(&self, b: &mut LaneBuilder, [x, y]: [Lane; 2]) -> Lane {
        let mut steps = [(x, 0), (y, 1)].map(|(at, c)| {
            let at = b.s32_to_f32(at);
            // Exact, because the operands are small integers and one half.
            let px = b.fadd(at, self.centers[c]);
            let d = b.fsub(px, self.origin[c]);
            b.fmul(d, self.plane[c + 1])
        });
        steps[0] = b.fadd(self.plane[0], steps[0]);
        let z = b.fadd(steps[0], steps[1]);
        self.clamp(b, z)
    }

    fn clamp(&self, b: &mut LaneBuilder, z: Lane) -> Lane {
        let z = b.fmax(z, self.range[0]);
        b.fmin(z, self.range[1])
    }
}

/// Stencil face, its masks and reference, loaded once per kernel call.
struct Stencil {
    surface: Surface,
    face: StencilFace,
    compare_mask: Lane,
    write_mask: Lane,
    reference: Lane,
}

impl Stencil {
    fn new(b: &mut LaneBuilder, args: Lane, face: StencilFace) -> Stencil {
        let surface = Surface::new(b, args, offset_of!(Args, stencil) as i32);
        let mut load = |at: usize| field(b, args, Ty::I32, at);
        let compare_mask = load(offset_of!(Args, stencil_compare_mask));
        let write_mask = load(offset_of!(Args, stencil_write_mask));
        let reference = load(offset_of!(Args, stencil_reference));
        Stencil { surface, face, compare_mask, write_mask, reference }
    }

    /// Tests the stamp at `[dx, dy]` in the tile, and updates the lanes in a mask if `write`. Returns the lanes that pass.
    fn test(
        &self,
        b: &mut LaneBuilder,
        [dx, dy]: [Lane; 2],
        reference: Option<Lane>,
        depth_pass: Option<Lane>,
        mask: Lane,
        write: bool,
    ) -> Lane {
        let rows = self.surface.rows(b, dx, dy, 1);
        let old = load_narrow(b, 1, &rows);
        let old = to_quads(b, old);
        let reference = reference.unwrap_or(self.reference);
        let top = b.i32(255);
        let masked = b.and(reference, self.compare_mask);
        let (masked, seen) = (b.and(masked, top), b.and(old, self.compare_mask));
        let pass = compare_words(b, self.face.compare, masked, seen);
        if write && !self.face.keeps() {
            let passed = apply(b, self.face.pass, old, reference);
            let passed = match depth_pass {
                Some(z) => {
                    let failed = apply(b, self.face.depth_fail, old, reference);
                    b.select(z, passed, failed)
                }
                None => passed,
            };
            let failed = apply(b, self.face.fail, old, reference);
            let new = b.select(pass, passed, failed);
            let keep = b.not(self.write_mask);
            let (new, kept) = (b.and(new, self.write_mask), b.and(old, keep));
            let new = b.or(new, kept);
            let lanes = b.mask_from_bits(mask);
            let new = b.select(lanes, new, old);
            let new = to_pixels(b, new);
            store_narrow(b, 1, new, &rows);
        }
        pass
    }
}

fn apply(b: &mut LaneBuilder, op: StencilOp, old: Lane, reference: Lane) -> Lane {
    let (zero, one, top) = (b.i32(0), b.i32(1), b.i32(255));
    match op {
        StencilOp::Keep => old,
        StencilOp::Zero => b.splat(zero),
        StencilOp::Replace => {
            let v = b.and(reference, top);
            b.splat(v)
        }
        StencilOp::IncrementAndClamp => {
            let v = b.iadd(old, one);
            b.smin(v, top)
        }
        StencilOp::DecrementAndClamp => {
            let v = b.isub(old, one);
            b.smax(v, zero)
        }
        StencilOp::Invert => b.xor(old, top),
        StencilOp::IncrementAndWrap => {
            let v = b.iadd(old, one);
            b.and(v, top)
        }
        StencilOp::DecrementAndWrap => {
            let v = b.isub(old, one);
            b.and(v, top)
        }
    }
}

/// Code generator for the tests of a kernel.
pub(super) struct Tests<'a> {
    m: &'a MergeState,
    depth: Option<Depth>,
    stencil: Option<Stencil>,
}

impl<'a> Tests<'a> {
    pub fn new(b: &mut LaneBuilder, args: Lane, m: &'a MergeState) -> Tests<'a> {
        Tests {
            m,
            depth: m.depth_format.map(|f| Depth::new(b, args, f, m.depth_bounds)),
            stencil: m.stencil.map(|[face, _]| Stencil::new(b, args, face)),
        }
    }

    /// The new depth of a stamp at pixel `at`: the shader's output `given`, or else interpolated.
    fn z(&self, b: &mut LaneBuilder, depth: &Depth, at: [Lane; 2], given: Option<Lane>) -> Lane {
        match given {
            Some(z) => depth.clamp(b, z),
            None => depth.at(b, at),
        }
    }

    /// Writes the depth of the lanes in a mask.
    pub fn write_depth(
        &self,
        b: &mut LaneBuilder,
        at: [Lane; 2],
        [dx, dy]: [Lane; 2],
        given: Option<Lane>,
        mask: Lane,
    ) {
        let Some(depth) = &self.depth else { return };
        let z = self.z(b, depth, at, given);
        let rows = depth.surface.rows(b, dx, dy, depth.code.bytes());
        let (old, new) = (depth.code.load(b, &rows), depth.code.encode(b, z));
        let lanes = b.mask_from_bits(mask);
        let new = b.select(lanes, new, old);
        depth.code.store(b, new, &rows);
    }

    /// Tests the lanes in a mask of the stamp at pixel `at`, which is `[dx, dy]` in the tile. Returns the lanes that
    /// pass. `given` and `reference` are the shader's outputs of depth and stencil reference.
    pub fn run(
        &self,
        b: &mut LaneBuilder,
        at: [Lane; 2],
        [dx, dy]: [Lane; 2],
        [given, reference]: [Option<Lane>; 2],
        mask: Lane,
        write: bool,
    ) -> Lane {
        let mut mask = mask;
        // Depth attachment, rows, old texels and new code, if depth is tested.
        let mut tested = None;
        let mut depth_pass = None;
        if let Some(depth) = &self.depth {
            let rows = depth.surface.rows(b, dx, dy, depth.code.bytes());
            let old = depth.code.load(b, &rows);
            let code = depth.code.significant(b, old);
            if let Some([min, max]) = depth.bounds {
                let z = depth.code.decode(b, code);
                let (low, high) = (b.fcmp(FCmp::OrdGe, z, min), b.fcmp(FCmp::OrdLe, z, max));
                let inside = b.and(low, high);
                let bits = b.mask_bits(inside);
                mask = b.and(mask, bits);
            }
            if self.m.depth_test {
                let z = self.z(b, depth, at, given);
                let new = depth.code.encode(b, z);
                depth_pass = Some(depth.code.compare(b, self.m.compare, new, code));
                tested = Some((depth, rows, old, new));
            }
        }
        let stencil_pass =
            self.stencil.as_ref().map(|s| s.test(b, [dx, dy], reference, depth_pass, mask, write));
        let mut left = mask;
        for pass in [stencil_pass, depth_pass].into_iter().flatten() {
            let bits = b.mask_bits(pass);
            left = b.and(left, bits);
        }
        if let Some((depth, rows, old, new)) = tested.filter(|_| write && self.m.depth_write) {
            let zero = b.i32(0);
            let any = b.icmp(ICmp::Ne, left, zero);
            b.if_(any, |b| {
                let lanes = b.mask_from_bits(left);
                let new = b.select(lanes, new, old);
                depth.code.store(b, new, &rows);
            });
        }
        left
    }
}

/// Emits the tests before the fragment stage, which remove stamps without lanes.
pub(super) fn early(b: &mut LaneBuilder, args: Lane, m: &MergeState, write: bool) {
    let stamps = field(b, args, Ty::I64, offset_of!(Args, stamps));
    let count = field(b, args, Ty::I32, offset_of!(Args, count));
    let tests = Tests::new(b, args, m);
    let kept = b.declare(Ty::I32, true);
    let zero = b.i32(0);
    b.set(&kept, zero);
    b.for_range(zero, count, |b, i| {
        let stamp = b.index(stamps, i, size_of::<Stamp>() as u32);
        let (at, rel) = stamp_fields(b, args, stamp);
        let covered = b.load(Ty::I32, stamp, offset_of!(Stamp, mask) as i32);
        let left = tests.run(b, at, rel, [None; 2], covered, write);
        // Remaining stamps move to the front.
        let place = b.get(&kept);
        let to = b.index(stamps, place, size_of::<Stamp>() as u32);
        b.store(at[0], to, offset_of!(Stamp, x) as i32);
        b.store(at[1], to, offset_of!(Stamp, y) as i32);
        b.store(left, to, offset_of!(Stamp, mask) as i32);
        let zero = b.i32(0);
        let any = b.icmp(ICmp::Ne, left, zero);
        let one = b.bool_to_i32(any);
        let next = b.iadd(place, one);
        b.set(&kept, next);
    });
    let n = b.get(&kept);
    b.store(n, args, offset_of!(Args, count) as i32);
}

/// Emits the same tests for one of several samples: stamps stay, with masks of the sample beside them.
pub(super) fn early_of_sample(b: &mut LaneBuilder, args: Lane, m: &MergeState, write: bool) {
    let stamps = field(b, args, Ty::I64, offset_of!(Args, stamps));
    let masks = field(b, args, Ty::I64, offset_of!(Args, masks));
    let count = field(b, args, Ty::I32, offset_of!(Args, count));
    let tests = Tests::new(b, args, m);
    let zero = b.i32(0);
    b.for_range(zero, count, |b, i| {
        let mask_at = b.index(masks, i, 4);
        let covered = b.load(Ty::I32, mask_at, 0);
        let zero = b.i32(0);
        let any = b.icmp(ICmp::Ne, covered, zero);
        b.if_(any, |b| {
            let stamp = b.index(stamps, i, size_of::<Stamp>() as u32);
            let (at, rel) = stamp_fields(b, args, stamp);
            let left = tests.run(b, at, rel, [None; 2], covered, write);
            b.store(left, mask_at, 0);
        });
    });
}
