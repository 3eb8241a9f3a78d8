//! The contract between generated code and its callers: structs, units, masks, signatures. Generated code takes all
//! offsets from `offset_of!` on these structs.
//!
//! # Lane groups
//!
//! A lane group is S invocations (4, 8, 16 or 32; the subgroup). Per-lane data in memory is a row of S elements, lane 0
//! first. A lane mask is a `u32` with bit i for lane i.
//!
//! # Entry
//!
//! `entry(ctx, first, count)` runs `count` units from unit `first`. Units are workgroups for compute, task and mesh
//! (linear, x fastest, over [`Ctx::num_workgroups`]), invocations for vertex, patches for tessellation control, domain
//! points of one patch for tessellation evaluation, invocations of primitives for geometry, stamps for fragment,
//! invocations for ray tracing stages, whose inputs and outputs lie as those of the vertex stage. The entry returns [`DONE`], or [`STOPPED`] if it saw [`Ctx::stop`] set. [`LaneFn::call`](crate::call::LaneFn::call)
//! returns [`BROKEN_CLAIM`] instead if a verified claim failed. The interpreter has the same signature; it finds its
//! program through [`Ctx::program`].
//!
//! # Stamps
//!
//! A fragment group is a fixed rectangle of quads of one primitive: 2x2 pixels for S = 4, 4x2 for 8, 4x4 for 16, 8x4
//! for 32. Lanes go quad by quad, row-major over the stamp's quads; within a quad lane 0 is (0, 0), 1 is (1, 0), 2 is
//! (0, 1), 3 is (1, 1). See [`stamp_lane`].
//!
//! # Packed groups
//!
//! If [`EntryMeta::packed`] is set, a fragment group is S / 4 quads instead, each of any primitive and at any position.
//! The fields of [`Ctx::primitive`] and the position of the stamp then come from rows of the input, with equal values
//! in all lanes of a quad: see [`packed_row`].

pub mod entries;
mod image;
mod layout;
mod ray;
mod ray_call;

use std::ffi::c_void;

use once_cell::race::OnceBox;

use crate::ir::{ATTACHMENT_SET, GeometryModes, Interface, MAX_STREAMS, MeshModes, Shader, Stage, StageKind};
use crate::missing::MissingPages;
pub use image::{ImageArgs, ImageRoutine, ImageView, Row};
pub use layout::{BindingLayout, DescriptorForm, Layout};
pub use ray::{RAY_OPERANDS, RAY_QUERY_BYTES, RAY_RESULTS, RayArgs, RayHost, RayRoutine};
pub use ray_call::{RayCallArgs, RayCallRoutine, RayTracer};

/// The entry ran to its end.
pub const DONE: u32 = 0;
/// The entry returned early because [`Ctx::stop`] was set.
pub const STOPPED: u32 = 1;
/// The entry ran, but an assumption of its code failed: see [`crate::claims`].
pub const BROKEN_CLAIM: u32 = 2;

/// Maximum number of descriptor sets that a program binds.
pub const BOUND_SETS: usize = ATTACHMENT_SET as usize;
/// Maximum number of descriptor sets that a lane function reaches: those that the program binds, and
/// [`ATTACHMENT_SET`].
pub const MAX_SETS: usize = BOUND_SETS + 1;
/// Maximum number of colour attachments.
pub const MAX_COLORS: usize = 8;
/// Size of the memory behind [`Ctx::push`], in bytes; all of it is always readable.
pub const PUSH_BYTES: usize = 256;
/// Maximum number of levels of an image view.
pub const MAX_LEVELS: usize = 16;
/// Maximum number of sampler states that a device can intern; sampler numbers are below this. Number 0 means "no
/// sampler" and serves operations without one.
pub const MAX_SAMPLERS: usize = 1 << 27;
/// Numbers of samplers that a handle can hold beside an image are below this.
pub const MAX_COMBINED_SAMPLERS: usize = 1 << 20;
/// Number of rows of a view's table. Sampler numbers below the last row have a row each; all others share the last.
pub const SAMPLER_ROWS: usize = 4096;

/// Returns the word that names a sampler beside an image, in a [`Descriptor`] and in [`ImageArgs`]: its row in the low
/// half, and its number in the high half.
pub const fn sampler_word(number: u32) -> u64 {
    let last = SAMPLER_ROWS as u32 - 1;
    (if number < last { number } else { last }) as u64 | (number as u64) << 32
}

