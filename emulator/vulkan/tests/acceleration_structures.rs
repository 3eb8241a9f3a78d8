//! Acceleration structures and ray queries: builds, copies, properties, and descriptors of each kind.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

#[path = "acceleration_structures/micromaps.rs"]
mod micromaps;
#[path = "acceleration_structures/replay.rs"]
mod replay;
#[path = "acceleration_structures/scene.rs"]
mod scene;

use ash::vk;
use scene::{Binding, Mode, Scene, Structure, TRIANGLES, Type, expected, instance, instances_at, triangles};

type BuildInfo<'a> = vk::AccelerationStructureBuildGeometryInfoKHR<'a>;
type BuildFlags = vk::BuildAccelerationStructureFlagsKHR;

/// VkAccelerationStructureCreateInfo2KHR.
#[repr(C)]
struct CreateInfo2 {
    ty: i32,
    next: *const std::ffi::c_void,
    flags: vk::AccelerationStructureCreateFlagsKHR,
    range: [u64; 2],
    address_flags: u32,
    kind: Type,
}

type Create2 = unsafe extern "system" fn(
    vk::Device,
    *const CreateInfo2,
    *const std::ffi::c_void,
    *mut vk::AccelerationStructureKHR,
) -> vk::Result;
type Function = unsafe extern "system" fn();

