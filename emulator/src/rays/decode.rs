//! Geometry in buffers: reads vertices, indices, matrices, boxes and instances at device addresses.
//!
//! Primitives whose data lies in no living buffer are inactive, as those with a NaN in the first coordinate are.

use quadrille_jit::reserve;
use quadrille_raster::format::{Aspects, Format, MAX_TEXEL_BYTES};
use quadrille_rays::{self as rays, Aabb, Affine, Instance, InstanceFlags, Point, Triangles};

use super::geometry::{BuildRange, GeometryData, Indices, StructureGeometry};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::flags::GeometryFlags;
use crate::resource::buffer::Buffer;
use crate::tables::structures::Tree;

/// Primitives of a geometry.
pub(super) enum Decoded {
    Triangles { positions: Vec<Point>, indices: Option<Vec<[u32; 3]>>, transform: Option<Affine> },
    Boxes(Vec<Aabb>),
}

impl Decoded {
    pub fn geometry(&self, flags: GeometryFlags) -> rays::Geometry<'_> {
        let primitives = match self {
            Decoded::Triangles { positions, indices, transform } => rays::Primitives::Triangles(Triangles {
                positions,
                indices: indices.as_deref(),
                transform: *transform,
            }),
            Decoded::Boxes(boxes) => rays::Primitives::Boxes(boxes),
        };
        rays::Geometry {
            primitives,
            opaque: flags.contains(GeometryFlags::OPAQUE),
            no_duplicates: flags.contains(GeometryFlags::NO_DUPLICATE_ANY_HIT_INVOCATION),
        }
    }
}

