//! Copies of structures, their properties, and structures as bytes.
//!
//! The bytes of a structure are a header, which the Vulkan specification defines, and the bytes of the tree
//! (`quadrille_rays`). The header lists the device addresses of the bottom levels that a top level refers to, or those of
//! the micromaps of a bottom level; an application that moves the bytes to another device replaces them. The bytes of a
//! bottom level have its micromaps too, so that it depends on no other bytes. Damaged bytes are an error, or give a
//! structure that is safe to walk.

use quadrille_jit::reserve::Room;
use quadrille_rays::{BottomLevel, BytesError, Micromap, TopLevel};

use super::decode::Collected;
use super::source::Source;
use super::{ALIGNMENT, AccelerationStructure, build, micromap};
use crate::device::Device;
use crate::error::{Error, Result, ensure, guard};
use crate::object::same_device;
use crate::query::QueryKind;
use crate::resource::buffer::Buffer;
use crate::tables::structures::Tree;

/// Size of a [`StructureVersion`].
pub const VERSION_BYTES: usize = 32;

/// UUIDs at the beginning of the bytes of a structure: that of the driver, and that of the format of the bytes.
pub type StructureVersion = [u8; VERSION_BYTES];

/// Words of the header after the version: size of the bytes, size of the structure, number of handles or of blocks.
const COUNTS: usize = 3;
/// Size of the header without handles and blocks, in bytes.
const HEADER: u64 = (VERSION_BYTES + 8 * COUNTS) as u64;
/// Bits of the third word if its low half is a number of blocks. Spec: Vulkan,
/// vkCmdCopyAccelerationStructureToMemoryKHR.
const BLOCKS: u64 = u64::MAX << 32;
/// Type of a block: device addresses of micromaps. Spec: Vulkan, VkAccelerationStructureSerializedBlockTypeKHR.
const MICROMAP_BLOCK: u32 = 0;

impl Tree {
    /// Size of the tree, in bytes.
    fn size(&self) -> u64 {
        match self {
            Tree::Bottom(bottom) => bottom.level.size(),
            Tree::Top(top) => top.level.size(),
            Tree::Micromap(of) => of.map.size(),
        }
    }

    /// Device addresses of the bottom levels that the bytes refer to, one for each instance.
    fn handles(&self) -> Vec<u64> {
        match self {
            Tree::Bottom(_) | Tree::Micromap(_) => Vec::new(),
            Tree::Top(top) => top.references.addresses().collect(),
        }
    }

    /// Words of the header from the number of handles on.
    fn addresses(&self, blocks: bool) -> Vec<u64> {
        match self {
            Tree::Bottom(of) if blocks && of.micromaps.is_empty() => vec![BLOCKS],
            Tree::Bottom(of) if blocks => {
                let head = [BLOCKS | 1, MICROMAP_BLOCK.into(), of.micromaps.len() as u64];
                [&head[..], &of.micromaps].concat()
            }
            Tree::Bottom(_) | Tree::Top(_) | Tree::Micromap(_) => {
                let handles = self.handles();
                [&[handles.len() as u64], &handles[..]].concat()
            }
        }
    }

    /// Size of the bytes of the structure, with or without blocks.
    fn bytes_len(&self, blocks: bool) -> u64 {
        let tree = match self {
            Tree::Bottom(bottom) => bottom.level.bytes_len(),
            Tree::Top(top) => top.level.bytes_len(),
            Tree::Micromap(of) => of.map.bytes_len(),
        };
        HEADER + 8 * (self.addresses(blocks).len() as u64 - 1) + tree
    }

    /// The bytes of the structure, with or without blocks.
    fn to_bytes(&self, version: &StructureVersion, blocks: bool) -> Vec<u8> {
        let tree = match self {
            Tree::Bottom(bottom) => bottom.level.to_bytes(),
            Tree::Top(top) => top.level.to_bytes(),
            Tree::Micromap(of) => of.map.to_bytes(),
        };
        let size = self.size().next_multiple_of(ALIGNMENT);
        let mut out = version.to_vec();
        let sizes = [self.bytes_len(blocks), size];
        sizes
            .iter()
            .chain(&self.addresses(blocks))
            .for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        out.extend_from_slice(&tree);
        out
    }
}

