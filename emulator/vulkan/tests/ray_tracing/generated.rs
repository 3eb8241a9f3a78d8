//! Device-generated commands that trace rays.

use ash::vk;

use super::calls::{
    EXECUTION_SET, PUSH_CONSTANT, SEQUENCE_INDEX, Sequences, TRACE_RAYS2, With, buffer, destroy, execute,
    layout, set,
};
use super::lab::{CELLS, Desc, GRID, HIT, MISS, Stage, Table, general, hits};
use super::{Flags, expected, grid, regions, tables, two_triangles};

/// Words of a VkTraceRaysIndirectCommand2KHR for 8 by 8 rays.
pub fn trace(of: &[Table; 3]) -> [u32; 26] {
    let [raygen, miss, hit, none] = regions(of);
    let mut numbers = vec![raygen.device_address, raygen.size];
    for region in [miss, hit, none] {
        numbers.extend([region.device_address, region.size, region.stride]);
    }
    let halves = numbers.iter().flat_map(|number| [*number as u32, (number >> 32) as u32]);
    let words: Vec<u32> = halves.chain([8, 8, 1, 0]).collect();
    words.try_into().unwrap()
}

/// Sequences bind pipelines and push constants, and trace; those with wrong contents do nothing. Spec: Vulkan,
/// VkIndirectCommandsTokenTypeEXT.
#[test]
fn sequences_trace_rays() {
    let (lab, structures) = two_triangles();
    let gpu = &lab.scene.gpu;
    let stages = Stage::RAYGEN_KHR | Stage::MISS_KHR | Stage::CLOSEST_HIT_KHR;
    let groups = [general(0), general(1), hits(Some(2), None)];
    let skipping =
        Desc { flags: Flags::RAY_TRACING_SKIP_TRIANGLES_KHR, ..Desc::new(&[GRID, MISS, HIT], &groups) };
    let pipelines = [lab.pipeline(&grid()), lab.pipeline(&skipping)];
    let all = pipelines.map(|pipeline| tables(&lab, &lab.handles(pipeline, 3)));
    let set = set(gpu, &[Some(pipelines[0]), Some(pipelines[1]), None]);
    let tokens = [
        (EXECUTION_SET, With::Nothing, 0),
        // The offset of hit group records.
        (PUSH_CONSTANT, With::Range(4, 4), 4),
        (TRACE_RAYS2, With::Nothing, 8),
    ];
    let (code, made) = layout(gpu, stages, 112, &tokens);
    assert_eq!(code, vk::Result::SUCCESS);
    let sequence = |pipeline: u32, offset: u32, words: [u32; 26]| -> Vec<u32> {
        [pipeline, offset].into_iter().chain(words).collect()
    };
    let (hit, skip) = (trace(&all[0]), trace(&all[1]));
    let wrong_stride = std::array::from_fn(|i| if i == 8 { 33 } else { hit[i] });
    let sequences = [
        sequence(0, 0, hit),
        sequence(1, 0, skip),
        sequence(2, 0, hit),
        sequence(0, 0, wrong_stride),
        // Past the end of the hit table, so that no shader runs.
        sequence(0, 1, hit),
    ]
    .concat();
    let (data, address) = buffer(gpu, &sequences);
    let of = |layout, most| Sequences { set, layout, address, most, count: 0, most_draws: 0 };
    let run = |of: Sequences| lab.run(pipelines[0], [0; 4], |cmd| execute(gpu, cmd, of));
    let (hits, misses) = (expected(0.0, 6.0), vec![[-1.0, -1.0, 5.0, 0.0]; CELLS]);
    assert_eq!(run(of(made, 1)), hits);
    for most in [2, 3, 4] {
        assert_eq!(run(of(made, most)), misses, "{most} sequences");
    }
    assert_eq!(run(of(made, 5)), vec![super::UNCHANGED; CELLS]);

    // Without pipelines in the sequences, the bound one traces. The index of a sequence can be a push constant.
    let tokens = [(SEQUENCE_INDEX, With::Range(4, 4), 4), (TRACE_RAYS2, With::Nothing, 8)];
    let (code, plain) = layout(gpu, stages, 112, &tokens);
    assert_eq!(code, vk::Result::SUCCESS);
    assert_eq!(run(Sequences { set: 0, ..of(plain, 1) }), hits);

    for layout in [made, plain] {
        destroy(gpu, c"vkDestroyIndirectCommandsLayoutEXT", layout);
    }
    destroy(gpu, c"vkDestroyIndirectExecutionSetEXT", set);
    data.destroy(gpu);
    lab.drop_tables(all.into_iter().flatten());
    pipelines.into_iter().for_each(|pipeline| lab.destroy(pipeline));
    lab.scene.destroy_all(structures);
    lab.end();
}
