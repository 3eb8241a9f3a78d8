//! Structures as bytes and back. Bytes may be damaged: the result is then an error, or a structure that is safe to walk.
//!
//! All numbers are little-endian words of 32 bits: a header, geometries or instances, nodes, blocks, micromaps. Whatever
//! can be computed from these is not stored.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::build::{BuildError, placed};
use crate::geometry::{Aabb, BuildOptions, InstanceFlags, Quality};
use crate::layout::{
    BLOCK, BOTTOM_LEVELS, Block, BottomLevel, GEOMETRY_MASK, GeometryInfo, Instance, Kind, LEAF, Node,
    TOP_LEVELS, TopLevel,
};
use crate::micromap::{Micromap, MicromapTriangle, States};

/// The first word.
const MAGIC: u32 = u32::from_le_bytes(*b"QRAY");
/// Version of the format.
const VERSION: u32 = 2;
/// Values of the third word.
const KIND_TOP: u32 = 0;
const KIND_TRIANGLES: u32 = 1;
const KIND_BOXES: u32 = 2;
const KIND_MICROMAP: u32 = 3;

/// Words of the header: magic, version, kind, options, number of geometries, instances or triangles, of nodes, of blocks,
/// and of words of micromaps.
const HEADER: usize = 8;
/// Number of primitives, flags, number of the micromap, and 0: all sizes are multiples of eight bytes.
const GEOMETRY_WORDS: usize = 4;
/// Offset of the states; level and number of bits of a part.
const TRIANGLE_WORDS: usize = 2;
const INSTANCE_WORDS: usize = 14;
const NODE_WORDS: usize = size_of::<Node>() / 4;
const BLOCK_WORDS: usize = size_of::<Block>() / 4;

/// Reason why bytes are not a structure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BytesError {
    /// The bytes are something else, or of another version.
    #[error("the bytes are not an acceleration structure of this version and kind")]
    Unknown,
    /// There are more or fewer bytes than the header says.
    #[error("the acceleration structure has {0} bytes instead of {1}")]
    Size(u64, u64),
    /// The contents contradict themselves.
    #[error("the acceleration structure is damaged: {0}")]
    Damaged(&'static str),
    /// The instances cannot be placed, or memory is out.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Counts of a header.
struct Header {
    kind: u32,
    options: BuildOptions,
    /// Geometries or instances.
    entries: usize,
    nodes: usize,
    blocks: usize,
    /// Words of micromaps, or of the states of one.
    rest: usize,
}

impl Header {
    fn words(&self) -> [u32; HEADER] {
        let quality = match self.options.quality {
            Quality::FastBuild => 0,
            Quality::Balanced => 1,
            Quality::FastTrace => 2,
        };
        let options = quality | u32::from(self.options.allow_update) << 8;
        let counts = [self.entries, self.nodes, self.blocks, self.rest];
        let [entries, nodes, blocks, rest] = counts.map(|n| n as u32);
        [MAGIC, VERSION, self.kind, options, entries, nodes, blocks, rest]
    }

    fn read(reader: &mut Reader<'_>) -> Result<Header, BytesError> {
        let [magic, version, kind, options, entries, nodes, blocks, rest] = reader.words()?;
        if magic != MAGIC || version != VERSION {
            return Err(BytesError::Unknown);
        }
        let quality = match options & 0xff {
            0 => Quality::FastBuild,
            1 => Quality::Balanced,
            2 => Quality::FastTrace,
            _ => return Err(BytesError::Damaged("unknown options")),
        };
        let allow_update = match options >> 8 {
            0 => false,
            1 => true,
            _ => return Err(BytesError::Damaged("unknown options")),
        };
        let [entries, nodes, blocks, rest] = [entries, nodes, blocks, rest].map(|n| n as usize);
        Ok(Header { kind, options: BuildOptions { quality, allow_update }, entries, nodes, blocks, rest })
    }

    /// Size of all in bytes, if an entry has this number of words.
    fn size(&self, entry: usize) -> u64 {
        let lists =
            [(self.entries, entry), (self.nodes, NODE_WORDS), (self.blocks, BLOCK_WORDS), (self.rest, 1)];
        4 * (HEADER as u64 + lists.map(|(count, words)| count as u64 * words as u64).iter().sum::<u64>())
    }

    fn check_size(&self, entry: usize, bytes: &[u8]) -> Result<(), BytesError> {
        let (has, needs) = (bytes.len() as u64, self.size(entry));
        if has == needs { Ok(()) } else { Err(BytesError::Size(has, needs)) }
    }
}

/// Words of a structure.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn words<const N: usize>(&mut self) -> Result<[u32; N], BytesError> {
        let (own, rest) = self.0.split_at_checked(4 * N).ok_or(BytesError::Unknown)?;
        self.0 = rest;
        Ok(std::array::from_fn(|i| {
            u32::from_le_bytes([own[4 * i], own[4 * i + 1], own[4 * i + 2], own[4 * i + 3]])
        }))
    }

    /// Bytes as they are.
    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, BytesError> {
        let (own, rest) = self.0.split_at_checked(count).ok_or(BytesError::Unknown)?;
        self.0 = rest;
        let mut list = Vec::new();
        list.try_reserve_exact(count).map_err(|_| BuildError::OutOfMemory(count as u64))?;
        list.extend_from_slice(own);
        Ok(list)
    }

    /// A list of plain data.
    fn list<T: Pod + Zeroable>(&mut self, count: usize) -> Result<Vec<T>, BytesError> {
        let size = count * size_of::<T>();
        let (own, rest) = self.0.split_at_checked(size).ok_or(BytesError::Unknown)?;
        self.0 = rest;
        let mut list = Vec::new();
        list.try_reserve_exact(count).map_err(|_| BuildError::OutOfMemory(size as u64))?;
        list.resize(count, T::zeroed());
        bytemuck::cast_slice_mut::<T, u8>(&mut list).copy_from_slice(own);
        if cfg!(target_endian = "big") {
            bytemuck::cast_slice_mut::<T, u32>(&mut list).iter_mut().for_each(|w| *w = u32::from_le(*w));
        }
        Ok(list)
    }
}

