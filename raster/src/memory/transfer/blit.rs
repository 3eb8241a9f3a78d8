//! Blits: scaled and converted copies.
//!
//! Linear blits use the samplers' rule: coordinates are rounded to 1/256 texel and clamped to the edge of the source
//! level. Texels are filtered along x, then y, then z in `f32` (RGBA8 UNORM to itself: exactly, in integers). Cubic blits
//! filter along x, then y.
//! Conversion of rows is left to `rows`.
//!
//! Spec: Vulkan, "Image Copies With Scaling" (copies-imagescaling).

use std::ops::Range;

use quadrille_jit::error::{Error, Result};

use super::copy::single_aspects;
use super::{ImageRef, Plane, Runner, SubresourceLayers, decode, for_each_range, must, rows};
use crate::memory::filter::{Filter, cubic, lerp, linear, weighted};
use crate::memory::format::{Aspects, Format, FormatFeatures, Numeric, Texel};

/// Bytes of decoded texels that a blit from a compressed image keeps at once, unless one slice of the destination needs
/// more.
const AT_ONCE: u64 = if cfg!(test) { 1 << 10 } else { 64 << 20 };

/// Region of a blit, with two corners on each side, in any order. Spec: `VkImageBlit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageBlit {
    /// Source subresource.
    pub src: SubresourceLayers,
    /// Corners of the source region.
    pub src_offsets: [[i32; 3]; 2],
    /// Destination subresource.
    pub dst: SubresourceLayers,
    /// Corners of the destination region.
    pub dst_offsets: [[i32; 3]; 2],
}

/// Source texels, and weight (1/256) of the second, for a destination coordinate along one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tap {
    pub i: [u32; 2],
    pub w: u32,
}

/// Taps of the destination's coordinates along one axis, in ascending order.
pub(super) fn taps(src: [i32; 2], dst: [i32; 2], size: u32, filter: Filter) -> Vec<Tap> {
    let (d0, d1) = (dst[0].min(dst[1]), dst[0].max(dst[1]));
    // The source coordinate is `part / whole` past the first corner. A coordinate between two texels belongs to the
    // second.
    let (sign, whole) = if dst[1] < dst[0] { (-1, dst[0] - dst[1]) } else { (1, dst[1] - dst[0]) };
    let whole = i64::from(whole) * 2;
    let last = size as i32 - 1;
    (d0..d1)
        .map(|d| {
            let part = i64::from(2 * (d - dst[0]) + 1) * i64::from(src[1] - src[0]) * sign;
            match filter {
                Filter::Nearest => {
                    let i = (part.div_euclid(whole) + i64::from(src[0])).clamp(0, last.into()) as u32;
                    Tap { i: [i, i], w: 0 }
                }
                // The texels before and behind follow: see [`CubicTap`].
                Filter::Linear | Filter::Cubic => {
                    let u = part as f64 / whole as f64 + f64::from(src[0]);
                    let (i, w) = linear(u as f32);
                    Tap { i: [i, i + 1].map(|i| i.clamp(0, last) as u32), w }
                }
            }
        })
        .collect()
}

/// Source texels of a cubic filter, and their weights, for a destination coordinate along one axis.
#[derive(Clone, Copy, Debug)]
struct CubicTap {
    i: [u32; 4],
    w: [f32; 4],
}

/// Taps of cubic filters along x and y.
type CubicTaps = [Vec<CubicTap>; 2];

/// The least range with all of these numbers.
fn range(numbers: impl IntoIterator<Item = u32>) -> Range<u32> {
    numbers.into_iter().fold(0..0, |all, i| match all.is_empty() {
        true => i..i + 1,
        false => all.start.min(i)..all.end.max(i + 1),
    })
}

/// Like [`taps`], for a cubic filter.
fn cubic_taps(src: [i32; 2], dst: [i32; 2], size: u32) -> Vec<CubicTap> {
    let (d0, d1) = (dst[0].min(dst[1]), dst[0].max(dst[1]));
    let scale = f64::from(src[1] - src[0]) / f64::from(dst[1] - dst[0]);
    let tap = |d: i32| {
        let u = (f64::from(d - dst[0]) + 0.5) * scale + f64::from(src[0]);
        let (i, w) = linear(u as f32);
        CubicTap { i: [i - 1, i, i + 1, i + 2].map(|i| i.clamp(0, size as i32 - 1) as u32), w: cubic(w) }
    };
    (d0..d1).map(tap).collect()
}

