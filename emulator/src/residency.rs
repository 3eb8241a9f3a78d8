//! What sparse resources keep of the memory that they have: binding it is the business of `sparse`.

use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_raster::format::Format;
use quadrille_raster::image::sparse::PAGE;
use quadrille_raster::image::{self, ImageType, SparsePages};
use rustc_hash::FxHashMap;

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
}

impl SparseImage {
    pub fn new(pages: SparsePages) -> Self {
        SparseImage { pages: Arc::new(pages), bound: Mutex::default() }
    }

    pub fn lock(&self) -> MutexGuard<'_, FxHashMap<u32, (Memory, u64)>> {
        self.bound.lock().unwrap_or_else(|e| e.into_inner())
    }
}
