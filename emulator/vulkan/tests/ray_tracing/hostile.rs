//! Tables full of garbage, and pipelines that the driver refuses.

use ash::vk;

use super::lab::{CELLS, Desc, GRID, HIT, MISS, RAYS, Record, STRIDE, Stage, general, hits};
use super::{EIGHT, Lab, NONE, Region, UNCHANGED, expected, grid, regions, tables, two_triangles};

/// Random bytes, handles of another pipeline, groups of the wrong kind, regions of freed memory and of none: nothing runs
/// that the bound pipeline does not have.
#[test]
fn garbage_in_tables_runs_no_shader() {
    let (lab, structures) = two_triangles();
    let [pipeline, other] = [grid(), grid()].map(|desc| lab.pipeline(&desc));
    let (handles, others) = (lab.handles(pipeline, 3), lab.handles(other, 3));
    let good = tables(&lab, &handles);
    let with = |at: usize, table: &Region| {
        let mut all = regions(&good);
        all[at] = table;
        lab.trace(pipeline, [0; 4], all, EIGHT)
    };
    let nothing = |at: usize| if at == 0 { vec![[0.0; 4]; CELLS] } else { vec![UNCHANGED; CELLS] };
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    for at in [0, 2] {
        let mut wrong: Vec<Record> = (0..20).map(|_| (std::array::from_fn(|_| random()), 0)).collect();
        wrong.push((others[at], 0));
        // Of another kind, and with one bit changed.
        wrong.push((handles[1], 0));
        for bit in [0, 9, 31, 40, 70, 130, 255] {
            let mut forged = handles[at];
            forged[bit / 8] ^= 1 << (bit % 8);
            wrong.push((forged, 0));
        }
        for record in wrong {
            let table = lab.table(&[record]);
            assert_eq!(with(at, &table.region), nothing(at), "table {at}: {record:?}");
            lab.drop_tables([table]);
        }
        // Freed memory, and addresses of nothing.
        let freed = lab.table(&[(handles[at], 0)]);
        let region = freed.region;
        lab.drop_tables([freed]);
        assert_eq!(with(at, &region), nothing(at), "table {at}");
        for address in [0, 64, 1 << 40, u64::MAX - 63] {
            let stray = Region { device_address: address, ..good[at].region };
            assert_eq!(with(at, &stray), nothing(at), "table {at}: {address:#x}");
        }
        // A region that ends within the handle.
        let (stride, size) = if at == 0 { (31, 31) } else { (STRIDE, 31) };
        assert_eq!(with(at, &Region { stride, size, ..good[at].region }), nothing(at));
    }
    // A region far larger than its memory.
    let endless = Region { size: u64::MAX, ..good[2].region };
    assert_eq!(with(2, &endless), expected(0.0, 6.0));
    assert_eq!(
        lab.trace(pipeline, [0, 0xff_ffff, 0, 0], [&good[0].region, &NONE, &endless, &NONE], EIGHT),
        nothing(2)
    );
    lab.drop_tables(good);
    lab.destroy(other);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Misaligned tables and strides are errors of recording. Spec: Vulkan, valid usage of vkCmdTraceRaysKHR.
#[test]
fn misaligned_tables_are_refused() {
    let (lab, structures) = two_triangles();
    let pipeline = lab.pipeline(&grid());
    let good = tables(&lab, &lab.handles(pipeline, 3));
    let region = good[2].region;
    for wrong in [
        Region { device_address: region.device_address + 32, ..region },
        Region { stride: 40, ..region },
        Region { stride: 1 << 13, ..region },
    ] {
        let d = &lab.scene.gpu.device;
        // SAFETY: valid usage of Vulkan, except for the region, which the driver refuses.
        let ran = lab.scene.gpu.try_run(|cmd| unsafe {
            d.cmd_bind_pipeline(cmd, RAYS, pipeline);
            d.cmd_bind_descriptor_sets(cmd, RAYS, lab.layout, 0, &[lab.set], &[]);
            lab.rt.cmd_trace_rays(cmd, &good[0].region, &good[1].region, &wrong, &NONE, 8, 8, 1);
        });
        assert!(ran.is_err(), "{wrong:?}");
    }
    // The size of the ray generation record needs no alignment.
    let odd = Region { stride: 36, size: 36, ..good[0].region };
    let all = [&odd, &good[1].region, &good[2].region, &NONE];
    assert_eq!(lab.trace(pipeline, [0; 4], all, EIGHT), expected(0.0, 6.0));
    lab.drop_tables(good);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Wrong stages and groups are refused when the pipeline is created.
#[test]
fn wrong_groups_are_refused() {
    let lab = Lab::new();
    let stages = [GRID, MISS, HIT];
    let procedural = |shader| {
        hits(None, None)
            .ty(vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP)
            .intersection_shader(shader)
    };
    let wrong = [
        general(3),
        general(vk::SHADER_UNUSED_KHR),
        general(2),
        hits(Some(1), None),
        hits(Some(77), None),
        hits(None, Some(2)),
        procedural(vk::SHADER_UNUSED_KHR),
        procedural(2),
        general(0).ty(vk::RayTracingShaderGroupTypeKHR::from_raw(99)),
    ];
    for group in wrong {
        let made = lab.try_pipeline(&Desc::new(&stages, &[general(0), group]));
        assert!(made.is_err(), "{:?}", (group.ty, group.general_shader));
    }
    let made = lab.try_pipeline(&Desc::new(&[(Stage::COMPUTE, GRID.1)], &[general(0)]));
    assert!(made.is_err());
    let made = lab.try_pipeline(&Desc::new(&[(Stage::MISS_KHR, GRID.1)], &[general(0)]));
    assert!(made.is_err());
    lab.end();
}
