//! Ray queries of shaders, in generated code and in the interpreter.

#![cfg(feature = "glsl")]

#[path = "rays/structures.rs"]
mod structures;

use quadrille::rays::{BuildRange, GeometryData, Indices};
use quadrille::{Device, DeviceOptions, Format, GeometryFlags, ShaderTest};
use structures::{INPUT, build};

/// A device with compiled shaders, and one that interprets them.
fn devices() -> [Device; 2] {
    [false, true].map(|interp| Device::new(DeviceOptions { interp, ..DeviceOptions::default() }).unwrap())
}

/// Casts a ray at each cell of a grid over [0, 1]² from z = 1 downwards, and returns the results by cell.
const GRID: &str = "
    #version 460
    #extension GL_EXT_ray_query : require
    layout(local_size_x = 8, local_size_y = 8) in;
    layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
    layout(set = 0, binding = 1) buffer Out { vec4 hits[]; };
    void main() {
        vec2 at = (vec2(gl_GlobalInvocationID.xy) + 0.5) / 8.0;
        rayQueryEXT query;
        rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xff, vec3(at, 1.0), 0.0, vec3(0, 0, -1), 10.0);
        uint candidates = 0u;
        while (rayQueryProceedEXT(query)) {
            candidates++;
            if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT
                && rayQueryGetIntersectionPrimitiveIndexEXT(query, false) != 1) {
                rayQueryConfirmIntersectionEXT(query);
            }
        }
        vec4 hit = vec4(-1.0, -1.0, -1.0, float(candidates));
        if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionTriangleEXT) {
            hit.x = rayQueryGetIntersectionTEXT(query, true);
            hit.y = float(rayQueryGetIntersectionPrimitiveIndexEXT(query, true));
            hit.z = rayQueryGetIntersectionBarycentricsEXT(query, true).x;
        }
        hits[gl_GlobalInvocationID.y * 8 + gl_GlobalInvocationID.x] = hit;
    }";

/// The lower left half of the unit square at z = 0, the upper right half at z = -1, and both at z = 0.5.
fn scene() -> Vec<[[f32; 3]; 3]> {
    let lower = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
    let upper = |z: f32| [[1.0, 1.0, z], [0.0, 1.0, z], [1.0, 0.0, z]];
    vec![lower(0.0), lower(0.5), upper(-1.0)]
}

fn hits(device: &Device, opaque: bool) -> Vec<[f32; 4]> {
    let test = ShaderTest::glsl(GRID).unwrap().on(device);
    let run =
        test.triangles(0, 0, &scene(), opaque).bind_zeros::<[f32; 4]>(0, 1, 64).dispatch([1, 1, 1]).unwrap();
    run.read(0, 1).unwrap()
}

/// Cells, with the horizontal position of their centres, and whether they lie in the lower left half.
fn cells() -> impl Iterator<Item = (usize, f32, f32)> {
    (0..64).map(|i| (i, (i % 8) as f32 / 8.0 + 0.0625, (i / 8) as f32 / 8.0 + 0.0625))
}

#[test]
fn opaque_triangles_need_no_confirmation() {
    let [compiled, interpreted] = devices().map(|device| hits(&device, true));
    assert_eq!(compiled, interpreted);
    for (i, x, y) in cells() {
        // The nearest triangle over the lower left half is number 1, at z = 0.5. The diagonal belongs to both halves.
        let want = if x + y <= 1.0 { [0.5, 1.0, x, 0.0] } else { [2.0, 2.0, 1.0 - x, 0.0] };
        assert_eq!(compiled[i], want, "cell {i}");
    }
}

#[test]
fn candidates_are_confirmed_by_the_shader() {
    let [hits, interpreted] = devices().map(|device| hits(&device, false));
    assert_eq!(hits, interpreted);
    for (i, x, y) in cells() {
        // Triangle 1 is never confirmed, so rays go on to triangle 0.
        let lower = x + y <= 1.0;
        let want = if lower { [1.0, 0.0, x] } else { [2.0, 2.0, 1.0 - x] };
        assert_eq!(hits[i][..3], want, "cell {i}");
        // The order of candidates is the device's, but all that are hit are found once.
        let most = if x + y == 1.0 {
            3.0
        } else if lower {
            2.0
        } else {
            1.0
        };
        assert!((1.0..=most).contains(&hits[i][3]), "cell {i}: {} candidates", hits[i][3]);
    }
}

