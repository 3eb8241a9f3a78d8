//! Decoded texels of compressed images: updated after transfers into them, and temporary for sources of blits. Decoding
//! of single blocks is left to [`crate::memory::format::compressed`].

use quadrille_jit::error::Result;
use quadrille_jit::reserve;

use super::{Area, ImageRef, Plane, Runner, for_each, must};
use crate::memory::format::Format;
use crate::memory::format::compressed::{self, MAX_TEXELS};
use crate::memory::image::{ImageType, Span};

/// Decodes an area of blocks after a write, if the image keeps decoded texels.
pub(super) fn refresh(
    on: Runner<'_>,
    image: &ImageRef<'_>,
    blocks: &Plane<'_>,
    level: u32,
    base_layer: u32,
    area: &Area,
) {
    let Some(s) = image.layout.decoded(level, base_layer) else { return };
    let texels = Plane::new(image, &s, base_layer);
    decode(on, blocks, &texels, area);
}

/// Updates the decoded texels of a level and layer on the calling thread, after writes to blocks by other means than
/// transfers.
pub fn refresh_level(image: &ImageRef<'_>, level: u32, layer: u32) -> Result<()> {
    let Some(s) = image.layout.decoded(level, layer) else { return Ok(()) };
    let blocks = image.plane(crate::memory::format::Aspects::COLOR, level, layer)?;
    let texels = Plane::new(image, &s, layer);
    let slices = if image.layout.desc().image_type == ImageType::D3 { blocks.slices } else { 1 };
    let area = Area::whole(&blocks, slices);
    let rows = u64::from(area.height);
    (0..rows * u64::from(slices)).for_each(|i| decode_row(&blocks, &texels, &area, i % rows, i / rows));
    Ok(())
}

fn decode(on: Runner<'_>, blocks: &Plane<'_>, texels: &Plane<'_>, area: &Area) {
    let rows = u64::from(area.height);
    // Decoding a block costs as much as copying a kilobyte.
    for_each(on, rows * u64::from(area.slices), u64::from(area.width) * 1024, |i| {
        decode_row(blocks, texels, area, i % rows, i / rows);
    });
}

/// Decodes one row of blocks of an area.
fn decode_row(blocks: &Plane<'_>, texels: &Plane<'_>, a: &Area, row: u64, slice: u64) {
    let info = blocks.format.info();
    let [bw, bh, bd] = blocks.format.block();
    let (n, size) = (blocks.format.bytes() as usize, texels.format.bytes() as usize);
    let (y, slice) = (a.y + row as u32, a.slice + slice as u32);
    let mut coded = vec![0u8; a.width as usize * n];
    must(blocks.memory.read(blocks.at(a.x, y, slice), &mut coded));
    let width = (a.width * bw).min(texels.extent[0] - a.x * bw) as usize;
    let height = bh.min(texels.extent[1] - y * bh);
    // Layers have blocks of one slice.
    let depth = if bd == 1 { 1 } else { bd.min(texels.extent[2] - slice * bd) };
    let mut rows = vec![Vec::with_capacity(a.width as usize * bw as usize * size); (bh * bd) as usize];
    let mut words = [0u64; MAX_TEXELS];
    for c in coded.chunks_exact(n) {
        let mut block = [0; 16];
        block[..n].copy_from_slice(c);
        compressed::decode(info, u128::from_le_bytes(block), &mut words);
        for (r, words) in rows.iter_mut().zip(words.chunks_exact(bw as usize)) {
            words.iter().for_each(|w| r.extend_from_slice(&w.to_le_bytes()[..size]));
        }
    }
    for (z, slab) in (0..depth).zip(rows.chunks_exact(bh as usize)) {
        for (i, row) in (0..height).zip(slab) {
            let at = texels.at(a.x * bw, y * bh + i, slice * bd + z);
            must(texels.memory.write(at, &row[..width * size]));
        }
    }
}

/// A decoded copy of a level: the plane, and its memory.
pub(super) struct Decoded<'a> {
    pub plane: Plane<'a>,
    _store: Vec<u128>,
}

