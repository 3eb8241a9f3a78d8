//! Copies that do not change bytes. Decoding the blocks that they write is left to [`super::decode`].

use quadrille_jit::error::{Error, Result};

use super::{Area, ImageRef, Plane, Runner, SubresourceLayers, area, decode, for_each, must};
use crate::memory::format::{Aspects, Format};
use crate::memory::image::Span;
use crate::pool::Pool;

/// Region of a copy between buffers. Spec: `VkBufferCopy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferCopy {
    /// Offset in the source.
    pub src_offset: u64,
    /// Offset in the destination.
    pub dst_offset: u64,
    /// Number of bytes.
    pub size: u64,
}

/// Region of a copy between a buffer and an image. Spec: `VkBufferImageCopy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferImageCopy {
    /// Offset in the buffer.
    pub buffer_offset: u64,
    /// Texels per row in the buffer, in whole blocks; 0 for tightly packed rows.
    pub row_length: u32,
    /// Rows per slice in the buffer; 0 for tightly packed slices.
    pub image_height: u32,
    /// Image subresource, with one aspect.
    pub subresource: SubresourceLayers,
    /// First texel in the image.
    pub offset: [i32; 3],
    /// Extent in texels.
    pub extent: [u32; 3],
}

impl BufferImageCopy {
    /// A region with the colour of level 0, layer 0, tightly packed from the buffer's first byte.
    pub fn whole(extent: [u32; 3]) -> Self {
        BufferImageCopy {
            buffer_offset: 0,
            row_length: 0,
            image_height: 0,
            subresource: SubresourceLayers::COLOR,
            offset: [0; 3],
            extent,
        }
    }
}

/// Region of a copy between images. Spec: `VkImageCopy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageCopy {
    /// Source subresource.
    pub src: SubresourceLayers,
    /// First texel in the source.
    pub src_offset: [i32; 3],
    /// Destination subresource.
    pub dst: SubresourceLayers,
    /// First texel in the destination.
    pub dst_offset: [i32; 3],
    /// Extent in texels.
    pub extent: [u32; 3],
}

/// Copies between buffers. If a region's source and destination overlap, the result is as if the source had been read
/// first.
pub fn copy_buffer<'a>(
    on: impl Into<Runner<'a>>,
    src: Span,
    dst: Span,
    regions: &[BufferCopy],
) -> Result<()> {
    let inside = |size: u64, offset: u64, n: u64| offset.checked_add(n).is_some_and(|end| end <= size);
    for r in regions {
        if !inside(src.size(), r.src_offset, r.size) || !inside(dst.size(), r.dst_offset, r.size) {
            return Err(Error::invalid(format!(
                "copy {r:?} between buffers of {} and {} bytes",
                src.size(),
                dst.size()
            )));
        }
    }
    const PART: u64 = 1 << 18;
    let on = on.into();
    for r in regions {
        let (a, b) = (src.address() + r.src_offset, dst.address() + r.dst_offset);
        let parts = r.size.div_ceil(PART);
        let copy = |i: u64| {
            let at = i * PART;
            let n = PART.min(r.size - at);
            must(dst.copy_from(r.dst_offset + at, &src, r.src_offset + at, n));
        };
        match a.abs_diff(b) < r.size {
            // One after another, so that none is written before it has been read.
            true => (0..parts)
                .map(|k| if a < b { parts - 1 - k } else { k })
                .take_while(|_| !on.watched.stopped())
                .for_each(copy),
            false => for_each(on, parts, PART, copy),
        }
    }
    Ok(())
}

/// Rows of the source and the destination of a copy.
struct Sides<'a> {
    src: Span,
    dst: Span,
    /// Offset of the first byte, and bytes from one row and from one slice to the next, of source and destination.
    at: [u64; 2],
    row: [u64; 2],
    slice: [u64; 2],
    row_bytes: u64,
    rows: u64,
    slices: u64,
    /// The destination and its first texel, if parts of it may have no memory.
    gaps: Option<(Plane<'a>, [u32; 3])>,
}

/// Destination of a copy and its first texel, if parts of it may have no memory.
fn gaps_of<'a>(p: &Plane<'a>, a: &Area) -> Option<(Plane<'a>, [u32; 3])> {
    p.gaps.is_some().then_some((*p, [a.x, a.y, a.slice]))
}

