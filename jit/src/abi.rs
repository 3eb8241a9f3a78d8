//! The contract between generated code and those who call it, in one place: structs, units, masks,
//! signatures. Generated code takes offsets from `offset_of!` on these structs and from nowhere else.
//!
//! # Lane groups
//!
//! A lane group is S invocations (4, 8, 16 or 32; the subgroup). Wherever per-lane data lies in
//! memory it is a row of S elements, lane 0 first. A lane mask is a `u32` with bit i for lane i.
//!
//! # Entry
//!
//! `entry(ctx, first, count)` runs `count` units from unit `first`: workgroups for compute, task and mesh (linear,
//! x fastest, over [`Ctx::num_workgroups`]), invocations for vertex, patches for tessellation control, domain points of
//! one patch for tessellation evaluation, invocations of primitives for geometry, stamps for fragment. It
//! returns [`DONE`], or [`STOPPED`] when [`Ctx::stop`] was seen set ([`BROKEN_CLAIM`] is added by those who
//! call it, where claims are verified). The interpreter is entered
//! through the same signature; it finds itself through [`Ctx::program`].
//!
//! # Stamps
//!
//! A fragment group is a fixed rectangle of quads of one primitive: 2x2 pixels for S = 4, 4x2 for
//! 8, 4x4 for 16, 8x4 for 32. Lanes go quad by quad, row-major over the stamp's quads; within a quad
//! lane 0 is (0, 0), 1 is (1, 0), 2 is (0, 1), 3 is (1, 1). See [`stamp_lane`].
//!
//! # Packed groups
//!
//! Where [`EntryMeta::packed`] is set, a fragment group is S / 4 quads instead, each of any primitive and at any place.
//! What else is said by [`Ctx::primitive`] and by the place of a stamp then lies in rows, the same in all lanes of a
//! quad: see [`packed_row`].

use std::ffi::c_void;

use crate::ir::{GeometryModes, Interface, MAX_STREAMS, MeshModes, Shader, Stage, StageKind};

/// The entry ran to its end.
pub const DONE: u32 = 0;
/// The entry left early because [`Ctx::stop`] was set.
pub const STOPPED: u32 = 1;
/// The entry ran, and something does not hold that code relied on: see [`crate::claims`].
pub const BROKEN_CLAIM: u32 = 2;

/// Descriptor sets at the same time.
pub const MAX_SETS: usize = 8;
/// Bytes behind [`Ctx::push`]; always all readable.
pub const PUSH_BYTES: usize = 256;
/// Levels of an image view.
pub const MAX_LEVELS: usize = 16;
/// Interned sampler states a device can have; sampler numbers are below this. Number 0 means
/// "no sampler" and serves operations without one.
pub const MAX_SAMPLERS: usize = 4096;
/// Image operations a device can intern; operation numbers are below this.
pub const MAX_IMAGE_OPS: usize = 1024;
/// Largest S.
pub const MAX_LANES: usize = 32;
/// Every base address in a [`Descriptor`] has at least this many readable bytes, whatever its
/// size says, so that a bounds-checked load may read its base. Null descriptors point at zeros.
pub const PAD_BYTES: usize = 64;

/// A device address is a number of an entry of [`Ctx::addresses`], from 1, shifted left by this, plus the
/// offset in the buffer.
pub const ADDRESS_SHIFT: u32 = 40;

/// Bytes that accesses reach from a device address on. Offsets from it are sums that saturate in 32 bits, maybe
/// somewhat below the greatest number: none of those that did is within reach. What lies further on is reached
/// by another address, nearer to it.
pub const ADDRESS_REACH: u64 = (1 << 32) - (1 << 16);

/// Signature of lane functions.
pub type Entry = unsafe extern "C" fn(ctx: *const Ctx, first: u32, count: u32) -> u32;

