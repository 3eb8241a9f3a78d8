//! Attachments in device memory.
//!
//! A [`Target`] is one level of an image: rows, layers and samples at stated pitches. This is the only module of the
//! pipeline that turns pixel coordinates into addresses. Tiles are disjoint, and a tile belongs to one thread at a
//! time, so no two threads touch a texel. No slice or reference is ever formed over the memory. Deciding what to write
//! is left to `tiles`.

use quadrille_jit::error::{Error, Result};

use crate::invoke::Lines;
use crate::limits::{MAX_FRAMEBUFFER_PX, TILE_PX};
use crate::memory::format::Format;
use crate::samples::MAX_SAMPLES;

/// Layout of an attachment's texels.
#[derive(Clone, Copy, Debug)]
pub struct TargetDesc {
    /// Format of the plane: colour, depth or stencil (see `Format::plane`).
    pub format: Format,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Array layers.
    pub layers: u32,
    /// Number of samples per pixel, each in a separate plane.
    pub samples: u32,
    /// Bytes from one row to the next.
    pub row_pitch: u64,
    /// Bytes from one layer to the next.
    pub layer_pitch: u64,
    /// Bytes from one sample's plane to the next.
    pub sample_pitch: u64,
}

/// An attachment.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    base: *mut u8,
    desc: TargetDesc,
    texel_bytes: u32,
}

// SAFETY: the caller of `new` promised that any thread may use the memory.
#[expect(unsafe_code, reason = "raw pointer to device memory")]
unsafe impl Send for Target {}
// SAFETY: the caller of `new` promised that any thread may use the memory. Tiles are disjoint, and `flush` gives each of them to
// one call of `run_tile`, on one thread, so threads do not race for a texel.
#[expect(unsafe_code, reason = "raw pointer to device memory")]
unsafe impl Sync for Target {}

