//! What sparse resources keep of the memory that they have: binding it is the business of `sparse`.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_raster::format::Format;
use quadrille_raster::image::sparse::PAGE;
use quadrille_raster::image::{self, ImageType, SparsePages};
use rustc_hash::FxHashMap;

use crate::aliases::{Aliases, User, page_of};
use crate::error::{Error, Result, ensure};
use crate::memory::Memory;

/// Size and alignment of pieces of memory.
pub const SPARSE_PAGE: u64 = PAGE;

/// Texels of a block of images with residency; `None` if there are no such images.
pub fn granularity(format: Format, image_type: ImageType) -> Option<[u32; 3]> {
    image::sparse::granularity(&image::ImageDesc { image_type, ..image::ImageDesc::new_2d(format, 1, 1) })
}

/// The pages of an image with residency, and where their bytes are.
pub(crate) struct SparseImage {
    pub pages: Arc<SparsePages>,
    bound: Mutex<FxHashMap<u32, (Memory, u64)>>,
    /// Where others are told of its pages: of an image whose memory may show elsewhere.
    aliases: Option<Arc<Aliases>>,
}

impl SparseImage {
    pub fn new(pages: SparsePages, aliases: Option<Arc<Aliases>>) -> Self {
        SparseImage { pages: Arc::new(pages), bound: Mutex::default(), aliases }
    }

    /// Binds a page to memory, or to none, where its texels' memory begins with those of the image.
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

    /// Makes zero what some layers of a level have without memory, in a box of texels: the first and the end.
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
        ensure(done, || "a sparse image is larger than its addresses".into())
    }

    /// Makes texels that show elsewhere, too, the same there and here.
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
            // Memory that is too short for a page has been refused when it was bound.
            let _ = aliases.remove(&memory, at, &self.pages, page);
        }
    }
}
