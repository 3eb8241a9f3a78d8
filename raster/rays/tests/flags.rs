//! Flags and masks of rays, geometries and instances; ties; hits that users generate.

mod support;

use std::sync::Arc;

use quadrille_rays::*;
use support::*;

const RAY: Ray = Ray { origin: [0.2, 0.3, 2.0], direction: [0.0, 0.0, -1.0], tmin: 0.0, tmax: 10.0 };

/// Result of a ray that meets one primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Missed,
    Candidate { opaque: bool },
    Committed,
}

/// A triangle in the plane z = 0 whose front is seen from above, or from below.
fn triangle(front: bool, opaque: bool) -> Data {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let positions = if front { corners.to_vec() } else { corners.into_iter().rev().collect() };
    Data::Triangles { positions, indices: None, transform: None, opaque }
}

fn unit_box(opaque: bool) -> Data {
    Data::Boxes { boxes: vec![Aabb { min: [0.0; 3], max: [1.0; 3] }], opaque }
}

fn outcome(query: &mut RayQuery, top: &TopLevel, flags: RayFlags, level: Level) -> Outcome {
    query.initialize(&RAY, flags, 0xff);
    if query.proceed_with(top, level) {
        let candidate = query.candidate().unwrap();
        assert!(query.committed().is_none());
        assert!(!query.proceed_with(top, level), "a primitive is a candidate once");
        return Outcome::Candidate { opaque: candidate.opaque };
    }
    if query.committed().is_some() { Outcome::Committed } else { Outcome::Missed }
}

/// The rules of the chapter on ray traversal, one after another.
fn expected(is_box: bool, front: bool, opaque: bool, instance: InstanceFlags, ray: RayFlags) -> Outcome {
    use RayFlags as R;
    if ray.has(if is_box { R::SKIP_AABBS } else { R::SKIP_TRIANGLES }) {
        return Outcome::Missed;
    }
    let front = front != instance.has(InstanceFlags::FLIP_FACING);
    let cull = ray.has(if front { R::CULL_FRONT_FACING } else { R::CULL_BACK_FACING });
    if !is_box && cull && !instance.has(InstanceFlags::FACING_CULL_DISABLE) {
        return Outcome::Missed;
    }
    let forced = [
        (ray.has(R::OPAQUE), true),
        (ray.has(R::NO_OPAQUE), false),
        (instance.has(InstanceFlags::FORCE_OPAQUE), true),
        (instance.has(InstanceFlags::FORCE_NO_OPAQUE), false),
    ];
    let opaque = forced.iter().find(|(set, _)| *set).map_or(opaque, |(_, opaque)| *opaque);
    if ray.has(if opaque { R::CULL_OPAQUE } else { R::CULL_NO_OPAQUE }) {
        return Outcome::Missed;
    }
    match (is_box, opaque) {
        (true, opaque) => Outcome::Candidate { opaque },
        (false, true) => Outcome::Committed,
        (false, false) => Outcome::Candidate { opaque: false },
    }
}

#[test]
fn every_set_of_flags_follows_the_rules() {
    let mut query = RayQuery::default();
    let mut counts = std::collections::HashMap::new();
    for case in 0..8 {
        let [is_box, front, opaque] = [case & 1 != 0, case & 2 != 0, case & 4 != 0];
        let data = if is_box { unit_box(opaque) } else { triangle(front, opaque) };
        let shared = Arc::new(bottom(&[data], BuildOptions::default()));
        for instance in (0..16).map(InstanceFlags) {
            let placed = Instance { flags: instance, ..Instance::new(shared.clone()) };
            let top = TopLevel::build(&[placed], BuildOptions::default()).unwrap();
            for flags in (0..1 << 10).map(RayFlags) {
                let expected = expected(is_box, front, opaque, instance, flags);
                for level in levels() {
                    let found = outcome(&mut query, &top, flags, level);
                    assert_eq!(found, expected, "case {case}, {instance:?}, {flags:?}");
                }
                *counts.entry(format!("{expected:?}")).or_insert(0) += 1;
            }
        }
    }
    assert!(counts.len() == 4 && counts.values().all(|&n| n > 1000), "{counts:?}");
}

