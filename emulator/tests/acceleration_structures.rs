//! Acceleration structures: builds of hostile input, the memory of trees, structures as bytes, threads.

#![cfg(feature = "glsl")]

use quadrille::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, Indices, IndirectRanges,
    StructureBuild, StructureGeometry, VERSION_BYTES,
};
use quadrille::{
    Buffer, BufferDesc, BufferUsage, BuildFlags, Device, DeviceOptions, Error, Format, GeometryFlags,
    QueryKind, ShaderTest,
};

const INPUT: BufferUsage =
    BufferUsage(BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT.0 | BufferUsage::SHADER_DEVICE_ADDRESS.0);

/// The distances at which rays from z = 1 downwards hit, in a grid of 8x8 over the unit square; -1 for none.
const LOOK: &str = "
    #version 460
    #extension GL_EXT_ray_query : require
    layout(local_size_x = 8, local_size_y = 8) in;
    layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
    layout(set = 0, binding = 1) buffer Out { float hits[]; };
    void main() {
        vec2 at = (vec2(gl_GlobalInvocationID.xy) + 0.5) / 8.0;
        rayQueryEXT query;
        rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xff, vec3(at, 1.0), 0.0, vec3(0, 0, -1), 1e9);
        while (rayQueryProceedEXT(query)) rayQueryConfirmIntersectionEXT(query);
        bool hit = rayQueryGetIntersectionTypeEXT(query, true) != 0u;
        hits[gl_LocalInvocationIndex] = hit ? rayQueryGetIntersectionTEXT(query, true) : -1.0;
    }";

fn device() -> Device {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() }).unwrap()
}

/// A structure of this size.
fn structure(device: &Device, size: u64) -> AccelerationStructure {
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE;
    let buffer = device.create_bound_buffer(BufferDesc { size, usage }).unwrap();
    device
        .create_acceleration_structure(&AccelerationStructureDesc { buffer: &buffer, offset: 0, size })
        .unwrap()
}

fn sized(device: &Device, data: GeometryData, count: u32) -> (AccelerationStructure, StructureGeometry) {
    let geometry = StructureGeometry::new(data, GeometryFlags::OPAQUE);
    let size = device.acceleration_structure_sizes(&[(geometry, count)]).structure;
    (structure(device, size), geometry)
}

/// Builds a structure of a geometry with this range.
fn built(device: &Device, data: GeometryData, range: BuildRange, flags: BuildFlags) -> AccelerationStructure {
    let (dst, geometry) = sized(device, data, range.primitive_count);
    let build = StructureBuild { flags, update: None, dst: dst.clone(), geometries: vec![(geometry, range)] };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end().unwrap();
    device.queue().run(&commands).unwrap();
    dst
}

fn count(primitive_count: u32) -> BuildRange {
    BuildRange { primitive_count, ..BuildRange::default() }
}

/// Words of an instance without transform that every ray sees.
fn instance(of: u64) -> [u32; 16] {
    let one = 1.0f32.to_bits();
    [one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, 0, 0xff << 24, 0, of as u32, (of >> 32) as u32]
}

/// The distances at which rays hit one instance of a bottom level.
fn look(device: &Device, bottom: &AccelerationStructure) -> Vec<f32> {
    let instances = device.create_buffer_with(&instance(bottom.device_address()), INPUT).unwrap();
    let data = GeometryData::Instances { data: instances.device_address().unwrap(), pointers: false };
    look_at(device, &built(device, data, count(1), BuildFlags::NONE))
}

fn look_at(device: &Device, top: &AccelerationStructure) -> Vec<f32> {
    let test = ShaderTest::glsl(LOOK).unwrap().on(device).structure(0, 0, top);
    test.bind_zeros::<f32>(0, 1, 64).dispatch([1, 1, 1]).unwrap().read(0, 1).unwrap()
}

/// Two triangles that cover the unit square at a height.
fn square(z: f32) -> [[f32; 3]; 6] {
    [[0., 0., z], [1., 0., z], [0., 1., z], [1., 1., z], [0., 1., z], [1., 0., z]]
}