impl AccelerationStructure {
    fn tree(&self) -> Result<Tree> {
        let tree = self.cell()?.tree();
        tree.ok_or_else(|| Error::invalid("the acceleration structure was not built"))
    }

    /// `true` if the bytes of bottom levels have blocks.
    fn has_blocks(&self) -> bool {
        self.0.device.options().micromap_blocks
    }

    /// Copies the contents of another structure, also as a compact copy: both share one tree. Spec: Vulkan,
    /// vkCopyAccelerationStructureKHR.
    ///
    /// # Errors
    /// `Invalid` if the structures belong to different devices, if a buffer of them is not bound, and if `src` was not
    /// built.
    pub fn copy_from(&self, src: &AccelerationStructure) -> Result<()> {
        same_device(self, src)?;
        self.0.device.check_process()?;
        self.cell()?.set(src.tree()?);
        Ok(())
    }

    /// Returns the structure as bytes. Spec: Vulkan, vkCopyAccelerationStructureToMemoryKHR.
    ///
    /// # Errors
    /// `Invalid` if the structure was not built, `OutOfMemory` if the host lacks memory for the bytes.
    pub fn to_bytes(&self, version: &StructureVersion) -> Result<Vec<u8>> {
        self.0.device.check_process()?;
        guard("acceleration structure", || {
            let (tree, blocks) = (self.tree()?, self.has_blocks());
            // Those of a micromap are copied to the bytes of a bottom level, and these to the bytes of the structure.
            let _room = room(tree.bytes_len(blocks), 3)?;
            Ok(tree.to_bytes(version, blocks))
        })
    }

    /// Writes the structure from its bytes; those behind the size in the header are ignored. References of a top level
    /// to no living structure are inactive. Spec: Vulkan, vkCopyMemoryToAccelerationStructureKHR.
    ///
    /// # Errors
    /// `Invalid` for damaged bytes and for those of another version, and if the buffer of the structure is not bound.
    /// `OutOfMemory` if the host or the heap lacks memory.
    pub fn set_bytes(&self, bytes: &[u8], version: &StructureVersion) -> Result<()> {
        let device = &self.0.device;
        device.check_process()?;
        guard("acceleration structure", || {
            // The tree, and what its checks need.
            let _room = room(bytes.len() as u64, 2)?;
            self.cell()?.set(tree(device, bytes, version)?);
            Ok(())
        })
    }

    /// Returns the size of the structure's bytes according to their header. `None` for fewer bytes than a header has.
    pub fn bytes_len_of(header: &[u8]) -> Option<u64> {
        let at = VERSION_BYTES;
        Some(u64::from_le_bytes(header.get(at..at + 8)?.try_into().ok()?))
    }

    /// Returns a property of the structure: the value of a query of this kind. Spec: Vulkan,
    /// vkWriteAccelerationStructuresPropertiesKHR.
    ///
    /// # Errors
    /// `Invalid` if the structure was not built, and for kinds that are not properties of structures.
    pub fn property(&self, kind: QueryKind) -> Result<u64> {
        let tree = self.tree()?;
        Ok(match kind {
            QueryKind::AccelerationStructureCompactedSize => {
                tree.size().next_multiple_of(ALIGNMENT).min(self.size())
            }
            QueryKind::AccelerationStructureSerializationSize => tree.bytes_len(self.has_blocks()),
            QueryKind::AccelerationStructureSize => self.size(),
            QueryKind::AccelerationStructureSerializationBottomLevelPointers => tree.handles().len() as u64,
            QueryKind::Occlusion
            | QueryKind::PipelineStatistics(_)
            | QueryKind::Counters(_)
            | QueryKind::Timestamp
            | QueryKind::TransformFeedbackStream
            | QueryKind::PrimitivesGenerated
            | QueryKind::MeshPrimitivesGenerated => {
                return Err(Error::invalid(format!("{kind:?} is not a property of acceleration structures")));
            }
        })
    }

    /// Writes the bytes of the structure to a buffer.
    pub(crate) fn write_bytes(&self, version: &StructureVersion, to: &Buffer, offset: u64) -> Result<()> {
        to.write(offset, &self.to_bytes(version)?)
    }