#[test]
fn instances_and_rays_must_share_a_bit_of_their_masks() {
    let shared = Arc::new(bottom(&[triangle(true, true)], BuildOptions::default()));
    let mut query = RayQuery::default();
    for mask in 0..=255u8 {
        let placed = Instance { mask, ..Instance::new(shared.clone()) };
        let top = TopLevel::build(&[placed], BuildOptions::default()).unwrap();
        for ray in (0..0x300).chain([0xffff_ff00, 0xffff_ffff]) {
            let seen = u32::from(mask) & ray & 0xff != 0;
            assert_eq!(query.closest(&top, &RAY, RayFlags::NONE, ray).is_some(), seen, "{mask} {ray}");
        }
    }
}

#[test]
fn ties_are_broken_by_numbers() {
    let twice = |n: usize| triangle_many(n, true);
    for options in all_options() {
        let shared = Arc::new(bottom(&[twice(70), twice(3)], options));
        let other = Arc::new(bottom(&[twice(9)], options));
        for order in [[0, 1], [1, 0]] {
            let both = [Instance::new(shared.clone()), Instance::new(other.clone())];
            let instances: Vec<_> = order.iter().map(|&i| both[i].clone()).collect();
            let top = TopLevel::build(&instances, options).unwrap();
            let hit = RayQuery::default().closest(&top, &RAY, RayFlags::NONE, 0xff).unwrap();
            assert_eq!((hit.instance, hit.geometry, hit.primitive), (0, 0, 0));
            // The same, if every hit must be confirmed.
            let mut query = RayQuery::default();
            query.initialize(&RAY, RayFlags::NO_OPAQUE, 0xff);
            while query.proceed(&top) {
                query.confirm();
            }
            let hit = query.committed().unwrap();
            assert_eq!((hit.instance, hit.geometry, hit.primitive), (0, 0, 0));
        }
    }
}

/// The same triangle several times.
fn triangle_many(count: usize, opaque: bool) -> Data {
    let Data::Triangles { positions, .. } = triangle(true, opaque) else { unreachable!() };
    Data::Triangles { positions: positions.repeat(count), indices: None, transform: None, opaque }
}

/// Triangles at heights 0, 1, 2 and so on.
fn stack(count: usize, opaque: bool) -> Data {
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let positions = (0..count).flat_map(|z| corners.map(|[x, y]| [x, y, z as f32])).collect();
    Data::Triangles { positions, indices: None, transform: None, opaque }
}

#[test]
fn candidates_are_confirmed_or_dropped() {
    let top = |data| {
        let bottom = Arc::new(bottom(&[data], BuildOptions::default()));
        TopLevel::build(&[Instance::new(bottom)], BuildOptions::default()).unwrap()
    };
    let top = top(stack(20, false));
    let ray = Ray { origin: [0.25, 0.25, 30.0], tmax: 100.0, ..RAY };
    let mut query = RayQuery::default();
    // Nothing is confirmed.
    query.initialize(&ray, RayFlags::NONE, 0xff);
    assert_eq!(std::iter::from_fn(|| query.proceed(&top).then_some(())).count(), 20);
    assert_eq!(query.committed(), None);
    // One is.
    query.initialize(&ray, RayFlags::NONE, 0xff);
    while query.proceed(&top) {
        if query.candidate().unwrap().primitive == 7 {
            query.confirm();
        }
    }
    let hit = query.committed().unwrap();
    assert_eq!((hit.t, hit.primitive, hit.kind), (23.0, 7, HitKind::Triangle));
    // The first one ends the ray.
    query.initialize(&ray, RayFlags::TERMINATE_ON_FIRST_HIT, 0xff);
    assert!(query.proceed(&top));
    query.confirm();
    assert!(!query.proceed(&top) && query.committed().is_some());
    // So does the user.
    query.initialize(&ray, RayFlags::NONE, 0xff);
    assert!(query.proceed(&top));
    query.terminate();
    assert!(!query.proceed(&top) && query.committed().is_none());
}