/// Returns the sampler number of a word from [`sampler_word`].
pub const fn sampler_of_word(word: u64) -> u32 {
    (word >> 32) as u32
}

/// Maximum number of image operations that a device can intern; operation numbers are below this.
pub const MAX_IMAGE_OPS: usize = 1024;
/// Maximum lane group size S.
pub const MAX_LANES: usize = 32;
/// Result rows of an image operation: four texels of four components, as a gather of all components has.
pub const TEXEL_ROWS: usize = 16;
/// Every base address in a [`Descriptor`] has at least this many readable bytes, regardless of its size, so that a
/// bounds-checked load may read its base. Memory has a multiple of it, and so have the offsets of descriptors; nothing
/// behind the memory needs to be readable. Null descriptors point at zeros.
pub const BASE_BYTES: usize = 16;
/// Readable bytes after every allocation of a device. Routines that read several texels at once use them; lane
/// functions do not.
pub const PAD_BYTES: usize = 64;

/// A device address is an index into [`Ctx::addresses`], at least 1, shifted left by this number of bits, plus the
/// offset in the buffer.
pub const ADDRESS_SHIFT: u32 = 40;
/// Bits of a device address that are the offset in the buffer.
pub const INSIDE: u64 = (1 << ADDRESS_SHIFT) - 1;
/// Half of the range of offsets. A pointer of a kernel that lies less than this before the start of a buffer still belongs to the
/// buffer: its number plus this one has the buffer's bits.
pub const HALF_INSIDE: u64 = 1 << (ADDRESS_SHIFT - 1);

/// Maximum distance in bytes between a device address and the end of an access through it. Offsets are sums that
/// saturate in 32 bits, possibly somewhat below the maximum; every saturated offset is beyond this distance. Accesses
/// further away are rebased to a nearer address.
pub const ADDRESS_REACH: u64 = (1 << 32) - (1 << 16);

/// Signature of lane functions.
pub type Entry = unsafe extern "C" fn(ctx: *const Ctx, first: u32, count: u32) -> u32;

/// Everything that a lane function can access. Fields that do not belong to the stage are unused.
#[repr(C)]
pub struct Ctx {
    /// The interpreter's program; generated code ignores it.
    pub program: *const c_void,
    /// Memory of each bound descriptor set, laid out according to the [`Layout`].
    pub sets: [*const u8; MAX_SETS],
    /// Size of each set's memory, in bytes. Handles and inline uniform blocks beyond it are not read.
    pub set_bytes: [u32; MAX_SETS],
    /// Dynamic uniform and storage buffers, dynamic offsets applied; see [`BindingLayout::dynamic`].
    pub dynamic: *const Descriptor,
    /// Push constants, [`PUSH_BYTES`] bytes.
    pub push: *const u8,
    /// Buffers with device addresses, by number: [`Ctx::address_slots`] entries followed by a null entry; the first
    /// entry is null too. The size of an entry may become 0 at any time. Nothing else may change while shaders run that
    /// may hold its address.
    pub addresses: *const Descriptor,
    /// Number of entries of `addresses`.
    pub address_slots: u32,
    /// Resources that [handles](crate::handle) refer to, by slot: [`Ctx::resource_slots`] entries followed by a null
    /// entry. A key may become 0 at any time. Size and pointer of an entry stay unchanged while shaders run that may
    /// have seen its key.
    pub resources: *const ResourceEntry,
    /// Number of entries of `resources`.
    pub resource_slots: u32,
    /// Ray queries and the acceleration structures that they can see; never null. See [`crate::runtime::no_rays`].
    pub rays: *const RayHost,
    /// Ray tracing stages: the pipeline that runs; never null. See [`crate::runtime::no_tracer`].
    pub tracer: *const RayTracer,
    /// Pages of buffers that stores must leave alone; null for functions that were not compiled for them
    /// ([`CompileOptions::missing`](crate::codegen::CompileOptions::missing)), if no page is missing.
    pub missing: *const MissingPages,
    /// If nonzero, the function returns at its next back edge (atomic `u32`). Loops with a known small trip count do
    /// not check.
    pub stop: *const u32,
    /// Shaders with [alarms](crate::ir::Op::Alarm): set to 1 when an alarm rings; private to the call.
    pub alarm: *mut u32,
    /// [`EntryMeta::scratch_bytes`] bytes of scratch memory, aligned to 64, private to the call; contents arbitrary.
    pub scratch: *mut u8,

