//! Updates, bytes, sizes, and the same trees for any number of threads; damaged bytes and states.

mod support;

use std::sync::Arc;

use quadrille_rays::*;
use support::*;

fn triangles(positions: Vec<Point>) -> Data {
    Data::Triangles { positions, indices: None, transform: None, opaque: false }
}

fn boxes(random: &mut Random, count: usize) -> Data {
    let boxes = (0..count).map(|_| {
        let (a, b) = (random.point(1.0), random.point(0.1));
        Aabb { min: a, max: add(a, b.map(f32::abs)) }
    });
    Data::Boxes { boxes: boxes.collect(), opaque: false }
}

fn top(bottoms: &[Arc<BottomLevel>], options: BuildOptions, random: &mut Random) -> TopLevel {
    let instances = bottoms.iter().flat_map(|b| [b; 3]).map(|bottom| {
        let mut transform = IDENTITY;
        transform.iter_mut().flatten().for_each(|x| *x += random.signed() * 0.4);
        Instance { transform, custom_index: random.bits(), ..Instance::new(bottom.clone()) }
    });
    TopLevel::build(&instances.collect::<Vec<_>>(), options).unwrap()
}

fn sorted(top: &TopLevel, ray: &Ray) -> Vec<(u32, u32, u32, u32)> {
    let mut found = candidates(top, ray, RayFlags::NONE, Level::best());
    found.sort_unstable();
    found
}

const UPDATABLE: [Quality; 3] = [Quality::FastBuild, Quality::Balanced, Quality::FastTrace];

#[test]
fn updates_give_the_hits_of_a_build() {
    let mut random = Random::new(21);
    let mut hits = 0;
    for quality in UPDATABLE {
        let options = BuildOptions { quality, allow_update: true };
        let mut before = [triangles(soup(&mut random, 700, 0.2)), triangles(soup(&mut random, 30, 0.4))];
        // A triangle is a point, and one is infinite, until the update.
        let Data::Triangles { positions, .. } = &mut before[0] else { unreachable!() };
        let after = positions.iter().map(|p| add(*p, random.point(0.3))).collect();
        positions.copy_within(0..1, 1);
        positions.copy_within(0..1, 2);
        positions[3][1] = f32::INFINITY;
        let after = [triangles(after), before[1].clone()];
        let box_lists = [boxes(&mut random, 300), boxes(&mut random, 300)];
        for [from, to] in [[&before[..], &after], [&box_lists[..1], &box_lists[1..]]] {
            let geometries: Vec<_> = to.iter().map(Data::geometry).collect();
            let updated = Arc::new(bottom(from, options).update(&geometries).unwrap());
            let fresh = Arc::new(bottom(to, options));
            assert_eq!(updated.bounds(), fresh.bounds());
            let both = [updated, fresh].map(|b| TopLevel::build(&[Instance::new(b)], options).unwrap());
            for _ in 0..300 {
                let ray = ray(&mut random);
                let found = sorted(&both[0], &ray);
                assert_eq!(found, sorted(&both[1], &ray));
                hits += found.len();
            }
        }
    }
    assert!(hits > 1000, "{hits} hits");
}

#[test]
fn updates_of_instances_give_the_hits_of_a_build() {
    let mut random = Random::new(22);
    let mut hits = 0;
    for quality in UPDATABLE {
        let options = BuildOptions { quality, allow_update: true };
        let shared = Arc::new(bottom(&[triangles(soup(&mut random, 100, 0.3))], options));
        let empty = Arc::new(BottomLevel::build(&[], options).unwrap());
        let mut instances = Vec::new();
        for i in 0..40 {
            let mut transform = IDENTITY;
            transform.iter_mut().for_each(|row| row[3] = random.signed());
            // Some are empty, flat or inactive.
            let bottom = if i % 5 == 1 { empty.clone() } else { shared.clone() };
            if i % 5 == 2 {
                transform[1] = [0.0; 4];
            }
            let bottom = (i % 5 != 3).then_some(bottom);
            instances.push(Instance { transform, bottom, ..Instance::new(shared.clone()) });
        }
        let before = TopLevel::build(&instances, options).unwrap();
        for (i, instance) in instances.iter_mut().enumerate() {
            instance.transform = IDENTITY;
            instance.transform.iter_mut().for_each(|row| row[3] = random.signed());
            instance.mask = if i % 7 == 0 { 0 } else { 1 };
            if instance.bottom.is_some() {
                instance.bottom = Some(shared.clone());
            }
        }
        let updated = before.update(&instances).unwrap();
        let fresh = TopLevel::build(&instances, options).unwrap();
        for _ in 0..300 {
            let ray = ray(&mut random);
            let found = sorted(&updated, &ray);
            assert_eq!(found, sorted(&fresh, &ray));
            hits += found.len();
        }
    }
    assert!(hits > 1000, "{hits} hits");
}

