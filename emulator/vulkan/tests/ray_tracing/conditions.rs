//! Traces under conditional rendering. Spec: Vulkan, "Conditional Rendering", whose list of commands has generated
//! commands, but no command that traces rays.

use ash::vk;

use super::calls::{Sequences, TRACE_RAYS2, With, buffer, destroy, execute, layout};
use super::generated::trace;
use super::lab::{CELLS, Stage};
use super::{EIGHT, expected, grid, regions, tables, two_triangles};

/// A condition that is false skips generated traces, and no other traces.
#[test]
fn conditions_skip_generated_traces_only() {
    let (lab, structures) = two_triangles();
    let gpu = &lab.scene.gpu;
    let pipeline = lab.pipeline(&grid());
    let tables = tables(&lab, &lab.handles(pipeline, 3));
    let [raygen, miss, hit, none] = regions(&tables);
    let words = trace(&tables);
    let (memory, address) = buffer(gpu, &words);
    // The size is behind the tables.
    let size = address + 88;
    let stages = Stage::RAYGEN_KHR | Stage::MISS_KHR | Stage::CLOSEST_HIT_KHR;
    let (code, made) = layout(gpu, stages, 104, &[(TRACE_RAYS2, With::Nothing, 0)]);
    assert_eq!(code, vk::Result::SUCCESS);
    let sequences = Sequences { set: 0, layout: made, address, most: 1, count: 0, most_draws: 0 };
    let condition = gpu.buffer(4, vk::BufferUsageFlags::CONDITIONAL_RENDERING_EXT);
    let conditional = ash::ext::conditional_rendering::Device::new(&gpu.instance, &gpu.device);
    let info = vk::ConditionalRenderingBeginInfoEXT::default().buffer(condition.buffer);
    // The number of the command, and whether it is conditional.
    for (command, skips) in [(0, false), (1, false), (2, false), (3, true)] {
        for is_true in [false, true] {
            condition.write(&[u32::from(is_true)]);
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects of the commands are live.
            let cells = lab.run(pipeline, [0; 4], |cmd| unsafe {
                (conditional.fp().cmd_begin_conditional_rendering_ext)(cmd, &info);
                match command {
                    0 => lab.rt.cmd_trace_rays(cmd, raygen, miss, hit, none, EIGHT[0], EIGHT[1], EIGHT[2]),
                    1 => lab.rt.cmd_trace_rays_indirect(cmd, raygen, miss, hit, none, size),
                    2 => lab.indirect2.cmd_trace_rays_indirect2(cmd, address),
                    _ => execute(gpu, cmd, sequences),
                }
                (conditional.fp().cmd_end_conditional_rendering_ext)(cmd);
            });
            let want = if skips && !is_true { vec![[0.0; 4]; CELLS] } else { expected(0.0, 6.0) };
            assert_eq!(cells, want, "command {command}, condition {is_true}");
        }
    }
    destroy(gpu, c"vkDestroyIndirectCommandsLayoutEXT", made);
    condition.destroy(gpu);
    memory.destroy(gpu);
    lab.drop_tables(tables);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}
