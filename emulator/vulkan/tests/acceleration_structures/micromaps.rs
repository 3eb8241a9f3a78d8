//! Opacity micromaps by both interfaces: VkMicromapEXT, and VkAccelerationStructureKHR of VK_KHR_opacity_micromap.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;

use super::common::Mapped;
use super::scene::{Hit, Scene, Structure, TRIANGLES, Type, instance, triangles};
use super::{BuildFlags, BuildInfo, Create2, CreateInfo2, Function, deserialize, properties, serialize};

type Ranges = vk::AccelerationStructureBuildRangeInfoKHR;

const TWO: u32 = 1;
const FOUR: u32 = 2;
/// VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR and VK_GEOMETRY_TYPE_MICROMAP_KHR.
const MICROMAP: i32 = 1_000_623_000;
/// Flags of instances. Spec: Vulkan, VkGeometryInstanceFlagBitsKHR.
const TWO_STATES: u32 = 0x10;
const DISABLE: u32 = 0x20;
/// Special indices. Spec: Vulkan, VkOpacityMicromapSpecialIndexKHR.
const TRANSPARENT: u32 = -1i32 as u32;
const OPAQUE: u32 = -2i32 as u32;

/// VkPhysicalDeviceOpacityMicromapFeaturesKHR.
#[repr(C)]
struct Features {
    ty: i32,
    next: *mut c_void,
    micromap: vk::Bool32,
}

/// VkPhysicalDeviceOpacityMicromapPropertiesKHR.
#[repr(C)]
#[derive(Debug)]
struct Properties {
    ty: i32,
    next: *mut c_void,
    levels: [u32; 3],
    triangles: u64,
}

/// VkAccelerationStructureGeometryMicromapDataKHR.
#[repr(C)]
struct Data {
    ty: i32,
    next: *const c_void,
    n_usages: u32,
    usages: *const [u32; 3],
    usage_pointers: *const *const [u32; 3],
    data: u64,
    triangles: u64,
    stride: u64,
}

/// VkAccelerationStructureTrianglesOpacityMicromapKHR.
#[repr(C)]
struct Opacity {
    ty: i32,
    next: *const c_void,
    index_type: vk::IndexType,
    indices: u64,
    stride: u64,
    base: u32,
    micromap: vk::AccelerationStructureKHR,
}

/// The interfaces to micromaps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Interface {
    /// VkMicromapEXT.
    Object,
    /// VkAccelerationStructureKHR, with an array of usages, or an array of pointers to them.
    Structure { pointers: bool },
}

/// A micromap: one of the handles, and its storage.
struct Map {
    object: vk::MicromapEXT,
    structure: vk::AccelerationStructureKHR,
    storage: Mapped,
}

/// States of the four parts of a triangle: all of them, and the format and the level of subdivision.
const PARTS: ([u8; 1], u32, u32) = ([0b11_10_01_00], FOUR, 1);

/// A device with both extensions, or with VK_EXT_opacity_micromap. Its shader confirms no candidates, so that it sees
/// opaque hits only; it declares that it uses micromaps by a specialization constant.
fn scene(both: bool) -> Scene {
    let names: [&CStr; 2] = [c"VK_EXT_opacity_micromap", c"VK_KHR_opacity_micromap"];
    let mut features = Features { ty: MICROMAP, next: ptr::null_mut(), micromap: vk::TRUE };
    let mut old = vk::PhysicalDeviceOpacityMicromapFeaturesEXT::default().micromap(true);
    old.p_next = if both { (&raw mut features).cast() } else { ptr::null_mut() };
    let n = if both { 2 } else { 1 };
    let mut scene = Scene::with(&names[..n], |mut info| {
        info.p_next = (&raw const old).cast();
        info
    });
    let opaque = scene.shader.replace("OpRayQueryConfirmIntersectionKHR %26", "");
    let declared = [
        ("OpCapability RayQueryKHR\n", "OpCapability RayTracingOpacityMicromapKHR\n"),
        ("OpCapability RayQueryKHR\n", "OpCapability RayTracingOpacityMicromapExecutionModeKHR\n"),
        ("OpExtension \"SPV_KHR_ray_query\"\n", "OpExtension \"SPV_KHR_opacity_micromap\"\n"),
        ("OpExecutionMode %4 LocalSize 8 8 1\n", "OpExecutionModeId %4 OpacityMicromapIdKHR %400\n"),
        ("%48 = OpTypeBool\n", "%400 = OpSpecConstantTrue %48\n"),
    ];
    let declared = declared.iter().fold(opaque.clone(), |text, (after, line)| {
        assert!(text.contains(after), "{after}");
        text.replace(after, &format!("{after}{line}"))
    });
    scene.shader = if both { declared } else { opaque };
    scene
}

