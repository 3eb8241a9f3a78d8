//! What commands access besides what shaders do, and the barriers between them, for those who watch a device on which
//! nothing but barriers orders commands.
//!
//! Not told: vertices and indices, attributes, counters and conditions in buffers, what is copied by addresses in buffers.

use quadrille_jit::interp::events::{Access, Area, Block, Dependency, Event};
use quadrille_jit::interp::watch::Range;
use quadrille_raster::pass::LoadOp;
use quadrille_raster::state::Rect;

use super::list::{Command, Recorded, Ref};
use super::notes::{NotedBarrier, NotedOf};
use crate::buffer::Buffer;
use crate::copies::{SubresourceLayers, SubresourceRange};
use crate::image::{Image, ImageView};
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::watching::Watching;

/// Bits of VkPipelineStageFlagBits2 and of VkAccessFlagBits2. Transfers are named both as all of them are and as their sort.
const fn transfer(sort: u64, writes: bool) -> Access {
    Access { stages: 1 << 12 | sort, access: if writes { 1 << 12 } else { 1 << 11 }, writes }
}
const COPY: u64 = 1 << 32;
const RESOLVE: u64 = 1 << 33;
const BLIT: u64 = 1 << 34;
const CLEAR: u64 = 1 << 35;
const INDIRECT: Access = Access { stages: 1 << 1, access: 1, writes: false };
const COLOR: Access = Access { stages: 1 << 10, access: 1 << 7 | 1 << 8, writes: true };
const DEPTH: Access = Access { stages: 1 << 8 | 1 << 9, access: 1 << 9 | 1 << 10, writes: true };

/// What commands of a list access, while it is put together.
struct Areas<'a> {
    list: &'a Recorded,
    found: Vec<Area>,
}

