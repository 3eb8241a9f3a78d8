//! Sizes of the fragments of a primitive, by cell of the tile. Combining sizes is left to
//! [`crate::state::shading_rate`], reading density maps to [`super::density_map`].

use quadrille_jit::abi::Plane;

use super::attachment::{PassDesc, RateAttachment};
use super::density_map::DensityMap;
use super::state::TileState;
use crate::limits::{MIN_RATE_TEXEL_PX, TILE_PX};
use crate::state::ShadingRate;
use crate::state::shading_rate::{LogSize, decode};

/// Size of a fragment of one pixel.
const ONE: LogSize = [0; 2];

/// Source of the sizes of a draw's fragments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rates {
    /// Shading rates.
    Shading(ShadingRates),
    /// The density map of the pass.
    Density,
}

/// Shading rates of a draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadingRates {
    rate: ShadingRate,
    /// Index of the plane with the primitive's shading rate.
    primitive: Option<usize>,
    /// `true` if a shading rate attachment affects the sizes.
    by_attachment: bool,
    samples: u32,
}

impl Rates {
    /// Returns the source for a draw; `None` if all its fragments are single pixels.
    pub fn new(
        rate: &ShadingRate,
        primitive: Option<usize>,
        desc: &PassDesc,
        state: &TileState,
    ) -> Option<Rates> {
        if desc.density.is_some() {
            return Some(Rates::Density);
        }
        let [first, second] = rate.combiners;
        let primitive = primitive.filter(|_| first != Default::default());
        let by_attachment = desc.shading_rate.is_some() && second != Default::default();
        let rates = ShadingRates { rate: *rate, primitive, by_attachment, samples: state.desc.samples };
        let pixels = primitive.is_none() && !by_attachment && rates.at(rates.of(&[]), ONE) == ONE;
        (state.coarse && !pixels).then_some(Rates::Shading(rates))
    }

    /// True if fragments of a primitive with these planes may have several pixels.
    pub fn coarse(&self, planes: &[Plane]) -> bool {
        match self {
            Rates::Shading(rates) => rates.by_attachment || rates.at(rates.of(planes), ONE) != ONE,
            Rates::Density => true,
        }
    }
}

impl ShadingRates {
    /// Size requested by the draw and by a primitive with these planes.
    pub fn of(&self, planes: &[Plane]) -> LogSize {
        let own = self.primitive.and_then(|i| planes.get(i));
        let own = own.map_or(ONE, |plane| decode(plane.a0.to_bits()));
        self.rate.combiners[0].combine(self.rate.log_size(), own, self.samples)
    }

    /// Combines a size of draw and primitive with that of the attachment.
    pub fn at(&self, size: LogSize, attachment: LogSize) -> LogSize {
        self.rate.combiners[1].combine(size, attachment, self.samples)
    }
}

/// Fragment sizes in a tile, by cell: areas of pixels whose fragments all have one size.
#[derive(Default)]
pub(crate) struct Cells {
    /// Logarithms of the width and height of cells in pixels.
    log_px: [u32; 2],
    /// Sizes, row by row.
    sizes: Vec<LogSize>,
    /// The distinct sizes.
    distinct: Vec<LogSize>,
}

impl Cells {
    /// Sets the sizes of all cells, of `log_px`, from the pixel of their corner in the tile.
    fn set(&mut self, log_px: [u32; 2], size_at: impl Fn([u32; 2]) -> LogSize) {
        self.log_px = log_px;
        let [columns, rows] = log_px.map(|log| TILE_PX >> log);
        let at = |i: u32| [(i % columns) << log_px[0], (i / columns) << log_px[1]];
        self.sizes.clear();
        self.sizes.extend((0..columns * rows).map(|i| size_at(at(i))));
        self.distinct.clear();
        for &size in &self.sizes {
            if !self.distinct.contains(&size) {
                self.distinct.push(size);
            }
        }
    }

    /// The fragment sizes of a primitive in the tile at `at`.
    pub fn of_rates(
        &mut self,
        rates: &ShadingRates,
        size: LogSize,
        attachment: Option<&RateAttachment>,
        layer: u32,
        at: [i32; 2],
    ) {
        let Some(a) = attachment.filter(|_| rates.by_attachment) else {
            return self.set([TILE_PX.ilog2(); 2], |_| rates.at(size, ONE));
        };
        let layer = if a.target.desc().layers > 1 { layer } else { 0 };
        self.set([MIN_RATE_TEXEL_PX.ilog2(); 2], |px| {
            let [x, y] = [0, 1].map(|k| (at[k] as u32 + px[k]) / a.texel_px[k].max(1));
            let texel = a.target.read(layer, 0, x, y) as u32;
            rates.at(size, decode(texel))
        });
    }

    /// The fragment sizes that a density map sets in the tile at `at` of a layer.
    pub fn of_map(&mut self, map: &DensityMap, layer: u32, at: [i32; 2], samples: u32) {
        self.set(map.log_px(), |px| map.size_at(layer, [0, 1].map(|k| at[k] + px[k] as i32), samples));
    }

    /// Size of the fragments at a pixel of the tile.
    pub fn at(&self, [x, y]: [i32; 2]) -> LogSize {
        let [log_w, log_h] = self.log_px;
        self.sizes[(y as usize >> log_h << (TILE_PX.ilog2() - log_w)) + (x as usize >> log_w)]
    }

    /// `true` if all fragments have one size.
    pub fn is_uniform(&self) -> bool {
        self.distinct.len() < 2
    }

    /// The distinct sizes.
    pub fn sizes(&self) -> Vec<LogSize> {
        self.distinct.clone()
    }
}