    /// Size of the structure's bytes; 0 if it was not built.
    pub(crate) fn bytes_len(&self) -> u64 {
        self.tree().map_or(0, |tree| tree.bytes_len(self.has_blocks()))
    }

    /// Writes the structure from its bytes in a buffer.
    pub(crate) fn read_bytes(&self, version: &StructureVersion, from: &Buffer, offset: u64) -> Result<()> {
        let size = stored_len(from, offset);
        self.set_bytes(&from.read::<u8>(offset, usize::try_from(size).unwrap_or(usize::MAX))?, version)
    }
}

/// Size of the bytes of a structure in a buffer, according to their header; at least that of the header.
pub(crate) fn stored_len(from: &Buffer, offset: u64) -> u64 {
    let header = from.read_array::<u8, { HEADER as usize }>(offset).ok();
    header.and_then(|header| AccelerationStructure::bytes_len_of(&header)).unwrap_or(0).max(HEADER)
}

/// Memory for so many copies of the bytes of a structure.
fn room(bytes: u64, copies: u64) -> Result<Room> {
    Room::new(usize::try_from(bytes.saturating_mul(copies)).unwrap_or(usize::MAX))
}

/// Takes so many words, if there are as many.
fn taken(words: &mut impl Iterator<Item = u64>, count: u64) -> Option<Vec<u64>> {
    let taken: Vec<u64> = words.take(usize::try_from(count).unwrap_or(usize::MAX)).collect();
    (taken.len() as u64 == count).then_some(taken)
}

/// Reads the device addresses of micromaps in so many blocks. `None` for incomplete blocks and those of another type.
fn micromap_addresses(words: &mut impl Iterator<Item = u64>, blocks: u32) -> Option<Vec<u64>> {
    let mut all = Vec::new();
    for _ in 0..blocks {
        // The high half is reserved.
        (words.next()? as u32 == MICROMAP_BLOCK).then_some(())?;
        let count = words.next()?;
        all.extend(taken(words, count)?);
    }
    Some(all)
}

/// The tree of a structure's bytes.
fn tree(device: &Device, bytes: &[u8], version: &StructureVersion) -> Result<Tree> {
    let damaged = |why: &str| Error::invalid(format!("bytes of an acceleration structure: {why}"));
    let (own, rest) = bytes.split_at_checked(VERSION_BYTES).ok_or_else(|| damaged("there is no header"))?;
    ensure(own == version, || "bytes of an acceleration structure of another version".into())?;
    let (words, _) = rest.as_chunks::<8>();
    let n_words = words.len();
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
    let [Some(size), Some(_), Some(count)] = [(); COUNTS].map(|()| words.next()) else {
        return Err(damaged("the header is incomplete"));
    };
    let addresses = match count & BLOCKS {
        BLOCKS => micromap_addresses(&mut words, count as u32),
        _ => taken(&mut words, count),
    };
    let addresses = addresses.ok_or_else(|| damaged("addresses are missing"))?;
    let first = VERSION_BYTES + 8 * (n_words - words.len());
    let data = usize::try_from(size).ok().and_then(|end| bytes.get(first..end));
    let data = data.ok_or_else(|| damaged("there are fewer bytes than the header says"))?;
    let error = |e: BytesError| match e {
        BytesError::Build(e) => build::error(e),
        BytesError::Unknown | BytesError::Size(..) | BytesError::Damaged(_) => Error::invalid(e.to_string()),
    };
    match BottomLevel::from_bytes(data) {
        Ok(level) => return build::bottom(device, level, addresses.into()),
        Err(BytesError::Unknown) => {}
        Err(e) => return Err(error(e)),
    }
    match Micromap::from_bytes(data) {
        Ok(map) => micromap::tree(device, map),
        Err(BytesError::Unknown) => {
            let mut references = Collected::new(Source::Device(device), addresses.len())?;
            for handle in &addresses {
                let _ = references.add(Some(*handle));
            }
            let references = references.finish();
            let levels: Vec<_> = references.levels().collect();
            let level = TopLevel::from_bytes(data, &levels).map_err(error)?;
            build::top(device, level, references)
        }
        Err(e) => Err(error(e)),
    }
}
