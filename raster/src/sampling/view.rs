//! The record behind an image or texel buffer descriptor.
//!
//! Its head is [`abi::ImageView`], which generated code knows; only the sampling routines know the rest. A view also
//! keeps its device's tables alive. Choosing routines is left to [`super::table`].

use std::sync::Arc;

use once_cell::race::OnceBox;
use quadrille_jit::abi::{self, MAX_LEVELS};
use quadrille_jit::error::{Error, Result};
use quadrille_jit::interp::watch::{TexelLevel, Texels};
use quadrille_jit::missing;

use super::view_desc::{Swizzle, ViewDesc, ViewDim};
use super::{ClassKey, Interner, ViewClass};
use crate::memory::format::{Aspects, Format, FormatFeatures};
use crate::memory::image::{
    ImageDesc, ImageLayout, ImageMemory, ImageType, MAX_TEXEL_BUFFER_ELEMENTS, Span, SparsePages, layout,
    sparse::PAGE,
};

/// One level of a view, in 64 bytes.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub struct LevelInfo {
    /// Offset of the first texel in the view's memory.
    pub offset: u64,
    /// Bytes between slices of 3D images.
    pub slice_pitch: u64,
    /// Bytes between samples.
    pub sample_pitch: u64,
    /// Bytes between rows.
    pub row_pitch: u32,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Number of slices.
    pub depth: u32,
    /// `width` as a float.
    pub width_f: f32,
    /// `height` as a float.
    pub height_f: f32,
    /// `depth` as a float.
    pub depth_f: f32,
}

impl LevelInfo {
    fn new(s: &layout::Subresource, [width, height, depth]: [u32; 3]) -> Self {
        LevelInfo {
            offset: s.offset,
            slice_pitch: s.slice_pitch,
            sample_pitch: s.sample_pitch,
            row_pitch: s.row_pitch as u32,
            width,
            height,
            depth,
            width_f: width as f32,
            height_f: height as f32,
            depth_f: depth as f32,
        }
    }
}

impl LevelInfo {
    /// True if the extents are powers of two.
    fn is_pow2(&self) -> bool {
        [self.width, self.height, self.depth].iter().all(|n| n.is_power_of_two())
    }
}

/// Properties of the levels of a view, with a row for each property, so that lanes at different levels can look it up
/// at once. Offsets and pitches are truncated to 32 bits, and used only if all of them fit.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByLevel {
    pub width: [f32; MAX_LEVELS],
    pub height: [f32; MAX_LEVELS],
    pub depth: [f32; MAX_LEVELS],
    pub row_pitch: [u32; MAX_LEVELS],
    pub slice_pitch: [u32; MAX_LEVELS],
    pub offset: [u32; MAX_LEVELS],
}

impl ByLevel {
    fn new(level: &[LevelInfo; MAX_LEVELS]) -> Self {
        ByLevel {
            width: level.map(|l| l.width_f),
            height: level.map(|l| l.height_f),
            depth: level.map(|l| l.depth_f),
            row_pitch: level.map(|l| l.row_pitch),
            slice_pitch: level.map(|l| l.slice_pitch as u32),
            offset: level.map(|l| l.offset as u32),
        }
    }
}

/// The part of a multi-planar image's plane that a view shows.
#[derive(Clone, Copy, Debug)]
pub struct ViewPlane {
    /// Format of the plane.
    pub format: Format,
    /// Memory of the plane.
    pub memory: Span,
    /// The plane's only level.
    pub level: LevelInfo,
    /// Bytes between layers.
    pub layer_pitch: u64,
}

/// The pages of a sparse resource that a view shows.
enum Sparse {
    Image {
        pages: Arc<SparsePages>,
        first: Place,
        /// `true` if the view's layers are slices of a 3D image.
        of_slices: bool,
        /// Width and height in image texels of one texel of the view.
        block: [u32; 2],
    },
    Buffer {
        pages: Arc<missing::Pages>,
        /// Offset of the view's first byte in the buffer.
        offset: u64,
    },
}

/// First level, layer and slice of a view in its image.
struct Place {
    level: u32,
    layer: u32,
    first_slice: u32,
}