/// A structure in a range of addresses. Spec: Vulkan, vkCreateAccelerationStructure2KHR.
#[test]
fn structures_are_created_at_addresses() {
    let scene = Scene::new();
    let d = &scene.gpu.device;
    let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR;
    let storage = scene.gpu.buffer(1 << 16, usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
    let at = scene.address(&storage);
    let name = c"vkCreateAccelerationStructure2KHR";
    // SAFETY: valid usage of Vulkan: the device is live, and the command has the transmuted type.
    let create = unsafe {
        let found = scene.gpu.instance.get_device_proc_addr(d.handle(), name.as_ptr()).unwrap();
        std::mem::transmute::<Function, Create2>(found)
    };
    let made = |range: [u64; 2]| {
        let (ty, next, flags) = (1_000_318_015, std::ptr::null(), Default::default());
        let info = CreateInfo2 { ty, next, flags, range, address_flags: 0, kind: Type::BOTTOM_LEVEL };
        let mut out = vk::AccelerationStructureKHR::null();
        // SAFETY: valid usage of Vulkan, except for some ranges, which the driver refuses.
        (unsafe { create(d.handle(), &info, std::ptr::null(), &mut out) }, out)
    };
    for range in [[at, 1 << 17], [at + (1 << 16), 256], [0, 256], [1 << 50, 256]] {
        let (code, out) = made(range);
        assert!(code != vk::Result::SUCCESS && out == vk::AccelerationStructureKHR::null(), "{range:?}");
    }
    let (code, handle) = made([at + 512, 1 << 14]);
    assert_eq!(code, vk::Result::SUCCESS);
    let bottom = Structure { handle, storage };
    assert_eq!(scene.address_of(&bottom), at + 512);
    let vertices = scene.input(&TRIANGLES);
    let geometry = [triangles(scene.address(&vertices), 5)];
    let info = BuildInfo::default().ty(Type::BOTTOM_LEVEL).geometries(&geometry);
    scene.build(&scene.with_dst(info, &bottom), &[2]);
    vertices.destroy(&scene.gpu);
    let top = scene.top(&[(at + 512, 0.0, 4)]);
    assert_eq!(scene.look(Some(&top)), expected(0.0, 4));
    scene.destroy_all([top, bottom]);
    scene.end();
}

/// Every ray hits one of two triangles, by closed form; the null descriptor is an empty scene. Spec: Vulkan,
/// VkWriteDescriptorSetAccelerationStructureKHR and nullDescriptor.
#[test]
fn rays_hit_triangles_by_descriptors_of_each_kind() {
    let scene = Scene::new();
    let bottom = scene.bottom(BuildFlags::empty());
    let top = scene.top(&[(scene.address_of(&bottom), 0.25, 77)]);
    for by in [Binding::Set, Binding::Template, Binding::Push, Binding::PushTemplate, Binding::Buffer] {
        let seen = scene.look_by(by, Some(&top));
        let hits: Vec<_> = seen.iter().map(|[hit, _]| *hit).collect();
        assert_eq!(hits, expected(0.25, 77), "{by:?}");
        for (i, [hit, more]) in seen.iter().enumerate() {
            // The last vertex, and the weight of the second vertex, which is on the right of the first or on its left.
            let x = (i % 8) as f32 / 8.0 + 0.0625;
            let want = if hit[1] == 0.0 { [0.0, 1.0, 0.0, x] } else { [1.0, 0.0, -1.0, 1.0 - x] };
            assert_eq!(*more, want, "{by:?}, ray {i}");
        }
        assert_eq!(scene.look_by(by, None), [[[-1.0; 4]; 2]; 64], "{by:?}");
    }
    scene.destroy(top);
    scene.destroy(bottom);
    scene.end();
}

/// An update in place and one to another structure move the triangles.
#[test]
fn updates_move_triangles() {
    let scene = Scene::new();
    let bottom = scene.bottom(BuildFlags::ALLOW_UPDATE);
    let other = scene.bottom(BuildFlags::ALLOW_UPDATE);
    let moved = scene.input(&TRIANGLES.map(|[x, y, z]| [x, y, z - 2.0]));
    let geometry = [triangles(scene.address(&moved), 5)];
    for to in [&other, &bottom] {
        let info = BuildInfo::default()
            .ty(Type::BOTTOM_LEVEL)
            .flags(BuildFlags::ALLOW_UPDATE)
            .mode(Mode::UPDATE)
            .src_acceleration_structure(bottom.handle)
            .geometries(&geometry);
        scene.build(&scene.with_dst(info, to), &[2]);
        let top = scene.top(&[(scene.address_of(to), 0.0, 1)]);
        assert_eq!(scene.look(Some(&top)), expected(-2.0, 1));
        scene.destroy(top);
    }
    moved.destroy(&scene.gpu);
    scene.destroy(other);
    scene.destroy(bottom);
    scene.end();
}

/// Formats that the specification requires for vertices, and one without floats. Spec: Vulkan, "Required Format Support".
#[test]
fn formats_of_vertices() {
    let scene = Scene::new();
    let has = |format| {
        // SAFETY: the instance is live.
        let p =
            unsafe { scene.gpu.instance.get_physical_device_format_properties(scene.gpu.physical, format) };
        p.buffer_features.contains(vk::FormatFeatureFlags::ACCELERATION_STRUCTURE_VERTEX_BUFFER_KHR)
    };
    use vk::Format as F;
    let required = [
        F::R32G32_SFLOAT,
        F::R32G32B32_SFLOAT,
        F::R16G16_SFLOAT,
        F::R16G16B16A16_SFLOAT,
        F::R16G16_SNORM,
        F::R16G16B16A16_SNORM,
    ];
    assert!(required.into_iter().all(has));
    assert!(!has(F::R32_UINT) && !has(F::R32_SFLOAT) && !has(F::D32_SFLOAT));
    scene.end();
}

/// Values of properties, by queries on the device and by the host.
fn properties(scene: &Scene, structures: &[&Structure], ty: vk::QueryType) -> Vec<u64> {
    let d = &scene.gpu.device;
    let handles: Vec<_> = structures.iter().map(|s| s.handle).collect();
    let n = handles.len() as u32;
    let copied = scene.gpu.buffer(8 * u64::from(n), vk::BufferUsageFlags::TRANSFER_DST);
    let mut by_queries = vec![0u64; handles.len()];
    let mut by_host = vec![0u8; 8 * handles.len()];
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let info = vk::QueryPoolCreateInfo::default().query_type(ty).query_count(n + 1);
        let pool = d.create_query_pool(&info, None).unwrap();
        scene.gpu.run(|cmd| {
            d.cmd_reset_query_pool(cmd, pool, 0, n + 1);
            scene.rays.cmd_write_acceleration_structures_properties(cmd, &handles, ty, pool, 1);
            let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
            d.cmd_copy_query_pool_results(cmd, pool, 1, n, copied.buffer, 0, 8, flags);
        });
        d.get_query_pool_results(pool, 1, &mut by_queries, vk::QueryResultFlags::TYPE_64).unwrap();
        d.destroy_query_pool(pool, None);
        scene.rays.write_acceleration_structures_properties(&handles, ty, &mut by_host, 8).unwrap();
    }
    let by_host: Vec<u64> = by_host.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b)).collect();
    assert_eq!((&by_queries, &by_host), (&copied.read::<u64>(), &by_queries), "{ty:?}");
    copied.destroy(&scene.gpu);
    by_queries
}

