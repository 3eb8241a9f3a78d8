//! Events of a trace for commands of acceleration structures.

use super::super::list::CommandList;
use super::super::structure_copy::{StructureCopy, StructureProperties};
use super::described;
use crate::object::names::Names;
use crate::rays::{RecordedBuild, stored_len};
use crate::trace::{Event, words};

/// Describes builds: `build acceleration structure 1 of 12 primitives`, with a line for each geometry.
pub(super) fn builds(names: &Names, builds: &[RecordedBuild]) -> Event {
    let mut lines = Vec::new();
    let one = |recorded: &RecordedBuild| {
        let build = &recorded.build;
        lines.extend(build.geometries.iter().map(|(geometry, range)| format!("{geometry:?}, {range:?}")));
        let count: u64 = build.geometries.iter().map(|(_, range)| u64::from(range.primitive_count)).sum();
        let what = if build.update.is_some() { "update" } else { "build" };
        let most = if recorded.ranges.is_some() { "at most " } else { "" };
        format!("{what} {} of {most}{count} primitives", names.of(&build.dst))
    };
    let all: Vec<String> = builds.iter().map(one).collect();
    let mut event = Event::new("transfer", all.join(", "));
    event.detail("region", lines);
    event
}

/// Describes a copy: `copy acceleration structure 1 to acceleration structure 2`.
pub(super) fn copy(names: &Names, list: &CommandList, copy: &StructureCopy) -> Event {
    let message = match copy {
        StructureCopy::Clone { src, dst } => format!("copy {} to {}", names.of(src), names.of(dst)),
        StructureCopy::Serialize { src, dst, offset, version: _ } => {
            let to = described::bytes(names, &list.buffers[*dst], *offset, src.bytes_len());
            format!("serialize {} to {to}", names.of(src))
        }
        StructureCopy::Deserialize { src, offset, dst, version: _ } => {
            let from = &list.buffers[*src];
            let size = stored_len(from, *offset);
            let from = described::bytes(names, from, *offset, size);
            format!("deserialize {from} to {}", names.of(dst))
        }
    };
    Event::new("transfer", message)
}

/// Describes a query of properties.
pub(super) fn properties(names: &Names, list: &CommandList, query: &StructureProperties) -> Event {
    let pool = &list.queries[query.pool];
    let of: Vec<String> = query.structures.iter().map(|of| names.of(of)).collect();
    let (first, end) = (query.first, query.first as usize + query.structures.len());
    let message = format!("write properties of {} to queries {first}..{end}", of.join(", "));
    Event::new("query", format!("{message} of {} ({})", names.of(pool), words(pool.kind())))
}
