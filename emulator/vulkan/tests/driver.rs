//! Tests of the driver that share a process: one program, because most of the time of a small one is linking.
//!
//! Tests that start processes of themselves, fork, limit the process or read what all devices share are programs of their own,
//! in this package's manifest.

mod common;

#[path = "addresses.rs"]
mod addresses;
#[path = "answers.rs"]
mod answers;
#[path = "compute.rs"]
mod compute;
#[path = "cooperative_matrix.rs"]
mod cooperative_matrix;
#[path = "decompression.rs"]
mod decompression;
#[path = "density.rs"]
mod density;
#[path = "descriptors.rs"]
mod descriptors;
#[path = "drawing.rs"]
mod drawing;
#[path = "draws.rs"]
mod draws;
#[path = "feedback.rs"]
mod feedback;
#[path = "formats.rs"]
mod formats;
#[path = "heaps.rs"]
mod heaps;
#[path = "legacy_attributes.rs"]
mod legacy_attributes;
#[path = "limits.rs"]
mod limits;
#[path = "local_read.rs"]
mod local_read;
#[path = "loops.rs"]
mod loops;
#[path = "meshes.rs"]
mod meshes;
#[path = "objects.rs"]
mod objects;
#[path = "passes.rs"]
mod passes;
#[path = "pipeline_binaries.rs"]
mod pipeline_binaries;
#[path = "pipeline_caches.rs"]
mod pipeline_caches;
#[path = "queues.rs"]
mod queues;
#[path = "rates.rs"]
mod rates;
#[path = "roadmap.rs"]
mod roadmap;
#[path = "robust.rs"]
mod robust;
#[path = "shader_extensions.rs"]
mod shader_extensions;
#[path = "shader_objects.rs"]
mod shader_objects;
#[path = "sparse.rs"]
mod sparse;
#[path = "sparse_aliased.rs"]
mod sparse_aliased;
#[path = "stages.rs"]
mod stages;
#[path = "texels.rs"]
mod texels;
#[path = "transfers.rs"]
mod transfers;
#[path = "triangle.rs"]
mod triangle;
#[path = "updates.rs"]
mod updates;
#[path = "versions.rs"]
mod versions;
#[path = "wide_indexing.rs"]
mod wide_indexing;
#[path = "ycbcr.rs"]
mod ycbcr;