impl Target {
    /// A target at `base`. Fails with `Invalid` if its texels exceed `size` bytes.
    ///
    /// # Safety
    /// `size` bytes at `base` must stay readable and writable from any thread, and must not be used otherwise, until
    /// the pass that the target is attached to has ended.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    pub unsafe fn new(desc: TargetDesc, base: *mut u8, size: u64) -> Result<Self> {
        let texel = u64::from(desc.format.bytes());
        let last = |n: u32| u64::from(n).saturating_sub(1);
        let end = (|| {
            let row = texel.checked_mul(u64::from(desc.width))?;
            desc.row_pitch
                .checked_mul(last(desc.height))?
                .checked_add(desc.layer_pitch.checked_mul(last(desc.layers))?)?
                .checked_add(desc.sample_pitch.checked_mul(last(desc.samples))?)?
                .checked_add(row)
        })();
        let empty = [desc.width, desc.height, desc.layers, desc.samples].contains(&0);
        if empty || desc.width.max(desc.height) > MAX_FRAMEBUFFER_PX || end.is_none_or(|end| end > size) {
            return Err(Error::invalid(format!(
                "attachment of {}x{}x{} texels, {} samples does not fit its memory of {size} bytes",
                desc.width, desc.height, desc.layers, desc.samples
            )));
        }
        Ok(Target { base, desc, texel_bytes: texel as u32 })
    }

    /// The layout of the texels.
    pub fn desc(&self) -> &TargetDesc {
        &self.desc
    }

    /// Format.
    pub fn format(&self) -> Format {
        self.desc.format
    }

    /// Bytes per texel.
    pub fn texel_bytes(&self) -> u32 {
        self.texel_bytes
    }

    /// Address of a texel, which must be inside the target.
    #[inline]
    pub(crate) fn address(&self, layer: u32, sample: u32, x: u32, y: u32) -> *mut u8 {
        let d = &self.desc;
        debug_assert!(x < d.width && y < d.height && layer < d.layers && sample < d.samples);
        let offset = u64::from(layer) * d.layer_pitch
            + u64::from(sample) * d.sample_pitch
            + u64::from(y) * d.row_pitch
            + u64::from(x) * u64::from(self.texel_bytes);
        self.base.wrapping_add(offset as usize)
    }

    /// True if layer and sample exist and the rectangle up to `x1`, `y1` is inside.
    pub(crate) fn contains(&self, layer: u32, sample: u32, x1: u32, y1: u32) -> bool {
        let d = &self.desc;
        layer < d.layers && sample < d.samples && x1 <= d.width && y1 <= d.height
    }

    /// Reads a texel's bytes in little-endian order; zero if the texel is outside the target.
    pub(crate) fn read(&self, layer: u32, sample: u32, x: u32, y: u32) -> u128 {
        let mut bytes = [0u8; 16];
        if self.contains(layer, sample, x + 1, y + 1) {
            let n = (self.texel_bytes as usize).min(16);
            // SAFETY: `contains` has checked that the texel lies inside the target, which the caller of `Target::new`
            // promised to be readable.
            #[expect(unsafe_code, reason = "reads device memory")]
            unsafe {
                self.address(layer, sample, x, y).copy_to_nonoverlapping(bytes.as_mut_ptr(), n);
            }
        }
        u128::from_le_bytes(bytes)
    }

    /// Writes a texel of sample 0; does nothing if the texel is outside the target.
    pub(crate) fn write(&self, layer: u32, x: u32, y: u32, word: u128) {
        if self.contains(layer, 0, x + 1, y + 1) {
            let n = (self.texel_bytes as usize).min(16);
            // SAFETY: `contains` has checked that the texel lies inside the target, which the caller of `Target::new`
            // promised to be writable. Threads write different rows or tiles, so they do not race.
            #[expect(unsafe_code, reason = "writes device memory")]
            unsafe {
                self.address(layer, 0, x, y).copy_from_nonoverlapping(word.to_le_bytes().as_ptr(), n);
            }
        }
    }

    /// Combines all samples of four-byte texels, four texels of a row at a time, and writes the results to sample 0 of
    /// another target. Returns the column at which the remaining texels begin.
    pub(crate) fn combine_blocks(
        &self,
        to: &Target,
        layer: u32,
        y: u32,
        [x0, x1]: [u32; 2],
        combine: impl Fn(&[[u8; 16]]) -> [u8; 16],
    ) -> u32 {
        const BLOCK: u32 = 4;
        let n = self.desc.samples;
        let mut samples = [[0; 16]; MAX_SAMPLES];
        let inside = x0 < x1
            && self.texel_bytes == 4
            && to.texel_bytes == 4
            && n as usize <= MAX_SAMPLES
            && self.contains(layer, 0, x1, y + 1)
            && to.contains(layer, 0, x1, y + 1);
        if !inside {
            return x0;
        }
        let mut x = x0;
        while x + BLOCK <= x1 {
            // SAFETY: `contains` has checked that the block lies inside both targets, which the callers of
            // `Target::new` promised to be readable and writable. Threads combine different rows, so they do not race.
            #[expect(unsafe_code, reason = "reads and writes device memory")]
            unsafe {
                for (s, texels) in samples[..n as usize].iter_mut().enumerate() {
                    *texels = self.address(layer, s as u32, x, y).cast::<[u8; 16]>().read_unaligned();
                }
                let texels = combine(&samples[..n as usize]);
                to.address(layer, 0, x, y).cast::<[u8; 16]>().write_unaligned(texels);
            }
            x += BLOCK;
        }
        x
    }

    /// Fills `x0..x1`, `y0..y1` of a layer with a texel, in all samples.
    pub(crate) fn fill(&self, layer: u32, [x0, y0, x1, y1]: [u32; 4], texel: &[u8; 16]) {
        if x0 >= x1 || y0 >= y1 || !self.contains(layer, 0, x1, y1) {
            return;
        }
        for sample in 0..self.desc.samples {
            for y in y0..y1 {
                fill_row(self.address(layer, sample, x0, y), x1 - x0, self.texel_bytes, texel);
            }
        }
    }

    /// Clears `x0..x1`, `y0..y1` of a layer to zero, in all samples. Rows that are zero already are not written,
    /// because the host may not have committed memory for them.
    pub(crate) fn make_zero(&self, layer: u32, [x0, y0, x1, y1]: [u32; 4]) {
        let bits = |sample, x, y| self.read(layer, sample, x, y);
        for y in y0..y1 {
            if (0..self.desc.samples).any(|sample| (x0..x1).any(|x| bits(sample, x, y) != 0)) {
                self.fill(layer, [x0, y, x1, y + 1], &[0; 16]);
            }
        }
    }

    /// Copies `x0..x1`, `y0..y1` of a layer of a target with the same texel size to all samples.
    pub(crate) fn expand(&self, from: &Target, layer: u32, [x0, y0, x1, y1]: [u32; 4]) {
        let inside = self.contains(layer, 0, x1, y1) && from.contains(layer, 0, x1, y1);
        if x0 >= x1 || y0 >= y1 || !inside || self.texel_bytes != from.texel_bytes {
            return;
        }
        let n = (x1 - x0) as usize * self.texel_bytes as usize;
        for sample in 0..self.desc.samples {
            for y in y0..y1 {
                // SAFETY: `contains` has checked that both rows lie inside their targets, which the callers of
                // `Target::new` promised to be readable and writable. `copy_to` permits overlap.
                #[expect(unsafe_code, reason = "copies rows of device memory")]
                unsafe {
                    from.address(layer, 0, x0, y).copy_to(self.address(layer, sample, x0, y), n);
                }
            }
        }
    }
}

