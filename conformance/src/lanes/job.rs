//! Inputs and results of a run, as plain data.

use quadrille_jit::abi::{BindingLayout, DESCRIPTOR_BYTES, Layout, MAX_SETS};

use super::meshes::{Mesh, Task};

/// A buffer at a binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Units of work of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Compute workgroups.
    Compute([u32; 3]),
    /// Vertices `0..count`, with rows of input words per vertex in the order of the shader's inputs.
    Vertex {
        /// Number of vertices.
        count: u32,
        /// Input words of each vertex.
        input: Vec<Vec<u32>>,
    },
    /// Patches for tessellation control.
    Patches {
        /// Vertices per patch.
        size: u32,
        /// Number of patches.
        count: u32,
        /// Vertices of the patches, patch after patch.
        vertices: Records,
    },
    /// Points of the domain of one patch.
    Points {
        /// Vertices of the patch.
        vertices: Records,
        /// Per-patch words that the shader may read.
        patch: Records,
        /// u, v and w of each point.
        coords: Vec<[f32; 3]>,
    },
    /// Primitives for the geometry stage.
    Primitives {
        /// Number of primitives.
        count: u32,
        /// Vertices of the primitives, primitive after primitive.
        vertices: Records,
    },
    /// Task workgroups.
    Tasks([u32; 3]),
    /// Mesh workgroups.
    Meshes {
        /// Number of workgroups in x, y and z.
        groups: [u32; 3],
        /// Payload of the task workgroup.
        payload: Vec<u8>,
    },
    /// Pixels of one primitive.
    Fragment {
        /// Width in pixels, a multiple of 8.
        width: u32,
        /// Height in pixels, a multiple of 4.
        height: u32,
        /// Pixels that the primitive covers, row by row.
        covered: Vec<bool>,
        /// Value at (0, 0) and change per pixel of each input scalar, in the order of the shader's inputs.
        planes: Vec<[f32; 3]>,
        /// Value of 1 / w at (0, 0), and its change per pixel.
        inv_w: [f32; 3],
    },
}

/// Output words of the previous stage, in the order of the shader's inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// For each word, true if the records contain it.
    pub there: Vec<bool>,
    /// Words of each record.
    pub words: Vec<Vec<u32>>,
}

/// Vertices emitted on a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emitted {
    /// Number of vertices of each unit.
    pub counts: Vec<u32>,
    /// Words of each vertex, unit after unit.
    pub vertices: Vec<Vec<u32>>,
    /// For each vertex, 1 if it begins a strip.
    pub begins: Vec<u32>,
}

/// Built-in inputs of a stage.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// BaseVertex.
    pub base_vertex: i32,
    /// BaseInstance.
    pub base_instance: u32,
    /// InstanceIndex of all vertices.
    pub instance: u32,
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,
    /// FrontFacing: 0 or 1.
    pub front_facing: u32,
    /// PrimitiveId.
    pub primitive_id: u32,
    /// Layer.
    pub layer: u32,
    /// ViewportIndex.
    pub viewport_index: u32,
    /// Samples per pixel: 1 or 4, at the standard positions.
    pub samples: u32,
    /// SampleId.
    pub sample_id: u32,
    /// Sample mask of the coverage of each pixel.
    pub sample_mask: u32,
    /// FragSizeEXT.
    pub frag_width: u32,
    /// FragSizeEXT.
    pub frag_height: u32,
    /// FragInvocationCountEXT.
    pub frag_invocations: u32,
}

impl Default for Given {
    fn default() -> Self {
        Given {
            base_vertex: 0,
            base_instance: 0,
            instance: 0,
            draw_index: 0,
            view_index: 0,
            front_facing: 1,
            primitive_id: 7,
            layer: 0,
            viewport_index: 0,
            samples: 1,
            sample_id: 0,
            sample_mask: 1,
            frag_width: 1,
            frag_height: 1,
            frag_invocations: 1,
        }
    }
}

impl Given {
    /// Returns the field with this name.
    pub fn named(&mut self, name: &str) -> Option<&mut u32> {
        Some(match name {
            "base_instance" => &mut self.base_instance,
            "instance" => &mut self.instance,
            "draw_index" => &mut self.draw_index,
            "view_index" => &mut self.view_index,
            "front_facing" => &mut self.front_facing,
            "primitive_id" => &mut self.primitive_id,
            "layer" => &mut self.layer,
            "viewport_index" => &mut self.viewport_index,
            "samples" => &mut self.samples,
            "sample_id" => &mut self.sample_id,
            "sample_mask" => &mut self.sample_mask,
            "frag_width" => &mut self.frag_width,
            "frag_height" => &mut self.frag_height,
            "frag_invocations" => &mut self.frag_invocations,
            _ => return None,
        })
    }
}

/// A descriptor in a buffer that serves as a descriptor heap.
#[derive(Clone, Copy, Debug)]
pub struct InHeap {
    /// Set and binding of the heap.
    pub heap: (u32, u32),
    /// Byte offset in the heap.
    pub offset: usize,
    /// Set and binding of the buffer to which the descriptor refers.
    pub of: (u32, u32),
}

/// All inputs of a run.
#[derive(Clone, Debug)]
pub struct Job {
    /// Buffers.
    pub buffers: Vec<Buffer>,
    /// Descriptors in buffers that serve as descriptor heaps. After the run, these bytes are zero.
    pub descriptors: Vec<InHeap>,
    /// Push constants.
    pub push: Vec<u8>,
    /// Units of work.
    pub work: Work,
    /// Built-in inputs.
    pub given: Given,
}

/// Results of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Contents of the buffers after the run.
    pub buffers: Vec<Buffer>,
    /// Output words: per vertex, or per pixel, row by row (zero for discarded pixels).
    pub output: Vec<Vec<u32>>,
    /// Tessellation control: output words of each patch.
    pub patches: Vec<Vec<u32>>,
    /// Geometry: vertices emitted on each stream.
    pub streams: Vec<Emitted>,
    /// Outputs of each task workgroup.
    pub tasks: Vec<Task>,
    /// Outputs of each mesh workgroup.
    pub meshes: Vec<Mesh>,
    /// Fragment: pixels that are left after discard.
    pub alive: Vec<bool>,
}

/// Descriptor set layouts for the buffers of a job.
pub fn layout(buffers: &[Buffer]) -> Layout {
    let mut next = [0; MAX_SETS];
    let mut bindings = Vec::new();
    for b in buffers {
        let Some(offset) = next.get_mut(b.set as usize) else { continue };
        bindings.push(BindingLayout::new(b.set, b.binding, *offset, 1));
        *offset += DESCRIPTOR_BYTES;
    }
    Layout { bindings }
}
