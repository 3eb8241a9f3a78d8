//! Fills and clears. Conversion of the clear value is left to [`crate::memory::format`].

use quadrille_jit::error::{Error, Result};

use super::{ImageRef, Plane, Runner, for_each, must};
use crate::memory::format::{Aspects, Texel};
use crate::memory::image::Span;

/// Levels and layers of some aspects. Spec: `VkImageSubresourceRange`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubresourceRange {
    /// Aspects.
    pub aspects: Aspects,
    /// First level.
    pub base_level: u32,
    /// Number of levels; `u32::MAX` for all remaining ones.
    pub levels: u32,
    /// First layer.
    pub base_layer: u32,
    /// Number of layers; `u32::MAX` for all remaining ones.
    pub layers: u32,
}

impl SubresourceRange {
    /// All levels and layers of some aspects.
    pub fn all(aspects: Aspects) -> Self {
        SubresourceRange { aspects, base_level: 0, levels: u32::MAX, base_layer: 0, layers: u32::MAX }
    }
}

/// Size in bytes of the block that fills write at once.
const BLOCK: usize = 4096;

/// Fills a checked range with copies of a pattern, whose size divides [`BLOCK`].
fn fill_pattern(memory: &Span, offset: u64, size: u64, pattern: &[u8]) {
    if pattern.iter().all(|&b| b == pattern[0]) {
        must(memory.fill(offset, size, pattern[0]));
        return;
    }
    let mut block = [0u8; BLOCK];
    for part in block.chunks_exact_mut(pattern.len()) {
        part.copy_from_slice(pattern);
    }
    let mut done = 0;
    while done < size {
        let n = (size - done).min(BLOCK as u64);
        must(memory.write(offset + done, &block[..n as usize]));
        done += n;
    }
}

/// Fills `size` bytes (`u64::MAX`: to the end, rounded down to words) with a word. Spec: vkCmdFillBuffer.
pub fn fill_buffer<'a>(
    on: impl Into<Runner<'a>>,
    dst: Span,
    offset: u64,
    size: u64,
    word: u32,
) -> Result<()> {
    let rest = dst.size().checked_sub(offset);
    let size = if size == u64::MAX { rest.map(|r| r & !3) } else { Some(size) };
    let Some(size) =
        size.filter(|&s| rest.is_some_and(|r| s <= r) && s.is_multiple_of(4) && offset.is_multiple_of(4))
    else {
        return Err(Error::invalid(format!("fill of a buffer of {} bytes at {offset}", dst.size())));
    };
    const PART: u64 = 1 << 18;
    let on = on.into();
    for_each(on, size.div_ceil(PART), PART, |i| {
        let first = i * PART;
        fill_pattern(&dst, offset + first, PART.min(size - first), &word.to_le_bytes());
    });
    Ok(())
}

/// Writes bytes to a buffer. Spec: vkCmdUpdateBuffer.
pub fn update_buffer(dst: Span, offset: u64, bytes: &[u8]) -> Result<()> {
    if dst.write(offset, bytes) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "update of {} bytes at {offset} in a buffer of {} bytes",
        bytes.len(),
        dst.size()
    )))
}

/// Writes a texel to all texels of the given slices of a plane, in all samples.
fn clear_plane(on: Runner<'_>, p: &Plane<'_>, slices: u32, texel: &[u8]) {
    let row_bytes = u64::from(p.extent[0]) * u64::from(p.format.bytes());
    let rows = u64::from(p.extent[1]);
    let n = rows * u64::from(slices) * u64::from(p.samples);
    let same = texel.iter().all(|&b| b == texel[0]);
    let row = if same { Vec::new() } else { texel.repeat(p.extent[0] as usize) };
    let put = |at: u64, bytes: u64| {
        must(match same {
            true => p.memory.fill(at, bytes, texel[0]),
            false => p.memory.write(at, &row[..bytes as usize]),
        });
    };
    for_each(on, n, row_bytes, |i| {
        let (y, slice, sample) = (i % rows, i / rows % u64::from(slices), i / rows / u64::from(slices));
        let at = |x| p.at(x, y as u32, slice as u32) + sample * p.sample_pitch;
        if p.gaps.is_none() {
            return put(at(0), row_bytes);
        }
        p.each_there([0, y as u32, slice as u32], p.extent[0], |x, n| {
            put(at(x), u64::from(n) * u64::from(p.format.bytes()));
        });
    });
}