/// Ray queries of WGSL, which are an extension of naga.
#[test]
fn wgsl_has_ray_queries() {
    let source = "
        enable wgpu_ray_query;
        @group(0) @binding(0) var scene: acceleration_structure;
        @group(0) @binding(1) var<storage, read_write> hits: array<vec4f>;
        @compute @workgroup_size(8, 8)
        fn main(@builtin(global_invocation_id) id: vec3u) {
            let at = (vec2f(id.xy) + 0.5) / 8.0;
            var query: ray_query;
            let down = RayDesc(0u, 0xffu, 0.0, 10.0, vec3f(at, 1.0), vec3f(0.0, 0.0, -1.0));
            rayQueryInitialize(&query, scene, down);
            while (rayQueryProceed(&query)) {}
            let hit = rayQueryGetCommittedIntersection(&query);
            var out = vec4f(-1.0);
            if (hit.kind == RAY_QUERY_INTERSECTION_TRIANGLE) {
                let custom = f32(hit.instance_custom_data);
                out = vec4f(hit.t, f32(hit.primitive_index), hit.barycentrics.x, custom);
            }
            hits[id.y * 8u + id.x] = out;
        }";
    for device in devices() {
        let test = ShaderTest::wgsl(source).unwrap().on(&device).triangles(0, 0, &scene(), true);
        let run = test.bind_zeros::<[f32; 4]>(0, 1, 64).dispatch([1, 1, 1]).unwrap();
        assert_eq!(run.read::<[f32; 4]>(0, 1).unwrap(), hits(&device, true));
    }
}

/// Each call of a function has variables of its own: here 75 calls have a query each, more than an invocation has at a time.
#[test]
fn queries_of_calls_end_with_them() {
    let source = "
        enable wgpu_ray_query;
        @group(0) @binding(0) var scene: acceleration_structure;
        @group(0) @binding(1) var<storage, read_write> sums: array<f32>;
        fn once(at: vec2f) -> f32 {
            var query: ray_query;
            let down = RayDesc(1u, 0xffu, 0.0, 10.0, vec3f(at, 1.0), vec3f(0.0, 0.0, -1.0));
            rayQueryInitialize(&query, scene, down);
            while (rayQueryProceed(&query)) {}
            return rayQueryGetCommittedIntersection(&query).t;
        }
        fn five(at: vec2f) -> f32 {
            return once(at) + once(1.0 - at) + once(at) + once(at) + once(1.0 - at);
        }
        fn many(at: vec2f) -> f32 {
            return five(at) + five(1.0 - at) + five(at) + five(at) + five(1.0 - at);
        }
        @compute @workgroup_size(8, 8)
        fn main(@builtin(global_invocation_id) id: vec3u) {
            let at = (vec2f(id.xy) + 0.5) / 8.0;
            sums[id.y * 8u + id.x] = many(at) + many(at) + many(at);
        }";
    for device in devices() {
        let test = ShaderTest::wgsl(source).unwrap().on(&device).triangles(0, 0, &scene(), true);
        let sums = test.bind_zeros::<f32>(0, 1, 64).dispatch([1, 1, 1]).unwrap().read::<f32>(0, 1).unwrap();
        for (i, x, y) in cells() {
            // At the point and at the one across the middle: 13 and 12 of 25 calls. The diagonal is its own opposite.
            let [here, across] = [x + y <= 1.0, x + y >= 1.0].map(|lower| if lower { 0.5 } else { 2.0 });
            assert_eq!(sums[i], 3.0 * (13.0 * here + 12.0 * across), "cell {i}");
        }
    }
}