/// Looks up a command of the device.
fn command(scene: &Scene, name: &CStr) -> Function {
    // SAFETY: the device is live.
    unsafe { scene.gpu.instance.get_device_proc_addr(scene.gpu.device.handle(), name.as_ptr()) }.unwrap()
}

/// Storage for a structure or a micromap.
fn storage(scene: &Scene, size: u64) -> Mapped {
    let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR
        | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
    scene.gpu.buffer(size, usage)
}

/// A VkAccelerationStructureKHR for a micromap in all of a buffer.
fn create(scene: &Scene, storage: &Mapped, size: u64) -> vk::AccelerationStructureKHR {
    // SAFETY: the command has the transmuted type.
    let create = unsafe {
        std::mem::transmute::<Function, Create2>(command(scene, c"vkCreateAccelerationStructure2KHR"))
    };
    let info = CreateInfo2 {
        ty: 1_000_318_015,
        next: ptr::null(),
        flags: vk::AccelerationStructureCreateFlagsKHR::empty(),
        range: [scene.address(storage), size],
        address_flags: 0,
        kind: Type::from_raw(MICROMAP),
    };
    let mut out = vk::AccelerationStructureKHR::null();
    // SAFETY: valid usage of Vulkan: the range is that of a live buffer.
    let code = unsafe { create(scene.gpu.device.handle(), &info, ptr::null(), &mut out) };
    assert_eq!(code, vk::Result::SUCCESS);
    out
}

/// Builds a micromap of triangles (offset, level and format) with these states. The usages count what the triangles have.
fn build(scene: &Scene, interface: Interface, states: &[u8], list: &[(u32, u16, u16)]) -> Map {
    let words: Vec<[u32; 2]> =
        list.iter().map(|&(at, level, format)| [at, u32::from(level) | u32::from(format) << 16]).collect();
    let usages: Vec<[u32; 3]> = list.iter().map(|&(_, l, f)| [1, l.into(), f.into()]).collect();
    build_with(scene, interface, states, &words, &usages)
}

/// Builds a micromap of records of triangles, of which there are as many as the usages count.
fn build_with(
    scene: &Scene,
    interface: Interface,
    states: &[u8],
    words: &[[u32; 2]],
    usages: &[[u32; 3]],
) -> Map {
    let inputs = (scene.input(states), scene.input(words));
    let (data, records) = (scene.address(&inputs.0), scene.address(&inputs.1));
    let map = match interface {
        Interface::Object => object(scene, data, records, usages),
        Interface::Structure { pointers } => structure(scene, (data, records), usages, pointers),
    };
    inputs.0.destroy(&scene.gpu);
    inputs.1.destroy(&scene.gpu);
    map
}

/// Builds a VkMicromapEXT.
fn object(scene: &Scene, data: u64, records: u64, usages: &[[u32; 3]]) -> Map {
    let maps = ash::ext::opacity_micromap::Device::new(&scene.gpu.instance, &scene.gpu.device);
    let usages: Vec<vk::MicromapUsageEXT> = usages
        .iter()
        .map(|&[count, subdivision_level, format]| vk::MicromapUsageEXT { count, subdivision_level, format })
        .collect();
    let at = |device_address| vk::DeviceOrHostAddressConstKHR { device_address };
    let info = vk::MicromapBuildInfoEXT::default()
        .ty(vk::MicromapTypeEXT::OPACITY_MICROMAP)
        .mode(vk::BuildMicromapModeEXT::BUILD)
        .usage_counts(&usages)
        .data(at(data))
        .triangle_array(at(records))
        .triangle_array_stride(8);
    let mut sizes = vk::MicromapBuildSizesInfoEXT::default();
    let device = vk::AccelerationStructureBuildTypeKHR::DEVICE;
    // SAFETY: valid usage of Vulkan: all objects and addresses are live.
    unsafe {
        let f = maps.fp().get_micromap_build_sizes_ext;
        f(scene.gpu.device.handle(), device, &info, &mut sizes);
        let usage = vk::BufferUsageFlags::MICROMAP_STORAGE_EXT;
        let storage = scene.gpu.buffer(sizes.micromap_size, usage);
        let create = vk::MicromapCreateInfoEXT::default()
            .buffer(storage.buffer)
            .size(sizes.micromap_size)
            .ty(vk::MicromapTypeEXT::OPACITY_MICROMAP);
        let mut object = vk::MicromapEXT::null();
        let code =
            (maps.fp().create_micromap_ext)(scene.gpu.device.handle(), &create, ptr::null(), &mut object);
        assert_eq!(code, vk::Result::SUCCESS);
        let info = info.dst_micromap(object);
        scene.gpu.run(|cmd| (maps.fp().cmd_build_micromaps_ext)(cmd, 1, &info));
        Map { object, structure: vk::AccelerationStructureKHR::null(), storage }
    }
}