    /// Workgroups: [`EntryMeta::shared_bytes`] bytes of workgroup memory, aligned to 64; the function zeroes it.
    pub shared: *mut u8,
    /// Workgroups: size of the dispatch or draw, in workgroups.
    pub num_workgroups: [u32; 3],
    /// Workgroups: added to the workgroup id (vkCmdDispatchBase).
    pub base_workgroup: [u32; 3],

    /// Vertex: VertexIndex of each invocation; readable up to the next multiple of S.
    pub vertex_ids: *const u32,
    /// Vertex: InstanceIndex of each invocation; readable up to the next multiple of S.
    pub instance_ids: *const u32,
    /// Vertex: rows of inputs: word w of group g at `((g * n_input_words) + w) * S * 4` bytes. Words are in the order
    /// of `Shader::inputs` (64-bit scalars take two rows: low words, high words). Fragment, packed: row r of group g at
    /// `(g * packed_row::count(n_input_words) + r) * S * 4` bytes.
    pub input: *const u8,
    /// Before rasterization: one record of `n_output_words` words per invocation, in the order of `Shader::outputs`.
    /// There must be room up to the next multiple of S; data beyond `first + count` is undefined. `first` must be a
    /// multiple of S. Fragment: word w of stamp i at `((i * n_output_words) + w) * S * 4` bytes, as a row of lanes.
    pub output: *mut u8,
    /// BaseVertex.
    pub base_vertex: i32,
    /// BaseInstance.
    pub base_instance: u32,
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,

    /// After the vertex stage: records of the previous stage, less than 4 GiB. At least one word is readable.
    pub in_records: *const u32,
    /// Record size of the previous stage, in 32-bit words.
    pub in_stride: u32,
    /// Index, for each 32-bit word of `Shader::inputs`, of its word in those records; an input with [`NO_WORD`] reads
    /// 0.
    pub in_words: *const u32,
    /// Control and geometry: record of vertex i of primitive (patch) p at `p * in_vertex_count + i`.
    pub in_vertices: *const u32,
    /// Number of vertices of a primitive or patch (PatchVertices); at least one. A vertex index past the end reads 0.
    /// For the evaluation stage, vertex i is record i.
    pub in_vertex_count: u32,
    /// PrimitiveId of each primitive (patch).
    pub primitive_ids: *const u32,
    /// Control writes patch p starting at word `p * patch_stride`: the words of `Shader::patch_outputs`, then
    /// `output_vertices` records of `n_output_words` words. Evaluation reads the words of its single patch.
    pub patch_records: *mut u32,
    /// Size of a patch, in 32-bit words.
    pub patch_stride: u32,
    /// Evaluation: index, for each word of `Shader::patch_inputs`, of its word in the patch; [`NO_WORD`] reads 0.
    pub patch_words: *const u32,
    /// Evaluation: u, v and w of each invocation; readable up to the next multiple of S.
    pub tess_coord: [*const f32; 3],
    /// Geometry: vertex k that unit u (primitive times invocations plus invocation) emits on stream s is the record at
    /// word `(u * max_vertices + k) * stream_words[s]` of `emitted[s]`. This field and the next two are ignored for
    /// streams that are not in [`EntryMeta::streams`].
    pub emitted: [*mut u32; MAX_STREAMS],
    /// Geometry: number of vertices that each unit emits on a stream; always written, also if it is 0.
    pub emit_counts: [*mut u32; MAX_STREAMS],
    /// Geometry: bit k of the bits starting at word `u * max_vertices.div_ceil(32)` is set if vertex k starts a strip;
    /// written by the function.
    pub emit_cuts: [*mut u32; MAX_STREAMS],

