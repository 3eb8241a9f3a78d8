//! Events of a trace for commands that decompress memory.

use super::super::list::{CommandList, DecompressIndirect, Decompression};
use super::described;
use crate::object::names::Names;
use crate::trace::Event;

/// Describes a command with recorded regions: `decompress 2 pages`, with a line for each page.
pub(super) fn direct(names: &Names, list: &CommandList, regions: &[Decompression]) -> Event {
    let line = |r: &Decompression| {
        let from = described::bytes(names, &list.buffers[r.src], r.src_offset, r.compressed_size);
        let to = described::bytes(names, &list.buffers[r.dst], r.dst_offset, r.decompressed_size);
        format!("{from} to {to}")
    };
    let pages = if regions.len() == 1 { "page" } else { "pages" };
    let mut event = Event::new("transfer", format!("decompress {} {pages}", regions.len()));
    event.detail("region", regions.iter().map(line).collect());
    event
}

/// Describes a command with regions in memory: `decompress 2 pages (regions in buffer 1)`.
pub(super) fn indirect(names: &Names, list: &CommandList, indirect: &DecompressIndirect) -> Event {
    let (count, at) = indirect.count;
    let found = list.buffers[count].read_array::<u32, 1>(at).map_or(0, |[found]| found);
    let n = found.min(indirect.max_count);
    let from = names.of(&list.buffers[indirect.regions]);
    Event::new("transfer", format!("decompress {n} pages (regions in {from})"))
}
