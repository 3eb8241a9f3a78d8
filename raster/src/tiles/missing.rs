//! Texels of attachments that have no memory, of sparse images: zero before each primitive, and after the last.
//!
//! Whether a page is there does not change while a pass runs. Who has attachments of sparse images says so; what is left
//! in missing texels where no tile comes by, after clears and resolves, is for them to remove.

use smallvec::SmallVec;

use super::attachment::PassDesc;

/// Rectangles of a tile that are missing, with the attachment that they are of.
pub(crate) struct Holes(SmallVec<[(usize, [u32; 4]); 2]>);

impl Holes {
    /// Those of a tile, which are made zero.
    pub fn new(desc: &PassDesc, layer: u32, rect: [i32; 4]) -> Holes {
        let mut holes = SmallVec::new();
        for missing in &desc.missing {
            let Some(a) = desc.attachment(missing.attachment) else { continue };
            missing.each(layer, rect.map(|v| v.max(0) as u32), |rect| {
                a.target.fill(layer, rect, &[0; 16]);
                holes.push((missing.attachment, rect));
            });
        }
        Holes(holes)
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls `f` with the attachment and the place of each pixel.
    pub fn each(&self, mut f: impl FnMut(usize, [i32; 2])) {
        for &(attachment, [x0, y0, x1, y1]) in &self.0 {
            let pixels = (y0..y1).flat_map(|y| (x0..x1).map(move |x| [x as i32, y as i32]));
            pixels.for_each(|at| f(attachment, at));
        }
    }
}
