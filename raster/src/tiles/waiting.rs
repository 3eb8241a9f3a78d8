//! The list of deferred shading: waiting stamps in the order of their primitives, and the lanes that later ones cover.
//! Deferring and shading primitives is left to [`super::deferred`].

use quadrille_jit::abi::Stamp;

use crate::bins::StampShape;
use crate::limits::TILE_PX;

/// Stamps that wait to be shaded.
#[derive(Default)]
pub(crate) struct Deferred {
    /// Primitives of the stamps, in order.
    pub primitives: Vec<Waiting>,
    pub stamps: Vec<Stamp>,
    /// Lanes that later stamps cover, by stamp of the tile.
    pub covered: Vec<u32>,
    /// Shape of the stamps.
    pub shape: Option<&'static StampShape>,
}

/// A primitive whose shading is deferred.
pub(crate) struct Waiting {
    pub chunk: usize,
    pub prim: usize,
    /// End of the primitive's stamps, which begin at the previous primitive's end.
    pub end: usize,
    /// `true` if the primitive covers the whole tile without tests: it has no stamps, and comes first in the list.
    pub whole: bool,
}

impl Deferred {
    pub fn is_empty(&self) -> bool {
        self.primitives.is_empty()
    }

    pub fn clear(&mut self) {
        self.primitives.clear();
        self.stamps.clear();
        self.shape = None;
    }

    /// Number of a stamp in its tile.
    pub fn number(s: &Stamp, at: [i32; 2], shape: &StampShape) -> usize {
        let [log_w, log_h] = shape.log_size;
        let (x, y) = ((s.x - at[0]) >> log_w, (s.y - at[1]) >> log_h);
        (y * (TILE_PX as i32 >> log_w) + x) as usize
    }

    /// Drops stamps that later stamps cover. In partly covered stamps, drops the quads that are completely covered.
    pub fn cull(&mut self, at: [i32; 2], shape: &StampShape) {
        let n = (TILE_PX * TILE_PX) as usize >> (shape.log_size[0] + shape.log_size[1]);
        self.covered.clear();
        self.covered.resize(n, 0);
        let mut hidden = 0;
        for s in self.stamps.iter_mut().rev() {
            let covered = &mut self.covered[Self::number(s, at, shape)];
            let mask = s.mask;
            s.mask = mask & quads_of(mask & !*covered);
            *covered |= mask;
            hidden |= mask ^ s.mask;
        }
        if hidden == 0 {
            return;
        }
        let (mut from, mut to) = (0, 0);
        self.primitives.retain_mut(|p| {
            let first = to;
            for i in from..p.end {
                let s = self.stamps[i];
                self.stamps[to] = s;
                to += usize::from(s.mask != 0);
            }
            (from, p.end) = (p.end, to);
            to > first || p.whole
        });
        self.stamps.truncate(to);
    }
}

/// All lanes of the quads that contain any of these lanes.
fn quads_of(lanes: u32) -> u32 {
    let pairs = lanes | lanes >> 1;
    ((pairs | pairs >> 2) & 0x1111_1111) * 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_quad_covers_stays_together() {
        let lanes = [0, 1, 8, 0x10, 0x8000_0000, 0x0208_0040, u32::MAX];
        assert_eq!(lanes.map(quads_of), [0, 15, 15, 0xf0, 0xf000_0000, 0x0f0f_00f0, u32::MAX]);
    }
}