/// Clones and compact copies, by commands and by the host, are the same scenes.
#[test]
fn copies_are_the_same_scene() {
    use vk::CopyAccelerationStructureModeKHR as M;
    let scene = Scene::new();
    let bottom = scene.bottom(BuildFlags::ALLOW_COMPACTION);
    let [compact] =
        properties(&scene, &[&bottom], vk::QueryType::ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR)[..]
    else {
        panic!("one value")
    };
    let [size] = properties(&scene, &[&bottom], vk::QueryType::ACCELERATION_STRUCTURE_SIZE_KHR)[..] else {
        panic!("one value")
    };
    assert!(compact > 0 && compact <= size);
    for (mode, by_host) in [(M::CLONE, false), (M::COMPACT, false), (M::CLONE, true), (M::COMPACT, true)] {
        let copy = scene.structure(Type::BOTTOM_LEVEL, if mode == M::CLONE { size } else { compact });
        let info =
            vk::CopyAccelerationStructureInfoKHR::default().src(bottom.handle).dst(copy.handle).mode(mode);
        // SAFETY: valid usage of Vulkan: the structures are live, and no work on the device uses them.
        unsafe {
            match by_host {
                true => {
                    scene.rays.copy_acceleration_structure(vk::DeferredOperationKHR::null(), &info).unwrap()
                }
                false => scene.gpu.run(|cmd| scene.rays.cmd_copy_acceleration_structure(cmd, &info)),
            }
        }
        let top = scene.top(&[(scene.address_of(&copy), 0.0, 3)]);
        assert_eq!(scene.look(Some(&top)), expected(0.0, 3), "{mode:?}");
        // A clone of the top level is one, too.
        let other = scene.structure(Type::GENERIC, 1 << 16);
        let info = vk::CopyAccelerationStructureInfoKHR::default().src(top.handle).dst(other.handle);
        // SAFETY: valid usage of Vulkan: the structures are live.
        scene.gpu.run(|cmd| unsafe { scene.rays.cmd_copy_acceleration_structure(cmd, &info) });
        scene.destroy(top);
        assert_eq!(scene.look(Some(&other)), expected(0.0, 3), "{mode:?}");
        scene.destroy_all([other, copy]);
    }
    scene.destroy(bottom);
    scene.end();
}

/// Serialized structures on the device: bytes of a structure.
fn serialize(scene: &Scene, structure: &Structure) -> Vec<u64> {
    let [size] =
        properties(scene, &[structure], vk::QueryType::ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR)[..]
    else {
        panic!("one value")
    };
    let bytes = scene.input(&vec![0u64; size as usize / 8]);
    let dst = vk::DeviceOrHostAddressKHR { device_address: scene.address(&bytes) };
    let mode = vk::CopyAccelerationStructureModeKHR::SERIALIZE;
    let info =
        vk::CopyAccelerationStructureToMemoryInfoKHR::default().src(structure.handle).dst(dst).mode(mode);
    // SAFETY: valid usage of Vulkan: the buffer has room for the serialization.
    scene.gpu.run(|cmd| unsafe { scene.rays.cmd_copy_acceleration_structure_to_memory(cmd, &info) });
    let words = bytes.read::<u64>();
    bytes.destroy(&scene.gpu);
    // The host writes the same.
    let mut of_host = vec![0u64; words.len()];
    let dst = vk::DeviceOrHostAddressKHR { host_address: of_host.as_mut_ptr().cast() };
    // SAFETY: valid usage of Vulkan: the memory has room for the serialization.
    unsafe {
        let none = vk::DeferredOperationKHR::null();
        scene.rays.copy_acceleration_structure_to_memory(none, &info.dst(dst)).unwrap();
    }
    assert_eq!(of_host, words);
    words
}