fn write<T: Pod>(out: &mut Vec<u8>, list: &[T]) {
    if cfg!(target_endian = "little") {
        out.extend_from_slice(bytemuck::cast_slice(list));
    } else {
        out.extend(bytemuck::cast_slice::<T, u32>(list).iter().flat_map(|w| w.to_le_bytes()));
    }
}

/// Checks that nodes are a tree of bounded depth, and each leaf by a function of its index and extra word.
fn check_tree(
    nodes: &[Node],
    levels: usize,
    mut leaf: impl FnMut(u32, u32) -> Result<(), BytesError>,
) -> Result<(), BytesError> {
    // 0 for nodes without a parent so far.
    let mut depths = vec![0u8; nodes.len()];
    depths.iter_mut().take(1).for_each(|depth| *depth = 1);
    for (at, node) in nodes.iter().enumerate() {
        if depths[at] == 0 || usize::from(depths[at]) > levels {
            return Err(BytesError::Damaged("a node has no parent or is too deep"));
        }
        for (slot, &child) in node.children.iter().enumerate() {
            if node.is_unused(slot) {
                continue;
            }
            if child & LEAF != 0 {
                leaf(child & !LEAF, node.extra[slot])?;
                continue;
            }
            let child = child as usize;
            if child <= at || child >= nodes.len() || depths[child] != 0 {
                return Err(BytesError::Damaged("nodes are not a tree"));
            }
            depths[child] = depths[at] + 1;
        }
    }
    Ok(())
}

fn bounds_of(nodes: &[Node]) -> Aabb {
    let (min, max) = nodes.first().unwrap_or(&Node::EMPTY).union();
    Aabb { min, max }
}

impl BottomLevel {
    fn header(&self) -> Header {
        let kind = match self.kind {
            Kind::Triangles => KIND_TRIANGLES,
            Kind::Boxes => KIND_BOXES,
        };
        let (entries, nodes, blocks) = (self.geometries.len(), self.nodes.len(), self.blocks.len());
        let rest = self.different_micromaps().iter().map(|map| (map.bytes_len() / 4) as usize).sum();
        Header { kind, options: self.options, entries, nodes, blocks, rest }
    }

    /// Number of bytes of [`BottomLevel::to_bytes`].
    pub fn bytes_len(&self) -> u64 {
        self.header().size(GEOMETRY_WORDS)
    }

