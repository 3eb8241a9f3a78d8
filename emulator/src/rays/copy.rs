//! Copies of structures, their properties, and structures as bytes.
//!
//! The bytes of a structure are a header, which the Vulkan specification defines, and the bytes of the tree
//! (`quadrille_rays`). The header lists the device addresses of the bottom levels that a top level refers to; an
//! application that moves the bytes to another device replaces them. Damaged bytes are an error, or give a structure
//! that is safe to walk.

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

/// Words of the header after the version: size of the bytes, size of the structure, number of handles.
const COUNTS: usize = 3;
/// Size of the header without handles, in bytes.
const HEADER: u64 = (VERSION_BYTES + 8 * COUNTS) as u64;

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

    /// Size of the bytes of the structure.
    fn bytes_len(&self) -> u64 {
        let tree = match self {
            Tree::Bottom(bottom) => bottom.level.bytes_len(),
            Tree::Top(top) => top.level.bytes_len(),
            Tree::Micromap(of) => of.map.bytes_len(),
        };
        HEADER + 8 * self.handles().len() as u64 + tree
    }

    /// The bytes of the structure.
    fn to_bytes(&self, version: &StructureVersion) -> Vec<u8> {
        let tree = match self {
            Tree::Bottom(bottom) => bottom.level.to_bytes(),
            Tree::Top(top) => top.level.to_bytes(),
            Tree::Micromap(of) => of.map.to_bytes(),
        };
        let handles = self.handles();
        let size = self.size().next_multiple_of(ALIGNMENT);
        let mut out = version.to_vec();
        let words = [self.bytes_len(), size, handles.len() as u64];
        words.iter().chain(&handles).for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        out.extend_from_slice(&tree);
        out
    }
}

impl AccelerationStructure {
    fn tree(&self) -> Result<Tree> {
        let tree = self.cell()?.tree();
        tree.ok_or_else(|| Error::invalid("the acceleration structure was not built"))
    }

    /// Copies the contents of another structure, also as a compact copy: both share one tree. Spec: Vulkan,
    /// vkCopyAccelerationStructureKHR.
    pub fn copy_from(&self, src: &AccelerationStructure) -> Result<()> {
        same_device(self, src)?;
        self.0.device.check_process()?;
        self.cell()?.set(src.tree()?);
        Ok(())
    }

    /// Returns the structure as bytes. Spec: Vulkan, vkCopyAccelerationStructureToMemoryKHR.
    pub fn to_bytes(&self, version: &StructureVersion) -> Result<Vec<u8>> {
        self.0.device.check_process()?;
        guard("acceleration structure", || Ok(self.tree()?.to_bytes(version)))
    }

    /// Writes the structure from its bytes; those behind the size in the header are ignored. `Invalid` for damaged bytes
    /// and for those of another version. References of a top level to no living structure are inactive. Spec: Vulkan,
    /// vkCopyMemoryToAccelerationStructureKHR.
    pub fn set_bytes(&self, bytes: &[u8], version: &StructureVersion) -> Result<()> {
        let device = &self.0.device;
        device.check_process()?;
        guard("acceleration structure", || {
            self.cell()?.set(tree(device, bytes, version)?);
            Ok(())
        })
    }

    /// Returns the size of the structure's bytes according to their header. `None` for fewer bytes than a header has.
    pub fn bytes_len_of(header: &[u8]) -> Option<u64> {
        let at = VERSION_BYTES;
        Some(u64::from_le_bytes(header.get(at..at + 8)?.try_into().ok()?))
    }

    /// Returns a property of the structure: the value of a query of this kind. `Invalid` if the structure was not built,
    /// or for other kinds. Spec: Vulkan, vkWriteAccelerationStructuresPropertiesKHR.
    pub fn property(&self, kind: QueryKind) -> Result<u64> {
        let tree = self.tree()?;
        Ok(match kind {
            QueryKind::AccelerationStructureCompactedSize => {
                tree.size().next_multiple_of(ALIGNMENT).min(self.size())
            }
            QueryKind::AccelerationStructureSerializationSize => tree.bytes_len(),
            QueryKind::AccelerationStructureSize => self.size(),
            QueryKind::AccelerationStructureSerializationBottomLevelPointers => tree.handles().len() as u64,
            QueryKind::Occlusion
            | QueryKind::PipelineStatistics(_)
            | QueryKind::Timestamp
            | QueryKind::TransformFeedbackStream
            | QueryKind::PrimitivesGenerated
            | QueryKind::MeshPrimitivesGenerated => {
                return Err(Error::invalid(format!("{kind:?} is no property of acceleration structures")));
            }
        })
    }

    /// Writes the bytes of the structure to a buffer.
    pub(crate) fn write_bytes(&self, version: &StructureVersion, to: &Buffer, offset: u64) -> Result<()> {
        to.write(offset, &self.to_bytes(version)?)
    }

    /// Size of the structure's bytes; 0 if it was not built.
    pub(crate) fn bytes_len(&self) -> u64 {
        self.tree().map_or(0, |tree| tree.bytes_len())
    }

    /// Writes the structure from its bytes in a buffer.
    pub(crate) fn read_bytes(&self, version: &StructureVersion, from: &Buffer, offset: u64) -> Result<()> {
        let size = stored_len(from, offset);
        self.set_bytes(&from.read::<u8>(offset, usize::try_from(size).unwrap_or(usize::MAX))?, version)
    }
}

/// Size of the bytes of a structure in a buffer, according to their header; at least that of the header.
pub(crate) fn stored_len(from: &Buffer, offset: u64) -> u64 {
    let header = from.read::<u8>(offset, HEADER as usize).unwrap_or_default();
    AccelerationStructure::bytes_len_of(&header).unwrap_or(0).max(HEADER)
}

/// The tree of a structure's bytes.
fn tree(device: &Device, bytes: &[u8], version: &StructureVersion) -> Result<Tree> {
    let damaged = |why: &str| Error::invalid(format!("bytes of an acceleration structure: {why}"));
    let (own, rest) = bytes.split_at_checked(VERSION_BYTES).ok_or_else(|| damaged("there is no header"))?;
    ensure(own == version, || "bytes of an acceleration structure of another version".into())?;
    let (words, _) = rest.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let [Some(size), _, Some(count)] = [0, 1, 2].map(|i| words.clone().nth(i)) else {
        return Err(damaged("the header is incomplete"));
    };
    let handles: Vec<u64> = words.skip(COUNTS).take(usize::try_from(count).unwrap_or(usize::MAX)).collect();
    ensure(handles.len() as u64 == count, || "bytes of an acceleration structure lack handles".into())?;
    let first = HEADER as usize + 8 * handles.len();
    let data = usize::try_from(size).ok().and_then(|end| bytes.get(first..end));
    let data = data.ok_or_else(|| damaged("there are fewer bytes than the header says"))?;
    let error = |e: BytesError| match e {
        BytesError::Build(e) => build::error(e),
        BytesError::Unknown | BytesError::Size(..) | BytesError::Damaged(_) => Error::invalid(e.to_string()),
    };
    match BottomLevel::from_bytes(data) {
        Ok(level) => return build::bottom(device, level),
        Err(BytesError::Unknown) => {}
        Err(e) => return Err(error(e)),
    }
    match Micromap::from_bytes(data) {
        Ok(map) => micromap::tree(device, map),
        Err(BytesError::Unknown) => {
            let mut references = Collected::new(Source::Device(device), handles.len())?;
            for handle in &handles {
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
