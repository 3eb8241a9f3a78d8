//! Ray tracing pipelines whose shaders, tables and structures are wrong or endless.

use std::time::Duration;

use quadrille::rays::AccelerationStructure;
use quadrille::*;

use super::{Placed, Program, devices, scene, triangles};

/// Traces one ray with a payload that the miss shader sets, from an origin that hits nothing.
const RAYGEN: &str = "
    layout(location = 0) rayPayloadEXT uint payload;
    layout(push_constant) uniform Push { uint miss; };
    void main() {
        payload = 5u;
        traceRayEXT(scene, 0u, 0xff, 0, 0, miss, vec3(0.25, 0.25, 1.0), 0.0, vec3(0, 0, -1), 10.0, 0);
        results[gl_LaunchIDEXT.x] = payload;
    }";

const MISS: &str = "
    layout(location = 0) rayPayloadInEXT uint payload;
    void main() { payload = 100u; }";

const HIT: &str = "
    layout(location = 0) rayPayloadInEXT uint payload;
    void main() { payload = 200u; }";

fn program<'a>() -> Program<'a> {
    Program {
        shaders: &[(Stage::RayGeneration, RAYGEN), (Stage::Miss, MISS), (Stage::ClosestHit, HIT)],
        groups: &[
            ShaderGroup::General(0),
            ShaderGroup::General(1),
            ShaderGroup::Triangles { closest_hit: Some(2), any_hit: None },
        ],
        push: vec![0],
        miss: vec![(Some(1), vec![]), (None, vec![]), (Some(2), vec![]), (Some(0), vec![])],
        ..Program::default()
    }
}

#[test]
fn wrong_records_run_no_shader() {
    for device in devices() {
        let ready = program().ready(&device, &scene(&device, &[]));
        let trace = |miss: u32, tables: &ShaderBindingTables| {
            ready.out.write(0, &[1u32]).unwrap();
            ready.run(&[miss], |c| {
                c.trace_rays(tables, [1; 3]);
            });
            ready.results(1)[0]
        };
        let tables = ready.tables;
        assert_eq!(trace(0, &tables), 100);
        // A null record, a hit group and a ray generation shader as miss shader, records past the end.
        for miss in [1, 2, 3, 4, 0xffff, u32::MAX] {
            assert_eq!(trace(miss, &tables), 5, "miss shader {miss}");
        }
        // Only the lowest 16 bits count. Spec: SPIR-V, OpTraceRayKHR.
        assert_eq!(trace(0x1_0000, &tables), 100);
        // Addresses without memory, a null region, and a region of one record.
        for address in [0, 64, 1 << 40, u64::MAX - 63, tables.miss.address + (1 << 39)] {
            let miss = Region { address, ..tables.miss };
            assert_eq!(trace(0, &ShaderBindingTables { miss, ..tables }), 5, "{address:#x}");
        }
        let miss = Region { size: 32, stride: 0, ..tables.miss };
        assert_eq!(trace(9, &ShaderBindingTables { miss, ..tables }), 100);
        // Forged handles: at most another shader of the same pipeline, and each bit that no handle has is refused.
        let at = tables.miss.address & 0xff_ffff_ffff;
        let handle = ready.pipeline.group_handle(1).unwrap();
        for bit in 0..256 {
            let mut forged = handle;
            forged[bit / 8] ^= 1 << (bit % 8);
            ready.memory.write(at, &forged).unwrap();
            assert_eq!(trace(0, &tables), 5, "bit {bit}");
        }
        // The same group of another pipeline.
        let other = program().ready(&device, &scene(&device, &[]));
        ready.memory.write(at, &other.pipeline.group_handle(1).unwrap()).unwrap();
        assert_eq!(trace(0, &tables), 5);
        // No ray generation shader.
        let raygen = Region { address: tables.miss.address, ..tables.raygen };
        assert_eq!(trace(0, &ShaderBindingTables { raygen, ..tables }), 1);
        assert_eq!(trace(0, &ShaderBindingTables { raygen: Region::default(), ..tables }), 1);
    }
}

#[test]
fn payloads_of_other_sizes_are_cut_or_zero() {
    let large = "
        layout(location = 0) rayPayloadInEXT uint payload[9];
        void main() { payload[0] += payload[1] + payload[8] + 7u; payload[8] = 3u; }";
    let small = "
        struct Payload { uint a; uvec4 b; double c; };
        layout(location = 0) rayPayloadEXT Payload payload;
        void main() {
            payload = Payload(5u, uvec4(1, 2, 3, 4), 8.0lf);
            traceRayEXT(scene, 0u, 0xff, 0, 0, 0, vec3(0), 0.0, vec3(1), 10.0, 0);
            results[0] = payload.a; results[1] = payload.b.w; results[2] = uint(payload.c);
        }";
    for (raygen, want) in [(RAYGEN, [12, 0, 0]), (small, [13, 4, 8])] {
        let program = Program {
            shaders: &[(Stage::RayGeneration, raygen), (Stage::Miss, large)],
            groups: &[ShaderGroup::General(0), ShaderGroup::General(1)],
            push: vec![0],
            miss: vec![(Some(1), vec![])],
            ..Program::default()
        };
        assert_eq!(program.everywhere(|device| scene(device, &[]))[..3], want);
    }
}

