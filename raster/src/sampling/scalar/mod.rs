//! The slow twin: performs every image operation on any view with any sampler, one lane after the other.
//!
//! It follows the specification step by step, and faster routines are tested against it. The code is safe: all memory
//! accesses are checked. Only result rows of the operation and lanes of the mask are written. Combinations for which
//! speed matters are left to `fast`.

mod access;
mod query;
mod sample;
mod ycbcr;

use std::cell::Cell;

use quadrille_jit::abi::{ImageArgs, MAX_LANES};
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind};

use super::coords::normalize8;
use super::routine::ClassKey;
use super::state::{BorderColor, SamplerState};
use crate::memory::format::{Format, FormatInfo, Numeric, Texel, compressed};
use crate::sampling::{LevelInfo, Swizzle, View};

/// Bits of 1.0.
const ONE_F32: u32 = 0x3f80_0000;

/// State of one call.
struct Call<'a> {
    view: &'a View,
    key: &'a ClassKey,
    op: &'a ImageOp,
    sampler: &'a SamplerState,
    /// Format of the texels, after decoding of blocks.
    info: &'static FormatInfo,
    /// Format in memory.
    stored: &'static FormatInfo,
    /// `true` if texels are filtered as integers in units of 1/255.
    eight_bit: bool,
    /// `true` if the current lane accessed a missing texel.
    missing: Cell<bool>,
    /// Number of bytes read.
    read: Cell<u64>,
}

/// A texel's address within a view: level, slice (layer or face), sample and coordinates.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    level: u32,
    slice: u32,
    sample: u32,
    x: i32,
    y: i32,
    z: i32,
}

/// True for formats that filters treat as integers 0..255.
pub fn is_eight_bit(format: Format) -> bool {
    let info = format.info();
    info.numeric == Numeric::Unorm && info.fields.iter().all(|f| f.bits == 0 || f.bits == 8)
}

/// Performs an operation.
pub fn run(view: &View, key: &ClassKey, op: &ImageOp, sampler: &SamplerState, args: &mut ImageArgs) {
    Call::new(view, key, op, sampler).run(args);
}

/// Number of bytes of texels that an operation reads and writes. Each access of a filter or lane counts; compressed
/// texels count by the block. Nothing is written. `args` may hold results already.
pub fn traffic(
    view: &View,
    key: &ClassKey,
    op: &ImageOp,
    sampler: &SamplerState,
    args: &ImageArgs,
) -> [u64; 2] {
    let call = Call::new(view, key, op, sampler);
    let there = || {
        let places = lanes(args).map(|lane| call.integer_place(args, lane));
        places.filter(|p| call.written(*p).is_some()).count() as u64 * u64::from(call.info.bytes)
    };
    match op.kind {
        ImageOpKind::Sample | ImageOpKind::Gather | ImageOpKind::Fetch | ImageOpKind::Read => {
            call.run(&mut args.clone());
            [call.read.get(), 0]
        }
        ImageOpKind::Write => [0, there()],
        ImageOpKind::Atomic(_) => [there(); 2],
        ImageOpKind::QuerySize
        | ImageOpKind::QueryLevels
        | ImageOpKind::QuerySamples
        | ImageOpKind::QueryLod => [0; 2],
    }
}

impl<'a> Call<'a> {
    fn new(view: &'a View, key: &'a ClassKey, op: &'a ImageOp, sampler: &'a SamplerState) -> Call<'a> {
        let (stored, format) = (key.format.info(), key.format.decoded());
        Call {
            view,
            key,
            op,
            sampler,
            info: format.info(),
            stored,
            eight_bit: is_eight_bit(format),
            missing: Cell::default(),
            read: Cell::default(),
        }
    }

    fn run(&self, args: &mut ImageArgs) {
        match self.op.kind {
            ImageOpKind::Sample | ImageOpKind::Gather | ImageOpKind::QueryLod => self.sampled(args),
            ImageOpKind::Fetch => self.fetch(args),
            ImageOpKind::Read => self.read(args),
            ImageOpKind::Write => self.write(args),
            ImageOpKind::Atomic(a) => self.atomic(args, a),
            ImageOpKind::QuerySize => self.query_size(args),
            ImageOpKind::QueryLevels => self.query_word(args, self.view.head.levels),
            ImageOpKind::QuerySamples => self.query_word(args, self.view.head.samples),
        }
    }
}

/// Writes the results of the null view: zeros in the result rows of the lanes of the mask. Other lanes keep their
/// words: for a write, these are the texels that a later call, for another descriptor, stores.
pub fn write_zeros(args: &mut ImageArgs) {
    let mask = args.mask;
    for row in &mut args.texel {
        for (lane, word) in row.iter_mut().enumerate() {
            *word = if mask >> lane & 1 != 0 { 0 } else { *word };
        }
    }
}

/// Lanes of the mask, in ascending order.
fn lanes(args: &ImageArgs) -> impl Iterator<Item = usize> + use<> {
    let n = args.lanes.min(MAX_LANES as u32);
    let mask = args.mask;
    (0..n).filter(move |i| mask >> i & 1 != 0).map(|i| i as usize)
}

/// Reads a lane of a row as a float.
fn float(row: &[u32; MAX_LANES], lane: usize) -> f32 {
    f32::from_bits(row[lane])
}