fn triangles(vertices: u64, stride: u64, indices: Indices, max_vertex: u32) -> GeometryData {
    let format = Format::R32G32B32_SFLOAT;
    GeometryData::Triangles { format, vertices, stride, max_vertex, indices, transform: 0 }
}

const MISS: [f32; 64] = [-1.0; 64];
const HIT: [f32; 64] = [1.0; 64];

#[test]
fn input_in_no_buffer_is_inactive() {
    let device = device();
    let vertices = device.create_buffer_with(&square(0.0), INPUT).unwrap();
    let at = vertices.device_address().unwrap();
    let end = at + vertices.size();
    for flags in [BuildFlags::NONE, BuildFlags::ALLOW_UPDATE] {
        let look = |data, range| look(&device, &built(&device, data, range, flags));
        assert_eq!(look(triangles(at, 12, Indices::None, 5), count(2)), HIT);
        for address in [0, 12345, u64::MAX, end, end + 1, at.wrapping_neg()] {
            assert_eq!(look(triangles(address, 12, Indices::None, 5), count(2)), MISS, "{address:#x}");
            for indices in [Indices::U8(address), Indices::U16(address), Indices::U32(address)] {
                assert_eq!(look(triangles(at, 12, indices, 5), count(2)), MISS, "{address:#x}");
            }
            assert_eq!(look(GeometryData::Aabbs { data: address, stride: 24 }, count(3)), MISS);
            let of = |pointers| GeometryData::Instances { data: address, pointers };
            let tops = [false, true].map(|pointers| built(&device, of(pointers), count(3), flags));
            tops.iter().for_each(|top| assert_eq!(look_at(&device, top), MISS, "{address:#x}"));
        }
        // More triangles than the buffer has, and offsets beyond its end.
        assert_eq!(look(triangles(at, 12, Indices::None, 5), count(1000)), HIT);
        let beyond = BuildRange { primitive_offset: u32::MAX, first_vertex: u32::MAX, ..count(2) };
        assert_eq!(look(triangles(at, 12, Indices::None, 5), beyond), MISS);
        // A matrix in no buffer.
        let mut data = triangles(at, 12, Indices::None, 5);
        if let GeometryData::Triangles { transform, .. } = &mut data {
            *transform = end - 4;
        }
        assert_eq!(look(data, count(2)), MISS);
    }
}

/// Spec: Vulkan, vkCmdBuildAccelerationStructuresKHR: a top level may hold references to the structures of its instances.
#[test]
fn top_levels_see_new_contents_of_bottom_levels() {
    let device = device();
    let [low, high] = [0.0, 0.5].map(|z| device.create_buffer_with(&square(z), INPUT).unwrap());
    let data = |of: &Buffer| triangles(of.device_address().unwrap(), 12, Indices::None, 5);
    let bottom = built(&device, data(&low), count(2), BuildFlags::ALLOW_UPDATE);
    let instances = device.create_buffer_with(&instance(bottom.device_address()), INPUT).unwrap();
    let list = GeometryData::Instances { data: instances.device_address().unwrap(), pointers: false };
    let top = built(&device, list, count(1), BuildFlags::NONE);
    assert_eq!(look_at(&device, &top), HIT);
    for (of, update, want) in [(&high, true, 0.5), (&low, false, 1.0), (&high, false, 0.5)] {
        let geometry = StructureGeometry::new(data(of), GeometryFlags::OPAQUE);
        let build = StructureBuild {
            flags: BuildFlags::ALLOW_UPDATE,
            update: update.then(|| bottom.clone()),
            dst: bottom.clone(),
            geometries: vec![(geometry, count(2))],
        };
        let mut commands = device.create_command_buffer();
        commands.build_acceleration_structures(&[build]).end().unwrap();
        device.queue().run(&commands).unwrap();
        assert_eq!(look_at(&device, &top), [want; 64]);
    }
    // A copy replaces the contents too, and the contents stay when the library's object is gone.
    bottom.copy_from(&built(&device, data(&low), count(2), BuildFlags::NONE)).unwrap();
    assert_eq!(look_at(&device, &top), HIT);
    drop(bottom);
    assert_eq!(look_at(&device, &top), HIT);
}

