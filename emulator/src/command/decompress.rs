//! Decompression of memory: recording and execution.
//!
//! The pages of a command are independent of each other, so that the threads of the pool decode them. Each is decoded in
//! host memory and then copied to its destination: a damaged page is copied up to the damage. A region in memory does nothing
//! if it does not lie in live buffers. Any buffer with a device address will do, whatever its other usages are.
//!
//! Left to [`crate::gdeflate`]: the format.

use std::sync::{Mutex, PoisonError};

use quadrille_jit::reserve;
use quadrille_raster::Watched;
use quadrille_raster::image::Span;

use super::list::{Command, CommandList, DecompressIndirect, Decompression, Ref, Regions};
use super::parameters::METHOD_WORDS;
use super::record::CommandBuffer;
use super::resources::check_budget;
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::BufferUsage;
use crate::gdeflate::{self, Source};
use crate::limits::{LIMITS, at_most};
use crate::resource::buffer::Buffer;
use crate::resource::copies::{DecompressRegion, GDEFLATE_1_0};

impl CommandBuffer {
    /// Decompresses pages of GDeflate 1.0 from memory to memory. `Invalid` unless all regions lie in live buffers.
    ///
    /// Bytes behind the end of a page remain as they are. So do those behind damage in a page, if it is damaged.
    /// Spec: Vulkan, vkCmdDecompressMemoryEXT.
    pub fn decompress_memory(&mut self, regions: &[DecompressRegion]) -> &mut Self {
        self.step(|c| {
            c.outside("decompression")?;
            let mut all = reserve::with_room(regions.len())?;
            for region in regions {
                check(region)?;
                let (src, src_offset) = c.part(region.src_address, region.compressed_size)?;
                let (dst, dst_offset) = c.part(region.dst_address, region.decompressed_size)?;
                let DecompressRegion { compressed_size, decompressed_size, .. } = *region;
                all.push(Decompression {
                    src,
                    src_offset,
                    compressed_size,
                    dst,
                    dst_offset,
                    decompressed_size,
                });
            }
            let cost = regions.iter().fold(0, |n: u64, r| n.saturating_add(r.decompressed_size));
            let regions = Regions::put(&mut c.list.parameters, &all);
            c.add(cost, Command::Decompress(regions))
        })
    }

    /// Decompresses pages of GDeflate 1.0, whose regions and their number are in buffers, but at most `max_count` pages.
    /// A region is four 64-bit words, the members of [`DecompressRegion`]. `with_method`: a fifth word is the method;
    /// regions with other methods than [`GDEFLATE_1_0`] do nothing.
    ///
    /// Spec: Vulkan, vkCmdDecompressMemoryIndirectCountEXT, and vkCmdDecompressMemoryIndirectCountNV with methods.
    pub fn decompress_memory_indirect_count(
        &mut self,
        (regions, offset): (&Buffer, u64),
        (count, count_offset): (&Buffer, u64),
        max_count: u32,
        stride: u32,
        with_method: bool,
    ) -> &mut Self {
        self.step(|c| {
            c.outside("decompression")?;
            regions.need(BufferUsage::INDIRECT, "decompression")?;
            count.need(BufferUsage::INDIRECT, "decompression")?;
            regions.check(offset, 0)?;
            count.check(count_offset, 4)?;
            let most = LIMITS.max_decompression_indirect_count;
            at_most("regions of an indirect decompression", max_count.into(), most)?;
            let (regions, count) = (c.keep(regions)?, (c.keep(count)?, count_offset));
            let indirect = DecompressIndirect { regions, offset, stride, count, max_count, with_method };
            let least = 4 * indirect.words();
            ensure(stride as usize >= least && stride.is_multiple_of(4), || {
                format!(
                    "regions {stride} bytes apart; the stride must be a multiple of 4 and at least {least}"
                )
            })?;
            let indirect = c.list.parameters.put(indirect);
            c.add(u64::MAX, Command::DecompressIndirect(indirect))
        })
    }

    /// Returns the place of bytes at a device address, and keeps their buffer alive.
    fn part(&mut self, address: u64, size: u64) -> Result<(Ref<Buffer>, u64)> {
        let (buffer, offset) = self.buffer_at(address)?;
        buffer.check(offset, size)?;
        buffer.memory()?.0.check_alive("decompression")?;
        Ok((self.keep(&buffer)?, offset))
    }
}

/// Returns `Invalid` if sizes or alignments of a region are. Spec: Vulkan, VkDecompressMemoryRegionEXT.
fn check(region: &DecompressRegion) -> Result<()> {
    let DecompressRegion { src_address, dst_address, compressed_size, decompressed_size } = *region;
    ensure(compressed_size > 0 && decompressed_size > 0, || "decompression of, or to, 0 bytes".into())?;
    at_most("bytes of a decompressed page", decompressed_size, gdeflate::PAGE_BYTES)?;
    ensure(src_address.is_multiple_of(4) && dst_address.is_multiple_of(4), || {
        format!("decompression from {src_address:#x} to {dst_address:#x}: not multiples of 4")
    })
}

