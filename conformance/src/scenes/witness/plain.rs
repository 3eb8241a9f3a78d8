//! Triangles by definition: every sample of every pixel against the three edges, in integers, and inputs in `f64`.
//!
//! Formulas of scenes build on it. It shares no code with the rasterizer, and knows no shader: the closure of
//! [`Plain::triangle`] is the fragment shader with all operations after it.

/// Bounds of a value, equal if the specification leaves no choice.
pub type Range = [f64; 2];

/// A vertex: position in clip space, and the four components that are interpolated.
#[derive(Clone, Copy)]
pub struct Vertex {
    /// Position in clip space.
    pub at: [f64; 4],
    /// Value that the fragments interpolate.
    pub v: [f64; 4],
}

/// Contents of a sample.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Colour.
    pub color: [Range; 4],
    /// Depth.
    pub depth: f64,
    /// Stencil.
    pub stencil: u32,
}

/// A picture of samples.
pub struct Plain {
    size: i64,
    places: &'static [[i64; 2]],
    samples: Vec<Sample>,
}

/// A triangle at a pixel.
pub struct Fragment {
    /// Column of the pixel.
    pub x: usize,
    /// Row of the pixel.
    pub y: usize,
    /// Numbers of the covered samples.
    pub covered: Vec<usize>,
    corners: [[f64; 2]; 3],
    vertices: [Vertex; 3],
}

/// Standard sample locations ("Multisampling"), in sixteenths of a pixel.
fn places(samples: usize) -> &'static [[i64; 2]] {
    match samples {
        1 => &[[8, 8]],
        2 => &[[12, 12], [4, 4]],
        4 => &[[6, 2], [14, 6], [2, 10], [10, 14]],
        8 => &[[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]],
        16 => &[
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
        _ => panic!("no standard locations of {samples} samples"),
    }
}

/// Places between two pixels that vertices are rounded to: `subPixelPrecisionBits` is 8.
const STEPS: i64 = 256;

impl Plain {
    /// A picture of `size` by `size` pixels with cleared samples: depth 1, stencil 0.
    pub fn new(size: usize, samples: usize, clear: [f64; 4]) -> Plain {
        let sample = Sample { color: clear.map(|c| [c; 2]), depth: 1.0, stencil: 0 };
        Plain { size: size as i64, places: places(samples), samples: vec![sample; size * size * samples] }
    }

    /// The samples of a pixel.
    pub fn pixel(&self, x: usize, y: usize) -> &[Sample] {
        let n = self.places.len();
        let first = (y * self.size as usize + x) * n;
        &self.samples[first..first + n]
    }

    /// The mean of the colours of a pixel.
    pub fn resolved(&self, x: usize, y: usize) -> [Range; 4] {
        let samples = self.pixel(x, y);
        let mean = |of: &dyn Fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>() / samples.len() as f64;
        [0, 1, 2, 3].map(|c| [mean(&|s| s.color[c][0]), mean(&|s| s.color[c][1])])
    }

    /// Draws a triangle: calls `shade` with each pixel that has covered samples, and with all samples of that pixel.
    pub fn triangle(&mut self, vertices: [Vertex; 3], mut shade: impl FnMut(&Fragment, &mut [Sample])) {
        let half = self.size as f64 / 2.0;
        let window = |at: [f64; 4]| [0, 1].map(|k| (at[k] / at[3] + 1.0) * half);
        let fixed = vertices.map(|v| window(v.at).map(|x| (x * STEPS as f64).round() as i64));
        let corners = fixed.map(|at| at.map(|x| x as f64 / STEPS as f64));
        let n = self.places.len();
        for (i, samples) in self.samples.chunks_exact_mut(n).enumerate() {
            let (x, y) = (i as i64 % self.size, i as i64 / self.size);
            let at = |place: &[i64; 2]| [x * STEPS + place[0] * 16, y * STEPS + place[1] * 16];
            let covered: Vec<usize> = (0..n).filter(|&k| covers(fixed, at(&self.places[k]))).collect();
            if !covered.is_empty() {
                let fragment = Fragment { x: x as usize, y: y as usize, covered, corners, vertices };
                shade(&fragment, samples);
            }
        }
    }
}

/// The fill rule ("Basic Polygon Rasterization"): points on an edge belong to it if it is a left or a top edge.
fn covers(corners: [[i64; 2]; 3], p: [i64; 2]) -> bool {
    let edge =
        |a: [i64; 2], b: [i64; 2], p: [i64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let [a, mut b, mut c] = corners;
    let area = edge(a, b, c);
    if area < 0 {
        std::mem::swap(&mut b, &mut c);
    }
    let inside = |a: [i64; 2], b: [i64; 2]| {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let e = edge(a, b, p);
        e > 0 || e == 0 && (dy < 0 || dy == 0 && dx > 0)
    };
    area != 0 && inside(a, b) && inside(b, c) && inside(c, a)
}

impl Fragment {
    /// Place of a sample within the pixel, as an offset from its centre.
    pub fn offset(&self, samples: usize, sample: usize) -> [f64; 2] {
        places(samples)[sample].map(|x| x as f64 / 16.0 - 0.5)
    }

    /// Weights of the vertices at an offset from the pixel's centre, in window space.
    fn weights(&self, offset: [f64; 2]) -> [f64; 3] {
        let p = [self.x as f64 + 0.5 + offset[0], self.y as f64 + 0.5 + offset[1]];
        let cross = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        };
        let [a, b, c] = self.corners;
        let area = cross(a, b, c);
        [cross(b, c, p) / area, cross(c, a, p) / area, cross(a, b, p) / area]
    }

    /// The interpolated value, in perspective ("Basic Polygon Rasterization").
    pub fn v(&self, offset: [f64; 2]) -> [f64; 4] {
        let weights = self.weights(offset);
        let over_w: Vec<f64> = (0..3).map(|k| weights[k] / self.vertices[k].at[3]).collect();
        let sum: f64 = over_w.iter().sum();
        [0, 1, 2, 3].map(|c| (0..3).map(|k| over_w[k] * self.vertices[k].v[c]).sum::<f64>() / sum)
    }

    /// The depth.
    pub fn z(&self, offset: [f64; 2]) -> f64 {
        let weights = self.weights(offset);
        (0..3).map(|k| weights[k] * self.vertices[k].at[2] / self.vertices[k].at[3]).sum()
    }
}