/// A checked blit of one aspect.
struct Job<'a> {
    /// Taps of a cubic filter, in place of `x` and `y`.
    cubic: Option<CubicTaps>,
    src: Plane<'a>,
    dst: Plane<'a>,
    x: Vec<Tap>,
    y: Vec<Tap>,
    z: Vec<Tap>,
    /// Lower corner in the destination.
    dst0: [u32; 3],
    /// First source texel that a row reads, and number of texels read.
    first: u32,
    width: u32,
    /// The plane of blocks, if the source must be decoded first.
    blocks: Option<Plane<'a>>,
    /// `true` if texel i of the destination lies midway between texels 2 i and 2 i + 1 of the source row.
    halves: bool,
}

/// The lower of two corners, if both lie inside `size`.
fn lower(a: i32, b: i32, size: u32) -> Option<u32> {
    let (lo, hi) = (a.min(b), a.max(b));
    (lo >= 0 && hi as u32 <= size).then_some(lo as u32)
}

fn check_formats(src: Format, dst: Format, filter: Filter) -> Result<()> {
    use FormatFeatures as F;
    let fail =
        |what: &str| Err(Error::invalid(format!("blit from {} to {}: {what}", src.name(), dst.name())));
    if !src.image_features().contains(F::BLIT_SRC) || !dst.image_features().contains(F::BLIT_DST) {
        return fail("not supported by the formats");
    }
    if src.is_depth_stencil() || dst.is_depth_stencil() {
        return if src != dst {
            fail("depth and stencil formats must be equal")
        } else if filter != Filter::Nearest {
            fail("depth and stencil require the nearest filter")
        } else {
            Ok(())
        };
    }
    let class = |f: Format| match f.info().numeric {
        Numeric::Uint => 1,
        Numeric::Sint => 2,
        _ => 0,
    };
    if class(src) != class(dst) {
        return fail("integers convert only to integers of the same signedness");
    }
    if class(src) != 0 && filter != Filter::Nearest {
        return fail("integers require the nearest filter");
    }
    Ok(())
}

/// Source and destination of a blit region.
struct Sides<'a> {
    src: Plane<'a>,
    dst: Plane<'a>,
    /// Lower corner in the destination.
    dst0: [u32; 3],
    /// Number of layers, which map one to one; `None` if one side is a 3D image, whose slices are scaled.
    layers: Option<u32>,
    /// Filter along z.
    z: Filter,
    /// Plane of blocks of a compressed image, which are decoded when the job runs.
    blocks: Option<Plane<'a>>,
}

/// Checks a region and returns its source and destination.
fn sides<'a>(
    src: &ImageRef<'a>,
    dst: &ImageRef<'a>,
    r: &ImageBlit,
    aspect: Aspects,
    filter: Filter,
) -> Result<Sides<'a>> {
    let p = src.plane(aspect, r.src.level, r.src.base_layer)?;
    let q = dst.plane(aspect, r.dst.level, r.dst.base_layer)?;
    check_formats(p.format, q.format, filter)?;
    // A compressed source: its decoded texels if the image keeps them, else blocks to decode when the job runs.
    let blocks = if p.format.is_compressed() { Some(p) } else { None };
    let kept = src.layout.decoded(r.src.level, r.src.base_layer);
    let (p, blocks) = match (kept, blocks) {
        (Some(s), Some(_)) => (Plane::new(src, &s, r.src.base_layer), None),
        (_, blocks) => (p, blocks),
    };
    let slices = if src.is_3d() { p.texels[2] } else { p.slices };
    let p = Plane { extent: p.texels, slices, ..p };
    let fail = || Err(Error::invalid(format!("blit region {r:?} from {:?} to {:?}", p.extent, q.extent)));
    let mut dst0 = [0; 3];
    for (c, dst0) in dst0.iter_mut().enumerate() {
        let s = lower(r.src_offsets[0][c], r.src_offsets[1][c], p.extent[c]);
        let d = lower(r.dst_offsets[0][c], r.dst_offsets[1][c], q.extent[c]);
        let (Some(_), Some(d)) = (s, d) else { return fail() };
        *dst0 = d;
    }
    let count = |image: &ImageRef<'_>, s: &SubresourceLayers, slices: u32| match s.layers {
        u32::MAX if image.is_3d() => 1,
        u32::MAX => slices,
        n => n,
    };
    let (layers, scaled) = (count(src, &r.src, p.slices), src.is_3d() || dst.is_3d());
    let most = if scaled { 1 } else { p.slices.min(q.slices) };
    if layers != count(dst, &r.dst, q.slices) || !(1..=most).contains(&layers) {
        return fail();
    }
    let z = if src.is_3d() { filter } else { Filter::Nearest };
    Ok(Sides { src: p, dst: q, dst0, layers: (!scaled).then_some(layers), z, blocks })
}

