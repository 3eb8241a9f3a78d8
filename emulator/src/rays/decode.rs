//! Geometry in memory: reads vertices, indices, matrices, boxes and instances.
//!
//! Primitives whose data lies in no living buffer are inactive, as those with a NaN in the first coordinate are. The
//! number of decoded elements is at most that of the primitives that the build asks for, or three for each triangle.

use quadrille_jit::reserve;
use quadrille_raster::format::{Aspects, Format, MAX_TEXEL_BYTES};
use quadrille_rays::{self as rays, Aabb, Affine, Instance, InstanceFlags, Point, Triangles};
use rustc_hash::FxHashMap;

use super::geometry::{BuildRange, GeometryData, Indices, StructureGeometry};
use super::micromap::{self, DecodedOpacity};
use super::source::{Source, span};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::flags::GeometryFlags;
use crate::tables::structures::{Referenced, References};

/// Primitives of a geometry.
pub(super) enum Decoded {
    Triangles {
        positions: Vec<Point>,
        indices: Option<Vec<[u32; 3]>>,
        transform: Option<Affine>,
        opacity: Option<DecodedOpacity>,
    },
    Boxes(Vec<Aabb>),
}

impl Decoded {
    pub fn geometry(&self, flags: GeometryFlags) -> rays::Geometry<'_> {
        let primitives = match self {
            Decoded::Triangles { positions, indices, transform, .. } => {
                rays::Primitives::Triangles(Triangles {
                    positions,
                    indices: indices.as_deref(),
                    transform: *transform,
                })
            }
            Decoded::Boxes(boxes) => rays::Primitives::Boxes(boxes),
        };
        rays::Geometry {
            primitives,
            opaque: flags.contains(GeometryFlags::OPAQUE),
            no_duplicates: flags.contains(GeometryFlags::NO_DUPLICATE_ANY_HIT_INVOCATION),
            opacity: match self {
                Decoded::Triangles { opacity, .. } => opacity.as_ref().map(DecodedOpacity::of_triangles),
                Decoded::Boxes(_) => None,
            },
        }
    }
}

/// Number of elements of `size` bytes, `stride` bytes apart, that lie in `data`.
fn elements(data: &[u8], stride: u64, size: u64) -> u64 {
    let rest = (data.len() as u64).checked_sub(size);
    rest.map_or(0, |rest| rest.checked_div(stride).map_or(u64::MAX, |n| n + 1))
}

/// A list of decoded elements; `OutOfMemory` if the host has no room for it.
fn list<T>(count: u64, one: impl Fn(u64) -> T) -> Result<Vec<T>> {
    let mut list = reserve::with_room(usize::try_from(count).unwrap_or(usize::MAX))?;
    list.extend((0..count).map(one));
    Ok(list)
}

fn floats<const N: usize>(bytes: &[u8]) -> Option<[f32; N]> {
    let mut out = [0.0; N];
    for (value, word) in out.iter_mut().zip(bytes.get(..4 * N)?.chunks_exact(4)) {
        *value = f32::from_le_bytes(word.try_into().ok()?);
    }
    Some(out)
}

const INACTIVE: Point = [f32::NAN; 3];

/// Decodes the data of a bottom level.
pub(super) fn geometry(
    device: &Device,
    source: Source<'_>,
    geometry: &StructureGeometry,
    range: &BuildRange,
) -> Result<Decoded> {
    let count = u64::from(range.primitive_count);
    Ok(match geometry.data {
        GeometryData::Triangles { transform, .. } => {
            let (positions, indices) = triangles(source, &geometry.data, range)?;
            let transform = match transform {
                0 => None,
                at => {
                    let data = source.bytes(at.wrapping_add(u64::from(range.transform_offset)), 48)?;
                    // Triangles without their matrix are inactive.
                    Some(floats::<12>(&data).map_or([[f32::NAN; 4]; 3], rows))
                }
            };
            let opacity = geometry.opacity.map(|opacity| micromap::opacity(device, source, &opacity, range));
            Decoded::Triangles { positions, indices, transform, opacity: opacity.transpose()? }
        }
        GeometryData::Aabbs { data, stride } => {
            let offset = u64::from(range.primitive_offset);
            let data = source.bytes(data.wrapping_add(offset), span(count, stride, 24))?;
            let one = |i: u64| {
                let at = usize::try_from(i * stride).ok().and_then(|at| floats::<6>(data.get(at..)?));
                match at {
                    Some([a, b, c, d, e, f]) => Aabb { min: [a, b, c], max: [d, e, f] },
                    None => Aabb { min: INACTIVE, max: INACTIVE },
                }
            };
            Decoded::Boxes(list(count.min(elements(&data, stride, 24)), one)?)
        }
        GeometryData::Instances { .. } | GeometryData::Micromap { .. } => {
            return Err(Error::invalid("instances or micromaps in a bottom level"));
        }
    })
}