/// Reads everything that a query tells of its hit, with an array of queries whose index is known at run time.
const EVERYTHING: &str = "
    #version 460
    #extension GL_EXT_ray_query : require
    #extension GL_EXT_ray_tracing_position_fetch : require
    layout(local_size_x = 4) in;
    layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
    layout(set = 0, binding = 1) buffer Out { float values[]; };
    layout(push_constant) uniform Push { uint mask; uint index; };
    uint next = 0u;
    void put(float value) { values[gl_LocalInvocationIndex * 64 + next++] = value; }
    void put(vec3 v) { put(v.x); put(v.y); put(v.z); }
    void put(mat4x3 m) { for (int c = 0; c < 4; c++) put(m[c]); }
    void main() {
        rayQueryEXT queries[2];
        uint q = index & 1u;
        // Invocation i looks at x = 10 i.
        vec3 origin = vec3(10.0 * float(gl_LocalInvocationIndex) + 0.25, 0.25, 5.0);
        rayQueryInitializeEXT(queries[q], scene, gl_RayFlagsCullNoOpaqueEXT, mask, origin, 0.5, vec3(0, 0, -2), 100.0);
        while (rayQueryProceedEXT(queries[q])) {
            if (rayQueryGetIntersectionTypeEXT(queries[q], false) == gl_RayQueryCandidateIntersectionAABBEXT) {
                put(rayQueryGetIntersectionCandidateAABBOpaqueEXT(queries[q]) ? 1.0 : 0.0);
                rayQueryGenerateIntersectionEXT(queries[q], 2.0);
            }
        }
        put(float(rayQueryGetIntersectionTypeEXT(queries[q], true)));
        if (rayQueryGetIntersectionTypeEXT(queries[q], true) == 0u) return;
        put(rayQueryGetIntersectionTEXT(queries[q], true));
        put(float(rayQueryGetIntersectionInstanceCustomIndexEXT(queries[q], true)));
        put(float(rayQueryGetIntersectionInstanceIdEXT(queries[q], true)));
        put(float(rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT(queries[q], true)));
        put(float(rayQueryGetIntersectionGeometryIndexEXT(queries[q], true)));
        put(float(rayQueryGetIntersectionPrimitiveIndexEXT(queries[q], true)));
        put(rayQueryGetIntersectionObjectRayOriginEXT(queries[q], true));
        put(rayQueryGetIntersectionObjectRayDirectionEXT(queries[q], true));
        put(rayQueryGetIntersectionObjectToWorldEXT(queries[q], true));
        put(rayQueryGetIntersectionWorldToObjectEXT(queries[q], true));
        put(rayQueryGetRayTMinEXT(queries[q]));
        put(float(rayQueryGetRayFlagsEXT(queries[q])));
        put(rayQueryGetWorldRayOriginEXT(queries[q]));
        put(rayQueryGetWorldRayDirectionEXT(queries[q]));
        if (rayQueryGetIntersectionTypeEXT(queries[q], true) == gl_RayQueryCommittedIntersectionTriangleEXT) {
            put(rayQueryGetIntersectionFrontFaceEXT(queries[q], true) ? 1.0 : 0.0);
            vec3 positions[3];
            rayQueryGetIntersectionTriangleVertexPositionsEXT(queries[q], true, positions);
            put(positions[0]);
            put(positions[1]);
            put(positions[2]);
        }
    }";

/// A VkAccelerationStructureInstanceKHR at x, twice as large, with a mask.
fn instance(x: f32, mask: u32, of: u64) -> [u32; 16] {
    let two = 2.0f32.to_bits();
    let m = [two, 0, 0, x.to_bits(), 0, two, 0, 0, 0, 0, two, 0];
    let mut words = [0; 16];
    words[..12].copy_from_slice(&m);
    words[12..].copy_from_slice(&[77 | mask << 24, 9, of as u32, (of >> 32) as u32]);
    words
}

/// Results of each invocation. Instance 0 has triangles at x = 0, instance 1 boxes at x = 10, instance 2 lies at x = 20
/// and names no structure.
fn everything(device: &Device, mask: u32, index: u32) -> Vec<[f32; 64]> {
    // The second triangle of 16-bit indices, after a first vertex that is skipped, moved by a matrix.
    let vertices =
        device.create_buffer_with(&[[9.0f32; 3], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], INPUT);
    let vertices = vertices.unwrap();
    let indices = device.create_buffer_with(&[7u16, 7, 7, 0, 1, 2], INPUT).unwrap();
    let moved = [1.0f32, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -0.5];
    let matrix = device.create_buffer_with(&moved, INPUT).unwrap();
    let triangles = GeometryData::Triangles {
        format: Format::R32G32B32_SFLOAT,
        vertices: vertices.device_address().unwrap(),
        stride: 12,
        max_vertex: 2,
        indices: Indices::U16(indices.device_address().unwrap()),
        transform: matrix.device_address().unwrap(),
    };
    let one = BuildRange { primitive_count: 1, ..BuildRange::default() };
    let bottom = build(
        device,
        &[(triangles, BuildRange { primitive_offset: 6, first_vertex: 1, ..one })],
        GeometryFlags::OPAQUE,
    );
    let boxes = [[f32::NAN, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]];
    let boxes = device.create_buffer_with(&boxes, INPUT).unwrap();
    let aabbs = GeometryData::Aabbs { data: boxes.device_address().unwrap(), stride: 28 };
    let box_level =
        build(device, &[(aabbs, BuildRange { primitive_count: 2, ..one })], GeometryFlags::OPAQUE);
    let instances = [
        instance(0.0, 1, bottom.device_address()),
        instance(10.0, 3, box_level.device_address()),
        instance(20.0, 0xff, 12345),
    ];
    let instances = device.create_buffer_with(&instances, INPUT).unwrap();
    let data = GeometryData::Instances { data: instances.device_address().unwrap(), pointers: false };
    let top = build(device, &[(data, BuildRange { primitive_count: 3, ..one })], GeometryFlags::OPAQUE);
    let test = ShaderTest::glsl(EVERYTHING).unwrap().on(device).structure(0, 0, &top);
    let run = test.bind_zeros::<[f32; 64]>(0, 1, 4).push(&[mask, index]).dispatch([1, 1, 1]).unwrap();
    run.read(0, 1).unwrap()
}

