//! Ray tracing: acceleration structures that are built, updated, copied and destroyed, and traces with random shader
//! binding tables.
//!
//! A [`Scene`] has everything that one trace needs. A command buffer that traces also builds, so that it may be submitted
//! any number of times. The results go to a buffer of the model, which does not predict them: two runs must agree.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use quadrille::Stage;

use super::super::model::{Effect, Range, Trust};
use super::micromaps::{self, MICROMAP, Micromap};
use super::objects::MOST;
use super::record::Recorder;
use super::{Shared, Uid, World};

use vk::BufferUsageFlags as Usage;

const HEADER: &str = "#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) buffer Out { uint words[]; };
layout(push_constant) uniform Push { uvec2 top, results; uint flags, offset, stride, index; } push;
layout(shaderRecordEXT) buffer Record { uint word; } record;
";

/// Shaders of the pipeline. Hits trace rays up to the recursion depth.
const SHADERS: [(Stage, &str); 6] = [
    (
        Stage::RayGeneration,
        "layout(location = 0) rayPayloadEXT uvec2 payload; layout(location = 1) callableDataEXT uint data;
        void main() {
            uint i = gl_LaunchIDEXT.x + gl_LaunchSizeEXT.x * gl_LaunchIDEXT.y;
            payload = uvec2(i, 1u);
            vec3 from = vec3(gl_LaunchIDEXT.xy, 5.0) + vec3(0.3, 0.3, 0.0);
            traceRayEXT(accelerationStructureEXT(push.top), push.flags, 0xff, push.offset, push.stride, push.index,
                from, 0.0, vec3(0.01, 0.02, -1.0), 100.0, 0);
            data = payload.x;
            executeCallableEXT(push.index, 1);
            Out(push.results).words[i] = data ^ payload.y ^ record.word;
        }",
    ),
    (
        Stage::Miss,
        "layout(location = 0) rayPayloadInEXT uvec2 payload;
        void main() { payload = payload * 3u + record.word; }",
    ),
    (
        Stage::ClosestHit,
        "layout(location = 0) rayPayloadInEXT uvec2 payload; layout(location = 1) rayPayloadEXT uvec2 next;
        void main() {
            payload.x = payload.x * 31u + uint(gl_PrimitiveID) + record.word + uint(gl_InstanceCustomIndexEXT);
            payload.y += uint(gl_HitTEXT * 16.0);
            if (record.word % 3u == 0u && payload.x % 2u == 0u) {
                next = payload;
                vec3 from = gl_WorldRayOriginEXT + gl_HitTEXT * gl_WorldRayDirectionEXT;
                traceRayEXT(accelerationStructureEXT(push.top), gl_RayFlagsSkipClosestHitShaderEXT, 0xff, 0, 0,
                    push.index, from, 0.01, vec3(0.1, 0.2, 1.0), 100.0, 1);
                payload ^= next;
            }
        }",
    ),
    (
        Stage::AnyHit,
        "layout(location = 0) rayPayloadInEXT uvec2 payload;
        void main() { if (((uint(gl_PrimitiveID) + record.word) & 1u) == 1u) ignoreIntersectionEXT; }",
    ),
    (
        Stage::Intersection,
        "void main() { reportIntersectionEXT(2.0 + float((uint(gl_PrimitiveID) + record.word) % 5u), 3u); }",
    ),
    (
        Stage::Callable,
        "layout(location = 1) callableDataInEXT uint data; void main() { data = data * 7u + record.word; }",
    ),
];

/// Groups of the pipeline: type, general shader, closest hit, any-hit, intersection.
const GROUPS: [(vk::RayTracingShaderGroupTypeKHR, [u32; 4]); 8] = {
    const NONE: u32 = vk::SHADER_UNUSED_KHR;
    const GENERAL: vk::RayTracingShaderGroupTypeKHR = vk::RayTracingShaderGroupTypeKHR::GENERAL;
    const TRIANGLES: vk::RayTracingShaderGroupTypeKHR = vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP;
    const BOXES: vk::RayTracingShaderGroupTypeKHR = vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP;
    [
        (GENERAL, [0, NONE, NONE, NONE]),
        (GENERAL, [1, NONE, NONE, NONE]),
        (GENERAL, [5, NONE, NONE, NONE]),
        (TRIANGLES, [NONE, 2, NONE, NONE]),
        (TRIANGLES, [NONE, 2, 3, NONE]),
        (TRIANGLES, [NONE, NONE, 3, NONE]),
        (BOXES, [NONE, 2, NONE, 4]),
        (BOXES, [NONE, 2, 3, 4]),
    ]
};