fn rows(m: [f32; 12]) -> Affine {
    [0, 4, 8].map(|r| [m[r], m[r + 1], m[r + 2], m[r + 3]])
}

/// The index of triangles that are inactive, which selects no vertex.
const NO_VERTEX: u32 = u32::MAX;

/// Positions, and indices of them unless every three positions are a triangle.
type Corners = (Vec<Point>, Option<Vec<[u32; 3]>>);

/// Decodes the vertices of triangles that are used.
fn triangles(source: Source<'_>, data: &GeometryData, range: &BuildRange) -> Result<Corners> {
    let GeometryData::Triangles { format, vertices, stride, max_vertex, indices, .. } = *data else {
        return Err(Error::Internal("a geometry without triangles".into()));
    };
    let vertex = |number: u64| vertices.wrapping_add(number.wrapping_mul(stride));
    let Some(mut indices) = triangle_indices(source, indices, max_vertex, range)? else {
        let first = vertex(range.first_vertex.into()).wrapping_add(range.primitive_offset.into());
        let all = positions(source, format, first, stride, 3 * u64::from(range.primitive_count))?;
        return Ok((all, None));
    };
    let used = indices.as_flattened().iter().copied().filter(|&i| i != NO_VERTEX);
    let Some((low, high)) = used.fold(None, |ends, i| match ends {
        None => Some((i, i)),
        Some((low, high)) => Some((i.min(low), i.max(high))),
    }) else {
        return Ok((Vec::new(), Some(indices)));
    };
    let count = u64::from(high - low) + 1;
    if count <= 8 * indices.len() as u64 {
        let positions = positions(source, format, vertex(low.into()), stride, count)?;
        for index in indices.as_flattened_mut().iter_mut().filter(|i| **i != NO_VERTEX) {
            *index -= low;
        }
        return Ok((positions, Some(indices)));
    }
    // Few of many vertices are used: each is read for itself.
    is_needed(format)?;
    let mut positions = reserve::with_room(3 * indices.len())?;
    for &number in indices.as_flattened() {
        positions.push(match number {
            NO_VERTEX => INACTIVE,
            number => position(format, &source.bytes(vertex(number.into()), format.bytes().into())?),
        });
    }
    Ok((positions, None))
}

/// Indices of the triangles whose indices are in memory, with the first vertex added; those beyond the highest vertex
/// are [`NO_VERTEX`].
fn triangle_indices(
    source: Source<'_>,
    indices: Indices,
    max_vertex: u32,
    range: &BuildRange,
) -> Result<Option<Vec<[u32; 3]>>> {
    let (address, size) = match indices {
        Indices::None => return Ok(None),
        Indices::U8(address) => (address, 1),
        Indices::U16(address) => (address, 2),
        Indices::U32(address) => (address, 4),
    };
    let count = u64::from(range.primitive_count);
    let data = source.bytes(address.wrapping_add(range.primitive_offset.into()), 3 * count * size as u64)?;
    let one = |i: usize| {
        let Some(word) = data.get(i * size..(i + 1) * size) else { return NO_VERTEX };
        let index = word.iter().rev().fold(0u32, |all, &byte| all << 8 | u32::from(byte));
        if index > max_vertex { NO_VERTEX } else { index.saturating_add(range.first_vertex) }
    };
    let triangles = count.min((data.len() / (3 * size)) as u64);
    list(triangles, |t| [0, 1, 2].map(|k| one(3 * t as usize + k))).map(Some)
}

/// Addresses and sizes of the memory that a geometry of a bottom level, or the list of instances, is read from.
pub(super) fn reads(source: Source<'_>, geometry: &StructureGeometry, range: &BuildRange) -> Vec<(u64, u64)> {
    let count = u64::from(range.primitive_count);
    let offset = u64::from(range.primitive_offset);
    match geometry.data {
        GeometryData::Aabbs { data, stride } => vec![(data.wrapping_add(offset), span(count, stride, 24))],
        GeometryData::Micromap { triangles, stride, .. } => {
            let mut all = vec![(triangles.wrapping_add(offset), span(count, stride, 8))];
            all.extend(micromap::state_reads(source, &geometry.data, range));
            all
        }
        GeometryData::Instances { data, pointers } => {
            vec![(data.wrapping_add(offset), count * if pointers { 8 } else { 64 })]
        }
        GeometryData::Triangles { format, vertices, stride, max_vertex, indices, transform } => {
            let texel = u64::from(format.bytes());
            let vertex = |number: u64| vertices.wrapping_add(number.wrapping_mul(stride));
            let mut all = Vec::new();
            let (address, size) = match indices {
                Indices::None => (vertex(range.first_vertex.into()), 0),
                Indices::U8(address) => (address, 1),
                Indices::U16(address) => (address, 2),
                Indices::U32(address) => (address, 4),
            };
            let first = address.wrapping_add(offset);
            match reserve::carry(triangle_indices(source, indices, max_vertex, range)) {
                None => all.push((first, span(3 * count, stride, texel))),
                Some(list) => {
                    all.push((first, 3 * count * size));
                    let used = || list.as_flattened().iter().copied().filter(|&i| i != NO_VERTEX);
                    if let (Some(low), Some(high)) = (used().min(), used().max()) {
                        all.push((vertex(low.into()), span(u64::from(high - low) + 1, stride, texel)));
                    }
                }
            }
            if transform != 0 {
                all.push((transform.wrapping_add(range.transform_offset.into()), 48));
            }
            all
        }
    }
}