#[test]
fn strides_and_indices_can_be_anything() {
    let device = device();
    let vertices = device.create_buffer_with(&square(0.0), INPUT).unwrap();
    let at = vertices.device_address().unwrap();
    let look = |data, range| look(&device, &built(&device, data, range, BuildFlags::NONE));
    // All vertices are one.
    assert_eq!(look(triangles(at, 0, Indices::None, 5), count(100)), MISS);
    assert_eq!(look(triangles(at, u64::MAX, Indices::None, 5), count(2)), MISS);
    assert_eq!(look(GeometryData::Aabbs { data: at, stride: 0 }, count(100)), MISS);
    assert_eq!(look(GeometryData::Aabbs { data: at, stride: u64::MAX }, count(100)), MISS);
    // The second triangle is beyond the highest vertex; then each vertex is far from the next.
    let list = [0u32, 1, 2, 3, 4, 5, 0, 1, u32::MAX, 7, 0xffff_fff0, 1];
    let indices = device.create_buffer_with(&list, INPUT).unwrap();
    let all = Indices::U32(indices.device_address().unwrap());
    let half = look(triangles(at, 12, all, 2), count(2));
    assert_eq!((half[0], half[63]), (1.0, -1.0));
    assert_eq!(look(triangles(at, 12, all, 5), count(4)), HIT);
    assert_eq!(look(triangles(at, 12, all, u32::MAX), count(4)), HIT);
    let first = BuildRange { first_vertex: u32::MAX, ..count(4) };
    assert_eq!(look(triangles(at, 12, all, u32::MAX), first), MISS);
}

#[test]
fn values_that_are_no_numbers_are_inactive() {
    let device = device();
    for flags in [BuildFlags::NONE, BuildFlags::ALLOW_UPDATE, BuildFlags::PREFER_FAST_BUILD] {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            // The square, and triangles with one such coordinate each.
            let mut corners = square(0.0).to_vec();
            for place in 0..9 {
                let mut triangle = [[0.1f32, 0.1, 0.9], [0.9, 0.1, 0.9], [0.1, 0.9, 0.9]];
                triangle.as_flattened_mut()[place] = bad;
                corners.extend(triangle);
            }
            let vertices = device.create_buffer_with(&corners, INPUT).unwrap();
            let data = triangles(vertices.device_address().unwrap(), 12, Indices::None, 100);
            let seen = look(&device, &built(&device, data, count(11), flags));
            // Rays near the edges only meet the square.
            assert_eq!((seen[0], seen[63]), (1.0, 1.0), "{bad} {flags:?}");
            if bad.is_nan() {
                assert_eq!(seen, HIT, "{flags:?}");
            }
            let bottom = built(&device, data, count(2), flags);
            let mut instances = [instance(bottom.device_address()); 13];
            for place in 0..12 {
                instances[place + 1][place] = bad.to_bits();
            }
            let instances = device.create_buffer_with(&instances, INPUT).unwrap();
            let data = instances.device_address().unwrap();
            let top = built(&device, GeometryData::Instances { data, pointers: false }, count(13), flags);
            assert_eq!(look_at(&device, &top)[0].max(1.0), 1.0, "{bad} {flags:?}");
        }
    }
}

