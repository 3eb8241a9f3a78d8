//! Ray tracing pipelines: shader binding tables, libraries, indirect traces, handles, and tables full of garbage.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

#[path = "ray_tracing/binaries.rs"]
mod binaries;
#[path = "ray_tracing/binding.rs"]
mod binding;
#[path = "generated_commands/calls.rs"]
#[allow(dead_code, reason = "each test uses a part")]
mod calls;
#[path = "ray_tracing/conditions.rs"]
mod conditions;
#[path = "ray_tracing/generated.rs"]
mod generated;
#[path = "ray_tracing/hostile.rs"]
mod hostile;
#[path = "ray_tracing/lab.rs"]
mod lab;
#[path = "acceleration_structures/scene.rs"]
#[allow(dead_code, reason = "each test uses a part")]
mod scene;

use ash::vk;
use lab::{
    CALLABLE, CALLER, CELLS, Desc, GRID, GROUPS, HIT, Handle, Lab, MIRROR, MISS, Push, RAYS, SIEVE, SLAB,
    SLAB_HIT, Stage, Table, general, hits,
};
use scene::{Structure, instance};

type Flags = vk::PipelineCreateFlags;
type Region = vk::StridedDeviceAddressRegionKHR;

const NONE: Region = Region { device_address: 0, stride: 0, size: 0 };
const EIGHT: [u32; 3] = [8, 8, 1];
const NULL: Handle = [0; 32];
/// Cells of a payload that no shader changed.
const UNCHANGED: [f32; 4] = [9.0, 9.0, 9.0, 0.0];

/// Cells of rays to the two triangles, in an instance that is moved by z, with the number of the hit record.
fn expected(z: f32, number: f32) -> Vec<[f32; 4]> {
    scene::expected(z, 0).iter().map(|hit| [hit[0], hit[1], number, 0.0]).collect()
}

/// The pipeline of the grid: ray generation, miss, hits.
fn grid<'a>() -> Desc<'a> {
    Desc::new(&[GRID, MISS, HIT], &[general(0), general(1), hits(Some(2), None)])
}

/// A device with the two triangles, and the structures of the scene.
fn two_triangles() -> (Lab, [Structure; 2]) {
    let lab = Lab::new();
    let bottom = lab.scene.bottom(vk::BuildAccelerationStructureFlagsKHR::empty());
    let top = lab.instances(&[instance(lab.scene.address_of(&bottom), 0.0, 0)]);
    lab.look_at(Some(&top));
    (lab, [bottom, top])
}

/// Tables of one record each for the groups of [`grid`], whose numbers are 0, 5 and 6.
fn tables(lab: &Lab, handles: &[Handle]) -> [Table; 3] {
    [0, 1, 2].map(|i| lab.table(&[(handles[i], [0, 5, 6][i])]))
}

/// Regions of tables of ray generation, miss and hit.
fn regions(tables: &[Table; 3]) -> [&Region; 4] {
    [&tables[0].region, &tables[1].region, &tables[2].region, &NONE]
}