/// The record. Descriptors hold its address, so it must not move while they exist.
#[repr(C)]
pub struct View {
    /// The part that generated code knows.
    pub head: abi::ImageView,
    /// Class of the view; null for null and unwritten views.
    pub(crate) class: *const ViewClass,
    /// Memory, starting at the image's first byte.
    pub(crate) memory: Span,
    /// Bytes between layers (between faces for cubes).
    pub(crate) layer_pitch: u64,
    /// Number of layers, or of faces for cubes.
    pub(crate) slices: u32,
    /// Minimum lod, relative to the view.
    pub(crate) min_lod: f32,
    /// Levels; entries past the last level repeat it.
    pub(crate) level: [LevelInfo; MAX_LEVELS],
    /// The same properties, with a row for each.
    pub(crate) by_level: ByLevel,
    /// The planes of a multi-planar image viewed as a whole, from its first layer; empty for other views.
    planes: Vec<ViewPlane>,
    /// Page residency of sparse resources.
    sparse: Option<Sparse>,
    /// Format of the view, with one plane.
    format: Format,
    /// Owners of the class that `class` points to, and of its interner.
    _keep: Option<(Arc<ViewClass>, Arc<Interner>)>,
}

// SAFETY: the record is immutable, and `_keep` owns the class that `class` points to, which is Sync.
#[expect(unsafe_code, reason = "pointers to immutable data")]
unsafe impl Send for View {}
// SAFETY: the record is immutable, and `_keep` owns the class that `class` points to, which is Sync.
#[expect(unsafe_code, reason = "pointers to immutable data")]
unsafe impl Sync for View {}

impl View {
    /// Like [`View::image`], for an image with missing pages.
    pub fn sparse_image(
        tables: &Arc<Interner>,
        pages: &Arc<SparsePages>,
        layout: &ImageLayout,
        memory: impl Into<ImageMemory>,
        v: &ViewDesc,
    ) -> Result<Box<View>> {
        let mut view = View::image(tables, layout, memory, v)?;
        let of_slices = layout.desc().image_type == ImageType::D3 && v.dim != ViewDim::D3;
        let first_slice = if of_slices { v.base_layer } else { v.slices[0] };
        let first =
            Place { level: v.base_level, layer: if of_slices { 0 } else { v.base_layer }, first_slice };
        // Blocks of compressed images may be shown as texels.
        let [w, h, _] = layout.desc().format.block();
        let block = match layout.desc().format.is_compressed() && !v.format.is_compressed() {
            true => [w, h],
            false => [1; 2],
        };
        view.set_sparse(tables, Sparse::Image { pages: pages.clone(), first, of_slices, block });
        Ok(view)
    }

    /// Like [`View::buffer`], for a range of a buffer with missing pages.
    pub fn sparse_buffer(
        tables: &Arc<Interner>,
        pages: &Arc<missing::Pages>,
        offset: u64,
        range: Span,
        format: Format,
    ) -> Result<Box<View>> {
        let mut view = View::buffer(tables, range, format)?;
        view.set_sparse(tables, Sparse::Buffer { pages: pages.clone(), offset });
        Ok(view)
    }

    fn set_sparse(&mut self, tables: &Arc<Interner>, sparse: Sparse) {
        if let Some((class, _)) = &self._keep {
            let class = tables.class(&ClassKey { sparse: true, ..class.key });
            (self.head.table, self.class) = (class.table(), Arc::as_ptr(&class));
            self._keep = Some((class, tables.clone()));
        }
        self.sparse = Some(sparse);
    }

    /// Returns whether a texel's page is resident.
    pub(crate) fn is_resident(&self, level: u32, slice: u32, [x, y, z]: [u32; 3]) -> bool {
        match &self.sparse {
            None => true,
            Some(Sparse::Image { pages, first, of_slices, block: [bw, bh] }) => {
                let (layer, z) = match of_slices {
                    true => (0, first.first_slice + slice),
                    false => (first.layer + slice, first.first_slice + z),
                };
                pages.is_resident(first.level + level, layer, [x * bw, y * bh, z])
            }
            Some(Sparse::Buffer { pages, offset }) => {
                let bytes = u64::from(self.format.bytes());
                let at = offset + u64::from(x) * bytes;
                pages.has(at / PAGE) && pages.has((at + bytes - 1) / PAGE)
            }
        }
    }