/// Bytes of push constants.
const PUSH: u32 = 32;
/// Rays of a trace, in x and y.
const SIZE: [u32; 2] = [5, 3];

/// The ray tracing pipeline of all programs.
pub(super) struct Tracing {
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
    /// Handles of the groups.
    handles: Vec<u8>,
}

impl Tracing {
    /// Creates the pipeline.
    pub fn new(shared: &Shared) -> Result<Tracing, vk::Result> {
        let d = &shared.client.device;
        let stage = |&(stage, text): &(Stage, &str)| {
            let module = shared.shader(stage, &format!("{HEADER}{text}"))?;
            let flag = match stage {
                Stage::RayGeneration => vk::ShaderStageFlags::RAYGEN_KHR,
                Stage::Miss => vk::ShaderStageFlags::MISS_KHR,
                Stage::ClosestHit => vk::ShaderStageFlags::CLOSEST_HIT_KHR,
                Stage::AnyHit => vk::ShaderStageFlags::ANY_HIT_KHR,
                Stage::Intersection => vk::ShaderStageFlags::INTERSECTION_KHR,
                _ => vk::ShaderStageFlags::CALLABLE_KHR,
            };
            Ok(vk::PipelineShaderStageCreateInfo::default().stage(flag).module(module).name(c"main"))
        };
        let stages = SHADERS.iter().map(stage).collect::<Result<Vec<_>, vk::Result>>()?;
        let groups = GROUPS.map(|(ty, [general, closest, any, intersection])| {
            vk::RayTracingShaderGroupCreateInfoKHR::default()
                .ty(ty)
                .general_shader(general)
                .closest_hit_shader(closest)
                .any_hit_shader(any)
                .intersection_shader(intersection)
        });
        let push = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::ALL, offset: 0, size: PUSH }];
        let none = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
        let bytes = 32 * GROUPS.len();
        // SAFETY: all parameters are valid and outlive the calls.
        unsafe {
            let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
            let layout = d.create_pipeline_layout(&info, None)?;
            let info = vk::RayTracingPipelineCreateInfoKHR::default()
                .flags(vk::PipelineCreateFlags::RAY_TRACING_OPACITY_MICROMAP_EXT)
                .stages(&stages)
                .groups(&groups)
                .max_pipeline_ray_recursion_depth(2)
                .layout(layout);
            let rt = &shared.client.rays;
            let made = rt.create_ray_tracing_pipelines(none.0, none.1, &[info], None).map_err(|e| e.1)?;
            let handles = rt.get_ray_tracing_shader_group_handles(made[0], 0, GROUPS.len() as u32, bytes)?;
            Ok(Tracing { layout, pipeline: made[0], handles })
        }
    }

    /// Destroys the pipeline.
    pub fn destroy(&self, d: &ash::Device) {
        // SAFETY: nothing is in flight.
        unsafe {
            d.destroy_pipeline(self.pipeline, None);
            d.destroy_pipeline_layout(self.layout, None);
        }
    }

    /// Handle of a group; null for `None`.
    fn handle(&self, group: Option<usize>) -> [u8; 32] {
        group.map_or([0; 32], |group| self.handles.as_chunks::<32>().0[group])
    }
}

/// A mapped buffer with an allocation of its own. The model does not track it.
#[derive(Clone, Copy)]
struct Room {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    address: u64,
}

/// A structure in a buffer of its own.
#[derive(Clone, Copy)]
struct Tree {
    handle: vk::AccelerationStructureKHR,
    room: Room,
    address: u64,
}

/// Structures of triangles or boxes, and shader binding tables.
pub(super) struct Scene {
    pub uid: Uid,
    boxes: bool,
    count: u32,
    input: Room,
    instances: Room,
    scratch: Room,
    /// Parameters of indirect traces: the size.
    parameters: Room,
    bottoms: [Tree; 2],
    /// The micromap of the triangles, with its memory.
    micromap: Option<(Micromap, Vec<Room>)>,
    top: Tree,
    tables: Room,
    /// Ray generation, miss, hit and callable.
    regions: [vk::StridedDeviceAddressRegionKHR; 4],
}

type Build<'a> = vk::AccelerationStructureBuildGeometryInfoKHR<'a>;
type Geometry = vk::AccelerationStructureGeometryKHR<'static>;