    /// The structure as bytes, which are the same on every host.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes_len() as usize);
        write(&mut out, &self.header().words());
        let micromaps = self.different_micromaps();
        let numbers: std::collections::HashMap<_, _> =
            (0..).zip(&micromaps).map(|(n, map)| (Arc::as_ptr(map), n)).collect();
        for (i, info) in self.geometries.iter().enumerate() {
            let flags = [info.opaque, info.no_duplicates, info.opacity];
            let flags = (0..).zip(flags).fold(0, |all, (bit, flag)| all | u32::from(flag) << bit);
            let map = self.micromaps.get(i).and_then(Option::as_ref);
            let number = map.and_then(|map| numbers.get(&Arc::as_ptr(map)).copied()).unwrap_or(u32::MAX);
            write(&mut out, &[info.count, flags, number, 0]);
        }
        write(&mut out, &self.nodes);
        write(&mut out, &self.blocks);
        micromaps.iter().for_each(|map| out.extend_from_slice(&map.to_bytes()));
        out
    }

    /// The structure of [`BottomLevel::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<BottomLevel, BytesError> {
        let mut reader = Reader(bytes);
        let header = Header::read(&mut reader)?;
        let kind = match header.kind {
            KIND_TRIANGLES => Kind::Triangles,
            KIND_BOXES => Kind::Boxes,
            _ => return Err(BytesError::Unknown),
        };
        header.check_size(GEOMETRY_WORDS, bytes)?;
        let mut geometries = Vec::with_capacity(header.entries);
        let mut numbers = Vec::with_capacity(header.entries);
        for _ in 0..header.entries {
            let [count, flags, number, zero] = reader.words()?;
            if flags > 7 || zero != 0 {
                return Err(BytesError::Damaged("unknown flags of a geometry"));
            }
            let [opaque, no_duplicates, opacity] = [1, 2, 4].map(|bit| flags & bit != 0);
            geometries.push(GeometryInfo { count, opaque, no_duplicates, opacity });
            numbers.push(number);
        }
        let nodes: Vec<Node> = reader.list(header.nodes)?;
        let blocks: Vec<Block> = reader.list(header.blocks)?;
        check_leaves(kind, &geometries, &nodes, &blocks)?;
        let micromaps = read_micromaps(&mut reader, &numbers)?;
        let bounds = bounds_of(&nodes);
        Ok(BottomLevel { kind, options: header.options, nodes, blocks, geometries, micromaps, bounds })
    }
}

/// Reads the micromaps at the end of a bottom level, whose geometries have those with these numbers.
fn read_micromaps(
    reader: &mut Reader<'_>,
    numbers: &[u32],
) -> Result<Vec<Option<Arc<Micromap>>>, BytesError> {
    let mut all = Vec::new();
    while !reader.0.is_empty() {
        all.push(Arc::new(Micromap::read(reader)?));
    }
    if all.is_empty() && numbers.iter().all(|n| *n == u32::MAX) {
        return Ok(Vec::new());
    }
    let of = |n: &u32| match (*n, all.get(*n as usize)) {
        (u32::MAX, _) => Ok(None),
        (_, Some(map)) => Ok(Some(map.clone())),
        (_, None) => Err(BytesError::Damaged("a micromap does not exist")),
    };
    numbers.iter().map(of).collect()
}

impl Micromap {
    fn header(&self) -> Header {
        let (entries, rest) = (self.triangles.len(), 2 * self.data.len().div_ceil(8));
        Header { kind: KIND_MICROMAP, options: BuildOptions::default(), entries, nodes: 0, blocks: 0, rest }
    }

    /// Number of bytes of [`Micromap::to_bytes`].
    pub fn bytes_len(&self) -> u64 {
        self.header().size(TRIANGLE_WORDS)
    }

    /// The micromap as bytes, which are the same on every host.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes_len() as usize);
        write(&mut out, &self.header().words());
        for triangle in &self.triangles {
            write(&mut out, &[triangle.offset, triangle.level.min(0xffff) | triangle.states.bits() << 16]);
        }
        out.extend_from_slice(&self.data);
        out.resize(out.len().next_multiple_of(8), 0);
        out
    }

    /// The micromap of [`Micromap::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Micromap, BytesError> {
        let mut reader = Reader(bytes);
        let map = Micromap::read(&mut reader)?;
        match reader.0.len() as u64 {
            0 => Ok(map),
            more => Err(BytesError::Size(bytes.len() as u64, bytes.len() as u64 - more)),
        }
    }

    /// Reads the next micromap.
    fn read(reader: &mut Reader<'_>) -> Result<Micromap, BytesError> {
        let (has, header) = (reader.0.len() as u64, Header::read(reader)?);
        if header.kind != KIND_MICROMAP || header.nodes != 0 || header.blocks != 0 {
            return Err(BytesError::Unknown);
        }
        if has < header.size(TRIANGLE_WORDS) {
            return Err(BytesError::Size(has, header.size(TRIANGLE_WORDS)));
        }
        let mut triangles = Vec::with_capacity(header.entries);
        for _ in 0..header.entries {
            let [offset, kind] = reader.words()?;
            let states = match kind >> 16 {
                1 => States::Two,
                2 => States::Four,
                _ => return Err(BytesError::Damaged("unknown states of a micromap")),
            };
            triangles.push(MicromapTriangle { offset, level: kind & 0xffff, states });
        }
        let data = reader.bytes(4 * header.rest)?;
        Ok(Micromap { triangles, data })
    }
}