    /// A view of an image at the start of `memory`.
    ///
    /// Fails if the range or the format is incompatible with the image, or if memory is too small.
    pub fn image(
        tables: &Arc<Interner>,
        layout: &ImageLayout,
        memory: impl Into<ImageMemory>,
        v: &ViewDesc,
    ) -> Result<Box<View>> {
        let memory = memory.into();
        let desc = layout.desc();
        if !memory.holds(layout) {
            return Err(invalid(v, desc, "memory is too small"));
        }
        let content = Content::new(layout, v)?;
        let slices = Slices::new(desc, v)?;
        let (level, layer_pitch) = levels(layout, v, &content, &slices)?;
        let planes = planes(layout, v, &content, &memory)?;
        let memory = memory.span(layout.subresource(content.stored, v.base_level, 0).map_or(0, |s| s.memory));
        let key = ClassKey {
            format: content.shown(),
            dim: v.dim,
            swizzle: std::array::from_fn(|c| v.swizzle[c].resolved(c)),
            multisampled: desc.samples > 1,
            mips: v.levels > 1,
            withheld: least_lod(v) >= 1.0,
            pow2: level.iter().all(LevelInfo::is_pow2),
            sparse: false,
            small: memory.size() <= 1 << 31,
        };
        let class = tables.class(&key);
        let head = abi::ImageView {
            table: class.table(),
            width: level[0].width,
            height: level[0].height,
            depth: level[0].depth,
            layers: if v.dim.is_cube() { v.layers / 6 } else { v.layers },
            levels: v.levels,
            samples: desc.samples,
        };
        Ok(Box::new(View {
            head,
            class: Arc::as_ptr(&class),
            memory,
            layer_pitch,
            slices: v.layers,
            min_lod: least_lod(v),
            level,
            by_level: ByLevel::new(&level),
            planes,
            sparse: None,
            format: content.format,
            _keep: Some((class, tables.clone())),
        }))
    }

    /// A view of a buffer range as texels; a partial last texel is excluded.
    ///
    /// Fails if texel buffers do not support the format, or if the range is too long.
    pub fn buffer(tables: &Arc<Interner>, range: Span, format: Format) -> Result<Box<View>> {
        let features = format.buffer_features();
        let read = features.contains(FormatFeatures::UNIFORM_TEXEL_BUFFER);
        if !read && !features.contains(FormatFeatures::STORAGE_TEXEL_BUFFER) {
            return Err(Error::unsupported(format!("texel buffers of {}", format.name())));
        }
        let texels = range.size() / u64::from(format.bytes());
        if texels > u64::from(MAX_TEXEL_BUFFER_ELEMENTS) {
            return Err(Error::Limit(format!("a texel buffer of {texels} texels")));
        }
        let width = texels as u32;
        let key = ClassKey {
            format,
            dim: ViewDim::Buffer,
            swizzle: [Swizzle::R, Swizzle::G, Swizzle::B, Swizzle::A],
            multisampled: false,
            mips: false,
            withheld: false,
            pow2: width.is_power_of_two(),
            sparse: false,
            small: width > 0 && range.size() <= 1 << 31,
        };
        let class = tables.class(&key);
        let info = LevelInfo {
            width,
            height: 1,
            depth: 1,
            width_f: width as f32,
            height_f: 1.0,
            ..Default::default()
        };
        Ok(Box::new(View {
            head: abi::ImageView { table: class.table(), ..null_head(width) },
            class: Arc::as_ptr(&class),
            memory: range,
            layer_pitch: 0,
            slices: 1,
            min_lod: 0.0,
            level: [info; MAX_LEVELS],
            by_level: ByLevel::new(&[info; MAX_LEVELS]),
            planes: Vec::new(),
            sparse: None,
            format,
            _keep: Some((class, tables.clone())),
        }))
    }

    /// The view behind null descriptors: all sizes are 0, reads give zeros, writes are dropped.
    pub fn null() -> &'static View {
        static NULL: OnceBox<View> = OnceBox::new();
        NULL.get_or_init(|| Box::new(View::nothing()))
    }

    /// The view behind descriptors that were never written: like [`View::null`], but distinguishable by debugging
    /// tools.
    pub fn unwritten() -> &'static View {
        static UNWRITTEN: OnceBox<View> = OnceBox::new();
        UNWRITTEN.get_or_init(|| Box::new(View::nothing()))
    }

    fn nothing() -> View {
        View {
            head: abi::ImageView {
                table: crate::sampling::null_table(),
                height: 0,
                depth: 0,
                layers: 0,
                levels: 0,
                samples: 0,
                ..null_head(0)
            },
            class: std::ptr::null(),
            memory: Span::empty(),
            layer_pitch: 0,
            slices: 0,
            min_lod: 0.0,
            level: [LevelInfo::default(); MAX_LEVELS],
            by_level: ByLevel::default(),
            planes: Vec::new(),
            sparse: None,
            format: Format::R8_UNORM,
            _keep: None,
        }
    }

    /// Address of the view, for [`abi::Descriptor::ptr`].
    pub fn address(&self) -> u64 {
        std::ptr::from_ref(self) as u64
    }

    /// Location of the texels; `None` unless they lie one by one, without blocks, planes or pages.
    pub fn texels(&self) -> Option<Texels> {
        let one_by_one = self.format.block() == [1; 3] && self.planes.is_empty() && self.sparse.is_none();
        if !one_by_one || self.class.is_null() {
            return None;
        }
        let bytes = self.format.bytes();
        let level = |l: &LevelInfo| TexelLevel {
            extent: [l.width, l.height, l.depth],
            offset: l.offset,
            size: match (l.row_pitch, self.head.samples) {
                (0, _) => u64::from(l.width) * u64::from(bytes),
                (_, 2..) => l.sample_pitch * u64::from(self.head.samples),
                _ => l.slice_pitch * u64::from(l.depth),
            },
            row_pitch: l.row_pitch.into(),
            slice_pitch: l.slice_pitch,
            sample_pitch: l.sample_pitch,
        };
        let levels = self.level.iter().take(self.head.levels.max(1) as usize).map(level).collect();
        let (base, layers, layer_pitch) = (self.memory.address(), self.slices.max(1), self.layer_pitch);
        let depth = self.format.info().aspects.contains(Aspects::DEPTH);
        Some(Texels { base, bytes, layers, layer_pitch, depth, levels })
    }

    /// The planes of a multi-planar image viewed as a whole; empty for other views.
    pub fn planes(&self) -> &[ViewPlane] {
        &self.planes
    }

    /// Format of the view (of the aspect's plane).
    pub fn format(&self) -> Format {
        self.format
    }
}

