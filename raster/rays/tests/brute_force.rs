//! Trees against a search without trees: the same hits, whatever the options are.

mod support;

use std::sync::Arc;

use quadrille_rays::*;
use support::*;

/// Two geometries of triangles, one of them opaque.
fn triangles(random: &mut Random, count: usize) -> Vec<Data> {
    let size = if random.chance(2) { 0.1 } else { 0.6 };
    let flat = soup(random, count / 2, size);
    let positions = soup(random, count / 4, size);
    let n = positions.len() as u32;
    let indices = (0..count - count / 2).map(|_| [0; 3].map(|_| random.below(n.max(1))));
    let indices = Some(indices.collect());
    let transform = Some([[0.5, 0.25, 0.0, 0.1], [0.0, 0.75, 0.0, -0.2], [0.25, 0.0, -1.0, 0.3]]);
    vec![
        Data::Triangles { positions: flat, indices: None, transform: None, opaque: true },
        Data::Triangles { positions, indices, transform, opaque: false },
    ]
}

fn boxes(random: &mut Random, count: usize) -> Vec<Data> {
    let boxes = (0..count).map(|_| {
        let (a, b) = (random.point(1.0), random.point(0.2));
        Aabb { min: a, max: add(a, b.map(f32::abs)) }
    });
    vec![Data::Boxes { boxes: boxes.collect(), opaque: false }]
}

/// Transforms: none, and one with rotation, scale and reflection.
fn transforms() -> [Affine; 2] {
    [IDENTITY, [[0.8, -0.6, 0.0, 0.3], [1.2, 1.6, 0.0, -0.4], [0.0, 0.1, -0.7, 0.2]]]
}

#[test]
fn candidates_are_those_of_single_primitives() {
    let mut random = Random::new(1);
    let mut hits = 0;
    for count in [1, 2, 5, 9, 33, 150, 400] {
        for kind in [triangles, boxes] {
            let data = kind(&mut random, count);
            for transform in transforms() {
                let options: Vec<_> = all_options().collect();
                let tops = options.iter().map(|options| {
                    let instance = Instance { transform, ..Instance::new(Arc::new(bottom(&data, *options))) };
                    (TopLevel::build(std::slice::from_ref(&instance), *options).unwrap(), instance)
                });
                let tops: Vec<_> = tops.collect();
                let singles = singles(&data, &tops[0].1);
                for _ in 0..150 {
                    let ray = ray(&mut random);
                    let mut expected = Vec::new();
                    for single in &singles {
                        for (_, _, _, t) in candidates(&single.top, &ray, RayFlags::NO_OPAQUE, Level::PLAIN) {
                            expected.push((0, single.geometry, single.primitive, t));
                        }
                    }
                    hits += expected.len();
                    for (top, _) in &tops {
                        let mut found = candidates(top, &ray, RayFlags::NO_OPAQUE, Level::best());
                        found.sort_unstable();
                        assert_eq!(found, expected, "{count} primitives, {ray:?}");
                    }
                }
            }
        }
    }
    assert!(hits > 2000, "{hits} hits");
}

#[test]
fn the_closest_hit_is_that_of_all_candidates() {
    let mut random = Random::new(2);
    let mut hits = 0;
    for count in [3, 40, 700, 20_000] {
        let data = triangles(&mut random, count);
        for options in all_options() {
            let shared = Arc::new(bottom(&data, options));
            let instances = transforms().map(|t| Instance { transform: t, ..Instance::new(shared.clone()) });
            let top = TopLevel::build(&instances, options).unwrap();
            for _ in 0..200 {
                let ray = ray(&mut random);
                let all = candidates(&top, &ray, RayFlags::NO_OPAQUE, Level::best());
                // Distances are not negative, so that their bits have their order.
                let closest = all.iter().map(|&(i, g, p, t)| (t, i, g, p)).min();
                let mut query = RayQuery::default();
                let hit = query.closest(&top, &ray, RayFlags::NONE, 0xff);
                assert_eq!(hit.map(|h| (h.t.to_bits(), h.instance, h.geometry, h.primitive)), closest);
                assert_eq!(query.any(&top, &ray, RayFlags::NONE, 0xff), closest.is_some());
                hits += usize::from(closest.is_some());
            }
        }
    }
    assert!(hits > 1000, "{hits} hits");
}