#[test]
fn shaders_read_everything_of_a_hit() {
    for index in [0, 1] {
        let [compiled, interpreted] = devices().map(|device| everything(&device, 0xff, index));
        assert_eq!(compiled, interpreted);
        let object_to_world = |x: f32| [2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, x, 0.0, 0.0];
        let world_to_object = |x: f32| [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5, -x / 2.0, 0.0, 0.0];
        let ray = |x: f32| [0.5, 128.0, x, 0.25, 5.0, 0.0, 0.0, -2.0];
        let mut want: Vec<f32> = Vec::new();
        // The triangle is at z = -0.5 of the object, -1 of the world: 6 below the origin, 3 lengths of the direction.
        want.extend([1.0, 3.0, 77.0, 0.0, 9.0, 0.0, 0.0]);
        want.extend([0.125, 0.125, 2.5, 0.0, 0.0, -1.0]);
        want.extend(object_to_world(0.0));
        want.extend(world_to_object(0.0));
        want.extend(ray(0.25));
        want.extend([1.0, 0.0, 0.0, -0.5, 1.0, 0.0, -0.5, 0.0, 1.0, -0.5]);
        assert_eq!(compiled[0][..want.len()], want);
        // The second box, opaque; the hit is where the shader said.
        let mut want: Vec<f32> = vec![1.0, 2.0, 2.0, 77.0, 1.0, 9.0, 0.0, 1.0];
        want.extend([0.125, 0.125, 2.5, 0.0, 0.0, -1.0]);
        want.extend(object_to_world(10.0));
        want.extend(world_to_object(10.0));
        want.extend(ray(10.25));
        assert_eq!(compiled[1][..want.len()], want);
        // No structure, and nothing at all.
        assert_eq!((compiled[2], compiled[3]), ([0.0; 64], [0.0; 64]));
    }
}

#[test]
fn masks_hide_instances() {
    let [compiled, interpreted] = devices().map(|device| everything(&device, 2, 0));
    assert_eq!(compiled, interpreted);
    assert_eq!((compiled[0][0], compiled[1][1]), (0.0, 2.0));
}

#[test]
fn queries_end_when_the_shader_says() {
    let source = GRID.replace("candidates++;", "candidates++; rayQueryTerminateEXT(query);");
    for device in devices() {
        let test = ShaderTest::glsl(&source).unwrap().on(&device).triangles(0, 0, &scene(), false);
        let run = test.bind_zeros::<[f32; 4]>(0, 1, 64).dispatch([1, 1, 1]).unwrap();
        // There is at least one candidate everywhere, and no second one.
        assert!(run.read::<[f32; 4]>(0, 1).unwrap().iter().all(|hit| hit[3] == 1.0));
    }
}

#[test]
fn null_and_wrong_references_are_empty_scenes() {
    let source = "
        #version 460
        #extension GL_EXT_ray_query : require
        #extension GL_EXT_ray_tracing : require
        #extension GL_ARB_gpu_shader_int64 : require
        layout(local_size_x = 8) in;
        layout(set = 0, binding = 1) buffer Out { uint done[]; };
        layout(push_constant) uniform Push { uint64_t address; };
        void main() {
            rayQueryEXT query;
            uint64_t at = address + uint64_t(gl_LocalInvocationIndex) * 0x123456789ul;
            rayQueryInitializeEXT(query, accelerationStructureEXT(at), 0u, 0xff, vec3(0), 0.0, vec3(1), 1.0);
            uint n = 0u;
            while (rayQueryProceedEXT(query)) n++;
            done[gl_LocalInvocationIndex] = 100u * rayQueryGetIntersectionTypeEXT(query, true) + n + 1u;
        }";
    for device in devices() {
        for address in [0u64, 1 << 40, u64::MAX] {
            let test = ShaderTest::glsl(source).unwrap().on(&device).push(&[address]);
            let run = test.bind_zeros::<u32>(0, 1, 8).dispatch([1, 1, 1]).unwrap();
            assert_eq!(run.read::<u32>(0, 1).unwrap(), [1; 8]);
        }
    }
}

