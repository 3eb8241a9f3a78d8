//! Micromaps: builds from memory, and the opacities that triangles of a bottom level have.
//!
//! A bottom level keeps the micromaps of its build, so that nothing that happens to the structures later changes it.
//! States and triangles that lie in no living buffer are transparent, and so are those with a format or level that does
//! not exist.

use std::sync::Arc;

use quadrille_jit::reserve;
use quadrille_rays::{self as rays, MAX_SUBDIVISION_LEVEL, Micromap, MicromapTriangle, States};

use super::geometry::{BuildRange, GeometryData, Indices, TriangleOpacity};
use super::source::{Source, span};
use crate::device::Device;
use crate::error::Result;
use crate::memory::Charge;
use crate::tables::structures::{OpacityMap, Tree};

/// Size of a VkMicromapTriangleKHR, in bytes.
const TRIANGLE_BYTES: u64 = 8;

/// A part that rays miss: offset of a triangle without states.
const NO_STATES: u32 = u32::MAX;

/// Size of a micromap of so many triangles, whose states have so many bytes.
pub(super) fn estimate(triangles: u64, states: u64) -> u64 {
    (size_of::<Micromap>() as u64)
        .saturating_add(triangles.saturating_mul(size_of::<MicromapTriangle>() as u64))
        .saturating_add(states)
}

/// Number of bytes of the states of a triangle of a micromap, by the number of a VkOpacityMicromapFormatKHR and the level
/// of subdivision; 0 for other formats.
pub fn micromap_states(format: u32, level: u32) -> u64 {
    states(format).map_or(0, |states| states.bytes(level))
}

/// The format with a number. Spec: Vulkan, VkOpacityMicromapFormatKHR.
fn states(format: u32) -> Option<States> {
    match format {
        1 => Some(States::Two),
        2 => Some(States::Four),
        _ => None,
    }
}

/// Reads the triangles of a micromap. Their offsets are those in memory.
fn triangles(
    source: Source<'_>,
    first: u64,
    stride: u64,
    range: &BuildRange,
) -> Result<Vec<MicromapTriangle>> {
    let count = u64::from(range.primitive_count);
    let data = source
        .bytes(first.wrapping_add(range.primitive_offset.into()), span(count, stride, TRIANGLE_BYTES))?;
    let none = MicromapTriangle { offset: NO_STATES, level: 0, states: States::Two };
    let mut all = reserve::with_room(range.primitive_count as usize)?;
    for i in 0..count {
        let at = usize::try_from(i.saturating_mul(stride)).unwrap_or(usize::MAX);
        let words = data.get(at..).and_then(|rest| rest.first_chunk::<8>());
        let decoded = words.and_then(|&[a, b, c, d, e, f, g, h]| {
            let level = u32::from(u16::from_le_bytes([e, f]));
            let states = states(u16::from_le_bytes([g, h]).into())?;
            let offset = u32::from_le_bytes([a, b, c, d]);
            (level <= MAX_SUBDIVISION_LEVEL).then_some(MicromapTriangle { offset, level, states })
        });
        all.push(decoded.unwrap_or(none));
    }
    Ok(all)
}

/// The ranges of states that triangles use, in ascending order, apart from each other.
fn runs(triangles: &[MicromapTriangle]) -> Result<Vec<(u64, u64)>> {
    let used = triangles.iter().filter(|of| of.offset != NO_STATES);
    let mut all: Vec<(u64, u64)> = reserve::with_room(triangles.len())?;
    all.extend(used.map(|of| (u64::from(of.offset), u64::from(of.offset) + of.states.bytes(of.level))));
    all.sort_unstable();
    all.dedup_by(|next, last| {
        let joined = next.0 <= last.1;
        if joined {
            last.1 = last.1.max(next.1);
        }
        joined
    });
    Ok(all)
}

/// Addresses and sizes of the states that a build reads.
pub(super) fn state_reads(
    source: Source<'_>,
    geometry: &GeometryData,
    range: &BuildRange,
) -> Vec<(u64, u64)> {
    let GeometryData::Micromap { data, triangles: first, stride, .. } = *geometry else { return Vec::new() };
    let triangles = reserve::carry(triangles(source, first, stride, range));
    let runs = reserve::carry(runs(&triangles));
    runs.into_iter().map(|(from, to)| (data.wrapping_add(from), to - from)).collect()
}