/// Builds a VkAccelerationStructureKHR of a micromap. Its sizes need no counts, and its build no ranges.
fn structure(scene: &Scene, (data, triangles): (u64, u64), usages: &[[u32; 3]], pointers: bool) -> Map {
    let all: Vec<*const [u32; 3]> = usages.iter().map(ptr::from_ref).collect();
    let data = Data {
        ty: MICROMAP + 2,
        next: ptr::null(),
        n_usages: usages.len() as u32,
        usages: if pointers { ptr::null() } else { usages.as_ptr() },
        usage_pointers: if pointers { all.as_ptr() } else { ptr::null() },
        data,
        triangles,
        stride: 8,
    };
    let mut geometry = vk::AccelerationStructureGeometryKHR::default()
        .geometry_type(vk::GeometryTypeKHR::from_raw(MICROMAP));
    geometry.p_next = (&raw const data).cast();
    let geometry = [geometry];
    let info = BuildInfo::default()
        .ty(Type::from_raw(MICROMAP))
        .flags(BuildFlags::ALLOW_COMPACTION)
        .geometries(&geometry);
    let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default().update_scratch_size(1);
    let device = vk::AccelerationStructureBuildTypeKHR::DEVICE;
    // SAFETY: valid usage of Vulkan: all objects and addresses are live.
    unsafe {
        let f = scene.rays.fp().get_acceleration_structure_build_sizes_khr;
        f(scene.gpu.device.handle(), device, &info, ptr::null(), &mut sizes);
        assert_eq!(sizes.update_scratch_size, 0);
        let storage = storage(scene, sizes.acceleration_structure_size);
        let structure = create(scene, &storage, sizes.acceleration_structure_size);
        let to = Structure { handle: structure, storage };
        let info = scene.with_dst(info, &to);
        let none: *const Ranges = ptr::null();
        let f = scene.rays.fp().cmd_build_acceleration_structures_khr;
        scene.gpu.run(|cmd| f(cmd, 1, &info, &none));
        Map { object: vk::MicromapEXT::null(), structure, storage: to.storage }
    }
}

/// Destroys a micromap.
fn destroy(scene: &Scene, map: Map) {
    let maps = ash::ext::opacity_micromap::Device::new(&scene.gpu.instance, &scene.gpu.device);
    // SAFETY: no commands use the micromap any more; destroying null handles has no effect.
    unsafe {
        (maps.fp().destroy_micromap_ext)(scene.gpu.device.handle(), map.object, ptr::null());
        scene.rays.destroy_acceleration_structure(map.structure, None);
    }
    map.storage.destroy(&scene.gpu);
}

/// Builds a bottom level of [`TRIANGLES`] that have these indices of a micromap, from a base on; or updates one.
fn bottom(
    scene: &Scene,
    map: &Map,
    (indices, base): ([u32; 2], u32),
    update: Option<Structure>,
) -> Structure {
    let (vertices, numbers) = (scene.input(&TRIANGLES), scene.input(&indices));
    let (index_type, at) = (vk::IndexType::UINT32, scene.address(&numbers));
    let mut old = vk::AccelerationStructureTrianglesOpacityMicromapEXT::default()
        .index_type(index_type)
        .index_buffer(vk::DeviceOrHostAddressConstKHR { device_address: at })
        .index_stride(4)
        .base_triangle(base);
    old.micromap = map.object;
    let new = Opacity {
        ty: MICROMAP + 3,
        next: ptr::null(),
        index_type,
        indices: at,
        stride: 4,
        base,
        micromap: map.structure,
    };
    let by_object = map.object != vk::MicromapEXT::null();
    let mut geometry = triangles(scene.address(&vertices), 5);
    geometry.geometry.triangles.p_next =
        if by_object { (&raw const old).cast() } else { (&raw const new).cast() };
    let geometry = [geometry];
    let flags = BuildFlags::ALLOW_UPDATE
        | BuildFlags::ALLOW_OPACITY_MICROMAP_UPDATE_EXT
        | BuildFlags::ALLOW_DISABLE_OPACITY_MICROMAPS_EXT;
    let info = BuildInfo::default().ty(Type::BOTTOM_LEVEL).flags(flags).geometries(&geometry);
    let info = match &update {
        Some(src) => {
            info.mode(vk::BuildAccelerationStructureModeKHR::UPDATE).src_acceleration_structure(src.handle)
        }
        None => info,
    };
    let bottom = update.unwrap_or_else(|| scene.fitting(&info, &[2]));
    scene.build(&scene.with_dst(info, &bottom), &[2]);
    vertices.destroy(&scene.gpu);
    numbers.destroy(&scene.gpu);
    bottom
}