/// Everything a lane function can reach. Fields that do not belong to the stage are unused.
#[repr(C)]
pub struct Ctx {
    /// The interpreter's program; generated code ignores it.
    pub program: *const c_void,
    /// Memory of each bound descriptor set, laid out as the [`Layout`] says.
    pub sets: [*const u8; MAX_SETS],
    /// Bytes that each set has there. Handles and inline uniform blocks beyond them are not read.
    pub set_bytes: [u32; MAX_SETS],
    /// Dynamic uniform and storage buffers, dynamic offsets applied; see [`BindingLayout::dynamic`].
    pub dynamic: *const Descriptor,
    /// Push constants, [`PUSH_BYTES`] bytes.
    pub push: *const u8,
    /// Buffers that have device addresses, by number: [`Ctx::address_slots`] entries and a null one behind
    /// them; the first is null too. An entry's size may become 0 at any time, nothing else may change
    /// while shaders run that may have its address.
    pub addresses: *const Descriptor,
    /// Number of entries of `addresses`.
    pub address_slots: u32,
    /// What [handles](crate::handle) lead to, by slot: [`Ctx::resource_slots`] entries and a null one behind them. A key
    /// may become 0 at any time. Size and pointer of an entry stay while shaders run that may have seen its key.
    pub resources: *const ResourceEntry,
    /// Number of entries of `resources`.
    pub resource_slots: u32,
    /// Set to nonzero to make the function leave at its next back edge (atomic `u32`); loops that are known to
    /// end soon do not look.
    pub stop: *const u32,
    /// Shaders with [alarms](crate::ir::Op::Alarm): set to 1 when one rings; private to the call.
    pub alarm: *mut u32,
    /// [`EntryMeta::scratch_bytes`] bytes, aligned to 64, private to the call; contents arbitrary.
    pub scratch: *mut u8,

    /// Workgroups: their memory, [`EntryMeta::shared_bytes`], aligned to 64; the function zeroes it.
    pub shared: *mut u8,
    /// Workgroups: size of the dispatch, or of the draw, in workgroups.
    pub num_workgroups: [u32; 3],
    /// Workgroups: added to the workgroup id (vkCmdDispatchBase).
    pub base_workgroup: [u32; 3],

    /// Vertex: VertexIndex of each invocation; readable up to the next multiple of S.
    pub vertex_ids: *const u32,
    /// Vertex: InstanceIndex of each invocation, likewise.
    pub instance_ids: *const u32,
    /// Vertex: rows of inputs: word w of group g at `((g * n_input_words) + w) * S * 4` bytes.
    /// Word order is that of `Shader::inputs` (64-bit ones take two rows: low words, high words).
    /// Fragment, packed: row r of group g at `(g * packed_row::count(n_input_words) + r) * S * 4` bytes.
    pub input: *const u8,
    /// Before rasterization: one record of `n_output_words` words per invocation, in the order of
    /// `Shader::outputs`; there must be room up to the next multiple of S, and what is written
    /// beyond `first + count` means nothing. `first` must be a multiple of S.
    /// Fragment: word w of stamp i at `((i * n_output_words) + w) * S * 4` bytes, lanes in a row.
    pub output: *mut u8,
    /// BaseVertex.
    pub base_vertex: i32,
    /// BaseInstance.
    pub base_instance: u32,
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,

    /// After the vertex stage: records of the stage before, less than 4 GiB of them. At least one word is
    /// readable.
    pub in_records: *const u32,
    /// 32-bit words per record of the stage before.
    pub in_stride: u32,
    /// For each 32-bit word of `Shader::inputs` its word in those records; [`NO_WORD`]: the input reads 0.
    pub in_words: *const u32,
    /// Control and geometry: record of vertex i of primitive (patch) p at `p * in_vertex_count + i`.
    pub in_vertices: *const u32,
    /// Vertices of a primitive, of a patch: PatchVertices; at least one. A vertex index past the end reads 0. For
    /// the evaluation stage vertex i is record i.
    pub in_vertex_count: u32,
    /// PrimitiveId of each primitive (patch).
    pub primitive_ids: *const u32,
    /// Control writes patch p from word `p * patch_stride` on: the words of `Shader::patch_outputs`, then
    /// `output_vertices` records of `n_output_words` words. Evaluation reads the words of its one patch.
    pub patch_records: *mut u32,
    /// 32-bit words per patch.
    pub patch_stride: u32,
    /// Evaluation: for each word of `Shader::patch_inputs` its word in the patch; [`NO_WORD`] reads 0.
    pub patch_words: *const u32,
    /// Evaluation: u, v and w of each invocation; readable up to the next multiple of S.
    pub tess_coord: [*const f32; 3],
    /// Geometry: vertex k that unit u (primitive times invocations plus invocation) emits on stream s is the
    /// record at word `(u * max_vertices + k) * stream_words[s]` of `emitted[s]`. This and the two below are not
    /// looked at for streams that are not in [`EntryMeta::streams`].
    pub emitted: [*mut u32; MAX_STREAMS],
    /// Geometry: vertices that each unit has emitted on a stream; written, also where there are none.
    pub emit_counts: [*mut u32; MAX_STREAMS],
    /// Geometry: bit k of the bits from word `u * max_vertices.div_ceil(32)` on is set where vertex k begins a
    /// strip; written.
    pub emit_cuts: [*mut u32; MAX_STREAMS],