    /// Task: payload of unit u, starting at byte `(u - first) * payload_stride`; the function writes it, and bytes that
    /// the shader does not store are 0. Mesh: payload of the single task workgroup that all units of the call belong
    /// to, with [`EntryMeta::payload_bytes`] readable bytes, and at least 16.
    pub payload: *mut u8,
    /// Task: size of a payload in bytes; a multiple of 16, at least [`EntryMeta::payload_bytes`].
    pub payload_stride: u32,
    /// Task: number of mesh workgroups in x, y and z that unit u emits, three words starting at word `3 * (u - first)`;
    /// always written, 0 if the shader emits none.
    pub task_groups: *mut u32,
    /// Mesh: unit u writes starting at word `(u - first) * mesh_stride`: the numbers of vertices and primitives (0 if
    /// the shader does not set them), then [`EntryMeta::max_vertices`] records of `n_output_words` words, then
    /// [`EntryMeta::max_primitives`] records of `n_primitive_words` words. Within those numbers, words that the shader
    /// does not store are 0.
    pub mesh_records: *mut u32,
    /// Size of a unit's output, in 32-bit words.
    pub mesh_stride: u32,

    /// Fragment: stamps, indexed by unit; for packed groups, only the masks are used.
    pub stamps: *const Stamp,
    /// Fragment: the primitive of all stamps of the call.
    pub primitive: *const Primitive,
    /// Fragment: lanes that remain after discard, demote and terminate, one `u32` per stamp; written by the function.
    pub out_masks: *mut u32,
    /// Fragment, sample shading: index of the sample this call shades; 0 otherwise.
    pub sample_id: u32,
    /// Fragment: number of rasterization samples.
    pub sample_count: u32,
    /// Fragment: covered samples per lane, a row of S per stamp; null for fragments of a single pixel with a single
    /// sample.
    pub in_sample_masks: *const u32,
    /// Fragment: position of each sample within the pixel, in pixels from the corner. All [`SAMPLE_POSITIONS`] entries
    /// are present; entries past the last sample hold the pixel centre.
    pub sample_positions: *const [f32; 2],
    /// Fragment: position within the pixel at which inputs and FragCoord are evaluated: the centre, or the sample that
    /// this call shades.
    pub pixel_offset: [f32; 2],
    /// Fragment: position within the pixel at which centroid inputs are evaluated: a row of S for x and one for y per
    /// stamp; null for the centre everywhere.
    pub centroids: *const f32,
    /// Fragment: ShadingRateKHR. Fragments are `1 << (shading_rate >> 2 & 3)` pixels wide and `1 << (shading_rate & 3)`
    /// high, aligned to their size. Everything stated above for a pixel then applies to a fragment, and lanes are that
    /// far apart. Stamps hold their first pixel. 0 is a single pixel.
    pub shading_rate: u32,
    /// Fragment: FragSizeEXT, the width and height of fragments in pixels if a fragment density map sets them; otherwise
    /// 1 and 1.
    pub frag_size: [u32; 2],
    /// Fragment: FragInvocationCountEXT, the number of invocations of a fragment: the number of samples if each is shaded
    /// by its own, otherwise 1.
    pub frag_invocations: u32,
}

/// Index of a word that the previous stage does not write.
pub const NO_WORD: u32 = u32::MAX;

/// Number of entries behind [`Ctx::sample_positions`].
pub const SAMPLE_POSITIONS: usize = 17;

/// A stamp of one primitive.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Left column, in pixels.
    pub x: i32,
    /// Top row, in pixels.
    pub y: i32,
    /// Covered lanes; the other lanes are helper invocations if the shader needs quads.
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

/// Per-primitive data of the fragment stage.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Primitive {
    /// Point in framebuffer space that the planes are relative to.
    pub origin: [f32; 2],
    /// Depth after the viewport transformation.
    pub z: Plane,
    /// 1 / w of clip space.
    pub inv_w: Plane,
    /// One plane per scalar of `Shader::inputs`: perspective inputs hold value / w; flat 64-bit inputs take two planes.
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

/// A descriptor in memory that only the device writes ([`DescriptorForm::Resolved`]). Its size is the stride of
/// descriptor arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// Buffers: address of the first byte. Images and texel buffers: address of an [`ImageView`].
    /// Never null: see [`BASE_BYTES`].
    pub ptr: u64,
    /// Buffers: size in bytes. Samplers and combined image samplers: [`sampler_word`].
    pub size: u64,
}

#[repr(C, align(64))]
struct Zeros([u8; 4096]);
static ZEROS: Zeros = Zeros([0; 4096]);