/// Rays that hit something in an instance with these flags.
fn hits(scene: &Scene, bottom: &Structure, flags: u32) -> Vec<bool> {
    let mut words = instance(scene.address_of(bottom), 0.0, 0);
    words[13] |= flags << 24;
    let top = scene.top_of(&[words]);
    let seen: Vec<Hit> = scene.look(Some(&top));
    scene.destroy(top);
    seen.iter().map(|hit| hit[0] >= 0.0).collect()
}

/// Rays that hit, if rays hit these parts of the first triangle of [`TRIANGLES`] and all or nothing of the second one.
/// The parts are those nearest to the first vertex, in the middle, and nearest to the second and third vertices, which
/// are on the axes. Spec: Vulkan, "Ray Opacity Micromap".
fn expected(parts: [bool; 4], second: bool) -> Vec<bool> {
    let one = |i: usize| {
        let (x, y) = ((i % 8) as f32 / 8.0 + 0.0625, (i / 8) as f32 / 8.0 + 0.0625);
        match () {
            () if x + y > 1.0 => second,
            () if x >= 0.5 => parts[2],
            () if y >= 0.5 => parts[3],
            () if x + y >= 0.5 => parts[1],
            () => parts[0],
        }
    };
    (0..64).map(one).collect()
}

/// Rays see the parts of a triangle of a micromap, which the base of indices selects, as the flags of its instance say.
#[test]
fn rays_see_micromaps_of_both_interfaces() {
    let scene = scene(true);
    let (states, format, level) = PARTS;
    let states = [&[0u8; 4][..], &states].concat();
    let list = [(0, level as u16, format as u16), (4, level as u16, format as u16)];
    let interfaces = [
        Interface::Object,
        Interface::Structure { pointers: false },
        Interface::Structure { pointers: true },
    ];
    for interface in interfaces {
        let map = build(&scene, interface, &states, &list);
        let shown = bottom(&scene, &map, ([0, OPAQUE], 1), None);
        // The states are transparent, opaque, unknown and transparent, unknown and opaque.
        assert_eq!(hits(&scene, &shown, 0), expected([false, true, false, false], true), "{interface:?}");
        let two = expected([false, true, false, true], true);
        assert_eq!(hits(&scene, &shown, TWO_STATES), two, "{interface:?}");
        assert_eq!(hits(&scene, &shown, DISABLE), [true; 64], "{interface:?}");
        // An update gives the triangles other states, here those of the first triangle of the micromap.
        let shown = bottom(&scene, &map, ([0, TRANSPARENT], 0), Some(shown));
        assert_eq!(hits(&scene, &shown, 0), [false; 64], "{interface:?}");
        destroy(&scene, map);
        let bits = build(&scene, interface, &[0b1001], &[(0, 1, TWO as u16)]);
        let shown = bottom(&scene, &bits, ([0, TRANSPARENT], 0), Some(shown));
        destroy(&scene, bits);
        // Bottom levels keep their micromaps.
        assert_eq!(hits(&scene, &shown, 0), expected([true, false, false, true], false), "{interface:?}");
        scene.destroy(shown);
    }
    scene.end();
}

/// Bits of the parts of a triangle at this level, which have the states of their ancestors at level 8.
fn deep(level: u32, bits: u32) -> Vec<u8> {
    let state = |part: u32| (part >> (2 * (level - 8))).wrapping_mul(0x9e37_79b1) >> (32 - bits);
    let of_byte =
        |byte: u32| (0..8 / bits).map(|k| state(byte * 8 / bits + k) << (k * bits)).sum::<u32>() as u8;
    (0..bits << (2 * level - 3)).map(of_byte).collect()
}

