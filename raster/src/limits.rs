//! Sizes and limits of the pipeline. Nothing else in this crate repeats these numbers.

/// Width and height of a tile in pixels.
pub const TILE_PX: u32 = 64;
/// Fractional bits of snapped vertex positions.
pub const SUBPIXEL_BITS: u32 = 8;
/// Snapped units per pixel.
pub const SUBPIXELS: i32 = 1 << SUBPIXEL_BITS;
/// Largest width and height of a render area.
pub const MAX_FRAMEBUFFER_PX: u32 = 16384;
/// Guard band, left and upper edge, in pixels. Primitives are clipped in x and y only beyond it.
pub const GUARD_MIN_PX: f32 = -8190.0;
/// Guard band, right and lower edge, in pixels. The band is less than 2^15 pixels wide, so that
/// edge functions relative to a tile fit 32 bits.
pub const GUARD_MAX_PX: f32 = 24574.0;
/// Colour attachments of a pass.
pub const MAX_COLOR_TARGETS: usize = 8;
/// Vertex buffer bindings.
pub const MAX_VERTEX_BINDINGS: usize = 16;
/// Vertex attributes.
pub const MAX_VERTEX_ATTRIBUTES: usize = 32;
/// Viewports and scissors of a draw.
pub const MAX_VIEWPORTS: usize = 16;
/// Largest width of lines.
pub const MAX_LINE_WIDTH: f32 = 64.0;
/// Largest PointSize.
pub const MAX_POINT_SIZE: f32 = 1024.0;
/// Largest width and height of a fragment in pixels.
pub const MAX_FRAGMENT_PX: u32 = 4;
/// Most samples of a fragment of several pixels, of all its pixels: the bits of a word of SampleMask.
pub const MAX_COVERAGE_SAMPLES: u32 = 32;
/// Least width and height in pixels of what a texel of a shading rate attachment is for.
pub const MIN_RATE_TEXEL_PX: u32 = 8;
/// Greatest, likewise.
pub const MAX_RATE_TEXEL_PX: u32 = 32;
/// Stamps handed to the fragment lane function at once: its output stays in the first-level cache.
pub const MAX_RUN_STAMPS: usize = 128;
/// Bytes that the rows of packed fragment groups take at most, unless a few groups take more.
pub const PACKED_BYTES: usize = 16 << 10;
/// Vertices that a unit of front work aims at; a multiple of 6, so that lists are not cut.
pub const UNIT_VERTICES: u32 = 6144;
/// The same for stippled line strips, whose pattern begins anew after so many.
pub const STIPPLED_STRIP_VERTICES: u32 = 1 << 18;
/// Domain points that are evaluated before their primitives go on; a patch that has more goes alone.
pub const BATCH_POINTS: usize = 2048;
/// Words that the geometry stage emits at most before its primitives go on, unless one lane group emits more.
pub const GEOMETRY_WORDS: u32 = 1 << 16;
/// Invocations of the geometry stage in a call.
pub const GEOMETRY_UNITS: u32 = 512;
/// Workgroups of a draw, or that a task workgroup asks for; with more nothing is drawn.
pub const MAX_MESH_GROUPS: u32 = 1 << 22;
/// Words that the mesh stage writes at most before its primitives go on, unless one workgroup writes more.
pub const MESH_WORDS: u32 = 1 << 16;
/// Workgroups of the mesh stage in a call.
pub const MESH_GROUPS: u32 = 256;
/// Workgroups of the task stage in a unit of front work.
pub const TASK_GROUPS: u32 = 64;
/// Bytes of payload in a unit of front work.
pub const PAYLOAD_BYTES: u32 = 512 << 10;
/// Draws that a unit of front work takes at most.
pub const UNIT_DRAWS: usize = 128;
/// Recorded units after which a pass is flushed: bounds the memory of bins.
pub const FLUSH_UNITS: usize = 64;
/// Tiles times units after which a pass is flushed.
pub const FLUSH_TILES: usize = 1 << 22;
/// Bytes of binned primitives after which a unit is left off, to be resumed after a flush.
/// Small in tests, so that it happens.
pub const CHUNK_BYTES: usize = if cfg!(test) { 128 << 10 } else { 4 << 20 };
/// Bytes of a chunk that are kept from pass to pass.
pub const CHUNK_KEEP_BYTES: usize = 1 << 20;
/// Scratch memory above this is given back when less is needed.
pub const WORKER_SCRATCH_KEEP_BYTES: usize = 16 << 20;
/// Tiles of a pass, over all layers.
pub const MAX_TILES: u64 = 1 << 20;