impl Scene {
    fn geometry(&self) -> Geometry {
        bottom_geometry(self.boxes, self.count, self.input.address)
    }

    fn rooms(&self) -> Vec<Room> {
        let [a, b] = self.bottoms;
        let inputs = [self.input, self.instances, self.scratch, self.parameters, self.tables];
        let of_micromap = self.micromap.as_ref().map_or(&[][..], |(_, rooms)| rooms);
        [&inputs[..], &[a.room, b.room, self.top.room], of_micromap].concat()
    }
}

fn bottom_geometry(boxes: bool, count: u32, address: u64) -> Geometry {
    let data = vk::DeviceOrHostAddressConstKHR { device_address: address };
    let geometry = vk::AccelerationStructureGeometryKHR::default();
    match boxes {
        true => {
            let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR::default().data(data).stride(24);
            let data = vk::AccelerationStructureGeometryDataKHR { aabbs };
            geometry.geometry_type(vk::GeometryTypeKHR::AABBS).geometry(data)
        }
        false => {
            let triangles = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
                .vertex_format(vk::Format::R32G32B32_SFLOAT)
                .vertex_data(data)
                .vertex_stride(12)
                .max_vertex(3 * count - 1)
                .index_type(vk::IndexType::NONE_KHR);
            let data = vk::AccelerationStructureGeometryDataKHR { triangles };
            geometry.geometry_type(vk::GeometryTypeKHR::TRIANGLES).geometry(data)
        }
    }
}

fn top_geometry(address: u64) -> Geometry {
    let data = vk::DeviceOrHostAddressConstKHR { device_address: address };
    let instances = vk::AccelerationStructureGeometryInstancesDataKHR::default().data(data);
    vk::AccelerationStructureGeometryKHR::default()
        .geometry_type(vk::GeometryTypeKHR::INSTANCES)
        .geometry(vk::AccelerationStructureGeometryDataKHR { instances })
}

fn build_info<'a>(ty: vk::AccelerationStructureTypeKHR, geometry: &'a [Geometry; 1]) -> Build<'a> {
    let flags = vk::BuildAccelerationStructureFlagsKHR::ALLOW_UPDATE;
    Build::default().ty(ty).flags(flags).geometries(geometry)
}