/// Formats of an image view.
struct Content {
    /// Format of the view; for a single aspect, of its plane.
    format: Format,
    /// Format of the image's plane that the view shows.
    plane: Format,
    /// The aspect whose texels are read; the first plane if all planes are viewed.
    stored: Aspects,
    /// `true` if decoded texels are read instead of compressed blocks.
    decoded: bool,
}

impl Content {
    /// Fails if the image lacks the aspect, or if the formats are incompatible.
    fn new(layout: &ImageLayout, v: &ViewDesc) -> Result<Content> {
        let desc = layout.desc();
        // A single plane is viewed with a format of one plane, all planes with the image's format.
        let aspect = if v.format.aspects() == Aspects::COLOR { Aspects::COLOR } else { v.aspect };
        let format = v.format.plane(aspect).ok_or_else(|| invalid(v, desc, "no such aspect"))?;
        let plane = desc.format.plane(v.aspect);
        let plane = plane.ok_or_else(|| invalid(v, desc, "no such aspect in the image"))?;
        if !format.is_view_compatible(plane) {
            return Err(invalid(v, desc, "incompatible format"));
        }
        if format.image_features() == FormatFeatures::NONE {
            return Err(Error::unsupported(format!("{} image views", format.name())));
        }
        // For all planes, the extents are the image's, the texels those of plane 0.
        let stored = if format.is_multi_planar() { Aspects::PLANES[0] } else { v.aspect };
        // Decoded texels may be read if the view decodes blocks as the image does: formats of one class may decode them
        // differently to texels of one format, as BC6H with and without sign. sRGB concerns only the decoded codes.
        let decoded = format.is_compressed()
            && layout.decoded(v.base_level, 0).is_some()
            && format.without_srgb() == plane.without_srgb();
        Ok(Content { format, plane, stored, decoded })
    }

    /// Format of the texels that are read.
    fn shown(&self) -> Format {
        if self.decoded { self.format.decoded() } else { self.format }
    }
}

/// Slices of a 3D image that a view shows.
struct Slices {
    /// `true` if a 2D view shows slices as layers.
    as_layers: bool,
    /// The first slice of each level.
    first: u32,
    /// Number of slices; `None` for all slices of each level.
    count: Option<u32>,
}

