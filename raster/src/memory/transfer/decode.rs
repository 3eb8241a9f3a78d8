//! Decoded texels of compressed images: updated after transfers into them, and temporary for sources of blits. Decoding
//! of single blocks is left to [`crate::memory::format::compressed`].

use quadrille_jit::error::{Error, Result};
use quadrille_jit::reserve;

use super::{Area, ImageRef, Plane, Runner, for_each, must};
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

/// Decodes some slices of texels of a plane of blocks into newly allocated memory.
pub(super) fn copy<'a>(
    on: Runner<'_>,
    blocks: &Plane<'a>,
    slices: std::ops::Range<u32>,
) -> Result<Decoded<'a>> {
    let format = blocks.format.decoded();
    let [w, h, d] = blocks.texels;
    let row_pitch = (u64::from(w) * u64::from(format.bytes())).next_multiple_of(16);
    let slice_pitch = row_pitch * u64::from(h);
    // Whole blocks are decoded, but no slices beyond the level.
    let depth = match blocks.format.block()[2] {
        1 => slices.end,
        n => slices.end.next_multiple_of(n).min(d),
    };
    let size = slice_pitch * u64::from(depth);
    if size > 1 << 32 {
        return Err(Error::Limit(format!("decoding {size} bytes for a blit")));
    }
    let mut store: Vec<u128> = reserve::zeroed((size as usize).div_ceil(16))?;
    // SAFETY: `Decoded` keeps `store` alive as long as `plane`, and the memory is accessed only through the plane.
    #[expect(unsafe_code, reason = "wraps memory of the plane's owner")]
    let memory = unsafe { Span::new(store.as_mut_ptr().cast(), size) };
    let extent = [w, h, d];
    let plane = Plane { memory, format, extent, offset: 0, row_pitch, slice_pitch, ..*blocks };
    let deep = blocks.format.block()[2];
    let (first, end) = (slices.start / deep, slices.end.div_ceil(deep));
    let area = Area { slice: first, slices: end - first, ..Area::whole(blocks, blocks.slices) };
    decode(on, blocks, &plane, &area);
    Ok(Decoded { plane, _store: store })
}