#[test]
fn builds_that_do_not_fit_are_refused() {
    let device = device();
    let vertices = device.create_buffer_with(&square(0.0), INPUT).unwrap();
    let data = triangles(vertices.device_address().unwrap(), 0, Indices::None, 5);
    let (dst, geometry) = sized(&device, data, 2);
    let record = |n: u32, geometries: usize| {
        let geometries = vec![(geometry, count(n)); geometries];
        let build = StructureBuild { flags: BuildFlags::NONE, update: None, dst: dst.clone(), geometries };
        device.create_command_buffer().build_acceleration_structures(&[build]).end()
    };
    record(2, 1).unwrap();
    assert!(matches!(record(1 << 20, 1), Err(Error::Invalid { .. })));
    assert!(matches!(record(u32::MAX, 1), Err(Error::Limit(_))));
    assert!(matches!(record(1 << 28, 3), Err(Error::Limit(_))));
    // Ranges in memory cannot ask for more than was recorded.
    let ranges = device.create_buffer_with(&[u32::MAX, 0, 0, 0], INPUT).unwrap();
    for address in [ranges.device_address().unwrap(), 7, u64::MAX] {
        let build = StructureBuild {
            flags: BuildFlags::NONE,
            update: None,
            dst: dst.clone(),
            geometries: vec![(geometry, count(2))],
        };
        let mut commands = device.create_command_buffer();
        let ranges = IndirectRanges { address, stride: u32::MAX };
        commands.build_acceleration_structures_indirect(&[(build, ranges)]).end().unwrap();
        device.queue().run(&commands).unwrap();
        assert_eq!(look(&device, &dst), MISS);
    }
    let integers = GeometryData::Triangles {
        format: Format::R32G32B32_UINT,
        vertices: 0,
        stride: 12,
        max_vertex: 0,
        indices: Indices::None,
        transform: 0,
    };
    let geometries = vec![(StructureGeometry::new(integers, GeometryFlags::NONE), count(1))];
    let build = StructureBuild { flags: BuildFlags::NONE, update: None, dst, geometries };
    let refused = device.create_command_buffer().build_acceleration_structures(&[build]).end();
    assert!(matches!(refused, Err(Error::Unsupported { .. })));
}

/// A top level keeps the trees that it refers to, and a build that finds no structure has an inactive instance.
#[test]
fn structures_are_destroyed_while_others_refer_to_them() {
    let device = device();
    let used = device.heap_used();
    let vertices = device.create_buffer_with(&square(0.0), INPUT).unwrap();
    let data = triangles(vertices.device_address().unwrap(), 12, Indices::None, 5);
    let bottom = built(&device, data, count(2), BuildFlags::ALLOW_UPDATE);
    let instances = device.create_buffer_with(&instance(bottom.device_address()), INPUT).unwrap();
    let of = instances.device_address().unwrap();
    let data = GeometryData::Instances { data: of, pointers: false };
    let top = built(&device, data, count(1), BuildFlags::ALLOW_UPDATE);
    assert_eq!(look_at(&device, &top), HIT);
    drop(bottom);
    assert_eq!(look_at(&device, &top), HIT);
    let geometry = StructureGeometry::new(data, GeometryFlags::OPAQUE);
    let mut commands = device.create_command_buffer();
    let build = StructureBuild {
        flags: BuildFlags::ALLOW_UPDATE,
        update: Some(top.clone()),
        dst: top.clone(),
        geometries: vec![(geometry, count(1))],
    };
    commands.build_acceleration_structures(&[build]).end().unwrap();
    device.queue().run(&commands).unwrap();
    assert_eq!(look_at(&device, &top), MISS);
    assert!(device.heap_used() > used);
    drop((commands, top, instances, vertices));
    assert_eq!(device.heap_used(), used);
}

/// Trees count as memory of the device.
#[test]
fn trees_are_limited_by_the_heap() {
    let device = Device::new(DeviceOptions { heap_bytes: 1 << 20, ..DeviceOptions::default() }).unwrap();
    let corners: Vec<[f32; 3]> = (0..3000).flat_map(|i| square(i as f32)).collect();
    let vertices = device.create_buffer_with(&corners, INPUT).unwrap();
    let data = triangles(vertices.device_address().unwrap(), 12, Indices::None, u32::MAX);
    let (dst, geometry) = sized(&device, data, 4000);
    let geometries = vec![(geometry, count(4000))];
    let build = StructureBuild { flags: BuildFlags::NONE, update: None, dst: dst.clone(), geometries };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end().unwrap();
    assert!(device.queue().run(&commands).is_err());
    assert!(!dst.is_built());
}