    /// Task: payload of unit u from byte `(u - first) * payload_stride` on; written, what the shader does not
    /// store is 0. Mesh: payload of the one task workgroup that all units of the call belong to, with
    /// [`EntryMeta::payload_bytes`] readable bytes, and at least 16.
    pub payload: *mut u8,
    /// Task: a multiple of 16, at least [`EntryMeta::payload_bytes`].
    pub payload_stride: u32,
    /// Task: mesh workgroups in x, y and z that unit u asks for, three words from word `3 * (u - first)` on;
    /// written, 0 where it does not say.
    pub task_groups: *mut u32,
    /// Mesh: unit u writes from word `(u - first) * mesh_stride` on: numbers of vertices and primitives (0 where it
    /// does not say), then [`EntryMeta::max_vertices`] records of `n_output_words` words, then
    /// [`EntryMeta::max_primitives`] records of `n_primitive_words` words. What vertices and primitives below the
    /// numbers have and the shader does not store is 0.
    pub mesh_records: *mut u32,
    /// 32-bit words per unit.
    pub mesh_stride: u32,

    /// Fragment: stamps, indexed by unit; of packed groups only the masks count.
    pub stamps: *const Stamp,
    /// Fragment: the primitive all stamps of the call belong to.
    pub primitive: *const Primitive,
    /// Fragment: lanes left after discard, demote and terminate, one `u32` per stamp; written.
    pub out_masks: *mut u32,
    /// Fragment, sample shading: index of the sample this call shades; 0 otherwise.
    pub sample_id: u32,
    /// Fragment: rasterization samples.
    pub sample_count: u32,
    /// Fragment: covered samples per lane, row of S per stamp; null for fragments of one pixel with one sample.
    pub in_sample_masks: *const u32,
    /// Fragment: position of each sample within the pixel, in pixels from the corner; all
    /// [`SAMPLE_POSITIONS`] of them, those past the last sample at the centre.
    pub sample_positions: *const [f32; 2],
    /// Fragment: where in the pixel inputs and FragCoord are evaluated: its centre, or the sample that
    /// this call shades.
    pub pixel_offset: [f32; 2],
    /// Fragment: where in the pixel centroid inputs are evaluated: a row of S for x and one for y per
    /// stamp; null for the centre everywhere.
    pub centroids: *const f32,
    /// Fragment: ShadingRateKHR. Fragments are `1 << (shading_rate >> 2 & 3)` pixels wide and
    /// `1 << (shading_rate & 3)` high, aligned to their size; what is said above of a pixel is then said of a
    /// fragment, whose lanes lie that far apart. Stamps say their first pixel. 0 is one pixel.
    pub shading_rate: u32,
}

/// Stands for a word that the stage before does not write.
pub const NO_WORD: u32 = u32::MAX;

/// Entries behind [`Ctx::sample_positions`].
pub const SAMPLE_POSITIONS: usize = 17;

/// A stamp of one primitive.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Left column, in pixels.
    pub x: i32,
    /// Top row, in pixels.
    pub y: i32,
    /// Lanes covered; the others are helper invocations if the shader needs quads.
    pub mask: u32,
}

/// `a0 + dadx * (x - origin.x) + dady * (y - origin.y)`, in this order, no fused operations.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    /// Value at the origin. Flat inputs: the value's bits.
    pub a0: f32,
    /// Change per pixel to the right.
    pub dadx: f32,
    /// Change per pixel down.
    pub dady: f32,
}