fn bytes_of(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

const BOTTOM: vk::AccelerationStructureTypeKHR = vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL;
const TOP: vk::AccelerationStructureTypeKHR = vk::AccelerationStructureTypeKHR::TOP_LEVEL;
/// Instances of a top level.
const INSTANCES: u32 = 2;

impl World<'_> {
    /// Creates a mapped buffer with these contents.
    fn room(&mut self, bytes: &[u8]) -> Option<Room> {
        let (d, client) = (&self.shared.client.device, &self.shared.client);
        let usage = Usage::SHADER_DEVICE_ADDRESS
            | Usage::SHADER_BINDING_TABLE_KHR
            | Usage::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR
            | Usage::ACCELERATION_STRUCTURE_STORAGE_KHR
            | Usage::STORAGE_BUFFER
            | Usage::INDIRECT_BUFFER;
        let info = vk::BufferCreateInfo::default().size(bytes.len().max(4) as u64).usage(usage);
        // SAFETY: the parameters are valid and outlive the calls; memory type 0 exists and is host-visible.
        let made = unsafe {
            (|| -> ash::prelude::VkResult<Room> {
                let buffer = d.create_buffer(&info, None)?;
                let needs = d.get_buffer_memory_requirements(buffer);
                let mut flags =
                    vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
                let info =
                    vk::MemoryAllocateInfo::default().allocation_size(needs.size).push_next(&mut flags);
                let memory = d.allocate_memory(&info, None)?;
                d.bind_buffer_memory(buffer, memory, 0)?;
                let mapped = d.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?;
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), mapped.cast::<u8>(), bytes.len());
                d.unmap_memory(memory);
                let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
                Ok(Room { buffer, memory, address: client.address.get_buffer_device_address(&info) })
            })()
        };
        self.judge("vkCreateBuffer", made)
    }

    /// Creates a structure that fits a build.
    fn tree(
        &mut self,
        ty: vk::AccelerationStructureTypeKHR,
        geometry: Geometry,
        count: u32,
    ) -> Option<(Tree, u64)> {
        let structures = &self.shared.client.structures;
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        // SAFETY: the geometry is valid, and has `count` primitives.
        unsafe {
            structures.get_acceleration_structure_build_sizes(
                vk::AccelerationStructureBuildTypeKHR::DEVICE,
                &build_info(ty, &[geometry]),
                &[count],
                &mut sizes,
            );
        }
        let room = self.room(&vec![0; sizes.acceleration_structure_size as usize])?;
        let info = vk::AccelerationStructureCreateInfoKHR::default()
            .buffer(room.buffer)
            .size(sizes.acceleration_structure_size)
            .ty(ty);
        // SAFETY: the buffer is bound, and the structure fits it.
        let made = unsafe { structures.create_acceleration_structure(&info, None) };
        let handle = self.judge("vkCreateAccelerationStructureKHR", made)?;
        let info = vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(handle);
        // SAFETY: the structure is live.
        let address = unsafe { structures.get_acceleration_structure_device_address(&info) };
        let scratch = sizes.build_scratch_size.max(sizes.update_scratch_size);
        Some((Tree { handle, room, address }, scratch))
    }

    /// Creates a random micromap for so many triangles. Returns it with its memory.
    fn micromap(&mut self, count: u32) -> Option<(Micromap, Vec<Room>)> {
        let contents = micromaps::random(&mut self.r, count);
        let mut rooms = Vec::new();
        for bytes in &contents.bytes {
            rooms.push(self.room(bytes)?);
        }
        let addresses = [0, 1, 2].map(|i| rooms[i].address);
        let mut map = Micromap::new(contents, addresses);
        let (data, client) = (map.data(), &self.shared.client);
        let geometry = [Micromap::geometry(&data)];
        let info = Build::default().ty(MICROMAP).geometries(&geometry);
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        let ty = vk::AccelerationStructureBuildTypeKHR::DEVICE;
        // SAFETY: the geometry is valid; a micromap has no counts.
        unsafe {
            let f = client.structures.fp().get_acceleration_structure_build_sizes_khr;
            f(client.device.handle(), ty, &info, std::ptr::null(), &mut sizes);
        }
        let size = sizes.acceleration_structure_size;
        let storage = self.room(&vec![0; size as usize])?;
        rooms.push(storage);
        let client = &self.shared.client;
        let range = [storage.address, size];
        let made = Micromap::create(&client.instance, client.device.handle(), range);
        map.handle = self.judge("vkCreateAccelerationStructure2KHR", made)?;
        Some((map, rooms))
    }

    /// Creates a scene of random triangles or boxes, with random shader binding tables.
    pub(super) fn make_scene(&mut self) {
        if self.scenes.len() < MOST / 4 {
            let made = self.scene();
            self.scenes.extend(made);
        }
    }

    fn scene(&mut self) -> Option<Scene> {
        let boxes = self.r.one_in(2);
        let count = 1 + self.r.below(12) as u32;
        let floats: Vec<f32> = (0..count).flat_map(|_| self.primitive(boxes)).collect();
        let input = self.room(&bytes_of(floats.iter().map(|x| x.to_bits())))?;
        let geometry = bottom_geometry(boxes, count, input.address);
        let (first, mut scratch) = self.tree(BOTTOM, geometry, count)?;
        let (second, _) = self.tree(BOTTOM, geometry, count)?;
        let micromap = if boxes || self.r.one_in(2) { None } else { self.micromap(count) };
        let mut words: Vec<u32> = Vec::new();
        for k in 0..INSTANCES {
            let (one, at) = (1.0f32.to_bits(), (self.r.below(4) as f32 - 1.0).to_bits());
            words.extend([one, 0, 0, at, 0, one, 0, 0, 0, 0, one, at]);
            let address = [&first, &second][self.r.below(2)].address;
            words.extend([k | 0xff << 24, self.r.below(2) as u32, address as u32, (address >> 32) as u32]);
        }
        let instances = self.room(&bytes_of(words))?;
        let (top, more) = self.tree(TOP, top_geometry(instances.address), INSTANCES)?;
        scratch = scratch.max(more).max(4);
        let scratch = self.room(&vec![0; scratch as usize])?;
        let parameters = self.room(&bytes_of([SIZE[0], SIZE[1], 1]))?;
        let (tables, regions) = self.tables(boxes)?;
        let (uid, bottoms) = (self.uid(), [first, second]);
        Some(Scene {
            uid,
            boxes,
            count,
            input,
            instances,
            scratch,
            parameters,
            bottoms,
            micromap,
            top,
            tables,
            regions,
        })
    }

    /// Coordinates of a triangle or a box near the rays.
    fn primitive(&mut self, boxes: bool) -> Vec<f32> {
        let mut at = |most: usize| self.r.below(4 * most) as f32 / 4.0;
        let [x, y, z] = [at(6), at(4), at(4)];
        match boxes {
            true => vec![x, y, z, x + at(3), y + at(3), z + at(2)],
            false => vec![x, y, z, x + at(5), y, z, x, y + at(5), z + at(2)],
        }
    }

    /// Shader binding tables with random strides, groups and data. Hit groups fit the geometry, or are null.
    fn tables(&mut self, boxes: bool) -> Option<(Room, [vk::StridedDeviceAddressRegionKHR; 4])> {
        let tracing = self.shared.tracing.get()?;
        let mut bytes: Vec<u8> = Vec::new();
        let mut regions = [vk::StridedDeviceAddressRegionKHR::default(); 4];
        for (table, region) in regions.iter_mut().enumerate() {
            let n = if table == 0 { 1 } else { 4 };
            let stride = [64, 64, 96, 160, 4096][self.r.below(5)];
            bytes.resize(bytes.len().next_multiple_of(64) + 64 * self.r.below(3), 0);
            let start = bytes.len();
            for k in 0..n {
                let group = match table {
                    0 => Some(0),
                    _ if self.r.one_in(6) => None,
                    1 => Some(1),
                    2 if boxes => Some(6 + self.r.below(2)),
                    2 => Some(3 + self.r.below(3)),
                    _ => Some(2),
                };
                bytes.extend(tracing.handle(group));
                bytes.extend((self.r.below(1000) as u32).to_le_bytes());
                bytes.resize(start + (k + 1) * stride, self.r.bits() as u8);
            }
            let (stride, size) = (stride as u64, (n * stride) as u64);
            *region = vk::StridedDeviceAddressRegionKHR { device_address: start as u64, stride, size };
        }
        let room = self.room(&bytes)?;
        regions.iter_mut().for_each(|region| region.device_address += room.address);
        Some((room, regions))
    }

    /// Destroys a scene; its structures before or after their buffers.
    pub(super) fn destroy_scene(&mut self) {
        let Some(i) = self.index(self.scenes.len()) else { return };
        let scene = self.scenes.swap_remove(i);
        self.kill(vec![scene.uid]);
        let client = &self.shared.client;
        let structures_first = self.r.one_in(2);
        let trees = || {
            let [a, b] = scene.bottoms;
            let map = scene.micromap.as_ref().map(|(map, _)| map.handle);
            let all = [scene.top.handle, a.handle, b.handle].into_iter().chain(map);
            // SAFETY: `kill` freed all command buffers that use the structures.
            all.for_each(|tree| unsafe { client.structures.destroy_acceleration_structure(tree, None) });
        };
        if structures_first {
            trees();
        }
        for room in scene.rooms() {
            // SAFETY: `kill` freed all command buffers that use the buffers.
            unsafe {
                client.device.destroy_buffer(room.buffer, None);
                client.device.free_memory(room.memory, None);
            }
        }
        if !structures_first {
            trees();
        }
        self.tally.count("vkDestroyAccelerationStructureKHR", true, 3);
    }
}