#[test]
fn trees_do_not_depend_on_threads() {
    let corners: Vec<[f32; 3]> = (0..20_000).flat_map(|i| square((i * 7919 % 10_007) as f32)).collect();
    let bytes = [1, 3].map(|threads| {
        let device = Device::new(DeviceOptions { threads, ..DeviceOptions::default() }).unwrap();
        let vertices = device.create_buffer_with(&corners, INPUT).unwrap();
        let data = triangles(vertices.device_address().unwrap(), 12, Indices::None, u32::MAX);
        let bottom = built(&device, data, count(40_000), BuildFlags::NONE);
        bottom.to_bytes(&[1; VERSION_BYTES]).unwrap()
    });
    assert!(bytes[0] == bytes[1]);
}

/// Damaged bytes are refused, or give a structure in which every ray ends.
#[test]
fn damaged_bytes_do_no_harm() {
    let device = device();
    let version = [7; VERSION_BYTES];
    let vertices = device.create_buffer_with(&square(0.0), INPUT).unwrap();
    let data = triangles(vertices.device_address().unwrap(), 12, Indices::None, 5);
    let bottom = built(&device, data, count(2), BuildFlags::NONE);
    let bytes = bottom.to_bytes(&version).unwrap();
    assert_eq!(
        bottom.property(QueryKind::AccelerationStructureSerializationSize).unwrap(),
        bytes.len() as u64
    );
    let copy = structure(&device, 1 << 16);
    assert!(copy.to_bytes(&version).is_err(), "nothing was built");
    copy.set_bytes(&bytes, &version).unwrap();
    assert_eq!(look(&device, &copy), HIT);
    assert!(copy.set_bytes(&bytes, &[8; VERSION_BYTES]).is_err());
    for len in [0, 8, VERSION_BYTES, VERSION_BYTES + 23, bytes.len() - 1] {
        assert!(copy.set_bytes(&bytes[..len], &version).is_err(), "{len} bytes");
    }
    let mut seed = 1u64;
    let mut accepted = 0;
    for _ in 0..200 {
        let mut damaged = bytes.clone();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (seed >> 33) as usize % damaged.len();
        damaged[at] ^= 1 << (seed >> 20 & 7);
        if copy.set_bytes(&damaged, &version).is_ok() && accepted < 10 {
            accepted += 1;
            look(&device, &copy);
        }
    }
    // On the device, an error ends the submission.
    let buffer: Buffer = device.create_buffer_with(&[0u8; 100], INPUT).unwrap();
    let mut commands = device.create_command_buffer();
    commands.deserialize_acceleration_structure((&buffer, 0), &copy, version).end().unwrap();
    assert!(device.queue().run(&commands).is_err());
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// A number of any size.
    fn any(&mut self) -> u64 {
        let shift = self.below(64);
        (self.below(1 << 31) << 33 | self.below(1 << 31)) >> shift
    }

    /// An address in one of some buffers, often near an end, or any number.
    fn address(&mut self, buffers: &[Buffer]) -> u64 {
        let buffer = &buffers[self.below(buffers.len() as u64) as usize];
        let at = buffer.device_address().unwrap();
        match self.below(8) {
            0 => self.any(),
            1 => at + buffer.size() - self.below(100),
            2 => at + self.below(buffer.size()),
            _ => at + 4 * self.below(16),
        }
    }

    fn data(&mut self, buffers: &[Buffer]) -> GeometryData {
        let stride = if self.below(4) == 0 { self.any() } else { self.below(40) };
        match self.below(4) {
            0 => GeometryData::Aabbs { data: self.address(buffers), stride },
            1 => GeometryData::Instances { data: self.address(buffers), pointers: self.below(2) == 0 },
            _ => GeometryData::Triangles {
                format: Format::from_vk(1 + self.below(130) as u32).unwrap_or(Format::R32G32B32_SFLOAT),
                vertices: self.address(buffers),
                stride,
                max_vertex: self.any() as u32,
                indices: match self.below(4) {
                    0 => Indices::None,
                    1 => Indices::U8(self.address(buffers)),
                    2 => Indices::U16(self.address(buffers)),
                    _ => Indices::U32(self.address(buffers)),
                },
                transform: if self.below(3) == 0 { self.address(buffers) } else { 0 },
            },
        }
    }

    fn range(&mut self) -> BuildRange {
        let count = if self.below(20) == 0 { self.any() as u32 } else { self.below(200) as u32 };
        let mut offset = || if self.below(3) == 0 { self.any() as u32 } else { 0 };
        let (primitive_offset, first_vertex, transform_offset) = (offset(), offset(), offset());
        BuildRange { primitive_count: count, primitive_offset, first_vertex, transform_offset }
    }
}

