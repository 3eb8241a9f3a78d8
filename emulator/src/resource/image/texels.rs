//! Texels of images in the hands of the host, and what follows from its writes: copies for sampling, and the watcher.

use quadrille_jit::reserve;
use quadrille_raster::format::Aspects;
use quadrille_raster::image::Subresource;
use quadrille_raster::transfer;

use super::Image;
use crate::error::{Result, ensure};

impl Image {
    /// Reads layer 0 of a level as tightly packed rows of texels or blocks in the image's format, on the calling
    /// thread. For programs that look at pictures; commands can copy the same data in a submission.
    ///
    /// The host may read at any time. Texels that a running submission writes at that time have unspecified values.
    ///
    /// # Errors
    /// `Invalid` if the image has no such aspect or level, or is not bound. `OutOfMemory` if the host lacks memory for
    /// the texels.
    pub fn read_level(&self, aspect: Aspects, level: u32) -> Result<Vec<u8>> {
        self.read_layer(aspect, level, 0)
    }

    /// Reads any layer of a level; see [`read_level`](Self::read_level).
    ///
    /// # Errors
    /// Those of [`read_level`](Self::read_level); `Invalid` also if the image has no such layer.
    pub fn read_layer(&self, aspect: Aspects, level: u32, layer: u32) -> Result<Vec<u8>> {
        self.read_rows(&self.subresource(aspect, level, layer)?)
    }

    /// Reads sample 0 of all slices of a subresource.
    pub(super) fn read_rows(&self, s: &Subresource) -> Result<Vec<u8>> {
        self.settle()?;
        let (memory, base) = self.plane_memory(s.memory)?;
        let [w, h, d] = s.blocks();
        let row = w as usize * s.format.bytes() as usize;
        let mut out: Vec<u8> = reserve::zeroed(row * h as usize * d as usize)?;
        let n_rows = h as usize;
        for (i, bytes) in out.chunks_exact_mut(row).enumerate() {
            let (z, y) = ((i / n_rows) as u64, (i % n_rows) as u64);
            memory.read_into(base + s.offset + z * s.slice_pitch + y * s.row_pitch, bytes)?;
        }
        Ok(out)
    }

    /// Writes layer 0 of a level from tightly packed rows.
    ///
    /// # Errors
    /// `Invalid` if the image has no such aspect or level, is not bound, or needs another number of bytes than `data`
    /// has.
    pub fn write_level(&self, aspect: Aspects, level: u32, data: &[u8]) -> Result<()> {
        self.write_layer(aspect, level, 0, data)
    }

    /// Writes any layer of a level; see [`write_level`](Self::write_level).
    ///
    /// # Errors
    /// Those of [`write_level`](Self::write_level); `Invalid` also if the image has no such layer.
    pub fn write_layer(&self, aspect: Aspects, level: u32, layer: u32, data: &[u8]) -> Result<()> {
        let s = self.subresource(aspect, level, layer)?;
        self.settle()?;
        let (memory, base) = self.plane_memory(s.memory)?;
        let [w, h, d] = s.blocks();
        let row = w as usize * s.format.bytes() as usize;
        let n_rows = h as usize;
        let want = row * n_rows * d as usize;
        ensure(data.len() == want, || format!("{} bytes for a level of {want}", data.len()))?;
        for (i, bytes) in data.chunks_exact(row).enumerate() {
            let (z, y) = ((i / n_rows) as u64, (i % n_rows) as u64);
            memory.write(base + s.offset + z * s.slice_pitch + y * s.row_pitch, bytes)?;
        }
        self.refresh(level, layer)?;
        self.clear_missing(level, layer..layer + 1, [[0; 3], [u32::MAX; 3]])?;
        self.settle()
    }

    /// Declares the zeros of a new image intended: see `Memory::keep_zeros`.
    pub fn keep_zeros(&self) {
        self.written(|_, _| true);
    }

    /// Tells the device's watcher that the subresources selected by `which` (level, layer) have been written.
    pub(crate) fn written(&self, which: impl Fn(u32, u32) -> bool) {
        let desc = &self.0.desc;
        let all = (0..desc.levels).flat_map(|level| (0..desc.layers).map(move |layer| (level, layer)));
        for (level, layer) in all.filter(|&(level, layer)| which(level, layer)) {
            let layout = &self.0.layout;
            let planes = layout.aspects().filter_map(|aspect| layout.subresource(aspect, level, layer));
            for part in planes.chain(layout.decoded(level, layer)) {
                if let Ok((memory, offset)) = self.plane_memory(part.memory) {
                    memory.written(offset + part.offset, part.size);
                }
            }
        }
    }

    /// Updates data derived from the texels after the host wrote them.
    pub(crate) fn refresh(&self, level: u32, layer: u32) -> Result<()> {
        transfer::refresh_level(&self.transfer()?, level, layer)
    }
}