#[test]
fn updates_must_not_change_more_than_positions() {
    let mut random = Random::new(23);
    let options = BuildOptions { allow_update: true, ..BuildOptions::default() };
    let old = triangles(soup(&mut random, 8, 0.2));
    let structure = bottom(std::slice::from_ref(&old), options);
    let changed = |data: Data| structure.update(&[data.geometry()]).unwrap_err();
    assert!(matches!(changed(triangles(soup(&mut random, 9, 0.2))), BuildError::Changed(_)));
    assert!(matches!(changed(boxes(&mut random, 8)), BuildError::Changed(_)));
    let opaque = Geometry { opaque: true, ..old.geometry() };
    assert!(matches!(structure.update(&[opaque]).unwrap_err(), BuildError::Changed(_)));
    assert!(matches!(structure.update(&[]).unwrap_err(), BuildError::Changed(_)));
    let fixed = bottom(std::slice::from_ref(&old), BuildOptions::default());
    assert_eq!(fixed.update(&[old.geometry()]).unwrap_err(), BuildError::NotUpdatable);
    let other = boxes(&mut random, 8);
    let mixed = BottomLevel::build(&[old.geometry(), other.geometry()], options);
    assert_eq!(mixed.unwrap_err(), BuildError::MixedGeometries);
    let top = TopLevel::build(&[Instance::new(Arc::new(structure))], BuildOptions::default()).unwrap();
    assert_eq!(top.update(&[]).unwrap_err(), BuildError::NotUpdatable);
}

#[test]
fn trees_do_not_depend_on_threads() {
    let mut random = Random::new(24);
    // More than one chunk of every parallel loop.
    let mut soup_of_all = soup(&mut random, 150_000, 0.02);
    // Inactive ones, here and there, and half of the others in one place: their codes are equal.
    (0..150_000).filter(|i| i % 7 == 3).for_each(|i| soup_of_all[3 * i][0] = f32::NAN);
    soup_of_all[225_000..].iter_mut().flatten().for_each(|x| *x *= 1e-4);
    let data = [triangles(soup_of_all), triangles(soup(&mut random, 10, 0.9))];
    let box_data = boxes(&mut random, 40_000);
    let instances: Vec<_> = {
        let shared = Arc::new(bottom(&[triangles(soup(&mut random, 4, 0.3))], BuildOptions::default()));
        let place = |_| {
            let mut transform = IDENTITY;
            transform.iter_mut().for_each(|row| row[3] = random.signed() * 20.0);
            Instance { transform, ..Instance::new(shared.clone()) }
        };
        (0..40_000).map(place).collect()
    };
    for options in all_options() {
        let bytes = |threads: usize| {
            Threads::start(threads).unwrap().run(|| {
                [
                    bottom(&data, options).to_bytes(),
                    bottom(std::slice::from_ref(&box_data), options).to_bytes(),
                    TopLevel::build(&instances, options).unwrap().to_bytes(),
                ]
            })
        };
        let one = bytes(1);
        assert!(one == bytes(5), "{options:?}");
        assert!(one == bytes(2), "{options:?}");
    }
}

#[test]
fn bottom_levels_can_be_replaced() {
    let mut random = Random::new(29);
    for options in all_options() {
        let [one, two] = [(); 2].map(|()| triangles(soup(&mut random, 100, 0.2)));
        let [one, two] = [one, two].map(|data| Arc::new(bottom(&[data], options)));
        let before = top(std::slice::from_ref(&one), options, &mut random);
        let there = before.with_bottoms(|_| Some(two.clone()));
        let back = there.with_bottoms(|_| Some(one.clone()));
        let none = there.with_bottoms(|_| None);
        let kinds = there.with_bottoms(|i| Some(if i % 2 == 0 { &one } else { &two }.clone()));
        for _ in 0..100 {
            let ray = ray(&mut random);
            assert_eq!(sorted(&before, &ray), sorted(&back, &ray));
            assert!(sorted(&none, &ray).is_empty());
            sorted(&kinds, &ray);
        }
    }
}