impl Call<'_> {
    fn level(&self, level: u32) -> &LevelInfo {
        &self.view.level[(level as usize).min(self.view.level.len() - 1)]
    }

    /// Byte offset of a texel; `None` if it does not exist.
    fn offset(&self, mut p: Place) -> Option<u64> {
        let l = self.level(p.level);
        // An image stored with one sample may be rendered to with several; reads treat it as if it stored them all.
        if self.view.head.samples == 1 {
            p.sample = 0;
        }
        let inside = |v: i32, n: u32| v >= 0 && (v as u32) < n;
        let ok = p.level < self.view.head.levels
            && p.slice < self.view.slices
            && p.sample < self.view.head.samples
            && inside(p.x, l.width)
            && inside(p.y, l.height)
            && inside(p.z, l.depth);
        let [bw, bh, bd] = self.stored.format.block();
        ok.then(|| {
            l.offset
                + u64::from(p.slice) * self.view.layer_pitch
                + u64::from(p.sample) * l.sample_pitch
                + u64::from(p.z as u32 / bd) * l.slice_pitch
                + u64::from(p.y as u32 / bh) * u64::from(l.row_pitch)
                + u64::from(p.x as u32 / bw) * u64::from(self.stored.bytes)
        })
    }

    /// Returns whether the page of an existing texel is resident.
    fn is_resident(&self, p: Place) -> bool {
        !self.key.sparse || self.view.is_resident(p.level, p.slice, [p.x as u32, p.y as u32, p.z as u32])
    }

    /// Byte offset of a texel for writing; `None` if the texel does not exist, or its page is missing.
    fn written(&self, p: Place) -> Option<u64> {
        self.offset(p).filter(|_| self.is_resident(p))
    }

    /// Stores in the residency row whether a texel that a lane read was missing, and resets the flag.
    fn tell(&self, args: &mut ImageArgs, lane: usize) {
        args.residency[lane] = self.missing.take().into();
    }

    fn count(&self, bytes: u32) {
        self.read.set(self.read.get() + u64::from(bytes));
    }

    /// Reads the texel's word; `None` if the texel does not exist.
    fn word(&self, p: Place) -> Option<u128> {
        let offset = self.offset(p)?;
        if !self.is_resident(p) {
            self.missing.set(true);
            return Some(0);
        }
        self.count(self.stored.bytes);
        let word = self.view.memory.read_texel(offset, self.stored.bytes);
        if self.stored.block.is_none() {
            return Some(word);
        }
        let (at, block) = ([p.x, p.y, p.z], self.stored.format.block());
        let inside = std::array::from_fn(|c| at[c] as u32 % block[c]);
        Some(compressed::texel(self.stored, word, inside).into())
    }

    /// Components of a word in the domain of filters: floats, in units of 1/255 for 8-bit formats.
    fn filter_value(&self, word: u128) -> [f32; 4] {
        if !self.eight_bit {
            return self.info.unpack_word(word).map(f32::from_bits);
        }
        let mut out = [0.0, 0.0, 0.0, 255.0];
        for (c, f) in self.info.fields.iter().enumerate() {
            if f.bits != 0 {
                out[c] = ((word >> f.shift) & 255) as f32;
            }
        }
        out
    }

    /// Converts from the domain of filters to words of the result.
    fn filter_result(&self, v: [f32; 4]) -> Texel {
        if self.eight_bit { v.map(|x| normalize8(x).to_bits()) } else { v.map(f32::to_bits) }
    }

    /// The border's components: the border colour for components that the format has, else those of missing components.
    fn border(&self) -> Texel {
        let one = self.info.one();
        let colour = match self.sampler.border {
            BorderColor::TransparentBlack => [0; 4],
            BorderColor::OpaqueBlack => [0, 0, 0, one],
            BorderColor::OpaqueWhite => [one; 4],
            BorderColor::Custom(words) => words,
        };
        let missing = [0, 0, 0, one];
        let present = |c: usize| self.info.fields[c].bits != 0;
        std::array::from_fn(|c| if present(c) { colour[c] } else { missing[c] })
    }

    /// [`Self::border`] in the domain of filters.
    fn border_filter_value(&self) -> [f32; 4] {
        let b = self.border().map(f32::from_bits);
        if self.eight_bit { b.map(|x| x * 255.0) } else { b }
    }

    /// Result of reads outside the image: zero in the components that the format has.
    fn outside(&self) -> Texel {
        let missing = [0, 0, 0, self.info.one()];
        std::array::from_fn(|c| if self.info.fields[c].bits != 0 { 0 } else { missing[c] })
    }

    fn swizzled(&self, t: Texel) -> Texel {
        self.key.swizzle.map(|s| self.pick(t, s))
    }

    fn pick(&self, t: Texel, s: Swizzle) -> u32 {
        match s {
            Swizzle::Zero | Swizzle::Identity => 0,
            Swizzle::One if self.info.numeric.is_integer() => 1,
            Swizzle::One => ONE_F32,
            Swizzle::R => t[0],
            Swizzle::G => t[1],
            Swizzle::B => t[2],
            Swizzle::A => t[3],
        }
    }

    /// Number of coordinates, without the layer.
    fn n_coords(&self) -> usize {
        self.op.dim.coords() as usize
    }

    fn is_cube(&self) -> bool {
        self.op.dim == ImageDim::Cube
    }
}

fn put(args: &mut ImageArgs, lane: usize, row: usize, t: Texel) {
    for (c, word) in t.into_iter().enumerate() {
        args.texel[row + c][lane] = word;
    }
}