/// Four consecutive parts of a triangle are the parts of one part of the level above. Spec: Vulkan, "Ray Opacity Micromap".
#[test]
fn parts_of_the_deepest_levels_are_those_of_their_ancestors() {
    let scene = scene(true);
    for interface in [Interface::Object, Interface::Structure { pointers: false }] {
        for (format, bits) in [(TWO, 1), (FOUR, 2)] {
            let seen = |level: u32| {
                let map = build(&scene, interface, &deep(level, bits), &[(0, level as u16, format as u16)]);
                let shown = bottom(&scene, &map, ([0, TRANSPARENT], 0), None);
                let seen = hits(&scene, &shown, 0);
                destroy(&scene, map);
                scene.destroy(shown);
                seen
            };
            let want = seen(8);
            assert!((8..28).contains(&want.iter().filter(|hit| **hit).count()), "{want:?}");
            (9..=12)
                .for_each(|level| assert_eq!(seen(level), want, "{interface:?}, {bits} bits, level {level}"));
        }
    }
    scene.end();
}

/// Copies of each kind are the same micromap, and so is one that comes back from bytes. Spec: Vulkan,
/// VkCopyAccelerationStructureModeKHR.
#[test]
fn micromaps_are_copied_as_structures() {
    use vk::CopyAccelerationStructureModeKHR as M;
    let scene = scene(true);
    let (states, format, level) = PARTS;
    let interface = Interface::Structure { pointers: false };
    let map = build(&scene, interface, &states, &[(0, level as u16, format as u16)]);
    let map = Structure { handle: map.structure, storage: map.storage };
    let [compact] = properties(&scene, &[&map], vk::QueryType::ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR)[..]
    else {
        panic!("one value")
    };
    let bytes = serialize(&scene, &map);
    assert_eq!(bytes[4], 8 * bytes.len() as u64);
    let mut copies = Vec::new();
    for mode in [M::CLONE, M::COMPACT] {
        let storage = storage(&scene, compact);
        let copy = Structure { handle: create(&scene, &storage, compact), storage };
        let info = vk::CopyAccelerationStructureInfoKHR::default().src(map.handle).dst(copy.handle);
        // SAFETY: valid usage of Vulkan: the structures are live.
        scene.gpu.run(|cmd| unsafe {
            scene.rays.cmd_copy_acceleration_structure(cmd, &info.mode(mode));
        });
        copies.push(copy);
    }
    scene.destroy(map);
    copies.push(deserialize(&scene, &bytes, Type::GENERIC, false));
    for copy in copies {
        let map = Map { object: vk::MicromapEXT::null(), structure: copy.handle, storage: copy.storage };
        let shown = bottom(&scene, &map, ([0, TRANSPARENT], 0), None);
        assert_eq!(hits(&scene, &shown, 0), expected([false, true, false, false], false));
        scene.destroy(shown);
        destroy(&scene, map);
    }
    scene.end();
}

/// The bytes of a bottom level list the addresses of its micromaps in a block, which the application replaces; without the
/// feature of VK_KHR_opacity_micromap they have no block. Spec: Vulkan, vkCmdCopyAccelerationStructureToMemoryKHR and
/// VkAccelerationStructureSerializedBlockTypeKHR.
#[test]
fn bytes_of_bottom_levels_list_micromaps() {
    let scene = scene(true);
    let plain = scene.bottom(BuildFlags::empty());
    assert_eq!(serialize(&scene, &plain)[6], 0xffff_ffff_0000_0000);
    let again = deserialize(&scene, &serialize(&scene, &plain), Type::BOTTOM_LEVEL, true);
    assert_eq!(hits(&scene, &again, 0), [true; 64]);
    scene.destroy_all([plain, again]);

    let (states, format, level) = PARTS;
    let interface = Interface::Structure { pointers: false };
    let one = |scene: &Scene| build(scene, interface, &states, &[(0, level as u16, format as u16)]);
    let (map, other) = (one(&scene), one(&scene));
    let [at, moved] = [&map, &other].map(|map| scene.address(&map.storage));
    assert!(at != moved);
    let shown = bottom(&scene, &map, ([0, OPAQUE], 0), None);
    let mut bytes = serialize(&scene, &shown);
    assert_eq!(bytes[4], 8 * bytes.len() as u64);
    // One block: its type, one address, the address.
    assert_eq!(bytes[6..10], [0xffff_ffff_0000_0001, 0, 1, at]);
    scene.destroy(shown);
    destroy(&scene, map);
    bytes[9] = moved;
    for by_host in [false, true] {
        let shown = deserialize(&scene, &bytes, Type::BOTTOM_LEVEL, by_host);
        assert_eq!(hits(&scene, &shown, 0), expected([false, true, false, false], true));
        assert_eq!(serialize(&scene, &shown), bytes);
        scene.destroy(shown);
    }
    destroy(&scene, other);
    scene.end();

    let scene = self::scene(false);
    let plain = scene.bottom(BuildFlags::empty());
    assert_eq!(serialize(&scene, &plain)[6], 0);
    let map = build(&scene, Interface::Object, &states, &[(0, level as u16, format as u16)]);
    let shown = bottom(&scene, &map, ([0, OPAQUE], 0), None);
    let bytes = serialize(&scene, &shown);
    assert_eq!(bytes[6], 0);
    let again = deserialize(&scene, &bytes, Type::BOTTOM_LEVEL, false);
    assert_eq!(hits(&scene, &again, 0), expected([false, true, false, false], true));
    scene.destroy_all([plain, shown, again]);
    destroy(&scene, map);
    scene.end();
}