#[test]
fn bytes_give_the_structure_back() {
    let mut random = Random::new(25);
    for options in all_options() {
        for data in [triangles(soup(&mut random, 200, 0.2)), boxes(&mut random, 90)] {
            let original = Arc::new(bottom(&[data], options));
            let bytes = original.to_bytes();
            assert_eq!(bytes.len() as u64, original.bytes_len());
            let copy = Arc::new(BottomLevel::from_bytes(&bytes).unwrap());
            assert_eq!(
                (copy.kind(), copy.options(), copy.bounds()),
                (original.kind(), options, original.bounds())
            );
            assert_eq!((copy.to_bytes(), copy.size()), (bytes, original.size()));
            let first = top(std::slice::from_ref(&original), options, &mut random);
            let bytes = first.to_bytes();
            assert_eq!(bytes.len() as u64, first.bytes_len());
            let count = first.instances().len();
            assert_eq!(first.bottoms().len(), count);
            let second = TopLevel::from_bytes(&bytes, &vec![Some(copy); count]).unwrap();
            assert_eq!(second.to_bytes(), bytes);
            for _ in 0..100 {
                let ray = ray(&mut random);
                assert_eq!(sorted(&first, &ray), sorted(&second, &ray));
            }
            // An object that is missing is inactive; one that does not exist is an error.
            let without = TopLevel::from_bytes(&bytes, &vec![None; count]).unwrap();
            assert!(sorted(&without, &ray(&mut random)).is_empty());
            assert!(matches!(TopLevel::from_bytes(&bytes, &[]), Err(BytesError::Damaged(_))));
        }
    }
}

#[test]
fn damaged_bytes_are_refused_or_safe() {
    let mut random = Random::new(26);
    let options = BuildOptions { allow_update: true, ..BuildOptions::default() };
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..3000 {
        let data =
            if round % 2 == 0 { triangles(soup(&mut random, 40, 0.2)) } else { boxes(&mut random, 40) };
        let shared = Arc::new(bottom(std::slice::from_ref(&data), options));
        let of_top = round % 3 == 0;
        let first = top(std::slice::from_ref(&shared), options, &mut random);
        let mut bytes = if of_top { first.to_bytes() } else { shared.to_bytes() };
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len() as u32 / 4) as usize * 4;
            let at = if random.chance(3) { at % 64 } else { at };
            let word =
                [random.below(50), random.bits(), u32::MAX, 1 << 31, 0x7fc0_0000][random.below(5) as usize];
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        if random.chance(10) {
            bytes.truncate(random.below(bytes.len() as u32) as usize);
        }
        let damaged = if of_top {
            TopLevel::from_bytes(&bytes, &first.bottoms()).ok()
        } else {
            BottomLevel::from_bytes(&bytes).ok().map(|bottom| {
                // Updates of it are safe too.
                let _ = bottom.update(&[data.geometry()]);
                TopLevel::build(&[Instance::new(Arc::new(bottom))], options).unwrap()
            })
        };
        let Some(top) = damaged else {
            refused += 1;
            continue;
        };
        accepted += 1;
        for _ in 0..10 {
            let ray = ray(&mut random);
            let found = candidates(&top, &ray, RayFlags::NONE, Level::best());
            assert_eq!(found, candidates(&top, &ray, RayFlags::NONE, Level::PLAIN));
        }
    }
    assert!(refused > 200 && accepted > 200, "{refused} refused, {accepted} accepted");
}

#[test]
fn loops_and_shared_nodes_are_refused() {
    let mut random = Random::new(27);
    let structure = bottom(&[triangles(soup(&mut random, 300, 0.2))], BuildOptions::default());
    let bytes = structure.to_bytes();
    // A header of 32 bytes, one geometry of 16 bytes, nodes of 256 bytes with children from byte 192.
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let nodes = (bytes.len() as u32).min(word(20)) as usize;
    let place = |node: usize, slot: usize| 48 + 256 * node + 192 + 4 * slot;
    let inner = (0..8).find(|&slot| word(place(0, slot)) >> 31 == 0).unwrap();
    let last = (nodes - 1) as u32;
    for child in [0, word(place(0, (inner + 1) % 8)), last + 1, last, 1 << 31 | 0x7fff_fffe] {
        let mut damaged = bytes.clone();
        damaged[place(0, inner)..][..4].copy_from_slice(&child.to_le_bytes());
        assert!(matches!(BottomLevel::from_bytes(&damaged), Err(BytesError::Damaged(_))), "{child}");
    }
}