impl Areas<'_> {
    fn buffer(&mut self, buffer: Ref<Buffer>, offset: u64, size: u64, by: Access) {
        let buffer = &self.list.buffers[buffer];
        if let Ok(base) = buffer.address() {
            let size = size.min(buffer.size().saturating_sub(offset));
            let block = Block::bytes_of(Range { base: base.saturating_add(offset), size });
            self.found.push(Area { block, by });
        }
    }

    /// Texels from a corner on of layers of an image.
    fn texels(
        &mut self,
        image: &Image,
        of: &SubresourceLayers,
        (corner, extent): ([i32; 3], [u32; 3]),
        by: Access,
    ) {
        let desc = image.desc();
        let end = of.base_layer.saturating_add(of.layers).min(desc.layers);
        for aspect in of.aspects.singles() {
            for layer in of.base_layer.min(end)..end {
                let Some(part) = image.layout().subresource(aspect, of.level, layer) else { continue };
                let Ok((memory, offset)) = image.plane_memory(part.memory) else { continue };
                let base = memory.address() + offset + part.offset;
                // Samples lie one behind the other, planes of several have texels of their own size.
                if desc.samples > 1 || image.format().is_multi_planar() {
                    let block = Block::bytes_of(Range { base, size: part.size });
                    self.found.push(Area { block, by });
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
                self.found.push(Area { block: Block { base, row_pitch, slice_pitch, x, y, z }, by });
            }
        }
    }

    fn image(&mut self, image: Ref<Image>, of: &SubresourceLayers, at: ([i32; 3], [u32; 3]), by: Access) {
        let list = self.list;
        self.texels(&list.images[image], of, at, by);
    }

    fn range(&mut self, image: Ref<Image>, of: &SubresourceRange, by: Access) {
        let desc = self.list.images[image].desc();
        let levels = of.base_level..of.base_level.saturating_add(of.levels).min(desc.levels);
        for level in levels {
            let (aspects, base_layer, layers) = (of.aspects, of.base_layer, of.layers);
            let extent = desc.extent.map(|e| (e >> level).max(1));
            self.image(
                image,
                &SubresourceLayers { aspects, level, base_layer, layers },
                ([0; 3], extent),
                by,
            );
        }
    }

    fn attachment(&mut self, view: &ImageView, area: Rect, by: Access) {
        let (image, desc) = (view.image(), view.desc());
        let aspects = view.desc().format.aspects();
        let (level, base_layer, layers) = (desc.base_level, desc.base_layer, desc.layers);
        let of = SubresourceLayers { aspects, level, base_layer, layers };
        let slices = image.desc().layers == 1 && image.desc().extent[2] > 1;
        let (first, n) = if slices { (base_layer as i32, layers) } else { (0, 1) };
        let of = if slices { SubresourceLayers { base_layer: 0, layers: 1, ..of } } else { of };
        self.texels(image, &of, ([area.x, area.y, first], [area.width, area.height, n]), by);
    }

    fn attachments(&mut self, info: &RenderingInfo) {
        for a in info.colors.iter().flatten() {
            for view in std::iter::once(&a.view).chain(&a.resolve) {
                self.attachment(view, info.area, COLOR);
            }
        }
        // What is not cleared may only be read.
        let cleared = |a: &&RenderingAttachment| matches!(a.load, LoadOp::Clear(_));
        if let Some(a) = info.depth.iter().chain(&info.stencil).find(cleared) {
            self.attachment(&a.view, info.area, DEPTH);
        }
    }

    fn add(&mut self, command: &Command) -> Option<&'static str> {
        let list = self.list;
        let corners = |c: &[[i32; 3]; 2]| {
            let first: [i32; 3] = std::array::from_fn(|i| c[0][i].min(c[1][i]));
            (first, std::array::from_fn(|i| c[0][i].max(c[1][i]).saturating_sub(first[i]).max(1) as u32))
        };
        match command {
            Command::CopyBuffer { src, dst, regions } => {
                for r in regions {
                    self.buffer(*src, r.src_offset, r.size, transfer(COPY, false));
                    self.buffer(*dst, r.dst_offset, r.size, transfer(COPY, true));
                }
                Some("vkCmdCopyBuffer")
            }
            Command::CopyImage { src, dst, regions } => {
                for r in regions {
                    self.image(*src, &r.src, (r.src_offset, r.extent), transfer(COPY, false));
                    self.image(*dst, &r.dst, (r.dst_offset, r.extent), transfer(COPY, true));
                }
                Some("vkCmdCopyImage")
            }
            Command::CopyBufferToImage { src, dst, regions } => {
                for r in regions {
                    let size = list.images[*dst].region_bytes(r).unwrap_or(0);
                    self.buffer(*src, r.buffer_offset, size, transfer(COPY, false));
                    self.image(*dst, &r.subresource, (r.offset, r.extent), transfer(COPY, true));
                }
                Some("vkCmdCopyBufferToImage")
            }
            Command::CopyImageToBuffer { src, dst, regions } => {
                for r in regions {
                    let size = list.images[*src].region_bytes(r).unwrap_or(0);
                    self.image(*src, &r.subresource, (r.offset, r.extent), transfer(COPY, false));
                    self.buffer(*dst, r.buffer_offset, size, transfer(COPY, true));
                }
                Some("vkCmdCopyImageToBuffer")
            }
            Command::Blit { src, dst, regions, .. } => {
                for r in regions {
                    self.image(*src, &r.src, corners(&r.src_offsets), transfer(BLIT, false));
                    self.image(*dst, &r.dst, corners(&r.dst_offsets), transfer(BLIT, true));
                }
                Some("vkCmdBlitImage")
            }
            Command::Resolve { src, dst, regions, .. } => {
                for r in regions {
                    self.image(*src, &r.src, (r.src_offset, r.extent), transfer(RESOLVE, false));
                    self.image(*dst, &r.dst, (r.dst_offset, r.extent), transfer(RESOLVE, true));
                }
                Some("vkCmdResolveImage")
            }
            Command::FillBuffer { dst, offset, size, .. } => {
                self.buffer(*dst, *offset, *size, transfer(COPY | CLEAR, true));
                Some("vkCmdFillBuffer")
            }
            Command::UpdateBuffer { dst, offset, data } => {
                self.buffer(*dst, *offset, data.len() as u64, transfer(COPY | CLEAR, true));
                Some("vkCmdUpdateBuffer")
            }
            Command::ClearImage { image, ranges, .. } => {
                ranges.iter().for_each(|r| self.range(*image, r, transfer(CLEAR, true)));
                Some("vkCmdClearColorImage")
            }
            Command::DispatchIndirect { buffer, offset, .. } => {
                self.buffer(*buffer, *offset, 12, INDIRECT);
                Some("vkCmdDispatchIndirect")
            }
            Command::DrawIndirect { indirect, .. } => {
                match &indirect.count {
                    Some((buffer, offset)) => self.buffer(*buffer, *offset, 4, INDIRECT),
                    None => {
                        let last =
                            u64::from(indirect.max_draws.saturating_sub(1)) * u64::from(indirect.stride);
                        let size = last + indirect.kind.words() as u64 * 4;
                        let size = if indirect.max_draws == 0 { 0 } else { size };
                        self.buffer(indirect.buffer, indirect.offset, size, INDIRECT);
                    }
                }
                Some("vkCmdDrawIndirect")
            }
            Command::BeginRendering(info) => {
                self.attachments(info);
                Some("vkCmdBeginRendering")
            }
            _ => None,
        }
    }
}

/// Tells what a command of a list accesses.
pub(super) fn tell(watch: &Watching, list: &Recorded, command: &Command) {
    let mut areas = Areas { list, found: Vec::new() };
    if let Some(command) = areas.add(command) {
        areas.found.retain(|a| a.block.bytes().size > 0);
        watch.0.told(&Event::Accessed { command, areas: &areas.found });
    }
}

/// Tells of the barriers of a command.
pub(super) fn barriers(watch: &Watching, list: &Recorded, barriers: &[NotedBarrier]) {
    let of = |of: &NotedOf| match of {
        NotedOf::Memory => None,
        NotedOf::Buffer { buffer, offset, size } => {
            let buffer = &list.buffers[*buffer];
            let size = (*size).min(buffer.size().saturating_sub(*offset));
            buffer.address().ok().map(|base| Range { base: base.saturating_add(*offset), size })
        }
        // Planes lie in memory of their own: any of them is meant then.
        NotedOf::Image { image, .. } => {
            let image = &list.images[*image];
            let whole = image.memory().ok().filter(|_| image.layout().sizes().len() == 1);
            whole.map(|(memory, offset)| Range { base: memory.address() + offset, size: image.layout().size })
        }
    };
    let all: Vec<Dependency> = barriers
        .iter()
        .map(|b| Dependency {
            src_stages: b.dependency.src_stages,
            src_access: b.dependency.src_access,
            dst_stages: b.dependency.dst_stages,
            dst_access: b.dependency.dst_access,
            of: of(&b.of),
        })
        .collect();
    watch.0.told(&Event::Barrier(&all));
}
