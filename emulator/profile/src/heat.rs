//! Cost of each pixel: counts, and a picture of them.

use image::{Rgb, RgbImage};
use rustc_hash::FxHashMap;

/// Operations by pixel, by the first two components of an invocation's global index, or by those of a launch, with all
/// shaders that it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    cells: FxHashMap<[i32; 2], u64>,
}

/// Colours from no operations to the maximum.
const RAMP: [[f32; 3]; 6] = [
    [0.0, 0.0, 0.02],
    [0.26, 0.04, 0.41],
    [0.58, 0.15, 0.40],
    [0.87, 0.32, 0.23],
    [0.99, 0.65, 0.04],
    [0.99, 1.0, 0.64],
];

impl Heat {
    pub(crate) fn add(&mut self, other: &FxHashMap<[i32; 2], u64>) {
        other.iter().for_each(|(place, n)| *self.cells.entry(*place).or_default() += n);
    }

    /// Operations at a place.
    pub fn at(&self, x: i32, y: i32) -> u64 {
        self.cells.get(&[x, y]).copied().unwrap_or(0)
    }

    /// Maximum over all places.
    pub fn most(&self) -> u64 {
        self.cells.values().copied().max().unwrap_or(0)
    }

    /// Width and height of the covered places.
    pub fn size(&self) -> (u32, u32) {
        let end = |i: usize| self.cells.keys().map(|p| p[i]).max().map_or(0, |last| last.max(-1) + 1);
        (end(0) as u32, end(1) as u32)
    }

    /// A picture from black through red to light yellow, by each pixel's share of the maximum.
    pub fn picture(&self, width: u32, height: u32) -> RgbImage {
        let most = self.most().max(1);
        RgbImage::from_fn(width, height, |x, y| Rgb(color(self.at(x as i32, y as i32), most)))
    }

    /// The heat map over a picture, which is shown in grey.
    pub fn overlay(&self, below: &RgbImage) -> RgbImage {
        let most = self.most().max(1);
        let (width, height) = below.dimensions();
        RgbImage::from_fn(width, height, |x, y| {
            let [r, g, b] = below.get_pixel(x, y).0.map(u32::from);
            let grey = (r * 54 + g * 183 + b * 19) / 256;
            let heat = color(self.at(x as i32, y as i32), most);
            Rgb(heat.map(|c| ((u32::from(c) * 3 + grey * 2) / 5) as u8))
        })
    }
}

fn color(n: u64, most: u64) -> [u8; 3] {
    let at = (n as f64 / most as f64) as f32 * (RAMP.len() - 1) as f32;
    let low = (at as usize).min(RAMP.len() - 2);
    let t = at - low as f32;
    std::array::from_fn(|c| {
        let x = RAMP[low][c] * (1.0 - t) + RAMP[low + 1][c] * t;
        (x * 255.0).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_nothing_to_most() {
        let mut heat = Heat::default();
        heat.add(&[([1, 0], 50), ([2, 1], 100)].into_iter().collect());
        heat.add(&[([1, 0], 50)].into_iter().collect());
        assert_eq!((heat.at(1, 0), heat.at(0, 0), heat.most(), heat.size()), (100, 0, 100, (3, 2)));
        let picture = heat.picture(3, 2);
        assert_eq!(picture.get_pixel(0, 0).0, [0, 0, 5]);
        assert_eq!(picture.get_pixel(2, 1).0, [252, 255, 163]);
        let overlay = heat.overlay(&RgbImage::from_pixel(3, 2, Rgb([100, 100, 100])));
        assert_eq!(overlay.get_pixel(0, 0).0, [40, 40, 43]);
    }
}