/// A page to decompress, whose bytes lie in the buffers.
struct Page {
    src: (Buffer, u64),
    compressed_size: u64,
    dst: (Buffer, u64),
    decompressed_size: u64,
}

impl Page {
    /// Returns the page of a region, if it is valid.
    fn at(device: &Device, region: &DecompressRegion) -> Option<Page> {
        check(region).ok()?;
        let DecompressRegion { src_address, dst_address, compressed_size, decompressed_size } = *region;
        let (src, dst) = (Buffer::at(device, src_address).ok()?, Buffer::at(device, dst_address).ok()?);
        src.0.check(src.1, compressed_size).ok()?;
        dst.0.check(dst.1, decompressed_size).ok()?;
        Some(Page { src, compressed_size, dst, decompressed_size })
    }

    fn decompress(&self, watched: &Watched) -> Result<()> {
        let source =
            Compressed { bytes: self.src.0.span()?, at: self.src.1, size: self.compressed_size, watched };
        let mut out = reserve::zeroed(self.decompressed_size as usize)?;
        let decoded = gdeflate::decompress(&source, &mut out);
        self.dst.0.write::<u8>(self.dst.1, &out[..decoded.len])
    }
}

/// The compressed bytes of a page, in device memory.
struct Compressed<'w> {
    bytes: Span,
    at: u64,
    size: u64,
    watched: &'w Watched,
}

impl Source for Compressed<'_> {
    fn len(&self) -> u64 {
        self.size
    }

    fn read(&self, at: u64, out: &mut [u8]) {
        let inside = self.bytes.read(self.at + at, out);
        debug_assert!(inside, "the size was checked");
    }

    fn stopped(&self) -> bool {
        self.watched.stopped()
    }
}

/// Number of pages whose regions are read at once.
const BATCH: u32 = 256;

/// Decompresses pages, on several threads if that is faster.
fn decompress(device: &Device, watched: &Watched, pages: &[Page]) -> Result<()> {
    let done = Mutex::new(Ok(()));
    device.pool().run_watched(watched, pages.len(), |i| {
        if let Err(error) = pages[i].decompress(watched) {
            *done.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
        }
    });
    check_budget(device, watched, "decompress_memory")?;
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a command whose regions were recorded.
pub(super) fn run(device: &Device, list: &CommandList, regions: &[Decompression]) -> Result<()> {
    let watched = Watched::begin(device.budget())?;
    let page = |r: &Decompression| Page {
        src: (list.buffers[r.src].clone(), r.src_offset),
        compressed_size: r.compressed_size,
        dst: (list.buffers[r.dst].clone(), r.dst_offset),
        decompressed_size: r.decompressed_size,
    };
    regions.chunks(BATCH as usize).try_for_each(|regions| {
        let pages: Vec<Page> = regions.iter().map(page).collect();
        decompress(device, &watched, &pages)
    })
}

/// Runs a command whose regions are in memory.
pub(super) fn run_indirect(device: &Device, list: &CommandList, indirect: &DecompressIndirect) -> Result<()> {
    let watched = Watched::begin(device.budget())?;
    let (count, at) = indirect.count;
    let count = list.buffers[count].read_array::<u32, 1>(at)?[0].min(indirect.max_count);
    let mut pages = reserve::with_room(count.min(BATCH) as usize)?;
    for number in 0..count {
        // The regions behind the end of the buffer do nothing.
        let Some(region) = region(list, indirect, number) else { break };
        pages.extend(region.and_then(|region| Page::at(device, &region)));
        if pages.len() == BATCH as usize {
            decompress(device, &watched, &pages)?;
            pages.clear();
        }
        if number % BATCH == 0 {
            check_budget(device, &watched, "decompress_memory")?;
        }
    }
    decompress(device, &watched, &pages)
}

/// Reads a region. `None` behind the end of the buffer; `Some(None)` if its method is not GDeflate 1.0.
fn region(
    list: &CommandList,
    indirect: &DecompressIndirect,
    number: u32,
) -> Option<Option<DecompressRegion>> {
    let (buffer, at) = (&list.buffers[indirect.regions], indirect.at(number));
    let mut words = [0u32; METHOD_WORDS];
    if buffer.read_into(at, &mut words[..indirect.words()]).is_err() {
        return None;
    }
    let long = |i: usize| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32;
    let region = DecompressRegion {
        src_address: long(0),
        dst_address: long(1),
        compressed_size: long(2),
        decompressed_size: long(3),
    };
    Some((!indirect.with_method || long(4) == GDEFLATE_1_0).then_some(region))
}