/// `true` if positions of acceleration structures can have the format: at least two components, read as floats.
pub fn is_position(format: Format) -> bool {
    let info = format.info();
    // Formats that need a conversion have no use in buffers.
    let plain = info.block.is_none() && info.planes.is_empty() && format.buffer_features().0 != 0;
    let color = info.aspects == Aspects::COLOR && info.fields[1].bits != 0;
    plain
        && color
        && !info.is_64_bit()
        && !info.numeric.is_integer()
        && info.bytes as usize <= MAX_TEXEL_BYTES
}

/// Decodes a position from the first bytes of `bytes`. The usual format needs no table.
fn position(format: Format, bytes: &[u8]) -> Point {
    match format {
        Format::R32G32B32_SFLOAT => floats(bytes).unwrap_or(INACTIVE),
        _ => unpacked(format, bytes),
    }
}

/// [`position`] of any format.
fn unpacked(format: Format, bytes: &[u8]) -> Point {
    let mut word = [0; MAX_TEXEL_BYTES];
    let n = format.bytes() as usize;
    let Some(texel) = bytes.get(..n) else { return INACTIVE };
    word[..n].copy_from_slice(texel);
    let [x, y, z, _] = format.info().unpack_word(u128::from_le_bytes(word));
    [x, y, z].map(f32::from_bits)
}

/// `Unsupported` unless positions can have the format.
pub(super) fn is_needed(format: Format) -> Result<()> {
    if is_position(format) {
        return Ok(());
    }
    let name = format.name();
    Err(Error::unsupported(format!("positions of format {name} in an acceleration structure")))
}

/// Positions of the first `count` vertices, without those that are in no buffer.
fn positions(
    source: Source<'_>,
    format: Format,
    address: u64,
    stride: u64,
    count: u64,
) -> Result<Vec<Point>> {
    is_needed(format)?;
    if format == Format::R32G32B32_SFLOAT && stride == size_of::<Point>() as u64 {
        return source.values(address, count);
    }
    separate_positions(source, format, address, stride, count)
}

/// [`positions`] at any distance.
fn separate_positions(
    source: Source<'_>,
    format: Format,
    address: u64,
    stride: u64,
    count: u64,
) -> Result<Vec<Point>> {
    let texel = u64::from(format.bytes());
    let data = source.bytes(address, span(count, stride, texel))?;
    let known = count.min(elements(&data, stride, texel));
    let at = |i: u64| data.get((i * stride) as usize..).map_or(INACTIVE, |bytes| position(format, bytes));
    list(known, at)
}

/// Instances, and the structures that they refer to.
pub(super) struct Instances {
    pub all: Vec<Instance>,
    pub references: References,
}

/// References of instances while they are collected.
pub(super) struct Collected<'a> {
    source: Source<'a>,
    /// Indices of the structures that were looked up before.
    found: FxHashMap<u64, Option<u32>>,
    all: Vec<Referenced>,
    of: Vec<Option<u32>>,
}