/// Bytes of a box of decoded texels.
pub(super) fn bytes(format: Format, extent: [u32; 3]) -> u64 {
    let [row, h, d] = [row_pitch(format, extent[0]), extent[1].into(), extent[2].into()];
    row * h * d
}

fn row_pitch(format: Format, width: u32) -> u64 {
    (u64::from(width) * u64::from(format.bytes())).next_multiple_of(16)
}

/// Decodes a box of texels of a plane of blocks into newly allocated memory. The box begins with whole blocks and ends
/// inside the level; its first texel is that of the plane that is returned.
pub(super) fn copy<'a>(
    on: Runner<'_>,
    blocks: &Plane<'a>,
    first: [u32; 3],
    extent: [u32; 3],
) -> Result<Decoded<'a>> {
    let (format, block) = (blocks.format.decoded(), blocks.format.block());
    let row_pitch = row_pitch(format, extent[0]);
    let slice_pitch = row_pitch * u64::from(extent[1]);
    let size = bytes(format, extent);
    let mut store: Vec<u128> = reserve::zeroed((size as usize).div_ceil(16))?;
    // SAFETY: `Decoded` keeps `store` alive as long as `plane`, and the memory is accessed only through the plane.
    #[expect(unsafe_code, reason = "wraps memory of the plane's owner")]
    let memory = unsafe { Span::new(store.as_mut_ptr().cast(), size) };
    let plane = Plane { memory, format, extent, offset: 0, row_pitch, slice_pitch, ..*blocks };
    let [x, y, z] = std::array::from_fn(|c| first[c] / block[c]);
    let [width, height, slices] = std::array::from_fn(|c| extent[c].div_ceil(block[c]));
    let from = Plane { offset: blocks.at(x, y, z), ..*blocks };
    decode(on, &from, &plane, &Area { x: 0, y: 0, slice: 0, width, height, slices });
    Ok(Decoded { plane, _store: store })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::filter::Filter;
    use crate::memory::format::Aspects;
    use crate::memory::image::ImageDesc;
    use crate::memory::transfer::tests::Image;
    use crate::memory::transfer::{
        BufferImageCopy, ImageBlit, SubresourceLayers, blit_image, copy_bytes_to_image,
    };
    use crate::pool::Pool;

    /// A blit decodes the blocks that it reads, not the slices before them, which have gigabytes of texels.
    #[test]
    fn blits_decode_no_other_blocks() {
        const SIZE: [u32; 3] = [2048, 2048, 260];
        let from = Image::new(ImageDesc {
            image_type: ImageType::D3,
            extent: SIZE,
            ..ImageDesc::new_2d(Format::BC1_RGBA_UNORM_BLOCK, 1, 1)
        });
        // Columns of red and of blue, in turn. Spec: Khronos Data Format, "BC1 with Alpha".
        let block = [0x00, 0xf8, 0x1f, 0x00, 0x44, 0x44, 0x44, 0x44];
        let last = [2044, 2044, 259];
        let region = BufferImageCopy { offset: last, ..BufferImageCopy::whole([4, 4, 1]) };
        copy_bytes_to_image(&Pool::new(2), &block, &from.r(), &region).unwrap();
        let to = Image::new(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 2, 2));
        let (src, dst) = (SubresourceLayers::COLOR, SubresourceLayers::COLOR);
        for (filter, x) in [(Filter::Nearest, 2045), (Filter::Linear, 2046), (Filter::Cubic, 2045)] {
            let src_offsets = [[x, 2046, 259], [x + 2, 2048, 260]];
            let blit = ImageBlit { src, src_offsets, dst, dst_offsets: [[0; 3], [2, 2, 1]] };
            blit_image(&Pool::new(2), &from.r(), &to.r(), &[blit], filter).unwrap();
            let plane = to.r().plane(Aspects::COLOR, 0, 0).unwrap();
            let mut wanted = [0xff00_00ff, 0xffff_0000];
            wanted.rotate_left((x % 2) as usize);
            for (at, y) in (0..2).flat_map(|x| [0, 1].map(|y| (x, y))) {
                let found = plane.memory.read_texel(plane.at(at, y, 0), 4);
                assert_eq!(found, wanted[at as usize], "{filter:?} {at} {y}");
            }
        }
    }
}
