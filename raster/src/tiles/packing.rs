//! Rows of packed groups, and the quads waiting in them. Selecting and shading the quads is left to [`super::packed`].

use quadrille_jit::abi::{Plane, Primitive as FragmentPrimitive, Stamp, packed_row};

use crate::invoke::Lines;
use crate::limits::PACKED_BYTES;

/// Quads that wait for packed shading.
#[derive(Default)]
pub(crate) struct Packed {
    /// Inputs of the quads, as rows of groups.
    pub rows: Lines,
    /// The groups, of which only the masks are used.
    pub groups: Vec<Stamp>,
    /// Stamp in the run of each quad, and its first lane in that stamp.
    pub places: Vec<[u32; 2]>,
    pub output: Lines,
    pub masks: Vec<u32>,
}

impl Packed {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.places.clear();
    }

    /// Adds a quad with its covered lanes, and returns its number. The caller must fill in its rows with `put`.
    pub fn add(&mut self, place: [u32; 2], covered: u32, lanes: u32) -> usize {
        let nth = self.places.len();
        self.places.push(place);
        let in_group = nth % (lanes as usize / 4);
        if in_group == 0 {
            self.groups.push(Stamp::default());
        }
        if let Some(group) = self.groups.last_mut() {
            group.mask |= covered << (4 * in_group);
        }
        nth
    }

    /// Writes the inputs of quad `nth`, which belongs to `primitive` at (x, y).
    pub fn put<const S: usize>(
        rows: &mut [u32],
        nth: usize,
        [x, y]: [i32; 2],
        primitive: &FragmentPrimitive,
        planes: &[Plane],
    ) {
        let quads = S / 4;
        let n_rows = packed_row::count(planes.len() as u32) as usize;
        let lane = nth % quads * 4;
        let (rows, _) = rows[nth / quads * n_rows * S..][..n_rows * S].as_chunks_mut::<S>();
        let (head, inputs) = rows.split_at_mut(packed_row::INPUTS as usize);
        let p = primitive;
        let words = |p: &Plane| [p.a0, p.dadx, p.dady].map(f32::to_bits);
        let (z, inv_w) = (words(&p.z), words(&p.inv_w));
        let [left, top] = p.origin.map(f32::to_bits);
        // Values in the order of `packed_row`.
        let values = [
            x as u32,
            y as u32,
            left,
            top,
            z[0],
            z[1],
            z[2],
            inv_w[0],
            inv_w[1],
            inv_w[2],
            p.front_facing,
            p.primitive_id,
            p.layer,
            p.viewport_index,
        ];
        let fill = |row: &mut [u32; S], v: u32| row[lane..lane + 4].fill(v);
        head.iter_mut().zip(values).for_each(|(row, v)| fill(row, v));
        for (rows, plane) in inputs.as_chunks_mut::<3>().0.iter_mut().zip(planes) {
            rows.iter_mut().zip(words(plane)).for_each(|(row, v)| fill(row, v));
        }
    }
}

/// Maximum number of waiting quads: their groups of `lanes` lanes stay in the first-level cache.
pub(super) fn most(input_words: u32, lanes: u32) -> usize {
    let group = (packed_row::count(input_words) * lanes * 4) as usize;
    (PACKED_BYTES / group).clamp(2, 16) * lanes as usize / 4
}
