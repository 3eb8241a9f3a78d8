//! Sparse resources: memory is bound to their addresses in pieces, by queue operations. Spec: Vulkan, "Sparse
//! Resources".
//!
//! Buffers, and images that are bound as a whole, have an address range into which pieces of memory are mapped; the
//! memory must be in a file ([`Device::allocate_shared`](crate::Device::allocate_shared)). A block of an image with
//! sparse residency is not contiguous in the rows of its texels: it is copied from its memory when it is bound, and
//! back when it is rebound. `memory::aliases` keeps the copies equal where memory is bound in several places. Unbound
//! parts read as zeros, and writes to them do nothing (`missing`).

use std::ops::Range;
use std::sync::Arc;

use quadrille_jit::missing::Pages;
use quadrille_raster::image::Span;
use quadrille_raster::image::sparse::PAGE;
use rustc_hash::{FxHashMap, FxHashSet};

use super::buffer::Buffer;
use super::image::Image;
use super::residency::SparseImage;
use crate::error::{Error, Result, ensure};
use crate::memory::Memory;
use crate::memory::aliases::{Aliases, page_of};
use crate::object::{Shared, same_device};

/// The part of a resource that is bound or unbound.
#[derive(Clone, Debug)]
pub enum SparsePart<'a> {
    /// Range of bytes of a buffer.
    Buffer(&'a Buffer, Range<u64>),
    /// Range of bytes of an image, within the size of its memory requirements.
    Opaque(&'a Image, Range<u64>),
    /// Blocks of an image with sparse residency.
    Blocks {
        /// The image.
        image: &'a Image,
        /// Mip level before the mip tail.
        level: u32,
        /// Array layer.
        layer: u32,
        /// First texel, aligned to a block.
        offset: [u32; 3],
        /// Size, in texels.
        extent: [u32; 3],
    },
}

/// A part, and its memory with the offset of the first byte; `None` unbinds the part.
pub type SparseBind<'a> = (SparsePart<'a>, Option<(&'a Memory, u64)>);

/// A checked bind, which a queue runs.
pub(crate) enum Bind {
    /// Maps memory into an address range.
    Map { to: Memory, pages: Option<Arc<Pages>>, range: Range<u64>, from: Option<(Memory, u64)> },
    /// Binds pages of an image with sparse residency to consecutive memory.
    Pages { image: Image, pages: Vec<u32>, from: Option<(Memory, u64)> },
}

fn sparse(image: &Image) -> Result<&SparseImage> {
    image.sparse().ok_or_else(|| Error::invalid("blocks of an image without sparse residency"))
}

impl Bind {
    /// Checks a bind.
    pub fn new((part, from): &SparseBind<'_>) -> Result<Bind> {
        if let Some((memory, offset)) = from {
            memory.check_alive("sparse binding")?;
            ensure(offset.is_multiple_of(PAGE), || {
                format!("offset {offset} of memory for a sparse resource")
            })?;
        }
        let owned = from.map(|(memory, offset)| (memory.clone(), offset));
        let room = |bytes: u64| match from {
            Some((memory, offset)) => {
                let fits = offset.checked_add(bytes).is_some_and(|end| end <= memory.size());
                ensure(fits, || format!("{bytes} bytes at {offset} of memory of {}", memory.size()))
            }
            None => Ok(()),
        };
        let map = |to: &Memory, pages: Option<Arc<Pages>>, range: &Range<u64>| {
            let fits = range.start.is_multiple_of(PAGE) && range.start < range.end && range.end <= to.size();
            ensure(fits, || format!("bytes {range:?} of a sparse resource of {}", to.size()))?;
            ensure(from.is_none_or(|(m, _)| m.file().is_some()), || {
                "sparse resources require shareable memory".into()
            })?;
            room(range.end - range.start)?;
            Ok(Bind::Map { to: to.clone(), pages, range: range.clone(), from: owned.clone() })
        };
        match part {
            SparsePart::Buffer(buffer, range) => {
                from.map_or(Ok(()), |(m, _)| same_device(m, *buffer))?;
                ensure(buffer.pages().is_some(), || "a piece of a buffer that is not sparse".into())?;
                map(buffer.memory()?.0, buffer.pages().cloned(), range)
            }
            SparsePart::Opaque(image, range) => {
                from.map_or(Ok(()), |(m, _)| same_device(m, *image))?;
                ensure(image.desc().flags.sparse_binding, || {
                    "a piece of an image that is not sparse".into()
                })?;
                let Some(of) = image.sparse() else { return map(image.memory()?.0, None, range) };
                let pages = range.end.checked_sub(range.start).and_then(|n| of.pages.range(range.start, n));
                let pages =
                    pages.ok_or_else(|| Error::invalid(format!("bytes {range:?} of a sparse image")))?;
                // The last page may be shorter than the others.
                room(range.end - range.start)?;
                Ok(Bind::Pages { image: (*image).clone(), pages: pages.collect(), from: owned })
            }
            SparsePart::Blocks { image, level, layer, offset, extent } => {
                from.map_or(Ok(()), |(m, _)| same_device(m, *image))?;
                let pages = sparse(image)?.pages.region(*level, *layer, *offset, *extent);
                let pages = pages.ok_or_else(|| {
                    Error::invalid(format!(
                        "{extent:?} texels at {offset:?} of level {level} are not whole blocks"
                    ))
                })?;
                room(pages.len() as u64 * PAGE)?;
                Ok(Bind::Pages { image: (*image).clone(), pages, from: owned })
            }
        }
    }

    /// The image, the pages that the bind changes, and their memory as a range of bytes.
    fn pages(&self) -> Option<(&Image, &[u32], Option<(&Memory, Range<u64>)>)> {
        let Bind::Pages { image, pages, from } = self else { return None };
        let bytes = pages.len() as u64 * PAGE;
        Some((image, pages, from.as_ref().map(|(memory, at)| (memory, *at..at + bytes))))
    }
}

fn texels(image: &Image) -> Result<Span> {
    let (memory, offset) = image.memory()?;
    memory.span(offset, image.layout().size)
}

/// The images of these binds, in the order of their first bind, each with the pages that change.
fn by_image(binds: &[Bind]) -> Vec<(&Image, FxHashSet<u32>)> {
    let mut images: Vec<(&Image, FxHashSet<u32>)> = Vec::new();
    let mut places = FxHashMap::default();
    for (image, pages, _) in binds.iter().filter_map(Bind::pages) {
        let place = *places.entry(image.address()).or_insert(images.len());
        if place == images.len() {
            images.push((image, FxHashSet::default()));
        }
        images[place].1.extend(pages);
    }
    images
}

/// Copies the texels of pages that these binds unbind or rebind back to their memory.
fn save(binds: &[Bind]) -> Result<()> {
    // Addresses of the pages of memory that the binds bind.
    let moved: FxHashSet<u64> = binds
        .iter()
        .filter_map(|b| b.pages()?.2)
        .flat_map(|(memory, bytes)| {
            let first = memory.address();
            bytes.step_by(PAGE as usize).map(move |at| first + at)
        })
        .collect();
    for (image, taken) in by_image(binds) {
        let (of, texels) = (sparse(image)?, texels(image)?);
        for (&page, (memory, at)) in of.lock().iter() {
            let moves = moved.contains(&(memory.address() + at));
            // Freed memory has no contents to keep.
            if (taken.contains(&page) || moves) && memory.check_alive("page").is_ok() {
                let saved = of.pages.copy(page, &texels, &page_of(memory, *at)?, true);
                ensure(saved, || format!("page {page} does not fit its memory"))?;
            }
        }
    }
    Ok(())
}

/// Runs binds in order, on a device with these aliases.
pub(crate) fn run(aliases: &Aliases, binds: &[Bind]) -> Result<()> {
    aliases.settle()?;
    save(binds)?;
    for bind in binds {
        match bind {
            Bind::Map { to, pages, range, from } => {
                let from = from.as_ref().map(|(memory, at)| (memory, *at));
                from.map_or(Ok(()), |(memory, _)| aliases.show(memory))?;
                to.put_piece(range.start, range.end - range.start, from)?;
                if let Some(pages) = pages {
                    for page in range.start / PAGE..range.end.div_ceil(PAGE) {
                        pages.set(page, from.is_some());
                    }
                }
            }
            Bind::Pages { image, pages, from } => {
                let (of, (texels, _)) = (sparse(image)?, image.memory()?);
                for (k, &page) in pages.iter().enumerate() {
                    let from = from.as_ref().map(|(memory, first)| (memory, first + k as u64 * PAGE));
                    of.bind(page, texels, from)?;
                }
            }
        }
    }
    Ok(())
}