/// Checks the tree of a bottom level, and the numbers of its primitives.
fn check_leaves(
    kind: Kind,
    geometries: &[GeometryInfo],
    nodes: &[Node],
    blocks: &[Block],
) -> Result<(), BytesError> {
    let exists = |primitive: u32, geometry: u32| match geometries.get((geometry & GEOMETRY_MASK) as usize) {
        Some(info) if primitive < info.count => Ok(()),
        _ => Err(BytesError::Damaged("a primitive does not exist")),
    };
    let mut used = vec![false; blocks.len()];
    check_tree(nodes, BOTTOM_LEVELS, |index, extra| match kind {
        Kind::Boxes => exists(index, extra),
        Kind::Triangles => match used.get_mut(index as usize) {
            Some(used) if !*used => {
                *used = true;
                Ok(())
            }
            _ => Err(BytesError::Damaged("a leaf does not exist or has two parents")),
        },
    })?;
    for block in blocks {
        for place in (0..BLOCK).filter(|&place| block.primitive[place] != u32::MAX) {
            exists(block.primitive[place], block.geometry[place])?;
        }
    }
    Ok(())
}

impl TopLevel {
    fn header(&self) -> Header {
        let (entries, nodes) = (self.instances.len(), self.nodes.len());
        Header { kind: KIND_TOP, options: self.options, entries, nodes, blocks: 0, rest: 0 }
    }

    /// Number of bytes of [`TopLevel::to_bytes`].
    pub fn bytes_len(&self) -> u64 {
        self.header().size(INSTANCE_WORDS)
    }

    /// The structure as bytes, without its bottom levels ([`TopLevel::bottoms`]).
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes_len() as usize);
        write(&mut out, &self.header().words());
        for placed in &self.instances {
            let i = &placed.instance;
            write(&mut out, i.transform.as_flattened());
            let (mask, flags) = (u32::from(i.mask), u32::from(i.flags.0));
            write(&mut out, &[i.custom_index | mask << 24, i.sbt_offset | flags << 24]);
        }
        write(&mut out, &self.nodes);
        out
    }

    /// The structure of [`TopLevel::to_bytes`], with the bottom level of each instance.
    pub fn from_bytes(bytes: &[u8], bottoms: &[Option<Arc<BottomLevel>>]) -> Result<TopLevel, BytesError> {
        let mut reader = Reader(bytes);
        let header = Header::read(&mut reader)?;
        if header.kind != KIND_TOP || header.blocks != 0 || header.rest != 0 {
            return Err(BytesError::Unknown);
        }
        header.check_size(INSTANCE_WORDS, bytes)?;
        if bottoms.len() != header.entries {
            return Err(BytesError::Damaged("not every instance has a bottom level"));
        }
        let mut instances = Vec::with_capacity(header.entries);
        for bottom in bottoms {
            let words: [u32; INSTANCE_WORDS] = reader.words()?;
            let transform =
                std::array::from_fn(|r| std::array::from_fn(|c| f32::from_bits(words[4 * r + c])));
            instances.push(Instance {
                transform,
                custom_index: words[12] & 0xff_ffff,
                mask: (words[12] >> 24) as u8,
                sbt_offset: words[13] & 0xff_ffff,
                flags: InstanceFlags((words[13] >> 24) as u8),
                bottom: bottom.clone(),
            });
        }
        let nodes: Vec<Node> = reader.list(header.nodes)?;
        let mut used = vec![false; instances.len()];
        check_tree(&nodes, TOP_LEVELS, |index, _| match used.get_mut(index as usize) {
            Some(used) if !*used => {
                *used = true;
                Ok(())
            }
            _ => Err(BytesError::Damaged("an instance does not exist or has two parents")),
        })?;
        let bounds = bounds_of(&nodes);
        Ok(TopLevel { options: header.options, nodes, instances: placed(&instances)?, bounds })
    }
}
