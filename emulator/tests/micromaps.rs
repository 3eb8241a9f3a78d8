//! Opacity micromaps: formats, special indices, flags of instances and rays; hostile input; micromaps as bytes.

#![cfg(feature = "glsl")]

use quadrille::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, Indices, StructureBuild,
    StructureGeometry, TriangleOpacity, VERSION_BYTES, micromap_states,
};
use quadrille::{
    BufferDesc, BufferUsage, BuildFlags, Device, DeviceOptions, Format, GeometryFlags, QueryKind, ShaderTest,
};

const INPUT: BufferUsage =
    BufferUsage(BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT.0 | BufferUsage::SHADER_DEVICE_ADDRESS.0);

/// Rays to the centres of the four parts of a triangle, in the order of a micromap: 0 if they miss, 1 for an opaque hit, 2
/// for a candidate.
const LOOK: &str = "
    #version 460
    #extension GL_EXT_ray_query : require
    #extension GL_EXT_opacity_micromap : require
    layout(local_size_x = 4) in;
    layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
    layout(set = 0, binding = 1) buffer Out { uint found[]; };
    const vec2 AT[4] = vec2[](vec2(1, 1) / 6.0, vec2(1, 1) / 3.0, vec2(4, 1) / 6.0, vec2(1, 4) / 6.0);
    void main() {
        uint k = gl_LocalInvocationIndex;
        rayQueryEXT query;
        rayQueryInitializeEXT(query, scene, FLAGS, 0xff, vec3(AT[k], 1.0), 0.0, vec3(0, 0, -1), 1e9);
        bool candidate = rayQueryProceedEXT(query);
        found[k] = candidate ? 2u : rayQueryGetIntersectionTypeEXT(query, true);
    }";

const NONE: &str = "gl_RayFlagsNoneEXT";
const TWO_STATES: &str = "gl_RayFlagsForceOpacityMicromap2StateEXT";
/// Flags of instances. Spec: Vulkan, VkGeometryInstanceFlagBitsKHR.
const FORCE_TWO_STATES: u32 = 0x10;
const DISABLE: u32 = 0x20;
/// Numbers of formats. Spec: Vulkan, VkOpacityMicromapFormatEXT.
const TWO: u32 = 1;
const FOUR: u32 = 2;

fn build(device: &Device, geometry: StructureGeometry, count: u32) -> AccelerationStructure {
    let size = device.acceleration_structure_sizes(&[(geometry, count)]).structure;
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::MICROMAP_STORAGE;
    let buffer = device.create_bound_buffer(BufferDesc { size, usage }).unwrap();
    let desc = AccelerationStructureDesc { buffer: &buffer, offset: 0, size };
    let dst = device.create_acceleration_structure(&desc).unwrap();
    let range = BuildRange { primitive_count: count, ..BuildRange::default() };
    let build = StructureBuild {
        flags: BuildFlags::NONE,
        update: None,
        dst: dst.clone(),
        geometries: vec![(geometry, range)],
    };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end().unwrap();
    device.queue().run(&commands).unwrap();
    dst
}

/// A micromap of triangles (offset, level and format) with these states.
fn micromap(device: &Device, triangles: &[(u32, u16, u16)], states: &[u8]) -> AccelerationStructure {
    let words: Vec<[u32; 2]> = triangles
        .iter()
        .map(|&(at, level, format)| [at, u32::from(level) | u32::from(format) << 16])
        .collect();
    let (data, list) = (
        device.create_buffer_with(states, INPUT).unwrap(),
        device.create_buffer_with(&words, INPUT).unwrap(),
    );
    let bytes =
        triangles.iter().map(|&(_, level, format)| micromap_states(format.into(), level.into())).sum();
    let data = GeometryData::Micromap {
        data: data.device_address().unwrap(),
        triangles: list.device_address().unwrap(),
        stride: 8,
        states: bytes,
    };
    build(device, StructureGeometry::new(data, GeometryFlags::NONE), triangles.len() as u32)
}

/// Result of rays to a triangle whose opacity is that of an index of a micromap.
fn look(
    device: &Device,
    map: Option<&AccelerationStructure>,
    index: u32,
    opaque: bool,
    instance: u32,
    ray: &str,
) -> Vec<u32> {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let vertices = device.create_buffer_with(&corners, INPUT).unwrap();
    let indices = device.create_buffer_with(&[index], INPUT).unwrap();
    let data = GeometryData::Triangles {
        format: Format::R32G32B32_SFLOAT,
        vertices: vertices.device_address().unwrap(),
        stride: 12,
        max_vertex: 2,
        indices: Indices::None,
        transform: 0,
    };
    let opacity = TriangleOpacity {
        indices: Indices::U32(indices.device_address().unwrap()),
        stride: 4,
        base: 0,
        micromap: map.map_or(0, AccelerationStructure::device_address),
    };
    let flags = if opaque { GeometryFlags::OPAQUE } else { GeometryFlags::NONE };
    let bottom =
        build(device, StructureGeometry { opacity: Some(opacity), ..StructureGeometry::new(data, flags) }, 1);
    let (one, of) = (1.0f32.to_bits(), bottom.device_address());
    let words =
        [one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, 0, 0xff << 24, instance << 24, of as u32, (of >> 32) as u32];
    let instances = device.create_buffer_with(&words, INPUT).unwrap();
    let data = GeometryData::Instances { data: instances.device_address().unwrap(), pointers: false };
    let top = build(device, StructureGeometry::new(data, GeometryFlags::NONE), 1);
    let test = ShaderTest::glsl(&LOOK.replace("FLAGS", ray)).unwrap().on(device).structure(0, 0, &top);
    test.bind_zeros::<u32>(0, 1, 4).dispatch([1, 1, 1]).unwrap().read(0, 1).unwrap()
}

