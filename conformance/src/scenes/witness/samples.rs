//! Formulas of scenes with triangles: samples, masks, resolves, interpolation, views.

use super::Expected;
use super::formats::{bytes, kept};
use super::plain::{Fragment, Plain, Range, Sample, Vertex};
use crate::scenes::SIZE;

/// Width and height of a scene.
pub const N: usize = SIZE as usize;
/// Clear colour of the picture.
pub const CLEAR: [f64; 4] = [0.05, 0.05, 0.1, 1.0];

/// Bounds without room.
pub fn exactly(color: [f64; 4]) -> [Range; 4] {
    color.map(|c| [c; 2])
}

/// A vertex in front of the eye.
fn vertex(x: f32, y: f32, z: f64, v: [f64; 4]) -> Vertex {
    Vertex { at: [f64::from(x), f64::from(y), z, 1.0], v }
}

/// The value `v` of a vertex that sets no other: the bits of its index.
pub fn bits(i: usize) -> [f64; 4] {
    [(i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64, 1.0]
}

/// The two triangles of most scenes, at these depths.
pub fn corners(depths: [f64; 2]) -> [[Vertex; 3]; 2] {
    const CORNER: [[f32; 2]; 6] =
        [[-0.8, -0.7], [0.9, -0.5], [-0.2, 0.85], [0.6, 0.8], [-0.9, 0.3], [0.1, -0.9]];
    let at = |i: usize| vertex(CORNER[i][0], CORNER[i][1], depths[i / 3], bits(i));
    [[at(0), at(1), at(2)], [at(3), at(4), at(5)]]
}

/// The two triangles of a quad over the picture, with this depth at a corner.
fn quad(depth: impl Fn(f64, f64) -> f64) -> [[Vertex; 3]; 2] {
    let at = |i: usize| {
        let (x, y) = ((i & 1) as f64, (i >> 1) as f64);
        vertex(
            2.0 * x as f32 - 1.0,
            2.0 * y as f32 - 1.0,
            depth(2.0 * x - 1.0, 2.0 * y - 1.0),
            [x, y, 0.0, 1.0],
        )
    };
    [[at(0), at(1), at(2)], [at(2), at(1), at(3)]]
}

/// Writes a colour to the covered samples, as a format without negative values stores it.
fn write(fragment: &Fragment, samples: &mut [Sample], color: [Range; 4]) {
    let stored = color.map(|range| range.map(|c| c.clamp(0.0, 1.0)));
    fragment.covered.iter().for_each(|&k| samples[k].color = stored);
}

/// Every pixel of the picture by its column and row.
pub fn each_pixel(of: impl Fn(usize, usize) -> [Range; 4]) -> Expected {
    (0..N * N).map(|i| of(i % N, i / N)).collect()
}

fn resolved(plain: &Plain) -> Expected {
    each_pixel(|x, y| plain.resolved(x, y))
}

/// `two_samples`, `eight_samples`, `sixteen_samples`.
pub fn several<const SAMPLES: usize>() -> Expected {
    let mut plain = Plain::new(N, SAMPLES, CLEAR);
    for triangle in corners([0.0; 2]) {
        plain.triangle(triangle, |f, samples| write(f, samples, exactly(f.v([0.0; 2]))));
    }
    resolved(&plain)
}

/// `each_of_*_samples`: sample k in square k.
pub fn each_of<const SAMPLES: usize>() -> Expected {
    let mut plain = Plain::new(16, SAMPLES, CLEAR);
    for triangle in corners([0.0; 2]) {
        plain.triangle(triangle, |f, samples| write(f, samples, exactly(f.v([0.0; 2]))));
    }
    each_pixel(|x, y| match x / 16 + y / 16 * 4 {
        k if k < SAMPLES => plain.pixel(x % 16, y % 16)[k].color,
        _ => exactly(CLEAR),
    })
}

/// The thin triangles of `inputs_at_*`, by a colour for each fragment.
fn thin(color: impl Fn(&Fragment) -> [Range; 4]) -> Expected {
    let mut plain = Plain::new(N, 4, CLEAR);
    for k in 0..16u8 {
        let f = f32::from(k);
        let corner = |i: usize| {
            let [dx, dy] = [[0.0, 0.0], [0.42, 0.03 + 0.04 * f], [0.4, 0.4 - 0.02 * f]][i];
            let at = [f32::from(k % 4) * 0.5 - 1.0 + 0.03 + dx, f32::from(k / 4) * 0.5 - 1.0 + 0.05 + dy];
            let one = |of| f64::from(u8::from(i == of));
            vertex(at[0], at[1], 0.0, [one(0), one(1), one(2), 1.0])
        };
        plain.triangle([corner(0), corner(1), corner(2)], |f, samples| write(f, samples, color(f)));
    }
    resolved(&plain)
}

/// `inputs_at_centroids`, `interpolate_at_centroid`: any place between the covered samples.
pub fn centroids() -> Expected {
    thin(|f| {
        let mut bounds = [[f64::MAX, f64::MIN]; 4];
        for &k in &f.covered {
            let v = f.v(f.offset(4, k));
            for (bound, v) in bounds.iter_mut().zip(v) {
                *bound = [bound[0].min(v), bound[1].max(v)];
            }
        }
        // A pixel that is covered wholly is evaluated at its centre, which lies between its samples.
        if f.covered.len() == 4 { exactly(f.v([0.0; 2])) } else { bounds }
    })
}

fn grey(value: f64) -> [Range; 4] {
    exactly([value, value, value, 1.0])
}

/// `sample_mask_in`: the number of covered samples.
pub fn mask_in() -> Expected {
    thin(|f| grey(f.covered.len() as f64 / 4.0))
}

/// `sample_mask_in_before_tests`: only the lowest band sees the samples that the depth test leaves.
pub fn mask_before_tests() -> Expected {
    let mut plain = Plain::new(N, 4, CLEAR);
    let plane = |x: f64| quad(move |u, v| x * u + 0.3 * x * v + 0.5);
    let mut draw = |x: f64, band: Option<usize>| {
        for triangle in plane(x) {
            plain.triangle(triangle, |f, samples| {
                if band.is_some_and(|band| !(band * 22..band * 22 + 20).contains(&f.y)) {
                    return;
                }
                let z = |k: usize| f.z(f.offset(4, k));
                let passed: Vec<usize> =
                    f.covered.iter().copied().filter(|&k| z(k) < samples[k].depth - 1e-9).collect();
                let count = if band == Some(2) { passed.len() } else { f.covered.len() };
                for k in passed {
                    samples[k].depth = z(k);
                    samples[k].color = match band {
                        None => exactly([0.0, 0.0, 0.3, 1.0]),
                        Some(_) => grey(count as f64 / 4.0),
                    };
                }
            });
        }
    };
    draw(0.3, None);
    (0..3).for_each(|band| draw(-0.2, Some(band)));
    resolved(&plain)
}

/// `alpha_to_one`: the upper half replaces alpha by 1 before it blends, the lower half blends with a quarter. Samples
/// are stored as bytes after each draw.
pub fn alpha_to_one() -> Expected {
    let stored = |c: usize, range: Range| kept(bytes, c, range);
    let mut plain = Plain::new(N, 4, CLEAR.map(|c| bytes(0, c)));
    for triangle in corners([0.0; 2]) {
        plain.triangle(triangle, |f, samples| {
            let alpha = if f.y < 32 { 1.0 } else { 0.25 };
            let [r, g, b, _] = f.v([0.0; 2]).map(|c| c.clamp(0.0, 1.0));
            for &k in &f.covered {
                let below = samples[k].color;
                let over =
                    |c: usize, value: f64| stored(c, below[c].map(|d| value * alpha + d * (1.0 - alpha)));
                samples[k].color = [over(0, r), over(1, g), over(2, b), over(3, alpha)];
            }
        });
    }
    resolved(&plain)
}

/// Depth and stencil of the samples of `resolve_*`. Without a depth attachment every fragment passes.
fn counted(has_depth: bool) -> Plain {
    let mut plain = Plain::new(N, 4, [0.0; 4]);
    for triangle in corners([f64::from(0.2f32), 0.5]) {
        plain.triangle(triangle, |f, samples| {
            for &k in &f.covered {
                let z = f.z(f.offset(4, k));
                if !has_depth || z < samples[k].depth {
                    samples[k].depth = z;
                    samples[k].stencil += 1;
                }
            }
        });
    }
    plain
}

/// `resolve_depth_average`, `resolve_depth_min`, `resolve_depth_max`.
pub fn resolved_depth(mode: fn(&[f64]) -> f64) -> Expected {
    let plain = counted(true);
    each_pixel(|x, y| grey(mode(&plain.pixel(x, y).iter().map(|s| s.depth).collect::<Vec<_>>())))
}

/// `resolve_stencil_min`, `resolve_stencil_max`.
pub fn resolved_stencil(mode: fn(&[f64]) -> f64) -> Expected {
    let plain = counted(false);
    each_pixel(|x, y| {
        let counts: Vec<f64> = plain.pixel(x, y).iter().map(|s| f64::from(s.stencil)).collect();
        grey(mode(&counts) / 2.0)
    })
}

/// The mean.
pub fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len() as f64
}