/// What the fragment stage knows of its primitive.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Primitive {
    /// Point in framebuffer space that the planes are relative to.
    pub origin: [f32; 2],
    /// Depth after the viewport transformation.
    pub z: Plane,
    /// 1 / w of clip space.
    pub inv_w: Plane,
    /// One per scalar of `Shader::inputs`: perspective ones hold value / w; flat 64-bit ones take two.
    pub inputs: *const Plane,
    /// 1 for front-facing.
    pub front_facing: u32,
    /// PrimitiveId.
    pub primitive_id: u32,
    /// Layer.
    pub layer: u32,
    /// ViewportIndex.
    pub viewport_index: u32,
}

/// A descriptor in memory that only the device writes ([`DescriptorForm::Resolved`]). The size is the stride of arrays of
/// descriptors.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// Buffers: address of the first byte. Images and texel buffers: address of an [`ImageView`].
    /// Never null: see [`PAD_BYTES`].
    pub ptr: u64,
    /// Buffers: size in bytes. Samplers and combined image samplers: sampler number.
    pub size: u64,
}

#[repr(C, align(64))]
struct Zeros([u8; 4096]);
static ZEROS: Zeros = Zeros([0; 4096]);

/// A page of zeros, read by accesses that are out of range.
pub fn zeros() -> *const u8 {
    ZEROS.0.as_ptr()
}

/// The descriptor of a buffer without bytes; also what [`Ctx::addresses`] is where no buffer has an address.
pub fn null_buffer() -> &'static Descriptor {
    static NULL: std::sync::OnceLock<Descriptor> = std::sync::OnceLock::new();
    NULL.get_or_init(|| Descriptor { ptr: zeros() as u64, size: 0 })
}

/// The descriptor of a buffer that nobody has written: as [`null_buffer`], and another to those who watch.
pub fn unwritten_buffer() -> &'static Descriptor {
    static UNWRITTEN: std::sync::OnceLock<Descriptor> = std::sync::OnceLock::new();
    UNWRITTEN.get_or_init(|| Descriptor { ptr: zeros() as u64 + PAD_BYTES as u64, size: 0 })
}

/// Size of a [`Descriptor`], and the stride of arrays of handles.
pub const DESCRIPTOR_BYTES: u32 = size_of::<Descriptor>() as u32;

/// An entry of the table of resources; see [`Ctx::resources`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ResourceEntry {
    /// [`Handle::key`](crate::handle::Handle::key) of the handle that leads here; 0 matches none. Read first.
    pub key: u64,
    /// Buffers: size in bytes. Read before the pointer.
    pub size: u64,
    /// As [`Descriptor::ptr`].
    pub ptr: u64,
    /// Of the last handle of the slot; shaders do not read it.
    pub generation: u64,
}

/// Size of a [`ResourceEntry`].
pub const RESOURCE_BYTES: u32 = size_of::<ResourceEntry>() as u32;

/// An entry to which no handle leads; also what [`Ctx::resources`] is where there are no handles.
pub fn null_resource() -> &'static ResourceEntry {
    static NULL: std::sync::OnceLock<ResourceEntry> = std::sync::OnceLock::new();
    NULL.get_or_init(|| ResourceEntry { key: 0, size: 0, ptr: zeros() as u64, generation: 0 })
}

/// Head of an image view; whoever owns texel formats appends what sampling needs.
///
/// Extents are those of the view's first level; a texel buffer has its element count in `width`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ImageView {
    /// Routines by sampler number, then operation number: `table[sampler][op]`. Never null and
    /// never holds null: unresolved entries hold a routine that resolves itself.
    pub table: *const *const ImageRoutine,
    /// Texels across.
    pub width: u32,
    /// Texels down; 1 for 1D.
    pub height: u32,
    /// Slices; 1 unless 3D.
    pub depth: u32,
    /// Array layers (cube arrays: cubes).
    pub layers: u32,
    /// Levels.
    pub levels: u32,
    /// Samples.
    pub samples: u32,
}

/// An image operation on one lane group. Reads and writes [`ImageArgs`].
pub type ImageRoutine = unsafe extern "C" fn(args: *mut ImageArgs);