/// Structures become bytes and come back, also at another address, with the references of a top level replaced. Spec:
/// Vulkan, vkCmdCopyAccelerationStructureToMemoryKHR.
#[test]
fn structures_come_back_from_bytes() {
    let scene = Scene::new();
    let bottom = scene.bottom(BuildFlags::empty());
    let address = scene.address_of(&bottom);
    let top = scene.top(&[(address, 0.5, 8), (address, -5.0, 9)]);
    let pointers = vk::QueryType::ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR;
    assert_eq!(properties(&scene, &[&bottom, &top], pointers), [0, 2]);
    let [bottom_bytes, mut top_bytes] = [&bottom, &top].map(|s| serialize(&scene, s));
    // The header: UUIDs, sizes of the bytes and of the structure, and the references.
    let mut ids = vk::PhysicalDeviceIDProperties::default();
    let mut p = vk::PhysicalDeviceProperties2::default().push_next(&mut ids);
    // SAFETY: the instance is live.
    unsafe { scene.gpu.instance.get_physical_device_properties2(scene.gpu.physical, &mut p) };
    for bytes in [&bottom_bytes, &top_bytes] {
        let uuid: Vec<u8> = bytes[..4].iter().flat_map(|w| w.to_ne_bytes()).collect();
        assert_eq!(uuid[..16], ids.driver_uuid);
        assert_eq!(bytes[4], 8 * bytes.len() as u64);
        let mut both = [0; 32];
        both.copy_from_slice(&uuid);
        let info = vk::AccelerationStructureVersionInfoKHR::default().version_data(&both);
        // SAFETY: valid usage of Vulkan.
        let same = unsafe { scene.rays.get_device_acceleration_structure_compatibility(&info) };
        assert_eq!(same, vk::AccelerationStructureCompatibilityKHR::COMPATIBLE);
    }
    assert_eq!((bottom_bytes[6], &top_bytes[6..9]), (0, &[2, address, address][..]));
    scene.destroy_all([top, bottom]);

    let other = [false, true].map(|by_host| deserialize(&scene, &bottom_bytes, Type::BOTTOM_LEVEL, by_host));
    for (bottom, by_host) in other.iter().zip([true, false]) {
        top_bytes[7..9].fill(scene.address_of(bottom));
        let top = deserialize(&scene, &top_bytes, Type::TOP_LEVEL, by_host);
        assert_eq!(scene.look(Some(&top)), expected(0.5, 8));
        scene.destroy(top);
    }
    // A reference to nothing is inactive.
    top_bytes[7..9].fill(12345);
    let top = deserialize(&scene, &top_bytes, Type::TOP_LEVEL, false);
    assert_eq!(scene.look(Some(&top)), [[-1.0; 4]; 64]);
    scene.destroy(top);
    scene.destroy_all(other);
    scene.end();
}

/// The structure of these bytes, read on the device or by the host.
fn deserialize(scene: &Scene, bytes: &[u64], ty: Type, by_host: bool) -> Structure {
    let structure = scene.structure(ty, bytes[5]);
    let mode = vk::CopyAccelerationStructureModeKHR::DESERIALIZE;
    let info = vk::CopyMemoryToAccelerationStructureInfoKHR::default().dst(structure.handle).mode(mode);
    // SAFETY: valid usage of Vulkan: the bytes are those of a serialization.
    unsafe {
        if by_host {
            let src = vk::DeviceOrHostAddressConstKHR { host_address: bytes.as_ptr().cast() };
            // A deferred operation makes no difference.
            let operation = scene.deferred.create_deferred_operation(None).unwrap();
            let f = scene.rays.fp().copy_memory_to_acceleration_structure_khr;
            let code = f(scene.gpu.device.handle(), operation, &info.src(src));
            assert_eq!(code, vk::Result::OPERATION_NOT_DEFERRED_KHR);
            assert_eq!(scene.deferred.get_deferred_operation_max_concurrency(operation), 0);
            scene.deferred.deferred_operation_join(operation).unwrap();
            scene.deferred.get_deferred_operation_result(operation).unwrap();
            scene.deferred.destroy_deferred_operation(operation, None);
            return structure;
        }
        let buffer = scene.input(bytes);
        let src = vk::DeviceOrHostAddressConstKHR { device_address: scene.address(&buffer) };
        scene.gpu.run(|cmd| scene.rays.cmd_copy_memory_to_acceleration_structure(cmd, &info.src(src)));
        buffer.destroy(&scene.gpu);
    }
    structure
}