impl<'a> Collected<'a> {
    pub fn new(source: Source<'a>, count: usize) -> Result<Collected<'a>> {
        let of = reserve::with_room(count)?;
        Ok(Collected { source, found: FxHashMap::default(), all: Vec::new(), of })
    }

    /// Adds an instance with its reference; returns its structure.
    pub fn add(&mut self, reference: Option<u64>) -> Option<&Referenced> {
        let index = reference.and_then(|reference| {
            *self.found.entry(reference).or_insert_with(|| {
                self.all.push(self.source.referenced(reference)?);
                Some(self.all.len() as u32 - 1)
            })
        });
        self.of.push(index);
        self.all.get(index? as usize)
    }

    pub fn finish(self) -> References {
        References { all: self.all.into(), of: self.of.into() }
    }
}

/// Decodes the instances of a top level. An instance that refers to no living bottom level is inactive.
pub(super) fn instances(
    source: Source<'_>,
    data: u64,
    pointers: bool,
    range: &BuildRange,
) -> Result<Instances> {
    let count = u64::from(range.primitive_count);
    let first = data.wrapping_add(range.primitive_offset.into());
    let size = if pointers { 8 } else { 64 };
    let data = source.bytes(first, count * size)?;
    let count = count.min(data.len() as u64 / size);
    let room = usize::try_from(count).unwrap_or(usize::MAX);
    let mut references = Collected::new(source, room)?;
    let mut all = reserve::with_room(room)?;
    for i in 0..count {
        let at = (i * size) as usize;
        let bytes_of = data.get(at..at + size as usize).unwrap_or_default();
        let decoded = match <[u8; 8]>::try_from(bytes_of) {
            Ok(address) if pointers => instance(&source.bytes(u64::from_le_bytes(address), 64)?),
            _ if pointers => None,
            _ => instance(bytes_of),
        };
        let (mut instance, reference) = decoded.unzip();
        let bottom = references.add(reference).and_then(|of| Some(of.bottom.as_ref()?.level.clone()));
        instance.iter_mut().for_each(|instance| instance.bottom = bottom.clone());
        all.push(instance.unwrap_or_else(inactive));
    }
    Ok(Instances { all, references: references.finish() })
}

/// An instance that no ray hits.
fn inactive() -> Instance {
    Instance {
        transform: rays::IDENTITY,
        custom_index: 0,
        mask: 0,
        sbt_offset: 0,
        flags: InstanceFlags::default(),
        bottom: None,
    }
}

/// Decodes a VkAccelerationStructureInstanceKHR: the instance without its object, and the reference.
fn instance(bytes: &[u8]) -> Option<(Instance, u64)> {
    let m = floats::<12>(bytes)?;
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (index, offset) = (word(48)?, word(52)?);
    let reference = u64::from(word(56)?) | u64::from(word(60)?) << 32;
    let instance = Instance {
        transform: rows(m),
        custom_index: index & 0xff_ffff,
        mask: (index >> 24) as u8,
        sbt_offset: offset & 0xff_ffff,
        flags: InstanceFlags((offset >> 24) as u8),
        bottom: None,
    };
    Some((instance, reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory that begins at address 100.
    struct Bytes(Vec<u8>);

    impl super::super::HostMemory for Bytes {
        fn bytes(&self, address: u64, size: u64) -> Result<Vec<u8>> {
            let rest = self.0.get(address as usize - 100..).unwrap_or_default();
            Ok(rest[..rest.len().min(size as usize)].to_vec())
        }

        fn structure(&self, _: u64) -> Option<super::super::AccelerationStructure> {
            None
        }
    }

    #[test]
    fn positions_side_by_side_are_those_at_a_distance() {
        let format = Format::R32G32B32_SFLOAT;
        let device = Device::new(crate::DeviceOptions { threads: 1, ..Default::default() }).unwrap();
        for length in [0, 1, 11, 12, 13, 24, 50, 72] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * 37 + 11) as u8).collect();
            let usage = crate::BufferUsage::SHADER_DEVICE_ADDRESS;
            let buffer = (length > 0).then(|| device.create_buffer_with(&bytes, usage).unwrap());
            let memory = Bytes(bytes);
            let mut sources = vec![(Source::Host(&memory), 100)];
            sources.extend(buffer.iter().map(|b| (Source::Device(&device), b.device_address().unwrap())));
            for ((source, address), count) in sources.into_iter().flat_map(|s| (0..8).map(move |c| (s, c))) {
                for address in [address, address + 4] {
                    let both = [positions, separate_positions].map(|read| {
                        let list = read(source, format, address, 12, count).unwrap();
                        list.into_iter().map(|point| point.map(f32::to_bits)).collect::<Vec<_>>()
                    });
                    assert_eq!(both[0], both[1], "{count} in {length} bytes");
                }
            }
        }
    }

    #[test]
    fn the_usual_positions_are_those_of_the_table() {
        let bytes: Vec<u8> =
            [1.5f32, -0.0, f32::INFINITY, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let bits = |point: Point| point.map(f32::to_bits);
        let format = Format::R32G32B32_SFLOAT;
        for length in 0..=bytes.len() {
            let bytes = &bytes[..length];
            assert_eq!(bits(position(format, bytes)), bits(unpacked(format, bytes)), "{length} bytes");
        }
        assert_eq!(bits(position(format, &bytes)), bits([1.5, -0.0, f32::INFINITY]));
    }
}