impl Sides<'_> {
    fn copy(&self, on: Runner<'_>) {
        let total = self.row_bytes * self.rows;
        let same = self.src.address() == self.dst.address();
        let dense = self.row == [self.row_bytes; 2] && self.gaps.is_none();
        let one = |first: u64, rows: u64, slice: u64| {
            let [from, to] = [0, 1].map(|k| self.at[k] + slice * self.slice[k] + first * self.row[k]);
            let Some((p, [x, y, z])) = &self.gaps else {
                return must(self.dst.copy_from(to, &self.src, from, self.row_bytes * rows));
            };
            // With gaps, `rows` is 1.
            let texel = u64::from(p.format.bytes());
            p.each_there(
                [*x, y + first as u32, z + slice as u32],
                (self.row_bytes / texel) as u32,
                |at, n| {
                    let skipped = u64::from(at - x) * texel;
                    must(self.dst.copy_from(to + skipped, &self.src, from + skipped, u64::from(n) * texel));
                },
            );
        };
        if same || total * self.slices < super::SPLIT_BYTES {
            let at_once = if dense { (4 * super::SPLIT_BYTES / self.row_bytes).max(1) } else { 1 };
            for slice in 0..self.slices {
                let mut first = 0;
                while first < self.rows && !on.watched.stopped() {
                    let rows = at_once.min(self.rows - first);
                    one(first, rows, slice);
                    first += rows;
                }
            }
            return;
        }
        for_each(on, self.rows * self.slices, self.row_bytes, |i| one(i % self.rows, 1, i / self.rows));
    }
}

/// Number of bytes that a region spans in the buffer, from its offset.
pub fn region_bytes(image: &ImageRef<'_>, r: &BufferImageCopy) -> Result<u64> {
    let (_, a, row, slice, texel) = image_side(image, r)?;
    bytes_of(r, &a, (row, slice, texel))
}

fn bytes_of(r: &BufferImageCopy, a: &Area, (row, slice, texel): (u64, u64, u64)) -> Result<u64> {
    // There are at most 2^14 rows, 2^36 bytes apart; slices may be any distance apart.
    let last = u64::from(a.height - 1) * row + u64::from(a.width) * texel;
    let bytes = u64::from(a.slices - 1).checked_mul(slice).and_then(|before| before.checked_add(last));
    bytes.ok_or_else(|| Error::invalid(format!("copy {r:?}: its size exceeds the address space")))
}

/// The image side of a buffer-image copy: plane, area, row and slice pitch in the buffer (the latter saturates), and
/// bytes per texel or block. Does not check the size of the buffer.
fn image_side<'a>(image: &ImageRef<'a>, r: &BufferImageCopy) -> Result<(Plane<'a>, Area, u64, u64, u64)> {
    if image.layout.desc().samples != 1 {
        return Err(Error::invalid("copy between a buffer and a multisampled image"));
    }
    let p = image.plane(r.subresource.aspects, r.subresource.level, r.subresource.base_layer)?;
    let a = area(image, &p, r.subresource.layers, r.offset, r.extent)?;
    let texel = u64::from(p.format.bytes());
    let [bw, bh, _] = p.format.block();
    let length = if r.row_length == 0 { a.width } else { r.row_length.div_ceil(bw) };
    let height = if r.image_height == 0 { a.height } else { r.image_height.div_ceil(bh) };
    let row = u64::from(length) * texel;
    let slice = row.saturating_mul(u64::from(height));
    if length < a.width || height < a.height {
        return Err(Error::invalid(format!("copy {r:?}: rows overlap in the buffer")));
    }
    Ok((p, a, row, slice, texel))
}

/// Checks a region of a buffer-image copy completely. Returns plane, area, and row and slice pitch in the buffer.
fn buffer_side<'a>(
    image: &ImageRef<'a>,
    buffer: &Span,
    r: &BufferImageCopy,
) -> Result<(Plane<'a>, Area, u64, u64)> {
    let (p, a, row, slice, texel) = image_side(image, r)?;
    let end = r.buffer_offset.checked_add(bytes_of(r, &a, (row, slice, texel))?);
    if end.is_none_or(|e| e > buffer.size()) {
        return Err(Error::invalid(format!("copy {r:?} with a buffer of {} bytes", buffer.size())));
    }
    Ok((p, a, row, slice))
}

