//! Draws with task and mesh stages, and reads the pixels.
//!
//! The shaders are in `shaders/`, each after the GLSL source that it was compiled from.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::bench::{Bench, CLEAR, Draw, When, check};
use ash::vk;

/// Returns a stage of a pipeline, by the name of its file.
macro_rules! shader {
    ($stage:ident, $name:literal) => {
        (vk::ShaderStageFlags::$stage, include_str!(concat!("shaders/", $name, ".spvasm")))
    };
}

/// Each workgroup draws a column of two pixels; the second draw of a command starts at the fifth column, in another
/// colour.
fn columns() -> Draw<'static> {
    const SHADERS: &[(vk::ShaderStageFlags, &str)] =
        &[shader!(MESH_EXT, "columns.mesh"), shader!(FRAGMENT, "mesh.frag")];
    Draw { shaders: SHADERS, vertices: 0, ..Draw::default() }
}

/// Each task workgroup draws a row of squares of four pixels, with one square more than the row above.
fn stairs() -> Draw<'static> {
    const SHADERS: &[(vk::ShaderStageFlags, &str)] =
        &[shader!(TASK_EXT, "stairs.task"), shader!(MESH_EXT, "stairs.mesh"), shader!(FRAGMENT, "mesh.frag")];
    Draw { shaders: SHADERS, vertices: 0, ..Draw::default() }
}

/// Pixels of [`columns`] with these workgroup counts of the first and the second draw.
fn column(x: u32, counts: [u32; 2]) -> [u8; 4] {
    match x / 2 {
        c if c < 4 && c < counts[0] => [255, 0, 0, 255],
        c if c >= 4 && c - 4 < counts[1] => [255, 0, 255, 255],
        _ => CLEAR,
    }
}

/// Pixels of [`stairs`] with `rows` task workgroups.
fn stair(x: u32, y: u32, rows: u32) -> [u8; 4] {
    let (column, row) = (x / 4, y / 4);
    if row < rows && column <= row { [row as u8 * 85, column as u8 * 85, 255, 255] } else { CLEAR }
}

/// Returns the pixels after commands are recorded inside the render pass.
fn drawn(bench: &Bench, draw: &Draw<'_>, record: impl Fn(vk::CommandBuffer)) -> Vec<[u8; 4]> {
    bench.draw_with(draw, |cmd, when| {
        if when == When::Begin {
            record(cmd);
        }
    })
}

#[test]
fn workgroups_draw() {
    let bench = Bench::new();
    for groups in [0, 1, 3, 4] {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        let record = |cmd| unsafe { bench.meshes.cmd_draw_mesh_tasks(cmd, groups, 1, 1) };
        check(&drawn(&bench, &columns(), record), |x, _| column(x, [groups, 0]));
        check(&drawn(&bench, &stairs(), record), |x, y| stair(x, y, groups));
    }
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
    let record = |cmd| unsafe { bench.meshes.cmd_draw_mesh_tasks(cmd, 4, 1, 1) };
    check(&drawn(&bench, &Draw { linked: true, ..columns() }, record), |x, _| column(x, [4, 0]));
    check(&drawn(&bench, &Draw { linked: true, ..stairs() }, record), |x, y| stair(x, y, 4));
}

/// Spec: Vulkan, vkCmdDrawMeshTasksIndirectEXT and vkCmdDrawMeshTasksIndirectCountEXT.
#[test]
fn workgroups_are_counted_in_buffers() {
    let bench = Bench::new();
    let usage = vk::BufferUsageFlags::INDIRECT_BUFFER;
    // Two draws of four words each, from the second word on, followed by draw counts.
    let words = [9, 2, 1, 1, 9, 3, 1, 1, 9, 1u32];
    let buffer = bench.gpu.buffer(size_of_val(&words) as u64, usage);
    buffer.write(&words);
    let (source, d) = (buffer.buffer, &bench.meshes);
    for n in [0, 1, 2] {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        let record = |cmd| unsafe { d.cmd_draw_mesh_tasks_indirect(cmd, source, 4, n, 16) };
        let counts = [if n > 0 { 2 } else { 0 }, if n > 1 { 3 } else { 0 }];
        check(&drawn(&bench, &columns(), record), |x, _| column(x, counts));
    }
    // The smaller of both counts applies.
    for (at, most, counts) in [(36, 2, [2, 0]), (4, 1, [2, 0]), (4, 2, [2, 3]), (32, 2, [2, 3])] {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        let record =
            |cmd| unsafe { d.cmd_draw_mesh_tasks_indirect_count(cmd, source, 4, source, at, most, 16) };
        check(&drawn(&bench, &columns(), record), |x, _| column(x, counts));
    }
    buffer.destroy(&bench.gpu);
}

/// Spec: Vulkan, VkQueryPipelineStatisticFlagBits and "Mesh Shader Queries".
#[test]
fn queries_count_tasks_and_meshes() {
    use vk::QueryPipelineStatisticFlags as S;
    let bench = Bench::new();
    let d = &bench.gpu.device;
    let statistics = vk::QueryPoolCreateInfo::default()
        .query_type(vk::QueryType::PIPELINE_STATISTICS)
        .query_count(1)
        .pipeline_statistics(
            S::TASK_SHADER_INVOCATIONS_EXT | S::MESH_SHADER_INVOCATIONS_EXT | S::CLIPPING_INVOCATIONS,
        );
    let primitives = vk::QueryPoolCreateInfo::default()
        .query_type(vk::QueryType::MESH_PRIMITIVES_GENERATED_EXT)
        .query_count(1);
    // Four task workgroups launch 1, 2, 3 and 4 mesh workgroups; all have four invocations, and a mesh workgroup
    // outputs two triangles.
    for (info, expected) in [(statistics, [20, 16, 40]), (primitives, [20, 0, 0])] {
        let mut values = [[0u64; 3]];
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let pool = d.create_query_pool(&info, None).unwrap();
            bench.draw_with(&stairs(), |cmd, when| match when {
                When::Before => {
                    d.cmd_reset_query_pool(cmd, pool, 0, 1);
                    d.cmd_begin_query(cmd, pool, 0, vk::QueryControlFlags::empty());
                }
                When::Begin => bench.meshes.cmd_draw_mesh_tasks(cmd, 4, 1, 1),
                When::After => d.cmd_end_query(cmd, pool, 0),
                When::End => {}
            });
            let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
            d.get_query_pool_results(pool, 0, &mut values, flags).unwrap();
            d.destroy_query_pool(pool, None);
        }
        assert_eq!(values[0], expected);
    }
}