/// Records that select no states, states in no buffer, and indices of no triangle are transparent; damaged lists of
/// micromaps are refused, or give a structure that can be looked at.
#[test]
fn hostile_micromaps_are_bounded() {
    let scene = scene(true);
    let interface = Interface::Structure { pointers: false };
    let format = |level: u32, format: u32| level | format << 16;
    let records = [
        [0, format(12, FOUR)],
        [u32::MAX - 8, format(1, TWO)],
        [0, format(13, TWO)],
        [0, format(0xffff, 0xffff)],
        [0, format(1, 3)],
    ];
    let map = build_with(&scene, interface, &[0; 1], &records, &[[5, 1, TWO]]);
    for index in [0, 1, 2, 3, 4, 5, 77, u32::MAX - 8] {
        let shown = bottom(&scene, &map, ([index, OPAQUE], 0), None);
        assert_eq!(hits(&scene, &shown, 0), expected([false; 4], true), "{index}");
        scene.destroy(shown);
    }
    let shown = bottom(&scene, &map, ([0, OPAQUE], 0), None);
    let bytes = serialize(&scene, &shown);
    let words = [0, 1, u64::MAX >> 1, 1 << 32, 0xffff_ffff_0000_0000, u64::MAX];
    for at in 6..10 {
        for word in words {
            let mut damaged = bytes.clone();
            damaged[at] = word;
            let structure = scene.structure(Type::BOTTOM_LEVEL, 1 << 16);
            let mode = vk::CopyAccelerationStructureModeKHR::DESERIALIZE;
            let src = vk::DeviceOrHostAddressConstKHR { host_address: damaged.as_ptr().cast() };
            let info =
                vk::CopyMemoryToAccelerationStructureInfoKHR::default().dst(structure.handle).mode(mode);
            // SAFETY: valid usage of Vulkan, except for the contents, which the driver checks.
            let made = unsafe {
                let none = vk::DeferredOperationKHR::null();
                scene.rays.copy_memory_to_acceleration_structure(none, &info.src(src))
            };
            // Addresses and the reserved half of a block's type mean nothing to the device.
            let means_nothing = at == 9 || damaged[at] == bytes[at] || at == 7 && word as u32 == 0;
            assert_eq!(made.is_ok(), means_nothing, "word {at} is {word:#x}");
            if made.is_ok() {
                assert_eq!(hits(&scene, &structure, 0), expected([false; 4], true));
            }
            scene.destroy(structure);
        }
    }
    scene.destroy(shown);
    destroy(&scene, map);
    scene.end();
}

/// Limits are at least those that the specification requires. Spec: Vulkan, "Required Limits".
#[test]
fn limits_of_micromaps() {
    let scene = scene(true);
    let mut found = Properties { ty: MICROMAP + 1, next: ptr::null_mut(), levels: [0; 3], triangles: 0 };
    let mut all = vk::PhysicalDeviceProperties2 { p_next: (&raw mut found).cast(), ..Default::default() };
    // SAFETY: the instance is live, and the chain has a structure that the driver knows.
    unsafe { scene.gpu.instance.get_physical_device_properties2(scene.gpu.physical, &mut all) };
    assert!(found.levels.iter().all(|&level| level >= 3) && found.triangles >= 1 << 27, "{found:?}");
    scene.end();
}
