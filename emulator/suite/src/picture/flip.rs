//! FLIP: the perceived difference between two alternating pictures, per pixel from 0 to 1.
//!
//! After Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström and Fairchild, "FLIP: A Difference Evaluator for
//! Alternating Images", 2020, for 8-bit sRGB pictures. Colours are filtered by the contrast sensitivity of the eye at
//! [`PIXELS_PER_DEGREE`] and compared in a perceptually uniform space. Edges and points that only one picture has
//! increase the difference. Alpha is ignored.

use quadrille::Picture;

/// The default viewing condition: 0.7 m from a screen 0.7 m wide with 3840 pixels.
const PIXELS_PER_DEGREE: f32 = 67.020_64;
/// Exponent of the colour difference.
const COLOR_EXPONENT: f32 = 0.7;
/// Differences up to this fraction of the maximum map to `[0, KNEE_TO]`, larger ones to the rest.
const KNEE_FROM: f32 = 0.4;
const KNEE_TO: f32 = 0.95;
/// Width of a feature in degrees, and the exponent of its difference.
const FEATURE_WIDTH: f32 = 0.082;
const FEATURE_EXPONENT: f32 = 0.5;
const PI: f32 = std::f32::consts::PI;

/// Amplitude and width of the Gaussians of contrast sensitivity, for luminance, red-green and blue-yellow.
const SENSITIVITY: [[(f32, f32); 2]; 3] =
    [[(1.0, 0.0047), (0.0, 1e-5)], [(1.0, 0.0053), (0.0, 1e-5)], [(34.1, 0.04), (13.5, 0.025)]];

type Color = [f32; 3];

/// A plane of values, one per pixel.
struct Plane {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl Plane {
    fn map(of: &[Color], size: (usize, usize), f: impl Fn(&Color) -> f32) -> Plane {
        Plane { width: size.0, height: size.1, values: of.iter().map(f).collect() }
    }

    /// Filters rows with one kernel and columns with another; edges repeat.
    fn filtered(&self, along_x: &[f32], along_y: &[f32]) -> Plane {
        self.pass(along_x, 1, self.width, |i| i % self.width)
            .pass(along_y, self.width, self.height, |i| i / self.width)
    }