/// Intersection of a line and a triangle by Cramer's rule, in f64.
fn cramer(ray: &Ray, vertices: [Point; 3]) -> Option<(f64, [f64; 2], bool)> {
    let wide = |p: Point| p.map(f64::from);
    let minus = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| a[i] - b[i]) };
    let cross = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [a, b, c] = vertices.map(wide);
    let (d, e, f) = (wide(ray.direction), minus(b, a), minus(c, a));
    let from = minus(wide(ray.origin), a);
    let det = dot(cross(d, f), e);
    let v = dot(cross(d, f), from) / det;
    let w = dot(cross(from, e), d) / det;
    let t = dot(cross(from, e), f) / det;
    // The normal of counter-clockwise vertices points to the origin of the ray.
    (det != 0.0).then_some((t, [v, w], dot(cross(e, f), d) < 0.0))
}

#[test]
fn triangles_are_hit_where_their_planes_are() {
    let mut random = Random::new(3);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..20_000 {
        let positions = soup(&mut random, 1, 1.0);
        let mut ray = ray(&mut random);
        let vertices = [positions[0], positions[1], positions[2]];
        if random.chance(4) {
            let target = add(vertices[random.below(3) as usize], random.point(0.3));
            ray.direction = std::array::from_fn(|i| target[i] - ray.origin[i]);
        }
        let data = [Data::Triangles { positions, indices: None, transform: None, opaque: true }];
        let instance = Instance::new(Arc::new(bottom(&data, BuildOptions::default())));
        let top = TopLevel::build(&[instance], BuildOptions::default()).unwrap();
        let hit = RayQuery::default().closest(&top, &ray, RayFlags::NONE, 0xff);
        let Some((t, [v, w], front)) = cramer(&ray, vertices) else { continue };
        // Distance to the nearest border of the set of hits, of which rounding may decide.
        let border = [v, w, 1.0 - v - w, t - f64::from(ray.tmin), f64::from(ray.tmax) - t];
        let inside = border.into_iter().fold(f64::INFINITY, f64::min);
        match hit {
            Some(hit) => {
                hits += 1;
                assert!(inside > -1e-3, "{ray:?} {vertices:?} {hit:?}");
                assert!((f64::from(hit.t) - t).abs() < 1e-3 * (1.0 + t.abs()), "{t} {hit:?}");
                let [x, y] = hit.barycentrics.map(f64::from);
                assert!((x - v).abs() < 2e-2 && (y - w).abs() < 2e-2, "{v} {w} {hit:?}");
                assert_eq!(hit.front_face, front);
                assert_eq!(hit.vertices(&top), Some(vertices));
            }
            None => {
                misses += 1;
                assert!(inside < 1e-3, "{ray:?} {vertices:?} {inside}");
            }
        }
    }
    assert!(hits > 500 && misses > 2000, "{hits} hits, {misses} misses");
}

#[test]
fn every_level_finds_the_same_candidates_in_the_same_order() {
    let mut random = Random::new(4);
    let mut found = 0;
    for kind in [triangles, boxes] {
        let data = kind(&mut random, 2000);
        for options in all_options() {
            let instance = Instance::new(Arc::new(bottom(&data, options)));
            let top = TopLevel::build(&[instance], options).unwrap();
            for _ in 0..200 {
                let ray = ray(&mut random);
                let [all, rest @ ..] = &levels()[..] else { unreachable!() };
                let expected = candidates(&top, &ray, RayFlags::NO_OPAQUE, *all);
                for level in rest {
                    assert_eq!(candidates(&top, &ray, RayFlags::NO_OPAQUE, *level), expected);
                }
                found += expected.len();
            }
        }
    }
    assert!(found > 1000, "{found} candidates");
}