impl Recorder<'_, '_> {
    /// Builds the structures of a scene, and traces rays in them.
    pub(super) fn rays(&mut self) {
        let w = self.w;
        let Some(tracing) = w.shared.tracing.get() else { return };
        let Some(scene) = w.scenes.get(self.r.below(w.scenes.len().max(1))) else { return };
        let bytes = 4 * (SIZE[0] * SIZE[1]) as usize;
        let Some(buf) = self.buffer().filter(|buf| buf.range.size >= bytes) else { return };
        self.uses(&[scene.uid]);
        self.uses_buffer(&buf);
        self.build_scene(scene);
        let flags = [0, 1, 2, 4, 8, 0x10, 0x20][self.r.below(7)];
        let halves = |address: u64| [address as u32, (address >> 32) as u32];
        let [top, results] = [halves(scene.top.address), halves(buf.address)];
        let more = [flags, self.r.below(3) as u32, self.r.below(2) as u32, self.r.below(4) as u32];
        let words = bytes_of(top.into_iter().chain(results).chain(more));
        let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
        let [raygen, miss, hit, callable] = &scene.regions;
        let indirect = self.r.one_in(3);
        let rt = &w.shared.client.rays;
        // SAFETY: all objects are live; the tables name groups of the pipeline, and the results fit the buffer.
        unsafe {
            self.d.cmd_bind_pipeline(self.c, point, tracing.pipeline);
            let (layout, stages) = (tracing.layout, vk::ShaderStageFlags::ALL);
            self.d.cmd_push_constants(self.c, layout, stages, 0, &words);
            if indirect {
                let at = scene.parameters.address;
                rt.cmd_trace_rays_indirect(self.c, raygen, miss, hit, callable, at);
            } else {
                rt.cmd_trace_rays(self.c, raygen, miss, hit, callable, SIZE[0], SIZE[1], 1);
            }
        }
        self.did(if indirect { "vkCmdTraceRaysIndirectKHR" } else { "vkCmdTraceRaysKHR" });
        self.effect(Effect::Doubt(Range { size: bytes, ..buf.range }, Trust::Same));
    }