/// Builds with ranges in memory: numbers of primitives beyond the greatest are cut, and offsets count. Spec: Vulkan,
/// vkCmdBuildAccelerationStructuresIndirectKHR.
#[test]
fn ranges_come_from_memory() {
    let scene = Scene::new();
    // The triangles follow two that are skipped.
    let mut corners = vec![[0.0f32, 0.0, 0.9]; 6];
    corners.extend(TRIANGLES);
    let vertices = scene.input(&corners);
    let geometry = [triangles(scene.address(&vertices), 11)];
    for (count, most, offset, first) in [(2u32, 5u32, 0u32, 6u32), (100, 2, 36, 3), (100, 2, 72, 0)] {
        let ranges = scene.input(&[7u32, 7, 7, 7, count, offset, first, 0]);
        let info = BuildInfo::default().ty(Type::BOTTOM_LEVEL).geometries(&geometry);
        let bottom = scene.fitting(&info, &[most]);
        let info = scene.with_dst(info, &bottom);
        let at = scene.address(&ranges) + 16;
        // SAFETY: valid usage of Vulkan: all objects and addresses of the build are live.
        scene.gpu.run(|cmd| unsafe {
            let most: &[&[u32]] = &[&[most]];
            scene.rays.cmd_build_acceleration_structures_indirect(cmd, &[info], &[at], &[16], most);
        });
        let top = scene.top(&[(scene.address_of(&bottom), 0.0, 0)]);
        assert_eq!(scene.look(Some(&top)), expected(0.0, 0), "{count} of {most}");
        scene.destroy_all([top, bottom]);
        ranges.destroy(&scene.gpu);
    }
    vertices.destroy(&scene.gpu);
    scene.end();
}

/// Builds of both levels by the host, from its own memory, with indices, a matrix and pointers to instances. Instances
/// refer to structures by handle. Spec: Vulkan, vkBuildAccelerationStructuresKHR.
#[test]
fn the_host_builds() {
    use ash::vk::Handle;
    let scene = Scene::new();
    let none = vk::DeferredOperationKHR::null();
    let at = |p: *const std::ffi::c_void| vk::DeviceOrHostAddressConstKHR { host_address: p };
    // Half as large, so that the matrix doubles them.
    let corners = TRIANGLES.map(|[x, y, z]| [x / 2.0, y / 2.0, z / 2.0, 9.0]);
    let indices = [9u16, 0, 1, 2, 3, 4, 5];
    let matrix = [2.0f32, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0];
    let mut geometry = [triangles(0, 5)];
    geometry[0].geometry.triangles = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
        .vertex_format(vk::Format::R32G32B32_SFLOAT)
        .vertex_data(at(corners.as_ptr().cast()))
        .vertex_stride(16)
        .max_vertex(5)
        .index_type(vk::IndexType::UINT16)
        .index_data(at(indices.as_ptr().cast()))
        .transform_data(at(matrix.as_ptr().cast()));
    let info = BuildInfo::default().ty(Type::BOTTOM_LEVEL).geometries(&geometry);
    let bottom = scene.fitting(&info, &[2]);
    let range = vk::AccelerationStructureBuildRangeInfoKHR::default();
    let ranges = [range.primitive_count(2).primitive_offset(2)];
    let info = info.dst_acceleration_structure(bottom.handle);
    // SAFETY: valid usage of Vulkan: all objects and memory of the build are live.
    unsafe { scene.rays.build_acceleration_structures(none, &[info], &[&ranges]) }.unwrap();
    let one = instance(bottom.handle.as_raw(), 0.25, 4);
    let pointers = [std::ptr::null(), one.as_ptr()];
    let mut geometry = [instances_at(0)];
    geometry[0].geometry.instances.data = at(pointers.as_ptr().cast());
    geometry[0].geometry.instances.array_of_pointers = vk::TRUE;
    let info = BuildInfo::default().ty(Type::TOP_LEVEL).geometries(&geometry);
    let top = scene.fitting(&info, &[1]);
    let info = info.dst_acceleration_structure(top.handle);
    let ranges = [range.primitive_count(1).primitive_offset(8)];
    // SAFETY: valid usage of Vulkan: all objects and memory of the build are live.
    unsafe { scene.rays.build_acceleration_structures(none, &[info], &[&ranges]) }.unwrap();
    assert_eq!(scene.look(Some(&top)), expected(0.25, 4));
    scene.destroy_all([top, bottom]);
    scene.end();
}

const CHILD: &str = "QUADRILLE_TEST_CHILD";

