//! Discard rectangles: the pixels of a stamp that they keep.
//!
//! Spec: Vulkan, "Discard Rectangles Test" (fragops-discard-rectangles).

use smallvec::SmallVec;

use crate::bins::StampShape;
use crate::state::{DiscardRectangles, Rect};

/// The rectangles of a draw.
pub(crate) struct Discards {
    exclusive: bool,
    /// x0, y0, x1, y1 of each rectangle.
    rects: SmallVec<[[i32; 4]; 1]>,
}

impl Discards {
    /// The rectangles of a draw; `None` if they have no effect.
    pub fn new(of: &DiscardRectangles) -> Option<Self> {
        let ends = |r: &Rect| {
            let end = |at: i32, n: u32| (i64::from(at) + i64::from(n)).clamp(0, i64::from(i32::MAX)) as i32;
            [r.x.max(0), r.y.max(0), end(r.x, r.width), end(r.y, r.height)]
        };
        let used = of.used();
        let rects = || used.iter().map(ends).collect();
        (!used.is_empty()).then(|| Discards { exclusive: of.exclusive, rects: rects() })
    }

    /// Lanes of the stamp at (x, y) that are not discarded.
    pub fn kept(&self, [x, y]: [i32; 2], shape: &StampShape) -> u32 {
        let inside = self.rects.iter().fold(0, |all, r| all | shape.inside(x, y, r));
        if self.exclusive { !inside } else { inside }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_jit::abi::stamp_lane;

    use super::*;

    /// Rectangles cross stamps, are empty, or overlap.
    #[test]
    fn lanes_are_kept_like_single_pixels() {
        let rect = |x, y, width, height| Rect { x, y, width, height };
        let rects =
            vec![rect(3, 1, 6, 9), rect(7, 7, 8, 2), rect(0, 0, 0, 40), rect(i32::MIN, 14, u32::MAX, 1)];
        let within =
            |at: i32, from: i32, n: u32| at >= from && i64::from(at) < i64::from(from) + i64::from(n);
        for (exclusive, count) in [(false, 1), (false, 4), (true, 1), (true, 4), (true, u32::MAX)] {
            let of = DiscardRectangles { enable: true, exclusive, count, rects: rects.clone() };
            let discards = Discards::new(&of).unwrap();
            for (lanes, at) in [4, 8, 16, 32].into_iter().flat_map(|lanes| (0..64).map(move |at| (lanes, at)))
            {
                let shape = StampShape::of(lanes);
                let [x, y] = [at % 8 * shape.w, at / 8 * shape.h];
                let kept = discards.kept([x, y], shape);
                for lane in 0..lanes {
                    let (lx, ly) = stamp_lane(lanes, lane);
                    let [px, py] = [x + lx as i32, y + ly as i32];
                    let is_in = |r: &Rect| within(px, r.x, r.width) && within(py, r.y, r.height);
                    let inside = of.used().iter().any(is_in);
                    assert_eq!(kept >> lane & 1 != 0, inside != exclusive, "{px} {py} {of:?}");
                }
            }
        }
        assert!(Discards::new(&DiscardRectangles { rects, ..Default::default() }).is_none());
        assert!(Discards::new(&DiscardRectangles { enable: true, ..Default::default() }).is_none());
    }
}