impl Slices {
    /// Fails if the levels, layers or slices are not in the image, or do not fit the view's type.
    fn new(desc: &ImageDesc, v: &ViewDesc) -> Result<Slices> {
        let fail = |what: &str| Err(invalid(v, desc, what));
        if !fits(v.dim, desc.image_type) {
            return fail("type does not fit the image type");
        }
        let level_end = v.base_level.checked_add(v.levels);
        let layer_end = v.base_layer.checked_add(v.layers);
        let as_layers = desc.image_type == ImageType::D3 && v.dim != ViewDim::D3;
        let depth = layout::level_extent(desc.extent, v.base_level)[2];
        let n_layers = if as_layers { depth } else { desc.layers };
        if v.levels == 0 || v.layers == 0 {
            return fail("empty range");
        }
        if level_end.is_none_or(|e| e > desc.levels) || layer_end.is_none_or(|e| e > n_layers) {
            return fail("range is not in the image");
        }
        if as_layers && v.levels != 1 {
            return fail("a view of 3D slices must have one level");
        }
        if (as_layers || v.slices != [0, u32::MAX]) && desc.format.block()[2] > 1 {
            return fail("a view of slices must not cut blocks");
        }
        let layers_fit = match v.dim {
            ViewDim::Cube => v.layers == 6,
            ViewDim::CubeArray => v.layers.is_multiple_of(6),
            ViewDim::D1Array | ViewDim::D2Array => true,
            _ => v.layers == 1,
        };
        let square = desc.extent[0] == desc.extent[1];
        if !layers_fit || (v.dim.is_cube() && (!square || desc.samples != 1)) {
            return fail("layers do not fit the type");
        }
        // A 3D view may show a range of slices.
        let [first, count] = v.slices;
        let some = v.slices != [0, u32::MAX];
        let rest = depth.checked_sub(first).filter(|&r| r > 0 && (count == u32::MAX || count <= r));
        let Some(rest) = rest else { return fail("slices are not in the image") };
        if some && (v.dim != ViewDim::D3 || v.levels != 1 || count == 0) {
            return fail("slices require a 3D view of one level");
        }
        Ok(match as_layers {
            true => Slices { as_layers, first: v.base_layer, count: Some(1) },
            false => Slices { as_layers, first, count: some.then_some(rest.min(count)) },
        })
    }
}

/// Returns the levels of an image view and the bytes between its layers.
fn levels(
    layout: &ImageLayout,
    v: &ViewDesc,
    content: &Content,
    slices: &Slices,
) -> Result<([LevelInfo; MAX_LEVELS], u64)> {
    let mut level = [LevelInfo::default(); MAX_LEVELS];
    let mut layer_pitch = 0;
    let base_layer = if slices.as_layers { 0 } else { v.base_layer };
    for (i, info) in level.iter_mut().enumerate() {
        let l = v.base_level + (i as u32).min(v.levels - 1);
        let s = match content.decoded {
            true => layout.decoded(l, base_layer),
            false => layout.subresource(content.stored, l, base_layer),
        };
        let s = s.ok_or_else(|| invalid(v, layout.desc(), "no such level"))?;
        let blocks = content.plane.is_compressed() && !content.format.is_compressed();
        let [w, h, d] = if blocks { s.blocks() } else { s.extent };
        layer_pitch = if slices.as_layers { s.slice_pitch } else { s.layer_pitch };
        let offset = s.offset + u64::from(slices.first) * s.slice_pitch;
        *info = LevelInfo::new(&layout::Subresource { offset, ..s }, [w, h, slices.count.unwrap_or(d)]);
    }
    Ok((level, layer_pitch))
}

/// Returns the planes of a multi-planar image that is viewed as a whole; nothing for other views.
fn planes(
    layout: &ImageLayout,
    v: &ViewDesc,
    content: &Content,
    memory: &ImageMemory,
) -> Result<Vec<ViewPlane>> {
    let mut planes = Vec::new();
    if content.format.is_multi_planar() {
        for aspect in content.format.stored_aspects().singles() {
            let s = layout.subresource(aspect, v.base_level, v.base_layer);
            let s = s.ok_or_else(|| invalid(v, layout.desc(), "no such plane"))?;
            planes.push(ViewPlane {
                format: s.format,
                memory: memory.span(s.memory),
                level: LevelInfo::new(&s, s.extent),
                layer_pitch: s.layer_pitch,
            });
        }
    }
    Ok(planes)
}

fn invalid(v: &ViewDesc, desc: &ImageDesc, what: &str) -> Error {
    Error::invalid(format!("image view: {what}: {v:?} of {desc:?}"))
}

/// Minimum lod relative to the view; NaN counts as 0.
fn least_lod(v: &ViewDesc) -> f32 {
    (v.min_lod - v.base_level as f32).max(0.0)
}

fn null_head(width: u32) -> abi::ImageView {
    abi::ImageView { table: std::ptr::null(), width, height: 1, depth: 1, layers: 1, levels: 1, samples: 1 }
}

fn fits(dim: ViewDim, image: ImageType) -> bool {
    match image {
        ImageType::D1 => matches!(dim, ViewDim::D1 | ViewDim::D1Array),
        ImageType::D2 => {
            matches!(dim, ViewDim::D2 | ViewDim::D2Array | ViewDim::Cube | ViewDim::CubeArray)
        }
        ImageType::D3 => matches!(dim, ViewDim::D3 | ViewDim::D2 | ViewDim::D2Array),
    }
}
