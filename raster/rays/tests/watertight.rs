//! Rays through edges and vertices of closed meshes hit exactly one triangle; degenerate input does no harm.

mod support;

use std::sync::Arc;

use quadrille_rays::*;
use support::*;

fn scene(positions: Vec<Point>, options: BuildOptions) -> TopLevel {
    let data = Data::Triangles { positions, indices: None, transform: None, opaque: false };
    TopLevel::build(&[Instance::new(Arc::new(bottom(&[data], options)))], options).unwrap()
}

/// The surface of a cube from -n to n, of two triangles per unit, mapped by a function.
fn cube(n: i32, map: impl Fn([i32; 3]) -> Point) -> Vec<Point> {
    let mut out = Vec::new();
    for axis in 0..3 {
        for side in [-n, n] {
            for i in -n..n {
                for j in -n..n {
                    let corner = |i: i32, j: i32| {
                        let mut p = [side; 3];
                        p[(axis + 1) % 3] = i;
                        p[(axis + 2) % 3] = j;
                        map(p)
                    };
                    let [a, b, c, d] =
                        [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
                    // The same winding seen from inside.
                    let both = if side > 0 { [a, b, d, a, d, c] } else { [b, a, d, d, a, c] };
                    out.extend(both);
                }
            }
        }
    }
    out
}

fn count(top: &TopLevel, origin: Point, direction: Point) -> usize {
    let ray = Ray { origin, direction, tmin: 0.0, tmax: f32::INFINITY };
    let found = candidates(top, &ray, RayFlags::NONE, Level::best());
    assert_eq!(found, candidates(top, &ray, RayFlags::NONE, Level::PLAIN));
    found.len()
}

#[test]
fn vertices_and_edges_of_a_lattice_are_hit_once() {
    let n = 6;
    for options in all_options() {
        let top = scene(cube(n, |p| p.map(|x| x as f32)), options);
        // Vertices, middles of edges and of diagonals, all of them exact.
        for p in cube(2 * n, |p| p.map(|x| x as f32 * 0.5)) {
            assert_eq!(count(&top, [0.0; 3], p), 1, "from the center through {p:?}");
            assert_eq!(count(&top, [0.5, -0.25, 1.0], [p[0] - 0.5, p[1] + 0.25, p[2] - 1.0]), 1, "{p:?}");
        }
    }
}

#[test]
fn meshes_do_not_leak() {
    let mut random = Random::new(11);
    for size in [1.0, 1e-3, 1e6] {
        // A sphere with uneven radius; the offset makes coordinates round.
        let center = [size * 3.3, size * -7.7, size * 0.1];
        let map = |p: [i32; 3]| {
            let p = p.map(|x| x as f32);
            let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
            let uneven = 1.0 + 0.01 * ((p[0] * 12.9 + p[1] * 78.2 + p[2] * 37.7).sin());
            add(center, p.map(|x| x / length * uneven * size))
        };
        let mesh = cube(10, map);
        for options in all_options() {
            let top = scene(mesh.clone(), options);
            for round in 0..6000 {
                let origin = if round % 4 == 0 { center } else { add(center, random.point(0.3 * size)) };
                // Through a vertex, a point of an edge, or a point of a triangle.
                let first = random.below(mesh.len() as u32 / 3) as usize * 3;
                let weights = match round % 3 {
                    0 => [1.0, 0.0],
                    1 => [random.unit(), 0.0],
                    _ => [random.unit() * 0.5, random.unit() * 0.5],
                };
                let [a, b, c] = [mesh[first], mesh[first + 1], mesh[first + 2]];
                let w = 1.0 - weights[0] - weights[1];
                let at: Point = std::array::from_fn(|i| a[i] * weights[0] + b[i] * w + c[i] * weights[1]);
                let direction = std::array::from_fn(|i| at[i] - origin[i]);
                assert_eq!(count(&top, origin, direction), 1, "size {size}, {origin:?} {direction:?}");
            }
        }
    }
}

#[test]
fn fields_of_height_are_hit_once_from_above() {
    let mut random = Random::new(12);
    let n = 24;
    let heights: Vec<f32> = (0..(n + 1) * (n + 1)).map(|_| random.unit()).collect();
    let at = |i: usize, j: usize| [i as f32, heights[i * (n + 1) + j], j as f32];
    let mut mesh = Vec::new();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        mesh.extend([at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
    }
    let top = scene(mesh, BuildOptions::default());
    for (i, j) in (1..2 * n).flat_map(|i| (1..2 * n).map(move |j| (i, j))) {
        let origin = [i as f32 * 0.5, 5.0, j as f32 * 0.5];
        assert_eq!(count(&top, origin, [0.0, -1.0, 0.0]), 1, "{origin:?}");
        let below = [origin[0], -5.0, origin[2]];
        assert_eq!(count(&top, below, [0.0, 3.0, 0.0]), 1, "{below:?}");
    }
}

/// Values that make arithmetic fail.
fn hard(random: &mut Random) -> f32 {
    const HARD: [f32; 9] =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, -0.0, 1e-45, 0.5];
    if random.chance(3) { HARD[random.below(9) as usize] } else { random.signed() }
}

#[test]
fn input_that_is_not_finite_does_no_harm() {
    let mut random = Random::new(13);
    let mut hits = 0;
    for round in 0..120 {
        let n = 1 + random.below(60) as usize;
        let positions = (0..3 * n).map(|_| [0; 3].map(|_| hard(&mut random))).collect();
        let boxes = (0..n)
            .map(|_| Aabb { min: [0; 3].map(|_| hard(&mut random)), max: [0; 3].map(|_| hard(&mut random)) });
        let boxes = Data::Boxes { boxes: boxes.collect(), opaque: false };
        let triangles = Data::Triangles { positions, indices: None, transform: None, opaque: false };
        for options in all_options() {
            let levels = [&triangles, &boxes].map(|d| Arc::new(bottom(std::slice::from_ref(d), options)));
            let mut instances: Vec<_> = levels.into_iter().map(Instance::new).collect();
            if round % 2 == 1 {
                let mut row = || [0; 4].map(|_| hard(&mut random));
                instances[0].transform = [row(), row(), row()];
            }
            let top = TopLevel::build(&instances, options).unwrap();
            for _ in 0..20 {
                let mut ray = ray(&mut random);
                if random.chance(2) {
                    (ray.origin, ray.direction) =
                        ([0; 3].map(|_| hard(&mut random)), [0; 3].map(|_| hard(&mut random)));
                }
                let found = candidates(&top, &ray, RayFlags::NONE, Level::best());
                assert_eq!(found, candidates(&top, &ray, RayFlags::NONE, Level::PLAIN));
                hits += found.len();
            }
        }
    }
    assert!(hits > 100, "{hits} hits");
}

#[test]
fn inactive_and_degenerate_primitives_are_missed_and_counted() {
    let good = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let with = |corner: usize, axis: usize, value: f32| {
        let mut t = good;
        t[corner][axis] = value;
        t
    };
    let bad = [
        with(0, 0, f32::NAN),
        with(1, 0, f32::NAN),
        with(2, 0, f32::NAN),
        with(1, 1, f32::NAN),
        with(2, 2, f32::INFINITY),
        [good[0]; 3],
        [good[0], good[1], good[1]],
        [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0]],
    ];
    let ray = Ray { origin: [0.25, 0.25, 1.0], direction: [0.0, 0.0, -1.0], tmin: 0.0, tmax: 9.0 };
    for options in all_options() {
        let triangles: Vec<[Point; 3]> = bad.into_iter().chain([good]).collect();
        let top = scene(triangles.as_flattened().to_vec(), options);
        assert_eq!(candidates(&top, &ray, RayFlags::NONE, Level::best()), [(0, 0, 8, 1.0f32.to_bits())]);

        let nan = Aabb { min: [f32::NAN, 0.0, 0.0], max: [1.0; 3] };
        let whole = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
        let boxes = vec![nan, Aabb { min: [0.0; 3], max: [1.0; 3] }, whole];
        let boxes = bottom(&[Data::Boxes { boxes, opaque: false }], options);
        let instances = [None, Some(Arc::new(boxes))].map(|bottom| Instance {
            bottom,
            ..Instance::new(Arc::new(BottomLevel::build(&[], options).unwrap()))
        });
        let top = TopLevel::build(&instances, options).unwrap();
        let found = candidates(&top, &ray, RayFlags::NONE, Level::best());
        assert_eq!(
            found.iter().map(|f| (f.0, f.2)).collect::<std::collections::BTreeSet<_>>(),
            [(1, 1), (1, 2)].into()
        );
    }
}