    fn pass(&self, kernel: &[f32], step: usize, length: usize, at: impl Fn(usize) -> usize) -> Plane {
        let radius = kernel.len() / 2;
        let value = |i: usize| {
            let here = at(i);
            let start = i - here * step;
            let tap = |(k, weight): (usize, &f32)| {
                let to = (here + k).saturating_sub(radius).min(length - 1);
                weight * self.values[start + to * step]
            };
            kernel.iter().enumerate().map(tap).sum()
        };
        let values = (0..self.values.len()).map(value).collect();
        Plane { values, ..*self }
    }
}

/// The difference of each pixel, row by row. Both pictures must have the same size.
pub fn flip(reference: &Picture, test: &Picture) -> Vec<f32> {
    let size = (reference.width as usize, reference.height as usize);
    let opponent = |p: &Picture| p.pixels.iter().map(|pixel| opponent(linear(pixel))).collect::<Vec<Color>>();
    let (a, b) = (opponent(reference), opponent(test));
    let color = color_differences(&a, &b, size);
    let feature = feature_differences(&a, &b, size);
    color.iter().zip(feature).map(|(c, f)| libm::powf(*c, 1.0 - f)).collect()
}

/// The mean of the differences that [`flip`] returns.
pub fn mean(differences: &[f32]) -> f32 {
    let sum: f64 = differences.iter().map(|d| f64::from(*d)).sum();
    (sum / differences.len().max(1) as f64) as f32
}

fn color_differences(a: &[Color], b: &[Color], size: (usize, usize)) -> Vec<f32> {
    let (a, b) = (as_seen(a, size), as_seen(b, size));
    let most = hyab(hunt(lab([0.0, 1.0, 0.0])), hunt(lab([0.0, 0.0, 1.0])));
    let most = libm::powf(most, COLOR_EXPONENT);
    let knee = KNEE_FROM * most;
    let spread = |(a, b): (&Color, &Color)| {
        let by = libm::powf(hyab(*a, *b), COLOR_EXPONENT);
        match by < knee {
            true => KNEE_TO / knee * by,
            false => KNEE_TO + (by - knee) / (most - knee) * (1.0 - KNEE_TO),
        }
    };
    a.iter().zip(&b).map(spread).collect()
}

/// Colours after the filter of the eye, in the uniform space in which they are compared.
fn as_seen(colors: &[Color], size: (usize, usize)) -> Vec<Color> {
    let widest = SENSITIVITY.iter().flatten().map(|(_, b)| *b).fold(0.0, f32::max);
    let radius = (3.0 * libm::sqrtf(widest / (2.0 * PI * PI)) * PIXELS_PER_DEGREE).ceil() as i32;
    let channel = |n: usize| {
        let plane = Plane::map(colors, size, |c| c[n]);
        let mut sum = vec![0.0; plane.values.len()];
        let mut whole = 0.0;
        for (a, b) in SENSITIVITY[n].into_iter().filter(|(a, _)| *a > 0.0) {
            let gauss = |x: i32| {
                let degrees = x as f32 / PIXELS_PER_DEGREE;
                libm::expf(-PI * PI * degrees * degrees / b)
            };
            let kernel: Vec<f32> = (-radius..=radius).map(gauss).collect();
            let amplitude = a * libm::sqrtf(PI / b);
            let line: f32 = kernel.iter().sum();
            whole += amplitude * line * line;
            let filtered = plane.filtered(&kernel, &kernel).values;
            sum.iter_mut().zip(filtered).for_each(|(s, v)| *s += amplitude * v);
        }
        sum.iter_mut().for_each(|s| *s /= whole);
        sum
    };
    let [y, cx, cz] = [0, 1, 2].map(channel);
    let color = |i: usize| {
        let rgb = from_opponent([y[i], cx[i], cz[i]]).map(|c| c.clamp(0.0, 1.0));
        hunt(lab(rgb))
    };
    (0..y.len()).map(color).collect()
}

fn feature_differences(a: &[Color], b: &[Color], size: (usize, usize)) -> Vec<f32> {
    let deviation = 0.5 * FEATURE_WIDTH * PIXELS_PER_DEGREE;
    let radius = (3.0 * deviation).ceil() as i32;
    let gauss = |x: i32| libm::expf(-((x * x) as f32) / (2.0 * deviation * deviation));
    let smooth: Vec<f32> = (-radius..=radius).map(gauss).collect();
    let edge: Vec<f32> = (-radius..=radius).map(|x| -(x as f32) * gauss(x)).collect();
    let of_point = |x: i32| ((x * x) as f32 / (deviation * deviation) - 1.0) * gauss(x);
    let point: Vec<f32> = (-radius..=radius).map(of_point).collect();
    let smooth_sum: f32 = smooth.iter().sum();
    let smooth: Vec<f32> = smooth.iter().map(|w| w / smooth_sum).collect();
    let (edge, point) = (balanced(&edge), balanced(&point));
    let strength = |of: &[Color], kernel: &[f32]| {
        let plane = Plane::map(of, size, |c| (c[0] + 16.0) / 116.0);
        let (x, y) = (plane.filtered(kernel, &smooth), plane.filtered(&smooth, kernel));
        x.values.iter().zip(y.values).map(|(x, y)| libm::sqrtf(x * x + y * y)).collect::<Vec<f32>>()
    };
    let difference = |kernel: &[f32]| {
        let (a, b) = (strength(a, kernel), strength(b, kernel));
        a.into_iter().zip(b).map(|(a, b)| (a - b).abs()).collect::<Vec<f32>>()
    };
    let (edges, points) = (difference(&edge), difference(&point));
    let both = edges.iter().zip(points);
    both.map(|(e, p)| libm::powf(e.max(p) / std::f32::consts::SQRT_2, FEATURE_EXPONENT)).collect()
}

/// The kernel, normalized so that the positive weights sum to 1 and the negative ones to -1.
fn balanced(kernel: &[f32]) -> Vec<f32> {
    let positive: f32 = kernel.iter().filter(|w| **w > 0.0).sum();
    let negative: f32 = -kernel.iter().filter(|w| **w < 0.0).sum::<f32>();
    kernel.iter().map(|w| w / if *w > 0.0 { positive } else { negative }).collect()
}

fn linear(pixel: &[u8; 4]) -> Color {
    [0, 1, 2].map(|i| {
        let v = f32::from(pixel[i]) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { libm::powf((v + 0.055) / 1.055, 2.4) }
    })
}

/// Linear sRGB to XYZ, with white at D65.
const TO_XYZ: [Color; 3] = [
    [0.412_386_56, 0.357_591_5, 0.180_450_49],
    [0.212_636_82, 0.715_183, 0.072_180_2],
    [0.019_330_62, 0.119_197_16, 0.950_372_6],
];
const FROM_XYZ: [Color; 3] = [
    [3.241_003_3, -1.537_399, -0.498_615_86],
    [-0.969_224_3, 1.875_930_1, 0.041_554_226],
    [0.055_639_423, -0.204_011_2, 1.057_149],
];

fn times(matrix: &[Color; 3], v: Color) -> Color {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// XYZ of white.
fn white() -> Color {
    times(&TO_XYZ, [1.0; 3])
}

/// Converts linear colour to Y, Cx, Cz.
fn opponent(rgb: Color) -> Color {
    let (xyz, white) = (times(&TO_XYZ, rgb), white());
    let [x, y, z] = [0, 1, 2].map(|i| xyz[i] / white[i]);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn from_opponent([l, cx, cz]: Color) -> Color {
    let y = (l + 16.0) / 116.0;
    let (white, relative) = (white(), [y + cx / 500.0, y, y - cz / 200.0]);
    times(&FROM_XYZ, [0, 1, 2].map(|i| relative[i] * white[i]))
}

/// Converts linear colour to L*a*b*.
fn lab(rgb: Color) -> Color {
    let (xyz, white) = (times(&TO_XYZ, rgb), white());
    let [x, y, z] = [0, 1, 2].map(|i| {
        let (t, delta) = (xyz[i] / white[i], 6.0f32 / 29.0);
        if t > delta * delta * delta { libm::cbrtf(t) } else { t / (3.0 * delta * delta) + 4.0 / 29.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Hunt effect: reduces the chroma of dark pixels.
fn hunt([l, a, b]: Color) -> Color {
    [l, 0.01 * l * a, 0.01 * l * b]
}

fn hyab(a: Color, b: Color) -> f32 {
    let (da, db) = (a[1] - b[1], a[2] - b[2]);
    (a[0] - b[0]).abs() + libm::sqrtf(da * da + db * db)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_of(a: &Picture, b: &Picture) -> f32 {
        mean(&flip(a, b))
    }

    #[test]
    fn the_same_and_the_opposite() {
        let of = |color| Picture::filled(24, 16, color).unwrap();
        let (black, white) = (of([0, 0, 0, 255]), of([255; 4]));
        assert_eq!(mean_of(&white, &white), 0.0);
        // The result of the authors' own program.
        let most = mean_of(&black, &white);
        assert!((most - 0.967_387).abs() < 1e-4, "{most}");
        assert_eq!(most, mean_of(&white, &black));
        let (green, blue) = (of([0, 255, 0, 255]), of([0, 0, 255, 255]));
        assert!((mean_of(&green, &blue) - 1.0).abs() < 1e-4);
        let near = mean_of(&of([100, 100, 100, 255]), &of([102, 100, 100, 255]));
        assert!(near > 0.0 && near < 0.1, "{near}");
    }

    /// Detailed pictures, with the results of the authors' own program (flip-evaluator 1.7).
    #[test]
    fn as_the_authors_have_it() {
        let (width, height) = (64u32, 48u32);
        let picture = |f: &dyn Fn(u32, u32) -> [u32; 3]| {
            let at = |i: u32| f(i % width, i / width).map(|c| c as u8);
            let pixels = (0..width * height).map(at).map(|[r, g, b]| [r, g, b, 255]).collect();
            Picture { width, height, pixels }
        };
        let a = picture(&|x, y| [x * 5, y * 7, x * y]);
        let b = picture(&|x, y| [x * 5 + x / 8 * 3, y * 6, x * y + 40]);
        let c = picture(&|x, y| match (x, y) {
            (30..34, 20..24) => [255; 3],
            _ => [x * 5, y * 7, x * y],
        });
        let expected_b = [0.559_242_7, 0.089_284_3, 0.473_659_1, 0.982_948_6];
        let expected_c = [0.012_590_1, 0.0, 0.858_471_2, 0.0];
        for (test, expected) in [(&b, expected_b), (&c, expected_c)] {
            let all = flip(&a, test);
            let at = |x: usize, y: usize| all[y * 64 + x];
            let got = [mean(&all), at(0, 0), at(32, 22), at(5, 40)];
            for (got, expected) in got.iter().zip(expected) {
                assert!((got - expected).abs() < 2e-4, "{got} is not {expected}");
            }
        }
    }

    #[test]
    fn a_point_is_seen_around_it() {
        let a = Picture::filled(41, 41, [128, 128, 128, 255]).unwrap();
        let mut b = a.clone();
        b.pixels[20 * 41 + 20] = [255; 4];
        let all = flip(&a, &b);
        let at = |x: usize, y: usize| all[y * 41 + x];
        assert!(
            at(20, 20) > at(23, 20) && at(23, 20) > at(0, 0),
            "{} {} {}",
            at(20, 20),
            at(23, 20),
            at(0, 0)
        );
        assert_eq!(at(18, 20), at(22, 20));
        assert_eq!(at(0, 0), 0.0);
    }
}