/// The smallest.
pub fn least(of: &[f64]) -> f64 {
    of.iter().copied().fold(f64::MAX, f64::min)
}

/// The largest.
pub fn most(of: &[f64]) -> f64 {
    of.iter().copied().fold(f64::MIN, f64::max)
}

/// `interpolate_at_offset_perspective`: the plane equations at the offset.
pub fn at_offset() -> Expected {
    let mut plain = Plain::new(N, 1, CLEAR);
    let [mut triangle, _] = corners([0.0; 2]);
    for (i, vertex) in triangle.iter_mut().enumerate() {
        vertex.at = vertex.at.map(|x| x * (1 + 2 * i) as f64);
    }
    plain.triangle(triangle, |f, samples| write(f, samples, exactly(f.v([0.4375, -0.5]))));
    resolved(&plain)
}

/// `alpha_to_coverage`: the number of covered samples is the product of alpha and 4, rounded up or down.
pub fn alpha_to_coverage() -> Expected {
    each_pixel(|x, _| {
        let alpha = (x as f64 + 0.5) / N as f64;
        let bounds = [(alpha * 4.0).floor() / 4.0, (alpha * 4.0).ceil() / 4.0];
        let (color, mut result) = ([1.0, 0.5, 0.2, alpha], [[0.0; 2]; 4]);
        for c in 0..4 {
            let ends = bounds.map(|part| color[c] * part + CLEAR[c] * (1.0 - part));
            result[c] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        }
        result
    })
}