/// Without a committed intersection, its distance is the maximum of the ray: shaders compare boxes with it.
#[test]
fn distance_without_a_hit_is_the_maximum() {
    let source = GRID.replace(
        "vec4 hit = vec4(-1.0, -1.0, -1.0, float(candidates));",
        "vec4 hit = vec4(rayQueryGetIntersectionTEXT(query, true), -1.0, -1.0, float(candidates));",
    );
    for device in devices() {
        let test = ShaderTest::glsl(&source).unwrap().on(&device);
        let far = vec![[[0.0, 0.0, -50.0], [1.0, 0.0, -50.0], [0.0, 1.0, -50.0]]];
        let run = test.triangles(0, 0, &far, true).bind_zeros::<[f32; 4]>(0, 1, 64);
        let hits: Vec<[f32; 4]> = run.dispatch([1, 1, 1]).unwrap().read(0, 1).unwrap();
        assert_eq!(hits, [[10.0, -1.0, -1.0, 0.0]; 64]);
    }
}

/// A loaded query keeps its state while the variable goes on, and can be stored to another variable.
const COPIED: &str = "
    OpCapability Shader
    OpCapability RayQueryKHR
    OpExtension \"SPV_KHR_ray_query\"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main \"main\"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %scene DescriptorSet 0
    OpDecorate %scene Binding 0
    OpDecorate %out DescriptorSet 0
    OpDecorate %out Binding 1
    OpDecorate %floats ArrayStride 4
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %block BufferBlock
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %f32 = OpTypeFloat 32
    %u32 = OpTypeInt 32 0
    %vec3 = OpTypeVector %f32 3
    %query = OpTypeRayQueryKHR
    %to_query = OpTypePointer Function %query
    %structure = OpTypeAccelerationStructureKHR
    %to_structure = OpTypePointer UniformConstant %structure
    %scene = OpVariable %to_structure UniformConstant
    %floats = OpTypeRuntimeArray %f32
    %block = OpTypeStruct %floats
    %to_block = OpTypePointer Uniform %block
    %to_float = OpTypePointer Uniform %f32
    %out = OpVariable %to_block Uniform
    %u0 = OpConstant %u32 0
    %u1 = OpConstant %u32 1
    %u2 = OpConstant %u32 2
    %u255 = OpConstant %u32 255
    %f0 = OpConstant %f32 0
    %f1 = OpConstant %f32 1
    %f10 = OpConstant %f32 10
    %quarter = OpConstant %f32 0.25
    %down = OpConstant %f32 -1
    %origin = OpConstantComposite %vec3 %quarter %quarter %f1
    %direction = OpConstantComposite %vec3 %f0 %f0 %down
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %a = OpVariable %to_query Function
    %b = OpVariable %to_query Function
    %s = OpLoad %structure %scene
    OpRayQueryInitializeKHR %a %s %u0 %u255 %origin %f0 %direction %f10
    %value = OpLoad %query %a
    %more_a = OpRayQueryProceedKHR %bool %a
    OpStore %b %value
    %before = OpRayQueryGetIntersectionTypeKHR %u32 %b %u1
    %before_f = OpConvertUToF %f32 %before
    %more_b = OpRayQueryProceedKHR %bool %b
    %t_a = OpRayQueryGetIntersectionTKHR %f32 %a %u1
    %t_b = OpRayQueryGetIntersectionTKHR %f32 %b %u1
    %out_0 = OpAccessChain %to_float %out %u0 %u0
    OpStore %out_0 %t_a
    %out_1 = OpAccessChain %to_float %out %u0 %u1
    OpStore %out_1 %before_f
    %out_2 = OpAccessChain %to_float %out %u0 %u2
    OpStore %out_2 %t_b
    OpReturn
    OpFunctionEnd";

#[test]
fn queries_are_copied_by_value() {
    for device in devices() {
        let test = ShaderTest::spirv_text(COPIED).unwrap().on(&device);
        let run =
            test.triangles(0, 0, &scene(), true).bind_zeros::<f32>(0, 1, 3).dispatch([1, 1, 1]).unwrap();
        assert_eq!(run.read::<f32>(0, 1).unwrap(), [0.5, 0.0, 0.5]);
    }
}