fn job<'a>(sides: Sides<'a>, r: &ImageBlit, filter: Filter) -> Job<'a> {
    let Sides { src, dst, dst0, layers, z, blocks } = sides;
    let axis = |c: usize, filter| {
        let corners = |o: &[[i32; 3]; 2]| [o[0][c], o[1][c]];
        taps(corners(&r.src_offsets), corners(&r.dst_offsets), src.extent[c], filter)
    };
    let z = match layers {
        Some(n) => (0..n).map(|i| Tap { i: [i; 2], w: 0 }).collect(),
        None => axis(2, z),
    };
    let corners = |o: &[[i32; 3]; 2], c: usize| [o[0][c], o[1][c]];
    let of_axis =
        |c: usize| cubic_taps(corners(&r.src_offsets, c), corners(&r.dst_offsets, c), src.extent[c]);
    let mut cubic = (filter == Filter::Cubic).then(|| [of_axis(0), of_axis(1)]);
    let mut x = axis(0, filter);
    let read = match &cubic {
        None => range(x.iter().flat_map(|t| t.i)),
        // They include those of `x`.
        Some([x, _]) => range(x.iter().flat_map(|t| t.i)),
    };
    for t in &mut x {
        t.i = t.i.map(|i| i - read.start);
    }
    for t in cubic.iter_mut().flat_map(|[x, _]| x) {
        t.i = t.i.map(|i| i - read.start);
    }
    let halves = (0..).zip(&x).all(|(i, t)| t.i == [2 * i, 2 * i + 1] && t.w == 128);
    let (first, width) = (read.start, read.end - read.start);
    Job { cubic, x, y: axis(1, filter), z, src, dst, dst0, first, width, halves, blocks }
}

/// Copies regions with scaling and format conversion.
pub fn blit_image<'a>(
    on: impl Into<Runner<'a>>,
    src: &ImageRef<'_>,
    dst: &ImageRef<'_>,
    regions: &[ImageBlit],
    filter: Filter,
) -> Result<()> {
    let on = on.into();
    for job in blit_jobs(src, dst, regions, filter)? {
        match job.blocks {
            Some(blocks) => job.run_decoded(on, filter, &blocks)?,
            None => job.run(on, filter),
        }
    }
    Ok(())
}

/// Checks the arguments of [`blit_image`] without copying.
pub fn check_blit(
    src: &ImageRef<'_>,
    dst: &ImageRef<'_>,
    regions: &[ImageBlit],
    filter: Filter,
) -> Result<()> {
    each_aspect(src, dst, regions, filter, |_, _| {})
}

fn blit_jobs<'a>(
    src: &ImageRef<'a>,
    dst: &ImageRef<'a>,
    regions: &[ImageBlit],
    filter: Filter,
) -> Result<Vec<Job<'a>>> {
    let mut jobs = Vec::new();
    each_aspect(src, dst, regions, filter, |r, sides| jobs.push(job(sides, r, filter)))?;
    Ok(jobs)
}