/// A row of up to 32 lanes of 32-bit words; the first S are used.
pub type Row = [u32; MAX_LANES];

/// Arguments and results of an image operation. The operation number says which rows are used;
/// floats are rows of bits. Only lanes in `mask` need meaningful results, but derivatives are
/// taken over all lanes in `quad_mask`.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct ImageArgs {
    /// The view.
    pub view: *const ImageView,
    /// Sampler number.
    pub sampler: u32,
    /// Operation number.
    pub op: u32,
    /// Active lanes.
    pub mask: u32,
    /// Lanes that take part in derivatives.
    pub quad_mask: u32,
    /// Lane group size S.
    pub lanes: u32,
    /// Padding.
    pub pad: u32,
    /// Coordinates, then the array layer.
    pub coord: [Row; 4],
    /// Depth reference.
    pub dref: Row,
    /// Bias or lod.
    pub lod: Row,
    /// Gradients: dx of each coordinate, then dy.
    pub grad: [Row; 6],
    /// Minimum lod.
    pub min_lod: Row,
    /// Offsets (gather with four: x0 y0 x1 y1 ...).
    pub offset: [Row; 8],
    /// Sample index.
    pub sample: Row,
    /// Texel read, or to write; atomics: operands in, old value out in row 0. 64-bit texels use two
    /// rows each (low, high).
    pub texel: [Row; 8],
    /// Residency code of the texels that a lane read. Zero before the call; routines of images that have all their
    /// texels leave it alone.
    pub residency: Row,
}

/// What lies in set memory for a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DescriptorForm {
    /// [`Descriptor`]s, all of which lead to live resources. Only the device writes their memory, and not while shaders run.
    Resolved,
    /// [Handles](crate::handle), one word each, [`DESCRIPTOR_BYTES`] apart. Anyone may write them at any time.
    Handles,
    /// The bytes of an inline uniform block. The binding's count is their number.
    Inline,
}

/// Where a binding's descriptors are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BindingLayout {
    /// Set number.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// Byte offset of the first descriptor in set memory.
    pub offset: u32,
    /// Descriptors in the array; bytes of an inline uniform block.
    pub count: u32,
    /// Dynamic buffers: index of the first in [`Ctx::dynamic`]; set memory is not read.
    pub dynamic: Option<u32>,
    /// What lies in set memory.
    pub form: DescriptorForm,
}

impl BindingLayout {
    /// Descriptors from byte `offset` of a set's memory on, all of which are valid.
    pub fn new(set: u32, binding: u32, offset: u32, count: u32) -> Self {
        BindingLayout { set, binding, offset, count, dynamic: None, form: DescriptorForm::Resolved }
    }

    /// Number of descriptors; an inline uniform block is one.
    pub fn descriptors(&self) -> u32 {
        if self.form == DescriptorForm::Inline { self.count.min(1) } else { self.count }
    }
}

/// Where descriptors are: part of a variant's key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Bindings of all sets.
    pub bindings: Vec<BindingLayout>,
}

impl Layout {
    /// The binding, if it is there.
    pub fn find(&self, set: u32, binding: u32) -> Option<&BindingLayout> {
        self.bindings.iter().find(|b| b.set == set && b.binding == binding)
    }
}

/// What a caller must provide to an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryMeta {
    /// S.
    pub lanes: u32,
    /// Bytes of scratch per call.
    pub scratch_bytes: usize,
    /// Bytes of workgroup memory.
    pub shared_bytes: usize,
    /// 32-bit words per group or record of input.
    pub n_input_words: u32,
    /// 32-bit words per record or stamp of output.
    pub n_output_words: u32,
    /// Control: 32-bit words of `Shader::patch_outputs`; evaluation: of `Shader::patch_inputs`.
    pub n_patch_words: u32,
    /// Control: vertices, and so invocations, of a patch.
    pub output_vertices: u32,
    /// Geometry and mesh: vertices that a unit puts out at most.
    pub max_vertices: u32,
    /// Mesh: primitives that a unit puts out at most.
    pub max_primitives: u32,
    /// Mesh: 32-bit words per record of a primitive.
    pub n_primitive_words: u32,
    /// Task and mesh: bytes of the payload.
    pub payload_bytes: u32,
    /// Geometry: units of a primitive.
    pub invocations: u32,
    /// Geometry: 32-bit words per record of each stream.
    pub stream_words: [u32; MAX_STREAMS],
    /// Geometry: streams on which the shader emits vertices, as bits. Of the others nothing is written.
    pub streams: u32,
    /// Fragment: groups are packed.
    pub packed: bool,
}