/// `mesh_culled`: sixteen squares without the culled ones of their 32 triangles.
pub fn mesh_culled() -> Expected {
    let mut plain = Plain::new(N, 1, CLEAR);
    for n in 0..16usize {
        let color = exactly([n as f64 / 15.0, 0.5, 1.0, 1.0]);
        let at = |k: usize| {
            let place = |cell: usize, far: usize| cell as f32 * 0.48 - 0.95 + 0.44 * far as f32;
            vertex(place(n % 4, k & 1), place(n / 4, k >> 1), 0.0, [0.0; 4])
        };
        for (culled, triangle) in [(n % 3 == 0, [0, 1, 2]), (n % 5 == 1, [1, 3, 2])] {
            if !culled {
                plain.triangle(triangle.map(at), |f, samples| write(f, samples, color));
            }
        }
    }
    resolved(&plain)
}

/// `mesh_views`: view k has a polygon of k + 3 corners, in a quarter of the picture.
#[expect(clippy::approx_constant, reason = "the shader has this number")]
pub fn mesh_views() -> Expected {
    let views = [0usize, 1, 2, 3].map(|view| {
        let mut plain = Plain::new(32, 1, CLEAR);
        let at = |i: usize| {
            let (sin, cos) = (i as f64 * 6.2832 / (view + 3) as f64).sin_cos();
            vertex((cos * 0.9) as f32, (sin * 0.9) as f32, 0.0, [i as f64 / 6.0, view as f64 / 3.0, 0.5, 1.0])
        };
        for i in 0..view + 1 {
            let triangle = [at(0), at(i + 1), at(i + 2)];
            plain.triangle(triangle, |f, samples| write(f, samples, exactly(f.v([0.0; 2]))));
        }
        plain
    });
    each_pixel(|x, y| views[x / 32 + y / 32 * 2].resolved(x % 32, y % 32))
}

/// `tess_primitive_id`: nine squares, coloured by the number of their patch.
pub fn primitive_id() -> Expected {
    let mut plain = Plain::new(N, 1, CLEAR);
    for n in 0..9usize {
        let id = n as f64 / 9.0;
        let color = exactly([id, id, (n % 3) as f64 / 2.0, 1.0]);
        let at = |i: usize| {
            let place = |cell: usize, far: usize| (cell as f32 + far as f32 * 0.84 + 0.08) / 3.0 * 2.0 - 1.0;
            vertex(place(n % 3, i & 1), place(n / 3, i >> 1), 0.0, [0.0; 4])
        };
        for triangle in [[0, 1, 2], [2, 1, 3]] {
            plain.triangle(triangle.map(at), |f, samples| write(f, samples, color));
        }
    }
    resolved(&plain)
}