#[test]
fn distances_exclude_their_limits() {
    let bottom = Arc::new(bottom(&[stack(3, true)], BuildOptions::default()));
    let top = TopLevel::build(&[Instance::new(bottom)], BuildOptions::default()).unwrap();
    let closest = |tmin, tmax| {
        let ray = Ray { tmin, tmax, origin: [0.25, 0.25, 3.0], ..RAY };
        RayQuery::default().closest(&top, &ray, RayFlags::NONE, 0xff).map(|hit| hit.t)
    };
    assert_eq!(closest(0.0, 10.0), Some(1.0));
    assert_eq!(closest(1.0, 10.0), Some(2.0));
    assert_eq!(closest(2.5, 10.0), Some(3.0));
    assert_eq!(closest(0.0, 1.0), None);
    assert_eq!(closest(0.0, 1.0f32.next_up()), Some(1.0));
    assert_eq!(closest(1.0f32.next_down(), 1.0), None);
    assert_eq!(closest(3.0, f32::INFINITY), None);
    assert_eq!(closest(f32::NAN, 10.0), None);
    assert_eq!(closest(0.0, f32::NAN), None);
    assert_eq!(closest(5.0, 4.0), None);
}

#[test]
fn boxes_have_generated_hits() {
    let boxes = [0.0, 2.0, 4.0].map(|z| Aabb { min: [0.0, 0.0, z], max: [1.0, 1.0, z + 1.0] });
    let data = Data::Boxes { boxes: boxes.to_vec(), opaque: false };
    let transform = [[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let placed = Instance {
        transform,
        custom_index: 77,
        sbt_offset: 99,
        ..Instance::new(Arc::new(bottom(&[data], BuildOptions::default())))
    };
    let top = TopLevel::build(&[placed], BuildOptions::default()).unwrap();
    let ray = Ray { origin: [1.0, 0.5, 10.0], tmax: 100.0, ..RAY };
    let mut query = RayQuery::default();
    query.initialize(&ray, RayFlags::NONE, 0xff);
    let mut order = Vec::new();
    while query.proceed(&top) {
        let hit = query.candidate().unwrap();
        assert_eq!(hit.kind, HitKind::Box);
        order.push(hit.primitive);
        query.confirm();
        assert_eq!(query.committed(), None, "boxes cannot be confirmed");
        query.generate(-1.0);
        query.generate(101.0);
        query.generate(f32::NAN);
        assert_eq!(query.committed(), None, "distances out of range are ignored");
        if hit.primitive == 1 {
            query.generate(7.5);
            query.generate(8.0);
        }
    }
    // The nearest first; the last one lies behind the hit.
    assert_eq!(order, [2, 1]);
    let hit = query.committed().unwrap();
    assert_eq!((hit.kind, hit.t, hit.primitive, hit.vertices(&top)), (HitKind::Generated, 7.5, 1, None));
    let placed = hit.placed(&top).unwrap().instance();
    assert_eq!((placed.custom_index, placed.sbt_offset), (77, 99));
    assert_eq!(hit.object_to_world(&top), transform);
    assert_eq!(hit.world_to_object(&top)[0], [0.5, 0.0, 0.0, -0.0]);
    assert_eq!(query.object_origin(&hit, &top), [0.5, 0.5, 10.0]);
    assert_eq!(query.object_direction(&hit, &top), [0.0, 0.0, -1.0]);
    assert_eq!((query.world_origin(), query.world_direction()), (ray.origin, ray.direction));
}

/// An instance that is scaled to nothing is not hit, whatever its primitives are, also as the only one.
#[test]
fn instances_without_an_inverse_are_missed() {
    for data in [
        triangle(true, false),
        Data::Boxes { boxes: vec![Aabb { min: [-1.0; 3], max: [1.0; 3] }], opaque: false },
    ] {
        for allow_update in [false, true] {
            let options = BuildOptions { allow_update, ..BuildOptions::default() };
            let shared = Arc::new(bottom(std::slice::from_ref(&data), options));
            let flat = Instance { transform: [[0.0; 4]; 3], ..Instance::new(shared.clone()) };
            for count in [1, 2, 9] {
                let top = TopLevel::build(&vec![flat.clone(); count], options).unwrap();
                for level in levels() {
                    let mut query = RayQuery::default();
                    assert_eq!(outcome(&mut query, &top, RayFlags::NONE, level), Outcome::Missed);
                }
            }
            let top = TopLevel::build(&[Instance::new(shared)], options).unwrap();
            let mut query = RayQuery::default();
            let found = outcome(&mut query, &top, RayFlags::NONE, Level::best());
            assert_eq!(found, Outcome::Candidate { opaque: false });
        }
    }
}