    /// Builds both bottom levels, of which the second may be a copy or an update, and then the top level.
    fn build_scene(&mut self, scene: &Scene) {
        let structures = &self.w.shared.client.structures;
        let [first, second] = scene.bottoms;
        if let Some((map, _)) = &scene.micromap {
            self.build_micromap(scene, map);
        }
        self.build(scene, BOTTOM, None, &first);
        let update = self.r.one_in(3).then_some(&first);
        if self.r.one_in(2) {
            let info = vk::CopyAccelerationStructureInfoKHR::default()
                .src(first.handle)
                .dst(second.handle)
                .mode(vk::CopyAccelerationStructureModeKHR::CLONE);
            // SAFETY: the source is built, and the destination is as large.
            unsafe { structures.cmd_copy_acceleration_structure(self.c, &info) };
            self.did("vkCmdCopyAccelerationStructureKHR");
            self.barrier();
        } else {
            self.build(scene, BOTTOM, update, &second);
        }
        if self.r.one_in(4) {
            self.build(scene, BOTTOM, Some(&first), &first);
        }
        self.build(scene, TOP, None, &scene.top);
        if self.r.one_in(4) {
            self.build(scene, TOP, Some(&scene.top), &scene.top);
        }
    }

    fn build_micromap(&mut self, scene: &Scene, map: &Micromap) {
        let data = map.data();
        let geometry = [Micromap::geometry(&data)];
        let scratch = vk::DeviceOrHostAddressKHR { device_address: scene.scratch.address };
        let info = Build::default().ty(MICROMAP).geometries(&geometry);
        let info = info.dst_acceleration_structure(map.handle).scratch_data(scratch);
        let none: *const vk::AccelerationStructureBuildRangeInfoKHR = std::ptr::null();
        let f = self.w.shared.client.structures.fp().cmd_build_acceleration_structures_khr;
        // SAFETY: the structure, its input and the scratch memory are live; a micromap has no ranges.
        unsafe { f(self.c, 1, &info, &none) };
        self.did("vkCmdBuildAccelerationStructuresKHR");
        self.barrier();
    }

    fn build(
        &mut self,
        scene: &Scene,
        ty: vk::AccelerationStructureTypeKHR,
        update: Option<&Tree>,
        dst: &Tree,
    ) {
        let (geometry, count) = match ty {
            TOP => (top_geometry(scene.instances.address), INSTANCES),
            _ => (scene.geometry(), scene.count),
        };
        let mut geometry = [geometry];
        let opacity = scene.micromap.as_ref().map(|(map, _)| map.opacity());
        if let (BOTTOM, Some(opacity)) = (ty, &opacity) {
            geometry[0].geometry.triangles.p_next = std::ptr::from_ref(opacity).cast();
        }
        let scratch = vk::DeviceOrHostAddressKHR { device_address: scene.scratch.address };
        let mut info = build_info(ty, &geometry).dst_acceleration_structure(dst.handle).scratch_data(scratch);
        if let Some(src) = update {
            let mode = vk::BuildAccelerationStructureModeKHR::UPDATE;
            info = info.mode(mode).src_acceleration_structure(src.handle);
        }
        let ranges = [vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(count)];
        // SAFETY: the structures, their input and the scratch memory are live and large enough.
        unsafe {
            let structures = &self.w.shared.client.structures;
            structures.cmd_build_acceleration_structures(self.c, &[info], &[&ranges]);
        }
        self.did("vkCmdBuildAccelerationStructuresKHR");
        self.barrier();
    }
}