fn devices() -> [Device; 2] {
    [true, false]
        .map(|interp| Device::new(DeviceOptions { interp, threads: 2, ..DeviceOptions::default() }).unwrap())
}

/// Spec: Vulkan, "Ray Opacity Micromap", the table of results.
#[test]
fn parts_of_triangles_have_states() {
    for device in devices() {
        let map = micromap(&device, &[(1, 1, FOUR as u16), (0, 1, TWO as u16)], &[0b0101, 0b11_10_01_00]);
        let look = |index, instance, ray| look(&device, Some(&map), index, true, instance, ray);
        assert_eq!(look(0, 0, NONE), [0, 1, 2, 2]);
        for (instance, ray) in [(0, TWO_STATES), (FORCE_TWO_STATES, NONE), (FORCE_TWO_STATES, TWO_STATES)] {
            assert_eq!(look(0, instance, ray), [0, 1, 0, 1]);
            assert_eq!(look(1, instance, ray), [1, 0, 1, 0]);
        }
        assert_eq!(look(1, 0, NONE), [1, 0, 1, 0]);
        assert_eq!(look(0, DISABLE, NONE), [1; 4]);
        // Flags change the opacity of parts that are not transparent.
        assert_eq!(look(0, 0, "gl_RayFlagsOpaqueEXT"), [0, 1, 1, 1]);
        assert_eq!(look(0, 0, "gl_RayFlagsNoOpaqueEXT"), [0, 2, 2, 2]);
        assert_eq!(look(0, 0, "gl_RayFlagsCullOpaqueEXT"), [0, 0, 2, 2]);
        assert_eq!(look(0, 0, "gl_RayFlagsCullNoOpaqueEXT"), [0, 1, 0, 0]);
        // Triangles that do not exist are transparent.
        assert_eq!(look(2, 0, NONE), [0; 4]);
    }
}

#[test]
fn special_indices_are_states() {
    for device in devices() {
        for map in [None, Some(micromap(&device, &[(0, 0, 1)], &[1]))] {
            let look = |index: i32, ray| look(&device, map.as_ref(), index as u32, false, 0, ray);
            let found = [-1, -2, -3, -4].map(|index| look(index, NONE)[0]);
            assert_eq!(found, [0, 1, 2, 2]);
            let found = [-1, -2, -3, -4].map(|index| look(index, TWO_STATES)[0]);
            assert_eq!(found, [0, 1, 0, 1]);
            assert_eq!(look(0, NONE), [u32::from(map.is_some()); 4]);
        }
    }
}

#[test]
fn hostile_micromaps_are_transparent() {
    for device in devices() {
        let triangles = [(u32::MAX, 1, 2), (100, 12, 2), (0, 13, 1), (0, 1, 3), (0, u16::MAX, 0)];
        let map = micromap(&device, &triangles, &[0xff; 4]);
        for index in 0..triangles.len() as u32 {
            assert_eq!(look(&device, Some(&map), index, true, 0, NONE), [0; 4], "{index}");
        }
        // A structure that is not a micromap.
        let other = device.create_buffer_with(&[0.0f32; 6], INPUT).unwrap();
        let data = GeometryData::Aabbs { data: other.device_address().unwrap(), stride: 24 };
        let boxes = build(&device, StructureGeometry::new(data, GeometryFlags::NONE), 1);
        assert_eq!(look(&device, Some(&boxes), 0, true, 0, NONE), [0; 4]);
    }
}

#[test]
fn micromaps_come_back_from_bytes() {
    let [_, device] = devices();
    let map = micromap(&device, &[(0, 1, FOUR as u16)], &[0b11_10_01_00]);
    let version = [7; VERSION_BYTES];
    let bytes = map.to_bytes(&version).unwrap();
    assert_eq!(map.property(QueryKind::AccelerationStructureSerializationSize).unwrap(), bytes.len() as u64);
    let copies = [(); 2].map(|()| micromap(&device, &[(0, 1, TWO as u16)], &[0]));
    copies[0].set_bytes(&bytes, &version).unwrap();
    copies[1].copy_from(&map).unwrap();
    for copy in &copies {
        assert_eq!(look(&device, Some(copy), 0, true, 0, NONE), [0, 1, 2, 2]);
    }
    for cut in [bytes.len() - 1, 56, 40, 0] {
        assert!(copies[0].set_bytes(&bytes[..cut], &version).is_err(), "{cut}");
    }
}
