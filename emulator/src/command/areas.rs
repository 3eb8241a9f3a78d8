//! What a command accesses, while it is put together for those who look at what orders commands: bytes of buffers, texels
//! of images.

use std::sync::Arc;

use quadrille_jit::interp::events::{Access, Area, Block, Event, Part};
use quadrille_jit::interp::watch::Range;

use super::list::{Recorded, Ref};
use crate::buffer::Buffer;
use crate::copies::{SubresourceLayers, SubresourceRange};
use crate::image::Image;
use crate::names::Names;
use crate::object::Shared;
use crate::watching::Watching;

/// Parameters of commands in buffers. Bits of VkPipelineStageFlagBits2 and of VkAccessFlagBits2.
pub(super) const INDIRECT: Access = Access { stages: 1 << 1, access: 1, writes: false };
/// Counters are read as parameters of draws or where capturing begins.
pub(super) const READ_COUNTER: Access =
    Access { stages: 1 << 1 | 1 << 24, access: 1 | 1 << 26, writes: false };

/// Whom a command of a list is told to.
pub(super) struct Tell<'a> {
    /// Who looks at it.
    pub watch: &'a Watching,
    /// What objects are called.
    pub names: Option<&'a Names>,
    /// The list.
    pub list: &'a Recorded,
}

impl Tell<'_> {
    /// What an object is called.
    pub fn name(&self, object: &impl Shared) -> Arc<str> {
        self.names.map_or_else(|| "".into(), |names| names.of(object).into())
    }

    /// Tells what the command accesses.
    pub fn accessed(&self, mut areas: Vec<Area>) {
        areas.retain(|a| a.block.bytes().size > 0);
        if !areas.is_empty() {
            self.watch.0.told(&Event::Accessed(&areas));
        }
    }
}

/// What a command of a list accesses, while it is put together.
pub(super) struct Areas<'a> {
    pub tell: &'a Tell<'a>,
    pub part: Part,
    pub found: Vec<Area>,
}

impl<'a> Areas<'a> {
    /// Nothing yet.
    pub fn new(tell: &'a Tell<'a>) -> Areas<'a> {
        Areas { tell, part: Part::Command, found: Vec::new() }
    }

    fn push(&mut self, block: Block, by: Access, what: Arc<str>) {
        self.found.push(Area { block, by, part: self.part, what });
    }

    /// Bytes of a buffer.
    pub fn buffer(&mut self, buffer: Ref<Buffer>, offset: u64, size: u64, by: Access) {
        let buffer = &self.tell.list.buffers[buffer];
        if let Ok(base) = buffer.address() {
            let size = size.min(buffer.size().saturating_sub(offset));
            let block = Block::bytes_of(Range { base: base.saturating_add(offset), size });
            self.push(block, by, self.tell.name(buffer));
        }
    }

    /// Texels from a corner on of layers of an image.
    pub fn texels(
        &mut self,
        image: &Image,
        of: &SubresourceLayers,
        (corner, extent): ([i32; 3], [u32; 3]),
        by: Access,
    ) {
        let (desc, what) = (image.desc(), self.tell.name(image));
        let end = of.base_layer.saturating_add(of.layers).min(desc.layers);
        for aspect in of.aspects.singles() {
            for layer in of.base_layer.min(end)..end {
                let Some(part) = image.layout().subresource(aspect, of.level, layer) else { continue };
                let Ok((memory, offset)) = image.plane_memory(part.memory) else { continue };
                let base = memory.address() + offset + part.offset;
                // Samples lie one behind the other, planes of several have texels of their own size.
                if desc.samples > 1 || image.format().is_multi_planar() {
                    let block = Block::bytes_of(Range { base, size: part.size });
                    self.push(block, by, what.clone());
                    continue;
                }
                let [bw, bh] = part.format.block().map(u64::from);
                let bytes = u64::from(part.format.bytes());
                let first = corner.map(|c| c.max(0) as u64);
                let behind: [u64; 3] = std::array::from_fn(|i| first[i] + u64::from(extent[i]));
                let (row_pitch, slice_pitch) = (part.row_pitch, part.slice_pitch);
                let x = [first[0] / bw * bytes, behind[0].div_ceil(bw) * bytes];
                let (y, z) =
                    ([first[1] / bh, behind[1].div_ceil(bh)], [first[2], behind[2].max(first[2] + 1)]);
                self.push(Block { base, row_pitch, slice_pitch, x, y, z }, by, what.clone());
            }
        }
    }

    pub fn image(&mut self, image: Ref<Image>, of: &SubresourceLayers, at: ([i32; 3], [u32; 3]), by: Access) {
        let list = self.tell.list;
        self.texels(&list.images[image], of, at, by);
    }

    pub fn range(&mut self, image: Ref<Image>, of: &SubresourceRange, by: Access) {
        let desc = self.tell.list.images[image].desc();
        let levels = of.base_level..of.base_level.saturating_add(of.levels).min(desc.levels);
        for level in levels {
            let (aspects, base_layer, layers) = (of.aspects, of.base_layer, of.layers);
            let extent = desc.extent.map(|e| (e >> level).max(1));
            let of = SubresourceLayers { aspects, level, base_layer, layers };
            self.image(image, &of, ([0; 3], extent), by);
        }
    }
}
