//! Sizes and limits of the pipeline. Nothing else in this crate repeats these numbers.

/// Width and height of a tile in pixels.
pub const TILE_PX: u32 = 64;
/// Fractional bits of snapped vertex positions.
pub const SUBPIXEL_BITS: u32 = 8;
/// Snapped units per pixel.
pub const SUBPIXELS: i32 = 1 << SUBPIXEL_BITS;
/// Largest width and height of a render area.
pub const MAX_FRAMEBUFFER_PX: u32 = 16384;
/// Left and upper edge of the guard band, in pixels. Primitives are clipped in x and y only outside the guard band.
pub const GUARD_MIN_PX: f32 = -8190.0;
/// Right and lower edge of the guard band, in pixels. The band is less than 2^15 pixels wide, so that edge functions
/// relative to a tile fit 32 bits.
pub const GUARD_MAX_PX: f32 = 24574.0;
/// Maximum number of colour attachments of a pass.
pub const MAX_COLOR_TARGETS: usize = quadrille_jit::abi::MAX_COLORS;
/// Maximum number of vertex buffer bindings.
pub const MAX_VERTEX_BINDINGS: usize = 16;
/// Maximum number of vertex attributes.
pub const MAX_VERTEX_ATTRIBUTES: usize = 32;
/// Maximum tessellation level; higher levels are clamped to it.
pub const MAX_TESSELLATION_LEVEL: u32 = 64;
/// Maximum number of viewports and scissors of a draw.
pub const MAX_VIEWPORTS: usize = 16;
/// Maximum line width in pixels.
pub const MAX_LINE_WIDTH: f32 = 64.0;
/// Maximum PointSize in pixels.
pub const MAX_POINT_SIZE: f32 = 1024.0;
/// Maximum number of discard rectangles of a draw.
pub const MAX_DISCARD_RECTANGLES: usize = 8;
/// Maximum distance in pixels by which polygons grow in conservative rasterization.
pub const MAX_OVERESTIMATION_PX: f32 = 0.75;
/// Maximum width and height of a fragment in pixels.
pub const MAX_FRAGMENT_PX: u32 = 4;
/// Maximum number of samples in all pixels of a fragment, limited by the bits of a SampleMask word.
pub const MAX_COVERAGE_SAMPLES: u32 = 32;
/// Minimum width and height of a shading rate attachment texel, in pixels of the framebuffer.
pub const MIN_RATE_TEXEL_PX: u32 = 8;
/// Maximum width and height of a shading rate attachment texel, in pixels of the framebuffer.
pub const MAX_RATE_TEXEL_PX: u32 = 32;
/// Minimum width and height of the region that a texel of a fragment density map covers, in pixels of the framebuffer.
pub const MIN_DENSITY_TEXEL_PX: u32 = 1;
/// Maximum width and height of the region that a texel of a fragment density map covers, in pixels of the framebuffer.
pub const MAX_DENSITY_TEXEL_PX: u32 = 64;
/// Granularity of the offsets of fragment density maps, in pixels of the framebuffer: a multiple of
/// [`MAX_FRAGMENT_PX`] that divides [`TILE_PX`].
pub const DENSITY_OFFSET_PX: u32 = 8;
/// Maximum number of stamps per call of the fragment lane function: its output stays in the first-level cache.
pub const MAX_RUN_STAMPS: usize = 128;
/// Maximum size in bytes of the rows of packed fragment groups, unless a few groups need more.
pub const PACKED_BYTES: usize = 16 << 10;
/// Target number of vertices of a unit of front work: a multiple of 6, so that no list primitive is split.
pub const UNIT_VERTICES: u32 = 6144;
/// Target number of vertices of a unit of stippled line strips, whose pattern restarts at each unit.
pub const STIPPLED_STRIP_VERTICES: u32 = 1 << 18;
/// Number of domain points evaluated before their primitives are processed; a patch with more points forms its own
/// batch.
pub const BATCH_POINTS: usize = 2048;
/// Maximum number of words that the geometry stage emits before its primitives are processed, unless one lane group
/// emits more.
pub const GEOMETRY_WORDS: u32 = 1 << 16;
/// Number of geometry stage invocations per call.
pub const GEOMETRY_UNITS: u32 = 512;
/// Maximum number of workgroups of a mesh draw, and of those that a task workgroup requests; nothing is drawn beyond
/// it.
pub const MAX_MESH_GROUPS: u32 = 1 << 22;
/// Maximum number of words that the mesh stage writes before its primitives are processed, unless one workgroup writes
/// more.
pub const MESH_WORDS: u32 = 1 << 16;
/// Number of mesh stage workgroups per call.
pub const MESH_GROUPS: u32 = 256;
/// Number of task stage workgroups in a unit of front work.
pub const TASK_GROUPS: u32 = 64;
/// Bytes of task payload in a unit of front work.
pub const PAYLOAD_BYTES: u32 = 512 << 10;
/// Maximum number of draws in a unit of front work.
pub const UNIT_DRAWS: usize = 128;
/// Number of recorded units after which a pass is flushed. The limit bounds the memory of bins.
pub const FLUSH_UNITS: usize = 64;
/// Product of tiles and units after which a pass is flushed.
pub const FLUSH_TILES: usize = 1 << 22;
/// Bytes of binned primitives after which a unit is suspended until a flush has emptied its chunk. The limit is small
/// in tests, so that they reach it.
pub const CHUNK_BYTES: usize = if cfg!(test) { 128 << 10 } else { 4 << 20 };
/// Bytes of a chunk's memory that are kept from pass to pass.
pub const CHUNK_KEEP_BYTES: usize = 1 << 20;
/// Number of bytes of scratch memory above which unused scratch memory is freed.
pub const WORKER_SCRATCH_KEEP_BYTES: usize = 16 << 20;
/// Maximum number of tiles of a pass, over all layers.
pub const MAX_TILES: u64 = 1 << 20;