/// Checks a blit, and calls `f` for each aspect of its regions. Regions without a destination texel are checked only.
fn each_aspect<'a>(
    src: &ImageRef<'a>,
    dst: &ImageRef<'a>,
    regions: &[ImageBlit],
    filter: Filter,
    mut f: impl FnMut(&ImageBlit, Sides<'a>),
) -> Result<()> {
    if src.layout.desc().samples != 1 || dst.layout.desc().samples != 1 {
        return Err(Error::invalid("blit of a multisampled image"));
    }
    for r in regions {
        if r.src.aspects != r.dst.aspects || single_aspects(r.src.aspects).next().is_none() {
            return Err(Error::invalid(format!("blit {r:?}: aspects differ")));
        }
        for aspect in single_aspects(r.src.aspects) {
            let sides = sides(src, dst, r, aspect, filter)?;
            if (0..3).all(|c| r.dst_offsets[0][c] != r.dst_offsets[1][c]) {
                f(r, sides);
            }
        }
    }
    Ok(())
}

impl<'a> Job<'a> {
    /// Runs a blit from blocks: decodes the texels that some slices of the destination read, then those of the next.
    fn run_decoded(mut self, on: Runner<'_>, filter: Filter, blocks: &Plane<'a>) -> Result<()> {
        let rows = match &self.cubic {
            None => range(self.y.iter().flat_map(|t| t.i)),
            Some([_, y]) => range(y.iter().flat_map(|t| t.i)),
        };
        let [bw, bh, bd] = blocks.format.block();
        let (x0, y0) = (self.first / bw * bw, rows.start / bh * bh);
        let (width, height) = (self.first + self.width - x0, rows.end - y0);
        self.first -= x0;
        for t in &mut self.y {
            t.i = t.i.map(|i| i - y0);
        }
        for t in self.cubic.iter_mut().flat_map(|[_, y]| y) {
            t.i = t.i.map(|i| i - y0);
        }
        // The second slice is not read if it has no weight.
        let slices = |t: &Tap| range([t.i[0], if t.w == 0 { t.i[0] } else { t.i[1] }]);
        let whole = |z: &Range<u32>| (z.start / bd * bd, z.end - z.start / bd * bd);
        let bytes = |depth| decode::bytes(blocks.format.decoded(), [width, height, depth]);
        let all = std::mem::take(&mut self.z);
        let mut rest = all.as_slice();
        while let Some(next) = rest.first() {
            let (mut read, mut n) = (slices(next), 1);
            while let Some(next) = rest.get(n).map(slices) {
                let more = read.start.min(next.start)..read.end.max(next.end);
                if bytes(whole(&more).1) > AT_ONCE {
                    break;
                }
                (read, n) = (more, n + 1);
            }
            let (z0, depth) = whole(&read);
            let decoded = decode::copy(on, blocks, [x0, y0, z0], [width, height, depth])?;
            let from_here = |t: &Tap| Tap { i: t.i.map(|i| i.saturating_sub(z0)), w: t.w };
            self.z = rest[..n].iter().map(from_here).collect();
            self.src = decoded.plane;
            self.run(on, filter);
            self.dst0[2] += n as u32;
            rest = &rest[n..];
        }
        Ok(())
    }

    fn run(&self, on: Runner<'_>, filter: Filter) {
        let rows = self.y.len() as u64;
        let bytes = self.x.len() as u64 * 16;
        let same = self.src.format == self.dst.format;
        let info = self.src.format.info();
        let eight_bit = same && info.is_rgba8() && info.numeric == Numeric::Unorm;
        // Source and destination may be levels of one image, whose memory is distinct, so parts are independent.
        for_each_range(on, rows * self.z.len() as u64, bytes, |range| {
            let (mut words, mut texels) = (Rows::new(), Rows::new());
            let mut buffers = Buffers::default();
            for i in range {
                let (y, z) = ((i % rows) as usize, (i / rows) as usize);
                if let Some(taps) = &self.cubic {
                    self.cubic_row(taps, y, z, &mut texels, &mut buffers);
                } else if filter == Filter::Nearest && same {
                    self.copy_row(y, z, &mut buffers);
                } else if eight_bit && self.z[z].w == 0 {
                    self.filter_row(y, z, &mut words, &mut buffers);
                } else {
                    self.convert_row(y, z, &mut texels, &mut buffers);
                }
            }
        });
    }

    /// Writes a row of the destination.
    fn write_row(&self, y: usize, z: usize, bytes: &[u8]) {
        self.dst.write_row([self.dst0[0], self.dst0[1] + y as u32, self.dst0[2] + z as u32], bytes);
    }

    fn src_offset(&self, y: u32, z: u32) -> u64 {
        self.src.at(self.first, y, z)
    }