/// A closest hit shader that traces twice as many rays at each level.
const TREE: &str = "
    layout(location = 0) rayPayloadInEXT uint payload;
    layout(location = 1) rayPayloadEXT uint next;
    void main() {
        next = payload;
        for (int k = 0; k < 2; k++)
            traceRayEXT(scene, 0u, 0xff, 0, 0, 0, vec3(0.25, 0.25, 1.0), 0.0, vec3(0, 0, -1), 10.0, 1);
        payload = next + 1u;
    }";

fn one_triangle(device: &Device) -> AccelerationStructure {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    scene(device, &[Placed::new(triangles(device, &[vec![triangle]], true))])
}

fn tree<'a>(depth: u32) -> Program<'a> {
    Program {
        shaders: &[(Stage::RayGeneration, RAYGEN), (Stage::ClosestHit, TREE)],
        groups: &[ShaderGroup::General(0), ShaderGroup::Triangles { closest_hit: Some(1), any_hit: None }],
        push: vec![0],
        depth,
        hit: vec![(Some(1), vec![])],
        size: [3, 1, 1],
        ..Program::default()
    }
}

#[test]
fn rays_that_branch_are_counted_or_stopped() {
    let results = tree(6).everywhere(one_triangle);
    assert_eq!(results[..3], [5 + 63; 3]);
    for interp in [false, true] {
        let budget = Duration::from_millis(300);
        let device = Device::new(DeviceOptions { interp, budget, ..DeviceOptions::default() }).unwrap();
        let program = tree(LIMITS.max_ray_recursion_depth);
        let ready = program.ready(&device, &one_triangle(&device));
        let stopped = ready.try_run(&[0], |c| {
            c.trace_rays(&ready.tables, program.size);
        });
        assert!(matches!(stopped, Err(Error::DeviceLost(_))), "{stopped:?}");
    }
}

#[test]
fn callable_shaders_without_end_end() {
    let raygen = "
        layout(location = 0) callableDataEXT uint data;
        void main() { data = 0u; executeCallableEXT(0u, 0); results[gl_LaunchIDEXT.x] = data; }";
    let again = "
        layout(location = 0) callableDataInEXT uint data;
        void main() { data++; executeCallableEXT(0u, 0); }";
    let program = Program {
        shaders: &[(Stage::RayGeneration, raygen), (Stage::Callable, again)],
        groups: &[ShaderGroup::General(0), ShaderGroup::General(1)],
        callable: vec![(Some(1), vec![])],
        size: [9, 1, 1],
        ..Program::default()
    };
    let results = program.everywhere(|device| scene(device, &[]));
    assert!(results[0] > 2 && results[..9].iter().all(|&n| n == results[0]), "{results:?}");
}

#[test]
fn what_no_pipeline_has_is_refused() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let layout = Program::layout(&device);
    let program = program();
    let stages = program.stages(&device);
    let new = |change: &dyn Fn(&mut RayTracingPipelineDesc)| {
        let mut desc =
            RayTracingPipelineDesc { stages: stages.clone(), ..RayTracingPipelineDesc::new(&layout) };
        change(&mut desc);
        device.create_ray_tracing_pipeline(&desc)
    };
    new(&|_| {}).unwrap();
    let deep = new(&|d| d.max_recursion_depth = LIMITS.max_ray_recursion_depth + 1);
    assert!(matches!(deep, Err(Error::Limit(_))), "{deep:?}");
    for groups in [
        ShaderGroup::General(2),
        ShaderGroup::General(3),
        ShaderGroup::Triangles { closest_hit: Some(1), any_hit: None },
        ShaderGroup::Triangles { closest_hit: None, any_hit: Some(2) },
        ShaderGroup::Procedural { intersection: 2, closest_hit: None, any_hit: None },
    ] {
        let refused = new(&|d| d.groups = vec![groups]);
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{groups:?}: {refused:?}");
    }
    let complete = new(&|_| {}).unwrap();
    assert!(new(&|d| d.libraries = vec![complete.clone()]).is_err());
    assert!(complete.group_handle(0).is_err());
    // Commands without a pipeline, with unaligned tables, with too many rays.
    let ready = program.ready(&device, &scene(&device, &[]));
    let tables = ready.tables;
    let unaligned = Region { address: tables.miss.address + 32, ..tables.miss };
    let wide = Region { stride: 8192, ..tables.miss };
    for (tables, size) in [
        (ShaderBindingTables { miss: unaligned, ..tables }, [1; 3]),
        (ShaderBindingTables { hit: wide, ..tables }, [1; 3]),
        (tables, [1 << 16, 1 << 15, 1]),
    ] {
        let refused = ready.try_run(&[0], |c| {
            c.trace_rays(&tables, size);
        });
        assert!(refused.is_err(), "{tables:?} {size:?}");
    }
    let mut commands = device.create_command_buffer();
    assert!(commands.trace_rays(&tables, [1; 3]).end().is_err());
    let mut commands = device.create_command_buffer();
    commands.bind_ray_tracing_pipeline(&ready.pipeline);
    assert!(commands.trace_rays(&tables, [1; 3]).end().is_err(), "no descriptor sets");
}
