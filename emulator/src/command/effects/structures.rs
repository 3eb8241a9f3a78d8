//! Effects of commands of acceleration structures.
//!
//! The tree of a structure is not in device memory, but commands that read or write it access the range of the buffer
//! that the structure was created on, as the specification says: barriers must order them.

use quadrille_check::events::Access;

use super::super::structure_copy::{StructureCopy, StructureProperties};
use super::{Place, Visitor, access};
use crate::rays::{AccelerationStructure, RecordedBuild, stored_len};

impl Visitor<'_, '_> {
    fn structure(&mut self, of: &AccelerationStructure, access: Access) {
        let (offset, size) = (of.offset(), of.size());
        self.effect(Place::Bytes { buffer: of.buffer(), offset, size }, access, None);
    }

    /// Effects of a build. Addresses select the memory of geometry, and instances select the bottom levels that a top
    /// level reads.
    pub(super) fn build(&mut self, recorded: &RecordedBuild) {
        let build = &recorded.build;
        let (input, write) = match build.is_micromap() {
            false => (access::BUILD_INPUT, access::BUILD_WRITE),
            true => (access::MICROMAP_INPUT, access::MICROMAP_WRITE),
        };
        recorded.parameters(&mut |buffer, offset, size| {
            self.effect(Place::Bytes { buffer, offset, size }, access::BUILD_PARAMETERS, None);
        });
        recorded.reads(&mut |buffer, offset, size| {
            self.effect(Place::Bytes { buffer, offset, size }, input, None);
        });
        recorded.micromaps(&mut |buffer, offset, size| {
            self.effect(Place::Bytes { buffer, offset, size }, access::MICROMAP_READ, None);
        });
        recorded.bottoms(&mut |buffer, offset, size| {
            self.effect(Place::Bytes { buffer, offset, size }, access::BUILD_READ, None);
        });
        if let Some(src) = &build.update {
            self.structure(src, access::BUILD_READ);
        }
        self.structure(&build.dst, write);
    }

    /// Effects of a copy of a structure.
    pub(super) fn structure_copy(&mut self, copy: &StructureCopy) {
        match copy {
            StructureCopy::Clone { src, dst } => {
                self.structure(src, access::STRUCTURE_COPY_READ);
                self.structure(dst, access::STRUCTURE_COPY_WRITE);
            }
            StructureCopy::Serialize { src, dst, offset, version: _ } => {
                self.structure(src, access::STRUCTURE_COPY_READ);
                self.bytes(*dst, *offset, src.bytes_len(), access::SERIALIZE);
            }
            StructureCopy::Deserialize { src, offset, dst, version: _ } => {
                let size = stored_len(&self.at.list.buffers[*src], *offset);
                self.bytes(*src, *offset, size, access::DESERIALIZE);
                self.structure(dst, access::STRUCTURE_COPY_WRITE);
            }
        }
    }

    /// Effects of a query of properties.
    pub(super) fn structure_properties(&mut self, query: &StructureProperties) {
        query.structures.iter().for_each(|of| self.structure(of, access::STRUCTURE_COPY_READ));
    }
}