/// Two commands that must be ordered by a barrier: builds of both levels, a fill and a build of what it wrote, or a
/// serialization and a copy of its bytes.
fn run_ordered(case: &str, with_barrier: bool) {
    use vk::{AccessFlags as A, PipelineStageFlags as S};
    let scene = Scene::new();
    let d = &scene.gpu.device;
    let vertices = scene.input(&TRIANGLES);
    let geometry = [triangles(scene.address(&vertices), 5)];
    let info = BuildInfo::default().ty(Type::BOTTOM_LEVEL).geometries(&geometry);
    let bottom = scene.fitting(&info, &[2]);
    let info = scene.with_dst(info, &bottom);
    let range = vk::AccelerationStructureBuildRangeInfoKHR::default();
    let ranges = [range.primitive_count(2)];
    let words = scene.input(&instance(scene.address_of(&bottom), 0.0, 0));
    let instances = [instances_at(scene.address(&words))];
    let top_info = BuildInfo::default().ty(Type::TOP_LEVEL).geometries(&instances);
    let top = scene.fitting(&top_info, &[1]);
    let top_info = scene.with_dst(top_info, &top);
    let top_ranges = [range.primitive_count(1)];
    let bytes = scene.gpu.buffer(
        1 << 16,
        vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS
            | vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::TRANSFER_DST
            | vk::BufferUsageFlags::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR,
    );
    let copied = scene.gpu.buffer(256, vk::BufferUsageFlags::TRANSFER_DST);
    let to = vk::DeviceOrHostAddressKHR { device_address: scene.address(&bytes) };
    let serialize = vk::CopyAccelerationStructureToMemoryInfoKHR::default()
        .src(bottom.handle)
        .dst(to)
        .mode(vk::CopyAccelerationStructureModeKHR::SERIALIZE);
    let filled_geometry = [triangles(scene.address(&bytes), 5)];
    let filled_info = info.geometries(&filled_geometry);
    scene.build(&info, &[2]);
    let ran = scene.gpu.try_run(|cmd| {
        let barrier = |src: (S, A), dst: (S, A)| {
            if with_barrier {
                let all = [vk::MemoryBarrier::default().src_access_mask(src.1).dst_access_mask(dst.1)];
                // SAFETY: valid usage of Vulkan: recording has begun.
                unsafe { d.cmd_pipeline_barrier(cmd, src.0, dst.0, Default::default(), &all, &[], &[]) };
            }
        };
        let build = S::ACCELERATION_STRUCTURE_BUILD_KHR;
        // SAFETY: valid usage of Vulkan, apart from missing barriers: all objects and addresses are live.
        unsafe {
            match case {
                "levels" => {
                    scene.rays.cmd_build_acceleration_structures(cmd, &[info], &[&ranges]);
                    let (write, read) =
                        (A::ACCELERATION_STRUCTURE_WRITE_KHR, A::ACCELERATION_STRUCTURE_READ_KHR);
                    barrier((build, write), (build, read | write));
                    scene.rays.cmd_build_acceleration_structures(cmd, &[top_info], &[&top_ranges]);
                }
                "geometry" => {
                    d.cmd_fill_buffer(cmd, bytes.buffer, 0, 72, 0);
                    barrier((S::TRANSFER, A::TRANSFER_WRITE), (build, A::SHADER_READ));
                    scene.rays.cmd_build_acceleration_structures(cmd, &[filled_info], &[&ranges]);
                }
                _ => {
                    scene.rays.cmd_copy_acceleration_structure_to_memory(cmd, &serialize);
                    barrier((build, A::TRANSFER_WRITE), (S::TRANSFER, A::TRANSFER_READ));
                    let region = vk::BufferCopy::default().size(256);
                    d.cmd_copy_buffer(cmd, bytes.buffer, copied.buffer, &[region]);
                }
            }
        }
    });
    assert_eq!(ran, Ok(()), "{case}");
    scene.destroy_all([top, bottom]);
    [vertices, words, bytes, copied].into_iter().for_each(|b| b.destroy(&scene.gpu));
    scene.end();
}

/// Checks report builds and copies that no barrier orders, and are silent about those that a barrier orders. Spec: Vulkan,
/// vkCmdBuildAccelerationStructuresKHR and vkCmdCopyAccelerationStructureToMemoryKHR.
#[test]
fn barriers_order_builds_and_copies() {
    if let Some(case) = std::env::var_os(CHILD) {
        let case = case.to_string_lossy();
        let (case, barrier) = case.split_once(' ').expect("a case");
        return run_ordered(case, barrier == "ordered");
    }
    for case in ["levels", "geometry", "bytes"] {
        for order in ["ordered", "unordered"] {
            let out = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "barriers_order_builds_and_copies", "--nocapture"])
                .env(CHILD, format!("{case} {order}"))
                .env("QUADRILLE_CHECK", "fail")
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&out.stderr);
            match order {
                "ordered" => common::has_run(&out),
                _ => assert!(!out.status.success(), "{case} {order}: {text}"),
            }
            assert_eq!(text.contains("race"), order == "unordered", "{case} {order}: {text}");
        }
    }
}