/// A page of zeros, read by out-of-range accesses.
pub fn zeros() -> *const u8 {
    ZEROS.0.as_ptr()
}

/// The descriptor of an empty buffer; also the value of [`Ctx::addresses`] if no buffer has a device address.
pub fn null_buffer() -> &'static Descriptor {
    static NULL: OnceBox<Descriptor> = OnceBox::new();
    NULL.get_or_init(|| Box::new(Descriptor { ptr: zeros() as u64, size: 0 }))
}

/// The descriptor of a buffer binding that was never written: like [`null_buffer`], but distinguishable to observers.
pub fn unwritten_buffer() -> &'static Descriptor {
    static UNWRITTEN: OnceBox<Descriptor> = OnceBox::new();
    UNWRITTEN.get_or_init(|| Box::new(Descriptor { ptr: zeros() as u64 + PAD_BYTES as u64, size: 0 }))
}

/// Size of a [`Descriptor`], and the stride of arrays of handles.
pub const DESCRIPTOR_BYTES: u32 = size_of::<Descriptor>() as u32;

/// Number of bits of a size in a [`ResourceEntry`].
pub const RESOURCE_SIZE_BITS: u32 = 44;

/// An entry of the table of resources; see [`Ctx::resources`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ResourceEntry {
    /// [`Handle::key`](crate::handle::Handle::key) of the handle that refers to this entry, and the size of a buffer in
    /// bytes in the lowest [`RESOURCE_SIZE_BITS`]. Read before the pointer. An entry without a resource has kind
    /// and size 0, which match no handle, and the generation of its last handle.
    pub state: u64,
    /// Like [`Descriptor::ptr`].
    pub ptr: u64,
}

/// Size of a [`ResourceEntry`].
pub const RESOURCE_BYTES: u32 = size_of::<ResourceEntry>() as u32;

/// An entry that no handle refers to; also the value of [`Ctx::resources`] if there are no handles.
pub fn null_resource() -> &'static ResourceEntry {
    static NULL: OnceBox<ResourceEntry> = OnceBox::new();
    NULL.get_or_init(|| Box::new(ResourceEntry { state: 0, ptr: zeros() as u64 }))
}

/// Requirements of an entry on its caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryMeta {
    /// Lane group size S.
    pub lanes: u32,
    /// Size of scratch memory per call, in bytes.
    pub scratch_bytes: usize,
    /// Size of workgroup memory, in bytes.
    pub shared_bytes: usize,
    /// 32-bit words per group or record of input.
    pub n_input_words: u32,
    /// 32-bit words per record or stamp of output.
    pub n_output_words: u32,
    /// Control: 32-bit words of `Shader::patch_outputs`; evaluation: of `Shader::patch_inputs`.
    pub n_patch_words: u32,
    /// Control: number of vertices of a patch, which is also the number of invocations.
    pub output_vertices: u32,
    /// Geometry and mesh: maximum number of vertices that a unit outputs.
    pub max_vertices: u32,
    /// Mesh: maximum number of primitives that a unit outputs.
    pub max_primitives: u32,
    /// Mesh: 32-bit words per record of a primitive.
    pub n_primitive_words: u32,
    /// Task and mesh: size of the payload, in bytes.
    pub payload_bytes: u32,
    /// Geometry: number of units per primitive.
    pub invocations: u32,
    /// Geometry: 32-bit words per record of each stream.
    pub stream_words: [u32; MAX_STREAMS],
    /// Geometry: bit mask of the streams on which the shader emits vertices. Nothing is written for other streams.
    pub streams: u32,
    /// Fragment: `true` if groups are packed.
    pub packed: bool,
    /// Ray tracing stages: stack that a call takes at most, in bytes, without that of the shaders that it calls.
    pub stack_bytes: u32,
}

impl EntryMeta {
    /// Requirements that follow from a shader, without scratch memory.
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
            stack_bytes: 0,
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
    /// [`Primitive::z`](super::Primitive::z): the three words of a [`Plane`](super::Plane), like every plane here.
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

    /// Number of rows of a group of a shader with `input_words` words of inputs.
    pub const fn count(input_words: u32) -> u32 {
        INPUTS + 3 * input_words
    }
}

/// Number of rows or words that an interface takes (64-bit scalars take two).
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