/// Like [`copy_buffer_to_image`], from host bytes.
pub fn copy_bytes_to_image(
    pool: &Pool,
    src: &[u8],
    dst: &ImageRef<'_>,
    region: &BufferImageCopy,
) -> Result<()> {
    // SAFETY: the borrow of `src` keeps the bytes alive during the call. The span is only a source, which is read and
    // never written.
    #[expect(unsafe_code, reason = "wraps host bytes")]
    let span = unsafe { Span::new(src.as_ptr().cast_mut(), src.len() as u64) };
    copy_buffer_to_image(pool, span, dst, std::slice::from_ref(region))
}

/// Like [`copy_image_to_buffer`], to host bytes.
pub fn copy_image_to_bytes(
    pool: &Pool,
    src: &ImageRef<'_>,
    dst: &mut [u8],
    region: &BufferImageCopy,
) -> Result<()> {
    // SAFETY: the exclusive borrow of `dst` keeps the bytes alive during the call, and nothing else uses them.
    #[expect(unsafe_code, reason = "wraps host bytes")]
    let span = unsafe { Span::new(dst.as_mut_ptr(), dst.len() as u64) };
    copy_image_to_buffer(pool, src, span, std::slice::from_ref(region))
}

fn each_buffer_region<'a>(
    image: &ImageRef<'a>,
    buffer: &Span,
    regions: &[BufferImageCopy],
    mut f: impl FnMut(&BufferImageCopy, Plane<'a>, Area, u64, u64),
) -> Result<()> {
    let checked: Result<Vec<_>> = regions.iter().map(|r| buffer_side(image, buffer, r)).collect();
    for (r, (p, a, row, slice)) in regions.iter().zip(checked?) {
        f(r, p, a, row, slice);
    }
    Ok(())
}

/// Checks a copy between a buffer and an image, in either direction, without copying.
pub fn check_buffer_image(image: &ImageRef<'_>, buffer: Span, regions: &[BufferImageCopy]) -> Result<()> {
    regions.iter().try_for_each(|r| buffer_side(image, &buffer, r).map(|_| ()))
}

/// Copies from a buffer to an image.
pub fn copy_buffer_to_image<'a>(
    on: impl Into<Runner<'a>>,
    src: Span,
    dst: &ImageRef<'_>,
    regions: &[BufferImageCopy],
) -> Result<()> {
    let on = on.into();
    each_buffer_region(dst, &src, regions, |r, p, a, row, slice| {
        Sides {
            src,
            dst: p.memory,
            gaps: gaps_of(&p, &a),
            at: [r.buffer_offset, p.at(a.x, a.y, a.slice)],
            row: [row, p.row_pitch],
            slice: [slice, p.slice_pitch],
            row_bytes: u64::from(a.width) * u64::from(p.format.bytes()),
            rows: u64::from(a.height),
            slices: u64::from(a.slices),
        }
        .copy(on);
        decode::refresh(on, dst, &p, r.subresource.level, r.subresource.base_layer, &a);
    })
}

/// Copies from an image to a buffer.
pub fn copy_image_to_buffer<'a>(
    on: impl Into<Runner<'a>>,
    src: &ImageRef<'_>,
    dst: Span,
    regions: &[BufferImageCopy],
) -> Result<()> {
    let on = on.into();
    each_buffer_region(src, &dst, regions, |r, p, a, row, slice| {
        Sides {
            src: p.memory,
            dst,
            gaps: None,
            at: [p.at(a.x, a.y, a.slice), r.buffer_offset],
            row: [p.row_pitch, row],
            slice: [p.slice_pitch, slice],
            row_bytes: u64::from(a.width) * u64::from(p.format.bytes()),
            rows: u64::from(a.height),
            slices: u64::from(a.slices),
        }
        .copy(on);
    })
}

/// The single aspects in a combination.
pub(super) fn single_aspects(aspects: Aspects) -> impl Iterator<Item = Aspects> {
    aspects.singles()
}

/// Copies between images of compatible formats with the same number of samples.
pub fn copy_image<'a>(
    on: impl Into<Runner<'a>>,
    src: &ImageRef<'_>,
    dst: &ImageRef<'_>,
    regions: &[ImageCopy],
) -> Result<()> {
    let on = on.into();
    for copy in image_copies(src, dst, regions)? {
        copy.sides.iter().for_each(|s| s.copy(on));
        let r = &copy.region;
        decode::refresh(on, dst, &copy.plane, r.dst.level, r.dst.base_layer, &copy.area);
    }
    Ok(())
}

/// Checks the arguments of [`copy_image`] without copying.
pub fn check_copy_image(src: &ImageRef<'_>, dst: &ImageRef<'_>, regions: &[ImageCopy]) -> Result<()> {
    each_aspect(src, dst, regions, |_, _, _| {})
}

