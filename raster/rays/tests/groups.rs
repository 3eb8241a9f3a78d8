//! Rays that walk side by side against rays that walk alone: the same candidates in the same order, and the same hits.

mod support;

use std::sync::Arc;

use quadrille_rays::*;
use support::*;

/// Instances of triangles and of boxes, opaque or not, some of them with transforms, masks and flags.
fn scene(random: &mut Random, instances: u32) -> TopLevel {
    let mut all = Vec::new();
    for _ in 0..instances {
        let count = [1, 6, 60, 700][random.below(4) as usize];
        let data = if random.chance(4) {
            let boxes = (0..count).map(|_| {
                let (a, b) = (random.point(1.0), random.point(0.2));
                Aabb { min: a, max: add(a, b.map(f32::abs)) }
            });
            vec![Data::Boxes { boxes: boxes.collect(), opaque: false }]
        } else {
            let mut of = |opaque: bool| Data::Triangles {
                positions: soup(random, count, 0.3),
                indices: None,
                transform: None,
                opaque,
            };
            vec![of(true), of(false), of(true)]
        };
        let mut instance = Instance::new(Arc::new(bottom(&data, BuildOptions::default())));
        if random.chance(2) {
            instance.transform = [[0.8, -0.6, 0.0, 0.3], [1.2, 1.6, 0.0, -0.4], [0.0, 0.1, -0.7, 0.2]];
        }
        instance.mask = if random.chance(4) { 0x0f } else { 0xff };
        instance.flags = InstanceFlags(random.below(16) as _);
        all.push(instance);
    }
    TopLevel::build(&all, BuildOptions::default()).unwrap()
}

fn flags(random: &mut Random) -> RayFlags {
    match random.below(3) {
        0 => RayFlags::OPAQUE,
        1 => RayFlags::NONE,
        _ => RayFlags(random.bits() & 0x3ff),
    }
}

/// Does to a candidate what a shader might do.
fn decide(query: &mut RayQuery) {
    let hit = query.candidate().unwrap();
    let kept = hit.primitive % 4 < 2;
    match hit.kind {
        HitKind::Triangle if kept => query.confirm(),
        HitKind::Box | HitKind::Generated if kept => query.generate(hit.t + 0.05),
        HitKind::Triangle | HitKind::Box | HitKind::Generated => {
            if hit.primitive % 20 == 3 {
                query.terminate();
            }
        }
    }
}

/// Walks the rays to their ends, alone or side by side, and returns all candidates of each, and its hit.
fn all(
    queries: &mut [RayQuery],
    top: &TopLevel,
    mut proceed: impl FnMut(&mut [&mut RayQuery]) -> u32,
) -> Vec<Vec<Option<Hit>>> {
    let mut found: Vec<Vec<_>> = queries.iter().map(|_| Vec::new()).collect();
    let mut left: Vec<usize> = (0..queries.len()).collect();
    while !left.is_empty() {
        let mut now: Vec<_> =
            queries.iter_mut().enumerate().filter(|(k, _)| left.contains(k)).map(|(_, q)| q).collect();
        let bits = proceed(&mut now);
        assert_eq!(u64::from(bits) >> left.len(), 0);
        left = (0..).zip(left).filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, k)| k).collect();
        for &k in &left {
            assert!(queries[k].candidate().is_some_and(|hit| hit.placed(top).is_some()));
            found[k].push(queries[k].candidate());
            decide(&mut queries[k]);
        }
    }
    for (found, query) in found.iter_mut().zip(queries) {
        assert!(query.has_ended());
        found.push(query.committed());
    }
    found
}

#[test]
fn rays_meet_side_by_side_what_they_meet_alone() {
    let mut random = Random::new(77);
    let (mut hits, mut candidates) = (0, 0);
    for instances in [0, 1, 1, 2, 3, 40] {
        let top = scene(&mut random, instances);
        for _ in 0..150 {
            let count = 1 + random.below(32);
            let start = |_| {
                let mut query = RayQuery::default();
                query.initialize(&ray(&mut random), flags(&mut random), 0xff);
                query
            };
            let rays: Vec<_> = (0..count).map(start).collect();
            for level in levels() {
                let alone = all(&mut rays.clone(), &top, |queries| {
                    let results = queries.iter_mut().map(|q| u32::from(q.proceed_with(&top, level)));
                    results.enumerate().fold(0, |bits, (k, result)| bits | result << k)
                });
                let together =
                    all(&mut rays.clone(), &top, |queries| RayQuery::proceed_all_with(queries, &top, level));
                assert_eq!(alone, together, "{instances} instances");
                hits += alone.iter().filter(|found| found.last().unwrap().is_some()).count();
                candidates += alone.iter().map(|found| found.len() - 1).sum::<usize>();
            }
        }
    }
    assert!(hits > 2000 && candidates > 2000, "{hits} hits, {candidates} candidates");
}
