//! Test support: images with contents, and calls like those of generated code. The tests are left to `tests` modules.

use std::sync::Arc;

use quadrille_jit::abi::{ImageArgs, ImageView, MAX_LANES, Row, TEXEL_ROWS, sampler_word};
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, LodMode, Ty};

use super::{Interner, SamplerState};
use crate::memory::format::Format;
use crate::memory::image::{ImageDesc, ImageLayout, ImageType, Span};
use crate::sampling::{View, ViewDesc, ViewDim};

/// Reproducible random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = self.0;
        ((x >> 33) ^ (x >> 17)) as u32
    }
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(n)) >> 32) as u32
    }
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / (1 << 24) as f32
    }
    pub fn range(&mut self, lo: f32, hi: f32) -> f32 {
        lo + (hi - lo) * self.unit()
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

/// An image, its memory and a view of the whole image.
pub struct Texture {
    _store: Vec<u128>,
    pub layout: ImageLayout,
    pub memory: Span,
    pub view: Box<View>,
}

impl Texture {
    #[expect(unsafe_code, reason = "wraps test memory")]
    pub fn with(tables: &Arc<Interner>, desc: ImageDesc, change: impl FnOnce(&mut ViewDesc)) -> Texture {
        let layout = ImageLayout::new(&desc).unwrap();
        let mut store = vec![0u128; (layout.size as usize).div_ceil(16)];
        // SAFETY: the returned texture keeps the store alive, and tests access it only through the span.
        let memory = unsafe { Span::new(store.as_mut_ptr().cast(), layout.size) };
        let mut v = ViewDesc {
            dim: match desc.image_type {
                ImageType::D1 if desc.layers > 1 => ViewDim::D1Array,
                ImageType::D1 => ViewDim::D1,
                ImageType::D2 if desc.layers > 1 => ViewDim::D2Array,
                ImageType::D2 => ViewDim::D2,
                ImageType::D3 => ViewDim::D3,
            },
            levels: desc.levels,
            layers: desc.layers,
            ..ViewDesc::new_2d(desc.format)
        };
        change(&mut v);
        let view = View::image(tables, &layout, memory, &v).unwrap();
        Texture { _store: store, layout, memory, view }
    }

    pub fn new(tables: &Arc<Interner>, desc: ImageDesc) -> Texture {
        Self::with(tables, desc, |_| {})
    }

    /// Writes a texel's components (words) to a level and layer.
    pub fn put(&self, level: u32, layer: u32, [x, y, z]: [u32; 3], texel: [u32; 4]) {
        let aspect = self.layout.aspects().next().unwrap();
        let s = self.layout.subresource(aspect, level, layer).unwrap();
        let at = s.offset
            + u64::from(z) * s.slice_pitch
            + u64::from(y) * s.row_pitch
            + u64::from(x * s.format.bytes());
        self.memory.write_texel(at, s.format.bytes(), s.format.info().pack_word(texel));
    }

    /// Fills all texels with random values; floats are finite and close to [0, 1].
    pub fn randomize(&self, random: &mut Random) {
        let desc = *self.layout.desc();
        for level in 0..desc.levels {
            let [w, h, d] = crate::memory::image::layout::level_extent(desc.extent, level);
            for layer in 0..desc.layers {
                for i in 0..w * h * d {
                    let texel = std::array::from_fn(|_| {
                        if desc.format.is_integer() {
                            random.next()
                        } else {
                            random.range(-0.25, 1.25).to_bits()
                        }
                    });
                    self.put(level, layer, [i % w, i / w % h, i / w / h], texel);
                }
            }
        }
    }
}

/// A floating-point 2D sample operation with implicit lod.
pub fn sample_op() -> ImageOp {
    ImageOp {
        kind: ImageOpKind::Sample,
        dim: ImageDim::D2,
        arrayed: false,
        multisampled: false,
        dref: false,
        lod: LodMode::Implicit,
        min_lod: false,
        offset: false,
        offsets4: false,
        components: 0,
        texel: Ty::F32,
        signed: false,
        residency: false,
    }
}

/// Returns zeroed arguments for `lanes` active lanes.
pub fn args(lanes: u32) -> Box<ImageArgs> {
    let z: Row = [0; MAX_LANES];
    let mask = if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 };
    Box::new(ImageArgs {
        view: std::ptr::null(),
        sampler_row: 0,
        sampler: 0,
        op: 0,
        mask,
        quad_mask: mask,
        lanes,
        unused: [0; 8],
        coord: [z; 4],
        dref: z,
        lod: z,
        grad: [z; 6],
        min_lod: z,
        offset: [z; 8],
        sample: z,
        texel: [z; TEXEL_ROWS],
        residency: z,
    })
}

/// Calls the routine in the view's table.
#[expect(unsafe_code, reason = "calls a routine as generated code does")]
pub fn call(view: &View, sampler: u32, op: u32, a: &mut ImageArgs) {
    a.view = std::ptr::from_ref(view).cast::<ImageView>();
    (a.sampler_row, a.sampler) = (sampler_word(sampler) as u32, sampler);
    a.op = op;
    // SAFETY: `tables.sampler` and `tables.op` returned the numbers, and tables have an entry for every such number.
    // `a` is valid and exclusively borrowed.
    unsafe {
        let routine = *(*view.head.table.add(a.sampler_row as usize)).add(op as usize);
        routine(a);
    }
}

/// Samples at each coordinate, in one call; returns float texels.
pub fn sample(
    tables: &Arc<Interner>,
    view: &View,
    state: &SamplerState,
    op: &ImageOp,
    coords: &[[f32; 4]],
    set: impl FnOnce(&mut ImageArgs),
) -> Vec<[f32; 4]> {
    let mut a = args((coords.len() as u32).next_multiple_of(4));
    a.mask = if coords.len() == 32 { u32::MAX } else { (1 << coords.len()) - 1 };
    for (lane, c) in coords.iter().enumerate() {
        for (row, x) in a.coord.iter_mut().zip(c) {
            row[lane] = x.to_bits();
        }
    }
    set(&mut a);
    let (s, o) = (tables.sampler(state).unwrap(), tables.op(op).unwrap());
    call(view, s, o, &mut a);
    (0..coords.len()).map(|l| std::array::from_fn(|c| f32::from_bits(a.texel[c][l]))).collect()
}

/// A 2D image description with levels.
pub fn mipped(format: Format, w: u32, h: u32, levels: u32) -> ImageDesc {
    ImageDesc { levels, ..ImageDesc::new_2d(format, w, h) }
}

/// Copies arguments, to run several routines on them.
pub trait CloneArgs {
    fn clone_from_args(&mut self, other: &ImageArgs);
}

impl CloneArgs for ImageArgs {
    fn clone_from_args(&mut self, a: &ImageArgs) {
        *self = ImageArgs { ..*a };
    }
}

impl View {
    /// Key of the view's class.
    pub fn class_key(&self) -> super::ClassKey {
        // SAFETY: views made in tests have a class, of which their `_keep` holds an `Arc`.
        #[expect(unsafe_code, reason = "pointer to the class")]
        unsafe {
            (*self.class).key
        }
    }
}
