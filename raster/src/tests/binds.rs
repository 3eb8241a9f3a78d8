//! Binding states for draws, and binding them again.

use super::harness::*;
use super::stages::{SIZE, scene};
use crate::format::Format;
use crate::pass::PassDesc;
use crate::state::Rect;
use crate::{Pass, Pool};

/// A triangle over the upper left corner of the picture that adds 1 to one colour component.
fn corner(component: usize) -> Scene {
    let mut s = scene();
    let mut attributes = [0.0; 4];
    attributes[component] = 1.0;
    for [x, y] in [[-1.0, -1.0], [-0.8, -1.0], [-1.0, -0.8]] {
        s.vertex([x, y, 0.5, 1.0], &attributes);
    }
    s
}

#[test]
fn states_are_bound_again_until_a_flush_drops_them() {
    const DRAWS: u32 = 20_000;
    let pool = Pool::new(2);
    let mut picture = Picture::new(Format::R32G32B32A32_SFLOAT, SIZE);
    let mut pass = begin(&pool, &mut picture, None);
    let scenes: [Scene; 3] = std::array::from_fn(corner);
    let prepared = scenes.each_ref().map(|s| s.prepare().unwrap());
    let (mut rng, mut known, mut anew, mut expected) = (Rng(5), [None; 3], 0, [0.0; 3]);
    for _ in 0..DRAWS {
        let i = rng.next() as usize % 3;
        if !known[i].is_some_and(|bind| pass.bind_again(bind, &[])) {
            known[i] = Some(prepared[i].bind(&scenes[i], &mut pass));
            anew += 1;
        }
        scenes[i].call(&mut pass).unwrap();
        expected[i] += 1.0;
    }
    pass.end().unwrap();
    assert!((4..30).contains(&anew), "{anew} binds: some states are dropped, most are kept");
    assert_eq!(picture.float(1, 1)[..3], expected);
}

#[test]
fn states_of_an_ended_pass_are_not_bound_again() {
    let pool = Pool::new(1);
    let begin = || Pass::begin(&pool, PassDesc { area: Rect::of_size(8, 8), ..PassDesc::default() }).unwrap();
    let mut s = corner(0);
    (s.desc.color_formats, s.desc.blend) = (Vec::new(), Vec::new());
    let mut pass = begin();
    let bind = s.prepare().unwrap().bind(&s, &mut pass);
    pass.end().unwrap();
    assert!(!begin().bind_again(bind, &[]), "the memory of the first pass serves the second");
}

#[test]
fn a_state_with_another_number_of_samples_drops_those_before() {
    let pool = Pool::new(1);
    let mut pass = Pass::begin(&pool, PassDesc { area: Rect::of_size(8, 8), ..PassDesc::default() }).unwrap();
    let [one, four] = [1, 4].map(|samples| {
        let mut s = corner(0);
        (s.desc.color_formats, s.desc.blend) = (Vec::new(), Vec::new());
        s.desc.samples = samples;
        s
    });
    let first = one.prepare().unwrap().bind(&one, &mut pass);
    assert!(pass.bind_again(first, &[]));
    four.prepare().unwrap().bind(&four, &mut pass);
    assert!(!pass.bind_again(first, &[]), "the first state is for single-sampled pixels");
}