#[test]
fn structures_may_be_empty() {
    for options in all_options() {
        let none = BottomLevel::build(&[], options).unwrap();
        assert_eq!((none.bounds(), none.kind()), (None, Kind::Triangles));
        let nothing = TopLevel::build(&[], options).unwrap();
        let empty = TopLevel::build(&[Instance::new(Arc::new(none))], options).unwrap();
        for top in [&nothing, &empty] {
            let ray = Ray { origin: [0.0; 3], direction: [1.0; 3], tmin: 0.0, tmax: f32::INFINITY };
            assert_eq!(RayQuery::default().closest(top, &ray, RayFlags::NONE, 0xff), None);
        }
    }
}

#[test]
fn trees_of_hard_shapes_are_walked_to_the_end() {
    // Equal triangles, and sizes that grow by a factor: splits by area cut off one at a time.
    let good = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let equal: Vec<Point> = good.repeat(5000);
    let growing = |i: usize| good.map(|p| p.map(|x| (x + 1e-3) * 1.01f32.powi(i as i32 - 5000)));
    let growing: Vec<Point> = (0..9000).flat_map(growing).collect();
    for options in all_options() {
        for (positions, count) in [(&equal, 5000), (&growing, 9000)] {
            let top = scene(positions.clone(), options);
            let ray = Ray { origin: [0.0; 3], direction: [0.3, 0.3, 0.4], tmin: 0.0, tmax: f32::INFINITY };
            let ray = if count == 5000 {
                Ray { origin: [0.2, 0.2, -1.0], direction: [0.0, 0.0, 1.0], ..ray }
            } else {
                ray
            };
            let found = candidates(&top, &ray, RayFlags::NONE, Level::best());
            let mut all = found.iter().map(|f| f.2).collect::<Vec<_>>();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), found.len());
            if count == 5000 {
                assert_eq!(found.len(), 5000);
            }
        }
    }
}