/// A checked copy of one aspect of a region, and the area that it writes.
struct AspectCopy<'a> {
    region: ImageCopy,
    /// Rows to copy, for each sample.
    sides: Vec<Sides<'a>>,
    plane: Plane<'a>,
    area: Area,
}

fn image_copies<'a>(
    src: &ImageRef<'a>,
    dst: &ImageRef<'a>,
    regions: &[ImageCopy],
) -> Result<Vec<AspectCopy<'a>>> {
    let mut copies = Vec::new();
    each_aspect(src, dst, regions, |r, (p, a), (q, b)| {
        let side = |sample: u64| Sides {
            src: p.memory,
            dst: q.memory,
            gaps: gaps_of(&q, &b),
            at: [
                p.at(a.x, a.y, a.slice) + sample * p.sample_pitch,
                q.at(b.x, b.y, b.slice) + sample * q.sample_pitch,
            ],
            row: [p.row_pitch, q.row_pitch],
            slice: [p.slice_pitch, q.slice_pitch],
            row_bytes: u64::from(a.width) * u64::from(p.format.bytes()),
            rows: u64::from(a.height),
            slices: u64::from(a.slices),
        };
        let sides = (0..u64::from(p.samples)).map(side).collect();
        copies.push(AspectCopy { region: *r, sides, plane: q, area: b });
    })?;
    Ok(copies)
}

/// Checks a copy, and calls `f` for each aspect of its regions, with its source and destination.
fn each_aspect<'a>(
    src: &ImageRef<'a>,
    dst: &ImageRef<'a>,
    regions: &[ImageCopy],
    mut f: impl FnMut(&ImageCopy, (Plane<'a>, Area), (Plane<'a>, Area)),
) -> Result<()> {
    let compatible = |a: Format, b: Format| a.is_copy_compatible(b) || a.is_copied_as_depth_stencil(b);
    if src.layout.desc().samples != dst.layout.desc().samples {
        return Err(Error::invalid("copy between images with different sample counts"));
    }
    for r in regions {
        // Planes are copied to other planes, and to and from single-plane images; depth and stencil are also copied to
        // and from colour.
        let aspects = [r.src.aspects, r.dst.aspects];
        let [from, to] = aspects.map(single_aspects);
        let single = aspects.iter().all(|a| single_aspects(*a).count() == 1)
            && aspects.iter().any(|a| *a == Aspects::COLOR || Aspects::PLANES.contains(a));
        let mut pairs = from.zip(to).peekable();
        if pairs.peek().is_none() || (r.src.aspects != r.dst.aspects && !single) {
            return Err(Error::invalid(format!("copy {r:?}: aspects differ")));
        }
        for (from, to) in pairs {
            let p = src.plane(from, r.src.level, r.src.base_layer)?;
            let q = dst.plane(to, r.dst.level, r.dst.base_layer)?;
            let a = area(src, &p, r.src.layers, r.src_offset, r.extent)?;
            let extent = a.extent_in(q.format, r.extent[2].div_ceil(p.format.block()[2]));
            let b = area(dst, &q, r.dst.layers, r.dst_offset, extent)?;
            if !compatible(p.format, q.format) || a.slices != b.slices {
                return Err(Error::invalid(format!(
                    "copy {r:?} between {} and {}",
                    p.format.name(),
                    q.format.name()
                )));
            }
            f(r, (p, a), (q, b));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::transfer::tests::Store;

    /// The result is that of `memmove`, whichever range begins first and however many parts there are.
    #[test]
    fn overlapping_copies_read_before_they_write() {
        const SIZE: usize = (5 << 18) + 77;
        for (from, to) in [(0, 3), (3, 0), (7, 7), (0, 1 << 18), (1 << 19, 9), (0, SIZE as u64 - 1)] {
            let mut wanted: Vec<u8> =
                (0..SIZE as u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect();
            let mut store = Store::new(SIZE as u64);
            let span = store.span(SIZE as u64);
            assert!(span.write(0, &wanted));
            let size = SIZE as u64 - from.max(to);
            let region = BufferCopy { src_offset: from, dst_offset: to, size };
            copy_buffer(&Pool::new(2), span, span, &[region]).unwrap();
            wanted.copy_within(from as usize..(from + size) as usize, to as usize);
            let mut found = vec![0; SIZE];
            assert!(span.read(0, &mut found));
            assert!(found == wanted, "{from} to {to}");
        }
    }
}