/// Fills `n` texels of `bytes` bytes from `at` on.
fn fill_row(at: *mut u8, n: u32, bytes: u32, texel: &[u8; 16]) {
    let n = n as usize;
    // SAFETY: `fill` has checked that the row's `n` texels lie inside the target, which the caller of `Target::new`
    // promised to be writable. The writes are unaligned and form no reference.
    #[expect(unsafe_code, reason = "writes device memory")]
    unsafe {
        if texel[1..bytes as usize].iter().all(|&b| b == texel[0]) {
            at.write_bytes(texel[0], n * bytes as usize);
            return;
        }
        match bytes {
            2 => (0..n).for_each(|i| at.cast::<[u8; 2]>().add(i).write_unaligned([texel[0], texel[1]])),
            4 => {
                let t = [texel[0], texel[1], texel[2], texel[3]];
                (0..n).for_each(|i| at.cast::<[u8; 4]>().add(i).write_unaligned(t));
            }
            8 => {
                let mut t = [0; 8];
                t.copy_from_slice(&texel[..8]);
                (0..n).for_each(|i| at.cast::<[u8; 8]>().add(i).write_unaligned(t));
            }
            16 => (0..n).for_each(|i| at.cast::<[u8; 16]>().add(i).write_unaligned(*texel)),
            b => {
                let b = b as usize;
                (0..n).for_each(|i| at.add(i * b).copy_from_nonoverlapping(texel.as_ptr(), b.min(16)));
            }
        }
    }
}

/// Memory of a whole tile, for kernels.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileMemory {
    /// Address of the tile's first pixel.
    pub base: *mut u8,
    /// Bytes from one row to the next.
    pub pitch: u32,
    pub pad: u32,
}

impl TileMemory {
    /// No memory.
    pub const NONE: TileMemory = TileMemory { base: std::ptr::null_mut(), pitch: 0, pad: 0 };
}

/// A tile of one layer and sample of a target, used by one thread.
///
/// Its memory can be read and written over the whole tile. It is a copy if the tile extends beyond the render area, or
/// if nothing may be kept. [`TileView::finish`] writes the copy back only if the contents are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileView {
    target: Target,
    layer: u32,
    sample: u32,
    /// Part of the render area in the tile: x0, y0, x1, y1.
    rect: [i32; 4],
    /// First pixel of the tile.
    origin: [i32; 2],
    memory: TileMemory,
    /// `true` if rendered contents are kept.
    kept: bool,
}

impl Target {
    /// Returns the tile at `origin`, with `rect` as its part of the render area; `None` if `rect` is not inside. `copy`
    /// provides memory for tiles that extend beyond `rect`, or that are not `kept`. It must not be used for anything
    /// else until the tile is finished.
    pub(crate) fn tile(
        &self,
        [layer, sample]: [u32; 2],
        origin: [i32; 2],
        rect: [i32; 4],
        copy: &mut Lines,
        kept: bool,
    ) -> Option<TileView> {
        let tile = TILE_PX as i32;
        let whole = [origin[0], origin[1], origin[0] + tile, origin[1] + tile];
        let inside = rect[0] >= origin[0].max(0)
            && rect[1] >= origin[1].max(0)
            && rect[0] < rect[2]
            && rect[1] < rect[3]
            && rect[2] <= whole[2]
            && rect[3] <= whole[3]
            && self.contains(layer, sample, rect[2] as u32, rect[3] as u32);
        if !inside {
            return None;
        }
        let pitch = u32::try_from(self.desc.row_pitch).ok().filter(|_| rect == whole && kept);
        let memory = match pitch {
            Some(pitch) => {
                let base = self.address(layer, sample, origin[0] as u32, origin[1] as u32);
                TileMemory { base, pitch, pad: 0 }
            }
            None => {
                let row = TILE_PX * self.texel_bytes;
                let base = copy.room((TILE_PX * row) as usize).as_mut_ptr().cast();
                TileMemory { base, pitch: row, pad: 0 }
            }
        };
        let view = TileView { target: *self, layer, sample, rect, origin, memory, kept };
        if pitch.is_none() {
            view.each_row(|copy, target, n| {
                // SAFETY: `each_row` passes rows of `n` bytes inside the copy and inside the target, which do not
                // overlap.
                #[expect(unsafe_code, reason = "copies rows of device memory")]
                unsafe {
                    copy.copy_from_nonoverlapping(target, n);
                }
            });
        }
        Some(view)
    }
}

