//! Sample locations within a pixel.
//!
//! Spec: Vulkan, "Multisampling" (primsrast-multisampling).

use quadrille_jit::abi::SAMPLE_POSITIONS;

/// Maximum sample count.
pub(crate) const MAX_SAMPLES: usize = 16;

/// Sample locations within the pixel in 1/16 pixels, indexed by the logarithm of the sample count.
///
/// Spec: Vulkan, "Standard sample locations".
const SIXTEENTHS: [&[[u8; 2]]; 5] = [
    &[[8, 8]],
    &[[12, 12], [4, 4]],
    &[[6, 2], [14, 6], [2, 10], [10, 14]],
    &[[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]],
    &[
        [9, 9],
        [7, 5],
        [5, 10],
        [12, 7],
        [3, 6],
        [10, 13],
        [13, 11],
        [11, 3],
        [6, 14],
        [8, 1],
        [4, 2],
        [2, 12],
        [0, 8],
        [15, 4],
        [14, 15],
        [1, 0],
    ],
];

/// Standard sample locations in pixels, for shaders; entries beyond the sample count are pixel centres.
static POSITIONS: [[[f32; 2]; SAMPLE_POSITIONS]; 5] = {
    let mut all = [[[0.5; 2]; SAMPLE_POSITIONS]; 5];
    let mut log = 0;
    while log < 5 {
        let mut i = 0;
        while i < SIXTEENTHS[log].len() {
            let [x, y] = SIXTEENTHS[log][i];
            all[log][i] = [x as f32 / 16.0, y as f32 / 16.0];
            i += 1;
        }
        log += 1;
    }
    all
};

/// True for sample counts that the device supports.
pub const fn offered(samples: u32) -> bool {
    matches!(samples, 1 | 2 | 4 | 8 | 16)
}

/// Locations of the samples of a sample count, within the pixel.
pub fn sample_positions(samples: u32) -> &'static [[f32; 2]] {
    &table(samples)[..samples.clamp(1, MAX_SAMPLES as u32) as usize]
}

/// Sample locations for shaders, padded with pixel centres.
pub(crate) fn table(samples: u32) -> &'static [[f32; 2]; SAMPLE_POSITIONS] {
    &POSITIONS[samples.max(1).ilog2().min(4) as usize]
}

/// Sample locations relative to the pixel centre, in 1/256 pixels.
static OFFSETS_FX8: [[[i32; 2]; MAX_SAMPLES]; 5] = {
    let mut all = [[[0; 2]; MAX_SAMPLES]; 5];
    let mut log = 0;
    while log < 5 {
        let mut i = 0;
        while i < SIXTEENTHS[log].len() {
            let [x, y] = SIXTEENTHS[log][i];
            all[log][i] = [x as i32 * 16 - 128, y as i32 * 16 - 128];
            i += 1;
        }
        log += 1;
    }
    all
};

/// Sample locations of a sample count relative to the pixel centre, in 1/256 pixels.
pub(crate) fn offsets_fx8(samples: u32) -> &'static [[i32; 2]] {
    &OFFSETS_FX8[samples.max(1).ilog2().min(4) as usize][..samples.clamp(1, MAX_SAMPLES as u32) as usize]
}

/// Custom sample locations of a draw. Spec: Vulkan, "Custom Sample Locations".
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Locations within the pixel, for shaders; entries beyond the given samples are pixel centres.
    pub positions: [[f32; 2]; SAMPLE_POSITIONS],
    /// Locations relative to the pixel centre, in 1/256 pixels.
    pub offsets_fx8: [[i32; 2]; MAX_SAMPLES],
}

impl Places {
    /// Greatest distance of a custom location from the pixel centre along an axis, in 1/256 pixels.
    pub const REACH_FX8: i32 = 128;

    /// Takes locations in pixels from the pixel's corner and snaps them down to 1/16 pixels.
    pub fn new(locations: &[[f32; 2]]) -> Places {
        let (mut positions, mut offsets_fx8) = ([[0.5; 2]; SAMPLE_POSITIONS], [[0; 2]; MAX_SAMPLES]);
        for (i, location) in locations.iter().take(MAX_SAMPLES).enumerate() {
            // The cast turns NaN into 0, the corner.
            let sixteenths = location.map(|v| (v * 16.0).floor().clamp(0.0, 15.0) as i32);
            positions[i] = sixteenths.map(|v| v as f32 / 16.0);
            offsets_fx8[i] = sixteenths.map(|v| v * 16 - 128);
        }
        Places { positions, offsets_fx8 }
    }
}

/// Greatest distance of a sample from the pixel centre along an axis, in 1/256 pixels.
pub(crate) fn reach_fx8(samples: u32) -> i32 {
    [0, 64, 96, 112, 128][samples.max(1).ilog2().min(4) as usize]
}
