//! Dynamic state: a value that commands set between two draws has the effect of the same value in a pipeline.
//!
//! The states are in `dynamic/cases.rs`, their draws in `dynamic/scene.rs`. The shaders are in `shaders/`, each after
//! the GLSL source that it was compiled from.

#[path = "dynamic/cases.rs"]
mod cases;
mod common;
#[path = "dynamic/scene.rs"]
mod scene;

use ash::vk;
use cases::{Values, cases};
use scene::{BLENDING, By, SIZE, Scene};
use vk::DynamicState as S;

/// Combines the left half of one image and the right half of another.
fn halves(left: &[[u8; 4]], right: &[[u8; 4]]) -> Vec<[u8; 4]> {
    let half = |i: usize| if i % SIZE as usize >= 8 { right } else { left };
    (0..left.len()).map(|i| half(i)[i]).collect()
}

fn states_between_draws(by: By) {
    let scene = Scene::new();
    for case in cases() {
        let mut begin = Values::new();
        (case.begin)(&mut begin);
        let mut changed = begin;
        (case.change)(&mut changed);
        // Commands set masks and references of both faces.
        let (front, back) = (changed.depth.front, &mut changed.depth.back);
        if case.state != S::STENCIL_OP_EXT {
            back.compare_mask = front.compare_mask;
            (back.write_mask, back.reference) = (front.write_mask, front.reference);
        }
        let fixed = [begin, changed].map(|v| {
            let nothing = |_: vk::CommandBuffer| ();
            scene.draw(by, scene.pipeline(by, &v, None), [&nothing, &nothing])
        });
        for half in [0, 8] {
            let seen = |i: &usize| i % SIZE as usize / 8 * 8 == half;
            let differs = (0..fixed[0].len()).filter(seen).any(|i| fixed[0][i] != fixed[1][i]);
            assert!(differs, "{:?} changes nothing at {half}", case.state);
        }
        // The values in the pipeline are ignored.
        for said in [begin, changed] {
            for order in [[0, 1], [1, 0]] {
                let values = order.map(|i| [begin, changed][i]);
                let set = values.map(|v| {
                    let commands = &scene.commands;
                    move |cmd: vk::CommandBuffer| (case.set)(commands, cmd, &v)
                });
                let pipeline = scene.pipeline(by, &said, Some(case.state));
                let drawn = scene.draw(by, pipeline, [&set[0], &set[1]]);
                let expected = halves(&fixed[order[0]], &fixed[order[1]]);
                assert_eq!(drawn, expected, "{:?}, in the order {order:?}", case.state);
            }
        }
    }
}

#[test]
fn states_between_draws_of_vertices() {
    states_between_draws(By::Vertices);
}

#[test]
fn states_between_draws_of_meshes() {
    states_between_draws(By::Meshes);
}

/// The array of attachments is not read if all of its state is dynamic. Spec: Vulkan,
/// VkPipelineColorBlendStateCreateInfo.
#[test]
fn attachments_with_dynamic_blending_are_not_read() {
    let scene = Scene::new();
    let mut values = Values::new();
    values.blend.blend_enable = vk::TRUE;
    values.blend.color_blend_op = vk::BlendOp::REVERSE_SUBTRACT;
    values.blend.color_write_mask = vk::ColorComponentFlags::G;
    let nothing = |_: vk::CommandBuffer| ();
    let set = |cmd: vk::CommandBuffer| {
        for case in cases() {
            if BLENDING.contains(&case.state) {
                (case.set)(&scene.commands, cmd, &values);
            }
        }
    };
    let fixed = scene.draw(By::Vertices, scene.pipeline(By::Vertices, &values, None), [&nothing; 2]);
    let plain = scene.pipeline(By::Vertices, &Values::new(), BLENDING);
    assert_eq!(scene.draw(By::Vertices, plain, [&set; 2]), fixed);
}

/// A mesh stage that outputs the same vertices draws the same image.
#[test]
fn meshes_draw_as_vertices_do() {
    let scene = Scene::new();
    for case in cases() {
        let mut values = Values::new();
        (case.begin)(&mut values);
        (case.change)(&mut values);
        let nothing = |_: vk::CommandBuffer| ();
        let [vertices, meshes] = [By::Vertices, By::Meshes]
            .map(|by| scene.draw(by, scene.pipeline(by, &values, None), [&nothing, &nothing]));
        assert_eq!(vertices, meshes, "{:?}", case.state);
    }
}

/// Depth beyond 1 is clamped to 1, except in float formats on devices with an unrestricted range. Spec: Vulkan, "Depth
/// Clamping and Range Adjustment".
#[test]
fn depth_is_clamped_to_zero_and_one() {
    for (more, clamps) in [(&[][..], true), (&[c"VK_EXT_depth_range_unrestricted"][..], false)] {
        let mut scene = Scene::with(true, more);
        scene.clear = 1.0;
        let mut values = Values::new();
        (values.depth_clip, values.depth.depth_compare_op) = (Some(false), vk::CompareOp::EQUAL);
        let nothing = |_: vk::CommandBuffer| ();
        let drawn = scene.draw(By::Vertices, scene.pipeline(By::Vertices, &values, None), [&nothing; 2]);
        assert_eq!(drawn.iter().any(|p| *p != drawn[0]), clamps, "{more:?}");
    }
}