/// The planes of a range, each with its number of slices.
fn planes<'a>(image: &ImageRef<'a>, r: &SubresourceRange) -> Result<Vec<(Aspects, Plane<'a>, u32)>> {
    let mut out = Vec::new();
    each_plane(image, r, |aspect, plane, slices| out.push((aspect, plane, slices)))?;
    Ok(out)
}

/// Checks a range, and calls `f` for its planes, each with its number of slices.
fn each_plane<'a>(
    image: &ImageRef<'a>,
    r: &SubresourceRange,
    mut f: impl FnMut(Aspects, Plane<'a>, u32),
) -> Result<()> {
    let desc = image.layout.desc();
    let count = |base: u32, n: u32, of: u32| {
        let rest = of.checked_sub(base).filter(|&r| r > 0)?;
        if n == u32::MAX { Some(rest) } else { (n > 0 && n <= rest).then_some(n) }
    };
    let levels = count(r.base_level, r.levels, desc.levels);
    let layers = count(r.base_layer, r.layers, desc.layers);
    let (Some(levels), Some(layers)) = (levels, layers) else {
        return Err(Error::invalid(format!("clear: range {r:?} of {desc:?}")));
    };
    for aspect in [Aspects::COLOR, Aspects::DEPTH, Aspects::STENCIL] {
        if !r.aspects.contains(aspect) {
            continue;
        }
        for level in r.base_level..r.base_level + levels {
            let p = image.plane(aspect, level, r.base_layer)?;
            f(aspect, p, if image.is_3d() { p.slices } else { layers });
        }
    }
    Ok(())
}

/// Checks that the ranges of a clear lie in the image, without clearing.
pub fn check_clear(image: &ImageRef<'_>, ranges: &[SubresourceRange]) -> Result<()> {
    let format = image.layout.desc().format;
    let colour = !format.is_depth_stencil();
    if format.is_compressed() || format.is_multi_planar() {
        return Err(Error::invalid(format!("clear of an image of {}", format.name())));
    }
    for r in ranges {
        if r.aspects.contains(Aspects::COLOR) != colour {
            return Err(Error::invalid("clear: the aspects do not fit the image's format"));
        }
        each_plane(image, r, |_, _, _| {})?;
    }
    Ok(())
}

/// Clears colour to a texel of `f32` words, or integers for integer formats.
pub fn clear_color<'a>(
    on: impl Into<Runner<'a>>,
    image: &ImageRef<'_>,
    color: Texel,
    ranges: &[SubresourceRange],
) -> Result<()> {
    check_clear(image, ranges)?;
    let mut all = Vec::new();
    for r in ranges {
        if r.aspects != Aspects::COLOR {
            return Err(Error::invalid("clear: the aspects are not only colour"));
        }
        all.extend(planes(image, r)?);
    }
    let on = on.into();
    for (_, p, slices) in all {
        let texel = p.format.pack_clear(color);
        clear_plane(on, &p, slices, &texel[..p.format.bytes() as usize]);
    }
    Ok(())
}

/// Clears the depth and stencil aspects that each range selects.
pub fn clear_depth_stencil<'a>(
    on: impl Into<Runner<'a>>,
    image: &ImageRef<'_>,
    depth: f32,
    stencil: u32,
    ranges: &[SubresourceRange],
) -> Result<()> {
    let mut all = Vec::new();
    for r in ranges {
        if r.aspects.contains(Aspects::COLOR) {
            return Err(Error::invalid("clear: the colour aspect is neither depth nor stencil"));
        }
        all.extend(planes(image, r)?);
    }
    let on = on.into();
    for (aspect, p, slices) in all {
        let word = if aspect == Aspects::DEPTH { depth.to_bits() } else { stencil };
        let texel = p.format.pack_clear([word, 0, 0, 0]);
        clear_plane(on, &p, slices, &texel[..p.format.bytes() as usize]);
    }
    Ok(())
}
