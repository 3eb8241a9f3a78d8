//! A scene of any size, made from a seed: hills with boulders on them. And rays through it.

use quadrille_rays::*;

/// A number from 0 to 1 for a point of a grid.
fn noise(x: i32, y: i32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77);
    h = (h ^ h >> 15).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ h >> 12).wrapping_mul(0x297a_2d39);
    ((h ^ h >> 15) >> 8) as f32 / (1 << 24) as f32
}

/// Noise between the points of the grid.
fn smooth(x: f32, y: f32) -> f32 {
    let (i, j) = (x.floor(), y.floor());
    let (u, v) = (x - i, y - j);
    let (u, v) = (u * u * (3.0 - 2.0 * u), v * v * (3.0 - 2.0 * v));
    let at = |a: i32, b: i32| noise(i as i32 + a, j as i32 + b);
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * u;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * u;
    low + (high - low) * v
}

/// Height of the ground, of a square from -1 to 1.
fn height(x: f32, y: f32) -> f32 {
    (0..8)
        .map(|o| smooth(x * (3 << o) as f32 + 50.0, y * (3 << o) as f32 + 50.0) * 0.35 / (1 << o) as f32)
        .sum()
}

/// A triangulated grid of a function from a unit square.
fn grid(n: usize, out: &mut Vec<Point>, f: impl Fn(f32, f32) -> Point) {
    let points: Vec<Point> = (0..=n)
        .flat_map(|j| (0..=n).map(move |i| (i as f32 / n as f32, j as f32 / n as f32)))
        .map(|(u, v)| f(u, v))
        .collect();
    for j in 0..n {
        for i in 0..n {
            let [a, b, c, d] =
                [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)].map(|(i, j)| points[j * (n + 1) + i]);
            out.extend([a, b, d, a, d, c]);
        }
    }
}

/// About `count` triangles, three at a time: half of them ground, half of them boulders.
pub fn triangles(count: usize) -> Vec<Point> {
    let mut out = Vec::with_capacity(count * 3);
    let n = ((count / 4) as f32).sqrt() as usize;
    grid(n.max(1), &mut out, |u, v| {
        let (x, z) = (u * 2.0 - 1.0, v * 2.0 - 1.0);
        [x, height(x, z), z]
    });
    let boulders = 40;
    let side = (((count - out.len() / 3) / boulders / 2) as f32).sqrt() as usize;
    for b in 0..boulders as i32 {
        let (x, z) = (noise(b, 1000) * 1.8 - 0.9, noise(b, 2000) * 1.8 - 0.9);
        let (y, r) = (height(x, z), 0.03 + 0.08 * noise(b, 3000));
        grid(side.max(1), &mut out, |u, v| {
            let (a, e) = (u * std::f32::consts::TAU, (v - 0.5) * std::f32::consts::PI);
            let d = [a.cos() * e.cos(), e.sin(), a.sin() * e.cos()];
            let s = r * (0.8 + 0.5 * smooth(d[0] * 4.0 + 90.0 + b as f32, d[1] * 4.0 + d[2] * 3.0 + 90.0));
            [x + d[0] * s, y + d[1] * s, z + d[2] * s]
        });
    }
    out
}

fn sub(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] - b[i])
}

fn cross(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

fn normalize(a: Point) -> Point {
    let l = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt();
    a.map(|x| x / l)
}

/// Rays from a camera through a picture of `count` pixels, in tiles; shadow rays from their hits to a light; diffuse
/// bounces from their hits in random directions.
pub fn rays(top: &TopLevel, count: usize) -> [Vec<Ray>; 3] {
    let side = (count as f32).sqrt() as usize;
    let (eye, at) = ([1.1, 1.1, 1.3], [0.0, 0.25, 0.0]);
    let forward = normalize(sub(at, eye));
    let right = normalize(cross(forward, [0.0, 1.0, 0.0]));
    let up = cross(right, forward);
    let mut sets = [const { Vec::new() }; 3];
    let mut query = RayQuery::default();
    for p in 0..side * side {
        // Tiles of 8x8 pixels.
        let (tile, q) = (p / 64, p % 64);
        let (x, y) = (tile % (side / 8) * 8 + q % 8, tile / (side / 8) * 8 + q / 8);
        let (u, v) = (x as f32 / side as f32 * 2.0 - 1.0, 1.0 - y as f32 / side as f32 * 2.0);
        let direction = std::array::from_fn(|i| forward[i] + (right[i] * u + up[i] * v) * 0.55);
        let ray = Ray { origin: eye, direction, tmin: 0.0, tmax: f32::INFINITY };
        sets[0].push(ray);
        let Some(hit) = query.closest(top, &ray, RayFlags::NONE, 0xff) else { continue };
        let [a, b, c] = hit.vertices(top).unwrap();
        let n = normalize(cross(sub(b, a), sub(c, a)));
        let out = n[0] * direction[0] + n[1] * direction[1] + n[2] * direction[2] < 0.0;
        let n = if out { n } else { n.map(|x| -x) };
        let origin = std::array::from_fn(|i| ray.origin[i] + direction[i] * hit.t + n[i] * 1e-4);
        let light = [-0.8 + 0.1 * noise(p as i32, 7), 1.4, -0.5 + 0.1 * noise(p as i32, 8)];
        sets[1].push(Ray { origin, direction: sub(light, origin), tmin: 0.0, tmax: 1.0 });
        let (z, a) = (noise(p as i32, 9) * 2.0 - 1.0, noise(p as i32, 10) * std::f32::consts::TAU);
        let s = (1.0 - z * z).sqrt();
        let direction = normalize([n[0] + s * a.cos(), n[1] + s * a.sin(), n[2] + z * 0.999]);
        sets[2].push(Ray { origin, direction, tmin: 0.0, tmax: f32::INFINITY });
    }
    sets
}