/// Every ray hits one of two triangles, by closed form; the null descriptor is an empty scene.
#[test]
fn rays_hit_triangles_or_miss() {
    let (lab, structures) = two_triangles();
    let pipeline = lab.pipeline(&grid());
    let tables = tables(&lab, &lab.handles(pipeline, 3));
    assert_eq!(lab.trace(pipeline, [0; 4], regions(&tables), EIGHT), expected(0.0, 6.0));
    lab.look_at(None);
    assert_eq!(lab.trace(pipeline, [0; 4], regions(&tables), EIGHT), [[-1.0, -1.0, 5.0, 0.0]; CELLS]);
    // No invocation runs in a command without extent, nor without tables.
    lab.look_at(Some(&structures[1]));
    for size in [[0, 8, 1], [8, 0, 1], [8, 8, 0], [0; 3]] {
        assert_eq!(lab.trace(pipeline, [0; 4], regions(&tables), size), [[0.0; 4]; CELLS], "{size:?}");
    }
    assert_eq!(lab.trace(pipeline, [0; 4], [&NONE; 4], EIGHT), [[0.0; 4]; CELLS]);
    // Three dimensions: each layer looks at the whole square.
    let deep = lab.trace(pipeline, [0; 4], regions(&tables), [2, 2, 16]);
    let z = [1.0, 1.0, 1.0, 2.0];
    assert!(deep.iter().enumerate().all(|(i, cell)| cell[0] == z[i % 4]), "{deep:?}");
    lab.drop_tables(tables);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// The record of a hit is that of its instance plus the offset of the trace; null records and records past the end run
/// no shader. A stride of 0 repeats the first record. Spec: Vulkan, "Shader Binding Table".
#[test]
fn records_are_selected_by_index() {
    let (lab, structures) = two_triangles();
    let pipeline = lab.pipeline(&grid());
    let handles = lab.handles(pipeline, 3);
    let address = lab.scene.address_of(&structures[0]);
    let mut placed = instance(address, 0.0, 0);
    placed[13] = 2;
    let top = lab.instances(&[placed]);
    lab.look_at(Some(&top));
    let raygen = lab.table(&[(handles[0], 0)]);
    let miss = lab.table(&[(handles[1], 1), (handles[1], 2), (NULL, 3)]);
    let hit = lab.table(&[10, 11, 12, 13, 14, 15].map(|n| (if n == 14 { NULL } else { handles[2] }, n)));
    let look = |push: Push, miss: &Region, hit: &Region| {
        lab.trace(pipeline, push, [&raygen.region, miss, hit, &NONE], EIGHT)
    };
    for offset in 0..8 {
        let cells = look([0, offset, 7, 0], &miss.region, &hit.region);
        let want = match offset {
            0 | 1 | 3 => expected(0.0, 12.0 + offset as f32),
            // Null, and past the end.
            _ => vec![UNCHANGED; CELLS],
        };
        assert_eq!(cells, want, "offset {offset}");
    }
    let repeated = Region { stride: 0, size: 36, ..hit.region };
    assert_eq!(look([0, 3, 0, 0], &miss.region, &repeated), expected(0.0, 10.0));
    lab.look_at(None);
    for (index, want) in [(0, 1.0), (1, 2.0), (2, 9.0), (3, 9.0), (1 << 15, 9.0)] {
        let cells = look([index, 0, 0, 0], &miss.region, &hit.region);
        assert!(cells.iter().all(|cell| cell[2] == want), "miss shader {index}");
    }
    lab.drop_tables([raygen, miss, hit]);
    lab.destroy(pipeline);
    lab.scene.destroy(top);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// An any-hit shader that ignores a triangle; an intersection shader with an attribute and a hit kind; pipelines that
/// skip triangles or boxes. Spec: Vulkan, rayTraversalPrimitiveCulling.
#[test]
fn any_hit_and_intersection_shaders_run() {
    let (lab, structures) = two_triangles();
    let no_opaque = [0, 0, 0, 2];
    let skipping = [Flags::RAY_TRACING_SKIP_TRIANGLES_KHR, Flags::RAY_TRACING_SKIP_AABBS_KHR];
    for flags in [Flags::empty(), skipping[0], skipping[1]] {
        let groups = [general(0), general(1), hits(Some(2), Some(3))];
        let pipeline = lab.pipeline(&Desc { flags, ..Desc::new(&[GRID, MISS, HIT, SIEVE], &groups) });
        let tables = tables(&lab, &lab.handles(pipeline, 3));
        let cells = lab.trace(pipeline, no_opaque, regions(&tables), EIGHT);
        for (cell, hit) in cells.iter().zip(expected(0.0, 6.0)) {
            let skips = flags == skipping[0];
            let want = if skips || hit[1] == 1.0 { [-1.0, -1.0, 5.0] } else { [hit[0], hit[1], hit[2]] };
            assert_eq!(cell[..3], want, "{flags:?}");
            assert_eq!(cell[3] > 0.0, !skips, "{flags:?}");
        }
        lab.drop_tables(tables);
        lab.destroy(pipeline);
    }
    // A group with an intersection shader also serves triangles.
    let procedural =
        hits(Some(2), None).ty(vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP).intersection_shader(3);
    let pipeline = lab.pipeline(&Desc::new(&[GRID, MISS, HIT, SLAB], &[general(0), general(1), procedural]));
    let of_triangles = tables(&lab, &lab.handles(pipeline, 3));
    assert_eq!(lab.trace(pipeline, no_opaque, regions(&of_triangles), EIGHT), expected(0.0, 6.0));
    lab.drop_tables(of_triangles);
    lab.destroy(pipeline);
    let boxes = lab.boxes();
    lab.look_at(Some(&boxes[1]));
    for flags in [Flags::empty(), skipping[0], skipping[1]] {
        let groups = [general(0), general(1), procedural];
        let pipeline = lab.pipeline(&Desc { flags, ..Desc::new(&[GRID, MISS, SLAB_HIT, SLAB], &groups) });
        let tables = tables(&lab, &lab.handles(pipeline, 3));
        let want = if flags == skipping[1] { [-1.0, -1.0, 5.0, 0.0] } else { [0.75, 7.0, 0.25, 0.0] };
        assert_eq!(lab.trace(pipeline, [0; 4], regions(&tables), EIGHT), [want; CELLS], "{flags:?}");
        lab.drop_tables(tables);
        lab.destroy(pipeline);
    }
    let [bottom, top] = boxes;
    lab.scene.destroy_all([top, bottom]);
    lab.scene.destroy_all(structures);
    lab.end();
}

#[test]
fn callable_shaders_change_their_data() {
    let (lab, structures) = two_triangles();
    let pipeline = lab.pipeline(&Desc::new(&[CALLER, CALLABLE], &[general(0), general(1)]));
    let handles = lab.handles(pipeline, 2);
    let raygen = lab.table(&[(handles[0], 0)]);
    let callable = lab.table(&[(handles[1], 10), (handles[1], 20), (NULL, 30), (handles[1], 40)]);
    let cells =
        lab.trace(pipeline, [0; 4], [&raygen.region, &NONE, &NONE, &callable.region], [CELLS as u32, 1, 1]);
    for (i, cell) in cells.iter().enumerate() {
        let x = i as f32;
        let want = match i % 4 {
            2 => [1.0, 2.0, 3.0, x],
            n => [2.0, 2.0, 10.0 * (n + 1) as f32, x + 100.0],
        };
        assert_eq!(*cell, want, "invocation {i}");
    }
    lab.drop_tables([raygen, callable]);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Rays between two mirrors bounce as often as the pipeline allows. Spec: Vulkan, maxRayRecursionDepth.
#[test]
fn rays_bounce_between_mirrors() {
    let (lab, structures) = two_triangles();
    let address = lab.scene.address_of(&structures[0]);
    let top = lab.instances(&[instance(address, 0.0, 0), instance(address, 3.0, 0)]);
    lab.look_at(Some(&top));
    let mut p = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut p);
    // SAFETY: the instance is live.
    unsafe { lab.scene.gpu.instance.get_physical_device_properties2(lab.scene.gpu.physical, &mut all) };
    for depth in [1, 2, p.max_ray_recursion_depth] {
        let groups = [general(0), general(1), hits(Some(2), None)];
        let pipeline = lab.pipeline(&Desc { depth, ..Desc::new(&[GRID, MISS, MIRROR], &groups) });
        let tables = tables(&lab, &lab.handles(pipeline, 3));
        let want = [9.0, 9.0, 9.0, depth as f32];
        assert_eq!(lab.trace(pipeline, [0; 4], regions(&tables), EIGHT), [want; CELLS]);
        lab.drop_tables(tables);
        lab.destroy(pipeline);
    }
    assert!(lab.try_pipeline(&Desc { depth: p.max_ray_recursion_depth + 1, ..grid() }).is_err());
    lab.scene.destroy(top);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Values that the specification requires. Spec: Vulkan, "Required Limits".
#[test]
fn limits_are_those_that_the_specification_requires() {
    let lab = Lab::new();
    let mut p = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
    let mut groups = vk::PhysicalDeviceSubgroupProperties::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut p).push_next(&mut groups);
    // SAFETY: the instance is live.
    unsafe { lab.scene.gpu.instance.get_physical_device_properties2(lab.scene.gpu.physical, &mut all) };
    assert_eq!(p.shader_group_handle_size, 32);
    assert!(p.max_ray_recursion_depth >= 1);
    assert!(p.max_shader_group_stride >= 4096);
    assert!(p.shader_group_base_alignment <= 64);
    assert!(p.shader_group_handle_capture_replay_size <= 64);
    assert!(p.max_ray_dispatch_invocation_count >= 1 << 30);
    assert!(p.shader_group_handle_alignment <= 32);
    assert!(p.max_ray_hit_attribute_size >= 32);
    assert!(groups.supported_stages.contains(Stage::RAYGEN_KHR | Stage::CALLABLE_KHR));
    lab.end();
}

/// Subgroup operations of ray generation shaders see the active invocations.
#[test]
fn ray_generation_shaders_have_subgroups() {
    let lab = Lab::new();
    lab.look_at(None);
    let pipeline = lab.pipeline(&Desc::new(&[GROUPS], &[general(0)]));
    let raygen = lab.table(&[(lab.handles(pipeline, 1)[0], 0)]);
    let cells = lab.trace(pipeline, [0; 4], [&raygen.region, &NONE, &NONE, &NONE], [61, 1, 1]);
    for (i, [added, counted, _, size]) in cells[..61].iter().enumerate() {
        assert!(added == counted && *added >= 1.0 && added <= size, "invocation {i}: {added} of {size}");
    }
    lab.drop_tables([raygen]);
    lab.destroy(pipeline);
    lab.end();
}

/// Groups of a library have the same handles in the library and in pipelines that link it, also in a library of
/// libraries. Own groups may use shaders of libraries. Spec: Vulkan, VkRayTracingPipelineCreateInfoKHR and
/// pipelineLibraryGroupHandles.
#[test]
fn pipelines_link_libraries() {
    let (lab, structures) = two_triangles();
    let flags = Flags::LIBRARY_KHR;
    let misses = lab.pipeline(&Desc { flags, ..Desc::new(&[MISS], &[general(0)]) });
    let both = Desc {
        flags,
        libraries: vec![misses],
        // Shader 0 is the own one, shader 1 that of the library.
        ..Desc::new(&[HIT], &[hits(Some(0), None), general(1)])
    };
    let both = lab.pipeline(&both);
    let of_both = lab.handles(both, 3);
    assert_eq!(of_both[2], lab.handles(misses, 1)[0]);
    lab.destroy(misses);
    let linked = Desc {
        libraries: vec![both],
        // Own, then hit and miss.
        ..Desc::new(&[GRID], &[general(0), hits(Some(1), None)])
    };
    let pipeline = lab.pipeline(&linked);
    let handles = lab.handles(pipeline, 5);
    assert_eq!(handles[2..], of_both);
    let distinct: std::collections::HashSet<_> = handles.iter().collect();
    assert_eq!(distinct.len(), 5);
    // A library cannot be bound.
    let bound = lab.scene.gpu.try_run(|cmd| {
        // SAFETY: the driver refuses the library.
        unsafe { lab.scene.gpu.device.cmd_bind_pipeline(cmd, RAYS, both) };
    });
    assert!(bound.is_err());
    // Every group of the same shader does the same, by the handle of any of the two.
    lab.destroy(both);
    for (miss, hit) in [(3, 1), (4, 2)] {
        let tables = tables(&lab, &[handles[0], handles[miss], handles[hit]]);
        assert_eq!(lab.trace(pipeline, [0; 4], regions(&tables), EIGHT), expected(0.0, 6.0));
        lab.look_at(None);
        assert_eq!(lab.trace(pipeline, [0; 4], regions(&tables), EIGHT), [[-1.0, -1.0, 5.0, 0.0]; CELLS]);
        lab.look_at(Some(&structures[1]));
        lab.drop_tables(tables);
    }
    // Complete pipelines and those of another depth cannot be linked.
    assert!(lab.try_pipeline(&Desc { libraries: vec![pipeline], ..grid() }).is_err());
    let library = lab.pipeline(&Desc { flags, depth: 2, ..Desc::new(&[MISS], &[general(0)]) });
    assert!(lab.try_pipeline(&Desc { libraries: vec![library], ..grid() }).is_err());
    lab.destroy(library);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Sizes and tables are read when the command runs. Spec: Vulkan, vkCmdTraceRaysIndirectKHR and
/// vkCmdTraceRaysIndirect2KHR.
#[test]
fn parameters_come_from_memory() {
    let (lab, structures) = two_triangles();
    let pipeline = lab.pipeline(&grid());
    let tables = tables(&lab, &lab.handles(pipeline, 3));
    let [raygen, miss, hit, none] = regions(&tables);
    let mut all = vk::TraceRaysIndirectCommand2KHR {
        raygen_shader_record_address: raygen.device_address,
        raygen_shader_record_size: raygen.size,
        miss_shader_binding_table_address: miss.device_address,
        miss_shader_binding_table_size: miss.size,
        miss_shader_binding_table_stride: miss.stride,
        hit_shader_binding_table_address: hit.device_address,
        hit_shader_binding_table_size: hit.size,
        hit_shader_binding_table_stride: hit.stride,
        ..Default::default()
    };
    // Not at the beginning of the buffer.
    let memory = lab.scene.input(&[[0u32; 4]; 8]);
    let address = lab.scene.address(&memory) + 8;
    let run = |size: [u32; 3], everything: bool| {
        (all.width, all.height, all.depth) = (size[0], size[1], size[2]);
        let write = || match everything {
            true => memory.write(&[Padded { before: 7, all }]),
            false => memory.write(&[7, 7, size[0], size[1], size[2]]),
        };
        // SAFETY: valid usage of Vulkan: recording has begun, and the memory is live; the driver checks its contents.
        lab.run(pipeline, [0; 4], |cmd| unsafe {
            match everything {
                true => lab.indirect2.cmd_trace_rays_indirect2(cmd, address),
                false => lab.rt.cmd_trace_rays_indirect(cmd, raygen, miss, hit, none, address),
            }
            // After the command is recorded.
            write();
        })
    };
    let mut run = run;
    for everything in [false, true] {
        assert_eq!(run(EIGHT, everything), expected(0.0, 6.0));
        // The size of a command is its grid: one cell in the middle of each triangle's half.
        assert_eq!(run([1, 1, 2], everything)[..3], [[1.0, 0.0, 6.0, 0.0], [1.0, 0.0, 6.0, 0.0], [0.0; 4]]);
        // Nothing, and more than the device traces.
        for size in [[0, 8, 8], [u32::MAX; 3], [1 << 31, 1, 1]] {
            assert_eq!(run(size, everything), [[0.0; 4]; CELLS], "{size:?}");
        }
    }
    // Addresses of nothing are an error of recording.
    for bad in [0, 12345, 1 << 50] {
        let bound = lab.scene.gpu.try_run(|cmd| {
            // SAFETY: the driver refuses the address.
            unsafe {
                lab.scene.gpu.device.cmd_bind_pipeline(cmd, RAYS, pipeline);
                lab.indirect2.cmd_trace_rays_indirect2(cmd, bad);
            }
        });
        assert!(bound.is_err(), "{bad}");
    }
    memory.destroy(&lab.scene.gpu);
    lab.drop_tables(tables);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Parameters behind eight bytes.
#[repr(C)]
#[derive(Clone, Copy)]
struct Padded {
    before: u64,
    all: vk::TraceRaysIndirectCommand2KHR,
}

/// Shaders of a group have stack sizes, the others have none; any size that is set has no effect. Spec: Vulkan,
/// vkGetRayTracingShaderGroupStackSizeKHR.
#[test]
fn stacks_have_sizes() {
    use vk::ShaderGroupShaderKHR as S;
    let (lab, structures) = two_triangles();
    let pipeline = lab.pipeline(&grid());
    let of = |group: u32, shader: S| {
        // SAFETY: valid usage of Vulkan, except for some groups, which the driver checks.
        unsafe { lab.rt.get_ray_tracing_shader_group_stack_size(pipeline, group, shader) }
    };
    assert!(of(0, S::GENERAL) > 0 && of(1, S::GENERAL) > 0 && of(2, S::CLOSEST_HIT) > 0);
    let absent = [of(2, S::ANY_HIT), of(2, S::INTERSECTION), of(0, S::CLOSEST_HIT), of(3, S::GENERAL)];
    assert_eq!((absent, of(u32::MAX, S::GENERAL)), ([0; 4], 0));
    let states = [vk::DynamicState::RAY_TRACING_PIPELINE_STACK_SIZE_KHR];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let none = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
    let pipeline = lab.create(&grid(), |info| {
        lab.destroy(pipeline);
        // SAFETY: valid usage of Vulkan.
        unsafe { lab.rt.create_ray_tracing_pipelines(none.0, none.1, &[info.dynamic_state(&dynamic)], None) }
            .unwrap()[0]
    });
    let tables = tables(&lab, &lab.handles(pipeline, 3));
    let [raygen, miss, hit, callable] = regions(&tables);
    for size in [0, 1 << 16, u32::MAX] {
        // SAFETY: valid usage of Vulkan, except that the size may be too small, which the driver allows.
        let cells = lab.run(pipeline, [0; 4], |cmd| unsafe {
            lab.rt.cmd_set_ray_tracing_pipeline_stack_size(cmd, size);
            lab.rt.cmd_trace_rays(cmd, raygen, miss, hit, callable, 8, 8, 1);
        });
        assert_eq!(cells, expected(0.0, 6.0), "{size}");
    }
    lab.drop_tables(tables);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// A deferred operation makes no difference; pipelines that must not be compiled are not made, and the first failure
/// may end the creation of several. Spec: Vulkan, "Deferred Host Operations" and "Multiple Pipeline Creation".
#[test]
fn creation_may_be_deferred_or_refused() {
    let (lab, structures) = two_triangles();
    let f = lab.rt.fp().create_ray_tracing_pipelines_khr;
    let (device, cache) = (lab.scene.gpu.device.handle(), vk::PipelineCache::null());
    let create = |deferred, infos: &[vk::RayTracingPipelineCreateInfoKHR<'_>]| {
        let mut made = vec![vk::Pipeline::null(); infos.len()];
        let n = infos.len() as u32;
        // SAFETY: valid usage of Vulkan: there is room for each pipeline.
        let code =
            unsafe { f(device, deferred, cache, n, infos.as_ptr(), std::ptr::null(), made.as_mut_ptr()) };
        (code, made)
    };
    let none = vk::DeferredOperationKHR::null();
    lab.create(&grid(), |info| {
        // SAFETY: valid usage of Vulkan.
        unsafe {
            let operation = lab.scene.deferred.create_deferred_operation(None).unwrap();
            let (code, made) = create(operation, &[info, info]);
            assert_eq!(code, vk::Result::OPERATION_NOT_DEFERRED_KHR);
            lab.scene.deferred.deferred_operation_join(operation).unwrap();
            lab.scene.deferred.get_deferred_operation_result(operation).unwrap();
            lab.scene.deferred.destroy_deferred_operation(operation, None);
            let tables = tables(&lab, &lab.handles(made[1], 3));
            assert_eq!(lab.trace(made[1], [0; 4], regions(&tables), EIGHT), expected(0.0, 6.0));
            lab.drop_tables(tables);
            made.into_iter().for_each(|p| lab.destroy(p));
        }
        let required = vk::Result::PIPELINE_COMPILE_REQUIRED_EXT;
        let lazy = info.flags(Flags::FAIL_ON_PIPELINE_COMPILE_REQUIRED);
        let (code, made) = create(none, &[lazy, info]);
        assert_eq!((code, made[0], made[1] != vk::Pipeline::null()), (required, vk::Pipeline::null(), true));
        lab.destroy(made[1]);
        let early = info.flags(Flags::FAIL_ON_PIPELINE_COMPILE_REQUIRED | Flags::EARLY_RETURN_ON_FAILURE);
        assert_eq!(create(none, &[early, info]), (required, vec![vk::Pipeline::null(); 2]));
        // Flags of 64 bits replace the others, and feedback is written.
        let mut wide = vk::PipelineCreateFlags2CreateInfoKHR::default()
            .flags(vk::PipelineCreateFlags2KHR::from_raw(Flags::LIBRARY_KHR.as_raw().into()));
        let (mut whole, mut each) =
            ([vk::PipelineCreationFeedback::default(); 1], [vk::PipelineCreationFeedback::default(); 3]);
        let mut feedback = vk::PipelineCreationFeedbackCreateInfo::default()
            .pipeline_creation_feedback(&mut whole[0])
            .pipeline_stage_creation_feedbacks(&mut each);
        let (code, made) = create(none, &[early.push_next(&mut wide).push_next(&mut feedback)]);
        assert_eq!(code, vk::Result::SUCCESS);
        let linked = Desc { libraries: made.clone(), ..Desc::new(&[], &[]) };
        let pipeline = lab.pipeline(&linked);
        assert_eq!(lab.handles(pipeline, 3), lab.handles(made[0], 3));
        made.into_iter().chain([pipeline]).for_each(|p| lab.destroy(p));
        let valid = vk::PipelineCreationFeedbackFlags::VALID;
        assert!(whole.iter().chain(&each).all(|f| f.flags.contains(valid)));
    });
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Work that was submitted keeps its pipeline.
#[test]
fn pipelines_are_destroyed_after_submission() {
    let (lab, structures) = two_triangles();
    let d = &lab.scene.gpu.device;
    let pipeline = lab.pipeline(&grid());
    let tables = tables(&lab, &lab.handles(pipeline, 3));
    let [raygen, miss, hit, callable] = regions(&tables);
    lab.out.write(&[0u8; CELLS * 16]);
    let info =
        vk::CommandBufferAllocateInfo::default().command_pool(lab.scene.gpu.pool).command_buffer_count(1);
    // SAFETY: valid usage of Vulkan, except that the pipeline is destroyed early, which the driver allows.
    unsafe {
        let cmd = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
        d.cmd_bind_pipeline(cmd[0], RAYS, pipeline);
        d.cmd_bind_descriptor_sets(cmd[0], RAYS, lab.layout, 0, &[lab.set], &[]);
        d.cmd_push_constants(cmd[0], lab.layout, Stage::ALL, 0, &[0; 16]);
        for _ in 0..50 {
            lab.rt.cmd_trace_rays(cmd[0], raygen, miss, hit, callable, 8, 8, 1);
        }
        d.end_command_buffer(cmd[0]).unwrap();
        d.queue_submit(
            lab.scene.gpu.queue,
            &[vk::SubmitInfo::default().command_buffers(&cmd)],
            vk::Fence::null(),
        )
        .unwrap();
        lab.destroy(pipeline);
        d.device_wait_idle().unwrap();
        d.free_command_buffers(lab.scene.gpu.pool, &cmd);
    }
    assert_eq!(lab.out.read::<[f32; 4]>(), expected(0.0, 6.0));
    lab.drop_tables(tables);
    lab.scene.destroy_all(structures);
    lab.end();
}

/// A group gets the handle of an earlier pipeline; bytes that are not a handle are refused. Spec: Vulkan,
/// rayTracingPipelineShaderGroupHandleCaptureReplay.
#[test]
fn handles_are_captured_and_replayed() {
    let (lab, structures) = two_triangles();
    let flags = Flags::RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_KHR;
    let first = lab.pipeline(&Desc { flags, ..grid() });
    // SAFETY: valid usage of Vulkan.
    let captured = unsafe { lab.rt.get_ray_tracing_capture_replay_shader_group_handles(first, 0, 3, 96) };
    let captured = captured.unwrap();
    let handles = lab.handles(first, 3);
    let tables = tables(&lab, &handles);
    lab.destroy(first);
    let again = |bytes: &[u8]| {
        let mut desc = Desc { flags, ..grid() };
        for (group, handle) in desc.groups.iter_mut().zip(bytes.chunks(32)) {
            group.p_shader_group_capture_replay_handle = handle.as_ptr().cast();
        }
        lab.try_pipeline(&desc)
    };
    let second = again(&captured).unwrap();
    assert_eq!(lab.handles(second, 3), handles);
    assert_eq!(lab.trace(second, [0; 4], regions(&tables), EIGHT), expected(0.0, 6.0));
    // Some handles are given, the others are new.
    let third = again(&captured[..64]).unwrap();
    let mixed = lab.handles(third, 3);
    assert_eq!(mixed[..2], handles[..2]);
    assert_ne!(mixed[2], handles[2]);
    // Handles of pipelines that are not captured never collide with captured ones.
    let plain = lab.pipeline(&grid());
    assert!(lab.handles(plain, 3).iter().all(|h| !handles.contains(h) && !mixed.contains(h)));
    assert_eq!(again(&[0; 32]), Err(vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS));
    assert_eq!(again(&[0xee; 32]), Err(vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS));
    [second, third, plain].into_iter().for_each(|p| lab.destroy(p));
    lab.drop_tables(tables);
    lab.scene.destroy_all(structures);
    lab.end();
}