/// Builds a micromap from the states at `data` and the triangles at `first`, `stride` bytes apart.
pub(super) fn build(
    device: &Device,
    source: Source<'_>,
    (data, first, stride): (u64, u64, u64),
    range: &BuildRange,
) -> Result<Tree> {
    let mut triangles = triangles(source, first, stride, range)?;
    let runs = runs(&triangles)?;
    // The first byte of each run in the micromap.
    let mut starts: Vec<u64> = reserve::with_room(runs.len())?;
    let mut states: Vec<u8> = Vec::new();
    for (from, to) in &runs {
        starts.push(states.len() as u64);
        let bytes = source.bytes(data.wrapping_add(*from), to - from)?;
        reserve::grow(&mut states, bytes.len())?;
        states.extend_from_slice(&bytes);
    }
    for of in &mut triangles {
        let run = runs.partition_point(|(from, _)| *from <= u64::from(of.offset)).checked_sub(1);
        let place = run.filter(|_| of.offset != NO_STATES);
        let offset = place.map(|run| starts[run] + u64::from(of.offset) - runs[run].0);
        of.offset = offset.and_then(|at| u32::try_from(at).ok()).unwrap_or(NO_STATES);
    }
    tree(device, Micromap::new(triangles, states))
}

/// The contents of a micromap.
pub(super) fn tree(device: &Device, map: Micromap) -> Result<Tree> {
    let charge = Arc::new(Charge::new(device.heap(), map.size())?);
    Ok(Tree::Micromap(OpacityMap { map: Arc::new(map), charge }))
}

/// Opacities of triangles.
pub(super) struct DecodedOpacity {
    micromap: Option<Arc<Micromap>>,
    indices: Vec<u32>,
}

impl DecodedOpacity {
    /// The opacities as a geometry has them.
    pub fn of_triangles(&self) -> rays::Opacity<'_> {
        rays::Opacity { micromap: self.micromap.as_ref(), indices: &self.indices }
    }
}

/// Address of the indices, and the size of one.
fn index(indices: Indices) -> Option<(u64, u64)> {
    match indices {
        Indices::None => None,
        Indices::U8(address) => Some((address, 1)),
        Indices::U16(address) => Some((address, 2)),
        Indices::U32(address) => Some((address, 4)),
    }
}

/// Address and size of the indices that a geometry reads.
pub(super) fn index_bytes(opacity: &TriangleOpacity, range: &BuildRange) -> (u64, u64) {
    let (address, size) = index(opacity.indices).unwrap_or_default();
    (address, span(range.primitive_count.into(), opacity.stride, size))
}

/// Reads the opacities of the triangles of a geometry.
pub(super) fn opacity(
    device: &Device,
    source: Source<'_>,
    opacity: &TriangleOpacity,
    range: &BuildRange,
) -> Result<DecodedOpacity> {
    let cell = device.structures().find(opacity.micromap);
    let micromap = match cell.and_then(|cell| cell.tree()) {
        Some(Tree::Micromap(of)) => Some(of.map),
        Some(Tree::Bottom(_) | Tree::Top(_)) | None => None,
    };
    let mut indices = reserve::with_room(range.primitive_count as usize)?;
    let based = |number: u32| number.saturating_add(opacity.base).min(u32::MAX - 5);
    let Some((_, size)) = index(opacity.indices) else {
        indices.extend((0..range.primitive_count).map(based));
        return Ok(DecodedOpacity { micromap, indices });
    };
    let (address, bytes) = index_bytes(opacity, range);
    let data = source.bytes(address, bytes)?;
    for i in 0..u64::from(range.primitive_count) {
        let at = usize::try_from(i.saturating_mul(opacity.stride)).unwrap_or(usize::MAX);
        let word = data.get(at..).and_then(|rest| rest.get(..size as usize));
        // Spec: Vulkan, VkOpacityMicromapSpecialIndexKHR: the unsigned casts of -1 to -4 are special.
        let ones = u32::MAX >> (32 - 8 * size as u32);
        let number =
            word.map_or(ones, |word| word.iter().rev().fold(0u32, |all, &b| all << 8 | u32::from(b)));
        indices.push(if number > ones - 4 { number | !ones } else { based(number) });
    }
    Ok(DecodedOpacity { micromap, indices })
}