    /// Copies a row with a nearest filter, without conversion.
    fn copy_row(&self, y: usize, z: usize, buffers: &mut Buffers) {
        let n = self.src.format.bytes() as usize;
        let Buffers { bytes: row, out, .. } = buffers;
        row.resize(self.width as usize * n, 0);
        must(self.src.memory.read(self.src_offset(self.y[y].i[0], self.z[z].i[0]), row));
        out.resize(self.x.len() * n, 0);
        match n {
            1 => pick::<1>(row, &self.x, out),
            2 => pick::<2>(row, &self.x, out),
            4 => pick::<4>(row, &self.x, out),
            8 => pick::<8>(row, &self.x, out),
            16 => pick::<16>(row, &self.x, out),
            _ => {
                for (o, t) in out.chunks_exact_mut(n).zip(&self.x) {
                    let at = t.i[0] as usize * n;
                    o.copy_from_slice(&row[at..at + n]);
                }
            }
        }
        self.write_row(y, z, out);
    }

    /// Reads a row of words.
    fn read_words(&self, y: u32, z: u32, row: &mut Vec<u32>) {
        row.resize(self.width as usize, 0);
        must(self.src.memory.read(self.src_offset(y, z), bytemuck::cast_slice_mut(row)));
    }

    /// Filters a row of four 8-bit UNORM components, without conversion: exact in integers, rounded to nearest even.
    /// The four components of a texel are the 16-bit lanes of a word.
    fn filter_row(&self, y: usize, z: usize, rows: &mut Rows<u64>, buffers: &mut Buffers) {
        let (ty, z0) = (self.y[y], self.z[z].i[0]);
        let Buffers { words, below, texels, .. } = buffers;
        if self.halves && ty.w == 128 {
            self.read_words(ty.i[0], z0, words);
            self.read_words(ty.i[1], z0, below);
            texels.clear();
            texels.extend(words.chunks_exact(2).zip(below.chunks_exact(2)).map(mean));
            self.write_row(y, z, bytemuck::cast_slice(texels));
            return;
        }
        let keys = ty.i.map(|y| (y, z0));
        let [a, b] = rows.get(keys, |(y, z), out| {
            self.read_words(y, z, words);
            out.clear();
            out.extend(self.x.iter().map(|t| {
                let [l, r] = t.i.map(|i| spread(words[i as usize]));
                l * u64::from(256 - t.w) + r * u64::from(t.w)
            }));
        });
        let [a, b]: [&[u16]; 2] = [a, b].map(|r| bytemuck::cast_slice(r));
        let out = &mut buffers.out;
        out.clear();
        out.extend(a.iter().zip(b).map(|(&a, &b)| {
            let v = u32::from(a) * (256 - ty.w) + u32::from(b) * ty.w;
            ((v + 0x7fff + (v >> 16 & 1)) >> 16) as u8
        }));
        self.write_row(y, z, out);
    }

    /// Filters a row along x and y with a cubic filter.
    fn cubic_row(
        &self,
        [x, y]: &CubicTaps,
        row: usize,
        z: usize,
        rows: &mut Rows<Texel>,
        buffers: &mut Buffers,
    ) {
        let Buffers { bytes, wide, mixed, .. } = buffers;
        let (tap, slice) = (y[row], self.z[z].i[0]);
        let all = rows.get(tap.i.map(|y| (y, slice)), |(y, z), out| {
            wide.resize(self.width as usize, [0; 4]);
            rows::read(&self.src.memory, self.src_offset(y, z), self.src.format, wide, bytes);
            out.clear();
            out.extend(x.iter().map(|t| sum(t.i.map(|i| wide[i as usize]), t.w)));
        });
        mixed.clear();
        mixed.extend((0..x.len()).map(|i| sum(all.map(|row| row[i]), tap.w)));
        rows::pack(self.dst.format, mixed, bytes);
        self.write_row(row, z, bytes);
    }

