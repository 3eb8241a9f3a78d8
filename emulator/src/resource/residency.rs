//! Residency of sparse resources: the memory that each page is bound to. `sparse` checks and runs the binds.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_raster::format::Format;
use quadrille_raster::image::sparse::PAGE;
use quadrille_raster::image::{self, ImageType, SparsePages};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result, ensure};
use crate::memory::Memory;
use crate::memory::aliases::{Aliases, User, page_of};

/// Size and alignment of the pieces of memory that are bound, in bytes.
pub const SPARSE_PAGE: u64 = PAGE;

/// Size in texels of a block of an image with sparse residency; `None` if such images are not supported.
pub fn granularity(format: Format, image_type: ImageType) -> Option<[u32; 3]> {
    image::sparse::granularity(&image::ImageDesc { image_type, ..image::ImageDesc::new_2d(format, 1, 1) })
}

/// Pages of an image with sparse residency, and the memory that each is bound to.
pub(crate) struct SparseImage {
    pub pages: Arc<SparsePages>,
    bound: Mutex<FxHashMap<u32, (Memory, u64)>>,
    /// Table of aliased pages, for images whose memory may be bound elsewhere.
    aliases: Option<Arc<Aliases>>,
}

impl SparseImage {
    pub fn new(pages: SparsePages, aliases: Option<Arc<Aliases>>) -> Self {
        SparseImage { pages: Arc::new(pages), bound: Mutex::default(), aliases }
    }

    /// Binds a page to memory, or unbinds it; `texels` is the memory of the image's texels.
    pub fn bind(&self, page: u32, texels: &Memory, from: Option<(&Memory, u64)>) -> Result<()> {
        let mut bound = self.lock();
        let before = match from {
            Some((memory, at)) => bound.insert(page, (memory.clone(), at)),
            None => bound.remove(&page),
        };
        if let (Some(aliases), Some((memory, at))) = (&self.aliases, &before) {
            aliases.remove(memory, *at, &self.pages, page)?;
        }
        let span = texels.span(0, texels.size())?;
        let done = match from {
            Some((memory, at)) => {
                if let Some(aliases) = &self.aliases {
                    let user = User { pages: self.pages.clone(), page, texels: texels.clone() };
                    aliases.add(memory, at, user)?;
                }
                self.pages.copy(page, &span, &page_of(memory, at)?, false)
            }
            None => self.pages.clear(page, &span),
        };
        self.pages.set_resident(page, from.is_some());
        match done {
            true => Ok(()),
            false => Err(Error::invalid(format!("page {page} does not fit its memory"))),
        }
    }

    /// Sets unbound texels of some layers of a level to zero, in a box given by its first and end corner.
    pub fn clear_missing(
        &self,
        texels: &Memory,
        level: u32,
        layers: Range<u32>,
        [first, end]: [[u32; 3]; 2],
    ) -> Result<()> {
        if !self.pages.is_any_missing() {
            return Ok(());
        }
        let span = texels.span(0, texels.size())?;
        let done =
            layers.into_iter().all(|layer| self.pages.clear_missing(&span, [level, layer], first, end));
        ensure(done, || "a sparse image exceeds its address range".into())
    }

    /// Makes aliased texels equal to those of the other resources with the same memory.
    pub fn settle(&self) -> Result<()> {
        self.aliases.as_ref().map_or(Ok(()), |aliases| aliases.settle())
    }

    pub fn lock(&self) -> MutexGuard<'_, FxHashMap<u32, (Memory, u64)>> {
        self.bound.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for SparseImage {
    fn drop(&mut self) {
        let Some(aliases) = self.aliases.take() else { return };
        for (page, (memory, at)) in std::mem::take(&mut *self.lock()) {
            // This cannot fail: memory too short for a page was refused when it was bound.
            let _ = aliases.remove(&memory, at, &self.pages, page);
        }
    }
}