/// Random builds and updates from random bytes, copies and rays: commands that are recorded run, and every ray ends.
#[test]
fn random_builds_do_no_harm() {
    let device = device();
    let mut random = Random(5);
    let words = |random: &mut Random, n: usize| -> Vec<u32> {
        let word = |_| match random.below(4) {
            0 => (random.below(200) as f32 / 50.0 - 2.0).to_bits(),
            1 => random.below(100) as u32,
            _ => random.any() as u32,
        };
        (0..n).map(word).collect()
    };
    let buffers: Vec<Buffer> =
        [16, 300, 3000].map(|n| device.create_buffer_with(&words(&mut random, n), INPUT).unwrap()).to_vec();
    let structures: Vec<_> = (0..6).map(|i| structure(&device, 256 << (2 * i))).collect();
    let mut ran = 0;
    for round in 0..400 {
        let pick = |random: &mut Random| structures[random.below(6) as usize].clone();
        let (src, dst) = (pick(&mut random), pick(&mut random));
        let mut commands = device.create_command_buffer();
        if random.below(8) == 0 && src.is_built() {
            commands.copy_acceleration_structure(&src, &dst);
        } else {
            let update = (random.below(3) == 0).then_some(src);
            let geometries = (0..1 + random.below(2)).map(|_| {
                let flags = GeometryFlags(random.below(4) as u32);
                let mut range = random.range();
                if update.is_some() {
                    range.primitive_count = range.primitive_count.min(200);
                }
                (StructureGeometry::new(random.data(&buffers), flags), range)
            });
            let geometries = geometries.collect();
            // An update that changes too much builds anew, for which the last structure is large enough.
            let dst = if update.is_some() { structures[5].clone() } else { dst.clone() };
            let flags = BuildFlags(random.below(16) as u32);
            commands.build_acceleration_structures(&[StructureBuild { flags, update, dst, geometries }]);
        }
        if commands.end().is_ok() {
            device.queue().run(&commands).unwrap_or_else(|e| panic!("round {round}: {e}"));
            ran += 1;
            if ran % 10 == 0 {
                look_at(&device, &dst);
                look(&device, &dst);
            }
        }
    }
    assert!(ran > 50, "{ran} of 400 ran");
}

/// Threads that share a device take addresses which others have just given back. A top level keeps its own bottom level.
#[test]
fn threads_of_a_device_see_their_own_structures() {
    let device = device();
    let look = |thread: u8, round: usize| {
        let z = f32::from(thread) / 8.0;
        let vertices = device.create_buffer_with(&square(z), INPUT).unwrap();
        let data = triangles(vertices.device_address().unwrap(), 12, Indices::None, 5);
        let bottom = built(&device, data, count(2), BuildFlags::NONE);
        let instances = device.create_buffer_with(&instance(bottom.device_address()), INPUT).unwrap();
        let list = GeometryData::Instances { data: instances.device_address().unwrap(), pointers: false };
        let top = built(&device, list, count(1), BuildFlags::NONE);
        drop(bottom);
        assert_eq!(look_at(&device, &top), [1.0 - z; 64], "thread {thread}, round {round}");
    };
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let look = &look;
            scope.spawn(move || (0..150).for_each(|round| look(thread, round)));
        }
    });
}