    fn convert_row(&self, y: usize, z: usize, rows: &mut Rows<Texel>, buffers: &mut Buffers) {
        let (ty, tz) = (self.y[y], self.z[z]);
        let Buffers { bytes, wide, mixed, .. } = buffers;
        let keys = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(y, z)| (ty.i[y], tz.i[z]));
        let wanted = [true, ty.w != 0, tz.w != 0, ty.w != 0 && tz.w != 0];
        // Rows with weight zero are not read; the first row takes their place.
        let keys: [_; 4] = std::array::from_fn(|i| if wanted[i] { keys[i] } else { keys[0] });
        let [a, b, c, d] = rows.get(keys, |(y, z), out| {
            wide.resize(self.width as usize, [0; 4]);
            rows::read(&self.src.memory, self.src_offset(y, z), self.src.format, wide, bytes);
            out.clear();
            out.extend(self.x.iter().map(|t| mix(wide[t.i[0] as usize], wide[t.i[1] as usize], t.w)));
        });
        mixed.clear();
        mixed.extend_from_slice(a);
        mix_rows(mixed, b, ty.w);
        if tz.w != 0 {
            let mut behind = c.clone();
            mix_rows(&mut behind, d, ty.w);
            mix_rows(mixed, &behind, tz.w);
        }
        rows::pack(self.dst.format, mixed, bytes);
        self.write_row(y, z, bytes);
    }
}

/// Memory shared by the rows of a part.
#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    out: Vec<u8>,
    words: Vec<u32>,
    below: Vec<u32>,
    texels: Vec<u32>,
    wide: Vec<Texel>,
    mixed: Vec<Texel>,
}

/// Cache of source rows filtered along x, by row and slice. Consecutive destination rows need the same source rows.
struct Rows<T> {
    keys: [Option<(u32, u32)>; 4],
    rows: [Vec<T>; 4],
}

impl<T> Rows<T> {
    fn new() -> Self {
        Rows { keys: [None; 4], rows: Default::default() }
    }

    /// Returns the rows of at most four keys; rows that are not cached are made.
    fn get<const N: usize>(
        &mut self,
        keys: [(u32, u32); N],
        mut make: impl FnMut((u32, u32), &mut Vec<T>),
    ) -> [&Vec<T>; N] {
        let mut slots = [0; N];
        for (slot, key) in slots.iter_mut().zip(keys) {
            let found = self.keys.iter().position(|k| *k == Some(key));
            let free = || self.keys.iter().position(|k| k.is_none_or(|k| !keys.contains(&k)));
            *slot = found.or_else(free).unwrap_or(0);
            if found.is_none() {
                make(key, &mut self.rows[*slot]);
                self.keys[*slot] = Some(key);
            }
        }
        slots.map(|s| &self.rows[s])
    }
}

/// Copies the first texels of taps, `N` bytes each.
fn pick<const N: usize>(row: &[u8], taps: &[Tap], out: &mut [u8]) {
    let (row, out) = (row.as_chunks::<N>().0, out.as_chunks_mut::<N>().0);
    for (o, t) in out.iter_mut().zip(taps) {
        *o = row[t.i[0] as usize];
    }
}

/// Spreads the four bytes of a word over 16-bit lanes, in order.
fn spread(word: u32) -> u64 {
    let x = u64::from(word);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// Mean of two by two texels, rounded to nearest even; equal to the result of [`Job::filter_row`] for equal weights.
fn mean((above, below): (&[u32], &[u32])) -> u32 {
    const ONES: u64 = 0x0001_0001_0001_0001;
    let sum = spread(above[0]) + spread(above[1]) + spread(below[0]) + spread(below[1]);
    let x = (sum + ONES + (sum >> 2 & ONES)) >> 2 & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// Weighted mean. With weight 0 the result is `a`, bit by bit; integers always have weight 0.
fn mix(a: Texel, b: Texel, w: u32) -> Texel {
    if w == 0 {
        return a;
    }
    std::array::from_fn(|c| lerp(f32::from_bits(a[c]), f32::from_bits(b[c]), w).to_bits())
}

/// Weighted sum of four texels.
fn sum(texels: [Texel; 4], w: [f32; 4]) -> Texel {
    std::array::from_fn(|c| weighted(texels.map(|t| f32::from_bits(t[c])), w).to_bits())
}

fn mix_rows(a: &mut [Texel], b: &[Texel], w: u32) {
    if w == 0 {
        return;
    }
    for (a, b) in a.iter_mut().zip(b) {
        *a = mix(*a, *b, w);
    }
}
