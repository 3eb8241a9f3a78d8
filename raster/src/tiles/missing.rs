//! Texels of attachments that have no memory, of sparse images: zero before each primitive, and after the last.
//!
//! Whether a page is there does not change while a pass runs. Who has attachments of sparse images says so; what is left
//! in missing texels after resolves is for them to remove. Clears leave them out, and tiles of which all is missing are
//! rendered elsewhere: the host may have less memory than there are texels.

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
                a.target.make_zero(layer, rect);
                holes.push((missing.attachment, rect));
            });
        }
        Holes(holes)
    }

    /// They are all of a tile's rectangle, of one attachment.
    pub fn are_all_of(&self, attachment: usize, [x0, y0, x1, y1]: [i32; 4]) -> bool {
        if self.is_empty() {
            return false;
        }
        let of = self.0.iter().filter(|(number, _)| *number == attachment);
        // No two of them have a texel in common.
        let area: u32 = of.map(|(_, [x0, y0, x1, y1])| (x1 - x0) * (y1 - y0)).sum();
        area == (x1.max(0) - x0.max(0)) as u32 * (y1.max(0) - y0.max(0)) as u32
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

/// Calls `f` with rectangles that are all of a rectangle of an attachment that is there.
pub(crate) fn each_there(
    desc: &PassDesc,
    attachment: usize,
    layer: u32,
    rect: [u32; 4],
    mut f: impl FnMut([u32; 4]),
) {
    match desc.missing.iter().find(|missing| missing.attachment == attachment) {
        Some(missing) => missing.each_there(layer, rect, f),
        None => f(rect),
    }
}