#[test]
fn damaged_states_end() {
    let mut random = Random::new(28);
    let options = BuildOptions::default();
    let data = [triangles(soup(&mut random, 500, 0.2)), boxes(&mut random, 200)];
    let bottoms = data.map(|d| Arc::new(bottom(&[d], options)));
    let tops = [&bottoms[..], &bottoms[..1], &bottoms[1..], &[]].map(|b| top(b, options, &mut random));
    let words = size_of::<RayQuery>() as u32 / 4;
    assert!(words <= 280, "{words} words");
    let mut found = 0;
    for round in 0..12_000 {
        let mut query = RayQuery::default();
        query.initialize(&ray(&mut random), RayFlags(random.below(1 << 11)), random.bits());
        for _ in 0..random.below(4) {
            query.proceed(&tops[random.below(4) as usize]);
        }
        let state: &mut [u32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut query));
        let count = if round % 2 == 0 { 1 + random.below(4) } else { words };
        for _ in 0..count {
            let word = [random.below(8), random.bits(), u32::MAX, random.below(3000), 0xffff_fff8];
            // Mostly the position in the trees; rarely the ray, of which almost all hit nothing.
            let (first, end) = if random.chance(2) { (11, words) } else { (29, 60) };
            let first = if random.chance(40) { 0 } else { first };
            state[(first + random.below(end - first)) as usize] = word[random.below(5) as usize];
        }
        if round % 4 == 1 {
            // The phase in which the ray walks: some proceed in that state.
            let phase = state.iter().position(|&w| w == 2).unwrap_or(10);
            state[phase] = 2;
        }
        for level in levels() {
            let mut query = query;
            for call in 0..50 {
                let top = &tops[if round % 3 == 0 { call % 4 } else { 0 }];
                let [mut one, mut other] = [query; 2];
                let side_by_side = RayQuery::proceed_all_with(&mut [&mut one, &mut other], top, level);
                let proceeds = query.proceed_with(top, level);
                assert_eq!(side_by_side, if proceeds { 3 } else { 0 });
                for twin in [one, other] {
                    let hits = |q: &RayQuery| format!("{:?} {:?}", q.candidate(), q.committed());
                    assert_eq!(hits(&twin), hits(&query));
                }
                if !proceeds {
                    break;
                }
                found += 1;
                if let Some(hit) = query.candidate() {
                    let _ = (hit.vertices(top), hit.object_to_world(top), query.object_origin(&hit, top));
                }
                if call % 3 == 2 {
                    query.confirm();
                    query.generate(random.signed());
                }
                if let Some(hit) = query.committed() {
                    let _ = (hit.vertices(top), hit.world_to_object(top), query.object_direction(&hit, top));
                }
            }
        }
    }
    assert!(found > 800, "{found} candidates");
}

#[test]
fn sizes_are_near_their_estimates() {
    let mut random = Random::new(29);
    for options in all_options() {
        for count in [1, 10, 1000, 30_000] {
            let structure = bottom(&[triangles(soup(&mut random, count, 0.02))], options);
            let (size, estimate) = (structure.size(), estimate_bottom(Kind::Triangles, 1, count as u64));
            assert!(size <= estimate && estimate < 4 * size + 2000, "{count}: {size} of {estimate}");
            let structure = bottom(&[boxes(&mut random, count)], options);
            let (size, estimate) = (structure.size(), estimate_bottom(Kind::Boxes, 1, count as u64));
            assert!(size <= estimate && estimate < 4 * size + 2000, "{count}: {size} of {estimate}");
            let instances = vec![Instance::new(Arc::new(structure)); count.min(1000)];
            let structure = TopLevel::build(&instances, options).unwrap();
            let (size, estimate) = (structure.size(), estimate_top(instances.len() as u64));
            assert!(size <= estimate && estimate < 4 * size + 2000, "{count}: {size} of {estimate}");
        }
    }
}

/// A micromap that several geometries have counts once.
#[test]
fn shared_micromaps_count_once() {
    let [one, other] = [1000, 50].map(|bytes| Arc::new(Micromap::new(Vec::new(), vec![0; bytes])));
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let geometries = [Some(&one), Some(&other), None, Some(&one)].map(|micromap| Geometry {
        primitives: Primitives::Triangles(Triangles {
            positions: &positions,
            indices: None,
            transform: None,
        }),
        opaque: true,
        no_duplicates: false,
        opacity: Some(Opacity { micromap, indices: &[] }),
    });
    let level = BottomLevel::build(&geometries, BuildOptions::default()).unwrap();
    assert_eq!(level.micromap_size(), one.size() + other.size());
}
