//! Sizes of the fragments of a primitive, by cell of the tile. Combining sizes is left to
//! [`crate::state::shading_rate`].

use quadrille_jit::abi::Plane;

use super::attachment::RateAttachment;
use super::state::TileState;
use crate::limits::TILE_PX;
use crate::state::ShadingRate;
use crate::state::shading_rate::{LogSize, decode};

/// Size of a fragment of one pixel.
const ONE: LogSize = [0; 2];

/// Width and height in pixels of a cell, whose fragments all have one size.
pub(super) const CELL_PX: u32 = 8;

/// Number of cells in a row or column of a tile.
const CELLS: usize = (TILE_PX / CELL_PX) as usize;

/// Sources of the sizes of a draw's fragments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    rate: ShadingRate,
    /// Index of the plane with the primitive's shading rate.
    primitive: Option<usize>,
    /// `true` if a shading rate attachment affects the sizes.
    by_attachment: bool,
    samples: u32,
}

impl Rates {
    /// Returns the sources for a draw; `None` if all its fragments are single pixels.
    pub fn new(
        rate: &ShadingRate,
        primitive: Option<usize>,
        attachment: bool,
        state: &TileState,
    ) -> Option<Rates> {
        let [first, second] = rate.combiners;
        let primitive = primitive.filter(|_| first != Default::default());
        let by_attachment = attachment && second != Default::default();
        let rates = Rates { rate: *rate, primitive, by_attachment, samples: state.desc.samples };
        let pixels = primitive.is_none() && !by_attachment && rates.at(rates.of(&[]), ONE) == ONE;
        (state.coarse && !pixels).then_some(rates)
    }

    /// Size requested by the draw and by a primitive with these planes.
    pub fn of(&self, planes: &[Plane]) -> LogSize {
        let own = self.primitive.and_then(|i| planes.get(i));
        let own = own.map_or(ONE, |plane| decode(plane.a0.to_bits()));
        self.rate.combiners[0].combine(self.rate.log_size(), own, self.samples)
    }

    /// True if fragments of a primitive with these planes may have several pixels.
    pub fn coarse(&self, planes: &[Plane]) -> bool {
        self.by_attachment || self.at(self.of(planes), ONE) != ONE
    }

    /// Combines a size of draw and primitive with that of the attachment.
    pub fn at(&self, size: LogSize, attachment: LogSize) -> LogSize {
        self.rate.combiners[1].combine(size, attachment, self.samples)
    }
}

/// Fragment sizes in a tile, by cell.
pub(super) type Cells = [[LogSize; CELLS]; CELLS];

/// The fragment sizes of a primitive in the tile at `at`.
pub(super) fn cells(
    rates: &Rates,
    size: LogSize,
    attachment: Option<&RateAttachment>,
    layer: u32,
    at: [i32; 2],
) -> Cells {
    let Some(a) = attachment.filter(|_| rates.by_attachment) else {
        return [[rates.at(size, ONE); CELLS]; CELLS];
    };
    let layer = if a.target.desc().layers > 1 { layer } else { 0 };
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let px = |k: usize, n: usize| (at[k] as u32 + n as u32 * CELL_PX) / a.texel_px[k].max(1);
            let texel = a.target.read(layer, 0, px(0, column), px(1, row)) as u32;
            rates.at(size, decode(texel))
        })
    })
}

/// The distinct sizes in a tile.
pub(super) fn sizes(cells: &Cells) -> impl Iterator<Item = LogSize> {
    let mut seen = Vec::with_capacity(1);
    for &size in cells.iter().flatten() {
        if !seen.contains(&size) {
            seen.push(size);
        }
    }
    seen.into_iter()
}