impl EntryMeta {
    /// What a shader says of it, without scratch memory.
    pub(crate) fn of(shader: &Shader, lanes: u32) -> EntryMeta {
        let geometry = match shader.kind {
            StageKind::Geometry(modes) => modes,
            _ => GeometryModes::default(),
        };
        let mesh = match shader.kind {
            StageKind::Mesh(modes) => modes,
            _ => MeshModes::default(),
        };
        let patch = match shader.stage {
            Stage::TessellationControl => &shader.patch_outputs,
            _ => &shader.patch_inputs,
        };
        let words_of = |stream: usize| {
            let list: Vec<Interface> = shader.stream(stream as u32).copied().collect();
            if shader.stage == Stage::Geometry { interface_words(&list) } else { 0 }
        };
        EntryMeta {
            lanes,
            scratch_bytes: 0,
            shared_bytes: shader.shared_size as usize,
            n_input_words: interface_words(&shader.inputs),
            n_output_words: interface_words(&shader.outputs),
            n_patch_words: interface_words(patch),
            output_vertices: shader.output_vertices(),
            max_vertices: geometry.max_vertices.max(mesh.max_vertices),
            max_primitives: mesh.max_primitives,
            n_primitive_words: interface_words(&shader.primitive_outputs),
            payload_bytes: shader.payload_size,
            invocations: geometry.invocations,
            stream_words: std::array::from_fn(words_of),
            streams: shader.emitted_streams(),
            packed: shader.packed,
        }
    }
}

/// The rows of a packed fragment group.
pub mod packed_row {
    /// Left column of the quad, in pixels.
    pub const X: u32 = 0;
    /// Top row of the quad.
    pub const Y: u32 = 1;
    /// [`Primitive::origin`](super::Primitive::origin), two rows.
    pub const ORIGIN: u32 = 2;
    /// [`Primitive::z`](super::Primitive::z): the words of a [`Plane`](super::Plane), as all planes here.
    pub const Z: u32 = 4;
    /// [`Primitive::inv_w`](super::Primitive::inv_w).
    pub const INV_W: u32 = 7;
    /// [`Primitive::front_facing`](super::Primitive::front_facing).
    pub const FRONT_FACING: u32 = 10;
    /// [`Primitive::primitive_id`](super::Primitive::primitive_id).
    pub const PRIMITIVE_ID: u32 = 11;
    /// [`Primitive::layer`](super::Primitive::layer).
    pub const LAYER: u32 = 12;
    /// [`Primitive::viewport_index`](super::Primitive::viewport_index).
    pub const VIEWPORT_INDEX: u32 = 13;
    /// Planes of the inputs.
    pub const INPUTS: u32 = 14;

    /// Rows of a group of a shader with so many words of inputs.
    pub const fn count(input_words: u32) -> u32 {
        INPUTS + 3 * input_words
    }
}

/// Number of rows or words an interface takes (64-bit scalars take two).
pub fn interface_words(list: &[Interface]) -> u32 {
    list.iter().map(|i| if i.ty.bytes() == 8 { 2 } else { 1 }).sum()
}

/// Size of a stamp in pixels.
pub const fn stamp_size(lanes: u32) -> (u32, u32) {
    match lanes {
        4 => (2, 2),
        8 => (4, 2),
        16 => (4, 4),
        _ => (8, 4),
    }
}

/// Pixel of a lane within its stamp.
pub const fn stamp_lane(lanes: u32, lane: u32) -> (u32, u32) {
    let quads_across = stamp_size(lanes).0 / 2;
    let (quad, in_quad) = (lane / 4, lane % 4);
    (quad % quads_across * 2 + in_quad % 2, quad / quads_across * 2 + in_quad / 2)
}