impl TileView {
    /// Format.
    pub fn format(&self) -> Format {
        self.target.desc.format
    }

    /// Memory of the tile.
    pub fn memory(&self) -> TileMemory {
        self.memory
    }

    /// Writes a copy back to the target.
    pub fn finish(&self) {
        let own = self.target.address(self.layer, self.sample, self.rect[0] as u32, self.rect[1] as u32);
        if self.kept && self.address(self.rect[0], self.rect[1]) != own {
            self.each_row(|copy, target, n| {
                // SAFETY: `each_row` passes rows of `n` bytes inside the copy and inside the target, which do not
                // overlap.
                #[expect(unsafe_code, reason = "copies rows of device memory")]
                unsafe {
                    target.copy_from_nonoverlapping(copy, n);
                }
            });
        }
    }

    /// Calls `f` with the addresses of each row of `rect` in the tile's memory and in the target, and with the row's
    /// number of bytes. If the tile's memory is a copy, both are valid for that many bytes and do not overlap.
    fn each_row(&self, f: impl Fn(*mut u8, *mut u8, usize)) {
        let [x0, y0, x1, y1] = self.rect;
        let n = (x1 - x0) as usize * self.target.texel_bytes as usize;
        for y in y0..y1 {
            f(self.address(x0, y), self.target.address(self.layer, self.sample, x0 as u32, y as u32), n);
        }
    }

    /// Address in the tile's memory of a pixel, which must be inside the tile.
    fn address(&self, x: i32, y: i32) -> *mut u8 {
        let (dx, dy) = ((x - self.origin[0]) as usize, (y - self.origin[1]) as usize);
        self.memory.base.wrapping_add(dy * self.memory.pitch as usize + dx * self.target.texel_bytes as usize)
    }

    fn texel(&self, x: i32, y: i32) -> Option<*mut u8> {
        let [x0, y0, x1, y1] = self.rect;
        let inside = x >= x0 && x < x1 && y >= y0 && y < y1;
        inside.then(|| self.address(x, y))
    }

    /// Reads a texel's bytes in little-endian order; zero outside `rect`.
    pub fn read(&self, x: i32, y: i32) -> u128 {
        let mut bytes = [0u8; 16];
        if let Some(at) = self.texel(x, y) {
            let n = (self.target.texel_bytes as usize).min(16);
            // SAFETY: `texel` has checked that the texel lies inside `rect`. Its memory is the target's, which the
            // caller of `Target::new` promised to be readable, or the copy's, which `tile` sized for the whole tile.
            #[expect(unsafe_code, reason = "reads device memory")]
            unsafe {
                at.copy_to_nonoverlapping(bytes.as_mut_ptr(), n);
            }
        }
        u128::from_le_bytes(bytes)
    }

    /// Writes a texel; does nothing outside `rect`.
    pub fn write(&self, x: i32, y: i32, word: u128) {
        if let Some(at) = self.texel(x, y) {
            let n = (self.target.texel_bytes as usize).min(16);
            // SAFETY: `texel` has checked that the texel lies inside `rect`. Its memory is the target's, which the
            // caller of `Target::new` promised to be writable, or the copy's. The tile belongs to this thread.
            #[expect(unsafe_code, reason = "writes device memory")]
            unsafe {
                at.copy_from_nonoverlapping(word.to_le_bytes().as_ptr(), n);
            }
        }
    }
}
