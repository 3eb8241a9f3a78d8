//! Texels of sparse attachments without memory: they read as zero before each primitive.
//!
//! The set of bound pages does not change while a pass runs. The creator of a pass lists the attachments of sparse
//! images ([`PassDesc::missing`]), and must remove what resolves leave in missing texels. Clears skip missing texels.
//! Tiles without any memory are rendered to a copy, because the host may have less memory than the image has texels;
//! that copy is left to [`crate::memory::target`].

use smallvec::SmallVec;

use super::attachment::PassDesc;

/// Rectangles of a tile without memory, each with the number of its attachment.
pub(crate) struct Holes(SmallVec<[(usize, [u32; 4]); 2]>);

impl Holes {
    /// Finds the holes of a tile, and clears them to zero.
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

    /// True if the holes fill the whole rectangle of a tile in this attachment.
    pub fn are_all_of(&self, attachment: usize, [x0, y0, x1, y1]: [i32; 4]) -> bool {
        if self.is_empty() {
            return false;
        }
        let of = self.0.iter().filter(|(number, _)| *number == attachment);
        // The rectangles are disjoint.
        let area: u32 = of.map(|(_, [x0, y0, x1, y1])| (x1 - x0) * (y1 - y0)).sum();
        area == (x1.max(0) - x0.max(0)) as u32 * (y1.max(0) - y0.max(0)) as u32
    }

    /// True if there are no holes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls `f` with the attachment number and the position of each pixel in a hole.
    pub fn each(&self, mut f: impl FnMut(usize, [i32; 2])) {
        for &(attachment, [x0, y0, x1, y1]) in &self.0 {
            let pixels = (y0..y1).flat_map(|y| (x0..x1).map(move |x| [x as i32, y as i32]));
            pixels.for_each(|at| f(attachment, at));
        }
    }
}

/// Calls `f` with rectangles that make up the part of an attachment's rectangle that has memory.
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