/// Bytes from a device address to the end of its buffer, at most `size` of them.
fn bytes(device: &Device, address: u64, size: u64) -> Vec<u8> {
    let Ok((buffer, offset)) = Buffer::at(device, address) else { return Vec::new() };
    let size = size.min(buffer.size().saturating_sub(offset));
    buffer.read(offset, size as usize).unwrap_or_default()
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
pub(super) fn geometry(device: &Device, geometry: &StructureGeometry, range: &BuildRange) -> Result<Decoded> {
    let count = u64::from(range.primitive_count);
    let offset = u64::from(range.primitive_offset);
    Ok(match geometry.data {
        GeometryData::Triangles { format, vertices, stride, max_vertex, indices, transform } => {
            let indices = triangle_indices(device, indices, range)?;
            let most = match &indices {
                Some(list) => {
                    let highest = list.iter().flatten().copied().max().map_or(0, |i| u64::from(i) + 1);
                    highest.min(u64::from(max_vertex) + 1 + u64::from(range.first_vertex))
                }
                None => u64::from(range.first_vertex) + 3 * count,
            };
            // Without indices, the offset selects vertices instead.
            let start = if indices.is_some() { vertices } else { vertices.wrapping_add(offset) };
            let mut positions = positions(device, format, start, stride, most)?;
            if indices.is_none() {
                positions.drain(..(range.first_vertex as usize).min(positions.len()));
            }
            let matrix = (transform != 0).then(|| {
                let data = bytes(device, transform.wrapping_add(u64::from(range.transform_offset)), 48);
                floats::<12>(&data).map(|m| [0, 4, 8].map(|r| [m[r], m[r + 1], m[r + 2], m[r + 3]]))
            });
            Decoded::Triangles { positions, indices, transform: matrix.flatten() }
        }
        GeometryData::Aabbs { data, stride } => {
            let data = bytes(device, data.wrapping_add(offset), count.saturating_mul(stride));
            let one = |i: u64| {
                let at = usize::try_from(i * stride).ok().and_then(|at| floats::<6>(data.get(at..)?));
                match at {
                    Some([a, b, c, d, e, f]) => Aabb { min: [a, b, c], max: [d, e, f] },
                    None => Aabb { min: INACTIVE, max: INACTIVE },
                }
            };
            Decoded::Boxes(list(count.min(elements(&data, stride, 24)), one)?)
        }
        GeometryData::Instances { .. } => {
            return Err(Error::invalid("instances in a bottom level"));
        }
    })
}

/// Indices of the triangles whose indices are in the buffer, with the first vertex added.
fn triangle_indices(device: &Device, indices: Indices, range: &BuildRange) -> Result<Option<Vec<[u32; 3]>>> {
    let (address, size) = match indices {
        Indices::None => return Ok(None),
        Indices::U8(address) => (address, 1),
        Indices::U16(address) => (address, 2),
        Indices::U32(address) => (address, 4),
    };
    let count = u64::from(range.primitive_count);
    let data = bytes(device, address.wrapping_add(range.primitive_offset.into()), 3 * count * size as u64);
    let one = |i: usize| {
        let Some(word) = data.get(i * size..(i + 1) * size) else { return u32::MAX };
        let index = word.iter().rev().fold(0u32, |all, &byte| all << 8 | u32::from(byte));
        index.saturating_add(range.first_vertex)
    };
    let triangles = count.min((data.len() / (3 * size)) as u64);
    list(triangles, |t| [0, 1, 2].map(|k| one(3 * t as usize + k))).map(Some)
}

/// `true` if positions of acceleration structures can have the format: at least two components, read as floats.
pub(crate) fn is_position(format: Format) -> bool {
    let info = format.info();
    let plain = info.block.is_none() && info.planes.is_empty() && !info.is_64_bit();
    let color = info.aspects == Aspects::COLOR && info.fields[1].bits != 0;
    plain && color && !info.numeric.is_integer() && info.bytes as usize <= MAX_TEXEL_BYTES
}

/// Decodes a position from the first bytes of `bytes`.
fn position(format: Format, bytes: &[u8]) -> Point {
    let mut word = [0; MAX_TEXEL_BYTES];
    let n = format.bytes() as usize;
    let Some(texel) = bytes.get(..n) else { return INACTIVE };
    word[..n].copy_from_slice(texel);
    let [x, y, z, _] = format.info().unpack_word(u128::from_le_bytes(word));
    [x, y, z].map(f32::from_bits)
}

/// Positions of the first `count` vertices; those that are in no buffer are inactive.
fn positions(device: &Device, format: Format, address: u64, stride: u64, count: u64) -> Result<Vec<Point>> {
    if !is_position(format) {
        let name = format.name();
        return Err(Error::unsupported(format!("positions of format {name} in an acceleration structure")));
    }
    let texel = u64::from(format.bytes());
    let size = count.saturating_sub(1).saturating_mul(stride).saturating_add(texel);
    let data = if count == 0 { Vec::new() } else { bytes(device, address, size) };
    let known = count.min(elements(&data, stride, texel));
    let at = |i: u64| data.get((i * stride) as usize..).map_or(INACTIVE, |bytes| position(format, bytes));
    list(known, at)
}

/// Decodes the instances of a top level. An instance that refers to no living bottom level is inactive.
pub(super) fn instances(
    device: &Device,
    data: u64,
    pointers: bool,
    range: &BuildRange,
) -> Result<Vec<Instance>> {
    let count = u64::from(range.primitive_count);
    let first = data.wrapping_add(range.primitive_offset.into());
    let size = if pointers { 8 } else { 64 };
    let data = bytes(device, first, count * size);
    let one = |i: u64| {
        let at = (i * size) as usize;
        let bytes_of = data.get(at..at + size as usize)?;
        match pointers {
            false => instance(device, bytes_of),
            true => {
                let address = u64::from_le_bytes(bytes_of.try_into().ok()?);
                instance(device, &bytes(device, address, 64))
            }
        }
    };
    list(count.min(data.len() as u64 / size), |i| one(i).unwrap_or_else(inactive))
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

/// Decodes a VkAccelerationStructureInstanceKHR.
fn instance(device: &Device, bytes: &[u8]) -> Option<Instance> {
    let m = floats::<12>(bytes)?;
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (index, offset) = (word(48)?, word(52)?);
    let reference = u64::from(word(56)?) | u64::from(word(60)?) << 32;
    let blas = match device.structures().find(reference).and_then(|cell| cell.tree()) {
        Some(Tree::Bottom(bottom)) => Some(bottom),
        Some(Tree::Top(_)) | None => None,
    };
    Some(Instance {
        transform: [0, 4, 8].map(|r| [m[r], m[r + 1], m[r + 2], m[r + 3]]),
        custom_index: index & 0xff_ffff,
        mask: (index >> 24) as u8,
        sbt_offset: offset & 0xff_ffff,
        flags: InstanceFlags((offset >> 24) as u8),
        bottom: blas,
    })
}
